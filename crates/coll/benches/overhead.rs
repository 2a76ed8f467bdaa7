//! Cost of the machinery of a collective, without any transport: nanoseconds per call of one rank
//! whose messages complete at once.

use std::hint::black_box;
use std::time::Instant;

use coll::{Collective, Operator, Port, Reduction, Rules, Running, Team, Vector};
use datatype::{predefined, Buffer};
use memory::Scratch;

const CALLS: u32 = 1_000_000;

fn measure(name: &str, begin: impl Fn(&Port) -> Running) {
    let mut port = Port::new();
    let mut posted = Vec::new();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..CALLS {
            let running = begin(&port);
            let mut collective = Collective::new(port, running);
            let done = collective.advance(&mut posted, |message| {
                black_box(&message.buffer);
                Some(Ok(message.buffer.len()))
            });
            assert!(done.is_ready());
            port = collective.into_port().expect("nothing is under way");
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(CALLS));
    }
    println!("{name:24} {:6.0} ns", best * 1e9);
}

fn main() {
    let int = predefined(0x209).expect("MPI_INT");
    let (from, to) = (Scratch::new(8), Scratch::new(8));
    let rules = Rules::default();
    for size in [2, 8] {
        let team = Team { rank: 0, size };
        measure(&format!("barrier, {size} ranks"), |port| {
            coll::barrier(port, team)
        });
        measure(&format!("bcast 8 B, {size} ranks"), |port| {
            coll::bcast(port, &rules, team, 0, Buffer::bytes(to.buf()))
        });
        measure(&format!("allreduce 8 B, {size} ranks"), |port| {
            let reduction = Reduction {
                operator: Operator::Predefined(datatype::Op::Sum),
                datatype: int.clone(),
                vectors: datatype::Vectors::best(),
            };
            let (send, recv) = (Buffer::bytes(from.buf()), Buffer::bytes(to.buf()));
            let vector = Vector {
                send: Some(send),
                recv: Some(recv),
                count: 2,
            };
            coll::allreduce(port, &rules, team, reduction, vector)
        });
    }
}
