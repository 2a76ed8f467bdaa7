//! Records of what a framework does, for the standard error, as far as its verbosity allows.
//!
//! [`Framework::warn`] and its kin make a record:
//! `Framework::Btl.warn(format_args!("{name} is not used: {why}"))`. The framework's parameter
//! `<framework>_base_verbose` says which of its records are shown:
//!
//! | verbosity | shown |
//! |---|---|
//! | below 0 (`none`) | nothing |
//! | 0 to 9 (`error`, the default) | errors and warnings |
//! | 10 to 59 (`component`, `warn`, `info`) | also what was opened and selected (info) |
//! | 60 and above (`trace`, `debug`, `max`) | also steps of protocols (debug) |
//!
//! A record that is not shown costs one comparison when no framework shows its level. Records go
//! through the crate `log`, so that a program in Rust may install a logger of its own.

use std::fmt::{Arguments, Write as _};
use std::io::Write as _;

use ::log::{Level, LevelFilter, Log, Metadata, Record};

use crate::{Framework, Registry};

pub use crate::verbosity::WORDS;

impl Framework {
    /// Records that something has failed for good.
    #[inline]
    pub fn error(self, text: Arguments<'_>) {
        self.record(Level::Error, text);
    }

    /// Records what a user may want to change.
    #[inline]
    pub fn warn(self, text: Arguments<'_>) {
        self.record(Level::Warn, text);
    }

    /// Records what was opened, selected or given up.
    #[inline]
    pub fn info(self, text: Arguments<'_>) {
        self.record(Level::Info, text);
    }

    /// Records a step of a protocol.
    #[inline]
    pub fn debug(self, text: Arguments<'_>) {
        self.record(Level::Debug, text);
    }

    #[inline]
    fn record(self, level: Level, text: Arguments<'_>) {
        if level <= ::log::max_level() {
            self.write(level, text);
        }
    }

    #[cold]
    fn write(self, level: Level, text: Arguments<'_>) {
        let mut record = Record::builder();
        let record = record.target(self.name()).level(level).args(text);
        ::log::logger().log(&record.build());
    }
}

/// Makes records go to standard error, each line behind `prefix`, as in
/// `[n02:7] btl: text`, as far as the verbosities in `registry` allow.
///
/// Returns false, and changes nothing, when this process has a logger already.
pub fn install(registry: &Registry, prefix: &str) -> bool {
    let filter = Filter::new(registry);
    let loudest = filter.loudest();
    let logger = Stderr {
        filter,
        prefix: prefix.to_string(),
    };
    let installed = ::log::set_boxed_logger(Box::new(logger)).is_ok();
    if installed {
        ::log::set_max_level(loudest);
    }
    installed
}

/// The level that each framework shows.
struct Filter(Vec<(Framework, LevelFilter)>);

impl Filter {
    fn new(registry: &Registry) -> Filter {
        let shown = |framework: &Framework| level(registry.int(framework.verbosity()));
        let all = Framework::RECORDING.iter();
        Filter(
            all.map(|framework| (*framework, shown(framework)))
                .collect(),
        )
    }

    fn loudest(&self) -> LevelFilter {
        // Records of other libraries in the process are shown as the default says.
        self.0
            .iter()
            .map(|(_, level)| *level)
            .fold(level(0), Ord::max)
    }

    fn shows(&self, metadata: &Metadata<'_>) -> bool {
        let of = |row: &&(Framework, LevelFilter)| row.0.name() == metadata.target();
        let row = self.0.iter().find(of);
        metadata.level() <= row.map_or(level(0), |(_, level)| *level)
    }
}

fn level(verbosity: i64) -> LevelFilter {
    match verbosity {
        i64::MIN..=-1 => LevelFilter::Off,
        0..=9 => LevelFilter::Warn,
        10..=59 => LevelFilter::Info,
        60.. => LevelFilter::Debug,
    }
}

struct Stderr {
    filter: Filter,
    prefix: String,
}

impl Stderr {
    /// The text of a record, each line of it behind the prefix, so that the lines of ranks that
    /// write at once can be distinguished.
    fn lines(&self, record: &Record<'_>) -> String {
        let target = record.target();
        let mut text = String::new();
        for line in base::system::plain(record.args().to_string()).lines() {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{} {target}: {line}", self.prefix);
        }
        text
    }
}

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.filter.shows(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if self.filter.shows(record.metadata()) {
            // One write, so that the lines of ranks do not mix; a failure cannot be reported.
            let _ = std::io::stderr().write_all(self.lines(record).as_bytes());
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;

    fn registry(settings: &[(&str, &str)]) -> Registry {
        let owned = settings
            .iter()
            .map(|(name, text)| (name.to_string(), text.to_string()));
        let absent = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        Registry::load(&[], &Sources::new("/p", absent).with_command_line(owned)).unwrap()
    }

    fn shown(filter: &Filter, target: &str) -> Vec<Level> {
        let shows =
            |level: &Level| filter.shows(&Metadata::builder().target(target).level(*level).build());
        Level::iter().filter(shows).collect()
    }

    #[test]
    fn each_framework_has_its_own_level() {
        use Level::*;
        let settings = [
            ("btl_base_verbose", "100"),
            ("pml_base_verbose", "none"),
            ("coll_base_verbose", "10"),
        ];
        let filter = Filter::new(&registry(&settings));
        assert_eq!(shown(&filter, "btl"), [Error, Warn, Info, Debug]);
        assert!(shown(&filter, "pml").is_empty());
        assert_eq!(shown(&filter, "coll"), [Error, Warn, Info]);
        assert_eq!(shown(&filter, "engine"), [Error, Warn]);
        assert_eq!(shown(&filter, "rustls::client"), [Error, Warn]);
        assert_eq!(filter.loudest(), LevelFilter::Debug);
        assert_eq!(Filter::new(&registry(&[])).loudest(), LevelFilter::Warn);
    }

    #[test]
    fn every_line_carries_the_prefix() {
        let logger = Stderr {
            filter: Filter::new(&registry(&[])),
            prefix: "[n02:7]".into(),
        };
        let args = format_args!("peer 3 left\nand 4");
        let record = Record::builder().target("btl").args(args).build();
        assert_eq!(
            logger.lines(&record),
            "[n02:7] btl: peer 3 left\n[n02:7] btl: and 4\n"
        );
    }

    #[test]
    fn installing_twice_keeps_the_first() {
        assert!(install(
            &registry(&[("btl_base_verbose", "info")]),
            "[here:0]"
        ));
        assert_eq!(::log::max_level(), LevelFilter::Info);
        assert!(!install(&registry(&[]), "[here:0]"));
        assert_eq!(::log::max_level(), LevelFilter::Info);
        Framework::Btl.info(format_args!("a line for the eye"));
    }
}
