//! Embedded C, as far as it may be executed.

use promela::source::Span;

use super::error::{ErrorKind, RuntimeError};
use super::execution::{Attempt, Execution, Verdict};
use crate::embedded::{Library, Said};
use crate::id::{CodeId, DefinitionId};

impl<'m> Execution<'m, '_> {
    fn library(&self, span: Span) -> Attempt<&'m Library> {
        let library = self.machine.code.library.as_deref();
        library.ok_or_else(|| self.error(ErrorKind::Code, span, "embedded C is not allowed in this run"))
    }

    /// `c_code`: always possible, unless its precondition is false, which is an error.
    pub fn execute_code(&mut self, id: CodeId, span: Span) -> Attempt<Verdict> {
        let library = self.library(span)?;
        let target = self.state.to_mut().for_code(&self.machine.layout, self.pid);
        let (failed, said) = library.execute(id, target);
        self.listen(said, failed != 0, span).map(|()| Verdict::Done)
    }

    /// `c_expr`
    pub fn code_value(&mut self, id: CodeId) -> Attempt<i32> {
        let library = self.library(self.span)?;
        let target = self.state.to_mut().for_code(&self.machine.layout, self.pid);
        let (value, said) = library.execute(id, target);
        self.listen(said, false, self.span).map(|()| value)
    }

    /// Sets the memory of C in a state that has just begun, if there is any.
    pub fn start_code(&mut self) -> Attempt<()> {
        let Some(library) = self.machine.code.library.as_deref() else { return Ok(()) };
        let said = library.start(self.state.to_mut().for_code(&self.machine.layout, self.pid));
        self.listen(said, false, Span::NOWHERE)
    }

    /// Sets the memory of C in the executing process, which has just begun.
    pub fn start_process_code(&mut self, definition: DefinitionId) -> Attempt<()> {
        let Some(library) = self.machine.code.library.as_deref() else { return Ok(()) };
        if !library.starts_processes(definition) {
            return Ok(());
        }
        let target = self.state.to_mut().for_code(&self.machine.layout, self.pid);
        let said = library.start_process(definition, target);
        self.listen(said, false, Span::NOWHERE)
    }

    fn listen(&mut self, said: Said, failed: bool, span: Span) -> Result<(), RuntimeError> {
        self.output.push_str(&said.output);
        match said.failure {
            Some(reason) => Err(self.error(ErrorKind::Code, span, reason)),
            None if failed => Err(self.error(ErrorKind::Code, span, "embedded C failed")),
            None => Ok(()),
        }
    }
}
