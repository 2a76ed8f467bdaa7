//! Buffers for frames that are larger than a connection's cache, kept for reuse.
//!
//! A few are kept at first. Each time that more were in use than are kept, more will be, up to a
//! limit: so a process that receives from many peers at once does not allocate for each message,
//! and one that does not holds little memory.

/// Limits on the number of buffers that are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Number at first.
    pub first: usize,
    /// Increase, each time that there were too few.
    pub step: usize,
    /// Largest number.
    pub last: usize,
}

/// Buffers for reuse.
pub struct Pool {
    free: Vec<Vec<u8>>,
    limits: Limits,
    /// Buffers taken and not put back.
    used: usize,
    /// Number of buffers kept now, whether used or free.
    kept: usize,
}

impl Pool {
    /// Creates an empty pool.
    pub fn new(limits: Limits) -> Pool {
        Pool {
            free: Vec::new(),
            limits,
            used: 0,
            kept: limits.first.min(limits.last),
        }
    }

    /// Returns a buffer of at least `len` bytes, with any contents.
    pub fn take(&mut self, len: usize) -> Vec<u8> {
        self.used += 1;
        if self.used > self.kept {
            self.kept = (self.kept + self.limits.step).min(self.limits.last);
        }
        let mut buffer = self.free.pop().unwrap_or_default();
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        buffer
    }

    /// Returns a buffer to the pool.
    pub fn put(&mut self, buffer: Vec<u8>) {
        self.used = self.used.saturating_sub(1);
        if self.used + self.free.len() < self.kept {
            self.free.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(first: usize, step: usize, last: usize) -> Pool {
        Pool::new(Limits { first, step, last })
    }

    fn take(pool: &mut Pool, count: usize) -> Vec<Vec<u8>> {
        (0..count).map(|_| pool.take(10)).collect()
    }

    #[test]
    fn as_many_are_kept_as_were_used_within_the_limits() {
        let mut pool = pool(2, 3, 6);
        for (count, kept) in [(1, 1), (2, 2), (3, 3), (5, 5), (9, 6), (1, 6)] {
            for buffer in take(&mut pool, count) {
                pool.put(buffer);
            }
            assert_eq!(pool.free.len(), kept, "after {count}");
        }
        assert_eq!(pool.used, 0);
    }

    #[test]
    fn none_is_kept_where_none_may_be() {
        let mut pool = pool(8, 32, 0);
        let buffers = take(&mut pool, 2);
        buffers.into_iter().for_each(|buffer| pool.put(buffer));
        assert!(pool.free.is_empty());
    }

    #[test]
    fn buffers_grow_to_what_is_asked() {
        let mut pool = pool(1, 0, 1);
        let small = pool.take(10);
        pool.put(small);
        assert!(pool.take(1000).len() >= 1000);
    }
}
