//! Draws the tree of hosts, and the messages in each round of a start.

use std::fmt::Write;

use launch_tree::shape::{Shape, ROOT};

use crate::hosts::{wire_up, PHASES};

const WIDTH: f64 = 980.0;
const MARGIN: f64 = 40.0;
const TREE_HEIGHT: f64 = 250.0;
const BARS_TOP: f64 = 330.0;
const BARS_HEIGHT: f64 = 130.0;
const COLORS: [&str; 5] = ["#6b7f99", "#3c8d63", "#b07d2b", "#b5533c", "#5b5ea6"];

/// Draws the tree of `hosts` hosts with `radix` children each.
pub fn svg(hosts: u32, radix: u32) -> String {
    let mut out = String::new();
    let height = BARS_TOP + BARS_HEIGHT + 70.0;
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
    text(
        &mut out,
        (MARGIN, 24.0),
        &format!("mpirun and {hosts} hosts, up to {radix} connections down from each"),
    );
    tree(&mut out, Shape::new(hosts + 1, radix));
    bars(&mut out, hosts, radix);
    out.push_str("</svg>\n");
    out
}

fn text(out: &mut String, (x, y): (f64, f64), words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"#222\">{words}</text>"
    );
}

/// Where the vertices stand: those of one depth side by side.
fn places(shape: Shape) -> Vec<(f64, f64)> {
    let depths: Vec<u32> = (0..shape.vertices()).map(|v| shape.depth(v)).collect();
    let deepest = depths.iter().max().copied().unwrap_or(0).max(1);
    let place = |vertex: usize| {
        let depth = depths[vertex];
        let first = depths.iter().position(|&d| d == depth).unwrap_or(0);
        let count = depths.iter().filter(|&&d| d == depth).count();
        let share = ((vertex - first) as f64 + 0.5) / count as f64;
        let x = MARGIN + (WIDTH - 2.0 * MARGIN) * share;
        (
            x,
            50.0 + (TREE_HEIGHT - 50.0) * f64::from(depth) / f64::from(deepest),
        )
    };
    (0..depths.len()).map(place).collect()
}

fn tree(out: &mut String, shape: Shape) {
    let places = places(shape);
    for vertex in 0..shape.vertices() {
        for child in shape.children(vertex) {
            let ((x1, y1), (x2, y2)) = (places[vertex as usize], places[child as usize]);
            let _ = writeln!(
                out,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
                 stroke=\"#aab\"/>"
            );
        }
    }
    for (vertex, (x, y)) in places.iter().enumerate() {
        let (radius, color) = match vertex as u32 {
            ROOT => (9, "#b5533c"),
            _ => (6, "#3c6e99"),
        };
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{color}\"/>"
        );
    }
}

fn bars(out: &mut String, hosts: u32, radix: u32) {
    let cost = wire_up(hosts, 1, radix);
    let most = cost
        .rounds
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(1) as f64;
    let step = (WIDTH - 2.0 * MARGIN) / cost.rounds.len() as f64;
    let title = format!(
        "Messages in each of the {} rounds from the start to the first message of the program",
        cost.rounds.len()
    );
    text(out, (MARGIN, BARS_TOP - 26.0), &title);
    let bottom = BARS_TOP + BARS_HEIGHT;
    for (round, (phase, count)) in cost.rounds.iter().enumerate() {
        let x = MARGIN + step * round as f64;
        let tall = (BARS_HEIGHT - 14.0) * *count as f64 / most;
        let color = COLORS[PHASES.iter().position(|name| name == phase).unwrap_or(0)];
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"{color}\"/>",
            x + 2.0,
            bottom - tall,
            step - 4.0
        );
        text(
            out,
            (x + step / 2.0 - 6.0, bottom - tall - 4.0),
            &count.to_string(),
        );
        text(
            out,
            (x + step / 2.0 - 6.0, bottom + 16.0),
            &(round + 1).to_string(),
        );
    }
    const MEANINGS: [&str; 5] = [
        "daemons start, greet, receive their place",
        "hosts are ready",
        "what to start",
        "ranks say hello and enter a fence",
        "everybody's addresses",
    ];
    let mut x = MARGIN;
    for (meaning, color) in MEANINGS.iter().zip(COLORS) {
        let y = bottom + 40.0;
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{color}\"/>",
            y - 9.0
        );
        text(out, (x + 15.0, y), meaning);
        x += 34.0 + 6.0 * meaning.len() as f64;
    }
}
