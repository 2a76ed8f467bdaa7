//! Little-endian integers in byte strings, for the `wire` modules of the protocols.
//!
//! Readers return `None` when the bytes run out, so that a short frame from a peer is a case
//! to handle and not a panic.

macro_rules! integers {
    ($($read:ident, $write:ident: $type:ty;)*) => {$(
        #[doc = concat!("Reads a little-endian `", stringify!($type), "` at byte `at`.")]
        #[inline]
        pub fn $read(bytes: &[u8], at: usize) -> Option<$type> {
            let field = bytes.get(at..at.checked_add(size_of::<$type>())?)?;
            Some(<$type>::from_le_bytes(field.try_into().ok()?))
        }

        #[doc = concat!("Writes a little-endian `", stringify!($type), "` at byte `at`.")]
        ///
        /// # Panics
        /// When the field does not fit: the writer owns the layout.
        #[inline]
        pub fn $write(bytes: &mut [u8], at: usize, value: $type) {
            bytes[at..at + size_of::<$type>()].copy_from_slice(&value.to_le_bytes());
        }
    )*};
}

integers! {
    read_u16, write_u16: u16;
    read_u32, write_u32: u32;
    read_i32, write_i32: i32;
    read_u64, write_u64: u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_short_input_is_none() {
        let mut bytes = [0u8; 12];
        write_u32(&mut bytes, 0, 0xdead_beef);
        write_u64(&mut bytes, 4, 42);
        assert_eq!(read_u32(&bytes, 0), Some(0xdead_beef));
        assert_eq!(read_u64(&bytes, 4), Some(42));
        assert_eq!(read_u64(&bytes, 5), None);
        assert_eq!(read_u16(&bytes, usize::MAX), None);
    }
}
