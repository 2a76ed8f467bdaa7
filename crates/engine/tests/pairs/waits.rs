//! Tests of waits that sleep, and of their wake-ups, over shared memory with a thread per process.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use base::{PeerId, Rank};
use bml::Bml;
use btl::Transport;
use datatype::Buffer;
use engine::{Engine, Settings};
use memory::Scratch;
use pml::{CommId, Failure, Mode, Outcome, Pattern, Pml, RequestId, Started, Tag};
use sync::{Gate, Patience};

use crate::world::{content, from, meet};

/// How long a wait may take before it counts as one that nobody wakes.
const FOREVER: Duration = Duration::from_secs(20);

/// Sleeps end by themselves after 100 ms; a sleeper that is woken goes on long before.
const WOKEN: Duration = Duration::from_millis(50);
/// Sleeps of which one has to end so soon: others may want the core.
const SLEEPS: i64 = 8;

/// Opens engines over shared memory that sleep soon. Unless they are `shared`, each is for the
/// calls of one thread at a time.
fn engines(size: usize, shared: bool) -> (Vec<Engine>, Vec<CommId>) {
    engines_beside(size, shared, |_| None)
}

/// Opens such engines, each with another transport beside shared memory, if there is one.
fn engines_beside(
    size: usize,
    shared: bool,
    other: impl Fn(u32) -> Option<Box<dyn Transport>>,
) -> (Vec<Engine>, Vec<CommId>) {
    let open = |me| {
        let settings = Settings {
            peers: size,
            own: None,
            unexpected_limit: 1 << 20,
            patience: Patience::measure(1, 2),
        };
        let transport = btl_sm::open(btl_sm::Config::with_defaults(PeerId(me)));
        let mut transports: Vec<Box<dyn Transport>> = vec![Box::new(transport.expect("a segment"))];
        transports.extend(other(me));
        let lanes = Bml::new(transports);
        Engine::new(lanes, settings, |core| match shared {
            true => Gate::shared(core),
            // SAFETY: one thread at a time enters such an engine; another one only reads how
            // often it has slept.
            false => unsafe { Gate::new(core) },
        })
    };
    let engines: Vec<Engine> = (0..size as u32).map(open).collect();
    let comms = meet(&engines);
    (engines, comms)
}

/// Waits for a request, asleep after a while.
fn wait(engine: &Engine, request: RequestId) -> Outcome {
    engine.wait_until(|core| {
        core.watch(request);
        core.outcome(request)
    })
}

/// Sends to rank 1 and waits until the buffer may be reused, or the message was matched.
fn send(
    engine: &Engine,
    comm: CommId,
    tag: Tag,
    buffer: Buffer,
    mode: Mode,
) -> Result<(), Failure> {
    let started = engine.enter().start_send(comm, Rank(1), tag, buffer, mode);
    match started {
        Started::Complete => Ok(()),
        Started::Pending(request) => wait(engine, request).result,
    }
}

/// Receives, asleep after a while.
fn recv(engine: &Engine, comm: CommId, pattern: Pattern, buffer: Buffer) -> Outcome {
    match engine.try_recv(comm, pattern, buffer) {
        Ok(status) => Outcome {
            status,
            result: Ok(()),
        },
        Err(request) => wait(engine, request),
    }
}

/// Waits until a process has slept since `before`, and a moment longer: it sleeps again by then.
fn let_sleep(engine: &Engine, before: u32) {
    let began = Instant::now();
    while engine.sleeps() == before {
        assert!(began.elapsed() < FOREVER, "it never sleeps");
        std::thread::yield_now();
    }
    std::thread::sleep(Duration::from_millis(5));
}

/// Has `sleep` wait in a thread until `wake` is called, several times, and checks that it is woken.
fn check_is_woken(engine: &Engine, sleep: impl Fn(i64) + Sync, wake: impl Fn(i64)) {
    let mut fastest = FOREVER;
    for n in 0..SLEEPS {
        std::thread::scope(|scope| {
            let before = engine.sleeps();
            let sleeper = scope.spawn(|| {
                sleep(n);
                Instant::now()
            });
            let_sleep(engine, before);
            let began = Instant::now();
            wake(n);
            let woken = sleeper.join().expect("the sleeper");
            fastest = fastest.min(woken.saturating_duration_since(began));
        });
    }
    assert!(fastest < WOKEN, "it slept on for {fastest:?}");
}

#[test]
fn a_receive_that_sleeps_is_woken_by_its_message() {
    let (engines, comms) = engines(2, false);
    let sleep = |n| {
        let room = Scratch::new(3000);
        let buffer = Buffer::bytes(room.buf());
        let outcome = recv(&engines[1], comms[1], from(0, n), buffer);
        assert_eq!(outcome.result, Ok(()));
        let mut bytes = vec![0; 3000];
        room.buf().read(0, &mut bytes);
        assert!(bytes == content(0, n, 3000), "other bytes");
    };
    let wake = |n| {
        let memory = Scratch::new(3000);
        memory.buf().write(0, &content(0, n, 3000));
        let buffer = Buffer::bytes(memory.buf());
        let sent = send(&engines[0], comms[0], n, buffer, Mode::Standard);
        assert_eq!(sent, Ok(()));
    };
    check_is_woken(&engines[1], sleep, wake);
}

/// A transport that carries nothing has to be polled now and then, and must not keep a process that
/// waits for long from its sleep.
#[test]
fn a_long_wait_beside_an_idle_transport_sleeps_long_and_is_woken() {
    const LONG: Duration = Duration::from_millis(600);
    /// Sleeps of 1, 2, 4 to 100 ms.
    const SLEEPS_MAX: u32 = 20;
    let tcp = |me| {
        let config = btl_tcp::Config {
            me: PeerId(me),
            secret: [7; 32],
            job: 1,
            one_host: true,
            settings: btl_tcp::Settings::default(),
        };
        let transport: Box<dyn Transport> = Box::new(btl_tcp::open(config).expect("a transport"));
        Some(transport)
    };
    let (engines, comms) = engines_beside(2, false, tcp);
    let room = Scratch::new(8);
    std::thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            let outcome = recv(&engines[1], comms[1], from(0, 1), Buffer::bytes(room.buf()));
            assert_eq!(outcome.result, Ok(()));
            Instant::now()
        });
        let_sleep(&engines[1], 0);
        std::thread::sleep(LONG);
        let sleeps = engines[1].sleeps();
        let began = Instant::now();
        let memory = Scratch::new(8);
        let sent = send(
            &engines[0],
            comms[0],
            1,
            Buffer::bytes(memory.buf()),
            Mode::Standard,
        );
        assert_eq!(sent, Ok(()));
        let woken = sleeper.join().expect("the sleeper");
        assert!(
            woken.saturating_duration_since(began) < WOKEN,
            "it slept on"
        );
        assert!(sleeps <= SLEEPS_MAX, "it slept {sleeps} times");
    });
}

/// Sender and receiver of a long message each sleep while the other is late.
#[test]
fn a_synchronous_send_that_sleeps_is_woken_by_its_receive() {
    let (engines, comms) = engines(2, false);
    const LEN: usize = 3 << 20;
    std::thread::scope(|scope| {
        let before = engines[0].sleeps();
        let sender = scope.spawn(|| {
            let memory = Scratch::new(LEN);
            memory.buf().write(0, &content(0, 5, LEN));
            let buffer = Buffer::bytes(memory.buf());
            send(&engines[0], comms[0], 5, buffer, Mode::Synchronous)
        });
        let_sleep(&engines[0], before);
        let room = Scratch::new(LEN);
        let buffer = Buffer::bytes(room.buf());
        let outcome = recv(&engines[1], comms[1], from(0, 5), buffer);
        assert_eq!(outcome.result, Ok(()));
        assert_eq!(sender.join().expect("the sender"), Ok(()));
        let mut bytes = vec![0; LEN];
        room.buf().read(0, &mut bytes);
        assert!(bytes == content(0, 5, LEN), "other bytes");
    });
}

#[test]
fn a_wait_for_what_no_message_brings_is_woken_by_a_peer() {
    let (engines, _comms) = engines(3, false);
    let done = AtomicI64::new(-1);
    let sleep = |n| {
        let found = |_: &mut engine::Core| (done.load(Ordering::SeqCst) == n).then_some(());
        engines[2].wait_until(found);
    };
    let wake = |n| {
        done.store(n, Ordering::SeqCst);
        engines[0].wake(PeerId(2));
    };
    check_is_woken(&engines[2], sleep, wake);
}

/// Threads of one process wait for different messages; each is woken by its own.
#[test]
fn threads_that_wait_in_one_process_are_each_woken() {
    let (engines, comms) = engines(2, true);
    std::thread::scope(|scope| {
        let receivers: Vec<_> = (0..3)
            .map(|tag| {
                let (engine, comm) = (&engines[1], comms[1]);
                scope.spawn(move || {
                    let room = Scratch::new(100);
                    let outcome = recv(engine, comm, from(0, tag), Buffer::bytes(room.buf()));
                    (outcome.status.tag, outcome.result)
                })
            })
            .collect();
        let_sleep(&engines[1], 0);
        for tag in [2, 0, 1] {
            let memory = Scratch::new(100);
            let buffer = Buffer::bytes(memory.buf());
            let sent = send(&engines[0], comms[0], tag, buffer, Mode::Standard);
            assert_eq!(sent, Ok(()));
        }
        for (tag, receiver) in (0..).zip(receivers) {
            assert_eq!(receiver.join().expect("a receiver"), (tag, Ok(())));
        }
    });
}
