//! An endpoint: what operations are started on, and the queue of their ends.
//!
//! A standard endpoint is one object that sends and receives. A scalable one is several transmit
//! contexts and a receive context under one address; here each transmit context becomes an
//! [`Endpoint`] with a queue of its own, and the first of them also receives.

use std::os::fd::RawFd;
use std::ptr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use libc::{c_int, c_void};

use crate::context::{Contexts, Op};
use crate::domain::{bind, close, control, demand, entry};
use crate::queue::Queue;
use crate::sys::{self, fid, fid_ep};
use crate::{Av, Completion, Domain, Error, Info};

/// `fi_ep_bind`: completions of transmit operations go there.
const TRANSMIT: u64 = 1 << 11;
/// `fi_ep_bind`: completions of receives go there.
const RECV: u64 = 1 << 10;

/// Most bytes of an address.
const ADDRESS_BYTES_MAX: usize = 4096;

/// How an endpoint is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Completions that the queue holds; 0 leaves it to the provider.
    pub queue_size: usize,
    /// Whether a descriptor to sleep on is wanted. It makes every completion dearer.
    pub wait: bool,
}

/// An endpoint with its queue. Belongs to one thread at a time.
///
/// Dropping it ends what is under way without a report. The order of the fields is the order in
/// which the provider wants its objects closed: contexts before the endpoint that they are of,
/// endpoints before their queues; blocks and buffers are free only after that.
pub struct Endpoint {
    pub(crate) tx: Opened,
    /// The receive context of a scalable endpoint.
    rx: Option<Opened>,
    whole: Option<Arc<Opened>>,
    queue: Queue,
    pub(crate) contexts: Contexts,
    av: Av,
    enabled: bool,
    /// See [`Info::begins_late`].
    begins_late: bool,
}

/// An open endpoint object; closed when dropped.
pub(crate) struct Opened(*mut fid_ep);

// SAFETY: endpoints are asked for with `FI_THREAD_SAFE`.
unsafe impl Send for Opened {}
// SAFETY: as for `Send`.
unsafe impl Sync for Opened {}

impl Endpoint {
    /// Opens a standard endpoint.
    ///
    /// # Errors
    /// What the provider says against it.
    pub fn open(info: &Info, av: &Av, options: Options) -> Result<Endpoint, Error> {
        let domain = av.domain();
        let open = entry!(domain.raw_ops(), fi_ops_domain, endpoint);
        // `ofi_rxm` crashes as an endpoint closes that was never bound: what may fail comes first.
        let queue = Queue::open(domain, options.queue_size, options.wait)?;
        let tx = Opened::open(domain, info, open, "fi_endpoint")?;
        let mut endpoint = Endpoint {
            tx,
            rx: None,
            whole: None,
            queue,
            contexts: Contexts::new(),
            av: av.clone(),
            enabled: false,
            begins_late: info.begins_late(),
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
    /// What the provider says against it; most have no such endpoints.
    pub fn open_scalable(
        info: &Info,
        av: &Av,
        count: usize,
        options: Options,
    ) -> Result<Vec<Endpoint>, Error> {
        let domain = av.domain();
        let open = entry!(domain.raw_ops(), fi_ops_domain, scalable_ep);
        let whole = Arc::new(Opened::open(domain, info, open, "fi_scalable_ep")?);
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
                begins_late: info.begins_late(),
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

    /// The address that peers insert into their tables.
    ///
    /// # Errors
    /// What the provider says against it.
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

    /// Reads ends of operations, at most `most`; whether [`Endpoint::ended`] has any to give.
    /// Nothing is read while it has. Providers that do not move operations on by themselves do so
    /// here.
    ///
    /// # Errors
    /// When the queue itself is broken. Failed operations are completions with an error.
    #[inline]
    pub fn poll(&mut self, most: usize) -> Result<bool, Error> {
        self.queue.read(&mut self.contexts, most)
    }

    /// The next of the ends that were read.
    #[inline]
    pub fn ended(&mut self) -> Option<Completion> {
        self.queue.next(&mut self.contexts)
    }

    /// The token of the end that is the only one to be given, if that operation went well. It stays
    /// to be given.
    #[inline]
    pub fn sole_end(&self) -> Option<u64> {
        self.queue.sole(&self.contexts)
    }

    /// How many more the last [`Endpoint::poll`] might have read; 0 where there were no more.
    #[inline]
    pub fn left(&self) -> usize {
        self.queue.left()
    }

    /// What becomes readable when there may be an end of an operation, where the endpoint was
    /// opened for it and the provider can. Sleep on it only after [`Endpoint::may_sleep`].
    pub fn descriptor(&self) -> Option<RawFd> {
        self.queue.descriptor()
    }

    /// Whether nothing is there to be polled, so that the descriptor will tell of the next end.
    pub fn may_sleep(&self) -> bool {
        self.queue.may_sleep()
    }

    /// The descriptor, where one may sleep on it now.
    pub fn sleepable(&self) -> Option<RawFd> {
        self.descriptor().filter(|_| self.may_sleep())
    }

    /// Asks for the end of an operation, which comes as a completion: with the error
    /// "cancelled", or as if nobody had asked. Only receives can be relied on to end.
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

    /// Operations whose end has not been reported.
    pub fn under_way(&self) -> usize {
        self.contexts.under_way()
    }

    /// Whether it is a context of a scalable endpoint.
    pub fn is_scalable(&self) -> bool {
        self.whole.is_some()
    }

    /// The table of peers.
    pub fn av(&self) -> &Av {
        &self.av
    }

    /// The device.
    pub fn domain(&self) -> &Domain {
        self.av.domain()
    }

    pub(crate) fn fid(&self) -> *mut fid {
        self.whole.as_deref().unwrap_or(&self.tx).fid()
    }

    /// The object that receives.
    pub(crate) fn rx(&self) -> *mut fid_ep {
        self.rx.as_ref().unwrap_or(&self.tx).0
    }

    /// Has an operation that was taken begin, where the provider would leave it lie.
    #[inline]
    pub(crate) fn begin(&self) {
        if self.begins_late {
            self.queue.move_on();
        }
    }

    /// The object that transmits.
    pub(crate) fn tx(&self) -> *mut fid_ep {
        self.tx.0
    }
}

impl Drop for Endpoint {
    /// Handles the requests of peers that are there, where the provider must not come upon them as
    /// it closes ([`crate::quirks::Quirks::closes_on_requests`]).
    fn drop(&mut self) {
        /// It handles one request a call, and says nothing of it.
        const QUIET_POLLS: usize = 256;
        const LIMIT: Duration = Duration::from_millis(20);
        if !self.enabled || !self.domain().info().quirks.closes_on_requests {
            return;
        }
        let (since, mut quiet) = (Instant::now(), 0);
        while quiet < QUIET_POLLS && since.elapsed() < LIMIT {
            match self.poll(QUIET_POLLS) {
                Ok(false) => quiet += 1,
                Ok(true) => quiet = 0,
                Err(_) => return,
            }
            while self.ended().is_some() {}
        }
    }
}

impl Opened {
    fn open(
        domain: &Domain,
        info: &Info,
        open: Option<sys::OpenEndpoint>,
        call: &'static str,
    ) -> Result<Opened, Error> {
        let open = demand(open, call)?;
        let mut ep = ptr::null_mut();
        // SAFETY: the domain is open; the answer is complete and lives as long as `info`; `ep`
        // is room for the result.
        let answer = unsafe { open(domain.raw(), info.raw(), &mut ep, ptr::null_mut()) };
        domain.info().library().check(call, answer)?;
        Ok(Opened(ep))
    }

    /// A transmit or receive context of a scalable endpoint.
    fn context(&self, domain: &Domain, index: usize, transmit: bool) -> Result<Opened, Error> {
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
        Ok(Opened(ep))
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
            // A process that was killed leaves its region of `shm` behind, named by its number. Who
            // gets that number again finds the region there, with an owner that is alive: itself.
            // The provider says so, and removes the region.
            Err(error) if error.code() == Some(libc::EBUSY) => {
                log::debug!("{error}: once more");
                enable()
            }
            enabled => enabled,
        }
    }

    fn fid(&self) -> *mut fid {
        self.0.cast()
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: opened by the provider, and closed only here.
        unsafe { close(self.0.cast(), "endpoint") }
    }
}
