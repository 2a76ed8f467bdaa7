//! Jobs that go well, or whose ranks fail.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{kill_process, Pid, Signal};

use crate::stage::{Outcome, Stage, HERE};
use crate::{rank, Test};

pub const TESTS: &[Test] = &[
    ("ranks_know_their_place", ranks_know_their_place),
    ("ranks_exchange_across_hosts", ranks_exchange_across_hosts),
    ("a_tree_of_any_form", a_tree_of_any_form),
    (
        "input_goes_to_the_rank_that_reads",
        input_goes_to_the_rank_that_reads,
    ),
    ("much_output_arrives_whole", much_output_arrives_whole),
    (
        "the_first_failure_is_reported_with_its_host",
        the_first_failure_is_reported_with_its_host,
    ),
    (
        "signals_reach_ranks_on_other_hosts",
        signals_reach_ranks_on_other_hosts,
    ),
    ("an_interrupt_ends_all", an_interrupt_ends_all),
    (
        "no_interrupt_ends_a_job_in_the_background",
        no_interrupt_ends_a_job_in_the_background,
    ),
    (
        "a_killed_launcher_leaves_nothing",
        a_killed_launcher_leaves_nothing,
    ),
    (
        "a_time_limit_holds_on_all_hosts",
        a_time_limit_holds_on_all_hosts,
    ),
    (
        "processes_in_sessions_of_their_own_are_ended",
        processes_in_sessions_of_their_own_are_ended,
    ),
    (
        "signals_are_heeded_between_two_starts",
        signals_are_heeded_between_two_starts,
    ),
    (
        "a_time_limit_holds_during_the_start",
        a_time_limit_holds_during_the_start,
    ),
    (
        "more_ranks_than_a_machine_can_have_are_refused",
        more_ranks_than_a_machine_can_have_are_refused,
    ),
    (
        "programs_and_folders_are_looked_for_there",
        programs_and_folders_are_looked_for_there,
    ),
    (
        "a_job_may_be_stopped_for_longer_than_hosts_may_be_silent",
        a_job_may_be_stopped_for_longer_than_hosts_may_be_silent,
    ),
];

fn ranks_know_their_place() {
    let outcome = Stage::new(HERE, "h1:2,localhost:1,h2:2")
        .shell("echo $OXMPI_RANK $OXMPI_NODE $OXMPI_LOCAL_RANK $OXMPI_LOCAL_SIZE $(pwd)")
        .run();
    let here = std::env::current_dir().unwrap();
    let here = here.display();
    let expected = ["0 0 0 2", "1 0 1 2", "2 1 0 1", "3 2 0 2", "4 2 1 2"];
    let expected: Vec<String> = expected
        .iter()
        .map(|line| format!("{line} {here}"))
        .collect();
    assert_eq!(outcome.lines(), expected);
    assert_eq!((outcome.code, &outcome.err[..]), (Some(0), ""));
}

fn exchange(stage: Stage) -> Outcome {
    let own = std::env::current_exe().unwrap();
    let own = own.to_str().unwrap();
    stage.argument(own).argument(rank::ARGUMENT).run()
}

fn ranks_exchange_across_hosts() {
    let outcome = exchange(Stage::new(HERE, "h1:2,localhost:2,h2:2,h3:1"));
    assert_eq!((outcome.code, &outcome.err[..]), (Some(0), ""));
    let lines = outcome.lines();
    assert_eq!(lines.len(), 7);
    assert_eq!(lines[6], "rank 6 of 7: nodes [0, 0, 1, 1, 2, 2, 3]");
}

fn a_tree_of_any_form() {
    for radix in ["1", "2", "3", "32"] {
        let stage = Stage::new(HERE, "h1,h2,h3,h4,h5,h6,h7").parameter("plm_tree_radix", radix);
        let outcome = exchange(stage);
        assert_eq!(
            (outcome.code, outcome.lines().len()),
            (Some(0), 7),
            "{outcome:?}"
        );
    }
    let stage = Stage::new(HERE, "h1,h2,h3").parameter("plm_rsh_no_tree_spawn", "1");
    assert_eq!(exchange(stage).code, Some(0));
}

fn input_goes_to_the_rank_that_reads() {
    let input = "a line of input\n".repeat(50_000);
    let stage = Stage::new(HERE, "h1,h2")
        .parameter("plm_tree_radix", "1")
        .input(input.as_bytes());
    let outcome = stage.argument("--stdin").argument("1").shell("cat").run();
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(
        outcome.out == input,
        "{} of {} bytes",
        outcome.out.len(),
        input.len()
    );
    // Who closes its input early disturbs nobody.
    let stage = Stage::new(HERE, "h1,h2").input(input.as_bytes());
    let outcome = stage
        .shell("head -c 3; exec 0<&-; sleep 0.2; echo end")
        .run();
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(0), vec!["a lend", "end"])
    );
}

fn much_output_arrives_whole() {
    let stage = Stage::new(HERE, "h1,h2,localhost").parameter("plm_tree_radix", "1");
    let outcome = stage.shell("seq 1 200000; echo done $OXMPI_RANK >&2").run();
    let mut numbers: Vec<u32> = outcome
        .out
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    numbers.sort_unstable();
    let expected: Vec<u32> = (1..=200_000).flat_map(|n| [n; 3]).collect();
    assert!(numbers == expected);
    let mut said: Vec<&str> = outcome.err.lines().collect();
    said.sort_unstable();
    assert_eq!(said, ["done 0", "done 1", "done 2"]);
}

fn the_first_failure_is_reported_with_its_host() {
    let stage = Stage::new(HERE, "localhost,h1,h2").parameter("plm_tree_radix", "1");
    let outcome = stage
        .shell("[ $OXMPI_RANK = 2 ] && kill -11 $$; sleep 100")
        .run();
    outcome.assert_fails(139, &["rank 2 on h2", "killed by signal 11 (SIGSEGV)"]);
    let outcome = Stage::new(HERE, "h1,h2")
        .shell("[ $OXMPI_RANK = 1 ] && exit 7; sleep 100")
        .run();
    outcome.assert_fails(7, &["rank 1 on h2", "exited with code 7"]);
}

/// Signals the launcher once the three ranks are up.
fn signal_when_up(stage: Stage, signal: Signal) -> Outcome {
    act_when_up(stage, |launcher| kill_process(launcher, signal).unwrap())
}

/// Runs a job, and acts on its launcher once the three ranks are up.
fn act_when_up(stage: Stage, act: impl FnOnce(Pid)) -> Outcome {
    let folder = stage.folder().join("up");
    std::fs::create_dir(&folder).unwrap();
    stage
        .argument("-x")
        .argument(&format!("UP={}", folder.display()))
        .shell(
            "trap 'echo usr1; exit 0' USR1; trap 'echo term; exit 0' TERM
             echo $$ > $UP/new$OXMPI_RANK; mv $UP/new$OXMPI_RANK $UP/$OXMPI_RANK
             while :; do sleep 0.02; done",
        )
        .run_with(|launcher| {
            let begin = Instant::now();
            while !(0..3).all(|rank| folder.join(rank.to_string()).exists()) {
                assert!(
                    begin.elapsed() < Duration::from_secs(20),
                    "the ranks do not start"
                );
                std::thread::sleep(Duration::from_millis(5));
            }
            act(Pid::from_raw(launcher).unwrap());
        })
}

fn three_hosts() -> Stage {
    Stage::new(HERE, "h1,localhost,h2").parameter("plm_tree_radix", "1")
}

fn signals_reach_ranks_on_other_hosts() {
    let outcome = signal_when_up(three_hosts(), Signal::USR1);
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(0), vec!["usr1"; 3]),
        "{}",
        outcome.err
    );
}

fn an_interrupt_ends_all() {
    let outcome = signal_when_up(three_hosts(), Signal::INT);
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(130), vec!["term"; 3]),
        "{}",
        outcome.err
    );
}

fn no_interrupt_ends_a_job_in_the_background() {
    let outcome = act_when_up(three_hosts().in_background(), |launcher| {
        kill_process(launcher, Signal::INT).unwrap();
        std::thread::sleep(Duration::from_millis(200));
        kill_process(launcher, Signal::USR1).unwrap();
    });
    let expected = (Some(0), vec!["usr1"; 3]);
    assert_eq!((outcome.code, outcome.lines()), expected, "{}", outcome.err);
}

fn a_job_may_be_stopped_for_longer_than_hosts_may_be_silent() {
    let stage = three_hosts().parameter("plm_heartbeat_timeout", "3");
    let up = stage.folder().join("up");
    let outcome = act_when_up(stage, |launcher| {
        assert_eq!(state_and_session(&up).1, [true; 3]);
        kill_process(launcher, Signal::TSTP).unwrap();
        std::thread::sleep(Duration::from_millis(3500));
        let states = state_and_session(&up).0;
        // A shell whose child is stopped before it runs its program waits for that (vfork(2)).
        let is_stopped = |state: &String| ["T", "D"].contains(&state.as_str());
        assert!(states.iter().all(is_stopped), "{states:?}");
        kill_process(launcher, Signal::CONT).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        kill_process(launcher, Signal::USR1).unwrap();
    });
    let expected = (Some(0), vec!["usr1"; 3]);
    assert_eq!((outcome.code, outcome.lines()), expected, "{}", outcome.err);
}

/// Returns the states of three ranks, and whether each leads a session.
fn state_and_session(up: &Path) -> (Vec<String>, Vec<bool>) {
    let of_rank = |rank: u32| {
        let pid = std::fs::read_to_string(up.join(rank.to_string())).unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap();
        let mut fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
        let state = fields.next().unwrap().to_string();
        (state, fields.nth(2) == Some(pid.trim()))
    };
    (0..3).map(of_rank).unzip()
}

fn a_killed_launcher_leaves_nothing() {
    let outcome = signal_when_up(three_hosts(), Signal::KILL);
    assert_eq!(outcome.code, None);
}

fn a_time_limit_holds_on_all_hosts() {
    let stage = Stage::new(HERE, "h1,h2")
        .argument("--timeout")
        .argument("0.5");
    stage
        .shell("sleep 100")
        .run()
        .assert_fails(124, &["time limit"]);
}

/// A signal to the group of a rank does not reach what has a session of its own: programs under
/// `setsid -w` outlived MPI_Abort.
fn processes_in_sessions_of_their_own_are_ended() {
    const WAIT: &str = "while :; do sleep 0.05; done";
    for hosts in ["localhost:2", "h1,h2"] {
        for (trap, adopted) in [("", false), ("trap '' TERM;", false), ("", true)] {
            let stage = |options: &[&str]| {
                let stage = Stage::new(HERE, hosts);
                options
                    .iter()
                    .fold(stage, |stage, word| stage.argument(word))
            };
            let body = |end: &str| format!("{trap} {end} {WAIT}");
            let run = |stage: Stage, end: &str| match adopted {
                // The rank is there, and its child is not its own any more.
                true => stage.shell(&format!("(setsid sh -c '{WAIT}' &); {end} {WAIT}")),
                false => stage.argument("setsid").argument("-w").shell(&body(end)),
            };
            let outcome = run(stage(&[]), "sleep 0.1; [ $OXMPI_RANK = 1 ] && exit 7;").run();
            assert_eq!(outcome.code, Some(7), "{hosts}: {outcome:?}");
            let outcome = run(stage(&["--timeout", "0.2"]), "").run();
            assert_eq!(outcome.code, Some(124), "{hosts}: {outcome:?}");
            let outcome = run(stage(&[]), "").run_with(|launcher| {
                std::thread::sleep(Duration::from_millis(200));
                kill_process(Pid::from_raw(launcher).unwrap(), Signal::HUP).unwrap();
            });
            assert_eq!(outcome.code, Some(129), "{hosts}: {outcome:?}");
        }
    }
}

/// Ranks of a host that take a second to start.
const MANY: usize = 500;

/// A job of many ranks, each of which leaves a file in the folder `up`.
fn many(host: &str) -> (Stage, std::path::PathBuf) {
    let stage = Stage::new(HERE, &format!("{host}:{MANY}"));
    let folder = stage.folder().join("up");
    std::fs::create_dir(&folder).unwrap();
    let up = format!("UP={}", folder.display());
    (stage.argument("-x").argument(&up), folder)
}

fn count(folder: &std::path::Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

/// A launcher once started all ranks before it looked at anything else: `timeout 2` with 1000 ranks
/// took ten times as long.
fn signals_are_heeded_between_two_starts() {
    for host in ["localhost", "h1"] {
        let (stage, folder) = many(host);
        let mut started = 0;
        let act = |launcher| {
            let begin = std::time::Instant::now();
            while count(&folder) == 0 {
                assert!(begin.elapsed() < Duration::from_secs(20), "no rank starts");
                std::thread::sleep(Duration::from_millis(1));
            }
            kill_process(Pid::from_raw(launcher).unwrap(), Signal::TERM).unwrap();
            std::thread::sleep(Duration::from_millis(700));
            started = count(&folder);
        };
        let outcome = stage
            .shell("touch $UP/$OXMPI_RANK; exec sleep 100")
            .run_with(act);
        assert_eq!(outcome.code, Some(143), "{outcome:?}");
        assert!(started < MANY, "all ranks were started after the signal");
    }
}

fn a_time_limit_holds_during_the_start() {
    for host in ["localhost", "h1"] {
        let (stage, folder) = many(host);
        let stage = stage.argument("--timeout").argument("0.1");
        let shell = stage.shell("touch $UP/$OXMPI_RANK; exec sleep 100");
        let mut started = 0;
        let outcome = shell.run_with(|_| {
            std::thread::sleep(Duration::from_millis(900));
            started = count(&folder);
        });
        assert_eq!(outcome.code, Some(124), "{outcome:?}");
        assert!(started < MANY, "all ranks were started");
    }
}

/// They once filled the machine, without a word.
fn more_ranks_than_a_machine_can_have_are_refused() {
    let number = |name: &str| {
        let text = std::fs::read_to_string(format!("/proc/sys/kernel/{name}")).unwrap();
        text.trim().parse::<u32>().unwrap()
    };
    let most = number("pid_max").min(number("threads-max"));
    let hosts = |host: &str| Stage::new(HERE, &format!("{host}:{most}")).shell("exec sleep 100");
    let parts = ["ranks do not fit here: there is room for", "processes more"];
    hosts("localhost").run().assert_fails(2, &parts);
    let parts = [&["host h1: "][..], &parts].concat();
    hosts("h1").run().assert_fails(2, &parts);
}

fn programs_and_folders_are_looked_for_there() {
    let stage = Stage::new(HERE, "h1").argument("no-such-program");
    stage
        .run()
        .assert_fails(2, &["host h1", "no-such-program", "not found"]);
    let stage = Stage::new(HERE, "h1")
        .argument("--wdir")
        .argument("/no/such/place");
    stage
        .shell("true")
        .run()
        .assert_fails(2, &["host h1", "/no/such/place"]);
    let stage = Stage::new(HERE, "h1").argument("--wdir").argument("/usr");
    assert_eq!(stage.shell("pwd").run().lines(), ["/usr"]);
}
