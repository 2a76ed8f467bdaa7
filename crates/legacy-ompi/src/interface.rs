//! Open MPI's interface, as C programs and as Fortran programs see it.

use std::ffi::c_void;

use edge::constants::{Address, Constants, Limits, Pairs};
use edge::generated::constants as standard;
use edge::handle::FIRST_FREE;
use edge::interface::{Abi, Kind, Library};
use edge::section::Gfortran;
use edge::{status, types};

use crate::generated::objects;

/// Open MPI's interface.
pub struct OpenMpi;

/// `MPI_Status`. Fortran's is an array of INTEGER, which may begin at any multiple of four bytes:
/// so the count is two halves.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Status {
    source: i32,
    tag: i32,
    error: i32,
    cancelled: i32,
    count: [u32; 2],
}

/// The bits of a handle that number objects. The highest is a copy of the one below, so it makes
/// room for the mark in the lowest.
const SLOT: usize = (1 << 28) - 1;

impl Abi for OpenMpi {
    type Handle = *mut c_void;
    type File = *mut c_void;
    type Status = Status;
    type Fortran = Fortran;
    type Descriptor = Gfortran;
    const LIMITS: Limits = edge::generated::values::OPENMPI;

    fn pairs(group: &'static Constants) -> Pairs {
        group.openmpi
    }

    #[inline(always)]
    fn decode<K: Kind>(handle: *mut c_void) -> K {
        let bits = handle as usize;
        if bits & 1 != 0 {
            let slot = (bits & SLOT) >> 1;
            return K::new((bits & !SLOT) | slot | ((slot << 1) & (1 << 27)));
        }
        if bits < FIRST_FREE {
            return K::new(0);
        }
        if bits >> MPICH_SHIFT == MPICH_MARK {
            return K::new(object_of_mixed(handle));
        }
        // SAFETY: the caller gives a handle, and one that is even is the address of an object.
        K::new(unsafe { *handle.cast::<usize>() })
    }

    #[inline(always)]
    fn encode<K: Kind>(handle: K) -> *mut c_void {
        let bits = handle.bits();
        match bits < FIRST_FREE {
            true => address(bits),
            false => ((bits & !SLOT) | ((bits << 1) & SLOT) | 1) as *mut c_void,
        }
    }

    #[inline(always)]
    fn decode_file(handle: *mut c_void) -> types::File {
        OpenMpi::decode(handle)
    }

    #[inline(always)]
    fn encode_file(handle: types::File) -> *mut c_void {
        OpenMpi::encode(handle)
    }

    #[inline(always)]
    fn buffer(address: *mut c_void) -> *mut c_void {
        address
    }

    fn weights(address: *mut i32) -> *mut i32 {
        match address as usize {
            2 => standard::MPI_UNWEIGHTED as *mut i32,
            3 => standard::MPI_WEIGHTS_EMPTY as *mut i32,
            _ => address,
        }
    }

    #[inline(always)]
    fn is_ignored(status: *const Status) -> bool {
        status.is_null()
    }

    fn read(from: &Status) -> types::Status {
        let [low, high] = from.count.map(u64::from);
        let bytes = (low | (high << 32)) as i64;
        status::of::<OpenMpi>(from.source, from.tag, bytes, from.cancelled != 0)
    }

    #[inline]
    fn write(from: &types::Status, to: &mut Status) {
        let bytes = status::bytes(from);
        to.count = [bytes as u32, (bytes >> 32) as u32];
        to.cancelled = i32::from(status::is_cancelled(from));
        (to.source, to.tag) = status::envelope::<OpenMpi>(from);
    }

    fn error(status: &mut Status) -> &mut i32 {
        &mut status.error
    }
}

impl Library for OpenMpi {
    const VERSION: (i32, i32) = (3, 1);
    const LIBRARY: &'static str = concat!(
        "Open MPI v4.1.4, package: its interface, by oxmpi ",
        env!("CARGO_PKG_VERSION"),
        " (see oxmpi_info)"
    );

    fn all_pvars() -> usize {
        usize::MAX
    }
}

/// The bits above these are [`MPICH_MARK`] in each handle of a predefined object in MPICH's header.
/// A program whose data is large has objects there too.
const MPICH_SHIFT: usize = 30;
const MPICH_MARK: usize = 1;

/// Returns the handle of the object at an address in the range of MPICH's handles. In a program
/// that was compiled with MPICH's header no object need be there; then a message says so, and the
/// call gets an invalid handle, for which it raises its error.
#[cold]
fn object_of_mixed(handle: *mut c_void) -> usize {
    if objects::ADDRESSES.list().contains(&handle.cast_const()) {
        // SAFETY: it is the address of one of the objects of this library.
        return unsafe { *handle.cast::<usize>() };
    }
    eprintln!(
        "oxmpi: {handle:?} is a handle of MPICH's mpi.h, and this program is linked to \
         libmpi.so.40, Open MPI's: compile and link all of it by one MPI's wrapper"
    );
    0
}

/// Returns the address of the object with a handle of the standard, or null.
pub fn address(handle: usize) -> *mut c_void {
    let addresses = &objects::ADDRESSES.list();
    addresses
        .get(handle)
        .map_or(std::ptr::null_mut(), |object| object.cast_mut())
}

/// How Fortran sees Open MPI's interface.
pub struct Fortran;

/// A COMMON block of constants that are known by their addresses, of as many bytes as in Open MPI's
/// library. Nobody reads it.
#[repr(C)]
pub struct Block<const BYTES: usize>([u8; BYTES]);

macro_rules! blocks {
    ($($(#[$about:meta])* $name:ident: $bytes:literal;)*) => {
        $($(#[$about])*
        #[no_mangle]
        #[allow(non_upper_case_globals)]
        static mut $name: Block<$bytes> = Block([0; $bytes]);)*
    };
}

blocks! {
    /// `MPI_BOTTOM`.
    mpi_fortran_bottom_: 4;
    /// `MPI_IN_PLACE`.
    mpi_fortran_in_place_: 4;
    /// `MPI_ARGV_NULL`.
    mpi_fortran_argv_null_: 1;
    /// `MPI_ARGVS_NULL`.
    mpi_fortran_argvs_null_: 1;
    /// `MPI_ERRCODES_IGNORE`.
    mpi_fortran_errcodes_ignore_: 4;
    /// `MPI_STATUS_IGNORE`.
    mpi_fortran_status_ignore_: 24;
    /// `MPI_STATUSES_IGNORE`.
    mpi_fortran_statuses_ignore_: 24;
    /// `MPI_UNWEIGHTED`.
    mpi_fortran_unweighted_: 4;
    /// `MPI_WEIGHTS_EMPTY`.
    mpi_fortran_weights_empty_: 4;
}

/// The address of an integer of a block.
macro_rules! at {
    ($block:ident) => {
        &raw const $block as usize
    };
}

impl Abi for Fortran {
    edge::as_in_c!(OpenMpi);

    #[inline]
    fn decode<K: Kind>(handle: i32) -> K {
        if handle as u32 as usize >= FIRST_FREE {
            return K::from_int(handle);
        }
        K::new(K::FORTRAN.standard(handle).unwrap_or(0))
    }

    #[inline]
    fn encode<K: Kind>(handle: K) -> i32 {
        if handle.bits() >= FIRST_FREE {
            return handle.to_int();
        }
        K::FORTRAN.native(handle.bits()).unwrap_or(-1)
    }

    fn decode_file(handle: i32) -> types::File {
        Fortran::decode(handle)
    }

    fn encode_file(handle: types::File) -> i32 {
        Fortran::encode(handle)
    }

    #[inline]
    fn buffer(address: *mut c_void) -> *mut c_void {
        if address as usize == at!(mpi_fortran_bottom_) {
            std::ptr::null_mut()
        } else if address as usize == at!(mpi_fortran_in_place_) {
            standard::MPI_IN_PLACE as *mut c_void
        } else {
            address
        }
    }

    fn weights(address: *mut i32) -> *mut i32 {
        if address as usize == at!(mpi_fortran_unweighted_) {
            standard::MPI_UNWEIGHTED as *mut i32
        } else if address as usize == at!(mpi_fortran_weights_empty_) {
            standard::MPI_WEIGHTS_EMPTY as *mut i32
        } else {
            address
        }
    }

    #[inline]
    fn is_ignored(status: *const Status) -> bool {
        status as usize == at!(mpi_fortran_status_ignore_)
            || status as usize == at!(mpi_fortran_statuses_ignore_)
    }

    fn is_absent(list: *const c_void) -> bool {
        [
            at!(mpi_fortran_argv_null_),
            at!(mpi_fortran_argvs_null_),
            at!(mpi_fortran_errcodes_ignore_),
        ]
        .contains(&(list as usize))
    }
}

/// The address that C programs compare a status of Fortran with.
#[no_mangle]
static MPI_F_STATUS_IGNORE: Address<c_void> =
    Address((&raw const mpi_fortran_status_ignore_).cast());
/// The address that C programs compare statuses of Fortran with.
#[no_mangle]
static MPI_F_STATUSES_IGNORE: Address<c_void> =
    Address((&raw const mpi_fortran_statuses_ignore_).cast());
