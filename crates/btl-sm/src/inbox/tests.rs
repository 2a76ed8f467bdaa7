use btl::{Alias, Flow, FutexWord, Presence, SleepKind, Token, Transport, HELPER_ASLEEP};
use memory::UserBuf;
use sync::ring::Lines;

use super::*;
use crate::segment::Claimed;
use crate::{Config, Sm};

/// Counts what arrives, by sender.
#[derive(Default)]
struct Count(Vec<usize>);

impl Sink for Count {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        let from = arrival.from.index();
        if self.0.len() <= from {
            self.0.resize(from + 1, 0);
        }
        self.0[from] += 1;
    }
    fn done(&mut self, _token: Token, _outcome: Result<(), Error>) {}
    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        panic!("{peer}: {error}");
    }
}

/// Counts arrivals, and collects the errors of peers.
struct Failed(Count, Vec<Error>);

impl Sink for Failed {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.0.deliver(arrival);
    }
    fn done(&mut self, _token: Token, _outcome: Result<(), Error>) {}
    fn peer_failed(&mut self, _peer: PeerId, error: Error) {
        self.1.push(error);
    }
}

const PEERS: usize = 70;

/// A process and peers that have a ring each in it.
fn crowd() -> (Sm, Vec<Sm>, Count) {
    let open = |peer| crate::open(Config::with_defaults(PeerId(peer as u32))).unwrap();
    let (mut own, mut peers) = (open(0), Vec::new());
    let mut count = Count::default();
    let address = own.address();
    for peer in 1..=PEERS {
        let mut peer = open(peer);
        own.add_peer(peer.me, &peer.address()).unwrap();
        peer.add_peer(PeerId(0), &address).unwrap();
        for _ in 0..20 {
            say(&mut peer);
            own.progress(&mut count);
        }
        peers.push(peer);
    }
    (own, peers, count)
}

fn say(peer: &mut Sm) {
    let sent = peer.send(PeerId(0), AmTag::PML, &[1], UserBuf::EMPTY);
    assert_eq!(sent, Ok(Flow::Sent));
}

fn fall_silent(own: &mut Sm, count: &mut Count) {
    for _ in 0..2 * SILENT_AFTER {
        own.progress(count);
    }
    assert_eq!(own.inbox.rings.len(), PEERS);
    assert_eq!(own.inbox.lively, 0);
}

#[test]
fn a_poll_looks_at_few_rings_of_a_silent_crowd_and_misses_none() {
    let (mut own, mut peers, mut count) = crowd();
    fall_silent(&mut own, &mut count);
    assert_eq!(count.0[1..], [20; PEERS]);
    for (at, peer) in peers.iter_mut().enumerate() {
        say(peer);
        let mut polls = 0;
        while count.0[at + 1] == 20 {
            assert!(
                polls <= PEERS / SILENT_PER_POLL,
                "not seen in {polls} polls"
            );
            polls += 1;
            own.progress(&mut count);
        }
        let mut lively = own.inbox.rings[..own.inbox.lively].iter();
        let talks = lively.any(|inlet| inlet.from == peer.me);
        assert!(talks, "who talks is not silent");
    }
    assert_eq!(count.0[1..], [21; PEERS]);
}

#[test]
fn before_a_sleep_every_ring_is_looked_at() {
    let (mut own, mut peers, mut count) = crowd();
    fall_silent(&mut own, &mut count);
    peers.iter_mut().step_by(2).for_each(say);
    assert!(own.arm(SleepKind::Futex).is_some());
    assert_eq!(own.progress(&mut count), PEERS / 2);
    assert_eq!(own.progress(&mut count), 0);
    own.disarm();
    assert_eq!(own.inbox.lively, PEERS / 2);
}

#[test]
fn a_poll_in_which_a_ring_falls_silent_looks_at_the_other_lively_ones() {
    let (mut own, mut peers, mut count) = trio();
    for _ in 0..20 {
        peers.iter_mut().for_each(say);
        own.progress(&mut count);
    }
    while own.progress(&mut count) > 0 {}
    assert_eq!((own.inbox.rings.len(), own.inbox.lively), (2, 2));
    let [_silent, mut peer] = peers;
    for _ in 0..2 * SILENT_AFTER {
        say(&mut peer);
        assert_eq!(own.progress(&mut count), 1);
    }
    assert_eq!((own.inbox.rings.len(), own.inbox.lively), (2, 1));
}

#[test]
fn a_ring_is_left_alone_where_a_stream_ran_dry_and_only_there() {
    let (mut own, [mut peer, _], mut count) = trio();
    let mut polls = |peer: &mut Sm, said: usize| {
        (0..said).for_each(|_| say(peer));
        let before = count.0.get(1).copied().unwrap_or(0);
        let mut polls = 0;
        while count.0.get(1).copied().unwrap_or(0) < before + said {
            assert!(own.progress(&mut count) > 0, "who tests would stop");
            polls += 1;
            assert!(polls < 1000, "{said} messages are not seen");
        }
        polls
    };
    for _ in 0..40 {
        assert_eq!(polls(&mut peer, 1), 1);
    }
    let stream = 1 + 2 + 4 + 8 + 16 + BURST_MAX + STREAM_MIN;
    polls(&mut peer, stream);
    assert_eq!(polls(&mut peer, STREAM_MIN), REST_POLLS + 1);
    assert_eq!(polls(&mut peer, 1), REST_POLLS + 1, "the stream has ended");
    assert_eq!(polls(&mut peer, 1), 1);
    polls(&mut peer, stream);
    say(&mut peer);
    assert!(own.arm(SleepKind::Futex).is_some());
    assert_eq!(own.progress(&mut count), 1, "before a sleep");
    own.disarm();
}

/// A process with two peers that have not spoken yet.
fn trio() -> (Sm, [Sm; 2], Count) {
    let open = |peer| crate::open(Config::with_defaults(PeerId(peer))).unwrap();
    let (mut own, mut peers) = (open(0), [open(1), open(2)]);
    for peer in &mut peers {
        own.add_peer(peer.me, &peer.address()).unwrap();
        peer.add_peer(PeerId(0), &own.address()).unwrap();
    }
    (own, peers, Count::default())
}

#[test]
fn a_cell_that_a_dead_peer_has_claimed_holds_up_nobody() {
    let (mut own, [dying, mut other], mut count) = trio();
    let _never_published = fifo::claim(&own.own, dying.me.0).expect("a free cell");
    say(&mut other);
    assert_eq!(own.progress(&mut count), 0, "it may still come");
    own.remove_peer(dying.me);
    assert_eq!(own.progress(&mut count), 1);
    for _ in 0..2 * own.own.layout.cells {
        say(&mut other);
        own.progress(&mut count);
    }
    assert_eq!(count.0[2], 1 + 2 * own.own.layout.cells as usize);
}

#[test]
fn a_ring_that_a_dead_peer_has_claimed_holds_up_nobody() {
    let (mut own, [_dying, mut other], mut count) = trio();
    let table = own.own.clone();
    // It died, or was stopped, before it could say that the row is ready.
    let claimed = table.claim_ring(Alias::new(PeerId(1), 0));
    assert_eq!(claimed, Some((0, Claimed::First)));
    for said in 1..=40 {
        say(&mut other);
        own.progress(&mut count);
        assert_eq!(count.0[2], said);
    }
    assert_eq!((own.inbox.rings.len(), own.inbox.rows_seen), (1, 0));
    // Should it go on after all, both are adopted, and the table is not read any more.
    table.ring_state(0).store(RING_READY, Ordering::Release);
    own.progress(&mut count);
    assert_eq!((own.inbox.rings.len(), own.inbox.rows_seen), (2, 2));
    assert!(own.inbox.rows_ahead.is_empty());
}

#[test]
fn a_broken_ring_is_closed_and_the_others_are_read_on() {
    let (mut own, mut peers, mut count) = crowd();
    say(&mut peers[2]);
    say(&mut peers[3]);
    let mut rings = own.inbox.rings.iter();
    let broken = rings.find(|inlet| inlet.from == PeerId(2)).unwrap();
    let lines = broken.reader.store();
    (0..lines.lines()).for_each(|line| lines.header(line).store(1, Ordering::Relaxed));
    let mut sink = Failed(std::mem::take(&mut count), Vec::new());
    for _ in 0..PEERS {
        own.progress(&mut sink);
    }
    assert!(matches!(
        sink.1[..],
        [Error::Protocol {
            peer: PeerId(2),
            ..
        }]
    ));
    assert_eq!(own.inbox.rings.len(), PEERS - 1);
    assert_eq!(sink.0 .0[3..5], [21, 21]);
}

/// The process of one peer is gone after it closed, that of the other without.
#[test]
fn who_says_goodbye_and_ends_has_left_and_who_only_ends_is_gone() {
    let (mut own, [mut polite, killed], count) = trio();
    say(&mut polite);
    polite.close();
    let mut ended = std::process::Command::new("true").spawn().unwrap();
    ended.wait().unwrap();
    for peer in [&polite, &killed] {
        let path = own.paths[peer.me.index()].as_mut().unwrap();
        path.pid = ended.id();
    }
    let mut sink = Failed(count, Vec::new());
    own.arm(SleepKind::Futex);
    own.progress(&mut sink);
    own.disarm();
    let [left, gone] = &sink.1[..] else {
        panic!("{:?}", sink.1);
    };
    assert_eq!(*left, Error::PeerLeft { peer: polite.me });
    assert!(matches!(gone, Error::PeerGone { peer, .. } if *peer == killed.me));
    assert_eq!(sink.0 .0, [0, 1], "what it said before");
}

/// Is content with each message, and counts them.
#[derive(Default)]
struct Content(usize);

impl Sink for Content {
    fn deliver(&mut self, _arrival: Arrival<'_>) {
        self.0 += 1;
    }
    fn done(&mut self, _token: Token, _outcome: Result<(), Error>) {}
    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        panic!("{peer}: {error}");
    }
    fn wants_more(&self) -> bool {
        false
    }
}

#[test]
fn who_is_content_gets_one_long_message_at_a_time_and_many_short_ones() {
    let (mut own, [mut peer, _], mut count) = trio();
    for _ in 0..40 {
        say(&mut peer);
        own.progress(&mut count);
    }
    // Doubles what is taken at once.
    (0..7).for_each(|_| say(&mut peer));
    while count.0[1] < 47 {
        own.progress(&mut count);
    }
    let long = vec![1; LONG_BYTES];
    let mut content = Content::default();
    for _ in 0..3 {
        let sent = peer.send(PeerId(0), AmTag::PML, &long, UserBuf::EMPTY);
        assert_eq!(sent, Ok(Flow::Sent));
    }
    for taken in 1..=3 {
        assert_eq!(own.progress(&mut content), 1);
        assert_eq!(content.0, taken);
    }
    (0..3).for_each(|_| say(&mut peer));
    assert_eq!(own.progress(&mut content), 3);
}

#[test]
fn peers_see_who_waits_for_messages_and_who_no_longer_does() {
    let (own, [mut waits, computes], _count) = trio();
    let seen = |peer: &Sm| own.is_waiting(peer.me);
    assert_eq!((seen(&waits), seen(&computes)), (false, false));
    waits.set_waiting(true);
    assert_eq!((seen(&waits), seen(&computes)), (true, false));
    waits.set_waiting(false);
    assert!(!seen(&waits));
    assert!(!own.is_waiting(PeerId(77)), "an unknown peer");
}

#[test]
fn a_peer_wakes_the_helper_thread_of_another() {
    let (mut own, [helped, computes], _count) = trio();
    let (bed, other) = (helped.helper_word(), computes.helper_word());
    own.wake_helper(helped.me);
    assert_eq!(word_of(&*bed), 0, "no helper slept");
    bed.word().store(HELPER_ASLEEP, Ordering::SeqCst);
    other.word().store(HELPER_ASLEEP, Ordering::SeqCst);
    let sleeper = bed.clone();
    let thread = std::thread::spawn(move || {
        while word_of(&*sleeper) == HELPER_ASLEEP {
            sync::futex::wait(sleeper.word(), HELPER_ASLEEP, None);
        }
    });
    own.wake_helper(helped.me);
    own.wake_helper(PeerId(77));
    thread.join().unwrap();
    assert_eq!((word_of(&*bed), word_of(&*other)), (0, HELPER_ASLEEP));
}

fn word_of(bed: &dyn FutexWord) -> u32 {
    bed.word().load(Ordering::SeqCst)
}

#[test]
fn each_cell_of_a_long_message_is_something_that_happened_at_both_ends() {
    let few_cells = |peer| {
        let mut config = Config::with_defaults(PeerId(peer));
        config.settings.ring_max = 0;
        config.settings.queue_cells = 2;
        crate::open(config).unwrap()
    };
    let (mut to, mut from) = (few_cells(0), few_cells(1));
    to.add_peer(PeerId(1), &from.address()).unwrap();
    from.add_peer(PeerId(0), &to.address()).unwrap();
    let message = vec![7; 20 * super::CELL_PAYLOAD_BYTES];
    let sent = from.send(PeerId(0), AmTag::PML, &message, UserBuf::EMPTY);
    assert_eq!(sent, Ok(Flow::Sent));
    let mut count = Count::default();
    while count.0.is_empty() {
        assert!(to.progress(&mut count) > 0, "cells were taken");
        let goes_on = !from.backlogged.is_empty();
        let filled = from.progress(&mut count);
        assert_eq!(filled > 0, goes_on, "cells were filled");
    }
}

fn foreign(known_as: u32) -> btl::Foreign {
    btl::Foreign {
        known_as: Alias::new(PeerId(known_as), 0),
        generation: 0,
        realm: 1,
        secret: [0; 32],
        is_first: true,
    }
}

/// Introduces two processes 0 of two jobs: the first knows the second as 5, which knows it as 9.
fn meet(a: &mut Sm, b: &mut Sm) {
    a.add_foreign(PeerId(5), &foreign(9), &b.address()).unwrap();
    b.add_foreign(PeerId(9), &foreign(5), &a.address()).unwrap();
}

/// Sends more messages than the queue carries for one peer, and takes them in.
fn talk(from: &mut Sm, to: PeerId, other: &mut Sm, count: &mut Count) {
    for _ in 0..20 {
        let sent = from.send(to, AmTag::PML, &[1], UserBuf::EMPTY);
        assert_eq!(sent, Ok(Flow::Sent));
        other.progress(count);
    }
}

#[test]
fn foreign_peers_come_and_go_and_their_rings_are_used_again() {
    let open = || crate::open(Config::with_defaults(PeerId(0))).unwrap();
    let (mut a, mut b) = (open(), open());
    let rings = |sm: &Sm| Claims(sm.own.claims().load(Ordering::Relaxed)).rings();
    for round in 0..300 {
        meet(&mut a, &mut b);
        let (mut at_a, mut at_b) = (Count::default(), Count::default());
        talk(&mut a, PeerId(5), &mut b, &mut at_b);
        talk(&mut b, PeerId(9), &mut a, &mut at_a);
        assert_eq!((at_a.0[5], at_b.0[9]), (20, 20), "round {round}");
        a.remove_peer(PeerId(5));
        b.remove_peer(PeerId(9));
    }
    let most = rings(&a).max(rings(&b));
    assert!((1..=2).contains(&most), "{most} rings were claimed");
}

/// A process that was removed, and does not know that yet, may still send: by the queue, or by a
/// ring that it claims only now. Neither is taken for a message of the next one of its number.
#[test]
fn a_late_message_is_not_taken_for_one_of_the_next_process_of_that_number() {
    let open = || crate::open(Config::with_defaults(PeerId(0))).unwrap();
    let (mut own, mut before, mut after) = (open(), open(), open());
    let mut count = Count::default();
    let agreed = |generation| btl::Foreign {
        known_as: Alias::new(PeerId(5), generation),
        ..foreign(0)
    };
    let here = |generation| btl::Foreign {
        generation,
        ..foreign(9)
    };
    let join = |own: &mut Sm, other: &mut Sm, generation| {
        let (to, from) = (other.address(), own.address());
        own.add_foreign(PeerId(5), &here(generation), &to).unwrap();
        let agreed = agreed(generation);
        other.add_foreign(PeerId(9), &agreed, &from).unwrap();
    };
    join(&mut own, &mut before, 0);
    own.remove_peer(PeerId(5));
    join(&mut own, &mut after, 1);
    for messages in [1, 19] {
        for _ in 0..messages {
            let sent = before.send(PeerId(9), AmTag::PML, &[1], UserBuf::EMPTY);
            assert_eq!(sent, Ok(Flow::Sent));
        }
        own.progress(&mut count);
    }
    assert_eq!(count.0.iter().sum::<usize>(), 0);
    talk(&mut after, PeerId(9), &mut own, &mut count);
    assert_eq!(count.0[5], 20);
}

/// A rank that is killed leaves messages behind that nobody has read: in the queue, or in a ring
/// that this process has not seen before the rank was given up. Its next life has its number.
#[test]
fn what_a_killed_rank_has_left_is_not_taken_for_messages_of_its_next_life() {
    let open = |generation| {
        let config = Config {
            generation,
            ..Config::with_defaults(PeerId(1))
        };
        crate::open(config).unwrap()
    };
    for (messages, is_known) in [(1, true), (1, false), (40, true), (40, false)] {
        let mut own = crate::open(Config::with_defaults(PeerId(0))).unwrap();
        let mut count = Count::default();
        for generation in 1..5 {
            let mut life = open(generation);
            life.add_peer(PeerId(0), &own.address()).unwrap();
            for _ in 0..messages {
                say(&mut life);
            }
            if is_known {
                own.add_peer(PeerId(1), &life.address()).unwrap();
            }
            own.remove_peer(PeerId(1));
        }
        let mut last = open(5);
        last.add_peer(PeerId(0), &own.address()).unwrap();
        own.add_peer(PeerId(1), &last.address()).unwrap();
        for _ in 0..20 {
            own.progress(&mut count);
        }
        assert_eq!(count.0.iter().sum::<usize>(), 0, "{messages}, {is_known}");
        talk(&mut last, PeerId(0), &mut own, &mut count);
        assert_eq!(count.0[1], 20);
        // Nothing keeps polls looking for rings, and those of earlier lives are free.
        let claims = Claims(own.own.claims().load(Ordering::Relaxed));
        assert_eq!(own.inbox.claims_seen, claims);
        assert_eq!(own.inbox.rows_leaving, [0; 0]);
    }
}

/// A rank is killed between its claim of a ring and the moment when the ring is ready, in each life
/// but the last.
#[test]
fn a_ring_that_a_killed_rank_was_claiming_is_claimed_again() {
    let mut own = crate::open(Config::with_defaults(PeerId(0))).unwrap();
    let table = own.own.clone();
    let lives = 5;
    let mut count = Count::default();
    for generation in 1..=lives {
        let config = Config {
            generation,
            ..Config::with_defaults(PeerId(1))
        };
        let mut life = crate::open(config).unwrap();
        life.add_peer(PeerId(0), &own.address()).unwrap();
        own.add_peer(PeerId(1), &life.address()).unwrap();
        if generation == lives {
            talk(&mut life, PeerId(0), &mut own, &mut count);
            break;
        }
        let claimed = table.claim_ring(Alias::new(PeerId(1), generation));
        assert_eq!(claimed.map(|(row, _)| row), Some(0), "life {generation}");
        own.progress(&mut count);
        own.remove_peer(PeerId(1));
    }
    assert_eq!((count.0[1], own.inbox.rings.len()), (20, 1));
    // Nothing keeps polls looking for rings.
    let claims = Claims(table.claims().load(Ordering::Relaxed));
    assert_eq!(own.inbox.claims_seen, claims);
}

#[test]
fn a_ring_is_not_freed_while_its_peer_may_write() {
    let open = || crate::open(Config::with_defaults(PeerId(0))).unwrap();
    let (mut a, mut b, mut count) = (open(), open(), Count::default());
    meet(&mut a, &mut b);
    talk(&mut b, PeerId(9), &mut a, &mut count);
    a.remove_peer(PeerId(5));
    a.progress(&mut count);
    assert_eq!(
        (a.inbox.rows_leaving.len(), a.inbox.rows_freed.len()),
        (1, 0)
    );
    b.remove_peer(PeerId(9));
    meet(&mut a, &mut b);
    talk(&mut b, PeerId(9), &mut a, &mut count);
    assert_eq!(count.0[5], 40);
    assert_eq!(
        (a.inbox.rows_leaving.len(), a.inbox.rows_freed.len()),
        (0, 1)
    );
}
