use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::plm::{Agent, Batch, ByBatch, Start};
use launch_job::How;

fn signal() -> Up {
    let (vertex, signal) = (3, 10);
    Up::Signal { vertex, signal }
}

fn ups() -> Vec<Up> {
    let event = |event| Up::Event(event);
    let mut all = memory();
    all.extend([
        Up::Ready(vec![Host {
            vertex: 3,
            name: "n3".to_string(),
            topology: vec![1, 2, 3],
        }]),
        event(Event::Started { rank: 1, pid: 2 }),
        event(Event::Hello { rank: 1, pid: 3 }),
        event(Event::Finalize { rank: 9 }),
        event(Event::Abort {
            rank: 1,
            code: -4,
            in_doubt: true,
            reason: "wrong \u{fc}".to_string(),
        }),
        event(Event::Malformed {
            rank: 1,
            detail: String::new(),
        }),
        event(Event::Exited {
            rank: 1,
            how: How::Code(255),
        }),
        event(Event::Exited {
            rank: 1,
            how: How::Signal(9),
        }),
        Up::Fence(vec![(0, b"abc".to_vec()), (7, Vec::new())]),
        Up::Meet(Gathering {
            members: vec![3, 1, 2],
            key: b"key".to_vec(),
            entries: vec![(1, 9, b"value".to_vec())],
        }),
        Up::Output {
            rank: 1,
            stream: 1,
            bytes: b"text".to_vec(),
        },
        Up::InputAccepted(77),
        Up::InputClosed,
        Up::Say("words".to_string()),
        Up::Request {
            rank: 3,
            frame: vec![1, 2],
        },
        Up::Failed {
            part: None,
            vertex: 1,
            text: "no".into(),
        },
        Up::Failed {
            part: Some(4),
            vertex: 2,
            text: "no".to_string(),
        },
        Up::Lost {
            vertex: 2,
            text: "gone".to_string(),
        },
        Up::Bye,
        signal(),
        Up::Beat,
    ]);
    all
}

/// Messages with memory of ranks.
fn memory() -> Vec<Up> {
    vec![
        Up::Recording {
            rank: 7,
            at: 1 << 40,
            bytes: vec![1, 2, 3],
        },
        Up::Log {
            rank: 2,
            token: 1 << 33,
            fresh: true,
            stores: vec![(1, u64::MAX), (1 << 40, 0)],
        },
    ]
}

fn downs() -> Vec<Down> {
    vec![
        Down::Begin(Begin {
            vertex: 4,
            radix: 32,
            hosts: vec![String::new(), "n1".to_string()],
            agent: Agent {
                start: Start::Batch(ByBatch {
                    batch: Batch::Slurm,
                    program: "/usr/bin/srun".to_string(),
                    arguments: vec!["-v".to_string()],
                    nodes: vec!["n1".to_string()],
                    starts_here: true,
                }),
                passed_over: " (tm: x)".to_string(),
                program: "/usr/bin/mpirun".to_string(),
                patience: Duration::from_secs(60),
                silence: Duration::from_millis(1500),
            },
        }),
        Down::Launch(vec![1, 2]),
        Down::Release {
            first: 4,
            body: vec![3; 1000],
        },
        Down::Reply {
            rank: 4,
            frame: vec![3; 10],
        },
        Down::Forget { first: 4 },
        Down::SignalPart {
            first: 4,
            signal: 15,
        },
        Down::Met {
            tickets: vec![(1, 2), (3, 4)],
            values: vec![b"a".to_vec(), Vec::new()],
        },
        Down::Gone {
            rank: 3,
            why: "it was killed".to_string(),
        },
        Down::Restart { rank: 3, life: 2 },
        Down::Move { rank: 3, node: 1 },
        Down::Adopt {
            rank: 3,
            life: 4,
            printed: [1 << 35, 7],
            stores: vec![(0, 1), (9, 2)],
        },
        Down::Logged { rank: 3, token: 8 },
        Down::Signal(15),
        Down::Hurry,
        Down::Input {
            rank: 0,
            bytes: b"typed".to_vec(),
        },
        Down::Credit {
            vertex: 1,
            stream: 0,
            bytes: 9,
        },
        Down::Finish,
        Down::Beat,
    ]
}

#[test]
fn words_come_back_as_they_went_byte_by_byte() {
    let mut sent: Vec<u8> = ups().iter().flat_map(Up::encode).collect();
    sent.extend(downs().iter().flat_map(Down::encode));
    let (mut inbox, mut up, mut down) = (Inbox::default(), Vec::new(), Vec::new());
    for byte in sent {
        inbox.push(&[byte]);
        while let Some((kind, body)) = inbox.frame().unwrap() {
            match up.len() < ups().len() {
                true => up.push(Up::decode(kind, body).unwrap()),
                false => down.push(Down::decode(kind, body).unwrap()),
            }
        }
    }
    assert_eq!(up, ups());
    assert_eq!(down, downs());
}

/// The corpus has a stream of each message, an order and a topology.
#[test]
fn messages_of_each_kind_are_in_the_corpus() {
    let keep = |name: &str, first: u8, bytes: Vec<u8>| {
        base::fuzz::keep("launch_tree", name, &[vec![first], bytes].concat());
    };
    for (at, up) in ups().iter().enumerate() {
        keep(&format!("up-{at:02}"), 0, up.encode());
    }
    for (at, down) in downs().iter().enumerate() {
        keep(&format!("down-{at:02}"), 1, down.encode());
    }
    let order = crate::order::tests::order();
    keep("order", 2, order.encode(&Default::default(), |_| false));
    let mut topology = Vec::new();
    launch_plan::topology::Topology::regular(1, 2, 2).encode(&mut topology);
    keep("topology-cut", 3, topology[..topology.len() - 1].to_vec());
    keep("topology", 3, topology);
}

#[test]
fn a_body_that_is_cut_or_too_long_is_refused() {
    for message in ups() {
        let frame = message.encode();
        let body = &frame[HEADER_BYTES..];
        assert!((0..body.len()).all(|end| Up::decode(UP, &body[..end]).is_err()));
        let long = [body, b"x"].concat();
        assert!(Up::decode(UP, &long).is_err(), "{message:?}");
        assert!(Up::decode(DOWN, body).is_err());
    }
}

#[test]
fn messages_that_nobody_sends_are_refused() {
    let agent = Agent {
        start: Start::Shell(Vec::new()),
        passed_over: String::new(),
        program: String::new(),
        patience: Duration::ZERO,
        silence: Duration::ZERO,
    };
    let begin = Begin {
        vertex: 1,
        radix: 2,
        hosts: Vec::new(),
        agent,
    };
    let credit = Down::Credit {
        vertex: 1,
        stream: 2,
        bytes: 1,
    };
    for down in [Down::Begin(begin), credit] {
        assert!(Down::decode(DOWN, &down.encode()[HEADER_BYTES..]).is_err());
    }
    let output = Up::Output {
        rank: 1,
        stream: 2,
        bytes: Vec::new(),
    };
    for up in [output, Up::Event(Event::Time)] {
        assert!(Up::decode(UP, &up.encode()[HEADER_BYTES..]).is_err());
    }
}

#[test]
fn what_is_no_frame_is_refused_at_once() {
    for bytes in [
        &b"Welcome to n2!\n"[..],
        b"\x00\x00\x00\x00\x00",
        b"U\xff\xff\xff\xff",
    ] {
        let mut inbox = Inbox::default();
        inbox.push(bytes);
        assert!(inbox.frame().is_err(), "{bytes:?}");
    }
}

#[test]
fn greetings_of_other_versions_are_distinguished_and_shown() {
    let own = greeting();
    let own = own
        .strip_prefix(MAGIC)
        .unwrap()
        .strip_suffix(b"\n")
        .unwrap();
    assert_eq!(check_greeting(own), Ok(()));
    assert_eq!(check_greeting(b"9.9.9 1"), Err("9.9.9 1".to_string()));
    assert_eq!(
        check_greeting(b"\x1b[31m\xff"),
        Err("[31m\u{fffd}".to_string())
    );
}

proptest! {
    /// Checks that decoding any bytes ends with a message, an error or a wish for more.
    #[test]
    fn any_bytes_are_taken(
        kind in proptest::sample::select(vec![UP, DOWN, b'W']),
        body in proptest::collection::vec(proptest::num::u8::ANY, 0..100),
        rest in proptest::collection::vec(proptest::num::u8::ANY, 0..40),
    ) {
        let _ = (Up::decode(kind, &body), Down::decode(kind, &body));
        let _ = crate::order::Order::decode(&body);
        let length = (body.len() as u32).to_le_bytes();
        let mut inbox = Inbox::default();
        inbox.push(&[&[kind][..], &length, &body, &rest].concat());
        while let Ok(Some((kind, body))) = inbox.frame() {
            let _ = (Up::decode(kind, body), Down::decode(kind, body));
        }
    }

    /// Bodies with one wrong byte decode or are refused, and never panic.
    #[test]
    fn words_with_a_wrong_byte_are_taken(
        which in 0usize..28,
        at in proptest::num::u16::ANY,
        byte in proptest::num::u8::ANY,
    ) {
        let (ups, downs) = (ups(), downs());
        let frames = ups.iter().map(Up::encode).chain(downs.iter().map(Down::encode));
        let mut frame = frames.collect::<Vec<_>>().swap_remove(which);
        let at = usize::from(at) % frame.len();
        frame[at] = byte;
        let body = frame.split_off(HEADER_BYTES);
        let _ = (Up::decode(frame[0], &body), Down::decode(frame[0], &body));
    }
}
