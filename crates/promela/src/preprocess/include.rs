//! `#include`: where files are looked for, and who reads them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Preprocessor;
use super::file::OpenFile;
use super::symbol::PreToken;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::token::TokenKind;

/// Gives the text of included files.
pub trait FileLoader {
    /// The text of the file at `path`; bytes that are not UTF-8 are replaced.
    ///
    /// # Errors
    /// When there is no such file ([`io::ErrorKind::NotFound`]) or it cannot be read.
    fn load(&self, path: &Path) -> io::Result<String>;
}

/// Files of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSystem;

impl FileLoader for FileSystem {
    fn load(&self, path: &Path) -> io::Result<String> {
        let bytes = std::fs::read(path)?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
}

/// Files that exist in memory only: for tests, editors and pages.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    files: FxHashMap<PathBuf, String>,
}

impl<const N: usize> From<[(&str, &str); N]> for InMemory {
    fn from(files: [(&str, &str); N]) -> InMemory {
        files.into_iter().collect()
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for InMemory {
    fn from_iter<T: IntoIterator<Item = (&'a str, &'a str)>>(files: T) -> InMemory {
        InMemory { files: files.into_iter().map(|(path, text)| (path.into(), text.into())).collect() }
    }
}

impl FileLoader for InMemory {
    fn load(&self, path: &Path) -> io::Result<String> {
        self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// The charge for a file against the limit on work, so that files including others twice cannot multiply without end.
const WORK_PER_FILE: usize = 1000;

/// How an `#include` names its file.
struct Target {
    name: String,
    /// `"f"` is looked for beside the including file first, `<f>` is not.
    beside: bool,
    span: Span,
}

impl Preprocessor<'_> {
    /// Starts on the model itself.
    pub(super) fn open_main(&mut self, main: FileId) {
        let directory = parent_of(&self.sources.file(main).path);
        self.files.push(OpenFile::new(self.sources, main, directory));
    }

    /// Puts a text of our own before what is read next.
    pub(super) fn open_text(&mut self, path: &str, text: &str, main: FileId) {
        if text.is_empty() {
            return;
        }
        match self.sources.add_file(path, text) {
            Ok(id) => self.files.push(OpenFile::new(self.sources, id, PathBuf::new())),
            Err(_) => self.stop(too_much_text(self.sources.span(main, 0, 0))),
        }
    }

    /// `#include`, its line already read.
    pub(super) fn include(&mut self, directive: Span, line: &[PreToken]) {
        let Some(target) = self.include_target(directive, line) else { return };
        if self.collecting > 0 {
            let message = "`#include` cannot stand inside the arguments of a macro";
            self.diagnostics.push(Diagnostic::error("include", directive, message));
            return;
        }
        let Some((path, text)) = self.find_file(&target) else { return };
        if self.once.contains(&path) {
            return;
        }
        if self.files.len() > self.limits.includes {
            let diagnostic = self.too_deep(&target, &path);
            self.stop(diagnostic);
            return;
        }
        if !self.spend(WORK_PER_FILE + text.len() / 8, target.span) {
            return;
        }
        let directory = parent_of(&path);
        match self.sources.add_file(path, text) {
            Ok(id) => {
                self.sources.set_included_at(id, directive.to(target.span));
                self.files.push(OpenFile::new(self.sources, id, directory));
            }
            Err(_) => self.stop(too_much_text(target.span)),
        }
    }

    /// Reads `"f"`, `<f>`, or macros that make one of them.
    fn include_target(&mut self, directive: Span, line: &[PreToken]) -> Option<Target> {
        let first = line.first();
        if let Some(less) = first.filter(|token| token.kind == TokenKind::Less) {
            // The text between the brackets is no token: `<a//b>` holds no comment.
            let (rest, start) = self.files.last()?.rest_of_line(less.span);
            if let Some(close) = rest.find('>') {
                let name = rest[1..close].to_string();
                let span = self.files.last()?.span(start, start + close + 1);
                return self.checked_target(Target { name, beside: false, span });
            }
        }
        let expanded;
        let tokens = match first {
            Some(token) if token.kind == TokenKind::Word => {
                expanded = self.expand_line(line);
                expanded.as_slice()
            }
            _ => line,
        };
        match tokens {
            [string, rest @ ..] if string.kind == TokenKind::String => {
                self.warn_of_rest("include", rest);
                let text = self.symbols.text(string.symbol);
                let name = text[1..text.len() - 1].to_string();
                self.checked_target(Target { name, beside: true, span: string.span })
            }
            [less, inner @ .., greater] if less.kind == TokenKind::Less && greater.kind == TokenKind::Greater => {
                let mut name = String::new();
                for (index, token) in inner.iter().enumerate() {
                    if index > 0 && token.space_before {
                        name.push(' ');
                    }
                    name.push_str(self.symbols.text(token.symbol));
                }
                self.checked_target(Target { name, beside: false, span: less.span.to(greater.span) })
            }
            _ => {
                let span = first.map_or(directive, |token| token.span);
                let message = "`#include` needs a file name, as \"file\" or <file>";
                self.diagnostics.push(Diagnostic::error("include", span, message));
                None
            }
        }
    }

    fn checked_target(&mut self, target: Target) -> Option<Target> {
        if target.name.is_empty() {
            self.diagnostics.push(Diagnostic::error("include", target.span, "the file name is empty"));
            return None;
        }
        Some(target)
    }

    /// The path and text of the first place that has the file.
    fn find_file(&mut self, target: &Target) -> Option<(Arc<str>, Arc<str>)> {
        let beside = self.files.last().filter(|_| target.beside).map(|file| file.directory.clone());
        let mut notes = Vec::new();
        for directory in beside.iter().chain(&self.options.include_dirs) {
            let path = directory.join(&target.name);
            let key: Arc<str> = path.to_string_lossy().into();
            if let Some(text) = self.loaded.get(&key) {
                return Some((key, Arc::clone(text)));
            }
            match self.loader.load(&path) {
                Ok(text) => {
                    let text: Arc<str> = text.into();
                    self.loaded.insert(Arc::clone(&key), Arc::clone(&text));
                    return Some((key, text));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => notes.push(format!("`{key}` does not exist")),
                Err(error) => notes.push(format!("`{key}` cannot be read: {error}")),
            }
        }
        let message = format!("cannot include `{}`", target.name);
        let mut diagnostic = Diagnostic::error("include", target.span, message);
        diagnostic.notes = notes;
        if self.options.include_dirs.is_empty() {
            diagnostic = diagnostic.note("`-I DIR` adds a directory to look in");
        }
        self.diagnostics.push(diagnostic);
        None
    }

    fn too_deep(&self, target: &Target, path: &Arc<str>) -> Diagnostic {
        let limit = self.limits.includes;
        let diagnostic =
            Diagnostic::error("include", target.span, format!("files include one another more than {limit} deep"));
        let Some(last) = self.files.iter().rposition(|file| file.path == *path) else {
            return diagnostic;
        };
        let cycle: Vec<&str> = self.files[last..].iter().map(|file| &*file.path).chain([&**path]).collect();
        diagnostic
            .note(format!("`{path}` includes itself: {}", cycle.join(" → ")))
            .note("enclose its text in `#ifndef NAME`, `#define NAME`, …, `#endif` to read it once only")
    }
}

fn too_much_text(span: Span) -> Diagnostic {
    Diagnostic::error("include", span, "the texts of the model exceed 4 GiB")
}

fn parent_of(path: &str) -> PathBuf {
    Path::new(path).parent().map(Path::to_path_buf).unwrap_or_default()
}
