//! Well-formed states that need not be reachable: the processes of a given state, everything else drawn at random.

use machine::Machine;
use machine::layout::Area;
use machine::scalar::Scalar;
use machine::state::{Frame, Header, View};

/// A small generator of pseudo-random numbers (xorshift64*), so that failures can be repeated.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) % u64::from(bound)) as u32
    }

    /// Mostly small numbers, so that indices often are within bounds and loops end.
    fn value(&mut self) -> i32 {
        match self.below(32) {
            0 => 255,
            1 => -1,
            2 => 100,
            3..8 => self.below(20) as i32,
            _ => self.below(4) as i32,
        }
    }
}

/// Draws all values, locations and messages of a state anew.
pub fn scramble(machine: &Machine, state: &mut [u8], random: &mut Random) {
    let layout = &machine.layout;
    scramble_area(machine, &layout.globals, state, random);
    if let Some(offset) = layout.last_offset {
        state[offset as usize] = random.below(u32::from(state[0]).max(1)) as u8;
    }
    if let Some(trace) = &machine.trace {
        let cells = layout.globals.cells(trace.cells);
        let location = 1 + random.below(trace.automaton.locations.len() as u32 - 1);
        cells.scalar.write(&mut state[cells.offset as usize..], location as i32);
    }
    let frames: Vec<Frame> = View::new(layout, state).frames().collect();
    for Frame { definition, offset: frame, .. } in frames {
        let area = &layout.frames[definition.index()];
        scramble_area(machine, area, &mut state[frame..], random);
        let locations = machine.definition(definition).automaton.locations.len() as u32;
        let location = 1 + random.below(locations - 1);
        let at = Header::of(layout).location_bytes(frame);
        state[at.clone()].copy_from_slice(&location.to_le_bytes()[..at.len()]);
        if let Some(offset) = layout.priority_offset {
            state[frame + offset as usize] = 1 + random.below(3) as u8;
        }
    }
}

fn scramble_area(machine: &Machine, area: &Area, bytes: &mut [u8], random: &mut Random) {
    for cells in &area.cells {
        for element in 0..cells.count {
            cells.scalar.write(&mut bytes[cells.element_offset(element) as usize..], random.value());
        }
    }
    for channel in &area.channels {
        let shape = machine.layout.shape(channel.shape);
        if shape.is_rendezvous() {
            continue;
        }
        let start = channel.offset as usize;
        bytes[start..start + shape.size() as usize].fill(0);
        let length = random.below(shape.capacity + 1);
        bytes[start..start + shape.length_width() as usize]
            .copy_from_slice(&length.to_le_bytes()[..shape.length_width() as usize]);
        for message in 0..length {
            for field in 0..shape.fields.len() {
                let at = shape.length_width() + message * shape.message_size() + shape.field_offset(field);
                let scalar: Scalar = shape.scalar(field);
                scalar.write(&mut bytes[start + at as usize..], random.value());
            }
        }
    }
}
