//! Parses the suite's lists of tests, and applies the rules that leave some of them out.
//!
//! A line of a list is a program, a number of ranks, and settings: `arg=`, `env=`, `timeLimit=`,
//! `resultTest=`, `strict=`, `mem=`, `xfail=`. A test that the suite's authors expect to fail on
//! MPICH is a test as any other here.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::options::{Bulk, Options};
use super::suite::{self, Suite};
use xtask::fsio;
use xtask::shell::Outcome;

/// How long a test may take where its line says nothing, and at least where it says so: machines
/// that test are busy.
const LIMIT: Duration = Duration::from_secs(180);

/// Elements from which on a test that makes many datatypes takes minutes.
const MANY: u64 = 65_530;

/// Datatypes from which on a test of windows, with locks of four ranks for each, takes minutes.
const MANY_TYPES: u64 = 1024;

/// Elements from which on a test that makes some datatypes is [bulky](Case::is_bulky).
const SOME: u64 = 512;

/// Elements from which on a test of messages in several threads is bulky.
const BULK: u64 = 4 << 20;

/// Tests of windows that are bulky.
const BULKY: &[&str] = &["rma/rma_contig", "rma/large_acc_flush_local"];

/// The lists in a folder, as the suite's own runner reads them.
const LISTS: &[&str] = &["testlist", "testlist.dtp", "testlist.cvar"];

/// Expected result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `No Errors` and exit code 0.
    NoErrors,
    /// Any exit code but 0.
    Failure,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Case {
    pub folder: String,
    pub program: String,
    pub ranks: usize,
    pub args: Vec<String>,
    pub limit: Duration,
    pub expected: Expected,
}

/// Tests to run, and how many tests each rule has left out.
pub struct Selection {
    pub cases: Vec<Case>,
    pub left_out: BTreeMap<String, usize>,
}

/// Tests that are left out by name: what they are about, and which.
const BY_NAME: &[(&str, &[&str])] = &[
    (
        "the marks MPI_LB and MPI_UB, which MPI 3.0 removed",
        &["datatype/struct_no_real_types"],
    ),
    (
        "control variables of any value, written after MPI_Init, which a library may refuse",
        &["mpi_t/cvarwrite"],
    ),
    ("QMPI, an extension of MPICH", &["mpi_t/qmpi_test"]),
];

/// Reads the lists of all folders.
pub fn select(suite: &Suite, options: &Options) -> Result<Selection, String> {
    let mut selection = Selection {
        cases: Vec::new(),
        left_out: BTreeMap::new(),
    };
    let mut seen = BTreeSet::new();
    for folder in suite::folders(options.folder.as_deref()) {
        for line in lines(suite, folder)? {
            let Some((case, settings)) = Case::read(folder, &line)? else {
                continue;
            };
            let name = case.name();
            let wanted = options
                .test
                .as_deref()
                .is_none_or(|text| name.contains(text));
            if !wanted {
                continue;
            }
            let again = !seen.insert(name);
            match left_out(&case, &settings, again, options) {
                Some(why) => *selection.left_out.entry(why).or_default() += 1,
                None => selection.cases.push(case),
            }
        }
    }
    Ok(selection)
}

/// The lines of a folder's lists. What configuration does not change lies with the source.
fn lines(suite: &Suite, folder: &str) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for list in LISTS {
        let places = [&suite.build, &suite.source].map(|root| root.join(folder).join(list));
        let Some(path) = places.iter().find(|path| path.exists()) else {
            continue;
        };
        lines.extend(fsio::read(path)?.lines().map(str::to_string));
    }
    match lines.is_empty() {
        true => Err(format!("the suite has no list of tests for {folder}")),
        false => Ok(lines),
    }
}

/// The rule that leaves the test out, if one does.
fn left_out(case: &Case, settings: &Settings, again: bool, options: &Options) -> Option<String> {
    let program = case.path();
    if let Some((why, _)) = BY_NAME
        .iter()
        .find(|(_, names)| names.contains(&program.as_str()))
    {
        return Some(why.to_string());
    }
    if case.program.ends_with("_oldapi") {
        return Some("functions that MPI 3.0 removed".to_string());
    }
    if again {
        return Some("a test again, with variables of MPICH's own or as listed twice".to_string());
    }
    if settings.memory > options.memory {
        return Some(format!(
            "more than {} GiB of memory (--memory)",
            options.memory
        ));
    }
    if case.is_long() && !options.long {
        return Some(format!(
            "{MANY} elements and more of many datatypes, windows with {MANY_TYPES} types (--long)"
        ));
    }
    if case.ranks > options.ranks {
        return Some(format!("more than {} ranks (--ranks)", options.ranks));
    }
    match (options.bulk, case.is_bulky()) {
        (Bulk::Without, true) => Some("much data (step conformance-bulk)".to_string()),
        (Bulk::Alone, false) => Some("little data (step conformance)".to_string()),
        _ => None,
    }
}

/// Settings of a line beside the test itself.
#[derive(Default)]
pub(super) struct Settings {
    /// In GiB.
    memory: f64,
}

impl Case {
    /// The test of a line; none where the line is empty or a comment.
    pub(super) fn read(folder: &str, line: &str) -> Result<Option<(Case, Settings)>, String> {
        let mut words = line.split_whitespace();
        let Some(program) = words.next().filter(|word| !word.starts_with('#')) else {
            return Ok(None);
        };
        let wrong = || format!("the list of {folder} has a line that is not known: `{line}`");
        let mut case = Case {
            folder: folder.to_string(),
            program: program.to_string(),
            ranks: 1,
            args: Vec::new(),
            limit: LIMIT,
            expected: Expected::NoErrors,
        };
        let mut settings = Settings::default();
        let mut limit = None;
        for word in words {
            match word.split_once('=') {
                Some(("arg", value)) => case.args.push(value.to_string()),
                Some(("timeLimit", value)) => limit = Some(value.parse().map_err(|_| wrong())?),
                Some(("mem", value)) => settings.memory = value.parse().map_err(|_| wrong())?,
                Some(("resultTest", "TestStatus" | "TestErrFatal")) => {
                    case.expected = Expected::Failure;
                }
                Some(("env", value)) if value.starts_with("MPIR_CVAR") => {}
                Some(("strict" | "xfail" | "mpiversion" | "mpiexecarg", _)) => {}
                Some(_) => return Err(wrong()),
                // One line names its program again.
                None => case.ranks = word.parse().unwrap_or(case.ranks),
            }
        }
        if let Some(seconds) = limit.map(Duration::from_secs) {
            // A test that is to run into its limit has to do so in time.
            let is_the_test = case.expected == Expected::Failure;
            case.limit = if is_the_test {
                seconds
            } else {
                seconds.max(LIMIT)
            };
        }
        Ok(Some((case, settings)))
    }

    /// Whether it makes much data of many datatypes: those do that say how many types they try.
    fn is_long(&self) -> bool {
        let Some(types) = self.types() else {
            return false;
        };
        self.count() >= MANY || (self.is_of_windows() && types >= MANY_TYPES)
    }

    /// Whether it takes ten seconds and more, most of them to make data or to copy it: one in 16 of
    /// the tests, which take two fifths of the time.
    fn is_bulky(&self) -> bool {
        let by_size = match self.types() {
            Some(_) => self.count() >= SOME && !self.is_of_windows(),
            None => self.count() >= BULK && self.folder.starts_with("threads/"),
        };
        by_size || BULKY.contains(&self.path().as_str())
    }

    fn is_of_windows(&self) -> bool {
        suite::WINDOWS.contains(&self.folder.as_str())
    }

    /// Returns how many datatypes it makes, if it makes a number of them.
    fn types(&self) -> Option<u64> {
        let types = |arg: &String| arg.strip_prefix("-testsize=")?.parse().ok();
        self.args.iter().find_map(types)
    }

    /// Returns the most elements that it moves at a time, as far as its arguments say.
    fn count(&self) -> u64 {
        let count = |arg: &String| {
            let (name, value) = arg.rsplit_once('=')?;
            let is_count = name.ends_with("cnt") || name == "-count";
            value.parse().ok().filter(|_| is_count)
        };
        self.args.iter().filter_map(count).max().unwrap_or(0)
    }

    /// Whether it writes files, under names that other tests have too.
    pub fn writes_files(&self) -> bool {
        self.folder.ends_with("io")
    }

    /// Returns the folder and the program.
    fn path(&self) -> String {
        format!("{}/{}", self.folder, self.program)
    }

    /// Returns the folder, the program, the ranks and the arguments: no two tests have all alike.
    pub fn name(&self) -> String {
        let mut name = format!("{} {}", self.path(), self.ranks);
        for arg in &self.args {
            name.push(' ');
            name.push_str(arg);
        }
        name
    }
}

/// As the suite's own runner judges: a test says `No Errors` and nothing else, or fails as it has
/// to.
pub fn judge(expected: Expected, outcome: &Outcome) -> Result<(), String> {
    let says_so = || outcome.out.lines().any(|line| is_word(line, "no errors"));
    let says_more = || {
        let mut lines = outcome.out.lines();
        lines.any(|line| !is_word(line, "no errors") && !is_word(line, "test passed"))
    };
    let right = match expected {
        Expected::NoErrors => outcome.succeeded() && says_so() && !says_more(),
        Expected::Failure => !outcome.succeeded(),
    };
    match right {
        true => Ok(()),
        false => Err(outcome.reason()),
    }
}

fn is_word(line: &str, word: &str) -> bool {
    line.trim().eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Case, Settings) {
        Case::read("coll", line).unwrap().unwrap()
    }

    #[test]
    fn a_line_is_a_test() {
        let (case, settings) =
            read("uoplong 16 mem=1.4 arg=-a arg=-b=3 timeLimit=600 strict=false");
        assert_eq!(case.name(), "coll/uoplong 16 -a -b=3");
        assert_eq!(case.limit, Duration::from_secs(600));
        assert_eq!(settings.memory, 1.4);
        assert_eq!(
            read(" sendself 2 test/mpi/sendself arg=-x").0.name(),
            "coll/sendself 2 -x"
        );
    }

    #[test]
    fn a_test_that_has_to_fail_keeps_its_limit() {
        let (case, _) = read("timeout 2 resultTest=TestErrFatal timeLimit=10");
        assert_eq!(
            (case.expected, case.limit),
            (Expected::Failure, Duration::from_secs(10))
        );
        assert_eq!(read("ibarrier 2 timeLimit=30").0.limit, LIMIT);
    }

    #[test]
    fn remarks_are_skipped_and_unknown_options_are_errors() {
        assert!(Case::read("coll", "# a remark").unwrap().is_none());
        assert!(Case::read("coll", "   ").unwrap().is_none());
        assert!(Case::read("coll", "a 2 lock=shared").is_err());
        assert!(Case::read("coll", "a 2 env=HOME=x").is_err());
    }

    #[test]
    fn rules_say_why_a_test_is_left_out() {
        let options = Options::default();
        let why = |line: &str, again| {
            let (case, settings) = read(line);
            left_out(&case, &settings, again, &options)
        };
        assert_eq!(why("a 4", false), None);
        assert!(why("a 5", false).unwrap().contains("4 ranks"));
        assert!(why("a 4", true).unwrap().contains("again"));
        assert!(why("a 4 mem=4.3", false).unwrap().contains("memory"));
        assert!(why("lbub_oldapi 1", false).unwrap().contains("removed"));
        let pool = "b 2 arg=-testsize=8 arg=-sendcnt=";
        assert!(why(&format!("{pool}262144"), false)
            .unwrap()
            .contains("--long"));
        assert_eq!(why(&format!("{pool}1018"), false), None);
        let named = |folder, line: &str, bulk| {
            let (case, settings) = Case::read(folder, line).unwrap().unwrap();
            let options = Options {
                bulk,
                ..Options::default()
            };
            left_out(&case, &settings, false, &options)
        };
        let huge = "b 2 arg=-iter=64 arg=-count=4194304";
        let types = format!("{pool}512");
        let window = "rma_contig 2 arg=-iter=10000";
        for (folder, line) in [("pt2pt", &*types), ("threads/pt2pt", huge), ("rma", window)] {
            let why = named(folder, line, Bulk::Without).unwrap();
            assert!(why.contains("conformance-bulk"), "{why}");
            assert_eq!(named(folder, line, Bulk::Alone), None);
        }
        for (folder, line) in [
            ("pt2pt", &*format!("{pool}17")),
            ("rma", &format!("{pool}512")),
        ] {
            assert_eq!(named(folder, line, Bulk::Without), None);
            assert!(named(folder, line, Bulk::Alone).is_some());
        }
        assert_eq!(why("b 2 arg=-count=4194304", false), None);
        let types = "c 4 arg=-type=MPI_INT arg=-count=1 arg=-testsize=1024";
        assert_eq!(why(types, false), None);
        let (case, settings) = Case::read("rma", types).unwrap().unwrap();
        assert!(left_out(&case, &settings, false, &options).is_some());
    }
}
