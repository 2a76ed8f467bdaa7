//! Runs other programs: each with a time limit, in a process group of its own, with its output in a
//! file that is kept to diagnose failures.
//!
//! [`Job`] says what to run; [`Job::run`] returns an [`Outcome`] whatever the program's result, and
//! [`Job::ok`] makes an error of anything but success. A job past its limit gets a signal to end,
//! then is killed with its whole group, so that no run leaves processes behind. Every run has a
//! name of its own in the environment ([`RUN`]), by which [`Outcome::none_left`] finds what it has
//! left.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::fsio;
use crate::progress::Reporter;

/// The variable that names a run to all that it starts.
const RUN: &str = "OXMPI_TEST_RUN";

/// How long a program has to end after the signal to do so.
const GRACE: Duration = Duration::from_secs(3);

/// How much of a failed program's output an error shows, in lines.
const TAIL_LINES: usize = 12;

/// A program to run.
#[derive(Clone, Debug)]
pub struct Job {
    program: OsString,
    args: Vec<OsString>,
    envs: Vec<(OsString, OsString)>,
    folder: PathBuf,
    stdin: String,
    limit: Duration,
    reports: bool,
}

/// Result of a program.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The exit code; 128 and the signal's number where a signal ended it.
    pub code: i32,
    /// The program ran past its limit and was ended.
    pub timed_out: bool,
    /// The program's standard output.
    pub out: String,
    /// The program's standard error.
    pub err: String,
    /// The wall time it took.
    pub took: Duration,
    /// The program's [`RUN`], with the name of the variable.
    run: String,
}

impl Job {
    /// `program`, without arguments, in the root of the repository, for at most 10 minutes.
    pub fn new(program: impl AsRef<OsStr>) -> Job {
        Job {
            program: program.as_ref().into(),
            args: Vec::new(),
            envs: Vec::new(),
            folder: fsio::root(),
            stdin: String::new(),
            limit: Duration::from_secs(600),
            reports: false,
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Job {
        self.args.push(arg.as_ref().into());
        self
    }

    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Job {
        self.args
            .extend(args.into_iter().map(|arg| arg.as_ref().into()));
        self
    }

    /// Sets a variable of the environment.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Job {
        self.envs
            .push((name.as_ref().into(), value.as_ref().into()));
        self
    }

    /// Runs in `folder`.
    pub fn folder(mut self, folder: &Path) -> Job {
        self.folder = folder.into();
        self
    }

    /// Gives `text` as standard input.
    pub fn stdin(mut self, text: &str) -> Job {
        self.stdin = text.into();
        self
    }

    /// Ends the program after `limit`.
    pub fn limit(mut self, limit: Duration) -> Job {
        self.limit = limit;
        self
    }

    /// Prints from time to time what its children do.
    pub fn reporting(mut self) -> Job {
        self.reports = true;
        self
    }

    /// The program and its arguments, as a line.
    pub fn line(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.args);
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    /// Runs it; an error only where it cannot be started.
    pub fn run(&self) -> Result<Outcome, String> {
        let scratch = Scratch::new()?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .envs(self.envs.iter().map(|(name, value)| (name, value)))
            .env(RUN, &scratch.name)
            .current_dir(&self.folder)
            .stdin(scratch.input(&self.stdin)?)
            .stdout(scratch.create("out")?)
            .stderr(scratch.create("err")?)
            .process_group(0);
        let started = Instant::now();
        let mut child = command
            .spawn()
            .map_err(|error| format!("cannot run {}: {error}", self.program.to_string_lossy()))?;
        let (status, timed_out) = wait(&mut child, self.limit, self.reports)?;
        let outcome = Outcome {
            code: status
                .code()
                .unwrap_or(128 + status.signal().unwrap_or_default()),
            timed_out,
            took: started.elapsed(),
            run: format!("{RUN}={}", scratch.name),
            out: scratch.text("out")?,
            err: scratch.text("err")?,
        };
        self.check_words(&outcome).map(|()| outcome)
    }

    /// Fails where the launcher or its ranks speak of an error of the system as no C program does.
    fn check_words(&self, outcome: &Outcome) -> Result<(), String> {
        const RUSTS: &str = "(os error ";
        let name = Path::new(&self.program).file_name();
        let mut said = outcome.err.lines().chain(outcome.out.lines());
        match said.find(|line| line.contains(RUSTS)) {
            Some(line) if name.is_some_and(|name| name == "mpirun") => Err(format!(
                "a number of an error that is for Rust alone: {line}"
            )),
            _ => Ok(()),
        }
    }

    /// Runs it; anything but exit code 0 within the limit is an error that shows the output's end.
    pub fn ok(&self) -> Result<Outcome, String> {
        let outcome = self.run()?;
        match outcome.succeeded() {
            true => Ok(outcome),
            false => Err(format!("{}: {}", self.line(), outcome.reason())),
        }
    }
}

impl Outcome {
    /// Whether the program ended by itself with exit code 0.
    pub fn succeeded(&self) -> bool {
        self.code == 0 && !self.timed_out
    }

    /// Waits for all that it started to be gone; an error where something stays for a second.
    pub fn none_left(&self) -> Result<(), String> {
        let has_run = |environment: &[u8]| {
            let mut entries = environment.split(|byte| *byte == 0);
            entries.any(|entry| entry == self.run.as_bytes())
        };
        none_stay(|process| has_run(&environment(process)))
    }

    /// Why it did not succeed, with the end of what it printed.
    pub fn reason(&self) -> String {
        let why = match self.timed_out {
            true => format!("did not end within {:.0} s", self.took.as_secs_f64()),
            false => format!("exit code {}", self.code),
        };
        let both = format!("{}\n{}", self.out, self.err);
        let lines: Vec<&str> = both
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let tail = &lines[lines.len().saturating_sub(TAIL_LINES)..];
        match tail.is_empty() {
            true => why,
            false => format!("{why}\n      {}", tail.join("\n      ")),
        }
    }
}

/// Waits for every process that `is_meant` by its folder in `/proc` to be gone; an error where one
/// stays for a second.
pub fn none_stay(is_meant: impl Fn(&Path) -> bool) -> Result<(), String> {
    let started = Instant::now();
    loop {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let processes = entries.map(|entry| entry.path());
        let left: Vec<PathBuf> = processes.filter(|process| is_meant(process)).collect();
        if left.is_empty() {
            return Ok(());
        }
        if started.elapsed() > Duration::from_secs(1) {
            let left: Vec<String> = left.iter().map(|process| described(process)).collect();
            return Err(format!("processes were left behind: {}", left.join(", ")));
        }
        sleep(Duration::from_millis(20));
    }
}

/// The environment of a process by its folder in `/proc`. One that is about to run another program
/// seems to have an empty one for a moment, and is looked at again.
fn environment(process: &Path) -> Vec<u8> {
    const LOOKS: u32 = 50;
    let read = || fs::read(process.join("environ")).unwrap_or_default();
    let mut environment = read();
    for _ in 1..LOOKS {
        // What has ended, and a thread of the kernel, has no program.
        if !environment.is_empty() || fs::read_link(process.join("exe")).is_err() {
            break;
        }
        sleep(Duration::from_millis(2));
        environment = read();
    }
    environment
}

/// A process by its folder in `/proc`: what it runs, and its state.
fn described(process: &Path) -> String {
    let text = |file| fs::read(process.join(file)).unwrap_or_default();
    let line = String::from_utf8_lossy(&text("cmdline")).replace('\0', " ");
    let stat = String::from_utf8_lossy(&text("stat")).into_owned();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    format!(
        "{} ({}, {})",
        process.display(),
        line.trim(),
        state.unwrap_or('?')
    )
}

/// Does `work` for each of the `items`, as many at a time as there are processors, for jobs that
/// wait as much as they work. The results are in the order of the items.
pub fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    by_workers(processors(), items, work)
}

/// Does `work` for each of the `items`, `workers` at a time. The results are in the order of the
/// items.
pub fn by_workers<T: Sync, R: Send>(
    workers: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else {
                return done;
            };
            done.push((place, work(item)));
        }
    };
    let mut done = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers.max(1)).map(|_| scope.spawn(worker)).collect();
        let ended = workers.into_iter().map(|worker| worker.join());
        let done = ended.flat_map(|done| done.unwrap_or_else(|panic| resume_unwind(panic)));
        done.collect::<Vec<_>>()
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// Returns whether this user may make a mount namespace, by `unshare -m`.
pub fn may_mount() -> bool {
    let may = || Job::new("unshare").args(["-m", "true"]).run();
    find("unshare").is_some() && may().is_ok_and(|outcome| outcome.succeeded())
}

/// Puts a program at `at`, with the rights and the owner that words of `install` give. By a process
/// of its own: where this one wrote the file, a child that another thread is just starting would
/// hold it open for writing, and who runs it then reads "Text file busy".
pub fn install(program: &Path, at: &Path, words: &[&str]) -> Result<(), String> {
    let job = Job::new("install").args(words).arg(program).arg(at);
    job.ok().map(drop)
}

/// Writes a script that can be run, see [`install`].
pub fn install_script(at: &Path, text: &str) -> Result<(), String> {
    fsio::clear(at)?;
    let job = Job::new("install").args(["-m", "755", "/dev/stdin"]);
    job.arg(at).stdin(text).ok().map(drop)
}

/// Finds `name` in the folders of `PATH`.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|place| place.is_file())
}

/// The Cargo that runs this command.
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The number of processors this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the time for which the processors of this machine have had nothing to do since it was
/// started, all together. Waits for disks are part of it.
pub fn idle() -> Duration {
    idle_in(&fs::read_to_string("/proc/stat").unwrap_or_default())
}

/// Returns the sum of `idle` and `iowait` in the first line of `/proc/stat`.
fn idle_in(stat: &str) -> Duration {
    const TICKS_EACH_SECOND: f64 = 100.0;
    let line = stat.lines().next().unwrap_or_default();
    let ticks = line.split_whitespace().skip(4).take(2);
    let ticks: f64 = ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    Duration::from_secs_f64(ticks / TICKS_EACH_SECOND)
}

fn wait(child: &mut Child, limit: Duration, reports: bool) -> Result<(ExitStatus, bool), String> {
    let pid = child.id();
    let reporter = reports.then(|| Reporter::new(pid));
    let (status, timed_out) = match ended_within(child, limit, reporter)? {
        Some(status) => (status, false),
        None => {
            signal("TERM", pid);
            match ended_within(child, GRACE, None)? {
                Some(status) => (status, true),
                None => {
                    signal("KILL", pid);
                    let status = child.wait().map_err(|e| format!("cannot wait: {e}"))?;
                    (status, true)
                }
            }
        }
    };
    if timed_out {
        signal("KILL", pid);
    }
    Ok((status, timed_out))
}

fn ended_within(
    child: &mut Child,
    limit: Duration,
    mut reporter: Option<Reporter>,
) -> Result<Option<ExitStatus>, String> {
    let started = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("cannot wait: {e}"))? {
            return Ok(Some(status));
        }
        if started.elapsed() >= limit {
            return Ok(None);
        }
        if let Some(reporter) = &mut reporter {
            reporter.report();
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Sends a signal to the whole group that `pid` leads. The standard library has no call for it.
fn signal(name: &str, pid: u32) {
    let mut kill = Command::new("kill");
    kill.args(["-s", name, "--", &format!("-{pid}")]);
    let _ = kill.stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// The files of one run's input and output: a pipe would wait for grandchildren, a file does not.
struct Scratch {
    name: String,
    stem: PathBuf,
}

impl Scratch {
    /// Takes the first number that no other run of this process has: the file for the output is
    /// made first and removed last. A run beside it may take the number again before somebody has
    /// looked for what the first has left; so a run's name has its time in it, too.
    fn new() -> Result<Scratch, String> {
        let folder = fsio::target_dir().join("xtask-runs");
        fsio::make_folder(&folder)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        for number in 0..10_000 {
            let run = format!("{}-{number}", std::process::id());
            let stem = folder.join(&run);
            if File::create_new(stem.with_extension("out")).is_ok() {
                let name = format!("{run}-{now}");
                return Ok(Scratch { name, stem });
            }
        }
        Err(format!("no free name in {}", folder.display()))
    }

    fn path(&self, what: &str) -> PathBuf {
        self.stem.with_extension(what)
    }

    fn create(&self, what: &str) -> Result<File, String> {
        let path = self.path(what);
        File::create(&path).map_err(|error| format!("cannot make {}: {error}", path.display()))
    }

    fn input(&self, text: &str) -> Result<Stdio, String> {
        if text.is_empty() {
            return Ok(Stdio::null());
        }
        let path = self.path("in");
        fsio::write(&path, text)?;
        let file = File::open(&path).map_err(|e| format!("cannot open {}: {e}", path.display()))?;
        Ok(file.into())
    }

    fn text(&self, what: &str) -> Result<String, String> {
        let path = self.path(what);
        let bytes = fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        for what in ["in", "err", "out"] {
            let _ = fs::remove_file(self.path(what));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_leaves_behind_is_found() {
        let shell = |script: &str| Job::new("sh").args(["-c", script]).run().unwrap();
        shell("sleep 0.1 &").none_left().unwrap();
        // The search may be slow to begin on a machine under load.
        let left = shell("sleep 20 &").none_left().unwrap_err();
        assert!(left.contains("/proc/"), "{left}");
    }

    #[test]
    fn runs_one_after_the_other_have_names_of_their_own() {
        let run = || Job::new("true").run().unwrap().run;
        assert_ne!(run(), run());
    }

    #[test]
    fn answers_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let answers = side_by_side(&items, |item| {
            sleep(Duration::from_micros(item * 37 % 1000));
            item * 2
        });
        assert!(answers
            .iter()
            .eq(items.iter().map(|item| item * 2).collect::<Vec<_>>().iter()));
        assert!(side_by_side(&[], |item: &u64| *item).is_empty());
    }

    #[test]
    fn processors_are_idle_while_they_have_nothing_to_do_and_wait_for_disks() {
        let stat = "cpu  1 2 4 800 1600 32 64\ncpu0 1 2 4 800 1600 32 64\n";
        assert_eq!(idle_in(stat), Duration::from_secs(24));
        assert!(idle() > Duration::ZERO);
    }
}
