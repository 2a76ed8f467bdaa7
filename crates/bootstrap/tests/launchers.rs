//! Tests of the providers under real launchers.
//!
//! The `mpiexec` programs named in `OXMPI_TEST_MPIEXEC`, separated by colons, as from MPICH 4,
//! MPICH 5, Intel MPI or Open MPI, are run here on this machine. Without that variable there is
//! nothing to run against, and the test says so; the dialects of PMI are also played back in
//! `providers.rs`.
//!
//! The ranks are this test program, started again to run the one test [`rank_program`]. It may be
//! started by hand under any launcher: `TEST_PART=exchange srun --mpi=pmix PROGRAM rank_program
//! --exact --nocapture`.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use base::PeerId;
use bootstrap::Provider;

#[test]
fn rank_program() {
    let Ok(part) = std::env::var("TEST_PART") else {
        return;
    };
    let mut provider = bootstrap::connect_from_env().unwrap_or_else(|e| panic!("{e}"));
    let identity = provider.identity().clone();
    if let Ok(launcher) = std::env::var("TEST_LAUNCHER") {
        assert_eq!(format!("{:?}", identity.launcher), launcher);
    }
    let (own, size) = (identity.peer.0, identity.size);
    // A child of this process must not get hold of the connection.
    let script = "[ -z \"$PMI_FD\" ] || ! [ -e /proc/self/fd/$PMI_FD ]";
    let child = Command::new("sh").args(["-c", script]).status();
    assert!(child.unwrap().success());
    let value = |rank: u32| vec![rank as u8; 3000];
    provider.publish("modex", &value(own)).unwrap();
    provider.publish("secret", &identity.secret.0).unwrap();
    provider.publish("host", host().as_bytes()).unwrap();
    provider.fence().unwrap();
    for peer in (0..size).map(PeerId) {
        assert_eq!(provider.fetch(peer, "modex").unwrap(), Some(value(peer.0)));
        let secret = provider.fetch(peer, "secret").unwrap();
        assert_eq!(secret.as_deref(), Some(&identity.secret.0[..]));
        assert_eq!(provider.fetch(peer, "none").unwrap(), None);
        let there = provider.fetch(peer, "host").unwrap().unwrap();
        let same_node = identity.node_of(peer) == Some(identity.node());
        assert_eq!(there == host().as_bytes(), same_node, "{peer}");
    }
    for round in 0..10u8 {
        provider.publish("round", &[round]).unwrap();
        provider.fence().unwrap();
        let next = PeerId((own + 1) % size);
        let seen = provider.fetch(next, "round").unwrap();
        assert_eq!(seen, Some(vec![round]));
    }
    if provider.can_meet() {
        meet(&mut *provider);
    }
    if part == "abort" && own == size - 1 {
        provider.abort(42, "because; of this", false).unwrap();
    }
    if part == "abort" {
        let _ = provider.fence();
        std::thread::sleep(Duration::from_secs(60));
    }
    println!("rank {own} of {size} on {} saw all", host());
    provider.finalize().unwrap();
}

fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
    name.unwrap().trim().to_string()
}

/// Meetings of the even and the odd ranks, of all, and several at once.
fn meet(provider: &mut dyn Provider) {
    let (own, size) = (provider.identity().peer.0, provider.identity().size);
    let halves: Vec<PeerId> = (own % 2..size).step_by(2).map(PeerId).collect();
    let all: Vec<PeerId> = (0..size).rev().map(PeerId).collect();
    let began = Instant::now();
    const ROUNDS: u32 = 5;
    for round in 0..ROUNDS {
        std::thread::sleep(Duration::from_millis(u64::from(own % 3) * 5));
        let word = |rank: u32| format!("{rank} in {round}").into_bytes();
        let first = provider.begin_meeting(&all, b"", &word(own)).unwrap();
        let second = provider.begin_meeting(&halves, b"", &word(own)).unwrap();
        let third = provider.begin_meeting(&all, b"key", b"").unwrap();
        for (ticket, members) in [(second, &halves), (first, &all)] {
            let expected: Vec<_> = members.iter().map(|peer| word(peer.0)).collect();
            let limit = Some(Duration::from_secs(20));
            let words = provider.poll_meeting(ticket, limit).unwrap();
            assert_eq!(words, Some(expected), "round {round}");
        }
        let silent = provider.poll_meeting(third, None).unwrap();
        assert_eq!(silent, Some(vec![Vec::new(); size as usize]));
    }
    if own == 0 {
        println!("{:?} for each round of meetings", began.elapsed() / ROUNDS);
    }
}

fn play(mpiexec: &str, options: &[&str], ranks: u32, part: &str) -> Output {
    let own = std::env::current_exe().unwrap();
    let mut command = Command::new(mpiexec);
    command
        .args(options)
        .args(["-n", &ranks.to_string()])
        .arg(own);
    command
        .args(["rank_program", "--exact", "--nocapture"])
        .env("TEST_PART", part);
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output()
        .expect("mpiexec starts")
}

#[test]
fn ranks_find_each_other_under_real_launchers() {
    let Ok(list) = std::env::var("OXMPI_TEST_MPIEXEC") else {
        println!("OXMPI_TEST_MPIEXEC names no mpiexec: nothing to run against");
        return;
    };
    for mpiexec in list.split(':') {
        let help = Command::new(mpiexec).arg("-help").output().unwrap();
        let has_port = String::from_utf8_lossy(&help.stdout).contains("-pmi-port");
        // Not every launcher offers the port.
        let ways: &[&[&str]] = if has_port {
            &[&[], &["-pmi-port"]]
        } else {
            &[&[]]
        };
        for options in ways {
            for ranks in [1, 2, 4] {
                let output = play(mpiexec, options, ranks, "exchange");
                let (out, err) = (
                    String::from_utf8_lossy(&output.stdout),
                    String::from_utf8_lossy(&output.stderr),
                );
                let what = format!("{mpiexec} {options:?} -n {ranks}:\n{out}\n{err}");
                assert!(output.status.success(), "{what}");
                assert_eq!(out.matches("saw all").count(), ranks as usize, "{what}");
            }
        }
        let output = play(mpiexec, &[], 3, "abort");
        assert_eq!(output.status.code(), Some(42), "{mpiexec}: {output:?}");
    }
}
