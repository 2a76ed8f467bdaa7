//! How two communicators relate (MPI 5.0, 7.4.1, MPI_Comm_compare).

use crate::{Comm, Comparison, Group};

impl Comm {
    /// How this communicator relates to another.
    pub fn compare(&self, other: &Comm) -> Comparison {
        if std::ptr::eq(self, other) {
            return Comparison::Identical;
        }
        let local = compare(self.group(), other.group());
        match (self.remote_group(), other.remote_group()) {
            (None, None) => local,
            (Some(mine), Some(theirs)) => looser(local, compare(mine, theirs)),
            _ => Comparison::Unequal,
        }
    }
}

/// The weaker of two relations: they are declared from the strictest on.
fn looser(one: Comparison, other: Comparison) -> Comparison {
    if (one as u8) < other as u8 {
        return other;
    }
    one
}

/// How the groups of two different communicators relate.
fn compare(one: &Group, other: &Group) -> Comparison {
    match one.compare(other) {
        Comparison::Identical => Comparison::Congruent,
        relation => relation,
    }
}
