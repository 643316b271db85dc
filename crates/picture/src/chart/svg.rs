//! A chart as an SVG picture.
//!
//! Every row has exactly one label, beside the lane of its step and above its line, on the side that no arrow takes: labels
//! never cover each other, however many lanes and rows there are. Names of lanes are repeated so that one is always near.
//! Colours follow the reader's light or dark scheme where the viewer knows it, and are those of paper elsewhere.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use super::{Chart, EndMark, Life, Mood, Row, RowKind, Target};
use crate::markup::{escaped, shortened, svg};

/// Height of a row.
const ROW: usize = 22;
/// Width of a character of labels, about.
const CHARACTER: f64 = 6.7;
/// Where rows begin: below the title and the first lane names.
const TOP: usize = 92;
/// Room for step and line numbers.
const GUTTER: usize = 84;
/// Lane names are repeated after so many rows.
const REPEAT: usize = 20;
/// Height of the band for repeated names.
const BAND: usize = 26;
/// How far a message without receiver is drawn.
const STUB: usize = 34;

const STYLE: &str = "\
text{font:11px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#24292f}\
.paper{fill:#fff}.title{font-weight:bold;font-size:13px}.quiet{fill:#6e7781}.name{font-weight:bold;text-anchor:middle}\
.halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}\
.lane{stroke:#afb8c1;stroke-width:1.2}.band{fill:#f0f3f6}.box{fill:#f6f8fa;stroke:#8c959f}\
.atomic{fill:#ddb84f;fill-opacity:.3}.dot{fill:#57606a}.print{fill:#6e5494}\
.arrow{stroke:#0a69c6;stroke-width:1.4;fill:none}.head{fill:#0a69c6;stroke:none}.message{fill:#0a4f96}\
.handed{stroke-width:2.2}.birth{stroke:#57606a;stroke-dasharray:2 3;fill:none}\
.wait{fill:#fff;stroke:#0a69c6;stroke-width:1.4}.bad{fill:#cf222e}.badline{stroke:#cf222e;stroke-width:1.8;fill:none}\
.badbox{fill:#cf222e;fill-opacity:.12}.good{fill:#1a7f37}\
.cycle{stroke:#8250df;stroke-width:1.6;stroke-dasharray:6 4;fill:none}.cycletext{fill:#8250df}\
@media(prefers-color-scheme:dark){\
text{fill:#d1d9e0}.paper{fill:#0d1117}.quiet{fill:#8b949e}.halo{stroke:#0d1117}.lane{stroke:#484f58}\
.band{fill:#161b22}.box{fill:#161b22;stroke:#6e7681}.dot{fill:#8b949e}.print{fill:#c297ff}\
.arrow{stroke:#58a6ff}.head{fill:#58a6ff}.message{fill:#79c0ff}.birth{stroke:#8b949e}\
.wait{fill:#0d1117;stroke:#58a6ff}.bad{fill:#ff7b72}.badline{stroke:#ff7b72}.good{fill:#56d364}\
.cycle{stroke:#bc8cff}.cycletext{fill:#bc8cff}}";

impl Chart {
    /// The chart as a picture.
    #[must_use]
    pub fn svg(&self) -> String {
        Drawing::new(self).draw()
    }
}

struct Drawing<'c> {
    chart: &'c Chart,
    from_right: FxHashSet<usize>,
    spacing: usize,
    out: String,
}

/// On which side of its lane a label stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl<'c> Drawing<'c> {
    fn new(chart: &'c Chart) -> Drawing<'c> {
        let labels = chart.rows.iter().filter(|row| !row.failed).map(|row| row.label.chars().count());
        let names = chart.lives.iter().map(|life| head_text(life).chars().count() + 1);
        // Most labels fit; the few longest are cut, and whole in the tooltip.
        let mut lengths: Vec<usize> = labels.chain(names).collect();
        lengths.sort_unstable();
        let typical = lengths.get(lengths.len() * 19 / 20).or(lengths.last()).copied().unwrap_or(0);
        let spacing = ((typical as f64 * CHARACTER) as usize + 26).clamp(96, 200);
        Drawing { chart, from_right: chart.rows_from_right(), spacing, out: String::new() }
    }

    fn draw(mut self) -> String {
        let chart = self.chart;
        let (width, height) = (self.width(), self.y(chart.rows.len()) + 46 + 16 * chart.end.stuck.len().min(1));
        self.text(12, 20, "title", &chart.title.clone());
        self.title_end();
        self.text(18, TOP - 16, "quiet", "step");
        self.text(52, TOP - 16, "quiet", "line");
        chart.lives.iter().for_each(|life| self.lane(life));
        self.repeated_names();
        self.atomics();
        self.cycle();
        self.arrows();
        chart.lives.iter().for_each(|life| self.head(life));
        for (index, row) in chart.rows.iter().enumerate() {
            self.row(index, row);
        }
        self.end(&chart.end);
        svg(width, height, &format!("{}: {}", chart.title, chart.end.text), STYLE, &self.out)
    }

    fn width(&self) -> usize {
        GUTTER + self.chart.lanes * self.spacing + self.spacing
    }

    fn x(&self, lane: usize) -> usize {
        GUTTER + lane * self.spacing + self.spacing * 2 / 3
    }

    fn y(&self, row: usize) -> usize {
        TOP + row * ROW + ROW / 2 + row.saturating_sub(1) / REPEAT * BAND
    }

    fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        let _ = writeln!(self.out, "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>", escaped(text));
    }

    fn line(&mut self, class: &str, from: (usize, usize), to: (usize, usize)) {
        let _ = writeln!(
            self.out,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    fn title_end(&mut self) {
        let EndMark { mood, text, .. } = &self.chart.end;
        let class = match mood {
            Mood::Bad => "bad",
            Mood::Good => "good",
            Mood::Neutral => "quiet",
        };
        self.text(12, 36, class, &text.clone());
    }

    /// A band with the names of all lanes that live there, again and again.
    fn repeated_names(&mut self) {
        for row in (REPEAT..self.chart.rows.len().saturating_sub(1)).step_by(REPEAT) {
            let y = self.y(row) + ROW / 2;
            let _ = writeln!(
                self.out,
                "<rect class=\"band\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                y + 3,
                self.width(),
                BAND - 6
            );
            for life in self.chart.lives.iter().filter(|life| alive(life, row)) {
                self.text(self.x(life.lane), y + BAND / 2 + 4, "name quiet", &head_text(life));
            }
        }
    }

    fn lane(&mut self, life: &Life) {
        let x = self.x(life.lane);
        let from = life.created.map_or(TOP - 20, |(row, _)| self.y(row));
        let to = life.ended.map_or(self.y(self.chart.rows.len()) + 4, |row| self.y(row));
        self.line("lane", (x, from), (x, to));
        if life.ended.is_some() {
            let _ = writeln!(
                self.out,
                "<path class=\"birth\" style=\"stroke-dasharray:none\" d=\"M{} {}l10 10m0 -10l-10 10\"/>",
                x - 5,
                to - 5
            );
        }
    }

    fn head(&mut self, life: &Life) {
        let x = self.x(life.lane);
        let name = head_text(life);
        let width = (name.chars().count() as f64 * 7.2) as usize + 12;
        let y = match life.created {
            None => TOP - 20,
            Some((row, creator)) => {
                let y = self.y(row);
                let edge = if creator < life.lane { x - width / 2 } else { x + width / 2 };
                self.line("birth", (self.x(creator), y), (edge, y));
                y
            }
        };
        let _ = writeln!(
            self.out,
            "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"18\" rx=\"4\"/>",
            x - width / 2,
            y - 9
        );
        self.text(x, y + 4, "name", &name);
    }

    fn atomics(&mut self) {
        for atomic in &self.chart.atomics {
            let (top, bottom) = (self.y(atomic.first) - 9, self.y(atomic.last) + 9);
            let _ = writeln!(
                self.out,
                "<rect class=\"atomic\" x=\"{}\" y=\"{top}\" width=\"16\" height=\"{}\" rx=\"5\"><title>atomic</title></rect>",
                self.x(atomic.lane) - 8,
                bottom - top
            );
        }
    }

    fn cycle(&mut self) {
        let Some(first) = self.chart.cycle else { return };
        let (top, bottom) = (self.y(first) - ROW / 2, self.y(self.chart.rows.len()) - ROW / 2);
        let right = self.width() - 14;
        let _ = writeln!(
            self.out,
            "<path class=\"cycle\" d=\"M{GUTTER} {top}H{right}V{bottom}H{GUTTER}\"/>\n\
             <path class=\"cycletext\" d=\"M{right} {}l-5 9h10z\"/>",
            top + 2
        );
        let _ = writeln!(
            self.out,
            "<text x=\"{}\" y=\"{}\" class=\"cycletext halo\" text-anchor=\"end\">cycle starts</text>",
            right - 6,
            top - 3
        );
    }

    fn arrows(&mut self) {
        for arrow in &self.chart.arrows {
            let (row, lane) = arrow.from;
            let from = (self.x(lane), self.y(row));
            match arrow.to {
                Target::Handed(to) => self.arrow("arrow handed", from, (self.x(to), from.1)),
                Target::Received(at, to) if to == lane => self.loop_back(from, self.y(at)),
                Target::Received(at, to) => self.arrow("arrow", from, (self.x(to), self.y(at))),
                Target::Waiting => {
                    let end = (from.0 + STUB, from.1);
                    self.line("arrow", from, end);
                    let _ = writeln!(
                        self.out,
                        "<circle class=\"wait\" cx=\"{}\" cy=\"{}\" r=\"4\"><title>still in its channel</title></circle>",
                        end.0, end.1
                    );
                }
                Target::Lost => {
                    let end = (from.0 + STUB, from.1);
                    self.line("badline", from, end);
                    let _ = writeln!(
                        self.out,
                        "<path class=\"badline\" d=\"M{} {}l8 8m0 -8l-8 8\"/>",
                        end.0 - 4,
                        end.1 - 4
                    );
                }
            }
        }
    }

    fn arrow(&mut self, class: &str, from: (usize, usize), to: (usize, usize)) {
        self.line(class, from, to);
        self.arrow_head(to, (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64));
    }

    /// A message of a process to itself bulges out to the left.
    fn loop_back(&mut self, from: (usize, usize), to: usize) {
        let bulge = 14 + (to - from.1).min(160) / 8;
        let _ = writeln!(
            self.out,
            "<path class=\"arrow\" d=\"M{x} {}C{c} {} {c} {to} {x} {to}\"/>",
            from.1,
            from.1,
            x = from.0,
            c = from.0 - bulge
        );
        self.arrow_head((from.0, to), (1.0, 0.0));
    }

    fn arrow_head(&mut self, tip: (usize, usize), direction: (f64, f64)) {
        let length = direction.0.hypot(direction.1).max(1.0);
        let (dx, dy) = (direction.0 / length, direction.1 / length);
        let (x, y) = (tip.0 as f64, tip.1 as f64);
        let side = |sign: f64| (x - 9.0 * dx + sign * 4.0 * dy, y - 9.0 * dy - sign * 4.0 * dx);
        let ((ax, ay), (bx, by)) = (side(1.0), side(-1.0));
        let _ = writeln!(self.out, "<path class=\"head\" d=\"M{x} {y}L{ax:.1} {ay:.1} {bx:.1} {by:.1}z\"/>");
    }

    fn row(&mut self, index: usize, row: &Row) {
        let (x, y) = (self.x(row.lane), self.y(index));
        let _ = writeln!(self.out, "<g data-step=\"{}\"><title>{}</title>", row.number, escaped(&row.details));
        let _ = writeln!(
            self.out,
            "<text x=\"42\" y=\"{0}\" class=\"quiet\" text-anchor=\"end\">{1}</text>\
             <text x=\"76\" y=\"{0}\" class=\"quiet\" text-anchor=\"end\">{2}</text>",
            y + 4,
            row.number,
            row.line
        );
        if row.failed {
            let _ = writeln!(
                self.out,
                "<rect class=\"badbox\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{ROW}\"/>\
                 <circle class=\"bad\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>",
                y - ROW / 2,
                self.width()
            );
        } else if row.kind != RowKind::End {
            let _ = writeln!(self.out, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"2.5\"/>");
        }
        self.label(index, row);
        self.out.push_str("</g>\n");
    }

    fn label(&mut self, index: usize, row: &Row) {
        let (x, y) = (self.x(row.lane), self.y(index));
        let class = match row.kind {
            _ if row.failed => "bad",
            RowKind::Message => "message halo",
            RowKind::Print => "print halo",
            RowKind::Local | RowKind::End => "quiet halo",
        };
        let room = if row.failed { usize::MAX } else { ((self.spacing - 16) as f64 / CHARACTER) as usize };
        let text = shortened(&row.label, room);
        let (side, rise) = match (row.kind, row.partner) {
            (RowKind::Message, Some(partner)) if partner < row.lane => (Side::Left, 5),
            (RowKind::Message, None) if self.from_right.contains(&index) => (Side::Left, 5),
            (RowKind::Message, _) => (Side::Right, 5),
            // A child's head stands in this row: the label goes to the other side of its creator.
            _ => (if self.creates_right(index, row.lane) { Side::Left } else { Side::Right }, 0),
        };
        let y = if rise > 0 { y - rise } else { y + 4 };
        let (x, anchor) = match side {
            Side::Left => (x - 9, "end"),
            Side::Right => (x + 9, "start"),
        };
        let _ = writeln!(
            self.out,
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(&text)
        );
    }

    /// Whether a process is created in a row, to the right of its creator.
    fn creates_right(&self, row: usize, lane: usize) -> bool {
        self.chart.lives.iter().any(|life| life.created.is_some_and(|(at, _)| at == row) && life.lane > lane)
    }

    fn end(&mut self, end: &EndMark) {
        let y = self.y(self.chart.rows.len());
        if self.chart.cycle.is_some() {
            self.text(GUTTER, y + 8, "cycletext halo", "back to where the cycle starts");
            return;
        }
        for &(lane, line) in &end.stuck {
            let x = self.x(lane);
            self.line("badline", (x - 12, y + 4), (x + 12, y + 4));
            let text = format!("stuck at line {line}");
            let _ = writeln!(
                self.out,
                "<text x=\"{x}\" y=\"{}\" class=\"bad\" text-anchor=\"middle\">{text}</text>",
                y + 20
            );
        }
    }
}

fn alive(life: &Life, row: usize) -> bool {
    life.created.is_none_or(|(created, _)| created <= row) && life.ended.is_none_or(|ended| ended > row)
}

/// `P 3`
fn head_text(life: &Life) -> String {
    format!("{} {}", life.name.trim_matches(':'), life.lane)
}
