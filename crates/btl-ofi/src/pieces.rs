//! Cuts messages that are slightly too long for the provider's fast path into pieces.
//!
//! Providers copy messages up to some length immediately, and use a rendezvous for longer ones:
//! over `shm` and `ofi_rxm` one byte more triples the time of a message. So a message that is not
//! much longer is sent as two or a few pieces. All but the last piece are marked as such; each
//! piece is a numbered message of the transport and uses a credit.
//!
//! Usually the payload is a power of two that only the header makes too long. Then the header is a
//! piece of its own, which the receiver writes directly in front of the payload, where it arrived
//! ([`HEADROOM`]), without another copy. Otherwise the pieces are joined in a buffer.

use base::{AmTag, PeerId};
use btl::{Arrival, Error, Flow, Sink};
use memory::{Payload, UserBuf};
use ofi::Info;

use crate::buffers;
use crate::component::Transport;
use crate::endpoint::Peer;
use crate::wire::HEADER_BYTES;

/// Bytes in front of what arrives in a posted buffer: room for the headers of the layers above.
pub(crate) const HEADROOM: usize = 64;

/// Bytes that must be copied at once for pieces to pay.
const PIECE_MIN: usize = 2048;

/// Most pieces of a message: beyond these a rendezvous costs less.
pub(crate) const PIECES_MAX: usize = 5;

/// Returns the longest message that the provider copies at once; `None` if unknown, or too short.
pub(crate) fn piece_max(info: &Info, inject_max: usize) -> Option<usize> {
    let copied = match info.quirks.copied {
        Some((usual, variable)) => {
            let told = std::env::var(variable).ok();
            told.map_or(Some(usual), |text| text.trim().parse().ok())
        }
        None => Some(inject_max),
    };
    copied.filter(|most| (PIECE_MIN..=1 << 20).contains(most))
}

/// The pieces of a message, each of one or two runs of memory.
struct Cut {
    header: UserBuf,
    payload: UserBuf,
    most: usize,
}

impl Cut {
    fn count(&self) -> usize {
        match self.header_is_apart() {
            true => 2,
            false => (self.header.len() + self.payload.len()).div_ceil(self.most),
        }
    }

    /// Whether the header goes first and the payload follows whole.
    fn header_is_apart(&self) -> bool {
        (1..=HEADROOM).contains(&self.header.len()) && self.payload.len() <= self.most
    }

    fn piece(&self, number: usize) -> [UserBuf; 2] {
        if self.header_is_apart() {
            let piece = if number == 0 {
                self.header
            } else {
                self.payload
            };
            return [piece, UserBuf::EMPTY];
        }
        let (start, head) = (number * self.most, self.header.len());
        let end = (start + self.most).min(head + self.payload.len());
        let of_header = self
            .header
            .part(start.min(head), end.min(head) - start.min(head));
        let (from, to) = (start.max(head) - head, end.max(head) - head);
        let of_payload = self.payload.part(from, to - from);
        match of_header.is_empty() {
            true => [of_payload, UserBuf::EMPTY],
            false => [of_header, of_payload],
        }
    }
}

impl Transport {
    /// Sends a message in pieces, where that is faster; `None` where it is not, or cannot be now.
    /// The caller has checked that the message may go.
    pub(crate) fn send_in_pieces(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Option<Flow>, Error> {
        let Some(most) = self.piece_max else {
            return Ok(None);
        };
        // SAFETY: the header is there during the call, which only reads it: a provider that is
        // given it keeps nothing of it (`INJECT`), and otherwise it is copied.
        let header = unsafe { UserBuf::new(header.as_ptr().cast_mut(), header.len()) };
        let cut = Cut {
            header,
            payload,
            most,
        };
        let count = cut.count();
        if !(2..=PIECES_MAX).contains(&count) || (self.reachable(peer)?.credit() as usize) < count {
            return Ok(None);
        }
        // From the first piece on the message is accepted: pieces that find the provider busy wait.
        let register = self.memory.local_registrar(&self.contexts[0]);
        if !self.sends.has(count, register)? {
            return Ok(None);
        }
        for number in 0..count {
            self.send_piece(peer, tag, cut.piece(number), number + 1 < count)?;
        }
        Ok(Some(Flow::Sent))
    }

    /// Sends a piece: at once if the provider copies it, from a slot otherwise, where it can wait.
    fn send_piece(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        stretches: [UserBuf; 2],
        more: bool,
    ) -> Result<(), Error> {
        let [first, second] = stretches;
        let len = first.len() + second.len();
        let waits = self.reachable(peer)?.waits();
        let short = self.short_max.is_some_and(|short| len <= short) && !waits;
        if short && self.send_at_once(peer, tag, stretches, more)? == Flow::Sent {
            return Ok(());
        }
        let Some(slot) = self.sends.take(|_| Err(Error::Unreachable { peer }))? else {
            return Err(Error::Unreachable { peer });
        };
        let room = self.sends.memory(slot).from(HEADER_BYTES);
        room.part(0, first.len()).copy_from(&first);
        room.part(first.len(), second.len()).copy_from(&second);
        self.send_slot(peer, tag, slot, len, more)
    }

    /// Handles a message, or a piece of one, that is due. `slot` is where it arrived, behind the
    /// headroom. Returns the number of events: a piece with more to follow is one, since its sender
    /// goes on and whoever waits for the message should poll again soon.
    #[inline]
    pub(crate) fn take_in(
        &mut self,
        from: PeerId,
        (tag, more): (AmTag, bool),
        payload: Payload<'_>,
        slot: Option<buffers::Slot>,
        sink: &mut dyn Sink,
    ) -> usize {
        let alone = |known: &Peer| known.joining.is_empty();
        if !more && self.peers.get(from).is_some_and(alone) {
            sink.deliver(Arrival { from, tag, payload });
            return 1;
        }
        self.join(from, (tag, more), payload, slot, sink)
    }

    fn join(
        &mut self,
        from: PeerId,
        (tag, more): (AmTag, bool),
        payload: Payload<'_>,
        slot: Option<buffers::Slot>,
        sink: &mut dyn Sink,
    ) -> usize {
        let limit = self.caps.max_send_size;
        let Some(known) = self.peers.get_mut(from) else {
            return 0;
        };
        let len = known.joining.len() + payload.len();
        if len > limit {
            let what = format!("a message in pieces of {len} bytes, {limit} is the most");
            self.lose(from, Error::Protocol { peer: from, what });
            return 0;
        }
        let mut joined = std::mem::take(&mut known.joining);
        let before = joined.len();
        match slot {
            Some(slot) if !more && before <= HEADROOM => {
                let start = HEADROOM - before;
                let memory = self.receives.memory(slot);
                memory.write(start, &joined);
                let whole = memory.part(start, len);
                // SAFETY: the slot is this transport's own while its message is looked at, and
                // `part` has checked that the bytes lie in it.
                let payload = unsafe { Payload::new(whole.address(), len) };
                sink.deliver(Arrival { from, tag, payload });
            }
            _ => {
                joined.resize(len, 0);
                payload.copy_to(&mut joined[before..]);
                if !more {
                    let payload = Payload::from(&joined[..]);
                    sink.deliver(Arrival { from, tag, payload });
                }
            }
        }
        if !more {
            joined.clear();
        }
        if let Some(known) = self.peers.get_mut(from) {
            known.joining = joined;
        }
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory::Scratch;

    #[test]
    fn pieces_are_the_whole_message_in_order() {
        let memory = Scratch::new(300);
        let bytes: Vec<u8> = (0..300).map(|n| n as u8).collect();
        memory.buf().write(0, &bytes);
        for (header, payload, count) in [
            (0, 100, 1),
            (0, 101, 2),
            (1, 100, 2),
            (32, 100, 2),
            (64, 69, 2),
            (65, 100, 2),
            (65, 136, 3),
            (150, 50, 2),
            (250, 0, 3),
            (32, 101, 2),
            (32, 168, 2),
            (32, 169, 3),
        ] {
            let cut = Cut {
                header: memory.buf().part(0, header),
                payload: memory.buf().part(header, payload),
                most: 100,
            };
            assert_eq!(cut.count(), count, "{header} and {payload}");
            let mut joined = Vec::new();
            for number in 0..count {
                let before = joined.len();
                for stretch in cut.piece(number) {
                    let mut part = vec![0; stretch.len()];
                    stretch.read(0, &mut part);
                    joined.extend(part);
                }
                assert!((1..=100).contains(&(joined.len() - before)));
            }
            assert_eq!(joined, bytes[..header + payload]);
        }
    }
}
