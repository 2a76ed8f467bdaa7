//! Memory pools (mpool): allocate memory for the user.
//!
//! A [`Pool`] has two components: `default`, which is the C library's allocator, and `hugepage`,
//! which maps segments of huge pages and gives out parts of them by an allocator of
//! [`crate::allocator`]. [`Hints`] choose. The pool knows what it gave, so that freeing anything
//! else is an error and not a corruption.
//!
//! Huge pages are tried in this order: those that the administrator set aside (MAP_HUGETLB),
//! transparent ones (MADV_HUGEPAGE, at addresses that allow them), plain pages.
//!
//! ```
//! use memory::mpool::{Hints, Pool, Settings};
//!
//! let mut pool = Pool::new(Settings::default());
//! let hints = Hints::parse("mpool=hugepage,page_size=2M").unwrap();
//! let address = pool.allocate(100_000, 4096, hints).unwrap().as_ptr() as usize;
//! assert_eq!(address % 4096, 0);
//! assert!(pool.free(address).is_ok());
//! assert!(pool.free(address).is_err());
//! ```

mod hints;
mod pages;

use std::alloc::{alloc, dealloc, Layout};
use std::collections::HashMap;
use std::fmt;
use std::ptr::NonNull;

use crate::allocator::{Allocator, Basic, Bucket, NotGiven};

pub use hints::{Algorithm, BadHints, Component, Hints};
pub use pages::Backing;

use pages::Pages;

/// Unused huge pages that are kept for the next request, in bytes.
const KEPT_BYTES_MAX: usize = 64 << 20;

/// Settings of a pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The size of huge pages in bytes, a power of two, where hints do not say.
    pub page_bytes: usize,
    /// How many sizes the bucket allocator knows.
    pub buckets: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            page_bytes: 2 << 20,
            buckets: 30,
        }
    }
}

/// There was no memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory {
    /// How many bytes were wanted.
    pub bytes: usize,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for {} bytes", self.bytes)
    }
}

impl std::error::Error for NoMemory {}

/// Memory that a pool has handed out and mapped, in bytes where nothing else is said.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Requests that were granted and not yet freed.
    pub given_count: usize,
    /// Bytes of these requests.
    pub given_bytes: usize,
    /// Mapped segments of huge pages, used or not.
    pub mapped_bytes: usize,
    /// Bytes of these segments on pages that the administrator set aside.
    pub reserved_bytes: usize,
}

/// Memory for the user. What is not freed when it is dropped stays allocated: the user may still
/// use it.
#[derive(Debug)]
pub struct Pool {
    settings: Settings,
    allocations: HashMap<usize, Allocation>,
    /// Segments for each page size and algorithm that hints asked for.
    huge: Vec<Huge>,
    stats: Stats,
}

/// A piece of memory that the pool has given out.
#[derive(Debug)]
struct Allocation {
    bytes: usize,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Library(Layout),
    /// The position in [`Pool::huge`].
    Huge(usize),
}

/// Segments of huge pages of one size.
struct Huge {
    page_bytes: usize,
    algorithm: Algorithm,
    allocator: Box<dyn Allocator + Send>,
    /// By address.
    segments: HashMap<usize, Pages>,
}

impl fmt::Debug for Huge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("Huge");
        all.field("page_bytes", &self.page_bytes);
        all.field("segments", &self.segments)
            .finish_non_exhaustive()
    }
}

impl Pool {
    /// Creates a pool that has given nothing. An impossible page size is rounded up to a possible
    /// one.
    pub fn new(settings: Settings) -> Pool {
        let page_bytes = settings.page_bytes.clamp(crate::page_bytes(), 64 << 30);
        Pool {
            settings: Settings {
                page_bytes: page_bytes.next_power_of_two(),
                ..settings
            },
            allocations: HashMap::new(),
            huge: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Gives memory of at least `bytes` bytes at a multiple of `alignment`, a power of two. A
    /// request for none is given an address of its own.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn allocate(
        &mut self,
        bytes: usize,
        alignment: usize,
        hints: Hints,
    ) -> Result<NonNull<u8>, NoMemory> {
        let refused = NoMemory { bytes };
        let (address, origin) = match hints.component {
            Component::Default => self.library(bytes, alignment),
            Component::HugePage => self.huge_pages(bytes, alignment, hints),
        }
        .ok_or(refused)?;
        self.stats.given_count += 1;
        self.stats.given_bytes += bytes;
        let allocation = Allocation { bytes, origin };
        self.allocations
            .insert(address.as_ptr() as usize, allocation);
        Ok(address)
    }

    /// Takes back what was given at an address.
    ///
    /// # Errors
    /// If nothing is allocated at the address (any more).
    pub fn free(&mut self, address: usize) -> Result<(), NotGiven> {
        let allocation = self.allocations.remove(&address).ok_or(NotGiven(address))?;
        self.stats.given_count -= 1;
        self.stats.given_bytes -= allocation.bytes;
        match allocation.origin {
            // SAFETY: given by `library` with this layout, and taken out of the list just
            // now, so it is freed once.
            Origin::Library(layout) => unsafe { dealloc(address as *mut u8, layout) },
            Origin::Huge(at) => {
                self.huge[at].allocator.free(address)?;
                self.huge[at].trim(&mut self.stats);
            }
        }
        Ok(())
    }

    /// Returns the present statistics.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    fn library(&self, bytes: usize, alignment: usize) -> Option<(NonNull<u8>, Origin)> {
        let layout = Layout::from_size_align(bytes.max(1), alignment).ok()?;
        // SAFETY: the layout has at least one byte.
        let address = NonNull::new(unsafe { alloc(layout) })?;
        Some((address, Origin::Library(layout)))
    }

    fn huge_pages(
        &mut self,
        bytes: usize,
        alignment: usize,
        hints: Hints,
    ) -> Option<(NonNull<u8>, Origin)> {
        let page_bytes = hints.page_bytes.unwrap_or(self.settings.page_bytes);
        let algorithm = hints.algorithm;
        let fits = |huge: &Huge| (huge.page_bytes, huge.algorithm) == (page_bytes, algorithm);
        let at = self.huge.iter().position(fits).unwrap_or_else(|| {
            let allocator: Box<dyn Allocator + Send> = match algorithm {
                Algorithm::Basic => Box::new(Basic::new()),
                Algorithm::Bucket => Box::new(Bucket::new(self.settings.buckets)),
            };
            self.huge.push(Huge {
                page_bytes,
                algorithm,
                allocator,
                segments: HashMap::new(),
            });
            self.huge.len() - 1
        });
        let address = self.huge[at].allocate(bytes, alignment, &mut self.stats)?;
        Some((NonNull::new(address as *mut u8)?, Origin::Huge(at)))
    }
}

impl Huge {
    fn allocate(&mut self, bytes: usize, alignment: usize, stats: &mut Stats) -> Option<usize> {
        if let Some(address) = self.allocator.allocate(bytes, alignment) {
            return Some(address);
        }
        let len = self.allocator.segment_bytes(bytes, alignment)?;
        let pages = Pages::map(len, self.page_bytes).ok()?;
        count(stats, &pages, usize::wrapping_add);
        self.allocator.add(pages.range());
        self.segments.insert(pages.range().start, pages);
        self.allocator.allocate(bytes, alignment)
    }

    /// Unmaps unused segments, but for one that is not too large.
    fn trim(&mut self, stats: &mut Stats) {
        let mut kept = None;
        while let Some(range) = self.allocator.take_unused() {
            if kept.is_none() && range.len() <= KEPT_BYTES_MAX {
                kept = Some(range);
            } else if let Some(pages) = self.segments.remove(&range.start) {
                count(stats, &pages, usize::wrapping_sub);
            }
        }
        if let Some(range) = kept {
            self.allocator.add(range);
        }
    }
}

fn count(stats: &mut Stats, pages: &Pages, change: fn(usize, usize) -> usize) {
    let bytes = pages.range().len();
    stats.mapped_bytes = change(stats.mapped_bytes, bytes);
    if pages.backing() == Backing::Reserved {
        stats.reserved_bytes = change(stats.reserved_bytes, bytes);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for pages in self.huge.drain(..).flat_map(|huge| huge.segments) {
            let mut allocation = self.allocations.keys();
            if allocation.any(|address| pages.1.range().contains(address)) {
                pages.1.leave();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(text: &str) -> Hints {
        Hints::parse(text).unwrap()
    }

    /// Writes all of it, so that memory which is not there is noticed.
    fn fill(at: NonNull<u8>, bytes: usize, with: u8) {
        // SAFETY: given by a pool with at least this length.
        unsafe { at.as_ptr().write_bytes(with, bytes) };
    }

    #[test]
    fn every_component_gives_what_can_be_written_and_takes_back_only_what_it_gave() {
        let all = [
            "",
            "mpool=hugepage",
            "mpool=hugepage,allocator=bucket",
            "mpool=hugepage,page_size=4K",
        ];
        for text in all {
            let mut pool = Pool::new(Settings::default());
            let sizes = [
                (0, 1),
                (1, 4096),
                (100, 64),
                (3 << 20, 128),
                (5 << 20, 2 << 20),
            ];
            let given: Vec<_> = sizes
                .map(|(bytes, alignment)| {
                    let at = pool.allocate(bytes, alignment, hints(text)).unwrap();
                    assert_eq!(at.as_ptr() as usize % alignment, 0, "{text}");
                    fill(at, bytes, bytes as u8);
                    (at, bytes)
                })
                .into();
            assert_eq!(pool.stats().given_count, 5);
            assert_eq!(pool.stats().given_bytes, 1 + 100 + (8 << 20));
            for (at, bytes) in &given {
                let address = at.as_ptr() as usize;
                assert_eq!(pool.free(address + 1), Err(NotGiven(address + 1)));
                // SAFETY: given above and not yet freed.
                let last = (*bytes > 0).then(|| unsafe { *at.as_ptr().add(bytes - 1) });
                assert!(last.is_none_or(|last| last == *bytes as u8));
                pool.free(address).unwrap();
                assert_eq!(pool.free(address), Err(NotGiven(address)));
            }
            let stats = pool.stats();
            assert_eq!((stats.given_count, stats.given_bytes), (0, 0));
            assert!(stats.mapped_bytes <= KEPT_BYTES_MAX, "{text}: {stats:?}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_size() {
        let mut pool = Pool::new(Settings::default());
        for text in ["", "mpool=hugepage", "mpool=hugepage,allocator=bucket"] {
            for bytes in [usize::MAX, isize::MAX as usize] {
                let refused = pool.allocate(bytes, 128, hints(text));
                assert_eq!(refused, Err(NoMemory { bytes }));
            }
        }
        assert_eq!(pool.stats(), Stats::default());
    }

    #[test]
    fn what_the_user_still_has_outlives_the_pool() {
        let mut pool = Pool::new(Settings::default());
        let at = pool.allocate(1000, 64, hints("mpool=hugepage")).unwrap();
        drop(pool);
        fill(at, 1000, 3);
    }
}
