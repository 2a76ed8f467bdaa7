//! The program `mpirun`: the crate `launch`, with a check of parameters against all tables, which
//! that crate does not know.

use std::ffi::OsString;

use mca::{Param, Registry, Sources};

/// Runs `mpirun` with its arguments, its own name first. Returns the exit code.
///
/// Parameters that are not in `tables`, or have values that those or `lists` do not allow, are
/// refused before anything is started; without tables the ranks judge by themselves.
pub fn main(arguments: &[OsString], tables: &[&'static [Param]], lists: CheckLists) -> i32 {
    launch::main(arguments, &|sources| check(tables, lists, sources))
}

/// Judges the component lists among the parameters, and adds warnings.
pub type CheckLists = fn(&mut Registry) -> Result<(), mca::Error>;

fn check(
    tables: &[&'static [Param]],
    lists: CheckLists,
    sources: &Sources,
) -> Result<Registry, String> {
    if tables.is_empty() {
        return Ok(Registry::new(&[mca::launcher::PARAMS]));
    }
    let tables: Vec<_> = tables
        .iter()
        .copied()
        .chain([mca::launcher::PARAMS])
        .collect();
    match Registry::load(&tables, sources) {
        Ok(mut registry) => match lists(&mut registry) {
            Ok(()) => Ok(registry),
            Err(error) => Err(error.to_string()),
        },
        Err(errors) => Err(errors.to_string().lines().collect::<Vec<_>>().join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mca::openmpi::Foreign;

    const TABLE: &[Param] = &[Param::size(
        "btl_sm_eager_limit",
        4096,
        64..=1 << 20,
        4,
        "help",
    )];

    fn sources(name: &str, value: &str) -> Sources {
        let absent = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        let setting = [(name.to_string(), value.to_string())];
        Sources::new("/no/such/prefix", absent).with_command_line(setting)
    }

    #[test]
    fn parameters_are_judged_by_the_tables() {
        let right = check(&[TABLE], |_| Ok(()), &sources("btl_sm_eager_limit", "8k"));
        assert_eq!(right.unwrap().size("btl_sm_eager_limit"), 8192);
        for (name, value) in [("btl_sm_eager_limit", "moon"), ("btl_sm_eager_limt", "8k")] {
            let said = check(&[TABLE], |_| Ok(()), &sources(name, value))
                .err()
                .unwrap();
            assert!(
                said.contains("btl_sm_eager_limit") && !said.contains('\n'),
                "{said}"
            );
        }
    }

    /// `name` with each letter dropped, and with each two neighbours swapped.
    fn misspelt(name: &str) -> Vec<String> {
        let dropped = (0..name.len()).map(|at| format!("{}{}", &name[..at], &name[at + 1..]));
        let swapped = (1..name.len()).map(|at| {
            let (before, after) = (&name[..at - 1], &name[at + 1..]);
            format!("{before}{}{}{after}", &name[at..at + 1], &name[at - 1..at])
        });
        dropped.chain(swapped).collect()
    }

    /// Whole families of names once counted as Open MPI's, so that a misspelt name of ours changed
    /// nothing and was accepted.
    #[test]
    fn no_misspelt_name_of_ours_is_taken_for_one_of_open_mpi() {
        let tables = mpi_components::params::all_tables();
        let ours = Registry::new(&tables);
        let families: Vec<&str> = ours
            .rows()
            .iter()
            .filter_map(|r| r.param.family())
            .collect();
        let mut wrong = Vec::new();
        for row in ours
            .rows()
            .iter()
            .filter(|row| row.param.family().is_none())
        {
            let name = row.param.name;
            assert_eq!(mca::openmpi::parameter_here(name), name);
            let candidates = misspelt(name).into_iter().filter(|other| {
                let family = |prefix: &&str| other.starts_with(*prefix);
                !ours.declares(other) && !families.iter().any(family)
            });
            for other in candidates {
                // Registry::report says which names have no effect, and why.
                let foreign = mca::openmpi::foreign(&other, "1");
                if foreign.is_some_and(|asked| !matches!(asked, Foreign::NotDone(_))) {
                    wrong.push(other);
                }
            }
        }
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn a_misspelt_name_is_refused_wherever_it_stands_with_the_name_that_was_meant() {
        let tables = mpi_components::params::TABLES;
        for (name, meant) in [
            (
                "opal_common_ofi_provider_inlcude",
                "opal_common_ofi_provider_include",
            ),
            ("btl_ofi_disable_spe", "btl_ofi_disable_sep"),
            ("btl_sm_ring_mx", "btl_sm_ring_max"),
            ("coll_tuned_prioritty", "coll_tuned_priority"),
            ("osc_rdma_prio", "osc_rdma_min"),
            ("mpool_hint", "mpool"),
            ("rcache_bse_idle_max", "rcache_base_idle_"),
        ] {
            let said = check(
                tables,
                mpi_components::params::check_lists,
                &sources(name, "1"),
            );
            let said = said.err().unwrap();
            assert!(said.contains(&format!("did you mean {meant}")), "{said}");
            let variable = [(format!("OMPI_MCA_{name}"), "1".to_string())];
            let world = sources("btl", "").with_environment(variable);
            let registry = check(tables, mpi_components::params::check_lists, &world).unwrap();
            assert!(
                registry.report()[0].contains(name),
                "{:?}",
                registry.report()
            );
        }
    }

    #[test]
    fn an_unknown_error_handler_is_refused_with_those_that_there_are() {
        let tables = mpi_components::params::TABLES;
        let setting = sources("mpi_initial_errhandler", "errors_return");
        let said = check(tables, mpi_components::params::check_lists, &setting);
        let said = said.err().unwrap();
        for part in [
            "mpi_initial_errhandler",
            "errors_return",
            "mpi_errors_abort",
        ] {
            assert!(said.contains(part), "{said}");
        }
    }

    /// A malformed list of ranks was ignored: no rank stopped, and no error was printed.
    #[test]
    fn ranks_to_stop_are_judged_before_anything_starts() {
        let tables = mpi_components::params::TABLES;
        let judge = |value| {
            let setting = sources("mpi_stop_in_init", value);
            check(tables, mpi_components::params::check_lists, &setting)
        };
        assert!(judge("all").is_ok() && judge("0,4-7").is_ok() && judge("").is_ok());
        let said = judge("4-2").err().unwrap();
        assert!(
            said.contains("mpi_stop_in_init") && said.contains("0,4-7"),
            "{said}"
        );
    }

    #[test]
    fn component_lists_are_judged_before_anything_starts() {
        let tables = mpi_components::params::TABLES;
        let judge = |value| {
            check(
                tables,
                mpi_components::params::check_lists,
                &sources("btl", value),
            )
        };
        assert!(judge("tcp,self").is_ok() && judge("^sm").is_ok());
        for value in ["tpc,self", "sm,^tcp", "^"] {
            let said = judge(value).err().unwrap();
            assert!(
                said.contains("btl") && said.contains("command line"),
                "{said}"
            );
        }
    }
}
