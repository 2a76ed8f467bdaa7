//! `cargo xtask vm-rdma`: tests over a real RDMA stack, in a virtual machine.
//!
//! A virtual machine boots Debian's kernel with the module `rdma_rxe` (RDMA over Ethernet, in
//! software) on an emulated processor. In it libfabric's `verbs;ofi_rxm` demands what only RDMA
//! hardware demands: registered local memory, keys of the provider's, keys of 4 bytes. There the
//! transport's conformance suite runs, and MPI programs.
//!
//! Nothing is installed on this machine, no module is loaded, no network device made, and no rights
//! are needed: QEMU and what runs inside are Debian packages, unpacked below `target/vm-rdma`
//! ([`packages`]). A run packs the kernel's modules, those packages, the installation and the
//! programs into one archive ([`archive`]), boots it ([`machine`]), and reads from the console how
//! each check went ([`console`]). The console stays in `target/vm-rdma/console.log`.
//!
//! To examine something inside, `--script FILE` runs a shell script of one's own in place of the
//! checks, with their programs at hand.
//!
//! It is slow, so it is run by hand and not by `cargo xtask test`.

mod archive;
mod checks;
mod console;
mod machine;
mod modules;
mod packages;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::archive::Archive;
use self::checks::Plan;
use self::console::Console;
use self::machine::Machine;
use self::modules::Modules;
use self::packages::{folder, Tree};
use xtask::fsio;

/// Packages of the guest: a shell with small tools, the tools for the device, libfabric, the
/// kernel.
const GUEST_PACKAGES: &[&str] = &[
    "busybox-static",
    "iproute2",
    "ibverbs-providers",
    "ibverbs-utils",
    "libfabric-bin",
    "libc-bin",
    "linux-image-amd64",
    "netbase",
    "nfs-common",
    "nfs-kernel-server",
];

/// Paths of the packages that nothing inside ever opens; they would only take memory.
const LEFT_OUT: &[&str] = &[
    "boot",
    "lib/modules",
    "lib/systemd",
    "lib/udev",
    "usr/share",
    "usr/include",
    "usr/lib/klibc",
    "usr/share/initramfs-tools",
];

/// Modules to load, in this order, each after what it needs. `rdma_rxe` requests a checksum of the
/// kernel by name, and nobody inside could load that for it: `crc32_generic` comes first.
const MODULES: &[&str] = &[
    "crc32_generic",
    "veth",
    "bridge",
    "ib_uverbs",
    "rdma_ucm",
    "rdma_rxe",
    "nfsd",
    "nfsv4",
];

/// How long the machine has to boot, and to report that its time is over.
const BOOT_LIMIT: Duration = Duration::from_secs(60);

/// Prepares the virtual machine, runs it and reports how the checks went.
pub fn run(options: &Options) -> Result<(), String> {
    if options.list {
        checks::names().iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    if !cfg!(target_arch = "x86_64") {
        return Err("the virtual machine needs programs built for x86_64".to_string());
    }
    let started = Instant::now();
    println!("[1/4] packages: QEMU, the kernel, libfabric");
    let qemu = Tree::get(folder("qemu"), &["qemu-system-x86"])?;
    let guest = Tree::get(folder("guest"), GUEST_PACKAGES)?;
    println!("[2/4] programs");
    let prefix = options.installation()?;
    let mut plan = Plan::build(&options.only, options.tests.as_deref(), &prefix)?;
    if let Some(script) = &options.script {
        plan.check_only(fsio::read(script)?);
    }
    println!("[3/4] the root of the virtual machine");
    let root = folder("root.cpio");
    let size = pack(&root, &guest, &prefix, &plan, options)?;
    println!("  {} MiB", size >> 20);
    println!("[4/4] {} checks inside", plan.checks.len());
    let machine = Machine {
        qemu: &qemu,
        kernel: &modules::kernel(&guest.path("boot"))?,
        archive: &root,
    };
    let log = folder("console.log");
    let outcome = boot(&machine, &log, &plan, options);
    println!("console: {}", log.display());
    let (passed, failed) = outcome?;
    let took = started.elapsed().as_secs();
    println!("{passed} passed, {} failed in {took} s", failed.len());
    match failed.is_empty() {
        true => Ok(()),
        false => Err(failed.join("; ")),
    }
}

/// Runs the machine; returns the number of checks that passed, and those that failed.
fn boot(
    machine: &Machine,
    log: &Path,
    plan: &Plan,
    options: &Options,
) -> Result<(usize, Vec<String>), String> {
    let mut console = Console::default();
    // The machine watches the time itself, and reports; that it cannot do while it boots or hangs.
    let limit = options.limit + BOOT_LIMIT;
    let ran = machine.run(log, limit, |line| {
        if let Some(shown) = console.line(line) {
            println!("{shown}");
        }
    });
    let complete = console.complete(plan.checks.len());
    match (ran, complete) {
        (_, Ok(())) => Ok((console.passed.len(), console.failed)),
        (Ok(()), Err(why)) => Err(why),
        (Err(why), Err(missing)) => Err(format!("{why}; {missing}")),
    }
}

/// Packs the root of the virtual machine; returns its size in bytes.
fn pack(
    path: &Path,
    guest: &Tree,
    prefix: &Path,
    plan: &Plan,
    options: &Options,
) -> Result<usize, String> {
    let mut archive = Archive::create(path)?;
    archive.text("init", 0o755, include_str!("vm_rdma/init.sh"))?;
    let settings = format!(
        "LIMIT={} CHECK_LIMIT={}\n{}",
        options.limit.as_secs(),
        options.check_limit.as_secs(),
        checks::SETTINGS
    );
    archive.text("etc/settings", 0o644, &settings)?;
    archive.text(
        "etc/hosts",
        0o644,
        "127.0.0.1 localhost\n10.77.0.1 vm\n10.78.0.1 nfs1\n10.78.0.2 nfs2\n",
    )?;
    archive.text("etc/nsswitch.conf", 0o644, "hosts: files\n")?;
    archive.text("etc/passwd", 0o644, "root:x:0:0:root:/root:/bin/sh\n")?;
    archive.tree(&guest.root, "", &|path| !LEFT_OUT.contains(&path))?;
    let modules = Modules::below(&guest.path("lib/modules"))?.in_order(MODULES)?;
    let mut order = String::new();
    for module in modules {
        let name = module.file_name().unwrap_or_default().to_string_lossy();
        archive.file(&module, &format!("modules/{name}"))?;
        order += &format!("{name}\n");
    }
    archive.text("modules/order", 0o644, &order)?;
    if checks::needs_mpi(&options.only) {
        archive.tree(prefix, checks::PREFIX, &|path| path != "include")?;
    }
    archive.text(
        &format!("{}/nfs.sh", checks::PROGRAMS),
        0o755,
        include_str!("vm_rdma/nfs.sh"),
    )?;
    for program in &plan.programs {
        archive.file(
            &program.file,
            &format!("{}/{}", checks::PROGRAMS, program.name),
        )?;
    }
    for (number, check) in plan.checks.iter().enumerate() {
        let name = format!("checks/{number:02}-{}", check.name);
        archive.text(&name, 0o755, &check.script)?;
    }
    archive.finish()
}

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Print the checks
    #[arg(long)]
    list: bool,
    /// Only checks whose name has this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Only tests of crates whose name has this text
    #[arg(long, value_name = "TEXT")]
    tests: Option<String>,
    /// Run a shell script in place of the checks, with their programs at hand
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Test the installation at DIR
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// End the machine after this time
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = seconds)]
    limit: Duration,
    /// End a check after this time
    #[arg(long, value_name = "SECONDS", default_value = "900", value_parser = seconds)]
    check_limit: Duration,
}

impl Options {
    /// The installation that runs inside: the one given, or one that is made now if any check
    /// needs it.
    fn installation(&self) -> Result<PathBuf, String> {
        if let Some(prefix) = &self.prefix {
            return Ok(prefix.clone());
        }
        if checks::needs_mpi(&self.only) {
            return xtask::install::release();
        }
        Ok(fsio::target_dir().join("prefix"))
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 1..=86_400) => Ok(Duration::from_secs(seconds)),
        _ => Err("it takes seconds from 1 to 86400".to_string()),
    }
}
