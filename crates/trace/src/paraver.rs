//! A trace for Paraver: the records (`.prv`), the names of values (`.pcf`) and of rows (`.row`).

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::merge::Trace;

/// The event type of calls of MPI, which is this project's own.
const CALL: u32 = 90_000_001;

/// The three files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The records, by time.
    pub prv: String,
    /// The names of values.
    pub pcf: String,
    /// The names of rows.
    pub row: String,
}

impl Files {
    /// Returns the files of a trace. Paraver counts everything from 1.
    pub fn of(trace: &Trace) -> Files {
        let ranks = trace.ranks.len();
        let mut functions: BTreeMap<&str, usize> = BTreeMap::new();
        for line in &trace.ranks {
            for (record, _) in line.calls() {
                functions.entry(&line.site(record).function).or_default();
            }
        }
        for (at, number) in functions.values_mut().enumerate() {
            *number = at + 1;
        }
        let mut records: Vec<(u64, String)> = Vec::new();
        for (at, line) in trace.ranks.iter().enumerate() {
            let who = format!("{0}:1:{0}:1", at + 1);
            for (record, [begin, end]) in line.calls() {
                let value = functions[line.site(record).function.as_str()];
                records.push((begin, format!("2:{who}:{begin}:{CALL}:{value}")));
                records.push((end, format!("2:{who}:{end}:{CALL}:0")));
            }
        }
        for message in &trace.messages {
            let [from, to] = message.ends.map(|end| format!("{0}:1:{0}:1", end + 1));
            let [sent, arrived] = message.times;
            records.push((
                sent,
                format!(
                    "3:{from}:{sent}:{sent}:{to}:{arrived}:{arrived}:{}:{}",
                    message.bytes, message.tag
                ),
            ));
        }
        records.sort_by_key(|(time, _)| *time);
        let tasks = vec!["1:1"; ranks].join(",");
        let mut prv = format!(
            "#Paraver (01/01/2000 at 00:00):{}_ns:1({ranks}):1:{ranks}({tasks})\n",
            trace.span
        );
        for (_, record) in &records {
            let _ = writeln!(prv, "{record}");
        }
        let mut pcf = format!("EVENT_TYPE\n0    {CALL}    MPI\nVALUES\n0    outside of MPI\n");
        for (function, number) in &functions {
            let _ = writeln!(pcf, "{number}    {function}");
        }
        let mut row = format!("LEVEL THREAD SIZE {ranks}\n");
        for line in &trace.ranks {
            let _ = writeln!(row, "rank {} on {}", line.rank.number, line.host);
        }
        Files { prv, pcf, row }
    }
}
