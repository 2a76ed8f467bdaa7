//! The environment variables that the library heeds, what it may load and start, and the files that
//! it trusts.
//!
//! A program that runs with more rights than its caller has (setuid, setgid, file capabilities, or
//! what a security module adds) learns so from the kernel (`AT_SECURE`). Its environment, `HOME`
//! and `PATH` among it, is the caller's, who must not direct what such a process loads, reads or
//! connects to. There the library heeds the variables of [`HEEDED`] alone: numbers that launchers
//! leave, none of which names a file, a library, a host or a program. All parameters go, also those
//! that would be harmless, since which these are changes with each new one.
//!
//! So the library reads its environment through this crate only, and asks [`unless_secure`] before
//! it loads a library or starts a program; `cargo xtask tidy` has the list of such places.
//! Libraries that read variables of their own, such as libfabric and PMIx, are not loaded there.

mod files;

use std::ffi::OsString;

pub use files::{check_own, open_own, Others};

/// The variables that count in every process, with what each holds.
///
/// The descriptor of the connection to `mpirun`, two flags, and the ranks and sizes by which a
/// process knows that a launcher has started it whose connection it does not take.
pub const HEEDED: [&str; 10] = [
    "OXMPI_BOOT_FD",
    "OXMPI_RECOVERY",
    "OXMPI_SINGLETON",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "PMI_RANK",
    "PMI_SIZE",
    "SLURM_NTASKS",
    "SLURM_STEP_ID",
    "SLURM_STEP_NUM_TASKS",
];

/// Whether this process has rights that its caller lacks.
pub fn is_secure() -> bool {
    // SAFETY: the call reads a value that the kernel has left for the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Fails in a process that has rights which its caller lacks, with the reason.
///
/// # Errors
/// One sentence that continues "... is not loaded: ".
pub fn unless_secure() -> Result<(), String> {
    match is_secure() {
        true => Err(
            "this process has rights that its caller lacks (setuid, setgid or file \
                     capabilities), and the caller's variables would direct it"
                .into(),
        ),
        false => Ok(()),
    }
}

/// Returns a variable that is heeded and is text.
pub fn var(name: &str) -> Option<String> {
    var_os(name)?.into_string().ok()
}

/// Returns a variable that is heeded.
pub fn var_os(name: &str) -> Option<OsString> {
    counts(name, is_secure())
        .then(|| std::env::var_os(name))
        .flatten()
}

/// Returns all variables that are heeded.
pub fn vars_os() -> impl Iterator<Item = (OsString, OsString)> {
    let is_secure = is_secure();
    std::env::vars_os().filter(move |(name, _)| counts(&name.to_string_lossy(), is_secure))
}

fn counts(name: &str, is_secure: bool) -> bool {
    !is_secure || HEEDED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_something_counts_only_where_the_caller_has_the_same_rights() {
        for name in [
            "HOME",
            "PATH",
            "TMPDIR",
            "OXMPI_PMIX_LIBRARY",
            "OXMPI_MCA_mpi_name_server",
            "OXMPI_MCACMD_btl",
            "OMPI_MCA_btl",
            "OXMPI_TRACE",
            "PMI_PORT",
            "ROMIO_HINTS",
        ] {
            assert!(counts(name, false) && !counts(name, true), "{name}");
        }
        assert!(counts("OXMPI_BOOT_FD", true));
        assert!(!is_secure(), "tests run with the rights of their caller");
        assert_eq!(vars_os().count(), std::env::vars_os().count());
    }
}
