//! The number of descriptors that a launcher needs for its ranks. If it exceeds the limit of one
//! process, the ranks of a machine are divided among this process and daemons beside it.

use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};

use crate::ranks::process::OpenFiles;
use launch_plan::Error;

/// Descriptors of a rank: its connection, its standard output and error.
const PER_RANK: u64 = 3;
/// Descriptors of a daemon beside this process: the three streams that lead to it.
const PER_DAEMON: u64 = 3;
/// Descriptors of everything else.
const OWN: u64 = 64;

/// The first rank of each process that shares `ranks` on this machine: of one, where one may have
/// descriptors enough.
///
/// # Errors
/// When the hard limit is too low for any number of processes.
pub fn shares(ranks: u32) -> Result<Vec<u32>, Error> {
    let limit = getrlimit(Resource::Nofile).maximum;
    let limit = limit.unwrap_or(u64::MAX);
    shares_within(ranks, limit).ok_or_else(|| refused(ranks, limit))
}

fn shares_within(ranks: u32, limit: u64) -> Option<Vec<u32>> {
    for processes in 1.. {
        let taken = OWN + PER_DAEMON * (processes - 1);
        let room = limit.saturating_sub(taken) / PER_RANK;
        if room == 0 && ranks > 0 {
            return None;
        }
        if u64::from(ranks).div_ceil(processes) <= room {
            let first = |nth: u64| (nth * u64::from(ranks)).div_ceil(processes) as u32;
            return Some((0..processes).map(first).collect());
        }
    }
    None
}

/// Raises the limit where that is too low for a launcher of one rank. Returns the old limits if
/// they were changed: the ranks get those back.
pub(crate) fn make_own_room() -> Result<Option<OpenFiles>, Error> {
    make_room(1)
}

/// Raises the limit to the descriptors that `ranks` ranks need. Returns the old limits if they were
/// changed: the ranks get those back.
pub(crate) fn make_room(ranks: u32) -> Result<Option<OpenFiles>, Error> {
    let old = getrlimit(Resource::Nofile);
    let wanted = PER_RANK * u64::from(ranks) + OWN;
    if old.current.is_none_or(|soft| soft >= wanted) {
        return Ok(None);
    }
    if let Some(limit) = old.maximum.filter(|&hard| hard < wanted) {
        return Err(refused(ranks, limit));
    }
    let new = Rlimit {
        current: Some(wanted),
        maximum: old.maximum,
    };
    setrlimit(Resource::Nofile, new).map_err(Error::system("raising the limit of open files"))?;
    Ok(Some((old.current, old.maximum)))
}

fn refused(ranks: u32, limit: u64) -> Error {
    Error::OpenFiles {
        ranks,
        wanted: PER_RANK * u64::from(ranks) + OWN,
        limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shared_where_one_process_may_not_have_enough() {
        assert_eq!(shares_within(320, 1024), Some(vec![0]));
        assert_eq!(shares_within(321, 1024), Some(vec![0, 161]));
        assert_eq!(shares_within(1000, 1024), Some(vec![0, 250, 500, 750]));
        assert_eq!(shares_within(0, 0), Some(vec![0]));
        assert_eq!(shares_within(1, 64), None);
        assert_eq!(shares_within(1000, 80), None);
        for (ranks, limit) in [(512, 1024), (1000, 1024), (100, 128), (7, 80), (5000, 512)] {
            let shares = shares_within(ranks, limit).unwrap();
            let ends = shares[1..].iter().copied().chain([ranks]);
            let sizes: Vec<u32> = ends.zip(&shares).map(|(end, first)| end - first).collect();
            assert_eq!(sizes.iter().sum::<u32>(), ranks);
            let daemons = shares.len() as u64 - 1;
            for (nth, size) in sizes.into_iter().enumerate() {
                let beside = if nth == 0 { PER_DAEMON * daemons } else { 0 };
                assert!(
                    u64::from(size) * PER_RANK + OWN + beside <= limit,
                    "{ranks} {limit}"
                );
            }
        }
    }
}
