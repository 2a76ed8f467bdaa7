//! Tests of the native provider: reports of dead peers, which the launcher sends unasked.

use std::io::Write;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use base::PeerId;
use bootstrap::native::wire::{push_entry, push_released, Reply, Welcome, VERSION};
use bootstrap::spawn::{Part, Spawn};
use bootstrap::{connect, Error, Provider};

const SIZE: u32 = 3;

fn say(launcher: &mut UnixStream, replies: &[Reply]) {
    let mut bytes = Vec::new();
    replies.iter().for_each(|reply| reply.encode(&mut bytes));
    launcher.write_all(&bytes).unwrap();
}

fn welcome() -> Reply {
    Reply::Welcome(Welcome {
        version: VERSION,
        rank: 0,
        size: SIZE,
        appnum: 0,
        universe: SIZE,
        job: 1,
        secret: [0; 32],
        first: 0,
        parent: None,
        nodes: vec![0; SIZE as usize],
    })
}

fn gone(rank: u32) -> Reply {
    let why = "it was killed".to_string();
    Reply::Gone { rank, why }
}

/// Returns the provider of a rank in a job of three, and the launcher's end of its connection. The
/// welcome has been sent.
fn rank() -> (Box<dyn Provider>, UnixStream) {
    let (near, mut far) = UnixStream::pair().unwrap();
    let number = OwnedFd::from(near).into_raw_fd().to_string();
    say(&mut far, &[welcome()]);
    let provider = connect(&|name| (name == "OXMPI_BOOT_FD").then(|| number.clone()));
    (provider.unwrap(), far)
}

#[test]
fn a_death_is_reported_once_and_ends_the_meetings_of_the_dead() {
    let (mut provider, mut launcher) = rank();
    assert!(provider.descriptor().is_some());
    assert_eq!(provider.take_gone().unwrap(), []);
    let meet = |provider: &mut dyn Provider, peer| {
        provider
            .begin_meeting(&[PeerId(0), PeerId(peer)], b"", b"word")
            .unwrap()
    };
    let (with_1, with_2) = (meet(&mut *provider, 1), meet(&mut *provider, 2));
    let met = Reply::Met {
        ticket: 1,
        values: vec![vec![], vec![7]],
    };
    say(&mut launcher, &[gone(1), gone(1), met]);
    // A reply that arrives while another one is awaited is buffered.
    let values = provider.poll_meeting(with_2, None).unwrap();
    assert_eq!(values, Some(vec![vec![], vec![7]]));
    let wait = Some(Duration::from_secs(10));
    let error = provider.poll_meeting(with_1, wait).unwrap_err();
    assert!(matches!(
        error,
        Error::PeerGone {
            peer: PeerId(1),
            ..
        }
    ));
    assert!(
        error.to_string().ends_with("1 failed: it was killed"),
        "{error}"
    );
    let reported = [(PeerId(1), "it was killed".to_string())];
    assert_eq!(provider.take_gone().unwrap(), reported);
    assert_eq!(provider.take_gone_beyond(), []);
    // A process of another part of the job is reported by its number.
    say(&mut launcher, &[gone(SIZE + 4)]);
    assert_eq!(provider.take_gone().unwrap(), []);
    let beyond = [(SIZE + 4, "it was killed".to_string())];
    assert_eq!(provider.take_gone_beyond(), beyond);
    assert_eq!(provider.take_gone_beyond(), []);
    assert_eq!(provider.take_gone().unwrap(), []);
    // A meeting that begins after the death of a member fails immediately.
    let late = meet(&mut *provider, 1);
    assert!(provider.poll_meeting(late, wait).is_err());
}

/// Checks that deaths reported before a process begins anew are reported again after it.
#[test]
fn a_process_that_comes_back_learns_of_the_dead_again() {
    let (mut provider, mut launcher) = rank();
    say(&mut launcher, &[gone(2)]);
    provider.finalize().unwrap();
    say(&mut launcher, &[welcome(), gone(2)]);
    provider.resume().unwrap();
    assert_eq!(provider.take_gone().unwrap().len(), 1);
}

/// Checks that what a fence has brought stays until a next life is taken note of, however early its
/// report was read; and that a report does not hide what a later fence brings.
#[test]
fn a_next_life_is_read_when_it_is_taken_note_of() {
    let (mut provider, mut launcher) = rank();
    let body = |value: &[u8]| {
        let (mut entries, mut body) = (Vec::new(), Vec::new());
        push_entry(&mut entries, "card", value);
        push_released(&mut body, 1, &entries);
        body
    };
    let read = |provider: &mut dyn Provider| provider.fetch(PeerId(1), "card").unwrap();
    let pass = |provider: &mut dyn Provider| {
        while !provider.poll_fence(Some(Duration::from_secs(10))).unwrap() {}
    };
    provider.begin_fence().unwrap();
    say(&mut launcher, &[Reply::Release(body(b"first"))]);
    say(&mut launcher, &[Reply::Reborn(body(b"second"))]);
    pass(&mut *provider);
    provider.take_gone().unwrap();
    assert_eq!(read(&mut *provider).unwrap(), b"first");
    assert_eq!(provider.take_reborn(), [PeerId(1)]);
    assert_eq!(read(&mut *provider).unwrap(), b"second");
    provider.begin_fence().unwrap();
    say(&mut launcher, &[Reply::Reborn(body(b"third"))]);
    say(&mut launcher, &[Reply::Release(body(b"fourth"))]);
    pass(&mut *provider);
    assert_eq!(read(&mut *provider).unwrap(), b"fourth");
    assert_eq!(provider.take_reborn(), [PeerId(1)]);
    assert_eq!(read(&mut *provider).unwrap(), b"fourth");
}

/// Checks that the death of a process of another part is no news of a peer, and ends what waits for
/// that process.
#[test]
fn the_death_in_another_part_ends_the_meetings_with_it() {
    let (mut provider, mut launcher) = rank();
    let meeting = provider.begin_meeting_of(&[0, SIZE], b"", b"").unwrap();
    say(&mut launcher, &[gone(SIZE)]);
    assert_eq!(provider.take_gone().unwrap(), []);
    let wait = Some(Duration::from_secs(10));
    let error = provider.poll_meeting(meeting, wait).unwrap_err();
    assert!(matches!(error, Error::Unmet { .. }), "{error}");
}

/// Checks that a spawn's outcome is kept while something else is awaited, and that a meeting that
/// the launcher gives up ends with its reason.
#[test]
fn a_spawn_and_a_meeting_end_as_the_launcher_says() {
    let (mut provider, mut launcher) = rank();
    let spawn = provider.begin_spawn(&Spawn::default()).unwrap();
    let meeting = provider.begin_meeting_of(&[0, SIZE], b"", b"").unwrap();
    let part = Part {
        first: SIZE,
        count: 1,
    };
    let spawned = Reply::Spawned {
        ticket: 0,
        outcome: Ok(part),
    };
    let why = "it exited".to_string();
    say(&mut launcher, &[spawned, Reply::Unmet { ticket: 1, why }]);
    let wait = Some(Duration::from_secs(10));
    let error = loop {
        match provider.poll_meeting(meeting, wait) {
            Ok(None) => {}
            other => break other.unwrap_err(),
        }
    };
    assert!(error.to_string().ends_with("it exited"), "{error}");
    let outcome = provider.poll_spawn(spawn, None).unwrap();
    assert_eq!(outcome, Some(Ok(part)));
    assert!(provider.poll_spawn(spawn, wait).is_err());
}
