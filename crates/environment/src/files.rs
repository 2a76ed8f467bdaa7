//! Files that are trusted because only their user can have written them.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Rights of others than its owner to a file that is trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// Nothing: it holds a secret.
    MayNothing,
    /// Read it; those of its group, which many systems make for each user, may also write it.
    MayRead,
}

/// Opens a file for reading that [`check_own`] trusts.
///
/// # Errors
/// The system's, and those of [`check_own`].
pub fn open_own(path: &Path, others: Others) -> io::Result<File> {
    // A pipe in its place would wait for a writer.
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path)?;
    check_own(&file, others)?;
    Ok(file)
}

/// Refuses an open file that another user could have written, or may read where it holds a secret.
///
/// # Errors
/// `PermissionDenied` where it belongs to another user, another error where its mode allows others
/// too much or it is no regular file; each says so.
pub fn check_own(file: &File, others: Others) -> io::Result<()> {
    let metadata = file.metadata()?;
    // SAFETY: the call takes nothing and cannot fail.
    let user = unsafe { libc::geteuid() };
    let (owner, mode) = (metadata.uid(), metadata.mode() & 0o7777);
    if owner != user && owner != 0 {
        let text = format!("it belongs to another user (uid {owner})");
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let (denied, what, to_do) = match others {
        Others::MayNothing => (0o077, "read or write", "chmod 600"),
        Others::MayRead => (0o002, "write", "chmod o-w"),
    };
    match mode & denied {
        0 => Ok(()),
        _ => Err(io::Error::other(format!(
            "others may {what} it (its mode is {mode:o}; {to_do} helps)"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{chown, PermissionsExt};

    use super::*;

    #[test]
    fn what_others_could_have_written_is_refused() {
        let path = std::env::temp_dir().join(format!("oxmpi-own-{}", std::process::id()));
        fs::write(&path, "text").unwrap();
        let opened = |mode: u32, others| {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            open_own(&path, others)
                .map(drop)
                .map_err(|error| error.to_string())
        };
        for (mode, alone, read) in [
            (0o600, true, true),
            (0o400, true, true),
            (0o640, false, true),
            (0o664, false, true),
            (0o602, false, false),
            (0o666, false, false),
        ] {
            assert_eq!(opened(mode, Others::MayNothing).is_ok(), alone, "{mode:o}");
            assert_eq!(opened(mode, Others::MayRead).is_ok(), read, "{mode:o}");
        }
        let why = opened(0o666, Others::MayNothing).unwrap_err();
        assert!(why.contains("666") && why.contains("chmod 600"), "{why}");
        // Only root can give files away.
        if chown(&path, Some(12345), None).is_ok() {
            let why = opened(0o600, Others::MayNothing).unwrap_err();
            assert!(why.contains("uid 12345"), "{why}");
        }
        fs::remove_file(&path).unwrap();
        assert!(open_own(Path::new("/dev/null"), Others::MayNothing).is_err());
    }
}
