//! The pages of `isospin verify --html`, in a real browser: `page/check.js` opens them in Chromium and uses them.

use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A counter that goes to and fro, thousands of steps long.
const LONG: &str = "int x; chan q = [1] of { int };
    active proctype Ping() { do :: x < 1700 -> x++; q!x :: else -> break od; assert(x < 1700) }
    active proctype Pong() { int y; do :: q?y -> skip od }";

/// From 3 on there is a state that is not left, so that 0 is not always within reach.
const TRAP: &str = "byte x; active proctype P() { do :: x < 3 -> x++ :: x > 0 && x < 3 -> x = 0 od }";

/// Verifies a model and writes its page.
fn page(directory: &Path, model: &Path, options: &[&str]) -> PathBuf {
    let name = model.file_stem().expect("a file").to_string_lossy();
    let page = directory.join(format!("{name}.html"));
    let trace = directory.join(format!("{name}.trace.json"));
    let output = Command::new(env!("CARGO_BIN_EXE_isospin"))
        .args(["verify", "--workers", "1", "--html"])
        .arg(&page)
        .arg("--trace")
        .arg(&trace)
        .args(options)
        .arg(model)
        .output()
        .expect("the program starts");
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    page
}

#[test]
fn pages_work_in_a_browser() {
    let driver = workspace().join("target/browser");
    let is_there = driver.join("node_modules/playwright-core").is_dir() && Path::new("/usr/bin/chromium").exists();
    assert!(is_there, "this test needs Chromium and playwright-core: `cargo xtask setup` installs them");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    std::fs::create_dir_all(&directory).expect("it can be made");
    let long = directory.join("long.pml");
    std::fs::write(&long, LONG).expect("it can be written");
    let trap = directory.join("trap.pml");
    std::fs::write(&trap, TRAP).expect("it can be written");
    let examples = workspace().join("examples");
    let pages = [
        page(&directory, &examples.join("bounded_buffer.pml"), &["--safety"]),
        page(&directory, &long, &["--safety", "--por", "off", "--first"]),
        page(&directory, &examples.join("mutex_server.pml"), &["--safety"]),
        page(&directory, &trap, &["--property", "ctl_1", "--ctl", "AG EF x == 0"]),
        page(&directory, &examples.join("readers_writers.pml"), &["--property", "writer_served"]),
    ];
    let output = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page/check.js"))
        .arg(driver.canonicalize().expect("it is there"))
        .arg(&directory)
        .args(pages)
        .output()
        .expect("node starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stdout));
}

/// What repeats is said once, and the chart has an end: about 30 bytes a step, where the trace has 500.
#[test]
fn pages_of_long_runs_stay_small() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let model = directory.join("very_long.pml");
    std::fs::write(&model, LONG.replace("1700", "6000")).expect("it can be written");
    let page = page(directory, &model, &["--safety", "--por", "off", "--first"]);
    let bytes = |path: &Path| std::fs::metadata(path).expect("it is there").len();
    let trace = std::fs::read_to_string(directory.join("very_long.trace.json")).expect("it is written");
    let steps = trace.matches("{\"number\":").count() as u64;
    assert!(steps > 30_000, "{steps}");
    // The page itself, the chart of 5,000 steps, and the rest by the step.
    assert!(bytes(&page) < 100_000 + 5_000 * 600 + 40 * steps, "{} bytes for {steps} steps", bytes(&page));
}

#[test]
fn a_page_is_one_file_without_references_to_others() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let model = directory.join("alone.pml");
    // Text that would break out of HTML, of a script, or of a comment.
    let text = "byte x; active proctype P() { printf(\"</script><!--<script>&\"); x = 1; assert(x < 1 && x <= 2) }";
    std::fs::write(&model, text).expect("it can be written");
    let page = std::fs::read_to_string(page(directory, &model, &["--safety"])).expect("it is written");
    for reference in ["src=", "href=", "url(", "@import", "fetch(", "http://", "https://"] {
        let found = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!found.contains(reference), "{reference}");
    }
    assert_eq!(page.matches("</script>").count(), 2, "the text of the model ends no script");
    assert!(!page.contains("<!--"));
}
