//! `isospin spin`: command lines of SPIN, the same jobs, reports that the same scripts can read.
//!
//! A line is read ([`line`]), put into isospin's own words, and given to the command that does the job; only the report is
//! written in another form ([`report`]).

mod line;
mod report;
mod stub;

use std::path::{Path, PathBuf};

use clap::{CommandFactory as _, Parser as _};
use isospin::report::reason;
use isospin::verify::{Property, Verdict};
use machine::claim::Subject;
use machine::spin::{self, Numbering};

use self::line::{Cycles, Job, Trail, Verification};
use self::report::PanReport;
use super::{fmt, ltl, replay, show, simulate, verify};
use crate::cli::spin::SpinArguments;
use crate::cli::verify::VerifyArguments;
use crate::cli::{Cli, Command, quoted};
use crate::console::{self, Exit};
use crate::model::{self, Additions, EmbeddedC, Hidden, Input};
use crate::{input, outputs};

/// Does what a command line of SPIN asks for.
pub fn run(arguments: &SpinArguments) -> Exit {
    let outcome = match line::read(&arguments.words) {
        Ok(job) => perform(job),
        Err(misunderstood) => Err(model::refuse(&misunderstood.to_string())),
    };
    match outcome {
        Ok(exit) | Err(exit) => exit,
    }
}

fn perform(job: Job) -> Result<Exit, Exit> {
    match job {
        Job::Verify(verification) => run_verifier(&verification),
        Job::Generate(verification) => generate(&verification),
        Job::Simulate(words) => Ok(own(&[vec!["simulate".into(), "--spin-words".into()], words].concat())?.run()),
        Job::Follow(trail) => follow(&trail),
        Job::Formula(formula) => Ok(own(&["ltl".into(), "--".into(), formula])?.run()),
        Job::Preprocess(words) => Ok(own(&[vec!["show".into()], words].concat())?.run()),
        Job::Format => Ok(own(&["fmt".into(), "-".into()])?.run()),
        Job::Version => Ok(console::print(&format!("isospin Version {}\n", env!("CARGO_PKG_VERSION")))),
        Job::Help => {
            let mut command = Cli::command();
            command.build();
            let page = command.find_subcommand_mut("spin").expect("it is there").render_long_help();
            Ok(console::print(&format!("{page}\n")))
        }
    }
}

/// A command of isospin's own, read by the same definition that reads what people type.
fn own(words: &[String]) -> Result<Own, Exit> {
    let line = std::iter::once("isospin").chain(words.iter().map(String::as_str));
    match Cli::try_parse_from(line) {
        Ok(cli) => Ok(Own(cli.command)),
        Err(error) => {
            let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            Err(model::refuse(&format!("in isospin's words this is `isospin {}`:\n{error}", shown.join(" "))))
        }
    }
}

struct Own(Command);

impl Own {
    fn run(self) -> Exit {
        match self.0 {
            Command::Simulate(arguments) => simulate::run(&arguments),
            Command::Replay(arguments) => replay::run(&arguments),
            Command::Ltl(arguments) => ltl::run(&arguments),
            Command::Show(arguments) => show::run(&arguments),
            Command::Fmt(arguments) => fmt::run(&arguments),
            _ => unreachable!("SPIN's jobs are these and verification"),
        }
    }
}

/// Which properties a run of pan looks at.
struct Choice {
    options: Vec<String>,
    claim: Option<String>,
}

fn run_verifier(line: &Verification) -> Result<Exit, Exit> {
    let trail = PathBuf::from(trail_name(&line.model, None));
    let mut words = vec!["verify".to_string(), "--trace".into(), trail.display().to_string()];
    // SPIN's verifiers have one worker unless they are told otherwise.
    if line.workers.is_none() {
        words.extend(["--workers".into(), "1".into()]);
    }
    words.extend(line.options.iter().cloned());
    let arguments = verification(&[words.clone(), vec![line.model.clone()]].concat())?;
    let input = read(line, &arguments)?;
    let choice = choose(line, &input)?;
    words.extend(choice.options.iter().cloned());
    words.push(line.model.clone());
    if line.verbose {
        let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        console::note(&format!("isospin {}", shown.join(" ")));
    }
    line.notes.iter().for_each(|note| console::note(note));
    let arguments = VerifyArguments { exact_names: true, is_translated: true, ..verification(&words)? };
    let report = verify::verify_model(Path::new(&line.model), &arguments)?;
    let mut wrote = report.findings.iter().any(|each| each.trace_file.is_some());
    if wrote && let Err(message) = rewrite_as_trail(&trail, &report, &input) {
        console::warning(&format!("the counterexample was not saved: {message}"));
        wrote = false;
    }
    // A report in pan's form has no place for them.
    report.findings.iter().flat_map(|each| &each.finding.notices).for_each(|notice| console::note(&notice.to_string()));
    let bugs = report.findings.iter().flat_map(isospin::report::bug_lines);
    bugs.for_each(|line| console::warning(&format!("bug in isospin: {line}")));
    for each in report.findings.iter().filter(|each| report::is_approximate(each)) {
        if let Verdict::Unknown(incomplete) = &each.finding.verdict {
            console::note(&format!("{}; so this is no proof, and the exit code is 3", reason(incomplete)));
        }
    }
    let name = trail.display().to_string();
    let pan = PanReport {
        line,
        claim: choice.claim.as_deref(),
        report: &report,
        machine: &input.machine,
        trail: wrote.then_some(name.as_str()),
    };
    Ok(console::print(&pan.text()).max(report.summary().into()))
}

fn verification(words: &[String]) -> Result<VerifyArguments, Exit> {
    match own(words)?.0 {
        Command::Verify(arguments) => Ok(*arguments),
        _ => unreachable!("the first word is verify"),
    }
}

fn read(line: &Verification, arguments: &VerifyArguments) -> Result<Input, Exit> {
    let full_channels = model::full_channels(arguments.lossy);
    let additions = Additions::new(&arguments.ltl, &arguments.claim)?;
    let (path, source) = (Path::new(&line.model), &arguments.source);
    let embedded_c = EmbeddedC::allowed(arguments.allow_c);
    model::read_with(path, source, full_channels, Hidden::InState, embedded_c, &additions)
}

/// What SPIN's verifier would look at: one claim, or cycles, or neither; assertions always.
fn choose(line: &Verification, input: &Input) -> Result<Choice, Exit> {
    let machine = &input.machine;
    let subjects = Subject::all(machine);
    let is_claim = |subject: &&Subject| matches!(subject, Subject::Formula(_) | Subject::Never(_));
    let claims: Vec<String> =
        subjects.iter().filter(is_claim).map(|subject| subject.written_name(machine).to_string()).collect();
    let claim = match &line.claim {
        _ if line.no_claim || line.cycles == Cycles::NonProgress => None,
        Some(name) if claims.contains(name) => Some(name.clone()),
        Some(name) => {
            let there_are = if claims.is_empty() { "none".to_string() } else { claims.join(", ") };
            return Err(model::refuse(&format!("there is no claim {name}; there is {there_are}")));
        }
        None if line.own_claim => claims.last().cloned(),
        None if line.own_formula => {
            // Formulas of the command line stand behind those of the model.
            let last = subjects.iter().rfind(|subject| matches!(subject, Subject::Formula(_)));
            last.map(|subject| subject.written_name(machine).to_string())
        }
        None => claims.first().cloned(),
    };
    if line.claim.is_none() && !line.own_formula && !line.own_claim && claim.is_some() && claims.len() > 1 {
        console::note(&format!(
            "the model contains {} claims: {}; one is verified in a run, choose with -ltl NAME (this is {})",
            claims.len(),
            claims.join(", "),
            claims[0]
        ));
    }
    let mut options: Vec<String> = vec!["--property".into(), Property::Safety.name().into()];
    let cycles = match line.cycles {
        Cycles::NonProgress if subjects.contains(&Subject::NonProgress) => Some("non-progress".to_string()),
        Cycles::NonProgress => {
            let message =
                "-l looks for cycles without progress, but the model has no progress label: every cycle would be one";
            return Err(model::refuse(message));
        }
        _ if claim.is_some() => {
            let mut called =
                subjects.iter().filter(is_claim).zip(&claims).filter(|(_, name)| claim.as_ref() == Some(name));
            called.next().map(|(subject, _)| subject.name(machine).to_string())
        }
        Cycles::Acceptance if subjects.contains(&Subject::Acceptance) => Some("acceptance".into()),
        _ => None,
    };
    let watched = claim.is_some() || line.cycles == Cycles::NonProgress;
    if let Some(property) = cycles {
        options.extend(["--property".into(), property]);
    }
    if watched || line.no_end_states {
        options.push("--no-end-states".into());
    }
    if line.safety && claim.is_some() {
        console::note("-DSAFETY: the claim is verified all the same, cycles included (-noclaim leaves it out)");
    }
    Ok(Choice { options, claim })
}

/// Where SPIN's verifiers leave their trail: in the current directory.
fn trail_name(model: &str, number: Option<&str>) -> String {
    let model = Path::new(model);
    let named = if input::is_stdin(model) { Some("stdin".as_ref()) } else { model.file_name() };
    let base = named.unwrap_or(model.as_os_str()).to_string_lossy();
    format!("{base}{}.trail", number.unwrap_or_default())
}

/// A run without a claim is kept as SPIN keeps its own; one with a claim as a trace of isospin's, which only isospin reads.
fn rewrite_as_trail(path: &Path, report: &isospin::report::Report, input: &Input) -> Result<(), String> {
    let first = report.findings.iter().find_map(|each| each.finding.counterexample.as_ref());
    let Some(trace) = first.filter(|trace| trace.origin.property.as_deref() == Some(Property::Safety.name())) else {
        return Ok(());
    };
    let numbering = Numbering::new(&input.machine, &input.bodies());
    let Some(text) = spin::write_trail(&input.machine, &numbering, trace) else { return Ok(()) };
    outputs::write(path, &text)
}

/// Follows a trail: the one that was named, or the model's, beside it or here.
fn follow(trail: &Trail) -> Result<Exit, Exit> {
    let number = trail.number.as_deref();
    let beside = format!("{}{}.trail", trail.model, number.unwrap_or_default());
    let mut candidates = match &trail.file {
        Some(file) => vec![file.clone()],
        None => vec![beside, trail_name(&trail.model, number)],
    };
    candidates.dedup();
    let Some(file) = candidates.iter().find(|file| Path::new(file).exists()) else {
        return Err(model::refuse(&format!(
            "cannot find trail file {}: verify the model first (-run)",
            candidates.join(" or ")
        )));
    };
    let is_own = std::fs::read(file).is_ok_and(|bytes| bytes.first() == Some(&b'{'));
    let mut words = vec!["replay".to_string(), "--spin-words".into()];
    words.extend(trail.options.iter().cloned());
    words.push(trail.model.clone());
    if !is_own {
        words.push("--spin-trail".into());
    }
    words.push(file.clone());
    Ok(own(&words)?.run())
}

/// Writes `pan.c`.
fn generate(line: &Verification) -> Result<Exit, Exit> {
    if input::is_stdin(Path::new(&line.model)) {
        return Err(model::refuse("the pan.c of -a reads the model when it runs, so the model has to be a file"));
    }
    let words = [vec!["verify".to_string()], line.options.clone(), vec![line.model.clone()]].concat();
    read(line, &verification(&words)?)?;
    let here = |path: &Path| {
        path.canonicalize().map_err(|error| model::refuse(&format!("cannot find {}: {error}", path.display())))
    };
    let program =
        std::env::current_exe().map_err(|error| model::refuse(&format!("cannot find isospin itself: {error}")))?;
    let model = here(Path::new(&line.model))?;
    let text = stub::pan(&program.to_string_lossy(), &line.of_model, &model.to_string_lossy());
    outputs::write(Path::new("pan.c"), &text).map_err(|message| model::refuse(&message))?;
    Ok(Exit::Success)
}
