//! Messages of processes that have not been introduced yet: they wait for that.

use std::collections::HashMap;

use base::PeerId;
use mca::Framework;
use memory::Payload;

/// A message that came before its sender was introduced, with its note.
pub(crate) type EarlyMessage = (Option<u64>, Box<[u8]>);

/// Processes whose messages are stored.
const SENDERS_MAX: usize = 1 << 16;

/// The messages of processes that have not been introduced.
pub(crate) struct EarlyMessages {
    by_sender: HashMap<PeerId, Vec<EarlyMessage>>,
    /// Most messages of one sender.
    messages_max: usize,
}

impl EarlyMessages {
    /// Creates an empty store for up to `messages_max` messages of each sender.
    pub(crate) fn new(messages_max: usize) -> EarlyMessages {
        EarlyMessages {
            by_sender: HashMap::new(),
            messages_max,
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.by_sender.is_empty()
    }

    /// Stores a message; drops it where there are too many.
    #[cold]
    pub(crate) fn store(&mut self, from: PeerId, message: Payload<'_>, note: Option<u64>) {
        let senders = self.by_sender.len();
        if !self.by_sender.contains_key(&from) && senders >= SENDERS_MAX {
            Framework::Btl.warn(format_args!(
                "a message of {from}, which was not introduced, was dropped"
            ));
            return;
        }
        let stored = self.by_sender.entry(from).or_default();
        if stored.len() < self.messages_max {
            stored.push((note, message.to_vec().into()));
        }
    }

    /// Drops the messages of a process.
    pub(crate) fn forget(&mut self, from: PeerId) {
        self.by_sender.remove(&from);
    }

    /// Takes out the messages of all senders that `is_introduced` knows.
    #[cold]
    pub(crate) fn take(&mut self, is_introduced: impl Fn(PeerId) -> bool) -> Vec<EarlyMessage> {
        let known = self.by_sender.keys().copied();
        let known: Vec<_> = known.filter(|from| is_introduced(*from)).collect();
        let messages = known.iter().filter_map(|from| self.by_sender.remove(from));
        messages.flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_wait_for_the_introduction_of_their_sender_up_to_a_number() {
        let mut early = EarlyMessages::new(2);
        for n in 0..3 {
            early.store(PeerId(1), Payload::from(&[n][..]), Some(u64::from(n)));
        }
        early.store(PeerId(2), Payload::from(&[9][..]), None);
        early.store(PeerId(3), Payload::from(&[9][..]), None);
        early.forget(PeerId(3));
        assert_eq!(early.take(|_| false), []);
        let messages: Vec<EarlyMessage> = vec![(Some(0), [0].into()), (Some(1), [1].into())];
        assert_eq!(early.take(|from| from == PeerId(1)), messages);
        assert!(!early.is_empty());
        assert_eq!(early.take(|_| true), [(None, [9].into())]);
        assert!(early.is_empty());
    }
}
