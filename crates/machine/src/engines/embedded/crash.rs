//! What is said when embedded C crashes.
//!
//! The model's C runs in this process, so a wild pointer in it ends the process. Nothing can be saved then, but whoever sees it end can be told
//! which model was running. The signal keeps its meaning: the process still dies of it, as the shell and a debugger expect.
//!
//! `unsafe` is allowed here: handlers of signals need it. The handler does only what POSIX allows in one: it reads an atomic and calls `write`,
//! `sigaction` and `raise`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// What C can crash with.
const SIGNALS: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT];

/// What is to be said: null, or a text that is never freed.
static MESSAGE: AtomicPtr<String> = AtomicPtr::new(ptr::null_mut());

/// From now on, a crash of this process is put down to the embedded C of `model` on standard error before the process dies of it; with
/// none, it is put down to nobody.
///
/// It replaces the process' handlers of the signals for crashes, so it is for programs to call, not for libraries.
pub fn announce(model: Option<&str>) {
    let Some(model) = model else {
        MESSAGE.store(ptr::null_mut(), Ordering::Release);
        return;
    };
    let message = format!(
        "error: {model}: the program crashed, most likely in the model's embedded C, which runs inside it; there is no result\n"
    );
    // Leaked: a handler may read it at any time, and it is one short text for each model with embedded C.
    MESSAGE.store(Box::into_raw(Box::new(message)), Ordering::Release);
    for signal in SIGNALS {
        let handler: extern "C" fn(c_int) = say;
        set(signal, handler as libc::sighandler_t);
    }
}

/// Sets what happens on a signal, on the stack that Rust keeps for handlers: the usual one may have overflowed.
fn set(signal: c_int, handler: libc::sighandler_t) {
    // SAFETY: an action of zeros is one with an empty mask and no flags; the handler is `SIG_DFL` or a function of one number, as an
    // action without `SA_SIGINFO` needs.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_ONSTACK;
        libc::sigaction(signal, &raw const action, ptr::null_mut());
    }
}

extern "C" fn say(signal: c_int) {
    // SAFETY: what is stored there is never freed or changed.
    if let Some(message) = unsafe { MESSAGE.load(Ordering::Acquire).as_ref() } {
        // SAFETY: the text is as long as it says. If it cannot be written, nothing can be done about it.
        unsafe { libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len()) };
    }
    set(signal, libc::SIG_DFL);
    // SAFETY: it has no conditions. The signal is held back until this handler returns.
    unsafe { libc::raise(signal) };
}
