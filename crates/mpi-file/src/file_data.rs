//! [`FileData`]: the data of an access as it is in the file.

use ::io::View;
use datatype::Buffer;
use memory::Scratch;

use crate::disk::Direction;
use crate::form::Data;
use mpi::Error;

/// The data of an access as it is in the file: the elements in memory, or where memory and file
/// differ, bytes that are converted as a whole.
pub(crate) struct FileData<'a> {
    data: Data<'a>,
    converted: Option<(Scratch, Buffer)>,
}

impl<'a> FileData<'a> {
    /// Returns the data of an access, converted where it goes to the file.
    ///
    /// # Errors
    /// `Conversion` for a value that the representation lacks.
    pub(crate) fn new(view: &View, data: Data<'a>) -> Result<FileData<'a>, Error> {
        let (representation, direction) = (view.representation(), data.direction);
        if !representation.converts(direction) || data.count() == 0 {
            return Ok(FileData {
                data,
                converted: None,
            });
        }
        let count = data.count();
        let bytes = representation.file_bytes(direction, data.datatype, count)?;
        let room = Scratch::new(bytes as usize);
        if direction == Direction::Write {
            representation.encode(data.buffer, data.datatype, 0..count, room.buf())?;
        }
        let buffer = Buffer::bytes(room.buf());
        Ok(FileData {
            data,
            converted: Some((room, buffer)),
        })
    }

    /// The memory to be transferred.
    pub(crate) fn buffer(&self) -> &Buffer {
        match &self.converted {
            Some((_, buffer)) => buffer,
            None => self.data.buffer,
        }
    }

    /// Converts what was read, `moved` bytes of the file; returns the bytes of it in memory.
    ///
    /// # Errors
    /// `Conversion` where a function of the program fails.
    pub(crate) fn finish(self, view: &View, moved: u64) -> Result<u64, Error> {
        let Some((room, _)) = &self.converted else {
            return Ok(moved);
        };
        let count = self.data.count();
        match self.data.direction {
            // All was written, or the access has failed.
            Direction::Write => Ok(self.data.buffer.len() as u64),
            Direction::Read => {
                let read = room.buf().part(0, moved as usize);
                let (buffer, datatype) = (self.data.buffer, self.data.datatype);
                let filled = view
                    .representation()
                    .decode(read, buffer, datatype, 0..count)?;
                Ok(filled as u64)
            }
        }
    }
}
