//! Tests of command lines and their plans against stored results, on which scripts rely.
//!
//! Each file of `tests/golden` has blocks of
//!
//! ```text
//! @ SLURM_JOB_NODELIST=n[1-2]      variables of the launcher, for the rest of the file
//! @ cpus 2x4x2                     packages, cores and threads of every host, from here on
//! $ mpirun -n 2 sh                 a command line
//!   ranks: 0=here 1=here           what becomes of it
//! ```
//!
//! The launcher runs on a host called `here`. With `GOLDEN=write` in the environment the files are
//! written anew; look at what has changed.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use launch_plan::command_line::{self, Parsed};
use launch_plan::plan::{self, Draft, Plan, World};
use launch_plan::topology::Topology;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");

#[test]
fn command_lines_become_what_they_did() {
    // Files that command lines name are looked for from there.
    std::env::set_current_dir(FOLDER).unwrap();
    let mut files: Vec<_> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension() == Some(OsStr::new("txt")))
        .collect();
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    for file in files {
        check(&file);
    }
}

fn check(file: &Path) {
    let golden = std::fs::read_to_string(file).unwrap();
    let actual = replay(&golden);
    if std::env::var_os("GOLDEN").is_some_and(|how| how == "write") {
        std::fs::write(file, actual).unwrap();
        return;
    }
    for (at, (is, was)) in actual.lines().zip(golden.lines()).enumerate() {
        assert_eq!(is, was, "{} line {}", file.display(), at + 1);
    }
    assert_eq!(actual, golden, "{}", file.display());
}

/// The file with what becomes of its command lines now.
fn replay(golden: &str) -> String {
    let mut text = String::new();
    let mut env = BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]);
    let mut cpus = "1x4x1".to_string();
    for line in golden.lines().filter(|line| !line.starts_with("  ")) {
        text.push_str(line);
        text.push('\n');
        if let Some(shape) = line.strip_prefix("@ cpus ") {
            cpus = shape.to_string();
        } else if let Some((name, value)) = line.strip_prefix("@ ").and_then(|l| l.split_once('='))
        {
            env.insert(name.into(), value.into());
        } else if let Some(command) = line.strip_prefix("$ mpirun") {
            for line in outcome(command, &env, &topology(&cpus)) {
                text.push_str(&format!("  {line}\n"));
            }
        }
    }
    text
}

fn topology(shape: &str) -> Topology {
    let sizes: Vec<u32> = shape.split('x').map(|n| n.parse().unwrap()).collect();
    Topology::regular(sizes[0], sizes[1], sizes[2])
}

fn outcome(command: &str, env: &BTreeMap<OsString, OsString>, topology: &Topology) -> Vec<String> {
    let words: Vec<OsString> = command.split_whitespace().map(OsString::from).collect();
    let variable = |name: &str| Some(env.get(OsStr::new(name))?.to_string_lossy().into_owned());
    let request = match command_line::parse(&words, &variable) {
        Ok(Parsed::Run(request)) => request,
        Ok(Parsed::Print(text)) => {
            return vec![format!("prints: {}", text.lines().next().unwrap())]
        }
        Err(error) => return vec![format!("error: {}", base::system::plain(error.to_string()))],
    };
    let world = World {
        env: env.clone(),
        topology: topology.clone(),
        host: "here".to_string(),
        leads_here: |_| false,
        flux: Box::new(|| Err("no flux here".to_string())),
        prefix: "/no/such/prefix".into(),
    };
    let draft = match plan::draft(&request, &world, &|_| Ok(())) {
        Ok(draft) => draft,
        Err(error) => return vec![format!("error: {}", base::system::plain(error.to_string()))],
    };
    let mut lines = of_draft(&draft);
    lines.extend(of_parameters(&request));
    let topologies = vec![Some(topology.clone()); draft.allocation.nodes.len()];
    match draft.finish(&topologies) {
        Ok(plan) => lines.extend(of_plan(&plan, env)),
        Err(error) => lines = vec![format!("error: {}", base::system::plain(error.to_string()))],
    }
    lines
}

/// The parameters of the launcher, which programs do not get.
fn of_parameters(request: &launch_plan::request::Request) -> Vec<String> {
    let own = |name: &str| mca::launcher::PARAMS.iter().any(|param| param.name == name);
    let own = request.parameters.iter().filter(|(name, _)| own(name));
    own.map(|(name, value)| format!("{name}: {value}"))
        .collect()
}

fn of_draft(draft: &Draft) -> Vec<String> {
    let mut lines = Vec::new();
    if draft.allocation.is_explicit {
        let node = |node: &launch_plan::allocation::Node| {
            let user = node
                .user
                .as_ref()
                .map_or(String::new(), |user| format!("{user}@"));
            let slots = node.slots.map_or("cores".to_string(), |n| n.to_string());
            let max = node.max_slots.map_or(String::new(), |n| format!("/{n}"));
            format!("{user}{}={slots}{max}", node.name)
        };
        let nodes: Vec<String> = draft.allocation.nodes.iter().map(node).collect();
        lines.push(format!("hosts: {}", nodes.join(" ")));
    }
    lines.extend(
        draft
            .prefix
            .as_ref()
            .map(|prefix| format!("prefix: {prefix}")),
    );
    lines.extend(
        draft
            .launch_agent
            .as_ref()
            .map(|agent| format!("launch agent: {agent}")),
    );
    lines
}

fn of_plan(plan: &Plan, outer: &BTreeMap<OsString, OsString>) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, app) in plan.apps.iter().enumerate() {
        let mut words = vec![app.name.to_string_lossy().into_owned()];
        words.extend(
            app.arguments
                .iter()
                .map(|word| word.to_string_lossy().into_owned()),
        );
        let folder = app.directory.as_ref();
        let folder = folder.map_or(String::new(), |folder| format!(" in {}", folder.display()));
        if plan.apps.len() > 1 || words.len() > 1 || !folder.is_empty() {
            lines.push(format!("program {at}: {}{folder}", words.join(" ")));
        }
        for (name, value) in &app.env {
            if outer.get(name) != Some(value) {
                let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
                lines.push(format!("env {at}: {name}={value}"));
            }
        }
        for name in outer.keys().filter(|name| !app.env.contains_key(*name)) {
            lines.push(format!("env {at}: without {}", name.to_string_lossy()));
        }
    }
    let many = plan.apps.len() > 1;
    let placement = |(rank, placement): (usize, &launch_plan::map::Placement)| {
        let host = &plan.nodes[placement.node as usize].name;
        let app = if many {
            format!("/{}", placement.app)
        } else {
            String::new()
        };
        let cpus: Vec<String> = placement.cpus.iter().map(u32::to_string).collect();
        match cpus.is_empty() {
            true => format!("{rank}={host}{app}"),
            false => format!("{rank}={host}{app}[{}]", cpus.join(",")),
        }
    };
    let ranks: Vec<String> = plan.placements.iter().enumerate().map(placement).collect();
    lines.push(format!("ranks: {}", ranks.join(" ")));
    lines.extend(of_front(plan));
    lines
}

fn of_front(plan: &Plan) -> Vec<String> {
    let front = &plan.front;
    let mut words = Vec::new();
    for (set, word) in [
        (front.tags.stream, "tag"),
        (front.tags.rank, "rank"),
        (front.tags.time, "timestamp"),
        (front.merge, "merge"),
        (front.files_only, "to files only"),
        (front.keep_going, "keep going"),
        (plan.verbose, "verbose"),
        (plan.stdin.is_none(), "no stdin"),
    ] {
        if set {
            words.push(word.to_string());
        }
    }
    words.extend(front.timeout.map(|timeout| format!("timeout {timeout:?}")));
    words.extend(
        plan.stdin
            .filter(|&rank| rank > 0)
            .map(|rank| format!("stdin to {rank}")),
    );
    let streams = ["stdout", "stderr"].into_iter().zip(&front.files);
    for (stream, file) in streams {
        words.extend(file.as_ref().map(|file| format!("{stream} to {file}")));
    }
    let mut lines = Vec::new();
    if !words.is_empty() {
        lines.push(format!("with: {}", words.join(", ")));
    }
    lines.extend(front.reports.iter().map(|line| format!("shows: {line}")));
    lines.extend(front.notes.iter().map(|line| format!("says: {line}")));
    lines
}

/// The documentation of the options, the manual page and what shells complete are those of the
/// table.
#[test]
fn the_documentation_is_up_to_date() {
    use launch_plan::options::{bash, fish, manual, markdown, zsh};
    let texts = [
        ("docs/mpirun.md", markdown()),
        ("crates/tools/share/man/mpirun.1", manual()),
        ("crates/tools/share/completions/mpirun.bash", bash()),
        ("crates/tools/share/completions/_mpirun", zsh()),
        ("crates/tools/share/completions/mpirun.fish", fish()),
    ];
    for (path, text) in texts {
        let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("GOLDEN").is_some_and(|how| how == "write") {
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            found, text,
            "{path}: GOLDEN=write cargo test -p oxmpi-launch-plan --test golden writes it"
        );
    }
}
