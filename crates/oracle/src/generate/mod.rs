//! Random models: well-typed, with few states, and full of the constructs whose combinations are hard.
//!
//! A model is drawn in three stages: which [`Features`] it uses (so that a model has room for the ones it has), its declarations, and the
//! bodies of its processes. Whatever leads SPIN itself astray (undefined behaviour of C, division by zero, errors after which it stops) is
//! not drawn; the file tests of the machine cover that one by one. Labels are put in at the end, at places where SPIN allows them.

mod declarations;
mod expressions;
mod labels;
mod parse;
pub mod sketch;
mod statements;

use crate::random::Random;
use declarations::{Channel, Variable};
use sketch::{ProcessSketch, Sketch};

/// In how many models of a hundred a process looks at what the others do.
const MONITORED: usize = 45;

/// Which constructs a model may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// `atomic`
    pub atomic: bool,
    /// `d_step`
    pub d_step: bool,
    /// `unless`
    pub unless: bool,
    /// `goto` and labels
    pub jumps: bool,
    /// `timeout`
    pub timeout: bool,
    /// Channels that hold messages
    pub buffered: bool,
    /// Channels that hold none
    pub rendezvous: bool,
    /// Channels in variables and parameters
    pub mobile: bool,
    /// Arrays and structures
    pub composite: bool,
    /// Processes that start processes
    pub dynamic: bool,
    /// `priority`
    pub priorities: bool,
    /// `provided`
    pub provided: bool,
    /// `P@L` and `P:x`
    pub remote: bool,
    /// `_last`, `_nr_pr` and their like
    pub predefined: bool,
    /// `for` and `select`
    pub counting: bool,
}

impl Features {
    /// Some of them.
    #[must_use]
    pub fn draw(random: &mut Random) -> Features {
        // SPIN cannot combine priorities with rendezvous.
        let priorities = random.chance(8);
        Features {
            atomic: random.chance(55),
            d_step: random.chance(25),
            unless: random.chance(30),
            jumps: random.chance(40),
            timeout: random.chance(25),
            buffered: random.chance(40),
            rendezvous: !priorities && random.chance(35),
            mobile: !priorities && random.chance(15),
            composite: random.chance(60),
            dynamic: random.chance(25),
            priorities,
            provided: random.chance(15),
            remote: random.chance(15),
            predefined: random.chance(15),
            counting: random.chance(20),
        }
    }
}

/// The model of a seed.
///
/// ```
/// let model = oracle::generate::model(1);
/// assert_eq!(model, oracle::generate::model(1));
/// assert!(model.to_string().contains("proctype"));
/// ```
#[must_use]
pub fn model(seed: u64) -> Sketch {
    let mut random = Random::new(seed);
    let features = Features::draw(&mut random);
    model_with(&mut random, features)
}

/// A model with the given features.
#[must_use]
pub fn model_with(random: &mut Random, features: Features) -> Sketch {
    let mut writer = Writer::new(random, features);
    let mut globals = writer.declare_globals();
    let heads = writer.declare_processes();
    let mut processes: Vec<ProcessSketch> = Vec::new();
    for (number, head) in heads.into_iter().enumerate() {
        processes.push(writer.process(number, head));
    }
    if writer.random.chance(MONITORED) {
        processes.extend(writer.monitor());
    }
    globals.append(&mut writer.late_globals);
    Sketch { globals, processes }
}

/// What is known while a model is written.
struct Writer<'r> {
    random: &'r mut Random,
    features: Features,
    globals: Vec<Variable>,
    channels: Vec<Channel>,
    /// Declarations that were found to be needed.
    late_globals: Vec<String>,
    /// How many messages the channels hold that are given to processes.
    mobile_capacity: usize,
    /// What can be started with `run`: the text of the call.
    startable: Vec<Startable>,
    /// The process being written.
    number: usize,
    locals: Vec<Variable>,
    local_channels: Vec<Channel>,
    /// Something others ask about: `P0@R`, `P0:v`.
    remote: bool,
    /// SPIN allows no remote references there.
    in_d_step: bool,
}

/// A proctype for `run`.
#[derive(Clone, Debug)]
struct Startable {
    name: String,
    parameters: Vec<Parameter>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Parameter {
    Byte,
    Channel,
}

impl<'r> Writer<'r> {
    fn new(random: &'r mut Random, features: Features) -> Writer<'r> {
        Writer {
            random,
            features,
            globals: Vec::new(),
            channels: Vec::new(),
            late_globals: Vec::new(),
            mobile_capacity: 0,
            startable: Vec::new(),
            number: 0,
            locals: Vec::new(),
            local_channels: Vec::new(),
            remote: false,
            in_d_step: false,
        }
    }

    /// Writes the body of a process definition.
    fn process(&mut self, number: usize, head: declarations::Head) -> ProcessSketch {
        self.number = number;
        self.locals.clone_from(&head.parameters);
        self.local_channels.clone_from(&head.channels);
        self.remote = self.features.remote && number > 0;
        let locals = self.declare_locals();
        let body = self.body(number == 0);
        ProcessSketch { head: head.text, locals, body }
    }
}
