//! Numbers: those whose constants differ from the standard's, error codes, and bits.

use std::ffi::c_void;

use crate::constants::{Constants, Form, STANDARD};
use crate::generated::c;
use crate::generated::types::{Comm, TPvarHandle};
use crate::generated::values::{DISPLACEMENT, ERROR, RANK, TAG};
use crate::interface::{Abi, IN_PLACE};

/// A number that the standard gives no meaning to, in place of one that is a constant there alone.
const INVALID: i32 = i32::MIN + 1;
/// The number that stands where MPI has not written.
const UNWRITTEN: i32 = i32::MIN;

/// Returns the standard's number.
pub fn number_in<A: Abi>(group: &'static Constants, native: i32) -> i32 {
    let pairs = A::pairs(group);
    match pairs.iter().find(|(known, _)| *known == native) {
        Some((_, standard)) => *standard,
        None if pairs.iter().any(|(_, standard)| *standard == native) && native < 0 => INVALID,
        None => native,
    }
}

/// Returns the interface's number.
pub fn number_out<A: Abi>(group: &'static Constants, standard: i32) -> i32 {
    let found = A::pairs(group).iter().find(|(_, known)| *known == standard);
    found.map_or(standard, |(native, _)| *native)
}

/// Returns the standard's rank.
#[inline(always)]
pub fn rank_in<A: Abi>(native: i32) -> i32 {
    match native >= 0 {
        true => native,
        false => number_in::<A>(&RANK, native),
    }
}

/// Returns the standard's tag.
#[inline(always)]
pub fn tag_in<A: Abi>(native: i32) -> i32 {
    match native >= 0 {
        true => native,
        false => number_in::<A>(&TAG, native),
    }
}

/// Returns the standard's position in a file.
pub fn displacement<A: Abi>(native: i64) -> i64 {
    match i32::try_from(native) {
        Ok(small) => i64::from(number_in::<A>(&DISPLACEMENT, small)),
        Err(_) => native,
    }
}

/// Returns the standard's bits. Bits that the interface has no meaning for become one that the
/// standard has none for.
pub fn bits_in<A: Abi>(group: &'static Constants, native: i32) -> i32 {
    let (mut standard, mut left) = (0, native);
    for (bit, meant) in A::pairs(group) {
        if native & bit != 0 {
            standard |= meant;
            left &= !bit;
        }
    }
    match left {
        0 => standard,
        _ => standard | (1 << 30),
    }
}

fn bits_out<A: Abi>(group: &'static Constants, standard: i32) -> i32 {
    let pairs = A::pairs(group).iter();
    let set = pairs.filter(|(_, meant)| standard & meant != 0);
    set.fold(0, |bits, (bit, _)| bits | bit)
}

/// Returns the interface's error code for what a function returned.
#[inline(always)]
pub fn finish<A: Abi>(code: i32) -> i32 {
    match code {
        0 => 0,
        code => error_out::<A>(code),
    }
}

/// The class of errors that the interface has no class for: those of error handlers.
const ARG: i32 = 13;

/// The class for what no other one says.
const OTHER: i32 = 16;

/// Classes of process failures (ULFM), which MPICH's header numbers as this project's does. That of
/// Open MPI 4.1 has none.
const FAILURES: std::ops::RangeInclusive<i32> = 101..=103;

/// Whether a number is a class of the standard, of errors or of the tool interface's errors.
fn is_class(number: i32) -> bool {
    (0..=62).contains(&number) || (1001..=1018).contains(&number)
}

/// Returns the interface's error code. Codes that programs have added follow the last one of MPI.
#[cold]
pub fn error_out<A: Abi>(standard: i32) -> i32 {
    if standard >= STANDARD.lastcode {
        return A::LIMITS
            .lastcode
            .saturating_add(standard - STANDARD.lastcode);
    }
    let find = |class| A::pairs(&ERROR).iter().find(|(_, known)| *known == class);
    if FAILURES.contains(&standard) && standard >= A::LIMITS.lastcode {
        return find(OTHER).map_or(standard, |(native, _)| *native);
    }
    let found = find(standard).or_else(|| find(ARG).filter(|_| is_class(standard)));
    found.map_or(standard, |(native, _)| *native)
}

/// Returns the standard's error code.
pub fn error_in<A: Abi>(native: i32) -> i32 {
    if native >= A::LIMITS.lastcode {
        return STANDARD
            .lastcode
            .saturating_add(native - A::LIMITS.lastcode);
    }
    let found = A::pairs(&ERROR).iter().find(|(known, _)| *known == native);
    match found {
        Some((_, standard)) => *standard,
        None if is_class(native) => INVALID,
        None => native,
    }
}

/// Returns the standard's error code for one that is asked about: a small number that is no class
/// of the standard is one of an unknown class, as in the interfaces' own libraries.
pub fn code_in<A: Abi>(native: i32) -> i32 {
    const UNKNOWN: i32 = 14;
    const CLASSES: std::ops::Range<i32> = 0..128;
    let is_known =
        A::pairs(&ERROR).iter().any(|(known, _)| *known == native) || FAILURES.contains(&native);
    let is_added = native >= A::LIMITS.lastcode;
    match CLASSES.contains(&native) && !is_known && !is_added {
        true => UNKNOWN,
        false => error_in::<A>(native),
    }
}

fn out<A: Abi>(group: &'static Constants, standard: i32) -> i32 {
    match group.form {
        Form::Error => finish::<A>(standard),
        Form::Bits => bits_out::<A>(group, standard),
        Form::Number => number_out::<A>(group, standard),
    }
}

/// Numbers that MPI reads.
pub struct Numbers<A> {
    list: Option<Vec<i32>>,
    interface: std::marker::PhantomData<A>,
}

impl<A: Abi> Numbers<A> {
    /// # Safety
    /// `at` is null or the address of this many numbers.
    pub unsafe fn new(group: &'static Constants, at: *const i32, length: usize) -> Self {
        let list = (!at.is_null()).then(|| {
            // SAFETY: as the caller says.
            let number = |i| unsafe { number_in::<A>(group, *at.add(i)) };
            (0..length).map(number).collect()
        });
        Numbers {
            list,
            interface: std::marker::PhantomData,
        }
    }

    /// Returns the standard's array.
    pub fn c(&self) -> *const i32 {
        self.list
            .as_ref()
            .map_or(std::ptr::null(), |list| list.as_ptr())
    }
}

/// Numbers that MPI writes.
pub struct NumbersOut<A: Abi> {
    group: &'static Constants,
    at: *mut i32,
    length: usize,
    interface: std::marker::PhantomData<A>,
}

impl<A: Abi> NumbersOut<A> {
    /// # Safety
    /// `at` is null or the address of this many numbers, which are converted when this is dropped.
    pub unsafe fn new(group: &'static Constants, at: *mut i32, length: usize) -> Self {
        let length = if at.is_null() { 0 } else { length };
        for i in 0..length {
            // SAFETY: as the caller says.
            unsafe { *at.add(i) = UNWRITTEN };
        }
        NumbersOut {
            group,
            at,
            length,
            interface: std::marker::PhantomData,
        }
    }

    /// Returns where MPI writes.
    pub fn c(&self) -> *mut i32 {
        self.at
    }
}

impl<A: Abi> Drop for NumbersOut<A> {
    fn drop(&mut self) {
        for i in 0..self.length {
            // SAFETY: whoever made this vouched for the array.
            unsafe {
                let number = self.at.add(i);
                if *number != UNWRITTEN {
                    *number = out::<A>(self.group, *number);
                }
            }
        }
    }
}

/// A number that MPI changes.
pub struct NumbersInOut<A: Abi>(NumbersOut<A>);

impl<A: Abi> NumbersInOut<A> {
    /// # Safety
    /// `at` is null or the address of one number, which is converted when this is dropped.
    pub unsafe fn new(group: &'static Constants, at: *mut i32, _length: usize) -> Self {
        // SAFETY: as the caller says.
        unsafe {
            let before = if at.is_null() { 0 } else { *at };
            let place = NumbersOut::new(group, at, 1);
            if !at.is_null() {
                *at = number_in::<A>(group, before);
            }
            NumbersInOut(place)
        }
    }

    /// Returns where MPI writes.
    pub fn c(&self) -> *mut i32 {
        self.0.c()
    }
}

/// An address, constant or not.
pub trait Address {
    /// The type that the standard has for it.
    type Standard;
    /// Returns it without its type.
    fn plain(self) -> *mut c_void;
    /// Returns the standard's for an address.
    fn standard(from: *mut c_void) -> Self::Standard;
}

impl<T> Address for *const T {
    type Standard = *const T;

    #[inline(always)]
    fn plain(self) -> *mut c_void {
        self.cast_mut().cast()
    }

    #[inline(always)]
    fn standard(from: *mut c_void) -> *const T {
        from.cast_const().cast()
    }
}

impl<T> Address for *mut T {
    type Standard = *mut T;

    #[inline(always)]
    fn plain(self) -> *mut c_void {
        self.cast()
    }

    #[inline(always)]
    fn standard(from: *mut c_void) -> *mut T {
        from.cast()
    }
}

/// Returns the standard's address of a buffer.
#[inline(always)]
pub fn buffer_in<A: Abi, P: Address>(address: P) -> P::Standard {
    P::standard(A::buffer(address.plain()))
}

/// The address of a detached buffer, which may be a constant.
pub struct BufferOut<A: Abi> {
    at: *mut *mut c_void,
    interface: std::marker::PhantomData<A>,
}

impl<A: Abi> BufferOut<A> {
    /// `at` is null or the place of an address, which is converted when this is dropped.
    pub fn new(at: *mut c_void) -> Self {
        BufferOut {
            at: at.cast(),
            interface: std::marker::PhantomData,
        }
    }

    /// Returns where MPI writes.
    pub fn c(&self) -> *mut c_void {
        self.at.cast()
    }
}

impl<A: Abi> Drop for BufferOut<A> {
    fn drop(&mut self) {
        if !self.at.is_null() {
            // SAFETY: the caller of the entry gave the place of an address.
            unsafe { *self.at = A::buffer_out(*self.at) };
        }
    }
}

/// Returns the standard's address of weights.
pub fn weights_in<A: Abi, P: Address>(address: P) -> P::Standard {
    P::standard(A::weights(address.plain().cast()).cast())
}

/// Returns the length of a list that is not there where the buffer beside it is `MPI_IN_PLACE`.
pub fn unless_in_place<A: Abi, P: Address>(buffer: P, length: impl FnOnce() -> usize) -> usize {
    match A::buffer(buffer.plain()) as usize {
        IN_PLACE => 0,
        _ => length(),
    }
}

/// Returns the length of a list, none where a number is negative: MPI refuses it.
#[inline]
pub fn len(number: impl Into<i64>) -> usize {
    usize::try_from(number.into()).unwrap_or(0)
}

/// Returns the length that stands at an address, none where nothing stands.
///
/// # Safety
/// `at` is null or the address of a number.
pub unsafe fn length_at(at: *const i32) -> usize {
    match at.is_null() {
        true => 0,
        // SAFETY: as the caller says.
        false => len(unsafe { at.read_unaligned() }),
    }
}

/// Returns the standard's handle of a variable of performance, which may be that of all.
pub fn pvar_in<A: Abi>(native: TPvarHandle) -> TPvarHandle {
    const ALL: TPvarHandle = TPvarHandle(1);
    match native.0 == A::all_pvars() {
        true => ALL,
        false => native,
    }
}

/// Returns the sum of a list of numbers, none of which is negative.
///
/// # Safety
/// `at` is null or the address of this many numbers.
pub unsafe fn sum(at: *const i32, length: usize) -> usize {
    if at.is_null() {
        return 0;
    }
    // SAFETY: as the caller says.
    (0..length).map(|i| len(unsafe { *at.add(i) })).sum()
}

/// Returns the processes whose types a call of `MPI_Alltoallw` gets: the remote group's of an
/// inter-communicator.
pub fn size_of(comm: Comm) -> usize {
    let (mut inter, mut size) = (0, 0);
    // SAFETY: the places are those of integers.
    unsafe {
        if c::comm_test_inter(comm, &mut inter) == 0 && inter != 0 {
            c::comm_remote_size(comm, &mut size);
        } else {
            c::comm_size(comm, &mut size);
        }
    }
    len(size)
}

/// Returns the dimensions of a Cartesian communicator.
pub fn ndims_of(comm: Comm) -> usize {
    let mut dimensions = 0;
    // SAFETY: the place is that of an integer.
    unsafe { c::cartdim_get(comm, &mut dimensions) };
    len(dimensions)
}

/// Returns the neighbours that send to this process.
pub fn indegree_of(comm: Comm) -> usize {
    degrees(comm).0
}

/// Returns the neighbours that receive from this process.
pub fn outdegree_of(comm: Comm) -> usize {
    degrees(comm).1
}

fn degrees(comm: Comm) -> (usize, usize) {
    const CART: i32 = 211;
    const GRAPH: i32 = 212;
    const DIST_GRAPH: i32 = 213;
    let (mut kind, mut rank, mut count, mut out, mut weighted) = (0, 0, 0, 0, 0);
    // SAFETY: the places are those of integers.
    unsafe {
        if c::topo_test(comm, &mut kind) != 0 {
            return (0, 0);
        }
        match kind {
            CART => return (2 * ndims_of(comm), 2 * ndims_of(comm)),
            GRAPH => {
                c::comm_rank(comm, &mut rank);
                c::graph_neighbors_count(comm, rank, &mut count);
                out = count;
            }
            DIST_GRAPH => {
                c::dist_graph_neighbors_count(comm, &mut count, &mut out, &mut weighted);
            }
            _ => {}
        }
    }
    (len(count), len(out))
}

/// Returns the last of a list of numbers, or 0 for an empty list.
///
/// # Safety
/// `at` is null or the address of this many numbers.
pub unsafe fn last(at: *const i32, length: usize) -> usize {
    match at.is_null() || length == 0 {
        true => 0,
        // SAFETY: as the caller says.
        false => len(unsafe { *at.add(length - 1) }),
    }
}
