//! Data in other representations than the machine's: external32, and one that is registered.

use std::sync::Arc;

use datatype::constants::{MPI_DOUBLE_INT, MPI_INT, MPI_LONG, MPI_SHORT};
use datatype::{basic, predefined, Basic, Buffer, Datatype};
use io::{Conversions, Direction, Error, Items, Representation, Representations, Run, View};
use memory::{Payload, Scratch};
use proptest::prelude::*;

/// Stores each item behind a byte 0xee, its bytes in reverse order.
struct Marked {
    reads: bool,
    broken: bool,
}

impl Conversions for Marked {
    fn converts(&self, direction: Direction) -> bool {
        direction == Direction::Write || self.reads
    }

    fn extent(&self, datatype: &Arc<Datatype>) -> Result<i64, i32> {
        match self.broken {
            true => Ok(0),
            false => Ok(datatype.size() + 1),
        }
    }

    fn convert(&self, direction: Direction, items: &Items<'_>) -> Result<(), i32> {
        let (datatype, memory) = (items.datatype, items.memory);
        let elements =
            (items.position + items.count + datatype.elements() - 1) / datatype.elements();
        let (low, bytes) = datatype.span(elements).unwrap();
        assert_eq!(low, items.lead);
        let memory = memory.part(0, memory.len().min(bytes as usize));
        let buffer = Buffer::over(memory, elements as usize, datatype).unwrap();
        let (mut at, mut index, mut place) = (0, 0, 0);
        for _ in 0..elements {
            datatype.basics(&mut |basic: &'static Basic, count| {
                for _ in 0..count {
                    let wanted = index >= items.position && index < items.position + items.count;
                    let size = basic.size as usize;
                    if wanted {
                        let mut bytes = vec![0; size + 1];
                        match direction {
                            Direction::Write => {
                                buffer.pack_into(at, &mut bytes[..size]);
                                bytes[size] = 0xee;
                                bytes.reverse();
                                items.file.write(place, &bytes);
                            }
                            Direction::Read => {
                                items.file.read(place, &mut bytes);
                                bytes.reverse();
                                assert_eq!(bytes[size], 0xee);
                                buffer.unpack(at, Payload::from(&bytes[..size]));
                            }
                        }
                        place += size + 1;
                    }
                    (at, index) = (at + size, index + 1);
                }
                true
            });
        }
        Ok(())
    }
}

fn registered(reads: bool, broken: bool) -> Representation {
    let mut all = Representations::default();
    let marked = Box::new(Marked { reads, broken });
    all.register("marked", marked).unwrap();
    let representation = all.named("marked").unwrap();
    assert_eq!(representation.name(), "marked");
    representation
}

/// A short, two longs and a pair with gaps.
fn mixed() -> Arc<Datatype> {
    let olds =
        [MPI_SHORT, MPI_LONG, MPI_DOUBLE_INT].map(|handle| predefined(handle).unwrap().clone());
    let mixed = Datatype::structure(&[1, 2, 1], &[40, 0, 20], &olds).unwrap();
    Arc::new(mixed)
}

/// Elements of small numbers, which external32 holds.
fn filled(datatype: &Arc<Datatype>, count: usize) -> (Scratch, Buffer) {
    let memory = Scratch::new(datatype.span_bytes(count));
    let buffer = Buffer::over(memory.buf(), count, datatype).unwrap();
    let (mut at, mut number) = (0, 1u8);
    for _ in 0..count {
        datatype.basics(&mut |basic, run| {
            for _ in 0..run {
                buffer.unpack(at, Payload::from(&[number][..]));
                at += basic.size as usize;
                number = number % 100 + 1;
            }
            true
        });
    }
    (memory, buffer)
}

fn packed(buffer: &Buffer) -> Vec<u8> {
    let mut bytes = vec![0; buffer.len()];
    buffer.pack_into(0, &mut bytes);
    bytes
}

proptest! {
    /// Any part of the elements comes back from any part of its bytes, up to the first item that
    /// is not whole, and nothing else changes.
    #[test]
    fn data_comes_back(
        external in any::<bool>(),
        count in 1usize..6,
        first in 0usize..6,
        cut in 0usize..400,
    ) {
        let representation = match external {
            true => Representation::External32,
            false => registered(true, false),
        };
        let datatype = mixed();
        let first = first.min(count);
        let (_memory, buffer) = filled(&datatype, count);
        let bytes = representation.file_bytes(Direction::Write, &datatype, count - first).unwrap();
        let file = Scratch::new(bytes as usize);
        let written = representation.encode(&buffer, &datatype, first..count, file.buf()).unwrap();
        prop_assert_eq!(written as u64, bytes);

        let room = Scratch::new(datatype.span_bytes(count));
        let into = Buffer::over(room.buf(), count, &datatype).unwrap();
        let cut = cut.min(written);
        let short = file.buf().part(0, cut);
        let read = representation.decode(short, &into, &datatype, first..count).unwrap();
        let mut expected = packed(&buffer);
        let size = datatype.size() as usize;
        let (mut place, mut at) = (0, first * size);
        for _ in first..count {
            datatype.basics(&mut |basic, run| {
                for _ in 0..run {
                    let one = predefined(basic.handle).unwrap();
                    place += representation.file_bytes(Direction::Read, one, 1).unwrap();
                    if place <= cut as u64 {
                        at += basic.size as usize;
                    }
                }
                true
            });
        }
        prop_assert_eq!(first * size + read, at);
        expected[..first * size].fill(0);
        expected[at..].fill(0);
        prop_assert_eq!(packed(&into), expected);
    }
}

#[test]
fn types_have_the_sizes_of_the_file() {
    let view = |representation: &Representation| {
        let olds = [MPI_LONG, MPI_INT].map(|handle| predefined(handle).unwrap().clone());
        let pair = Arc::new(Datatype::structure(&[1, 1], &[0, 16], &olds).unwrap());
        let tile = Arc::new(Datatype::resized(&pair, 0, 30).unwrap());
        let etype = representation.in_file(&pair).unwrap();
        let filetype = representation.in_file(&tile).unwrap();
        View::new(5, &etype, &filetype, representation.clone()).unwrap()
    };
    let runs = |view: &View| {
        view.runs(0, 2 * view.etype_bytes())
            .unwrap()
            .collect::<Vec<Run>>()
    };
    let run = |offset, length| Run { offset, length };
    let native = runs(&view(&Representation::Native));
    assert_eq!(native, [run(5, 8), run(21, 4), run(35, 8), run(51, 4)]);
    let external = runs(&view(&Representation::External32));
    assert_eq!(external, [run(5, 4), run(21, 4), run(35, 4), run(51, 4)]);
    let marked = runs(&view(&registered(true, false)));
    assert_eq!(marked, [run(5, 9), run(21, 5), run(35, 9), run(51, 5)]);
    let native = Representation::Native;
    let same = native.in_file(predefined(MPI_LONG).unwrap()).unwrap();
    assert!(Arc::ptr_eq(&same, predefined(MPI_LONG).unwrap()));
}

/// Without a function for reading, the bytes of the file are taken as they are.
#[test]
fn a_null_function_converts_nothing() {
    let half = registered(false, false);
    let int = predefined(MPI_INT).unwrap();
    assert_eq!(half.file_bytes(Direction::Write, int, 3).unwrap(), 15);
    assert_eq!(half.file_bytes(Direction::Read, int, 3).unwrap(), 12);
    let (memory, buffer) = filled(int, 3);
    let room = Scratch::new(12);
    let into = Buffer::over(room.buf(), 3, int).unwrap();
    assert_eq!(half.decode(memory.buf(), &into, int, 0..3), Ok(12));
    assert_eq!(packed(&into), packed(&buffer));
}

#[test]
fn names_and_sizes_are_checked() {
    let mut all = Representations::default();
    let mut register = |name: &str| {
        let (reads, broken) = (true, false);
        all.register(name, Box::new(Marked { reads, broken }))
    };
    assert_eq!(register("a"), Ok(()));
    let name = "a".to_owned();
    assert_eq!(register("a"), Err(Error::DuplicateRepresentation { name }));
    let name = "native".to_owned();
    assert_eq!(
        register("native"),
        Err(Error::DuplicateRepresentation { name })
    );
    let max = 127;
    assert_eq!(
        register(""),
        Err(Error::RepresentationName { bytes: 0, max })
    );
    let long = "a".repeat(128);
    assert_eq!(
        register(&long),
        Err(Error::RepresentationName { bytes: 128, max })
    );
    assert_eq!(register(&long[1..]), Ok(()));
    assert!(all.named("b").is_err());

    let broken = registered(true, true)
        .in_file(predefined(MPI_INT).unwrap())
        .unwrap_err();
    let text = "data representation `marked` says that MPI_INT has 0 bytes in the file; it must \
                have at least 1";
    assert_eq!(broken.to_string(), text);
    assert_eq!(basic(MPI_INT).unwrap().size, 4);
}

#[test]
fn a_value_without_an_external_form_is_an_error() {
    let long = predefined(MPI_LONG).unwrap();
    let memory = Scratch::new(8);
    memory.buf().write(0, &(1i64 << 40).to_ne_bytes());
    let buffer = Buffer::over(memory.buf(), 1, long).unwrap();
    let room = Scratch::new(4);
    let failed = Representation::External32.encode(&buffer, long, 0..1, room.buf());
    let value = 1 << 40;
    let datatype = "MPI_LONG";
    let expected = datatype::Error::Conversion { datatype, value };
    assert_eq!(failed, Err(Error::Datatype(expected)));
}
