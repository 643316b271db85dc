//! The walk through a file that gives each item its [role](Role) and each line its indentation.
//!
//! The text of a file need not be a program: the branches of an `#if` may each open the same bracket. So every branch
//! starts from the state before the `#if`, and the text behind `#endif` goes on from the first branch (`#if 0` apart).
//! Where branches leave different brackets open, counting cannot tell a forgotten bracket from a hidden one, and the file
//! is formatted as well as may be; everywhere else, brackets that do not match are an error.

use super::definition::{Bracket, Condition, DirectiveKind, Pair};
use super::item::{Item, ItemKind, Line, LineKind, Lines};
use super::nesting::{ColonOf, Content, Indent, Nesting};
use super::role::{Role, Shape, is_always_binary, is_plain_keyword};
use super::{FormatError, TAB};
use crate::token::TokenKind;

/// What is known of a file after the walk.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// The role of each item.
    pub roles: Vec<Role>,
    /// For each line, where it goes.
    pub places: Vec<Place>,
    /// For each item, whether it is a `{` that is closed on the same line.
    pub closed_on_line: Vec<bool>,
}

/// Where a line goes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Place {
    /// Its indentation; behind a label, that of the statement.
    pub indent: Indent,
    /// How many of its items, from the first, are labels and stand at the margin.
    pub label_items: usize,
    /// Whether it begins with a closing bracket.
    pub closes: bool,
}

/// Walks through a file.
pub(super) fn walk(file: &str, lines: &Lines) -> Result<Walk, FormatError> {
    let has_conditionals =
        lines.lines.iter().any(|line| matches!(line.kind, LineKind::Directive(DirectiveKind::If(_))));
    let mut walker = Walker {
        file,
        lines,
        state: State::default(),
        conditionals: Vec::new(),
        waiting_comments: Vec::new(),
        first_error: None,
        has_uneven_branches: false,
        result: Walk {
            roles: vec![Role::Layout; lines.items.len()],
            places: vec![Place::default(); lines.lines.len()],
            closed_on_line: vec![false; lines.items.len()],
        },
    };
    for (number, line) in lines.lines.iter().enumerate() {
        walker.line(number, line);
        if walker.first_error.is_some() && !has_conditionals {
            break;
        }
    }
    walker.place_comments(Following::Other(walker.state.nesting.statement_indent()));
    let verdict = match walker.first_error {
        Some(error) => Err(error),
        None => walker.state.nesting.finish(),
    };
    match verdict {
        Err(error) if !walker.has_uneven_branches => Err(error),
        _ => Ok(walker.result),
    }
}

/// What the text before a point means for what follows.
#[derive(Clone, Default, Debug)]
pub(super) struct State {
    pub nesting: Nesting,
    /// The role of the last token of this statement, if it goes on here.
    pub previous: Option<Role>,
    /// The last token's role, whether or not a line break has ended its statement.
    last: Option<Role>,
    /// The last three tokens, latest first.
    latest: [Option<usize>; 3],
    /// At what depth a `<` behind `?` waits for its `>`.
    pub angle: Option<usize>,
    /// Whether `unsigned` was said, so that `:` comes before a number of bits.
    pub says_bits: bool,
    /// Whether the next `:` ends a label.
    pub in_label: bool,
}

/// An `#if` that is open.
struct Conditional {
    before: State,
    /// The state at the end of the first branch that is Promela.
    after: Option<State>,
    /// What is known of the branch being read.
    condition: Condition,
    has_else: bool,
}

/// What stands below lines of nothing but comments.
enum Following {
    /// A line that begins with `::` or closes a selection: indentation of that line, of the body above it, and the column
    /// where the author had the line.
    Option { option: Indent, body: Indent, column: usize },
    /// Anything else.
    Other(Indent),
}

/// Reads a file from its first line to its last.
pub(super) struct Walker<'a> {
    pub file: &'a str,
    pub lines: &'a Lines,
    pub state: State,
    conditionals: Vec<Conditional>,
    /// Lines of nothing but comments that wait for what they stand above.
    waiting_comments: Vec<usize>,
    first_error: Option<FormatError>,
    has_uneven_branches: bool,
    result: Walk,
}

impl Walker<'_> {
    fn line(&mut self, number: usize, line: &Line) {
        for at in line.items.clone() {
            if let ItemKind::Comment(_) = self.lines.items[at].kind {
                self.result.roles[at] = Role::Comment;
            }
        }
        match line.kind {
            LineKind::Promela => {}
            LineKind::Dead => return,
            LineKind::Directive(kind) => {
                self.directive(kind);
                return;
            }
        }
        let items = &self.lines.items;
        let Some(first) = line.items.clone().find(|&at| items[at].is_code()) else {
            if !line.items.is_empty() {
                self.waiting_comments.push(number);
            }
            return;
        };
        if self.state.last.is_some_and(Role::ends_operand) && self.state.nesting.content() == Content::Statements {
            self.state.previous = None;
        }
        self.state.angle = None;
        let place = self.place(line, first);
        self.result.places[number] = place;
        self.state.nesting.begin_line(number, place.indent);
        for at in (first..line.items.end).filter(|&at| items[at].is_code()) {
            self.code(number, at);
        }
    }

    fn directive(&mut self, kind: DirectiveKind) {
        if matches!(kind, DirectiveKind::Else | DirectiveKind::EndIf) {
            self.place_comments(Following::Other(self.state.nesting.statement_indent()));
        }
        match kind {
            DirectiveKind::Other => {}
            DirectiveKind::If(condition) => {
                let before = self.state.clone();
                self.conditionals.push(Conditional { before, after: None, condition, has_else: false });
            }
            DirectiveKind::Else => {
                if let Some(conditional) = self.conditionals.last_mut() {
                    let end = std::mem::replace(&mut self.state, conditional.before.clone());
                    conditional.end_branch(end, &mut self.has_uneven_branches);
                    conditional.has_else = true;
                }
            }
            DirectiveKind::EndIf => {
                if let Some(mut conditional) = self.conditionals.pop() {
                    let end = std::mem::take(&mut self.state);
                    conditional.end_branch(end, &mut self.has_uneven_branches);
                    if !conditional.has_else {
                        let before = conditional.before.clone();
                        conditional.end_branch(before, &mut self.has_uneven_branches);
                    }
                    self.state = conditional.after.unwrap_or(conditional.before);
                }
            }
        }
    }

    /// Where the line goes whose first token is `first`.
    fn place(&mut self, line: &Line, first: usize) -> Place {
        let nesting = &self.state.nesting;
        let statement = nesting.statement_indent();
        let option = nesting.option_indent();
        let column = self.column(line);
        let brackets = self.leading_brackets(first, line.items.end);
        let (following, place) = match brackets.first() {
            Some(Bracket::Close(_)) => {
                let mut closing = Vec::new();
                for bracket in &brackets {
                    match bracket {
                        Bracket::Close(pair) => closing.push(*pair),
                        _ => break,
                    }
                    // `fi` and `od` always stand below their options.
                    if let Bracket::Close(Pair::If | Pair::Do) = bracket {
                        break;
                    }
                }
                let indent = nesting.closing_indent(&closing);
                let following = match closing[0] {
                    Pair::If | Pair::Do => Following::Option { option: indent, body: statement, column },
                    _ => Following::Other(statement),
                };
                (following, Place { indent, label_items: 0, closes: true })
            }
            Some(Bracket::Option) => (
                Following::Option { option, body: statement, column },
                Place { indent: option, label_items: 0, closes: false },
            ),
            _ => {
                let goes_on = nesting.content() == Content::Statements
                    && !matches!(brackets.first(), Some(Bracket::Open(Pair::Braces)))
                    && (self.state.last.is_some_and(Role::goes_on) || self.joins_lines(first));
                let indent = statement + Indent::from(goes_on);
                let label_items = if line.items.start == first { self.label_items(first, line.items.end) } else { 0 };
                (Following::Other(indent), Place { indent, label_items, closes: false })
            }
        };
        self.place_comments(following);
        place
    }

    /// The brackets that the line from `first` on begins with, hidden ones included.
    fn leading_brackets(&self, first: usize, end: usize) -> Vec<Bracket> {
        let mut found = Vec::new();
        for at in (first..end).filter(|&at| self.lines.items[at].is_code()) {
            let brackets = self.brackets_of(at);
            let closes_only = brackets.iter().all(|bracket| matches!(bracket, Bracket::Close(_)));
            let is_last = brackets.is_empty() || !closes_only;
            found.extend(brackets);
            if is_last {
                break;
            }
        }
        found
    }

    /// The brackets that an item is or stands for.
    fn brackets_of(&self, at: usize) -> Vec<Bracket> {
        let item = &self.lines.items[at];
        let ItemKind::Token(kind) = item.kind else { return Vec::new() };
        match Bracket::of(kind, item.text(self.file)) {
            Some(bracket) => vec![bracket],
            None => self.lines.hidden_brackets.get(&at).cloned().unwrap_or_default(),
        }
    }

    /// Whether a line that begins with this token goes on with the line above.
    fn joins_lines(&self, first: usize) -> bool {
        use TokenKind as T;
        match self.lines.items[first].kind {
            ItemKind::Token(T::Dot | T::At | T::Question | T::QuestionQuestion | T::Comma) => true,
            ItemKind::Token(kind) => is_always_binary(kind),
            _ => false,
        }
    }

    /// How many items from `first` on are labels.
    fn label_items(&self, first: usize, end: usize) -> usize {
        if !self.begins_statement() {
            return 0;
        }
        let labels = self.lines.items[first..end]
            .chunks_exact(2)
            .take_while(|pair| self.is_label_word(&pair[0]) && pair[1].kind == ItemKind::Token(TokenKind::Colon));
        2 * labels.count()
    }

    pub(super) fn is_label_word(&self, item: &Item) -> bool {
        item.kind == ItemKind::Token(TokenKind::Word) && !is_plain_keyword(item.text(self.file))
    }

    /// Whether a statement may begin here.
    pub(super) fn begins_statement(&self) -> bool {
        self.state.nesting.content() == Content::Statements
            && match self.state.previous {
                None
                | Some(
                    Role::Semicolon
                    | Role::Arrow
                    | Role::Option
                    | Role::Label
                    | Role::Open(Shape::Brace)
                    | Role::Close(Shape::Brace),
                ) => true,
                Some(Role::Keyword) => matches!(self.latest_text(0), "fi" | "od" | "else"),
                Some(_) => false,
            }
    }

    /// Gives the comments above a line their place.
    fn place_comments(&mut self, following: Following) {
        for number in std::mem::take(&mut self.waiting_comments) {
            let line = &self.lines.lines[number];
            let column = self.column(line);
            self.result.places[number].indent = match following {
                Following::Option { body, column: below, .. } if column > below => body,
                Following::Option { option, .. } => option,
                Following::Other(indent) => indent,
            };
        }
    }

    /// The column where the author had a line; far right for one that joins the line above, as it will not be moved.
    fn column(&self, line: &Line) -> usize {
        let first = &self.lines.items[line.items.start];
        if first.kind == ItemKind::Continuation {
            return usize::MAX;
        }
        let white = &self.file[line.start..first.start];
        white.chars().fold(0, |column, blank| if blank == '\t' { (column / TAB + 1) * TAB } else { column + 1 })
    }

    /// Takes one token.
    fn code(&mut self, line: usize, at: usize) {
        let item = &self.lines.items[at];
        let role = match item.kind {
            ItemKind::Token(kind) => self.token_role(kind, at),
            ItemKind::Verbatim => Role::Verbatim(match item.text(self.file).as_bytes()[0] {
                b'(' => Shape::Paren,
                b'[' => Shape::Bracket,
                _ => Shape::Brace,
            }),
            _ => Role::Foreign,
        };
        self.result.roles[at] = role;
        let brackets = match role {
            // `[]` is an operator.
            Role::PrefixHead | Role::Prefix => Vec::new(),
            _ => self.brackets_of(at),
        };
        for bracket in brackets {
            self.bracket(bracket, line, at);
        }
        self.state.previous = Some(role);
        self.state.last = Some(role);
        let [latest, second, _] = self.state.latest;
        self.state.latest = [Some(at), latest, second];
        if matches!(role, Role::Semicolon | Role::Open(Shape::Brace | Shape::Paren) | Role::Close(_) | Role::Option) {
            self.state.says_bits = false;
        }
        if matches!(role, Role::Semicolon | Role::Option | Role::Arrow) {
            self.state.angle = None;
        }
    }

    fn bracket(&mut self, bracket: Bracket, line: usize, at: usize) {
        let place = self.lines.items[at].range();
        match bracket {
            Bracket::Open(pair) => {
                let content = self.content_of(pair);
                let opens_phrase = pair == Pair::Parens && matches!(self.latest_text(0), "for" | "select");
                self.state.nesting.open(pair, content, place);
                if let Some(frame) = self.state.nesting.top_mut().filter(|_| opens_phrase) {
                    frame.colon = ColonOf::Phrase;
                }
            }
            Bracket::Option => self.state.nesting.option(place),
            Bracket::Close(pair) => {
                let (frame, verdict) = self.state.nesting.close(pair, place);
                if let Some(frame) = frame.filter(|frame| frame.line == line) {
                    let opening = self.lines.items[..at].partition_point(|item| item.start < frame.place.start);
                    self.result.closed_on_line[opening] = true;
                }
                if let Err(error) = verdict {
                    self.first_error.get_or_insert(error);
                }
            }
        }
    }

    fn content_of(&self, pair: Pair) -> Content {
        let around = self.state.nesting.content();
        match pair {
            Pair::Parens | Pair::Brackets if around == Content::Formula => Content::Formula,
            Pair::Parens | Pair::Brackets => Content::Expression,
            Pair::If | Pair::Do => Content::Statements,
            Pair::Braces => match (self.latest_text(0), self.latest_text(1), self.latest_text(2)) {
                ("=" | "of" | "mtype", _, _) | (_, ":", "mtype") => Content::List,
                ("ltl", _, _) | (_, "ltl", _) => Content::Formula,
                _ => Content::Statements,
            },
        }
    }

    pub(super) fn latest_text(&self, back: usize) -> &str {
        self.state.latest[back].map_or("", |at| self.lines.items[at].text(self.file))
    }
}

impl Conditional {
    fn end_branch(&mut self, end: State, has_uneven_branches: &mut bool) {
        if self.condition == Condition::Never {
            self.condition = Condition::Open;
            return;
        }
        match &self.after {
            None => self.after = Some(end),
            Some(first) => *has_uneven_branches |= !first.nesting.has_same_shape(&end.nesting),
        }
    }
}
