//! Domains: a network device, and the addresses of peers.

use std::fmt;
use std::ptr;
use std::sync::Arc;

use mca::Framework;

use crate::object::{close, demand, entry};
use crate::sys::{self, fid, fid_av, fid_domain, fid_fabric};
use crate::{AtomicKind, AtomicOp, AtomicType, Error, Info};

/// Bytes of memory that a provider cannot take while it opens a device: room for what is allocated
/// here before the next check of how much is left.
const RESERVED_BYTES: usize = 1 << 20;

/// An opened device. Copies are cheap and share it.
#[derive(Clone)]
pub struct Domain(Arc<DomainObjects>);

struct DomainObjects {
    info: Info,
    fabric: *mut fid_fabric,
    domain: *mut fid_domain,
}

// SAFETY: domains are asked for with `FI_THREAD_SAFE`, so every call may come from any thread.
unsafe impl Send for DomainObjects {}
// SAFETY: as stated at `Send`.
unsafe impl Sync for DomainObjects {}

impl Domain {
    /// Opens the device of a query's answer.
    ///
    /// # Errors
    /// The provider's refusal.
    pub fn open(info: &Info) -> Result<Domain, Error> {
        let library = info.library();
        library.keep_from_caching();
        let threads = info.quirks.threads;
        if threads > 0 {
            let room = memory::headroom::check_threads(threads);
            Error::unless("threads of the provider", room)?;
        }
        // Where little memory is left the provider may take all of it, and the next allocation here
        // would end the process: this much is kept from it.
        Error::unless_room("a device", RESERVED_BYTES)?;
        let mut reserved = Vec::<u8>::new();
        let _ = reserved.try_reserve_exact(RESERVED_BYTES);
        let reserved = std::hint::black_box(reserved);
        let mut fabric = ptr::null_mut();
        // SAFETY: the attributes are those of a complete answer, which `info` keeps alive.
        let answer = unsafe {
            (library.loaded().fabric)((*info.raw()).fabric_attr, &mut fabric, ptr::null_mut())
        };
        library.check("fi_fabric", answer)?;
        let mut opened = DomainObjects {
            info: info.clone(),
            fabric,
            domain: ptr::null_mut(),
        };
        // SAFETY: `fi_fabric` succeeded, so the object is there.
        let table = unsafe { (*fabric).ops };
        let open = entry!(table, fi_ops_fabric, domain);
        let open = demand(open, "fi_domain")?;
        let mut domain = ptr::null_mut();
        // SAFETY: the object and the answer are valid; `domain` is room for the result.
        let answer = unsafe { open(fabric, info.raw(), &mut domain, ptr::null_mut()) };
        drop(reserved);
        // Until here nothing owns it: `sockets` leaves a pointer to freed memory when it fails.
        library.check("fi_domain", answer)?;
        opened.domain = domain;
        Ok(Domain(Arc::new(opened)))
    }

    /// Returns the answer that the device was opened with.
    pub fn info(&self) -> &Info {
        &self.0.info
    }

    /// Returns how many elements one atomic operation may have; 0 when the provider lacks it.
    pub fn atomic_count(&self, kind: AtomicKind, ty: AtomicType, op: AtomicOp) -> usize {
        let Some(query) = entry!(self.raw_ops(), fi_ops_domain, query_atomic) else {
            return 0;
        };
        let mut attr = sys::fi_atomic_attr { count: 0, size: 0 };
        // SAFETY: the domain is open; `attr` is room for the answer.
        let answer = unsafe {
            query(
                self.raw(),
                ty.raw(),
                op.raw(),
                &mut attr,
                kind.query_flags(),
            )
        };
        if answer < 0 || attr.size != ty.bytes() {
            return 0;
        }
        attr.count
    }

    /// Whether the caller may sleep on this queue's descriptor: false when there is something to
    /// read.
    pub(crate) fn may_sleep(&self, queue: *mut fid) -> bool {
        // SAFETY: the fabric is open as long as `self`.
        let table = unsafe { (*self.0.fabric).ops };
        let Some(trywait) = entry!(table, fi_ops_fabric, trywait) else {
            return false;
        };
        let mut queues = [queue];
        // SAFETY: one valid object in an array of one.
        unsafe { trywait(self.0.fabric, queues.as_mut_ptr(), 1) == 0 }
    }

    pub(crate) fn raw(&self) -> *mut fid_domain {
        self.0.domain
    }

    pub(crate) fn raw_ops(&self) -> *mut sys::fi_ops_domain {
        // SAFETY: the domain is open as long as `self`.
        unsafe { (*self.0.domain).ops }
    }

    pub(crate) fn raw_mr(&self) -> *mut sys::fi_ops_mr {
        // SAFETY: the domain is open as long as `self`.
        unsafe { (*self.0.domain).mr }
    }

    pub(crate) fn fid(&self) -> *mut fid {
        self.0.domain.cast()
    }
}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0.info)
    }
}

impl Drop for DomainObjects {
    fn drop(&mut self) {
        // SAFETY: whatever was opened in the domain holds it, so nothing is left in it.
        unsafe {
            close(self.domain.cast(), "domain");
            close(self.fabric.cast(), "fabric");
        }
    }
}

/// A peer's address inside an [`Av`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address(pub(crate) u64);

impl Address {
    /// Any peer, for receives.
    pub const ANY: Address = Address(sys::ADDR_UNSPEC);
}

/// A table of peers' addresses. Copies are cheap and share it.
#[derive(Clone)]
pub struct Av(Arc<AvOpened>);

struct AvOpened {
    av: *mut fid_av,
    domain: Domain,
}

// SAFETY: as stated at `DomainObjects`.
unsafe impl Send for AvOpened {}
// SAFETY: as stated at `DomainObjects`.
unsafe impl Sync for AvOpened {}

impl Av {
    /// Opens a table for about `count` peers.
    ///
    /// # Errors
    /// The provider's refusal.
    pub fn open(domain: &Domain, count: usize) -> Result<Av, Error> {
        let open = entry!(domain.raw_ops(), fi_ops_domain, av_open);
        let open = demand(open, "fi_av_open")?;
        let mut attr = sys::fi_av_attr {
            type_: 0,
            rx_ctx_bits: 0,
            count,
            ep_per_node: 0,
            name: ptr::null(),
            map_addr: ptr::null_mut(),
            flags: 0,
        };
        let mut av = ptr::null_mut();
        // SAFETY: the domain is open; `attr` is complete; `av` is room for the result.
        let answer = unsafe { open(domain.raw(), &mut attr, &mut av, ptr::null_mut()) };
        domain.info().library().check("fi_av_open", answer)?;
        let domain = domain.clone();
        Ok(Av(Arc::new(AvOpened { av, domain })))
    }

    /// Adds the address that [`crate::Endpoint::address`] returned at the peer.
    ///
    /// # Errors
    /// One clause, when it is not one of this kind of network, or the provider does not take it.
    pub fn insert(&self, address: &[u8]) -> Result<Address, String> {
        let info = self.0.domain.info();
        let refused = || format!("{} does not take its address", info.provider);
        if !is_plausible(info, address) {
            return Err(refused());
        }
        room_for_a_peer(info).map_err(|error| format!("{}: {error}", info.provider))?;
        let insert = entry!(self.raw_ops(), fi_ops_av, insert).ok_or_else(refused)?;
        let mut inserted = sys::ADDR_UNSPEC;
        // SAFETY: the table is open; the bytes are as long as an address of this format
        // (`is_plausible`); `inserted` is room for one result.
        let count = unsafe {
            insert(
                self.0.av,
                address.as_ptr().cast(),
                1,
                &mut inserted,
                0,
                ptr::null_mut(),
            )
        };
        match count == 1 && inserted != sys::ADDR_UNSPEC {
            true => Ok(Address(inserted)),
            false => Err(refused()),
        }
    }

    /// Removes an address. Operations with it must be complete.
    pub fn remove(&self, address: Address) {
        let Some(remove) = entry!(self.raw_ops(), fi_ops_av, remove) else {
            return;
        };
        let mut address = address.0;
        // SAFETY: the table is open; one address.
        let answer = unsafe { remove(self.0.av, &mut address, 1, 0) };
        if answer < 0 {
            Framework::Opal.debug(format_args!(
                "fi_av_remove: {}",
                self.0.domain.info().library().text_of(answer)
            ));
        }
    }

    /// Returns the device of the table.
    pub fn domain(&self) -> &Domain {
        &self.0.domain
    }

    pub(crate) fn fid(&self) -> *mut fid {
        self.0.av.cast()
    }

    fn raw_ops(&self) -> *mut sys::fi_ops_av {
        // SAFETY: the table is open as long as `self`.
        unsafe { (*self.0.av).ops }
    }
}

impl Drop for AvOpened {
    fn drop(&mut self) {
        // SAFETY: the endpoints that are bound to the table hold it, so none is left.
        unsafe { close(self.av.cast(), "address vector") }
    }
}

/// Checks that there are the resources that a provider takes for a peer, where it reports no lack.
fn room_for_a_peer(info: &Info) -> std::io::Result<()> {
    let (bytes, descriptors) = (info.quirks.peer_bytes, info.quirks.peer_descriptors);
    if bytes > 0 {
        memory::headroom::check(bytes)?;
    }
    match descriptors {
        0 => Ok(()),
        count => memory::headroom::check_descriptors(count),
    }
}

/// Whether bytes from a peer can be an address of this network: a provider reads as many as its
/// format has, whatever the peer sent.
fn is_plausible(info: &Info, address: &[u8]) -> bool {
    const SOCKADDR: u32 = 1;
    const SOCKADDR_IN: u32 = 2;
    const SOCKADDR_IN6: u32 = 3;
    const STRING: u32 = 9;
    let family = |at: usize| {
        address
            .get(at..at + 2)
            .map(|f| u16::from_ne_bytes([f[0], f[1]]))
    };
    let is_v4 = address.len() == 16 && family(0) == Some(libc::AF_INET as u16);
    let is_v6 = address.len() == 28 && family(0) == Some(libc::AF_INET6 as u16);
    match info.address_format.0 {
        SOCKADDR => is_v4 || is_v6,
        SOCKADDR_IN => is_v4,
        SOCKADDR_IN6 => is_v6,
        STRING => {
            let end = address.iter().position(|&byte| byte == 0);
            end.is_some_and(|end| end > 0 && end + 1 == address.len() && end < 4096)
        }
        // SAFETY: the answer is complete and lives as long as `info`.
        _ => address.len() == unsafe { (*info.raw()).src_addrlen },
    }
}
