//! Traces of a job: which rank was in which call of MPI, since when, with whom.
//!
//! [`layout`] is the memory that a rank records into. The launcher makes it, so that it outlives
//! the rank: a header, tables of call sites, communicators and peers, and a ring of records.
//! Nothing here reads a file or a clock, and nothing knows how memory is shared.
#![forbid(unsafe_code)]

pub mod layout;
