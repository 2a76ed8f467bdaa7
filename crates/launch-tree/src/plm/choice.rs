//! Chooses the component.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use launch_plan::Error;
use mca::{Candidate, Choice, ComponentList, Framework, QueryReply};

use super::settings::Settings;
use super::start::{Batch, Start};

/// The components, and what each starts daemons by.
pub const COMPONENTS: [(&str, &str); 4] = [
    (
        "slurm",
        "srun, one step for all hosts of a level of the tree",
    ),
    ("lsf", "blaunch, once for each host"),
    ("sge", "qrsh -inherit of Grid Engine, once for each host"),
    ("ssh", "plm_rsh_agent, once for each host"),
];

/// A batch system as a component.
struct Row {
    batch: Batch,
    component: &'static str,
    /// The variables that a job of the system has, all of them.
    variables: &'static [&'static str],
    program: &'static str,
}

/// The batch systems, in the order in which their allocations count.
const ROWS: [Row; 3] = [
    Row {
        batch: Batch::Slurm,
        component: "slurm",
        variables: &["SLURM_JOB_ID", "SLURM_JOB_NODELIST"],
        program: "srun",
    },
    Row {
        batch: Batch::Lsf,
        component: "lsf",
        variables: &["LSB_JOBID"],
        program: "blaunch",
    },
    Row {
        batch: Batch::GridEngine,
        component: "sge",
        variables: &["JOB_ID", "PE_HOSTFILE"],
        program: "qrsh",
    },
];

/// The facts that the choice depends on.
pub struct Facts<'a> {
    /// The launcher's parameters.
    pub settings: &'a Settings,
    /// Returns a variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
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
            return Err(format!("{missing} is not set"));
        }
        // The allocation of the first is the one whose hosts are taken.
        let first = ROWS.iter().find(|row| of_job(row));
        if let Some(first) = first.filter(|first| first.batch != row.batch) {
            return Err(format!("the variables of {} count first", first.component));
        }
        let program = self.find(row.program);
        let program = program.ok_or_else(|| format!("{} is not in PATH", row.program))?;
        let arguments = match row.batch {
            Batch::Slurm => &self.settings.slurm_arguments[..],
            Batch::Lsf | Batch::GridEngine => "",
        };
        Ok(Start::Batch {
            batch: row.batch,
            program: program.to_string_lossy().into_owned(),
            arguments: arguments.split_whitespace().map(String::from).collect(),
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
            path: Some(folder.as_os_str()),
        });
        std::fs::remove_dir_all(&folder).unwrap();
        match found {
            Ok((Start::Shell(words), _)) => words.join(" "),
            Ok((Start::Batch { batch, .. }, _)) => format!("{batch:?}"),
            Err(error) => error.to_string(),
        }
    }

    const SLURM: [&str; 2] = ["SLURM_JOB_ID", "SLURM_JOB_NODELIST"];
    const ALL: [&str; 5] = ["srun", "blaunch", "qrsh", "ssh", "rsh"];

    #[test]
    fn the_system_whose_job_it_is_starts_daemons() {
        let chosen = |variables: &[&str]| chosen(variables, &ALL, "", None);
        assert_eq!(chosen(&[]), "ssh");
        assert_eq!(chosen(&SLURM), "Slurm");
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
