//! The generic loops and the operations on one element.

use std::mem::offset_of;

use crate::op::Op;

/// A loop over `count` elements: source, inout, count.
///
/// # Safety
/// Both addresses have the data of `count` elements: readable, and writable at the second.
/// They are equal or the elements do not overlap.
pub(super) type Kernel = unsafe fn(*const u8, *mut u8, usize);

/// What can be added and multiplied.
pub(super) trait Number: Copy {
    fn sum(self, other: Self) -> Self;
    fn difference(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
}

/// An integer: also has bits and a truth value.
pub(super) trait Integer: Number + Ord {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn truth(self) -> bool;
    fn of_truth(truth: bool) -> Self;
}

/// `re + im i`, as C and Fortran lay it out.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Complex<T> {
    re: T,
    im: T,
}

/// A value and its index, as C lays a structure of the two out.
#[repr(C)]
pub(super) struct Pair<V, I> {
    value: V,
    index: I,
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn difference(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }

        impl Integer for $type {
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn truth(self) -> bool {
                self != 0
            }
            #[inline(always)]
            fn of_truth(truth: bool) -> Self {
                truth as $type
            }
        }
    )*};
}

integers! { i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 }

macro_rules! reals {
    ($($type:ty)*) => {$(
        impl Number for $type {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn difference(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self * other
            }
        }
    )*};
}

reals! { f32 f64 }

impl<T: Number> Number for Complex<T> {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Complex {
            re: self.re.sum(other.re),
            im: self.im.sum(other.im),
        }
    }
    #[inline(always)]
    fn difference(self, other: Self) -> Self {
        Complex {
            re: self.re.difference(other.re),
            im: self.im.difference(other.im),
        }
    }
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        Complex {
            re: self
                .re
                .product(other.re)
                .difference(self.im.product(other.im)),
            im: self.re.product(other.im).sum(self.im.product(other.re)),
        }
    }
}

/// An operation on two elements: the source's and the inout's.
trait Fold<T> {
    fn fold(a: T, b: T) -> T;
}

macro_rules! folds {
    ($($name:ident<$bound:path>($a:ident, $b:ident) $result:expr;)*) => {$(
        struct $name;

        impl<T: Copy + $bound> Fold<T> for $name {
            #[inline(always)]
            fn fold($a: T, $b: T) -> T {
                $result
            }
        }
    )*};
}

folds! {
    Sum<Number>(a, b) a.sum(b);
    Prod<Number>(a, b) a.product(b);
    Min<PartialOrd>(a, b) if a < b { a } else { b };
    Max<PartialOrd>(a, b) if a > b { a } else { b };
    Band<Integer>(a, b) a.and(b);
    Bor<Integer>(a, b) a.or(b);
    Bxor<Integer>(a, b) a.xor(b);
    Land<Integer>(a, b) T::of_truth(a.truth() & b.truth());
    Lor<Integer>(a, b) T::of_truth(a.truth() | b.truth());
    Lxor<Integer>(a, b) T::of_truth(a.truth() ^ b.truth());
}

pub(super) fn integer<T: Integer>(op: Op) -> Option<Kernel> {
    Some(match op {
        Op::Sum => each::<T, Sum>,
        Op::Prod => each::<T, Prod>,
        Op::Min => each::<T, Min>,
        Op::Max => each::<T, Max>,
        Op::Band => each::<T, Band>,
        Op::Bor => each::<T, Bor>,
        Op::Bxor => each::<T, Bxor>,
        Op::Land => each::<T, Land>,
        Op::Lor => each::<T, Lor>,
        Op::Lxor => each::<T, Lxor>,
        _ => return None,
    })
}

pub(super) fn real<T: Number + PartialOrd>(op: Op) -> Option<Kernel> {
    Some(match op {
        Op::Sum => each::<T, Sum>,
        Op::Prod => each::<T, Prod>,
        Op::Min => each::<T, Min>,
        Op::Max => each::<T, Max>,
        _ => return None,
    })
}

pub(super) fn complex<T: Number>(op: Op) -> Option<Kernel> {
    Some(match op {
        Op::Sum => each::<Complex<T>, Sum>,
        Op::Prod => each::<Complex<T>, Prod>,
        _ => return None,
    })
}

pub(super) fn pair<V, I>(op: Op) -> Option<Kernel>
where
    V: Copy + PartialOrd,
    I: Copy + PartialOrd,
{
    Some(match op {
        Op::Minloc => each_pair::<V, I, true>,
        Op::Maxloc => each_pair::<V, I, false>,
        _ => return None,
    })
}

/// Folds element by element, with the widest vectors of the machine.
///
/// # Safety
/// As for [`Kernel`].
unsafe fn each<T: Copy, F: Fold<T>>(source: *const u8, inout: *mut u8, count: usize) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was just detected; the rest is passed on from the caller.
        return unsafe { each_avx2::<T, F>(source, inout, count) };
    }
    // SAFETY: passed on from the caller.
    unsafe { fold_all::<T, F>(source, inout, count) }
}

/// # Safety
/// As for [`Kernel`], and the machine has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn each_avx2<T: Copy, F: Fold<T>>(source: *const u8, inout: *mut u8, count: usize) {
    // SAFETY: passed on from the caller.
    unsafe { fold_all::<T, F>(source, inout, count) }
}

/// # Safety
/// As for [`Kernel`].
#[inline(always)]
unsafe fn fold_all<T: Copy, F: Fold<T>>(source: *const u8, inout: *mut u8, count: usize) {
    let (source, inout) = (source.cast::<T>(), inout.cast::<T>());
    for index in 0..count {
        // SAFETY: the caller promised `count` elements; unaligned access asks no more.
        unsafe {
            let a = source.add(index).read_unaligned();
            let b = inout.add(index).read_unaligned();
            inout.add(index).write_unaligned(F::fold(a, b));
        }
    }
}

/// Keeps the extreme value with its index; of equal values, the lower index.
///
/// # Safety
/// As for [`Kernel`]. Only the fields are touched: the last element may lack its padding.
unsafe fn each_pair<V, I, const LEAST: bool>(source: *const u8, inout: *mut u8, count: usize)
where
    V: Copy + PartialOrd,
    I: Copy + PartialOrd,
{
    let at = offset_of!(Pair<V, I>, index);
    for index in 0..count {
        let start = index * size_of::<Pair<V, I>>();
        // SAFETY: the caller promised the fields of `count` elements.
        unsafe {
            let (a, b) = (source.add(start), inout.add(start));
            let (value, so_far) = (
                a.cast::<V>().read_unaligned(),
                b.cast::<V>().read_unaligned(),
            );
            let place = a.add(at).cast::<I>().read_unaligned();
            let better = if LEAST {
                value < so_far
            } else {
                value > so_far
            };
            let tie = value == so_far && place < b.add(at).cast::<I>().read_unaligned();
            if better || tie {
                b.cast::<V>().write_unaligned(value);
                b.add(at).cast::<I>().write_unaligned(place);
            }
        }
    }
}
