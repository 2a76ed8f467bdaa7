//! The table of phases and events, as one test: every phase meets every event.
//!
//! [`ROWS`] has the cells in which something happens. The table in the documentation of
//! [`crate::phase`] is made of it.

use super::{FlushPhase, LockPhase, Release, Unconfirmed};

/// A phase of any of the three kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Lock(LockPhase),
    Flush(FlushPhase),
    Unconfirmed(Unconfirmed),
}

/// Every phase, with its kind and its name.
const PHASES: &[(Phase, &str, &str)] = &[
    (Phase::Lock(LockPhase::None), "Lock", "None"),
    (Phase::Lock(LockPhase::Requested), "Lock", "Requested"),
    (Phase::Lock(LockPhase::Granted), "Lock", "Granted"),
    (Phase::Lock(LockPhase::Unchecked), "Lock", "Unchecked"),
    (Phase::Flush(FlushPhase::Idle), "Flush", "Idle"),
    (Phase::Flush(FlushPhase::Unflushed), "Flush", "Unflushed"),
    (Phase::Flush(FLUSHING), "Flush", "Flushing"),
    (Phase::Flush(THEN_UNLOCK), "Flush", "FlushingThenUnlock"),
    (
        Phase::Unconfirmed(Unconfirmed::Nothing),
        "Unconfirmed",
        "Nothing",
    ),
    (
        Phase::Unconfirmed(Unconfirmed::Notices),
        "Unconfirmed",
        "Notices",
    ),
    (
        Phase::Unconfirmed(Unconfirmed::Accesses),
        "Unconfirmed",
        "Accesses",
    ),
];

const FLUSHING: FlushPhase = FlushPhase::Flushing { then_unlock: false };
const THEN_UNLOCK: FlushPhase = FlushPhase::Flushing { then_unlock: true };

/// Every event, with the kind of the phases that it is one of.
const EVENTS: &[(&str, &str)] = &[
    ("Lock", "requested"),
    ("Lock", "taken"),
    ("Lock", "granted"),
    ("Lock", "released"),
    ("Lock", "abandoned"),
    ("Flush", "put"),
    ("Flush", "begun"),
    ("Flush", "begun behind an access"),
    ("Flush", "to unlock behind"),
    ("Flush", "flushed"),
    ("Unconfirmed", "access"),
    ("Unconfirmed", "notice"),
    ("Unconfirmed", "completed"),
    ("Unconfirmed", "requested"),
    ("Unconfirmed", "freed"),
];

/// A phase with its kind, an event, the next phase, and what follows.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const ROWS: &[Row] = &[
    ("Lock", "None", "requested", "Requested", ""),
    ("Lock", "None", "taken", "Unchecked", ""),
    ("Lock", "Requested", "granted", "Granted", ""),
    ("Lock", "Requested", "released", "None", "`Unlock`"),
    ("Lock", "Requested", "abandoned", "None", ""),
    ("Lock", "Granted", "released", "None", "`Unlock`"),
    ("Lock", "Granted", "abandoned", "None", ""),
    ("Lock", "Unchecked", "released", "None", "confirmation"),
    ("Lock", "Unchecked", "abandoned", "None", ""),
    ("Flush", "Idle", "put", "Unflushed", ""),
    (
        "Flush",
        "Idle",
        "begun behind an access",
        "Flushing",
        "flush",
    ),
    ("Flush", "Unflushed", "begun", "Flushing", "flush"),
    (
        "Flush",
        "Unflushed",
        "begun behind an access",
        "Flushing",
        "flush",
    ),
    ("Flush", "Unflushed", "flushed", "Idle", ""),
    (
        "Flush",
        "Flushing",
        "to unlock behind",
        "FlushingThenUnlock",
        "",
    ),
    ("Flush", "Flushing", "flushed", "Idle", ""),
    ("Flush", "FlushingThenUnlock", "flushed", "Idle", "`Unlock`"),
    ("Unconfirmed", "Nothing", "access", "Accesses", ""),
    ("Unconfirmed", "Nothing", "notice", "Notices", ""),
    ("Unconfirmed", "Notices", "access", "Accesses", ""),
    ("Unconfirmed", "Notices", "requested", "Nothing", ""),
    ("Unconfirmed", "Notices", "freed", "Accesses", ""),
    ("Unconfirmed", "Accesses", "completed", "Notices", ""),
    ("Unconfirmed", "Accesses", "requested", "Nothing", ""),
];

/// Has an event happen in a phase; returns what follows.
fn meet(phase: &mut Phase, event: &str) -> &'static str {
    match phase {
        Phase::Lock(lock) => match event {
            "requested" => lock.requested(),
            "taken" => lock.taken(),
            "granted" => {
                let waited = lock.waits();
                assert_eq!(
                    lock.granted(),
                    waited,
                    "a grant that nobody waits for is refused"
                );
            }
            "released" => {
                return match lock.released() {
                    None => "",
                    Some(Release::Unlock) => "`Unlock`",
                    Some(Release::Confirmation) => "confirmation",
                }
            }
            _ => lock.abandoned(),
        },
        Phase::Flush(flush) => match event {
            "put" => flush.put(),
            "begun" | "begun behind an access" => {
                let begins = flush.begun(event != "begun");
                return if begins { "flush" } else { "" };
            }
            "to unlock behind" => {
                let waits = flush.unlock_behind();
                assert_eq!(waits, flush.is_under_way(), "else it is released at once");
            }
            _ => return if flush.flushed() { "`Unlock`" } else { "" },
        },
        Phase::Unconfirmed(unconfirmed) => match event {
            "access" => unconfirmed.access(),
            "notice" => unconfirmed.notice(),
            "completed" => unconfirmed.completed(),
            "requested" => unconfirmed.requested(),
            _ => unconfirmed.freed(),
        },
    }
    ""
}

#[test]
fn every_phase_answers_every_event_as_the_table_says() {
    for &(phase, kind, name) in PHASES {
        for &(_, event) in EVENTS.iter().filter(|event| event.0 == kind) {
            let row = ROWS
                .iter()
                .find(|row| (row.0, row.1, row.2) == (kind, name, event));
            let (next, follows) = row.map_or((name, ""), |row| (row.3, row.4));
            let mut met = phase;
            let seen = meet(&mut met, event);
            let reached = PHASES
                .iter()
                .find(|known| known.0 == met)
                .map(|known| known.2);
            assert_eq!(
                (reached, seen),
                (Some(next), follows),
                "{kind}::{name}, {event}"
            );
        }
    }
}

/// The table in the documentation of the module is this one.
#[test]
fn the_documentation_has_the_table() {
    let mut last = ("", "");
    let rows = ROWS.iter().map(|&(kind, name, event, next, follows)| {
        let phase = match (kind, name) == last {
            true => String::new(),
            false => format!("`{kind}::{name}` "),
        };
        last = (kind, name);
        let end = if follows.is_empty() {
            "|".into()
        } else {
            format!("{follows} |")
        };
        format!("//! | {phase}| {event} | `{next}` | {end}")
    });
    let rows: Vec<String> = rows.collect();
    let text = include_str!("../phase.rs");
    let lines = text
        .lines()
        .skip_while(|line| !line.starts_with("//! |---"));
    let lines = lines.skip(1).take_while(|line| line.starts_with("//! |"));
    assert_eq!(lines.collect::<Vec<_>>(), rows);
}
