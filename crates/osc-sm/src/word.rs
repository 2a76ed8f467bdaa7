//! Combines two elements of at most 8 bytes by a reduction operation.
//!
//! An element is a word of its own width, held in the low bits of 64. Sums, products and bitwise
//! operations of integers need no more than that; comparisons respect the sign, and real numbers
//! are computed as such. The results are those of `datatype::reduce`.

use datatype::{Op, Repr};
use memory::UserBuf;

/// Bytes of an element that fits a machine word; `None` of any other.
#[inline]
pub(crate) fn bytes(repr: Repr) -> Option<usize> {
    Some(match repr {
        Repr::I8 | Repr::U8 => 1,
        Repr::I16 | Repr::U16 => 2,
        Repr::I32 | Repr::U32 | Repr::F32 => 4,
        Repr::I64 | Repr::U64 | Repr::F64 => 8,
        _ => return None,
    })
}

/// Returns `new op old`, of an operation that is defined for the representation.
#[inline]
pub(crate) fn combine(op: Op, repr: Repr, new: u64, old: u64) -> u64 {
    match op {
        Op::Sum if !matches!(repr, Repr::F64 | Repr::F32) => new.wrapping_add(old),
        Op::Replace => new,
        Op::NoOp => old,
        Op::Band => new & old,
        Op::Bor => new | old,
        Op::Bxor => new ^ old,
        _ => match repr {
            Repr::F64 => real(op, f64::from_bits(new), f64::from_bits(old)).to_bits(),
            Repr::F32 => {
                let [new, old] = [new, old].map(|word| f32::from_bits(word as u32));
                u64::from(real(op, new, old).to_bits())
            }
            _ => integer(op, repr, new, old),
        },
    }
}

fn integer(op: Op, repr: Repr, new: u64, old: u64) -> u64 {
    let (is_less, is_equal) = match repr {
        Repr::I8 => (less(new as i8, old as i8), new as u8 == old as u8),
        Repr::I16 => (less(new as i16, old as i16), new as u16 == old as u16),
        Repr::I32 => (less(new as i32, old as i32), new as u32 == old as u32),
        Repr::I64 => (less(new as i64, old as i64), new == old),
        _ => (new < old, new == old),
    };
    let (new_is, old_is) = (new != 0, old != 0);
    match op {
        Op::Prod => new.wrapping_mul(old),
        Op::Min if is_less || is_equal => new,
        Op::Max if is_less || is_equal => old,
        Op::Max => new,
        Op::Land => u64::from(new_is && old_is),
        Op::Lor => u64::from(new_is || old_is),
        Op::Lxor => u64::from(new_is != old_is),
        _ => old,
    }
}

fn less<T: PartialOrd>(a: T, b: T) -> bool {
    a < b
}

fn real<T>(op: Op, new: T, old: T) -> T
where
    T: PartialOrd + std::ops::Add<Output = T> + std::ops::Mul<Output = T>,
{
    match op {
        Op::Sum => new + old,
        Op::Prod => new * old,
        Op::Min if new < old => new,
        Op::Max if new > old => new,
        _ => old,
    }
}

/// Reads an element of 1, 2, 4 or 8 bytes at any address.
///
/// # Panics
/// When it does not lie inside.
#[inline]
pub(crate) fn load(from: &UserBuf, bytes: usize) -> u64 {
    let at = from.part(0, bytes).address();
    // SAFETY: the element lies inside, and whoever made the buffer promised that it is readable.
    // Others may write it meanwhile without a lock only where the application is at fault; then the
    // value is undefined (MPI 5.0, 12.7).
    unsafe {
        match bytes {
            1 => u64::from(at.read_volatile()),
            2 => u64::from(at.cast::<u16>().read_unaligned()),
            4 => u64::from(at.cast::<u32>().read_unaligned()),
            _ => at.cast::<u64>().read_unaligned(),
        }
    }
}

/// Writes an element of 1, 2, 4 or 8 bytes at any address.
///
/// # Panics
/// When it does not lie inside.
#[inline]
pub(crate) fn store(to: &UserBuf, bytes: usize, word: u64) {
    let at = to.part(0, bytes).address();
    // SAFETY: as for `load`, and writable.
    unsafe {
        match bytes {
            1 => at.write_volatile(word as u8),
            2 => at.cast::<u16>().write_unaligned(word as u16),
            4 => at.cast::<u32>().write_unaligned(word as u32),
            _ => at.cast::<u64>().write_unaligned(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datatype::{allowed, predefined, reduce, BASICS};
    use memory::Scratch;

    /// Numbers that hold the extremes of every width.
    const NUMBERS: [u64; 12] = [
        0,
        1,
        2,
        0x7f,
        0x80,
        0xffff,
        0x8000_0000,
        u64::MAX,
        1 << 63,
        0x4008_0000_0000_0000,
        0x7ff8_0000_7fc0_0000,
        0xbff0_0000_bf80_0000,
    ];

    /// Whether two results are equal; any two NaNs are.
    fn same(repr: Repr, a: u64, b: u64) -> bool {
        let no_number = |word: u64| match repr {
            Repr::F32 => f32::from_bits(word as u32).is_nan(),
            Repr::F64 => f64::from_bits(word).is_nan(),
            _ => false,
        };
        a == b || (no_number(a) && no_number(b))
    }

    #[test]
    fn words_combine_as_reductions_do() {
        let [source, plain] = [(); 2].map(|()| Scratch::new(8));
        let mut combined = 0;
        for row in BASICS {
            let datatype = predefined(row.handle).unwrap();
            let Some(bytes) = bytes(row.repr) else {
                continue;
            };
            assert_eq!(bytes as i64, row.size);
            for op in Op::ALL.into_iter().filter(|op| allowed(*op, datatype)) {
                for (new, old) in NUMBERS.iter().flat_map(|a| NUMBERS.map(|b| (*a, b))) {
                    let mask = u64::MAX >> (64 - 8 * bytes);
                    let (new, old) = (new & mask, old & mask);
                    store(&source.buf(), bytes, new);
                    store(&plain.buf(), bytes, old);
                    reduce(op, datatype, source.buf(), plain.buf(), 1).unwrap();
                    let expected = load(&plain.buf(), bytes);
                    let found = combine(op, row.repr, new, old) & mask;
                    let what = format!("{} of {}: {new:x}, {old:x}", op.name(), row.name);
                    assert!(
                        same(row.repr, found, expected),
                        "{what}: {found:x}, {expected:x}"
                    );
                    combined += 1;
                }
            }
        }
        assert!(combined > 10_000);
    }
}
