//! Groups (MPI 5.0, 7.3).

use mpi::group::Range;
use mpi::Comparison;

use crate::args::{self, Group};
use crate::failure::Failure;
use crate::generated::constants::{
    MPI_CONGRUENT, MPI_ERR_ARG, MPI_ERR_GROUP, MPI_GROUP_EMPTY, MPI_GROUP_NULL, MPI_IDENT,
    MPI_PROC_NULL, MPI_SIMILAR, MPI_UNDEFINED, MPI_UNEQUAL,
};
use crate::runtime;

/// `MPI_Group_size`.
pub unsafe fn group_size(group: Group, size: *mut i32) -> Result<(), Failure> {
    let members = look_up(group)?.size();
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(size, members as i32, "size") }
}

/// `MPI_Group_rank`: the caller's rank, `MPI_UNDEFINED` where it is not a member.
pub unsafe fn group_rank(group: Group, rank: *mut i32) -> Result<(), Failure> {
    let me = runtime::get().process()?.identity.peer;
    let found = look_up(group)?.rank(me);
    let value = found.map_or(MPI_UNDEFINED, |rank| rank.0 as i32);
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(rank, value, "rank") }
}

/// `MPI_Group_translate_ranks`.
pub unsafe fn group_translate_ranks(
    group1: Group,
    n: i32,
    ranks1: *const i32,
    group2: Group,
    ranks2: *mut i32,
) -> Result<(), Failure> {
    let (from, to) = (look_up(group1)?, look_up(group2)?);
    let count = length(n)?;
    if ranks2.is_null() && count > 0 {
        return Err(Failure::new(MPI_ERR_ARG, "ranks2 is a null pointer"));
    }
    // SAFETY: MPI's caller gives `n` ranks.
    let ranks = unsafe { args::array(ranks1, count, "ranks1") }?;
    for (at, rank) in ranks.into_iter().enumerate() {
        let translated = match rank {
            MPI_PROC_NULL => MPI_PROC_NULL,
            rank => from
                .translate(rank, &to)?
                .map_or(MPI_UNDEFINED, |rank| rank.0 as i32),
        };
        // SAFETY: MPI's caller gives room for `n` ranks, and `at` is below that.
        unsafe { ranks2.add(at).write(translated) };
    }
    Ok(())
}

/// `MPI_Group_compare`.
pub unsafe fn group_compare(group1: Group, group2: Group, result: *mut i32) -> Result<(), Failure> {
    let value = comparison(look_up(group1)?.compare(&look_up(group2)?));
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(result, value, "result") }
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
pub unsafe fn group_union(
    group1: Group,
    group2: Group,
    newgroup: *mut Group,
) -> Result<(), Failure> {
    let group = look_up(group1)?.union(&look_up(group2)?);
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(newgroup, group) }
}

/// `MPI_Group_intersection`.
pub unsafe fn group_intersection(
    group1: Group,
    group2: Group,
    newgroup: *mut Group,
) -> Result<(), Failure> {
    let group = look_up(group1)?.intersection(&look_up(group2)?);
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(newgroup, group) }
}

/// `MPI_Group_difference`.
pub unsafe fn group_difference(
    group1: Group,
    group2: Group,
    newgroup: *mut Group,
) -> Result<(), Failure> {
    let group = look_up(group1)?.difference(&look_up(group2)?);
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(newgroup, group) }
}

/// `MPI_Group_incl`.
pub unsafe fn group_incl(
    group: Group,
    n: i32,
    ranks: *const i32,
    newgroup: *mut Group,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives `n` ranks and a place for a handle.
    unsafe {
        let ranks = args::array(ranks, length(n)?, "ranks")?;
        give(newgroup, look_up(group)?.incl(&ranks)?)
    }
}

/// `MPI_Group_excl`.
pub unsafe fn group_excl(
    group: Group,
    n: i32,
    ranks: *const i32,
    newgroup: *mut Group,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives `n` ranks and a place for a handle.
    unsafe {
        let ranks = args::array(ranks, length(n)?, "ranks")?;
        give(newgroup, look_up(group)?.excl(&ranks)?)
    }
}

/// `MPI_Group_range_incl`.
pub unsafe fn group_range_incl(
    group: Group,
    n: i32,
    ranges: *mut [i32; 3],
    newgroup: *mut Group,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives `n` triplets and a place for a handle.
    unsafe {
        let ranges = triplets(n, ranges)?;
        give(newgroup, look_up(group)?.range_incl(&ranges)?)
    }
}

/// `MPI_Group_range_excl`.
pub unsafe fn group_range_excl(
    group: Group,
    n: i32,
    ranges: *mut [i32; 3],
    newgroup: *mut Group,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives `n` triplets and a place for a handle.
    unsafe {
        let ranges = triplets(n, ranges)?;
        give(newgroup, look_up(group)?.range_excl(&ranges)?)
    }
}

/// `MPI_Group_free`. The empty group may be freed too, since calls return it like any other.
pub unsafe fn group_free(group: *mut Group) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives the place of a handle.
    let handle = unsafe { args::read(group, "group") }?;
    if handle != MPI_GROUP_EMPTY {
        runtime::get().tables.enter().groups.remove(handle)?;
    }
    // SAFETY: as above.
    unsafe { args::write(group, MPI_GROUP_NULL, "group") }
}

/// Gives the user a handle for a group.
///
/// # Safety
/// A place that is not null may be written.
pub(crate) unsafe fn give(place: *mut Group, group: mpi::Group) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::new(MPI_ERR_ARG, "newgroup is a null pointer"));
    }
    let handle = runtime::get().tables.enter().group_handle(group)?;
    // SAFETY: the caller promises it.
    unsafe { args::write(place, handle, "newgroup") }
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

/// # Safety
/// A pointer that is not null points to `n` triplets.
unsafe fn triplets(n: i32, ranges: *mut [i32; 3]) -> Result<Vec<Range>, Failure> {
    // SAFETY: the caller promises it.
    let ranges = unsafe { args::array(ranges.cast_const(), length(n)?, "ranges") }?;
    let range = |[first, last, stride]: [i32; 3]| Range {
        first,
        last,
        stride,
    };
    Ok(ranges.into_iter().map(range).collect())
}
