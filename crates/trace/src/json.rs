//! A trace as Chrome's trace events in JSON, which <https://ui.perfetto.dev>, speedscope and
//! `chrome://tracing` open: a process for each rank, a slice for each call, an arrow for each
//! message.
//!
//! Times are microseconds with a fraction. Slices of one thread are nested or apart; receives that
//! were posted are no slices, since they overlap: their messages are arrows to the call in which
//! they ended.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::layout::{Record, NO_TAG};
use crate::merge::{Line, Trace};
use crate::text::json;

/// Writes a trace.
///
/// # Errors
/// The errors of `out`.
pub fn write(trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
    let mut events = Events { out, any: false };
    for (at, line) in trace.ranks.iter().enumerate() {
        name(&mut events, at, line)?;
    }
    for (at, line) in trace.ranks.iter().enumerate() {
        for (record, times) in line.calls() {
            events.put(&slice(at, line, record, times, ""))?;
        }
        if let Some(record) = &line.rank.pending {
            let begin = line.times.last().map_or(0, |[_, end]| *end).min(trace.span);
            let end = trace.span.max(begin + 1);
            let unfinished = "\"unfinished\":true";
            events.put(&slice(at, line, record, [begin, end], unfinished))?;
        }
    }
    for (id, message) in trace.messages.iter().enumerate() {
        let [from, to] = message.ends;
        let thread =
            |end: usize, side: usize| trace.ranks[end].rank.records[message.records[side]].thread;
        // An arrow leaves and reaches a slice at a moment that lies in it.
        let [sent, arrived] = message.times;
        for (phase, end, at, side) in [("s", from, sent, 0), ("f\",\"bp\":\"e", to, arrived, 1)] {
            events.put(&format!(
                "{{\"ph\":\"{phase}\",\"cat\":\"message\",\"name\":\"message\",\"id\":{id},\
                 \"pid\":{end},\"tid\":{},\"ts\":{}}}",
                thread(end, side),
                micros(at)
            ))?;
        }
    }
    writeln!(events.out, "\n]}}")
}

struct Events<'a> {
    out: &'a mut dyn Write,
    any: bool,
}

impl Events<'_> {
    fn put(&mut self, event: &str) -> io::Result<()> {
        let parted = std::mem::replace(&mut self.any, true);
        write!(self.out, "{}\n{event}", if parted { "," } else { "" })
    }
}

/// Names the process and the threads of a rank.
fn name(events: &mut Events, at: usize, line: &Line) -> io::Result<()> {
    let rank = &line.rank;
    let mut title = format!("rank {} on {} (pid {})", rank.number, line.host, rank.pid);
    if rank.is_cut() {
        let _ = write!(title, ", {} of {} records", rank.records.len(), rank.made);
    }
    for (what, value) in [
        ("process_name", format!("\"name\":{}", json(&title))),
        ("process_sort_index", format!("\"sort_index\":{at}")),
    ] {
        events.put(&format!(
            "{{\"ph\":\"M\",\"name\":\"{what}\",\"pid\":{at},\"args\":{{{value}}}}}"
        ))?;
    }
    let mut threads: Vec<u8> = rank.records.iter().map(|record| record.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    for thread in threads {
        events.put(&format!(
            "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{at},\"tid\":{thread},\
             \"args\":{{\"name\":\"thread {thread}\"}}}}"
        ))?;
    }
    Ok(())
}

/// The slice of a call, with a first argument where it has one.
fn slice(
    at: usize,
    line: &Line,
    record: &Record,
    [begin, end]: [u64; 2],
    first: &'static str,
) -> String {
    let site = line.site(record);
    let mut text = format!(
        "{{\"ph\":\"X\",\"cat\":\"MPI\",\"name\":{},\"pid\":{at},\"tid\":{},\"ts\":{},\"dur\":{}",
        json(&site.function),
        record.thread,
        micros(begin),
        micros(end - begin),
    );
    let mut arguments: Vec<String> = Vec::new();
    if !first.is_empty() {
        arguments.push(first.to_string());
    }
    if record.peer >= 0 {
        arguments.push(format!("\"peer\":{}", record.peer));
    } else if record.kind.sends() || record.kind.receives() {
        arguments.push("\"peer\":\"of another job\"".to_string());
    }
    if record.tag != NO_TAG {
        arguments.push(format!("\"tag\":{}", record.tag));
    }
    if record.bytes > 0 || record.kind.sends() || record.kind.receives() {
        arguments.push(format!("\"bytes\":{}", record.bytes));
    }
    if let Some(comm) = line.rank.comm(record) {
        let name = match comm.name.is_empty() {
            true => format!("communicator {:x}", comm.context),
            false => comm.name.clone(),
        };
        arguments.push(format!("\"comm\":{}", json(&name)));
    }
    if !site.symbol.is_empty() {
        arguments.push(format!("\"from\":{}", json(&site.symbol)));
    }
    // speedscope shows the arguments behind the name, none as `{}`.
    if !arguments.is_empty() {
        let _ = write!(text, ",\"args\":{{{}}}", arguments.join(","));
    }
    text + "}"
}

/// Nanoseconds as microseconds, exactly.
fn micros(nanos: u64) -> String {
    format!("{}.{:03}", nanos / 1000, nanos % 1000)
}
