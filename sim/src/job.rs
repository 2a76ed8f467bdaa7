//! Runs one seed: chooses the rank of each turn, injects faults, and detects the end.

use base::{Clock, PeerId, Random};
use btl_sim::Net;
use pml::Pml;

use crate::content::Pool;
use crate::rank::Rank;
use crate::scenario::{Scenario, RANKS};
use crate::world::World;

/// Rounds after which a job counts as stuck.
const ROUNDS_MAX: u64 = 50_000;

/// Rounds in a row in which the network was empty, after which a job counts as stuck.
const IDLE_ROUNDS_MAX: u64 = 4_000;

/// Result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Messages sent.
    pub messages: u64,
    /// Rounds of turns.
    pub rounds: u64,
    /// Virtual time, in nanoseconds.
    pub time_ns: u64,
    /// Fingerprint of what the network saw.
    pub fingerprint: u64,
}

/// Plays a seed to its end.
///
/// # Errors
/// The first failure, with the rank and the round.
pub fn run(seed: u64, pool: &mut Pool) -> Result<Summary, String> {
    let mut world = World::new(Scenario::of(seed));
    let net = Net::new(world.scenario.net.clone());
    let mut ranks = join(&net, &world)?;
    let mut random = Random::new(seed ^ 0x7475_726e);
    let outcome = play(&net, &mut world, &mut ranks, pool, &mut random);
    let outcome = outcome.and_then(|()| wind_up(&net, &mut world, &mut ranks, pool, &mut random));
    let outcome = outcome.map_err(|what| {
        format!(
            "seed {seed}, round {}, {:?}: {what}",
            world.round, world.scenario.fault
        )
    });
    // Nothing under way touches the ranks' memory once the ranks are gone.
    (0..RANKS).for_each(|process| net.kill(PeerId(process as u32)));
    ranks.iter_mut().for_each(|rank| rank.release(pool));
    outcome?;
    Ok(Summary {
        messages: world.messages_made,
        rounds: world.round,
        time_ns: net.clock().now().0,
        fingerprint: net.fingerprint(),
    })
}

fn join(net: &Net, world: &World) -> Result<Vec<Rank>, String> {
    let open = |process: usize| {
        let endpoint = net.open(PeerId(process as u32));
        Rank::new(process, Box::new(endpoint), world)
    };
    let ranks: Vec<Rank> = (0..RANKS).map(open).collect();
    let addresses: Vec<_> = ranks.iter().map(Rank::address).collect();
    for rank in &ranks {
        for (peer, address) in addresses.iter().enumerate() {
            rank.add_peer(peer, address)?;
        }
    }
    Ok(ranks)
}

/// Turns in a random order until every rank that lives is done.
fn play(
    net: &Net,
    world: &mut World,
    ranks: &mut [Rank],
    pool: &mut Pool,
    random: &mut Random,
) -> Result<(), String> {
    let mut idle = 0;
    loop {
        world.round += 1;
        world.strike(net);
        let first = random.index(RANKS);
        for at in 0..RANKS {
            let rank = &mut ranks[(first + at) % RANKS];
            if world.is_alive(rank.process) && !random.chance(10) {
                rank.turn(world, pool, random)?;
            }
        }
        let moved = (0..1 + random.below(12)).filter(|_| net.step()).count();
        idle = if moved > 0 { 0 } else { idle + 1 };
        let alive = |rank: &&Rank| world.is_alive(rank.process);
        if world.struck() && ranks.iter().filter(alive).all(|rank| rank.is_done(world)) {
            return Ok(());
        }
        if idle > IDLE_ROUNDS_MAX || world.round > ROUNDS_MAX {
            let stuck = ranks
                .iter()
                .filter(alive)
                .filter(|rank| !rank.is_done(world));
            let stuck: Vec<_> = stuck.map(|rank| rank.describe(world)).collect();
            return Err(format!("stuck:\n  {}", stuck.join("\n  ")));
        }
    }
}

/// Lets the network run empty; nothing more may come of it.
fn wind_up(
    net: &Net,
    world: &mut World,
    ranks: &mut [Rank],
    pool: &mut Pool,
    random: &mut Random,
) -> Result<(), String> {
    let mut quiet = 0;
    while quiet < 20 {
        quiet = if net.step() { 0 } else { quiet + 1 };
        for rank in ranks.iter_mut() {
            if world.is_alive(rank.process) {
                rank.turn(world, pool, random)?;
            }
        }
    }
    for rank in ranks.iter().filter(|rank| world.is_alive(rank.process)) {
        rank.check_empty(world)?;
        rank.core().close();
    }
    Ok(())
}
