//! Expressions, places and channels. The first token tells what comes; operators stand in parentheses.

use super::{Problem, Reader, Reading};
use crate::expression::{At, ChannelRef, Expr, Index, Owner, Place, Poll, Run};
use crate::id::{CellsId, CodeId, DefinitionId, Location};
use crate::text::words::{BINARY, PREDEFINED, PROBES, UNARY};

/// Expressions inside expressions: deeper ones would need more stack than a thread has.
const MOST_LEVELS: u32 = 1000;

impl Reader<'_> {
    /// Runs `read` one level deeper.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Reading<T>) -> Reading<T> {
        if self.levels >= MOST_LEVELS {
            return Err(Problem::new(self.here(), format!("this is nested more than {MOST_LEVELS} levels deep")));
        }
        self.levels += 1;
        let result = read(self);
        self.levels -= 1;
        result
    }

    pub fn expr(&mut self) -> Reading<Expr> {
        self.nested(|reader| {
            if reader.is_sign("(") {
                return reader.operation();
            }
            if reader.is_number() || reader.is_sign("-") {
                return reader.integer().map(Expr::Constant);
            }
            reader.named()
        })
    }

    /// What stands in parentheses.
    fn operation(&mut self) -> Reading<Expr> {
        let start = self.here();
        self.sign("(")?;
        if let Some(op) = self.unary() {
            let operand = Box::new(self.expr()?);
            self.sign(")")?;
            return Ok(Expr::Unary(op, operand));
        }
        let left = self.expr()?;
        if self.accepts(")") {
            return Ok(left);
        }
        if self.accepts("->") {
            let yes = Box::new(self.expr()?);
            self.sign(":")?;
            let no = Box::new(self.expr()?);
            self.sign(")")?;
            return Ok(Expr::Conditional(Box::new(left), yes, no));
        }
        let op = BINARY.into_iter().find(|op| self.is_sign(op.text()));
        let Some(op) = op else { return Err(Problem::new(self.here(), "an operator or `)` is expected")) };
        self.sign(op.text())?;
        let right = Box::new(self.expr()?);
        self.sign(")")?;
        Ok(Expr::Binary(op, Box::new(left), right, self.since(start)))
    }

    /// Passes an operator with one operand. A minus that touches its number belongs to the number.
    fn unary(&mut self) -> Option<promela::model::UnaryOp> {
        let op = UNARY.into_iter().find(|op| self.is_sign(op.text()))?;
        self.accepts(op.text());
        if op == promela::model::UnaryOp::Negate && self.is_number() && self.touches() {
            self.back();
            return None;
        }
        Some(op)
    }

    /// What begins with a word.
    fn named(&mut self) -> Reading<Expr> {
        let start = self.here();
        if self.peek_id("gc").or(self.peek_id("lc")).is_some() {
            let channel = self.channel()?;
            return self.poll(channel, start);
        }
        if self.peek_id("g").or(self.peek_id("l")).is_some() {
            let place = self.place()?;
            return self.load(place, start);
        }
        if self.peek_id("d").is_some() {
            return self.remote(start);
        }
        if self.peek_id("k").is_some() {
            return self.id("k").map(|code| Expr::Code(CodeId(code)));
        }
        let word = self.any_word("an expression")?;
        if let Some((_, which)) = PREDEFINED.into_iter().find(|(name, _)| *name == word) {
            return Ok(Expr::Predefined(which));
        }
        match &*word {
            "timeout" => return Ok(Expr::Timeout),
            "run" => return self.run(start),
            _ => {}
        }
        self.call(&word, start)
    }

    /// A word with something in parentheses.
    fn call(&mut self, word: &str, start: usize) -> Reading<Expr> {
        let probe = PROBES.into_iter().find(|probe| probe.name() == word);
        let known = probe.is_some() || ["enabled", "pc_value", "get_priority", "anyref"].contains(&word);
        if !known {
            return Err(Problem::new(start, format!("`{word}` begins no expression")));
        }
        self.sign("(")?;
        let value = match (probe, word) {
            (Some(probe), _) => Expr::Probe(probe, self.channel()?),
            (None, "enabled") => Expr::Enabled(Box::new(self.expr()?)),
            (None, "pc_value") => Expr::LocationOf(Box::new(self.expr()?)),
            (None, "get_priority") => Expr::PriorityOf(Box::new(self.expr()?)),
            (None, _) => {
                let definition = self.definition()?;
                self.sign(",")?;
                Expr::AnyReference(definition, self.number()?)
            }
        };
        self.sign(")")?;
        Ok(value)
    }

    fn run(&mut self, start: usize) -> Reading<Expr> {
        let definition = self.definition()?;
        self.sign("(")?;
        let arguments = if self.is_sign(")") { Vec::new() } else { self.list(Self::expr)? };
        self.sign(")")?;
        let priority = if self.accepts_word("priority") { Some(self.expr()?) } else { None };
        Ok(Expr::Run(Box::new(Run { definition, arguments, priority, span: self.since(start) })))
    }

    /// The value of a place, or a question about the channel that it holds.
    fn load(&mut self, place: Place, start: usize) -> Reading<Expr> {
        match self.is_sign("?") || self.is_sign("??") {
            true => self.poll(ChannelRef::Variable(place), start),
            false => Ok(Expr::Load(place)),
        }
    }

    fn poll(&mut self, channel: ChannelRef, start: usize) -> Reading<Expr> {
        let random = self.accepts("??");
        if !random {
            self.sign("?")?;
        }
        self.sign("[")?;
        let pattern = if self.is_sign("]") { Vec::new() } else { self.list(Self::option)? };
        self.sign("]")?;
        Ok(Expr::Poll(Box::new(Poll { channel, random, pattern, span: self.since(start) })))
    }

    /// A field of a pattern: a value, or `_` for any.
    pub fn option(&mut self) -> Reading<Option<Expr>> {
        if self.accepts_word("_") { Ok(None) } else { self.expr().map(Some) }
    }

    /// What begins with a process: `d0[e]:l1`, `d0[e].l1` or `d0[e]@3`.
    fn remote(&mut self, start: usize) -> Reading<Expr> {
        let (definition, pid) = self.process_named()?;
        if self.accepts("@") {
            let location = Location(self.number()?);
            return Ok(Expr::At(Box::new(At { definition, pid, location, span: self.since(start) })));
        }
        let owner = Owner::Remote(definition, pid.map(Box::new));
        if self.accepts(":") {
            return self.cells_of(owner, "l", start).map(Expr::Remote);
        }
        self.sign(".")?;
        let place = self.cells_of(owner, "l", start)?;
        self.load(place, start)
    }

    fn process_named(&mut self) -> Reading<(DefinitionId, Option<Expr>)> {
        let definition = self.definition()?;
        let mut pid = None;
        if self.accepts("[") {
            pid = Some(self.expr()?);
            self.sign("]")?;
        }
        Ok((definition, pid))
    }

    pub fn channel(&mut self) -> Reading<ChannelRef> {
        if self.peek_id("gc").is_some() {
            return self.id("gc").map(ChannelRef::Global);
        }
        if self.peek_id("lc").is_some() {
            return self.id("lc").map(ChannelRef::Own);
        }
        self.place().map(ChannelRef::Variable)
    }

    pub fn place(&mut self) -> Reading<Place> {
        let start = self.here();
        if self.peek_id("g").is_some() {
            return self.cells_of(Owner::Global, "g", start);
        }
        if self.peek_id("d").is_some() {
            let (definition, pid) = self.process_named()?;
            self.sign(".")?;
            return self.cells_of(Owner::Remote(definition, pid.map(Box::new)), "l", start);
        }
        self.cells_of(Owner::Own, "l", start)
    }

    /// The cells of an owner with their index.
    fn cells_of(&mut self, owner: Owner, letter: &str, start: usize) -> Reading<Place> {
        let cells = CellsId(self.id(letter)?);
        let mut indices = Vec::new();
        let mut constant = None;
        while constant.is_none() && self.accepts("[") {
            let at = self.here();
            let index = self.expr()?;
            if self.accepts(":") {
                indices.push((index, self.number()?));
            } else {
                let element = match index {
                    Expr::Constant(element) if indices.is_empty() => u32::try_from(element).ok(),
                    _ => None,
                };
                let message = "an index that is not one number needs its length: `[e : n]`";
                constant = Some(element.ok_or_else(|| Problem::new(at, message))?);
            }
            self.sign("]")?;
        }
        let index = match constant {
            Some(element) => Index::Constant(element),
            None if indices.is_empty() => Index::Constant(0),
            None => Index::Computed(indices),
        };
        Ok(Place { owner, cells, index, span: self.since(start) })
    }
}
