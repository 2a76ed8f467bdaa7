//! The files that ranks' output goes to, open for writing.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use launch_plan::outfile::{name_of, Writer};
use launch_plan::plan::Plan;
use launch_plan::Error;
use launch_tree::order::PartPosition;

/// Most files that stay open; others are opened when something is written to them.
const OPEN_MAX: usize = 200;

/// The files of a job.
#[derive(Default)]
pub(crate) struct Files {
    /// Files of each process, by its number in the job, for standard output and error; none where
    /// output is not written.
    paths: [HashMap<u32, PathBuf>; 2],
    open: HashMap<PathBuf, File>,
    /// Whether the user was notified of files that cannot be written.
    reported: bool,
}

impl Files {
    /// Makes the files that a plan wants, empty, and the folders that they are in.
    pub(crate) fn create(plan: &Plan) -> Result<Files, Error> {
        let mut files = Files::default();
        files.add(plan, PartPosition::START)?;
        Ok(files)
    }

    /// Makes the files of another part of the job.
    pub(crate) fn add(&mut self, plan: &Plan, part: PartPosition) -> Result<(), Error> {
        let mut made: HashSet<PathBuf> = HashSet::new();
        for (stream, pattern) in plan.front.files.iter().enumerate() {
            let Some(pattern) = pattern else { continue };
            for (rank, place) in (0..).zip(&plan.placements) {
                let writer = Writer {
                    rank,
                    size: plan.size(),
                    app: place.app,
                    host: &plan.nodes[place.node as usize].name,
                    part: part.number,
                };
                let path = PathBuf::from(name_of(pattern, writer));
                // Ranks may share a file.
                if made.insert(path.clone()) {
                    create(&path).map_err(|e| Error::File {
                        what: "file of output",
                        name: path.display().to_string(),
                        reason: e.to_string(),
                    })?;
                }
                self.paths[stream].insert(part.first + rank, path);
            }
        }
        Ok(())
    }

    /// A process will print no more.
    pub(crate) fn remove(&mut self, number: u32) {
        for paths in &mut self.paths {
            if let Some(path) = paths.remove(&number) {
                self.open.remove(&path);
            }
        }
    }

    /// True when the output of this stream goes to files.
    pub(crate) fn take(&self, stream: usize) -> bool {
        !self.paths[stream].is_empty()
    }

    /// Writes what a rank printed, where its output goes to a file. Returns an error for the user,
    /// once, when that fails.
    pub(crate) fn write(&mut self, rank: u32, stream: usize, bytes: &[u8]) -> Option<String> {
        let path = self.paths[stream].get(&rank)?.clone();
        let error = self.append(&path, bytes).err()?;
        let first = !std::mem::replace(&mut self.reported, true);
        first.then(|| format!("file of output {:?}: {error}", path.display().to_string()))
    }

    /// Whether something could not be written.
    pub(crate) fn have_lost(&self) -> bool {
        self.reported
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if !self.open.contains_key(path) {
            if self.open.len() >= OPEN_MAX {
                self.open.clear();
            }
            let open = || OpenOptions::new().append(true).open(path);
            let file = open().or_else(|error| match error.raw_os_error() {
                // Fewer descriptors may be available than the limit allows.
                Some(number) if number == rustix::io::Errno::MFILE.raw_os_error() => {
                    self.open.clear();
                    open()
                }
                _ => Err(error),
            })?;
            self.open.insert(path.to_path_buf(), file);
        }
        match self.open.get_mut(path) {
            Some(file) => file.write_all(bytes),
            None => Ok(()),
        }
    }
}

fn create(path: &Path) -> io::Result<()> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder)?;
    }
    File::create(path).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own that goes away at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let own = format!("launch-outfile-{name}-{}", std::process::id());
            Folder(std::env::temp_dir().join(own))
        }

        fn files(&self, names: [&str; 2]) -> Files {
            let paths = names.map(|name| (0..300).map(move |n| self.0.join(format!("{n}{name}"))));
            Files {
                paths: paths.map(|paths| (0..).zip(paths).collect()),
                ..Files::default()
            }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn more_files_than_are_kept_open_have_all_that_was_written() {
        let folder = Folder::new("many");
        let mut files = folder.files([".out", ".err"]);
        let paths = files.paths.clone();
        paths
            .iter()
            .flatten()
            .for_each(|(_, path)| create(path).unwrap());
        for round in ["a", "b"] {
            for rank in 0..300 {
                assert_eq!(files.write(rank, 0, round.as_bytes()), None);
            }
            assert!(files.open.len() <= OPEN_MAX);
        }
        for path in paths[0].values() {
            assert_eq!(std::fs::read_to_string(path).unwrap(), "ab");
        }
        assert!(files.take(0) && files.take(1) && !Files::default().take(0));
    }

    #[test]
    fn a_file_that_cannot_be_written_is_reported_once() {
        let folder = Folder::new("none");
        let mut files = folder.files([".out", ".err"]);
        let said = files.write(7, 1, b"x").expect("there is no such folder");
        assert!(said.contains("7.err"), "{said}");
        assert_eq!(files.write(8, 1, b"x"), None);
    }
}
