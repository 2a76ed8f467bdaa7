//! Comparison of collective calls: each rank announces what it calls, and all compare.
//!
//! A rank announces a call once its arguments are found valid, and goes on at once. What the others
//! announce comes while it waits for something else ([`mpi::Listener`]); nobody waits for it, but
//! for a moment where a call fails or the program ends. So a rank that announces nothing, as one
//! whose call has failed, keeps nobody waiting.

use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Duration;

use abi_state::args::{Comm, Datatype, Op};
use abi_state::generated::constants::*;
use abi_state::hooks::{Note, Side};
use abi_state::runtime;
use check::between;
use check::buffers::Hash;
use check::collective::{self, Elements, Function, Record};
use check::mark::Mark;

use super::announced::Outcome;
use super::reports::{Origin, Reports};
use super::shared::{thread, Checker};

/// How long a call that fails waits for what the others have announced: the error may be the effect
/// of a difference, and may end the job.
const FAILURE_WAITS: Duration = Duration::from_secs(1);

/// How long it waits once more where there is a difference, for the rank that reports it.
const REPORT_WAITS: Duration = Duration::from_millis(200);

/// How long the end of the program waits for what was announced.
const END_WAITS: Duration = Duration::from_secs(1);

/// Announcements under way from which a call waits for some of them, and how long at most.
const UNDER_WAY_MAX: usize = 20_000;
const ROOM_WAITS: Duration = Duration::from_secs(10);

/// How long a communicator that is freed waits for what was announced on it, and keeps it.
const FREE_WAITS: Duration = Duration::from_millis(100);

impl Checker {
    /// Announces the call that is under way, whose arguments are valid.
    pub(super) fn announce(&self, handle: Comm) {
        let own = thread();
        let mut state = self.lock();
        let Some(call) = state.calls.iter_mut().rfind(|call| call.thread == own) else {
            return;
        };
        let origin = call.origin;
        let Some(draft) = call.draft.as_mut().filter(|draft| draft.outcome.is_none()) else {
            return;
        };
        let outcome = Arc::<Outcome>::default();
        draft.outcome = Some(outcome.clone());
        let (function, note) = (draft.function, draft.note);
        drop(state);
        self.check_collective(&note, function, handle, &origin);
        let is_wanted = self.settings.collectives && self.may_announce();
        let Some(comm) = comm_of(handle).filter(|_| is_wanted) else {
            outcome.is_known.store(true, Ordering::Relaxed);
            return;
        };
        let record = record(&note, function, &comm);
        let [sends, receives] = match function.announces_elements() {
            true => apart(&note, function, &comm),
            false => Default::default(),
        };
        comm.announce(
            &record.words(),
            Listener {
                call: self.about(origin, &comm),
                outcome,
                sends,
                receives,
            },
        );
    }

    /// Announces the end of the program.
    pub(super) fn announce_end(&self, comm: &Arc<mpi::Comm>) {
        let name = "MPI_Finalize";
        let Some(function) = Function::of(name).filter(|_| self.may_announce()) else {
            return;
        };
        let listener = Listener {
            call: self.about(Origin { name, site: None }, comm),
            outcome: Arc::default(),
            sends: Vec::new(),
            receives: Vec::new(),
        };
        comm.announce(&record(&Note::NONE, function, comm).words(), listener);
    }

    /// Waits a little for what others have announced, where the call under way fails.
    pub(super) fn await_failed_call(&self) {
        let own = thread();
        let state = self.lock();
        let call = state.calls.iter().rfind(|call| call.thread == own);
        let draft = call.and_then(|call| call.draft.as_ref());
        let outcome = draft.and_then(|draft| draft.outcome.clone());
        drop(state);
        let (Some(outcome), Ok(process)) = (outcome, runtime::get().process()) else {
            return;
        };
        let is_known = || outcome.is_known.load(Ordering::Relaxed);
        process.poll_within(FAILURE_WAITS, is_known);
        if outcome.differs.load(Ordering::Relaxed) {
            process.poll_within(REPORT_WAITS, || false);
        }
    }

    /// Whether a call may be announced. Waits a little where too many are under way, and if they
    /// stay, no more are announced.
    fn may_announce(&self) -> bool {
        let gives_up = &self.announces_no_more;
        let Ok(process) = runtime::get().process() else {
            return false;
        };
        let has_room = || process.announcements() < UNDER_WAY_MAX;
        if !has_room() && !gives_up.load(Ordering::Relaxed) {
            let found = process.poll_within(ROOM_WAITS, has_room);
            gives_up.store(!found, Ordering::Relaxed);
        }
        !gives_up.load(Ordering::Relaxed)
    }

    fn about(&self, origin: Origin, comm: &mpi::Comm) -> About {
        About {
            reports: self.reports.clone(),
            origin,
            comm: comm.to_string(),
            rank: comm.rank() as usize,
        }
    }
}

/// A call on a communicator, as a report needs it.
struct About {
    reports: Arc<Reports>,
    origin: Origin,
    /// The communicator's name.
    comm: String,
    /// This process's rank in it.
    rank: usize,
}

impl About {
    /// Reports what this rank does wrong.
    fn report(&self, text: &str) {
        let text = format!(" on {}: rank {} {text}", self.comm, self.rank);
        self.reports.add(&self.origin, &text);
    }
}

/// Takes what the ranks announce of a call.
struct Listener {
    call: About,
    outcome: Arc<Outcome>,
    /// The elements for each rank, and from each, where they are compared apart.
    sends: Vec<Option<Elements>>,
    receives: Vec<Option<Elements>>,
}

impl mpi::Listener for Listener {
    fn announced(&mut self, own: Vec<Vec<u64>>, remote: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        let records = |words: Vec<Vec<u64>>| {
            let records = words.iter().map(|words| Record::of(words));
            records.collect::<Option<Vec<Record>>>()
        };
        let (records, remote) = (records(own)?, records(remote)?);
        let go_together = collective::go_together(&records) && collective::go_together(&remote);
        let found = match (go_together, remote.is_empty()) {
            (false, _) => None,
            (true, true) => collective::difference(&records, &op_name),
            (true, false) => between::difference(&records, &remote, &op_name),
        };
        if let Some(found) = &found {
            self.outcome.differs.store(true, Ordering::Relaxed);
            if found.rank == self.call.rank {
                self.call.report(&found.text);
            }
        }
        let function = records[0].function;
        let is_same = |record: &Record| record.function == function;
        if go_together
            && function.announces_elements()
            && records.iter().chain(&remote).all(is_same)
        {
            let announce = |receives: &Option<Elements>| Elements::announce(*receives).to_vec();
            return Some(self.receives.iter().map(announce).collect());
        }
        self.outcome.is_known.store(true, Ordering::Relaxed);
        None
    }

    fn received(&mut self, words: Vec<Vec<u64>>) {
        for (rank, (sends, words)) in self.sends.iter().zip(&words).enumerate() {
            let (Some(sends), Some(receives)) = (sends, Elements::announced(words)) else {
                continue;
            };
            if let Some(text) = collective::difference_apart(sends, &receives, rank) {
                self.outcome.differs.store(true, Ordering::Relaxed);
                self.call.report(&text);
            }
        }
        self.outcome.is_known.store(true, Ordering::Relaxed);
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Also where the announcement fails.
        self.outcome.is_known.store(true, Ordering::Relaxed);
    }
}

/// Waits a little for all that others have announced.
pub(super) fn await_announcements(process: &mpi::Process) {
    process.poll_within(END_WAITS, || process.announcements() == 0);
}

/// Waits a little for what others have announced on a communicator that is about to go.
pub(super) fn await_announcements_on(handle: Comm) {
    if let Some(comm) = comm_of(handle) {
        comm.await_announcements(FREE_WAITS);
    }
}

/// Returns the communicator of a handle, if calls on it are compared.
pub(super) fn comm_of(handle: Comm) -> Option<Arc<mpi::Comm>> {
    let tables = runtime::get().tables.enter();
    let comm = tables.comm(handle).ok()?.clone();
    drop(tables);
    let has_others = comm.is_inter() || comm.size() > 1;
    (has_others && comm.is_of_one_world()).then_some(comm)
}

/// Returns the record of a call.
fn record(note: &Note, function: Function, comm: &mpi::Comm) -> Record {
    let root = match note.sent.peer {
        _ if !function.is_rooted() => Record::NONE,
        MPI_ROOT => Record::HERE,
        MPI_PROC_NULL => Record::ELSEWHERE,
        rank => rank,
    };
    let at_root = is_root(note, comm);
    let side = |side: &Side, sent| match function.compares_elements() {
        true if function.is_significant(sent, at_root) => elements(side),
        _ => Elements::default(),
    };
    Record {
        function,
        root,
        op: op_word(note.op),
        begun: comm.begun_calls(),
        counts: match function.has_equal_counts() {
            true => hash_of(&blocks(&note.received, comm.size())),
            false => 0,
        },
        sent: side(&note.sent, true),
        received: side(&note.received, false),
    }
}

/// Whether this process is the root of a call that has one.
fn is_root(note: &Note, comm: &mpi::Comm) -> bool {
    match comm.is_inter() {
        true => note.sent.peer == MPI_ROOT,
        false => note.sent.peer == comm.rank() as i32,
    }
}

/// Returns the elements for each rank and from each of a call that lists them for one side.
fn apart(note: &Note, function: Function, comm: &mpi::Comm) -> [Vec<Option<Elements>>; 2] {
    let ranks = comm.blocks();
    let (rank, root) = (comm.rank() as usize, note.sent.peer);
    let at_root = is_root(note, comm);
    let side = |side: &Side, sent: bool| -> Vec<Option<Elements>> {
        let nothing = vec![None; ranks as usize];
        if side.buffer == MPI_IN_PLACE {
            return nothing;
        }
        if function.has_one_block(sent) {
            let block = Some(elements(side));
            let is_other = |at: usize| !function.is_rooted() || at as i32 == root;
            let block = |at: usize| block.filter(|_| is_other(at));
            return (0..ranks as usize).map(block).collect();
        }
        if function.is_rooted() && !at_root {
            return nothing;
        }
        let blocks = blocks(side, ranks);
        blocks.iter().map(|block| Some(*block)).collect()
    };
    let receives = side(&note.received, false);
    let mut sends = side(&note.sent, true);
    if note.sent.buffer == MPI_IN_PLACE && !function.is_rooted() {
        sends = match function.has_one_block(true) {
            // What the others are to receive from this rank is its own block.
            true => vec![receives[rank]; ranks as usize],
            false => receives.clone(),
        };
    }
    [sends, receives]
}

/// Returns the elements of the blocks of a side.
fn blocks(side: &Side, ranks: u32) -> Vec<Elements> {
    // SAFETY: the call has read as many counts, and datatypes where each block has its own, and
    // has found them valid: that is when it is announced.
    let blocks = unsafe { side.blocks(ranks as usize) };
    let mut known: Option<((i64, Datatype), Elements)> = None;
    let of = |block: (i64, Datatype)| match known {
        Some((last, elements)) if last == block => elements,
        _ => {
            let elements = elements_of(block.0, block.1);
            known = Some((block, elements));
            elements
        }
    };
    blocks.into_iter().map(of).collect()
}

/// Returns a hash of the elements of blocks, which is not 0.
fn hash_of(blocks: &[Elements]) -> u64 {
    let mut hash = Hash::default();
    for block in blocks {
        hash.add(&block.bytes.to_le_bytes());
    }
    hash.value() | 1
}

/// Returns the elements of a side of a call.
fn elements(side: &Side) -> Elements {
    match side.buffer {
        MPI_IN_PLACE => Elements {
            in_place: true,
            ..Elements::default()
        },
        _ => elements_of(side.count, side.datatype),
    }
}

fn elements_of(count: i64, datatype: Datatype) -> Elements {
    let known = runtime::get().committed(datatype).ok();
    let bytes = |datatype: &datatype::Datatype| {
        let count = u64::try_from(count).ok()?;
        count.checked_mul(datatype.size() as u64)
    };
    let known = known.and_then(|datatype| Some((bytes(&datatype)?, datatype)));
    known.map_or_else(Elements::default, |(bytes, datatype)| Elements {
        mark: Mark::of(&datatype, bytes).0,
        in_place: false,
        bytes,
    })
}

fn op_word(op: Op) -> u32 {
    match op.0 {
        0 => 0,
        _ if runtime::predefined_op(op).is_some() => op.0 as u32,
        _ => Record::OWN_OP,
    }
}

/// Names an operation of a record.
fn op_name(word: u32) -> String {
    const NAMES: &[(Op, &str)] = &[
        (MPI_SUM, "MPI_SUM"),
        (MPI_MIN, "MPI_MIN"),
        (MPI_MAX, "MPI_MAX"),
        (MPI_PROD, "MPI_PROD"),
        (MPI_BAND, "MPI_BAND"),
        (MPI_BOR, "MPI_BOR"),
        (MPI_BXOR, "MPI_BXOR"),
        (MPI_LAND, "MPI_LAND"),
        (MPI_LOR, "MPI_LOR"),
        (MPI_LXOR, "MPI_LXOR"),
        (MPI_MINLOC, "MPI_MINLOC"),
        (MPI_MAXLOC, "MPI_MAXLOC"),
        (MPI_REPLACE, "MPI_REPLACE"),
        (MPI_NO_OP, "MPI_NO_OP"),
    ];
    let known = NAMES.iter().find(|(op, _)| op.0 as u32 == word);
    known
        .map_or("an operation of the program", |(_, name)| name)
        .to_string()
}
