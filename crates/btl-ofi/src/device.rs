//! The device as this transport opened it: its contexts, its table of addresses, registered memory.
//!
//! A context takes operations and reports their completions. There is one, or several of a scalable
//! endpoint; the first also receives. Each thread of the program uses one for its transfers.

use std::collections::{HashMap, HashSet};
use std::os::fd::RawFd;
use std::thread::ThreadId;

use btl::{Access, Error, Interest, Registration};
use memory::rcache::{self, Lease};
use memory::UserBuf;
use ofi::{mr_mode, Address, Av, Endpoint, Info, Mr, Posted, Remote};

use crate::regions::MemoryRegions;
use crate::transfer::TransferKind;

/// The open device.
pub(crate) struct OpenDevice {
    /// The transmit contexts. Closed before everything below.
    contexts: Vec<Endpoint>,
    /// Each thread's context, where there are several.
    threads: HashMap<ThreadId, usize>,
    regions: MemoryRegions,
    av: Av,
    /// All earlier addresses of peers, where the provider never forgets one.
    seen: Option<HashSet<Vec<u8>>>,
}

impl OpenDevice {
    pub(crate) fn new(contexts: Vec<Endpoint>, regions: MemoryRegions, av: Av) -> OpenDevice {
        let remembers = av.domain().info().quirks.remembers_addresses;
        OpenDevice {
            contexts,
            threads: HashMap::new(),
            regions,
            av,
            seen: remembers.then(HashSet::new),
        }
    }

    /// Returns the provider's description of the device.
    pub(crate) fn info(&self) -> &Info {
        self.av.domain().info()
    }

    pub(crate) fn regions(&self) -> &MemoryRegions {
        &self.regions
    }

    /// Returns the number of contexts.
    #[inline]
    pub(crate) fn context_count(&self) -> usize {
        self.contexts.len()
    }

    #[inline]
    pub(crate) fn context(&mut self, index: usize) -> &mut Endpoint {
        &mut self.contexts[index]
    }

    /// Returns the context that messages use.
    #[inline]
    pub(crate) fn first(&mut self) -> &mut Endpoint {
        &mut self.contexts[0]
    }

    /// Returns the only context; `None` where there are several.
    #[inline]
    pub(crate) fn sole(&mut self) -> Option<&mut Endpoint> {
        match &mut self.contexts[..] {
            [context] => Some(context),
            _ => None,
        }
    }

    /// Whether the contexts are those of a scalable endpoint.
    pub(crate) fn is_scalable(&self) -> bool {
        self.contexts.iter().any(Endpoint::is_scalable)
    }

    /// Returns the index of the calling thread's context. Contexts are assigned in the order of
    /// first calls.
    #[inline]
    pub(crate) fn context_of_caller(&mut self) -> usize {
        match self.contexts.len() {
            0 | 1 => 0,
            count => self.context_of_thread(count),
        }
    }

    #[inline(never)]
    fn context_of_thread(&mut self, count: usize) -> usize {
        /// Threads that are remembered; more than that means that most are gone.
        const THREADS_MAX: usize = 4096;
        if self.threads.len() > THREADS_MAX {
            self.threads.clear();
        }
        let next = self.threads.len() % count;
        *self
            .threads
            .entry(std::thread::current().id())
            .or_insert(next)
    }

    /// Returns the descriptor that becomes readable with the next completion, where one serves for
    /// all contexts and may be slept on now.
    pub(crate) fn sleepable(&self) -> Option<RawFd> {
        match &self.contexts[..] {
            [context] => context.sleepable(),
            _ => None,
        }
    }

    /// Returns the descriptors of all contexts; `None` where one has none, or has completions to
    /// read.
    pub(crate) fn descriptors(&self) -> Option<Vec<(RawFd, Interest)>> {
        let descriptors = self.contexts.iter().map(|context| {
            let descriptor = context.descriptor().filter(|_| context.may_sleep())?;
            Some((descriptor, Interest::Readable))
        });
        descriptors.collect()
    }

    /// Enters a peer's address into the provider's table. The error is one clause.
    pub(crate) fn insert(&mut self, address: &[u8]) -> Result<Address, String> {
        if self
            .seen
            .as_ref()
            .is_some_and(|seen| seen.contains(address))
        {
            let provider = &self.info().provider;
            return Err(format!(
                "{provider} would drop its messages: another had its port before"
            ));
        }
        let inserted = self.av.insert(address)?;
        if let Some(seen) = &mut self.seen {
            seen.insert(address.to_vec());
        }
        Ok(inserted)
    }

    /// Removes an address from the provider's table.
    pub(crate) fn remove(&self, address: Address) {
        self.av.remove(address);
    }

    /// Returns a function that registers the buffers of messages, where the provider demands it.
    #[inline]
    pub(crate) fn registrar(
        &mut self,
        context: usize,
    ) -> impl FnMut(UserBuf) -> Result<Option<Mr>, Error> + '_ {
        self.regions.local_registrar(&self.contexts[context])
    }

    /// Makes memory reachable for peers.
    pub(crate) fn export(
        &mut self,
        memory: UserBuf,
        access: Access,
    ) -> Result<Registration, Error> {
        self.regions.export(&self.contexts[0], memory, access)
    }

    /// Ends a registration by `export`.
    pub(crate) fn withdraw(&mut self, registration: &Registration) {
        self.regions.withdraw(&self.contexts[0], registration);
    }

    /// Returns the registration of local memory for a transfer, where there must be one.
    #[inline]
    pub(crate) fn lease_local(
        &mut self,
        context: usize,
        memory: UserBuf,
        access: rcache::Access,
    ) -> Result<Option<Lease>, Error> {
        self.regions
            .lease_local(&self.contexts[context], memory, access)
    }

    /// Releases the registration of a transfer.
    #[inline(always)]
    pub(crate) fn release(&mut self, context: usize, lease: Option<Lease>) {
        if lease.is_some() {
            self.regions.release(&self.contexts[context], lease);
        }
    }

    /// Posts a piece of a transfer, between `local`, which `lease` registers, and `remote`.
    #[inline(always)]
    pub(crate) fn post(
        &mut self,
        (kind, context): (TransferKind, usize),
        (local, lease): (UserBuf, &Option<Lease>),
        remote: Remote,
        token: u64,
    ) -> Result<Posted, ofi::Error> {
        let mr = self.regions.mr(lease);
        kind.post(&mut self.contexts[context], (local, mr), remote, token)
    }

    /// Whether registrations belong to an endpoint, so that they end before it.
    pub(crate) fn owns_regions_by_endpoint(&self) -> bool {
        self.info().demands(mr_mode::ENDPOINT)
    }

    /// Ends all registrations.
    pub(crate) fn clear_regions(&mut self) {
        self.regions.clear();
    }

    /// Closes the contexts: no buffer is written any more.
    pub(crate) fn close(&mut self) {
        self.contexts.clear();
    }
}
