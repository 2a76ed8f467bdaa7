//! Traces of a program whose calls are known: every call, in its order, with its peer; each
//! message; a rank that is killed keeps its records; a file that cannot be written is an error
//! before the start.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::programs::{compile, mpirun};
use crate::world::{Tally, World};
use xtask::fsio;

/// Ranks of the traced job.
const RANKS: usize = 16;
/// The rank that is killed, of a job of four.
const KILLED: usize = 2;
/// Messages that each rank sends: one in the ring, one back, one in its half, two persistent ones.
const MESSAGES: usize = 5;

/// Runs the checks.
pub fn run(world: &World) -> Result<Tally, String> {
    let program = compile(world, &fsio::root().join("tests/c/trace_known.c"), &["-g"])?;
    let mut tally = Tally::default();
    tally.count("known", known(world, &program));
    tally.count("blocks", blocks(world));
    tally.count("killed", killed(world, &program));
    tally.count("bounded", bounded(world, &program));
    tally.count("unwritable", unwritable(world, &program));
    tally.count("full", full(world, &program));
    Ok(tally)
}

fn file(name: &str) -> PathBuf {
    fsio::target_dir().join("test").join(name)
}

/// Runs the program traced. Returns the trace, and what `mpirun` has said.
fn traced(
    world: &World,
    ranks: usize,
    (program, argument): (&Path, Option<usize>),
    (name, options): (&str, &[&str]),
) -> Result<(Vec<Value>, String), String> {
    let file = file(name);
    let trace = format!("--trace={}", file.display());
    let job = mpirun(world, ranks, &["--oversubscribe", &trace]);
    let job = job.args(options).arg(program);
    let outcome = match argument {
        Some(argument) => job.arg(argument.to_string()).run()?,
        None => job.ok()?,
    };
    let text = fsio::read(&file)?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| format!("{name}: no JSON: {error}"))?;
    let events = value["traceEvents"].as_array().cloned();
    Ok((events.ok_or("no events")?, outcome.err))
}

/// The calls of a rank: name, and peer where there is one.
fn calls(events: &[Value], rank: usize) -> Vec<String> {
    let own = events
        .iter()
        .filter(|event| event["ph"] == "X" && event["pid"] == rank);
    let mut own: Vec<&Value> = own.collect();
    own.sort_by(|a, b| {
        a["ts"]
            .as_f64()
            .partial_cmp(&b["ts"].as_f64())
            .expect("numbers")
    });
    let name = |event: &&Value| {
        let name = event["name"]
            .as_str()
            .unwrap_or_default()
            .replace("MPI_", "");
        match event["args"]["peer"].as_u64() {
            Some(peer) => format!("{name} {peer}"),
            None => name,
        }
    };
    own.iter().map(name).collect()
}

/// The calls that `tests/c/trace_known.c` makes, up to where a rank may be killed and behind it.
fn expected(rank: usize, ranks: usize) -> [Vec<String>; 2] {
    let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    let halves = (rank + 2) % ranks;
    let own = |names: &[&str]| {
        names
            .iter()
            .map(|name| name.to_string())
            .collect::<Vec<_>>()
    };
    let mut first = own(&["Init", "Comm_rank", "Comm_size"]);
    let mut ring = vec![format!("Recv {before}"), format!("Send {next}")];
    if rank == 0 {
        ring.reverse();
    }
    first.extend(ring);
    let mut rest = own(&["Irecv"]);
    rest.extend([format!("Isend {before}")]);
    rest.extend(own(&["Waitall", "Comm_split", "Comm_rank", "Comm_size"]));
    rest.extend([format!("Sendrecv {halves}")]);
    rest.extend([format!("Send_init {next}"), format!("Recv_init {before}")]);
    rest.extend(own(&["Startall", "Waitall", "Startall", "Waitall"]));
    rest.extend(own(&[
        "Request_free",
        "Request_free",
        "Barrier",
        "Bcast 0",
        "Comm_free",
    ]));
    rest.extend(own(&["Finalize"]));
    [first, rest]
}

/// Each call of each rank is in the trace, in its order, and each message joins its ranks.
fn known(world: &World, program: &Path) -> Result<(), String> {
    let summary = format!("--trace-summary={}", file("trace.svg").display());
    let (events, said) = traced(world, RANKS, (program, None), ("trace.json", &[&summary]))?;
    for rank in 0..RANKS {
        let (found, expected) = (calls(&events, rank), expected(rank, RANKS).concat());
        if found != expected {
            return Err(format!("rank {rank}: {found:?}\nexpected {expected:?}"));
        }
    }
    for phase in ["s", "f"] {
        let ends = events.iter().filter(|event| event["ph"] == phase).count();
        if ends != MESSAGES * RANKS {
            let all = MESSAGES * RANKS;
            return Err(format!(
                "{ends} ends {phase} of messages where there are {all}"
            ));
        }
    }
    backwards(&events)?;
    for part in [
        "MPI in 16 ranks",
        "main (trace_known.c:",
        "waited   for rank",
    ] {
        if !said.contains(part) {
            return Err(format!("the summary lacks {part:?}:\n{said}"));
        }
    }
    let picture = fsio::read(&file("trace.svg"))?;
    match picture.starts_with("<svg ") && picture.contains(">rank 15<") {
        true => Ok(()),
        false => Err("the picture lacks the 16 ranks".into()),
    }
}

/// The bytes of collectives whose blocks have counts of their own: what the rank sends, or what it
/// receives where it sends nothing.
fn blocks(world: &World) -> Result<(), String> {
    const RANKS: u64 = 3;
    let program = compile(world, &fsio::root().join("tests/c/trace_blocks.c"), &[])?;
    let (events, _) = traced(
        world,
        RANKS as usize,
        (&program, None),
        ("blocks.json", &[]),
    )?;
    for rank in 0..RANKS {
        let (own, all) = (4 * (rank + 1), 4 * RANKS * (RANKS + 1) / 2);
        let mixed = (0..RANKS).map(|other| if (rank + other) % 2 == 1 { 2 } else { 4 });
        let expected = [
            ("MPI_Alltoallv", all),
            ("MPI_Gatherv", own),
            ("MPI_Scatterv", if rank == 0 { all } else { own }),
            ("MPI_Reduce_scatter", all),
            ("MPI_Alltoallw", mixed.sum()),
            ("MPI_Alltoallv", 4 * RANKS),
            ("MPI_Neighbor_alltoallv", 4 * 3),
        ];
        let is_own = |event: &&Value| {
            let name = event["name"].as_str().unwrap_or_default();
            event["pid"] == rank && expected.iter().any(|(known, _)| *known == name)
        };
        let mut found: Vec<&Value> = events.iter().filter(is_own).collect();
        found.sort_by(|a, b| {
            a["ts"]
                .as_f64()
                .partial_cmp(&b["ts"].as_f64())
                .expect("numbers")
        });
        let found: Vec<(&str, u64)> = found
            .iter()
            .map(|event| {
                let name = event["name"].as_str().unwrap_or_default();
                (name, event["args"]["bytes"].as_u64().unwrap_or(0))
            })
            .collect();
        if found != expected {
            return Err(format!("rank {rank}: {found:?}\nexpected {expected:?}"));
        }
    }
    Ok(())
}

/// Checks that no message ends before it begins.
fn backwards(events: &[Value]) -> Result<(), String> {
    for sent in events.iter().filter(|event| event["ph"] == "s") {
        let is_end = |event: &&Value| event["ph"] == "f" && event["id"] == sent["id"];
        let end = events
            .iter()
            .find(is_end)
            .ok_or("a message without an end")?;
        if end["ts"].as_f64() < sent["ts"].as_f64() {
            return Err(format!(
                "a message that arrives before it is sent: {sent} {end}"
            ));
        }
    }
    Ok(())
}

/// A rank that is killed leaves its calls behind, and so do the others.
fn killed(world: &World, program: &Path) -> Result<(), String> {
    let job = (program, Some(KILLED));
    let (events, _) = traced(world, 4, job, ("trace-killed.json", &[]))?;
    let (found, [expected, _]) = (calls(&events, KILLED), expected(KILLED, 4));
    match found == expected {
        true => Ok(()),
        false => Err(format!("{found:?}\nexpected {expected:?}")),
    }
}

/// Where there is room for a few records the newest stay, and a line says so.
fn bounded(world: &World, program: &Path) -> Result<(), String> {
    let options = ["--trace-records", "8"];
    let (events, said) = traced(world, 2, (program, None), ("trace-few.json", &options))?;
    let found = calls(&events, 0);
    if found.last().map(String::as_str) != Some("Finalize") || found.len() > 8 {
        return Err(format!("not the newest: {found:?}"));
    }
    match said.contains("only the newest of ") {
        true => Ok(()),
        false => Err(format!(
            "nothing is said of the records that were dropped:\n{said}"
        )),
    }
}

/// A file that is full is an error once the job has ended.
fn full(world: &World, program: &Path) -> Result<(), String> {
    let job = mpirun(world, 2, &["--trace", "/dev/full"]);
    let outcome = job.arg(program).run()?;
    let error = "trace file /dev/full could not be written: No space left on device";
    match outcome.err.contains(error) && outcome.code == 1 {
        true => Ok(()),
        false => Err(format!(
            "exit code {}: {}{}",
            outcome.code, outcome.out, outcome.err
        )),
    }
}

/// A file that cannot be made is an error, and nothing is started.
fn unwritable(world: &World, program: &Path) -> Result<(), String> {
    let job = mpirun(world, 2, &["--trace", "/nowhere/trace.json"]);
    let outcome = job.arg(program).run()?;
    let is_reported = outcome
        .err
        .contains("/nowhere/trace.json cannot be written");
    match is_reported && outcome.code == 2 && outcome.out.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "exit code {}: {}{}",
            outcome.code, outcome.out, outcome.err
        )),
    }
}
