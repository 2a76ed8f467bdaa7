//! Tests of the wire format.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use super::*;
use crate::spawn::Program;

fn welcome() -> Welcome {
    Welcome {
        version: VERSION,
        rank: 1,
        size: 3,
        appnum: 0,
        universe: 8,
        job: 99,
        secret: [5; 32],
        first: 7,
        parent: Some(2),
        nodes: vec![0, 0, 1],
    }
}

fn meet() -> Meet {
    Meet {
        ticket: 3,
        members: vec![4, 1, 9],
        key: b"a key".to_vec(),
        value: vec![0; 20],
    }
}

fn requests() -> Vec<Request> {
    vec![
        Request::Hello {
            version: 1,
            pid: 77,
        },
        Request::Fence(vec![1, 2, 3]),
        Request::Abort {
            code: -5,
            in_doubt: true,
            reason: "why".into(),
        },
        Request::Meet(meet()),
        Request::Meet(Meet {
            members: vec![],
            key: vec![],
            value: vec![],
            ..meet()
        }),
        Request::Finalize,
        Request::Printed(None),
        Request::Printed(Some([1, u64::MAX])),
        Request::Account(Account {
            call: "MPI_Wait".into(),
            ..Account::default()
        }),
        Request::Unlink { part: 9 },
        Request::Names {
            ticket: 4,
            question: Question::LookUp {
                service: "a service".into(),
            },
        },
        Request::Spawn {
            ticket: 5,
            spawn: Spawn {
                directory: OsString::from_vec(b"/\xff".to_vec()).into(),
                members: vec![0, 3],
                programs: vec![
                    Program {
                        program: "./a.out".into(),
                        arguments: vec!["-x".into(), OsString::from_vec(vec![0xff])],
                        count: 2,
                        info: vec![("host".into(), "a,b".into())],
                    },
                    Program::default(),
                ],
            },
        },
    ]
}

#[test]
fn frames_come_back_as_they_went_byte_by_byte() {
    let requests = requests();
    let mut sent = Vec::new();
    requests.iter().for_each(|r| r.encode(&mut sent));
    let (mut arrived, mut seen) = (Vec::new(), Vec::new());
    for byte in sent {
        arrived.push(byte);
        while let Some(request) = Request::decode(&mut arrived).unwrap() {
            seen.push(request);
        }
    }
    assert_eq!(seen, requests);
}

fn replies() -> Vec<Reply> {
    let refused = |program| Reply::Spawned {
        ticket: 2,
        outcome: Err(Refusal {
            program,
            reason: "not there".into(),
        }),
    };
    let (rank, why) = (2, "killed".to_string());
    vec![
        Reply::Welcome(welcome()),
        Reply::Release(vec![9]),
        Reply::SharedRelease { bytes: 70_000 },
        Reply::Reborn(vec![9; 200]),
        Reply::Met {
            ticket: 7,
            values: vec![vec![1, 2], vec![], vec![3; 300]],
        },
        Reply::Gone { rank, why },
        Reply::Unmet {
            ticket: 1,
            why: "it exited".to_string(),
        },
        Reply::Spawned {
            ticket: 2,
            outcome: Ok(Part { first: 3, count: 2 }),
        },
        refused(None),
        refused(Some(1)),
        Reply::Named {
            ticket: 9,
            answer: Answer::Found("port".into()),
        },
        Reply::Ask { question: 4 },
        Reply::PassedOn([1, 2]),
    ]
}

#[test]
fn replies_come_back_as_they_went() {
    let mut sent = Vec::new();
    replies().iter().for_each(|reply| reply.encode(&mut sent));
    for reply in replies() {
        assert_eq!(Reply::decode(&mut sent), Ok(Some(reply)));
    }
    assert!(sent.is_empty());
}

/// The corpus has a stream of all requests, one of all replies, and one of each that is cut.
#[test]
fn messages_of_each_kind_are_in_the_corpus() {
    let mut streams = [vec![0], vec![1], vec![2]];
    requests()
        .iter()
        .for_each(|request| request.encode(&mut streams[0]));
    replies()
        .iter()
        .for_each(|reply| reply.encode(&mut streams[1]));
    let mut entries = Vec::new();
    push_entry(&mut entries, "modex", b"abc");
    push_entry(&mut entries, "", &[]);
    (3..5).for_each(|rank| push_released(&mut streams[2], rank, &entries));
    for (name, stream) in ["requests", "replies", "released"].into_iter().zip(streams) {
        base::fuzz::keep("bootstrap_native", name, &stream);
        let cut = &stream[..stream.len() - 3];
        base::fuzz::keep("bootstrap_native", &format!("{name}-cut"), cut);
    }
    for (at, request) in requests().iter().enumerate() {
        let mut stream = vec![0];
        request.encode(&mut stream);
        base::fuzz::keep("bootstrap_native", &format!("request-{at:02}"), &stream);
    }
    for (at, reply) in replies().iter().enumerate() {
        let mut stream = vec![1];
        reply.encode(&mut stream);
        base::fuzz::keep("bootstrap_native", &format!("reply-{at:02}"), &stream);
    }
    // A list of as many entries as there are numbers.
    let absurd = [&[0, REQUEST, 11, 0, 0, 0, 3, 1][..], &[0xff; 8], &[1]].concat();
    base::fuzz::keep("bootstrap_native", "absurd-length", &absurd);
}

/// A frame whose body says more than it holds is refused, wherever it is cut.
#[test]
fn a_body_that_is_cut_short_is_refused() {
    let mut whole = Vec::new();
    Request::Meet(meet()).encode(&mut whole);
    let body = whole.split_off(HEADER_BYTES);
    for length in 0..body.len() {
        let mut cut = Vec::new();
        frame(&mut cut, REQUEST, |out| {
            out.extend_from_slice(&body[..length])
        });
        assert!(Request::decode(&mut cut).is_err(), "cut at {length}");
    }
    let mut long = Vec::new();
    frame(&mut long, REQUEST, |out| {
        out.extend_from_slice(&[&body[..], &[0]].concat())
    });
    assert!(Request::decode(&mut long).is_err());
}

/// A hello or welcome in a frame of another kind is refused, and so are names that are too long.
#[test]
fn requests_and_replies_that_nobody_sends_are_refused() {
    let hello = Request::Hello { version: 1, pid: 2 };
    let long = Request::Names {
        ticket: 1,
        question: Question::LookUp {
            service: "s".repeat(NAMES_BYTES_MAX + 1),
        },
    };
    for request in [hello, long] {
        let mut bytes = Vec::new();
        frame(&mut bytes, REQUEST, |body| codec::encode(&request, body));
        assert!(Request::decode(&mut bytes).is_err(), "{request:?}");
    }
    let mut bytes = Vec::new();
    let welcome = Reply::Welcome(welcome());
    frame(&mut bytes, REPLY, |body| codec::encode(&welcome, body));
    assert!(Reply::decode(&mut bytes).is_err());
}

/// Both sides read the version of the other side before anything else, whatever follows it.
#[test]
fn another_version_is_seen_first() {
    let mut hello = Vec::new();
    frame(&mut hello, HELLO, |body| {
        body.extend([1, 2, 0, 0, 9, 0, 0, 0, 1, 2, 3])
    });
    let expected = Request::Hello {
        version: 0x201,
        pid: 9,
    };
    assert_eq!(Request::decode(&mut hello), Ok(Some(expected)));
    let mut bytes = Vec::new();
    frame(&mut bytes, WELCOME, |body| {
        body.extend([1, 2, 0, 0, 0xff, 0xff])
    });
    let Err(Malformed(why)) = Reply::decode(&mut bytes) else {
        panic!("a welcome of another version is taken");
    };
    assert!(
        why.contains("version 513") && why.contains("different installations"),
        "{why}"
    );
    let mut own = Vec::new();
    Reply::Welcome(welcome()).encode(&mut own);
    assert_eq!(own[HEADER_BYTES..HEADER_BYTES + 4], VERSION.to_le_bytes());
}

#[test]
fn entries_come_back_with_their_rank() {
    let (mut of_1, mut of_4, mut body) = (Vec::new(), Vec::new(), Vec::new());
    push_entry(&mut of_1, "modex", b"abc");
    push_entry(&mut of_1, "empty", b"");
    push_entry(&mut of_4, "modex", &[0; 300]);
    push_released(&mut body, 1, &of_1);
    push_released(&mut body, 2, &[]);
    push_released(&mut body, 4, &of_4);
    let mut seen = Vec::new();
    released(&body, |rank, key, value| {
        seen.push((rank, key.to_string(), value.len()))
    })
    .unwrap();
    let expected = [(1, "modex", 3), (1, "empty", 0), (4, "modex", 300)];
    assert_eq!(seen, expected.map(|(r, k, n)| (r, k.to_string(), n)));
    for cut in 1..body.len() {
        // A cut between two ranks' entries is a shorter release; any other is an error.
        let whole = cut == 8 + of_1.len();
        assert_eq!(
            released(&body[..cut], |_, _, _| ()).is_ok(),
            whole,
            "cut at {cut}"
        );
    }
}

#[test]
fn nonsense_is_refused_at_its_first_byte() {
    assert!(Request::decode(&mut b"GET / HTTP/1.1\r\n".to_vec()).is_err());
    assert!(Reply::decode(&mut b"cmd=response_to_init".to_vec()).is_err());
    let mut huge = vec![REQUEST];
    huge.extend_from_slice(&u32::MAX.to_le_bytes());
    assert!(Request::decode(&mut huge).is_err());
    let mut short = vec![HELLO, 2, 0, 0, 0, 1, 1];
    assert!(Request::decode(&mut short).is_err());
    let mut wrong = Vec::new();
    Reply::Welcome(Welcome {
        rank: 3,
        ..welcome()
    })
    .encode(&mut wrong);
    assert!(Reply::decode(&mut wrong).is_err());
}

proptest::proptest! {
    /// Decoding of any bytes ends with a frame, an error, or a request for more; it never
    /// panics and never makes frames out of nothing.
    #[test]
    fn any_bytes_are_taken(
        kind in proptest::sample::select(vec![HELLO, REQUEST, WELCOME, REPLY]),
        length in 0u32..64,
        rest in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
    ) {
        let mut bytes = vec![kind];
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&rest);
        let mut left = bytes.clone();
        while let Ok(Some(request)) = Request::decode(&mut left) {
            let mut again = Vec::new();
            request.encode(&mut again);
            proptest::prop_assert!(again.len() <= bytes.len());
        }
        let mut left = bytes.clone();
        while let Ok(Some(reply)) = Reply::decode(&mut left) {
            if let Reply::Release(body) = reply {
                let _ = released(&body, |_, _, _| ());
            }
        }
        let _ = released(&rest, |_, _, _| ());
    }
}
