//! Tests of jobs that fail: the launcher reports once which rank failed and how, ends the others
//! within a second, leaves nothing behind, and exits with a code that says what happened.

use std::path::PathBuf;
use std::time::Duration;

use super::programs::{compile, mpirun, none_left, TCP};
use super::tardy;
use crate::case::Case;
use crate::peers;
use crate::world::World;
use xtask::fsio;
use xtask::shell::{Job, Outcome};

/// How a rank fails, the exit code, and what the launcher says.
const FAILURES: &[(&str, i32, &str)] = &[
    ("segfault", 139, "was killed by signal 11 (SIGSEGV)"),
    ("kill", 137, "was killed by signal 9 (SIGKILL)"),
    ("abort", 134, "was killed by signal 6 (SIGABRT)"),
    ("exit", 3, "exited with code 3"),
    ("leave", 1, "exited with code 0 without MPI_Finalize"),
    ("mpi_abort", 9, "called MPI_Abort with code 9"),
    ("error", 6, "called MPI_Abort with code 6"),
];

/// Where the other ranks are meanwhile.
const PLACES: &[&str] = &["barrier", "recv", "send", "elsewhere"];

/// Calls at the wrong time, and what is said.
const UNTIMELY: &[(&str, &str)] = &[
    ("before_init", "not initialised"),
    ("init_twice", "initialised before"),
    ("finalize_twice", "finalised before"),
    ("after_finalize", "not initialised"),
];

/// Mistakes that nobody handles, and what is said of them: the call, the error class, and what is
/// wrong.
const MISTAKES: &[(&str, &str)] = &[
    (
        "count",
        "MPI_Send: MPI_ERR_COUNT: count is -1 (communicator ocean)",
    ),
    (
        "rank",
        "MPI_Send: MPI_ERR_RANK: rank 7 in communicator ocean, which has 2 ranks",
    ),
    ("tag", "MPI_Send: MPI_ERR_TAG: tag is -3;"),
    (
        "buffer",
        "MPI_Send: MPI_ERR_BUFFER: the buffer of 1 elements is a null pointer",
    ),
    (
        "root",
        "MPI_Bcast: MPI_ERR_ROOT: root 9 in communicator ocean, which has 2 ranks",
    ),
    (
        "operation",
        "MPI_Allreduce: MPI_ERR_OP: MPI_BAND is not defined for MPI_FLOAT",
    ),
    ("uncommitted", "is not committed; call MPI_Type_commit"),
    ("overlap", "have bytes that lie on each other"),
    ("freed", "is no MPI_Datatype: it was freed"),
    (
        "attribute",
        "MPI_Comm_dup: MPI_ERR_OTHER: the copy function of attribute key",
    ),
    (
        "truncated",
        "MPI_ERR_TRUNCATE: a message of 12 bytes exceeds its receive buffer of 4 bytes",
    ),
    ("counts", "MPI_Bcast: MPI_ERR_TRUNCATE: rank 0 sent 4 bytes"),
    (
        "operations",
        "MPI_ERR_OP: rank 0 calls MPI_Allreduce with MPI_SUM, and rank 1",
    ),
];

/// Mistakes with windows that nobody handles, and what is said of them, by loads and stores and by
/// messages alike.
const WINDOW_MISTAKES: &[(&str, &str)] = &[
    (
        "no epoch",
        "MPI_Put: MPI_ERR_RMA_SYNC: an access to rank 0 needs an epoch for it; no epoch is open",
    ),
    (
        "outside",
        "MPI_Put: MPI_ERR_RMA_RANGE: bytes 28 to 36 of the window of rank 0, which has 32",
    ),
    (
        "before",
        "MPI_Get: MPI_ERR_DISP: the displacement at rank 0 is -1",
    ),
    ("rank", "MPI_Put: MPI_ERR_RANK: rank 7 in"),
    (
        "not locked",
        "MPI_Accumulate: MPI_ERR_RMA_SYNC: an access to rank 1 needs an epoch for it; an epoch \
         since MPI_Win_lock is open",
    ),
    (
        "unlock",
        "MPI_Win_unlock: MPI_ERR_RMA_SYNC: this process has not locked rank 0",
    ),
    (
        "flush",
        "MPI_Win_flush: MPI_ERR_RMA_SYNC: MPI_Win_flush needs a lock",
    ),
    (
        "wait",
        "MPI_Win_wait: MPI_ERR_RMA_SYNC: the window was not opened by MPI_Win_post",
    ),
    (
        "lock twice",
        "MPI_Win_lock: MPI_ERR_RMA_SYNC: this process has locked rank 0 already",
    ),
    (
        "free locked",
        "MPI_Win_free: MPI_ERR_RMA_SYNC: the window cannot be freed; an epoch since MPI_Win_lock \
         is open",
    ),
    (
        "no_locks",
        "MPI_Win_lock: MPI_ERR_RMA_SYNC: MPI_Win_lock in a window whose info says `no_locks`",
    ),
    (
        "detach",
        "MPI_Win_detach: MPI_ERR_RMA_ATTACH: no attached memory begins at 0x",
    ),
    ("attach twice", "MPI_Win_attach: MPI_ERR_RMA_ATTACH: "),
    (
        "not attached",
        "MPI_Win_unlock: MPI_ERR_RMA_RANGE: there is no such memory, in the window of rank 0",
    ),
    ("size", "MPI_Win_allocate: MPI_ERR_SIZE: size is -1"),
];

/// Report of two accesses that conflict, where conflicts are checked.
const CONFLICT: &str =
    "MPI_Win_flush: MPI_ERR_RMA_CONFLICT: MPI_Accumulate with MPI_SUM of MPI_INT \
    by rank 1 conflicts with MPI_Put by rank 0 in the same epoch: both access bytes 8 to 12 of the \
    window of rank 0";

/// Parameters that are wrong, refused before anything starts.
const PARAMETERS: &[(&str, &str)] = &[
    ("btl", "tpc,self"),
    ("btl", "sm,^tcp"),
    ("pml", "ob2"),
    ("btl_sm_eager_limit", "moon"),
    ("btl_sm_eager_limt", "4k"),
    ("coll_tuned_prioritty", "3"),
    ("btl_sm_ring_mx", "16"),
    ("vprotocol", "optimist"),
];

/// Parameters in the environment, as Open MPI names them, and the line that `mpirun` prints of
/// them.
const REPORTED: &[(&str, &str, &str)] = &[
    (
        "btl_ofi_disable_spe",
        "1",
        "mpirun: there is no parameter btl_ofi_disable_spe (from: environment variable \
         OMPI_MCA_btl_ofi_disable_spe); did you mean btl_ofi_disable_sep?",
    ),
    (
        "btl",
        "openib,vader,self",
        "mpirun: btl asks for openib (from: environment variable OMPI_MCA_btl), which only Open \
         MPI has, and goes without",
    ),
    (
        "coll_adapt_priority",
        "90",
        "mpirun: coll_adapt_priority \"90\" (from: environment variable \
         OMPI_MCA_coll_adapt_priority) is not done",
    ),
    (
        "btl_openib_allow_ib",
        "1",
        "mpirun: only Open MPI has these parameters, not used: btl_openib_allow_ib (from: ",
    ),
];

/// How long after the failure a job may last; a start is included.
const END_LIMIT: Duration = Duration::from_millis(1500);

/// How long a job may last whose ranks end by themselves after a death.
const OUTLIVED_LIMIT: Duration = Duration::from_secs(1);

/// How long a job runs that has to warn at once.
const WARNING_LIMIT: Duration = Duration::from_secs(1);

/// How many jobs fail at a time: they wait nearly all of their time.
const AT_A_TIME: usize = 4;

/// A program of `tests/environment`, by its name.
fn compiled(world: &World, name: &str) -> Result<PathBuf, String> {
    let folder = fsio::root().join("tests/environment");
    compile(world, &folder.join(format!("{name}.c")), &[])
}

/// The case of a job of the program that fails, with the options of its launcher and its arguments,
/// and whether it did as it should.
fn failing(
    name: impl Into<String>,
    (ranks, options): (usize, &'static [&'static str]),
    args: [&'static str; 2],
    judge: impl Fn(&Job) -> Result<(), String> + Send + Sync + 'static,
) -> Case {
    Case::new(name, AT_A_TIME, move |world| {
        let job = mpirun(world, ranks, options);
        judge(&job.arg(compiled(world, "fail")?).args(args))
    })
}

/// Every failure in every place, over both transports, and mistakes.
pub fn run() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (transport, options) in [("sm", &[][..]), ("tcp", TCP)] {
        for (how, code, said) in FAILURES {
            for place in PLACES {
                let name = format!("{how} in {place} over {transport}");
                let check = |job: &Job| job.run().and_then(|o| judge(&o, *code, said));
                cases.push(failing(name, (4, options), [how, place], check));
            }
        }
    }
    let name = "kill in recv of a job that goes on without the dead";
    let goes_on = (4, &["--enable-recovery"][..]);
    cases.push(failing(name, goes_on, ["kill", "recv"], outlived));
    let name = "the stack of a rank that crashes";
    let shows = (4, &["--backtrace"][..]);
    cases.push(failing(name, shows, ["segfault", "barrier"], shows_stack));
    cases.extend(mistakes());
    cases.extend(unconnected());
    for (how, said) in UNTIMELY {
        let check = |job: &Job| is_ended(&job.run()?, said);
        cases.push(failing(*how, (2, &[]), [how, "untimely"], check));
    }
    cases.extend(parameters());
    cases.extend(borrowed());
    cases.extend(foreign_launcher());
    let late = "a launcher whose word reaches rank 1 late";
    cases.push(Case::new(late, 1, |world| {
        let order = compile(world, &fsio::root().join("tests/c/p2p_order.c"), &[])?;
        tardy::run(&order)
    }));
    Ok(cases)
}

/// The job ends with an error, and says so.
fn is_ended(outcome: &Outcome, said: &str) -> Result<(), String> {
    match outcome.code != 0 && !outcome.timed_out && outcome.err.contains(said) {
        true => outcome.none_left(),
        false => Err(format!("expected `{said}`: {}", outcome.reason())),
    }
}

fn judge(outcome: &Outcome, code: i32, said: &str) -> Result<(), String> {
    let of_launcher: Vec<&str> = outcome
        .err
        .lines()
        .filter(|line| line.starts_with("mpirun:"))
        .collect();
    let is_reported =
        matches!(of_launcher[..], [line] if line.contains("rank 1 ") && line.ends_with(said));
    if outcome.code != code || !is_reported || outcome.err.contains("MPIX_ERR_PROC_FAILED") {
        return Err(format!("expected {code}, `{said}`: {}", outcome.reason()));
    }
    if outcome.took > END_LIMIT {
        return Err(format!("took {:.1} s to end", outcome.took.as_secs_f64()));
    }
    outcome.none_left()
}

/// A rank that crashes shows the calls that led there, and ends as it would have without.
fn shows_stack(job: &Job) -> Result<(), String> {
    let outcome = job.run()?;
    let has = |parts: [&str; 2]| {
        let mut lines = outcome.err.lines();
        lines.any(|line| parts.iter().all(|part| line.contains(part)))
    };
    let is_reported = has(["rank 1: process ", "got signal 11 (SIGSEGV)"]);
    match is_reported && has(["fail(", "[0x"]) && has(["libc.so.6(", "[0x"]) {
        true => judge(&outcome, 139, "was killed by signal 11 (SIGSEGV)"),
        false => Err(format!("no stack: {}", outcome.reason())),
    }
}

/// Ranks that nobody ends although a peer has died end at once, each with the error that it got.
fn outlived(job: &Job) -> Result<(), String> {
    let outcome = job.run()?;
    let has_error = |line: &&str| line.contains("MPI_Recv: MPIX_ERR_PROC_FAILED");
    let reports = outcome.err.lines().filter(has_error).count();
    if outcome.code == 0 || outcome.timed_out || reports == 0 || outcome.took > OUTLIVED_LIMIT {
        let took = outcome.took.as_secs_f64();
        return Err(format!("took {took:.1} s to end: {}", outcome.reason()));
    }
    outcome.none_left()
}

/// Each mistake ends the job, and the rank that makes it says which it is.
fn mistakes() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = |name: String, program, options: Vec<&'static str>, what, said| {
        cases.push(Case::new(name, AT_A_TIME, move |world| {
            let job = mpirun(world, 2, &options).arg(compiled(world, program)?);
            is_reported(&job.arg(what), said)
        }));
    };
    for (what, said) in MISTAKES {
        case(what.to_string(), "mistakes", Vec::new(), *what, *said);
    }
    for (way, options) in [("sm", &[][..]), ("tcp", TCP)] {
        for (what, said) in WINDOW_MISTAKES {
            let name = format!("window, {what} over {way}");
            case(name, "mistakes_window", options.to_vec(), *what, *said);
        }
        let options = [options, &["--mca", "osc_check", "1"]].concat();
        let name = format!("conflict over {way}");
        case(name, "mistakes_window", options, "conflict", CONFLICT);
    }
    cases
}

/// Rank 1 says what its mistake is, and the job ends.
fn is_reported(job: &Job, said: &str) -> Result<(), String> {
    let outcome = job.run()?;
    let of_rank = |line: &str| line.starts_with("rank 1: ") && line.contains(said);
    let is_reported = outcome.err.lines().any(of_rank);
    match outcome.code != 0 && !outcome.timed_out && is_reported {
        true => outcome.none_left(),
        false => Err(format!("expected `{said}`: {}", outcome.reason())),
    }
}

/// A ring of ranks that cannot connect: each knows that it cannot send, and waits for what does not
/// come. The job ends with what they know.
fn unconnected() -> Vec<Case> {
    const SOON: &[&str] = &[
        "--mca",
        "btl_tcp_handshake_timeout",
        "300000",
        "--mca",
        "btl_tcp_reconnect_timeout",
        "500000",
    ];
    let ring = |world: &World, options: &[&str]| {
        let job = mpirun(world, 3, &[TCP, options].concat());
        compiled(world, "ring").map(|program| job.arg(program))
    };
    let mut cases = Vec::new();
    for how in ["sendrecv", "waitall", "gather"] {
        for left in ["0", "1"] {
            let name = format!("{how} with {left} descriptors left");
            cases.push(Case::new(name, AT_A_TIME, move |world| {
                // With the usual patience.
                let patient = ring(world, &[])?.args([how, "free", left]);
                is_warned(&patient.limit(WARNING_LIMIT))?;
                let job = ring(world, SOON)?.args([how, "free", left]);
                is_said(&job, "failed: no connection", "(ulimit -n)")
            }));
        }
        if how == "gather" {
            continue;
        }
        let name = format!("{how} with connections refused");
        cases.push(Case::new(name, AT_A_TIME, move |world| {
            let job = ring(world, SOON)?.args([how, "refuse"]);
            is_said(&job, "failed: none of its ", "Connection refused")
        }));
    }
    cases
}

/// A rank that lacks descriptors says so long before it gives up its peers.
fn is_warned(job: &Job) -> Result<(), String> {
    let outcome = job.run()?;
    match outcome.err.contains("btl: connections have to wait: ") {
        true => Ok(()),
        false => Err(format!("not warned at once: {}", outcome.reason())),
    }
}

/// The job fails soon, and a rank says both.
fn is_said(job: &Job, one: &str, other: &str) -> Result<(), String> {
    let outcome = job.run()?;
    let of_rank =
        |line: &str| line.starts_with("rank ") && line.contains(one) && line.contains(other);
    let is_reported = outcome.err.lines().any(of_rank);
    match outcome.code != 0 && !outcome.timed_out && is_reported {
        true => outcome.none_left(),
        false => Err(format!("expected `{one}`, `{other}`: {}", outcome.reason())),
    }
}

fn parameters() -> Vec<Case> {
    let case = |(name, value): &(&'static str, &'static str)| {
        let (name, value) = (*name, *value);
        Case::new(format!("--mca {name} {value}"), AT_A_TIME, move |world| {
            let outcome = harmless(world, &["--mca", name, value])?.run()?;
            match outcome.code == 2 && outcome.err.lines().count() == 1 {
                true => Ok(()),
                false => Err(outcome.reason()),
            }
        })
    };
    PARAMETERS.iter().map(case).collect()
}

/// A job that nothing happens to.
fn harmless(world: &World, options: &[&str]) -> Result<Job, String> {
    let job = mpirun(world, 2, options).arg(compiled(world, "fail")?);
    Ok(job.args(["none", "barrier"]))
}

/// Parameters that were written for Open MPI are reported once, and misspelt ones in a file
/// refused.
fn borrowed() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, value, said) in REPORTED {
        cases.push(Case::new(
            format!("OMPI_MCA_{name}={value}"),
            AT_A_TIME,
            move |world| {
                let job = harmless(world, &[])?;
                let outcome = job.env(format!("OMPI_MCA_{name}"), value).ok()?;
                match outcome.err.starts_with(said) && outcome.err.lines().count() == 1 {
                    true => Ok(()),
                    false => Err(outcome.reason()),
                }
            },
        ));
    }
    cases.push(Case::new("a misspelt name in a file", AT_A_TIME, |world| {
        let file = fsio::target_dir().join("test").join("misspelt");
        fsio::write(&file, "osc_rdma_mni = 1\n")?;
        let name = file.display().to_string();
        let outcome = harmless(world, &["--tune", &name])?.run()?;
        let said = format!("(from: tune file {name}:1); did you mean osc_rdma_min?");
        match outcome.code == 2 && outcome.err.contains(&said) {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    }));
    cases.push(Case::new(
        "the components of oxmpi_info",
        AT_A_TIME,
        components,
    ));
    cases
}

/// `oxmpi_info` lists what the frameworks themselves have.
fn components(world: &World) -> Result<(), String> {
    let listing = Job::new(world.bin("oxmpi_info"))
        .arg("--parsable")
        .ok()?
        .out;
    let expected = [
        "mca:bootstrap:pmi2:description:",
        "mca:bootstrap:pmix:description:",
        "mca:btl:tcp:description:TCP over IPv4 and IPv6\n",
        "mca:coll:sm:description:",
        "mca:osc:rdma:description:",
        "mca:smsc:cma:description:",
    ];
    match expected.iter().find(|line| !listing.contains(**line)) {
        None => Ok(()),
        Some(line) => Err(format!("no `{line}` in: {listing}")),
    }
}

/// The launcher of MPICH starts the program, and variables of a launcher that is gone are reported.
/// Nothing runs beside, since what that launcher leaves is found by the program.
fn foreign_launcher() -> Vec<Case> {
    let hydra = |name, args: [&'static str; 2], code| {
        Case::new(name, 1, move |world| {
            let program = compiled(world, "fail")?;
            let mpiexec = peers::get("mpich")?.prefix.join("bin/mpiexec.hydra");
            let job = Job::new(mpiexec).args(["-n", "4"]).arg(&program).args(args);
            let outcome = job.limit(Duration::from_secs(30)).run()?;
            match outcome.code == code {
                true => none_left(&program),
                false => Err(format!("expected {code}: {}", outcome.reason())),
            }
        })
    };
    let left_over = |(name, value): (&'static str, &'static str)| {
        Case::new(format!("{name} left over"), 1, move |world| {
            let job = Job::new(compiled(world, "fail")?).args(["none", "barrier"]);
            let outcome = job.env(name, value).run()?;
            match outcome.code != 0 && outcome.err.contains(name) {
                true => Ok(()),
                false => Err(outcome.reason()),
            }
        })
    };
    let mut cases = vec![
        hydra("started by Hydra", ["none", "barrier"], 0),
        hydra("MPI_Abort under Hydra", ["mpi_abort", "recv"], 9),
    ];
    cases.extend([("PMI_FD", "77"), ("PMI_PORT", "127.0.0.1:1")].map(left_over));
    cases
}
