//! Jobs whose ranks are killed and started again by a log of messages.
//!
//! [`run`] plays one seed: two to five ranks, each with its own engine and the layer `pessimist`
//! over it, run a random program ([`program`]): named receives and those from any source, waits
//! for any and for some, tests, probes, matched probes, cancels, a collective beside them, in
//! communicators that come and go. Ranks die at random moments: once, several times in a row, two
//! at once, while they replay, and when they are done. A launcher ([`launcher`]) starts them again.
//!
//! In half of the jobs ranks save their state after some rounds, each when it likes, and say so;
//! the next life goes on from there ([`state`]).
//!
//! The content of each message depends on everything that its sender has received before. In the
//! end the last lives of all ranks must make one history: what one has received is what the other
//! has sent, in the order in which it was sent, each message once ([`history`]).
//!
//! A failing seed is a complete bug report, since equal seeds give equal runs.

mod history;
mod launcher;
mod life;
mod mpi;
mod program;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use base::{Clock, PeerId, Random};
use btl_sim::{Config, Gets, Net};

use launcher::Launcher;
use life::Life;
use program::Plan;
use state::Disk;
use vprotocol_pessimist::events::Memory;

/// Rounds after which a job counts as stuck.
const ROUNDS_MAX: u64 = 30_000;

/// Rounds in a row in which the network and the launcher were idle, after which a job counts as
/// stuck.
const IDLE_ROUNDS_MAX: u64 = 1_000;

/// Words of an event log.
const LOG_WORDS: usize = 1 << 14;

/// Result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Ranks of the job.
    pub ranks: usize,
    /// Deaths.
    pub deaths: usize,
    /// Lives that have gone on from a checkpoint.
    pub jumps: usize,
    /// Messages that the last lives have received.
    pub messages: u64,
    /// Rounds of turns.
    pub rounds: u64,
    /// Virtual time, in nanoseconds.
    pub time_ns: u64,
    /// Fingerprint of what the network saw.
    pub fingerprint: u64,
}

/// When a rank dies.
#[derive(Clone, Copy, Debug)]
enum When {
    /// In a round of the job.
    Round(u64),
    /// In a turn of one of its lives.
    Turn { life: u32, turn: u64 },
}

/// The death of a rank.
#[derive(Clone, Copy, Debug)]
struct Death {
    rank: usize,
    when: When,
}

/// A job under way.
struct Job {
    net: Net,
    plan: Arc<Plan>,
    launcher: Launcher,
    lives: Vec<Option<Life>>,
    logs: Vec<Memory>,
    disks: Vec<Disk>,
    deaths: Vec<Death>,
    random: Random,
    round: u64,
    died: usize,
}

/// Plays a seed to its end.
///
/// # Errors
/// The first failure, with the seed, the round and the deaths.
pub fn run(seed: u64) -> Result<Summary, String> {
    let mut random = Random::new(seed.wrapping_mul(0x9e6c_63d0_876a_68de) ^ 0x6c69_7665);
    let ranks = 2 + random.index(4);
    let plan = Arc::new(Plan::draw(ranks, &mut random));
    let deaths = draw_deaths(ranks, &mut random);
    let net = Net::new(network(seed, &mut random));
    let mut job = Job {
        launcher: Launcher::new(ranks),
        lives: (0..ranks).map(|_| None).collect(),
        logs: (0..ranks).map(|_| Memory::new(LOG_WORDS)).collect(),
        disks: (0..ranks).map(|_| Disk::new(plan.saves)).collect(),
        deaths: deaths.clone(),
        round: 0,
        died: 0,
        net,
        plan,
        random,
    };
    let played = job.play().and_then(|()| job.wind_up()).and_then(|()| {
        let traces = job.lives.iter().flatten().map(Life::trace).collect();
        history::check(traces)
    });
    let messages = played.map_err(|what| {
        format!(
            "restarts, seed {seed}, round {}, {deaths:?}: {what}",
            job.round
        )
    })?;
    Ok(Summary {
        ranks,
        deaths: job.died,
        jumps: job.disks.iter().map(|disk| disk.jumps.get()).sum(),
        messages,
        rounds: job.round,
        time_ns: job.net.clock().now().0,
        fingerprint: job.net.fingerprint(),
    })
}

fn draw_deaths(ranks: usize, random: &mut Random) -> Vec<Death> {
    let (rank, other) = (random.index(ranks), random.index(ranks));
    let round = random.below(250);
    let first = Death {
        rank,
        when: When::Round(round),
    };
    let at_life = |rank, life, random: &mut Random| {
        let most = [3, 20, 200][random.index(3)];
        let turn = random.below(most);
        Death {
            rank,
            when: When::Turn { life, turn },
        }
    };
    let mut deaths = vec![first];
    match random.below(6) {
        0 | 1 => {}
        // Twice in a row, perhaps while it replays.
        2 => deaths.push(at_life(rank, 2, random)),
        // Two at once, or nearly so.
        3 => deaths.push(Death {
            rank: other,
            when: When::Round(round + [0, 0, 1, 10][random.index(4)]),
        }),
        // Another one while the first comes back.
        4 => deaths.push(Death {
            rank: other,
            when: When::Round(round + random.below(60)),
        }),
        _ => {
            for rank in 0..ranks {
                let when = When::Round(round + random.below(30));
                deaths.push(Death { rank, when });
            }
            deaths.push(at_life(other, 2, random));
            deaths.push(at_life(rank, 3, random));
        }
    }
    deaths
}

fn network(seed: u64, random: &mut Random) -> Config {
    let eager_limit = [160, 300, 1000, 4096][random.index(4)];
    let max_send_size = eager_limit + [0, 100, 4000][random.index(3)];
    let cut = btl::Cut {
        part: [40, 300][random.index(2)],
        longest: [500, 10_000][random.index(2)],
    };
    Config {
        delay_ns: 500..1000 + random.below(30_000),
        straggler_percent: random.below(10) as u8,
        ordered: !random.chance(25),
        keeps: random.chance(50),
        busy_percent: [0, 2, 20][random.index(3)],
        queue_messages_max: [1, 3, 16, 64][random.index(4)],
        eager_limit,
        cut: random.chance(50).then_some(cut),
        rndv_eager_limit: [0, 0, eager_limit][random.index(3)],
        max_send_size,
        gets: [Gets::None, Gets::Failing(30), Gets::Pairs(100)][random.index(3)],
        transfer_bytes_max: 1 << 20,
        ..Config::of(seed)
    }
}

impl Job {
    fn play(&mut self) -> Result<(), String> {
        let mut idle = 0;
        loop {
            self.round += 1;
            let mut busy = self.start_due()?;
            self.strike();
            let ranks = self.lives.len();
            let first = self.random.index(ranks);
            for at in 0..ranks {
                let rank = (first + at) % ranks;
                if self.random.chance(15) {
                    continue;
                }
                if let Some(life) = &mut self.lives[rank] {
                    let turned = life.turn(&mut self.launcher, &mut self.random);
                    busy |= turned.map_err(|what| format!("rank {rank}: {what}"))?;
                }
            }
            let moved = (0..1 + self.random.below(8)).filter(|_| self.net.step());
            busy |= moved.count() > 0;
            busy |= self.launcher.step(&mut self.random);
            idle = if busy { 0 } else { idle + 1 };
            if self.is_over() {
                return Ok(());
            }
            if idle > IDLE_ROUNDS_MAX || self.round > ROUNDS_MAX {
                let of = |life: &Option<Life>| life.as_ref().map(Life::describe);
                let stuck: Vec<_> = self.lives.iter().map(of).collect();
                return Err(format!("stuck:\n{stuck:#?}"));
            }
        }
    }

    /// Lets the network run empty; nothing may be left over.
    fn wind_up(&mut self) -> Result<(), String> {
        let mut quiet = 0;
        while quiet < 100 {
            quiet = if self.net.step() { 0 } else { quiet + 1 };
            for life in self.lives.iter_mut().flatten() {
                life.turn(&mut self.launcher, &mut self.random)?;
            }
        }
        let lives = self.lives.iter().flatten().map(Life::check_empty);
        let lives = lives.collect::<Result<Vec<_>, String>>()?;
        let count = |all: &[PeerId], peer| all.iter().filter(|one| one.index() == peer).count();
        for (rank, [sends, _]) in lives.iter().enumerate() {
            for (peer, [_, notices]) in lives.iter().enumerate() {
                if count(sends, peer) > count(notices, rank) {
                    return Err(format!("rank {rank} has a send to {peer} left over"));
                }
            }
        }
        Ok(())
    }

    /// Whether every rank has ended its program, and no death is to come.
    fn is_over(&self) -> bool {
        let last = |death: &Death| match death.when {
            When::Round(round) => self.round > round,
            When::Turn { .. } => true,
        };
        let finished = |life: &Option<Life>| life.as_ref().is_some_and(Life::is_finished);
        self.deaths.iter().all(last) && self.lives.iter().all(finished)
    }

    /// Starts the lives that are due.
    fn start_due(&mut self) -> Result<bool, String> {
        let mut any = false;
        for rank in 0..self.lives.len() {
            let Some(number) = self.launcher.starts(rank) else {
                continue;
            };
            let me = PeerId(rank as u32);
            let endpoint = match number {
                1 => self.net.open(me),
                _ => self.net.reopen(me),
            };
            let stored = Box::new(self.logs[rank].clone());
            let on = (endpoint, stored, &self.disks[rank]);
            let life = Life::start((rank, number), on, self.plan.clone());
            let life = life.map_err(|what| format!("rank {rank}: {what}"))?;
            self.launcher.enter_fence(rank, number, life.address());
            self.lives[rank] = Some(life);
            any = true;
        }
        Ok(any)
    }

    fn strike(&mut self) {
        for death in self.deaths.clone() {
            let Some(life) = &self.lives[death.rank] else {
                continue;
            };
            let is_due = match death.when {
                When::Round(round) => self.round == round,
                When::Turn { life: number, turn } => life.number == number && life.turns == turn,
            };
            if is_due {
                self.net.kill(PeerId(death.rank as u32));
                self.lives[death.rank] = None;
                self.launcher.lose(death.rank, &mut self.random);
                self.died += 1;
            }
        }
    }
}
