//! Options that show only in a job that runs: where output goes, where ranks are bound, what is
//! started on other hosts.

use std::path::PathBuf;

use crate::stage::{Stage, HERE};
use crate::Test;

pub const TESTS: &[Test] = &[
    ("output_goes_to_files", output_goes_to_files),
    (
        "output_goes_to_files_and_the_terminal",
        output_goes_to_files_and_the_terminal,
    ),
    (
        "files_that_cannot_be_made_start_nothing",
        files_that_cannot_be_made_start_nothing,
    ),
    ("errors_are_printed_as_output", errors_are_printed_as_output),
    (
        "reports_come_first_and_as_they_are",
        reports_come_first_and_as_they_are,
    ),
    (
        "ranks_are_bound_on_every_host",
        ranks_are_bound_on_every_host,
    ),
    (
        "hosts_without_ranks_are_left_alone",
        hosts_without_ranks_are_left_alone,
    ),
    (
        "another_installation_is_started",
        another_installation_is_started,
    ),
    (
        "more_ranks_than_slots_are_reported",
        more_ranks_than_slots_are_reported,
    ),
];

/// A folder of its own that goes away at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let own = format!("oxmpi-options-{name}-{}", std::process::id());
        Folder(std::env::temp_dir().join(own))
    }

    fn read(&self, name: &str) -> String {
        let path = self.0.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn output_goes_to_files() {
    let folder = Folder::new("files");
    let outcome = Stage::new(HERE, "h1:1,localhost:1,h2:1")
        .argument("--output")
        .argument(&format!("tag,dir={},nocopy", folder.0.display()))
        .shell("echo out $OXMPI_RANK; echo err $OXMPI_RANK >&2; printf end")
        .run();
    assert_eq!((&outcome.out[..], &outcome.err[..]), ("", ""));
    assert_eq!(outcome.code, Some(0));
    for rank in 0..3 {
        let out = folder.read(&format!("1/rank.{rank}/stdout"));
        let err = folder.read(&format!("1/rank.{rank}/stderr"));
        assert_eq!(
            (out, err),
            (format!("out {rank}\nend"), format!("err {rank}\n"))
        );
    }
}

fn output_goes_to_files_and_the_terminal() {
    let folder = Folder::new("both");
    let outcome = Stage::new(HERE, "h1:1,localhost:1")
        .argument("--output")
        .argument(&format!("file={}/log,merge", folder.0.display()))
        .shell("echo out $OXMPI_RANK; echo err $OXMPI_RANK >&2")
        .run();
    assert_eq!(outcome.lines(), ["err 0", "err 1", "out 0", "out 1"]);
    assert_eq!((outcome.code, &outcome.err[..]), (Some(0), ""));
    for rank in 0..2 {
        let text = folder.read(&format!("log.{rank}.out"));
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, [format!("err {rank}"), format!("out {rank}")]);
        assert_eq!(folder.read(&format!("log.{rank}.err")), "");
    }
}

fn files_that_cannot_be_made_start_nothing() {
    let outcome = Stage::new(HERE, "h1:1,localhost:1")
        .argument("--output-filename")
        .argument("/proc/none")
        .shell("echo started")
        .run();
    outcome.assert_fails(2, &["file of output", "/proc/none/1/rank.0/stdout"]);
    assert_eq!(outcome.out, "");
}

fn errors_are_printed_as_output() {
    let outcome = Stage::new(HERE, "h1:1")
        .argument("--merge-stderr-to-stdout")
        .argument("--tag-output")
        .shell("echo out; echo err >&2")
        .run();
    assert_eq!(outcome.lines(), ["[1,0]<stdout>:err", "[1,0]<stdout>:out"]);
    assert_eq!(outcome.err, "");
}

fn reports_come_first_and_as_they_are() {
    let outcome = Stage::new(HERE, "h1:1,localhost:1")
        .argument("--display")
        .argument("allocation,map")
        .argument("--report-bindings")
        .shell("true")
        .run();
    let lines: Vec<&str> = outcome.err.lines().collect();
    let bound = "[localhost] MCW rank 1 is not bound (or bound to all available processors)";
    assert_eq!(lines[0], "ALLOCATED NODES");
    assert!(lines[1].ends_with(": slots=1"), "{outcome:?}");
    assert_eq!(lines[lines.len() - 1], bound);
    assert_eq!((lines.len(), outcome.code), (10, Some(0)), "{outcome:?}");
}

fn ranks_are_bound_on_every_host() {
    let outcome = Stage::new(HERE, "h1:1,localhost:1")
        .argument("--bind-to")
        .argument("hwthread")
        .argument("--report-bindings")
        .shell("sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status")
        .run();
    let lines = outcome.lines();
    // Each host is this machine, so each takes its first processor.
    assert!(lines.len() == 2 && lines[0] == lines[1], "{outcome:?}");
    lines[0].parse::<u32>().expect("one processor");
    let bound = outcome
        .err
        .lines()
        .filter(|line| line.contains("bound to socket 0[core 0[hwt 0]]"));
    assert_eq!(bound.count(), 2, "{outcome:?}");
}

fn hosts_without_ranks_are_left_alone() {
    let only_first = "[ \"$1\" = h1 ] || exit 9; exec sh -c \"$2\"";
    let outcome = Stage::new(only_first, "h1:2,h2:2,h3:2")
        .argument("-n")
        .argument("2")
        .shell("echo $OXMPI_RANK $OMPI_UNIVERSE_SIZE")
        .run();
    assert_eq!(outcome.lines(), ["0 6", "1 6"]);
    assert_eq!((outcome.code, &outcome.err[..]), (Some(0), ""));
}

fn another_installation_is_started() {
    for (option, value) in [
        ("--prefix", "/opt/other"),
        ("--launch-agent", "/opt/other/bin/mpirun"),
    ] {
        let outcome = Stage::new("echo \"asked for $2\" >&2; exit 9", "h1:1")
            .argument(option)
            .argument(value)
            .shell("true")
            .run();
        assert!(outcome.err.contains("/opt/other/bin/mpirun"), "{outcome:?}");
        assert_ne!(outcome.code, Some(0));
    }
}

fn more_ranks_than_slots_are_reported() {
    let outcome = Stage::new(HERE, "h1:1,localhost:1")
        .argument("-n")
        .argument("3")
        .shell("echo $OXMPI_NODE")
        .run();
    assert_eq!(
        (outcome.lines(), outcome.code),
        (vec!["0", "0", "1"], Some(0))
    );
    let said: Vec<&str> = outcome.err.lines().collect();
    assert!(
        said.len() == 1 && said[0].contains("3 ranks on 2 slots"),
        "{outcome:?}"
    );
    let refused = Stage::new(HERE, "h1:1,localhost:1")
        .argument("--nooversubscribe")
        .argument("-n")
        .argument("3")
        .shell("echo started")
        .run();
    refused.assert_fails(2, &["3 ranks on 2 slots", "--nooversubscribe"]);
    assert_eq!(refused.out, "");
}
