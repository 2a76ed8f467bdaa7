//! Reduction operations on one element, and the loops over elements.

use std::hint::black_box;
use std::marker::PhantomData;
use std::ops::Range;

use super::vectors::{Kernel, Loop, Vectors};
use crate::op::Op;

/// A type with sum, difference and product.
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

/// An operation on two elements.
pub(super) trait Fold<T> {
    /// Whether the operands may be exchanged, bit for bit.
    const SYMMETRIC: bool;

    /// Whether the result is one of both operands, and vectors have no instruction for that.
    const BLENDS: bool;

    fn fold(a: T, b: T) -> T;
}

macro_rules! folds {
    ($(
        $name:ident<$bound:path>($a:ident, $b:ident) $symmetric:literal $blends:expr, $result:expr;
    )*) => {$(
        pub(super) struct $name;

        impl<T: Copy + $bound> Fold<T> for $name {
            const SYMMETRIC: bool = $symmetric;
            const BLENDS: bool = $blends;

            #[inline(always)]
            fn fold($a: T, $b: T) -> T {
                $result
            }
        }
    )*};
}

// The extremes of 0 and -0, and of anything and what is not a number, are the second operand: there
// are instructions for that, but the compiler takes a comparison and a blend for those into place.
folds! {
    Sum<Number>(a, b) true false, a.sum(b);
    Prod<Number>(a, b) true false, a.product(b);
    Least<Ord>(a, b) true size_of::<T>() == 8, if a < b { a } else { b };
    Most<Ord>(a, b) true size_of::<T>() == 8, if a > b { a } else { b };
    LeastReal<PartialOrd>(a, b) false matches!(size_of::<T>(), 4 | 8), if a < b { a } else { b };
    MostReal<PartialOrd>(a, b) false matches!(size_of::<T>(), 4 | 8), if a > b { a } else { b };
    Band<Integer>(a, b) true false, a.and(b);
    Bor<Integer>(a, b) true false, a.or(b);
    Bxor<Integer>(a, b) true false, a.xor(b);
    Land<Integer>(a, b) true false, T::of_truth(a.truth() & b.truth());
    Lor<Integer>(a, b) true false, T::of_truth(a.truth() | b.truth());
    Lxor<Integer>(a, b) true false, T::of_truth(a.truth() ^ b.truth());
}

/// The loops over integers: `S` and `U` have the same size, `S` with a sign, and one loop serves
/// both wherever the sign does not matter.
pub(super) const fn integer<S, U>(op: Op, signed: bool, vectors: Vectors) -> Option<&'static Kernel>
where
    S: Integer,
    U: Integer,
{
    Some(match (op, signed) {
        (Op::Sum, _) => kernel::<U, Sum>(vectors),
        (Op::Prod, _) => kernel::<U, Prod>(vectors),
        (Op::Min, true) => kernel::<S, Least>(vectors),
        (Op::Max, true) => kernel::<S, Most>(vectors),
        (Op::Min, false) => kernel::<U, Least>(vectors),
        (Op::Max, false) => kernel::<U, Most>(vectors),
        (Op::Band, _) => Kernel::of::<Each<u8, Band>>(vectors),
        (Op::Bor, _) => Kernel::of::<Each<u8, Bor>>(vectors),
        (Op::Bxor, _) => Kernel::of::<Each<u8, Bxor>>(vectors),
        (Op::Land, _) => kernel::<U, Land>(vectors),
        (Op::Lor, _) => kernel::<U, Lor>(vectors),
        (Op::Lxor, _) => kernel::<U, Lxor>(vectors),
        _ => return None,
    })
}

/// The loops over real numbers.
pub(super) const fn real<T: Number + PartialOrd>(
    op: Op,
    vectors: Vectors,
) -> Option<&'static Kernel> {
    Some(match op {
        Op::Sum => kernel::<T, Sum>(vectors),
        Op::Prod => kernel::<T, Prod>(vectors),
        Op::Min => kernel::<T, LeastReal>(vectors),
        Op::Max => kernel::<T, MostReal>(vectors),
        _ => return None,
    })
}

/// The loops over complex numbers.
pub(super) const fn complex<T: Number>(op: Op, vectors: Vectors) -> Option<&'static Kernel> {
    Some(match op {
        Op::Sum => Kernel::of::<Each<T, Sum>>(vectors),
        Op::Prod => kernel::<Complex<T>, Prod>(vectors),
        _ => return None,
    })
}

const fn kernel<T: Copy, F: Fold<T>>(vectors: Vectors) -> &'static Kernel {
    Kernel::of::<Each<T, F>>(vectors)
}

/// `F` on elements of type `T` without gaps.
pub(super) struct Each<T, F>(PhantomData<(T, F)>);

impl<T: Copy, F: Fold<T>> Loop for Each<T, F> {
    const BYTES: usize = size_of::<T>();
    const SYMMETRIC: bool = F::SYMMETRIC;

    #[inline(always)]
    unsafe fn run(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        let (a, b, out) = (a.cast::<T>(), b.cast::<T>(), out.cast::<T>());
        let in_place = out.cast_const() == a || out.cast_const() == b;
        // Where the result overwrites an operand and is a choice between both, the compiler leaves
        // out unchanged elements by stores with a mask: with AVX2 that is five times as slow. So
        // the address of the result is hidden from it.
        let out = match F::BLENDS && in_place {
            true => black_box(out),
            false => out,
        };
        let is_number = align_of::<T>() == size_of::<T>();
        // SAFETY: passed on from the caller.
        unsafe {
            match size_of::<T>() {
                4 if is_number => blocks::<T, F, 8>(a, b, out, count),
                8 if is_number => blocks::<T, F, 4>(a, b, out, count),
                _ => each::<T, F>(a, b, out, 0..count),
            }
        }
    }

    /// Runs the loop as the compiler vectorises it: blocks would fill half a vector, and stores
    /// with a mask are fast.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn run_avx512(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        // SAFETY: passed on from the caller.
        unsafe { each::<T, F>(a.cast(), b.cast(), out.cast(), 0..count) }
    }
}

/// # Safety
/// See [`Loop::run`], for the elements of a range.
#[inline(always)]
unsafe fn each<T: Copy, F: Fold<T>>(a: *const T, b: *const T, out: *mut T, which: Range<usize>) {
    for index in which {
        // SAFETY: promised by the caller; unaligned access asks no more.
        unsafe {
            let a = a.add(index).read_unaligned();
            let b = b.add(index).read_unaligned();
            out.add(index).write_unaligned(F::fold(a, b));
        }
    }
}

/// Combines `N` elements, one vector, at a time: as each is read before it is written, and written
/// before the next is read, no check for overlap is needed. In the nearest cache that is a
/// twentieth faster than to read four and to write four.
///
/// # Safety
/// See [`Loop::run`].
#[inline(always)]
unsafe fn blocks<T: Copy, F: Fold<T>, const N: usize>(
    a: *const T,
    b: *const T,
    out: *mut T,
    count: usize,
) {
    const AT_ONCE: usize = 4;
    let whole = count - count % (AT_ONCE * N);
    for first in (0..whole).step_by(AT_ONCE * N) {
        for block in 0..AT_ONCE {
            let first = first + block * N;
            // SAFETY: promised by the caller; unaligned access asks no more.
            unsafe {
                let a = a.add(first).cast::<[T; N]>().read_unaligned();
                let b = b.add(first).cast::<[T; N]>().read_unaligned();
                // A closure may be left a function of its own, without the vectors of this one.
                let mut folded = b;
                for index in 0..N {
                    folded[index] = F::fold(a[index], b[index]);
                }
                out.add(first).cast::<[T; N]>().write_unaligned(folded);
            }
        }
    }
    // SAFETY: passed on from the caller.
    unsafe { each::<T, F>(a, b, out, whole..count) }
}
