//! Draws the results: a panel for times and one for bandwidth, with logarithmic axes and a line for
//! each test; dashed lines are libfabric itself.

use std::path::Path;

use trace::picture::{self, COLOURS};

use super::figures::Row;
use super::options::Request;
use super::{report, Error};

const PANEL: (f64, f64) = (520.0, 340.0);
const LEFT: f64 = 64.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 44.0;
const LEGEND: f64 = 110.0;

/// Draws the results into a file.
pub(crate) fn write(path: &Path, request: &Request, rows: &[Row]) -> Result<(), Error> {
    std::fs::write(path, svg(&report::over(request), rows)).map_err(|why| Error::Output {
        path: path.display().to_string(),
        why: why.to_string(),
    })
}

/// A line of a panel: its name, its colour, whether it is dashed, and its points.
struct Line<'a> {
    name: &'a str,
    colour: &'static str,
    dashed: bool,
    points: Vec<(f64, f64)>,
}

fn svg(over: &str, rows: &[Row]) -> String {
    let (times, rates): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| !row.case.is_stream());
    let panels = [
        (
            "median time, us",
            lines(
                &times,
                |row| row.median,
                |row| row.raw.map(|raw| raw.median),
            ),
        ),
        ("MB/s", lines(&rates, |row| row.mbps, |_| None)),
    ];
    let width = panels.len() as f64 * (PANEL.0 + LEGEND);
    let title = format!("oxmpi-perf over {over}");
    let mut svg = picture::open((width, PANEL.1), 24.0, &title);
    for (at, (title, lines)) in panels.iter().enumerate() {
        let x = at as f64 * (PANEL.0 + LEGEND);
        svg += &format!(
            "<g transform=\"translate({x},0)\">\n{}</g>\n",
            panel(title, lines)
        );
    }
    svg + "</svg>\n"
}

fn lines<'a>(
    rows: &[&'a Row],
    value: impl Fn(&Row) -> f64,
    raw: impl Fn(&Row) -> Option<f64>,
) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    let mut add = |name, dashed, point| {
        let known = lines
            .iter_mut()
            .find(|l| l.name == name && l.dashed == dashed);
        if let Some(line) = known {
            return line.points.push(point);
        }
        let tests = lines.iter().filter(|line| !line.dashed).count();
        let twin = lines.iter().find(|line| line.name == name);
        let colour = twin.map_or(COLOURS[tests % COLOURS.len()], |twin| twin.colour);
        let points = vec![point];
        lines.push(Line {
            name,
            colour,
            dashed,
            points,
        });
    };
    for row in rows {
        if row.operations > 0 {
            add(row.case.name(), false, (row.bytes as f64, value(row)));
        }
        if let Some(raw) = raw(row) {
            add(row.case.name(), true, (row.bytes as f64, raw));
        }
    }
    lines
}

fn panel(title: &str, lines: &[Line<'_>]) -> String {
    let points = || lines.iter().flat_map(|line| line.points.iter());
    if points().next().is_none() {
        return String::new();
    }
    let (x_low, x_high) = decades(points().map(|p| p.0));
    let (y_low, y_high) = decades(points().map(|p| p.1));
    let x = |value: f64| {
        let share = (value.max(1e-9).log10() - x_low) / (x_high - x_low);
        LEFT + share * (PANEL.0 - LEFT - 16.0)
    };
    let y = |value: f64| {
        let share = (value.max(1e-9).log10() - y_low) / (y_high - y_low);
        PANEL.1 - BOTTOM - share * (PANEL.1 - BOTTOM - TOP)
    };
    let mut svg = format!(
        "<text x=\"{LEFT}\" y=\"48\" font-weight=\"bold\">{title}</text>\n\
         <text x=\"{}\" y=\"{}\">bytes</text>\n",
        PANEL.0 / 2.0,
        PANEL.1 - 8.0
    );
    for power in x_low as i32..=x_high as i32 {
        let at = x(10f64.powi(power));
        let (bottom, value) = (PANEL.1 - BOTTOM, 10f64.powi(power).to_string());
        let label = (at, bottom + 16.0, "middle");
        svg += &picture::mark((at, TOP), (at, bottom), label, &value);
    }
    for power in y_low as i32..=y_high as i32 {
        let at = y(10f64.powi(power));
        let (label, value) = ((12.0, at + 4.0, "start"), 10f64.powi(power).to_string());
        svg += &picture::mark((LEFT, at), (PANEL.0 - 16.0, at), label, &value);
    }
    for (at, line) in lines.iter().enumerate() {
        svg += &curve(line, at, &x, &y);
    }
    svg
}

fn curve(line: &Line<'_>, at: usize, x: &impl Fn(f64) -> f64, y: &impl Fn(f64) -> f64) -> String {
    let point = |(bytes, value): &(f64, f64)| format!("{:.1},{:.1}", x(*bytes), y(*value));
    let points: Vec<String> = line.points.iter().map(point).collect();
    let dashes = if line.dashed {
        " stroke-dasharray=\"5 4\""
    } else {
        ""
    };
    let name = if line.dashed {
        format!("{} (raw)", line.name)
    } else {
        line.name.into()
    };
    let colour = line.colour;
    let mut svg = format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\n",
        points.join(" ")
    );
    for (bytes, value) in &line.points {
        svg += &format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
            x(*bytes),
            y(*value)
        );
    }
    let top = TOP + 18.0 * at as f64;
    svg += &format!(
        "\n<text x=\"{}\" y=\"{top}\" fill=\"{colour}\">{name}</text>\n",
        PANEL.0
    );
    svg
}

/// The powers of ten that enclose the values, at least one apart.
fn decades(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let logs = values.map(|value| value.max(1e-9).log10());
    let bounds = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = logs.fold(bounds, |(low, high), log| (low.min(log), high.max(log)));
    (low.floor(), high.ceil().max(low.floor() + 1.0))
}
