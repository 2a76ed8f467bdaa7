//! The compiler wrappers: `mpicc`, `mpicxx`, `mpifort` and their other names.
//!
//! A wrapper adds what finds `mpi.h` and `libmpi_abi.so` to a compiler's command line, and runs the
//! compiler. Build systems query these flags instead; each MPI library has its own queries, and
//! this wrapper replies to those of Open MPI (`-showme...`) and of MPICH (`-show`, `-compile-info`,
//! ...) alike. [`decide`] is a pure function: from the command line and a [`Setup`] to the [`Act`]
//! that the program then performs.
//!
//! The flags are one `-I`, one `-L`, one run path and one `-l`, in a form that scripts which parse
//! them understand. The run path is a `RUNPATH`, so that `LD_LIBRARY_PATH` selects another library
//! of this ABI.

use std::ffi::OsString;

mod answer;
mod arguments;
mod conf;
mod integers;
pub mod modules;
mod question;
mod setup;
#[cfg(test)]
mod tests;

use arguments::{links, words};
use question::{Question, QUESTIONS};

pub use conf::Conf;
pub use setup::{language, Language, Setup};

/// The action of a wrapper.
#[derive(PartialEq, Eq, Debug)]
pub enum Act {
    /// Prints this line and ends well.
    Print(String),
    /// Becomes this command, after showing it on standard error where `echo` is set.
    Run {
        /// The program and its arguments; never empty.
        command: Vec<OsString>,
        /// Whether the user wants to see it.
        echo: bool,
    },
}

/// The command line, sorted into what is the wrapper's and what is the compiler's.
struct Arguments {
    question: Option<Question>,
    compiler: Option<String>,
    echo: bool,
    rest: Vec<OsString>,
}

/// Decides what the wrapper does with the arguments `args`, without its own name. The error is a
/// line for the user, without the wrapper's name.
pub fn decide(setup: &Setup, args: &[OsString]) -> Result<Act, String> {
    let arguments = sort(args)?;
    let compiler = match &arguments.compiler {
        Some(named) => words(named),
        None => compiler(setup)?,
    };
    let own = match language(setup.name) {
        Language::Fortran if !compiler.is_empty() => {
            integers::check(&compiler, &arguments.rest)?;
            (setup.fortran)(&compiler)?
        }
        _ => Vec::new(),
    };
    let flags = answer::Flags::new(setup, own);
    if let Some(question) = arguments.question {
        let (rest, question) = (&arguments.rest, question);
        return Ok(Act::Print(flags.answer(&compiler, question, rest)));
    }
    if compiler.is_empty() {
        return Err("no compiler is named: -cc= is empty".to_string());
    }
    let command = flags.command(&compiler, &arguments.rest, links(&arguments.rest));
    Ok(Act::Run {
        command,
        echo: arguments.echo,
    })
}

fn sort(args: &[OsString]) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        question: None,
        compiler: None,
        echo: false,
        rest: Vec::new(),
    };
    for arg in args {
        let text = arg.to_string_lossy();
        // `--showme` is accepted as Open MPI does, `--help` is the compiler's own.
        let option = match text.strip_prefix("--") {
            Some(option) if option.starts_with("show") => option,
            _ => text.strip_prefix('-').unwrap_or(""),
        };
        if let Some((_, question)) = QUESTIONS.iter().find(|(name, _)| *name == option) {
            arguments.question = Some(*question);
        } else if option.starts_with("showme:") {
            return Err(format!(
                "{text} is not known; {}",
                answer::known_questions()
            ));
        } else if let Some(named) = named_compiler(option) {
            arguments.compiler = Some(named.to_string());
        } else if option == "echo" {
            arguments.echo = true;
        } else if option == "static-mpi" || option.starts_with("profile=") {
            return Err(format!(
                "{text} is not supported: oxmpi is one shared library"
            ));
        } else if option != "mpi-abi" {
            arguments.rest.push(arg.clone());
        }
    }
    Ok(arguments)
}

fn named_compiler(option: &str) -> Option<&str> {
    ["cc=", "cxx=", "CC=", "fc=", "f90=", "f77="]
        .iter()
        .find_map(|name| option.strip_prefix(name))
}

/// The compiler that the environment names, or the text file, or the one that is there.
fn compiler(setup: &Setup) -> Result<Vec<String>, String> {
    let (variables, conf, last) = match language(setup.name) {
        Language::C => (
            ["OXMPI_CC", "MPICH_CC", "OMPI_CC", "I_MPI_CC"],
            &setup.conf.cc,
            "cc",
        ),
        Language::Cxx => (
            ["OXMPI_CXX", "MPICH_CXX", "OMPI_CXX", "I_MPI_CXX"],
            &setup.conf.cxx,
            "c++",
        ),
        Language::Fortran => (
            ["OXMPI_FC", "MPICH_FC", "OMPI_FC", "I_MPI_FC"],
            &setup.conf.fc,
            "f95",
        ),
    };
    if let Some(named) = variables.iter().find_map(|variable| (setup.env)(variable)) {
        return Ok(words(&named));
    }
    let named = words(conf);
    match named.first() {
        Some(program) if (setup.is_program)(program) => Ok(named),
        _ if (setup.is_program)(last) => Ok(vec![last.to_string()]),
        _ => {
            let install = match language(setup.name) {
                Language::Fortran => {
                    "; install gfortran (the package is called gfortran, or gcc-gfortran), or name \
                     another Fortran compiler in OXMPI_FC"
                }
                _ => "",
            };
            Err(format!(
                "no compiler: neither `{conf}` nor `{last}` is a program on PATH{install}"
            ))
        }
    }
}
