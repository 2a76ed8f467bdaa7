//! The launcher's program: all of it is in the crate `launch`, but for the parameters, of which
//! that knows nothing.

use std::ffi::OsString;

use mca::{Param, Registry, Sources};

/// Runs `mpirun` with its arguments, its own name first. Returns the exit code.
///
/// Parameters that are not in `tables`, or have values that those or `lists` do not allow, are
/// refused before anything is started; without tables the ranks judge by themselves.
pub fn main(arguments: &[OsString], tables: &[&'static [Param]], lists: CheckLists) -> i32 {
    launch::main(arguments, &|sources| check(tables, lists, sources))
}

/// Judges the component lists among the parameters.
pub type CheckLists = fn(&Registry) -> Result<(), mca::Error>;

fn check(
    tables: &[&'static [Param]],
    lists: CheckLists,
    sources: &Sources,
) -> Result<Registry, String> {
    if tables.is_empty() {
        return Ok(Registry::new(&[launch::PARAMS]));
    }
    let tables: Vec<_> = tables.iter().copied().chain([launch::PARAMS]).collect();
    match Registry::load(&tables, sources) {
        Ok(registry) => match lists(&registry) {
            Ok(()) => Ok(registry),
            Err(error) => Err(error.to_string()),
        },
        Err(errors) => Err(errors.to_string().lines().collect::<Vec<_>>().join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn component_lists_are_judged_before_anything_starts() {
        let tables = mpi::params::TABLES;
        let judge = |value| check(tables, mpi::params::check_lists, &sources("btl", value));
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
