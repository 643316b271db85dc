//! Messages in columns, one for each process, as SPIN's `-c` shows them.

use machine::trace::{Direction, ExchangeKind, TraceStep};

/// Characters of a column.
const WIDTH: usize = 4;

/// The columns so far.
#[derive(Default)]
pub struct Columns {
    processes: usize,
    /// How many columns the last header had.
    header: usize,
}

impl Columns {
    /// A new process: the line that introduces it.
    pub fn add(&mut self, pid: u8, process: &str) -> String {
        self.processes = self.processes.max(usize::from(pid) + 1);
        format!("proc {pid} = {process}")
    }

    /// The rows of a step: its messages and, if asked for, a step without messages too.
    pub fn rows(&mut self, step: &TraceStep, statements: bool) -> Vec<String> {
        let mut entries = Vec::new();
        for exchange in &step.communications {
            let number = exchange.number.to_string();
            match exchange.kind {
                ExchangeKind::Send => entries.push((number, exchange.pid, exchange.text(Direction::Send))),
                ExchangeKind::Lose => {
                    entries.push((number, exchange.pid, exchange.text(Direction::Send) + " (lost)"));
                }
                ExchangeKind::Receive | ExchangeKind::Copy => {
                    entries.push((number, exchange.pid, exchange.text(Direction::Receive)));
                }
                ExchangeKind::Rendezvous => {
                    entries.push((number.clone(), exchange.pid, exchange.text(Direction::Send)));
                    let receiver = exchange.to.unwrap_or(exchange.pid);
                    entries.push((number, receiver, exchange.text(Direction::Receive)));
                }
            }
        }
        if entries.is_empty() && statements {
            entries.push(("-".to_string(), step.part.pid, step.part.statement.clone()));
        }
        let mut rows = Vec::new();
        if !entries.is_empty() && self.header != self.processes {
            self.header = self.processes;
            rows.push(self.header());
        }
        rows.extend(entries.into_iter().map(|(channel, pid, text)| row(&channel, pid, &text)));
        rows
    }

    fn header(&self) -> String {
        let columns: String = (0..self.processes).map(|pid| format!("{pid:<WIDTH$}")).collect();
        format!("q\\p   {}", columns.trim_end())
    }
}

fn row(channel: &str, pid: u8, text: &str) -> String {
    let before = format!("{:<WIDTH$}", ".").repeat(usize::from(pid));
    format!("{channel:>3}   {before}{text}")
}
