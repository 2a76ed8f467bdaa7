//! The account of what this process waits for, which the launcher asks for when nothing moves.
//!
//! A process answers where it receives reports of the launcher: between two polls of a wait or of a
//! test. One that computes does not answer, and that is an answer, too.
//!
//! From two answers the launcher finds out whether something has happened between them. So a
//! process in a wait in which nothing happens answers only once it has checked, after the question,
//! what it waits for: it may have been stopped before.

use base::PeerId;
use bootstrap::account::{Account, Object, Pending, Unexpected};

use crate::comm::collective_plane;
use crate::process::Process;
use crate::Comm;

impl Process {
    /// Answers the launcher, where it has asked.
    pub(crate) fn answer(&self) {
        let asked = self.link.take_questions();
        let mut due = std::mem::take(&mut *self.reports.accounts.questions.lock());
        match self.engine.quiet_wait() {
            Some(_) => *self.reports.accounts.questions.lock() = asked,
            None => due.extend(asked),
        }
        if due.is_empty() {
            return;
        }
        let account = self.account();
        for question in due {
            let account = Account {
                question,
                ..account.clone()
            };
            // Where the launcher is gone nobody waits for the answer.
            let _ = self.link.ask(|provider| provider.give_account(account));
        }
    }

    /// Returns what this process waits for now.
    fn account(&self) -> Account {
        let call = (self.reports.accounts.inquiry.call)();
        let is_shared = self.engine.is_shared();
        let many = is_shared && self.engine.waiters() > 1;
        let core = self.engine.enter();
        let ((pending, unexpected), moves) = (core.messages(), core.moves());
        drop(core);
        let (wait, quiet) = self.engine.quiet_wait().unwrap_or_default();
        let is_ours = |peer: PeerId| peer.0 < self.identity.size;
        let name = |context: u64| (self.reports.accounts.inquiry.name)(context).unwrap_or_default();
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
                // The other threads wait for something else.
                watched: one.watched && !many,
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
            question: 0,
            wait,
            waited: quiet.as_millis() as u64,
            moves,
            has_threads_outside: is_shared && threads() > self.engine.waiters() as usize,
            is_open: self.is_open(),
            pending: pending.collect(),
            unexpected: unexpected.collect(),
            locks: (self.reports.accounts.inquiry.locks)(),
        }
    }
}

impl Process {
    /// Returns whether a wait may be ended by something other than the processes that began
    /// together with this one.
    fn is_open(&self) -> bool {
        let knows_others = self.lock(&self.peers.foreign).end() > self.identity.size;
        // What other threads of this library work on: files.
        knows_others
            || (self.reports.accounts.inquiry.is_generalized)()
            || self.engine.alarm().descriptor().is_some()
    }
}

/// Returns how many threads of the program there are, as far as the system reports them:
/// all threads but those of this library.
fn threads() -> usize {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        return usize::MAX;
    };
    let is_own = |name: &String| name.starts_with(sync::thread::PREFIX);
    let names = tasks.flatten().map(|task| {
        let name = std::fs::read_to_string(task.path().join("comm"));
        name.unwrap_or_default()
    });
    names.filter(|name| !is_own(name)).count()
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
