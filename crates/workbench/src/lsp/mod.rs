//! The language server: what is wrong with a model as it is typed, what its names mean, and its verdicts, in any editor that speaks the
//! language server protocol (3.17).
//!
//! ```text
//! editor ── messages ──▶ Server ── texts ──▶ documents ── load_with ──▶ analyses ──▶ problems, names, hover, …
//!                          └── commands ──▶ runs (processes of their own)
//! ```
//! Messages are taken one after the other. Texts are analysed when an answer needs it, or when nothing else is to be done, so that fast
//! typing costs no more than slow typing.

mod completion;
mod documents;
mod hover;
mod lenses;
mod names;
mod outline;
mod places;
mod problems;
mod runs;
mod server;
mod tokens;

use std::path::PathBuf;

pub use lsp_server::{Connection, Message, Notification, Request};
use promela::Options;
use serde_json::{Value, json};

use lenses::VERIFY;
use server::Server;

/// Serves an editor until it says good-bye. `program` is the command that verifies models; `options` say how they are read.
///
/// # Errors
/// When the other side does not keep to the protocol, or goes away.
pub fn serve(connection: Connection, program: PathBuf, options: Options) -> Result<(), String> {
    let parameters = connection.initialize(capabilities()).map_err(|error| error.to_string())?;
    Server::new(connection, program, options, &parameters).run()
}

/// Serves the editor at standard input and output.
///
/// # Errors
/// As [`serve`].
pub fn serve_standard_streams(program: PathBuf, options: Options) -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let served = serve(connection, program, options);
    threads.join().map_err(|error| error.to_string())?;
    served
}

/// What the server can do.
fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": [".", "@"] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": tokens::TYPES, "tokenModifiers": tokens::MODIFIERS },
            "full": true,
        },
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": {},
        "inlayHintProvider": true,
        "executeCommandProvider": { "commands": [VERIFY] },
    })
}
