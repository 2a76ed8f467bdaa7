//! Communicators: their members, and the contexts that keep their messages apart.
//!
//! A communicator has a context that no other one in the job has. The process that is first in its
//! group draws it from its own numbers, so that no agreement is needed and two threads may make
//! communicators at the same time; the others receive it (MPI 5.0, 7.4).

mod past;

use base::Mutex;
use std::sync::atomic::{
    AtomicBool, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed,
};
use std::sync::Arc;

use base::{Key, PeerId, Rank};
use coll::{Inter, Port, Routes, Rules, Running, Signature, Team};
use coll_sm::NodeCall;
use pml::{CommId, Context, Pml};

use crate::announcements::Announcements;
use crate::begin::Begin;
use crate::call::{first_lost, Call, CallStorage, Keeper, Label, Planes};
use crate::foreign::ForeignUse;
use crate::node_memory::NodeMemory;
use crate::partitioned::labels::{Labels, Pairing, Side};
use crate::process::Process;
use crate::shared_memory::{Carrier, Shared, SharedSequence};
use crate::tags::ASIDE_TAGS;
use crate::Topology;
use coll_sm::sequence::Sequence;
use mpi_local::contexts;
use mpi_local::hints;

use crate::{Attributes, BsendBuffer, Class, Errhandler, Error, Group, Info};

/// Purposes of a communicator's contexts. Each is a number added to its first context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plane {
    /// Messages of the application.
    Messages = 0,
    /// Messages of collectives; in an inter-communicator those between the groups.
    Collectives = 1,
    /// Messages of collectives inside the own group of an inter-communicator.
    Within = 2,
    /// One-sided calls of all windows; of the world alone, and only over a network that matches.
    Accesses = 3,
}

/// The context of one-sided calls.
const ACCESSES: Context = Context(Plane::Accesses as u64);

/// Returns the number of the communicator of a context, and whether the context is for collectives.
pub(crate) fn collective_plane(context: Context) -> (u64, bool) {
    let number = context.0 - context.0 % Context::PLANES;
    (number, !context.is_of_program())
}

/// Kinds of collective calls. Each kind has numbers of its own, as in other MPI libraries: programs
/// rely on a started call not to block a blocking one, though MPI wants one order of both (MPI 5.0,
/// 6.14).
#[derive(Clone, Copy)]
enum CallKind {
    Blocking,
    Started,
}

impl CallKind {
    const COUNT: u64 = 2;

    /// Returns the number of the call of a count.
    fn number(self, count: u64) -> u64 {
        count
            .wrapping_mul(CallKind::COUNT)
            .wrapping_add(self as u64)
    }
}

/// The number in the signature of a call through shared memory where those by messages have the
/// algorithm's: no algorithm has it.
const IN_MEMORY: u8 = 7;

/// Number of past blocking calls whose codes are kept.
const KNOWN_CALLS: u64 = 64;

/// A communicator.
pub struct Comm {
    process: Arc<Process>,
    ids: ContextIds,
    rank: Rank,
    group: Group,
    /// The other group of an inter-communicator.
    remote: Option<Group>,
    /// Keeps the foreign members known.
    foreign: Option<ForeignUse>,
    /// Labels that distinguish the messages of partitioned requests.
    partitioned: Mutex<Labels>,
    /// Number of collective calls begun, by [`CallKind`].
    calls: [AtomicU64; CallKind::COUNT as usize],
    /// Announcements of calls, where programs are checked.
    pub(crate) announcements: Announcements,
    /// Codes of the last blocking calls, by their counts.
    called: [AtomicU16; KNOWN_CALLS as usize],
    /// Number of duplicates that share this communicator's name.
    pub(crate) twins: AtomicU32,
    /// Storage that the next blocking collective may use.
    storage: Mutex<Option<CallStorage>>,
    /// The rules that choose the algorithms of collectives by messages.
    rules: Arc<Rules>,
    /// The shared memory of collectives, where all processes are on one node.
    shared: Shared,
    /// The shared memory of steps of collectives inside this node, where there are several nodes.
    node: Option<Box<NodeMemory>>,
    /// The non-blocking calls that go through shared memory.
    sequence: Arc<SharedSequence<Comm>>,
    /// Bytes of shared memory of its persistent requests.
    pub(crate) room_taken: Arc<AtomicUsize>,
    /// How many persistent requests of collectives there are: their calls may still come after the
    /// handle is freed.
    pub(crate) persistent: AtomicU32,
    topology: Option<Topology>,
    /// The routes of the topology to other nodes.
    pub(crate) routes: Option<Arc<Routes>>,
    name: Mutex<String>,
    /// Attributes; the caller runs their callbacks.
    pub attributes: Mutex<Attributes>,
    /// Handler of errors.
    pub errhandler: Mutex<Errhandler>,
    /// An error was raised here before.
    has_failed: AtomicBool,
    /// Collectives by messages fail once a member has failed, so that none waits for a member that
    /// has given up because of it.
    needs_all: AtomicBool,
    info: Mutex<Info>,
    /// The buffer of buffered sends, where one is attached to the communicator itself.
    pub bsend: BsendBuffer,
    revoked: Arc<AtomicBool>,
    /// Members whose failure the application has acknowledged.
    acked: Mutex<Vec<PeerId>>,
}

/// The contexts of a communicator's messages. A duplicate made without blocking exists before its
/// context is agreed on, and is not used until then; so the numbers are written once, and reading
/// them needs no lock.
struct ContextIds {
    context: AtomicU64,
    messages: AtomicU64,
    local: AtomicU64,
    remote: AtomicU64,
}

/// A number that no communicator of the point-to-point layer has.
const UNSET: u64 = u64::MAX;

impl ContextIds {
    fn unset() -> ContextIds {
        let number = || AtomicU64::new(UNSET);
        ContextIds {
            context: number(),
            messages: number(),
            local: number(),
            remote: number(),
        }
    }

    #[inline]
    fn comm(number: &AtomicU64) -> CommId {
        CommId::from_key(Key::from_bits(number.load(Relaxed)))
    }

    #[inline]
    fn planes(&self) -> Planes {
        Planes {
            local: ContextIds::comm(&self.local),
            remote: ContextIds::comm(&self.remote),
        }
    }
}

impl Comm {
    /// Words about a communicator in a checkpoint, the first of which is its context.
    pub(crate) const CHECKPOINT_WORDS: usize = 4;

    /// Returns what a next life of this process has to know of what all processes count alike.
    pub(crate) fn checkpoint_words(&self) -> [u64; Comm::CHECKPOINT_WORDS] {
        let [blocking, started] = [0, 1].map(|kind: usize| self.calls[kind].load(Relaxed));
        let twins = u64::from(self.twins.load(Relaxed));
        [self.context(), blocking, started, twins]
    }

    /// Counts on from what an earlier life of this process has counted.
    pub(crate) fn go_on_from(&self, words: &[u64; Comm::CHECKPOINT_WORDS]) {
        let [_, blocking, started, twins] = *words;
        self.calls[CallKind::Blocking as usize].store(blocking, Relaxed);
        self.calls[CallKind::Started as usize].store(started, Relaxed);
        self.twins.store(twins as u32, Relaxed);
    }

    /// Opens an intra-communicator of which this process is a member.
    pub fn open(
        process: &Arc<Process>,
        context: Context,
        group: Group,
        rank: Rank,
        name: &str,
    ) -> Comm {
        Comm::open_with(process, context, group, rank, None, None, name)
    }

    /// Opens a communicator of which this process is a member, with its other group and topology
    /// where it has these.
    pub fn open_with(
        process: &Arc<Process>,
        context: Context,
        group: Group,
        rank: Rank,
        remote: Option<Group>,
        topology: Option<Topology>,
        name: &str,
    ) -> Comm {
        let comm = Comm::unopened(process, group, rank, remote, topology, name);
        comm.settle(context);
        comm
    }

    /// Takes the rules of another communicator of the same group, which are equal, unless these
    /// take note of its choices.
    pub(crate) fn share_rules(&mut self, other: &Comm) {
        if other.rules.choices.is_some() {
            return;
        }
        self.rules = Arc::clone(&other.rules);
        self.node = NodeMemory::of(&self.process, &self.group, &self.rules);
    }

    /// A communicator whose context is not known yet; nothing but [`Comm::settle`] may be done with
    /// it.
    pub(crate) fn unopened(
        process: &Arc<Process>,
        group: Group,
        rank: Rank,
        remote: Option<Group>,
        topology: Option<Topology>,
        name: &str,
    ) -> Comm {
        let may_share = remote.is_none() && process.may_share_collectives(&group);
        let members = group
            .peers()
            .iter()
            .chain(remote.iter().flat_map(|group| group.peers()));
        let rules = match &remote {
            None => process.rules_for(&group, rank),
            Some(_) => Arc::clone(&process.collectives.rules),
        };
        let node = NodeMemory::of(process, &group, &rules);
        let foreign = ForeignUse::of(&process.peers.foreign, process.identity.size, members);
        Comm {
            process: process.clone(),
            ids: ContextIds::unset(),
            rank,
            group,
            remote,
            foreign,
            partitioned: Mutex::default(),
            calls: Default::default(),
            announcements: Announcements::new(&process.recovery.announced),
            called: [const { AtomicU16::new(0) }; KNOWN_CALLS as usize],
            twins: AtomicU32::new(0),
            storage: Mutex::default(),
            rules,
            shared: Shared::new(may_share),
            node,
            sequence: Arc::new(Sequence::new(may_share)),
            room_taken: Arc::default(),
            persistent: AtomicU32::new(0),
            topology,
            routes: None,
            name: Mutex::new(name.to_string()),
            attributes: Mutex::default(),
            errhandler: Mutex::new(Errhandler::Fatal),
            has_failed: AtomicBool::new(false),
            needs_all: AtomicBool::new(false),
            info: Mutex::default(),
            bsend: Mutex::default(),
            revoked: Arc::default(),
            acked: Mutex::default(),
        }
    }

    /// Gives a communicator that has none its context, so that messages find it.
    pub(crate) fn settle(&self, context: Context) {
        let mut core = self.process.engine.enter();
        let mut open = |plane: Plane, group: &Group| {
            let context = Context(context.0 + plane as u64);
            let peers = group.peers().to_vec();
            core.open_comm(context, self.rank, peers).key().bits()
        };
        let ids = &self.ids;
        ids.context.store(context.0, Relaxed);
        let messages = open(Plane::Messages, self.far_group());
        ids.messages.store(messages, Relaxed);
        let between = open(Plane::Collectives, self.far_group());
        ids.remote.store(between, Relaxed);
        let within = match self.remote {
            Some(_) => open(Plane::Within, &self.group),
            None => between,
        };
        ids.local.store(within, Relaxed);
        drop(core);
        let mut planes = vec![self.messages(), ContextIds::comm(&ids.remote)];
        if within != between {
            planes.push(ContextIds::comm(&ids.local));
        }
        self.register(planes);
    }

    pub(crate) fn revoked(&self) -> &Arc<AtomicBool> {
        &self.revoked
    }

    pub(crate) fn acked(&self) -> &Mutex<Vec<PeerId>> {
        &self.acked
    }

    /// Returns the rules that choose the algorithms of collectives by messages.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The process that the communicator belongs to.
    pub fn process(&self) -> &Arc<Process> {
        &self.process
    }

    /// Returns this process's rank in its own group.
    pub fn rank(&self) -> u32 {
        self.rank.0
    }

    /// How many processes the own group has.
    pub fn size(&self) -> u32 {
        self.group.size() as u32
    }

    /// How many processes messages can be sent to: of the remote group where there is one.
    #[inline]
    pub fn far_size(&self) -> u32 {
        self.far_group().size() as u32
    }

    /// The own group.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The remote group of an inter-communicator.
    pub fn remote_group(&self) -> Option<&Group> {
        self.remote.as_ref()
    }

    /// The group that ranks of messages count in.
    pub fn far_group(&self) -> &Group {
        self.remote.as_ref().unwrap_or(&self.group)
    }

    /// Whether a member was not started together with this process.
    pub fn has_foreign(&self) -> bool {
        self.foreign.is_some()
    }

    /// Returns a context that no other communicator of any member has or will have.
    pub(crate) fn new_context(&self) -> Context {
        match self.has_foreign() {
            true => contexts::foreign(),
            false => self.process.new_context(),
        }
    }

    /// Whether there are two groups.
    pub fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// Returns this communicator, which is not in use yet, with a topology.
    pub(crate) fn with_own_topology(mut self, topology: Topology) -> Comm {
        self.topology = Some(topology);
        self
    }

    /// The topology, if one was attached.
    pub fn topology(&self) -> Option<&Topology> {
        self.topology.as_ref()
    }

    /// The plane of the application's messages.
    #[inline]
    pub fn messages(&self) -> CommId {
        ContextIds::comm(&self.ids.messages)
    }

    /// Returns the number of the communicator, equal on all its processes.
    pub fn context(&self) -> u64 {
        self.ids.context.load(Relaxed)
    }

    /// The name, empty when it has none.
    pub fn name(&self) -> String {
        self.name.lock().clone()
    }

    /// Gives the communicator a name.
    pub fn set_name(&self, name: &str) {
        *self.name.lock() = name.to_string();
    }

    /// The hints in use (MPI 5.0, 7.4.4).
    ///
    /// # Errors
    /// Never: the keys and values are short.
    pub fn info(&self) -> Result<Info, Error> {
        let mut used = self.info.lock().clone();
        hints::take(&mut used, &Info::new(), hints::COMM)?;
        Ok(used)
    }

    /// Takes hints; those that are not understood are left, and so are those that are not named.
    ///
    /// # Errors
    /// Never for hints that an `Info` can hold.
    pub fn set_info(&self, given: &Info) -> Result<(), Error> {
        hints::take(&mut self.info.lock(), given, hints::COMM)
    }

    /// The group as a collective sees it.
    pub fn team(&self) -> Team {
        Team {
            rank: self.rank.0,
            size: self.size(),
        }
    }

    /// Both groups as a collective sees them.
    pub fn inter(&self) -> Option<Inter> {
        let remote = self.remote.as_ref()?;
        Some(Inter {
            rank: self.rank.0,
            local_size: self.size(),
            remote_size: remote.size() as u32,
        })
    }

    /// Runs a collective of the application to its end: through shared memory, or by messages.
    ///
    /// # Errors
    /// The error of the algorithm.
    #[inline(always)]
    pub fn call(&self, begin: impl Begin) -> Result<(), Error> {
        self.check_revoked()?;
        // Its arguments stay where they are: they are much to move from function to function.
        let shared = match begin.node_call() {
            Some(node_call) => self.shared.run(self, &node_call),
            None => Carrier::Messages,
        };
        match shared {
            Carrier::Memory(result) => result,
            Carrier::Messages => self.call_by_messages(begin),
            Carrier::InOrder(radix) => self.call_in_order(begin, radix),
        }
    }

    /// A reduction by messages where shared memory carries others of this communicator.
    #[inline(never)]
    fn call_in_order(&self, begin: impl Begin, radix: u32) -> Result<(), Error> {
        let label = self.next_label(CallKind::Blocking, Some(begin.signature(&self.rules)));
        self.run_labelled(label, |port| begin.begin_in_order(port, &self.rules, radix))
    }

    /// A call for which the communicator has no memory of all its ranks: by messages, with memory
    /// inside nodes where there is some.
    #[inline(never)]
    fn call_by_messages(&self, begin: impl Begin) -> Result<(), Error> {
        let carrier = match &self.node {
            Some(node) => node.run(self, &begin),
            None => Carrier::Messages,
        };
        match carrier {
            Carrier::Memory(result) => return result,
            Carrier::InOrder(radix) => return self.call_in_order(begin, radix),
            Carrier::Messages => {}
        }
        let label = self.next_label(CallKind::Blocking, Some(begin.signature(&self.rules)));
        self.run_labelled(label, |port| begin.begin(port, &self.rules))
    }

    /// The label of exchanges of some ranks before their part in the blocking call of a count.
    pub(crate) fn label_before(count: u64, signature: Signature) -> Label {
        Label::aside(ASIDE_TAGS, count).with_signature(signature)
    }

    /// Runs a collective to its end by messages.
    ///
    /// # Errors
    /// The error of the algorithm.
    pub fn run(&self, begin: impl FnOnce(&Port) -> Running) -> Result<(), Error> {
        self.run_labelled(self.next_label(CallKind::Blocking, None), begin)
    }

    pub(crate) fn run_labelled(
        &self,
        label: Label,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Result<(), Error> {
        // Held while the collective runs; a call that finds it held brings its own storage.
        let mut slot = self.storage.try_lock();
        let storage = slot.as_mut().and_then(|slot| slot.take());
        let storage = storage.unwrap_or_default();
        let running = begin(&storage.port);
        let call = Call::new(storage, running, self.planes(), label, self.team());
        let call = call.among(self.needed());
        let (result, storage) = call.run(&self.process);
        if let Some(slot) = &mut slot {
            **slot = storage;
        }
        result
    }

    /// Describes what was chosen for collectives by messages; `None` where nobody has asked, or
    /// there were none.
    fn account_of_messages(&self) -> Option<String> {
        let chosen = self.rules.choices.as_ref()?.account()?;
        let inside = match &self.node {
            Some(node) if node.has_memory() => "; in memory inside nodes, where by leaders",
            _ => "",
        };
        Some(format!("by messages: {chosen}{inside}"))
    }

    /// Makes collectives by messages, also those of its duplicates, fail once a member has failed.
    pub fn need_all(&self) {
        self.needs_all.store(true, Relaxed);
    }

    /// Whether a member has failed, where [`Comm::need_all`] was called.
    pub fn has_lost_needed(&self, core: &engine::Core) -> bool {
        let is_lost = |group: &Group| first_lost(core, group).is_some();
        self.needed().as_ref().is_some_and(is_lost)
    }

    /// The members whose failure ends a collective, where [`Comm::need_all`] was called.
    pub(crate) fn needed(&self) -> Option<Group> {
        self.needs_all.load(Relaxed).then(|| self.group.clone())
    }

    /// Starts a collective of the library's own, without a call signature. `user_code`: it runs
    /// code of the application.
    pub fn start_own(
        self: &Arc<Comm>,
        user_code: bool,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Arc<Mutex<Call>> {
        let label = self.next_label(CallKind::Started, None);
        self.start_call(label, user_code, begin)
    }

    /// Starts a collective that goes on while the application does something else. It owns the
    /// communicator, whose handle may be freed meanwhile (MPI 5.0, 7.4.3).
    pub(crate) fn start(
        self: &Arc<Comm>,
        label: Label,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Arc<Mutex<Call>> {
        self.start_call(label, false, begin)
    }

    fn start_call(
        self: &Arc<Comm>,
        label: Label,
        user_code: bool,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Arc<Mutex<Call>> {
        let storage = self.process.calls.storage();
        let running = begin(&storage.port);
        let planes = self.planes();
        let call = Call::new(storage, running, planes, label, self.team());
        let call = call.among(self.needed()).with_user_code(user_code);
        let call = self.process.adopt(planes, call.keeping(self.clone()));
        self.process.leave_pending();
        call
    }

    /// Returns the label of the next non-blocking collective call, which separates its messages
    /// from those of others. All processes make their calls in one order (MPI 5.0, 6.14), so the
    /// labels agree.
    pub fn label_call(&self, begin: &impl Begin) -> Label {
        self.next_label(CallKind::Started, Some(begin.signature(&self.rules)))
    }

    /// Takes note that an error is raised on this communicator.
    pub fn note_failure(&self) {
        self.has_failed.store(true, Relaxed);
    }

    /// Counts a blocking call through shared memory. All blocking calls have numbers in turn, so a
    /// rank whose call differs is found out.
    #[inline]
    pub(crate) fn count_shared_call(&self, signature: Signature) -> u64 {
        let calls = &self.calls[CallKind::Blocking as usize];
        let count = calls.load(Relaxed);
        calls.store(count + 1, Relaxed);
        self.note_call(count, signature.code());
        count
    }

    /// Takes note of what a blocking call is.
    #[inline]
    fn note_call(&self, count: u64, code: u16) {
        self.called[(count % KNOWN_CALLS) as usize].store(code, Relaxed);
    }

    /// The label of the blocking call of a count.
    pub(crate) fn blocking_label(count: u64, signature: Signature) -> Label {
        Label::new(CallKind::Blocking.number(count), Some(signature))
    }

    fn next_label(&self, kind: CallKind, signature: Option<Signature>) -> Label {
        let count = self.calls[kind as usize].fetch_add(1, Relaxed);
        let label = Label::new(kind.number(count), signature);
        if let CallKind::Blocking = kind {
            self.note_call(count, label.code());
        }
        label
    }

    /// How many collective calls have begun here: those that block, and the others.
    pub fn begun_calls(&self) -> [u64; 2] {
        [&self.calls[0], &self.calls[1]].map(|count| count.load(Relaxed))
    }

    /// Counts a non-blocking call that needs no label.
    #[inline]
    pub(crate) fn skip_label(&self) {
        self.calls[CallKind::Started as usize].fetch_add(1, Relaxed);
    }

    /// Returns the label of the next non-blocking call, which is to go through shared memory: that
    /// of a rank for which it is to go by messages, since it has another length, differs.
    pub(crate) fn label_shared(&self, node_call: Option<NodeCall>) -> Label {
        let signature = node_call.map(|node_call| node_call.signature().with_shape(IN_MEMORY));
        self.next_label(CallKind::Started, signature)
    }

    /// The non-blocking calls that go through shared memory.
    #[inline]
    pub(crate) fn sequence(&self) -> &Arc<SharedSequence<Comm>> {
        &self.sequence
    }

    #[inline]
    pub(crate) fn planes(&self) -> Planes {
        self.ids.planes()
    }

    /// The label of a call of the library that goes on while the application does something else.
    pub(crate) fn own_label(&self) -> Label {
        self.next_label(CallKind::Started, None)
    }

    /// Returns the next partitioned request for a peer and tag (MPI 5.0, 4.2.1: requests belong
    /// together in the order in which both sides make them).
    pub fn pair(&self, side: Side, partner: Rank, tag: i32) -> Arc<Pairing> {
        Arc::new(self.partitioned.lock().next(side, partner, tag))
    }

    pub(crate) fn labels(&self) -> &Mutex<Labels> {
        &self.partitioned
    }

    /// The rank, in the group that messages go to, that an argument names.
    ///
    /// # Errors
    /// When there is no such rank.
    #[inline]
    pub fn far_rank(&self, rank: i32) -> Result<Rank, Error> {
        if rank >= 0 && (rank as u32) < self.far_size() {
            return Ok(Rank(rank as u32));
        }
        Err(self.no_such_rank(rank, self.far_size()))
    }

    /// The rank of the own group that an argument names.
    ///
    /// # Errors
    /// When there is no such rank.
    pub fn near_rank(&self, rank: i32) -> Result<u32, Error> {
        if rank >= 0 && (rank as u32) < self.size() {
            return Ok(rank as u32);
        }
        Err(self.no_such_rank(rank, self.size()))
    }

    #[cold]
    fn no_such_rank(&self, rank: i32, size: u32) -> Error {
        Error::new(
            Class::Rank,
            format!("rank {rank} in {self}, which has {size} ranks"),
        )
    }
}

impl Process {
    /// Lets one-sided calls go by the messages of a network that matches, where that is used.
    ///
    /// # Errors
    /// When the network has no room for them.
    pub fn open_accesses(&self) -> Result<(), Error> {
        let opened = self.engine.enter().open_accesses(ACCESSES);
        opened.map_err(|why| Error::new(Class::Other, why))
    }
}

impl std::fmt::Display for Comm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.name.lock();
        match name.as_str() {
            "" => write!(f, "communicator {:#x}", self.context()),
            name => write!(f, "communicator {name}"),
        }
    }
}

impl Keeper for Comm {
    fn note_failure(&self) {
        Comm::note_failure(self);
    }
}

impl Drop for Comm {
    fn drop(&mut self) {
        if self.context() == UNSET {
            return;
        }
        if self.rank.0 == 0 {
            // All ranks choose alike.
            let in_memory = (self.process.explains().then(|| self.shared.account())).flatten();
            for account in in_memory.into_iter().chain(self.account_of_messages()) {
                self.process.explain_collectives(self, &account);
            }
        }
        self.unregister();
        let planes = self.planes();
        let mut core = self.process.engine.enter();
        core.close_comm(self.messages());
        core.close_comm(planes.remote);
        if planes.local != planes.remote {
            core.close_comm(planes.local);
        }
    }
}
