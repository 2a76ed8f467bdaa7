use super::*;
use crate::job::TERM_TO_KILL_FAILED;

/// A job with a first part of two, and shorthands for events.
struct Play {
    parts: Parts,
    now: Instant,
    /// Whether its next parts go on without processes that die.
    policy: FailurePolicy,
}

fn programs(count: u32) -> Vec<String> {
    (0..count).map(|_| "prog".to_string()).collect()
}

/// A job of two processes that both use MPI.
fn play() -> Play {
    play_with(Job::new(programs(2), None, Instant(0)))
}

fn play_with(job: Job) -> Play {
    let mut play = Play {
        parts: Parts::new(job, 2),
        now: Instant(0),
        policy: FailurePolicy::End,
    };
    for number in 0..2 {
        play.start(number);
        assert_eq!(play.hello(number), []);
    }
    play
}

impl Play {
    fn on(&mut self, event: Event) -> Vec<Action> {
        self.parts.on(event, self.now)
    }

    fn start(&mut self, rank: u32) {
        let pid = 100 + rank;
        assert_eq!(self.on(Event::Started { rank, pid }), []);
    }

    fn hello(&mut self, rank: u32) -> Vec<Action> {
        let pid = 100 + rank;
        self.on(Event::Hello { rank, pid })
    }

    fn exit(&mut self, rank: u32, how: How) -> Vec<Action> {
        self.on(Event::Exited { rank, how })
    }

    fn finalize(&mut self, rank: u32) {
        assert_eq!(self.on(Event::Finalize { rank }), []);
    }

    /// Process 0 asks for a part of two, which is started. Returns its first number.
    fn spawn(&mut self, members: &[u32]) -> u32 {
        let first = self.parts.next();
        let request = PartRequest {
            number: 0,
            ticket: 7,
            members: members.to_vec(),
            programs: vec![0, 1],
            policy: self.policy,
        };
        let job = Job::new(programs(2), None, self.now).as_part(2);
        self.parts.add(job, request);
        self.start(first);
        self.start(first + 1);
        first
    }

    /// A part of two that has arrived.
    fn child(&mut self, members: &[u32]) -> u32 {
        let first = self.spawn(members);
        assert_eq!(self.hello(first), []);
        let [Action::Spawned {
            number: 0,
            ticket: 7,
            outcome: Ok(part),
        }] = &self.hello(first + 1)[..]
        else {
            panic!("an answer")
        };
        assert_eq!(*part, Outcome { first, count: 2 });
        first
    }

    fn meet(&mut self, rank: u32, members: &[u32]) -> Vec<Action> {
        let meet = Meet {
            ticket: 40 + rank,
            members: members.to_vec(),
            key: b"k".to_vec(),
            value: vec![rank as u8],
        };
        self.on(Event::Meet { rank, meet })
    }
}

/// The parts that get SIGTERM.
fn ended(actions: &[Action]) -> Vec<u32> {
    let term = actions.iter().filter_map(|action| match action {
        Action::Signal { first, signal: 15 } => Some(*first),
        _ => None,
    });
    term.collect()
}

fn said(actions: &[Action]) -> Vec<&str> {
    let texts = actions.iter().filter_map(|action| match action {
        Action::Say(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

fn refusal(actions: &[Action]) -> &Refusal {
    let found = actions.iter().find_map(|action| match action {
        Action::Spawned {
            outcome: Err(refusal),
            ..
        } => Some(refusal),
        _ => None,
    });
    found.expect("a refusal")
}

#[test]
fn parts_have_fences_of_their_own_and_meet() {
    let mut play = play();
    let first = play.child(&[0, 1]);
    assert_eq!(first, 2);
    let fence = |rank| Event::Fence {
        rank,
        entries: vec![rank as u8],
    };
    assert_eq!(play.on(fence(3)), []);
    assert_eq!(play.on(fence(0)), []);
    let [Action::Release { first: 2, body }] = &play.on(fence(2))[..] else {
        panic!("the part's release")
    };
    // Ranks count within the part.
    assert_eq!(body[..9], [0, 0, 0, 0, 1, 0, 0, 0, 2]);
    assert_eq!(play.on(fence(1)).len(), 1);

    assert_eq!(play.meet(2, &[0, 2]), []);
    let [Action::Met { tickets, values }] = &play.meet(0, &[0, 2])[..] else {
        panic!("a meeting of both parts")
    };
    assert_eq!(tickets, &[(0, 40), (2, 42)]);
    assert_eq!(values, &[vec![0], vec![2]]);
    assert_eq!(play.meet(3, &[2, 3]), []);
    let [Action::Met { tickets, .. }] = &play.meet(2, &[2, 3])[..] else {
        panic!("a meeting of the later part")
    };
    assert_eq!(tickets, &[(2, 42), (3, 43)]);

    for rank in 0..4 {
        play.finalize(rank);
    }
    assert_eq!(play.exit(2, How::Code(0)), []);
    assert_eq!(play.exit(3, How::Code(0)), [Action::Forget { first: 2 }]);
    assert_eq!(play.parts.finished(), None);
    play.exit(0, How::Code(0));
    play.exit(1, How::Code(0));
    assert_eq!(play.parts.finished(), Some(0));
}

/// However a process ends before all have said hello: the spawner gets the reason, the others of
/// the part are ended, the user reads nothing, and the rest of the job goes on.
#[test]
fn a_part_that_does_not_arrive_is_the_spawners_error() {
    for (how, text) in [
        (How::Code(0), "exited with code 0 before MPI_Init"),
        (How::Code(3), "exited with code 3"),
        (How::Signal(11), "was killed by signal 11"),
    ] {
        for greeted in [false, true] {
            let mut play = play();
            let first = play.spawn(&[0]);
            if greeted {
                play.hello(first);
            }
            let actions = play.exit(first + 1, how);
            assert_eq!(ended(&actions), [first], "{text}");
            assert_eq!(said(&actions), [""; 0]);
            let refusal = refusal(&actions);
            assert!(refusal.reason.contains(text), "{}", refusal.reason);
            assert!(
                refusal.reason.contains("rank 1 of part 2"),
                "{}",
                refusal.reason
            );
            assert_eq!(refusal.program, Some(1));
            let over = play.exit(first, How::Signal(15));
            assert_eq!(over, [Action::Forget { first }]);
            for rank in 0..2 {
                play.finalize(rank);
                play.exit(rank, How::Code(0));
            }
            assert_eq!(play.parts.finished(), Some(0));
        }
    }
}

#[test]
fn a_host_that_cannot_start_a_part_refuses_it_alone() {
    let mut play = play();
    let first = play.spawn(&[0]);
    let text = "program ./x: not found".to_string();
    let ranks = vec![first + 1];
    let actions = play.on(Event::Refused { ranks, text });
    assert_eq!(ended(&actions), [first]);
    assert_eq!(refusal(&actions).reason, "program ./x: not found");
}

#[test]
fn a_failure_ends_what_is_connected() {
    let kill = How::Signal(9);
    // A child, a parent that was at the spawn, and one that was not: all connected.
    for victim in [2, 0, 1] {
        let mut play = play();
        play.child(&[0]);
        let grandchild = play.child(&[0]);
        let actions = play.exit(victim, kill);
        assert_eq!(said(&actions).len(), 1);
        let mut parts = ended(&actions);
        parts.sort_unstable();
        assert_eq!(parts, [0, 2, grandchild], "victim {victim}");
        for rank in (0..6).filter(|rank| *rank != victim) {
            play.exit(rank, How::Signal(15));
        }
        assert_eq!(play.parts.finished(), Some(137));
    }
}

/// Checks that a job whose processes are replaced when they die ends well, also where a part of it
/// is lost whole, and that the user reads once what was lost.
#[test]
fn processes_that_others_take_the_place_of_are_losses() {
    let kill = How::Signal(9);
    for survivor in [true, false] {
        let mut play =
            play_with(Job::new(programs(2), None, Instant(0)).with_policy(FailurePolicy::GoOn));
        play.policy = FailurePolicy::GoOn;
        let first = play.child(&[0]);
        play.exit(1, kill);
        play.exit(first, kill);
        play.exit(first + 1, kill);
        assert_eq!(play.parts.finished(), None);
        play.finalize(0);
        let actions = match survivor {
            true => play.exit(0, How::Code(0)),
            false => play.exit(0, kill),
        };
        let end = "the job lost rank 1, ranks 0-1 of part 2; all others ended well";
        match survivor {
            true => assert_eq!(said(&actions), [end]),
            false => assert!(!said(&actions)[0].contains("lost")),
        }
        let code = if survivor { 0 } else { 137 };
        assert_eq!(play.parts.finished(), Some(code));
    }
}

#[test]
fn a_failure_after_a_disconnect_is_the_parts_own() {
    let kill = How::Signal(9);
    let mut play = play();
    let first = play.child(&[0, 1]);
    // One side alone is no disconnect of the others.
    play.parts.unlink(first, first);
    play.parts.unlink(0, first);
    play.parts.unlink(1, first);
    let actions = play.exit(first, kill);
    assert_eq!(ended(&actions), [first]);
    assert!(said(&actions)[0].contains("rank 0 of part 2"));
    play.exit(first + 1, How::Signal(15));
    for rank in 0..2 {
        play.finalize(rank);
        play.exit(rank, How::Code(0));
    }
    assert_eq!(play.parts.finished(), Some(137), "mpirun does not hide it");
}

#[test]
fn who_has_finalized_is_connected_no_more() {
    let mut play = play();
    let first = play.child(&[0, 1]);
    play.finalize(0);
    play.finalize(1);
    let actions = play.exit(first, How::Signal(9));
    assert_eq!(ended(&actions), [first]);
}

#[test]
fn a_meeting_with_a_process_that_has_ended_is_over() {
    let mut play = play();
    let first = play.child(&[0]);
    assert_eq!(play.meet(0, &[0, first]), []);
    let actions = play.on(Event::Finalize { rank: first });
    let [Action::Unmet {
        number: 0,
        ticket: 40,
        why,
    }] = &actions[..]
    else {
        panic!("the end of the meeting: {actions:?}")
    };
    assert!(why.contains("rank 0 of part 2"), "{why}");
    // Nor does one begin with a process that is not there.
    assert!(matches!(
        play.meet(0, &[0, first])[..],
        [Action::Unmet { .. }]
    ));
}

#[test]
fn the_users_wish_and_the_time_limit_end_all_parts() {
    let mut play = play();
    let first = play.child(&[0]);
    play.parts.unlink(0, first);
    let actions = play.on(Event::Interrupted { signal: 15 });
    assert_eq!(ended(&actions), [0, first]);
    assert_eq!(said(&actions).len(), 1, "the user reads it once");

    let limit = std::time::Duration::from_secs(1);
    let job = Job::new(programs(2), Some(limit), Instant(0));
    let mut play = Play {
        parts: Parts::new(job, 2),
        ..play
    };
    for number in 0..2 {
        play.start(number);
        play.hello(number);
    }
    let first = play.child(&[0]);
    play.parts.unlink(0, first);
    play.now = play.parts.deadline().unwrap();
    let actions = play.on(Event::Time);
    assert_eq!(ended(&actions), [0, first]);
    play.now = play.now.after(TERM_TO_KILL_FAILED);
    let kills = play.on(Event::Time);
    let kill = |first| Action::Signal { first, signal: 9 };
    assert_eq!(kills, [kill(0), kill(first)]);
}

#[test]
fn only_a_process_that_uses_mpi_may_spawn() {
    let mut play = play();
    assert!(play.parts.may_spawn(1));
    assert!(!play.parts.may_spawn(2));
    play.finalize(1);
    assert!(!play.parts.may_spawn(1));
}
