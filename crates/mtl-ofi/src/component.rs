//! Opens the transport: a provider that can match, a device, an endpoint.

use std::fmt;

use mca::Framework;
use mtl::Caps;
use ofi::{caps, order, Av, Domain, Hints, IdleBackOff, Info, Library, Options, Verdict};

use crate::config::Config;
use crate::endpoint::Endpoint;

/// Why there is no endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// libfabric is not there, or refused a call.
    Libfabric(ofi::Error),
    /// No provider is usable: each that libfabric offers, with the reason.
    NoProvider(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Libfabric(error) => error.fmt(f),
            Error::NoProvider(why) => write!(f, "libfabric has no usable provider: {why}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<ofi::Error> for Error {
    fn from(error: ofi::Error) -> Error {
        Error::Libfabric(error)
    }
}

/// Loads libfabric, chooses a provider and opens an endpoint.
///
/// # Errors
/// When libfabric cannot be loaded, no provider can match, or the chosen one fails.
pub fn open(config: &Config) -> Result<Endpoint, Error> {
    settle_environment();
    let library = Library::load(config.filter.library.as_deref())?;
    let verdict = choose(&library, config)?;
    let Some(info) = verdict.infos.first() else {
        return Err(Error::NoProvider(verdict.explain()));
    };
    let domain = Domain::open(info)?;
    let av = Av::open(&domain, config.peers)?;
    let options = Options {
        queue_size: 0,
        // A nap between polls is to end when something comes.
        wait: info.wakes() && config.sleeps || IdleBackOff::of(info) == IdleBackOff::Nap,
    };
    let endpoint = ofi::Endpoint::open(info, &av, options)?;
    let address = endpoint.address()?;
    Framework::Mtl.debug(format_args!("{info:?} of libfabric {}", library.version()));
    let claim = config.settings.claim;
    let claim = claim.unwrap_or(!info.quirks.breaks_claims);
    Ok(Endpoint::new(
        endpoint,
        address,
        facts(info, config),
        config,
        claim,
    ))
}

/// Sets variables that providers read from the environment when they are first asked, unless the
/// user has set them; libfabric has no other means. Where `ofi_rxm` lets `tcp` write straight into
/// receives, a message that is longer than its receive takes the whole connection down.
fn settle_environment() {
    const DIRECT: &str = "FI_OFI_RXM_ENABLE_DYN_RBUF";
    if environment::var_os(DIRECT).is_none() {
        std::env::set_var(DIRECT, "0");
    }
}

/// Receives that name their sender, with the sender's number beside messages or its address in
/// completions; else what matches at all, where labels have to name the sender.
fn choose(library: &Library, config: &Config) -> Result<Verdict, Error> {
    let rounds = [
        (caps::DIRECTED_RECV, true),
        (caps::DIRECTED_RECV | caps::SOURCE, false),
        (0, false),
    ];
    let mut verdict = Verdict::default();
    for (more, with_data) in rounds {
        let hints = Hints {
            msg_order: order::SAS,
            data_progress: config.settings.data_progress,
            ..Hints::new(caps::MSG | caps::TAGGED | more)
        };
        let fits = |info: &Info| {
            if config.only_hardware && !info.quirks.matches_in_hardware {
                return Err("it does not match in hardware".to_string());
            }
            if with_data && info.cq_data_bytes < SENDER_BYTES {
                return Err("its completions carry fewer than 4 bytes of remote data".to_string());
            }
            match info.quirks.mismatches {
                Some(why) => Err(why.to_string()),
                None => Ok(()),
            }
        };
        verdict = ofi::choose(library, &hints, &config.filter, config.local_rank, fits)?;
        if !verdict.infos.is_empty() {
            break;
        }
    }
    Ok(verdict)
}

/// Bytes beside a label that hold the sender's number.
const SENDER_BYTES: usize = 4;

fn facts(info: &Info, config: &Config) -> Caps {
    let named = info.has(caps::SOURCE) || info.cq_data_bytes >= SENDER_BYTES;
    let directed = info.has(caps::DIRECTED_RECV) && !info.quirks.prefers_directed;
    Caps {
        name: "ofi",
        label_bits: 64 - info.tag_format.leading_zeros(),
        inject_max: info.inject_max,
        message_max: info.message_max as u64,
        directed: named && directed,
        notes: info.cq_data_bytes >= 8,
        in_hardware: info.quirks.matches_in_hardware,
        priority: config.settings.priority,
    }
}
