//! The compiler wrapper `mpicc`, also installed as `mpicxx`, `mpic++`, `mpiCC`, `mpifort`,
//! `mpif77`, `mpif90`, `mpif95`, `mpifc`, and with `_abi`.

#![forbid(unsafe_code)]

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use tools::wrapper::{self, Act, Conf, Setup};

fn main() -> ExitCode {
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_default();
    let name = Path::new(&name).file_name().unwrap_or(OsStr::new("mpicc"));
    let name = name.to_string_lossy().into_owned();
    let Err(text) = run(&name, &args.collect::<Vec<OsString>>()) else {
        return ExitCode::SUCCESS;
    };
    eprintln!("{name}: {}", base::system::plain(text));
    ExitCode::FAILURE
}

/// Replies to a query, or becomes the compiler and does not return.
fn run(name: &str, args: &[OsString]) -> Result<(), String> {
    let program =
        std::env::current_exe().map_err(|e| format!("the path of the wrapper is unknown: {e}"))?;
    let prefix = program
        .parent()
        .and_then(Path::parent)
        .unwrap_or(Path::new("/"));
    let conf = conf(prefix)?;
    let setup = Setup {
        name,
        prefix,
        conf: &conf,
        env: &|variable| {
            std::env::var(variable)
                .ok()
                .filter(|value| !value.trim().is_empty())
        },
        fortran: &|compiler| wrapper::modules::flags(prefix, compiler),
        is_program: &|program| find(program).is_some(),
    };
    let (command, echo) = match wrapper::decide(&setup, args)? {
        Act::Print(line) => {
            println!("{line}");
            return Ok(());
        }
        Act::Run { command, echo } => (command, echo),
    };
    if echo {
        let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
        eprintln!("{}", words.join(" "));
    }
    check(&program, prefix, &command[0])?;
    let error = Command::new(&command[0]).args(&command[1..]).exec();
    Err(format!(
        "cannot run the compiler `{}`: {error}",
        command[0].to_string_lossy()
    ))
}

fn conf(prefix: &Path) -> Result<Conf, String> {
    let path = prefix.join("share/oxmpi/wrapper.conf");
    match std::fs::read_to_string(&path) {
        Ok(text) => Conf::parse(&text).map_err(|text| format!("{}: {text}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Conf::default()),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}

/// Refuses what would fail later with a more confusing message, or never end.
fn check(program: &Path, prefix: &Path, compiler: &OsStr) -> Result<(), String> {
    if !prefix.join("include/mpi.h").exists() {
        return Err(format!(
            "{} holds no installation: no include/mpi.h",
            prefix.display()
        ));
    }
    let found = find(&compiler.to_string_lossy()).and_then(|path| path.canonicalize().ok());
    if found.as_deref() == Some(program) {
        return Err("the compiler to call is this wrapper itself; see OXMPI_CC".to_string());
    }
    Ok(())
}

/// The file that running `program` would run.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| is_runnable(path));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|path| is_runnable(path))
}

fn is_runnable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|of| of.is_file() && of.permissions().mode() & 0o111 != 0)
}
