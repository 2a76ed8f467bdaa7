//! Windows over several nodes, of memory that MPI allocates: those of their processes that are on
//! one node have it in a segment, and put and get there by loads and stores. So no target on this
//! node need help with these.
//!
//! **Everything else is alike for all**, wherever they are: locks, epochs and accumulates go by
//! messages to the target, which owns the one lock of its memory and combines by itself. So an
//! origin beside the target and one on another node exclude each other, and their accumulates are
//! atomic.
//!
//! A window on one node is served so too where its processes send messages by another path than
//! shared memory, so that none could wake one that sleeps in the segment.

use base::Rank;
use mca::Framework;
use osc::Verb;
use osc_sm::{Handshake, Member, Plan, Spacing};

use crate::elements::Elements;
use mpi::{Comm, Error};
use mpi_components::windows::COMPONENTS;
use shm::sharers::Sharers;

/// The memory of the processes on this node.
pub(crate) struct NodeSegment {
    member: Member,
}

impl NodeSegment {
    /// Meets the processes of a communicator that are on this node in a segment with `size` bytes
    /// of this one. All processes of the communicator call it; those of a node decide alike. `None`
    /// where this one is alone on its node, or there is no segment.
    ///
    /// # Errors
    /// The error of a message, or that the parameter is no list of components.
    pub(crate) fn meet(comm: &Comm, size: u64) -> Result<Option<NodeSegment>, Error> {
        let sizes = comm.collect(&[size])?;
        let nodes = comm.process().nodes_of(comm.group().peers());
        let sharers = Sharers::on_node_of(comm.rank(), &nodes);
        let (places, own) = (sharers.ranks(), sharers.own());
        let plan = Plan {
            ranks: comm.size(),
            sizes: places.iter().map(|rank| sizes[*rank as usize][0]).collect(),
            places: places.to_vec(),
            spacing: Spacing::Apart,
        };
        let create = || Handshake::create(plan.clone());
        let attach = |invitation: &_| Handshake::attach(plan.clone(), own, invitation);
        let mut handshake = sharers.invite(comm, create, attach)?;
        if mpi_components::checks::checks_accesses(&comm.process().registry) {
            handshake.refuse("`osc_check` needs accesses to arrive at their target".into());
        } else if !is_admitted(comm)? {
            handshake.refuse("`--mca osc` does not admit sm".into());
        } else if places.len() == 1 {
            handshake.refuse("no other process of the window is on this node".into());
        }
        let statuses = sharers.exchange(comm, &handshake.status())?;
        match handshake.complete(own, &statuses) {
            Ok(member) => Ok(Some(NodeSegment { member })),
            Err(why) => {
                Framework::Osc.info(format_args!(
                    "a window has no memory in common on a node: {why}"
                ));
                Ok(None)
            }
        }
    }

    /// The memory of this process.
    pub(crate) fn own(&self) -> memory::UserBuf {
        self.member.memory(self.member.own_place())
    }

    /// Returns this process's member of the segment.
    pub(crate) fn member(&self) -> &Member {
        &self.member
    }
}

/// Whether the parameters admit loads and stores in windows.
///
/// # Errors
/// When the parameter is no list of components.
pub(crate) fn is_admitted(comm: &Comm) -> Result<bool, Error> {
    let list = comm
        .process()
        .registry
        .components(Framework::Osc, COMPONENTS);
    Ok(list.map_err(Error::other)?.admits("sm"))
}

/// Does a put or a get that may begin at a target on this node.
///
/// # Errors
/// When the elements are not in the target's memory.
pub(crate) fn access(
    member: &Member,
    target: Rank,
    verb: &Verb,
    elements: &Elements<'_>,
) -> Result<(), Error> {
    let Elements {
        at,
        count,
        datatype,
    } = *elements;
    let place = member.place(target.0);
    debug_assert!(place.is_some(), "{target} is on this node");
    let done = match (place, verb) {
        (Some(place), Verb::Put { from }) => member.put(place, at, count, datatype, from),
        (Some(place), Verb::Get { into }) => member.get(place, at, count, datatype, into),
        // `osc::choose` names another carrier for these.
        _ => Ok(()),
    };
    done.map_err(Error::from)
}
