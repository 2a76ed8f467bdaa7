//! Bodies of the frames about parts: a request for one, and the outcome.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use base::wire::read_u32;

use crate::spawn::{Part, Program, Refusal, Spawn};

/// Longest text that says why something was refused or has ended.
pub(super) const REASON_BYTES_MAX: usize = 4096;
/// Stands for "none of the programs" in a refusal.
const NO_PROGRAM: u32 = u32::MAX;

/// Appends a request to a frame's body.
pub(super) fn push_spawn(out: &mut Vec<u8>, spawn: &Spawn) {
    push_bytes(out, spawn.directory.as_os_str().as_bytes());
    push_u32(out, spawn.members.len() as u32);
    spawn
        .members
        .iter()
        .for_each(|member| push_u32(out, *member));
    push_u32(out, spawn.programs.len() as u32);
    for program in &spawn.programs {
        push_bytes(out, program.program.as_bytes());
        push_u32(out, program.count);
        push_u32(out, program.arguments.len() as u32);
        for argument in &program.arguments {
            push_bytes(out, argument.as_bytes());
        }
        push_u32(out, program.info.len() as u32);
        for (key, value) in &program.info {
            push_bytes(out, key.as_bytes());
            push_bytes(out, value.as_bytes());
        }
    }
}

/// Reads a request that ends where `body` does.
pub(super) fn read_spawn(body: &[u8]) -> Option<Spawn> {
    let mut reader = Reader(body);
    let directory = PathBuf::from(reader.os()?);
    let members = reader.list(Reader::u32)?;
    let programs = reader.list(|reader| {
        Some(Program {
            program: reader.os()?,
            count: reader.u32()?,
            arguments: reader.list(Reader::os)?,
            info: reader.list(|reader| Some((reader.text()?, reader.text()?)))?,
        })
    })?;
    reader.0.is_empty().then_some(Spawn {
        programs,
        directory,
        members,
    })
}

/// Appends an outcome to a frame's body.
pub(super) fn push_outcome(out: &mut Vec<u8>, outcome: &Result<Part, Refusal>) {
    match outcome {
        Ok(part) => {
            out.push(1);
            push_u32(out, part.first);
            push_u32(out, part.count);
        }
        Err(refusal) => {
            out.push(0);
            push_u32(out, refusal.program.unwrap_or(NO_PROGRAM));
            let reason = refusal.reason.as_bytes();
            out.extend_from_slice(&reason[..reason.len().min(REASON_BYTES_MAX)]);
        }
    }
}

/// Reads an outcome that ends where `body` does.
pub(super) fn read_outcome(body: &[u8]) -> Option<Result<Part, Refusal>> {
    let (kind, rest) = body.split_first()?;
    let number = read_u32(rest, 0)?;
    match kind {
        1 if rest.len() == 8 => Some(Ok(Part {
            first: number,
            count: read_u32(rest, 4)?,
        })),
        0 => Some(Err(Refusal {
            program: Some(number).filter(|&number| number != NO_PROGRAM),
            reason: String::from_utf8_lossy(&rest[4..]).into_owned(),
        })),
        _ => None,
    }
}

fn push_u32(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn push_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    push_u32(out, bytes.len() as u32);
    out.extend_from_slice(bytes);
}

/// The bytes that have not been read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn u32(&mut self) -> Option<u32> {
        let number = read_u32(self.0, 0)?;
        self.0 = &self.0[4..];
        Some(number)
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = self.u32()? as usize;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes.to_vec())
    }

    fn os(&mut self) -> Option<OsString> {
        self.bytes().map(OsString::from_vec)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    /// Reads a count and that many items. Nothing is allocated by the count.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.u32()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(item(self)?);
        }
        Some(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spawn() -> Spawn {
        Spawn {
            directory: "/tmp".into(),
            members: vec![0, 3],
            programs: vec![
                Program {
                    program: "./a.out".into(),
                    arguments: vec!["-x".into(), OsString::from_vec(vec![0xff])],
                    count: 2,
                    info: vec![("host".into(), "a,b".into())],
                },
                Program::default(),
            ],
        }
    }

    #[test]
    fn a_request_comes_back_and_a_cut_one_is_refused() {
        let mut body = Vec::new();
        push_spawn(&mut body, &spawn());
        assert_eq!(read_spawn(&body), Some(spawn()));
        for length in 0..body.len() {
            assert_eq!(read_spawn(&body[..length]), None, "cut at {length}");
        }
        body.push(0);
        assert_eq!(read_spawn(&body), None);
    }

    #[test]
    fn outcomes_come_back() {
        let part = Part { first: 4, count: 2 };
        let refusal = |program| Refusal {
            program,
            reason: "not there".into(),
        };
        for outcome in [Ok(part), Err(refusal(Some(1))), Err(refusal(None))] {
            let mut body = Vec::new();
            push_outcome(&mut body, &outcome);
            assert_eq!(read_outcome(&body), Some(outcome));
        }
        assert_eq!(read_outcome(&[1, 0, 0, 0, 0, 0, 0, 0]), None);
        assert_eq!(read_outcome(&[2, 0, 0, 0, 0]), None);
    }
}
