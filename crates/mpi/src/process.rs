//! [`Process`]: one life of this process with MPI, from opening the transports to closing them.
//!
//! The world model and every session share it; the owner that counts them starts it for the first
//! and lets it [`leave`](Process::leave) after the last. Only the [`Membership`] in the job
//! remains, from which the next life starts.
//!
//! Starting is local: it opens the transports, and no peer is known yet. A peer is introduced with
//! its address, which comes from a fence of all processes ([`Process::join_world`]) or from a
//! meeting of a new group's members (`meet`). An address belongs to one life of a peer; when that
//! of a later life comes, the earlier one is removed first.
//!
//! **Deaths.** With `mpirun --enable-recovery` the launcher reports a death to the other ranks. A
//! transport may notice it earlier, or never (some providers of libfabric), so waits also watch the
//! connection to the launcher. What depends on the dead process fails with `MPIX_ERR_PROC_FAILED`,
//! and fences are of the processes that remain. A collective fails for ranks that need the dead
//! one; others may go on waiting for a rank that gave up. Under PMI and PMIx, which report no
//! deaths, transports look for dead peers while a process waits for the launcher
//! ([`Process::progress_beside`]).

use base::Mutex;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::PeerId;
use bootstrap::native::LAST;
use bootstrap::spawn::Parent;
use bootstrap::Identity;
use coll::Rules;
use engine::{Engine, Host};
use mca::Registry;
use pml::{Context, Pml};
use sync::Gate;

use crate::call::{Call, Planes};
use crate::calls::Calls;
use crate::faults::Faults;
use crate::foreign::LauncherNumber;
use crate::inquiry::{Accounts, Inquiry};
use crate::membership::{survives, Link, Membership};
use mpi_components::open_engine;
use mpi_components::Explainer;
use mpi_local::contexts;

use crate::deaths::Deaths;
use crate::peers::{Activity, Peers};
use crate::services::{Service, Services};
use crate::threads::Threads;
use crate::{BsendBuffer, Class, Error};
use mpi_components::collectives::goes_by_nodes;
use mpi_components::params::{self, Agreed};
use shm::locality::Locality;

/// The value under which every process publishes what it chose, where a report is wanted.
const ACCOUNT: &str = "explain";

/// How a process is started.
pub struct Options {
    /// Folder where the library is installed; parameter files are looked up under it.
    pub prefix: PathBuf,
    /// Answers of the owner of the handles, for accounts of what the process waits for.
    pub inquiry: Inquiry,
    /// Parameters that tools have set, by their names.
    pub settings: Vec<(String, String)>,
    /// Threads may call at any time (`MPI_THREAD_MULTIPLE`).
    pub threads: bool,
    /// Makes the engine's gate; a caller that knows that calls do not overlap answers for it.
    pub gate: fn(engine::Core) -> Gate<engine::Core>,
}

/// Statements of this process about itself, which its card has.
pub(crate) struct OwnStatements {
    /// Parameters that must be equal at others.
    pub(crate) agreed: Agreed,
    /// Node of this process.
    pub(crate) locality: Locality,
}

/// This process: its identity, and its paths to all the others.
pub struct Process {
    /// Identity of this process.
    pub identity: Identity,
    /// The folder where the library is installed.
    pub(crate) prefix: PathBuf,
    /// The parameters.
    pub registry: Registry,
    /// The lanes and the messages.
    pub engine: Engine,
    /// How collectives are done.
    pub collectives: CollectiveSettings,
    /// Statements of this process about itself.
    pub(crate) stated: OwnStatements,
    /// Reports for people.
    pub(crate) reports: Reports,
    pub(crate) link: Link,
    /// Knowledge of failures.
    pub(crate) recovery: Recovery,
    /// The peers that were introduced.
    pub(crate) peers: Peers,
    /// State of crates above.
    pub(crate) services: Services<Process>,
    /// Pending non-blocking collectives, which every wait also advances.
    pub(crate) calls: Calls,
    /// The buffer of buffered sends.
    pub bsend: BsendBuffer,
    /// Threads that make progress while the application computes.
    threads: Threads,
    left: AtomicBool,
}

/// Parameters of collectives, which do not change in a life.
pub struct CollectiveSettings {
    /// Which algorithms collectives use.
    pub rules: Arc<Rules>,
    /// Whether collectives over several nodes go by node.
    pub(crate) by_nodes: bool,
    /// The vector instructions of reductions.
    pub vectors: datatype::Vectors,
    /// When collectives go through shared memory.
    pub(crate) shared: coll_sm::Settings,
}

/// Reports for people.
pub(crate) struct Reports {
    /// Choices of the frameworks, for `--explain`.
    pub(crate) explainer: Explainer,
    /// Accounts of what this process waits for, which the launcher asks for.
    pub(crate) accounts: Accounts,
}

/// Knowledge of failures.
pub(crate) struct Recovery {
    /// Fault tolerance of the communicators.
    pub(crate) faults: Mutex<Faults>,
    /// Deaths that the launcher reports.
    pub(crate) deaths: Deaths,
    /// Announcements that others have not answered yet, of all communicators.
    pub(crate) announced: Arc<AtomicUsize>,
    /// A layer of `vprotocol` is in use.
    pub(crate) observed: bool,
}

impl Process {
    /// Begins a life: opens the transports, out of the place in the job that an earlier life has
    /// left, or connected to the launcher for the first time. Local, but for launchers that know no
    /// meetings: there all processes must begin, and exchange their addresses.
    ///
    /// # Errors
    /// When the launcher cannot be reached, a parameter is wrong, or no transport opens. What is
    /// left for another try is then in `membership`.
    pub fn start(
        options: Options,
        membership: &mut Option<Membership>,
    ) -> Result<Arc<Process>, Error> {
        has_room()?;
        let mut own = match membership.take() {
            Some(membership) => membership,
            None => Membership::connect(contexts::FIRST_NAME)?,
        };
        let opened = own
            .resume()
            .and_then(|()| Unjoined::new(options, own.provider.identity(), own.lives))
            .and_then(|opened| has_room().map(|()| opened));
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                if own.can_return() {
                    // Only its own failure matters to the caller.
                    let _ = own.pause();
                }
                *membership = Some(own);
                return Err(error);
            }
        };
        let process = opened.with(own);
        let introduced = process.greet();
        if let Err(error) = introduced {
            process.engine.close();
            *membership = process.link.take();
            return Err(error);
        }
        process.threads.start(&process, &process.registry);
        Ok(process)
    }

    /// Introduces this process to itself, and to all others where they cannot meet later.
    fn greet(self: &Arc<Process>) -> Result<(), Error> {
        let own = self.engine.address();
        self.introduce_at(
            self.identity.peer,
            self.link.life,
            self.stated.locality,
            &own,
        )?;
        match self.link.can_meet {
            true => Ok(()),
            false => self.exchange(Activity::None).map(drop),
        }
    }

    /// Introduces all processes of the job to each other: a fence that all come to. `activity` is
    /// that of the program's other threads meanwhile.
    ///
    /// # Errors
    /// When the launcher cannot be reached, or a peer is out of reach.
    pub fn join_world(&self, activity: Activity) -> Result<(), Error> {
        if self.identity.size == 1 {
            return Ok(());
        }
        has_room()?;
        // A process that polls may be sent something by a process that it does not know yet; then
        // all wait until all know each other. Where processes cannot meet later they do since the
        // start.
        let activity = match self.threads.are_any() {
            true => Activity::Receiving,
            false => activity,
        };
        if self.link.can_meet && self.exchange(activity)? == Activity::Receiving {
            self.fence()?;
        }
        self.wait_for_accounts()?;
        self.explain()
    }

    /// Notes that an operation is left pending: the helper thread moves it on while the application
    /// computes.
    #[inline]
    pub fn leave_pending(self: &Arc<Process>) {
        if !self.threads.are_watching() {
            self.threads.begin_to_watch(self);
        }
    }

    /// Lets the helper thread move on what is pending while the application computes, whatever the
    /// parameter says.
    ///
    /// # Errors
    /// When a layer of `vprotocol` logs messages, whose order no thread may change.
    pub fn start_progress(self: &Arc<Process>) -> Result<(), Error> {
        if self.engine.enter().is_observed() {
            let text =
                "messages are logged (vprotocol), so no thread may receive beside the program";
            return Err(Error::new(Class::UnsupportedOperation, text));
        }
        self.threads.allow_watching(true);
        self.leave_pending();
        Ok(())
    }

    /// Ends what [`Process::start_progress`] began.
    pub fn stop_progress(&self) {
        let allowed = self.registry.bool("mpi_standby_thread");
        self.threads.allow_watching(allowed);
    }

    /// Notes that a receive with room for that many bytes is left pending. The helper thread moves
    /// it on where its message may be announced: shorter ones come by themselves.
    #[inline]
    pub fn leave_receive_pending(self: &Arc<Process>, bytes: usize) {
        if bytes > RECV_HELPED {
            self.leave_pending();
        }
    }

    /// Starts the thread that serves accesses from this node while the application computes, where
    /// any of `peers` can wake it and no other thread does its work.
    pub fn start_helper(self: &Arc<Process>, peers: &[PeerId]) {
        self.threads.start_helper(self, &self.registry, peers);
    }

    /// Reports the transports between peers, where that was requested. All processes come here.
    fn explain(&self) -> Result<(), Error> {
        let Some(account) = self.reports.explainer.account(&self.identity) else {
            return Ok(());
        };
        self.link
            .ask(|provider| provider.publish(ACCOUNT, account.as_bytes()))?;
        self.fence()?;
        if self.identity.peer != PeerId(0) {
            return Ok(());
        }
        let mut accounts = Vec::new();
        for peer in (0..self.identity.size).map(PeerId) {
            accounts.extend(self.link.ask(|provider| provider.fetch(peer, ACCOUNT))?);
        }
        self.reports.explainer.report(&accounts);
        Ok(())
    }

    /// Reports what carried long messages, where that was requested.
    fn explain_carriage(&self) {
        if self.reports.explainer.is_wanted() {
            let mut core = self.engine.enter();
            let peers = (0..self.identity.size).map(PeerId);
            let account = |peer| Some((peer, core.carriage_account(peer)?));
            let accounts: Vec<(PeerId, String)> = peers.filter_map(account).collect();
            drop(core);
            self.reports
                .explainer
                .report_carriage(self.identity.peer, &accounts);
        }
    }

    /// Reports what carried the long collectives of `comm`, where that was requested.
    pub(crate) fn explain_collectives(&self, comm: &dyn std::fmt::Display, account: &str) {
        self.reports
            .explainer
            .report_collectives(&comm.to_string(), account);
    }

    /// Reports the choice of a window, where that was requested.
    pub fn explain_window(&self, what: &str) {
        self.reports.explainer.report_window(what);
    }

    /// Whether reports of what was chosen are wanted.
    pub fn explains(&self) -> bool {
        self.reports.explainer.is_wanted()
    }

    /// Reports how processes access a file together, where that was requested.
    pub fn explain_file(&self, what: &str) {
        self.reports.explainer.report_file(what);
    }

    /// Returns the state that a crate above keeps with this process.
    pub fn service<S: Service<Process>>(&self) -> Arc<S> {
        self.services.of()
    }

    /// The connection to the launcher.
    pub fn launcher(&self) -> &Link {
        &self.link
    }

    /// The folder where the library is installed.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// A context that no other communicator of the job has or will have.
    pub fn new_context(&self) -> Context {
        contexts::named(self.identity.peer, self.link.new_name())
    }

    /// Whether this process may leave its job and come back.
    pub fn can_return(&self) -> bool {
        self.link.can_return
    }

    /// Requests that the launcher end the job. The caller ends this process. `in_doubt` says that
    /// it may do so because of another process's end, of which the launcher may know more.
    pub fn abort(&self, code: i32, reason: &str, in_doubt: bool) {
        // Nobody is left to notify if the launcher cannot be reached.
        let _ = self
            .link
            .ask(|provider| provider.abort(code, reason, in_doubt));
    }

    /// Waits until everything sent has left this process and all processes of the job have come
    /// here (MPI 5.0, 11.2.2). `check` is called meanwhile, now and then: its error ends the wait.
    ///
    /// # Errors
    /// That of `check`, or when the launcher cannot be reached any more.
    pub fn leave_world(&self, mut check: impl FnMut() -> Result<(), Error>) -> Result<(), Error> {
        self.flush();
        if self.identity.size == 1 {
            return Ok(());
        }
        if mpi_components::is_logged(&self.registry) {
            self.engine.enter().finalizing();
            self.end_at_fault();
            self.link.ask(|provider| provider.publish(LAST, &[]))?;
        }
        let mut progress = self.progress_beside(|peer| self.is_own(peer));
        let mut checked = Instant::now();
        self.link.fence(|| {
            progress()?;
            if checked.elapsed() >= CHECK_PAUSE {
                check()?;
                checked = Instant::now();
            }
            Ok(())
        })
    }

    /// Ends this life: waits until everything sent has left this process, sends the peers a
    /// shutdown message, closes the transports and notifies the launcher. What is left is the place
    /// in the job. The second call does nothing, and has nothing left.
    ///
    /// # Errors
    /// When the launcher cannot be reached any more.
    pub fn leave(&self) -> Result<Option<Membership>, Error> {
        if self.left.swap(true, Ordering::SeqCst) {
            return Ok(None);
        }
        self.reports.explainer.report_alone(&self.identity);
        self.explain_carriage();
        let services = self.services.all();
        services.iter().for_each(|service| service.end(self));
        self.print_account();
        let bsend = self.lock(&self.bsend).take();
        if let Some(mut bsend) = bsend {
            self.empty_buffer(&mut bsend);
        }
        self.flush();
        self.wait_until(|core| core.depart().then_some(()));
        self.threads.end();
        self.engine.close();
        let Some(mut membership) = self.link.take() else {
            return Ok(None);
        };
        membership.pause()?;
        Ok(Some(membership))
    }

    /// Sends what waits: parked messages, and fragments of sends that no thread waits for.
    fn flush(&self) {
        let peers = self.lock(&self.peers.foreign).end();
        self.wait_until(|core| core.is_flushed(peers).then_some(()));
    }

    /// Whether the job goes on, and this process can, when another one fails (ULFM).
    pub fn survives(&self) -> bool {
        survives() && self.engine.enter().tolerates_faults() && !self.recovery.observed
    }

    /// A fence with progress: peers may still need what this process has to send.
    pub(crate) fn fence(&self) -> Result<(), Error> {
        self.link
            .fence(self.progress_beside(|peer| self.is_own(peer)))
    }

    /// Takes on a non-blocking collective.
    pub(crate) fn adopt(&self, planes: Planes, call: Call) -> Arc<Mutex<Call>> {
        self.calls.begin(&self.engine, planes, call)
    }
}

/// Bytes of a receive above which it is helped along: no transport announces shorter messages
/// by default.
const RECV_HELPED: usize = 4 << 10;

/// The pause between two checks of a process that waits for the others at its end.
const CHECK_PAUSE: Duration = Duration::from_millis(100);

/// Memory that beginning takes beside what transports check for themselves, generously: an
/// allocator that gets none ends the process, where an error is due.
const START_BYTES: usize = 4 << 20;

fn has_room() -> Result<(), Error> {
    let room = memory::headroom::check(START_BYTES);
    room.map_err(|error| Error::new(Class::NoMem, format!("to begin: {error}")))
}

/// State of a life before it is tied to its place in the job.
struct Unjoined {
    identity: Identity,
    prefix: PathBuf,
    registry: Registry,
    engine: Engine,
    collectives: CollectiveSettings,
    explainer: Explainer,
    inquiry: Inquiry,
}

impl Unjoined {
    fn new(options: Options, identity: &Identity, life: u64) -> Result<Unjoined, Error> {
        let registry = params::load(&options.prefix, &options.settings, identity)?;
        let (engine, chosen, devices) = open_engine(identity, &registry, life, options.gate)?;
        if options.threads {
            engine.share();
        }
        Ok(Unjoined {
            identity: identity.clone(),
            prefix: options.prefix,
            inquiry: options.inquiry,
            collectives: CollectiveSettings {
                rules: Arc::new(params::rules(&registry)?),
                by_nodes: goes_by_nodes(&registry)?,
                vectors: datatype::Vectors::named(registry.choice("op_avx_support")),
                shared: params::shared_collectives(&registry)?,
            },
            explainer: Explainer::new(&registry, chosen, devices),
            registry,
            engine,
        })
    }

    fn with(self, membership: Membership) -> Arc<Process> {
        let size = self.identity.size as usize;
        let link = Link::new(membership);
        let descriptor = link.descriptor();
        self.engine.watch(descriptor);
        if survives() {
            self.engine.keep_sleeps_short();
        }
        let observed = self.engine.enter().is_observed();
        let nodes = Some(&self.identity.nodes[..]).filter(|_| self.collectives.by_nodes);
        let agreed = Agreed::of(&self.registry, &self.collectives.rules, nodes);
        let locality = Locality {
            machine: shm::machine(),
            node: self.identity.node(),
            collectives: self.collectives.shared.digest(),
            cores: std::thread::available_parallelism().map_or(1, usize::from) as u32,
        };
        // One that was spawned learns its launcher's first processes from those that spawned it.
        let launcher = match self.identity.parent {
            Some(Parent::Number(_)) => 0,
            _ => self.identity.job,
        };
        let number = self.identity.number;
        let started = LauncherNumber { launcher, number };
        Arc::new(Process {
            calls: Calls::new(mpi_components::is_logged(&self.registry)),
            recovery: Recovery {
                faults: Mutex::default(),
                deaths: Deaths::new(descriptor.is_some()),
                announced: Arc::default(),
                observed,
            },
            identity: self.identity,
            prefix: self.prefix,
            engine: self.engine,
            collectives: self.collectives,
            stated: OwnStatements { agreed, locality },
            registry: self.registry,
            reports: Reports {
                explainer: self.explainer,
                accounts: Accounts::new(self.inquiry),
            },
            link,
            peers: Peers::new(size, started),
            services: Services::default(),
            bsend: Mutex::default(),
            threads: Threads::default(),
            left: AtomicBool::new(false),
        })
    }
}

impl Host for Process {
    fn engine(&self) -> &Engine {
        &self.engine
    }

    fn advance_calls(&self) -> bool {
        self.calls.advance_for_others(&self.engine)
    }

    fn has_calls(&self) -> bool {
        self.calls.has_messages()
    }
}
