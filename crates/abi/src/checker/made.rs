//! Objects of the program by the calls that made them.

use super::reports::Origin;
use crate::addresses::Map;
use crate::args::Request;
use crate::hooks::{Call, Role};
use crate::requests::COMPLETE;

/// Where objects were made, by what of a handle is used again once the object is gone: a new object
/// takes the entry of an old one.
#[derive(Default)]
pub(super) struct Made {
    objects: Map<usize, (usize, Origin)>,
    pub(super) requests: Map<usize, (Request, Origin)>,
}

/// The bits of a handle without its generation.
fn slot(handle: usize) -> usize {
    handle & 0xFFFF_FFFF
}

impl Made {
    pub(super) fn object(&mut self, _kind: &'static str, handle: usize, origin: Origin) {
        self.objects.insert(slot(handle), (handle, origin));
    }

    pub(super) fn request(&mut self, request: Request, origin: Origin) {
        if request != COMPLETE {
            self.requests.insert(slot(request.0), (request, origin));
        }
    }

    pub(super) fn origin(&self, handle: usize) -> Option<Origin> {
        let found = self.objects.get(&slot(handle));
        found
            .filter(|(known, _)| *known == handle)
            .map(|(_, origin)| *origin)
    }
}

/// Whether a call makes a request, or several.
pub(super) fn makes_request(call: &Call) -> bool {
    const USERS: [&str; 12] = [
        "MPI_Wait",
        "MPI_Test",
        "MPI_Start",
        "MPI_Cancel",
        "MPI_Request_free",
        "MPI_Waitall",
        "MPI_Waitany",
        "MPI_Waitsome",
        "MPI_Testall",
        "MPI_Testany",
        "MPI_Testsome",
        "MPI_Startall",
    ];
    call.note.role != Role::Starts && !USERS.contains(call.name)
}
