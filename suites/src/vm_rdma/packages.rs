//! Fetches and unpacks Debian packages into folders of their own: nothing is installed on this
//! machine, and no rights are needed.
//!
//! `apt-get` sees an empty machine (no package is there yet) with a state of its own, so that it
//! fetches a package with all that it depends on, the C library included. What is unpacked runs
//! where it lies, by its own dynamic loader ([`Tree::program`]).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xtask::fsio;
use xtask::shell::Job;

/// Below `target/vm-rdma`.
pub fn folder(name: &str) -> PathBuf {
    fsio::target_dir().join("vm-rdma").join(name)
}

/// The release, whose kernel (6.1) has the module `rdma_rxe`, and the key that signs it.
const SOURCES: &str = "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
     http://deb.debian.org/debian bookworm main\n";

/// Where the loader and the libraries lie in the packages of this machine type.
const LIBRARIES: &[&str] = &["lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"];

/// How long fetching may take.
const FETCH_LIMIT: Duration = Duration::from_secs(900);

/// Packages and all they depend on, unpacked below one folder.
pub struct Tree {
    /// The folder that stands for `/`.
    pub root: PathBuf,
}

impl Tree {
    /// The tree of these packages at `root`: fetched where it lacks, or is one of other packages.
    pub fn get(root: PathBuf, packages: &[&str]) -> Result<Tree, String> {
        let wanted = format!("{SOURCES}{}\n", packages.join("\n"));
        let stamp = root.with_extension("packages");
        if root.is_dir() && fs::read_to_string(&stamp).is_ok_and(|had| had == wanted) {
            return Ok(Tree { root });
        }
        println!("  fetching {} and all they need", packages.join(" "));
        let (state, archives) = (root.with_extension("apt"), root.with_extension("archives"));
        fetch(&state, &archives, packages)?;
        let fresh = root.with_extension("new");
        for old in [&root, &fresh] {
            let _ = fs::remove_dir_all(old);
        }
        fsio::make_folder(&fresh)?;
        for archive in fsio::files_below(&archives, "deb")? {
            let unpack = Job::new("dpkg-deb").arg("-x").arg(archive).arg(&fresh);
            unpack.ok()?;
        }
        fs::rename(&fresh, &root).map_err(|e| format!("cannot make {}: {e}", root.display()))?;
        for spent in [&state, &archives] {
            let _ = fs::remove_dir_all(spent);
        }
        fsio::write(&stamp, &wanted)?;
        Ok(Tree { root })
    }

    /// Returns the command that starts a program of the tree on this machine, with the tree's own
    /// libraries.
    pub fn program(&self, path: &str) -> Vec<PathBuf> {
        let folders: Vec<String> = LIBRARIES
            .iter()
            .map(|folder| self.path(folder).display().to_string())
            .collect();
        vec![
            self.path(LIBRARIES[0]).join("ld-linux-x86-64.so.2"),
            "--library-path".into(),
            folders.join(":").into(),
            self.path(path),
        ]
    }

    /// Where a path of the tree lies on this machine.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }
}

/// Fetches the archives of the packages and of all they depend on.
fn fetch(state: &Path, archives: &Path, packages: &[&str]) -> Result<(), String> {
    for folder in [&state.join("lists/partial"), &archives.join("partial")] {
        fsio::make_folder(folder)?;
    }
    fsio::write(&state.join("sources.list"), SOURCES)?;
    fsio::write(&state.join("status"), "")?;
    let dir = |name: &str, path: &Path| format!("-oDir::{name}={}", path.display());
    let options = [
        dir("Etc::sourcelist", &state.join("sources.list")),
        "-oDir::Etc::sourceparts=/dev/null".to_string(),
        dir("State::lists", &state.join("lists")),
        dir("State::status", &state.join("status")),
        dir("Cache", state),
        dir("Cache::archives", archives),
        "-oAPT::Architecture=amd64".to_string(),
        "-oAPT::Install-Recommends=0".to_string(),
        "-oAPT::Sandbox::User=".to_string(),
        // Nothing of the system's is written, so its lock is not needed.
        "-oDebug::NoLocking=1".to_string(),
    ];
    let apt = |words: &[&str]| {
        let job = Job::new("apt-get").args(&options).args(words);
        job.limit(FETCH_LIMIT).ok()
    };
    apt(&["-q", "update"])?;
    let mut install = vec!["-q", "-y", "--download-only", "install"];
    install.extend(packages);
    apt(&install).map(drop)
}
