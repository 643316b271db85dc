//! The debug adapter: a counterexample, a random run or one that a person chooses is stepped through in an editor, forwards and backwards
//! (debug adapter protocol 1.65).
//!
//! ```text
//! editor ── requests ──▶ serve ── launch ──▶ model (text, conditions) ──▶ Debugger (a run, breakpoints) ── view ──▶ answers
//! ```
//! Threads are processes. A run is a list of choices, so to go back is to take the first ones again, and whoever goes forward from there sees the same
//! run, unless another choice is taken. Conditions of breakpoints are read in the scope of the model; when they change, the model is read again and the
//! run taken to the same place.

mod breakpoints;
mod debugger;
mod model;
mod transport;
mod view;

use std::io::{BufRead, Write};
use std::rc::Rc;

use promela::Options;
use serde_json::{Value, json};

use debugger::{Debugger, Leave};
use model::{Launch, Loaded};
use transport::Link;

/// Serves an editor until it disconnects.
///
/// # Errors
/// When the other side does not keep to the protocol, or goes away in the middle of a message.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write, options: &Options) -> Result<(), String> {
    let mut link = Link::new(input, output);
    while let Some(request) = link.next()? {
        match request.command.as_str() {
            "initialize" => {
                link.answer(&request, capabilities());
                link.event("initialized", json!({}));
            }
            "launch" => {
                if debug(&mut link, &request, options)? == Leave::Session {
                    return Ok(());
                }
            }
            "attach" => link.refuse(&request, "there is nothing to attach to: a model is launched"),
            "disconnect" | "terminate" => {
                link.answer(&request, Value::Null);
                return Ok(());
            }
            // Before there is a model nobody knows which lines have statements; the editor sends them again.
            "setBreakpoints" => {
                let count = request.arguments["breakpoints"].as_array().map_or(0, Vec::len);
                link.answer(&request, json!({ "breakpoints": vec![json!({ "verified": false }); count] }));
                link.postpone(request);
            }
            "setExceptionBreakpoints" | "setFunctionBreakpoints" | "setDataBreakpoints" => {
                link.answer(&request, json!({ "breakpoints": [] }));
                link.postpone(request);
            }
            "configurationDone" => {
                link.answer(&request, Value::Null);
                link.postpone(request);
            }
            "threads" => link.answer(&request, json!({ "threads": [] })),
            other => link.refuse(&request, &format!("{other}: no model is launched")),
        }
    }
    Ok(())
}

/// Debugs one model until the session ends, reading it again when conditions change.
fn debug<W: Write>(link: &mut Link<W>, request: &transport::Request, options: &Options) -> Result<Leave, String> {
    let launched = Launch::read(&request.arguments, options).and_then(|launch| {
        let loaded = Loaded::new(&Rc::new(launch), &[])?;
        let kept = loaded.begin()?;
        Ok((loaded, kept))
    });
    let (mut loaded, mut kept) = match launched {
        Ok(launched) => launched,
        Err(message) => {
            link.refuse(request, &message);
            return Ok(Leave::Model);
        }
    };
    link.answer(request, Value::Null);
    loop {
        let mut debugger = Debugger::new(&loaded, kept)?;
        let leave = debugger.serve(link)?;
        kept = debugger.keep();
        match leave {
            // Each of them was read before.
            Leave::ForConditions => loaded = loaded.again(&kept.conditions())?,
            Leave::Restart => kept = kept.restarted(),
            Leave::Session | Leave::Model => return Ok(leave),
        }
    }
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsFunctionBreakpoints": true,
        "supportsDataBreakpoints": true,
        "supportsStepBack": true,
        "supportsStepInTargetsRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsExceptionInfoRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsSingleThreadExecutionRequests": false,
    })
}
