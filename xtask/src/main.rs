//! Developer commands: `cargo xtask <command>`.

fn main() {
    eprintln!("usage: cargo xtask <command>");
    std::process::exit(2);
}
