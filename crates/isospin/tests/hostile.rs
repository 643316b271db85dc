//! What goes wrong around a model checker: bad files, full disks, closed pipes, impatient people. It may not panic, hang or mislead.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const VIOLATED: &str = "byte x; active [2] proctype P() { x++; assert(x < 2) }";
const ENDLESS: &str = "int x[4]; active [4] proctype P() { do :: x[_pid]++; assert(x[_pid] != -1) od }";

fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
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
        is_refused(&isospin(&["verify"], &file("empty.pml", text)), &["empty.pml", "no process"]);
    }
    is_refused(&isospin(&["verify"], &file("empty.pml", " \n")), &["empty.pml is empty"]);
}

/// Gives a text to standard input.
fn fed(script: &str, text: &str) -> Output {
    shell(script, &file("fed.pml", text))
}

#[test]
fn models_come_from_standard_input_and_from_pipes_too() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile/fed");
    std::fs::create_dir_all(&directory).expect("it can be made");
    let here = directory.to_string_lossy();
    // Read once or more often: with a formula, by `spin`, by `replay` of a formula's trace.
    for (command, code, words) in [
        ("verify --workers 1 -", 1, "<stdin>: safety violated at <stdin>:1"),
        ("verify --safety --ltl '<> (x == 7)' -", 1, "formula_1 violated"),
        ("verify --json -", 1, "\"<stdin>\""),
        ("simulate -", 1, "assertion violated"),
        ("symmetry -", 0, "<stdin>: 2 symmetries"),
        ("show --preprocessed --state -", 0, "proctype"),
        ("check -", 0, "<stdin>: ok"),
        ("spin -run -", 1, "assertion violated (x<2)"),
        ("spin -f '<> (x == 2)' -run -", 1, "claim"),
        ("replay - stdin.trace.json", 0, "confirmed"),
        ("replay - stdin.formula_1.trace.json", 0, "confirmed"),
    ] {
        let script = format!("cd '{here}' && \"$ISOSPIN\" {command} < \"$MODEL\"");
        let output = fed(&script, VIOLATED);
        assert_eq!(output.status.code(), Some(code), "{command}: {}", said(&output));
        assert!(said(&output).contains(words), "{command}: {}", said(&output));
        let pipe = directory.join("pipe");
        let _ = std::fs::remove_file(&pipe);
        let through = command.replace(" -\n", " pipe\n").replacen(" - ", " pipe ", 1);
        let through = through.strip_suffix(" -").map_or(through.clone(), |start| format!("{start} pipe"));
        let script = format!("cd '{here}' && mkfifo pipe && (cat \"$MODEL\" > pipe & \"$ISOSPIN\" {through})");
        let output = fed(&script, VIOLATED);
        assert_eq!(output.status.code(), Some(code), "{through}: {}", said(&output));
    }
    is_refused(&fed("\"$ISOSPIN\" simulate -i - < \"$MODEL\"", VIOLATED), &["has to be a file"]);
    is_refused(&fed("\"$ISOSPIN\" spin -a - < \"$MODEL\"", VIOLATED), &["has to be a file"]);
}

/// Half a page would only mislead. A limit on the size of files cuts them off as a full disk does.
#[test]
fn what_cannot_be_written_whole_is_not_left_behind() {
    let model = file("cut.pml", VIOLATED);
    for (command, ending) in [
        ("verify --html \"$MODEL.html\" --trace /dev/null", "html"),
        ("verify --trace \"$MODEL.json\"", "json"),
        ("simulate --msc \"$MODEL.svg\"", "svg"),
    ] {
        let left = PathBuf::from(format!("{}.{ending}", model.display()));
        let _ = std::fs::remove_file(&left);
        let output = shell(&format!("trap '' XFSZ; ulimit -f 1; \"$ISOSPIN\" {command} \"$MODEL\""), &model);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains(&format!("cut.pml.{ending}")), "{}", said(&output));
        assert!(!left.exists(), "{} is left behind", left.display());
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
fn a_full_disk_is_told_and_hides_no_violation() {
    let (violated, holds) = (file("full.pml", VIOLATED), file("room.pml", "byte x; active proctype P() { x = 1 }"));
    for (model, code) in [(&violated, 1), (&holds, 2)] {
        for redirected in
            ["\"$ISOSPIN\" verify \"$MODEL\" > /dev/full", "\"$ISOSPIN\" verify --json \"$MODEL\" > /dev/full"]
        {
            let output = shell(redirected, model);
            assert_eq!(output.status.code(), Some(code), "{redirected}");
            assert!(said(&output).contains("No space left"), "{}", said(&output));
        }
        for option in ["--html", "--junit"] {
            let output = isospin(&["verify", option, "/dev/full"], model);
            assert_eq!(output.status.code(), Some(code), "{option}");
            assert!(said(&output).contains("/dev/full"), "{}", said(&output));
        }
        let output = isospin(&["verify", "--html", "/no/such/directory/page.html"], model);
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn a_violation_whose_trace_cannot_be_written_is_a_violation() {
    let model = file("unwritten.pml", VIOLATED);
    for place in ["/dev/full", "/no/such/directory/trace.json", "/tmp"] {
        let output = isospin(&["verify", "--trace", place], &model);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let words = ["violated", "assert(x < 2)", "was not saved", "--trace FILE"];
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
        assert!(!said.contains("replay"), "no trace is promised that is not there: {said}");
        let output = isospin(&["verify", "--json", "--trace", place], &model);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a whole document");
        assert_eq!(output.status.code(), Some(1), "{document}");
        let result = &document["results"][0];
        assert_eq!((&result["verdict"], &result["violation"]["trace"]), (&"violated".into(), &serde_json::Value::Null));
        assert!(result["warnings"][0].as_str().is_some_and(|warning| warning.contains(place)), "{document}");
    }
}

#[test]
fn what_is_read_is_never_written() {
    let model = file("precious.pml", VIOLATED);
    let name = model.to_string_lossy();
    for option in ["--trace", "--html", "--junit", "--checkpoint"] {
        is_refused(&isospin(&["verify", option, &name], &model), &[option, "overwrite"]);
    }
    is_refused(&isospin(&["simulate", "--save", &name], &model), &["--save", "overwrite"]);
    let page = model.with_extension("out");
    let page = page.to_string_lossy();
    is_refused(&isospin(&["verify", "--html", &page, "--junit", &page], &model), &["both write"]);
    assert_eq!(std::fs::read_to_string(&model).expect("it is still there"), VIOLATED);
    let both = isospin(&["verify", "--trace", "/dev/null", "--html", "/dev/null"], &model);
    assert_eq!(both.status.code(), Some(1), "{}", said(&both));
}

#[test]
fn proposed_commands_can_be_copied_into_a_shell() {
    let model = file("a model's name.pml", VIOLATED);
    let text = said(&isospin(&["verify"], &model));
    let command = text.lines().find_map(|line| line.split_once("step by step:")).expect("a command is proposed").1;
    let script = command.trim().replacen("isospin", "\"$ISOSPIN\"", 1);
    let replayed = shell(&script, &model);
    assert!(said(&replayed).contains("assertion violated"), "{script}: {}", said(&replayed));
}

/// A text of which reading alone takes seconds.
fn long_text() -> String {
    format!("int x; active proctype P() {{ {} }}", "x = x + 1;\n".repeat(1_500_000))
}

/// A model of few lines that takes long to prepare: its symmetries are those of a hundred processes that look at each other.
fn long_to_prepare() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/families/peterson_stepwise.pml")
}

/// Where the work was when the time was up is part of the reason. Without the watch over what never looks at a clock it would be
/// another one: of the search, which comes long after.
#[test]
fn time_limits_hold_while_a_model_is_read_and_prepared() {
    let read = file("long_text.pml", long_text());
    for (model, options, place) in [
        (&read, vec!["--max-time", "100ms"], "while the model was read"),
        (&long_to_prepare(), vec!["--max-time", "1s", "-D", "N=100"], "while the model was prepared"),
    ] {
        let output = isospin(&[vec!["verify", "--safety", "--json"], options].concat(), model);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a whole document");
        assert_eq!(output.status.code(), Some(3), "{document}");
        let result = &document["results"][0];
        assert_eq!((&result["property"], &result["verdict"]), (&"safety".into(), &"unknown".into()), "{document}");
        assert!(result["reason"].as_str().is_some_and(|reason| reason.contains(place)), "{document}");
    }
    std::fs::remove_file(read).expect("it is large");
}

/// The first line of progress says that signals are waited for, so no time has to be guessed.
#[test]
fn an_interrupt_ends_the_preparation_with_a_report() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isospin"))
        .args(["verify", "--safety", "--json", "--progress", "json", "-D", "N=100"])
        .arg(long_to_prepare())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut progress = String::new();
    let mut lines = std::io::BufReader::new(child.stderr.take().expect("it is piped"));
    std::io::BufRead::read_line(&mut lines, &mut progress).expect("it is text");
    assert!(progress.contains("\"states\":0,"), "nothing is searched yet: {progress}");
    interrupt(child.id());
    let mut text = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut text).expect("it is text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{text}");
    let document: serde_json::Value = serde_json::from_str(&text).expect("a whole document");
    let result = &document["results"][0];
    assert_eq!(result["verdict"], "unknown", "{document}");
    assert!(
        result["reason"].as_str().is_some_and(|reason| reason.contains("while the model was prepared")),
        "{document}"
    );
}

#[test]
fn numbers_that_make_no_sense_are_refused_in_plain_words() {
    let model = file("numbers.pml", VIOLATED);
    for (option, value, words) in [
        ("--workers", "0", "from 1 on"),
        ("--workers", "-3", "from 1 on"),
        ("--max-memory", "0", "more than nothing"),
        ("--max-time", "-1", "negative"),
        ("--max-depth", "-1", "-1"),
    ] {
        is_refused(&isospin(&["verify", option, value], &model), &[option, words]);
    }
}

#[test]
fn a_name_of_a_megabyte_that_is_misspelled_is_refused_at_once() {
    let (declared, used) = ("x".repeat(1_000_000), "x".repeat(999_999));
    let model = file("name.pml", format!("byte {declared}; active proctype P() {{ {used} = 1 }}"));
    let start = Instant::now();
    is_refused(&isospin(&["check"], &model), &["no variable"]);
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// The atomic is followed to its end by both engines, and neither needs time that grows with the square of its length.
#[test]
fn a_long_atomic_is_followed_to_its_end() {
    let text = "int x; active proctype P() { atomic { do :: x < 20000 -> x++ :: else -> break od; assert(false) } }";
    let model = file("long_atomic.pml", text);
    for engine in ["jit", "interpreter"] {
        let start = Instant::now();
        let output = isospin(&["verify", "--engine", engine, "--trace", "/dev/null"], &model);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(start.elapsed() < Duration::from_secs(100), "{engine}: {:?}", start.elapsed());
    }
}

/// A run that stays inside an `atomic` has no states for a claim to look at: that no other run violates it is no proof.
#[test]
fn no_claim_holds_because_of_an_atomic_that_never_ends() {
    let text = "byte x; active proctype P() { atomic { do :: x = 1 - x od } } ltl p { <> (x == 5) }";
    let model = file("endless_atomic.pml", text);
    for arguments in [["--property", "p"], ["--ctl", "AF x == 5"]] {
        let output = isospin(&["verify", "--json", arguments[0], arguments[1]], &model);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a whole document");
        let results = document["results"].as_array().expect("a list");
        let claims = results.iter().filter(|result| result["property"] != "safety");
        for claim in claims {
            assert_eq!(claim["verdict"], "unknown", "{claim}");
        }
        assert_eq!(output.status.code(), Some(3), "{document}");
    }
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
