//! Performance variables, and the sessions in which tools read them (MPI 5.0, 15.3.7).

use std::ffi::c_void;
use std::sync::Arc;

use abi_state::args::{
    Comm, Datatype, InOut, Out, OutText, TEnum, TPvarHandle, TPvarSession, Text,
};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use abi_state::tool::State;
use base::{Counters, PeerId};
use mpit::performance::{self, Class, Reading, Refusal};

use super::{check, enter, give, give_text, index, must_give, unknown_name, verbosity};

/// `MPI_T_pvar_get_num`.
pub fn t_pvar_get_num(num_pvar: Out<i32>) -> Result<(), Failure> {
    check()?;
    must_give(num_pvar, performance::ALL.len() as i32)
}

/// `MPI_T_pvar_get_info`.
// The arguments are MPI's.
pub fn t_pvar_get_info(
    pvar_index: i32,
    name: OutText,
    name_len: InOut<i32>,
    verbosity: Out<i32>,
    var_class: Out<i32>,
    datatype: Out<Datatype>,
    enumtype: Out<TEnum>,
    desc: OutText,
    desc_len: InOut<i32>,
    bind: Out<i32>,
    readonly: Out<i32>,
    continuous: Out<i32>,
    atomic: Out<i32>,
) -> Result<(), Failure> {
    check()?;
    let at = index("pvar_index", pvar_index, performance::ALL.len())?;
    let variable = &performance::ALL[at];
    give_text(name, name_len, variable.name)?;
    give(verbosity, self::verbosity(variable.level))?;
    give(var_class, class_number(variable.class))?;
    give(datatype, MPI_UNSIGNED_LONG)?;
    give(enumtype, MPI_T_ENUM_NULL)?;
    give_text(desc, desc_len, variable.help)?;
    let object = match variable.is_of_peers() {
        true => MPI_T_BIND_MPI_COMM,
        false => MPI_T_BIND_NO_OBJECT,
    };
    give(bind, object)?;
    let always = i32::from(variable.is_continuous());
    give(readonly, always)?;
    give(continuous, always)?;
    give(atomic, 1 - always)
}

/// `MPI_T_pvar_get_index`.
pub fn t_pvar_get_index(name: Text, var_class: i32, pvar_index: Out<i32>) -> Result<(), Failure> {
    check()?;
    let name = name.get().map_err(|f| f.coded(MPI_T_ERR_INVALID))?;
    let classes = [Class::Level, Class::Counter, Class::Size];
    let class = classes
        .into_iter()
        .find(|class| class_number(*class) == var_class);
    let at = performance::find(&name, class);
    let at = at.ok_or_else(|| unknown_name("performance variable of that class", &name))?;
    must_give(pvar_index, at as i32)
}

/// `MPI_T_pvar_session_create`.
pub fn t_pvar_session_create(pe_session: Out<TPvarSession>) -> Result<(), Failure> {
    let new = enter()?.sessions.insert(())?;
    must_give(pe_session, new)
}

/// `MPI_T_pvar_session_free`: its handles go with it.
pub fn t_pvar_session_free(pe_session: InOut<TPvarSession>) -> Result<(), Failure> {
    let mut state = enter()?;
    let session = pe_session.get().map_err(|f| f.coded(MPI_T_ERR_INVALID))?;
    state.sessions.remove(session)?;
    for handle in of_session(&state, session) {
        state.readings.remove(handle)?;
    }
    pe_session.set(MPI_T_PVAR_SESSION_NULL)
}

/// `MPI_T_pvar_handle_alloc`.
///
/// # Safety
/// For a variable that is bound to a communicator, `obj_handle` points to its handle or is null.
pub unsafe fn t_pvar_handle_alloc(
    pe_session: TPvarSession,
    pvar_index: i32,
    obj_handle: *mut c_void,
    handle: Out<TPvarHandle>,
    count: Out<i32>,
) -> Result<(), Failure> {
    let at = index("pvar_index", pvar_index, performance::ALL.len())?;
    let mut peers = Vec::new();
    if performance::ALL[at].is_of_peers() {
        if obj_handle.is_null() {
            let text = "obj_handle is a null pointer, where the variable is bound to an MPI_Comm";
            return Err(Failure::new(MPI_T_ERR_INVALID, text));
        }
        // SAFETY: it is not null, so it points to a handle.
        peers = peers_of(unsafe { obj_handle.cast::<Comm>().read() })?;
    }
    let mut state = enter()?;
    state.sessions.get(pe_session)?;
    let reading = Reading::new(at, peers);
    let elements = reading.count();
    let new = state.readings.insert((pe_session, reading))?;
    must_give(handle, new)?;
    give(count, elements as i32)
}

/// `MPI_T_pvar_handle_free`.
pub fn t_pvar_handle_free(
    pe_session: TPvarSession,
    handle: InOut<TPvarHandle>,
) -> Result<(), Failure> {
    let old = handle.get().map_err(|f| f.coded(MPI_T_ERR_INVALID))?;
    with(pe_session, old, |_, _| Ok(()))?;
    enter()?.readings.remove(old)?;
    handle.set(MPI_T_PVAR_HANDLE_NULL)
}

/// `MPI_T_pvar_start`.
pub fn t_pvar_start(pe_session: TPvarSession, handle: TPvarHandle) -> Result<(), Failure> {
    each(pe_session, handle, Reading::start)
}

/// `MPI_T_pvar_stop`.
pub fn t_pvar_stop(pe_session: TPvarSession, handle: TPvarHandle) -> Result<(), Failure> {
    each(pe_session, handle, Reading::stop)
}

/// `MPI_T_pvar_read`.
///
/// # Safety
/// The buffer has room for the elements of the variable.
pub unsafe fn t_pvar_read(
    pe_session: TPvarSession,
    handle: TPvarHandle,
    buf: *mut c_void,
) -> Result<(), Failure> {
    let value = with(pe_session, handle, |reading, counters| {
        Ok(reading.read(counters))
    })?;
    // SAFETY: the caller promises the room.
    unsafe { super::copy_out(&bytes(&value), buf) }
}

/// `MPI_T_pvar_write`.
///
/// # Safety
/// The buffer has the elements of the variable.
pub unsafe fn t_pvar_write(
    pe_session: TPvarSession,
    handle: TPvarHandle,
    buf: *const c_void,
) -> Result<(), Failure> {
    if buf.is_null() {
        return Err(Failure::new(MPI_T_ERR_INVALID, "buf is a null pointer"));
    }
    with(pe_session, handle, |reading, counters| {
        let first: *const u64 = buf.cast();
        // SAFETY: it is not null, and the caller promises the elements.
        let value = |at: usize| unsafe { first.add(at).read_unaligned() };
        let values: Vec<u64> = (0..reading.count()).map(value).collect();
        reading.write(counters, &values).map_err(refused)
    })
}

/// `MPI_T_pvar_reset`.
pub fn t_pvar_reset(pe_session: TPvarSession, handle: TPvarHandle) -> Result<(), Failure> {
    each(pe_session, handle, |reading, counters| {
        reading.reset(counters).map(|_| ())
    })
}

/// `MPI_T_pvar_readreset`.
///
/// # Safety
/// The buffer has room for the elements of the variable.
pub unsafe fn t_pvar_readreset(
    pe_session: TPvarSession,
    handle: TPvarHandle,
    buf: *mut c_void,
) -> Result<(), Failure> {
    if buf.is_null() {
        return Err(Failure::new(MPI_T_ERR_INVALID, "buf is a null pointer"));
    }
    let value = with(pe_session, handle, |reading, counters| {
        reading.reset(counters).map_err(refused)
    })?;
    // SAFETY: the caller promises the room.
    unsafe { super::copy_out(&bytes(&value), buf) }
}

/// Does an act on a handle of a session.
fn with<T>(
    session: TPvarSession,
    handle: TPvarHandle,
    act: impl FnOnce(&mut Reading, &Arc<Counters>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut state = enter()?;
    let state = &mut *state;
    state.sessions.get(session)?;
    let (of, reading) = state.readings.get_mut(handle)?;
    if *of != session {
        let text = format!("handle {:#x} is of another session", handle.0);
        return Err(Failure::new(MPI_T_ERR_INVALID_HANDLE, text));
    }
    act(reading, &state.counters)
}

/// Does an act on a handle of a session, or on all of them for which there is the act.
fn each(
    session: TPvarSession,
    handle: TPvarHandle,
    act: impl Fn(&mut Reading, &Arc<Counters>) -> Result<(), Refusal>,
) -> Result<(), Failure> {
    if handle != MPI_T_PVAR_ALL_HANDLES {
        return with(session, handle, |reading, counters| {
            act(reading, counters).map_err(refused)
        });
    }
    let mut state = enter()?;
    let state = &mut *state;
    state.sessions.get(session)?;
    for handle in of_session(state, session) {
        let (_, reading) = state.readings.get_mut(handle)?;
        // Variables that always run are passed over.
        let _ = act(reading, &state.counters);
    }
    Ok(())
}

fn of_session(state: &State, session: TPvarSession) -> Vec<TPvarHandle> {
    let handles = state.readings.iter().filter(|(_, (of, _))| *of == session);
    handles.map(|(handle, _)| handle).collect()
}

/// Returns the processes of a communicator, those of the remote group of an inter-communicator.
fn peers_of(comm: Comm) -> Result<Vec<PeerId>, Failure> {
    let tables = runtime::get().tables.enter();
    let found = tables.comm(comm);
    let comm = found.map_err(|failure| failure.coded(MPI_T_ERR_INVALID_HANDLE))?;
    Ok(comm.far_group().peers().to_vec())
}

fn bytes(value: &[u64]) -> Vec<u8> {
    value
        .iter()
        .flat_map(|element| element.to_ne_bytes())
        .collect()
}

fn class_number(class: Class) -> i32 {
    match class {
        Class::Level => MPI_T_PVAR_CLASS_LEVEL,
        Class::Counter => MPI_T_PVAR_CLASS_COUNTER,
        Class::Size => MPI_T_PVAR_CLASS_SIZE,
    }
}

fn refused(refusal: Refusal) -> Failure {
    match refusal {
        Refusal::NoStartStop => {
            let text = "the variable always runs: it is neither started nor stopped";
            Failure::new(MPI_T_ERR_PVAR_NO_STARTSTOP, text)
        }
        Refusal::NoWrite => {
            let text = "the variable is a present level: it cannot be written or reset";
            Failure::new(MPI_T_ERR_PVAR_NO_WRITE, text)
        }
    }
}
