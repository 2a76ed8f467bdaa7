//! Processes that were not started together with this one: of another job, or of a later part of
//! its own.
//!
//! A number of a peer ([`PeerId`]) is local to a process. Those below the size of the world are the
//! ranks in `MPI_COMM_WORLD`; all others are drawn here, as processes become known, and are free
//! again when they are disconnected. Between processes a peer has a [`Name`].

use base::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use base::wire::{read_u32, read_u64};
use base::PeerId;
use btl::Alias;

use shm::locality::Locality;

/// Bytes of a name as it travels.
pub const NAME_BYTES: usize = 20;

/// The name of one life of a process, the same everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// The processes that were started together: their number, which no others have.
    pub world: u64,
    /// The rank among them.
    pub rank: u32,
    /// Which of its lives.
    pub life: u64,
}

impl Name {
    /// Returns the name as bytes, for others.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(NAME_BYTES);
        bytes.extend(self.world.to_le_bytes());
        bytes.extend(self.rank.to_le_bytes());
        bytes.extend(self.life.to_le_bytes());
        bytes
    }

    /// Returns the name that others have sent; `None` where it is cut.
    pub fn decode(bytes: &[u8]) -> Option<Name> {
        Some(Name {
            world: read_u64(bytes, 0)?,
            rank: read_u32(bytes, 8)?,
            life: read_u64(bytes, 12)?,
        })
    }
}

/// The number that a launcher gives a process, among all that it starts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LauncherNumber {
    /// The processes that the launcher started first, by their [`Name::world`]; 0 in a process that
    /// was spawned and has not met those that spawned it.
    pub launcher: u64,
    /// Number of the process at that launcher.
    pub number: u32,
}

/// Bytes of an encoded [`LauncherNumber`].
pub const LAUNCHER_NUMBER_BYTES: usize = 12;

impl LauncherNumber {
    /// Returns the number as bytes, for others.
    pub fn encode(self) -> [u8; LAUNCHER_NUMBER_BYTES] {
        let mut bytes = [0; LAUNCHER_NUMBER_BYTES];
        bytes[..8].copy_from_slice(&self.launcher.to_le_bytes());
        bytes[8..].copy_from_slice(&self.number.to_le_bytes());
        bytes
    }

    /// Returns the number that others have sent; `None` where it is cut.
    pub fn decode(bytes: &[u8]) -> Option<LauncherNumber> {
        Some(LauncherNumber {
            launcher: read_u64(bytes, 0)?,
            number: read_u32(bytes, 8)?,
        })
    }
}

/// The foreign processes that this process knows.
#[derive(Default)]
pub struct Foreigners {
    /// Number of this process at its launcher.
    own: LauncherNumber,
    /// The first number beyond the own world.
    first: u32,
    entries: Vec<Slot>,
    by_name: HashMap<Name, PeerId>,
    /// Numbers that were used and are free, the one free longest first.
    free: VecDeque<u32>,
    /// The transports expect foreign processes.
    pub is_expected: bool,
}

/// A peer by its number in a text.
struct Reference {
    number: u32,
    /// Bytes of the text that it takes.
    len: usize,
}

impl Reference {
    /// How a number is written: what comes before and behind it.
    const FORMS: [(&str, &str); 2] = [("rank ", " of MPI_COMM_WORLD"), ("peer ", "")];

    /// Returns the first one in a text, and where it begins.
    fn first_in(text: &str) -> Option<(usize, Reference)> {
        let found = Reference::FORMS.iter().filter_map(|(before, behind)| {
            let starts = text.match_indices(before).map(|(at, _)| at);
            starts.into_iter().find_map(|at| {
                let number = &text[at + before.len()..];
                let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                let tail = number[digits..].starts_with(behind);
                let number = number[..digits].parse().ok().filter(|_| tail)?;
                let len = before.len() + digits + behind.len();
                Some((at, Reference { number, len }))
            })
        });
        found.min_by_key(|(at, _)| *at)
    }
}

/// A number.
#[derive(Default)]
struct Slot {
    /// Number of processes that have had it before; wraps.
    generation: u8,
    entry: Option<Entry>,
}

/// A foreign process.
struct Entry {
    name: Name,
    /// The system's number of it, and its host: where the user finds it.
    place: String,
    /// Its node, as it states itself.
    locality: Locality,
    /// Its number at its launcher.
    started: LauncherNumber,
    /// The alias by which it knows this process; `None` before they are introduced.
    known_as: Option<Alias>,
    /// Communicators that it is in, and exchanges of addresses that it takes part in.
    users: usize,
}

impl Foreigners {
    pub(crate) fn beyond(size: u32, own: LauncherNumber) -> Foreigners {
        Foreigners {
            own,
            first: size,
            ..Foreigners::default()
        }
    }

    /// Returns the number of a process of a name, drawn now if it is not known; it has one more
    /// user.
    pub fn enter(&mut self, name: Name) -> PeerId {
        if let Some(peer) = self.by_name.get(&name).copied() {
            self.join(peer);
            return peer;
        }
        let index = self.free.pop_front().unwrap_or_else(|| {
            self.entries.push(Slot::default());
            self.entries.len() as u32 - 1
        });
        self.entries[index as usize].entry = Some(Entry {
            name,
            place: String::new(),
            locality: Locality::default(),
            started: LauncherNumber::default(),
            known_as: None,
            users: 1,
        });
        let peer = PeerId(self.first + index);
        self.by_name.insert(name, peer);
        peer
    }

    /// Counts one more user of a peer; nothing for one of the own world.
    fn join(&mut self, peer: PeerId) {
        if let Some(entry) = self.entry(peer) {
            entry.users += 1;
        }
    }

    /// Counts one user less.
    fn part(&mut self, peer: PeerId) {
        if let Some(entry) = self.entry(peer) {
            entry.users -= 1;
        }
    }

    fn entry(&mut self, peer: PeerId) -> Option<&mut Entry> {
        let index = peer.0.checked_sub(self.first)? as usize;
        self.entries.get_mut(index)?.entry.as_mut()
    }

    /// Returns the alias of a peer at this process.
    pub fn alias(&self, peer: PeerId) -> Alias {
        let index = peer.0.checked_sub(self.first);
        let slot = index.and_then(|index| self.entries.get(index as usize));
        Alias::new(peer, slot.map_or(0, |slot| slot.generation))
    }

    /// Returns the alias by which a foreign peer knows this process; `None` before they are
    /// introduced.
    pub fn known_as(&mut self, peer: PeerId) -> Option<Alias> {
        self.entry(peer)?.known_as
    }

    /// Sets the alias by which a foreign peer knows this process, or that it does not.
    pub fn set_known_as(&mut self, peer: PeerId, known_as: Option<Alias>) {
        if let Some(entry) = self.entry(peer) {
            entry.known_as = known_as;
        }
    }

    /// Returns the number of a foreign process that is known by a name.
    pub fn find(&self, name: &Name) -> Option<PeerId> {
        self.by_name.get(name).copied()
    }

    /// Sets where a foreign peer runs: the text for the user, and the node that the peer states.
    pub fn set_place(&mut self, peer: PeerId, place: &str, locality: Locality) {
        if let Some(entry) = self.entry(peer) {
            entry.place = place.to_string();
            entry.locality = locality;
        }
    }

    /// Returns the number of this process at its launcher.
    pub fn own(&self) -> LauncherNumber {
        self.own
    }

    /// Sets the number of a foreign peer at its launcher. Who spawned this process, and who was
    /// spawned by it, has the launcher that this one has.
    pub fn set_launcher_number(&mut self, peer: PeerId, started: LauncherNumber) {
        if self.own.launcher == 0 {
            self.own.launcher = started.launcher;
        }
        let launcher = match started.launcher {
            0 => self.own.launcher,
            known => known,
        };
        if let Some(entry) = self.entry(peer) {
            entry.started = LauncherNumber {
                launcher,
                ..started
            };
        }
    }

    /// Returns the foreign peer that has a number at the launcher of this process.
    pub(crate) fn with_launcher_number(&self, number: u32) -> Option<PeerId> {
        let wanted = LauncherNumber { number, ..self.own };
        let is_it = |slot: &Slot| {
            slot.entry
                .as_ref()
                .is_some_and(|entry| entry.started == wanted)
        };
        let index = self.entries.iter().position(is_it)?;
        (wanted.launcher != 0).then_some(PeerId(self.first + index as u32))
    }

    /// Returns what a foreign peer has stated of its node.
    pub(crate) fn locality(&mut self, peer: PeerId) -> Locality {
        self.entry(peer)
            .map_or_else(Locality::default, |entry| entry.locality)
    }

    /// Replaces the numbers of foreign peers in the text of an error (`rank 5 of MPI_COMM_WORLD`,
    /// `peer 5`), which are this process's own, by what the peers are to the user. Returns the text
    /// and the peers, or `None` without any.
    pub fn spell_out(&mut self, text: &str) -> Option<(String, Vec<PeerId>)> {
        let (mut spelled, mut rest, mut peers) = (String::new(), text, Vec::new());
        while let Some((at, reference)) = Reference::first_in(rest) {
            spelled.push_str(&rest[..at]);
            let peer = PeerId(reference.number);
            if reference.number < self.first {
                spelled.push_str(&rest[at..at + reference.len]);
            } else {
                spelled.push_str(&self.describe(peer));
                peers.push(peer);
            }
            rest = &rest[at + reference.len..];
        }
        spelled.push_str(rest);
        (!peers.is_empty()).then_some((spelled, peers))
    }

    /// Returns what a foreign peer is to the user.
    fn describe(&mut self, peer: PeerId) -> String {
        match self.entry(peer) {
            Some(entry) if entry.place.is_empty() => {
                format!("rank {} of another MPI_COMM_WORLD", entry.name.rank)
            }
            Some(entry) => format!(
                "rank {} of another MPI_COMM_WORLD ({})",
                entry.name.rank, entry.place
            ),
            None => "a process that was disconnected".to_string(),
        }
    }

    /// Returns the name of a foreign peer.
    pub fn name(&mut self, peer: PeerId) -> Option<Name> {
        Some(self.entry(peer)?.name)
    }

    /// Removes the processes without users, whose numbers are free from now on. Returns those that
    /// were introduced: they are removed everywhere else before the numbers are drawn again.
    pub fn sweep(&mut self) -> Vec<PeerId> {
        self.sweep_those(|_| true)
    }

    /// Removes those of some processes that have no users; see [`Foreigners::sweep`].
    pub(crate) fn sweep_those(&mut self, are: impl Fn(PeerId) -> bool) -> Vec<PeerId> {
        let mut introduced = Vec::new();
        for (slot, index) in self.entries.iter_mut().zip(0..) {
            let is_unused = |entry: &mut Entry| entry.users == 0;
            if !are(PeerId(self.first + index)) {
                continue;
            }
            let Some(entry) = slot.entry.take_if(is_unused) else {
                continue;
            };
            slot.generation = slot.generation.wrapping_add(1);
            self.by_name.remove(&entry.name);
            self.free.push_back(index);
            if entry.known_as.is_some() {
                introduced.push(PeerId(self.first + index));
            }
        }
        introduced
    }

    /// The end of all numbers, those of the own world included.
    pub(crate) fn end(&self) -> u32 {
        self.first + self.entries.len() as u32
    }
}

/// A counted user of foreign peers, for as long as it lives.
pub struct ForeignUse {
    table: Arc<Mutex<Foreigners>>,
    peers: Vec<PeerId>,
}

impl ForeignUse {
    /// Counts a user of those of some peers that are foreign; `None` without such.
    pub(crate) fn of<'a>(
        table: &Arc<Mutex<Foreigners>>,
        size: u32,
        peers: impl Iterator<Item = &'a PeerId>,
    ) -> Option<ForeignUse> {
        let peers: Vec<PeerId> = peers.filter(|peer| peer.0 >= size).copied().collect();
        if peers.is_empty() {
            return None;
        }
        let mut entries = table.lock();
        peers.iter().for_each(|peer| entries.join(*peer));
        drop(entries);
        Some(ForeignUse {
            table: table.clone(),
            peers,
        })
    }

    /// Returns a user of no peers yet.
    pub(crate) fn none(table: &Arc<Mutex<Foreigners>>) -> ForeignUse {
        ForeignUse {
            table: table.clone(),
            peers: Vec::new(),
        }
    }

    /// Draws the number of a process, and counts it.
    pub fn enter(&mut self, name: Name) -> PeerId {
        let peer = self.table.lock().enter(name);
        self.peers.push(peer);
        peer
    }
}

impl Drop for ForeignUse {
    fn drop(&mut self) {
        let mut entries = self.table.lock();
        self.peers.iter().for_each(|peer| entries.part(*peer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(rank: u32) -> Name {
        Name {
            world: 7,
            rank,
            life: 1,
        }
    }

    #[test]
    fn a_name_comes_back_as_it_went() {
        let bytes = name(3).encode();
        assert_eq!(
            (bytes.len(), Name::decode(&bytes)),
            (NAME_BYTES, Some(name(3)))
        );
        assert_eq!(Name::decode(&bytes[..NAME_BYTES - 1]), None);
    }

    #[test]
    fn numbers_follow_the_world_and_come_back_when_nobody_uses_them() {
        let table = Arc::new(Mutex::new(Foreigners::beyond(4, LauncherNumber::default())));
        let mut first = ForeignUse::none(&table);
        assert_eq!(
            (first.enter(name(0)), first.enter(name(1))),
            (PeerId(4), PeerId(5))
        );
        let mut second = ForeignUse::none(&table);
        assert_eq!(second.enter(name(1)), PeerId(5), "it is known");
        let alias = Alias::new(PeerId(9), 3);
        table.lock().set_known_as(PeerId(4), Some(alias));
        assert_eq!(table.lock().known_as(PeerId(4)), Some(alias));
        assert_eq!(table.lock().sweep(), []);
        drop(first);
        assert_eq!(table.lock().sweep(), [PeerId(4)], "the other has a user");
        assert_eq!(second.enter(name(2)), PeerId(4), "the number is free");
        assert_eq!(table.lock().known_as(PeerId(4)), None);
        let aliases = [4, 5].map(|number| table.lock().alias(PeerId(number)));
        assert_eq!(aliases.map(Alias::generation), [1, 0]);
        drop(second);
        assert_eq!(table.lock().sweep(), [], "nobody was introduced");
        assert_eq!(table.lock().end(), 6);
    }

    #[test]
    fn those_of_the_same_launcher_are_found_by_its_numbers() {
        let started = |launcher, number| LauncherNumber { launcher, number };
        let bytes = started(1 << 40, 9).encode();
        assert_eq!(LauncherNumber::decode(&bytes), Some(started(1 << 40, 9)));
        assert_eq!(LauncherNumber::decode(&bytes[1..]), None);
        // This process was spawned: it learns its launcher from those that spawned it.
        let table = Arc::new(Mutex::new(Foreigners::beyond(4, started(0, 6))));
        let mut user = ForeignUse::none(&table);
        let peers = [0, 1, 2].map(|rank| user.enter(name(rank)));
        assert_eq!(table.lock().with_launcher_number(0), None);
        for (peer, launcher) in peers.into_iter().zip([30, 31, 0]) {
            table
                .lock()
                .set_launcher_number(peer, started(launcher, 2 + launcher as u32 % 2));
        }
        assert_eq!(table.lock().own(), started(30, 6));
        assert_eq!(table.lock().with_launcher_number(2), Some(peers[0]));
        assert_eq!(
            table.lock().with_launcher_number(3),
            None,
            "of another launcher"
        );
        drop(user);
        table.lock().sweep();
        assert_eq!(table.lock().with_launcher_number(2), None);
    }

    #[test]
    fn errors_speak_of_foreign_peers_as_the_user_knows_them() {
        let table = Arc::new(Mutex::new(Foreigners::beyond(4, LauncherNumber::default())));
        let mut user = ForeignUse::none(&table);
        let peer = user.enter(name(1));
        let spell = |text| table.lock().spell_out(text);
        let text = "rank 4 of MPI_COMM_WORLD failed: peer 4 is gone, peer 3 of 4 is not";
        let (spelled, peers) = spell(text).unwrap();
        let other = "rank 1 of another MPI_COMM_WORLD";
        let expected = format!("{other} failed: {other} is gone, peer 3 of 4 is not");
        assert_eq!((spelled, peers), (expected, vec![peer, peer]));
        table
            .lock()
            .set_place(peer, "pid 7 on n02", Locality::default());
        let (spelled, _) = spell("peer 4").unwrap();
        assert_eq!(spelled, format!("{other} (pid 7 on n02)"));
        for own in [
            "rank 3 of MPI_COMM_WORLD failed",
            "rank 4 of it",
            "peer x",
            "",
        ] {
            assert_eq!(spell(own), None, "{own}");
        }
        drop(user);
        table.lock().sweep();
        let (spelled, _) = spell("peer 4 left").unwrap();
        assert_eq!(spelled, "a process that was disconnected left");
    }

    #[test]
    fn peers_of_the_own_world_are_not_counted() {
        let table = Arc::new(Mutex::new(Foreigners::beyond(2, LauncherNumber::default())));
        assert!(ForeignUse::of(&table, 2, [PeerId(0), PeerId(1)].iter()).is_none());
        let mut made = ForeignUse::none(&table);
        let peer = made.enter(name(0));
        let user = ForeignUse::of(&table, 2, [PeerId(0), peer].iter()).unwrap();
        drop(made);
        assert_eq!(table.lock().sweep(), []);
        assert_eq!(table.lock().name(peer), Some(name(0)));
        drop(user);
        table.lock().sweep();
        assert_eq!(table.lock().name(peer), None);
    }
}
