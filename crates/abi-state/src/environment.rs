//! The contents of `MPI_INFO_ENV`: how this process was started (MPI 5.0, 11.2.1), as far as the
//! process itself can find out. Keys that only a launcher knows (`maxprocs`, `soft`, `file`,
//! `thread_level`) are left out, as MPI allows.

use mpi::{Errhandler, Error, Info};
use mpi_local::errhandler;

use crate::failure::Failure;
use crate::generated::constants::MPI_ERR_OTHER;

/// Returns the keys and values of a process that began with an error handler.
pub fn read(initial: &Errhandler) -> Info {
    let mut info = Info::new();
    let mut words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let folder = std::env::current_dir().ok();
    let pairs = [
        ("command", words.next()),
        ("argv", Some(words.collect::<Vec<_>>().join(" "))),
        (errhandler::INITIAL, initial.word().map(String::from)),
        ("host", host_name().ok()),
        ("arch", Some(std::env::consts::ARCH.to_string())),
        (
            "wdir",
            folder.map(|folder| folder.to_string_lossy().into_owned()),
        ),
    ];
    for (key, value) in pairs {
        // A value that is too long for MPI is left out.
        let _: Result<(), Error> = value.map_or(Ok(()), |value| info.set(key, &value));
    }
    info
}

/// Returns the name of the host.
pub fn host_name() -> Result<String, Failure> {
    let mut bytes = [0u8; 256];
    // SAFETY: the buffer has the length that is given, less a byte that stays zero.
    let failed = unsafe { libc::gethostname(bytes.as_mut_ptr().cast(), bytes.len() - 1) } != 0;
    if failed {
        let error = std::io::Error::last_os_error();
        return Err(Failure::new(
            MPI_ERR_OTHER,
            format!("cannot read the host name: {error}"),
        ));
    }
    let end = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
}
