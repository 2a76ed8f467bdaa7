//! Recordings of the ranks of this host: memory that a rank writes its calls into, which is held
//! here so that it outlives the rank. See [`trace::layout`].

use std::io;
use std::os::fd::OwnedFd;

use launch_plan::recording::RecordSettings;
use rustix::fs::{MemfdFlags, SealFlags};
use trace::layout::{Layout, HEADER_WORDS};

use crate::wire::Up;

/// Bytes of a recording that a message to `mpirun` has at most.
const CHUNK_BYTES: usize = 1 << 20;

/// The memory of one rank.
#[derive(Debug)]
pub(crate) struct Recording {
    memory: OwnedFd,
    bytes: usize,
}

impl Recording {
    /// Makes the memory of process `number`, in a part of `size` processes that begins at `first`.
    pub(crate) fn make(
        wanted: RecordSettings,
        number: u32,
        first: u32,
        size: u32,
    ) -> io::Result<Recording> {
        let layout = Layout::new(wanted.records as usize, size as usize);
        let layout = layout.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let memory = rustix::fs::memfd_create("oxmpi-trace", flags)?;
        let bytes = layout.bytes();
        rustix::fs::ftruncate(&memory, bytes as u64)?;
        rustix::fs::fcntl_add_seals(
            &memory,
            SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL,
        )?;
        let header = layout.header(wanted.keep, number, first);
        rustix::io::pwrite(&memory, &header, 0)?;
        Ok(Recording { memory, bytes })
    }

    /// Returns a copy of the descriptor for the rank, and the bytes of the memory.
    pub(crate) fn for_rank(&self) -> io::Result<(OwnedFd, usize)> {
        Ok((self.memory.try_clone()?, self.bytes))
    }

    /// Returns what the rank has recorded, as messages to `mpirun`.
    pub(crate) fn messages(&self, rank: u32) -> Vec<Up> {
        let all = match self.used() {
            Ok(all) => all,
            Err(why) => return vec![Up::Say(format!("rank {rank}: no recording: {why}"))],
        };
        let chunks = all.chunks(CHUNK_BYTES).enumerate();
        chunks
            .map(|(nth, bytes)| Up::Recording {
                rank,
                at: (nth * CHUNK_BYTES) as u64,
                bytes: bytes.to_vec(),
            })
            .collect()
    }

    /// Reads the parts of the memory that are used.
    fn used(&self) -> Result<Vec<u8>, String> {
        let read = |offset: u64, len: usize| -> io::Result<Vec<u8>> {
            let mut bytes = vec![0; len];
            let mut done = 0;
            while done < len {
                match rustix::io::pread(&self.memory, &mut bytes[done..], offset + done as u64) {
                    Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                    Ok(n) => done += n,
                    Err(rustix::io::Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(bytes)
        };
        let text = |error: io::Error| error.to_string();
        let mut all = read(0, HEADER_WORDS * 8).map_err(text)?;
        // The numbers in this copy of the header say what follows, though the rank may still write.
        let parts = trace::read::parts(&all).map_err(|why| why.to_string())?;
        for (offset, len) in &parts[1..] {
            all.extend(read(*offset, *len).map_err(text)?);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use trace::layout::Keep;

    use super::*;

    #[test]
    fn memory_that_nothing_was_recorded_in_is_an_empty_recording() {
        let wanted = RecordSettings {
            records: 7,
            keep: Keep::Newest,
        };
        let recording = Recording::make(wanted, 5, 4, 3).unwrap();
        let messages = recording.messages(5);
        let [Up::Recording {
            rank: 5,
            at: 0,
            bytes,
        }] = messages.as_slice()
        else {
            panic!("{messages:?}");
        };
        let rank = trace::read::Rank::read(bytes).unwrap();
        assert_eq!((rank.number, rank.first, rank.peers.len()), (5, 4, 3));
        assert!(rank.records.is_empty());
    }
}
