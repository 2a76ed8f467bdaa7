//! Reports of accounts that are written by hand.

use std::time::Duration;

use super::*;
use bootstrap::account::Lock;

fn on(call: &str, name: &str) -> Account {
    Account {
        call: call.to_string(),
        object: Some(Object {
            context: name.len() as u64,
            name: name.to_string(),
            members: vec![0, 1, 2],
        }),
        wait: 1,
        ..Account::default()
    }
}

fn message(sends: bool, peer: u32, tag: i64) -> Pending {
    Pending {
        sends,
        peer: Some(peer),
        tag: Some(tag),
        bytes: 4,
        comm: "world".to_string(),
        watched: true,
        ..Pending::default()
    }
}

fn receives(peer: u32) -> Snapshot {
    Snapshot::Account(Box::new(Account {
        call: "MPI_Recv".to_string(),
        pending: vec![message(false, peer, 7)],
        wait: 1,
        ..Account::default()
    }))
}

/// Returns the report of a job of which nothing has changed between two looks.
fn report(ranks: &BTreeMap<u32, Snapshot>) -> Vec<String> {
    let terms = Terms {
        limit: Duration::ZERO,
        revokes: false,
    };
    super::report(ranks, &judge(ranks, ranks, terms))
}

fn known(all: Vec<Snapshot>) -> BTreeMap<u32, Snapshot> {
    (0..).zip(all).collect()
}

fn verdict(all: Vec<Snapshot>) -> String {
    report(&known(all)).pop().unwrap_or_default()
}

#[test]
fn a_cycle_is_found_among_ranks_that_wait_for_it() {
    let ranks = known(vec![receives(1), receives(2), receives(1)]);
    let lines = report(&ranks);
    assert_eq!(
        lines.last().unwrap(),
        "deadlock: 1 -> 2 -> 1 wait for each other"
    );
    assert_eq!(
        lines[1],
        "  rank 1: MPI_Recv from rank 2, tag 7, 4 bytes, on world"
    );
}

#[test]
fn the_rank_that_is_not_in_mpi_is_the_culprit() {
    let barrier = || Snapshot::Account(Box::new(on("MPI_Barrier", "world")));
    let ranks = vec![barrier(), Snapshot::Silent("it sleeps".into()), barrier()];
    let expected = "culprit: rank 1, which 2 ranks wait for: outside of MPI (it sleeps)";
    assert_eq!(verdict(ranks), expected);
}

#[test]
fn a_rank_in_another_call_is_the_culprit_of_a_collective() {
    let barrier = || Snapshot::Account(Box::new(on("MPI_Barrier", "world")));
    let expected = "culprit: rank 2, in MPI_Recv from rank 0, tag 7, 4 bytes, on world, while 2 \
                    ranks are in MPI_Barrier on world";
    assert_eq!(verdict(vec![barrier(), barrier(), receives(0)]), expected);
}

#[test]
fn who_keeps_a_lock_is_the_culprit() {
    let lock = |window: &str| Lock {
        window: window.len() as u64,
        target: 0,
    };
    let mut holder = on("MPI_Barrier", "world");
    holder.locks = vec![lock("win")];
    let mut waiter = on("MPI_Win_lock", "win");
    waiter.locks = vec![lock("win")];
    let expected = "culprit: rank 0, which keeps the lock of rank 0 on win, for which rank 1 waits";
    let all = [holder, waiter].map(|account| Snapshot::Account(Box::new(account)));
    assert_eq!(verdict(all.to_vec()), expected);
}

#[test]
fn a_message_that_nearly_fits_is_shown() {
    let mut account = on("MPI_Recv", "world");
    account.object = None;
    account.pending = vec![message(false, 1, 9)];
    account.unexpected = vec![Unexpected {
        peer: 1,
        tag: 10,
        comm: "world".to_string(),
        ..Unexpected::default()
    }];
    let ranks = known(vec![
        Snapshot::Account(Box::new(account)),
        Snapshot::Finalized,
    ]);
    let lines = report(&ranks);
    let expected =
        "  near miss: rank 0 has a message of rank 1 with tag 10 on world (another tag), \
                    and waits for one from rank 1, tag 9, 4 bytes, on world";
    assert!(lines.iter().any(|line| line == expected), "{lines:#?}");
    let expected = "culprit: rank 1, which 1 rank waits for: has called MPI_Finalize";
    assert_eq!(lines.last().unwrap(), expected);
}

#[test]
fn a_report_of_many_ranks_is_short() {
    let all = (1..200).map(receives).collect();
    let lines = report(&known(all));
    assert!(lines.len() <= 12, "{lines:#?}");
}

fn account(call: &str) -> Account {
    Account {
        call: call.to_string(),
        ..Account::default()
    }
}

#[test]
fn ranks_that_go_on_are_not_deadlocked() {
    let goes_on = |call: &str, peer: u32| {
        let mut account = account(call);
        account.pending = vec![message(call.contains("Send"), peer, 7)];
        Snapshot::Account(Box::new(account))
    };
    let lines = report(&known(vec![goes_on("MPI_Recv", 1), goes_on("MPI_Send", 0)]));
    let expected = [
        "0 of 2 ranks wait in MPI",
        "  rank 0: goes on, now in MPI_Recv",
        "  rank 1: goes on, now in MPI_Send",
        "no rank waits in MPI",
    ];
    assert_eq!(lines, expected);
    let expected = "no deadlock: rank 1, which 1 rank waits for: goes on, now in MPI_Send";
    assert_eq!(verdict(vec![receives(1), goes_on("MPI_Send", 0)]), expected);
}

#[test]
fn a_rank_that_polls_may_come_to_what_others_wait_for() {
    let mut polls = account("MPI_Testany");
    polls.pending = vec![message(false, 0, 7)];
    let ranks = vec![receives(1), Snapshot::Account(Box::new(polls))];
    let expected =
        "no deadlock is certain: rank 1, which 1 rank waits for: polls: MPI_Testany for \
                    a message from rank 0, tag 7, 4 bytes, on world";
    assert_eq!(verdict(ranks), expected);
}

#[test]
fn a_cycle_with_threads_outside_is_perhaps_a_deadlock() {
    let mut waits = account("MPI_Recv");
    waits.wait = 3;
    waits.has_threads_outside = true;
    waits.pending = vec![message(false, 0, 7)];
    let ranks = vec![receives(1), Snapshot::Account(Box::new(waits))];
    let expected = "perhaps a deadlock: 0 -> 1 -> 0 wait for each other, unless one of their \
                    threads outside of MPI goes on";
    assert_eq!(verdict(ranks), expected);
}

#[test]
fn a_cycle_is_named_while_another_rank_works() {
    let ranks = vec![
        receives(1),
        receives(0),
        Snapshot::Silent("it computes".into()),
    ];
    let expected = "deadlock: 0 -> 1 -> 0 wait for each other";
    assert_eq!(verdict(ranks), expected);
    assert_eq!(
        verdict(vec![receives(0)]),
        "deadlock: rank 0 waits for itself"
    );
}

#[test]
fn ranks_that_wait_for_another_job_are_not_deadlocked() {
    let barrier = || {
        let mut barrier = on("MPI_Barrier", "parent and children");
        barrier.object.as_mut().unwrap().members = vec![0, 1, 5];
        barrier.is_open = true;
        Snapshot::Account(Box::new(barrier))
    };
    let expected = "no deadlock is certain: ranks 0-1 may wait for other processes or for a file";
    assert_eq!(verdict(vec![barrier(), barrier()]), expected);
}
