//! Tests of every operation on every type against an independent computation.

use memory::Scratch;
use rustc_apfloat::ieee::{Half, Quad, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::*;
use crate::basic::{Class, Repr, BASICS};
use crate::{allowed, predefined};

const NEAREST: Round = Round::NearestTiesToEven;

/// Runs `op` on packed elements of `handle` and returns the inout side: as one call, and with the
/// loop chosen before.
fn run(op: Op, handle: u32, source: &[u8], inout: &[u8]) -> Vec<u8> {
    let datatype = predefined(handle).unwrap();
    let count = source.len() / datatype.extent() as usize;
    // One byte off, so that no kernel may count on alignment.
    let (a, b) = (
        Scratch::new(source.len() + 1),
        Scratch::new(inout.len() + 1),
    );
    a.buf().write(1, source);
    b.buf().write(1, inout);
    reduce(op, datatype, a.buf().from(1), b.buf().from(1), count).unwrap();
    let mut bytes = vec![0; inout.len()];
    b.buf().read(1, &mut bytes);
    b.buf().write(1, inout);
    let chosen = datatype.combining(op);
    assert_eq!(chosen.is_some(), datatype.size() == datatype.extent());
    if let Some(chosen) = chosen {
        assert_eq!((chosen.op(), chosen.element().handle), (op, handle));
        chosen.run(a.buf().from(1), b.buf().part(1, inout.len()));
        let mut again = vec![0; inout.len()];
        b.buf().read(1, &mut again);
        assert_eq!(again, bytes);
    }
    bytes
}

/// A stream of numbers that look random.
fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 29)
    })
}

macro_rules! check_integers {
    ($($handle:literal $type:ty;)*) => {$({
        const SIZE: usize = size_of::<$type>();
        let take = |seed| noise(seed).take(67).map(|n| match n % 8 {
            0 => 0,
            1 => <$type>::MAX,
            2 => <$type>::MIN,
            3 => 7 as $type,
            _ => (n as u128 | (n as u128) << 64) as $type,
        });
        let bytes = |seed| take(seed).flat_map(<$type>::to_ne_bytes).collect::<Vec<u8>>();
        type Apply = fn($type, $type) -> $type;
        let cases: [(Op, Apply); 10] = [
            (Op::Sum, |a, b| a.wrapping_add(b)),
            (Op::Prod, |a, b| a.wrapping_mul(b)),
            (Op::Min, |a, b| a.min(b)),
            (Op::Max, |a, b| a.max(b)),
            (Op::Band, |a, b| a & b),
            (Op::Bor, |a, b| a | b),
            (Op::Bxor, |a, b| a ^ b),
            (Op::Land, |a, b| (a != 0 && b != 0) as $type),
            (Op::Lor, |a, b| (a != 0 || b != 0) as $type),
            (Op::Lxor, |a, b| ((a != 0) != (b != 0)) as $type),
        ];
        for (op, apply) in cases {
            if !allowed(op, predefined($handle).unwrap()) {
                continue;
            }
            let expected: Vec<u8> =
                take(1).zip(take(2)).flat_map(|(a, b)| apply(a, b).to_ne_bytes()).collect();
            let found = run(op, $handle, &bytes(1), &bytes(2));
            assert_eq!(found, expected, "{} on {:#x} of {SIZE} bytes", op.name(), $handle);
        }
    })*};
}

#[test]
fn integers_wrap_compare_and_combine_bits() {
    check_integers! {
        0x201 i64; 0x202 i64; 0x203 i64; 0x208 i16; 0x209 i32; 0x20a i64; 0x20b i64;
        0x20c u16; 0x20d u32; 0x20e u64; 0x20f u64; 0x219 i32; 0x240 i8; 0x241 u8; 0x244 i8;
        0x245 u8; 0x248 i16; 0x249 u16; 0x250 i32; 0x251 u32; 0x258 i64; 0x259 u64;
        0x2c1 i8; 0x2c9 i16; 0x2d1 i32; 0x2d9 i64; 0x2e1 i128;
    }
}

#[test]
fn truth_values_and_bytes_combine_where_allowed() {
    check_integers! {
        0x218 u32; 0x238 u8; 0x239 u8; 0x247 u8; 0x2c0 u8; 0x2c8 u16; 0x2d0 u32; 0x2d8 u64;
        0x2e0 u128;
    }
}

/// Checks SUM, PROD, MIN and MAX of a real type against `apply`, which works on bits.
fn check_real(handle: u32, size: usize, bits: &[u128], apply: fn(Op, u128, u128) -> u128) {
    let extent = predefined(handle).unwrap().extent() as usize;
    let element = |bits: u128| bits.to_le_bytes()[..extent].to_vec();
    for op in [Op::Sum, Op::Prod, Op::Min, Op::Max] {
        for &a in bits {
            let source: Vec<u8> = bits.iter().flat_map(|_| element(a)).collect();
            let inout: Vec<u8> = bits.iter().flat_map(|&b| element(b)).collect();
            let found = run(op, handle, &source, &inout);
            for (&b, found) in bits.iter().zip(found.chunks(extent)) {
                let expected = apply(op, a, b).to_le_bytes();
                let text = format!("{} of {a:#x} and {b:#x} in {handle:#x}", op.name());
                assert_eq!(found[..size], expected[..size], "{text}");
            }
        }
    }
}

fn by_float<F: Float>(op: Op, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    match op {
        Op::Sum => (x + y).value.to_bits(),
        Op::Prod => (x * y).value.to_bits(),
        Op::Min => {
            if x < y {
                a
            } else {
                b
            }
        }
        Op::Max => {
            if x > y {
                a
            } else {
                b
            }
        }
        _ => unreachable!("real numbers have four operations"),
    }
}

/// The bits of some numbers in another format: ordinary, tiny, huge, infinite, of both signs.
fn samples<F: Float>() -> Vec<u128> {
    let text = [
        "0",
        "-0",
        "1",
        "-1",
        "3",
        "0.1",
        "-7.25",
        "1e4",
        "1.0009765625",
        "6e-8",
        "65504",
        "1e-4",
        "-123.456",
        "1e300",
        "3e-308",
        "1e4900",
        "-1e4900",
        "3e-4950",
        "7e-4932",
    ];
    let numbers = text
        .iter()
        .filter_map(|text| F::from_str_r(text, NEAREST).ok());
    let numbers = numbers.map(|parsed| parsed.value);
    numbers
        .chain([F::INFINITY, -F::INFINITY])
        .map(|number| number.to_bits())
        .collect()
}

#[test]
fn quadruple_rounds_to_nearest_even() {
    check_real(0x2e2, 16, &samples::<Quad>(), by_float_no_nan::<Quad>);
}

/// Every number of 16 bits with a few others, and a sample of all pairs.
#[test]
fn half_rounds_to_nearest_even_and_knows_subnormals() {
    let all = || (0..=u16::MAX).collect::<Vec<u16>>();
    let few = [
        0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x1400, 0x3c00, 0x3c01, 0xbbff, 0x7bff, 0x7c00,
    ];
    let mut pairs: Vec<(u16, u16)> = Vec::new();
    for b in few {
        pairs.extend(all().into_iter().map(|a| (a, b)));
    }
    let sample = noise(9).take(200_000);
    pairs.extend(sample.map(|n| (n as u16, (n >> 16) as u16)));
    let bytes = |take: fn(&(u16, u16)) -> u16| -> Vec<u8> {
        pairs.iter().map(take).flat_map(u16::to_le_bytes).collect()
    };
    for op in [Op::Sum, Op::Prod, Op::Min, Op::Max] {
        let found = run(op, 0x2ca, &bytes(|pair| pair.0), &bytes(|pair| pair.1));
        for ((a, b), found) in pairs.iter().zip(found.chunks(2)) {
            let found = u128::from(u16::from_le_bytes([found[0], found[1]]));
            let expected = by_float::<Half>(op, u128::from(*a), u128::from(*b));
            let none = |bits| Half::from_bits(bits).is_nan();
            assert!(
                found == expected || (none(found) && none(expected)),
                "{} of {a:#x} and {b:#x}: {found:#x}, not {expected:#x}",
                op.name()
            );
        }
    }
}

#[test]
fn long_double_has_all_64_bits_of_its_significand() {
    check_real(
        0x220,
        10,
        &samples::<X87DoubleExtended>(),
        by_float_no_nan::<X87DoubleExtended>,
    );
    let noise = noise(5).zip(noise(6)).take(24);
    let numbers: Vec<u128> = noise
        .map(|(a, b)| ((0x3ff0 + (b as u128 & 31)) << 64) | (a as u128 | 1 << 63))
        .collect();
    check_real(0x220, 10, &numbers, by_float_no_nan::<X87DoubleExtended>);
}

/// Like [`by_float`], with the machine's choice among the equal "not a number"s.
fn by_float_no_nan<F: Float>(op: Op, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let invalid = match op {
        Op::Sum => (x + y).value.is_nan(),
        Op::Prod => (x * y).value.is_nan(),
        _ => false,
    };
    match invalid {
        // The x87 unit makes its default one negative.
        true if F::BITS == 80 => 0xffff_c000_0000_0000_0000,
        _ => by_float::<F>(op, a, b),
    }
}

#[test]
fn float_and_double_are_the_machines() {
    let apply: fn(Op, u128, u128) -> u128 = |op, a, b| {
        let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
        let result = match op {
            Op::Sum => x + y,
            Op::Prod => x * y,
            Op::Min => {
                if x < y {
                    x
                } else {
                    y
                }
            }
            _ => {
                if x > y {
                    x
                } else {
                    y
                }
            }
        };
        result.to_bits() as u128
    };
    let finite = [0.0, -0.0, 1.5, -2.25, 1e300, 1e-310, 0.1, f64::MAX];
    let bits: Vec<u128> = finite.iter().map(|x: &f64| x.to_bits() as u128).collect();
    for handle in [0x214, 0x21c, 0x2da] {
        check_real(handle, 8, &bits, apply);
    }
    let apply: fn(Op, u128, u128) -> u128 = |op, a, b| {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let result = match op {
            Op::Sum => x + y,
            Op::Prod => x * y,
            Op::Min => {
                if x < y {
                    x
                } else {
                    y
                }
            }
            _ => {
                if x > y {
                    x
                } else {
                    y
                }
            }
        };
        result.to_bits() as u128
    };
    let finite = [0.0, -0.0, 1.5, -2.25, 1e30, 1e-40, 0.1, f32::MAX];
    let bits: Vec<u128> = finite.iter().map(|x: &f32| x.to_bits() as u128).collect();
    for handle in [0x210, 0x21a, 0x2d2] {
        check_real(handle, 4, &bits, apply);
    }
}

/// A small whole number in a real format of `size` bytes.
fn whole(size: usize, quad: bool, value: i32) -> Vec<u8> {
    let text = value.to_string();
    let bits = match (size, quad) {
        (2, _) => Half::from_str_r(&text, NEAREST).unwrap().value.to_bits(),
        (4, _) => (value as f32).to_bits() as u128,
        (8, _) => (value as f64).to_bits() as u128,
        (_, false) => X87DoubleExtended::from_str_r(&text, NEAREST)
            .unwrap()
            .value
            .to_bits(),
        (_, true) => Quad::from_str_r(&text, NEAREST).unwrap().value.to_bits(),
    };
    bits.to_le_bytes()[..size].to_vec()
}

#[test]
fn complex_numbers_add_and_multiply() {
    for row in BASICS.iter().filter(|row| row.class == Class::Complex) {
        let half = row.size as usize / 2;
        let number = |re, im| {
            let quad = row.repr == Repr::ComplexF128;
            [whole(half, quad, re), whole(half, quad, im)].concat()
        };
        let source = [number(2, 3), number(-1, 4), number(5, 0)].concat();
        let inout = [number(7, -1), number(6, 2), number(0, -3)].concat();
        let sum = [number(9, 2), number(5, 6), number(5, -3)].concat();
        let product = [number(17, 19), number(-14, 22), number(0, -15)].concat();
        assert_eq!(
            run(Op::Sum, row.handle, &source, &inout),
            sum,
            "{}",
            row.name
        );
        let found = run(Op::Prod, row.handle, &source, &inout);
        assert_eq!(found, product, "{}", row.name);
    }
}

/// An element of a pair type, its padding filled with a mark.
fn element(row: &crate::Basic, value: i32, index: i32) -> Vec<u8> {
    let halves = row
        .halves()
        .unwrap()
        .map(|half| crate::basic(half).unwrap());
    let mut bytes = vec![0xee; row.extent as usize];
    let mut at = 0usize;
    for (half, number) in halves.into_iter().zip([value, index]) {
        let size = half.size as usize;
        at = at.next_multiple_of(half.align as usize);
        let encoded = match half.class {
            Class::Float => whole(size, false, number),
            _ => (number as i64).to_le_bytes()[..size].to_vec(),
        };
        bytes[at..at + size].copy_from_slice(&encoded);
        at += size;
    }
    bytes
}

#[test]
fn pairs_keep_the_extreme_with_the_lower_index_and_their_padding() {
    for row in BASICS.iter().filter(|row| row.class == Class::Pair) {
        let list = |list: &[(i32, i32)]| -> Vec<u8> {
            list.iter()
                .flat_map(|&(value, index)| element(row, value, index))
                .collect()
        };
        let source = list(&[(1, 9), (5, 2), (5, 4), (-3, 1), (-3, 8)]);
        let inout = list(&[(2, 1), (4, 1), (5, 3), (-3, 6), (-4, 9)]);
        let least = list(&[(1, 9), (4, 1), (5, 3), (-3, 1), (-4, 9)]);
        let most = list(&[(2, 1), (5, 2), (5, 3), (-3, 1), (-3, 8)]);
        assert_eq!(
            run(Op::Minloc, row.handle, &source, &inout),
            least,
            "{}",
            row.name
        );
        assert_eq!(
            run(Op::Maxloc, row.handle, &source, &inout),
            most,
            "{}",
            row.name
        );
    }
}

#[test]
fn every_allowed_pair_reduces_and_no_other_does() {
    let (mut done, mut refused) = (0, 0);
    for no_operation in [0, 0x1f, 0x20, 0x25, 0x3e, 0x40, 0x41, u32::MAX] {
        assert_eq!(Op::from_handle(no_operation), None);
    }
    for row in BASICS {
        let datatype = predefined(row.handle).unwrap();
        for op in Op::ALL {
            assert_eq!(Op::from_handle(op.handle()), Some(op));
            let memory = Scratch::new(row.extent as usize * 3);
            let result = reduce(op, datatype, memory.buf(), memory.buf(), 3);
            match allowed(op, datatype) {
                true => assert_eq!(result, Ok(()), "{} on {}", op.name(), row.name),
                false => {
                    let (op, datatype) = (op.name(), row.name);
                    assert_eq!(result, Err(Error::NotAllowed { op, datatype }));
                }
            }
            *if allowed(op, datatype) {
                &mut done
            } else {
                &mut refused
            } += 1;
        }
    }
    assert_eq!((done, refused), (done, BASICS.len() * Op::ALL.len() - done));
    assert!(
        done > 300 && refused > 300,
        "{done} allowed, {refused} refused"
    );
}

#[test]
fn a_derived_type_or_a_short_buffer_is_refused_and_replace_copies() {
    let double = predefined(0x214).unwrap();
    let derived = Datatype::contiguous(2, double).unwrap();
    let (a, b) = (Scratch::new(16), Scratch::new(16));
    let refused = reduce(Op::Sum, &derived, a.buf(), b.buf(), 1);
    assert_eq!(
        refused,
        Err(Error::NotPredefined {
            datatype: String::new()
        })
    );
    let short = reduce(Op::Sum, double, a.buf(), b.buf(), 3);
    assert_eq!(
        short,
        Err(Error::Room {
            needed: 24,
            room: 16
        })
    );
    let huge = reduce(Op::Sum, double, a.buf(), b.buf(), usize::MAX);
    assert!(matches!(huge, Err(Error::Overflow { .. })));
    a.buf().write(0, &[1; 16]);
    reduce(Op::Replace, double, a.buf(), b.buf(), 1).unwrap();
    let mut found = [0; 16];
    b.buf().read(0, &mut found);
    assert_eq!(found, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn the_span_of_predefined_elements_is_that_of_their_datatype() {
    for row in BASICS {
        let datatype = predefined(row.handle).unwrap();
        for count in [1, 2, 1000] {
            let expected = Ok(datatype.span_bytes(count));
            assert_eq!(span_bytes(row, count), expected, "{count} of {}", row.name);
        }
    }
}
