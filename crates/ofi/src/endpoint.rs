//! Endpoints: the objects that operations are started on, with a queue of completions.
//!
//! A standard endpoint is one object that sends and receives. A scalable one is several transmit
//! contexts and a receive context under one address; here each transmit context becomes an
//! [`Endpoint`] with a queue of its own, and the first of them also receives.

use std::os::fd::RawFd;
use std::ptr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use libc::{c_int, c_void};
use mca::Framework;

use crate::context::{Contexts, Op};
use crate::object::{bind, close, control, demand, entry};
use crate::queue::Queue;
use crate::sys::{self, fid, fid_ep};
use crate::{Av, Completion, Domain, Error, Info, ProviderThread};

/// `fi_ep_bind`: completions of transmit operations go there.
const TRANSMIT: u64 = 1 << 11;
/// `fi_ep_bind`: completions of receives go there.
const RECV: u64 = 1 << 10;

/// Most bytes of an address.
const ADDRESS_BYTES_MAX: usize = 4096;

/// Options of opening an endpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Completions that the queue holds; 0 leaves it to the provider.
    pub queue_size: usize,
    /// Whether a descriptor to sleep on is wanted. It makes every completion slower.
    pub wait: bool,
}

/// An endpoint with its queue. Belongs to one thread at a time.
///
/// Dropping it ends operations in flight without a report. The order of the fields is the order in
/// which the provider wants its objects closed: contexts before their endpoint, endpoints before
/// their queues; blocks and buffers are freed only after that.
pub struct Endpoint {
    pub(crate) tx: EndpointObject,
    /// The receive context of a scalable endpoint.
    rx: Option<EndpointObject>,
    whole: Option<Arc<EndpointObject>>,
    queue: Queue,
    pub(crate) contexts: Contexts,
    av: Av,
    enabled: bool,
    /// Whether accepted operations begin only when the queue is read.
    begins_late: bool,
}

/// An open endpoint object; closed when dropped.
pub(crate) struct EndpointObject(*mut fid_ep);

// SAFETY: endpoints are asked for with `FI_THREAD_SAFE`.
unsafe impl Send for EndpointObject {}
// SAFETY: as stated at `Send`.
unsafe impl Sync for EndpointObject {}

impl Endpoint {
    /// Opens a standard endpoint.
    ///
    /// # Errors
    /// The provider's refusal.
    pub fn open(info: &Info, av: &Av, options: Options) -> Result<Endpoint, Error> {
        let domain = av.domain();
        let open = entry!(domain.raw_ops(), fi_ops_domain, endpoint);
        // `ofi_rxm` crashes as an endpoint closes that was never bound: what may fail comes first.
        let queue = Queue::open(domain, options.queue_size, options.wait)?;
        let tx = EndpointObject::open(domain, info, open, "fi_endpoint")?;
        let mut endpoint = Endpoint {
            tx,
            rx: None,
            whole: None,
            queue,
            contexts: Contexts::new(),
            av: av.clone(),
            enabled: false,
            begins_late: info.provider_thread() == ProviderThread::Off,
        };
        endpoint.tx.bind_av(av)?;
        endpoint
            .tx
            .start(&endpoint.queue, TRANSMIT | RECV, domain)?;
        endpoint.enabled = true;
        Ok(endpoint)
    }

    /// Opens a scalable endpoint with `count` transmit contexts, which `info` must have been
    /// asked for ([`crate::Hints::tx_contexts`]).
    ///
    /// # Errors
    /// The provider's refusal; most have no such endpoints.
    pub fn open_scalable(
        info: &Info,
        av: &Av,
        count: usize,
        options: Options,
    ) -> Result<Vec<Endpoint>, Error> {
        let domain = av.domain();
        let open = entry!(domain.raw_ops(), fi_ops_domain, scalable_ep);
        let whole = Arc::new(EndpointObject::open(domain, info, open, "fi_scalable_ep")?);
        whole.bind_av(av)?;
        let mut endpoints = Vec::new();
        for index in 0..count {
            let queue = Queue::open(domain, options.queue_size, options.wait)?;
            let tx = whole.context(domain, index, true)?;
            let rx = match index {
                0 => Some(whole.context(domain, index, false)?),
                _ => None,
            };
            let mut endpoint = Endpoint {
                tx,
                rx,
                whole: Some(whole.clone()),
                queue,
                contexts: Contexts::new(),
                av: av.clone(),
                enabled: false,
                begins_late: info.provider_thread() == ProviderThread::Off,
            };
            endpoint.tx.start(&endpoint.queue, TRANSMIT, domain)?;
            if let Some(rx) = &endpoint.rx {
                rx.start(&endpoint.queue, RECV, domain)?;
            }
            endpoint.enabled = true;
            endpoints.push(endpoint);
        }
        whole.enable(domain)?;
        Ok(endpoints)
    }

    /// Returns the address that peers insert into their tables.
    ///
    /// # Errors
    /// The provider's refusal.
    pub fn address(&self) -> Result<Vec<u8>, Error> {
        let of = self.whole.as_deref().unwrap_or(&self.tx);
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*of.0).cm };
        let name = entry!(table, fi_ops_cm, getname);
        let name = demand(name, "fi_getname")?;
        let mut bytes = vec![0; ADDRESS_BYTES_MAX];
        let mut len = bytes.len();
        // SAFETY: the endpoint is open; `bytes` has room for `len`.
        let answer = unsafe { name(of.fid(), bytes.as_mut_ptr().cast(), &mut len) };
        self.domain().info().library().check("fi_getname", answer)?;
        bytes.truncate(len);
        Ok(bytes)
    }

    /// Reads completions, at most `most`; returns whether [`Endpoint::ended`] has any to return.
    /// Nothing is read while it has. Providers without progress of their own make it here.
    ///
    /// # Errors
    /// When the queue itself is broken. Failed operations are completions with an error.
    #[inline]
    pub fn poll(&mut self, most: usize) -> Result<bool, Error> {
        self.queue.read(&mut self.contexts, most)
    }

    /// Returns the next of the completions that were read.
    #[inline]
    pub fn ended(&mut self) -> Option<Completion> {
        self.queue.next(&mut self.contexts)
    }

    /// Returns the token of the only completion that was read, if the operation succeeded. The
    /// completion remains to be returned.
    #[inline]
    pub fn sole_end(&self) -> Option<u64> {
        self.queue.sole(&self.contexts)
    }

    /// Returns how many more the last [`Endpoint::poll`] might have read; 0 if it read all.
    #[inline]
    pub fn left(&self) -> usize {
        self.queue.left()
    }

    /// Returns the descriptor that becomes readable when an operation may have completed, where the
    /// endpoint was opened for it and the provider can. Sleep on it only after
    /// [`Endpoint::may_sleep`].
    pub fn descriptor(&self) -> Option<RawFd> {
        self.queue.descriptor()
    }

    /// Whether there is nothing to poll, so that the descriptor will report the next completion.
    pub fn may_sleep(&self) -> bool {
        self.queue.may_sleep()
    }

    /// Returns the descriptor, where one may sleep on it now.
    pub fn sleepable(&self) -> Option<RawFd> {
        self.descriptor().filter(|_| self.may_sleep())
    }

    /// Requests the end of an operation, which comes as a completion: with the error "cancelled",
    /// or as without the request. Only receives can be relied on to end.
    pub fn cancel(&mut self, op: Op) {
        let Some(context) = self.contexts.context_of(op) else {
            return;
        };
        let of = self.rx.as_ref().unwrap_or(&self.tx);
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*of.0).ops };
        if let Some(cancel) = entry!(table, fi_ops_ep, cancel) {
            // SAFETY: the endpoint is open, and the context is one that it was given.
            unsafe { cancel(of.fid(), context) };
        }
    }

    /// Returns the number of operations whose completion has not been read.
    pub fn under_way(&self) -> usize {
        self.contexts.under_way()
    }

    /// Whether this is a context of a scalable endpoint.
    pub fn is_scalable(&self) -> bool {
        self.whole.is_some()
    }

    /// Returns the table of peers.
    pub fn av(&self) -> &Av {
        &self.av
    }

    /// Returns the device.
    pub fn domain(&self) -> &Domain {
        self.av.domain()
    }

    pub(crate) fn fid(&self) -> *mut fid {
        self.whole.as_deref().unwrap_or(&self.tx).fid()
    }

    /// Returns the object that receives.
    pub(crate) fn rx(&self) -> *mut fid_ep {
        self.rx.as_ref().unwrap_or(&self.tx).0
    }

    /// Makes an accepted operation begin, where the provider would defer it.
    #[inline]
    pub(crate) fn begin(&self) {
        if self.begins_late {
            self.queue.move_on();
        }
    }

    /// Returns the object that transmits.
    pub(crate) fn tx(&self) -> *mut fid_ep {
        self.tx.0
    }
}

impl Drop for Endpoint {
    /// Handles pending requests of peers, where the provider must not meet them as it closes
    /// ([`crate::quirks::Quirks::closes_on_requests`]).
    fn drop(&mut self) {
        /// Each call handles one request, and does not report it.
        const EMPTY_POLLS: usize = 256;
        const LIMIT: Duration = Duration::from_millis(20);
        if !self.enabled || !self.domain().info().quirks.closes_on_requests {
            return;
        }
        let (since, mut empty) = (Instant::now(), 0);
        while empty < EMPTY_POLLS && since.elapsed() < LIMIT {
            match self.poll(EMPTY_POLLS) {
                Ok(false) => empty += 1,
                Ok(true) => empty = 0,
                Err(_) => return,
            }
            while self.ended().is_some() {}
        }
    }
}

impl EndpointObject {
    fn open(
        domain: &Domain,
        info: &Info,
        open: Option<sys::OpenEndpoint>,
        call: &'static str,
    ) -> Result<EndpointObject, Error> {
        let open = demand(open, call)?;
        let mut ep = ptr::null_mut();
        // SAFETY: the domain is open; the answer is complete and lives as long as `info`; `ep`
        // is room for the result.
        let answer = unsafe { open(domain.raw(), info.raw(), &mut ep, ptr::null_mut()) };
        domain.info().library().check(call, answer)?;
        Ok(EndpointObject(ep))
    }

    /// Opens a transmit or receive context of a scalable endpoint.
    fn context(
        &self,
        domain: &Domain,
        index: usize,
        transmit: bool,
    ) -> Result<EndpointObject, Error> {
        let library = domain.info().library();
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.0).ops };
        let (mut ep, index, none) = (ptr::null_mut(), index as c_int, ptr::null_mut());
        if transmit {
            let call = "fi_tx_context";
            let open = demand(entry!(table, fi_ops_ep, tx_ctx), call)?;
            // SAFETY: the endpoint is open; null attributes ask for those of the endpoint; `ep`
            // is room for the result.
            let answer = unsafe { open(self.0, index, ptr::null_mut(), &mut ep, none) };
            library.check(call, answer)?;
        } else {
            let call = "fi_rx_context";
            let open = demand(entry!(table, fi_ops_ep, rx_ctx), call)?;
            // SAFETY: as above.
            let answer = unsafe { open(self.0, index, ptr::null_mut(), &mut ep, none) };
            library.check(call, answer)?;
        }
        Ok(EndpointObject(ep))
    }

    fn bind_av(&self, av: &Av) -> Result<(), Error> {
        let library = av.domain().info().library();
        // SAFETY: both objects are open.
        unsafe { bind(library, self.fid(), av.fid(), 0, "fi_ep_bind") }
    }

    /// Binds the queue and enables.
    fn start(&self, queue: &Queue, flags: u64, domain: &Domain) -> Result<(), Error> {
        let library = domain.info().library();
        // SAFETY: both objects are open.
        unsafe { bind(library, self.fid(), queue.fid(), flags, "fi_ep_bind")? };
        self.enable(domain)
    }

    fn enable(&self, domain: &Domain) -> Result<(), Error> {
        let (library, none) = (domain.info().library(), ptr::null_mut::<c_void>());
        // SAFETY: the endpoint is open; the command takes no argument.
        let enable = || unsafe { control(library, self.fid(), sys::ENABLE, none, "fi_enable") };
        match enable() {
            // A process that was killed leaves its region of `shm` behind, named by its number. A
            // process that gets that number again finds the region there, with an owner that is
            // alive: itself. The provider says so, and removes the region.
            Err(error) if error.code() == Some(libc::EBUSY) => {
                Framework::Opal.debug(format_args!("{error}: once more"));
                enable()
            }
            enabled => enabled,
        }
    }

    fn fid(&self) -> *mut fid {
        self.0.cast()
    }
}

impl Drop for EndpointObject {
    fn drop(&mut self) {
        // SAFETY: opened by the provider, and closed only here.
        unsafe { close(self.0.cast(), "endpoint") }
    }
}
