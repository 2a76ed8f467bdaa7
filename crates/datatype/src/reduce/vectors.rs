//! The vector instructions that a loop may use, and loops that were compiled for each set.
//!
//! A [`Loop`] is written once, element by element, and the compiler vectorises it three times.
//! The loop is a function of its own for each operand that the result may lie on, since a loop that
//! might overwrite what it has yet to read cannot be vectorised.

use std::fmt;
use std::marker::PhantomData;

/// The vector instructions that reductions use: at most those of this machine.
///
/// The results are the same with all of them, bit for bit. One thing is left to chance: where the
/// result is not a number, which of the bit patterns for that it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vectors(Set);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// The words of [`Vectors::named`], narrowest first; the last one sets no limit.
    pub const WORDS: &'static [&'static str] = &["none", "avx2", "avx512"];

    /// All sets, also those that the machine lacks: to list loops by, and not to run any.
    pub(super) const SETS: &'static [Vectors] = &[
        Vectors(Set::Baseline),
        #[cfg(target_arch = "x86_64")]
        Vectors(Set::Avx2),
        #[cfg(target_arch = "x86_64")]
        Vectors(Set::Avx512),
    ];

    /// Returns the index in [`Vectors::SETS`].
    #[inline]
    pub(super) fn place(self) -> usize {
        self.0 as usize
    }

    /// The instructions that every machine of this architecture has.
    pub const BASELINE: Vectors = Vectors(Set::Baseline);

    /// Returns the widest set that this machine has.
    #[inline]
    pub fn best() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                return Vectors(Set::Avx512);
            }
            if has!("avx2") && has!("f16c") {
                return Vectors(Set::Avx2);
            }
        }
        Vectors::BASELINE
    }

    /// Returns the widest set that this machine has, up to the one named `word`; a word that is not
    /// among [`Vectors::WORDS`] sets no limit.
    pub fn named(word: &str) -> Vectors {
        match word {
            "none" => Vectors::BASELINE,
            #[cfg(target_arch = "x86_64")]
            "avx2" => Vectors::best().min(Vectors(Set::Avx2)),
            _ => Vectors::best(),
        }
    }
}

impl fmt::Debug for Vectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Set::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
        })
    }
}

/// `out[i] = a[i] op b[i]`, element by element.
pub(super) trait Loop {
    /// Bytes from one element to the next.
    const BYTES: usize;

    /// Whether `a op b` and `b op a` are the same bits.
    const SYMMETRIC: bool;

    /// # Safety
    /// `a` and `b` have the data of `count` elements, readable, and `out` has room for it,
    /// writable. The ranges are equal or do not overlap. Any address will do.
    unsafe fn run(a: *const u8, b: *const u8, out: *mut u8, count: usize);

    /// Runs the loop, compiled for AVX2.
    ///
    /// # Safety
    /// See [`Loop::run`]; also, the machine has the instructions that [`Vectors`] requires for this
    /// set.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn run_avx2(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        // SAFETY: passed on from the caller.
        unsafe { Self::run(a, b, out, count) }
    }

    /// Runs the loop, compiled for AVX-512.
    ///
    /// # Safety
    /// See [`Loop::run_avx2`].
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn run_avx512(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        // SAFETY: passed on from the caller.
        unsafe { Self::run(a, b, out, count) }
    }
}

/// The functions of one loop, for one set of vector instructions.
#[derive(Clone, Copy)]
pub(super) struct Kernel {
    /// `b = a op b`, where `a` is another range for full speed.
    into_second: unsafe fn(*const u8, *mut u8, usize),
    /// `a = a op b`, likewise.
    into_first: unsafe fn(*mut u8, *const u8, usize),
    /// `out = a op b`, where `out` is neither for full speed.
    apart: unsafe fn(*const u8, *const u8, *mut u8, usize),
    /// The logarithm of the bytes of the loop's elements, of which one or more make a caller's.
    shift: u32,
}

/// The kernels of `L`, as constants.
struct Sets<L>(PhantomData<L>);

impl<L: Loop> Sets<L> {
    const SHIFT: u32 = {
        assert!(L::BYTES.is_power_of_two());
        L::BYTES.trailing_zeros()
    };

    const BASELINE: Kernel = Kernel {
        into_second: into_second::<L>,
        into_first: into_first::<L>,
        apart: L::run,
        shift: Self::SHIFT,
    };

    #[cfg(target_arch = "x86_64")]
    const AVX2: Kernel = Kernel {
        into_second: avx2::into_second::<L>,
        into_first: avx2::into_first::<L>,
        apart: avx2::apart::<L>,
        shift: Self::SHIFT,
    };

    #[cfg(target_arch = "x86_64")]
    const AVX512: Kernel = Kernel {
        into_second: avx512::into_second::<L>,
        into_first: avx512::into_first::<L>,
        apart: avx512::apart::<L>,
        shift: Self::SHIFT,
    };
}

impl Kernel {
    /// `L` with the instructions of `vectors`, for elements of which each is one or more of the
    /// loop's own.
    pub(super) const fn of<L: Loop>(vectors: Vectors) -> &'static Kernel {
        match vectors.0 {
            Set::Baseline => &const { Sets::<L>::BASELINE },
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => &const { Sets::<L>::AVX2 },
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => &const { Sets::<L>::AVX512 },
        }
    }

    /// `L` as every machine can run it: for loops that have no vectors.
    pub(super) const fn plain<L: Loop>() -> &'static Kernel {
        &const { Sets::<L>::BASELINE }
    }

    /// `out = a op b` for as many elements as `bytes` have, padding and all.
    ///
    /// # Safety
    /// See [`Loop::run`]; also, the machine has the kernel's set of vectors: callers that get a
    /// kernel have a [`Vectors`] of this machine.
    #[inline]
    pub(super) unsafe fn run(&self, a: *const u8, b: *const u8, out: *mut u8, bytes: usize) {
        let count = bytes >> self.shift;
        // SAFETY: passed on from the caller.
        unsafe {
            if out.cast_const() == b {
                (self.into_second)(a, out, count)
            } else if out.cast_const() == a {
                (self.into_first)(out, b, count)
            } else {
                (self.apart)(a, b, out, count)
            }
        }
    }
}

/// # Safety
/// See [`Loop::run`].
unsafe fn into_second<L: Loop>(a: *const u8, b: *mut u8, count: usize) {
    // SAFETY: passed on from the caller.
    unsafe { L::run(a, b, b, count) }
}

/// # Safety
/// See [`Loop::run`].
unsafe fn into_first<L: Loop>(a: *mut u8, b: *const u8, count: usize) {
    // SAFETY: passed on from the caller; a symmetric loop may exchange its operands, so that
    // both functions are one.
    unsafe {
        match L::SYMMETRIC {
            true => into_second::<L>(b, a, count),
            false => L::run(a, b, a, count),
        }
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! with_features {
    ($name:ident, $run:ident, $features:literal) => {
        mod $name {
            use crate::reduce::vectors::Loop;

            /// # Safety
            /// See [`Loop::run`]; also, the machine has the features.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn into_second<L: Loop>(a: *const u8, b: *mut u8, count: usize) {
                // SAFETY: passed on from the caller.
                unsafe { L::$run(a, b, b, count) }
            }

            /// # Safety
            /// See [`into_second`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn into_first<L: Loop>(a: *mut u8, b: *const u8, count: usize) {
                // SAFETY: passed on from the caller; see the function of the same name above.
                unsafe {
                    match L::SYMMETRIC {
                        true => into_second::<L>(b, a, count),
                        false => L::$run(a, b, a, count),
                    }
                }
            }

            /// # Safety
            /// See [`into_second`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn apart<L: Loop>(
                a: *const u8,
                b: *const u8,
                out: *mut u8,
                count: usize,
            ) {
                // SAFETY: passed on from the caller.
                unsafe { L::$run(a, b, out, count) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
with_features!(avx2, run_avx2, "avx2,f16c");
#[cfg(target_arch = "x86_64")]
with_features!(avx512, run_avx512, "avx512f,avx512bw,avx512dq,avx512vl");
