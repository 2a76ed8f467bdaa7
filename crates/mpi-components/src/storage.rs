//! Memory that MPI allocates for the user (MPI 5.0, 9.2), and the monitor of released memory that
//! registration caches need.

use std::ptr::NonNull;
use std::sync::Arc;

use mca::{ComponentList, Framework, Param, Registry};
use memory::mpool::{Algorithm, Component, Hints, Pool, Settings};
use memory::rcache::Limits;
use memory::release::Monitor;

use mpi_local::{Class, Error, Info};

/// Two cache lines, in bytes: what wide vector units and the prefetcher of pairs of lines like.
const ALIGNMENT_BYTES: usize = 128;

/// The info key of MPI 5.0, 9.2: the smallest alignment, in bytes.
const ALIGNMENT_KEY: &str = "mpi_minimum_memory_alignment";

/// The info key for [`Hints`].
const HINTS_KEY: &str = "mpool_hints";

/// The components of the framework `memory`.
pub const SOURCES: [(&str, &str); 1] = [(
    "userfaultfd",
    "word of memory that goes back to the system, by userfaultfd(2)",
)];

/// The components of the framework `mpool`.
pub const POOLS: [(&str, &str); 2] = [
    ("default", "the C library's allocator"),
    ("hugepage", "segments of huge pages"),
];

/// The components of the framework `allocator`.
pub const ALLOCATORS: [(&str, &str); 2] = [
    ("basic", "the first free range of a segment that fits"),
    ("bucket", "chunks of powers of two"),
];

/// The components of the framework `rcache`.
pub const CACHES: [(&str, &str); 1] = [(
    "grdma",
    "registrations that outlive their use, the one idle longest goes first",
)];

/// Parameters of the parts of `memory`.
pub const PARAMS: &[Param] = &[
    Param::list(
        "mpool",
        "",
        5,
        "Sources of memory that MPI_Alloc_mem may use, whatever hints say; known: default, \
         hugepage",
    ),
    Param::list(
        "allocator",
        "",
        5,
        "Allocators that may divide huge pages, whatever hints say; known: basic, bucket",
    ),
    Param::list(
        "rcache",
        "",
        5,
        "Caches that keep registrations of memory with a network after use; known: grdma; \
         without it each transfer registers anew",
    ),
    Param::list(
        "memory",
        "",
        3,
        "Monitors that report memory returned to the system, so that registrations of it are \
         dropped; known: userfaultfd; without it no registration is kept",
    ),
    Param::choice(
        "mpi_leave_pinned",
        "auto",
        &["auto", "-1", "0", "1"],
        3,
        "Whether memory stays registered with networks after a transfer, for the next one; auto \
         (or -1): where a monitor (`memory`) reports that it is freed",
    ),
    Param::size(
        "rcache_base_idle_count_max",
        1024,
        0..=u32::MAX as usize,
        5,
        "Most registrations that a cache keeps without use; a larger value saves registrations \
         and pins more memory",
    ),
    Param::size(
        "rcache_base_idle_bytes_max",
        1 << 30,
        0..=usize::MAX,
        5,
        "Most bytes of memory that a cache keeps registered without use; a larger value saves \
         registrations and pins more memory",
    ),
    Param::bool(
        "rcache_grdma_print_stats",
        false,
        5,
        "Whether each registration cache prints its hits, misses and evictions at the end",
    ),
    Param::text(
        "mpool_base_default_hints",
        "",
        5,
        "Source of memory of MPI_Alloc_mem where the info key mpool_hints names none: \
         mpool=default or mpool=hugepage, with page_size=BYTES, allocator=basic or \
         allocator=bucket",
    ),
    Param::size(
        "mpool_hugepage_page_size",
        2 << 20,
        4096..=64 << 30,
        5,
        "Bytes of a huge page, a power of two that the system offers",
    ),
    Param::int(
        "allocator_bucket_num_buckets",
        30,
        1..=50,
        7,
        "Number of block sizes of the bucket allocator, from 64 bytes on, each twice the one \
         before; a larger value lets it serve larger blocks",
    ),
];

/// Memory that `MPI_Alloc_mem` allocates and `MPI_Free_mem` frees. One for the process.
#[derive(Debug)]
pub struct UserMemory {
    pool: Pool,
    hints: Hints,
    pools: ComponentList,
    allocators: ComponentList,
}

impl UserMemory {
    /// Uses the parameters of `registry`, with their defaults where MPI is not initialised.
    pub fn new(registry: Option<&Registry>) -> UserMemory {
        let mut settings = Settings::default();
        let mut hints = Hints::default();
        if let Some(registry) = registry {
            settings.page_bytes = registry.size("mpool_hugepage_page_size");
            settings.buckets = registry.int("allocator_bucket_num_buckets") as usize;
            match Hints::parse(registry.text("mpool_base_default_hints")) {
                Ok(given) => hints = given,
                Err(error) => {
                    Framework::Mpool
                        .warn(format_args!("mpool_base_default_hints is ignored: {error}"));
                }
            }
        }
        let list = |framework, table| {
            let list = registry?.components(framework, &mca::names(table));
            // A wrong list has ended the initialisation of MPI before.
            list.ok()
        };
        UserMemory {
            pool: Pool::new(settings),
            hints,
            pools: list(Framework::Mpool, &POOLS).unwrap_or_else(ComponentList::all),
            allocators: list(Framework::Allocator, &ALLOCATORS).unwrap_or_else(ComponentList::all),
        }
    }

    /// The hints as far as the component lists admit them.
    fn admitted(&self, mut hints: Hints) -> Hints {
        if !self.pools.admits("hugepage") {
            hints.component = Component::Default;
        } else if !self.pools.admits("default") {
            hints.component = Component::HugePage;
        }
        if !self.allocators.admits("bucket") {
            hints.algorithm = Algorithm::Basic;
        } else if !self.allocators.admits("basic") {
            hints.algorithm = Algorithm::Bucket;
        }
        hints
    }

    /// Memory of at least `bytes` bytes, as the keys of `info` want it.
    ///
    /// # Errors
    /// `NoMem`; `InfoValue` for an invalid alignment. Hints that are not understood are no error:
    /// another MPI may understand them.
    pub fn allocate(&mut self, bytes: usize, info: &Info) -> Result<NonNull<u8>, Error> {
        let (mut alignment, mut hints) = (ALIGNMENT_BYTES, self.hints);
        if let Some(text) = info.get(ALIGNMENT_KEY)? {
            alignment = alignment.max(alignment_of(text)?);
        }
        match info.get(HINTS_KEY)?.map(Hints::parse) {
            Some(Ok(given)) => hints = given,
            Some(Err(error)) => {
                Framework::Mpool.info(format_args!("{HINTS_KEY} is ignored: {error}"))
            }
            None => {}
        }
        let given = self.pool.allocate(bytes, alignment, self.admitted(hints));
        given.map_err(|error| Error::new(Class::NoMem, error.to_string()))
    }

    /// Frees the memory at an address; the null address is ignored.
    ///
    /// # Errors
    /// `Base` where no memory was allocated at the address, or it was freed before.
    pub fn free(&mut self, address: usize) -> Result<(), Error> {
        if address == 0 {
            return Ok(());
        }
        self.pool.free(address).map_err(|error| {
            let text = format!("{error}: not given by MPI_Alloc_mem, or freed before");
            Error::new(Class::Base, text)
        })
    }
}

/// An alignment as an info value: any number of bytes, of which the next power of two serves.
fn alignment_of(text: &str) -> Result<usize, Error> {
    let bytes = text.trim().parse::<usize>().ok();
    let bytes = bytes.filter(|bytes| (1..=1 << 40).contains(bytes));
    bytes.map(usize::next_power_of_two).ok_or_else(|| {
        let text = format!("info key `{ALIGNMENT_KEY}` is `{text}`, which is not an alignment");
        Error::new(Class::InfoValue, text)
    })
}

/// Returns the monitor of memory that goes back to the system, for a transport that caches
/// registrations; `None` where the parameters do not want it or the system cannot report it.
pub fn monitor(registry: &Registry) -> Result<Option<Arc<Monitor>>, mca::Error> {
    let sources = registry.components(Framework::Memory, &mca::names(&SOURCES))?;
    let caches = registry.components(Framework::Rcache, &mca::names(&CACHES))?;
    let pinned = registry.choice("mpi_leave_pinned");
    if pinned == "0" || !sources.admits("userfaultfd") || !caches.admits("grdma") {
        return Ok(None);
    }
    match Monitor::start() {
        Ok(monitor) => Ok(Some(monitor)),
        Err(error) if pinned == "1" => {
            Framework::Memory.warn(format_args!("mpi_leave_pinned is 1, but {error}"));
            Ok(None)
        }
        Err(error) => {
            Framework::Memory.info(format_args!(
                "no registration is kept for later use: {error}"
            ));
            Ok(None)
        }
    }
}

/// How much a registration cache may keep.
pub fn cache_limits(registry: &Registry) -> Limits {
    Limits {
        idle_count_max: registry.size("rcache_base_idle_count_max"),
        idle_bytes_max: registry.size("rcache_base_idle_bytes_max"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(pairs: &[(&str, &str)]) -> Info {
        let mut info = Info::new();
        for (key, value) in pairs {
            info.set(key, value).unwrap();
        }
        info
    }

    #[test]
    fn info_keys_are_followed_and_judged() {
        let mut memory = UserMemory::new(Some(&Registry::new(&[PARAMS])));
        let huge = "mpool=hugepage,page_size=2M,allocator=bucket";
        for (bytes, pairs, alignment) in [
            (1000, &[][..], ALIGNMENT_BYTES),
            (0, &[(ALIGNMENT_KEY, "4096")], 4096),
            (10, &[(ALIGNMENT_KEY, "100000")], 131072),
            (
                5_000_000,
                &[(HINTS_KEY, huge), (ALIGNMENT_KEY, "64")],
                2 << 20,
            ),
            (5, &[(HINTS_KEY, "mpool=memkind")], ALIGNMENT_BYTES),
        ] {
            let given = memory.allocate(bytes, &info(pairs)).unwrap();
            let address = given.as_ptr() as usize;
            assert_eq!(address % alignment, 0, "{pairs:?}");
            memory.free(address).unwrap();
            assert_eq!(memory.free(address).unwrap_err().class, Class::Base);
        }
        for text in ["0", "-8", "many", "99999999999999999999"] {
            let refused = memory.allocate(8, &info(&[(ALIGNMENT_KEY, text)]));
            assert_eq!(refused.unwrap_err().class, Class::InfoValue, "{text}");
        }
        let refused = memory.allocate(usize::MAX / 2, &Info::new());
        assert_eq!(refused.unwrap_err().class, Class::NoMem);
        memory.free(0).unwrap();
        assert_eq!(memory.free(12345).unwrap_err().class, Class::Base);
    }

    #[test]
    fn a_monitor_is_made_unless_parameters_say_no() {
        let made = |registry: &Registry| monitor(registry).unwrap().is_some();
        let registry = Registry::new(&[PARAMS]);
        let can = Monitor::start().is_ok();
        assert_eq!(made(&registry), can);
        assert_eq!(cache_limits(&registry).idle_count_max, 1024);
        assert!(!made(&with("OXMPI_MCA_memory", "^userfaultfd")));
        assert!(!made(&with("OMPI_MCA_mpi_leave_pinned", "0")));
        assert_eq!(made(&with("OMPI_MCA_memory", "^patcher")), can);
        assert_eq!(made(&with("OMPI_MCA_mpi_leave_pinned", "-1")), can);
    }

    fn with(name: &str, value: &str) -> Registry {
        let nothing = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        let variable = (name.to_string(), value.to_string());
        let sources = mca::Sources::new("/p", nothing).with_environment([variable]);
        Registry::load(&[PARAMS], &sources).unwrap()
    }
}
