//! **initialisation-order**: a global's initial value reads another global that is still zero then.
//!
//! SPIN's verifier does not initialise globals in the order of the text, but by type: `unsigned` first, then narrow
//! numbers before wide ones, then channels, then structures.
//!
//! ```promela
//! int n = 3;
//! byte m = n;      // m is 0: bytes are initialised before ints
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Access, Visitor, walk};
use crate::model::{Base, GlobalId, Initial, Place};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let order = context.model.initialisation_order();
    let mut position = vec![0; order.len()];
    for (at, id) in order.iter().enumerate() {
        position[id.index()] = at;
    }
    for (number, variable) in context.model.globals.iter().enumerate() {
        if let Initial::Value(value) = &variable.initial {
            let mut reads = Reads(Vec::new());
            reads.expression(value);
            for (id, place) in reads.0 {
                let other = &context.model.globals[id.index()];
                let starts_with_zero = matches!(other.initial, Initial::Zero) && other.channel.is_none();
                if position[id.index()] > position[number] && !starts_with_zero {
                    let message = format!("`{}` is still 0 when `{}` is initialised", other.name, variable.name);
                    let note = "SPIN's verifier initialises globals by type: narrow numbers, wide numbers, channels";
                    diagnostics.push(Diagnostic::warning("initialisation-order", place.span, message).note(note));
                }
            }
        }
    }
}

struct Reads(Vec<(GlobalId, Place)>);

impl<'m> Visitor<'m> for Reads {
    fn place(&mut self, place: &Place, _: Access) {
        if let Base::Global(id) = place.base {
            self.0.push((id, place.clone()));
        }
        walk::place(self, place);
    }
}
