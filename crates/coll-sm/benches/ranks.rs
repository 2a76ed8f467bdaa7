//! Collectives of two threads in one process, each a rank: microseconds a call by size, without
//! what lies above this crate.
//!
//! `cargo bench -p oxmpi-coll-sm --bench ranks [-- SLOT_BYTES]`
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use coll::{Blocks, Failure, Operator, Reduction, Vector};
use coll_sm::{Member, Settings, Wait};
use common::Rank;
use datatype::constants::MPI_DOUBLE;
use datatype::{predefined, Buffer, Op, Vectors};
use memory::Scratch;

const BYTES: [usize; 6] = [8, 1 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
const BYTES_MAX: usize = 1 << 20;
/// Batches, of which the best counts.
const BATCHES: u32 = 7;
const NAMES: [&str; 6] = [
    "barrier",
    "bcast",
    "reduce",
    "allreduce",
    "allgather",
    "alltoall",
];

/// Polls without sleeping.
struct Spin;

impl Wait for Spin {
    fn until(&self, mut ready: impl FnMut() -> bool, _: impl FnMut(bool)) -> Result<(), Failure> {
        while !ready() {
            std::hint::spin_loop();
        }
        Ok(())
    }

    fn wake(&self, _: u32) {}
}

fn main() {
    let slot = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let settings = Settings {
        slot_bytes: slot.unwrap_or(Settings::default().slot_bytes),
        ..Settings::default()
    };
    println!(
        "{:>10}{}",
        "bytes",
        NAMES.map(|name| format!("{name:>11}")).concat()
    );
    common::run(2, settings, false, 1000, measure);
}

fn measure(rank: Rank) {
    let Rank {
        rank, mut member, ..
    } = rank;
    let [send, recv] = [(), ()].map(|()| Scratch::new(2 * BYTES_MAX));
    for memory in [&send, &recv] {
        memory.buf().write(0, &vec![0; 2 * BYTES_MAX]);
    }
    for bytes in BYTES {
        let calls = (4_000_000 / (bytes + 2000)).max(20);
        let mut line = format!("{bytes:10}");
        for name in NAMES {
            let mut best = f64::MAX;
            for _ in 0..BATCHES {
                member.barrier(&Spin).expect("a barrier");
                let began = Instant::now();
                for call in 0..calls {
                    send.buf().write(0, &(call as f64).to_ne_bytes());
                    run(&mut member, name, &send, &recv, bytes);
                }
                best = best.min(began.elapsed().as_secs_f64() * 1e6 / calls as f64);
            }
            line += &format!("{best:11.3}");
        }
        if rank == 0 {
            println!("{line}");
        }
    }
}

fn run(member: &mut Member, name: &str, send: &Scratch, recv: &Scratch, bytes: usize) {
    let buffer = |from: &Scratch, bytes| Buffer::bytes(from.buf().part(0, bytes));
    let blocks = |from: &Scratch| Blocks::even(buffer(from, 2 * bytes), 2);
    let reduction = || Reduction {
        operator: Operator::Predefined(Op::Sum),
        datatype: predefined(MPI_DOUBLE).expect("MPI_DOUBLE").clone(),
        vectors: Vectors::best(),
    };
    let vector = || Vector {
        send: Some(buffer(send, bytes)),
        recv: Some(buffer(recv, bytes)),
        count: bytes / 8,
    };
    let done = match name {
        "barrier" => member.barrier(&Spin),
        "bcast" => member.bcast(&Spin, 0, &buffer(send, bytes)),
        "reduce" => member.reduce(&Spin, 0, &reduction(), &vector()),
        "allreduce" => member.allreduce(&Spin, &reduction(), &vector()),
        "allgather" => member.allgather(&Spin, Some(&buffer(send, bytes)), &blocks(recv)),
        _ => member.alltoall(&Spin, Some(&blocks(send)), &blocks(recv)),
    };
    done.expect("a collective");
}
