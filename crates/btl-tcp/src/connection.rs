//! A connection that has passed the handshake: what is being written on it, and what was read.
//!
//! A connection carries whole frames: numbered ones, pieces of replies, and acknowledgements.
//! Where one is written in part, its rest goes first.

use std::collections::VecDeque;
use std::io;
use std::net::Shutdown;

use base::Key;
use mca::Framework;

use crate::health::{Health, Watcher};
use crate::receiver::Receiver;
use crate::rma::ReplyPiece;
use crate::seal::Sealed;
use crate::stream::bare_ack;
use crate::sys::{self, Parts, Watch, Watched};
use crate::wire::{Header, Kind, HEADER_BYTES, POSITION_BYTES};

/// A connection that has passed the handshake.
pub struct Connection {
    /// The socket.
    pub stream: Watched,
    /// Protection of the connection's bytes, where there is any.
    pub sealed: Option<Sealed>,
    /// Bytes read so far, and the frames in them.
    pub receiver: Receiver,
    /// Whether the epoll set watches for room to write.
    pub watches_write: bool,
    /// Whether writing has failed; reading goes on until the end, which shows the reason.
    pub broken: bool,
    /// Checks for a cut now and then.
    pub watcher: Watcher,
    /// Whether the kernel may hold bytes that the peer's kernel has not acknowledged.
    pub unconfirmed: bool,
    /// The rest of an acknowledgement that is being written.
    ack: [u8; HEADER_BYTES],
    ack_left: usize,
    /// The piece that is being written.
    writing: Option<Writing>,
    /// Pieces that were written and are not acknowledged.
    unacked: VecDeque<ReplyPiece>,
    /// Pieces that were begun, and that are acknowledged.
    answers: u64,
    answers_acked: u64,
}

/// A piece that is being written.
struct Writing {
    head: [u8; HEADER_BYTES + POSITION_BYTES],
    piece: ReplyPiece,
    /// The bytes, where the registration was withdrawn meanwhile.
    copy: Option<Box<[u8]>>,
    sent: usize,
}

impl Connection {
    /// Creates a connection without any traffic yet.
    pub fn new(stream: Watched, sealed: Option<Sealed>, receiver: Receiver) -> Connection {
        Connection {
            stream,
            sealed,
            receiver,
            watches_write: false,
            broken: false,
            watcher: Watcher::default(),
            // The last bytes of the handshake.
            unconfirmed: true,
            ack: [0; HEADER_BYTES],
            ack_left: 0,
            writing: None,
            unacked: VecDeque::new(),
            answers: 0,
            answers_acked: 0,
        }
    }

    /// Whether a frame can be written at once.
    #[inline]
    pub fn is_free(&self) -> bool {
        self.is_between() && !self.watches_write && !self.broken && !self.waits()
    }

    /// Whether a numbered frame may come next.
    #[inline]
    pub fn is_between(&self) -> bool {
        self.ack_left == 0 && self.writing.is_none()
    }

    /// Whether sealed bytes wait for the kernel.
    #[inline]
    pub fn waits(&self) -> bool {
        self.sealed.as_ref().is_some_and(Sealed::is_waiting)
    }

    /// Writes sealed bytes that wait; false where the kernel has no room for all of them.
    pub fn push(&mut self) -> io::Result<bool> {
        self.send(&Parts::new())?;
        Ok(!self.waits())
    }

    /// Begins to write a piece of a reply; `ack` is the acknowledgement in it.
    pub fn begin(&mut self, piece: ReplyPiece, ack: u64) {
        let header = Header {
            kind: Kind::Answer,
            len: (POSITION_BYTES + piece.data.len()) as u32,
            seq: self.answers,
            ack,
        };
        let mut head = [0; HEADER_BYTES + POSITION_BYTES];
        head[..HEADER_BYTES].copy_from_slice(&header.encode());
        head[HEADER_BYTES..][..8].copy_from_slice(&piece.operation.to_le_bytes());
        head[HEADER_BYTES + 8..].copy_from_slice(&piece.at.to_le_bytes());
        self.answers += 1;
        self.writing = Some(Writing {
            head,
            piece,
            copy: None,
            sent: 0,
        });
    }

    /// Writes the rest of a frame that was begun; false where the kernel lacks room for all of it.
    pub fn finish(&mut self) -> io::Result<bool> {
        if self.ack_left > 0 {
            let ack = self.ack;
            let mut parts = Parts::new();
            parts.add(&ack[HEADER_BYTES - self.ack_left..]);
            self.ack_left -= self.send(&parts)?;
            return Ok(self.ack_left == 0);
        }
        let Some(mut writing) = self.writing.take() else {
            return Ok(true);
        };
        let len = writing.piece_len();
        let taken = {
            let mut parts = Parts::new();
            let done = writing.sent.min(writing.head.len());
            parts.add(&writing.head[done..]);
            let done = writing.sent - done;
            match &writing.copy {
                Some(copy) => parts.add(&copy[done..]),
                None => parts.add_user(writing.piece.data.from(done)),
            }
            self.send(&parts)
        };
        let taken = match taken {
            Ok(taken) => taken,
            Err(error) => {
                self.writing = Some(writing);
                return Err(error);
            }
        };
        writing.sent += taken;
        if writing.sent == writing.head.len() + len {
            self.unacked.push_back(writing.piece);
            return Ok(true);
        }
        self.writing = Some(writing);
        Ok(false)
    }

    /// Sends parts; a full socket takes 0 bytes.
    #[inline]
    pub fn send(&mut self, parts: &Parts<'_>) -> io::Result<usize> {
        self.unconfirmed = true;
        let stream = &*self.stream;
        match &mut self.sealed {
            None => sent(sys::send(stream, parts)),
            Some(sealed) => sealed.write(parts, |bytes| {
                let mut parts = Parts::new();
                parts.add(bytes);
                sent(sys::send(stream, &parts))
            }),
        }
    }

    /// Asks the kernel whether it holds bytes that the peer's kernel has not acknowledged, where
    /// something was written since it last held none.
    pub fn is_unconfirmed(&mut self) -> bool {
        let holds = |health: Health| health.held_bytes > 0;
        self.unconfirmed = self.unconfirmed && Health::of(&*self.stream).is_ok_and(holds);
        self.unconfirmed
    }

    /// Notes that `count` pieces have arrived in all; false where that is more than were sent.
    #[inline]
    pub fn answers_acked(&mut self, count: u64) -> bool {
        while self.answers_acked < count {
            if self.unacked.pop_front().is_none() {
                return false;
            }
            self.answers_acked += 1;
        }
        true
    }

    /// Whether the rest of a frame, or sealed bytes, wait for the kernel.
    pub fn is_amid(&self) -> bool {
        self.ack_left > 0 || self.waits()
    }

    /// Whether the peer may read memory of this process through pieces of this connection.
    pub fn holds_pieces(&self) -> bool {
        !self.unacked.is_empty() || self.writing.is_some()
    }

    /// Begins an acknowledgement: of the numbered frames below `ack`, and of the replies that have
    /// come over this connection.
    pub fn acknowledge(&mut self, ack: u64) {
        self.ack = bare_ack(ack, self.receiver.acknowledge_answers());
        self.ack_left = HEADER_BYTES;
    }

    /// Watches for room to write, or does not any more.
    pub fn watch_write(&mut self, on: bool, number: u64) {
        self.watches_write = on;
        let watch = if on { Watch::Both } else { Watch::Read };
        if let Err(error) = self.stream.watch(watch, number) {
            Framework::Btl.info(format_args!("a connection cannot be watched: {error}"));
            // Reading finds the end then.
            self.broken = true;
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Ends the connection: returns the pieces that may not have arrived, in their order.
    pub fn into_pieces(mut self) -> impl DoubleEndedIterator<Item = ReplyPiece> {
        let begun = self.writing.take().map(|writing| writing.piece);
        self.unacked.into_iter().chain(begun)
    }

    /// Withdraws a registration: what is being written of it is copied, the rest forgotten.
    pub fn release(&mut self, export: Key) {
        self.unacked
            .iter_mut()
            .for_each(|piece| piece.withdraw(export));
        let Some(writing) = &mut self.writing else {
            return;
        };
        if writing.piece.export == Some(export) {
            let mut copy = vec![0; writing.piece.data.len()].into_boxed_slice();
            writing.piece.data.read(0, &mut copy);
            writing.copy = Some(copy);
            writing.piece.withdraw(export);
        }
    }
}

impl Writing {
    fn piece_len(&self) -> usize {
        match &self.copy {
            Some(copy) => copy.len(),
            None => self.piece.data.len(),
        }
    }
}

#[inline]
fn sent(result: io::Result<usize>) -> io::Result<usize> {
    match result {
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(0),
            _ => Err(error),
        },
        sent => sent,
    }
}
