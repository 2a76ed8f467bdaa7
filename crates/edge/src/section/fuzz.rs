//! Fuzzing with any bytes as descriptors: called by the fuzz target, and by the test that replays
//! its corpus.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::{size_of, MaybeUninit};

use super::shape::Shape;
use super::staged::Staged;
use super::{is_dense, Array, Calls, Gaps, Gfortran, Standard, Use};

/// Calls whose datatypes are their sizes: the size of 0 stands for one that has gaps.
struct Sizes<A>(PhantomData<A>);

impl<A: Array> Calls for Sizes<A> {
    type Datatype = i64;
    type Array = A;
    const BYTE: i64 = 1;

    fn address(at: *mut c_void) -> *mut c_void {
        at
    }

    fn dense_size(of: i64) -> Option<i64> {
        (of > 0).then_some(of)
    }

    fn strided(count: i64, _stride: i64, of: i64) -> Option<i64> {
        Some(count.checked_mul(of).expect("a size that fits"))
    }

    fn together(_offsets: &[i64], of: &[i64]) -> Option<i64> {
        Some(of.iter().sum())
    }

    fn free(_of: i64) {}
}

/// Takes bytes as both kinds of descriptors, with a count and a datatype in front of them: nothing
/// panics, and a datatype has as many bytes as the call uses. Then takes them as an array in
/// memory, which is copied there and back.
pub fn descriptors(bytes: &[u8]) {
    let Some((start, rest)) = bytes.split_first_chunk::<9>() else {
        return;
    };
    let count = i64::from_ne_bytes(std::array::from_fn(|at| start[at]));
    let size = i64::from(start[8] % 32);
    describe::<Standard>(rest, count, size);
    describe::<Gfortran>(rest, count, size);
    copy(bytes);
}

/// The memory of `A` is that of any bytes.
trait Plain: Array {}

impl Plain for Standard {}
impl Plain for Gfortran {}

fn describe<A: Plain>(bytes: &[u8], count: i64, size: i64) {
    let mut array = MaybeUninit::<A>::zeroed();
    let len = bytes.len().min(size_of::<A>());
    // SAFETY: there is room for as many bytes, and any bytes are a descriptor.
    let array = unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), array.as_mut_ptr().cast(), len);
        array.assume_init()
    };
    if is_dense(&array) {
        return;
    }
    for typed in [None, Some((count, size))] {
        match Gaps::<Sizes<A>>::of(&array, Use::Later, typed) {
            Ok(Some(Gaps::Datatype(made))) => assert_eq!(made.0, count.max(0) * size),
            Ok(_) => {}
            Err(refusal) => assert!(!refusal.to_string().is_empty()),
        }
    }
}

/// Bytes of the memory that an array lies in.
const MEMORY: usize = 4096;

/// An array in memory: its dimensions, the innermost first.
struct Placed {
    first: *mut u8,
    element: usize,
    dimensions: Vec<(isize, isize)>,
}

impl Array for Placed {
    fn first(&self) -> *mut c_void {
        self.first.cast()
    }

    fn element(&self) -> usize {
        self.element
    }

    fn dimensions(&self) -> usize {
        self.dimensions.len()
    }

    fn dimension(&self, at: usize) -> (isize, isize) {
        self.dimensions[at]
    }
}

fn copy(bytes: &[u8]) {
    let Some(([element, first, ..], rest)) = bytes.split_first_chunk::<2>() else {
        return;
    };
    let mut memory: Vec<u8> = (0..MEMORY).map(|at| ((at * 31) >> 3) as u8).collect();
    let element = usize::from(element % 9) + 1;
    let at = usize::from(*first) * 16;
    let pairs = rest.chunks_exact(2).take(4);
    let dimensions: Vec<(isize, isize)> = pairs
        .map(|pair| (isize::from(pair[0] % 6), isize::from(pair[1] as i8)))
        .collect();
    let array = Placed {
        first: memory[at..].as_mut_ptr(),
        element,
        dimensions,
    };
    let reach = |sign: isize| -> isize {
        let all = array.dimensions.iter();
        let far = all.map(|(extent, stride)| (extent - 1).max(0) * (stride * sign).max(0));
        far.sum()
    };
    let (below, above) = (reach(-1) as usize, reach(1) as usize + element);
    let is_inside = below <= at && at + above <= MEMORY;
    let (true, false, Ok(shape)) = (is_inside, is_dense(&array), Shape::new(&array)) else {
        return;
    };
    let offsets = offsets(&array.dimensions);
    let place = |offset: isize| (at as isize + offset) as usize;
    let mut expected = memory.clone();
    let mut staged = Staged::new(shape).expect("memory");
    // SAFETY: all elements lie in `memory`, as was seen above, and nobody else uses it.
    let copied = unsafe {
        staged.copy_in();
        std::slice::from_raw_parts_mut(staged.address().cast::<u8>(), offsets.len() * element)
    };
    for (nth, (element_at, copied)) in (offsets.iter()).zip(copied.chunks_mut(element)).enumerate()
    {
        let own = place(*element_at)..place(*element_at) + element;
        assert_eq!(copied, &expected[own.clone()]);
        if nth % 3 != 0 {
            copied[0] = !copied[0];
            if !overlaps(&offsets, *element_at, element) {
                expected[own].copy_from_slice(copied);
            }
        }
    }
    // SAFETY: as above.
    unsafe { staged.copy_out() };
    if !offsets.iter().any(|at| overlaps(&offsets, *at, element)) {
        assert_eq!(memory, expected);
    }
}

/// Whether an element shares bytes with another one: no compiler's array is like this, and it may
/// be refused or not.
fn overlaps(offsets: &[isize], own: isize, element: usize) -> bool {
    let near = |other: &&isize| other.abs_diff(own) < element;
    offsets.iter().filter(near).count() > 1
}

/// Offsets of the elements, in their order.
fn offsets(dimensions: &[(isize, isize)]) -> Vec<isize> {
    let mut offsets = vec![0];
    for (extent, stride) in dimensions {
        let block = |step| offsets.iter().map(move |offset| offset + step * stride);
        offsets = (0..*extent).flat_map(block).collect();
    }
    offsets
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpus_passes() {
        base::fuzz::replay(&[("section_descriptors", super::descriptors)]);
    }

    /// Any bytes, and bytes of which most are small, as those of real descriptors are.
    #[test]
    fn no_descriptor_breaks_anything() {
        let mut state = 4711u64;
        let mut next = move || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as u8
        };
        for round in 0..30_000 {
            let len = usize::from(next()) * 2;
            let is_small = round % 2 == 0;
            let byte = |at: usize, byte: u8| match is_small && at % 8 > 1 {
                true => 0,
                false => byte,
            };
            let bytes: Vec<u8> = (0..len).map(|at| byte(at, next())).collect();
            super::descriptors(&bytes);
        }
    }
}
