//! Asking Traces, through `dreadnaut`, about many graphs in one run.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// What it says about a graph.
#[derive(Clone, Debug)]
pub struct Answer {
    pub orbits: usize,
    /// The order of the group as it was printed; large ones are rounded, as in `1.436790214985e72`.
    pub order: String,
    pub seconds: f64,
}

/// One answer for each graph; an error, with its reason, if there is no `dreadnaut` or it takes longer than the limit.
pub fn ask(graphs: &[String], limit: Duration) -> Result<Vec<Answer>, &'static str> {
    let script: String = std::iter::once("At -a -m\n").chain(graphs.iter().flat_map(|graph| [graph, "x\n"])).collect();
    let started = Command::new("dreadnaut").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = started else { return Err("no dreadnaut") };
    let mut input = child.stdin.take().expect("the input is piped");
    let mut output = child.stdout.take().expect("the output is piped");
    let writer = std::thread::spawn(move || input.write_all((script + "q\n").as_bytes()));
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let read = output.read_to_string(&mut text);
        // The receiver is gone if the limit was exceeded.
        let _ = sender.send(read.map(|_| text));
    });
    let text = receiver.recv_timeout(limit);
    if text.is_err() {
        child.kill().expect("a child can be killed");
    }
    child.wait().expect("a child ends");
    // A child that was killed does not read all that is written.
    let written = writer.join().expect("the writer does not panic");
    reader.join().expect("the reader does not panic");
    let Ok(text) = text else { return Err("no answer") };
    written.expect("dreadnaut reads its input");
    let text = text.expect("dreadnaut prints text");
    let answers = parse(&text);
    assert_eq!(answers.len(), graphs.len(), "one answer for each graph:\n{}", &text[..text.len().min(2000)]);
    Ok(answers)
}

impl Answer {
    /// Whether this is the order, up to the rounding of large numbers.
    pub fn agrees_with(&self, order: &num_bigint::BigUint) -> bool {
        let exact = order.to_string();
        let Some((mantissa, exponent)) = self.order.split_once('e') else { return exact == self.order };
        let exponent: usize = exponent.trim_start_matches('+').parse().expect("an exponent is a number");
        let read: f64 = mantissa.parse().expect("a mantissa is a number");
        let digits = exact.len().min(17);
        let leading: f64 = exact[..digits].parse().expect("digits are a number");
        let ours = leading / 10f64.powi(digits as i32 - 1) * 10f64.powi((exact.len() - 1) as i32 - exponent as i32);
        (ours / read - 1.0).abs() < 1e-9
    }
}

fn parse(text: &str) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for line in text.lines() {
        if let Some((orbits, rest)) = line.split_once(" orbit")
            && let Some((_, rest)) = rest.split_once("grpsize=")
        {
            let order = rest.split(';').next().unwrap_or_default().to_owned();
            answers.push(Answer { orbits: orbits.trim().parse().expect("a number of orbits"), order, seconds: 0.0 });
        } else if let Some(rest) = line.strip_prefix("cpu time = ")
            && let Some(answer) = answers.last_mut()
        {
            answer.seconds = rest.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0.0);
        }
    }
    answers
}
