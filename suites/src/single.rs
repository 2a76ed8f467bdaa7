//! Runs single tests: C programs, simulated jobs, tests of MPICH's suite, programs that were built
//! for other MPIs.

use std::process::Command;

use super::programs::{self, TCP};
use super::{binaries, ofi};
use crate::args::Programs;
use crate::case::{Group, Needs};
use crate::conformance;
use crate::world::{Tally, World};
use xtask::install;

/// Returns C programs of `tests/c` over each of the carriers.
pub fn programs(
    Programs {
        names,
        over,
        ranks,
        on,
    }: &Programs,
) -> Result<Vec<Group>, String> {
    let known = programs::names()?;
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        let known = known.iter().map(String::as_str);
        return Err(xtask::names::unknown("program in tests/c", name, known));
    }
    let group = |carrier: &String| {
        let cases = programs::named(names, options(carrier)?, ranks, &on.mca)?;
        let is_ofi = carrier != "sm" && carrier != "tcp";
        let ready = if is_ofi { ofi::ready } else { || Ok(()) };
        Ok(Group {
            name: format!("c-{carrier}"),
            needs: Needs::Installation,
            cases: cases.into_iter().map(|case| case.after(ready)).collect(),
        })
    };
    over.iter().map(group).collect()
}

/// Returns the options of `mpirun` that choose a carrier.
fn options(carrier: &str) -> Result<&'static [&'static str], String> {
    match carrier {
        "sm" => Ok(&[]),
        "tcp" => Ok(TCP),
        _ => {
            let way = ofi::WAYS.iter().find(|way| way.carrier == carrier);
            way.map(|way| way.options).ok_or_else(|| {
                let of_libfabric = ofi::WAYS.iter().map(|way| way.carrier);
                xtask::names::unknown(
                    "carrier",
                    carrier,
                    ["sm", "tcp"].into_iter().chain(of_libfabric),
                )
            })
        }
    }
}

/// Plays simulated jobs; of one alone it prints what happens in it.
pub fn simulation(first: u64, last: Option<u64>) -> Result<(), String> {
    let program = install::simulation()?;
    let status = Command::new(&program)
        .arg(first.to_string())
        .args(last.map(|last| last.to_string()))
        .status()
        .map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    match status.success() {
        true => Ok(()),
        false => Err("the simulated job failed".to_string()),
    }
}

/// Runs tests of MPICH's suite, or folders of it.
pub fn mpich(world: &World, names: &[String], mca: &[String]) -> Result<Tally, String> {
    world.install()?;
    conformance::named(world, names, mca)
}

/// Runs programs that were built for other MPIs, each beside its run on its own: those whose names
/// have one of the texts.
pub fn binaries(world: &World, texts: &[String]) -> Result<Tally, String> {
    world.install()?;
    binaries::named(world, texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carriers_are_known_by_their_names() {
        assert_eq!(options("tcp"), Ok(TCP));
        assert!(options("cm-sockets").unwrap().contains(&"sockets"));
        let why = options("ib").unwrap_err();
        assert!(why.contains("`ib`") && why.contains("ofi-rxd"), "{why}");
        for (at, way) in ofi::WAYS.iter().enumerate() {
            let first = ofi::WAYS
                .iter()
                .position(|other| other.carrier == way.carrier);
            assert_eq!(first, Some(at), "{}", way.carrier);
        }
    }

    #[test]
    fn an_unknown_program_is_an_error_that_names_close_ones() {
        let programs = Programs {
            names: vec!["rma_basc".to_string()],
            over: vec!["sm".to_string()],
            ranks: Vec::new(),
            on: xtask::usual(),
        };
        let answer = super::programs(&programs);
        let why = answer.err().unwrap();
        assert!(
            why.contains("`rma_basc`") && why.contains("rma_basic"),
            "{why}"
        );
    }
}
