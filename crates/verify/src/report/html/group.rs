//! A group on the page: the picture of what is exchanged with what, and the generators.

use std::fmt::Write as _;

use picture::escaped;
use picture::group::{MOST_GENERATORS, colour, svg};

/// The generators, given as cycles of names, as a picture and a list.
pub(super) fn diagram(generators: &[String]) -> String {
    let mut text = format!("<div class=\"i-scroll\">{}</div>\n<ul class=\"i-generators\">", svg(generators));
    for (index, generator) in generators.iter().enumerate().take(MOST_GENERATORS) {
        let colour = colour(index);
        let _ = write!(
            text,
            "<li class=\"i-code\"><span class=\"i-swatch\" style=\"background:{colour}\"></span>{}</li>",
            escaped(generator)
        );
    }
    text.push_str("</ul>\n");
    let more = generators.len().saturating_sub(MOST_GENERATORS);
    if more > 0 {
        let _ = writeln!(text, "<p class=\"i-quiet\">and {more} generators more</p>");
    }
    text
}
