//! Random models: every engine and every layer shows the same, and verdicts are those of the definitions.

use std::sync::Arc;

use isospin::relations::{Layers, Model, Options, Reduce, Subject, relate};
use isospin::verify::{Engine, Progress};
use machine::Machine;
use machine::events::{Ends, Observables, Observer, Pattern};
use machine::generate::InterpretedGenerator;
use machine::trace::Origin;
use oracle::random::Random;
use relate::{Alphabet, Limits, Lts, Relation, explore};

use super::naive;

/// Larger systems are left out.
const MOST_STATES: u64 = 300;

fn machine(text: &str) -> Option<Machine> {
    let model = promela::load_text("random.pml", text, &promela::Options::default()).model?;
    let machine = machine::lower_hidden(&model, machine::Hidden::InState);
    machine::interpret::Interpreter::new(&machine).initial().ok()?;
    Some(machine)
}

/// Some of the global channels and variables of a machine.
fn some(machine: &Machine, random: &mut Random) -> Observables {
    let ends = if random.chance(80) { Ends::Visible } else { Ends::Hidden };
    let mut observables = Observables::declared(machine, ends);
    for cells in &machine.layout.globals.cells {
        if random.chance(55) {
            let direction = ["", "!", ""][random.below(3)];
            let direction = if cells.ty == promela::model::Type::Chan { direction } else { "" };
            let pattern = Pattern::parse(&format!("{}{direction}", cells.path[0].name));
            // A variable that holds channels of others cannot be observed.
            let _ = pattern.map(|pattern| observables.observe(machine, &pattern));
        }
    }
    observables
}

fn subject(machine: &Machine, observables: &Observables, engine: Engine) -> Option<Subject> {
    let model = Model::new(machine.clone(), Origin::default(), observables.clone(), engine).ok()?;
    Some(Subject::Model(Box::new(model)))
}

fn limits() -> Limits {
    Limits { max_states: Some(MOST_STATES), ..Limits::default() }
}

fn system(subject: &Subject, layers: Layers, alphabet: &Alphabet) -> Option<Lts> {
    let mut side = subject.observed(layers, alphabet);
    explore(&mut side, &limits(), &Progress::new()).ok().map(|explored| explored.lts)
}

/// The random models of some seeds that are small, with what is observed of them.
fn models(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, String, Machine, Observables)> {
    seeds.filter_map(|seed| {
        let text = oracle::generate::model(seed).to_string();
        let machine = machine(&text)?;
        let mut random = Random::new(seed ^ 0x5eed);
        let observables = some(&machine, &mut random);
        let subject = subject(&machine, &observables, Engine::Interpreter)?;
        system(&subject, Layers::None, &Alphabet::new())?;
        Some((seed, text, machine, observables))
    })
}

#[test]
fn engines_and_the_interpreter_show_the_same() {
    show_the_same(0..120);
}

#[test]
fn on_many_models_engines_and_the_interpreter_show_the_same() {
    show_the_same(10_000..14_000);
}

fn show_the_same(seeds: std::ops::Range<u64>) {
    let (mut count, mut visible, models_tried) = (0, 0, seeds.end - seeds.start);
    for (seed, text, machine, observables) in models(seeds) {
        let alphabet = Alphabet::new();
        let compiled = subject(&machine, &observables, Engine::Compiled)
            .and_then(|subject| system(&subject, Layers::None, &alphabet));
        let Some(compiled) = compiled else { continue };
        // Every state is asked for all its elementary ways.
        let engine = InterpretedGenerator::new(Arc::new(machine.clone())).expect("it was executed");
        let mut observer = Observer::new(Arc::new(machine.clone()), Arc::new(observables.clone()), engine);
        let mut reference = Ways { observer: &mut observer, alphabet: alphabet.clone() };
        let explored = explore(&mut reference, &limits(), &Progress::new()).expect("it is small").lts;
        assert_eq!(
            (explored.states(), explored.transitions()),
            (compiled.states(), compiled.transitions()),
            "{seed}\n{text}"
        );
        assert!(naive::holds(&explored, &compiled, Relation::StrongBisimulation), "{seed}\n{text}");
        visible += u64::from(compiled.all().any(|(_, event, _)| event.is_visible()));
        count += 1;
    }
    assert!(count > models_tried / 5 && visible > models_tried / 8, "{count} models, {visible} with events");
}

/// A model as the interpreter alone sees it.
struct Ways<'o> {
    observer: &'o mut Observer<InterpretedGenerator>,
    alphabet: Alphabet,
}

impl relate::Observed for Ways<'_> {
    fn initial(&mut self, into: &mut Vec<u8>) {
        self.observer.initial(into);
    }

    fn steps(&mut self, state: &[u8], into: &mut relate::Steps) {
        into.clear();
        for way in self.observer.ways(state) {
            let event =
                way.event.map_or(relate::Event::INTERNAL, |event| self.alphabet.event(self.observer.name(event)));
            into.push(event, &way.target);
        }
    }
}

#[test]
fn a_model_is_related_to_itself_reduced_or_not() {
    related_to_itself(1000..1120);
}

#[test]
fn many_models_are_related_to_themselves_reduced_or_not() {
    related_to_itself(20_000..24_000);
}

fn related_to_itself(seeds: std::ops::Range<u64>) {
    let (mut reduced, models_tried) = (0, seeds.end - seeds.start);
    for (seed, text, machine, observables) in models(seeds) {
        let alphabet = Alphabet::new();
        let Some(subject) = subject(&machine, &observables, Engine::Compiled) else { continue };
        let Some(whole) = system(&subject, Layers::None, &alphabet) else { continue };
        let Some(dead) = system(&subject, Layers::Dead, &alphabet) else { continue };
        assert!(naive::holds(&dead, &whole, Relation::StrongBisimulation), "dead variables, seed {seed}\n{text}");
        let Some(ample) = system(&subject, Layers::DeadAndAmple, &alphabet) else { continue };
        for relation in naive::DEFINED {
            if Layers::keeping(relation) == Layers::DeadAndAmple {
                let both = naive::holds(&ample, &whole, relation) && naive::holds(&whole, &ample, relation);
                assert!(both, "{relation} is not kept, seed {seed}\n{text}");
            }
        }
        reduced += u64::from(ample.states() < whole.states());
    }
    assert!(reduced > models_tried / 20, "{reduced} models were reduced");
}

#[test]
fn verdicts_are_those_of_the_definitions() {
    verdicts(2000..2040);
}

#[test]
fn verdicts_on_thousands_of_pairs_are_those_of_the_definitions() {
    verdicts(30_000..34_000);
}

fn verdicts(seeds: std::ops::Range<u64>) {
    let options = |reduce| Options { limits: Limits::default(), reduce };
    let (mut held, mut violated) = (0, 0);
    let all: Vec<_> = models(seeds).collect();
    for pair in all.windows(2) {
        let alphabet = Alphabet::new();
        // A model and itself with something else observed, and two models by chance.
        let [(seed, text, machine, observables), (_, other_text, other, others)] = pair else { continue };
        let mut random = Random::new(*seed);
        let changed = some(machine, &mut random);
        for (right_machine, right_observed, right_text) in [(machine, &changed, text), (other, others, other_text)] {
            let left = subject(machine, observables, Engine::Compiled).expect("it was executed");
            let right = subject(right_machine, right_observed, Engine::Compiled).expect("it was executed");
            let systems = (system(&left, Layers::None, &alphabet), system(&right, Layers::None, &alphabet));
            let (Some(left_system), Some(right_system)) = systems else { continue };
            for relation in naive::DEFINED {
                let expected = naive::holds(&left_system, &right_system, relation);
                for reduce in [Reduce::None, Reduce::All] {
                    let found = relate(&left, &right, relation, &alphabet, &options(reduce), &Progress::new());
                    let word = if expected { "holds" } else { "violated" };
                    let context = format!("{relation}, {reduce:?}, seed {seed}\n{text}\n{right_text}\n{found:?}");
                    assert_eq!(found.doubt, None, "{context}");
                    assert_eq!(found.word(), word, "{context}");
                }
                *if expected { &mut held } else { &mut violated } += 1;
            }
        }
    }
    assert!(held > 30 && violated > 30, "{held} held, {violated} did not");
}
