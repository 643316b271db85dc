//! The examples of `examples/relations`, and the buffers of the paper that the feature comes from.

use std::path::Path;

use serde_json::Value;

use crate::support::{file, isospin};

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/relations").join(name).display().to_string()
}

fn compared(left: &str, right: &str, relation: &str, options: &[&str]) -> Value {
    let traces =
        [format!("relations/{relation}.left"), format!("relations/{relation}.right")].map(|name| file(&name, ""));
    let fixed = [
        "relate",
        left,
        right,
        "--relation",
        relation,
        "--json",
        "--left-trace",
        &traces[0],
        "--right-trace",
        &traces[1],
    ];
    let output = isospin(&[&fixed, options].concat());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{left} {relation} {right}: {error}");
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    let code = if document["verdict"] == "holds" { 0 } else { 1 };
    assert_eq!(output.status.code(), Some(code));
    document
}

fn verdict(left: &str, right: &str, relation: &str, options: &[&str]) -> String {
    let document = compared(&example(left), &example(right), relation, options);
    document["verdict"].as_str().expect("a word").to_string()
}

/// Left, right, relation, options, and whether it holds: what docs/relations.md and the heads of the models say.
const VERDICTS: &[(&str, &str, &str, &[&str], bool)] = &[
    ("buffer_chain.pml", "buffer_whole.pml", "trace-equivalence", &[], true),
    ("buffer_chain.pml", "buffer_whole.pml", "weak-bisimulation", &[], true),
    ("buffer_chain.pml", "buffer_whole.pml", "testing-equivalence", &[], true),
    ("buffer_chain.pml", "buffer_whole.pml", "strong-bisimulation", &[], false),
    ("buffer_chain.pml", "buffer_whole.pml", "trace-inclusion", &["--left-define", "LEAKY"], false),
    ("alternating_bit.pml", "one_place.pml", "trace-equivalence", &[], true),
    ("alternating_bit.pml", "one_place.pml", "failures-inclusion", &[], true),
    ("alternating_bit.pml", "one_place.pml", "fd-refinement", &[], false),
    ("alternating_bit.pml", "one_place.pml", "trace-inclusion", &["--left-define", "NO_BIT"], false),
    ("cached_memory.pml", "atomic_memory.pml", "trace-equivalence", &[], true),
    ("cached_memory.pml", "atomic_memory.pml", "trace-inclusion", &["--left-define", "LAZY"], false),
    ("one_server.pml", "server_pool.pml", "trace-inclusion", &[], true),
    ("server_pool.pml", "one_server.pml", "trace-inclusion", &[], false),
    ("server_pool.pml", "one_server.pml", "weak-bisimulation", &["--left-define", "POOL=1"], true),
    ("two_phase_commit.pml", "commit_spec.pml", "fd-refinement", &[], true),
    ("two_phase_commit.pml", "commit_spec.pml", "trace-inclusion", &["--left-define", "HASTY"], false),
    ("lamp_after.pml", "lamp_before.pml", "branching-bisimulation", &[], true),
    ("lamp_after.pml", "lamp_before.pml", "trace-inclusion", &["--left-define", "SHORT"], false),
];

#[test]
fn the_examples_have_their_verdicts() {
    for (left, right, relation, options, holds) in VERDICTS {
        let expected = if *holds { "holds" } else { "violated" };
        assert_eq!(verdict(left, right, relation, options), expected, "{left} {relation} {right} {options:?}");
        let options = [options, &["--reduce", "all"][..]].concat();
        assert_eq!(verdict(left, right, relation, &options), expected, "{left} {relation} {right}, reduced");
    }
}

#[test]
fn buffers_have_the_figures_of_the_paper() {
    let document = compared(
        &example("buffer_whole.pml"),
        &example("buffer_chain.pml"),
        "trace-equivalence",
        &["--reduce", "none"],
    );
    assert_eq!((document["pairs"].as_u64(), document["matched"].as_u64()), (Some(185), Some(400)), "{document}");
    assert_eq!(
        (document["left"]["sets"].as_u64(), document["right"]["sets"].as_u64()),
        (Some(185), Some(105)),
        "{document}"
    );
}

/// The text between two lines of the seed's text that stands in a block of code and contains a word.
fn figure<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.split("```").skip(1).step_by(2).find(|block| block.contains(word))
}

#[test]
fn figures_of_the_paper_are_read_as_they_are() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds");
    let Ok(entries) = std::fs::read_dir(seeds) else { return };
    let texts = entries.flatten().filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    let Some(text) = texts.into_iter().find(|text| text.contains("SPINE") && text.contains("proctype FIFO2")) else {
        return;
    };
    let find = |word| figure(&text, word).unwrap_or_else(|| panic!("there is a figure with {word}"));
    file("seed/Environment", find("proctype Environment"));
    let left = file("seed/specL", find("proctype FIFO2"));
    let right = file("seed/specR", find("proctype FIFO1"));
    let document = compared(&left, &right, "trace-equivalence", &[]);
    assert_eq!(document["verdict"], "holds");
    assert_eq!((document["pairs"].as_u64(), document["matched"].as_u64()), (Some(185), Some(400)), "{document}");
    assert_eq!(
        (document["left"]["sets"].as_u64(), document["right"]["sets"].as_u64()),
        (Some(185), Some(105)),
        "{document}"
    );
}
