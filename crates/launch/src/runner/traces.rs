//! The trace of a job: the recordings of its ranks, gathered as they come, and the files and the
//! table that are made of them when all ranks have ended.
//!
//! The files are made before anything is started: a name that cannot be had is an error then, not
//! after an hour.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use base::addr2line;
use trace::layout::Keep;
use trace::merge::{self, Trace};
use trace::read::Rank;

use launch_plan::request::Tracing;
use launch_plan::Error;

/// The most that a recording may have: it came from another host.
const RECORDING_BYTES_MAX: usize = 4 << 30;
/// How many addresses are looked up by one run of addr2line.
const ADDRESSES_AT_ONCE: usize = 500;

/// The trace of a job under way.
pub(super) struct Traces {
    summary: bool,
    files: Vec<(String, File)>,
    /// The recordings, by the numbers of the processes.
    recordings: BTreeMap<u32, Vec<u8>>,
}

impl Traces {
    /// Makes the files of a trace; `None` where none is wanted.
    ///
    /// # Errors
    /// When a file cannot be made.
    pub(super) fn open(tracing: &Tracing) -> Result<Option<Traces>, Error> {
        if !tracing.is_wanted() {
            return Ok(None);
        }
        let open = |name: &String| match File::create(name) {
            Ok(file) => Ok((name.clone(), file)),
            Err(error) => Err(Error::Parameters(format!(
                "trace file {name} cannot be written: {error}"
            ))),
        };
        Ok(Some(Traces {
            summary: tracing.summary,
            files: tracing.files.iter().map(open).collect::<Result<_, _>>()?,
            recordings: BTreeMap::new(),
        }))
    }

    /// Takes in a part of the recording of a process. A part at 0 begins a new one: that of a next
    /// life.
    pub(super) fn take(&mut self, number: u32, at: u64, bytes: &[u8]) {
        let recording = self.recordings.entry(number).or_default();
        if at == 0 {
            recording.clear();
        }
        if recording.len() as u64 == at && recording.len() + bytes.len() <= RECORDING_BYTES_MAX {
            recording.extend_from_slice(bytes);
        }
    }

    /// Writes the files of a job that has ended, whose processes ran on these hosts.
    pub(super) fn write(self, host_of: impl Fn(u32) -> merge::Host) -> Report {
        let mut report = Report::default();
        let mut ranks = Vec::new();
        for (number, bytes) in &self.recordings {
            match Rank::read(bytes) {
                Ok(rank) if rank.pid != 0 => ranks.push((rank, host_of(*number))),
                Ok(_) => {}
                Err(why) => report.said.push(format!("rank {number}: {why}")),
            }
        }
        drop(self.recordings);
        name_places(&mut ranks);
        let trace = merge::merge(ranks);
        for (name, file) in self.files {
            report.said.push(match write(&trace, &name, file) {
                Ok(()) => format!("trace: {name}: {}", contents(&trace)),
                Err(error) => {
                    report.has_failed = true;
                    format!("trace file {name} could not be written: {error}")
                }
            });
        }
        if self.summary {
            report.table = trace::summary::table(&trace);
        }
        report
    }
}

/// Texts for the user about a trace that was written.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// Lines of the launcher's.
    pub(super) said: Vec<String>,
    /// The table, where it is wanted.
    pub(super) table: String,
    /// Whether a file could not be written.
    pub(super) has_failed: bool,
}

/// Reports how much a trace has, and which records were dropped.
fn contents(trace: &Trace) -> String {
    let lines = trace.ranks.iter().map(|line| &line.rank);
    let kept: usize = lines.clone().map(|rank| rank.records.len()).sum();
    let made: u64 = lines.clone().map(|rank| rank.made).sum();
    let ranks = trace.ranks.len();
    let messages = trace.messages.len();
    let text = format!("{kept} records of {ranks} ranks, {messages} messages");
    let keep = lines.clone().next().map_or(Keep::Newest, |rank| rank.keep);
    match made > kept as u64 {
        true => {
            let which = match keep {
                Keep::Newest => "newest",
                Keep::Slowest => "slowest",
            };
            format!("{text}; only the {which} of {made} were kept (--trace-records, --trace-keep)")
        }
        false => text,
    }
}

/// Writes a trace in the form that the name of its file asks for.
fn write(trace: &Trace, name: &str, file: File) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let extension = Path::new(name).extension().and_then(|e| e.to_str());
    match extension {
        Some("prv") => {
            let paraver = trace::paraver::Files::of(trace);
            out.write_all(paraver.prv.as_bytes())?;
            for (other, text) in [("pcf", &paraver.pcf), ("row", &paraver.row)] {
                std::fs::write(Path::new(name).with_extension(other), text)?;
            }
        }
        Some("svg") => out.write_all(trace::svg::picture(trace).as_bytes())?,
        _ => trace::json::write(trace, &mut out)?,
    }
    out.flush()
}

/// Names the positions of calls by function and line, as far as `addr2line` is there and the
/// programs are on this host and have the names.
fn name_places(ranks: &mut [(Rank, merge::Host)]) {
    let mut files: BTreeMap<String, BTreeMap<u64, String>> = BTreeMap::new();
    for site in ranks.iter().flat_map(|(rank, _)| &rank.sites) {
        if !site.file.is_empty() {
            files
                .entry(site.file.clone())
                .or_default()
                .insert(site.address, String::new());
        }
    }
    for (file, addresses) in &mut files {
        let all: Vec<u64> = addresses.keys().copied().collect();
        for some in all.chunks(ADDRESSES_AT_ONCE) {
            for (address, name) in some.iter().zip(addr2line::lines_of(file, some)) {
                addresses.insert(*address, name);
            }
        }
    }
    for site in ranks.iter_mut().flat_map(|(rank, _)| &mut rank.sites) {
        let name = files
            .get(&site.file)
            .and_then(|file| file.get(&site.address));
        match name.filter(|name| !name.is_empty()) {
            Some(name) => site.symbol = name.clone(),
            None => site.symbol = addr2line::by_address(&site.file, &site.symbol, site.address),
        }
    }
}
