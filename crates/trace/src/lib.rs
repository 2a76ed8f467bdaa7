//! Traces of a job: which rank was in which call of MPI, since when, with whom.
//!
//! 1. [`layout`]: the memory that a rank records into. The launcher makes it, so that it outlives
//!    the rank: a header, tables of call sites, communicators and peers, and a ring of records.
//! 2. [`read`]: the memory of one rank as values. Its bytes are an allegation: whatever they are,
//!    reading ends with a value or an error.
//! 3. [`merge`]: the ranks of a job on one clock, the messages between them matched.
//! 4. [`json`] and [`paraver`]: the merged trace as files for viewers. [`summary`] and [`svg`]: the
//!    same as a table and as a picture; [`picture`]: what it has in common with others.
//!
//! Nothing here reads a file or a clock, and nothing knows how memory is shared.
#![forbid(unsafe_code)]

#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod json;
pub mod layout;
pub mod merge;
pub mod paraver;
pub mod picture;
pub mod read;
mod sample;
pub mod summary;
pub mod svg;
mod text;

#[cfg(test)]
mod tests;
