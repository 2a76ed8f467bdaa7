//! Attributes of communicators, datatypes and windows (MPI 5.0, 7.7), with those that MPI defines
//! (MPI 5.0, 9.1.2). The application's copy and delete functions may call MPI, so no table is
//! locked while they run.

use std::ffi::c_void;
use std::mem::transmute;
use std::sync::atomic::AtomicI32;

use abi_state::args::{self, Comm, Datatype, InOut, Out, Win};
use abi_state::args::{CommCopyAttrFunction, CommDeleteAttrFunction};
use abi_state::args::{TypeCopyAttrFunction, TypeDeleteAttrFunction};
use abi_state::args::{WinCopyAttrFunction, WinDeleteAttrFunction};
use abi_state::callback::{AttributeFunctions, CopyFunction, DeleteFunction, State};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::language::{Language, Own};
use abi_state::runtime::{self, Values};
use abi_state::tables::Tables;
use mpi_local::attr::{Attributes, Keyvals, Value};

use super::win;
use crate::fault::MPIX_FT;

/// `MPI_Comm_create_keyval`.
pub fn comm_create_keyval(
    comm_copy_attr_fn: CommCopyAttrFunction,
    comm_delete_attr_fn: CommDeleteAttrFunction,
    comm_keyval: Out<i32>,
    extra_state: *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the types differ in the handle alone, which is one machine word in all of them and
    // passed in the same register, so the functions may be called through a type that has `usize`
    // there.
    unsafe {
        let copy = transmute::<CommCopyAttrFunction, Option<CopyFunction>>(comm_copy_attr_fn);
        let delete =
            transmute::<CommDeleteAttrFunction, Option<DeleteFunction>>(comm_delete_attr_fn);
        create(
            ObjectKind::Comm,
            functions(copy, delete, extra_state),
            comm_keyval,
        )
    }
}

/// `MPI_Type_create_keyval`.
pub fn type_create_keyval(
    type_copy_attr_fn: TypeCopyAttrFunction,
    type_delete_attr_fn: TypeDeleteAttrFunction,
    type_keyval: Out<i32>,
    extra_state: *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: as in `comm_create_keyval`.
    unsafe {
        let copy = transmute::<TypeCopyAttrFunction, Option<CopyFunction>>(type_copy_attr_fn);
        let delete =
            transmute::<TypeDeleteAttrFunction, Option<DeleteFunction>>(type_delete_attr_fn);
        create(
            ObjectKind::Type,
            functions(copy, delete, extra_state),
            type_keyval,
        )
    }
}

/// `MPI_Win_create_keyval`.
pub fn win_create_keyval(
    win_copy_attr_fn: WinCopyAttrFunction,
    win_delete_attr_fn: WinDeleteAttrFunction,
    win_keyval: Out<i32>,
    extra_state: *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: as in `comm_create_keyval`.
    unsafe {
        let copy = transmute::<WinCopyAttrFunction, Option<CopyFunction>>(win_copy_attr_fn);
        let delete = transmute::<WinDeleteAttrFunction, Option<DeleteFunction>>(win_delete_attr_fn);
        create(
            ObjectKind::Win,
            functions(copy, delete, extra_state),
            win_keyval,
        )
    }
}

/// `MPI_Comm_free_keyval`.
pub fn comm_free_keyval(comm_keyval: InOut<i32>) -> Result<(), Failure> {
    free(ObjectKind::Comm, comm_keyval)
}

/// `MPI_Type_free_keyval`.
pub fn type_free_keyval(type_keyval: InOut<i32>) -> Result<(), Failure> {
    free(ObjectKind::Type, type_keyval)
}

/// `MPI_Win_free_keyval`.
pub fn win_free_keyval(win_keyval: InOut<i32>) -> Result<(), Failure> {
    free(ObjectKind::Win, win_keyval)
}

/// `MPI_Comm_set_attr`.
pub fn comm_set_attr(
    comm: Comm,
    comm_keyval: i32,
    attribute_val: *mut c_void,
) -> Result<(), Failure> {
    set_in(
        Language::C,
        Object::Comm(comm),
        comm_keyval,
        attribute_val as usize,
    )
}

/// `MPI_Type_set_attr`.
pub fn type_set_attr(
    datatype: Datatype,
    type_keyval: i32,
    attribute_val: *mut c_void,
) -> Result<(), Failure> {
    set_in(
        Language::C,
        Object::Type(datatype),
        type_keyval,
        attribute_val as usize,
    )
}

/// `MPI_Win_set_attr`.
pub fn win_set_attr(win: Win, win_keyval: i32, attribute_val: *mut c_void) -> Result<(), Failure> {
    set_in(
        Language::C,
        Object::Win(win),
        win_keyval,
        attribute_val as usize,
    )
}

/// `MPI_Comm_get_attr`. The value of a predefined attribute is the address of an integer.
pub fn comm_get_attr(
    comm: Comm,
    comm_keyval: i32,
    attribute_val: Out<usize>,
    flag: Out<i32>,
) -> Result<(), Failure> {
    get_in(
        Language::C,
        Object::Comm(comm),
        comm_keyval,
        attribute_val,
        flag,
    )
}

/// `MPI_Type_get_attr`.
pub fn type_get_attr(
    datatype: Datatype,
    type_keyval: i32,
    attribute_val: Out<usize>,
    flag: Out<i32>,
) -> Result<(), Failure> {
    get_in(
        Language::C,
        Object::Type(datatype),
        type_keyval,
        attribute_val,
        flag,
    )
}

/// `MPI_Win_get_attr`. The value of a predefined attribute is the address of a number, but for
/// `MPI_WIN_BASE`, which is an address itself.
pub fn win_get_attr(
    win: Win,
    win_keyval: i32,
    attribute_val: Out<usize>,
    flag: Out<i32>,
) -> Result<(), Failure> {
    get_in(
        Language::C,
        Object::Win(win),
        win_keyval,
        attribute_val,
        flag,
    )
}

/// `MPI_Comm_delete_attr`.
pub fn comm_delete_attr(comm: Comm, comm_keyval: i32) -> Result<(), Failure> {
    delete(Object::Comm(comm), comm_keyval)
}

/// `MPI_Type_delete_attr`.
pub fn type_delete_attr(datatype: Datatype, type_keyval: i32) -> Result<(), Failure> {
    delete(Object::Type(datatype), type_keyval)
}

/// `MPI_Win_delete_attr`.
pub fn win_delete_attr(win: Win, win_keyval: i32) -> Result<(), Failure> {
    let entry = runtime::get().win(win)?;
    if win::predefined(&entry, win_keyval).is_some() {
        return Err(not_to_be_set(win_keyval));
    }
    delete(Object::Win(win), win_keyval)
}

/// `MPI_Keyval_create`, deprecated: `MPI_Comm_create_keyval`.
pub fn keyval_create(
    copy_fn: args::CopyFunction,
    delete_fn: args::DeleteFunction,
    keyval: Out<i32>,
    extra_state: *mut c_void,
) -> Result<(), Failure> {
    comm_create_keyval(copy_fn, delete_fn, keyval, extra_state)
}

/// `MPI_Keyval_free`, deprecated: `MPI_Comm_free_keyval`.
pub fn keyval_free(keyval: InOut<i32>) -> Result<(), Failure> {
    comm_free_keyval(keyval)
}

/// `MPI_Attr_put`, deprecated: `MPI_Comm_set_attr`.
pub fn attr_put(comm: Comm, keyval: i32, attribute_val: *mut c_void) -> Result<(), Failure> {
    comm_set_attr(comm, keyval, attribute_val)
}

/// `MPI_Attr_get`, deprecated: `MPI_Comm_get_attr`.
pub fn attr_get(
    comm: Comm,
    keyval: i32,
    attribute_val: Out<usize>,
    flag: Out<i32>,
) -> Result<(), Failure> {
    comm_get_attr(comm, keyval, attribute_val, flag)
}

/// `MPI_Attr_delete`, deprecated: `MPI_Comm_delete_attr`.
pub fn attr_delete(comm: Comm, keyval: i32) -> Result<(), Failure> {
    comm_delete_attr(comm, keyval)
}

#[cold]
fn not_to_be_set(number: i32) -> Failure {
    let text = format!("attribute key {number} is MPI's own and cannot be set");
    Failure::new(MPI_ERR_KEYVAL, text)
}

/// A kind of objects that have attributes.
#[derive(Clone, Copy)]
pub(crate) enum ObjectKind {
    Comm,
    Type,
    Win,
}

impl ObjectKind {
    fn keyvals(self, tables: &mut Tables) -> &mut Keyvals {
        match self {
            ObjectKind::Comm => &mut tables.comm_keyvals,
            ObjectKind::Type => &mut tables.type_keyvals,
            ObjectKind::Win => &mut tables.win_keyvals,
        }
    }
}

/// An object that has attributes, by its handle.
#[derive(Clone, Copy)]
pub(crate) enum Object {
    Comm(Comm),
    Type(Datatype),
    Win(Win),
}

impl From<Comm> for Object {
    fn from(handle: Comm) -> Object {
        Object::Comm(handle)
    }
}

impl From<Datatype> for Object {
    fn from(handle: Datatype) -> Object {
        Object::Type(handle)
    }
}

impl From<Win> for Object {
    fn from(handle: Win) -> Object {
        Object::Win(handle)
    }
}

impl Object {
    fn kind(self) -> ObjectKind {
        match self {
            Object::Comm(_) => ObjectKind::Comm,
            Object::Type(_) => ObjectKind::Type,
            Object::Win(_) => ObjectKind::Win,
        }
    }

    fn handle(self) -> usize {
        match self {
            Object::Comm(handle) => handle.0,
            Object::Type(handle) => handle.0,
            Object::Win(handle) => handle.0,
        }
    }

    /// Returns the value of an attribute that MPI defines, in the form of [`predefined`].
    fn predefined(self, number: i32) -> Result<Option<Option<Own>>, Failure> {
        Ok(match self {
            Object::Comm(_) => {
                let own = predefined(number, &runtime::get().values);
                if own.is_some() {
                    self.with(|_| ())?;
                }
                own
            }
            Object::Type(_) => None,
            Object::Win(handle) => {
                let entry = runtime::get().win(handle)?;
                win::predefined(&entry, number).map(Some)
            }
        })
    }

    /// Calls `access` with the object's attributes. Tables are locked meanwhile, so `access` must
    /// not call functions of the application.
    fn with<T>(self, access: impl FnOnce(&mut Attributes) -> T) -> Result<T, Failure> {
        let mut tables = runtime::get().tables.enter();
        match self {
            Object::Comm(handle) => {
                let mut attributes = tables.comm(handle)?.attributes.lock();
                Ok(access(&mut attributes))
            }
            Object::Type(handle) => Ok(access(tables.type_attributes(handle)?)),
            Object::Win(handle) => {
                let mut attributes = tables.wins.get(handle)?.window.attributes.lock();
                Ok(access(&mut attributes))
            }
        }
    }
}

/// Wraps functions of C. Their extra state belongs to the application, which frees it.
fn functions(
    copy: Option<CopyFunction>,
    delete: Option<DeleteFunction>,
    extra_state: *mut c_void,
) -> AttributeFunctions {
    let state = State::new(extra_state, None);
    AttributeFunctions::new(copy, delete, Language::C, state)
}

/// Creates a key, and stores it in `slot`.
pub(crate) fn create(
    kind: ObjectKind,
    functions: AttributeFunctions,
    slot: Out<i32>,
) -> Result<(), Failure> {
    slot.check()?;
    let mut tables = runtime::get().tables.enter();
    let number = tables.new_keyval()?;
    kind.keyvals(&mut tables)
        .insert(number, Box::new(functions));
    slot.set(number)
}

fn free(kind: ObjectKind, keyval: InOut<i32>) -> Result<(), Failure> {
    let number = keyval.get()?;
    kind.keyvals(&mut runtime::get().tables.enter())
        .free(number)?;
    keyval.set(MPI_KEYVAL_INVALID)
}

/// Sets an attribute to `value`, which a program in `language` passed (MPI 5.0, 19.3.7).
pub(crate) fn set_in(
    language: Language,
    object: Object,
    number: i32,
    value: usize,
) -> Result<(), Failure> {
    if object.predefined(number)?.is_some() {
        return Err(not_to_be_set(number));
    }
    let keyval = object
        .kind()
        .keyvals(&mut runtime::get().tables.enter())
        .get(number)?;
    if let Some(old) = object.with(|attributes| attributes.get(number))? {
        keyval.delete(object.handle(), &old)?;
    }
    object.with(|attributes| attributes.set(keyval, language.given(value)))
}

/// Stores the value of an attribute in `slot`, in the form that programs in `language` read.
pub(crate) fn get_in(
    language: Language,
    object: Object,
    number: i32,
    slot: Out<usize>,
    flag: Out<i32>,
) -> Result<(), Failure> {
    let value = match object.predefined(number)? {
        // SAFETY: the value is the runtime's, which lives as long as the process, or that of a
        // window, which the application must not free during this call.
        Some(own) => own.map(|own| unsafe { own.read(language) }),
        None => get(object, number)?.map(|value| language.read(&value)),
    };
    if let Some(value) = value {
        slot.set(value)?;
    }
    flag.set(i32::from(value.is_some()))
}

fn get(object: Object, number: i32) -> Result<Option<Value>, Failure> {
    object
        .kind()
        .keyvals(&mut runtime::get().tables.enter())
        .get(number)?;
    object.with(|attributes| attributes.get(number))
}

/// Deletes an attribute. Succeeds where it is not set.
fn delete(object: Object, number: i32) -> Result<(), Failure> {
    let keyval = object
        .kind()
        .keyvals(&mut runtime::get().tables.enter())
        .get(number)?;
    if let Some(value) = object.with(|attributes| attributes.get(number))? {
        keyval.delete(object.handle(), &value)?;
        object.with(|attributes| attributes.remove(number))?;
    }
    Ok(())
}

/// Returns the value of a communicator's attribute that MPI defines: `None` for a key of the
/// application, `Some(None)` for an attribute that is not set.
fn predefined(number: i32, values: &Values) -> Option<Option<Own>> {
    let value = match number {
        MPI_TAG_UB => Some(AtomicI32::as_ptr(&values.tag_ub).cast_const()),
        MPI_HOST => Some(&values.host as *const i32),
        MPI_IO => Some(&values.io as *const i32),
        MPI_WTIME_IS_GLOBAL => Some(AtomicI32::as_ptr(&values.wtime_is_global).cast_const()),
        MPI_LASTUSEDCODE => Some(AtomicI32::as_ptr(&values.last_used_code).cast_const()),
        MPIX_FT => values.ft.get().map(|value| value as *const i32),
        MPI_APPNUM => values.appnum.get().map(|value| value as *const i32),
        MPI_UNIVERSE_SIZE => values.universe_size.get().map(|value| value as *const i32),
        _ => return None,
    };
    Some(value.map(Own::Integer))
}
