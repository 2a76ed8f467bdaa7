//! Objects of the program by the calls that made them.

use super::operations::slot;
use super::reports::Origin;
use crate::addresses::Map;

/// Where objects were made, by what of a handle is used again once the object is gone: a new object
/// takes the entry of an old one.
#[derive(Default)]
pub(super) struct Made {
    objects: Map<usize, (usize, Origin)>,
}

impl Made {
    pub(super) fn object(&mut self, _kind: &'static str, handle: usize, origin: Origin) {
        self.objects.insert(slot(handle), (handle, origin));
    }

    pub(super) fn origin(&self, handle: usize) -> Option<Origin> {
        let found = self.objects.get(&slot(handle));
        found
            .filter(|(known, _)| *known == handle)
            .map(|(_, origin)| *origin)
    }
}
