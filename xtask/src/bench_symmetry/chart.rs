//! The measurements as a picture: for each configuration the states stored and the states they stand for, on a logarithmic scale.

use std::fmt::Write as _;

use super::Measurement;

const ROW: f64 = 18.0;
const LEFT: f64 = 220.0;
const DECADE: f64 = 32.0;
const TOP: f64 = 50.0;
/// Numbers beyond that have an arrow.
const DECADES: usize = 18;

/// A stand-alone drawing.
pub fn svg(measurements: &[Measurement]) -> String {
    let height = TOP + ROW * measurements.len() as f64 + 20.0;
    let width = LEFT + DECADE * DECADES as f64 + 40.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <circle cx=\"{LEFT}\" cy=\"16\" r=\"4\" fill=\"#1b6ca8\"/><text x=\"{}\" y=\"20\">states stored</text>\n\
         <circle cx=\"{}\" cy=\"16\" r=\"4\" fill=\"#d1495b\"/><text x=\"{}\" y=\"20\">states represented</text>\n",
        LEFT + 10.0,
        LEFT + 130.0,
        LEFT + 140.0,
    );
    for decade in (0..=DECADES).step_by(3) {
        let x = LEFT + DECADE * decade as f64;
        let _ = writeln!(
            text,
            "<line x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{}\" stroke=\"#ddd\"/>\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">10<tspan dy=\"-4\" font-size=\"9\">{decade}</tspan></text>",
            height - 20.0,
            TOP - 8.0
        );
    }
    for (number, of) in measurements.iter().enumerate() {
        let y = TOP + ROW * (number as f64 + 0.5);
        let stored = place(&of.reduced.states.to_string());
        let represented = place(&of.represented);
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} {}</text>\
             <line x1=\"{stored}\" y1=\"{y}\" x2=\"{represented}\" y2=\"{y}\" stroke=\"#bbb\"/>\
             <circle cx=\"{stored}\" cy=\"{y}\" r=\"4\" fill=\"#1b6ca8\"/>{}",
            LEFT - 12.0,
            y + 4.0,
            of.row.family,
            of.row.size,
            end(&of.represented, represented, y)
        );
    }
    text + "</svg>\n"
}

/// Where a number lies; its logarithm is taken from its first digits.
fn place(digits: &str) -> f64 {
    let leading: f64 = format!("0.{}", &digits[..digits.len().min(15)]).parse().unwrap_or(1.0);
    let logarithm = leading.log10() + digits.len() as f64;
    LEFT + DECADE * logarithm.clamp(0.0, DECADES as f64 + 0.5)
}

fn end(digits: &str, x: f64, y: f64) -> String {
    if digits.len() <= DECADES {
        return format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#d1495b\"/>");
    }
    format!(
        "<path d=\"M {x} {} l 8 4 l -8 4 z\" fill=\"#d1495b\"/><text x=\"{}\" y=\"{}\" font-size=\"9\">{}</text>",
        y - 4.0,
        x + 10.0,
        y + 3.0,
        digits.len() - 1
    )
}
