//! The transport of a process to itself.
