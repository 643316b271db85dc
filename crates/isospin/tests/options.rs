//! No option of `isospin verify` is ignored: for every kind of property it changes something that the report shows, is noted there, or is refused.

mod support;

use support::{file, isospin};

/// Two equal processes that go on for ever, with something to reduce, and a violation of each kind of property.
const MODEL: &str =
    "byte x; active [2] proctype P() { byte t; do :: t = 1; t = t + 1; x = (x + t) % 8; t = 0; assert(x != 6) od }
                     active proctype Q() { do :: x == 7 -> break :: x = 2 od; assert(false) }
                     ltl p { [] (x != 4) }";

/// The same without errors, where formulas are decided.
const FORMULAS: &str = "byte x; active [2] proctype P() { byte t; do :: t = 1; t = t + 1; x = (x + t) % 8; t = 0 od }
                        ltl p { [] (x != 4) }";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Safety,
    InfiniteRuns,
    Tree,
}

/// What becomes of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// The report is another one, and has no note about the option.
    Used,
    /// The report notes that it is not used.
    Noted,
    /// Exit code 2, with a message that names it.
    Refused,
}

fn arguments(kind: Kind) -> Vec<String> {
    let path = match kind {
        Kind::Safety => file("options/safety.pml", MODEL),
        Kind::InfiniteRuns | Kind::Tree => file("options/formulas.pml", FORMULAS),
    };
    let words: &[&str] = match kind {
        Kind::Safety => &["--property", "safety"],
        Kind::InfiniteRuns => &["--property", "p"],
        Kind::Tree => &["--property", "ctl_1", "--ctl", "AF x == 9"],
    };
    let common = ["verify", "--trace", "/dev/null", "--confirm", "off", &path];
    common.iter().chain(words).map(|word| (*word).to_string()).collect()
}

/// A report without times, rates and memory; the exit code; what standard error says.
fn run(kind: Kind, options: &[&str]) -> (String, Option<i32>, String) {
    let mut words = arguments(kind);
    words.extend(options.iter().map(|word| (*word).to_string()));
    let output = isospin(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let text = String::from_utf8(output.stdout).expect("text");
    let measured = |line: &&str| !line.contains("states/s") && !line.contains("of memory");
    let text = text.lines().filter(measured).collect::<Vec<_>>().join("\n");
    (text, output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

/// Base options, the option in question with its value, and its fate for safety, infinite runs and trees.
type Row<'a> = (&'a [&'a str], &'a [&'a str], [Fate; 3]);

#[test]
fn every_option_is_used_noted_or_refused_for_every_kind_of_property() {
    use Fate::{Noted, Refused, Used};
    let checkpoint = std::env::temp_dir().join(format!("options-{}.checkpoint", std::process::id()));
    let checkpoint = checkpoint.display().to_string();
    let rows: &[Row<'_>] = &[
        (&[], &["--store", "plain"], [Used, Noted, Noted]),
        (&[], &["--store", "bitstate"], [Used, Refused, Refused]),
        (&[], &["--store", "compact"], [Used, Refused, Refused]),
        (&[], &["--seed", "7"], [Used, Noted, Noted]),
        (&[], &["--all-errors"], [Used, Noted, Noted]),
        (&[], &["--audit"], [Used, Noted, Noted]),
        (&["--reduce", "none"], &["--workers", "3"], [Used, Used, Noted]),
        (&["--fairness", "strong"], &["--workers", "3"], [Used, Noted, Noted]),
        (&["--reduce", "none"], &["--por", "on"], [Used, Used, Noted]),
        (&["--reduce", "none"], &["--merge", "on"], [Used, Used, Noted]),
        (&["--reduce", "none"], &["--dead", "on"], [Used, Used, Noted]),
        (&[], &["--symmetry", "off"], [Used, Used, Used]),
        (&[], &["--symmetry", "fast"], [Used, Used, Used]),
        (&[], &["--reduce", "none"], [Used, Used, Used]),
        (&["--reduce", "none"], &["--search", "bfs"], [Used, Used, Noted]),
        (&["--reduce", "none"], &["--shortest"], [Used, Used, Noted]),
        (&[], &["--engine", "interpreter"], [Used, Used, Used]),
        (&[], &["--fairness", "weak"], [Noted, Used, Used]),
        (&[], &["--fairness", "strong"], [Noted, Used, Used]),
        (&[], &["--max-depth", "1"], [Used, Used, Used]),
        (&[], &["--max-states", "1"], [Used, Used, Used]),
        (&[], &["--no-assertions"], [Used, Used, Used]),
        (&[], &["--no-end-states"], [Used, Noted, Noted]),
        (&[], &["--store", "bitstate", "--swarm", "2"], [Used, Refused, Refused]),
        (&["--property", "safety"], &["--checkpoint", &checkpoint], [Used, Noted, Noted]),
    ];
    for (base, option, fates) in rows {
        for (kind, fate) in [Kind::Safety, Kind::InfiniteRuns, Kind::Tree].into_iter().zip(fates) {
            // These concern the model, which has neither assertions nor end states there, or leave a file.
            let leaves_no_mark = match option[0] {
                "--no-assertions" => kind != Kind::Safety,
                "--no-end-states" | "--checkpoint" => kind == Kind::Safety,
                _ => false,
            };
            let (before, _, _) = run(kind, base);
            let (after, code, message) = run(kind, &[*base, *option].concat());
            let what = format!("{option:?} for {kind:?}:\n{before}\n---\n{after}\n{message}");
            let note = format!("{} is not used here", option[0]);
            match fate {
                Refused => {
                    assert_eq!(code, Some(2), "{what}");
                    assert!(message.contains(option[0]) || message.contains("swarm"), "{what}");
                }
                Noted => assert!(after.contains(&note), "{what}"),
                Used => {
                    assert!(matches!(code, Some(0 | 1 | 3)), "{what}");
                    assert!(!after.contains(&note), "{what}");
                    assert!(before != after || leaves_no_mark, "{what}");
                }
            }
        }
    }
    let _ = std::fs::remove_file(checkpoint);
}

#[test]
fn a_default_says_nothing() {
    for kind in [Kind::Safety, Kind::InfiniteRuns, Kind::Tree] {
        let (text, code, _) = run(kind, &[]);
        assert!(!text.contains("is not used here"), "{text}");
        assert_eq!(code, Some(1), "{text}");
    }
}

#[test]
fn an_option_that_another_property_uses_is_not_noted() {
    let path = file("options/both.pml", FORMULAS);
    let text = |options: &[&str]| {
        let output = isospin(&[&["verify", "--trace", "/dev/null", &path], options].concat());
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(!text(&["--fairness", "weak"]).contains("is not used here"));
    assert!(!text(&["--no-end-states"]).contains("is not used here"));
    assert!(text(&["--seed", "7"]).contains("--seed is not used here: its search has an order of its own"));
}

#[test]
fn what_contradicts_itself_is_refused() {
    let path = file("options/shortest.pml", MODEL);
    let output = isospin(&["verify", "--shortest", "--search", "dfs", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--shortest searches breadth first"));
    // All properties of the file are asked for, and one of them cannot be searched so.
    let output = isospin(&["verify", "--store", "bitstate", &path]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("--store cannot be used for p") && message.contains("--safety"), "{message}");
}

/// SPIN searches for cycles approximately; a command line of its own is not refused for that, but the report is honest.
#[test]
fn a_command_line_of_spin_is_noted_and_not_refused() {
    let path = file("options/spin.pml", "byte x; active proctype P() { do :: x = 1 - x od } ltl p { [] (x < 2) }");
    let mut command = support::command(&["spin", "-run", "-a", "-DBITSTATE", &path]);
    let output = command.current_dir(env!("CARGO_TARGET_TMPDIR")).output().expect("it starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("--store is not used here"), "{message}");
}
