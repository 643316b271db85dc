//! Code for expressions: the values they have in the vector at hand, as the interpreter computes them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder as _, Signature, Value, types};

use super::context::field;
use super::emit::{Address, Emitter};
use super::runtime::Helper;
use crate::expression::{At, BinaryOp, Expr, Index, Owner, Place, Predefined, UnaryOp};
use crate::id::{CodeId, DefinitionId};
use crate::scalar::Scalar;

impl<'m> Emitter<'_, 'm> {
    /// The value of an expression.
    pub fn value(&mut self, expr: &'m Expr) -> Value {
        match expr {
            Expr::Constant(value) => self.constant(*value),
            Expr::Load(place) => {
                let (scalar, at) = self.locate(place);
                self.load(scalar, at)
            }
            Expr::Predefined(which) => self.predefined(*which),
            Expr::Unary(UnaryOp::Negate, operand) => {
                let value = self.value(operand);
                self.builder.ins().ineg(value)
            }
            Expr::Unary(UnaryOp::Complement, operand) => {
                let value = self.value(operand);
                self.builder.ins().bnot(value)
            }
            Expr::Binary(op, left, right, _) if comparison(*op).is_none() && !is_logical(*op) => {
                let (left, right_value) = (self.value(left), self.value(right));
                self.arithmetic(*op, left, right_value, right)
            }
            Expr::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            Expr::Probe(probe, channel) => self.probe(*probe, channel),
            Expr::Run(run) => self.run(run),
            Expr::Timeout => self.context_number(field::TIMEOUT),
            Expr::Code(id) => self.embedded(*id),
            Expr::Unary(UnaryOp::Not, _) | Expr::Binary(..) | Expr::Poll(_) | Expr::At(_) => {
                let truth = self.truth(expr);
                self.widen(truth)
            }
            Expr::Remote(_) | Expr::LocationOf(_) | Expr::PriorityOf(_) | Expr::Enabled(_) | Expr::AnyReference(..) => {
                unreachable!("left to the interpreter")
            }
        }
    }

    /// Whether the value of an expression is not zero, as a truth.
    pub fn truth(&mut self, expr: &'m Expr) -> Value {
        match expr {
            Expr::Unary(UnaryOp::Not, operand) => {
                let truth = self.truth(operand);
                self.builder.ins().bxor_imm_s(truth, 1)
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right, _) => self.logical(*op, left, right),
            Expr::Binary(op, left, right, _) if let Some(condition) = comparison(*op) => {
                let (left, right) = (self.value(left), self.value(right));
                self.compare(condition, left, right)
            }
            Expr::Poll(poll) => self.poll(poll),
            Expr::At(at) => self.at(at),
            _ => {
                let value = self.value(expr);
                self.compare_constant(IntCC::NotEqual, value, 0)
            }
        }
    }

    /// `&&` and `||`: the right side counts only when the left one does not decide, which matters when it can fail.
    fn logical(&mut self, op: BinaryOp, left: &'m Expr, right: &'m Expr) -> Value {
        let left_truth = self.truth(left);
        let needs = self.scope.expr(right);
        if !needs.fails && !needs.runs && is_cheap(right) {
            let right_truth = self.truth(right);
            return match op {
                BinaryOp::And => self.builder.ins().band(left_truth, right_truth),
                _ => self.builder.ins().bor(left_truth, right_truth),
            };
        }
        let result = self.variable(types::I8, left_truth);
        let (more, done) = (self.block(), self.block());
        match op {
            BinaryOp::And => self.branch(left_truth, more, done),
            _ => self.branch(left_truth, done, more),
        }
        self.enter(more);
        let right_truth = self.truth(right);
        self.builder.def_var(result, right_truth);
        self.jump(done);
        self.enter(done);
        self.builder.use_var(result)
    }

    fn conditional(&mut self, condition: &'m Expr, yes: &'m Expr, no: &'m Expr) -> Value {
        let truth = self.truth(condition);
        let zero = self.constant(0);
        let result = self.variable(types::I32, zero);
        let (if_so, if_not, done) = (self.block(), self.block(), self.block());
        self.branch(truth, if_so, if_not);
        for (block, expr) in [(if_so, yes), (if_not, no)] {
            self.enter(block);
            let value = self.value(expr);
            self.builder.def_var(result, value);
            self.jump(done);
        }
        self.enter(done);
        self.builder.use_var(result)
    }

    /// C's arithmetic on 32-bit integers. The smallest number divided by -1 is itself; shifts take the distance modulo 32.
    fn arithmetic(&mut self, op: BinaryOp, left: Value, right: Value, divisor: &Expr) -> Value {
        match op {
            BinaryOp::Multiply => self.builder.ins().imul(left, right),
            BinaryOp::Add => self.builder.ins().iadd(left, right),
            BinaryOp::Subtract => self.builder.ins().isub(left, right),
            BinaryOp::ShiftLeft => self.builder.ins().ishl(left, right),
            BinaryOp::ShiftRight => self.builder.ins().sshr(left, right),
            BinaryOp::BitAnd => self.builder.ins().band(left, right),
            BinaryOp::BitXor => self.builder.ins().bxor(left, right),
            BinaryOp::BitOr => self.builder.ins().bor(left, right),
            _ => self.division(op, left, right, divisor),
        }
    }

    fn division(&mut self, op: BinaryOp, left: Value, right: Value, divisor: &Expr) -> Value {
        let range = self.scope.range(divisor);
        if range.as_ref().is_none_or(|range| range.contains(&0)) {
            let is_zero = self.compare_constant(IntCC::Equal, right, 0);
            self.fail_if(is_zero);
        }
        if range.is_some_and(|range| !range.contains(&-1)) {
            return match op {
                BinaryOp::Divide => self.builder.ins().sdiv(left, right),
                _ => self.builder.ins().srem(left, right),
            };
        }
        // The processor traps when the smallest number is divided by -1, so -1 is treated apart.
        let negates = self.compare_constant(IntCC::Equal, right, -1);
        let one = self.constant(1);
        let safe = self.builder.ins().select(negates, one, right);
        if op == BinaryOp::Remainder {
            return self.builder.ins().srem(left, safe);
        }
        let quotient = self.builder.ins().sdiv(left, safe);
        let negated = self.builder.ins().ineg(left);
        self.builder.ins().select(negates, negated, quotient)
    }

    fn predefined(&mut self, which: Predefined) -> Value {
        let layout = &self.scope.machine.layout;
        match which {
            Predefined::Pid => self.own_pid(),
            Predefined::ProcessCount => self.process_count(),
            Predefined::ChannelCount => self.context_number(field::CHANNEL_COUNT),
            Predefined::Last => match layout.last_offset {
                Some(offset) => self.load_number(1, Address { base: self.state, offset: offset as i32 }),
                None => self.constant(0),
            },
            Predefined::Priority => self.priority_in(self.own.frame),
            Predefined::LocalNumber => {
                let pid = self.own_pid();
                self.call(Helper::LocalNumber, &[self.context, self.state, pid]).expect("it returns a number")
            }
            Predefined::NonProgress => unreachable!("left to the interpreter"),
        }
    }

    /// How many processes exist.
    pub fn process_count(&mut self) -> Value {
        self.load_number(1, Address { base: self.state, offset: 0 })
    }

    /// Where a place is, and what is stored there.
    pub fn locate(&mut self, place: &'m Place) -> (Scalar, Address) {
        let base = match &place.owner {
            Owner::Global => self.state,
            Owner::Own => self.own.frame,
            Owner::Remote(definition, pid) => self.remote_frame(*definition, pid.as_deref()),
        };
        let cells = self.scope.cells(place).expect("compiled text belongs to a definition");
        let start = Address { base, offset: cells.offset as i32 };
        let width = cells.scalar.width();
        let at = match &place.index {
            Index::Constant(element) => start.plus(element * width),
            Index::Computed(indices) => {
                let mut element = None;
                for (index, length) in indices {
                    let value = self.checked_index(index, *length);
                    element = Some(match element {
                        None => value,
                        Some(outer) => {
                            let rows = self.builder.ins().imul_imm_u(outer, i64::from(*length));
                            self.builder.ins().iadd(rows, value)
                        }
                    });
                }
                match element {
                    Some(element) => self.index(start, element, width),
                    None => start,
                }
            }
        };
        (cells.scalar, at)
    }

    fn checked_index(&mut self, index: &'m Expr, length: u32) -> Value {
        let value = self.value(index);
        if !self.scope.is_within(index, length) {
            let outside = self.compare_constant(IntCC::UnsignedGreaterThanOrEqual, value, length as i32);
            self.fail_if(outside);
        }
        value
    }

    /// The frame of the process that a remote reference means; fails when there is none of that definition.
    fn remote_frame(&mut self, definition: DefinitionId, pid: Option<&'m Expr>) -> Value {
        let pid = match pid {
            Some(pid) => self.value(pid),
            None => self.oldest(definition),
        };
        let frame = self.existing_frame(pid);
        let is_it = self.is_definition(frame, definition);
        self.fail_unless(is_it);
        frame
    }

    /// The oldest process of a definition, or -1.
    fn oldest(&mut self, definition: DefinitionId) -> Value {
        let definition = self.constant(definition.0 as i32);
        self.call(Helper::Oldest, &[self.context, self.state, definition]).expect("it returns a pid")
    }

    fn exists(&mut self, pid: Value) -> Value {
        let count = self.process_count();
        self.compare(IntCC::UnsignedLessThan, pid, count)
    }

    /// The frame of a process; fails when there is no such process.
    fn existing_frame(&mut self, pid: Value) -> Value {
        let exists = self.exists(pid);
        self.fail_unless(exists);
        self.frame_of(pid)
    }

    /// The frame of a process that exists.
    pub fn frame_of(&mut self, pid: Value) -> Value {
        let offset = self.context_entry(field::FRAMES, pid);
        let offset = self.builder.ins().uextend(types::I64, offset);
        self.builder.ins().iadd(self.state, offset)
    }

    fn is_definition(&mut self, frame: Value, definition: DefinitionId) -> Value {
        let width = self.scope.machine.layout.definition_width;
        let number = self.load_number(width, Address { base: frame, offset: 0 });
        self.compare_constant(IntCC::Equal, number, definition.0 as i32)
    }

    fn location_in(&self, frame: Value) -> Address {
        Address { base: frame, offset: self.scope.machine.layout.definition_width as i32 }
    }

    fn priority_in(&mut self, frame: Value) -> Value {
        match self.scope.machine.layout.priority_offset {
            Some(offset) => self.load_number(1, Address { base: frame, offset: offset as i32 }),
            None => self.constant(1),
        }
    }

    /// `P[e]@L`: false for a process that does not exist or is of another definition.
    fn at(&mut self, at: &'m At) -> Value {
        let pid = match &at.pid {
            Some(pid) => self.value(pid),
            None => self.oldest(at.definition),
        };
        let exists = self.exists(pid);
        let result = self.variable(types::I8, exists);
        let (look, done) = (self.block(), self.block());
        self.branch(exists, look, done);
        self.enter(look);
        let frame = self.frame_of(pid);
        let is_definition = self.is_definition(frame, at.definition);
        let location = self.load_number(self.scope.machine.layout.location_width, self.location_in(frame));
        let is_there = self.compare_constant(IntCC::Equal, location, at.location.0 as i32);
        let both = self.builder.ins().band(is_definition, is_there);
        self.builder.def_var(result, both);
        self.jump(done);
        self.enter(done);
        self.builder.use_var(result)
    }

    /// Embedded C: a call of the function for it.
    pub fn embedded(&mut self, id: CodeId) -> Value {
        let address = self.code.get(id).expect("a machine with other embedded C was refused");
        let mut signature = Signature::new(self.builder.func.signature.call_conv);
        signature.params = [types::I64, types::I64, types::I32, types::I64].map(AbiParam::new).to_vec();
        signature.returns = vec![AbiParam::new(types::I32)];
        let signature = self.builder.import_signature(signature);
        let function = self.constant_64(address as usize as u64);
        let pid = self.own_pid();
        // Nobody listens to what it prints, and no machine with a side store is compiled.
        let extra = self.constant_64(0);
        let arguments = [self.state, self.own.frame, pid, extra];
        let call = self.builder.ins().call_indirect(signature, function, &arguments);
        self.builder.inst_results(call)[0]
    }
}

/// The processor's comparison for an operator that compares.
fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Less => IntCC::SignedLessThan,
        BinaryOp::LessEqual => IntCC::SignedLessThanOrEqual,
        BinaryOp::Greater => IntCC::SignedGreaterThan,
        BinaryOp::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Equal => IntCC::Equal,
        BinaryOp::NotEqual => IntCC::NotEqual,
        _ => return None,
    })
}

fn is_logical(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or)
}

/// Whether evaluating an expression costs less than a jump around it.
fn is_cheap(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Load(_) | Expr::Probe(..) | Expr::Timeout => true,
        Expr::Unary(_, operand) => is_cheap(operand),
        Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..) => false,
        Expr::Binary(_, left, right, _) => is_cheap(left) && is_cheap(right),
        _ => false,
    }
}
