//! Collective access: ranks exchange what they reach, come to a [`Plan`], and carry it out.
//!
//! ```text
//! all ranks      allgather of reaches, Plan::new
//! each round     1 as client      to each aggregator whose window it reaches:
//!                                   header, lists of runs where they do not fit there, and in a
//!                                   write the data, unless the header offers this rank's memory
//!                2 as aggregator  receives headers and lists; then
//!                     write         reads memory that is offered, and sends receipts; posts
//!                                   receives of other data into its window
//!                     read          reads its window; copies data into memory that is offered;
//!                                   sends each rank an answer, and other data
//!                3 as client      write: takes receipts, sends data that could not be reached
//!                                 read: receives answers, then data
//!                4 as aggregator  write: receives data that could not be reached; begins to write
//!                                 the window, which goes on in the next round
//! write, end     each aggregator reports to its clients whether all was written, and to all
//!                ranks where it may have written gaps between their data
//! ```
//!
//! * Both sides post the messages between two ranks in this order, which is how they match.
//! * Data goes straight from the memory of the application to the aggregator's window and back
//!   where it is contiguous; where it has gaps, it is packed first.
//! * An aggregator that cannot access the file goes on, so that all ranks come to the end and
//!   learn of it.
//! * No lock is held while messages are awaited: two accesses cannot wait for each other.
//! * Where there is more than one round, two windows take turns: one is filled while the other is
//!   written, or read while the data of the other is on its way.
//! * Memory of processes that an aggregator reaches ([`crate::Neighbours`]) is offered to it with a
//!   list of runs: there is one copy then, by the aggregator. A client's memory stays as it is
//!   until the receipt or the answer has come.
//! * Memory: two windows of together `buffer_bytes` and bitmaps of them at an aggregator, and what
//!   a window's data takes at a client whose data has gaps and goes as a message.

use std::sync::Arc;

use base::Mutex;
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
                let mut aggregator =
                    own.map(|index| Aggregator::new(&exchange, index, &settings, direction));
                let mut client = Client::new(&exchange, result);
                match direction {
                    Direction::Write => write(&mut client, &mut aggregator).await?,
                    Direction::Read => read(&mut client, &mut aggregator).await?,
                }
                result = client.outcome;
            }
        }
        *outcome.lock() = result;
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
        let mut messages = client.ask(round, Direction::Write)?;
        if let Some(aggregator) = aggregator {
            let own = std::mem::take(&mut client.own_list);
            messages.extend(aggregator.gather(round, &own).await?);
        }
        messages.extend(client.settle().await?);
        if let Some(aggregator) = aggregator {
            messages.extend(aggregator.receive_missing(round)?);
        }
        exchange.port.all(messages).await?;
        if let Some(aggregator) = aggregator {
            aggregator.write(round);
        }
    }
    let reports = aggregator.as_mut().map_or(Vec::new(), Aggregator::finish);
    client.finish().await?;
    exchange.port.all(reports).await?;
    client.take_in(aggregator);
    Ok(())
}

async fn read(
    client: &mut Client<'_>,
    aggregator: &mut Option<Aggregator<'_>>,
) -> Result<(), Error> {
    let exchange = client.exchange;
    let mut replies = Vec::new();
    for round in 0..exchange.domains.rounds() {
        let sent = client.ask(round, Direction::Read)?;
        let mut posted = Vec::new();
        if let Some(aggregator) = aggregator {
            let own = std::mem::take(&mut client.own_list);
            let bytes;
            (posted, bytes) = aggregator.read(round, &own).await?;
            client.outcome.bytes += bytes;
        }
        client.receive(round).await?;
        exchange.port.all(sent).await?;
        match exchange.domains.turns() {
            1 => exchange.port.all(posted).await?,
            // The window of the round before is the next one's.
            _ => {
                let before = std::mem::replace(&mut replies, posted);
                exchange.port.all(before).await?;
            }
        }
    }
    exchange.port.all(replies).await?;
    client.take_in(aggregator);
    Ok(())
}
