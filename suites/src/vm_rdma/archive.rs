//! Writes the virtual machine's root file system: a cpio archive in the form that the kernel
//! unpacks into memory at boot (`newc`; the kernel's
//! `Documentation/driver-api/early-userspace/buffer-format.rst`).

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use xtask::fsio;

const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

/// An archive that is being written.
pub struct Archive {
    out: BufWriter<File>,
    seen: BTreeSet<String>,
    written: usize,
}

impl Archive {
    /// Starts the archive at `path`.
    pub fn create(path: &Path) -> Result<Archive, String> {
        if let Some(folder) = path.parent() {
            fsio::make_folder(folder)?;
        }
        let file =
            File::create(path).map_err(|e| format!("cannot make {}: {e}", path.display()))?;
        Ok(Archive {
            out: BufWriter::with_capacity(1 << 20, file),
            seen: BTreeSet::new(),
            written: 0,
        })
    }

    /// Adds what lies below `from`, as below `to` (empty for the root). `wanted` is called for
    /// every path relative to `from`; a folder that it refuses is left out with all that it holds.
    pub fn tree(
        &mut self,
        from: &Path,
        to: &str,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<(), String> {
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            let here = from.join(&folder);
            let entries =
                fs::read_dir(&here).map_err(|e| format!("cannot list {}: {e}", here.display()))?;
            for entry in entries {
                let entry = entry.map_err(|e| format!("cannot list {}: {e}", here.display()))?;
                let name = join(&folder, &entry.file_name().to_string_lossy());
                if !wanted(&name) {
                    continue;
                }
                let kind = entry.file_type();
                let kind = kind.map_err(|e| format!("cannot look at {name}: {e}"))?;
                if kind.is_dir() {
                    self.folder(&join(to, &name))?;
                    folders.push(name);
                } else if kind.is_symlink() {
                    self.link(&entry.path(), &join(to, &name))?;
                } else {
                    self.file(&entry.path(), &join(to, &name))?;
                }
            }
        }
        Ok(())
    }

    /// Adds the file at `from` as `to`, executable where it was.
    pub fn file(&mut self, from: &Path, to: &str) -> Result<(), String> {
        let data = fsio::read_bytes(from)?;
        let about = fs::metadata(from).map_err(|e| format!("{}: {e}", from.display()))?;
        self.put(to, FILE | (about.permissions().mode() & 0o777), &data)
    }

    /// Adds a file of this text.
    pub fn text(&mut self, to: &str, mode: u32, text: &str) -> Result<(), String> {
        self.put(to, FILE | mode, text.as_bytes())
    }

    /// Adds a folder, with those it lies in.
    pub fn folder(&mut self, to: &str) -> Result<(), String> {
        self.put(to, FOLDER | 0o755, &[])
    }

    /// Ends the archive; returns its size in bytes.
    pub fn finish(mut self) -> Result<usize, String> {
        self.put("TRAILER!!!", 0, &[])?;
        let flushed = self.out.flush();
        flushed.map_err(|e| format!("cannot write the archive: {e}"))?;
        Ok(self.written)
    }

    fn link(&mut self, from: &Path, to: &str) -> Result<(), String> {
        let target = fs::read_link(from).map_err(|e| format!("{}: {e}", from.display()))?;
        self.put(to, LINK | 0o777, target.as_os_str().as_bytes())
    }

    /// One entry; the folders it lies in come first, each once. The first of two entries of one
    /// name counts.
    fn put(&mut self, name: &str, mode: u32, data: &[u8]) -> Result<(), String> {
        if let Some((parent, _)) = name.rsplit_once('/') {
            if !self.seen.contains(parent) {
                self.folder(parent)?;
            }
        }
        if !self.seen.insert(name.to_string()) {
            return Ok(());
        }
        let number = self.seen.len();
        self.entry(number, name, mode, data)
            .map_err(|e| format!("cannot write {name} into the archive: {e}"))
    }

    fn entry(&mut self, number: usize, name: &str, mode: u32, data: &[u8]) -> io::Result<()> {
        let too_large = |_| io::Error::other("too large for the format");
        let size = u32::try_from(data.len()).map_err(too_large)?;
        let number = u32::try_from(number).map_err(too_large)?;
        let name_size = u32::try_from(name.len() + 1).map_err(too_large)?;
        // Inode, mode, owner, group, links, time, size, device twice (two numbers), name, checksum.
        let fields = [number, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name_size, 0];
        let fields: String = fields.iter().map(|field| format!("{field:08X}")).collect();
        self.bytes(format!("070701{fields}{name}\0").as_bytes())?;
        self.bytes(data)
    }

    /// Bytes, and zeros up to the next multiple of four.
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written += bytes.len();
        let padding = self.written.next_multiple_of(4) - self.written;
        self.out.write_all(&[0; 4][..padding])?;
        self.written += padding;
        Ok(())
    }
}

fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_string(),
        _ => format!("{folder}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_its_folders_first_and_pads_to_four() {
        let path = fsio::target_dir().join(format!("xtask-archive-{}", std::process::id()));
        let mut archive = Archive::create(&path).unwrap();
        archive.text("etc/some/name", 0o644, "hello").unwrap();
        archive.text("etc/some/name", 0o644, "again").unwrap();
        let size = archive.finish().unwrap();
        let bytes = fsio::read_bytes(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!((bytes.len(), size % 4), (size, 0));
        let text = String::from_utf8(bytes).unwrap();
        let at = |what: &str| {
            text.find(what)
                .unwrap_or_else(|| panic!("no {what:?} in {text:?}"))
        };
        assert!(at("etc\0") < at("etc/some\0") && at("etc/some\0") < at("etc/some/name\0"));
        assert_eq!(at("hello") % 4, 0);
        assert!(!text.contains("again"));
        assert_eq!(text.matches("070701").count(), 4);
    }
}
