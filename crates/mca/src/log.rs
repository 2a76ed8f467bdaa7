//! The verbosity of each framework, and a logger to standard error that applies it.
//!
//! The first segment of a record's target is the framework: `btl` of `btl::tcp`, and of the
//! module path `btl_tcp::endpoint`, which is the target where none is given. Its parameter
//! `<framework>_base_verbose` says which records are shown:
//!
//! | verbosity | shown |
//! |---|---|
//! | below 0 (`none`) | nothing |
//! | 0 to 9 (`error`, the default) | errors and warnings |
//! | 10 to 59 (`component`, `warn`, `info`) | also what was opened and selected (info) |
//! | 60 to 99 (`trace`, `debug`) | also steps of protocols (debug) |
//! | 100 (`max`) | also single messages (trace) |
//!
//! A record that is not shown costs one comparison when no framework shows its level.

use std::fmt::Write as _;
use std::io::Write as _;

use ::log::{LevelFilter, Log, Metadata, Record};

use crate::{Kind, Registry, Value};

pub use crate::frameworks::PARAMS;
pub use crate::verbosity::WORDS;

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
struct Filter(Vec<(&'static str, LevelFilter)>);

impl Filter {
    fn new(registry: &Registry) -> Filter {
        let mut levels = Vec::new();
        for row in registry.rows() {
            let framework = row.param.name.strip_suffix("_base_verbose");
            let kind = matches!(row.param.kind, Kind::Verbosity { .. });
            if let (Some(framework), true, Value::Int(number)) = (framework, kind, &row.value) {
                levels.push((framework, level(*number)));
            }
        }
        Filter(levels)
    }

    fn loudest(&self) -> LevelFilter {
        // A framework without a row shows what the default shows, so this is the least.
        self.0
            .iter()
            .map(|(_, level)| *level)
            .fold(level(0), Ord::max)
    }

    fn shows(&self, metadata: &Metadata<'_>) -> bool {
        let framework = framework(metadata.target());
        let row = self.0.iter().find(|(name, _)| *name == framework);
        metadata.level() <= row.map_or(level(0), |(_, level)| *level)
    }
}

fn level(verbosity: i64) -> LevelFilter {
    match verbosity {
        i64::MIN..=-1 => LevelFilter::Off,
        0..=9 => LevelFilter::Warn,
        10..=59 => LevelFilter::Info,
        60..=99 => LevelFilter::Debug,
        100.. => LevelFilter::Trace,
    }
}

fn framework(target: &str) -> &str {
    target.split([':', '_']).next().unwrap_or(target)
}

struct Stderr {
    filter: Filter,
    prefix: String,
}

impl Stderr {
    /// The text of a record, each line of it behind the prefix, so that the lines of ranks that
    /// write at once can be told apart.
    fn lines(&self, record: &Record<'_>) -> String {
        let framework = framework(record.target());
        let mut text = String::new();
        for line in base::system::plain(record.args().to_string()).lines() {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{} {framework}: {line}", self.prefix);
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
            // One write, so that the lines of ranks do not mix; nobody is left to tell a failure.
            let _ = std::io::stderr().write_all(self.lines(record).as_bytes());
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use ::log::Level;

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
        assert_eq!(
            shown(&filter, "btl::tcp"),
            [Error, Warn, Info, Debug, Trace]
        );
        assert_eq!(
            shown(&filter, "btl_sm::endpoint"),
            [Error, Warn, Info, Debug, Trace]
        );
        assert!(shown(&filter, "pml").is_empty());
        assert_eq!(shown(&filter, "coll::tree"), [Error, Warn, Info]);
        assert_eq!(shown(&filter, "engine"), [Error, Warn]);
        assert_eq!(shown(&filter, "elsewhere::x"), [Error, Warn]);
        assert_eq!(filter.loudest(), LevelFilter::Trace);
        assert_eq!(Filter::new(&registry(&[])).loudest(), LevelFilter::Warn);
    }

    #[test]
    fn every_line_carries_the_prefix() {
        let logger = Stderr {
            filter: Filter::new(&registry(&[])),
            prefix: "[n02:7]".into(),
        };
        let args = format_args!("peer 3 left\nand 4");
        let record = Record::builder().target("btl::tcp").args(args).build();
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
        ::log::info!(target: "btl", "a line for the eye");
    }
}
