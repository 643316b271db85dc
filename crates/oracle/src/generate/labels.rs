//! Labels, put in when the body is complete: SPIN allows none on the first statement of an option, an escape or a block.

use super::sketch::Piece;
use crate::random::Random;

/// The targets of jumps.
pub const JUMP_LABELS: [&str; 2] = ["L0", "L1"];

/// Labels with a meaning; each is used at most once.
const SPECIAL: [&str; 3] = ["end0", "progress0", "accept0"];

/// Puts the labels that the body jumps to, those that are `wanted`, and sometimes one with a meaning.
pub fn place(random: &mut Random, body: &mut [Piece], wanted: Vec<String>) {
    let mut labels = wanted;
    for label in JUMP_LABELS {
        if jumps_to(body, label) {
            labels.push(label.to_string());
        }
    }
    for label in SPECIAL {
        if random.chance(8) {
            labels.push(label.to_string());
        }
    }
    for label in labels {
        let mut places = 0;
        count(body, true, &mut places);
        if places > 0 {
            let mut chosen = random.below(places);
            insert(body, true, &mut chosen, &label);
        }
    }
}

fn jumps_to(body: &[Piece], label: &str) -> bool {
    body.iter().any(|piece| match piece {
        Piece::Basic(text) => text.strip_prefix("goto ") == Some(label),
        Piece::Labelled(_, inner) => jumps_to(std::slice::from_ref(inner), label),
        Piece::Choice(_, options) => options.iter().any(|option| jumps_to(option, label)),
        Piece::Block(_, body) => jumps_to(body, label),
        Piece::Unless(main, escape) => jumps_to(main, label) || jumps_to(escape, label),
    })
}

/// Counts the places where a label may stand. A jump may not lead into a `d_step`.
fn count(body: &[Piece], top: bool, places: &mut usize) {
    for (number, piece) in body.iter().enumerate() {
        *places += usize::from((top || number > 0) && takes_label(piece));
        match piece {
            Piece::Basic(_) => {}
            Piece::Labelled(_, inner) => count_inside(inner, places),
            _ => count_inside(piece, places),
        }
    }
}

/// SPIN does not allow two labels before an `unless`.
fn takes_label(piece: &Piece) -> bool {
    !matches!(piece, Piece::Labelled(_, inner) if matches!(**inner, Piece::Unless(..)))
}

fn count_inside(piece: &Piece, places: &mut usize) {
    match piece {
        Piece::Basic(_) => {}
        Piece::Labelled(_, inner) => count_inside(inner, places),
        Piece::Choice(_, options) => options.iter().for_each(|option| count(option, false, places)),
        Piece::Block(head, body) if head != "d_step" => count(body, false, places),
        Piece::Block(..) => {}
        Piece::Unless(main, escape) => {
            count(main, false, places);
            count(escape, false, places);
        }
    }
}

/// Puts the label at the chosen place, counted as above; whether it is done.
fn insert(body: &mut [Piece], top: bool, chosen: &mut usize, label: &str) -> bool {
    for (number, piece) in body.iter_mut().enumerate() {
        if (top || number > 0) && takes_label(piece) {
            if *chosen == 0 {
                let inner = std::mem::replace(piece, Piece::Basic(String::new()));
                *piece = Piece::Labelled(label.to_string(), Box::new(inner));
                return true;
            }
            *chosen -= 1;
        }
        if insert_inside(piece, chosen, label) {
            return true;
        }
    }
    false
}

fn insert_inside(piece: &mut Piece, chosen: &mut usize, label: &str) -> bool {
    match piece {
        Piece::Basic(_) => false,
        Piece::Labelled(_, inner) => insert_inside(inner, chosen, label),
        Piece::Choice(_, options) => options.iter_mut().any(|option| insert(option, false, chosen, label)),
        Piece::Block(head, body) if head != "d_step" => insert(body, false, chosen, label),
        Piece::Block(..) => false,
        Piece::Unless(main, escape) => insert(main, false, chosen, label) || insert(escape, false, chosen, label),
    }
}
