//! One life of a rank: how it meets the others, and the turns of its program.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context as Task, Waker};

use base::{PeerId, Random};
use bml::Bml;
use btl_sim::Endpoint;
use engine::{Decorate, Engine, Plain, Settings};
use pml::{Context, Pml};
use sync::{Gate, Patience};
use vprotocol_pessimist::events::{EventLog, Memory};
use vprotocol_pessimist::payload::Storage;
use vprotocol_pessimist::Pessimist;

use super::history::Trace;
use super::launcher::{Card, Launcher, News};
use super::mpi::Mpi;
use super::program::{self, Plan};
use super::state::Disk;

/// Where a life is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// It waits for the launcher.
    InFence,
    /// It waits for what the others have of its earlier life.
    Waiting,
    Running,
    Finished,
}

/// One life of a rank.
pub(crate) struct Life {
    rank: usize,
    pub(crate) number: u32,
    pub(crate) turns: u64,
    phase: Phase,
    mpi: Rc<Mpi>,
    program: Pin<Box<dyn Future<Output = ()>>>,
    /// The life of each peer that is known.
    known: Vec<u32>,
}

impl Life {
    pub(crate) fn start(
        (rank, number): (usize, u32),
        (endpoint, stored, disk): (Endpoint, Box<Memory>, &Disk),
        plan: Arc<Plan>,
    ) -> Result<Life, String> {
        let log = EventLog::open(stored).map_err(|damage| damage.to_string())?;
        let peers = plan.ranks;
        let settings = Settings {
            peers,
            own: Some(PeerId(rank as u32)),
            unexpected_limit: 20_000,
            patience: Patience::measure(1, 1),
        };
        let own = vprotocol_pessimist::Settings {
            me: PeerId(rank as u32),
            peers: peers as u32,
            is_next_life: number > 1,
            reports: false,
            logs_remote_only: false,
        };
        let storage = Storage {
            memory: disk.memory(),
            ..Storage::default()
        };
        let decorate: Decorate = Box::new(move |plain| match Pessimist::over(plain, own, log) {
            Ok(layer) => Box::new(layer.storing(storage, vec![false; peers].into())),
            Err(_) => unreachable!("lanes can have peers suspended"),
        });
        let plain = Plain::over_lanes(Bml::new(vec![Box::new(endpoint)]), &settings);
        let engine = Engine::over(plain, Some(decorate), settings.patience, Gate::shared);
        let mpi = Rc::new(Mpi::new(engine, rank as u64));
        let program = {
            let (mpi, disk) = (mpi.clone(), disk.clone());
            Box::pin(async move { program::run(&mpi, &plan, rank, &disk).await })
        };
        Ok(Life {
            rank,
            number,
            turns: 0,
            phase: Phase::InFence,
            mpi,
            program,
            known: vec![0; peers],
        })
    }

    pub(crate) fn address(&self) -> Vec<u8> {
        self.mpi.engine.address()
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.phase == Phase::Finished
    }

    pub(crate) fn trace(&self) -> Trace {
        self.mpi.trace.borrow().clone()
    }

    /// Plays a turn. Returns whether anything moved that the network does not show.
    pub(crate) fn turn(
        &mut self,
        launcher: &mut Launcher,
        random: &mut Random,
    ) -> Result<bool, String> {
        self.turns += 1;
        let received = self.receive_news(launcher)?;
        if self.phase == Phase::InFence {
            return Ok(received);
        }
        if random.chance(85) {
            self.mpi.engine.enter().progress();
        }
        self.check()?;
        if self.phase == Phase::Waiting && self.mpi.engine.enter().awaited().is_none() {
            self.phase = Phase::Running;
        }
        if self.phase == Phase::Running {
            let polled = (self.program.as_mut()).poll(&mut Task::from_waker(Waker::noop()));
            if polled.is_ready() {
                self.phase = Phase::Finished;
            }
            self.check()?;
        }
        Ok(received)
    }

    /// Receives messages of the launcher. Returns whether there were any.
    fn receive_news(&mut self, launcher: &mut Launcher) -> Result<bool, String> {
        let mut received = false;
        while let Some(news) = launcher.next(self.rank) {
            received = true;
            match news {
                News::Release(cards, passed) => {
                    if self.number > 1 && !passed {
                        self.mpi.engine.enter().begin_anew();
                    }
                    for (peer, card) in cards.iter().enumerate() {
                        self.meet(peer, card.as_ref(), false)?;
                    }
                    self.phase = Phase::Waiting;
                }
                News::Reborn(peer, card) if self.phase != Phase::InFence => {
                    self.meet(peer, Some(&card), true)?;
                }
                // The release has it, too.
                News::Reborn(..) => {}
            }
        }
        Ok(received)
    }

    /// Introduces a peer, as `mpi::Process::meet_by_card` does.
    fn meet(&mut self, peer: usize, card: Option<&Card>, is_announced: bool) -> Result<(), String> {
        let id = PeerId(peer as u32);
        let engine = &self.mpi.engine;
        let Some(card) = card else {
            engine.enter().expect_peer(id);
            return Ok(());
        };
        if card.life <= self.known[peer] {
            return Ok(());
        }
        let is_next_life = card.life > 1 && peer != self.rank;
        let added = match is_next_life && is_announced {
            true => engine.enter().restart_peer(id, &card.address),
            false => engine.add_peer(id, &card.address),
        };
        match added {
            Ok(_) => self.known[peer] = card.life,
            // It has died, and its next life is to come.
            Err(_) => engine.enter().expect_peer(id),
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        let core = self.mpi.engine.enter();
        if let Some((peer, why)) = core.failed().first() {
            return Err(format!("{peer} failed: {why}"));
        }
        match core.fault() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// Checks that nothing is left over in the end. Returns the peers that a send under way is to,
    /// and those that a notice has come from which is not taken yet.
    pub(crate) fn check_empty(&self) -> Result<[Vec<PeerId>; 2], String> {
        let (pending, waiting) = self.mpi.engine.enter().messages();
        // An account may be for a life that needs none, and notices are taken now and then.
        let is_own = |context: Context| context.0 < program::CONTEXTS;
        let (sends, receives): (Vec<_>, Vec<_>) = pending.into_iter().partition(|one| one.sends);
        let own = receives.iter().filter(|one| one.context.is_none_or(is_own));
        let requests = own.count();
        let messages = waiting.iter().filter(|one| is_own(one.context)).count();
        let notices: u64 = waiting.iter().map(|one| one.bytes).sum();
        let held = self.mpi.engine.counters().unexpected_bytes.get();
        if (requests, messages) != (0, 0) || held > notices {
            return Err(format!(
                "rank {} has {requests} requests and {messages} messages left over, and counts \
                 {held} bytes of messages that nobody took, {notices} of notices",
                self.rank
            ));
        }
        let to = sends.iter().filter_map(|one| one.peer).collect();
        Ok([to, waiting.iter().map(|one| one.from).collect()])
    }

    /// Describes what a rank that is stuck waits for.
    pub(crate) fn describe(&self) -> String {
        let core = self.mpi.engine.enter();
        format!(
            "rank {} life {}, {:?}, {}, awaits {:?}, knows {:?}, queued {}, {:?}",
            self.rank,
            self.number,
            self.phase,
            self.mpi.does.get(),
            core.awaited(),
            self.known,
            core.has_queued(),
            core.messages()
        )
    }
}
