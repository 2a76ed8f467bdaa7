//! Reading and writing without waiting.

use std::io::{self, Read, Write};

/// Bytes that are read at once, before which nothing is allocated for them.
const CHUNK_BYTES: usize = 64 << 10;

/// Writes what the stream takes now; returns how many bytes.
///
/// # Errors
/// Those of the stream, but for being busy.
pub fn write_some(stream: &mut impl Write, bytes: &[u8]) -> io::Result<usize> {
    if bytes.is_empty() {
        return Ok(0);
    }
    match stream.write(bytes) {
        Err(error) if is_busy(&error) => Ok(0),
        result => result,
    }
}

/// Reads what is there, until `got` has `due` bytes and no further. Whether there was anything.
///
/// # Errors
/// Those of the stream, but for being busy; also its end.
pub fn read_some(stream: &mut impl Read, got: &mut Vec<u8>, due: usize) -> io::Result<bool> {
    let before = got.len();
    while got.len() < due {
        let at = got.len();
        got.resize(at + (due - at).min(CHUNK_BYTES), 0);
        let result = stream.read(&mut got[at..]);
        got.truncate(at + result.as_ref().map_or(0, |n| *n));
        match result {
            Ok(0) => {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    "it was closed",
                ))
            }
            Ok(_) => {}
            Err(error) if is_busy(&error) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(got.len() > before)
}

/// Whether an error says that there is nothing to do now.
pub fn is_busy(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}
