//! A front end that is not Promela: Petri nets, with report, trace and replay. `cargo run -p isospin --example front_end`

use isospin::report::{Report, TextOptions, to_text};
use isospin::verify::{Model, Options, Order, Step, Verdict, replay_model, verify_model};
use machine::show::{SourcePlace, Value, VariableView};
use machine::trace::{Origin, Trace};
use system::{Arena, Fate, Label, Rest, System};

/// Two philosophers think (t, u), wait (w, x) and eat (e, d) with two forks (f, g). A line has the name of a transition, the tokens that it takes,
/// and those that it puts.
const NET: &str = "start - fgtu\nleft1 tf w\nright1 wg e\ndone1 e fgt\nleft2 ug x\nright2 xf d\ndone2 d fgu";

/// The lines of a net. A state is its tokens in alphabetic order.
#[derive(Clone)]
struct Net(Vec<Vec<&'static str>>);

impl System for Net {
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        into.clear();
        into.extend(self.0[0][2].bytes());
        Fate::Open
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        into.clear();
        for (line, words) in (0..).zip(&self.0) {
            let mut after = state.to_vec();
            let mut take = |token| after.iter().position(|&each| each == token).map(|at| after.remove(at)).is_some();
            if words[1].bytes().all(&mut take) {
                after.extend(words[2].bytes());
                after.sort_unstable();
                into.push(&after, Label::alone(0, line));
            }
        }
        into.signals_mut().rest = if into.is_empty() { Rest::InvalidEnd } else { Rest::Moves };
    }
}

impl Model for Net {
    fn system(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }

    fn step(&self, _from: &[u8], label: Label, _to: &[u8]) -> Step {
        let place = SourcePlace { file: "forks.net".into(), line: label.action + 1, ..SourcePlace::default() };
        Step { process: "net".into(), statement: self.0[label.action as usize][0].into(), place }
    }

    fn variables(&self, state: &[u8]) -> Vec<VariableView> {
        let value = Value::Name(String::from_utf8_lossy(state).into());
        vec![VariableView { name: "tokens".into(), value }]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let net = Net(NET.lines().map(|line| line.split(' ').collect()).collect());
    let origin = Origin { model: "forks.net".into(), ..Origin::default() };
    let options = Options { order: Order::BreadthFirst, ..Options::default() };
    let finding = verify_model(&net, origin, &options, &Default::default())?;
    assert_eq!((&finding.verdict, finding.counts.states), (&Verdict::Violated, 6));
    let trace = finding.counterexample.clone().expect("both may wait for a fork");
    print!("{}", to_text(&Report::of("forks.net", [finding]), TextOptions::default()));

    let mut trace: Trace = serde_json::from_str(&serde_json::to_string(&trace)?)?;
    assert_eq!(replay_model(&net, &trace), Ok(machine::replay::Verdict::Confirmed { note: None }));
    trace.steps[1].part.statement = "right1".into();
    let mismatch = replay_model(&net, &trace).expect_err("this does something else");
    println!("with another step: {mismatch}");
    Ok(())
}
