//! Runs the virtual machine: QEMU with an emulated processor and a serial console.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::packages::Tree;
use xtask::fsio;

/// Two processors: two ranks, and no more threads on a machine that has other work too.
const PROCESSORS: &str = "2";

const MEMORY_MIB: &str = "2048";

/// How long the emulator has to end after its last line.
const GRACE: Duration = Duration::from_secs(10);

/// Command line of the kernel: write to the serial line, report only what went wrong, never wait
/// for anybody, and spare the emulated processor what only a real one needs.
const KERNEL_LINE: &str = "console=ttyS0 loglevel=4 panic=-1 mitigations=off nokaslr";

/// Parts of a virtual machine.
pub struct Machine<'a> {
    /// Where QEMU is.
    pub qemu: &'a Tree,
    /// The kernel's file.
    pub kernel: &'a Path,
    /// The archive that becomes the root.
    pub archive: &'a Path,
}

impl Machine<'_> {
    /// Runs it until it switches itself off, for at most `limit`, and hands every line of its
    /// console to `receive` once it is in the file `log`. It ends with this call in any case.
    pub fn run(
        &self,
        log: &Path,
        limit: Duration,
        mut receive: impl FnMut(&str),
    ) -> Result<(), String> {
        let mut log = Log::create(log)?;
        let mut emulator = Emulator::start(self.command())?;
        let lines = emulator.lines()?;
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match lines.recv_timeout(left) {
                Ok(line) => {
                    log.line(&line)?;
                    receive(&line);
                }
                Err(RecvTimeoutError::Disconnected) => return emulator.ended(),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("ended after {:.0} s", limit.as_secs_f64()))
                }
            }
        }
    }

    fn command(&self) -> Command {
        let words = self.qemu.program("usr/bin/qemu-system-x86_64");
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .arg("-L")
            .arg(self.qemu.path("usr/share/qemu"))
            .arg("-L")
            .arg(self.qemu.path("usr/share/seabios"))
            .args(["-accel", "tcg,thread=multi", "-cpu", "max"])
            .args(["-smp", PROCESSORS, "-m", MEMORY_MIB])
            .args(["-nodefaults", "-display", "none", "-no-reboot"])
            .args(["-serial", "stdio"])
            .arg("-kernel")
            .arg(self.kernel)
            .arg("-initrd")
            .arg(self.archive)
            .args(["-append", KERNEL_LINE])
            .env(
                "QEMU_MODULE_DIR",
                self.qemu.path("usr/lib/x86_64-linux-gnu/qemu"),
            );
        command
    }
}

/// The emulator's process; dropping it ends it.
struct Emulator {
    child: Child,
}

impl Emulator {
    fn start(mut command: Command) -> Result<Emulator, String> {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot run QEMU: {error}"))?;
        Ok(Emulator { child })
    }

    /// Returns the lines of its output until it ends.
    fn lines(&mut self) -> Result<Receiver<String>, String> {
        let out = self.child.stdout.take().ok_or("QEMU has no output")?;
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || read_lines(out, &sender));
        Ok(receiver)
    }

    fn ended(&mut self) -> Result<(), String> {
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(format!("QEMU failed: {status}")),
                Ok(None) => thread::sleep(Duration::from_millis(20)),
                Err(error) => return Err(format!("cannot wait for QEMU: {error}")),
            }
        }
        Err("QEMU closed its output and does not end".to_string())
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A serial line ends its lines with a carriage return too.
fn read_lines(out: ChildStdout, lines: &mpsc::Sender<String>) {
    let mut out = BufReader::new(out);
    let mut bytes = Vec::new();
    while matches!(out.read_until(b'\n', &mut bytes), Ok(read) if read > 0) {
        let line = String::from_utf8_lossy(&bytes);
        let sent = lines.send(line.trim_end_matches(['\r', '\n']).to_string());
        bytes.clear();
        if sent.is_err() {
            return;
        }
    }
}

/// The console's file: what was said stands in it at once.
struct Log {
    file: File,
}

impl Log {
    fn create(path: &Path) -> Result<Log, String> {
        if let Some(folder) = path.parent() {
            fsio::make_folder(folder)?;
        }
        let file =
            File::create(path).map_err(|e| format!("cannot make {}: {e}", path.display()))?;
        Ok(Log { file })
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let written = writeln!(self.file, "{line}");
        written.map_err(|error| format!("cannot write the console's log: {error}"))
    }
}
