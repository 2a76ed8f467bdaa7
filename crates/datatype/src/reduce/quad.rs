//! Reductions of IEEE binary128 numbers in software, rounded to nearest even.

use std::cmp::Ordering;

use rustc_apfloat::ieee::Quad;
use rustc_apfloat::Float;

use super::fold::Number;

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
