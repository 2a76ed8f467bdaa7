//! Type signatures in 16 bits (MPI 5.0, 3.3.1 and 5.1): the sequence of basic types in a message,
//! as far as it can travel in the header of each message.
//!
//! Elements of one basic type have that type as their mark, so that a report can name it; the bytes
//! of the message say how many there are. Elements of several types have 15 bits of a hash of their
//! sequence: two that differ are taken for alike once in 32768 times.
//!
//! Types that one machine represents alike are alike here (`MPI_LONG` and `MPI_INT64_T`, characters
//! and bytes of either sign), and `MPI_BYTE` and `MPI_PACKED` go with everything: to report them
//! would be right by the letter and of no use to anybody.

use datatype::{Basic, Class, Datatype, Repr};

/// The mark of the elements of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark(pub u16);

/// Marks a sequence of several types.
const MIXED: u16 = 0x8000;

/// Most runs of elements of one type that are walked through. A longer sequence has no mark.
const RUNS_MAX: usize = 1 << 20;

impl Mark {
    /// Mark of no elements, or of elements of an unknown type.
    pub const UNKNOWN: Mark = Mark(0);

    /// Returns the mark of the first `bytes` packed bytes of elements of a datatype.
    pub fn of(datatype: &Datatype, bytes: u64) -> Mark {
        if bytes == 0 || datatype.size() == 0 {
            return Mark::UNKNOWN;
        }
        match datatype.element() {
            Some(basic) if basic.halves().is_none() => Mark::of_basic(basic),
            _ => Mark::of_runs(datatype, bytes),
        }
    }

    fn of_basic(basic: &Basic) -> Mark {
        Mark(basic.handle as u16 & 0xFF)
    }

    fn of_runs(datatype: &Datatype, bytes: u64) -> Mark {
        let mut runs = Runs::default();
        let mut left = bytes;
        while left > 0 && runs.seen < RUNS_MAX {
            datatype.basics(&mut |basic, count| {
                let size = basic.size as u64;
                let whole = (left / size).min(count as u64);
                // An element that is cut off counts as an element.
                let taken = if whole == 0 { left } else { whole * size };
                runs.add(basic, taken);
                left -= taken;
                left > 0 && runs.seen < RUNS_MAX
            });
        }
        match left {
            0 => runs.mark(),
            _ => Mark::UNKNOWN,
        }
    }

    /// Whether elements of these two marks may be the two ends of a message.
    pub fn fits(self, other: Mark) -> bool {
        if self == other || self == Mark::UNKNOWN || other == Mark::UNKNOWN {
            return true;
        }
        match (self.basic(), other.basic()) {
            (Some(a), Some(b)) => {
                let (a, b) = (kind(a), kind(b));
                a == b || a == Alike::Anything || b == Alike::Anything
            }
            (Some(one), None) | (None, Some(one)) => kind(one) == Alike::Anything,
            (None, None) => false,
        }
    }

    /// The only type of the elements.
    fn basic(self) -> Option<&'static Basic> {
        match self.0 & MIXED {
            0 => datatype::basic(0x200 | u32::from(self.0)),
            _ => None,
        }
    }

    /// Describes elements of this mark that have this many bytes: `MPI_INT x 10`.
    pub fn describe(self, bytes: u64) -> String {
        if bytes == 0 {
            return "nothing".to_string();
        }
        match self.basic() {
            Some(basic) if basic.holds(bytes as usize) => {
                format!("{} x {}", basic.name, bytes / basic.size as u64)
            }
            Some(basic) => format!("{} in {bytes} bytes", basic.name),
            None if self == Mark::UNKNOWN => format!("{bytes} bytes"),
            None => format!("{bytes} bytes of several types"),
        }
    }
}

/// Types that one machine represents alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Alike {
    /// Goes with everything.
    Anything,
    /// A character or an integer of 8 bits.
    Small,
    /// A truth value of this many bytes.
    Logical(i64),
    /// A number.
    Number(Repr),
}

fn kind(basic: &Basic) -> Alike {
    match basic.class {
        Class::Byte | Class::Packed => Alike::Anything,
        Class::Logical => Alike::Logical(basic.size),
        _ if basic.size == 1 => Alike::Small,
        _ => Alike::Number(basic.repr),
    }
}

/// Runs of elements of one type, one after the other.
#[derive(Default)]
struct Runs {
    seen: usize,
    hash: u64,
    /// The run that may go on, and its bytes.
    last: Option<(&'static Basic, u64)>,
    is_mixed: bool,
}

impl Runs {
    fn add(&mut self, basic: &'static Basic, bytes: u64) {
        self.seen += 1;
        match &mut self.last {
            Some((last, sum)) if kind(last) == kind(basic) => *sum += bytes,
            _ => {
                self.is_mixed |= self.last.is_some();
                self.fold();
                self.last = Some((basic, bytes));
            }
        }
    }

    fn fold(&mut self) {
        let Some((basic, bytes)) = self.last.take() else {
            return;
        };
        let kind = match kind(basic) {
            Alike::Anything => 1,
            Alike::Small => 2,
            Alike::Logical(size) => 0x100 + size as u64,
            Alike::Number(repr) => 0x200 + repr as u64,
        };
        for word in [kind, bytes] {
            let mixed = (self.hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            self.hash = mixed ^ (mixed >> 29);
        }
    }

    fn mark(mut self) -> Mark {
        if let (false, Some((basic, _))) = (self.is_mixed, self.last) {
            return Mark::of_basic(basic);
        }
        self.fold();
        Mark(MIXED | (self.hash >> 40) as u16)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn predefined(handle: u32) -> Arc<Datatype> {
        datatype::predefined(handle).unwrap().clone()
    }

    fn int() -> Arc<Datatype> {
        predefined(0x209)
    }

    fn double() -> Arc<Datatype> {
        predefined(0x214)
    }

    /// `count` of the first type, then one of the second.
    fn pair(count: i64, first: &Arc<Datatype>, second: &Arc<Datatype>) -> Datatype {
        let after = count * first.size() + 64;
        Datatype::structure(&[count, 1], &[0, after], &[first.clone(), second.clone()]).unwrap()
    }

    #[test]
    fn one_type_is_its_own_mark_however_it_is_laid_out() {
        let strided = Datatype::vector(4, 1, 3, &int()).unwrap();
        let mark = Mark::of(&strided, 16);
        assert_eq!(mark, Mark::of(&int(), 400));
        assert_eq!(mark.describe(16), "MPI_INT x 4");
        assert!(!mark.fits(Mark::of(&double(), 16)));
        // A pair of int is two int, a structure of int is int.
        assert_eq!(Mark::of(&predefined(0x22b), 8), mark);
        assert_eq!(Mark::of(&pair(2, &int(), &int()), 12), mark);
    }

    #[test]
    fn types_of_one_representation_fit() {
        let fits = |a, b| Mark::of(&predefined(a), 8).fits(Mark::of(&predefined(b), 8));
        assert!(fits(0x20a, 0x258), "long and int64_t");
        assert!(fits(0x219, 0x209), "INTEGER and int");
        assert!(fits(0x243, 0x21e), "char and CHARACTER");
        assert!(fits(0x247, 0x214), "bytes and double");
        assert!(fits(0x207, 0x209), "packed and int");
        assert!(!fits(0x209, 0x20d), "int and unsigned");
        assert!(!fits(0x209, 0x210), "int and float");
        assert!(!fits(0x218, 0x209), "LOGICAL and int");
        assert!(!fits(0x20a, 0x214), "long and double");
    }

    #[test]
    fn a_sequence_is_compared_by_its_order_and_its_beginning() {
        let (a, b) = (pair(2, &int(), &double()), pair(1, &int(), &double()));
        let mark = Mark::of(&a, 16);
        assert_eq!(mark.describe(16), "16 bytes of several types");
        assert_eq!(mark, Mark::of(&a, 16));
        assert!(!mark.fits(Mark::of(&b, 12)) && !mark.fits(Mark::of(&int(), 16)));
        // Two of them, and the first of more of them.
        let two = Datatype::contiguous(2, &Arc::new(pair(2, &int(), &double()))).unwrap();
        assert_eq!(Mark::of(&two, 32), Mark::of(&a, 32));
        assert_eq!(Mark::of(&two, 16), mark);
        // The first two int of it are int.
        assert!(Mark::of(&a, 8).fits(Mark::of(&int(), 8)));
        // An element is cut off.
        assert!(!Mark::of(&a, 14).fits(mark));
    }

    #[test]
    fn nothing_fits_all() {
        assert_eq!(Mark::of(&int(), 0), Mark::UNKNOWN);
        assert!(Mark::UNKNOWN.fits(Mark::of(&int(), 4)));
        assert_eq!(Mark::UNKNOWN.describe(0), "nothing");
        assert_eq!(Mark::of(&int(), 4).describe(6), "MPI_INT in 6 bytes");
    }
}
