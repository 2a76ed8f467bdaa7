//! Chooses the point-to-point layer: `ob1` over the transports, or `cm` over a network that
//! matches.
//!
//! `--mca pml cm` demands the network, `--mca pml ob1` forbids it, and `--mca pml cm,ob1` tries it.
//! By default it is used if the job spans several nodes and a provider of libfabric matches in
//! hardware, and messages are not logged: what runs on one node is faster over shared memory, and a
//! log needs to see what is matched. Processes that chose differently find out when they meet,
//! before any message (`engine::Error::OtherLayer`).

use std::cell::RefCell;

use bml::Bml;
use bootstrap::Identity;
use cm::{Cm, TagMode};
use engine::{Core, Engine, Plain};
use mca::{Candidate, Choice, ComponentList, Framework, QueryReply, Registry, Verdict};
use pml::Context;
use sync::Gate;

use crate::decorate;
use crate::discovery::{may_match_in_hardware, Discovered};
use crate::explain::Device;
use crate::life::is_restarted;
use crate::transports::{open_transports, settings, sleeps};
use mpi_local::Error;

/// The components of the frameworks `pml` and `mtl`.
pub const LAYER_TABLE: [(&str, &str); 2] = [
    ("ob1", "matching and protocols over byte transfer layers"),
    ("cm", "messages over a network that matches them"),
];
pub const NETWORK_TABLE: [(&str, &str); 1] = [("ofi", "libfabric's labelled messages")];
pub const LAYERS: &[&str] = &mca::names(&LAYER_TABLE);
pub const NETWORKS: &[&str] = &mca::names(&NETWORK_TABLE);

/// Parameter that says which layer is preferred where both can serve.
pub const OB1_PRIORITY: &str = "pml_ob1_priority";
const OFI_PRIORITY: &str = "mtl_ofi_priority";

/// Opens the layer that moves messages, and returns what was chosen in each framework.
///
/// # Errors
/// When no layer can serve, or the transports of `ob1` cannot be opened.
pub fn open_engine(
    identity: &Identity,
    registry: &Registry,
    life: u64,
    gate: fn(Core) -> Gate<Core>,
) -> Result<(Engine, Vec<Choice>, Vec<Device>), Error> {
    let found = Discovered::default();
    let settings = settings(identity, registry);
    let layers = registry
        .components(Framework::Pml, LAYERS)
        .map_err(Error::other)?;
    let candidates = vec![
        Candidate::new("cm", || {
            query_network(identity, registry, &layers, &found.devices)
        }),
        // The transports are opened once this is chosen.
        Candidate::new("ob1", || {
            Ok(QueryReply::Usable {
                priority: registry.int(OB1_PRIORITY) as i32,
                module: None,
            })
        }),
    ];
    let (chosen, pml) =
        mca::select_one(Framework::Pml, &layers, candidates).map_err(Error::other)?;
    if let Some((_, Verdict::Failed(why))) = pml.considered.first() {
        Framework::Pml.warn(format_args!("cm is not used: {why}"));
    }
    let facts = decorate::Facts {
        identity,
        matches: chosen.module.is_none(),
        is_next_life: is_restarted(life),
    };
    let (decorate, above) = decorate::choose(registry, &facts)
        .map_err(Error::other)?
        .unzip();
    let mut choices: Vec<Choice> = above.into_iter().chain([pml]).collect();
    let plain = match chosen.module {
        Some(cm) => Plain::over_network(cm),
        None => {
            let (transports, below) = open_transports(identity, registry, life, &found)?;
            choices.extend(below);
            Plain::over_lanes(Bml::new(transports), &settings)
        }
    };
    let engine = Engine::over(plain, decorate, settings.patience, gate);
    engine.counters().count_caches(found.registrations.take());
    Ok((engine, choices, found.devices.take()))
}

/// Queries the network that matches. That it cannot serve is a failure only where it was requested.
fn query_network(
    identity: &Identity,
    registry: &Registry,
    layers: &ComponentList,
    devices: &RefCell<Vec<Device>>,
) -> Result<QueryReply<Option<Cm>>, Box<dyn std::error::Error>> {
    let networks = registry.components(Framework::Mtl, NETWORKS)?;
    let asked = layers.demands("cm") || !layers.admits("ob1") || networks.demands("ofi");
    let spread = identity.local_size() < identity.size;
    if !asked && !spread {
        let why = "shared memory is faster on one node, unless `--mca pml cm` says otherwise";
        return Ok(QueryReply::Declines(why.into()));
    }
    if !asked && !may_match_in_hardware() {
        let why = "no device that matches in hardware";
        return Ok(QueryReply::Declines(why.into()));
    }
    if decorate::is_logged(registry) && layers.admits("ob1") && !networks.demands("ofi") {
        let why = "a log of messages needs to see what is matched";
        return Ok(QueryReply::Declines(why.into()));
    }
    match open_ofi(identity, registry, &networks, asked, devices) {
        Ok(cm) => Ok(QueryReply::Usable {
            priority: registry.int(OFI_PRIORITY) as i32,
            module: Some(cm),
        }),
        Err(why) if asked => Err(why.into()),
        Err(why) => Ok(QueryReply::Declines(why)),
    }
}

fn open_ofi(
    identity: &Identity,
    registry: &Registry,
    networks: &ComponentList,
    asked: bool,
    devices: &RefCell<Vec<Device>>,
) -> Result<Cm, String> {
    if !networks.admits("ofi") {
        return Err("`--mca mtl` admits no network".into());
    }
    let config = mtl_ofi::Config {
        me: identity.peer,
        peers: identity.size as usize,
        local_rank: identity.local_rank() as usize,
        filter: ofi::Filter::of(registry).map_err(|error| error.to_string())?,
        settings: mtl_ofi::Settings::of(registry),
        only_hardware: !asked,
        sleeps: sleeps(identity, registry),
    };
    let network = mtl_ofi::open(&config).map_err(|error| error.to_string())?;
    let device = network
        .device()
        .map(|info| Device::new("mtl ofi", info, false, 1));
    devices.borrow_mut().extend(device);
    let settings = cm::Settings {
        me: identity.peer,
        tags: match registry.choice("mtl_ofi_tag_mode") {
            "ofi_tag_full" | "ofi_tag_1" => TagMode::Full,
            "ofi_tag_2" => TagMode::Short,
            _ => TagMode::Auto,
        },
        peers: identity.size as usize,
        fold,
    };
    Cm::new(Box::new(network), settings)
}

/// The fields of a context (see `mpi_local::contexts`): the plane, the duplicate, the number
/// that its maker gave, and the maker.
const PLANE_BITS: u32 = 2;
const TWIN_SHIFT: u32 = 2;
const NAME_SHIFT: u32 = 14;
const PEER_SHIFT: u32 = 40;
const TWIN_BITS: u32 = 6;

/// Brings a context down to `bits` bits: as it is, without the bits that a job of this size
/// leaves 0, where it fits so; else mixed. A bit distinguishes the two, so that contexts that fit
/// are never taken for others.
fn fold(context: Context, peers: usize, bits: u32) -> u64 {
    let field = |shift: u32, to: u32| (context.0 >> shift) & ((1 << (to - shift)) - 1);
    let plane = field(0, PLANE_BITS);
    let body_bits = bits - PLANE_BITS - 1;
    let (twins, name) = (field(TWIN_SHIFT, NAME_SHIFT), field(NAME_SHIFT, PEER_SHIFT));
    let peer = context.0 >> PEER_SHIFT;
    let peer_bits = usize::BITS - peers.saturating_sub(1).leading_zeros();
    // A duplicate of a duplicate is rare; a duplicate has the upper number only.
    let (first, second) = (twins >> TWIN_BITS, twins & ((1 << TWIN_BITS) - 1));
    let twin_bits = if first == 0 { 0 } else { TWIN_BITS };
    let name_bits = body_bits.saturating_sub(1 + peer_bits + twin_bits);
    let fits = second == 0 && name >> name_bits == 0 && peer >> peer_bits == 0;
    let body = if fits {
        let shape = u64::from(first != 0);
        (((name << peer_bits | peer) << twin_bits) | first) << 1 | shape
    } else {
        mixed(context.0 >> PLANE_BITS) >> (64 - body_bits)
    };
    (body << 1 | u64::from(!fits)) << PLANE_BITS | plane
}

/// A number whose upper bits depend on all bits of another (the finisher of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn context(peer: u64, name: u64, twins: u64, plane: u64) -> Context {
        Context(peer << PEER_SHIFT | name << NAME_SHIFT | twins << TWIN_SHIFT | plane)
    }

    #[test]
    fn contexts_of_a_job_fold_to_different_bits() {
        let mut seen: HashMap<u64, Context> = HashMap::new();
        let mut take = |context| {
            let folded = fold(context, 64, 31);
            assert!(folded < 1 << 31);
            let before = seen.insert(folded, context);
            assert!(before.is_none_or(|before| before == context), "{context:?}");
        };
        for peer in [0, 1, 31, 63] {
            for name in (0..3000).chain([0xffff]) {
                for first in [0, 1, 63] {
                    for plane in 0..3 {
                        take(context(peer, name, first << TWIN_BITS, plane));
                    }
                }
            }
        }
        // Some that do not fit.
        for second in 1..50 {
            take(context(1, 5, 1 << TWIN_BITS | second, 0));
        }
        take(context(0, (1 << 26) - 1, 0, 1));
    }

    #[test]
    fn a_process_alone_has_room_for_every_name() {
        let last = fold(context(0, (1 << 26) - 1, 0, 2), 1, 31);
        assert_ne!(last, fold(context(0, (1 << 25) - 1, 0, 2), 1, 31));
        assert_eq!(last & 4, 0, "not mixed");
    }
}
