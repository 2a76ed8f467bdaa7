//! Atomic operations, if the provider supports all of them.

use btl::{AtomicOp, Width};
use mca::Framework;
use ofi::{AtomicKind, AtomicType, Domain};

/// Returns libfabric's operation and type for an atomic operation.
pub(crate) fn native(op: AtomicOp, width: Width) -> (ofi::AtomicOp, AtomicType) {
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
            Framework::Btl.debug(format_args!(
                "{domain:?} lacks {op:?} of {} bytes",
                width.bytes()
            ));
        }
        count > 0
    };
    ops.into_iter()
        .flat_map(|op| widths.map(|width| (op, width)))
        .all(works)
}
