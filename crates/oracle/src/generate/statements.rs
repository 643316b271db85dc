//! Statements: what a body is made of.

use super::declarations::{Channel, Width};
use super::sketch::{Choice, Piece, ProcessSketch};
use super::{Parameter, Writer, labels};

/// How deep statements nest.
const DEPTH: usize = 3;

/// Where a statement will stand.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// How much deeper it may nest.
    depth: usize,
    /// Inside a `do`, so that `break` is possible.
    in_loop: bool,
    /// What may be done there.
    zone: Zone,
}

/// What surrounds a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Zone {
    Open,
    /// No loops that might not end: paths inside are followed without remembering states.
    Atomic,
    /// Only what can always be executed.
    DStep,
}

impl Writer<'_> {
    /// The body of the current process.
    pub fn body(&mut self, first: bool) -> Vec<Piece> {
        let length = self.random.between(2, 5);
        let place = Place { depth: DEPTH, in_loop: false, zone: Zone::Open };
        let mut body = self.sequence(place, length);
        if !self.startable.is_empty() && self.number >= self.startable.len() {
            for _ in 0..self.random.between(1, 2) {
                let at = self.random.below(body.len());
                let start = self.start();
                body.insert(at, start);
            }
            // As many as there can be.
            if self.random.chance(8) {
                let start = self.start();
                body.push(Piece::Choice(Choice::Do, vec![vec![start]]));
            }
        }
        let wanted = if self.features.remote && first { vec!["R".to_string()] } else { Vec::new() };
        labels::place(self.random, &mut body, wanted);
        body
    }

    fn sequence(&mut self, place: Place, length: usize) -> Vec<Piece> {
        (0..length).map(|_| self.statement(place)).collect()
    }

    fn statement(&mut self, place: Place) -> Piece {
        if place.zone == Zone::DStep {
            return self.d_step_statement(place);
        }
        if let Some(piece) = self.extended_statement(place.depth == DEPTH) {
            return piece;
        }
        let deep = usize::from(place.depth > 0);
        let on = |feature: bool, weight: usize| if feature { weight * deep } else { 0 };
        let loops = if place.zone == Zone::Open { 4 } else { 0 };
        let f = self.features;
        let weights = [
            24,
            6 * deep,
            loops * deep,
            on(f.atomic, 5),
            on(f.d_step, 4),
            on(f.unless, 4),
            2 * deep,
            if f.jumps { 3 } else { 0 },
            if place.in_loop { 3 } else { 0 },
            on(f.counting, 3),
        ];
        let inner = Place { depth: place.depth.saturating_sub(1), ..place };
        match self.random.weighted(&weights) {
            1 => self.choice(Choice::If, inner),
            2 => self.choice(Choice::Do, Place { in_loop: true, ..inner }),
            3 => {
                let length = self.random.between(1, 3);
                Piece::Block("atomic".into(), self.sequence(Place { zone: Zone::Atomic, ..inner }, length))
            }
            4 => {
                self.in_d_step = true;
                let mut body = vec![self.d_step_guard()];
                let length = self.random.between(1, 3);
                body.extend(self.sequence(Place { zone: Zone::DStep, in_loop: false, ..inner }, length));
                self.in_d_step = false;
                Piece::Block("d_step".into(), body)
            }
            5 => {
                let (main, escape) = (self.random.between(1, 3), self.random.between(1, 2));
                let main = self.sequence(inner, main);
                let mut escape_body = vec![self.guard()];
                escape_body.extend(self.sequence(inner, escape - 1));
                Piece::Unless(main, escape_body)
            }
            6 => {
                let length = self.random.between(1, 2);
                Piece::Block(String::new(), self.sequence(inner, length))
            }
            7 => Piece::Basic(format!("goto {}", labels::JUMP_LABELS[self.random.below(2)])),
            8 => Piece::Basic("break".into()),
            9 => self.counting(Place { in_loop: true, ..inner }),
            _ => self.simple(),
        }
    }

    /// A basic statement; one that may have to wait has a way round in calm models.
    fn simple(&mut self) -> Piece {
        let waits = self.random.chance(40);
        let text = if waits { self.waiting() } else { self.working() };
        if waits && self.features.calm && self.random.chance(85) && text != "timeout" {
            let options = vec![vec![Piece::Basic(text)], vec![Piece::Basic("else".into())]];
            return Piece::Choice(Choice::If, options);
        }
        Piece::Basic(text)
    }

    fn choice(&mut self, choice: Choice, place: Place) -> Piece {
        let mut options = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let mut option = vec![if self.random.chance(70) { self.guard() } else { self.statement(place) }];
            let more = self.random.below(3);
            option.extend(self.sequence(place, more));
            options.push(option);
        }
        // SPIN refuses two `else` for one control state.
        if self.random.chance(if self.features.calm { 80 } else { 30 })
            && !options.iter().any(|option| begins_with_choice(&option[0]))
        {
            let mut option = vec![Piece::Basic("else".into())];
            let more = self.random.below(3);
            option.extend(self.sequence(place, more));
            let at = self.random.between(0, options.len());
            options.insert(at, option);
        }
        if choice == Choice::Do && self.random.chance(60) {
            options.push(vec![self.guard(), Piece::Basic("break".into())]);
        }
        Piece::Choice(choice, options)
    }

    /// Something that may have to wait.
    fn guard(&mut self) -> Piece {
        Piece::Basic(match self.random.below(10) {
            0..=4 => self.condition(),
            5..=8 => self.message().unwrap_or_else(|| self.condition_again()),
            _ => self.working(),
        })
    }

    fn condition_again(&mut self) -> String {
        self.condition()
    }

    /// A basic statement that may have to wait.
    fn waiting(&mut self) -> String {
        match self.random.below(8) {
            0..=2 => self.condition(),
            _ => self.message().unwrap_or_else(|| self.assignment()),
        }
    }

    /// A basic statement that never waits.
    fn working(&mut self) -> String {
        match self.random.below(12) {
            0 => format!("assert({})", self.condition_for_assert()),
            1 => "skip".to_string(),
            2 if self.features.priorities => {
                format!("set_priority(_pid, {})", self.random.between(1, 3))
            }
            2 | 3 if self.random.chance(33) => "printf(\"x\\n\")".to_string(),
            _ => self.assignment(),
        }
    }

    /// SPIN's probes may not be negated, and messages of assertions show the text: a plain comparison.
    fn condition_for_assert(&mut self) -> String {
        match self.reference() {
            // What the variable is not meant to be.
            Some((text, variable)) if self.features.calm && self.random.chance(70) => {
                format!("{text} != {}", variable.values + 1)
            }
            Some((text, variable)) => format!("{text} != {}", self.random.below(variable.values)),
            None => "true".to_string(),
        }
    }

    pub fn assignment(&mut self) -> String {
        let Some((text, variable)) = self.reference() else { return "skip".to_string() };
        match self.random.below(12) {
            0..=5 => format!("{text} = {}", self.random.below(variable.values)),
            6..=8 => format!("{text} = ({text} + 1) % {}", variable.values),
            9 => format!("{text} = ({}) & 3", self.expression(2)),
            10 => format!("{text} = {}", self.expression(1)),
            _ if self.random.chance(if variable.values == 2 { 80 } else { 20 }) => format!("{text}++"),
            _ => format!("{text} = {text} ^ 1"),
        }
    }

    /// A process that looks at variables of the others, as users write it.
    pub fn monitor(&mut self) -> Option<ProcessSketch> {
        self.locals.clear();
        self.local_channels.clear();
        if let Some(monitor) = self.referring_monitor() {
            return Some(monitor);
        }
        let (one, first) = self.reference()?;
        let (other, second) = self.reference()?;
        let [a, b] = [first, second].map(|variable| self.random.below(variable.values));
        let basic = |text: String| Piece::Basic(text);
        let never = format!("assert(!({one} == {a} && {other} == {b}))");
        let body = match self.random.below(5) {
            0 | 1 => vec![basic(never)],
            2 => vec![Piece::Labelled("end0".into(), Box::new(Piece::Choice(Choice::Do, vec![vec![basic(never)]])))],
            3 => {
                let guarded =
                    vec![basic(format!("{one} == {a}")), basic(format!("assert({other} != {b} || {one} != {a})"))];
                vec![Piece::Choice(Choice::If, vec![guarded, vec![basic("else".into())]])]
            }
            _ => {
                let waits = vec![
                    basic(format!("{one} == {a} && {other} == {b}")),
                    basic(format!("assert({one} + {other} < 4)")),
                ];
                let option = vec![Piece::Block("atomic".into(), waits)];
                vec![Piece::Labelled("end0".into(), Box::new(Piece::Choice(Choice::Do, vec![option])))]
            }
        };
        Some(ProcessSketch { head: "active proctype M()".into(), locals: Vec::new(), body })
    }

    pub fn any_channel(&mut self) -> Option<Channel> {
        let all: Vec<Channel> = self.channels.iter().chain(&self.local_channels).cloned().collect();
        self.random.pick(&all).cloned()
    }

    /// A send or receive.
    fn message(&mut self) -> Option<String> {
        let channel = self.any_channel()?;
        Some(self.message_on(&channel))
    }

    fn message_on(&mut self, channel: &Channel) -> String {
        if self.random.chance(50) {
            // SPIN sorts by what a value was before it was cut to its field.
            let (operator, constants) = if self.random.chance(20) { ("!!", 100) } else { ("!", 70) };
            let mut value = || match self.random.chance(constants) {
                true => self.random.below(3).to_string(),
                false => self.expression(1),
            };
            let values: Vec<String> = channel.fields.iter().map(|_| value()).collect();
            return format!("{}{operator}{}", channel.name, values.join(","));
        }
        let alone = channel.fields.len() == 1;
        let fields: Vec<String> = channel.fields.iter().map(|&width| self.received(width, alone)).collect();
        let fields = independent(&fields);
        let (open, close) = if channel.capacity > 0 && self.random.chance(15) { ("<", ">") } else { ("", "") };
        let operator = if self.random.chance(20) { "??" } else { "?" };
        format!("{}{operator}{open}{}{close}", channel.name, fields.join(","))
    }

    /// When SPIN takes a step back it puts the message together from the variables it went to, so a variable must be able to hold
    /// the field. For the same reason neither an index nor an `eval` may depend on another of the variables; a field that is `alone` has no other.
    fn received(&mut self, field: Width, alone: bool) -> String {
        match self.random.below(10) {
            0..=3 => self.random.below(2).to_string(),
            4 => "_".to_string(),
            5 => match self.reference() {
                Some((text, _)) => format!("eval({text})"),
                None => "_".to_string(),
            },
            _ => {
                let wide = self.globals.iter().chain(&self.locals).filter(|variable| variable.width >= field);
                let wide: Vec<(String, Option<usize>)> =
                    wide.map(|variable| (variable.name.clone(), variable.length)).collect();
                match self.random.pick(&wide).cloned() {
                    Some((name, None)) => name,
                    Some((name, Some(length))) if alone => format!("{name}[{}]", self.index(length)),
                    Some((name, Some(length))) => format!("{name}[{}]", self.random.below(length)),
                    None => "_".to_string(),
                }
            }
        }
    }

    /// The first statement of a `d_step` may have to wait, but not for a rendezvous.
    fn d_step_guard(&mut self) -> Piece {
        let buffered: Vec<Channel> = self.channels.iter().filter(|channel| channel.capacity > 0).cloned().collect();
        Piece::Basic(match self.random.below(4) {
            0 => self.condition(),
            1 => match self.random.pick(&buffered).cloned() {
                Some(channel) => self.message_on(&channel),
                None => self.assignment(),
            },
            _ => self.assignment(),
        })
    }

    fn d_step_statement(&mut self, place: Place) -> Piece {
        let inner = Place { depth: place.depth.saturating_sub(1), ..place };
        match self.random.below(8) {
            0 | 1 if place.depth > 0 => {
                let mut options = Vec::new();
                for _ in 0..self.random.between(1, 2) {
                    let mut option = vec![Piece::Basic(self.condition())];
                    let more = self.random.below(2);
                    option.extend(self.sequence(inner, more));
                    options.push(option);
                }
                options.push(vec![Piece::Basic("else".into()), Piece::Basic(self.assignment())]);
                Piece::Choice(Choice::If, options)
            }
            2 if place.depth > 0 && self.features.counting => self.counting(inner),
            3 => Piece::Basic("skip".into()),
            _ => Piece::Basic(self.assignment()),
        }
    }

    fn counting(&mut self, place: Place) -> Piece {
        let top = self.random.between(1, 2);
        if place.zone != Zone::DStep && self.random.chance(40) {
            return Piece::Basic(match self.random.below(3) {
                0 => format!("select (i : 0 .. {top})"),
                1 => format!("select (i : 0 .. {top} + 1)"),
                _ => format!("select (i : g0 .. {top})"),
            });
        }
        // The counter must not be changed inside, or the loop may not end.
        let counter = self.locals.iter().position(|variable| variable.name == "i").map(|at| self.locals.remove(at));
        let length = self.random.between(1, 2);
        let body = self.sequence(Place { depth: 0, ..place }, length);
        self.locals.extend(counter);
        let head = match self.random.below(3) {
            0 if self.features.composite => "for (i in arr)".to_string(),
            _ => format!("for (i : 0 .. {top})"),
        };
        Piece::Block(head, body)
    }

    /// `run` of something.
    fn start(&mut self) -> Piece {
        let all = self.startable.clone();
        let Some(startable) = self.random.pick(&all).cloned() else { return Piece::Basic("skip".into()) };
        let mut arguments = Vec::new();
        for parameter in &startable.parameters {
            arguments.push(match parameter {
                Parameter::Byte => self.expression(1),
                Parameter::Channel => format!("m[{}]", self.random.below(2)),
                Parameter::Reference => self.reference_argument(),
            });
        }
        Piece::Basic(format!("run {}({})", startable.name, arguments.join(", ")))
    }
}

/// Whether the options of a selection are part of the choice around it.
fn begins_with_choice(piece: &Piece) -> bool {
    match piece {
        Piece::Basic(_) => false,
        Piece::Labelled(_, inner) => begins_with_choice(inner),
        Piece::Choice(..) => true,
        Piece::Block(_, body) | Piece::Unless(body, _) => begins_with_choice(&body[0]),
    }
}

/// Fields of a receive, where no variable is set twice and no `eval` reads one that is set.
fn independent(fields: &[String]) -> Vec<String> {
    let is_test = |field: &str| field.starts_with("eval(");
    let set: Vec<&str> = fields.iter().filter(|field| !is_test(field)).map(|field| base(field)).collect();
    let mut kept: Vec<String> = Vec::new();
    for field in fields {
        let circular = is_test(field) && set.iter().any(|name| field.contains(name));
        let twice = !is_test(field) && kept.contains(field) && field.parse::<u32>().is_err();
        kept.push(if circular || twice { "_".to_string() } else { field.clone() });
    }
    kept
}

/// The variable whose element a field names.
fn base(field: &str) -> &str {
    field.split(['[', '.']).next().unwrap_or(field)
}
