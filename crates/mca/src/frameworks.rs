//! The frameworks: the one table of their names.

/// Declares [`Framework`] from the table.
macro_rules! frameworks {
    ($($variant:ident $name:literal: $what:literal,)*) => {
        /// A part of the library, under the name that Open MPI's users know where it has the part.
        ///
        /// It is the first segment of the names of its parameters, the target of its records
        /// ([`crate::log`]), its category for tools and its group in `oxmpi_info`. A parameter, a
        /// record or a variable of something without a row here does not compile.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Framework {
            $(#[doc = concat!("`", $name, "`: ", $what, ".")] $variant,)*
        }

        impl Framework {
            /// All of them, sorted by name.
            pub const ALL: &[Framework] = &[$(Framework::$variant),*];

            /// The name, for example `btl`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Framework::$variant => $name,)*
                }
            }

            /// The name of the framework's verbosity parameter.
            pub(crate) const fn verbosity(self) -> &'static str {
                match self {
                    $(Framework::$variant => concat!($name, "_base_verbose"),)*
                }
            }

            /// The help of that parameter.
            pub(crate) const fn verbosity_help(self) -> &'static str {
                match self {
                    $(Framework::$variant => concat!(
                        "verbosity of messages about ", $what, ": 0 to 100, or a word such as info"
                    ),)*
                }
            }
        }
    };
}

frameworks! {
    Allocator "allocator": "what memory of MPI_Alloc_mem is cut from",
    Bml "bml": "the choice among the transports of a peer",
    Bootstrap "bootstrap": "how ranks find each other",
    Btl "btl": "the transports",
    Coll "coll": "collective operations",
    Engine "engine": "progress and waiting",
    Fbtl "fbtl": "the system calls that read and write files",
    Fcoll "fcoll": "collective accesses to files",
    Fs "fs": "file systems",
    Io "io": "files and their hints",
    Mca "mca": "parameters and selection",
    Memory "memory": "shared segments and registrations",
    Mpi "mpi": "sessions, communicators, published names and the other objects of MPI",
    Mpool "mpool": "memory of MPI_Alloc_mem",
    Mtl "mtl": "networks that match messages themselves",
    Op "op": "reductions",
    Opal "opal": "libfabric, as btl and mtl share it",
    Osc "osc": "windows and one-sided communication",
    Plm "plm": "starting daemons on other hosts",
    Pml "pml": "point-to-point messages",
    Rcache "rcache": "caches of registrations",
    Sharedfp "sharedfp": "shared file pointers",
    Smsc "smsc": "copies between processes of one machine",
    Vprotocol "vprotocol": "logs of messages, and restarts from them",
}

/// The frameworks that record nothing. They have no verbosity, which would have no effect.
const SILENT: &[Framework] = &[
    Framework::Allocator,
    Framework::Bootstrap,
    Framework::Op,
    Framework::Plm,
    Framework::Rcache,
    Framework::Sharedfp,
];

impl Framework {
    /// Those that make records, and so have a verbosity.
    pub(crate) const RECORDING: [Framework; Framework::ALL.len() - SILENT.len()] = {
        let mut recording = [Framework::Btl; Framework::ALL.len() - SILENT.len()];
        let (mut at, mut next) = (0, 0);
        while at < Framework::ALL.len() {
            if !Framework::ALL[at].is_silent() {
                recording[next] = Framework::ALL[at];
                next += 1;
            }
            at += 1;
        }
        recording
    };

    const fn is_silent(self) -> bool {
        let mut at = 0;
        while at < SILENT.len() {
            if SILENT[at] as u8 == self as u8 {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns the framework of this name.
    pub fn named(name: &str) -> Option<Framework> {
        let same = |framework: &&Framework| framework.name() == name;
        Framework::ALL.iter().find(same).copied()
    }

    /// Returns the framework that the name of a parameter begins with.
    ///
    /// # Panics
    /// Where the name begins otherwise: when the crate is compiled, since tables of
    /// parameters are constants.
    pub(crate) const fn of_parameter(name: &str) -> Framework {
        let mut at = 0;
        while at < Framework::ALL.len() {
            if begins(name.as_bytes(), Framework::ALL[at].name().as_bytes()) {
                return Framework::ALL[at];
            }
            at += 1;
        }
        panic!("the name of a parameter begins with that of a framework")
    }
}

impl std::fmt::Display for Framework {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Whether `segment` is the first of `name`, whose segments are separated by underscores.
const fn begins(name: &[u8], segment: &[u8]) -> bool {
    let mut at = 0;
    while at < segment.len() {
        if at == name.len() || name[at] != segment[at] {
            return false;
        }
        at += 1;
    }
    at == name.len() || name[at] == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_parameters_find_them() {
        assert!(Framework::ALL.is_sorted_by_key(|framework| framework.name()));
        for framework in Framework::ALL {
            assert_eq!(Framework::of_parameter(framework.verbosity()), *framework);
            assert_eq!(Framework::named(framework.name()), Some(*framework));
            assert_eq!(Framework::of_parameter(framework.name()), *framework);
        }
        assert_eq!(Framework::named("bt"), None);
        assert!(std::panic::catch_unwind(|| Framework::of_parameter("btlx_a")).is_err());
    }

    /// Whether a source has a call that records something of a framework.
    fn records(source: &str, framework: Framework) -> bool {
        let calls = [".error(", ".warn(", ".info(", ".debug("];
        let mut uses = source
            .match_indices("Framework::")
            .map(|(at, _)| &source[at + 11..]);
        uses.any(|rest| {
            let rest = rest.strip_prefix(format!("{framework:?}").as_str());
            rest.is_some_and(|rest| calls.iter().any(|call| rest.trim_start().starts_with(call)))
        })
    }

    fn sources(folder: &std::path::Path, found: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                found.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }

    #[test]
    fn who_records_has_a_verbosity_and_nobody_else() {
        assert!(records("Framework::Op\n    .info(x)", Framework::Op));
        assert!(!records("Framework::Opal.info(x)", Framework::Op));
        let mut all = String::new();
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).unwrap() {
            let path = entry.unwrap().path();
            if path.join("src").is_dir() && !path.ends_with("mca") {
                sources(&path.join("src"), &mut all);
            }
        }
        for framework in Framework::ALL {
            let has_verbosity = Framework::RECORDING.contains(framework);
            assert_eq!(records(&all, *framework), has_verbosity, "{framework}");
        }
    }
}
