//! A run under the debugger: steps in both directions, and what the editor asks about the present state.

use std::collections::BTreeSet;
use std::io::Write;

use machine::Machine;
use machine::id::Pid;
use machine::interpret::{Interpreter, Timeout};
use machine::show::SourcePlace;
use machine::simulate::{History, Run};
use machine::trace::TraceStep;
use serde_json::{Value, json};

use super::breakpoints::{self, Breakpoints, LineBreakpoint, Lines};
use super::model::{Guide, Loaded};
use super::transport::{Link, Request};
use super::view::{self, Unfolded};

/// A run that is let go is stopped after so many steps. All of them are kept, so that one can go back.
const STEPS: usize = 20_000;
/// How often a run that goes on looks whether somebody wants it to stop.
const BETWEEN_LOOKS: usize = 64;

/// Why a debugger is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// The editor disconnects.
    Session,
    /// This model could not be debugged.
    Model,
    /// Conditions have changed, so that the model must be read again.
    ForConditions,
    /// The run is to begin again.
    Restart,
}

/// What stays when a model is read again.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Which choices the run consists of; behind `position` lie those that were taken back.
    choices: Vec<usize>,
    position: usize,
    guide: Guide,
    /// How the trace ends, if there is one.
    end: Option<String>,
    breakpoints: Breakpoints,
    stop_on_entry: bool,
    has_begun: bool,
    /// A condition up to which the run goes on.
    until: Option<String>,
}

impl Kept {
    /// A run before its first step.
    pub fn new(choices: Vec<usize>, guide: Guide, end: Option<String>, stop_on_entry: bool) -> Kept {
        let breakpoints = Breakpoints::default();
        Kept { choices, position: 0, guide, end, breakpoints, stop_on_entry, has_begun: false, until: None }
    }

    /// The same run before its first step.
    pub fn restarted(self) -> Kept {
        Kept { position: 0, has_begun: false, ..self }
    }

    /// All conditions that are asked, each once.
    pub fn conditions(&self) -> Vec<String> {
        let all: BTreeSet<String> = self.breakpoints.conditions().into_iter().chain(self.until.clone()).collect();
        all.into_iter().collect()
    }
}

/// Why the run has stopped.
struct Stop {
    reason: &'static str,
    text: String,
    thread: Option<Pid>,
}

impl Stop {
    fn new(reason: &'static str, text: impl Into<String>, thread: Option<Pid>) -> Stop {
        Stop { reason, text: text.into(), thread }
    }
}

/// A debugger at work.
pub struct Debugger<'m> {
    loaded: &'m Loaded,
    run: Run<'m>,
    kept: Kept,
    lines: Lines,
    unfolded: Unfolded,
    /// Why the run stands where it does, for who asks.
    stopped: String,
}

impl<'m> Debugger<'m> {
    /// Takes a run to where it was.
    pub fn new(loaded: &'m Loaded, kept: Kept) -> Result<Debugger<'m>, String> {
        let run = run_of(&loaded.machine, &kept.choices[..kept.position])?;
        let lines = Lines::of(run.show());
        Ok(Debugger { loaded, run, kept, lines, unfolded: Unfolded::default(), stopped: String::new() })
    }

    /// What stays of it.
    pub fn keep(self) -> Kept {
        self.kept
    }

    /// Serves the editor as long as this model is the right one.
    pub fn serve<W: Write>(&mut self, link: &mut Link<W>) -> Result<Leave, String> {
        let mut postponed = link.take_postponed().into_iter();
        while let Some(request) = postponed.next() {
            if let Some(leave) = self.prepare(&request, link) {
                postponed.for_each(|request| link.postpone(request));
                return Ok(leave);
            }
        }
        if let Some(condition) = self.kept.until.clone() {
            let stop = self.go(link, |debugger, _| debugger.holds(&condition));
            self.kept.until = None;
            self.tell(stop, link);
        }
        while let Some(request) = link.next()? {
            if let Some(leave) = self.obey(&request, link) {
                return Ok(leave);
            }
        }
        Ok(Leave::Session)
    }

    fn obey<W: Write>(&mut self, request: &Request, link: &mut Link<W>) -> Option<Leave> {
        match request.command.as_str() {
            "disconnect" | "terminate" => {
                link.answer(request, Value::Null);
                link.event("terminated", json!({}));
                return Some(Leave::Session);
            }
            "restart" => {
                link.answer(request, Value::Null);
                link.postpone(Request { command: "configurationDone".to_owned(), ..request.clone() });
                return Some(Leave::Restart);
            }
            "setBreakpoints" | "setFunctionBreakpoints" | "setDataBreakpoints" | "configurationDone" => {
                link.answer(request, json!({ "breakpoints": self.judged(request) }));
                return self.prepare(request, link);
            }
            "next" | "stepIn" | "stepOut" | "continue" | "stepBack" | "reverseContinue" | "pause" => {
                match self.step(request, link) {
                    Ok(stop) => {
                        link.answer(request, json!({ "allThreadsContinued": true }));
                        self.tell(stop, link);
                    }
                    Err(message) => link.refuse(request, &message),
                }
            }
            "evaluate" if request.arguments["context"] == "repl" => return self.command(request, link),
            _ => match self.ask(request) {
                Ok(answer) => link.answer(request, answer),
                Err(message) => link.refuse(request, &message),
            },
        }
        None
    }

    // ------------------------------------------------------------------------------------------ breakpoints

    /// What becomes of the breakpoints of a request, one answer for each.
    fn judged(&self, request: &Request) -> Vec<Value> {
        let arguments = &request.arguments;
        let of = |judged: Result<(), String>| match judged {
            Ok(()) => json!({ "verified": true }),
            Err(message) => json!({ "verified": false, "message": message }),
        };
        match request.command.as_str() {
            "setBreakpoints" => {
                let answer = |each: LineBreakpoint| {
                    let line = self.lines.at_or_behind(&each.file, each.line);
                    let mut answer = of(self.accept(&each).map(drop));
                    answer["line"] = json!(line.unwrap_or(each.line));
                    answer
                };
                breakpoints::lines(arguments).into_iter().map(answer).collect()
            }
            "setFunctionBreakpoints" => {
                breakpoints::members(arguments, "name").iter().map(|text| of(self.read_condition(text))).collect()
            }
            "setDataBreakpoints" => breakpoints::members(arguments, "dataId").iter().map(|_| of(Ok(()))).collect(),
            _ => Vec::new(),
        }
    }

    /// Takes breakpoints in, and begins when all are there. If conditions are new, the model must be read again.
    fn prepare<W: Write>(&mut self, request: &Request, link: &mut Link<W>) -> Option<Leave> {
        let before = self.kept.conditions();
        let arguments = &request.arguments;
        match request.command.as_str() {
            "setBreakpoints" => {
                let file = breakpoints::file(arguments);
                let wanted = breakpoints::lines(arguments);
                let accepted: Vec<LineBreakpoint> = wanted.iter().filter_map(|each| self.accept(each).ok()).collect();
                self.kept.breakpoints.lines.retain(|each| each.file != file);
                self.kept.breakpoints.lines.extend(accepted);
            }
            "setFunctionBreakpoints" => {
                let wanted = breakpoints::members(arguments, "name");
                let is_condition = |text: &String| self.read_condition(text).is_ok();
                self.kept.breakpoints.conditions = wanted.into_iter().filter(is_condition).collect();
            }
            "setDataBreakpoints" => {
                self.kept.breakpoints.data = breakpoints::members(arguments, "dataId").into_iter().collect();
            }
            "configurationDone" if !self.kept.has_begun => {
                self.kept.has_begun = true;
                let entry = Stop::new("entry", "this is the initial state", None);
                let stop = if self.kept.stop_on_entry { entry } else { self.go(link, |_, _| false) };
                self.tell(stop, link);
            }
            _ => {}
        }
        (self.kept.conditions() != before).then_some(Leave::ForConditions)
    }

    /// A breakpoint at the line where it can be.
    fn accept(&self, wanted: &LineBreakpoint) -> Result<LineBreakpoint, String> {
        let line = self.lines.at_or_behind(&wanted.file, wanted.line);
        let line = line.ok_or_else(|| "no statement stands here or behind".to_owned())?;
        wanted.condition.as_ref().map_or(Ok(()), |condition| self.read_condition(condition))?;
        Ok(LineBreakpoint { line, ..wanted.clone() })
    }

    /// Whether a condition can be read in the scope of the model.
    fn read_condition(&self, text: &str) -> Result<(), String> {
        self.loaded.again(&[text.to_owned()]).map(drop)
    }

    /// Whether a condition that the model was read with is true here.
    fn holds(&self, condition: &str) -> bool {
        let value = self.loaded.condition(condition).map(|expression| {
            Interpreter::new(&self.loaded.machine).global_value(self.run.state(), expression, Timeout::No)
        });
        matches!(value, Some(Ok(value)) if value != 0)
    }

    /// The breakpoint that a step has led to.
    fn met(&self, step: &TraceStep) -> Option<Stop> {
        let Breakpoints { conditions, data, .. } = &self.kept.breakpoints;
        let mover = Some(Pid(step.part.pid));
        if let Some(change) = step.changes.iter().find(|change| data.contains(&change.name)) {
            let text = format!("{}: {} → {}", change.name, change.old, change.new);
            return Some(Stop::new("data breakpoint", text, mover));
        }
        if let Some(condition) = conditions.iter().find(|condition| self.holds(condition)) {
            return Some(Stop::new("function breakpoint", format!("{condition} is true"), mover));
        }
        let parts = || std::iter::once(&step.part).chain(&step.partner);
        let chosen = parts().filter_map(|part| Some((part.pid, breakpoints::chosen(self.run.show(), part)?.clone())));
        let pids = parts().map(|part| part.pid).chain(step.created.iter().map(|birth| birth.pid));
        let come = pids.filter(|&pid| self.run.state().pids().any(|each| each.0 == pid)).flat_map(|pid| {
            let statement = breakpoints::standing(self.run.show(), self.run.state(), Pid(pid));
            let outer =
                self.run.view().processes.iter().find(|process| process.pid == pid).map(|process| &process.place);
            let places = std::iter::once(self.run.show().place(statement)).chain(outer.cloned());
            places.map(move |place| (pid, place))
        });
        chosen.chain(come).find_map(|(pid, place)| self.breakpoint_at(pid, &place))
    }

    /// The breakpoint at a line that a process has come to.
    fn breakpoint_at(&self, pid: u8, place: &SourcePlace) -> Option<Stop> {
        let (file, line) = breakpoints::key(place);
        let is_it = |each: &&LineBreakpoint| {
            each.file == file && each.line == line && each.condition.as_ref().is_none_or(|text| self.holds(text))
        };
        self.kept.breakpoints.lines.iter().find(is_it)?;
        Some(Stop::new("breakpoint", format!("process {pid} has come to line {line}"), Some(Pid(pid))))
    }

    // ------------------------------------------------------------------------------------------ steps

    fn step<W: Write>(&mut self, request: &Request, link: &mut Link<W>) -> Result<Stop, String> {
        let thread = view::process(&request.arguments["threadId"]);
        match request.command.as_str() {
            "next" | "stepIn" => {
                let choice = match request.arguments["targetId"].as_u64() {
                    Some(number) => self.chosen(number as usize)?,
                    None => self.next_choice(thread)?,
                };
                let step = self.take(choice);
                Ok(self.ended().or_else(|| self.met(&step)).unwrap_or_else(|| stepped(&step)))
            }
            "stepOut" => Ok(self.go(link, |_, step| thread.is_none_or(|pid| step.part.pid == pid.0))),
            "continue" => Ok(self.go(link, |_, _| false)),
            "stepBack" => {
                let position = self.kept.position.checked_sub(1).ok_or("this is the initial state")?;
                self.back_to(position);
                Ok(Stop::new("step", format!("after step {position}"), None))
            }
            "reverseContinue" => Ok(self.go_back()),
            _ => Ok(Stop::new("pause", "paused", None)),
        }
    }

    /// Goes on until something stops it: a breakpoint, the end, somebody, or `is_enough` of a step.
    fn go<W: Write>(&mut self, link: &mut Link<W>, is_enough: impl Fn(&Self, &TraceStep) -> bool) -> Stop {
        for taken in 0..STEPS {
            if taken % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 && link.is_interrupted() {
                return Stop::new("pause", "paused", None);
            }
            let choice = match self.next_choice(None) {
                Ok(choice) => choice,
                Err(message) => return self.ended().unwrap_or_else(|| Stop::new("pause", message, None)),
            };
            let step = self.take(choice);
            if let Some(stop) = self.ended().or_else(|| self.met(&step)) {
                return stop;
            }
            if is_enough(self, &step) {
                return stepped(&step);
            }
        }
        Stop::new("pause", format!("stopped after {STEPS} steps"), None)
    }

    /// Goes back to the last breakpoint, or to the start.
    fn go_back(&mut self) -> Stop {
        while let Some(position) = self.kept.position.checked_sub(1) {
            self.back_to(position);
            let step = self.run.steps().last().cloned();
            if let Some(stop) = step.and_then(|step| self.met(&step)) {
                return stop;
            }
        }
        Stop::new("entry", "this is the initial state", None)
    }

    fn back_to(&mut self, position: usize) {
        self.kept.position = position;
        self.run.back_to(position as u32);
    }

    /// The choice that comes next: the one that was taken before, or what the guide says.
    fn next_choice(&mut self, thread: Option<Pid>) -> Result<usize, String> {
        if let Some(&choice) = self.kept.choices.get(self.kept.position) {
            return Ok(choice);
        }
        let choices = self.run.choices();
        match &mut self.kept.guide {
            _ if choices.is_empty() => Err(self.run.end().message),
            Guide::Trace => Err("the trace ends here; step into another statement to go on".to_owned()),
            Guide::Chance(random) => self.run.pick(random).ok_or_else(|| self.run.end().message),
            Guide::Person => {
                let own = |choice: &machine::simulate::Choice| {
                    thread.is_none_or(|pid| choice.steps.iter().any(|step| step.pid == pid))
                };
                choices.iter().position(own).ok_or_else(|| self.why_not(thread))
            }
        }
    }

    /// Another choice than the one that comes next; what was taken behind it is forgotten.
    fn chosen(&mut self, choice: usize) -> Result<usize, String> {
        if choice >= self.run.choices().len() {
            return Err(format!("there is no choice {choice}"));
        }
        if self.kept.choices.get(self.kept.position) != Some(&choice) {
            self.kept.choices.truncate(self.kept.position);
            if matches!(self.kept.guide, Guide::Trace) {
                (self.kept.guide, self.kept.end) = (Guide::Person, None);
            }
        }
        Ok(choice)
    }

    fn take(&mut self, choice: usize) -> TraceStep {
        let step = self.run.take(choice);
        if self.kept.position == self.kept.choices.len() {
            self.kept.choices.push(choice);
        }
        self.kept.position += 1;
        step
    }

    /// What ends the run here, if something does.
    fn ended(&self) -> Option<Stop> {
        let end = self.run.end();
        let pid = end.pid.map(Pid);
        if self.run.failure().is_some() || self.run.choices().is_empty() {
            let reason = if end.kind.is_violation() { "exception" } else { "pause" };
            return Some(Stop::new(reason, end.message, pid));
        }
        let is_last = self.kept.position == self.kept.choices.len() && matches!(self.kept.guide, Guide::Trace);
        let message = self.kept.end.as_ref().filter(|_| is_last)?;
        Some(Stop::new("exception", message.clone(), None))
    }

    fn why_not(&self, thread: Option<Pid>) -> String {
        let waiting = self.run.waiting().into_iter().find(|waiting| Some(Pid(waiting.pid)) == thread);
        waiting.map_or_else(
            || "this process cannot move".to_owned(),
            |waiting| format!("{}({}) cannot move: {}", waiting.process, waiting.pid, obstacles(&waiting)),
        )
    }

    /// Tells the editor that the run has stopped, and why.
    fn tell<W: Write>(&mut self, stop: Stop, link: &mut Link<W>) {
        self.unfolded.clear();
        let first = self.run.view().processes.first().map(|process| Pid(process.pid));
        let exists = |pid: &Pid| self.run.view().processes.iter().any(|process| process.pid == pid.0);
        let thread = stop.thread.filter(exists).or(first).map(view::thread);
        link.event(
            "stopped",
            json!({
                "reason": stop.reason, "description": stop.text, "text": stop.text,
                "threadId": thread, "allThreadsStopped": true,
            }),
        );
        self.stopped = stop.text;
    }

    // ------------------------------------------------------------------------------------------ questions

    fn ask(&mut self, request: &Request) -> Result<Value, String> {
        let arguments = &request.arguments;
        let process = |frame: &Value| {
            let pid = view::process_of_frame(frame).ok_or("there is no such frame")?;
            let found = self.run.view().processes.iter().find(|process| process.pid == pid.0);
            found.ok_or_else(|| "this process is gone".to_owned())
        };
        match request.command.as_str() {
            "threads" => Ok(json!({ "threads": self.threads() })),
            "stackTrace" => {
                let pid = view::process(&arguments["threadId"])
                    .filter(|pid| self.run.state().pids().any(|each| each == *pid));
                let frames = view::frames(self.run.show(), self.run.state(), pid.ok_or("this process is gone")?);
                Ok(json!({ "totalFrames": frames.len(), "stackFrames": frames }))
            }
            "scopes" => {
                let (view, locals) = (self.run.view(), view::locals(process(&arguments["frameId"])?));
                let parts = [("Locals", locals), ("Globals", view::globals(view)), ("Channels", view::channels(view))];
                let scope = |(name, variables)| json!({ "name": name, "variablesReference": self.unfolded.number(variables), "expensive": false });
                Ok(json!({ "scopes": parts.map(scope) }))
            }
            "variables" => {
                let number = arguments["variablesReference"].as_u64().unwrap_or(0) as usize;
                let variables = self.unfolded.variables(number).ok_or("these variables are of another state")?;
                Ok(json!({ "variables": variables }))
            }
            "dataBreakpointInfo" => {
                let name = arguments["name"].as_str().unwrap_or_default();
                let number = arguments["variablesReference"].as_u64().unwrap_or(0) as usize;
                let data = self.unfolded.data(number, name);
                Ok(json!({ "dataId": data, "description": name, "accessTypes": ["write"] }))
            }
            "stepInTargets" => {
                let targets =
                    (0..self.run.choices().len()).map(|number| json!({ "id": number, "label": self.label(number) }));
                Ok(json!({ "targets": targets.collect::<Vec<_>>() }))
            }
            "evaluate" => {
                let text = arguments["expression"].as_str().unwrap_or_default();
                let own = process(&arguments["frameId"]).ok();
                let locals = own.iter().flat_map(|process| &process.variables);
                let known = locals.chain(&self.run.view().globals).find(|variable| variable.name == text);
                let value = known.map_or_else(|| self.evaluate(text), |variable| Ok(variable.value.to_string()));
                Ok(json!({ "result": value?, "variablesReference": 0 }))
            }
            "exceptionInfo" => {
                let details = json!({ "message": self.stopped });
                Ok(
                    json!({ "exceptionId": "violation", "description": self.stopped, "breakMode": "always", "details": details }),
                )
            }
            "setExceptionBreakpoints" => Ok(json!({})),
            other => Err(format!("{other} is not served")),
        }
    }

    /// The processes, each with what it waits for.
    fn threads(&self) -> Vec<Value> {
        let waiting = self.run.waiting();
        let thread = |process: &machine::show::ProcessView| {
            let waits = waiting.iter().find(|waiting| waiting.pid == process.pid);
            let waits = waits.map_or_else(String::new, |waiting| format!(" waits: {}", obstacles(waiting)));
            let name = format!("{}({}){waits}", process.process, process.pid);
            json!({ "id": view::thread(Pid(process.pid)), "name": name })
        };
        self.run.view().processes.iter().map(thread).collect()
    }

    /// Who would do what.
    fn label(&self, choice: usize) -> String {
        let parts = self.run.parts(&self.run.choices()[choice]);
        let parts = parts.iter().map(|part| format!("{}({}): {}", part.process, part.pid, part.statement));
        parts.collect::<Vec<_>>().join(" with ")
    }

    /// The value of an expression over the whole state.
    fn evaluate(&self, text: &str) -> Result<String, String> {
        let again = self.loaded.again(&[text.to_owned()])?;
        let run = run_of(&again.machine, &self.kept.choices[..self.kept.position])?;
        let expression = again.condition(text).ok_or("it cannot be read")?;
        let value = Interpreter::new(&again.machine).global_value(run.state(), expression, Timeout::No);
        value.map(|value| value.to_string()).map_err(|error| error.message)
    }

    /// A line of the console: a command, or an expression.
    fn command<W: Write>(&mut self, request: &Request, link: &mut Link<W>) -> Option<Leave> {
        let line = request.arguments["expression"].as_str().unwrap_or_default().trim().to_owned();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let answered = match word {
            "choices" => {
                Ok((0..self.run.choices().len()).map(|number| format!("{number}  {}\n", self.label(number))).collect())
            }
            "waiting" => {
                let waiting = self.run.waiting();
                let line =
                    |each: &machine::waiting::Waiting| format!("{}({}): {}\n", each.process, each.pid, obstacles(each));
                Ok(waiting.iter().map(line).collect())
            }
            "take" => match rest.trim().parse().map_err(|_| "which one? A number of `choices`".to_owned()) {
                Ok(number) => self.chosen(number).map(|choice| {
                    let step = self.take(choice);
                    let stop = self.ended().unwrap_or_else(|| stepped(&step));
                    self.tell(stop, link);
                    String::new()
                }),
                Err(message) => Err(message),
            },
            "until" => match self.read_condition(rest) {
                Ok(()) => {
                    self.kept.until = Some(rest.to_owned());
                    link.answer(request, json!({ "result": "", "variablesReference": 0 }));
                    return Some(Leave::ForConditions);
                }
                Err(message) => Err(message),
            },
            _ => self.evaluate(&line),
        };
        match answered {
            Ok(text) => link.answer(request, json!({ "result": text.trim_end(), "variablesReference": 0 })),
            Err(message) => link.refuse(request, &message),
        }
        None
    }
}

/// The run that consists of some choices.
fn run_of<'m>(machine: &'m Machine, choices: &[usize]) -> Result<Run<'m>, String> {
    let run = Run::new(machine, History::Keep);
    let mut run = run.map_err(|error| format!("there is no initial state: {}", error.message))?;
    for &choice in choices {
        if choice >= run.choices().len() {
            return Err("the run cannot be taken again".to_owned());
        }
        run.take(choice);
    }
    Ok(run)
}

fn stepped(step: &TraceStep) -> Stop {
    Stop::new("step", format!("after step {}: {}", step.number, step.part.statement), Some(Pid(step.part.pid)))
}

fn obstacles(waiting: &machine::waiting::Waiting) -> String {
    waiting.obstacles.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
