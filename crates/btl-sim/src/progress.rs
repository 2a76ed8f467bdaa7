//! The receive side: delivers the messages that have arrived since the last poll.

use std::collections::VecDeque;

use btl::{Arrival, Sink};
use memory::Payload;

use crate::state::Report;
use crate::Endpoint;

impl Endpoint {
    /// Passes all reports to `sink`, and returns their number.
    pub(crate) fn deliver_reports(&mut self, sink: &mut dyn Sink) -> usize {
        let reports = self.take_reports();
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

    /// Takes the reports out of the inbox, which makes room in the senders' queues.
    fn take_reports(&mut self) -> VecDeque<Report> {
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
        // Dropped are messages from an instance of the sender that this process does not know, and,
        // where either was started again, from before the two joined.
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
