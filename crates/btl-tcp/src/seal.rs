//! Records: protect a connection's bytes by checksums or encryption, on request.
//!
//! A connection carries frames as they are, or in records:
//!
//! | bytes | field |
//! |---|---|
//! | 0-3 | length of the content, 1 to [`CONTENT_MAX`], little-endian |
//! | 4- | content |
//! | last 4, or 16 | checksum (CRC32C), or tag (ChaCha20-Poly1305) |
//!
//! A record's content is trusted after its check, as a whole: nothing of a damaged one gets to the
//! frames. Both kinds cover the length and the record's index in the connection, which does not
//! travel. The cipher's key is derived for each connection and direction from the job's secret and
//! both sides' nonces, so that no key serves twice, and the index is the nonce.
//!
//! [`Seal`] is pure; [`Sealed`] holds the bytes that wait in each direction.

use std::fmt;
use std::io;

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce, Tag};
use memory::UserBuf;

use crate::sys::Parts;

/// Most bytes of a record's content.
pub const CONTENT_MAX: usize = 64 << 10;
/// Sealed bytes that may wait for the kernel.
const WAITING_MAX: usize = 256 << 10;
/// Bytes of the length.
const LENGTH_BYTES: usize = 4;
/// Bytes of a checksum, and of a cipher's tag.
const CHECKSUM_BYTES: usize = 4;
const TAG_BYTES: usize = 16;
/// Bytes of one read.
const READ_BYTES: usize = 128 << 10;

/// Protection of a connection's bytes. Both sides must use the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protection {
    /// Not beyond what TCP does.
    None,
    /// Against damage in transit.
    Checksum,
    /// Against an attacker who reads or changes them in transit.
    Cipher,
}

impl Protection {
    /// Returns the number that stands for it in a handshake.
    pub fn number(self) -> u32 {
        match self {
            Protection::None => 0,
            Protection::Checksum => 1,
            Protection::Cipher => 2,
        }
    }

    /// Returns the protection with this number; `None` where the number is unknown.
    pub fn of(number: u32) -> Option<Protection> {
        let all = [Protection::None, Protection::Checksum, Protection::Cipher];
        all.into_iter().find(|kind| kind.number() == number)
    }
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protection::None => "neither checksums nor encryption",
            Protection::Checksum => "checksums",
            Protection::Cipher => "encryption",
        })
    }
}

/// One direction of a connection.
pub struct Seal {
    cipher: Option<Box<ChaCha20Poly1305>>,
    /// The index of the next record.
    place: u64,
}

/// A record that is not as it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged;

impl Seal {
    /// Checksums, or a cipher with this key; `None` where nothing is to be protected.
    pub fn new(protection: Protection, key: &[u8; 32]) -> Option<Seal> {
        let cipher = match protection {
            Protection::None => return None,
            Protection::Checksum => None,
            Protection::Cipher => Some(Box::new(ChaCha20Poly1305::new(&Key::from(*key)))),
        };
        Some(Seal { cipher, place: 0 })
    }

    fn check_bytes(&self) -> usize {
        match self.cipher {
            Some(_) => TAG_BYTES,
            None => CHECKSUM_BYTES,
        }
    }

    /// Returns the bytes of a whole record, from its length field.
    fn record_bytes(&self, content: usize) -> usize {
        LENGTH_BYTES + content + self.check_bytes()
    }

    /// Makes a record of the bytes from `from` on, which have room for the length before them.
    fn close(&mut self, record: &mut Vec<u8>, from: usize) {
        let len = (record.len() - from - LENGTH_BYTES) as u32;
        let (head, content) = record[from..].split_at_mut(LENGTH_BYTES);
        head.copy_from_slice(&len.to_le_bytes());
        match &self.cipher {
            Some(cipher) => {
                // The limit of the cipher is far above the largest record.
                let tag = cipher
                    .encrypt_inout_detached(&nonce(self.place), head, content.into())
                    .expect("a record is short");
                record.extend_from_slice(&tag);
            }
            None => {
                let sum = checksum(self.place, &record[from..]);
                record.extend_from_slice(&sum.to_le_bytes());
            }
        }
        self.place += 1;
    }

    /// Opens a whole record in place.
    fn open(&mut self, record: &mut [u8]) -> Result<(), Damaged> {
        let (said, check) = record.split_at_mut(record.len() - self.check_bytes());
        match &self.cipher {
            Some(cipher) => {
                let (head, content) = said.split_at_mut(LENGTH_BYTES);
                let tag = Tag::try_from(&*check).map_err(|_| Damaged)?;
                cipher
                    .decrypt_inout_detached(&nonce(self.place), head, content.into(), &tag)
                    .map_err(|_| Damaged)?;
            }
            None if checksum(self.place, said).to_le_bytes() != check => return Err(Damaged),
            None => {}
        }
        self.place += 1;
        Ok(())
    }
}

/// Returns the nonce of a record: keys are fresh, so its index is enough.
fn nonce(place: u64) -> Nonce {
    let mut nonce = [0; 12];
    nonce[4..].copy_from_slice(&place.to_le_bytes());
    Nonce::from(nonce)
}

fn checksum(place: u64, bytes: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&place.to_le_bytes()), bytes)
}

/// A connection's two directions, with their pending bytes.
pub struct Sealed {
    outward: Seal,
    inward: Seal,
    /// Sealed bytes that the kernel has not accepted.
    out: Vec<u8>,
    out_at: usize,
    /// Bytes that were read: first those opened and not consumed, then those not opened.
    raw: Box<[u8]>,
    opened: std::ops::Range<usize>,
    next: usize,
    end: usize,
}

impl Sealed {
    /// Creates the state of a connection without traffic.
    pub fn new(outward: Seal, inward: Seal) -> Sealed {
        let largest = inward.record_bytes(CONTENT_MAX);
        Sealed {
            outward,
            inward,
            out: Vec::new(),
            out_at: 0,
            raw: vec![0; largest + READ_BYTES].into_boxed_slice(),
            opened: 0..0,
            next: 0,
            end: 0,
        }
    }

    /// Whether sealed bytes wait for the kernel.
    pub fn is_waiting(&self) -> bool {
        self.out_at < self.out.len()
    }

    /// Whether bytes have been read and not consumed that may make a record.
    pub fn holds(&self) -> bool {
        !self.opened.is_empty() || self.next + LENGTH_BYTES < self.end && self.has_record()
    }

    fn has_record(&self) -> bool {
        let bytes = &self.raw[self.next..self.end];
        let len = bytes
            .first_chunk::<LENGTH_BYTES>()
            .map(|head| u32::from_le_bytes(*head));
        len.is_some_and(|len| {
            let len = len as usize;
            len > CONTENT_MAX || self.inward.record_bytes(len) <= bytes.len()
        })
    }

    /// Seals as much of the parts as may wait, and writes what the kernel accepts. Returns how much
    /// of the parts was sealed.
    pub fn write(
        &mut self,
        parts: &Parts<'_>,
        mut send: impl FnMut(&[u8]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let mut taken = 0;
        loop {
            while self.is_waiting() {
                let sent = send(&self.out[self.out_at..])?;
                self.out_at += sent;
                if sent == 0 {
                    break;
                }
            }
            if !self.is_waiting() {
                self.out.clear();
                self.out_at = 0;
            }
            if self.out.len() - self.out_at >= WAITING_MAX {
                return Ok(taken);
            }
            let before = taken;
            while taken < parts.len() && self.out.len() - self.out_at < WAITING_MAX {
                taken += self.seal(parts, taken);
            }
            if taken == before {
                return Ok(taken);
            }
        }
    }

    fn seal(&mut self, parts: &Parts<'_>, skip: usize) -> usize {
        if self.out_at > WAITING_MAX {
            self.out.drain(..self.out_at);
            self.out_at = 0;
        }
        let from = self.out.len();
        let len = (parts.len() - skip).min(CONTENT_MAX);
        self.out.resize(from + LENGTH_BYTES + len, 0);
        parts.copy_to(skip, &mut self.out[from + LENGTH_BYTES..]);
        self.outward.close(&mut self.out, from);
        len
    }

    /// Fills `into`, then `user`, then `ahead` with opened bytes, as far as there are any. Returns
    /// how many; 0 only at the end of the connection or where there is no room.
    pub fn read(
        &mut self,
        into: &mut [u8],
        user: UserBuf,
        ahead: &mut [u8],
        mut receive: impl FnMut(&mut [u8]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let room = into.len() + user.len() + ahead.len();
        let mut got = 0;
        while got < room {
            if !self.opened.is_empty() || self.open()? {
                got += self.take(got, into, user, ahead);
                continue;
            }
            self.raw.copy_within(self.next..self.end, 0);
            (self.next, self.end) = (0, self.end - self.next);
            match receive(&mut self.raw[self.end..]) {
                Ok(0) => break,
                Ok(more) => self.end += more,
                Err(_) if got > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(got)
    }

    /// Opens the next record; false where it has not come whole.
    fn open(&mut self) -> io::Result<bool> {
        let bytes = &mut self.raw[self.next..self.end];
        let Some(head) = bytes.first_chunk::<LENGTH_BYTES>() else {
            return Ok(false);
        };
        let len = u32::from_le_bytes(*head) as usize;
        if len == 0 || len > CONTENT_MAX {
            return Err(damaged());
        }
        let whole = self.inward.record_bytes(len);
        let Some(record) = bytes.get_mut(..whole) else {
            return Ok(false);
        };
        self.inward.open(record).map_err(|Damaged| damaged())?;
        let content = self.next + LENGTH_BYTES;
        self.opened = content..content + len;
        self.next += whole;
        Ok(true)
    }

    fn take(&mut self, got: usize, into: &mut [u8], user: UserBuf, ahead: &mut [u8]) -> usize {
        let source = &self.raw[self.opened.clone()];
        let (first, second) = (into.len(), into.len() + user.len());
        let len = if got < first {
            let len = source.len().min(first - got);
            into[got..got + len].copy_from_slice(&source[..len]);
            len
        } else if got < second {
            let len = source.len().min(second - got);
            user.write(got - first, &source[..len]);
            len
        } else {
            let ahead = &mut ahead[got - second..];
            let len = source.len().min(ahead.len());
            ahead[..len].copy_from_slice(&source[..len]);
            len
        };
        self.opened.start += len;
        len
    }
}

fn damaged() -> io::Error {
    let what = "a record was damaged in transit";
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory::Scratch;
    use proptest::prelude::*;

    fn pair(protection: Protection) -> (Sealed, Sealed) {
        let seal = |key: u8| Seal::new(protection, &[key; 32]).expect("protection");
        (Sealed::new(seal(1), seal(2)), Sealed::new(seal(2), seal(1)))
    }

    fn kinds() -> impl Strategy<Value = Protection> {
        prop_oneof![Just(Protection::Checksum), Just(Protection::Cipher)]
    }

    /// Seals the bytes in runs, with a kernel that accepts any part of them.
    fn seal_all(from: &mut Sealed, bytes: &[u8], mut kernel: impl FnMut() -> usize) -> Vec<u8> {
        let mut way = Vec::new();
        let mut at = 0;
        while at < bytes.len() || from.is_waiting() {
            let mut parts = Parts::new();
            let cut = at + (bytes.len() - at) / 3;
            parts.add(&bytes[at..cut]);
            parts.add(&bytes[cut..]);
            at += from
                .write(&parts, |bytes| {
                    let taken = kernel().min(bytes.len());
                    way.extend_from_slice(&bytes[..taken]);
                    Ok(taken)
                })
                .unwrap();
        }
        way
    }

    /// Opens received bytes, in runs; the error is that of the connection.
    fn open_all(
        to: &mut Sealed,
        way: &[u8],
        mut kernel: impl FnMut() -> usize,
    ) -> io::Result<Vec<u8>> {
        let (mut got, mut at) = (Vec::new(), 0);
        let memory = Scratch::new(700);
        loop {
            let (mut into, mut ahead) = ([0; 100], [0; 1000]);
            let here = to.read(&mut into, memory.buf(), &mut ahead, |room| {
                let step = kernel().min(room.len()).min(way.len() - at);
                room[..step].copy_from_slice(&way[at..at + step]);
                at += step;
                Ok(step)
            })?;
            let mut user = vec![0; 700];
            memory.buf().read(0, &mut user);
            let all = [&into[..], &user, &ahead].concat();
            got.extend_from_slice(&all[..here]);
            if here == 0 {
                return Ok(got);
            }
        }
    }

    proptest! {
        #[test]
        fn bytes_come_through_whole(
            protection in kinds(),
            len in prop_oneof![0usize..2000, 0usize..400_000],
            steps in proptest::collection::vec(1usize..100_000, 1..50),
        ) {
            let bytes: Vec<u8> = (0..len).map(|at| (at * 31 + at / 255) as u8).collect();
            let (mut a, mut b) = pair(protection);
            let mut kernel = steps.iter().copied().cycle();
            let mut next = || kernel.next().unwrap();
            for _ in 0..2 {
                let way = seal_all(&mut a, &bytes, &mut next);
                let open = protection == Protection::Checksum || len < 32;
                prop_assert!(open || way[4..36] != bytes[..32]);
                prop_assert!(open_all(&mut b, &way, &mut next).unwrap() == bytes);
            }
        }

        /// Nothing but what was sent, up to the damage, gets through.
        #[test]
        fn damage_is_noticed(
            protection in kinds(),
            len in 1usize..150_000,
            place: prop::sample::Index,
            bit in 0u8..8,
        ) {
            let bytes: Vec<u8> = (0..len).map(|at| (at * 31) as u8).collect();
            let (mut a, mut b) = pair(protection);
            let mut way = seal_all(&mut a, &bytes, || usize::MAX);
            let at = place.index(way.len());
            way[at] ^= 1 << bit;
            // A length may be damaged into one that waits for more.
            if let Ok(got) = open_all(&mut b, &way, || usize::MAX) {
                prop_assert!(got.len() < len && got == bytes[..got.len()]);
            }
        }
    }

    #[test]
    fn a_record_that_is_repeated_or_missing_is_damage() {
        for protection in [Protection::Checksum, Protection::Cipher] {
            let (mut a, mut b) = pair(protection);
            let first = seal_all(&mut a, b"first", || 1000);
            let second = seal_all(&mut a, b"second", || 1000);
            assert_eq!(open_all(&mut b, &first, || 1000).unwrap(), b"first");
            assert!(open_all(&mut b, &first, || 1000).is_err());
            let (_, mut b) = pair(protection);
            assert!(open_all(&mut b, &second, || 1000).is_err());
        }
    }
}
