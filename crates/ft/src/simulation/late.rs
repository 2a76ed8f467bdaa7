//! A member that is slow to open communicators: what the others send it meanwhile is kept, and
//! nobody waits for ever.

use std::collections::VecDeque;

use base::PeerId;

use super::{flags, AGREEMENTS};
use crate::{Early, Member, Message, Vote, WINDOW};

const SIZE: u32 = 8;
/// The member that opens its communicators late.
const LATE: u32 = 5;
/// Messages that the others have for it by then.
const MESSAGES: u32 = 5_000;

/// One communicator, whose late member comes at last.
struct World {
    context: u64,
    members: Vec<Member>,
    is_open: bool,
    messages: VecDeque<(u32, u32, Message)>,
}

impl World {
    fn new(context: u64) -> World {
        World {
            context,
            members: (0..SIZE).map(|me| Member::new(me, SIZE)).collect(),
            is_open: false,
            messages: VecDeque::new(),
        }
    }

    fn collect(&mut self) {
        for (from, member) in (0..).zip(&mut self.members) {
            let out = member.take_outgoing().into_iter();
            self.messages
                .extend(out.map(|(to, message)| (from, to, message)));
        }
    }

    /// Delivers messages until none is under way.
    fn run(&mut self, early: &mut Early) {
        self.collect();
        while let Some((from, to, message)) = self.messages.pop_front() {
            if to == LATE && !self.is_open {
                if message == Message::Revoke {
                    assert!(self.members[from as usize].arrived(to, Message::Stranger));
                }
                assert!(early.keep(self.context, PeerId(from), from, message));
            } else {
                assert!(self.members[to as usize].arrived(from, message));
            }
            self.collect();
        }
    }

    fn open(&mut self, early: &mut Early) {
        self.is_open = true;
        for (PeerId(from), rank, message) in early.take(self.context) {
            assert_eq!(from, rank);
            assert!(self.members[LATE as usize].arrived(from, message));
        }
    }

    fn begin(&mut self, rank: u32, count: u32) {
        for number in 0..count {
            let vote = Vote {
                flags: flags(number, rank),
                ..Vote::default()
            };
            assert_eq!(self.members[rank as usize].begin(vote), number);
        }
    }
}

/// Every other member begins 1,667 agreements, so that the three whose votes go to the late one
/// have 5,001 messages for it.
#[test]
fn thousands_of_agreements_wait_for_a_member_that_opens_late() {
    let (mut world, mut early) = (World::new(1), Early::default());
    let count = MESSAGES / SIZE.ilog2() + 1;
    for rank in (0..SIZE).filter(|rank| *rank != LATE) {
        world.begin(rank, count);
    }
    world.run(&mut early);
    assert!(early.len() as u32 <= 2 * WINDOW * (SIZE - 1));
    let held = world.members.iter().map(|member| member.agreements.len());
    assert!(held.max().unwrap() as u32 <= WINDOW);
    world.open(&mut early);
    world.begin(LATE, count);
    let all = (0..SIZE).fold(u32::MAX, |all, rank| all & flags(count - 1, rank));
    world.run(&mut early);
    for (rank, member) in world.members.iter().enumerate() {
        let last = member.decision(count - 1);
        assert_eq!(last.map(|value| value.flags), Some(all), "rank {rank}");
        assert!(member.has_decided_all() && member.agreements.len() as u32 <= 2 * WINDOW);
    }
}

/// Members have agreements under way, and then revoke, in thousands of communicators.
#[test]
fn messages_of_thousands_of_communicators_wait_for_a_member_that_opens_late() {
    let mut early = Early::default();
    let mut worlds: Vec<World> = (1..=u64::from(MESSAGES)).map(World::new).collect();
    for world in &mut worlds {
        (0..SIZE)
            .filter(|rank| *rank != LATE)
            .for_each(|rank| world.begin(rank, 1));
        if world.context % 2 == 0 {
            world.members[0].revoke();
        }
        world.run(&mut early);
    }
    assert!(early.len() as u32 > MESSAGES);
    for world in &mut worlds {
        world.open(&mut early);
        world.begin(LATE, AGREEMENTS);
        world.run(&mut early);
        for member in &world.members {
            assert!(member.decision(0).is_some());
            assert_eq!(member.is_revoked(), world.context % 2 == 0);
        }
    }
    assert!(early.is_empty());
}

/// A member that frees the communicator may forget it once it has given what it knows to all:
/// members whose peers die in an agreement learn the decision all the same.
#[test]
fn a_member_that_retires_leaves_nobody_without_a_decision() {
    let (mut world, mut early) = (World::new(1), Early::default());
    world.is_open = true;
    (0..SIZE).for_each(|rank| world.begin(rank, 1));
    // The last to decide has a peer that dies with its last messages.
    world.collect();
    let dead = SIZE - 1;
    while let Some((from, to, message)) = world.messages.pop_front() {
        let is_last = from == dead && world.members[dead as usize].has_decided_all();
        if !is_last {
            assert!(world.members[to as usize].arrived(from, message));
        }
        world.collect();
    }
    let undecided = |member: &&Member| !member.has_decided_all();
    assert!(world.members.iter().any(|member| undecided(&member)));
    let decided = world.members.iter().position(Member::has_decided_all);
    let first = decided.filter(|rank| *rank as u32 != dead).unwrap();
    world.members[first].retire();
    world.run(&mut early);
    let living = world.members.iter().take(dead as usize);
    assert_eq!(living.filter(undecided).count(), 0);
}
