//! Parses the arguments of compilers, as far as a wrapper needs.

use std::ffi::{OsStr, OsString};

/// Splits the text of a command line into its words.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// Whether the compiler calls the linker with these arguments.
pub fn links(args: &[OsString]) -> bool {
    const STOPS: &[&str] = &[
        "-c",
        "-S",
        "-E",
        "-M",
        "-MM",
        "-fsyntax-only",
        "-r",
        "-Wl,-r",
        "--version",
        "--help",
    ];
    if args
        .iter()
        .any(|arg| STOPS.iter().any(|stop| arg == OsStr::new(stop)))
    {
        return false;
    }
    let mut args = args.iter().map(|arg| arg.to_string_lossy());
    while let Some(arg) = args.next() {
        if takes_next(&arg) {
            args.next();
        } else if arg == "-" || !arg.starts_with('-') {
            return true;
        }
    }
    false
}

/// Whether the argument after `arg` is its value and not an input file.
fn takes_next(arg: &str) -> bool {
    const TAKERS: &[&str] = &[
        "-o",
        "-I",
        "-L",
        "-D",
        "-U",
        "-x",
        "-l",
        "-u",
        "-T",
        "-z",
        "-e",
        "-B",
        "-MF",
        "-MT",
        "-MQ",
        "-include",
        "-imacros",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-isysroot",
        "-Xlinker",
        "-Xpreprocessor",
        "-Xassembler",
        "--param",
        "-aux-info",
        "-target",
    ];
    TAKERS.contains(&arg)
}
