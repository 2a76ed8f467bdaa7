//! Which provider serves this process, from what its launcher left in the environment.

use crate::{native, pmi1, singleton::Singleton, Error, Provider};

/// Set to `1`, makes the process a job of its own whatever else the environment says.
pub const SINGLETON_VARIABLE: &str = "OXMPI_SINGLETON";

/// Connects to whoever started this process. `variable` looks a name up in the environment.
///
/// To be called once per process: it takes over the descriptor that the launcher left open.
pub fn connect(variable: &dyn Fn(&str) -> Option<String>) -> Result<Box<dyn Provider>, Error> {
    if variable(SINGLETON_VARIABLE).is_some_and(|v| v != "0") {
        return Ok(Box::new(Singleton::start()?));
    }
    if let Some(number) = variable(native::FD_VARIABLE) {
        return Ok(Box::new(native::Client::adopt(&number)?));
    }
    if let Some(number) = variable("PMI_FD") {
        return Ok(Box::new(pmi1::Client::adopt(&number, variable)?));
    }
    if let Some(address) = variable("PMI_PORT") {
        return Ok(Box::new(pmi1::Client::dial(&address, variable)?));
    }
    refuse_unreachable(variable)?;
    Ok(Box::new(Singleton::start()?))
}

/// [`connect`] with the environment of this process.
pub fn connect_from_env() -> Result<Box<dyn Provider>, Error> {
    connect(&|name| std::env::var(name).ok())
}

/// Fails when the environment is that of a launcher which started several processes and which
/// none of the providers can talk to.
fn refuse_unreachable(variable: &dyn Fn(&str) -> Option<String>) -> Result<(), Error> {
    let above_one = |name: &str| {
        let value = variable(name)?;
        (value.trim().parse::<u64>().ok()? > 1).then(|| format!("{name}={value}"))
    };
    // Each row: what tells of the launcher, which variable has its size, what to say.
    const LAUNCHERS: [(&str, &str, &str); 4] = [
        (
            "OMPI_COMM_WORLD_RANK",
            "OMPI_COMM_WORLD_SIZE",
            "Open MPI's mpirun started several processes, and speaking to it (PMIx) is not \
             supported yet: use this library's own mpirun",
        ),
        (
            "PMI_RANK",
            "PMI_SIZE",
            "a PMI launcher started several processes and left no connection (neither PMI_FD \
             nor PMI_PORT)",
        ),
        (
            "SLURM_STEP_ID",
            "SLURM_STEP_NUM_TASKS",
            "srun started several processes without PMI-1: use srun --mpi=pmi2",
        ),
        (
            "PMIX_RANK",
            "SLURM_NTASKS",
            "PMIx is not supported yet: use srun --mpi=pmi2",
        ),
    ];
    for (mark, size, launcher) in LAUNCHERS {
        if let (Some(_), Some(variable)) = (variable(mark), above_one(size)) {
            return Err(Error::Unsupported { variable, launcher });
        }
    }
    // PMIx does not tell the size in the environment: with a namespace and nothing that says 1,
    // there may be more.
    let says_one = [
        "OMPI_COMM_WORLD_SIZE",
        "SLURM_STEP_NUM_TASKS",
        "SLURM_NTASKS",
    ]
    .iter()
    .any(|name| variable(name).is_some_and(|v| v.trim() == "1"));
    match variable("PMIX_NAMESPACE") {
        Some(space) if !says_one => Err(Error::Unsupported {
            variable: format!("PMIX_NAMESPACE={space}"),
            launcher: "PMIx is not supported yet: use this library's own mpirun",
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Launcher;

    fn with(vars: &[(&str, &str)]) -> Result<Box<dyn Provider>, Error> {
        connect(&|name| {
            vars.iter()
                .find(|(n, _)| *n == name)
                .map(|(_, v)| v.to_string())
        })
    }

    fn error(vars: &[(&str, &str)]) -> String {
        with(vars).err().expect("an error").to_string()
    }

    #[test]
    fn nothing_said_is_a_singleton() {
        let provider = with(&[]).unwrap();
        assert_eq!(provider.identity().launcher, Launcher::Singleton);
        assert_eq!(
            (provider.identity().peer.0, provider.identity().size),
            (0, 1)
        );
    }

    #[test]
    fn a_launcher_that_cannot_be_reached_is_an_error_that_says_why() {
        let ompi = [("OMPI_COMM_WORLD_RANK", "0"), ("OMPI_COMM_WORLD_SIZE", "4")];
        assert!(error(&ompi).contains("OMPI_COMM_WORLD_SIZE=4"));
        assert!(error(&[("PMIX_NAMESPACE", "x"), ("PMIX_RANK", "0")]).contains("PMIX_NAMESPACE"));
        let srun = [("SLURM_STEP_ID", "0"), ("SLURM_STEP_NUM_TASKS", "8")];
        assert!(error(&srun).contains("--mpi=pmi2"));
        assert!(error(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")]).contains("PMI_SIZE=2"));
    }

    #[test]
    fn stale_connections_are_errors_and_never_singletons() {
        for (name, value) in [
            ("PMI_FD", "987654"),
            ("PMI_FD", "x"),
            ("PMI_FD", "1"),
            ("PMI_PORT", "127.0.0.1:1"),
            ("PMI_PORT", "nowhere"),
            ("OXMPI_BOOT_FD", "987654"),
            ("OXMPI_BOOT_FD", ""),
            ("OXMPI_BOOT_FD", "-1"),
        ] {
            let said = error(&[(name, value), ("PMI_RANK", "0"), ("PMI_ID", "0")]);
            assert!(said.contains(name), "{name}={value}: {said}");
            let alone = [(name, value), (SINGLETON_VARIABLE, "1")];
            assert_eq!(
                with(&alone).unwrap().identity().launcher,
                Launcher::Singleton
            );
        }
    }

    #[test]
    fn size_one_under_a_foreign_launcher_runs_alone() {
        let ompi = [
            ("OMPI_COMM_WORLD_RANK", "0"),
            ("OMPI_COMM_WORLD_SIZE", "1"),
            ("PMIX_NAMESPACE", "x"),
        ];
        assert_eq!(
            with(&ompi).unwrap().identity().launcher,
            Launcher::Singleton
        );
    }
}
