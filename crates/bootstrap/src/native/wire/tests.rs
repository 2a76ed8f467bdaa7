//! Tests of the wire format.

use super::*;

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

#[test]
fn frames_come_back_as_they_went_byte_by_byte() {
    let requests = [
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
                directory: "/".into(),
                ..Spawn::default()
            },
        },
    ];
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

#[test]
fn replies_come_back_as_they_went() {
    let mut sent = Vec::new();
    Reply::Welcome(welcome()).encode(&mut sent);
    Reply::Release(vec![9]).encode(&mut sent);
    let met = Reply::Met {
        ticket: 7,
        values: vec![vec![1, 2], vec![], vec![3; 300]],
    };
    met.encode(&mut sent);
    let gone = Reply::Gone {
        rank: 2,
        why: "killed".into(),
    };
    gone.encode(&mut sent);
    let why = "it exited".to_string();
    let unmet = Reply::Unmet { ticket: 1, why };
    unmet.encode(&mut sent);
    let spawned = Reply::Spawned {
        ticket: 2,
        outcome: Ok(Part { first: 3, count: 2 }),
    };
    spawned.encode(&mut sent);
    let named = Reply::Named {
        ticket: 9,
        answer: Answer::Found("port".into()),
    };
    named.encode(&mut sent);
    assert_eq!(
        Reply::decode(&mut sent),
        Ok(Some(Reply::Welcome(welcome())))
    );
    assert_eq!(Reply::decode(&mut sent), Ok(Some(Reply::Release(vec![9]))));
    assert_eq!(Reply::decode(&mut sent), Ok(Some(met)));
    assert_eq!(Reply::decode(&mut sent), Ok(Some(gone)));
    assert_eq!(Reply::decode(&mut sent), Ok(Some(unmet)));
    assert_eq!(Reply::decode(&mut sent), Ok(Some(spawned)));
    assert_eq!(Reply::decode(&mut sent), Ok(Some(named)));
    assert!(sent.is_empty());
}

/// A meeting whose frame says more than it holds is refused, wherever it is cut.
#[test]
fn a_meeting_that_is_cut_short_is_refused() {
    let mut whole = Vec::new();
    Request::Meet(meet()).encode(&mut whole);
    let fixed = whole.len() - HEADER_BYTES - meet().value.len();
    for length in 0..fixed {
        let mut cut = vec![MEET];
        cut.extend_from_slice(&(length as u32).to_le_bytes());
        cut.extend_from_slice(&whole[HEADER_BYTES..HEADER_BYTES + length]);
        assert!(Request::decode(&mut cut).is_err(), "cut at {length}");
    }
    let mut absurd = Vec::new();
    frame(
        &mut absurd,
        MEET,
        &[&[0; 4], &u32::MAX.to_le_bytes(), &[0; 64]],
    );
    assert!(Request::decode(&mut absurd).is_err());
    let mut absurd = Vec::new();
    frame(
        &mut absurd,
        MET,
        &[&[0; 4], &u32::MAX.to_le_bytes(), &[0; 64]],
    );
    assert!(Reply::decode(&mut absurd).is_err());
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
    let mut huge = vec![FENCE];
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
        kind in proptest::sample::select(vec![
            HELLO, FENCE, ABORT, FINALIZE, MEET, SPAWN, UNLINK, NAMES, NAMED,
            WELCOME, RELEASE, MET, GONE,
            UNMET, SPAWNED,
        ]),
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
            proptest::prop_assert!(again.len() <= bytes.len() + 3 * rest.len());
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
