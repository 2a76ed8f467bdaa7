//! The manual pages of an installation: `mandoc` and `groff` find nothing wrong, and `man` shows
//! them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// Checks every page with both formatters, and asks `man` for some.
pub fn run(world: &World) -> Result<Tally, String> {
    peers::apt_install(&["groff-base", "man-db", "mandoc"])?;
    let mut tally = Tally::default();
    let folder = world.prefix.join("share/man");
    for section in ["1", "3"] {
        let pages = fsio::files_below(&folder.join(format!("man{section}")), section)?;
        let is_own = |page: &&PathBuf| !page.is_symlink();
        let pages: Vec<&PathBuf> = pages.iter().filter(is_own).collect();
        tally.count(
            &format!("mandoc, section {section}, {} pages", pages.len()),
            silent(
                Job::new("mandoc").args(["-T", "lint", "-W", "warning"]),
                &pages,
            ),
        );
        tally.count(
            &format!("groff, section {section}"),
            silent(
                Job::new("groff").args(["-man", "-Tutf8", "-ww", "-z"]),
                &pages,
            ),
        );
    }
    for (page, parts) in [
        (
            "MPI_Send",
            &[
                "int MPI_Send(const void *buf",
                "use mpi_f08",
                "MPI_ERR_RANK",
            ][..],
        ),
        (
            "MPI_Igatherv_c",
            &["MPI_Igatherv", "without waiting", "MPI_Count recvcounts[]"],
        ),
        ("mpifort", &["-showme:link", "OXMPI_CC"]),
        ("mpiexec", &["--map-by"]),
        ("oxmpi-server", &["--report-uri"]),
    ] {
        tally.count(&format!("man {page}"), shown(&world.prefix, page, parts));
    }
    Ok(tally)
}

fn silent(job: Job, pages: &[&PathBuf]) -> Result<(), String> {
    let said = job.args(pages).limit(Duration::from_secs(120)).run()?;
    match said.succeeded() && said.out.is_empty() && said.err.is_empty() {
        true => Ok(()),
        false => Err(format!("{}{}", said.out, said.err)),
    }
}

/// Asks `man` for a page as a user does who has the installation in the `PATH`.
fn shown(prefix: &Path, page: &str, parts: &[&str]) -> Result<(), String> {
    let path = format!("{}:/usr/bin:/bin", prefix.join("bin").display());
    let said = Job::new(shell::find("man").unwrap_or("man".into()))
        .arg(page)
        .env("PATH", path)
        .env("MANPATH", "")
        .env("MANWIDTH", "100")
        .env("LC_ALL", "C")
        .ok()?;
    let words: Vec<&str> = said.out.split_whitespace().collect();
    let text = words.join(" ");
    match parts.iter().find(|part| !text.contains(**part)) {
        None => Ok(()),
        Some(part) => Err(format!("no `{part}` in {text}")),
    }
}
