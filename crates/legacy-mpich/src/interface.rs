//! MPICH's interface, as C programs and as Fortran programs see it.

use std::ffi::c_void;

use edge::constants::{Address, Constants, Limits, Pairs};
use edge::generated::constants as standard;
use edge::handle::FIRST_FREE;
use edge::interface::{Abi, Kind, Library};
use edge::section::Gfortran;
use edge::{status, types};

/// MPICH's interface.
pub struct Mpich;

/// `MPI_Status`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Status {
    count_low: i32,
    /// The upper bits of the count, above a bit that says whether the operation was cancelled.
    count_high: i32,
    source: i32,
    tag: i32,
    error: i32,
}

/// The two highest bits of handles that are not of predefined objects.
const DYNAMIC: u32 = 0xC000_0000;

impl Abi for Mpich {
    type Handle = i32;
    type File = *mut c_void;
    type Status = Status;
    type Fortran = Fortran;
    type Descriptor = Gfortran;
    const LIMITS: Limits = edge::generated::values::MPICH;

    fn pairs(group: &'static Constants) -> Pairs {
        group.mpich
    }

    #[inline(always)]
    fn decode<K: Kind>(handle: i32) -> K {
        if handle as u32 & DYNAMIC == DYNAMIC {
            return K::from_int((handle as u32 & !DYNAMIC) as i32);
        }
        K::new(K::MPICH.standard(handle).unwrap_or(0))
    }

    #[inline(always)]
    fn encode<K: Kind>(handle: K) -> i32 {
        if handle.bits() >= FIRST_FREE {
            return (handle.to_int() as u32 | DYNAMIC) as i32;
        }
        K::MPICH.native(handle.bits()).unwrap_or(0)
    }

    fn decode_file(handle: *mut c_void) -> types::File {
        match handle.is_null() {
            true => standard::MPI_FILE_NULL,
            false => types::File(handle as usize),
        }
    }

    fn encode_file(handle: types::File) -> *mut c_void {
        match handle {
            standard::MPI_FILE_NULL => std::ptr::null_mut(),
            types::File(bits) => bits as *mut c_void,
        }
    }

    #[inline(always)]
    fn buffer(address: *mut c_void) -> *mut c_void {
        match address as isize {
            -1 => standard::MPI_IN_PLACE as *mut c_void,
            -2 => standard::MPI_BUFFER_AUTOMATIC as *mut c_void,
            _ => address,
        }
    }

    fn buffer_out(address: *mut c_void) -> *mut c_void {
        match address as usize {
            standard::MPI_BUFFER_AUTOMATIC => -2isize as *mut c_void,
            _ => address,
        }
    }

    fn weights(address: *mut i32) -> *mut i32 {
        if address.cast_const() == MPI_UNWEIGHTED.0 {
            standard::MPI_UNWEIGHTED as *mut i32
        } else if address.cast_const() == MPI_WEIGHTS_EMPTY.0 {
            standard::MPI_WEIGHTS_EMPTY as *mut i32
        } else {
            address
        }
    }

    #[inline(always)]
    fn is_ignored(status: *const Status) -> bool {
        status as usize == 1
    }

    fn read(from: &Status) -> types::Status {
        let high = i64::from(from.count_high as u32 >> 1);
        let bytes = i64::from(from.count_low as u32) | (high << 32);
        status::of::<Mpich>(from.source, from.tag, bytes, from.count_high & 1 != 0)
    }

    #[inline]
    fn write(from: &types::Status, to: &mut Status) {
        let bytes = status::bytes(from);
        to.count_low = bytes as i32;
        to.count_high = (((bytes >> 32) as i32) << 1) | i32::from(status::is_cancelled(from));
        (to.source, to.tag) = status::envelope::<Mpich>(from);
    }

    fn error(status: &mut Status) -> &mut i32 {
        &mut status.error
    }
}

impl Library for Mpich {
    const VERSION: (i32, i32) = (5, 0);
    const LIBRARY: &'static str = concat!(
        "MPICH Version:\t5.0.0\nMPICH ABI:\t17:0:5\nIts interface, by oxmpi ",
        env!("CARGO_PKG_VERSION"),
        " (see oxmpi_info)\n"
    );

    fn all_pvars() -> usize {
        MPI_T_PVAR_ALL_HANDLES.0 as usize
    }
}

/// Cells whose addresses are constants.
static CELLS: [i32; 3] = [0; 3];

#[no_mangle]
static MPI_UNWEIGHTED: Address<i32> = Address(&raw const CELLS[0]);
#[no_mangle]
static MPI_WEIGHTS_EMPTY: Address<i32> = Address(&raw const CELLS[1]);
#[no_mangle]
static MPI_T_PVAR_ALL_HANDLES: Address<i32> = Address(&raw const CELLS[2]);

/// How Fortran sees MPICH's interface.
pub struct Fortran;

/// A COMMON block of constants that are known by their addresses. Nobody reads it.
#[repr(C, align(32))]
pub struct Block<const INTEGERS: usize>([i32; INTEGERS]);

macro_rules! blocks {
    ($($(#[$about:meta])* $name:ident: $integers:literal;)*) => {
        $($(#[$about])*
        #[no_mangle]
        #[allow(non_upper_case_globals)]
        static mut $name: Block<$integers> = Block([0; $integers]);)*
    };
}

blocks! {
    /// `MPI_BOTTOM`, `MPI_IN_PLACE`, `MPI_STATUS_IGNORE`.
    mpipriv1_: 7;
    /// `MPI_STATUSES_IGNORE`, `MPI_ERRCODES_IGNORE`.
    mpipriv2_: 6;
    /// `MPI_ARGVS_NULL`, `MPI_ARGV_NULL`.
    mpiprivc_: 1;
    /// `MPI_UNWEIGHTED`.
    mpifcmb5_: 1;
    /// `MPI_WEIGHTS_EMPTY`.
    mpifcmb9_: 1;
}

/// Constants of the module `mpi_f08` that are known by their addresses, each a variable of the size
/// that its interface says: programs may hold them themselves.
macro_rules! cells {
    ($($(#[$about:meta])* $name:ident: $bytes:literal;)*) => {
        $($(#[$about])*
        #[no_mangle]
        #[allow(non_upper_case_globals)]
        static mut $name: [u8; $bytes] = [0; $bytes];)*
    };
}

cells! {
    /// `MPI_BOTTOM`.
    MPIR_F08_MPI_BOTTOM: 4;
    /// `MPI_IN_PLACE`.
    MPIR_F08_MPI_IN_PLACE: 4;
    /// `MPI_STATUS_IGNORE`.
    MPIR_F08_MPI_STATUS_IGNORE_OBJ: 20;
    /// `MPI_STATUSES_IGNORE`.
    MPIR_F08_MPI_STATUSES_IGNORE_OBJ: 20;
    /// `MPI_ARGV_NULL`.
    __mpi_f08_link_constants_MOD_mpi_argv_null: 1;
    /// `MPI_ARGVS_NULL`.
    __mpi_f08_link_constants_MOD_mpi_argvs_null: 1;
    /// `MPI_ERRCODES_IGNORE`.
    __mpi_f08_link_constants_MOD_mpi_errcodes_ignore: 4;
    /// `MPI_UNWEIGHTED`.
    __mpi_f08_link_constants_MOD_mpi_unweighted: 4;
    /// `MPI_WEIGHTS_EMPTY`.
    __mpi_f08_link_constants_MOD_mpi_weights_empty: 4;
}

/// Whether an address is that of a cell.
macro_rules! is_at {
    ($address:ident $cell:ident) => {
        $address as usize == &raw const $cell as usize
    };
}

/// The address of an integer of a block.
macro_rules! at {
    ($block:ident $position:literal) => {
        (&raw const $block).cast::<i32>().wrapping_add($position) as usize
    };
}

impl Abi for Fortran {
    edge::as_in_c!(Mpich);

    #[inline(always)]
    fn decode<K: Kind>(handle: i32) -> K {
        Mpich::decode(handle)
    }

    #[inline(always)]
    fn encode<K: Kind>(handle: K) -> i32 {
        Mpich::encode(handle)
    }

    fn decode_file(handle: i32) -> types::File {
        match handle {
            0 => standard::MPI_FILE_NULL,
            number => types::File::from_int(number),
        }
    }

    fn encode_file(handle: types::File) -> i32 {
        match handle {
            standard::MPI_FILE_NULL => 0,
            _ => handle.to_int(),
        }
    }

    #[inline]
    fn buffer(address: *mut c_void) -> *mut c_void {
        if address as usize == at!(mpipriv1_ 0) || is_at!(address MPIR_F08_MPI_BOTTOM) {
            std::ptr::null_mut()
        } else if address as usize == at!(mpipriv1_ 1) || is_at!(address MPIR_F08_MPI_IN_PLACE) {
            standard::MPI_IN_PLACE as *mut c_void
        } else {
            address
        }
    }

    fn weights(address: *mut i32) -> *mut i32 {
        let is_unweighted = is_at!(address __mpi_f08_link_constants_MOD_mpi_unweighted);
        let is_empty = is_at!(address __mpi_f08_link_constants_MOD_mpi_weights_empty);
        if address as usize == at!(mpifcmb5_ 0) || is_unweighted {
            standard::MPI_UNWEIGHTED as *mut i32
        } else if address as usize == at!(mpifcmb9_ 0) || is_empty {
            standard::MPI_WEIGHTS_EMPTY as *mut i32
        } else {
            address
        }
    }

    fn keyval(native: i32) -> i32 {
        // The predefined keys of Fortran follow those of C.
        match edge::generated::values::KEYVAL
            .mpich
            .iter()
            .any(|(c, _)| *c == native - 1)
        {
            true => native - 1,
            false => native,
        }
    }

    #[inline]
    fn is_ignored(status: *const Status) -> bool {
        status as usize == at!(mpipriv1_ 2)
            || status as usize == at!(mpipriv2_ 0)
            || is_at!(status MPIR_F08_MPI_STATUS_IGNORE_OBJ)
            || is_at!(status MPIR_F08_MPI_STATUSES_IGNORE_OBJ)
    }

    fn is_absent(list: *const c_void) -> bool {
        let texts = at!(mpiprivc_ 0);
        [texts, texts + 1, at!(mpipriv2_ 5)].contains(&(list as usize))
            || is_at!(list __mpi_f08_link_constants_MOD_mpi_argv_null)
            || is_at!(list __mpi_f08_link_constants_MOD_mpi_argvs_null)
            || is_at!(list __mpi_f08_link_constants_MOD_mpi_errcodes_ignore)
    }
}

/// The address that C programs compare a status of Fortran with.
#[no_mangle]
static MPI_F_STATUS_IGNORE: Address<c_void> =
    Address((&raw const mpipriv1_).cast::<i32>().wrapping_add(2).cast());
/// The address that C programs compare statuses of Fortran with.
#[no_mangle]
static MPI_F_STATUSES_IGNORE: Address<c_void> = Address((&raw const mpipriv2_).cast());
