//! Cost of one-sided calls on a node, below MPI: nanoseconds of each, without contention.
//!
//! `cargo bench -p oxmpi-osc-sm` prints them; `cargo bench -p oxmpi-osc-sm -- NAME` runs one of
//! them, a million times, to count its instructions.

use std::sync::Arc;
use std::time::Instant;

use datatype::constants::MPI_INT64_T;
use datatype::{predefined, Combining, Datatype, Op};
use memory::{Scratch, UserBuf};
use osc_sm::{Access, Died, Handshake, Member, Plan, Spacing, Wait};

const ROUNDS: u32 = 1_000_000;

/// A wait that never has to wait.
struct Alone;

impl Wait for Alone {
    fn until(&self, mut ready: impl FnMut() -> bool, _: impl FnMut(bool)) -> Result<(), Died> {
        while !ready() {}
        Ok(())
    }
    fn wake(&self, _: u32) {}
    fn is_dead(&self, _: u32) -> bool {
        false
    }
}

/// A member, its datatype, and two words of memory.
struct Bench {
    member: Member,
    element: &'static Arc<Datatype>,
    words: [UserBuf; 3],
}

impl Bench {
    fn target(&self) -> UserBuf {
        let bytes = self.member.range(0, 8, 8);
        bytes.expect("it has as many")
    }

    fn sum(&self) -> Combining {
        let sum = self.element.combining(Op::Sum);
        sum.expect("integers have sums")
    }
}

type Call = (&'static str, fn(&Bench));

const CALLS: &[Call] = &[
    ("put", |b| {
        b.member.put_bytes(b.target(), b.words[0]);
    }),
    ("put+flush", |b| {
        b.member.put_bytes(b.target(), b.words[0]);
        b.member.flush();
    }),
    ("get", |b| {
        b.member.get_bytes(b.target(), b.words[0]);
    }),
    ("accumulate", |b| {
        let there = (0, b.target());
        assert!(b
            .member
            .combine_bytes(there, b.sum(), b.words[0], None, |_| ()));
    }),
    ("fetch_and_op", |b| {
        let there = (0, b.target());
        let [origin, result, _] = b.words;
        assert!(b
            .member
            .combine_bytes(there, b.sum(), origin, Some(result), |_| ()));
    }),
    ("compare_and_swap", |b| {
        let [origin, result, compare] = b.words;
        let there = (0, b.target());
        assert!(b
            .member
            .swap_bytes(there, [origin, compare, result], |_| ()));
    }),
    ("lock_exclusive", |b| {
        b.member.lock(&Alone, 0, Access::Exclusive).unwrap();
        b.member.unlock(0, |_| ());
    }),
    ("lock_shared", |b| {
        b.member.lock(&Alone, 0, Access::Shared).unwrap();
        b.member.unlock(0, |_| ());
    }),
];

fn member() -> Member {
    let plan = Plan {
        ranks: 2,
        places: vec![0],
        sizes: vec![4096],
        spacing: Spacing::Apart,
    };
    let (handshake, _) = Handshake::create(plan);
    let status = handshake.status();
    handshake.complete(0, &[status]).expect("shared memory")
}

fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let memory = Scratch::new(64);
    let bench = Bench {
        member: member(),
        element: predefined(MPI_INT64_T).expect("a predefined datatype"),
        words: [0, 8, 16].map(|at| memory.buf().part(at, 8)),
    };
    let of_wanted = |(name, _): &&Call| wanted.as_ref().is_none_or(|wanted| wanted == name);
    for (name, call) in CALLS.iter().filter(of_wanted) {
        let began = Instant::now();
        (0..ROUNDS).for_each(|_| call(&bench));
        let each = began.elapsed().as_nanos() as f64 / f64::from(ROUNDS);
        println!("{name:<20} {each:8.1} ns");
    }
}
