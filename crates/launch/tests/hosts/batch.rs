//! Daemons that connect to the launcher, started by a stand-in for LSF's `blaunch`, or by one for
//! the library of PBS (`tests/batch/libpbs.c`).
//!
//! The first takes what `blaunch` takes, a host and a command with arguments, in a job alone, and
//! passes on the environment and the exit code. Its input is nobody's, and its output is no
//! protocol.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use rustix::process::{kill_process, Pid, Signal};

use super::stage::{addressed, Outcome, Stage};
use super::Test;

pub const TESTS: &[Test] = &[
    (
        "blaunch_starts_a_daemon_on_each_host",
        blaunch_starts_a_daemon_on_each_host,
    ),
    (
        "daemons_of_a_batch_system_start_others",
        daemons_of_a_batch_system_start_others,
    ),
    (
        "a_batch_system_that_refuses_is_quoted",
        a_batch_system_that_refuses_is_quoted,
    ),
    (
        "a_batch_system_without_its_command_is_named",
        a_batch_system_without_its_command_is_named,
    ),
    (
        "a_daemon_without_the_secret_says_so",
        a_daemon_without_the_secret_says_so,
    ),
    (
        "a_daemon_with_a_wrong_secret_is_turned_away",
        a_daemon_with_a_wrong_secret_is_turned_away,
    ),
    (
        "a_command_that_starts_nothing_is_given_up",
        a_command_that_starts_nothing_is_given_up,
    ),
    (
        "a_signal_to_a_daemon_reaches_all_ranks_once",
        a_signal_to_a_daemon_reaches_all_ranks_once,
    ),
    (
        "an_ending_signal_to_a_daemon_ends_the_job",
        an_ending_signal_to_a_daemon_ends_the_job,
    ),
    (
        "a_killed_launcher_leaves_no_daemon",
        a_killed_launcher_leaves_no_daemon,
    ),
    (
        "the_library_of_pbs_starts_daemons_on_nodes",
        the_library_of_pbs_starts_daemons_on_nodes,
    ),
    (
        "daemons_by_the_library_of_pbs_start_others",
        daemons_by_the_library_of_pbs_start_others,
    ),
    (
        "a_daemon_that_pbs_cannot_start_is_named",
        a_daemon_that_pbs_cannot_start_is_named,
    ),
];

/// Checks its surroundings as `blaunch` would, notes the host, and runs the command with `START`.
const BLAUNCH: &str = "#!/bin/sh
[ -n \"$LSB_JOBID\" ] || { echo 'blaunch: no job' >&2; exit 255; }
read -r line && { echo 'blaunch: somebody speaks to it' >&2; exit 254; }
host=$1; shift
echo \"$host\" >>FOLDER/hosts
echo 'what a command prints is no protocol'
START \"$@\"
";

/// Three hosts, one of them this machine, in a job of LSF whose `blaunch` runs commands by `start`.
fn job(start: &str) -> Stage {
    let stage = Stage::without_agent("h1,localhost,h2");
    let folder = stage.folder().to_path_buf();
    let file = folder.join("blaunch");
    let script = BLAUNCH.replace("FOLDER", &folder.display().to_string());
    std::fs::write(&file, script.replace("START", start)).unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", folder.display());
    stage.variable("LSB_JOBID", "7").variable("PATH", &path)
}

fn blaunch_starts_a_daemon_on_each_host() {
    let stage = job("exec");
    let hosts = stage.folder().join("hosts");
    let mut noted = String::new();
    let stage = stage.shell("echo $OXMPI_RANK; sleep 0.1");
    let outcome = stage.run_with(|_| {
        std::thread::sleep(Duration::from_millis(80));
        while noted.lines().count() < 2 {
            noted = std::fs::read_to_string(&hosts).unwrap_or_default();
        }
    });
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(0), vec!["0", "1", "2"]),
        "{}",
        outcome.err
    );
    let mut noted: Vec<&str> = noted.lines().collect();
    noted.sort_unstable();
    assert_eq!(noted, ["198.51.100.1", "198.51.100.2"]);
}

fn daemons_of_a_batch_system_start_others() {
    let stage = job("exec").parameter("plm_tree_radix", "1");
    let outcome = stage.shell("echo $OXMPI_RANK").run();
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(0), vec!["0", "1", "2"]),
        "{}",
        outcome.err
    );
}

fn a_batch_system_that_refuses_is_quoted() {
    let refuse = "[ $host = 198.51.100.1 ] && { echo 'Host is not of job 7' >&2; exit 3; }; exec";
    let outcome = job(refuse).shell("sleep 20").run();
    outcome.assert_fails(1, &["h1", "exit code 3", "Host is not of job 7"]);
}

/// The variables of a job are there, as in a container, and its commands are not.
fn a_batch_system_without_its_command_is_named() {
    let stage = Stage::without_agent("h1,localhost").variable("LSB_JOBID", "7");
    let outcome = stage.variable("PATH", "/nowhere").shell("true").run();
    outcome.assert_fails(1, &["cannot run ssh", "(lsf: blaunch is not in PATH)"]);
}

fn a_daemon_without_the_secret_says_so() {
    let outcome = job("exec env -u OXMPI_DAEMON_SECRET")
        .shell("sleep 20")
        .run();
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    for outcome in outcome.of_lines() {
        outcome.assert_fails(
            1,
            &[
                "cannot start",
                "OXMPI_DAEMON_SECRET did not reach this host",
            ],
        );
    }
}

fn a_daemon_with_a_wrong_secret_is_turned_away() {
    let wrong = format!("exec env OXMPI_DAEMON_SECRET={}", "0".repeat(64));
    let outcome = job(&wrong).shell("sleep 20").run();
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    for outcome in outcome.of_lines() {
        outcome.assert_fails(
            1,
            &["cannot start", "cannot reach the mpirun that started it"],
        );
    }
}

fn a_command_that_starts_nothing_is_given_up() {
    let stage = job("exec sleep 20 #").parameter("plm_start_timeout", "1");
    let outcome = stage.shell("sleep 20").run();
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    for outcome in outcome.of_lines() {
        outcome.assert_fails(1, &["is not ready 1 s after", "blaunch was started"]);
    }
}

/// Runs a job whose ranks count signals, and sends one to the daemon of the host h1.
fn signal_to_daemon(signal: Signal) -> Outcome {
    let start = "echo $$ >FOLDER/new-$host; mv FOLDER/new-$host FOLDER/daemon-$host; exec";
    let stage = job(start);
    let folder = stage.folder().to_path_buf();
    let blaunch = folder.join("blaunch");
    let script = std::fs::read_to_string(&blaunch).unwrap();
    std::fs::write(
        &blaunch,
        script.replace("FOLDER", &folder.display().to_string()),
    )
    .unwrap();
    let stage = stage
        .argument("-x")
        .argument(&format!("UP={}", folder.display()));
    let ranks = "n=0; trap 'n=$((n + 1))' USR1; trap 'echo term; exit 0' TERM
                 >$UP/up-$OXMPI_RANK
                 while [ ! -e $UP/end ]; do sleep 0.02; done; echo usr1 $n";
    stage.shell(ranks).run_with(|_| {
        let is_up = |rank: u32| folder.join(format!("up-{rank}")).exists();
        while !(0..3).all(is_up) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let pid = std::fs::read_to_string(folder.join("daemon-198.51.100.1")).unwrap();
        let pid = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        std::fs::write(folder.join("end"), "").unwrap();
    })
}

fn a_signal_to_a_daemon_reaches_all_ranks_once() {
    let outcome = signal_to_daemon(Signal::USR1);
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(0), vec!["usr1 1"; 3]),
        "{}",
        outcome.err
    );
}

fn an_ending_signal_to_a_daemon_ends_the_job() {
    let outcome = signal_to_daemon(Signal::TERM);
    let ended = (outcome.code, outcome.lines());
    assert_eq!(ended, (Some(143), vec!["term"; 3]), "{}", outcome.err);
    assert!(
        outcome
            .err
            .contains("mpirun's daemon got signal 15 (SIGTERM)"),
        "{}",
        outcome.err
    );
}

fn a_killed_launcher_leaves_no_daemon() {
    let stage = job("exec");
    let up = stage.folder().join("up");
    let stage = stage
        .argument("-x")
        .argument(&format!("UP={}", up.display()));
    let outcome = stage.shell(">$UP; sleep 20").run_with(|launcher| {
        while !up.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_process(Pid::from_raw(launcher).unwrap(), Signal::KILL).unwrap();
    });
    assert_eq!(outcome.code, None);
}

/// These hosts in a job of PBS, whose library is the stand-in. Nodes are numbered by the lines
/// of the file: h1 has 0, this machine 1, h2 has 3.
fn pbs_job() -> Stage {
    let stage = Stage::without_agent("h1,localhost,h2");
    let folder = stage.folder().to_path_buf();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/batch/libpbs.c");
    let mut compiler = std::process::Command::new("cc");
    let library = folder.join("libpbs.so");
    compiler.args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]);
    let status = compiler.arg(&library).arg(source).status().unwrap();
    assert!(status.success(), "{status}");
    let nodes = addressed("h1\nlocalhost\nlocalhost\nh2\nh2\n");
    std::fs::write(folder.join("nodes"), nodes).unwrap();
    let text = |name: &str| folder.join(name).display().to_string();
    let path = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    stage
        .variable("PBS_JOBID", "7.server")
        .variable("PBS_NODEFILE", &text("nodes"))
        .variable("STANDIN_LOG", &text("log"))
        .variable("LD_LIBRARY_PATH", &format!("{}:{path}", folder.display()))
}

/// Runs a job of a rank on each host, and checks where each ran and which nodes were asked for.
fn check_nodes(stage: Stage) {
    let log = stage.folder().join("log");
    let mut noted = String::new();
    let stage = stage.argument("--map-by").argument("node");
    let stage = stage.argument("-n").argument("3");
    let outcome = stage
        .shell("echo $OXMPI_RANK $PWD; sleep 0.2")
        .run_with(|_| {
            while noted.lines().count() < 2 {
                noted = std::fs::read_to_string(&log).unwrap_or_default();
            }
        });
    // A process of PBS begins elsewhere, and a rank where its launcher was started.
    let here = std::env::current_dir().unwrap();
    let lines = [0, 1, 2].map(|rank| format!("{rank} {}", here.display()));
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(0), lines.iter().map(|l| &l[..]).collect())
    );
    let mut noted: Vec<&str> = noted.lines().collect();
    noted.sort_unstable();
    assert_eq!(noted, ["node 0", "node 3"]);
}

fn the_library_of_pbs_starts_daemons_on_nodes() {
    check_nodes(pbs_job());
}

fn daemons_by_the_library_of_pbs_start_others() {
    check_nodes(pbs_job().parameter("plm_tree_radix", "1"));
}

fn a_daemon_that_pbs_cannot_start_is_named() {
    let stage = pbs_job()
        .argument("--launch-agent")
        .argument("/nowhere/mpirun");
    let outcome = stage.shell("sleep 20").run();
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    for outcome in outcome.of_lines() {
        outcome.assert_fails(1, &["cannot start", "ended with code 254"]);
    }
}
