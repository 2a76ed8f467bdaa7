//! The forms of the generated tables of constants.

use crate::generated::constants as standard;

/// Constants: of the interface, of the standard.
pub type Pairs = &'static [(i32, i32)];

/// The composition of numbers of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One constant, or another number.
    Number,
    /// An error code.
    Error,
    /// Bits.
    Bits,
}

/// The constants of one kind in both interfaces.
pub struct Constants {
    /// How numbers are converted.
    pub form: Form,
    /// MPICH's.
    pub mpich: Pairs,
    /// Open MPI's.
    pub openmpi: Pairs,
}

/// Bytes of texts with their zero bytes, and the last error code.
pub struct Limits {
    /// `MPI_MAX_DATAREP_STRING`.
    pub max_datarep_string: usize,
    /// `MPI_MAX_ERROR_STRING`.
    pub max_error_string: usize,
    /// `MPI_MAX_INFO_KEY`.
    pub max_info_key: usize,
    /// `MPI_MAX_INFO_VAL`.
    pub max_info_val: usize,
    /// `MPI_MAX_LIBRARY_VERSION_STRING`.
    pub max_library_version_string: usize,
    /// `MPI_MAX_OBJECT_NAME`.
    pub max_object_name: usize,
    /// `MPI_MAX_PORT_NAME`.
    pub max_port_name: usize,
    /// `MPI_MAX_PROCESSOR_NAME`.
    pub max_processor_name: usize,
    /// `MPI_MAX_STRINGTAG_LEN`.
    pub max_stringtag_len: usize,
    /// `MPI_MAX_PSET_NAME_LEN`.
    pub max_pset_name_len: usize,
    /// `MPI_ERR_LASTCODE`.
    pub lastcode: i32,
}

/// The standard's.
pub const STANDARD: Limits = Limits {
    max_datarep_string: standard::MPI_MAX_DATAREP_STRING as usize,
    max_error_string: standard::MPI_MAX_ERROR_STRING as usize,
    max_info_key: standard::MPI_MAX_INFO_KEY as usize,
    max_info_val: standard::MPI_MAX_INFO_VAL as usize,
    max_library_version_string: standard::MPI_MAX_LIBRARY_VERSION_STRING as usize,
    max_object_name: standard::MPI_MAX_OBJECT_NAME as usize,
    max_port_name: standard::MPI_MAX_PORT_NAME as usize,
    max_processor_name: standard::MPI_MAX_PROCESSOR_NAME as usize,
    max_stringtag_len: standard::MPI_MAX_STRINGTAG_LEN as usize,
    max_pset_name_len: standard::MPI_MAX_PSET_NAME_LEN as usize,
    lastcode: standard::MPI_ERR_LASTCODE,
};

/// An address that programs know by its name: they compare it, and nobody reads what is there.
#[repr(transparent)]
pub struct Address<T>(pub *const T);

// SAFETY: the address is compared, and nobody reads what is there.
unsafe impl<T> Sync for Address<T> {}
