//! Files of a rank's payload log that outlive its process: memory that the launcher holds, and a
//! file in a folder that the user names.

use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Command;

use bootstrap::native;
use rustix::fs::{MemfdFlags, Mode, OFlags};
use rustix::io::Errno;

use launch_plan::plan::App;
use launch_plan::Error;

/// The parameter that names the folder.
const FOLDER: &str = "vprotocol_pessimist_sender_based_file";

/// Names that are tried for a file where the file system has none without a name.
const NAMES_MAX: u32 = 1000;

/// The files of one rank.
pub(crate) struct PayloadFiles {
    memory: OwnedFd,
    file: Option<OwnedFd>,
}

impl PayloadFiles {
    /// Makes the files of a rank of a program.
    ///
    /// # Errors
    /// The system's; also when nothing can be written to the folder that the user names.
    pub(crate) fn make(app: &App) -> Result<PayloadFiles, Error> {
        let memory = rustix::fs::memfd_create("oxmpi-payload-log", MemfdFlags::CLOEXEC);
        let memory = memory.map_err(Error::system("making the memory of a payload log"))?;
        let folder = app.parameter(FOLDER).filter(|folder| !folder.is_empty());
        let file = folder.map(|folder| {
            // As the program would find it; a rank may change its working directory later.
            let path = match &app.directory {
                Some(directory) => directory.join(folder),
                None => PathBuf::from(folder),
            };
            make_file(&path).map_err(|why| Error::File {
                what: "folder for payload logs (vprotocol_pessimist_sender_based_file)",
                name: path.to_string_lossy().into_owned(),
                reason: format!(
                    "no file can be made there: {why}; name a folder that there is on each host \
                     and that you may write to"
                ),
            })
        });
        let file = file.transpose()?;
        Ok(PayloadFiles { memory, file })
    }

    /// Returns other descriptors of the same files, for a process of the rank.
    pub(crate) fn share(&self) -> Result<PayloadFiles, Error> {
        let share = |fd: &OwnedFd| fd.try_clone();
        let passing = Error::system::<std::io::Error>("passing on the payload log of a rank");
        let memory = share(&self.memory);
        let file = self.file.as_ref().map(share).transpose();
        match (memory, file) {
            (Ok(memory), Ok(file)) => Ok(PayloadFiles { memory, file }),
            (Err(why), _) | (_, Err(why)) => Err(passing(why)),
        }
    }

    /// Names the files to a process. Returns the descriptors that it is to inherit.
    pub(crate) fn name_in(self, command: &mut Command) -> impl Iterator<Item = OwnedFd> {
        let mut value = self.memory.as_raw_fd().to_string();
        if let Some(file) = &self.file {
            value += &format!(",{}", file.as_raw_fd());
        }
        command.env(native::PAYLOAD_LOG_VARIABLE, value);
        [Some(self.memory), self.file].into_iter().flatten()
    }
}

/// Makes a file without a name in a folder: it ends with the last process that has it open.
fn make_file(folder: &Path) -> Result<OwnedFd, Errno> {
    let owner = Mode::RUSR | Mode::WUSR;
    let flags = OFlags::RDWR | OFlags::CLOEXEC;
    match rustix::fs::open(folder, flags | OFlags::TMPFILE, owner) {
        // Not every file system has such files.
        Err(Errno::OPNOTSUPP | Errno::ISDIR) => {}
        made => return made,
    }
    // Launchers in other namespaces, or on other hosts, may have this process id, too.
    for number in 0..NAMES_MAX {
        let path = folder.join(format!("oxmpi-payload-{}-{number}", std::process::id()));
        match rustix::fs::open(&path, flags | OFlags::CREATE | OFlags::EXCL, owner) {
            Err(Errno::EXIST) => {}
            made => {
                let file = made?;
                rustix::fs::unlink(&path)?;
                return Ok(file);
            }
        }
    }
    Err(Errno::EXIST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::unix::fs::{FileExt, MetadataExt};

    #[test]
    fn files_have_no_name_and_are_different_ones() {
        let folder = std::env::temp_dir().join(format!("oxmpi-payload-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let [first, second] = [0, 1].map(|_| File::from(make_file(&folder).unwrap()));
        first.write_all_at(b"logged", 0).unwrap();
        let inode = |file: &File| file.metadata().unwrap().ino();
        assert_ne!(inode(&first), inode(&second));
        assert_eq!(second.metadata().unwrap().len(), 0);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        std::fs::remove_dir(&folder).unwrap();
        assert!(make_file(&folder).is_err());
    }
}
