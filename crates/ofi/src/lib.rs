//! libfabric, loaded at run time: the library, its providers, and safe handles on what they open.
