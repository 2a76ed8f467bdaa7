//! The conformance suite of the trait `Provider`, for every provider.
//!
//! Each provider runs against a small server in this process, one thread per rank. The servers
//! of PMI-1 answer as launchers were seen to: the order of words, the words left out and the
//! limits differ between Hydra 4, Hydra 5 and Slurm.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::io::{Read, Write};
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Barrier};
use std::thread;

use base::PeerId;
use bootstrap::{connect, Error, Launcher, Provider};

mod servers;

use servers::{Dialect, NativeServer, Pmi2Server, PmiServer};

/// Runs `body` on each rank of a job of `size`, connected by `environments`.
fn run(
    environments: Vec<Vec<(&'static str, String)>>,
    body: impl Fn(Box<dyn Provider>) + Send + Sync + 'static,
) {
    let body = Arc::new(body);
    let ranks: Vec<_> = environments
        .into_iter()
        .map(|environment| {
            let body = Arc::clone(&body);
            thread::spawn(move || {
                let variable = |name: &str| {
                    environment
                        .iter()
                        .find(|(n, _)| *n == name)
                        .map(|(_, v)| v.clone())
                };
                body(connect(&variable).expect("a connection"));
            })
        })
        .collect();
    for rank in ranks {
        rank.join().expect("a rank that passes");
    }
}

/// Bytes that depend on a rank.
fn value(rank: u32, length: usize) -> Vec<u8> {
    (0..length)
        .map(|at| (at as u32 * 31 + rank * 7) as u8)
        .collect()
}

/// Checks what every provider does, on every rank of a job.
fn conforms(mut provider: Box<dyn Provider>, launcher: Launcher, size: u32) {
    let identity = provider.identity().clone();
    assert_eq!((identity.launcher, identity.size), (launcher, size));
    assert_eq!(identity.nodes.len() as u32, size);
    assert!(identity.local_peers().any(|peer| peer == identity.peer));
    assert_ne!(identity.secret.0, [0; 32]);
    let own = identity.peer.0;

    // Values of awkward sizes, binary, and what is published again.
    const LENGTHS: [usize; 5] = [0, 1, 511, 1024, 5000];
    for length in LENGTHS {
        provider
            .publish(&format!("v{length}"), &value(own, length))
            .unwrap();
    }
    provider.publish("again", b"first").unwrap();
    provider
        .publish("again", format!("of {own}").as_bytes())
        .unwrap();
    provider.publish("secret", &identity.secret.0).unwrap();
    provider
        .publish("job", &identity.job.to_le_bytes())
        .unwrap();
    if own == 0 {
        provider.publish("only-0", b"x").unwrap();
    }
    provider.fence().unwrap();
    for peer in (0..size).map(PeerId) {
        for length in LENGTHS {
            let fetched = provider.fetch(peer, &format!("v{length}")).unwrap();
            assert_eq!(
                fetched,
                Some(value(peer.0, length)),
                "{peer}, {length} bytes"
            );
        }
        let again = provider.fetch(peer, "again").unwrap();
        assert_eq!(again, Some(format!("of {}", peer.0).into_bytes()));
        let secret = provider.fetch(peer, "secret").unwrap();
        assert_eq!(
            secret.as_deref(),
            Some(&identity.secret.0[..]),
            "one secret for all"
        );
        let job = provider.fetch(peer, "job").unwrap();
        assert_eq!(
            job.as_deref(),
            Some(&identity.job.to_le_bytes()[..]),
            "one job"
        );
        let only = provider.fetch(peer, "only-0").unwrap();
        assert_eq!(only.is_some(), peer.0 == 0, "{peer}");
        assert_eq!(provider.fetch(peer, "never").unwrap(), None);
    }
    refuses(&mut *provider, size);
    keeps_step(&mut *provider, own, size);
    if provider.can_meet() {
        meets(&mut *provider, own, size);
        comes_back(&mut *provider, own, size);
    }
    provider.finalize().unwrap();
    provider.finalize().unwrap();
    assert_eq!(provider.resume().is_ok(), provider.can_return());
    let foreign = !matches!(launcher, Launcher::Native | Launcher::Singleton);
    assert_eq!(provider.can_return(), !foreign);
}

/// Some ranks meet without the others, in the order that they say.
fn meets(provider: &mut dyn Provider, own: u32, size: u32) {
    let twice = [PeerId(own), PeerId(own)];
    for (members, key) in [(&[][..], ""), (&twice[..], ""), (&[PeerId(size + 1)], "")] {
        let refused = provider.begin_meeting(members, key.as_bytes(), b"");
        assert!(refused.is_err(), "{members:?}");
    }
    let without = (own + 1) % size;
    if size > 1 {
        assert!(provider
            .begin_meeting(&[PeerId(without)], b"", b"")
            .is_err());
    }
    // The even ones downwards, the odd ones upwards.
    let mut members: Vec<PeerId> = (own % 2..size).step_by(2).map(PeerId).collect();
    if own.is_multiple_of(2) {
        members.reverse();
    }
    for round in 0..20 {
        let key = format!("round {round}");
        let ticket = provider.begin_meeting(&members, key.as_bytes(), &value(own, round));
        let ticket = ticket.unwrap();
        let pause = Some(std::time::Duration::from_millis(1));
        let values = loop {
            if let Some(values) = provider.poll_meeting(ticket, pause).unwrap() {
                break values;
            }
        };
        let expected: Vec<_> = members.iter().map(|peer| value(peer.0, round)).collect();
        assert_eq!(values, expected);
        assert!(
            provider.poll_meeting(ticket, pause).is_err(),
            "reported once"
        );
    }
}

/// A process that has left may come again, and is who it was.
fn comes_back(provider: &mut dyn Provider, own: u32, size: u32) {
    for life in 0..3u32 {
        provider.publish("life", &life.to_le_bytes()).unwrap();
        provider.fence().unwrap();
        let next = PeerId((own + 1) % size);
        let seen = provider.fetch(next, "life").unwrap().unwrap();
        assert_eq!(seen, life.to_le_bytes());
        provider.finalize().unwrap();
        provider.resume().unwrap();
        assert_eq!(
            (provider.identity().peer.0, provider.identity().size),
            (own, size)
        );
    }
}

/// Mistakes of the caller are reported and do no harm.
fn refuses(provider: &mut dyn Provider, size: u32) {
    let stranger = provider.fetch(PeerId(size), "again");
    assert!(matches!(stranger, Err(Error::NoSuchPeer { .. })));
    for key in ["", "with space", "semi;colon", "a=b", &"k".repeat(33)] {
        assert!(
            matches!(provider.publish(key, b""), Err(Error::Key { .. })),
            "{key:?}"
        );
    }

    assert!(matches!(provider.poll_fence(None), Err(Error::FenceOrder)));
}

/// Many fences keep the ranks in step, and polling is a fence too.
fn keeps_step(provider: &mut dyn Provider, own: u32, size: u32) {
    for round in 0u32..20 {
        provider.publish("round", &round.to_le_bytes()).unwrap();
        provider.begin_fence().unwrap();
        assert!(matches!(provider.begin_fence(), Err(Error::FenceOrder)));
        let pause = Some(std::time::Duration::from_millis(1));
        while !provider.poll_fence(pause).unwrap() {}
        let next = PeerId((own + 1) % size);
        let seen = provider.fetch(next, "round").unwrap();
        assert_eq!(seen, Some(round.to_le_bytes().to_vec()));
        provider.fence().unwrap();
    }
}

#[test]
fn singleton_conforms() {
    conforms(connect(&|_| None).unwrap(), Launcher::Singleton, 1);
}

#[test]
fn native_conforms() {
    for size in [1, 2, 5] {
        let server = NativeServer::start(size);
        run(server.environments(), move |provider| {
            conforms(provider, Launcher::Native, size)
        });
        server.join();
    }
}

#[test]
fn pmi1_conforms_in_every_dialect() {
    for dialect in [
        Dialect::Hydra4,
        Dialect::Hydra5,
        Dialect::Slurm,
        Dialect::Gforker,
        Dialect::Flux,
    ] {
        for size in [1, 2, 5] {
            let server = PmiServer::start(dialect, size);
            run(server.environments(), move |provider| {
                conforms(provider, Launcher::Pmi1, size)
            });
            server.join();
        }
    }
}

#[test]
fn pmi2_conforms_in_every_dialect() {
    for dialect in [Dialect::Hydra4, Dialect::Hydra5, Dialect::Slurm] {
        for size in [1, 2, 5] {
            let server = Pmi2Server::start(dialect, size);
            run(server.environments(), move |provider| {
                conforms(provider, Launcher::Pmi2, size)
            });
            server.join();
        }
    }
}

#[test]
fn pmi2_reports_nodes_appnum_and_universe() {
    for (dialect, appnum, universe) in [
        (Dialect::Hydra4, Some(0), Some(4)),
        (Dialect::Hydra5, Some(0), None),
        (Dialect::Slurm, None, None),
    ] {
        let server = Pmi2Server::start(dialect, 4);
        run(server.environments(), move |mut provider| {
            assert_eq!(provider.identity().nodes, [0, 0, 1, 1]);
            assert_eq!(provider.identity().appnum, appnum);
            assert_eq!(provider.identity().universe_size, universe);
            provider.finalize().unwrap();
        });
        server.join();
    }
}

#[test]
fn pmi1_over_a_port_conforms() {
    for dialect in [Dialect::Hydra4, Dialect::Hydra5] {
        let server = PmiServer::listen(dialect, 3);
        run(server.environments(), |provider| {
            conforms(provider, Launcher::Pmi1, 3)
        });
        server.join();
    }
}

#[test]
fn pmi1_reports_nodes_appnum_and_universe() {
    let server = PmiServer::start(Dialect::Hydra5, 4);
    run(server.environments(), |mut provider| {
        // The servers deal two ranks to each node.
        assert_eq!(provider.identity().nodes, [0, 0, 1, 1]);
        assert_eq!(provider.identity().local_size(), 2);
        assert_eq!(provider.identity().appnum, Some(0));
        assert_eq!(provider.identity().universe_size, None);
        provider.finalize().unwrap();
    });
    server.join();
    let server = PmiServer::start(Dialect::Slurm, 4);
    run(server.environments(), |mut provider| {
        assert_eq!(
            provider.identity().appnum,
            None,
            "-1 is no number of a program"
        );
        assert_eq!(provider.identity().universe_size, Some(4));
        provider.finalize().unwrap();
    });
    server.join();
}

#[test]
fn without_a_mapping_ranks_find_out_that_they_share_a_machine() {
    let server = PmiServer::start(Dialect::Gforker, 3);
    run(server.environments(), |mut provider| {
        assert_eq!(provider.identity().nodes, [0, 0, 0]);
        provider.finalize().unwrap();
    });
    server.join();
}

#[test]
fn an_abort_reaches_the_launcher_with_code_and_reason() {
    let server = NativeServer::start(1);
    run(server.environments(), |mut provider| {
        provider.abort(5, "out of cheese", false).unwrap()
    });
    assert_eq!(server.join(), ["abort 5 out of cheese"]);
    let server = PmiServer::start(Dialect::Hydra4, 1);
    run(server.environments(), |mut provider| {
        provider.abort(5, "out of\ncheese;", false).unwrap()
    });
    assert_eq!(
        server.join(),
        ["cmd=abort exitcode=5 message=out_of_cheese_"]
    );
    let server = Pmi2Server::start(Dialect::Slurm, 1);
    run(server.environments(), |mut provider| {
        provider.abort(5, "out of\ncheese;", false).unwrap()
    });
    assert_eq!(
        server.join(),
        ["cmd=abort;isworld=TRUE;msg=out_of_cheese_;"]
    );
}

/// A socket pair whose far end `answer` serves; the variables of a process that inherits it.
///
/// `PMI-2` stands for the descriptor of PMI beside the name of a job.
fn odd_launcher(
    variable: &'static str,
    answer: impl FnOnce(UnixStream) + Send + 'static,
) -> Result<Box<dyn Provider>, Error> {
    let two = variable == "PMI-2";
    let variable = if two { "PMI_FD" } else { variable };
    let (near, far) = UnixStream::pair().unwrap();
    let number = OwnedFd::from(near).into_raw_fd().to_string();
    let server = thread::spawn(move || answer(far));
    let connected = connect(&|name| match name {
        "PMI_RANK" => Some("0".into()),
        "PMI_SIZE" => Some("2".into()),
        "PMI_JOBID" => two.then(|| "24.0".into()),
        _ => (name == variable).then(|| number.clone()),
    });
    server.join().unwrap();
    connected
}

#[test]
fn a_closed_connection_is_a_stale_variable() {
    for variable in ["OXMPI_BOOT_FD", "PMI_FD", "PMI-2"] {
        let error = odd_launcher(variable, drop).err().expect("an error");
        assert!(matches!(error, Error::Stale { .. }), "{error}");
        let named = variable.replace("-2", "_FD");
        assert!(error.to_string().contains(&named), "{error}");
    }
}

/// A child of a rank inherits the variable but not the descriptor. Whatever it has under that
/// number stays untouched.
#[test]
fn a_descriptor_that_was_used_again_is_left_alone() {
    let (near, mut far) = UnixStream::pair().unwrap();
    let near = OwnedFd::from(near);
    let named = bootstrap::native::fd_variable(&near).unwrap();
    let (number, inode) = named.split_once(':').unwrap();
    let other = format!("{number}:{}", inode.parse::<u64>().unwrap() + 1);
    let refused = connect(&|name| (name == "OXMPI_BOOT_FD").then(|| other.clone()));
    assert!(matches!(refused, Err(Error::Stale { .. })));
    let file = std::fs::File::open("/dev/null").unwrap();
    let number = file.as_raw_fd().to_string();
    for variable in ["OXMPI_BOOT_FD", "PMI_FD"] {
        let refused = connect(&|name| (name == variable).then(|| number.clone()));
        assert!(
            matches!(refused, Err(Error::Stale { .. })),
            "{variable} names no socket"
        );
    }
    file.metadata().expect("still open");
    // Nothing was sent on the socket, and it is still open.
    far.set_nonblocking(true).unwrap();
    let silent = far.read(&mut [0; 8]).unwrap_err();
    assert_eq!(silent.kind(), std::io::ErrorKind::WouldBlock);
    drop(near);
    assert_eq!(far.read(&mut [0; 8]).unwrap(), 0);
}

#[test]
fn a_launcher_that_talks_nonsense_is_a_protocol_error() {
    for variable in ["OXMPI_BOOT_FD", "PMI_FD", "PMI-2"] {
        let error = odd_launcher(variable, |mut far| {
            let mut request = [0; 16];
            let _ = far.read(&mut request);
            let _ = far.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        });
        let error = error.err().expect("an error");
        assert!(matches!(error, Error::Protocol { .. }), "{error}");
    }
}

/// A descriptor that was inherited from another rank, as a shell hands it on.
#[test]
fn a_launcher_that_answers_for_another_rank_is_a_stale_one() {
    let error = odd_launcher("PMI-2", |mut far| {
        let mut request = [0; 256];
        let _ = far.read(&mut request);
        let _ = far.write_all(b"cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n");
        let _ = far.read(&mut request);
        let _ = far.write_all(b"    47cmd=fullinit-response;rc=0;rank=1;size=2;appnum=0;");
    });
    let error = error.err().expect("an error");
    assert!(matches!(error, Error::Stale { .. }), "{error}");
    assert!(error.to_string().contains("rank 1"), "{error}");
}

#[test]
fn a_launcher_that_dies_in_a_fence_is_an_error_at_once() {
    let barrier = Arc::new(Barrier::new(2));
    let entered = Arc::clone(&barrier);
    let (near, mut far) = UnixStream::pair().unwrap();
    let number = OwnedFd::from(near).into_raw_fd().to_string();
    let server = thread::spawn(move || {
        servers::welcome_alone(&mut far, 2);
        entered.wait();
    });
    let mut provider = connect(&|name| (name == "OXMPI_BOOT_FD").then(|| number.clone())).unwrap();
    provider.begin_fence().unwrap();
    assert!(!provider
        .poll_fence(Some(std::time::Duration::ZERO))
        .unwrap());
    barrier.wait();
    server.join().unwrap();
    assert!(matches!(
        provider.poll_fence(None),
        Err(Error::LauncherGone { .. })
    ));
}
