//! Finds out that a program uses another MPI: its ranks run, and none connects to the launcher.
//!
//! Such ranks are N jobs of one rank each, which end with code 0 and wrong results. The launcher
//! looks at the first rank of each program, soon after its start and then ever more rarely until a
//! rank of the program connects: what libraries have it and the processes of its group mapped
//! (/proc/PID/maps)? A script may start the program, and an interpreter load the library late. A
//! program that has ended before it was looked at is asked through its dynamic loader, which lists
//! what it would load, or says which library it does not find.

use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use base::Instant;

use crate::process::group_of;
use launch_plan::plan::App;

/// First pause before a program is looked at. Each further one is a quarter longer, so that a
/// library is seen that is there for a fifth of the time, however late an interpreter loads it.
const FIRST: Duration = Duration::from_millis(20);
/// The longest pause.
const LAST: Duration = Duration::from_secs(20);

/// Remedies for the user, each with what parts it from the next one.
const RUN_OMPI40: &str = "run it on oxmpi with `mpirun --abi ompi40`, ";
const RUN_MPICH12: &str = "run it on oxmpi with `mpirun --abi mpich12`, ";
const PUT_FIRST: &str = "put oxmpi's folder of libraries first in LD_LIBRARY_PATH, ";
/// The end of a report about a library that this project has none for.
const NOT_OURS: &str = ": oxmpi runs programs of libmpi.so.40 (Open MPI 1.10 to 5), libmpi.so.12 \
    (MPICH) and libmpi_abi.so.1 unchanged";

/// A program that is inspected.
pub struct Inspection {
    /// The number of its first rank, which is inspected.
    pub rank: u32,
    /// The number of the part's first rank.
    pub first: u32,
    /// Its number in the part.
    pub app: u32,
    pause: Duration,
    /// When it is inspected next.
    pub next: Instant,
    /// Whether its loader was asked.
    pub asked: bool,
}

impl Inspection {
    /// Begins to inspect the program `app` of a part, whose first rank is `rank`.
    pub fn new(rank: u32, first: u32, app: u32, now: Instant) -> Inspection {
        Inspection {
            rank,
            first,
            app,
            pause: FIRST,
            next: now.after(FIRST),
            asked: false,
        }
    }

    /// Inspects it again later.
    pub fn put_off(&mut self, now: Instant) {
        self.pause = (self.pause * 5 / 4).min(LAST);
        self.next = now.after(self.pause);
    }
}

/// Returns the library of another MPI that the process `pid` or one of its group has mapped, where
/// that process has none of this library's.
pub fn mapped(pid: u32) -> Option<PathBuf> {
    let of = |pid: u32| foreign(libraries_mapped(pid));
    of(pid).or_else(|| {
        group(pid)
            .into_iter()
            .filter(|one| *one != pid)
            .find_map(of)
    })
}

/// A library of another MPI that a program needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Library {
    /// Where it is.
    Found(PathBuf),
    /// The name of one that the loader does not find.
    Missing(String),
}

/// Returns the library of another MPI that a program is linked to, as its dynamic loader says.
pub fn linked(path: &Path, app: &App) -> Option<Library> {
    let (libraries, listing) = listed(path, app)?;
    match not_found(&listing) {
        Some(name) => Some(Library::Missing(name)),
        None => foreign(libraries).map(Library::Found),
    }
}

/// Whether a program is linked to this library, as its dynamic loader says.
pub fn is_linked_to_ours(path: &Path, app: &App) -> bool {
    let libraries = listed(path, app).unwrap_or_default().0;
    libraries.iter().any(|library| is_ours(library))
}

/// Returns the libraries of MPI that a program is linked to, and what its dynamic loader says of
/// those that it does not find.
fn listed(path: &Path, app: &App) -> Option<(Vec<PathBuf>, String)> {
    let mut command = Command::new(loader(path)?);
    command.arg("--list").arg(path).env_clear().envs(&app.env);
    if let Some(directory) = &app.directory {
        command.current_dir(directory);
    }
    let said = command.stdin(Stdio::null()).output().ok()?;
    let [listed, listing] = [&said.stdout, &said.stderr].map(|said| String::from_utf8_lossy(said));
    let paths = listed.lines().filter_map(|line| {
        let path = line.split_once("=> ")?.1;
        Some(PathBuf::from(path.rsplit_once(" (")?.0))
    });
    Some((
        paths.filter(|path| is_mpi(path)).collect(),
        listing.into_owned(),
    ))
}

/// Returns the library of MPI that a loader says it does not find: glibc's, then musl's.
fn not_found(listing: &str) -> Option<String> {
    let name = |line: &str| {
        let rest = ["shared libraries: ", "shared library "];
        let rest = rest.into_iter().find_map(|mark| line.split_once(mark))?.1;
        Some(rest.split_once(':')?.0.to_string())
    };
    listing
        .lines()
        .filter_map(name)
        .find(|name| is_of_mpi(name))
}

/// Returns the report for the user: which library, and what to do.
pub fn report(rank: &str, program: &str, library: &Library, prefix: &Path) -> String {
    let compiler = prefix.join("bin/mpicc");
    let compiler = format!("compile it with {}", compiler.display());
    let or_compile = |remedy: &str| capitalised(&format!("{remedy}{compiler}"));
    let library = match library {
        Library::Found(library) => library,
        Library::Missing(name) => {
            let has = |folder: &&str| prefix.join("lib").join(folder).join(name).exists();
            let folder = ["ompi40", "mpich12", ""].into_iter().find(has);
            let (remedy, more) = match folder {
                Some("") => (PUT_FIRST, ""),
                Some("ompi40") => (RUN_OMPI40, ""),
                Some(_) => (RUN_MPICH12, ""),
                None => ("", NOT_OURS),
            };
            let remedy = or_compile(remedy);
            return format!("{rank}: {program} needs {name}, which is not found. {remedy}{more}");
        }
    };
    let (name, remedy) = match kind(library) {
        Kind::OpenMpi => (" (Open MPI)", RUN_OMPI40),
        Kind::Mpich => (" (MPICH)", RUN_MPICH12),
        Kind::Standard => ("", PUT_FIRST),
        Kind::Unknown => ("", ""),
    };
    format!(
        "{rank}: {program} uses another MPI, {}{name}, and has not joined this job: its ranks do \
         not know of each other. {}, or start it with the mpirun of that MPI",
        library.display(),
        or_compile(remedy)
    )
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    OpenMpi,
    Mpich,
    /// The standard's binary interface, which every MPI may have.
    Standard,
    Unknown,
}

/// Returns whose library a file name means.
fn kind(library: &Path) -> Kind {
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    match name.as_ref() {
        name if name.starts_with("libmpi_abi") => Kind::Standard,
        name if name.starts_with("libmpich") || name.contains(".so.12") => Kind::Mpich,
        name if name.contains(".so.40") => Kind::OpenMpi,
        _ => Kind::Unknown,
    }
}

/// Whether a library is one of an MPI, in whatever language, by its name: `libmpi`, `libmpich` or
/// these with a language.
fn is_of_mpi(name: &str) -> bool {
    const LANGUAGES: [&str; 3] = ["cxx", "fort", "f90"];
    let Some(rest) = name.strip_prefix("libmpi") else {
        return false;
    };
    let rest = rest.strip_prefix("ch").unwrap_or(rest);
    let language = LANGUAGES.iter().find_map(|part| rest.strip_prefix(part));
    language.unwrap_or(rest).starts_with(['.', '-', '_'])
}

/// Whether a file is the C library of an MPI, by its name. Wheels put a hash into the name.
fn is_mpi(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stems = [
        "libmpi_abi",
        "libmpi_mt",
        "libmpi_ibm",
        "libmpich",
        "libmpi",
    ];
    let rest = stems.iter().find_map(|stem| name.strip_prefix(stem));
    rest.is_some_and(|rest| rest.starts_with(['.', '-']) && rest.contains(".so"))
}

/// Returns the first of some libraries of MPI, unless one of them is of this library.
fn foreign(libraries: Vec<PathBuf>) -> Option<PathBuf> {
    match libraries.iter().any(|library| is_ours(library)) {
        true => None,
        false => libraries.into_iter().next(),
    }
}

/// Whether a library is this one, in whatever folder. The libraries for programs of other MPIs
/// never come without it.
fn is_ours(library: &Path) -> bool {
    const NAME: &[u8] = b"oxmpi_info";
    const LIBRARY_BYTES_MAX: u64 = 256 << 20;
    let Ok(file) = fs::File::open(library) else {
        return false;
    };
    let mut bytes = Vec::new();
    let read = file.take(LIBRARY_BYTES_MAX).read_to_end(&mut bytes);
    read.is_ok() && bytes.windows(NAME.len()).any(|at| at == NAME)
}

/// Returns the MPI libraries that a process has mapped; none where that cannot be read.
fn libraries_mapped(pid: u32) -> Vec<PathBuf> {
    let maps = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    libraries_in(&String::from_utf8_lossy(&maps))
}

/// Returns the MPI libraries in the text of /proc/PID/maps, each once.
fn libraries_in(maps: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for line in maps.lines() {
        let Some(at) = line.find('/') else { continue };
        let path = PathBuf::from(&line[at..]);
        if is_mpi(&path) && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Returns the processes of a process group.
fn group(leader: u32) -> Vec<u32> {
    let Ok(all) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = all
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| group_of(*pid) == Some(leader)).collect()
}

/// Returns the dynamic loader that an executable file names (PT_INTERP of a 64-bit ELF file in
/// this machine's byte order); `None` for a script or a program without one.
fn loader(program: &Path) -> Option<PathBuf> {
    const PT_INTERP: u32 = 3;
    const PATH_BYTES_MAX: u64 = 4096;
    let file = fs::File::open(program).ok()?;
    let mut header = [0; 64];
    file.read_exact_at(&mut header, 0).ok()?;
    let is_known = header.starts_with(b"\x7fELF\x02");
    let table = u64::from_ne_bytes(header[32..40].try_into().ok()?);
    let size = u16::from_ne_bytes(header[54..56].try_into().ok()?);
    let entries = u16::from_ne_bytes(header[56..58].try_into().ok()?);
    let entries = (0..entries).map(|nth| table.saturating_add(u64::from(nth) * u64::from(size)));
    for at in entries.filter(|_| is_known) {
        let mut entry = [0; 56];
        file.read_exact_at(&mut entry, at).ok()?;
        if u32::from_ne_bytes(entry[..4].try_into().ok()?) != PT_INTERP {
            continue;
        }
        let offset = u64::from_ne_bytes(entry[8..16].try_into().ok()?);
        let bytes = u64::from_ne_bytes(entry[32..40].try_into().ok()?);
        let mut path = vec![0; bytes.min(PATH_BYTES_MAX) as usize];
        file.read_exact_at(&mut path, offset).ok()?;
        let end = path.iter().position(|&byte| byte == 0)?;
        return Some(PathBuf::from(std::ffi::OsStr::from_bytes(&path[..end])));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_mpi_are_known_by_name() {
        for name in [
            "libmpi.so.40.30.4",
            "libmpich.so.12.2.0",
            "libmpi.so.12",
            "libmpi_abi.so.1",
            "libmpi-3a4b5c.so.12",
        ] {
            assert!(is_mpi(&Path::new("/usr/lib").join(name)), "{name}");
        }
        for name in [
            "libmpiwrap.so",
            "libmpi_usempif08.so.40",
            "libmpir.so",
            "mpi",
        ] {
            assert!(!is_mpi(&Path::new("/usr/lib").join(name)), "{name}");
        }
    }

    #[test]
    fn maps_name_each_library_once() {
        let maps = "7f0-7f1 r--p 00000000 08:01 1 /lib/x/libmpi.so.40.30.4\n\
                    7f1-7f2 r-xp 00000000 08:01 1 /lib/x/libmpi.so.40.30.4\n\
                    7f2-7f3 rw-p 00000000 00:00 0\n\
                    7f3-7f4 r-xp 00000000 08:01 2 /lib/x/libc.so.6\n";
        assert_eq!(
            libraries_in(maps),
            [PathBuf::from("/lib/x/libmpi.so.40.30.4")]
        );
    }

    #[test]
    fn the_report_names_library_and_remedy() {
        let said = |library: &str| {
            let library = Library::Found(library.into());
            report("rank 0", "./a.out", &library, Path::new("/opt/oxmpi"))
        };
        let open_mpi = said("/lib/libmpi.so.40.30.4");
        for part in [
            "./a.out",
            "libmpi.so.40.30.4 (Open MPI)",
            "--abi ompi40",
            "/opt/oxmpi/bin",
        ] {
            assert!(open_mpi.contains(part), "{open_mpi}");
        }
        assert!(said("/lib/libmpich.so.12.2.0").contains("--abi mpich12"));
        assert!(said("/lib/libmpi_abi.so.1").contains("LD_LIBRARY_PATH"));
        assert!(said("/lib/libmpi.so.99").contains("Compile it") || !said("/x").contains("--abi"));
    }

    #[test]
    fn a_library_that_is_not_found_is_named_with_what_runs_instead() {
        let glibc = "./a: error while loading shared libraries: libmpi.so.20: cannot open shared \
                     object file: No such file or directory\n";
        assert_eq!(not_found(glibc).as_deref(), Some("libmpi.so.20"));
        let musl = "Error loading shared library libmpich.so.12: No such file or directory \
                    (needed by ./a)\nError relocating ./a: MPI_Init: symbol not found\n";
        assert_eq!(not_found(musl).as_deref(), Some("libmpich.so.12"));
        assert_eq!(not_found(&glibc.replace("mpi", "m")), None);
        for name in [
            "libmpi_usempif08.so.40",
            "libmpichfort.so.12",
            "libmpicxx.so.12",
        ] {
            assert!(is_of_mpi(name), "{name}");
        }
        assert!(!is_of_mpi("libmpir.so.1") && !is_of_mpi("libmpack.so.1"));

        let prefix = std::env::temp_dir().join(format!("other-mpi-{}", std::process::id()));
        fs::create_dir_all(prefix.join("lib/ompi40")).unwrap();
        fs::write(prefix.join("lib/ompi40/libmpi.so.40"), "").unwrap();
        let said = |name: &str| report("rank 0", "./a", &Library::Missing(name.into()), &prefix);
        let (old, known) = (said("libmpi.so.20"), said("libmpi.so.40"));
        fs::remove_dir_all(&prefix).unwrap();
        for part in [
            "needs libmpi.so.20, which is not found. Compile",
            "Open MPI 1.10 to 5",
        ] {
            assert!(old.contains(part), "{old}");
        }
        assert!(!old.contains("--abi"), "{old}");
        assert!(known.contains("found. Run it on oxmpi with `mpirun --abi ompi40`, compile it"));
    }

    #[test]
    fn the_loader_of_this_program_is_found_and_none_of_a_script() {
        let own = std::env::current_exe().unwrap();
        assert!(loader(&own).is_some_and(|path| path.exists()));
        assert_eq!(loader(Path::new("/proc/self/status")), None);
    }
}
