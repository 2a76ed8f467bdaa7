//! Prints the figures as a table, and stores them as JSON.

use super::cases::{Case, Counts, LIBFABRIC, PINGPONG, YARDSTICKS};
use super::figures::{Figures, Point};
use super::forced;
use super::places::{Places, Sample};
use crate::peers::{Peer, BEFORE};

/// One measurement on all libraries.
pub struct Row {
    /// The case it belongs to.
    pub case: &'static Case,
    /// The program's name of the value, and its size in bytes.
    pub point: Point,
    /// The values by the peer's key.
    pub values: Vec<(&'static str, f64)>,
    /// oxmpi's value over the best peer's.
    pub ratio: Option<f64>,
    /// The ratio aimed at.
    pub target: Option<f64>,
    /// By what factor oxmpi is slower than an earlier installation; less than 1 where it is faster.
    pub before: Option<f64>,
    /// oxmpi's value over that of its best forced setting, and the key of that.
    pub regret: Option<(f64, &'static str)>,
    /// Nanoseconds from core to core at most, while these values were measured; 0 where that is
    /// not known.
    pub apart: f64,
    /// Relative difference of the round that counts from the next worse: that of oxmpi or of the
    /// best peer, whichever is more. `None` where one of them has a single round.
    pub noise: Option<f64>,
}

/// How a row stands to its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Met,
    /// Missed by less than the best rounds of one library are apart: another run may
    /// decide otherwise.
    Level,
    Missed,
}

/// Relative difference from which on a target is missed, however far the rounds are apart.
const LEVEL_MAX: f64 = 0.05;

impl Row {
    /// Whether the target is met; `None` where there is no target or no ratio.
    pub fn verdict(&self) -> Option<Verdict> {
        let (ratio, target) = (printed(self.ratio?), printed(self.target?));
        let missed_by = match self.case.more_is_better {
            true => target / ratio - 1.0,
            false => ratio / target - 1.0,
        };
        let level = self.noise.map_or(0.0, |noise| noise.min(LEVEL_MAX));
        Some(match missed_by {
            missed if missed <= 0.0 => Verdict::Met,
            missed if missed <= level => Verdict::Level,
            _ => Verdict::Missed,
        })
    }

    /// The value of the peer `key`.
    pub fn value(&self, key: &str) -> Option<f64> {
        let found = self.values.iter().find(|(peer, _)| *peer == key);
        found.map(|(_, value)| *value)
    }

    /// Returns the name of the row.
    pub fn label(&self) -> String {
        let case = self.case;
        match case.suite {
            "coll" | "op" | "rma" | "io" | "over" | "shared" => {
                format!("{}, {}", self.point.name, case.title)
            }
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
            let best = peers.iter().zip(&alike);
            let best: Vec<_> = best.map(|(peer, of)| Best::of(case, peer, of)).collect();
            let both = own(&best).zip(rival(case, &best));
            let ratio = both.map(|(own, rival)| own.value / rival.value);
            let noise = both.and_then(|(own, rival)| Some(own.noise?.max(rival.noise?)));
            if case.is_over_fabric() && ratio.is_none() {
                continue;
            }
            rows.push(Row {
                case,
                ratio,
                before: before(case, &best),
                regret: regret(case, &best),
                target: (case.target)(&point.name, point.bytes),
                point: point.clone(),
                values: best.iter().map(|of| (of.peer, of.value)).collect(),
                apart,
                noise,
            });
        }
    }
    rows
}

/// Best value of a library's rounds.
struct Best {
    peer: &'static str,
    value: f64,
    /// By how much the next worse round is worse, as a part.
    noise: Option<f64>,
}

impl Best {
    fn of(case: &Case, peer: &'static str, samples: &[&Sample]) -> Best {
        let mut values: Vec<f64> = samples.iter().map(|sample| sample.value).collect();
        values.sort_by(f64::total_cmp);
        if case.more_is_better {
            values.reverse();
        }
        let counts = match case.counts {
            Counts::Best => 0,
            Counts::Median => values.len() / 2,
        };
        let apart = |one: f64, other: f64| (one / other).max(other / one) - 1.0;
        Best {
            peer,
            value: values.get(counts).copied().unwrap_or(f64::NAN),
            noise: values
                .get(counts + 1)
                .map(|next| apart(values[counts], *next)),
        }
    }
}

fn own(all: &[Best]) -> Option<&Best> {
    all.iter().find(|best| best.peer == "oxmpi")
}

/// The best of the peers; yardsticks and forced settings are none.
fn rival<'a>(case: &Case, all: &'a [Best]) -> Option<&'a Best> {
    let is_yardstick = |key| YARDSTICKS.iter().any(|y| y.program == key);
    let is_own = |key| key == "oxmpi" || key == BEFORE || forced::is_forced(key);
    let is_peer = |key| !is_own(key) && !is_yardstick(key);
    let others = all
        .iter()
        .filter(|best| is_peer(best.peer))
        .filter(|best| case.rivals.is_empty() || case.rivals.contains(&best.peer));
    best_of(case, others)
}

fn best_of<'a>(case: &Case, all: impl Iterator<Item = &'a Best>) -> Option<&'a Best> {
    match case.more_is_better {
        true => all.max_by(|one, other| one.value.total_cmp(&other.value)),
        false => all.min_by(|one, other| one.value.total_cmp(&other.value)),
    }
}

/// Returns by what factor the default is behind the best forced setting; less than 1 where it is
/// ahead of all.
fn regret(case: &Case, all: &[Best]) -> Option<(f64, &'static str)> {
    let settings = all.iter().filter(|best| forced::is_forced(best.peer));
    let (own, best) = own(all).zip(best_of(case, settings))?;
    Some((slower(case, own, best), best.peer))
}

/// Returns by what factor oxmpi is slower than an earlier installation.
fn before(case: &Case, all: &[Best]) -> Option<f64> {
    let before = all.iter().find(|best| best.peer == BEFORE);
    let (own, before) = own(all).zip(before)?;
    Some(slower(case, own, before))
}

/// Returns by what factor `own` is slower than `other`.
fn slower(case: &Case, own: &Best, other: &Best) -> f64 {
    match case.more_is_better {
        true => other.value / own.value,
        false => own.value / other.value,
    }
}

/// Factor from which on a row is called slower than before.
const SLOWER_MIN: f64 = 1.10;

/// Regret from which on a choice is called wrong.
const REGRET_MAX: f64 = 1.10;

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
        text += &remarks(row);
        text += "\n";
    }
    let judged: Vec<_> = rows.iter().filter_map(Row::verdict).collect();
    let count = |wanted| judged.iter().filter(|found| **found == wanted).count();
    let (met, level, all) = (count(Verdict::Met), count(Verdict::Level), judged.len());
    text += &format!(
        "\ntargets met: {met} of {all}, and {level} missed by less than rounds are apart\n"
    );
    text += &summary_of_before(rows);
    let regrets: Vec<f64> = rows.iter().filter_map(|row| Some(row.regret?.0)).collect();
    if !regrets.is_empty() {
        let right = regrets
            .iter()
            .filter(|behind| printed(**behind) <= REGRET_MAX)
            .count();
        let worst = regrets.iter().copied().fold(0.0, f64::max);
        text += &format!(
            "regret of at most {REGRET_MAX:.2}: {right} of {}; the worst is {worst:.2}\n",
            regrets.len()
        );
    }
    text
}

/// How many rows are slower than before, and the geometric mean of all.
fn summary_of_before(rows: &[Row]) -> String {
    let factors: Vec<f64> = rows.iter().filter_map(|row| row.before).collect();
    if factors.is_empty() {
        return String::new();
    }
    let is_slower = |factor: &&f64| printed(**factor) >= SLOWER_MIN;
    let slower = factors.iter().filter(is_slower).count();
    let logarithms: f64 = factors.iter().map(|factor| factor.ln()).sum();
    let mean = (logarithms / factors.len() as f64).exp();
    format!(
        "slower than before by {SLOWER_MIN:.2} or more: {slower} of {}; \
         the geometric mean is {mean:.3}\n",
        factors.len()
    )
}

/// The verdict on a row, its regret, and the figures that stand beside it.
fn remarks(row: &Row) -> String {
    let mut text = match row.verdict() {
        Some(Verdict::Met) => "  met",
        Some(Verdict::Level) => "  level",
        Some(Verdict::Missed) => "  not met",
        None => "",
    }
    .to_string();
    if let Some(factor) = row.before {
        let is_slower = printed(factor) >= SLOWER_MIN;
        let word = if is_slower { "slower than" } else { "beside" };
        text += &format!("  {word} before {factor:.2}");
    }
    if let Some((behind, key)) = row.regret {
        let word = if printed(behind) > REGRET_MAX {
            "regrets"
        } else {
            "regret"
        };
        text += &format!("  {word} {behind:.2} ({key})");
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
    text
}

/// A ratio as a table has it, which is what it is judged by: what stands there as 1.00 is no more.
fn printed(ratio: f64) -> f64 {
    (ratio * 100.0).round() / 100.0
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
    let processors = xtask::shell::processors();
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
        "noise": row.noise,
        "before": row.before,
        "regret": row.regret.map(|(behind, _)| behind),
        "best_forced": row.regret.map(|(_, key)| key),
        "target": row.target,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::suites;

    /// The verdict on one case of one-sided operations, by the rounds of oxmpi and of a peer.
    fn verdict(key: &str, own: &[f64], peer: &[f64]) -> Option<Verdict> {
        let case = suites::of("rma").into_iter().find(|case| case.key == key)?;
        let point = Point {
            case: case.key,
            name: "put".to_string(),
            bytes: 8,
        };
        let samples = |values: &[f64]| {
            let sample = |value: &f64| Sample {
                value: *value,
                apart: 70.0,
            };
            values.iter().map(sample).collect()
        };
        let rounds = [("oxmpi", own), ("mpich", peer)];
        let figures = rounds.map(|(key, values)| ((point.clone(), key), samples(values)));
        rows(&[case], &figures.into_iter().collect())[0].verdict()
    }

    #[test]
    fn a_forced_setting_is_no_peer_but_what_the_default_is_measured_by() {
        let row = |key: &str, values: [f64; 4]| {
            let case = suites::of("pt2pt").into_iter().find(|case| case.key == key);
            let case = case.expect("a case");
            let point = Point {
                case: case.key,
                name: key.to_string(),
                bytes: 65_536,
            };
            let sample = |value: f64| vec![Sample { value, apart: 70.0 }];
            let keys = ["oxmpi", "mpich", "ring", "kernel"];
            let figures = keys.into_iter().zip(values);
            let figures = figures.map(|(key, value)| ((point.clone(), key), sample(value)));
            rows(&[case], &figures.collect()).remove(0)
        };
        let time = row("latency", [3.0, 4.0, 3.1, 2.0]);
        assert_eq!(time.ratio, Some(0.75));
        assert_eq!(time.regret, Some((1.5, "kernel")));
        let rate = row("bandwidth", [20.0, 10.0, 25.0, 15.0]);
        assert_eq!(rate.ratio, Some(2.0));
        assert_eq!(rate.regret, Some((1.25, "ring")));
    }

    #[test]
    fn an_earlier_installation_is_no_peer_but_shows_what_became_slower() {
        let case = |key: &str| suites::of("pt2pt").into_iter().find(|case| case.key == key);
        let row = |case: &'static Case, values: [f64; 3]| {
            let point = Point {
                case: case.key,
                name: case.key.to_string(),
                bytes: 8,
            };
            let sample = |value: f64| vec![Sample { value, apart: 70.0 }];
            let figures = ["oxmpi", BEFORE, "mpich"].into_iter().zip(values);
            let figures = figures.map(|(key, value)| ((point.clone(), key), sample(value)));
            rows(&[case], &figures.collect()).remove(0)
        };
        let time = row(case("latency").unwrap(), [3.0, 2.0, 4.0]);
        assert_eq!((time.ratio, time.before), (Some(0.75), Some(1.5)));
        let rate = row(case("bandwidth").unwrap(), [20.0, 25.0, 10.0]);
        assert_eq!((rate.ratio, rate.before), (Some(2.0), Some(1.25)));
        let text = table(&[], &[time, rate]);
        assert!(text.contains("slower than before 1.50"), "{text}");
        assert!(
            text.contains("by 1.10 or more: 2 of 2; the geometric mean is 1.369"),
            "{text}"
        );
    }

    #[test]
    fn what_is_missed_by_less_than_rounds_are_apart_is_level() {
        let time = |own: &[f64], peer: &[f64]| verdict("rma-latency", own, peer).unwrap();
        assert_eq!(time(&[2.0, 1.0], &[1.0, 3.0]), Verdict::Met);
        assert_eq!(time(&[1.05, 1.03], &[1.0, 1.04]), Verdict::Level);
        assert_eq!(time(&[1.04, 1.03], &[1.0, 1.02]), Verdict::Missed);
        assert_eq!(time(&[1.03], &[1.0, 1.04]), Verdict::Missed, "one round");
        assert_eq!(time(&[1.004], &[1.0, 1.0]), Verdict::Met, "as printed");
        assert_eq!(time(&[1.006], &[1.0, 1.0]), Verdict::Missed);
        assert_eq!(time(&[1.1, 1.3], &[1.0, 1.3]), Verdict::Missed, "too far");
        let rate = |own: &[f64], peer: &[f64]| verdict("rma-rate", own, peer).unwrap();
        assert_eq!(rate(&[50.0, 60.0], &[60.0, 50.0]), Verdict::Met);
        assert_eq!(rate(&[97.0, 95.0], &[100.0, 95.0]), Verdict::Level);
        assert_eq!(rate(&[97.0, 96.0], &[100.0, 98.5]), Verdict::Missed);
    }
}
