//! Synchronisation of windows (MPI 5.0, 12.5).

use std::sync::Arc;

use base::Rank;
use mpi::{Lock, Window};

use super::win::{find, WinEntry};
use crate::args::{self, Group, Win};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime;

/// Does what needs no wait, while nobody else may look at handles. False says that it was not done.
///
/// A macro, so that what is done where there is one thread is part of the entry point: a call of a
/// closure takes as long as a flush.
macro_rules! at_once {
    ($win:expr, $window:ident => $act:expr) => {
        at_once!($win, $window => $act, among others $act)
    };
    ($win:expr, $window:ident => $act:expr, among others $other:expr) => {
        match runtime::get().tables.enter_unshared() {
            Some(tables) => match tables.wins.get($win) {
                Ok(entry) => {
                    let $window: &Window = &entry.window;
                    $act
                }
                Err(_) => false,
            },
            None => among_others($win, |$window| $other),
        }
    };
}

/// The same where other threads may be there.
#[cold]
#[inline(never)]
fn among_others(win: Win, act: impl FnOnce(&Window) -> bool) -> bool {
    let tables = runtime::get().tables.enter();
    let entry = tables.wins.get(win);
    entry.is_ok_and(|entry| act(&entry.window))
}

/// The bits of an assertion, checked against those that a call knows.
fn assertion(assert: i32, known: i32) -> Result<i32, Failure> {
    if assert & !known != 0 {
        let text = format!("assert is {assert:#x}, where {known:#x} has all that may be asserted");
        return Err(Failure::new(MPI_ERR_ASSERT, text));
    }
    Ok(assert)
}

/// The target that an argument names; `None` for `MPI_PROC_NULL`.
fn target(win: Win, rank: i32) -> Result<(Arc<WinEntry>, Option<Rank>), Failure> {
    let entry = find(runtime::get(), win)?;
    let target = match rank {
        MPI_PROC_NULL => None,
        rank => Some(entry.window.target(rank)?),
    };
    Ok((entry, target))
}

/// `MPI_Win_fence` (MPI 5.0, 12.5.1).
pub unsafe fn win_fence(assert: i32, win: Win) -> Result<(), Failure> {
    let known = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
    let assert = assertion(assert, known)?;
    let last = assert & MPI_MODE_NOSUCCEED != 0;
    Ok(find(runtime::get(), win)?.window.fence(last)?)
}

/// `MPI_Win_start` (MPI 5.0, 12.5.2).
pub unsafe fn win_start(group: Group, assert: i32, win: Win) -> Result<(), Failure> {
    let entry = find(runtime::get(), win)?;
    let assert = assertion(assert, MPI_MODE_NOCHECK)?;
    let group = runtime::get().tables.enter().group(group)?;
    Ok(entry.window.start(&group, assert & MPI_MODE_NOCHECK == 0)?)
}

/// `MPI_Win_complete` (MPI 5.0, 12.5.2).
pub unsafe fn win_complete(win: Win) -> Result<(), Failure> {
    Ok(find(runtime::get(), win)?.window.complete()?)
}

/// `MPI_Win_post` (MPI 5.0, 12.5.2).
pub unsafe fn win_post(group: Group, assert: i32, win: Win) -> Result<(), Failure> {
    let entry = find(runtime::get(), win)?;
    let known = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
    let assert = assertion(assert, known)?;
    let group = runtime::get().tables.enter().group(group)?;
    Ok(entry.window.post(&group, assert & MPI_MODE_NOCHECK == 0)?)
}

/// `MPI_Win_wait` (MPI 5.0, 12.5.2).
pub unsafe fn win_wait(win: Win) -> Result<(), Failure> {
    Ok(find(runtime::get(), win)?.window.wait()?)
}

/// `MPI_Win_test` (MPI 5.0, 12.5.2).
pub unsafe fn win_test(win: Win, flag: *mut i32) -> Result<(), Failure> {
    let entry = find(runtime::get(), win)?;
    if flag.is_null() {
        return Err(args::null("flag"));
    }
    let done = entry.window.test()?;
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(flag, i32::from(done), "flag") }
}

/// The shorter way of [`win_lock`].
#[inline(always)]
pub fn win_lock_at_once(lock_type: i32, rank: i32, assert: i32, win: Win) -> bool {
    let lock = match (lock_type, assert) {
        (MPI_LOCK_EXCLUSIVE, 0) => Lock::Exclusive,
        (MPI_LOCK_SHARED, 0) => Lock::Shared,
        _ => return false,
    };
    at_once!(win, window => window.lock_plainly(rank, lock),
        among others window.lock_anew(rank, lock))
}

/// `MPI_Win_lock` (MPI 5.0, 12.5.3).
pub unsafe fn win_lock(lock_type: i32, rank: i32, assert: i32, win: Win) -> Result<(), Failure> {
    let (entry, target) = target(win, rank)?;
    let lock = match lock_type {
        MPI_LOCK_EXCLUSIVE => Lock::Exclusive,
        MPI_LOCK_SHARED => Lock::Shared,
        other => {
            let text = format!("lock_type is {other}");
            return Err(Failure::new(MPI_ERR_LOCKTYPE, text));
        }
    };
    let assert = assertion(assert, MPI_MODE_NOCHECK)?;
    match target {
        None => Ok(()),
        Some(target) => Ok(entry
            .window
            .lock(target, lock, assert & MPI_MODE_NOCHECK == 0)?),
    }
}

/// The shorter way of [`win_unlock`].
#[inline(always)]
pub fn win_unlock_at_once(rank: i32, win: Win) -> bool {
    at_once!(win, window => window.unlock_plainly(rank),
        among others window.unlock_for_good(rank))
}

/// `MPI_Win_unlock` (MPI 5.0, 12.5.3).
pub unsafe fn win_unlock(rank: i32, win: Win) -> Result<(), Failure> {
    match target(win, rank)? {
        (_, None) => Ok(()),
        (entry, Some(target)) => Ok(entry.window.unlock(target)?),
    }
}

/// `MPI_Win_lock_all` (MPI 5.0, 12.5.3).
pub unsafe fn win_lock_all(assert: i32, win: Win) -> Result<(), Failure> {
    let entry = find(runtime::get(), win)?;
    let assert = assertion(assert, MPI_MODE_NOCHECK)?;
    Ok(entry.window.lock_all(assert & MPI_MODE_NOCHECK == 0)?)
}

/// `MPI_Win_unlock_all` (MPI 5.0, 12.5.3).
pub unsafe fn win_unlock_all(win: Win) -> Result<(), Failure> {
    Ok(find(runtime::get(), win)?.window.unlock_all()?)
}

/// The shorter way of [`win_flush`].
#[inline(always)]
pub fn win_flush_at_once(rank: i32, win: Win) -> bool {
    at_once!(win, window => window.flush_plainly(rank, true))
}

/// `MPI_Win_flush` (MPI 5.0, 12.5.4).
pub unsafe fn win_flush(rank: i32, win: Win) -> Result<(), Failure> {
    match target(win, rank)? {
        (_, None) => Ok(()),
        (entry, target) => Ok(entry.window.flush(target)?),
    }
}

/// `MPI_Win_flush_all` (MPI 5.0, 12.5.4).
pub unsafe fn win_flush_all(win: Win) -> Result<(), Failure> {
    Ok(find(runtime::get(), win)?.window.flush(None)?)
}

/// The shorter way of [`win_flush_local`].
#[inline(always)]
pub fn win_flush_local_at_once(rank: i32, win: Win) -> bool {
    at_once!(win, window => window.flush_plainly(rank, false))
}

/// `MPI_Win_flush_local` (MPI 5.0, 12.5.4).
pub unsafe fn win_flush_local(rank: i32, win: Win) -> Result<(), Failure> {
    match target(win, rank)? {
        (_, None) => Ok(()),
        (entry, target) => Ok(entry.window.flush_local(target)?),
    }
}

/// `MPI_Win_flush_local_all` (MPI 5.0, 12.5.4).
pub unsafe fn win_flush_local_all(win: Win) -> Result<(), Failure> {
    Ok(find(runtime::get(), win)?.window.flush_local(None)?)
}

/// `MPI_Win_sync` (MPI 5.0, 12.5.4).
pub unsafe fn win_sync(win: Win) -> Result<(), Failure> {
    find(runtime::get(), win)?.window.sync();
    Ok(())
}
