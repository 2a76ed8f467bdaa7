//! A program with rights that its caller lacks: nothing that the caller's variables and home name
//! is loaded, read or written.

use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::programs::compile;
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{install, Job, Outcome};

/// The user that calls what belongs to root, and a group of his.
const CALLER: u32 = 65534;

/// Variables with which a caller directs a program, where `%` stands for the folder of the bait.
/// Each shows in a program without further rights, by a word of what is printed or by a file.
const BAITS: &[(&str, &[(&str, &str)])] = &[
    (
        "the library of PMIx",
        &[
            ("PMIX_NAMESPACE", "x"),
            ("PMIX_RANK", "0"),
            ("OXMPI_PMIX_LIBRARY", "%/libbait-fi.so"),
        ],
    ),
    (
        "libfabric",
        &[
            ("OXMPI_MCA_pml", "cm"),
            ("OXMPI_MCA_opal_common_ofi_library", "%/libbait-fi.so"),
        ],
    ),
    (
        "libfabric, as the launcher's command line",
        &[
            ("OXMPI_MCACMD_pml", "cm"),
            ("OXMPI_MCACMD_opal_common_ofi_library", "%/libbait-fi.so"),
        ],
    ),
    (
        "providers of libfabric",
        &[("OXMPI_MCA_pml", "cm"), ("FI_PROVIDER_PATH", "%")],
    ),
    ("a file in HOME", &[("HOME", "%")]),
    ("a parameter of Open MPI", &[("OMPI_MCA_btl", "bait")]),
    (
        "a file of names",
        &[("OXMPI_MCA_mpi_name_server", "file:%/bait-names/names")],
    ),
    ("hints of files", &[("ROMIO_PRINT_HINTS", "1")]),
    (
        "the libraries of the loader",
        &[("LD_PRELOAD", "%/libbait-fi.so")],
    ),
];

/// Words by which a bait that was taken shows.
const TAKEN: [&str; 3] = ["bait", "romio_", "exit code"];

/// Runs all; left out, with a message, where this user cannot make such a program.
pub fn run(world: &World, tally: &mut Tally) -> Result<(), String> {
    if !peers::is_root() {
        println!("      programs with rights of others are left out: this user is not root");
        return Ok(());
    }
    let place = SharedFolder::make(world)?;
    for (name, variables) in BAITS {
        tally.count(&format!("setuid: {name}"), place.bait(name, variables));
    }
    tally.count("setuid: a launcher of others", place.other_launcher());
    tally.count("setuid: a program that spawns", place.spawn());
    tally.count("setgid: a job of mpirun", place.job(world));
    tally.count("a setuid mpirun", place.launcher(world));
    Ok(())
}

/// A folder that every user reaches, with the program in three forms and the bait.
struct SharedFolder(PathBuf);

impl SharedFolder {
    fn make(world: &World) -> Result<SharedFolder, String> {
        let folder = std::env::temp_dir().join(format!("oxmpi-secure-{}", std::process::id()));
        fsio::make_folder(&folder.join(".oxmpi"))?;
        fsio::make_folder(&folder.join("bait-names"))?;
        let place = SharedFolder(folder);
        let source = fsio::root().join("tests/environment/secure.c");
        let program = compile(world, &source, &[])?;
        for (name, mode) in [("plain", "755"), ("setuid", "4755"), ("setgid", "2755")] {
            place.copy(&program, name, mode)?;
        }
        fsio::write(&place.at(".oxmpi/mca-params.conf"), "btl = bait\n")?;
        let bait = place.at("bait.c");
        fsio::write(
            &bait,
            "#include <unistd.h>\n\
             __attribute__((constructor)) static void on_load(void)\n\
             { if (write(2, \"bait\\n\", 5)) {} }\n",
        )?;
        let cc = Job::new("cc").args(["-shared", "-fPIC", "-o"]);
        cc.arg(place.at("libbait-fi.so")).arg(&bait).ok()?;
        let error = |error: std::io::Error| error.to_string();
        for folder in [&place.0, &place.at("bait-names")] {
            chown(folder, Some(CALLER), None).map_err(error)?;
        }
        Ok(place)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Copies a program of root's; one with the rights of its group is of the caller's group.
    fn copy(&self, program: &Path, name: &str, mode: &str) -> Result<(), String> {
        let group = if mode == "2755" { CALLER } else { 0 }.to_string();
        let words = ["-m", mode, "-o", "0", "-g", &group];
        install(program, &self.at(name), &words)
    }

    /// Runs a form of the program as the caller.
    fn call(&self, form: &str, variables: &[(&str, &str)]) -> Result<Outcome, String> {
        // What the variables name is for the program alone, not for what starts it.
        let mut job = Job::new("setpriv")
            .arg(format!("--reuid={CALLER}"))
            .arg(format!("--regid={CALLER}"))
            .args(["--clear-groups", "env", "HOME=/nowhere"])
            .folder(&self.0)
            .limit(Duration::from_secs(30));
        for (name, value) in variables {
            let value = value.replace('%', &self.0.display().to_string());
            job = job.arg(format!("{name}={value}"));
        }
        let (file, words) = form.split_once(' ').unwrap_or((form, ""));
        let job = job.arg(self.at(file)).args(words.split_whitespace());
        job.run()
    }

    /// Returns all by which a bait may show after a run.
    fn taken(&self, outcome: &Outcome) -> String {
        let mut shown = format!("{}{}", outcome.out, outcome.err);
        shown += if outcome.code == 0 { "" } else { "exit code" };
        let files = fs::read_dir(self.at("bait-names")).into_iter().flatten();
        let left = files.flatten().count();
        shown += if left == 0 { "" } else { "bait: a file" };
        let _ = fs::remove_file(self.at("bait-names/names"));
        shown
    }

    /// A bait is taken by the plain program, and not by the setuid one.
    fn bait(&self, name: &str, variables: &[(&str, &str)]) -> Result<(), String> {
        let is_taken = |shown: &str| TAKEN.iter().any(|word| shown.contains(word));
        let plain = self.call("plain", variables)?;
        let shown = self.taken(&plain);
        if !is_taken(&shown) || !shown.contains("secure 0") {
            return Err(format!("{name} shows in no program: {shown}"));
        }
        let setuid = self.call("setuid", variables)?;
        let shown = self.taken(&setuid);
        let is_right = shown.contains("secure 1") && shown.contains("size 1\ndone");
        match is_right && !is_taken(&shown) {
            true => Ok(()),
            false => Err(shown),
        }
    }

    /// Another launcher's ranks are not jobs of their own: the error has the reason.
    fn other_launcher(&self) -> Result<(), String> {
        let ranks = [("OMPI_COMM_WORLD_RANK", "0"), ("OMPI_COMM_WORLD_SIZE", "2")];
        let outcome = self.call("setuid", &ranks)?;
        match outcome.code != 0 && outcome.err.contains("joins a job of that mpirun alone") {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    }

    /// The launcher for a spawn would be started with the program's rights.
    fn spawn(&self) -> Result<(), String> {
        let plain = self.call("plain spawn", &[])?;
        let setuid = self.call("setuid spawn", &[])?;
        let is_right = plain.out.contains("spawn: done") || plain.out.contains("cannot be started");
        match is_right && setuid.out.contains("rights that its caller lacks") {
            true => Ok(()),
            false => Err(format!("{} {}", plain.reason(), setuid.reason())),
        }
    }

    /// The connection to the launcher counts, its parameters do not.
    fn job(&self, world: &World) -> Result<(), String> {
        let job = Job::new(world.bin("mpirun")).args(["-n", "2", "--mca", "btl", "self"]);
        let outcome = job.arg(self.at("setgid")).ok()?;
        match outcome.out.matches("secure 1").count() == 2
            && outcome.out.matches("size 2").count() == 2
        {
            true => outcome.none_left(),
            false => Err(outcome.reason()),
        }
    }

    fn launcher(&self, world: &World) -> Result<(), String> {
        self.copy(&world.bin("mpirun"), "mpirun", "4755")?;
        let outcome = self.call("mpirun -n 1 id", &[])?;
        match outcome.code == 2 && outcome.out.is_empty() && outcome.err.contains("setuid") {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    }
}

impl Drop for SharedFolder {
    fn drop(&mut self) {
        // What is left is of no use.
        let _ = fs::remove_dir_all(&self.0);
    }
}
