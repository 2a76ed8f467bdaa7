//! Synchronisation of windows (MPI 5.0, 12.5).

use std::sync::Arc;

use abi_state::args::{Group, Out, Win};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use abi_state::tables::WinEntry;
use base::Rank;
use mpi_win::{Lock, Window};

/// Runs `act`, which must not wait, on a window inside the table of handles. Returns its result;
/// false if the window is invalid.
#[inline(always)]
fn at_once(win: Win, act: impl FnOnce(&Window) -> bool) -> bool {
    let tables = runtime::get().tables.enter();
    tables.wins.get(win).is_ok_and(|entry| act(&entry.window))
}

/// Runs `act` as [`at_once`] does, and makes progress after some of the calls.
#[inline(always)]
fn at_once_with_progress(win: Win, act: impl FnOnce(&Window) -> bool) -> bool {
    let mut owes = false;
    let done = at_once(win, |window| {
        let done = act(window);
        owes = done && window.owes_progress();
        done
    });
    if owes {
        move_on(win);
    }
    done
}

/// Makes progress on messages and non-blocking collectives, without waiting.
#[cold]
#[inline(never)]
fn move_on(win: Win) {
    // If another thread has freed the window meanwhile, that thread has made progress.
    if let Ok(entry) = runtime::get().win(win) {
        entry.window.make_progress();
    }
}

/// Runs `part` with a group inside the table of handles, so `part` must not wait.
fn with_group(
    handle: Group,
    part: impl FnOnce(&mpi::Group) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if handle == MPI_GROUP_EMPTY {
        return part(&mpi::Group::empty());
    }
    part(runtime::get().tables.enter().groups.get(handle)?)
}

/// Checks that an assertion has only bits that the call allows, and returns it.
fn assertion(assert: i32, known: i32) -> Result<i32, Failure> {
    if assert & !known != 0 {
        let text = format!("assert is {assert:#x}, where {known:#x} has all that may be asserted");
        return Err(Failure::new(MPI_ERR_ASSERT, text));
    }
    Ok(assert)
}

/// Returns the window and the target that the arguments name; no target for `MPI_PROC_NULL`.
fn target(win: Win, rank: i32) -> Result<(Arc<WinEntry>, Option<Rank>), Failure> {
    let entry = runtime::get().win(win)?;
    let target = match rank {
        MPI_PROC_NULL => None,
        rank => Some(entry.window.target(rank)?),
    };
    Ok((entry, target))
}

/// `MPI_Win_fence` (MPI 5.0, 12.5.1).
pub fn win_fence(assert: i32, win: Win) -> Result<(), Failure> {
    let known = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
    let assert = assertion(assert, known)?;
    let last = assert & MPI_MODE_NOSUCCEED != 0;
    Ok(runtime::get().win(win)?.window.fence(last)?)
}

/// `MPI_Win_start` (MPI 5.0, 12.5.2).
pub fn win_start(group: Group, assert: i32, win: Win) -> Result<(), Failure> {
    let assert = assertion(assert, MPI_MODE_NOCHECK)?;
    let entry = runtime::get().win(win)?;
    with_group(group, |group| {
        Ok(entry.window.start(group, assert & MPI_MODE_NOCHECK == 0)?)
    })
}

/// `MPI_Win_complete` (MPI 5.0, 12.5.2).
pub fn win_complete(win: Win) -> Result<(), Failure> {
    Ok(runtime::get().win(win)?.window.complete()?)
}

/// `MPI_Win_post` (MPI 5.0, 12.5.2).
pub fn win_post(group: Group, assert: i32, win: Win) -> Result<(), Failure> {
    let known = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
    let assert = assertion(assert, known)?;
    let entry = runtime::get().win(win)?;
    with_group(group, |group| {
        Ok(entry.window.post(group, assert & MPI_MODE_NOCHECK == 0)?)
    })
}

/// `MPI_Win_wait` (MPI 5.0, 12.5.2).
pub fn win_wait(win: Win) -> Result<(), Failure> {
    Ok(runtime::get().win(win)?.window.wait()?)
}

/// `MPI_Win_test` (MPI 5.0, 12.5.2).
pub fn win_test(win: Win, flag: Out<i32>) -> Result<(), Failure> {
    let entry = runtime::get().win(win)?;
    flag.check()?;
    let done = entry.window.test()?;
    flag.set(i32::from(done))
}

/// `MPI_Win_lock` (MPI 5.0, 12.5.3).
pub fn win_lock(lock_type: i32, rank: i32, assert: i32, win: Win) -> Result<(), Failure> {
    let kind = match lock_type {
        MPI_LOCK_EXCLUSIVE => Some(Lock::Exclusive),
        MPI_LOCK_SHARED => Some(Lock::Shared),
        _ => None,
    };
    let taken = |lock| assert == 0 && at_once(win, |window| window.try_lock(rank, lock));
    if kind.is_some_and(taken) {
        return Ok(());
    }
    let (entry, target) = target(win, rank)?;
    let Some(lock) = kind else {
        let text = format!("lock_type is {lock_type}");
        return Err(Failure::new(MPI_ERR_LOCKTYPE, text));
    };
    let assert = assertion(assert, MPI_MODE_NOCHECK)?;
    match target {
        None => Ok(()),
        Some(target) => Ok(entry
            .window
            .lock(target, lock, assert & MPI_MODE_NOCHECK == 0)?),
    }
}

/// `MPI_Win_unlock` (MPI 5.0, 12.5.3).
pub fn win_unlock(rank: i32, win: Win) -> Result<(), Failure> {
    if at_once_with_progress(win, |window| window.try_unlock(rank)) {
        return Ok(());
    }
    match target(win, rank)? {
        (_, None) => Ok(()),
        (entry, Some(target)) => Ok(entry.window.unlock(target)?),
    }
}

/// `MPI_Win_lock_all` (MPI 5.0, 12.5.3).
pub fn win_lock_all(assert: i32, win: Win) -> Result<(), Failure> {
    let entry = runtime::get().win(win)?;
    let assert = assertion(assert, MPI_MODE_NOCHECK)?;
    Ok(entry.window.lock_all(assert & MPI_MODE_NOCHECK == 0)?)
}

/// `MPI_Win_unlock_all` (MPI 5.0, 12.5.3).
pub fn win_unlock_all(win: Win) -> Result<(), Failure> {
    Ok(runtime::get().win(win)?.window.unlock_all()?)
}

/// `MPI_Win_flush` (MPI 5.0, 12.5.4).
pub fn win_flush(rank: i32, win: Win) -> Result<(), Failure> {
    if at_once_with_progress(win, |window| window.try_flush(rank, true)) {
        return Ok(());
    }
    match target(win, rank)? {
        (_, None) => Ok(()),
        (entry, target) => Ok(entry.window.flush(target)?),
    }
}

/// `MPI_Win_flush_all` (MPI 5.0, 12.5.4).
pub fn win_flush_all(win: Win) -> Result<(), Failure> {
    Ok(runtime::get().win(win)?.window.flush(None)?)
}

/// `MPI_Win_flush_local` (MPI 5.0, 12.5.4).
pub fn win_flush_local(rank: i32, win: Win) -> Result<(), Failure> {
    if at_once_with_progress(win, |window| window.try_flush(rank, false)) {
        return Ok(());
    }
    match target(win, rank)? {
        (_, None) => Ok(()),
        (entry, target) => Ok(entry.window.flush_local(target)?),
    }
}

/// `MPI_Win_flush_local_all` (MPI 5.0, 12.5.4).
pub fn win_flush_local_all(win: Win) -> Result<(), Failure> {
    Ok(runtime::get().win(win)?.window.flush_local(None)?)
}

/// `MPI_Win_sync` (MPI 5.0, 12.5.4).
pub fn win_sync(win: Win) -> Result<(), Failure> {
    runtime::get().win(win)?.window.sync();
    Ok(())
}
