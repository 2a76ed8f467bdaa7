//! Tools that watch the calls of ranks: libraries that the loader loads before a program's own.
//!
//! Each tool defines functions `MPI_X` and hands them on by `PMPI_X`. A library of the installation
//! behind them has each tool call the next one (crate `interpose`).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::plan::environment;
use crate::Error;

/// The libraries that the loader loads first.
const PRELOAD: &str = "LD_PRELOAD";

/// The tools, for `interpose`.
const TOOLS: &str = "OXMPI_TOOLS";

/// Where the library is that joins tools, below the prefix.
const INTERPOSE: &str = "lib/oxmpi/liboxmpi_interpose.so";

/// Has the loader load the tools into a program with this environment.
pub(crate) fn preload(env: &mut BTreeMap<OsString, OsString>, tools: &[String], prefix: &Path) {
    if tools.is_empty() {
        return;
    }
    let files: Vec<OsString> = tools.iter().map(|tool| file(tool)).collect();
    let files = files.join(OsStr::new(":"));
    env.insert(TOOLS.into(), files.clone());
    // The loader initialises the last library first.
    environment::prepend(env, PRELOAD, prefix.join(INTERPOSE).as_os_str());
    environment::prepend(env, PRELOAD, &files);
}

/// The file of a tool: one that is there, or else a name that the loader searches for as for other
/// libraries.
fn file(tool: &str) -> OsString {
    let path = Path::new(tool);
    match tool.contains('/') || path.exists() {
        true => std::path::absolute(path).map_or(tool.into(), OsString::from),
        false => tool.into(),
    }
}

/// Checks that each tool can be loaded with this environment of a program, without running anything
/// of it: the loader lists what it would load into this program, the launcher.
///
/// # Errors
/// The first tool that does not load, and why.
pub fn check(
    tools: &[String],
    env: &BTreeMap<OsString, OsString>,
    prefix: &Path,
) -> Result<(), Error> {
    if tools.is_empty() {
        return Ok(());
    }
    let interpose = prefix.join(INTERPOSE).into_os_string();
    let files = tools.iter().map(|tool| file(tool)).chain([interpose]);
    for file in files {
        let own =
            std::env::current_exe().map_err(Error::system("asking for the launcher's file"))?;
        let listed = Command::new(own)
            .env_clear()
            .envs(env)
            .env(PRELOAD, &file)
            .env("LC_ALL", "C")
            .env("LD_TRACE_LOADED_OBJECTS", "1")
            .stdin(Stdio::null())
            .output()
            .map_err(Error::system("asking the loader for a tool"))?;
        let (list, errors) = (
            String::from_utf8_lossy(&listed.stdout),
            String::from_utf8_lossy(&listed.stderr),
        );
        if let Some(reason) = reason(&list, &errors) {
            return Err(Error::Tool {
                tool: file.to_string_lossy().into_owned(),
                reason,
            });
        }
    }
    Ok(())
}

/// Returns why a library was not loaded, of what the loader has listed and of its errors.
fn reason(list: &str, errors: &str) -> Option<String> {
    let lacks = |line: &str| {
        let name = line.trim().strip_suffix(" => not found")?;
        Some(format!(
            "it needs {name}, which the loader does not find (LD_LIBRARY_PATH)"
        ))
    };
    let wrong = |line: &str| {
        let line = line.trim().trim_end_matches(": ignored.");
        let within = line
            .strip_suffix(')')
            .and_then(|line| line.rsplit_once('('));
        let why = match within {
            Some((open, why)) if open.contains("cannot be preloaded") => why,
            _ => line,
        };
        Some(format!("the loader does not load it: {why}")).filter(|_| !line.is_empty())
    };
    list.lines()
        .find_map(lacks)
        .or_else(|| errors.lines().find_map(wrong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_those_of_the_loader() {
        let refused =
            "ERROR: ld.so: object '/a/b.so' from LD_PRELOAD cannot be preloaded (file too \
                       short): ignored.\n";
        let why = reason("\tlibc.so.6 => /lib/libc.so.6 (0x1)\n", refused).unwrap();
        assert_eq!(why, "the loader does not load it: file too short");
        let why = reason("\t/a/b.so (0x1)\n\tlibx.so.3 => not found\n", "").unwrap();
        assert!(why.starts_with("it needs libx.so.3, "), "{why}");
        let old = "./a: /lib/libc.so.6: version `GLIBC_9' not found (required by /a/b.so)\n";
        assert!(reason("", old).unwrap().contains("GLIBC_9"));
        assert_eq!(reason("\tlibc.so.6 => /lib/libc.so.6 (0x1)\n", ""), None);
    }

    #[test]
    fn tools_come_before_what_the_user_has_the_loader_load() {
        let mut env = BTreeMap::from([(PRELOAD.into(), "/mine.so".into())]);
        preload(&mut env, &[], Path::new("/opt"));
        assert_eq!(env[OsStr::new(PRELOAD)], "/mine.so");
        let tools = ["/a.so", "libb.so"].map(String::from);
        preload(&mut env, &tools, Path::new("/opt"));
        assert_eq!(
            env[OsStr::new(PRELOAD)],
            "/a.so:libb.so:/opt/lib/oxmpi/liboxmpi_interpose.so:/mine.so"
        );
        assert_eq!(env[OsStr::new(TOOLS)], "/a.so:libb.so");
    }
}
