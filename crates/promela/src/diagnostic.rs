//! Messages about source text: errors, warnings and lints share this one type.
//!
//! A diagnostic is a value. [`render`](crate::render) turns it into text with the source underlined; the command line
//! also prints it as JSON. Nothing here prints.

use crate::source::Span;

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Something worth knowing that asks for no change.
    Note,
    /// Legal, but probably not meant; `--strict` turns it into an error.
    Warning,
    /// The model has no meaning as written.
    Error,
}

/// A piece of source text with a remark on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// What to underline.
    pub span: Span,
    /// The remark; may be empty.
    pub message: String,
}

/// A replacement that would mend the problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// What applying it does, as a request: "declare it before use".
    pub message: String,
    /// The text to replace; an empty span inserts.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// One message about a model's text.
///
/// ```
/// use promela::diagnostic::Diagnostic;
/// use promela::source::Span;
/// let message = Diagnostic::error("unknown-name", Span::NOWHERE, "no variable is called `cuont`").note("names are case-sensitive");
/// assert!(message.is_error());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// A stable name in kebab case, for filters and for the documentation.
    pub code: &'static str,
    /// One line: what is wrong. Lower case, no full stop.
    pub message: String,
    /// Where. The first label is the primary one; the others point at causes.
    pub labels: Vec<Label>,
    /// Why it matters, or what SPIN does with it.
    pub notes: Vec<String>,
    /// Mends, best first.
    pub suggestions: Vec<Suggestion>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let primary = Label { span, message: String::new() };
        Diagnostic {
            severity,
            code,
            message: message.into(),
            labels: vec![primary],
            notes: Vec::new(),
            suggestions: Vec::new(),
        }
    }

    /// Puts a remark on the primary place.
    pub fn label(mut self, message: impl Into<String>) -> Diagnostic {
        self.labels[0].message = message.into();
        self
    }

    /// Points at another place too.
    pub fn also(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds a note below.
    pub fn note(mut self, message: impl Into<String>) -> Diagnostic {
        self.notes.push(message.into());
        self
    }

    /// Adds a replacement that would mend it.
    pub fn suggest(mut self, message: impl Into<String>, span: Span, replacement: impl Into<String>) -> Diagnostic {
        self.suggestions.push(Suggestion { message: message.into(), span, replacement: replacement.into() });
        self
    }

    /// The primary place.
    #[must_use]
    pub fn span(&self) -> Span {
        self.labels[0].span
    }

    /// Whether the model must be refused.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
