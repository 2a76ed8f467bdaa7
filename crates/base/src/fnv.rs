//! A hash that is equal in every build, for comparing what processes have.

/// FNV-1a with 64 bits. Not for secrets, nor against an adversary.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Fnv {
    /// The hash of no bytes.
    pub const EMPTY: Fnv = Fnv(0xcbf2_9ce4_8422_2325);

    /// Returns the hash of some bytes.
    #[inline]
    pub fn of(bytes: impl IntoIterator<Item = u8>) -> u64 {
        let mut hash = Fnv::EMPTY;
        hash.add(bytes);
        hash.value()
    }

    /// Appends bytes to those that were hashed.
    #[inline]
    pub fn add(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Returns the hash of the bytes so far.
    #[inline]
    pub fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_specification() {
        for (bytes, hash) in [
            (&b""[..], 0xcbf2_9ce4_8422_2325),
            (b"a", 0xaf63_dc4c_8601_ec8c),
            (b"foobar", 0x8594_4171_f739_67e8),
        ] {
            assert_eq!(Fnv::of(bytes.iter().copied()), hash, "{bytes:?}");
        }
        let mut parts = Fnv::EMPTY;
        parts.add(*b"foo");
        parts.add(*b"bar");
        assert_eq!(parts.value(), Fnv::of(*b"foobar"));
    }
}
