//! `oxmpi_info`: prints the version, components and parameters of this installation.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use base::system::plain;
use mca::{Framework, Registry, Sources};
use tools::generated::functions::FUNCTIONS;
use tools::info::{self, Component, Facts, Subject};

fn main() -> ExitCode {
    let request = match info::parse(std::env::args()) {
        Ok(request) => request,
        Err(error) => error.exit(),
    };
    if let Subject::Queues(pid) = request.subject {
        return match launch_tree::queries::queues(pid) {
            Ok(text) => print(&text),
            Err(why) => {
                eprintln!("oxmpi_info: {}", plain(why));
                ExitCode::from(2)
            }
        };
    }
    let prefix = prefix();
    let sources = Sources::from_process(&prefix).with_command_line(request.settings.clone());
    let tables = mpi_components::params::all_tables();
    let mut registry = match Registry::load(&tables, &sources) {
        Ok(registry) => registry,
        Err(errors) => return fail(&errors),
    };
    if let Err(error) = mpi_components::params::check_lists(&mut registry) {
        return fail(&error);
    }
    for line in registry.report() {
        eprintln!("oxmpi_info: {line}");
    }
    let facts = Facts {
        version: env!("CARGO_PKG_VERSION"),
        general: &[
            ("mpi:version", "MPI standard", "5.0".to_string()),
            ("mpi:library", "MPI library", "libmpi_abi.so.1".to_string()),
            ("path:prefix", "prefix", prefix.display().to_string()),
        ],
        components: &components(),
        registry: &registry,
        functions: FUNCTIONS,
    };
    match info::report(&request, &facts) {
        Ok(text) => print(&text),
        Err(unknown) => fail(&unknown),
    }
}

/// Returns the prefix of the installation, in which this program is `bin/oxmpi_info`.
fn prefix() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program
        .ancestors()
        .nth(2)
        .map_or_else(PathBuf::new, PathBuf::from)
}

/// Prints the text. A reader that closes the pipe early (`| head`) is no error.
fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&error),
        _ => ExitCode::SUCCESS,
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    for line in plain(error.to_string()).lines() {
        eprintln!("oxmpi_info: {line}");
    }
    ExitCode::from(2)
}

/// Returns all components from the tables of the frameworks, sorted by name.
fn components() -> Vec<Component<'static>> {
    let providers = bootstrap::providers();
    let frameworks = mpi_components::params::COMPONENTS.iter().copied();
    let frameworks = frameworks.chain([(Framework::Bootstrap, providers.as_slice())]);
    let mut components: Vec<_> = frameworks
        .flat_map(|(framework, table)| {
            table.iter().map(move |&(name, description)| Component {
                framework,
                name,
                description,
            })
        })
        .collect();
    components.sort_by_key(|component| (component.framework, component.name));
    components
}
