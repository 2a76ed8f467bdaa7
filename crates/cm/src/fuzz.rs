//! Fuzzing with any labels from a network: called by the fuzz target, and by the test that replays
//! its corpus.

use base::{PeerId, Rank};
use datatype::Buffer;
use memory::{Scratch, UserBuf};
use mtl::sim::{Config, Fabric, Sim};
use mtl::{Caps, Transport};
use pml::{CommId, Context, MessageId, Mode, Pattern, Pml, RequestId, Started, Tag};

use crate::{Cm, Settings, TagMode};

pub use base::fuzz::Target;

/// The targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("cm_labels", labels)];

/// Processes of the job, of which the first is under test: senders in a label have two bits, one of
/// whose values names nobody.
const PEERS: usize = 3;

/// Bytes of each receive, and of what lies before and behind it.
const ROOM: usize = 48;
const GUARD: usize = 16;

/// Longest message that the network sends without a report.
const INJECT_MAX: usize = 16;

/// Plays a script of messages from broken peers, with any labels, notes and lengths, to a process
/// that receives, probes, cancels and sends in every mode, while peers die.
///
/// The first byte chooses the network and the division of labels. Then follow steps: a byte that
/// chooses, and arguments; a step whose arguments are cut off is the last.
pub fn labels(bytes: &[u8]) {
    let Some((shape, script)) = bytes.split_first() else {
        return;
    };
    if let Some(mut job) = Job::new(*shape) {
        let mut script = Script(script);
        while job.step(&mut script).is_some() {
            job.collect();
        }
    }
}

/// A process under test, the ends of its peers, and what it has begun.
struct Job {
    fabric: Fabric,
    cm: Cm,
    peers: Vec<Sim>,
    world: CommId,
    /// A communicator whose ranks are not the peers' numbers; until it is closed.
    other: Option<CommId>,
    sends: Vec<(RequestId, Scratch)>,
    receives: Vec<(RequestId, Scratch)>,
    claimed: Vec<MessageId>,
    now: std::time::Duration,
}

impl Job {
    fn new(shape: u8) -> Option<Job> {
        let calm = Config::calm(PEERS);
        // With 45 bits the sender does not stand in the label.
        let label_bits = [64, 45, 40, 63][usize::from(shape & 3)];
        let config = Config {
            caps: Caps {
                label_bits,
                directed: label_bits == 45 || shape & 4 != 0,
                notes: shape & 8 != 0,
                inject_max: INJECT_MAX,
                ..calm.caps
            },
            seed: shape.into(),
            busy_percent: if shape & 16 != 0 { 30 } else { 0 },
            ..calm
        };
        let (fabric, ends) = Fabric::new(config);
        let mut ends = ends.into_iter();
        let settings = Settings {
            me: PeerId(0),
            tags: [TagMode::Auto, TagMode::Full, TagMode::Short][usize::from(shape >> 6) % 3],
            peers: PEERS,
            fold: |context, _, _| context.0,
        };
        // Labels may be too short for what is asked of them.
        let mut cm = Cm::new(Box::new(ends.next()?), settings).ok()?;
        for peer in 0..PEERS as u32 {
            let reach = cm.add_peer(PeerId(peer), &peer.to_le_bytes());
            assert!(reach.is_ok(), "a peer of the network");
        }
        let all = |ranks: &[u32]| ranks.iter().copied().map(PeerId).collect();
        Some(Job {
            fabric,
            world: cm.open_comm(Context(8), Rank(0), all(&[0, 1, 2])),
            other: Some(cm.open_comm(Context(9), Rank(1), all(&[2, 0]))),
            cm,
            peers: ends.collect(),
            sends: Vec::new(),
            receives: Vec::new(),
            claimed: Vec::new(),
            now: std::time::Duration::ZERO,
        })
    }

    fn step(&mut self, script: &mut Script) -> Option<()> {
        let [what] = script.take()?;
        let peer = usize::from(what >> 7);
        let other = self.other.filter(|_| what & 64 != 0);
        let comm = other.unwrap_or(self.world);
        let to = PeerId(1 + peer as u32);
        match what & 63 {
            0 => {
                let (label, note) = (script.take()?, script.take()?);
                let (label, note) = (u64::from_le_bytes(label), u16::from_le_bytes(note));
                let [len] = script.take()?;
                self.send_label(peer, label, note, len);
            }
            1 => {
                let ([sender, tag, kind, note], [len]) = (script.take()?, script.take()?);
                let (label, note) = self.label(comm, [sender, tag, kind], note);
                self.send_label(peer, label, note, len);
            }
            2..=6 => self.begin(what & 63, comm, script)?,
            7 => {
                let [which] = script.take()?;
                let requests = self.receives.iter().chain(&self.sends);
                let count = self.receives.len() + self.sends.len();
                let request = requests.map(|(request, _)| *request);
                if let Some(request) = request.cycle().nth(usize::from(which) % count.max(1)) {
                    self.cm.cancel(request);
                }
            }
            8 => {
                self.cm.progress();
                self.now += crate::loss::PATIENCE;
                self.cm.reclaim(self.now);
            }
            9 => self.fabric.kill(to),
            10 => self.cm.peer_failed(to, "it was killed"),
            11 => self.cm.remove_peer(to),
            12 => drop(self.cm.open_channel(Context(10))),
            13 if self.cm.has_channel() => {
                let pack = |slot: &mut memory::Slot<'_>| slot.write(0, &[7; 20]);
                let _ = self.cm.send_active(to, 20, pack);
            }
            14 => self.cm.close_comm(self.other.take()?),
            _ => return None,
        }
        Some(())
    }

    /// Begins a receive, a send or a probe.
    fn begin(&mut self, what: u8, comm: CommId, script: &mut Script) -> Option<()> {
        if what == 3 {
            let [to, tag, len] = script.take()?;
            let to = Rank(u32::from(to) % self.size(comm));
            let mode = [Mode::Standard, Mode::Synchronous][usize::from(tag & 1)];
            let data = Scratch::new(usize::from(len));
            let (tag, buffer) = (Tag::from(tag >> 1), Buffer::bytes(data.buf()));
            if let Started::Pending(request) = self.cm.start_send(comm, to, tag, buffer, mode) {
                self.sends.push((request, data));
            }
            return Some(());
        }
        let room = guarded();
        let buffer = Buffer::bytes(inside(&room));
        if what == 6 {
            let message = self.claimed.pop()?;
            let request = self.cm.start_matched_recv(message, buffer)?;
            self.receives.push((request, room));
            return Some(());
        }
        let [source, tag] = script.take()?;
        let pattern = self.pattern(comm, source, tag);
        match what {
            2 => {
                let request = self.cm.start_recv(comm, pattern, buffer);
                self.receives.push((request, room));
            }
            4 => {
                let _ = self.cm.probe(comm, pattern);
            }
            _ => {
                let found = self.cm.matched_probe(comm, pattern);
                self.claimed.extend(found.map(|(message, _)| message));
            }
        }
        Some(())
    }

    /// A label and a note for a communicator: of a sender that may be nobody, and the note changed.
    fn label(&self, comm: CommId, [sender, tag, kind]: [u8; 3], note: u8) -> (u64, u16) {
        let (layout, comm) = (self.cm.state.layout, self.cm.state.comms.get(comm.key()));
        let comm = comm.expect("an open communicator");
        let mut label = comm.bits | layout.sender(PeerId(u32::from(sender % 4)));
        label |= layout.tag(Tag::from(tag));
        if kind & 1 != 0 {
            label |= layout.synchronous();
        }
        if kind & 2 != 0 {
            label |= layout.acknowledgement();
        }
        (label, comm.note ^ u16::from(note))
    }

    /// Has a peer send a message under a label.
    fn send_label(&mut self, peer: usize, label: u64, note: u16, len: u8) {
        let data = Scratch::new(usize::from(len));
        data.buf().write(0, &vec![0xa5; usize::from(len)]);
        let token = mtl::Token(0);
        // A process that was killed sends nothing.
        drop(self.peers[peer].send(PeerId(0), label, note, data.buf(), token));
    }

    /// Takes the outcomes: no receive got more than it has room for, nor a message of a process
    /// that is not in its communicator.
    fn collect(&mut self) {
        let most = self.cm.active_max();
        self.cm.take_active(|from, message| {
            assert!(from.index() < PEERS && message.len() <= most);
        });
        let (cm, size) = (&mut self.cm, PEERS as u32);
        self.sends
            .retain(|(request, _)| cm.outcome(*request).is_none());
        self.receives.retain(|(request, room)| {
            let outcome = cm.outcome(*request);
            let Some(outcome) = outcome else { return true };
            let status = outcome.status;
            assert!(status.bytes <= ROOM as u64, "{status:?}");
            let named = status.source.is_some_and(|rank| rank.0 < size);
            assert!(
                outcome.result.is_err() || status.cancelled || named,
                "{status:?}"
            );
            for at in [0, GUARD + ROOM] {
                let mut around = [0; GUARD];
                room.buf().read(at, &mut around);
                assert_eq!(around, [0x5a; GUARD], "bytes outside of a receive");
            }
            false
        });
    }

    fn size(&self, comm: CommId) -> u32 {
        if Some(comm) == self.other {
            2
        } else {
            PEERS as u32
        }
    }

    fn pattern(&self, comm: CommId, source: u8, tag: u8) -> Pattern {
        let source = u32::from(source) % (self.size(comm) + 1);
        Pattern {
            source: source.checked_sub(1).map(Rank),
            tag: tag.checked_sub(1).map(Tag::from),
        }
    }
}

/// Room for a message, and what lies around it.
fn guarded() -> Scratch {
    let room = Scratch::new(ROOM + 2 * GUARD);
    room.buf().write(0, &[0x5a; ROOM + 2 * GUARD]);
    room
}

fn inside(room: &Scratch) -> UserBuf {
    room.buf().part(GUARD, ROOM)
}

/// The steps that are left.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpus_passes() {
        base::fuzz::replay(super::TARGETS);
    }
}
