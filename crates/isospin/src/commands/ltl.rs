//! `isospin ltl`: a formula as a Büchi automaton. No model is needed: propositions stay as they are written.

use automata::atom::AtomTable;
use automata::automaton::Automaton;
use automata::classify::{Classification, ComponentKind, Strength};
use automata::formula::Formula;
use automata::reduce::Kind;
use automata::spelling::Spelling;
use automata::stutter::is_stutter_invariant;
use automata::translate::translate_to;
use automata::{dot, hoa, never};
use promela::ast::{self, BinaryOp, ExprKind, FormulaKind, UnaryOp};
use promela::diagnostic::Diagnostic;
use promela::parse::parse_formula;
use promela::preprocess::{self, InMemory};
use promela::print::print_expr;
use promela::source::SourceMap;

use crate::cli::ltl::{AutomatonFormat, AutomatonKind, LtlArguments};
use crate::console::{self, Exit};
use crate::diagnostics;

/// Translates the formula and prints the automaton.
pub fn run(arguments: &LtlArguments) -> Exit {
    let mut atoms = AtomTable::default();
    let Some(formula) = read(&arguments.formula, &mut atoms) else { return Exit::Usage };
    let formula = if arguments.negate { formula.negated() } else { formula };
    let kind = match arguments.kind.unwrap_or(AutomatonKind::States) {
        AutomatonKind::States => Kind::BuchiStates,
        AutomatonKind::Edges => Kind::BuchiEdges,
        AutomatonKind::Generalised => Kind::Generalised,
    };
    if arguments.format == AutomatonFormat::Never && kind != Kind::BuchiStates {
        console::error("a never claim has one acceptance set, on states: --kind needs another --format");
        return Exit::Usage;
    }
    let automaton = match translate_to(&formula, kind) {
        Ok(automaton) => automaton,
        Err(error) => {
            console::error(&error.to_string());
            return Exit::Usage;
        }
    };
    let title = formula.display(Spelling::Spin, &atoms).to_string();
    console::print(&match arguments.format {
        AutomatonFormat::Never => never::never_claim(&automaton, &atoms, &title),
        AutomatonFormat::Hoa => hoa::hoa(&automaton, &atoms, &title),
        AutomatonFormat::Dot => dot::dot(&automaton, &atoms, &title),
        AutomatonFormat::Counts => counts(&automaton, &formula),
    })
}

/// Reads a formula as a model's `ltl` blocks are read; what is wrong with it is printed.
fn read(text: &str, atoms: &mut AtomTable) -> Option<Formula> {
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add_file("formula", text) else {
        console::error("the formula is larger than 4 GiB");
        return None;
    };
    let mut found = Vec::new();
    let options = preprocess::Options::default();
    let tokens = preprocess::preprocess(&mut sources, file, &options, &InMemory::default(), &mut found);
    let formula = parse_formula(&mut sources, tokens, &[], &mut found);
    diagnostics::print(&found, &sources);
    let formula = formula.filter(|_| !found.iter().any(Diagnostic::is_error))?;
    Some(temporal(&formula, atoms))
}

fn temporal(formula: &ast::Formula, atoms: &mut AtomTable) -> Formula {
    let mut pair = |f: &ast::Formula, g: &ast::Formula, make: fn(Formula, Formula) -> Formula| {
        let f = temporal(f, atoms);
        make(f, temporal(g, atoms))
    };
    match &formula.kind {
        FormulaKind::And(f, g) => pair(f, g, |f, g| Formula::and([f, g])),
        FormulaKind::Or(f, g) => pair(f, g, |f, g| Formula::or([f, g])),
        FormulaKind::Implies(f, g) => pair(f, g, Formula::implies),
        FormulaKind::Equivalent(f, g) => pair(f, g, Formula::equivalent),
        FormulaKind::Until(f, g) => pair(f, g, Formula::until),
        FormulaKind::WeakUntil(f, g) => pair(f, g, Formula::weak_until),
        FormulaKind::Release(f, g) => pair(f, g, Formula::release),
        FormulaKind::Not(f) => Formula::negation(temporal(f, atoms)),
        FormulaKind::Next(f) => Formula::next(temporal(f, atoms)),
        FormulaKind::Always(f) => Formula::always(temporal(f, atoms)),
        FormulaKind::Eventually(f) => Formula::eventually(temporal(f, atoms)),
        FormulaKind::Atom(expression) => proposition(expression, atoms),
    }
}

/// An expression without temporal operators: its logic is the formula's, the rest are atoms.
fn proposition(expression: &ast::Expr, atoms: &mut AtomTable) -> Formula {
    match &expression.kind {
        ExprKind::Paren(inner) => proposition(inner, atoms),
        ExprKind::Unary(UnaryOp::Not, operand) => Formula::negation(proposition(operand, atoms)),
        ExprKind::Binary(BinaryOp::And, left, right) => {
            Formula::and([proposition(left, atoms), proposition(right, atoms)])
        }
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            Formula::or([proposition(left, atoms), proposition(right, atoms)])
        }
        _ => match print_expr(expression).as_str() {
            "true" | "1" => Formula::truth(),
            "false" | "0" => Formula::falsehood(),
            text => Formula::atom(atoms.intern(text)),
        },
    }
}

fn counts(automaton: &Automaton, formula: &Formula) -> String {
    let size = automaton.size();
    let classes = Classification::of(automaton);
    let strength = match classes.strength() {
        Strength::Empty => "empty: it accepts nothing",
        Strength::Terminal => "terminal: a finite prefix decides",
        Strength::Weak => "weak",
        Strength::Strong => "strong",
    };
    let yes_or_no = |answer: bool| if answer { "yes" } else { "no" };
    let stutter = match is_stutter_invariant(formula) {
        Ok(answer) => yes_or_no(answer),
        Err(_) => "unknown",
    };
    format!(
        "states            {}\nedges             {}\ntransitions       {}\nacceptance sets   {}\nstrength          {strength}\nclass             {}\n\
         deterministic     {}\ncomplete          {}\nstutter-invariant {stutter}\n",
        size.states,
        size.edges,
        size.transitions,
        automaton.acceptance_sets(),
        class(&classes),
        yes_or_no(classes.deterministic),
        yes_or_no(classes.complete),
    )
}

/// The class of a claim by its components, as the literature on directed search has it: S where a finite prefix decides, N without accepting cycles, F
/// where every cycle accepts, P where some do.
fn class(classes: &Classification) -> String {
    let letter = |kind: ComponentKind| match kind {
        ComponentKind::Terminal => "S",
        ComponentKind::Transient | ComponentKind::Rejecting => "N",
        ComponentKind::Strong => "P",
        ComponentKind::Weak => "F",
    };
    let found: Vec<&str> = classes.components().iter().map(|(kind, _)| letter(*kind)).collect();
    let letters: Vec<&str> = ["S", "N", "P", "F"].into_iter().filter(|letter| found.contains(letter)).collect();
    letters.join("+")
}
