//! Any bytes for what reads a peer's messages: called by the fuzz target, and by the test that
//! replays its corpus.

use ::memory::{Payload, Scratch, UserBuf};
use base::{PeerId, Rank};
use datatype::Buffer;

use crate::wire::HEADER_BYTES;
use crate::{Access, Lock, Memory, Osc, TargetBytes, Verb, WindowId};

pub use base::fuzz::Target;

/// The targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("osc_messages", messages)];

/// Bytes of the window, and of what lies before and behind it.
const WINDOW: usize = 96;
const GUARD: usize = 32;

/// The peer that sends the messages.
const PEER: PeerId = PeerId(1);

/// Handles messages of a peer, each with its length before it, at a process with two windows, of
/// which one is dynamic, that has requested a lock, data and a confirmation of the peer. Accepted
/// data stays in the windows, and replies are no longer than a message may be. The windows' names
/// and the messages' numbers are corrected where a bit of the length says so: hardly anything would
/// come further otherwise.
pub fn messages(mut bytes: &[u8]) {
    let memory = Scratch::new(WINDOW + 2 * GUARD);
    memory.buf().write(0, &[0x5a; WINDOW + 2 * GUARD]);
    let inside = memory.buf().part(GUARD, WINDOW);
    let result = Scratch::new(16);
    let mut osc = Osc::default();
    let windows = [Memory::Fixed(inside), Memory::Attached(vec![inside])];
    let windows = windows.map(|memory| osc.open_window(memory));
    windows
        .iter()
        .for_each(|window| ask(&mut osc, *window, result.buf()));
    let mut number = 0;
    while let Some((control, rest)) = bytes.split_first() {
        let len = rest.len().min(HEADER_BYTES + usize::from(*control & 63));
        let (message, rest) = rest.split_at(len);
        bytes = rest;
        let mut message = message.to_vec();
        if control & 64 != 0 && message.len() >= HEADER_BYTES {
            repair(
                &mut message,
                windows[usize::from(control >> 7)],
                number,
                inside,
            );
        }
        if osc.arrived(PEER, Payload::from(&message[..])).is_err() {
            osc.peer_failed(PEER, "it sent a malformed message");
            break;
        }
        number += 1;
        drain(&mut osc);
    }
    let mut around = [0; GUARD];
    for at in [0, GUARD + WINDOW] {
        memory.buf().read(at, &mut around);
        assert_eq!(around, [0x5a; GUARD], "bytes outside the window");
    }
}

/// Opens an epoch to the peer and requests something of it.
fn ask(osc: &mut Osc, window: WindowId, into: UserBuf) {
    osc.check_conflicts(window);
    osc.join(window, &[(PeerId(0), window.name()), (PEER, 7)]);
    let target = Rank(1);
    osc.begin_lock(window, target, Lock::Shared, true)
        .expect("nothing is locked");
    let access = Access {
        verb: Verb::Get { into: into.into() },
        place: TargetBytes::Layout(Buffer::from(into)),
    };
    osc.begin(window, target, access, true);
    osc.begin_flush(window, Some(target), ("a flush", true))
        .expect("it is locked");
    drain(osc);
}

/// Writes the number and the window into a header, and an address where a run has an offset.
fn repair(message: &mut [u8], window: WindowId, number: u32, inside: UserBuf) {
    message[4..8].copy_from_slice(&number.to_le_bytes());
    message[8..16].copy_from_slice(&window.name().to_le_bytes());
    let dynamic = message[47] & 1 != 0;
    message[47] = 0;
    // With one contiguous block it is in the header.
    let at = if message[0] & 0x80 != 0 {
        40
    } else {
        HEADER_BYTES
    };
    if dynamic && message.len() >= at + 8 {
        let begin = inside.address().addr() as u64 + u64::from(message[at]);
        message[at..at + 8].copy_from_slice(&begin.to_le_bytes());
    }
}

/// Drains the send queues.
fn drain(osc: &mut Osc) {
    const MAX: usize = 256;
    while let Some(peer) = osc.ready_peer(0) {
        if let Some(frame) = osc.next_frame(peer, MAX) {
            assert!(frame.header.len() + frame.len <= MAX);
            osc.frame_sent(peer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Header, Kind, Run, RUN_BYTES};

    #[test]
    fn the_corpus_finds_nothing() {
        base::fuzz::replay(TARGETS);
    }

    /// A message that is put right arrives: a put changes the window.
    #[test]
    fn a_message_that_is_put_right_is_taken() {
        let run = Run {
            offset: 8,
            len: 4,
            stride: 0,
            count: 1,
        };
        let header = Header {
            bytes: 4,
            ..Header::new(Kind::Put, 0)
        };
        let mut bytes = vec![64 + RUN_BYTES as u8 + 4];
        header.encode(&[run], &mut bytes);
        bytes.extend([1, 2, 3, 4]);
        messages(&bytes);
    }
}
