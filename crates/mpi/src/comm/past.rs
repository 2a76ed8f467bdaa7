//! Finds calls of other ranks that differ from those that are over here, by the messages that they
//! have left.

use std::sync::atomic::Ordering::Relaxed;

use coll::Signature;
use pml::{mark_of, Pml, Status, Tag};

use super::{CallKind, KNOWN_CALLS};
use crate::call::Label;
use crate::{Class, Comm, Errhandler, Error};

impl Comm {
    /// Fails if a message lies here of a collective that another rank has called and this one has
    /// not: all ranks' calls are over, and nobody waited for it. Nothing is checked while
    /// non-blocking calls are pending or persistent ones may be started, nor where an error does
    /// not end the job, or has been raised before: a call that fails leaves messages of others
    /// behind, and after an error ranks may take different paths.
    ///
    /// # Errors
    /// `Other`, naming the rank and its call.
    pub fn check_left(&self) -> Result<(), Error> {
        let planes = self.planes();
        let may_call = self.persistent.load(Relaxed) > 0 || self.process.calls.has_any(planes);
        if may_call || !self.ends_by_errors() {
            return Ok(());
        }
        let core = self.process.engine.enter();
        for plane in [planes.local, planes.remote] {
            if let Some(left) = core.find_unexpected(plane, &Label::is_call) {
                return Err(self.left(&left));
            }
        }
        Ok(())
    }

    /// Fails if a message or note shows that another rank has called something else in a blocking
    /// call that is over here: what this rank had to do it has done, in shared memory or by
    /// messages that nobody receives, while the other waits. Nothing is checked where an error does
    /// not end the job, or has been raised before.
    ///
    /// # Errors
    /// `Other`, naming the rank and its call.
    pub fn check_past(&self, core: &engine::Core) -> Result<(), Error> {
        if !self.ends_by_errors() {
            return Ok(());
        }
        let plane = self.planes().local;
        match core.find_unexpected(plane, &|tag| self.contradicts(tag)) {
            Some(seen) => Err(self.left(&seen)),
            None => Ok(()),
        }
    }

    /// Whether an error ends the job, and none was raised on this communicator before.
    fn ends_by_errors(&self) -> bool {
        let errhandler = self.errhandler.lock();
        let fatal = matches!(*errhandler, Errhandler::Fatal | Errhandler::Abort);
        fatal && !self.has_failed.load(Relaxed)
    }

    /// Whether a tag is of a past blocking call that was another one here.
    fn contradicts(&self, tag: Tag) -> bool {
        let Some((number, code)) = Label::said_by(tag) else {
            return false;
        };
        let (count, kind) = (number / CallKind::COUNT, number % CallKind::COUNT);
        let now = self.calls[CallKind::Blocking as usize].load(Relaxed);
        let is_known =
            kind == CallKind::Blocking as u64 && count < now && now - count < KNOWN_CALLS;
        is_known && self.called[(count % KNOWN_CALLS) as usize].load(Relaxed) != code
    }

    #[cold]
    fn left(&self, message: &Status) -> Error {
        let function = match Signature::of_code(mark_of(message.tag)) {
            Some(signature) => signature.function().name(),
            None => "a function that makes or frees a communicator",
        };
        let other = message.source.map_or(0, |rank| rank.0);
        let text = format!(
            "rank {other} has called {function}, and rank {} something else or nothing: all ranks \
             of a communicator must make the same calls in the same order ({self})",
            self.rank.0
        );
        Error::new(Class::Other, text)
    }
}
