//! Operations in windows (MPI 5.0, 12.3).
//!
//! Each call decodes its buffers, checks the elements' place against the target's window, and
//! either leaves the operation to the next synchronisation or gives a request for it.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use base::Rank;
use datatype::{Basic, Buffer, Class};
use memory::UserBuf;
use mpi::{Access, Elements, Place, Request as Held};

use super::buffers::{buffer, room};
use super::win::{find, WinEntry};
use crate::args::{self, Datatype, Op, Request, Win};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::requests;
use crate::runtime::{self, Runtime, TypeRef};

/// Elements in the window of a target.
struct Target {
    entry: Arc<WinEntry>,
    rank: Rank,
    at: usize,
    count: i64,
    datatype: TypeRef,
    /// Their packed bytes.
    bytes: usize,
}

impl Target {
    /// What the arguments name; `None` for `MPI_PROC_NULL`.
    #[inline]
    fn find(
        runtime: &Runtime,
        win: Win,
        (rank, displacement): (i32, i64),
        (count, datatype): (i64, Datatype),
    ) -> Result<Option<Target>, Failure> {
        let entry = find(runtime, win)?;
        if rank == MPI_PROC_NULL {
            return Ok(None);
        }
        let rank = entry.window.target(rank)?;
        if count < 0 {
            let text = format!("target_count is {count}");
            return Err(Failure::new(MPI_ERR_COUNT, text));
        }
        let datatype = runtime.committed(datatype)?;
        let at = entry.window.place(rank, displacement, count, &datatype)?;
        let bytes = datatype.size().checked_mul(count);
        let bytes = bytes.ok_or_else(|| {
            let text = format!("{count} elements have more bytes than can be counted");
            Failure::new(MPI_ERR_COUNT, text)
        })?;
        Ok(Some(Target {
            entry,
            rank,
            at,
            count,
            datatype,
            bytes: bytes as usize,
        }))
    }

    fn elements(&self) -> Elements<'_> {
        Elements {
            at: self.at as i64,
            count: self.count,
            datatype: &self.datatype,
        }
    }

    fn place(&self) -> Place {
        let begin = ptr::without_provenance_mut(self.at);
        // SAFETY: nothing is read or written through this buffer: it tells where elements lie in
        // the memory of another process (see `mpi::Place`).
        let place = unsafe { Buffer::new(begin, self.count, &self.datatype) };
        Place(place.expect("its bytes were counted, and lie in the target's memory"))
    }

    fn begin(self, access: Access) -> Result<(), Failure> {
        let window = &self.entry.window;
        Ok(window.access(self.rank, access, self.elements(), || self.place())?)
    }

    /// # Safety
    /// The place may be written where it is not null.
    unsafe fn start(self, access: Access, win: Win, request: *mut Request) -> Result<(), Failure> {
        if request.is_null() {
            return Err(args::null("request"));
        }
        let window = &self.entry.window;
        let held = window.start_access(self.rank, access, self.elements(), || self.place())?;
        // SAFETY: the caller promises it.
        unsafe { give(held, win, request) }
    }

    /// What is written must have room, as in a message.
    fn put(&self, from: Buffer) -> Result<Access, Failure> {
        fits(from.len(), self.bytes, "at the target")?;
        Ok(Access::Put { from })
    }

    fn get(&self, into: Buffer) -> Result<Access, Failure> {
        fits(self.bytes, into.len(), "at the origin")?;
        Ok(Access::Get { into })
    }
}

/// # Safety
/// The place may be written where it is not null.
unsafe fn give(held: Held, win: Win, request: *mut Request) -> Result<(), Failure> {
    let mut tables = runtime::get().tables.enter();
    let handle = tables.request_handle(held, requests::of_window(win))?;
    // SAFETY: the caller promises it.
    unsafe { args::write(request, handle, "request") }
}

/// The request of an operation without a target.
unsafe fn give_none(win: Win, request: *mut Request) -> Result<(), Failure> {
    // SAFETY: passed on from MPI's caller.
    unsafe { give(Held::Done(mpi::NO_PARTNER), win, request) }
}

fn fits(bytes: usize, room: usize, place: &str) -> Result<(), Failure> {
    if bytes <= room {
        return Ok(());
    }
    let text = format!("{bytes} bytes, where there is room for {room} {place}");
    Err(Failure::new(MPI_ERR_TRUNCATE, text))
}

/// `MPI_Put` (MPI 5.0, 12.3.1).
pub unsafe fn put(
    origin_addr: *const c_void,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (at, what) = ((target_rank, target_disp), (target_count, target_datatype));
    // SAFETY: MPI's caller gives these elements, until the operation is complete.
    let from = unsafe { buffer(runtime, origin_addr, origin_count, origin_datatype)? };
    match Target::find(runtime, win, at, what)? {
        None => Ok(()),
        Some(target) => {
            let access = target.put(from)?;
            target.begin(access)
        }
    }
}

/// `MPI_Rput` (MPI 5.0, 12.3.5).
pub unsafe fn rput(
    origin_addr: *const c_void,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (at, what) = ((target_rank, target_disp), (target_count, target_datatype));
    // SAFETY: as in `put`; MPI's caller gives a place for a handle.
    unsafe {
        let from = buffer(runtime, origin_addr, origin_count, origin_datatype)?;
        match Target::find(runtime, win, at, what)? {
            None => give_none(win, request),
            Some(target) => {
                let access = target.put(from)?;
                target.start(access, win, request)
            }
        }
    }
}

/// `MPI_Get` (MPI 5.0, 12.3.2).
pub unsafe fn get(
    origin_addr: *mut c_void,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (at, what) = ((target_rank, target_disp), (target_count, target_datatype));
    // SAFETY: as in `put`.
    let into = unsafe { room(runtime, origin_addr, origin_count, origin_datatype)? };
    match Target::find(runtime, win, at, what)? {
        None => Ok(()),
        Some(target) => {
            let access = target.get(into)?;
            target.begin(access)
        }
    }
}

/// `MPI_Rget` (MPI 5.0, 12.3.5).
pub unsafe fn rget(
    origin_addr: *mut c_void,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (at, what) = ((target_rank, target_disp), (target_count, target_datatype));
    // SAFETY: as in `rput`.
    unsafe {
        let into = room(runtime, origin_addr, origin_count, origin_datatype)?;
        match Target::find(runtime, win, at, what)? {
            None => give_none(win, request),
            Some(target) => {
                let access = target.get(into)?;
                target.start(access, win, request)
            }
        }
    }
}

/// The predefined operation of a handle, for accumulates: the user's own cannot be used.
fn operation(runtime: &Runtime, op: Op) -> Result<datatype::Op, Failure> {
    if let Some(op) = runtime::predefined_op(op) {
        return Ok(op);
    }
    runtime.tables.enter().ops.get(op)?;
    let text = "an accumulate needs a predefined operation";
    Err(Failure::new(MPI_ERR_OP, text))
}

/// The origin's side of an accumulate: elements, and the only predefined datatype in theirs.
///
/// # Safety
/// As of [`buffer`].
unsafe fn operand(
    runtime: &Runtime,
    op: datatype::Op,
    address: *const c_void,
    count: i64,
    datatype: Datatype,
) -> Result<(Buffer, Option<&'static Basic>), Failure> {
    if op == datatype::Op::NoOp {
        return Ok((Buffer::EMPTY, None));
    }
    let element = runtime.committed(datatype)?.element();
    // SAFETY: promised by the caller.
    Ok((
        unsafe { buffer(runtime, address, count, datatype)? },
        element,
    ))
}

/// An accumulate; `None` when there is nothing to be done.
fn combining(
    op: datatype::Op,
    (from, of_origin): (Buffer, Option<&'static Basic>),
    before: Option<Buffer>,
    target: &Target,
) -> Result<Option<Access>, Failure> {
    let place = target.bytes;
    if op != datatype::Op::NoOp {
        fits(from.len(), place, "at the target")?;
    }
    if let Some(before) = &before {
        fits(place, before.len(), "for the result")?;
    }
    if place == 0 {
        return Ok(None);
    }
    let Some(element) = target.datatype.element() else {
        let text = "the target's datatype has elements of several predefined datatypes";
        return Err(Failure::new(MPI_ERR_TYPE, text));
    };
    if of_origin.is_some_and(|origin| origin.handle != element.handle) {
        let text = "the datatypes of origin and target are of different predefined datatypes";
        return Err(Failure::new(MPI_ERR_TYPE, text));
    }
    if op != datatype::Op::NoOp && of_origin.is_none() && !from.is_empty() {
        let text = "the origin's datatype has elements of several predefined datatypes";
        return Err(Failure::new(MPI_ERR_TYPE, text));
    }
    let known = datatype::predefined(element.handle);
    let allowed = known.is_some_and(|known| datatype::allowed(op, known));
    if !op.one_sided_only() && !allowed {
        let text = format!("{} is not defined for {}", op.name(), element.name);
        return Err(Failure::new(MPI_ERR_OP, text));
    }
    Ok(Some(Access::Accumulate {
        op,
        element,
        from,
        before,
    }))
}

/// `MPI_Accumulate` (MPI 5.0, 12.3.4).
pub unsafe fn accumulate(
    origin_addr: *const c_void,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (at, what) = ((target_rank, target_disp), (target_count, target_datatype));
    let op = operation(runtime, op)?;
    // SAFETY: as in `put`.
    let from = unsafe { operand(runtime, op, origin_addr, origin_count, origin_datatype)? };
    let Some(target) = Target::find(runtime, win, at, what)? else {
        return Ok(());
    };
    match combining(op, from, None, &target)? {
        // Nothing is combined, and nothing is asked for.
        Some(_) if op == datatype::Op::NoOp => target.begin(nothing()),
        Some(access) => target.begin(access),
        None => Ok(()),
    }
}

/// An operation that does nothing, in an epoch that it needs all the same.
fn nothing() -> Access {
    Access::Put {
        from: Buffer::EMPTY,
    }
}

/// `MPI_Raccumulate` (MPI 5.0, 12.3.5).
pub unsafe fn raccumulate(
    origin_addr: *const c_void,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (at, what) = ((target_rank, target_disp), (target_count, target_datatype));
    let op = operation(runtime, op)?;
    // SAFETY: as in `rput`.
    unsafe {
        let from = operand(runtime, op, origin_addr, origin_count, origin_datatype)?;
        let Some(target) = Target::find(runtime, win, at, what)? else {
            return give_none(win, request);
        };
        match combining(op, from, None, &target)? {
            Some(_) if op == datatype::Op::NoOp => target.start(nothing(), win, request),
            Some(access) => target.start(access, win, request),
            None => give_none(win, request),
        }
    }
}

/// `MPI_Get_accumulate` (MPI 5.0, 12.3.4).
pub unsafe fn get_accumulate(
    origin_addr: *const c_void,
    origin_count: i64,
    origin_datatype: Datatype,
    result_addr: *mut c_void,
    result_count: i64,
    result_datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (at, what) = ((target_rank, target_disp), (target_count, target_datatype));
    let op = operation(runtime, op)?;
    // SAFETY: as in `put`.
    let (from, before) = unsafe {
        let from = operand(runtime, op, origin_addr, origin_count, origin_datatype)?;
        (
            from,
            room(runtime, result_addr, result_count, result_datatype)?,
        )
    };
    let Some(target) = Target::find(runtime, win, at, what)? else {
        return Ok(());
    };
    match combining(op, from, Some(before), &target)? {
        Some(access) => target.begin(access),
        None => Ok(()),
    }
}

/// `MPI_Rget_accumulate` (MPI 5.0, 12.3.5).
pub unsafe fn rget_accumulate(
    origin_addr: *const c_void,
    origin_count: i64,
    origin_datatype: Datatype,
    result_addr: *mut c_void,
    result_count: i64,
    result_datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (at, what) = ((target_rank, target_disp), (target_count, target_datatype));
    let op = operation(runtime, op)?;
    // SAFETY: as in `rput`.
    unsafe {
        let from = operand(runtime, op, origin_addr, origin_count, origin_datatype)?;
        let before = room(runtime, result_addr, result_count, result_datatype)?;
        let Some(target) = Target::find(runtime, win, at, what)? else {
            return give_none(win, request);
        };
        match combining(op, from, Some(before), &target)? {
            Some(access) => target.start(access, win, request),
            None => give_none(win, request),
        }
    }
}

/// The predefined datatype of a handle.
fn predefined(runtime: &Runtime, datatype: Datatype) -> Result<&'static Basic, Failure> {
    let known = runtime.datatype(datatype)?;
    known.predefined().ok_or_else(|| {
        let text = "a single element needs a predefined datatype";
        Failure::new(MPI_ERR_TYPE, text)
    })
}

/// `MPI_Fetch_and_op` (MPI 5.0, 12.3.4).
pub unsafe fn fetch_and_op(
    origin_addr: *const c_void,
    result_addr: *mut c_void,
    datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    op: Op,
    win: Win,
) -> Result<(), Failure> {
    predefined(runtime::get(), datatype)?;
    // SAFETY: passed on from MPI's caller, who gives one element each.
    unsafe {
        get_accumulate(
            origin_addr,
            1,
            datatype,
            result_addr,
            1,
            datatype,
            target_rank,
            target_disp,
            1,
            datatype,
            op,
            win,
        )
    }
}

/// `MPI_Compare_and_swap` (MPI 5.0, 12.3.4).
pub unsafe fn compare_and_swap(
    origin_addr: *const c_void,
    compare_addr: *const c_void,
    result_addr: *mut c_void,
    datatype: Datatype,
    target_rank: i32,
    target_disp: i64,
    win: Win,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let element = predefined(runtime, datatype)?;
    use Class::{Byte, CInteger, FortranInteger, Logical, MultiLanguage};
    if !matches!(
        element.class,
        Byte | CInteger | FortranInteger | Logical | MultiLanguage
    ) {
        let text = format!("{} cannot be compared and swapped", element.name);
        return Err(Failure::new(MPI_ERR_TYPE, text));
    }
    // SAFETY: MPI's caller gives one element each.
    let (compare, new, before) = unsafe {
        let compare = buffer(runtime, compare_addr, 1, datatype)?;
        let new = buffer(runtime, origin_addr, 1, datatype)?;
        (compare, new, room(runtime, result_addr, 1, datatype)?)
    };
    let whole = |buffer: Buffer| buffer.contiguous().unwrap_or(UserBuf::EMPTY);
    let at = (target_rank, target_disp);
    let Some(target) = Target::find(runtime, win, at, (1, datatype))? else {
        return Ok(());
    };
    target.begin(Access::CompareAndSwap {
        element,
        compare: whole(compare),
        new: whole(new),
        before,
    })
}
