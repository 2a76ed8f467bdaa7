//! How fast each operation combines each representation, in 10^9 bytes of one operand a second:
//! 1 KiB, which stays in the nearest cache, and 8 MiB, with each set of vector instructions, in
//! place and into a third buffer.
//!
//! `cargo bench -p oxmpi-datatype --bench reduce [-- WORD]`: only rows that contain the word.

use std::hint::black_box;
use std::time::Instant;

use datatype::{allowed, predefined, reduce_with, Op, Vectors, BASICS};
use memory::Scratch;

const SIZES: [usize; 2] = [1 << 10, 8 << 20];
const ROUNDS: usize = 5;

fn main() {
    let word = std::env::args()
        .skip(1)
        .find(|word| !word.starts_with("--"));
    let word = word.unwrap_or_default();
    print!("{:<40}", "GB/s");
    for bytes in SIZES {
        for set in Vectors::WORDS {
            print!(" {:>14}", format!("{} KiB {set}", bytes >> 10));
        }
    }
    println!();
    for row in BASICS {
        let datatype = predefined(row.handle).expect("a handle of the table");
        let ops = Op::ALL.into_iter().filter(|op| !op.one_sided_only());
        for op in ops.filter(|op| allowed(*op, datatype)) {
            let name = format!("{} {}", row.name, op.name());
            if !name.contains(&word) {
                continue;
            }
            print!("{name:<40}");
            for bytes in SIZES {
                let count = bytes / row.extent as usize;
                for set in Vectors::WORDS {
                    let speed = measure(op, row.handle, count, Vectors::named(set), false);
                    let apart = measure(op, row.handle, count, Vectors::named(set), true);
                    let each = |seconds| count as f64 * row.extent as f64 / seconds / 1e9;
                    print!(" {:>6.1} /{:>6.1}", each(speed), each(apart));
                }
            }
            println!();
        }
    }
}

/// Seconds of one call, of the best round.
fn measure(op: Op, handle: u32, count: usize, vectors: Vectors, apart: bool) -> f64 {
    let datatype = predefined(handle).expect("a handle of the table");
    let bytes = datatype.span_bytes(count);
    let [a, b, c] = [(); 3].map(|()| Scratch::new(bytes));
    let (a, b, c) = (a.buf(), b.buf(), c.buf());
    let out = if apart { c } else { b };
    let calls = ((1 << 22) / bytes).max(1);
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..calls {
            let done = reduce_with(vectors, op, black_box(datatype), [a, b], out, count);
            black_box(done).expect("an operation that is allowed");
        }
        best = best.min(start.elapsed().as_secs_f64() / calls as f64);
    }
    best
}
