//! Places as the protocol names them: addresses of files, lines and columns from 0 in UTF-16 code units.

use std::path::{Path, PathBuf};

use gen_lsp_types::{Position, Range, Uri};
use promela::source::{ColumnUnit, LineColumn, SourceFile};

pub use crate::paths::normal;

/// The path behind an address. What is no file (a buffer that was never saved) is called by its address.
pub fn path_of(uri: &Uri) -> PathBuf {
    match uri.0.strip_prefix("file://") {
        // Behind the slashes may stand the name of this machine.
        Some(rest) => normal(Path::new(&decoded(&rest[rest.find('/').unwrap_or(0)..]))),
        None => PathBuf::from(&uri.0),
    }
}

/// The address of a path.
pub fn uri_of(path: &Path) -> Uri {
    let text = path.to_string_lossy();
    if path.is_absolute() { Uri(format!("file://{}", encoded(&text))) } else { Uri(text.into_owned()) }
}

/// Takes `%20` and the like for what they stand for.
fn decoded(text: &str) -> String {
    let digits = |at: usize| text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text.as_bytes()[at] == b'%').then(|| digits(at)).flatten() {
            Some(byte) => {
                bytes.push(byte);
                at += 3;
            }
            None => {
                bytes.push(text.as_bytes()[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn encoded(text: &str) -> String {
    let mut address = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            address.push(byte as char);
        } else {
            address += &format!("%{byte:02X}");
        }
    }
    address
}

/// The place of a byte of a file.
pub fn position_of(file: &SourceFile, offset: usize) -> Position {
    let LineColumn { line, column } = file.line_column(offset, ColumnUnit::Utf16);
    Position::new(line - 1, column - 1)
}

/// The place of a range of bytes of a file.
pub fn range_of(file: &SourceFile, bytes: std::ops::Range<usize>) -> Range {
    Range::new(position_of(file, bytes.start), position_of(file, bytes.end))
}

/// The byte at a place; a place behind the text is its end.
pub fn offset_of(file: &SourceFile, position: Position) -> usize {
    let place = LineColumn { line: position.line.saturating_add(1), column: position.character.saturating_add(1) };
    file.offset(place, ColumnUnit::Utf16).unwrap_or(file.text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses_are_turned_into_each_other() {
        let path = Path::new("/a b/ü%/m.pml");
        assert_eq!(uri_of(path).0, "file:///a%20b/%C3%BC%25/m.pml");
        assert_eq!(path_of(&uri_of(path)), path);
        assert_eq!(path_of(&Uri("file://host/x/../y/./m.pml".into())), Path::new("/y/m.pml"));
        assert_eq!(path_of(&Uri("untitled:Untitled-1".into())), Path::new("untitled:Untitled-1"));
        assert_eq!(path_of(&Uri("file:///50%".into())), Path::new("/50%"));
    }
}
