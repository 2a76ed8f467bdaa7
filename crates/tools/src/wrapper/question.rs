//! Queries for flags, as options of Open MPI's and MPICH's wrappers.

/// A query that a wrapper replies to instead of compiling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// The command line that would be run.
    Command,
    /// The compiler and the flags to compile.
    CompileCommand,
    /// The compiler and the flags to link.
    LinkCommand,
    Compiler,
    CompileFlags,
    LinkFlags,
    IncludeFolders,
    LibraryFolders,
    Libraries,
    Version,
    Help,
}

/// The options that query, without their dashes.
pub const QUESTIONS: &[(&str, Question)] = &[
    ("show", Question::Command),
    ("showme", Question::Command),
    ("showme:command", Question::Compiler),
    ("showme:compile", Question::CompileFlags),
    ("showme:link", Question::LinkFlags),
    ("showme:incdirs", Question::IncludeFolders),
    ("showme:libdirs", Question::LibraryFolders),
    ("showme:libs", Question::Libraries),
    ("showme:version", Question::Version),
    ("showme:help", Question::Help),
    ("compile-info", Question::CompileCommand),
    ("compile_info", Question::CompileCommand),
    ("link-info", Question::LinkCommand),
    ("link_info", Question::LinkCommand),
    ("help", Question::Help),
];
