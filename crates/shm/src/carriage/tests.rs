//! The choice on recorded machines.
//!
//! * `near_cores.txt` was recorded: 2 ranks on two virtual cores of an AMD EPYC that share a cache
//!   (60 ns for a word one way), November 2026. Each line has the half round trips of the first 48
//!   messages of a length, all through the ring (`--mca smsc none`), or all announced and copied by
//!   process_vm_readv(2) at 15 GB/s (`btl_sm_eager_limit` and `smsc_cma_min` 8192). The first
//!   messages of a line touch their memory for the first time and are up to six times as long.
//! * [`FAR_CORES`] has the medians of a machine with a quick kernel copy (30 GB/s) and cores 200 ns
//!   apart: measured with 64 KiB, 256 KiB and 1 MiB (ring 5.6, 13.9, 84.7 us; kernel 3.8, 9.8,
//!   52.0), between and beyond them interpolated. Their noise is the recorded one of the other
//!   machine: each sample over the median of its line.
//! * A machine that refuses the kernel copy has the ring of either.

use std::collections::VecDeque;

use super::*;

const RECORDED: &str = include_str!("traces/near_cores.txt");

const RING: usize = 0;
const KERNEL: usize = 1;

/// Bytes, and the medians of ring and kernel copy in ns.
const FAR_CORES: [(usize, [u64; 2]); 8] = [
    (32 << 10, [3_600, 2_700]),
    (64 << 10, [5_600, 3_800]),
    (128 << 10, [8_400, 5_800]),
    (256 << 10, [13_900, 9_800]),
    (512 << 10, [35_000, 22_500]),
    (1 << 20, [84_700, 52_000]),
    (2 << 20, [170_000, 104_000]),
    (4 << 20, [345_000, 212_000]),
];

/// The service times of a length by each mechanism.
#[derive(Clone)]
struct Machine {
    bytes: usize,
    samples: [Vec<u64>; 2],
}

impl Machine {
    /// The time of the `nth` message by a mechanism: the first ones as recorded, then those that
    /// touch memory again, in turn; each 41st takes 30 times as long, its process having lost its
    /// core.
    fn time(&self, mechanism: usize, nth: usize) -> u64 {
        let samples = &self.samples[mechanism];
        let later = &samples[8..];
        let time = match nth < samples.len() {
            true => samples[nth],
            false => later[nth % later.len()],
        };
        match nth % 41 {
            40 => 30 * time,
            _ => time,
        }
    }

    fn mean(&self, mechanism: usize) -> f64 {
        let times = (1000..2000).map(|nth| self.time(mechanism, nth));
        times.sum::<u64>() as f64 / 1000.0
    }

    fn best(&self) -> f64 {
        self.mean(RING).min(self.mean(KERNEL))
    }
}

fn near_cores() -> Vec<Machine> {
    let mut lines = RECORDED.lines().skip(1).map(|line| {
        let mut words = line.split(' ');
        let bytes = words
            .next()
            .and_then(|word| word.parse().ok())
            .expect("a length");
        let _mechanism = words.next();
        let samples: Vec<u64> = words.map(|word| word.parse().expect("a time")).collect();
        (bytes, samples)
    });
    let mut machines = Vec::new();
    while let (Some((bytes, ring)), Some((_, kernel))) = (lines.next(), lines.next()) {
        machines.push(Machine {
            bytes,
            samples: [ring, kernel],
        });
    }
    machines
}

fn far_cores() -> Vec<Machine> {
    let noisy = |recorded: &[u64], median: u64| {
        let mut sorted = recorded.to_vec();
        sorted.sort_unstable();
        let middle = sorted[sorted.len() / 2];
        recorded.iter().map(|time| time * median / middle).collect()
    };
    let pairs = FAR_CORES.iter().zip(near_cores());
    pairs
        .map(|(&(bytes, medians), recorded)| Machine {
            bytes,
            samples: [RING, KERNEL].map(|one| noisy(&recorded.samples[one], medians[one])),
        })
        .collect()
}

/// A path whose sender sees the wish as it was `lag` messages ago.
struct Path {
    classes: Classes,
    follower: Follower,
    wishes: VecDeque<Wish>,
    lag: usize,
    carried: [usize; 2],
}

impl Path {
    fn new(lag: usize) -> Path {
        Path {
            classes: Classes::new(2),
            follower: Follower::default(),
            wishes: Default::default(),
            lag,
            carried: [0; 2],
        }
    }

    /// Sends messages. Returns their mean time.
    fn send(&mut self, machine: &Machine, messages: usize) -> f64 {
        let chooser = self
            .classes
            .chooser(class_of(machine.bytes).expect("a class"));
        let mut total = 0;
        for _ in 0..messages {
            self.wishes.push_back(chooser.wish());
            let seen = match self.wishes.len() > self.lag {
                true => self.wishes.pop_front().expect("a wish"),
                false => Wish::default(),
            };
            let seen = Wish::from_word(seen.to_word(), 2).expect("both are known");
            let mechanism = self.follower.follow(seen);
            let time = machine.time(mechanism, self.carried[mechanism]);
            self.carried[mechanism] += 1;
            chooser.record(mechanism, machine.bytes, time);
            total += time;
        }
        total as f64 / messages as f64
    }

    fn next_class(&mut self) {
        self.follower = Follower::default();
        self.wishes.clear();
        self.carried = [0; 2];
    }
}

#[test]
fn after_64_messages_a_class_is_within_a_tenth_of_the_best() {
    for (name, machines) in [("near", near_cores()), ("far", far_cores())] {
        for lag in [0, 1, 8] {
            let mut all = Path::new(lag);
            for machine in &machines {
                for path in [&mut all, &mut Path::new(lag)] {
                    path.next_class();
                    path.send(machine, 64);
                    let later = path.send(machine, 5000);
                    let regret = later / machine.best();
                    let bytes = machine.bytes;
                    assert!(
                        regret < 1.1,
                        "{name}, lag {lag}, {bytes} bytes: {regret:.3}"
                    );
                }
            }
        }
    }
}

/// With 64 messages under way a burst takes that many to come in, and three to decide.
#[test]
fn many_messages_under_way_only_delay_the_decision() {
    for machines in [near_cores(), far_cores()] {
        for machine in &machines {
            let mut path = Path::new(64);
            path.send(machine, 256);
            let regret = path.send(machine, 5000) / machine.best();
            assert!(regret < 1.1, "{} bytes: {regret:.3}", machine.bytes);
        }
    }
}

#[test]
fn a_machine_that_changes_is_followed_within_1000_messages() {
    let (near, far) = (near_cores(), far_cores());
    for (before, after) in near.iter().zip(&far).chain(far.iter().zip(&near)) {
        for lag in [0, 8, 64] {
            let mut path = Path::new(lag);
            path.send(before, 3000);
            path.send(after, 1000);
            let regret = path.send(after, 5000) / after.best();
            assert!(
                regret < 1.1,
                "lag {lag}, {} bytes: {regret:.3}",
                before.bytes
            );
        }
    }
}

/// The other mechanism was so slow that its trials are rare, when the kept one slows down.
#[test]
fn a_kept_mechanism_that_slows_down_has_others_tried_at_once() {
    let mut chooser = Chooser::new(2);
    let mut send = |times: [u64; 2], messages: usize| {
        for _ in 0..messages {
            let one = chooser.choose();
            chooser.record(one, 64 << 10, times[one]);
        }
        chooser.kept()
    };
    assert_eq!(send([10_000, 80_000], 400), RING);
    assert_eq!(send([160_000, 80_000], 2 * RECENT), KERNEL);
}

/// The kept mechanism is as fast as before, and another one has become faster than it: only its
/// periodic trials can find.
#[test]
fn a_mechanism_that_becomes_faster_is_found_by_its_trials() {
    for mut machine in near_cores() {
        let mut path = Path::new(0);
        path.send(&machine, 3000);
        let ring = machine.samples[RING].clone();
        machine.samples[KERNEL] = ring.iter().map(|time| time * 2 / 3).collect();
        path.send(&machine, 1000);
        let regret = path.send(&machine, 5000) / machine.best();
        assert!(regret < 1.1, "{} bytes: {regret:.3}", machine.bytes);
    }
}

/// A program sends the same buffer again and again. The first kernel copy after a copy through the
/// ring fetches it from the sender's cache, and the next ones find it in the receiver's: measured
/// with 256 KiB on cores 200 ns apart, where a new buffer takes the kernel twice as long as the
/// ring.
#[test]
fn a_mechanism_that_is_faster_only_in_a_row_is_found() {
    const BYTES: usize = 256 << 10;
    let mut neighbour = Chooser::new(2);
    for _ in 0..2000 {
        let one = neighbour.choose();
        neighbour.record(one, BYTES / 2, [8_000, 15_000][one]);
    }
    assert_eq!(neighbour.kept(), RING);
    for lag in [0, 64] {
        let mut chooser = Chooser::beside(&neighbour);
        let mut follower = Follower::default();
        let mut wishes = VecDeque::from(vec![chooser.wish(); lag]);
        let (mut last, mut carried) = (RING, [0u32; 2]);
        for _ in 0..5000 {
            wishes.push_back(chooser.wish());
            let one = follower.follow(wishes.pop_front().expect("a wish"));
            let time = match (one, last) {
                (RING, _) => 19_600,
                (_, RING) => 34_000,
                _ => 15_000,
            };
            chooser.record(one, BYTES, time);
            carried[one] += 1;
            last = one;
        }
        assert!(carried[KERNEL] > 4000, "lag {lag}: {carried:?}");
    }
}

/// The time that trials lose against the ring alone where the kernel copy never pays, in a job
/// whose two processes exchange 100 messages of every class up to 4 MiB.
#[test]
fn trials_of_a_job_cost_less_than_a_millisecond() {
    let mut path = Path::new(0);
    let mut lost = 0;
    for machine in near_cores()
        .iter()
        .filter(|machine| machine.bytes <= 4 << 20)
    {
        path.next_class();
        path.send(machine, 100);
        let spent = |mechanism| -> u64 {
            let messages = 0..path.carried[mechanism];
            messages.map(|nth| machine.time(mechanism, nth)).sum()
        };
        let ring: u64 = (0..100).map(|nth| machine.time(RING, nth)).sum();
        lost += (spent(RING) + spent(KERNEL)).saturating_sub(ring);
    }
    assert!(lost < 1_000_000, "{lost} ns");
}

#[test]
fn a_few_messages_have_no_trial() {
    let machine = &near_cores()[3];
    let mut path = Path::new(0);
    path.send(machine, FIRST_MESSAGES as usize);
    assert_eq!(path.carried, [4, 0]);
    path.send(machine, 1);
    assert_eq!(path.carried, [4, 1]);
}

/// The kernel copy is refused at its first trial, or later, when it has been chosen.
#[test]
fn a_refused_mechanism_is_never_asked_for_again() {
    for before in [5, 2000] {
        let machine = &far_cores()[2];
        let mut path = Path::new(0);
        path.send(machine, before);
        assert!(path.carried[KERNEL] > 0);
        path.classes.refuse(KERNEL);
        let used = path.carried[KERNEL];
        path.send(machine, 3000);
        assert_eq!(path.carried[KERNEL], used);
        // Nor by a class that had no message before.
        path.next_class();
        path.send(&far_cores()[5], 3000);
        assert_eq!(path.carried[KERNEL], 0);
        assert!(path.classes.used().all(|(_, one)| one.is_refused(KERNEL)));
    }
}

#[test]
fn three_mechanisms_are_all_tried_and_the_fastest_is_kept() {
    for times in [[30, 20, 10], [30, 10, 20], [10, 20, 30], [20, 10, 19]] {
        let mut chooser = Chooser::new(3);
        let mut after = [0; 3];
        for message in 0..3000 {
            let one = chooser.choose();
            after[one] += usize::from(message >= 64);
            chooser.record(one, 64 << 10, times[one] * 1000 + message * 7 % 100);
        }
        let best = (0..3).min_by_key(|&one| times[one]).expect("three");
        assert_eq!(chooser.kept(), best);
        assert!(after[best] > 2850, "{times:?}: {after:?}");
        assert!(
            after.iter().all(|&carried| carried > 2),
            "{times:?}: {after:?}"
        );
    }
}

/// A sender whose messages cannot go by the mechanism on trial does not follow.
#[test]
fn a_trial_that_nobody_follows_ends() {
    let mut chooser = Chooser::new(3);
    let mut asked = std::collections::BTreeSet::new();
    for _ in 0..4000 {
        let wish = chooser.wish();
        if wish.turn > 0 {
            asked.insert(wish.trial);
        }
        chooser.record(0, 64 << 10, 5000);
    }
    assert_eq!(chooser.kept(), 0);
    assert_eq!(asked.into_iter().collect::<Vec<u8>>(), [1, 2]);
}

#[test]
fn a_word_of_a_peer_is_checked() {
    let wish = Wish {
        kept: 1,
        trial: 2,
        burst: 4,
        turn: 255,
    };
    assert_eq!(Wish::from_word(wish.to_word(), 3), Some(wish));
    assert_eq!(Wish::from_word(wish.to_word(), 2), None);
    assert_eq!(Wish::from_word(0, 1), Some(Wish::default()));
    assert_eq!(Wish::from_word(u32::MAX, MECHANISMS_MAX), None);
}

#[test]
fn classes_are_powers_of_two_from_the_least_length_on() {
    assert_eq!(class_of(0), None);
    assert_eq!(class_of(CLASS_MIN_BYTES - 1), None);
    assert_eq!(class_of(CLASS_MIN_BYTES), Some(0));
    assert_eq!(class_of(2 * CLASS_MIN_BYTES - 1), Some(0));
    assert_eq!(class_of(2 * CLASS_MIN_BYTES), Some(1));
    assert_eq!(class_of(usize::MAX), Some(CLASSES - 1));
}

/// Times are compared per byte: long messages by one mechanism do not make it look slow.
#[test]
fn lengths_within_a_class_are_compared_per_byte() {
    let mut chooser = Chooser::new(2);
    for message in 0..2000_u64 {
        let bytes = (64 << 10) + (message as usize * 7919) % (64 << 10);
        let one = chooser.choose();
        let per_kib = [20, 23][one];
        chooser.record(one, bytes, bytes as u64 * per_kib / 1024);
    }
    assert_eq!(chooser.kept(), 0);
    assert_eq!(chooser.rate(0).map(|rate| rate / 1000), Some(51));
    assert_eq!(Chooser::new(2).rate(0), None);
}

#[test]
fn messages_that_nobody_measures_bring_the_next_trial_nearer() {
    let second = |skipped| {
        let mut chooser = Chooser::new(2);
        chooser.record(RING, 64 << 10, 5000);
        chooser.skip(skipped);
        chooser.record(RING, 64 << 10, 5000);
        chooser.choose()
    };
    assert_eq!([second(0), second(FIRST_MESSAGES)], [RING, KERNEL]);
}
