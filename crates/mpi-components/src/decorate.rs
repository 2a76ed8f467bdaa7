//! Chooses a layer of the framework `vprotocol` to put over the point-to-point layer: none, unless
//! the user names some; of those the one with the highest priority.

use std::error::Error as StdError;
use std::fs::File;
use std::io;
use std::path::PathBuf;

use bootstrap::native::journal;
use bootstrap::{native, Identity};
use engine::{Decorate, Decorated, Plain};
use mca::{Candidate, Choice, Framework, QueryReply, Registry};
use vprotocol_pessimist::events::{EventLog, StableWords};
use vprotocol_pessimist::payload::Storage;
use vprotocol_pessimist::{CallHistory, Copied, Pessimist, Ring, Stable};
use vprotocol_trace::Trace;

/// The components of the framework `vprotocol`.
pub const TABLE: [(&str, &str); 2] = [
    (
        PESSIMIST,
        "logs messages, so that a rank can be started again",
    ),
    ("trace", "counts and prints what passes"),
];
const NAMES: &[&str] = &mca::names(&TABLE);
const PESSIMIST: &str = "pessimist";

/// Bytes behind the event log for the sends and receives of the program: a million.
const HISTORY_BYTES: usize = 8 << 20;

/// Facts that decide which layer can serve.
pub struct Facts<'a> {
    pub identity: &'a Identity,
    /// Messages are matched by this process, not by its network.
    pub matches: bool,
    /// This is the next life of a rank that was killed.
    pub is_next_life: bool,
}

/// Whether the user wants messages to be logged: what goes past them is off then.
pub fn is_logged(registry: &Registry) -> bool {
    let named = registry.list(Framework::Vprotocol.name());
    named.iter().any(|name| name == PESSIMIST)
}

/// Returns what puts the chosen layer over the point-to-point layer, and why it was chosen; nothing
/// where the user names none.
///
/// # Errors
/// When none of those named can serve.
pub fn choose(
    registry: &Registry,
    facts: &Facts<'_>,
) -> Result<Option<(Decorate, Choice)>, mca::Error> {
    if registry.list(Framework::Vprotocol.name()).is_empty() {
        return Ok(None);
    }
    let list = registry.components(Framework::Vprotocol, NAMES)?;
    let candidates = vec![
        Candidate::new(PESSIMIST, || query_pessimist(registry, facts)),
        Candidate::new("trace", || {
            let prints = registry.int(vprotocol_trace::VERBOSE) > 0;
            let decorate: Decorate =
                Box::new(move |plain: Plain| Box::new(Trace::over(plain, prints)));
            Ok(QueryReply::Usable {
                priority: registry.int(vprotocol_trace::PRIORITY) as i32,
                module: decorate,
            })
        }),
    ];
    let (chosen, choice) = mca::select_one(Framework::Vprotocol, &list, candidates)?;
    Ok(Some((chosen.module, choice)))
}

fn query_pessimist(
    registry: &Registry,
    facts: &Facts<'_>,
) -> Result<QueryReply<Decorate>, Box<dyn StdError>> {
    let declines = |why: &str| Ok(QueryReply::Declines(why.into()));
    if !facts.matches {
        return declines("a network that matches messages does not show what it matches: use ob1");
    }
    let Some(descriptor) = environment::var(native::EVENT_LOG_VARIABLE) else {
        return declines("only ranks of this project's mpirun have an event log");
    };
    let descriptor = descriptor.parse()?;
    let stable = vprotocol_pessimist::open(descriptor, native::EVENT_LOG_BYTES)?;
    let (stable, history) = stable.split(HISTORY_BYTES);
    let log = EventLog::open(copied(stable)?)
        .map_err(|damage| format!("the event log of this rank is damaged: {damage}"))?;
    let history = CallHistory::open(Box::new(history)).map_err(|damage| {
        format!("the record of what this rank has sent and received is damaged: {damage}")
    })?;
    let storage = storage(registry)?;
    let nodes = &facts.identity.nodes;
    let here = nodes.get(facts.identity.peer.index());
    let near = (0..facts.identity.size as usize).map(|rank| nodes.get(rank) == here);
    let near = near.collect();
    let settings = vprotocol_pessimist::Settings {
        me: facts.identity.peer,
        peers: facts.identity.size,
        is_next_life: facts.is_next_life,
        logs_remote_only: registry.choice(vprotocol_pessimist::PAYLOAD)
            == vprotocol_pessimist::REMOTE,
        reports: registry.int(vprotocol_trace::VERBOSE) > 0,
    };
    let decorate: Decorate = Box::new(move |plain| match Pessimist::over(plain, settings, log) {
        Ok(layer) => Box::new(layer.storing(storage, near).comparing(history)) as Decorated,
        Err(_) => unreachable!("it was asked above whether the layer matches"),
    });
    Ok(QueryReply::Usable {
        priority: registry.int(vprotocol_pessimist::PRIORITY) as i32,
        module: decorate,
    })
}

/// Keeps a copy of an event log on another host, where the launcher requests it.
fn copied(log: Stable) -> io::Result<Box<dyn StableWords>> {
    let Some(value) = environment::var(native::JOURNAL_VARIABLE) else {
        return Ok(Box::new(log));
    };
    let (socket, memory) = journal::adopt(&value)?;
    let memory = vprotocol_pessimist::open(memory, journal::BYTES)?;
    let ring = Ring {
        stores: journal::STORES,
        place: journal::place,
    };
    Ok(Box::new(Copied::new(log, memory, ring, socket)))
}

/// Returns where copies of messages lie: in files that the launcher holds as well.
fn storage(registry: &Registry) -> Result<Storage, Box<dyn StdError>> {
    let named = environment::var(native::PAYLOAD_LOG_VARIABLE).unwrap_or_default();
    let descriptors = named.split(',').filter(|number| !number.is_empty());
    let files: Result<Vec<File>, Box<dyn StdError>> = descriptors
        .map(|number| Ok(vprotocol_pessimist::open_file(number.parse()?)?))
        .collect();
    let mut files = files?.into_iter();
    let memory = files.next();
    let folder = registry.text(vprotocol_pessimist::FILE);
    let file = files.next().map(|file| (file, PathBuf::from(folder)));
    if !folder.is_empty() && file.is_none() {
        let name = vprotocol_pessimist::FILE;
        let why = format!(
            "mpirun has made no file in `{folder}`: say `--mca {name} {folder}` on its command \
             line, or OXMPI_MCA_{name}={folder} in its environment"
        );
        return Err(why.into());
    }
    Ok(Storage {
        memory,
        memory_bytes: registry.size(vprotocol_pessimist::MEMORY) as u64,
        file,
    })
}
