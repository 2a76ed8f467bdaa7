//! Results of a run of the suite: prints them, compares them with the known ones, stores them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{json, Value};

use super::options::OURS;
use super::{known, list::Case};
use crate::peers;
use xtask::fsio;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    Failed,
    NotBuilt,
}

impl Verdict {
    /// Returns the word in the results.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::NotBuilt => "not built",
        }
    }
}

/// A test that was run.
pub struct Run {
    pub name: String,
    pub folder: String,
    pub verdict: Verdict,
    pub seconds: f64,
    /// Why it failed, with the end of its output.
    pub why: String,
}

/// All tests on a library.
pub struct Results {
    pub library: String,
    pub key: String,
    /// The name of the results' file.
    pub kept_as: String,
    pub suite: String,
    pub runs: Vec<Run>,
    pub left_out: BTreeMap<String, usize>,
    pub seconds: f64,
}

/// Returns the file of results of the library `key`, run as usual.
pub fn file(key: &str) -> PathBuf {
    fsio::target_dir()
        .join("conformance")
        .join(format!("{key}.json"))
}

impl Results {
    /// How many tests ended so.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.runs
            .iter()
            .filter(|run| run.verdict == verdict)
            .count()
    }

    /// All in one line.
    pub fn line(&self) -> String {
        let passed = self.count(Verdict::Passed);
        let known = self.runs.iter().filter(|run| self.is_known(run)).count();
        let with = self.kept_as.strip_prefix(&self.key).unwrap_or_default();
        format!(
            "{}{with}: {passed} of {} tests passed, {} failed, {known} of them with a reason, \
             in {:.0} s",
            self.library,
            self.runs.len(),
            self.runs.len() - passed,
            self.seconds
        )
    }

    /// Whether the library is oxmpi, by the standard interface or by one of others.
    fn is_ours(&self) -> bool {
        self.key == OURS || peers::Interface::of(&self.key).is_some()
    }

    /// Failures that are not in the table and successes that are. Only oxmpi has a table; some of
    /// its failures are those of the standard interface alone.
    pub fn unexpected(&self) -> Vec<String> {
        if !self.is_ours() {
            return Vec::new();
        }
        let describe = |run: &Run| match (run.verdict, self.reason(run)) {
            (Verdict::Passed, Some(_)) if self.key == OURS => Some(format!("{} passed", run.name)),
            (Verdict::Passed, _) | (_, Some(_)) => None,
            (_, None) => Some(format!("{} failed: {}", run.name, run.why)),
        };
        self.runs.iter().filter_map(describe).collect()
    }

    fn is_known(&self, run: &Run) -> bool {
        self.is_ours() && run.verdict != Verdict::Passed && self.reason(run).is_some()
    }

    /// Why a test fails that may: it is known to, or the other interface's header or library lacks
    /// what it calls.
    fn reason(&self, run: &Run) -> Option<String> {
        let known = known::of(&self.key, &run.name).map(|known| known.reason.to_string());
        let lacks = || {
            let is_other = run.verdict == Verdict::NotBuilt && self.key != OURS;
            let name = known::lacking(&run.why).filter(|_| is_other)?;
            Some(format!("Not built: this interface has no `{name}`."))
        };
        known.or_else(lacks)
    }

    /// Passed and all, of each folder.
    pub fn folders(&self) -> BTreeMap<&str, (usize, usize)> {
        let mut folders = BTreeMap::new();
        for run in &self.runs {
            let (passed, all) = folders.entry(run.folder.as_str()).or_insert((0, 0));
            *passed += usize::from(run.verdict == Verdict::Passed);
            *all += 1;
        }
        folders
    }

    /// Shows the folders, the failures and what was left out.
    pub fn print(&self) {
        for (folder, (passed, all)) in self.folders() {
            println!(
                "  {folder:<16} {passed:>4} passed {:>4} failed",
                all - passed
            );
            let of_folder = |run: &&Run| run.folder == folder && run.verdict != Verdict::Passed;
            for run in self.runs.iter().filter(of_folder) {
                match self.reason(run).filter(|_| self.is_ours()) {
                    Some(reason) => println!("    {} (known): {reason}", run.name),
                    None => println!("    {}: {}", run.name, run.why),
                }
            }
        }
        for (why, count) in &self.left_out {
            println!("  left out: {count:>4}  {why}");
        }
    }

    /// Writes them to [`file()`]. What is there of other folders stays, and where only `some` of a
    /// folder's tests were run, what is there of the others too.
    pub fn keep(&self, some: bool) -> Result<(), String> {
        let file = file(&self.kept_as);
        let before: Value = match file.exists() {
            true => serde_json::from_str(&fsio::read(&file)?).unwrap_or_default(),
            false => Value::Null,
        };
        let mut tests = before["tests"].as_array().cloned().unwrap_or_default();
        let folders = self.folders();
        tests.retain(|test| {
            let name = test["test"].as_str().unwrap_or_default();
            match some {
                true => self.runs.iter().all(|run| run.name != name),
                false => !folders.contains_key(folder_of(name)),
            }
        });
        tests.extend(self.runs.iter().map(Run::json));
        let all = json!({
            "library": self.library,
            "suite": self.suite,
            "seconds": self.seconds.round(),
            "folders": counts(&tests),
            "left_out": self.left_out,
            "tests": tests,
        });
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        fsio::write(&file, &(text + "\n"))
    }
}

/// Counts passed and failed tests, of each folder of stored tests.
fn counts(tests: &[Value]) -> Value {
    let mut folders: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for test in tests {
        let name = test["test"].as_str().unwrap_or_default();
        let (passed, failed) = folders.entry(folder_of(name)).or_default();
        match test["verdict"] == Verdict::Passed.word() {
            true => *passed += 1,
            false => *failed += 1,
        }
    }
    let count = |(passed, failed)| json!({"passed": passed, "failed": failed});
    folders
        .into_iter()
        .map(|(folder, of_it)| (folder.to_string(), count(of_it)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The folder in the name of a test: all before the last slash of its program.
fn folder_of(name: &str) -> &str {
    let program = name.split(' ').next().unwrap_or_default();
    program.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl Run {
    /// A test that has not been begun, which is a failure as long as it is not.
    pub fn not_begun(case: &Case) -> Run {
        Run {
            name: case.name(),
            folder: case.folder.clone(),
            verdict: Verdict::Failed,
            seconds: 0.0,
            why: "not begun in time".to_string(),
        }
    }

    fn json(&self) -> Value {
        json!({
            "test": self.name,
            "verdict": self.verdict.word(),
            "seconds": (self.seconds * 1000.0).round() / 1000.0,
            "why": self.why,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(key: &str, verdict: Verdict) -> Results {
        let run = Run {
            name: "coll/none 2".to_string(),
            folder: "coll".to_string(),
            verdict,
            seconds: 0.0,
            why: "exit code 1".to_string(),
        };
        Results {
            library: key.to_string(),
            key: key.to_string(),
            kept_as: key.to_string(),
            suite: String::new(),
            runs: vec![run],
            left_out: BTreeMap::new(),
            seconds: 0.0,
        }
    }

    #[test]
    fn only_ours_reports_unknown_failures() {
        let unexpected = |key, verdict| results(key, verdict).unexpected();
        assert!(unexpected(OURS, Verdict::Passed).is_empty());
        assert_eq!(
            unexpected(OURS, Verdict::Failed),
            ["coll/none 2 failed: exit code 1"]
        );
        assert_eq!(unexpected(OURS, Verdict::NotBuilt).len(), 1);
        assert_eq!(unexpected("ompi40", Verdict::Failed).len(), 1);
        let lacking = |key| {
            let mut results = results(key, Verdict::NotBuilt);
            results.runs[0].why = "undefined reference to `MPI_Isendrecv'".to_string();
            results.unexpected().len()
        };
        assert_eq!((lacking("ompi40"), lacking(OURS)), (0, 1));
        assert!(unexpected("mpich", Verdict::Failed).is_empty());
    }

    #[test]
    fn kept_tests_are_counted_by_folder() {
        let kept = |name, verdict: Verdict| json!({"test": name, "verdict": verdict.word()});
        let tests = [
            kept("threads/coll/a 2 -x=b/c", Verdict::Passed),
            kept("threads/coll/b 2", Verdict::NotBuilt),
            kept("coll/a 2", Verdict::Passed),
        ];
        let counts = counts(&tests);
        assert_eq!(counts["threads/coll"], json!({"passed": 1, "failed": 1}));
        assert_eq!(counts["coll"], json!({"passed": 1, "failed": 0}));
    }

    #[test]
    fn folders_are_counted() {
        let folders = |verdict| results(OURS, verdict).folders()["coll"];
        assert_eq!(folders(Verdict::Passed), (1, 1));
        assert_eq!(folders(Verdict::Failed), (0, 1));
    }
}
