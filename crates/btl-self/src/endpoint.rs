//! The send side: a queue of messages, in buffers that are reused.

use std::collections::VecDeque;

use base::AmTag;
use btl::Flow;
use memory::Slot;

/// Bytes that a queued message counts beside its own, so that empty ones are bounded too.
const MESSAGE_COST: usize = 64;

/// Most buffers that are cached for later messages.
const SPARE_MAX: usize = 64;

/// A queued message; `bytes` may be longer than the message.
pub(crate) struct Queued {
    pub(crate) tag: AmTag,
    pub(crate) len: usize,
    pub(crate) bytes: Vec<u8>,
}

/// The messages that wait to be delivered.
pub(crate) struct Queue {
    messages: VecDeque<Queued>,
    spare: Vec<Vec<u8>>,
    cost: usize,
    cost_max: usize,
}

impl Queue {
    pub(crate) fn new(cost_max: usize) -> Queue {
        Queue {
            messages: VecDeque::new(),
            spare: Vec::new(),
            cost: 0,
            cost_max,
        }
    }

    /// Queues `header` and `len` bytes that `fill` writes. An empty queue takes any message.
    pub(crate) fn push(
        &mut self,
        tag: AmTag,
        header: &[u8],
        len: usize,
        mut fill: impl FnMut(&mut Slot<'_>),
    ) -> Flow {
        let total = header.len() + len;
        let full = self.cost + total + MESSAGE_COST > self.cost_max;
        if full && !self.messages.is_empty() {
            return Flow::Busy;
        }
        let mut bytes = self.spare.pop().unwrap_or_default();
        if bytes.len() < total {
            bytes.resize(total, 0);
        }
        let (head, body) = bytes[..total].split_at_mut(header.len());
        head.copy_from_slice(header);
        fill(&mut Slot::from(body));
        self.cost += total + MESSAGE_COST;
        self.messages.push_back(Queued {
            tag,
            len: total,
            bytes,
        });
        Flow::Sent
    }

    pub(crate) fn pop(&mut self) -> Option<Queued> {
        let message = self.messages.pop_front()?;
        self.cost -= message.len + MESSAGE_COST;
        Some(message)
    }

    pub(crate) fn recycle(&mut self, message: Queued) {
        if self.spare.len() < SPARE_MAX {
            self.spare.push(message.bytes);
        }
    }

    pub(crate) fn clear(&mut self) {
        while let Some(message) = self.pop() {
            self.recycle(message);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }
}
