//! The run of a call that blocks.

use super::{withdraw, Call, CallStorage};
use crate::{Error, Process};

impl Call {
    /// Runs the call to its end. The storage is gone after a failure that left messages behind.
    pub(crate) fn run(mut self, process: &Process) -> (Result<(), Error>, Option<CallStorage>) {
        let engine = &process.engine;
        if process.calls.are_ordered() {
            let older = || process.calls.has_any(self.planes);
            process.wait_until(|_| (!older()).then_some(()));
        }
        self.sleeps = engine.sleeps();
        self.go_on(engine);
        while self.result.is_none() {
            self.idle = 0;
            match process.wait_until(|core| self.next_end(core, engine)) {
                Ok((slot, outcome, from)) => self.complete(slot, outcome, from),
                Err(halt) => self.halt(engine, halt),
            }
            if self.wait.is_some() {
                self.moves_again(&mut engine.enter());
            }
            self.go_on(engine);
        }
        let result = self.result.take().unwrap_or(Ok(()));
        if result.is_err() {
            withdraw(&mut self.active, &mut engine.enter());
        }
        let (active, posted) = (self.active, self.posted);
        let storage = self.collective.into_port().map(|port| CallStorage {
            port,
            active,
            posted,
        });
        (result, storage)
    }
}
