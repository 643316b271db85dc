//! How fast the engines generate successors: `cargo run --release --example engine_rate [MODEL.pml ...]`.
//!
//! Each engine generates the successors of the same sampled states again and again, with no store behind it;
//! times are those of the processor. Without arguments
//! it takes models that come with SPIN.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use machine::Machine;
use machine::generate::InterpretedGenerator;
use machine::interpret::Interpreter;
use machine::jit::{CompiledGenerator, CompiledMachine, EmbeddedCode};
use system::{Arena, System};

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";
const MODELS: [&str; 6] =
    ["LTL/leader.pml", "LTL/petersonN.pml", "Exercises/ex_6.pml", "sort.pml", "dtp.pml", "snoopy.pml"];

/// Times a model is started.
const STARTS: u32 = 20;
/// States whose successors are generated.
const SAMPLE: usize = 20_000;
const INTERPRETED_TIME: Duration = Duration::from_millis(500);
const COMPILED_TIME: Duration = Duration::from_secs(2);

fn main() {
    let given: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let paths = if given.is_empty() { MODELS.map(|model| Path::new(EXAMPLES).join(model)).to_vec() } else { given };
    println!(
        "{:<16} {:>6} {:>6} {:>6} {:>10} {:>10} {:>6} {:>11} {:>9} {:>7} {:>8}",
        "model", "states", "bytes", "ways", "interp/s", "native/s", "times", "first state", "functions", "code", "in"
    );
    for path in paths {
        match measure(&path) {
            Ok(line) => println!("{line}"),
            Err(error) => println!("{}: {error}", path.display()),
        }
    }
}

fn measure(path: &Path) -> Result<String, String> {
    let mut started = start(path)?;
    let begin = processor_time();
    for _ in 0..STARTS {
        started = start(path)?;
    }
    let first_state = (processor_time() - begin) / STARTS;
    let Started { compiled, mut native, initial } = started;
    let sample = sample(&mut native, initial);
    let code = compiled.statistics();
    let bytes = sample.iter().map(Vec::len).sum::<usize>() as f64 / sample.len() as f64;
    let (compiled_rate, ways) = rate(&mut native, &sample, COMPILED_TIME);
    let mut interpreted = InterpretedGenerator::new(compiled.machine().clone()).map_err(|refusal| refusal.reason)?;
    let (interpreted_rate, _) = rate(&mut interpreted, &sample, INTERPRETED_TIME);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(format!(
        "{name:<16} {:>6} {bytes:>6.0} {ways:>6.2} {:>9.3}M {:>9.2}M {:>6.1} {first_state:>11.1?} {:>9} {:>6}k {:>8.1?}",
        sample.len(),
        interpreted_rate / 1e6,
        compiled_rate / 1e6,
        compiled_rate / interpreted_rate,
        code.functions,
        code.bytes / 1000,
        code.time,
    ))
}

struct Started {
    compiled: Arc<CompiledMachine>,
    native: CompiledGenerator,
    initial: Vec<u8>,
}

/// From the text to the successors of the initial state.
fn start(path: &Path) -> Result<Started, String> {
    let loaded = promela::load(path, &promela::Options::default());
    let model = loaded.model.ok_or("it has errors")?;
    let machine: Arc<Machine> = Arc::new(machine::lower(&model));
    let compiled = CompiledMachine::new(machine, EmbeddedCode::none()).map_err(|refusal| refusal.reason)?;
    let mut native = CompiledGenerator::new(compiled.clone());
    let mut initial = Vec::new();
    Interpreter::new(compiled.machine()).initial().map_err(|error| error.message)?;
    native.initial(&mut initial);
    native.successors(&initial, &mut Arena::new());
    Ok(Started { compiled, native, initial })
}

/// The states reached first, breadth first.
fn sample(generator: &mut dyn System, initial: Vec<u8>) -> Vec<Vec<u8>> {
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let mut states = Vec::new();
    let mut successors = Arena::new();
    while let Some(state) = queue.pop_front() {
        generator.successors(&state, &mut successors);
        for target in successors.targets() {
            if seen.len() < SAMPLE && !seen.contains(target) {
                seen.insert(target.to_vec());
                queue.push_back(target.to_vec());
            }
        }
        states.push(state);
    }
    states
}

/// Transitions per second, and transitions per state.
fn rate(generator: &mut dyn System, sample: &[Vec<u8>], time: Duration) -> (f64, f64) {
    let start = processor_time();
    let elapsed = || processor_time() - start;
    let mut successors = Arena::new();
    let (mut transitions, mut states) = (0_u64, 0_u64);
    for chunk in sample.chunks(1000).cycle() {
        for state in chunk {
            generator.successors(state, &mut successors);
            transitions += successors.len() as u64;
        }
        states += chunk.len() as u64;
        if elapsed() > time {
            break;
        }
    }
    (transitions as f64 / elapsed().as_secs_f64(), transitions as f64 / states as f64)
}

/// Time this thread spent on a processor, where the system tells; others may use the machine meanwhile.
fn processor_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = statistics.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}
