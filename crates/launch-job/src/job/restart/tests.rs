//! Tests of ranks that are started again.

use super::*;
use crate::job::{Event, How};

const NOW: Instant = Instant(0);

/// Four ranks on two hosts, all connected; their logs are copied or not.
fn job(copies: bool) -> Job {
    let programs = vec!["prog".to_string(); 4];
    let names = vec!["h1".to_string(), "h2".to_string()];
    let mut job = Job::new(programs, None, NOW)
        .with_policy(FailurePolicy::Restart {
            copies_logs: copies,
        })
        .across(vec![0, 0, 1, 1], names);
    for rank in 0..4 {
        let pid = 100 + rank;
        job.on(Event::Started { rank, pid }, NOW);
        job.on(Event::Hello { rank, pid }, NOW);
    }
    job
}

fn lost() -> Event {
    Event::Lost {
        ranks: vec![2, 3],
        text: "lost host h2".to_string(),
    }
}

fn restarts(actions: &[Action]) -> Vec<(u32, u32)> {
    let restart = |action: &Action| match action {
        Action::Restart { rank, life } => Some((*rank, *life)),
        _ => None,
    };
    actions.iter().filter_map(restart).collect()
}

fn said(actions: &[Action]) -> String {
    let say = |action: &Action| match action {
        Action::Say(text) => Some(text.clone()),
        _ => None,
    };
    let texts: Vec<String> = actions.iter().filter_map(say).collect();
    texts.join("\n")
}

#[test]
fn the_ranks_of_a_lost_host_are_started_again() {
    let mut job = job(true);
    let actions = job.on(lost(), NOW);
    assert_eq!(restarts(&actions), [(2, 2), (3, 2)]);
    assert!(said(&actions).ends_with("(ranks 2-3); they are started again on other hosts"));
    assert!(!job.is_ending());
    job.moved(2, 0);
    job.on(Event::Started { rank: 2, pid: 7 }, NOW);
    assert_eq!(job.name(2), "rank 2 on h1 (pid 7, prog)");
    // A rank that was about to start when its next host was lost, too.
    let actions = job.on(lost(), NOW);
    assert_eq!(restarts(&actions), [(2, 3), (3, 3)]);
}

#[test]
fn what_cannot_be_started_again_ends_the_job_in_one_line() {
    let end = |mut job: Job| {
        let actions = job.on(lost(), NOW);
        assert_eq!(restarts(&actions), []);
        let signals = |action: &&Action| matches!(action, Action::SignalAll { .. });
        assert_eq!(actions.iter().filter(signals).count(), 2);
        for rank in [0, 1] {
            let how = How::Signal(SIGTERM);
            assert_eq!(said(&job.on(Event::Exited { rank, how }, NOW)), "");
        }
        assert_eq!(job.finished(), Some(1));
        said(&actions)
    };
    let alone = end(job(false));
    assert!(alone.contains("vprotocol_pessimist_stable peer"), "{alone}");
    assert_eq!(alone.lines().count(), 1);
    let mut leaving = job(true);
    leaving.on(Event::Finalize { rank: 1 }, NOW);
    let left = end(leaving);
    assert!(left.contains("rank 1 has left MPI_Finalize"), "{left}");
    let mut often = job(true);
    often.ranks[3].life = LIVES_MAX;
    let often = end(often);
    assert!(often.contains("rank 3 was started 100 times"), "{often}");
}

#[test]
fn a_host_whose_ranks_have_ended_takes_nothing_with_it() {
    let mut job = job(true);
    for rank in [2, 3] {
        job.on(Event::Finalize { rank }, NOW);
        let how = How::Code(0);
        job.on(Event::Exited { rank, how }, NOW);
    }
    let actions = job.on(lost(), NOW);
    assert_eq!(restarts(&actions), []);
    assert!(!job.is_ending());
}
