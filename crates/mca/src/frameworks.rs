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
            pub const fn verbosity(self) -> &'static str {
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
    Abi "abi": "the C interface",
    Allocator "allocator": "what memory of MPI_Alloc_mem is cut from",
    Bml "bml": "the choice among the transports of a peer",
    Bootstrap "bootstrap": "how ranks find each other",
    Btl "btl": "the transports",
    Coll "coll": "collective operations",
    Datatype "datatype": "datatypes",
    Engine "engine": "progress and waiting",
    Fbtl "fbtl": "the system calls that read and write files",
    Fcoll "fcoll": "collective accesses to files",
    Fs "fs": "file systems",
    Io "io": "files and their hints",
    Launch "launch": "starting the job",
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
    Sync "sync": "rings, locks and sleeping",
    Vprotocol "vprotocol": "logs of messages, and restarts from them",
}

impl Framework {
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
}
