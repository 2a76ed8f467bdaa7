//! The receive side: delivers the queued messages.

use base::PeerId;
use btl::{Arrival, Sink};
use memory::Payload;

use crate::endpoint::Queue;

impl Queue {
    /// Delivers every message, and returns their number.
    pub(crate) fn hand_up(&mut self, from: PeerId, sink: &mut dyn Sink) -> usize {
        let mut count = 0;
        while let Some(message) = self.pop() {
            let payload = Payload::from(&message.bytes[..message.len]);
            sink.deliver(Arrival {
                from,
                tag: message.tag,
                payload,
            });
            self.recycle(message);
            count += 1;
        }
        count
    }
}
