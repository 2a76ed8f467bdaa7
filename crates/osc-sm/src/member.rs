//! A rank's end: memory, put and get, waiting and waking.
//!
//! A rank that is about to sleep announces whose words it waits for ([`shm::Sleepers`]); a rank
//! that changes such words wakes those that sleep for them.

use std::sync::atomic::{fence, AtomicBool, AtomicU32, Ordering};
use std::sync::Arc;

use datatype::{copy, Buffer, Datatype};
use memory::UserBuf;
use shm::{Sleepers, WakeOrder};

use crate::error::Error;
use crate::layout::{Plan, View};
use crate::ticket::OwnTicket;

/// Another rank of the window has died.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Died;

/// Waiting and waking, as the driver of the ranks does it.
pub trait Wait {
    /// Returns once `ready` is true. Calls `note_sleep(true)` before a sleep, then `ready` once
    /// more, and `note_sleep(false)` after it.
    ///
    /// # Errors
    /// When a rank of the window has died whose death was not reported yet: from then on
    /// [`Wait::is_dead`] knows it. The caller checks whether it matters, and waits on.
    fn until(&self, ready: impl FnMut() -> bool, note_sleep: impl FnMut(bool)) -> Result<(), Died>;

    /// Wakes a rank that sleeps.
    fn wake(&self, rank: u32);

    /// Whether a rank of the window has died.
    fn is_dead(&self, rank: u32) -> bool;
}

/// One rank of a window whose memory is shared inside a node.
pub struct Member {
    pub(crate) view: View,
    /// All memory of each place.
    memory: Vec<UserBuf>,
    plan: Plan,
    /// This rank's place, and its rank.
    pub(crate) me: u32,
    pub(crate) name: u32,
    /// Whether this rank may have stored values that others do not see yet.
    unseen: AtomicBool,
    /// The order between ranks that sleep and those that wake them.
    order: WakeOrder,
    /// This rank's tickets for the places' locks.
    pub(crate) own: Vec<OwnTicket>,
    /// Access epochs that this rank has started to each place.
    pub(crate) started: Vec<AtomicU32>,
    /// Completions of each place that end all exposure epochs that this rank has posted to it.
    pub(crate) expected: Vec<AtomicU32>,
}

impl Member {
    pub(crate) fn new(view: View, plan: Plan, me: u32, order: WakeOrder) -> Member {
        let counts = || plan.places.iter().map(|_| AtomicU32::new(0)).collect();
        let (started, expected) = (counts(), counts());
        let own = plan.places.iter().map(|_| OwnTicket::default()).collect();
        let places = 0..view.layout().places();
        let name = plan.places[me as usize];
        Member {
            memory: places.map(|place| view.memory(place)).collect(),
            view,
            plan,
            me,
            name,
            unseen: AtomicBool::new(false),
            order,
            own,
            started,
            expected,
        }
    }

    /// Returns the place of a rank of the window; `None` where it is on another node.
    pub fn place(&self, rank: u32) -> Option<u32> {
        let found = self.plan.places.binary_search(&rank);
        found.ok().map(|place| place as u32)
    }

    /// Returns the rank of a place.
    ///
    /// # Panics
    /// When there is no such place.
    #[inline]
    pub fn rank(&self, place: u32) -> u32 {
        self.plan.places[place as usize]
    }

    /// This rank's place.
    pub fn own_place(&self) -> u32 {
        self.me
    }

    /// Returns all memory of a place, in this process. Valid as long as the member.
    ///
    /// # Panics
    /// When there is no such place.
    #[inline]
    pub fn memory(&self, place: u32) -> UserBuf {
        self.memory[place as usize]
    }

    /// Returns the `len` bytes of a place's memory from `at` on.
    ///
    /// # Errors
    /// When they do not lie in it.
    #[inline]
    pub fn bytes(&self, place: u32, at: i64, len: usize) -> Result<UserBuf, Error> {
        let memory = self.memory(place);
        // A negative offset is a very large one.
        let first = at as u64 as usize;
        if first > memory.len() || len > memory.len() - first {
            return Err(self.outside(place, Some(at), len as u64));
        }
        Ok(memory.part(first, len))
    }

    /// Returns `count` elements of `datatype` in a place's memory, the first `at` bytes from its
    /// start.
    ///
    /// # Errors
    /// When one byte of them does not lie in it.
    #[inline]
    pub fn elements(
        &self,
        place: u32,
        at: i64,
        count: i64,
        datatype: &Arc<Datatype>,
    ) -> Result<Buffer, Error> {
        match self.contiguous_memory(place, at, count, datatype) {
            Some(bytes) => Ok(Buffer::bytes(bytes)),
            None => self.elements_with_gaps(place, at, count, datatype),
        }
    }

    /// Returns the elements' memory where they are contiguous and inside. `None` for gaps, invalid
    /// arguments or elements outside, which [`Member::elements`] checks in detail.
    #[inline]
    pub(crate) fn contiguous_memory(
        &self,
        place: u32,
        at: i64,
        count: i64,
        datatype: &Datatype,
    ) -> Option<UserBuf> {
        if !datatype.is_dense() || count < 0 {
            return None;
        }
        let len = datatype.size().checked_mul(count)? as usize;
        // A negative offset is a very large one.
        let first = at.checked_add(datatype.true_lb())? as u64 as usize;
        let memory = self.memory(place);
        let inside = first <= memory.len() && len <= memory.len() - first;
        inside.then(|| memory.part(first, len))
    }

    #[cold]
    fn elements_with_gaps(
        &self,
        place: u32,
        at: i64,
        count: i64,
        datatype: &Arc<Datatype>,
    ) -> Result<Buffer, Error> {
        let nowhere = || self.outside(place, None, 0);
        let (low, covered) = datatype.span(count).ok_or_else(nowhere)?;
        if covered == 0 {
            return Ok(Buffer::EMPTY);
        }
        let first = at.checked_add(low).ok_or_else(nowhere)?;
        let room = self.bytes(place, first, covered as usize)?;
        Ok(Buffer::over(room, count as usize, datatype)?)
    }

    #[cold]
    fn outside(&self, place: u32, first: Option<i64>, bytes: u64) -> Error {
        Error::Range {
            rank: self.rank(place),
            first,
            bytes,
            size: self.memory(place).len() as u64,
        }
    }

    /// `MPI_PUT` (MPI 5.0, 12.3.1): copies to `count` elements of `datatype`, the first one `at`
    /// bytes from the start of a place's memory.
    ///
    /// # Errors
    /// When the target does not lie in the memory, or is shorter than the origin.
    #[inline]
    pub fn put(
        &self,
        place: u32,
        at: i64,
        count: i64,
        datatype: &Arc<Datatype>,
        origin: &Buffer,
    ) -> Result<(), Error> {
        copy(origin, &self.elements(place, at, count, datatype)?)?;
        self.stored();
        Ok(())
    }

    /// `MPI_GET` (MPI 5.0, 12.3.2): copies from a place's memory to the origin.
    ///
    /// # Errors
    /// When the target does not lie in the memory, or is longer than the origin.
    #[inline]
    pub fn get(
        &self,
        place: u32,
        at: i64,
        count: i64,
        datatype: &Arc<Datatype>,
        origin: &Buffer,
    ) -> Result<(), Error> {
        copy(&self.elements(place, at, count, datatype)?, origin)?;
        Ok(())
    }

    /// Notes that this rank has stored values that a flush makes visible to others. Called after
    /// the stores: the thread that clears the note, and flushes, may be another one.
    #[inline]
    pub(crate) fn stored(&self) {
        self.unseen.store(true, Ordering::Release);
    }

    /// Completes all loads and stores of this rank, and makes others' stores visible to it
    /// (`MPI_WIN_FLUSH`; MPI 5.0, 12.5.4). Costs nothing where this rank has stored nothing since
    /// the last call.
    #[inline]
    pub fn flush(&self) {
        if !self.unseen.load(Ordering::Acquire) {
            return;
        }
        // Here an exchange is a barrier, and a fourth of the price of the instruction that is
        // nothing else.
        self.unseen.swap(false, Ordering::SeqCst);
        if !cfg!(target_arch = "x86_64") {
            fence(Ordering::SeqCst);
        }
    }

    /// Wakes those that sleep for words of a place, after they were changed.
    #[inline]
    pub fn wake_waiting(&self, place: u32, mut wake: impl FnMut(u32)) {
        let rank = |sleeper| self.rank(sleeper);
        (self.view).wake_sleepers(self.order, place, |sleeper| wake(rank(sleeper)));
    }

    /// Whether a rank of the window is known to be dead, before a wait that reports new deaths.
    #[cold]
    pub(crate) fn has_dead(&self, wait: &impl Wait) -> bool {
        (0..self.plan.ranks).any(|rank| wait.is_dead(rank))
    }

    /// Announces that this rank is about to sleep until words of a place change, or that it woke
    /// up. For waits that poll for more than this crate does.
    pub fn note_sleep(&self, place: u32, asleep: bool) {
        match asleep {
            true => self.view.announce_sleep(self.order, self.me, place),
            false => self.view.end_sleep(self.me),
        }
    }
}
