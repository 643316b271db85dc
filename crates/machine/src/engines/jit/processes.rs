//! Code for `run`: arguments, the new frame, and the initial values that the new process computes for itself.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};

use super::context::status;
use super::emit::{Address, Emitter, Own};
use super::runtime::{Helper, TOO_SMALL};
use super::tables::constant_prefix;
use crate::expression::Run;
use crate::ground::Scope;
use crate::id::DefinitionId;
use crate::layout::Cells;
use crate::machine::InitialValues;

/// Arrays of at most so many cells are filled without a loop.
const UNROLLED: u32 = 8;

impl<'m> Emitter<'_, 'm> {
    /// `run P(...)`: the new process' pid.
    pub fn run(&mut self, run: &'m Run) -> Value {
        let arguments: Vec<Value> = run.arguments.iter().map(|argument| self.value(argument)).collect();
        let priority = match &run.priority {
            Some(priority) => self.value(priority),
            None => self.constant(1),
        };
        let definition = self.constant(run.definition.0 as i32);
        let pid = self.call(Helper::Create, &[self.context, self.state, definition]).expect("it returns a pid");
        self.check_created(pid);
        let frame = self.frame_of(pid);
        let layout = &self.scope.machine.layout;
        if let Some(offset) = layout.priority_offset {
            let least = self.constant(0);
            let greatest = self.constant(255);
            let priority = self.builder.ins().smax(priority, least);
            let priority = self.builder.ins().smin(priority, greatest);
            self.store_number(1, Address { base: frame, offset: offset as i32 }, priority);
        }
        let area = &layout.frames[run.definition.index()];
        let parameters = &self.scope.machine.definition(run.definition).parameters;
        for (&cells, &value) in parameters.iter().zip(&arguments) {
            let cells = area.cells(cells);
            self.store(cells.scalar, Address { base: frame, offset: cells.offset as i32 }, value);
        }
        self.initialise(run.definition, Own { frame, pid: Some(pid) });
        pid
    }

    fn check_created(&mut self, pid: Value) {
        let (created, not, grow) = (self.block(), self.block(), self.block());
        self.builder.set_cold_block(not);
        self.builder.set_cold_block(grow);
        let is_created = self.compare_constant(IntCC::SignedGreaterThanOrEqual, pid, 0);
        self.branch(is_created, created, not);
        self.enter(not);
        let is_small = self.compare_constant(IntCC::Equal, pid, TOO_SMALL);
        self.branch(is_small, grow, self.failure);
        self.enter(grow);
        let result = self.constant_64(u64::from(status::GROW));
        self.builder.ins().return_(&[result]);
        self.enter(created);
    }

    /// The initial values that the template of the frame does not already have.
    fn initialise(&mut self, definition: DefinitionId, new: Own) {
        let (creator, scope) = (self.own, self.scope);
        self.own = new;
        self.scope = Scope::new(scope.machine, Some(definition));
        let initial = &scope.machine.definition(definition).initial;
        let known = constant_prefix(initial.iter().map(|initialiser| &initialiser.values));
        for initialiser in &initial[known..] {
            let cells = scope.machine.layout.frames[definition.index()].cells(initialiser.cells);
            match &initialiser.values {
                InitialValues::Same(value) => {
                    let value = self.value(value);
                    self.fill(cells, value);
                }
                InitialValues::Each(values) => {
                    for (element, &value) in (0..cells.count).zip(values) {
                        let value = self.constant(value);
                        let at = Address { base: new.frame, offset: cells.element_offset(element) as i32 };
                        self.store(cells.scalar, at, value);
                    }
                }
            }
        }
        (self.own, self.scope) = (creator, scope);
    }

    fn fill(&mut self, cells: &Cells, value: Value) {
        let start = Address { base: self.own.frame, offset: cells.offset as i32 };
        let width = cells.scalar.width();
        if cells.count <= UNROLLED {
            for element in 0..cells.count {
                self.store(cells.scalar, start.plus(element * width), value);
            }
            return;
        }
        let (body, done) = (self.block(), self.block());
        let element = self.builder.append_block_param(body, types::I32);
        let zero = self.constant(0);
        self.builder.ins().jump(body, &[zero.into()]);
        self.enter(body);
        let at = self.index(start, element, width);
        self.store(cells.scalar, at, value);
        let next = self.builder.ins().iadd_imm_s(element, 1);
        let more = self.compare_constant(IntCC::UnsignedLessThan, next, cells.count as i32);
        self.builder.ins().brif(more, body, &[next.into()], done, &[]);
        self.enter(done);
    }
}
