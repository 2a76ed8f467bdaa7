//! Info objects (MPI 5.0, 10).

use abi_state::args::{InOut, Info, Out, OutText, Text, TextList};
use abi_state::failure::Failure;
use abi_state::generated::constants::{MPI_ERR_ARG, MPI_ERR_INFO, MPI_INFO_ENV, MPI_INFO_NULL};
use abi_state::runtime;

/// `MPI_Info_create`.
pub fn info_create(info: Out<Info>) -> Result<(), Failure> {
    give(info, mpi::Info::new())
}

/// `MPI_Info_create_env`: the contents of `MPI_INFO_ENV`, with `command` and `argv` from the
/// arguments if they are still unknown.
pub fn info_create_env(_argc: i32, argv: TextList, info: Out<Info>) -> Result<(), Failure> {
    let words = match argv.is_null() {
        true => Vec::new(),
        false => argv.to_vec()?,
    };
    let words = words.iter().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    let mut environment = runtime::get().environment().clone();
    if let Some((command, rest)) = words.split_first() {
        for (key, value) in [("command", command.clone()), ("argv", rest.join(" "))] {
            if environment.get(key)?.is_none() && value.len() < mpi::Info::VALUE_BYTES_MAX {
                environment.set(key, &value)?;
            }
        }
    }
    give(info, environment)
}

/// `MPI_Info_set`.
pub fn info_set(info: Info, key: Text, value: Text) -> Result<(), Failure> {
    let (key, value) = (key.get()?, value.get()?);
    change(info, |info| info.set(&key, &value))
}

/// `MPI_Info_delete`.
pub fn info_delete(info: Info, key: Text) -> Result<(), Failure> {
    let key = key.get()?;
    change(info, |info| info.delete(&key))
}

/// `MPI_Info_get`, deprecated: `valuelen` does not count the terminating null.
pub fn info_get(
    info: Info,
    key: Text,
    valuelen: i32,
    value: OutText,
    flag: Out<i32>,
) -> Result<(), Failure> {
    if valuelen < 0 {
        return Err(Failure::new(MPI_ERR_ARG, format!("valuelen is {valuelen}")));
    }
    let key = key.get()?;
    let found = look_at(info, |info| Ok(info.get(&key)?.map(str::to_owned)))?;
    if let Some(found) = &found {
        value.store(found)?;
    }
    flag.set(i32::from(found.is_some()))
}

/// `MPI_Info_get_valuelen`, deprecated: the length does not count the terminating null.
pub fn info_get_valuelen(
    info: Info,
    key: Text,
    valuelen: Out<i32>,
    flag: Out<i32>,
) -> Result<(), Failure> {
    let key = key.get()?;
    let length = look_at(info, |info| Ok(info.get(&key)?.map(str::len)))?;
    if let Some(length) = length {
        valuelen.set(length as i32)?;
    }
    flag.set(i32::from(length.is_some()))
}

/// `MPI_Info_get_string`: `buflen` counts the terminating null, and becomes the size that the value
/// needs. With a `buflen` of 0 nothing is stored in `value`.
pub fn info_get_string(
    info: Info,
    key: Text,
    buflen: InOut<i32>,
    value: OutText,
    flag: Out<i32>,
) -> Result<(), Failure> {
    let key = key.get()?;
    let room = buflen.get()?;
    if room < 0 {
        return Err(Failure::new(MPI_ERR_ARG, format!("buflen is {room}")));
    }
    let found = look_at(info, |info| Ok(info.get(&key)?.map(str::to_owned)))?;
    if let Some(found) = &found {
        if room > 0 {
            value.store(found)?;
        }
        buflen.set(found.len() as i32 + 1)?;
    }
    flag.set(i32::from(found.is_some()))
}

/// `MPI_Info_get_nkeys`.
pub fn info_get_nkeys(info: Info, nkeys: Out<i32>) -> Result<(), Failure> {
    let count = look_at(info, |info| Ok(info.len()))?;
    nkeys.set(count as i32)
}

/// `MPI_Info_get_nthkey`.
pub fn info_get_nthkey(info: Info, n: i32, key: OutText) -> Result<(), Failure> {
    let position = usize::try_from(n);
    let position = position.map_err(|_| Failure::new(MPI_ERR_ARG, format!("n is {n}")))?;
    let found = look_at(info, |info| info.key(position).map(str::to_owned))?;
    key.store(&found)?;
    Ok(())
}

/// `MPI_Info_dup`.
pub fn info_dup(info: Info, newinfo: Out<Info>) -> Result<(), Failure> {
    let copy = look_at(info, |info| Ok(info.clone()))?;
    give(newinfo, copy)
}

/// `MPI_Info_free`.
pub fn info_free(info: InOut<Info>) -> Result<(), Failure> {
    let handle = info.get()?;
    if handle == MPI_INFO_ENV {
        return Err(read_only("freed"));
    }
    runtime::get().anytime.enter().infos.remove(handle)?;
    info.set(MPI_INFO_NULL)
}

/// `MPI_Get_hw_resource_info` (MPI 5.0, 9.1.2): an empty info object, since this library defines no
/// names of hardware resources.
pub fn get_hw_resource_info(hw_info: Out<Info>) -> Result<(), Failure> {
    give(hw_info, mpi::Info::new())
}

/// Stores a new handle for an info object.
pub(crate) fn give(place: Out<Info>, info: mpi::Info) -> Result<(), Failure> {
    let handle = runtime::get().anytime.enter().infos.insert(info)?;
    place.set(handle)
}

/// Returns a copy of the hints in an info argument; no hints for `MPI_INFO_NULL`.
pub(crate) fn hints(handle: Info) -> Result<mpi::Info, Failure> {
    if handle == MPI_INFO_NULL {
        return Ok(mpi::Info::new());
    }
    look_at(handle, |info| Ok(info.clone()))
}

/// Checks an info argument of which no key is known.
pub(crate) fn check(handle: Info) -> Result<(), Failure> {
    match handle {
        MPI_INFO_NULL => Ok(()),
        handle => look_at(handle, |_| Ok(())),
    }
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
