//! Runs the C programs of `tests/`, compiled by the installation's `mpicc`, with its `mpirun`.
//!
//! A program says in its first lines on how many ranks it runs (`// np: 1 2 4`), with which options
//! of `mpirun` (`// mpirun: --quiet`), and, where it is meant to fail, with which exit code (`//
//! exit: 7`, or `nonzero`); `// quick` adds it to `cargo xtask test quick`. It passes if it exits
//! with that code, leaves no process behind, and program and library have freed everything; one
//! that leaves handles says so (`// leaves handles`). Under `mpirun --check` it gets no report
//! either; one that is wrong on purpose says `// check: reports`, and one about what checking does
//! in another way why it is not checked, as `// check: not, ...`. Programs run in parallel, except
//! those that measure time, which say `// alone`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::case::Case;
use crate::peers::Dialect;
use crate::peers::{self, Start};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{none_stay, processors, Job};

/// How long one run of a program may take.
const LIMIT: Duration = Duration::from_secs(90);

/// How long a failed job may take to end: the failure itself comes at once.
const END_LIMIT: Duration = Duration::from_secs(5);

/// The parameter that chooses providers.
pub const PROVIDERS: &str = "opal_common_ofi_provider_include";

/// The options of `mpirun` that make messages go over TCP.
pub const TCP: &[&str] = &["--mca", "btl", "tcp,self"];

/// The programs that are marked `quick`, over shared memory.
pub fn quick() -> Result<Vec<Case>, String> {
    let mut programs = described(|_| true)?;
    programs.retain(|(_, about)| about.quick);
    Ok(each(programs, &[]))
}

/// All programs over shared memory.
pub fn over_sm() -> Result<Vec<Case>, String> {
    all(&[], |_| true)
}

/// All programs over TCP.
pub fn over_tcp() -> Result<Vec<Case>, String> {
    all(TCP, |_| true)
}

/// The programs whose name `wanted` likes, each on its numbers of ranks.
pub fn all(options: &[&str], wanted: impl Fn(&str) -> bool) -> Result<Vec<Case>, String> {
    let mut programs = described(wanted)?;
    if options.contains(&"btl") {
        programs.retain(|(_, about)| !about.chooses_transports());
    }
    Ok(each(programs, options))
}

/// The programs whose name `wanted` likes while `mpirun --check` looks at them: each has to end as
/// it does otherwise.
pub fn checked(options: &[&str], wanted: impl Fn(&str) -> bool) -> Result<Vec<Case>, String> {
    let mut programs = described(wanted)?;
    programs.retain(|(_, about)| about.checked != Checked::Not);
    if options.contains(&"btl") {
        programs.retain(|(_, about)| !about.chooses_transports());
    }
    Ok(each(programs, &[&["--check"], options].concat()))
}

/// The programs of these names, on numbers of ranks where these are given, with parameters: each a
/// name and a value.
pub fn named(
    programs: &[String],
    options: &[&str],
    ranks: &[usize],
    mca: &[String],
) -> Result<Vec<Case>, String> {
    let mut programs = described(|name| programs.iter().any(|wanted| wanted == name))?;
    for (_, about) in &mut programs {
        if !ranks.is_empty() {
            about.ranks = ranks.to_vec();
        }
        for parameter in mca.chunks(2) {
            about.options.push("--mca".to_string());
            about.options.extend_from_slice(parameter);
        }
    }
    Ok(each(programs, options))
}

/// The names of all programs.
pub fn names() -> Result<Vec<String>, String> {
    let sources = fsio::files_below(&fsio::root().join("tests/c"), "c")?;
    Ok(sources.iter().map(|source| stem(source)).collect())
}

/// The programs that end well whenever they are to, as sources, the most ranks that each runs on,
/// and its options. Without those that measure time.
pub fn lasting(wanted: impl Fn(&str) -> bool) -> Result<Vec<Lasting>, String> {
    let mut programs = described(wanted)?;
    programs.retain(|(_, about)| !about.alone && matches!(about.exit, Exit::Code(0)));
    let lasting = |(source, about): (PathBuf, About)| {
        let ranks = about.ranks.iter().copied().max().unwrap_or(1);
        (source, ranks, about.options)
    };
    Ok(programs.into_iter().map(lasting).collect())
}

/// A program, its ranks, and its options.
pub type Lasting = (PathBuf, usize, Vec<String>);

/// Returns the programs whose name `wanted` likes, with what they say about themselves.
fn described(wanted: impl Fn(&str) -> bool) -> Result<Vec<(PathBuf, About)>, String> {
    let sources = fsio::files_below(&fsio::root().join("tests/c"), "c")?;
    let sources = sources.into_iter().filter(|source| wanted(&stem(source)));
    sources
        .map(|source| About::read(&source).map(|about| (source, about)))
        .collect()
}

/// Each program on its numbers of ranks; those that are to be alone come last.
fn each(mut programs: Vec<(PathBuf, About)>, options: &[&str]) -> Vec<Case> {
    programs.sort_by_key(|(_, about)| about.alone);
    let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    let mut cases = Vec::new();
    for (source, about) in programs {
        let at_a_time = if about.alone { 1 } else { 3 * processors() };
        let program = Arc::new((source, about, options.clone()));
        for ranks in program.1.ranks.clone() {
            let program = Arc::clone(&program);
            let name = format!("{}::{ranks}", stem(&program.0));
            cases.push(Case::new(name, at_a_time, move |world| {
                let (source, about, options) = &*program;
                let job = Job::new(world.bin("mpirun"))
                    .args(options)
                    .args(["-n", &ranks.to_string()])
                    .args(["--mca", "mpi_show_handle_leaks", "1"])
                    .args(&about.options)
                    .arg(compile(world, source, &[])?);
                about.judge(&job.limit(LIMIT))
            }));
        }
    }
    cases
}

/// Runs programs in one communicator of processes and of others that they spawn
/// (`tests/ports/merged.h`), those that run on as many ranks.
pub fn merged(
    world: &World,
    programs: &[&str],
    [started, spawned]: [usize; 2],
    options: &[&str],
) -> Result<Tally, String> {
    let header = fsio::root().join("tests/ports/merged.h");
    let flags = ["-include", &header.to_string_lossy()];
    let mut tally = Tally::default();
    for (source, about) in described(|name| programs.contains(&name))? {
        let clash = options.contains(&"btl") && about.chooses_transports();
        if clash || !about.ranks.contains(&(started + spawned)) {
            continue;
        }
        let name = format!("{}-merged", stem(&source));
        let job = |program: PathBuf| {
            let job = mpirun(world, started, options).args(["--host", "localhost:16"]);
            let job = job.args(&about.options).arg(program);
            about.judge(&job.env("MERGED_CHILDREN", spawned.to_string()))
        };
        let answer = compile_as(&name, world, &source, &flags).and_then(job);
        tally.count(&format!("{name} on {started} and {spawned}"), answer);
    }
    Ok(tally)
}

/// Properties of a program, by its first lines.
struct About {
    ranks: Vec<usize>,
    options: Vec<String>,
    exit: Exit,
    alone: bool,
    quick: bool,
    leaves_handles: bool,
    checked: Checked,
}

/// How a program fares under `mpirun --check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Checked {
    /// Nothing.
    Silent,
    /// Checking reports an error.
    Reports,
    /// Not run: what it tests differs under checking.
    Not,
}

#[derive(Clone, Copy)]
enum Exit {
    Code(i32),
    NonZero,
}

impl About {
    fn read(source: &Path) -> Result<About, String> {
        let text = fsio::read(source)?;
        let said = |key: &str| {
            let mut lines = text.lines();
            lines.find_map(|line| line.strip_prefix(key).map(|rest| rest.trim().to_string()))
        };
        let ranks = said("// np:").unwrap_or_else(|| "1".to_string());
        let ranks: Result<Vec<usize>, _> = ranks.split_whitespace().map(str::parse).collect();
        let exit = match said("// exit:").as_deref() {
            None => Exit::Code(0),
            Some("nonzero") => Exit::NonZero,
            Some(code) => {
                let code = code.parse();
                Exit::Code(code.map_err(|_| format!("{}: bad `exit`", source.display()))?)
            }
        };
        Ok(About {
            options: said("// mpirun:")
                .map(|options| options.split_whitespace().map(String::from).collect())
                .unwrap_or_default(),
            ranks: ranks.map_err(|_| format!("{}: bad `np`", source.display()))?,
            exit,
            alone: said("// alone").is_some(),
            quick: said("// quick").is_some(),
            leaves_handles: said("// leaves handles").is_some(),
            checked: match said("// check:").as_deref() {
                None => Checked::Silent,
                Some("reports") => Checked::Reports,
                Some(why) if why.starts_with("not, ") => Checked::Not,
                Some(other) => return Err(format!("{}: `check: {other}`", source.display())),
            },
        })
    }

    /// Whether the program chooses transports itself. Such a program runs once, where no step
    /// chooses others.
    fn chooses_transports(&self) -> bool {
        self.options.iter().any(|option| option == "btl")
    }

    fn judge(&self, job: &Job) -> Result<(), String> {
        let outcome = job.run()?;
        let right = match self.exit {
            Exit::Code(code) => outcome.code == code,
            Exit::NonZero => outcome.code != 0,
        };
        if outcome.timed_out || !right {
            return Err(outcome.reason());
        }
        let leak = outcome
            .err
            .lines()
            .find(|line| line.contains("not freed: "));
        if let Some(leak) = leak.filter(|_| !self.leaves_handles) {
            return Err(leak.to_string());
        }
        let is_report = |line: &&str| {
            let leaks = self.leaves_handles && line.contains("not freed at the end of MPI");
            line.contains(": check: ") && !leaks
        };
        let report = outcome.err.lines().find(is_report);
        if let Some(report) = report.filter(|_| self.checked == Checked::Silent) {
            return Err(report.to_string());
        }
        let meant_to_end = !matches!(self.exit, Exit::Code(0));
        if meant_to_end && outcome.took > END_LIMIT {
            return Err(format!("took {:.1} s to end", outcome.took.as_secs_f64()));
        }
        outcome.none_left()
    }
}

/// Waits for every process of `program` to be gone, which nobody else runs meanwhile: for launchers
/// that do not pass the environment on. See [`Outcome::none_left`].
///
/// [`Outcome::none_left`]: xtask::shell::Outcome::none_left
pub fn none_left(program: &Path) -> Result<(), String> {
    none_stay(|process| fs::read_link(process.join("exe")).is_ok_and(|exe| exe == program))
}

/// Compiles `source` with the installation's wrapper and all warnings.
pub fn compile(world: &World, source: &Path, flags: &[&str]) -> Result<PathBuf, String> {
    compile_as(&stem(source), world, source, flags)
}

/// Compiles `source` into a program of the given name, in a folder that is called as the source's.
/// A program that this command has compiled already stays as it is.
pub fn compile_as(
    name: &str,
    world: &World,
    source: &Path,
    flags: &[&str],
) -> Result<PathBuf, String> {
    let of_source = source.strip_prefix(fsio::root()).unwrap_or(source).parent();
    let of_source = of_source.filter(|folder| folder.is_relative());
    let folder = fsio::target_dir()
        .join("test/bin")
        .join(of_source.unwrap_or(Path::new("")));
    let program = folder.join(name);
    let make = || {
        fsio::make_folder(&folder)?;
        Job::new(world.bin("mpicc"))
            .args(["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-pthread"])
            .args(flags)
            .arg("-o")
            .args([&program, &source.to_path_buf()])
            .limit(Duration::from_secs(60))
            .ok()
            .map(drop)
    };
    world.once(&program, make).map(|()| program.clone())
}

/// A run of `ranks` ranks; the program is still to be named.
pub fn mpirun(world: &World, ranks: usize, options: &[&str]) -> Job {
    Job::new(world.bin("mpirun"))
        .args(options)
        .args(["-n", &ranks.to_string()])
        .limit(LIMIT)
}

/// Returns the sections of a file of frozen reports: the name of a program, and what is reported of
/// it.
pub fn sections(text: &str) -> impl Iterator<Item = (&str, String)> {
    let sections = text.split("\n== ").skip(1);
    sections.map(|section| {
        let (name, text) = section.split_once('\n').unwrap_or((section, ""));
        (name, text.trim_end().to_string())
    })
}

/// Compares a report with the frozen one.
pub fn compare(found: &str, expected: &str) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("reported\n{found}\nexpected\n{expected}")),
    }
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// A profiling library with its own MPI_Send, by LD_PRELOAD.
pub fn tool(world: &World) -> Result<Tally, String> {
    let folder = fsio::root().join("tests/tool");
    let tool = compile(world, &folder.join("count_sends.c"), &["-shared", "-fPIC"])?;
    let program = compile(world, &folder.join("relay.c"), &[])?;
    let preload = format!("LD_PRELOAD={}", tool.display());
    let mut tally = Tally::default();
    for ranks in [1, 2, 4] {
        let outcome = mpirun(world, ranks, &["-x", &preload]).arg(&program).ok()?;
        let said = |rank: usize| format!("tool: rank {rank} sent {}", rank + 1);
        let missing = (0..ranks)
            .map(said)
            .find(|line| !outcome.out.contains(line));
        let answer = match missing {
            Some(line) => Err(format!("`{line}` is missing in {:?}", outcome.out)),
            None => Ok(()),
        };
        tally.count(&format!("counts on {ranks} ranks"), answer);
    }
    Ok(tally)
}

/// Runs one file by three libraries: only the library path, and the launcher that goes with it,
/// differ.
pub fn swap(world: &World) -> Result<Tally, String> {
    let root = fsio::root();
    let names = [
        "tests/c/collectives.c",
        "tests/c/p2p_modes.c",
        "tests/c/datatypes.c",
    ];
    let programs: Result<Vec<PathBuf>, String> = names
        .iter()
        .map(|name| compile(world, &root.join(name), &[]))
        .collect();
    let programs = programs?;
    let hello = compile(world, &root.join("examples/hello.c"), &[])?;
    let mut tally = Tally::default();
    let own = peers::Peer {
        key: "oxmpi",
        title: "oxmpi".to_string(),
        dialect: Dialect::Oxmpi,
        prefix: world.prefix.clone(),
        abi: true,
        options: &[],
        interface: None,
    };
    let says = if world.given { "" } else { "oxmpi" };
    let others = [("mpich", "MPICH"), ("impi", "Intel")];
    let mut peers = vec![(own, says)];
    for (key, says) in others {
        peers.push((peers::get(key)?, says));
    }
    let start = Start {
        ranks: 2,
        ..Start::default()
    };
    for (peer, says) in &peers {
        let outcome = peer.launch(start, &hello, &[]).run()?;
        let answer = match outcome.succeeded() && outcome.out.contains(says) {
            true => Ok(()),
            false => Err(format!("not {says}: {}", outcome.reason())),
        };
        tally.count(&format!("hello says {}", peer.key), answer);
        for program in &programs {
            let name = format!("{} on {}", stem(program), peer.key);
            tally.count(&name, peer.launch(start, program, &[]).ok().map(drop));
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_a_section_for_each_program() {
        let text = "# comment\n\n== a\none\ntwo\n\n== b\nthree\n";
        let all: Vec<_> = sections(text).collect();
        let expected = [("a", "one\ntwo".to_string()), ("b", "three".to_string())];
        assert_eq!(all, expected);
    }

    #[test]
    fn reports_that_differ_are_shown() {
        assert_eq!(compare("a", "a"), Ok(()));
        let difference = compare("a", "b").unwrap_err();
        assert_eq!(difference, "reported\na\nexpected\nb");
    }
}
