//! Info objects (MPI 5.0, 10).

use std::ffi::c_char;

use crate::args::{self, Info};
use crate::failure::Failure;
use crate::generated::constants::{
    MPI_ERR_ARG, MPI_ERR_INFO, MPI_INFO_ENV, MPI_INFO_NULL, MPI_MAX_INFO_KEY,
};
use crate::runtime;

/// `MPI_Info_create`.
pub unsafe fn info_create(info: *mut Info) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(info, mpi::Info::new()) }
}

/// `MPI_Info_create_env`: what `MPI_INFO_ENV` tells, with the program's own words for what is not
/// known yet.
pub unsafe fn info_create_env(
    argc: i32,
    argv: *mut *mut c_char,
    info: *mut Info,
) -> Result<(), Failure> {
    let mut words = Vec::new();
    if !argv.is_null() {
        for at in 0..usize::try_from(argc).unwrap_or(0) {
            // SAFETY: MPI's caller gives what `main` got: `argc` strings.
            words.push(unsafe { args::text(*argv.add(at), "argv") }?);
        }
    }
    let mut environment = runtime::get().environment().clone();
    if let Some((command, rest)) = words.split_first() {
        for (key, value) in [("command", command.clone()), ("argv", rest.join(" "))] {
            if environment.get(key)?.is_none() && value.len() < mpi::Info::VALUE_BYTES_MAX {
                environment.set(key, &value)?;
            }
        }
    }
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(info, environment) }
}

/// `MPI_Info_set`.
pub unsafe fn info_set(
    info: Info,
    key: *const c_char,
    value: *const c_char,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives two strings.
    let (key, value) = unsafe { (args::text(key, "key")?, args::text(value, "value")?) };
    change(info, |info| info.set(&key, &value))
}

/// `MPI_Info_delete`.
pub unsafe fn info_delete(info: Info, key: *const c_char) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a string.
    let key = unsafe { args::text(key, "key") }?;
    change(info, |info| info.delete(&key))
}

/// `MPI_Info_get`, deprecated: `valuelen` is the room without the closing zero.
pub unsafe fn info_get(
    info: Info,
    key: *const c_char,
    valuelen: i32,
    value: *mut c_char,
    flag: *mut i32,
) -> Result<(), Failure> {
    if valuelen < 0 {
        return Err(Failure::new(MPI_ERR_ARG, format!("valuelen is {valuelen}")));
    }
    // SAFETY: MPI's caller gives a string, room for one of `valuelen` bytes, and a place for an
    // integer.
    unsafe {
        let key = args::text(key, "key")?;
        let found = look_at(info, |info| Ok(info.get(&key)?.map(str::to_owned)))?;
        if let Some(found) = &found {
            let mut length = 0;
            args::write_text(value, valuelen as usize + 1, &mut length, found, "value")?;
        }
        args::write(flag, i32::from(found.is_some()), "flag")
    }
}

/// `MPI_Info_get_valuelen`, deprecated: the length without the closing zero.
pub unsafe fn info_get_valuelen(
    info: Info,
    key: *const c_char,
    valuelen: *mut i32,
    flag: *mut i32,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a string and places for two integers.
    unsafe {
        let key = args::text(key, "key")?;
        let length = look_at(info, |info| Ok(info.get(&key)?.map(str::len)))?;
        if let Some(length) = length {
            args::write(valuelen, length as i32, "valuelen")?;
        }
        args::write(flag, i32::from(length.is_some()), "flag")
    }
}

/// `MPI_Info_get_string`: `buflen` is the room with the closing zero, and becomes what the value
/// needs of it. With a room of 0 the value is not touched.
pub unsafe fn info_get_string(
    info: Info,
    key: *const c_char,
    buflen: *mut i32,
    value: *mut c_char,
    flag: *mut i32,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a string, room for one of `*buflen` bytes, and places for two
    // integers.
    unsafe {
        let key = args::text(key, "key")?;
        let room = args::read(buflen, "buflen")?;
        if room < 0 {
            return Err(Failure::new(MPI_ERR_ARG, format!("buflen is {room}")));
        }
        let found = look_at(info, |info| Ok(info.get(&key)?.map(str::to_owned)))?;
        if let Some(found) = &found {
            if room > 0 {
                let mut length = 0;
                args::write_text(value, room as usize, &mut length, found, "value")?;
            }
            args::write(buflen, found.len() as i32 + 1, "buflen")?;
        }
        args::write(flag, i32::from(found.is_some()), "flag")
    }
}

/// `MPI_Info_get_nkeys`.
pub unsafe fn info_get_nkeys(info: Info, nkeys: *mut i32) -> Result<(), Failure> {
    let count = look_at(info, |info| Ok(info.len()))?;
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(nkeys, count as i32, "nkeys") }
}

/// `MPI_Info_get_nthkey`.
pub unsafe fn info_get_nthkey(info: Info, n: i32, key: *mut c_char) -> Result<(), Failure> {
    let position = usize::try_from(n);
    let position = position.map_err(|_| Failure::new(MPI_ERR_ARG, format!("n is {n}")))?;
    let found = look_at(info, |info| info.key(position).map(str::to_owned))?;
    let mut length = 0;
    // SAFETY: MPI's caller gives room for MPI_MAX_INFO_KEY bytes.
    unsafe { args::write_text(key, MPI_MAX_INFO_KEY as usize, &mut length, &found, "key") }
}

/// `MPI_Info_dup`.
pub unsafe fn info_dup(info: Info, newinfo: *mut Info) -> Result<(), Failure> {
    let copy = look_at(info, |info| Ok(info.clone()))?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(newinfo, copy) }
}

/// `MPI_Info_free`.
pub unsafe fn info_free(info: *mut Info) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives the place of a handle.
    let handle = unsafe { args::read(info, "info") }?;
    if handle == MPI_INFO_ENV {
        return Err(read_only("freed"));
    }
    runtime::get().anytime.enter().infos.remove(handle)?;
    // SAFETY: as above.
    unsafe { args::write(info, MPI_INFO_NULL, "info") }
}

/// `MPI_Get_hw_resource_info` (MPI 5.0, 9.1.2): no kind of hardware resource has a name here, so
/// there is nothing that the process could be restricted to.
pub unsafe fn get_hw_resource_info(hw_info: *mut Info) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(hw_info, mpi::Info::new()) }
}

/// Gives the user a handle for an info object.
///
/// # Safety
/// A place that is not null may be written.
pub(crate) unsafe fn give(place: *mut Info, info: mpi::Info) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::new(MPI_ERR_ARG, "info is a null pointer"));
    }
    let handle = runtime::get().anytime.enter().infos.insert(info)?;
    // SAFETY: the caller promises it.
    unsafe { args::write(place, handle, "info") }
}

/// The hints in an info argument; none for `MPI_INFO_NULL`.
pub(crate) fn hints(handle: Info) -> Result<mpi::Info, Failure> {
    if handle == MPI_INFO_NULL {
        return Ok(mpi::Info::new());
    }
    look_at(handle, |info| Ok(info.clone()))
}

fn look_at<T>(
    handle: Info,
    look: impl FnOnce(&mpi::Info) -> Result<T, mpi::Error>,
) -> Result<T, Failure> {
    let runtime = runtime::get();
    if handle == MPI_INFO_ENV {
        return Ok(look(runtime.environment())?);
    }
    Ok(look(runtime.anytime.enter().infos.get(handle)?)?)
}

fn change(
    handle: Info,
    change: impl FnOnce(&mut mpi::Info) -> Result<(), mpi::Error>,
) -> Result<(), Failure> {
    if handle == MPI_INFO_ENV {
        return Err(read_only("changed"));
    }
    Ok(change(
        runtime::get().anytime.enter().infos.get_mut(handle)?,
    )?)
}

fn read_only(what: &str) -> Failure {
    Failure::new(MPI_ERR_INFO, format!("MPI_INFO_ENV cannot be {what}"))
}
