//! The scenario that a seed stands for: network parameters, faults and traffic.

use base::Random;
use btl_sim::{Config, Gets};
use pml::Tag;

use crate::content::{whole_elements, LEN_MAX};

/// Ranks of a job.
pub(crate) const RANKS: usize = 8;

/// Communicators of a job: the world, and one of some ranks in another order.
pub(crate) const COMMS: usize = 2;

/// Tags in use: 0 and up.
pub(crate) const TAGS: u64 = 4;

/// A fault of the network or of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No fault.
    None,
    /// A rank dies in this round.
    Death {
        /// The rank.
        rank: usize,
        /// When.
        round: u64,
    },
    /// The link between two ranks is cut in this round.
    Cut {
        /// One end.
        a: usize,
        /// The other.
        b: usize,
        /// When.
        round: u64,
    },
}

/// A send to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    pub(crate) comm: usize,
    /// Position in the communicator.
    pub(crate) to: usize,
    pub(crate) tag: Tag,
    pub(crate) len: usize,
    pub(crate) synchronous: bool,
    pub(crate) gaps: bool,
}

/// Everything that a seed decides beforehand.
#[derive(Debug)]
pub struct Scenario {
    /// The seed.
    pub seed: u64,
    /// The network.
    pub net: Config,
    /// Bytes of unmatched eager messages of a peer that may wait at a rank.
    pub unexpected_limit: u64,
    /// The fault.
    pub fault: Fault,
    /// By communicator: its processes, by rank in it.
    pub(crate) members: [Vec<usize>; COMMS],
    /// By process: the round in which it opens the second communicator.
    pub(crate) opens: Vec<u64>,
    /// By process: its sends in order.
    pub(crate) sends: Vec<Vec<Planned>>,
    /// Receives that a rank lets wait in a communicator at once.
    pub(crate) window: usize,
}

impl Scenario {
    /// Returns the scenario of a seed.
    pub fn of(seed: u64) -> Scenario {
        let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let net = network(seed, &mut random);
        let members = [(0..RANKS).collect(), some_ranks(&mut random)];
        let plan = |process: usize, random: &mut Random| {
            let count = 8 + random.below(24);
            (0..count)
                .map(|_| planned(process, &members, &net, random))
                .collect()
        };
        let sends = (0..RANKS)
            .map(|process| plan(process, &mut random))
            .collect();
        let unexpected_limit = [300, 2_000, 16_000, 1 << 20][random.index(4)];
        Scenario {
            seed,
            unexpected_limit,
            fault: fault(&mut random),
            opens: (0..RANKS).map(|_| random.below(60)).collect(),
            window: 1 + random.index(8),
            net,
            members,
            sends,
        }
    }
}

fn network(seed: u64, random: &mut Random) -> Config {
    let eager_limit = [160, 300, 1000, 4096][random.index(4)];
    let max_send_size = eager_limit + [0, 100, 4000, 30_000][random.index(4)];
    let gets = match random.below(5) {
        0 => Gets::None,
        1 => Gets::Pairs(50),
        2 => Gets::Failing(30),
        _ => Gets::Pairs(100),
    };
    Config {
        delay_ns: 500..1000 + random.below(30_000),
        straggler_percent: random.below(10) as u8,
        ordered: !random.chance(25),
        keeps: seed % 2 == 1,
        busy_percent: [0, 2, 20][random.index(3)],
        queue_messages_max: [1, 3, 16, 64][random.index(4)],
        eager_limit,
        cut: cut(random),
        rndv_eager_limit: [0, 0, eager_limit, max_send_size][random.index(4)],
        max_send_size,
        gets,
        transfer_bytes_max: [4 << 10, 1 << 20][random.index(2)],
        announced_percent: [None, Some(30), Some(100)][(seed % 3) as usize],
        ..Config::of(seed)
    }
}

fn cut(random: &mut Random) -> Option<btl::Cut> {
    let part = [7, 40, 700][random.index(3)];
    let longest = [500, 10_000][random.index(2)];
    random.chance(50).then_some(btl::Cut { part, longest })
}

fn fault(random: &mut Random) -> Fault {
    let round = 1 + random.below(150);
    let (a, b) = (random.index(RANKS), random.index(RANKS));
    match random.below(10) {
        0 | 1 => Fault::Death { rank: a, round },
        2 if a != b => Fault::Cut { a, b, round },
        _ => Fault::None,
    }
}

fn some_ranks(random: &mut Random) -> Vec<usize> {
    let mut ranks: Vec<usize> = (0..RANKS).collect();
    for at in (1..RANKS).rev() {
        ranks.swap(at, random.index(at + 1));
    }
    ranks.truncate(3 + random.index(RANKS - 2));
    ranks
}

fn planned(
    process: usize,
    members: &[Vec<usize>; COMMS],
    net: &Config,
    random: &mut Random,
) -> Planned {
    let second = members[1].contains(&process) && random.chance(40);
    let comm = usize::from(second);
    let gaps = random.chance(15);
    let len = match random.below(100) {
        0..55 => random.index(100),
        55..80 => random.index(2 * net.eager_limit),
        80..90 => net.eager_limit.saturating_sub(random.index(50)),
        90..97 => random.index(16 << 10),
        _ => random.index(LEN_MAX),
    };
    Planned {
        comm,
        to: random.index(members[comm].len()),
        tag: random.below(TAGS) as Tag,
        len: if gaps { whole_elements(len) } else { len },
        synchronous: random.chance(20),
        gaps,
    }
}
