//! Counts the instructions of a message, of accesses to a window and of short collectives, and
//! compares them with budgets: `MPI_Send` and `MPI_Recv` of 8 bytes over shared memory, puts, gets,
//! epochs, and collectives of 8 bytes through shared memory in which one side sends, counted by
//! valgrind while neither side waits. A count does not depend on the load of the machine, so it
//! shows reliably when a change made a path longer.
//!
//! The budgets, with what each counts, are in `benches/instructions.tsv` ([`Budget`]): of a build
//! for release, and of the one that continuous integration has anyway. A step fails where a count
//! exceeds its budget by more than its build allows ([`Build`]).
//!
//! Of the libraries for programs of other interfaces it counts what they add to a call: the rows
//! that begin with the library's name.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::programs::compile;
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// A row of [`BUDGETS`].
#[derive(Debug, PartialEq)]
struct Budget {
    function: String,
    /// The rank whose calls are counted: 0 sends, accesses and is a root, 1 receives.
    rank: usize,
    /// Instructions of one call, by [`Build::column`]; none where that build is not counted.
    instructions: [Option<f64>; 2],
}

/// A build whose instructions are counted.
#[derive(Clone, Copy)]
struct Build {
    /// Its place among the columns of instructions.
    column: usize,
    /// The most that a count may be of its budget.
    limit: f64,
}

const RELEASE: Build = Build {
    column: 0,
    limit: 1.10,
};

/// The profile `ci`: what is inlined between its units varies with changes elsewhere.
const CI: Build = Build {
    column: 1,
    limit: 1.15,
};

/// The table of budgets, below the root.
const BUDGETS: &str = "benches/instructions.tsv";

/// The program whose calls are counted, below the root.
const SOURCE: &str = "benches/c/count.c";

/// The budgets' columns.
const COLUMNS: &str = "function\trank\trelease\tci";

/// Messages of the two runs, whose difference is counted: neither the start nor what becomes
/// quicker by repetition is in it.
const MESSAGES: [u32; 2] = [2000, 4000];

/// Instructions by function.
type Counts = HashMap<String, f64>;

/// Counts both ranks and the libraries for other interfaces in a build for release.
pub fn run(world: &World) -> Result<Tally, String> {
    let world = &world.release()?;
    let (program, mut counts) = of_ranks(world)?;
    for interface in &peers::INTERFACES {
        interface.ready()?;
        let program = program.with_extension(interface.key);
        let wrapper = format!("mpicc.{}", interface.wrapper);
        let job = Job::new(wrapper).args(["-O2", "-w", "-o"]).arg(&program);
        job.arg(fsio::root().join(SOURCE)).ok()?;
        let library = world.prefix.join("lib").join(interface.key);
        for (rank, counts) in counts.iter_mut().enumerate() {
            let found = per_message(world, &program, &library, rank)?;
            counts.extend(found.into_iter().filter(|(name, _)| name.contains(':')));
        }
    }
    compare(&counts, RELEASE)
}

/// Counts both ranks in the build of continuous integration.
pub fn ci(world: &World) -> Result<Tally, String> {
    let (_, counts) = of_ranks(world)?;
    compare(&counts, CI)
}

/// Returns the program, and what it counts on each rank.
fn of_ranks(world: &World) -> Result<(PathBuf, [Counts; 2]), String> {
    if shell::find("valgrind").is_none() {
        peers::apt_install(&["valgrind"])?;
    }
    let program = compile(world, &fsio::root().join(SOURCE), &["-O2"])?;
    let library = world.prefix.join("lib");
    let of = |rank| per_message(world, &program, &library, rank);
    let counts = [of(0)?, of(1)?];
    Ok((program, counts))
}

/// Compares the counts of both ranks with the budgets of their build.
fn compare(counts: &[Counts; 2], build: Build) -> Result<Tally, String> {
    let budgets = budgets(&fsio::read(&fsio::root().join(BUDGETS))?)?;
    let mut tally = Tally::default();
    for budget in &budgets {
        if let Some(instructions) = budget.instructions[build.column] {
            let found = counts[budget.rank].get(&budget.function).copied();
            let answer = budget.check(found, instructions, build.limit);
            tally.count(&budget.function, answer);
        }
    }
    Ok(tally)
}

impl Budget {
    /// Prints the count, and fails where it exceeds the budget by more than the limit allows.
    fn check(&self, found: Option<f64>, budget: f64, limit: f64) -> Result<(), String> {
        let found = found.ok_or(format!("rank {} does not call it", self.rank))?;
        let function = &self.function;
        println!(
            "      {function}: {found:.1} instructions, {:+.1} % of {budget}",
            (found / budget - 1.0) * 100.0
        );
        if found > budget * limit {
            return Err(format!(
                "{found:.1} instructions, more than {:.0} % above {budget} ({BUDGETS})",
                (limit - 1.0) * 100.0
            ));
        }
        Ok(())
    }
}

/// The rows of the table of budgets.
fn budgets(text: &str) -> Result<Vec<Budget>, String> {
    let mut lines = text.lines().zip(1..);
    let mut lines = lines.by_ref().filter(|(line, _)| !line.starts_with('#'));
    if lines.next().map(|(line, _)| line) != Some(COLUMNS) {
        return Err(format!("{BUDGETS}: the first row is not `{COLUMNS}`"));
    }
    lines
        .map(|(line, number)| {
            budget(line).ok_or(format!("{BUDGETS}:{number}: `{line}` is not `{COLUMNS}`"))
        })
        .collect()
}

/// One row, whose rank is one of the two that run.
fn budget(line: &str) -> Option<Budget> {
    let mut columns = line.split('\t');
    let budget = Budget {
        function: columns.next()?.to_string(),
        rank: columns.next()?.parse().ok().filter(|rank| *rank < 2)?,
        instructions: [
            instructions(columns.next()?)?,
            instructions(columns.next()?)?,
        ],
    };
    columns.next().is_none().then_some(budget)
}

/// A number of instructions, or a dash for none.
fn instructions(word: &str) -> Option<Option<f64>> {
    match word {
        "-" => Some(None),
        number => number.parse().ok().map(Some),
    }
}

/// Instructions of one call of each function that a rank calls, once connections are made.
fn per_message(
    world: &World,
    program: &Path,
    library: &Path,
    rank: usize,
) -> Result<Counts, String> {
    let [few, many] = MESSAGES;
    let less = totals(world, (program, library), rank, few)?;
    let more = totals(world, (program, library), rank, many)?;
    let of_one = |(function, more): (String, f64)| {
        let less = less.get(&function).copied().unwrap_or(0.0);
        (function, (more - less) / f64::from(many - few))
    };
    Ok(more.into_iter().map(of_one).collect())
}

/// Two ranks of a program with its arguments, one of them under valgrind with these options.
pub fn watched(mpirun: &Path, watched: usize, options: &[String], line: &[OsString]) -> Job {
    let mut job = Job::new(mpirun);
    for rank in 0..2 {
        job = match rank {
            0 => job.args(["-n", "1"]),
            _ => job.args([":", "-n", "1"]),
        };
        if rank == watched {
            job = job.arg("valgrind").args(options);
        }
        job = job.args(line);
    }
    job
}

/// Instructions inside all calls of each function of MPI, in a run of `messages` with the library
/// of a folder.
fn totals(
    world: &World,
    (program, library): (&Path, &Path),
    rank: usize,
    messages: u32,
) -> Result<Counts, String> {
    let folder = fsio::target_dir().join("test");
    let (turns, counts) = (folder.join("turns"), folder.join("counts"));
    for left in [&turns, &counts] {
        // Left by a run that was interrupted.
        let _ = std::fs::remove_file(left);
    }
    let valgrind = [
        "--tool=callgrind".to_string(),
        format!("--callgrind-out-file={}", counts.display()),
        "--compress-strings=no".to_string(),
        "--compress-pos=no".to_string(),
    ];
    let line = [
        program.as_os_str().to_owned(),
        messages.to_string().into(),
        turns.clone().into(),
    ];
    let job = watched(&world.bin("mpirun"), rank, &valgrind, &line);
    let outcome = job.env("LD_LIBRARY_PATH", library).ok();
    let _ = std::fs::remove_file(&turns);
    let said = outcome?.err;
    match fsio::read(&counts) {
        Ok(text) => Ok(inclusive(&text)),
        Err(why) => Err(format!("valgrind counted nothing: {why}: {said}")),
    }
}

/// Instructions that callgrind has counted in the functions of MPI and in their callees, by the
/// name without the `P`. A function's lines are a place and its instructions; behind `calls=`
/// these are the callee's (valgrind's manual, "Callgrind Format Specification"). Of a library for
/// programs of another interface, whose name goes before the function's, callees are left out.
fn inclusive(text: &str) -> Counts {
    let mut counts = Counts::new();
    let (mut function, mut library, mut is_callee) = (None, None, false);
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("ob=") {
            let file = path.rsplit('/').next().unwrap_or_default();
            library = file.starts_with("libmpi.so.").then(|| file.to_string());
            continue;
        }
        if let Some(name) = line.strip_prefix("fn=") {
            let name = name.strip_prefix('P').unwrap_or(name);
            function = name.starts_with("MPI_").then(|| match &library {
                Some(library) => format!("{library}:{name}"),
                None => name.to_string(),
            });
            continue;
        }
        if line.starts_with("calls=") {
            is_callee = library.is_some();
            continue;
        }
        if std::mem::take(&mut is_callee) {
            continue;
        }
        let mut words = line.split_whitespace();
        let numbers = (words.next(), words.next());
        let is_place = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        if let (Some(name), (Some(place), Some(count))) = (&function, numbers) {
            if let (true, Ok(count)) = (is_place(place), count.parse::<f64>()) {
                *counts.entry(name.clone()).or_default() += count;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_its_own_instructions_and_its_callees() {
        let text = "events: Ir\nfn=PMPI_Put\n12 5\n+3 1\ncfn=inner\ncalls=2 40\n13 70\n\n\
                    fn=inner\n40 70\n\nfn=PMPI_Put\n14 4\nfn=MPI_Get\n0 3\n";
        let counts = inclusive(text);
        assert_eq!(counts["MPI_Put"], 79.0);
        assert_eq!(counts["MPI_Get"], 3.0);
        assert_eq!(counts.len(), 2);
    }

    #[test]
    fn a_library_for_another_interface_has_its_own_instructions_alone() {
        let text = "ob=/a/lib/ompi40/libmpi.so.40\nfn=PMPI_Send\n12 5\n\
                    cob=/a/lib/libmpi_abi.so.1.0.0\ncfn=PMPI_Send\ncalls=2 40\n13 70\n14 4\n\
                    ob=/a/lib/libmpi_abi.so.1.0.0\nfn=PMPI_Send\n0 70\n";
        let counts = inclusive(text);
        assert_eq!(counts["libmpi.so.40:MPI_Send"], 9.0);
        assert_eq!(counts["MPI_Send"], 70.0);
    }

    #[test]
    fn budgets_are_read_from_the_table() {
        let of = |rows: &str| budgets(&format!("# Comment.\n{COLUMNS}\n{rows}"));
        let put = |ci| Budget {
            function: "MPI_Put".into(),
            rank: 0,
            instructions: [Some(125.0), ci],
        };
        assert_eq!(
            of("# Put.\nMPI_Put\t0\t125\t150\n"),
            Ok(vec![put(Some(150.0))])
        );
        assert_eq!(of("MPI_Put\t0\t125\t-\n"), Ok(vec![put(None)]));
        for wrong in [
            "MPI_Put\t0\t125\n",
            "MPI_Put\t2\t125\t-\n",
            "MPI_Put\t0\t125\t-\t1\n",
        ] {
            let why = of(wrong).unwrap_err();
            assert!(why.starts_with("benches/instructions.tsv:3: "), "{why}");
        }
        assert!(budgets("MPI_Put\t0\t125\t-\n").is_err());
        let table = fsio::read(&fsio::root().join(BUDGETS)).unwrap();
        assert_eq!(budgets(&table).unwrap().len(), 25);
    }

    #[test]
    fn a_count_may_exceed_its_budget_as_its_build_allows() {
        let of = |count| {
            [
                Counts::from([("MPI_Put".to_string(), count)]),
                Counts::new(),
            ]
        };
        let budget = budget("MPI_Put\t0\t100\t-").unwrap();
        assert_eq!(budget.check(Some(110.0), 100.0, RELEASE.limit), Ok(()));
        assert!(budget.check(Some(110.5), 100.0, RELEASE.limit).is_err());
        assert!(budget.check(None, 100.0, RELEASE.limit).is_err());
        let failures = |build| compare(&of(1.0), build).unwrap().failed;
        let libraries = |build| failures(build).iter().any(|why| why.starts_with("libmpi"));
        assert!(libraries(RELEASE) && !libraries(CI));
    }
}
