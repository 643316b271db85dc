//! The emitter: a function under construction, with the few idioms all of it is made of.
//!
//! Every compiled function is `(state, frame, context) -> u64`. Values are 32-bit integers as in Promela, truths are Cranelift's
//! bytes. What goes wrong jumps to [`Emitter::failure`], wherever that currently is.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder as _, MemFlagsData, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};

use super::context::field;
use super::embedded::EmbeddedCode;
use super::module::{Draft, HelperTable};
use super::runtime::Helper;
use crate::ground::Scope;
use crate::scalar::Scalar;

/// Cells and channels may lie at any address of the vector, but they are there.
pub const IN_STATE: MemFlagsData = MemFlagsData::new().with_notrap();
/// Fields of the context are where Rust put them.
pub const IN_CONTEXT: MemFlagsData = MemFlagsData::trusted();

/// A function under construction.
pub struct Emitter<'e, 'm> {
    pub builder: FunctionBuilder<'e>,
    helpers: HelperTable<'e>,
    target: TargetFrontendConfig,
    references: [Option<FuncRef>; Helper::ALL.len()],
    /// The text being compiled.
    pub scope: Scope<'m>,
    /// The functions for embedded C.
    pub code: &'e EmbeddedCode,
    /// The vector.
    pub state: Value,
    /// The context.
    pub context: Value,
    /// The process whose text it is.
    pub own: Own,
    /// Where to go when something goes wrong.
    pub failure: Block,
}

/// The executing process.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// Its frame.
    pub frame: Value,
    /// Its pid, when it is not the context's.
    pub pid: Option<Value>,
}

/// Somewhere in memory.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    pub base: Value,
    pub offset: i32,
}

impl Address {
    /// Some bytes further.
    pub fn plus(self, bytes: u32) -> Address {
        Address { base: self.base, offset: self.offset + bytes as i32 }
    }
}

impl<'e, 'm> Emitter<'e, 'm> {
    /// Starts a function.
    pub fn new(draft: Draft<'e>, scope: Scope<'m>, code: &'e EmbeddedCode) -> Emitter<'e, 'm> {
        let mut builder = FunctionBuilder::new(draft.function, draft.builder);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let parameters = builder.block_params(entry);
        let (state, frame, context) = (parameters[0], parameters[1], parameters[2]);
        let failure = builder.create_block();
        builder.set_cold_block(failure);
        Emitter {
            builder,
            helpers: draft.helpers,
            target: draft.target,
            references: [None; Helper::ALL.len()],
            scope,
            code,
            state,
            context,
            own: Own { frame, pid: None },
            failure,
        }
    }

    /// Ends the function: the current block returns `result`, failures return `failed`.
    pub fn finish(mut self, result: Value, failed: u32) {
        self.builder.ins().return_(&[result]);
        self.enter(self.failure);
        let failed = self.builder.ins().iconst(types::I64, i64::from(failed));
        self.builder.ins().return_(&[failed]);
        self.builder.seal_all_blocks();
        self.builder.finalize(self.target);
    }

    /// A constant.
    pub fn constant(&mut self, value: i32) -> Value {
        self.builder.ins().iconst(types::I32, i64::from(value))
    }

    /// A 64-bit constant.
    pub fn constant_64(&mut self, value: u64) -> Value {
        self.builder.ins().iconst(types::I64, value as i64)
    }

    /// A new block.
    pub fn block(&mut self) -> Block {
        self.builder.create_block()
    }

    /// Continues in a block.
    pub fn enter(&mut self, block: Block) {
        self.builder.switch_to_block(block);
    }

    /// Goes to a block.
    pub fn jump(&mut self, block: Block) {
        self.builder.ins().jump(block, &[]);
    }

    /// Goes one way or the other.
    pub fn branch(&mut self, truth: Value, yes: Block, no: Block) {
        self.builder.ins().brif(truth, yes, &[], no, &[]);
    }

    /// Fails when a truth holds, else goes on.
    pub fn fail_if(&mut self, truth: Value) {
        let on = self.block();
        self.branch(truth, self.failure, on);
        self.enter(on);
    }

    /// Fails unless a truth holds.
    pub fn fail_unless(&mut self, truth: Value) {
        let on = self.block();
        self.branch(truth, on, self.failure);
        self.enter(on);
    }

    /// A variable of the function under construction.
    pub fn variable(&mut self, ty: Type, initial: Value) -> Variable {
        let variable = self.builder.declare_var(ty);
        self.builder.def_var(variable, initial);
        variable
    }

    /// A truth as a value.
    pub fn widen(&mut self, truth: Value) -> Value {
        self.builder.ins().uextend(types::I32, truth)
    }

    /// Compares two values.
    pub fn compare(&mut self, condition: IntCC, left: Value, right: Value) -> Value {
        self.builder.ins().icmp(condition, left, right)
    }

    /// Compares a value with a constant.
    pub fn compare_constant(&mut self, condition: IntCC, left: Value, right: i32) -> Value {
        self.builder.ins().icmp_imm_s(condition, left, i64::from(right))
    }

    /// A 32-bit number of the context.
    pub fn context_number(&mut self, field: i32) -> Value {
        self.builder.ins().load(types::I32, IN_CONTEXT, self.context, field)
    }

    /// A pointer of the context.
    pub fn context_pointer(&mut self, field: i32) -> Value {
        self.builder.ins().load(types::I64, IN_CONTEXT, self.context, field)
    }

    /// An entry of a table of 32-bit numbers in the context.
    pub fn context_entry(&mut self, table: i32, index: Value) -> Value {
        let index = self.builder.ins().uextend(types::I64, index);
        let offset = self.builder.ins().ishl_imm_u(index, 2);
        let entry = self.builder.ins().iadd(self.context, offset);
        self.builder.ins().load(types::I32, IN_CONTEXT, entry, table)
    }

    /// The pid of the executing process.
    pub fn own_pid(&mut self) -> Value {
        match self.own.pid {
            Some(pid) => pid,
            None => self.context_number(field::PID),
        }
    }

    /// An address in the vector, a computed number of bytes behind a known one.
    pub fn index(&mut self, address: Address, index: Value, width: u32) -> Address {
        let index = self.builder.ins().uextend(types::I64, index);
        let bytes = match width {
            1 => index,
            _ if width.is_power_of_two() => self.builder.ins().ishl_imm_u(index, i64::from(width.trailing_zeros())),
            _ => self.builder.ins().imul_imm_u(index, i64::from(width)),
        };
        Address { base: self.builder.ins().iadd(address.base, bytes), offset: address.offset }
    }

    /// The address as a pointer.
    pub fn pointer(&mut self, address: Address) -> Value {
        self.builder.ins().iadd_imm_s(address.base, i64::from(address.offset))
    }

    /// Reads a scalar.
    pub fn load(&mut self, scalar: Scalar, at: Address) -> Value {
        let Address { base, offset } = at;
        let instructions = self.builder.ins();
        match (scalar.width(), scalar) {
            (1, _) => instructions.uload8(types::I32, IN_STATE, base, offset),
            (2, Scalar::Short) => instructions.sload16(types::I32, IN_STATE, base, offset),
            (2, _) => instructions.uload16(types::I32, IN_STATE, base, offset),
            _ => instructions.load(types::I32, IN_STATE, base, offset),
        }
    }

    /// Stores a scalar, truncated.
    pub fn store(&mut self, scalar: Scalar, at: Address, value: Value) {
        let value = match scalar {
            Scalar::Bit | Scalar::Unsigned(_) => self.truncate(scalar, value),
            // The store cuts these by itself.
            Scalar::Byte | Scalar::Short | Scalar::Int => value,
        };
        self.store_number(scalar.width(), at, value);
    }

    /// Reads an unsigned number of 1, 2 or 4 bytes.
    pub fn load_number(&mut self, width: u32, at: Address) -> Value {
        let Address { base, offset } = at;
        let instructions = self.builder.ins();
        match width {
            1 => instructions.uload8(types::I32, IN_STATE, base, offset),
            2 => instructions.uload16(types::I32, IN_STATE, base, offset),
            _ => instructions.load(types::I32, IN_STATE, base, offset),
        }
    }

    /// Stores the low 1, 2 or 4 bytes of a value.
    pub fn store_number(&mut self, width: u32, at: Address, value: Value) {
        let Address { base, offset } = at;
        let instructions = self.builder.ins();
        match width {
            1 => instructions.istore8(IN_STATE, value, base, offset),
            2 => instructions.istore16(IN_STATE, value, base, offset),
            _ => instructions.store(IN_STATE, value, base, offset),
        };
    }

    /// What is left of a value once it is stored.
    pub fn truncate(&mut self, scalar: Scalar, value: Value) -> Value {
        let instructions = self.builder.ins();
        match scalar {
            Scalar::Bit => instructions.band_imm_s(value, 1),
            Scalar::Byte => instructions.band_imm_s(value, 255),
            Scalar::Short => {
                let short = instructions.ireduce(types::I16, value);
                self.builder.ins().sextend(types::I32, short)
            }
            Scalar::Unsigned(bits) if bits < 32 => instructions.band_imm_s(value, (1 << bits) - 1),
            Scalar::Int | Scalar::Unsigned(_) => value,
        }
    }

    /// Calls a helper.
    pub fn call(&mut self, helper: Helper, arguments: &[Value]) -> Option<Value> {
        let reference = match self.references[helper as usize] {
            Some(reference) => reference,
            None => {
                let reference = self.helpers.reference(helper, self.builder.func);
                *self.references[helper as usize].insert(reference)
            }
        };
        let call = self.builder.ins().call(reference, arguments);
        self.builder.inst_results(call).first().copied()
    }
}
