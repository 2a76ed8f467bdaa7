//! The recorder of a trace: writes a record of each call into memory that the launcher holds.
//!
//! The memory ([`trace::layout`]) has tables and a ring. A call becomes a record when it returns;
//! the one under way is in the header, so that a process that dies in it leaves it behind. A
//! receive that was posted becomes a second record when its request ends, since only then its
//! sender is known. Tables count on when the ring has overflowed.
//!
//! What a record needs from the tables of handles is looked up before the recorder's own gate is
//! entered: the engine may call [`Watcher::ended`] with those tables entered.

mod blocks;
mod comms;
mod memory;
mod names;
mod site;
mod ticks;

use std::sync::atomic::{AtomicU64, Ordering};

use bootstrap::native;
use mca::Framework;
use mpi::Process;
use shm::Segment;
use sync::Gate;
use trace::layout::{self, header, peer, site as place, Keep, Kind, Layout, Record};

use crate::addresses::Map;
use abi_state::args::{Comm, Request};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::{
    MPI_IN_PLACE, MPI_SUCCESS, MPI_THREAD_MULTIPLE, MPI_THREAD_SERIALIZED,
};
use abi_state::hooks::{self, Call, Note, Role, Side, Slot, Token, Watcher};
use abi_state::runtime;
use comms::{Comms, Involved};
use memory::Memory;
use names::Names;
use site::Sites;

/// The recorder of this process.
pub struct Tracer {
    memory: Memory,
    state: Gate<State>,
    /// The thread that enters the gate for little, see [`Tracer::within`].
    owner: usize,
}

struct State {
    keep: Keep,
    made: u64,
    kept: usize,
    /// In mode [`Keep::Newest`], where the next record goes.
    next: usize,
    /// In mode [`Keep::Slowest`], the shortest time that is still kept.
    shortest: u64,
    sites: Sites,
    names: Names,
    comms: Comms,
    /// Receives that were posted, and persistent requests, by handle.
    open: Map<usize, Open>,
    /// The communicator of the matched message that the call under way receives.
    matched: Option<Comm>,
    /// The message that the call under way has received.
    received: Option<pml::Status>,
    /// How many calls are under way: more than one with several threads, or below a callback.
    depth: u32,
    threads: Map<usize, u8>,
}

/// An operation whose end makes a record.
#[derive(Clone, Copy)]
struct Open {
    posted: u64,
    site: u16,
    involved: Involved,
    /// Whether it is a send, of which only the persistent ones are kept.
    sends: bool,
    persistent: bool,
}

/// A call that has begun, as its record will have it.
#[derive(Clone, Copy)]
struct Begun {
    begin: u64,
    site: u16,
    /// Its peer and message, as far as they are known.
    involved: Involved,
}

impl Begun {
    /// The token of the call, whose message has no length yet.
    #[inline]
    fn token(&self) -> Token {
        let Involved {
            peer, tag, comm, ..
        } = self.involved;
        [
            self.begin,
            u64::from(peer as u32) | u64::from(tag as u32) << 32,
            u64::from(self.site) | u64::from(comm) << 16,
        ]
    }

    /// The reverse of [`Begun::token`].
    #[inline]
    fn of(&[begin, who, what]: &Token) -> Begun {
        Begun {
            begin,
            site: what as u16,
            involved: Involved {
                peer: who as u32 as i32,
                tag: (who >> 32) as i32,
                bytes: 0,
                comm: (what >> 16) as u16,
            },
        }
    }
}

/// Opens the recorder of this process where its launcher wants a trace.
pub fn open(process: &Process) {
    if hooks::is_watched(Slot::Tracer) {
        return;
    }
    let Some(variable) = environment::var(native::TRACE_VARIABLE) else {
        return;
    };
    let identity = &process.identity;
    match Tracer::open(&variable, identity.number) {
        Ok(tracer) => {
            hooks::watch(Slot::Tracer, || Box::new(tracer));
        }
        Err(why) => Framework::Mpi.warn(format_args!("no trace of this process: {why}")),
    }
}

/// Returns the time in ticks, for [`Watcher::has_started`].
pub fn now() -> u64 {
    ticks::read()
}

impl Tracer {
    fn open(variable: &str, number: u32) -> Result<Tracer, String> {
        let malformed = || format!("{}={variable} is malformed", native::TRACE_VARIABLE);
        let (descriptor, bytes) = variable.split_once(':').ok_or_else(malformed)?;
        let descriptor = descriptor.parse().map_err(|_| malformed())?;
        let bytes: usize = bytes.parse().map_err(|_| malformed())?;
        let segment = Segment::attach(std::process::id(), descriptor, bytes);
        let segment = segment.map_err(|error| format!("the launcher's memory: {error}"))?;
        let word = |at: usize| segment.word::<AtomicU64>(at * 8).load(Ordering::Relaxed);
        if bytes < layout::HEADER_WORDS * 8 || word(header::MAGIC) != layout::MAGIC {
            return Err("the launcher's memory is for something else".into());
        }
        if word(header::RANK) != u64::from(number) {
            return Err("the launcher's memory is for another process".into());
        }
        let layout = Layout::new(
            word(header::CAPACITY) as usize,
            word(header::PEERS) as usize,
        );
        let layout = layout
            .filter(|layout| layout.bytes() <= bytes)
            .ok_or_else(malformed)?;
        let keep = Keep::of(word(header::KEEP));
        let memory = Memory::new(segment, layout);
        for at in header::MADE..layout::HEADER_WORDS {
            memory.header().set(at, 0);
        }
        let pid = u64::from(std::process::id());
        memory.header().set(header::PID, pid);
        let state = State {
            keep,
            made: 0,
            kept: 0,
            next: 0,
            shortest: 0,
            sites: Sites::default(),
            names: Names::new(&memory),
            comms: Comms::default(),
            open: Map::default(),
            matched: None,
            received: None,
            depth: 0,
            threads: Map::default(),
        };
        ticks::note(&memory);
        Ok(Tracer {
            memory,
            // SAFETY: until the gate is shared `within` lets its owner alone enter.
            state: unsafe { Gate::new(state) },
            owner: this_thread(),
        })
    }

    /// Does something with the state. For the thread that has opened the recorder this costs a few
    /// branches. Others come where the program may call from several threads, which take turns
    /// from then on, or with one of the few functions that any thread may call: they are admitted.
    #[inline]
    fn within<R>(&self, act: impl FnOnce(&Memory, &mut State) -> R) -> R {
        if this_thread() == self.owner || self.state.is_shared() {
            return act(&self.memory, &mut self.state.enter());
        }
        match runtime::get().level() >= MPI_THREAD_SERIALIZED {
            true => {
                self.state.share();
                act(&self.memory, &mut self.state.enter())
            }
            false => {
                let admission = self.state.admit();
                let mut state = admission.enter();
                act(&self.memory, &mut state)
            }
        }
    }

    /// Enters the communicator of a call that the recorder does not know yet.
    #[cold]
    #[inline(never)]
    fn learn(&self, begun: Begun, handle: usize, side: &Side) -> Begun {
        let found = comms::find(handle);
        self.within(|memory, state| {
            state.comms.learn(memory, &mut state.names, handle, found);
            Begun {
                involved: state.comms.involved(handle, side, 0),
                ..begun
            }
        })
    }

    /// Does what [`Tracer::finish`] does, for calls of which there are few.
    #[cold]
    #[inline(never)]
    fn finish_cold(
        &self,
        state: &mut State,
        times: (&Begun, u64),
        call: &Call,
        bytes: u64,
        code: i32,
    ) {
        self.finish(state, times, call, bytes, code);
    }

    /// Records a call that has returned. Made part of [`Watcher::end`]: a record that stays in
    /// registers costs half of one that is handed on.
    #[inline(always)]
    fn finish(
        &self,
        state: &mut State,
        (begun, end): (&Begun, u64),
        call: &Call,
        bytes: u64,
        code: i32,
    ) {
        let note = call.note;
        let (_, kind) = main_side(note);
        state.depth = state.depth.saturating_sub(1);
        if state.depth == 0 {
            self.memory.header().set(header::IN_CALL, 0);
        }
        let mut involved = Involved {
            bytes,
            ..begun.involved
        };
        let thread = state.thread();
        let kind = match code {
            MPI_SUCCESS => self.follow(state, (begun, end), note, kind, &mut involved),
            _ => Kind::Call,
        };
        let record = record(begun.site, (begun.begin, end), kind, &involved, thread);
        self.count(&record, note.role);
        self.put(state, &record);
        if state.made.is_multiple_of(NOTE_EVERY) {
            ticks::note(&self.memory);
        }
    }

    /// Does what the role of a call that has succeeded asks for. Returns what its record is about.
    #[inline(always)]
    fn follow(
        &self,
        state: &mut State,
        (begun, end): (&Begun, u64),
        note: &Note,
        kind: Kind,
        involved: &mut Involved,
    ) -> Kind {
        if let Some(matched) = state.matched.take() {
            involved.comm = state.comms.position(matched.0);
        }
        match note.role {
            Role::Other | Role::Matches => {}
            Role::Sends | Role::Puts | Role::Gets | Role::Swaps => {}
            Role::Receives => match state.received.take() {
                Some(status) => involved.arrived(&status, &state.comms),
                None => return Kind::Call,
            },
            Role::Exchanges => {
                if let Some(status) = state.received.take() {
                    let mut arrived = *involved;
                    arrived.arrived(&status, &state.comms);
                    let times = (begun.begin, end);
                    self.put_further(
                        state,
                        &record(begun.site, times, Kind::Receive, &arrived, 0),
                    );
                }
            }
            Role::Posts | Role::PreparesReceive | Role::PreparesSend => {
                let open = Open {
                    posted: begun.begin,
                    site: begun.site,
                    involved: *involved,
                    sends: note.role == Role::PreparesSend,
                    persistent: note.role != Role::Posts,
                };
                // SAFETY: the call has succeeded, and has stored its request there.
                for request in unsafe { note.requests.get() } {
                    state.open.insert(request.0, open);
                }
                // Nothing was moved yet.
                involved.bytes = 0;
            }
            Role::Starts => self.started(state, (begun, end), note),
        }
        match involved.peer < 0 && kind.sends() {
            true => Kind::Call,
            false => kind,
        }
    }

    /// Records what persistent requests send that were started.
    fn started(&self, state: &mut State, (begun, end): (&Begun, u64), note: &Note) {
        // SAFETY: the call has succeeded with these requests.
        for request in unsafe { note.requests.get() } {
            let Some(open) = state.open.get_mut(&request.0) else {
                continue;
            };
            open.posted = begun.begin;
            let open = *open;
            if open.sends && open.involved.peer >= 0 {
                let times = (begun.begin, end);
                let sent = record(open.site, times, Kind::Send, &open.involved, 0);
                self.count(&sent, Role::Sends);
                self.put_further(state, &sent);
            }
        }
    }

    /// Counts a record in the tables of sites and peers.
    #[inline]
    fn count(&self, record: &Record, role: Role) {
        let memory = &self.memory;
        if record.kind.is_call() {
            let site = memory.layout.site(record.site as usize);
            let site = memory.words::<{ layout::SITE_WORDS }>(site);
            site.add(place::CALLS, 1);
            site.add(place::TICKS, record.ticks);
            site.add(place::BYTES, record.bytes);
            if record.ticks > site.get(place::LONGEST) {
                site.set(place::LONGEST, record.ticks);
            }
        }
        if record.peer < 0 {
            return;
        }
        let first = memory.header().get(header::FIRST) as i64;
        let at = usize::try_from(i64::from(record.peer) - first);
        if let Some(at) = at.ok().filter(|at| *at < memory.layout.peers) {
            let entry = memory.words::<{ layout::PEER_WORDS }>(memory.layout.peer(at));
            if record.kind.sends() {
                entry.add(peer::MESSAGES, 1);
                entry.add(peer::BYTES, record.bytes);
            }
            if matches!(role, Role::Puts | Role::Swaps) {
                entry.add(peer::PUT, record.bytes);
            }
            if matches!(role, Role::Gets | Role::Swaps) {
                entry.add(peer::GOT, record.bytes);
            }
        }
    }

    /// Puts a further record into the ring.
    #[inline(never)]
    fn put_further(&self, state: &mut State, record: &Record) {
        self.put(state, record);
    }

    /// Puts a record into the ring.
    #[inline(always)]
    fn put(&self, state: &mut State, record: &Record) {
        let capacity = self.memory.layout.capacity;
        let at = match state.keep {
            Keep::Newest => {
                let at = state.next;
                // Not by the remainder: a division takes as long as all else here.
                state.next = match at + 1 == capacity {
                    true => 0,
                    false => at + 1,
                };
                at
            }
            Keep::Slowest => {
                if state.kept == capacity {
                    self.drop_shortest(state);
                }
                match record.ticks >= state.shortest {
                    true => state.kept,
                    false => capacity,
                }
            }
        };
        state.made += 1;
        if at < capacity {
            self.store(at, &record.words());
            state.kept = (state.kept + 1).min(capacity);
        }
        let header = self.memory.header();
        header.publish(header::MADE, state.made);
        header.publish(header::KEPT, state.kept as u64);
    }

    #[inline]
    fn store(&self, at: usize, words: &[u64; layout::RECORD_WORDS]) {
        self.memory.words(self.memory.layout.record(at)).fill(words);
    }

    fn load(&self, at: usize) -> [u64; layout::RECORD_WORDS] {
        self.memory.words(self.memory.layout.record(at)).all()
    }

    /// Drops the shorter half of the records, and from now on all that are as short.
    #[cold]
    fn drop_shortest(&self, state: &mut State) {
        let ticks = |words: [u64; layout::RECORD_WORDS]| layout::unpack(words[1] as u32);
        let mut all: Vec<u64> = (0..state.kept).map(|at| ticks(self.load(at))).collect();
        let middle = all.len() / 2;
        let (_, median, _) = all.select_nth_unstable(middle);
        // More than all that are equal to the median: at least one goes.
        state.shortest = (*median + 1).max(state.shortest);
        let mut kept = 0;
        for at in 0..state.kept {
            let words = self.load(at);
            if ticks(words) >= state.shortest {
                self.store(kept, &words);
                kept += 1;
            }
        }
        state.kept = kept;
    }
}

impl Watcher for Tracer {
    fn begin(&self, call: &Call, token: &mut Token) -> Result<(), Failure> {
        let begin = ticks::read();
        self.within(|memory, state| {
            let (side, _) = main_side(call.note);
            let begun = Begun {
                begin,
                site: state
                    .sites
                    .of_call(memory, &mut state.names, call.name, call.anchor),
                involved: state.comms.involved(handle_of(call.on), side, 0),
            };
            *token = begun.token();
            state.depth += 1;
            if state.depth == 1 {
                (state.received, state.matched) = (None, None);
                let times = (begin, begin);
                let record = record(begun.site, times, Kind::Call, &begun.involved, 0);
                let header = memory.header();
                for (at, word) in record.words().into_iter().enumerate() {
                    header.set(header::PENDING + at, word);
                }
                header.set(header::IN_CALL, 1);
            }
        });
        Ok(())
    }

    fn end(&self, call: &Call, token: &Token, code: i32) {
        let end = ticks::read();
        let mut begun = Begun::of(token);
        let note = call.note;
        let handle = handle_of(call.on);
        let (side, _) = main_side(note);
        let mut bytes = blocks::bytes_of(side);
        if code == MPI_SUCCESS && (note.sent.has_counts() || note.received.has_counts()) {
            bytes = blocks::bytes(note, handle);
        }
        let is_done = self.within(|_, state| {
            let knows = begun.involved.comm != Record::NO_COMM || state.comms.knows(handle);
            if knows {
                self.finish(state, (&begun, end), call, bytes, code);
            }
            knows
        });
        if !is_done {
            begun = self.learn(begun, handle, side);
            self.within(|_, state| self.finish_cold(state, (&begun, end), call, bytes, code));
        }
    }

    fn ended(&self, handle: Request, status: &pml::Status) {
        let now = ticks::read();
        self.within(|_, state| {
            let Some(open) = state.open.get(&handle.0).copied() else {
                return;
            };
            if !open.persistent {
                state.open.remove(&handle.0);
            }
            if !open.sends && !status.cancelled && status.source.is_some() {
                let mut involved = open.involved;
                involved.arrived(status, &state.comms);
                let times = (open.posted, now);
                let received = record(open.site, times, Kind::Receive, &involved, 0);
                self.put_further(state, &received);
            }
        });
    }

    fn received(&self, status: &pml::Status) {
        let status = Some(*status).filter(|status| status.source.is_some());
        self.within(|_, state| state.received = status);
    }

    fn takes_matched(&self, comm: Comm) {
        self.within(|_, state| state.matched = Some(comm));
    }

    fn fence_is_over(&self, last: bool) {
        let at = match last {
            false => header::FENCE_EARLY,
            true => header::FENCE_LATE,
        };
        self.memory.header().set(at, ticks::read());
        ticks::note(&self.memory);
    }

    fn has_started(&self, name: &'static &'static str, begin: u64) {
        self.within(|memory, state| {
            let site = state.sites.site(memory, &mut state.names, name, None);
            let times = (begin, ticks::read());
            let record = record(site, times, Kind::Call, &Involved::NOBODY, 0);
            self.count(&record, Role::Other);
            self.put_further(state, &record);
            ticks::note(memory);
        });
    }
}

/// How many records are made between two moments at which both clocks are read.
const NOTE_EVERY: u64 = 4096;

impl State {
    /// The number of the calling thread.
    #[inline(always)]
    fn thread(&mut self) -> u8 {
        match runtime::get().level() < MPI_THREAD_MULTIPLE {
            true => 0,
            false => self.thread_of_several(),
        }
    }

    #[inline(never)]
    fn thread_of_several(&mut self) -> u8 {
        let own = this_thread();
        let next = self.threads.len().min(255) as u8;
        *self.threads.entry(own).or_insert(next)
    }
}

/// Returns the calling thread.
fn this_thread() -> usize {
    // SAFETY: the function takes nothing and cannot fail.
    (unsafe { libc::pthread_self() }) as usize
}

/// The side of a call that its record is about, and the kind of the record.
fn main_side(note: &Note) -> (&Side, Kind) {
    match note.role {
        Role::Sends | Role::Exchanges => (&note.sent, Kind::CallThatSent),
        Role::Receives => (&note.received, Kind::CallThatReceived),
        Role::Posts | Role::PreparesReceive | Role::Gets | Role::Swaps | Role::Matches => {
            (&note.received, Kind::Call)
        }
        Role::Other if note.sent.count == 0 || note.sent.buffer == MPI_IN_PLACE => {
            (&note.received, Kind::Call)
        }
        _ => (&note.sent, Kind::Call),
    }
}

/// The handle of the communicator or window that a call is on; 0 for none.
fn handle_of(on: On) -> usize {
    match on {
        On::Comm(comm) => comm.0,
        On::Win(win) => win.0,
        _ => 0,
    }
}

/// Makes a record of what began and ended at these times.
fn record(
    site: u16,
    (begin, end): (u64, u64),
    kind: Kind,
    involved: &Involved,
    thread: u8,
) -> Record {
    Record {
        begin,
        ticks: end.saturating_sub(begin),
        bytes: involved.bytes,
        peer: involved.peer,
        tag: involved.tag,
        site,
        comm: involved.comm,
        kind,
        thread,
    }
}
