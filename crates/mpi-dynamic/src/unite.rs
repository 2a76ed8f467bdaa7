//! An inter-communicator of two groups that may not know each other: the one way in for processes
//! that are spawned, accepted or joined, and for groups whose leaders alone share a communicator.
//!
//! The roots of both groups have a `Bridge`, over which each sends the other three times what it
//! has gathered in its group, and passes on what it gets:
//!
//! ```text
//! 1 cards     name and address of every process; each draws numbers for those it does not know
//! 2 aliases   by which number each process knows each of the others; each introduces the others
//! 3 outcome   whether all could: messages to a process that knows nobody yet would be dropped
//! ```
//!
//! A failure anywhere ends the round for all processes of both groups, with one reason.
//!
//! **Secrets.** Each root draws a random number. The secret of the two groups is a hash of both
//! numbers and of a key that the roots share, so it does not travel over the bridge where there is
//! a key. Inside a group it travels masked by the job's secret.

use std::sync::Arc;

use base::wire::{read_u32, read_u64};
use base::{PeerId, Rank};
use btl::{Alias, Foreign};
use mca::Framework;
use pml::Context;

use crate::spawns::Spawns;
use mpi::foreign::{ForeignUse, LauncherNumber, Name, LAUNCHER_NUMBER_BYTES, NAME_BYTES};
use mpi::membership::Card;
use mpi::Comm;
use mpi::{Activity, Bridged, Process, Service};
use mpi::{Class, Error, Group};
use mpi_components::REACHED_BY;
use mpi_local::contexts;

/// How often the roots exchange something.
const ROUNDS: u32 = 3;
const NONCE_BYTES: usize = 32;
const VERSION: u32 = 3;
/// Bytes of a root's opening: version, context and random number.
const OPENING_BYTES: usize = 12 + NONCE_BYTES;
/// Bytes of the agreement that a root sends its group: context, realm, order, masked secret, and
/// the random number of the mask.
const TERMS_BYTES: usize = 8 + 8 + 1 + 32 + NONCE_BYTES;

const SECRET_CONTEXT: &str = "oxmpi secret of two groups, version 1";
const MASK_CONTEXT: &str = "oxmpi mask of a secret inside a group, version 1";

/// Most bytes of where a process runs that are kept.
const PLACE_BYTES_MAX: usize = 100;

/// The first byte of what is passed on: bytes follow, or a class and a text.
const GOOD: u8 = 1;
const BAD: u8 = 2;

/// The text of an error, with processes of other worlds as the user knows them.
pub struct ResolvedText {
    /// The text.
    pub text: String,
    /// This process's launcher ends it when one of these fails, since a spawn connects them.
    pub same_launcher: bool,
}

/// Values on which both groups have agreed.
struct Agreement {
    context: Context,
    realm: u64,
    secret: [u8; 32],
    is_first: bool,
}

/// A process of the other group.
struct RemoteProcess {
    card: Card,
    name: Name,
    peer: PeerId,
}

/// Returns the inter-communicator of this communicator's group and another one, whose root is
/// at the other end of the bridge; collective over both groups. The root alone has a bridge.
///
/// # Errors
/// The same class at all processes of both groups: that of the bridge, or when the groups have
/// a process in common or a process cannot reach one of the other group.
pub fn unite(comm: &Comm, root: u32, bridge: Option<Bridged<'_>>) -> Result<Comm, Error> {
    if comm.is_inter() {
        let text = "an intra-communicator is needed to connect with others";
        return Err(Error::new(Class::Comm, text));
    }
    let mut uniting = Uniting {
        comm,
        process: comm.process(),
        root,
        bridge,
        opening: Vec::new(),
        rounds: 0,
    };
    uniting.run()
}

/// Waits until all processes of both groups come here and everything that was sent to them has
/// left, before the communicator is freed for good (MPI 5.0, 11.10.4, MPI_Comm_disconnect).
///
/// # Errors
/// When a message fails.
pub fn settle_all(comm: &Comm) -> Result<(), Error> {
    let groups = [Some(comm.group()), comm.remote_group()];
    let groups = groups.into_iter().flatten();
    let peers: Vec<PeerId> = groups.flat_map(Group::peers).copied().collect();
    let flush = || {
        let process = comm.process();
        process.wait_until(|core| core.is_flushed_to(&peers).then_some(()));
    };
    flush();
    match comm.inter() {
        None => comm.run(|port| coll::barrier(port, comm.team()))?,
        Some(inter) => comm.run(|port| coll::inter_barrier(port, inter))?,
    }
    flush();
    Ok(())
}

/// Gathers bytes of every process at `root`, in the order of the ranks.
fn gather_bytes(comm: &Comm, root: u32, own: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let lens = comm.collect(&[own.len() as u64])?;
    let width = lens.iter().map(|row| row[0] as usize).max().unwrap_or(0);
    let is_root = comm.rank() == root;
    let mine = memory::Scratch::new(width);
    mine.buf().write(0, own);
    let all = memory::Scratch::new(if is_root { width * lens.len() } else { 0 });
    let (send, recv) = (
        datatype::Buffer::bytes(mine.buf()),
        is_root.then(|| datatype::Buffer::bytes(all.buf())),
    );
    let rules = &comm.process().collectives.rules;
    comm.run(|port| coll::gather(port, rules, comm.team(), root, Some(send), recv))?;
    if !is_root {
        return Ok(Vec::new());
    }
    let part = |(row, rank): (&Vec<u64>, usize)| {
        let mut bytes = vec![0; row[0] as usize];
        all.buf().read(rank * width, &mut bytes);
        bytes
    };
    Ok(lens.iter().zip(0..).map(part).collect())
}

/// Passes the root's bytes, or its error, on to all.
fn pass_on(comm: &Comm, root: u32, own: Option<Result<Vec<u8>, Error>>) -> Result<Vec<u8>, Error> {
    let bytes = own.map_or_else(Vec::new, encode_result);
    let len = comm.share_from(root, &[bytes.len() as u64])?[0] as usize;
    let shared = memory::Scratch::new(len);
    if comm.rank() == root {
        shared.buf().write(0, &bytes);
    }
    let buffer = datatype::Buffer::bytes(shared.buf());
    let rules = &comm.process().collectives.rules;
    comm.run(|port| coll::bcast(port, rules, comm.team(), root, buffer))?;
    let mut bytes = vec![0; len];
    shared.buf().read(0, &mut bytes);
    decode_result(&bytes)
}

/// State of a call of [`unite`].
struct Uniting<'a, 'b> {
    comm: &'a Comm,
    process: &'a Arc<Process>,
    root: u32,
    bridge: Option<Bridged<'b>>,
    /// The opening that this root has sent; empty elsewhere.
    opening: Vec<u8>,
    /// Rounds that are over.
    rounds: u32,
}

impl Uniting<'_, '_> {
    fn run(&mut self) -> Result<Comm, Error> {
        let (process, comm) = (self.process, self.comm);
        let (terms, cards) = self.exchange_cards()?;
        let mut user = process.new_use();
        let found = self.number(cards, &mut user);
        let numbers = found.as_ref().map(|remotes| {
            let table = process.foreigners();
            let numbers = remotes.iter().map(|remote| table.alias(remote.peer).bits());
            numbers.flat_map(u32::to_le_bytes).collect()
        });
        let theirs = self.round(numbers.map_err(Clone::clone), None)?;
        let remotes = found?;
        // The numbers in its text mean nothing to others, and are free afterwards.
        let introduced = self
            .introduce(&remotes, &theirs, &terms)
            .map_err(|error| with_spelled_out(process, error));
        let outcome = self.round(introduced.map(|()| Vec::new()), None);
        if let Err(error) = outcome {
            drop(user);
            forget_unused(process);
            return Err(error);
        }
        let group = Group::new(remotes.iter().map(|remote| remote.peer).collect());
        let made = Comm::open_with(
            process,
            terms.context,
            comm.group().clone(),
            Rank(comm.rank()),
            Some(group),
            None,
            "",
        );
        Ok(made)
    }

    /// The first round: terms, and the cards of the other group.
    fn exchange_cards(&mut self) -> Result<(Agreement, Vec<Card>), Error> {
        let (process, is_root) = (self.process, self.comm.rank() == self.root);
        let own = expect_foreign(process).map(|()| own_card(process));
        if is_root {
            self.opening = opening()?;
        }
        let shared = self.round(own, Some(OPENING_BYTES))?;
        let terms = shared
            .get(..TERMS_BYTES)
            .and_then(|bytes| self.read_terms(bytes));
        let cards = shared.get(TERMS_BYTES..).and_then(split);
        let cards: Option<Vec<Card>> = cards.and_then(|cards| {
            let decode = |card: Vec<u8>| Card::decode(&card);
            cards.into_iter().map(decode).collect()
        });
        match (terms, cards) {
            (Some(terms), Some(cards)) if !cards.is_empty() => Ok((terms, cards)),
            _ => Err(malformed()),
        }
    }

    /// Runs a round: gathers the contributions of all, exchanges them with the other root, and
    /// shares what that one sent. `opening` is the length of the opening that the roots put before
    /// it.
    fn round(
        &mut self,
        own: Result<Vec<u8>, Error>,
        opening: Option<usize>,
    ) -> Result<Vec<u8>, Error> {
        let (comm, root) = (self.comm, self.root);
        let gathered = gather_bytes(comm, root, &encode_result(own));
        if comm.rank() != root {
            return gathered.and_then(|_| pass_on(comm, root, None));
        }
        let gathered = gathered.inspect_err(|error| {
            let _ = self.cross(Err(error.clone()));
        })?;
        let gathered = gathered.iter().map(|part| decode_result(part));
        let gathered: Result<Vec<Vec<u8>>, Error> = gathered.collect();
        let sent = gathered.map(|parts| [&self.opening[..], &join(&parts)].concat());
        let answer = self.cross(sent).and_then(|answer| match opening {
            Some(len) => self.settle(&answer, len),
            None => Ok(answer),
        });
        if opening.is_some() {
            self.opening.clear();
        }
        let is_good = answer.is_ok();
        let passed = pass_on(comm, root, Some(answer));
        self.rounds += 1;
        if let (Err(error), true) = (&passed, is_good && self.rounds < ROUNDS) {
            // The other group, which goes on, must not wait.
            let _ = self.cross(Err(error.clone()));
        }
        passed
    }

    /// Exchanges the group's bytes, or its failure, with the other root; called by the root alone.
    fn cross(&mut self, sent: Result<Vec<u8>, Error>) -> Result<Vec<u8>, Error> {
        let bridge = match &mut self.bridge {
            Some(Ok(bridge)) => bridge,
            Some(Err(error)) => return Err(error.clone()),
            None => {
                return Err(Error::other(
                    "the root has no connection to the other group",
                ))
            }
        };
        let failure = sent.as_ref().err().cloned();
        let answer = bridge.exchange(&encode_result(sent));
        if let Some(failure) = failure {
            return Err(failure);
        }
        decode_result(&answer?).map_err(|error| {
            let text = format!("the other group: {}", error.text);
            Error::new(error.class, text)
        })
    }

    /// Makes the agreement from both openings, and puts it before the cards; called by the root
    /// alone.
    fn settle(&self, answer: &[u8], opening: usize) -> Result<Vec<u8>, Error> {
        let (theirs, cards) = answer.split_at_checked(opening).ok_or_else(malformed)?;
        let ours = &self.opening[..];
        let version = |of: &[u8]| read_u32(of, 0);
        if version(theirs) != Some(VERSION) {
            let text = "the other group runs another version of this library";
            return Err(Error::new(Class::Other, text));
        }
        let (ours_nonce, theirs_nonce) = (&ours[12..], &theirs[12..]);
        let is_first = ours_nonce < theirs_nonce;
        let (low, high) = match is_first {
            true => (ours, theirs),
            false => (theirs, ours),
        };
        let key = match &self.bridge {
            Some(Ok(bridge)) => bridge.key(),
            _ => [0; 32],
        };
        let secret = blake3::derive_key(SECRET_CONTEXT, &[&key[..], low, high].concat());
        let realm = blake3::hash(&secret);
        let mut terms = Vec::with_capacity(TERMS_BYTES + cards.len());
        // The context is that of the group that comes first.
        terms.extend_from_slice(&low[4..12]);
        terms.extend_from_slice(&realm.as_bytes()[..8]);
        terms.push(u8::from(is_first));
        let salt = random()?;
        terms.extend(self.mask(&secret, &salt));
        terms.extend(salt);
        terms.extend_from_slice(cards);
        Ok(terms)
    }

    fn read_terms(&self, bytes: &[u8]) -> Option<Agreement> {
        let secret: [u8; 32] = bytes.get(17..49)?.try_into().ok()?;
        Some(Agreement {
            context: Context(read_u64(bytes, 0)?),
            realm: read_u64(bytes, 8)?,
            is_first: *bytes.get(16)? != 0,
            secret: self.mask(&secret, bytes.get(49..)?),
        })
    }

    /// Masks a secret for its way through the group, or unmasks it: by the job's secret, where all
    /// of the group have it.
    fn mask(&self, secret: &[u8; 32], salt: &[u8]) -> [u8; 32] {
        if self.comm.has_foreign() {
            return *secret;
        }
        let own = &self.process.identity.secret.0[..];
        let mask = blake3::derive_key(MASK_CONTEXT, &[own, salt].concat());
        std::array::from_fn(|at| secret[at] ^ mask[at])
    }

    /// Finds the numbers of the processes of the other group, or draws them.
    fn number(&self, cards: Vec<Card>, user: &mut ForeignUse) -> Result<Vec<RemoteProcess>, Error> {
        let process = self.process;
        let number = |card: Card| {
            let name = Name::decode(&card.word).ok_or_else(malformed)?;
            let peer = match name.world == process.identity.job {
                true if name.rank < process.identity.size => PeerId(name.rank),
                true => return Err(malformed()),
                false => user.enter(name),
            };
            let rest = &card.word[NAME_BYTES..];
            let started = LauncherNumber::decode(rest).ok_or_else(malformed)?;
            let place = place(&rest[LAUNCHER_NUMBER_BYTES..]);
            let mut table = process.foreigners();
            table.set_place(peer, &place, card.locality);
            table.set_launcher_number(peer, started);
            drop(table);
            if self.comm.group().contains(peer) {
                let text = "the two groups have a process in common";
                return Err(Error::new(Class::Comm, text));
            }
            Ok(RemoteProcess { card, name, peer })
        };
        cards.into_iter().map(number).collect()
    }

    /// Introduces the processes of the other group; `theirs` has what numbers they gave to each
    /// process of this one.
    fn introduce(
        &self,
        remotes: &[RemoteProcess],
        theirs: &[u8],
        terms: &Agreement,
    ) -> Result<(), Error> {
        let process = self.process;
        let theirs = split(theirs).filter(|lists| lists.len() == remotes.len());
        let theirs = theirs.ok_or_else(malformed)?;
        let own = self.comm.rank() as usize;
        for (remote, numbers) in remotes.iter().zip(&theirs) {
            let known_as = read_u32(numbers, 4 * own)
                .map(Alias::from_bits)
                .ok_or_else(malformed)?;
            process.check_agreed(remote.peer, &remote.card)?;
            if remote.name.world == process.identity.job {
                process.introduce(remote.peer, &remote.card)?;
                continue;
            }
            let generation = process.foreigners().alias(remote.peer).generation();
            introduce_foreign(
                process,
                remote.peer,
                &Foreign {
                    known_as,
                    generation,
                    realm: terms.realm,
                    secret: terms.secret,
                    is_first: terms.is_first,
                },
                &remote.card.address,
            )?;
        }
        Ok(())
    }
}

/// Opens the transports over which processes of other jobs are reached, unless they are open,
/// and has all expect them.
pub(crate) fn expect_foreign(process: &Process) -> Result<(), Error> {
    let mut table = process.foreigners();
    if table.is_expected {
        return Ok(());
    }
    let transports = match process.identity.size {
        1 => mpi_components::open_late(&process.identity, &process.registry)?,
        _ => Vec::new(),
    };
    process.engine.expect_foreign(transports).map_err(|error| {
        let class = match error {
            engine::Error::NoForeign => Class::UnsupportedOperation,
            _ => Class::Other,
        };
        Error::new(class, error.to_string())
    })?;
    table.is_expected = true;
    Ok(())
}

/// Returns the card of this process for a group that may not know it.
fn own_card(process: &Process) -> Vec<u8> {
    let name = Name {
        world: process.identity.job,
        rank: process.identity.peer.0,
        life: process.launcher().life,
    };
    let host = rustix::system::uname();
    let host = host.nodename().to_string_lossy().into_owned();
    let place = format!("pid {} on {host}", std::process::id());
    let started = process.foreigners().own().encode();
    let word = [&name.encode(), &started[..], place.as_bytes()].concat();
    process.card(&[], Activity::Receiving, word).encode()
}

/// Replaces the numbers of processes of other worlds in the text of an error by what they are
/// to the user. `None` where the text names none.
pub fn spell_out(process: &Process, text: &str) -> Option<ResolvedText> {
    let mut table = process.foreigners();
    let (text, peers) = table.spell_out(text)?;
    Some(ResolvedText {
        text,
        same_launcher: process.service::<Spawns>().have_all(&mut table, &peers),
    })
}

/// Returns an error in whose text processes of other worlds are spelled out.
fn with_spelled_out(process: &Process, mut error: Error) -> Error {
    if let Some(spelled) = spell_out(process, &error.text) {
        error.text = spelled.text;
    }
    error
}

/// Introduces a foreign peer, unless both know each other by these aliases already.
fn introduce_foreign(
    process: &Process,
    peer: PeerId,
    foreign: &Foreign,
    address: &[u8],
) -> Result<(), Error> {
    let mut table = process.foreigners();
    let before = table.known_as(peer);
    if before == Some(foreign.known_as) {
        return Ok(());
    }
    if before.is_some() {
        // It has forgotten this process meanwhile.
        process.engine.remove_peer(peer);
        table.set_known_as(peer, None);
    }
    let choice = process.engine.add_foreign(peer, foreign, address);
    let choice = choice.map_err(|error| match error {
        engine::Error::Unreachable(_) => {
            let text = format!("{error}; {REACHED_BY}");
            Error::new(Class::UnsupportedOperation, text)
        }
        error => Error::other(error),
    })?;
    Framework::Bml.info(format_args!("{choice}"));
    table.set_known_as(peer, Some(foreign.known_as));
    Ok(())
}

/// Removes the foreign processes that no communicator has any more.
pub fn forget_unused(process: &Process) {
    let mut table = process.foreigners();
    for peer in table.sweep() {
        process.engine.remove_peer(peer);
    }
    drop(table);
    process.service::<Spawns>().removed_foreign(process);
}

fn opening() -> Result<Vec<u8>, Error> {
    let mut opening = VERSION.to_le_bytes().to_vec();
    opening.extend(contexts::foreign().0.to_le_bytes());
    opening.extend(random()?);
    Ok(opening)
}

/// Returns random bytes of the system's.
pub(crate) fn random() -> Result<[u8; NONCE_BYTES], Error> {
    bootstrap::Secret::random()
        .map(|secret| secret.0)
        .map_err(Error::other)
}

/// Returns the place that a process gives in its card, as far as it can be printed.
fn place(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(PLACE_BYTES_MAX)]);
    text.chars().filter(|c| !c.is_control()).collect()
}

fn malformed() -> Error {
    Error::new(Class::Other, "the other group has sent malformed data")
}

pub(crate) fn encode_result(result: Result<Vec<u8>, Error>) -> Vec<u8> {
    match result {
        Ok(bytes) => [&[GOOD], &bytes[..]].concat(),
        Err(error) => {
            let class = error.class.code().to_le_bytes();
            [&[BAD], &class[..], error.text.as_bytes()].concat()
        }
    }
}

fn decode_result(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    match bytes.split_first() {
        Some((&GOOD, rest)) => Ok(rest.to_vec()),
        Some((&BAD, rest)) => {
            let code = read_u32(rest, 0).map_or(0, |code| code as i32);
            let class = Class::from_code(code).unwrap_or(Class::Other);
            let text = String::from_utf8_lossy(rest.get(4..).unwrap_or_default());
            Err(Error::new(class, text))
        }
        _ => Err(malformed()),
    }
}

/// Joins byte strings to one.
fn join(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(part);
    }
    bytes
}

/// Splits what [`join`] joined; `None` for anything else.
fn split(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let end = (read_u32(bytes, 0)? as usize).checked_add(4)?;
        parts.push(bytes.get(4..end)?.to_vec());
        bytes = &bytes[end..];
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_travel_with_their_class() {
        let good = encode_result(Ok(vec![1, 2]));
        assert_eq!(decode_result(&good).unwrap(), [1, 2]);
        let bad = encode_result(Err(Error::new(Class::Port, "closed")));
        let error = decode_result(&bad).unwrap_err();
        assert_eq!((error.class, &error.text[..]), (Class::Port, "closed"));
        assert!(decode_result(&[]).is_err() && decode_result(&[9]).is_err());
    }

    #[test]
    fn parts_come_back_and_cut_ones_do_not() {
        let parts = vec![vec![1; 5], Vec::new(), vec![2]];
        let bytes = join(&parts);
        assert_eq!(split(&bytes), Some(parts));
        for len in [1, 3, 4, 8, bytes.len() - 1] {
            assert_eq!(split(&bytes[..len]), None, "{len} bytes");
        }
        assert_eq!(split(&u32::MAX.to_le_bytes()), None);
    }
}
