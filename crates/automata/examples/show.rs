//! Debug print.
use automata::{atom::AtomTable, reduce::Kind, simplify::simplify, text::parse, translate::translate_to};
fn main() {
    let mut atoms = AtomTable::default();
    let f = parse(&std::env::args().nth(1).unwrap(), &mut atoms).unwrap();
    println!("{}", simplify(&f).spot(&atoms));
    for kind in [Kind::Generalised, Kind::BuchiStates] {
        let a = translate_to(&f, kind).unwrap();
        println!("{:?} {:?}", a.size(), a.is_deterministic());
        for s in a.states() {
            for e in a.edges(s) {
                let c: Vec<String> = a
                    .cubes(e.guard)
                    .iter()
                    .map(|c| {
                        c.literals
                            .iter()
                            .map(|(x, v)| format!("{}{}", if *v { "" } else { "!" }, atoms.name(*x)))
                            .collect::<Vec<_>>()
                            .join("&")
                    })
                    .collect();
                println!("{} -> {} {:?}  {}", s.0, e.target.0, e.marks, c.join(" | "));
            }
        }
    }
}
