//! Options that make Fortran's default INTEGER 8 bytes long. The library's INTEGER has 4 bytes:
//! handles and counts of a program with such an option would be taken for others, and its
//! `MPI_INTEGER` would move half of each number.

use std::ffi::OsString;

/// Such options of gfortran, flang, ifx and ifort, nvfortran, xlf, and Cray's compiler.
const OPTIONS: [&str; 8] = [
    "-fdefault-integer-8",
    "-finteger-4-integer-8",
    "-i8",
    "-integer-size=64",
    "-qintsize=8",
    "-s default64",
    "-s integer64",
    "-integer-size 64",
];

/// Refuses a command line with such an option.
///
/// # Errors
/// There is one; in the words for the user.
pub fn check(compiler: &[String], args: &[OsString]) -> Result<(), String> {
    let args = args.iter().map(|arg| arg.to_string_lossy().into_owned());
    let words: Vec<String> = compiler.iter().cloned().chain(args).collect();
    let is_given = |option: &&&str| {
        let parts: Vec<&str> = option.split(' ').collect();
        words.windows(parts.len()).any(|given| given == parts)
    };
    match OPTIONS.iter().find(is_given) {
        None => Ok(()),
        Some(option) => Err(format!(
            "`{option}` makes INTEGER 8 bytes long, and INTEGER of this library has 4: leave it \
             out, and declare the numbers that need it integer(8), sent as MPI_INTEGER8"
        )),
    }
}
