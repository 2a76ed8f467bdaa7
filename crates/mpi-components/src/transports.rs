//! Opens the transports of this process, and chooses how long it polls before it sleeps.

use std::cell::RefCell;

use bootstrap::Identity;
use btl::Transport;
use engine::{Engine, Settings};
use mca::{Candidate, Choice, Framework, QueryReply, Registry, Verdict};
use sync::Patience;

use crate::cores::Cores;
use crate::discovery::{may_match_in_hardware, Discovered};
use crate::explain::Device;
use mpi_local::{Class, Error};

use crate::storage;

/// The components of the framework `btl`.
pub const TABLE: [(&str, &str); 4] = [
    ("self", "a process to itself"),
    ("sm", "shared memory between processes of one machine"),
    ("tcp", "TCP over IPv4 and IPv6"),
    ("ofi", "libfabric's messages and access to memory"),
];
pub const TRANSPORTS: &[&str] = &mca::names(&TABLE);

/// Parameter that says whether another transport carries a process's messages to itself.
pub const SELF_EXCLUSIVITY: &str = "btl_self_exclusivity";

/// The transports that serve, and what was decided about each candidate.
type Opened = (Vec<Box<dyn Transport>>, Vec<Choice>);

/// Opens the transports that the parameters admit and that can serve, and returns why the others do
/// not, and what they chose inside themselves. A failure of one that the user named is printed.
///
/// # Errors
/// When TCP was requested, or has a parameter of where to listen, and fails, which its parameters
/// decide; when the shared-memory transport lacks the single-copy component that a parameter names;
/// or when nothing is left that reaches another process.
pub fn open_transports(
    identity: &Identity,
    registry: &Registry,
    life: u64,
    found: &Discovered,
) -> Result<Opened, Error> {
    let wanted = registry
        .components(Framework::Btl, TRANSPORTS)
        .map_err(Error::other)?;
    let alone = identity.size == 1;
    let single_copy = RefCell::new(None);
    let candidates = TRANSPORTS.iter().map(|&name| {
        let (demanded, single_copy) = (wanted.demands(name), &single_copy);
        Candidate::new(name, move || match name {
            "self" => Ok(opened(open_self(identity, registry))),
            _ if alone => Ok(QueryReply::Declines("this process is alone".into())),
            "sm" => {
                let sm = open_sm(identity, registry, life)?;
                single_copy.replace(Some(sm.single_copy().clone()));
                found.count(sm.registrations());
                Ok(opened(sm))
            }
            "ofi" => match demanded || may_have_network(identity, registry) {
                true => {
                    let ofi = open_ofi(identity, registry, life)?;
                    let (scalable, contexts) = (ofi.is_scalable(), ofi.contexts());
                    let device = Device::new("btl ofi", ofi.device(), scalable, contexts);
                    found.devices.borrow_mut().push(device);
                    found.count([ofi.registrations()]);
                    Ok(opened(ofi))
                }
                false => Ok(QueryReply::Declines("no device that it drives".into())),
            },
            _ => Ok(opened(open_tcp(identity, registry)?)),
        })
    });
    let refuse = |why: mca::Error| match (alone, &why) {
        (true, mca::Error::NoneUsable(_)) => Error::other(format!("{why}; {REACHES_ITSELF}")),
        _ => Error::other(why),
    };
    let (selected, choice) =
        mca::select_all(Framework::Btl, &wanted, candidates.collect()).map_err(refuse)?;
    let transports: Vec<_> = selected.into_iter().map(|one| one.module).collect();
    let elsewhere = transports.iter().any(|one| one.caps().name != "self");
    let failed = |(_, verdict): &(_, Verdict)| matches!(verdict, Verdict::Failed(_));
    if !alone && !elsewhere && choice.considered.iter().any(failed) {
        return Err(Error::other(mca::Error::NoneUsable(choice)));
    }
    for (name, verdict) in &choice.considered {
        match verdict {
            Verdict::Failed(_)
                if *name == "tcp" && (wanted.demands(name) || must_listen(registry)) =>
            {
                return Err(Error::other(&choice));
            }
            Verdict::Failed(_) if *name == "sm" && btl_sm::names_single_copy(registry) => {
                return Err(Error::other(&choice));
            }
            Verdict::Failed(why) if wanted.demands(name) => {
                Framework::Btl.warn(format_args!("{name} is not used: {why}"));
            }
            _ => {}
        }
    }
    let inside = single_copy.into_inner();
    Ok((transports, [choice].into_iter().chain(inside).collect()))
}

/// Returns the error of a process that cannot be introduced, perhaps this one itself.
pub fn unreached(error: &engine::Error, is_itself: bool) -> Error {
    match error {
        engine::Error::Unreachable(_) if is_itself => {
            Error::other(format!("{error}; {REACHES_ITSELF}"))
        }
        _ => Error::other(error),
    }
}

/// Advice for errors where no transport reaches the process itself.
const REACHES_ITSELF: &str =
    "a process reaches itself over self: add that to the list, as in `--mca btl self,tcp`";

/// Advice for errors where no transport reaches a process of another job.
pub const REACHED_BY: &str =
    "processes of other jobs are reached over sm or tcp: let `--mca btl` have one of them";

/// Opens the transports that a process without peers has not opened, for processes of other jobs.
///
/// # Errors
/// When none can be opened: why.
pub fn open_late(
    identity: &Identity,
    registry: &Registry,
) -> Result<Vec<Box<dyn Transport>>, Error> {
    let wanted = registry
        .components(Framework::Btl, TRANSPORTS)
        .map_err(Error::other)?;
    let candidates = ["sm", "tcp"].map(|name| {
        Candidate::new(name, move || match name {
            // Without a world its number is known to none.
            "sm" => Ok(opened(open_sm(identity, registry, 0)?)),
            _ => Ok(opened(open_tcp(identity, registry)?)),
        })
    });
    let refuse = |why: mca::Error| {
        let text = format!("{why}; {REACHED_BY}");
        Error::new(Class::UnsupportedOperation, text)
    };
    let (selected, choice) =
        mca::select_all(Framework::Btl, &wanted, candidates.into()).map_err(refuse)?;
    match selected.is_empty() {
        true => Err(refuse(mca::Error::NoneUsable(choice))),
        false => Ok(selected.into_iter().map(|one| one.module).collect()),
    }
}

/// Whether a parameter says on which interfaces or ports TCP listens, so that it has to.
fn must_listen(registry: &Registry) -> bool {
    let names = [
        "btl_tcp_if_include",
        "btl_tcp_if_exclude",
        "btl_tcp_port_min_v4",
        "btl_tcp_port_min_v6",
    ];
    let set = |name: &str| *registry.origin(name) != mca::Origin::Default;
    names.into_iter().any(set)
}

/// A transport that can serve. The order among them is decided for each peer (`bml`).
fn opened(transport: impl Transport + 'static) -> QueryReply<Box<dyn Transport>> {
    QueryReply::Usable {
        priority: transport.caps().exclusivity as i32,
        module: Box::new(transport),
    }
}

fn open_self(identity: &Identity, registry: &Registry) -> btl_self::Loopback {
    let params = btl_self::Params {
        exclusivity: registry.int(SELF_EXCLUSIVITY) as u32,
        ..btl_self::Params::default()
    };
    btl_self::open_with(identity.peer, params)
}

fn open_sm(
    identity: &Identity,
    registry: &Registry,
    life: u64,
) -> Result<btl_sm::Sm, Box<dyn std::error::Error>> {
    let watch = || {
        let monitor = storage::monitor(registry).ok()??;
        Some(Box::new(monitor.subscribe()) as Box<dyn memory::release::Watch + Send>)
    };
    let caching = btl_sm::Caching {
        limits: storage::cache_limits(registry),
        watch: &watch,
    };
    let mut config = btl_sm::Config::new(identity.peer, registry)?;
    config.generation = crate::life::generation_of(life);
    config.attach_late = identity.launcher == bootstrap::Launcher::Native;
    config.crowded = patience(identity, registry).spin.is_zero();
    Ok(btl_sm::open_caching(config, caching)?)
}

fn open_tcp(
    identity: &Identity,
    registry: &Registry,
) -> Result<btl_tcp::Transport, Box<dyn std::error::Error>> {
    let config = btl_tcp::Config {
        me: identity.peer,
        secret: identity.secret.0,
        job: identity.job,
        one_host: identity.local_size() == identity.size,
        settings: btl_tcp::Settings::of(registry)?,
    };
    Ok(btl_tcp::open(config)?)
}

fn open_ofi(
    identity: &Identity,
    registry: &Registry,
    life: u64,
) -> Result<btl_ofi::Transport, String> {
    let wrong = |error: mca::Error| error.to_string();
    let settings = btl_ofi::Settings {
        cache: storage::cache_limits(registry),
        print_stats: registry.bool("rcache_grdma_print_stats"),
        wait_fd: match registry.choice("btl_ofi_wait_fd") {
            "auto" => sleeps(identity, registry),
            word => word == "1",
        },
        ..btl_ofi::Settings::of(registry)
    };
    let monitor = match settings.mode {
        // Messages alone leave nothing in the cache.
        btl_ofi::Mode::TwoSided => None,
        _ => storage::monitor(registry).map_err(wrong)?,
    };
    let config = btl_ofi::Config {
        me: identity.peer,
        local_rank: identity.local_rank() as usize,
        opening: Some(opening(identity, life)),
        filter: ofi::Filter::of(registry).map_err(wrong)?,
        settings,
        monitor,
    };
    btl_ofi::open(config).map_err(|error| error.to_string())
}

/// A number for one life of a process: no other life on its node in its job has it, and lives of
/// other jobs hardly do.
fn opening(identity: &Identity, life: u64) -> u64 {
    let local = u64::from(identity.local_size());
    let of_job = identity.job % u64::from(u32::MAX);
    of_job + life * local + u64::from(identity.local_rank())
}

/// Whether there may be something for libfabric to drive: a device, or, in a job of several
/// nodes, a provider that the user named. Else libfabric is not even loaded, which takes longer
/// than all the rest of starting.
fn may_have_network(identity: &Identity, registry: &Registry) -> bool {
    let spread = identity.local_size() < identity.size;
    let named = ofi::Filter::of(registry).is_ok_and(|filter| !filter.include.is_empty());
    may_match_in_hardware() || spread && named
}

/// How long this process waits awake.
fn patience(identity: &Identity, registry: &Registry) -> Patience {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    patience_of(registry, identity.local_size() as usize, cores)
}

/// How long a process waits awake that shares `cores` with others, `ranks` in all.
fn patience_of(registry: &Registry, ranks: usize, cores: usize) -> Patience {
    match registry.choice("mpi_yield_when_idle") {
        "0" => Patience::measure(1, 1),
        "1" => Patience::measure(2, 1),
        _ => Patience::measure(ranks, cores),
    }
}

/// Sets how long waits stay awake by the cores that this process shares with `others` of its
/// node. A limit on processor time stays as it was seen at the start.
pub fn share_cores(engine: &Engine, registry: &Registry, own: &Cores, others: &[Cores]) {
    let usable = std::thread::available_parallelism().map_or(1, usize::from);
    if usable == own.count() {
        let (ranks, cores) = own.shared_with(others);
        engine.set_patience(patience_of(registry, ranks, cores));
    }
}

/// Whether this process sleeps as soon as it waits, or has a thread that does: then an arrival has
/// to wake it, though that makes each message a little dearer. A process that polled once a
/// millisecond would reply to its peers so late.
pub fn sleeps(identity: &Identity, registry: &Registry) -> bool {
    patience(identity, registry).spin.is_zero() || registry.bool("osc_progress_thread")
}

/// Returns the settings of the engine.
pub fn settings(identity: &Identity, registry: &Registry) -> Settings {
    let ranks = identity.local_size() as usize;
    let unexpected_limit = match registry.size("pml_ob1_unexpected_limit") {
        0 => share_of_memory(identity.size, ranks as u32),
        limit => limit as u64,
    };
    Settings {
        peers: identity.size as usize,
        own: Some(identity.peer),
        unexpected_limit,
        patience: patience(identity, registry),
    }
}

/// Returns an eighth of the machine's memory, divided among the processes here and their peers; at
/// least 4 MiB and at most 1 GiB, which peers rely on (`ob1::Config::WINDOW_MAX`).
fn share_of_memory(size: u32, local: u32) -> u64 {
    let total = std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        });
    let total = total.unwrap_or(1 << 20) * 1024;
    (total / 8 / u64::from(local.max(1)) / u64::from(size.max(1))).clamp(4 << 20, 1 << 30)
}
