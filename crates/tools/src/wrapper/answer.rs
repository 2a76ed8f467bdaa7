//! The flags and the compiler's command line, and the replies to queries about them.

use std::ffi::OsString;

use super::arguments::{links, words};
use super::question::{Question, QUESTIONS};
use super::setup::{language, Language, Setup};

/// The library that a program is linked with.
const LIBRARY: &str = "mpi_abi";

/// The command line for the compiler: our include folder before the user's arguments, so that no
/// other `mpi.h` is found first, and the library after them, as linkers want it.
pub fn command(setup: &Setup, compiler: &[String], rest: &[OsString], link: bool) -> Vec<OsString> {
    let mut command: Vec<OsString> = compiler.iter().map(OsString::from).collect();
    command.extend(compile_flags(setup).into_iter().map(OsString::from));
    command.extend(rest.iter().cloned());
    if link {
        command.extend(link_flags(setup).into_iter().map(OsString::from));
    }
    command
}

/// Returns the one line that replies to `question`; `rest` is the compiler's part of the command
/// line.
pub fn answer(setup: &Setup, compiler: &[String], question: Question, rest: &[OsString]) -> String {
    let with = |flags: Vec<String>| [compiler.to_vec(), flags].concat();
    match question {
        Question::Command => {
            // Without further arguments a wrapper prints all of its flags.
            let link = rest.is_empty() || links(rest);
            let line = command(setup, compiler, rest, link);
            join(line.iter().map(|arg| arg.to_string_lossy().into_owned()))
        }
        Question::CompileCommand => join(with(compile_flags(setup))),
        Question::LinkCommand => join(with(link_flags(setup))),
        Question::Compiler => join(compiler.to_vec()),
        Question::CompileFlags => join(compile_flags(setup)),
        Question::LinkFlags => join(link_flags(setup)),
        Question::IncludeFolders => join([folder(setup, "include")]),
        Question::LibraryFolders => join([folder(setup, "lib")]),
        Question::Libraries => LIBRARY.to_string(),
        Question::Version => version(setup),
        Question::Help => help(setup),
    }
}

/// The questions of Open MPI's dialect, for an error about one that is not among them.
pub fn known_questions() -> String {
    let names: Vec<String> = QUESTIONS
        .iter()
        .filter(|(name, _)| name.starts_with("showme:"))
        .map(|(name, _)| format!("-{name}"))
        .collect();
    format!("known are {}", names.join(" "))
}

fn compile_flags(setup: &Setup) -> Vec<String> {
    let mut flags = vec![format!("-I{}", folder(setup, "include"))];
    flags.extend(words(&setup.conf.compile_flags));
    flags
}

fn link_flags(setup: &Setup) -> Vec<String> {
    let lib = folder(setup, "lib");
    let mut flags = vec![
        format!("-L{lib}"),
        format!("-Wl,-rpath,{lib}"),
        "-Wl,--enable-new-dtags".to_string(),
        format!("-l{LIBRARY}"),
    ];
    flags.extend(words(&setup.conf.link_flags));
    flags
}

fn folder(setup: &Setup, name: &str) -> String {
    setup.prefix.join(name).to_string_lossy().into_owned()
}

fn version(setup: &Setup) -> String {
    let language = match language(setup.name) {
        Language::C => "C",
        Language::Cxx => "C++",
    };
    format!(
        "{}: oxmpi {} (Language: {language})",
        setup.name,
        env!("CARGO_PKG_VERSION")
    )
}

fn help(setup: &Setup) -> String {
    let names: Vec<String> = QUESTIONS
        .iter()
        .map(|(name, _)| format!("  -{name}"))
        .collect();
    format!(
        "{} calls a compiler with the flags that find oxmpi.\n\n\
         Arguments are the compiler's, but for\n{}\n  -cc=NAME -cxx=NAME  call this compiler\n  \
         -echo  show the command before running it\n\n\
         The compiler is the one that OXMPI_CC, MPICH_CC, OMPI_CC or I_MPI_CC names (CXX for\n\
         C++), or the one in share/oxmpi/wrapper.conf.",
        version(setup),
        names.join("\n")
    )
}

/// Returns one line that a shell, and the patterns of CMake, split into these words.
fn join(words: impl IntoIterator<Item = String>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| quote(&word)).collect();
    quoted.join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%^~".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    // Scripts that search for `-I` and `-L` expect the quote behind it.
    let (flag, value) = match word.get(..2) {
        Some(flag @ ("-I" | "-L")) => (flag, &word[2..]),
        _ => ("", word),
    };
    let mut quoted = format!("{flag}\"");
    for c in value.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}
