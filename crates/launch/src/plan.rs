//! From a request to what each rank will run. Everything that can be wrong with a request is
//! found here, so that a job starts whole or not at all.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bootstrap::Secret;
use rustix::fs::Access;

use crate::command_line::{seconds, slots, wrong, Request, Tags};
use crate::{binding, hosts, Error};

/// A job that can be started.
#[derive(Debug)]
pub struct Plan {
    /// The programs.
    pub apps: Vec<App>,
    /// For each rank the index of its program; as many as there are ranks.
    pub app_of: Vec<usize>,
    /// For each rank the processors that it is bound to; empty where it is not bound.
    pub cpus: Vec<Vec<usize>>,
    /// How many ranks there is room for, told to programs as the size of the universe.
    pub universe: u32,
    /// The number that tells this job from others.
    pub job: u64,
    /// The job's key.
    pub secret: Secret,
    /// How each line of output is opened.
    pub tags: Tags,
    /// When the job is ended at the latest.
    pub timeout: Option<Duration>,
    /// The rank that gets the standard input.
    pub stdin: Option<u32>,
    /// What to tell the user before the start, in lines.
    pub notes: Vec<String>,
    /// Say what is started.
    pub verbose: bool,
}

/// One program of a job.
#[derive(Debug)]
pub struct App {
    /// Its name as the user wrote it; becomes its argument 0.
    pub name: OsString,
    /// The file.
    pub path: PathBuf,
    /// Its arguments after the name.
    pub arguments: Vec<OsString>,
    /// Its whole environment, but for what differs from rank to rank.
    pub env: BTreeMap<OsString, OsString>,
    /// Its working directory, where that is not the launcher's.
    pub directory: Option<PathBuf>,
}

/// What a plan is made from beside the request.
pub struct World {
    /// The launcher's environment.
    pub env: BTreeMap<OsString, OsString>,
    /// The processors that the launcher may use, counted as the system counts them.
    pub cpus: Vec<usize>,
    /// This machine's name.
    pub host: String,
    /// Where the installation lies that this launcher is part of.
    pub prefix: PathBuf,
}

impl Plan {
    /// How many ranks there are.
    pub fn size(&self) -> u32 {
        self.app_of.len() as u32
    }

    /// The variables that differ from rank to rank.
    pub fn identity_env(&self, rank: u32) -> Vec<(&'static str, String)> {
        let (rank, size) = (rank.to_string(), self.size().to_string());
        let mut env = vec![("OMPI_UNIVERSE_SIZE", self.universe.to_string())];
        // One machine: the rank on the node is the rank in the job.
        for name in RANK_VARIABLES {
            env.push((name, rank.clone()));
        }
        for name in SIZE_VARIABLES {
            env.push((name, size.clone()));
        }
        env
    }
}

/// Variables that programs and scripts read the rank from.
const RANK_VARIABLES: [&str; 6] = [
    "OXMPI_RANK",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "OMPI_COMM_WORLD_NODE_RANK",
    "PMI_RANK",
    "MPI_LOCALRANKID",
];

/// Variables that programs and scripts read the number of ranks from.
const SIZE_VARIABLES: [&str; 5] = [
    "OXMPI_SIZE",
    "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "PMI_SIZE",
    "MPI_LOCALNRANKS",
];

/// What an outer launcher leaves behind, by the beginning of its name: a rank that inherited it
/// would believe to be part of the outer job.
const STALE_PREFIXES: [&str; 12] = [
    "PMI_",
    "PMIX_",
    "OMPI_COMM_WORLD_",
    "OMPI_UNIVERSE_SIZE",
    "OMPI_APP_CTX_NUM_PROCS",
    "OMPI_FIRST_RANKS",
    "OMPI_NUM_APP_CTX",
    "MPI_LOCALRANKID",
    "MPI_LOCALNRANKS",
    "HYDI_CONTROL_FD",
    bootstrap::native::FD_VARIABLE,
    bootstrap::SINGLETON_VARIABLE,
];

impl World {
    /// That of this process.
    pub fn of_process() -> World {
        let set = rustix::thread::sched_getaffinity(None).unwrap_or_default();
        let all = 0..rustix::thread::CpuSet::MAX_CPU;
        let own = std::env::current_exe().unwrap_or_default();
        World {
            // The launcher is `bin/mpirun` in it.
            prefix: own
                .ancestors()
                .nth(2)
                .map(PathBuf::from)
                .unwrap_or_default(),
            env: std::env::vars_os().collect(),
            cpus: all.filter(|&cpu| set.is_set(cpu)).collect(),
            host: rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        self.env
            .get(OsStr::new(name))
            .map(|value| value.to_string_lossy().into_owned())
    }

    /// How many ranks run side by side: processors, but no more than a container's quota.
    fn room(&self) -> u32 {
        let quota = std::thread::available_parallelism().map_or(usize::MAX, |n| n.get());
        self.cpus.len().min(quota).max(1) as u32
    }
}

/// Makes a plan, or says what is wrong with the request. `check` judges the parameters.
pub fn make(
    request: &Request,
    world: &World,
    check: &dyn Fn(&mca::Sources) -> Result<(), String>,
) -> Result<Plan, Error> {
    let filed = host_files(request, world)?;
    for app in &request.apps {
        hosts::check_local(&app.hosts, &world.host)?;
    }
    let shared = shared_env(request, world, check)?;
    let mut apps = Vec::new();
    let mut app_of = Vec::new();
    for (index, app) in request.apps.iter().enumerate() {
        let count = app.count.or(slots(app)).or(filed).unwrap_or(world.room());
        app_of.extend(std::iter::repeat_n(index, count as usize));
        apps.push(plan_app(app, &shared, world)?);
    }
    let size = app_of.len() as u32;
    if let Some(rank) = request.stdin.filter(|&rank| rank >= size && rank > 0) {
        return Err(wrong(
            "--stdin",
            &rank.to_string(),
            format!("a rank below {size}"),
        ));
    }
    let (cpus, bind_note) = binding::assign(request.bind, size, &world.cpus);
    let random = Error::system::<std::io::Error>("asking the system for random numbers");
    let key = Secret::random().map_err(&random)?;
    let job = Secret::random().map_err(&random)?;
    let mut plan = Plan {
        apps,
        app_of,
        cpus,
        universe: world.room().max(size),
        job: u64::from_le_bytes(job.0[..8].try_into().expect("8 of 32 bytes")),
        secret: key,
        tags: request.tags,
        timeout: timeout(request, world)?,
        stdin: request.stdin,
        notes: Vec::new(),
        verbose: request.verbose && !request.quiet,
    };
    plan.notes = notes(request, &plan, bind_note);
    Ok(plan)
}

/// Checks the files of hosts; the room that they say there is.
fn host_files(request: &Request, world: &World) -> Result<Option<u32>, Error> {
    let mut room = None;
    for name in &request.host_files {
        let content = std::fs::read_to_string(name).map_err(|e| Error::File {
            what: "host file",
            name: name.clone(),
            reason: e.to_string(),
        })?;
        let listed = hosts::parse_file(name, &content)?;
        hosts::check_local(&listed, &world.host)?;
        let counts = listed.iter().filter_map(|host| host.slots);
        room = counts
            .chain(room)
            .reduce(|sum, count| sum.saturating_add(count));
    }
    Ok(room)
}

/// The environment of all programs: the launcher's, less what an outer launcher left, with the
/// parameters and `-genv`.
fn shared_env(
    request: &Request,
    world: &World,
    check: &dyn Fn(&mca::Sources) -> Result<(), String>,
) -> Result<BTreeMap<OsString, OsString>, Error> {
    let mut sources =
        mca::Sources::from_process(&world.prefix).with_command_line(request.parameters.clone());
    for files in &request.tune {
        sources = sources.with_tune(files);
    }
    check(&sources).map_err(Error::Parameters)?;
    let forward = sources
        .forward()
        .map_err(|e| Error::Parameters(one_line(&e.to_string())))?;
    let mut env = world.env.clone();
    env.retain(|name, _| {
        !STALE_PREFIXES
            .iter()
            .any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()))
    });
    for (name, value) in forward.into_iter().chain(request.env.iter().cloned()) {
        env.insert(name.into(), value.into());
    }
    Ok(env)
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

fn plan_app(
    app: &crate::command_line::App,
    shared: &BTreeMap<OsString, OsString>,
    world: &World,
) -> Result<App, Error> {
    let mut env = shared.clone();
    for (name, value) in &app.env {
        match (value, world.env.get(OsStr::new(name))) {
            (Some(value), _) => env.insert(name.into(), value.into()),
            // By name alone: also what would have been held back as an outer launcher's.
            (None, Some(value)) => env.insert(name.into(), value.clone()),
            (None, None) => None,
        };
    }
    let directory = app.directory.as_ref().map(PathBuf::from);
    if let (Some(directory), Some(name)) = (&directory, &app.directory) {
        let usable = std::fs::metadata(directory).and_then(|found| match found.is_dir() {
            true => Ok(rustix::fs::access(directory, Access::EXEC_OK)?),
            false => Err(std::io::ErrorKind::NotADirectory.into()),
        });
        usable.map_err(|e| Error::File {
            what: "working directory",
            name: name.clone(),
            reason: e.to_string(),
        })?;
    }
    let path = find_program(
        &app.program,
        directory.as_deref(),
        env.get(OsStr::new("PATH")),
    )?;
    let (name, arguments) = (app.program.clone(), app.arguments.clone());
    Ok(App {
        name,
        path,
        arguments,
        env,
        directory,
    })
}

/// The file that a program's name means: with a slash a path (from its working directory), else
/// the first executable of that name on `PATH`.
fn find_program(
    name: &OsStr,
    directory: Option<&Path>,
    path: Option<&OsString>,
) -> Result<PathBuf, Error> {
    let refuse = |reason: &str| Error::File {
        what: "program",
        name: name.to_string_lossy().into_owned(),
        reason: reason.to_string(),
    };
    let base = directory.unwrap_or(Path::new(""));
    if name.as_bytes().contains(&b'/') {
        let path = Path::new(name);
        return executable(&base.join(path))
            .map(|()| path.to_path_buf())
            .map_err(refuse);
    }
    if name.is_empty() {
        return Err(refuse("the name is empty"));
    }
    let mut reason = "not found on PATH";
    for place in path
        .map(|path| std::env::split_paths(path))
        .into_iter()
        .flatten()
    {
        let candidate = base.join(place).join(name);
        match executable(&candidate) {
            Ok(()) => return Ok(std::path::absolute(&candidate).unwrap_or(candidate)),
            Err("not found") => {}
            Err(other) => reason = other,
        }
    }
    if executable(&base.join(name)).is_ok() {
        let here = name.to_string_lossy();
        return Err(refuse(&format!(
            "{reason}; there is one here: write ./{here}"
        )));
    }
    Err(refuse(reason))
}

fn executable(path: &Path) -> Result<(), &'static str> {
    use rustix::io::Errno;
    match rustix::fs::stat(path) {
        Err(Errno::NOENT | Errno::NOTDIR) => return Err("not found"),
        Err(Errno::ACCESS) => return Err("permission denied"),
        Err(_) => return Err("cannot be looked at"),
        Ok(found) => match rustix::fs::FileType::from_raw_mode(found.st_mode) {
            rustix::fs::FileType::RegularFile => {}
            rustix::fs::FileType::Directory => return Err("is a directory"),
            _ => return Err("is no file that can be run"),
        },
    }
    rustix::fs::access(path, Access::EXEC_OK).map_err(|_| "is not executable")
}

/// The option wins over the variable that MPICH and Open MPI have for it.
fn timeout(request: &Request, world: &World) -> Result<Option<Duration>, Error> {
    const VARIABLE: &str = "MPIEXEC_TIMEOUT";
    match (request.timeout, world.text(VARIABLE)) {
        (Some(timeout), _) => Ok(Some(timeout)),
        (None, Some(value)) => seconds(VARIABLE, &value),
        (None, None) => Ok(None),
    }
}

fn notes(request: &Request, plan: &Plan, bind_note: Option<String>) -> Vec<String> {
    let mut notes = Vec::new();
    if !request.quiet {
        notes.extend(request.notes.iter().cloned().chain(bind_note));
    }
    if request.display_map {
        for (rank, &app) in plan.app_of.iter().enumerate() {
            let program = plan.apps[app].name.to_string_lossy();
            notes.push(format!(
                "rank {rank}: this machine, program {app} ({program})"
            ));
        }
    }
    if request.report_bindings {
        for (rank, cpus) in plan.cpus.iter().enumerate() {
            let list: Vec<String> = cpus.iter().map(usize::to_string).collect();
            notes.push(match cpus.is_empty() {
                true => format!("rank {rank}: not bound"),
                false => format!("rank {rank}: bound to processors {}", list.join(",")),
            });
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{parse, Parsed};

    fn world(env: &[(&str, &str)]) -> World {
        let path = ("PATH", "/usr/bin:/bin");
        World {
            env: env
                .iter()
                .chain([&path])
                .map(|(n, v)| (n.into(), v.into()))
                .collect(),
            cpus: vec![0, 1],
            host: "n1".to_string(),
            prefix: PathBuf::from("/no/such/prefix"),
        }
    }

    fn plan(line: &str, env: &[(&str, &str)]) -> Result<Plan, Error> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        match parse(&words).unwrap() {
            Parsed::Run(request) => make(&request, &world(env), &|_| Ok(())),
            Parsed::Print(_) => unreachable!("no such line here"),
        }
    }

    #[test]
    fn an_outer_launchers_variables_do_not_reach_the_ranks() {
        let outer = [
            ("PMI_FD", "7"),
            ("PMI_RANK", "5"),
            ("PMIX_NAMESPACE", "x"),
            ("OMPI_COMM_WORLD_SIZE", "64"),
            ("OXMPI_BOOT_FD", "9"),
            ("OMPI_MCA_btl", "tcp,self"),
            ("HOME", "/someone"),
        ];
        let plan = plan("-n 2 sh", &outer).unwrap();
        let env = &plan.apps[0].env;
        let has = |name: &str| env.contains_key(OsStr::new(name));
        assert!(outer[..5].iter().all(|(name, _)| !has(name)), "{env:?}");
        assert!(has("OMPI_MCA_btl") && has("HOME") && has("PATH"));
        let identity = plan.identity_env(1);
        assert!(identity.contains(&("PMI_RANK", "1".to_string())));
        assert!(identity.contains(&("OMPI_COMM_WORLD_SIZE", "2".to_string())));
        assert!(!identity
            .iter()
            .any(|(name, _)| *name == "PMI_FD" || *name == "PMI_PORT"));
    }

    #[test]
    fn variables_of_a_program_win_over_those_of_all() {
        let line = "-genv A all -x A=mine -x B -n 1 sh : -n 2 sh";
        let plan = plan(line, &[("B", "outer"), ("A", "outer")]).unwrap();
        let value = |app: usize, name: &str| plan.apps[app].env[OsStr::new(name)].clone();
        assert_eq!(
            (value(0, "A"), value(1, "A")),
            ("mine".into(), "all".into())
        );
        assert_eq!(value(0, "B"), "outer");
        assert_eq!(plan.app_of, [0, 1, 1]);
    }

    #[test]
    fn what_cannot_run_is_refused_with_its_name_and_reason() {
        for (line, parts) in [
            (
                "-n 2 no-such-program",
                &["no-such-program", "not found on PATH"][..],
            ),
            ("-n 2 ./no-such-program", &["no-such-program", "not found"]),
            ("-n 2 /etc/passwd", &["/etc/passwd", "not executable"]),
            ("-n 2 /tmp", &["/tmp", "directory"]),
            ("-n 1 sh : -n 1 /etc/passwd", &["/etc/passwd"]),
            (
                "--wdir /no/such/place sh",
                &["working directory", "/no/such/place"],
            ),
            (
                "--wdir /etc/passwd sh",
                &["working directory", "/etc/passwd"],
            ),
            ("-H n2 sh", &["n2", "not this machine"]),
            (
                "--hostfile /no/such/file sh",
                &["host file", "/no/such/file"],
            ),
            ("--tune /no/such/file sh", &["/no/such/file"]),
            ("--stdin 4 -n 2 sh", &["--stdin", "below 2"]),
        ] {
            let said = plan(line, &[]).expect_err(line).to_string();
            assert!(
                parts.iter().all(|part| said.contains(part)),
                "{line}: {said}"
            );
            assert!(!said.contains('\n'), "{line}: one line");
        }
    }

    #[test]
    fn the_number_of_ranks_comes_from_count_hosts_or_processors() {
        assert_eq!(plan("-n 5 sh", &[]).unwrap().size(), 5);
        assert_eq!(plan("-H localhost:3 sh", &[]).unwrap().size(), 3);
        let size = plan("sh", &[]).unwrap().size();
        assert!((1..=2).contains(&size));
        assert_eq!(plan("-n 5 sh", &[]).unwrap().universe, 5);
    }

    #[test]
    fn a_time_limit_comes_from_option_or_environment() {
        let env = [("MPIEXEC_TIMEOUT", "7")];
        assert_eq!(
            plan("sh", &env).unwrap().timeout,
            Some(Duration::from_secs(7))
        );
        assert_eq!(
            plan("--timeout 2 sh", &env).unwrap().timeout,
            Some(Duration::from_secs(2))
        );
        assert_eq!(plan("sh", &[]).unwrap().timeout, None);
        assert!(plan("sh", &[("MPIEXEC_TIMEOUT", "soon")]).is_err());
    }
}
