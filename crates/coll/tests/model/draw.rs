//! Draws, for six collectives, the time by the number of ranks, with a curve for each algorithm.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::cases::{Case, ALLGATHER, ALLREDUCE, ALLTOALL, BCAST, REDUCE, REDUCE_SCATTER};
use crate::clock::Model;

const COLORS: [&str; 5] = ["#b5533c", "#3c6e99", "#3c8d63", "#b07d2b", "#5b5ea6"];
const PANEL: (f64, f64) = (320.0, 250.0);
const PLOT: (f64, f64) = (250.0, 150.0);
const LEFT: f64 = 52.0;
const TOP: f64 = 34.0;
/// The most ranks drawn, as a power of two.
pub const LAST: u32 = 12;
/// The most ranks that are simulated anew by a test, which is quick: fewer where the messages grow
/// with the square of the ranks.
const QUICK: u32 = 9;
const QUICK_SQUARE: u32 = 8;

/// A panel: a collective, the bytes in all, given the ranks, and which algorithms send as many
/// messages as there are pairs of ranks.
struct Panel {
    case: &'static Case,
    title: &'static str,
    bytes: fn(u32) -> usize,
    square: &'static [&'static str],
}

const PANELS: [Panel; 6] = [
    Panel {
        case: &BCAST,
        title: "MPI_Bcast, 1 MiB",
        bytes: |_| 1 << 20,
        square: &["basic_linear", "pipeline", "scatter_allgather_ring"],
    },
    Panel {
        case: &REDUCE,
        title: "MPI_Reduce, 256 KiB",
        bytes: |_| 1 << 18,
        square: &["linear", "pipeline"],
    },
    Panel {
        case: &ALLREDUCE,
        title: "MPI_Allreduce, 256 KiB",
        bytes: |_| 1 << 18,
        square: &["ring"],
    },
    Panel {
        case: &ALLGATHER,
        title: "MPI_Allgather, 64 bytes a rank",
        bytes: |ranks| 64 * ranks as usize,
        square: &["linear", "ring", "neighbor"],
    },
    Panel {
        case: &ALLTOALL,
        title: "MPI_Alltoall, 64 bytes a pair",
        bytes: |ranks| 64 * ranks as usize,
        square: &["linear", "pairwise"],
    },
    Panel {
        case: &REDUCE_SCATTER,
        title: "MPI_Reduce_scatter_block, 64 bytes a rank",
        bytes: |ranks| 64 * ranks as usize,
        square: &["ring"],
    },
];

/// Microseconds by panel, algorithm, and the power of two that the ranks are.
#[derive(Default)]
pub struct Times(BTreeMap<(usize, usize, u32), f64>);

impl Times {
    /// Parses a file of earlier results, a line each: collective, algorithm, ranks, time.
    pub fn parse(text: &str) -> Times {
        let mut times = BTreeMap::new();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [collective, algorithm, ranks, time] = fields[..] else {
                panic!("`{line}` is no result");
            };
            let panel = PANELS
                .iter()
                .position(|panel| panel.case.name == collective);
            let panel = panel.expect("a collective that is drawn");
            let names = PANELS[panel].case.algorithms;
            let algorithm = names.iter().position(|name| *name == algorithm);
            let ranks: u32 = ranks.parse().expect("a number of ranks");
            let key = (panel, algorithm.expect("its algorithm"), ranks.ilog2());
            times.insert(key, time.parse().expect("a time"));
        }
        Times(times)
    }

    /// The lines that [`Times::parse`] reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for ((panel, algorithm, power), time) in &self.0 {
            let case = PANELS[*panel].case;
            let (name, algorithm) = (case.name, case.algorithms[*algorithm]);
            let _ = writeln!(text, "{name}\t{algorithm}\t{}\t{time}", 1 << power);
        }
        text
    }

    /// Simulates the algorithms, `all` or those with few messages, on 2 to the power of `power`
    /// ranks; not those that are known. Shows the times so far after each.
    pub fn simulate(&mut self, model: &Model, power: u32, all: bool, show: &dyn Fn(&Times)) {
        for (at, panel) in PANELS.iter().enumerate() {
            for (algorithm, name) in panel.case.algorithms.iter().enumerate() {
                let key = (at, algorithm, power);
                let wanted = all || !panel.square.contains(name);
                if wanted && !self.0.contains_key(&key) {
                    let ranks = 1 << power;
                    let bytes = (panel.bytes)(ranks);
                    let time = (panel.case.cost)(model, algorithm, ranks, bytes);
                    self.0.insert(key, time);
                    show(self);
                }
            }
        }
    }

    /// Simulates the cases that are quick to simulate.
    pub fn quick(model: &Model) -> Times {
        let mut times = Times::default();
        for power in 1..=QUICK {
            times.simulate(model, power, power <= QUICK_SQUARE, &|_| ());
        }
        times
    }

    /// The results that another one has too, and has otherwise.
    pub fn differences(&self, other: &Times) -> Vec<String> {
        let differs = |(key, time): (&(usize, usize, u32), &f64)| {
            let theirs = other.0.get(key)?;
            let case = PANELS[key.0].case;
            (time != theirs).then(|| {
                let (name, algorithm) = (case.name, case.algorithms[key.1]);
                format!(
                    "{name} {algorithm} on {}: {time} us, not {theirs}",
                    1 << key.2
                )
            })
        };
        self.0.iter().filter_map(differs).collect()
    }

    fn curve(&self, panel: usize, algorithm: usize) -> Vec<f64> {
        let at = |power| self.0.get(&(panel, algorithm, power)).copied();
        (1..=LAST).map_while(at).collect()
    }
}

pub fn svg(times: &Times) -> String {
    let mut out = sheet(
        2,
        "Microseconds by the number of ranks: 0.5 at either end of a message, 1 on its way, \
         10 GB/s, 8 GB/s for combining",
    );
    for (index, panel) in PANELS.iter().enumerate() {
        let at = place(index);
        let algorithms = 0..panel.case.algorithms.len();
        let plot = Plot {
            title: panel.title,
            names: panel.case.algorithms,
            first: 1,
            curves: algorithms.map(|which| times.curve(index, which)).collect(),
        };
        draw(&mut out, &plot, at);
    }
    out.push_str("</svg>\n");
    out
}

/// Begins a picture of rows of three plots, with a line above all.
pub fn sheet(rows: u32, line: &str) -> String {
    let (width, height) = (3.0 * PANEL.0 + 10.0, f64::from(rows) * PANEL.1 + 30.0);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
    text(&mut out, (LEFT, 18.0), "#222", line);
    out
}

/// The upper left corner of a plot.
pub fn place(index: usize) -> (f64, f64) {
    (
        (index % 3) as f64 * PANEL.0 + LEFT,
        (index / 3) as f64 * PANEL.1 + TOP + 20.0,
    )
}

fn text(out: &mut String, (x, y): (f64, f64), color: &str, words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{color}\">{words}</text>"
    );
}

/// Curves in one picture.
pub struct Plot<'a> {
    pub title: &'a str,
    /// A name for each curve.
    pub names: &'a [&'a str],
    /// The power of two that the ranks of the first value are.
    pub first: u32,
    pub curves: Vec<Vec<f64>>,
}

/// Draws a plot with its upper left corner at a place.
pub fn draw(out: &mut String, plot: &Plot, (left, top): (f64, f64)) {
    let all = || plot.curves.iter().flatten().copied();
    let lowest = all().fold(f64::INFINITY, f64::min).log10().floor();
    let highest = all().fold(0.0, f64::max).log10().ceil();
    let first = plot.first;
    let y = |value: f64| top + PLOT.1 * (highest - value.log10()) / (highest - lowest);
    let x = |power: u32| left + PLOT.0 * f64::from(power - first) / f64::from(LAST - first);
    text(out, (left, top - 8.0), "#222", plot.title);
    for decade in lowest as i32..=highest as i32 {
        let height = y(10f64.powi(decade));
        let _ = writeln!(
            out,
            "<line x1=\"{left:.1}\" y1=\"{height:.1}\" x2=\"{:.1}\" y2=\"{height:.1}\" \
             stroke=\"#dde\"/>",
            left + PLOT.0
        );
        let words = format!("{}", 10f64.powi(decade));
        text(out, (left - 44.0, height + 4.0), "#666", &words);
    }
    for power in [1, 4, 6, 8, 10, LAST] {
        let is_shown = power == first || power % 4 == 0 || first > 1 && power % 2 == 0;
        if power >= first && is_shown {
            let words = format!("{}", 1 << power);
            text(out, (x(power) - 8.0, top + PLOT.1 + 14.0), "#666", &words);
        }
    }
    for (index, values) in plot.curves.iter().enumerate() {
        let mut points = String::new();
        for (power, value) in (first..).zip(values) {
            let _ = write!(points, "{:.1},{:.1} ", x(power), y(*value));
        }
        let color = COLORS[index];
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\"/>",
            points.trim_end()
        );
        let (column, row) = ((index % 2) as f64, (index / 2) as f64);
        let at = (left + column * 125.0, top + PLOT.1 + 28.0 + row * 13.0);
        text(out, at, color, plot.names[index]);
    }
}
