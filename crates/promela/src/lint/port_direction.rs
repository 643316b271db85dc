//! **port-direction**: an external channel used against its direction.
//!
//! What is sent to a port that the environment sends to would come back as if the environment had sent it.
//!
//! ```promela
//! chan input (extern KEYBOARD ?) = [0] of { byte };
//! active proctype P() { input!1 }
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::{PortDirection, StatementKind};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for at in &context.code.statements {
        let (channel, used) = match &at.statement.kind {
            StatementKind::Send(send) => (&send.channel, PortDirection::Send),
            StatementKind::Receive(receive) => (&receive.channel, PortDirection::Receive),
            _ => continue,
        };
        let Some(variable) = context.model.reached(channel, at.owner) else { continue };
        let Some((port, declared)) = &variable.external else { continue };
        if *declared != used {
            let message = match declared {
                PortDirection::Send => format!("the model only sends through port `{port}`"),
                PortDirection::Receive => format!("the model only receives through port `{port}`"),
            };
            let warning = Diagnostic::warning("port-direction", at.statement.span, message);
            diagnostics.push(warning.also(variable.span, "declared here"));
        }
    }
}
