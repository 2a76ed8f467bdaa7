//! A trace as tables: time in MPI by rank, by function and place, imbalance, and who waited for
//! whom.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::merge::{self, Trace};
use crate::text::{bytes, time};

/// How many rows a table has at most.
const ROWS_MAX: usize = 20;
/// How many ranks have a row of their own at most; of more the extremes are shown.
const RANKS_MAX: usize = 32;

/// A function, called from one place, over all ranks.
#[derive(Default)]
struct Row {
    calls: u64,
    nanos: f64,
    longest: f64,
    bytes: u64,
    /// Nanoseconds by rank.
    ranks: BTreeMap<usize, f64>,
}

/// Returns the tables of a trace, as lines for a terminal.
pub fn table(trace: &Trace) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "MPI in {} ranks, {}",
        trace.ranks.len(),
        time(trace.span as f64)
    );
    ranks(trace, &mut out);
    functions(trace, &mut out);
    waits(trace, &mut out);
    for line in trace
        .ranks
        .iter()
        .filter(|line| line.rank.pending.is_some())
    {
        if let Some(record) = &line.rank.pending {
            let function = &line.site(record).function;
            let _ = writeln!(out, "rank {} ended in {function}", line.rank.number);
        }
    }
    out
}

/// Time in MPI of a rank, in nanoseconds.
fn in_mpi(trace: &Trace, at: usize) -> f64 {
    let rank = &trace.ranks[at].rank;
    rank.sites
        .iter()
        .map(|site| rank.clock.span(site.ticks) as f64)
        .sum()
}

fn ranks(trace: &Trace, out: &mut String) {
    let mut all: Vec<(usize, f64)> = (0..trace.ranks.len())
        .map(|at| (at, in_mpi(trace, at)))
        .collect();
    let _ = writeln!(
        out,
        "\n  rank          in MPI    share  calls      sent        host"
    );
    if all.len() > RANKS_MAX {
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.drain(RANKS_MAX / 2..all.len() - RANKS_MAX / 2);
    }
    let left_out = trace.ranks.len() - all.len();
    for (nth, (at, nanos)) in all.into_iter().enumerate() {
        if left_out > 0 && nth == RANKS_MAX / 2 {
            let _ = writeln!(out, "  and {left_out} ranks between");
        }
        let line = &trace.ranks[at];
        let calls: u64 = line.rank.sites.iter().map(|site| site.calls).sum();
        let sent: u64 = line
            .rank
            .peers
            .iter()
            .map(|peer| peer.bytes + peer.put)
            .sum();
        let share = 100.0 * nanos / (trace.span.max(1) as f64);
        let _ = writeln!(
            out,
            "  {:<10} {:>9}  {share:>5.1} %  {calls:<10} {:<11} {}",
            line.rank.number,
            time(nanos),
            bytes(sent as f64),
            line.host
        );
    }
}

fn functions(trace: &Trace, out: &mut String) {
    let mut rows: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    for (at, line) in trace.ranks.iter().enumerate() {
        for site in line.rank.sites.iter().filter(|site| site.calls > 0) {
            let row = rows.entry((&site.function, &site.symbol)).or_default();
            let nanos = line.rank.clock.span(site.ticks) as f64;
            row.calls += site.calls;
            row.nanos += nanos;
            row.longest = row.longest.max(line.rank.clock.span(site.longest) as f64);
            row.bytes += site.bytes;
            *row.ranks.entry(at).or_default() += nanos;
        }
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by(|a, b| b.1.nanos.total_cmp(&a.1.nanos));
    let total: f64 = rows.iter().map(|(_, row)| row.nanos).sum();
    let _ = writeln!(
        out,
        "\n  function                  time   share  calls        mean   longest  \
             imbalance  bytes      place"
    );
    for ((function, place), row) in rows.iter().take(ROWS_MAX) {
        let most = row.ranks.values().copied().fold(0.0, f64::max);
        let mean = row.nanos / trace.ranks.len() as f64;
        let _ = writeln!(
            out,
            "  {function:<20} {:>9} {:>5.1} %  {:<8} {:>8} {:>9}  {:>8.2}x  {:<9}  {place}",
            time(row.nanos),
            100.0 * row.nanos / total.max(1.0),
            row.calls,
            time(row.nanos / row.calls.max(1) as f64),
            time(row.longest),
            most / mean.max(1.0),
            bytes(row.bytes as f64),
        );
    }
    if rows.len() > ROWS_MAX {
        let _ = writeln!(out, "  and {} more", rows.len() - ROWS_MAX);
    }
}

fn waits(trace: &Trace, out: &mut String) {
    let mut waits: Vec<_> = merge::waits(trace).into_iter().collect();
    waits.sort_by_key(|(_, nanos)| std::cmp::Reverse(*nanos));
    if waits.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n  waited   for rank");
    for ((who, whom), nanos) in waits.iter().take(ROWS_MAX) {
        let [who, whom] = [who, whom].map(|at| trace.ranks[*at].rank.number);
        let _ = writeln!(out, "  rank {who:<5} {whom:<6} {}", time(*nanos as f64));
    }
    if waits.len() > ROWS_MAX {
        let _ = writeln!(out, "  and {} pairs more", waits.len() - ROWS_MAX);
    }
}
