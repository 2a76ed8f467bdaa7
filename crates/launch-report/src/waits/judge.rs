//! Whether processes wait for each other for good: a decision on two looks, without any input.
//!
//! A look asks all processes. The second one begins when the first one is over, and a process
//! answers it only once it has checked again what it waits for. Where both answers are from the
//! same wait, in which nothing has happened ([`Account::wait`]), the process has waited from its
//! first answer to its second, and so at the moment between the looks, too. Let there be
//! processes that all wait at that moment, of which each can be let go by others among them alone.
//! None of them does anything from then on, and none has found afterwards what it waits for: they
//! wait for good. (What is in a network at that moment arrives before the second look, which is
//! later by [`GAP`] at least.)
//!
//! Who can let a process go is known for a single message and for a collective call. Any other
//! wait may be ended by anybody; one for a file or for other jobs is never counted.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bootstrap::account::Account;

use super::calls::{is_collective, is_messages};
use super::snapshot::{Snapshot, IN_FENCE};

/// The time between two looks.
pub const GAP: Duration = Duration::from_millis(400);

/// Findings of two looks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judgement {
    /// The processes that are in the same wait at both looks, without anything happening.
    pub waiting: BTreeSet<u32>,
    /// Processes that wait for each other for good.
    pub stuck: BTreeSet<u32>,
    /// Processes that wait for each other for good, unless a thread of theirs outside of MPI acts.
    pub perhaps: BTreeSet<u32>,
}

/// Terms of a judgement.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How long processes have waited at least that count as stuck.
    pub limit: Duration,
    /// Whether any process may end the waits of others, by revoking their communicator.
    pub revokes: bool,
}

/// Judges two looks at all processes of a part.
pub fn judge(
    first: &BTreeMap<u32, Snapshot>,
    second: &BTreeMap<u32, Snapshot>,
    terms: Terms,
) -> Judgement {
    let same = second.iter().filter_map(|(rank, known)| {
        let (before, after) = (account(first.get(rank)?)?, account(known)?);
        is_same(before, after).then_some((*rank, after))
    });
    let waiting: BTreeMap<u32, &Account> = same.collect();
    let old = |account: &Account| {
        account.wait == IN_FENCE || u128::from(account.waited) >= terms.limit.as_millis()
    };
    let alive = |known: &Snapshot| !matches!(known, Snapshot::Finalized | Snapshot::Exited);
    let alive = second.iter().filter(|(_, known)| alive(known));
    let alive: BTreeSet<u32> = alive.map(|(rank, _)| *rank).collect();
    let candidates = |threads: bool| {
        let chosen = waiting
            .iter()
            .filter(|(_, account)| old(account) && (threads || !account.has_threads_outside));
        let ends = |(rank, account): (&u32, &&Account)| {
            let known = match terms.revokes {
                true => None,
                false => known_enders(*rank, account),
            };
            let others = || {
                alive
                    .iter()
                    .copied()
                    .filter(|other| other != rank)
                    .collect()
            };
            let anybody = || (!account.is_open).then(others);
            Some((*rank, known.or_else(anybody)?))
        };
        chosen.filter_map(ends).collect()
    };
    Judgement {
        stuck: closed(candidates(false)),
        perhaps: closed(candidates(true)),
        waiting: waiting.into_keys().collect(),
    }
}

fn account(known: &Snapshot) -> Option<&Account> {
    match known {
        Snapshot::Account(account) => Some(account),
        _ => None,
    }
}

/// Whether nothing has happened between two answers of a process that waits.
fn is_same(before: &Account, after: &Account) -> bool {
    let marks = |account: &Account| (account.wait, account.moves, account.call.clone());
    after.wait != 0 && marks(before) == marks(after)
}

/// Returns the processes of which one at least has to act before a wait ends, where the wait shows
/// it.
fn known_enders(rank: u32, account: &Account) -> Option<BTreeSet<u32>> {
    let watched = account.pending.iter().find(|one| one.watched);
    if let Some(peer) = watched.filter(|_| is_messages(&account.call)) {
        return Some(BTreeSet::from([peer.peer?]));
    }
    let object = account.object.as_ref()?;
    let others = object.members.iter().filter(|member| **member != rank);
    let others: BTreeSet<u32> = others.copied().collect();
    (is_collective(&account.call) && !others.is_empty()).then_some(others)
}

/// Returns the largest set of processes that only its own members let go.
fn closed(mut enders: BTreeMap<u32, BTreeSet<u32>>) -> BTreeSet<u32> {
    loop {
        let inside: BTreeSet<u32> = enders.keys().copied().collect();
        enders.retain(|_, others| others.is_subset(&inside));
        if enders.len() == inside.len() {
            return inside;
        }
    }
}

#[cfg(test)]
mod tests;
