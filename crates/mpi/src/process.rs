//! This process as a member of its job: from the launcher's word to lanes to every peer, and
//! back.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::{PeerId, Rank};
use bootstrap::{Identity, Provider};
use coll::Rules;
use engine::Engine;
use mca::{Registry, Sources};
use pml::Context;
use sync::Gate;

use crate::call::Call;
use crate::comm::Comm;
use crate::messaging::open_engine;
use crate::params::{check_lists, TABLES};
use crate::{Bsend, Class, Error, Group};

/// The value under which every process publishes its address.
const MODEX: &str = "btl";

/// How a process is started.
pub struct Options {
    /// Where the library is installed: parameter files are looked for under it.
    pub prefix: PathBuf,
    /// Whether threads may call at any time (`MPI_THREAD_MULTIPLE`).
    pub threads: bool,
    /// Makes the engine's gate; whoever knows that calls do not overlap answers for it.
    pub gate: fn(engine::Core) -> Gate<engine::Core>,
}

/// This process: who it is, and its way to all the others.
pub struct Process {
    /// Who this process is.
    pub identity: Identity,
    /// The parameters.
    pub registry: Registry,
    /// The lanes and the messages.
    pub engine: Engine,
    /// Which algorithms collectives use.
    pub rules: Rules,
    provider: Mutex<Option<Box<dyn Provider>>>,
    /// The next number that this process names a communicator with.
    names: AtomicU32,
    /// Non-blocking collectives under way, and how many: what every wait also moves.
    calls: Mutex<Vec<Arc<Mutex<Call>>>>,
    calls_len: AtomicUsize,
    /// The buffer of buffered sends.
    pub bsend: Mutex<Option<Bsend>>,
    left: AtomicBool,
}

impl Process {
    /// Connects to the launcher, opens the transports and reaches every peer.
    ///
    /// # Errors
    /// When the launcher cannot be reached, a parameter is wrong, or a peer is out of reach.
    pub fn start(options: Options) -> Result<Arc<Process>, Error> {
        let mut provider = bootstrap::connect_from_env().map_err(other)?;
        let identity = provider.identity().clone();
        let registry = load_registry(options.prefix, &identity)?;
        let engine = open_engine(&identity, &registry, options.gate)?;
        if options.threads {
            engine.share();
        }
        provider.publish(MODEX, &engine.address()).map_err(other)?;
        if identity.size > 1 {
            provider.fence().map_err(other)?;
        }
        for peer in (0..identity.size).map(PeerId) {
            let address = match peer == identity.peer {
                true => Some(engine.address()),
                false => provider.fetch(peer, MODEX).map_err(other)?,
            };
            let Some(address) = address else {
                return Err(Error::new(
                    Class::Other,
                    format!("{peer} published no address"),
                ));
            };
            let choice = engine.add_peer(peer, &address).map_err(other)?;
            log::debug!(target: "bml", "{peer} by {}", choice.lane.unwrap_or("nothing"));
        }
        let rules = Rules::of(&registry);
        Ok(Arc::new(Process {
            identity,
            registry,
            engine,
            rules,
            provider: Mutex::new(Some(provider)),
            names: AtomicU32::new(FIRST_NAME),
            calls: Mutex::default(),
            calls_len: AtomicUsize::new(0),
            bsend: Mutex::default(),
            left: AtomicBool::new(false),
        }))
    }

    /// The communicator of all processes.
    pub fn world(self: &Arc<Process>) -> Comm {
        let peers = (0..self.identity.size).map(PeerId).collect();
        let group = Group::new(peers);
        let rank = Rank(self.identity.peer.0);
        Comm::open(self, WORLD_CONTEXT, group, rank, "MPI_COMM_WORLD")
    }

    /// The communicator of this process alone.
    pub fn this(self: &Arc<Process>) -> Comm {
        let group = Group::new(vec![self.identity.peer]);
        let context = context_name(self.identity.peer, SELF_NAME);
        Comm::open(self, context, group, Rank(0), "MPI_COMM_SELF")
    }

    /// A context that no other communicator of the job has or will have.
    pub(crate) fn new_context(&self) -> Context {
        context_name(
            self.identity.peer,
            self.names.fetch_add(1, Ordering::Relaxed),
        )
    }

    /// Asks the launcher to end the job. The caller ends this process.
    pub fn abort(&self, code: i32, reason: &str) {
        if let Some(provider) = lock(&self.provider).as_mut() {
            // There is nobody left to tell if the launcher cannot be told.
            let _ = provider.abort(code, reason);
        }
    }

    /// Leaves the job: waits until everything sent has left this process and all processes have
    /// come here, then says goodbye. The second call does nothing.
    ///
    /// # Errors
    /// When the launcher cannot be reached any more.
    pub fn leave(&self) -> Result<(), Error> {
        if self.left.swap(true, Ordering::SeqCst) {
            return Ok(());
        }
        let Some(mut provider) = lock(&self.provider).take() else {
            return Ok(());
        };
        self.flush();
        if self.identity.size > 1 {
            self.fence(&mut *provider)?;
        }
        self.engine.close();
        provider.finalize().map_err(other)
    }

    /// Sends what waits: parked messages, and fragments of sends that nobody waits for.
    fn flush(&self) {
        let peers = self.identity.size;
        self.engine
            .wait_until(|core| core.is_flushed(peers).then_some(()));
    }

    /// A fence with progress: peers may still need what this process has to send.
    fn fence(&self, provider: &mut dyn Provider) -> Result<(), Error> {
        provider.begin_fence().map_err(other)?;
        let began = Instant::now();
        loop {
            // Soon all are here; if not, the launcher's word is waited for, with looks between.
            let patient = began.elapsed() > Duration::from_millis(2);
            let wait = Duration::from_micros(if patient { 1000 } else { 50 });
            if provider.poll_fence(Some(wait)).map_err(other)? {
                return Ok(());
            }
            self.engine.progress();
        }
    }

    /// Waits until `look` finds what it looks for; non-blocking collectives go on meanwhile.
    #[inline]
    pub fn wait_until<T>(&self, look: impl FnMut(&mut engine::Core) -> Option<T>) -> T {
        self.engine.wait_until_with(look, || self.advance_calls())
    }

    /// The same; `between` is called between the looks, outside the engine, and says whether it
    /// changed anything.
    pub fn wait_between<T>(
        &self,
        look: impl FnMut(&mut engine::Core) -> Option<T>,
        mut between: impl FnMut() -> bool,
    ) -> T {
        self.engine
            .wait_until_with(look, || self.advance_calls() | between())
    }

    /// Moves messages and non-blocking collectives once.
    pub fn progress(&self) {
        self.engine.progress();
        self.advance_calls();
    }

    /// Lets every non-blocking collective go on as far as it can. Whether one did.
    #[inline]
    fn advance_calls(&self) -> bool {
        self.calls_len.load(Ordering::Relaxed) != 0 && self.advance_each_call()
    }

    #[cold]
    fn advance_each_call(&self) -> bool {
        // Taken out, so that the list is not locked while operators of the application run.
        let mut calls = std::mem::take(&mut *lock(&self.calls));
        let mut moved = false;
        calls.retain(|call| match call.try_lock() {
            Ok(mut call) => {
                moved |= call.advance(&self.engine);
                !call.is_over()
            }
            // A call that somebody else is advancing needs no help.
            Err(_) => true,
        });
        let mut begun = lock(&self.calls);
        calls.append(&mut begun);
        self.calls_len.store(calls.len(), Ordering::Relaxed);
        *begun = calls;
        moved
    }

    /// Takes on a non-blocking collective.
    pub(crate) fn adopt(&self, mut call: Call) -> Arc<Mutex<Call>> {
        call.advance(&self.engine);
        let over = call.is_over();
        let call = Arc::new(Mutex::new(call));
        if !over {
            let mut calls = lock(&self.calls);
            calls.push(call.clone());
            self.calls_len.store(calls.len(), Ordering::Relaxed);
        }
        call
    }
}

/// The context of the world communicator: nobody else's number, since names begin later.
const WORLD_CONTEXT: Context = Context(0);
/// The name of a process's own communicator, and the first of those it makes later.
const SELF_NAME: u32 = 1;
const FIRST_NAME: u32 = 2;
/// A context is made of the process that named it (24 bits), its number there (26 bits), the
/// number of a duplicate (12 bits: see [`TWIN_LEVELS`]), and the plane (2 bits: `comm::Plane`).
const PEER_SHIFT: u32 = 40;
const NAME_SHIFT: u32 = 14;
/// Where the numbers of duplicates and of duplicates of duplicates stand in a context, as the
/// lowest bit of each and how many such duplicates there can be.
pub(crate) const TWIN_LEVELS: [(u32, u64); 2] = [(8, 63), (2, 63)];

/// A context from the process that names it and its number there.
fn context_name(peer: PeerId, name: u32) -> Context {
    Context((u64::from(peer.0) << PEER_SHIFT) | (u64::from(name) << NAME_SHIFT))
}

fn load_registry(prefix: PathBuf, identity: &Identity) -> Result<Registry, Error> {
    let registry = Registry::load(TABLES, &Sources::from_process(prefix))
        .map_err(|errors| Error::new(Class::Arg, errors.to_string()))?;
    check_lists(&registry).map_err(|error| Error::new(Class::Arg, error.to_string()))?;
    mca::log::install(&registry, &format!("[{}]", identity.peer.0));
    if identity.launcher == bootstrap::Launcher::Singleton {
        for warning in registry.warnings() {
            log::warn!(target: "mca", "{warning}");
        }
    }
    Ok(registry)
}

pub(crate) fn other(error: impl std::fmt::Display) -> Error {
    Error::new(Class::Other, error.to_string())
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
