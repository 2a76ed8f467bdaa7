//! Checkpoints by which a killed rank goes on from a state that its program has saved, instead of
//! from its beginning (`OXMPI_Checkpoint`).
//!
//! The log of messages is the matter of the layer `pessimist`. Beside it the next life needs what
//! this crate counts alike at all processes: names of communicators, and collective calls of
//! each. And the launcher passes on what a life prints once: the bytes that it had printed at the
//! checkpoint are counted from there on.

use std::sync::Arc;

use vprotocol::Saved;

use crate::{Class, Comm, Error, Process};

/// Words about the process in front of those about its communicators.
const OWN_WORDS: usize = 3;

impl Process {
    /// Ends what each life of this process runs through. Returns the tag of the checkpoint that the
    /// program goes on from, where this is a next life. `comms` are all communicators.
    ///
    /// # Errors
    /// `Pending` when something is under way, or it was called before.
    pub fn end_prologue(&self, comms: &[Arc<Comm>]) -> Result<Option<u64>, Error> {
        let prologue = self.engine.enter().end_prologue();
        self.end_at_fault();
        let Some(saved) = prologue.map_err(|why| refused("OXMPI_Restarted", &why))? else {
            return Ok(None);
        };
        let (own, rest) = saved
            .library
            .split_at_checked(OWN_WORDS)
            .unwrap_or_default();
        let [output, errors, names] = *own else {
            return Err(Error::new(
                Class::Intern,
                "the record of the checkpoint is too short",
            ));
        };
        self.link
            .ask(|provider| provider.printed(Some([output, errors])))?;
        self.link.set_names(names as u32);
        for words in rest.as_chunks::<{ Comm::CHECKPOINT_WORDS }>().0 {
            let comm = comms
                .iter()
                .find(|comm| comm.checkpoint_words()[0] == words[0]);
            if let Some(comm) = comm {
                comm.go_on_from(words);
            }
        }
        Ok(Some(saved.tag))
    }

    /// Notes that the program has saved its state under a tag: a next life goes on from here. All
    /// that it has written to its output is in the pipe.
    ///
    /// # Errors
    /// `Pending` when something is under way or there is no room. The checkpoint before counts
    /// then.
    pub fn checkpoint(&self, tag: u64, comms: &[Arc<Comm>]) -> Result<(), Error> {
        if !self.is_observed() {
            return Ok(());
        }
        let [output, errors] = self.link.ask(|provider| provider.printed(None))?;
        let mut library = vec![output, errors, u64::from(self.link.names())];
        library.extend(comms.iter().flat_map(|comm| comm.checkpoint_words()));
        let saved = Saved { tag, library };
        let done = self.engine.enter().checkpoint(&saved);
        done.map_err(|why| refused("OXMPI_Checkpoint", &why))
    }
}

fn refused(call: &str, why: &str) -> Error {
    Error::new(Class::Pending, format!("{call}: {why}"))
}
