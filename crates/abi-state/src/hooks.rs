//! Hooks: what watches the calls of this process where the user asks for it.
//!
//! While nothing watches, a call pays one relaxed load and a branch that is never taken
//! ([`is_active`]). Otherwise the whole call is made out of line: watchers learn its arguments as a
//! [`Note`], which the generated entry point makes, and are called before and after it.
//!
//! There are three watchers, in `abi-watch`, each with a [`Slot`]. Two other contracts sound alike,
//! and are about something else:
//!
//! | contract | receives | for what |
//! |---|---|---|
//! | [`Watcher`], the tracer | begin and end of each call, and the messages that it has received | records with times; changes nothing |
//! | [`Watcher`], the checker | the same, and what is made, freed and joined | reports of what MPI forbids; may fail a call |
//! | [`Watcher`], the event raiser | the end of each call | raises events of `MPI_T` where no lock is held; changes nothing |
//! | `mpi::Listener` | the announcements of *other* ranks for one collective | the comparison of calls, which the checker starts |
//! | `vprotocol::Vprotocol::observe` | results that depend on timing: which request was complete, whose message was found | the log from which the next life of a process that died repeats them |
//!
//! A watcher sees one process at its entry points and every thread's calls; a listener exists for
//! one announcement and is called by the progress of messages; `observe` is called inside the
//! engine, by the layers that choose among results.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

use crate::args::{Comm, Datatype, IntPtr, Op, Request, Status};
use crate::failure::{Failure, On};

/// The watchers of this process.
static HOOKS: Hooks = Hooks {
    active: AtomicBool::new(false),
    watchers: [const { OnceLock::new() }; WATCHERS],
};

struct Hooks {
    /// Whether there is any watcher.
    active: AtomicBool,
    /// Each at its slot.
    watchers: [OnceLock<Box<dyn Watcher>>; WATCHERS],
}

/// The place of a watcher. Those before it are called before it.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    /// Records calls.
    Tracer,
    /// Checks calls.
    Checker,
    /// Raises the events of tools.
    EventRaiser,
}

/// How many slots there are.
const WATCHERS: usize = Slot::EventRaiser as usize + 1;

/// Values that a watcher keeps for the end of a call.
pub type Token = [u64; 3];

/// Watches the calls of this process, from any of its threads.
pub trait Watcher: Send + Sync {
    /// Begins to watch a call. The token is where it stays: copies of what was just written cost
    /// more than the rest.
    ///
    /// # Errors
    /// The failure of the call, which is not made then.
    fn begin(&self, _call: &Call, _token: &mut Token) -> Result<(), Failure> {
        Ok(())
    }
    /// Ends to watch a call, which has returned `code`.
    fn end(&self, call: &Call, token: &Token, code: i32);
    /// Notes that the request of a handle has come to an end with this status.
    fn ended(&self, _handle: Request, _status: &pml::Status) {}
    /// Notes that the program learns that the operation of a request is complete. The request
    /// stays.
    fn completed(&self, _handle: Request) {}
    /// Notes that the call under way has received a message with this status.
    fn received(&self, _status: &pml::Status) {}
    /// Notes that the call under way receives a message that was matched on this communicator.
    fn takes_matched(&self, _comm: Comm) {}
    /// Notes that the call under way has found its arguments valid and is about to take part in a
    /// collective of this communicator.
    fn joins(&self, _comm: Comm) {}
    /// Notes that the call under way is about to free this communicator.
    fn frees(&self, _comm: Comm) {}
    /// Notes that the call under way has failed, before its error handler is called. Returns
    /// whether it is reported otherwise, so that the call succeeds.
    fn fails(&self, _failure: &Failure) -> bool {
        false
    }
    /// Notes that a fence of all processes is over, the first of the job or the last.
    fn fence_is_over(&self, _last: bool) {}
    /// Notes that the call that has started MPI is about to return. It began at this time of
    /// `abi_watch::tracer::now`, before anything watched.
    fn has_started(&self, _name: &'static &'static str, _begin: u64) {}
    /// Notes that the call under way has made an object and given it a handle: the name of the
    /// handle's type, and the handle.
    fn made(&self, _kind: &'static str, _handle: usize) {}
    /// Notes that the program is about to end its use of MPI: what it has not freed, it never will.
    /// `world`: with all processes of the job, by `MPI_Finalize`.
    fn ends(&self, _world: bool) {}
}

/// A call that is watched.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The function. Functions differ by its address.
    pub name: &'static &'static str,
    /// The object that it is called on.
    pub on: On,
    /// Its arguments.
    pub note: &'a Note,
    /// An address in the frame of the function that the entry point has called, from which
    /// `abi-watch` finds the place of the call.
    pub anchor: usize,
}

/// Whether anything watches calls.
#[inline(always)]
pub fn is_active() -> bool {
    HOOKS.active.load(Ordering::Relaxed)
}

/// Whether a slot has a watcher.
pub fn is_watched(slot: Slot) -> bool {
    HOOKS.watchers[slot as usize].get().is_some()
}

/// Has calls watched from now on. The first watcher of a slot stays.
pub fn watch(slot: Slot, make: impl FnOnce() -> Box<dyn Watcher>) {
    HOOKS.watchers[slot as usize].get_or_init(make);
    HOOKS.active.store(true, Ordering::Release);
}

/// Arguments of a call. Values are the caller's, not checked.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// Its part in messages.
    pub role: Role,
    /// Whether it is a collective among neighbours.
    pub neighbours: bool,
    /// The elements that it sends.
    pub sent: Side,
    /// The elements that it receives.
    pub received: Side,
    /// Where its requests are.
    pub requests: Requests,
    /// The operation of a reduction; a null handle for none.
    pub op: Op,
    /// Where it stores the status, or the statuses, of what ends; null for nowhere.
    pub statuses: *mut Status,
    /// Where it stores which requests have ended; null for nowhere.
    pub indices: *mut i32,
    /// Where it stores how many requests have ended; null for nowhere.
    pub outcount: *mut i32,
}

impl Note {
    /// The note of a call that communicates nothing.
    pub const NONE: Note = Note {
        role: Role::Other,
        neighbours: false,
        sent: Side::NONE,
        received: Side::NONE,
        requests: Requests {
            at: std::ptr::null(),
            count: 0,
        },
        op: Op(0),
        statuses: std::ptr::null_mut(),
        indices: std::ptr::null_mut(),
        outcount: std::ptr::null_mut(),
    };

    /// Whether the call receives from some rank, beside what it sends.
    pub fn receives(&self) -> bool {
        self.received.peer != Side::ABSENT
    }
}

/// The part of a call in messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// None, or not by itself.
    Other,
    /// It sends a message.
    Sends,
    /// It receives one.
    Receives,
    /// It does both.
    Exchanges,
    /// It posts a receive.
    Posts,
    /// It makes a persistent send.
    PreparesSend,
    /// It makes a persistent receive.
    PreparesReceive,
    /// It matches a message, to be received by another call.
    Matches,
    /// It starts persistent requests.
    Starts,
    /// It writes to a target's window.
    Puts,
    /// It reads from a target's window.
    Gets,
    /// It does both.
    Swaps,
}

/// Elements that a call sends or receives, and the other rank.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The other rank, the root or the target; [`Side::ABSENT`] for none.
    pub peer: i32,
    /// The tag; [`Side::ABSENT`] for none.
    pub tag: i32,
    /// The number of elements.
    pub count: i64,
    /// The numbers of elements of its blocks, where these differ; null for none.
    pub counts: IntPtr,
    /// The handle of their datatype; 0 for none.
    pub datatype: Datatype,
    /// The datatypes of its blocks, where these differ; null for none.
    pub types: *const Datatype,
    /// The address of the first one.
    pub buffer: usize,
}

impl Side {
    /// A peer or tag that a call has not.
    pub const ABSENT: i32 = i32::MIN;
    /// Nothing.
    pub const NONE: Side = Side {
        peer: Side::ABSENT,
        tag: Side::ABSENT,
        count: 0,
        counts: IntPtr::Narrow(std::ptr::null_mut()),
        datatype: Datatype(0),
        types: std::ptr::null(),
        buffer: 0,
    };

    /// Whether its blocks have counts of their own.
    pub fn has_counts(&self) -> bool {
        match self.counts {
            IntPtr::Narrow(first) => !first.is_null(),
            IntPtr::Wide(first) => !first.is_null(),
        }
    }

    /// Returns the elements of each block, and their datatype.
    ///
    /// # Safety
    /// The call with these arguments is under way and has found them valid: it has succeeded, and
    /// has read the counts of that many blocks.
    pub unsafe fn blocks(&self, blocks: usize) -> Vec<(i64, Datatype)> {
        if !self.has_counts() {
            return Vec::new();
        }
        // SAFETY: the call has read as many counts there, and as many datatypes.
        let block = |at: usize| unsafe {
            let count = match self.counts {
                IntPtr::Narrow(first) => i64::from(first.add(at).read()),
                IntPtr::Wide(first) => first.add(at).read(),
            };
            match self.types.is_null() {
                true => (count, self.datatype),
                false => (count, self.types.add(at).read()),
            }
        };
        (0..blocks).map(block).collect()
    }
}

/// Where the requests of a call are: those that it makes, or that it is called with.
#[derive(Clone, Copy, Debug)]
pub struct Requests {
    at: *const Request,
    count: i64,
}

impl Requests {
    /// One request.
    pub fn one(at: *const Request) -> Requests {
        Requests { at, count: 1 }
    }

    /// An array of requests.
    pub fn several(at: *const Request, count: i64) -> Requests {
        Requests { at, count }
    }

    /// Returns the requests.
    ///
    /// # Safety
    /// The call with these arguments is under way and has found them valid: it has succeeded.
    pub unsafe fn get(&self) -> Vec<Request> {
        let count = usize::try_from(self.count).unwrap_or(0);
        if self.at.is_null() {
            return Vec::new();
        }
        // SAFETY: MPI asks for as many requests there, and the call has found them there.
        (0..count)
            .map(|at| unsafe { self.at.add(at).read() })
            .collect()
    }
}

impl Requests {
    /// Replaces the request that a call has made by another one.
    ///
    /// # Safety
    /// The call is under way, has succeeded, and makes one request.
    pub unsafe fn replace(&self, request: Request) {
        // SAFETY: MPI has the call store its request there, and it has done so.
        unsafe { self.at.cast_mut().write(request) };
    }
}

/// The watchers that have begun to watch a call, and their tokens, for [`end`].
#[derive(Default)]
pub struct Tokens {
    begun: [bool; WATCHERS],
    all: [Token; WATCHERS],
}

/// Begins to watch a call. Returns its failure, where a watcher fails it.
#[inline]
pub fn begin(call: &Call, tokens: &mut Tokens) -> Option<Failure> {
    for (at, watcher) in HOOKS.watchers.iter().enumerate() {
        if let Some(watcher) = watcher.get() {
            if let Err(failure) = watcher.begin(call, &mut tokens.all[at]) {
                return Some(failure);
            }
            tokens.begun[at] = true;
        }
    }
    None
}

/// Ends to watch a call, which has returned `code`.
#[inline]
pub fn end(call: &Call, tokens: &Tokens, code: i32) {
    for (at, watcher) in HOOKS.watchers.iter().enumerate() {
        if let (Some(watcher), true) = (watcher.get(), tokens.begun[at]) {
            watcher.end(call, &tokens.all[at], code);
        }
    }
}

/// Notes that the request of a handle has come to an end with this status.
#[inline(always)]
pub fn ended(handle: Request, status: &pml::Status) {
    if is_active() {
        each(|watcher| watcher.ended(handle, status));
    }
}

/// Notes that the program learns that the operation of a request is complete, which stays.
#[inline(always)]
pub fn completed(handle: Request) {
    if is_active() {
        each(|watcher| watcher.completed(handle));
    }
}

/// Notes that the call under way has received a message with this status.
#[inline(always)]
pub fn received(status: &pml::Status) {
    if is_active() {
        each(|watcher| watcher.received(status));
    }
}

/// Notes that the call under way receives a message that was matched on this communicator.
#[inline(always)]
pub fn takes_matched(comm: Comm) {
    if is_active() {
        each(|watcher| watcher.takes_matched(comm));
    }
}

/// Notes that the call under way is about to take part in a collective; see [`Watcher::joins`].
#[inline(always)]
pub fn joins(comm: Comm) {
    if is_active() {
        each(|watcher| watcher.joins(comm));
    }
}

/// Notes that the call under way is about to free a communicator.
pub fn frees(comm: Comm) {
    if is_active() {
        each(|watcher| watcher.frees(comm));
    }
}

/// Notes that the call under way has failed, and returns whether it does so all the same; see
/// [`Watcher::fails`].
#[cold]
pub fn fails(failure: Failure) -> Result<(), Failure> {
    let watchers = HOOKS.watchers.iter().filter_map(OnceLock::get);
    match watchers.fold(false, |reported, watcher| {
        reported | watcher.fails(&failure)
    }) {
        true => Ok(()),
        false => Err(failure),
    }
}

/// Notes that a fence of all processes is over, the first of the job or the last.
pub fn fence_is_over(last: bool) {
    each(|watcher| watcher.fence_is_over(last));
}

/// Notes that the call that has started MPI is about to return; it began at this time.
pub fn has_started(name: &'static &'static str, begin: u64) {
    each(|watcher| watcher.has_started(name, begin));
}

/// Notes that the call under way has made an object; see [`Watcher::made`].
#[inline]
pub fn made(kind: &'static str, handle: usize) {
    if is_active() {
        each(|watcher| watcher.made(kind, handle));
    }
}

/// Notes that the program is about to end its use of MPI; see [`Watcher::ends`].
pub fn ends(world: bool) {
    if is_active() {
        each(|watcher| watcher.ends(world));
    }
}

#[cold]
#[inline(never)]
fn each(act: impl Fn(&dyn Watcher)) {
    let all = HOOKS.watchers.iter();
    all.filter_map(OnceLock::get)
        .for_each(|watcher| act(&**watcher));
}
