//! Chooses the component.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use launch_plan::Error;
use mca::{Candidate, Choice, ComponentList, Framework, QueryReply};

use super::settings::Settings;
use super::start::{Batch, Start};

/// The components, and what each starts daemons by.
pub const COMPONENTS: [(&str, &str); 5] = [
    (
        "slurm",
        "srun, one step for all hosts of a level of the tree",
    ),
    ("tm", "the library of PBS or Torque"),
    ("lsf", "blaunch, once for each host"),
    ("sge", "qrsh -inherit of Grid Engine, once for each host"),
    ("ssh", "plm_rsh_agent, once for each host"),
];

/// A batch system as a component.
struct Row {
    component: &'static str,
    /// The variables that a job of the system has, all of them.
    variables: &'static [&'static str],
    means: Means,
}

/// The means of a batch system to start processes.
enum Means {
    /// This program.
    Program(Batch, &'static str),
    /// The library of PBS or Torque.
    Tm,
}

/// The end of the reason of a component whose batch system has no job here.
pub(super) const NOT_SET: &str = " is not set";
/// The variable that names the file with the hosts of a job of PBS or Torque, a line for each slot.
const NODE_FILE: &str = "PBS_NODEFILE";

/// The batch systems, in the order in which their allocations count.
const ROWS: [Row; 4] = [
    Row {
        component: "slurm",
        variables: &["SLURM_JOB_ID", "SLURM_JOB_NODELIST"],
        means: Means::Program(Batch::Slurm, "srun"),
    },
    Row {
        component: "tm",
        variables: &["PBS_JOBID", NODE_FILE],
        means: Means::Tm,
    },
    Row {
        component: "lsf",
        variables: &["LSB_JOBID"],
        means: Means::Program(Batch::Lsf, "blaunch"),
    },
    Row {
        component: "sge",
        variables: &["JOB_ID", "PE_HOSTFILE"],
        means: Means::Program(Batch::GridEngine, "qrsh"),
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
        let of_job = |row: &Row| row.variables.iter().all(is_said);
        if let Some(missing) = row.variables.iter().find(|name| !is_said(name)) {
            return Err(format!("{missing}{NOT_SET}"));
        }
        // The allocation of the first is the one whose hosts are taken.
        let first = ROWS.iter().find(|row| of_job(row));
        if let Some(first) = first.filter(|first| first.component != row.component) {
            return Err(format!("the variables of {} count first", first.component));
        }
        let Means::Program(batch, program) = row.means else {
            return self.tm();
        };
        let found = self.find(program);
        let found = found.ok_or_else(|| format!("{program} is not in PATH"))?;
        let arguments = match batch {
            Batch::Slurm => &self.settings.slurm_arguments[..],
            Batch::Lsf | Batch::GridEngine => "",
        };
        Ok(Start::Batch {
            batch,
            program: found.to_string_lossy().into_owned(),
            arguments: arguments.split_whitespace().map(String::from).collect(),
        })
    }

    /// Returns how the interface of PBS and Torque starts daemons here, or why it does not.
    fn tm(&self) -> Result<Start, String> {
        (self.tm)()?;
        let file = (self.variable)(NODE_FILE).unwrap_or_default();
        let lines = (self.file)(&file).map_err(|error| format!("{NODE_FILE} {file}: {error}"))?;
        let hosts = lines
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        let nodes = hosts.map(String::from).collect();
        Ok(Start::Tm { nodes })
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
            tm: &|| match programs.contains(&"libpbs.so") {
                true => Ok(()),
                false => Err("there is no library".to_string()),
            },
            path: Some(folder.as_os_str()),
        });
        std::fs::remove_dir_all(&folder).unwrap();
        match found {
            Ok((Start::Shell(words), _)) => words.join(" "),
            Ok((Start::Batch { batch, .. }, _)) => format!("{batch:?}"),
            Ok((Start::Tm { nodes }, _)) => format!("tm {}", nodes.join(" ")),
            Err(error) => error.to_string(),
        }
    }

    const SLURM: [&str; 2] = ["SLURM_JOB_ID", "SLURM_JOB_NODELIST"];
    const ALL: [&str; 6] = ["srun", "libpbs.so", "blaunch", "qrsh", "ssh", "rsh"];
    const PBS: [&str; 2] = ["PBS_JOBID", "PBS_NODEFILE"];

    #[test]
    fn the_system_whose_job_it_is_starts_daemons() {
        let chosen = |variables: &[&str]| chosen(variables, &ALL, "", None);
        assert_eq!(chosen(&[]), "ssh");
        assert_eq!(chosen(&SLURM), "Slurm");
        assert_eq!(chosen(&PBS), "tm n1 n1 n2");
        assert_eq!(chosen(&["LSB_JOBID"]), "Lsf");
        assert_eq!(chosen(&["JOB_ID", "PE_HOSTFILE"]), "GridEngine");
        assert_eq!(chosen(&["JOB_ID"]), "ssh");
        let two = ["LSB_JOBID", "SLURM_JOB_ID", "SLURM_JOB_NODELIST"];
        assert_eq!(chosen(&two), "Slurm");
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
