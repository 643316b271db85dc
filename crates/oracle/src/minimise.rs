//! Cuts a model down while it keeps a property, piece by piece, until nothing more can go.
//!
//! The pieces that are tried are, from large to small: process definitions, options, statements and declarations; a compound
//! statement may also be replaced by its body. Greedy and simple: models are small and a test of the property takes milliseconds.

use crate::generate::sketch::{Piece, Sketch};

/// The smallest model found that still has the property. `keeps` is asked about at most `budget` models.
pub fn minimise(sketch: &Sketch, budget: usize, mut keeps: impl FnMut(&Sketch) -> bool) -> Sketch {
    let mut best = sketch.clone();
    let mut asked = 0;
    loop {
        let mut smaller = false;
        let mut position = 0;
        while let Some(candidate) = candidate(&best, position) {
            if asked == budget {
                return best;
            }
            asked += 1;
            if keeps(&candidate) {
                best = candidate;
                smaller = true;
            } else {
                position += 1;
            }
        }
        if !smaller {
            return best;
        }
    }
}

/// The model with the cut of that number made; `None` when there are no more.
fn candidate(sketch: &Sketch, mut number: usize) -> Option<Sketch> {
    let mut cut = sketch.clone();
    if number < cut.processes.len() {
        cut.processes.remove(number);
        return Some(cut);
    }
    number -= cut.processes.len();
    if number < cut.globals.len() {
        cut.globals.remove(number);
        return Some(cut);
    }
    number -= cut.globals.len();
    for process in &mut cut.processes {
        if number < process.locals.len() {
            process.locals.remove(number);
            return Some(cut);
        }
        number -= process.locals.len();
        if cut_body(&mut process.body, &mut number) {
            return Some(cut);
        }
    }
    None
}

/// Makes cut number `number` in a body, counting down; whether it was made.
fn cut_body(body: &mut Vec<Piece>, number: &mut usize) -> bool {
    for position in 0..body.len() {
        if body.len() > 1 && take(number) {
            body.remove(position);
            return true;
        }
        for inside in replacements(&body[position]) {
            if take(number) {
                body.splice(position..=position, inside);
                return true;
            }
        }
        if cut_piece(&mut body[position], number) {
            return true;
        }
    }
    false
}

/// What can stand in the place of a statement.
fn replacements(piece: &Piece) -> Vec<Vec<Piece>> {
    match piece {
        Piece::Basic(text) if text == "skip" => Vec::new(),
        Piece::Basic(_) => vec![vec![Piece::Basic("skip".to_string())]],
        Piece::Labelled(_, inner) => vec![vec![(**inner).clone()]],
        Piece::Choice(_, options) => options.clone(),
        Piece::Block(_, body) => vec![body.clone()],
        Piece::Unless(main, escape) => vec![main.clone(), escape.clone()],
    }
}

fn cut_piece(piece: &mut Piece, number: &mut usize) -> bool {
    match piece {
        Piece::Basic(_) => false,
        Piece::Labelled(_, inner) => cut_piece(inner, number),
        Piece::Choice(_, options) => {
            for position in 0..options.len() {
                if options.len() > 1 && take(number) {
                    options.remove(position);
                    return true;
                }
            }
            options.iter_mut().any(|option| cut_body(option, number))
        }
        Piece::Block(_, body) => cut_body(body, number),
        Piece::Unless(main, escape) => cut_body(main, number) || cut_body(escape, number),
    }
}

fn take(number: &mut usize) -> bool {
    let here = *number == 0;
    *number = number.wrapping_sub(1);
    here
}

#[cfg(test)]
mod tests {
    use super::minimise;
    use crate::generate::sketch::{Choice, Piece, ProcessSketch, Sketch};

    #[test]
    fn what_the_property_needs_is_left_and_nothing_else() {
        let basic = |text: &str| Piece::Basic(text.to_string());
        let options = vec![vec![basic("a"), basic("b")], vec![basic("needle"), basic("c")]];
        let body =
            vec![basic("x"), Piece::Block("atomic".into(), vec![Piece::Choice(Choice::If, options)]), basic("y")];
        let process = |body| ProcessSketch { head: "init".into(), locals: vec!["byte l".into()], body };
        let sketch =
            Sketch { globals: vec!["byte g".into()], processes: vec![process(body), process(vec![basic("z")])] };
        let small = minimise(&sketch, 1_000, |candidate| candidate.to_string().contains("needle"));
        let expected = ProcessSketch { head: "init".into(), locals: vec![], body: vec![basic("needle")] };
        assert_eq!(small, Sketch { globals: vec![], processes: vec![expected] });
    }
}
