//! The table of peers, the traffic with them, and their ends.
//!
//! Nothing here connects: what a lost connection asks for next is up to [`crate::dialer`].

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::io::Read as _;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;

use base::PeerId;
use btl::{Error, Sink};
use mca::Framework;

use crate::connection::Connection;
use crate::handshake::Identity;
use crate::pairing::Rail;
use crate::params::Settings;
use crate::peer::{Link, Peer};
use crate::pool::Pool;
use crate::rails::Rails;
use crate::receiver::{Acknowledged, End, Inbound, SealedStream};
use crate::report::{Report, Reports};
use crate::rma::{Exports, Reads};
use crate::source::Source;

/// Most reads to discard input of a closing connection.
const DRAINS_MAX: usize = 256;

/// A value for each peer, by its number.
type Table<T> = HashMap<PeerId, T, BuildHasherDefault<PeerHasher>>;

/// The facts about a peer that nothing was sent to or received from, as most are in a large job.
pub struct Introduced {
    /// See [`Peer::name`].
    pub name: u64,
    /// See [`crate::rails::Rails::paths`].
    pub paths: Box<[Rail]>,
    /// See [`crate::rails::Rails::shared`].
    pub shared: usize,
    /// See [`Peer::foreign`].
    pub foreign: Option<Arc<Identity>>,
}

/// The peers of a process, and the reads between their memory and its own.
pub struct Peers {
    table: Table<Box<Peer>>,
    /// Those that are not in the table, until something is sent to them or received from them.
    silent: Table<Introduced>,
    /// The reads of peers' memory that are in flight.
    pub reads: Reads,
    /// The memory that peers may read.
    pub exports: Exports,
    /// The peers that have requested it; some may have had all.
    readers: HashSet<PeerId>,
    /// Reports for the layers above.
    pub reports: Reports,
    pool: Pool,
    /// Connections that are up.
    up: usize,
    /// Connections among them that wait for room to write.
    blocked: usize,
    /// Records that were damaged in transit.
    pub damaged: u64,
}

/// The result of reading a connection.
pub struct Received {
    /// Messages delivered.
    pub delivered: usize,
    /// Whether anything was read.
    pub moved: bool,
    /// Whether a long message or reply is incomplete.
    pub is_incomplete: bool,
    /// Whether ticks are needed: to acknowledge frames later, or to see an acknowledgement off.
    pub needs_ticks: bool,
    /// The end of the connection, if it has come.
    pub end: Option<End>,
}

impl Introduced {
    /// Returns the peer, without a connection.
    #[cold]
    fn awake(self, peer: PeerId) -> Box<Peer> {
        Box::new(Peer {
            rails: Rails::new(self.paths.into(), self.shared),
            foreign: self.foreign,
            ..Peer::new(peer, self.name)
        })
    }
}

impl Peers {
    /// Creates an empty table.
    pub fn new(settings: &Settings) -> Peers {
        Peers {
            table: Table::default(),
            silent: Table::default(),
            reads: Reads::default(),
            exports: Exports::default(),
            readers: HashSet::new(),
            reports: Reports::new(),
            pool: Pool::new(settings.free_list),
            up: 0,
            blocked: 0,
            damaged: 0,
        }
    }

    /// Returns a peer, unless it is unknown or silent.
    #[inline]
    pub fn get(&self, peer: PeerId) -> Option<&Peer> {
        self.table.get(&peer).map(|known| &**known)
    }

    /// Returns a peer, unless it is unknown; it is silent no longer.
    #[inline]
    pub fn get_mut(&mut self, peer: PeerId) -> Option<&mut Peer> {
        match self.table.entry(peer) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(place) => {
                let introduced = self.silent.remove(&peer)?;
                Some(place.insert(introduced.awake(peer)))
            }
        }
    }

    /// Whether nothing was sent to a peer or received from it.
    pub fn is_silent(&self, peer: PeerId) -> bool {
        self.silent.contains_key(&peer)
    }

    /// Returns a peer; an unknown one is added, under the name that `name` draws.
    pub fn get_or_add(&mut self, peer: PeerId, name: impl FnOnce() -> u64) -> &mut Peer {
        let new = || match self.silent.remove(&peer) {
            Some(introduced) => introduced.awake(peer),
            None => Box::new(Peer::new(peer, name())),
        };
        self.table.entry(peer).or_insert_with(new)
    }

    /// Adds a peer, or renews what is known of it.
    pub fn introduce(&mut self, peer: PeerId, introduced: Introduced) {
        match self.table.get_mut(&peer) {
            None => drop(self.silent.insert(peer, introduced)),
            Some(known) => {
                known.foreign = introduced.foreign;
                known.rails.shared = introduced.shared;
                known.rails.paths = introduced.paths.into();
            }
        }
    }

    /// Returns this process's identity for a foreign peer.
    pub fn identity_for(&self, peer: PeerId) -> Option<&Arc<Identity>> {
        match self.table.get(&peer) {
            Some(known) => known.foreign.as_ref(),
            None => self.silent.get(&peer)?.foreign.as_ref(),
        }
    }

    /// Returns a peer that the caller knows to be there.
    ///
    /// # Errors
    /// `Unreachable` where it is not.
    #[inline]
    pub fn find(&mut self, peer: PeerId) -> Result<&mut Peer, Error> {
        self.get_mut(peer).ok_or(Error::Unreachable { peer })
    }

    /// Returns the numbers of all peers that are not silent.
    pub fn ids(&self) -> Vec<PeerId> {
        self.table.keys().copied().collect()
    }

    /// Returns the numbers of the peers that are sought.
    pub fn sought(&self) -> Vec<PeerId> {
        let peers = self.table.values();
        let sought = peers.filter(|peer| matches!(peer.link, Link::Searching(_)));
        sought.map(|peer| peer.id).collect()
    }

    /// Returns how many connections are up.
    #[inline]
    pub fn connections(&self) -> usize {
        self.up
    }

    /// Returns how many connections wait for room to write.
    #[inline]
    pub fn blocked(&self) -> usize {
        self.blocked
    }

    /// Counts a connection that has come up, and watches it.
    pub fn came_up(&mut self, peer: PeerId, number: usize) {
        self.up += 1;
        let source = Source::Rail(peer, number).number();
        let known = self.table.get_mut(&peer);
        if let Some(connection) = known.and_then(|known| known.rails.connection(number)) {
            connection.watch_write(false, source);
        }
    }

    /// Whether something accepted can still leave.
    pub fn has_to_send(&self) -> bool {
        self.table.values().any(|peer| peer.has_to_send())
    }
}

/// Writing.
impl Peers {
    /// Writes pending frames for a peer, over all its rails.
    pub fn write_all(&mut self, peer: PeerId) {
        let Some(known) = self.table.get(&peer) else {
            return;
        };
        let (rails, lead) = (known.rails.len(), known.rails.lead);
        // The lead last: refusals found for other rails are for it.
        for number in (0..rails)
            .filter(|number| Some(*number) != lead)
            .chain(lead)
        {
            self.write(peer, number);
        }
        let left = |peers: &mut Peers| peers.table.get_mut(&peer)?.take_left_piece();
        while let Some(number) = left(self) {
            self.write(peer, number);
        }
    }

    /// Writes pending frames for a peer over the rail that leads.
    pub fn write_lead(&mut self, peer: PeerId) {
        let Some(known) = self.table.get(&peer) else {
            return;
        };
        if let (true, Some(lead)) = (known.outgoing.has_unwritten(), known.rails.lead) {
            self.write(peer, lead);
        }
    }

    /// Offers pieces that wait to all rails, where there are several.
    pub fn share_out(&mut self, peer: PeerId) {
        let waits =
            |known: &Peer| !known.replies.is_empty() && known.rails.connections().nth(1).is_some();
        if self.get(peer).is_some_and(waits) {
            self.write_all(peer);
        }
    }

    /// Writes pending frames of a rail, and watches for room to write exactly while some wait.
    #[inline]
    pub fn write(&mut self, peer: PeerId, number: usize) {
        let Some(known) = self.table.get_mut(&peer) else {
            return;
        };
        let mut waits = known.flush(number);
        if !waits && known.should_acknowledge(number) {
            known.acknowledge(number);
            waits = known.flush(number);
        }
        let Some(connection) = known.rails.connection(number) else {
            return;
        };
        let wants = waits && !connection.broken;
        if wants != connection.watches_write {
            connection.watch_write(wants, Source::Rail(peer, number).number());
            match wants {
                true => self.blocked += 1,
                false => self.blocked -= 1,
            }
        }
    }

    /// Acknowledges received frames to a peer, where there was no occasion to.
    pub fn acknowledge(&mut self, peer: PeerId) {
        let Some(known) = self.table.get(&peer) else {
            return;
        };
        let (owes, lead) = (known.incoming.owes(), known.rails.lead);
        let due = |(number, connection): (usize, &Connection)| {
            let is_due = connection.receiver.unacknowledged_answers() > 0;
            (is_due || owes && lead == Some(number)).then_some(number)
        };
        let due: Vec<usize> = known.rails.connections().filter_map(due).collect();
        for number in due {
            if let Some(known) = self.table.get_mut(&peer) {
                known.acknowledge(number);
            }
            self.write(peer, number);
        }
    }

    /// Sends the shutdown message to every peer that is, or is about to be, connected.
    pub fn write_goodbyes(&mut self) {
        for peer in self.ids() {
            let Some(known) = self.table.get_mut(&peer) else {
                continue;
            };
            match known.link {
                Link::Up => known.say_goodbye(),
                Link::Searching(_) if known.outgoing.is_unacked() => known.say_goodbye(),
                _ => continue,
            }
            self.write_all(peer);
        }
    }
}

/// Reading.
impl Peers {
    /// Reads one connection and delivers what is complete. `None` where the rail is not up.
    #[inline]
    pub fn receive(
        &mut self,
        peer: PeerId,
        number: usize,
        sink: &mut dyn Sink,
    ) -> Option<Received> {
        let known = self.table.get_mut(&peer)?;
        let connection = known.rails.connection(number)?;
        let mut acknowledged = Acknowledged::default();
        let mut inbound = Inbound {
            sink,
            pool: &mut self.pool,
            reads: &mut self.reads,
            exports: &self.exports,
            replies: &mut known.replies,
            incoming: &mut known.incoming,
            acknowledged: &mut acknowledged,
            reports: &mut self.reports,
        };
        let stream: &TcpStream = &connection.stream;
        let pumped = match &mut connection.sealed {
            None => connection.receiver.pump(&mut &*stream, &mut inbound),
            Some(sealed) => {
                let mut stream = SealedStream(stream, sealed);
                connection.receiver.pump_all(&mut stream, &mut inbound)
            }
        };
        let mut received = Received {
            delivered: pumped.delivered,
            moved: pumped.moved || pumped.end.is_some(),
            is_incomplete: false,
            needs_ticks: false,
            end: pumped.end,
        };
        if !received.moved {
            return Some(received);
        }
        received.is_incomplete = connection.receiver.is_amid() || self.reads.missing(peer) > 0;
        let has_answers = connection.answers_acked(acknowledged.answers);
        if known.outgoing.acked(acknowledged.ack).is_err() || !has_answers {
            received.end = Some(End::Unsent);
        }
        if !known.replies.is_empty() {
            self.readers.insert(peer);
            self.write_all(peer);
        } else if known.should_acknowledge(number) {
            self.write(peer, number);
        }
        let known = self.table.get_mut(&peer);
        received.needs_ticks = known.is_some_and(|known| {
            let connection = known.rails.connection(number);
            known.incoming.owes() || connection.is_some_and(|it| it.unconfirmed)
        });
        Some(received)
    }

    /// Ends the reading of a registration's memory by peers.
    pub fn deregister(&mut self, registration: &btl::Registration) {
        let Some(export) = self.exports.deregister(registration) else {
            return;
        };
        self.readers.retain(|peer| match self.table.get_mut(peer) {
            Some(known) => {
                known.release(export);
                known.is_read()
            }
            None => false,
        });
    }
}

/// Ends.
impl Peers {
    /// Ends a rail's connection, without consequences for others; its pieces wait for others.
    /// Returns whether there was one.
    pub fn take_down(&mut self, peer: PeerId, number: usize) -> bool {
        let Some(known) = self.table.get_mut(&peer) else {
            return false;
        };
        let Some(connection) = known.rails.take_down(number) else {
            return false;
        };
        self.up -= 1;
        self.blocked -= usize::from(connection.watches_write);
        known.replies.repeat(connection.into_pieces());
        true
    }

    /// Makes a rail carry the numbered frames from now on; `due` is the first that the peer lacks.
    pub fn lead(&mut self, peer: PeerId, number: usize, due: u64) {
        let Some(known) = self.table.get_mut(&peer) else {
            return;
        };
        known.rails.lead = Some(number);
        if let Err(unsent) = known.outgoing.restart(due) {
            let what = format!("it says that it has had {unsent}");
            self.lose(peer, Error::Protocol { peer, what });
        }
    }

    /// Handles the peer's shutdown message.
    pub fn left(&mut self, peer: PeerId) {
        let waiting = match self.table.get(&peer) {
            Some(known) => known.outgoing.unwritten_bytes(),
            None => return,
        };
        let reads = self.reads.count(peer);
        if waiting > 0 || reads > 0 {
            let how =
                format!("it left while {waiting} bytes waited for it and {reads} for its memory");
            return self.lose(peer, Error::PeerGone { peer, how });
        }
        Framework::Btl.debug(format_args!("{peer} has left"));
        self.unlink(peer, Link::Left);
        if let Some(known) = self.table.get_mut(&peer) {
            known.outgoing.give_up();
        }
    }

    /// Gives a peer up, with everything pending for it.
    pub fn lose(&mut self, peer: PeerId, error: Error) {
        Framework::Btl.info(format_args!("{error}"));
        self.unlink(peer, Link::Failed(error.clone()));
        if let Some(known) = self.table.get_mut(&peer) {
            known.outgoing.give_up();
            known.replies.clear();
        }
        self.reads.fail(peer, &error, &mut self.reports);
        self.reports.push_back(Report::Failed(peer, error));
    }

    /// Closes a peer's sockets, and sets its next state.
    pub fn unlink(&mut self, peer: PeerId, next: Link) {
        let Some(known) = self.get_mut(peer) else {
            return;
        };
        known.link = next;
        for number in 0..known.rails.len() {
            self.take_down(peer, number);
            if let Some(known) = self.table.get_mut(&peer) {
                known.rails.at(number).state = Default::default();
            }
        }
    }

    /// Removes a peer, for this reason.
    pub fn remove(&mut self, peer: PeerId, how: &str) {
        self.unlink(peer, Link::Idle);
        self.table.remove(&peer);
        self.silent.remove(&peer);
        let how = how.into();
        let error = Error::PeerGone { peer, how };
        self.reads.fail(peer, &error, &mut self.reports);
    }

    /// Closes the connections of all peers, and removes them. Of the reports, completions remain.
    pub fn close(&mut self) {
        for peer in self.ids() {
            let known = self.table.get_mut(&peer);
            for connection in known.into_iter().flat_map(|it| it.rails.connections_mut()) {
                let mut stream: &TcpStream = &connection.stream;
                let _ = stream.shutdown(Shutdown::Write);
                // Closing with unread bytes would reset the connection, and the reset could
                // overtake what was written.
                let mut rest = [0; 16 << 10];
                for _ in 0..DRAINS_MAX {
                    if !matches!(stream.read(&mut rest), Ok(1..)) {
                        break;
                    }
                }
            }
            self.remove(peer, "this process has closed");
        }
        self.silent.clear();
        self.reports
            .retain(|report| matches!(report, Report::Done(..)));
    }
}

/// Hashes the number of a peer, which only the job chooses: one multiplication.
#[derive(Default)]
pub struct PeerHasher(u64);

impl Hasher for PeerHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        // An odd number whose bits are mixed: its product's upper bits depend on all of them.
        const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0 ^ u64::from(number))
            .wrapping_mul(MIXER)
            .rotate_left(26);
    }
}
