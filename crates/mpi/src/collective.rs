//! Collective calls: checks of their arguments, and the choice of the algorithm of `coll`.
//!
//! Each function takes the arguments of one process and returns a [`Begin`]. The caller decides
//! what is done with it: [`Comm::run`] waits for completion, [`Comm::start_collective`] returns a
//! request, and a persistent request begins it once for each start.
//!
//! ```text
//! role = RootedRole::of(comm, root)?     who is the root, and what this process passes
//! begin = collective::gather(role, send, recv)?
//! comm.run(begin)                        or start_collective, or Persistent
//! ```
//!
//! A buffer that is `None` where one counts stands for `MPI_IN_PLACE`; whether that is allowed is
//! decided here (MPI 5.0, 6.2.3 and the text of each call).

mod aliasing;

use coll::{Function, Inter, ReduceScatterArgs, Rules, Running, Signature, Team};
use coll_sm::NodeCall;
use datatype::Buffer;

pub use crate::begin::Begin;
pub use crate::root::{Root, RootedRole};

use self::aliasing::{check_distinct, check_distinct_at_root, check_distinct_from_all};
use crate::{Class, Comm, Error};
use coll::Neighbors;

pub use coll::{Blocks, Counts, Port, Reduction, Vector};

/// A collective that only messages serve.
#[derive(Clone)]
struct Signed<B>(Signature, B);

impl<B: FnOnce(&Port, &Rules) -> Running + Clone + Send + Sync + 'static> Begin for Signed<B> {
    fn begin(self, port: &Port, rules: &Rules) -> Running {
        (self.1)(port, rules)
    }

    fn signature(&self, _: &Rules) -> Signature {
        self.0
    }
}

#[cold]
fn in_place(allowed: &str) -> Error {
    Error::new(
        Class::Buffer,
        format!("MPI_IN_PLACE is allowed only {allowed}"),
    )
}

#[cold]
fn in_place_between() -> Error {
    in_place("in an intra-communicator")
}

impl Comm {
    /// How many blocks a collective in which everybody gets everything has: one for each
    /// process that data comes from.
    #[inline]
    pub fn blocks(&self) -> u32 {
        self.far_size()
    }

    /// The neighbours of this process in the topology.
    ///
    /// # Errors
    /// `Topology` when the communicator has none.
    pub fn neighbors(&self) -> Result<Neighbors, Error> {
        match self.topology() {
            Some(topology) => topology.neighbors(self.rank()),
            None => {
                let text = format!("{self} has no topology, and so no neighbours");
                Err(Error::new(Class::Topology, text))
            }
        }
    }

    fn intra_only(&self) -> Result<Team, Error> {
        if self.is_inter() {
            let text = format!("{self} is an inter-communicator; this call needs one group");
            return Err(Error::new(Class::Comm, text));
        }
        Ok(self.team())
    }
}

fn len_of(buffer: &Option<Buffer>) -> usize {
    buffer.as_ref().map_or(0, Buffer::len)
}

/// `MPI_Barrier` (MPI 5.0, 6.3).
#[inline(always)]
pub fn barrier(comm: &Comm) -> impl Begin {
    Barrier(comm.team(), comm.inter())
}

#[derive(Clone)]
struct Barrier(Team, Option<Inter>);

impl Begin for Barrier {
    fn begin(self, port: &Port, rules: &Rules) -> Running {
        match self.1 {
            None => coll::barrier_by(port, rules, self.0),
            Some(inter) => coll::inter_barrier(port, inter),
        }
    }

    #[inline]
    fn node_call(&self) -> Option<NodeCall<'_>> {
        self.1.is_none().then_some(NodeCall::Barrier)
    }

    fn signature(&self, _: &Rules) -> Signature {
        Signature::new(Function::Barrier)
    }
}

/// `MPI_Bcast` (MPI 5.0, 6.4).
#[inline(always)]
pub fn bcast(role: RootedRole, buffer: Buffer) -> impl Begin {
    Bcast { role, buffer }
}

#[derive(Clone)]
struct Bcast {
    role: RootedRole,
    buffer: Buffer,
}

impl Begin for Bcast {
    fn begin(self, port: &Port, rules: &Rules) -> Running {
        match self.role {
            RootedRole::Intra(team, root) => coll::bcast(port, rules, team, root, self.buffer),
            RootedRole::Inter(inter, root) => {
                coll::inter_bcast(port, rules, inter, root, self.buffer)
            }
        }
    }

    #[inline]
    fn node_call(&self) -> Option<NodeCall<'_>> {
        Some(NodeCall::Bcast(self.role.intra_root()?, &self.buffer))
    }

    fn signature(&self, rules: &Rules) -> Signature {
        let signature = self.role.sign(Function::Bcast);
        match self.role {
            RootedRole::Intra(team, _) => {
                let algorithm = rules.bcast(team.size, self.buffer.len());
                signature.with_shape(algorithm as u8)
            }
            RootedRole::Inter(..) => signature,
        }
    }
}

/// `MPI_Gather` (MPI 5.0, 6.5); `recv` is all blocks, at the root.
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` elsewhere than at the root.
#[inline(always)]
pub fn gather(
    role: RootedRole,
    send: Option<Buffer>,
    recv: Option<Buffer>,
) -> Result<impl Begin, Error> {
    ByRoot::new(Direction::Gather, role, send, recv)
}

/// A gather or a scatter of blocks of one length.
#[derive(Clone)]
struct ByRoot {
    direction: Direction,
    role: RootedRole,
    /// The block that this process sends in a gather, or receives in a scatter.
    own: Option<Buffer>,
    /// The blocks of all, at the root.
    all: Option<Buffer>,
}

#[derive(Clone, Copy)]
enum Direction {
    Gather,
    Scatter,
}

impl ByRoot {
    #[inline(always)]
    fn new(
        direction: Direction,
        role: RootedRole,
        own: Option<Buffer>,
        all: Option<Buffer>,
    ) -> Result<ByRoot, Error> {
        check_in_place(role, own.as_ref())?;
        let blocks = all.clone().map(|all| Blocks::even(all, role.blocks()));
        check_distinct_at_root(role, own.as_ref(), blocks.as_ref())?;
        Ok(ByRoot {
            direction,
            role,
            own,
            all,
        })
    }
}

impl Begin for ByRoot {
    fn begin(self, port: &Port, rules: &Rules) -> Running {
        let (own, all) = (self.own, self.all);
        match (self.direction, self.role) {
            (Direction::Gather, RootedRole::Intra(team, root)) => {
                coll::gather(port, rules, team, root, own, all)
            }
            (Direction::Gather, RootedRole::Inter(inter, root)) => {
                coll::inter_gather(port, rules, inter, root, own, all)
            }
            (Direction::Scatter, RootedRole::Intra(team, root)) => {
                coll::scatter(port, rules, team, root, all, own)
            }
            (Direction::Scatter, RootedRole::Inter(inter, root)) => {
                coll::inter_scatter(port, rules, inter, root, all, own)
            }
        }
    }

    #[inline]
    fn node_call(&self) -> Option<NodeCall<'_>> {
        let (root, own, all) = (
            self.role.intra_root()?,
            self.own.as_ref(),
            self.all.as_ref(),
        );
        Some(match self.direction {
            Direction::Gather => NodeCall::Gather(root, own, all),
            Direction::Scatter => NodeCall::Scatter(root, all, own),
        })
    }

    fn signature(&self, rules: &Rules) -> Signature {
        let signature = self.role.sign(match self.direction {
            Direction::Gather => Function::Gather,
            Direction::Scatter => Function::Scatter,
        });
        let RootedRole::Intra(team, _) = self.role else {
            return signature;
        };
        let block = match self.role.is_root() {
            true => len_of(&self.all) / team.size as usize,
            false => len_of(&self.own),
        };
        signature.with_shape(match self.direction {
            Direction::Gather => rules.gather(team.size, block) as u8,
            Direction::Scatter => rules.scatter(team.size, block) as u8,
        })
    }
}

/// `MPI_Gatherv` (MPI 5.0, 6.5); `recv` is a block per process, at the root.
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` elsewhere than at the root.
pub fn gatherv(
    role: RootedRole,
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Result<impl Begin, Error> {
    check_in_place(role, send.as_ref())?;
    check_distinct_at_root(role, send.as_ref(), recv.as_ref())?;
    let begin = move |port: &Port, _: &Rules| match role {
        RootedRole::Intra(team, root) => coll::gatherv(port, team, root, send, recv),
        RootedRole::Inter(_, root) => coll::inter_gatherv(port, root, send, recv),
    };
    Ok(Signed(role.sign(Function::Gatherv), begin))
}

/// `MPI_Scatter` (MPI 5.0, 6.6); `send` is all blocks, at the root.
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` elsewhere than at the root.
#[inline(always)]
pub fn scatter(
    role: RootedRole,
    send: Option<Buffer>,
    recv: Option<Buffer>,
) -> Result<impl Begin, Error> {
    ByRoot::new(Direction::Scatter, role, recv, send)
}

/// `MPI_Scatterv` (MPI 5.0, 6.6); `send` is a block per process, at the root.
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` elsewhere than at the root.
pub fn scatterv(
    role: RootedRole,
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Result<impl Begin, Error> {
    check_in_place(role, recv.as_ref())?;
    check_distinct_at_root(role, recv.as_ref(), send.as_ref())?;
    let begin = move |port: &Port, _: &Rules| match role {
        RootedRole::Intra(team, root) => coll::scatterv(port, team, root, send, recv),
        RootedRole::Inter(_, root) => coll::inter_scatterv(port, root, send, recv),
    };
    Ok(Signed(role.sign(Function::Scatterv), begin))
}

/// `MPI_Allgather` and `MPI_Allgatherv` (MPI 5.0, 6.7): those of one length come as
/// [`Blocks::Even`].
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` in an inter-communicator.
#[inline(always)]
pub fn allgather(comm: &Comm, send: Option<Buffer>, recv: Blocks) -> Result<impl Begin, Error> {
    let (team, inter) = (comm.team(), comm.inter());
    if inter.is_some() && send.is_none() {
        return Err(in_place_between());
    }
    check_distinct_from_all(comm, send.as_ref(), &recv)?;
    Ok(Allgather {
        team,
        inter,
        send,
        recv,
    })
}

#[derive(Clone)]
struct Allgather {
    team: Team,
    inter: Option<Inter>,
    send: Option<Buffer>,
    recv: Blocks,
}

impl Begin for Allgather {
    fn begin(self, port: &Port, rules: &Rules) -> Running {
        match (self.inter, self.send) {
            (Some(inter), Some(send)) => match self.recv {
                Blocks::Even { whole, .. } => {
                    coll::inter_allgather(port, rules, inter, send, whole)
                }
                listed => coll::inter_allgatherv(port, rules, inter, send, listed),
            },
            (_, send) => coll::allgather(port, rules, self.team, send, self.recv),
        }
    }

    #[inline]
    fn node_call(&self) -> Option<NodeCall<'_>> {
        let intra = self.inter.is_none();
        intra.then_some(NodeCall::Allgather(self.send.as_ref(), &self.recv))
    }

    fn signature(&self, rules: &Rules) -> Signature {
        let function = match self.recv {
            Blocks::Even { .. } => Function::Allgather,
            Blocks::Listed(_) => Function::Allgatherv,
        };
        let signature = Signature::new(function);
        match self.inter {
            Some(_) => signature,
            None => {
                let (ranks, bytes) = (self.team.size, self.recv.len());
                let algorithm = match function {
                    Function::Allgather => rules.allgather(ranks, bytes),
                    _ => rules.allgatherv(ranks, bytes),
                };
                signature.with_shape(algorithm as u8)
            }
        }
    }
}

/// `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw` (MPI 5.0, 6.8): the first has
/// [`Blocks::Even`].
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` in an inter-communicator.
#[inline(always)]
pub fn alltoall(comm: &Comm, send: Option<Blocks>, recv: Blocks) -> Result<impl Begin, Error> {
    let (team, inter) = (comm.team(), comm.inter());
    if inter.is_some() && send.is_none() {
        return Err(in_place_between());
    }
    check_distinct(send.as_ref().and_then(Blocks::first), recv.first())?;
    Ok(Alltoall {
        team,
        inter,
        send,
        recv,
    })
}

#[derive(Clone)]
struct Alltoall {
    team: Team,
    inter: Option<Inter>,
    send: Option<Blocks>,
    recv: Blocks,
}

impl Begin for Alltoall {
    fn begin(self, port: &Port, rules: &Rules) -> Running {
        let recv = self.recv;
        match (self.inter, self.send) {
            (Some(inter), Some(send)) => coll::inter_alltoall(port, rules, inter, send, recv),
            (_, send) => match recv {
                Blocks::Even { .. } => coll::alltoall(port, rules, self.team, send, recv),
                Blocks::Listed(_) => coll::alltoallv(port, rules, self.team, send, recv),
            },
        }
    }

    #[inline]
    fn node_call(&self) -> Option<NodeCall<'_>> {
        let intra = self.inter.is_none();
        intra.then_some(NodeCall::Alltoall(self.send.as_ref(), &self.recv))
    }

    fn signature(&self, rules: &Rules) -> Signature {
        let function = match self.recv {
            Blocks::Even { .. } => Function::Alltoall,
            Blocks::Listed(_) => Function::Alltoallv,
        };
        let signature = Signature::new(function);
        match (self.inter, &self.recv) {
            (None, Blocks::Even { .. }) => {
                let block = self.recv.len() / self.team.size as usize;
                signature.with_shape(rules.alltoall(self.team.size, block) as u8)
            }
            _ => signature,
        }
    }
}

/// `MPI_Reduce` (MPI 5.0, 6.9.1). The vector has a receive buffer at the root.
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` elsewhere than at the root.
#[inline(always)]
pub fn reduce(role: RootedRole, reduction: Reduction, vector: Vector) -> Result<impl Begin, Error> {
    check_in_place(role, vector.send.as_ref())?;
    check_distinct(vector.send.as_ref(), vector.recv.as_ref())?;
    Ok(Reduce {
        role,
        reduction,
        vector,
    })
}

#[derive(Clone)]
struct Reduce {
    role: RootedRole,
    reduction: Reduction,
    vector: Vector,
}

impl Begin for Reduce {
    fn begin(self, port: &Port, rules: &Rules) -> Running {
        let (reduction, vector) = (self.reduction, self.vector);
        match self.role {
            RootedRole::Intra(team, root) => {
                coll::reduce(port, rules, team, root, reduction, vector)
            }
            RootedRole::Inter(inter, root) => {
                coll::inter_reduce(port, rules, inter, root, reduction, vector)
            }
        }
    }

    fn begin_in_order(self, port: &Port, rules: &Rules, _radix: u32) -> Running {
        let RootedRole::Intra(team, root) = self.role else {
            return self.begin(port, rules);
        };
        coll::reduce_in_order(port, rules, team, root, self.reduction, self.vector)
    }

    #[inline]
    fn node_call(&self) -> Option<NodeCall<'_>> {
        let root = self.role.intra_root()?;
        Some(NodeCall::Reduce(root, &self.reduction, &self.vector))
    }

    fn signature(&self, rules: &Rules) -> Signature {
        let signature = Signature::new(Function::Reduce);
        let RootedRole::Intra(team, root) = self.role else {
            return signature;
        };
        let signature = signature.with_operator(&self.reduction);
        let own = self.vector.send.as_ref().or(self.vector.recv.as_ref());
        let bytes = own.map_or(0, Buffer::len);
        let algorithm = rules.reduce(team.size, bytes, self.reduction.commutative());
        signature.with_root(Some(root)).with_shape(algorithm as u8)
    }
}

/// `MPI_Allreduce` (MPI 5.0, 6.9.6).
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` in an inter-communicator.
#[inline(always)]
pub fn allreduce(comm: &Comm, reduction: Reduction, vector: Vector) -> Result<impl Begin, Error> {
    let (team, inter) = (comm.team(), comm.inter());
    if inter.is_some() && vector.send.is_none() {
        return Err(in_place_between());
    }
    check_distinct(vector.send.as_ref(), vector.recv.as_ref())?;
    Ok(Allreduce {
        team,
        inter,
        reduction,
        vector,
    })
}

#[derive(Clone)]
struct Allreduce {
    team: Team,
    inter: Option<Inter>,
    reduction: Reduction,
    vector: Vector,
}

impl Begin for Allreduce {
    fn begin(self, port: &Port, rules: &Rules) -> Running {
        let (reduction, vector) = (self.reduction, self.vector);
        match self.inter {
            None => coll::allreduce(port, rules, self.team, reduction, vector),
            Some(inter) => coll::inter_allreduce(port, rules, inter, reduction, vector),
        }
    }

    fn begin_in_order(self, port: &Port, rules: &Rules, radix: u32) -> Running {
        coll::allreduce_in_order(port, rules, self.team, radix, self.reduction, self.vector)
    }

    #[inline]
    fn node_call(&self) -> Option<NodeCall<'_>> {
        let intra = self.inter.is_none();
        intra.then_some(NodeCall::Allreduce(&self.reduction, &self.vector))
    }

    fn signature(&self, rules: &Rules) -> Signature {
        let signature = Signature::new(Function::Allreduce);
        if self.inter.is_some() {
            // Each group may combine by an operation of its own.
            return signature;
        }
        let bytes = len_of(&self.vector.recv);
        let commutes = self.reduction.commutative();
        let algorithm = rules.allreduce(self.team.size, bytes, commutes);
        let signature = signature.with_operator(&self.reduction);
        signature.with_shape(algorithm as u8)
    }
}

/// Begins `MPI_Reduce_scatter` or `MPI_Reduce_scatter_block` (MPI 5.0, 6.10). In place, `recv` is
/// the whole contribution.
///
/// # Errors
/// `Buffer` for `MPI_IN_PLACE` in an inter-communicator.
pub fn reduce_scatter(
    comm: &Comm,
    reduction: Reduction,
    send: Option<Buffer>,
    recv: Buffer,
    counts: Counts,
) -> Result<impl Begin, Error> {
    let (team, inter) = (comm.team(), comm.inter());
    if inter.is_some() && send.is_none() {
        return Err(in_place_between());
    }
    check_distinct(send.as_ref(), Some(&recv))?;
    let function = match counts {
        Counts::Even(_) => Function::ReduceScatterBlock,
        Counts::Listed(_) => Function::ReduceScatter,
    };
    let signature = match inter {
        None => Signature::new(function).with_operator(&reduction),
        Some(_) => Signature::new(function),
    };
    let dealt = ReduceScatterArgs { send, recv, counts };
    let begin = move |port: &Port, rules: &Rules| match inter {
        None => coll::reduce_scatter(port, rules, team, reduction, dealt),
        Some(inter) => coll::inter_reduce_scatter(port, rules, inter, reduction, dealt),
    };
    Ok(Signed(signature, begin))
}

/// `MPI_Scan` (MPI 5.0, 6.11.1).
///
/// # Errors
/// `Comm` in an inter-communicator.
pub fn scan(comm: &Comm, reduction: Reduction, vector: Vector) -> Result<impl Begin, Error> {
    let team = comm.intra_only()?;
    check_distinct(vector.send.as_ref(), vector.recv.as_ref())?;
    let signature = Signature::new(Function::Scan).with_operator(&reduction);
    Ok(Signed(signature, move |port: &Port, rules: &Rules| {
        coll::scan(port, rules, team, reduction, vector)
    }))
}

/// `MPI_Exscan` (MPI 5.0, 6.11.2).
///
/// # Errors
/// `Comm` in an inter-communicator.
pub fn exscan(comm: &Comm, reduction: Reduction, vector: Vector) -> Result<impl Begin, Error> {
    let team = comm.intra_only()?;
    check_distinct(vector.send.as_ref(), vector.recv.as_ref())?;
    let signature = Signature::new(Function::Exscan).with_operator(&reduction);
    Ok(Signed(signature, move |port: &Port, rules: &Rules| {
        coll::exscan(port, rules, team, reduction, vector)
    }))
}

/// `MPI_Neighbor_allgather` and `MPI_Neighbor_allgatherv` (MPI 5.0, 8.6.1): `recv` has a block
/// per source.
pub fn neighbor_allgather(
    comm: &Comm,
    neighbors: Neighbors,
    send: Buffer,
    recv: Blocks,
) -> impl Begin {
    let (team, routes) = (comm.team(), comm.routes.clone());
    let begin = move |port: &Port, rules: &Rules| {
        coll::neighbor_allgather(port, rules, team, neighbors, routes.as_ref(), send, recv)
    };
    Signed(Signature::new(Function::NeighborAllgather), begin)
}

/// `MPI_Neighbor_alltoall`, `MPI_Neighbor_alltoallv` and `MPI_Neighbor_alltoallw` (MPI 5.0,
/// 8.6.2): `send` has a block per destination, `recv` one per source.
pub fn neighbor_alltoall(
    comm: &Comm,
    neighbors: Neighbors,
    send: Blocks,
    recv: Blocks,
) -> impl Begin {
    let (team, routes) = (comm.team(), comm.routes.clone());
    let begin = move |port: &Port, rules: &Rules| {
        coll::neighbor_alltoall(port, rules, team, neighbors, routes.as_ref(), send, recv)
    };
    Signed(Signature::new(Function::NeighborAlltoall), begin)
}

/// Refuses a missing block where it does not stand for `MPI_IN_PLACE` at the root.
fn check_in_place(role: RootedRole, block: Option<&Buffer>) -> Result<(), Error> {
    let allowed = matches!(role, RootedRole::Intra(..)) && role.is_root();
    if block.is_none() && role.has_block() && !allowed {
        return Err(in_place("at the root of an intra-communicator"));
    }
    Ok(())
}
