//! Tests of MPI's initialisation under every limit on descriptors and memory at which its behaviour
//! changes: it must succeed, or fail with an error that leaves nothing behind, and never by a
//! signal.

use super::ofi;
use super::programs::{self, compile, mpirun, TCP};
use crate::case::Case;
use crate::world::World;
use xtask::fsio;
use xtask::shell::processors;

/// How messages go, by name, with the options of `mpirun`.
pub type NamedOptions = (&'static str, &'static [&'static str]);

macro_rules! over {
    ($provider:literal) => {
        &[
            "--mca",
            "btl",
            "ofi,self",
            "--mca",
            programs::PROVIDERS,
            $provider,
        ]
    };
}

/// Paths that begin quickly.
pub const QUICK: &[NamedOptions] = &[
    ("sm", &["--mca", "btl", "sm,self"]),
    ("tcp", TCP),
    ("sockets", over!("sockets")),
    ("udp;ofi_rxd", over!("udp;ofi_rxd")),
    ("shm", over!("shm")),
];

/// Paths that fill 80 MB of memory at each beginning.
pub const SLOW: &[NamedOptions] = &[
    ("tcp;ofi_rxm", over!("tcp;ofi_rxm")),
    (
        "cm",
        &[
            "--mca",
            "pml",
            "cm",
            "--mca",
            programs::PROVIDERS,
            "tcp;ofi_rxm",
        ],
    ),
];

/// Sessions under each limit, in coarse steps of memory, and some beginnings of the world model:
/// those at which a provider once ended the process.
pub fn run() -> Result<Vec<Case>, String> {
    let mut runs: Vec<Run> = QUICK.iter().flat_map(|way| sessions(way, 4096)).collect();
    for steps in [0, 1, 4, 8, 12] {
        runs.extend(
            QUICK
                .iter()
                .map(|way| (way, vec!["files".into(), "1".into(), steps.to_string()])),
        );
    }
    for steps in [0, 1, 7, 8, 25] {
        let arguments = vec!["memory".into(), "4096".into(), steps.to_string()];
        runs.extend(QUICK.iter().map(|way| (way, arguments.clone())));
    }
    Ok(runs.into_iter().map(case).collect())
}

/// Everything, in small steps.
pub fn all() -> Result<Vec<Case>, String> {
    let ways = || QUICK.iter().chain(SLOW);
    let mut runs: Vec<Run> = ways().flat_map(|way| sessions(way, 256)).collect();
    for (what, step, last) in [("files", "1", 20), ("memory", "2048", 200)] {
        for steps in 0..=last {
            let arguments = vec![what.into(), step.into(), steps.to_string()];
            runs.extend(ways().map(|way| (way, arguments.clone())));
        }
    }
    Ok(runs.into_iter().map(case).collect())
}

/// A path, and the arguments of `tests/environment/limited.c`.
type Run = (&'static NamedOptions, Vec<String>);

fn sessions(way: &'static NamedOptions, step_kib: u32) -> [Run; 2] {
    [
        (way, vec!["files".into(), "1".into()]),
        (way, vec!["memory".into(), step_kib.to_string()]),
    ]
}

fn case((way, arguments): Run) -> Case {
    let name = format!("{}, {}", way.0, arguments.join(" "));
    let case = Case::new(name, processors(), move |world| one(world, way, &arguments));
    case.after(ofi::ready)
}

/// Sessions have to go well, whatever some of them were denied. A world model that could not begin
/// ends the job with the class of its error.
fn one(world: &World, (_, options): &NamedOptions, arguments: &[String]) -> Result<(), String> {
    /// MPI_ERR_ARG, MPI_ERR_OTHER and MPI_ERR_NO_MEM.
    const CLASSES: [i32; 3] = [13, 16, 39];
    let source = fsio::root().join("tests/environment/limited.c");
    let program = compile(world, &source, &[])?;
    let may_fail = arguments.len() > 2;
    let outcome = mpirun(world, 2, options)
        .arg(program)
        .args(arguments)
        .run()?;
    let is_reported = outcome.err.contains("MPI_Init: MPI_ERR_");
    match outcome.code {
        0 if !outcome.timed_out => outcome.none_left(),
        code if may_fail && is_reported && CLASSES.contains(&code) => outcome.none_left(),
        _ => Err(outcome.reason()),
    }
}
