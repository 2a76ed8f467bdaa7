//! Reductions of IEEE binary16 numbers, rounded to nearest even.
//!
//! It is computed in binary32 and rounded once more. That gives the correctly rounded sum and
//! product, since binary32 has more than twice the significand.

use std::cmp::Ordering;
use std::marker::PhantomData;

use super::fold::{Each, Fold, LeastReal, MostReal, Number, Prod, Sum};
use super::vectors::{Kernel, Loop, Vectors};
use crate::op::Op;

/// The loops over numbers of 16 bits.
pub(super) const fn real(op: Op, vectors: Vectors) -> Option<&'static Kernel> {
    Some(match op {
        Op::Sum => Kernel::of::<Halves<Sum>>(vectors),
        Op::Prod => Kernel::of::<Halves<Prod>>(vectors),
        Op::Min => Kernel::of::<Halves<LeastReal>>(vectors),
        Op::Max => Kernel::of::<Halves<MostReal>>(vectors),
        _ => return None,
    })
}

/// The loops over complex numbers of twice 16 bits.
pub(super) const fn complex(op: Op, vectors: Vectors) -> Option<&'static Kernel> {
    match op {
        Op::Sum => Some(Kernel::of::<Halves<Sum>>(vectors)),
        _ => super::fold::complex::<F16>(op, vectors),
    }
}

/// `F` in binary32 on elements of 16 bits, converted by the machine's instructions where it has
/// them.
struct Halves<F>(PhantomData<F>);

impl<F: Fold<F16> + Fold<f32>> Loop for Halves<F> {
    const BYTES: usize = 2;
    const SYMMETRIC: bool = <F as Fold<F16>>::SYMMETRIC;

    #[inline(always)]
    unsafe fn run(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        // SAFETY: passed on from the caller.
        unsafe { Each::<F16, F>::run(a, b, out, count) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn run_avx2(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        // SAFETY: passed on from the caller.
        unsafe { x86::avx2::<F>(a, b, out, count) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn run_avx512(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        // SAFETY: passed on from the caller.
        unsafe { x86::avx512::<F>(a, b, out, count) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Each, Fold, Loop, F16};

    /// A loop over as many elements at once as fill a vector once they are widened; the compiler
    /// makes vectors of the operation itself.
    macro_rules! halves {
        ($name:ident, $features:literal, $vector:ty, $lanes:literal, $load:expr, $store:expr) => {
            /// # Safety
            /// See [`Loop::run`]; also, the machine has the features.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name<F: Fold<F16> + Fold<f32>>(
                a: *const u8,
                b: *const u8,
                out: *mut u8,
                count: usize,
            ) {
                let whole = count - count % $lanes;
                for first in (0..whole).step_by($lanes) {
                    // SAFETY: the caller promised the elements, which take two bytes each;
                    // arrays of `f32` are vectors of them.
                    unsafe {
                        let (a, b, out) = (a.add(2 * first), b.add(2 * first), out.add(2 * first));
                        let x: [f32; $lanes] = std::mem::transmute($load(a));
                        let y: [f32; $lanes] = std::mem::transmute($load(b));
                        let mut z = y;
                        for lane in 0..$lanes {
                            z[lane] = F::fold(x[lane], y[lane]);
                        }
                        $store(out, std::mem::transmute::<[f32; $lanes], $vector>(z));
                    }
                }
                let at = 2 * whole;
                // SAFETY: what is left of the same elements.
                unsafe { Each::<F16, F>::run(a.add(at), b.add(at), out.add(at), count - whole) }
            }
        };
    }

    halves!(
        avx2,
        "avx2,f16c",
        __m256,
        8,
        |from: *const u8| _mm256_cvtph_ps(_mm_loadu_si128(from.cast())),
        |into: *mut u8, wide| {
            let halves = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(wide);
            _mm_storeu_si128(into.cast(), halves)
        }
    );
    halves!(
        avx512,
        "avx512f,avx512bw,avx512dq,avx512vl",
        __m512,
        16,
        |from: *const u8| _mm512_cvtph_ps(_mm256_loadu_si256(from.cast())),
        |into: *mut u8, wide| {
            let halves = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(wide);
            _mm256_storeu_si256(into.cast(), halves)
        }
    );
}

/// IEEE binary16, `REAL*2`.
///
/// The conversions have no branches, so that loops over them become vectors also where the machine
/// has no instruction for them.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct F16(pub(super) u16);

/// The exponent of binary32 that stands for 2^`power`, in its place.
const fn exponent(power: i32) -> u32 {
    ((127 + power) as u32) << 23
}

impl F16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        let sign = u32::from(self.0 & 0x8000) << 16;
        let magnitude = u32::from(self.0 & 0x7fff) << 13;
        // What separates the biases of both exponents, and once more for infinity.
        let bias = exponent(-15);
        let normal = magnitude + bias;
        let infinite = normal + bias;
        let least = exponent(-14);
        let subnormal = f32::from_bits(magnitude + least) - f32::from_bits(least);
        let bits = if magnitude >= 31 << 23 {
            infinite
        } else if magnitude < 1 << 23 {
            subnormal.to_bits()
        } else {
            normal
        };
        f32::from_bits(bits | sign)
    }

    #[inline(always)]
    fn round(number: f32) -> F16 {
        let bits = number.to_bits();
        let sign = (bits >> 16) & 0x8000;
        let magnitude = bits & 0x7fff_ffff;
        let half = 0xfff + ((magnitude >> 13) & 1);
        // Rounding may carry into the exponent, up to that of infinity.
        let normal = magnitude.wrapping_add(half).wrapping_sub(exponent(-15)) >> 13;
        // The sum with 1/2 has its last bit where a subnormal has it, and rounds there.
        let subnormal = (f32::from_bits(magnitude) + 0.5)
            .to_bits()
            .wrapping_sub(exponent(-1));
        let nan = 0x7e00 | ((magnitude >> 13) & 0x3ff);
        let bits = if magnitude > exponent(128) {
            nan
        } else if magnitude >= exponent(16) {
            0x7c00
        } else if magnitude < exponent(-14) {
            subnormal
        } else {
            normal
        };
        F16((bits | sign) as u16)
    }
}

impl Number for F16 {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        F16::round(self.widen() + other.widen())
    }
    #[inline(always)]
    fn difference(self, other: Self) -> Self {
        F16::round(self.widen() - other.widen())
    }
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        F16::round(self.widen() * other.widen())
    }
}

impl PartialEq for F16 {
    #[inline(always)]
    fn eq(&self, other: &F16) -> bool {
        self.widen() == other.widen()
    }
}

impl PartialOrd for F16 {
    #[inline(always)]
    fn partial_cmp(&self, other: &F16) -> Option<Ordering> {
        self.widen().partial_cmp(&other.widen())
    }
    #[inline(always)]
    fn lt(&self, other: &F16) -> bool {
        self.widen() < other.widen()
    }
    #[inline(always)]
    fn gt(&self, other: &F16) -> bool {
        self.widen() > other.widen()
    }
}
