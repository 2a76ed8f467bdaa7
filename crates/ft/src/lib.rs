//! Fault tolerance of communicators (ULFM): what a member knows of the others' deaths, the reliable
//! flood of a revocation ([`flood`]), and uniform agreement ([`agreement`]), on which shrinking
//! rests.
//!
//! [`Member`] is the state of one member of one communicator. It sends nothing by itself and has no
//! clock: its owner passes it messages ([`Member::arrived`]) and deaths ([`Member::died`]), and
//! takes the messages to be sent ([`Member::take_outgoing`]).
//!
//! Assumptions: a member that dies does nothing any more; a living member is never reported dead; a
//! death is reported to each member in the end; messages between two members that live arrive.
//! Their order does not matter.
#![forbid(unsafe_code)]

mod agreement;
mod early;
mod flood;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod ranks;
#[cfg(test)]
mod simulation;
mod value;
mod wire;

use std::collections::{BTreeMap, VecDeque};

use agreement::{Agreement, Outbox, View};
use flood::Flood;

pub use early::Early;
pub use ranks::Ranks;
pub use value::{Answer, Ballot, Value};
pub use wire::{Act, Message};

/// Agreements of a communicator that a member has under way at most. Further ones that it begins
/// wait, so that what members keep for one another is bounded.
pub const WINDOW: u32 = 64;

/// The state of one member of a communicator.
#[derive(Debug)]
pub struct Member {
    me: u32,
    size: u32,
    dead: Ranks,
    flood: Flood,
    agreements: BTreeMap<u32, Agreement>,
    /// The number of the next agreement that this member votes in.
    next: u32,
    /// Votes in the agreements from `next` on, which wait for room in the window.
    waiting: VecDeque<Vote>,
    /// Agreements before this one are decided everywhere.
    first: u32,
    outgoing: Vec<(u32, Message)>,
}

/// Vote of a member in an agreement.
#[derive(Clone, Debug, Default)]
pub struct Vote {
    /// Flags, combined by bitwise AND.
    pub flags: u32,
    /// Failures that this member has acknowledged.
    pub acked: Ranks,
    /// A context that this member offers for a new communicator.
    pub context: u64,
}

impl Member {
    /// Returns the state of rank `me` of `size` members.
    pub fn new(me: u32, size: u32) -> Member {
        Member {
            me,
            size,
            dead: Ranks::default(),
            flood: Flood::default(),
            agreements: BTreeMap::new(),
            next: 0,
            waiting: VecDeque::new(),
            first: 0,
            outgoing: Vec::new(),
        }
    }

    /// Returns whether the communicator is revoked.
    pub fn is_revoked(&self) -> bool {
        self.flood.is_revoked
    }

    /// Returns whether others may still need this member, though it has freed the communicator.
    pub fn is_needed(&self) -> bool {
        self.flood.is_revoked || !self.agreements.is_empty()
    }

    /// Returns the members that have died.
    pub fn dead(&self) -> &Ranks {
        &self.dead
    }

    /// Takes out the messages to be sent: receivers and messages, in order.
    pub fn take_outgoing(&mut self) -> Vec<(u32, Message)> {
        std::mem::take(&mut self.outgoing)
    }

    /// Revokes the communicator.
    pub fn revoke(&mut self) {
        if !self.flood.is_revoked {
            let ranks = self.flood.revoke(self.me, self.size, &self.dead);
            self.notify_revoked(ranks);
        }
    }

    /// Begins an agreement with this member's vote. Returns its number.
    pub fn begin(&mut self, vote: Vote) -> u32 {
        let number = self.next + self.waiting.len() as u32;
        self.waiting.push_back(vote);
        self.vote();
        number
    }

    /// Votes in the agreements that have room in the window.
    fn vote(&mut self) {
        while self.next < self.lowest_undecided().saturating_add(WINDOW) {
            let Some(vote) = self.waiting.pop_front() else {
                return;
            };
            let number = self.next;
            self.next += 1;
            let value = Value {
                flags: vote.flags,
                failed: self.dead.clone(),
                acked: vote.acked,
                offer: (self.me, vote.context),
                low: self.lowest_undecided().min(number),
            };
            self.with(number, |agreement, view, out| {
                agreement.vote(value, view, out)
            });
        }
    }

    /// Returns the number of the first agreement that is not decided here.
    fn lowest_undecided(&self) -> u32 {
        let undecided = |(_, agreement): &(&u32, &Agreement)| agreement.decision().is_none();
        let lowest = self.agreements.iter().find(undecided);
        lowest.map_or(self.next, |(lowest, _)| (*lowest).min(self.next))
    }

    /// Returns whether each agreement that this member has begun is decided.
    pub fn has_decided_all(&self) -> bool {
        self.waiting.is_empty() && self.lowest_undecided() == self.next
    }

    /// Gives all that others may still need of this member to each of them, so that its owner may
    /// forget it once [`Member::take_outgoing`] has been called; for one that has decided all.
    pub fn retire(&mut self) {
        let others = (0..self.size).filter(|rank| *rank != self.me && !self.dead.contains(*rank));
        for rank in others {
            if self.flood.is_revoked {
                self.outgoing.push((rank, Message::Revoke));
            }
            for (number, agreement) in &self.agreements {
                if let Some(value) = agreement.decision() {
                    // To this member alone: it passes the decision to nobody.
                    let act = Act::Decide([rank].into_iter().collect(), value.clone());
                    let number = *number;
                    self.outgoing.push((rank, Message::Agree { number, act }));
                }
            }
        }
    }

    /// Returns the decision of an agreement; `None` while it is pending.
    pub fn decision(&self, number: u32) -> Option<&Value> {
        self.agreements.get(&number)?.decision()
    }

    /// Takes note that a member has died.
    pub fn died(&mut self, rank: u32) {
        if rank >= self.size || rank == self.me || !self.dead.insert(rank) {
            return;
        }
        let ranks = self.flood.next_to_notify(self.me, self.size, &self.dead);
        self.notify_revoked(ranks);
        let numbers: Vec<u32> = self.agreements.keys().copied().collect();
        for number in numbers {
            self.with(number, Agreement::died);
        }
        self.vote();
    }

    /// Takes a message of another member. Returns false, and ignores the message, where it names
    /// unknown members or an agreement beyond the window: every agreement that a peer has decided
    /// has this member's vote.
    #[must_use]
    pub fn arrived(&mut self, from: u32, message: Message) -> bool {
        if from >= self.size || from == self.me || !message.is_among(self.size) {
            return false;
        }
        match message {
            Message::Revoke => self.revoke(),
            Message::Stranger => {
                let ranks = self.flood.refused(from, self.me, self.size, &self.dead);
                self.notify_revoked(ranks);
            }
            Message::Agree { number, .. } if number >= self.next.saturating_add(WINDOW) => {
                return false;
            }
            Message::Agree { number, act } if number >= self.first => {
                self.with(number, |agreement, view, out| {
                    agreement.arrived(from, act, view, out)
                });
                self.vote();
            }
            Message::Agree { .. } => {}
        }
        true
    }

    fn notify_revoked(&mut self, ranks: Vec<u32>) {
        let messages = ranks.into_iter().map(|rank| (rank, Message::Revoke));
        self.outgoing.extend(messages);
    }

    /// Acts on one agreement, queues what it sends, and forgets those that all have decided.
    fn with(&mut self, number: u32, act: impl FnOnce(&mut Agreement, &View<'_>, &mut Outbox)) {
        let agreement = self.agreements.entry(number).or_default();
        let view = View {
            me: self.me,
            size: self.size,
            dead: &self.dead,
        };
        let mut out = Outbox::new();
        act(agreement, &view, &mut out);
        let decided = agreement.decision().map(|value| value.low);
        let messages = out
            .into_iter()
            .map(|(to, act)| (to, Message::Agree { number, act }));
        self.outgoing.extend(messages);
        if let Some(low) = decided.filter(|low| *low > self.first) {
            self.first = low;
            self.agreements = self.agreements.split_off(&low);
        }
    }
}
