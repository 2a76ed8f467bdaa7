//! Tells what this installation of oxmpi is, has and is set to.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use mca::{Registry, Sources};
use tools::generated::functions::FUNCTIONS;
use tools::info::{self, Component, Facts};

/// All components.
const COMPONENTS: &[Component] = &[
    component(
        "allocator",
        "basic",
        "the first free stretch of a segment that fits",
    ),
    component("allocator", "bucket", "chunks of powers of two"),
    component("bootstrap", "native", "this project's mpirun"),
    component(
        "bootstrap",
        "pmi1",
        "launchers that speak PMI-1: Hydra, Slurm's pmi2 plugin",
    ),
    component("bootstrap", "singleton", "a process that nobody launched"),
    component("btl", "ofi", "libfabric's messages and access to memory"),
    component("btl", "self", "a process to itself"),
    component(
        "btl",
        "sm",
        "shared memory between processes of one machine",
    ),
    component("btl", "tcp", "TCP over IPv4"),
    component("coll", "tuned", "collectives over point-to-point messages"),
    component(
        "memory",
        "userfaultfd",
        "word of memory that goes back to the system, by userfaultfd(2)",
    ),
    component("mpool", "default", "the C library's allocator"),
    component("mpool", "hugepage", "segments of huge pages"),
    component("mtl", "ofi", "libfabric's labelled messages"),
    component("pml", "cm", "messages over a network that matches them"),
    component(
        "pml",
        "ob1",
        "matching and protocols over byte transfer layers",
    ),
    component(
        "rcache",
        "grdma",
        "registrations that outlive their use, the one idle longest goes first",
    ),
    component(
        "smsc",
        "cma",
        "reading a peer's memory with process_vm_readv",
    ),
    component(
        "smsc",
        "knem",
        "having the kernel copy from regions of a peer's memory, through /dev/knem",
    ),
    component(
        "smsc",
        "xpmem",
        "mapping a peer's memory, through /dev/xpmem",
    ),
];

fn main() -> ExitCode {
    let request = match info::parse(std::env::args()) {
        Ok(request) => request,
        Err(error) => error.exit(),
    };
    let prefix = prefix();
    let sources = Sources::from_process(&prefix).with_command_line(request.settings.clone());
    let tables = [mpi::params::TABLES, &[launch::PARAMS]].concat();
    let registry = match Registry::load(&tables, &sources) {
        Ok(registry) => registry,
        Err(errors) => return fail(&errors),
    };
    for warning in registry.warnings() {
        eprintln!("oxmpi_info: {warning}");
    }
    let facts = Facts {
        version: env!("CARGO_PKG_VERSION"),
        general: &[
            ("mpi:version", "MPI standard", "5.0".to_string()),
            ("mpi:library", "MPI library", "libmpi_abi.so.1".to_string()),
            ("path:prefix", "prefix", prefix.display().to_string()),
        ],
        components: COMPONENTS,
        registry: &registry,
        functions: FUNCTIONS,
    };
    match info::report(&request, &facts) {
        Ok(text) => print(&text),
        Err(unknown) => fail(&unknown),
    }
}

/// The installation that holds this program as `bin/oxmpi_info`.
fn prefix() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program
        .ancestors()
        .nth(2)
        .map_or_else(PathBuf::new, PathBuf::from)
}

/// A reader that has seen enough (`| head`) is no error.
fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&error),
        _ => ExitCode::SUCCESS,
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    for line in error.to_string().lines() {
        eprintln!("oxmpi_info: {line}");
    }
    ExitCode::from(2)
}

const fn component(
    framework: &'static str,
    name: &'static str,
    description: &'static str,
) -> Component<'static> {
    Component {
        framework,
        name,
        description,
    }
}
