//! Licences of everything that is built, and crates that are built twice, from `cargo metadata`: no tool to install, no network.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Licences that may be used together with ours.
const ALLOWED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unlicense",
    "CC0-1.0",
    "0BSD",
    "BSL-1.0",
    "Unicode-3.0",
    "MIT-0",
];

/// More crates than this in several versions, and somebody should look at why.
const MOST_DUPLICATES: usize = 12;

/// Checks the licences and reports duplicates.
pub fn check() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        if !root.join(file).is_file() {
            return Err(format!("{file} is missing"));
        }
    }
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata names no packages")?;
    let mut refused = Vec::new();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        let text = |field: &str| package[field].as_str().unwrap_or_default();
        versions.entry(text("name")).or_default().push(text("version"));
        if !is_allowed(text("license")) {
            refused.push(format!("{} {}: {:?}", text("name"), text("version"), text("license")));
        }
    }
    let twice: Vec<String> = versions
        .iter()
        .filter(|(_, list)| list.len() > 1)
        .map(|(name, list)| format!("{name} {}", list.join(" and ")))
        .collect();
    println!("{} crates, {} of them in several versions: {}", packages.len(), twice.len(), twice.join(", "));
    match (refused.is_empty(), twice.len() > MOST_DUPLICATES) {
        (false, _) => Err(format!("licences that are not on the list of {}:\n  {}", file!(), refused.join("\n  "))),
        (true, true) => {
            Err(format!("{} crates are built in several versions, {MOST_DUPLICATES} are tolerated", twice.len()))
        }
        (true, false) => Ok(()),
    }
}

/// Whether an SPDX expression can be satisfied with allowed licences. `/` is an old way to write `OR`.
fn is_allowed(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if expression.contains('(') {
        // With parentheses, all that is named must be allowed: stricter than needed, never laxer.
        return plain.split(" AND ").flat_map(|part| part.split(" OR ")).all(|name| ALLOWED.contains(&name.trim()));
    }
    plain.split(" OR ").any(|choice| choice.split(" AND ").all(|name| ALLOWED.contains(&name.trim())))
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn a_choice_needs_one_and_a_sum_all() {
        assert!(is_allowed("MIT OR GPL-3.0"));
        assert!(is_allowed("MIT/Apache-2.0"));
        assert!(is_allowed("Apache-2.0 WITH LLVM-exception"));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!is_allowed("MIT AND GPL-3.0"));
        assert!(!is_allowed("GPL-3.0"));
        assert!(!is_allowed(""));
    }
}
