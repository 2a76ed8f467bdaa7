//! The contract of a component that copies between processes: how it is opened, what it does
//! for this process ([`Component`]) and for the pair with one peer ([`Link`]), and the words of
//! both: a [`Target`] in the peer's memory, a [`Failure`] to copy.

use std::sync::Arc;

use base::Registrations;
use btl::Access;
use mca::ComponentList;
use memory::rcache::Limits;
use memory::release::Watch;
use memory::UserBuf;
use shm::Direction;

use super::system::System;

/// A way to copy memory; the number is its code in addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mechanism {
    Xpmem = 1,
    Cma = 2,
    Knem = 3,
}

impl Mechanism {
    /// The number of mechanisms.
    pub(crate) const COUNT: usize = 3;

    /// Every mechanism, in the order of their priorities in settings.
    const ALL: [Mechanism; Mechanism::COUNT] = [Mechanism::Xpmem, Mechanism::Cma, Mechanism::Knem];

    /// Returns the mechanism of a name.
    pub(crate) fn named(name: &str) -> Option<Mechanism> {
        Mechanism::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Returns where its priority stands in settings.
    pub(crate) fn position(self) -> usize {
        self as usize - 1
    }

    /// Returns the name that the parameter `smsc` knows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mechanism::Xpmem => "xpmem",
            Mechanism::Cma => "cma",
            Mechanism::Knem => "knem",
        }
    }
}

/// The parameters' values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) wanted: ComponentList,
    /// Why there are no single copies, where a parameter for all of them says so.
    pub(crate) off: Option<String>,
    /// Priorities of xpmem, CMA and KNEM; a component with a negative one is not used.
    pub(crate) priorities: [i32; Mechanism::COUNT],
    /// Attachments begin and end at multiples of two to this power.
    pub(crate) xpmem_log_align: u32,
    /// Bytes that are copied at once.
    pub(crate) xpmem_chunk_bytes: usize,
    /// Most attachments of one peer that are cached.
    pub(crate) xpmem_attachments_max: usize,
    /// Smallest copies, in bytes, that are given to a DMA engine; 0: none.
    pub(crate) knem_dma_min: usize,
}

/// The caching of registrations for later use.
#[derive(Clone, Copy)]
pub struct Caching<'a> {
    /// Number and bytes of idle registrations that are cached.
    pub limits: Limits,
    /// Makes the watch on memory that goes back to the system. Called only where a component
    /// registers memory; `None` where there is no watch, and so nothing is cached.
    pub watch: &'a dyn Fn() -> Option<Box<dyn Watch + Send>>,
}

impl Caching<'_> {
    /// No registration is cached.
    pub const NONE: Caching<'static> = Caching {
        limits: Limits {
            idle_count_max: 0,
            idle_bytes_max: 0,
        },
        watch: &|| None,
    };
}

/// Arguments for opening components.
pub(crate) struct Opening<'a> {
    pub(crate) system: Arc<dyn System>,
    pub(crate) settings: &'a Settings,
    /// The number that peers read to try. It stays where it is as long as the component.
    pub(crate) cookie: &'a u64,
    pub(crate) caching: Caching<'a>,
}

/// A peer, as components need to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    pub(crate) pid: u32,
    /// The number that is read to test access.
    pub(crate) cookie: u64,
    /// Address of the cookie in the peer's memory.
    pub(crate) probe: u64,
}

/// An address in a peer's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) address: u64,
    /// The address as an offset in a named region, where the peer has made one.
    pub(crate) region: Option<Region>,
}

/// An offset in a region that a process has made known to the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Region {
    pub(crate) cookie: u64,
    /// Bytes from the region's beginning.
    pub(crate) offset: u64,
}

/// Why a link did not copy.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The peer's process has ended.
    Gone,
    /// Part of the range, local or remote, is not mapped.
    Fault,
    /// The link cannot do this one; perhaps the next.
    NotThis(String),
    /// The link can do nothing any more.
    Refused(String),
}

/// One component, opened.
pub(crate) trait Component: Send {
    /// Bytes that peers need to connect: at most 255.
    fn offer(&self) -> Vec<u8>;

    /// Reaches a peer's memory by what it offers, and tries it. The error is one clause.
    fn connect(&mut self, peer: &Peer, offer: &[u8]) -> Result<Box<dyn Link>, String>;

    /// Makes memory known to the kernel, where the component needs that. The number is for
    /// `deregister`, and not 0.
    fn register(&mut self, _memory: UserBuf, _access: Access) -> Option<(Region, u64)> {
        None
    }

    /// Undoes a `register`.
    fn deregister(&mut self, _number: u64) {}

    /// Returns the counts of its cache of registered memory, where it has one.
    fn registrations(&self) -> Option<&Arc<Registrations>> {
        None
    }
}

/// One component's link to one peer's memory. Dropping it releases the mappings.
pub(crate) trait Link: Send {
    /// Copies between `local` and as many bytes at `target`.
    fn copy(
        &mut self,
        direction: Direction,
        local: UserBuf,
        target: &Target,
    ) -> Result<(), Failure>;

    /// Whether the peer's memory has to be in a region.
    fn needs_region(&self) -> bool {
        false
    }

    /// Maps the peer's memory at `target` into this process until `unmap`; `None` where the
    /// component cannot. The number is for `unmap`.
    fn map(&mut self, _target: &Target, _len: usize) -> Option<(UserBuf, u64)> {
        None
    }

    fn unmap(&mut self, _number: u64) {}
}
