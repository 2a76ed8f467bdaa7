//! Tests of whole jobs over a simulated network that matches.

use std::sync::Arc;
use std::time::Duration;

use base::{PeerId, Random, Rank};
use datatype::constants::MPI_INT;
use datatype::{predefined, Buffer, Datatype};
use memory::Scratch;
use mtl::sim::{Config, Fabric};
use pml::Tag;
use pml::{CommId, Context, Failure, Mode, Outcome, Pattern, Pml, RequestId, Started, Status};

use crate::{Cm, Settings, TagMode};

const ANY: Pattern = Pattern {
    source: None,
    tag: None,
};

pub(crate) struct Job {
    pub(crate) fabric: Fabric,
    pub(crate) ranks: Vec<Cm>,
    worlds: Vec<CommId>,
}

fn low_bits(context: Context, _peers: usize, _bits: u32) -> u64 {
    context.0
}

fn opened(config: Config) -> (Fabric, Vec<Cm>) {
    let size = config.size;
    let (fabric, ends) = Fabric::new(config);
    let mut ranks: Vec<Cm> = Vec::new();
    for (me, end) in (0..).zip(ends) {
        let settings = Settings {
            me: PeerId(me),
            tags: TagMode::Full,
            peers: size,
            fold: low_bits,
        };
        ranks.push(Cm::new(Box::new(end), settings).unwrap());
    }
    (fabric, ranks)
}

impl Job {
    pub(crate) fn new(config: Config) -> Job {
        let size = config.size;
        let (fabric, mut ranks) = opened(config);
        let peers: Vec<PeerId> = (0..size as u32).map(PeerId).collect();
        let addresses: Vec<Vec<u8>> = ranks.iter().map(Pml::address).collect();
        let mut worlds = Vec::new();
        for (me, rank) in ranks.iter_mut().enumerate() {
            for (peer, address) in peers.iter().zip(&addresses) {
                assert_eq!(rank.add_peer(*peer, address), Ok(()));
            }
            worlds.push(rank.open_comm(Context(8), Rank(me as u32), peers.clone()));
        }
        Job {
            fabric,
            ranks,
            worlds,
        }
    }

    fn calm(size: usize) -> Job {
        Job::new(Config::calm(size))
    }

    /// As if the job were so large that receives name their senders by address.
    fn vast() -> Job {
        let mut config = Config::calm(2);
        config.caps.label_bits = 45;
        let job = Job::new(config);
        assert!(!job.ranks[0].state.layout.has_sender());
        job
    }

    pub(crate) fn progress(&mut self) {
        for rank in &mut self.ranks {
            rank.progress();
        }
    }

    /// Lets the time pass for which receives from dead peers wait for the network.
    fn out_of_patience(&mut self, at: usize) {
        let rank = &mut self.ranks[at];
        let late = crate::loss::PATIENCE;
        for now in [Duration::ZERO, late - Duration::from_nanos(1)] {
            rank.progress();
            assert_eq!(rank.reclaim(now), 0);
            assert!(rank.is_reclaiming() && rank.has_queued());
        }
        assert_eq!(rank.reclaim(late), 1);
        assert!(!rank.is_reclaiming() && !rank.has_queued());
    }

    /// Runs until a request is complete.
    fn wait(&mut self, at: usize, request: RequestId) -> Outcome {
        for _ in 0..10_000 {
            if let Some(outcome) = self.ranks[at].outcome(request) {
                return outcome;
            }
            self.progress();
        }
        panic!("rank {at} waits forever");
    }

    fn send(&mut self, from: usize, to: u32, tag: Tag, data: &Scratch, mode: Mode) -> Started {
        let buffer = Buffer::bytes(data.buf());
        self.ranks[from].start_send(self.worlds[from], Rank(to), tag, buffer, mode)
    }

    fn recv(&mut self, at: usize, pattern: Pattern, room: &Scratch) -> RequestId {
        let buffer = Buffer::bytes(room.buf());
        self.ranks[at].start_recv(self.worlds[at], pattern, buffer)
    }
}

fn filled(len: usize, seed: u8) -> Scratch {
    let scratch = Scratch::new(len);
    let bytes: Vec<u8> = (0..len)
        .map(|at| (at as u8).wrapping_mul(7) ^ seed)
        .collect();
    scratch.buf().write(0, &bytes);
    scratch
}

fn bytes(scratch: &Scratch) -> Vec<u8> {
    let mut bytes = vec![0; scratch.buf().len()];
    scratch.buf().read(0, &mut bytes);
    bytes
}

fn from(source: u32, tag: Tag) -> Pattern {
    Pattern {
        source: Some(Rank(source)),
        tag: Some(tag),
    }
}

fn got(source: u32, tag: Tag, bytes: u64) -> Status {
    Status {
        source: Some(Rank(source)),
        tag,
        bytes,
        ..Status::EMPTY
    }
}

fn pending(begun: Started) -> RequestId {
    match begun {
        Started::Pending(request) => request,
        Started::Complete => panic!("complete at once"),
    }
}

#[test]
fn messages_of_every_length_arrive_whole_also_at_oneself() {
    let mut job = Job::calm(2);
    for (to, len) in [
        (1, 0),
        (1, 8),
        (1, 64),
        (1, 65),
        (1, 100_000),
        (0, 8),
        (0, 5000),
    ] {
        let (data, room) = (filled(len, 3), Scratch::new(len));
        let received = job.recv(to as usize, from(0, 5), &room);
        let sent = job.send(0, to, 5, &data, Mode::Standard);
        assert_eq!(sent == Started::Complete, len <= 64);
        let outcome = job.wait(to as usize, received);
        assert_eq!(outcome.status, got(0, 5, len as u64));
        assert_eq!(bytes(&room), bytes(&data));
        if let Started::Pending(sent) = sent {
            assert_eq!(job.wait(0, sent).result, Ok(()));
        }
    }
    assert!(job.ranks[0].is_flushed(1));
    assert_eq!(
        job.ranks[0].open_requests() + job.ranks[1].open_requests(),
        0
    );
}

#[test]
fn a_wild_receive_takes_the_oldest_and_reports_its_source() {
    let mut job = Job::calm(3);
    let data = filled(4, 1);
    for (source, tag) in [(2, 9), (1, i32::MAX.into()), (2, 0)] {
        assert_eq!(
            job.send(source, 0, tag, &data, Mode::Standard),
            Started::Complete
        );
        job.progress();
    }
    let room = Scratch::new(4);
    let mut take = |pattern| {
        let request = job.recv(0, pattern, &room);
        let status = job.wait(0, request).status;
        (status.source.unwrap().0, status.tag)
    };
    let any_of_two = Pattern {
        source: Some(Rank(2)),
        tag: None,
    };
    assert_eq!(take(any_of_two), (2, 9));
    assert_eq!(take(ANY), (1, i32::MAX.into()));
    assert_eq!(take(ANY), (2, 0));
}

#[test]
fn a_receive_of_any_tag_gets_no_message_of_another_communicator() {
    let mut job = Job::calm(2);
    let other = Context(9);
    let peers = vec![PeerId(0), PeerId(1)];
    let theirs = job.ranks[0].open_comm(other, Rank(0), peers.clone());
    let ours = job.ranks[1].open_comm(other, Rank(1), peers);
    let data = filled(3, 9);
    let begun = job.ranks[0].start_send(
        theirs,
        Rank(1),
        4,
        Buffer::bytes(data.buf()),
        Mode::Standard,
    );
    assert_eq!(begun, Started::Complete);
    let room = Scratch::new(3);
    let in_world = job.recv(1, ANY, &room);
    for _ in 0..5 {
        job.progress();
    }
    assert!(!job.ranks[1].is_done(in_world));
    let in_other = job.ranks[1].start_recv(ours, ANY, Buffer::bytes(room.buf()));
    assert_eq!(job.wait(1, in_other).status, got(0, 4, 3));
    job.ranks[1].cancel(in_world);
    assert!(job.wait(1, in_world).status.cancelled);
}

#[test]
fn a_synchronous_send_is_complete_when_it_is_received_and_not_before() {
    acknowledged(Job::calm(2));
    acknowledged(Job::vast());
}

fn acknowledged(mut job: Job) {
    for len in [0, 10, 1000] {
        let (data, room) = (filled(len, 2), Scratch::new(len));
        let first = pending(job.send(0, 1, 7, &data, Mode::Synchronous));
        let second = pending(job.send(0, 1, 7, &data, Mode::Synchronous));
        for _ in 0..5 {
            job.progress();
        }
        assert!(!job.ranks[0].is_done(first));
        // A wild receive at the sender must not take the acknowledgement.
        let wild = job.recv(0, ANY, &room);
        let received = job.recv(1, ANY, &room);
        assert_eq!(job.wait(1, received).status, got(0, 7, len as u64));
        assert_eq!(job.wait(0, first).result, Ok(()));
        assert!(!job.ranks[0].is_done(second));
        let received = job.recv(1, ANY, &room);
        job.wait(1, received);
        assert_eq!(job.wait(0, second).result, Ok(()));
        assert!(!job.ranks[0].is_done(wild));
        job.ranks[0].cancel(wild);
        assert!(job.wait(0, wild).status.cancelled);
    }
    assert_eq!(
        job.ranks[0].open_requests() + job.ranks[1].open_requests(),
        0
    );
}

#[test]
fn what_does_not_fit_is_cut_and_said_and_still_acknowledged() {
    let mut job = Job::calm(2);
    let (data, room) = (filled(300, 4), Scratch::new(100));
    for mode in [Mode::Standard, Mode::Synchronous] {
        let sent = pending(job.send(0, 1, 1, &data, mode));
        let received = job.recv(1, ANY, &room);
        let outcome = job.wait(1, received);
        let cut = Failure::Truncated {
            sent: 300,
            room: 100,
        };
        assert_eq!(outcome.result, Err(cut));
        assert_eq!(outcome.status, got(0, 1, 100));
        assert_eq!(bytes(&room), bytes(&data)[..100]);
        assert_eq!(job.wait(0, sent).result, Ok(()));
    }
}

#[test]
fn buffers_with_gaps_are_packed_and_unpacked() {
    let mut job = Job::calm(2);
    let int = predefined(MPI_INT).unwrap();
    for rows in [3, 400] {
        let column = Arc::new(Datatype::vector(rows, 1, 4, int).unwrap());
        let len = rows as usize * 16;
        let (data, room) = (filled(len, 5), Scratch::new(len));
        let sent = job.ranks[0].start_send(
            job.worlds[0],
            Rank(1),
            2,
            Buffer::over(data.buf(), 1, &column).unwrap(),
            Mode::Standard,
        );
        assert_eq!(sent == Started::Complete, rows * 4 <= 64);
        let into = Buffer::over(room.buf(), 1, &column).unwrap();
        let received = job.ranks[1].start_recv(job.worlds[1], from(0, 2), into);
        assert_eq!(job.wait(1, received).status, got(0, 2, rows as u64 * 4));
        let (data, room) = (bytes(&data), bytes(&room));
        for (at, byte) in room.iter().enumerate() {
            let expected = if at % 16 < 4 { data[at] } else { 0 };
            assert_eq!(*byte, expected, "byte {at}");
        }
        if let Started::Pending(sent) = sent {
            assert_eq!(job.wait(0, sent).result, Ok(()));
        }
    }
}

#[test]
fn probes_report_and_matched_probes_take() {
    probed(Job::calm(2));
    probed(Job::vast());
}

fn probed(mut job: Job) {
    let world = job.worlds[1];
    assert_eq!(job.ranks[1].probe(world, ANY), None);
    assert_eq!(job.ranks[1].matched_probe(world, ANY), None);
    let (first, second) = (filled(80, 6), filled(4, 7));
    let sent = pending(job.send(0, 1, 3, &first, Mode::Synchronous));
    let begun = job.send(0, 1, 3, &second, Mode::Standard);
    assert_eq!(begun, Started::Complete);
    job.progress();
    assert_eq!(job.ranks[1].probe(world, from(0, 4)), None);
    assert_eq!(job.ranks[1].probe(world, from(0, 3)), Some(got(0, 3, 80)));
    let (message, status) = job.ranks[1].matched_probe(world, ANY).unwrap();
    assert_eq!(status, got(0, 3, 80));
    // The message that was taken is not found again, nor received by anybody else.
    assert_eq!(job.ranks[1].probe(world, ANY), Some(got(0, 3, 4)));
    let room = Scratch::new(80);
    let other = job.recv(1, ANY, &room);
    assert_eq!(job.wait(1, other).status, got(0, 3, 4));
    assert!(!job.ranks[0].is_done(sent));
    let buffer = Buffer::bytes(room.buf());
    let taken = job.ranks[1].start_matched_recv(message, buffer.clone());
    assert_eq!(job.wait(1, taken.unwrap()).status, got(0, 3, 80));
    assert_eq!(bytes(&room), bytes(&first));
    assert_eq!(job.wait(0, sent).result, Ok(()));
    assert_eq!(job.ranks[1].start_matched_recv(message, buffer), None);
    assert_eq!(job.ranks[1].open_requests(), 0);
}

#[test]
fn a_detached_request_goes_by_itself() {
    let mut job = Job::calm(2);
    let (data, room) = (filled(200, 8), Scratch::new(200));
    let sent = pending(job.send(0, 1, 3, &data, Mode::Standard));
    job.ranks[0].detach(sent);
    let received = job.recv(1, ANY, &room);
    job.ranks[1].detach(received);
    for _ in 0..5 {
        job.progress();
    }
    assert_eq!(bytes(&room), bytes(&data));
    assert_eq!(
        job.ranks[0].open_requests() + job.ranks[1].open_requests(),
        0
    );
}

#[test]
fn a_dead_peer_ends_what_depends_on_it_and_nothing_else() {
    let mut job = Job::calm(3);
    let (data, room) = (filled(100, 1), Scratch::new(100));
    let to_dead = pending(job.send(0, 1, 1, &data, Mode::Synchronous));
    let from_dead = job.recv(0, from(1, 1), &room);
    let wild = job.recv(0, ANY, &room);
    let alive_room = Scratch::new(100);
    let from_alive = job.recv(0, from(2, 1), &alive_room);
    job.fabric.kill(PeerId(1));
    for request in [to_dead, from_dead, wild] {
        let result = job.wait(0, request).result;
        let of_it = |failure: &Failure| match failure {
            Failure::PeerFailed { peer, .. } => *peer == PeerId(1),
            _ => false,
        };
        assert!(result.as_ref().is_err_and(of_it), "{result:?}");
    }
    assert_eq!(job.ranks[0].failed().len(), 1);
    let late = pending(job.send(0, 1, 1, &data, Mode::Standard));
    assert!(job.wait(0, late).result.is_err());
    let late = job.recv(0, from(1, 1), &room);
    assert!(job.wait(0, late).result.is_err());
    let sent = pending(job.send(2, 0, 1, &data, Mode::Standard));
    assert_eq!(job.wait(0, from_alive).result, Ok(()));
    assert_eq!(bytes(&alive_room), bytes(&data));
    assert_eq!(job.wait(2, sent).result, Ok(()));
    assert_eq!(job.ranks[0].open_requests(), 0);
}

fn is_loss_of(result: &Result<(), Failure>, lost: u32) -> bool {
    matches!(result, Err(Failure::PeerFailed { peer, .. }) if *peer == PeerId(lost))
}

/// A network that does not report a dead peer, as `ofi_rxm` where a long message was not fetched.
#[test]
fn a_send_to_a_dead_peer_ends_without_the_network_which_keeps_what_it_may_read() {
    let mut job = Job::calm(3);
    let int = predefined(MPI_INT).unwrap();
    let column = Arc::new(Datatype::vector(100, 1, 4, int).unwrap());
    let data = filled(1600, 1);
    let gaps = Buffer::over(data.buf(), 1, &column).unwrap();
    let world = job.worlds[0];
    let packed = pending(job.ranks[0].start_send(world, Rank(1), 1, gaps, Mode::Standard));
    let plain = pending(job.send(0, 1, 1, &data, Mode::Synchronous));
    let detached = pending(job.send(0, 1, 1, &data, Mode::Standard));
    job.ranks[0].detach(detached);
    let alive = pending(job.send(0, 2, 1, &data, Mode::Standard));
    assert!(!job.ranks[0].is_flushed(1));
    // Only the launcher reports the death; the network never does.
    job.ranks[0].peer_failed(PeerId(1), "the launcher says so");
    let counters = job.ranks[0].counters();
    let dead = counters.peer(PeerId(1));
    assert_eq!((dead.messages.get(), dead.bytes.get()), (3, 400 + 2 * 1600));
    assert_eq!(counters.peers_failed.get(), 1);
    for request in [packed, plain] {
        assert!(job.ranks[0].is_done(request));
        let outcome = job.ranks[0].outcome(request).unwrap();
        assert!(is_loss_of(&outcome.result, 1), "{outcome:?}");
        assert_eq!(job.ranks[0].outcome(request), None);
    }
    assert!(!job.ranks[0].is_done(alive));
    // Memory that the network may read stays: the packed copy above all.
    let lent = |job: &Job| {
        let requests = job.ranks[0].state.requests.iter();
        let lent = requests.filter(|(_, request)| request.abandoned);
        let copies = lent.map(|(_, request)| request.packed.is_some());
        copies.fold((0, 0), |(all, packed), has| {
            (all + 1, packed + usize::from(has))
        })
    };
    assert_eq!(lent(&job), (3, 1));
    let room = Scratch::new(1600);
    let received = job.recv(2, ANY, &room);
    assert_eq!(job.wait(2, received).result, Ok(()));
    assert_eq!(job.wait(0, alive).result, Ok(()));
    // The receive of the acknowledgement was given back.
    assert_eq!(job.ranks[0].open_requests(), 0);
    assert!(job.ranks[0].is_flushed(1));
    // The network reports the death at last. It is not reported a second time.
    job.fabric.kill(PeerId(1));
    job.progress();
    assert_eq!(lent(&job), (0, 0));
    assert_eq!(job.ranks[0].state.requests.len(), 0);
    assert!(job.ranks[0].is_flushed(1));
    assert_eq!(job.ranks[0].failed().len(), 1);
}

#[test]
fn a_receive_that_names_a_dead_peer_ends_also_where_the_network_keeps_it() {
    let mut job = Job::calm(3);
    let rooms = [Scratch::new(100), Scratch::new(100), Scratch::new(100)];
    job.fabric.seize(PeerId(0));
    let named = job.recv(0, from(1, 1), &rooms[0]);
    let wild = job.recv(0, ANY, &rooms[1]);
    let other = job.recv(0, from(2, 1), &rooms[2]);
    job.ranks[0].peer_failed(PeerId(1), "the launcher says so");
    assert!(!job.ranks[0].is_done(named));
    job.out_of_patience(0);
    let outcome = job.ranks[0].outcome(named).unwrap();
    assert!(is_loss_of(&outcome.result, 1), "{outcome:?}");
    // Somebody alive may be writing to the memory of the one from any source.
    assert!(!job.ranks[0].is_done(wild) && !job.ranks[0].is_done(other));
    assert_eq!(job.ranks[0].open_requests(), 2);
    // The dead peer's message comes all the same: it is not reported.
    let data = filled(100, 4);
    let late = pending(job.send(1, 0, 1, &data, Mode::Standard));
    assert_eq!(job.wait(1, late).result, Ok(()));
    job.progress();
    assert_eq!(job.ranks[0].outcome(named), None);
    assert_eq!(job.ranks[0].state.orphans, 0);
    for request in [wild, other] {
        let sent = pending(job.send(2, 0, 1, &data, Mode::Standard));
        assert_eq!(job.wait(0, request).status, got(2, 1, 100));
        assert_eq!(job.wait(2, sent).result, Ok(()));
    }
    assert_eq!(job.ranks[0].state.requests.len(), 0);
}

#[test]
fn a_message_that_was_claimed_can_be_received_after_its_sender_died_and_ends_in_any_case() {
    let mut job = Job::calm(2);
    let world = job.worlds[1];
    let data = filled(80, 6);
    for _ in 0..2 {
        let sent = pending(job.send(0, 1, 3, &data, Mode::Standard));
        job.progress();
        job.progress();
        assert_eq!(job.wait(0, sent).result, Ok(()));
    }
    let (here, _) = job.ranks[1].matched_probe(world, ANY).unwrap();
    let (cut, _) = job.ranks[1].matched_probe(world, ANY).unwrap();
    job.ranks[1].peer_failed(PeerId(0), "the launcher says so");
    let room = Scratch::new(80);
    let take = |job: &mut Job, message| {
        let buffer = Buffer::bytes(room.buf());
        job.ranks[1].start_matched_recv(message, buffer).unwrap()
    };
    let taken = take(&mut job, here);
    assert_eq!(job.wait(1, taken).result, Ok(()));
    assert_eq!(job.ranks[1].reclaim(Duration::ZERO), 0);
    assert_eq!(bytes(&room), bytes(&data));
    job.fabric.seize(PeerId(1));
    let taken = take(&mut job, cut);
    job.out_of_patience(1);
    let outcome = job.ranks[1].outcome(taken).unwrap();
    assert!(is_loss_of(&outcome.result, 0));
    assert_eq!(job.ranks[1].open_requests(), 0);
}

#[test]
fn a_receive_that_breaks_off_is_blamed_on_the_sender_that_it_names() {
    let mut job = Job::calm(2);
    let room = Scratch::new(100);
    let named = job.recv(0, from(1, 1), &room);
    job.fabric.break_receives(PeerId(0));
    let result = job.wait(0, named).result;
    assert!(is_loss_of(&result, 1), "{result:?}");
    let again = job.recv(0, from(1, 1), &room);
    assert!(is_loss_of(&job.wait(0, again).result, 1));
}

#[test]
fn communicators_that_look_alike_are_refused_and_never_mixed_up() {
    let mut job = Job::calm(2);
    let peers = vec![PeerId(0), PeerId(1)];
    // Folded to the same bits as the world.
    let alike = Context(8 | 1 << 40);
    let (data, room) = (filled(8, 1), Scratch::new(8));
    let refused = job.ranks[0].open_comm(alike, Rank(0), peers.clone());
    let buffer = Buffer::bytes(data.buf());
    let sent = pending(job.ranks[0].start_send(refused, Rank(1), 1, buffer, Mode::Standard));
    let is_refused = |result: Result<(), Failure>| matches!(result, Err(Failure::Refused { .. }));
    assert!(is_refused(job.wait(0, sent).result));
    let received = job.ranks[0].start_recv(refused, ANY, Buffer::bytes(room.buf()));
    assert!(is_refused(job.wait(0, received).result));
    assert_eq!(job.ranks[0].probe(refused, ANY), Some(Status::EMPTY));
    // A sender that has only the other one open: the note distinguishes them.
    let world = job.worlds[0];
    job.ranks[0].close_comm(refused);
    job.ranks[0].close_comm(world);
    let other = job.ranks[0].open_comm(alike, Rank(0), peers);
    let buffer = Buffer::bytes(data.buf());
    let begun = job.ranks[0].start_send(other, Rank(1), 1, buffer, Mode::Standard);
    assert_eq!(begun, Started::Complete);
    let received = job.recv(1, ANY, &room);
    assert!(is_refused(job.wait(1, received).result));
}

#[test]
fn a_message_that_no_network_takes_is_refused() {
    let mut job = Job::calm(2);
    let data = Scratch::new((1 << 20) + 1);
    let sent = pending(job.send(0, 1, 1, &data, Mode::Standard));
    let result = job.wait(0, sent).result.unwrap_err().to_string();
    assert!(result.contains("1048577 bytes"), "{result}");
    // A receive may be larger: it gets what comes.
    let received = job.recv(1, ANY, &data);
    let small = filled(8, 1);
    assert_eq!(job.send(0, 1, 1, &small, Mode::Standard), Started::Complete);
    assert_eq!(job.wait(1, received).status, got(0, 1, 8));
}

#[test]
fn traffic_over_a_busy_network_keeps_order_and_loses_nothing() {
    for seed in 0..60 {
        let busy = Config {
            seed,
            arrive_percent: 60,
            busy_percent: 30,
            ..Config::calm(3)
        };
        let mut undirected = busy.clone();
        undirected.caps.directed = false;
        let mut vast = busy;
        vast.caps.label_bits = 45;
        play(seed, undirected);
        play(seed, vast);
    }
}

/// Random traffic of all modes and lengths among three ranks: each pair's messages of a tag are
/// received in order, some of them through matched probes.
fn play(seed: u64, config: Config) {
    let mut random = Random::new(seed);
    let mut job = Job::new(config);
    let mut sends = Vec::new();
    let mut receives = Vec::new();
    for number in 0..120_u8 {
        let (source, to) = (random.index(3), random.index(3));
        let tag = random.below(3) as Tag;
        let data = filled(random.index(200), number);
        let mode = match random.chance(30) {
            true => Mode::Synchronous,
            false => Mode::Standard,
        };
        let begun = job.send(source, to as u32, tag, &data, mode);
        let room = Scratch::new(200);
        receives.push((to, from(source as u32, tag), bytes(&data), room));
        sends.push((source, begun, data));
        if random.chance(50) {
            job.progress();
        }
    }
    let mut posted = Vec::new();
    for (at, pattern, expected, room) in receives {
        let world = job.worlds[at];
        let buffer = Buffer::bytes(room.buf());
        // What was posted before comes first: a probe sees nothing of it.
        let probed = match random.chance(20) {
            true => job.ranks[at].matched_probe(world, pattern),
            false => None,
        };
        let request = match probed {
            Some((message, status)) => {
                assert_eq!(status.bytes, expected.len() as u64, "seed {seed}");
                job.ranks[at].start_matched_recv(message, buffer).unwrap()
            }
            None => job.ranks[at].start_recv(world, pattern, buffer),
        };
        posted.push((at, request, pattern, expected, room));
        if random.chance(30) {
            job.progress();
        }
    }
    for (at, request, pattern, expected, room) in posted {
        let outcome = job.wait(at, request);
        assert_eq!(outcome.result, Ok(()), "seed {seed}");
        let (source, tag) = (pattern.source.unwrap().0, pattern.tag.unwrap());
        assert_eq!(outcome.status, got(source, tag, expected.len() as u64));
        assert_eq!(bytes(&room)[..expected.len()], expected, "seed {seed}");
    }
    for (source, begun, _data) in sends {
        if let Started::Pending(request) = begun {
            assert_eq!(job.wait(source, request).result, Ok(()), "seed {seed}");
        }
    }
    for _ in 0..50 {
        job.progress();
    }
    for (at, rank) in job.ranks.iter_mut().enumerate() {
        assert!(rank.is_flushed(1) && rank.open_requests() == 0, "rank {at}");
        assert_eq!(job.fabric.queues(PeerId(at as u32)), (0, 0), "seed {seed}");
    }
}

/// Instances over a matching network in memory.
struct InMemory {
    config: Config,
    fabric: Option<Fabric>,
}

impl InMemory {
    fn over(config: Config) -> InMemory {
        InMemory {
            config,
            fabric: None,
        }
    }
}

impl pml::conformance::Fixture for InMemory {
    type Layer = Cm;

    fn open(&mut self, n: usize) -> Vec<Cm> {
        let size = n;
        let (fabric, ranks) = opened(Config {
            size,
            ..self.config.clone()
        });
        self.fabric = Some(fabric);
        ranks
    }

    fn tick(&mut self) {}

    fn kill(&mut self, victim: usize) {
        let fabric = self.fabric.as_ref().expect("opened");
        fabric.kill(PeerId(victim as u32));
    }

    fn boundaries(&self) -> Vec<usize> {
        vec![self.config.caps.inject_max, 4096]
    }
}

/// Instances over a matching network in memory, each with the layer `trace` over it.
struct Traced(InMemory);

impl pml::conformance::Fixture for Traced {
    type Layer = vprotocol_trace::Trace<Cm>;

    fn open(&mut self, n: usize) -> Vec<vprotocol_trace::Trace<Cm>> {
        let layers = self.0.open(n).into_iter();
        let over = |layer| vprotocol_trace::Trace::over(layer, false);
        layers.map(over).collect()
    }

    fn tick(&mut self) {
        self.0.tick();
    }

    fn kill(&mut self, victim: usize) {
        self.0.kill(victim);
    }

    fn boundaries(&self) -> Vec<usize> {
        self.0.boundaries()
    }
}

/// A layer over the layer keeps the contract.
mod traced {
    use mtl::sim::Config;

    pml::conformance_tests!(super::Traced(super::InMemory::over(Config::calm(2))));
}

mod calm {
    use mtl::sim::Config;

    pml::conformance_tests!(super::InMemory::over(Config::calm(2)));
}

/// Messages arrive late, and the network is busy now and then.
mod busy {
    use mtl::sim::Config;

    pml::conformance_tests!(super::InMemory::over(Config {
        seed: 5,
        arrive_percent: 60,
        busy_percent: 30,
        ..Config::calm(2)
    }));
}

/// Labels and what goes beside them have bits for senders that there are not. The acknowledgement
/// for such a one was queued at an index behind the table of peers.
#[test]
fn a_message_of_a_process_that_there_is_not_is_refused() {
    for mut job in [Job::calm(3), Job::vast()] {
        let room = Scratch::new(10);
        let posted = job.recv(0, ANY, &room);
        let state = &mut job.ranks[0].state;
        let comm = state.comms.get(job.worlds[0].key()).expect("open");
        let nobody = PeerId(3);
        let bits = comm.bits | state.layout.sender(nobody) | state.layout.synchronous();
        let envelope = mtl::Envelope {
            from: Some(nobody),
            bits,
            note: Some(comm.note),
            len: 4,
        };
        let token = mtl::Token(posted.bits());
        mtl::Sink::received(state, token, Ok(envelope));
        let outcome = job.ranks[0].outcome(posted).expect("complete");
        let Err(Failure::Refused { why }) = outcome.result else {
            panic!("{outcome:?}");
        };
        assert!(why.contains("of a process that is not in it"), "{why}");
        assert!(!job.ranks[0].state.has_queued());
    }
}
