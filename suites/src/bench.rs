//! `cargo xtask bench`: oxmpi and its peers, measured in one run, reported as ratios.
//!
//! The programs are those of `benches/c`. Every case runs on every library in turn, round after
//! round, so that disturbances of the machine affect all of them. The best round of each library
//! counts, among rounds with equal core distance (`places`). The result is the ratio of oxmpi to
//! the best peer, since figures of different machines or days cannot be compared. The table goes to
//! the screen, the figures to `target/bench/bench.json`, a picture to `target/bench/bench.svg`.

mod cases;
mod consistency;
mod figures;
mod forced;
mod loops;
mod places;
mod plot;
mod report;
mod shared;
mod suites;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cases::{Case, Program};
use figures::{Figures, Point};
use places::Sample;

use crate::neighbours::Neighbours;
use crate::peers::{self, Peer};
use xtask::fsio;
use xtask::shell::Job;

/// Output of a program: names, sizes in bytes, and values.
pub type Values = Vec<(String, u64, Sample)>;

/// Measures and reports.
pub fn run(options: &Options) -> Result<(), String> {
    if !options.no_install && options.peers.iter().any(|key| key == "oxmpi") {
        xtask::install::release()?;
    }
    let mut peers = find_peers(&options.peers)?;
    if let Some(prefix) = &options.before {
        peers.insert(1, peers::before(prefix)?);
    }
    let cases = suites::of(&options.suite);
    let programs = compile(&peers, &cases)?;
    let figures = measure(options, &peers, &cases, &programs)?;
    let folder = fsio::target_dir().join("bench");
    let (rows, parts) = consistency::split(report::rows(&cases, &figures));
    print!("{}", report::table(&peers, &rows));
    print!("{}", consistency::table(&parts));
    fsio::write(&folder.join("bench.json"), &report::json(&peers, &rows))?;
    fsio::write(&folder.join("bench.svg"), &plot::svg(&peers, &rows))?;
    println!("\nwritten: {0}/bench.json, {0}/bench.svg", folder.display());
    Ok(())
}

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Measure one suite
    #[arg(long, value_name = "SUITE", default_value = "all")]
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(suites::NAMES))]
    suite: String,
    /// Measure these libraries
    #[arg(long, value_name = "KEY", value_delimiter = ',', default_values = peers::KEYS)]
    peers: Vec<String>,
    /// Measure each this often
    #[arg(long, value_name = "N", default_value = "3", value_parser = rounds)]
    rounds: usize,
    /// Measure each once
    #[arg(long, conflicts_with = "rounds")]
    quick: bool,
    /// Measure oxmpi under forced settings as well
    #[arg(long)]
    regret: bool,
    /// Measure an earlier installation of oxmpi, too
    #[arg(long, value_name = "PREFIX")]
    before: Option<PathBuf>,
    /// Measure the installation that is there
    #[arg(long)]
    no_install: bool,
}

impl Options {
    fn rounds(&self) -> usize {
        match self.quick {
            true => 1,
            false => self.rounds,
        }
    }
}

fn rounds(text: &str) -> Result<usize, String> {
    let rounds = text.parse().ok().filter(|rounds| *rounds > 0);
    rounds.ok_or("not a count".to_string())
}

fn find_peers(keys: &[String]) -> Result<Vec<Peer>, String> {
    let mut found = Vec::new();
    for key in keys {
        match peers::get(key) {
            Ok(peer) => {
                println!("peer {key}: {}", peer.title);
                found.push(peer);
            }
            Err(why) if key == "oxmpi" => {
                return Err(format!("oxmpi, which the others stand beside: {why}"));
            }
            Err(why) if peers::KEYS.contains(&key.as_str()) => {
                println!("peer {key} is left out: {why}");
            }
            Err(why) => return Err(why),
        }
    }
    match found.is_empty() {
        true => Err("there is no library to measure".to_string()),
        false => Ok(found),
    }
}

/// The programs by peer and source. Libraries with the standard ABI share one binary.
type Programs = BTreeMap<(&'static str, &'static str), PathBuf>;

fn compile(peers: &[Peer], cases: &[&Case]) -> Result<Programs, String> {
    let folder = fsio::target_dir().join("bench/bin");
    let sources = fsio::root().join("benches/c");
    let mut programs = Programs::new();
    for name in cases::MPI_PROGRAMS {
        let source = sources.join(format!("{name}.c"));
        let mut shared: Option<PathBuf> = None;
        for peer in peers {
            let program = match (&shared, peer.abi) {
                (Some(program), true) => program.clone(),
                _ => {
                    let kind = if peer.abi { "abi" } else { peer.key };
                    let program = folder.join(kind).join(name);
                    peer.compile(&source, &program, &[])?;
                    program
                }
            };
            if peer.abi {
                shared = Some(program.clone());
            }
            programs.insert((peer.key, name), program);
        }
    }
    let is_beside = |case: &&&Case| matches!(case.program, Program::Beside(_));
    if let (Some(_), Some(oxmpi)) = (cases.iter().find(is_beside), oxmpi(peers)) {
        peers::apt_install(&["libfabric-dev"])?;
        let program = folder.join(cases::FABRIC);
        let source = sources.join(format!("{}.c", cases::FABRIC));
        oxmpi.compile(&source, &program, &["-lfabric"])?;
        programs.insert((oxmpi.key, cases::FABRIC), program);
    }
    for yardstick in cases::YARDSTICKS {
        let program = folder.join(yardstick.program);
        let source = sources.join(format!("{}.c", yardstick.program));
        let job = Job::new("cc").arg("-std=gnu11").args(yardstick.flags);
        job.arg("-o").arg(&program).arg(&source).ok()?;
        programs.insert(("", yardstick.program), program);
    }
    Ok(programs)
}

fn oxmpi(peers: &[Peer]) -> Option<&Peer> {
    peers.iter().find(|peer| peer.key == "oxmpi")
}

fn measure(
    options: &Options,
    peers: &[Peer],
    cases: &[&'static Case],
    programs: &Programs,
) -> Result<Figures, String> {
    let mut figures = Figures::new();
    for (number, case) in cases.iter().enumerate() {
        for round in 0..options.rounds() {
            print!(
                "[{}/{}] {} round {}:",
                number + 1,
                cases.len(),
                case.title,
                round + 1
            );
            flush();
            match (case.program, oxmpi(peers)) {
                (Program::Transport(test, sizes), Some(peer)) => {
                    measure_transport(&mut figures, case, peer, (test, sizes))?;
                    print!(" oxmpi-perf");
                }
                (Program::Beside(name), Some(peer)) => {
                    let program = &programs[&(peer.key, name)];
                    measure_beside(&mut figures, case, peer, program)?;
                    print!(" {name}");
                }
                (Program::Transport(..) | Program::Beside(_), None) => {}
                (_, own) => {
                    let mut all = peers.to_vec();
                    if let (Some(own), true) = (own, options.regret) {
                        all.extend(forced::of(case.suite, case.start, own));
                    }
                    measure_peers(&mut figures, case, &all, programs, round)?;
                }
            }
            println!();
        }
    }
    Ok(figures)
}

/// One run of each library, and of what stands beside it.
fn measure_peers(
    figures: &mut Figures,
    case: &Case,
    peers: &[Peer],
    programs: &Programs,
    round: usize,
) -> Result<(), String> {
    let _neighbours = Neighbours::start(case.beside)?;
    let measured = |peer: &&Peer| !case.is_over_fabric() || peer.key == "oxmpi";
    // Who comes first in a round is slower in some rows, by a tenth and more.
    let mut turns: Vec<&Peer> = peers.iter().filter(measured).collect();
    let first = round % turns.len().max(1);
    turns.rotate_left(first);
    for peer in turns {
        let answer = measure_once(case, peer, programs);
        let how = if answer.is_ok() { "" } else { " failed" };
        print!(" {}{how}", peer.key);
        flush();
        match answer {
            Ok(values) => keep(figures, case, peer.key, values),
            Err(why) if round == 0 => print!(" ({})", why.lines().next().unwrap_or("")),
            Err(_) => {}
        }
    }
    for yardstick in cases::YARDSTICKS {
        if yardstick.case == case.key {
            let program = Job::new(&programs[&("", yardstick.program)]);
            let answer = program.args(yardstick.args).ok()?;
            keep(figures, case, yardstick.program, results(&answer.out)?);
        }
    }
    for raw in cases::LOOPS.iter().filter(|raw| raw.case == case.key) {
        if let Some(peer) = oxmpi(peers) {
            let values = loops::measure(raw, peer)?;
            keep_unplaced(figures, case, cases::LIBFABRIC, values);
        }
    }
    Ok(())
}

/// One run of a program that measures libfabric alone as well, by turns.
fn measure_beside(
    figures: &mut Figures,
    case: &Case,
    oxmpi: &Peer,
    program: &Path,
) -> Result<(), String> {
    let answer = oxmpi.launch(case.start, program, case.args).ok()?;
    keep(figures, case, oxmpi.key, results(&answer.out)?);
    let beside = lines("beside", &answer.out)?;
    keep(figures, case, cases::LIBFABRIC, beside);
    Ok(())
}

/// One run of the transport and the loop below it, by turns, and one of libfabric's own program.
fn measure_transport(
    figures: &mut Figures,
    case: &Case,
    oxmpi: &Peer,
    (test, sizes): (&str, &str),
) -> Result<(), String> {
    flush();
    let provider = case.start.fabric.map_or("", |fabric| fabric.provider);
    let (own, raw) = loops::transport(oxmpi, provider, test, sizes)?;
    keep_unplaced(figures, case, oxmpi.key, own);
    keep_unplaced(figures, case, cases::LIBFABRIC, raw);
    if test == "am_lat" {
        let values = loops::pingpong(provider, sizes);
        keep_unplaced(figures, case, cases::PINGPONG, values);
    }
    Ok(())
}

/// Runs of a program of which the best counts, and the time after which no further one begins.
const WHOLE_RUNS: usize = 5;
const WHOLE_ENOUGH: Duration = Duration::from_secs(10);

/// One run: the values that the program printed, or the seconds that it took as a whole.
fn measure_once(case: &Case, peer: &Peer, programs: &Programs) -> Result<Values, String> {
    match case.program {
        Program::Mpi(name) => {
            let job = peer.launch(
                case.start,
                &programs[&(forced::library(peer.key), name)],
                case.args,
            );
            results(&job.ok()?.out)
        }
        Program::Whole(name) => {
            let job = peer.launch(
                case.start,
                &programs[&(forced::library(peer.key), name)],
                case.args,
            );
            let (mut best, began) = (f64::INFINITY, Instant::now());
            for _ in 0..WHOLE_RUNS {
                best = best.min(job.ok()?.took.as_secs_f64());
                if began.elapsed() > WHOLE_ENOUGH {
                    break;
                }
            }
            Ok(vec![("whole".to_string(), 0, unplaced(best))])
        }
        Program::Transport(..) | Program::Beside(_) => Err("of oxmpi alone".to_string()),
    }
}

/// A value of which nobody knows where the cores were, or which has nothing to do with it.
fn unplaced(value: f64) -> Sample {
    Sample { value, apart: 0.0 }
}

/// Returns the values that a program of `benches/c` printed (`bench.h` says how); an error where it
/// printed none.
pub fn results(text: &str) -> Result<Values, String> {
    lines("result", text)
}

/// Returns the values of the lines that begin with a word.
fn lines(kind: &str, text: &str) -> Result<Values, String> {
    let mut values = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, bytes, value, apart) = match words[..] {
            [word, name, bytes, value] if word == kind => (name, bytes, value, "0"),
            [word, name, bytes, value, apart] if word == kind => (name, bytes, value, apart),
            _ => continue,
        };
        let bytes = bytes.parse().map_err(|_| format!("not a size: {line}"))?;
        let number = |word: &str| {
            let number = word.parse::<f64>();
            number.map_err(|_| format!("not a value: {line}"))
        };
        let sample = Sample {
            value: number(value)?,
            apart: number(apart)?,
        };
        values.push((name.to_string(), bytes, sample));
    }
    match values.is_empty() {
        true => Err(format!("the program printed no {kind}")),
        false => Ok(values),
    }
}

fn keep(figures: &mut Figures, case: &Case, peer: &'static str, values: Values) {
    for (name, bytes, sample) in values {
        let point = Point {
            case: case.key,
            name,
            bytes,
        };
        figures.entry((point, peer)).or_default().push(sample);
    }
}

/// Keeps values that do not depend on the cores' places.
fn keep_unplaced(
    figures: &mut Figures,
    case: &Case,
    peer: &'static str,
    values: Vec<(String, u64, f64)>,
) {
    let placed = values.into_iter();
    let placed = placed.map(|(name, bytes, value)| (name, bytes, unplaced(value)));
    keep(figures, case, peer, placed.collect());
}

fn flush() {
    use std::io::Write;
    let _ = std::io::stdout().flush();
}
