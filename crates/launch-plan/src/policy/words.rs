//! Parses the words of which policies consist.

use super::kinds::{MapBy, Oversubscribe, RankBy};
use crate::topology::Unit;

/// A word and its meaning; several words may have one meaning.
pub(super) type Words<T> = &'static [(&'static str, T)];

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Map {
    By(MapBy),
    Each,
}

pub(super) const MAP_WORDS: Words<Map> = &[
    ("slot", Map::By(MapBy::Slot)),
    ("node", Map::By(MapBy::Node)),
    ("package", Map::By(MapBy::Unit(Unit::Package))),
    ("socket", Map::By(MapBy::Unit(Unit::Package))),
    ("numa", Map::By(MapBy::Unit(Unit::Numa))),
    ("l3cache", Map::By(MapBy::Unit(Unit::L3))),
    ("l2cache", Map::By(MapBy::Unit(Unit::L2))),
    ("l1cache", Map::By(MapBy::Unit(Unit::L1))),
    ("core", Map::By(MapBy::Unit(Unit::Core))),
    ("hwthread", Map::By(MapBy::Unit(Unit::Thread))),
    ("ppr", Map::Each),
    ("seq", Map::By(MapBy::Sequence)),
    ("rankfile", Map::By(MapBy::RankFile)),
];

pub(super) const UNITS: Words<Unit> = &[
    ("node", Unit::Node),
    ("package", Unit::Package),
    ("socket", Unit::Package),
    ("numa", Unit::Numa),
    ("l3cache", Unit::L3),
    ("l2cache", Unit::L2),
    ("l1cache", Unit::L1),
    ("core", Unit::Core),
    ("hwthread", Unit::Thread),
];

pub(super) const RANK_WORDS: Words<RankBy> = &[
    ("slot", RankBy::Slot),
    ("node", RankBy::Node),
    ("fill", RankBy::Fill),
    ("span", RankBy::Span),
];

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Modifier {
    Processors,
    Span,
    Oversubscribe(Oversubscribe),
    NoLocal,
    Processor(Unit),
    File,
    Inherit,
}

pub(super) const MODIFIERS: Words<Modifier> = &[
    ("pe", Modifier::Processors),
    ("span", Modifier::Span),
    (
        "oversubscribe",
        Modifier::Oversubscribe(Oversubscribe::Allow),
    ),
    (
        "nooversubscribe",
        Modifier::Oversubscribe(Oversubscribe::Forbid),
    ),
    ("nolocal", Modifier::NoLocal),
    ("hwtcpus", Modifier::Processor(Unit::Thread)),
    ("corecpus", Modifier::Processor(Unit::Core)),
    ("file", Modifier::File),
    ("inherit", Modifier::Inherit),
    ("noinherit", Modifier::Inherit),
];

#[derive(Clone, Copy, PartialEq)]
pub(super) enum BindModifier {
    Overload,
    IfSupported,
}

pub(super) const BIND_MODIFIERS: Words<BindModifier> = &[
    ("overload-allowed", BindModifier::Overload),
    ("if-supported", BindModifier::IfSupported),
];

/// Returns the meaning of a word, or of the beginning of words that all have one meaning.
pub(super) fn pick<T: Copy + PartialEq>(words: Words<T>, word: &str) -> Option<T> {
    let word = word.to_ascii_lowercase();
    if let Some((_, meaning)) = words.iter().find(|(name, _)| *name == word) {
        return Some(*meaning);
    }
    let mut near = words
        .iter()
        .filter(|(name, _)| !word.is_empty() && name.starts_with(&word));
    let (_, meaning) = near.next()?;
    near.all(|(_, other)| other == meaning).then_some(*meaning)
}

pub(super) fn list<T>(words: Words<T>) -> String {
    let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
    names.join(" ")
}
