//! The one process-wide value: what the C functions share between calls.
//!
//! It is made at the first call of any MPI function and lives until the process ends. Handles are
//! looked up in [`Runtime::tables`], whose gate is shared until `MPI_Init` learns that calls will
//! not overlap. Nobody holds that gate while calling a function of the user or while waiting.

use base::{Mutex, MutexGuard};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use datatype::{Datatype, Vectors};
use mpi::{Activity, Errhandler, Info, Inquiry, Process};
use mpi_components::storage::UserMemory;
use mpi_local::errhandler::Kind;
use mpi_local::op::Operator;
use sync::Gate;

use crate::args::{self, Comm, File, Win};
use crate::bound_op;
use crate::environment;
use crate::failure::{Failure, On};
use crate::generated::constants::{
    MPI_ANY_SOURCE, MPI_COMM_NULL, MPI_COMM_SELF, MPI_COMM_WORLD, MPI_ERR_LASTCODE, MPI_ERR_OTHER,
    MPI_ERR_TYPE, MPI_FILE_NULL, MPI_OP_NULL, MPI_PROC_NULL, MPI_SESSION_NULL,
};
use crate::installation::prefix;
use crate::lives::{Around, Lives, User};
use crate::tables::{self, Anytime, Tables, WinEntry};
use crate::tool::Tool;

/// The state of the library in this process.
pub struct Runtime {
    /// Objects behind the handles.
    pub tables: Gate<Tables>,
    /// Objects that any thread may use at any time. Not entered together with the tables.
    pub anytime: Gate<Anytime>,
    /// Values to which attributes that MPI defines point.
    pub values: Values,
    lives: Lives,
    /// State of the tool information interface.
    pub tool: Tool,
    phase: AtomicU8,
    /// The level of thread support, and the thread that requested it.
    level: OnceLock<(i32, u64)>,
    environment: OnceLock<Info>,
    identity: OnceLock<String>,
    user_memory: OnceLock<Mutex<UserMemory>>,
    /// Whether any call has failed.
    failed: AtomicBool,
}

/// Where the process is in its life with MPI (MPI 5.0, 11.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Phase {
    /// `MPI_Init` was not called, or has not returned.
    Before = 0,
    /// Between `MPI_Init` and `MPI_Finalize`.
    Initialised = 1,
    /// `MPI_Finalize` was called.
    Finalised = 2,
}

/// The values of predefined attributes, which the user is given the addresses of.
pub struct Values {
    /// `MPI_TAG_UB`. Set by `MPI_Init`: some networks have short tags.
    pub tag_ub: AtomicI32,
    /// `MPI_HOST`.
    pub host: i32,
    /// `MPI_IO`.
    pub io: i32,
    /// `MPI_WTIME_IS_GLOBAL`: whether the clocks of all processes agree. Set by `MPI_Init`.
    pub wtime_is_global: AtomicI32,
    /// `MPI_LASTUSEDCODE`.
    pub last_used_code: AtomicI32,
    /// `MPI_APPNUM`, where the launcher said one.
    pub appnum: OnceLock<i32>,
    /// `MPI_UNIVERSE_SIZE`, where the launcher said one.
    pub universe_size: OnceLock<i32>,
    /// `MPIX_FT`: whether the job goes on without processes that fail. Set by `MPI_Init`.
    pub ft: OnceLock<i32>,
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

/// The process-wide value.
#[inline]
pub fn get() -> &'static Runtime {
    RUNTIME.get_or_init(Runtime::new)
}

impl Runtime {
    fn new() -> Runtime {
        Runtime {
            tables: Gate::shared(Tables::default()),
            anytime: Gate::shared(Anytime::default()),
            values: Values {
                tag_ub: AtomicI32::new(i32::MAX),
                host: MPI_PROC_NULL,
                io: MPI_ANY_SOURCE,
                wtime_is_global: AtomicI32::new(0),
                last_used_code: AtomicI32::new(MPI_ERR_LASTCODE),
                appnum: OnceLock::new(),
                universe_size: OnceLock::new(),
                ft: OnceLock::new(),
            },
            lives: Lives::new(leave_at_exit),
            tool: Tool::default(),
            phase: AtomicU8::new(Phase::Before as u8),
            level: OnceLock::new(),
            environment: OnceLock::new(),
            identity: OnceLock::new(),
            user_memory: OnceLock::new(),
            failed: AtomicBool::new(false),
        }
    }

    /// Where the process is in its life with MPI.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Before,
            1 => Phase::Initialised,
            _ => Phase::Finalised,
        }
    }

    /// Counts a user of MPI in, which begins a life if there is no current one. `threads`: whether
    /// it calls from several threads at once. Also returns the activity of the users before it.
    pub fn join(
        &self,
        user: User,
        threads: bool,
        inquiry: Inquiry,
    ) -> Result<(Arc<Process>, Activity), Failure> {
        self.lives
            .join(user, threads, (inquiry, engine_gate), self.around())
    }

    /// Counts a user of MPI out; the last one ends the life.
    pub fn part(&self) -> Result<(), Failure> {
        self.lives.part(self.around())
    }

    fn around(&self) -> Around<'_> {
        Around {
            tool: &self.tool,
            tables: &self.tables,
            anytime: &self.anytime,
        }
    }

    /// Whether a life with MPI is going on.
    pub fn is_running(&self) -> bool {
        self.lives.current().is_some()
    }

    /// This process as a member of the job; `MPI_ERR_OTHER` while nobody uses MPI.
    #[inline]
    pub fn process(&self) -> Result<&Arc<Process>, Failure> {
        match self.lives.current() {
            Some(process) => Ok(process),
            None => Err(not_running(self.phase())),
        }
    }

    /// The vector instructions of reductions.
    #[inline]
    pub fn vectors(&self) -> Vectors {
        match self.lives.current() {
            Some(process) => process.collectives.vectors,
            None => Vectors::best(),
        }
    }

    /// Returns [`Runtime::process`] between `MPI_Init` and `MPI_Finalize`, and an error otherwise.
    pub fn world_process(&self) -> Result<&Arc<Process>, Failure> {
        match self.phase() {
            Phase::Initialised => self.process(),
            phase => Err(not_running(phase)),
        }
    }

    /// The level of thread support; `MPI_THREAD_SINGLE` before there is one.
    pub fn level(&self) -> i32 {
        self.level.get().map_or(0, |(level, _)| *level)
    }

    /// The thread that initialised MPI.
    pub fn main_thread(&self) -> u64 {
        self.level.get().map_or(0, |(_, thread)| *thread)
    }

    /// Sets the level and the thread that requested it; the first call counts.
    pub fn set_level(&self, level: i32, thread: u64) {
        let _ = self.level.set((level, thread));
    }

    /// Goes to the next phase.
    pub fn set_phase(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Release);
    }

    /// Returns the contents of `MPI_INFO_ENV`.
    pub fn environment(&self) -> &Info {
        self.environment
            .get_or_init(|| environment::read(&self.initial_errhandler()))
    }

    /// Names this process in messages to the user: `rank 3 on n02`.
    pub fn identity(&self) -> Option<&str> {
        self.identity.get().map(String::as_str)
    }

    /// Sets the name of this process; the first call counts.
    pub fn set_identity(&self, identity: String) {
        let _ = self.identity.set(identity);
    }

    /// The memory that `MPI_Alloc_mem` gives; it lasts beyond every life with MPI.
    pub fn user_memory(&self) -> MutexGuard<'_, UserMemory> {
        let registry = || self.lives.current().map(|process| &process.registry);
        let memory = self
            .user_memory
            .get_or_init(|| Mutex::new(UserMemory::new(registry())));
        memory.lock()
    }

    /// Notes that a call has failed: an abort from now on may be a consequence of that.
    #[cold]
    pub fn note_failure(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Ends the job, and this process in any case.
    pub fn abort(&self, code: i32) -> ! {
        if let Some(process) = self.lives.current() {
            process.abort(code, "", self.failed.load(Ordering::Relaxed));
        }
        std::process::exit(code.clamp(1, 125))
    }

    /// The error handler for an error of an object, and the handle to call it with (MPI 5.0,
    /// 9.3). Errors of what is no object go to `MPI_COMM_SELF`, then `MPI_COMM_WORLD`, then to
    /// the initial error handler; those of files to `MPI_FILE_NULL`.
    ///
    /// Before MPI 4.0 the errors of what is no object went to `MPI_COMM_WORLD`. A program that
    /// never set the handler of `MPI_COMM_SELF` has no wish for it, but may have been written for
    /// the older rule: what it wants is the handler of `MPI_COMM_WORLD`.
    pub fn errhandler_of(&self, on: On) -> (Errhandler, usize) {
        if let On::Handler(handle) = on {
            // A handle that names nothing has its error treated like those without an object.
            if let Ok(errhandler) = self.anytime.enter().errhandler(handle) {
                let of_session = !errhandler.suits(Kind::Comm);
                let null = match of_session {
                    true => MPI_SESSION_NULL.0,
                    false => MPI_COMM_NULL.0,
                };
                return (errhandler, null);
            }
        }
        let tables = self.tables.enter();
        if let On::File(handle) = on {
            if let Ok(file) = tables.files.get(handle) {
                let errhandler = file.errhandler.lock().clone();
                return (errhandler, handle.0);
            }
        }
        if let On::Comm(Comm(handle)) | On::Win(Win(handle)) | On::File(File(handle)) = on {
            if let Some(errhandler) = tables.outlived.get(&handle) {
                return (errhandler.clone(), handle);
            }
        }
        if let On::File(_) | On::NoFile = on {
            let errhandler = tables.file_errhandler.clone().unwrap_or(Errhandler::Return);
            return (errhandler, MPI_FILE_NULL.0);
        }
        if let On::Session(handle) = on {
            if let Ok(session) = tables.sessions.get(handle) {
                let errhandler = session.errhandler.lock().clone();
                return (errhandler, handle.0);
            }
        }
        if let On::Win(handle) = on {
            if let Ok(entry) = tables.wins.get(handle) {
                let errhandler = entry.window.errhandler.lock().clone();
                return (errhandler, handle.0);
            }
        }
        let own = match on {
            On::Comm(handle) => Some(handle),
            _ => None,
        };
        let objectless = match tables.this_has_errhandler {
            true => [MPI_COMM_SELF, MPI_COMM_WORLD],
            false => [MPI_COMM_WORLD, MPI_COMM_SELF],
        };
        for handle in own.into_iter().chain(objectless) {
            if let Ok(comm) = tables.comm(handle) {
                comm.note_failure();
                let errhandler = comm.errhandler.lock().clone();
                return (errhandler, handle.0);
            }
        }
        drop(tables);
        // There is no `MPI_COMM_SELF` (MPI 5.0, 9.3).
        (self.initial_errhandler(), MPI_COMM_NULL.0)
    }

    /// The error handler that the launcher names for the start of the program (MPI 5.0, 9.3).
    #[cold]
    pub fn initial_errhandler(&self) -> Errhandler {
        match self.lives.current() {
            Some(process) => Errhandler::initial(&process.registry),
            None => mpi_components::params::initial_errhandler(&prefix()),
        }
    }

    /// The name of the communicator that an error is about, for its text.
    pub fn comm_name(&self, on: On) -> Option<String> {
        let On::Comm(handle) = on else { return None };
        let tables = self.tables.enter();
        let name = tables.comm(handle).ok()?.name();
        Some(name).filter(|name| !name.is_empty())
    }

    /// Returns the communicator of a handle, owned while it is used.
    #[inline(always)]
    pub fn comm(&self, handle: Comm) -> Result<Arc<mpi::Comm>, Failure> {
        self.tables.enter().comm(handle).cloned()
    }

    /// Returns the window of a handle, owned while it is used.
    #[inline]
    pub fn win(&self, handle: Win) -> Result<Arc<WinEntry>, Failure> {
        self.tables.enter().wins.get(handle).cloned()
    }

    /// Returns the file of a handle, owned while it is used.
    pub fn file(&self, handle: File) -> Result<Arc<mpi_file::File>, Failure> {
        self.tables.enter().files.get(handle).cloned()
    }

    /// Returns the session of a handle, owned while it is used.
    pub fn session(&self, handle: args::Session) -> Result<Arc<mpi::Session>, Failure> {
        self.tables.enter().sessions.get(handle).cloned()
    }

    /// The datatype of a handle.
    #[inline]
    pub fn datatype(&self, handle: args::Datatype) -> Result<TypeRef, Failure> {
        match tables::predefined(handle) {
            Some(datatype) => Ok(TypeRef::Predefined(datatype)),
            None => self.derived(handle),
        }
    }

    /// The datatype of a handle, for communication: `MPI_ERR_TYPE` where it is not committed.
    #[inline]
    pub fn committed(&self, handle: args::Datatype) -> Result<TypeRef, Failure> {
        let datatype = self.datatype(handle)?;
        if !datatype.is_committed() {
            return Err(not_committed(handle));
        }
        Ok(datatype)
    }

    #[inline(never)]
    fn derived(&self, handle: args::Datatype) -> Result<TypeRef, Failure> {
        let tables = self.tables.enter();
        Ok(TypeRef::Derived(
            tables.datatypes.get(handle)?.datatype.clone(),
        ))
    }

    /// The operation of a handle, for reductions of a datatype, which the user called by `called`:
    /// `MPI_ERR_OP` where it names no operation or the operation does not take the datatype.
    pub fn operator(
        &'static self,
        handle: args::Op,
        datatype: &Arc<Datatype>,
        called: args::Datatype,
    ) -> Result<Operator, Failure> {
        if let Some(operator) = predefined_op(handle).map(Operator::Predefined) {
            mpi_local::op::check(&operator, datatype)?;
            return Ok(operator);
        }
        let function = self.tables.enter().ops.get(handle)?.clone();
        Ok(bound_op::bind(&self.tables, function, datatype, called))
    }
}

fn engine_gate(core: engine::Core) -> Gate<engine::Core> {
    // SAFETY: `Process::start` shares the gate where `threads`, and `Lives::join` shares it before
    // a second user can call; below MPI_THREAD_MULTIPLE a single user promises that its calls do
    // not overlap (MPI 5.0, 11.6.2).
    unsafe { Gate::beside(core, &get().tables) }
}

/// Notifies the launcher when the process exits.
extern "C" fn leave_at_exit() {
    let leave = || get().lives.leave_for_good();
    // No panic may pass into the C library's exit.
    let _ = std::panic::catch_unwind(leave);
}

/// The predefined operation of a handle.
pub fn predefined_op(handle: args::Op) -> Option<datatype::Op> {
    datatype::Op::from_handle(u32::try_from(handle.0).ok()?).filter(|_| handle != MPI_OP_NULL)
}

#[cold]
fn not_running(phase: Phase) -> Failure {
    let text = match phase {
        Phase::Finalised => "MPI was finalised",
        _ => "MPI is not initialised; call MPI_Init or MPI_Session_init first",
    };
    Failure::new(MPI_ERR_OTHER, text)
}

#[cold]
fn not_committed(handle: args::Datatype) -> Failure {
    let text = format!(
        "datatype {:#x} is not committed; call MPI_Type_commit",
        handle.0
    );
    Failure::new(MPI_ERR_TYPE, text)
}

/// A datatype that stays while it is looked at, without a lock.
#[derive(Clone)]
pub enum TypeRef {
    /// Never goes away.
    Predefined(&'static Arc<Datatype>),
    /// Shared with its handle.
    Derived(Arc<Datatype>),
}

impl Deref for TypeRef {
    type Target = Arc<Datatype>;

    #[inline]
    fn deref(&self) -> &Arc<Datatype> {
        match self {
            TypeRef::Predefined(datatype) => datatype,
            TypeRef::Derived(datatype) => datatype,
        }
    }
}
