//! The receive side: delivers the messages that have arrived since the last poll.

use std::collections::VecDeque;

use btl::{Arrival, Sink};
use memory::Payload;

use crate::state::Report;
use crate::Endpoint;

impl Endpoint {
    /// Delivers all reports, and returns their number.
    pub(crate) fn hand_up(&mut self, sink: &mut dyn Sink) -> usize {
        let reports = self.take();
        let count = reports.len();
        for report in reports {
            match report {
                Report::Message {
                    from, tag, bytes, ..
                } => {
                    let payload = Payload::from(&bytes[..]);
                    sink.deliver(Arrival { from, tag, payload });
                }
                Report::Done(token, outcome) => sink.done(token, outcome),
                Report::Lost(peer, error) => sink.peer_failed(peer, error),
            }
        }
        count
    }

    /// Takes the inbox, and makes room in the senders' queues.
    fn take(&mut self) -> VecDeque<Report> {
        let mut state = self.net.state();
        let Some(port) = state.port_mut(self.me) else {
            return VecDeque::new();
        };
        let own = port.instance;
        let mut reports = std::mem::take(&mut port.inbox);
        for report in &reports {
            if let Report::Message { from, instance, .. } = report {
                state.unqueue(*from, self.me, *instance);
            }
        }
        // Where processes are started again, messages of unknown processes are dropped.
        reports.retain(|report| match report {
            Report::Message { from, instance, .. } => {
                let link = state.link(self.me, *from);
                let first = own == 0 && *instance == 0;
                link.instance == *instance && (link.joined || first)
            }
            _ => true,
        });
        reports
    }
}
