//! Sections of an array by both descriptors, over calls that lay datatypes out as lists of offsets.

use super::*;

/// A datatype as the offsets of its bytes.
type Layout = &'static [i64];

/// Calls whose datatypes are lists, over descriptors of a kind.
struct Lists<A>(std::marker::PhantomData<A>);

fn kept(layout: Vec<i64>) -> Layout {
    Box::leak(layout.into_boxed_slice())
}

impl<A: Array> Calls for Lists<A> {
    type Datatype = Layout;
    type Array = A;
    const BYTE: Layout = &[0];

    fn address(at: *mut c_void) -> *mut c_void {
        at
    }

    fn dense_size(of: Layout) -> Option<i64> {
        let is_dense = of.iter().enumerate().all(|(at, byte)| at as i64 == *byte);
        is_dense.then_some(of.len() as i64)
    }

    fn strided(count: i64, stride: i64, of: Layout) -> Option<Layout> {
        let block = |at| of.iter().map(move |byte| at * stride + byte);
        Some(kept((0..count).flat_map(block).collect()))
    }

    fn together(offsets: &[i64], of: &[Layout]) -> Option<Layout> {
        let parts = offsets.iter().zip(of);
        let bytes = parts.flat_map(|(offset, of)| of.iter().map(move |byte| offset + byte));
        Some(kept(bytes.collect()))
    }

    fn free(_of: Layout) {}
}

const INTEGER: Layout = &[0, 1, 2, 3];
const PAIR: Layout = &[0, 1, 2, 3, 4, 5, 6, 7];

/// The array that the sections are of: `integer a(6, 4)`.
fn memory() -> Vec<i32> {
    (0..24).collect()
}

/// The section `a(2:6:2, 1:4:3)` by each descriptor.
fn sections(of: &mut [i32]) -> (Standard, Gfortran) {
    let first = (&raw mut of[1]).cast();
    (
        Standard::of(first, 4, &[(3, 8), (2, 72)]),
        Gfortran::of(first, 4, &[(3, 2), (2, 18)]),
    )
}

/// Offsets of the bytes of these integers, from the first one of the section.
fn integers(of: &[i64]) -> Vec<i64> {
    of.iter()
        .flat_map(|at| (0..4).map(move |byte| at * 4 + byte))
        .collect()
}

fn layout<A: Array>(of: &A, count: i64, datatype: Layout) -> Vec<i64> {
    // SAFETY: the descriptor is of memory that the test keeps.
    let buffer = unsafe { Buffer::<Lists<A>>::elements(of, Use::Later, count, datatype) };
    assert_eq!(buffer.address(), of.first());
    assert_eq!(buffer.refusal(), None);
    let made = buffer.datatype(datatype);
    (0..buffer.count(count))
        .flat_map(|at| made.iter().map(move |byte| at * made.len() as i64 + byte))
        .collect()
}

#[test]
fn a_section_is_the_same_by_both_descriptors() {
    let mut memory = memory();
    let (standard, gfortran) = sections(&mut memory);
    let all = integers(&[0, 2, 4, 18, 20, 22]);
    for (count, datatype) in [(6, INTEGER), (3, PAIR)] {
        assert_eq!(layout(&standard, count, datatype), all);
        assert_eq!(layout(&gfortran, count, datatype), all);
    }
    let some = integers(&[0, 2, 4, 18]);
    assert_eq!(layout(&standard, 2, PAIR), some);
    assert_eq!(layout(&gfortran, 4, INTEGER), some);
}

#[test]
fn what_has_no_gaps_is_passed_as_it_is() {
    let mut memory = memory();
    let first = (&raw mut memory[0]).cast();
    let whole = Gfortran::of(first, 4, &[(6, 1), (4, 6)]);
    let scalar = Gfortran::of(first, 4, &[]);
    // The extent of the last dimension of `a(6, *)` is not known.
    let assumed = Gfortran::of(first, 4, &[(6, 1), (-1, 6)]);
    let empty = Gfortran::of(first, 4, &[(3, 2), (0, 6)]);
    for of in [&whole, &scalar, &assumed, &empty] {
        // SAFETY: the descriptors are of memory that the test keeps.
        let buffer = unsafe { Buffer::<Lists<Gfortran>>::whole(of, Use::Later) };
        assert_eq!(buffer.refusal(), None);
        assert_eq!((buffer.address(), buffer.count(5)), (first, 5));
    }
}

#[test]
fn what_a_call_changes_in_a_copy_is_put_back() {
    let mut memory = memory();
    let (_, section) = sections(&mut memory);
    // SAFETY: the descriptor is of memory that the test keeps.
    let buffer = |used| unsafe { Buffer::<Lists<Gfortran>>::whole(&section, used) };
    let copy = buffer(Use::Now);
    // SAFETY: a copy has all elements of the section.
    let elements = unsafe { std::slice::from_raw_parts_mut(copy.address().cast::<i32>(), 6) };
    assert_eq!(elements, [1, 3, 5, 19, 21, 23]);
    elements[..5].iter_mut().for_each(|element| *element *= 10);
    // Another thread's, as a call that does not change it allows.
    memory[22] = 7;
    drop(copy);
    assert_eq!(memory[..6], [0, 10, 2, 30, 4, 50]);
    assert_eq!(memory[18..], [18, 190, 20, 210, 7, 23]);
    assert_eq!(memory[6..18], (6..18).collect::<Vec<_>>());
}

#[test]
fn a_copy_for_a_request_is_put_back_when_that_is_complete() {
    let mut memory = memory();
    let (_, section) = sections(&mut memory);
    // SAFETY: the descriptor is of memory that the test keeps.
    let mut buffer = unsafe { Buffer::<Lists<Gfortran>>::whole(&section, Use::Staged) };
    let address = buffer.address().cast::<i32>();
    let copies = Copies::leak(buffer.take_staged().into_iter().collect());
    drop(buffer);
    // SAFETY: the copies have the six elements of the section, until they are freed.
    unsafe {
        *address.add(2) = 55;
        assert_eq!(memory[5], 5);
        Copies::copy_out(copies);
        assert_eq!(memory[5], 55);
        memory[1] = 11;
        Copies::copy_in(copies);
        assert_eq!(*address, 11);
        Copies::copy_out(copies);
        Copies::free(copies);
    }
    assert_eq!(memory[..6], [0, 11, 2, 3, 4, 55]);
}

/// A refusal of `count` integers.
fn refusal<A: Array>(of: &A, used: Use, count: i64) -> Option<Refusal> {
    // SAFETY: the descriptor is of memory that the test keeps, or is refused.
    let buffer = unsafe { Buffer::<Lists<A>>::elements(of, used, count, INTEGER) };
    buffer.refusal().cloned()
}

#[test]
fn descriptors_that_no_array_has_are_refused() {
    let mut memory = memory();
    let first: *mut c_void = (&raw mut memory[0]).cast();
    let none = std::ptr::null_mut();
    let standard = |first, of: &[(isize, isize)]| Standard::of(first, 4, of);
    let nonsense = |of| matches!(refusal(&of, Use::Now, 3), Some(Refusal::Nonsense(_)));
    // Whatever stands in the dimensions of an array that is not allocated.
    for extents in [(0, 0), (3, 4), (isize::MAX, isize::MIN), (1 << 40, 77)] {
        let of = standard(none, &[extents, (isize::MAX, 3)]);
        assert_eq!(refusal(&of, Use::Now, 3), Some(Refusal::Unallocated));
        assert_eq!(refusal(&of, Use::Staged, 0), None);
        // SAFETY: the array has no memory.
        let buffer = unsafe { Buffer::<Lists<Standard>>::whole(&of, Use::Now) };
        assert_eq!((buffer.address(), buffer.refusal()), (none, None));
    }
    assert!(nonsense(standard(first, &[(1 << 40, 8), (1 << 40, 16)])));
    assert!(nonsense(standard(first, &[(3, isize::MIN), (2, 8)])));
    assert!(nonsense(standard(first, &[(3, 8), (2, 0)])));
    assert!(nonsense(standard(first, &[(3, 8), (5, 4)])));
    let mut many = standard(first, &[(2, 8)]);
    for rank in [16, 127, -1] {
        many.set_rank(rank);
        assert!(matches!(
            refusal(&many, Use::Now, 1),
            Some(Refusal::Nonsense(_))
        ));
    }
    let (section, _) = sections(&mut memory);
    let small = Refusal::Small { has: 24, uses: 28 };
    assert_eq!(refusal(&section, Use::Now, 7), Some(small));
    // SAFETY: the descriptor is of memory that the test keeps.
    let late = unsafe { Buffer::<Lists<Standard>>::whole(&section, Use::Later) };
    let text = late.refusal().unwrap().to_string();
    assert!(
        text.contains("extent 3 and stride 8, extent 2 and stride 72 bytes"),
        "{text}"
    );
}

/// The strides that gfortran 12 gives an array which an assignment has allocated: those of an
/// array, in a unit that is not set.
#[test]
fn strides_in_a_unit_that_is_not_set_are_those_of_elements() {
    let mut memory = memory();
    let first: *mut c_void = (&raw mut memory[0]).cast();
    let address = first as isize;
    for unit in [
        0,
        1,
        -3,
        address,
        3399988123389603631,
        isize::MIN,
        -(1 << 60),
    ] {
        let of = |extents: &[isize]| {
            let mut stride = unit;
            let mut dimensions = Vec::new();
            for extent in extents {
                dimensions.push((*extent, stride));
                stride = stride.wrapping_mul(*extent);
            }
            Standard::of(first, 4, &dimensions)
        };
        for array in [of(&[24]), of(&[6, 4]), of(&[1, 24]), of(&[2, 3, 4])] {
            assert_eq!(refusal(&array, Use::Later, 24), None, "{unit}");
            // SAFETY: the descriptor is of memory that the test keeps.
            let buffer = unsafe { Buffer::<Lists<Standard>>::whole(&array, Use::Later) };
            assert_eq!((buffer.address(), buffer.count(5)), (first, 5));
        }
    }
}
