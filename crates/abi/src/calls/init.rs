//! Initialisation and finalisation of the world model (MPI 5.0, 11.2).

use std::ffi::c_char;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use abi_state::args::{Comm, InOut, Out};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;
use abi_state::hooks;
use abi_state::lives::User;
use abi_state::runtime::{self, Phase, Runtime};
use abi_watch::checker;
use abi_watch::tracer;
use bootstrap::RankSet;
use mpi::Process;
use mpi_components::params::STOP_IN_INIT;
use pml::Pml;

use crate::crash;
use crate::inquiry::INQUIRY;

/// How often messages are polled for what has been sent before all came to the end: some transports
/// read their sockets in one poll of several.
const LAST_POLLS: usize = 100;

/// `MPI_Init` (MPI 5.0, 11.2.1).
pub fn init(_argc: InOut<i32>, _argv: *mut *mut *mut c_char) -> Result<(), Failure> {
    start(&"MPI_Init", MPI_THREAD_SINGLE).map(|_| ())
}

/// `MPI_Init_thread` (MPI 5.0, 11.2.1): every level is provided.
pub fn init_thread(
    _argc: InOut<i32>,
    _argv: *mut *mut *mut c_char,
    required: i32,
    provided: Out<i32>,
) -> Result<(), Failure> {
    let level = start(&"MPI_Init_thread", required)?;
    provided.set(level)
}

fn start(name: &'static &'static str, required: i32) -> Result<i32, Failure> {
    let begin = tracer::now();
    const LEVELS: [i32; 4] = [
        MPI_THREAD_SINGLE,
        MPI_THREAD_FUNNELED,
        MPI_THREAD_SERIALIZED,
        MPI_THREAD_MULTIPLE,
    ];
    let runtime = runtime::get();
    if runtime.phase() != Phase::Before {
        return Err(Failure::new(MPI_ERR_OTHER, "MPI was initialised before"));
    }
    if !LEVELS.contains(&required) {
        let text = format!("{required} is not a level of thread support");
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    let threads = required == MPI_THREAD_MULTIPLE;
    let (process, activity) = join(runtime, User::World, threads)?;
    stop_for_debugger(&process);
    if let Err(error) = process.join_world(activity) {
        // The first error is the one that the caller receives.
        let _ = runtime.part();
        return Err(error.into());
    }
    hooks::fence_is_over(false);
    introduce(runtime, &process);
    if let Err(error) = meet_parents(runtime, &process) {
        withdraw(runtime);
        let _ = runtime.part();
        return Err(error);
    }
    let provided = match threads && !process.may_be_threaded() {
        true => MPI_THREAD_SERIALIZED,
        false => required,
    };
    runtime.set_level(provided, thread_id());
    runtime.set_phase(Phase::Initialised);
    hooks::has_started(name, begin);
    Ok(provided)
}

/// Stops this process where the user wants to attach a debugger. SIGCONT, also that of a debugger,
/// lets it go on.
fn stop_for_debugger(process: &Process) {
    let wanted = process.registry.text(STOP_IN_INIT);
    let rank = process.identity.peer.0;
    if !RankSet::parse(wanted).is_some_and(|ranks| ranks.contains(rank)) {
        return;
    }
    let pid = std::process::id();
    eprintln!(
        "rank {rank}: process {pid} is stopped in MPI_Init, for a debugger; `kill -CONT {pid}` \
         lets it go on, also after a debugger has left it"
    );
    // SAFETY: the calls take no address; the first one lets any process of the user debug this one,
    // where the system knows of such permissions.
    unsafe {
        libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0);
        libc::raise(libc::SIGSTOP);
    }
}

/// Counts a user of MPI in. Returns the activity of the others too.
pub(crate) fn join(
    runtime: &Runtime,
    user: User,
    threads: bool,
) -> Result<(Arc<Process>, mpi::Activity), Failure> {
    let joined = runtime.join(user, threads, INQUIRY)?;
    let (process, _) = &joined;
    tracer::open(process);
    checker::open(process);
    crash::open(process);
    runtime.set_identity(format!("rank {}", process.identity.peer.0));
    Ok(joined)
}

/// Sets this process's identity in the rest of the library.
fn introduce(runtime: &Runtime, process: &Arc<Process>) {
    let identity = &process.identity;
    let (world, this) = (process.world(), process.this());
    let mut tables = runtime.tables.enter();
    tables.world = Some(Arc::new(world));
    tables.this = Some(Arc::new(this));
    drop(tables);
    let node = identity.node();
    let one_node = identity.nodes.iter().all(|other| *other == node);
    runtime
        .values
        .wtime_is_global
        .store(i32::from(one_node), Ordering::Relaxed);
    let tag_ub = process.engine.enter().capabilities().tag_max;
    runtime.values.tag_ub.store(tag_ub, Ordering::Relaxed);
    let _ = runtime.values.ft.set(i32::from(process.survives()));
    if let Some(appnum) = identity.appnum {
        let _ = runtime.values.appnum.set(appnum as i32);
    }
    if let Some(size) = identity.universe_size {
        let _ = runtime.values.universe_size.set(size as i32);
    }
}

/// `MPI_Finalize` (MPI 5.0, 11.2.2).
pub fn finalize() -> Result<(), Failure> {
    let runtime = runtime::get();
    match runtime.phase() {
        Phase::Before => return Err(Failure::new(MPI_ERR_OTHER, "MPI was not initialised")),
        Phase::Finalised => return Err(Failure::new(MPI_ERR_OTHER, "MPI was finalised before")),
        Phase::Initialised => {}
    }
    let process = runtime.process()?.clone();
    // Attributes of MPI_COMM_SELF are deleted first, while MPI still works (MPI 5.0, 11.2.4).
    let this = runtime.tables.enter().this.clone();
    if let Some(this) = this {
        super::comm::delete_attributes(&this, MPI_COMM_SELF)?;
    }
    hooks::ends(true);
    runtime.set_phase(Phase::Finalised);
    let mut waits = false;
    let left = process.leave_world(|| {
        let past = check_past(runtime, &process);
        waits = past.is_err();
        past
    });
    let left = left.map_err(Failure::from);
    hooks::fence_is_over(true);
    if waits {
        // Somebody will never come here: there is no end in good order.
        return left;
    }
    if left.is_ok() {
        check_left(runtime, &process)?;
    }
    drop(process);
    withdraw(runtime);
    let parted = runtime.part();
    // A process that could not wait for the others may fail to leave the launcher, too.
    left.and(parted)
}

/// Connects a spawned process with those that spawned it, at the end of `MPI_Init`.
fn meet_parents(runtime: &Runtime, process: &Arc<Process>) -> Result<(), Failure> {
    let Some(world) = runtime.tables.enter().world.clone() else {
        return Ok(());
    };
    if let Some(made) = mpi_dynamic::join_parents(process, &world)? {
        let made = Arc::new(made);
        let mut tables = runtime.tables.enter();
        let handle = tables.comms.insert(made.clone())?;
        tables.parent = Some((handle, Arc::downgrade(&made)));
    }
    Ok(())
}

/// Takes back what [`introduce`] has set.
fn withdraw(runtime: &Runtime) {
    let mut tables = runtime.tables.enter();
    let predefined = (tables.world.take(), tables.this.take());
    drop(tables);
    drop(predefined);
}

/// Searches for ranks that wait in a collective that was another one here.
fn check_past(runtime: &Runtime, process: &Process) -> Result<(), mpi::Error> {
    let open = open_comms(runtime);
    let core = process.engine.enter();
    open.iter().try_for_each(|comm| comm.check_past(&core))
}

/// All communicators that are not freed.
fn open_comms(runtime: &Runtime) -> Vec<Arc<mpi::Comm>> {
    let tables = runtime.tables.enter();
    let mut open: Vec<_> = tables.comms.iter().map(|(_, comm)| comm.clone()).collect();
    open.extend(tables.world.clone());
    open
}

/// Searches for collectives that only others have called, once all have made all their calls.
fn check_left(runtime: &Runtime, process: &Process) -> Result<(), Failure> {
    // What was sent before the fence has arrived, or is about to.
    for _ in 0..LAST_POLLS {
        process.engine.progress();
    }
    open_comms(runtime)
        .iter()
        .try_for_each(|comm| comm.check_left())?;
    Ok(())
}

/// `MPI_Initialized` (MPI 5.0, 11.2.3).
pub fn initialized(flag: Out<i32>) -> Result<(), Failure> {
    let is = runtime::get().phase() != Phase::Before;
    flag.set(i32::from(is))
}

/// `MPI_Finalized` (MPI 5.0, 11.2.3).
pub fn finalized(flag: Out<i32>) -> Result<(), Failure> {
    let is = runtime::get().phase() == Phase::Finalised;
    flag.set(i32::from(is))
}

/// `MPI_Query_thread` (MPI 5.0, 11.6.2).
pub fn query_thread(provided: Out<i32>) -> Result<(), Failure> {
    let runtime = runtime::get();
    runtime.world_process()?;
    provided.set(runtime.level())
}

/// `MPI_Is_thread_main` (MPI 5.0, 11.6.2).
pub fn is_thread_main(flag: Out<i32>) -> Result<(), Failure> {
    let runtime = runtime::get();
    runtime.world_process()?;
    let main = runtime.main_thread() == thread_id();
    flag.set(i32::from(main))
}

/// `MPI_Abort` (MPI 5.0, 11.4.2). The whole job ends, whatever the communicator.
pub fn abort(comm: Comm, errorcode: i32) -> Result<(), Failure> {
    let runtime = runtime::get();
    runtime
        .process()
        .map_err(|failure| failure.on(On::Nothing))?;
    let name = match runtime.tables.enter().comm(comm) {
        Ok(comm) => comm.to_string(),
        Err(_) => "an unknown communicator".into(),
    };
    let who = runtime.identity().unwrap_or("a process");
    eprintln!("{who}: MPI_Abort with error code {errorcode} on {name}");
    runtime.abort(errorcode)
}

/// The kernel's number of the calling thread.
fn thread_id() -> u64 {
    // SAFETY: gettid takes nothing and cannot fail.
    unsafe { libc::gettid() as u64 }
}
