//! `sessions-long`: a thousand lives with MPI over each provider of libfabric, by one thread and
//! by four, over Debian's libfabric and a newer one. Nothing may be left of them.
//!
//! `shm` of libfabric (1.17 to 2.5) keeps some 290 bytes of each endpoint to the end of the
//! process. So what libfabric alone leaves is measured first (`tests/libfabric/endpoints.c`),
//! without MPI, and only that much is forgiven.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{ofi, programs, Tally, World};
use crate::fsio;
use crate::peers;
use crate::shell::{side_by_side, Job};

/// A provider, its further options, and how many lives.
type Run = (&'static str, &'static [&'static str], u32);

/// What is run. `sockets` moves hardly more than fifty messages a second; it is also the only one
/// that has scalable endpoints.
const RUNS: &[Run] = &[
    ("tcp;ofi_rxm", &[], 1000),
    ("udp;ofi_rxd", &[], 1000),
    ("shm", &[], 1000),
    ("sockets", &[], 100),
    ("sockets", &["--mca", "btl_ofi_disable_sep", "1"], 100),
];

const THREADS: u32 = 4;
const PROBE_ROUNDS: &str = "200";

/// Freed blocks count as freed.
const EXACT: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0");

const LIMIT: Duration = Duration::from_secs(900);

/// All runs.
pub fn long(world: &World) -> Result<Tally, String> {
    ofi::ready()?;
    peers::apt_install(&["libfabric-dev"])?;
    let newer = peers::get("openmpi5")?.prefix.join("lib/openmpi");
    let folder = fsio::root().join("tests");
    let compile = |name: &str| programs::compile(world, &folder.join("c").join(name), &[]);
    let (cycles, threads) = (compile("session_cycles.c")?, compile("session_threads.c")?);
    let probe = probe_program(&folder.join("libfabric/endpoints.c"))?;
    let mut runs = Vec::new();
    for place in [None, Some(&newer)] {
        for run in RUNS {
            runs.extend([(place, run, &cycles, 1), (place, run, &threads, THREADS)]);
        }
    }
    let answers = side_by_side(&runs, |(place, run, program, threads)| {
        one(world, &probe, (program, *threads), run, *place)
    });
    let mut tally = Tally::default();
    for answer in answers {
        let (name, answer) = answer?;
        tally.count(&name, answer);
    }
    Ok(tally)
}

/// A program, by so many threads, over a provider of a libfabric. What was run, and how it went.
fn one(
    world: &World,
    probe: &Path,
    (program, threads): (&PathBuf, u32),
    (provider, options, count): &Run,
    place: Option<&PathBuf>,
) -> Result<(String, Result<(), String>), String> {
    let left = left_behind(probe, provider, place)?;
    let mut arguments = vec![count.to_string()];
    if threads > 1 {
        arguments.push(threads.to_string());
    }
    arguments.push(left.to_string());
    let outcome = job(world, provider, options, place)
        .arg(program)
        .args(&arguments)
        .run()?;
    let library = place.map_or("the system's", |_| "a newer");
    let name = format!(
        "{count} sessions of {threads} threads over {provider} {} of {library} libfabric, {left} \
         bytes a life are its own, {:.1} s",
        options.join(" "),
        outcome.took.as_secs_f64(),
    );
    println!("  {name}");
    let answer = match outcome.succeeded() {
        true => outcome.none_left(),
        false => Err(outcome.reason()),
    };
    Ok((name, answer))
}

fn job(world: &World, provider: &str, options: &[&str], place: Option<&PathBuf>) -> Job {
    let choice = [
        "--mca",
        "btl",
        "ofi,self",
        "--mca",
        ofi::PROVIDERS,
        provider,
    ];
    let mut job = programs::mpirun(world, 2, &choice).args(options);
    if let Some(folder) = place {
        let file = folder.join("libfabric.so.1");
        let file = file.to_string_lossy().into_owned();
        job = job.args(["--mca", "opal_common_ofi_library", &file]);
    }
    job.env(EXACT.0, EXACT.1).limit(LIMIT)
}

fn probe_program(source: &Path) -> Result<PathBuf, String> {
    let program = fsio::target_dir().join("test/bin/endpoints");
    Job::new("cc")
        .args(["-O1", "-o"])
        .args([&program, &source.to_path_buf()])
        .arg("-lfabric")
        .ok()?;
    Ok(program)
}

/// The bytes that libfabric alone leaves allocated for each endpoint.
fn left_behind(probe: &Path, provider: &str, place: Option<&PathBuf>) -> Result<u64, String> {
    let mut job = Job::new(probe).args([provider, PROBE_ROUNDS]);
    if let Some(folder) = place {
        job = job.env("LD_LIBRARY_PATH", folder);
    }
    let outcome = job.env(EXACT.0, EXACT.1).ok()?;
    let said = outcome.out.trim();
    // Less than nothing is nothing.
    said.parse::<i64>()
        .map(|bytes| bytes.max(0) as u64)
        .map_err(|_| format!("the probe said `{said}`"))
}
