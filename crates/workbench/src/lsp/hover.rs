//! What there is to say about the name under the cursor: its declaration, the values it can have, who writes and reads it, and what a macro
//! or inline became.

use std::collections::BTreeMap;

use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};
use promela::index::{Definition, DefinitionId, DefinitionKind};
use promela::model::visit::{self, Access, Visitor};
use promela::model::{Model, Place as ModelPlace, Type};
use promela::source::Span;

use super::documents::{Analysis, Place};
use super::runs::Symmetry;

/// How a place in the text uses a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HowUsed(Access);

impl HowUsed {
    /// Whether it gets a value there.
    pub fn writes(self) -> bool {
        matches!(self.0, Access::Write | Access::Bind)
    }

    fn word(self) -> &'static str {
        match self.0 {
            Access::Read | Access::Print => "read",
            Access::Write | Access::Bind => "written",
            Access::Send => "sent to",
            Access::Receive => "received from",
            Access::Probe => "looked at",
        }
    }
}

/// How variables are used, by where the use begins; `x++` reads and writes.
pub fn accesses(analysis: &Analysis) -> BTreeMap<u32, Vec<HowUsed>> {
    #[derive(Default)]
    struct Places(Vec<(Span, Access)>);
    impl<'m> Visitor<'m> for Places {
        fn place(&mut self, place: &'m ModelPlace, access: Access) {
            self.0.push((place.span, access));
            visit::walk::place(self, place);
        }
    }
    let mut places = Places::default();
    if let Some(model) = model_of(analysis) {
        visit::walk::model(&mut places, model);
    }
    let mut by_start: BTreeMap<u32, Vec<HowUsed>> = BTreeMap::new();
    for (span, access) in places.0 {
        by_start.entry(span.start).or_default().push(HowUsed(access));
    }
    by_start
}

fn model_of(analysis: &Analysis) -> Option<&Model> {
    analysis.loaded.model.as_ref().or(analysis.loaded.partial.as_ref())
}

/// What to show at a place.
pub fn hover(place: &Place, symmetry: Option<&Symmetry>) -> Option<Hover> {
    let Place { analysis, position } = place;
    let loaded = &analysis.loaded;
    let mut paragraphs: Vec<String> = Vec::new();
    let found = loaded.index.definitions_at(&loaded.sources, *position);
    for &id in &found {
        paragraphs.push(declaration(analysis, id));
        paragraphs.extend(values(analysis, id));
        paragraphs.extend(users(analysis, id));
        paragraphs.extend(symmetry.and_then(|symmetry| orbit(&loaded.index.definition(id).name, symmetry)));
    }
    let expands = |kind| matches!(kind, DefinitionKind::Macro | DefinitionKind::Inline);
    let is_expanded = found.iter().any(|&id| expands(loaded.index.definition(id).kind));
    if let Some(expanded) = loaded.expansion_at(*position).filter(|_| is_expanded) {
        paragraphs.push(format!("here it becomes\n```promela\n{}\n```", shortened(expanded.text.trim_end())));
    }
    paragraphs.dedup();
    let value = paragraphs.join("\n\n");
    let contents = Contents::MarkupContent(MarkupContent::new(MarkupKind::Markdown, value));
    (!paragraphs.is_empty()).then(|| Hover::new(contents, None))
}

/// The most lines of a text that are shown.
const LINES: usize = 20;

fn shortened(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(LINES + 1).collect();
    if lines.len() > LINES {
        lines[LINES] = "…";
    }
    lines.join("\n")
}

/// The declaration as it is written, and what it declares.
fn declaration(analysis: &Analysis, id: DefinitionId) -> String {
    let index = &analysis.loaded.index;
    let definition = index.definition(id);
    let text = match definition.kind {
        DefinitionKind::Variable
        | DefinitionKind::Channel
        | DefinitionKind::Field
        | DefinitionKind::Parameter
        | DefinitionKind::MtypeConstant => format!("{} {}", index.type_name(id), definition.name),
        _ => head(analysis.loaded.sources.snippet(definition.whole)),
    };
    let of = definition.parent.map(|parent| index.definition(parent));
    let of = of.map_or_else(String::new, |parent| format!(" of {} `{}`", parent.kind.name(), parent.name));
    format!("```promela\n{}\n```\n{}{of}", shortened(text.trim()), definition.kind.name())
}

/// A definition up to its body.
fn head(text: &str) -> String {
    let end = if text.starts_with('#') { text.len() } else { text.find('{').unwrap_or(text.len()) };
    text[..end].trim_end().to_owned()
}

/// The values that a variable can hold.
fn values(analysis: &Analysis, id: DefinitionId) -> Option<String> {
    let Definition { ty, length, .. } = analysis.loaded.index.definition(id);
    let range = match (*ty)? {
        Type::Bit | Type::Bool => "0 or 1".to_owned(),
        Type::Byte | Type::Pid => "0 to 255".to_owned(),
        Type::Short => "-32,768 to 32,767".to_owned(),
        Type::Int => "-2,147,483,648 to 2,147,483,647".to_owned(),
        Type::Unsigned(bits) => format!("0 to {}", (1_u64 << bits) - 1),
        _ => return None,
    };
    Some(if length.is_some() { format!("each element: {range}") } else { format!("values: {range}") })
}

/// What symmetry moves to each other of what has a name.
fn orbit(name: &str, symmetry: &Symmetry) -> Option<String> {
    let is_it = |member: &String| member.split('[').next() == Some(name);
    let orbit = symmetry.orbits.iter().find(|orbit| orbit.iter().any(is_it))?;
    let order = &symmetry.order;
    Some(format!("symmetric: {} can be exchanged (order {order})", orbit.join(", ")))
}

/// Who writes and reads a variable: processes with the lines.
fn users(analysis: &Analysis, id: DefinitionId) -> Option<String> {
    let index = &analysis.loaded.index;
    let places = accesses(analysis);
    let mut lines: BTreeMap<&str, BTreeMap<String, Vec<u32>>> = BTreeMap::new();
    for each in index.uses_of(id) {
        let line = analysis.loaded.sources.location(each.span).line;
        for how in places.get(&each.span.start).into_iter().flatten() {
            let by = lines.entry(how.word()).or_default().entry(owner(analysis, each.span)).or_default();
            if !by.contains(&line) {
                by.push(line);
            }
        }
    }
    let sentences = lines.into_iter().map(|(word, by)| {
        let names = by.into_iter().map(|(name, lines)| {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{name} (line {})", lines.join(", "))
        });
        format!("{word} by {}", names.collect::<Vec<_>>().join("; "))
    });
    let text = sentences.collect::<Vec<_>>().join("  \n");
    (!text.is_empty()).then_some(text)
}

/// The process, claim or inline in whose text a use stands.
fn owner(analysis: &Analysis, span: Span) -> String {
    let holds = |definition: &Definition| {
        let has_body = matches!(
            definition.kind,
            DefinitionKind::Proctype
                | DefinitionKind::Init
                | DefinitionKind::Never
                | DefinitionKind::Ltl
                | DefinitionKind::Trace
                | DefinitionKind::Inline
        );
        has_body && definition.whole.start <= span.start && span.end <= definition.whole.end
    };
    let found = analysis.loaded.index.definitions().find(|(_, definition)| holds(definition));
    found.map_or_else(|| "the model".to_owned(), |(_, definition)| format!("`{}`", definition.name))
}
