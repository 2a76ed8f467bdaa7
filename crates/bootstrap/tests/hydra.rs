//! PMI-1 against real launchers: the `mpiexec` programs named in `OXMPI_TEST_MPIEXEC`, separated
//! by colons, as from MPICH 4, MPICH 5 or Intel MPI. Without that variable there is nothing to
//! run against, and the test says so; the dialects are also played back in `providers.rs`.
//!
//! The ranks are this test program, started again to run the one test [`rank_program`].

use std::process::{Command, Output};

use base::PeerId;
use bootstrap::Launcher;

#[test]
fn rank_program() {
    let Ok(part) = std::env::var("TEST_PART") else {
        return;
    };
    let mut provider = bootstrap::connect_from_env().unwrap_or_else(|e| panic!("{e}"));
    let identity = provider.identity().clone();
    assert_eq!(identity.launcher, Launcher::Pmi1);
    assert_eq!(identity.local_size(), identity.size, "all on this machine");
    let (own, size) = (identity.peer.0, identity.size);
    // A child of this process must not get hold of the connection.
    let script = "[ -z \"$PMI_FD\" ] || ! [ -e /proc/self/fd/$PMI_FD ]";
    assert!(Command::new("sh")
        .args(["-c", script])
        .status()
        .unwrap()
        .success());
    let value = |rank: u32| vec![rank as u8; 3000];
    provider.publish("modex", &value(own)).unwrap();
    provider.publish("secret", &identity.secret.0).unwrap();
    provider.fence().unwrap();
    for peer in (0..size).map(PeerId) {
        assert_eq!(provider.fetch(peer, "modex").unwrap(), Some(value(peer.0)));
        let secret = provider.fetch(peer, "secret").unwrap();
        assert_eq!(secret.as_deref(), Some(&identity.secret.0[..]));
        assert_eq!(provider.fetch(peer, "none").unwrap(), None);
    }
    for _ in 0..10 {
        provider.fence().unwrap();
    }
    if part == "abort" && own == size - 1 {
        provider.abort(42, "because; of this").unwrap();
    }
    if part == "abort" {
        let _ = provider.fence();
        std::process::exit(0);
    }
    println!("rank {own} of {size} saw all");
    provider.finalize().unwrap();
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
        .env("FI_PROVIDER", "tcp")
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
