//! Formats without machine instructions: binary16 and binary128, rounded to nearest even.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Half, Quad};
use rustc_apfloat::Float;

use super::fold::Number;

macro_rules! soft {
    ($name:ident, $bits:ty, $float:ty, $about:literal) => {
        #[doc = $about]
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(super) struct $name(pub(super) $bits);

        impl $name {
            fn float(self) -> $float {
                <$float>::from_bits(self.0 as u128)
            }
        }

        impl Number for $name {
            fn sum(self, other: Self) -> Self {
                $name((self.float() + other.float()).value.to_bits() as $bits)
            }
            fn difference(self, other: Self) -> Self {
                $name((self.float() - other.float()).value.to_bits() as $bits)
            }
            fn product(self, other: Self) -> Self {
                $name((self.float() * other.float()).value.to_bits() as $bits)
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.float() == other.float()
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &$name) -> Option<Ordering> {
                self.float().partial_cmp(&other.float())
            }
        }
    };
}

soft!(F16, u16, Half, "IEEE binary16, `REAL*2`.");
soft!(F128, u128, Quad, "IEEE binary128, `REAL*16`.");
