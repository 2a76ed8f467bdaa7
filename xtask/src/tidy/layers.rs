//! The layers of crates. This table is the only one: [`faults`] refuses a dependency that does not
//! lead to a layer below, and `cargo xtask gen` writes the picture and the table of crates in
//! ARCHITECTURE.md from it.

use std::path::Path;

/// A layer: what its crates are, and each crate with what it does not do, or may not know.
struct Layer {
    is: &'static str,
    crates: &'static [(&'static str, &'static str)],
}

/// The layers, lowest first. What a crate owns is the `description` in its Cargo.toml.
const LAYERS: &[Layer] = &[
    Layer {
        is: "what the process heeds, loads and trusts",
        crates: &[("environment", "")],
    },
    Layer {
        is: "ids and clock; tools beside each other; traces",
        crates: &[
            ("base", ""),
            (
                "interpose",
                "depend on any crate; run after a program has begun, but for a look-up",
            ),
            ("trace", "read files or clocks"),
        ],
    },
    Layer {
        is: "lock-free algorithms, locks, waiting",
        crates: &[("sync", "know what is carried")],
    },
    Layer {
        is: "frameworks: parameters, selection, logs",
        crates: &[("mca", "")],
    },
    Layer {
        is: "memory of others",
        crates: &[("memory", "form a reference to memory that others write")],
    },
    Layer {
        is: "type maps; what tools ask; libfabric; a node's segments",
        crates: &[
            ("datatype", "communicate"),
            ("mpit", "perform I/O; know C; lock anything"),
            ("ofi", ""),
            ("shm", "know what is laid out in a segment"),
        ],
    },
    Layer {
        is: "the contract of transports; checks of programs",
        crates: &[
            ("btl", "know MPI"),
            ("check", "communicate; access the memory of the program"),
        ],
    },
    Layer {
        is: "transports; contracts of messages",
        crates: &[
            ("btl-self", "know a launcher, or another transport"),
            ("btl-sm", "know a launcher, or another transport"),
            ("btl-tcp", "know a launcher, or another transport"),
            ("btl-ofi", "know a launcher, or another transport"),
            ("btl-sim", ""),
            ("mtl", "know MPI"),
            ("pml", ""),
        ],
    },
    Layer {
        is: "lanes of each peer; a network that matches; decorators of messages",
        crates: &[
            ("bml", "need a launcher"),
            ("mtl-ofi", ""),
            ("vprotocol", "cost anything where no layer is chosen"),
        ],
    },
    Layer {
        is: "protocols",
        crates: &[
            ("ob1", "perform I/O; read a clock; start threads"),
            ("osc", "perform I/O; read a clock; start threads"),
            ("coll", "perform I/O; read a clock; start threads"),
            ("ft", "perform I/O; read a clock; start threads"),
            ("bml-c", ""),
            ("vprotocol-trace", "change anything"),
            ("vprotocol-pessimist", "know a launcher"),
        ],
    },
    Layer {
        is: "protocols over a matching network, a segment, a file",
        crates: &[
            ("cm", ""),
            ("coll-sm", "use messages"),
            ("osc-sm", "use messages"),
            (
                "io",
                "perform I/O but through `io::Storage`; read a clock; start threads",
            ),
        ],
    },
    Layer {
        is: "progress; launchers; files; debuggers; MPI's local objects",
        crates: &[
            ("engine", "decide protocols"),
            ("bootstrap", "know what an address is"),
            ("io-posix", "know views"),
            ("mpir", "have a second writer"),
            ("tm", "know what the processes are"),
            ("mpi-local", "know a process; communicate"),
        ],
    },
    Layer {
        is: "the components of a process, as parameters choose them",
        crates: &[("mpi-components", "communicate; keep objects of MPI")],
    },
    Layer {
        is: "MPI in Rust; a job's plan, and its state machine",
        crates: &[
            ("mpi", "hold global state; use C types"),
            ("launch-plan", "start a rank; contact another host"),
            ("launch-job", "perform I/O; read a clock; know hosts"),
        ],
    },
    Layer {
        is: "windows; spawn, ports and names; reports about a job",
        crates: &[
            ("mpi-win", "decide what carries an access: `osc` does"),
            ("mpi-dynamic", "start processes: the launcher does"),
            ("launch-report", "ask a rank"),
        ],
    },
    Layer {
        is: "files; the hosts of a job",
        crates: &[
            ("mpi-file", "plan an access: `io` does"),
            ("launch-tree", "decide what becomes of the job"),
        ],
    },
    Layer {
        is: "mpirun; what the calls of MPI in C share",
        crates: &[
            ("launch", "know how a daemon is started"),
            (
                "abi-state",
                "depend on `abi-watch`, but have its contract; know an entry point",
            ),
        ],
    },
    Layer {
        is: "what watches the calls of MPI in C",
        crates: &[(
            "abi-watch",
            "change what a call does, but by making it fail",
        )],
    },
    Layer {
        is: "MPI in C: libmpi_abi.so.1; conversions to it; programs",
        crates: &[
            ("abi", "contain protocol"),
            (
                "edge",
                "hold state of a job; depend on `abi`: it finds libmpi_abi.so.1 when it is loaded",
            ),
            ("tools", ""),
        ],
    },
    Layer {
        is: "MPI in Fortran, libmpifort_abi.so.1; libmpi.so.12, libmpi.so.40",
        crates: &[
            ("fortran", "hold state; depend on another crate but `edge`"),
            ("legacy-mpich", ""),
            ("legacy-ompi", ""),
        ],
    },
];

/// Crates that forbid unsafe code, in the order of the layers.
pub const SAFE: &[&str] = &[
    "base",
    "trace",
    "mca",
    "mpit",
    "check",
    "btl-self",
    "btl-sim",
    "mtl",
    "pml",
    "bml",
    "vprotocol",
    "ob1",
    "osc",
    "coll",
    "ft",
    "vprotocol-trace",
    "vprotocol-pessimist",
    "cm",
    "io",
    "engine",
    "mpi-local",
    "mpi-components",
    "mpi",
    "mpi-win",
    "mpi-dynamic",
    "mpi-file",
    "launch-plan",
    "launch-job",
    "launch-report",
    "launch-tree",
    "launch",
    "tools",
];

/// Crates without I/O, clock and thread, in the order of the layers.
pub const PURE: &[&str] = &[
    "check",
    "ob1",
    "osc",
    "coll",
    "ft",
    "cm",
    "io",
    "launch-job",
];

/// Columns of the crates' names in the picture.
const NAMES_COLUMNS: usize = 40;

/// Every crate that has a layer.
pub fn all() -> impl Iterator<Item = &'static str> {
    let crates = LAYERS.iter().flat_map(|layer| layer.crates);
    crates.map(|(name, _)| *name)
}

/// The layers as text, highest first: the crates of each, and what they are.
pub fn picture() -> String {
    let mut text = String::new();
    for layer in LAYERS.iter().rev() {
        let mut lines = vec![String::new()];
        for (name, _) in layer.crates {
            let line = lines.last_mut().expect("begins with one");
            match line.len() + 1 + name.len() > NAMES_COLUMNS && !line.is_empty() {
                true => lines.push(format!(" {name}")),
                false => *line += &format!(" {name}"),
            }
        }
        lines[0] = format!("{:NAMES_COLUMNS$}  {}", lines[0], layer.is);
        text += &(lines.join("\n") + "\n");
    }
    text
}

/// The table of crates, in the order of the picture. `owns` returns a crate's description.
pub fn table(owns: impl Fn(&str) -> Result<String, String>) -> Result<String, String> {
    let mut text = "| crate | owns | does not |\n|---|---|---|\n".to_string();
    for (name, does_not) in LAYERS.iter().rev().flat_map(|layer| layer.crates) {
        text += &format!("| `{name}` | {} | {does_not} |\n", owns(name)?);
    }
    Ok(text)
}

/// The folders below `crates/`.
pub fn crates(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("crates");
    let wrong = |error| format!("cannot list {}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.join("Cargo.toml").exists() {
            names.extend(
                path.file_name()
                    .map(|name| name.to_string_lossy().into_owned()),
            );
        }
    }
    names.sort();
    Ok(names)
}

/// Returns the faults of the manifest of the crate `name`, by line. Its tests may use any crate.
pub fn faults(name: &str, manifest: &str) -> Vec<(usize, String)> {
    let Some(own) = layer(name) else {
        return vec![(
            0,
            format!("crate `{name}` has no layer; give it one in xtask"),
        )];
    };
    let mut faults = Vec::new();
    let mut section = "";
    for (at, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            section = line;
        }
        if !section.ends_with("dependencies]") {
            continue;
        }
        let mut fault = |what| faults.push((at + 1, what));
        if line.contains("path = \"") {
            fault(
                "name the crate in the workspace's manifest, and write `workspace = true`".into(),
            );
        }
        let used = dependency(line);
        let Some(layer) = layer(used).filter(|_| section != "[dev-dependencies]") else {
            continue;
        };
        if layer >= own {
            fault(format!(
                "`{name}` may not use `{used}`: it is not of a layer below"
            ));
        }
    }
    faults
}

fn layer(name: &str) -> Option<usize> {
    let is_there = |layer: &Layer| layer.crates.iter().any(|(one, _)| *one == name);
    LAYERS.iter().position(is_there)
}

/// The name under which a line of a manifest states a dependency: `base` in
/// `base.workspace = true` and in `base = { workspace = true }`.
fn dependency(line: &str) -> &str {
    line.split(['.', ' ', '=']).next().unwrap_or_default()
}
