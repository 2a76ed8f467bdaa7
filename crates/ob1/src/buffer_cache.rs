//! A cache of memory for unexpected messages. If the memory for a message of some pages were
//! allocated and freed each time, the system would clear its pages each time, which takes longer
//! than the copy.

use memory::Payload;

/// Smallest buffer that is cached; the allocator is fast enough with smaller ones.
const CACHED_MIN: usize = 4096;

/// Most bytes that are cached.
const CACHED_MAX: usize = 1 << 20;

/// Buffers that hold no message.
#[derive(Default)]
pub(crate) struct BufferCache {
    buffers: Vec<Vec<u8>>,
    /// Capacity of all buffers, in bytes.
    bytes: usize,
}

impl BufferCache {
    /// Returns a copy of a message, with capacity for `total` bytes.
    pub(crate) fn copy(&mut self, message: Payload<'_>, total: usize) -> Vec<u8> {
        let mut buffer = self.take(total.max(message.len()));
        message.append_to(&mut buffer);
        buffer
    }

    fn take(&mut self, len: usize) -> Vec<u8> {
        let fits = |buffer: &Vec<u8>| buffer.capacity() >= len;
        let found = match len >= CACHED_MIN {
            true => self.buffers.iter().rposition(fits),
            false => None,
        };
        let Some(at) = found else {
            return Vec::with_capacity(len);
        };
        let mut buffer = self.buffers.swap_remove(at);
        self.bytes -= buffer.capacity();
        buffer.clear();
        buffer
    }

    /// Returns the buffer of a message that was received to the cache.
    pub(crate) fn put_back(&mut self, buffer: Vec<u8>) {
        let capacity = buffer.capacity();
        if capacity >= CACHED_MIN && capacity <= CACHED_MAX - self.bytes {
            self.bytes += capacity;
            self.buffers.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_cached_up_to_a_limit_and_used_again() {
        let mut buffer_cache = BufferCache::default();
        let message = [7u8; 3 * CACHED_MIN];
        let first = buffer_cache.copy(Payload::from(&message[..]), 0);
        let address = first.as_ptr();
        buffer_cache.put_back(first);
        buffer_cache.put_back(vec![1; 10]);
        assert_eq!(
            buffer_cache.bytes,
            message.len(),
            "small buffers are not cached"
        );
        let short = buffer_cache.copy(Payload::from(&message[..5]), 2 * CACHED_MIN);
        assert_eq!((short.as_ptr(), &short[..]), (address, &message[..5]));
        assert_eq!(buffer_cache.bytes, 0);
        for _ in 0..1000 {
            buffer_cache.put_back(Vec::with_capacity(CACHED_MIN * 7));
        }
        assert!(buffer_cache.bytes <= CACHED_MAX && buffer_cache.bytes > CACHED_MAX / 2);
        let all: usize = buffer_cache.buffers.iter().map(Vec::capacity).sum();
        assert_eq!(buffer_cache.bytes, all);
    }
}
