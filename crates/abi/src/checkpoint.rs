//! Checkpoints of a program that goes on from its saved state when it was killed: an extension of
//! this library.

use std::sync::Arc;

use abi_state::args::Out;
use abi_state::failure::{Failure, On};
use abi_state::runtime::{self, Runtime};

use crate::entry::entry;
use crate::wall;

/// Returns all communicators of the program, none of which has a request under way.
fn idle_comms(runtime: &Runtime) -> Result<Vec<Arc<mpi::Comm>>, Failure> {
    let process = runtime.process()?;
    let mut tables = runtime.tables.enter();
    let predefined = [tables.world.clone(), tables.this.clone()];
    let predefined = predefined.into_iter().flatten();
    let made = tables.comms.iter().map(|(_, comm)| comm.clone());
    let comms: Vec<Arc<mpi::Comm>> = predefined.chain(made).collect();
    let Some(handle) = tables.open_request(process) else {
        return Ok(comms);
    };
    let on = tables.comm(handle)?;
    let text = format!("a request on {on} is under way: complete all before the state is saved");
    Err(mpi::Error::new(mpi::Class::Pending, text).into())
}

/// Has what the program has printed reach the pipe to the launcher.
fn flush() {
    // SAFETY: fflush(NULL) flushes the output streams of this process, each under its lock.
    unsafe {
        libc::fflush(std::ptr::null_mut());
    }
}

entry!(OXMPI_Restarted POXMPI_Restarted(flag: *mut i32, tag: *mut i32) -> i32 {
    wall::call(&"OXMPI_Restarted", On::Nothing, || {
        let (flag, place) = (Out::new(flag, "flag"), Out::new(tag, "tag"));
        flag.check()?;
        place.check()?;
        let runtime = runtime::get();
        let process = runtime.process()?;
        let comms = idle_comms(runtime)?;
        flush();
        let tag = process.end_prologue(&comms)?;
        flag.set(i32::from(tag.is_some()))?;
        match tag {
            Some(tag) => place.set(tag as u32 as i32),
            None => Ok(()),
        }
    })
});

entry!(OXMPI_Checkpoint POXMPI_Checkpoint(tag: i32) -> i32 {
    wall::call(&"OXMPI_Checkpoint", On::Nothing, || {
        let runtime = runtime::get();
        let process = runtime.process()?;
        let comms = idle_comms(runtime)?;
        flush();
        process.checkpoint(u64::from(tag as u32), &comms)?;
        Ok(())
    })
});
