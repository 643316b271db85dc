//! Random models: well-typed, with few states, and full of the constructs whose combinations are hard.
//!
//! A model is drawn in three stages: which [`Features`] it uses (so that a model has room for the ones it has), its declarations, and the
//! bodies of its processes. Whatever leads SPIN itself astray (undefined behaviour of C, division by zero, errors after which it stops) is
//! not drawn; the file tests of the machine cover that one by one. Labels are put in at the end, at places where SPIN allows them.

mod declarations;
mod expressions;
mod extended;
mod labels;
mod parse;
mod properties;
pub mod sketch;
mod statements;

use crate::random::Random;
use declarations::{Channel, Variable};
pub use extended::Extensions;
pub use properties::watched;
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
    /// Few statements wait without a way round, so that the model may well come to its end.
    pub calm: bool,
    /// What SPIN is not asked about
    pub extensions: Extensions,
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
            calm: random.chance(50),
            extensions: Extensions::default(),
        }
    }

    /// Some of them, with one or two that SPIN is not asked about. The others are fewer, so that models stay small.
    #[must_use]
    pub fn draw_extended(random: &mut Random) -> Features {
        let (drawn, extensions) = (Features::draw(random), Extensions::draw(random));
        Features {
            unless: drawn.unless && random.chance(70),
            buffered: random.chance(if extensions.observed || extensions.exclusive { 80 } else { 25 }),
            rendezvous: drawn.rendezvous && random.chance(60),
            mobile: extensions.carried,
            composite: extensions.nested || drawn.composite && random.chance(50),
            priorities: drawn.priorities && !extensions.carried,
            extensions,
            ..drawn
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

/// The model of a seed, with constructs that SPIN is not asked about.
#[must_use]
pub fn extended(seed: u64) -> Sketch {
    let mut random = Random::new(seed.wrapping_mul(0xe703_7ed1_a0b4_28db));
    let features = Features::draw_extended(&mut random);
    model_with(&mut random, features)
}

/// A model with the given features.
#[must_use]
pub fn model_with(random: &mut Random, features: Features) -> Sketch {
    Writer::new(random, features).model()
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
    /// How many messages the public channel holds that is found by references.
    port_capacity: usize,
    /// The process being written has references.
    refers: bool,
    /// There is a hidden variable.
    hides: bool,
    /// Labels and late variables that were given.
    labels: usize,
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
    Reference,
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
            port_capacity: 0,
            refers: false,
            hides: false,
            labels: 0,
        }
    }

    /// Writes the whole model.
    fn model(&mut self) -> Sketch {
        let mut globals = self.declare_globals();
        let heads = self.declare_processes();
        let mut processes: Vec<ProcessSketch> = Vec::new();
        for (number, head) in heads.into_iter().enumerate() {
            processes.push(self.process(number, head));
        }
        if self.random.chance(MONITORED) {
            processes.extend(self.monitor());
        }
        globals.append(&mut self.late_globals);
        Sketch { globals, processes }
    }

    /// Writes the body of a process definition.
    fn process(&mut self, number: usize, head: declarations::Head) -> ProcessSketch {
        self.number = number;
        self.locals.clone_from(&head.parameters);
        self.local_channels.clone_from(&head.channels);
        self.remote = self.features.remote && number > 0;
        let locals = self.declare_locals();
        let mut body = self.body(number == 0);
        self.extended_ends(&mut body);
        ProcessSketch { head: head.text, locals, body }
    }
}
