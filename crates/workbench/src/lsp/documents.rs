//! The texts that an editor has open, and what the front end makes of them.
//!
//! A model is analysed with the buffers of the editor in place of the files that it includes. A file that an open model includes
//! is looked at as a part of that model, since alone it would be full of unknown names.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gen_lsp_types::{
    Location, Position, Range, TextDocumentContentChangeEvent as Change, TextDocumentContentChangePartial, Uri,
};
use promela::preprocess::{FileLoader, FileSystem};
use promela::source::{self, FileId, SourceFile, SourceMap, Span};
use promela::{Loaded, Options, load_with};

use super::places::{normal, offset_of, path_of, range_of, uri_of};

/// A text that is open.
#[derive(Clone, Debug)]
pub struct Document {
    /// What the editor calls it.
    pub uri: Uri,
    /// Its text as the editor shows it.
    pub text: String,
    /// The editor's number of this text.
    pub version: i32,
}

impl Document {
    /// Changes the text as the editor did.
    pub fn change(&mut self, change: Change) {
        let TextDocumentContentChangePartial { range, text, .. } = match change {
            Change::TextDocumentContentChangePartial(part) => part,
            Change::TextDocumentContentChangeWholeDocument(whole) => {
                self.text = whole.text;
                return;
            }
        };
        let mut sources = SourceMap::new();
        if let Ok(file) = sources.add_file("", self.text.as_str()) {
            let at = |position| offset_of(sources.file(file), position);
            let (start, end) = (at(range.start), at(range.end));
            self.text.replace_range(start..end.max(start), &text);
        }
    }
}

/// What the front end made of a model and the files that it includes.
#[derive(Debug)]
pub struct Analysis {
    /// Where the model stands.
    pub root: PathBuf,
    /// What was made of it.
    pub loaded: Loaded,
}

impl Analysis {
    /// A file of the model.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        let found = self.loaded.sources.files().iter().find(|file| normal(Path::new(&*file.path)) == path)?;
        self.loaded.sources.files_at(&found.path).next()
    }

    /// The source text of a file of the model.
    pub fn source(&self, file: FileId) -> &SourceFile {
        self.loaded.sources.file(file)
    }

    /// Where the user sees the text of a span; `None` where no file holds it.
    pub fn location(&self, span: Span) -> Option<Location> {
        self.exact_location(self.loaded.sources.visible_span(span))
    }

    /// Where the text of a span stands, be it in the body of a macro or inline.
    pub fn exact_location(&self, span: Span) -> Option<Location> {
        let (file, bytes) = self.loaded.sources.range(span)?;
        let source = self.source(file);
        // Definitions of the command line stand in no file.
        let is_file = !source.path.starts_with('<');
        is_file.then(|| Location::new(uri_of(&normal(Path::new(&*source.path))), range_of(source, bytes)))
    }
}

/// A place in an analysed text.
#[derive(Clone, Debug)]
pub struct Place {
    /// The model that the text belongs to.
    pub analysis: Rc<Analysis>,
    /// The place in it.
    pub position: source::Position,
}

impl Place {
    /// The text of the file.
    pub fn text(&self) -> &str {
        &self.analysis.source(self.position.file).text
    }

    /// A range of bytes of the file.
    pub fn range(&self, bytes: std::ops::Range<usize>) -> Range {
        range_of(self.analysis.source(self.position.file), bytes)
    }
}

/// All open texts and their analyses.
#[derive(Debug, Default)]
pub struct Documents {
    /// How models are read.
    pub options: Options,
    open: BTreeMap<PathBuf, Document>,
    analyses: BTreeMap<PathBuf, Rc<Analysis>>,
}

impl Documents {
    /// No texts yet.
    pub fn new(options: Options) -> Documents {
        Documents { options, ..Documents::default() }
    }

    /// Takes a text in, or a newer version of it.
    pub fn put(&mut self, document: Document) {
        let path = path_of(&document.uri);
        if self.open.contains_key(&path) {
            self.forget_analyses(&path);
        } else {
            // Any model may have looked for it.
            self.analyses.clear();
        }
        self.open.insert(path, document);
    }

    /// Drops a text.
    pub fn close(&mut self, uri: &Uri) {
        self.analyses.clear();
        self.open.remove(&path_of(uri));
    }

    /// The text at an address.
    pub fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(&path_of(uri))
    }

    /// Changes how models are read.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        self.analyses.clear();
    }

    /// Forgets what was made of the models that a file belongs to.
    fn forget_analyses(&mut self, path: &Path) {
        self.analyses.retain(|_, analysis| analysis.root != path && analysis.file(path).is_none());
    }

    /// What is made of an open text by itself.
    pub fn analyse(&mut self, path: &Path) -> Option<Rc<Analysis>> {
        if let Some(known) = self.analyses.get(path) {
            return Some(known.clone());
        }
        let document = self.open.get(path)?;
        let loaded = load_with(&path.to_string_lossy(), &document.text, &self.options, &Buffers(&self.open));
        let analysis = Rc::new(Analysis { root: path.to_owned(), loaded });
        self.analyses.insert(path.to_owned(), analysis.clone());
        Some(analysis)
    }

    /// The models: open texts that no other open text includes.
    pub fn models(&mut self) -> Vec<Rc<Analysis>> {
        let paths: Vec<PathBuf> = self.open.keys().cloned().collect();
        let all: Vec<Rc<Analysis>> = paths.iter().filter_map(|path| self.analyse(path)).collect();
        let is_included = |path: &Path| all.iter().any(|other| other.root != path && other.file(path).is_some());
        let roots: Vec<Rc<Analysis>> = all.iter().filter(|analysis| !is_included(&analysis.root)).cloned().collect();
        // Files that include each other are all included.
        if roots.is_empty() { all } else { roots }
    }

    /// The model that a text belongs to: one that includes it, or itself.
    pub fn model_of(&mut self, uri: &Uri) -> Option<Rc<Analysis>> {
        let path = path_of(uri);
        let models = self.models();
        let root = models.iter().find(|analysis| analysis.root == path);
        root.or_else(|| models.iter().find(|analysis| analysis.file(&path).is_some())).cloned()
    }

    /// A place in an open text.
    pub fn place(&mut self, uri: &Uri, position: Position) -> Option<Place> {
        let analysis = self.model_of(uri)?;
        let file = analysis.file(&path_of(uri))?;
        let offset = offset_of(analysis.source(file), position);
        Some(Place { analysis, position: source::Position { file, offset } })
    }

    /// What would be made of a model if files had other texts.
    pub fn analyse_changed(&self, root: &Path, changed: &BTreeMap<PathBuf, String>) -> Option<Analysis> {
        let mut open = self.open.clone();
        for (path, text) in changed {
            open.insert(path.clone(), Document { uri: uri_of(path), text: text.clone(), version: 0 });
        }
        let loaded = load_with(&root.to_string_lossy(), &open.get(root)?.text, &self.options, &Buffers(&open));
        Some(Analysis { root: root.to_owned(), loaded })
    }
}

/// Open texts first, then files.
struct Buffers<'a>(&'a BTreeMap<PathBuf, Document>);

impl FileLoader for Buffers<'_> {
    fn load(&self, path: &Path) -> io::Result<String> {
        match self.0.get(&normal(path)) {
            Some(document) => Ok(document.text.clone()),
            None => FileSystem.load(path),
        }
    }
}
