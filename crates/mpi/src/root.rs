//! The root argument of a rooted collective, and the role that it gives a process ([`RootedRole`]).

use coll::{Function, Inter, InterRoot, Signature, Team};

use crate::{Class, Comm, Error};

/// The root argument of a rooted collective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// A rank; of the other group in an inter-communicator.
    Rank(i32),
    /// This process (`MPI_ROOT`), in an inter-communicator.
    Here,
    /// Another process of this group (`MPI_PROC_NULL`), in an inter-communicator.
    Elsewhere,
}

/// The role of this process in a rooted collective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootedRole {
    /// Member of an intra-communicator with this root.
    Intra(Team, u32),
    /// Member of an inter-communicator.
    Inter(Inter, InterRoot),
}

impl RootedRole {
    /// Returns the role that a root argument gives this process.
    ///
    /// # Errors
    /// `Root` when there is no such root.
    #[inline]
    pub fn of(comm: &Comm, root: Root) -> Result<RootedRole, Error> {
        match comm.inter() {
            None => match root {
                Root::Rank(rank) if rank >= 0 && (rank as u32) < comm.size() => {
                    Ok(RootedRole::Intra(comm.team(), rank as u32))
                }
                _ => Err(no_such_root(comm, root)),
            },
            Some(inter) => RootedRole::between(comm, inter, root),
        }
    }

    fn between(comm: &Comm, inter: Inter, root: Root) -> Result<RootedRole, Error> {
        let root = match root {
            Root::Here => InterRoot::Here,
            Root::Elsewhere => InterRoot::Elsewhere,
            Root::Rank(rank) if rank >= 0 && (rank as u32) < inter.remote_size => {
                InterRoot::Remote(rank as u32)
            }
            _ => return Err(no_such_root(comm, root)),
        };
        Ok(RootedRole::Inter(inter, root))
    }

    /// Whether this process is the root: its arguments for all the others count.
    #[inline]
    pub fn is_root(self) -> bool {
        match self {
            RootedRole::Intra(team, root) => team.rank == root,
            RootedRole::Inter(_, root) => root == InterRoot::Here,
        }
    }

    /// Whether this process is one of those that the root exchanges a block with.
    #[inline]
    pub fn has_block(self) -> bool {
        match self {
            RootedRole::Intra(..) => true,
            RootedRole::Inter(_, root) => matches!(root, InterRoot::Remote(_)),
        }
    }

    /// How many processes the root exchanges blocks with.
    #[inline]
    pub fn blocks(self) -> u32 {
        match self {
            RootedRole::Intra(team, _) => team.size,
            RootedRole::Inter(inter, _) => inter.remote_size,
        }
    }

    /// The root of a collective inside one group.
    #[inline]
    pub(crate) fn intra_root(self) -> Option<u32> {
        match self {
            RootedRole::Intra(_, root) => Some(root),
            RootedRole::Inter(..) => None,
        }
    }

    /// Returns the call signature of a rooted function. The groups of an inter-communicator name
    /// the root by different values.
    pub(crate) fn sign(self, function: Function) -> Signature {
        Signature::new(function).with_root(self.intra_root())
    }
}

#[cold]
fn no_such_root(comm: &Comm, root: Root) -> Error {
    let ranks = comm.far_size();
    let text = match (root, comm.is_inter()) {
        (Root::Rank(rank), false) => format!("root {rank} in {comm}, which has {ranks} ranks"),
        (Root::Rank(rank), true) => {
            format!("root {rank} in {comm}, whose remote group has {ranks} ranks")
        }
        (Root::Here, _) => format!("MPI_ROOT in {comm}, which is not an inter-communicator"),
        (Root::Elsewhere, _) => {
            format!("MPI_PROC_NULL in {comm}, which is not an inter-communicator")
        }
    };
    Error::new(Class::Root, text)
}
