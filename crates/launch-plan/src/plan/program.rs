//! Finds the executable file that a program's name stands for.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::environment;
use super::model::App;
use super::world::World;
use crate::request::{self, Change, Request};
use crate::tools;
use crate::Error;

/// A program with its environment; its file is not looked for.
pub(super) fn describe(
    app: &request::AppRequest,
    request: &Request,
    shared: &BTreeMap<OsString, OsString>,
    world: &World,
) -> App {
    let mut env = shared.clone();
    environment::restrict(&mut env, app.inherit.as_ref().unwrap_or(&request.inherit));
    for (name, value) in &request.env {
        env.insert(name.clone(), value.clone());
    }
    for (name, change) in &app.env {
        match (change, world.env.get(name)) {
            (Change::Set(value), _) => env.insert(name.clone(), value.clone()),
            // By name alone: also what would have been held back as an outer launcher's.
            (Change::Pass, Some(value)) => env.insert(name.clone(), value.clone()),
            (Change::Pass, None) => None,
            (Change::Unset, _) => env.remove(name),
        };
    }
    if let Some(folder) = &app.path {
        environment::prepend(&mut env, "PATH", folder);
    }
    if let Some(interface) = app.interface {
        // On other hosts the installation may lie elsewhere.
        let there = request.prefix.as_ref().map(Path::new);
        for prefix in there.into_iter().chain([world.prefix.as_path()]) {
            let folder = prefix.join("lib").join(interface);
            environment::prepend(&mut env, "LD_LIBRARY_PATH", folder.as_os_str());
        }
    }
    tools::preload(&mut env, &request.tools, &world.prefix);
    App {
        name: app.program.clone(),
        path: PathBuf::from(&app.program),
        arguments: app.arguments.clone(),
        env,
        directory: app.directory.as_ref().map(PathBuf::from),
    }
}

/// Returns the file of a program on this machine, or what keeps it from being run here; its working
/// directory is searched first.
pub fn locate(app: &App) -> Result<PathBuf, Error> {
    if let Some(directory) = &app.directory {
        let usable = std::fs::metadata(directory).and_then(|found| match found.is_dir() {
            true => Ok(rustix::fs::access(directory, Access::EXEC_OK)?),
            false => Err(std::io::ErrorKind::NotADirectory.into()),
        });
        usable.map_err(|e| Error::File {
            what: "working directory",
            name: directory.display().to_string(),
            reason: e.to_string(),
        })?;
    }
    let path = app.env.get(OsStr::new("PATH"));
    find_program(&app.name, app.directory.as_deref(), path)
}

/// The file that a program's name means: with a slash a path (from its working directory), else
/// the first executable of that name on `PATH`, or the one in the working directory where `PATH`
/// has none, which Open MPI runs too.
fn find_program(
    name: &OsStr,
    directory: Option<&Path>,
    path: Option<&OsString>,
) -> Result<PathBuf, Error> {
    let refuse = |reason: &str| Error::File {
        what: "program",
        name: name.to_string_lossy().into_owned(),
        reason: reason.to_string(),
    };
    let base = directory.unwrap_or(Path::new(""));
    if name.as_bytes().contains(&b'/') {
        let path = Path::new(name);
        return executable(&base.join(path))
            .map(|()| path.to_path_buf())
            .map_err(refuse);
    }
    if name.is_empty() {
        return Err(refuse("the name is empty"));
    }
    let mut reason = "not found on PATH";
    for place in path
        .map(|path| std::env::split_paths(path))
        .into_iter()
        .flatten()
    {
        let candidate = base.join(place).join(name);
        match executable(&candidate) {
            Ok(()) => return Ok(std::path::absolute(&candidate).unwrap_or(candidate)),
            Err("not found") => {}
            Err(other) => reason = other,
        }
    }
    let here = base.join(name);
    match executable(&here) {
        Ok(()) => Ok(std::path::absolute(&here).unwrap_or(here)),
        Err("not found") => Err(refuse(reason)),
        Err(other) => Err(refuse(&format!("{reason}; the one here {other}"))),
    }
}

fn executable(path: &Path) -> Result<(), &'static str> {
    use rustix::io::Errno;
    match rustix::fs::stat(path) {
        Err(Errno::NOENT | Errno::NOTDIR) => return Err("not found"),
        Err(Errno::ACCESS) => return Err("permission denied"),
        Err(_) => return Err("cannot be looked at"),
        Ok(found) => match rustix::fs::FileType::from_raw_mode(found.st_mode) {
            rustix::fs::FileType::RegularFile => {}
            rustix::fs::FileType::Directory => return Err("is a directory"),
            _ => return Err("is no file that can be run"),
        },
    }
    rustix::fs::access(path, Access::EXEC_OK).map_err(|_| "is not executable")
}
