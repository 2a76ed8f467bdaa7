//! The frameworks, each with a parameter for its verbosity.

use crate::Param;

macro_rules! frameworks {
    ($($framework:literal: $what:literal,)*) => {
        /// The verbosity parameters, one a framework, which every
        /// [`Registry`](crate::Registry) holds.
        pub const PARAMS: &[Param] = &[$(Param::verbosity(
            concat!($framework, "_base_verbose"),
            0,
            8,
            concat!("how much to tell about ", $what, ", 0 to 100 or a word such as info"),
        )),*];
    };
}

frameworks! {
    "abi": "the C interface",
    "bml": "the choice among the transports of a peer",
    "bootstrap": "how ranks find each other",
    "btl": "the transports",
    "coll": "collective operations",
    "datatype": "datatypes",
    "engine": "progress and waiting",
    "launch": "starting the job",
    "mca": "parameters and selection",
    "memory": "shared segments and registrations",
    "mtl": "networks that match messages themselves",
    "mpi": "sessions, communicators and the other objects of MPI",
    "pml": "point-to-point messages",
    "smsc": "copies between processes of one machine",
    "sync": "rings, locks and sleeping",
}
