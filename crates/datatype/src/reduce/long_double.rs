//! C's `long double`: the 80-bit format of the x87 unit on x86-64, binary128 elsewhere.

#[cfg(not(target_arch = "x86_64"))]
pub(super) use super::soft::F128 as LongDouble;
#[cfg(target_arch = "x86_64")]
pub(super) use x87::LongDouble;

#[cfg(target_arch = "x86_64")]
mod x87 {
    use std::arch::asm;
    use std::cmp::Ordering;

    use crate::reduce::fold::Number;

    /// An extended number: 64 bits of significand with an explicit integer bit, 15 of
    /// exponent, 1 of sign, and 6 bytes of padding.
    #[derive(Clone, Copy)]
    #[repr(C, align(16))]
    pub(in crate::reduce) struct LongDouble {
        pub(super) significand: u64,
        pub(super) sign_exponent: u16,
        padding: [u16; 3],
    }

    const SIGN: u16 = 0x8000;
    const INTEGER_BIT: u64 = 1 << 63;

    /// One x87 instruction on two numbers, which it loads from and stores to memory.
    macro_rules! x87 {
        ($instruction:literal, $a:expr, $b:expr) => {{
            let (a, b) = ($a, $b);
            let mut result =
                LongDouble { significand: 0, sign_exponent: 0, padding: [0; 3] };
            // SAFETY: loads and stores ten bytes of three live locals of sixteen bytes each,
            // and leaves the register stack empty, as it has to be found by the ABI.
            unsafe {
                asm!(
                    "fld tbyte ptr [{a}]",
                    "fld tbyte ptr [{b}]",
                    $instruction,
                    "fstp tbyte ptr [{result}]",
                    a = in(reg) &raw const a,
                    b = in(reg) &raw const b,
                    result = in(reg) &raw mut result,
                    out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                    out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                    options(nostack),
                );
            }
            result
        }};
    }

    impl Number for LongDouble {
        #[inline]
        fn sum(self, other: Self) -> Self {
            x87!("faddp st(1), st", self, other)
        }
        #[inline]
        fn difference(self, other: Self) -> Self {
            self.sum(LongDouble {
                sign_exponent: other.sign_exponent ^ SIGN,
                ..other
            })
        }
        #[inline]
        fn product(self, other: Self) -> Self {
            x87!("fmulp st(1), st", self, other)
        }
    }

    impl LongDouble {
        /// Exponent and significand, ordered as the magnitudes are; `None` for not a number.
        fn magnitude(self) -> Option<(u16, u64)> {
            let exponent = self.sign_exponent & !SIGN;
            if exponent == !SIGN && self.significand & !INTEGER_BIT != 0 {
                return None;
            }
            // A denormal with the integer bit set is the least normal exponent's number.
            let lifted = exponent == 0 && self.significand & INTEGER_BIT != 0;
            Some((exponent.max(lifted as u16), self.significand))
        }
    }

    impl PartialEq for LongDouble {
        fn eq(&self, other: &LongDouble) -> bool {
            self.partial_cmp(other) == Some(Ordering::Equal)
        }
    }

    impl PartialOrd for LongDouble {
        fn partial_cmp(&self, other: &LongDouble) -> Option<Ordering> {
            let (a, b) = (self.magnitude()?, other.magnitude()?);
            if a == (0, 0) && b == (0, 0) {
                return Some(Ordering::Equal);
            }
            let negative = |number: &LongDouble| number.sign_exponent & SIGN != 0;
            Some(match (negative(self), negative(other)) {
                (false, false) => a.cmp(&b),
                (true, true) => b.cmp(&a),
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
            })
        }
    }
}
