//! One-sided operations: put, get and accumulates (MPI 5.0, 12.3).
//!
//! Each call decodes its buffers, checks the elements' offset against the target's window, and
//! starts the operation, which either the next synchronisation completes or the request that the
//! call returns. Contiguous elements of one predefined datatype take a fast path ([`contiguous`]).

mod aim;
mod contiguous;

use std::ptr;
use std::sync::Arc;

use abi_state::args::{Datatype, Elements, Op, Out, Request, Win};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::request_handle;
use abi_state::runtime::{self, Runtime, TypeRef};
use abi_state::tables::WinEntry;
use base::Rank;
use datatype::{Basic, Buffer};
use memory::UserBuf;
use mpi::{Access, Request as Held, TargetBytes, Verb};

use self::aim::{aim, Aim};
use self::contiguous::is_comparable;

/// Place for the request of an operation; `None` if the next synchronisation completes it.
type Asked = Option<Out<Request>>;

/// The elements of an access in the window of its target.
struct Target {
    entry: Arc<WinEntry>,
    win: Win,
    rank: Rank,
    at: usize,
    count: i64,
    datatype: TypeRef,
    /// Length of the packed elements in bytes.
    bytes: usize,
}

impl Target {
    /// Returns the target that the arguments name; `None` for `MPI_PROC_NULL`.
    fn find(runtime: &Runtime, aim: Aim) -> Result<Option<Target>, Failure> {
        let Aim { count, win, .. } = aim;
        let entry = runtime.win(win)?;
        if aim.rank == MPI_PROC_NULL {
            return Ok(None);
        }
        let rank = entry.window.target(aim.rank)?;
        if count < 0 {
            let text = format!("target_count is {count}");
            return Err(Failure::new(MPI_ERR_COUNT, text));
        }
        let datatype = runtime.committed(aim.datatype)?;
        let window = &entry.window;
        let at = window.place(rank, aim.displacement, count, &datatype)?;
        let bytes = datatype.size().checked_mul(count);
        let bytes = bytes.ok_or_else(|| {
            let text = format!("{count} elements have more bytes than can be counted");
            Failure::new(MPI_ERR_COUNT, text)
        })?;
        Ok(Some(Target {
            entry,
            win,
            rank,
            at,
            count,
            datatype,
            bytes: bytes as usize,
        }))
    }

    fn elements(&self) -> mpi_win::Elements<'_> {
        mpi_win::Elements {
            at: self.at as i64,
            count: self.count,
            datatype: &self.datatype,
        }
    }

    fn place(&self) -> TargetBytes {
        let begin = ptr::without_provenance_mut(self.at);
        // SAFETY: nothing is read or written through this buffer: it describes the layout of
        // elements in the memory of another process (see `mpi::TargetBytes`).
        let place = unsafe { Buffer::new(begin, self.count, &self.datatype) };
        TargetBytes::Layout(place.expect("its bytes were counted, and lie in the target's memory"))
    }

    /// Begins an access, and stores its request if `asked`.
    fn begin(self, verb: Verb, asked: Asked) -> Result<(), Failure> {
        let (window, place) = (&self.entry.window, self.place());
        let access = Access { verb, place };
        let Some(request) = asked else {
            return Ok(window.access(self.rank, &access, self.elements())?);
        };
        let held = window.start_access(self.rank, &access, self.elements())?;
        give(held, self.win, request)
    }
}

fn give(held: Held, win: Win, request: Out<Request>) -> Result<(), Failure> {
    let mut tables = runtime::get().tables.enter();
    let handle = tables.request_handle(held, request_handle::of_window(win))?;
    request.set(handle)
}

/// Completes an operation on `MPI_PROC_NULL`: stores a complete request if `asked`.
fn give_none(win: Win, asked: Asked) -> Result<(), Failure> {
    match asked {
        None => Ok(()),
        Some(request) => give(Held::Done(mpi::NO_PARTNER), win, request),
    }
}

/// Checks that the origin's bytes fit the target's elements, as for a message.
fn fits(bytes: usize, room: usize, place: &str) -> Result<(), Failure> {
    if bytes <= room {
        return Ok(());
    }
    let text = format!("{bytes} bytes, where there is room for {room} {place}");
    Err(Failure::new(MPI_ERR_TRUNCATE, text))
}

#[inline(never)]
fn begin_put(origin: Elements, aim: Aim, asked: Asked) -> Result<(), Failure> {
    let runtime = runtime::get();
    let from = origin.send_buffer(runtime)?;
    let Some(target) = Target::find(runtime, aim)? else {
        return give_none(aim.win, asked);
    };
    fits(from.len(), target.bytes, "at the target")?;
    target.begin(Verb::Put { from }, asked)
}

#[inline(never)]
fn begin_get(origin: Elements, aim: Aim, asked: Asked) -> Result<(), Failure> {
    let runtime = runtime::get();
    let into = origin.recv_buffer(runtime)?;
    let Some(target) = Target::find(runtime, aim)? else {
        return give_none(aim.win, asked);
    };
    fits(target.bytes, into.len(), "at the origin")?;
    target.begin(Verb::Get { into }, asked)
}

/// `MPI_Put` (MPI 5.0, 12.3.1).
#[inline]
pub fn put(
    origin: Elements,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, target_count, target_datatype, win);
    if contiguous::put(origin, aim) {
        return Ok(());
    }
    begin_put(origin, aim, None)
}

/// `MPI_Rput` (MPI 5.0, 12.3.5).
pub fn rput(
    origin: Elements,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
    request: Out<Request>,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, target_count, target_datatype, win);
    begin_put(origin, aim, Some(request))
}

/// `MPI_Get` (MPI 5.0, 12.3.2).
#[inline]
pub fn get(
    origin: Elements,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, target_count, target_datatype, win);
    if contiguous::get(origin, aim) {
        return Ok(());
    }
    begin_get(origin, aim, None)
}

/// `MPI_Rget` (MPI 5.0, 12.3.5).
pub fn rget(
    origin: Elements,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
    request: Out<Request>,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, target_count, target_datatype, win);
    begin_get(origin, aim, Some(request))
}

/// Returns the predefined operation of a handle. Accumulates do not allow user-defined ones.
fn operation(runtime: &Runtime, op: Op) -> Result<datatype::Op, Failure> {
    if let Some(op) = runtime::predefined_op(op) {
        return Ok(op);
    }
    runtime.tables.enter().ops.get(op)?;
    let text = "an accumulate needs a predefined operation";
    Err(Failure::new(MPI_ERR_OP, text))
}

/// Returns the origin's elements of an accumulate, and the one predefined datatype that their
/// datatype consists of.
fn operand(
    runtime: &Runtime,
    op: datatype::Op,
    origin: Elements,
) -> Result<(Buffer, Option<&'static Basic>), Failure> {
    if op == datatype::Op::NoOp {
        return Ok((Buffer::EMPTY, None));
    }
    let element = runtime.committed(origin.datatype())?.element();
    Ok((origin.send_buffer(runtime)?, element))
}

/// Returns an accumulate; `None` if it has no effect.
fn combining(
    op: datatype::Op,
    (from, of_origin): (Buffer, Option<&'static Basic>),
    before: Option<Buffer>,
    target: &Target,
) -> Result<Option<Verb>, Failure> {
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
    Ok(Some(Verb::Accumulate {
        op,
        element,
        from,
        before,
    }))
}

#[inline(never)]
fn begin_combining(
    op: Op,
    origin: Elements,
    before: Option<Elements>,
    aim: Aim,
    asked: Asked,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let op = operation(runtime, op)?;
    let from = operand(runtime, op, origin)?;
    let before = before.map(|into| into.recv_buffer(runtime)).transpose()?;
    let Some(target) = Target::find(runtime, aim)? else {
        return give_none(aim.win, asked);
    };
    let nothing = op == datatype::Op::NoOp && before.is_none();
    match combining(op, from, before, &target)? {
        // An access to no elements only requires an open epoch.
        Some(_) if nothing => {
            let from = Buffer::EMPTY;
            target.begin(Verb::Put { from }, asked)
        }
        Some(verb) => target.begin(verb, asked),
        None => give_none(aim.win, asked),
    }
}

/// `MPI_Accumulate` (MPI 5.0, 12.3.4).
#[inline]
pub fn accumulate(
    origin: Elements,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, target_count, target_datatype, win);
    if contiguous::combine(op, origin, None, aim) {
        return Ok(());
    }
    begin_combining(op, origin, None, aim, None)
}

/// `MPI_Raccumulate` (MPI 5.0, 12.3.5).
pub fn raccumulate(
    origin: Elements,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
    request: Out<Request>,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, target_count, target_datatype, win);
    begin_combining(op, origin, None, aim, Some(request))
}

/// `MPI_Get_accumulate` (MPI 5.0, 12.3.4).
#[inline]
pub fn get_accumulate(
    origin: Elements,
    result: Elements,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, target_count, target_datatype, win);
    if contiguous::combine(op, origin, Some(result), aim) {
        return Ok(());
    }
    begin_combining(op, origin, Some(result), aim, None)
}

/// `MPI_Rget_accumulate` (MPI 5.0, 12.3.5).
pub fn rget_accumulate(
    origin: Elements,
    result: Elements,
    target_rank: i32,
    target_disp: i64,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
    request: Out<Request>,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, target_count, target_datatype, win);
    begin_combining(op, origin, Some(result), aim, Some(request))
}

/// Returns the predefined datatype of a handle.
fn predefined(runtime: &Runtime, datatype: Datatype) -> Result<&'static Basic, Failure> {
    let known = runtime.datatype(datatype)?;
    known.predefined().ok_or_else(|| {
        let text = "a single element needs a predefined datatype";
        Failure::new(MPI_ERR_TYPE, text)
    })
}

/// `MPI_Fetch_and_op` (MPI 5.0, 12.3.4).
#[inline]
pub fn fetch_and_op(
    origin: Elements,
    result: Elements,
    target_rank: i32,
    target_disp: i64,
    op: Op,
    win: Win,
) -> Result<(), Failure> {
    let aim = aim(target_rank, target_disp, 1, origin.datatype(), win);
    if contiguous::combine(op, origin, Some(result), aim) {
        return Ok(());
    }
    predefined(runtime::get(), aim.datatype)?;
    begin_combining(op, origin, Some(result), aim, None)
}

/// `MPI_Compare_and_swap` (MPI 5.0, 12.3.4).
#[inline]
pub fn compare_and_swap(
    origin: Elements,
    compare: Elements,
    result: Elements,
    target_rank: i32,
    target_disp: i64,
    win: Win,
) -> Result<(), Failure> {
    let buffers = [origin, compare, result];
    let aim = aim(target_rank, target_disp, 1, origin.datatype(), win);
    if contiguous::swap(buffers, aim) {
        return Ok(());
    }
    begin_swap(buffers, aim)
}

#[inline(never)]
fn begin_swap([new, compare, before]: [Elements; 3], aim: Aim) -> Result<(), Failure> {
    let runtime = runtime::get();
    let element = predefined(runtime, aim.datatype)?;
    if !is_comparable(element) {
        let text = format!("{} cannot be compared and swapped", element.name);
        return Err(Failure::new(MPI_ERR_TYPE, text));
    }
    let compare = compare.send_buffer(runtime)?;
    let new = new.send_buffer(runtime)?;
    let before = before.recv_buffer(runtime)?;
    let whole = |buffer: Buffer| buffer.contiguous().unwrap_or(UserBuf::EMPTY);
    let Some(target) = Target::find(runtime, aim)? else {
        return Ok(());
    };
    let verb = Verb::CompareAndSwap {
        element,
        compare: whole(compare),
        new: whole(new),
        before,
    };
    target.begin(verb, None)
}
