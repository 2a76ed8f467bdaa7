//! Draws the files of a crate, each above those that it uses, as far as circles allow. Uses that go
//! upwards are red, as are files in a circle; calls of methods are dotted. The drawing is a
//! self-contained SVG. Pointing at a file shows its uses in blue and its users in green.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::uses::Uses;

const ROW_PIXELS: usize = 74;
const BOX_PIXELS: usize = 24;
const GAP_PIXELS: usize = 14;
const LETTER_PIXELS: usize = 7;
const MARGIN_PIXELS: usize = 24;
const HEAD_PIXELS: usize = 44;
/// Room for the line above.
const TITLE_PIXELS: usize = 420;
/// Beyond this a level goes on in another row.
const WIDTH_PIXELS: usize = 1300;

/// Where a file is drawn.
#[derive(Clone, Default)]
struct Spot {
    x: usize,
    y: usize,
    width: usize,
}

const STYLE: &str =
    "text{font:12px system-ui,sans-serif;fill:#1f2933}.h{font-size:16px;font-weight:600}\
.n rect{fill:#eef3f8;stroke:#7b8fa3}.n.c rect{fill:#fdeceb;stroke:#c0392b}\
.e{fill:none;stroke:#7b8fa3;stroke-opacity:.55}.e.i{stroke-opacity:.18}\
.e.m{stroke-dasharray:2 3;stroke-opacity:.3}.e.c{stroke:#c0392b;stroke-opacity:.8}\
.e.on{stroke:#1565c0;stroke-opacity:1;stroke-width:2}\
.e.by{stroke:#2e7d32;stroke-opacity:1;stroke-width:2}";

const SCRIPT: &str = "document.querySelectorAll('.n').forEach(n=>{const i=n.dataset.n;\
const on=v=>document.querySelectorAll('.e').forEach(e=>{\
e.classList.toggle('on',v&&e.dataset.a==i);e.classList.toggle('by',v&&e.dataset.b==i)});\
n.onmouseenter=()=>on(true);n.onmouseleave=()=>on(false)})";

/// The drawing of a crate.
pub fn svg(name: &str, uses: &Uses, circles: &[Vec<usize>]) -> String {
    let levels = uses.levels();
    let spots = place(uses, &levels);
    let right = spots.iter().map(|spot| spot.x + spot.width).max();
    let width = right.unwrap_or(0).max(TITLE_PIXELS) + 4 * MARGIN_PIXELS;
    let height = spots
        .iter()
        .map(|spot| spot.y + BOX_PIXELS)
        .max()
        .unwrap_or(0)
        + MARGIN_PIXELS;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text class=\"h\" x=\"{MARGIN_PIXELS}\" y=\"28\">\
         {name}: {} files, {} uses, {} of them back up</text>\n",
        uses.files.len(),
        uses.edges.len(),
        uses.edges
            .keys()
            .filter(|edge| levels[edge.0] <= levels[edge.1])
            .count()
    );
    let in_circle = |at: usize| circles.iter().any(|circle| circle.contains(&at));
    for (&(from, to), items) in &uses.edges {
        let class = match () {
            () if levels[from] <= levels[to] => "e c",
            () if is_implied(uses, from, to) => "e i",
            () => "e",
        };
        out += &line(uses, &spots, (from, to), class, "uses", items);
    }
    for (ends, items) in &uses.calls {
        out += &line(uses, &spots, *ends, "e m", "calls", items);
    }
    for (at, spot) in spots.iter().enumerate() {
        let class = if in_circle(at) { "n c" } else { "n" };
        let (Spot { x, y, width }, file) = (spot, escaped(&uses.files[at]));
        let of = |side: fn(&(usize, usize)) -> usize| {
            uses.edges.keys().filter(|edge| side(edge) == at).count()
        };
        let _ = writeln!(
            out,
            "<g class=\"{class}\" data-n=\"{at}\"><title>{file}: uses {}, used by {}</title>\
             <rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX_PIXELS}\" rx=\"4\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{file}</text></g>",
            of(|edge| edge.0),
            of(|edge| edge.1),
            x + width / 2,
            y + BOX_PIXELS - 8
        );
    }
    out + &format!("<script><![CDATA[{SCRIPT}]]></script>\n</svg>\n")
}

/// A line from one file to another, with the items that it stands for.
fn line(
    uses: &Uses,
    spots: &[Spot],
    (from, to): (usize, usize),
    class: &str,
    verb: &str,
    items: &BTreeSet<String>,
) -> String {
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let (user, used) = (&uses.files[from], &uses.files[to]);
    format!(
        "<path class=\"{class}\" data-a=\"{from}\" data-b=\"{to}\" d=\"{}\">\
         <title>{}</title></path>\n",
        curve(&spots[from], &spots[to]),
        escaped(&format!("{user} {verb} {used}: {}", items.join(", ")))
    )
}

/// Whether a use follows from others: the file also uses one that leads there.
fn is_implied(uses: &Uses, from: usize, to: usize) -> bool {
    let mut next: Vec<usize> = vec![from];
    let mut seen = vec![false; uses.files.len()];
    while let Some(at) = next.pop() {
        for (_, used) in uses
            .edges
            .keys()
            .filter(|edge| edge.0 == at && **edge != (from, to))
        {
            if *used == to {
                return true;
            }
            if !std::mem::replace(&mut seen[*used], true) {
                next.push(*used);
            }
        }
    }
    false
}

/// Rows from the top level down, each ordered so that files stand near what they use and are used
/// by.
fn place(uses: &Uses, levels: &[usize]) -> Vec<Spot> {
    let top = levels.iter().copied().max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = (0..=top).rev().map(|_| Vec::new()).collect();
    for (at, level) in levels.iter().enumerate() {
        rows[top - level].push(at);
    }
    let mut order: Vec<f64> = vec![0.0; levels.len()];
    for _ in 0..8 {
        for row in &mut rows {
            for (position, at) in row.iter().enumerate() {
                order[*at] = (position as f64 + 0.5) / row.len() as f64;
            }
        }
        let near = |at: usize| {
            let ends = uses.edges.keys().filter_map(|&(from, to)| match () {
                () if from == at => Some(to),
                () if to == at => Some(from),
                () => None,
            });
            let ends: Vec<f64> = ends.map(|end| order[end]).collect();
            (ends.iter().sum::<f64>() + order[at]) / (ends.len() as f64 + 1.0)
        };
        for row in &mut rows {
            row.sort_by(|a, b| near(*a).total_cmp(&near(*b)));
        }
    }
    let mut spots = vec![Spot::default(); levels.len()];
    let width = |at: usize| uses.files[at].len() * LETTER_PIXELS + 16;
    let mut y = HEAD_PIXELS;
    for row in rows {
        let mut lines: Vec<Vec<usize>> = vec![Vec::new()];
        let mut taken = 0;
        for at in row {
            if taken + width(at) > WIDTH_PIXELS {
                lines.push(Vec::new());
                taken = 0;
            }
            taken += width(at) + GAP_PIXELS;
            lines.last_mut().into_iter().for_each(|line| line.push(at));
        }
        let count = lines.len();
        for (number, line) in lines.into_iter().enumerate() {
            let taken: usize = line.iter().map(|at| width(*at) + GAP_PIXELS).sum();
            let mut x = MARGIN_PIXELS + (WIDTH_PIXELS + GAP_PIXELS).saturating_sub(taken) / 2;
            for at in line {
                spots[at] = Spot {
                    x,
                    y,
                    width: width(at),
                };
                x += width(at) + GAP_PIXELS;
            }
            y += if number + 1 < count {
                ROW_PIXELS / 2
            } else {
                ROW_PIXELS
            };
        }
    }
    let left = spots.iter().map(|spot| spot.x).min().unwrap_or(0);
    spots
        .iter_mut()
        .for_each(|spot| spot.x = spot.x + 4 * MARGIN_PIXELS - left);
    spots
}

/// A line from one file down to another, or back up. The longer it is, the more it swings to a
/// side: going down to the left, going up to the right.
fn curve(from: &Spot, to: &Spot) -> String {
    let (start, end) = (from.x + from.width / 2, to.x + to.width / 2);
    let is_down = to.y > from.y;
    let (first, last) = match is_down {
        true => (from.y + BOX_PIXELS, to.y),
        false if to.y < from.y => (from.y, to.y + BOX_PIXELS),
        false => (from.y, to.y),
    };
    let rows = from.y.abs_diff(to.y) / ROW_PIXELS;
    let swing = (rows.saturating_sub(1) * 18) as isize;
    let swing = if is_down { -swing } else { swing + 12 };
    let swung = |x: usize| x as isize + swing;
    let bend = match first.abs_diff(last) / 2 {
        0 => -(ROW_PIXELS as isize) / 2,
        half if is_down => half as isize,
        half => -(half as isize),
    };
    let (above, below) = (first as isize + bend, last as isize - bend);
    // Within a row both ends bend upwards.
    let below = if first == last { above } else { below };
    format!(
        "M{start} {first}C{} {above} {} {below} {end} {last}",
        swung(start),
        swung(end)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_above_what_they_use() {
        let items = || ["<T>".to_string()].into();
        let uses = Uses {
            files: ["low", "top", "mid"].map(str::to_string).into(),
            edges: [((1, 2), items()), ((2, 0), items()), ((1, 0), items())].into(),
            calls: [((0, 1), items())].into(),
        };
        let spots = place(&uses, &uses.levels());
        assert!(spots[1].y < spots[2].y && spots[2].y < spots[0].y);
        assert!(is_implied(&uses, 1, 0) && !is_implied(&uses, 1, 2));
        let drawing = svg("x", &uses, &[]);
        assert_eq!(drawing.matches("<rect x=").count(), 3);
        assert_eq!(drawing.matches("<path class=\"e i\"").count(), 1);
        assert_eq!(drawing.matches("<path class=\"e m\"").count(), 1);
        assert!(drawing.contains("top uses mid: &lt;T&gt;"));
    }
}
