//! Bodies of frames: types that derive `serde`'s traits, in the form of `postcard`.
//!
//! A decoder takes any bytes, and allocates nothing by a length that they name: texts and byte
//! strings are cut out of the body, which has a maximum, and a list reserves at most 1 MiB before
//! its items are there.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Appends a value to `out`.
pub fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) {
    let bytes = postcard::to_allocvec(value).expect("memory has room for every value of a frame");
    out.extend_from_slice(&bytes);
}

/// Returns the value that `bytes` hold; `None` when they are malformed, or hold anything else.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}

/// Returns the beginning of a text, cut between two letters.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A text that says why something was refused or has ended: its first 4096 bytes.
pub mod reason {
    use super::*;

    const BYTES_MAX: usize = 4096;

    /// Serializes the beginning of the text.
    ///
    /// # Errors
    /// The serializer's.
    pub fn serialize<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
        cut(text, BYTES_MAX).serialize(to)
    }

    /// Deserializes a text.
    ///
    /// # Errors
    /// When it is longer.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        let text = String::deserialize(from)?;
        match text.len() <= BYTES_MAX {
            true => Ok(text),
            false => Err(D::Error::custom("a longer reason than is sent")),
        }
    }
}

/// A path, which need not be text.
pub mod path {
    use super::*;

    /// Serializes the path's bytes.
    ///
    /// # Errors
    /// The serializer's.
    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().serialize(to)
    }

    /// Deserializes a path.
    ///
    /// # Errors
    /// The deserializer's.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        OsString::deserialize(from).map(PathBuf::from)
    }
}

/// A path that may lack.
pub mod optional_path {
    use super::*;

    /// Serializes the path's bytes.
    ///
    /// # Errors
    /// The serializer's.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
        let path: Option<&OsStr> = path.as_ref().map(|path| path.as_os_str());
        path.serialize(to)
    }

    /// Deserializes a path.
    ///
    /// # Errors
    /// The deserializer's.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<OsString>::deserialize(from)?.map(PathBuf::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Value {
        #[serde(with = "path")]
        path: PathBuf,
        #[serde(with = "optional_path")]
        directory: Option<PathBuf>,
        #[serde(with = "reason")]
        why: String,
        list: Vec<(u64, u64)>,
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    }

    /// Lengths beyond all memory are refused: to allocate by one would end this process.
    #[test]
    fn nothing_is_allocated_by_a_length_that_is_named() {
        let mut length = Vec::new();
        encode(&(1u64 << 46), &mut length);
        assert_eq!(decode::<Vec<(u64, u64)>>(&length), None);
        assert_eq!(decode::<Vec<Vec<u8>>>(&length), None);
        assert_eq!(decode::<Vec<String>>(&length), None);
        assert_eq!(decode::<String>(&length), None);
        assert_eq!(decode::<OsString>(&[&[0][..], &length].concat()), None);
        assert_eq!(decode::<serde_bytes::ByteBuf>(&length), None);
        let map = decode::<std::collections::BTreeMap<String, u64>>(&length);
        assert_eq!(map, None);
    }

    #[test]
    fn values_come_back_and_cut_ones_are_refused() {
        use std::os::unix::ffi::OsStringExt;
        let odd = PathBuf::from(OsString::from_vec(b"/a/\xff".to_vec()));
        let value = Value {
            path: odd.clone(),
            directory: Some(odd),
            why: "\u{fc}".repeat(3000),
            list: vec![(1, u64::MAX)],
            bytes: vec![0; 300],
        };
        let mut bytes = Vec::new();
        encode(&value, &mut bytes);
        let why = "\u{fc}".repeat(2048);
        assert_eq!(decode(&bytes), Some(Value { why, ..value }));
        for length in 0..bytes.len() {
            assert_eq!(decode::<Value>(&bytes[..length]), None, "cut at {length}");
        }
        bytes.push(0);
        assert_eq!(decode::<Value>(&bytes), None);
        let mut long = Vec::new();
        encode(&"a".repeat(4097), &mut long);
        #[derive(Deserialize)]
        struct Why(
            #[serde(with = "reason")]
            #[allow(dead_code)]
            String,
        );
        assert!(decode::<Why>(&long).is_none());
    }
}
