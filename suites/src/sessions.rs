//! The step `sessions-long`: initialises and finalises MPI ten thousand times over each transport
//! in one thread, a thousand times in four, and both a thousand times over a newer libfabric.
//! Nothing may be left of any of these lives.
//!
//! `shm` of libfabric (1.17 to 2.5) leaks some 290 bytes of each endpoint. So the leaks of
//! libfabric alone are measured first (`tests/libfabric/endpoints.c`), without MPI, and subtracted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{ofi, programs};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{side_by_side, Job};

/// A provider, and further options.
type NamedOptions = (&'static str, &'static [&'static str]);

/// The paths over libfabric. `sockets` is the only one that has scalable endpoints.
const PROVIDERS: &[NamedOptions] = &[
    ("tcp;ofi_rxm", &[]),
    ("udp;ofi_rxd", &[]),
    ("shm", &[]),
    ("sockets", &[]),
    ("sockets", &["--mca", "btl_ofi_disable_sep", "1"]),
];

/// The transports that need no provider.
const OTHERS: &[NamedOptions] = &[("", &["--mca", "btl", "sm,self"]), ("", programs::TCP)];

/// A tenth over a provider that is slow.
const LIVES: u32 = 10_000;
/// By several threads, and over the newer library.
const FEWER_LIVES: u32 = 1000;
const THREADS: u32 = 4;
const PROBE_ROUNDS: &str = "200";

/// Freed blocks count as freed.
const EXACT: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0");

const LIMIT: Duration = Duration::from_secs(1800);

/// All runs.
pub fn long(world: &World) -> Result<Tally, String> {
    ofi::ready()?;
    peers::apt_install(&["libfabric-dev"])?;
    let newer = peers::get("openmpi5")?.prefix.join("lib/openmpi");
    let folder = fsio::root().join("tests");
    let compile = |name: &str| programs::compile(world, &folder.join("c").join(name), &[]);
    let (cycles, threads) = (compile("session_cycles.c")?, compile("session_threads.c")?);
    let probe = probe_program(&folder.join("libfabric/endpoints.c"))?;
    let (alone, many) = ((&cycles, 1), (&threads, THREADS));
    let mut runs = Vec::new();
    for way in PROVIDERS.iter().chain(OTHERS) {
        runs.extend([(None, way, alone, LIVES), (None, way, many, FEWER_LIVES)]);
    }
    for way in PROVIDERS {
        let place = Some(&newer);
        runs.extend([alone, many].map(|who| (place, way, who, FEWER_LIVES)));
    }
    let answers = side_by_side(&runs, |(place, way, who, lives)| {
        let is_slow = ofi::quirks_of(way.0).is_slow;
        let lives = if is_slow { lives / 10 } else { *lives };
        one(world, &probe, *who, (way, lives), *place)
    });
    let mut tally = Tally::default();
    for answer in answers {
        let (name, answer) = answer?;
        tally.count(&name, answer);
    }
    Ok(tally)
}

/// Runs a program, by this many threads, over a provider of a libfabric. Returns its name, and how
/// it went.
fn one(
    world: &World,
    probe: &Path,
    (program, threads): (&PathBuf, u32),
    ((provider, options), count): (&NamedOptions, u32),
    place: Option<&PathBuf>,
) -> Result<(String, Result<(), String>), String> {
    let left = match *provider {
        "" => 0,
        provider => left_behind(probe, provider, place)?,
    };
    let mut arguments = vec![count.to_string()];
    if threads > 1 {
        arguments.push(threads.to_string());
    }
    arguments.push(left.to_string());
    let outcome = job(world, provider, options, place)
        .arg(program)
        .args(&arguments)
        .run()?;
    let over = match (*provider, place) {
        ("", _) => String::new(),
        (_, None) => format!("{provider} of the system's libfabric "),
        (_, Some(_)) => format!("{provider} of a newer libfabric "),
    };
    let name = format!(
        "{count} sessions of {threads} threads over {over}{}, {left} bytes a life are a \
         provider's, {:.1} s",
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
    let mut job = programs::mpirun(world, 2, options);
    if !provider.is_empty() {
        job = job.args([
            "--mca",
            "btl",
            "ofi,self",
            "--mca",
            programs::PROVIDERS,
            provider,
        ]);
    }
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
