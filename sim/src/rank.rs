//! One rank: its actions in a turn, and the checks of their results.

use base::{PeerId, Random, Rank as CommRank};
use bml::Bml;
use btl::Transport;
use engine::{Core, Engine, Settings};
use pml::{
    CommId, Context, Failure, MessageId, Mode, Outcome, Pattern, Pml, RequestId, Started, Tag,
};
use sync::{Gate, Patience};

use crate::content::{Area, Pool, LEN_MAX};
use crate::oracle::{Message, RecvId};
use crate::scenario::{Planned, COMMS, RANKS, TAGS};
use crate::tap::{Notes, ObservedMessage, Tap};
use crate::world::{Record, World};

/// Sends that a rank lets wait at once.
const SENDS_MAX: usize = 6;

/// Bytes that an eager message counts beside its own, against the limit of unmatched bytes.
const MESSAGE_COST: u64 = 64;

struct Send {
    request: RequestId,
    area: Area,
    to: usize,
    plan: Planned,
    sequence: u64,
}

struct Recv {
    request: RequestId,
    id: RecvId,
    comm: usize,
    area: Area,
}

struct ProbedReceive {
    handle: MessageId,
    id: RecvId,
    comm: usize,
}

/// The state of one rank.
pub(crate) struct Rank {
    pub(crate) process: usize,
    engine: Engine,
    notes: Notes,
    comms: [Option<CommId>; COMMS],
    planned: std::vec::IntoIter<Planned>,
    next_send: Option<Planned>,
    sends: Vec<Send>,
    recvs: Vec<Recv>,
    /// Messages that a matched probe took and nobody has received yet.
    taken: Vec<ProbedReceive>,
    recvs_made: RecvId,
    arrivals: Vec<ObservedMessage>,
    pub(crate) lost: [bool; RANKS],
}

impl Rank {
    pub(crate) fn new(process: usize, transport: Box<dyn Transport>, world: &World) -> Rank {
        let (tap, notes) = Tap::new(transport);
        let settings = Settings {
            peers: RANKS,
            own: None,
            unexpected_limit: world.scenario.unexpected_limit,
            patience: Patience::measure(1, 1),
        };
        let mut planned = world.scenario.sends[process].clone().into_iter();
        Rank {
            process,
            engine: Engine::new(Bml::new(vec![Box::new(tap)]), settings, Gate::shared),
            notes,
            comms: [None; COMMS],
            next_send: planned.next(),
            planned,
            sends: Vec::new(),
            recvs: Vec::new(),
            taken: Vec::new(),
            recvs_made: 0,
            arrivals: Vec::new(),
            lost: [false; RANKS],
        }
    }

    pub(crate) fn address(&self) -> Vec<u8> {
        self.engine.address()
    }

    pub(crate) fn add_peer(&self, peer: usize, address: &[u8]) -> Result<(), String> {
        let added = self.engine.add_peer(PeerId(peer as u32), address);
        added
            .map(|_| ())
            .map_err(|error| format!("peer {peer}: {error}"))
    }

    /// Plays one turn: some calls as an application makes them, progress, and a check of the
    /// results.
    pub(crate) fn turn(
        &mut self,
        world: &mut World,
        pool: &mut Pool,
        random: &mut Random,
    ) -> Result<(), String> {
        self.open_comms(world);
        if random.chance(60) {
            self.send_next(world, pool)?;
        }
        for comm in 0..COMMS {
            self.receive_something(comm, world, pool, random)?;
        }
        if random.chance(30) {
            self.receive_taken(world, pool, random)?;
        }
        if random.chance(90) {
            self.engine.enter().progress();
            self.report_arrivals(world)?;
        }
        self.finish_sends(world, pool)?;
        self.finish_recvs(world, pool)
    }

    /// Whether everything that this rank was to do is done.
    pub(crate) fn is_done(&self, world: &World) -> bool {
        let idle = self.sends.is_empty() && self.recvs.is_empty() && self.taken.is_empty();
        let noticed = (0..RANKS).all(|peer| self.lost[peer] || !world.is_lost(self.process, peer));
        let comms = (0..COMMS).all(|comm| self.missing(comm, world) == 0);
        idle && self.next_send.is_none() && noticed && comms
    }

    /// Checks that nothing is left over in the end.
    pub(crate) fn check_empty(&self, world: &World) -> Result<(), String> {
        let core = self.engine.enter();
        let open = core.open_requests();
        if open != 0 {
            return Err(format!(
                "rank {} has {open} requests left over",
                self.process
            ));
        }
        for (comm, id) in self.comms.iter().enumerate() {
            let Some(id) = id else { continue };
            let (held, wanted) = (
                core.unexpected_len(*id),
                world.boards[self.process][comm].unexpected_len(),
            );
            if held != wanted {
                return Err(format!(
                    "rank {} holds {held} messages, not {wanted}",
                    self.process
                ));
            }
        }
        Ok(())
    }

    /// Describes what a rank that is stuck waits for.
    pub(crate) fn describe(&self, world: &World) -> String {
        let board = |comm: usize| &world.boards[self.process][comm];
        let sends = self
            .sends
            .iter()
            .map(|s| format!("{}#{} {:?}", s.to, s.sequence, s.plan));
        let recvs = self.recvs.iter().map(|r| {
            let waits = board(r.comm).is_waiting(r.id);
            format!(
                "comm {} waiting {waits} met {:?}",
                r.comm,
                board(r.comm).met(r.id)
            )
        });
        format!(
            "rank {}: sends {:?}; receives {:?}; taken {}; missing {:?}; lost {:?}",
            self.process,
            sends.collect::<Vec<_>>(),
            recvs.collect::<Vec<_>>(),
            self.taken.len(),
            (0..COMMS)
                .map(|comm| self.missing(comm, world))
                .collect::<Vec<_>>(),
            self.lost,
        )
    }

    pub(crate) fn release(&mut self, pool: &mut Pool) {
        let sends = self.sends.drain(..).map(|send| send.area);
        let recvs = self.recvs.drain(..).map(|recv| recv.area);
        sends.chain(recvs).for_each(|area| area.release(pool));
    }

    fn open_comms(&mut self, world: &World) {
        for comm in 0..COMMS {
            let due = comm == 0 || world.round >= world.scenario.opens[self.process];
            if let (None, true, Some(rank)) =
                (self.comms[comm], due, world.rank_of(comm, self.process))
            {
                let members = &world.scenario.members[comm];
                let peers = members
                    .iter()
                    .map(|&process| PeerId(process as u32))
                    .collect();
                let (context, rank) = (Context(7 + comm as u64), CommRank(rank as u32));
                self.comms[comm] = Some(self.engine.enter().open_comm(context, rank, peers));
            }
        }
    }

    fn send_next(&mut self, world: &mut World, pool: &mut Pool) -> Result<(), String> {
        let Some(plan) = self.next_send.filter(|_| self.sends.len() < SENDS_MAX) else {
            return Ok(());
        };
        let Some(comm) = self.comms[plan.comm] else {
            return Ok(());
        };
        self.next_send = self.planned.next();
        let id = world.messages_made;
        world.messages_made += 1;
        let area = Area::new(pool, plan.len, plan.gaps);
        area.fill(id);
        let records = world.records(plan.comm, self.process, plan.to);
        let sequence = records.len() as u64;
        records.push(Record {
            tag: plan.tag,
            len: plan.len as u64,
            id,
        });
        let mode = match plan.synchronous {
            true => Mode::Synchronous,
            false => Mode::Standard,
        };
        let to = CommRank(plan.to as u32);
        let buffer = area.buffer.clone();
        let started = self
            .engine
            .enter()
            .start_send(comm, to, plan.tag, buffer, mode);
        match started {
            Started::Complete => {
                area.spoil();
                area.release(pool);
            }
            Started::Pending(request) => {
                let to = world.scenario.members[plan.comm][plan.to];
                self.sends.push(Send {
                    request,
                    area,
                    to,
                    plan,
                    sequence,
                });
            }
        }
        self.lose_peers(world)
    }

    fn receive_something(
        &mut self,
        comm: usize,
        world: &mut World,
        pool: &mut Pool,
        random: &mut Random,
    ) -> Result<(), String> {
        let Some(id) = self.comms[comm] else {
            return Ok(());
        };
        let waiting = self.waiting(comm, world);
        let missing = self.missing(comm, world);
        if missing == 0 || random.chance(3) {
            return self.cancel(comm, world, random, missing == 0);
        }
        if waiting >= world.scenario.window.min(missing) || random.chance(40) {
            return Ok(());
        }
        let ranks = world.scenario.members[comm].len();
        let pattern = Pattern {
            source: (!random.chance(50)).then(|| CommRank(random.index(ranks) as u32)),
            tag: (!random.chance(50)).then(|| random.below(TAGS) as Tag),
        };
        match random.below(10) {
            0 => self.probe(comm, id, pattern, world),
            1 => self.matched_probe(comm, id, pattern, world),
            _ => self.post(comm, id, pattern, world, pool, random),
        }
    }

    fn post(
        &mut self,
        comm: usize,
        id: CommId,
        pattern: Pattern,
        world: &mut World,
        pool: &mut Pool,
        random: &mut Random,
    ) -> Result<(), String> {
        let (recv, area) = (self.next_recv(), receive_area(pool, random));
        let buffer = area.buffer.clone();
        let request = self.engine.enter().start_recv(id, pattern, buffer);
        let board = &mut world.boards[self.process][comm];
        board.post(recv, pattern);
        if let Some(source) = pattern.source {
            let process = world.scenario.members[comm][source.index()];
            if self.lost[process] {
                board.end_if_waiting(recv);
            }
        }
        self.recvs.push(Recv {
            request,
            id: recv,
            comm,
            area,
        });
        self.lose_peers(world)
    }

    fn probe(
        &mut self,
        comm: usize,
        id: CommId,
        pattern: Pattern,
        world: &World,
    ) -> Result<(), String> {
        let seen = self.engine.enter().probe(id, pattern);
        let wanted = world.boards[self.process][comm].probe(pattern);
        let seen = seen.map(|s| (s.source.map(CommRank::index), s.tag, s.bytes));
        let wanted = wanted.map(|m| (Some(m.source), m.tag, m.len));
        match seen == wanted {
            true => Ok(()),
            false => Err(self.fault(format!("a probe saw {seen:?}, not {wanted:?}"))),
        }
    }

    fn matched_probe(
        &mut self,
        comm: usize,
        id: CommId,
        pattern: Pattern,
        world: &mut World,
    ) -> Result<(), String> {
        let recv = self.next_recv();
        let board = &mut world.boards[self.process][comm];
        let found = self.engine.enter().matched_probe(id, pattern);
        if board.take(recv, pattern) != found.is_some() {
            return Err(self.fault(format!("a matched probe took {found:?}")));
        }
        if let Some((handle, status)) = found {
            let message = board.met(recv).expect("just taken");
            let seen = (status.source.map(CommRank::index), status.tag, status.bytes);
            if seen != (Some(message.source), message.tag, message.len) {
                return Err(self.fault(format!("a matched probe saw {seen:?}, not {message:?}")));
            }
            self.taken.push(ProbedReceive {
                handle,
                id: recv,
                comm,
            });
        }
        Ok(())
    }

    fn receive_taken(
        &mut self,
        world: &mut World,
        pool: &mut Pool,
        random: &mut Random,
    ) -> Result<(), String> {
        if self.taken.is_empty() {
            return Ok(());
        }
        let ProbedReceive { handle, id, comm } =
            self.taken.swap_remove(random.index(self.taken.len()));
        let area = receive_area(pool, random);
        let started = self
            .engine
            .enter()
            .start_matched_recv(handle, area.buffer.clone());
        let request = started.ok_or_else(|| self.fault("a taken message is gone".into()))?;
        self.recvs.push(Recv {
            request,
            id,
            comm,
            area,
        });
        self.lose_peers(world)
    }

    /// Cancels a receive, or all of a communicator.
    fn cancel(
        &mut self,
        comm: usize,
        world: &mut World,
        random: &mut Random,
        all: bool,
    ) -> Result<(), String> {
        let one = random.index(self.recvs.len());
        for (at, recv) in self.recvs.iter().enumerate() {
            if recv.comm == comm && (all || at == one) {
                let cancelled = self.engine.enter().cancel(recv.request);
                let wanted = world.boards[self.process][comm].cancel(recv.id);
                if cancelled != wanted {
                    return Err(self.fault(format!("cancel answered {cancelled}")));
                }
            }
        }
        Ok(())
    }

    /// Reports to the oracle what came in, in order, and then which peers were lost.
    fn report_arrivals(&mut self, world: &mut World) -> Result<(), String> {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        self.notes.drain(&mut arrivals);
        for observed in arrivals.drain(..) {
            let comm = observed.envelope.context.0.wrapping_sub(7) as usize;
            let source = observed.envelope.source.index();
            let signed = world.scenario.members.get(comm).and_then(|m| m.get(source));
            if signed != Some(&observed.from.index()) {
                return Err(self.fault(format!("{observed:?} is signed wrongly")));
            }
            world.boards[self.process][comm].arrive(&observed)?;
            self.check_credit(observed.from.index(), world)?;
        }
        self.arrivals = arrivals;
        self.lose_peers(world)
    }

    /// Unmatched eager bytes of one peer, over all communicators, stay below the limit.
    fn check_credit(&self, from: usize, world: &World) -> Result<(), String> {
        let boards = &world.boards[self.process];
        let of = |comm: usize| {
            let source = world.rank_of(comm, from);
            source.map_or(0, |source| boards[comm].eager_bytes_of(source))
        };
        let (held, limit) = (
            (0..COMMS).map(of).sum::<u64>(),
            world.scenario.unexpected_limit,
        );
        match held + MESSAGE_COST <= limit.max(MESSAGE_COST) {
            true => Ok(()),
            false => Err(self.fault(format!("holds {held} bytes of peer {from} for {limit}"))),
        }
    }

    fn lose_peers(&mut self, world: &mut World) -> Result<(), String> {
        let failed = self.engine.enter().failed().to_vec();
        for (peer, why) in failed {
            let peer = peer.index();
            if !world.is_lost(self.process, peer) {
                return Err(self.fault(format!("lost peer {peer}, who is well: {why}")));
            }
            if std::mem::replace(&mut self.lost[peer], true) {
                continue;
            }
            for comm in 0..COMMS {
                let open = self.comms[comm].is_some();
                if let Some(source) = world.rank_of(comm, peer).filter(|_| open) {
                    world.boards[self.process][comm].lose(source);
                }
            }
        }
        Ok(())
    }

    fn finish_sends(&mut self, world: &mut World, pool: &mut Pool) -> Result<(), String> {
        let mut at = 0;
        while at < self.sends.len() {
            let outcome = self.engine.enter().outcome(self.sends[at].request);
            let Some(outcome) = outcome else {
                at += 1;
                continue;
            };
            let send = self.sends.swap_remove(at);
            self.check_send(&send, &outcome, world)?;
            send.area.spoil();
            send.area.release(pool);
        }
        Ok(())
    }

    fn check_send(&self, send: &Send, outcome: &Outcome, world: &World) -> Result<(), String> {
        let Send {
            to, plan, sequence, ..
        } = send;
        match &outcome.result {
            Ok(()) => {
                let source = world.rank_of(plan.comm, self.process).expect("a member");
                let board = &world.boards[*to][plan.comm];
                if plan.synchronous && !board.is_taken(source, *sequence) {
                    let what = format!("a synchronous send to {to} ended unmatched: {plan:?}");
                    return Err(self.fault(what));
                }
                Ok(())
            }
            Err(Failure::PeerFailed { peer, .. }) if peer.index() == *to && self.lost[*to] => {
                Ok(())
            }
            Err(failure) => Err(self.fault(format!("a send to {to} failed: {failure}"))),
        }
    }

    fn finish_recvs(&mut self, world: &mut World, pool: &mut Pool) -> Result<(), String> {
        let mut at = 0;
        while at < self.recvs.len() {
            let outcome = self.engine.enter().outcome(self.recvs[at].request);
            let Some(outcome) = outcome else {
                at += 1;
                continue;
            };
            if let Err(Failure::Pending { peer, .. }) = outcome.result {
                self.withdraw(at, peer, world)?;
                at += 1;
                continue;
            }
            let recv = self.recvs.swap_remove(at);
            self.check_recv(&recv, &outcome, world)?;
            recv.area.release(pool);
        }
        Ok(())
    }

    /// Cancels a receive from any source of which a member was lost, unless a message has met it:
    /// nobody may be left to send one.
    fn withdraw(&mut self, at: usize, peer: PeerId, world: &mut World) -> Result<(), String> {
        let Recv {
            id, comm, request, ..
        } = self.recvs[at];
        if !self.lost[peer.index()] {
            return Err(self.fault(format!("a receive waits for {peer}, who is well")));
        }
        let wanted = world.boards[self.process][comm].cancel(id);
        match !wanted || self.engine.enter().cancel(request) {
            true => Ok(()),
            false => Err(self.fault("a receive that waits is not cancelled".into())),
        }
    }

    fn check_recv(&self, recv: &Recv, outcome: &Outcome, world: &mut World) -> Result<(), String> {
        let Recv { id, comm, area, .. } = recv;
        let board = &world.boards[self.process][*comm];
        let met = board.met(*id);
        let Outcome { status, result } = outcome;
        if status.cancelled {
            let fine = met.is_none() && result.is_ok() && !board.is_waiting(*id);
            return fine
                .then_some(())
                .ok_or_else(|| self.fault("a matched cancel".into()));
        }
        if let Err(Failure::PeerFailed { peer, .. }) = result {
            let source = met.map(|m| world.scenario.members[*comm][m.source]);
            let explained = match source {
                Some(process) => process == peer.index(),
                None => board.has_ended(*id),
            };
            return match explained && self.lost[peer.index()] {
                true => Ok(()),
                false => Err(self.fault(format!("a receive failed for {peer}; it met {met:?}"))),
            };
        }
        let Some(message) = met else {
            return Err(self.fault(format!("a receive that met nothing ended: {outcome:?}")));
        };
        self.check_received(message, *comm, area, outcome, world)
    }

    fn check_received(
        &self,
        message: Message,
        comm: usize,
        area: &Area,
        Outcome { status, result }: &Outcome,
        world: &mut World,
    ) -> Result<(), String> {
        let from = world.scenario.members[comm][message.source];
        let to = world.rank_of(comm, self.process).expect("a member");
        let record = world
            .records(comm, from, to)
            .get(message.sequence as usize)
            .copied();
        let Some(record) = record.filter(|r| (r.tag, r.len) == (message.tag, message.len)) else {
            return Err(self.fault(format!("{message:?} of {from} was sent as {record:?}")));
        };
        let room = area.buffer.len() as u64;
        let bytes = record.len.min(room);
        let wanted = (Some(message.source), message.tag, bytes);
        let got = (status.source.map(CommRank::index), status.tag, status.bytes);
        if got != wanted {
            return Err(self.fault(format!("a receive got {got:?}, not {wanted:?}")));
        }
        let ended = match record.len > room {
            true => Err(Failure::Truncated {
                sent: record.len,
                room,
            }),
            false => Ok(()),
        };
        if *result != ended {
            return Err(self.fault(format!("{message:?} ended {result:?} in {room} bytes")));
        }
        let checked = area.check(record.id, bytes as usize, &mut world.spare);
        checked.map_err(|what| self.fault(format!("{what}: {message:?} of {from}")))
    }

    /// Messages that this rank is still to match, and will.
    fn missing(&self, comm: usize, world: &World) -> usize {
        let Some(me) = world.rank_of(comm, self.process) else {
            return 0;
        };
        let members = world.scenario.members[comm].iter().enumerate();
        let alive = members.filter(|(_, process)| !self.lost[**process]);
        let board = &world.boards[self.process][comm];
        let missing = |source| world.expected(comm, source, me) - board.taken_of(source);
        alive.map(|(source, _)| missing(source)).sum()
    }

    fn waiting(&self, comm: usize, world: &World) -> usize {
        let board = &world.boards[self.process][comm];
        self.recvs
            .iter()
            .filter(|r| r.comm == comm && board.is_waiting(r.id))
            .count()
    }

    fn next_recv(&mut self) -> RecvId {
        self.recvs_made += 1;
        self.recvs_made
    }

    fn fault(&self, what: String) -> String {
        format!("rank {}: {what}", self.process)
    }

    /// The engine's state, for the end.
    pub(crate) fn core(&self) -> sync::Entered<'_, Core> {
        self.engine.enter()
    }
}

/// Room for any message, or now and then for less.
fn receive_area(pool: &mut Pool, random: &mut Random) -> Area {
    let len = match random.below(10) {
        0 => random.index(300),
        1 => random.index(20_000),
        _ => LEN_MAX,
    };
    Area::new(pool, len, random.chance(15))
}
