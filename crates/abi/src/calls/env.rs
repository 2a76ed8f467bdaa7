//! The environment: versions, time, the name of the machine (MPI 5.0, 9.1, 9.6 and 20.2).

use abi_state::args::{Out, OutText};
use abi_state::environment;
use abi_state::failure::Failure;
use abi_state::generated::constants::{
    MPI_ABI_SUBVERSION, MPI_ABI_VERSION, MPI_SUBVERSION, MPI_VERSION,
};

/// `MPI_Get_version` (MPI 5.0, 9.1.1).
pub fn get_version(version: Out<i32>, subversion: Out<i32>) -> Result<(), Failure> {
    version.set(MPI_VERSION)?;
    subversion.set(MPI_SUBVERSION)
}

/// `MPI_Get_library_version` (MPI 5.0, 9.1.1). A build for tests says so: whoever measures it
/// measures its assertions.
pub fn get_library_version(version: OutText, resultlen: Out<i32>) -> Result<(), Failure> {
    let text = concat!(
        "oxmpi ",
        env!("CARGO_PKG_VERSION"),
        ", MPI 5.0, standard ABI 1.0"
    );
    match cfg!(debug_assertions) {
        true => version.set(&format!("{text}, with debug assertions"), resultlen),
        false => version.set(text, resultlen),
    }
}

/// `MPI_Abi_get_version` (MPI 5.0, 20.2).
pub fn abi_get_version(abi_major: Out<i32>, abi_minor: Out<i32>) -> Result<(), Failure> {
    abi_major.set(MPI_ABI_VERSION)?;
    abi_minor.set(MPI_ABI_SUBVERSION)
}

/// `MPI_Get_processor_name` (MPI 5.0, 9.1.2): the host name.
pub fn get_processor_name(name: OutText, resultlen: Out<i32>) -> Result<(), Failure> {
    let host = environment::host_name()?;
    name.set(&host, resultlen)
}

/// `MPI_Wtime` (MPI 5.0, 9.6): seconds of the machine's monotonic clock, which all of its processes
/// share.
pub fn wtime() -> f64 {
    seconds(|time| {
        // SAFETY: `time` is a place for a `timespec`, and the clock is one that Linux has.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, time) }
    })
}

/// `MPI_Wtick` (MPI 5.0, 9.6): seconds between two ticks of that clock.
pub fn wtick() -> f64 {
    seconds(|time| {
        // SAFETY: as in `wtime`.
        unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC, time) }
    })
}

/// `MPI_Aint_add` (MPI 5.0, 5.1.5): an address moved by `disp` bytes.
pub fn aint_add(base: i64, disp: i64) -> i64 {
    base.wrapping_add(disp)
}

/// `MPI_Aint_diff` (MPI 5.0, 5.1.5): the bytes from `addr2` to `addr1`.
pub fn aint_diff(addr1: i64, addr2: i64) -> i64 {
    addr1.wrapping_sub(addr2)
}

/// `MPI_Pcontrol` (MPI 5.0, 15.2.4): for a profiling library to interpose; here it does nothing.
pub fn pcontrol(_level: i32) -> Result<(), Failure> {
    Ok(())
}

fn seconds(read: impl FnOnce(*mut libc::timespec) -> i32) -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    read(&mut time);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
