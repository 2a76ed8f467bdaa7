//! Fault tolerance (ULFM), under the names that Open MPI's `mpi-ext.h` has for it.

use std::sync::Arc;

use abi_state::args::{Comm, Group, Out, Request};
use abi_state::failure::{Failure, On};
use abi_state::runtime;

use crate::calls::comm::hand_out;
use crate::entry::entry;
use crate::wall;

/// The key of an attribute of every communicator: whether the job goes on without processes that
/// fail. A number of `mpi-ext.h`, beyond those of the standard.
pub(crate) const MPIX_FT: i32 = 599;

/// Hands out the handle of a group.
fn give_group(group: mpi::Group, place: Out<Group>) -> Result<(), Failure> {
    let handle = runtime::get().tables.enter().group_handle(group)?;
    place.set(handle)
}

entry!(MPIX_Comm_revoke PMPIX_Comm_revoke(comm: Comm) -> i32 {
    wall::call(&"MPIX_Comm_revoke", On::Comm(comm), || {
        Ok(runtime::get().comm(comm)?.revoke()?)
    })
});

entry!(MPIX_Comm_is_revoked PMPIX_Comm_is_revoked(comm: Comm, flag: *mut i32) -> i32 {
    wall::call(&"MPIX_Comm_is_revoked", On::Comm(comm), || {
        let is_revoked = runtime::get().comm(comm)?.ask_revoked();
        Out::new(flag, "flag").set(i32::from(is_revoked))
    })
});

entry!(MPIX_Comm_get_failed PMPIX_Comm_get_failed(comm: Comm, failedgrp: *mut Group) -> i32 {
    wall::call(&"MPIX_Comm_get_failed", On::Comm(comm), || {
        give_group(runtime::get().comm(comm)?.failed_group(), Out::new(failedgrp, "failedgrp"))
    })
});

entry!(MPIX_Comm_ack_failed PMPIX_Comm_ack_failed(
    comm: Comm, num_to_ack: i32, num_acked: *mut i32
) -> i32 {
    wall::call(&"MPIX_Comm_ack_failed", On::Comm(comm), || {
        let place = Out::new(num_acked, "num_acked");
        place.check()?;
        let count = usize::try_from(num_to_ack).map_err(|_| {
            let text = format!("num_to_ack is {num_to_ack}; it is a number of failed processes");
            mpi::Error::new(mpi::Class::Arg, text)
        })?;
        let acked = runtime::get().comm(comm)?.acknowledge(count);
        place.set(acked as i32)
    })
});

entry!(MPIX_Comm_failure_ack PMPIX_Comm_failure_ack(comm: Comm) -> i32 {
    wall::call(&"MPIX_Comm_failure_ack", On::Comm(comm), || {
        runtime::get().comm(comm)?.acknowledge(usize::MAX);
        Ok(())
    })
});

entry!(MPIX_Comm_failure_get_acked PMPIX_Comm_failure_get_acked(
    comm: Comm, failedgrp: *mut Group
) -> i32 {
    wall::call(&"MPIX_Comm_failure_get_acked", On::Comm(comm), || {
        give_group(runtime::get().comm(comm)?.acked_group(), Out::new(failedgrp, "failedgrp"))
    })
});

entry!(MPIX_Comm_agree PMPIX_Comm_agree(comm: Comm, flag: *mut i32) -> i32 {
    wall::call(&"MPIX_Comm_agree", On::Comm(comm), || {
        let place = abi_state::args::InOut::new(flag, "flag");
        let own = place.get()?;
        let (flags, outcome) = runtime::get().comm(comm)?.agree(own as u32)?;
        place.set(flags as i32)?;
        Ok(outcome?)
    })
});

entry!(MPIX_Comm_iagree PMPIX_Comm_iagree(
    comm: Comm, flag: *mut i32, request: *mut Request
) -> i32 {
    wall::call(&"MPIX_Comm_iagree", On::Comm(comm), || {
        let place = Out::new(request, "request");
        place.check()?;
        let own = abi_state::args::InOut::new(flag, "flag").get()?;
        // The program keeps the memory until the request is complete.
        let address = flag as usize;
        let report = move |flags: u32| {
            // It was there when the request was made.
            let _ = Out::new(address as *mut i32, "flag").set(flags as i32);
        };
        let runtime = runtime::get();
        let started = runtime.comm(comm)?.start_agree(own as u32, report)?;
        place.set(runtime.tables.enter().request_handle(started, comm)?)
    })
});

entry!(MPIX_Comm_shrink PMPIX_Comm_shrink(comm: Comm, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPIX_Comm_shrink", On::Comm(comm), || {
        let place = Out::new(newcomm, "newcomm");
        place.check()?;
        let runtime = runtime::get();
        let old = runtime.comm(comm)?;
        let made = old.shrink()?;
        hand_out(runtime, &old, Some(made), place)
    })
});

entry!(MPIX_Comm_ishrink PMPIX_Comm_ishrink(
    comm: Comm, newcomm: *mut Comm, request: *mut Request
) -> i32 {
    wall::call(&"MPIX_Comm_ishrink", On::Comm(comm), || {
        let place = Out::new(request, "request");
        place.check()?;
        let newcomm = Out::new(newcomm, "newcomm");
        newcomm.check()?;
        let runtime = runtime::get();
        let old = runtime.comm(comm)?;
        // The place of the handle may be gone when the request is complete, as in Fortran. So the
        // handle is given now, and names the old communicator until then.
        let handle = runtime.tables.enter().comms.insert(old.clone())?;
        let parent = old.clone();
        let report = move |made: mpi::Comm| {
            let errhandler = parent.errhandler.lock().clone();
            *made.errhandler.lock() = errhandler;
            let mut made = Arc::new(made);
            if let Ok(known) = runtime::get().tables.enter().comms.get_mut(handle) {
                std::mem::swap(known, &mut made);
            }
            // What is left of either enters the engine when it is dropped.
            drop(made);
            Ok(())
        };
        match old.start_shrink(report) {
            Ok(started) => {
                newcomm.set(handle)?;
                let request = runtime.tables.enter().request_handle(started, comm)?;
                place.set(request)
            }
            Err(error) => {
                let removed = runtime.tables.enter().comms.remove(handle);
                drop(removed);
                Err(error.into())
            }
        }
    })
});
