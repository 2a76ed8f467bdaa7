//! The choice on two machines, of which the mean times of calls on 2 ranks are known.
//!
//! * [`NEAR_CORES`] was measured on an AMD EPYC whose cores are 30 ns apart and whose kernel
//!   copies at 17 GB/s.
//! * [`FAR_CORES`] is a machine whose cores are 200 ns apart, and whose kernel copies at 30 GB/s:
//!   slots measured at 64 KiB and 256 KiB, copies as the best library there, and the rest
//!   interpolated.
//!
//! Their noise is that of messages recorded on the first one (`shm::carriage`).

use shm::carriage::class_of;

use super::*;

const RECORDED: &str = include_str!("../../../shm/src/carriage/traces/near_cores.txt");

const SLOTS: usize = 0;

/// Bytes, and nanoseconds of a broadcast through slots and by copies.
const NEAR_CORES: [(usize, [u64; 2]); 5] = [
    (32 << 10, [640, 2_380]),
    (64 << 10, [1_120, 3_310]),
    (256 << 10, [3_650, 9_000]),
    (1 << 20, [16_500, 32_300]),
    (4 << 20, [72_000, 129_000]),
];
const FAR_CORES: [(usize, [u64; 2]); 5] = [
    (32 << 10, [3_400, 2_400]),
    (64 << 10, [5_800, 3_200]),
    (256 << 10, [15_700, 9_900]),
    (1 << 20, [85_000, 50_000]),
    (4 << 20, [345_000, 212_000]),
];
/// Gathers through slots of 2 KiB, as communicators of many ranks have them, on the first machine:
/// each side wins somewhere. The shorter lengths are set further apart than they are.
const SMALL_SLOTS: [(usize, [u64; 2]); 5] = [
    (32 << 10, [1_500, 3_910]),
    (64 << 10, [3_000, 6_050]),
    (256 << 10, [29_000, 18_600]),
    (1 << 20, [134_000, 79_200]),
    (4 << 20, [540_000, 320_000]),
];

/// Nanoseconds that the two meetings of a measured call take.
const MEETINGS: u64 = 800;

/// The time of a message in thousandths of the median; each 41st takes 30 times as long, its
/// process having lost its core.
fn noise(call: usize) -> u64 {
    let line = RECORDED.lines().nth(3).expect("a line of times");
    let times = line.split(' ').skip(2 + 8);
    let times: Vec<u64> = times.map(|word| word.parse().expect("a time")).collect();
    let mut sorted = times.clone();
    sorted.sort_unstable();
    let one = times[call % times.len()] * 1000 / sorted[sorted.len() / 2];
    match call % 41 {
        40 => 30 * one,
        _ => one,
    }
}

/// Makes calls of a length, and returns the mean nanoseconds with those of the meetings. The first
/// call by a mechanism touches memory for the first time.
fn calls(choosers: &mut Choosers, (bytes, times): (usize, [u64; 2]), count: usize) -> f64 {
    let class = class_of(bytes).expect("a long call");
    let (mut total, mut used) = (0, [false; 2]);
    for call in 0..count {
        let (mechanism, measured) = choosers.next(class);
        let first = !std::mem::replace(&mut used[mechanism], true);
        let time = times[mechanism] * noise(call) / 1000 * if first { 6 } else { 1 };
        if measured {
            choosers.record(class, mechanism, bytes, time);
            total += MEETINGS;
        }
        total += time;
    }
    total as f64 / count as f64
}

fn best((_, times): (usize, [u64; 2])) -> f64 {
    let mean = |time: u64| (0..5000).map(|call| time * noise(call) / 1000).sum::<u64>();
    times.map(mean).into_iter().min().expect("two") as f64 / 5000.0
}

#[test]
fn after_64_calls_a_class_is_within_a_tenth_of_the_best() {
    for machine in [NEAR_CORES, FAR_CORES, SMALL_SLOTS] {
        let mut all = Choosers::new();
        for row in machine {
            for choosers in [&mut all, &mut Choosers::new()] {
                calls(choosers, row, 64);
                let early = calls(choosers, row, 400) / best(row);
                let later = calls(choosers, row, 5000) / best(row);
                let bytes = row.0;
                assert!(
                    early < 1.2 && later < 1.1,
                    "{bytes} bytes: {early:.3}, {later:.3}"
                );
            }
        }
    }
}

#[test]
fn a_machine_that_changes_is_followed_within_1000_calls() {
    let (near, far) = (NEAR_CORES.into_iter(), FAR_CORES.into_iter());
    for (before, after) in near.clone().zip(far.clone()).chain(far.zip(near)) {
        let mut choosers = Choosers::new();
        calls(&mut choosers, before, 3000);
        calls(&mut choosers, after, 1000);
        let regret = calls(&mut choosers, after, 5000) / best(after);
        assert!(regret < 1.1, "{} bytes: {regret:.3}", after.0);
    }
}

#[test]
fn the_first_calls_of_a_job_lose_less_than_a_millisecond() {
    let mut choosers = Choosers::new();
    let lost: f64 = NEAR_CORES
        .into_iter()
        .map(|row| 100.0 * (calls(&mut choosers, row, 100) - best(row)))
        .sum();
    assert!(lost < 1e6, "{lost} ns");
}

/// The first call goes through slots, as it does where nothing is measured.
#[test]
fn a_class_begins_with_slots() {
    assert_eq!(Choosers::new().next(3), (SLOTS, true));
}

#[test]
fn where_ranks_take_turns_nothing_is_measured() {
    let rule = |copies, crowded| Carriage::new(copies, true, crowded, 1 << 10).rule;
    assert_eq!(rule(Copies::Measured, false), Copies::Measured);
    assert_eq!(rule(Copies::Measured, true), Copies::From(16 << 10));
    assert_eq!(rule(Copies::Never, true), Copies::Never);
    assert_eq!(rule(Copies::From(9), true), Copies::From(9));
}

#[test]
fn the_account_says_what_carries_and_why() {
    const BCAST: u8 = 2;
    let name = |kind| (kind == BCAST).then_some("MPI_Bcast");
    let account = |copies, allowed, crowded| {
        let text = Carriage::new(copies, allowed, crowded, 1 << 10).account(name);
        text.unwrap_or_default()
    };
    let refused = "all by slots (not every rank may read the others' memory)";
    assert_eq!(account(Copies::Measured, false, false), refused);
    assert_eq!(account(Copies::From(4096), false, false), refused);
    assert!(account(Copies::Never, false, false).contains("parameters forbid"));
    let crowded = "16 KiB and more by kernel copies (more ranks than cores)";
    assert_eq!(account(Copies::Measured, true, true), crowded);
    assert_eq!(account(Copies::Measured, true, false), "");

    let mut carriage = Carriage::new(Copies::Measured, true, false, 1 << 10);
    let (class, bytes) = (class_of(64 << 10).unwrap(), 64 << 10);
    let choosers = carriage.choosers(BCAST);
    choosers.record(class, SLOTS, bytes, 6_400);
    let text = "MPI_Bcast of 64 KiB by slots (slots 10.2 GB/s, kernel copies not tried)";
    assert_eq!(carriage.account(name).as_deref(), Some(text));
    carriage.give_up_copies("the system refused");
    let text = Some("all by slots (the system refused)".to_string());
    assert_eq!(carriage.account(name), text);
}
