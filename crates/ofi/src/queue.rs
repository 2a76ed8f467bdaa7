//! The completion queue of one endpoint.
//!
//! Completions that were read stay in the queue's own entries until they are taken one by one
//! ([`crate::Endpoint::ended`]), so a poll for the completion of one operation leaves the others
//! there.

use std::os::fd::RawFd;
use std::ptr;

use libc::c_void;
use mca::Framework;

use crate::context::{Contexts, Op};
use crate::library::text;
use crate::object::{close, control, demand, entry};
use crate::sys::{self, fi_cq_err_entry, fi_cq_tagged_entry, fid, fid_cq};
use crate::{Address, Domain, Error};

/// Most completions that one call reads.
const BURST: usize = 64;

/// Bytes of a provider's own text for an error.
const TEXT_BYTES: usize = 256;

/// The end of an operation.
#[derive(Clone, Debug)]
pub struct Completion {
    /// The token that the operation was started with.
    pub token: u64,
    /// The operation; stale, unless it was a peek that claimed a message.
    pub op: Op,
    /// The kind of the operation, of [`crate::flags`].
    pub flags: u64,
    /// Bytes received; for a peek, bytes of the message.
    pub len: usize,
    /// Completion data that the sender put beside the payload.
    pub data: u64,
    /// The sender's tag.
    pub tag: u64,
    /// The sender, where the provider reports it ([`crate::caps::SOURCE`]) and knows it.
    pub source: Option<Address>,
    /// `Err` when the operation failed.
    pub outcome: Result<(), Box<Failure>>,
}

/// Why an operation failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// libfabric's code, positive: one of the system's up to 255, its own above.
    pub code: i32,
    /// The text of the provider and the library, in one clause.
    pub text: String,
    /// Bytes of the message that did not fit.
    pub cut: usize,
}

impl Failure {
    /// Whether the operation was cancelled by this side.
    pub fn is_cancelled(&self) -> bool {
        self.code == libc::ECANCELED
    }

    /// Whether the path to the peer is broken, or the peer is gone.
    pub fn is_of_peer(&self) -> bool {
        matches!(
            self.code,
            libc::EREMOTEIO
                | libc::EHOSTUNREACH
                | libc::ENETUNREACH
                | libc::ECONNABORTED
                | libc::ECONNRESET
                | libc::ECONNREFUSED
                | libc::ENOTCONN
                | libc::EHOSTDOWN
                | libc::ENETDOWN
                | libc::ESHUTDOWN
                | libc::EPIPE
                | libc::ETIMEDOUT
                | libc::EIO
        )
    }
}

pub(crate) struct Queue {
    cq: *mut fid_cq,
    domain: Domain,
    descriptor: Option<RawFd>,
    /// The call that reads the queue; whether it reports senders.
    call: Call,
    sources: bool,
    entries: Box<[fi_cq_tagged_entry; BURST]>,
    addresses: Box<[u64; BURST]>,
    /// Indices into `entries`: the first that has not been handed over, and behind the last.
    next: usize,
    end: usize,
    /// The completion of a failed operation, which has no entry.
    failed: Option<Completion>,
    /// How many more the last call might have read.
    left: usize,
}

/// A provider's function that reads completions, without their senders or with them.
#[derive(Clone, Copy)]
enum Call {
    Read(unsafe extern "C" fn(*mut fid_cq, *mut c_void, usize) -> isize),
    ReadFrom(unsafe extern "C" fn(*mut fid_cq, *mut c_void, usize, *mut u64) -> isize),
}

impl Call {
    /// Returns the call for an open queue.
    fn of(cq: *mut fid_cq, sources: bool) -> Result<Call, Error> {
        // SAFETY: the queue is open.
        let table = unsafe { (*cq).ops };
        let call = match sources {
            true => Call::ReadFrom(demand(
                entry!(table, fi_ops_cq, readfrom),
                "fi_cq_readfrom",
            )?),
            false => Call::Read(demand(entry!(table, fi_ops_cq, read), "fi_cq_read")?),
        };
        Ok(call)
    }
}

// SAFETY: queues are asked for with `FI_THREAD_SAFE`; the entries are the queue's own.
unsafe impl Send for Queue {}

impl Queue {
    /// Opens a queue for `size` completions (0: as the provider likes), with a descriptor to
    /// sleep on where that is asked for and possible.
    pub(crate) fn open(domain: &Domain, size: usize, wait: bool) -> Result<Queue, Error> {
        if wait {
            match Queue::open_with(domain, size, sys::WAIT_FD) {
                Ok(queue) => return Ok(queue),
                Err(error) => {
                    Framework::Opal.debug(format_args!("no descriptor to sleep on: {error}"))
                }
            }
        }
        Queue::open_with(domain, size, sys::WAIT_NONE)
    }

    fn open_with(domain: &Domain, size: usize, wait: libc::c_int) -> Result<Queue, Error> {
        let library = domain.info().library();
        let open = entry!(domain.raw_ops(), fi_ops_domain, cq_open);
        let open = demand(open, "fi_cq_open")?;
        let mut attr = sys::fi_cq_attr {
            size,
            flags: 0,
            format: sys::CQ_FORMAT_TAGGED,
            wait_obj: wait,
            signaling_vector: 0,
            wait_cond: 0,
            wait_set: ptr::null_mut(),
        };
        let mut cq = ptr::null_mut();
        // SAFETY: the domain is open; `attr` is complete; `cq` is room for the result.
        let answer = unsafe { open(domain.raw(), &mut attr, &mut cq, ptr::null_mut()) };
        library.check("fi_cq_open", answer)?;
        let empty = fi_cq_tagged_entry {
            op_context: ptr::null_mut(),
            flags: 0,
            len: 0,
            buf: ptr::null_mut(),
            data: 0,
            tag: 0,
        };
        let sources = domain.info().has(crate::caps::SOURCE);
        let call = Call::of(cq, sources).inspect_err(|_| {
            // SAFETY: opened above, and nothing is bound to it.
            unsafe { close(cq.cast(), "completion queue") }
        })?;
        let mut queue = Queue {
            cq,
            domain: domain.clone(),
            descriptor: None,
            call,
            sources,
            entries: Box::new([empty; BURST]),
            addresses: Box::new([sys::ADDR_UNSPEC; BURST]),
            next: 0,
            end: 0,
            failed: None,
            left: 0,
        };
        if wait == sys::WAIT_FD {
            let mut descriptor: RawFd = -1;
            let room: *mut c_void = (&mut descriptor as *mut RawFd).cast();
            // SAFETY: the queue is open with a descriptor, which the command asks for.
            unsafe { control(library, queue.fid(), sys::GETWAIT, room, "fi_control")? };
            queue.descriptor = Some(descriptor);
        }
        Ok(queue)
    }

    pub(crate) fn fid(&self) -> *mut fid {
        self.cq.cast()
    }

    pub(crate) fn descriptor(&self) -> Option<RawFd> {
        self.descriptor
    }

    pub(crate) fn may_sleep(&self) -> bool {
        self.domain.may_sleep(self.fid())
    }

    /// Reads completions, at most `most` and no more than a burst; returns whether [`Queue::next`]
    /// has any to return. Makes progress where the provider does not by itself. Nothing is read
    /// while there is something left to return.
    #[inline]
    pub(crate) fn read(&mut self, contexts: &mut Contexts, most: usize) -> Result<bool, Error> {
        if self.next < self.end {
            return Ok(true);
        }
        let asked = most.min(BURST);
        match self.read_burst(asked) {
            // Mostly there is nothing.
            answer if answer == -sys::EAGAIN || answer == 0 => Ok(false),
            answer if answer > 0 => {
                (self.next, self.end) = (0, answer as usize);
                self.left = if self.end == asked { most - asked } else { 0 };
                Ok(true)
            }
            answer if answer == -sys::EAVAIL => {
                self.failed = self.read_error(contexts)?;
                let found = self.failed.is_some();
                (self.next, self.end) = (0, usize::from(found));
                self.left = most - 1;
                Ok(found)
            }
            answer => Err(self.domain.info().library().refused("fi_cq_read", answer)),
        }
    }

    /// Returns the next of the completions that were read.
    #[inline]
    pub(crate) fn next(&mut self, contexts: &mut Contexts) -> Option<Completion> {
        while self.next < self.end {
            let at = self.next;
            self.next += 1;
            let completion = match self.failed {
                None => self.hand_over(contexts, at),
                Some(_) => self.failed.take(),
            };
            if completion.is_some() {
                return completion;
            }
        }
        None
    }

    /// Returns the token of the only completion that was read, if that is of an operation that
    /// succeeded.
    #[inline]
    pub(crate) fn sole(&self, contexts: &Contexts) -> Option<u64> {
        let is_sole = self.end - self.next == 1 && self.failed.is_none();
        let entry = self.entries[self.next % BURST];
        is_sole.then(|| contexts.token_of(entry.op_context))?
    }

    /// Returns how many more the last [`Queue::read`] might have read; 0 if it read all.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Makes progress and reads nothing.
    #[cold]
    pub(crate) fn move_on(&self) {
        // SAFETY: the queue is open and the functions are its own; where no entries are asked for
        // none are written. What there is to be said is said to the next who reads.
        unsafe {
            match self.call {
                Call::Read(call) => call(self.cq, ptr::null_mut(), 0),
                Call::ReadFrom(call) => call(self.cq, ptr::null_mut(), 0, ptr::null_mut()),
            }
        };
    }

    /// Makes one call, for at most [`BURST`] completions; returns how many there were, or the
    /// negative code of an error.
    #[inline]
    fn read_burst(&mut self, asked: usize) -> i64 {
        let (room, addresses): (*mut c_void, _) = (
            self.entries.as_mut_ptr().cast(),
            self.addresses.as_mut_ptr(),
        );
        // SAFETY: the queue is open with entries of this format, the functions are its own, and
        // both arrays have room for `asked` of them.
        let answer = unsafe {
            match self.call {
                Call::Read(call) => call(self.cq, room, asked),
                Call::ReadFrom(call) => call(self.cq, room, asked, addresses),
            }
        };
        answer as i64
    }

    #[inline]
    fn hand_over(&self, contexts: &mut Contexts, at: usize) -> Option<Completion> {
        let entry = &self.entries[at];
        let ended = contexts.give_back(entry.op_context, false)?;
        let address = self.addresses[at];
        let known = self.sources && address != sys::ADDR_UNSPEC;
        Some(Completion {
            token: ended.token,
            op: ended.op,
            flags: entry.flags,
            len: entry.len,
            data: entry.data,
            tag: entry.tag,
            source: known.then_some(Address(address)),
            outcome: Ok(()),
        })
    }

    /// Reads one failed completion, if there is one of an operation.
    #[cold]
    fn read_error(&mut self, contexts: &mut Contexts) -> Result<Option<Completion>, Error> {
        let library = self.domain.info().library();
        // SAFETY: the queue is open.
        let table = unsafe { (*self.cq).ops };
        let call = entry!(table, fi_ops_cq, readerr);
        let call = demand(call, "fi_cq_readerr")?;
        // SAFETY: zeros are a valid value of the structure: numbers and null pointers.
        let mut entry: fi_cq_err_entry = unsafe { std::mem::zeroed() };
        // SAFETY: the queue is open; the entry has room for what later versions append; its
        // error data has size 0, so none is written.
        let answer = unsafe { call(self.cq, &mut entry, 0) } as i64;
        if answer == 0 || answer == -sys::EAGAIN {
            return Ok(None);
        }
        if answer < 0 {
            return Err(library.refused("fi_cq_readerr", answer));
        }
        let failure = Failure {
            code: entry.err.wrapping_abs(),
            text: self.explain(&entry),
            cut: entry.olen,
        };
        let Some(ended) = contexts.give_back(entry.op_context, true) else {
            let what = &failure.text;
            Framework::Opal.debug(format_args!(
                "libfabric reports an error of no operation: {what}"
            ));
            return Ok(None);
        };
        Ok(Some(Completion {
            token: ended.token,
            op: ended.op,
            flags: entry.flags,
            len: entry.len,
            data: entry.data,
            tag: entry.tag,
            source: None,
            outcome: Err(Box::new(failure)),
        }))
    }

    fn explain(&self, failed: &fi_cq_err_entry) -> String {
        let library = self.domain.info().library();
        let general = library.text_of(failed.err);
        // SAFETY: the queue is open.
        let table = unsafe { (*self.cq).ops };
        let Some(strerror) = entry!(table, fi_ops_cq, strerror) else {
            return general;
        };
        if failed.err == libc::ECANCELED || failed.prov_errno == 0 {
            return general;
        }
        let mut room = [0 as libc::c_char; TEXT_BYTES];
        // SAFETY: the queue is open, the entry is of this queue and its error data is still
        // there; `room` is as long as is said; the answer is null or a terminated string.
        let special = unsafe {
            text(strerror(
                self.cq,
                failed.prov_errno,
                failed.err_data,
                room.as_mut_ptr(),
                TEXT_BYTES,
            ))
        };
        match special.is_empty() || special == general {
            true => general,
            false => format!("{general} ({special})"),
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: opened in `open_with`; the endpoint that is bound to it is closed before
        // (`endpoint::Endpoint`, order of fields).
        unsafe { close(self.cq.cast(), "completion queue") }
    }
}
