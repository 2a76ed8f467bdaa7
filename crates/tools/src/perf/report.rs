//! Prints the results as a table or as JSON.

use std::io::Write;

use serde_json::{json, Value};

use super::cases::Case;
use super::figures::{Raw, Row};
use super::options::{Request, Role};
use super::Error;

/// Prints results as they come.
pub(crate) struct Report {
    json: bool,
    raw: bool,
    title: String,
    facts: Value,
    begun: bool,
}

impl Report {
    pub(crate) fn new(request: &Request, emulated: &[&str]) -> Report {
        let mut title = format!(
            "# oxmpi-perf {}: {}",
            env!("CARGO_PKG_VERSION"),
            over(request)
        );
        title += &match &request.role {
            Role::Ask { host, .. } => format!(", to {host}"),
            _ if request.btl == "self" => ", one process".into(),
            _ => ", two processes on this machine".into(),
        };
        if !emulated.is_empty() {
            title += &format!("; made of messages: {}", emulated.join(", "));
        }
        Report {
            json: request.json,
            raw: request.raw,
            title,
            facts: json!({
                "version": env!("CARGO_PKG_VERSION"),
                "btl": request.btl,
                "provider": request.provider,
                "window": request.window,
                "emulated": emulated,
            }),
            begun: false,
        }
    }

    fn begin(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        if std::mem::replace(&mut self.begun, true) || self.json {
            return Ok(());
        }
        line(out, &self.title)?;
        let mut head = format!(
            "{:<10}{:>9}{:>9}{:>11}{:>10}{:>10}{:>10}{:>10}{:>10}",
            "# test", "bytes", "count", "median us", "p90", "p99", "min", "max", "MB/s"
        );
        if self.raw {
            head += &format!(
                "{:>11}{:>10}{:>7}{:>7}",
                "raw median", "raw min", "ratio", "of min"
            );
        }
        line(out, &head)
    }

    pub(crate) fn row(&mut self, out: &mut dyn Write, row: &Row) -> Result<(), Error> {
        self.begin(out)?;
        if self.json {
            return Ok(());
        }
        let mut text = format!(
            "{:<10}{:>9}{:>9}{:>11.3}{:>10.3}{:>10.3}{:>10.3}{:>10.1}{:>10.1}",
            row.case.name(),
            row.bytes,
            row.operations,
            row.median,
            row.p90,
            row.p99,
            row.min,
            row.max,
            row.mbps
        );
        if let (Some(raw), Some((median, min))) = (row.raw, row.ratios()) {
            text += &format!(
                "{:>11.3}{:>10.3}{median:>7.2}{min:>7.2}",
                raw.median, raw.min
            );
        }
        line(out, &text)
    }

    /// Says that a size is left out.
    pub(crate) fn note(
        &mut self,
        out: &mut dyn Write,
        case: Case,
        bytes: usize,
        limit: usize,
        raw: Option<Raw>,
    ) -> Result<(), Error> {
        self.begin(out)?;
        if self.json {
            return Ok(());
        }
        let name = case.name();
        let why = match limit {
            0 => "there are no messages".to_string(),
            limit => format!("messages have at most {limit}"),
        };
        let instead = match raw {
            Some(raw) => format!("; what is below takes {:.3}", raw.median),
            None => String::new(),
        };
        let text = format!("# {name} of {bytes} bytes left out: {why}{instead}");
        line(out, &text)
    }

    pub(crate) fn end(&mut self, out: &mut dyn Write, rows: &[Row]) -> Result<(), Error> {
        if !self.json {
            return Ok(());
        }
        let mut facts = self.facts.clone();
        facts["results"] = rows.iter().map(as_json).collect();
        line(out, &format!("{facts:#}"))
    }
}

/// Describes the transport that was measured.
pub(crate) fn over(request: &Request) -> String {
    match &request.provider {
        Some(provider) => format!("{} ({provider})", request.btl),
        None => request.btl.clone(),
    }
}

fn as_json(row: &Row) -> Value {
    json!({
        "test": row.case.name(),
        "bytes": row.bytes,
        "operations": row.operations,
        "median_us": row.median,
        "p90_us": row.p90,
        "p99_us": row.p99,
        "min_us": row.min,
        "max_us": row.max,
        "mb_per_s": row.mbps,
        "raw_median_us": row.raw.map(|raw| raw.median),
        "raw_min_us": row.raw.map(|raw| raw.min),
        "ratio_of_medians": row.ratios().map(|ratios| ratios.0),
        "ratio_of_minima": row.ratios().map(|ratios| ratios.1),
    })
}

/// Prints a line at once: a run may be long.
fn line(out: &mut dyn Write, text: &str) -> Result<(), Error> {
    let wrong = |why: std::io::Error| Error::Output {
        path: "the results".into(),
        why: why.to_string(),
    };
    writeln!(out, "{text}").map_err(wrong)?;
    out.flush().map_err(wrong)
}
