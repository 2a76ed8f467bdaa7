//! `cargo xtask fuzz`: fuzzes the decoders of bytes from peers and launchers.
//!
//! The targets are the programs of the package `fuzz/`, which is laid out for cargo-fuzz and does
//! not need it: this builds them, with the coverage that libFuzzer reads and with the address
//! sanitizer, and runs one after the other, the time shared among them. An installed compiler is
//! enough: the one switch that only nightly compilers take is unlocked (`RUSTC_BOOTSTRAP`).
//!
//! Inputs that a fuzzer finds worth remembering stay below `target/fuzz`; `--keep` copies those
//! that reach new code into the corpus in `fuzz/corpus`, which every `cargo test` replays. A
//! finding is stored in `target/fuzz/findings`, and ends the run with an error that names it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::fsio;
use crate::shell::{self, Job};

/// Flags for coverage as cargo-fuzz sets them, and for the address sanitizer.
const FLAGS: &[&str] = &[
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions",
    "-Ccodegen-units=1",
    "-Zsanitizer=address",
];

/// Longest input: every parser has seen all it can by then.
const INPUT_BYTES_MAX: usize = 4096;
/// Slowest that one input may be, in seconds.
const INPUT_SECONDS_MAX: u64 = 10;

/// Builds the targets and runs them.
pub fn run(options: &Options) -> Result<(), String> {
    let targets = targets(&options.only)?;
    if options.list {
        targets.iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    println!("building {} targets", targets.len());
    build()?;
    let seconds = (options.seconds / targets.len() as u64).max(1);
    let mut findings = Vec::new();
    for name in &targets {
        match hunt(name, seconds, options.keep) {
            Ok(summary) => println!("  {name}: {summary}"),
            Err(why) => {
                println!("  {name}: {why}");
                findings.push(name.as_str());
            }
        }
    }
    if findings.is_empty() {
        println!("no finding in {} seconds", seconds * targets.len() as u64);
        return Ok(());
    }
    Err(format!("findings in {}", findings.join(", ")))
}

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Seconds for all targets together
    #[arg(long, value_name = "N", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Only targets whose name has this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Print the targets
    #[arg(long)]
    list: bool,
    /// Copy inputs that reach new code into fuzz/corpus
    #[arg(long)]
    keep: bool,
}

fn package() -> PathBuf {
    fsio::root().join("fuzz")
}

/// Below `target/fuzz`.
fn folder(name: &str) -> PathBuf {
    fsio::target_dir().join("fuzz").join(name)
}

/// Returns the target triple of the build. Naming it excludes the sanitizer from build scripts.
fn triple() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

/// The names of the targets that have `only` in them.
fn targets(only: &str) -> Result<Vec<String>, String> {
    let files = fsio::files_below(&package().join("fuzz_targets"), "rs")?;
    let stems = files.iter().filter_map(|file| file.file_stem());
    let names: Vec<String> = stems
        .map(|stem| stem.to_string_lossy().into_owned())
        .filter(|name| name.contains(only))
        .collect();
    match names.is_empty() {
        true => Err(format!("no target has {only:?} in its name (--list)")),
        false => Ok(names),
    }
}

fn build() -> Result<(), String> {
    Job::new(shell::cargo())
        .args(["build", "--release", "--bins", "--target", &triple()])
        .folder(&package())
        .env("CARGO_TARGET_DIR", folder(""))
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        .env("RUSTC_BOOTSTRAP", "1")
        .limit(Duration::from_secs(900))
        .ok()
        .map(drop)
}

/// Runs one target for some seconds; returns how many inputs it saw, or what it found.
fn hunt(name: &str, seconds: u64, keep: bool) -> Result<String, String> {
    let (seeds, found) = (
        package().join("corpus").join(name),
        folder("corpus").join(name),
    );
    let findings = folder("findings");
    for folder in [&seeds, &found, &findings] {
        fsio::make_folder(folder)?;
    }
    let outcome = fuzzer(name)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={INPUT_BYTES_MAX}"))
        .arg(format!("-timeout={INPUT_SECONDS_MAX}"))
        .arg(format!("-artifact_prefix={}/{name}-", findings.display()))
        .arg("-print_final_stats=1")
        .args([&found, &seeds])
        .limit(Duration::from_secs(seconds + 120))
        .run()?;
    if !outcome.succeeded() {
        let written = last_after(&outcome.err, "Test unit written to ");
        let reason = last_after(&outcome.err, "panicked at ")
            .or(last_after(&outcome.err, "SUMMARY: "))
            .unwrap_or_else(|| outcome.reason());
        let input = written.unwrap_or_else(|| "no input was written".into());
        return Err(format!("{reason} ({input})"));
    }
    if keep {
        merge(name, &seeds, &found)?;
    }
    let stat = |stat: &str| last_after(&outcome.err, stat).unwrap_or_default();
    Ok(format!(
        "{} inputs in {seconds} s, {} edges reached",
        stat("stat::number_of_executed_units:").trim(),
        stat(" cov: ").split(' ').next().unwrap_or_default()
    ))
}

/// Brings into the corpus what reaches code that nothing in it reaches.
fn merge(name: &str, seeds: &Path, found: &Path) -> Result<(), String> {
    fuzzer(name)
        .args(["-set_cover_merge=1", "-use_counters=0"])
        .args([seeds, found])
        .ok()
        .map(drop)
}

fn fuzzer(name: &str) -> Job {
    Job::new(folder(&triple()).join("release").join(name)).folder(&folder(""))
}

/// Returns the text after the last occurrence of `mark`, up to the end of its line.
fn last_after(text: &str, mark: &str) -> Option<String> {
    let (_, rest) = text.rsplit_once(mark)?;
    rest.lines().next().map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target without a corpus would never be replayed, and a corpus without a target neither.
    #[test]
    fn every_target_has_a_program_a_corpus_and_a_row() {
        let manifest = fsio::read(&package().join("Cargo.toml")).unwrap();
        let names = targets("").unwrap();
        for name in &names {
            assert!(
                manifest.contains(&format!("name = \"{name}\"")),
                "{name} is not built"
            );
            let corpus = package().join("corpus").join(name);
            let files = std::fs::read_dir(&corpus).unwrap().count();
            assert!(files > 0, "{name} has no corpus");
        }
        let corpora = std::fs::read_dir(package().join("corpus")).unwrap();
        assert_eq!(corpora.count(), names.len());
        assert!(targets("no such target").is_err());
    }

    #[test]
    fn the_last_words_are_found() {
        let text = "cov: 1 x\n#2 cov: 33 ft: 4\nstat::number_of_executed_units: 77\n";
        assert_eq!(last_after(text, "cov: ").unwrap(), "33 ft: 4");
        assert_eq!(last_after(text, "units:").unwrap(), " 77");
        assert_eq!(last_after(text, "nothing"), None);
    }
}
