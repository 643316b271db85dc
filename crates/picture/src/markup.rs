//! What all pictures share: text that cannot become markup, and the frame of an SVG file.

use std::fmt::Display;

/// Text for HTML and XML, between tags or in an attribute. XML has no way to write most control characters, so they are shown instead.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(character),
            control if control.is_control() || control == '\u{fffe}' || control == '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// A text in quotes, for Graphviz.
#[must_use]
pub fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

/// A text cut to so many characters.
#[must_use]
pub fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_string();
    }
    text.chars().take(room.saturating_sub(1)).chain(['\u{2026}']).collect()
}

/// An SVG file with a style, on paper, around what is drawn.
pub(crate) fn svg(width: impl Display, height: impl Display, title: &str, style: &str, body: &str) -> String {
    let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>\n", escaped(title)) };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n{title}<style>{style}</style>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{escaped, quoted, shortened};

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped("<script>\"&\"\u{1}\n"), "&lt;script&gt;&quot;&amp;&quot;\u{fffd}\n");
        assert_eq!(quoted("a\"b\\c\nd"), r#""a\"b\\c\nd""#);
        assert_eq!((shortened("short", 5), shortened("longer", 5)), ("short".to_string(), "long\u{2026}".to_string()));
    }
}
