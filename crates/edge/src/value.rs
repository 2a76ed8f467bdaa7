//! Numbers: those whose constants differ from the standard's, error codes, and bits.

use std::ffi::c_void;
use std::marker::PhantomData;

use crate::argument::{self, In, List, Out, ValueInOut, ValueOut, ValuesIn, ValuesOut};
use crate::constants::{Constants, Form, STANDARD};
use crate::generated::c;
use crate::generated::constants::{
    ERROR_CLASSES, MPI_CART, MPI_DIST_GRAPH, MPI_ERR_ARG, MPI_ERR_OTHER, MPI_ERR_UNKNOWN,
    MPI_GRAPH, MPI_IN_PLACE, MPI_T_PVAR_ALL_HANDLES, TOOL_ERROR_CLASSES,
};
use crate::generated::types::{Comm, TPvarHandle};
use crate::generated::values::{DISPLACEMENT, ERROR, FAILURES, RANK, TAG};
use crate::interface::{Abi, Library};

/// A number that the standard gives no meaning to, in place of one that is a constant there alone.
const INVALID: i32 = i32::MIN + 1;

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

/// Whether a number is a class of the standard, of errors or of the tool interface's errors.
fn is_class(number: i32) -> bool {
    let classes = ERROR_CLASSES.iter().chain(TOOL_ERROR_CLASSES);
    classes.into_iter().any(|(_, class)| *class == number)
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
        return find(MPI_ERR_OTHER).map_or(standard, |(native, _)| *native);
    }
    let found = find(standard).or_else(|| find(MPI_ERR_ARG).filter(|_| is_class(standard)));
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
    const CLASSES: std::ops::Range<i32> = 0..128;
    let is_known =
        A::pairs(&ERROR).iter().any(|(known, _)| *known == native) || FAILURES.contains(&native);
    let is_added = native >= A::LIMITS.lastcode;
    match CLASSES.contains(&native) && !is_known && !is_added {
        true => MPI_ERR_UNKNOWN,
        false => error_in::<A>(native),
    }
}

/// The form of a number of a kind.
pub struct Number<A> {
    group: &'static Constants,
    interface: PhantomData<A>,
}

impl<A> Clone for Number<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Number<A> {}

impl<A> From<&'static Constants> for Number<A> {
    fn from(group: &'static Constants) -> Self {
        let interface = PhantomData;
        Number { group, interface }
    }
}

impl<A: Abi> argument::Form for Number<A> {
    type Standard = i32;
    type Native = i32;
    const UNWRITTEN: i32 = i32::MIN;

    fn standard(self, native: i32) -> i32 {
        number_in::<A>(self.group, native)
    }

    fn native(self, standard: i32) -> i32 {
        match self.group.form {
            Form::Error => finish::<A>(standard),
            Form::Bits => bits_out::<A>(self.group, standard),
            Form::Number => number_out::<A>(self.group, standard),
        }
    }
}

/// A number that MPI gives.
pub type NumberOut<A> = ValueOut<Number<A>>;
/// A number that MPI changes.
pub type NumberInOut<A> = ValueInOut<Number<A>>;
/// Numbers that MPI reads.
pub type Numbers<A> = ValuesIn<Number<A>>;
/// Numbers that MPI gives.
pub type NumbersOut<A> = ValuesOut<Number<A>>;

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

/// The form of the address of a buffer, which may be a constant.
pub struct BufferForm<A>(PhantomData<A>);

impl<A> Clone for BufferForm<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for BufferForm<A> {}

impl<A: Abi> argument::Form for BufferForm<A> {
    type Standard = *mut c_void;
    type Native = *mut c_void;
    const UNWRITTEN: *mut c_void = std::ptr::without_provenance_mut(usize::MAX);

    fn standard(self, native: *mut c_void) -> *mut c_void {
        A::buffer(native)
    }

    fn native(self, standard: *mut c_void) -> *mut c_void {
        A::buffer_out(standard)
    }
}

/// The address of a detached buffer.
pub struct BufferOut<A: Abi>(ValueOut<BufferForm<A>>);

impl<A: Abi> BufferOut<A> {
    /// # Safety
    /// `at` is null or where an address can be written, as long as the call takes.
    pub unsafe fn new(at: *mut c_void) -> Self {
        // SAFETY: the caller promises what it requires.
        BufferOut(ValueOut::of(BufferForm(PhantomData), unsafe {
            Out::new(at.cast())
        }))
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut c_void {
        self.0.c().cast()
    }
}

/// Returns the standard's address of weights.
pub fn weights_in<A: Abi, P: Address>(address: P) -> P::Standard {
    P::standard(A::weights(address.plain().cast()).cast())
}

/// Returns the length of a list that is not there where the buffer beside it is `MPI_IN_PLACE`.
pub fn unless_in_place<A: Abi, P: Address>(buffer: P, length: impl FnOnce() -> usize) -> usize {
    match A::buffer(buffer.plain()) as usize {
        MPI_IN_PLACE => 0,
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
    // SAFETY: the caller promises what it requires.
    unsafe { In::new(at) }.get().map_or(0, len)
}

/// Returns the standard's handle of a variable of performance, which may be that of all.
pub fn pvar_in<A: Library>(native: TPvarHandle) -> TPvarHandle {
    match native.0 == A::all_pvars() {
        true => MPI_T_PVAR_ALL_HANDLES,
        false => native,
    }
}

/// Returns the sum of a list of numbers, none of which is negative.
///
/// # Safety
/// `at` is null or the address of this many numbers.
pub unsafe fn sum(at: *const i32, length: usize) -> usize {
    // SAFETY: the caller promises what it requires.
    unsafe { List::new(at, length) }.iter().map(len).sum()
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
    let (mut kind, mut rank, mut count, mut out, mut weighted) = (0, 0, 0, 0, 0);
    // SAFETY: the places are those of integers.
    unsafe {
        if c::topo_test(comm, &mut kind) != 0 {
            return (0, 0);
        }
        match kind {
            MPI_CART => return (2 * ndims_of(comm), 2 * ndims_of(comm)),
            MPI_GRAPH => {
                c::comm_rank(comm, &mut rank);
                c::graph_neighbors_count(comm, rank, &mut count);
                out = count;
            }
            MPI_DIST_GRAPH => {
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
    // SAFETY: the caller promises what it requires.
    unsafe { List::new(at, length) }
        .iter()
        .last()
        .map_or(0, len)
}
