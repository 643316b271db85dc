//! A run as it is printed while it goes on: statements, variables and messages as SPIN shows them, columns, or JSON lines.

mod columns;
mod json;
mod output;

use machine::show::{Change, StateView, joined};
use machine::trace::{End, EndKind, Exchange, ExchangeKind, Origin, Part, TraceStep};
use machine::waiting::Waiting;

use self::columns::Columns;
use self::output::Output;
use crate::cli::listing::ListingArguments;
use crate::console::Exit;

/// Prints a run.
pub struct Listing<'a> {
    options: &'a ListingArguments,
    output: Output,
    columns: Columns,
    created: usize,
    /// What SPIN puts behind a process' name: its priority, which is 1 in models that do not use any.
    priority: &'static str,
}

/// What the last lines of a listing tell.
pub struct Summary<'a> {
    /// How the run ended.
    pub end: &'a End,
    /// How many steps it had.
    pub length: u32,
    /// The state in which it ended.
    pub last: &'a StateView,
    /// If no process can move there: what each waits for.
    pub waiting: Vec<Waiting>,
    /// The seed of a random run.
    pub seed: Option<u64>,
}

impl<'a> Listing<'a> {
    /// A listing as the options ask for it.
    pub fn new(options: &'a ListingArguments) -> Listing<'a> {
        Listing { options, output: Output::default(), columns: Columns::default(), created: 0, priority: "" }
    }

    /// Whether somebody still reads.
    pub fn is_open(&self) -> bool {
        self.output.is_open()
    }

    /// The beginning of a run.
    pub fn start(&mut self, origin: &Origin, initial: &StateView) {
        self.created = initial.processes.len();
        if self.options.spin_words && initial.processes.iter().all(|process| process.priority.is_none()) {
            self.priority = ":1";
        }
        if self.options.json {
            self.output.line(&json::start(origin, initial));
            return;
        }
        if self.options.verbose {
            self.output.line("initial state:");
            self.output.text(&initial.to_string());
        }
        if self.options.columns {
            for process in &initial.processes {
                self.output.line(&self.columns.add(process.pid, &process.process));
            }
        } else if self.options.spin_words && self.options.statements && origin.seed.is_some() {
            for process in &initial.processes {
                let (pid, name) = (process.pid, &process.process);
                self.output.line(&format!("  0:\tproc  - (:root:) creates proc {pid:2} ({name})"));
            }
        }
    }

    /// A step.
    pub fn step(&mut self, step: &TraceStep) {
        self.created += step.created.len();
        if step.number <= self.options.skip {
            step.created.iter().for_each(|birth| drop(self.columns.add(birth.pid, &birth.process)));
            return;
        }
        if self.options.json {
            self.output.line(&json::step(step));
            return;
        }
        if step.timeout {
            self.output.line("      timeout");
        }
        if !self.options.no_output {
            self.printed(step.part.pid, &step.output);
        }
        if self.options.columns {
            self.columned(step);
        } else {
            self.listed(step);
        }
        self.variables(&step.changes);
    }

    /// Steps were taken back; these are left.
    pub fn back_to(&mut self, initial: &StateView, steps: &[TraceStep]) {
        self.created = initial.processes.len() + steps.iter().map(|step| step.created.len()).sum::<usize>();
    }

    /// The start of the cycle of a run that goes on for ever.
    pub fn cycle(&mut self) {
        if !self.options.json {
            self.output.line("  <<<<<START OF CYCLE>>>>>");
        }
    }

    /// A line of its own, for people only.
    pub fn remark(&mut self, text: &str) {
        if !self.options.json {
            self.output.line(text);
        }
    }

    /// The end of the run.
    pub fn end(&mut self, summary: &Summary<'_>) {
        let Summary { end, length, last, waiting, seed } = summary;
        if self.options.json {
            self.output.line(&json::end(end, *length, last));
            return;
        }
        let place = match (&end.file, end.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            _ => String::new(),
        };
        if self.options.spin_words {
            self.end_as_spin(summary, &place);
            return;
        }
        self.output.line(&format!("{place}{}", end.message));
        if end.kind == EndKind::InvalidEndState {
            self.waiting(waiting, last);
        }
        let seed = seed.map_or(String::new(), |seed| format!(" (seed {seed})"));
        let processes = counted(self.created, "process", "processes");
        let steps = counted(*length as usize, "step", "steps");
        self.output.line(&format!("state after {steps}{seed}, {processes} created:"));
        self.output.text(&last.to_string());
    }

    /// What the processes wait for that may not rest where they are.
    fn waiting(&mut self, waiting: &[Waiting], last: &StateView) {
        let rests = |pid: u8| last.processes.iter().any(|process| process.pid == pid && process.valid_end);
        for Waiting { pid, process, place, obstacles } in waiting.iter().filter(|each| !rests(each.pid)) {
            self.output.line(&format!("  {process}({pid}) waits at {place}"));
            obstacles.iter().for_each(|obstacle| self.output.line(&format!("    {obstacle}")));
        }
    }

    /// The last lines of SPIN's simulator.
    fn end_as_spin(&mut self, summary: &Summary<'_>, place: &str) {
        let Summary { end, length, last, seed, .. } = summary;
        let asserted = end.message.strip_prefix("assertion violated ").filter(|_| end.kind == EndKind::Assertion);
        let place = place.strip_suffix(": ").map_or_else(String::new, |place| format!("{place}, "));
        match asserted {
            Some(condition) => {
                self.output.line(&format!("spin: {place}Error: assertion violated"));
                self.output.line(&format!("spin: text of failed assertion: assert({condition})"));
            }
            None if end.kind.is_violation() => self.output.line(&format!("spin: {place}Error: {}", end.message)),
            None => {}
        }
        match seed {
            None => self.output.line(&format!("spin: trail ends after {length} steps")),
            Some(_) if end.kind == EndKind::Stopped => {
                self.output.line(&format!("-------------\ndepth-limit (-u{length} steps) reached"));
            }
            Some(_) => {}
        }
        self.output.line(&format!("#processes: {}", last.processes.len()));
        let is_channel = |name: &str| last.channels.iter().any(|channel| channel.name == name);
        for variable in last.globals.iter().filter(|variable| !is_channel(&variable.name)) {
            self.output.line(&format!("\t\t{} = {}", variable.name, variable.value));
        }
        for channel in last.channels.iter().filter(|channel| channel.capacity > 0) {
            let messages: String = channel.messages.iter().map(|message| format!("[{}]", joined(message))).collect();
            self.output.line(&format!("\t\tqueue {} ({}): {messages}", channel.number, channel.name));
        }
        for process in last.processes.iter().rev() {
            let rest = if process.valid_end { " <valid end state>" } else { "" };
            let (pid, name, at) = (process.pid, &process.process, process.location);
            let priority = process.priority.unwrap_or(1);
            let place = &process.place;
            self.output.line(&format!("{length:3}:\tproc {pid:2} ({name}:{priority}) {place} (state {at}){rest}"));
        }
        let plural = if self.created == 1 { "process" } else { "processes" };
        self.output.line(&format!("{} {plural} created", self.created));
        if let Some(seed) = seed {
            self.output.line(&format!("seed used: {seed}"));
        }
    }

    /// Writes what is still buffered.
    pub fn flush(&mut self) {
        self.output.flush();
    }

    /// Ends the output.
    pub fn finish(mut self) -> Exit {
        self.output.flush();
        self.output.exit()
    }

    /// What the model prints, indented by process as SPIN does.
    fn printed(&mut self, pid: u8, text: &str) {
        let indent = if self.options.no_indent { 0 } else { 6 + 4 * usize::from(pid) };
        self.output.model_text(text, indent);
    }

    fn listed(&mut self, step: &TraceStep) {
        // SPIN tells what becomes of a message before it tells the statement.
        if self.options.spin_words {
            self.messages(step);
            self.statements(step);
        } else {
            self.statements(step);
            self.messages(step);
        }
    }

    fn statements(&mut self, step: &TraceStep) {
        let ListingArguments { statements, verbose, .. } = *self.options;
        if !statements && !verbose {
            return;
        }
        for birth in &step.created {
            let Part { pid, process, .. } = &step.part;
            let line = format!("proc {pid:2} ({process}) creates proc {:2} ({})", birth.pid, birth.process);
            self.numbered(step, &line);
        }
        for part in std::iter::once(&step.part).chain(&step.partner) {
            let (who, with_priority) = (format!("({})", part.process), format!("({}{})", part.process, self.priority));
            self.numbered(step, &part.to_string().replacen(&who, &with_priority, 1));
        }
        for inside in step.inside.iter().filter(|_| verbose) {
            self.output.line(&format!("\t\t{} [{}]", inside.place, inside.statement));
        }
    }

    fn messages(&mut self, step: &TraceStep) {
        let ListingArguments { verbose, sends, receives, .. } = *self.options;
        for exchange in &step.communications {
            if sends || verbose {
                self.sent(step, exchange);
            }
            if receives || verbose {
                self.received(step, exchange);
            }
        }
    }

    fn numbered(&mut self, step: &TraceStep, text: &str) {
        self.output.line(&format!("{:3}:\t{text}", step.number));
    }

    fn sent(&mut self, step: &TraceStep, exchange: &Exchange) {
        let verb = match exchange.kind {
            ExchangeKind::Send => "Send",
            ExchangeKind::Rendezvous => "Sent",
            ExchangeKind::Lose => "Lost",
            ExchangeKind::Receive | ExchangeKind::Copy => return,
        };
        self.message(step, &step.part, verb, "->", exchange);
    }

    fn received(&mut self, step: &TraceStep, exchange: &Exchange) {
        match (exchange.kind, &step.partner) {
            (ExchangeKind::Receive, _) => self.message(step, &step.part, "Recv", "<-", exchange),
            (ExchangeKind::Copy, _) => self.message(step, &step.part, "Copy", "<-", exchange),
            (ExchangeKind::Rendezvous, Some(partner)) => self.message(step, partner, "Recv", "<-", exchange),
            _ => {}
        }
    }

    fn message(&mut self, step: &TraceStep, part: &Part, verb: &str, arrow: &str, exchange: &Exchange) {
        let Part { pid, process, place, .. } = part;
        let (fields, number, name) = (joined(&exchange.fields), exchange.number, &exchange.channel);
        self.numbered(
            step,
            &format!(
                "proc {pid:2} ({process}{}) {place} {verb} {fields}\t{arrow} queue {number} ({name})",
                self.priority
            ),
        );
    }

    fn columned(&mut self, step: &TraceStep) {
        for birth in &step.created {
            self.output.line(&self.columns.add(birth.pid, &birth.process));
        }
        let rows = self.columns.rows(step, self.options.statements || self.options.verbose);
        rows.iter().for_each(|row| self.output.line(row));
    }

    fn variables(&mut self, changes: &[Change]) {
        for change in changes {
            // Only a local's name says whose it is.
            let wanted = if change.name.contains(':') { self.options.locals } else { self.options.globals };
            if wanted || self.options.verbose {
                self.output.line(&format!("\t\t{change}"));
            }
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}
