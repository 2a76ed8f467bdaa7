//! The choices of which a policy consists.

use crate::topology::Unit;

/// The objects that ranks are placed on, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapBy {
    /// Each host until its slots are taken, then the next.
    Slot,
    /// Hosts in turn.
    Node,
    /// The objects of a host in turn until its slots are taken, then those of the next.
    Unit(Unit),
    /// This many on each object.
    Each(u32, Unit),
    /// This many on each host in turn, repeated until all ranks are placed.
    Rounds(u32),
    /// As a file gives it for each rank.
    RankFile,
    /// One on each line of a file of hosts.
    Sequence,
}

/// The order of the ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankBy {
    /// One host's ranks after the other's.
    Slot,
    /// Hosts in turn.
    Node,
    /// One object's ranks after the other's.
    Fill,
    /// Objects of all hosts in turn.
    Span,
    /// Objects of a host in turn, then those of the next.
    Unit(Unit),
}

/// The object that a rank is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bind {
    /// No binding: the system may move ranks.
    None,
    /// All processors of one object.
    To(Unit),
}

/// Whether more ranks than slots are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Oversubscribe {
    /// Say so and go on.
    #[default]
    Warn,
    /// Go on.
    Allow,
    /// Refuse.
    Forbid,
}
