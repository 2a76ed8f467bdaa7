//! The figures as rows, as a table for the screen and as JSON.

use super::cases::{Case, LIBFABRIC, PINGPONG, YARDSTICKS};
use super::places::{Places, Sample};
use super::{Figures, Point};
use crate::peers::Peer;

/// One measurement on all libraries.
pub struct Row {
    /// The case it belongs to.
    pub case: &'static Case,
    /// What the program called it, and its size in bytes.
    pub point: Point,
    /// The values by the peer's key.
    pub values: Vec<(&'static str, f64)>,
    /// oxmpi's value over the best peer's.
    pub ratio: Option<f64>,
    /// The ratio aimed at.
    pub target: Option<f64>,
    /// Nanoseconds from core to core at most, while these values were measured; 0 where that is
    /// not known.
    pub apart: f64,
}

impl Row {
    /// Whether the target is met; no answer where there is no target or no ratio.
    pub fn met(&self) -> Option<bool> {
        let (ratio, target) = (self.ratio?, self.target?);
        Some(match self.case.more_is_better {
            true => ratio >= target,
            false => ratio <= target,
        })
    }

    /// The value of the peer `key`.
    pub fn value(&self, key: &str) -> Option<f64> {
        let found = self.values.iter().find(|(peer, _)| *peer == key);
        found.map(|(_, value)| *value)
    }

    /// What to call the row.
    pub fn label(&self) -> String {
        let case = self.case;
        match case.suite {
            "coll" | "op" | "rma" => format!("{}, {}", self.point.name, case.title),
            "over" => format!("{}, {}", self.point.name, case.title),
            _ => case.title.to_string(),
        }
    }
}

/// The rows in the order of the cases. What was to stand beside libfabric and does not is left out.
pub fn rows(cases: &[&'static Case], figures: &Figures) -> Vec<Row> {
    let mut rows = Vec::new();
    let all = figures.values().flatten();
    let places = Places::of(all.map(|sample| sample.apart));
    for case in cases {
        let mut points: Vec<&Point> = figures.keys().map(|(point, _)| point).collect();
        points.retain(|point| point.case == case.key);
        points.dedup();
        for point in points {
            let of_point = figures.iter().filter(|((p, _), _)| p == point);
            let (peers, samples): (Vec<_>, Vec<_>) = of_point
                .map(|((_, peer), samples)| (*peer, &samples[..]))
                .unzip();
            let alike = places.alike(&samples);
            let apart = alike.iter().flatten().map(|sample| sample.apart);
            let apart = apart.reduce(f64::max).unwrap_or(0.0);
            let best = alike.iter().map(|samples| best(case, samples));
            let values: Vec<_> = peers.into_iter().zip(best).collect();
            let ratio = ratio(case, &values);
            if case.is_over_fabric() && ratio.is_none() {
                continue;
            }
            rows.push(Row {
                case,
                ratio,
                target: (case.target)(&point.name, point.bytes),
                point: point.clone(),
                values,
                apart,
            });
        }
    }
    rows
}

/// The best of a library's values.
fn best(case: &Case, samples: &[&Sample]) -> f64 {
    let values = samples.iter().map(|sample| sample.value);
    match case.more_is_better {
        true => values.fold(f64::NEG_INFINITY, f64::max),
        false => values.fold(f64::INFINITY, f64::min),
    }
}

/// oxmpi's value over the best peer's; yardsticks are no peers.
fn ratio(case: &Case, values: &[(&'static str, f64)]) -> Option<f64> {
    let own = values.iter().find(|(peer, _)| *peer == "oxmpi")?.1;
    let others = values
        .iter()
        .filter(|(key, _)| *key != "oxmpi" && !YARDSTICKS.iter().any(|y| y.program == *key))
        .filter(|(key, _)| case.rivals.is_empty() || case.rivals.contains(key));
    let others = others.map(|(_, value)| *value);
    let best = match case.more_is_better {
        true => others.reduce(f64::max)?,
        false => others.reduce(f64::min)?,
    };
    Some(own / best)
}

/// The table for the screen.
pub fn table(peers: &[Peer], rows: &[Row]) -> String {
    let mut text = String::from("\n");
    for peer in peers {
        text += &format!("  {:<9} {}\n", peer.key, peer.title);
    }
    text += &format!("\n{:<30} {:>8} {:>5}", "", "bytes", "unit");
    for peer in peers {
        text += &format!(" {:>9}", peer.key);
    }
    text += " cores ns    ratio   target\n";
    for row in rows {
        let (label, point) = (row.label(), &row.point);
        text += &format!("{label:<30} {:>8} {:>5}", point.bytes, row.case.unit);
        for peer in peers {
            text += &format!(" {:>9}", row.value(peer.key).map_or("-".to_string(), short));
        }
        text += &format!(" {:>8.0}", row.apart);
        text += &format!(
            " {:>8}",
            row.ratio.map_or("-".to_string(), |r| format!("{r:.2}"))
        );
        let sign = if row.case.more_is_better { ">=" } else { "<=" };
        if let Some(target) = row.target {
            text += &format!("  {sign} {target:.2}");
        }
        if !row.case.rivals.is_empty() {
            text += &format!(" of {}", row.case.rivals.join(", "));
        }
        match row.met() {
            Some(true) => text += "  met",
            Some(false) => text += "  not met",
            None => {}
        }
        for yardstick in YARDSTICKS.iter().filter(|y| y.case == row.case.key) {
            if let Some(value) = row.value(yardstick.program) {
                text += &format!("  ({} {})", yardstick.title, short(value));
            }
        }
        if let Some(value) = row.value(LIBFABRIC) {
            text += &format!("  (the loop {})", short(value));
        }
        if let Some(value) = row.value(PINGPONG) {
            text += &format!("  ({PINGPONG} {})", short(value));
        }
        text += "\n";
    }
    let met = rows.iter().filter(|row| row.met() == Some(true)).count();
    let judged = rows.iter().filter(|row| row.met().is_some()).count();
    text + &format!("\ntargets met: {met} of {judged}\n")
}

/// Three significant digits.
pub fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// The figures as JSON.
pub fn json(peers: &[Peer], rows: &[Row]) -> String {
    let peers: Vec<_> = peers
        .iter()
        .map(|peer| serde_json::json!({"key": peer.key, "title": peer.title, "abi": peer.abi}))
        .collect();
    let rows: Vec<_> = rows.iter().map(row_json).collect();
    let processors = crate::shell::processors();
    let all = serde_json::json!({"processors": processors, "peers": peers, "rows": rows});
    format!("{all:#}\n")
}

fn row_json(row: &Row) -> serde_json::Value {
    let values: serde_json::Map<String, serde_json::Value> = row
        .values
        .iter()
        .map(|(peer, value)| (peer.to_string(), serde_json::json!(value)))
        .collect();
    serde_json::json!({
        "suite": row.case.suite,
        "case": row.case.key,
        "name": row.point.name,
        "bytes": row.point.bytes,
        "ranks": row.case.start.ranks,
        "unit": row.case.unit,
        "more_is_better": row.case.more_is_better,
        "values": values,
        "core_to_core_ns": row.apart,
        "ratio": row.ratio,
        "target": row.target,
    })
}
