//! Code for `d_step`: the whole body becomes one function that runs to its exit.
//!
//! At every node the first alternative that is possible is taken. Having to wait is allowed at the start only.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, types};

use super::actions::Ways;
use super::emit::Emitter;
use crate::action::{ActionKind, DStep};
use crate::expression::Expr;
use crate::interpret::D_STEP_LIMIT;

impl<'m> Emitter<'_, 'm> {
    /// Whether the first node has an alternative; what goes wrong there counts as one.
    pub fn d_step_guard(&mut self, body: &'m DStep, ways: Ways) {
        for edge in &body.nodes[0].edges {
            let next = self.block();
            let action = self.scope.machine.action(edge.action);
            // A rendezvous inside a `d_step` is an error.
            self.guard(action, Ways { yes: ways.yes, no: next, offers: self.failure });
            self.enter(next);
        }
        self.jump(ways.no);
    }

    /// Runs the body. That it can start was found before, so having to wait is an error wherever it happens.
    pub fn d_step(&mut self, body: &'m DStep) {
        let zero = self.constant(0);
        let steps = self.variable(types::I32, zero);
        let is_cyclic = body.nodes.iter().enumerate().any(|(number, node)| {
            node.edges.iter().any(|edge| edge.target.is_some_and(|target| target as usize <= number))
        });
        let nodes: Vec<Block> = body.nodes.iter().map(|_| self.block()).collect();
        let exit = self.block();
        self.jump(nodes[0]);
        for (node, &block) in body.nodes.iter().zip(&nodes) {
            self.enter(block);
            if is_cyclic {
                let before = self.builder.use_var(steps);
                let endless = self.compare_constant(IntCC::Equal, before, D_STEP_LIMIT as i32);
                self.fail_if(endless);
                let after = self.builder.ins().iadd_imm_s(before, 1);
                self.builder.def_var(steps, after);
            }
            for edge in &node.edges {
                let action = self.scope.machine.action(edge.action);
                let (yes, next) = (self.block(), self.block());
                self.guard(action, Ways { yes, no: next, offers: self.failure });
                self.enter(yes);
                // A condition that is not a `run` has done its duty.
                if !matches!(&action.kind, ActionKind::Condition(condition) if !matches!(condition, Expr::Run(_))) {
                    self.effect(action);
                }
                self.jump(edge.target.map_or(exit, |target| nodes[target as usize]));
                self.enter(next);
            }
            self.jump(self.failure);
        }
        self.enter(exit);
    }
}
