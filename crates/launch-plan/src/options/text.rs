//! Generates the help text and the documentation from the table of options.

use super::row::{Group, Row};
use super::{dashed, TABLE};

/// How wide the names are in the help, and how wide it may be.
const LEFT_COLUMNS: usize = 30;
const ALL_COLUMNS: usize = 100;

const USAGE: &str = "\
Usage: {name} [OPTIONS] PROGRAM [ARGUMENTS] [: [OPTIONS] PROGRAM [ARGUMENTS]]...

Starts an MPI program on this machine, or on the hosts that are named. A colon on its own
separates the programs of one job. Options take one dash or two, and a value after a space or '='.
";

const EXIT_CODES: &str = "
Exit code: that of the first rank that fails, 128 + N when signal N killed it, 124 when the time
limit ran out, 2 when nothing could be started, else 0; of ranks that a job with --with-ft goes on
without, those that are left decide.
";

/// The text of `--help`, with `{name}` for the program's name.
pub fn help() -> String {
    let mut text = USAGE.to_string();
    for group in Group::ALL {
        text.push_str(&format!("\n{}:\n", group.title()));
        rows(group).for_each(|row| text.push_str(&help_of(row)));
    }
    text + EXIT_CODES
}

fn help_of(row: &Row) -> String {
    let left = names(row);
    let mut text = match left.len() > LEFT_COLUMNS {
        true => format!("  {left}\n"),
        false => format!("  {left:<LEFT_COLUMNS$} "),
    };
    for (nth, line) in wrapped(row.help, ALL_COLUMNS - LEFT_COLUMNS - 3)
        .iter()
        .enumerate()
    {
        if nth > 0 || text.ends_with('\n') {
            text.push_str(&" ".repeat(LEFT_COLUMNS + 3));
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Wraps a text into lines of at most `columns` columns.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("one from the start");
        match last.is_empty() {
            true => last.push_str(word),
            false if last.len() + 1 + word.len() <= columns => *last = format!("{last} {word}"),
            false => lines.push(word.to_string()),
        }
    }
    lines
}

/// The document about the options.
pub fn markdown() -> String {
    let mut text = MARKDOWN_HEAD.to_string();
    for group in Group::ALL {
        text.push_str(&format!(
            "\n## {}\n\n| option | |\n|---|---|\n",
            group.title()
        ));
        for row in rows(group) {
            let names = names(row).replace('|', "\\|");
            let help = row.help.replace('|', "\\|");
            text.push_str(&format!("| `{names}` | {help} |\n"));
        }
    }
    text + MARKDOWN_TAIL
}

fn rows(group: Group) -> impl Iterator<Item = &'static Row> {
    TABLE.iter().filter(move |row| row.group == group)
}

/// All names of an option, and what it takes: `-n, -np, -c N`.
pub fn names(row: &Row) -> String {
    let names: Vec<String> = row.names.iter().map(|name| dashed(name)).collect();
    let names = names.join(", ");
    match (row.is_optional(), row.values) {
        (true, [value, ..]) => format!("{names}[={}]", value.trim_matches(['[', ']'])),
        (_, []) => names,
        (_, values) => format!("{names} {}", values.join(" ")),
    }
}

const MARKDOWN_HEAD: &str = "\
<!-- Made from the options in crates/launch-plan/src/options/table.rs; a test keeps it so. -->

# mpirun

`mpirun` (or `mpiexec`) starts an MPI job on this machine or on several hosts:

```
mpirun -n 4 ./program                                  # four ranks here
mpirun --host n1:2,n2:2 ./program                      # two ranks on each of two hosts
mpirun --hostfile hosts --map-by node -n 8 ./program   # hosts in turn
mpirun -n 1 ./leader : -n 3 ./worker                   # one job of two programs
```

It understands the options of Open MPI 4, of Open MPI 5 and of MPICH's Hydra, with one dash or two.
An option that is not in these tables is refused, with the nearest one that is.

A program that is named without a slash is the first one on `PATH`, or else the one in the working
directory.
";

const MARKDOWN_TAIL: &str = "
## Hosts and slots

Hosts come from the batch system's allocation, host files, `--host`, or the default host file, in
this order; when none is named the job runs on this machine. In an allocation host files and
`--host` choose among its hosts, and `--host` chooses among those of a host file. The default host
file is the one of `--default-hostfile`, of the parameter `orte_default_hostfile`, or of the
variables `PRTE_MCA_prte_default_hostfile`, `HYDRA_HOST_FILE` and `I_MPI_HYDRA_HOST_FILE`, as the
MPI operator of Kubernetes sets them.

An allocation is found by the variables of its batch system, the first of these that is there:

| system | variables | slots of a host |
|---|---|---|
| Flux | `FLUX_URI`, and no `FLUX_JOB_ID` | the cores that `flux resource R` prints |
| Slurm | `SLURM_JOB_NODELIST` | `SLURM_TASKS_PER_NODE`, or else `SLURM_JOB_CPUS_PER_NODE` |
| PBS, Torque | `PBS_JOBID`, `PBS_NODEFILE` | one for each line of the file with its name |
| LSF | `LSB_JOBID`, `LSB_DJOB_HOSTFILE` | one for each line of the file with its name |
| LSF without that file | `LSB_JOBID`, `LSB_MCPU_HOSTS` | as that says |
| Grid Engine | `JOB_ID`, `PE_HOSTFILE` | the sum of its lines in the file |

What starts daemons on them is the batch system's command where there is one for it, and ssh
otherwise: [batch.md](batch.md).

A host file has a host on each line, in either dialect; `#` opens a comment:

```
n1 slots=4 max_slots=8    # room for four ranks, never more than eight
n2:4
[fe80::1%eth0]:2
me@n3
```

A host has as many slots as were given to it. Without a number it has one for each core, and one
for each time that it is named when it is named more than once or by `--host`; `NAME:*` means one
for each core there too. `+n1` is the second host of the allocation or file, `+e:2` are two hosts
that no other program of the job uses.

More ranks than slots are started with a warning, spread evenly over all hosts; `--oversubscribe`
silences the warning, `--nooversubscribe` makes it an error. `max_slots` is never exceeded.

A job starts on no host that cannot have its ranks: the number of processes is compared with
`kernel.pid_max`, `kernel.threads-max`, `ulimit -u` and the control group's `pids.max`, and what MPI
programs need at least, 640 KiB and 1 KiB for each rank of the job, with the memory that is free in
the machine and its control groups. `--oversubscribe` starts them nevertheless.

## Where ranks run

`--map-by` says where ranks are placed, one after the other: `slot` fills each host before the
next, `node` takes hosts in turn, a unit (`package` or `socket`, `numa`, `l3cache`, `l2cache`,
`l1cache`, `core`, `hwthread`) takes the units of a host in turn, `ppr:N:UNIT` places N on each.
After a colon:

| | |
|---|---|
| `PE=N` | N processors to each rank; slots then count processors |
| `SPAN` | spread evenly over all hosts |
| `OVERSUBSCRIBE`, `NOOVERSUBSCRIBE` | like the options |
| `NOLOCAL` | nothing on this machine |
| `HWTCPUS`, `CORECPUS` | processors are hardware threads, or cores (default) |
| `FILE=NAME` | the file of `rankfile` or `seq` |

Ranks are numbered in the order of placement, unless `--rank-by` says otherwise: `slot` numbers the
ranks of a host one after the other, `node` takes hosts in turn, `fill` numbers the ranks of a unit
one after the other, `span` takes the units of all hosts in turn, a unit those of each host in turn.

`--bind-to` binds each rank to a unit: the first one with a free processor where the rank was
placed. Ranks placed on a unit are bound to it, and ranks with `PE=N` to their processors, unless
`--bind-to` says otherwise. A host with too few processors binds none of its ranks, and warns; after
a colon `overload-allowed` lets ranks share processors, and `if-supported` silences the warning.

A rank file has a line for each rank: `rank 0=n1 slot=0:0-1` is rank 0 on n1, bound to the cores 0
and 1 of package 0, `slot=4` to core 4 of the machine, `slot=0:*` to the whole of package 0, and
`slot=*` to nothing. Hosts may be `+n0` there too. With `--map-by seq` each line of a file of
hosts is the host of a rank.

## Files of output

`--output dir=DIR` and `--output-filename DIR` write what rank 3 of 16 prints to
`DIR/1/rank.03/stdout` and `stderr`; `--output file=NAME` to `NAME.03.out` and `NAME.03.err`.
Lines go to the terminal as well, unless `nocopy` stands behind a comma or colon.

## Hosts that fall silent

A host whose connection closes is lost at once. A silent one, for instance behind a network
that is cut, is lost after `--mca plm_heartbeat_timeout SECONDS`: 60, or twice
`btl_tcp_reconnect_timeout` where that is longer. A shorter cut only costs time.

## Exit codes

The code of the first rank that fails; 128 + N when signal N killed it; 124 when the time limit ran
out; 2 when nothing could be started; 1 when the output of ranks could not be written; else 0.

Where a job is ended, by a failure, a signal or its time limit, so are processes that its ranks have
put into sessions or groups of their own. Such processes go on after a job that ends well.

A job that goes on without ranks that died (`--with-ft`, `--enable-recovery`) ends with 0 where all
others end with 0, and a line says which ranks it lost. Where one of the others fails, or all are
lost, the code is that of the first failure or loss. A rank that was to be started again by a log of
messages and was not is a failure.
";
