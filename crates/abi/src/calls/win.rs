//! Windows: creating, querying and freeing them (MPI 5.0, 12.2).

use std::ffi::c_void;
use std::sync::Arc;

use abi_state::args::{Bytes, Comm, Group, InOut, Info, Out, OutCount, OutText, Text, Win};
use abi_state::buffers::refuse_in_place;
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;
use abi_state::hooks;
use abi_state::language::Own;
use abi_state::runtime;
use abi_state::tables::{WinEntry, WinValues};
use base::Rank;
use memory::UserBuf;
use mpi::Class;
use mpi_local::attr;
use mpi_win::{Flavor, Window};

use super::info;

fn size_of_window(size: i64) -> Result<usize, Failure> {
    let too_large = || Failure::new(MPI_ERR_SIZE, format!("size is {size}"));
    usize::try_from(size).map_err(|_| too_large())
}

fn unit_of_window(unit: i64) -> Result<u64, Failure> {
    match u64::try_from(unit) {
        Ok(unit) if unit > 0 => Ok(unit),
        _ => Err(Failure::new(
            MPI_ERR_DISP,
            format!("disp_unit is {unit}, which is no positive number"),
        )),
    }
}

fn hand_out(window: Window, allocated: usize, place: Out<Win>) -> Result<(), Failure> {
    let base = window.base();
    let unit = window.extent(window.rank()).unit;
    let values = WinValues {
        base: base.address() as usize,
        size: base.len() as i64,
        unit: i32::try_from(unit).unwrap_or(i32::MAX),
        flavor: match window.flavor() {
            Flavor::Create => MPI_WIN_FLAVOR_CREATE,
            Flavor::Allocate => MPI_WIN_FLAVOR_ALLOCATE,
            Flavor::Dynamic => MPI_WIN_FLAVOR_DYNAMIC,
            Flavor::Shared => MPI_WIN_FLAVOR_SHARED,
        },
        model: MPI_WIN_UNIFIED,
    };
    let entry = Arc::new(WinEntry {
        window,
        values,
        allocated,
    });
    let handle = runtime::get().tables.enter().wins.insert(entry)?;
    place.set(handle)
}

/// Converts a failure of this process's arguments when a window is made: the other processes are
/// notified of it, and would wait otherwise.
fn to_error(failure: Failure) -> mpi::Error {
    let class = Class::from_code(failure.code).unwrap_or(Class::Arg);
    mpi::Error::new(class, failure.text.clone())
}

/// Checks the arguments that all functions that make windows have: the unit of displacements and
/// the hints. An error comes with the default ones.
fn common(
    unit: i64,
    info: Info,
    places: [Result<(), Failure>; 2],
) -> (u64, mpi::Info, Result<(), Failure>) {
    let checked: Result<(), Failure> = places.into_iter().collect();
    let all = checked.and_then(|()| Ok((unit_of_window(unit)?, info::hints(info)?)));
    match all {
        Ok((unit, info)) => (unit, info, Ok(())),
        Err(failure) => (1, mpi::Info::new(), Err(failure)),
    }
}

/// `MPI_Win_create` (MPI 5.0, 12.2.1).
pub fn win_create(
    base: Bytes,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    win: Out<Win>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let parent = runtime.comm(comm)?;
    hooks::joins(comm);
    let (unit, info, given) = common(disp_unit, info, [win.check(), Ok(())]);
    let memory = given.and_then(|()| {
        let size = size_of_window(base.size())?;
        refuse_in_place(base.address(), size)?;
        if base.address().is_null() && size > 0 {
            let text = format!("the memory of {size} bytes is a null pointer");
            return Err(Failure::new(MPI_ERR_BUFFER, text));
        }
        Ok(base.memory(size))
    });
    let memory = memory.map_err(to_error);
    let window = Window::create(&parent, Flavor::Create, memory, unit, &info)?;
    hand_out(window, 0, win)
}

/// `MPI_Win_allocate` (MPI 5.0, 12.2.2).
pub fn win_allocate(
    size: i64,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    baseptr: Out<usize>,
    win: Out<Win>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let parent = runtime.comm(comm)?;
    hooks::joins(comm);
    let places = [win.check(), baseptr.check()];
    let (unit, info, given) = common(disp_unit, info, places);
    let size = given.and_then(|()| size_of_window(size));
    let bytes = *size.as_ref().unwrap_or(&0);
    let mut pooled = 0;
    let allocate = || {
        let memory = runtime.user_memory().allocate(bytes, &info)?;
        pooled = memory.as_ptr() as usize;
        // SAFETY: the pool gave `bytes` bytes, which are freed with the window.
        Ok(unsafe { UserBuf::new(memory.as_ptr(), bytes) })
    };
    let size = size.map(|size| size as u64).map_err(to_error);
    let window = match Window::allocate(&parent, size, unit, &info, allocate) {
        Ok(window) => window,
        Err(error) => {
            if pooled != 0 {
                runtime.user_memory().free(pooled)?;
            }
            return Err(error.into());
        }
    };
    let address = window.base().address() as usize;
    baseptr.set(address)?;
    hand_out(window, pooled, win)
}

/// `MPI_Win_allocate_shared` (MPI 5.0, 12.2.3).
pub fn win_allocate_shared(
    size: i64,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    baseptr: Out<usize>,
    win: Out<Win>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let parent = runtime.comm(comm)?;
    hooks::joins(comm);
    let places = [win.check(), baseptr.check()];
    let (unit, info, given) = common(disp_unit, info, places);
    let size = given.and_then(|()| size_of_window(size));
    let size = size.map(|size| size as u64).map_err(to_error);
    let window = Window::allocate_shared(&parent, size, unit, &info)?;
    let address = window.base().address() as usize;
    baseptr.set(address)?;
    hand_out(window, 0, win)
}

/// `MPI_Win_create_dynamic` (MPI 5.0, 12.2.4).
pub fn win_create_dynamic(info: Info, comm: Comm, win: Out<Win>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let parent = runtime.comm(comm)?;
    hooks::joins(comm);
    let (unit, info, given) = common(1, info, [win.check(), Ok(())]);
    let memory = given.map(|()| UserBuf::EMPTY).map_err(to_error);
    let window = Window::create(&parent, Flavor::Dynamic, memory, unit, &info)?;
    hand_out(window, 0, win)
}

/// `MPI_Win_shared_query` (MPI 5.0, 12.2.3).
pub fn win_shared_query(
    win: Win,
    rank: i32,
    size: Out<i64>,
    disp_unit: OutCount,
    baseptr: Out<usize>,
) -> Result<(), Failure> {
    let entry = runtime::get().win(win)?;
    let rank = match rank {
        MPI_PROC_NULL => None,
        rank => Some(entry.window.target(rank)?),
    };
    let (memory, extent) = entry.window.shared(rank.map(|Rank(rank)| rank))?;
    size.set(extent.size as i64)?;
    disp_unit.set(extent.unit as i64)?;
    let address = memory.address() as usize;
    baseptr.set(address)
}

/// `MPI_Win_attach` (MPI 5.0, 12.2.4).
pub fn win_attach(win: Win, base: Bytes) -> Result<(), Failure> {
    let entry = runtime::get().win(win)?;
    let size = size_of_window(base.size())?;
    refuse_in_place(base.address(), size)?;
    if base.address().is_null() && size > 0 {
        return Err(Failure::new(MPI_ERR_BUFFER, "base is a null pointer"));
    }
    Ok(entry.window.attach(base.memory(size))?)
}

/// `MPI_Win_detach` (MPI 5.0, 12.2.4).
pub fn win_detach(win: Win, base: *const c_void) -> Result<(), Failure> {
    let entry = runtime::get().win(win)?;
    Ok(entry.window.detach(base as usize)?)
}

/// `MPI_Win_free` (MPI 5.0, 12.2.5). The functions of attributes run before the window ends.
pub fn win_free(win: InOut<Win>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let handle = win.get()?;
    let entry = runtime.win(handle)?;
    let on = |failure: Failure| failure.on(On::Win(handle));
    entry
        .window
        .check_free()
        .map_err(|error| on(error.into()))?;
    let attributes = entry.window.attributes.lock().clone();
    attr::delete_all(&attributes, handle.0).map_err(|error| on(error.into()))?;
    entry.window.free().map_err(|error| on(error.into()))?;
    let removed = runtime.tables.enter().take_window(handle)?;
    let allocated = removed.allocated;
    drop((entry, removed));
    if allocated != 0 {
        runtime.user_memory().free(allocated)?;
    }
    win.set(MPI_WIN_NULL)
}

/// `MPI_Win_get_group` (MPI 5.0, 12.2.6).
pub fn win_get_group(win: Win, group: Out<Group>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let own = runtime.win(win)?.window.group().clone();
    let handle = runtime.tables.enter().group_handle(own)?;
    group.set(handle)
}

/// `MPI_Win_set_info` (MPI 5.0, 12.2.7).
pub fn win_set_info(win: Win, info: Info) -> Result<(), Failure> {
    let runtime = runtime::get();
    let entry = runtime.win(win)?;
    let given = info::hints(info)?;
    Ok(entry.window.set_info(&given)?)
}

/// `MPI_Win_get_info` (MPI 5.0, 12.2.7).
pub fn win_get_info(win: Win, info_used: Out<Info>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let used = runtime.win(win)?.window.info();
    let handle = runtime.anytime.enter().infos.insert(used)?;
    info_used.set(handle)
}

/// `MPI_Win_set_name` (MPI 5.0, 7.8).
pub fn win_set_name(win: Win, win_name: Text) -> Result<(), Failure> {
    let name = win_name.get()?;
    runtime::get().win(win)?.window.set_name(&name);
    Ok(())
}

/// `MPI_Win_get_name` (MPI 5.0, 7.8).
pub fn win_get_name(win: Win, win_name: OutText, resultlen: Out<i32>) -> Result<(), Failure> {
    let name = match win {
        MPI_WIN_NULL => "MPI_WIN_NULL".to_string(),
        win => runtime::get().win(win)?.window.name(),
    };
    win_name.set(&name, resultlen)
}

/// The value of an attribute of a window that MPI defines; `None` for a key that is the user's.
pub(crate) fn predefined(entry: &WinEntry, number: i32) -> Option<Own> {
    let values = &entry.values;
    Some(match number {
        MPI_WIN_BASE => Own::Address(values.base),
        MPI_WIN_SIZE => Own::Size(&values.size),
        MPI_WIN_DISP_UNIT => Own::Integer(&values.unit),
        MPI_WIN_CREATE_FLAVOR => Own::Integer(&values.flavor),
        MPI_WIN_MODEL => Own::Integer(&values.model),
        _ => return None,
    })
}
