//! [`Hints`]: the info keys of files (MPI 5.0, 14.2.8), those of MPI and those of ROMIO.
//!
//! One table, [`HINTS`], has every key with its values, its default and what it does. Keys that are
//! not in it are ignored, and so are values that a key does not admit: hints never make a call
//! fail. A key that the program does not give comes from the file that `ROMIO_HINTS` names, and
//! else has its default.

use std::fmt::Write;
use std::sync::Arc;

use crate::plan::{Settings, Switch};
use crate::Direction;

/// A hint.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// The key.
    pub key: &'static str,
    /// Admitted values.
    pub kind: Kind,
    /// The value that nobody set; empty for none.
    pub default: &'static str,
    /// Whether only the value that is given when the file is opened counts.
    pub at_open: bool,
    /// Its effect.
    pub help: &'static str,
}

/// Admitted values of a hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number of bytes, at least 1.
    Bytes,
    /// A number, at least 1.
    Count,
    /// A number, at least 0.
    Number,
    /// An octal number of permission bits.
    Permissions,
    /// `enable`, `disable` or `automatic`.
    Switch,
    /// `true` or `false`, or `enable` or `disable`.
    Bool,
    /// Any text.
    Text,
    /// A text that the library sets, and that cannot be given.
    ReadOnly,
}

const fn hint(key: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Hint {
    Hint {
        key,
        kind,
        default,
        at_open: false,
        help,
    }
}

const fn at_open(key: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Hint {
    Hint {
        at_open: true,
        ..hint(key, kind, default, help)
    }
}

/// A key that is accepted and returned, without an effect; `why` says so and gives the reason.
const fn kept(key: &'static str, kind: Kind, why: &'static str) -> Hint {
    hint(key, kind, "", why)
}

const LAYOUT: &str = "Accepted and returned without effect: no file system here takes a layout of \
                      an array";
const DIRECT: &str = "Accepted and returned without effect: accesses go through the cache of the \
                      system, since O_DIRECT refuses positions and memory that are not aligned \
                      to blocks, which MPI allows";
const REALMS: &str = "Accepted and returned without effect: parts of the file are given to \
                      aggregators anew for each access, by what it reaches";
const LUSTRE: &str = "Accepted and returned without effect: aggregators are as on other file \
                      systems, their parts aligned to stripes";
const LOCK_AHEAD: &str = "Accepted and returned without effect: no locks are asked of Lustre ahead";

/// All hints: first those of collective access, then of independent access, of new files, and
/// those without an effect.
pub const HINTS: &[Hint] = &[
    hint(
        "cb_buffer_size",
        Kind::Bytes,
        "16777216",
        "Bytes of file data that an aggregator holds in a collective access, in two halves where \
         there is more: one is filled while the other is written; more take fewer rounds and more \
         memory",
    ),
    at_open(
        "cb_nodes",
        Kind::Count,
        "",
        "Most aggregators of a collective access, spread over the nodes; one for each node where \
         neither this nor cb_config_list is given",
    ),
    at_open(
        "cb_config_list",
        Kind::Text,
        "*:1",
        "Aggregators on each node: `host:n` or `host` for one, `*` for every host or every \
         process, separated by commas; the first entry that matches a host counts",
    ),
    hint(
        "collective_buffering",
        Kind::Bool,
        "",
        "Whether collective accesses may go through aggregators; `false` disables \
         romio_cb_read and romio_cb_write where these are not given",
    ),
    hint(
        "cb_block_size",
        Kind::Bytes,
        "",
        "Bytes to whose multiples the parts of the file that aggregators handle are aligned; else \
         striping_unit, or a block of the file system",
    ),
    hint(
        "romio_cb_read",
        Kind::Switch,
        "automatic",
        "Whether collective reads go through aggregators; `automatic` where the processes' parts \
         of the file interleave, unless all run on one machine, the file lies on a file system of \
         it, and runs have 4 KiB or more or no more than three quarters are gaps",
    ),
    hint(
        "romio_cb_write",
        Kind::Switch,
        "automatic",
        "Whether collective writes go through aggregators; `automatic` as for \
         romio_cb_read, gaps aside",
    ),
    hint(
        "romio_ds_read",
        Kind::Switch,
        "automatic",
        "Whether gaps between data are read along; `automatic` where they are short",
    ),
    hint(
        "romio_ds_write",
        Kind::Switch,
        "automatic",
        "Whether data with gaps is written by reading, changing and writing back the whole range, \
         under a lock; `automatic` where an aggregator has many short runs, and the call blocks; \
         independent writes with `enable` alone, which has all of them lock what they write",
    ),
    hint(
        "ind_rd_buffer_size",
        Kind::Bytes,
        "4194304",
        "Most bytes that an independent read packs at once, of data with gaps in memory; with gaps \
         in the file it reads 512 KiB at once, or less where this is less",
    ),
    hint(
        "ind_wr_buffer_size",
        Kind::Bytes,
        "524288",
        "Most bytes of data with gaps in memory that an independent write packs at once, and that \
         romio_ds_write has it write with the gaps in the file",
    ),
    at_open(
        "file_perm",
        Kind::Permissions,
        "",
        "Permissions of a new file, an octal number; 666 less the process's mask where not given",
    ),
    at_open(
        "striping_factor",
        Kind::Count,
        "",
        "Stripes of a new file on a parallel file system",
    ),
    at_open(
        "striping_unit",
        Kind::Bytes,
        "",
        "Bytes of a stripe; parts of the file that aggregators handle are aligned to it",
    ),
    at_open(
        "start_iodevice",
        Kind::Number,
        "",
        "Storage device of the first stripe of a new file",
    ),
    hint("filename", Kind::ReadOnly, "", "Name of the file"),
    hint(
        "romio_filesystem_type",
        Kind::ReadOnly,
        "",
        "File system that the file lies on",
    ),
    hint(
        "romio_aggregator_list",
        Kind::ReadOnly,
        "",
        "Ranks of the aggregators, in the order of their parts of the file",
    ),
    kept(
        "access_style",
        Kind::Text,
        "Accepted and returned without effect: how a file is accessed is seen in its accesses",
    ),
    kept("chunked", Kind::Text, LAYOUT),
    kept("chunked_item", Kind::Text, LAYOUT),
    kept("chunked_size", Kind::Text, LAYOUT),
    kept("io_node_list", Kind::Text, LAYOUT),
    kept(
        "nb_proc",
        Kind::Count,
        "Accepted and returned without effect: the processes of a file are those of its \
         communicator",
    ),
    kept(
        "num_io_nodes",
        Kind::Count,
        "Accepted and returned without effect: stripes are asked for by striping_factor",
    ),
    kept("direct_read", Kind::Bool, DIRECT),
    kept("direct_write", Kind::Bool, DIRECT),
    kept(
        "romio_no_indep_rw",
        Kind::Bool,
        "Accepted and returned without effect: every process opens the file, so independent \
         accesses go on working",
    ),
    kept("romio_cb_pfr", Kind::Switch, REALMS),
    kept("romio_cb_fr_types", Kind::Text, REALMS),
    kept("romio_cb_fr_alignment", Kind::Bytes, REALMS),
    kept(
        "romio_cb_ds_threshold",
        Kind::Number,
        "Accepted and returned without effect: whether gaps are read along is decided by the \
         length of runs and gaps",
    ),
    kept(
        "romio_cb_alltoall",
        Kind::Switch,
        "Accepted and returned without effect: data goes from its process to the aggregator \
         alone",
    ),
    kept("romio_min_fdomain_size", Kind::Bytes, REALMS),
    kept(
        "romio_synchronized_flush",
        Kind::Switch,
        "Accepted and returned without effect: MPI_File_sync flushes at each process",
    ),
    kept(
        "romio_visibility_immediate",
        Kind::Bool,
        "Accepted and returned without effect: what is written is visible at once, also on NFS",
    ),
    kept("romio_lustre_co_ratio", Kind::Count, LUSTRE),
    kept("romio_lustre_coll_threshold", Kind::Number, LUSTRE),
    kept("romio_lustre_ds_in_coll", Kind::Switch, LUSTRE),
    kept("romio_lustre_cb_lock_ahead_read", Kind::Bool, LOCK_AHEAD),
    kept("romio_lustre_cb_lock_ahead_write", Kind::Bool, LOCK_AHEAD),
    kept("romio_lustre_cb_lock_ahead_num_extents", Kind::Count, LOCK_AHEAD),
];

impl Kind {
    /// Whether a value is of this kind.
    pub fn admits(self, value: &str) -> bool {
        match self {
            Kind::Bytes | Kind::Count => matches!(value.parse::<u64>(), Ok(1..)),
            Kind::Number => value.parse::<u64>().is_ok(),
            Kind::Permissions => matches!(u32::from_str_radix(value, 8), Ok(0..=0o7777)),
            Kind::Switch => switch(value).is_some(),
            Kind::Bool => truth(value).is_some(),
            Kind::Text => true,
            Kind::ReadOnly => false,
        }
    }

    /// Describes the admitted values.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Bytes => "bytes, at least 1",
            Kind::Count => "a number, at least 1",
            Kind::Number => "a number",
            Kind::Permissions => "an octal number",
            Kind::Switch => "`enable`, `disable` or `automatic`",
            Kind::Bool => "`true` or `false`",
            Kind::Text => "text",
            Kind::ReadOnly => "set by the library",
        }
    }
}

fn switch(value: &str) -> Option<Switch> {
    match value.to_ascii_lowercase().as_str() {
        "enable" | "true" => Some(Switch::Enable),
        "disable" | "false" => Some(Switch::Disable),
        "automatic" => Some(Switch::Automatic),
        _ => None,
    }
}

fn truth(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "enable" => Some(true),
        "false" | "disable" => Some(false),
        _ => None,
    }
}

/// Result of setting a hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintResult {
    /// The value is in force.
    InForce,
    /// No such key.
    UnknownKey,
    /// The key does not admit the value.
    WrongValue(Kind),
    /// The key counts only when the file is opened.
    TooLate,
}

/// The hints of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hints {
    /// The values that were given, in the order of the table.
    given: Vec<Option<String>>,
    is_open: bool,
}

impl Default for Hints {
    fn default() -> Hints {
        Hints {
            given: vec![None; HINTS.len()],
            is_open: false,
        }
    }
}

impl Hints {
    /// Sets a hint of the program.
    pub fn take(&mut self, key: &str, value: &str) -> HintResult {
        let Some(at) = position(key) else {
            return HintResult::UnknownKey;
        };
        let value = value.trim();
        match HINTS[at] {
            Hint { kind, .. } if !kind.admits(value) => HintResult::WrongValue(kind),
            Hint { at_open: true, .. } if self.is_open => HintResult::TooLate,
            _ => {
                self.given[at] = Some(value.to_string());
                HintResult::InForce
            }
        }
    }

    /// Takes the hints of a file of hints, where the program gives none: lines of a key and a
    /// value, empty ones, and comments behind `#`.
    pub fn take_file(&mut self, text: &str) {
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let Some((key, value)) = line.split_once(char::is_whitespace) else {
                continue;
            };
            if self.given(key).is_none() {
                self.take(key, value);
            }
        }
    }

    /// Notes that the file is open.
    pub fn opened(&mut self) {
        self.is_open = true;
    }

    /// Sets the value of a hint that only the library sets.
    ///
    /// # Panics
    /// When the key is not one that the library sets.
    pub fn report(&mut self, key: &str, value: String) {
        let at = position(key).filter(|at| HINTS[*at].kind == Kind::ReadOnly);
        self.given[at.expect("a key that the library sets")] = Some(value);
    }

    /// Returns the value that was given for a key.
    pub fn given(&self, key: &str) -> Option<&str> {
        self.given[position(key)?].as_deref()
    }

    /// Returns the keys that have a value, and the values: what `MPI_File_get_info` returns.
    pub fn in_force(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let rows = HINTS.iter().zip(&self.given);
        rows.map(|(hint, given)| match given {
            Some(value) => (hint.key, value.as_str()),
            None => (hint.key, hint.default),
        })
        .filter(|(_, value)| !value.is_empty())
    }

    /// Returns the lines that `ROMIO_PRINT_HINTS` shows.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (key, value) in self.in_force() {
            let _ = writeln!(text, "key = {key:<25} value = {value}");
        }
        text
    }

    /// Returns a number that was given, or the default.
    pub fn number(&self, key: &str) -> Option<u64> {
        let at = position(key)?;
        let value = self.given[at].as_deref().unwrap_or(HINTS[at].default);
        value.parse().ok()
    }

    /// Returns the permissions of a new file.
    pub fn permissions(&self) -> Option<u32> {
        u32::from_str_radix(self.given("file_perm")?, 8).ok()
    }

    /// Returns a switch that was given, or the default.
    pub fn switch(&self, key: &str) -> Switch {
        self.given(key).and_then(switch).unwrap_or_default()
    }

    /// Returns how collective accesses are made in a direction by these aggregators, on a file
    /// system with blocks of `block` bytes. `calls_are_cheap` is a field of [`Settings`].
    pub fn settings(
        &self,
        direction: Direction,
        aggregators: Arc<[u32]>,
        block: u64,
        calls_are_cheap: bool,
    ) -> Settings {
        let buffering = self.given("collective_buffering").and_then(truth);
        let two_phase = |key| match (self.given(key), buffering) {
            (None, Some(false)) => Switch::Disable,
            _ => self.switch(key),
        };
        let alignment = self
            .number("cb_block_size")
            .or(self.number("striping_unit"));
        Settings {
            read: two_phase("romio_cb_read"),
            write: two_phase("romio_cb_write"),
            aggregators,
            buffer_bytes: self.number("cb_buffer_size").unwrap_or(16 << 20),
            alignment: alignment.unwrap_or(block).max(1),
            calls_are_cheap,
            sieve: self.switch(match direction {
                Direction::Read => "romio_ds_read",
                Direction::Write => "romio_ds_write",
            }),
        }
    }

    /// Returns how many aggregators `host` may have, by `cb_config_list`. `None` for any number:
    /// where only `cb_nodes` limits them.
    pub fn aggregators_on(&self, host: &str) -> Option<u64> {
        if self.given("cb_config_list").is_none() && self.given("cb_nodes").is_some() {
            return None;
        }
        let list = self.given("cb_config_list").unwrap_or("*:1");
        for entry in list.split(',') {
            let (name, count) = match entry.trim().split_once(':') {
                Some((name, count)) => (name, count),
                None => (entry.trim(), "1"),
            };
            let short = host.split('.').next();
            if name == "*" || name == host || Some(name) == short {
                return match count {
                    "*" => None,
                    count => Some(count.parse().unwrap_or(1)),
                };
            }
        }
        Some(0)
    }
}

fn position(key: &str) -> Option<usize> {
    HINTS.iter().position(|hint| hint.key == key)
}

/// Node of a process, for the choice of aggregators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeOfRank {
    /// The node that the process runs on: equal for processes of one node.
    pub node: u64,
    /// Aggregators that the node may have; `u64::MAX` for any number.
    pub limit: u64,
}

/// Returns the ranks that are aggregators: of each node as many as it may have, first the first
/// process of each node, then the second ones, up to `count` in all. At least rank 0.
pub fn aggregators(places: &[NodeOfRank], count: Option<u64>) -> Vec<u32> {
    let mut turns: Vec<(u64, u32)> = Vec::new();
    let mut seen: std::collections::HashMap<u64, u64> = std::collections::HashMap::new();
    for (rank, place) in places.iter().enumerate() {
        let turn = seen.entry(place.node).or_default();
        if *turn < place.limit {
            turns.push((*turn, rank as u32));
        }
        *turn += 1;
    }
    turns.sort_unstable();
    let count = count
        .unwrap_or(u64::MAX)
        .clamp(1, places.len().max(1) as u64);
    turns.truncate(count as usize);
    let mut ranks: Vec<u32> = turns.into_iter().map(|(_, rank)| rank).collect();
    if ranks.is_empty() {
        ranks.push(0);
    }
    ranks
}

/// Returns the table of all hints for the documentation.
pub fn markdown() -> String {
    let mut text = String::from("| key | values | default | effect |\n|---|---|---|---|\n");
    for hint in HINTS {
        let (key, values, default) = (hint.key, hint.kind.words(), hint.default);
        let when = if hint.at_open {
            " (when the file is opened)"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "| `{key}` | {values}{when} | {default} | {} |",
            hint.help
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set `UPDATE_DOCS` to write the table to the document.
    #[test]
    fn the_document_has_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/files.md");
        let text = std::fs::read_to_string(path).unwrap();
        let start = text.find("| key |").unwrap_or(text.len());
        let end = text[start..]
            .find("\n\n")
            .map_or(text.len(), |end| start + end + 1);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            let new = format!("{}{}{}", &text[..start], markdown(), &text[end..]);
            return std::fs::write(path, new).unwrap();
        }
        let hint = "docs/files.md is stale: UPDATE_DOCS=1 cargo test -p oxmpi-io";
        assert_eq!(&text[start..end], markdown(), "{hint}");
    }

    #[test]
    fn every_default_is_admitted_and_no_key_comes_twice() {
        for (at, hint) in HINTS.iter().enumerate() {
            assert_eq!(position(hint.key), Some(at), "{}", hint.key);
            assert!(hint.default.is_empty() || hint.kind.admits(hint.default));
        }
    }

    #[test]
    fn wrong_hints_are_ignored_and_right_ones_in_force() {
        let mut hints = Hints::default();
        assert_eq!(hints.take("cb_buffer_size", " 4096 "), HintResult::InForce);
        assert_eq!(
            hints.take("cb_nodes", "0"),
            HintResult::WrongValue(Kind::Count)
        );
        assert_eq!(
            hints.take("striping_unit", "1M"),
            HintResult::WrongValue(Kind::Bytes)
        );
        assert_eq!(hints.take("what", "1"), HintResult::UnknownKey);
        assert_eq!(
            hints.take("filename", "x"),
            HintResult::WrongValue(Kind::ReadOnly)
        );
        assert_eq!(hints.take("romio_cb_write", "DISABLE"), HintResult::InForce);
        assert_eq!(hints.take("file_perm", "640"), HintResult::InForce);
        assert_eq!(hints.permissions(), Some(0o640));
        hints.take_file("# site\ncb_buffer_size 1\nromio_ds_write enable # why\n\ncb_nodes\n");
        hints.opened();
        assert_eq!(hints.take("cb_nodes", "2"), HintResult::TooLate);
        hints.report("filename", "data".into());
        let all: Vec<(&str, &str)> = hints.in_force().collect();
        let expected = [
            ("cb_buffer_size", "4096"),
            ("romio_cb_write", "DISABLE"),
            ("romio_ds_write", "enable"),
            ("romio_ds_read", "automatic"),
            ("filename", "data"),
        ];
        for pair in expected {
            assert!(all.contains(&pair), "{pair:?} in {all:?}");
        }
        assert!(all.iter().all(|(key, _)| *key != "cb_nodes"));
        let settings = hints.settings(Direction::Write, Arc::new([0]), 512, false);
        assert_eq!((settings.buffer_bytes, settings.alignment), (4096, 512));
        assert_eq!(settings.sieve, Switch::Enable);
        assert_eq!(
            (settings.read, settings.write),
            (Switch::Automatic, Switch::Disable)
        );
    }

    #[test]
    fn one_aggregator_a_node_unless_hints_say_otherwise() {
        let mut hints = Hints::default();
        assert_eq!(hints.aggregators_on("a.b"), Some(1));
        hints.take("cb_nodes", "3");
        assert_eq!(hints.aggregators_on("a.b"), None);
        hints.take("cb_config_list", "a:2, c:*,d");
        assert_eq!(hints.aggregators_on("a.b"), Some(2));
        assert_eq!(hints.aggregators_on("c"), None);
        assert_eq!(hints.aggregators_on("d"), Some(1));
        assert_eq!(hints.aggregators_on("e"), Some(0));

        let places = |list: &[(u64, u64)]| -> Vec<NodeOfRank> {
            let place = |&(node, limit): &(u64, u64)| NodeOfRank { node, limit };
            list.iter().map(place).collect()
        };
        let two = places(&[(7, 1), (7, 1), (9, 1), (9, 1)]);
        assert_eq!(aggregators(&two, None), [0, 2]);
        let any = places(&[(7, u64::MAX), (7, u64::MAX), (9, u64::MAX), (9, u64::MAX)]);
        assert_eq!(aggregators(&any, Some(3)), [0, 2, 1]);
        assert_eq!(aggregators(&places(&[(1, 0), (1, 0)]), None), [0]);
    }
}
