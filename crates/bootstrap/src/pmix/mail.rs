//! Replies that come on the library's own thread, stored for the callers that wait for them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Condvar, Mutex, MutexGuard};

/// The result of a request: the library's status, and a value if one was requested.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) status: i32,
    pub(super) value: Option<Vec<u8>>,
}

/// Replies that have come and were not taken yet, by the number of the request.
#[derive(Default)]
pub(super) struct Mail {
    replies: Mutex<HashMap<u64, Reply>>,
    arrived: Condvar,
}

/// The right to reply to one request, once.
pub(super) struct Envelope {
    mail: Arc<Mail>,
    number: u64,
}

impl Mail {
    /// Returns the envelope of the reply to request `number`.
    pub(super) fn envelope(self: &Arc<Mail>, number: u64) -> Envelope {
        Envelope {
            mail: self.clone(),
            number,
        }
    }

    /// Returns the reply to request `number`; waits for it until `until`, without end for `None`.
    pub(super) fn take(&self, number: u64, until: Option<Instant>) -> Option<Reply> {
        let mut replies = self.replies.lock();
        loop {
            if let Some(reply) = replies.remove(&number) {
                return Some(reply);
            }
            replies = self.sleep(replies, until)?;
        }
    }

    /// Waits until any of the requests `numbers` is answered, or until `until`.
    pub(super) fn wait_for_any(&self, numbers: &[u64], until: Option<Instant>) {
        let mut replies = self.replies.lock();
        while !numbers.iter().any(|number| replies.contains_key(number)) {
            match self.sleep(replies, until) {
                Some(again) => replies = again,
                None => return,
            }
        }
    }

    /// One sleep; `None` when `until` has come.
    #[expect(
        clippy::disallowed_methods,
        reason = "waits for the launcher's library, whose thread answers"
    )]
    fn sleep<'a>(
        &self,
        replies: MutexGuard<'a, HashMap<u64, Reply>>,
        until: Option<Instant>,
    ) -> Option<MutexGuard<'a, HashMap<u64, Reply>>> {
        let Some(until) = until else {
            return Some(self.arrived.wait(replies));
        };
        let left = until.saturating_duration_since(Instant::now());
        if left == Duration::ZERO {
            return None;
        }
        Some(self.arrived.wait_timeout(replies, left).0)
    }
}

impl Envelope {
    /// Delivers the reply.
    pub(super) fn post(self, reply: Reply) {
        self.mail.replies.lock().insert(self.number, reply);
        self.mail.arrived.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: i32) -> Reply {
        Reply {
            status,
            value: None,
        }
    }

    #[test]
    fn answers_wait_for_who_asked_and_come_once() {
        let mail = Arc::new(Mail::default());
        let now = || Some(Instant::now());
        assert_eq!(mail.take(1, now()), None);
        let (one, two) = (mail.envelope(1), mail.envelope(2));
        let other = std::thread::spawn(move || {
            two.post(reply(2));
            std::thread::sleep(Duration::from_millis(20));
            one.post(reply(1));
        });
        assert_eq!(mail.take(1, None), Some(reply(1)));
        other.join().unwrap();
        mail.wait_for_any(&[1, 2], None);
        assert_eq!(mail.take(2, now()), Some(reply(2)));
        assert_eq!(mail.take(2, now()), None);
        mail.wait_for_any(&[1, 2], now());
    }
}
