//! Reads automata in the HOA format.
//!
//! Header first, in any order of items; then the states with their edges. Labels and acceptance on states are moved to
//! their edges, implicit labels become guards, several initial states are joined in a new one. The result is always a
//! generalised Büchi automaton, see [`super::acceptance`].

use rustc_hash::FxHashMap;

use crate::atom::{AtomId, AtomTable};
use crate::automaton::{Automaton, Guard, Marks, StateId};
use crate::diagram::Diagrams;
use crate::hoa::acceptance::{Condition, RawEdge, SetLiteral, apply};
use crate::hoa::label::{GuardBuilder, Label};
use crate::hoa::lexer::{HoaError, Marker, Place, Token, tokens};

/// An automaton read from a file.
#[derive(Clone, Debug)]
pub struct Hoa {
    /// The text of the `name:` item.
    pub name: Option<String>,
    /// The words of the `properties:` items, as claimed by the file.
    pub properties: Vec<String>,
    /// The automaton, as generalised Büchi.
    pub automaton: Automaton,
}

/// More states than this are taken for a mistake.
const MAX_STATES: u32 = 1 << 20;
/// Labels that need more steps of work on diagrams than this are refused.
const MAX_STEPS: u64 = 5_000_000;
/// Deeper nesting of expressions than this is refused.
const MAX_NESTING: usize = 500;

/// Reads the one automaton of a text; its propositions are added to the table.
///
/// ```
/// use automata::{atom::AtomTable, hoa::read};
/// let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0)
///             --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--";
/// let mut atoms = AtomTable::default();
/// assert_eq!(read(text, &mut atoms).unwrap().automaton.size().edges, 2);
/// let error = read("HOA: v2", &mut atoms).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 6: version `v2` is not known, only `v1`");
/// ```
pub fn read(text: &str, atoms: &mut AtomTable) -> Result<Hoa, HoaError> {
    let mut automata = read_all(text, atoms)?;
    match automata.len() {
        1 => Ok(automata.remove(0)),
        0 => Err(HoaError { line: 1, column: 1, message: "the text holds no automaton".to_owned() }),
        count => {
            Err(HoaError { line: 1, column: 1, message: format!("expected one automaton, found {count} of them") })
        }
    }
}

/// Reads all automata of a text, leaving out those ended by `--ABORT--`.
pub fn read_all(text: &str, atoms: &mut AtomTable) -> Result<Vec<Hoa>, HoaError> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, position: 0, atoms, nesting: 0 };
    let mut automata = Vec::new();
    while *reader.peek() != Token::End {
        if reader.peek() == &Token::Marker(Marker::Abort) {
            reader.next();
            continue;
        }
        // An aborted automaton may be broken off anywhere, so it is recognised before it is read.
        if let Some(length) = reader.aborted_length() {
            reader.position += length;
            continue;
        }
        automata.push(reader.automaton()?);
    }
    Ok(automata)
}

struct Reader<'a> {
    tokens: &'a [(Place, Token)],
    position: usize,
    atoms: &'a mut AtomTable,
    nesting: usize,
}

/// What a header says.
#[derive(Default)]
struct Header {
    name: Option<String>,
    properties: Vec<String>,
    states: Option<u32>,
    starts: Vec<(u32, Place)>,
    propositions: Option<Vec<AtomId>>,
    acceptance: Option<(u32, Condition)>,
    aliases: FxHashMap<String, Label>,
    alias_order: Vec<(String, Label)>,
}

impl Reader<'_> {
    fn peek(&self) -> &Token {
        // The last token is the end, and it is never passed.
        self.tokens.get(self.position).map_or(&Token::End, |(_, token)| token)
    }

    fn place(&self) -> Place {
        let last = self.tokens.len() - 1;
        self.tokens[self.position.min(last)].0
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.position += 1;
        }
        token
    }

    fn expected<T>(&self, what: &str) -> Result<T, HoaError> {
        Err(self.place().error(format!("expected {what}, found {}", self.peek())))
    }

    /// The tokens up to and including the next `--ABORT--`, if that comes before the next `--END--`.
    fn aborted_length(&self) -> Option<usize> {
        let markers = self.tokens[self.position..]
            .iter()
            .position(|(_, token)| matches!(token, Token::Marker(Marker::Abort | Marker::End)))?;
        (self.tokens[self.position + markers].1 == Token::Marker(Marker::Abort)).then_some(markers + 1)
    }

    fn automaton(&mut self) -> Result<Hoa, HoaError> {
        let start = self.place();
        let header = self.header()?;
        let Some((sets, condition)) = &header.acceptance else {
            return Err(start.error("the header has no `Acceptance:` item"));
        };
        let propositions = header.propositions.clone().unwrap_or_default();
        let mut automaton = Automaton::new(propositions.clone(), 0);
        automaton.guards = Diagrams::with_budget(MAX_STEPS);
        let mut guards = GuardBuilder::new(&propositions);
        for (name, label) in &header.alias_order {
            let guard = guards.guard(label, &mut automaton)?;
            guards.define(name, guard);
        }
        let mut body = Body { edges: Vec::new(), highest: None, defined: FxHashMap::default() };
        while let Token::Header(name) = self.peek() {
            if name != "State" {
                return self.expected("`State:` or `--END--`");
            }
            self.next();
            self.state(&header, *sets, &mut guards, &mut automaton, &mut body)?;
        }
        if *self.peek() != Token::Marker(Marker::End) {
            return self.expected("an edge, `State:` or `--END--`");
        }
        self.next();
        if automaton.guards.exhausted() {
            return Err(start.error("the labels are too complex"));
        }
        automaton.guards = std::mem::take(&mut automaton.guards).unlimited();
        let edges = finish_states(&header, &body, &mut automaton)?;
        apply(condition, &mut automaton, &edges).map_err(|message| start.error(message))?;
        Ok(Hoa { name: header.name, properties: header.properties, automaton })
    }

    fn header(&mut self) -> Result<Header, HoaError> {
        if *self.peek() != Token::Header("HOA".to_owned()) {
            return self.expected("`HOA:`");
        }
        self.next();
        match self.peek().clone() {
            Token::Word(version) if version == "v1" => drop(self.next()),
            Token::Word(version) => {
                return Err(self.place().error(format!("version `{version}` is not known, only `v1`")));
            }
            _ => return self.expected("a version"),
        }
        let mut header = Header::default();
        loop {
            let place = self.place();
            match self.peek().clone() {
                Token::Header(item) => {
                    self.next();
                    self.header_item(&item, place, &mut header)?;
                }
                Token::Marker(Marker::Body) => {
                    self.next();
                    return Ok(header);
                }
                _ => return self.expected("a header item or `--BODY--`"),
            }
        }
    }

    fn header_item(&mut self, item: &str, place: Place, header: &mut Header) -> Result<(), HoaError> {
        let once = |fresh: bool| {
            if fresh { Ok(()) } else { Err(place.error(format!("`{item}:` occurs a second time"))) }
        };
        match item {
            "States" => {
                once(header.states.is_none())?;
                let count = self.number("the number of states")?;
                if count > MAX_STATES {
                    return Err(place.error(format!("more than {MAX_STATES} states")));
                }
                header.states = Some(count);
            }
            "Start" => header.starts.push(self.one_state()?),
            "AP" => {
                once(header.propositions.is_none())?;
                let count = self.number("the number of propositions")?;
                let mut propositions = Vec::new();
                while let Token::Text(name) = self.peek().clone() {
                    let atom = self.atoms.intern(&name);
                    if propositions.contains(&atom) {
                        return Err(self.place().error(format!("the proposition \"{name}\" occurs a second time")));
                    }
                    propositions.push(atom);
                    self.next();
                }
                if propositions.len() != count as usize {
                    let message = format!("{count} propositions announced, {} named", propositions.len());
                    return Err(place.error(message));
                }
                header.propositions = Some(propositions);
            }
            "Alias" => {
                let Token::Alias(name) = self.peek().clone() else { return self.expected("a name with `@`") };
                once(!header.aliases.contains_key(&name))?;
                self.next();
                let label = self.label()?;
                header.aliases.insert(name.clone(), label.clone());
                header.alias_order.push((name, label));
            }
            "Acceptance" => {
                once(header.acceptance.is_none())?;
                let sets = self.number("the number of acceptance sets")?;
                if sets > Marks::LIMIT {
                    return Err(
                        place.error(format!("{sets} acceptance sets are more than the {} supported", Marks::LIMIT))
                    );
                }
                let condition = self.condition(sets)?;
                header.acceptance = Some((sets, condition));
            }
            "name" => {
                let Token::Text(name) = self.peek().clone() else { return self.expected("a quoted text") };
                self.next();
                header.name = Some(name);
            }
            "properties" => {
                while let Token::Word(property) = self.peek().clone() {
                    self.next();
                    header.properties.push(property);
                }
            }
            // The condition in `Acceptance:` says all; other items in lower case never change the meaning.
            _ if item.starts_with(|c: char| c.is_ascii_lowercase()) => {
                while matches!(self.peek(), Token::Word(_) | Token::Number(_) | Token::Text(_)) {
                    self.next();
                }
            }
            _ => return Err(place.error(format!("the header item `{item}:` is not known, and may change the meaning"))),
        }
        Ok(())
    }

    fn number(&mut self, what: &str) -> Result<u32, HoaError> {
        match *self.peek() {
            Token::Number(number) => {
                self.next();
                Ok(number)
            }
            _ => self.expected(what),
        }
    }

    /// A state; a conjunction of states is universal branching, which nothing here can do.
    fn one_state(&mut self) -> Result<(u32, Place), HoaError> {
        let place = self.place();
        let state = self.number("a state")?;
        if *self.peek() == Token::Sign('&') {
            return Err(self.place().error("universal branching (`&` between states) is not supported"));
        }
        Ok((state, place))
    }

    fn state(
        &mut self,
        header: &Header,
        sets: u32,
        guards: &mut GuardBuilder<'_>,
        automaton: &mut Automaton,
        body: &mut Body,
    ) -> Result<(), HoaError> {
        let state_label = self.optional_label(guards, automaton)?;
        let place = self.place();
        let source = self.number("a state")?;
        body.see(source, place, header)?;
        if let Some(before) = body.defined.insert(source, place) {
            let message = format!("state {source} was defined before, at line {}", before.line);
            return Err(place.error(message));
        }
        if matches!(self.peek(), Token::Text(_)) {
            self.next();
        }
        let state_marks = self.marks(sets)?;
        let mut implicit = 0usize;
        loop {
            let edge_place = self.place();
            let label = self.optional_label(guards, automaton)?;
            if label.is_none() && !matches!(self.peek(), Token::Number(_)) {
                break;
            }
            let (target, target_place) = self.one_state()?;
            body.see(target, target_place, header)?;
            let marks = self.marks(sets)?.union(state_marks);
            let guard = match (state_label, label) {
                (Some(guard), None) => guard,
                (None, Some(guard)) if implicit == 0 => guard,
                (None, None) => {
                    implicit += 1;
                    guards
                        .letter(implicit - 1, automaton)
                        .ok_or_else(|| edge_place.error("more edges without a label than there are letters"))?
                }
                (Some(_), Some(_)) => return Err(edge_place.error("state and edge both have a label")),
                (None, Some(_)) => {
                    return Err(edge_place.error("some edges of the state have a label and some have none"));
                }
            };
            body.edges.push((StateId(source), guard, marks, StateId(target)));
        }
        if implicit > 0 && guards.letter(implicit, automaton).is_some() {
            return Err(place.error("fewer edges without a label than there are letters"));
        }
        Ok(())
    }

    fn optional_label(
        &mut self,
        guards: &mut GuardBuilder<'_>,
        automaton: &mut Automaton,
    ) -> Result<Option<Guard>, HoaError> {
        if *self.peek() != Token::Sign('[') {
            return Ok(None);
        }
        self.next();
        let label = self.label()?;
        if self.peek() != &Token::Sign(']') {
            return self.expected("`]`, `&` or `|`");
        }
        self.next();
        guards.guard(&label, automaton).map(Some)
    }

    fn marks(&mut self, sets: u32) -> Result<Marks, HoaError> {
        let mut marks = Marks::NONE;
        if *self.peek() != Token::Sign('{') {
            return Ok(marks);
        }
        self.next();
        while let Token::Number(set) = *self.peek() {
            if set >= sets {
                return Err(self.place().error(format!("there are only {sets} acceptance sets")));
            }
            marks = marks.union(Marks::single(set));
            self.next();
        }
        if *self.peek() != Token::Sign('}') {
            return self.expected("an acceptance set or `}`");
        }
        self.next();
        Ok(marks)
    }

    fn label(&mut self) -> Result<Label, HoaError> {
        self.expression(&mut Reader::label_operand, Label::And, Label::Or)
    }

    fn label_operand(&mut self) -> Result<Label, HoaError> {
        let (before, place) = (self.position, self.place());
        match self.next() {
            Token::Word(word) if word == "t" => Ok(Label::Constant(true)),
            Token::Word(word) if word == "f" => Ok(Label::Constant(false)),
            Token::Number(index) => Ok(Label::Proposition(index, place)),
            Token::Alias(name) => Ok(Label::Alias(name, place)),
            Token::Sign('!') => {
                self.deeper(place)?;
                let operand = self.label_operand()?;
                self.nesting -= 1;
                Ok(Label::Not(Box::new(operand)))
            }
            Token::Sign('(') => {
                let inner = self.label()?;
                self.close()?;
                Ok(inner)
            }
            _ => {
                self.position = before;
                self.expected("a proposition's number, `t`, `f`, `!`, `@` or `(`")
            }
        }
    }

    fn condition(&mut self, sets: u32) -> Result<Condition, HoaError> {
        let mut operand = |reader: &mut Self| reader.condition_operand(sets);
        self.expression(&mut operand, Condition::And, Condition::Or)
    }

    fn condition_operand(&mut self, sets: u32) -> Result<Condition, HoaError> {
        let before = self.position;
        match self.next() {
            Token::Word(word) if word == "t" => Ok(Condition::Constant(true)),
            Token::Word(word) if word == "f" => Ok(Condition::Constant(false)),
            Token::Word(word) if word == "Inf" || word == "Fin" => {
                if self.peek() != &Token::Sign('(') {
                    return self.expected("`(`");
                }
                self.next();
                let complemented = self.peek() == &Token::Sign('!');
                if complemented {
                    self.next();
                }
                let place = self.place();
                let set = self.number("an acceptance set")?;
                if set >= sets {
                    return Err(place.error(format!("there are only {sets} acceptance sets")));
                }
                self.close()?;
                let literal = SetLiteral { set, complemented };
                Ok(if word == "Inf" { Condition::Inf(literal) } else { Condition::Fin(literal) })
            }
            Token::Sign('(') => {
                let inner = self.condition(sets)?;
                self.close()?;
                Ok(inner)
            }
            _ => {
                self.position = before;
                self.expected("`Inf`, `Fin`, `t`, `f` or `(`")
            }
        }
    }

    /// Operands joined by `&` and `|`, of which `&` binds tighter.
    fn expression<T>(
        &mut self,
        operand: &mut impl FnMut(&mut Self) -> Result<T, HoaError>,
        and: fn(Vec<T>) -> T,
        or: fn(Vec<T>) -> T,
    ) -> Result<T, HoaError> {
        self.deeper(self.place())?;
        let mut terms = Vec::new();
        loop {
            let mut factors = vec![operand(self)?];
            while *self.peek() == Token::Sign('&') {
                self.next();
                factors.push(operand(self)?);
            }
            terms.push(if factors.len() == 1 { factors.remove(0) } else { and(factors) });
            if *self.peek() != Token::Sign('|') {
                break;
            }
            self.next();
        }
        self.nesting -= 1;
        Ok(if terms.len() == 1 { terms.remove(0) } else { or(terms) })
    }

    fn close(&mut self) -> Result<(), HoaError> {
        if *self.peek() != Token::Sign(')') {
            return self.expected("`)`");
        }
        self.next();
        Ok(())
    }

    fn deeper(&mut self, place: Place) -> Result<(), HoaError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            Err(place.error(format!("nested more than {MAX_NESTING} deep")))
        } else {
            Ok(())
        }
    }
}

/// The states and edges read so far.
struct Body {
    edges: Vec<RawEdge>,
    highest: Option<u32>,
    defined: FxHashMap<u32, Place>,
}

impl Body {
    /// Notes that a state is spoken of.
    fn see(&mut self, state: u32, place: Place, header: &Header) -> Result<(), HoaError> {
        let limit = header.states.unwrap_or(MAX_STATES);
        if state >= limit {
            return Err(place.error(format!("there is no state {state}: `States:` says {limit}")));
        }
        self.highest = self.highest.max(Some(state));
        Ok(())
    }
}

/// Adds the states, and one initial state in place of several; the edges may grow.
fn finish_states(header: &Header, body: &Body, automaton: &mut Automaton) -> Result<Vec<RawEdge>, HoaError> {
    let starts = header.starts.iter().map(|&(state, _)| state);
    let highest = body.highest.into_iter().chain(starts).max();
    let limit = header.states.unwrap_or(MAX_STATES);
    for &(state, place) in &header.starts {
        if state >= limit {
            return Err(place.error(format!("there is no state {state}: `States:` says {limit}")));
        }
    }
    // States that are announced and never spoken of cannot be reached.
    let count = highest.map_or(0, |state| state + 1);
    let mut edges = body.edges.clone();
    for _ in 1..count {
        automaton.add_state();
    }
    match header.starts.as_slice() {
        [(start, _)] => automaton.initial = StateId(*start),
        // None or several: a new state with the edges of all of them. Its marks do not matter: nothing leads to it.
        starts => {
            automaton.initial = automaton.add_state();
            for (start, _) in starts {
                let copied = body.edges.iter().filter(|edge| edge.0.0 == *start);
                edges.extend(copied.map(|&(_, guard, marks, target)| (automaton.initial, guard, marks, target)));
            }
        }
    }
    Ok(edges)
}
