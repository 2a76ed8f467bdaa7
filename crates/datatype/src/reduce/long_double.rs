//! Reductions of C's `long double`: the 80-bit x87 format on x86-64, binary128 elsewhere.

#[cfg(not(target_arch = "x86_64"))]
pub(super) use other::{complex, pair, real};
#[cfg(target_arch = "x86_64")]
pub(super) use x87::{complex, pair, real};

#[cfg(not(target_arch = "x86_64"))]
mod other {
    use crate::op::Op;
    use crate::reduce::quad::F128;
    use crate::reduce::vectors::{Kernel, Vectors};
    use crate::reduce::{fold, pair};

    pub(in crate::reduce) const fn real(op: Op) -> Option<&'static Kernel> {
        fold::real::<F128>(op, Vectors::BASELINE)
    }

    pub(in crate::reduce) const fn complex(op: Op) -> Option<&'static Kernel> {
        fold::complex::<F128>(op, Vectors::BASELINE)
    }

    pub(in crate::reduce) const fn pair(op: Op) -> Option<&'static Kernel> {
        pair::pair::<F128, i32>(op, Vectors::BASELINE)
    }
}

#[cfg(target_arch = "x86_64")]
mod x87 {
    use std::arch::asm;

    use crate::op::Op;
    use crate::reduce::vectors::{Kernel, Loop};

    /// Bytes from one number to the next: ten of data, and padding.
    const EXTENT: usize = 16;
    /// Bytes of a complex number.
    const COMPLEX: usize = 2 * EXTENT;
    /// Offset of the index in a pair.
    const INDEX: usize = 16;
    /// Bytes from one pair to the next.
    const PAIR: usize = 32;

    pub(in crate::reduce) const fn real(op: Op) -> Option<&'static Kernel> {
        Some(match op {
            Op::Sum => Kernel::plain::<Sum>(),
            Op::Prod => Kernel::plain::<Product>(),
            Op::Min => Kernel::plain::<Least>(),
            Op::Max => Kernel::plain::<Most>(),
            _ => return None,
        })
    }

    pub(in crate::reduce) const fn complex(op: Op) -> Option<&'static Kernel> {
        Some(match op {
            Op::Sum => Kernel::plain::<Sum>(),
            Op::Prod => Kernel::plain::<ComplexProduct>(),
            _ => return None,
        })
    }

    pub(in crate::reduce) const fn pair(op: Op) -> Option<&'static Kernel> {
        Some(match op {
            Op::Minloc => Kernel::plain::<Extremes<true>>(),
            Op::Maxloc => Kernel::plain::<Extremes<false>>(),
            _ => return None,
        })
    }

    /// A loop of x87 instructions on the addresses of two operands and of the result, each of which
    /// is loaded before the result is stored.
    macro_rules! loops {
        ($($name:ident $symmetric:literal $extent:expr, [$($instruction:literal)*];)*) => {$(
            struct $name;

            impl Loop for $name {
                const BYTES: usize = $extent;
                const SYMMETRIC: bool = $symmetric;

                #[inline(always)]
                unsafe fn run(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
                    for index in 0..count {
                        let at = index * Self::BYTES;
                        // SAFETY: touches the ten bytes of each number, which the caller
                        // promised, and leaves the register stack as empty as the ABI says it
                        // was.
                        unsafe {
                            asm!(
                                $($instruction,)*
                                a = in(reg) a.add(at),
                                b = in(reg) b.add(at),
                                out = in(reg) out.add(at),
                                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                                options(nostack),
                            );
                        }
                    }
                }
            }
        )*};
    }

    loops! {
        Sum true EXTENT, [
            "fld tbyte ptr [{a}]"
            "fld tbyte ptr [{b}]"
            "faddp st(1), st"
            "fstp tbyte ptr [{out}]"
        ];
        Product true EXTENT, [
            "fld tbyte ptr [{a}]"
            "fld tbyte ptr [{b}]"
            "fmulp st(1), st"
            "fstp tbyte ptr [{out}]"
        ];
        // `b`, or `a` where `b` is above it.
        Least false EXTENT, [
            "fld tbyte ptr [{a}]"
            "fld tbyte ptr [{b}]"
            "fucomi st, st(1)"
            "fcmovnbe st, st(1)"
            "fstp tbyte ptr [{out}]"
            "fstp st(0)"
        ];
        // `a` is above `b`: asked with `a` at the top, answered with `b` there.
        Most false EXTENT, [
            "fld tbyte ptr [{b}]"
            "fld tbyte ptr [{a}]"
            "fucomi st, st(1)"
            "fxch st(1)"
            "fcmovnbe st, st(1)"
            "fstp tbyte ptr [{out}]"
            "fstp st(0)"
        ];
        // The stack from the top: im b, re b, im a, re a.
        ComplexProduct true COMPLEX, [
            "fld tbyte ptr [{a}]"
            "fld tbyte ptr [{a} + 16]"
            "fld tbyte ptr [{b}]"
            "fld tbyte ptr [{b} + 16]"
            "fld st(3)"
            "fmul st, st(2)"
            "fld st(3)"
            "fmul st, st(2)"
            "fsubp st(1), st"
            "fstp tbyte ptr [{out}]"
            "fmulp st(3), st"
            "fmulp st(1), st"
            "faddp st(1), st"
            "fstp tbyte ptr [{out} + 16]"
        ];
    }

    /// The extremes of pairs of a `long double` and an `int`.
    struct Extremes<const LEAST: bool>;

    impl<const LEAST: bool> Loop for Extremes<LEAST> {
        const BYTES: usize = PAIR;
        const SYMMETRIC: bool = false;

        #[inline(always)]
        unsafe fn run(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
            for element in 0..count {
                let at = element * PAIR;
                // SAFETY: the caller promised the fields of `count` elements; only those are
                // touched.
                unsafe {
                    let (a, b, out) = (a.add(at), b.add(at), out.add(at));
                    let index = |of: *const u8| of.add(INDEX).cast::<i32>().read_unaligned();
                    let (first, second) = (index(a), index(b));
                    let better = match LEAST {
                        true => above(b, a),
                        false => above(a, b),
                    };
                    let chosen = better || (equal(a, b) && first < second);
                    let from = if chosen { a } else { b };
                    let number = from.cast::<[u8; 10]>().read();
                    out.cast::<[u8; 10]>().write(number);
                    let index = if chosen { first } else { second };
                    out.add(INDEX).cast::<i32>().write_unaligned(index);
                }
            }
        }
    }

    macro_rules! comparison {
        ($name:ident, $set:literal) => {
            /// # Safety
            /// Both addresses have the ten bytes of a number.
            #[inline(always)]
            unsafe fn $name(a: *const u8, b: *const u8) -> bool {
                let answer: u8;
                // SAFETY: reads what the caller promised, and leaves the register stack empty.
                unsafe {
                    asm!(
                        "fld tbyte ptr [{b}]",
                        "fld tbyte ptr [{a}]",
                        "fucomip st, st(1)",
                        $set,
                        "fstp st(0)",
                        a = in(reg) a,
                        b = in(reg) b,
                        answer = out(reg_byte) answer,
                        out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                        out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                        options(nostack, readonly),
                    );
                }
                answer != 0
            }
        };
    }

    comparison!(above, "seta {answer}");
    // Numbers that cannot be compared count as equal in the zero flag, and set that of parity.
    comparison!(unequal, "setne {answer}");
    comparison!(comparable, "setnp {answer}");

    /// # Safety
    /// See [`above`].
    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8) -> bool {
        // SAFETY: passed on from the caller.
        unsafe { !unequal(a, b) && comparable(a, b) }
    }
}
