//! Values and directives, as PMIx's C structures hold them.

use std::ffi::{c_char, CStr, CString};
use std::mem;

pub(super) const STRING: u16 = 3;
pub(super) const BYTE_OBJECT: u16 = 27;

const KEY_BYTES: usize = 512;

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
    pub(super) widest: [usize; 3],
}

/// `pmix_byte_object_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct ByteObject {
    pub(super) bytes: *mut c_char,
    pub(super) size: usize,
}

/// `pmix_info_t`.
#[repr(C)]
pub(super) struct Info {
    pub(super) key: [c_char; KEY_BYTES],
    pub(super) flags: u32,
    pub(super) value: Value,
}

const _: () = assert!(mem::size_of::<Value>() == 32 && mem::size_of::<Info>() == 552);

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
