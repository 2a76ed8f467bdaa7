//! Reads the files and variables that name the hosts of a job and the places of ranks.

use crate::allocation::batch::{self, Given};
use crate::allocation::{Allocation, BatchSystem, Granted, HostSources, OwnNames};
use crate::hosts::{self, Entry, Host, Slots};
use crate::map::fixed::Fixed;
use crate::policy::MapBy;
use crate::rankfile::{self, Line};
use crate::request::{Allocations, Request};
use crate::Error;

use super::world::World;

/// Variables that name a file of hosts, used if nothing else names hosts: those of launchers that
/// the operator of Kubernetes starts.
const DEFAULT_FILE_VARIABLES: [&str; 5] = [
    "OXMPI_MCA_orte_default_hostfile",
    "OMPI_MCA_orte_default_hostfile",
    "PRTE_MCA_prte_default_hostfile",
    "HYDRA_HOST_FILE",
    "I_MPI_HYDRA_HOST_FILE",
];

/// The variable with the slots of hosts that are named without any.
const DEFAULT_SLOTS_VARIABLE: &str = "OMPI_MCA_orte_set_default_slots";

/// The host of a rank, and its line in a rank file.
type Rank = (Entry, Option<Line>);

/// Contents of files and variables.
pub(super) struct Files {
    /// About the hosts.
    pub sources: HostSources,
    /// About each rank.
    ranks: Option<Vec<Rank>>,
}

/// Reads all files that the request or the environment name.
pub(super) fn read(request: &Request, world: &World) -> Result<Files, Error> {
    let ranks = ranks(request)?;
    let mut sources = HostSources {
        batch: granted(request, world)?,
        hosts: request.apps.iter().map(|app| app.hosts.clone()).collect(),
        no_local: request.policy.no_local,
        ..HostSources::default()
    };
    for name in &request.host_files {
        let files = sources.files.get_or_insert_with(Vec::new);
        files.extend(host_file(name)?);
    }
    if !request.added.is_empty() {
        sources.batch = None;
        sources.files = Some(request.added.clone());
    }
    let of_environment = DEFAULT_FILE_VARIABLES
        .iter()
        .find_map(|name| world.text(name));
    let default_file = request.default_host_file.clone().or(of_environment);
    let is_explicit = sources.batch.is_some() || sources.files.is_some();
    match (default_file, &ranks) {
        _ if is_explicit => {}
        // Open MPI's name for no file.
        (Some(name), _) if name != "none" && !name.is_empty() => {
            let mut entries = host_file(&name)?;
            set_default_slots(&mut entries, world);
            sources.default_file = Some(entries);
        }
        // Where nothing else names hosts, those of the ranks are all that there are.
        (_, Some(ranks)) if sources.hosts.iter().all(Vec::is_empty) => {
            let named = ranks.iter().map(|(entry, _)| entry);
            let named = named.filter(|entry| matches!(entry.host, Host::Name(_)));
            let one_each = |entry: &Entry| Entry {
                slots: Slots::Count(1),
                ..entry.clone()
            };
            let entries: Vec<Entry> = named.map(one_each).collect();
            sources.files = Some(entries).filter(|entries| !entries.is_empty());
        }
        _ => {}
    }
    Ok(Files { sources, ranks })
}

/// Returns the hosts that a batch system has allocated. Slurm's slots are tasks; where ranks get
/// processors of their own, slots count these.
fn granted(request: &Request, world: &World) -> Result<Option<Granted>, Error> {
    let only = match request.allocations {
        Allocations::OfAll => None,
        Allocations::Of(system) => Some(system),
        Allocations::OfNone => return Ok(None),
    };
    let mut granted = batch::allocation(&Given {
        variable: &|name| world.text(name),
        file: &|name| std::fs::read_to_string(name),
        flux: &world.flux,
        only,
    })?;
    let by_slurm = granted.iter_mut();
    let by_slurm = by_slurm.filter(|granted| granted.system == BatchSystem::Slurm);
    let each = world
        .text("SLURM_CPUS_PER_TASK")
        .and_then(|text| text.parse::<u32>().ok());
    if let (Some(_), Some(each)) = (request.policy.processors, each) {
        for entry in by_slurm.flat_map(|granted| &mut granted.entries) {
            if let Slots::Count(tasks) = &mut entry.slots {
                *tasks = tasks.saturating_mul(each.max(1));
            }
        }
    }
    Ok(granted)
}

fn set_default_slots(entries: &mut [Entry], world: &World) {
    let slots = world.text(DEFAULT_SLOTS_VARIABLE);
    let slots = slots
        .and_then(|text| text.parse().ok())
        .filter(|&slots| slots > 0);
    if let Some(slots) = slots {
        let unsaid = entries
            .iter_mut()
            .filter(|entry| entry.slots == Slots::Unspecified);
        unsaid.for_each(|entry| entry.slots = Slots::Count(slots));
    }
}

/// The lines of a rank file, or of the hosts of a sequence; `None` when the map needs neither.
fn ranks(request: &Request) -> Result<Option<Vec<Rank>>, Error> {
    let policy = &request.policy;
    let missing = |wanted: &str| crate::error::invalid_value("--map-by", "", wanted);
    match policy.map {
        MapBy::RankFile => {
            let wanted = "a file, as rankfile:file=NAME";
            let name = policy.file.as_ref().ok_or_else(|| missing(wanted))?;
            let lines = rankfile::parse(name, &content("rank file", name)?)?;
            let rank = |line: Line| (line.entry.clone(), Some(line));
            Ok(Some(lines.into_iter().map(rank).collect()))
        }
        MapBy::Sequence => {
            let own = policy.file.iter().chain(&request.host_files).next();
            let name = own.ok_or_else(|| missing("a file, as seq:file=NAME or --hostfile NAME"))?;
            let entries = host_file(name)?;
            Ok(Some(
                entries.into_iter().map(|entry| (entry, None)).collect(),
            ))
        }
        _ => Ok(None),
    }
}

/// Returns the hosts of a host file; at least one.
pub fn host_file(name: &str) -> Result<Vec<Entry>, Error> {
    let entries = hosts::parse_file(name, &content("host file", name)?)?;
    match entries.is_empty() {
        true => Err(Error::File {
            what: "host file",
            name: name.to_string(),
            reason: "no host in it".to_string(),
        }),
        false => Ok(entries),
    }
}

fn content(what: &'static str, name: &str) -> Result<String, Error> {
    std::fs::read_to_string(name).map_err(|e| Error::File {
        what,
        name: name.to_string(),
        reason: e.to_string(),
    })
}

impl Files {
    /// Returns the place of each rank, where a file gives it.
    pub(super) fn fixed(
        self,
        allocation: &Allocation,
        own: &OwnNames,
    ) -> Result<Option<Vec<Fixed>>, Error> {
        let Some(ranks) = self.ranks else {
            return Ok(None);
        };
        let place = |(entry, line): Rank| {
            let node = allocation.find(&entry.host, own);
            match (node, line) {
                (Some(node), line) => Ok(Fixed { node, line }),
                (None, Some(line)) => {
                    let wanted = "on one of the hosts of the job";
                    Err(rankfile::refuse(&line.source, wanted))
                }
                (None, None) => Err(Error::HostNotAllocated {
                    host: entry.host.to_string(),
                    source: "the hosts of the job",
                }),
            }
        };
        ranks
            .into_iter()
            .map(place)
            .collect::<Result<_, _>>()
            .map(Some)
    }
}
