//! Parts of a file, and the direction of an access.

/// Bytes of the file that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The first byte's position in the file.
    pub offset: u64,
    /// Bytes.
    pub length: u64,
}

impl Run {
    /// The position behind the last byte.
    pub fn end(&self) -> u64 {
        self.offset + self.length
    }
}

/// Whether data go to the file or come from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the file.
    Read,
    /// To the file.
    Write,
}

impl Direction {
    /// Returns the word for errors.
    pub fn act(self) -> &'static str {
        match self {
            Direction::Read => "read",
            Direction::Write => "write",
        }
    }
}
