//! Communicators from groups, created by the members of the group alone (MPI 5.0, 7.4.2 and 7.6.2).
//!
//! The members exchange values in a meeting at the launcher. The value of each is its [`Card`]: the
//! address of its present life, the lives of the others that it knows, and further bytes. So one
//! round trip brings each member the addresses of all others, whatever lives they were in before.
//! If two members are introduced for the first time in this life, a second meeting follows, since a
//! message from a process that was not introduced is dropped.
//!
//! Under a launcher without meetings all processes know each other from the start, and the members
//! exchange messages in a communicator of all processes instead.

use std::sync::Arc;

use base::wire::{read_u32, read_u64};
use base::{Fnv, Mutex, PeerId, Rank};
use pml::Context;

use mpi::membership::Card;
use mpi::Comm;
use mpi::{Activity, Process, Service};
use mpi::{Class, Error, Group};
use mpi_local::contexts;

/// Purpose of a meeting: the first byte of its key.
#[derive(Clone, Copy)]
enum Purpose {
    /// Members of a group exchange cards.
    Cards = 1,
    /// Members that exchanged cards have introduced each other.
    Introduced = 2,
}

/// Round of a meeting: the second byte of its key.
#[derive(Clone, Copy)]
enum Round {
    /// A group that becomes a communicator.
    Group = 1,
    /// The leaders of two groups.
    Leaders = 2,
    /// Both groups together.
    Union = 3,
}

/// Returns the communicator of a group that needs no other communicator: only its members call
/// it, with a text that separates concurrent calls (MPI 5.0, 7.4.2,
/// MPI_Comm_create_from_group). `None` for an empty group.
///
/// # Errors
/// When this process is not in the group, or a member is out of reach.
pub fn create_from_group(
    process: &Arc<Process>,
    group: &Group,
    text: &str,
) -> Result<Option<Comm>, Error> {
    if group.size() == 0 {
        return Ok(None);
    }
    if !process.launcher().can_meet && group.size() > 1 {
        return everybody(process).create_from_group(group, text);
    }
    let context = name_for(process, group.peers(), Round::Group, text)?;
    Ok(Some(open_group(process, context, group, None)))
}

/// The inter-communicator of two groups that need no other communicator (MPI 5.0, 7.6.2,
/// MPI_Intercomm_create_from_groups). `remote` matters at the leader only: the other group
/// and the rank of its leader.
///
/// # Errors
/// When this process is not in its group, the groups overlap, or a member is out of reach.
pub fn create_inter_from_groups(
    process: &Arc<Process>,
    local: &Group,
    leader: u32,
    remote: Option<(&Group, u32)>,
    text: &str,
) -> Result<Option<Comm>, Error> {
    if !process.launcher().can_meet {
        let everybody = everybody(process);
        return everybody.create_inter_from_groups(local, leader, remote, text);
    }
    let Some(half) = create_from_group(process, local, text)? else {
        return Ok(None);
    };
    let mut found = Ok(Vec::new());
    if half.rank() == leader {
        found = meet_leader(process, local, remote, text);
    }
    // A leader that failed sends an empty group.
    let count = found.as_ref().map_or(0, Vec::len);
    let count = half.share_from(leader, &[count as u64])?[0];
    let mut peers = found?;
    if count == 0 {
        let text = "the leaders of the two groups could not meet";
        return Err(Error::new(Class::Comm, text));
    }
    peers.resize(count as usize, 0);
    let peers = half.share_from(leader, &peers)?;
    let remote = Group::new(peers.iter().map(|peer| PeerId(*peer as u32)).collect());
    let mut union: Vec<PeerId> = [local.peers(), remote.peers()].concat();
    union.sort();
    let context = name_for(process, &union, Round::Union, text)?;
    Ok(Some(open_group(process, context, local, Some(remote))))
}

/// Returns the processes of the other group, received from its leader; called by a leader alone.
fn meet_leader(
    process: &Process,
    local: &Group,
    remote: Option<(&Group, u32)>,
    text: &str,
) -> Result<Vec<u64>, Error> {
    let own = process.identity.peer;
    let other = remote.and_then(|(group, rank)| group.peers().get(rank as usize));
    let other = *other.ok_or_else(|| {
        Error::new(
            Class::Group,
            "the leader needs the other group and its leader",
        )
    })?;
    if local.contains(other) {
        return Err(overlap());
    }
    let mut leaders = [own, other];
    leaders.sort();
    let word = local.peers().iter().flat_map(|peer| peer.0.to_le_bytes());
    let words = gather(process, &leaders, Round::Leaders, text, word.collect())?;
    let theirs = &words[usize::from(leaders[0] == own)];
    let peers = theirs.chunks(4).map(|bytes| read_u32(bytes, 0));
    let peers: Option<Vec<u32>> = peers.collect();
    let size = process.identity.size;
    let peers = peers.filter(|peers| peers.iter().all(|peer| *peer < size));
    let Some(peers) = peers else {
        let text = format!("{other} sent a group with processes that the job does not have");
        return Err(Error::new(Class::Comm, text));
    };
    if peers.iter().any(|peer| local.contains(PeerId(*peer))) {
        return Err(overlap());
    }
    Ok(peers.into_iter().map(u64::from).collect())
}

/// A context that the first of some processes names; all of them know each other then.
fn name_for(
    process: &Process,
    members: &[PeerId],
    round: Round,
    text: &str,
) -> Result<Context, Error> {
    let name = match members[0] == process.identity.peer {
        true => process.new_context().0.to_le_bytes().to_vec(),
        false => Vec::new(),
    };
    let words = gather(process, members, round, text, name)?;
    let first = members[0];
    read_u64(&words[0], 0).map(Context).ok_or_else(|| {
        let text = format!("{first} has sent no name for the communicator");
        Error::new(Class::Other, text)
    })
}

/// Exchanges bytes among some processes, which know each other when this returns.
fn gather(
    process: &Process,
    members: &[PeerId],
    round: Round,
    text: &str,
    word: Vec<u8>,
) -> Result<Vec<Vec<u8>>, Error> {
    if !members.contains(&process.identity.peer) {
        let text = "the calling process is not in the group";
        return Err(Error::new(Class::Group, text));
    }
    if members.len() == 1 {
        return Ok(vec![word]);
    }
    if let Some(peer) = members.iter().find(|peer| !process.is_own(**peer)) {
        let text = format!("{peer} is of another job, which the launcher does not know");
        return Err(Error::new(Class::UnsupportedOperation, text));
    }
    let card = process.card(members, Activity::Receiving, word);
    let mut progress = process.progress_beside(|peer| members.contains(&peer));
    let key = |purpose| key(purpose, round, text);
    let cards =
        process
            .launcher()
            .meet(members, &key(Purpose::Cards), &card.encode(), &mut progress)?;
    let cards: Option<Vec<Card>> = cards.iter().map(|card| Card::decode(card)).collect();
    let Some(cards) = cards else {
        return Err(Error::new(
            Class::Other,
            "a member of the group has sent no address",
        ));
    };
    let lives = Fnv::of(cards.iter().flat_map(|card| card.life.to_le_bytes()));
    if cards.iter().any(|card| card.acquaintances != lives) {
        let introduced = members
            .iter()
            .zip(&cards)
            .filter(|(peer, _)| **peer != process.identity.peer)
            .try_for_each(|(peer, card)| process.introduce(*peer, card));
        let well = [u8::from(introduced.is_ok())];
        let all =
            process
                .launcher()
                .meet(members, &key(Purpose::Introduced), &well, &mut progress)?;
        introduced?;
        if let Some(at) = all.iter().position(|well| well != &[1]) {
            let text = format!("{} cannot reach all members of the group", members[at]);
            return Err(Error::new(Class::Other, text));
        }
    }
    Ok(cards.into_iter().map(|card| card.word).collect())
}

fn open_group(
    process: &Arc<Process>,
    context: Context,
    group: &Group,
    remote: Option<Group>,
) -> Comm {
    let rank = group.rank(process.identity.peer).unwrap_or(Rank(0));
    Comm::open_with(process, context, group.clone(), rank, remote, None, "")
}

fn key(purpose: Purpose, round: Round, text: &str) -> Vec<u8> {
    let mut key = vec![purpose as u8, round as u8];
    key.extend_from_slice(text.as_bytes());
    key
}

fn overlap() -> Error {
    Error::new(Class::Comm, "the two groups have a process in common")
}

/// The communicator over which processes find each other under a launcher that knows no meetings.
#[derive(Default)]
struct Everybody(Mutex<Option<Arc<Comm>>>);

impl Service<Process> for Everybody {
    fn end(&self, process: &Process) {
        drop(process.lock(&self.0).take());
    }
}

/// Returns the communicator over which processes find each other that cannot meet.
fn everybody(process: &Arc<Process>) -> Arc<Comm> {
    let service = process.service::<Everybody>();
    let mut everybody = process.lock(&service.0);
    let open = || {
        let group = Group::new((0..process.identity.size).map(PeerId).collect());
        let rank = Rank(process.identity.peer.0);
        let name = "the communicator of everybody";
        Arc::new(Comm::open(process, contexts::EVERYBODY, group, rank, name))
    };
    everybody.get_or_insert_with(open).clone()
}
