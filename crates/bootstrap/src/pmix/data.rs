//! Values and directives, as PMIx's C structures hold them.

use std::ffi::{c_char, c_void, CStr, CString};
use std::mem;

pub(super) const STRING: u16 = 3;
pub(super) const INFO: u16 = 24;
pub(super) const BYTE_OBJECT: u16 = 27;
pub(super) const PROC_INFO: u16 = 38;
pub(super) const DATA_ARRAY: u16 = 39;

pub(super) const KEY_BYTES: usize = 512;

/// `pmix_value_t`: a type, and a union of which only these members are used. The widest of the
/// others is three pointers wide.
#[repr(C)]
pub(super) struct Value {
    pub(super) kind: u16,
    pub(super) data: Data,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) union Data {
    pub(super) bytes: ByteObject,
    pub(super) number: u64,
    pub(super) place: *mut c_void,
    pub(super) widest: [usize; 3],
}

/// `pmix_byte_object_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct ByteObject {
    pub(super) bytes: *mut c_char,
    pub(super) size: usize,
}

/// `pmix_data_array_t`.
#[repr(C)]
pub(super) struct DataArray {
    pub(super) kind: u16,
    pub(super) size: usize,
    pub(super) places: *mut c_void,
}

/// `pmix_info_t`.
#[repr(C)]
pub(super) struct Info {
    pub(super) key: [c_char; KEY_BYTES],
    pub(super) flags: u32,
    pub(super) value: Value,
}

const _: () = assert!(mem::size_of::<Value>() == 32 && mem::size_of::<Info>() == 552);

pub(super) const NAMESPACE_BYTES: usize = 256;

/// `pmix_proc_t`.
#[repr(C)]
#[derive(Clone)]
pub(super) struct Proc {
    pub(super) namespace: [c_char; NAMESPACE_BYTES],
    pub(super) rank: u32,
}

const _: () = assert!(mem::size_of::<Proc>() == 260);

/// `pmix_pdata_t`: what was published, and by whom.
#[repr(C)]
pub(super) struct Entry {
    pub(super) publisher: Proc,
    pub(super) key: [c_char; KEY_BYTES],
    pub(super) value: Value,
}

/// `pmix_query_t`.
#[repr(C)]
pub(super) struct Question {
    pub(super) keys: *mut *mut c_char,
    pub(super) qualifiers: *mut Info,
    pub(super) qualifiers_count: usize,
}

const _: () = assert!(mem::size_of::<Entry>() == 808 && mem::size_of::<Question>() == 24);

impl Proc {
    /// Returns no process, for the library to fill in.
    pub(super) fn none() -> Proc {
        Proc {
            namespace: [0; NAMESPACE_BYTES],
            rank: 0,
        }
    }
}

/// A directive; a flag is on where its first byte is 1.
pub(super) fn directive(key: &CStr, kind: u16, number: i32) -> Info {
    let mut info = Info {
        key: [0; KEY_BYTES],
        flags: 0,
        value: Value {
            kind,
            data: Data { widest: [0; 3] },
        },
    };
    info.value.data.number = u64::from(number as u32);
    for (to, from) in info.key.iter_mut().zip(key.to_bytes()) {
        *to = *from as c_char;
    }
    info
}

/// `text` as C has it, up to its first zero.
pub(super) fn terminated(text: &str) -> CString {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

/// Returns a number for some bytes; two different texts share one with a probability that does not
/// count.
pub(super) fn digest(bytes: &[u8]) -> u128 {
    // FNV-1a with 128 bits: equal in every build.
    bytes.iter().fold(
        0x6c62_272e_07bb_0142_62b8_2175_6295_c58d,
        |hash: u128, byte| (hash ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b),
    )
}
