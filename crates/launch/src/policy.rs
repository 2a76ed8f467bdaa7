//! How ranks are put on hosts, numbered and bound: the values of `--map-by`, `--rank-by` and
//! `--bind-to`, and of the older options that mean the same.
//!
//! Words count in any case, and may be cut short as far as only one word begins so.

use crate::command_line::wrong;
use crate::hosts::COUNT_MAX;
use crate::topology::{Unit, CPUS_MAX};
use crate::Error;

/// How ranks are put on hosts, numbered and bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// What ranks are put on.
    pub map: MapBy,
    /// Objects of all hosts count as those of one.
    pub span: bool,
    /// How many cores or hardware threads each rank gets.
    pub processors: Option<u32>,
    /// What counts as a processor: [`Unit::Core`] or [`Unit::Thread`].
    pub processor: Unit,
    /// The order of the ranks; `None` is that in which they were put on.
    pub rank: Option<RankBy>,
    /// What each rank is bound to, where that was said.
    pub bind: Option<Bind>,
    /// More ranks than processors may be bound to one object.
    pub overload: bool,
    /// Where ranks cannot be bound nothing is said.
    pub if_supported: bool,
    /// What to do when there are more ranks than slots.
    pub oversubscribe: Oversubscribe,
    /// No rank runs on the launcher's machine.
    pub no_local: bool,
    /// The file of a rank file or of a sequence of hosts.
    pub file: Option<String>,
    /// The processors of each host that ranks may run on, as the system counts them; `None` for
    /// all.
    pub only: Option<Vec<u32>>,
}

/// What ranks are put on, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapBy {
    /// Each host until its slots are taken, then the next.
    Slot,
    /// Hosts in turn.
    Node,
    /// The objects of a host in turn until its slots are taken, then those of the next.
    Unit(Unit),
    /// So many on each object.
    Each(u32, Unit),
    /// So many on each host, then again, as often as it takes.
    Rounds(u32),
    /// As a file says for each rank.
    RankFile,
    /// One on each line of a file of hosts.
    Sequence,
}

/// The order of the ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankBy {
    /// Those of a host one after the other.
    Slot,
    /// Hosts in turn.
    Node,
    /// Those of an object one after the other.
    Fill,
    /// Objects of all hosts in turn.
    Span,
    /// Objects of a host in turn, then those of the next.
    Unit(Unit),
}

/// What a rank is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bind {
    /// Nothing: the system moves ranks as it likes.
    None,
    /// All processors of one object.
    To(Unit),
}

/// What to do when there are more ranks than slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Oversubscribe {
    /// Say so and go on.
    #[default]
    Warn,
    /// Go on.
    Allow,
    /// Refuse.
    Forbid,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            map: MapBy::Slot,
            span: false,
            processors: None,
            processor: Unit::Core,
            rank: None,
            bind: None,
            overload: false,
            if_supported: false,
            oversubscribe: Oversubscribe::Warn,
            no_local: false,
            file: None,
            only: None,
        }
    }
}

impl Policy {
    /// What ranks are bound to: what was said; else, as ranks that are given processors, or are
    /// put on a kind of object, want to stay there, these.
    pub fn bind(&self) -> Bind {
        let implied = match (self.processors, self.map) {
            (Some(_), _) => Bind::To(self.processor),
            (None, MapBy::Unit(unit) | MapBy::Each(_, unit)) if unit != Unit::Node => {
                Bind::To(unit)
            }
            _ => Bind::None,
        };
        self.bind.unwrap_or(implied)
    }

    /// Takes in the value of `--map-by`; `word` is the option for messages.
    pub fn map_by(&mut self, word: &str, value: &str) -> Result<(), Error> {
        let mut items = value.split([':', ',']);
        let first = items.next().unwrap_or("");
        let refuse = |item: &str| wrong(word, item, format!("one of {}", list(MAP_WORDS)));
        match pick(MAP_WORDS, first) {
            _ if first.is_empty() => {}
            Some(Map::Each) => {
                let number = items.next().unwrap_or("");
                let unit = items.next().unwrap_or("node");
                let unit = pick(UNITS, unit).ok_or_else(|| {
                    wrong(
                        word,
                        value,
                        format!("ppr:N:UNIT with a unit of {}", list(UNITS)),
                    )
                })?;
                self.map = MapBy::Each(count(word, value, number)?, unit);
            }
            Some(Map::By(map)) => self.map = map,
            None if self.map_modifier(word, value, first)? => {}
            None => return Err(refuse(first)),
        }
        for item in items.filter(|item| !item.is_empty()) {
            if !self.map_modifier(word, value, item)? {
                return Err(wrong(word, item, format!("one of {}", list(MODIFIERS))));
            }
        }
        Ok(())
    }

    /// Takes in what stands behind a colon; `false` when it is no such word.
    fn map_modifier(&mut self, word: &str, value: &str, item: &str) -> Result<bool, Error> {
        let (name, number) = item.split_once('=').unwrap_or((item, ""));
        let Some(modifier) = pick(MODIFIERS, name) else {
            return Ok(false);
        };
        match modifier {
            Modifier::Processors => self.processors = Some(count(word, value, number)?),
            Modifier::Span => self.span = true,
            Modifier::Oversubscribe(what) => self.oversubscribe = what,
            Modifier::NoLocal => self.no_local = true,
            Modifier::Processor(unit) => self.processor = unit,
            Modifier::File if number.is_empty() => {
                return Err(wrong(word, value, "the name of a file after file="));
            }
            Modifier::File => self.file = Some(number.to_string()),
            Modifier::Inherit => {}
        }
        Ok(true)
    }

    /// Takes in the value of `--cpu-set`.
    pub fn set_processors(&mut self, word: &str, value: &str) -> Result<(), Error> {
        let mut list = Vec::new();
        for item in value.split(',') {
            let (first, last) = item.split_once('-').unwrap_or((item, item));
            match (first.parse::<u32>(), last.parse::<u32>()) {
                (Ok(first), Ok(last)) if first <= last && last < CPUS_MAX as u32 => {
                    list.extend(first..=last);
                }
                _ => return Err(wrong(word, value, "numbers of processors as 0,4-7")),
            }
        }
        self.only = Some(list);
        Ok(())
    }

    /// Takes in the value of `--rank-by`.
    pub fn rank_by(&mut self, word: &str, value: &str) -> Result<(), Error> {
        let (name, modifiers) = value.split_once(':').unwrap_or((value, ""));
        let rank = pick(RANK_WORDS, name);
        let rank = rank.or_else(|| pick(UNITS, name).map(RankBy::Unit));
        let words = format!("one of {} {}", list(RANK_WORDS), list(UNITS));
        self.rank = Some(rank.ok_or_else(|| wrong(word, value, words))?);
        // Open MPI 4 has the two words that are orders of their own here behind a colon.
        match modifiers.to_ascii_lowercase().as_str() {
            "" => {}
            "span" => self.rank = Some(RankBy::Span),
            "fill" => self.rank = Some(RankBy::Fill),
            _ => return Err(wrong(word, value, "span or fill after the colon")),
        }
        Ok(())
    }

    /// Takes in the value of `--bind-to`.
    pub fn bind_to(&mut self, word: &str, value: &str) -> Result<(), Error> {
        let mut items = value.split(':');
        let first = items.next().unwrap_or("");
        let bind = match first.to_ascii_lowercase().as_str() {
            "none" => Some(Bind::None),
            "" => self.bind,
            // What sits on one board is the whole machine.
            _ => pick(UNITS, first).map(Bind::To),
        };
        if bind.is_none() && !first.is_empty() {
            return Err(wrong(
                word,
                value,
                format!("none or one of {}", list(UNITS)),
            ));
        }
        self.bind = bind.map(|bind| match bind {
            Bind::To(Unit::Node) => Bind::None,
            other => other,
        });
        for item in items.filter(|item| !item.is_empty()) {
            match pick(BIND_MODIFIERS, item) {
                Some(BindModifier::Overload) => self.overload = true,
                Some(BindModifier::IfSupported) => self.if_supported = true,
                // Hydra writes the number of objects so.
                None if item.parse::<u32>().is_ok() => {
                    self.processors = Some(count(word, value, item)?);
                }
                None => {
                    return Err(wrong(
                        word,
                        item,
                        format!("one of {}", list(BIND_MODIFIERS)),
                    ))
                }
            }
        }
        Ok(())
    }
}

/// A word and what it means; several words may mean the same.
type Words<T> = &'static [(&'static str, T)];

#[derive(Clone, Copy, PartialEq)]
enum Map {
    By(MapBy),
    Each,
}

const MAP_WORDS: Words<Map> = &[
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

const UNITS: Words<Unit> = &[
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

const RANK_WORDS: Words<RankBy> = &[
    ("slot", RankBy::Slot),
    ("node", RankBy::Node),
    ("fill", RankBy::Fill),
    ("span", RankBy::Span),
];

#[derive(Clone, Copy, PartialEq)]
enum Modifier {
    Processors,
    Span,
    Oversubscribe(Oversubscribe),
    NoLocal,
    Processor(Unit),
    File,
    Inherit,
}

const MODIFIERS: Words<Modifier> = &[
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
enum BindModifier {
    Overload,
    IfSupported,
}

const BIND_MODIFIERS: Words<BindModifier> = &[
    ("overload-allowed", BindModifier::Overload),
    ("if-supported", BindModifier::IfSupported),
];

/// The meaning of a word, or of the beginning of words that all mean the same.
fn pick<T: Copy + PartialEq>(words: Words<T>, word: &str) -> Option<T> {
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

fn list<T>(words: Words<T>) -> String {
    let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
    names.join(" ")
}

fn count(word: &str, value: &str, number: &str) -> Result<u32, Error> {
    let fits = number.parse().ok().filter(|n| (1..=COUNT_MAX).contains(n));
    fits.ok_or_else(|| wrong(word, value, "a whole number of at least 1 in it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(value: &str) -> Policy {
        let mut policy = Policy::default();
        policy.map_by("--map-by", value).expect(value);
        policy
    }

    #[test]
    fn places_to_map_by() {
        for (value, map) in [
            ("slot", MapBy::Slot),
            ("NODE", MapBy::Node),
            ("socket", MapBy::Unit(Unit::Package)),
            ("package:span", MapBy::Unit(Unit::Package)),
            ("L3", MapBy::Unit(Unit::L3)),
            ("hwt", MapBy::Unit(Unit::Thread)),
            ("ppr:2:socket", MapBy::Each(2, Unit::Package)),
            ("ppr:4:node:pe=2", MapBy::Each(4, Unit::Node)),
            ("ppr:4", MapBy::Each(4, Unit::Node)),
            (":OVERSUBSCRIBE", MapBy::Slot),
            ("PE=4", MapBy::Slot),
            ("rankfile:file=x", MapBy::RankFile),
            ("seq", MapBy::Sequence),
        ] {
            assert_eq!(mapped(value).map, map, "{value}");
        }
    }

    #[test]
    fn what_stands_behind_a_colon() {
        let policy = mapped("numa:SPAN:PE=3:HWTCPUS:NOOVERSUBSCRIBE:NOLOCAL");
        assert!(policy.span && policy.no_local);
        assert_eq!(
            (policy.processors, policy.processor),
            (Some(3), Unit::Thread)
        );
        assert_eq!(policy.oversubscribe, Oversubscribe::Forbid);
        assert_eq!(mapped(":over").oversubscribe, Oversubscribe::Allow);
        assert_eq!(mapped("rankfile:file=/a/b").file.as_deref(), Some("/a/b"));
    }

    #[test]
    fn wrong_words_are_told_with_the_right_ones() {
        for (value, part) in [
            ("moon", "hwthread"),
            ("l", "l3cache"),
            ("ppr:x:node", "whole number"),
            ("ppr:2:moon", "ppr:N:UNIT"),
            ("ppr", "whole number"),
            ("slot:moon", "oversubscribe"),
            ("slot:PE=0", "whole number"),
            ("slot:PE", "whole number"),
            ("rankfile:file=", "name of a file"),
        ] {
            let said = Policy::default()
                .map_by("--map-by", value)
                .expect_err(value);
            let said = said.to_string();
            assert!(
                said.contains("--map-by") && said.contains(part),
                "{value}: {said}"
            );
        }
        let rank = Policy::default().rank_by("--rank-by", "moon").unwrap_err();
        assert!(rank.to_string().contains("span"));
        for bad in ["moon", "core:moon", "core:0"] {
            assert!(
                Policy::default().bind_to("--bind-to", bad).is_err(),
                "{bad}"
            );
        }
    }

    #[test]
    fn ranks_are_bound_where_they_are_put_unless_something_else_is_said() {
        let bind = |map: &str, bind: &str| {
            let mut policy = mapped(map);
            if !bind.is_empty() {
                policy.bind_to("--bind-to", bind).expect(bind);
            }
            policy.bind()
        };
        assert_eq!(bind("slot", ""), Bind::None);
        assert_eq!(bind("ppr:2:node", ""), Bind::None);
        assert_eq!(bind("socket", ""), Bind::To(Unit::Package));
        assert_eq!(bind("ppr:2:numa", ""), Bind::To(Unit::Numa));
        assert_eq!(bind("slot:PE=2", ""), Bind::To(Unit::Core));
        assert_eq!(bind("socket", "core"), Bind::To(Unit::Core));
        assert_eq!(bind("socket", "none"), Bind::None);
        assert_eq!(bind("socket", "L2:overload-allowed"), Bind::To(Unit::L2));
        assert_eq!(bind("core", ":if-supported"), Bind::To(Unit::Core));
    }

    #[test]
    fn sets_of_processors() {
        let mut policy = Policy::default();
        policy.set_processors("--cpu-set", "0,4-6").unwrap();
        assert_eq!(policy.only, Some(vec![0, 4, 5, 6]));
        for bad in ["", "x", "3-1", "0,", "1024", "0-4000000000"] {
            assert!(policy.set_processors("--cpu-set", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn orders_of_ranks() {
        for (value, rank) in [
            ("slot", RankBy::Slot),
            ("node", RankBy::Node),
            ("fill", RankBy::Fill),
            ("core", RankBy::Unit(Unit::Core)),
            ("socket:span", RankBy::Span),
            ("socket:fill", RankBy::Fill),
        ] {
            let mut policy = Policy::default();
            policy.rank_by("--rank-by", value).expect(value);
            assert_eq!(policy.rank, Some(rank), "{value}");
        }
    }
}
