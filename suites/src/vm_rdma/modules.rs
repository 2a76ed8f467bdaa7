//! Selects the kernel modules that the guest needs, and the order in which to load them.
//!
//! A module names those it needs in its section `.modinfo`, as `depends=a,b`. Because this is read
//! here, the virtual machine needs neither `modprobe` and its index nor the 3,900 other modules.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use xtask::fsio;

/// The modules of one kernel.
pub struct Modules {
    files: BTreeMap<String, PathBuf>,
}

impl Modules {
    /// Returns the modules below `folder` (`lib/modules`).
    pub fn below(folder: &Path) -> Result<Modules, String> {
        let mut files = BTreeMap::new();
        for path in fsio::files_below(folder, "ko")? {
            files.insert(name_of(&path), path);
        }
        match files.is_empty() {
            true => Err(format!("no kernel modules below {}", folder.display())),
            false => Ok(Modules { files }),
        }
    }

    /// Returns the files of the modules `wanted` and all that they need, each after its
    /// dependencies.
    pub fn in_order(&self, wanted: &[&str]) -> Result<Vec<PathBuf>, String> {
        let mut order = Vec::new();
        for name in wanted {
            self.visit(name, &mut order)?;
        }
        Ok(order)
    }

    fn visit(&self, name: &str, order: &mut Vec<PathBuf>) -> Result<(), String> {
        let path = self
            .files
            .get(name)
            .ok_or(format!("the kernel has no module `{name}`"))?;
        if order.contains(path) {
            return Ok(());
        }
        for needed in depends(&fsio::read_bytes(path)?) {
            self.visit(&needed, order)?;
        }
        order.push(path.clone());
        Ok(())
    }
}

/// Returns a module's name with `_` for `-`, as `depends=` writes it; the kernel treats them alike.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.replace('-', "_")
}

/// Returns the names after `depends=`, which is delimited by zero bytes.
fn depends(module: &[u8]) -> Vec<String> {
    const KEY: &[u8] = b"\0depends=";
    let Some(at) = module.windows(KEY.len()).position(|bytes| bytes == KEY) else {
        return Vec::new();
    };
    let value = module[at + KEY.len()..].split(|byte| *byte == 0).next();
    let value = String::from_utf8_lossy(value.unwrap_or_default());
    let names = value.split(',').filter(|name| !name.is_empty());
    names.map(|name| name.replace('-', "_")).collect()
}

/// Returns the file of the kernel, `boot/vmlinuz-VERSION`.
pub fn kernel(boot: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(boot).map_err(|e| format!("cannot list {}: {e}", boot.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let is_kernel = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("vmlinuz-")
    };
    let found = paths.find(is_kernel);
    found.ok_or(format!("no kernel in {}", boot.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depends_are_read_from_between_the_zeros() {
        let module = b"ELF..\0license=GPL\0depends=ib_core,udp-tunnel\0name=x\0";
        assert_eq!(depends(module), ["ib_core", "udp_tunnel"]);
        assert!(depends(b"\0depends=\0").is_empty());
        assert!(depends(b"nothing").is_empty());
    }

    #[test]
    fn each_module_comes_after_what_it_needs_and_once() {
        let folder = fsio::target_dir().join(format!("xtask-modules-{}", std::process::id()));
        for (name, needs) in [("a-one", "b,c"), ("b", "c"), ("c", "")] {
            let path = folder.join(format!("{name}.ko"));
            fsio::write(&path, &format!("\0depends={needs}\0")).unwrap();
        }
        let modules = Modules::below(&folder).unwrap();
        let order = modules.in_order(&["b", "a_one"]).unwrap();
        let names: Vec<String> = order.iter().map(|path| name_of(path)).collect();
        assert_eq!(names, ["c", "b", "a_one"]);
        assert!(modules.in_order(&["d"]).unwrap_err().contains("`d`"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
