//! Choice of a provider and a device, with the reasons against the others.

use std::fs;
use std::path::{Path, PathBuf};

use mca::{Origin, Registry};

use crate::params::{EXCLUDE, INCLUDE, LIBRARY};
use crate::{mr_mode, Error, Hints, Info, Library, Pci};

/// The providers that the user allows, by their full names (`tcp;ofi_rxm`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// The file of libfabric; `None` for the one that the system finds.
    pub library: Option<PathBuf>,
    /// The only providers to use; empty for any.
    pub include: Vec<String>,
    /// Providers not to use, while `include` is empty.
    pub exclude: Vec<String>,
}

impl Filter {
    /// Returns the filter that the parameters of [`crate::PARAMS`] describe.
    ///
    /// # Errors
    /// When providers are both included and excluded.
    pub fn of(registry: &Registry) -> Result<Filter, mca::Error> {
        let library = registry.text(LIBRARY);
        let include = registry.list(INCLUDE).to_vec();
        let origin = registry.origin(EXCLUDE);
        if !include.is_empty() && *origin != Origin::Default {
            return Err(mca::Error::BadValue {
                name: EXCLUDE.into(),
                text: registry.list(EXCLUDE).join(","),
                origin: origin.clone(),
                allowed: format!("nothing while {INCLUDE} is set"),
            });
        }
        Ok(Filter {
            library: (!library.is_empty()).then(|| library.into()),
            include,
            exclude: registry.list(EXCLUDE).to_vec(),
        })
    }

    /// Returns whether a provider may be used; `Err` has the reason against it.
    pub fn admits(&self, provider: &str) -> Result<(), String> {
        let named = |list: &[String]| list.iter().any(|name| name == provider);
        if self.include.is_empty() {
            return match named(&self.exclude) {
                true => Err(format!("excluded by {EXCLUDE}")),
                false => Ok(()),
            };
        }
        match named(&self.include) {
            true => Ok(()),
            false => Err(format!("not in {INCLUDE}")),
        }
    }
}

/// A provider that was found and not chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The provider's full name.
    pub provider: String,
    /// The reason: one clause.
    pub why: String,
}

/// The result of [`choose`].
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The devices of the chosen provider, the best first; empty if none was chosen.
    pub infos: Vec<Info>,
    /// The providers that were found and not chosen. Complete only when nothing was chosen.
    pub refused: Vec<Refusal>,
    /// If none was chosen: the providers that are suitable and excluded by the user's lists.
    pub barred: Vec<String>,
}

impl Verdict {
    /// Returns one line with the remedy, if there is one, and the refusals, grouped by reason.
    pub fn explain(&self) -> String {
        if self.refused.is_empty() {
            return "libfabric has no provider at all".into();
        }
        let mut clauses: Vec<(&str, Vec<&str>)> = Vec::new();
        for Refusal { provider, why } in &self.refused {
            match clauses.iter_mut().find(|(known, _)| known == why) {
                Some((_, providers)) => providers.push(provider),
                None => clauses.push((why, vec![provider])),
            }
        }
        // Refusals for other reasons than the user's lists come first.
        clauses.sort_by_key(|(why, _)| why.contains(INCLUDE) || why.contains(EXCLUDE));
        let reasons = clauses
            .iter()
            .map(|(why, providers)| format!("{}: {why}", providers.join(", ")));
        let advice = self.barred.split_first().map(|(first, others)| {
            let typed = format!("give `--mca {INCLUDE} '{first}'` to use a provider that is there");
            match others.is_empty() {
                true => typed,
                false => format!("{typed} (or '{}')", others.join("', '")),
            }
        });
        advice
            .into_iter()
            .chain(reasons)
            .collect::<Vec<_>>()
            .join("; ")
    }
}

/// Chooses the first provider, in libfabric's order, that the filter allows, that meets the hints
/// and that `fits` accepts; `fits` returns the reason against a provider. The devices of that
/// provider are ordered by their distance from this process. Devices at equal distance are
/// distributed by `local_rank`, the position of this process among those of the node.
///
/// # Errors
/// When libfabric fails. If no provider is suitable, the verdict has no devices.
pub fn choose(
    library: &Library,
    hints: &Hints,
    filter: &Filter,
    local_rank: usize,
    fits: impl Fn(&Info) -> Result<(), String>,
) -> Result<Verdict, Error> {
    let mut verdict = Verdict::default();
    for info in candidates(library, hints, filter)? {
        let chosen = verdict.infos.first();
        if chosen.is_some_and(|first: &Info| first.provider != info.provider) {
            continue;
        }
        match filter.admits(&info.provider).and_then(|()| fits(&info)) {
            Ok(()) => verdict.infos.push(info),
            Err(why) => verdict.refuse(info.provider, why),
        }
    }
    if verdict.infos.is_empty() {
        explain_absence(library, hints, filter, &mut verdict)?;
        for info in library.query(hints)? {
            let barred = filter.admits(&info.provider).is_err() && fits(&info).is_ok();
            if barred && !verdict.barred.contains(&info.provider) {
                verdict.barred.push(info.provider);
            }
        }
    }
    place(&mut verdict.infos, local_rank);
    Ok(verdict)
}

/// Returns the offers that meet the hints. With a list of providers to use, each is queried by
/// name, which saves the time in which the others look for their hardware.
fn candidates(library: &Library, hints: &Hints, filter: &Filter) -> Result<Vec<Info>, Error> {
    if filter.include.is_empty() || hints.provider.is_some() {
        return library.query(hints);
    }
    let mut infos = Vec::new();
    for provider in &filter.include {
        let hints = Hints {
            provider: Some(provider.clone()),
            ..hints.clone()
        };
        infos.extend(library.query(&hints)?);
    }
    Ok(infos)
}

/// Returns the reason against each provider, found by a query without requirements.
fn explain_absence(
    library: &Library,
    hints: &Hints,
    filter: &Filter,
    verdict: &mut Verdict,
) -> Result<(), Error> {
    let anything = Hints {
        mr_mode: !(mr_mode::BASIC | mr_mode::SCALABLE),
        ..Hints::new(0)
    };
    for info in library.query(&anything)? {
        let why = match filter.admits(&info.provider) {
            Err(why) => why,
            Ok(()) => shortcoming(&info, hints),
        };
        verdict.refuse(info.provider, why);
    }
    for provider in &filter.include {
        if !verdict.refused.iter().any(|r| r.provider == *provider) {
            let (version, file) = (library.version(), library.path());
            let why = format!("libfabric {version} ({file}) does not offer it here");
            verdict.refuse(provider.clone(), why);
        }
    }
    Ok(())
}

/// Returns one clause about the hints that a provider does not meet.
fn shortcoming(info: &Info, hints: &Hints) -> String {
    let missing = [
        (crate::caps::MSG, "messages"),
        (crate::caps::TAGGED, "tagged messages"),
        (crate::caps::RMA, "access to remote memory"),
        (crate::caps::ATOMIC, "atomic operations"),
        (
            crate::caps::DIRECTED_RECV,
            "receives that name their sender",
        ),
    ];
    let demanded = [
        (mr_mode::MMU_NOTIFY, "FI_MR_MMU_NOTIFY"),
        (mr_mode::RMA_EVENT, "FI_MR_RMA_EVENT"),
        (mr_mode::RAW, "FI_MR_RAW"),
    ];
    let lacks = missing
        .iter()
        .filter(|(cap, _)| hints.caps & cap != 0 && !info.has(*cap))
        .map(|(_, what)| format!("lacks {what}"));
    let demands = demanded
        .iter()
        .filter(|(bit, _)| info.demands(*bit) && hints.mr_mode & bit == 0)
        .map(|(_, what)| format!("demands {what}"));
    let all: Vec<_> = lacks.chain(demands).collect();
    match all.is_empty() {
        true => "does not offer all that is asked for together".into(),
        false => all.join(", "),
    }
}

impl Verdict {
    fn refuse(&mut self, provider: String, why: String) {
        if !self.refused.iter().any(|r| r.provider == provider) {
            self.refused.push(Refusal { provider, why });
        }
    }
}

/// Moves the device for this process to the front. Only devices on the PCI bus are distributed:
/// software providers offer every network interface, and libfabric's order is the best guess at
/// which of these reaches the peers.
fn place(infos: &mut [Info], local_rank: usize) {
    if infos.iter().any(|info| info.pci.is_none()) {
        return;
    }
    let here = node_of_this_core();
    let distance = |info: &Info| info.pci.map_or(u32::MAX, |pci| distance(here, pci));
    infos.sort_by_key(|info| (distance(info), info.domain.clone()));
    let Some(nearest) = infos.first().map(distance) else {
        return;
    };
    let near = infos.iter().take_while(|info| distance(info) == nearest);
    let near = near.count();
    infos[..near].rotate_left(local_rank % near);
}

/// Returns the NUMA node that this thread runs on; `None` where the system does not say.
#[expect(clippy::disallowed_methods, reason = "getcpu(2) does not wait")]
fn node_of_this_core() -> Option<u32> {
    let (mut core, mut node) = (0u32, 0u32);
    // SAFETY: room for two numbers; the third argument is unused.
    let answer = unsafe { libc::syscall(libc::SYS_getcpu, &mut core, &mut node, 0usize) };
    (answer == 0).then_some(node)
}

/// Returns the distance of a device as the firmware states it; 10 is the node of this core.
fn distance(here: Option<u32>, pci: Pci) -> u32 {
    let Pci {
        domain,
        bus,
        device,
        function,
    } = pci;
    let folder = format!("/sys/bus/pci/devices/{domain:04x}:{bus:02x}:{device:02x}.{function:x}");
    let node = number_of(&Path::new(&folder).join("numa_node"));
    let (Some(here), Some(node)) = (here, node.and_then(|node| usize::try_from(node).ok())) else {
        return 10;
    };
    let table = format!("/sys/devices/system/node/node{here}/distance");
    let table = fs::read_to_string(table).unwrap_or_default();
    let distance = table.split_whitespace().nth(node);
    distance.and_then(|word| word.parse().ok()).unwrap_or(10)
}

fn number_of(file: &Path) -> Option<i64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command_line: &[(&str, &str)]) -> Result<Filter, String> {
        let missing = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        let settings = command_line
            .iter()
            .map(|(name, text)| (name.to_string(), text.to_string()));
        let sources = mca::Sources::new("/p", missing).with_command_line(settings);
        let tables = &[crate::PARAMS];
        let registry = Registry::load(tables, &sources).map_err(|errors| errors.to_string())?;
        Filter::of(&registry).map_err(|error| error.to_string())
    }

    #[test]
    fn names_count_whole_and_as_they_are_written() {
        let filter = of(&[(INCLUDE, "tcp;ofi_rxm,shm")]).unwrap();
        assert_eq!(filter.admits("tcp;ofi_rxm"), Ok(()));
        assert_eq!(filter.admits("shm"), Ok(()));
        for name in ["tcp", "tcp;ofi_rx", "TCP;ofi_rxm", "ofi_rxm", ""] {
            let why = filter.admits(name).unwrap_err();
            assert!(why.contains(INCLUDE), "{name}: {why}");
        }
    }

    #[test]
    fn software_is_excluded_until_it_is_asked_for() {
        let filter = of(&[]).unwrap();
        for name in ["shm", "sockets", "tcp", "tcp;ofi_rxm", "udp;ofi_rxd", "net"] {
            assert!(filter.admits(name).is_err(), "{name}");
        }
        for name in ["verbs;ofi_rxm", "psm2", "cxi", "efa"] {
            assert_eq!(filter.admits(name), Ok(()), "{name}");
        }
        let filter = of(&[(EXCLUDE, "verbs;ofi_rxm")]).unwrap();
        assert_eq!(filter.admits("shm"), Ok(()));
        assert!(filter.admits("verbs;ofi_rxm").is_err());
    }

    #[test]
    fn included_and_excluded_at_once_is_refused_with_its_source() {
        let both = of(&[(INCLUDE, "shm"), (EXCLUDE, "tcp")]).unwrap_err();
        assert!(
            both.contains(EXCLUDE) && both.contains("command line"),
            "{both}"
        );
    }
}
