//! The compiled C, loaded into this process.
//!
//! `unsafe` is allowed here: calling C is. The functions were written by [`source`](super::source) around the model's text. They
//! reach the vector through the machine's own table of offsets only, and keep no pointer into it; what the model's text does
//! beyond that is the model's responsibility, which is why nothing is compiled unless the user allows it.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use super::compiler::Object;
use super::{Code, Failure, MemoryOwner, Sharing};
use crate::id::{CodeId, DefinitionId};
use crate::machine::Machine;

/// A piece of C: it is given the vector, the frame of the executing process and its pid. What it returns is the value of a
/// `c_expr`; that of a `c_code` is not zero when it failed.
pub type CodeFunction = unsafe extern "C" fn(state: *mut u8, frame: *mut u8, pid: u32, extra: *const Extra) -> c_int;

/// What a piece of C is given besides the vector. Without it, there is no side store, what it prints goes to standard error,
/// and why it failed is not told.
#[repr(C)]
#[derive(Debug)]
pub struct Extra {
    hidden: *mut u8,
    context: *mut c_void,
    print: unsafe extern "C" fn(*mut c_void, *const c_char, usize),
    fail: unsafe extern "C" fn(*mut c_void, *const c_char),
}

/// What C said while it ran.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// What it printed.
    pub output: String,
    /// Why it failed, if so.
    pub failure: Option<String>,
}

/// The compiled C of a model.
#[derive(Debug)]
pub struct Library {
    /// Keeps the functions below alive.
    _handle: Handle,
    pieces: Vec<CodeFunction>,
    start: CodeFunction,
    /// For each definition, what its new processes need from C.
    start_process: Vec<Option<CodeFunction>>,
    place: unsafe extern "C" fn(*const u32, u32),
    sizes: Vec<u32>,
    sharing: Sharing,
}

#[derive(Debug)]
struct Handle(*mut c_void);

// SAFETY: the generated functions take a lock, or touch only memory of their thread and their arguments.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle came from `dlopen`, and whoever has a function of it keeps the library alive.
        unsafe { libc::dlclose(self.0) };
    }
}

impl Handle {
    fn open(object: &Object) -> Result<Handle, Failure> {
        let path = CString::new(object.path().into_os_string().into_encoded_bytes())
            .map_err(|_| Failure::Other("the temporary directory's name contains a zero byte".into()))?;
        // SAFETY: the path is a C string. Loading runs the text's constructors, which the user allowed.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            // SAFETY: after a failed `dlopen`, `dlerror` gives a C string or null.
            let reason = unsafe { libc::dlerror().as_ref().map(|text| CStr::from_ptr(text)) };
            let reason = reason.map_or_else(String::new, |reason| reason.to_string_lossy().into_owned());
            return Err(Failure::Other(format!("the compiled C cannot be loaded: {reason}")));
        }
        Ok(Handle(handle))
    }

    fn symbol(&self, name: &str) -> Result<*mut c_void, Failure> {
        let text = CString::new(name).expect("our own names have no zero bytes");
        // SAFETY: the handle is open and the name a C string.
        let symbol = unsafe { libc::dlsym(self.0, text.as_ptr()) };
        if symbol.is_null() { Err(Failure::Other(format!("the compiled C lacks {name}"))) } else { Ok(symbol) }
    }

    fn function(&self, name: &str) -> Result<CodeFunction, Failure> {
        // SAFETY: the text declares every function of this name so.
        self.symbol(name).map(|symbol| unsafe { std::mem::transmute::<*mut c_void, CodeFunction>(symbol) })
    }
}

impl Library {
    pub(super) fn open(object: &Object, machine: &Machine, sharing: Sharing) -> Result<Library, Failure> {
        let Code { pieces, memory, .. } = &machine.code;
        let handle = Handle::open(object)?;
        let load = handle.symbol("isospin_load")?;
        // SAFETY: the text declares it so; it is called once, before anything else.
        let load: unsafe extern "C" fn() = unsafe { std::mem::transmute(load) };
        // SAFETY: as above.
        unsafe { load() };
        let sizes = match memory.len() {
            0 => Vec::new(),
            count => {
                let sizes = handle.symbol("isospin_sizes")?.cast::<u32>();
                // SAFETY: the text declares an array of one number for each memory.
                unsafe { std::slice::from_raw_parts(sizes, count) }.to_vec()
            }
        };
        let place = handle.symbol("isospin_place")?;
        let starts = |index: usize| {
            let owner = MemoryOwner::Definition(DefinitionId(index as u32));
            let has_memory = memory.iter().any(|each| each.owner == owner);
            has_memory.then(|| handle.function(&format!("isospin_start_{index}"))).transpose()
        };
        Ok(Library {
            pieces: (0..pieces.len())
                .map(|index| handle.function(&format!("isospin_code_{index}")))
                .collect::<Result<_, _>>()?,
            start: handle.function("isospin_start")?,
            start_process: (0..machine.definitions.len()).map(starts).collect::<Result<_, _>>()?,
            // SAFETY: the text declares it so.
            place: unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const u32, u32)>(place) },
            _handle: handle,
            sizes,
            sharing,
        })
    }

    pub(super) fn sharing(&self) -> Sharing {
        self.sharing
    }

    /// The size of each memory.
    pub(super) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Tells where the machine's cells are.
    pub(super) fn place(&mut self, table: &[u32]) {
        // SAFETY: the text declares a table of that length; nobody else has the library yet.
        unsafe { (self.place)(table.as_ptr(), table.len() as u32) };
    }

    /// The function of a piece. It can be called from any thread as long as the library lives, with a vector of the
    /// machine's layout and the frame of a process of the piece's owner in it.
    #[must_use]
    pub fn function(&self, id: CodeId) -> CodeFunction {
        self.pieces[id.index()]
    }

    /// Whether new processes of a definition need something from C.
    #[must_use]
    pub fn starts_processes(&self, definition: DefinitionId) -> bool {
        self.start_process[definition.index()].is_some()
    }

    /// Executes a piece for a process.
    pub(crate) fn execute(&self, id: CodeId, target: Target<'_>) -> (i32, Said) {
        call(self.pieces[id.index()], target)
    }

    /// Sets the memory of C in a state that has just begun.
    pub(crate) fn start(&self, target: Target<'_>) -> Said {
        call(self.start, target).1
    }

    /// Sets the memory of C in a process that has just begun.
    pub(crate) fn start_process(&self, definition: DefinitionId, target: Target<'_>) -> Said {
        match self.start_process[definition.index()] {
            Some(function) => call(function, target).1,
            None => Said::default(),
        }
    }
}

/// What a piece of C works on.
pub(crate) struct Target<'s> {
    /// The vector.
    pub state: &'s mut [u8],
    /// The side store.
    pub hidden: &'s mut [u8],
    /// Where the frame of the executing process begins; the end of the vector if there is none.
    pub frame: usize,
    /// The executing process.
    pub pid: u32,
}

fn call(function: CodeFunction, target: Target<'_>) -> (i32, Said) {
    unsafe extern "C" fn print(context: *mut c_void, text: *const c_char, length: usize) {
        // SAFETY: the context is the one below, and the text has that length.
        let (said, text) =
            unsafe { (&mut *context.cast::<Said>(), std::slice::from_raw_parts(text.cast::<u8>(), length)) };
        said.output.push_str(&String::from_utf8_lossy(text));
    }
    unsafe extern "C" fn fail(context: *mut c_void, text: *const c_char) {
        // SAFETY: the context is the one below, and the text a C string.
        let (said, text) = unsafe { (&mut *context.cast::<Said>(), CStr::from_ptr(text)) };
        said.failure = Some(text.to_string_lossy().into_owned());
    }
    let mut said = Said::default();
    let extra = Extra { hidden: target.hidden.as_mut_ptr(), context: (&raw mut said).cast(), print, fail };
    let state = target.state.as_mut_ptr();
    // SAFETY: vector, side store and frame are of the machine for which the table of offsets was placed.
    let value = unsafe { function(state, state.add(target.frame), target.pid, &raw const extra) };
    (value, said)
}
