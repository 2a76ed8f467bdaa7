//! `cargo xtask conformance`: the C programs of MPICH's test suite, on oxmpi and on its peers.
//!
//! The suite is Debian's source package of `mpich`, configured and built with oxmpi's `mpicc`
//! ([`suite`]). Its own lists say which programs run, on how many ranks, with which arguments and
//! what they have to print ([`list`]). Tests of a list that this command does not run are left out
//! by a rule that is printed with its reason and the number of tests. Libraries with the standard
//! ABI run the very same programs; Open MPI 5 needs a build of its own.
//!
//! A table ([`known`]) has the failures on oxmpi, and why. A failure that is not in it fails the
//! command, and so does a success that is. `docs/conformance.md` shows the table and the results of
//! all libraries that were run on one machine ([`document`]).

mod document;
pub mod fortran;
mod known;
mod list;
mod options;
mod results;
mod suite;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::peers::{self, Dialect, Interface, Peer, Start};
use crate::world::{Tally, World};
use list::{judge, Case};
pub use options::Options;
use options::{Bulk, OURS};
use results::{Results, Run, Verdict};
use xtask::names;
use xtask::shell::{self, by_workers};

/// The factor for the tests of windows: over `udp;ofi_rxd` one that moves 39 GB takes longer than
/// its limit.
const WINDOWS_PATIENCE: f64 = 3.0;

/// The command.
#[derive(clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: Options,
    /// Print the tests
    #[arg(long)]
    list: bool,
    /// Write docs/conformance.md from the results that are there
    #[arg(long)]
    document: bool,
}

/// Runs the command.
pub fn run(command: &Command) -> Result<(), String> {
    let options = &command.options;
    if command.document {
        return document::write();
    }
    let ours = options.peer == OURS || Interface::of(&options.peer).is_some();
    if !ours && !options.mca.is_empty() {
        return Err("--mca is for oxmpi alone".to_string());
    }
    let peer = peer(options)?;
    if command.list {
        let suite = suite::built(&peer, options.folder.as_deref())?;
        let cases = list::select(&suite, options)?.cases;
        cases.iter().for_each(|case| println!("{}", case.name()));
        return Ok(());
    }
    let results = results_of(&peer, options)?;
    let unexpected = results.unexpected();
    println!("\n{}", results.line());
    match unexpected.is_empty() {
        true => Ok(()),
        false => Err(format!("not as known: {}", unexpected.join("; "))),
    }
}

/// The suite without its bulk as a step of `cargo xtask test`.
pub fn step(world: &World) -> Result<Tally, String> {
    part(world, Bulk::Without)
}

/// The bulk that [`step`] leaves out.
pub fn bulk(world: &World) -> Result<Tally, String> {
    part(world, Bulk::Alone)
}

fn part(world: &World, bulk: Bulk) -> Result<Tally, String> {
    tally_of(&Options {
        prefix: Some(world.prefix.clone()),
        // The programs wait for a third of their time.
        jobs: shell::processors() * 3 / 2,
        bulk,
        ..Options::default()
    })
}

/// The suite compiled for each other interface, on this project's library for it.
pub fn legacy(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for interface in &peers::INTERFACES {
        tally.add(tally_of(&Options {
            peer: interface.key.to_string(),
            prefix: Some(world.prefix.clone()),
            jobs: shell::processors() * 3 / 2,
            // On a loaded machine 64 messages of 16 MiB in each of four threads take minutes.
            patience: 3.0,
            verbose: true,
            ..Options::default()
        })?);
    }
    Ok(tally)
}

/// The tests of windows, as part of a step of `cargo xtask test`, with parameters of oxmpi. Of each
/// folder those fail that could not be begun within `limit`.
pub fn windows(world: &World, mca: &[(&str, &str)], limit: Duration) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for folder in suite::WINDOWS {
        tally.add(tally_of(&Options {
            prefix: Some(world.prefix.clone()),
            folder: Some(folder.to_string()),
            mca: flat(mca),
            begun_within: limit,
            patience: WINDOWS_PATIENCE,
            verbose: true,
            ..Options::default()
        })?);
    }
    Ok(tally)
}

/// Parameters as the command line has them.
fn flat(mca: &[(&str, &str)]) -> Vec<String> {
    let parts = mca.iter().flat_map(|(name, value)| [*name, *value]);
    parts.map(str::to_string).collect()
}

/// The tests of a folder but for those that are known to fail, each by a launcher that `start`
/// gives for its ranks and its folder; `how` is added to their names.
pub fn on_hosts(
    world: &World,
    (folder, how): (&str, &str),
    start: impl Fn(usize, &Path) -> shell::Job,
    tally: &mut Tally,
) -> Result<(), String> {
    let options = Options {
        prefix: Some(world.prefix.clone()),
        folder: Some(folder.to_string()),
        ..Options::default()
    };
    let suite = suite::built(&peer(&options)?, options.folder.as_deref())?;
    let cases = list::select(&suite, &options)?.cases.into_iter();
    for case in cases.filter(|case| known::of(OURS, &case.name()).is_none()) {
        let place = suite.build.join(&case.folder);
        let job = start(case.ranks, &place).arg(place.join(&case.program));
        let outcome = job.args(&case.args).limit(case.limit).run();
        let answer = outcome.and_then(|outcome| judge(case.expected, &outcome));
        tally.count(&format!("{} of MPICH's suite {how}", case.name()), answer);
    }
    Ok(())
}

/// A test that the machinery of another command runs.
pub struct Elsewhere {
    /// The program's name, and where it is.
    pub name: String,
    pub program: PathBuf,
    pub ranks: usize,
    pub args: Vec<String>,
}

/// Returns the tests of files, built for the installation at `prefix`.
pub fn of_files(prefix: &Path) -> Result<Vec<Elsewhere>, String> {
    let options = Options {
        prefix: Some(prefix.to_path_buf()),
        folder: Some("io".to_string()),
        ..Options::default()
    };
    let suite = suite::built(&peer(&options)?, options.folder.as_deref())?;
    let cases = list::select(&suite, &options)?.cases.into_iter();
    let elsewhere = |case: list::Case| Elsewhere {
        program: suite.build.join(&case.folder).join(&case.program),
        name: case.program,
        ranks: case.ranks,
        args: case.args,
    };
    Ok(cases.map(elsewhere).collect())
}

/// The programs that make mistakes, as a step of `cargo xtask test`. What has not ended by then
/// waits for ever.
pub fn errors(world: &World) -> Result<Tally, String> {
    tally_of(&Options {
        prefix: Some(world.prefix.clone()),
        folder: Some("errors".to_string()),
        patience: 0.2,
        verbose: true,
        ..Options::default()
    })
}

fn tally_of(options: &Options) -> Result<Tally, String> {
    let results = results_of(&peer(options)?, options)?;
    let mut tally = Tally {
        passed: results.count(Verdict::Passed),
        ..Tally::default()
    };
    println!("      {}", results.line());
    let unexpected = results.unexpected().into_iter();
    unexpected.for_each(|why| tally.count("not as known", Err(why)));
    Ok(tally)
}

/// Tests of the suite by their names (`rma/put_base`), on all their numbers of ranks and with all
/// their arguments, and folders of it, with parameters of oxmpi.
pub fn named(world: &World, names: &[String], mca: &[String]) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for name in names {
        let mut options = Options {
            prefix: Some(world.prefix.clone()),
            mca: mca.to_vec(),
            verbose: true,
            ..Options::default()
        };
        if suite::folders(Some(name)).is_empty() {
            let (folder, program) = name.rsplit_once('/').unwrap_or((name, ""));
            if suite::folders(Some(folder)).is_empty() {
                let known = suite::FOLDERS.iter().chain(suite::ERRORS).copied();
                return Err(names::unknown("folder of MPICH's suite", folder, known));
            }
            options.folder = Some(folder.to_string());
            let suite = suite::built(&peer(&options)?, Some(folder))?;
            let cases = list::select(&suite, &options)?.cases;
            if !cases.iter().any(|case| case.program == program) {
                let known = cases.iter().map(|case| case.program.as_str());
                let what = format!("test of MPICH's suite in {folder}");
                return Err(names::unknown(&what, program, known));
            }
            // A test's name goes on with its ranks.
            options.test = Some(format!("{name} "));
        } else {
            options.folder = Some(name.clone());
        }
        tally.add(tally_of(&options)?);
    }
    Ok(tally)
}

/// Fetches and builds, for the step that comes later.
pub fn prepare(world: &World) -> Result<(), String> {
    let options = Options {
        prefix: Some(world.prefix.clone()),
        ..Options::default()
    };
    suite::built(&peer(&options)?, None).map(drop)
}

fn peer(options: &Options) -> Result<Peer, String> {
    match (&options.prefix, options.peer.as_str()) {
        (Some(prefix), OURS) => Ok(peers::oxmpi_at(prefix)),
        (prefix, key) if Interface::of(key).is_some() => {
            let interface = Interface::of(key).ok_or(key.to_string())?;
            Ok(interface.at(&match prefix {
                Some(prefix) => prefix.clone(),
                None => peers::get(OURS)?.prefix,
            }))
        }
        (_, key) => peers::get(key),
    }
}

/// Runs the selected tests, side by side, and stores the results.
fn results_of(peer: &Peer, options: &Options) -> Result<Results, String> {
    let started = Instant::now();
    let suite = suite::built(peer, options.folder.as_deref())?;
    let selection = list::select(&suite, options)?;
    if selection.cases.is_empty() {
        return Err("no test is selected".to_string());
    }
    println!(
        "  {} tests of {} on {}, built in {:.0} s",
        selection.cases.len(),
        suite.version,
        peer.title,
        started.elapsed().as_secs_f64()
    );
    let (done, begun) = (AtomicUsize::new(0), Instant::now());
    let runs = by_workers(options.jobs, &selection.cases, |case| {
        let run = match begun.elapsed() < options.begun_within {
            true => one(peer, &suite, case, options),
            false => Run::not_begun(case),
        };
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if options.verbose {
            let total = selection.cases.len();
            println!(
                "  [{done}/{total}] {} {}: {:.1} s",
                run.verdict.word(),
                run.name,
                run.seconds
            );
        }
        run
    });
    let results = Results {
        library: peer.title.clone(),
        key: peer.key.to_string(),
        kept_as: options.kept_as(),
        suite: suite.version.clone(),
        runs,
        left_out: selection.left_out,
        seconds: started.elapsed().as_secs_f64(),
    };
    results.print();
    results.keep(options.test.is_some() || options.bulk != Bulk::With)?;
    Ok(results)
}

/// One test: its program, its ranks, its judge.
fn one(peer: &Peer, suite: &suite::Suite, case: &Case, options: &Options) -> Run {
    let program = suite.build.join(&case.folder).join(&case.program);
    let mut run = Run::not_begun(case);
    if !program.exists() {
        run.verdict = Verdict::NotBuilt;
        run.why = suite.why_not_built(&case.folder, &case.program);
        return run;
    }
    let place = match case.writes_files() {
        true => suite.own_folder(&case.folder, &case.name()),
        false => Ok(suite.build.join(&case.folder)),
    };
    let place = match place {
        Ok(place) => place,
        Err(why) => {
            run.why = why;
            return run;
        }
    };
    let args: Vec<&str> = case.args.iter().map(String::as_str).collect();
    let limit = case.limit.mul_f64(options.patience.clamp(0.01, 100.0));
    let attempt = |tcp| {
        let start = Start {
            ranks: case.ranks,
            tcp,
            spawns: true,
            ..Start::default()
        };
        let job = peer
            .launch(start, &program, &args)
            .folder(&place)
            .env("MPIEXEC_TIMEOUT", limit.as_secs().to_string())
            .limit(limit + Duration::from_secs(15));
        let job = options.mca.chunks(2).fold(job, |job, parameter| {
            job.env(format!("OXMPI_MCA_{}", parameter[0]), &parameter[1])
        });
        job.run()
    };
    // More ranks than processors end in time only where they sleep while they wait, which MPICH's
    // do not in shared memory, whatever its parameters say of yielding.
    let spins = peer.dialect == Dialect::Hydra && case.ranks > shell::processors();
    let outcome = match attempt(false) {
        Ok(outcome) if spins && outcome.took >= limit => attempt(true),
        outcome => outcome,
    };
    let answer = outcome.and_then(|outcome| {
        run.seconds = outcome.took.as_secs_f64();
        judge(case.expected, &outcome)
    });
    match answer {
        Ok(()) => {
            run.verdict = Verdict::Passed;
            run.why.clear();
        }
        Err(why) => run.why = why,
    }
    run
}
