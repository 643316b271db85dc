//! Scalar types: how many bytes a value takes in the state vector, and what is cut off when it is stored.

use promela::model::Type;

/// The storage of one scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// One bit in one byte. SPIN's verifier forgets to cut elements of bit arrays and bit fields of messages; we do not.
    Bit,
    /// Unsigned, 8 bits.
    Byte,
    /// Signed, 16 bits.
    Short,
    /// Signed, 32 bits.
    Int,
    /// Unsigned with the given number of bits, at most 32.
    Unsigned(u8),
}

impl Scalar {
    /// The storage of a Promela type; `None` for structures.
    #[must_use]
    pub fn of(ty: Type) -> Option<Scalar> {
        Some(match ty {
            Type::Bit | Type::Bool => Scalar::Bit,
            Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan | Type::Ref(_) => Scalar::Byte,
            Type::Short => Scalar::Short,
            Type::Int => Scalar::Int,
            Type::Unsigned(bits) => Scalar::Unsigned(bits),
            Type::Structure(_) => return None,
        })
    }

    /// Bytes it takes in the vector: 1, 2 or 4.
    #[must_use]
    pub fn width(self) -> u32 {
        match self {
            Scalar::Bit | Scalar::Byte => 1,
            Scalar::Short => 2,
            Scalar::Int => 4,
            Scalar::Unsigned(bits) => match bits {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            },
        }
    }

    /// The least and the greatest value it holds.
    #[must_use]
    pub fn range(self) -> (i32, i32) {
        match self {
            Scalar::Bit => (0, 1),
            Scalar::Byte => (0, 255),
            Scalar::Short => (i32::from(i16::MIN), i32::from(i16::MAX)),
            Scalar::Unsigned(bits) if bits < 32 => (0, ((1_i64 << bits) - 1) as i32),
            Scalar::Int | Scalar::Unsigned(_) => (i32::MIN, i32::MAX),
        }
    }

    /// What is left of a value once it is stored.
    #[must_use]
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Scalar::Bit => value & 1,
            Scalar::Byte => i32::from(value as u8),
            Scalar::Short => i32::from(value as i16),
            Scalar::Int => value,
            Scalar::Unsigned(bits) if bits < 32 => value & ((1 << bits) - 1),
            Scalar::Unsigned(_) => value,
        }
    }

    /// Reads a value from the first bytes of `bytes`.
    #[must_use]
    pub fn read(self, bytes: &[u8]) -> i32 {
        match self {
            Scalar::Bit | Scalar::Byte => i32::from(bytes[0]),
            Scalar::Short => i32::from(i16::from_le_bytes([bytes[0], bytes[1]])),
            Scalar::Int => i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            Scalar::Unsigned(_) => match self.width() {
                1 => i32::from(bytes[0]),
                2 => i32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
                _ => i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            },
        }
    }

    /// Writes a value, truncated, to the first bytes of `bytes`.
    pub fn write(self, bytes: &mut [u8], value: i32) {
        let width = self.width() as usize;
        bytes[..width].copy_from_slice(&self.truncate(value).to_le_bytes()[..width]);
    }
}

#[cfg(test)]
mod tests {
    use super::Scalar;

    #[test]
    fn storing_then_reading_is_truncation() {
        let scalars =
            [Scalar::Bit, Scalar::Byte, Scalar::Short, Scalar::Int, Scalar::Unsigned(3), Scalar::Unsigned(11)];
        for scalar in scalars {
            for value in [-70_000, -1, 0, 1, 2, 255, 256, 2047, 2048, 65_535, i32::MAX, i32::MIN] {
                let mut bytes = [0xAA; 4];
                scalar.write(&mut bytes, value);
                assert_eq!(scalar.read(&bytes), scalar.truncate(value), "{scalar:?} {value}");
                assert!(bytes[scalar.width() as usize..].iter().all(|&byte| byte == 0xAA));
            }
        }
    }
}
