//! How two elements of at most 8 bytes combine, and the atomic instructions for that.
//!
//! An element is a word of its own width, held in the low bits of 64. Sums, products and bitwise
//! operations of integers need no more than that; what compares knows the sign, and what is real is
//! taken for what it is. The results are those of `datatype::reduce`.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicU8, Ordering};

use datatype::{Op, Repr};
use memory::UserBuf;

/// Bytes of an element that is a word; `None` of one that is not.
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

/// `new op old`, of an operation that is defined for the representation.
#[inline]
pub(crate) fn combine(op: Op, repr: Repr, new: u64, old: u64) -> u64 {
    match op {
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
        Op::Sum => new.wrapping_add(old),
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

/// Writes one.
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

/// Whether an element of so many bytes has atomic instructions where it lies.
#[inline]
pub(crate) fn is_aligned(at: &UserBuf, bytes: usize) -> bool {
    at.address().addr() % bytes == 0
}

macro_rules! atomic {
    ($word:expr, $op:expr, $repr:expr, $new:expr, $integer:ty) => {{
        let (word, new) = ($word, $new as $integer);
        let is_real = matches!($repr, Repr::F32 | Repr::F64);
        let old = match $op {
            Op::Sum if !is_real => word.fetch_add(new, Ordering::AcqRel),
            Op::Replace => word.swap(new, Ordering::AcqRel),
            Op::NoOp => word.load(Ordering::Acquire),
            Op::Band => word.fetch_and(new, Ordering::AcqRel),
            Op::Bor => word.fetch_or(new, Ordering::AcqRel),
            Op::Bxor => word.fetch_xor(new, Ordering::AcqRel),
            op => {
                let mut old = word.load(Ordering::Relaxed);
                loop {
                    let next = combine(op, $repr, u64::from(new), u64::from(old)) as $integer;
                    let order = (Ordering::AcqRel, Ordering::Relaxed);
                    match word.compare_exchange_weak(old, next, order.0, order.1) {
                        Ok(_) => break old,
                        Err(seen) => old = seen,
                    }
                }
            }
        };
        u64::from(old)
    }};
}

/// Combines an aligned element with `new` in one step, and gives what it was.
///
/// # Panics
/// When it does not lie inside, or not at a multiple of its size.
#[inline]
pub(crate) fn fetch(at: &UserBuf, bytes: usize, op: Op, repr: Repr, new: u64) -> u64 {
    assert!(is_aligned(at, bytes));
    let address = at.part(0, bytes).address();
    // SAFETY: the element lies inside and is aligned, as just checked, and whoever made the buffer
    // promised that it is readable and writable. The ranks of a window access it by atomics alike;
    // an application that does not gets an undefined value.
    unsafe {
        match bytes {
            1 => atomic!(AtomicU8::from_ptr(address), op, repr, new, u8),
            2 => atomic!(AtomicU16::from_ptr(address.cast()), op, repr, new, u16),
            4 => atomic!(AtomicU32::from_ptr(address.cast()), op, repr, new, u32),
            _ => atomic!(AtomicU64::from_ptr(address.cast()), op, repr, new, u64),
        }
    }
}

/// Writes `new` over an aligned element that is `expected`, in one step, and gives what it was.
///
/// # Panics
/// As for [`fetch`].
#[inline]
pub(crate) fn exchange(at: &UserBuf, bytes: usize, expected: u64, new: u64) -> u64 {
    assert!(is_aligned(at, bytes));
    let address = at.part(0, bytes).address();
    macro_rules! exchanged {
        ($atomic:ty, $integer:ty) => {{
            // SAFETY: as in `fetch`.
            let word = unsafe { <$atomic>::from_ptr(address.cast()) };
            let (expected, new) = (expected as $integer, new as $integer);
            let order = (Ordering::AcqRel, Ordering::Acquire);
            let seen = word.compare_exchange(expected, new, order.0, order.1);
            u64::from(seen.unwrap_or_else(|seen| seen))
        }};
    }
    match bytes {
        1 => exchanged!(AtomicU8, u8),
        2 => exchanged!(AtomicU16, u16),
        4 => exchanged!(AtomicU32, u32),
        _ => exchanged!(AtomicU64, u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datatype::{allowed, predefined, reduce, BASICS};
    use memory::Scratch;

    /// Numbers of which every width has its extremes.
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

    /// Of two that are not numbers, which one a sum is does not count.
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
        let [source, plain, atomic] = [(); 3].map(|()| Scratch::new(8));
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
                    for target in [&plain, &atomic] {
                        store(&target.buf(), bytes, old);
                    }
                    reduce(op, datatype, source.buf(), plain.buf(), 1).unwrap();
                    let expected = load(&plain.buf(), bytes);
                    let found = combine(op, row.repr, new, old) & mask;
                    let what = format!("{} of {}: {new:x}, {old:x}", op.name(), row.name);
                    assert!(
                        same(row.repr, found, expected),
                        "{what}: {found:x}, {expected:x}"
                    );
                    assert_eq!(
                        fetch(&atomic.buf(), bytes, op, row.repr, new),
                        old,
                        "{what}"
                    );
                    let found = load(&atomic.buf(), bytes);
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

    #[test]
    fn an_exchange_writes_only_over_what_is_expected_and_no_byte_beside() {
        for bytes in [1, 2, 4, 8] {
            let memory = Scratch::new(24);
            memory.buf().write(0, &[0xaa; 24]);
            let at = memory.buf().part(8, 16);
            store(&at, bytes, 7);
            assert_eq!(exchange(&at, bytes, 6, 9), 7);
            assert_eq!(load(&at, bytes), 7);
            assert_eq!(exchange(&at, bytes, 7, 9), 7);
            assert_eq!(load(&at, bytes), 9);
            let mut all = [0; 24];
            memory.buf().read(0, &mut all);
            assert_eq!(all[..8], [0xaa; 8]);
            assert!(all[8 + bytes..].iter().all(|byte| *byte == 0xaa));
        }
    }
}
