//! Calls on libfabric's objects, which each have a table of them, and what all objects have.

use libc::{c_int, c_void};
use mca::Framework;

use crate::sys::fid;
use crate::{Error, Library};

/// Looks up a call in an object's table: `None` when the table is missing, too short to have the
/// entry, or has null there.
macro_rules! entry {
    ($table:expr, $type:ident, $name:ident) => {{
        let table: *const crate::sys::$type = $table;
        // SAFETY: libfabric's objects point to null or to tables that begin with their size and
        // live as long as the object; the entry is read only where the table reaches that far.
        unsafe {
            let enough = std::mem::offset_of!(crate::sys::$type, $name);
            match !table.is_null() && (*table).size > enough {
                true => (*table).$name,
                false => None,
            }
        }
    }};
}
pub(crate) use entry;

/// Returns a required call, or the error that it is lacking.
#[inline(always)]
pub(crate) fn demand<F>(call: Option<F>, name: &'static str) -> Result<F, Error> {
    match call {
        Some(call) => Ok(call),
        None => Err(Error::Lacking { call: name }),
    }
}

/// Closes an object; one that the provider will not close is left to the end of the process.
///
/// # Safety
/// `object` is null or open, and not used again.
pub(crate) unsafe fn close(object: *mut fid, what: &str) {
    if object.is_null() {
        return;
    }
    // SAFETY: promised by the caller.
    let table = unsafe { (*object).ops };
    let Some(call) = entry!(table, fi_ops, close) else {
        return;
    };
    // SAFETY: promised by the caller.
    let answer = unsafe { call(object) };
    if answer < 0 {
        Framework::Opal.warn(format_args!(
            "a {what} of libfabric does not close: {answer}"
        ));
    }
}

/// Binds an object to another.
///
/// # Safety
/// Both objects are open.
pub(crate) unsafe fn bind(
    library: &Library,
    object: *mut fid,
    to: *mut fid,
    flags: u64,
    name: &'static str,
) -> Result<(), Error> {
    // SAFETY: promised by the caller.
    let table = unsafe { (*object).ops };
    let call = demand(entry!(table, fi_ops, bind), name)?;
    // SAFETY: promised by the caller.
    library.check(name, unsafe { call(object, to, flags) })
}

/// Gives an object a command.
///
/// # Safety
/// The object is open, and `argument` is what the command wants.
pub(crate) unsafe fn control(
    library: &Library,
    object: *mut fid,
    command: c_int,
    argument: *mut c_void,
    name: &'static str,
) -> Result<(), Error> {
    // SAFETY: promised by the caller.
    let table = unsafe { (*object).ops };
    let call = demand(entry!(table, fi_ops, control), name)?;
    // SAFETY: promised by the caller.
    library.check(name, unsafe { call(object, command, argument) })
}
