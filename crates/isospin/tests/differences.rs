//! The models of `docs/differences`: each shows where isospin differs from SPIN on purpose, and says in its first lines what both do.
//!
//! `// $ COMMAND` runs a command, `// exit N`, `// prints TEXT` and `// lacks TEXT` say what comes of it.

use std::path::Path;
use std::process::Command;

struct Expectation {
    command: String,
    exit: Option<i32>,
    prints: Vec<String>,
    lacks: Vec<String>,
}

fn expectations(text: &str) -> Vec<Expectation> {
    let mut list: Vec<Expectation> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("// ")) {
        if let Some(command) = line.strip_prefix("$ ") {
            list.push(Expectation { command: command.into(), exit: None, prints: Vec::new(), lacks: Vec::new() });
            continue;
        }
        let Some(last) = list.last_mut() else { continue };
        match line.split_once(' ') {
            Some(("exit", code)) => last.exit = Some(code.parse().expect("a number")),
            Some(("prints", text)) => last.prints.push(text.into()),
            Some(("lacks", text)) => last.lacks.push(text.into()),
            _ => panic!("not understood: {line}"),
        }
    }
    list
}

#[test]
fn differences_from_spin_are_as_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = std::fs::read_to_string(root.join("coming-from-spin.md")).expect("it is there");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("differences");
    std::fs::create_dir_all(&directory).expect("it can be made");
    let mut models = 0;
    for entry in std::fs::read_dir(root.join("differences")).expect("it is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(page.contains(&format!("(differences/{name})")), "{name} is not in coming-from-spin.md");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        std::fs::write(directory.join(&name), &text).expect("it can be written");
        let list = expectations(&text);
        assert!(list.len() >= 2, "{name} says nothing");
        for Expectation { command, exit, prints, lacks } in list {
            let mut words = command.split(' ');
            let program = match words.next() {
                Some("isospin") => env!("CARGO_BIN_EXE_isospin"),
                Some("spin") => "spin",
                other => panic!("{name}: {other:?}"),
            };
            let output = Command::new(program).args(words).current_dir(&directory).output().expect("it starts");
            let printed = String::from_utf8_lossy(&output.stdout);
            let said = format!("{name}: {command}\n{printed}{}", String::from_utf8_lossy(&output.stderr));
            assert!(exit.is_none_or(|exit| output.status.code() == Some(exit)), "{said}");
            prints.iter().for_each(|text| assert!(printed.contains(text.as_str()), "{text:?} is missing in {said}"));
            lacks.iter().for_each(|text| assert!(!printed.contains(text.as_str()), "{text:?} is in {said}"));
        }
        models += 1;
    }
    assert!(models >= 7, "{models}");
}
