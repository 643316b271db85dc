//! The parser: from tokens to the syntax tree, by recursive descent.
//!
//! The language is that of SPIN 6.5.2. Its grammar is given as EBNF in the first lines of the file that parses each part,
//! and the files follow SPIN's language reference:
//!
//! | file | part of the language |
//! | --- | --- |
//! | `unit.rs` | the model and its units: `proctype`, `init`, `never`, `trace`, `ltl`, `typedef` |
//! | `declaration.rs` | variables, channels, `mtype` |
//! | `sequence.rs` | blocks, sequences of steps |
//! | `statement.rs` | statements and labels; `message.rs` for send and receive |
//! | `expression.rs` | expressions; `reference.rs` for variables and remote references |
//! | `formula.rs` | temporal logic |
//! | `inline.rs` | `inline` definitions and their uses |
//! | `embedded_c.rs` | `c_code`, `c_decl`, `c_expr`, `c_state`, `c_track` |
//! | `separator.rs` | where a line break counts as `;` |
//! | `comment_end.rs` | `*/` outside comments |
//!
//! Below these stand the `cursor.rs` over the tokens, `recovery.rs` after an error, and `mistakes.rs`, which knows what other
//! languages' habits look like here. Parsing never fails: a tree comes back with the errors, and what could not be read is
//! marked in it as such. Time is linear in the number of tokens, inlines expanded.

mod comment_end;
mod cursor;
mod declaration;
mod embedded_c;
mod expression;
mod formula;
mod inline;
mod message;
mod mistakes;
mod recovery;
mod reference;
mod report;
mod separator;
mod sequence;
mod statement;
mod unit;
mod words;

use std::sync::Arc;

use crate::ast::{Ast, Formula, Unit};
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;
use crate::token::Token;
use cursor::{Names, Parser};
pub(crate) use expression::Precedence;
pub use words::KEYWORDS;

/// How deep statements, expressions and inlines may nest together. Every stage behind the parser recurses as deep, so
/// the bound keeps all of them within a thread's usual stack of 2 MiB.
pub const MAX_NESTING: u32 = 200;

/// How many binary operators may follow each other without parentheses (see [`OperatorChain`](crate::ast::OperatorChain)).
pub const MAX_CHAIN: usize = 10_000;

/// How many temporal formulas may be joined without parentheses.
pub const MAX_FORMULA_CHAIN: usize = 1_000;

/// How deep inlines may use each other. SPIN's limit is 16.
pub const MAX_INLINE_NESTING: usize = 64;

/// How many tokens all uses of inlines may add up to in a text that is not itself longer than a tenth of it: inlines that
/// use each other twice grow exponentially, a long text does so in proportion.
pub const MAX_EXPANDED_TOKENS: usize = 1_000_000;

/// How many errors are reported before the parser gives up.
pub const MAX_ERRORS: usize = 100;

/// Parses a model.
///
/// `sources` learns about each use of an `inline`; all problems go to `diagnostics`. The tree is complete when none of
/// them is an error.
///
/// ```
/// use promela::ast::Unit;
/// use promela::parse::parse;
/// use promela::preprocess::{InMemory, Options, preprocess};
/// use promela::source::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let main = sources.add_file("m.pml", "byte x;\ninit { x = 1 x = 2 }\n").unwrap();
/// let mut diagnostics = Vec::new();
/// let tokens = preprocess(&mut sources, main, &Options::default(), &InMemory::default(), &mut diagnostics);
/// let ast = parse(&mut sources, tokens, &mut diagnostics);
/// assert!(matches!(ast.units[..], [Unit::Declaration(_), Unit::Init(_)]));
/// assert_eq!(diagnostics[0].message, "expected `;` or `->` before `x`");
/// ```
pub fn parse(sources: &mut SourceMap, tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Ast {
    parse_behind(&mut KnownNames::default(), sources, tokens, diagnostics)
}

/// The proctypes, typedefs and inlines of the text so far, which the grammar depends on.
#[derive(Clone, Debug, Default)]
pub struct KnownNames(Names);

/// Parses units that stand behind others, whose names are `known`; their own are added to them.
pub fn parse_behind(
    known: &mut KnownNames,
    sources: &mut SourceMap,
    tokens: Vec<Token>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Ast {
    let tokens = comment_end::take_out(tokens, diagnostics);
    let mut parser = Parser::new(sources, tokens, diagnostics);
    let ahead = std::mem::take(&mut parser.names.ahead);
    parser.names = std::mem::take(&mut known.0);
    parser.names.ahead.extend(ahead);
    let units = parser.model();
    known.0 = parser.names;
    Ast { units }
}

/// Parses a formula of linear temporal logic that stands by itself, as on the command line.
///
/// `proctypes` are the names a `P:x` may refer to (see [`proctype_names`]); they are only needed to tell a remote
/// reference from the colon of a conditional expression. `None` comes back when there was an error.
///
/// ```
/// use promela::parse::parse_formula;
/// use promela::preprocess::{InMemory, Options, preprocess};
/// use promela::print::print_formula;
/// use promela::source::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let main = sources.add_file("formula", "always (request implies eventually len(q) > 0)").unwrap();
/// let mut diagnostics = Vec::new();
/// let tokens = preprocess(&mut sources, main, &Options::default(), &InMemory::default(), &mut diagnostics);
/// let formula = parse_formula(&mut sources, tokens, &[], &mut diagnostics).unwrap();
/// assert_eq!(print_formula(&formula), "[] (request -> <> (len(q) > 0))");
/// ```
pub fn parse_formula(
    sources: &mut SourceMap,
    tokens: Vec<Token>,
    proctypes: &[Arc<str>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Formula> {
    let mut parser = Parser::new(sources, tokens, diagnostics);
    parser.stand_alone_formula(proctypes)
}

/// The names of a model's proctypes.
#[must_use]
pub fn proctype_names(ast: &Ast) -> Vec<Arc<str>> {
    let name = |unit: &Unit| match unit {
        Unit::Proctype(proctype) => Some(proctype.name.text.clone()),
        _ => None,
    };
    ast.units.iter().filter_map(name).collect()
}
