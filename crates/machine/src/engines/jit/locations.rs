//! Code for a location: which of its edges are possible, and what each does.
//!
//! One function per location evaluates all guards into a word of bits; one function per edge changes the copied vector. Where
//! nothing has to be evaluated or changed, there is no function at all.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, types};
use cranelift_frontend::Variable;

use super::actions::{Verdict, Ways};
use super::context::{field, status};
use super::embedded::EmbeddedCode;
use super::emit::{Emitter, IN_CONTEXT};
use super::module::{CodeModule, Compiled, Draft, Pending};
use super::needs::Executor;
use crate::action::{Action, ActionKind, Receive};
use crate::automaton::{Edge, LocationInfo};
use crate::expression::ChannelRef;
use crate::ground::Scope;
use crate::id::{ActionId, DefinitionId, Location};

/// Edges whose bits fit into one word.
pub const WORD: usize = 64;

/// A location, ready to be executed. `F` is a compiled function, or one whose batch is not finished.
#[derive(Clone, Debug)]
pub struct LocationCode<F> {
    /// The guards of the first 64 edges.
    pub mask: Mask<F>,
    /// The guards of further edges, a word for each 64 of them.
    pub later_masks: Box<[Mask<F>]>,
    /// Which edges can take a message on offer, likewise; empty when none can.
    pub accepts: Box<[Mask<F>]>,
    /// The edges.
    pub edges: Box<[EdgeCode<F>]>,
    /// Whether the edges must be tried one after the other, because of escapes, a `D_proctype` or the interpreter.
    pub pace: Pace,
    /// Whether they need not, and one word is enough for them.
    pub is_simple: bool,
    /// The channels whose offers may be taken here: bit `n % 64` for channel `n`.
    pub listens: u64,
    /// A valid end state.
    pub is_end: bool,
}

/// How the edges of a location are gone through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Each edge whose bit is set.
    Free,
    /// One after the other, with an eye on what was possible before.
    Careful,
}

/// Which of up to 64 edges are possible.
#[derive(Clone, Copy, Debug)]
pub enum Mask<F> {
    /// Known beforehand.
    Constant { ready: u64, offers: u64 },
    /// To be evaluated; offers go to the context.
    Evaluated(F),
}

/// An edge, ready to be executed.
#[derive(Clone, Debug)]
pub struct EdgeCode<F> {
    /// What it does to the vector.
    pub effect: Effect<F>,
    /// Whether it is an ordinary step: it leaves no `atomic` open and processes as they are, and code is made for it.
    pub is_plain: bool,
    /// What it offers, when it may be the sending half of a rendezvous.
    pub offer: Option<F>,
    /// How it takes an offer, when it may be the receiving half.
    pub accept: Option<F>,
    /// Where it leads; 0 leaves the location alone.
    pub target: Location,
    /// Whether the process keeps control afterwards.
    pub atomic: bool,
    /// Whether processes come or go.
    pub reshapes: bool,
    /// The escape it belongs to.
    pub escape: Option<Location>,
    /// What it does.
    pub action: ActionId,
}

/// What an edge does to the vector besides moving the location.
#[derive(Clone, Copy, Debug)]
pub enum Effect<F> {
    /// Nothing.
    Move,
    /// What the function does.
    Call(F),
    /// It takes the process away.
    End,
    /// `else` where edges are tried one after the other.
    Else,
    /// Whatever the interpreter says, guard included.
    Interpret,
}

/// Makes the code of locations.
pub struct LocationCompiler<'c, 'm> {
    pub module: &'c mut CodeModule,
    pub scope: Scope<'m>,
    pub code: &'c EmbeddedCode,
}

impl<'m> LocationCompiler<'_, 'm> {
    /// Compiles a location of the scope's definition.
    pub fn location(&mut self, info: &'m LocationInfo, is_deterministic: bool) -> LocationCode<Pending> {
        let machine = self.scope.machine;
        let interpreted = |edge: &Edge| self.scope.executor(machine.action(edge.action)) == Executor::Interpreter;
        let is_else = |edge: &Edge| matches!(machine.action(edge.action).kind, ActionKind::Else);
        let offers = |edge: &Edge| match &machine.action(edge.action).kind {
            ActionKind::Send(send) => self.scope.may_be_rendezvous(&send.channel),
            _ => false,
        };
        // Whether an offer is taken decides about `else`.
        let else_waits = info.edges.iter().any(is_else) && info.edges.iter().any(offers);
        let is_careful =
            is_deterministic || else_waits || info.edges.iter().any(|edge| edge.escape.is_some() || interpreted(edge));
        let pace = if is_careful { Pace::Careful } else { Pace::Free };
        let (first, later) = info.edges.split_at(info.edges.len().min(WORD));
        let mask = self.mask(first, pace, Position::First);
        let later_masks = later.chunks(WORD).map(|word| self.mask(word, pace, Position::Later)).collect();
        let receives = |edge: &Edge| accepting(&self.scope, machine.action(edge.action)).is_some();
        let accepts = if info.edges.iter().any(receives) {
            info.edges.chunks(WORD).map(|word| self.accepts(word)).collect()
        } else {
            Vec::new()
        };
        let listens = info.edges.iter().fold(0, |bits, edge| bits | listens(&self.scope, machine.action(edge.action)));
        LocationCode {
            mask,
            later_masks,
            accepts: accepts.into(),
            edges: info.edges.iter().map(|edge| self.edge(edge, pace)).collect(),
            pace,
            is_simple: pace == Pace::Free && info.edges.len() <= WORD,
            listens,
            is_end: info.end,
        }
    }

    fn mask(&mut self, edges: &'m [Edge], pace: Pace, position: Position) -> Mask<Pending> {
        let scope = self.scope;
        let verdicts: Vec<Verdict> = edges.iter().map(|edge| guard_verdict(&scope, edge, pace)).collect();
        if let Some(known) = known_mask(&verdicts, position) {
            return known;
        }
        let code = self.code;
        Mask::Evaluated(self.module.compile(|draft| write_mask(draft, scope, code, edges, &verdicts, position)))
    }

    fn accepts(&mut self, edges: &'m [Edge]) -> Mask<Pending> {
        let (scope, code) = (self.scope, self.code);
        if edges.iter().all(|edge| accepting(&scope, scope.machine.action(edge.action)).is_none()) {
            return Mask::Constant { ready: 0, offers: 0 };
        }
        Mask::Evaluated(self.module.compile(|draft| write_accepts(draft, scope, code, edges)))
    }

    fn edge(&mut self, edge: &'m Edge, pace: Pace) -> EdgeCode<Pending> {
        let scope = self.scope;
        let action = scope.machine.action(edge.action);
        let needs = scope.action(action);
        let is_interpreted = scope.executor(action) == Executor::Interpreter;
        let effect = match &action.kind {
            ActionKind::Else if pace == Pace::Careful => Effect::Else,
            _ if is_interpreted => Effect::Interpret,
            ActionKind::End => Effect::End,
            _ if Emitter::is_mere_move(&scope, action) => Effect::Move,
            _ => Effect::Call(self.function(|emit| emit.effect(action))),
        };
        let offer = match &action.kind {
            ActionKind::Send(send) if !is_interpreted && scope.may_be_rendezvous(&send.channel) => {
                Some(self.function(|emit| emit.offer(send)))
            }
            _ => None,
        };
        let accept = match accepting(&scope, action) {
            Some(receive) if !is_interpreted => Some(self.function(|emit| emit.accept(receive))),
            _ => None,
        };
        let reshapes = needs.runs || is_interpreted || matches!(action.kind, ActionKind::End);
        EdgeCode {
            effect,
            is_plain: !edge.atomic && !reshapes,
            offer,
            accept,
            target: edge.target,
            atomic: edge.atomic,
            reshapes,
            escape: edge.escape,
            action: edge.action,
        }
    }

    /// A function that returns whether what `write` makes succeeded.
    fn function(&mut self, write: impl FnOnce(&mut Emitter<'_, 'm>)) -> Pending {
        let (scope, code) = (self.scope, self.code);
        self.module.compile(|draft| {
            let mut emit = Emitter::new(draft, scope, code);
            write(&mut emit);
            let done = emit.constant_64(u64::from(status::DONE));
            emit.finish(done, status::FAILED);
        })
    }

    /// The `provided` clause of the definition: whether its processes may move at all.
    pub fn provided(&mut self, definition: DefinitionId) -> Provided<Pending> {
        let Some(provided) = &self.scope.machine.definition(definition).automaton.provided else {
            return Provided::Always;
        };
        let (scope, code) = (self.scope, self.code);
        let needs = scope.expr(provided);
        if needs.interpreter || needs.runs {
            return Provided::Interpret;
        }
        Provided::When(self.module.compile(|draft| {
            let mut emit = Emitter::new(draft, scope, code);
            let truth = emit.truth(provided);
            let done = emit.constant_64(u64::from(status::DONE));
            let blocked = emit.constant_64(u64::from(status::BLOCKED));
            let result = emit.builder.ins().select(truth, done, blocked);
            emit.finish(result, status::FAILED);
        }))
    }
}

/// Whether the processes of a definition may move.
#[derive(Clone, Copy, Debug)]
pub enum Provided<F> {
    /// They may.
    Always,
    /// When the function says so.
    When(F),
    /// When the interpreter says so.
    Interpret,
}

impl<F> Provided<F> {
    /// Whether there is anything to evaluate.
    pub fn is_clause(&self) -> bool {
        !matches!(self, Provided::Always)
    }
}

impl Provided<Pending> {
    /// The clause with a function that can be called.
    pub fn finished(self, module: &CodeModule) -> Provided<Compiled> {
        match self {
            Provided::Always => Provided::Always,
            Provided::When(pending) => Provided::When(module.function(pending)),
            Provided::Interpret => Provided::Interpret,
        }
    }
}

/// Whether a word of a location's edges has others before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Position {
    First,
    Later,
}

/// What is known of a guard; where edges are tried one after the other, the driver sees to `else` and to the interpreter.
fn guard_verdict(scope: &Scope<'_>, edge: &Edge, pace: Pace) -> Verdict {
    let action = scope.machine.action(edge.action);
    match scope.verdict(action) {
        _ if scope.executor(action) == Executor::Interpreter => Verdict::Never,
        Verdict::Else if pace == Pace::Careful => Verdict::Never,
        verdict => verdict,
    }
}

/// The mask, when no guard has to be evaluated.
fn known_mask<F>(verdicts: &[Verdict], position: Position) -> Option<Mask<F>> {
    let (mut ready, mut offers) = (0_u64, 0_u64);
    for (bit, verdict) in verdicts.iter().enumerate() {
        let bit = 1 << bit;
        match verdict {
            Verdict::Always => ready |= bit,
            Verdict::Never => {}
            Verdict::Offers => (ready, offers) = (ready | bit, offers | bit),
            Verdict::Else if ready & !offers != 0 => {}
            Verdict::Else if position == Position::First => ready |= bit,
            Verdict::Else | Verdict::Asked => return None,
        }
    }
    Some(Mask::Constant { ready, offers })
}

fn write_mask<'m>(
    draft: Draft<'_>,
    scope: Scope<'m>,
    code: &EmbeddedCode,
    edges: &'m [Edge],
    verdicts: &[Verdict],
    position: Position,
) {
    let mut emit = Emitter::new(draft, scope, code);
    let zero = emit.constant_64(0);
    let ready = emit.variable(types::I64, zero);
    let offers = emit.variable(types::I64, zero);
    for (number, (edge, verdict)) in edges.iter().zip(verdicts).enumerate() {
        let action = scope.machine.action(edge.action);
        let bit = 1_u64 << number;
        match verdict {
            Verdict::Never => {}
            Verdict::Always => emit.set_bit(ready, bit),
            Verdict::Offers => {
                emit.set_bit(ready, bit);
                emit.set_bit(offers, bit);
            }
            Verdict::Else => emit.else_guard(ready, offers, number, position),
            Verdict::Asked => match emit.guard_truth(action) {
                Some(truth) => {
                    let wide = emit.builder.ins().uextend(types::I64, truth);
                    let shifted = emit.builder.ins().ishl_imm_u(wide, number as i64);
                    let before = emit.builder.use_var(ready);
                    let after = emit.builder.ins().bor(before, shifted);
                    emit.builder.def_var(ready, after);
                }
                None => {
                    let (yes, offer, on) = (emit.block(), emit.block(), emit.block());
                    let failure = std::mem::replace(&mut emit.failure, yes);
                    emit.guard(action, Ways { yes, no: on, offers: offer });
                    emit.failure = failure;
                    emit.enter(offer);
                    emit.set_bit(offers, bit);
                    emit.jump(yes);
                    emit.enter(yes);
                    emit.set_bit(ready, bit);
                    emit.jump(on);
                    emit.enter(on);
                }
            },
        }
    }
    let result = emit.builder.use_var(ready);
    let offered = emit.builder.use_var(offers);
    emit.builder.ins().store(IN_CONTEXT, offered, emit.context, field::OFFERS);
    emit.finish(result, 0);
}

fn write_accepts<'m>(draft: Draft<'_>, scope: Scope<'m>, code: &EmbeddedCode, edges: &'m [Edge]) {
    let mut emit = Emitter::new(draft, scope, code);
    let zero = emit.constant_64(0);
    let ready = emit.variable(types::I64, zero);
    for (number, edge) in edges.iter().enumerate() {
        let Some(receive) = accepting(&scope, scope.machine.action(edge.action)) else { continue };
        let (yes, on) = (emit.block(), emit.block());
        let failure = std::mem::replace(&mut emit.failure, yes);
        emit.accept_guard(receive, Ways { yes, no: on, offers: on });
        emit.failure = failure;
        emit.enter(yes);
        emit.set_bit(ready, 1 << number);
        emit.jump(on);
        emit.enter(on);
    }
    let result = emit.builder.use_var(ready);
    emit.finish(result, 0);
}

/// The receive that an action is, when it may take part in a rendezvous and code is made for it.
fn accepting<'a>(scope: &Scope<'_>, action: &'a Action) -> Option<&'a Receive> {
    match &action.kind {
        ActionKind::Receive(receive) if scope.may_accept(receive) && scope.executor(action) == Executor::Compiled => {
            Some(receive)
        }
        _ => None,
    }
}

/// The channels whose offers an action may take.
fn listens(scope: &Scope<'_>, action: &Action) -> u64 {
    match &action.kind {
        ActionKind::Deterministic(body) => scope.first_steps(body).fold(0, |bits, first| bits | listens(scope, first)),
        // Copying a rendezvous is a mistake whoever makes an offer.
        ActionKind::Receive(receive) if receive.copy && scope.may_be_rendezvous(&receive.channel) => u64::MAX,
        ActionKind::Receive(receive) if scope.may_accept(receive) => {
            match (&receive.channel, scope.fixed_shape(&receive.channel)) {
                (ChannelRef::Global(index), Some(shape)) if receive.fields.len() >= shape.fields.len() => {
                    1 << ((index + 1) % WORD as u32)
                }
                _ => u64::MAX,
            }
        }
        _ => 0,
    }
}

impl Emitter<'_, '_> {
    fn set_bit(&mut self, word: Variable, bit: u64) {
        let before = self.builder.use_var(word);
        let bit = self.constant_64(bit);
        let after = self.builder.ins().bor(before, bit);
        self.builder.def_var(word, after);
    }

    /// `else` is possible when nothing before it was; an offer does not count, whether it is taken or not.
    fn else_guard(&mut self, ready: Variable, offers: Variable, number: usize, position: Position) {
        let (possible, offered) = (self.builder.use_var(ready), self.builder.use_var(offers));
        let choice = self.builder.ins().band_not(possible, offered);
        let mut truth = self.builder.ins().icmp_imm_s(IntCC::Equal, choice, 0);
        if position == Position::Later {
            let earlier = self.context_number(field::EARLIER_CHOICE);
            let none = self.compare_constant(IntCC::Equal, earlier, 0);
            truth = self.builder.ins().band(truth, none);
        }
        let wide = self.builder.ins().uextend(types::I64, truth);
        let shifted = self.builder.ins().ishl_imm_u(wide, number as i64);
        let after = self.builder.ins().bor(possible, shifted);
        self.builder.def_var(ready, after);
    }
}

impl LocationCode<Pending> {
    /// The location with functions that can be called.
    pub fn finished(self, module: &CodeModule) -> LocationCode<Compiled> {
        let function = |pending: Pending| module.function(pending);
        let mask = |mask: Mask<Pending>| match mask {
            Mask::Constant { ready, offers } => Mask::Constant { ready, offers },
            Mask::Evaluated(pending) => Mask::Evaluated(function(pending)),
        };
        let edge = |edge: EdgeCode<Pending>| EdgeCode {
            effect: match edge.effect {
                Effect::Call(pending) => Effect::Call(function(pending)),
                Effect::Move => Effect::Move,
                Effect::End => Effect::End,
                Effect::Else => Effect::Else,
                Effect::Interpret => Effect::Interpret,
            },
            is_plain: edge.is_plain,
            offer: edge.offer.map(function),
            accept: edge.accept.map(function),
            target: edge.target,
            atomic: edge.atomic,
            reshapes: edge.reshapes,
            escape: edge.escape,
            action: edge.action,
        };
        LocationCode {
            mask: mask(self.mask),
            later_masks: self.later_masks.into_iter().map(mask).collect(),
            accepts: self.accepts.into_iter().map(mask).collect(),
            edges: self.edges.into_iter().map(edge).collect(),
            pace: self.pace,
            is_simple: self.is_simple,
            listens: self.listens,
            is_end: self.is_end,
        }
    }
}
