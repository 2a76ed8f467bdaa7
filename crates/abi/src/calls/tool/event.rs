//! Events, and the source that they come from (MPI 5.0, 15.3.8).

use std::ffi::c_void;

use abi_state::args::{
    Datatype, InOut, Info, Out, OutText, TCbSafety, TEnum, TEventCbFunction,
    TEventDroppedCbFunction, TEventFreeCbFunction, TEventInstance, TEventRegistration,
    TSourceOrder, Text,
};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use abi_state::tool::{Registration, UserData};
use abi_watch::event_raiser;
use mpit::event::{self, Event, Instance};

use super::{
    check, copy_out, datatype, elements_of, enter, give, give_text, index, must_give, unknown_name,
    verbosity,
};
use crate::calls::info;

/// `MPI_T_source_get_num`.
pub fn t_source_get_num(num_sources: Out<i32>) -> Result<(), Failure> {
    check()?;
    must_give(num_sources, 1)
}

/// `MPI_T_source_get_info`.
// The arguments are MPI's.
pub fn t_source_get_info(
    source_index: i32,
    name: OutText,
    name_len: InOut<i32>,
    desc: OutText,
    desc_len: InOut<i32>,
    ordering: Out<TSourceOrder>,
    ticks_per_second: Out<i64>,
    max_ticks: Out<i64>,
    info: Out<Info>,
) -> Result<(), Failure> {
    check()?;
    index("source_index", source_index, 1)?;
    give_text(name, name_len, event::SOURCE)?;
    give_text(desc, desc_len, event::SOURCE_HELP)?;
    give(ordering, MPI_T_SOURCE_ORDERED)?;
    give(ticks_per_second, event::TICKS_PER_SECOND)?;
    give(max_ticks, i64::MAX)?;
    give_info(info)
}

/// `MPI_T_source_get_timestamp`.
pub fn t_source_get_timestamp(source_index: i32, timestamp: Out<i64>) -> Result<(), Failure> {
    check()?;
    index("source_index", source_index, 1)?;
    must_give(timestamp, runtime::get().tool.now())
}

/// `MPI_T_event_get_num`.
pub fn t_event_get_num(num_events: Out<i32>) -> Result<(), Failure> {
    check()?;
    must_give(num_events, event::ALL.len() as i32)
}

/// `MPI_T_event_get_info`.
///
/// # Safety
/// Where `num_elements` says so, the arrays have room for as many values.
// The arguments are MPI's.
pub unsafe fn t_event_get_info(
    event_index: i32,
    name: OutText,
    name_len: InOut<i32>,
    verbosity: Out<i32>,
    array_of_datatypes: *mut Datatype,
    array_of_displacements: *mut i64,
    num_elements: InOut<i32>,
    enumtype: Out<TEnum>,
    info: Out<Info>,
    desc: OutText,
    desc_len: InOut<i32>,
    bind: Out<i32>,
) -> Result<(), Failure> {
    let event = find(event_index)?;
    let names = elements_of(event_index as usize)?;
    give_text(name, name_len, event.name)?;
    give(verbosity, self::verbosity(event.level))?;
    if !num_elements.is_null() {
        let room = usize::try_from(num_elements.get()?).unwrap_or(0);
        let (displacements, _) = event.layout();
        let elements = event.elements.iter().zip(displacements);
        for (at, ((ty, _), displacement)) in elements.enumerate().take(room) {
            if !array_of_datatypes.is_null() {
                // SAFETY: it is not null, and has room for `num_elements` values.
                unsafe { array_of_datatypes.add(at).write(datatype(*ty)) };
            }
            if !array_of_displacements.is_null() {
                // SAFETY: as above.
                unsafe { array_of_displacements.add(at).write(displacement as i64) };
            }
        }
        num_elements.set(event.elements.len() as i32)?;
    }
    give(enumtype, names)?;
    give_info(info)?;
    give_text(desc, desc_len, event.help)?;
    give(bind, MPI_T_BIND_NO_OBJECT)
}

/// `MPI_T_event_get_index`.
pub fn t_event_get_index(name: Text, event_index: Out<i32>) -> Result<(), Failure> {
    check()?;
    let name = name.get().map_err(|f| f.coded(MPI_T_ERR_INVALID))?;
    let at = event::find(&name).ok_or_else(|| unknown_name("event", &name))?;
    must_give(event_index, at as i32)
}

/// `MPI_T_event_handle_alloc`. No event is bound to an object, and no hint is known.
pub fn t_event_handle_alloc(
    event_index: i32,
    _obj_handle: *mut c_void,
    _info: Info,
    event_registration: Out<TEventRegistration>,
) -> Result<(), Failure> {
    let mut state = enter()?;
    let event = index("event_index", event_index, event::ALL.len())?;
    let new = state.registrations.insert(Registration {
        event,
        callbacks: Vec::new(),
        dropped: None,
    })?;
    drop(state);
    must_give(event_registration, new)?;
    runtime::get().tool.listen(true);
    event_raiser::open();
    Ok(())
}

/// `MPI_T_event_handle_set_info`.
pub fn t_event_handle_set_info(
    event_registration: TEventRegistration,
    _info: Info,
) -> Result<(), Failure> {
    with(event_registration, |_| Ok(()))
}

/// `MPI_T_event_handle_get_info`: no hint is known.
pub fn t_event_handle_get_info(
    event_registration: TEventRegistration,
    info_used: Out<Info>,
) -> Result<(), Failure> {
    with(event_registration, |_| Ok(()))?;
    give_info(info_used)
}

/// `MPI_T_event_register_callback`. A null pointer takes a callback away.
pub fn t_event_register_callback(
    event_registration: TEventRegistration,
    cb_safety: TCbSafety,
    _info: Info,
    user_data: *mut c_void,
    event_cb_function: TEventCbFunction,
) -> Result<(), Failure> {
    check_safety(cb_safety)?;
    with(event_registration, |registration| {
        let callbacks = &mut registration.callbacks;
        callbacks.retain(|(safety, ..)| *safety != cb_safety);
        if event_cb_function.is_some() {
            callbacks.push((cb_safety, event_cb_function, UserData(user_data)));
            callbacks.sort_by_key(|(safety, ..)| *safety);
        }
        Ok(())
    })
}

/// `MPI_T_event_callback_set_info`.
pub fn t_event_callback_set_info(
    event_registration: TEventRegistration,
    cb_safety: TCbSafety,
    _info: Info,
) -> Result<(), Failure> {
    check_safety(cb_safety)?;
    with(event_registration, |_| Ok(()))
}

/// `MPI_T_event_callback_get_info`: no hint is known.
pub fn t_event_callback_get_info(
    event_registration: TEventRegistration,
    cb_safety: TCbSafety,
    info_used: Out<Info>,
) -> Result<(), Failure> {
    check_safety(cb_safety)?;
    with(event_registration, |_| Ok(()))?;
    give_info(info_used)
}

/// `MPI_T_event_handle_free`.
///
/// # Safety
/// The function may be called with these arguments.
pub unsafe fn t_event_handle_free(
    event_registration: TEventRegistration,
    user_data: *mut c_void,
    free_cb_function: TEventFreeCbFunction,
) -> Result<(), Failure> {
    enter()?.registrations.remove(event_registration)?;
    runtime::get().tool.listen(false);
    if let Some(function) = free_cb_function {
        // SAFETY: the tool gives the function and its data for this call.
        unsafe { function(event_registration, MPI_T_CB_REQUIRE_NONE, user_data) };
    }
    Ok(())
}

/// `MPI_T_event_set_dropped_handler`. No event is ever dropped.
pub fn t_event_set_dropped_handler(
    event_registration: TEventRegistration,
    dropped_cb_function: TEventDroppedCbFunction,
) -> Result<(), Failure> {
    with(event_registration, |registration| {
        registration.dropped = dropped_cb_function;
        Ok(())
    })
}

/// `MPI_T_event_read`.
///
/// # Safety
/// The buffer has room for the element.
pub unsafe fn t_event_read(
    event_instance: TEventInstance,
    element_index: i32,
    buffer: *mut c_void,
) -> Result<(), Failure> {
    let instance = instance(event_instance)?;
    let count = event::ALL[instance.event].elements.len();
    let at = index("element_index", element_index, count)?;
    // SAFETY: the caller promises the room.
    unsafe { copy_out(&instance.element(at).unwrap_or_default(), buffer) }
}

/// `MPI_T_event_copy`.
///
/// # Safety
/// The buffer has room for all elements, each at its displacement.
pub unsafe fn t_event_copy(
    event_instance: TEventInstance,
    buffer: *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the caller promises the room.
    unsafe { copy_out(&instance(event_instance)?.copy(), buffer) }
}

/// `MPI_T_event_get_timestamp`.
pub fn t_event_get_timestamp(
    event_instance: TEventInstance,
    event_timestamp: Out<i64>,
) -> Result<(), Failure> {
    must_give(event_timestamp, instance(event_instance)?.time)
}

/// `MPI_T_event_get_source`.
pub fn t_event_get_source(
    event_instance: TEventInstance,
    source_index: Out<i32>,
) -> Result<(), Failure> {
    instance(event_instance)?;
    must_give(source_index, 0)
}

fn find(event_index: i32) -> Result<&'static Event, Failure> {
    check()?;
    Ok(&event::ALL[index("event_index", event_index, event::ALL.len())?])
}

fn instance(handle: TEventInstance) -> Result<Instance, Failure> {
    Ok(enter()?.instances.get(handle)?.clone())
}

fn with(
    handle: TEventRegistration,
    act: impl FnOnce(&mut Registration) -> Result<(), Failure>,
) -> Result<(), Failure> {
    act(enter()?.registrations.get_mut(handle)?)
}

fn check_safety(safety: TCbSafety) -> Result<(), Failure> {
    const LEVELS: [TCbSafety; 4] = [
        MPI_T_CB_REQUIRE_NONE,
        MPI_T_CB_REQUIRE_MPI_RESTRICTED,
        MPI_T_CB_REQUIRE_THREAD_SAFE,
        MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE,
    ];
    match LEVELS.contains(&safety) {
        true => Ok(()),
        false => Err(Failure::new(
            MPI_T_ERR_INVALID,
            format!("{safety} is not a level of callback safety"),
        )),
    }
}

fn give_info(slot: Out<Info>) -> Result<(), Failure> {
    match slot.is_null() {
        true => Ok(()),
        false => info::give(slot, mpi::Info::new()),
    }
}
