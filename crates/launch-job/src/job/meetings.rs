//! Meetings, which are fences of some ranks: the members that have entered, and their values.
//!
//! A meeting is identified by its members, in the order that they pass, and a key. It is complete,
//! and removed, when all have entered. A rank may enter again before the meeting is complete: that
//! opens the next meeting of this identity, which the others enter when they come again.

use std::collections::HashSet;

use bootstrap::native::wire::Meet;

/// The pending meetings.
#[derive(Default)]
pub struct Meetings {
    open: Vec<Meeting>,
}

struct Meeting {
    members: Vec<u32>,
    key: Vec<u8>,
    /// Members that have come: each one's name of the meeting, and its value.
    entries: Vec<Option<(u32, Vec<u8>)>>,
}

/// Members with what each calls the meeting, and what they brought, in their order.
pub(crate) type Gathered = (Vec<(u32, u32)>, Vec<Vec<u8>>);

/// Whether a rank of a job of `size` can come to a meeting; if not, what is wrong with it.
pub fn check(rank: u32, meet: &Meet, size: u32) -> Result<(), String> {
    if let Some(stranger) = meet.members.iter().find(|&&m| m >= size) {
        return Err(format!(
            "it came to a meeting with rank {stranger} in a job of {size}"
        ));
    }
    let distinct: HashSet<_> = meet.members.iter().collect();
    if distinct.len() != meet.members.len() {
        return Err("it joined a meeting that names a rank twice".to_string());
    }
    if !meet.members.contains(&rank) {
        return Err("it came to a meeting of others".to_string());
    }
    Ok(())
}

impl Meetings {
    /// Lets a rank in that [`check()`] has passed. When it was the last one, returns the members to
    /// notify, with what each calls the meeting, and what all brought.
    pub fn enter(&mut self, rank: u32, meet: Meet) -> Option<Gathered> {
        let index = meet.members.iter().position(|m| *m == rank)?;
        let is_it = |open: &Meeting| {
            open.key == meet.key && open.members == meet.members && open.entries[index].is_none()
        };
        let at = match self.open.iter().position(is_it) {
            Some(at) => at,
            None => {
                self.open.push(Meeting {
                    entries: vec![None; meet.members.len()],
                    members: meet.members,
                    key: meet.key,
                });
                self.open.len() - 1
            }
        };
        self.open[at].entries[index] = Some((meet.ticket, meet.value));
        if self.open[at].entries.iter().any(Option::is_none) {
            return None;
        }
        let over = self.open.remove(at);
        let (tickets, values): (Vec<u32>, Vec<Vec<u8>>) =
            over.entries.into_iter().flatten().unzip();
        Some((over.members.into_iter().zip(tickets).collect(), values))
    }

    /// Ends all meetings that a rank was to be at, without a message to anybody.
    pub(super) fn give_up(&mut self, rank: u32) {
        self.open.retain(|open| !open.members.contains(&rank));
    }

    /// Ends all meetings that wait for somebody who will not come. Returns for each those who wait,
    /// with what each calls the meeting, and who will not come.
    pub fn cancel(&mut self, is_over: impl Fn(u32) -> bool) -> Vec<(Vec<(u32, u32)>, u32)> {
        let mut ended = Vec::new();
        self.open.retain(|open| {
            let entries = open.members.iter().zip(&open.entries);
            let mut missing = entries.clone().filter(|(_, entry)| entry.is_none());
            let Some((&lost, _)) = missing.find(|(member, _)| is_over(**member)) else {
                return true;
            };
            let ticket = |entry: &Option<(u32, Vec<u8>)>| entry.as_ref().map(|entry| entry.0);
            let waiting = entries.filter_map(|(member, entry)| Some((*member, ticket(entry)?)));
            ended.push((waiting.collect(), lost));
            false
        });
        ended
    }

    /// The ranks that somebody waits for.
    pub(super) fn missing(&self) -> impl Iterator<Item = u32> + '_ {
        self.open.iter().flat_map(|open| {
            let entries = open.members.iter().zip(&open.entries);
            entries
                .filter(|(_, index)| index.is_none())
                .map(|(rank, _)| *rank)
        })
    }

    /// Whether a rank is at a meeting that is not over.
    pub(super) fn waits(&self, rank: u32) -> bool {
        let index_of = |open: &Meeting| open.members.iter().position(|m| *m == rank);
        self.open
            .iter()
            .any(|open| index_of(open).is_some_and(|index| open.entries[index].is_some()))
    }
}
