//! Finds loads on the path of an access that cannot be forwarded from recent stores.
//!
//! A load that overlaps a recent store only in part is not served from the processor's store
//! buffer. It waits until that store and all before it have reached the cache, including those to
//! lines that another core holds. So a header that is stored word by word and copied with vectors
//! costs as much as the one-way latency of a short message. Counts of instructions do not show
//! that, nor do timings on a busy machine.
//!
//! Valgrind lists the loads and stores of a process. This module searches the list for such loads
//! in the library that occur with every access.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::count::watched;
use crate::world::Tally;
use xtask::fsio;
use xtask::shell::{Job, Outcome};

/// Accesses of each kind. What happens half as often, happens with each of some kind.
const TIMES: usize = 100;

/// Instructions for which a store may not have left yet.
const RECENT: u64 = 120;

/// A load that waits, by the address of its instruction, and how often.
type Waits = HashMap<u64, usize>;

/// Checks both sides.
pub fn tally(mpirun: &Path, program: &Path) -> Tally {
    let mut tally = Tally::default();
    for (rank, side) in ["origin", "target"].into_iter().enumerate() {
        let name = format!("loads that wait for stores at the {side}");
        tally.count(&name, look_at(mpirun, program, rank));
    }
    tally
}

fn look_at(mpirun: &Path, program: &Path, traced: usize) -> Result<(), String> {
    let list = fsio::target_dir().join("test/loads-and-stores");
    let outcome = run(mpirun, program, traced, &list);
    let waits = outcome.and_then(|outcome| {
        let marks: Vec<u64> = told(&outcome.err, "mark ").collect();
        Ok((waits_in(&list, &marks)?, outcome))
    });
    let _ = fs::remove_file(&list);
    let (waits, outcome) = waits?;
    let found: Vec<String> = waits
        .into_iter()
        .filter(|(_, times)| *times >= TIMES / 2)
        .filter_map(|(at, times)| {
            let place = place(&outcome.err, at)?;
            Some(format!(
                "{place}, {times} times in {TIMES} accesses of each kind"
            ))
        })
        .collect();
    match found.is_empty() {
        true => Ok(()),
        false => Err(found.join("; ")),
    }
}

fn run(mpirun: &Path, program: &Path, traced: usize, list: &Path) -> Result<Outcome, String> {
    let options = [
        "--tool=lackey".to_string(),
        "--trace-mem=yes".to_string(),
        format!("--log-file={}", list.display()),
    ];
    let line = [program.as_os_str().to_owned(), TIMES.to_string().into()];
    watched(mpirun, traced, &options, &line).ok()
}

/// The addresses behind a word that the program said.
fn told<'a>(said: &'a str, word: &'a str) -> impl Iterator<Item = u64> + 'a {
    let lines = said.lines().filter_map(move |line| line.strip_prefix(word));
    lines.filter_map(|line| address(line.split(' ').next()?))
}

fn address(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}

/// The loads that wait, of a list of instructions (`I`), loads (`L`), stores (`S`) and what is both
/// (`M`): from one store to a mark to the next.
fn waits_in(list: &Path, marks: &[u64]) -> Result<Waits, String> {
    let file = fs::File::open(list).map_err(|error| format!("{}: {error}", list.display()))?;
    let (mut waits, mut stores) = (Waits::new(), VecDeque::new());
    let (mut instruction, mut count) = (0, 0_u64);
    let (mut is_among, mut marked) = (false, false);
    for line in BufReader::new(file).split(b'\n') {
        let line = line.map_err(|error| format!("{}: {error}", list.display()))?;
        let Some((kind, first, bytes)) = entry(&line) else {
            continue;
        };
        if kind == b'I' {
            (instruction, count) = (first, count + 1);
            continue;
        }
        let end = first + bytes;
        is_among ^= kind == b'S' && marks.contains(&first);
        marked |= is_among;
        if kind != b'S' && is_among {
            // The youngest store that it takes bytes of.
            let recent = stores.iter().rev();
            let mut recent = recent.take_while(|(_, _, at)| count - at <= RECENT);
            let met = recent.find(|(begin, stop, _)| *begin < end && first < *stop);
            if met.is_some_and(|(begin, stop, _)| first < *begin || end > *stop) {
                *waits.entry(instruction).or_default() += 1;
            }
        }
        if kind != b'L' {
            stores.push_back((first, end, count));
            if stores.len() > RECENT as usize {
                stores.pop_front();
            }
        }
    }
    match marked {
        true => Ok(waits),
        false => Err("the mark was never written: nothing was looked through".into()),
    }
}

/// A line of the list: what, where, and how many bytes.
fn entry(line: &[u8]) -> Option<(u8, u64, u64)> {
    let text = std::str::from_utf8(line).ok()?.trim_start();
    let kind = *text.as_bytes().first()?;
    if !b"ILSM".contains(&kind) {
        return None;
    }
    let (first, bytes) = text[1..].trim_start().split_once(',')?;
    let first = u64::from_str_radix(first, 16).ok()?;
    Some((kind, first, bytes.parse().ok()?))
}

/// The function of the library that an instruction is in, and its line; `None` where it is in none.
fn place(said: &str, at: u64) -> Option<String> {
    let libraries = said
        .lines()
        .filter_map(|line| line.strip_prefix("library "));
    let mut places = libraries.filter_map(|library| {
        let (base, path) = library.split_once(' ')?;
        let len = fs::metadata(path).ok()?.len();
        let offset = at.checked_sub(address(base)?).filter(|at| *at < len)?;
        let job = Job::new("addr2line").args(["-f", "-C", "-e", path]);
        let named = job.arg(format!("{offset:#x}")).ok().ok()?;
        let (function, line) = named.out.split_once('\n')?;
        // Behind the library lie others.
        (function != "??").then(|| format!("{function} at {}", line.trim()))
    });
    places.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loads that wait, of a list whose mark is at 0x5000.
    fn waits_of(name: &str, text: &str) -> Waits {
        let list = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        fs::write(&list, text).unwrap();
        let waits = waits_in(&list, &[0x5000]);
        fs::remove_file(&list).unwrap();
        waits.unwrap()
    }

    #[test]
    fn a_load_waits_that_takes_more_than_one_store_has() {
        let lines = [
            "==1== Lackey",
            " S 5000,4",
            "I  1000,4",
            " S 2000,8",
            "I  1004,4",
            " S 2008,8",
            "I  1008,4",
            " L 2000,16",
            "I  100c,4",
            " L 2004,4",
            "I  1010,4",
            " L 3000,16",
            "I  1014,4",
            " M 2006,4",
            " S 5000,4",
            " M 2006,4",
        ];
        let waits = waits_of("stores", &lines.join("\n"));
        assert_eq!(waits, Waits::from([(0x1008, 1), (0x1014, 1)]));
    }

    #[test]
    fn a_store_of_long_ago_is_not_waited_for() {
        let between = "I  1100,4\n".repeat(RECENT as usize);
        let text = format!(" S 5000,4\nI  1000,4\n S 2000,8\n{between}I  1008,4\n L 2000,16\n");
        let waits = waits_of("old-stores", &text);
        assert!(waits.is_empty(), "{waits:?}");
    }
}
