//! Queries for providers: requirements ([`Hints`]) and the offers that meet them ([`Info`]).

use std::ffi::CString;
use std::fmt;
use std::ptr;
use std::sync::Arc;

use libc::{c_char, c_int};

use crate::library::text;
use crate::quirks::{self, Quirks};
use crate::signals::keep_handlers;
use crate::sys::{self, fi_info};
use crate::{Error, Library};

/// Capability bits of a provider (`fi_getinfo(3)`).
pub mod caps {
    /// Messages.
    pub const MSG: u64 = 1 << 1;
    /// Reading and writing a peer's memory.
    pub const RMA: u64 = 1 << 2;
    /// Messages that the provider matches by tag.
    pub const TAGGED: u64 = 1 << 3;
    /// Atomic operations on words of a peer's memory.
    pub const ATOMIC: u64 = 1 << 4;
    /// Receives that name their sender.
    pub const DIRECTED_RECV: u64 = 1 << 59;
    /// Completions that name their sender.
    pub const SOURCE: u64 = 1 << 57;
}

/// Demands that a provider makes on the caller (`fi_getinfo(3)`, "mode").
pub mod mode {
    /// Operations provide four words of context; see [`crate::context`].
    pub const CONTEXT: u64 = 1 << 59;
    /// Operations provide eight words of context; see [`crate::context`].
    pub const CONTEXT2: u64 = 1 << 52;
}

/// Demands of a provider on registered memory (`fi_mr(3)`).
pub mod mr_mode {
    /// The old name of `VIRT_ADDR`, `ALLOCATED` and `PROV_KEY` together.
    pub const BASIC: u32 = 1 << 0;
    /// The old name of no demand at all.
    pub const SCALABLE: u32 = 1 << 1;
    /// Local buffers of every operation are registered too.
    pub const LOCAL: u32 = 1 << 2;
    /// Keys are longer than 64 bits.
    pub const RAW: u32 = 1 << 3;
    /// Peers name memory by its address, not by its offset in the registration.
    pub const VIRT_ADDR: u32 = 1 << 4;
    /// Memory is there when it is registered.
    pub const ALLOCATED: u32 = 1 << 5;
    /// The provider makes the keys.
    pub const PROV_KEY: u32 = 1 << 6;
    /// The caller reports every change of the page tables.
    pub const MMU_NOTIFY: u32 = 1 << 7;
    /// Counting of accesses is requested by registration.
    pub const RMA_EVENT: u32 = 1 << 8;
    /// A registration belongs to an endpoint.
    pub const ENDPOINT: u32 = 1 << 9;
}

/// Orders that a provider keeps (`fi_endpoint(3)`, "message ordering").
pub mod order {
    /// Messages are matched in the order in which they were sent.
    pub const SAS: u64 = 1 << 8;
}

/// The format of a provider's addresses (`fi_getinfo(3)`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressFormat(pub u32);

/// The party that makes progress on operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The provider, by itself.
    Auto,
    /// The caller, by polling.
    Manual,
}

/// The thread by which a provider moves data itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProviderThread {
    /// The provider has none.
    Absent,
    /// The thread moves the data, and needs a core for that.
    Runs,
    /// The thread is off: all work of an operation, its first step included, is done as the queue
    /// is read, and the queue's descriptor reports no arrivals. Providers without a thread send as
    /// much as they can when the operation is posted.
    Off,
}

/// A question: requirements, and the demands that the caller can meet. Endpoints are always of the
/// reliable, unconnected kind (RDM), and resources are managed by the provider, so that a full
/// queue is `EAGAIN` and never an overrun.
#[derive(Clone, Debug)]
pub struct Hints {
    /// Capabilities, of [`caps`].
    pub caps: u64,
    /// Demands on registered memory that the caller meets, of [`mr_mode`].
    pub mr_mode: u32,
    /// Message order asked for, of [`order`].
    pub msg_order: u64,
    /// Flags that every transmit operation of the endpoint must be able to have, of
    /// [`crate::flags`].
    pub tx_flags: u64,
    /// The provider, by its whole name; `None` asks all.
    pub provider: Option<String>,
    /// The domain, by its whole name; `None` asks all.
    pub domain: Option<String>,
    /// Transmit contexts of a scalable endpoint; 0 asks for a standard endpoint.
    pub tx_contexts: usize,
    /// The party that makes progress on data; `None` leaves it to the provider.
    pub data_progress: Option<Progress>,
}

impl Hints {
    /// Asks for capabilities, and meets the demands that this crate can.
    pub fn new(caps: u64) -> Hints {
        let mr_mode = mr_mode::LOCAL
            | mr_mode::VIRT_ADDR
            | mr_mode::ALLOCATED
            | mr_mode::PROV_KEY
            | mr_mode::ENDPOINT;
        Hints {
            caps,
            mr_mode,
            msg_order: 0,
            tx_flags: 0,
            provider: None,
            domain: None,
            tx_contexts: 0,
            data_progress: None,
        }
    }
}

/// The position of a device on the PCI bus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pci {
    /// Domain of the bus.
    pub domain: u16,
    /// Bus.
    pub bus: u8,
    /// Device.
    pub device: u8,
    /// Function.
    pub function: u8,
}

/// One answer: a provider with a device, and its limits. Sizes are bytes.
#[derive(Clone)]
pub struct Info {
    list: Arc<List>,
    at: *mut fi_info,
    /// The provider's whole name, such as `tcp;ofi_rxm`.
    pub provider: String,
    /// The fabric: peers of one fabric reach each other.
    pub fabric: String,
    /// The domain: the device.
    pub domain: String,
    /// Capabilities, of [`caps`].
    pub caps: u64,
    /// Demands on the caller, of [`mode`].
    pub mode: u64,
    /// Demands on registered memory, of [`mr_mode`].
    pub mr_mode: u32,
    /// Bytes of a memory key.
    pub mr_key_bytes: usize,
    /// The format of addresses.
    pub address_format: AddressFormat,
    /// Largest operation that needs its buffer only during the call.
    pub inject_max: usize,
    /// Largest operation of all.
    pub message_max: usize,
    /// Pieces of local memory of one operation.
    pub iov_max: usize,
    /// Transmit operations that may be in flight.
    pub tx_size: usize,
    /// Receives that may be posted.
    pub rx_size: usize,
    /// Message order kept by both sides, of [`order`].
    pub msg_order: u64,
    /// Most transmit contexts of a scalable endpoint; 1 means that there are none.
    pub tx_contexts_max: usize,
    /// Most receive contexts of a scalable endpoint.
    pub rx_contexts_max: usize,
    /// Bytes that travel with an operation beside its data.
    pub cq_data_bytes: usize,
    /// Bits of a tag that the caller may use are the ones of the fields that this pattern shows.
    pub tag_format: u64,
    /// The party that makes progress on data.
    pub data_progress: Progress,
    /// The position of the device; `None` where the provider does not say.
    pub pci: Option<Pci>,
    /// Bits per second of the link; 0 where the provider does not say.
    pub link_bps: u64,
    /// The provider's deviations from others.
    pub quirks: Quirks,
}

/// The list that the library allocated.
struct List {
    library: Library,
    first: *mut fi_info,
}

// SAFETY: the list is plain memory that only `Drop` and calls of the library with an `Info`
// touch; the library reads it and keeps no state of a thread in it.
unsafe impl Send for List {}
// SAFETY: as stated at `Send`; nothing writes to the list after `query`.
unsafe impl Sync for List {}
// SAFETY: the pointer leads into `list`, which is `Send` and `Sync` and outlives it.
unsafe impl Send for Info {}
// SAFETY: as stated at `Send`.
unsafe impl Sync for Info {}

impl Library {
    /// Queries the providers. An empty answer means that none has what the hints ask for.
    ///
    /// # Errors
    /// When the library fails for another reason than that.
    pub fn query(&self, hints: &Hints) -> Result<Vec<Info>, Error> {
        let question = Question::new(self, hints)?;
        let mut first = ptr::null_mut();
        // SAFETY: null node and service are allowed; the hints were allocated by the library
        // and filled in; `first` is room for the answer.
        let ask = || unsafe {
            (self.loaded().getinfo)(
                self.interface(),
                ptr::null(),
                ptr::null(),
                0,
                question.0.first,
                &mut first,
            )
        };
        // Some providers are libraries of their own, which are loaded now.
        let answer = keep_handlers(ask);
        if answer == -libc::ENODATA {
            return Ok(Vec::new());
        }
        self.check("fi_getinfo", answer)?;
        let library = self.clone();
        let version = library.version();
        let list = Arc::new(List { library, first });
        let mut infos = Vec::new();
        let mut at = first;
        while !at.is_null() {
            // SAFETY: `at` walks the list that `list` owns, of complete entries, which nobody else
            // knows yet.
            unsafe {
                adapt(&mut *at, hints, &version);
                infos.push(Info::read(list.clone(), at));
                at = (*at).next;
            }
        }
        Ok(infos)
    }
}

/// Fills in the best choices where the caller and the provider leave them open.
///
/// Processes that share cores with a provider's threads wait for the scheduler at each step, and a
/// process that has a core for itself still waits for the thread. So this process makes progress on
/// its data as it polls, unless the user has said otherwise.
///
/// # Safety
/// The entry has all attributes, as `fi_getinfo` gives them.
unsafe fn adapt(info: &mut fi_info, hints: &Hints, version: &str) {
    // SAFETY: promised by the caller.
    unsafe {
        let quirks = quirks::of(&text((*info.fabric_attr).prov_name), version);
        let size = &mut (*info.rx_attr).size;
        *size = quirks.receives_max.min(*size);
        if quirks.has_progress_thread && hints.data_progress.is_none() {
            (*info.domain_attr).data_progress = sys::PROGRESS_MANUAL;
        }
    }
}

impl Info {
    /// # Safety
    /// `at` is an entry of the list with all attributes present, as `fi_getinfo` gives them.
    unsafe fn read(list: Arc<List>, at: *mut fi_info) -> Info {
        // SAFETY: promised by the caller; `fi_getinfo` fills every attribute in.
        unsafe {
            let info = &*at;
            let (tx, rx) = (&*info.tx_attr, &*info.rx_attr);
            let (ep, domain) = (&*info.ep_attr, &*info.domain_attr);
            let fabric = &*info.fabric_attr;
            let manual = domain.data_progress == sys::PROGRESS_MANUAL;
            let provider = text(fabric.prov_name);
            Info {
                at,
                quirks: quirks::of(&provider, &list.library.version()),
                provider,
                fabric: text(fabric.name),
                domain: text(domain.name),
                caps: info.caps,
                mode: info.mode | tx.mode | rx.mode,
                mr_mode: domain.mr_mode as u32,
                mr_key_bytes: domain.mr_key_size,
                address_format: AddressFormat(info.addr_format),
                inject_max: tx.inject_size,
                message_max: ep.max_msg_size,
                iov_max: tx.iov_limit.min(rx.iov_limit),
                tx_size: tx.size,
                rx_size: rx.size,
                msg_order: tx.msg_order & rx.msg_order,
                tx_contexts_max: domain.max_ep_tx_ctx,
                rx_contexts_max: domain.max_ep_rx_ctx,
                cq_data_bytes: domain.cq_data_size,
                tag_format: ep.mem_tag_format,
                data_progress: if manual {
                    Progress::Manual
                } else {
                    Progress::Auto
                },
                pci: pci_of(info),
                link_bps: link_of(info),
                list,
            }
        }
    }

    /// Returns what the provider's own thread, if it has one, does for this device.
    pub fn provider_thread(&self) -> ProviderThread {
        match (self.quirks.has_progress_thread, self.data_progress) {
            (false, _) => ProviderThread::Absent,
            (true, Progress::Auto) => ProviderThread::Runs,
            (true, Progress::Manual) => ProviderThread::Off,
        }
    }

    /// Whether a queue's descriptor reports arrivals.
    pub fn wakes(&self) -> bool {
        self.provider_thread() != ProviderThread::Off
    }

    /// Whether the provider has all these capabilities.
    pub fn has(&self, caps: u64) -> bool {
        self.caps & caps == caps
    }

    /// Whether the provider makes one of these demands on registered memory; the old names count as
    /// the demands that they stand for.
    pub fn demands(&self, mr_mode: u32) -> bool {
        let basic = mr_mode::VIRT_ADDR | mr_mode::ALLOCATED | mr_mode::PROV_KEY;
        let demands = match self.mr_mode & mr_mode::BASIC {
            0 => self.mr_mode,
            _ => self.mr_mode | basic,
        };
        demands & mr_mode != 0
    }

    /// Returns the library of the answer.
    pub fn library(&self) -> &Library {
        &self.list.library
    }

    pub(crate) fn raw(&self) -> *mut fi_info {
        self.at
    }
}

impl fmt::Debug for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {} ({})", self.provider, self.domain, self.fabric)
    }
}

impl Info {
    /// Whether the port of [`Info::at_port`] is in use; tried with a socket of our own, since `udp`
    /// (1.17) never closes the one that it could not bind.
    pub fn is_port_taken(&self) -> bool {
        // SAFETY: `at` leads into the list, which is complete and lives as long as `self`; the
        // address has as many bytes as it says, and the descriptor is this function's own.
        unsafe {
            let address: *const libc::sockaddr = (*self.at).src_addr.cast_const().cast();
            if address.is_null() {
                return false;
            }
            let family = c_int::from((*address).sa_family);
            let socket = libc::socket(family, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
            if socket < 0 {
                return false;
            }
            let len = (*self.at).src_addrlen as libc::socklen_t;
            let taken = libc::bind(socket, address, len) != 0;
            libc::close(socket);
            taken
        }
    }

    /// Returns the device for endpoints on a port of the caller's choice; `None` where addresses
    /// have no ports.
    pub fn at_port(&self, port: u16) -> Option<Info> {
        /// Offset of the port in the system's addresses of both internet families.
        const PORT: usize = 2;
        let library = self.library();
        // SAFETY: `at` leads into the list, which is complete and lives as long as `self`.
        let (first, is_internet) = unsafe {
            let len = (*self.at).src_addrlen;
            let long = len >= PORT + 2 && !(*self.at).src_addr.is_null();
            let is_internet = long
                && matches!(
                    (*self.at).src_addr.cast::<u16>().read_unaligned() as c_int,
                    libc::AF_INET | libc::AF_INET6
                );
            (((library.loaded()).dupinfo)(self.at), is_internet)
        };
        if first.is_null() {
            return None;
        }
        let library = library.clone();
        let list = Arc::new(List { library, first });
        if !is_internet {
            return None;
        }
        // SAFETY: the copy is complete, and nobody else has it yet; its source address is as long
        // as the original's, whose length was looked at.
        unsafe {
            let address: *mut u8 = (*first).src_addr.cast();
            let place: *mut [u8; 2] = address.add(PORT).cast();
            place.write(port.to_be_bytes());
            Some(Info::read(list, first))
        }
    }
}

impl Drop for List {
    fn drop(&mut self) {
        // SAFETY: the library allocated the list, and nobody refers to it any more.
        unsafe { (self.library.loaded().freeinfo)(self.first) }
    }
}

/// Hints as the library wants them, in memory that it allocated and frees.
struct Question(List);

impl Question {
    fn new(library: &Library, hints: &Hints) -> Result<Question, Error> {
        // SAFETY: null asks for an empty structure with all attributes (`fi_allocinfo`).
        let first = unsafe { (library.loaded().dupinfo)(ptr::null()) };
        if first.is_null() {
            return Err(library.refused("fi_dupinfo", -i64::from(libc::ENOMEM)));
        }
        let question = Question(List {
            library: library.clone(),
            first,
        });
        let (provider, domain) = (c_text(&hints.provider), c_text(&hints.domain));
        // SAFETY: `fi_dupinfo` gave a structure whose attributes are all there, and nobody else
        // has it. `fi_freeinfo` frees the strings with `free`, as `strdup` allocated them.
        unsafe {
            let info = &mut *first;
            info.caps = hints.caps;
            info.mode = mode::CONTEXT | mode::CONTEXT2;
            let (tx, rx) = (&mut *info.tx_attr, &mut *info.rx_attr);
            tx.msg_order = hints.msg_order;
            rx.msg_order = hints.msg_order;
            tx.op_flags = hints.tx_flags;
            let ep = &mut *info.ep_attr;
            ep.type_ = sys::EP_RDM;
            ep.tx_ctx_cnt = hints.tx_contexts;
            ep.rx_ctx_cnt = hints.tx_contexts.min(1);
            let attr = &mut *info.domain_attr;
            attr.threading = sys::THREAD_SAFE;
            attr.resource_mgmt = sys::RM_ENABLED;
            attr.mr_mode = hints.mr_mode as c_int;
            attr.data_progress = match hints.data_progress {
                None => 0,
                Some(Progress::Auto) => sys::PROGRESS_AUTO,
                Some(Progress::Manual) => sys::PROGRESS_MANUAL,
            };
            attr.name = duplicate(&domain);
            (*info.fabric_attr).prov_name = duplicate(&provider);
        }
        Ok(question)
    }
}

/// Returns a name as a C string. One with a zero byte inside names nothing, as an empty one does.
fn c_text(text: &Option<String>) -> Option<CString> {
    let text = text.as_deref()?;
    Some(CString::new(text).unwrap_or_default())
}

/// A copy that `free` frees; null for `None`.
fn duplicate(text: &Option<CString>) -> *mut c_char {
    match text {
        // SAFETY: a terminated string.
        Some(text) => unsafe { libc::strdup(text.as_ptr()) },
        None => ptr::null_mut(),
    }
}

/// # Safety
/// `info` is one that the library gave.
unsafe fn pci_of(info: &fi_info) -> Option<Pci> {
    // SAFETY: the library gives null or complete attributes.
    unsafe {
        let bus = (*ptr::NonNull::new(info.nic)?.as_ptr()).bus_attr;
        let bus = &*ptr::NonNull::new(bus)?.as_ptr();
        (bus.bus_type == sys::BUS_PCI).then_some(Pci {
            domain: bus.domain_id,
            bus: bus.bus_id,
            device: bus.device_id,
            function: bus.function_id,
        })
    }
}

/// # Safety
/// `info` is one that the library gave.
unsafe fn link_of(info: &fi_info) -> u64 {
    // SAFETY: the library gives null or complete attributes.
    unsafe {
        if info.nic.is_null() || (*info.nic).link_attr.is_null() {
            return 0;
        }
        (*(*info.nic).link_attr).speed as u64
    }
}
