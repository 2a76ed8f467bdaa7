//! Synchronisation of windows (MPI 5.0, 12.5).

use std::sync::Arc;

use base::Rank;
use mpi::{Lock, Window};

use super::win::{find, WinEntry};
use crate::args::{self, Group, Win};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::{runtime, wall};

/// What has become of a call on its shorter way.
pub enum Quick {
    Refused,
    Done,
    /// Done, and messages are to move on behind it.
    Owes,
}

impl Quick {
    #[inline(always)]
    fn of(done: bool) -> Quick {
        match done {
            false => Quick::Refused,
            true => Quick::Done,
        }
    }

    /// The same of a call behind which messages move on now and then.
    #[inline(always)]
    fn moving(done: bool, window: &Window) -> Quick {
        match done {
            true if window.owes_progress() => Quick::Owes,
            done => Quick::of(done),
        }
    }

    /// Whether it was done, with what is due behind it.
    #[inline(always)]
    fn end(self, win: Win) -> bool {
        if let Quick::Owes = self {
            move_on(win);
        }
        !matches!(self, Quick::Refused)
    }
}

/// A call that has a shorter way. Closures would be called from the entry points of both names, and
/// so not be made part of either.
pub trait Short {
    /// Does what needs no wait, where no other thread is there.
    fn alone(&self, window: &Window) -> Quick;

    /// The same among other threads.
    fn among_others(&self, window: &Window) -> Quick;
}

/// Does what needs no wait, and says what has become of it. For one thread that goes on with a
/// window all is part of the entry point: a call in between takes as long as a flush.
#[inline(always)]
fn at_once(win: Win, call: impl Short) -> bool {
    let quick = match runtime::RECENT.with(win, &call) {
        Some(quick) => quick,
        None => by_table(win, call),
    };
    quick.end(win)
}

/// The same for a window that is not the last one, or where other threads may be there.
#[inline(never)]
fn by_table(win: Win, call: impl Short) -> Quick {
    let gate = &runtime::get().tables;
    if let Some(tables) = gate.enter_unshared() {
        let window = runtime::RECENT.keep(&tables, win);
        return window.map_or(Quick::Refused, |window| call.alone(window));
    }
    match gate.enter().wins.get(win) {
        Ok(entry) => call.among_others(&entry.window),
        Err(_) => Quick::Refused,
    }
}

/// Moves the messages of a window's process, and non-blocking collectives.
#[cold]
#[inline(never)]
fn move_on(win: Win) {
    wall::value("the progress behind a call", || {
        // Whoever has freed the window meanwhile has made progress.
        if let Ok(entry) = find(runtime::get(), win) {
            entry.window.make_progress();
        }
    });
}

/// Does a call's part on a window. That of the last short call is found without the table of
/// handles, and not counted as in use.
fn on(win: Win, part: impl FnOnce(&Window) -> Result<(), Failure>) -> Result<(), Failure> {
    // SAFETY: the part is over when the call is.
    match unsafe { runtime::RECENT.window(win) } {
        Some(window) => part(window),
        None => part(&find(runtime::get(), win)?.window),
    }
}

/// Does a call's part with a group, which is not counted as in use: the table of handles is held
/// meanwhile, so the part waits for nobody.
fn with_group(
    handle: Group,
    part: impl FnOnce(&mpi::Group) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if handle == MPI_GROUP_EMPTY {
        return part(&mpi::Group::empty());
    }
    part(runtime::get().tables.enter().groups.get(handle)?)
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
    on(win, |window| Ok(window.fence(last)?))
}

/// `MPI_Win_start` (MPI 5.0, 12.5.2).
pub unsafe fn win_start(group: Group, assert: i32, win: Win) -> Result<(), Failure> {
    let assert = assertion(assert, MPI_MODE_NOCHECK)?;
    on(win, |window| {
        with_group(group, |group| {
            Ok(window.start(group, assert & MPI_MODE_NOCHECK == 0)?)
        })
    })
}

/// `MPI_Win_complete` (MPI 5.0, 12.5.2).
pub unsafe fn win_complete(win: Win) -> Result<(), Failure> {
    on(win, |window| Ok(window.complete()?))
}

/// `MPI_Win_post` (MPI 5.0, 12.5.2).
pub unsafe fn win_post(group: Group, assert: i32, win: Win) -> Result<(), Failure> {
    let known = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
    let assert = assertion(assert, known)?;
    on(win, |window| {
        with_group(group, |group| {
            Ok(window.post(group, assert & MPI_MODE_NOCHECK == 0)?)
        })
    })
}

/// `MPI_Win_wait` (MPI 5.0, 12.5.2).
pub unsafe fn win_wait(win: Win) -> Result<(), Failure> {
    on(win, |window| Ok(window.wait()?))
}

/// `MPI_Win_test` (MPI 5.0, 12.5.2).
pub unsafe fn win_test(win: Win, flag: *mut i32) -> Result<(), Failure> {
    on(win, |window| {
        if flag.is_null() {
            return Err(args::null("flag"));
        }
        let done = window.test()?;
        // SAFETY: MPI's caller gives a place for an integer.
        unsafe { args::write(flag, i32::from(done), "flag") }
    })
}

struct Locking {
    rank: i32,
    lock: Lock,
}

impl Short for Locking {
    #[inline(always)]
    fn alone(&self, window: &Window) -> Quick {
        Quick::of(window.try_lock(self.rank, self.lock))
    }

    fn among_others(&self, window: &Window) -> Quick {
        Quick::of(window.try_lock(self.rank, self.lock))
    }
}

/// The shorter way of [`win_lock`].
#[inline(always)]
pub fn win_lock_at_once(lock_type: i32, rank: i32, assert: i32, win: Win) -> bool {
    let lock = match (lock_type, assert) {
        (MPI_LOCK_EXCLUSIVE, 0) => Lock::Exclusive,
        (MPI_LOCK_SHARED, 0) => Lock::Shared,
        _ => return false,
    };
    at_once(win, Locking { rank, lock })
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

struct Unlocking {
    rank: i32,
}

impl Short for Unlocking {
    #[inline(always)]
    fn alone(&self, window: &Window) -> Quick {
        Quick::moving(window.try_unlock(self.rank), window)
    }

    fn among_others(&self, window: &Window) -> Quick {
        Quick::moving(window.try_unlock(self.rank), window)
    }
}

/// The shorter way of [`win_unlock`].
#[inline(always)]
pub fn win_unlock_at_once(rank: i32, win: Win) -> bool {
    at_once(win, Unlocking { rank })
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

struct Flushing {
    rank: i32,
    /// Whether accesses are to be complete at the target, too.
    remote: bool,
}

impl Short for Flushing {
    #[inline(always)]
    fn alone(&self, window: &Window) -> Quick {
        Quick::moving(window.flush_plainly(self.rank, self.remote), window)
    }

    fn among_others(&self, window: &Window) -> Quick {
        self.alone(window)
    }
}

impl Flushing {
    /// Flushes the window of the last call, where that takes no message and none is to move. All of
    /// it is a few loads and compares: it goes without the frame that anything else needs.
    #[inline(always)]
    fn at_once(self, win: Win) -> bool {
        // SAFETY: what is found is not kept.
        let window = unsafe { runtime::RECENT.window(win) };
        window.is_some_and(|window| window.flush_at_once(self.rank, self.remote))
    }
}

/// The shorter way of [`win_flush`].
#[inline(always)]
pub fn win_flush_at_once(rank: i32, win: Win) -> bool {
    let remote = true;
    Flushing { rank, remote }.at_once(win)
}

/// `MPI_Win_flush` (MPI 5.0, 12.5.4).
pub unsafe fn win_flush(rank: i32, win: Win) -> Result<(), Failure> {
    let remote = true;
    if at_once(win, Flushing { rank, remote }) {
        return Ok(());
    }
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
    let remote = false;
    Flushing { rank, remote }.at_once(win)
}

/// `MPI_Win_flush_local` (MPI 5.0, 12.5.4).
pub unsafe fn win_flush_local(rank: i32, win: Win) -> Result<(), Failure> {
    let remote = false;
    if at_once(win, Flushing { rank, remote }) {
        return Ok(());
    }
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
