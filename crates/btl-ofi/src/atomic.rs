//! Atomic operations, where the provider has all of them.

use base::{Key, PeerId};
use btl::{Access, Atomic, AtomicOp, Error, RemoteRange, Sink, Started, Token, Width};
use memory::UserBuf;
use ofi::{flags, AtomicKind, AtomicType, Domain, Failure, Posted, Words};

use crate::buffers::Slot;
use crate::component::Transport;
use crate::op::Op;
use crate::rma::{place, Act, Transfer};

/// Where the words of an operation lie in its cell.
const OPERAND_AT: usize = 0;
const COMPARE_AT: usize = 8;
/// Where this side keeps the key of the operation's transfer.
const TRANSFER_AT: usize = 16;
const RESULT_AT: usize = 24;

/// What the target does, in libfabric's words.
fn native(op: AtomicOp, width: Width) -> (ofi::AtomicOp, AtomicType) {
    let unsigned = match width {
        Width::Four => AtomicType::U32,
        Width::Eight => AtomicType::U64,
    };
    let signed = match width {
        Width::Four => AtomicType::I32,
        Width::Eight => AtomicType::I64,
    };
    match op {
        AtomicOp::Add => (ofi::AtomicOp::Sum, unsigned),
        AtomicOp::And => (ofi::AtomicOp::Band, unsigned),
        AtomicOp::Or => (ofi::AtomicOp::Bor, unsigned),
        AtomicOp::Xor => (ofi::AtomicOp::Bxor, unsigned),
        AtomicOp::Min => (ofi::AtomicOp::Min, signed),
        AtomicOp::Max => (ofi::AtomicOp::Max, signed),
        AtomicOp::Swap => (ofi::AtomicOp::Write, unsigned),
        AtomicOp::Read => (ofi::AtomicOp::Read, unsigned),
        AtomicOp::CompareSwap(_) => (ofi::AtomicOp::CompareSwap, unsigned),
    }
}

/// Whether the provider can be given atomic operations: that `FI_ATOMIC` is among its
/// capabilities is not enough. It must have every operation in both widths; and `ofi_rxd` runs
/// into a null pointer when two processes that have not met begin with one at the same time.
pub(crate) fn are_sound(domain: &Domain) -> bool {
    if domain.info().provider.ends_with(";ofi_rxd") {
        return false;
    }
    use AtomicOp::{Add, And, CompareSwap, Max, Min, Or, Read, Swap, Xor};
    let ops = [Add, And, Or, Xor, Min, Max, Swap, Read, CompareSwap(0)];
    let widths = [Width::Four, Width::Eight];
    let works = |(op, width): (AtomicOp, Width)| {
        let (native, ty) = native(op, width);
        let kind = match op {
            CompareSwap(_) => AtomicKind::Compare,
            _ => AtomicKind::Fetch,
        };
        let count = domain.atomic_count(kind, ty, native);
        if count == 0 {
            log::debug!("{domain:?} lacks {op:?} of {} bytes", width.bytes());
        }
        count > 0
    };
    ops.into_iter()
        .flat_map(|op| widths.map(|width| (op, width)))
        .all(works)
}

impl Transport {
    /// Starts an atomic operation. The word as it was is always fetched: its arrival says that
    /// the operation is done at the target. Without a token nobody is told.
    pub(crate) fn begin_atomic(
        &mut self,
        peer: PeerId,
        atomic: Atomic,
        result: Option<UserBuf>,
        range: RemoteRange,
        token: Option<Token>,
    ) -> Result<Started, Error> {
        let len = atomic.width.bytes();
        if !self.caps.atomics {
            let what = "atomic";
            return Err(Error::Unsupported { peer, what });
        }
        let both = |access: Access| access.read && access.write;
        let (address, is_full) = self.aim(peer)?;
        let remote = place((peer, address), &range, len, both)?;
        if remote.at % len as u64 != 0 {
            let offset = range.offset;
            return Err(Error::OutOfRange { peer, offset, len });
        }
        if is_full {
            return Ok(Started::Busy);
        }
        let context = self.context();
        let cell = {
            let register = self.memory.local_registrar(&self.contexts[context]);
            self.cells.take(register)?
        };
        let Some(cell) = cell else {
            return Ok(Started::Busy);
        };
        let transfer = Transfer {
            act: Act::Atomic,
            peer,
            token,
            local: result.unwrap_or(UserBuf::EMPTY),
            lease: None,
            remote,
            offset: range.offset,
            context,
            since: self.help.looks(),
            posted: result.map_or(0, |result| result.len()),
            pieces: 1,
            failed: None,
        };
        match self.post_atomic(&transfer, cell, atomic) {
            Ok(Posted::Taken(_)) => {
                self.count(peer);
                self.transfers.insert(transfer);
                Ok(Started::Pending)
            }
            refused => {
                self.cells.give_back(cell);
                match refused {
                    Ok(_) => Ok(Started::Busy),
                    Err(error) => Err(self.refusal(peer, range.offset, len, &error)),
                }
            }
        }
    }

    /// Posts the operation of what will be the next transfer.
    #[inline(always)]
    fn post_atomic(
        &mut self,
        transfer: &Transfer,
        cell: Slot,
        atomic: Atomic,
    ) -> Result<Posted, ofi::Error> {
        let len = atomic.width.bytes();
        let expected = match atomic.op {
            AtomicOp::CompareSwap(expected) => Some(expected),
            _ => None,
        };
        let key = self.transfers.next_key();
        let mut known = [0; RESULT_AT];
        known[OPERAND_AT..COMPARE_AT].copy_from_slice(&atomic.operand.to_le_bytes());
        known[COMPARE_AT..TRANSFER_AT].copy_from_slice(&expected.unwrap_or(0).to_le_bytes());
        known[TRANSFER_AT..].copy_from_slice(&key.bits().to_ne_bytes());
        let (words, mr) = self.cells.lent(cell);
        words.write(0, &known);
        let operands = Words {
            operand: words.part(OPERAND_AT, len),
            compare: expected.map(|_| words.part(COMPARE_AT, len)),
            result: Some(words.part(RESULT_AT, len)),
            mr,
        };
        let token = Op::Atomic { cell }.token();
        let what = native(atomic.op, atomic.width);
        let endpoint = &mut self.contexts[transfer.context];
        let done = flags::DELIVERY_COMPLETE;
        endpoint.atomic(transfer.remote, what, operands, done, token)
    }

    /// The transfer of an atomic operation.
    #[inline]
    pub(crate) fn transfer_in(&self, cell: Slot) -> Key {
        let mut key = [0; 8];
        self.cells.memory(cell).read(TRANSFER_AT, &mut key);
        Key::from_bits(u64::from_ne_bytes(key))
    }

    /// Hands the word as it was to whoever asked for it, once: their memory is their own then.
    #[inline]
    pub(crate) fn take_result(&mut self, key: Key, cell: Slot) {
        let Some(transfer) = self.transfers.get_mut(key) else {
            return;
        };
        let into = std::mem::replace(&mut transfer.local, UserBuf::EMPTY);
        transfer.posted = 0;
        let len = into.len().min(8);
        into.copy_from(&self.cells.memory(cell).part(RESULT_AT, len));
    }

    /// An atomic operation is over. The number of reports made at once.
    pub(crate) fn atomic_ended(
        &mut self,
        cell: Slot,
        outcome: &Result<(), Box<Failure>>,
        sink: &mut dyn Sink,
    ) -> usize {
        let key = self.transfer_in(cell);
        if outcome.is_ok() {
            self.take_result(key, cell);
        }
        self.cells.give_back(cell);
        self.piece_ended(key, outcome, sink)
    }
}
