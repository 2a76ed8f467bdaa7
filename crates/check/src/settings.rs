//! Which checks the user wants: the value of the parameter `mpi_check`.

use std::fmt;

/// Name of the parameter.
pub const NAME: &str = "mpi_check";

/// The words of the parameter.
pub const WORDS: [&str; 7] = [
    "all",
    "collectives",
    "types",
    "buffers",
    "leaks",
    "rma",
    "abort",
];

/// The checks that are on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Settings {
    /// Collective calls of all ranks are compared.
    pub collectives: bool,
    /// Types of both ends of a message are compared.
    pub types: bool,
    /// Buffers of operations under way are watched.
    pub buffers: bool,
    /// Objects that were not freed at the end are reported.
    pub leaks: bool,
    /// One-sided accesses that conflict are reported.
    pub rma: bool,
    /// The first report ends the job.
    pub aborts: bool,
}

/// A word that names no check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown(String);

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unknown(word) = self;
        write!(
            f,
            "{NAME}: `{word}` is no check; known: {}",
            WORDS.join(", ")
        )
    }
}

impl Settings {
    /// Parses the words of the parameter. None: nothing is checked. `abort` alone checks all.
    ///
    /// # Errors
    /// A word that names no check.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Settings, Unknown> {
        let mut settings = Settings::default();
        let mut names_check = false;
        for word in words {
            match word {
                "collectives" => settings.collectives = true,
                "types" => settings.types = true,
                "buffers" => settings.buffers = true,
                "leaks" => settings.leaks = true,
                "rma" => settings.rma = true,
                "abort" => {
                    settings.aborts = true;
                    continue;
                }
                "all" => settings = settings.with_all(),
                other => return Err(Unknown(other.to_string())),
            }
            names_check = true;
        }
        match settings.aborts && !names_check {
            true => Ok(settings.with_all()),
            false => Ok(settings),
        }
    }

    fn with_all(self) -> Settings {
        Settings {
            collectives: true,
            types: true,
            buffers: true,
            leaks: true,
            rma: true,
            aborts: self.aborts,
        }
    }

    /// Whether any check is on.
    pub fn is_on(&self) -> bool {
        *self != Settings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_checks() {
        assert!(!Settings::parse([]).unwrap().is_on());
        let some = Settings::parse(["types", "rma"]).unwrap();
        assert!(some.types && some.rma && !some.leaks && !some.aborts && some.is_on());
        let all = Settings::parse(["all"]).unwrap();
        assert!(all.collectives && all.types && all.buffers && all.leaks && all.rma);
        assert!(!all.aborts);
        let aborts = Settings::parse(["abort"]).unwrap();
        assert!(aborts.aborts && aborts.leaks);
        let narrow = Settings::parse(["abort", "leaks"]).unwrap();
        assert!(narrow.aborts && narrow.leaks && !narrow.types);
    }

    #[test]
    fn an_unknown_word_is_refused_with_the_known_ones() {
        let text = Settings::parse(["typos"]).unwrap_err().to_string();
        assert_eq!(
            text,
            "mpi_check: `typos` is no check; known: all, collectives, types, buffers, leaks, \
             rma, abort"
        );
    }
}
