//! Chooses the provider of this process by the environment that its launcher has set.

use crate::constants::{BOOTSTRAP_VARIABLE, SINGLETON_VARIABLE};
use crate::{native, pmi, pmix, singleton::Singleton, Error, Provider};

/// How a variable of the environment is looked up.
type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A provider that may be tried.
struct Candidate {
    /// The provider's name in [`BOOTSTRAP_VARIABLE`].
    name: &'static str,
    /// The processes that the provider serves.
    serves: &'static str,
    /// The variables that must be set for it.
    marks: &'static [&'static str],
    connect: fn(Variables) -> Result<Box<dyn Provider>, Error>,
}

/// Providers, in the order in which they are tried. Only one that sets up a connection for each
/// process comes before PMIx, whose variables reach every process below a shell under `srun`.
const CANDIDATES: [Candidate; 5] = [
    Candidate {
        name: "native",
        serves: "this project's mpirun",
        marks: &[native::FD_VARIABLE],
        connect: native,
    },
    Candidate {
        name: "pmi2",
        serves: "launchers that speak PMI-2: Slurm's pmi2 plugin",
        // Slurm names the job, and each request has to repeat the name. Hydra's PMI-2 differs from
        // version to version; its PMI-1 does not.
        marks: &["PMI_FD", "PMI_JOBID"],
        connect: pmi::two,
    },
    Candidate {
        name: "pmi1",
        serves: "launchers that speak PMI-1: Hydra (MPICH, Intel MPI), gforker",
        marks: &["PMI_FD"],
        connect: pmi::one,
    },
    Candidate {
        name: "pmi1",
        serves: "launchers that speak PMI-1: Hydra (MPICH, Intel MPI), gforker",
        marks: &["PMI_PORT"],
        connect: pmi::dial,
    },
    Candidate {
        name: "pmix",
        serves: "launchers that serve PMIx: Slurm's pmix plugin, Open MPI, PRRTE",
        marks: &["PMIX_NAMESPACE", "PMIX_RANK"],
        connect: pmix::connect,
    },
];

/// Every provider: its name in [`BOOTSTRAP_VARIABLE`], and whom it serves.
pub fn providers() -> Vec<(&'static str, &'static str)> {
    let mut providers: Vec<_> = CANDIDATES
        .iter()
        .map(|candidate| (candidate.name, candidate.serves))
        .collect();
    providers.push(("singleton", "a process that nobody launched"));
    providers.dedup();
    providers
}

/// Connects to the launcher of this process. `variable` looks a name up in the environment.
///
/// To be called once per process: it takes over the descriptor that the launcher left open.
pub fn connect(variable: Variables) -> Result<Box<dyn Provider>, Error> {
    if variable(SINGLETON_VARIABLE).is_some_and(|v| v != "0") {
        return Ok(Box::new(Singleton::start()?));
    }
    if let Some(name) = variable(BOOTSTRAP_VARIABLE).filter(|name| !name.is_empty()) {
        return connect_by(&name, variable);
    }
    let mut stale = None;
    let mut descends = false;
    // A descriptor is tried only once, whatever the protocol.
    let mut tried = "";
    for candidate in CANDIDATES
        .iter()
        .filter(|candidate| candidate.fits(variable))
    {
        if candidate.marks[0] == tried {
            continue;
        }
        tried = candidate.marks[0];
        match (candidate.connect)(variable) {
            Err(error @ Error::Stale { .. }) => stale = stale.or(Some(error)),
            // A rank has started this process by itself, or with another launcher, which a later
            // candidate finds.
            Err(Error::Inherited { .. }) => descends = true,
            // The job is known to be this process alone: PMIx could add nothing.
            Err(Error::NoLibrary { .. }) if is_one(variable) => {}
            other => return other,
        }
    }
    if let Some(error) = stale {
        return Err(error);
    }
    if !descends {
        refuse_unreachable(variable)?;
    }
    Ok(Box::new(Singleton::start()?))
}

/// [`connect`] with the environment of this process, as far as it is heeded: a process that has
/// rights which its caller lacks connects to no host and loads no library for it.
pub fn connect_from_env() -> Result<Box<dyn Provider>, Error> {
    connect(&environment::var)
}

impl Candidate {
    fn fits(&self, variable: Variables) -> bool {
        self.marks.iter().all(|mark| variable(mark).is_some())
    }
}

fn native(variable: Variables) -> Result<Box<dyn Provider>, Error> {
    let number = variable(native::FD_VARIABLE).unwrap_or_default();
    Ok(Box::new(native::Client::adopt(&number)?))
}

/// The provider that the user named. PMI-2 needs less than what chooses it.
fn connect_by(name: &str, variable: Variables) -> Result<Box<dyn Provider>, Error> {
    if name == "singleton" {
        return Ok(Box::new(Singleton::start()?));
    }
    let mut named = CANDIDATES
        .iter()
        .filter(|candidate| candidate.name == name)
        .peekable();
    if named.peek().is_none() {
        return Err(Error::Variable {
            name: BOOTSTRAP_VARIABLE,
            value: name.to_string(),
            wanted: "native, pmi1, pmi2, pmix or singleton",
        });
    }
    let candidate = named.find(|candidate| variable(candidate.marks[0]).is_some());
    match candidate {
        Some(candidate) => (candidate.connect)(variable),
        None => Err(Error::Unsupported {
            variable: format!("{BOOTSTRAP_VARIABLE}={name}"),
            launcher: "no launcher left variables of this protocol",
        }),
    }
}

/// Why other launchers are refused by a process that has rights which its caller lacks.
const SECURE: &str = "a launcher other than this library's own mpirun started several processes. \
                      A program with rights that its caller lacks (setuid, setgid or file \
                      capabilities) joins a job of that mpirun alone";

/// Returns an error if the environment is that of a launcher which started several processes and
/// whose protocol no provider supports.
fn refuse_unreachable(variable: Variables) -> Result<(), Error> {
    let above_one = |name: &str| {
        let value = variable(name)?;
        (value.trim().parse::<u64>().ok()? > 1).then(|| format!("{name}={value}"))
    };
    // Each row: the variable that identifies the launcher, the variable with the size, the advice.
    const LAUNCHERS: [(&str, &str, &str); 3] = [
        (
            "OMPI_COMM_WORLD_RANK",
            "OMPI_COMM_WORLD_SIZE",
            "Open MPI's mpirun started several processes and left no PMIx server to talk to \
             (no PMIX_NAMESPACE): start the program with this library's own mpirun",
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
            "srun started several processes and gave them no way to find each other: use \
             srun --mpi=pmix or srun --mpi=pmi2 (srun --mpi=list shows what there is), or \
             this library's own mpirun in the allocation",
        ),
    ];
    for (mark, size, launcher) in LAUNCHERS {
        if let (Some(_), Some(variable)) = (variable(mark), above_one(size)) {
            let launcher = match environment::is_secure() {
                true => SECURE,
                false => launcher,
            };
            return Err(Error::Unsupported { variable, launcher });
        }
    }
    Ok(())
}

/// Whether the environment says that the job has one process. PMIx itself does not report it.
fn is_one(variable: Variables) -> bool {
    let sizes = [
        "OMPI_COMM_WORLD_SIZE",
        "SLURM_STEP_NUM_TASKS",
        "SLURM_NTASKS",
    ];
    let size_text = sizes.iter().find_map(|name| variable(name));
    size_text.is_some_and(|value| value.trim() == "1")
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

    /// A PMIx server, and no library to speak to it.
    const PMIX: [(&str, &str); 3] = [
        ("PMIX_NAMESPACE", "x"),
        ("PMIX_RANK", "0"),
        ("OXMPI_PMIX_LIBRARY", "/nowhere/libpmix.so.2"),
    ];

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
        assert!(error(&PMIX).contains("PMIX_NAMESPACE=x"));
        assert!(error(&PMIX).contains("/nowhere/libpmix.so.2"));
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
            let text = error(&[(name, value), ("PMI_RANK", "0"), ("PMI_ID", "0")]);
            assert!(text.contains(name), "{name}={value}: {text}");
            let alone = [(name, value), (SINGLETON_VARIABLE, "1")];
            assert_eq!(
                with(&alone).unwrap().identity().launcher,
                Launcher::Singleton
            );
        }
    }

    #[test]
    fn size_one_under_a_foreign_launcher_runs_alone() {
        let ompi = [("OMPI_COMM_WORLD_RANK", "0"), ("OMPI_COMM_WORLD_SIZE", "1")];
        let alone = with(&[&ompi[..], &PMIX].concat()).unwrap();
        assert_eq!(alone.identity().launcher, Launcher::Singleton);
        // An allocation of four that holds one step of one.
        let four = [("SLURM_NTASKS", "4"), ("SLURM_STEP_NUM_TASKS", "1")];
        assert!(with(&[&four[..], &PMIX].concat()).is_ok());
        assert!(with(&[&four[..1], &PMIX].concat()).is_err());
    }

    #[test]
    fn a_stale_launcher_gives_way_to_the_next_and_is_named_where_there_is_none() {
        let outer = ("OXMPI_BOOT_FD", "987654");
        let text = error(&[&[outer][..], &PMIX].concat());
        assert!(text.contains("libpmix"), "{text}");
        let text = error(&[outer, ("PMI_FD", "987653"), ("PMI_RANK", "0")]);
        assert!(text.contains("OXMPI_BOOT_FD"), "{text}");
    }

    #[test]
    fn only_what_the_own_launcher_needs_is_heeded_in_every_process() {
        let heeded = |name: &str| environment::HEEDED.contains(&name);
        assert!(heeded(native::FD_VARIABLE) && heeded(native::RECOVERY_VARIABLE));
        let marks = CANDIDATES[1..].iter().flat_map(|one| one.marks);
        assert!(marks
            .copied()
            .all(|mark| !heeded(mark) || mark == "PMI_RANK"));
    }

    #[test]
    fn the_user_may_name_the_provider() {
        let by = |name| (BOOTSTRAP_VARIABLE, name);
        let alone = with(&[&[by("singleton")][..], &PMIX].concat()).unwrap();
        assert_eq!(alone.identity().launcher, Launcher::Singleton);
        let stale = ("OXMPI_BOOT_FD", "987654");
        let text = error(&[&[by("pmix"), stale][..], &PMIX].concat());
        assert!(text.contains("libpmix"), "{text}");
        assert!(error(&[by("pmi2")]).contains("OXMPI_BOOTSTRAP=pmi2"));
        assert!(error(&[by("pmi3")]).contains("wanted native"));
    }
}
