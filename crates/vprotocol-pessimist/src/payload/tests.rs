//! Tests of the payload log in memory and in files.

use super::*;

const CONTEXT: Context = Context(9);
const PEERS: [PeerId; 2] = [PeerId(1), PeerId(2)];

/// Records a message of `len` bytes, each of them its number.
fn record(log: &mut PayloadLog, peer: PeerId, sequence: u64, len: usize) -> bool {
    let bytes = Scratch::new(len);
    bytes.buf().write(0, &vec![sequence as u8; len]);
    let label = Label {
        context: CONTEXT,
        source: Rank(0),
        tag: -7,
        sequence,
    };
    log.record(peer, label, &Buffer::bytes(bytes.buf()))
}

/// Returns the numbers and lengths of messages, whose bytes are checked.
fn content(sent: &[(Label, Buffer)]) -> Vec<(u64, usize)> {
    let check = |(label, buffer): &(Label, Buffer)| {
        let mut bytes = vec![0; buffer.len()];
        buffer.contiguous().unwrap().read(0, &mut bytes);
        assert!(bytes.iter().all(|byte| *byte == label.sequence as u8));
        assert_eq!((label.context, label.tag), (CONTEXT, -7));
        (label.sequence, bytes.len())
    };
    sent.iter().map(check).collect()
}

fn mixed(log: &mut PayloadLog) {
    let lengths = [0, 1, 8, 4097, EXTENT_BYTES, 3 * EXTENT_BYTES, 5];
    for (number, len) in lengths.into_iter().enumerate() {
        assert!(record(log, PEERS[number % 2], number as u64, len));
    }
    let expected = |odd: usize| {
        let all = lengths.into_iter().enumerate();
        let of_peer = all.filter(|(number, _)| number % 2 == odd);
        let numbered = of_peer.map(|(number, len)| (number as u64, len));
        numbered.collect::<Vec<_>>()
    };
    assert_eq!(content(&log.sent_to(PEERS[0])), expected(0));
    assert_eq!(content(&log.sent_to(PEERS[1])), expected(1));
    assert_eq!(log.size().0, 7);
}

#[test]
fn messages_come_back_by_receiver_and_in_order() {
    mixed(&mut PayloadLog::default());
}

/// Returns a file without a name.
fn file() -> File {
    let name = format!(
        "oxmpi-payload-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    );
    let path = std::env::temp_dir().join(name);
    let mut options = File::options();
    let file = options.read(true).write(true).create(true).truncate(true);
    let file = file.open(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    file
}

fn storage(memory: &File, memory_bytes: u64, beyond: &File) -> Storage {
    Storage {
        memory: Some(memory.try_clone().unwrap()),
        memory_bytes,
        file: Some((beyond.try_clone().unwrap(), PathBuf::from("/logs"))),
    }
}

/// Says that all messages before `next` are not needed any more, but for some.
fn got(next: u64, missing: &[u64]) -> [Received; 1] {
    [Received {
        context: CONTEXT,
        next,
        missing: missing.to_vec(),
    }]
}

#[test]
fn past_its_bound_the_log_goes_on_in_the_file() {
    mixed(&mut PayloadLog::new(storage(&file(), 0, &file())));
    let mut log = PayloadLog::new(storage(&file(), 2 << 20, &file()));
    for number in 0..100 {
        assert!(record(&mut log, PEERS[0], number, 100_000));
    }
    assert_eq!(log.taken(), (2 << 20, 8 << 20));
    assert_eq!(content(&log.sent_to(PEERS[0])).len(), 100);
    assert!(log.is_complete(PEERS[0]));
}

#[test]
fn a_full_file_is_known_and_what_was_logged_before_stays() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut log = PayloadLog::new(Storage {
        memory_bytes: 1 << 20,
        file: Some((full, PathBuf::from("/full"))),
        ..Storage::default()
    });
    let logged = (0..100).filter(|number| record(&mut log, PEERS[0], *number, 100_000));
    assert_eq!(logged.count(), 10);
    let why = log.why_full().unwrap();
    assert!(why.starts_with("/full has taken 0 bytes"), "{why}");
    assert!(!log.is_complete(PEERS[0]) && log.is_complete(PEERS[1]));
    assert_eq!(content(&log.sent_to(PEERS[0])).len(), 10);
    log.free(PEERS[0], &got(99, &[]));
    assert!(
        !log.is_complete(PEERS[0]),
        "the last message may be needed still"
    );
    log.free(PEERS[0], &got(100, &[]));
    assert!(
        log.is_complete(PEERS[0]),
        "its receiver has saved its state since"
    );
    assert!(
        record(&mut log, PEERS[0], 100, 100_000),
        "there is room again"
    );
}

#[test]
fn freed_copies_make_room_and_the_others_stay() {
    let mut log = PayloadLog::default();
    assert!(record(&mut log, PEERS[0], 0, 100));
    for round in 0..50 {
        for number in 0..40 {
            let number = 1 + round * 40 + number;
            assert!(record(
                &mut log,
                PEERS[number as usize % 2],
                number,
                100_000
            ));
        }
        let next = 1 + (round + 1) * 40;
        log.free(PEERS[0], &got(next, &[0]));
        log.free(PEERS[1], &got(next, &[next - 2]));
        let kept = content(&log.sent_to(PEERS[1]));
        assert_eq!(kept, [(next - 2, 100_000)], "missing at its receiver");
        assert_eq!(
            content(&log.sent_to(PEERS[0])),
            [(0, 100)],
            "of its prologue"
        );
    }
    let (in_memory, in_file) = log.taken();
    assert!(in_memory <= 10 << 20, "{in_memory} bytes for 4 MB a round");
    assert_eq!(in_file, 0);
}

#[test]
fn the_next_life_finds_what_was_saved_and_not_what_came_later() {
    let (memory, beyond) = (file(), file());
    let mut before = PayloadLog::new(storage(&memory, 2 << 20, &beyond));
    for number in 0..30 {
        assert!(record(&mut before, PEERS[0], number, 100_000));
    }
    before.omit(
        PEERS[1],
        Label {
            context: CONTEXT,
            source: Rank(0),
            tag: 0,
            sequence: 3,
        },
    );
    before.make_lasting().unwrap();
    before.drop_retired();
    assert_eq!(content(&before.sent_to(PEERS[0])).len(), 30);
    let saved = before.save();
    // Frees the oldest extent with these, and uses it again.
    before.free(PEERS[0], &got(15, &[2]));
    before.free(PEERS[0], &got(15, &[]));
    for number in 30..60 {
        assert!(record(&mut before, PEERS[0], number, 100_000));
    }
    assert_eq!(
        before.taken(),
        (2 << 20, 3 << 20),
        "an extent was used again"
    );
    let mut next = PayloadLog::new(storage(&memory, 2 << 20, &beyond));
    next.restore(&saved).unwrap();
    let found = content(&next.sent_to(PEERS[0]));
    let numbers: Vec<u64> = found.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (15..30).collect::<Vec<u64>>());
    assert!(next.is_complete(PEERS[0]) && !next.is_complete(PEERS[1]));
    assert!(record(&mut next, PEERS[0], 30, 100_000));
    assert_eq!(content(&next.sent_to(PEERS[0])).len(), 16);

    // The length of the first copy in the second extent.
    let at = (1 << 20) + (EXTENT_HEADER + LEN_AT) as u64;
    std::os::unix::fs::FileExt::write_all_at(&memory, &[0xff; 7], at).unwrap();
    let mut next = PayloadLog::new(storage(&memory, 2 << 20, &beyond));
    let why = next.restore(&saved).unwrap_err();
    assert!(why.contains("damaged"), "{why}");
}
