//! Declarations of parameters: rows of a table with name, allowed values, level and help.
//!
//! Each crate declares its rows once, as a constant slice; the constructors are `const` and
//! refuse, when the crate is compiled, a default outside its own range and a name
//! that does not begin with that of a [`Framework`].
//!
//! ```
//! pub const PARAMS: &[mca::Param] = &[
//!     mca::Param::size("btl_sm_eager_limit", 4096, 0..=1 << 20, 4, "largest eager message"),
//!     mca::Param::choice("btl_sm_backing", "memfd", &["memfd", "file"], 6, "kind of segment"),
//! ];
//! ```

use std::ops::RangeInclusive;

use crate::Framework;

/// The declaration of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The full name, `<framework>_<component>_<what>`, in lower case. One that ends with a
    /// placeholder in angle brackets is a family (see [`Param::family`]).
    pub name: &'static str,
    /// The type, with the default and what is allowed.
    pub kind: Kind,
    /// Audience: 1-3 users, 4-6 tuners, 7-9 developers (basic, detail, all).
    pub level: u8,
    /// The effect of the parameter in one sentence, with the unit where there is one.
    pub help: &'static str,
}

/// The type of a parameter, with its default and the values it may take.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `true` or `false` in any of their usual spellings.
    Bool {
        /// The value unless one is set.
        default: bool,
    },
    /// A whole number.
    Int {
        /// The value unless one is set.
        default: i64,
        /// The smallest value allowed.
        min: i64,
        /// The largest value allowed.
        max: i64,
    },
    /// A number of bytes, or of things, with the suffixes k, m and g for powers of 1024.
    Size {
        /// The value unless one is set.
        default: usize,
        /// The smallest value allowed.
        min: usize,
        /// The largest value allowed.
        max: usize,
    },
    /// Any text; empty where nothing was given.
    Text {
        /// The value unless one is set.
        default: &'static str,
    },
    /// One of a few words, in any case.
    Choice {
        /// The value unless one is set.
        default: &'static str,
        /// The words.
        allowed: &'static [&'static str],
    },
    /// Words separated by commas; a component list is one, with its leading `^`.
    List {
        /// The value unless one is set.
        default: &'static str,
    },
    /// The verbosity of a framework: 0 to 100, or a word of [`crate::log::WORDS`].
    Verbosity {
        /// The value unless one is set.
        default: i64,
    },
}

impl Param {
    /// A switch.
    pub const fn bool(name: &'static str, default: bool, level: u8, help: &'static str) -> Param {
        Param::row(name, Kind::Bool { default }, level, help)
    }

    /// A whole number within `range`.
    pub const fn int(
        name: &'static str,
        default: i64,
        range: RangeInclusive<i64>,
        level: u8,
        help: &'static str,
    ) -> Param {
        let (min, max) = (*range.start(), *range.end());
        assert!(
            min <= default && default <= max,
            "the default is outside the range"
        );
        Param::row(name, Kind::Int { default, min, max }, level, help)
    }

    /// A number of bytes, or of things, within `range`.
    pub const fn size(
        name: &'static str,
        default: usize,
        range: RangeInclusive<usize>,
        level: u8,
        help: &'static str,
    ) -> Param {
        let (min, max) = (*range.start(), *range.end());
        assert!(
            min <= default && default <= max,
            "the default is outside the range"
        );
        Param::row(name, Kind::Size { default, min, max }, level, help)
    }

    /// Free text; `""` as the default says that nothing was given.
    pub const fn text(
        name: &'static str,
        default: &'static str,
        level: u8,
        help: &'static str,
    ) -> Param {
        Param::row(name, Kind::Text { default }, level, help)
    }

    /// A word of `allowed`, which holds `default` too.
    pub const fn choice(
        name: &'static str,
        default: &'static str,
        allowed: &'static [&'static str],
        level: u8,
        help: &'static str,
    ) -> Param {
        let mut at = 0;
        while at < allowed.len() && !same(allowed[at], default) {
            at += 1;
        }
        assert!(
            at < allowed.len(),
            "the default is not one of the allowed words"
        );
        Param::row(name, Kind::Choice { default, allowed }, level, help)
    }

    /// Words separated by commas.
    pub const fn list(
        name: &'static str,
        default: &'static str,
        level: u8,
        help: &'static str,
    ) -> Param {
        Param::row(name, Kind::List { default }, level, help)
    }

    /// The verbosity of a framework; every [`crate::Registry`] has one for each.
    pub const fn verbosity(
        name: &'static str,
        default: i64,
        level: u8,
        help: &'static str,
    ) -> Param {
        assert!(
            -1 <= default && default <= 100,
            "a verbosity is between -1 and 100"
        );
        Param::row(name, Kind::Verbosity { default }, level, help)
    }

    const fn row(name: &'static str, kind: Kind, level: u8, help: &'static str) -> Param {
        assert!(1 <= level && level <= 9, "a level is between 1 and 9");
        Framework::of_parameter(name);
        Param {
            name,
            kind,
            level,
            help,
        }
    }

    /// The beginning of a family's names. A row whose name ends with a placeholder in angle
    /// brackets declares a family: `btl_tcp_latency_<interface>` covers `btl_tcp_latency_eth0`
    /// and whatever else begins so and is not declared itself.
    pub fn family(&self) -> Option<&'static str> {
        let (prefix, _) = self.name.strip_suffix('>')?.split_once('<')?;
        Some(prefix)
    }

    /// The framework of the parameter, with which the name begins: that of `btl_tcp_if_include` is
    /// [`Framework::Btl`].
    pub const fn framework(&self) -> Framework {
        Framework::of_parameter(self.name)
    }
}

impl Kind {
    /// The name of the type, as `oxmpi_info` shows it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Bool { .. } => "bool",
            Kind::Int { .. } => "int",
            Kind::Size { .. } => "size",
            Kind::Text { .. } => "string",
            Kind::Choice { .. } => "choice",
            Kind::List { .. } => "list",
            Kind::Verbosity { .. } => "verbosity",
        }
    }

    /// Returns the allowed values, as an error message names them.
    pub fn allowed(&self) -> String {
        match self {
            Kind::Bool { .. } => "true or false (also 1/0, yes/no, on/off)".to_string(),
            Kind::Int {
                min: i64::MIN,
                max: i64::MAX,
                ..
            } => "a whole number".to_string(),
            Kind::Int {
                min, max: i64::MAX, ..
            } => format!("a whole number from {min} up"),
            Kind::Int { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Size {
                min,
                max: usize::MAX,
                ..
            } => {
                format!("a number from {min} up (suffixes k, m, g)")
            }
            Kind::Size { min, max, .. } => {
                format!("a number from {min} to {max} (suffixes k, m, g)")
            }
            Kind::Text { .. } => "text".to_string(),
            Kind::Choice { allowed, .. } => format!("one of {}", allowed.join(", ")),
            Kind::List { .. } => "words separated by commas".to_string(),
            Kind::Verbosity { .. } => {
                let words: Vec<&str> = crate::verbosity::WORDS
                    .iter()
                    .map(|(word, _)| *word)
                    .collect();
                format!("a number from 0 to 100 or one of {}", words.join(", "))
            }
        }
    }
}

/// `str` equality that a constant may use.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
