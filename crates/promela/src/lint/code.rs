//! All code of a model, laid out flat: every statement, expression and place with what surrounds it.
//!
//! Twenty rules that each walk the whole tree would cost twenty walks. One walk makes these lists, and a rule only runs
//! over the list it needs.

use crate::model::visit::{Access, Visitor, walk};
use crate::model::{Block, Expr, Initial, Model, Owner, Place, Statement, StatementKind};

/// The lists, each in the order of the text, one process after the other.
pub(super) struct Code<'m> {
    pub(super) statements: Vec<StatementAt<'m>>,
    pub(super) expressions: Vec<ExprAt<'m>>,
    pub(super) places: Vec<PlaceAt<'m>>,
}

/// Whether something is inside an `atomic` or behind the guard of a `d_step`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inside {
    Neither,
    Atomic,
    /// The first statement of a `d_step`.
    DStepGuard,
    DStep,
}

/// A statement in its surroundings.
#[derive(Clone, Copy)]
pub(super) struct StatementAt<'m> {
    pub(super) owner: Owner,
    pub(super) inside: Inside,
    /// Whether it is the first one of an option.
    pub(super) guard: bool,
    pub(super) statement: &'m Statement,
}

/// An expression in its surroundings.
#[derive(Clone, Copy)]
pub(super) struct ExprAt<'m> {
    /// Who computes it. Initial values of globals and formulas belong to nobody, and have no locals; the trace stands for
    /// nobody there.
    pub(super) owner: Owner,
    pub(super) inside: Inside,
    /// Whether it is the whole value of its statement.
    pub(super) whole: bool,
    pub(super) expression: &'m Expr,
}

/// A place in its surroundings. (Those of remote variables are only found in their expressions.)
#[derive(Clone, Copy)]
pub(super) struct PlaceAt<'m> {
    pub(super) owner: Owner,
    pub(super) access: Access,
    /// Whether the access only stands for the place's own declaration.
    pub(super) declaration: bool,
    pub(super) place: &'m Place,
}

impl<'m> Code<'m> {
    pub(super) fn of(model: &'m Model) -> Code<'m> {
        let code = Code { statements: Vec::new(), expressions: Vec::new(), places: Vec::new() };
        let mut collector =
            Collector { model, code, owner: Owner::Trace, inside: Inside::Neither, guard: false, whole: false };
        for variable in &model.globals {
            collector.initial(&variable.initial);
        }
        for property in &model.ltl {
            // Formulas are small, and each atom is a value of its own.
            walk::formula(&mut Atoms(&mut collector), &property.formula);
        }
        for (owner, process) in model.owners() {
            collector.owner = owner;
            for variable in &process.locals {
                collector.initial(&variable.initial);
            }
            if let Some(provided) = &process.provided {
                collector.value(provided);
            }
            walk::block(&mut collector, &process.body);
        }
        collector.code
    }
}

struct Collector<'m> {
    model: &'m Model,
    code: Code<'m>,
    owner: Owner,
    inside: Inside,
    guard: bool,
    whole: bool,
}

impl<'m> Collector<'m> {
    fn initial(&mut self, initial: &'m Initial) {
        if let Initial::Value(value) = initial {
            self.value(value);
        }
    }

    /// A value that is all there is to its statement, declaration or formula.
    fn value(&mut self, value: &'m Expr) {
        self.whole = true;
        self.expression(value);
    }

    fn option(&mut self, option: &'m Block) {
        for (number, statement) in option.statements.iter().enumerate() {
            self.guard = number == 0;
            self.statement(statement);
        }
    }

    fn within(&mut self, inside: Inside, block: &'m Block) {
        let outside = self.inside;
        for (number, statement) in block.statements.iter().enumerate() {
            self.inside = match (outside, inside) {
                (Inside::DStep | Inside::DStepGuard, _) => Inside::DStep,
                (_, Inside::DStep) if number == 0 => Inside::DStepGuard,
                _ => inside,
            };
            self.statement(statement);
        }
        self.inside = outside;
    }

    fn is_declaration(&self, place: &Place, statement: &Statement) -> bool {
        self.model.variable(place.base, self.owner).is_some_and(|variable| variable.span == statement.span)
    }
}

impl<'m> Visitor<'m> for Collector<'m> {
    fn statement(&mut self, statement: &'m Statement) {
        // Only the statement itself is a guard, nothing inside it or behind it.
        let (owner, inside, guard) = (self.owner, self.inside, std::mem::take(&mut self.guard));
        self.code.statements.push(StatementAt { owner, inside, guard, statement });
        match &statement.kind {
            StatementKind::Expression(e) | StatementKind::Discard(e) | StatementKind::Assert(e) => self.value(e),
            StatementKind::Assign(place, value) => {
                self.value(value);
                let declaration = self.is_declaration(place, statement);
                self.code.places.push(PlaceAt { owner, access: Access::Write, declaration, place });
                walk::place(self, place);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|option| self.option(option));
            }
            StatementKind::Atomic(block) => self.within(Inside::Atomic, block),
            StatementKind::DStep(block) => self.within(Inside::DStep, block),
            StatementKind::Block(block) => walk::block(self, block),
            StatementKind::Unless(main, escape) => {
                walk::block(self, main);
                walk::block(self, escape);
            }
            _ => walk::statement(self, statement),
        }
    }

    fn expression(&mut self, expression: &'m Expr) {
        let (owner, inside) = (self.owner, self.inside);
        let whole = std::mem::take(&mut self.whole);
        self.code.expressions.push(ExprAt { owner, inside, whole, expression });
        walk::expression(self, expression);
    }

    fn place(&mut self, place: &'m Place, access: Access) {
        self.whole = false;
        self.code.places.push(PlaceAt { owner: self.owner, access, declaration: false, place });
        walk::place(self, place);
    }
}

/// Sees the atoms of a formula.
struct Atoms<'c, 'm>(&'c mut Collector<'m>);

impl<'m> Visitor<'m> for Atoms<'_, 'm> {
    fn expression(&mut self, expression: &'m Expr) {
        self.0.value(expression);
    }
}
