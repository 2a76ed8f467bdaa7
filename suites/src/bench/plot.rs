//! Draws the figures: a panel for each measurement, with logarithmic axes and a line for each
//! library, or bars where there is only one size.

use super::report::{short, Row};
use crate::peers::Peer;

const PANEL: (f64, f64) = (420.0, 260.0);
const COLUMNS: usize = 3;
const MARGIN: (f64, f64, f64, f64) = (64.0, 16.0, 34.0, 44.0); // left, right, top, bottom
const HEADER: f64 = 70.0;
const LABEL_WIDTH: f64 = 26.0;

/// A colour for each library, distinct for colour-blind readers too.
const COLOURS: &[(&str, &str)] = &[
    ("oxmpi", "#d1495b"),
    ("openmpi4", "#2e86ab"),
    ("openmpi5", "#66b2d6"),
    ("mpich", "#edae49"),
    ("impi", "#4c956c"),
    ("sockets", "#888888"),
    ("reduce_plain", "#888888"),
];

/// The picture as SVG.
pub fn svg(peers: &[Peer], rows: &[Row]) -> String {
    let panels = panels(rows);
    let lines = panels.len().div_ceil(COLUMNS).max(1);
    let (width, height) = (PANEL.0 * COLUMNS as f64, HEADER + PANEL.1 * lines as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"24\" y=\"28\" font-size=\"18\" font-weight=\"bold\">MPI libraries, one run, one \
         machine</text>\n"
    );
    for (i, peer) in peers.iter().enumerate() {
        let x = 24.0 + 210.0 * i as f64;
        let (colour, title) = (colour(peer.key), escape(&peer.title));
        svg += &format!(
            "<rect x=\"{x}\" y=\"42\" width=\"14\" height=\"14\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"54\">{title}</text>\n",
            x + 20.0
        );
    }
    for (i, (title, rows)) in panels.iter().enumerate() {
        let x = PANEL.0 * (i % COLUMNS) as f64;
        let y = HEADER + PANEL.1 * (i / COLUMNS) as f64;
        svg += &format!("<g transform=\"translate({x},{y})\">\n");
        svg += &panel(title, rows);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn colour(key: &str) -> &'static str {
    let found = COLOURS.iter().find(|(peer, _)| *peer == key);
    found.map_or("#444444", |(_, colour)| colour)
}

/// The rows by what they measure, in their order.
fn panels(rows: &[Row]) -> Vec<(String, Vec<&Row>)> {
    let mut panels: Vec<(String, Vec<&Row>)> = Vec::new();
    for row in rows {
        let title = format!("{} ({})", row.label(), row.case.unit);
        match panels.iter_mut().find(|(known, _)| *known == title) {
            Some((_, members)) => members.push(row),
            None => panels.push((title, vec![row])),
        }
    }
    panels
}

fn panel(title: &str, rows: &[&Row]) -> String {
    let mut svg = format!(
        "<text x=\"{}\" y=\"22\" font-weight=\"bold\">{}</text>\n",
        MARGIN.0,
        escape(title)
    );
    let sized: Vec<&&Row> = rows.iter().filter(|row| row.point.bytes > 0).collect();
    svg += &match sized.len() > 1 {
        true => curves(&sized),
        false => bars(rows[0]),
    };
    svg
}

/// The area that data is drawn in: left, top, right, bottom.
fn area() -> (f64, f64, f64, f64) {
    let (left, right, top, bottom) = MARGIN;
    (left, top, PANEL.0 - right, PANEL.1 - bottom)
}

fn curves(rows: &[&&Row]) -> String {
    let (left, top, right, bottom) = area();
    let values: Vec<f64> = rows
        .iter()
        .flat_map(|row| row.values.iter().map(|(_, value)| *value))
        .filter(|value| *value > 0.0)
        .collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(0.0, f64::max);
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    let high = if high > low { high } else { low + 1.0 };
    let first = (rows[0].point.bytes as f64).log2();
    let last = (rows[rows.len() - 1].point.bytes as f64).log2();
    let x_of =
        |bytes: u64| left + (right - left) * ((bytes as f64).log2() - first) / (last - first);
    let y_of = |value: f64| bottom - (bottom - top) * (value.log10() - low) / (high - low);
    let mut svg = String::new();
    for power in low as i32..=high as i32 {
        let (y, label) = (y_of(10f64.powi(power)), decade(power));
        svg += &format!(
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n",
            left - 6.0,
            y + 4.0
        );
    }
    let mut labelled = f64::NEG_INFINITY;
    for row in rows {
        let x = x_of(row.point.bytes);
        if x - labelled < LABEL_WIDTH {
            continue;
        }
        labelled = x;
        svg += &format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"9\">{}</text>\n",
            bottom + 16.0,
            size(row.point.bytes)
        );
    }
    for (key, colour) in COLOURS.iter().rev() {
        let points: Vec<String> = rows
            .iter()
            .filter_map(|row| Some((row.point.bytes, row.value(key)?)))
            .map(|(bytes, value)| format!("{:.1},{:.1}", x_of(bytes), y_of(value)))
            .collect();
        let width = if *key == "oxmpi" { 3.0 } else { 1.6 };
        svg += &format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             points=\"{}\"/>\n",
            points.join(" ")
        );
    }
    svg
}

fn bars(row: &Row) -> String {
    let (left, top, right, bottom) = area();
    let most = row
        .values
        .iter()
        .map(|(_, v)| *v)
        .fold(f64::MIN_POSITIVE, f64::max);
    let step = (bottom - top) / row.values.len().max(1) as f64;
    let mut svg = String::new();
    for (i, (key, value)) in row.values.iter().enumerate() {
        let y = top + step * i as f64;
        let width = ((right - left - 70.0) * value / most).max(1.0);
        svg += &format!(
            "<rect x=\"{left}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"10\">{key}</text>\n",
            step * 0.7,
            colour(key),
            left + width + 6.0,
            y + step * 0.5,
            short(*value),
            left - 6.0,
            y + step * 0.5
        );
    }
    svg
}

fn decade(power: i32) -> String {
    match power {
        ..0 => format!("{:.*}", -power as usize, 10f64.powi(power)),
        0..6 => format!("{:.0}", 10f64.powi(power)),
        _ => format!("1e{power}"),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        1048576.. => format!("{}M", bytes / 1048576),
        1024.. => format!("{}K", bytes / 1024),
        _ => bytes.to_string(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
