//! The README says what the program prints: every `$ isospin` in it is run, and what follows must be what comes out.

use std::path::Path;
use std::process::Command;

/// What of a line may differ from run to run: times, rates and memory. Everything else is as written.
fn without_measures(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_number = |word: &str| {
        let digits = word.trim_start_matches('(');
        !digits.is_empty() && digits.chars().all(|character| character.is_ascii_digit() || ".,".contains(character))
    };
    let is_unit = |word: &str| {
        let unit = word.trim_end_matches(['.', ',', ')', ';']);
        ["ms", "s", "states/s", "MB", "GB"].contains(&unit)
    };
    let mut text = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let measured = is_number(word) && words.get(index + 1).is_some_and(|next| is_unit(next));
        let is_bytes_per_state = words.get(index + 1..index + 4).is_some_and(|next| next == ["bytes", "per", "state"]);
        match () {
            () if measured && word.starts_with('(') => text.push("(~".to_string()),
            () if measured || is_bytes_per_state => text.push("~".to_string()),
            () if is_unit(word) => text.push(word.replace("ms", "s")),
            () => text.push((*word).to_string()),
        }
    }
    text.join(" ").replace("below ~ s", "~ s")
}

/// Commands and what is written below them.
fn transcripts(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    let mut current = None;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
            current = None;
        } else if let Some(command) = line.strip_prefix("$ isospin ").filter(|_| inside) {
            found.push((command.to_string(), Vec::new()));
            current = Some(found.len() - 1);
        } else if let Some(index) = current.filter(|_| !line.trim().is_empty()) {
            found[index].1.push(line.to_string());
        }
    }
    found
}

#[test]
fn transcripts_are_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transcripts");
    for folder in ["examples", "examples/families"] {
        std::fs::create_dir_all(copy.join(folder)).expect("it can be made");
        for entry in std::fs::read_dir(root.join(folder)).expect("it is there") {
            let path = entry.expect("it can be read").path();
            if path.is_file() {
                let name = path.file_name().expect("a file");
                std::fs::copy(&path, copy.join(folder).join(name)).expect("it can be copied");
            }
        }
    }
    let mut commands = 0;
    for document in ["README.md", "docs/tutorial.md", "docs/ci.md", "docs/symmetry.md"] {
        let Ok(text) = std::fs::read_to_string(root.join(document)) else { continue };
        for (command, expected) in transcripts(&text) {
            let output = Command::new("sh")
                .args(["-c", &format!("\"$ISOSPIN\" {command}")])
                .env("ISOSPIN", env!("CARGO_BIN_EXE_isospin"))
                .current_dir(&copy)
                .output()
                .expect("it starts");
            let printed = String::from_utf8_lossy(&output.stdout);
            let printed: Vec<String> =
                printed.lines().filter(|line| !line.trim().is_empty()).map(without_measures).collect();
            let mut rest = printed.iter();
            for line in expected.iter().filter(|line| line.trim() != "...") {
                let wanted = without_measures(line);
                assert!(
                    rest.any(|each| *each == wanted),
                    "{document}: `isospin {command}` does not print, in this order:\n{wanted}\nbut:\n{}\n{}",
                    printed.join("\n"),
                    String::from_utf8_lossy(&output.stderr)
                );
            }
            commands += 1;
        }
    }
    assert!(commands >= 2, "{commands}");
}

/// Numbers such as `37,978,003,271,681`.
fn large_numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii_digit() && character != ',')
        .map(|word| word.trim_matches(','))
        .filter(|word| word.contains(','))
}

#[test]
fn numbers_in_the_text_stand_in_a_transcript_or_in_the_table_of_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("it is there");
    let (readme, examples) = (read("README.md"), read("examples/README.md"));
    // Every second part is between marks: a transcript, which another test runs.
    let (transcripts, prose): (Vec<_>, Vec<_>) =
        readme.split("```").enumerate().partition(|(number, _)| number % 2 == 1);
    let checked: Vec<&str> =
        transcripts.iter().flat_map(|(_, text)| large_numbers(text)).chain(large_numbers(&examples)).collect();
    let told: Vec<&str> = prose.iter().flat_map(|(_, text)| large_numbers(text)).collect();
    assert!(told.len() >= 3, "{told:?}");
    for number in told {
        assert!(checked.contains(&number), "nothing checks the README's {number}");
    }
}

#[test]
fn measures_are_blanked_and_nothing_else() {
    assert_eq!(without_measures("  6 ms (52,502 states/s), 40 byte vectors"), "  ~ s (~ states/s), 40 byte vectors");
    assert_eq!(without_measures("303 states, 520 transitions"), "303 states, 520 transitions");
    assert_eq!(without_measures("1.20 s in all, 14 MB of memory"), "~ s in all, ~ MB of memory");
    assert_eq!(without_measures("below 1 ms (1 states/s)"), "~ s (~ states/s)");
}

/// The pages of the documentation.
fn pages(root: &Path) -> Vec<std::path::PathBuf> {
    let mut list = vec![root.join("README.md"), root.join("examples/README.md")];
    for directory in [root.join("docs"), root.join("docs/internals")] {
        let entries =
            std::fs::read_dir(directory).expect("it is there").map(|entry| entry.expect("it can be read").path());
        list.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    list
}

#[test]
fn links_lead_somewhere_and_the_summary_names_every_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let summary = std::fs::read_to_string(root.join("docs/SUMMARY.md")).expect("it is there");
    for page in pages(&root) {
        let text = std::fs::read_to_string(&page).expect("it can be read");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let file = link.split('#').next().unwrap_or_default();
            let is_elsewhere = file.is_empty() || file.contains("://") || file.contains(' ') || !file.contains('.');
            let target = page.parent().expect("a directory").join(file);
            assert!(is_elsewhere || target.exists(), "{}: {link} leads nowhere", page.display());
        }
        let docs = root.join("docs");
        if let Ok(name) = page.strip_prefix(&docs)
            && name != Path::new("SUMMARY.md")
        {
            assert!(summary.contains(&format!("({})", name.display())), "{} is not in SUMMARY.md", name.display());
        }
    }
}
