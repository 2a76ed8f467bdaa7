//! A small job, recorded by hand: what becomes of it in each form.

use crate::layout::{Kind, Record, NO_PEER, NO_TAG};
use crate::merge::{merge, waits, Trace};
use crate::read::{Clock, Comm, Peer, Rank, Site};
use crate::{json, paraver, summary, svg};

fn call(begin: u64, ticks: u64, site: u16, kind: Kind, peer: i32) -> Record {
    let (tag, bytes) = match peer {
        NO_PEER => (NO_TAG, 0),
        _ => (5, 8),
    };
    let thread = 0;
    Record {
        begin,
        ticks,
        bytes,
        peer,
        tag,
        site,
        comm: 0,
        kind,
        thread,
    }
}

/// A rank whose clock ticks in nanoseconds and begins at `zero`.
fn rank(number: u32, zero: u64, records: Vec<Record>) -> Rank {
    let site = |function: &str| Site {
        function: function.into(),
        symbol: "main (a \"b\".c:3)".into(),
        calls: 2,
        ticks: 500,
        longest: 400,
        ..Site::default()
    };
    Rank {
        number,
        pid: 1,
        made: records.len() as u64,
        records,
        sites: vec![site("MPI_Send"), site("MPI_Recv"), site("MPI_Barrier")],
        comms: vec![Comm {
            context: 77,
            size: 2,
            name: "MPI_COMM_WORLD".into(),
        }],
        peers: vec![
            Peer::default(),
            Peer {
                messages: 1,
                bytes: 8,
                ..Peer::default()
            },
        ],
        clock: Clock::new((0, zero), (1000, zero + 1000)),
        fences: [10, 2000],
        ..Rank::default()
    }
}

/// Rank 0 sends twice; rank 1, whose host's clock is an hour ahead, waits for the first and posted
/// the second receive before. Then both come to a barrier, rank 0 later.
fn job() -> Trace {
    let sender = vec![
        call(300, 50, 0, Kind::CallThatSent, 1),
        call(400, 50, 0, Kind::CallThatSent, 1),
        call(900, 20, 2, Kind::Call, NO_PEER),
    ];
    let receiver = vec![
        call(100, 260, 1, Kind::CallThatReceived, 0),
        call(150, 320, 1, Kind::Receive, 0),
        call(600, 320, 2, Kind::Call, NO_PEER),
    ];
    let hour = 3_600_000_000_000;
    merge(vec![
        (rank(1, hour, receiver), (1, "two".into())),
        (rank(0, 0, sender), (0, "one".into())),
    ])
}

#[test]
fn messages_join_the_nth_send_with_the_nth_receive_across_clocks() {
    let trace = job();
    let ends: Vec<_> = trace
        .messages
        .iter()
        .map(|m| (m.ends, m.records, m.times))
        .collect();
    // The first record began at 100.
    assert_eq!(
        ends,
        [([0, 1], [0, 0], [200, 260]), ([0, 1], [1, 1], [300, 370])]
    );
    assert_eq!(trace.unmatched, [0, 0]);
}

#[test]
fn who_waits_for_whom_is_the_time_until_the_other_began() {
    let waits: Vec<_> = waits(&job()).into_iter().collect();
    // 200 for the first message, and 300 at the barrier.
    assert_eq!(waits, [((1, 0), 500)]);
}

#[test]
fn where_records_were_dropped_the_last_ones_belong_together() {
    let mut sender = rank(0, 0, vec![call(400, 50, 0, Kind::CallThatSent, 1)]);
    sender.made = 9;
    let receiver = vec![
        call(100, 260, 1, Kind::CallThatReceived, 0),
        call(380, 320, 1, Kind::CallThatReceived, 0),
    ];
    let host = || (0, "one".to_string());
    let trace = merge(vec![(sender, host()), (rank(1, 0, receiver), host())]);
    let records: Vec<_> = trace
        .messages
        .iter()
        .map(|message| message.records)
        .collect();
    assert_eq!(records, [[0, 1]]);
    assert_eq!(trace.unmatched, [0, 1]);
}

#[test]
fn the_json_is_valid_and_has_each_call_and_both_ends_of_each_message() {
    let mut out = Vec::new();
    json::write(&job(), &mut out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let events = value["traceEvents"].as_array().unwrap();
    assert!(events
        .iter()
        .all(|event| event["args"] != serde_json::json!({})));
    let of = |phase: &str| {
        events
            .iter()
            .filter(|e| e["ph"] == phase)
            .collect::<Vec<_>>()
    };
    let calls: Vec<_> = of("X")
        .iter()
        .map(|e| e["name"].as_str().unwrap())
        .collect();
    let expected = [
        "MPI_Send",
        "MPI_Send",
        "MPI_Barrier",
        "MPI_Recv",
        "MPI_Barrier",
    ];
    assert_eq!(calls, expected);
    let first = of("X")[0];
    assert_eq!((&first["ts"], &first["dur"]), (&0.2.into(), &0.05.into()));
    assert_eq!(first["args"]["peer"], 1);
    assert_eq!(first["args"]["tag"], 5);
    assert_eq!(first["args"]["comm"], "MPI_COMM_WORLD");
    assert_eq!(first["args"]["from"], "main (a \"b\".c:3)");
    let ends = |phase| {
        of(phase)
            .iter()
            .map(|e| e["id"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!((ends("s"), ends("f")), (vec![0, 1], vec![0, 1]));
}

#[test]
fn paraver_has_states_messages_and_names() {
    let files = paraver::Files::of(&job());
    assert!(files
        .prv
        .starts_with("#Paraver (01/01/2000 at 00:00):820_ns:1(2):1:2(1:1,1:1)\n"));
    assert!(files
        .prv
        .contains("\n3:1:1:1:1:200:200:2:1:2:1:260:260:8:5\n"));
    assert!(files.pcf.contains("\n3    MPI_Send\n"));
    assert_eq!(
        files.row,
        "LEVEL THREAD SIZE 2\nrank 0 on one\nrank 1 on two\n"
    );
    let times = files
        .prv
        .lines()
        .skip(1)
        .map(|line| line.split(':').nth(5).unwrap());
    let times: Vec<u64> = times.map(|time| time.parse().unwrap()).collect();
    assert!(times.is_sorted());
}

#[test]
fn the_table_and_the_picture_name_ranks_calls_and_waits() {
    let table = summary::table(&job());
    for part in [
        "MPI in 2 ranks",
        "MPI_Barrier",
        "main (a \"b\".c:3)",
        "rank 1     0      500 ns",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let picture = svg::picture(&job());
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    // A legend of shades: nothing, four steps to the most.
    let shades = [">0 B<", ">2 B<", ">3 B<", ">5 B<", ">8 B<"];
    let others = [">rank 1<", ">MPI_Recv<", "<title>0 to 1: 8 B</title>"];
    for part in shades.into_iter().chain(others) {
        assert!(picture.contains(part), "{part}");
    }
}

#[test]
fn a_picture_says_how_many_messages_it_shows() {
    let mut trace = job();
    assert!(!svg::picture(&trace).contains("arrows:"));
    let pattern = trace.messages.remove(0);
    trace.messages = vec![pattern; 1604];
    let picture = svg::picture(&trace);
    assert!(
        picture.contains(">arrows: 400 of 1604 messages<"),
        "{picture}"
    );
    assert_eq!(picture.matches("<circle").count(), 400);
}

#[test]
fn a_table_of_many_ranks_says_how_many_it_leaves_out() {
    let ranks = (0..40).map(|number| (rank(number, 0, Vec::new()), (0, "one".into())));
    let trace = merge(ranks.collect());
    let table = summary::table(&trace);
    assert!(table.contains("\n  and 8 ranks between\n"), "{table}");
}

/// Recordings come from other hosts, and from ranks that were killed while they wrote.
#[test]
fn any_bytes_are_a_recording_or_an_error() {
    let layout = crate::layout::Layout::new(4, 2).unwrap();
    let mut bytes = layout.header(crate::layout::Keep::Newest, 0, 0);
    let parts = crate::read::parts(&bytes).unwrap();
    bytes.resize(parts.iter().map(|(_, len)| len).sum(), 0);
    assert!(Rank::read(&bytes).is_ok());
    assert!(Rank::read(&bytes[..bytes.len() - 8]).is_err());
    let mut seed = 12345u64;
    for _ in 0..20_000 {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let mut damaged = bytes.clone();
        let at = 8 + (seed >> 33) as usize % (damaged.len() - 8);
        damaged[at] = (seed >> 20) as u8;
        if let Ok(rank) = Rank::read(&damaged) {
            let trace = merge(vec![(rank, (0, String::new()))]);
            let _ = summary::table(&trace);
        }
    }
}
