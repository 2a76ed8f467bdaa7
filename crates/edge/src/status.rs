//! Statuses: their form differs, and addresses that stand for none.

use crate::generated::types::Status;
use crate::generated::values::{RANK, TAG};
use crate::interface::Abi;
use crate::value::{self, error_in, finish, number_out};

/// The number that stands where MPI has not written.
const UNWRITTEN: i32 = i32::MIN;

const EMPTY: Status = Status {
    source: UNWRITTEN,
    tag: 0,
    error: UNWRITTEN,
    internal: [0; 5],
};

/// Writes what MPI wrote.
fn write<A: Abi>(from: &Status, to: &mut A::Status) {
    if from.source != UNWRITTEN {
        A::write(from, to);
    }
    if from.error != UNWRITTEN {
        *A::error(to) = finish::<A>(from.error);
    }
}

/// Returns the bytes in a status of the standard library.
pub fn bytes(status: &Status) -> i64 {
    let [low, high] = [status.internal[0], status.internal[1]].map(|half| half as u32 as u64);
    (low | (high << 32)) as i64
}

/// Returns a status of the standard library, for a source and a tag of the interface.
pub fn of<A: Abi>(source: i32, tag: i32, bytes: i64, cancelled: bool) -> Status {
    let internal = [
        bytes as i32,
        (bytes >> 32) as i32,
        i32::from(cancelled),
        0,
        0,
    ];
    Status {
        source: value::rank_in::<A>(source),
        tag: value::tag_in::<A>(tag),
        error: 0,
        internal,
    }
}

/// Whether a status of the standard library says that the operation was cancelled.
pub fn is_cancelled(status: &Status) -> bool {
    status.internal[2] != 0
}

/// Returns the standard's form of a status, with its error code.
pub(crate) fn standard<A: Abi>(from: &mut A::Status) -> Status {
    let mut status = A::read(from);
    status.error = error_in::<A>(*A::error(from));
    status
}

/// A status that MPI reads.
pub struct StatusIn<A> {
    status: Option<Status>,
    interface: std::marker::PhantomData<A>,
}

impl<A: Abi> StatusIn<A> {
    /// # Safety
    /// `at` is null, the constant, or the address of a status.
    pub unsafe fn new(at: *const A::Status) -> Self {
        let is_none = at.is_null() || A::is_ignored(at);
        StatusIn {
            // SAFETY: as the caller says.
            status: (!is_none).then(|| unsafe {
                let mut status = A::read(&*at);
                status.error = error_in::<A>(*A::error(&mut *at.cast_mut()));
                status
            }),
            interface: std::marker::PhantomData,
        }
    }

    /// Returns the standard's status.
    pub fn c(&self) -> *const Status {
        self.status
            .as_ref()
            .map_or(std::ptr::null(), |status| status)
    }
}

/// A status that MPI fills.
pub struct StatusOut<A: Abi> {
    at: *mut A::Status,
    status: Status,
}

impl<A: Abi> StatusOut<A> {
    /// `at` is null, the constant, or the address of a status, which is written when this is
    /// dropped.
    #[inline(always)]
    pub fn new(at: *mut A::Status) -> Self {
        let at = match A::is_ignored(at) {
            true => std::ptr::null_mut(),
            false => at,
        };
        StatusOut { at, status: EMPTY }
    }

    /// Returns where MPI writes.
    #[inline(always)]
    pub fn c(&mut self) -> *mut Status {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => &mut self.status,
        }
    }
}

impl<A: Abi> Drop for StatusOut<A> {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.at.is_null() {
            // SAFETY: the caller of the entry gave the address of a status.
            write::<A>(&self.status, unsafe { &mut *self.at });
        }
    }
}

/// A status that MPI changes.
pub struct StatusInOut<A: Abi>(StatusOut<A>);

impl<A: Abi> StatusInOut<A> {
    /// # Safety
    /// `at` is null, the constant, or the address of a status, which is written when this is
    /// dropped.
    pub unsafe fn new(at: *mut A::Status) -> Self {
        let mut out = StatusOut::<A>::new(at);
        if !out.at.is_null() {
            // SAFETY: as the caller says.
            out.status = unsafe { standard::<A>(&mut *out.at) };
        }
        StatusInOut(out)
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut Status {
        self.0.c()
    }
}

/// Statuses that MPI fills.
pub struct StatusesOut<A: Abi> {
    at: *mut A::Status,
    statuses: Vec<Status>,
}

impl<A: Abi> StatusesOut<A> {
    /// `at` is null, the constant, or the address of this many statuses, which are written when
    /// this is dropped.
    pub fn new(at: *mut A::Status, length: usize) -> Self {
        let is_none = at.is_null() || A::is_ignored(at);
        StatusesOut {
            at: if is_none { std::ptr::null_mut() } else { at },
            statuses: vec![EMPTY; if is_none { 0 } else { length }],
        }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut Status {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => self.statuses.as_mut_ptr(),
        }
    }
}

impl<A: Abi> Drop for StatusesOut<A> {
    fn drop(&mut self) {
        for (i, status) in self.statuses.iter().enumerate() {
            // SAFETY: the caller of the entry gave an array of this length.
            write::<A>(status, unsafe { &mut *self.at.add(i) });
        }
    }
}

/// Returns the source and the tag in the interface's values.
#[inline]
pub fn envelope<A: Abi>(status: &Status) -> (i32, i32) {
    let source = match status.source >= 0 {
        true => status.source,
        false => number_out::<A>(&RANK, status.source),
    };
    let tag = match status.tag >= 0 {
        true => status.tag,
        false => number_out::<A>(&TAG, status.tag),
    };
    (source, tag)
}
