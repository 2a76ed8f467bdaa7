use super::*;

const RESTART: FailurePolicy = FailurePolicy::Restart { copies_logs: false };

/// A job, its time in milliseconds, and shorthands for events.
struct Play {
    job: Job,
    now: Instant,
}

fn play(ranks: u32) -> Play {
    let programs = (0..ranks).map(|_| "prog".to_string()).collect();
    let mut play = Play {
        job: Job::new(programs, None, Instant(0)),
        now: Instant(0),
    };
    for rank in 0..ranks {
        assert_eq!(
            play.on(Event::Started {
                rank,
                pid: 100 + rank
            }),
            []
        );
    }
    play
}

impl Play {
    fn on(&mut self, event: Event) -> Vec<Action> {
        self.job.on(event, self.now)
    }

    fn later(&mut self, millis: u64) -> &mut Play {
        self.now = self.now.after(Duration::from_millis(millis));
        self
    }

    fn hello(&mut self, rank: u32) {
        let pid = 100 + rank;
        assert_eq!(self.on(Event::Hello { rank, pid }), []);
    }

    fn fence(&mut self, rank: u32, entries: &[u8]) -> Vec<Action> {
        self.on(Event::Fence {
            rank,
            entries: entries.to_vec(),
        })
    }

    fn exit(&mut self, rank: u32, how: How) -> Vec<Action> {
        self.on(Event::Exited { rank, how })
    }

    fn code(&mut self, rank: u32, code: i32) -> Vec<Action> {
        self.exit(rank, How::Code(code))
    }
}

/// Asserts that the actions end the job, and returns the text for the user.
fn ending(actions: &[Action]) -> &str {
    match actions {
        [Action::Say(text), Action::SignalAll { signal: 15 }, Action::SignalAll { signal: 18 }] => {
            text
        }
        other => panic!("no ending: {other:?}"),
    }
}

#[test]
fn a_whole_job_from_start_to_end() {
    let mut play = play(2);
    play.hello(0);
    play.hello(1);
    assert_eq!(play.fence(1, b"bb"), []);
    let [Action::Release { body }] = &play.fence(0, b"")[..] else {
        panic!("a release")
    };
    // Rank 0 published nothing and is not in it.
    assert_eq!(body, &[1, 0, 0, 0, 2, 0, 0, 0, b'b', b'b']);
    for rank in [0, 1] {
        assert_eq!(play.on(Event::Finalize { rank }), []);
        assert_eq!(play.job.finished(), None);
        assert_eq!(play.code(rank, 0), []);
    }
    assert_eq!(play.job.finished(), Some(0));
}

#[test]
fn programs_without_mpi_come_and_go() {
    let mut play = play(3);
    assert!((0..3).all(|rank| play.code(rank, 0).is_empty()));
    assert_eq!(play.job.finished(), Some(0));
}

#[test]
fn the_first_failure_decides_and_is_the_only_one_reported() {
    let mut play = play(4);
    let first = play.exit(2, How::Signal(11));
    assert_eq!(
        ending(&first),
        "rank 2 (pid 102, prog) was killed by signal 11 (SIGSEGV)"
    );
    assert_eq!(play.code(0, 9), []);
    assert_eq!(
        play.on(Event::Abort {
            rank: 1,
            code: 3,
            in_doubt: true,
            reason: String::new()
        }),
        []
    );
    assert_eq!(play.exit(1, How::Signal(15)), []);
    assert_eq!(play.job.finished(), None);
    assert_eq!(play.code(3, 0), []);
    assert_eq!(play.job.finished(), Some(139));
}

#[test]
fn who_does_not_heed_sigterm_is_killed() {
    let mut play = play(2);
    ending(&play.code(0, 5));
    assert_eq!(play.job.deadline(), Some(Instant(250_000_000)));
    assert_eq!(play.later(249).on(Event::Time), []);
    assert_eq!(
        play.later(1).on(Event::Time),
        [Action::SignalAll { signal: 9 }]
    );
    assert_eq!(play.exit(1, How::Signal(9)), []);
    assert_eq!(play.job.finished(), Some(5));
}

#[test]
fn what_even_sigkill_does_not_end_is_left_behind_with_a_word() {
    let mut play = play(2);
    ending(&play.code(0, 5));
    play.later(250).on(Event::Time);
    let [Action::Say(text)] = &play.later(5000).on(Event::Time)[..] else {
        panic!("a word")
    };
    assert!(text.contains("rank 1"), "{text}");
    assert_eq!(play.job.finished(), Some(5));
}

#[test]
fn an_abort_gives_its_code_and_reason_on_one_line() {
    for (code, exit) in [(5, 5), (0, 1), (256, 1), (-1, 255), (511, 255)] {
        let mut play = play(1);
        play.hello(0);
        let reason = "out of\ncheese".to_string();
        let actions = play.on(Event::Abort {
            rank: 0,
            code,
            in_doubt: true,
            reason,
        });
        let said =
            format!("rank 0 (pid 100, prog) called MPI_Abort with code {code}: out of cheese");
        assert_eq!(ending(&actions), said);
        play.exit(0, How::Code(code & 0xff));
        assert_eq!(play.job.finished(), Some(exit), "code {code}");
    }
}

/// An abort waited for 0.1 s, and for 0.5 s between hosts, whether another rank had died; a program
/// that has met no error calls it for a reason of its own.
#[test]
fn an_abort_without_an_error_ends_the_job_at_once() {
    let mut here = play(4);
    (0..4).for_each(|rank| here.hello(rank));
    for mut play in [here, spread()] {
        let actions = play.on(Event::Abort {
            rank: 1,
            code: 3,
            in_doubt: false,
            reason: String::new(),
        });
        assert!(ending(&actions).ends_with("called MPI_Abort with code 3"));
        assert!(actions.contains(&Action::SignalAll { signal: 15 }));
    }
}

/// Two ranks at work, of which rank 1 has just given up.
fn doubtful() -> Play {
    let mut play = play(3);
    (0..3).for_each(|rank| play.hello(rank));
    let reason = "lost a peer".to_string();
    assert_eq!(
        play.on(Event::Abort {
            rank: 1,
            code: 3,
            in_doubt: true,
            reason
        }),
        []
    );
    assert_eq!(play.job.deadline(), Some(Instant(0).after(DOUBT)));
    assert_eq!(play.code(1, 3), [], "how it goes adds nothing");
    play
}

#[test]
fn giving_up_is_blamed_on_a_rank_that_was_killed() {
    let mut play = doubtful();
    let actions = play.later(50).exit(0, How::Signal(11));
    assert!(ending(&actions).starts_with("rank 0 (pid 100, prog) was killed by signal 11"));
    play.code(2, 0);
    assert_eq!(play.job.finished(), Some(139));
}

#[test]
fn giving_up_stands_when_nobody_was_killed() {
    let mut play = doubtful();
    assert_eq!(play.later(99).on(Event::Time), []);
    let actions = play.later(1).on(Event::Time);
    assert!(ending(&actions).contains("rank 1 (pid 101, prog) called MPI_Abort"));

    let mut play = doubtful();
    assert_eq!(play.code(0, 1), [], "another that gives up is no cause");
    let actions = play.on(Event::Finalize { rank: 2 });
    assert!(
        ending(&actions).contains("rank 1"),
        "nobody is left to wait for"
    );
    play.code(2, 0);
    assert_eq!(play.job.finished(), Some(3));
}

#[test]
fn a_signal_to_the_launcher_ends_doubt() {
    let mut play = doubtful();
    let actions = play.on(Event::Interrupted { signal: 15 });
    assert!(ending(&actions).contains("SIGTERM"));
    assert_eq!(play.later(100).on(Event::Time), []);
    play.code(0, 0);
    play.code(2, 0);
    assert_eq!(play.job.finished(), Some(143));
}

#[test]
fn leaving_without_finalize_is_a_failure_where_there_are_others() {
    let mut lonely = play(1);
    lonely.hello(0);
    assert_eq!(lonely.code(0, 0), []);
    assert_eq!(lonely.job.finished(), Some(0));

    let mut play = play(2);
    play.hello(0);
    play.hello(1);
    assert!(ending(&play.code(1, 0)).contains("rank 1 (pid 101, prog) exited with code 0 without"));
    play.code(0, 0);
    assert_eq!(play.job.finished(), Some(1));
}

#[test]
fn a_fence_with_somebody_who_is_gone_fails_whoever_comes_first() {
    let mut gone_first = play(2);
    gone_first.code(0, 0);
    gone_first.hello(1);
    let said = gone_first.fence(1, b"");
    assert!(ending(&said).contains("rank 0 (pid 100, prog) exited while others wait"));

    let mut fence_first = play(2);
    fence_first.hello(1);
    assert_eq!(fence_first.fence(1, b""), []);
    assert!(ending(&fence_first.code(0, 0)).contains("rank 0"));
}

#[test]
fn a_script_may_run_one_program_after_the_other() {
    let mut play = play(2);
    for _ in 0..2 {
        play.hello(0);
        play.hello(1);
        assert_eq!(play.fence(0, b""), []);
        assert_eq!(play.fence(1, b"").len(), 1);
        play.on(Event::Finalize { rank: 0 });
        play.on(Event::Finalize { rank: 1 });
    }
}

#[test]
fn two_programs_of_one_rank_at_once_are_refused() {
    let mut play = play(2);
    play.hello(0);
    let said = play.on(Event::Hello { rank: 0, pid: 555 });
    assert!(ending(&said).contains("process 555 called MPI_Init before process 100"));
}

#[test]
fn words_out_of_turn_end_the_job() {
    let turns: [fn(&mut Play) -> Vec<Action>; 4] = [
        |play| play.fence(0, b""),
        |play| play.on(Event::Finalize { rank: 0 }),
        |play| {
            play.hello(0);
            play.fence(0, b"");
            play.fence(0, b"")
        },
        |play| {
            play.on(Event::Malformed {
                rank: 0,
                detail: "it sent junk".into(),
            })
        },
    ];
    for turn in turns {
        let mut play = play(2);
        assert!(ending(&turn(&mut play)).starts_with("rank 0 (pid 100, prog) cannot go on"));
        play.code(0, 0);
        play.code(1, 0);
        assert_eq!(play.job.finished(), Some(1));
    }
}

#[test]
fn a_signal_to_the_launcher_ends_the_job_and_a_second_one_kills() {
    let mut play = play(2);
    let actions = play.on(Event::Interrupted { signal: 15 });
    assert_eq!(ending(&actions), "ending the job: got signal 15 (SIGTERM)");
    assert_eq!(play.job.deadline(), Some(Instant(1_000_000_000)));
    let again = play.on(Event::Interrupted { signal: 15 });
    assert_eq!(again, [Action::SignalAll { signal: 9 }]);
    play.exit(0, How::Signal(9));
    play.exit(1, How::Signal(9));
    assert_eq!(play.job.finished(), Some(143));
}

#[test]
fn ctrl_c_is_not_commented() {
    let mut play = play(1);
    let actions = play.on(Event::Interrupted { signal: 2 });
    assert!(!actions
        .iter()
        .any(|action| matches!(action, Action::Say(_))));
    play.exit(0, How::Signal(15));
    assert_eq!(play.job.finished(), Some(130));
}

#[test]
fn the_time_limit_ends_the_job() {
    let limit = Some(Duration::from_millis(1500));
    let mut job = Job::new(vec!["prog".into()], limit, Instant(7));
    job.on(Event::Started { rank: 0, pid: 1 }, Instant(7));
    assert_eq!(job.deadline(), Some(Instant(1_500_000_007)));
    assert_eq!(job.on(Event::Time, Instant(1_500_000_006)), []);
    let actions = job.on(Event::Time, Instant(1_500_000_007));
    assert_eq!(ending(&actions), "the time limit of 1.5 s ran out");
    job.on(
        Event::Exited {
            rank: 0,
            how: How::Code(0),
        },
        Instant(1_600_000_000),
    );
    assert_eq!(job.finished(), Some(crate::exit::EXIT_TIMEOUT));
}

#[test]
fn a_shells_report_of_its_childs_signal_is_explained() {
    let mut play = play(1);
    let said = play.code(0, 139);
    assert!(ending(&said).ends_with("exited with code 139 (128 + signal 11 (SIGSEGV))"));
}

fn meet(ticket: u32, members: &[u32], key: &str, value: &[u8]) -> Meet {
    Meet {
        ticket,
        members: members.to_vec(),
        key: key.as_bytes().to_vec(),
        value: value.to_vec(),
    }
}

impl Play {
    fn meet(&mut self, rank: u32, meet: Meet) -> Vec<Action> {
        self.on(Event::Meet { rank, meet })
    }
}

fn met(tickets: &[(u32, u32)], values: &[&[u8]]) -> [Action; 1] {
    [Action::Met {
        tickets: tickets.to_vec(),
        values: values.iter().map(|value| value.to_vec()).collect(),
    }]
}

#[test]
fn members_of_a_meeting_receive_what_all_brought() {
    let mut play = play(4);
    (0..4).for_each(|rank| play.hello(rank));
    // The other rank need not be there, and may be in a fence.
    assert_eq!(play.fence(1, b""), []);
    let members = [3, 0, 1];
    assert_eq!(play.meet(0, meet(7, &members, "a", b"of 0")), []);
    assert_eq!(play.meet(1, meet(0, &members, "a", b"")), []);
    // Another key, other members and another order are other meetings.
    assert_eq!(play.meet(3, meet(1, &members, "b", b"x")), []);
    assert_eq!(play.meet(3, meet(2, &[0, 3], "a", b"x")), []);
    assert_eq!(play.meet(3, meet(3, &[0, 1, 3], "a", b"x")), []);
    let values: [&[u8]; 3] = [b"of 3", b"of 0", b""];
    assert_eq!(
        play.meet(3, meet(4, &members, "a", b"of 3")),
        met(&[(3, 4), (0, 7), (1, 0)], &values)
    );
    // It is forgotten: the next one of its name begins empty.
    assert_eq!(play.meet(3, meet(5, &members, "a", b"again")), []);
}

#[test]
fn meetings_of_one_name_come_one_after_the_other() {
    let mut play = play(2);
    (0..2).for_each(|rank| play.hello(rank));
    assert_eq!(play.meet(0, meet(1, &[0, 1], "", b"1")), []);
    assert_eq!(play.meet(0, meet(2, &[0, 1], "", b"2")), []);
    let first = play.meet(1, meet(5, &[0, 1], "", b"5"));
    assert_eq!(first, met(&[(0, 1), (1, 5)], &[b"1", b"5"]));
    let second = play.meet(1, meet(6, &[0, 1], "", b"6"));
    assert_eq!(second, met(&[(0, 2), (1, 6)], &[b"2", b"6"]));
}

#[test]
fn a_rank_may_meet_leave_and_come_back_while_others_stay_away() {
    let mut play = play(3);
    for ticket in 0..3 {
        play.hello(0);
        play.hello(1);
        assert_eq!(play.meet(0, meet(ticket, &[0, 1], "k", b"")), []);
        assert_eq!(play.meet(1, meet(ticket, &[0, 1], "k", b"")).len(), 1);
        assert_eq!(play.on(Event::Finalize { rank: 0 }), []);
        assert_eq!(play.on(Event::Finalize { rank: 1 }), []);
    }
    assert_eq!(play.code(2, 0), [], "it never said hello");
    assert_eq!(play.code(0, 0), []);
    assert_eq!(play.code(1, 0), []);
    assert_eq!(play.job.finished(), Some(0));
}

#[test]
fn who_is_waited_for_and_has_exited_ends_the_job() {
    for late in [false, true] {
        let mut play = play(3);
        (0..2).for_each(|rank| play.hello(rank));
        let actions = if late {
            assert_eq!(play.meet(1, meet(0, &[1, 2], "k", b"")), []);
            play.code(2, 0)
        } else {
            assert_eq!(play.code(2, 0), []);
            play.meet(1, meet(0, &[1, 2], "k", b""))
        };
        assert_eq!(
            ending(&actions),
            "rank 2 (pid 102, prog) exited while others wait for it in \
             MPI_Comm_create_from_group"
        );
    }
}

#[test]
fn meetings_that_cannot_be_are_nonsense() {
    let cases = [
        (meet(0, &[1, 2], "", b""), "a meeting of others"),
        (meet(0, &[], "", b""), "a meeting of others"),
        (meet(0, &[0, 3], "", b""), "rank 3 in a job of 3"),
        (meet(0, &[0, u32::MAX], "", b""), "in a job of 3"),
        (meet(0, &[0, 1, 1], "", b""), "twice"),
    ];
    for (meet, word) in cases {
        let mut play = play(3);
        play.hello(0);
        let actions = play.meet(0, meet);
        assert!(ending(&actions).contains(word), "{actions:?}");
    }
    let mut early = play(2);
    let actions = early.meet(0, meet(0, &[0, 1], "", b""));
    assert!(ending(&actions).contains("out of turn"), "{actions:?}");
    let mut leaving = play(2);
    leaving.hello(0);
    assert_eq!(leaving.meet(0, meet(0, &[0, 1], "", b"")), []);
    let actions = leaving.on(Event::Finalize { rank: 0 });
    assert!(ending(&actions).contains("during a meeting"), "{actions:?}");
}

/// Four ranks on two hosts, all connected.
fn spread() -> Play {
    let mut play = play(4);
    let names = ["n1".to_string(), "n2".to_string()];
    play.job = play.job.across(vec![0, 0, 1, 1], names.to_vec());
    (0..4).for_each(|rank| play.hello(rank));
    play
}

#[test]
fn ranks_are_named_with_their_hosts_and_hosts_are_hurried_once() {
    let mut play = spread();
    let actions = play.exit(3, How::Signal(9));
    assert_eq!(actions[0], Action::Hurry);
    assert_eq!(
        ending(&actions[1..]),
        "rank 3 on n2 (pid 103, prog) was killed by signal 9 (SIGKILL)"
    );
    assert_eq!(play.exit(2, How::Signal(15)), []);
}

#[test]
fn a_lost_host_ends_the_job_and_its_ranks_are_waited_for_no_more() {
    let mut play = spread();
    let text = "lost host n2: it has been silent for 6 s".to_string();
    let ranks = vec![2, 3];
    let actions = play.on(Event::Lost { ranks, text });
    assert_eq!(actions[0], Action::Hurry);
    let said = "lost host n2: it has been silent for 6 s (ranks 2-3)";
    assert_eq!(ending(&actions[1..]), said);
    play.exit(0, How::Signal(15));
    assert_eq!(play.job.finished(), None);
    play.exit(1, How::Signal(15));
    assert_eq!(play.job.finished(), Some(1));
}

#[test]
fn giving_up_is_blamed_on_a_host_that_is_lost() {
    let mut play = spread();
    let reason = "lost a peer".to_string();
    let code = 3;
    let abort = Event::Abort {
        rank: 0,
        code,
        in_doubt: true,
        reason,
    };
    assert_eq!(play.on(abort), []);
    let (ranks, text) = (vec![2, 3], "lost host n2".to_string());
    let actions = play.later(400).on(Event::Lost { ranks, text });
    assert_eq!(ending(&actions[1..]), "lost host n2 (ranks 2-3)");
}

#[test]
fn a_host_that_cannot_start_its_ranks_ends_those_that_it_has_started() {
    let mut play = Play {
        job: Job::new(vec!["prog".to_string(); 4], None, Instant(0)),
        now: Instant(0),
    };
    for rank in [0, 2] {
        play.on(Event::Started { rank, pid: 1 });
    }
    let text = "host n2: program \"prog\": not found".to_string();
    let ranks = vec![2, 3];
    let actions = play.on(Event::Refused {
        ranks,
        text: text.clone(),
    });
    assert_eq!(ending(&actions), text);
    // One more comes to life before it learns of that.
    play.on(Event::Started { rank: 1, pid: 1 });
    for rank in [0, 1, 2] {
        assert_eq!(play.job.finished(), None);
        play.exit(rank, How::Signal(15));
    }
    assert_eq!(play.job.finished(), Some(2));
}

#[test]
fn ranks_in_words() {
    assert_eq!(rank_list(&[5]), "rank 5");
    assert_eq!(rank_list(&[0, 1, 2, 7, 9, 10]), "ranks 0-2, 7, 9-10");
}

fn gone(rank: u32, why: &str) -> Action {
    let why = why.to_string();
    Action::Gone { rank, why }
}

/// Checks that a job that goes on reports a death to the others, whose ends decide its exit code.
#[test]
fn a_job_that_continues_reports_a_death_to_the_others() {
    let mut play = play(3);
    play.job = play.job.with_policy(FailurePolicy::GoOn);
    play.hello(0);
    play.hello(1);
    let why = "it was killed by signal 9 (SIGKILL)";
    let said = "rank 1 (pid 101, prog) was killed by signal 9 (SIGKILL)";
    let actions = play.exit(1, How::Signal(9));
    assert_eq!(actions, [Action::Say(said.into()), gone(1, why)]);
    play.hello(2);
    // Fences are of those that are left.
    assert_eq!(play.fence(0, b""), []);
    assert_eq!(play.fence(2, b""), [Action::Release { body: vec![] }]);
    for rank in [0, 2] {
        assert_eq!(play.on(Event::Finalize { rank }), []);
        assert_eq!(play.job.finished(), None);
        assert_eq!(play.code(rank, 0), []);
    }
    assert_eq!(play.job.end_of_all(), Some(End::Well));
    assert_eq!(play.job.lost_ranks().as_deref(), Some("rank 1"));
}

/// Checks the exit code of jobs that go on, by how each of their ranks ends.
#[test]
fn those_that_are_left_decide_the_exit_code() {
    let (kill, term) = (How::Signal(9), How::Signal(15));
    let (well, fails) = (How::Code(0), How::Code(3));
    for (ends, left, with_restarts) in [
        ([kill, well, well], End::Well, End::Failed(137)),
        ([term, kill, well], End::Well, End::Failed(143)),
        ([term, kill, kill], End::Lost(143), End::Failed(143)),
        ([well, well, fails], End::Failed(3), End::Failed(3)),
        ([kill, well, fails], End::Failed(137), End::Failed(137)),
        ([fails, kill, well], End::Failed(3), End::Failed(3)),
    ] {
        for (restarts, end) in [(false, left), (true, with_restarts)] {
            let mut play = play(3);
            play.job = play.job.with_policy(match restarts {
                true => RESTART,
                false => FailurePolicy::GoOn,
            });
            (0..3).for_each(|rank| play.hello(rank));
            (0..3).for_each(|rank| {
                play.fence(rank, b"");
            });
            for (rank, how) in ends.into_iter().enumerate() {
                let rank = rank as u32;
                // Where it is done with its peers it is not started again.
                play.on(Event::Finalize { rank });
                play.exit(rank, how);
            }
            assert_eq!(play.job.end_of_all(), Some(end), "{ends:?} {restarts}");
        }
    }
}

/// Checks that ranks that go with their host are losses too, and what they had printed is not
/// waited for; but output that a rank that ended well has printed is.
#[test]
fn a_host_that_is_lost_is_a_loss_of_its_ranks() {
    let mut play = play(3);
    play.job = play.job.with_policy(FailurePolicy::GoOn);
    (0..3).for_each(|rank| play.hello(rank));
    let lost = |ranks: Vec<u32>| Event::Lost {
        ranks,
        text: "host b: gone".into(),
    };
    play.on(lost(vec![1, 2]));
    play.on(Event::Finalize { rank: 0 });
    assert_eq!(play.code(0, 0), []);
    assert_eq!(play.job.end_of_all(), Some(End::Well));
    assert_eq!(play.job.lost_ranks().as_deref(), Some("ranks 1-2"));
    play.on(lost(vec![0]));
    assert_eq!(play.job.end_of_all(), Some(End::Failed(1)));
}

/// Checks that a rank that waits in a fence or at a meeting for one that dies is not left waiting.
#[test]
fn nobody_waits_for_the_dead() {
    let mut play = play(3);
    play.job = play.job.with_policy(FailurePolicy::GoOn);
    (0..3).for_each(|rank| play.hello(rank));
    let meet = |members: &[u32]| Meet {
        ticket: 1,
        members: members.to_vec(),
        key: vec![],
        value: vec![],
    };
    let here = Event::Meet {
        rank: 0,
        meet: meet(&[0, 2]),
    };
    assert_eq!(play.on(here.clone()), []);
    assert_eq!(play.fence(1, b""), []);
    let actions = play.code(2, 7);
    let why = "it exited with code 7";
    assert_eq!(actions[1..], [gone(2, why)]);
    // A rank that was notified and meets nevertheless gets no reply, and may finalize.
    assert_eq!(play.on(here), []);
    assert_eq!(play.fence(0, b""), [Action::Release { body: vec![] }]);
    assert_eq!(play.on(Event::Finalize { rank: 0 }), []);
    // A rank that is done with its peers may fail without their being notified.
    let said = "rank 0 (pid 100, prog) exited with code 3";
    assert_eq!(play.code(0, 3), [Action::Say(said.into())]);
    // An abort still ends all.
    let abort = Event::Abort {
        rank: 1,
        code: 4,
        in_doubt: true,
        reason: String::new(),
    };
    ending(&play.on(abort));
    assert_eq!(play.code(1, 4), []);
    assert_eq!(play.job.finished(), Some(4));
}

#[test]
fn a_rank_that_is_killed_is_started_again_until_all_have_come_to_the_end() {
    let last = || {
        let mut entries = Vec::new();
        bootstrap::native::wire::push_entry(&mut entries, bootstrap::native::LAST, &[]);
        entries
    };
    let mut play = play(2);
    play.job = play.job.with_policy(RESTART);
    let killed = |play: &mut Play| play.exit(1, How::Signal(9));
    // Before MPI_Init, in the first fence, and while others wait at the end.
    for life in [2, 3, 4] {
        if life > 2 {
            play.hello(1);
            assert_eq!(play.fence(1, b""), []);
        }
        if life == 4 {
            play.hello(0);
            assert!(matches!(play.fence(0, b"")[..], [Action::Release { .. }]));
            assert_eq!(play.fence(0, &last()), []);
        }
        let actions = killed(&mut play);
        let [Action::Say(_), Action::Restart {
            rank: 1,
            life: next,
        }] = actions[..]
        else {
            panic!("no restart: {actions:?}")
        };
        assert_eq!(next, life);
        let pid = 101;
        assert_eq!(play.on(Event::Started { rank: 1, pid }), []);
    }
    play.hello(1);
    // The fence of the beginning, which its earlier life has passed.
    assert_eq!(play.fence(1, b"").len(), 1);
    let released = play.fence(1, &last());
    assert!(
        matches!(released[..], [Action::Release { .. }]),
        "{released:?}"
    );
    let actions = killed(&mut play);
    let [Action::Say(text), ..] = &actions[..] else {
        panic!("nothing is said: {actions:?}")
    };
    assert_eq!(
        text,
        "rank 1 (pid 101, prog) was killed by signal 9 (SIGKILL); it is not started again: all had \
         come to MPI_Finalize, and others leave"
    );
}

/// The launcher ended with a panic instead.
#[test]
fn events_of_strangers_are_ignored_but_for_a_word() {
    let mut play = play(2);
    play.hello(0);
    play.hello(1);
    let text = || "an event of rank 7 is ignored: there are 2 ranks".to_string();
    let lost = Event::Lost {
        ranks: vec![0, 7],
        text: "host b is gone".into(),
    };
    for event in [Event::Finalize { rank: 7 }, lost] {
        assert_eq!(play.on(event), [Action::Say(text())]);
    }
    assert!(!play.job.is_ending() && play.job.is_connected(0));
}
