//! Tests of constructors: errors, stored arguments, and limits on the memory that they use.

use std::sync::Arc;

use datatype::{predefined, Buffer, Combiner, Datatype, Dimension, Distribution, Error, Order};
use memory::{Payload, Scratch, UserBuf};

fn int() -> &'static Arc<Datatype> {
    predefined(0x209).unwrap()
}

fn double() -> &'static Arc<Datatype> {
    predefined(0x214).unwrap()
}

#[test]
fn the_table_is_that_of_the_abi() {
    for row in datatype::BASICS {
        let found = predefined(row.handle).unwrap();
        assert_eq!(found.name(), row.name);
        assert_eq!(
            (found.size(), found.extent()),
            (row.size, row.extent),
            "{}",
            row.name
        );
        assert!(found.is_committed());
        assert_eq!(found.contents().combiner, Combiner::Named);
        if (0x240..0x280).contains(&row.handle) || row.handle >= 0x2c0 {
            assert_eq!(row.size, 1 << ((row.handle >> 3) & 7), "{}", row.name);
        }
    }
    for handle in [0, 0x1ff, 0x200, 0x204, 0x2ff, 0x300, u32::MAX] {
        assert!(predefined(handle).is_none(), "{handle:#x}");
    }
}

#[test]
fn counts_beyond_32_bits_are_only_arithmetic() {
    let three_billion = 3_000_000_000;
    let many = Arc::new(Datatype::contiguous(three_billion, double()).unwrap());
    assert_eq!(
        (many.size(), many.extent()),
        (24_000_000_000, 24_000_000_000)
    );
    assert_eq!(many.elements(), three_billion);
    assert_eq!(
        many.elements_in(24_000_000_000 * 5 + 16),
        Some(three_billion * 5 + 2)
    );
    assert_eq!(many.span(2), Some((0, 48_000_000_000)));
    let column = Datatype::hvector(three_billion, 1, 0, &many).unwrap_err();
    assert_eq!(
        column,
        Error::Overflow {
            what: "the size of the datatype"
        }
    );
}

#[test]
fn a_billion_blocks_take_no_memory_and_no_time() {
    let pair = Datatype::structure(&[1, 1], &[0, 12], &[int().clone(), double().clone()]);
    let pair = Arc::new(pair.unwrap());
    let column = Arc::new(Datatype::vector(1_000_000_000, 2, 3, &pair).unwrap());
    assert_eq!(column.size(), 24_000_000_000);
    assert_eq!(datatype::external_size(1, &column), Ok(24_000_000_000));
    // Two elements of 24 bytes, 72 apart: packed byte 24n is at 72n. Only one is in memory.
    let memory = Scratch::new(72);
    let ahead = 72i64 * 900_000_000;
    let base = memory.buf().address().wrapping_offset(-ahead as isize);
    // SAFETY: only packed bytes of the element that the memory holds are touched.
    let buffer = unsafe { Buffer::new(base, 1, &column).unwrap() };
    let bytes: Vec<u8> = (1..=24).collect();
    assert_eq!(
        buffer.unpack(24 * 900_000_000, Payload::from(&bytes[..])),
        24
    );
    let mut found = [0; 72];
    memory.buf().read(0, &mut found);
    assert_eq!(found[..4], bytes[..4]);
    assert_eq!(found[12..20], bytes[4..12]);
    assert_eq!(found[24..28], bytes[12..16]);
    assert_eq!(found[36..44], bytes[16..]);
}

#[test]
fn overflow_is_an_error_with_a_name() {
    let most = i64::MAX;
    let overflow = |what| Err(Error::Overflow { what });
    let error = |made: Result<Datatype, Error>| made.map(|_| ());
    assert_eq!(
        error(Datatype::contiguous(most, double())),
        overflow("the distance to the last block")
    );
    assert_eq!(
        error(Datatype::vector(2, 1, most, double())),
        overflow("the stride in bytes")
    );
    assert_eq!(
        error(Datatype::hvector(3, 1, most, double())),
        overflow("the distance to the last block")
    );
    assert_eq!(
        error(Datatype::hindexed(&[1, 1], &[most - 8, i64::MIN], double())),
        overflow("the extent")
    );
    assert_eq!(
        error(Datatype::hindexed(&[1], &[most - 7], double())),
        overflow("a bound of the datatype")
    );
    assert_eq!(
        error(Datatype::resized(int(), most, 1)),
        overflow("the upper bound")
    );
    assert_eq!(
        error(Datatype::structure(
            &[1, 1],
            &[0, most - 3],
            &[double().clone(), int().clone()]
        )),
        overflow("a bound of the datatype")
    );
    let huge = [1 << 31, 1 << 31];
    assert_eq!(
        error(Datatype::subarray(
            &huge,
            &[1, 1],
            &[0, 0],
            Order::C,
            double()
        )),
        overflow("the size of the array in bytes")
    );
    let wide = Arc::new(Datatype::resized(int(), 0, most / 2).unwrap());
    // SAFETY: refused before any memory is touched.
    let buffer = unsafe { Buffer::new(std::ptr::null_mut(), 4, &wide) };
    assert_eq!(
        buffer.unwrap_err(),
        Error::Overflow {
            what: "the memory of the elements"
        }
    );
}

#[test]
fn senseless_arguments_are_refused() {
    let error = |made: Result<Datatype, Error>| made.unwrap_err();
    let negative = |what, value| Error::Negative { what, value };
    assert_eq!(
        error(Datatype::contiguous(-1, int())),
        negative("count", -1)
    );
    assert_eq!(
        error(Datatype::vector(-2, 1, 1, int())),
        negative("count", -2)
    );
    assert_eq!(
        error(Datatype::vector(2, -3, 1, int())),
        negative("block length", -3)
    );
    assert_eq!(
        error(Datatype::indexed(&[1, -4], &[0, 9], int())),
        negative("block length", -4)
    );
    assert_eq!(
        error(Datatype::indexed_block(-5, &[0], int())),
        negative("block length", -5)
    );
    let lengths = error(Datatype::hindexed(&[1], &[1, 2], int()));
    assert!(
        matches!(
            lengths,
            Error::Lengths {
                expected: 1,
                found: 2,
                ..
            }
        ),
        "{lengths:?}"
    );
    let lengths = error(Datatype::structure(&[1], &[1], &[]));
    assert!(
        matches!(
            lengths,
            Error::Lengths {
                expected: 1,
                found: 0,
                ..
            }
        ),
        "{lengths:?}"
    );
}

#[test]
fn senseless_arrays_and_buffers_are_refused() {
    let error = |made: Result<Datatype, Error>| made.unwrap_err();
    for (subsize, start) in [(0, 0), (5, 0), (2, 3), (2, -1)] {
        let part = Datatype::subarray(&[4], &[subsize], &[start], Order::C, int());
        assert!(
            matches!(error(part), Error::Argument { .. }),
            "{subsize} at {start}"
        );
    }
    let none: [i64; 0] = [];
    assert!(matches!(
        error(Datatype::subarray(&none, &none, &none, Order::C, int())),
        Error::Argument {
            what: "the number of dimensions",
            ..
        }
    ));
    let block = |argument, processes| Dimension {
        size: 10,
        distribution: Distribution::Block,
        argument,
        processes,
    };
    for (all, rank, dimension) in [
        (4, 4, block(3, 4)),
        (4, -1, block(3, 4)),
        (5, 0, block(3, 4)),
        (4, 0, block(2, 4)),
        (4, 0, block(-3, 4)),
        (0, 0, block(3, 0)),
    ] {
        let part = Datatype::darray(all, rank, &[dimension], Order::C, int());
        assert!(
            matches!(error(part), Error::Argument { .. }),
            "{all} {rank} {dimension:?}"
        );
    }
    // SAFETY: refused before any memory is touched.
    let buffer = unsafe { Buffer::new(std::ptr::null_mut(), -1, int()) };
    let negative = Error::Negative {
        what: "count",
        value: -1,
    };
    assert_eq!(buffer.unwrap_err(), negative);
    let small = Buffer::over(UserBuf::EMPTY, 1, int());
    assert_eq!(small.unwrap_err(), Error::Room { needed: 4, room: 0 });
}

#[test]
fn a_structure_is_padded_like_one_in_c() {
    let char = predefined(0x243).unwrap();
    let olds = [double().clone(), char.clone()];
    let padded = Datatype::structure(&[1, 1], &[0, 8], &olds).unwrap();
    assert_eq!(
        (padded.size(), padded.extent(), padded.true_extent()),
        (9, 16, 9)
    );
    let tight = Arc::new(Datatype::resized(&Arc::new(padded), 0, 9).unwrap());
    let inside = Datatype::structure(&[3, 1], &[0, 27], &[tight.clone(), char.clone()]).unwrap();
    assert_eq!(
        (inside.extent(), inside.size()),
        (27, 28),
        "bounds set by hand are kept"
    );
    let negative = Arc::new(Datatype::resized(int(), 0, -8).unwrap());
    let backwards = Datatype::contiguous(3, &negative).unwrap();
    assert_eq!((backwards.lb(), backwards.ub()), (-16, -8));
    assert_eq!((backwards.true_lb(), backwards.true_extent()), (-16, 20));
}

#[test]
fn constructors_remember_their_arguments_in_both_forms() {
    let contents = |made: Result<Datatype, Error>, large: bool| {
        let made = if large {
            made.unwrap().large()
        } else {
            made.unwrap()
        };
        let contents = made.contents();
        (
            contents.integers.clone(),
            contents.addresses.clone(),
            contents.counts.clone(),
        )
    };
    let hindexed = || Datatype::hindexed(&[1, 2], &[30, 40], int());
    assert_eq!(
        contents(hindexed(), false),
        (vec![2, 1, 2], vec![30, 40], vec![])
    );
    assert_eq!(
        contents(hindexed(), true),
        (vec![], vec![], vec![2, 1, 2, 30, 40])
    );
    let block = || Datatype::indexed_block(3, &[0, 5], int());
    assert_eq!(contents(block(), false), (vec![2, 3, 0, 5], vec![], vec![]));
    let resized = || Datatype::resized(int(), -1, 9);
    assert_eq!(contents(resized(), true), (vec![], vec![], vec![-1, 9]));
    let part = || Datatype::subarray(&[4, 5], &[2, 3], &[1, 0], Order::Fortran, int());
    assert_eq!(
        contents(part(), false),
        (vec![2, 4, 5, 2, 3, 1, 0, 15], vec![], vec![])
    );
    assert_eq!(
        contents(part(), true),
        (vec![2, 15], vec![], vec![4, 5, 2, 3, 1, 0])
    );
    let cyclic = Dimension {
        size: 10,
        distribution: Distribution::Cyclic,
        argument: datatype::DEFAULT_ARGUMENT,
        processes: 3,
    };
    let dealt = || Datatype::darray(3, 1, &[cyclic], Order::C, int());
    assert_eq!(
        contents(dealt(), false),
        (vec![3, 1, 1, 10, 18, 19, 3, 12], vec![], vec![])
    );
    assert_eq!(
        contents(dealt(), true),
        (vec![3, 1, 1, 18, 19, 3, 12], vec![], vec![10])
    );
    let made = part().unwrap();
    assert!(Arc::ptr_eq(&made.contents().datatypes[0], int()));
    assert!(!made.is_committed());
    made.commit();
    let copy = Datatype::dup(&Arc::new(made));
    assert!(copy.is_committed() && copy.predefined().is_none());
    assert_eq!(copy.contents().combiner, Combiner::Dup);
}

#[test]
fn only_one_kind_of_data_is_reported_as_such() {
    let row = |datatype: &Datatype| datatype.element().map(|row| row.name);
    let pair = predefined(0x229).unwrap();
    let pairs = Arc::new(Datatype::vector(3, 1, 2, pair).unwrap());
    assert_eq!(row(&pairs), Some("MPI_DOUBLE_INT"));
    assert_eq!(pairs.elements(), 6);
    let both = [pairs.clone(), double().clone()];
    assert_eq!(
        row(&Datatype::structure(&[1, 0], &[0, 80], &both).unwrap()),
        Some("MPI_DOUBLE_INT")
    );
    assert_eq!(
        row(&Datatype::structure(&[1, 1], &[0, 80], &both).unwrap()),
        None
    );
    let three = [pairs.clone(), double().clone(), pairs];
    assert_eq!(
        row(&Datatype::structure(&[1, 1, 1], &[0, 80, 90], &three).unwrap()),
        None
    );
}

/// A datatype of a datatype of ... a million deep: building and dropping must not recurse.
#[test]
fn long_chains_are_built_and_dropped() {
    let mut datatype = Arc::new(Datatype::resized(int(), 0, 8).unwrap());
    for _ in 0..1_000_000 {
        datatype = Arc::new(Datatype::dup(&datatype));
    }
    assert_eq!(datatype.extent(), 8);
    let weak = Arc::downgrade(&datatype.contents().datatypes[0]);
    drop(datatype);
    assert!(weak.upgrade().is_none());
}

/// A list that grows by one entry a time stays usable, and so does what is made of it.
#[test]
fn growing_structures_stay_flat() {
    let mut datatype = int().clone();
    for entry in 1..6000 {
        let olds = [
            datatype,
            predefined(0x208 + entry as u32 % 2).unwrap().clone(),
        ];
        datatype = Arc::new(Datatype::structure(&[1, 1], &[0, entry * 8], &olds).unwrap());
    }
    assert_eq!(datatype.size(), 4 + 3000 * 4 + 2999 * 2);
    let memory = Scratch::new(datatype.span_bytes(2));
    let buffer = Buffer::over(memory.buf(), 2, &datatype).unwrap();
    let bytes: Vec<u8> = (0..buffer.len()).map(|at| (at * 31 % 253) as u8).collect();
    for (at, part) in bytes.chunks(997).enumerate().rev() {
        assert_eq!(buffer.unpack(at * 997, Payload::from(part)), part.len());
    }
    let mut found = vec![0; bytes.len()];
    assert_eq!(buffer.pack_into(0, &mut found), bytes.len());
    assert_eq!(found, bytes);
    assert_eq!(datatype.elements_in(datatype.size()), Some(6000));
}

#[test]
fn absolute_addresses_need_no_base() {
    let memory = Scratch::new(24);
    memory.buf().write(0, &[5; 24]);
    let address = memory.buf().address() as i64;
    let absolute = Datatype::hindexed(&[1, 1], &[address, address + 16], double()).unwrap();
    let absolute = Arc::new(absolute);
    // SAFETY: the displacements are addresses inside the scratch memory.
    let buffer = unsafe { Buffer::new(std::ptr::null_mut(), 1, &absolute).unwrap() };
    buffer.unpack(4, Payload::from(&[9u8; 8][..]));
    let mut found = [0; 24];
    memory.buf().read(0, &mut found);
    assert_eq!(found[..8], [5, 5, 5, 5, 9, 9, 9, 9]);
    assert_eq!(found[8..16], [5; 8]);
    assert_eq!(found[16..], [9, 9, 9, 9, 5, 5, 5, 5]);
}
