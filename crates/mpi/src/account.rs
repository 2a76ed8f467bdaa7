//! The account of what this process waits for, which the launcher asks for when nothing moves.
//!
//! A process answers where it hears news of the launcher: between two polls of a wait or of a test.
//! One that computes does not answer, and that is an answer, too.

use base::PeerId;
use bootstrap::account::{Account, Lock, Object, Pending, Unexpected};

use crate::comm::collective_plane;
use crate::process::Process;
use crate::{Comm, Window};

impl Process {
    /// Answers the launcher, where it has asked.
    pub(crate) fn answer(&self) {
        if self.link.take_question() {
            let account = self.account();
            // Where the launcher is gone nobody waits for the answer.
            let _ = self.link.ask(|provider| provider.give_account(account));
        }
    }

    /// Returns what this process waits for now.
    fn account(&self) -> Account {
        let call = (self.inquiry.call)();
        let (pending, unexpected) = self.engine.enter().messages();
        let is_ours = |peer: PeerId| peer.0 < self.identity.size;
        let name = |context: u64| (self.inquiry.name)(context).unwrap_or_default();
        let pending = pending
            .into_iter()
            .filter(|one| one.peer.is_none_or(is_ours));
        let pending = pending.map(|one| {
            let (context, collective) = one.context.map_or((0, false), collective_plane);
            Pending {
                sends: one.sends,
                peer: one.peer.map(|peer| peer.0),
                tag: one.tag.filter(|_| !collective),
                bytes: one.bytes,
                context,
                comm: one.context.map(|_| name(context)).unwrap_or_default(),
                collective,
                queued: one.queued,
            }
        });
        let unexpected = unexpected.into_iter().filter(|one| is_ours(one.from));
        let unexpected = unexpected.filter_map(|one| {
            let (context, collective) = collective_plane(one.context);
            (!collective).then(|| Unexpected {
                peer: one.from.0,
                tag: one.tag,
                bytes: one.bytes,
                context,
                comm: name(context),
            })
        });
        let (call, object) = call.unwrap_or_default();
        Account {
            call: call.to_string(),
            object,
            waited: self.engine.waited().as_millis() as u64,
            pending: pending.collect(),
            unexpected: unexpected.collect(),
            locks: (self.inquiry.locks)(),
        }
    }
}

impl Comm {
    /// Returns the communicator as an account names it.
    pub fn for_account(&self) -> Object {
        let own = self.group().peers().iter();
        let remote = self
            .remote_group()
            .into_iter()
            .flat_map(|group| group.peers());
        Object {
            context: self.context(),
            name: match self.name() {
                name if name.is_empty() => "a communicator without a name".to_string(),
                name => name,
            },
            members: own.chain(remote).map(|peer| peer.0).collect(),
        }
    }
}

impl Window {
    /// Returns the window as an account names it.
    pub fn for_account(&self) -> Object {
        Object {
            context: self.context(),
            name: match self.name() {
                name if name.is_empty() => "a window without a name".to_string(),
                name => name,
            },
            members: self.group().peers().iter().map(|peer| peer.0).collect(),
        }
    }

    /// Returns the locks of the window that this process has or wants, as an account tells them.
    pub fn locks_for_account(&self) -> Vec<Lock> {
        let group = self.group();
        let targets = self.lock_targets().into_iter();
        let lock = |target| {
            Some(Lock {
                window: self.context(),
                target: group.peer(target)?.0,
            })
        };
        targets.filter_map(lock).collect()
    }
}
