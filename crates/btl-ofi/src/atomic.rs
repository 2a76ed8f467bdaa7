//! Atomic operations, if the provider supports all of them.

use base::{Key, PeerId};
use btl::{Access, Atomic, AtomicOp, Error, RemoteRange, Started, Token, Width};
use memory::UserBuf;
use ofi::{flags, AtomicKind, AtomicType, Domain, Posted, Remote};

use crate::component::Transport;
use crate::op::Op;
use crate::rma::{place, Act, Transfer};

/// Returns libfabric's operation and type for an atomic operation.
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
/// capabilities is not enough. It must have every operation in both widths; and some
/// providers break them.
pub(crate) fn are_sound(domain: &Domain) -> bool {
    if domain.info().quirks.breaks_atomics {
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
    /// Starts an atomic operation. The word's old value is always fetched: its arrival says that
    /// the operation is done at the target. Without a token there is no report.
    #[inline(never)]
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
        let transfer = self.transfers.next_key();
        let register = self.memory.local_registrar(&self.contexts[context]);
        self.cells.provide(transfer.index(), register)?;
        match self.post_atomic((transfer, context), remote, atomic) {
            Ok(Posted::Taken(_)) => {}
            Ok(Posted::Busy) => return Ok(Started::Busy),
            Err(error) => return Err(self.refusal(peer, range.offset, len, &error)),
        }
        // The bookkeeping is done while it is in flight.
        self.count(peer);
        self.transfers.insert(Transfer {
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
        });
        Ok(Started::Pending)
    }

    /// Posts the operation of a future transfer, which has a cell.
    #[inline(always)]
    fn post_atomic(
        &mut self,
        (transfer, context): (Key, usize),
        remote: Remote,
        atomic: Atomic,
    ) -> Result<Posted, ofi::Error> {
        let expected = match atomic.op {
            AtomicOp::CompareSwap(expected) => Some(expected),
            _ => None,
        };
        let values = (atomic.operand, expected);
        let len = atomic.width.bytes();
        let words = self.cells.words(transfer.index(), len, values);
        let what = native(atomic.op, atomic.width);
        let (token, done) = (Op::Piece { transfer }.token(), flags::DELIVERY_COMPLETE);
        self.contexts[context].atomic(remote, what, words, done, token)
    }
}
