//! How fast elements with gaps are packed and unpacked, in 10^9 packed bytes a second: some forms
//! that programs send, once in the caches and once from memory, in one go and in the pieces of a
//! long message.
//!
//! `cargo bench -p oxmpi-datatype --bench pack [-- WORD]`: only rows that contain the word.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use datatype::{predefined, Buffer, Datatype, Order};
use memory::Scratch;

/// Bytes of a fragment.
const PIECE: usize = 32 << 10;

/// Doubles in a row of the matrix.
const COLUMNS: i64 = 40;

/// Seconds that a row of the table takes, in each direction.
const SECONDS: f64 = 0.05;

fn main() {
    let word = std::env::args()
        .skip(1)
        .find(|word| !word.starts_with("--"));
    let word = word.unwrap_or_default();
    println!(
        "{:<12} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "GB/s", "bytes", "pack", "unpack", "pieces", "pieces"
    );
    for (rows, side) in [(1 << 12, 48), (1 << 19, 320)] {
        for (name, count, datatype) in forms(rows, side) {
            if name.contains(&word) {
                show(name, count, &Arc::new(datatype));
            }
        }
    }
}

/// Name, elements, datatype.
fn forms(rows: i64, side: i64) -> Vec<(&'static str, usize, Datatype)> {
    let double = predefined(0x214).expect("MPI_DOUBLE");
    let float = predefined(0x210).expect("MPI_FLOAT");
    let column = |width| Datatype::vector(rows / width, width, COLUMNS, double);
    let face = |across: usize| {
        let (mut parts, mut starts) = ([side; 3], [0; 3]);
        (parts[across], starts[across]) = (1, side / 2);
        Datatype::subarray(&[side; 3], &parts, &starts, Order::C, double)
    };
    let tile = Arc::new(Datatype::vector(4, 2, 8, double).expect("a tile"));
    let made = vec![
        ("column-1", 1, column(1)),
        ("column-2", 1, column(2)),
        ("column-8", 1, column(8)),
        ("face-x", 1, face(0)),
        ("face-y", 1, face(1)),
        ("face-z", 1, face(2)),
        ("list", 1, list(rows / 8, double)),
        ("single-8", 1, single(rows, 8, double)),
        ("single-4", 1, single(rows, 4, float)),
        ("struct", rows as usize / 8, record()),
        ("tiles", 1, Datatype::hvector(rows / 8, 1, 512, &tile)),
    ];
    let made = made.into_iter();
    made.map(|(name, count, made)| (name, count, made.expect(name)))
        .collect()
}

/// A sequence of numbers that looks random and is always the same.
fn draws() -> impl FnMut(i64) -> i64 {
    let mut state = 1u32;
    move |limit| {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        (state as i64 * limit) >> 32
    }
}

fn list(entries: i64, old: &Arc<Datatype>) -> Result<Datatype, datatype::Error> {
    let (mut drawn, mut at) = (draws(), 0);
    let (mut lengths, mut places) = (vec![], vec![]);
    for _ in 0..entries {
        let length = 1 + drawn(12);
        lengths.push(length);
        places.push(at);
        at += length + 1 + drawn(12);
    }
    Datatype::indexed(&lengths, &places, old)
}

fn single(entries: i64, size: i64, old: &Arc<Datatype>) -> Result<Datatype, datatype::Error> {
    let (mut drawn, mut at) = (draws(), 0);
    let mut places = vec![];
    for _ in 0..entries {
        places.push(at);
        at += (2 + drawn(8)) * size;
    }
    Datatype::hindexed_block(1, &places, old)
}

fn record() -> Result<Datatype, datatype::Error> {
    let olds = [0x209, 0x214, 0x210, 0x243, 0x208];
    let olds = olds.map(|handle| predefined(handle).expect("a handle of the table").clone());
    let fields = Datatype::structure(&[1, 3, 1, 1, 2], &[0, 8, 32, 36, 38], &olds)?;
    Datatype::resized(&Arc::new(fields), 0, 48)
}

fn show(name: &str, count: usize, datatype: &Arc<Datatype>) {
    let memory = Scratch::new(datatype.span_bytes(count));
    let elements = Buffer::over(memory.buf(), count, datatype).expect("there is room");
    let packed = Scratch::new(elements.len());
    let row = packed.buf();
    let piece = |at: usize| row.part(at, PIECE.min(row.len() - at));
    let times = [
        seconds(|| {
            elements.pack_to_user(0, row);
        }),
        seconds(|| {
            elements.unpack_from_user(0, row);
        }),
        seconds(|| each_piece(row.len(), |at| elements.pack_to_user(at, piece(at)))),
        seconds(|| each_piece(row.len(), |at| elements.unpack_from_user(at, piece(at)))),
    ];
    print!("{name:<12} {:>9}", row.len());
    for time in times {
        print!(" {:>8.2}", row.len() as f64 / time / 1e9);
    }
    println!();
}

fn each_piece(len: usize, mut act: impl FnMut(usize) -> usize) {
    let mut at = 0;
    while at < len {
        at += act(at);
    }
}

/// Seconds of one call, of the best batch.
fn seconds(mut act: impl FnMut()) -> f64 {
    let begun = Instant::now();
    act();
    let calls = (0.002 / begun.elapsed().as_secs_f64().max(1e-9)).clamp(1.0, 1e6) as usize;
    let (begun, mut best) = (Instant::now(), f64::INFINITY);
    while begun.elapsed().as_secs_f64() < SECONDS {
        let batch = Instant::now();
        for _ in 0..calls {
            black_box(&mut act)();
        }
        best = best.min(batch.elapsed().as_secs_f64() / calls as f64);
    }
    best
}
