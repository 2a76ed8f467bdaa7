//! Collectives of up to 4,096 ranks on 256 nodes, by node and flat: drawn as `docs/nodes.svg` from
//! `docs/nodes.tsv`.

use std::fmt::Write;

use coll::{Blocks, Port, Reduction, Rules, Running, Team, Vector};

use crate::clock::{Machine, Model};
use crate::draw::{draw, place, sheet, Plot, LAST};
use crate::nodes::{INSIDE, NETWORKS};

/// Ranks on each node.
const EACH: u32 = 16;
/// The fewest ranks drawn, as a power of two: those of two nodes; and the most that a test
/// simulates anew.
const FIRST: u32 = 5;
const QUICK: u32 = 9;
/// Bytes that the ranks have in all at most.
const BYTES_MAX: usize = 1 << 20;

const NAMES: [&str; 2] = ["by node", "flat"];

struct Panel {
    title: &'static str,
    begin: fn(&Model, &Rules, &Port, Team, Reduction) -> Running,
}

const PANELS: [Panel; 3] = [
    Panel {
        title: "MPI_Allreduce, 8 bytes",
        begin: |model, rules, port, team, reduction| {
            let vector = Vector {
                send: Some(model.send(8)),
                recv: Some(model.recv(8)),
                count: 2,
            };
            coll::allreduce(port, rules, team, reduction, vector)
        },
    },
    Panel {
        title: "MPI_Bcast, 1 MiB",
        begin: |model, rules, port, team, _| coll::bcast(port, rules, team, 0, model.recv(1 << 20)),
    },
    Panel {
        title: "MPI_Allgather, 64 bytes a rank",
        begin: |model, rules, port, team, _| {
            let recv = Blocks::even(model.recv(64 * team.size as usize), team.size);
            coll::allgather(port, rules, team, Some(model.send(64)), recv)
        },
    },
];

/// Microseconds, and the messages of the node that sends most.
type Cost = (f64, u64);

/// The costs of a panel's collective on 2 to the power of each of these ranks, by node and flat.
fn simulate(panel: &Panel, powers: std::ops::RangeInclusive<u32>) -> Vec<[Cost; 2]> {
    let costs = powers.map(|power| {
        let ranks: u32 = 1 << power;
        let model = Model::new(BYTES_MAX).on(Machine {
            node_of: (0..ranks).map(|rank| rank / EACH).collect(),
            inside: INSIDE,
            between: NETWORKS[1].1,
        });
        [true, false].map(|by_node| {
            model.play(ranks, &|port, team, reduction| {
                let rules = match by_node {
                    true => model.rules(team.rank),
                    false => Rules::default(),
                };
                (panel.begin)(&model, &rules, port, team, reduction)
            })
        })
    });
    costs.collect()
}

/// A line for each panel and number of ranks: time and messages by node, then flat.
fn table(last: u32) -> String {
    let mut text = String::new();
    for panel in &PANELS {
        for (power, [by_node, flat]) in (FIRST..).zip(simulate(panel, FIRST..=last)) {
            let title = panel.title;
            let (ranks, (time, sent), (flat_time, flat_sent)) = (1 << power, by_node, flat);
            let _ = writeln!(
                text,
                "{title}\t{ranks}\t{time}\t{sent}\t{flat_time}\t{flat_sent}"
            );
        }
    }
    text
}

fn svg(table: &str) -> String {
    let mut out = sheet(
        2,
        "16 ranks on each node, by the number of ranks; above microseconds, below messages that a \
         node sends to others, the most of any. 10 Gbit/s, 10 us",
    );
    for (index, panel) in PANELS.iter().enumerate() {
        let rows = table.lines().filter_map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let numbers = fields.get(2..).filter(|_| fields[0] == panel.title)?;
            Some(
                numbers
                    .iter()
                    .map(|text| text.parse().expect("a number"))
                    .collect(),
            )
        });
        let rows: Vec<Vec<f64>> = rows.collect();
        for (row, columns) in [[0, 2], [1, 3]].into_iter().enumerate() {
            let curve = |column: usize| rows.iter().map(|row| row[column]).collect();
            let plot = Plot {
                title: panel.title,
                names: &NAMES,
                first: FIRST,
                curves: columns.map(curve).into(),
            };
            draw(&mut out, &plot, place(3 * row + index));
        }
    }
    out.push_str("</svg>\n");
    out
}

/// `OXMPI_DRAW=1` simulates and draws again, up to 4,096 ranks: some minutes.
#[test]
fn the_drawing_is_of_collectives_by_node() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/");
    let (file, drawing) = (format!("{folder}nodes.tsv"), format!("{folder}nodes.svg"));
    if std::env::var_os("OXMPI_DRAW").is_some() {
        let all = table(LAST);
        std::fs::write(&drawing, svg(&all)).unwrap();
        std::fs::write(&file, all).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let stale = "is stale: run this test with OXMPI_DRAW=1";
    for line in table(QUICK).lines() {
        assert!(
            kept.lines().any(|known| known == line),
            "{file} {stale}: {line}"
        );
    }
    assert!(
        std::fs::read_to_string(&drawing).unwrap_or_default() == svg(&kept),
        "{drawing} {stale}"
    );
}
