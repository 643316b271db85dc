//! Crates that we build and whose authors took them back: "yanked" versions, asked of the crates.io index.
//!
//! A version with a known hole is normally yanked; the advisory database itself is `cargo deny check advisories`, which is not
//! needed to build or test and is not installed here.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Fails if a version in `Cargo.lock` was withdrawn; without a network it says that nobody was asked.
pub fn check() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
    let locked = from_the_registry(&lock);
    let mut names: Vec<&str> = locked.iter().map(|&(name, _)| name).collect();
    names.dedup();
    let mut versions = match ask(&names, &["--parallel"]) {
        Ok(versions) => versions,
        Err(reason) => return no_answer(&reason),
    };
    // Answers that come at the same time may be mixed up, so who is missing is asked again, one by one.
    let entry = |versions: &[Value], &(name, version): &(&str, &str)| {
        versions.iter().find(|entry| entry["name"] == name && entry["vers"] == version).cloned()
    };
    let missing: Vec<&str> =
        locked.iter().filter(|each| entry(&versions, each).is_none()).map(|&(name, _)| name).collect();
    if !missing.is_empty() {
        match ask(&missing, &[]) {
            Ok(more) => versions.extend(more),
            Err(reason) => return no_answer(&reason),
        }
    }
    let withdrawn = |each: &&(&str, &str)| entry(&versions, each).is_none_or(|entry| entry["yanked"] != false);
    let found: Vec<String> =
        locked.iter().filter(withdrawn).map(|(name, version)| format!("{name} {version}")).collect();
    if !found.is_empty() {
        return Err(format!("withdrawn, or not in the index: {}", found.join(", ")));
    }
    println!("none of {} crates is withdrawn", locked.len());
    Ok(())
}

/// What the index says of all versions of these crates.
fn ask(names: &[&str], how: &[&str]) -> Result<Vec<Value>, String> {
    let addresses = names.iter().map(|name| format!("https://index.crates.io/{}", index_path(name)));
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--fail", "--max-time", "60"]).args(how).args(addresses);
    let output = curl.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(output.status.to_string());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

fn no_answer(reason: &str) -> Result<(), String> {
    println!("whether a crate is withdrawn is not known: the index of crates.io gave no answer ({reason})");
    Ok(())
}

/// Names and versions of what comes from crates.io.
fn from_the_registry(lock: &str) -> Vec<(&str, &str)> {
    let field = |package: &str, name: &str| -> Option<(usize, usize)> {
        let start = package.find(&format!("\n{name} = \""))? + name.len() + 5;
        Some((start, start + package[start..].find('"')?))
    };
    let package = |text| {
        let ((name, name_end), (version, version_end)) = (field(text, "name")?, field(text, "version")?);
        field(text, "source").map(|_| (&text[name..name_end], &text[version..version_end]))
    };
    lock.split("[[package]]").filter_map(package).collect()
}

/// Where the index keeps a crate.
fn index_path(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.len() {
        1 | 2 => format!("{}/{name}", name.len()),
        3 => format!("3/{}/{name}", &name[..1]),
        _ => format!("{}/{}/{name}", &name[..2], &name[2..4]),
    }
}
