//! Formats without arithmetic of the machine: binary16 and binary128, rounded to nearest even.

use std::cmp::Ordering;

use rustc_apfloat::ieee::Quad;
use rustc_apfloat::Float;

use super::fold::Number;

/// IEEE binary16, `REAL*2`.
///
/// It is computed in binary32 and rounded once more. That gives the correctly rounded sum and
/// product, since binary32 has more than twice the significand. The conversions have no branches,
/// so that loops over them become vectors.
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

/// IEEE binary128, `REAL*16`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct F128(pub(super) u128);

impl F128 {
    fn float(self) -> Quad {
        Quad::from_bits(self.0)
    }
}

impl Number for F128 {
    fn sum(self, other: Self) -> Self {
        F128((self.float() + other.float()).value.to_bits())
    }
    fn difference(self, other: Self) -> Self {
        F128((self.float() - other.float()).value.to_bits())
    }
    fn product(self, other: Self) -> Self {
        F128((self.float() * other.float()).value.to_bits())
    }
}

impl PartialEq for F128 {
    fn eq(&self, other: &F128) -> bool {
        self.float() == other.float()
    }
}

impl PartialOrd for F128 {
    fn partial_cmp(&self, other: &F128) -> Option<Ordering> {
        self.float().partial_cmp(&other.float())
    }
}
