//! The flags and the compiler's command line, and the replies to queries about them.

use std::ffi::OsString;

use super::arguments::{links, words};
use super::question::{Question, QUESTIONS};
use super::setup::{language, Language, Setup};

/// The flags of one wrapper, for one compiler.
pub struct Flags<'a> {
    setup: &'a Setup<'a>,
    /// Flags to compile that this compiler needs.
    own: Vec<String>,
}

impl<'a> Flags<'a> {
    pub fn new(setup: &'a Setup<'a>, own: Vec<String>) -> Flags<'a> {
        Flags { setup, own }
    }

    /// The command line for the compiler: our include folder before the user's arguments, so that
    /// no other `mpi.h` is found first, and the library after them, as linkers want it.
    pub fn command(&self, compiler: &[String], rest: &[OsString], link: bool) -> Vec<OsString> {
        let mut command: Vec<OsString> = compiler.iter().map(OsString::from).collect();
        command.extend(self.compile().into_iter().map(OsString::from));
        command.extend(rest.iter().cloned());
        if link {
            command.extend(self.link().into_iter().map(OsString::from));
        }
        command
    }

    /// Returns the one line that replies to `question`; `rest` is the compiler's part of the
    /// command line.
    pub fn answer(&self, compiler: &[String], question: Question, rest: &[OsString]) -> String {
        let with = |flags: Vec<String>| [compiler.to_vec(), flags].concat();
        match question {
            Question::Command => {
                // Without further arguments a wrapper prints all of its flags.
                let link = rest.is_empty() || links(rest);
                let line = self.command(compiler, rest, link);
                join(line.iter().map(|arg| arg.to_string_lossy().into_owned()))
            }
            Question::CompileCommand => join(with(self.compile())),
            Question::LinkCommand => join(with(self.link())),
            Question::Compiler => join(compiler.to_vec()),
            Question::CompileFlags => join(self.compile()),
            Question::LinkFlags => join(self.link()),
            Question::IncludeFolders => {
                let folders = self.own.iter().filter_map(|flag| flag.strip_prefix("-I"));
                join(
                    [folder(self.setup, "include")]
                        .into_iter()
                        .chain(folders.map(str::to_string)),
                )
            }
            Question::LibraryFolders => join([folder(self.setup, "lib")]),
            Question::Libraries => libraries(self.setup).join(" "),
            Question::Version => version(self.setup),
            Question::Help => help(self.setup),
        }
    }

    fn compile(&self) -> Vec<String> {
        let mut flags = vec![format!("-I{}", folder(self.setup, "include"))];
        flags.extend(self.own.iter().cloned());
        flags.extend(words(&self.setup.conf.compile_flags));
        flags
    }

    fn link(&self) -> Vec<String> {
        let lib = folder(self.setup, "lib");
        let mut flags = vec![
            format!("-L{lib}"),
            format!("-Wl,-rpath,{lib}"),
            "-Wl,--enable-new-dtags".to_string(),
        ];
        flags.extend(libraries(self.setup).iter().map(|name| format!("-l{name}")));
        flags.extend(words(&self.setup.conf.link_flags));
        flags
    }
}

/// The libraries that a program is linked with.
fn libraries(setup: &Setup) -> &'static [&'static str] {
    match language(setup.name) {
        Language::C | Language::Cxx => &["mpi_abi"],
        Language::Fortran => &["mpifort_abi", "mpi_abi"],
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

fn folder(setup: &Setup, name: &str) -> String {
    setup.prefix.join(name).to_string_lossy().into_owned()
}

fn version(setup: &Setup) -> String {
    let language = match language(setup.name) {
        Language::C => "C",
        Language::Cxx => "C++",
        Language::Fortran => "Fortran",
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
         Arguments are the compiler's, but for\n{}\n  \
         -cc=NAME -cxx=NAME -fc=NAME  call this compiler\n  \
         -echo  show the command before running it\n\n\
         The compiler is the one that OXMPI_CC, MPICH_CC, OMPI_CC or I_MPI_CC names (CXX for\n\
         C++, FC for Fortran), or the one in share/oxmpi/wrapper.conf.",
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
