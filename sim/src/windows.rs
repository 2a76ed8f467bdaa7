//! Simulation of one-sided communication: eight ranks increment counters in each other's windows
//! under exclusive locks, while messages are late, refused and overtake each other, and in some
//! seeds a rank dies or a link is cut.
//!
//! In a round a rank locks one target. It reads a counter there, and its own cell, whose value it
//! knows. Then it writes the counter plus one and a new value of its cell, and adds one to a second
//! counter by a fetching accumulate. At the end both counters equal the number of rounds, each
//! value was fetched once, a rank that lost a peer has an error about that peer and no other, and
//! ranks that waited for the lock of a dead rank have gone on.

use base::{PeerId, Random, Rank};
use bml::Bml;
use btl_sim::Net;
use datatype::constants::MPI_INT64_T;
use datatype::{Basic, Buffer, Op};
use engine::{Engine, Settings};
use memory::{Scratch, UserBuf};
use osc::{Access, Error, Lock, Memory, OpId, Osc, TargetBytes, Verb, WindowId};
use pml::Pml;
use sync::{Gate, Patience};

use crate::scenario::{Fault, Scenario, RANKS};

/// Rounds of each rank.
const ROUNDS: u32 = 8;
/// Turns after which a job counts as stuck.
const TURNS_MAX: u64 = 60_000;

/// 64-bit words of a rank's memory: the counters, and a cell of each rank.
const COUNTER: usize = 0;
const FETCHED: usize = 1;
const CELLS: usize = 2;
const WORDS: usize = CELLS + RANKS;

/// Where a rank is in its round.
enum Stage {
    Between,
    Locking,
    /// Reads the counter, and its own cell.
    Reading([OpId; 2]),
    /// Its writes and the end of the lock are on their way; the fetching operation.
    Unlocking(OpId),
    /// A peer is lost: the end of the lock is all that it waits for.
    GivingUp,
}

struct Member {
    process: usize,
    engine: Engine,
    window: WindowId,
    left: u32,
    target: usize,
    stage: Stage,
    /// 64-bit words of every round: two read and two written, then those added and fetched.
    rooms: Vec<Scratch>,
    lost: [bool; RANKS],
    /// By target: the value of its cell there, rounds that it knows to be done, and those that
    /// nobody knows of.
    cell: [i64; RANKS],
    done: [i64; RANKS],
    unsure: [i64; RANKS],
    fetched: [Vec<i64>; RANKS],
}

/// Plays a seed to its end. Returns how many rounds were done.
///
/// # Errors
/// The first failure, with the rank.
pub fn run(seed: u64) -> Result<u64, String> {
    let scenario = Scenario::of(seed);
    let net = Net::new(scenario.net.clone());
    let memory: Vec<Scratch> = (0..RANKS).map(|_| Scratch::new(8 * WORDS)).collect();
    let mut members = join(&net, &scenario, &memory, seed)?;
    let outcome = play(&net, &scenario.fault, &mut members, &memory, seed);
    // Nothing under way touches memory once the ranks are gone.
    (0..RANKS).for_each(|process| net.kill(PeerId(process as u32)));
    let done = outcome.map_err(|what| format!("seed {seed}, {:?}: {what}", scenario.fault))?;
    Ok(done)
}

fn join(
    net: &Net,
    scenario: &Scenario,
    memory: &[Scratch],
    seed: u64,
) -> Result<Vec<Member>, String> {
    let open = |process: usize| {
        let settings = Settings {
            peers: RANKS,
            unexpected_limit: scenario.unexpected_limit,
            patience: Patience::measure(1, 1),
            own: None,
        };
        let endpoint = Box::new(net.open(PeerId(process as u32)));
        let engine = Engine::new(Bml::new(vec![endpoint]), settings, Gate::shared);
        let window = with(&engine, |osc| {
            let window = osc.open_window(Memory::Attached(vec![memory[process].buf()]));
            if seed % 4 == 1 {
                // Locked like this no accesses conflict.
                osc.check_conflicts(window);
            }
            window
        });
        Member {
            process,
            engine,
            window,
            left: ROUNDS,
            target: process,
            stage: Stage::Between,
            rooms: Vec::new(),
            lost: [false; RANKS],
            cell: [0; RANKS],
            done: [0; RANKS],
            unsure: [0; RANKS],
            fetched: Default::default(),
        }
    };
    let members: Vec<Member> = (0..RANKS).map(open).collect();
    let addresses: Vec<_> = members.iter().map(|one| one.engine.address()).collect();
    let named = |one: &Member| (PeerId(one.process as u32), one.window.name());
    let names: Vec<_> = members.iter().map(named).collect();
    for member in &members {
        for (peer, address) in addresses.iter().enumerate() {
            let added = member.engine.add_peer(PeerId(peer as u32), address);
            added.map_err(|error| format!("peer {peer}: {error}"))?;
        }
        with(&member.engine, |osc| osc.join(member.window, &names));
    }
    Ok(members)
}

fn with<T>(engine: &Engine, act: impl FnOnce(&mut Osc) -> T) -> T {
    let mut core = engine.enter();
    let result = act(core.osc());
    core.send_accesses();
    result
}

fn play(
    net: &Net,
    fault: &Fault,
    members: &mut [Member],
    memory: &[Scratch],
    seed: u64,
) -> Result<u64, String> {
    let mut random = Random::new(seed ^ 0x6f73_6300);
    let mut struck = false;
    for turn in 0..TURNS_MAX {
        struck |= strike(net, fault, turn);
        for _ in 0..RANKS {
            let member = &mut members[random.index(RANKS)];
            if is_alive(fault, struck, member.process) {
                let process = member.process;
                let lost = |peer| struck && is_lost(fault, process, peer);
                member.turn(memory, &mut random, lost)?;
            }
        }
        (0..1 + random.below(12)).for_each(|_| {
            net.step();
        });
        let alive = |one: &&Member| is_alive(fault, struck, one.process);
        let is_over = |one: &Member| one.left == 0 && matches!(one.stage, Stage::Between);
        if members.iter().filter(alive).all(is_over) {
            let alive: Vec<usize> = members
                .iter()
                .filter(alive)
                .map(|one| one.process)
                .collect();
            return judge(members, memory, &alive);
        }
    }
    let waits = |one: &Member| format!("rank {} at {}", one.process, one.target);
    let waiting = members.iter().filter(|one| one.left > 0).map(waits);
    Err(format!("stuck: {}", waiting.collect::<Vec<_>>().join(", ")))
}

fn strike(net: &Net, fault: &Fault, turn: u64) -> bool {
    match *fault {
        Fault::Death { rank, round } if round == turn => net.kill(PeerId(rank as u32)),
        Fault::Cut { a, b, round } if round == turn => {
            net.cut(PeerId(a as u32), PeerId(b as u32));
        }
        _ => return false,
    }
    true
}

fn is_alive(fault: &Fault, struck: bool, process: usize) -> bool {
    !(struck && matches!(*fault, Fault::Death { rank, .. } if rank == process))
}

/// Whether a process may miss a peer.
fn is_lost(fault: &Fault, process: usize, peer: usize) -> bool {
    match *fault {
        Fault::None => false,
        Fault::Death { rank, .. } => rank == peer,
        Fault::Cut { a, b, .. } => (a, b) == (process, peer) || (b, a) == (process, peer),
    }
}

/// Checks the memory of those that live. Returns the number of rounds.
fn judge(members: &[Member], memory: &[Scratch], alive: &[usize]) -> Result<u64, String> {
    for &target in alive {
        let word = |at: usize| read(memory[target].buf(), at);
        let done: i64 = members.iter().map(|one| one.done[target]).sum();
        let open = |one: &Member| {
            // A rank that has died in a round, or lost the target in one.
            let dead = !alive.contains(&one.process) && one.target == target;
            one.unsure[target] + i64::from(dead && !matches!(one.stage, Stage::Between))
        };
        let most = done + members.iter().map(open).sum::<i64>();
        for (name, at) in [("counter", COUNTER), ("fetched counter", FETCHED)] {
            if !(done..=most).contains(&word(at)) {
                let found = word(at);
                return Err(format!("{name} of {target}: {found}, not {done} to {most}"));
            }
        }
        let mut fetched: Vec<i64> = members
            .iter()
            .flat_map(|one| one.fetched[target].clone())
            .collect();
        fetched.sort_unstable();
        let count = fetched.len();
        fetched.dedup();
        if fetched.len() != count || fetched.iter().any(|value| *value >= word(FETCHED)) {
            return Err(format!("fetched of {target}: {fetched:?}"));
        }
        for one in members.iter().filter(|one| open(one) == 0) {
            let (found, wanted) = (word(CELLS + one.process), one.cell[target]);
            if found != wanted {
                let who = one.process;
                return Err(format!("cell of {who} at {target}: {found}, not {wanted}"));
            }
        }
    }
    Ok(members.iter().flat_map(|one| one.done).sum::<i64>() as u64)
}

impl Member {
    /// Progress, and what follows from it. `lost` says whether a peer may be missed.
    fn turn(
        &mut self,
        memory: &[Scratch],
        random: &mut Random,
        lost: impl Fn(usize) -> bool,
    ) -> Result<(), String> {
        let mut core = self.engine.enter();
        core.progress();
        drop(core);
        let ended = self.go_on(memory, random);
        let process = self.process;
        match ended {
            Ok(()) => Ok(()),
            Err(Error::PeerFailed { peer, .. }) if lost(peer.index()) => {
                self.give_up();
                Ok(())
            }
            Err(error) => Err(format!("rank {process}: {error}")),
        }
    }

    fn osc<T>(&self, act: impl FnOnce(&mut Osc, WindowId, Rank) -> T) -> T {
        let target = Rank(self.target as u32);
        with(&self.engine, |osc| act(osc, self.window, target))
    }

    fn go_on(&mut self, memory: &[Scratch], random: &mut Random) -> Result<(), Error> {
        match self.stage {
            Stage::Between if self.left > 0 => {
                self.left -= 1;
                self.target = random.index(RANKS);
                if !self.lost[self.target] {
                    self.stage = Stage::Locking;
                    self.osc(|osc, window, target| {
                        osc.begin_lock(window, target, Lock::Exclusive, true)
                    })?;
                }
            }
            Stage::Locking => {
                if self.osc(|osc, window, target| osc.is_granted(window, target))? {
                    let counter = self.read_word(memory, COUNTER)?;
                    let own = self.read_word(memory, CELLS + self.process)?;
                    self.stage = Stage::Reading([counter, own]);
                }
            }
            Stage::Reading(reads) => {
                if reads
                    .iter()
                    .all(|read| self.osc(|osc, _, _| osc.is_done(*read)))
                {
                    for read in reads {
                        let outcome = self.osc(|osc, _, _| osc.outcome(read));
                        outcome.unwrap_or(Ok(()))?;
                    }
                    self.write(memory, random)?;
                }
            }
            Stage::Unlocking(fetch) => {
                if self.osc(|osc, window, target| osc.is_settled(window, target))? {
                    let outcome = self.osc(|osc, _, _| osc.outcome(fetch));
                    outcome.expect("what is settled has ended")?;
                    self.count();
                }
            }
            Stage::GivingUp => {
                if self.osc(|osc, window, target| osc.is_settled(window, target))? {
                    self.stage = Stage::Between;
                }
            }
            Stage::Between => {}
        }
        Ok(())
    }

    fn begin(
        &self,
        memory: &[Scratch],
        word: usize,
        verb: Verb,
        held: bool,
    ) -> Result<Option<OpId>, Error> {
        let place = TargetBytes::Layout(memory[self.target].buf().part(8 * word, 8).into());
        let access = Access { verb, place };
        self.osc(|osc, window, target| {
            assert!(osc.may_begin(window, target)?, "it is locked");
            Ok(osc.begin(window, target, access, held))
        })
    }

    fn read_word(&mut self, memory: &[Scratch], word: usize) -> Result<OpId, Error> {
        let into = self.room(0);
        let begun = self.begin(memory, word, Verb::Get { into }, true)?;
        Ok(begun.expect("eight bytes"))
    }

    /// Returns a 64-bit word that stays until the job is over.
    fn room(&mut self, value: i64) -> Buffer {
        let room = Scratch::new(8);
        room.buf().write(0, &value.to_ne_bytes());
        self.rooms.push(room);
        self.last(1).into()
    }

    /// Returns a 64-bit word by its distance from the newest, which is 1.
    fn last(&self, back: usize) -> UserBuf {
        self.rooms[self.rooms.len() - back].buf()
    }

    /// Both are read: writes and ends the lock.
    fn write(&mut self, memory: &[Scratch], random: &mut Random) -> Result<(), Error> {
        let (counter, own) = (read(self.last(2), 0), read(self.last(1), 0));
        let (process, target) = (self.process, self.target);
        assert_eq!(own, self.cell[target], "rank {process} at {target}");
        let value = random.below(1 << 40) as i64;
        let from = self.room(counter + 1);
        self.begin(memory, COUNTER, Verb::Put { from }, false)?;
        let from = self.room(value);
        self.begin(memory, CELLS + process, Verb::Put { from }, false)?;
        let (from, before) = (self.room(1), self.room(-1));
        let verb = Verb::Accumulate {
            op: Op::Sum,
            element: int64(),
            from,
            before: Some(before),
        };
        let fetch = self.begin(memory, FETCHED, verb, true)?;
        self.stage = Stage::Unlocking(fetch.expect("eight bytes"));
        self.osc(|osc, window, target| osc.begin_unlock(window, target))
    }

    /// A round is done.
    fn count(&mut self) {
        let target = self.target;
        self.fetched[target].push(read(self.last(1), 0));
        self.cell[target] = read(self.last(3), 0);
        self.done[target] += 1;
        self.stage = Stage::Between;
    }

    /// The target is lost in the middle of a round.
    fn give_up(&mut self) {
        self.lost[self.target] = true;
        match self.stage {
            Stage::Between | Stage::GivingUp => self.stage = Stage::Between,
            Stage::Locking => {
                self.osc(|osc, window, target| osc.abandon_lock(window, target));
                self.stage = Stage::Between;
            }
            Stage::Reading(reads) => {
                for read in reads {
                    self.osc(|osc, _, _| osc.detach_operation(read));
                }
                let ended = self.osc(|osc, window, target| osc.begin_unlock(window, target));
                self.stage = match ended {
                    Ok(()) => Stage::GivingUp,
                    Err(_) => Stage::Between,
                };
            }
            Stage::Unlocking(fetch) => {
                self.osc(|osc, _, _| osc.detach_operation(fetch));
                self.unsure[self.target] += 1;
                self.stage = Stage::Between;
            }
        }
    }
}

fn int64() -> &'static Basic {
    let known = datatype::predefined(MPI_INT64_T).and_then(|known| known.predefined());
    known.expect("a predefined datatype")
}

fn read(from: UserBuf, word: usize) -> i64 {
    let mut bytes = [0; 8];
    from.read(8 * word, &mut bytes);
    i64::from_ne_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeds that an optimized build plays, and another.
    const SEEDS: u64 = if cfg!(debug_assertions) { 1_000 } else { 5_000 };

    #[test]
    fn counters_in_windows_count_whatever_the_network_does() {
        let rounds: u64 = (0..SEEDS)
            .map(|seed| run(seed).unwrap_or_else(|what| panic!("{what}")))
            .sum();
        assert!(rounds > SEEDS * 40, "{rounds}");
    }
}
