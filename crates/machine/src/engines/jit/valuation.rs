//! Atoms of a claim as native code: all that cannot fail in one function, the others one by one.
//!
//! `np_` and "some process is at an accepting location" are read off a table of locations; what the compiler leaves to the
//! interpreter (`enabled`), the interpreter evaluates.

use std::sync::{Arc, Mutex};

use cranelift_codegen::ir::{InstBuilder as _, types};

use super::CompiledMachine;
use super::emit::Emitter;
use super::engine::{CompiledGenerator, Source};
use super::module::{CodeModule, Compiled, Pending};
use crate::claim::{Claim, Question, Valuation, Values, answer, asks_for_timeout};
use crate::expression::Expr;
use crate::generate::Refusal;
use crate::ground::Scope;
use crate::machine::Machine;
use crate::state::State;

/// The atoms of a claim, compiled. It is shared by the valuations of all workers.
pub struct CompiledClaim {
    machine: Arc<CompiledMachine>,
    claim: Arc<Claim>,
    /// Gives the bits of all atoms that cannot fail.
    safe: Option<Compiled>,
    /// Atoms that can fail, each with a function that says 1 or 0.
    failing: Vec<(usize, Compiled)>,
    /// Atoms for the interpreter.
    interpreted: Vec<usize>,
    /// Atoms that are `np_`.
    non_progress: u64,
    /// Atoms that ask for an accepting process.
    accepting: u64,
    /// For each definition and location, whether it accepts and whether it is progress.
    labels: Vec<Vec<Labels>>,
    /// Owns the code.
    _module: Mutex<CodeModule>,
}

/// What the function of one atom says when it cannot be evaluated. Others say 1 or 0, or are of atoms that cannot fail.
const FAILED: u32 = 2;

/// What a claim asks about a location.
#[derive(Clone, Copy, Debug)]
struct Labels {
    accept: bool,
    progress: bool,
}

/// Evaluates the atoms of a claim by compiled code.
pub struct CompiledValuation {
    claim: Arc<CompiledClaim>,
    /// Its context describes the vector.
    driver: CompiledGenerator,
}

impl CompiledClaim {
    /// Compiles the atoms of a claim.
    ///
    /// # Errors
    /// When there is no code generator for this processor.
    pub fn new(machine: Arc<CompiledMachine>, claim: Arc<Claim>) -> Result<Arc<CompiledClaim>, Refusal> {
        let mut module = CodeModule::new()?;
        let atoms = Sorted::new(&machine.machine, &claim);
        let compile = |module: &mut CodeModule, atoms: &[(usize, &Expr)]| {
            let scope = Scope::new(&machine.machine, None);
            module.compile(|draft| {
                let mut emit = Emitter::new(draft, scope, &machine.code);
                let mut word = emit.constant_64(0);
                for &(bit, atom) in atoms {
                    let truth = emit.truth(atom);
                    let wide = emit.builder.ins().uextend(types::I64, truth);
                    let shifted = emit.builder.ins().ishl_imm_u(wide, bit as i64);
                    word = emit.builder.ins().bor(word, shifted);
                }
                emit.finish(word, FAILED);
            })
        };
        let safe = (!atoms.safe.is_empty()).then(|| compile(&mut module, &atoms.safe));
        let failing: Vec<(usize, Pending)> =
            atoms.failing.iter().map(|&(atom, expr)| (atom, compile(&mut module, &[(0, expr)]))).collect();
        let Sorted { interpreted, non_progress, accepting, .. } = atoms;
        module.finish();
        let labels = machine.machine.definitions.iter().map(|definition| {
            let locations = definition.automaton.locations.iter();
            locations.map(|location| Labels { accept: location.accept, progress: location.progress }).collect()
        });
        Ok(Arc::new(CompiledClaim {
            safe: safe.map(|pending| module.function(pending)),
            failing: failing.into_iter().map(|(atom, pending)| (atom, module.function(pending))).collect(),
            interpreted,
            non_progress,
            accepting,
            labels: labels.collect(),
            _module: Mutex::new(module),
            machine,
            claim,
        }))
    }

    /// The claim.
    #[must_use]
    pub fn claim(&self) -> &Arc<Claim> {
        &self.claim
    }
}

/// Atoms by who evaluates them.
#[derive(Default)]
struct Sorted<'c> {
    safe: Vec<(usize, &'c Expr)>,
    failing: Vec<(usize, &'c Expr)>,
    interpreted: Vec<usize>,
    non_progress: u64,
    accepting: u64,
}

impl<'c> Sorted<'c> {
    fn new(machine: &Machine, claim: &'c Claim) -> Sorted<'c> {
        let scope = Scope::new(machine, None);
        let mut sorted = Sorted { non_progress: claim.non_progress_atoms(), ..Sorted::default() };
        for (number, question) in claim.atoms.iter().enumerate() {
            match question {
                Question::Accepting => sorted.accepting |= 1 << number,
                Question::Expression(_) if sorted.non_progress >> number & 1 == 1 => {}
                Question::Expression(atom) => {
                    let needs = scope.expr(&atom.expression);
                    if needs.interpreter || needs.runs || asks_for_timeout(&atom.expression) {
                        sorted.interpreted.push(number);
                    } else if needs.fails {
                        sorted.failing.push((number, &atom.expression));
                    } else {
                        sorted.safe.push((number, &atom.expression));
                    }
                }
            }
        }
        sorted
    }
}

impl CompiledValuation {
    /// A valuation that shares the code of a claim.
    #[must_use]
    pub fn new(claim: Arc<CompiledClaim>) -> CompiledValuation {
        CompiledValuation { driver: CompiledGenerator::new(claim.machine.clone()), claim }
    }
}

/// Whether some process is at a location with a label.
fn any_at(claim: &CompiledClaim, driver: &mut CompiledGenerator, source: Source, label: fn(Labels) -> bool) -> bool {
    (0..source.process_count()).any(|pid| {
        let (definition, location) = driver.whereabouts(source, pid);
        label(claim.labels[definition][location])
    })
}

impl Valuation for CompiledValuation {
    fn valuation(&mut self, state: &[u8]) -> Values {
        let source = Source::of(state);
        let CompiledValuation { claim, driver } = self;
        driver.analyse(source);
        driver.context.timeout = 0;
        let mut word = claim.safe.map_or(0, |function| driver.observe(function, source));
        let mut unknown = 0;
        for &(atom, function) in &claim.failing {
            match driver.observe(function, source) {
                answer if answer == u64::from(FAILED) => unknown |= 1 << atom,
                answer => word |= answer << atom,
            }
        }
        if claim.non_progress != 0 && !any_at(claim, driver, source, |labels| labels.progress) {
            word |= claim.non_progress;
        }
        if claim.accepting != 0 && any_at(claim, driver, source, |labels| labels.accept) {
            word |= claim.accepting;
        }
        let mut values = Values { holds: word, unknown };
        if !claim.interpreted.is_empty() {
            let state = State::from_bytes(state);
            for &atom in &claim.interpreted {
                if let Question::Expression(expression) = &claim.claim.atoms[atom] {
                    values.note(atom, answer(&claim.machine.machine, &state, &expression.expression));
                }
            }
        }
        values
    }

    fn can_fail(&self) -> bool {
        !self.claim.failing.is_empty() || !self.claim.interpreted.is_empty()
    }
}
