//! Memory-release notification: what a cache of registrations must hear of.

use std::ops::Range;

/// Memory that is not what it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Released {
    /// These addresses were unmapped, moved away or emptied.
    Range(Range<usize>),
    /// Reports were lost: any watched memory may have been released.
    Unknown,
}

/// Tells when memory is released. One for each cache.
pub trait Watch {
    /// Asks for reports on a range, in whole pages, from now on. False when there will be none,
    /// so that nothing may be assumed about the range once its user is done with it.
    fn watch(&mut self, range: &Range<usize>) -> bool;

    /// Reports everything watched that was released before the call: whoever was given such
    /// addresses anew before the call finds the release reported by it.
    fn drain(&mut self, report: &mut dyn FnMut(Released));
}
