//! Collective access: ranks exchange what they reach, come to a [`Plan`], and carry it out.
//!
//! ```text
//! all ranks      allgather of reaches, Plan::new
//! each round     1 as client      to each aggregator whose window it reaches:
//!                                   header, list of runs where it does not fit there, data (write)
//!                2 as aggregator  receives headers and lists; then
//!                     write         receives data into its window, writes the window
//!                     read          reads its window; sends each rank an answer, and its data
//!                3 as client      read: receives answers, then data
//! write, end     each aggregator tells its clients whether all was written, or all ranks
//!                where it may have written gaps between their data
//! ```
//!
//! * Both sides post the messages between two ranks in this order, which is how they match.
//! * Data goes straight from the memory of the application to the aggregator's window and back
//!   where it is contiguous; where it has gaps, it is packed first.
//! * An aggregator that cannot access the file goes on, so that all ranks come to the end and
//!   learn of it.
//! * No lock is held while messages are awaited: two accesses cannot wait for each other.
//! * Memory: a window and a bitmap of it at an aggregator, and what a window's data takes at a
//!   client whose data has gaps.

use std::sync::{Arc, Mutex, PoisonError};

use coll::{Blocks, Error, Port, Rules, Running, Team};
use datatype::Buffer;

use crate::access::{Access, Failure, Independent, Outcome};
use crate::aggregator::Aggregator;
use crate::client::Client;
use crate::exchange::Exchange;
use crate::plan::{Domains, Plan, Reach, Settings, Switch};
use crate::{Direction, Run};

/// Begins a collective access. The outcome is complete when the algorithm is.
pub fn begin(
    port: &Port,
    rules: &Rules,
    team: Team,
    direction: Direction,
    settings: Settings,
    access: Access,
    independent: Independent,
    outcome: Arc<Mutex<Outcome>>,
) -> Running {
    let (port, rules) = (port.clone(), rules.clone());
    Box::pin(async move {
        let (reaches, position) = exchange_reaches(&port, &rules, team, &access).await?;
        let plan = Plan::new(&reaches, &settings, direction);
        let mut result = Outcome {
            failure: position.err().map(Failure::Position),
            plan: Some(plan.clone()),
            ..Outcome::default()
        };
        match plan {
            Plan::Nothing => {}
            Plan::Independent(_) => match independent() {
                Ok(bytes) => result.bytes = bytes,
                Err(error) => {
                    result.failure.get_or_insert(Failure::Independent(error));
                }
            },
            Plan::TwoPhase(domains) => {
                let exchange = Exchange {
                    port: &port,
                    team,
                    reaches: &reaches,
                    domains: &domains,
                    access: &access,
                    ends_together: fills_gaps(&reaches, &domains, &settings, direction),
                };
                let own = |rank: &u32| *rank == team.rank;
                let own = domains.aggregators().iter().position(own);
                let mut aggregator = own.map(|index| Aggregator::new(&exchange, index, &settings));
                let mut client = Client::new(&exchange, result);
                match direction {
                    Direction::Write => write(&mut client, &mut aggregator).await?,
                    Direction::Read => read(&mut client, &mut aggregator).await?,
                }
                result = client.outcome;
            }
        }
        *outcome.lock().unwrap_or_else(PoisonError::into_inner) = result;
        Ok(())
    })
}

/// Whether an aggregator may write bytes that are nobody's data as they were before. No rank may
/// end the call before all aggregators have: its next write may be there.
fn fills_gaps(
    reaches: &[Reach],
    domains: &Domains,
    settings: &Settings,
    direction: Direction,
) -> bool {
    let bytes: u128 = reaches.iter().map(|reach| u128::from(reach.bytes)).sum();
    let may = direction == Direction::Write && settings.sieve != Switch::Disable;
    may && bytes < u128::from(domains.whole().length)
}

/// Gives every rank the reaches of all. A rank whose positions do not fit has no data.
async fn exchange_reaches(
    port: &Port,
    rules: &Rules,
    team: Team,
    access: &Access,
) -> Result<(Vec<Reach>, Result<(), crate::Error>), Error> {
    let bytes = access.buffer.len() as u64;
    let range = match access.ordered {
        true => access.view.range(access.position, bytes),
        // The plan for data without order asks for no range.
        false => Ok(Run::default()),
    };
    let own = range.as_ref().map_or(Reach::default(), |range| Reach {
        first: range.offset,
        end: range.end(),
        bytes,
        runs: access.view.runs_of(bytes),
        disordered: !access.ordered,
    });
    let mine = port.scratch(Reach::BYTES);
    mine.write(0, &own.encode());
    let all = port.scratch(Reach::BYTES * team.size as usize);
    let blocks = Blocks::even(Buffer::bytes(all), team.size);
    coll::allgather(port, rules, team, Some(Buffer::bytes(mine)), blocks).await?;
    let reach = |rank: u32| {
        let mut message = [0; Reach::BYTES];
        all.read(rank as usize * Reach::BYTES, &mut message);
        Reach::decode(&message)
    };
    Ok(((0..team.size).map(reach).collect(), range.map(|_| ())))
}

async fn write(
    client: &mut Client<'_>,
    aggregator: &mut Option<Aggregator<'_>>,
) -> Result<(), Error> {
    let exchange = client.exchange;
    for round in 0..exchange.domains.rounds() {
        let sent = client.ask(round, Direction::Write)?;
        if let Some(aggregator) = aggregator {
            let own = std::mem::take(&mut client.own_list);
            aggregator.write(round, &own).await?;
        }
        exchange.port.all(sent).await?;
    }
    let told = aggregator.as_mut().map_or(Vec::new(), Aggregator::finish);
    client.finish().await?;
    exchange.port.all(told).await?;
    client.take_in(aggregator);
    Ok(())
}

async fn read(
    client: &mut Client<'_>,
    aggregator: &mut Option<Aggregator<'_>>,
) -> Result<(), Error> {
    let exchange = client.exchange;
    for round in 0..exchange.domains.rounds() {
        let sent = client.ask(round, Direction::Read)?;
        let mut replies = Vec::new();
        if let Some(aggregator) = aggregator {
            let own = std::mem::take(&mut client.own_list);
            let (posted, bytes) = aggregator.read(round, &own).await?;
            replies = posted;
            client.outcome.bytes += bytes;
        }
        client.receive(round).await?;
        exchange.port.all(sent).await?;
        exchange.port.all(replies).await?;
    }
    client.take_in(aggregator);
    Ok(())
}
