//! What goes wrong around a model checker: bad files, full disks, closed pipes, impatient people. It may not panic, hang or mislead.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const VIOLATED: &str = "byte x; active [2] proctype P() { x++; assert(x < 2) }";
const ENDLESS: &str = "int x[4]; active [4] proctype P() { do :: x[_pid]++; assert(x[_pid] != -1) od }";

fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("knocks");
    std::fs::create_dir_all(&directory).expect("it can be made");
    let path = directory.join(name);
    std::fs::write(&path, content).expect("it can be written");
    path
}

fn isospin(arguments: &[&str], model: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isospin")).args(arguments).arg(model).output().expect("the program starts")
}

fn shell(script: &str, model: &Path) -> Output {
    Command::new("sh")
        .args(["-c", script])
        .env("ISOSPIN", env!("CARGO_BIN_EXE_isospin"))
        .env("MODEL", model)
        .output()
        .expect("a shell starts")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Bad input: exit code 2, these words, and no word of a verdict.
fn is_refused(output: &Output, words: &[&str]) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(words.iter().all(|word| said.contains(word)), "{said}");
    assert!(!said.contains("panicked") && !said.contains("holds"), "{said}");
}

#[test]
fn a_typo_is_shown_where_it_is() {
    let model = file("typo.pml", "active proctype P() { asert(1) }\n");
    for command in ["verify", "check", "simulate", "symmetry"] {
        is_refused(&isospin(&[command], &model), &["typo.pml:1:23", "did you mean `assert`"]);
    }
}

#[test]
fn a_missing_file_and_a_directory_are_named() {
    for command in ["verify", "check", "simulate", "symmetry"] {
        is_refused(&isospin(&[command], Path::new("no/such.pml")), &["no/such.pml", "No such file"]);
        is_refused(&isospin(&[command], Path::new("/tmp")), &["/tmp", "directory"]);
    }
}

#[test]
fn an_empty_file_has_no_process() {
    for text in ["", "\n\n  \n", "/* nothing */"] {
        is_refused(&isospin(&["verify"], &file("empty.pml", text)), &["no process"]);
    }
}

#[test]
fn a_binary_file_is_refused_in_a_few_lines() {
    let bytes: Vec<u8> =
        (0..200_000_u64).map(|index| (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let output = isospin(&["verify"], &file("binary.pml", bytes));
    is_refused(&output, &["binary.pml"]);
    assert!(said(&output).lines().count() < 400, "{} lines", said(&output).lines().count());
    assert!(!said(&output).contains('\u{1b}'), "no escape sequences of the file reach the terminal");
}

#[test]
fn a_line_of_a_megabyte_is_read_and_messages_stay_short() {
    let comment = "y".repeat(1_000_000);
    let good = file("wide.pml", format!("byte x; active proctype P() {{ x = 1 /* {comment} */; assert(x == 2) }}"));
    let page = good.with_extension("html");
    let trace = good.with_extension("json");
    let start = Instant::now();
    let output = isospin(&["verify", "--html", &page.to_string_lossy(), "--trace", &trace.to_string_lossy()], &good);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(start.elapsed() < Duration::from_secs(60));
    assert!(std::fs::metadata(&page).expect("it is written").len() < 200_000);
    let bad = file("wide_typo.pml", format!("byte x; active proctype P() {{ x = 1 /* {comment} */; asert(x == 2) }}"));
    let output = isospin(&["verify"], &bad);
    is_refused(&output, &["wide_typo.pml:1:"]);
    assert!(said(&output).len() < 4_000, "{} bytes", said(&output).len());
}

#[test]
fn a_full_disk_is_an_error_wherever_it_is_met() {
    let model = file("full.pml", VIOLATED);
    for redirected in
        ["\"$ISOSPIN\" verify \"$MODEL\" > /dev/full", "\"$ISOSPIN\" verify --json \"$MODEL\" > /dev/full"]
    {
        let output = shell(redirected, &model);
        assert_eq!(output.status.code(), Some(2), "{redirected}");
        assert!(said(&output).contains("No space left"), "{}", said(&output));
    }
    for option in ["--trace", "--html", "--junit"] {
        let output = isospin(&["verify", option, "/dev/full"], &model);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(said(&output).contains("/dev/full"), "{}", said(&output));
        // The verdict is still told, and no trace is promised that is not there.
        assert!(said(&output).contains("violated"), "{}", said(&output));
        assert!(!said(&output).contains("in /dev/full"), "{}", said(&output));
    }
    let output = isospin(&["verify", "--html", "/no/such/directory/page.html"], &model);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_pipe_that_closes_early_is_no_error() {
    let model = file("pipe.pml", "byte x; active proctype P() { do :: x++; printf(\"%d\\n\", x) od }");
    for command in ["simulate -p -u 200000 --seed 1", "verify", "verify --json", "symmetry", "check --json"] {
        let script = format!("\"$ISOSPIN\" {command} \"$MODEL\" | head -1 > /dev/null");
        let output = shell(&script, &model);
        assert_eq!(said(&output), "", "{command}");
    }
}

#[test]
fn a_model_that_needs_too_much_memory_ends_as_unknown() {
    let model = file("large.pml", ENDLESS);
    let output = isospin(&["verify", "--safety", "--workers", "1", "--max-memory", "8M"], &model);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("unknown") && said(&output).contains("--max-memory"), "{}", said(&output));
}

/// Sends the signal that Ctrl-C sends.
fn interrupt(process: u32) {
    let sent = Command::new("kill").args(["-INT", &process.to_string()]).status().expect("kill starts");
    assert!(sent.success());
}

fn ends_within(child: &mut std::process::Child, limit: Duration) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().expect("it can be ended");
    None
}

#[test]
fn an_interrupt_ends_a_search_with_its_report() {
    let model = file("interrupted.pml", ENDLESS);
    let mut child = Command::new(env!("CARGO_BIN_EXE_isospin"))
        .args(["verify", "--safety", "--json", "--workers", "1", "--max-memory", "1G"])
        .arg(&model)
        .arg(file("second.pml", ENDLESS))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_secs(2));
    interrupt(child.id());
    assert_eq!(ends_within(&mut child, Duration::from_secs(60)), Some(130));
    let mut text = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut text).expect("it is text");
    let document: serde_json::Value = serde_json::from_str(&text).expect("a whole document");
    assert_eq!(document["reports"][0]["results"][0]["verdict"], "unknown");
    assert_eq!(document["skipped"].as_array().map(Vec::len), Some(1), "{document}");
}

#[test]
fn colours_are_for_terminals_and_lines_fit_into_narrow_ones() {
    let model = file("narrow.pml", VIOLATED);
    let trace = model.with_extension("json");
    let in_terminal = |columns: u32, variables: &str| {
        let script = format!(
            "script -qec 'stty rows 24 cols {columns}; cd {}; TERM=xterm {variables} \"{}\" verify --workers 1 --trace {} narrow.pml' /dev/null",
            model.parent().expect("a directory").display(),
            env!("CARGO_BIN_EXE_isospin"),
            trace.file_name().expect("a name").to_string_lossy()
        );
        let output = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().expect("a shell starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let coloured = in_terminal(100, "");
    assert!(coloured.contains("\u{1b}[1;31mviolated"), "{coloured}");
    let plain = in_terminal(100, "NO_COLOR=1");
    assert!(plain.contains("violated") && !plain.contains('\u{1b}'), "{plain}");
    let narrow = in_terminal(44, "NO_COLOR=1");
    // Verdict and commands stay whole; everything else is broken.
    let below = narrow.lines().skip(1).filter(|line| !line.contains("isospin "));
    for line in below {
        assert!(line.trim_end().chars().count() <= 44, "{line}\n{narrow}");
    }
    let piped = isospin(&["verify", "--trace", &trace.to_string_lossy()], &model);
    assert!(!said(&piped).contains('\u{1b}'), "{}", said(&piped));
}
