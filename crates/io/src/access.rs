//! [`Access`] and [`Outcome`]: what a rank brings to a collective access, and what it gets.

use std::io;
use std::sync::Arc;

use datatype::Buffer;

use crate::plan::Plan;
use crate::{Neighbours, Storage, View};

/// One rank's part in a collective access.
#[derive(Clone)]
pub struct Access {
    /// The file.
    pub storage: Arc<dyn Storage>,
    /// Where the data lies in the file.
    pub view: Arc<View>,
    /// Whether [`View::is_ordered_in`] says so of the access.
    pub ordered: bool,
    /// Bytes of the view's data before the first one of the access.
    pub position: u64,
    /// The data in memory, byte by byte as in the file.
    pub buffer: Buffer,
    /// The processes whose memory this one reaches, and that reach its own.
    pub neighbours: Option<Arc<dyn Neighbours>>,
}

/// Accesses the file without the other ranks; returns the bytes of data transferred.
pub type Independent = Box<dyn FnOnce() -> Result<u64, coll::Failure> + Send>;

/// Result of a collective access on this rank.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Bytes of data transferred.
    pub bytes: u64,
    /// The first failure.
    pub failure: Option<Failure>,
    /// How the access was made.
    pub plan: Option<Plan>,
}

/// A failure of a collective access that the messages survived.
#[derive(Debug)]
pub enum Failure {
    /// The file could not be accessed here, as an aggregator.
    Here(io::Error),
    /// The independent access failed, with the error that it returned.
    Independent(coll::Failure),
    /// An aggregator could not access the file.
    Aggregator {
        /// The aggregator.
        rank: u32,
        /// The report of its system.
        error: io::Error,
    },
    /// The positions of the data do not fit.
    Position(crate::Error),
}
