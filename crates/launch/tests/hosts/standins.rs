//! Daemons started by stand-ins for Flux's `flux` and for `aprun` of PALS.
//!
//! Each takes what its manual says, refuses the rest, and runs the command once for each host, with
//! a host's name where Slurm would say it: all hosts are this machine.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use super::stage::{addressed, Stage};
use super::Test;
use rustix::process::{kill_process, Pid, Signal};

pub const TESTS: &[Test] = &[
    (
        "flux_starts_daemons_by_the_ranks_of_brokers",
        flux_starts_daemons_by_the_ranks_of_brokers,
    ),
    (
        "daemons_of_flux_start_others_through_their_own_brokers",
        daemons_of_flux_start_others_through_their_own_brokers,
    ),
    (
        "flux_that_cannot_say_its_hosts_is_quoted",
        flux_that_cannot_say_its_hosts_is_quoted,
    ),
    (
        "a_command_that_flux_cannot_start_is_named",
        a_command_that_flux_cannot_start_is_named,
    ),
    ("a_task_of_flux_has_no_hosts", a_task_of_flux_has_no_hosts),
    (
        "aprun_starts_a_daemon_here_too",
        aprun_starts_a_daemon_here_too,
    ),
    (
        "the_launcher_starts_all_daemons_of_pals",
        the_launcher_starts_all_daemons_of_pals,
    ),
    ("aprun_that_refuses_is_quoted", aprun_that_refuses_is_quoted),
    (
        "a_job_of_pals_gives_exit_codes_and_signals_on",
        a_job_of_pals_gives_exit_codes_and_signals_on,
    ),
    (
        "a_killed_launcher_leaves_nothing_of_aprun",
        a_killed_launcher_leaves_nothing_of_aprun,
    ),
];

/// The part of the stand-ins that runs processes: starts one with these variables for each host in
/// `$hosts`, passes TERM and INT on, and ends with the highest exit code.
const RUN: &str = r#"
read -r line && { echo 'somebody speaks to it' >&2; exit 254; }
running=
for host in $hosts; do
  echo "$host" >>FOLDER/hosts
  env SLURMD_NODENAME="$host" $variables "$@" &
  running="$running $!"
done
trap 'kill -TERM $running 2>/dev/null' TERM INT
highest=0
for pid in $running; do
  wait "$pid"; code=$?
  [ $code -gt $highest ] && highest=$code
done
exit $highest
"#;

/// Flux: brokers 0, 2 and 5 are of h1, this machine and h2. A process of `flux exec` gets the
/// address of its own broker.
const FLUX: &str = r#"#!/bin/sh
[ -n "$FLUX_URI" ] || { echo 'flux: ERROR: unable to connect to Flux' >&2; exit 1; }
case "$1 $2" in
'resource R') cat FOLDER/resources; exit ;;
'exec --noinput') ;;
*) echo "flux: ERROR: unknown command $*" >&2; exit 1 ;;
esac
case $3 in
--rank=*) ranks=$(echo "${3#--rank=}" | tr , ' ') ;;
*) echo "flux-exec: ERROR: no --rank: $3" >&2; exit 1 ;;
esac
shift 3
hosts=
for rank in $ranks; do
  case $rank in
  0) hosts="$hosts 198.51.100.1" ;;
  2) hosts="$hosts localhost" ;;
  5) hosts="$hosts 198.51.100.2" ;;
  *) echo "flux-exec: ERROR: rank $rank: No route to host" >&2; exit 1 ;;
  esac
done
echo "$FLUX_URI asks for$hosts" >>FOLDER/asked
variables=FLUX_URI=local:///broker
"#;

/// The resources of that instance, which has one core of each host.
const RESOURCES: &str = r#"{"version": 1, "execution": {"R_lite":
    [{"rank": "0,2,5", "children": {"core": "3"}}], "starttime": 0, "expiration": 0,
    "nodelist": ["h1", "localhost", "h2"]}}"#;

/// PALS. It gives each process what a job has on a Slingshot network.
const APRUN: &str = r#"#!/bin/sh
[ -n "$PBS_JOBID" ] || { echo 'aprun: no job' >&2; exit 255; }
[ -z "$PALS_PPN" ] || { echo 'aprun: misled by PALS_PPN' >&2; exit 255; }
[ "$1 $3 $5 $7" = '-n -N --cc -L' ] || { echo "aprun: $*" >&2; exit 255; }
hosts=$(echo "$8" | tr , ' ')
[ "$4 $6" = '1 none' ] && [ $(echo $hosts | wc -w) = "$2" ] || { echo "aprun: $*" >&2; exit 255; }
shift 8
echo "$hosts" >>FOLDER/asked
variables='SLINGSHOT_VNIS=77 PALS_APID=a1'
"#;

/// Puts a stand-in into `PATH`.
fn with_program(stage: Stage, name: &str, script: &str) -> Stage {
    let folder = stage.folder().to_path_buf();
    let file = folder.join(name);
    let script = script.replace("FOLDER", &folder.display().to_string());
    std::fs::write(&file, script).unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    stage.variable("PATH", &format!("{}:{path}", folder.display()))
}

/// An instance of Flux on three hosts, one of which is this machine, with these resources.
fn flux(resources: &str) -> Stage {
    let stage = Stage::without_agent("h1,localhost,h2");
    std::fs::write(stage.folder().join("resources"), addressed(resources)).unwrap();
    let stage = with_program(stage, "flux", &[FLUX, RUN].concat());
    stage.variable("FLUX_URI", "local:///first")
}

/// A job of PBS on those hosts, in which PALS starts processes as `script` does.
fn pals(script: &str) -> Stage {
    let stage = Stage::without_agent("h1,localhost,h2");
    let nodes = stage.folder().join("nodes");
    std::fs::write(&nodes, addressed("h1\nlocalhost\nh2\n")).unwrap();
    let stage = with_program(stage, "aprun", script);
    stage
        .variable("PBS_JOBID", "7.server")
        .variable("PBS_NODEFILE", &nodes.display().to_string())
        .variable("PALS_PPN", "4")
}

/// Runs a job that prints this behind the number of a rank. Returns what the stand-in was asked.
fn prints(stage: Stage, script: &str, lines: &[&str]) -> String {
    let asked = stage.folder().join("asked");
    let mut noted = String::new();
    let stage = stage.shell(&format!("echo $OXMPI_RANK {script}; sleep 0.2"));
    let outcome = stage.run_with(|_| {
        std::thread::sleep(Duration::from_millis(150));
        for _ in 0..1000 {
            noted = std::fs::read_to_string(&asked).unwrap_or_default();
            if !noted.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(0), lines.to_vec()),
        "{}",
        outcome.err
    );
    noted
}

fn flux_starts_daemons_by_the_ranks_of_brokers() {
    let lines = ["0 local:///broker", "1 local:///first", "2 local:///broker"];
    let asked = prints(flux(RESOURCES), "$FLUX_URI", &lines);
    assert_eq!(asked, "local:///first asks for 198.51.100.1 198.51.100.2\n");
}

fn daemons_of_flux_start_others_through_their_own_brokers() {
    let stage = flux(RESOURCES).parameter("plm_tree_radix", "1");
    let asked = prints(stage, "", &["0", "1", "2"]);
    let first = "local:///first asks for 198.51.100.1\n";
    let second = "local:///broker asks for 198.51.100.2\n";
    assert_eq!(asked, [first, second].concat());
}

fn flux_that_cannot_say_its_hosts_is_quoted() {
    let outcome = flux("{}").shell("true").run();
    outcome.assert_fails(2, &["flux resource R: ", "version"]);
    let stage = flux(RESOURCES).variable("PATH", "/nowhere");
    let outcome = stage.shell("true").run();
    outcome.assert_fails(2, &["flux resource R: flux is not in PATH", "-rmk user"]);
}

fn a_command_that_flux_cannot_start_is_named() {
    let stage = flux(RESOURCES)
        .argument("--launch-agent")
        .argument("/nowhere/mpirun");
    let outcome = stage.shell("sleep 20").run();
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    for outcome in outcome.of_lines() {
        outcome.assert_fails(
            1,
            &["has no oxmpi where this host has it", "/nowhere/mpirun"],
        );
    }
}

/// A job that a task of `flux run` starts is on its own host.
fn a_task_of_flux_has_no_hosts() {
    let stage = flux(RESOURCES).variable("FLUX_JOB_ID", "f7");
    let stage = stage.argument("--mca").argument("plm").argument("flux");
    let outcome = stage.shell("true").run();
    outcome.assert_fails(2, &["flux", "this is a task of Flux's job FLUX_JOB_ID"]);
}

/// All ranks have the credentials that only processes of PALS get, those beside the launcher too.
fn aprun_starts_a_daemon_here_too() {
    let lines = ["0 77 a1", "1 77 a1", "2 77 a1"];
    let stage = pals(&[APRUN, RUN].concat());
    let asked = prints(stage, "$SLINGSHOT_VNIS $PALS_APID", &lines);
    assert_eq!(asked, "198.51.100.1 localhost 198.51.100.2\n");
    let stage = pals(&[APRUN, RUN].concat()).parameter("plm_daemon_here", "no");
    let asked = prints(stage, "$SLINGSHOT_VNIS", &["0 77", "1", "2 77"]);
    assert_eq!(asked, "198.51.100.1 198.51.100.2\n");
}

fn the_launcher_starts_all_daemons_of_pals() {
    let stage = pals(&[APRUN, RUN].concat()).parameter("plm_tree_radix", "1");
    let asked = prints(stage, "", &["0", "1", "2"]);
    assert_eq!(asked, "198.51.100.1 localhost 198.51.100.2\n");
}

fn aprun_that_refuses_is_quoted() {
    let refuse = "#!/bin/sh\necho 'aprun: launch failed: no VNI' >&2; exit 1\n";
    let outcome = pals(refuse).shell("sleep 20").run();
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    for outcome in outcome.of_lines() {
        outcome.assert_fails(1, &["exit code 1: aprun: launch failed: no VNI"]);
    }
}

fn a_job_of_pals_gives_exit_codes_and_signals_on() {
    let stage = pals(&[APRUN, RUN].concat());
    let outcome = stage.shell("[ $OXMPI_RANK = 1 ] && exit 7; sleep 20").run();
    assert_eq!(outcome.code, Some(7), "{outcome:?}");
    let stage = pals(&[APRUN, RUN].concat());
    let folder = stage.folder().to_path_buf();
    let up = format!("UP={}", folder.display());
    let stage = stage.argument("-x").argument(&up);
    let ranks = "trap 'echo usr1; exit 0' USR1; >$UP/up-$OXMPI_RANK
                 while :; do sleep 0.02; done";
    let outcome = stage.shell(ranks).run_with(|launcher| {
        let is_up = |rank: u32| folder.join(format!("up-{rank}")).exists();
        while !(0..3).all(is_up) {
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_process(Pid::from_raw(launcher).unwrap(), Signal::USR1).unwrap();
    });
    assert_eq!((outcome.code, outcome.lines()), (Some(0), vec!["usr1"; 3]));
}

fn a_killed_launcher_leaves_nothing_of_aprun() {
    let stage = pals(&[APRUN, RUN].concat());
    let up = stage.folder().join("up");
    let value = format!("UP={}", up.display());
    let stage = stage.argument("-x").argument(&value);
    let outcome = stage.shell(">$UP; sleep 20").run_with(|launcher| {
        while !up.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_process(Pid::from_raw(launcher).unwrap(), Signal::KILL).unwrap();
    });
    assert_eq!(outcome.code, None);
}
