//! `isospin-certify MODEL FILE`: whether a certificate proves that a model has its properties.
//!
//! Exit codes: 0 it does, 1 it does not, 2 something cannot be read.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use certify::check::{Model, Proved, check};
use certify::file::MAGIC;
use machine::{FullChannels, Hidden, Machine};
use promela::preprocess::FileSystem;
use promela::render::{Style, render};

const USAGE: &str = "\
Checks a certificate that `isospin verify --certificate FILE` made.

Usage: isospin-certify [OPTIONS] MODEL FILE

Arguments:
  MODEL  The model; `-` is standard input
  FILE   The certificate

Options:
  -D NAME[=VALUE]    Define a macro, as for `isospin verify`
  -U NAME            Undefine a macro, after all -D
  -I DIR             Look for included files here too
      --lossy        Messages to full channels are lost, as for `isospin verify --lossy`
      --property NAME  Ask for a proof of this property; repeat for several
  -h, --help         Print this
  -V, --version      Print the version

The model is read and executed anew; nothing that the certificate says is believed.
Exit codes: 0 every property in the certificate is proven, 1 it proves less, 2 something cannot be read.
";

/// What the command line asks for.
#[derive(Default)]
struct Arguments {
    files: Vec<PathBuf>,
    source: promela::Options,
    lossy: bool,
    properties: Vec<String>,
}

/// How it ends.
enum End {
    Proven(Vec<Proved>),
    NotProven(String),
    Unreadable(String),
    /// Nothing but this text was asked for.
    Told(String),
}

fn main() -> ExitCode {
    let (mut out, mut error) = (std::io::stdout(), std::io::stderr());
    let (code, written) = match run() {
        End::Proven(proved) => {
            let text: String = proved.iter().map(describe).collect();
            (0, write!(out, "{text}"))
        }
        End::Told(text) => (0, write!(out, "{text}")),
        End::NotProven(reason) => (1, writeln!(error, "not proven: {reason}")),
        End::Unreadable(reason) => (2, writeln!(error, "error: {reason}")),
    };
    // Who cannot be told that it is proven must not believe it.
    ExitCode::from(if written.is_err() { 2 } else { code })
}

fn describe(proved: &Proved) -> String {
    let Proved { property, states, transitions, renamings: (compared, products) } = proved;
    let symmetry = match compared {
        0 => "no symmetry used".to_string(),
        _ => format!("{compared} renamings compared with the program, {products} products of them"),
    };
    format!("{property}: proven ({states} states, {transitions} transitions executed; {symmetry})\n")
}

fn run() -> End {
    let arguments = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(end) => return end,
    };
    let [path, certificate] = &arguments.files[..] else {
        return End::Unreadable("a model and a certificate are needed: isospin-certify MODEL FILE".into());
    };
    let model = match read(path, &arguments) {
        Ok(model) => model,
        Err(reason) => return End::Unreadable(reason),
    };
    let file = match File::open(certificate) {
        Ok(file) => file,
        Err(error) => return End::Unreadable(format!("cannot read {}: {error}", certificate.display())),
    };
    if !begins_with_magic(certificate) {
        return End::Unreadable(format!("{} is no certificate of this version", certificate.display()));
    }
    let proved = match check(&model, BufReader::new(file)) {
        Ok(proved) => proved,
        Err(reason) => return End::NotProven(reason.to_string()),
    };
    let is_proven = |name: &&String| !proved.iter().any(|each| each.property == **name);
    match arguments.properties.iter().find(is_proven) {
        Some(name) => End::NotProven(format!("the certificate says nothing about {name}")),
        None => End::Proven(proved),
    }
}

fn begins_with_magic(path: &Path) -> bool {
    use std::io::Read as _;
    let mut magic = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == MAGIC
}

/// Reads the model, as a model checker would.
fn read(path: &Path, arguments: &Arguments) -> Result<Model, String> {
    let mut loaded = match path == Path::new("-") {
        true => {
            let text = std::io::read_to_string(std::io::stdin()).map_err(|error| format!("cannot read: {error}"))?;
            promela::load_with("<stdin>", &text, &arguments.source, &FileSystem)
        }
        false => promela::load(path, &arguments.source),
    };
    let Some(model) = loaded.model.take() else {
        let errors = loaded.diagnostics.iter().filter(|each| each.is_error());
        let text: Vec<String> = errors.map(|each| render(each, &loaded.sources, Style::default())).collect();
        return Err(text.join("\n"));
    };
    let full_channels = if arguments.lossy { FullChannels::Lose } else { FullChannels::Block };
    let machine = Machine { full_channels, ..machine::lower_hidden(&model, Hidden::InState) };
    Ok(Model { machine: Arc::new(machine), digest: promela::print::digest(&loaded.ast) })
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, End> {
    let mut arguments = Arguments::default();
    while let Some(word) = words.next() {
        let mut value = |flag: &str| match word.strip_prefix(flag) {
            Some(value) if !value.is_empty() => Ok(value.trim_start_matches('=').to_string()),
            _ => words.next().ok_or_else(|| End::Unreadable(format!("{flag} needs a value"))),
        };
        let preprocess = &mut arguments.source.preprocess;
        match word.as_str() {
            "-h" | "--help" => return Err(End::Told(USAGE.into())),
            "-V" | "--version" => {
                return Err(End::Told(format!("isospin-certify {}\n", env!("CARGO_PKG_VERSION"))));
            }
            "--lossy" => arguments.lossy = true,
            "-" => arguments.files.push(PathBuf::from("-")),
            flag if flag.starts_with("-D") => preprocess.defines.push(value("-D")?),
            flag if flag.starts_with("-U") => preprocess.undefines.push(value("-U")?),
            flag if flag.starts_with("-I") => preprocess.include_dirs.push(PathBuf::from(value("-I")?)),
            flag if flag == "--property" || flag.starts_with("--property=") => {
                arguments.properties.push(value("--property")?);
            }
            flag if flag.starts_with('-') => return Err(End::Unreadable(format!("unknown option {flag}: see --help"))),
            file => arguments.files.push(PathBuf::from(file)),
        }
    }
    Ok(arguments)
}
