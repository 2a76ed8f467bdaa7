//! The tool information interface (MPI 5.0, 15.3): its beginning and end, enumerations, and what
//! all its calls share. Nothing here needs MPI to be initialised.

pub mod category;
pub mod control;
pub mod event;
pub mod performance;

use base::MutexGuard;

use abi_state::args::{Datatype, InOut, Out, OutText, TEnum};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use abi_state::tool::State;
use mpit::Type;

/// `MPI_T_init_thread` (MPI 5.0, 15.3.4): every level is provided.
pub fn t_init_thread(required: i32, provided: Out<i32>) -> Result<(), Failure> {
    const LEVELS: [i32; 4] = [
        MPI_THREAD_SINGLE,
        MPI_THREAD_FUNNELED,
        MPI_THREAD_SERIALIZED,
        MPI_THREAD_MULTIPLE,
    ];
    if !LEVELS.contains(&required) {
        let text = format!("{required} is not a level of thread support");
        return Err(Failure::new(MPI_T_ERR_INVALID, text));
    }
    runtime::get().tool.init()?;
    give(provided, required)
}

/// `MPI_T_finalize` (MPI 5.0, 15.3.4).
pub fn t_finalize() -> Result<(), Failure> {
    runtime::get().tool.finalize()
}

/// `MPI_T_enum_get_info` (MPI 5.0, 15.3.5).
pub fn t_enum_get_info(
    enumtype: TEnum,
    num: Out<i32>,
    name: OutText,
    name_len: InOut<i32>,
) -> Result<(), Failure> {
    let mut state = enter()?;
    let (known, words) = enumerated(&mut state, enumtype)?;
    give(num, words.len() as i32)?;
    give_text(name, name_len, known)
}

/// `MPI_T_enum_get_item` (MPI 5.0, 15.3.5).
pub fn t_enum_get_item(
    enumtype: TEnum,
    indx: i32,
    value: Out<i32>,
    name: OutText,
    name_len: InOut<i32>,
) -> Result<(), Failure> {
    let mut state = enter()?;
    let (_, words) = enumerated(&mut state, enumtype)?;
    let word = usize::try_from(indx).ok().and_then(|at| words.get(at));
    let word = word.ok_or_else(|| {
        let text = format!("indx is {indx}, where there are {} items", words.len());
        Failure::new(MPI_T_ERR_INVALID_INDEX, text)
    })?;
    give(value, indx)?;
    give_text(name, name_len, word)
}

/// Returns the name and the words of an enumeration. Control variables with words come first, by
/// their positions, then events, whose enumerations name their elements.
fn enumerated(state: &mut State, enumtype: TEnum) -> Result<(&str, Vec<&'static str>), Failure> {
    let controls = state.known().controls.all();
    let at = enumtype.0.wrapping_sub(1);
    let control = controls.get(at).filter(|one| !one.words.is_empty());
    let control = control.map(|one| (one.name.as_str(), one.words.clone()));
    let event = || {
        let event = mpit::event::ALL.get(at.checked_sub(controls.len())?)?;
        let names = event.elements.iter().map(|(_, name)| *name);
        Some((event.name, names.collect()))
    };
    control.or_else(event).ok_or_else(|| {
        let text = format!("{:#x} is no MPI_T_enum", enumtype.0);
        Failure::new(MPI_T_ERR_INVALID_HANDLE, text)
    })
}

/// Returns the enumeration of the elements of an event.
fn elements_of(event: usize) -> Result<TEnum, Failure> {
    let controls = enter()?.known().controls.all().len();
    Ok(TEnum(controls + event + 1))
}

/// Returns what tools share, for one call.
fn enter() -> Result<MutexGuard<'static, State>, Failure> {
    runtime::get().tool.enter()
}

/// Fails where no tool has initialised the interface.
fn check() -> Result<(), Failure> {
    enter().map(drop)
}

/// Stores a value where the tool wants it: null pointers say that it does not.
fn give<T>(slot: Out<T>, value: T) -> Result<(), Failure> {
    match slot.is_null() {
        true => Ok(()),
        false => slot.set(value),
    }
}

/// Stores a value where there has to be room for it.
fn must_give<T>(slot: Out<T>, value: T) -> Result<(), Failure> {
    slot.set(value)
        .map_err(|failure| failure.coded(MPI_T_ERR_INVALID))
}

/// Stores a text and its length with the closing zero byte, or the length of the whole text where
/// there is no room for any (MPI 5.0, 15.3.3).
fn give_text(slot: OutText, length: InOut<i32>, text: &str) -> Result<(), Failure> {
    if length.is_null() {
        return Ok(());
    }
    let stored = match slot.is_null() || length.get()? <= 0 {
        true => text.len(),
        false => slot.store(text)?,
    };
    length.set(stored as i32 + 1)
}

/// Returns the position that an index names among `count`.
fn index(what: &str, index: i32, count: usize) -> Result<usize, Failure> {
    let at = usize::try_from(index).ok().filter(|at| *at < count);
    at.ok_or_else(|| {
        let text = format!("{what} is {index}, where there are {count}");
        Failure::new(MPI_T_ERR_INVALID_INDEX, text)
    })
}

/// Returns the failure for a name that names nothing.
fn unknown_name(what: &str, name: &str) -> Failure {
    let text = format!("no {what} is called {name:?}");
    Failure::new(MPI_T_ERR_INVALID_NAME, text)
}

/// Returns the verbosity of a level of 1 to 9.
fn verbosity(level: u8) -> i32 {
    const LEVELS: [i32; 9] = [
        MPI_T_VERBOSITY_USER_BASIC,
        MPI_T_VERBOSITY_USER_DETAIL,
        MPI_T_VERBOSITY_USER_ALL,
        MPI_T_VERBOSITY_TUNER_BASIC,
        MPI_T_VERBOSITY_TUNER_DETAIL,
        MPI_T_VERBOSITY_TUNER_ALL,
        MPI_T_VERBOSITY_MPIDEV_BASIC,
        MPI_T_VERBOSITY_MPIDEV_DETAIL,
        MPI_T_VERBOSITY_MPIDEV_ALL,
    ];
    LEVELS[usize::from(level.clamp(1, 9)) - 1]
}

/// Returns the datatype of elements.
fn datatype(ty: Type) -> Datatype {
    match ty {
        Type::Int => MPI_INT,
        Type::Count => MPI_COUNT,
        Type::UnsignedLong => MPI_UNSIGNED_LONG,
        Type::Char => MPI_CHAR,
    }
}

/// Copies the bytes of a value to the tool's buffer.
///
/// # Safety
/// A pointer that is not null points to room for them.
unsafe fn copy_out(bytes: &[u8], buffer: *mut std::ffi::c_void) -> Result<(), Failure> {
    if buffer.is_null() {
        return Err(Failure::new(
            MPI_T_ERR_INVALID,
            "the buffer is a null pointer",
        ));
    }
    // SAFETY: it is not null, and the caller promises the room; our bytes are not the tool's.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.cast(), bytes.len()) };
    Ok(())
}
