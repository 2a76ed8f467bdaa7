//! The conformance suite over the providers that need no network.
//!
//! Which libraries: the system's, and those that the environment variable
//! `OXMPI_TEST_LIBFABRIC` lists, separated by colons. Without any the tests say so and pass.

use std::path::PathBuf;
use std::time::Instant;

use base::PeerId;
use mtl::conformance::{self, Extent};
use mtl::Transport;
use ofi::Filter;

use crate::{open, Config, Endpoint, Error, Settings};

fn libraries() -> Vec<Option<PathBuf>> {
    let listed = std::env::var("OXMPI_TEST_LIBFABRIC").unwrap_or_default();
    let listed = listed.split(':').filter(|path| !path.is_empty());
    std::iter::once(None)
        .chain(listed.map(|path| Some(path.into())))
        .collect()
}

fn config(library: &Option<PathBuf>, provider: &str, me: u32) -> Config {
    Config {
        me: PeerId(me),
        peers: 2,
        local_rank: 0,
        filter: Filter {
            library: library.clone(),
            include: vec![provider.into()],
            exclude: Vec::new(),
        },
        settings: Settings {
            priority: 25,
            events: 100,
            data_progress: None,
            claim: None,
        },
        only_hardware: false,
        sleeps: false,
    }
}

/// Returns an endpoint, or `None` after printing the reason.
fn opened(config: &Config) -> Option<Endpoint> {
    match open(config) {
        Ok(endpoint) => Some(endpoint),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

fn conforms(provider: &str, extent: Extent, change: impl Fn(&mut Config)) {
    for library in libraries() {
        println!("{provider} of {library:?}");
        let open = |size: u32| {
            let one = |me| {
                let mut config = config(&library, provider, me);
                change(&mut config);
                let endpoint = opened(&config)?;
                assert_eq!(endpoint.provider(), provider);
                Some(Box::new(endpoint) as Box<dyn Transport>)
            };
            (0..size).map(one).collect()
        };
        conformance::check(open, extent);
    }
}

#[test]
fn rxm_conforms() {
    conforms("tcp;ofi_rxm", Extent::of(400), |_| {});
}

#[test]
fn rxm_conforms_without_claims() {
    conforms("tcp;ofi_rxm", Extent::of(40), |config| {
        config.settings.claim = Some(false);
    });
}

#[test]
fn rxm_conforms_with_descriptors() {
    conforms("tcp;ofi_rxm", Extent::of(40), |config| config.sleeps = true);
}

/// Seen with messages of three senders to one: a receive of any sender got them out of turn.
#[test]
fn a_peer_without_a_path_is_gone() {
    let refused = |code, peer| {
        let call = ofi::Error::Call {
            call: "fi_tsend",
            code,
            text: "refused".into(),
        };
        crate::endpoint::refused(call, peer)
    };
    let peer = Some(PeerId(3));
    assert!(matches!(
        refused(libc::ENOENT, peer),
        mtl::Error::PeerGone { peer: PeerId(3), how } if how.contains("no path")
    ));
    // An operation with any peer, or another error, ends no peer.
    for (code, peer) in [(libc::ENOENT, None), (libc::ENOMEM, peer)] {
        assert!(matches!(refused(code, peer), mtl::Error::Resource { .. }));
    }
}

#[test]
fn rxd_is_refused_with_the_reason() {
    for library in libraries() {
        let refused = crate::open(&config(&library, "udp;ofi_rxd", 0)).err();
        let why = refused.expect("a refusal").to_string();
        assert!(why.contains("overtakes"), "{why}");
    }
}

#[test]
fn shm_conforms() {
    // A message of several packets never ends where the receive has less room.
    let extent = Extent {
        cut_max: 4096,
        ..Extent::of(400)
    };
    conforms("shm", extent, |_| {});
}

/// The provider moves hardly more than fifty messages a second.
#[test]
fn sockets_conforms() {
    conforms("sockets", Extent::of(12), |_| {});
}

/// The provider demands registered local memory and has keys of its own, and needs a device: only
/// where `OXMPI_TEST_PROVIDERS` names it, as in the virtual machine of `cargo xtask vm-rdma`;
/// without the device it fails there.
#[test]
fn verbs_conforms() {
    const PROVIDER: &str = "verbs;ofi_rxm";
    let demanded = std::env::var("OXMPI_TEST_PROVIDERS").unwrap_or_default();
    if !demanded.split(',').any(|provider| provider == PROVIDER) {
        println!("skipped: OXMPI_TEST_PROVIDERS does not name {PROVIDER}");
        return;
    }
    if let Err(error) = open(&config(&None, PROVIDER, 0)) {
        panic!("{error}");
    }
    conforms(PROVIDER, Extent::of(100), |_| {});
}

#[test]
fn what_cannot_be_used_is_named_with_the_reason() {
    let mut unknown = config(&None, "no_such_provider", 0);
    match open(&unknown) {
        Err(Error::NoProvider(why)) => assert!(why.contains("no_such_provider"), "{why}"),
        Err(Error::Libfabric(error)) => println!("skipped: {error}"),
        Ok(_) => panic!("opened"),
    }
    unknown.filter.library = Some("/nowhere/libfabric.so.1".into());
    let error = open(&unknown).map(drop).unwrap_err().to_string();
    assert!(error.contains("/nowhere/libfabric.so.1"), "{error}");
    if let Err(Error::NoProvider(why)) = open(&config(&None, "net", 0)).map(drop) {
        assert!(why.contains("net: it reads no further"), "{why}");
    }
    let mut software = config(&None, "tcp;ofi_rxm", 0);
    software.only_hardware = true;
    if let Err(Error::NoProvider(why)) = open(&software) {
        assert!(why.contains("hardware"), "{why}");
    }
}

#[test]
fn an_endpoint_leaves_nothing_open() {
    let descriptors = || std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let mut after_first = None;
    for round in 0..30 {
        let config = config(&None, "tcp;ofi_rxm", 0);
        let Some(mut endpoint) = opened(&config) else {
            return;
        };
        let address = endpoint.address();
        endpoint.add_peer(PeerId(0), &address).unwrap();
        let began = Instant::now();
        drop(endpoint);
        let took = began.elapsed();
        assert!(took.as_millis() < 500, "closing took {took:?}");
        // Other tests of this process open and close too, so the count is only bounded.
        let open = descriptors();
        let first = *after_first.get_or_insert(open);
        assert!(open <= first + 200, "round {round}: {first} then {open}");
    }
}
