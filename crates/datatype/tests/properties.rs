//! Tests of random nested datatypes against a reference that expands every type map.
//!
//! The reference keeps a list of (displacement, basic element) and knows no loops, so whatever
//! merging, striding and nesting the crate does has to come to the same bytes.

use std::sync::Arc;

use datatype::constants::MPI_LONG_DOUBLE;
use datatype::{copy, predefined, Borrowed, Buffer, Datatype, Distribution, Order};
use memory::{Payload, Scratch, Slot, UserBuf};
use proptest::prelude::*;

/// A spelled-out type map. Everything in bytes.
#[derive(Clone, Debug, Default)]
struct Map {
    /// Displacement, size and kind of each basic element.
    entries: Vec<(i64, i64, u32)>,
    lb: i64,
    ub: i64,
    align: i64,
    bounded: bool,
    /// Nothing at all: takes no part in the bounds.
    absent: bool,
}

impl Map {
    fn extent(&self) -> i64 {
        self.ub - self.lb
    }

    fn size(&self) -> i64 {
        self.entries.iter().map(|entry| entry.1).sum()
    }

    /// Copies at the given displacements, in order.
    fn join(copies: &[(i64, &Map)]) -> Map {
        let copies: Vec<_> = copies.iter().filter(|(_, map)| !map.absent).collect();
        let bounded = copies.iter().any(|(_, map)| map.bounded);
        let counted = || copies.iter().filter(|(_, map)| map.bounded == bounded);
        Map {
            entries: copies
                .iter()
                .flat_map(|(at, map)| map.entries.iter().map(move |(d, s, k)| (d + at, *s, *k)))
                .collect(),
            lb: counted().map(|(at, map)| map.lb + at).min().unwrap_or(0),
            ub: counted().map(|(at, map)| map.ub + at).max().unwrap_or(0),
            align: copies.iter().map(|(_, map)| map.align).max().unwrap_or(1),
            bounded,
            absent: copies.is_empty(),
        }
    }

    fn blocks(&self, blocks: &[(i64, i64)]) -> Map {
        let copies: Vec<_> = blocks
            .iter()
            .flat_map(|&(at, n)| (0..n).map(move |i| (at + i * self.extent(), self)))
            .collect();
        Map::join(&copies)
    }
}

type Built = (Arc<Datatype>, Map);

fn basic() -> impl Strategy<Value = Built> {
    prop::sample::select(vec![
        0x209u32, 0x208, 0x214, 0x243, 0x229, 0x22c, 0x22d, 0x216, 0x2e0,
    ])
    .prop_map(|handle| {
        let datatype = predefined(handle).unwrap();
        let entries = match handle {
            0x229 => vec![(0, 8, 0x214), (8, 4, 0x209)],
            0x22c => vec![(0, 2, 0x208), (4, 4, 0x209)],
            0x22d => vec![(0, 16, MPI_LONG_DOUBLE), (16, 4, 0x209)],
            _ => vec![(0, datatype.size(), handle)],
        };
        let (ub, align) = (datatype.ub(), datatype.alignment());
        let map = Map {
            entries,
            ub,
            align,
            ..Map::default()
        };
        (datatype.clone(), map)
    })
}

fn arc(made: Result<Datatype, datatype::Error>) -> Arc<Datatype> {
    Arc::new(made.unwrap())
}

fn lists() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    let few = prop::collection::vec((0..4i64, -6..12i64), 0..6);
    let many = prop::collection::vec((0..9i64, -200..300i64), 20..90);
    prop_oneof![5 => few, 1 => many].prop_map(|list| list.into_iter().unzip())
}

fn few_or_many() -> impl Strategy<Value = i64> {
    prop_oneof![5 => 0..5i64, 1 => 30..100i64]
}

fn vectors(old: BoxedStrategy<Built>) -> impl Strategy<Value = Built> {
    (old, few_or_many(), 0..4i64, -5..8i64, 0..3).prop_map(
        |((old, map), count, length, stride, form)| {
            let step = if form == 0 {
                stride * map.extent()
            } else {
                stride
            };
            let blocks: Vec<_> = (0..count).map(|i| (i * step, length)).collect();
            match form {
                0 => (
                    arc(Datatype::vector(count, length, stride, &old)),
                    map.blocks(&blocks),
                ),
                1 => (
                    arc(Datatype::hvector(count, length, stride, &old)),
                    map.blocks(&blocks),
                ),
                _ => (
                    arc(Datatype::contiguous(count, &old)),
                    map.blocks(&[(0, count)]),
                ),
            }
        },
    )
}

fn indexes(old: BoxedStrategy<Built>) -> impl Strategy<Value = Built> {
    (old, lists(), 0..4).prop_map(|((old, map), (mut lengths, at), form)| {
        if form >= 2 {
            let length = lengths.first().copied().unwrap_or(1);
            lengths.fill(length);
        }
        let scale = if form % 2 == 0 { map.extent() } else { 1 };
        let blocks: Vec<_> = at
            .iter()
            .zip(&lengths)
            .map(|(at, n)| (at * scale, *n))
            .collect();
        let length = lengths.first().copied().unwrap_or(1);
        let made = match form {
            0 => Datatype::indexed(&lengths, &at, &old),
            1 => Datatype::hindexed(&lengths, &at, &old),
            2 => Datatype::indexed_block(length, &at, &old),
            _ => Datatype::hindexed_block(length, &at, &old),
        };
        (arc(made), map.blocks(&blocks))
    })
}

fn structures(old: BoxedStrategy<Built>) -> impl Strategy<Value = Built> {
    prop::collection::vec((old, 0..3i64, -20..60i64), 0..4).prop_map(|parts| {
        let lengths: Vec<_> = parts.iter().map(|part| part.1).collect();
        let at: Vec<_> = parts.iter().map(|part| part.2).collect();
        let olds: Vec<_> = parts.iter().map(|part| part.0 .0.clone()).collect();
        let blocks: Vec<_> = parts
            .iter()
            .map(|((_, map), n, at)| (*at, map.blocks(&[(0, *n)])))
            .collect();
        let copies: Vec<_> = blocks.iter().map(|(at, map)| (*at, map)).collect();
        let mut map = Map::join(&copies);
        while !map.bounded && map.extent() % map.align != 0 {
            map.ub += 1;
        }
        (arc(Datatype::structure(&lengths, &at, &olds)), map)
    })
}

fn bounds(old: BoxedStrategy<Built>) -> impl Strategy<Value = Built> {
    (old, -8..8i64, -4..40i64, any::<bool>()).prop_map(|((old, map), lb, extent, dup)| {
        if dup {
            return (Arc::new(Datatype::dup(&old)), map);
        }
        let bounded = Map {
            lb,
            ub: lb + extent,
            bounded: true,
            absent: false,
            ..map
        };
        (arc(Datatype::resized(&old, lb, extent)), bounded)
    })
}

/// Sizes, subsizes and starts of up to three dimensions.
fn parts() -> impl Strategy<Value = Vec<(i64, i64, i64)>> {
    let dimension = (1..5i64).prop_flat_map(|size| {
        (1..=size).prop_flat_map(move |part| (Just(size), Just(part), 0..=size - part))
    });
    prop::collection::vec(dimension, 1..4)
}

fn subarrays(old: BoxedStrategy<Built>) -> impl Strategy<Value = Built> {
    (old, parts(), any::<bool>()).prop_map(|((old, map), dimensions, fortran)| {
        let sizes: Vec<_> = dimensions.iter().map(|d| d.0).collect();
        let subsizes: Vec<_> = dimensions.iter().map(|d| d.1).collect();
        let starts: Vec<_> = dimensions.iter().map(|d| d.2).collect();
        let order = if fortran { Order::Fortran } else { Order::C };
        let mut slowest_first = dimensions;
        if fortran {
            slowest_first.reverse();
        }
        let mut places = vec![0];
        for (size, part, start) in &slowest_first {
            places = places
                .iter()
                .flat_map(|at| (0..*part).map(move |i| at * size + start + i))
                .collect();
        }
        let blocks: Vec<_> = places.iter().map(|at| (at * map.extent(), 1)).collect();
        let ub = sizes.iter().product::<i64>() * map.extent();
        let inner = map.blocks(&blocks);
        let map = Map {
            lb: 0,
            ub,
            bounded: true,
            absent: false,
            ..inner
        };
        (
            arc(Datatype::subarray(&sizes, &subsizes, &starts, order, &old)),
            map,
        )
    })
}

fn darrays(old: BoxedStrategy<Built>) -> impl Strategy<Value = Built> {
    let dimensions = prop::collection::vec((1..7i64, 0..3, 1..4i64, 1..4i64), 1..4);
    let rank = any::<prop::sample::Index>();
    (old, dimensions, any::<bool>(), rank).prop_map(|((old, map), dimensions, fortran, rank)| {
        let dimensions: Vec<_> = dimensions.into_iter().map(dimension).collect();
        let processes: i64 = dimensions.iter().map(|d| d.processes).product();
        let rank = rank.index(processes as usize) as i64;
        let order = if fortran { Order::Fortran } else { Order::C };
        let mine = owned(&dimensions, rank, fortran);
        let blocks: Vec<_> = mine.iter().map(|at| (at * map.extent(), 1)).collect();
        let ub = dimensions.iter().map(|d| d.size).product::<i64>() * map.extent();
        let inner = map.blocks(&blocks);
        let map = Map {
            lb: 0,
            ub,
            bounded: true,
            absent: false,
            ..inner
        };
        let made = Datatype::darray(processes, rank, &dimensions, order, &old);
        (arc(made), map)
    })
}

fn datatypes() -> impl Strategy<Value = Built> {
    basic()
        .prop_recursive(5, 40, 3, |old| {
            let old = old.boxed();
            prop_oneof![
                3 => vectors(old.clone()),
                3 => indexes(old.clone()),
                3 => structures(old.clone()),
                1 => bounds(old.clone()),
                1 => subarrays(old.clone()),
                1 => darrays(old),
            ]
        })
        .prop_filter("small enough to spell out", |(_, map)| {
            map.entries.len() < 3000
        })
}

/// Memory around the elements of a datatype, and every packed byte's offset in it.
struct GuardedBuffer {
    memory: Scratch,
    /// The address of the first element.
    base: *mut u8,
    buffer: Buffer,
    places: Vec<usize>,
}

impl GuardedBuffer {
    fn new(datatype: &Arc<Datatype>, map: &Map, count: i64) -> GuardedBuffer {
        let places: Vec<i64> = (0..count)
            .flat_map(|i| {
                map.entries
                    .iter()
                    .map(move |(d, s, _)| (d + i * map.extent(), *s))
            })
            .flat_map(|(at, size)| at..at + size)
            .collect();
        let low = places.iter().min().copied().unwrap_or(0) - 16;
        let high = places.iter().max().copied().unwrap_or(0) + 17;
        let memory = Scratch::new((high - low) as usize);
        let base = memory.buf().address().wrapping_offset(-low as isize);
        // SAFETY: the scratch memory covers every byte of the spelled-out map.
        let buffer = unsafe { Buffer::new(base, count, datatype).unwrap() };
        let places = places.iter().map(|at| (at - low) as usize).collect();
        GuardedBuffer {
            memory,
            base,
            buffer,
            places,
        }
    }

    fn fill(&self) -> Vec<u8> {
        let bytes: Vec<u8> = (0..self.memory.buf().len())
            .map(|i| (i * 7 + i / 251) as u8)
            .collect();
        self.memory.buf().write(0, &bytes);
        self.places.iter().map(|at| bytes[*at]).collect()
    }

    fn contents(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.memory.buf().len()];
        self.memory.buf().read(0, &mut bytes);
        bytes
    }

    fn overlaps(&self) -> bool {
        let mut sorted = self.places.clone();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The memory as it has to be after `packed` was unpacked into zeroes.
    fn expected(&self, packed: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; self.memory.buf().len()];
        self.places
            .iter()
            .zip(packed)
            .for_each(|(at, byte)| bytes[*at] = *byte);
        bytes
    }
}

fn fragments(len: usize, cuts: &[prop::sample::Index]) -> Vec<std::ops::Range<usize>> {
    let mut edges: Vec<usize> = cuts.iter().map(|cut| cut.index(len + 1)).collect();
    edges.extend([0, len]);
    edges.sort_unstable();
    edges.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// How many inputs each property gets: more with `OXMPI_TEST_LONG` in the environment.
fn cases() -> u32 {
    match std::env::var_os("OXMPI_TEST_LONG") {
        Some(_) => 10_000,
        None => 2500,
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn measures_are_those_of_the_map((datatype, map) in datatypes()) {
        prop_assert_eq!(datatype.size(), map.size());
        prop_assert_eq!((datatype.lb(), datatype.ub()), (map.lb, map.ub));
        let true_lb = map.entries.iter().map(|entry| entry.0).min().unwrap_or(0);
        let true_ub = map.entries.iter().map(|entry| entry.0 + entry.1).max().unwrap_or(0);
        prop_assert_eq!(datatype.true_lb(), true_lb);
        prop_assert_eq!(datatype.true_extent(), true_ub - true_lb);
        prop_assert_eq!(datatype.elements(), map.entries.len() as i64);
    }

    #[test]
    fn elements_are_counted_where_they_end((datatype, map) in datatypes(), count in 1..4usize) {
        let mut ends = vec![0];
        for (_, size, _) in map.entries.iter().cycle().take(map.entries.len() * count) {
            ends.push(ends.last().unwrap() + size);
        }
        for bytes in 0..=map.size() * count as i64 {
            let expected = ends.binary_search(&bytes).ok().map(|at| at as i64);
            prop_assert_eq!(datatype.elements_in(bytes), expected, "{} bytes", bytes);
        }
    }

    #[test]
    fn any_part_packs_as_the_map_says(
        (datatype, map) in datatypes(),
        count in prop_oneof![4 => 0..8i64, 1 => 60..80i64],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
    ) {
        let room = GuardedBuffer::new(&datatype, &map, count);
        let packed = room.fill();
        prop_assert_eq!(room.buffer.len(), packed.len());
        for part in fragments(packed.len(), &cuts) {
            let mut bytes = vec![0xaa; part.len() + 5];
            let room_for = part.len() + 3;
            let mut slot = Slot::from(&mut bytes[..room_for]);
            let done = room.buffer.pack(part.start, &mut slot, 3);
            prop_assert_eq!(done, part.len());
            prop_assert_eq!(&bytes[3..room_for], &packed[part.clone()]);
            prop_assert_eq!(&bytes[room_for..], &[0xaa; 2]);

            let mut pieces = Vec::new();
            room.buffer.segments(part.start, part.len(), &mut pieces);
            let listed: Vec<u8> = pieces.iter().flat_map(read).collect();
            prop_assert_eq!(listed, &packed[part]);
        }
    }

    #[test]
    fn fragments_unpack_in_any_order(
        (datatype, map) in datatypes(),
        count in prop_oneof![4 => 0..8i64, 1 => 60..80i64],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
        seed in any::<u64>(),
    ) {
        let room = GuardedBuffer::new(&datatype, &map, count);
        prop_assume!(!room.overlaps());
        let packed: Vec<u8> = (0..room.places.len()).map(|i| (i * 13 + 1) as u8).collect();
        let mut parts = fragments(packed.len(), &cuts);
        parts.sort_by_key(|part| (part.start as u64).wrapping_mul(seed | 1));
        for part in parts {
            let bytes = &packed[part.clone()];
            prop_assert_eq!(room.buffer.unpack(part.start, Payload::from(bytes)), part.len());
        }
        prop_assert_eq!(room.buffer.unpack(packed.len(), Payload::from(&[1u8][..])), 0);
        prop_assert_eq!(room.contents(), room.expected(&packed));
    }

    #[test]
    fn elements_of_a_borrowed_datatype_are_packed_as_a_whole(
        (datatype, map) in datatypes(),
        count in prop_oneof![4 => 0..8i64, 1 => 60..80i64],
    ) {
        let room = GuardedBuffer::new(&datatype, &map, count);
        let packed = room.fill();
        // SAFETY: the room has every byte of the spelled-out map.
        let elements = unsafe { Borrowed::new(room.base, count, &datatype).unwrap() };
        prop_assert_eq!(elements.bytes(), packed.len());
        let row = Scratch::new(packed.len() + 4);
        row.buf().write(packed.len(), &[0xaa; 4]);
        elements.pack(&row.buf());
        let written = read(&row.buf());
        prop_assert_eq!(&written[..packed.len()], &packed);
        prop_assert_eq!(&written[packed.len()..], &[0xaa; 4]);

        prop_assume!(!room.overlaps());
        room.memory.buf().write(0, &vec![0; room.memory.buf().len()]);
        elements.unpack(&row.buf());
        prop_assert_eq!(room.contents(), room.expected(&packed));
    }

    #[test]
    fn a_copy_between_two_datatypes_moves_the_packed_bytes(
        (from, from_map) in datatypes(),
        (to, to_map) in datatypes(),
        same in any::<bool>(),
        counts in (0..300i64, 0..300i64),
    ) {
        let (to, to_map) = if same { (from.clone(), from_map.clone()) } else { (to, to_map) };
        let least = |map: &Map| 20_000 / map.size().max(20);
        let a = GuardedBuffer::new(&from, &from_map, counts.0.min(least(&from_map)));
        let b = GuardedBuffer::new(&to, &to_map, counts.1.min(least(&to_map)));
        prop_assume!(!b.overlaps());
        let packed = a.fill();
        let room = b.places.len();
        let expected = match packed.len() > room {
            true => Err(datatype::Error::Truncated { bytes: packed.len(), room }),
            false => Ok(packed.len()),
        };
        prop_assert_eq!(copy(&a.buffer, &b.buffer), expected);
        prop_assert_eq!(b.contents(), b.expected(&packed));
    }

    #[test]
    fn elements_of_a_buffer_are_its_parts(
        (datatype, map) in datatypes(),
        (count, first, part) in (0..9usize).prop_flat_map(|n| {
            (Just(n), 0..=n).prop_flat_map(|(n, first)| (Just(n), Just(first), 0..=n - first))
        }),
    ) {
        let room = GuardedBuffer::new(&datatype, &map, count as i64);
        let packed = room.fill();
        let scale = if room.buffer.count() == count { 1 } else { map.size() as usize };
        let elements = room.buffer.elements(first * scale, part * scale);
        let size = map.size() as usize;
        let mut bytes = vec![0; part * size];
        prop_assert_eq!(elements.pack_into(0, &mut bytes), bytes.len());
        prop_assert_eq!(&bytes[..], &packed[first * size..][..part * size]);
        if !packed.is_empty() {
            let low = *room.places.iter().min().unwrap();
            let high = *room.places.iter().max().unwrap();
            prop_assert_eq!(room.buffer.span(), room.memory.buf().part(low, high + 1 - low));
        }
    }

    #[test]
    fn contents_build_the_same_datatype_again(
        (datatype, _) in datatypes(),
        large in any::<bool>(),
    ) {
        let again = again(&datatype, large);
        let measures = |d: &Datatype| (d.size(), d.lb(), d.ub(), d.true_lb(), d.true_extent());
        prop_assert_eq!(measures(&datatype), measures(&again));
        prop_assert_eq!(datatype.elements(), again.elements());
        let (kind, other) = (datatype.contents(), again.contents());
        prop_assert_eq!(kind.combiner, other.combiner);
        prop_assert_eq!(places(&datatype), places(&again));
    }

    #[test]
    fn external32_is_that_of_the_elements_one_by_one(
        (datatype, map) in datatypes(),
        count in 0..5i64,
    ) {
        prop_assume!(map.entries.iter().all(|entry| entry.2 != MPI_LONG_DOUBLE));
        let room = GuardedBuffer::new(&datatype, &map, count);
        let mut packed = room.fill();
        let mut left = &mut packed[..];
        let all = map.entries.len() * count as usize;
        for (_, size, kind) in map.entries.iter().cycle().take(all) {
            let (element, rest) = left.split_at_mut(*size as usize);
            let parts = if *kind == 0x216 { 8 } else { element.len() };
            element.chunks_mut(parts).for_each(<[u8]>::reverse);
            left = rest;
        }
        let out = Scratch::new(packed.len());
        prop_assert_eq!(datatype::external_size(count, &datatype), Ok(packed.len() as i64));
        let done = datatype::pack_external(&room.buffer, &datatype, out.buf());
        prop_assert_eq!(done, Ok(packed.len()));
        prop_assert_eq!(&read(&out.buf()), &packed);
        if !room.overlaps() {
            let before = room.contents();
            let done = datatype::unpack_external(out.buf(), &room.buffer, &datatype);
            prop_assert_eq!(done, Ok(packed.len()));
            prop_assert_eq!(room.contents(), before);
        }
    }

    #[test]
    fn a_distributed_array_is_dealt_out_once(
        dimensions in prop::collection::vec((1..9i64, 0..3, 1..4i64, 1..5i64), 1..4),
        fortran in any::<bool>(),
    ) {
        let dimensions: Vec<_> = dimensions.into_iter().map(dimension).collect();
        let sizes: Vec<_> = dimensions.iter().map(|d| d.size).collect();
        let order = if fortran { Order::Fortran } else { Order::C };
        let processes = dimensions.iter().map(|d| d.processes).product();
        let elements = sizes.iter().product::<i64>() as usize;
        let mut owners = vec![-1; elements];
        for rank in 0..processes {
            let int = predefined(0x209).unwrap();
            let part = arc(Datatype::darray(processes, rank, &dimensions, order, int));
            prop_assert_eq!(part.extent(), elements as i64 * 4);
            let mine = owned(&dimensions, rank, fortran);
            let entries = mine.iter().map(|at| (at * 4, 4, 0x209)).collect();
            let map = Map { ub: part.extent(), entries, ..Map::default() };
            let room = GuardedBuffer::new(&part, &map, 1);
            let packed = room.fill();
            let mut bytes = vec![0; packed.len()];
            prop_assert_eq!(room.buffer.pack_into(0, &mut bytes), part.size() as usize);
            prop_assert_eq!(bytes, packed);
            for at in mine {
                prop_assert_eq!(std::mem::replace(&mut owners[at as usize], rank), -1);
            }
        }
        prop_assert!(owners.iter().all(|owner| *owner >= 0));
    }
}

/// A datatype made from the contents of another, all the way down.
fn again(old: &Arc<Datatype>, large: bool) -> Arc<Datatype> {
    use datatype::Combiner::*;
    let made = old.contents();
    let (n, at) = (&made.integers[..], &made.addresses[..]);
    let olds: Vec<_> = made.datatypes.iter().map(|old| again(old, large)).collect();
    let order = || Order::from_constant(n[n.len() - 1] as i32).unwrap();
    let new = match made.combiner {
        Named => return old.clone(),
        Dup => Ok(Datatype::dup(&olds[0])),
        Contiguous => Datatype::contiguous(n[0], &olds[0]),
        Vector => Datatype::vector(n[0], n[1], n[2], &olds[0]),
        Hvector => Datatype::hvector(n[0], n[1], at[0], &olds[0]),
        Indexed => {
            let (lengths, places) = n[1..].split_at(n[0] as usize);
            Datatype::indexed(lengths, places, &olds[0])
        }
        Hindexed => Datatype::hindexed(&n[1..], at, &olds[0]),
        IndexedBlock => Datatype::indexed_block(n[1], &n[2..], &olds[0]),
        HindexedBlock => Datatype::hindexed_block(n[1], at, &olds[0]),
        Struct => Datatype::structure(&n[1..], at, &olds),
        Resized => Datatype::resized(&olds[0], at[0], at[1]),
        Subarray => {
            let part = |i: usize| &n[1 + i * n[0] as usize..][..n[0] as usize];
            Datatype::subarray(part(0), part(1), part(2), order(), &olds[0])
        }
        Darray => {
            let part = |i: usize| &n[3 + i * n[2] as usize..][..n[2] as usize];
            let dimension = |i: usize| datatype::Dimension {
                size: part(0)[i],
                distribution: Distribution::from_constant(part(1)[i] as i32).unwrap(),
                argument: part(2)[i],
                processes: part(3)[i],
            };
            let dimensions: Vec<_> = (0..n[2] as usize).map(dimension).collect();
            Datatype::darray(n[0], n[1], &dimensions, order(), &olds[0])
        }
        other => panic!("no constructor here makes {other:?}"),
    };
    let new = new.unwrap();
    assert_eq!(new.contents().integers, made.integers);
    assert_eq!(new.contents().addresses, made.addresses);
    if large {
        all_integers(&new.large(), made);
        return again(old, false);
    }
    Arc::new(new)
}

/// Checks that the `_c` form of the contents holds the same arguments, in MPI's order.
fn all_integers(large: &Datatype, small: &datatype::Contents) {
    use datatype::Combiner::*;
    let made = large.contents();
    let (n, counts) = (&small.integers[..], &made.counts[..]);
    match small.combiner {
        Dup => assert!(counts.is_empty() && made.integers.is_empty()),
        Subarray => {
            assert_eq!(counts, &n[1..n.len() - 1]);
            assert_eq!(made.integers, [n[0], n[n.len() - 1]]);
        }
        Darray => {
            let sizes = 3 + n[2] as usize;
            assert_eq!(counts, &n[3..sizes]);
            assert_eq!(made.integers, [&n[..3], &n[sizes..]].concat());
        }
        _ => {
            assert_eq!(counts, [n, &small.addresses[..]].concat());
            assert!(made.integers.is_empty() && made.addresses.is_empty());
        }
    }
}

/// Offset and length of the contiguous runs of an element, in packed order.
fn places(datatype: &Arc<Datatype>) -> Vec<(usize, usize)> {
    let memory = Scratch::new(datatype.span_bytes(1));
    let buffer = Buffer::over(memory.buf(), 1, datatype).unwrap();
    let mut pieces = Vec::new();
    buffer.segments(0, buffer.len(), &mut pieces);
    let start = memory.buf().address() as usize;
    let place = |piece: &UserBuf| (piece.address() as usize - start, piece.len());
    pieces.iter().map(place).collect()
}

fn read(piece: &UserBuf) -> Vec<u8> {
    let mut bytes = vec![0; piece.len()];
    piece.read(0, &mut bytes);
    bytes
}

fn dimension((size, form, block, processes): (i64, i32, i64, i64)) -> datatype::Dimension {
    let (distribution, argument, processes) = match form {
        0 => (Distribution::None, datatype::DEFAULT_ARGUMENT, 1),
        1 if block == 1 => {
            let all = (size + processes - 1) / processes;
            (Distribution::Block, all + block, processes)
        }
        1 => (Distribution::Block, datatype::DEFAULT_ARGUMENT, processes),
        _ if block == 1 => (Distribution::Cyclic, datatype::DEFAULT_ARGUMENT, processes),
        _ => (Distribution::Cyclic, block, processes),
    };
    datatype::Dimension {
        size,
        distribution,
        argument,
        processes,
    }
}

/// The elements of a rank, found by asking every element of the array for its owner.
fn owned(dimensions: &[datatype::Dimension], rank: i64, fortran: bool) -> Vec<i64> {
    let elements: i64 = dimensions.iter().map(|d| d.size).product();
    let mut found = Vec::new();
    for element in 0..elements {
        let mut index = vec![0; dimensions.len()];
        let mut left = element;
        let along = |i: usize| if fortran { i } else { dimensions.len() - 1 - i };
        for at in (0..dimensions.len()).map(along) {
            index[at] = left % dimensions[at].size;
            left /= dimensions[at].size;
        }
        let owner = dimensions.iter().zip(&index).fold(0, |owner, (d, i)| {
            let block = match d.distribution {
                Distribution::None => d.size,
                Distribution::Block if d.argument == datatype::DEFAULT_ARGUMENT => {
                    (d.size + d.processes - 1) / d.processes
                }
                Distribution::Cyclic if d.argument == datatype::DEFAULT_ARGUMENT => 1,
                _ => d.argument,
            };
            owner * d.processes + (i / block) % d.processes
        });
        if owner == rank {
            found.push(element);
        }
    }
    found
}
