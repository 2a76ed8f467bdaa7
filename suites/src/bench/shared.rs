//! The suite `shared`: ranks that share the machine with each other and with other programs.

use super::cases::{case, ranks, Case, Counts, Program};
use crate::neighbours::Beside;
use crate::peers::Start;

/// Ranks and processors; where it says one processor, everything is on the first.
const STARTS: &[(&str, Start)] = &[
    ("2 on 2", ranks(2)),
    (
        "2 on 1",
        Start {
            one_processor: true,
            ..ranks(2)
        },
    ),
    ("3 on 2", ranks(3)),
    ("4 on 2", ranks(4)),
    ("8 on 2", ranks(8)),
];

const BESIDE: &[(&str, Beside)] = &[
    ("quiet", Beside::Loops(0)),
    ("1 loop beside", Beside::Loops(1)),
    ("2 loops beside", Beside::Loops(2)),
    ("4 loops beside", Beside::Loops(4)),
    ("a waker beside", Beside::Waker),
    ("a nice loop beside", Beside::Nice),
];

/// Returns each start beside each kind of program. The cases live as long as the process.
pub fn cases() -> Vec<&'static Case> {
    let mut cases = Vec::new();
    for (ranks, start) in STARTS {
        for (what, beside) in BESIDE {
            let title: &'static str = format!("{ranks}, {what}").leak();
            // Peers spend all of their core while they wait.
            let target: fn(&str, u64) -> Option<f64> = |name, _| (name != "waiting").then_some(1.5);
            let program = Program::Mpi("beside");
            let case = case(
                "shared",
                title,
                title,
                "us",
                program,
                &["2"],
                *start,
                target,
            );
            cases.push(&*Box::leak(Box::new(Case {
                beside: *beside,
                counts: Counts::Median,
                ..case
            })));
        }
    }
    cases
}
