//! Measures lexing and preprocessing on a generated model of 50,000 lines: `cargo run --release --example preprocess_speed`.

use std::time::Instant;

use promela::preprocess::{InMemory, Options, preprocess};
use promela::source::SourceMap;

fn main() {
    let mut text =
        String::from("#define N 8\n#define INC(v) v = (v + 1) % N\n#define in_range(v) (0 <= (v) && (v) < N)\n");
    let mut lines = 3;
    for process in 0..6250 {
        text.push_str(&format!(
            "/* process {process} */\nproctype P{process}(chan input; byte id) {{\n  byte count, value_{process};\n  do\n  \
             :: input?value_{process} -> INC(count); // next\n  :: count < N && in_range(count) -> count = count + {process}\n  \
             od\n}}\n"
        ));
        lines += 8;
    }
    for _ in 0..5 {
        let mut sources = SourceMap::new();
        let start = Instant::now();
        let Ok(main) = sources.add_file("generated.pml", text.as_str()) else { return };
        let mut diagnostics = Vec::new();
        let tokens = preprocess(&mut sources, main, &Options::default(), &InMemory::default(), &mut diagnostics);
        let seconds = start.elapsed().as_secs_f64();
        let megabytes = text.len() as f64 / 1e6;
        println!(
            "{lines} lines, {megabytes:.2} MB, {} tokens: {:.1} ms, {:.0} MB/s",
            tokens.len(),
            seconds * 1e3,
            megabytes / seconds
        );
    }
}
