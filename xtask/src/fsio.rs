//! File operations whose errors name the path.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = here.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    here.parent().map(Path::to_path_buf).unwrap_or(here)
}

/// Where Cargo puts what it builds.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes `text`, making the folder where it lacks. A file that holds it already is not written, so
/// its time stays.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Makes a folder and those above it; one that is there stays.
pub fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("cannot make {}: {error}", path.display()))
}

/// Every file below `folder` whose name ends in `.ext`, sorted; none where the folder lacks.
pub fn files_below(folder: &Path, ext: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let entry =
                entry.map_err(|error| format!("cannot list {}: {error}", folder.display()))?;
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ext) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Every file and link below a folder, by name.
pub fn paths(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => found.extend(paths(&path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}

/// Makes `at` a link to `target`, a name in its folder.
pub fn link(target: &str, at: &Path) -> Result<(), String> {
    clear(at)?;
    std::os::unix::fs::symlink(target, at)
        .map_err(|error| format!("cannot make the link {}: {error}", at.display()))
}

/// Removes a file that is to be replaced, and makes its folder.
pub fn clear(path: &Path) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot replace {}: {error}", path.display()))
        }
        _ => Ok(()),
    }
}
