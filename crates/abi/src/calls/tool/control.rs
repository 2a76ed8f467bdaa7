//! Control variables (MPI 5.0, 15.3.6).

use std::ffi::c_void;

use abi_state::args::{Datatype, InOut, Out, OutText, TCvarHandle, TEnum, Text};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use mpit::control::{Refusal, Scope, TEXT_BYTES};
use mpit::Type;

use super::{enter, give, give_text, index, must_give, unknown_name, verbosity};

/// `MPI_T_cvar_get_num`.
pub fn t_cvar_get_num(num_cvar: Out<i32>) -> Result<(), Failure> {
    let count = enter()?.known().controls.all().len();
    must_give(num_cvar, count as i32)
}

/// `MPI_T_cvar_get_info`.
// The arguments are MPI's.
pub fn t_cvar_get_info(
    cvar_index: i32,
    name: OutText,
    name_len: InOut<i32>,
    verbosity: Out<i32>,
    datatype: Out<Datatype>,
    enumtype: Out<TEnum>,
    desc: OutText,
    desc_len: InOut<i32>,
    bind: Out<i32>,
    scope: Out<i32>,
) -> Result<(), Failure> {
    let mut state = enter()?;
    let controls = state.known().controls.all();
    let at = index("cvar_index", cvar_index, controls.len())?;
    let control = &controls[at];
    give_text(name, name_len, &control.name)?;
    give(verbosity, self::verbosity(control.level))?;
    give(datatype, super::datatype(control.ty))?;
    let words = match control.words.is_empty() {
        true => MPI_T_ENUM_NULL,
        false => TEnum(at + 1),
    };
    give(enumtype, words)?;
    give_text(desc, desc_len, control.help)?;
    give(bind, MPI_T_BIND_NO_OBJECT)?;
    let number = match control.scope {
        Scope::Constant => MPI_T_SCOPE_CONSTANT,
        Scope::Local => MPI_T_SCOPE_LOCAL,
        Scope::All => MPI_T_SCOPE_ALL,
        Scope::AllEqual => MPI_T_SCOPE_ALL_EQ,
    };
    give(scope, number)
}

/// `MPI_T_cvar_get_index`.
pub fn t_cvar_get_index(name: Text, cvar_index: Out<i32>) -> Result<(), Failure> {
    let mut state = enter()?;
    let name = name.get().map_err(|f| f.coded(MPI_T_ERR_INVALID))?;
    let at = state.known().controls.find(&name);
    let at = at.ok_or_else(|| unknown_name("control variable", &name))?;
    must_give(cvar_index, at as i32)
}

/// `MPI_T_cvar_handle_alloc`. No variable is bound to an object.
pub fn t_cvar_handle_alloc(
    cvar_index: i32,
    _obj_handle: *mut c_void,
    handle: Out<TCvarHandle>,
    count: Out<i32>,
) -> Result<(), Failure> {
    let mut state = enter()?;
    let controls = state.known().controls.all();
    let at = index("cvar_index", cvar_index, controls.len())?;
    let elements = controls[at].count();
    let new = state.controls.insert(at)?;
    must_give(handle, new)?;
    give(count, elements as i32)
}

/// `MPI_T_cvar_handle_free`.
pub fn t_cvar_handle_free(handle: InOut<TCvarHandle>) -> Result<(), Failure> {
    let mut state = enter()?;
    let old = handle.get().map_err(|f| f.coded(MPI_T_ERR_INVALID))?;
    state.controls.remove(old)?;
    handle.set(MPI_T_CVAR_HANDLE_NULL)
}

/// `MPI_T_cvar_read`. Of a text, what is behind its closing zero byte is not touched.
///
/// # Safety
/// The buffer has room for the elements of the variable.
pub unsafe fn t_cvar_read(handle: TCvarHandle, buf: *mut c_void) -> Result<(), Failure> {
    let mut state = enter()?;
    let at = *state.controls.get(handle)?;
    let bytes = state.known().controls.all()[at].bytes();
    // SAFETY: the caller promises the room.
    unsafe { super::copy_out(&bytes, buf) }
}

/// `MPI_T_cvar_write`: kept for the next initialisation of MPI; refused while MPI is initialised,
/// but for what is read late.
///
/// # Safety
/// The buffer has the elements of the variable, or a text that ends in a zero byte.
pub unsafe fn t_cvar_write(handle: TCvarHandle, buf: *const c_void) -> Result<(), Failure> {
    let runtime = runtime::get();
    let mut state = enter()?;
    let at = *state.controls.get(handle)?;
    if buf.is_null() {
        return Err(Failure::new(MPI_T_ERR_INVALID, "buf is a null pointer"));
    }
    let ty = state.known().controls.all()[at].ty;
    // SAFETY: it is not null, and the caller promises what it holds.
    let bytes = unsafe { taken(ty, buf) };
    let is_running = runtime.is_running();
    let controls = &mut state.known().controls;
    let written = controls.write(at, &bytes, is_running);
    let name = controls.all()[at].name.clone();
    drop(state);
    match written {
        Ok(()) => {
            runtime
                .tool
                .raise(mpit::event::CONTROL_WRITTEN, &[at as i64]);
            Ok(())
        }
        Err(refusal) => Err(refused(&name, refusal)),
    }
}

/// Copies a value that a tool gives.
///
/// # Safety
/// The buffer has an element of the type, or a text that ends in a zero byte or is longer than any.
unsafe fn taken(ty: Type, buffer: *const c_void) -> Vec<u8> {
    let bytes: *const u8 = buffer.cast();
    let count = match ty {
        Type::Int => 4,
        Type::Count | Type::UnsignedLong => 8,
        Type::Char => {
            // SAFETY: a text is read up to its closing zero byte, or to the last of its elements.
            let is_text = |at: &usize| unsafe { bytes.add(*at).read() } != 0;
            (0..TEXT_BYTES - 1).take_while(is_text).count() + 1
        }
    };
    // SAFETY: an element has this size, and a text that many bytes.
    unsafe { std::slice::from_raw_parts(bytes, count) }.to_vec()
}

fn refused(name: &str, refusal: Refusal) -> Failure {
    let (code, why) = match refusal {
        Refusal::NotNow => (
            MPI_T_ERR_CVAR_SET_NOT_NOW,
            "is read when MPI is initialised; write it before",
        ),
        Refusal::Never => (MPI_T_ERR_CVAR_SET_NEVER, "is read by the launcher alone"),
        Refusal::Invalid => (MPI_T_ERR_INVALID, "does not have that value"),
    };
    Failure::new(code, format!("control variable {name} {why}"))
}
