//! Hosts that cannot be reached, answer nonsense, or go away.

use crate::filter;
use crate::stage::{addressed, Outcome, Stage, HERE};
use crate::Test;

pub const TESTS: &[Test] = &[
    (
        "a_host_that_cannot_be_reached_is_reported",
        a_host_that_cannot_be_reached_is_reported,
    ),
    (
        "a_host_below_another_that_cannot_be_reached",
        a_host_below_another_that_cannot_be_reached,
    ),
    (
        "all_hosts_that_cannot_be_reached_are_reported",
        all_hosts_that_cannot_be_reached_are_reported,
    ),
    (
        "what_a_shell_prints_is_skipped",
        what_a_shell_prints_is_skipped,
    ),
    (
        "a_shell_that_prints_without_end",
        a_shell_that_prints_without_end,
    ),
    ("another_version_is_reported", another_version_is_reported),
    ("nonsense_after_the_greeting", nonsense_after_the_greeting),
    ("a_host_that_never_answers", a_host_that_never_answers),
    (
        "a_killed_daemon_is_a_lost_host",
        a_killed_daemon_is_a_lost_host,
    ),
    (
        "a_silent_daemon_is_a_lost_host",
        a_silent_daemon_is_a_lost_host,
    ),
    (
        "a_connection_cut_at_any_byte_up",
        a_connection_cut_at_any_byte_up,
    ),
    (
        "a_connection_cut_at_any_byte_down",
        a_connection_cut_at_any_byte_down,
    ),
    (
        "output_that_is_lost_after_the_ranks_have_ended",
        output_that_is_lost_after_the_ranks_have_ended,
    ),
    (
        "a_host_that_is_lost_after_its_last_output",
        a_host_that_is_lost_after_its_last_output,
    ),
];

fn a_host_that_cannot_be_reached_is_reported() {
    for (script, code, parts) in [
        (
            "echo 'ssh: connect to host h1 port 22: Connection refused' >&2; exit 255",
            1,
            &["cannot reach host h1", "Connection refused"][..],
        ),
        (
            "echo 'me@h1: Permission denied (publickey,password).' >&2; exit 255",
            1,
            &[
                "cannot reach host h1",
                "Permission denied",
                "without a password",
            ],
        ),
        (
            "echo 'sh: 1: exec: mpirun: not found' >&2; exit 127",
            1,
            &["host h1 has no oxmpi", "not found"],
        ),
        ("exit 3", 1, &["cannot start on host h1", "exit code 3"]),
        ("kill -9 $$", 1, &["cannot start on host h1"]),
    ] {
        Stage::new(script, "h1")
            .shell("true")
            .run()
            .assert_fails(code, parts);
    }
    let stage = Stage::without_agent("h1").parameter("plm_rsh_agent", "/no/such/agent");
    let outcome = stage.shell("true").run();
    outcome.assert_fails(
        1,
        &["cannot reach host h1", "/no/such/agent", "No such file"],
    );
}

fn a_host_below_another_that_cannot_be_reached() {
    let script = "[ $1 = h3 ] && { echo 'ssh: no route to h3' >&2; exit 255; }\nexec sh -c \"$2\"";
    let stage = Stage::new(script, "h1,h2,h3,h4").parameter("plm_tree_radix", "1");
    let outcome = stage.shell("sleep 100").run();
    outcome.assert_fails(1, &["cannot reach host h3", "no route to h3"]);
}

/// Those that cannot be reached are reported at once, not one in each attempt of the user's, and
/// one that answers is not; what never answers is not waited for.
fn all_hosts_that_cannot_be_reached_are_reported() {
    let script = "case $1 in\n\
                  h1) exec sh -c \"$2\" ;;\n\
                  h5) exec sleep 100 ;;\n\
                  esac\n\
                  sleep 0.$((${1##*.} * 2)); echo \"no route to $1\" >&2; exit 255";
    let outcome = Stage::new(script, "h1,h2,h3,h4,h5").shell("true").run();
    let reported = outcome.of_lines();
    assert_eq!(reported.len(), 3, "{outcome:?}");
    for (host, of_host) in ["h2", "h3", "h4"].into_iter().zip(reported) {
        let (what, why) = (
            format!("cannot reach host {host}"),
            format!("no route to {host}"),
        );
        of_host.assert_fails(1, &[&what, &why]);
    }
}

fn what_a_shell_prints_is_skipped() {
    let script = "echo Welcome to $1; seq 1 10000; printf '\\000oxmpi\\001'; exec sh -c \"$2\"";
    let outcome = Stage::new(script, "h1,h2").shell("echo out").run();
    assert_eq!(
        (outcome.code, outcome.lines()),
        (Some(0), vec!["out", "out"])
    );
}

fn a_shell_that_prints_without_end() {
    let outcome = Stage::new("exec yes", "h1").shell("true").run();
    outcome.assert_fails(1, &["host h1", "prints without end"]);
}

fn another_version_is_reported() {
    let script = "printf '\\000oxmpi\\001daemon\\0029.9.9 7\\n'; exec sleep 100";
    let outcome = Stage::new(script, "h1,h2").shell("true").run();
    let own = format!(
        "{} {}",
        env!("CARGO_PKG_VERSION"),
        launch_tree::wire::VERSION
    );
    for (host, of_host) in ["h1", "h2"].into_iter().zip(outcome.of_lines()) {
        of_host.assert_fails(1, &[host, "has oxmpi 9.9.9 7", &own]);
    }
}

fn nonsense_after_the_greeting() {
    let greeting = format!(
        "{} {}",
        env!("CARGO_PKG_VERSION"),
        launch_tree::wire::VERSION
    );
    for nonsense in [
        "hello, hello, hello",
        "B\\377\\377\\377\\377",
        "R\\004\\000\\000\\000abcd",
    ] {
        let script =
            format!("printf '\\000oxmpi\\001daemon\\002{greeting}\\n{nonsense}'; exec sleep 100");
        let outcome = Stage::new(&script, "h1").shell("true").run();
        outcome.assert_fails(1, &["host h1 cannot go on"]);
    }
}

fn a_host_that_never_answers() {
    let stage = Stage::new("echo 'Enter PIN:' >&2; exec sleep 100", "h1");
    let outcome = stage
        .parameter("plm_start_timeout", "1")
        .shell("true")
        .run();
    outcome.assert_fails(1, &["host h1", "not ready 1 s after", "Enter PIN"]);
}

fn a_killed_daemon_is_a_lost_host() {
    for radix in ["1", "32"] {
        let stage = Stage::new(HERE, "localhost,h1,h2,h3").parameter("plm_tree_radix", radix);
        let outcome = stage
            .shell("[ $OXMPI_RANK = 2 ] && kill -9 $PPID; sleep 100")
            .run();
        let ranks = match radix {
            "1" => "ranks 2-3",
            _ => "rank 2",
        };
        outcome.assert_fails(1, &["lost host h2", ranks]);
    }
}

fn a_silent_daemon_is_a_lost_host() {
    let stage = Stage::new(HERE, "h1,h2").parameter("plm_heartbeat_timeout", "3");
    let outcome = stage
        .shell("[ $OXMPI_RANK = 1 ] && kill -STOP $PPID; sleep 100")
        .run();
    outcome.assert_fails(
        1,
        &[
            "lost host h2",
            "silent for 3 s (plm_heartbeat_timeout)",
            "rank 1",
        ],
    );
}

/// Runs a job over connections that are cut after a growing number of bytes. It ends, whatever the
/// number, with nothing left; and once the number is large enough, it goes well.
fn cut(script: impl Fn(usize) -> String) {
    let mut bytes = 0;
    let mut failed = 0;
    loop {
        let outcome = Stage::new(&script(bytes), "h1").shell("echo out").run();
        match outcome.code {
            Some(0) => {
                assert_eq!(outcome.out, "out\n", "cut after {bytes} bytes");
                assert!(failed > 5);
                return;
            }
            Some(_) => {
                let is_reported = outcome.err.contains(&addressed("host h1"));
                assert!(is_reported, "{bytes}: {outcome:?}");
            }
            None => panic!("cut after {bytes} bytes: {outcome:?}"),
        }
        failed += 1;
        bytes += 1 + bytes / 8;
    }
}

fn a_connection_cut_at_any_byte_up() {
    // Nobody but the last program may hold the connection open.
    cut(|bytes| {
        format!(
            "f=$0.$$; mkfifo $f; exec 3<&0; sh -c \"$2\" <&3 3<&- >$f &
             exec 3<&-; exec dd bs=1 count={bytes} status=none <$f"
        )
    });
}

fn a_connection_cut_at_any_byte_down() {
    cut(|bytes| format!("dd bs=1 count={bytes} status=none | sh -c \"$2\""));
}

/// A job on one host whose connection loses something.
fn with_loss(loss: &str) -> Outcome {
    let script = format!("exec $OXMPI_TEST_EXE {} {loss} \"$2\"", filter::ARGUMENT);
    Stage::new(&script, "h1").shell("echo out").run()
}

/// The end of a rank and its output travel one after the other, in either order. A job whose ranks
/// had all ended well returned 0 when the connection closed between the two, or brought nothing
/// more: what the ranks printed was lost. The exit code is now taken after the last output.
fn output_that_is_lost_after_the_ranks_have_ended() {
    for (loss, text) in [
        (filter::OUTPUT, "lost host h1: its connection has closed"),
        (filter::OUTPUT_OPEN, "output is missing 5 s after"),
    ] {
        with_loss(loss).assert_fails(1, &[text, "(rank 0)"]);
    }
}

fn a_host_that_is_lost_after_its_last_output() {
    let Outcome { code, out, err } = with_loss(filter::BYE);
    let reported = (code, out.as_str(), err.as_str());
    assert_eq!(reported, (Some(0), "out\n", ""));
}
