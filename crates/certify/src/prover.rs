//! Proofs that renamings are symmetries: the renamed program is the program.
//!
//! Every process tells what it can do at each of its locations (`terms`), once as it is and once renamed. A renaming `g` is a symmetry if what process
//! `p` tells renamed at location `l` is what `g(p)` tells as it is at `g(l)`: the same ways out, in any order unless their order matters. Telling
//! also makes sure that nobody notices when a process that came to its end stays there.

use machine::action::ActionKind;
use machine::automaton::{Automaton, Edge};
use machine::expression::Expr;

use crate::region::Region;
use crate::renaming::Renaming;
use crate::terms::Speaker;
use crate::{Accepted, Rejection};

/// What every process of a region tells as it is.
pub struct Prover<'r> {
    region: &'r Region,
    /// By process and location.
    told: Vec<Vec<Vec<String>>>,
    /// By process: its `provided` clause.
    provided: Vec<Option<String>>,
    /// What a property asks about states.
    asked: Vec<(Expr, String)>,
}

impl<'r> Prover<'r> {
    /// Lets every process tell what it does, and what a property asks.
    ///
    /// # Errors
    /// When somebody does something that tells processes apart, or would notice that a process stays at its end.
    pub fn new(region: &'r Region, asked: &[Expr]) -> Accepted<Prover<'r>> {
        let mut prover = Prover { region, told: Vec::new(), provided: Vec::new(), asked: Vec::new() };
        for pid in 0..region.frames.len() {
            let speaker = Speaker { region, pid: Some(pid), renaming: None };
            let locations = 0..prover.automaton(pid).locations.len();
            let told = locations.map(|location| prover.ways_out(speaker, pid, location));
            let told = told.collect::<Accepted<Vec<Vec<String>>>>()?;
            prover.told.push(told);
            let provided = prover.provided(speaker, pid)?;
            prover.provided.push(provided);
        }
        let speaker = Speaker { region, pid: None, renaming: None };
        let asked = asked.iter().map(|expr| Ok((expr.clone(), speaker.condition(expr)?)));
        prover.asked = asked.collect::<Accepted<Vec<_>>>()?;
        Ok(prover)
    }

    /// Proves that a renaming is a symmetry.
    ///
    /// # Errors
    /// When it is not seen to be one, and why.
    pub fn prove(&self, renaming: &Renaming) -> Accepted<()> {
        let region = self.region;
        for pid in 0..region.frames.len() {
            let image = renaming.process(pid);
            let speaker = Speaker { region, pid: Some(pid), renaming: Some(renaming) };
            if self.provided(speaker, pid)? != self.provided[image] {
                return Err(Rejection::new(format!("the `provided` clauses of processes {pid} and {image} differ")));
            }
            for location in 0..self.automaton(pid).locations.len() {
                let to = renaming.location(pid, location);
                if self.ways_out(speaker, pid, location)? != self.told[image][to] {
                    let at = format!("process {pid} at location {location}");
                    return Err(Rejection::new(format!("{at} does not do what {image} does at {to}")));
                }
            }
        }
        let speaker = Speaker { region, pid: None, renaming: Some(renaming) };
        for (expr, told) in &self.asked {
            if speaker.condition(expr)? != *told {
                return Err(Rejection::new("the property is not symmetric"));
            }
        }
        Ok(())
    }

    fn automaton(&self, pid: usize) -> &'r Automaton {
        &self.region.machine.definition(self.region.definition(pid)).automaton
    }

    fn provided(&self, speaker: Speaker<'_>, pid: usize) -> Accepted<Option<String>> {
        self.automaton(pid).provided.as_ref().map(|expr| speaker.condition(expr)).transpose()
    }

    /// What a process can do at a location. Of one from which it may come to a `run` nothing is told but that.
    fn ways_out(&self, speaker: Speaker<'_>, pid: usize, number: usize) -> Accepted<Vec<String>> {
        let automaton = self.automaton(pid);
        let location = &automaton.locations[number];
        if !self.region.is_settled(self.region.definition(pid), machine::id::Location(number as u32)) {
            return Ok(vec!["unsettled".into()]);
        }
        let way = |edge: &Edge| {
            let action = speaker.action(self.region.machine.action(edge.action))?;
            let target = speaker.location(pid, edge.target.index());
            let escape = edge.escape.map(|escape| speaker.location(pid, escape.index()));
            Ok(format!("{action} -> {target} {} {escape:?}", edge.atomic))
        };
        let mut ways = location.edges.iter().map(way).collect::<Accepted<Vec<String>>>()?;
        match self.is_ordered(&location.edges) {
            true => ways.push("in this order".into()),
            false => ways.sort_unstable(),
        }
        ways.push(format!("{} {} {}", location.end, location.accept, location.progress));
        Ok(ways)
    }

    /// Whether the order of ways out matters: escapes come first, and `else` needs to know what else there is.
    fn is_ordered(&self, edges: &[Edge]) -> bool {
        let is_else = |edge: &Edge| matches!(self.region.machine.action(edge.action).kind, ActionKind::Else);
        edges.iter().any(|edge| edge.escape.is_some()) || edges.iter().rev().skip(1).any(is_else)
    }
}
