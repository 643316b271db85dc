//! A chart as text for terminals: a bar for each living process, messages as arrows or, when they wait in a channel, by number.

use super::{Arrow, Chart, Row, RowKind, Target};

/// Room for the step's number.
const GUTTER: usize = 5;

impl Chart {
    /// The chart in characters.
    #[must_use]
    pub fn text(&self) -> String {
        let labels = self.rows.iter().filter(|row| row.partner.is_some());
        let longest = labels.map(|row| row.label.chars().count() + 5).max();
        let names = self.lives.iter().map(|life| life.name.chars().count() + 4).max();
        let spacing = longest.max(names).unwrap_or(0).clamp(10, 24);
        let mut drawing = Drawing { chart: self, spacing, lines: Vec::new() };
        drawing.draw();
        drawing.lines.join("\n") + "\n"
    }
}

struct Drawing<'c> {
    chart: &'c Chart,
    spacing: usize,
    lines: Vec<String>,
}

impl Drawing<'_> {
    fn draw(&mut self) {
        let mut header = vec![' '; GUTTER];
        for life in self.chart.lives.iter().filter(|life| life.created.is_none()) {
            put(&mut header, self.column(life.lane), &format!("{} {}", life.name.trim_matches(':'), life.lane));
        }
        self.push(header);
        for (index, row) in self.chart.rows.iter().enumerate() {
            if self.chart.cycle == Some(index) {
                self.lines.push("----- cycle starts here".to_string());
            }
            self.row(index, row);
        }
        if self.chart.cycle.is_some() {
            self.lines.push("----- back to where the cycle starts".to_string());
        }
        self.lines.push(self.chart.end.text.clone());
        for (lane, line) in &self.chart.end.stuck {
            self.lines.push(format!("process {lane} is stuck at line {line}"));
        }
    }

    fn column(&self, lane: usize) -> usize {
        GUTTER + 1 + lane * self.spacing
    }

    fn push(&mut self, line: Vec<char>) {
        self.lines.push(line.into_iter().collect::<String>().trim_end().to_string());
    }

    fn row(&mut self, index: usize, row: &Row) {
        let mut line = vec![' '; GUTTER];
        put(&mut line, 0, &format!("{:4}", row.number));
        for life in &self.chart.lives {
            let born = life.created.is_none_or(|(created, _)| created < index);
            if born && life.ended.is_none_or(|ended| ended >= index) {
                put(&mut line, self.column(life.lane), "\u{2502}");
            }
        }
        let inside =
            self.chart.atomics.iter().any(|each| each.lane == row.lane && (each.first..=each.last).contains(&index));
        let mark = match row.kind {
            _ if row.failed => "\u{2717}",
            RowKind::End => "\u{2534}",
            _ if inside => "\u{2503}",
            _ => "\u{251c}",
        };
        let at = self.column(row.lane);
        put(&mut line, at, mark);
        match row.partner {
            Some(partner) => self.handed(&mut line, row, partner),
            None => put(&mut line, at + 2, &self.label(index, row)),
        }
        for life in self.chart.lives.iter().filter(|life| life.created.is_some_and(|(created, _)| created == index)) {
            put(&mut line, self.column(life.lane), &format!("\u{250c} {} {}", life.name.trim_matches(':'), life.lane));
        }
        self.push(line);
    }

    /// The arrow of a rendezvous, with its label in it.
    fn handed(&self, line: &mut Vec<char>, row: &Row, partner: usize) {
        let (from, to) = (self.column(row.lane), self.column(partner));
        let (left, right) = (from.min(to) + 1, from.max(to));
        put(line, left, &"\u{2500}".repeat(right - left));
        let room = (right - left).saturating_sub(3);
        let label: String = row.label.chars().take(room).collect();
        put(line, left + 1, &label);
        if to > from {
            put(line, to - 1, "\u{25b6}")
        } else {
            put(line, to + 1, "\u{25c0}")
        }
        // The labels of the neighbours' lanes may be long: the arrow wins, the rest of a cut label is in the trace.
        if row.label.chars().count() > room {
            put(line, right + 2, &row.label);
        }
    }

    /// The label of a row without partner; the arrows that begin or end here by their numbers.
    fn label(&self, index: usize, row: &Row) -> String {
        let mut label = row.label.clone();
        for (number, arrow) in self.chart.arrows.iter().enumerate() {
            let number = number + 1;
            label += &match arrow {
                Arrow { from: (sent, _), to: Target::Received(..) } if *sent == index => format!(" \u{25b6}{number}"),
                Arrow { to: Target::Received(received, _), .. } if *received == index => format!(" \u{25c0}{number}"),
                Arrow { from: (sent, _), to: Target::Waiting } if *sent == index => format!(" \u{25b7}{number}"),
                _ => String::new(),
            };
        }
        label
    }
}

fn put(line: &mut Vec<char>, at: usize, text: &str) {
    for (offset, character) in text.chars().enumerate() {
        if line.len() <= at + offset {
            line.resize(at + offset + 1, ' ');
        }
        line[at + offset] = character;
    }
}
