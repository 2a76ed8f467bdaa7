//! A user's file of rules: which algorithm a collective uses, by communicator size and message
//! size.
//!
//! The format is Open MPI's (`coll_tuned_dynamic_rules_filename`), both that of numbers
//! ([`numbers`]) and the newer one of JSON ([`json`]); the first character decides which. Either is
//! read into a [`Table`]: for each collective ranges of ranks, and in each of them ranges of bytes.
//! Where no range has the call, or its rule says 0, the built-in tables decide ([`crate::rules`]).
//!
//! The bytes of a call are counted as there: the data of all ranks together for those that gather,
//! scatter, exchange or deal out, and one vector for the others. A barrier counts as 0 bytes, as do
//! exchanges of blocks of any lengths, since no rank knows all of these.
//!
//! The caller reads the file and passes its bytes. A malformed file is an [`Error`] with the line,
//! and none of its rules are used.

mod json;
mod numbers;
mod section;

use std::fmt;

use base::Fnv;

use section::{Section, KNOWN};

pub(crate) use section::Rule;

/// The collectives that have a choice, by the numbers that files know them by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Collective {
    Allgather = 0,
    Allgatherv = 1,
    Allreduce = 2,
    Alltoall = 3,
    Alltoallv = 4,
    Barrier = 6,
    Bcast = 7,
    Exscan = 8,
    Gather = 9,
    Reduce = 11,
    ReduceScatter = 12,
    ReduceScatterBlock = 13,
    Scan = 14,
    Scatter = 15,
    NeighborAllgather = 17,
    NeighborAlltoall = 19,
}

/// The rules of a file, by collective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    sections: [Vec<Section>; KNOWN.len()],
}

/// A mistake in a file of rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The mistake, and how to correct it.
    pub text: String,
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

impl Table {
    /// Reads the content of a file of rules. `file` is its name, for messages.
    ///
    /// # Errors
    /// The first mistake, with its line.
    pub fn parse(file: &str, content: &str) -> Result<Table, Error> {
        let parsed = match content.trim_start().starts_with('{') {
            true => json::parse(content),
            false => numbers::parse(content),
        };
        let sections = parsed.map_err(|(line, text)| {
            let file = file.to_string();
            Error { file, line, text }
        })?;
        Ok(Table { sections })
    }

    /// Returns the rule for a collective on `ranks` ranks with `bytes` bytes.
    pub(crate) fn rule(&self, of: Collective, ranks: u32, bytes: usize) -> Option<&Rule> {
        let sections = &self.sections[of as usize];
        let section = sections.iter().find(|section| has(section.ranks, ranks))?;
        section.rules.iter().find(|rule| has(rule.bytes, bytes))
    }

    /// Returns a hash of the rules: ranks whose files hold the same rules have the same one,
    /// however the files are written.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::EMPTY;
        let mut add = |number: u64| hash.add(number.to_le_bytes());
        for sections in &self.sections {
            add(sections.len() as u64);
            for section in sections {
                add(u64::from(section.ranks.0));
                add(u64::from(section.ranks.1));
                add(section.rules.len() as u64);
                for rule in &section.rules {
                    add(rule.bytes.0 as u64);
                    add(rule.bytes.1 as u64);
                    add(rule.algorithm.map_or(0, |place| u64::from(place) + 1));
                    add(rule.segment as u64);
                    add(rule.requests as u64);
                }
            }
        }
        hash.value()
    }
}

fn has<T: PartialOrd>((least, most): (T, T), value: T) -> bool {
    least <= value && value <= most
}

#[cfg(test)]
mod tests;
