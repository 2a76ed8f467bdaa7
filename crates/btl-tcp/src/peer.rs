//! A peer: its rails, the frames that wait for them, and the state of both.
//!
//! A message is copied into the log once and written from there. Bytes that the kernel does not
//! accept wait in the log, which is bounded; beyond the bound a send is `Busy`. Messages for a peer
//! that is not connected wait in the same log.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Key, PeerId};
use btl::Error;
use mca::Framework;

use crate::attempt::Trouble;
use crate::handshake::{Identity, State};
use crate::health;
use crate::rails::Rails;
use crate::replies::Replies;
use crate::search::PeerSearch;
use crate::share;
use crate::stall::{Marks, Stall};
use crate::stream::{Body, Incoming, Outgoing};
use crate::sys::Parts;
use crate::wire::{Kind, HEADER_BYTES};

/// Longest body, in bytes, of a frame that may wait for those that follow.
const GATHERED_MAX: usize = 1024;
/// Replies that come in over a connection before they are acknowledged without an occasion.
const ANSWERS_UNACKNOWLEDGED: u64 = 8;

/// A peer, and the paths to it.
pub struct Peer {
    /// The number of the peer.
    pub id: PeerId,
    /// The paths to it, and the connections.
    pub rails: Rails,
    /// The state of the connections to the peer, or the reason that nothing connects.
    pub link: Link,
    /// Frames that were accepted and are not acknowledged.
    pub outgoing: Outgoing,
    /// Frames received from the peer.
    pub incoming: Incoming,
    /// Replies that it has asked for.
    pub replies: Replies,
    /// Names this side's numbering, so that frames of an earlier one are never taken for it.
    pub name: u64,
    /// The peer's name of its numbering; 0 while it is not known.
    pub their_name: u64,
    /// Whether short frames wait for those that follow at once, to be written together.
    pub gathers: bool,
    /// Watches for connections that carry nothing.
    pub stall: Stall,
    /// This process's identity for a foreign peer.
    pub foreign: Option<Arc<Identity>>,
}

/// The state of the connections to a peer (the table is in the crate's documentation).
pub enum Link {
    /// No message has been sent yet.
    Idle,
    /// No rail is up; connections are tried.
    Searching(PeerSearch),
    /// A rail is up.
    Up,
    /// The peer has left in good order.
    Left,
    /// The peer is gone, for this reason.
    Failed(Error),
}

/// The result of comparing a peer's reported state with the known one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// Frames go on where they were, or begin.
    Well,
    /// The peer has restarted, and the end of its former life is still on its way here.
    Later,
    /// The peer has restarted without an end of its former life.
    Anew,
    /// One side has given the other up.
    Not,
}

impl Peer {
    /// Creates a peer without a connection, under a name that no other numbering has.
    pub fn new(id: PeerId, name: u64) -> Peer {
        Peer {
            id,
            rails: Rails::new(Vec::new(), 1),
            link: Link::Idle,
            outgoing: Outgoing::default(),
            incoming: Incoming::default(),
            replies: Replies::default(),
            name,
            their_name: 0,
            gathers: false,
            stall: Stall::default(),
            foreign: None,
        }
    }

    /// Forgets the former state: the peer has left and comes back.
    pub fn reopen(&mut self, name: u64) {
        let paths = std::mem::take(&mut self.rails.paths);
        *self = Peer {
            rails: Rails::new(paths, self.rails.shared),
            foreign: self.foreign.take(),
            ..Peer::new(self.id, name)
        };
    }

    /// Returns the reason that nothing can be sent, where that is so.
    #[inline]
    pub fn check_usable(&self) -> Result<(), Error> {
        match &self.link {
            Link::Up | Link::Searching(_) => Ok(()),
            Link::Idle if !self.rails.paths.is_empty() => Ok(()),
            Link::Idle => Err(Error::Unreachable { peer: self.id }),
            Link::Failed(error) => Err(error.clone()),
            Link::Left => Err(Error::PeerGone {
                peer: self.id,
                how: "it has left in good order".into(),
            }),
        }
    }

    /// Compares the state that a peer reports in a handshake with the known one.
    pub fn fit(&self, theirs: &State) -> Fit {
        let knows_another = theirs.other != 0 && theirs.other != self.name;
        if matches!(self.link, Link::Failed(_)) || knows_another {
            return Fit::Not;
        }
        if self.their_name == 0 || self.their_name == theirs.name {
            return Fit::Well;
        }
        match self.link {
            Link::Searching(_) => Fit::Anew,
            _ => Fit::Later,
        }
    }

    /// Whether something that was accepted, by this process or the kernel, has not left.
    pub fn is_leaving(&self) -> bool {
        let Some(connection) = self.rails.leading() else {
            return false;
        };
        !connection.broken && (self.outgoing.has_unwritten() || connection.is_amid())
    }

    /// Whether the kernel has not got all messages yet. Without a connection it is unknown which of
    /// them have arrived.
    pub fn keeps(&self) -> bool {
        match (&self.link, self.rails.lead) {
            (Link::Failed(_), _) => false,
            (_, Some(_)) => self.outgoing.has_unwritten(),
            (_, None) => self.outgoing.is_unacked(),
        }
    }

    /// Whether the kernel has not sent all that it has accepted.
    pub fn is_held_by_kernel(&self) -> bool {
        self.rails
            .connections()
            .any(|(_, it)| !it.broken && health::unsent_bytes(&*it.stream) > 0)
    }

    /// Whether something accepted can still leave.
    pub fn has_to_send(&self) -> bool {
        match &self.link {
            Link::Up => match self.rails.lead {
                // Input after a shutdown message resets the connection, and the kernel then
                // drops its buffers.
                Some(_) => self.is_leaving() || self.is_held_by_kernel(),
                None => self.outgoing.is_unacked(),
            },
            Link::Searching(_) => self.outgoing.is_unacked(),
            _ => false,
        }
    }

    /// Whether the peer reads memory of this process.
    pub fn is_read(&self) -> bool {
        !self.replies.is_empty() || self.rails.connections().any(|(_, it)| it.holds_pieces())
    }

    /// Whether something in flight may have to be sent again.
    pub fn is_outstanding(&self) -> bool {
        self.outgoing.is_unacked() || self.is_read()
    }

    /// Releases registered memory: pieces being sent of it are copied, the rest refused.
    pub fn release(&mut self, export: Key) {
        self.replies.release(export);
        self.rails
            .connections_mut()
            .for_each(|connection| connection.release(export));
    }

    /// Records the failure of an attempt at a rail.
    pub fn note(&mut self, number: usize, trouble: &Trouble) {
        let proven = self.rails.at(number).round > 0;
        let path = self.rails.paths.get(number);
        match path {
            Some(path) => {
                Framework::Btl.debug(format_args!("{} at {}: {trouble}", self.id, path.remote))
            }
            None => Framework::Btl.debug(format_args!("{}: {trouble}", self.id)),
        }
        if let Link::Searching(search) = &mut self.link {
            search.note(path, proven, trouble);
        }
    }

    /// Warns the user where connections with the peer break one after the other, and nothing that
    /// waits for it, or for this process, is ever delivered. `missing`: pieces of reads from the
    /// peer that have not come; `silence`: how long there was no reply.
    pub fn watch_for_stall(&mut self, missing: usize, silence: Duration, outage: Duration) {
        let owed = self.replies.len();
        if missing + owed == 0 && !self.outgoing.is_unacked() {
            self.stall = Stall::default();
            return;
        }
        let marks = Marks {
            acked: self.outgoing.acked_count(),
            come: self.incoming.next(),
            missing,
            owed,
        };
        if self.stall.broke(Instant::now(), silence, marks, outage) {
            let (peer, path) = (self.id, self.rails.paths.first());
            let place = path.map_or(String::new(), |path| format!(" at {}", path.remote.ip()));
            Framework::Btl.warn(format_args!(
                "{peer}{place}: connections are made and break, and for {} s nothing was \
                 delivered; the path may drop large packets: compare the MTU of the interfaces \
                 with what passes (`ping -M do -s 1472`), or use others (btl_tcp_if_include)",
                outage.as_secs()
            ));
        }
    }
}

/// The send side.
impl Peer {
    /// Accepts a frame, and writes what the kernel accepts of it, from the caller's memory: the
    /// copy for the log is made while it is in flight. True where more waits for room. The caller
    /// has checked [`Peer::check_usable`] and [`Outgoing::has_room`].
    #[inline]
    pub fn send_now(&mut self, kind: Kind, header: &[u8], body: Body<'_>) -> bool {
        let Some(lead) = self.rails.lead else {
            self.send(kind, header, body);
            return false;
        };
        if self.gathers && body.len() <= GATHERED_MAX {
            self.send(kind, header, body);
            return false;
        }
        let ack = self.incoming.acknowledge();
        let frame = self.outgoing.head(kind, header, body, ack);
        let offered = HEADER_BYTES + header.len() + body.len();
        let mut taken = 0;
        let waits = self.outgoing.has_unwritten();
        let connection = self.rails.connection(lead);
        if let Some(connection) = connection.filter(|it| !waits && it.is_free()) {
            let mut parts = Parts::new();
            parts.add(&frame);
            parts.add(header);
            match body {
                Body::User(buf) => parts.add_user(buf),
                Body::Own(bytes) => parts.add(bytes),
            }
            match connection.send(&parts) {
                Ok(sent) => taken = sent,
                Err(error) => {
                    // Reading will find the end, after what the peer sent before it.
                    connection.broken = true;
                    Framework::Btl.debug(format_args!("writing to {} failed: {error}", self.id));
                }
            }
        }
        self.outgoing.append(kind, header, body, ack);
        self.outgoing.advance(taken);
        let connection = self.rails.connection(lead);
        connection.is_some_and(|it| (taken < offered || it.waits()) && !it.watches_write)
    }

    /// Accepts a frame, to be written when there is an occasion.
    #[inline]
    pub fn send(&mut self, kind: Kind, header: &[u8], body: Body<'_>) {
        let ack = self.incoming.acknowledge();
        self.outgoing.append(kind, header, body, ack);
    }

    /// Accepts the shutdown message, whatever the log holds.
    pub fn say_goodbye(&mut self) {
        self.send(Kind::Goodbye, &[], Body::Own(&[]));
    }

    /// Writes over a rail as much as the kernel accepts. True where more waits for room.
    #[inline]
    pub fn flush(&mut self, number: usize) -> bool {
        match self.try_flush(number) {
            Ok(waits) => waits,
            Err(error) => {
                // Reading will find the end, after what the peer sent before it.
                Framework::Btl.debug(format_args!("writing to {} failed: {error}", self.id));
                if let Some(connection) = self.rails.connection(number) {
                    connection.broken = true;
                }
                false
            }
        }
    }

    fn try_flush(&mut self, number: usize) -> io::Result<bool> {
        let leads = self.rails.lead == Some(number);
        loop {
            let Some(connection) = self.rails.connection(number) else {
                return Ok(false);
            };
            if connection.broken {
                return Ok(false);
            }
            if connection.waits() && !connection.push()? {
                return Ok(true);
            }
            if !connection.is_between() {
                if !connection.finish()? {
                    return Ok(true);
                }
                continue;
            }
            if leads && self.outgoing.has_unwritten() {
                let (outgoing, incoming) = (&mut self.outgoing, &mut self.incoming);
                if incoming.is_urgent() && outgoing.renew_ack(incoming.next()) {
                    incoming.acknowledge();
                }
                let mut parts = Parts::new();
                let offered = outgoing.gather(&mut parts);
                let taken = connection.send(&parts)?;
                outgoing.advance(taken);
                if taken < offered {
                    return Ok(true);
                }
                continue;
            }
            let waits = connection.waits();
            if self.replies.is_empty() {
                return Ok(waits);
            }
            if !self.take_up(number, false) {
                return Ok(self.rails.connection(number).is_some_and(|it| it.waits()));
            }
        }
    }

    /// Begins a piece over the rail that would be done with it first, where every rail has left it
    /// to others, since each asked for the loads at another time. Where no rail waits for room none
    /// would ask again. Returns the rail to write.
    pub fn take_left_piece(&mut self) -> Option<usize> {
        let waits = self.rails.connections().any(|(_, it)| it.watches_write);
        if waits || self.replies.is_empty() {
            return None;
        }
        let (piece, _) = self.replies.bytes();
        let number = share::first(piece as u64, &self.rails.loads())?;
        match self.take_up(number, true) {
            true => Some(number),
            false => self.rails.lead,
        }
    }

    /// Begins a piece of a reply over a rail: the next, where it is the rail's turn or left by all
    /// others. False where the rail has nothing to do.
    fn take_up(&mut self, number: usize, is_left: bool) -> bool {
        let refused = self.replies.take_refused();
        if !refused.is_empty() {
            refused
                .into_iter()
                .for_each(|operation| self.refuse(operation));
            return self.rails.lead == Some(number);
        }
        if !is_left && !self.is_its_turn(number) {
            return false;
        }
        let Some(piece) = self.replies.next_piece() else {
            return false;
        };
        if piece.export.is_none() {
            self.refuse(piece.operation);
            return self.rails.lead == Some(number);
        }
        let ack = self.incoming.next();
        if let Some(connection) = self.rails.connection(number) {
            connection.begin(piece, ack);
        }
        true
    }

    /// Whether a rail should take a piece, or leave it to others.
    fn is_its_turn(&self, number: usize) -> bool {
        let usable = self.rails.connections().filter(|(_, it)| !it.broken);
        if usable.count() < 2 {
            return true;
        }
        let (own, others): (Vec<_>, Vec<_>) = self
            .rails
            .loads()
            .into_iter()
            .partition(|(at, _)| *at == number);
        let Some((_, own)) = own.first() else {
            return false;
        };
        let others: Vec<_> = others.into_iter().map(|(_, load)| load).collect();
        let (piece, rest) = self.replies.bytes();
        share::takes(piece as u64, rest as u64, *own, &others)
    }

    /// Refuses a request.
    fn refuse(&mut self, operation: u64) {
        self.send(Kind::Refusal, &operation.to_le_bytes(), Body::Own(&[]));
    }

    /// Acknowledges received frames to the peer over a rail, where the rail has room for that.
    pub fn acknowledge(&mut self, number: usize) {
        let amid = self.rails.lead == Some(number) && self.outgoing.is_inside_frame();
        let Some(connection) = self.rails.connection(number) else {
            return;
        };
        // The frame that is being written goes first.
        if connection.is_between() && !amid {
            connection.acknowledge(self.incoming.acknowledge());
        }
    }

    /// Whether the peer should get an acknowledgement over a rail at once.
    #[inline]
    pub fn should_acknowledge(&mut self, number: usize) -> bool {
        let urgent = self.incoming.is_urgent();
        self.rails.connection(number).is_some_and(|it| {
            urgent || it.receiver.unacknowledged_answers() >= ANSWERS_UNACKNOWLEDGED
        })
    }
}
