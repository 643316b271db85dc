//! `isospin fmt` as a user meets it: what it prints, what it writes, and how it ends.
//!
//! That formatting changes nothing but white space is a law of the library and tested there; here it is the files that count.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const UNTIDY: &str = "/* a counter */\n#define N   3\nbyte x;\n\n\n\nactive [N] proctype P(){\n#ifdef SLOW\nskip;\n#endif\ndo\n::x<N->x++ // up\n:: else->break\nod}\n";

/// Runs `isospin` on a standard input.
fn isospin(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isospin"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program under test can be started");
    // A command that does not read its input closes it; that is no failure of the test.
    let _ = child.stdin.take().expect("the input is a pipe").write_all(input);
    child.wait_with_output().expect("the program under test ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A directory that is removed again.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("isospin-fmt-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary directory is writable");
        Scratch(path)
    }

    fn file(&self, name: &str, text: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).expect("the temporary directory is writable");
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Best effort: what stays behind is in the temporary directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("the file is still there")
}

/// The tree of a text that is accepted, printed: what the text means, whatever its layout.
fn meaning(text: &str) -> String {
    let loaded = promela::load_text("model.pml", text, &promela::Options::default());
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    promela::print::print(&loaded.ast)
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    let output = isospin(&["fmt", "-"], UNTIDY.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
    let formatted = stdout(&output);
    for kept in ["/* a counter */", "#define N   3", "#ifdef SLOW", "#endif", "// up"] {
        assert!(formatted.contains(kept), "{kept} is lost:\n{formatted}");
    }
    assert!(formatted.contains("\t:: x < N -> x++ // up\n"), "{formatted}");
    assert_eq!(meaning(&formatted), meaning(UNTIDY));
    let again = isospin(&["fmt", "-"], formatted.as_bytes());
    assert_eq!(stdout(&again), formatted, "formatting what was formatted changes nothing");
}

#[test]
fn escape_sequences_in_a_comment_survive() {
    let text = "byte x; // \u{1b}[31mred\u{1b}[0m\n";
    assert_eq!(stdout(&isospin(&["fmt", "-"], text.as_bytes())), text);
}

#[test]
fn files_are_formatted_in_place_and_once() {
    let scratch = Scratch::new("in-place");
    let (first, second) = (scratch.file("a.pml", UNTIDY.as_bytes()), scratch.file("b.pml", b"byte  x;\n"));
    let output = isospin(&["fmt", &first, &second], b"");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), format!("formatted {first}\nformatted {second}\n"));
    assert_eq!(read(&second), "byte x;\n");
    let formatted = read(&first);
    let output = isospin(&["fmt", &first, &second], b"");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()));
    assert_eq!(read(&first), formatted);
    assert_eq!(fs::read_dir(&scratch.0).map(Iterator::count).ok(), Some(2), "nothing is left beside the files");
}

#[test]
fn check_writes_nothing_and_tells_what_would_change() {
    let scratch = Scratch::new("check");
    let path = scratch.file("a.pml", b"byte x;\nbyte  y;\n");
    let output = isospin(&["fmt", "--check", &path], b"");
    assert_eq!(output.status.code(), Some(1));
    let diff = stdout(&output);
    assert!(diff.contains("-byte  y;\n+byte y;\n"), "{diff}");
    assert_eq!(read(&path), "byte x;\nbyte  y;\n");
    let output = isospin(&["fmt", "--check", "-"], b"byte x;\n");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()));
}

#[test]
fn what_cannot_be_formatted_is_reported_and_left_alone() {
    let scratch = Scratch::new("refused");
    let (open, bytes, good) = (
        scratch.file("open.pml", b"init { do :: skip }\n"),
        scratch.file("bytes.pml", b"byte x; /* \xe9 */\n"),
        scratch.file("good.pml", b"byte  x;\n"),
    );
    let output = isospin(&["fmt", &open, &bytes, "no-such-file.pml", &good], b"");
    assert_eq!(output.status.code(), Some(2));
    let messages = stderr(&output);
    for part in ["stands where `od` is expected", "is not UTF-8", "cannot read no-such-file.pml"] {
        assert!(messages.contains(part), "{part}: {messages}");
    }
    assert_eq!(read(&open), "init { do :: skip }\n");
    assert_eq!(read(&good), "byte x;\n", "one bad file does not stop the others");
}

#[cfg(unix)]
#[test]
fn links_and_modes_stay_what_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new("links");
    let path = scratch.file("real.pml", b"byte  x;\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("the file is ours");
    let link = scratch.0.join("link.pml");
    symlink(&path, &link).expect("the temporary directory can hold links");
    assert!(isospin(&["fmt", &link.to_string_lossy()], b"").status.success());
    assert!(link.is_symlink());
    assert_eq!(read(&path), "byte x;\n");
    assert_eq!(fs::metadata(&path).map(|it| it.permissions().mode() & 0o777).ok(), Some(0o640));
}
