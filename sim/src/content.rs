//! Content of messages, and the memory that they are sent from and received into.

use std::sync::{Arc, OnceLock};

use base::Random;
use datatype::constants::MPI_BYTE;
use datatype::{Buffer, Datatype};
use memory::{Payload, Scratch, UserBuf};

/// Longest message, in bytes.
pub(crate) const LEN_MAX: usize = 96 << 10;

/// Bytes of data in an element of the datatype with gaps, and from one element to the next.
const ELEMENT_BYTES: usize = 12;
const ELEMENT_EXTENT: usize = 20;

/// Bytes after a buffer that must not change.
const GUARD_BYTES: usize = 32;
const GUARD: [u8; GUARD_BYTES] = [0xa5; GUARD_BYTES];

const AREA_BYTES: usize = LEN_MAX / ELEMENT_BYTES * ELEMENT_EXTENT + ELEMENT_EXTENT + GUARD_BYTES;

/// Memory that is used again from seed to seed.
#[derive(Default)]
pub struct Pool(Vec<Scratch>);

impl Pool {
    pub(crate) fn take(&mut self) -> Scratch {
        self.0.pop().unwrap_or_else(|| Scratch::new(AREA_BYTES))
    }

    pub(crate) fn give_back(&mut self, area: Scratch) {
        self.0.push(area);
    }
}

/// Memory for one operation, described as bytes or as elements with gaps.
pub(crate) struct Area {
    scratch: Scratch,
    end: usize,
    pub(crate) buffer: Buffer,
}

impl Area {
    /// Room for `len` bytes of data; with gaps, `len` is rounded up to whole elements.
    pub(crate) fn new(pool: &mut Pool, len: usize, gaps: bool) -> Area {
        let scratch = pool.take();
        let (end, buffer) = match gaps {
            false => (len, Buffer::bytes(scratch.buf().part(0, len))),
            true => {
                let count = len.div_ceil(ELEMENT_BYTES);
                let room = scratch.buf().part(0, count * ELEMENT_EXTENT);
                let buffer = Buffer::over(room, count, element());
                (room.len(), buffer.expect("room for the elements"))
            }
        };
        scratch.buf().write(end, &GUARD);
        Area {
            scratch,
            end,
            buffer,
        }
    }

    /// Writes message `id` into the buffer.
    pub(crate) fn fill(&self, id: u64) {
        self.buffer
            .unpack(0, Payload::from(content(id, self.buffer.len())));
    }

    /// Overwrites the beginning of the buffer, as the owner of a completed send may.
    pub(crate) fn spoil(&self) {
        let room: UserBuf = self.scratch.buf().part(0, self.end.min(256));
        room.write(0, &[0xee; 256][..room.len()]);
    }

    /// Checks the first `len` bytes received as message `id`.
    pub(crate) fn check(&self, id: u64, len: usize, spare: &mut Vec<u8>) -> Result<(), String> {
        spare.resize(len, 0);
        self.buffer.pack_into(0, &mut spare[..len]);
        let wanted = content(id, len);
        if let Some(at) = (spare[..len] != *wanted)
            .then(|| spare.iter().zip(wanted).position(|(a, b)| a != b))
            .flatten()
        {
            return Err(format!("{len} bytes received differ from byte {at} on"));
        }
        let mut guard = [0; GUARD_BYTES];
        self.scratch.buf().read(self.end, &mut guard);
        match guard == GUARD {
            true => Ok(()),
            false => Err("bytes after the receive's buffer changed".into()),
        }
    }

    pub(crate) fn release(self, pool: &mut Pool) {
        pool.give_back(self.scratch);
    }
}

/// The length that a message of about `len` bytes has in elements with gaps.
pub(crate) fn whole_elements(len: usize) -> usize {
    len.div_ceil(ELEMENT_BYTES) * ELEMENT_BYTES
}

pub(crate) fn content(id: u64, len: usize) -> &'static [u8] {
    const BYTES: usize = 1 << 20;
    static PATTERN: OnceLock<Vec<u8>> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| {
        let mut random = Random::new(0x5eed);
        (0..BYTES / 8)
            .flat_map(|_| random.bits().to_le_bytes())
            .collect()
    });
    let start = (id.wrapping_mul(7919) % (BYTES - LEN_MAX - ELEMENT_BYTES) as u64) as usize;
    &pattern[start..start + len]
}

fn element() -> &'static Arc<Datatype> {
    static ELEMENT: OnceLock<Arc<Datatype>> = OnceLock::new();
    ELEMENT.get_or_init(|| {
        let byte = datatype::predefined(MPI_BYTE).expect("a predefined datatype");
        let block = Datatype::contiguous(ELEMENT_BYTES as i64, byte).expect("a small block");
        let gaps = Datatype::resized(&Arc::new(block), 0, ELEMENT_EXTENT as i64);
        let gaps = Arc::new(gaps.expect("a small extent"));
        gaps.commit();
        gaps
    })
}
