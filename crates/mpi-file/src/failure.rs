//! Errors of files: the class by the system's number, and a sentence with the path.

use std::io;

use mpi::{Class, Error};

/// Returns the error of an act on a file that the system refused.
pub(crate) fn refused(act: &str, path: &str, error: &io::Error) -> Error {
    Error::new(class(error), format!("{act} `{path}`: {error}"))
}

/// Returns the error of an access to bytes of a file.
pub(crate) fn failed(act: &str, path: &str, offset: u64, bytes: u64, error: &io::Error) -> Error {
    let end = offset.saturating_add(bytes);
    refused(&format!("{act} bytes {offset} to {end} of"), path, error)
}

pub(crate) fn class(error: &io::Error) -> Class {
    let Some(number) = error.raw_os_error() else {
        return Class::Io;
    };
    let number = rustix::io::Errno::from_raw_os_error(number);
    use rustix::io::Errno;
    match number {
        Errno::NOENT => Class::NoSuchFile,
        Errno::EXIST => Class::FileExists,
        Errno::ACCESS | Errno::PERM => Class::Access,
        Errno::ROFS => Class::ReadOnly,
        Errno::NOSPC => Class::NoSpace,
        Errno::DQUOT => Class::Quota,
        Errno::TXTBSY | Errno::BUSY => Class::FileInUse,
        Errno::NOTDIR | Errno::ISDIR | Errno::NAMETOOLONG | Errno::LOOP | Errno::INVAL => {
            Class::BadFile
        }
        Errno::NOMEM => Class::NoMem,
        Errno::OPNOTSUPP | Errno::NOLCK => Class::UnsupportedOperation,
        _ => Class::Io,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_follows_from_the_systems_number() {
        let error = |number| refused("open", "/a", &io::Error::from_raw_os_error(number));
        let missing = error(2);
        assert_eq!(missing.class, Class::NoSuchFile);
        assert!(missing.text.starts_with("open `/a`: No such file"));
        for (number, class) in [
            (17, Class::FileExists),
            (28, Class::NoSpace),
            (122, Class::Quota),
            (30, Class::ReadOnly),
            (13, Class::Access),
            (5, Class::Io),
        ] {
            assert_eq!(error(number).class, class);
        }
        let range = failed("write", "/a", 10, 5, &io::Error::from_raw_os_error(28));
        assert!(range.text.starts_with("write bytes 10 to 15 of `/a`"));
    }
}
