//! Groups (MPI 5.0, 7.3).

use abi_state::args::{self, Group, InOut, List, Out, OutList};
use abi_state::failure::Failure;
use abi_state::generated::constants::{
    MPI_CONGRUENT, MPI_ERR_ARG, MPI_ERR_GROUP, MPI_GROUP_EMPTY, MPI_GROUP_NULL, MPI_IDENT,
    MPI_PROC_NULL, MPI_SIMILAR, MPI_UNDEFINED, MPI_UNEQUAL,
};
use abi_state::runtime;
use mpi::group::Range;
use mpi::Comparison;

/// `MPI_Group_size`.
pub fn group_size(group: Group, size: Out<i32>) -> Result<(), Failure> {
    let members = look_up(group)?.size();
    size.set(members as i32)
}

/// `MPI_Group_rank`: the caller's rank, `MPI_UNDEFINED` where it is not a member.
pub fn group_rank(group: Group, rank: Out<i32>) -> Result<(), Failure> {
    let me = runtime::get().process()?.identity.peer;
    let found = look_up(group)?.rank(me);
    let value = found.map_or(MPI_UNDEFINED, |rank| rank.0 as i32);
    rank.set(value)
}

/// `MPI_Group_translate_ranks`.
pub fn group_translate_ranks(
    group1: Group,
    n: i32,
    ranks1: List<i32>,
    group2: Group,
    ranks2: OutList<i32>,
) -> Result<(), Failure> {
    let (from, to) = (look_up(group1)?, look_up(group2)?);
    let count = length(n)?;
    if ranks2.is_null() && count > 0 {
        return Err(args::null("ranks2"));
    }
    let ranks = ranks1.to_vec()?;
    for (at, rank) in ranks.into_iter().enumerate() {
        let translated = match rank {
            MPI_PROC_NULL => MPI_PROC_NULL,
            rank => from
                .translate(rank, &to)?
                .map_or(MPI_UNDEFINED, |rank| rank.0 as i32),
        };
        ranks2.set(at, translated)?;
    }
    Ok(())
}

/// `MPI_Group_compare`.
pub fn group_compare(group1: Group, group2: Group, result: Out<i32>) -> Result<(), Failure> {
    let value = comparison(look_up(group1)?.compare(&look_up(group2)?));
    result.set(value)
}

/// The ABI's constant for a comparison.
pub(crate) fn comparison(comparison: Comparison) -> i32 {
    match comparison {
        Comparison::Identical => MPI_IDENT,
        Comparison::Congruent => MPI_CONGRUENT,
        Comparison::Similar => MPI_SIMILAR,
        Comparison::Unequal => MPI_UNEQUAL,
    }
}

/// `MPI_Group_union`.
pub fn group_union(group1: Group, group2: Group, newgroup: Out<Group>) -> Result<(), Failure> {
    let group = look_up(group1)?.union(&look_up(group2)?);
    give(newgroup, group)
}

/// `MPI_Group_intersection`.
pub fn group_intersection(
    group1: Group,
    group2: Group,
    newgroup: Out<Group>,
) -> Result<(), Failure> {
    let group = look_up(group1)?.intersection(&look_up(group2)?);
    give(newgroup, group)
}

/// `MPI_Group_difference`.
pub fn group_difference(group1: Group, group2: Group, newgroup: Out<Group>) -> Result<(), Failure> {
    let group = look_up(group1)?.difference(&look_up(group2)?);
    give(newgroup, group)
}

/// `MPI_Group_incl`.
pub fn group_incl(
    group: Group,
    n: i32,
    ranks: List<i32>,
    newgroup: Out<Group>,
) -> Result<(), Failure> {
    length(n)?;
    let ranks = ranks.to_vec()?;
    give(newgroup, look_up(group)?.incl(&ranks)?)
}

/// `MPI_Group_excl`.
pub fn group_excl(
    group: Group,
    n: i32,
    ranks: List<i32>,
    newgroup: Out<Group>,
) -> Result<(), Failure> {
    length(n)?;
    let ranks = ranks.to_vec()?;
    give(newgroup, look_up(group)?.excl(&ranks)?)
}

/// `MPI_Group_range_incl`.
pub fn group_range_incl(
    group: Group,
    n: i32,
    ranges: List<[i32; 3]>,
    newgroup: Out<Group>,
) -> Result<(), Failure> {
    let ranges = triplets(n, ranges)?;
    give(newgroup, look_up(group)?.range_incl(&ranges)?)
}

/// `MPI_Group_range_excl`.
pub fn group_range_excl(
    group: Group,
    n: i32,
    ranges: List<[i32; 3]>,
    newgroup: Out<Group>,
) -> Result<(), Failure> {
    let ranges = triplets(n, ranges)?;
    give(newgroup, look_up(group)?.range_excl(&ranges)?)
}

/// `MPI_Group_free`. The empty group may be freed too, since calls return it like any other.
pub fn group_free(group: InOut<Group>) -> Result<(), Failure> {
    let handle = group.get()?;
    if handle != MPI_GROUP_EMPTY {
        runtime::get().tables.enter().groups.remove(handle)?;
    }
    group.set(MPI_GROUP_NULL)
}

/// Gives the user a handle for a group.
pub(crate) fn give(newgroup: Out<Group>, group: mpi::Group) -> Result<(), Failure> {
    let handle = runtime::get().tables.enter().group_handle(group)?;
    newgroup.set(handle)
}

fn look_up(handle: Group) -> Result<mpi::Group, Failure> {
    if handle == MPI_GROUP_NULL {
        return Err(Failure::new(MPI_ERR_GROUP, "the group is MPI_GROUP_NULL"));
    }
    runtime::get().tables.enter().group(handle)
}

fn length(n: i32) -> Result<usize, Failure> {
    usize::try_from(n).map_err(|_| Failure::new(MPI_ERR_ARG, format!("n is {n}, below zero")))
}

fn triplets(n: i32, ranges: List<[i32; 3]>) -> Result<Vec<Range>, Failure> {
    length(n)?;
    let ranges = ranges.to_vec()?;
    let range = |[first, last, stride]: [i32; 3]| Range {
        first,
        last,
        stride,
    };
    Ok(ranges.into_iter().map(range).collect())
}
