//! Laws of the index, over all models at hand and over random damage to them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use promela::ast::Unit;
use promela::index::{Definition, DefinitionKind};
use promela::model::visit::{Access, Visitor, walk};
use promela::model::{Expr, ExprKind, Model, Owner, Place, Process, Statement, StatementKind};
use promela::preprocess::{FileSystem, preprocess};
use promela::source::{ColumnUnit, ExpansionId, FileId, Position, SourceMap};
use promela::token::{Token, TokenKind};
use promela::{Loaded, Options, load_with};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::Config;

use crate::examples::spin_examples;
use crate::support::place;

/// Our examples, the trap models, and SPIN's examples where they are installed.
fn models() -> &'static [(PathBuf, String)] {
    static MODELS: OnceLock<Vec<(PathBuf, String)>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut found = spin_examples(&["pml"]);
        let mut directories = vec![root.join("examples"), root.join("crates/machine/tests/traps")];
        while let Some(directory) = directories.pop() {
            for path in std::fs::read_dir(&directory).expect("it is there").map(|entry| entry.expect("an entry").path())
            {
                if path.is_dir() {
                    directories.push(path);
                } else if path.extension().is_some_and(|extension| extension == "pml") {
                    let text = std::fs::read_to_string(&path).expect("a model is readable");
                    found.push((path, text));
                }
            }
        }
        found.sort();
        assert!(found.len() > 300, "only {} models were found", found.len());
        found
    })
}

fn load(path: &Path, text: &str) -> Loaded {
    load_with(&path.to_string_lossy(), text, &Options::default(), &FileSystem)
}

/// Words that are no names, or may be none.
const WORDS: &str = "active always anyRef assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan \
    d_step D_proctype do else empty enabled equivalent eval eventually extern false fi for full get_priority goto hidden \
    if implies in init inline int len local ltl mtype nempty never nfull next notrace np_ od of pc_value pid printf \
    printm priority proctype provided public ref release return run select set_priority short show skip stronguntil \
    timeout trace true typedef U unless unsigned until V W weakuntil X xr xs _ _last _lid _nr_pr _nr_qs _p _pid \
    _priority _undef_ref";

/// The names among a text's tokens that the resolver has to look up: not those of embedded C, and not those in the text
/// of inlines that are not used.
fn names(tokens: &[Token], is_unused_inline: impl Fn(&str) -> bool) -> Vec<&Token> {
    let words: BTreeSet<&str> = WORDS.split_whitespace().collect();
    let mut names = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let skipped = match &*token.text {
            "c_code" | "c_decl" | "c_expr" => true,
            "inline" if token.kind == TokenKind::Word => is_unused_inline(&tokens[at + 1].text),
            _ => false,
        };
        if skipped {
            at += tokens[at..].iter().position(|token| token.kind == TokenKind::LeftBrace).expect("a body follows");
            let mut depth = 0;
            loop {
                match tokens[at].kind {
                    TokenKind::LeftBrace => depth += 1,
                    TokenKind::RightBrace => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
            continue;
        }
        // What an observer calls a channel or a variable names nothing of the model.
        let is_external = at > 0 && &*tokens[at - 1].text == "extern";
        if token.kind == TokenKind::Word && !words.contains(&*token.text) && !is_external {
            names.push(token);
        }
        at += 1;
    }
    names
}

#[test]
fn every_name_of_a_correct_model_has_one_meaning_and_its_name() {
    let (mut correct, mut checked) = (0, 0);
    for (path, text) in models() {
        let loaded = load(path, text);
        if loaded.model.is_none() {
            continue;
        }
        correct += 1;
        let index = &loaded.index;
        let mut meanings: BTreeMap<(u32, u32), Vec<&Definition>> = BTreeMap::new();
        for each in index.uses() {
            let definition = index.definition(each.definition);
            let at = place(&loaded, each.span);
            if each.span.expansion == ExpansionId::NONE {
                assert_eq!(loaded.sources.snippet(each.span), &*definition.name, "{}: {at}", path.display());
            }
            meanings.entry((each.span.start, each.span.end)).or_default().push(definition);
        }
        for (_, definition) in index.definitions() {
            meanings.entry((definition.span.start, definition.span.end)).or_default().push(definition);
        }
        let mut sources = SourceMap::new();
        let main = sources.add_file(&*path.to_string_lossy(), &**text).expect("it is small");
        let tokens = preprocess(&mut sources, main, &Options::default().preprocess, &FileSystem, &mut Vec::new());
        let unused = |name: &str| {
            let inline = index.definitions().find(|(_, d)| d.kind == DefinitionKind::Inline && &*d.name == name);
            inline.is_none_or(|(id, _)| index.uses_of(id).next().is_none())
        };
        let inlines: Vec<_> =
            index.definitions().filter(|(_, d)| d.kind == DefinitionKind::Inline).map(|(_, d)| d.whole).collect();
        let calls: Vec<_> = loaded.sources.expansions().iter().map(|expansion| expansion.call).collect();
        let copied = |token: &Token| {
            let inside = |span: &promela::source::Span| span.start <= token.span.start && token.span.end <= span.end;
            token.span.expansion != ExpansionId::NONE || inlines.iter().any(inside) || calls.iter().any(inside)
        };
        for token in names(&tokens, unused) {
            checked += 1;
            let found = meanings.get(&(token.span.start, token.span.end)).map_or(0, Vec::len);
            let problem = || format!("{}:{} `{}`", path.display(), place(&loaded, token.span), token.text);
            assert!(found > 0, "{} means nothing", problem());
            assert!(found == 1 || copied(token), "{} means {found} things", problem());
        }
    }
    assert!(correct > 250 && checked > 10_000, "{correct} models, {checked} names");
}

/// The text of a model in which damage is done, and where: its tokens outside directives and macros.
fn tokens_of(path: &Path, text: &str) -> Vec<(usize, usize)> {
    let mut sources = SourceMap::new();
    let main = sources.add_file(&*path.to_string_lossy(), text).expect("it is small");
    let tokens = preprocess(&mut sources, main, &Options::default().preprocess, &FileSystem, &mut Vec::new());
    let written = tokens.iter().filter(|token| token.span.expansion == ExpansionId::NONE && !token.text.is_empty());
    let ranges = written.filter_map(|token| sources.range(token.span));
    ranges.filter(|(file, _)| *file == main).map(|(_, range)| (range.start, range.end)).collect()
}

/// Where the unit that holds an offset starts, or the next one after it.
fn unit_start(loaded: &Loaded, offset: usize) -> usize {
    let range = |unit: &Unit| {
        let span = match unit {
            Unit::Declaration(it) => it.span,
            Unit::Mtype(it) => it.span,
            Unit::Typedef(it) => it.span,
            Unit::Inline(it) => it.span,
            Unit::Proctype(it) => it.span,
            Unit::Init(it) => it.span,
            Unit::Never(it) => it.span,
            Unit::Trace(it) => it.span,
            Unit::Ltl(it) => it.span,
            Unit::EmbeddedC(_) => return None,
        };
        let (file, range) = loaded.sources.range(loaded.sources.use_site(span))?;
        (file == FileId::MAIN).then_some(range)
    };
    let around = loaded.ast.units.iter().filter_map(range).find(|range| range.end >= offset);
    around.map_or(offset, |range| range.start.min(offset))
}

fn written_before(loaded: &Loaded, end: usize) -> BTreeSet<(usize, String, DefinitionKind)> {
    let own = |definition: &Definition| {
        let (file, range) = loaded.sources.range(definition.span)?;
        let plain = definition.span.expansion == ExpansionId::NONE;
        let wanted = file == FileId::MAIN && plain && range.start < end;
        wanted.then(|| (range.start, definition.name.to_string(), definition.kind))
    };
    loaded.index.definitions().filter_map(|(_, definition)| own(definition)).collect()
}

/// Whether every number in a model leads somewhere.
struct Sound<'m> {
    model: &'m Model,
    owner: Owner,
    process: &'m Process,
}

impl<'m> Visitor<'m> for Sound<'m> {
    fn statement(&mut self, statement: &'m Statement) {
        let jump = if let StatementKind::Goto(label) = &statement.kind { Some(label) } else { None };
        for label in statement.labels.iter().chain(jump) {
            assert!(label.index() < self.process.labels.len(), "a label that is not there");
        }
        walk::statement(self, statement);
    }

    fn expression(&mut self, expression: &'m Expr) {
        match &expression.kind {
            ExprKind::RemoteLabel(remote) => {
                let process = &self.model.processes[remote.process.index()];
                assert!(remote.label.index() < process.labels.len(), "a remote label that is not there");
            }
            ExprKind::RemoteVariable(remote) => {
                let there = self.model.reached(&remote.place, Owner::Process(remote.process));
                assert!(there.is_some(), "a remote variable that is not there");
                return;
            }
            _ => {}
        }
        walk::expression(self, expression);
    }

    fn place(&mut self, place: &'m Place, _: Access) {
        assert!(self.model.reached(place, self.owner).is_some(), "a variable that is not there");
        walk::place(self, place);
    }
}

proptest! {
    #![proptest_config(Config { cases: 600, failure_persistence: None, ..Config::default() })]

    #[test]
    fn what_stands_before_a_damaged_unit_stays_defined(
        number in any::<usize>(),
        damage in proptest::collection::vec(any::<usize>(), 1..4),
    ) {
        let models = models();
        let (path, text) = &models[number % models.len()];
        let before = load(path, text);
        let tokens = tokens_of(path, text);
        let mut damaged = text.clone();
        let mut chosen: Vec<usize> = damage.iter().map(|at| at % tokens.len().max(1)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        if tokens.is_empty() {
            return Ok(());
        }
        for &token in chosen.iter().rev() {
            damaged.replace_range(tokens[token].0..tokens[token].1, "");
        }
        let end = unit_start(&before, tokens[chosen[0]].0);
        let after = load(path, &damaged);
        let lost: Vec<_> = written_before(&before, end).difference(&written_before(&after, end)).cloned().collect();
        prop_assert!(lost.is_empty(), "{}: {lost:?} lost before {end}\n{damaged}", path.display());
        let model = after.model.as_ref().or(after.partial.as_ref()).expect("one of them is there");
        for (owner, process) in model.owners() {
            walk::block(&mut Sound { model, owner, process }, &process.body);
        }
        // Questions can be asked everywhere.
        let position = Position { file: FileId::MAIN, offset: damaged.floor_char_boundary(end) };
        let _ = after.index.symbols(&after.sources, FileId::MAIN);
        let _ = after.index.symbols_in_scope(&after.sources, position);
        let _ = after.index.definitions_at(&after.sources, position);
        let _ = after.expansion_at(position);
    }

    #[test]
    fn lines_and_columns_lead_back_to_their_offset(text in "([ -~]|[äß𝄞€\n\r\t]){0,60}") {
        let mut sources = SourceMap::new();
        let id = sources.add_file("m.pml", &*text).expect("it is small");
        let file = sources.file(id);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            for unit in [ColumnUnit::Character, ColumnUnit::Utf16] {
                let place = file.line_column(offset, unit);
                prop_assert_eq!(file.offset(place, unit), Some(offset), "{:?} {:?}", unit, place);
            }
            let place = sources.location(sources.span(id, offset, offset));
            let characters = file.line_column(offset, ColumnUnit::Character);
            prop_assert_eq!((place.line, place.column), (characters.line, characters.column));
            let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
            let units = text[start..offset].encode_utf16().count() as u32;
            prop_assert_eq!(file.line_column(offset, ColumnUnit::Utf16).column, units + 1);
        }
    }
}
