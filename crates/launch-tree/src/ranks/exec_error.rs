//! Why the system does not start a program: what it says of a program that is there may mean
//! another file.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// Bytes at the beginning of a program that the system looks at for a script's interpreter.
const HEAD_BYTES: usize = 256;

/// Starts a program; an error names what is missing.
pub(crate) fn spawned(command: &mut Command, program: &Path) -> io::Result<Child> {
    command.spawn().map_err(|why| explained(why, program))
}

/// Returns the system's error with words that name what is missing, where it can be found out.
fn explained(error: io::Error, program: &Path) -> io::Error {
    let text = match error.kind() {
        io::ErrorKind::NotFound => missing(program),
        _ if error.raw_os_error() == Some(NOEXEC) => {
            Some("it is neither a program for this machine nor a script that begins with #!".into())
        }
        _ => None,
    };
    match text {
        Some(text) => io::Error::new(error.kind(), text),
        None => error,
    }
}

/// `ENOEXEC`.
const NOEXEC: i32 = 8;

/// Says what a program needs that is not there.
fn missing(program: &Path) -> Option<String> {
    let (what, needed) = match interpreter(program) {
        Some(interpreter) => ("the interpreter in its first line", interpreter),
        None => ("its loader", loader(program).ok()??),
    };
    let is_missing = !needed.exists();
    is_missing.then(|| format!("{what}, {}, does not exist", needed.display()))
}

/// Returns the interpreter of a script.
fn interpreter(program: &Path) -> Option<PathBuf> {
    let mut head = Vec::new();
    let file = File::open(program).ok()?;
    file.take(HEAD_BYTES as u64).read_to_end(&mut head).ok()?;
    let line = head
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let is_blank = |byte: &u8| [b' ', b'\t'].contains(byte);
    let name = line.split(is_blank).find(|word| !word.is_empty())?;
    Some(PathBuf::from(OsStr::from_bytes(name)))
}

/// Returns the loader that an ELF program of 64 bits names.
fn loader(program: &Path) -> io::Result<Option<PathBuf>> {
    const INTERP: u32 = 3;
    const ENTRY_BYTES: usize = 56;
    let mut file = File::open(program)?;
    let mut head = [0; 64];
    file.read_exact(&mut head)?;
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return Ok(None);
    }
    let word = |of: &[u8], at: usize| -> u64 {
        let bytes = of[at..at + 8].try_into();
        u64::from_le_bytes(bytes.unwrap_or_default())
    };
    let entries = u16::from_le_bytes([head[56], head[57]]);
    file.seek(SeekFrom::Start(word(&head, 32)))?;
    for _ in 0..entries {
        let mut entry = [0; ENTRY_BYTES];
        file.read_exact(&mut entry)?;
        if word(&entry, 0) as u32 == INTERP {
            let mut name = Vec::new();
            file.seek(SeekFrom::Start(word(&entry, 8)))?;
            file.take(word(&entry, 32).min(4096))
                .read_to_end(&mut name)?;
            let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
            return Ok(Some(PathBuf::from(OsStr::from_bytes(name))));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn not_found() -> io::Error {
        io::ErrorKind::NotFound.into()
    }

    #[test]
    fn a_missing_interpreter_or_loader_is_named() {
        let folder = std::env::temp_dir().join(format!("oxmpi-unstartable-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let script = folder.join("script");
        for (line, says) in [
            (
                "#!/no/such/interpreter -x\nrest\n",
                Some("/no/such/interpreter,"),
            ),
            ("#! \t/no/other", Some("/no/other,")),
            ("#!/bin/sh\n", None),
            ("#!", None),
            ("", None),
        ] {
            std::fs::write(&script, line).unwrap();
            let text = explained(not_found(), &script).to_string();
            match says {
                Some(name) => assert!(text.contains(name), "{line:?}: {text}"),
                None => assert_eq!(text, not_found().to_string(), "{line:?}"),
            }
        }
        // This very program, whose loader is there, and a copy with the name of another.
        let own = std::env::current_exe().unwrap();
        let needed = loader(&own)
            .unwrap()
            .expect("a program that is linked dynamically");
        assert!(needed.exists());
        assert_eq!(
            explained(not_found(), &own).to_string(),
            not_found().to_string()
        );
        let mut bytes = std::fs::read(&own).unwrap();
        let name = needed.as_os_str().as_bytes();
        let at = bytes
            .windows(name.len())
            .position(|part| part == name)
            .unwrap();
        bytes[at + 1] = b'Q';
        std::fs::write(&script, &bytes[..at + name.len() + 1]).unwrap();
        let text = explained(not_found(), &script).to_string();
        assert!(text.contains("its loader, /Q"), "{text}");
        let text = explained(io::Error::from_raw_os_error(NOEXEC), &script).to_string();
        assert!(text.contains("#!"), "{text}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
