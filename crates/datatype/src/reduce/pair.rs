//! `MPI_MINLOC` and `MPI_MAXLOC`: the extreme value with its index; of equal values, the lower
//! index (MPI 5.0, 6.9.4). Two values of which one is not a number give the second operand.

use std::marker::PhantomData;
use std::mem::offset_of;

use super::vectors::{Kernel, Loop, Vectors};
use crate::op::Op;

/// A value and its index, as C lays a structure of the two out.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Pair<V, I> {
    value: V,
    index: I,
}

/// The loops over pairs.
pub(super) const fn pair<V, I>(op: Op, vectors: Vectors) -> Option<&'static Kernel>
where
    V: Copy + PartialOrd,
    I: Copy + PartialOrd,
{
    Some(match op {
        Op::Minloc => Kernel::of::<Extremes<V, I, true>>(vectors),
        Op::Maxloc => Kernel::of::<Extremes<V, I, false>>(vectors),
        _ => return None,
    })
}

/// The loops over pairs of a value of 8 bytes and an `int`, which have padding in every element.
#[cfg(target_arch = "x86_64")]
pub(super) use wide::pair as wide_pair;

/// The loops over pairs of a value of 8 bytes and an `int`.
#[cfg(not(target_arch = "x86_64"))]
pub(super) use pair as wide_pair;

struct Extremes<V, I, const LEAST: bool>(PhantomData<(V, I)>);

impl<V, I, const LEAST: bool> Loop for Extremes<V, I, LEAST>
where
    V: Copy + PartialOrd,
    I: Copy + PartialOrd,
{
    const BYTES: usize = size_of::<Pair<V, I>>();
    const SYMMETRIC: bool = false;

    #[inline(always)]
    unsafe fn run(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        let full = size_of::<Pair<V, I>>() == size_of::<V>() + size_of::<I>();
        for element in 0..count {
            let at = element * size_of::<Pair<V, I>>();
            // SAFETY: the caller promised the fields of `count` elements. Only those are touched
            // where there is padding: it is not ours, and the last element may lack it.
            unsafe {
                let better = pick::<V, I, LEAST>(load(a.add(at)), load(b.add(at)));
                match full {
                    true => out.add(at).cast::<Pair<V, I>>().write_unaligned(better),
                    false => {
                        let index = out.add(at + offset_of!(Pair<V, I>, index));
                        out.add(at).cast::<V>().write_unaligned(better.value);
                        index.cast::<I>().write_unaligned(better.index);
                    }
                }
            }
        }
    }
}

/// # Safety
/// The fields of a pair are readable.
#[inline(always)]
unsafe fn load<V: Copy, I: Copy>(from: *const u8) -> Pair<V, I> {
    // SAFETY: promised by the caller; unaligned access asks no more.
    unsafe {
        let index = from.add(offset_of!(Pair<V, I>, index));
        Pair {
            value: from.cast::<V>().read_unaligned(),
            index: index.cast::<I>().read_unaligned(),
        }
    }
}

/// Without a branch, so that it becomes a choice between vectors.
#[inline(always)]
fn pick<V, I, const LEAST: bool>(a: Pair<V, I>, b: Pair<V, I>) -> Pair<V, I>
where
    V: Copy + PartialOrd,
    I: Copy + PartialOrd,
{
    let better = match LEAST {
        true => a.value < b.value,
        false => a.value > b.value,
    };
    let first = better | ((a.value == b.value) & (a.index < b.index));
    Pair {
        value: if first { a.value } else { b.value },
        index: if first { a.index } else { b.index },
    }
}

/// The loops with AVX-512. Stores by a mask would leave padding alone, too, but are slow in memory.
#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;
    use std::marker::PhantomData;

    use super::{Extremes, Kernel, Loop, Op, Pair, Vectors};

    pub(in crate::reduce) const fn pair<V, I>(op: Op, vectors: Vectors) -> Option<&'static Kernel>
    where
        Wide<V, I, true>: Loop,
        Wide<V, I, false>: Loop,
    {
        Some(match op {
            Op::Minloc => Kernel::of::<Wide<V, I, true>>(vectors),
            Op::Maxloc => Kernel::of::<Wide<V, I, false>>(vectors),
            _ => return None,
        })
    }

    pub(in crate::reduce) struct Wide<V, I, const LEAST: bool>(PhantomData<(V, I)>);

    /// The words of 8 bytes of four pairs that are values.
    const VALUES: __mmask8 = 0x55;

    macro_rules! wide {
        ($name:ident, $value:ty, $below:expr, $equal:expr) => {
            impl<const LEAST: bool> Loop for Wide<$value, i32, LEAST> {
                const BYTES: usize = size_of::<Pair<$value, i32>>();
                const SYMMETRIC: bool = false;

                #[inline(always)]
                unsafe fn run(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
                    // SAFETY: passed on from the caller.
                    unsafe { Extremes::<$value, i32, LEAST>::run(a, b, out, count) }
                }

                #[inline(always)]
                unsafe fn run_avx512(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
                    // SAFETY: passed on from the caller.
                    unsafe { $name::<LEAST>(a, b, out, count) }
                }
            }

            /// # Safety
            /// See [`Loop::run_avx512`].
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn $name<const LEAST: bool>(
                a: *const u8,
                b: *const u8,
                out: *mut u8,
                count: usize,
            ) {
                const EXTENT: usize = size_of::<Pair<$value, i32>>();
                // Memory that keeps its values need not be written: in large vectors that is a
                // third of the traffic, and of extremes that gather few change.
                let in_place = b == out.cast_const();
                // One pair more is there than is read, so that padding is, too.
                let whole = count.saturating_sub(1) / 4 * 4;
                for element in (0..whole).step_by(4) {
                    let at = element * EXTENT;
                    // SAFETY: the pairs up to the next group's first field are the caller's, and
                    // of `out` only fields are touched.
                    unsafe {
                        let x = _mm512_loadu_si512(a.add(at).cast());
                        let y = _mm512_loadu_si512(b.add(at).cast());
                        let better = if LEAST { $below(x, y) } else { $below(y, x) };
                        // An index, moved up, decides over the eight bytes that it lies in.
                        let up = |pairs| _mm512_slli_epi64::<32>(pairs);
                        let lower = _mm512_cmplt_epi64_mask(up(x), up(y)) >> 1;
                        let first = (better | ($equal(x, y) & lower)) & VALUES;
                        if in_place && first == 0 {
                            continue;
                        }
                        let chosen = _mm512_mask_blend_epi64(first | (first << 1), y, x);
                        let out = out.add(at);
                        store(out, _mm512_castsi512_si128(chosen));
                        store(out.add(EXTENT), _mm512_extracti32x4_epi32::<1>(chosen));
                        store(out.add(2 * EXTENT), _mm512_extracti32x4_epi32::<2>(chosen));
                        store(out.add(3 * EXTENT), _mm512_extracti32x4_epi32::<3>(chosen));
                    }
                }
                let at = whole * EXTENT;
                // SAFETY: what is left of the same elements.
                unsafe {
                    let (a, b, out) = (a.add(at), b.add(at), out.add(at));
                    Extremes::<$value, i32, LEAST>::run(a, b, out, count - whole)
                }
            }
        };
    }

    /// Stores the fields of one pair.
    ///
    /// # Safety
    /// The fields are writable.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn store(out: *mut u8, pair: __m128i) {
        // SAFETY: promised by the caller.
        unsafe {
            _mm_storel_epi64(out.cast(), pair);
            let index = _mm_unpackhi_epi64(pair, pair);
            _mm_storeu_si32(out.add(8), index);
        }
    }

    wide!(
        reals,
        f64,
        |x, y| _mm512_cmp_pd_mask::<_CMP_LT_OQ>(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y)),
        |x, y| _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y))
    );
    wide!(
        integers,
        i64,
        |x, y| _mm512_cmplt_epi64_mask(x, y),
        |x, y| _mm512_cmpeq_epi64_mask(x, y)
    );
}
