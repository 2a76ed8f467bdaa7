//! Objects that variables and events of the tool interface are bound to.

use std::ffi::c_void;
use std::ptr::null_mut;

use crate::generated::c;
use crate::generated::types::*;
use crate::handle::handle_in;
use crate::interface::{Abi, Kind};

/// A kind of object that a variable or an event is bound to, `MPI_T_BIND_*` of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bind(i32);

const NO_OBJECT: Bind = Bind(1);

/// Returns what a control variable is bound to, nothing where the index is not valid.
pub fn cvar_bind(cvar_index: i32) -> Bind {
    let Bind(mut bind) = NO_OBJECT;
    // SAFETY: the place is that of an integer, and the rest is not asked for.
    unsafe {
        c::t_cvar_get_info(
            cvar_index,
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            &mut bind,
            null_mut(),
        )
    };
    Bind(bind)
}

/// Returns what a performance variable is bound to, nothing where the index is not valid.
pub fn pvar_bind(pvar_index: i32) -> Bind {
    let Bind(mut bind) = NO_OBJECT;
    // SAFETY: the place is that of an integer, and the rest is not asked for.
    unsafe {
        c::t_pvar_get_info(
            pvar_index,
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            &mut bind,
            null_mut(),
            null_mut(),
            null_mut(),
        )
    };
    Bind(bind)
}

/// Returns what an event is bound to, nothing where the index is not valid.
pub fn event_bind(event_index: i32) -> Bind {
    let Bind(mut bind) = NO_OBJECT;
    // SAFETY: the place is that of an integer, and the rest is not asked for.
    unsafe {
        c::t_event_get_info(
            event_index,
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
            &mut bind,
        )
    };
    Bind(bind)
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
            match bind.0 {
                _ if at.is_null() => None,
                2 => Some(bits_at::<A, Comm>(at)),
                3 => Some(bits_at::<A, Datatype>(at)),
                4 => Some(bits_at::<A, Errhandler>(at)),
                5 => Some(bits_at::<A, File>(at)),
                6 => Some(bits_at::<A, Group>(at)),
                7 => Some(bits_at::<A, Op>(at)),
                8 => Some(bits_at::<A, Request>(at)),
                9 => Some(bits_at::<A, Win>(at)),
                10 => Some(bits_at::<A, Message>(at)),
                11 => Some(bits_at::<A, Info>(at)),
                12 => Some(bits_at::<A, Session>(at)),
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
