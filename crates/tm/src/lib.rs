//! Processes on the hosts of a job of PBS or Torque: the task management interface (tm(3)) of the
//! library that the batch system has installed.
//!
//! A process that has the interface open is one of few on its host that may, and the interface
//! blocks. So it is a program of its own that uses it ([`main`]): the launcher runs itself with
//! [`ARGUMENT`] and the nodes, as it runs the commands of other batch systems. It starts one
//! process on each node, and ends when all of these have ended, or one has failed.

mod api;

use std::ffi::{CString, OsStr, OsString};
use std::fmt;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use api::{Event, Session, Task};

pub use api::is_there;

/// The argument that makes the launcher start processes on nodes: behind it come the nodes, as in
/// `0=n1,4=n2`, and the program with its arguments. A node is the number of the first line with its
/// host in `PBS_NODEFILE`, and the name of that host.
pub const ARGUMENT: &str = "--start-by-tm";

/// The argument of each process that names its host: this, and the name.
pub const HOST_ARGUMENT: &str = "host=";

/// A node to start a process on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Node {
    number: i32,
    host: String,
}

/// Why processes could not be started, or which has failed.
#[derive(Debug)]
enum Failure {
    /// The words behind [`ARGUMENT`] make no sense.
    Usage,
    /// The interface cannot be had.
    Interface(String),
    /// A process could not be started; the interface's number of the error.
    Start(String, i32),
    /// A process has ended with this code.
    Ended(String, i32),
}

/// Starts processes as the words behind [`ARGUMENT`] say, and waits for their ends. Returns the
/// exit code: 0 where all have ended with 0.
pub fn main(words: &[OsString]) -> i32 {
    let done = parse(words).and_then(|(nodes, command)| {
        let session = Session::open().map_err(Failure::Interface)?;
        run(session, &nodes, command)
    });
    let Err(failure) = done else { return 0 };
    // What started it shows that to the user.
    let _ = writeln!(io::stderr(), "tm: {failure}");
    match failure {
        Failure::Ended(_, code @ 1..=255) => code,
        _ => 1,
    }
}

fn parse(words: &[OsString]) -> Result<(Vec<Node>, &[OsString]), Failure> {
    let (nodes, command) = words.split_first().ok_or(Failure::Usage)?;
    let nodes = nodes.to_str().ok_or(Failure::Usage)?;
    let node = |text: &str| {
        let (number, host) = text.split_once('=')?;
        let number = number.parse().ok().filter(|number| *number >= 0)?;
        let host = host.to_string();
        Some(Node { number, host })
    };
    let nodes: Option<Vec<Node>> = nodes.split(',').map(node).collect();
    match nodes.filter(|_| !command.is_empty()) {
        Some(nodes) => Ok((nodes, command)),
        None => Err(Failure::Usage),
    }
}

/// A process that is started, and its end.
struct Process<'a> {
    node: &'a Node,
    task: Box<Task>,
    starting: Event,
    /// The event of its end, once that is waited for, and the code that it brings.
    ending: Option<Event>,
    code: Box<i32>,
}

fn run(mut session: Session, nodes: &[Node], command: &[OsString]) -> Result<(), Failure> {
    let own: Vec<CString> = environment::vars_os()
        .map(|(name, value)| {
            let whole = [name.as_bytes(), b"=", value.as_bytes()].concat();
            terminated(&OsString::from_vec(whole))
        })
        .collect();
    let mut processes = Vec::new();
    for node in nodes {
        let host = OsString::from(format!("{HOST_ARGUMENT}{}", node.host));
        let words = command.iter().chain([&host]).map(|word| terminated(word));
        let words: Vec<CString> = words.collect();
        let mut task = Box::new(Task::default());
        let starting = session.spawn(&words, &own, node.number, &mut task);
        processes.push(Process {
            node,
            starting: starting.map_err(|error| Failure::Start(node.host.clone(), error))?,
            task,
            ending: None,
            code: Box::new(0),
        });
    }
    let mut left = processes.len();
    while left > 0 {
        let (event, error) = session.wait().map_err(Failure::Interface)?;
        for process in &mut processes {
            let host = || process.node.host.clone();
            if event == process.starting {
                if error != 0 {
                    return Err(Failure::Start(host(), error));
                }
                let ending = session.watch(&process.task, &mut process.code);
                process.ending = Some(ending.map_err(|error| Failure::Start(host(), error))?);
            } else if Some(event) == process.ending {
                left -= 1;
                if *process.code != 0 || error != 0 {
                    return Err(Failure::Ended(host(), *process.code));
                }
            }
        }
    }
    Ok(())
}

/// A word for C; one with a zero inside ends there, which no variable or argument of a process has.
fn terminated(word: &OsStr) -> CString {
    let bytes = word.as_bytes();
    let end = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage => write!(f, "usage: {ARGUMENT} 0=HOST,4=HOST PROGRAM [ARGUMENT...]"),
            Failure::Interface(why) => f.write_str(why),
            Failure::Start(host, error) => {
                write!(
                    f,
                    "cannot start on {host}: error {error} of the batch system"
                )
            }
            Failure::Ended(host, code) => write!(f, "the process on {host} ended with code {code}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_a_number_and_a_host() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        let line = words("0=n1,12=n2.x /bin/echo a");
        let (nodes, command) = parse(&line).unwrap();
        let nodes: Vec<_> = nodes
            .iter()
            .map(|node| (node.number, &node.host[..]))
            .collect();
        assert_eq!(nodes, [(0, "n1"), (12, "n2.x")]);
        assert_eq!(command, words("/bin/echo a"));
        for bad in ["", "0=n1", "n1 x", "-1=n1 x", "0=n1,, x", "x=n1 x"] {
            assert!(matches!(parse(&words(bad)), Err(Failure::Usage)), "{bad}");
        }
    }

    #[test]
    fn a_word_ends_at_a_zero() {
        assert_eq!(terminated(OsStr::new("a\0b")).as_bytes(), b"a");
        assert_eq!(terminated(OsStr::new("")).as_bytes(), b"");
    }
}
