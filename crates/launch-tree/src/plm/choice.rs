//! Chooses the component.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use launch_plan::allocation::BatchSystem;
use launch_plan::Error;
use mca::{Candidate, Choice, ComponentList, Framework, QueryReply};

use super::flux;
use super::settings::Settings;
use super::start::{Batch, ByBatch, Start};

/// The components, and what each starts daemons by.
pub const COMPONENTS: [(&str, &str); 7] = [
    (
        "flux",
        "flux exec, once for all hosts of a level of the tree",
    ),
    (
        "slurm",
        "srun, one step for all hosts of a level of the tree",
    ),
    ("pals", "aprun, once for all hosts"),
    ("tm", "the library of PBS or Torque"),
    ("lsf", "blaunch, once for each host"),
    ("sge", "qrsh -inherit of Grid Engine, once for each host"),
    ("ssh", "plm_rsh_agent, once for each host"),
];

/// A component for a batch system.
struct Row {
    component: &'static str,
    /// The batch system, which has a job here where it has set all of `variables`.
    system: BatchSystem,
    variables: &'static [&'static str],
    batch: Batch,
    /// The program that starts processes. The interface of PBS and Torque has none.
    program: &'static str,
}

/// The end of the reason of a component whose batch system has no job here.
pub(super) const NOT_SET: &str = " is not set";
/// The variable that names the file with the hosts of a job of PBS or Torque, a line for each slot.
const NODE_FILE: &str = "PBS_NODEFILE";
/// The variable that a task of one of Flux's jobs has, which is no place to start daemons from.
const FLUX_TASK: &str = "FLUX_JOB_ID";

/// The batch systems, in the order in which their allocations count.
const ROWS: [Row; 6] = [
    Row {
        component: "flux",
        system: BatchSystem::Flux,
        variables: &["FLUX_URI"],
        batch: Batch::Flux,
        program: "flux",
    },
    Row {
        component: "slurm",
        system: BatchSystem::Slurm,
        variables: &["SLURM_JOB_ID", "SLURM_JOB_NODELIST"],
        batch: Batch::Slurm,
        program: "srun",
    },
    Row {
        component: "pals",
        system: BatchSystem::Pbs,
        variables: &["PBS_JOBID", NODE_FILE],
        batch: Batch::Pals,
        program: "aprun",
    },
    Row {
        component: "tm",
        system: BatchSystem::Pbs,
        variables: &["PBS_JOBID", NODE_FILE],
        batch: Batch::Tm,
        program: "",
    },
    Row {
        component: "lsf",
        system: BatchSystem::Lsf,
        variables: &["LSB_JOBID"],
        batch: Batch::Lsf,
        program: "blaunch",
    },
    Row {
        component: "sge",
        system: BatchSystem::GridEngine,
        variables: &["JOB_ID", "PE_HOSTFILE"],
        batch: Batch::GridEngine,
        program: "qrsh",
    },
];

/// The facts that the choice depends on.
pub struct Facts<'a> {
    /// The launcher's parameters.
    pub settings: &'a Settings,
    /// Returns a variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Returns the content of a file.
    pub file: &'a dyn Fn(&str) -> std::io::Result<String>,
    /// Whether the library of PBS or Torque is there; the reason where it is not.
    pub tm: &'a dyn Fn() -> Result<(), String>,
    /// Returns what `flux resource R` prints, or why it does not.
    pub flux: &'a dyn Fn() -> Result<String, String>,
    /// Whether this machine is on a Slingshot network, which takes only processes that the batch
    /// system has started.
    pub has_slingshot: bool,
    /// The folders that programs are sought in.
    pub path: Option<&'a OsStr>,
}

/// Chooses what starts daemons: the batch system whose job this is, and otherwise the agent of
/// `plm_rsh_agent`, which is first where the user has named it.
///
/// # Errors
/// When the parameter `plm` names no component, or only those that do not apply here, with the
/// reason of each.
pub fn choose(facts: &Facts<'_>) -> Result<(Start, Choice), Error> {
    let known = mca::names(&COMPONENTS);
    let failed = |error: mca::Error| Error::Parameters(error.to_string());
    let list = ComponentList::parse(Framework::Plm, &facts.settings.components, &known);
    let mut candidates: Vec<Candidate<'_, Start>> = Vec::new();
    for row in &ROWS {
        let query = || {
            Ok(match facts.asks(row) {
                Ok(module) => QueryReply::Usable {
                    priority: 50,
                    module,
                },
                Err(why) => QueryReply::Declines(why),
            })
        };
        candidates.push(Candidate::new(row.component, query));
    }
    let ssh = || {
        let priority = if facts.settings.names_agent { 90 } else { 10 };
        let module = Start::Shell(facts.shell());
        Ok(QueryReply::Usable { priority, module })
    };
    candidates.push(Candidate::new("ssh", ssh));
    let list = list.map_err(failed)?;
    let (winner, choice) = mca::select_one(Framework::Plm, &list, candidates).map_err(failed)?;
    Ok((winner.module, choice))
}

impl Facts<'_> {
    /// Returns how a batch system starts daemons here, or why it does not.
    fn asks(&self, row: &Row) -> Result<Start, String> {
        let is_said = |name: &&str| (self.variable)(name).is_some_and(|value| !value.is_empty());
        let is_task = |row: &Row| row.system == BatchSystem::Flux && is_said(&FLUX_TASK);
        let of_job = |row: &&Row| row.variables.iter().all(is_said) && !is_task(row);
        if let Some(missing) = row.variables.iter().find(|name| !is_said(name)) {
            return Err(format!("{missing}{NOT_SET}"));
        }
        if is_task(row) {
            return Err(format!("this is a task of Flux's job {FLUX_TASK}"));
        }
        // The allocation of the first is the one whose hosts are taken.
        let first = ROWS.iter().find(of_job);
        if let Some(first) = first.filter(|first| first.system != row.system) {
            return Err(format!("the variables of {} count first", first.component));
        }
        let program = match row.batch {
            Batch::Tm => {
                (self.tm)()?;
                "/proc/self/exe".to_string()
            }
            _ => {
                let found = self.find(row.program);
                let found = found.ok_or_else(|| format!("{} is not in PATH", row.program))?;
                found.to_string_lossy().into_owned()
            }
        };
        let arguments = match row.batch {
            Batch::Slurm => &self.settings.slurm_arguments[..],
            Batch::Pals => &self.settings.pals_arguments,
            _ => "",
        };
        Ok(Start::Batch(ByBatch {
            batch: row.batch,
            program,
            arguments: arguments.split_whitespace().map(String::from).collect(),
            nodes: self.nodes(row.batch)?,
            starts_here: self.starts_here(row.batch),
        }))
    }

    /// Returns the hosts by the numbers that a batch system has for them, where it goes by these.
    fn nodes(&self, batch: Batch) -> Result<Vec<String>, String> {
        match batch {
            Batch::Flux => flux::brokers(&(self.flux)()?),
            Batch::Tm => {
                let file = (self.variable)(NODE_FILE).unwrap_or_default();
                let lines = (self.file)(&file);
                let lines = lines.map_err(|error| format!("{NODE_FILE} {file}: {error}"))?;
                let hosts = lines
                    .lines()
                    .filter_map(|line| line.split_whitespace().next());
                Ok(hosts.map(String::from).collect())
            }
            Batch::Slurm | Batch::Pals | Batch::Lsf | Batch::GridEngine => Ok(Vec::new()),
        }
    }

    /// Whether daemons are started on the launcher's own host, too.
    fn starts_here(&self, batch: Batch) -> bool {
        self.settings.starts_here.unwrap_or(match batch {
            Batch::Pals => true,
            Batch::Slurm => self.has_slingshot,
            Batch::Flux | Batch::Tm | Batch::Lsf | Batch::GridEngine => false,
        })
    }

    /// Returns the remote shell with its arguments.
    fn shell(&self) -> Vec<String> {
        let mut command = agent(&self.settings.agent, |program| self.find(program).is_some());
        let arguments = self.settings.agent_arguments.split_whitespace();
        command.extend(arguments.map(String::from));
        command
    }

    fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            return Some(Path::new(program).to_path_buf());
        }
        let mut places = std::env::split_paths(self.path?).map(|place| place.join(program));
        places.find(|file| file.is_file())
    }
}

/// Chooses among agents as in `ssh -p 22 : rsh`: the first whose program is there, as words; the
/// first of all when no program is, so that its name can be reported.
fn agent(text: &str, is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let agents: Vec<Vec<String>> = text
        .split(" : ")
        .map(|agent| agent.split_whitespace().map(String::from).collect())
        .filter(|words: &Vec<String>| !words.is_empty())
        .collect();
    let chosen = agents.iter().find(|words| is_there(&words[0]));
    let chosen = chosen.or(agents.first());
    chosen.cloned().unwrap_or_else(|| vec!["ssh".to_string()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the winner and the account of a choice, or the error.
    fn chosen(variables: &[&str], programs: &[&str], plm: &str, agent: Option<&str>) -> String {
        let folder = std::env::temp_dir().join(format!("plm-{}-{}", std::process::id(), {
            static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
            NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
        }));
        std::fs::create_dir_all(&folder).unwrap();
        for program in programs {
            std::fs::write(folder.join(program), "").unwrap();
        }
        let settings = Settings {
            components: plm.to_string(),
            agent: agent.unwrap_or("ssh : rsh").to_string(),
            names_agent: agent.is_some(),
            ..Settings::default()
        };
        let found = choose(&Facts {
            settings: &settings,
            variable: &|name| variables.contains(&name).then(|| "1".to_string()),
            file: &|_| Ok("n1\nn1\nn2 x\n".to_string()),
            flux: &|| {
                let list = r#"{"version": 1, "execution": {"nodelist": ["f[1-2]"],
                    "R_lite": [{"rank": "0-1", "children": {"core": "0"}}]}}"#;
                Ok(list.to_string())
            },
            has_slingshot: programs.contains(&"slingshot"),
            tm: &|| match programs.contains(&"libpbs.so") {
                true => Ok(()),
                false => Err("there is no library".to_string()),
            },
            path: Some(folder.as_os_str()),
        });
        std::fs::remove_dir_all(&folder).unwrap();
        match found {
            Ok((Start::Shell(words), _)) => words.join(" "),
            Ok((Start::Batch(by), _)) => {
                let here = if by.starts_here { " here" } else { "" };
                let words = [&[format!("{:?}{here}", by.batch)], &by.nodes[..]].concat();
                words.join(" ")
            }
            Err(error) => error.to_string(),
        }
    }

    const SLURM: [&str; 2] = ["SLURM_JOB_ID", "SLURM_JOB_NODELIST"];
    const ALL: [&str; 7] = ["flux", "srun", "libpbs.so", "blaunch", "qrsh", "ssh", "rsh"];
    const PBS: [&str; 2] = ["PBS_JOBID", "PBS_NODEFILE"];

    #[test]
    fn the_system_whose_job_it_is_starts_daemons() {
        let chosen = |variables: &[&str]| chosen(variables, &ALL, "", None);
        assert_eq!(chosen(&[]), "ssh");
        assert_eq!(chosen(&SLURM), "Slurm");
        assert_eq!(chosen(&PBS), "Tm n1 n1 n2");
        assert_eq!(chosen(&["FLUX_URI"]), "Flux f1 f2");
        assert_eq!(chosen(&["FLUX_URI", "FLUX_JOB_ID"]), "ssh");
        assert_eq!(chosen(&["LSB_JOBID"]), "Lsf");
        assert_eq!(chosen(&["JOB_ID", "PE_HOSTFILE"]), "GridEngine");
        assert_eq!(chosen(&["JOB_ID"]), "ssh");
        let two = ["LSB_JOBID", "SLURM_JOB_ID", "SLURM_JOB_NODELIST"];
        assert_eq!(chosen(&two), "Slurm");
        let inside = [&SLURM[..], &["FLUX_URI"]].concat();
        assert_eq!(chosen(&inside), "Flux f1 f2");
        // A task of Flux in a job of Slurm, whose hosts are taken then.
        let task = [&inside[..], &["FLUX_JOB_ID"]].concat();
        assert_eq!(chosen(&task), "Slurm");
    }

    #[test]
    fn pals_comes_before_the_interface_of_pbs_and_has_a_daemon_here() {
        let programs = ["aprun", "libpbs.so"];
        assert_eq!(chosen(&PBS, &programs, "", None), "Pals here");
        assert_eq!(chosen(&PBS, &programs, "tm", None), "Tm n1 n1 n2");
        let slingshot = ["srun", "slingshot"];
        assert_eq!(chosen(&SLURM, &slingshot, "", None), "Slurm here");
    }

    #[test]
    fn a_named_agent_comes_first_and_a_missing_command_is_no_choice() {
        assert_eq!(chosen(&SLURM, &ALL, "", Some("my-ssh -x")), "my-ssh -x");
        assert_eq!(chosen(&SLURM, &ALL, "slurm", Some("my-ssh")), "Slurm");
        assert_eq!(chosen(&SLURM, &["ssh"], "", None), "ssh");
        assert_eq!(chosen(&SLURM, &["rsh"], "", None), "rsh");
        assert_eq!(chosen(&SLURM, &[], "", None), "ssh");
        assert_eq!(chosen(&PBS, &["ssh"], "", None), "ssh");
        assert_eq!(chosen(&SLURM, &ALL, "^slurm", None), "ssh");
        assert_eq!(chosen(&SLURM, &ALL, "rsh", None), "ssh");
        // Slurm's hosts are none of LSF's.
        let two = [&SLURM[..], &["LSB_JOBID"]].concat();
        assert_eq!(chosen(&two, &["blaunch", "ssh"], "", None), "ssh");
    }

    #[test]
    fn a_component_that_cannot_be_had_is_an_error_with_the_reason() {
        for (error, part) in [
            (chosen(&[], &ALL, "slurm", None), "SLURM_JOB_ID is not set"),
            (chosen(&SLURM, &[], "slurm", None), "srun is not in PATH"),
            (chosen(&PBS, &[], "tm", None), "there is no library"),
            (chosen(&SLURM, &ALL, "slrum", None), "slurm"),
        ] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_first_agent_that_is_there() {
        let is_there = |program: &str| program.contains('/') || program == "sh";
        assert_eq!(agent("no-such-agent : sh -x", is_there), ["sh", "-x"]);
        assert_eq!(
            agent("no-such-agent : nor-this", is_there),
            ["no-such-agent"]
        );
        assert_eq!(agent("/my/agent a", is_there), ["/my/agent", "a"]);
        assert_eq!(agent(" ", is_there), ["ssh"]);
    }
}
