//! Tests of the table of providers' quirks: every quirk is used, and rows match their providers.

use std::fs;
use std::path::Path;

use crate::quirks::{of, Quirks, SOFTWARE};

/// Folders whose files may ask for facts, from this crate's own.
const ASKING: &[&str] = &[
    "src",
    "../btl-ofi/src",
    "../mtl-ofi/src",
    "../../suites/src",
];

/// The table itself and its tests, which ask for nothing.
const OWN: &[&str] = &["src/quirks.rs", "src/tests/quirks.rs"];

/// The text of all source files in a folder and below.
fn sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let is_own = OWN.iter().any(|own| path.ends_with(own));
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|it| it == "rs") && !is_own {
            into.push_str(&fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// The names of the facts, out of the form that `{:#?}` writes.
fn facts() -> Vec<String> {
    let all = format!("{:#?}", Quirks::NEUTRAL);
    let fields = all.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("    ")?.split_once(": ")?;
        Some(name.to_string())
    });
    fields.collect()
}

#[test]
fn every_fact_is_asked_for_somewhere() {
    let mut text = String::new();
    for folder in ASKING {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        sources(&folder, &mut text);
    }
    let facts = facts();
    assert!(facts.len() > 15, "{facts:?}");
    let asked = |fact: &&String| {
        let question = format!("quirks.{fact}");
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let mut found = text.match_indices(&question);
        found.any(|(at, _)| ends(&text[at + question.len()..]))
    };
    let idle: Vec<&String> = facts.iter().filter(|fact| !asked(fact)).collect();
    assert!(idle.is_empty(), "nobody asks for {idle:?}");
}

#[test]
fn every_fact_is_true_of_some_provider() {
    let all_quirks = ["1.17", "2.5"].map(|version| {
        let names = SOFTWARE.split(',').chain(["psm2", "verbs;ofi_rxm"]);
        let all: Vec<String> = names
            .map(|name| format!("{:#?}", of(name, version)))
            .collect();
        all.concat()
    });
    let all_quirks = all_quirks.concat();
    let neutral = format!("{:#?}", Quirks::NEUTRAL);
    for fact in facts() {
        let line = |text: &str| {
            let start = format!("    {fact}: ");
            let lines = text.lines().filter(|line| line.starts_with(&start));
            lines.map(str::to_string).collect::<Vec<_>>()
        };
        let usual = line(&neutral);
        let differs = line(&all_quirks).iter().any(|fact| *fact != usual[0]);
        assert!(differs, "{fact} is the same for all");
    }
}

#[test]
fn providers_that_no_row_names_have_no_quirks() {
    for name in [
        "efa",
        "verbs",
        "",
        "SHM",
        "shm;ofi_other",
        "ofi_rxd",
        "sockets2",
    ] {
        assert_eq!(of(name, "1.17"), Quirks::NEUTRAL, "{name}");
    }
    // What libfabric itself brings from 2.0 on is everybody's.
    let newer = Quirks {
        prefers_directed: true,
        ..Quirks::NEUTRAL
    };
    assert_eq!(of("efa", "2.1"), newer);
    assert_eq!(of("efa", "not a version"), newer);
}

#[test]
fn layers_count_whatever_is_below_and_versions_by_their_major_number() {
    for name in ["udp;ofi_rxd", "tcp;ofi_rxd", "verbs;ofi_rxd"] {
        assert_eq!(of(name, "1.17").receives_max, 512, "{name}");
    }
    let claims = |version| !of("verbs;ofi_rxm", version).breaks_claims;
    assert_eq!(
        ["1.6", "1.22", "2.0", "10.1"].map(claims),
        [false, false, true, true]
    );
    assert!(of("shm", "1.17").mismatches.is_some() && of("shm", "2.1").mismatches.is_none());
    assert!(of("cxi", "2.1").matches_in_hardware && !of("cxi", "2.1").prefers_directed);
}
