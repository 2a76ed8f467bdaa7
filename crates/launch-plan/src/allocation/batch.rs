//! The hosts that a batch system has allocated to a job, and how many slots it has on each.
//!
//! | system | variables of a job | hosts and slots |
//! |---|---|---|
//! | Flux | `FLUX_URI` without `FLUX_JOB_ID` | [`flux`] |
//! | Slurm | `SLURM_JOB_NODELIST` | [`slurm`] |
//! | PBS, Torque | `PBS_JOBID`, `PBS_NODEFILE` | a file with a line for each slot |
//! | LSF | `LSB_JOBID` | `LSB_DJOB_HOSTFILE`, a file with a line for each slot; without it `LSB_MCPU_HOSTS`, hosts and slots in turn |
//! | Grid Engine | `JOB_ID`, `PE_HOSTFILE` | a file with host, slots, queue and processors of each host in a line |
//!
//! Where variables of several systems are set, as in a job that one of them has started from a job
//! of another, the first in this order counts. Flux is first since it is also run inside of the
//! others' jobs. A process with `FLUX_JOB_ID` is a task of one of Flux's jobs, and has its own host
//! alone, whatever hosts the instance has.

use super::{flux, slurm};
use crate::error::invalid_value;
use crate::hosts::{Entry, Host, Slots, COUNT_MAX};
use crate::Error;

/// A batch system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BatchSystem {
    /// Flux.
    Flux,
    /// Slurm.
    Slurm,
    /// PBS Professional, OpenPBS or Torque.
    Pbs,
    /// IBM Spectrum LSF.
    Lsf,
    /// Grid Engine, of any house.
    GridEngine,
}

impl BatchSystem {
    /// Returns the system of this name, as Hydra's option `-rmk` has it.
    pub fn of_name(name: &str) -> Option<BatchSystem> {
        Some(match name {
            "flux" => BatchSystem::Flux,
            "slurm" => BatchSystem::Slurm,
            "pbs" => BatchSystem::Pbs,
            "lsf" => BatchSystem::Lsf,
            "sge" => BatchSystem::GridEngine,
            _ => return None,
        })
    }

    /// Returns what the user knows its allocation by.
    pub fn allocation(self) -> &'static str {
        match self {
            BatchSystem::Flux => "Flux's allocation",
            BatchSystem::Slurm => "Slurm's allocation",
            BatchSystem::Pbs => "the allocation of PBS",
            BatchSystem::Lsf => "LSF's allocation",
            BatchSystem::GridEngine => "Grid Engine's allocation",
        }
    }
}

/// Hosts that a batch system has allocated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Granted {
    /// The system that has.
    pub system: BatchSystem,
    /// The hosts; one that is named again has the slots of all entries together.
    pub entries: Vec<Entry>,
}

/// The command that prints what Flux has allocated.
pub const FLUX_RESOURCES: [&str; 3] = ["flux", "resource", "R"];

/// The sources of a batch system's facts.
pub struct Given<'a> {
    /// Returns a variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Returns the content of a file.
    pub file: &'a dyn Fn(&str) -> std::io::Result<String>,
    /// Returns what `flux resource R` prints, or why it does not.
    pub flux: &'a dyn Fn() -> Result<String, String>,
    /// The one system whose allocation counts; `None` where each does.
    pub only: Option<BatchSystem>,
}

impl Given<'_> {
    /// Returns a variable that has a value.
    fn said(&self, name: &str) -> Option<String> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    /// Returns the content of the file that a variable names.
    fn file_of(&self, variable: &'static str, name: &str) -> Result<String, Error> {
        (self.file)(name).map_err(|error| Error::File {
            what: variable,
            name: name.to_string(),
            reason: error.to_string(),
        })
    }
}

/// Returns the hosts of the allocation that this process runs in, if it does.
///
/// # Errors
/// When a variable or a file of the system is not as its documentation says, or cannot be read.
pub fn allocation(given: &Given<'_>) -> Result<Option<Granted>, Error> {
    let readers = [
        (BatchSystem::Flux, of_flux as fn(&_) -> _),
        (BatchSystem::Slurm, of_slurm),
        (BatchSystem::Pbs, pbs),
        (BatchSystem::Lsf, lsf),
        (BatchSystem::GridEngine, grid_engine),
    ];
    let counts = |system| given.only.is_none_or(|only| only == system);
    for (system, read) in readers.into_iter().filter(|(system, _)| counts(*system)) {
        if let Some(mut entries) = read(given)? {
            // A queue of Grid Engine may grant nothing on a host, which the job does not have then.
            entries.retain(|entry| entry.slots != Slots::Count(0));
            return Ok(Some(Granted { system, entries }));
        }
    }
    Ok(None)
}

fn of_flux(given: &Given<'_>) -> Result<Option<Vec<Entry>>, Error> {
    if given.said("FLUX_URI").is_none() || given.said("FLUX_JOB_ID").is_some() {
        return Ok(None);
    }
    let hosts = (given.flux)().and_then(|text| flux::flux_hosts(&text));
    let hosts = hosts.map_err(|reason| Error::Command {
        command: FLUX_RESOURCES.join(" "),
        reason,
    })?;
    let entry = |host: flux::FluxHost| Entry {
        host: Host::Name(host.name),
        user: None,
        slots: Slots::Count(host.cores),
        max_slots: None,
    };
    Ok(Some(hosts.into_iter().map(entry).collect()))
}

fn of_slurm(given: &Given<'_>) -> Result<Option<Vec<Entry>>, Error> {
    slurm::allocation(given.variable)
}

fn pbs(given: &Given<'_>) -> Result<Option<Vec<Entry>>, Error> {
    const FILE: &str = "PBS_NODEFILE";
    match (given.said("PBS_JOBID"), given.said(FILE)) {
        (Some(_), Some(name)) => lines(given, FILE, &name).map(Some),
        _ => Ok(None),
    }
}

fn lsf(given: &Given<'_>) -> Result<Option<Vec<Entry>>, Error> {
    const FILE: &str = "LSB_DJOB_HOSTFILE";
    const LIST: &str = "LSB_MCPU_HOSTS";
    if given.said("LSB_JOBID").is_none() {
        return Ok(None);
    }
    if let Some(name) = given.said(FILE) {
        return lines(given, FILE, &name).map(Some);
    }
    let Some(list) = given.said(LIST) else {
        return Ok(None);
    };
    let refuse = || invalid_value(LIST, &list, "hosts and slots as n1 4 n2 4");
    let words: Vec<&str> = list.split_whitespace().collect();
    let mut entries = Vec::new();
    for pair in words.chunks(2) {
        let &[name, slots] = pair else {
            return Err(refuse());
        };
        entries.push(entry(name, slots).ok_or_else(refuse)?);
    }
    Ok(Some(entries))
}

fn grid_engine(given: &Given<'_>) -> Result<Option<Vec<Entry>>, Error> {
    const FILE: &str = "PE_HOSTFILE";
    match (given.said("JOB_ID"), given.said(FILE)) {
        (Some(_), Some(name)) => lines(given, FILE, &name).map(Some),
        _ => Ok(None),
    }
}

/// Reads the file that a variable names: hosts, each followed by its slots or standing for one.
/// What comes behind is of no interest here.
fn lines(given: &Given<'_>, variable: &'static str, name: &str) -> Result<Vec<Entry>, Error> {
    let content = given.file_of(variable, name)?;
    let mut entries = Vec::new();
    for (at, line) in content.lines().enumerate() {
        let mut words = line.split_whitespace();
        let Some(host) = words.next() else { continue };
        let slots = words.next().unwrap_or("1");
        let entry = entry(host, slots).ok_or_else(|| Error::Line {
            what: variable,
            file: name.to_string(),
            line: at + 1,
            text: line.trim().to_string(),
            wanted: "a host, and the number of its slots".to_string(),
        })?;
        entries.push(entry);
    }
    match entries.is_empty() {
        true => Err(Error::File {
            what: variable,
            name: name.to_string(),
            reason: "no host in it".to_string(),
        }),
        false => Ok(entries),
    }
}

/// Returns the entry of a host with this number of slots. `None` where one of the two is malformed.
fn entry(host: &str, slots: &str) -> Option<Entry> {
    // A name that opens with a dash would be an option to what starts daemons.
    let is_name = !host.starts_with('-') && !host.contains(char::is_control);
    let slots = slots
        .parse::<u32>()
        .ok()
        .filter(|&slots| is_name && slots <= COUNT_MAX)?;
    Some(Entry {
        host: Host::Name(host.to_string()),
        user: None,
        slots: Slots::Count(slots),
        max_slots: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the allocation of these variables and files, as `system a:2 b:1`, or the error.
    fn found(variables: &[(&str, &str)], files: &[(&str, &str)]) -> String {
        let of = |set: &[(&str, &str)], name: &str| {
            let known = set.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| value.to_string())
        };
        let given = Given {
            variable: &|name| of(variables, name),
            file: &|name| of(files, name).ok_or(std::io::ErrorKind::NotFound.into()),
            flux: &|| of(files, "flux").ok_or_else(|| "flux is not in PATH".to_string()),
            only: None,
        };
        match allocation(&given) {
            Ok(None) => "none".to_string(),
            Err(error) => format!("error: {error}"),
            Ok(Some(granted)) => {
                let mut text = format!("{:?}", granted.system);
                for entry in granted.entries {
                    match entry.slots {
                        Slots::Count(slots) => text += &format!(" {}:{slots}", entry.host),
                        _ => text += &format!(" {}", entry.host),
                    }
                }
                text
            }
        }
    }

    #[test]
    fn each_system_gives_hosts_and_slots_in_its_own_way() {
        let pbs = [("PBS_JOBID", "7.server"), ("PBS_NODEFILE", "/nodes")];
        let lsf = [("LSB_JOBID", "7"), ("LSB_DJOB_HOSTFILE", "/nodes")];
        let lsf_list = [("LSB_JOBID", "7"), ("LSB_MCPU_HOSTS", "n1 4 n2 2 ")];
        let sge = [("JOB_ID", "7"), ("PE_HOSTFILE", "/nodes")];
        let lines = [("/nodes", "n2\nn1\nn2\n\nn1\nn2\n")];
        let engine = "n1.x 2 all.q@n1.x UNDEFINED\nn2 1 a@n2 0,1:0,2\nn1.x 3 b@n1.x <NULL>\n";
        let none_left = "n1 0 all.q@n1 UNDEFINED\nn2 1 all.q@n2 UNDEFINED\n";
        assert_eq!(found(&pbs, &lines), "Pbs n2:1 n1:1 n2:1 n1:1 n2:1");
        assert_eq!(found(&lsf, &lines), "Lsf n2:1 n1:1 n2:1 n1:1 n2:1");
        assert_eq!(found(&lsf_list, &[]), "Lsf n1:4 n2:2");
        assert_eq!(
            found(&sge, &[("/nodes", engine)]),
            "GridEngine n1.x:2 n2:1 n1.x:3"
        );
        assert_eq!(found(&sge, &[("/nodes", none_left)]), "GridEngine n2:1");
        assert_eq!(
            found(&[("SLURM_JOB_NODELIST", "n[1-2]")], &[]),
            "Slurm n1 n2"
        );
    }

    #[test]
    fn an_instance_of_flux_has_hosts_and_a_task_of_one_has_not() {
        const SET: &str = r#"{"version": 1, "execution": {"nodelist": ["n[1-2]"],
            "R_lite": [{"rank": "0-1", "children": {"core": "0-3"}}]}}"#;
        let instance = [("FLUX_URI", "local:///run/flux"), ("FLUX_JOB_ID", "f1")];
        let files = [("flux", SET)];
        assert_eq!(found(&instance[..1], &files), "Flux n1:4 n2:4");
        assert_eq!(found(&instance, &files), "none");
        let error = found(&instance[..1], &[]);
        assert_eq!(error, "error: flux resource R: flux is not in PATH");
    }

    #[test]
    fn of_several_systems_the_first_counts() {
        let all = [
            ("JOB_ID", "7"),
            ("PE_HOSTFILE", "/engine"),
            ("LSB_JOBID", "7"),
            ("LSB_MCPU_HOSTS", "l 1"),
            ("PBS_JOBID", "7"),
            ("PBS_NODEFILE", "/pbs"),
            ("SLURM_JOB_NODELIST", "s"),
        ];
        let files = [("/engine", "e 1 q u"), ("/pbs", "p")];
        let seen = [7, 6, 4, 2, 1].map(|set| found(&all[..set], &files));
        let expected = ["Slurm s", "Pbs p:1", "Lsf l:1", "GridEngine e:1", "none"];
        assert_eq!(seen, expected);
    }

    #[test]
    fn variables_of_a_shell_that_is_in_no_job_are_no_allocation() {
        let left = [
            ("PBS_NODEFILE", "/gone"),
            ("LSB_MCPU_HOSTS", "n1 4"),
            ("PE_HOSTFILE", "/gone"),
            ("SLURM_JOB_NODELIST", ""),
        ];
        assert_eq!(found(&left, &[]), "none");
    }

    #[test]
    fn what_cannot_be_read_is_an_error_that_names_it() {
        let pbs = [("PBS_JOBID", "7"), ("PBS_NODEFILE", "/nodes")];
        let lsf = |list| found(&[("LSB_JOBID", "7"), ("LSB_MCPU_HOSTS", list)], &[]);
        for (error, parts) in [
            (found(&pbs, &[]), ["PBS_NODEFILE", "/nodes"]),
            (found(&pbs, &[("/nodes", "\n")]), ["/nodes", "no host"]),
            (found(&pbs, &[("/nodes", "n1\n-oX\n")]), ["/nodes", "-oX"]),
            (found(&pbs, &[("/nodes", "n1 many")]), ["/nodes", "many"]),
            (lsf("n1"), ["LSB_MCPU_HOSTS", "n1"]),
            (lsf("n1 x"), ["LSB_MCPU_HOSTS", "n1 x"]),
            (lsf("n1 99999999"), ["LSB_MCPU_HOSTS", "99999999"]),
        ] {
            assert!(error.starts_with("error: "), "{error}");
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
    }
}
