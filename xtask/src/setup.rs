//! Installs what tests use: Debian packages as oracles, and a browser with what drives it. Users of isospin never need them.

use std::path::Path;
use std::process::Command;

/// A program that tests call, and the Debian package that has it.
struct Tool {
    program: &'static str,
    package: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool { program: "spin", package: "spin" },
    Tool { program: "gcc", package: "gcc" },
    // Compiles SPIN's verifiers in milliseconds.
    Tool { program: "tcc", package: "tcc" },
    Tool { program: "gap", package: "gap-core" },
    Tool { program: "dreadnaut", package: "nauty" },
    // The pages of `verify --html` are tried in a real browser.
    Tool { program: "chromium", package: "chromium" },
    Tool { program: "node", package: "nodejs" },
    Tool { program: "npm", package: "npm" },
];

/// What drives the browser, and the version that the tests were written for.
const DRIVER: &str = "playwright-core@1.65.0";

/// Where it is installed; tests look for it there.
const DRIVER_DIRECTORY: &str = "target/browser";

/// Installs what is missing.
pub fn install() -> Result<(), String> {
    packages()?;
    driver()
}

/// From the registry of npm; no browser comes with it.
fn driver() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let directory = root.join(DRIVER_DIRECTORY);
    if directory.join("node_modules/playwright-core/package.json").is_file() {
        return Ok(());
    }
    println!("installing {DRIVER} with npm");
    std::fs::create_dir_all(&directory).map_err(|error| format!("cannot create {}: {error}", directory.display()))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix"])
        .arg(&directory)
        .arg(DRIVER);
    match npm.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("npm ended with {status}; install {DRIVER} in {DRIVER_DIRECTORY} by hand")),
        Err(error) => {
            Err(format!("npm could not be started ({error}); install {DRIVER} in {DRIVER_DIRECTORY} by hand"))
        }
    }
}

/// Debian packages whose programs are missing.
fn packages() -> Result<(), String> {
    let missing: Vec<&str> = TOOLS.iter().filter(|tool| !on_path(tool.program)).map(|tool| tool.package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing {} with apt-get", missing.join(", "));
    apt(&["update"])?;
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(missing);
    apt(&arguments)
}

fn apt(arguments: &[&str]) -> Result<(), String> {
    let mut command = if on_path("sudo") && !is_root() {
        let mut command = Command::new("sudo");
        command.arg("apt-get");
        command
    } else {
        Command::new("apt-get")
    };
    command.args(["-qq"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("apt-get {} ended with {status}; install the packages by hand", arguments.join(" "))),
        Err(error) => Err(format!("apt-get could not be started ({error}); install the packages by hand")),
    }
}

/// Whether a program can be found.
pub fn on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}

fn is_root() -> bool {
    // Only root may list its own directory, and /root exists on every Debian machine.
    Path::new("/root").read_dir().is_ok()
}
