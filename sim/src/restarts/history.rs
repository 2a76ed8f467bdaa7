//! Checks that the last lives of all ranks make one history.

use std::collections::HashMap;

/// A message as one side saw it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageRecord {
    pub(crate) comm: u64,
    /// The other side.
    pub(crate) peer: usize,
    pub(crate) tag: i64,
    /// A number by which those of a tag are ordered: that of the send, or of the receive.
    pub(crate) number: u64,
    /// Length and content.
    pub(crate) hash: u64,
}

/// The messages that a life has sent and received.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace {
    pub(crate) sent: Vec<MessageRecord>,
    pub(crate) received: Vec<MessageRecord>,
}

type Ways = HashMap<(usize, usize, u64, i64), Vec<(u64, u64)>>;

/// Checks that each message was received once, as it was sent and in that order. Returns how many
/// there are.
pub(crate) fn check(traces: Vec<Trace>) -> Result<u64, String> {
    let (mut sent, mut received) = (Ways::new(), Ways::new());
    for (rank, trace) in traces.iter().enumerate() {
        for seen in &trace.sent {
            let way = sent.entry((rank, seen.peer, seen.comm, seen.tag));
            way.or_default().push((seen.number, seen.hash));
        }
        for seen in &trace.received {
            let way = received.entry((seen.peer, rank, seen.comm, seen.tag));
            way.or_default().push((seen.number, seen.hash));
        }
    }
    let mut messages = 0;
    for (way, mut ours) in sent {
        let mut theirs = received.remove(&way).unwrap_or_default();
        ours.sort_unstable();
        theirs.sort_unstable();
        let hashes = |all: &[(u64, u64)]| all.iter().map(|(_, hash)| *hash).collect::<Vec<_>>();
        if hashes(&ours) != hashes(&theirs) {
            let (from, to, comm, tag) = way;
            return Err(format!(
                "messages {from} -> {to}, comm {comm}, tag {tag}: sent {:x?}, received {:x?}",
                hashes(&ours),
                hashes(&theirs)
            ));
        }
        messages += ours.len() as u64;
    }
    match received.iter().next() {
        None => Ok(messages),
        Some((way, theirs)) => Err(format!("{way:?} received {theirs:x?}, which nobody sent")),
    }
}
