//! What was asked for and is not used is said: reductions that a property does not bear, and options of every command that mean nothing beside others.

mod support;

use support::{command, file};

/// A process that makes progress, one with a variable that dies, and a formula.
const MODEL: &str =
    "byte x; active proctype P() { byte t; do :: t = 1; t = t + 1; x = (x + t) % 8; progress: t = 0 od }
                     active proctype Q() { do :: x = 2 od }
                     ltl p { [] (x != 9) }";

/// Runs a command in a directory of its own; all that it says, and its exit code.
fn said(arguments: &[&str]) -> (String, Option<i32>) {
    let output = command(arguments).current_dir(env!("CARGO_TARGET_TMPDIR")).output().expect("it starts");
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).expect("text"), output.status.code())
}

#[test]
fn a_reduction_that_a_property_does_not_bear_is_noted_with_the_reason() {
    let path = file("unused/model.pml", MODEL);
    let strong = "with strong fairness the run behind what was found could not be told";
    let rows: &[(&[&str], &[&str])] = &[
        (&["--property", "non-progress"], &["merging was not used: a process at rest makes no progress"]),
        (
            &["--property", "p", "--fairness", "strong"],
            &[&format!("merging was not used: {strong}"), &format!("dead variables were not used: {strong}")],
        ),
        (
            &["--property", "p", "--shortest", "--merge", "on"],
            &["merging was not used: a shortest run is one of single steps"],
        ),
    ];
    for (options, notes) in rows {
        let (text, _) = said(&[&["verify", "--trace", "/dev/null", &path], *options].concat());
        // A line that is too long goes on in the next one.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        notes.iter().for_each(|note| assert!(text.contains(note), "{options:?}: {note}\n{text}"));
        let without = [*options, &["--merge", "off", "--dead", "off"]].concat();
        let without: Vec<&str> = without.into_iter().filter(|word| *word != "on").collect();
        if !options.contains(&"--merge") {
            let (text, _) = said(&[vec!["verify", "--trace", "/dev/null", path.as_str()], without].concat());
            assert!(!text.contains("merging was not") && !text.contains("dead variables were not"), "{text}");
        }
    }
}

#[test]
fn options_that_mean_nothing_beside_others_are_refused_or_noted() {
    let path = file("unused/simple.pml", "byte x; active [2] proctype P() { x++; assert(x < 2) }");
    let trace = format!("{path}.json");
    assert_eq!(said(&["verify", "--trace", &trace, &path]).1, Some(1));
    let trail = file("unused/simple.pml.trail", "1:0:0\n");
    let rows: &[(&[&str], Option<i32>, &str)] = &[
        (&["symmetry", "--picture", "program", &path], Some(2), "--picture"),
        (&["ltl", "--kind", "generalised", "<> p"], Some(2), "--kind"),
        (&["ltl", "--kind", "generalised", "--format", "hoa", "<> p"], Some(0), "HOA"),
        (&["verify", "--checkpoint-interval", "1s", &path], Some(2), "--checkpoint-interval"),
        (
            &["verify", "--trace", "/dev/null", "--reduce", "none", "--confirm", "1s", &path],
            Some(1),
            "--confirm is not used",
        ),
        (&["simulate", "--seed", "1", "--trace", &trace, &path], Some(1), "--seed is not used here"),
        (&["simulate", "--interactive", "--steps", "3", &path], Some(0), "--steps is not used here"),
        (&["replay", "--force", &path, &trail], Some(2), "--force"),
    ];
    for (arguments, code, words) in rows {
        let (text, found) = said(arguments);
        assert_eq!(found, *code, "{arguments:?}: {text}");
        assert!(text.contains(words), "{arguments:?}: {text}");
    }
}
