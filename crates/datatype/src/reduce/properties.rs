//! Tests that every set of vector instructions gives equal bits, at any addresses of the operands.

use std::collections::BTreeSet;

use memory::Scratch;
use proptest::prelude::*;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::Float;

use super::*;
use crate::basic::{Basic, Repr, BASICS};
use crate::predefined;

/// The buffer that the result goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Destination {
    First,
    Second,
    Apart,
}

/// The bytes before and behind each buffer, which must not be touched.
const GUARD: usize = 96;
const MARK: u8 = 0xa5;

/// Elements of a buffer that is longer than any vector loop unrolls.
const MANY: usize = 1500;

fn sets() -> Vec<Vectors> {
    let words = Vectors::WORDS.iter();
    let sets: BTreeSet<Vectors> = words.map(|word| Vectors::named(word)).collect();
    sets.into_iter().collect()
}

/// Bytes that are random, with many numbers that are the same, zero, infinite or none.
fn elements(row: &Basic, seed: u64, count: usize) -> Vec<u8> {
    let bytes = count * row.extent as usize;
    let mut state = seed | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut list = Vec::with_capacity(bytes + 16);
    while list.len() < bytes {
        let (kind, noise) = (next() % 8, next());
        let piece: [u8; 16] = match kind {
            0 => [0; 16],
            1 => [0xff; 16],
            2 => (0x7c00_7c00_7f80_0000_7ff0_0000_0000_0000 | u128::from(noise & 1)).to_le_bytes(),
            3 => (u128::from(noise % 3) * 0x3ff0_0000_3f80_0000).to_le_bytes(),
            4 => (1u128 << 127 | 1 << 63 | 1 << 31 | 1 << 15).to_le_bytes(),
            _ => (u128::from(noise) << 64 | u128::from(next())).to_le_bytes(),
        };
        list.extend(piece);
    }
    list.truncate(bytes);
    if row.repr == Repr::LongDouble || row.repr == Repr::ComplexLongDouble {
        // A number whose integer bit contradicts its exponent is invalid in the format.
        for number in list.chunks_exact_mut(16) {
            let exponent = u16::from_le_bytes([number[8], number[9]]) & 0x7fff;
            number[7] = number[7] & 0x7f | if exponent == 0 { 0 } else { 0x80 };
        }
    }
    list
}

/// A buffer between guards, `shift` bytes off the alignment that it would have.
struct Guarded {
    memory: Scratch,
    shift: usize,
    len: usize,
}

impl Guarded {
    fn new(bytes: &[u8], shift: usize) -> Guarded {
        let memory = Scratch::new(bytes.len() + 2 * GUARD);
        memory.buf().write(0, &vec![MARK; bytes.len() + 2 * GUARD]);
        memory.buf().write(64 - 32 + shift, bytes);
        let len = bytes.len();
        Guarded { memory, shift, len }
    }

    fn buf(&self) -> UserBuf {
        self.memory.buf().part(32 + self.shift, self.len)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len];
        self.buf().read(0, &mut bytes);
        bytes
    }

    fn guards_hold(&self) -> bool {
        let mut all = vec![0; self.len + 2 * GUARD];
        self.memory.buf().read(0, &mut all);
        let (before, rest) = all.split_at(32 + self.shift);
        let behind = &rest[self.len..];
        before.iter().chain(behind).all(|byte| *byte == MARK)
    }
}

/// Returns the result of `count` elements at once, and the rest of the last one's padding.
fn at_once(
    vectors: Vectors,
    op: Op,
    row: &Basic,
    [a, b]: [&[u8]; 2],
    destination: Destination,
    shifts: [usize; 3],
) -> Vec<u8> {
    let datatype = predefined(row.handle).unwrap();
    let count = a.len() / row.extent as usize;
    // The padding behind the last element is not there: what touches it breaks a guard.
    let span = datatype.span_bytes(count);
    let first = Guarded::new(&a[..span], shifts[0]);
    let second = Guarded::new(&b[..span], shifts[1]);
    let third = Guarded::new(&vec![0; span], shifts[2]);
    let out = match destination {
        Destination::First => &first,
        Destination::Second => &second,
        Destination::Apart => &third,
    };
    reduce_with(
        vectors,
        op,
        datatype,
        [first.buf(), second.buf()],
        out.buf(),
        count,
    )
    .unwrap();
    for buffer in [&first, &second, &third] {
        assert!(
            buffer.guards_hold(),
            "{} on {} wrote beyond",
            op.name(),
            row.name
        );
    }
    if destination != Destination::First {
        assert_eq!(first.bytes(), a[..span], "the first operand is only read");
    }
    if destination != Destination::Second {
        assert_eq!(second.bytes(), b[..span], "the second operand is only read");
    }
    out.bytes()
}

/// Combines element by element and without vectors.
fn one_by_one(op: Op, row: &Basic, [a, b]: [&[u8]; 2]) -> Vec<u8> {
    let extent = row.extent as usize;
    let elements = a.chunks_exact(extent).zip(b.chunks_exact(extent));
    let one = |(a, b)| {
        at_once(
            Vectors::BASELINE,
            op,
            row,
            [a, b],
            Destination::Second,
            [0; 3],
        )
    };
    let mut all = Vec::new();
    for element in elements {
        all.extend(one(element));
        all.resize(all.len().next_multiple_of(extent), 0);
    }
    all
}

/// Compares the fields of elements; those that are not numbers count as the same one.
fn same(row: &Basic, found: &[u8], expected: &[u8]) -> bool {
    let extent = row.extent as usize;
    let mut pairs = found.chunks(extent).zip(expected.chunks(extent));
    pairs.all(|(found, expected)| {
        fields(row.repr).iter().all(|(at, len, none)| {
            let (found, expected) = (bits(&found[*at..at + len]), bits(&expected[*at..at + len]));
            found == expected || none.is_some_and(|none| none(found) && none(expected))
        })
    })
}

fn bits(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(all)
}

type IsNan = fn(u128) -> bool;

/// Offset and bytes of each field of an element, and the test for "not a number".
fn fields(repr: Repr) -> Vec<(usize, usize, Option<IsNan>)> {
    fn none<F: Float>(bits: u128) -> bool {
        F::from_bits(bits).is_nan()
    }
    const INT: (usize, Option<IsNan>) = (4, None);
    let half: (usize, Option<IsNan>) = (2, Some(none::<Half>));
    let single: (usize, Option<IsNan>) = (4, Some(none::<Single>));
    let double: (usize, Option<IsNan>) = (8, Some(none::<Double>));
    let long: (usize, Option<IsNan>) = (10, Some(none::<X87DoubleExtended>));
    let quad: (usize, Option<IsNan>) = (16, Some(none::<Quad>));
    let one = |(len, none)| vec![(0, len, none)];
    let two = |(a, x): (usize, Option<IsNan>), at, (b, y)| vec![(0, a, x), (at, b, y)];
    match repr {
        Repr::I8 | Repr::U8 => one((1, None)),
        Repr::I16 | Repr::U16 => one((2, None)),
        Repr::I32 | Repr::U32 => one((4, None)),
        Repr::I64 | Repr::U64 => one((8, None)),
        Repr::I128 | Repr::U128 => one((16, None)),
        Repr::F16 => one(half),
        Repr::F32 => one(single),
        Repr::F64 => one(double),
        Repr::LongDouble => one(long),
        Repr::F128 => one(quad),
        Repr::ComplexF16 => two(half, 2, half),
        Repr::ComplexF32 => two(single, 4, single),
        Repr::ComplexF64 => two(double, 8, double),
        Repr::ComplexLongDouble => two(long, 16, long),
        Repr::ComplexF128 => two(quad, 16, quad),
        Repr::F32I32 => two(single, 4, INT),
        Repr::F64I32 => two(double, 8, INT),
        Repr::I64I32 => two((8, None), 8, INT),
        Repr::I32I32 => two(INT, 4, INT),
        Repr::I16I32 => two((2, None), 4, INT),
        Repr::LongDoubleI32 => two(long, 16, INT),
        Repr::F32F32 => two(single, 4, single),
        Repr::F64F64 => two(double, 8, double),
    }
}

/// Returns a case for each operation on each representation.
fn cases() -> Vec<(Op, &'static Basic)> {
    let mut cases: Vec<(Op, &Basic)> = Vec::new();
    for row in BASICS {
        for op in Op::ALL.into_iter().filter(|op| op.takes(row)) {
            if !cases
                .iter()
                .any(|(known, other)| *known == op && other.repr == row.repr)
            {
                cases.push((op, row));
            }
        }
    }
    cases
}

fn check(
    op: Op,
    row: &Basic,
    count: usize,
    seed: u64,
    destination: Destination,
    shifts: [usize; 3],
) {
    let a = elements(row, seed, count);
    let b = elements(row, seed ^ 0x5bd1_e995_9d1c_e4b7, count);
    let expected = one_by_one(op, row, [&a, &b]);
    for vectors in sets() {
        let found = at_once(vectors, op, row, [&a, &b], destination, shifts);
        assert!(
            same(row, &found, &expected),
            "{} on {count} of {} with {vectors:?}, result {destination:?}, {shifts:?} bytes off, \
             seed {seed:#x}",
            op.name(),
            row.name
        );
    }
}

#[test]
fn counts_from_none_to_67_and_many_are_the_same_by_any_vectors() {
    for (op, row) in cases() {
        for count in (0..68)
            .step_by(if cfg!(miri) { 13 } else { 1 })
            .chain([MANY])
        {
            let destination =
                [Destination::First, Destination::Second, Destination::Apart][count % 3];
            let shifts = [count % 7, count % 5, count % 11];
            check(op, row, count, 77 + count as u64, destination, shifts);
        }
    }
}

#[test]
fn a_set_has_no_more_than_its_word_says_nor_than_the_machine() {
    assert_eq!(Vectors::named("none"), Vectors::BASELINE);
    assert!(Vectors::named("avx2") <= Vectors::best());
    assert_eq!(Vectors::named("avx512"), Vectors::best());
    let sets = sets();
    assert_eq!(sets.last(), Some(&Vectors::best()));
    #[cfg(target_arch = "x86_64")]
    if Vectors::best() > Vectors::BASELINE {
        assert_eq!(format!("{:?}", Vectors::named("avx2")), "avx2");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_alignment_and_place_gives_the_same(
        case in 0..cases().len(),
        count in 0usize..300,
        seed in any::<u64>(),
        destination in prop_oneof![
            Just(Destination::First), Just(Destination::Second), Just(Destination::Apart),
        ],
        shifts in prop::array::uniform3(0usize..64),
    ) {
        let (op, row) = cases()[case];
        check(op, row, count, seed, destination, shifts);
    }

    #[test]
    fn both_operands_may_be_one(
        case in 0..cases().len(),
        count in 0usize..300,
        seed in any::<u64>(),
        inside in any::<bool>(),
    ) {
        let (op, row) = cases()[case];
        let datatype = predefined(row.handle).unwrap();
        let bytes = elements(row, seed, count);
        let expected = one_by_one(op, row, [&bytes, &bytes]);
        let span = datatype.span_bytes(count);
        for vectors in sets() {
            let both = Guarded::new(&bytes[..span], 3);
            let third = Guarded::new(&bytes[..span], 1);
            let out = if inside { &both } else { &third };
            let operands = [both.buf(), both.buf()];
            reduce_with(vectors, op, datatype, operands, out.buf(), count).unwrap();
            prop_assert!(same(row, &out.bytes(), &expected), "{} on {}", op.name(), row.name);
        }
    }
}
