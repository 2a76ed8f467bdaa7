//! Receiving: the posted buffers, and what the provider says beside a message.

use btl::Error;
use mca::Framework;
use memory::UserBuf;
use ofi::{flags, Completion, Posted};

use crate::buffers::{Buffers, Slot};
use crate::device::OpenDevice;
use crate::op::Op;
use crate::reassembly::HEADROOM;

/// The receives of a transport.
pub(crate) struct ReceiveQueue {
    slots: Buffers,
    /// Receives that are to be posted.
    window: usize,
    /// The receive buffer that came back last.
    spare: Option<Slot>,
    /// Receive buffers that the provider has refused.
    unposted: Vec<Slot>,
    trust: Trust,
}

/// Facts about a message that the provider reports reliably.
#[derive(Clone, Copy)]
pub(crate) struct Trust {
    /// Whether notes may be read: some providers report data beside a message without any.
    pub(crate) notes: bool,
    /// Whether it names senders reliably by the table of peers.
    pub(crate) sources: bool,
}

impl ReceiveQueue {
    /// Creates a queue of `window` receives of up to `message_max` bytes each; none is posted.
    pub(crate) fn new(message_max: usize, window: usize, trust: Trust) -> ReceiveQueue {
        ReceiveQueue {
            slots: Buffers::new(HEADROOM + message_max, window),
            window,
            spare: None,
            unposted: Vec::new(),
            trust,
        }
    }

    /// Posts all receives.
    pub(crate) fn start(&mut self, device: &mut OpenDevice) -> Result<(), Error> {
        for _ in 0..self.window {
            if let Some(slot) = self.slots.take(device.registrar(0))? {
                self.post(device, slot);
            }
        }
        Ok(())
    }

    /// Returns the number of messages that each peer may have in flight.
    #[inline]
    pub(crate) fn window(&self) -> u32 {
        self.window as u32
    }

    /// Posts a buffer for the next message; later, where the provider is busy.
    #[inline]
    pub(crate) fn post(&mut self, device: &mut OpenDevice, slot: Slot) {
        let op = Op::Receive { slot };
        let (memory, mr) = self.slots.region(slot);
        let memory = memory.from(HEADROOM);
        match device
            .first()
            .receive(ofi::Address::ANY, memory, mr, op.token())
        {
            Ok(Posted::Taken(_)) => return,
            Ok(Posted::Busy) => {}
            Err(error) => Framework::Btl.debug(format_args!("a receive was refused: {error}")),
        }
        self.unposted.push(slot);
    }

    /// Takes back a buffer whose message was handled. It is posted when the next comes back, or at
    /// the next poll: a reply to its message goes first.
    #[inline]
    pub(crate) fn give_back(&mut self, device: &mut OpenDevice, slot: Slot) {
        if let Some(before) = self.spare.replace(slot) {
            self.post(device, before);
        }
    }

    /// Posts the buffer that came back last.
    #[inline]
    pub(crate) fn post_spare(&mut self, device: &mut OpenDevice) {
        if let Some(slot) = self.spare.take() {
            self.post(device, slot);
        }
    }

    /// Posts the buffers that the provider has refused.
    #[inline]
    pub(crate) fn retry(&mut self, device: &mut OpenDevice) {
        if !self.unposted.is_empty() {
            for slot in std::mem::take(&mut self.unposted) {
                self.post(device, slot);
            }
        }
    }

    /// Whether buffers are still to be posted.
    pub(crate) fn has_unposted(&self) -> bool {
        self.spare.is_some() || !self.unposted.is_empty()
    }

    /// Frees a buffer whose receive was cancelled.
    pub(crate) fn free(&mut self, slot: Slot) {
        self.slots.release(slot);
    }

    /// Returns the whole buffer of a slot, headroom included.
    #[inline]
    pub(crate) fn memory(&self, slot: Slot) -> UserBuf {
        self.slots.memory(slot)
    }

    /// Returns the note that the sender put beside a message.
    #[inline]
    pub(crate) fn note_of(&self, completion: &Completion) -> Option<u64> {
        let has_note = self.trust.notes && completion.flags & flags::REMOTE_CQ_DATA != 0;
        has_note.then_some(completion.data)
    }

    /// Returns the sender of a message, where the provider is reliable about it.
    #[inline]
    pub(crate) fn trusted_source(&self, source: Option<ofi::Address>) -> Option<ofi::Address> {
        source.filter(|_| self.trust.sources)
    }

    /// Takes a buffer that is not posted, for a test that makes up a message.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn take_unused(&mut self, device: &mut OpenDevice) -> Option<Slot> {
        self.slots.take(device.registrar(0)).ok().flatten()
    }

    /// Ends the registrations of the buffers.
    pub(crate) fn withdraw(&mut self) {
        self.slots.withdraw();
    }
}
