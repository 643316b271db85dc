//! `isospin symmetry --oracle`: the automorphisms of the state graph beside what was proven.

use std::fmt::Write as _;

use ::symmetry::detect::Detection;
use ::symmetry::oracle::{StateGraph, order_on_processes};
use machine::Machine;
use serde::Serialize;

use super::symmetry::{Break, arrows, cycle_form};
use crate::cli::symmetry::SymmetryArguments;
use crate::console::{self, Exit};
use crate::{model, outputs};

/// At most so many permutations are listed.
const MOST_LISTED: usize = 6;

/// What brute force found.
#[derive(Serialize)]
pub struct Oracle {
    states: usize,
    transitions: usize,
    orbits: usize,
    /// The order of the automorphism group of the state graph, as it acts on processes.
    order: String,
    /// The order of the proven group, as it acts on processes.
    proven: String,
    structure: String,
    /// Permutations of processes that the state graph has and that were not proven.
    unproven: Vec<String>,
    /// What is in the way of proving more: places of the text that were changed to see that the group becomes larger.
    causes: Vec<String>,
    /// Permutations that were proven and that the state graph does not have: each is a bug.
    contradicted: Vec<String>,
    #[serde(skip)]
    shown: Vec<String>,
}

impl Oracle {
    /// Searches a small state graph, and writes its quotient if that was asked for.
    pub fn of(
        machine: &Machine,
        detection: &Detection,
        most: usize,
        arguments: &SymmetryArguments,
    ) -> Result<Oracle, Exit> {
        let quotient = arguments.quotient.as_deref();
        let is_dot = |path: &std::path::Path| path.extension().is_some_and(|it| it == "dot" || it == "gv");
        if let Some(path) = quotient.filter(|path| !is_dot(path) && path.extension().is_none_or(|it| it != "aut")) {
            return Err(model::refuse(&format!("{}: the name of a quotient ends in .aut or .dot", path.display())));
        }
        let Some(graph) = StateGraph::of(machine, detection, most) else {
            let message = if detection.entry.is_none() {
                "there is no state graph to compare with: processes are created all the time".to_string()
            } else {
                format!("the state graph has more than {most} states: --oracle=STATES takes more, with patience")
            };
            return Err(model::refuse(&message));
        };
        if let Some(path) = quotient {
            let text = if is_dot(path) { graph.quotient_dot() } else { graph.quotient_aut() };
            outputs::write(path, &text).map_err(|message| model::refuse(&message))?;
        }
        let unproven = graph.unproven(detection);
        let contradicted: Vec<String> = graph.contradicted(detection).iter().map(|cycles| cycle_form(cycles)).collect();
        for permutation in &contradicted {
            console::error(&format!(
                "this is a bug in isospin: {permutation} was proven to be a symmetry, and the state graph does not have it"
            ));
        }
        let show = |cycles: &Vec<Vec<String>>| cycles.iter().map(|cycle| arrows(cycle)).collect::<Vec<_>>().join(", ");
        Ok(Oracle {
            states: graph.states(),
            transitions: graph.transitions(),
            orbits: graph.orbits(),
            order: graph.group.order().to_string(),
            proven: order_on_processes(detection).to_string(),
            structure: graph.group.structure().to_string(),
            shown: unproven.iter().take(MOST_LISTED).map(show).collect(),
            contradicted,
            causes: Vec::new(),
            unproven: unproven.iter().map(|cycles| cycle_form(cycles)).collect(),
        })
    }

    /// Names what keeps permutations from being proven, as far as the explanation has tried it out.
    pub fn blame(&mut self, breaks: &[Break]) {
        if !self.unproven.is_empty() {
            self.causes = breaks.iter().filter_map(Break::cause).collect();
        }
    }

    /// The same in words.
    pub fn text(&self) -> String {
        let Oracle { states, transitions, orbits, order, proven, structure, .. } = self;
        let permutations = if order == "1" { "permutation" } else { "permutations" };
        let mut text = format!(
            "\nthe state graph itself: {states} states, {transitions} transitions, {orbits} orbits\n  it has {order} \
             {permutations} of processes ({structure}); proven: {proven}\n"
        );
        if !self.shown.is_empty() {
            text += "  not proven:\n";
        }
        for permutation in &self.shown {
            let _ = writeln!(text, "    {permutation}");
        }
        if self.unproven.len() > self.shown.len() {
            let _ = writeln!(text, "    and {} more", self.unproven.len() - self.shown.len());
        }
        text += match (self.unproven.is_empty(), self.causes.is_empty()) {
            (true, _) => "",
            (false, true) => "  the text does not show it, and no single place was found that hides it\n",
            (false, false) => "  because of\n",
        };
        for cause in &self.causes {
            let _ = writeln!(text, "    {cause}");
        }
        text
    }
}
