//! Starts operations: sends, receives, reads, writes and atomics.

use std::ptr;

use libc::{c_void, iovec};
use memory::UserBuf;

use crate::context::Op;
use crate::object::{demand, entry};
use crate::sys;
use crate::{Address, AtomicOp, AtomicType, Endpoint, Error, Mr};

/// Flags of operations and of completions (`fi_msg(3)`, `fi_cq(3)`).
pub mod flags {
    /// A message.
    pub const MSG: u64 = 1 << 1;
    /// An access to memory.
    pub const RMA: u64 = 1 << 2;
    /// A message with a tag.
    pub const TAGGED: u64 = 1 << 3;
    /// An atomic operation.
    pub const ATOMIC: u64 = 1 << 4;
    /// A receive.
    pub const RECV: u64 = 1 << 10;
    /// A send.
    pub const SEND: u64 = 1 << 11;
    /// The completion carries the sender's data.
    pub const REMOTE_CQ_DATA: u64 = 1 << 17;
    /// The buffer is free when the call returns.
    pub const INJECT: u64 = 1 << 25;
    /// Complete when the buffer is free.
    pub const INJECT_COMPLETE: u64 = 1 << 26;
    /// Complete when the operation no longer needs this side.
    pub const TRANSMIT_COMPLETE: u64 = 1 << 27;
    /// Complete when the data is at its target.
    pub const DELIVERY_COMPLETE: u64 = 1 << 28;
    /// Complete when the message is matched by a receive.
    pub const MATCH_COMPLETE: u64 = 1 << 31;

    pub(crate) const COMPLETION: u64 = 1 << 24;
    pub(crate) const PEEK: u64 = 1 << 19;
    pub(crate) const CLAIM: u64 = 1 << 59;
}

/// Whether the provider accepted an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a busy endpoint has taken nothing: the operation must be started again"]
pub enum Posted {
    /// The operation is in flight; its token will be reported.
    Taken(Op),
    /// Nothing was accepted. Poll, then retry.
    Busy,
}

/// A position in a peer's registered memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remote {
    /// The peer.
    pub peer: Address,
    /// The offset in the registration, or the address at the peer where the provider wants that
    /// ([`crate::mr_mode::VIRT_ADDR`]).
    pub at: u64,
    /// The remote key.
    pub key: u64,
}

/// A message to be matched by its tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tagged {
    /// The tag.
    pub tag: u64,
    /// Bits of the tag that do not count.
    pub ignore: u64,
}

impl Endpoint {
    /// Sends a message. `mr` covers `data` where local memory must be registered.
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline]
    pub fn send(
        &mut self,
        to: Address,
        data: UserBuf,
        mr: Option<&Mr>,
        flags: u64,
        token: u64,
    ) -> Result<Posted, Error> {
        self.send_pieces(to, [data, UserBuf::EMPTY], mr, None, flags, token)
    }

    /// Sends two pieces of memory as one message, the second only where it is not empty
    /// ([`crate::Info::iov_max`]), and `beside` with it where the provider can carry that
    /// ([`crate::Info::cq_data_bytes`]).
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline]
    pub fn send_pieces(
        &mut self,
        to: Address,
        pieces: [UserBuf; 2],
        mr: Option<&Mr>,
        beside: Option<u64>,
        flags: u64,
        token: u64,
    ) -> Result<Posted, Error> {
        let flags = flags | flags::COMPLETION | beside.map_or(0, |_| flags::REMOTE_CQ_DATA);
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.tx()).msg };
        let call = entry!(table, fi_ops_msg, sendmsg);
        let call = demand(call, "fi_sendmsg")?;
        let (iov, mut desc) = (pieces.map(piece), [descriptor(mr); 2]);
        self.post("fi_sendmsg", token, false, |endpoint, context| {
            let message = sys::fi_msg {
                msg_iov: iov.as_ptr(),
                desc: desc.as_mut_ptr(),
                iov_count: if pieces[1].is_empty() { 1 } else { 2 },
                addr: to.0,
                context,
                data: beside.unwrap_or(0),
            };
            // SAFETY: the endpoint is open; the description is complete; the memory is valid
            // until the completion (`UserBuf`), and so is the context.
            unsafe { call(endpoint.tx(), &message, flags) as i64 }
        })
    }

    /// Receives a message from `from`, or from anybody.
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline]
    pub fn receive(
        &mut self,
        from: Address,
        into: UserBuf,
        mr: Option<&Mr>,
        token: u64,
    ) -> Result<Posted, Error> {
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.rx()).msg };
        let call = entry!(table, fi_ops_msg, recv);
        let call = demand(call, "fi_recv")?;
        self.post("fi_recv", token, false, |endpoint, context| {
            // SAFETY: as in `send`.
            unsafe {
                call(
                    endpoint.rx(),
                    into.address().cast(),
                    into.len(),
                    descriptor(mr),
                    from.0,
                    context,
                ) as i64
            }
        })
    }

    /// Sends a message with a tag, and with `data` beside it where the provider can carry it.
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline]
    pub fn send_tagged(
        &mut self,
        to: Address,
        payload: UserBuf,
        mr: Option<&Mr>,
        tag: u64,
        data: Option<u64>,
        flags: u64,
        token: u64,
    ) -> Result<Posted, Error> {
        let flags = flags | flags::COMPLETION | data.map_or(0, |_| flags::REMOTE_CQ_DATA);
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.tx()).tagged };
        let call = entry!(table, fi_ops_tagged, sendmsg);
        let call = demand(call, "fi_tsendmsg")?;
        let (iov, mut desc) = (piece(payload), descriptor(mr));
        self.post("fi_tsendmsg", token, false, |endpoint, context| {
            let message = sys::fi_msg_tagged {
                msg_iov: &iov,
                desc: &mut desc,
                iov_count: 1,
                addr: to.0,
                tag,
                ignore: 0,
                context,
                data: data.unwrap_or(0),
            };
            // SAFETY: as in `send`.
            unsafe { call(endpoint.tx(), &message, flags) as i64 }
        })
    }

    /// Sends a short message with a tag, of at most [`crate::Info::inject_max`] bytes; no
    /// completion follows. False when it was not accepted.
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline]
    pub fn inject_tagged(
        &mut self,
        to: Address,
        payload: UserBuf,
        tag: u64,
        data: Option<u64>,
    ) -> Result<bool, Error> {
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.tx()).tagged };
        let (tx, from, len) = (self.tx(), payload.address().cast(), payload.len());
        let answer = match data {
            None => {
                let call = entry!(table, fi_ops_tagged, inject);
                let call = demand(call, "fi_tinject")?;
                // SAFETY: the endpoint is open; the memory is valid during the call.
                unsafe { call(tx, from, len, to.0, tag) }
            }
            Some(data) => {
                let call = entry!(table, fi_ops_tagged, injectdata);
                let call = demand(call, "fi_tinjectdata")?;
                // SAFETY: as above.
                unsafe { call(tx, from, len, data, to.0, tag) }
            }
        };
        self.answered("fi_tinject", answer as i64)
    }

    /// Receives a message with a tag from `from`, or from anybody.
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline]
    pub fn receive_tagged(
        &mut self,
        from: Address,
        into: UserBuf,
        mr: Option<&Mr>,
        what: Tagged,
        token: u64,
    ) -> Result<Posted, Error> {
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.rx()).tagged };
        let call = entry!(table, fi_ops_tagged, recv);
        let call = demand(call, "fi_trecv")?;
        self.post("fi_trecv", token, false, |endpoint, context| {
            // SAFETY: as in `send`.
            unsafe {
                call(
                    endpoint.rx(),
                    into.address().cast(),
                    into.len(),
                    descriptor(mr),
                    from.0,
                    what.tag,
                    what.ignore,
                    context,
                ) as i64
            }
        })
    }

    /// Peeks at an unexpected message. Its completion reports length, tag and sender; or fails with
    /// `ENOMSG` where no message matches. With `claim` the message is kept for
    /// [`Endpoint::fetch_claimed`], under the completion's operation.
    ///
    /// # Errors
    /// The provider's refusal. "No message" may come as an error of the call, with the code
    /// `ENOMSG`.
    pub fn peek_tagged(
        &mut self,
        from: Address,
        what: Tagged,
        claim: bool,
        token: u64,
    ) -> Result<Posted, Error> {
        let flags = flags::PEEK | flags::COMPLETION | if claim { flags::CLAIM } else { 0 };
        let call = self.tagged_receive_call()?;
        self.post("fi_trecvmsg", token, claim, |endpoint, context| {
            let message = tagged_message(ptr::null(), ptr::null_mut(), 0, from, what, context);
            // SAFETY: as in `send`; a peek has no memory.
            unsafe { call(endpoint.rx(), &message, flags) as i64 }
        })
    }

    /// Receives the message that a peek claimed. `Busy` leaves it claimed.
    ///
    /// # Errors
    /// The provider's refusal; the code `EINVAL` when nothing is claimed under `op`.
    pub fn fetch_claimed(
        &mut self,
        op: Op,
        (from, what): (Address, Tagged),
        into: UserBuf,
        mr: Option<&Mr>,
        token: u64,
    ) -> Result<Posted, Error> {
        let (iov, mut desc) = (piece(into), descriptor(mr));
        let call = self.tagged_receive_call()?;
        let Some(context) = self.contexts.reuse(op, token) else {
            return Err(self.refused("fi_trecvmsg", -i64::from(libc::EINVAL)));
        };
        let message = tagged_message(&iov, &mut desc, 1, from, what, context);
        let flags = flags::CLAIM | flags::COMPLETION;
        // SAFETY: as in `send`; the context is the one that the message was claimed with.
        let answer = unsafe { call(self.rx(), &message, flags) } as i64;
        match self.answered("fi_trecvmsg", answer)? {
            true => Ok(Posted::Taken(op)),
            false => Ok(Posted::Busy),
        }
    }

    fn tagged_receive_call(&self) -> Result<sys::TaggedMessage, Error> {
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.rx()).tagged };
        let call = entry!(table, fi_ops_tagged, recvmsg);
        demand(call, "fi_trecvmsg")
    }

    /// Reads a peer's memory into `into`.
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline(always)]
    pub fn read(
        &mut self,
        remote: Remote,
        into: UserBuf,
        mr: Option<&Mr>,
        token: u64,
    ) -> Result<Posted, Error> {
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.tx()).rma };
        let call = entry!(table, fi_ops_rma, readmsg);
        let call = demand(call, "fi_readmsg")?;
        self.access("fi_readmsg", call, remote, into, mr, 0, token)
    }

    /// Writes `from` into a peer's memory.
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline(always)]
    pub fn write(
        &mut self,
        remote: Remote,
        from: UserBuf,
        mr: Option<&Mr>,
        flags: u64,
        token: u64,
    ) -> Result<Posted, Error> {
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*self.tx()).rma };
        let call = entry!(table, fi_ops_rma, writemsg);
        let call = demand(call, "fi_writemsg")?;
        self.access("fi_writemsg", call, remote, from, mr, flags, token)
    }

    #[inline(always)]
    fn access(
        &mut self,
        name: &'static str,
        call: sys::RmaMessage,
        remote: Remote,
        local: UserBuf,
        mr: Option<&Mr>,
        flags: u64,
        token: u64,
    ) -> Result<Posted, Error> {
        let (iov, mut desc) = (piece(local), descriptor(mr));
        let target = sys::fi_rma_iov {
            addr: remote.at,
            len: local.len(),
            key: remote.key,
        };
        self.post(name, token, false, |endpoint, context| {
            let message = sys::fi_msg_rma {
                msg_iov: &iov,
                desc: &mut desc,
                iov_count: 1,
                addr: remote.peer.0,
                rma_iov: &target,
                rma_iov_count: 1,
                context,
                data: 0,
            };
            // SAFETY: as in `send`. Whether the peer's memory may be touched is checked there.
            unsafe { call(endpoint.tx(), &message, flags | flags::COMPLETION) as i64 }
        })
    }

    /// Changes a word of a peer's memory. `operand` and `result` are of the type's size; the word's
    /// old value goes to `result`, if given. With `compare` the operation is
    /// [`AtomicOp::CompareSwap`] and needs a `result`.
    ///
    /// # Errors
    /// The provider's refusal.
    #[inline(always)]
    pub fn atomic(
        &mut self,
        remote: Remote,
        (op, ty): (AtomicOp, AtomicType),
        words: AtomicOperands<'_>,
        flags: u64,
        token: u64,
    ) -> Result<Posted, Error> {
        const CALL: &str = "fi_atomicmsg";
        let target = sys::fi_rma_ioc {
            addr: remote.at,
            count: 1,
            key: remote.key,
        };
        let (operand, mr) = (word(words.operand), descriptor(words.mr));
        let (mut desc, mut result_desc, mut compare_desc) = (mr, mr, mr);
        let (tx, flags) = (self.tx(), flags | flags::COMPLETION);
        let (posted, context) = self.contexts.take(token, false);
        let message = sys::fi_msg_atomic {
            msg_iov: &operand,
            desc: &mut desc,
            iov_count: 1,
            addr: remote.peer.0,
            rma_iov: &target,
            rma_iov_count: 1,
            datatype: ty.raw(),
            op: op.raw(),
            context,
            data: 0,
        };
        // SAFETY: the endpoint is open as long as `self`.
        let table = unsafe { (*tx).atomic };
        let plain = || entry!(table, fi_ops_atomic, writemsg);
        let fetch = || entry!(table, fi_ops_atomic, readwritemsg);
        let swap = || entry!(table, fi_ops_atomic, compwritemsg);
        // SAFETY: as in `send`; every word is valid until the completion.
        let answer = unsafe {
            match (words.compare.map(word), words.result.map(word)) {
                (Some(compare), Some(mut result)) => swap().map(|call| {
                    call(
                        tx,
                        &message,
                        &compare,
                        &mut compare_desc,
                        1,
                        &mut result,
                        &mut result_desc,
                        1,
                        flags,
                    )
                }),
                (_, Some(mut result)) => {
                    fetch().map(|call| call(tx, &message, &mut result, &mut result_desc, 1, flags))
                }
                (_, None) => plain().map(|call| call(tx, &message, flags)),
            }
        };
        let answer = answer.map_or(-i64::from(libc::ENOSYS), |answer| answer as i64);
        self.posted(CALL, (posted, context), answer)
    }

    /// Takes a context and starts an operation with it.
    #[inline(always)]
    fn post(
        &mut self,
        name: &'static str,
        token: u64,
        claims: bool,
        start: impl FnOnce(&mut Endpoint, *mut c_void) -> i64,
    ) -> Result<Posted, Error> {
        let (op, context) = self.contexts.take(token, claims);
        let answer = start(self, context);
        self.posted(name, (op, context), answer)
    }

    /// Returns the outcome of a call that posts an operation with its context.
    #[inline(always)]
    fn posted(
        &mut self,
        name: &'static str,
        (op, context): (Op, *mut c_void),
        answer: i64,
    ) -> Result<Posted, Error> {
        match answer {
            0.. => {
                self.begin();
                Ok(Posted::Taken(op))
            }
            refused => self.not_posted(name, context, refused),
        }
    }

    /// Handles a call that did not accept its operation.
    #[cold]
    fn not_posted(
        &mut self,
        name: &'static str,
        context: *mut c_void,
        answer: i64,
    ) -> Result<Posted, Error> {
        self.contexts.give_back(context, true);
        self.answered(name, answer).map(|_| Posted::Busy)
    }

    /// Whether a call accepted its operation.
    #[inline]
    fn answered(&self, name: &'static str, answer: i64) -> Result<bool, Error> {
        match answer {
            0.. => {
                self.begin();
                Ok(true)
            }
            busy if busy == -sys::EAGAIN => Ok(false),
            refused => Err(self.refused(name, refused)),
        }
    }

    #[cold]
    fn refused(&self, name: &'static str, answer: i64) -> Error {
        self.domain().info().library().refused(name, answer)
    }
}

/// The local words of an atomic operation, all in memory that `mr` covers where local memory
/// must be registered.
#[derive(Clone, Copy)]
pub struct AtomicOperands<'a> {
    /// The operand.
    pub operand: UserBuf,
    /// The value that the word is compared with.
    pub compare: Option<UserBuf>,
    /// Memory for the word as it was.
    pub result: Option<UserBuf>,
    /// The registration of all of them.
    pub mr: Option<&'a Mr>,
}

#[inline]
fn piece(memory: UserBuf) -> iovec {
    iovec {
        iov_base: memory.address().cast(),
        iov_len: memory.len(),
    }
}

#[inline]
fn word(memory: UserBuf) -> sys::fi_ioc {
    sys::fi_ioc {
        addr: memory.address().cast(),
        count: 1,
    }
}

#[inline]
fn descriptor(mr: Option<&Mr>) -> *mut c_void {
    mr.map_or(ptr::null_mut(), Mr::descriptor)
}

fn tagged_message(
    msg_iov: *const iovec,
    desc: *mut *mut c_void,
    iov_count: usize,
    from: Address,
    what: Tagged,
    context: *mut c_void,
) -> sys::fi_msg_tagged {
    sys::fi_msg_tagged {
        msg_iov,
        desc,
        iov_count,
        addr: from.0,
        tag: what.tag,
        ignore: what.ignore,
        context,
        data: 0,
    }
}
