//! Policies for mapping, numbering and binding ranks: the values of `--map-by`, `--rank-by` and
//! `--bind-to`, and of the older options with equal meaning.
//!
//! Words may be in upper or lower case, and may be abbreviated as long as they are unambiguous.

mod kinds;
mod words;

use crate::error::invalid_value;
use crate::hosts::COUNT_MAX;
use crate::topology::{Unit, CPUS_MAX};
use crate::Error;

pub use kinds::{Bind, MapBy, Oversubscribe, RankBy};
use words::{
    list, pick, BindModifier, Map, Modifier, BIND_MODIFIERS, MAP_WORDS, MODIFIERS, RANK_WORDS,
    UNITS,
};

/// How ranks are put on hosts, numbered and bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The objects that ranks are placed on.
    pub map: MapBy,
    /// Objects of all hosts count as those of one.
    pub span: bool,
    /// How many cores or hardware threads each rank gets.
    pub processors: Option<u32>,
    /// The unit that counts as a processor: [`Unit::Core`] or [`Unit::Thread`].
    pub processor: Unit,
    /// The order of the ranks; `None` is that in which they were put on.
    pub rank: Option<RankBy>,
    /// The object that each rank is bound to, if the user named one.
    pub bind: Option<Bind>,
    /// More ranks than processors may be bound to one object.
    pub overload: bool,
    /// No warning if ranks cannot be bound.
    pub if_supported: bool,
    /// Whether more ranks than slots are allowed.
    pub oversubscribe: Oversubscribe,
    /// No rank runs on the launcher's machine.
    pub no_local: bool,
    /// The file of a rank file or of a sequence of hosts.
    pub file: Option<String>,
    /// The processors of each host that ranks may run on, as the system counts them; `None` for
    /// all.
    pub only: Option<Vec<u32>>,
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
    /// Returns the binding of ranks: the one the user named; else their processors, if they were
    /// given any, or the objects that they are placed on.
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

    /// Parses the value of `--map-by`; `word` is the option for messages.
    pub fn map_by(&mut self, word: &str, value: &str) -> Result<(), Error> {
        let mut items = value.split([':', ',']);
        let first = items.next().unwrap_or("");
        let refuse = |item: &str| invalid_value(word, item, format!("one of {}", list(MAP_WORDS)));
        match pick(MAP_WORDS, first) {
            _ if first.is_empty() => {}
            Some(Map::Each) => {
                let number = items.next().unwrap_or("");
                let unit = items.next().unwrap_or("node");
                let unit = pick(UNITS, unit).ok_or_else(|| {
                    invalid_value(
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
                return Err(invalid_value(
                    word,
                    item,
                    format!("one of {}", list(MODIFIERS)),
                ));
            }
        }
        Ok(())
    }

    /// Parses what stands behind a colon; `false` when it is no such word.
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
                return Err(invalid_value(word, value, "the name of a file after file="));
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
                _ => return Err(invalid_value(word, value, "numbers of processors as 0,4-7")),
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
        self.rank = Some(rank.ok_or_else(|| invalid_value(word, value, words))?);
        // Open MPI 4 has the two words that are orders of their own here behind a colon.
        match modifiers.to_ascii_lowercase().as_str() {
            "" => {}
            "span" => self.rank = Some(RankBy::Span),
            "fill" => self.rank = Some(RankBy::Fill),
            _ => return Err(invalid_value(word, value, "span or fill after the colon")),
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
            return Err(invalid_value(
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
                    return Err(invalid_value(
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

fn count(word: &str, value: &str, number: &str) -> Result<u32, Error> {
    let fits = number.parse().ok().filter(|n| (1..=COUNT_MAX).contains(n));
    fits.ok_or_else(|| invalid_value(word, value, "a whole number of at least 1 in it"))
}

#[cfg(test)]
mod tests;
