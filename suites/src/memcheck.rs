//! Correct programs under valgrind's memcheck and under the sanitizers of compilers: none of these
//! reports anything. Whoever looks for mistakes of a program by them is not to read of the library.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::programs::{compile, compile_as, mpirun};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{by_workers, find};

/// A little of each kind, whose own memory is all freed.
const TINY: &str = "tests/memcheck/tiny.c";

/// Programs of the suite, which do not free all of theirs.
const SUITE: &[&str] = &[
    "p2p_modes",
    "p2p_requests",
    "p2p_lengths",
    "collectives",
    "coll_inter",
    "datatypes",
    "in_place",
    "rma_basic",
    "rma_atomics",
    "files",
];

/// The transports that carry messages.
const OVER: &[&str] = &["sm", "tcp"];

/// The exit code of a program in which valgrind has found something.
const FOUND: &str = "9";

/// Programs at a time: two ranks each are to have the machine.
const AT_A_TIME: usize = 1;

const LIMIT: Duration = Duration::from_secs(600);

/// One run.
struct Case {
    program: PathBuf,
    over: &'static str,
    /// Whether leaks are looked for, too.
    leaks: bool,
}

impl Case {
    fn name(&self) -> String {
        let program = self.program.file_name().unwrap_or_default();
        format!("{} over {}", program.to_string_lossy(), self.over)
    }
}

/// A little of each kind under memcheck.
pub fn quick(world: &World) -> Result<Tally, String> {
    let program = compile(world, &fsio::root().join(TINY), &[])?;
    let case = Case {
        program,
        over: "sm",
        leaks: true,
    };
    under_memcheck(world, &[case])
}

/// Programs of the suite under memcheck.
pub fn all(world: &World) -> Result<Tally, String> {
    let cases = cases(|source| compile(world, source, &[]))?;
    under_memcheck(world, &cases)
}

/// Programs of the suite with the address sanitizer and the one of undefined behaviour, by each
/// compiler that is there.
pub fn sanitizers(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for compiler in ["gcc", "clang"] {
        if find(compiler).is_none() {
            continue;
        }
        let by = format!("-cc={compiler}");
        let flags = [
            by.as_str(),
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=undefined",
        ];
        let build = |source: &Path| {
            let stem = source.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{stem}_sanitized_by_{compiler}");
            compile_as(&name, world, source, &flags)
        };
        let cases = cases(build)?;
        let outcomes = by_workers(AT_A_TIME, &cases, |case| sanitized(world, case));
        for (case, outcome) in cases.iter().zip(outcomes) {
            tally.count(&case.name(), outcome);
        }
    }
    Ok(tally)
}

fn cases(build: impl Fn(&Path) -> Result<PathBuf, String>) -> Result<Vec<Case>, String> {
    let root = fsio::root();
    let mut cases = Vec::new();
    let tiny = build(&root.join(TINY))?;
    let mut add = |program: &PathBuf, leaks| {
        cases.extend(OVER.iter().map(|over| Case {
            program: program.clone(),
            over,
            leaks,
        }));
    };
    add(&tiny, true);
    for name in SUITE {
        add(
            &build(&root.join("tests/c").join(format!("{name}.c")))?,
            false,
        );
    }
    Ok(cases)
}

fn under_memcheck(world: &World, cases: &[Case]) -> Result<Tally, String> {
    if find("valgrind").is_none() {
        peers::apt_install(&["valgrind"])?;
    }
    let suppressions = world.prefix.join("share/oxmpi/valgrind.supp");
    let suppressions = format!("--suppressions={}", suppressions.display());
    let outcomes = by_workers(AT_A_TIME, cases, |case| {
        let leaks = match case.leaks {
            true => "full",
            false => "no",
        };
        let job = mpirun(world, 2, &["--mca", "btl", &format!("{},self", case.over)])
            .args(["valgrind", "-q", &format!("--error-exitcode={FOUND}")])
            .args([&format!("--leak-check={leaks}"), &suppressions])
            .arg(&case.program)
            .limit(LIMIT);
        let outcome = job.run()?;
        match outcome.succeeded() && !outcome.err.contains("==") {
            true => Ok(()),
            false => Err(format!("{}{}", outcome.out, outcome.err)),
        }
    });
    let mut tally = Tally::default();
    for (case, outcome) in cases.iter().zip(outcomes) {
        tally.count(&case.name(), outcome);
    }
    Ok(tally)
}

fn sanitized(world: &World, case: &Case) -> Result<(), String> {
    let leaks = format!("detect_leaks={}", u8::from(case.leaks));
    let outcome = mpirun(world, 2, &["--mca", "btl", &format!("{},self", case.over)])
        .env("ASAN_OPTIONS", leaks)
        .env("UBSAN_OPTIONS", "print_stacktrace=1")
        .arg(&case.program)
        .limit(LIMIT)
        .run()?;
    match outcome.succeeded() && !outcome.err.contains("Sanitizer") {
        true => Ok(()),
        false => Err(format!("{}{}", outcome.out, outcome.err)),
    }
}
