//! The send side: one peer, its connections, and the frames that wait for them.
//!
//! An endpoint has *rails*: connections, each between one of our interfaces and one of the
//! peer's. One of them leads: it carries the numbered frames ([`crate::stream`]), so these come
//! in order. Pieces of replies go over any rail that has room ([`crate::share`]).
//!
//! A message is copied into the log once and written from there. Bytes that the kernel does not
//! accept wait in the log, which is bounded; beyond the bound a send is `Busy`. Messages for a peer
//! that is not connected wait in the same log.

use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Instant;

use base::{Key, PeerId};
use btl::{Error, Sink, Token};
use memory::UserBuf;

use crate::handshake::Identity;
use crate::health::{self, Health, Watcher};
use crate::pairing;
use crate::progress::Receiver;
use crate::rma::{Answer, Piece};
use crate::seal::Sealed;
use crate::seeking::Troubles;
use crate::share::{self, Load};
use crate::stall::Stall;
use crate::stream::{bare_ack, Incoming, Outgoing};
use crate::sys::{self, Parts};
use crate::wire::{Header, Kind, HEADER_BYTES, POSITION_BYTES};

/// Most rails of a peer.
pub const RAILS_MAX: usize = 64;

/// Longest body, in bytes, of a frame that may wait for those that follow.
const GATHERED_MAX: usize = 1024;
/// Replies that come in over a connection before they are acknowledged without an occasion.
const ANSWERS_UNTOLD: u64 = 8;

/// A peer, and the path to it.
pub struct Endpoint {
    /// The peer.
    pub peer: PeerId,
    /// Addresses to connect to, best first; empty before it was introduced.
    pub paths: Vec<pairing::Rail>,
    /// How many of them, from the first, share the load of large transfers; the others are tried
    /// where those do not serve.
    pub shared: usize,
    /// The state of the connection to the peer, or why there is no connection.
    pub link: Link,
    /// The rails, by number. Those that this side makes have the number of their path.
    pub rails: Vec<Rail>,
    /// The rail that carries numbered frames.
    pub lead: Option<usize>,
    /// Frames that were accepted and are not acknowledged.
    pub outgoing: Outgoing,
    /// Frames received from the peer.
    pub incoming: Incoming,
    /// Replies that the peer has asked for and not been sent in full.
    pub owed: VecDeque<Answer>,
    /// Whether the next piece is not of the oldest reply.
    others_turn: bool,
    /// Pieces that were on a connection that broke.
    pub again: VecDeque<Piece>,
    /// Names this side's numbering, so that frames of an earlier one are never taken for it.
    pub name: u64,
    /// The peer's name of its numbering; 0 while it is not known.
    pub their_name: u64,
    /// Whether a large transfer has wanted more rails since the last check.
    pub wants_rails: bool,
    /// Whether short frames wait for those that follow at once, to be written together.
    pub gathers: bool,
    /// Watches for connections that carry nothing.
    pub stall: Stall,
    /// This process's identity towards a foreign peer.
    pub foreign: Option<Arc<Identity>>,
}

/// The state of the connections to a peer (the table is in the crate's documentation).
pub enum Link {
    /// No message has been sent yet.
    Idle,
    /// No rail is up; connections are tried.
    Seeking(Seek),
    /// A rail is up.
    Up,
    /// The peer has left in good order.
    Left,
    /// The peer is gone, for this reason.
    Failed(Error),
}

/// The progress of seeking. The paths are tried in rounds, one after the other.
pub struct Seek {
    /// Time since which nothing was heard of the peer.
    pub since: Instant,
    /// Whether there was a connection before.
    pub again: bool,
    /// The path that is tried next in this round.
    pub next: usize,
    /// Time of the last try.
    pub tried_at: Instant,
    /// Time of the next round, during a pause.
    pub pause_until: Option<Instant>,
    /// Rounds that are over.
    pub rounds: u32,
    /// Latest rounds in a row where all paths refused or met strangers, or a listener vanished.
    pub refusals: u32,
    /// Whether in the last round somebody answered, and the handshake failed.
    pub strange: bool,
    /// Reason that the last attempt was not even begun, where that was for want of a descriptor.
    pub wants: Option<String>,
    /// Whether the user was warned of its long silence.
    pub warned: bool,
    /// Failures of this round's paths.
    pub troubles: Troubles,
    /// The last trouble, as text.
    pub last: String,
}

/// A connection, and its state.
#[derive(Default)]
pub struct Rail {
    /// Its state.
    pub state: RailState,
    /// The number of its next connection. Both sides agree on it, so that an attempt that was
    /// given up is not taken for a new one.
    pub round: u16,
    /// Time of its last try, beside others that are up.
    pub tried_at: Option<Instant>,
}

/// The state of a rail.
#[derive(Default)]
pub enum RailState {
    /// There is no connection.
    #[default]
    Down,
    /// This process connects.
    Dialing(Key),
    /// The peer connects too and has precedence: its connection has been in the making since then.
    Awaiting(Instant),
    /// Connected.
    Up(Box<Lane>),
}

/// A connection that has passed the handshake.
pub struct Lane {
    /// The socket.
    pub stream: TcpStream,
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
    /// The rest of an acknowledgement that is being written.
    ack: [u8; HEADER_BYTES],
    ack_left: usize,
    /// The piece that is being written.
    writing: Option<Writing>,
    /// Pieces that were written and are not acknowledged.
    pub unacked: VecDeque<Piece>,
    /// Pieces that were begun, and that are acknowledged.
    answers: u64,
    answers_acked: u64,
}

/// A piece that is being written.
struct Writing {
    head: [u8; HEADER_BYTES + POSITION_BYTES],
    piece: Piece,
    /// The bytes, where the registration was withdrawn meanwhile.
    copy: Option<Box<[u8]>>,
    sent: usize,
}

/// A report for the sink when the transport next progresses.
pub enum Report {
    /// A read is complete.
    Done(Token, Result<(), Error>),
    /// A peer is gone.
    Failed(PeerId, Error),
}

/// The bytes of a message after the layer's header.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    /// Memory that may be reused when the call returns.
    User(UserBuf),
    /// Bytes of the transport's own.
    Own(&'a [u8]),
}

impl Report {
    /// Passes the report to the sink.
    pub fn emit(self, sink: &mut dyn Sink) {
        match self {
            Report::Done(token, outcome) => sink.done(token, outcome),
            Report::Failed(peer, error) => sink.peer_failed(peer, error),
        }
    }
}

impl Body<'_> {
    /// Its length in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Body::User(buf) => buf.len(),
            Body::Own(bytes) => bytes.len(),
        }
    }
}

impl Endpoint {
    /// Creates a peer without a connection, under a name that no other numbering has.
    pub fn new(peer: PeerId, name: u64) -> Endpoint {
        Endpoint {
            peer,
            paths: Vec::new(),
            shared: 1,
            link: Link::Idle,
            rails: Vec::new(),
            lead: None,
            outgoing: Outgoing::default(),
            incoming: Incoming::default(),
            owed: VecDeque::new(),
            others_turn: false,
            again: VecDeque::new(),
            name,
            their_name: 0,
            wants_rails: false,
            gathers: false,
            stall: Stall::default(),
            foreign: None,
        }
    }

    /// Forgets the former state: the peer has left and comes back.
    pub fn reopen(&mut self, name: u64) {
        let (paths, shared) = (std::mem::take(&mut self.paths), self.shared);
        *self = Endpoint {
            paths,
            shared,
            foreign: self.foreign.take(),
            ..Endpoint::new(self.peer, name)
        };
    }

    /// Returns the reason that nothing can be sent, where that is so.
    #[inline]
    pub fn check_usable(&self) -> Result<(), Error> {
        match &self.link {
            Link::Up | Link::Seeking(_) => Ok(()),
            Link::Idle if !self.paths.is_empty() => Ok(()),
            Link::Idle => Err(Error::Unreachable { peer: self.peer }),
            Link::Failed(error) => Err(error.clone()),
            Link::Left => Err(Error::PeerGone {
                peer: self.peer,
                how: "it has left in good order".into(),
            }),
        }
    }

    /// Returns the rail of a number; those up to it are created.
    pub fn rail(&mut self, number: usize) -> &mut Rail {
        if self.rails.len() <= number {
            self.rails.resize_with(number + 1, Rail::default);
        }
        &mut self.rails[number]
    }

    /// Returns the connection of a rail, if it is up.
    #[inline]
    pub fn lane(&mut self, number: usize) -> Option<&mut Lane> {
        match self.rails.get_mut(number) {
            Some(Rail {
                state: RailState::Up(lane),
                ..
            }) => Some(lane),
            _ => None,
        }
    }

    /// Returns the connections that are up, with their numbers.
    pub fn lanes(&self) -> impl Iterator<Item = (usize, &Lane)> {
        let rails = self.rails.iter().enumerate();
        rails.filter_map(|(number, rail)| match &rail.state {
            RailState::Up(lane) => Some((number, &**lane)),
            _ => None,
        })
    }

    /// Returns the rail that should lead: the fastest that is up.
    pub fn best_lead(&self) -> Option<usize> {
        let latency = |number: usize| match self.paths.get(number) {
            Some(path) => path.latency_ns,
            None => u32::MAX,
        };
        self.lanes()
            .filter(|(_, lane)| !lane.broken)
            .map(|(number, _)| number)
            .min_by_key(|number| (latency(*number), *number))
    }

    /// Accepts a frame, and writes what the kernel accepts of it, from the caller's memory: the
    /// copy for the log is made while it is in flight. True where more waits for room. The caller
    /// has checked [`Endpoint::check_usable`] and [`Outgoing::has_room`].
    #[inline]
    pub fn send_now(&mut self, kind: Kind, header: &[u8], body: Body<'_>) -> bool {
        let Some(lead) = self.lead else {
            self.send(kind, header, body);
            return false;
        };
        if self.gathers && body.len() <= GATHERED_MAX {
            self.send(kind, header, body);
            return false;
        }
        let ack = self.incoming.tell();
        let frame = self.outgoing.head(kind, header, body, ack);
        let offered = HEADER_BYTES + header.len() + body.len();
        let mut taken = 0;
        let waits = self.outgoing.has_unwritten();
        if let Some(lane) = self.lane(lead).filter(|lane| !waits && lane.is_free()) {
            let mut parts = Parts::new();
            parts.add(&frame);
            parts.add(header);
            match body {
                Body::User(buf) => parts.add_user(buf),
                Body::Own(bytes) => parts.add(bytes),
            }
            match lane.send(&parts) {
                Ok(sent) => taken = sent,
                Err(error) => {
                    // Reading will find the end, after what the peer sent before it.
                    lane.broken = true;
                    log::debug!("writing to {} failed: {error}", self.peer);
                }
            }
        }
        self.outgoing.append(kind, header, body, ack);
        self.outgoing.advance(taken);
        let rest = |lane: &mut Lane| (taken < offered || lane.waits()) && !lane.watches_write;
        self.lane(lead).is_some_and(rest)
    }

    /// Accepts a frame, to be written when there is an occasion.
    #[inline]
    pub fn send(&mut self, kind: Kind, header: &[u8], body: Body<'_>) {
        let ack = self.incoming.tell();
        self.outgoing.append(kind, header, body, ack);
    }

    /// Whether something that was accepted, by this process or the kernel, has not left.
    pub fn is_leaving(&self) -> bool {
        let Some((_, lane)) = self.lanes().find(|(number, _)| Some(*number) == self.lead) else {
            return false;
        };
        !lane.broken && (self.outgoing.has_unwritten() || lane.ack_left > 0 || lane.waits())
    }

    /// Whether the kernel has not got all messages yet. Without a connection it is unknown which of
    /// them have arrived.
    pub fn keeps(&self) -> bool {
        match (&self.link, self.lead) {
            (Link::Failed(_), _) => false,
            (_, Some(_)) => self.outgoing.has_unwritten(),
            (_, None) => self.outgoing.is_unacked(),
        }
    }

    /// Whether the kernel has not sent all that it has accepted.
    pub fn is_held_by_kernel(&self) -> bool {
        self.lanes()
            .any(|(_, lane)| !lane.broken && health::unsent_bytes(&lane.stream) > 0)
    }

    /// Whether pieces, or refusals, wait for a connection.
    #[inline]
    pub fn has_pieces(&self) -> bool {
        !self.owed.is_empty() || !self.again.is_empty()
    }

    /// Whether the peer reads memory of this process.
    pub fn is_read(&self) -> bool {
        let held = |lane: &Lane| !lane.unacked.is_empty() || lane.writing.is_some();
        self.has_pieces() || self.lanes().any(|(_, lane)| held(lane))
    }

    /// Whether something in flight may have to be sent again.
    pub fn is_outstanding(&self) -> bool {
        self.outgoing.is_unacked() || self.is_read()
    }

    /// Writes over a rail as much as the kernel accepts. True where more waits for room.
    #[inline]
    pub fn flush(&mut self, number: usize) -> bool {
        match self.try_flush(number) {
            Ok(waits) => waits,
            Err(error) => {
                // Reading will find the end, after what the peer sent before it.
                log::debug!("writing to {} failed: {error}", self.peer);
                if let Some(lane) = self.lane(number) {
                    lane.broken = true;
                }
                false
            }
        }
    }

    fn try_flush(&mut self, number: usize) -> io::Result<bool> {
        let leads = self.lead == Some(number);
        loop {
            let Some(Rail {
                state: RailState::Up(lane),
                ..
            }) = self.rails.get_mut(number)
            else {
                return Ok(false);
            };
            if lane.broken {
                return Ok(false);
            }
            if lane.waits() && !lane.push()? {
                return Ok(true);
            }
            if lane.is_between() {
                if leads && self.outgoing.has_unwritten() {
                    let Endpoint {
                        outgoing, incoming, ..
                    } = self;
                    if incoming.is_urgent() && outgoing.renew_ack(incoming.next()) {
                        incoming.tell();
                    }
                    let mut parts = Parts::new();
                    let offered = self.outgoing.gather(&mut parts);
                    let taken = lane.send(&parts)?;
                    self.outgoing.advance(taken);
                    if taken < offered {
                        return Ok(true);
                    }
                    continue;
                }
            } else {
                if !lane.finish()? {
                    return Ok(true);
                }
                continue;
            }
            let waits = lane.waits();
            if !self.has_pieces() {
                return Ok(waits);
            }
            if !self.take_up(number) {
                return Ok(self.lane(number).is_some_and(|lane| lane.waits()));
            }
        }
    }

    /// Begins a piece of a reply over a rail. False where the rail has nothing to do.
    fn take_up(&mut self, number: usize) -> bool {
        let refusals = self.owed.iter().filter(|answer| answer.source.is_none());
        if refusals.count() > 0 {
            self.refuse();
            return self.lead == Some(number);
        }
        if !self.is_its_turn(number) {
            return false;
        }
        let piece = match self.again.pop_front() {
            Some(piece) if piece.export.is_none() => {
                self.refuse_operation(piece.operation);
                return self.lead == Some(number);
            }
            Some(piece) => piece,
            None => match self.next_piece() {
                Some(piece) => piece,
                None => return false,
            },
        };
        let ack = self.incoming.next();
        if let Some(lane) = self.lane(number) {
            lane.begin(piece, ack);
        }
        true
    }

    /// Returns the next piece to send. Every other one is of the oldest reply, so that replies are
    /// complete one after the other and not all at the end; the rest take turns.
    fn next_piece(&mut self) -> Option<Piece> {
        let oldest = self.owed.len() < 2 || !self.others_turn;
        self.others_turn = oldest;
        let answer = self.owed.remove(usize::from(!oldest))?;
        let (piece, rest) = answer.split()?;
        match rest {
            Some(rest) if oldest => self.owed.push_front(rest),
            rest => self.owed.extend(rest),
        }
        Some(piece)
    }

    /// Whether a rail should take a piece, or leave it to others.
    fn is_its_turn(&mut self, number: usize) -> bool {
        let up = || self.lanes().filter(|(_, lane)| !lane.broken);
        if up().count() < 2 {
            return true;
        }
        let load = |(at, lane)| (at, self.load(at, lane));
        let others: Vec<(usize, Load)> = up().map(load).collect();
        let again = self.again.iter().map(|piece| piece.data.len());
        let sources = self.owed.iter().filter_map(|answer| answer.source);
        let owed: usize = sources.clone().map(|source| source.rest.len()).sum();
        let first = self.again.front().map(|piece| piece.data.len());
        let piece = first.or_else(|| {
            let mut sources = sources;
            sources
                .next()
                .map(|source| source.piece.min(source.rest.len()))
        });
        let rest = again.sum::<usize>() + owed;
        let own = others.iter().find(|(at, _)| *at == number);
        let Some((_, own)) = own.copied() else {
            return false;
        };
        let others: Vec<Load> = others
            .into_iter()
            .filter_map(|(at, load)| (at != number).then_some(load))
            .collect();
        share::takes(piece.unwrap_or(0) as u64, rest as u64, own, &others)
    }

    fn load(&self, number: usize, lane: &Lane) -> Load {
        let health = Health::of(&lane.stream).unwrap_or_default();
        let path = self.paths.get(number);
        let said = path.map_or(1, |path| u64::from(path.bandwidth_mbit.max(1)) * 125_000);
        Load {
            rate: if health.rate > 0 { health.rate } else { said },
            held: health.held_bytes,
        }
    }

    /// Refuses requests for memory that is not there.
    fn refuse(&mut self) {
        let refused: Vec<u64> = self
            .owed
            .iter()
            .filter(|answer| answer.source.is_none())
            .map(|answer| answer.operation)
            .collect();
        self.owed.retain(|answer| answer.source.is_some());
        for operation in refused {
            self.refuse_operation(operation);
        }
    }

    fn refuse_operation(&mut self, operation: u64) {
        self.send(Kind::Refusal, &operation.to_le_bytes(), Body::Own(&[]));
    }

    /// Acknowledges received frames to the peer over a rail, where the rail has room for that.
    pub fn acknowledge(&mut self, number: usize) {
        let amid = self.lead == Some(number) && self.outgoing.is_inside_frame();
        let Some(Rail {
            state: RailState::Up(lane),
            ..
        }) = self.rails.get_mut(number)
        else {
            return;
        };
        // The frame that is being written goes first.
        if lane.is_between() && !amid {
            let incoming = &mut self.incoming;
            let answers = lane.receiver.tell_answers();
            lane.ack = bare_ack(incoming.tell(), answers);
            lane.ack_left = HEADER_BYTES;
        }
    }

    /// Whether the peer should get an acknowledgement over a rail at once.
    #[inline]
    pub fn should_acknowledge(&mut self, number: usize) -> bool {
        let urgent = self.incoming.is_urgent();
        self.lane(number)
            .is_some_and(|lane| urgent || lane.receiver.answers_untold() >= ANSWERS_UNTOLD)
    }

    /// Ends a rail's connection. Its frames wait for others. Returns the lane, if there was one.
    pub fn unhook(&mut self, number: usize) -> Option<Box<Lane>> {
        let state = std::mem::take(&mut self.rail(number).state);
        let RailState::Up(mut lane) = state else {
            return None;
        };
        let begun = lane.writing.take().map(|writing| writing.piece);
        for piece in lane.unacked.drain(..).chain(begun).rev() {
            self.again.push_front(piece);
        }
        if self.lead == Some(number) {
            self.lead = None;
        }
        Some(lane)
    }

    /// Releases registered memory: pieces being sent of it are copied, the rest refused.
    pub fn release(&mut self, export: Key) {
        for answer in &mut self.owed {
            answer.source = answer.source.filter(|source| source.export != export);
        }
        let withdraw = |piece: &mut Piece| {
            if piece.export == Some(export) {
                (piece.export, piece.data) = (None, UserBuf::EMPTY);
            }
        };
        self.again.iter_mut().for_each(withdraw);
        for rail in &mut self.rails {
            let RailState::Up(lane) = &mut rail.state else {
                continue;
            };
            lane.unacked.iter_mut().for_each(withdraw);
            if let Some(writing) = &mut lane.writing {
                if writing.piece.export == Some(export) {
                    let mut copy = vec![0; writing.piece.data.len()].into_boxed_slice();
                    writing.piece.data.read(0, &mut copy);
                    writing.copy = Some(copy);
                    withdraw(&mut writing.piece);
                }
            }
        }
    }
}

impl Lane {
    /// Creates a connection without any traffic yet.
    pub fn new(stream: TcpStream, sealed: Option<Sealed>, receiver: Receiver) -> Lane {
        Lane {
            stream,
            sealed,
            receiver,
            watches_write: false,
            broken: false,
            watcher: Watcher::default(),
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
    fn is_free(&self) -> bool {
        self.is_between() && !self.watches_write && !self.broken && !self.waits()
    }

    /// Whether a numbered frame may come next.
    #[inline]
    fn is_between(&self) -> bool {
        self.ack_left == 0 && self.writing.is_none()
    }

    /// Whether sealed bytes wait for the kernel.
    #[inline]
    fn waits(&self) -> bool {
        self.sealed.as_ref().is_some_and(Sealed::is_waiting)
    }

    /// Writes sealed bytes that wait; false where the kernel has no room for all of them.
    fn push(&mut self) -> io::Result<bool> {
        self.send(&Parts::new())?;
        Ok(!self.waits())
    }

    fn begin(&mut self, piece: Piece, ack: u64) {
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
    fn finish(&mut self) -> io::Result<bool> {
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
    fn send(&mut self, parts: &Parts<'_>) -> io::Result<usize> {
        let stream = &self.stream;
        match &mut self.sealed {
            None => sent(sys::send(stream, parts)),
            Some(sealed) => sealed.write(parts, |bytes| {
                let mut parts = Parts::new();
                parts.add(bytes);
                sent(sys::send(stream, &parts))
            }),
        }
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
