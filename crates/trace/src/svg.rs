//! A trace as a picture: the ranks over time, and the bytes that went from each rank to each.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::merge::Trace;
use crate::picture::{self, escape, COLOURS, LABEL, OTHER};
use crate::sample;
use crate::text::{bytes, time};

/// Pixels: the whole picture, the margin on the left, and the lines of ranks.
const WIDTH: f64 = 1200.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 60.0;
/// How many columns time is divided into: what is shorter than one is drawn with its like.
const COLUMNS: usize = 1090;
/// How many arrows are drawn at most: more would hide the ranks.
const ARROWS_MAX: usize = 400;
/// How many shades of the matrix the legend shows beside that of nothing.
const SHADES: usize = 4;

/// Returns the picture of a trace.
pub fn picture(trace: &Trace) -> String {
    let count = trace.ranks.len().max(1);
    let row = (480.0 / count as f64).clamp(6.0, 32.0);
    let colours = colours(trace);
    let lines_end = TOP + row * count as f64;
    let legend = lines_end + 50.0;
    let legend_rows = colours.len().div_ceil(5) as f64;
    let matrix = legend + 22.0 * legend_rows + 40.0;
    let cell = (420.0 / count as f64).clamp(2.0, 40.0);
    let beside = 50.0 + 18.0 * (SHADES + 1) as f64;
    let height = matrix + 40.0 + (cell * count as f64).max(beside) + 30.0;
    let ranks = trace.ranks.len();
    let title = format!("{ranks} ranks, {}", time(trace.span as f64));
    let mut out = picture::open((WIDTH, height), LEFT, &title);
    axis(trace, lines_end, &mut out);
    for at in 0..trace.ranks.len() {
        line(trace, at, row, &colours, &mut out);
    }
    arrows(trace, row, &mut out);
    for (nth, (function, colour)) in colours.iter().enumerate() {
        let x = LEFT + 215.0 * (nth % 5) as f64;
        let y = legend + 22.0 * (nth / 5) as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{y:.1}\">{}</text>",
            y - 10.5,
            x + 18.0,
            escape(function)
        );
    }
    draw_matrix(trace, matrix, cell, &mut out);
    out + "</svg>\n"
}

/// The functions with colours of their own, by the time spent in them.
fn colours(trace: &Trace) -> Vec<(String, &'static str)> {
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    for line in &trace.ranks {
        for (record, [begin, end]) in line.calls() {
            *times.entry(&line.site(record).function).or_default() += end - begin;
        }
    }
    let mut times: Vec<_> = times.into_iter().collect();
    times.sort_by_key(|(_, nanos)| std::cmp::Reverse(*nanos));
    let more = times.len() > COLOURS.len();
    let named = times.iter().zip(COLOURS);
    let mut all: Vec<_> = named
        .map(|((name, _), colour)| (name.to_string(), colour))
        .collect();
    if more {
        all.push(("other functions".to_string(), OTHER));
    }
    all
}

fn x(trace: &Trace, nanos: u64) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * nanos as f64 / trace.span.max(1) as f64
}

/// The axis of time below the ranks, with five to ten marks at round numbers.
fn axis(trace: &Trace, y: f64, out: &mut String) {
    let span = trace.span.max(1) as f64;
    let power = 10f64.powf((span / 10.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power);
    let step = step
        .into_iter()
        .find(|step| span / step <= 10.0)
        .unwrap_or(span);
    let mut at = 0.0;
    while at <= span {
        let x = x(trace, at as u64);
        let label = (x, y + 20.0, "middle");
        *out += &picture::mark((x, TOP - 6.0), (x, y + 6.0), label, &time(at));
        at += step;
    }
}

/// One rank: a bar, and on it the function that took most of each column.
fn line(trace: &Trace, at: usize, row: f64, colours: &[(String, &str)], out: &mut String) {
    let line = &trace.ranks[at];
    let y = TOP + row * at as f64;
    let bar = row * 0.8;
    if row >= 11.0 || at.is_multiple_of(4) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">rank {}</text>",
            LEFT - 8.0,
            y + bar / 2.0 + 4.0,
            line.rank.number
        );
    }
    let _ = writeln!(
        out,
        "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{bar:.1}\" fill=\"#f2f2f2\"/>",
        WIDTH - LEFT - RIGHT
    );
    let column = trace.span.max(1) as f64 / COLUMNS as f64;
    let mut columns: Vec<BTreeMap<&str, f64>> = vec![BTreeMap::new(); COLUMNS];
    for (record, [begin, end]) in line.calls() {
        let function = line.site(record).function.as_str();
        let (first, last) = (begin as f64 / column, end as f64 / column);
        let touched = columns.iter_mut().enumerate().skip(first as usize);
        for (nth, column) in touched.take(last as usize - first as usize + 1) {
            let part = last.min(nth as f64 + 1.0) - first.max(nth as f64);
            *column.entry(function).or_default() += part;
        }
    }
    // Columns of one colour and one share are one rectangle.
    let shade = |functions: &BTreeMap<&str, f64>| {
        let most = functions.iter().max_by(|a, b| a.1.total_cmp(b.1))?;
        let known = colours.iter().find(|(name, _)| name == most.0);
        let share: f64 = functions.values().sum::<f64>().min(1.0);
        Some((
            known.map_or(OTHER, |(_, colour)| colour),
            (share * 10.0).ceil() as u32,
        ))
    };
    let shades: Vec<_> = columns.iter().map(shade).collect();
    let width = (WIDTH - LEFT - RIGHT) / COLUMNS as f64;
    let mut first = 0;
    while first < COLUMNS {
        let run = shades[first..]
            .iter()
            .take_while(|shade| **shade == shades[first])
            .count();
        if let Some((colour, share)) = shades[first].filter(|(_, share)| *share > 0) {
            let high = bar * f64::from(share) / 10.0;
            let _ = writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\" \
                 fill=\"{colour}\"/>",
                LEFT + width * first as f64,
                y + bar - high,
                width * run as f64
            );
        }
        first += run;
    }
}

/// Messages between ranks, a sample of them where there are too many.
fn arrows(trace: &Trace, row: f64, out: &mut String) {
    let messages: Vec<_> = trace
        .messages
        .iter()
        .filter(|message| message.ends[0] != message.ends[1])
        .collect();
    let all = messages.len();
    let messages = sample::over_time(messages, trace.span, ARROWS_MAX);
    if messages.len() < all {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"26\" text-anchor=\"end\" fill=\"{LABEL}\">arrows: {} of {all} \
             messages</text>",
            WIDTH - RIGHT,
            messages.len()
        );
    }
    for message in messages {
        let [y1, y2] = message.ends.map(|end| TOP + row * (end as f64 + 0.4));
        let [x1, x2] = message.times.map(|nanos| x(trace, nanos));
        let _ = writeln!(
            out,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#222\" \
             stroke-opacity=\"0.45\" stroke-width=\"0.8\"/>\
             <circle cx=\"{x2:.1}\" cy=\"{y2:.1}\" r=\"1.5\" fill=\"#222\"/>"
        );
    }
}

/// The bytes from each rank (down) to each rank (across), darker where there are more.
fn draw_matrix(trace: &Trace, top: f64, cell: f64, out: &mut String) {
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"{top:.1}\" font-size=\"15\">Bytes from rank (down) to rank \
         (across): messages, puts and gets</text>"
    );
    let sent = matrix(trace);
    let most = sent.iter().flatten().copied().max().unwrap_or(0).max(1);
    let top = top + 30.0;
    let every = (20.0 / cell).ceil().max(1.0) as usize;
    for (from, row) in sent.iter().enumerate() {
        let y = top + cell * from as f64;
        if from.is_multiple_of(every) {
            let middle = cell / 2.0;
            let number = trace.ranks[from].rank.number;
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{LABEL}\">{number}</text>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
                 fill=\"{LABEL}\">{number}</text>",
                LEFT - 6.0,
                y + middle + 4.0,
                LEFT + cell * from as f64 + middle,
                top - 5.0
            );
        }
        for (to, amount) in row.iter().enumerate() {
            let x = LEFT + cell * to as f64;
            let strength = strength(*amount, most);
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell:.1}\" height=\"{cell:.1}\" \
                 fill=\"{}\" fill-opacity=\"{strength:.2}\" stroke=\"#e4e4e4\" \
                 stroke-width=\"0.5\"><title>{} to {}: {}</title></rect>",
                COLOURS[0],
                trace.ranks[from].rank.number,
                trace.ranks[to].rank.number,
                bytes(*amount as f64)
            );
        }
    }
    let right = LEFT + cell * sent.len() as f64 + 30.0;
    let total: u64 = sent.iter().flatten().sum();
    let _ = writeln!(
        out,
        "<text x=\"{right:.1}\" y=\"{:.1}\">in all {}</text>\
         <text x=\"{right:.1}\" y=\"{:.1}\">most between two ranks {}</text>",
        top + 14.0,
        bytes(total as f64),
        top + 34.0,
        bytes(if total == 0 { 0.0 } else { most as f64 })
    );
    if total > 0 {
        shades(most, (right, top + 50.0), out);
    }
}

/// How dark a cell of the matrix is: nothing is white, and the logarithm of the bytes counts.
fn strength(amount: u64, most: u64) -> f64 {
    match amount {
        0 => 0.0,
        amount => 0.12 + 0.88 * ((amount as f64).ln_1p() / (most as f64).ln_1p()),
    }
}

/// The legend of the shades of the matrix: nothing, and bytes in equal steps of their logarithm.
fn shades(most: u64, (x, y): (f64, f64), out: &mut String) {
    let steps = (0..SHADES).map(|step| {
        let part = (step + 1) as f64 / SHADES as f64;
        (most as f64).powf(part).round().max(1.0) as u64
    });
    let mut amounts: Vec<u64> = std::iter::once(0).chain(steps).collect();
    amounts.dedup();
    for (at, amount) in amounts.into_iter().enumerate() {
        let y = y + 18.0 * at as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"12\" height=\"12\" fill=\"{}\" \
             fill-opacity=\"{:.2}\" stroke=\"#e4e4e4\" stroke-width=\"0.5\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            COLOURS[0],
            strength(amount, most),
            x + 18.0,
            y + 10.5,
            bytes(amount as f64)
        );
    }
}

/// Bytes from each rank to each: of messages, puts and gets.
fn matrix(trace: &Trace) -> Vec<Vec<u64>> {
    let count = trace.ranks.len();
    let numbers = trace.ranks.iter().enumerate();
    let positions: BTreeMap<u32, usize> =
        numbers.map(|(at, line)| (line.rank.number, at)).collect();
    let mut sent = vec![vec![0; count]; count];
    for (at, line) in trace.ranks.iter().enumerate() {
        for (to, peer) in line.rank.peers.iter().enumerate() {
            let Some(to) = positions
                .get(&(line.rank.first.wrapping_add(to as u32)))
                .copied()
            else {
                continue;
            };
            sent[at][to] += peer.bytes + peer.put;
            sent[to][at] += peer.got;
        }
    }
    sent
}
