//! Memory registered with the provider: for the accesses of peers ([`MemoryRegions::export`]), and
//! for operations of this process where the provider demands that.
//!
//! Registrations are cached. The cache keeps unused ones only where a monitor reports memory that
//! goes back to the system.

use std::sync::Arc;

use base::{Key, Registrations, Slab};
use btl::{Access, Error, Registration};
use memory::rcache::{self, Cache, Lease, Limits, Registrar};
use memory::release::{Monitor, Watch};
use memory::UserBuf;
use ofi::{mr_mode, Domain, Endpoint, Info, Mr, MrAccess};

use crate::wire::Window;

/// libfabric's code for "required key not available".
pub(crate) const NO_KEY: i32 = 266;

/// Keys that are tried when one is in use.
const KEY_TRIES: usize = 64;

/// Memory registered with the provider.
pub(crate) struct MemoryRegions {
    cache: Cache<Mr>,
    /// Registrations that peers may access, by number.
    exports: Slab<Lease>,
    keys: Keys,
    /// Whether local memory is registered for every operation.
    local: bool,
    /// Whether memory is named by its address at the peer.
    by_address: bool,
}

/// Keys made here, for providers that do not make them.
struct Keys {
    next: u64,
    /// The largest key that fits.
    most: u64,
}

/// Registers memory with the device.
struct Network<'a> {
    domain: &'a Domain,
    endpoint: &'a Endpoint,
    keys: &'a mut Keys,
}

impl Registrar for Network<'_> {
    type Handle = Mr;
    type Error = ofi::Error;

    fn register(&mut self, memory: UserBuf, access: rcache::Access) -> Result<Mr, ofi::Error> {
        let mut tries = 0;
        loop {
            let key = self.keys.draw();
            let access = rights(access);
            match self
                .domain
                .register(memory, access, key, Some(self.endpoint))
            {
                Err(error) if error.code() == Some(NO_KEY) && tries < KEY_TRIES => tries += 1,
                outcome => return outcome,
            }
        }
    }

    fn deregister(&mut self, mr: Mr) {
        drop(mr);
    }

    fn is_lack_of_resources(error: &ofi::Error) -> bool {
        error.is_lack_of_resources()
    }
}

impl Keys {
    fn draw(&mut self) -> u64 {
        let key = self.next;
        self.next = if key >= self.most { 1 } else { key + 1 };
        key
    }
}

fn rights(access: rcache::Access) -> MrAccess {
    let table = [
        (rcache::Access::LOCAL_READ, MrAccess::SOURCE),
        (rcache::Access::LOCAL_WRITE, MrAccess::SINK),
        (rcache::Access::REMOTE_READ, MrAccess::REMOTE_READ),
        (rcache::Access::REMOTE_WRITE, MrAccess::REMOTE_WRITE),
    ];
    let granted = table.iter().filter(|(right, _)| access.allows(*right));
    granted.fold(MrAccess::NONE, |all, (_, right)| all.and(*right))
}

impl MemoryRegions {
    pub(crate) fn new(
        info: &Info,
        local: bool,
        limits: Limits,
        monitor: Option<Arc<Monitor>>,
    ) -> MemoryRegions {
        let watch = monitor.map(|monitor| Box::new(monitor.subscribe()) as Box<dyn Watch + Send>);
        let bits = 8 * info.mr_key_bytes.clamp(1, 8) as u32;
        MemoryRegions {
            cache: Cache::new(limits, watch),
            exports: Slab::default(),
            keys: Keys {
                next: 1,
                most: u64::MAX >> (64 - bits),
            },
            local,
            by_address: info.demands(mr_mode::VIRT_ADDR),
        }
    }

    pub(crate) fn is_local(&self) -> bool {
        self.local
    }

    pub(crate) fn stats(&self) -> &Arc<Registrations> {
        self.cache.stats()
    }

    /// Makes memory reachable for peers.
    pub(crate) fn export(
        &mut self,
        endpoint: &Endpoint,
        memory: UserBuf,
        access: Access,
    ) -> Result<Registration, Error> {
        let mut window = Window {
            key: 0,
            base: 0,
            len: memory.len() as u64,
            access,
        };
        if memory.is_empty() {
            let (key, id) = (window.encode(), 0);
            return Ok(Registration { memory, key, id });
        }
        let mut wanted = rcache::Access::NONE;
        if access.read {
            wanted = wanted.with(rcache::Access::REMOTE_READ);
        }
        if access.write {
            wanted = wanted.with(rcache::Access::REMOTE_WRITE);
        }
        let lease = self.acquire(endpoint, memory, wanted)?;
        let start = memory.address() as u64;
        window.key = self.cache.handle(&lease).key();
        window.base = match self.by_address {
            true => start,
            false => start - self.cache.memory(&lease).address() as u64,
        };
        let (key, id) = (window.encode(), self.exports.insert(lease).bits());
        Ok(Registration { memory, key, id })
    }

    /// Ends a registration by `export`.
    pub(crate) fn withdraw(&mut self, endpoint: &Endpoint, registration: &Registration) {
        let lease = self.exports.remove(Key::from_bits(registration.id));
        self.release(endpoint, lease);
    }

    fn acquire(
        &mut self,
        endpoint: &Endpoint,
        memory: UserBuf,
        access: rcache::Access,
    ) -> Result<Lease, Error> {
        let mut network = Network {
            domain: endpoint.domain(),
            endpoint,
            keys: &mut self.keys,
        };
        let lease = self.cache.acquire(memory, access, &mut network);
        lease.map_err(|error| refused(memory, &error))
    }

    pub(crate) fn release(&mut self, endpoint: &Endpoint, lease: Option<Lease>) {
        let Some(lease) = lease else { return };
        let mut network = Network {
            domain: endpoint.domain(),
            endpoint,
            keys: &mut self.keys,
        };
        self.cache.release(lease, &mut network);
    }

    /// Returns the registration of local memory, where there must be one.
    pub(crate) fn lease_local(
        &mut self,
        endpoint: &Endpoint,
        memory: UserBuf,
        access: rcache::Access,
    ) -> Result<Option<Lease>, Error> {
        if !self.local || memory.is_empty() {
            return Ok(None);
        }
        self.acquire(endpoint, memory, access).map(Some)
    }

    /// Returns a function that registers the buffers of messages, where the provider demands it.
    pub(crate) fn local_registrar<'a>(
        &'a mut self,
        endpoint: &'a Endpoint,
    ) -> impl FnMut(UserBuf) -> Result<Option<Mr>, Error> + 'a {
        move |memory| {
            if !self.local {
                return Ok(None);
            }
            let both = rcache::Access::LOCAL_READ.with(rcache::Access::LOCAL_WRITE);
            let mut network = Network {
                domain: endpoint.domain(),
                endpoint,
                keys: &mut self.keys,
            };
            let mr = network.register(memory, both);
            mr.map(Some).map_err(|error| refused(memory, &error))
        }
    }

    #[inline(always)]
    pub(crate) fn mr(&self, lease: &Option<Lease>) -> Option<&Mr> {
        lease.as_ref().map(|lease| self.cache.handle(lease))
    }

    /// Ends all registrations.
    pub(crate) fn clear(&mut self) {
        self.cache.close();
    }
}

fn refused(memory: UserBuf, error: &ofi::Error) -> Error {
    Error::Registration {
        len: memory.len(),
        why: error.of_registration(),
    }
}
