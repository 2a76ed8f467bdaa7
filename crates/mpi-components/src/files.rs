//! The frameworks of files, and the parameters that choose their components.

use io_posix::Filesystem;
use mca::{ComponentList, Framework, Param, Registry};

use io::plan::Switch;

/// Components of `fs`, in the order of [`Filesystem::ALL`].
pub const FILE_SYSTEMS: [(&str, &str); 3] = [
    (
        "ufs",
        "files with one coherent cache: local and most parallel file systems",
    ),
    (
        "nfs",
        "NFS: cached data is dropped where the standard requires it",
    ),
    (
        "lustre",
        "Lustre: stripes are asked for, and accesses aligned to them",
    ),
];

/// Components of `fbtl`.
pub const CARRIERS: [(&str, &str); 2] = [
    (
        "uring",
        "accesses that do not block are carried out by the kernel (io_uring)",
    ),
    (
        "posix",
        "reads and writes at positions; threads for accesses that do not block",
    ),
];

/// Components of `fcoll`.
pub const COLLECTIVES: [(&str, &str); 2] = [
    (
        "two_phase",
        "aggregators exchange data with all processes, and access the file",
    ),
    (
        "individual",
        "each process accesses its own part of the file",
    ),
];

/// Components of `sharedfp`.
pub const POINTERS: [(&str, &str); 1] = [("window", "the pointer is a word in a window")];

/// The lists of components.
pub const PARAMS: &[Param] = &[
    Param::list(
        "fs",
        "",
        3,
        "File systems that files may be taken for, `a,b`, or not, `^a,b`: where the list lacks the \
         file's own, the first one that it has; known: ufs (one coherent cache), nfs, lustre. A \
         prefix of the file's name (`ufs:`) comes before it",
    ),
    Param::list(
        "fbtl",
        "",
        3,
        "Ways in which accesses to files that do not block go on, `a,b`, or not, `^a,b`; known: \
         uring (by the kernel, where it lets io_uring), posix (by threads)",
    ),
    Param::list(
        "fcoll",
        "",
        3,
        "Ways in which processes access a file together, `a,b`, or not, `^a,b`; known: two_phase \
         (through aggregators), individual. Both: whichever is faster. The hints romio_cb_read and \
         romio_cb_write come before it",
    ),
    Param::list(
        "sharedfp",
        "",
        3,
        "Ways in which processes share a file pointer; known: window (a word in a window of the \
         file's first process)",
    ),
];

/// Returns what a file is taken for that lies on `own`.
pub fn file_system(registry: &Registry, own: Filesystem) -> Filesystem {
    let list = admitted(registry, Framework::Fs, &FILE_SYSTEMS);
    let mut admitted = Filesystem::ALL
        .into_iter()
        .filter(|fs| list.admits(fs.name()));
    match list.admits(own.name()) {
        true => own,
        false => admitted.next().unwrap_or(own),
    }
}

/// Returns whether the component of `fbtl` may be used.
pub fn admits_carrier(registry: &Registry, name: &str) -> bool {
    admitted(registry, Framework::Fbtl, &CARRIERS).admits(name)
}

/// Returns whether collective accesses go through aggregators, where no hint says so.
pub fn two_phase(registry: &Registry) -> Switch {
    let list = admitted(registry, Framework::Fcoll, &COLLECTIVES);
    match (list.admits("two_phase"), list.admits("individual")) {
        (true, false) => Switch::Enable,
        (false, _) => Switch::Disable,
        (true, true) => Switch::Automatic,
    }
}

/// The list of a framework. One that is wrong was refused when the process started.
fn admitted(registry: &Registry, framework: Framework, table: &[(&str, &str)]) -> ComponentList {
    let known: Vec<&str> = table.iter().map(|row| row.0).collect();
    let list = registry.components(framework, &known);
    list.unwrap_or_else(|_| ComponentList::all())
}
