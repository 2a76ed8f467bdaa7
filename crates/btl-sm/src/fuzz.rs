//! Fuzzing of segments and addresses with any bytes: called by the fuzz targets, and by the test
//! that replays their corpora.
//!
//! A broken peer may write anything into the segments that it has attached, at any time. The owner
//! must not read outside the area of messages, must not panic, and each of its polls must end. The
//! same holds for a process that sends into a segment whose owner is broken.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use base::{AmTag, PeerId};
use btl::{Alias, Arrival, Carriage as _, Error, Sink, SleepKind, Token, Transport};
use mca::{ComponentList, Framework};
use memory::{Payload, Scratch};
use shm::carriage::CLASSES;
use sync::{fifo, LINE_BYTES};

use crate::address::Address;
use crate::component::Sm;
use crate::params::Settings;
use crate::segment::{View, CELL_BYTES, CELL_HEAD_BYTES, RING_HEAD_LINES};
use crate::{smsc, Config};

pub use base::fuzz::Target;

/// The targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("sm_address", address), ("sm_segment", segment)];

/// Longest message of the processes under test.
const MESSAGE_BYTES_MAX: usize = 1024;

/// Bytes of the header area: everything before the ring table.
const HEADER_WORDS: usize = 64;

/// Settings under which a segment is small, and everything in it soon in use.
fn small() -> Settings {
    let defaults = Settings::default();
    Settings {
        eager_part: 512,
        max_send_size: MESSAGE_BYTES_MAX,
        ring_bytes: 4096,
        ring_grown_bytes: 8192,
        ring_large_bytes: 12_288,
        ring_large_max: 1,
        blocks_bytes: 3 * 576,
        block_min: 128,
        block_turn_min: 64,
        ring_threshold: 1,
        ring_max: 3,
        queue_cells: 4,
        smsc: smsc::Settings {
            wanted: ComponentList::parse(Framework::Smsc, "none", smsc::COMPONENTS)
                .expect("a list"),
            off: None,
            ..defaults.smsc
        },
        ..defaults
    }
}

fn open(me: u32) -> Sm {
    let config = Config {
        settings: small(),
        ..Config::with_defaults(PeerId(me))
    };
    crate::open(config).expect("a segment")
}

/// Decodes the address of a peer, whose bytes are fuzzed except for the process, the descriptors
/// and the cookie: it is refused, or encodes to the same again. Where a process attaches it,
/// messages can be sent and the segment polled, whatever sizes the address has.
pub fn address(bytes: &[u8]) {
    let (mut own, peer) = (open(0), open(1));
    if let Some(address) = Address::decode(bytes) {
        let again = Address::decode(&address.encode());
        assert_eq!(again, Some(address), "an address that changes");
    }
    let mut address = peer.own_address();
    address.truncate(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        // The process, its descriptors and its cookie stay: no other process is looked into.
        match at {
            8..=19 | 24..=31 => {}
            _ if at < address.len() => address[at] ^= byte,
            _ => address.push(*byte),
        }
    }
    if own.add_peer(PeerId(1), &address).is_ok() {
        let mut seen = Seen::new(&[(0, &own), (1, &peer)], &own);
        for len in [0, 40, 500, MESSAGE_BYTES_MAX] {
            send(&mut own, 1, 8.min(len), len);
            own.progress(&mut seen);
        }
    }
}

/// Plays a script of writes by broken peers into the segments of two processes, while these send
/// and poll.
///
/// The first byte of a step chooses what is done, the others are its arguments; a step whose
/// arguments are cut off is the last.
pub fn segment(bytes: &[u8]) {
    let mut processes = [open(0), open(1)];
    let addresses = processes.each_ref().map(Sm::own_address);
    for (me, process) in processes.iter_mut().enumerate() {
        for (peer, address) in addresses.iter().enumerate() {
            let peer = PeerId(peer as u32);
            process.add_peer(peer, address).expect("an address");
        }
        // A third peer, whose segment is that of the other one.
        let third = process.add_peer(PeerId(2), &addresses[1 - me]);
        third.expect("an address");
    }
    let mut script = Script(bytes);
    while script.step(&mut processes).is_some() {}
}

/// The steps that are left.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    /// Does the next step; `None` at the end of the script.
    fn step(&mut self, processes: &mut [Sm; 2]) -> Option<()> {
        let [what] = self.take()?;
        let at = usize::from(what >> 7);
        let view = processes[at].own.clone();
        match what & 0x7f {
            0 => {
                let ([word], value) = (self.take()?, self.take::<4>()?);
                write(&view, usize::from(word) % HEADER_WORDS * 4, &value);
            }
            1 => {
                let ([row, word], value) = (self.take()?, self.take::<4>()?);
                let row = u32::from(row) % view.layout.rings;
                let table = address_in(&view, view.ring_state(row).as_ptr());
                write(&view, table + usize::from(word % 4) * 4, &value);
            }
            2 => self.cell(&view)?,
            3 => self.message_in_queue(&view)?,
            4 => self.record(&view)?,
            5 => {
                let ([ring, line], payload) = (self.take()?, self.take::<12>()?);
                write(&view, line_at(&view, ring, line) + 8, &payload);
            }
            6 => {
                let [polls] = self.take()?;
                poll(processes, at, polls);
            }
            7 => {
                let [peer, head, len] = self.take()?;
                let len = usize::from(len) * 5 % (MESSAGE_BYTES_MAX + 1);
                let head = usize::from(head % 64).min(len);
                send(&mut processes[at], u32::from(peer % 3), head, len);
            }
            8 => self.call(processes, at)?,
            9 => {
                let ([ring, class], wish) = (self.take()?, self.take::<4>()?);
                let ring = u32::from(ring) % view.layout.rings;
                let word = view.ring_wish(ring, usize::from(class) % CLASSES).as_ptr();
                write(&view, address_in(&view, word), &wish);
                let _ = processes[1 - at].announces(PeerId(at as u32), 32 << (10 + class % 20));
            }
            _ => return None,
        }
        Some(())
    }

    /// Any turn and head of a cell, published or not.
    fn cell(&mut self, view: &View) -> Option<()> {
        let ([cell, turn], head) = (self.take()?, self.take::<8>()?);
        let cell = usize::from(cell) % view.layout.cells as usize;
        let at = view.layout.queue_at() + cell * CELL_BYTES;
        write(view, at + 8, &head);
        write(view, at, &u64::from(turn).to_le_bytes());
        Some(())
    }

    /// A message in the queue whose head says anything; or a claim that is never published.
    fn message_in_queue(&mut self, view: &View) -> Option<()> {
        let ([publishes], head) = (self.take()?, self.take::<8>()?);
        let name = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let Some(claim) = fifo::claim(view, name) else {
            return Some(());
        };
        let at = address_in(view, claim.bytes);
        write(view, at + 8, &head);
        if publishes & 1 != 0 {
            fifo::publish(view, claim);
        }
        Some(())
    }

    /// Any header word in a ring; bits that no record has are seldom set.
    fn record(&mut self, view: &View) -> Option<()> {
        let [ring, line, kind, mark, shift] = self.take()?;
        let len = u16::from_le_bytes(self.take()?);
        let long = u64::from(shift >> 6) << 30;
        let word = u64::from(kind) << 56
            | u64::from(mark) << 40
            | u64::from(shift & 0x3f) << 32
            | u64::from(len)
            | long;
        // The upper byte of a mark says that the message lies in a block.
        let lent = u64::from(kind & 1) << 48;
        write(
            view,
            line_at(view, ring, line),
            &(word | lent).to_le_bytes(),
        );
        Some(())
    }

    /// A call of a process that is no send and no poll.
    fn call(&mut self, processes: &mut [Sm; 2], at: usize) -> Option<()> {
        let [which, peer] = self.take()?;
        let peer = PeerId(u32::from(peer % 3));
        let address = processes[usize::from(peer.0 % 2 == 1)].own_address();
        let process = &mut processes[at];
        match which % 6 {
            0 => drop(process.arm(SleepKind::Descriptors)),
            1 => process.disarm(),
            2 => process.remove_peer(peer),
            3 => drop(process.add_peer(peer, &address)),
            4 => process.dead.push(peer),
            _ => drop(process.flush(peer)),
        }
        Some(())
    }
}

fn send(from: &mut Sm, to: u32, head: usize, len: usize) {
    let (header, payload) = ([0x5a; 64], Scratch::new(len - head));
    // A peer may be gone, or too broken to take anything.
    let _ = from.send(PeerId(to), AmTag::PML, &header[..head], payload.buf());
}

fn poll(processes: &mut [Sm; 2], at: usize, polls: u8) {
    let mut seen = {
        let [one, other] = &*processes;
        Seen::new(&[(0, one), (1, other)], &processes[at])
    };
    for _ in 0..polls {
        seen.messages = 0;
        processes[at].progress(&mut seen);
        assert!(seen.messages < 1000, "a poll that took as much");
    }
}

/// Writes into a segment as a peer may: byte by byte, at any time.
fn write(view: &View, at: usize, bytes: &[u8]) {
    let memory = view.segment().at(at, bytes.len()).expect("inside");
    for (n, byte) in bytes.iter().enumerate() {
        // SAFETY: the byte was just checked to lie inside the segment, which the view keeps.
        let shared = unsafe { memory.add(n).cast::<AtomicU8>().as_ref() };
        shared.store(*byte, Ordering::Relaxed);
    }
}

/// Returns the offset of an address in a segment.
fn address_in<T>(view: &View, address: *mut T) -> usize {
    let base = view.segment().at(0, 0).expect("the beginning");
    address.addr() - base.addr().get()
}

/// Returns the offset of a line of a ring.
fn line_at(view: &View, ring: u8, line: u8) -> usize {
    let ring = u32::from(ring) % view.layout.rings;
    let lines = view.layout.lines_of(ring);
    let (at, _) = view.layout.ring_part(ring, lines);
    at + (RING_HEAD_LINES + usize::from(line) % lines) * LINE_BYTES
}

/// Checks that a process gets only messages of peers that were introduced, out of the areas of
/// segments that messages lie in.
struct Seen {
    introduced: Vec<PeerId>,
    /// Addresses of attached segments, and their areas that messages lie in.
    segments: Vec<Range<usize>>,
    areas: Vec<Range<usize>>,
    messages: usize,
}

impl Seen {
    /// Returns the check for `own`, which is one of `processes`.
    fn new(processes: &[(usize, &Sm)], own: &Sm) -> Seen {
        let attached = own.paths.iter().flatten().map(|peer| &peer.view);
        let views: Vec<&View> = attached.chain([&own.own]).collect();
        let range = |view: &View, at: usize, len: usize| {
            let first = view.segment().at(at, len).expect("inside").addr().get();
            first..first + len
        };
        let mut areas = Vec::new();
        for view in &views {
            let layout = &view.layout;
            for ring in 0..layout.rings {
                let lines = layout.lines_of(ring);
                let (at, _) = layout.ring_part(ring, lines);
                areas.push(range(view, at + LINE_BYTES, lines * LINE_BYTES));
                let (at, _) = layout.blocks(ring);
                for block in 0..layout.blocks as usize {
                    let bytes = layout.block_bytes as usize;
                    areas.push(range(view, at + block * bytes, bytes));
                }
            }
            for cell in 0..layout.cells as usize {
                let at = layout.queue_at() + cell * CELL_BYTES;
                let payload = CELL_BYTES - CELL_HEAD_BYTES;
                areas.push(range(view, at + CELL_HEAD_BYTES, payload));
            }
        }
        let whole = |view: &&View| range(view, 0, view.layout.len());
        let expects = |peer: &u32| own.inbox.expects(Alias::new(PeerId(*peer), 0));
        let peers = 0..processes.len() as u32 + 1;
        Seen {
            introduced: peers.filter(expects).map(PeerId).collect(),
            segments: views.iter().map(whole).collect(),
            areas,
            messages: 0,
        }
    }

    fn check(&self, payload: Payload<'_>) {
        let first = payload.address().addr();
        let inside = |area: &Range<usize>| area.contains(&first);
        if self.segments.iter().any(inside) {
            let last = first + payload.len();
            let holds = |area: &Range<usize>| area.start <= first && last <= area.end;
            assert!(self.areas.iter().any(holds), "bytes beside a message");
        }
        drop(payload.to_vec());
    }
}

impl Sink for Seen {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        let from = arrival.from;
        assert!(self.introduced.contains(&from), "a message of {from}");
        self.messages += 1;
        self.check(arrival.payload);
    }

    fn done(&mut self, _: Token, _: Result<(), Error>) {}

    fn peer_failed(&mut self, peer: PeerId, _: Error) {
        assert!(peer.0 < 3, "{peer} failed, who is nobody");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(TARGETS);
    }

    /// A ring that a script makes is read: the target reaches what it is for.
    #[test]
    fn a_record_that_a_script_writes_is_handed_up() {
        let mut own = open(0);
        let address = own.own_address();
        own.add_peer(PeerId(0), &address).expect("attached");
        let view = own.own.clone();
        write(&view, 128, &1u32.to_le_bytes());
        // Ready, and of peer 0.
        let row = [1, 0, 0, 0, 1];
        write(&view, address_in(&view, view.ring_state(0).as_ptr()), &row);
        // Ring 0, line 0, a record that is there, of tag 1, 40 bytes.
        let mut script = Script(&[0, 0, 0x80, 1, 0, 40, 0]);
        script.record(&view).expect("a step");
        let mut seen = Seen::new(&[(0, &own)], &own);
        own.progress(&mut seen);
        assert_eq!(seen.messages, 1);
    }
}
