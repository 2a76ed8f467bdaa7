//! Programs of Debian, as their packages have them, on the libraries for programs of other MPIs.
//!
//! The packages are fetched by `apt-get` and unpacked beside the build; nothing is installed. In a
//! mount namespace of its own each program finds them laid over `/usr` and `/etc`. It runs with
//! oxmpi's launcher and a library path; where asked, also on the MPI that it was made for, or that
//! another build of it was made for, and what both say has to be alike ([`list`]).

mod list;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::peers::INTERFACES;
use crate::peers::{self, Interface};
use crate::world::{row, Tally, World};
use list::{programs, Program, Say};
use xtask::shell::{self, Job, Outcome};
use xtask::{fsio, names};

/// How long a program may take.
const LIMIT: Duration = Duration::from_secs(300);

/// The programs of small packages, which take a few seconds, by what they have to say.
pub fn small(world: &World) -> Result<Tally, String> {
    run(world, |program| program.is_small(), false)
}

/// All programs, each beside its run on its own MPI.
pub fn all(world: &World) -> Result<Tally, String> {
    named(world, &[])
}

/// Runs the programs whose name, with its interface and its ranks, has one of the texts.
pub fn named(world: &World, texts: &[String]) -> Result<Tally, String> {
    let has = |program: &Program, text: &String| program.row().contains(text.as_str());
    let unknown = |text: &&String| !programs().iter().any(|program| has(program, text));
    if let Some(text) = texts.iter().find(unknown) {
        let rows: Vec<String> = programs().iter().map(Program::row).collect();
        let known = rows.iter().map(String::as_str);
        return Err(names::unknown("program of other MPIs", text, known));
    }
    peers::apt_install(&["openmpi-bin", "mpich"])?;
    let wanted =
        |program: &Program| texts.is_empty() || texts.iter().any(|text| has(program, text));
    run(world, wanted, true)
}

fn run(world: &World, wanted: impl Fn(&Program) -> bool, beside: bool) -> Result<Tally, String> {
    let mut tally = Tally::default();
    if let Err(why) = namespaces() {
        println!("      left out: {why}");
        return Ok(tally);
    }
    let mut programs = programs();
    programs.retain(wanted);
    let root = unpacked(&programs)?;
    let place = fsio::target_dir().join("binaries").join("run");
    fsio::make_folder(&place)?;
    let kept = RefCell::default();
    for interface in &INTERFACES {
        let of_it = |program: &&Program| program.interface == interface.key;
        let of_it: Vec<&Program> = programs.iter().filter(of_it).collect();
        let python = environment(interface, &of_it)?;
        for program in of_it {
            let start = Start {
                world,
                root: &root,
                place: &place,
                python: python.as_deref(),
                interface,
                program,
                kept: &kept,
            };
            let name = program.row();
            let judge = || start.judge(beside);
            let answer = if beside { row(&name, judge) } else { judge() };
            tally.count(&name, answer);
        }
    }
    Ok(tally)
}

/// Returns an error where a folder cannot be mounted over another.
fn namespaces() -> Result<(), String> {
    let may = Job::new("unshare").args(["-m", "true"]).run();
    match shell::find("unshare").is_some() && may.is_ok_and(|outcome| outcome.succeeded()) {
        true => Ok(()),
        false => Err("this user may not make mount namespaces".to_string()),
    }
}

/// Returns names in their order, each once.
fn each_once<'a>(names: impl Iterator<Item = &'a &'static str>) -> Vec<&'static str> {
    names
        .copied()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// Fetches the packages of the programs with all that these need, and unpacks what is new.
fn unpacked(programs: &[Program]) -> Result<PathBuf, String> {
    let folder = fsio::target_dir().join("binaries");
    let (root, archives) = (folder.join("root"), folder.join("archives"));
    fsio::make_folder(&archives.join("partial"))?;
    fsio::make_folder(&root.join("usr"))?;
    fsio::make_folder(&root.join("etc"))?;
    let packages = each_once(programs.iter().flat_map(|of| of.packages));
    let stamp = folder.join("unpacked.stamp");
    let done = fsio::read(&stamp).unwrap_or_default();
    if packages
        .iter()
        .all(|of| done.lines().any(|line| line == *of))
    {
        return Ok(root);
    }
    println!("  fetching the Debian packages {}", packages.join(" "));
    let cache = format!("Dir::Cache::archives={}", archives.display());
    let fetch = |order: &[&str]| {
        let job = Job::new("apt-get").args(["-q", "-y", "-o", "Debug::NoLocking=1", "-o", &cache]);
        job.args(order).limit(Duration::from_secs(900)).ok()
    };
    let mut order = vec!["--download-only", "--no-install-recommends", "install"];
    order.extend(&packages);
    // Lists of packages that are old, or none, name files that are not there.
    if fetch(&order).is_err() {
        peers::apt_update()?;
        fetch(&order)?;
    }
    for archive in fsio::files_below(&archives, "deb")? {
        Job::new("dpkg").arg("-x").args([&archive, &root]).ok()?;
    }
    set_up(&root)?;
    fsio::write(&stamp, &format!("{done}{}\n", packages.join("\n")))?;
    Ok(root)
}

/// Does what the packages do when they are installed, as far as a program needs it.
fn set_up(root: &Path) -> Result<(), String> {
    let settings = root.join("usr/lib/R/etc/Renviron.ucf");
    if settings.exists() {
        fsio::write(&root.join("etc/R/Renviron"), &fsio::read(&settings)?)?;
    }
    // Names that belong to the system of alternatives.
    let libraries = root.join("usr/lib/x86_64-linux-gnu");
    for library in ["blas/libblas.so.3", "lapack/liblapack.so.3"] {
        let file = libraries.join(library);
        if file.exists() {
            let name = file.file_name().unwrap_or_default();
            fsio::link(library, &libraries.join(name))?;
        }
    }
    Ok(())
}

/// Makes an environment with the Python packages of the programs, if they have any.
fn environment(interface: &Interface, programs: &[&Program]) -> Result<Option<PathBuf>, String> {
    let wheels = each_once(programs.iter().flat_map(|of| of.wheels));
    if wheels.is_empty() {
        return Ok(None);
    }
    let venv = peers::venv(&fsio::target_dir().join(format!("binaries/python-{}", interface.key)))?;
    let pip = Job::new(venv.join("bin/pip")).args(["-q", "install"]);
    pip.args(wheels).limit(Duration::from_secs(900)).ok()?;
    Ok(Some(venv))
}

/// A program that is started.
#[derive(Clone, Copy)]
struct Start<'a> {
    world: &'a World,
    root: &'a Path,
    place: &'a Path,
    /// The environment with the Python packages for this interface.
    python: Option<&'a Path>,
    interface: &'static Interface,
    program: &'a Program,
    /// Lines that programs said on their own MPIs, by their rows.
    kept: &'a RefCell<HashMap<String, Vec<String>>>,
}

impl Start<'_> {
    fn judge(&self, beside: bool) -> Result<(), String> {
        self.prepare()?;
        let outcome = self.command(&self.ours())?;
        let said = self.said(&outcome);
        let ends_so = self.program.hangs() || self.program.aborts();
        if !outcome.succeeded() && !ends_so {
            return Err(outcome.reason());
        }
        let about_us = |line: &&str| line.starts_with("mpirun:") || line.starts_with("oxmpi:");
        let line_of_ours = outcome.err.lines().find(about_us);
        if let Some(line) = line_of_ours.filter(|_| !ends_so) {
            return Err(format!("a line that nobody asked for: {line}"));
        }
        if said.is_empty() {
            return Err(format!("it says nothing of {:?}", self.program.says));
        }
        if let Some(bad) = said.iter().find(|line| self.program.is_bad(line)) {
            return Err(format!("it says `{bad}`"));
        }
        // How far one comes that waits for ever depends on the machine.
        match beside && !self.program.hangs() {
            true => self.alike(&said),
            false => Ok(()),
        }
    }

    /// Compares what it says with what it, or another build of it, says on its own MPI.
    fn alike(&self, said: &[String]) -> Result<(), String> {
        let other = list::compared_with(self.program);
        let interface = Interface::of(other.interface).unwrap_or(self.interface);
        let start = Start {
            program: &other,
            interface,
            ..*self
        };
        let expected = start.on_its_own()?;
        let own_fails = expected.iter().any(|line| self.program.is_bad(line));
        let differs =
            |(ours, own): &(&String, &String)| !self.program.are_alike(ours, own, own_fails);
        if said.len() != expected.len() {
            let (ours, own) = (said.len(), expected.len());
            return Err(format!("{ours} lines of interest, {own} on its own MPI"));
        }
        match said.iter().zip(&expected).find(differs) {
            Some((ours, own)) => Err(format!("`{ours}`, on its own MPI `{own}`")),
            None => Ok(()),
        }
    }

    /// Returns what it says on its own MPI, which is asked once.
    fn on_its_own(&self) -> Result<Vec<String>, String> {
        let row = self.program.row();
        let kept = self.kept.borrow().get(&row).cloned();
        if let Some(said) = kept {
            return Ok(said);
        }
        self.prepare()?;
        let from_elsewhere = !self.program.wheels.is_empty();
        let own = self.interface.own(self.program.ranks, from_elsewhere)?;
        let own = self.command(&own)?;
        if !own.succeeded() && !self.program.aborts() {
            return Err(format!("on its own MPI: {}", own.reason()));
        }
        let said = self.said(&own);
        self.kept.borrow_mut().insert(row, said.clone());
        Ok(said)
    }

    fn said(&self, outcome: &Outcome) -> Vec<String> {
        let shown = fsio::read(&self.place.join(self.program.shows)).unwrap_or_default();
        said(
            self.program,
            &format!("{}\n{}\n{shown}", outcome.out, outcome.err),
        )
    }

    fn prepare(&self) -> Result<(), String> {
        let file = |(name, text): &(&str, &str)| fsio::write(&self.place.join(name), text);
        self.program.files.iter().try_for_each(file)?;
        match self.program.prepare {
            "" => Ok(()),
            command => self.inside(&["sh", "-c", command], "").map(drop),
        }
    }

    fn ours(&self) -> Vec<String> {
        let library = self.world.prefix.join("lib").join(self.interface.key);
        let path = format!("LD_LIBRARY_PATH={}", library.display());
        let launcher = self.world.bin("mpirun").display().to_string();
        let ranks = self.program.ranks.to_string();
        let (name, behind) = self.program.path;
        let more = format!("{name}={}:{behind}", library.display());
        let words = ["env", &path, &more, &launcher, "-n", &ranks];
        let words = words.iter().filter(|word| !word.starts_with('='));
        words.map(|word| word.to_string()).collect()
    }

    /// Runs the program by a launcher.
    fn command(&self, launcher: &[String]) -> Result<Outcome, String> {
        let mut words: Vec<&str> = launcher.iter().map(String::as_str).collect();
        words.extend(self.program.command);
        self.inside(&words, self.program.input)
    }

    /// Runs a command with the packages laid over `/usr` and `/etc`.
    fn inside(&self, words: &[&str], input: &str) -> Result<Outcome, String> {
        let over = |folder: &str| {
            let root = self.root.display();
            format!("mount -t overlay overlay -o lowerdir={root}/{folder}:/{folder} /{folder}")
        };
        let folder = match self.program.folder {
            "" => self.place.display().to_string(),
            folder => folder.to_string(),
        };
        let script = format!(
            "{} && {} && cd {folder} && exec \"$@\"",
            over("usr"),
            over("etc")
        );
        let input = match input.strip_prefix('<') {
            Some(file) => fsio::read(&self.root.join(file))?,
            None => input.to_string(),
        };
        let limit = match self.program.hangs() {
            true => Duration::from_secs(30),
            false => LIMIT,
        };
        let mut path = std::env::var("PATH").unwrap_or_default();
        if let Some(venv) = self.python.filter(|_| !self.program.wheels.is_empty()) {
            path = format!("{}/bin:{path}", venv.display());
        }
        Job::new("unshare")
            .args(["-m", "sh", "-c", &script, "sh"])
            .args(words)
            .env("PATH", &path)
            .stdin(&input)
            .limit(limit)
            .run()
    }
}

/// Returns the lines of a program's output that matter, or how many there are.
fn said(program: &Program, text: &str) -> Vec<String> {
    let has = |line: &&str| program.says.iter().any(|key| line.contains(key));
    let counted = || text.lines().filter(|line| program.is_compared(line));
    let lines = counted().filter(has);
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    match program.how {
        Say::Lines | Say::Near => lines.map(plain).collect(),
        Say::Counts => {
            let count = |key: &&str| counted().filter(|line| line.contains(key)).count();
            let counts = program
                .says
                .iter()
                .map(|key| format!("{} {key}", count(key)));
            counts.collect()
        }
    }
}
