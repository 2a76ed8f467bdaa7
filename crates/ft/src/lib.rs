//! Fault tolerance of communicators (ULFM): what a member knows of the others' deaths, the reliable
//! flood of a revocation ([`flood`]), and uniform agreement ([`agreement`]), on which shrinking
//! rests.
//!
//! [`Member`] is the state of one member of one communicator. It sends nothing by itself and has no
//! clock: its owner tells it of messages ([`Member::arrived`]) and deaths ([`Member::died`]), and
//! takes what is to be sent ([`Member::take_outgoing`]).
//!
//! Assumptions: a member that dies does nothing any more; who lives is never reported dead; a death
//! is reported to each member in the end; messages between two members that live arrive. Their
//! order does not matter.
#![forbid(unsafe_code)]

mod agreement;
mod flood;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod ranks;
#[cfg(test)]
mod simulation;
mod value;
mod wire;

use std::collections::BTreeMap;

use agreement::{Agreement, Outbox, View};
use flood::Flood;

pub use ranks::Ranks;
pub use value::{Answer, Ballot, Value};
pub use wire::{Act, Message};

/// The state of one member of a communicator.
#[derive(Debug)]
pub struct Member {
    me: u32,
    size: u32,
    dead: Ranks,
    flood: Flood,
    agreements: BTreeMap<u32, Agreement>,
    /// The number of the next agreement that this member begins.
    next: u32,
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
            let told = self.flood.revoke(self.me, self.size, &self.dead);
            self.tell_revoked(told);
        }
    }

    /// Begins an agreement with this member's vote. Returns its number.
    pub fn begin(&mut self, vote: Vote) -> u32 {
        let number = self.next;
        self.next += 1;
        let undecided = |(_, agreement): &(&u32, &Agreement)| agreement.decision().is_none();
        let low = self.agreements.iter().find(undecided);
        let value = Value {
            flags: vote.flags,
            failed: self.dead.clone(),
            acked: vote.acked,
            offer: (self.me, vote.context),
            low: low.map_or(number, |(low, _)| (*low).min(number)),
        };
        self.with(number, |agreement, view, out| {
            agreement.vote(value, view, out)
        });
        number
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
        let told = self.flood.next_to_tell(self.me, self.size, &self.dead);
        self.tell_revoked(told);
        let numbers: Vec<u32> = self.agreements.keys().copied().collect();
        for number in numbers {
            self.with(number, Agreement::died);
        }
    }

    /// Takes a message of another member; nothing of one that names members that there are not.
    pub fn arrived(&mut self, from: u32, message: Message) {
        if from >= self.size || from == self.me || !message.is_among(self.size) {
            return;
        }
        match message {
            Message::Revoke => self.revoke(),
            Message::Stranger => {
                let told = self.flood.refused(from, self.me, self.size, &self.dead);
                self.tell_revoked(told);
            }
            Message::Agree { number, act } if number >= self.first => {
                self.with(number, |agreement, view, out| {
                    agreement.arrived(from, act, view, out)
                });
            }
            Message::Agree { .. } => {}
        }
    }

    fn tell_revoked(&mut self, ranks: Vec<u32>) {
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
