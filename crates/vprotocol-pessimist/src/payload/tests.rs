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

#[test]
fn past_its_bound_the_log_goes_on_in_the_file() {
    let storage = Storage::in_folder(0, &std::env::temp_dir()).unwrap();
    mixed(&mut PayloadLog::new(storage));
    let storage = Storage::in_folder(2 << 20, &std::env::temp_dir()).unwrap();
    let mut log = PayloadLog::new(storage);
    for number in 0..100 {
        assert!(record(&mut log, PEERS[0], number, 100_000));
    }
    assert_eq!((log.in_memory, log.in_file), (2 << 20, 8 << 20));
    assert_eq!(content(&log.sent_to(PEERS[0])).len(), 100);
    assert!(log.is_complete(PEERS[0]));
}

#[test]
fn a_folder_that_is_none_is_an_error() {
    assert!(Storage::in_folder(0, Path::new("/dev/null")).is_err());
}

#[test]
fn a_full_file_is_known_and_what_was_logged_before_stays() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut log = PayloadLog::new(Storage {
        memory_bytes: 1 << 20,
        file: Some((full, PathBuf::from("/full"))),
    });
    let logged = (0..100).filter(|number| record(&mut log, PEERS[0], *number, 100_000));
    assert_eq!(logged.count(), 10);
    let why = log.why_full().unwrap();
    assert!(why.starts_with("/full has taken 0 bytes"), "{why}");
    assert!(!log.is_complete(PEERS[0]) && log.is_complete(PEERS[1]));
    assert_eq!(content(&log.sent_to(PEERS[0])).len(), 10);
}
