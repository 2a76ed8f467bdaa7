//! Uniform agreement: all members that decide, decide alike, also those that die right after.
//!
//! **Without failures** members exchange votes in rounds: in round `k` each sends what it has to
//! the member 2^k ahead of it. After log2(n) rounds all have all votes, and accept their
//! combination. In log2(n) further rounds members announce that they have accepted it, after which
//! it is decided. All members do the same in these 2 log2(n) rounds.
//!
//! **With failures** the lowest member that lives coordinates. It sends a query down a binomial
//! tree of the members that live, as it knows them, and the replies come up the same tree:
//! a decision if anybody has one, else the value that anybody has accepted latest, else all votes.
//! The outcome is proposed, accepted and decided along that tree. A member that has replied leaves
//! the exchange without a coordinator, and accepts nothing of an earlier ballot. When one of the
//! tree dies, the coordinator begins another ballot without it; when the coordinator dies, the
//! next one takes over.
//!
//! A value is decided only when all members that live have accepted it. So whoever coordinates next
//! finds it accepted, and proposes it again.
//!
//! A member that has decided answers for others until a later decision shows that all have decided.

use std::collections::{BTreeMap, BTreeSet};

use crate::value::{Answer, Ballot, Value};
use crate::wire::Act;
use crate::Ranks;

/// Members as an agreement sees them.
pub(crate) struct View<'a> {
    pub(crate) me: u32,
    pub(crate) size: u32,
    /// Members that are known to have died.
    pub(crate) dead: &'a Ranks,
}

impl View<'_> {
    fn rounds(&self) -> u32 {
        self.size.next_power_of_two().trailing_zeros()
    }

    /// Returns the lowest member that lives: the coordinator.
    fn coordinator(&self) -> u32 {
        let mut living = (0..self.size).filter(|rank| !self.dead.contains(*rank));
        living.next().unwrap_or(self.me)
    }

    fn living(&self) -> Ranks {
        (0..self.size)
            .filter(|rank| !self.dead.contains(*rank))
            .collect()
    }
}

/// Messages to be sent, each with its receiver.
pub(crate) type Outbox = Vec<(u32, Act)>;

/// One agreement, as one member sees it.
#[derive(Default, Debug)]
pub(crate) struct Agreement {
    vote: Option<Value>,
    /// Votes that came in the exchange without a coordinator, and who is complete, by round.
    gathered: BTreeMap<u32, Value>,
    completed: BTreeSet<u32>,
    /// Votes that this member has in the exchange, and its rounds so far: first those that gather,
    /// then those that announce that all votes are gathered.
    exchanged: Option<Value>,
    round: u32,
    accepted: Option<(Ballot, Value)>,
    decided: Option<Value>,
    /// The latest ballot that this member takes part in.
    ballot: Ballot,
    tree: Tree,
    /// Knowledge of this member and of those below it, as far as it is here.
    answer: Option<Answer>,
    has_replied: bool,
}

/// A member's place in the tree of a ballot, and from whom it awaits a reply.
#[derive(Default, Debug)]
struct Tree {
    living: Ranks,
    parent: Option<u32>,
    children: Vec<u32>,
    awaited: BTreeSet<u32>,
}

impl Tree {
    /// Returns the place of a member in the binomial tree of some members, the lowest at its root;
    /// `None` when it is not among them.
    fn of(me: u32, living: Ranks) -> Option<Tree> {
        let ranks: Vec<u32> = living.iter().collect();
        let at = ranks.iter().position(|rank| *rank == me)?;
        let highest = |at: usize| 1 << (usize::BITS - 1 - at.leading_zeros());
        let parent = (at > 0).then(|| ranks[at - highest(at)]);
        let first = match at {
            0 => 1,
            _ => 2 * highest(at),
        };
        let steps = std::iter::successors(Some(first), |step| step.checked_mul(2));
        let below = steps.map(|step| at + step);
        let children: Vec<u32> = below
            .take_while(|child| *child < ranks.len())
            .map(|child| ranks[child])
            .collect();
        Some(Tree {
            living,
            parent,
            awaited: children.iter().copied().collect(),
            children,
        })
    }
}

impl Agreement {
    /// Returns the decision, once there is one.
    pub(crate) fn decision(&self) -> Option<&Value> {
        self.decided.as_ref()
    }

    /// Takes this member's vote, with which its part begins.
    pub(crate) fn vote(&mut self, vote: Value, view: &View<'_>, out: &mut Outbox) {
        if self.vote.is_some() {
            return;
        }
        self.vote = Some(vote.clone());
        if self.ballot == Ballot::default() && view.dead.is_empty() {
            self.exchanged = Some(vote);
            self.begin_round(view, out);
        }
        self.coordinate(view, out);
        self.reply(view, out);
    }

    /// Takes note that the set of the dead has grown.
    pub(crate) fn died(&mut self, view: &View<'_>, out: &mut Outbox) {
        self.coordinate(view, out);
    }

    /// Takes a message of another member.
    pub(crate) fn arrived(&mut self, from: u32, act: Act, view: &View<'_>, out: &mut Outbox) {
        match act {
            Act::Gather(round, value) => {
                self.gathered.insert(round, value);
                self.exchange(view, out);
            }
            Act::Complete(round) => {
                self.completed.insert(round);
                self.exchange(view, out);
            }
            Act::Query(ballot, living) => self.on_query(ballot, living, view, out),
            Act::Reply(ballot, answer) if ballot == self.ballot => {
                if self.tree.awaited.remove(&from) {
                    match &mut self.answer {
                        Some(own) => own.merge(&answer),
                        None => self.answer = Some(answer),
                    }
                    self.reply(view, out);
                }
            }
            Act::Propose(ballot, value) if ballot == self.ballot => {
                self.propose(value, view, out);
            }
            Act::Accept(ballot) if ballot == self.ballot => {
                if self.tree.awaited.remove(&from) {
                    self.accept(view, out);
                }
            }
            Act::Decide(living, value) => self.decide_along(living, value, view, out),
            Act::Reply(..) | Act::Propose(..) | Act::Accept(_) => {}
        }
    }

    fn begin_round(&mut self, view: &View<'_>, out: &mut Outbox) {
        let rounds = view.rounds();
        if self.round < 2 * rounds {
            let to = (view.me + (1 << (self.round % rounds))) % view.size;
            let act = match (self.round < rounds, &self.exchanged) {
                (true, Some(value)) => Act::Gather(self.round, value.clone()),
                _ => Act::Complete(self.round - rounds),
            };
            out.push((to, act));
        }
        self.exchange(view, out);
    }

    /// Goes on with the exchange without a coordinator, unless a coordinator has asked.
    fn exchange(&mut self, view: &View<'_>, out: &mut Outbox) {
        if self.ballot != Ballot::default() || self.decided.is_some() {
            return;
        }
        let Some(value) = &mut self.exchanged else {
            return;
        };
        let rounds = view.rounds();
        if self.round == 2 * rounds {
            self.decided = Some(value.clone());
            return;
        }
        if self.round < rounds {
            let Some(votes) = self.gathered.remove(&self.round) else {
                return;
            };
            value.merge(&votes);
            if self.round + 1 == rounds {
                self.accepted = Some((Ballot::default(), value.clone()));
            }
        } else if !self.completed.remove(&(self.round - rounds)) {
            return;
        }
        self.round += 1;
        self.begin_round(view, out);
    }

    /// Begins, at the coordinator, a ballot of the living members where the one under way has
    /// others, or sends them the decision.
    fn coordinate(&mut self, view: &View<'_>, out: &mut Outbox) {
        if view.dead.is_empty() || view.coordinator() != view.me || self.vote.is_none() {
            return;
        }
        let living = view.living();
        if let Some(value) = self.decided.clone() {
            return self.decide_along(living, value, view, out);
        }
        let coordinator = view.me + 1;
        if self.ballot.coordinator == coordinator && self.tree.living == living {
            return;
        }
        let attempt = match self.ballot.coordinator == coordinator {
            true => self.ballot.attempt.saturating_add(1),
            false => 0,
        };
        let ballot = Ballot {
            coordinator,
            attempt,
        };
        self.on_query(ballot, living, view, out);
    }

    fn on_query(&mut self, ballot: Ballot, living: Ranks, view: &View<'_>, out: &mut Outbox) {
        if ballot <= self.ballot {
            return;
        }
        let Some(tree) = Tree::of(view.me, living) else {
            return;
        };
        self.ballot = ballot;
        self.answer = None;
        self.has_replied = false;
        for child in &tree.children {
            out.push((*child, Act::Query(ballot, tree.living.clone())));
        }
        self.tree = tree;
        self.reply(view, out);
    }

    fn own_answer(&self) -> Option<Answer> {
        let of = |value: &Value, is_decided, accepted| Answer {
            is_decided,
            accepted,
            value: value.clone(),
        };
        match (&self.decided, &self.accepted) {
            (Some(value), _) => Some(of(value, true, None)),
            (None, Some((ballot, value))) => Some(of(value, false, Some(*ballot))),
            (None, None) => self.vote.as_ref().map(|vote| of(vote, false, None)),
        }
    }

    /// Replies to the query once this member has voted, and those below it have replied.
    fn reply(&mut self, view: &View<'_>, out: &mut Outbox) {
        let is_asked = self.ballot != Ballot::default() && !self.has_replied;
        if !is_asked || !self.tree.awaited.is_empty() {
            return;
        }
        let Some(mut answer) = self.own_answer() else {
            return;
        };
        if let Some(below) = &self.answer {
            answer.merge(below);
        }
        self.has_replied = true;
        if let Some(parent) = self.tree.parent {
            out.push((parent, Act::Reply(self.ballot, answer)));
            return;
        }
        let living = self.tree.living.clone();
        if answer.is_decided {
            return self.decide_along(living, answer.value, view, out);
        }
        let mut value = answer.value;
        if answer.accepted.is_none() {
            let missing = (0..view.size).filter(|rank| !living.contains(*rank));
            value.failed.unite(&missing.collect());
        }
        self.propose(value, view, out);
    }

    fn propose(&mut self, value: Value, view: &View<'_>, out: &mut Outbox) {
        if !self.has_replied {
            return;
        }
        for child in &self.tree.children {
            out.push((*child, Act::Propose(self.ballot, value.clone())));
        }
        self.tree.awaited = self.tree.children.iter().copied().collect();
        self.accepted = Some((self.ballot, value));
        self.accept(view, out);
    }

    /// Reports to the parent that this member and those below it have accepted the proposed value,
    /// once they have.
    fn accept(&mut self, view: &View<'_>, out: &mut Outbox) {
        let accepted = self.accepted.as_ref();
        let Some((_, value)) = accepted.filter(|(ballot, _)| *ballot == self.ballot) else {
            return;
        };
        if !self.tree.awaited.is_empty() {
            return;
        }
        match self.tree.parent {
            Some(parent) => out.push((parent, Act::Accept(self.ballot))),
            None => {
                let (living, value) = (self.tree.living.clone(), value.clone());
                self.decide_along(living, value, view, out);
            }
        }
    }

    /// Decides, and sends the decision to the members below this one in its tree.
    fn decide_along(&mut self, living: Ranks, value: Value, view: &View<'_>, out: &mut Outbox) {
        if let Some(tree) = Tree::of(view.me, living) {
            for child in tree.children {
                out.push((child, Act::Decide(tree.living.clone(), value.clone())));
            }
        }
        if self.decided.is_none() {
            self.decided = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_reaches_each_member_once() {
        for size in 1..40 {
            let living: Ranks = (0..size).map(|rank| rank * 3 + 1).collect();
            let mut reached = vec![1];
            for rank in living.iter() {
                let tree = Tree::of(rank, living.clone()).unwrap();
                for child in &tree.children {
                    let below = Tree::of(*child, living.clone()).unwrap();
                    assert_eq!(below.parent, Some(rank));
                }
                reached.extend(tree.children);
            }
            reached.sort_unstable();
            assert_eq!(reached, living.iter().collect::<Vec<_>>());
        }
        assert!(Tree::of(5, Ranks::below(4)).is_none());
    }
}
