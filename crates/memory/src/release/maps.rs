//! The kinds of memory of this process: `/proc/self/maps`, by its PROCMAP_QUERY request where the
//! kernel has it (Linux 6.11), otherwise by its text.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::fd::AsRawFd;

/// `PROCMAP_QUERY`: reads and writes a [`Query`].
const PROCMAP_QUERY: libc::c_ulong =
    (3 << 30 | size_of::<Query>() << 16 | 0x66 << 8 | 17) as libc::c_ulong;
/// Where the address is not mapped, the next mapping is wanted.
const COVERING_OR_NEXT: u64 = 0x10;
const SHARED: u64 = 8;
/// Enough for the name that matters.
const NAME_BYTES: usize = 32;
/// How the kernel names the file behind anonymous memory with huge pages.
const HUGE_NAME: &[u8] = b"/anon_hugepage";

#[derive(Default)]
#[repr(C)]
struct Query {
    size: u64,
    flags: u64,
    address: u64,
    start: u64,
    end: u64,
    vma_flags: u64,
    page_bytes: u64,
    offset: u64,
    inode: u64,
    device: [u32; 2],
    name_bytes: u32,
    build_id_bytes: u32,
    name: u64,
    build_id: u64,
}

const _: () = assert!(size_of::<Query>() == 104);

/// One mapping.
struct Mapping {
    range: Range<usize>,
    /// Page size in bytes of private anonymous memory.
    private_page_bytes: Option<usize>,
}

/// The mappings of this process.
#[derive(Debug)]
pub struct Maps {
    file: File,
    queries: bool,
}

impl Maps {
    /// Opens the list.
    ///
    /// # Errors
    /// The system's.
    pub fn open() -> io::Result<Maps> {
        let file = File::open("/proc/self/maps")?;
        let mut maps = Maps {
            file,
            queries: true,
        };
        maps.queries = maps.query(0).is_ok();
        Ok(maps)
    }

    /// The size of the largest pages in a range; `None` unless all of it is mapped and private
    /// anonymous memory.
    pub fn private_page_bytes(&self, range: &Range<usize>) -> Option<usize> {
        let (mut at, mut page_bytes) = (range.start, crate::page_bytes());
        let mut fits = |mapping: &Mapping| {
            let own = mapping.private_page_bytes?;
            if mapping.range.start > at {
                return None;
            }
            (at, page_bytes) = (mapping.range.end, page_bytes.max(own));
            Some(at >= range.end)
        };
        let mut answer = None;
        self.each(range.start, &mut |mapping| {
            answer = fits(&mapping);
            answer == Some(false)
        });
        (answer == Some(true)).then_some(page_bytes)
    }

    /// Calls `visit` with the range of each mapping of private anonymous memory.
    pub fn each_private(&self, visit: &mut dyn FnMut(Range<usize>)) {
        self.each(0, &mut |mapping| {
            if mapping.private_page_bytes.is_some() {
                visit(mapping.range);
            }
            true
        });
    }

    /// Visits the mappings that end after `from`, in their order, until `visit` returns false.
    fn each(&self, from: usize, visit: &mut dyn FnMut(Mapping) -> bool) {
        if !self.queries {
            return each_line(from, visit);
        }
        let mut at = from;
        while let Ok(Some(mapping)) = self.query(at) {
            at = mapping.range.end;
            if !visit(mapping) {
                return;
            }
        }
    }

    /// Returns the mapping at or after an address; `None` behind the last.
    fn query(&self, address: usize) -> io::Result<Option<Mapping>> {
        let mut name = [0u8; NAME_BYTES];
        let mut query = Query {
            size: size_of::<Query>() as u64,
            flags: COVERING_OR_NEXT,
            address: address as u64,
            ..Query::default()
        };
        let huge = |query: &Query| query.page_bytes as usize > crate::page_bytes();
        self.ask(&mut query)?;
        if huge(&query) {
            // The name is asked for only here: it need not fit elsewhere.
            query.flags = COVERING_OR_NEXT;
            query.name_bytes = NAME_BYTES as u32;
            query.name = name.as_mut_ptr() as u64;
            self.ask(&mut query)?;
        }
        if query.end == 0 {
            return Ok(None);
        }
        let anonymous = match huge(&query) {
            true => name.starts_with(HUGE_NAME),
            false => query.inode == 0 && query.device == [0; 2],
        };
        let private = anonymous && query.vma_flags & SHARED == 0;
        Ok(Some(Mapping {
            range: query.start as usize..query.end as usize,
            private_page_bytes: private.then_some(query.page_bytes as usize),
        }))
    }

    fn ask(&self, query: &mut Query) -> io::Result<()> {
        // SAFETY: the request is defined for this structure, whose size it carries; the name's
        // address, where set, is that of as many bytes as it says, which outlive the call.
        let failed =
            unsafe { libc::ioctl(self.file.as_raw_fd(), PROCMAP_QUERY as _, &raw mut *query) } != 0;
        match failed.then(io::Error::last_os_error) {
            Some(error) if error.raw_os_error() == Some(libc::ENOENT) => {
                *query = Query::default();
                Ok(())
            }
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// [`Maps::each`] by the text. Huge pages do not show in it, so memory with them is left out.
fn each_line(from: usize, visit: &mut dyn FnMut(Mapping) -> bool) {
    let text = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for mapping in text.lines().filter_map(mapping_of_line) {
        if mapping.range.end > from && !visit(mapping) {
            return;
        }
    }
}

/// A line such as `7f00-7f10 rw-p 00000000 00:00 0   [heap]`.
fn mapping_of_line(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    let private = words.next()?.ends_with('p');
    let (device, inode) = (words.nth(1)?, words.next()?);
    let anonymous = device == "00:00" && inode == "0";
    Some(Mapping {
        range: address(start)?..address(end)?,
        private_page_bytes: (private && anonymous).then(crate::page_bytes),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_queries_say_the_same() {
        let mut maps = Maps::open().unwrap();
        let own = Box::new([1u8; 100]);
        let at = &raw const *own as usize / 4096 * 4096;
        let code = text_and_queries_say_the_same as fn() as usize / 4096 * 4096;
        for queries in [maps.queries, false] {
            maps.queries = queries;
            assert_eq!(maps.private_page_bytes(&(at..at + 4096)), Some(4096));
            assert_eq!(maps.private_page_bytes(&(code..code + 4096)), None);
            assert_eq!(maps.private_page_bytes(&(0..4096)), None);
            let mut found = false;
            maps.each_private(&mut |range| found |= range.contains(&at));
            assert!(found);
        }
    }
}
