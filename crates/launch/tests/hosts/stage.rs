//! Starting a launcher with a stand-in for ssh, and seeing what became of it.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Longer than any test should take.
const LIMIT: Duration = Duration::from_secs(30);

/// A stand-in for ssh that does what it is for: it gets a host and a command.
pub const HERE: &str = "exec sh -c \"$2\"";

/// A text about the hosts h1 to h9 with addresses in their place, which nobody has: names would be
/// looked up, and nobody knows how long that takes.
pub fn addressed(text: &str) -> String {
    let mut text = text.to_string();
    for number in 1..=9 {
        text = text.replace(&format!("h{number}"), &format!("198.51.100.{number}"));
    }
    text
}

/// A launcher that is to be started.
pub struct Stage {
    command: Command,
    folder: PathBuf,
    token: String,
    input: Vec<u8>,
}

/// How a launcher ended.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Stage {
    /// `mpirun --host hosts` with `script` in the place of ssh. See [`addressed`] for the hosts.
    pub fn new(script: &str, hosts: &str) -> Stage {
        let stage = Stage::without_agent(hosts);
        let agent = stage.folder.join("agent");
        let script = addressed(script);
        std::fs::write(&agent, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&agent, PermissionsExt::from_mode(0o755)).unwrap();
        let agent = agent.display().to_string();
        stage.parameter("plm_rsh_agent", &agent)
    }

    /// `mpirun --host hosts`, which has no option yet for what stands in the place of ssh.
    pub fn without_agent(hosts: &str) -> Stage {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let token = format!("token-{}-{number}-", std::process::id());
        let folder = std::env::temp_dir().join(format!("oxmpi-{token}"));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .env(super::LAUNCHER, "1")
            .env("OXMPI_TEST_TOKEN", &token)
            .env("OXMPI_TEST_EXE", std::env::current_exe().unwrap())
            .args(["--host", &addressed(hosts)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Stage {
            command,
            folder,
            token,
            input: Vec::new(),
        }
    }

    /// Returns a folder that exists until the stage is dropped.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn parameter(mut self, name: &str, value: &str) -> Stage {
        self.command.args(["--mca", name, value]);
        self
    }

    pub fn variable(mut self, name: &str, value: &str) -> Stage {
        self.command.env(name, value);
        self
    }

    pub fn argument(mut self, argument: &str) -> Stage {
        self.command.arg(argument);
        self
    }

    pub fn input(mut self, bytes: &[u8]) -> Stage {
        self.input = bytes.to_vec();
        self
    }

    /// The launcher is started as a shell without job control starts what is to run in the
    /// background: an interrupt is not for it.
    pub fn in_background(mut self) -> Stage {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "trap '' INT; exec \"$0\" \"$@\""])
            .arg(self.command.get_program())
            .args(self.command.get_args())
            .envs(
                self.command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        self.command = shell;
        self
    }

    /// Each rank runs these lines of shell.
    pub fn shell(self, lines: &str) -> Stage {
        self.argument("sh").argument("-c").argument(lines)
    }

    /// Starts it and waits for its end. Nothing may be left of it then.
    pub fn run(self) -> Outcome {
        self.run_with(|_| ())
    }

    /// Runs the launcher while `act` does something to it: `act` gets its process id.
    pub fn run_with(mut self, act: impl FnOnce(i32)) -> Outcome {
        let mut child = self.command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let input = std::mem::take(&mut self.input);
        std::thread::spawn(move || pipe.write_all(&input));
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let out = std::thread::spawn(move || std::io::read_to_string(out).unwrap());
        let err = std::thread::spawn(move || std::io::read_to_string(err).unwrap());
        act(child.id() as i32);
        let status = wait(&mut child);
        let outcome = Outcome {
            code: status,
            out: out.join().unwrap(),
            err: err.join().unwrap(),
        };
        self.check_that_nothing_is_left(&outcome);
        outcome
    }

    fn check_that_nothing_is_left(&self, outcome: &Outcome) {
        let begin = Instant::now();
        while let Some(left) = self.left() {
            let text = format!("{left} is left after {outcome:?}");
            assert!(begin.elapsed() < Duration::from_secs(5), "{text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A process that was started by the launcher, or by somebody whom it has started: all have
    /// the token in their environment.
    fn left(&self) -> Option<String> {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes.into_iter().find_map(|entry| {
            let environment = std::fs::read(entry.path().join("environ")).ok()?;
            let has_token = environment
                .windows(self.token.len())
                .any(|window| window == self.token.as_bytes());
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            has_token.then(|| String::from_utf8_lossy(&line).replace('\0', " "))
        })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Outcome {
    /// Returns the printed lines, sorted.
    pub fn lines(&self) -> Vec<&str> {
        let mut lines: Vec<&str> = self.out.lines().collect();
        lines.sort_unstable();
        lines
    }

    /// Returns one outcome for each line of the error output, sorted.
    pub fn of_lines(&self) -> Vec<Outcome> {
        let mut lines: Vec<&str> = self.err.lines().collect();
        lines.sort_unstable();
        let with = |line: &str| Outcome {
            err: line.to_string(),
            out: self.out.clone(),
            ..*self
        };
        lines.into_iter().map(with).collect()
    }

    /// Asserts that it failed with this code and one line that has all the `parts`.
    pub fn assert_fails(&self, code: i32, parts: &[&str]) {
        let lines: Vec<&str> = self.err.lines().collect();
        let [line] = lines[..] else {
            panic!("one line about {parts:?}: {self:?}")
        };
        let has = |part: &&str| line.contains(&addressed(part));
        assert!(parts.iter().all(has), "{parts:?}: {self:?}");
        assert_eq!(self.code, Some(code), "{self:?}");
    }
}

fn wait(child: &mut Child) -> Option<i32> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if begin.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("the launcher does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
