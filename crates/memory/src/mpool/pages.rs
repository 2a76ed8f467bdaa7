//! Maps pages of the requested size, or of the largest size that the system grants.

use std::io;
use std::ops::Range;
use std::ptr::null_mut;

/// The kind of pages of mapped memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backing {
    /// Huge pages that the administrator set aside.
    Reserved,
    /// Pages that the kernel may make huge.
    Transparent,
    /// Pages of the usual size.
    Plain,
}

/// Private anonymous memory of its own mapping. Unmapped when dropped.
#[derive(Debug)]
pub struct Pages {
    range: Range<usize>,
    backing: Backing,
}

impl Pages {
    /// Maps at least `len` bytes in pages of `page_bytes`, a power of two, or such as there are.
    ///
    /// # Errors
    /// The system's.
    pub fn map(len: usize, page_bytes: usize) -> io::Result<Pages> {
        let out_of_memory = || io::Error::from_raw_os_error(libc::ENOMEM);
        let len = len.max(1).checked_next_multiple_of(page_bytes);
        let len = len.ok_or_else(out_of_memory)?;
        let huge = libc::MAP_HUGETLB | (page_bytes.trailing_zeros() as i32) << libc::MAP_HUGE_SHIFT;
        if page_bytes > crate::page_bytes() {
            if let Ok(start) = map_at_will(len, huge) {
                return Ok(Pages {
                    range: start..start + len,
                    backing: Backing::Reserved,
                });
            }
        }
        // More than is needed, so that a part of it begins at a multiple of the page size.
        let slack = page_bytes - crate::page_bytes().min(page_bytes);
        let whole = len.checked_add(slack).ok_or_else(out_of_memory)?;
        let from = map_at_will(whole, 0)?;
        let start = from.next_multiple_of(page_bytes);
        let (end, whole_end) = (start + len, from + whole);
        unmap(from..start);
        unmap(end..whole_end);
        let mut backing = Backing::Plain;
        if page_bytes > crate::page_bytes() {
            // SAFETY: advice about the mapping just made.
            let taken = unsafe { libc::madvise(start as *mut _, len, libc::MADV_HUGEPAGE) } == 0;
            backing = if taken { Backing::Transparent } else { backing };
        }
        Ok(Pages {
            range: start..end,
            backing,
        })
    }

    /// Returns its address range.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the kind of its pages.
    pub fn backing(&self) -> Backing {
        self.backing
    }

    /// Leaves it mapped for as long as the process lives.
    pub fn leave(self) {
        std::mem::forget(self);
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        unmap(self.range.clone());
    }
}

fn map_at_will(len: usize, flags: i32) -> io::Result<usize> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping at an address of the kernel's choice disturbs nothing.
    let at = unsafe { libc::mmap(null_mut(), len, access, flags, -1, 0) };
    match at == libc::MAP_FAILED {
        true => Err(io::Error::last_os_error()),
        false => Ok(at as usize),
    }
}

/// Unmaps a part of a mapping that was made here and that nobody uses.
fn unmap(range: Range<usize>) {
    if !range.is_empty() {
        // SAFETY: the callers in this module name only what they mapped and no longer use.
        unsafe { libc::munmap(range.start as *mut _, range.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_lies_at_a_multiple_of_the_page_size_and_can_be_written() {
        for page_bytes in [crate::page_bytes(), 2 << 20] {
            let pages = Pages::map(page_bytes + 1, page_bytes).unwrap();
            let range = pages.range();
            assert_eq!(range.start % page_bytes, 0);
            assert_eq!(range.len(), 2 * page_bytes);
            // SAFETY: all of the mapping.
            unsafe { (range.start as *mut u8).write_bytes(1, range.len()) };
        }
        assert!(Pages::map(usize::MAX, 2 << 20).is_err());
    }
}
