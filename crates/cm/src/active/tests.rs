//! Tests of active messages between processes that also exchange ordinary ones.

use base::{PeerId, Random};
use mtl::sim::Config;
use mtl::Flow;
use pml::Context;
use pml::Pml;

use crate::tests::Job;

const CHANNEL: Context = Context(3);

/// The messages that a process has received, by sender.
type Brought = Vec<(u32, Vec<u8>)>;

fn take(job: &mut Job, at: usize, brought: &mut Brought) {
    job.ranks[at].take_active(|from, payload| brought.push((from.0, payload.to_vec())));
}

fn open(config: Config) -> Job {
    let mut job = Job::new(config);
    for rank in &mut job.ranks {
        rank.open_channel(CHANNEL).unwrap();
        assert_eq!(rank.open_requests(), 0);
    }
    job
}

fn send(job: &mut Job, from: usize, to: u32, data: &[u8]) -> Flow {
    job.ranks[from].send_active(PeerId(to), data.len(), |slot| slot.write(0, data))
}

/// Every message arrives once and whole, of every length, more than receives are posted for.
fn arrive(config: Config, seed: u64) {
    let mut random = Random::new(seed);
    let mut job = open(config);
    let longest = job.ranks[0].active_max();
    let mut sent: Vec<Brought> = vec![Brought::new(); 3];
    let mut brought: Vec<Brought> = vec![Brought::new(); 3];
    for number in 0..90_u32 {
        let (from, to) = (random.index(3), random.index(3));
        let len = [4, 60, 65, 3000, longest][random.index(5)];
        let mut data = vec![number as u8; len];
        data[..4].copy_from_slice(&number.to_le_bytes());
        while send(&mut job, from, to as u32, &data) == Flow::Busy {
            job.progress();
            (0..3).for_each(|at| take(&mut job, at, &mut brought[at]));
        }
        sent[to].push((from as u32, data));
    }
    for _ in 0..10_000 {
        job.progress();
        (0..3).for_each(|at| take(&mut job, at, &mut brought[at]));
    }
    for (sent, mut brought) in sent.into_iter().zip(brought) {
        brought.sort_by_key(|(_, data)| (data[1], data[0]));
        assert!(sent == brought, "seed {seed}");
    }
    for rank in &mut job.ranks {
        assert!(rank.is_flushed(1) && rank.open_requests() == 0);
    }
}

#[test]
fn active_messages_arrive_once_and_whole() {
    arrive(Config::calm(3), 1);
    for seed in 2..30 {
        let rough = Config {
            seed,
            arrive_percent: 40,
            busy_percent: 30,
            ..Config::calm(3)
        };
        arrive(rough, seed);
    }
}

#[test]
fn the_death_of_one_stops_no_others() {
    let mut job = open(Config::calm(3));
    let mut brought = Brought::new();
    assert_eq!(send(&mut job, 1, 0, &[1; 100]), Flow::Sent);
    job.progress();
    job.fabric.kill(PeerId(1));
    for _ in 0..100 {
        job.progress();
        take(&mut job, 0, &mut brought);
    }
    assert_eq!(send(&mut job, 0, 1, &[0; 100]), Flow::Sent);
    for number in 2..40 {
        assert_eq!(send(&mut job, 2, 0, &[number; 2000]), Flow::Sent);
        for _ in 0..10 {
            job.progress();
            take(&mut job, 0, &mut brought);
        }
    }
    assert_eq!(brought.len(), 39);
    let expected = (2..40).map(|number| (2, vec![number; 2000]));
    assert!(brought[0] == (1, vec![1; 100]) && expected.eq(brought[1..].iter().cloned()));
    assert!(job.ranks[0].is_flushed(1) && job.ranks[0].open_requests() == 0);
}

#[test]
fn a_context_that_labels_cannot_distinguish_is_refused() {
    let mut job = Job::new(Config::calm(2));
    let taken = job.ranks[0].open_channel(Context(8)).unwrap_err();
    assert!(taken.contains("cannot distinguish"), "{taken}");
    assert!(!job.ranks[0].has_channel());
}
