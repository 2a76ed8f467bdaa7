//! Objects that variables and events of the tool interface are bound to.

use std::ffi::c_void;
use std::ptr::null_mut;

use crate::generated::c;
use crate::generated::constants::*;
use crate::generated::types::*;
use crate::handle::handle_in;
use crate::interface::{Abi, Kind};

/// A kind of object that a variable or an event is bound to, `MPI_T_BIND_*` of the standard.
pub type Bind = i32;

/// Asks what a variable or an event is bound to, nothing where the index is not valid.
fn bind(ask: impl FnOnce(&mut Bind) -> i32) -> Bind {
    let mut bind = MPI_T_BIND_NO_OBJECT;
    ask(&mut bind);
    bind
}

/// Returns what a control variable is bound to.
pub fn cvar_bind(index: i32) -> Bind {
    bind(|bind| {
        // SAFETY: the place is that of an integer, and the rest is not asked for.
        unsafe {
            c::t_cvar_get_info(
                index,
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                bind,
                null_mut(),
            )
        }
    })
}

/// Returns what a performance variable is bound to.
pub fn pvar_bind(index: i32) -> Bind {
    bind(|bind| {
        // SAFETY: the place is that of an integer, and the rest is not asked for.
        unsafe {
            c::t_pvar_get_info(
                index,
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                bind,
                null_mut(),
                null_mut(),
                null_mut(),
            )
        }
    })
}

/// Returns what an event is bound to.
pub fn event_bind(index: i32) -> Bind {
    bind(|bind| {
        // SAFETY: the place is that of an integer, and the rest is not asked for.
        unsafe {
            c::t_event_get_info(
                index,
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                bind,
            )
        }
    })
}

/// The handle of an object, of a kind that the variable or event says, which MPI reads at an
/// address.
pub struct ObjectIn {
    standard: Option<usize>,
}

impl ObjectIn {
    /// # Safety
    /// Unless nothing is bound to, `at` is null or the address of the interface's handle of an
    /// object of the kind.
    pub unsafe fn new<A: Abi>(bind: Bind, at: *mut c_void) -> Self {
        // SAFETY: as the caller says.
        let standard = unsafe {
            match bind {
                _ if at.is_null() => None,
                MPI_T_BIND_MPI_COMM => Some(bits_at::<A, Comm>(at)),
                MPI_T_BIND_MPI_DATATYPE => Some(bits_at::<A, Datatype>(at)),
                MPI_T_BIND_MPI_ERRHANDLER => Some(bits_at::<A, Errhandler>(at)),
                MPI_T_BIND_MPI_FILE => Some(bits_at::<A, File>(at)),
                MPI_T_BIND_MPI_GROUP => Some(bits_at::<A, Group>(at)),
                MPI_T_BIND_MPI_OP => Some(bits_at::<A, Op>(at)),
                MPI_T_BIND_MPI_REQUEST => Some(bits_at::<A, Request>(at)),
                MPI_T_BIND_MPI_WIN => Some(bits_at::<A, Win>(at)),
                MPI_T_BIND_MPI_MESSAGE => Some(bits_at::<A, Message>(at)),
                MPI_T_BIND_MPI_INFO => Some(bits_at::<A, Info>(at)),
                MPI_T_BIND_MPI_SESSION => Some(bits_at::<A, Session>(at)),
                _ => None,
            }
        };
        ObjectIn { standard }
    }

    /// Returns where MPI reads the standard's handle.
    pub fn c(&mut self) -> *mut c_void {
        match &mut self.standard {
            Some(standard) => (standard as *mut usize).cast(),
            None => null_mut(),
        }
    }
}

/// # Safety
/// `at` is the address of the interface's handle of this kind.
unsafe fn bits_at<A: Abi, K: Kind>(at: *mut c_void) -> usize {
    // SAFETY: as the caller says.
    handle_in::<A, K>(unsafe { at.cast::<K::Raw<A>>().read() }).bits()
}
