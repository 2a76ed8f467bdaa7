//! Registered memory.

use std::fmt;
use std::ptr;

use libc::c_void;
use memory::UserBuf;

use crate::object::{bind, close, control, demand, entry};
use crate::sys::{self, fid, fid_mr};
use crate::{Domain, Endpoint, Error};

/// Permitted accesses to registered memory (`fi_mr(3)`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MrAccess(u64);

impl MrAccess {
    /// Nothing.
    pub const NONE: MrAccess = MrAccess(0);
    /// Operations of this process may take data from the memory.
    pub const SOURCE: MrAccess = MrAccess(1 << 11 | 1 << 9);
    /// Operations of this process may put data there.
    pub const SINK: MrAccess = MrAccess(1 << 10 | 1 << 8);
    /// Peers may read.
    pub const REMOTE_READ: MrAccess = MrAccess(1 << 12);
    /// Peers may write.
    pub const REMOTE_WRITE: MrAccess = MrAccess(1 << 13);

    /// Combines two sets of accesses.
    pub const fn and(self, other: MrAccess) -> MrAccess {
        MrAccess(self.0 | other.0)
    }

    /// Whether all of `other` is included.
    pub const fn covers(self, other: MrAccess) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Registered memory; deregistered when dropped.
pub struct Mr {
    mr: *mut fid_mr,
    domain: Domain,
}

// SAFETY: domains are asked for with `FI_THREAD_SAFE`, so every call may come from any thread.
unsafe impl Send for Mr {}
// SAFETY: as stated at `Send`; nothing changes between opening and closing.
unsafe impl Sync for Mr {}

impl Mr {
    /// Returns the remote key of the memory.
    pub fn key(&self) -> u64 {
        // SAFETY: the registration is open as long as `self`.
        unsafe { (*self.mr).key }
    }

    /// Returns the device where the memory is registered.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the descriptor to pass with operations, where local memory must be registered.
    pub(crate) fn descriptor(&self) -> *mut c_void {
        // SAFETY: the registration is open as long as `self`.
        unsafe { (*self.mr).mem_desc }
    }

    fn fid(&self) -> *mut fid {
        self.mr.cast()
    }
}

impl Domain {
    /// Registers memory, which stays valid until the result is dropped. `key` is the key that
    /// peers use, where the provider does not make keys ([`crate::mr_mode::PROV_KEY`]). Where a
    /// registration belongs to an endpoint ([`crate::mr_mode::ENDPOINT`]), the result must be
    /// dropped before the endpoint.
    ///
    /// # Errors
    /// The provider's refusal; [`Error::is_lack_of_resources`] distinguishes limits.
    pub fn register(
        &self,
        memory: UserBuf,
        access: MrAccess,
        key: u64,
        endpoint: Option<&Endpoint>,
    ) -> Result<Mr, Error> {
        let library = self.info().library();
        let call = entry!(self.raw_mr(), fi_ops_mr, reg);
        let call = demand(call, "fi_mr_reg")?;
        let mut mr = ptr::null_mut();
        // SAFETY: the domain is open; the memory is valid (`UserBuf`); `mr` is room for the
        // result.
        let answer = unsafe {
            call(
                self.fid(),
                memory.address().cast(),
                memory.len(),
                access.0,
                0,
                key,
                0,
                &mut mr,
                ptr::null_mut(),
            )
        };
        library.check("fi_mr_reg", answer)?;
        let mr = Mr {
            mr,
            domain: self.clone(),
        };
        if self.info().demands(crate::mr_mode::ENDPOINT) {
            let endpoint = demand(endpoint, "fi_mr_bind")?;
            // SAFETY: both objects are open.
            unsafe { bind(library, mr.fid(), endpoint.fid(), 0, "fi_mr_bind")? };
            // SAFETY: as above.
            unsafe {
                control(
                    library,
                    mr.fid(),
                    sys::ENABLE,
                    ptr::null_mut(),
                    "fi_mr_enable",
                )?
            };
        }
        Ok(mr)
    }
}

impl fmt::Debug for Mr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "registration {:#x} of {:?}", self.key(), self.domain)
    }
}

impl Drop for Mr {
    fn drop(&mut self) {
        // SAFETY: opened in `register`, and closed only here.
        unsafe { close(self.mr.cast(), "registration") }
    }
}
