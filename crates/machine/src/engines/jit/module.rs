//! Cranelift set-up: one module that takes functions in batches and owns the memory of their code.

use std::time::Duration;

use cranelift_codegen::ir::{AbiParam, Function, Signature, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_codegen::settings::{self, Configurable as _};
use cranelift_codegen::{Context as CodeContext, ir};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module as _, default_libcall_names};

use super::runtime::{self, Helper};
use crate::generate::Refusal;

/// A guard mask or effect: `(state, frame, context) -> result`.
pub type Compiled = unsafe extern "C" fn(*mut u8, *mut u8, *mut super::context::Context) -> u64;

/// Compiled functions and where their code lives.
pub struct CodeModule {
    /// Always present but while it is being dropped.
    module: Option<JITModule>,
    code: CodeContext,
    builder: FunctionBuilderContext,
    helpers: Vec<FuncId>,
    signature: Signature,
    /// How much was compiled so far.
    pub statistics: CodeStatistics,
}

/// How much native code was made, and what that cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CodeStatistics {
    /// Locations that have code.
    pub locations: usize,
    /// Functions made for them.
    pub functions: usize,
    /// Bytes of those functions.
    pub bytes: usize,
    /// Time spent on making them.
    pub time: Duration,
}

/// A function that was compiled but whose batch is not finished, so that it cannot be called yet.
#[derive(Clone, Copy, Debug)]
pub struct Pending(FuncId);

/// What is needed while a function is written.
pub struct Draft<'c> {
    pub function: &'c mut Function,
    pub builder: &'c mut FunctionBuilderContext,
    pub helpers: HelperTable<'c>,
    pub target: TargetFrontendConfig,
}

/// Makes helpers known to the function that calls them.
pub struct HelperTable<'c> {
    module: &'c mut JITModule,
    ids: &'c [FuncId],
}

impl HelperTable<'_> {
    /// A reference to a helper for use in a function.
    pub fn reference(&mut self, helper: Helper, function: &mut Function) -> ir::FuncRef {
        self.module.declare_func_in_func(self.ids[helper as usize], function)
    }
}

impl CodeModule {
    /// An empty module for this processor.
    pub fn new() -> Result<CodeModule, Refusal> {
        let refuse = |reason: String| Refusal { reason: format!("no code can be made for this processor: {reason}") };
        let mut flags = settings::builder();
        let options = [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_probestack", "false"),
            ("unwind_info", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ];
        for (name, value) in options {
            flags.set(name, value).map_err(|error| refuse(error.to_string()))?;
        }
        let isa = cranelift_native::builder().map_err(|error| refuse(error.to_string()))?;
        let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| refuse(error.to_string()))?;
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        for helper in Helper::ALL {
            builder.symbol(helper.name(), helper.address());
        }
        let mut module = JITModule::new(builder);
        let mut helpers = Vec::new();
        for helper in Helper::ALL {
            let signature = runtime::signature(helper, module.isa().default_call_conv());
            let id = module
                .declare_function(helper.name(), Linkage::Import, &signature)
                .map_err(|error| refuse(error.to_string()))?;
            helpers.push(id);
        }
        let signature = signature(module.isa().default_call_conv());
        let code = module.make_context();
        Ok(CodeModule {
            module: Some(module),
            code,
            builder: FunctionBuilderContext::new(),
            helpers,
            signature,
            statistics: CodeStatistics::default(),
        })
    }

    /// Compiles one function, whose body `write` makes.
    ///
    /// # Panics
    /// When the code made for the function is not valid, which is an error of the compiler in this crate.
    pub fn compile(&mut self, write: impl FnOnce(Draft<'_>)) -> Pending {
        let module = self.module.as_mut().expect("present until dropped");
        module.clear_context(&mut self.code);
        self.code.func.signature = self.signature.clone();
        let target = module.target_config();
        write(Draft {
            function: &mut self.code.func,
            builder: &mut self.builder,
            helpers: HelperTable { module, ids: &self.helpers },
            target,
        });
        let id = module.declare_anonymous_function(&self.signature).expect("a function without a name has no rival");
        let defined = module.define_function(id, &mut self.code);
        self.statistics.functions += 1;
        self.statistics.bytes += self.code.compiled_code().map_or(0, |code| code.code_info().total_size as usize);
        match defined {
            Ok(()) => Pending(id),
            Err(error) => panic!("invalid code: {error:?}\n{}", self.code.func.display()),
        }
    }

    /// Makes all functions compiled so far callable.
    ///
    /// # Panics
    /// When the operating system gives no memory for code.
    pub fn finish(&mut self) {
        let module = self.module.as_mut().expect("present until dropped");
        module.finalize_definitions().expect("memory for code");
    }

    /// A function that was finished.
    pub fn function(&self, pending: Pending) -> Compiled {
        let module = self.module.as_ref().expect("present until dropped");
        let address = module.get_finalized_function(pending.0);
        // SAFETY: the address is that of a finished function, and every function has this signature.
        unsafe { std::mem::transmute::<*const u8, Compiled>(address) }
    }
}

impl Drop for CodeModule {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: function pointers leave this module only for tables that live beside it, and generators keep both alive.
            unsafe { module.free_memory() }
        }
    }
}

/// The signature of every compiled function.
fn signature(convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params = vec![AbiParam::new(types::I64); 3];
    signature.returns = vec![AbiParam::new(types::I64)];
    signature
}
