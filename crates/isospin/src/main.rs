//! The `isospin` command.

fn main() {
    println!("isospin {}", env!("CARGO_PKG_VERSION"));
}
