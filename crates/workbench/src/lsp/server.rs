//! The loop of the language server: messages in, answers and news out.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use gen_lsp_types::{
    CodeActionParams, Diagnostic, DiagnosticSeverity, DidChangeTextDocumentParams, DidOpenTextDocumentParams,
    ExecuteCommandParams, Hover, InlayHintParams, Message as Text, Position, PublishDiagnosticsParams, Range,
    ReferenceParams, RenameParams, SemanticTokens, TextDocumentIdentifier, TextDocumentPositionParams, TextEdit, Uri,
    WorkspaceSymbolParams,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use promela::Options;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json, to_value};

use super::documents::{Document, Documents, Place};
use super::lenses::VERIFY;
use super::places::{normal, path_of, range_of, uri_of};
use super::runs::{Ended, Purpose, Report, Run, Symmetry, Verdict};
use super::{completion, hover, lenses, names, outline, problems, tokens};

/// Why a request has no answer.
struct Failure(ErrorCode, String);

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure(ErrorCode::RequestFailed, message)
    }
}

/// What the editor says about the models when it starts.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Settings {
    /// As `-D` of the command line.
    definitions: Vec<String>,
    /// As `-I`.
    include_directories: Vec<PathBuf>,
}

impl Settings {
    /// What the command line said, with what the editor says behind it.
    fn options(self, command_line: &Options) -> Options {
        let mut options = command_line.clone();
        options.preprocess.defines.extend(self.definitions);
        options.preprocess.include_dirs.extend(self.include_directories);
        options
    }
}

/// One editor's server.
pub struct Server {
    connection: Connection,
    program: PathBuf,
    /// How the command line said that models are read.
    command_line: Options,
    documents: Documents,
    /// Texts have changed since problems were last shown.
    is_stale: bool,
    /// The problems that the editor shows.
    shown: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// Verdicts of models as they are on disk, by model and file.
    verdicts: BTreeMap<PathBuf, Vec<(PathBuf, Diagnostic)>>,
    symmetries: BTreeMap<PathBuf, Symmetry>,
    runs: Vec<Run>,
    last_number: u64,
    ended: (Sender<Ended>, Receiver<Ended>),
    shows_progress: bool,
    refreshes_hints: bool,
}

impl Server {
    /// A server for an editor that said this of itself.
    pub fn new(connection: Connection, program: PathBuf, command_line: Options, parameters: &Value) -> Server {
        let can = |pointer: &str| parameters.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
        let settings = Settings::deserialize(&parameters["initializationOptions"]).unwrap_or_default();
        let documents = Documents::new(settings.options(&command_line));
        Server {
            connection,
            program,
            command_line,
            documents,
            is_stale: false,
            shown: BTreeMap::new(),
            verdicts: BTreeMap::new(),
            symmetries: BTreeMap::new(),
            runs: Vec::new(),
            last_number: 0,
            ended: unbounded(),
            shows_progress: can("/capabilities/window/workDoneProgress"),
            refreshes_hints: can("/capabilities/workspace/inlayHint/refreshSupport"),
        }
    }

    /// Works until the editor ends the session.
    pub fn run(mut self) -> Result<(), String> {
        loop {
            let message = select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(message) => message,
                    // The editor is gone without a word.
                    Err(_) => break,
                },
                recv(self.ended.1) -> ended => {
                    ended.into_iter().for_each(|ended| self.finish(ended));
                    self.show_problems();
                    continue;
                }
            };
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                        break;
                    }
                    self.serve(request);
                    // An answer has needed the analysis, so this costs little.
                    self.show_problems();
                }
                Message::Notification(notification) => self.note(notification),
                // We ask only for what needs no answer.
                Message::Response(_) => {}
            }
            if self.connection.receiver.is_empty() {
                self.show_problems();
            }
        }
        self.runs.iter().for_each(Run::stop);
        Ok(())
    }

    fn send(&self, message: impl Into<Message>) {
        // If the editor is gone, the next message is not received.
        let _ = self.connection.sender.send(message.into());
    }

    fn serve(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
        let bug = || Failure(ErrorCode::InternalError, format!("{method} failed: this is a bug in isospin"));
        self.send(match answer.unwrap_or_else(|_| Err(bug())) {
            Ok(answer) => Response::new_ok(id, answer),
            Err(Failure(code, message)) => Response::new_err(id, code as i32, message),
        });
    }

    fn answer(&mut self, method: &str, parameters: Value) -> Result<Value, Failure> {
        let value = match method {
            "textDocument/hover" => to_value(self.hover(parameters)?),
            "textDocument/definition" => to_value(self.at(parameters)?.as_ref().map(names::definitions)),
            "textDocument/references" => {
                let with_definition = read::<ReferenceParams>(parameters.clone())?.context.include_declaration;
                to_value(self.at(parameters)?.map(|place| names::references(&place, with_definition)))
            }
            "textDocument/documentHighlight" => {
                let uri = document(&parameters)?;
                to_value(self.at(parameters)?.map(|place| names::highlights(&place, &uri)))
            }
            "textDocument/prepareRename" => {
                to_value(self.at(parameters)?.as_ref().map(names::renamed_range).transpose()?)
            }
            "textDocument/rename" => {
                let new = read::<RenameParams>(parameters.clone())?.new_name;
                let place = self.at(parameters)?.ok_or_else(|| "this file is not open".to_owned())?;
                to_value(names::rename(&self.documents, &place, &new)?)
            }
            "textDocument/completion" => to_value(self.at(parameters)?.as_ref().map(completion::completions)),
            "textDocument/signatureHelp" => to_value(self.at(parameters)?.as_ref().and_then(completion::signature)),
            "textDocument/documentSymbol" => {
                let uri = document(&parameters)?;
                to_value(self.documents.model_of(&uri).map(|analysis| outline::symbols(&analysis, &uri)))
            }
            "workspace/symbol" => {
                let query = read::<WorkspaceSymbolParams>(parameters)?.query;
                let models = self.documents.models();
                to_value(models.iter().flat_map(|analysis| outline::find(analysis, &query)).collect::<Vec<_>>())
            }
            "textDocument/semanticTokens/full" => to_value(self.tokens(&document(&parameters)?)),
            "textDocument/formatting" => to_value(self.format(&document(&parameters)?)?),
            "textDocument/codeAction" => {
                let CodeActionParams { text_document: TextDocumentIdentifier { uri }, range, .. } = read(parameters)?;
                to_value(self.documents.model_of(&uri).map(|analysis| problems::mends(&analysis, &uri, range)))
            }
            "textDocument/codeLens" => {
                let uri = document(&parameters)?;
                to_value(self.documents.model_of(&uri).map(|analysis| lenses::lenses(&analysis, &uri)))
            }
            "textDocument/inlayHint" => {
                let InlayHintParams { text_document: TextDocumentIdentifier { uri }, range, .. } = read(parameters)?;
                let analysis = self.documents.model_of(&uri);
                let hints = analysis.and_then(|analysis| {
                    let symmetry = self.symmetries.get(&analysis.root)?;
                    Some(lenses::hints(&analysis, &uri, range, symmetry))
                });
                to_value(hints)
            }
            "workspace/executeCommand" => to_value(self.execute(read(parameters)?)?),
            other => return Err(Failure(ErrorCode::MethodNotFound, format!("{other} is not served"))),
        };
        value.map_err(|error| Failure(ErrorCode::InternalError, error.to_string()))
    }

    /// The place that a request is about.
    fn at(&mut self, parameters: Value) -> Result<Option<Place>, Failure> {
        let TextDocumentPositionParams { text_document, position } = read(parameters)?;
        Ok(self.documents.place(&text_document.uri, position))
    }

    fn hover(&mut self, parameters: Value) -> Result<Option<Hover>, Failure> {
        let Some(place) = self.at(parameters)? else { return Ok(None) };
        Ok(hover::hover(&place, self.symmetries.get(&place.analysis.root)))
    }

    fn tokens(&mut self, uri: &Uri) -> Option<SemanticTokens> {
        let analysis = self.documents.model_of(uri)?;
        let file = analysis.file(&path_of(uri))?;
        Some(SemanticTokens::new(None, tokens::tokens(&analysis, file)))
    }

    /// One edit that replaces the text, or none if nothing changes.
    fn format(&mut self, uri: &Uri) -> Result<Option<Vec<TextEdit>>, String> {
        let Some(place) = self.documents.place(uri, Position::default()) else { return Ok(None) };
        let text = place.text();
        let formatted = promela::format::format(text).map_err(|error| error.to_string())?;
        let edit = || vec![TextEdit::new(place.range(0..text.len()), formatted.clone())];
        Ok(Some(if formatted == text { Vec::new() } else { edit() }))
    }

    // ------------------------------------------------------------------------------------------ texts

    fn note(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let is_noted = catch_unwind(AssertUnwindSafe(|| self.try_note(&method, params)));
        if let Ok(Err(Failure(_, message))) = is_noted {
            self.tell(1, &format!("{method}: {message}"));
        }
    }

    fn try_note(&mut self, method: &str, parameters: Value) -> Result<(), Failure> {
        match method {
            "textDocument/didOpen" => {
                let opened = read::<DidOpenTextDocumentParams>(parameters)?.text_document;
                let uri = opened.uri.clone();
                self.put(Document { uri: opened.uri, text: opened.text, version: opened.version });
                self.look_for_symmetry(&uri);
            }
            "textDocument/didChange" => {
                let changed: DidChangeTextDocumentParams = read(parameters)?;
                let identifier = changed.text_document;
                let uri = identifier.text_document_identifier.uri;
                let mut document =
                    self.documents.get(&uri).cloned().ok_or_else(|| "this file is not open".to_owned())?;
                changed.content_changes.into_iter().for_each(|change| document.change(change));
                document.version = identifier.version;
                self.put(document);
            }
            "textDocument/didSave" => self.look_for_symmetry(&document(&parameters)?),
            "textDocument/didClose" => {
                self.documents.close(&document(&parameters)?);
                self.is_stale = true;
            }
            "workspace/didChangeConfiguration" => {
                let settings = parameters.pointer("/settings/isospin").cloned().unwrap_or_default();
                let settings = Settings::deserialize(&settings).unwrap_or_default();
                self.documents.set_options(settings.options(&self.command_line));
                self.is_stale = true;
            }
            "window/workDoneProgress/cancel" => {
                let stopped = self.runs.iter().filter(|run| parameters["token"] == json!(token(run.number)));
                stopped.for_each(Run::stop);
            }
            _ => {}
        }
        Ok(())
    }

    fn put(&mut self, document: Document) {
        let path = path_of(&document.uri);
        self.documents.put(document);
        // What was found out about the text before is not known of this one.
        self.verdicts.retain(|model, found| *model != path && found.iter().all(|(file, _)| *file != path));
        self.symmetries.remove(&path);
        self.is_stale = true;
    }

    /// Shows what is wrong now, where that has changed.
    fn show_problems(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let mut now: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for analysis in self.documents.models() {
            let verdicts = self.verdicts.get(&analysis.root).into_iter().flatten().cloned();
            let verdicts = verdicts.map(|(path, verdict)| (path, vec![verdict]));
            for (path, found) in problems::problems(&analysis).into_iter().chain(verdicts) {
                let all = now.entry(path).or_default();
                // A file may belong to several models.
                found.into_iter().for_each(|each| {
                    if !all.contains(&each) {
                        all.push(each)
                    }
                });
            }
        }
        let gone: Vec<PathBuf> = self.shown.keys().filter(|path| !now.contains_key(*path)).cloned().collect();
        gone.into_iter().for_each(|path| drop(now.insert(path, Vec::new())));
        for (path, diagnostics) in &now {
            if self.shown.get(path).map_or(&[][..], Vec::as_slice) != diagnostics {
                let uri = uri_of(path);
                let version = self.documents.get(&uri).map(|document| document.version);
                let parameters = PublishDiagnosticsParams::new(uri, version, diagnostics.clone());
                self.send(Notification::new("textDocument/publishDiagnostics".to_owned(), parameters));
            }
        }
        now.retain(|_, diagnostics| !diagnostics.is_empty());
        self.shown = now;
    }

    // ------------------------------------------------------------------------------------------ runs

    fn execute(&mut self, parameters: ExecuteCommandParams) -> Result<Value, Failure> {
        let ExecuteCommandParams { command, arguments, .. } = parameters;
        let mut arguments = arguments.unwrap_or_default().into_iter();
        if command != VERIFY {
            return Err(format!("there is no command `{command}`").into());
        }
        let uri: Uri = read(arguments.next().unwrap_or_default())?;
        let property: Option<String> = read(arguments.next().unwrap_or_default())?;
        let path = path_of(&uri);
        let is_saved = |document: &Document| std::fs::read_to_string(&path).is_ok_and(|text| text == document.text);
        if self.documents.get(&uri).is_some_and(|document| !is_saved(document)) {
            return Err("save the file first: the text on the disk is verified".to_owned().into());
        }
        self.start(Purpose::Verify(property), &path)?;
        Ok(Value::Null)
    }

    /// Looks for what breaks symmetry in a model that is on the disk and has no errors.
    fn look_for_symmetry(&mut self, uri: &Uri) {
        let Some(analysis) = self.documents.model_of(uri) else { return };
        if analysis.loaded.model.is_some() && analysis.root.is_file() {
            // Without it there are no hints, which is no reason to say something.
            let _ = self.start(Purpose::Symmetry, &analysis.root);
        }
    }

    /// Starts a command on a model. The same one, if it is running still, is stopped.
    fn start(&mut self, purpose: Purpose, model: &Path) -> Result<(), String> {
        self.runs.iter().filter(|run| run.purpose == purpose && run.model == model).for_each(Run::stop);
        self.last_number += 1;
        let number = self.last_number;
        let options = &self.documents.options.preprocess;
        let run = Run::start(number, &self.program, purpose.clone(), model, options, self.ended.0.clone())?;
        self.runs.push(run);
        if let (Purpose::Verify(property), true) = (purpose, self.shows_progress) {
            let title = format!("verifying {}", property.as_deref().unwrap_or("the model"));
            let create = json!({ "token": token(number) });
            self.send(Request::new(token(number).into(), "window/workDoneProgress/create".to_owned(), create));
            self.progress(number, json!({ "kind": "begin", "title": title, "cancellable": true }));
        }
        Ok(())
    }

    fn progress(&self, number: u64, value: Value) {
        let parameters = json!({ "token": token(number), "value": value });
        self.send(Notification::new("$/progress".to_owned(), parameters));
    }

    /// Shows what came out of a run, unless a newer one was started meanwhile.
    fn finish(&mut self, ended: Ended) {
        self.runs.retain(|run| run.number != ended.number);
        let is_replaced = self.runs.iter().any(|run| run.purpose == ended.purpose && run.model == ended.model);
        match ended.purpose {
            Purpose::Verify(_) => {
                if self.shows_progress {
                    self.progress(ended.number, json!({ "kind": "end" }));
                }
                if !is_replaced {
                    self.show_verdicts(&ended.model, &ended.output);
                }
            }
            Purpose::Symmetry if !is_replaced => {
                if let Ok(symmetry) = serde_json::from_str(&ended.output) {
                    self.symmetries.insert(ended.model, symmetry);
                    if self.refreshes_hints {
                        let id = format!("hints {}", ended.number).into();
                        self.send(Request::new(id, "workspace/inlayHint/refresh".to_owned(), Value::Null));
                    }
                }
            }
            Purpose::Symmetry => {}
        }
    }

    fn show_verdicts(&mut self, model: &Path, output: &str) {
        let Ok(Report { results }) = serde_json::from_str(output) else {
            let reason = output.lines().next().unwrap_or("it was stopped");
            self.tell(2, &format!("no verdict: {reason}"));
            return;
        };
        let is_fine = results.iter().all(|verdict| verdict.verdict == "holds");
        let lines: Vec<String> = results.iter().map(in_words).collect();
        self.tell(if is_fine { 3 } else { 1 }, &lines.join("\n"));
        let shown = results.iter().filter_map(|verdict| self.violation(model, verdict)).collect();
        self.verdicts.insert(model.to_owned(), shown);
        self.is_stale = true;
    }

    /// A violation as a problem of the line where it happens.
    fn violation(&self, model: &Path, verdict: &Verdict) -> Option<(PathBuf, Diagnostic)> {
        let violation = verdict.violation.as_ref()?;
        let path = violation.file.as_ref().map_or_else(|| model.to_owned(), |file| normal(&folder(model).join(file)));
        let line = violation.line.unwrap_or(1).max(1) - 1;
        let place = self.documents.get(&uri_of(&path)).map(|document| whole_line(&document.text, line));
        let place = place.unwrap_or_else(|| Range::new(Position::new(line, 0), Position::new(line, 0)));
        let trace =
            violation.trace.as_ref().map(|trace| format!("\nthe run is in {}", folder(model).join(trace).display()));
        let diagnostic = Diagnostic {
            range: place,
            severity: Some(DiagnosticSeverity::Error),
            source: Some("isospin verify".to_owned()),
            message: Text::String(format!("{}{}", in_words(verdict), trace.unwrap_or_default())),
            ..Diagnostic::default()
        };
        Some((path, diagnostic))
    }

    /// Tells the user something: 1 is an error, 2 a warning, 3 only news.
    fn tell(&self, kind: u32, message: &str) {
        let parameters = json!({ "type": kind, "message": message });
        self.send(Notification::new("window/showMessage".to_owned(), parameters));
    }
}

fn folder(model: &Path) -> &Path {
    model.parent().unwrap_or_else(|| Path::new(""))
}

fn token(number: u64) -> String {
    format!("isospin {number}")
}

fn in_words(verdict: &Verdict) -> String {
    let Verdict { property, verdict, reason, violation, states } = verdict;
    let more = match (violation, reason) {
        (Some(violation), _) => {
            let steps = violation.length.map_or_else(String::new, |length| format!(", after {length} steps"));
            format!(": {}{steps}", violation.message)
        }
        (None, Some(reason)) => format!(": {reason}"),
        (None, None) => format!(", {states} states"),
    };
    format!("{property} {}{more}", if verdict == "violated" { "is violated" } else { verdict })
}

/// The text of a line without its indentation.
fn whole_line(text: &str, number: u32) -> Range {
    let mut sources = promela::source::SourceMap::new();
    let line = text.lines().nth(number as usize).unwrap_or("");
    let start = line.len() - line.trim_start().len();
    let columns = match sources.add_file("", line) {
        Ok(file) => range_of(sources.file(file), start..line.trim_end().len().max(start)),
        Err(_) => Range::default(),
    };
    Range::new(Position::new(number, columns.start.character), Position::new(number, columns.end.character))
}

/// The text that a request is about.
fn document(parameters: &Value) -> Result<Uri, Failure> {
    Ok(read::<TextDocumentIdentifier>(parameters["textDocument"].clone())?.uri)
}

fn read<T: DeserializeOwned>(parameters: Value) -> Result<T, Failure> {
    serde_json::from_value(parameters).map_err(|error| Failure(ErrorCode::InvalidParams, error.to_string()))
}
