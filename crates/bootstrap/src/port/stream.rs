//! Reading and writing without waiting.

use std::io::{self, Read, Write};

/// Most bytes of a read, and of the buffer that is allocated before it.
const CHUNK_BYTES: usize = 64 << 10;

/// Writes as much as the stream takes without waiting. Returns the number of bytes.
///
/// # Errors
/// Errors of the stream; a full buffer is not one.
pub fn write_some(stream: &mut impl Write, bytes: &[u8]) -> io::Result<usize> {
    if bytes.is_empty() {
        return Ok(0);
    }
    match stream.write(bytes) {
        Err(error) if is_busy(&error) => Ok(0),
        result => result,
    }
}

/// Reads the bytes that have arrived, up to `due` bytes in `got`. Returns whether there were any.
///
/// # Errors
/// Errors of the stream, and its end; an empty buffer is not one.
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
