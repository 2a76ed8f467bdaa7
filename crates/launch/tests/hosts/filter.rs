//! A stand-in for ssh that loses a part of what a daemon says once its rank has ended.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use launch_job::Event;
use launch_tree::wire::{Up, MAGIC};

/// The argument that makes this program such a connection. It is followed by one of the losses and
/// by the command that starts the daemon.
pub const ARGUMENT: &str = "--filter";

/// Nothing that the rank prints arrives, and the connection closes when the rank has ended.
pub const OUTPUT: &str = "output";
/// Nothing that the rank prints arrives, nor does the last message, and the connection stays open.
pub const OUTPUT_OPEN: &str = "output-open";
/// The connection closes before the last message.
pub const BYE: &str = "bye";

/// Runs the daemon and passes on what it says.
// The daemon outlives this process, whose end is how the connection closes.
#[allow(clippy::zombie_processes)]
pub fn main(arguments: &[OsString]) -> ExitCode {
    let [loss, command] = arguments else {
        return ExitCode::FAILURE;
    };
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).stdout(Stdio::piped());
    let daemon = shell.spawn().expect("a shell");
    let mut from = daemon.stdout.expect("its output");
    let passed = pass(&mut from, loss.to_str().unwrap_or_default());
    ExitCode::from(u8::from(passed.is_err()))
}

fn pass(from: &mut impl Read, loss: &str) -> io::Result<()> {
    let mut out = io::stdout();
    let mut greeting = Vec::new();
    while greeting.len() < MAGIC.len() || greeting.last() != Some(&b'\n') {
        let mut byte = [0];
        from.read_exact(&mut byte)?;
        greeting.push(byte[0]);
    }
    out.write_all(&greeting)?;
    loop {
        out.flush()?;
        let mut frame = vec![0; 5];
        from.read_exact(&mut frame)?;
        let length = u32::from_le_bytes([frame[1], frame[2], frame[3], frame[4]]);
        frame.resize(5 + length as usize, 0);
        from.read_exact(&mut frame[5..])?;
        match Up::decode(frame[0], &frame[5..]).expect("a frame") {
            Up::Output { .. } if loss != BYE => continue,
            Up::Bye if loss == OUTPUT_OPEN => std::thread::sleep(Duration::from_secs(100)),
            Up::Bye => return Ok(()),
            Up::Event(Event::Exited { .. }) if loss == OUTPUT => {
                out.write_all(&frame)?;
                out.flush()?;
                // By then the launcher takes the job for finished.
                std::thread::sleep(Duration::from_millis(100));
                return Ok(());
            }
            _ => out.write_all(&frame)?,
        }
    }
}
