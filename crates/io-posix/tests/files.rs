//! Reads, writes and locks of real files.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use io::Direction;
use io::Run;
use io_posix::{LockKind, OpenFile, OpenOptions, Ring, Transfer};
use memory::{Scratch, UserBuf};

/// A path in the folder for temporary files that the test removes at its end.
struct Path(PathBuf);

impl Path {
    fn new(name: &str) -> Path {
        Path(std::env::temp_dir().join(format!("io-posix-{name}-{}", std::process::id())))
    }

    fn create(&self) -> OpenFile {
        let access = OpenOptions {
            read: true,
            write: true,
            create: true,
            exclusive: true,
            permissions: 0o600,
            striping: None,
        };
        OpenFile::open(self.0.to_str().unwrap(), access, None).unwrap()
    }
}

impl Drop for Path {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn memory(bytes: &[u8]) -> Scratch {
    let memory = Scratch::new(bytes.len());
    memory.buf().write(0, bytes);
    memory
}

#[test]
fn a_lock_keeps_another_open_of_the_file_out() {
    let path = Path::new("locks");
    let first = path.create();
    let access = OpenOptions {
        read: true,
        write: true,
        ..OpenOptions::default()
    };
    let second = OpenFile::open(path.0.to_str().unwrap(), access, None).unwrap();
    let range = |offset, length| Run { offset, length };
    let held = first.lock(range(0, 100), LockKind::Exclusive).unwrap();
    drop(second.lock(range(100, 10), LockKind::Exclusive).unwrap());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let taken = second.lock(range(50, 10), LockKind::Shared).unwrap();
            sender.send(()).unwrap();
            drop(taken);
        });
        let waited = receiver.recv_timeout(Duration::from_millis(100));
        assert!(waited.is_err(), "the lock was taken twice");
        drop(held);
        receiver.recv_timeout(Duration::from_secs(10)).unwrap();
    });
}

#[test]
fn folders_and_missing_files_are_refused() {
    let folder = std::env::temp_dir();
    let error = |path: &str| OpenFile::open(path, OpenOptions::default(), None).unwrap_err();
    assert_eq!(
        error(folder.to_str().unwrap()).raw_os_error(),
        Some(libc::EISDIR)
    );
    assert_eq!(error("/nowhere/file").raw_os_error(), Some(libc::ENOENT));
    assert_eq!(error("a\0b").raw_os_error(), Some(libc::EINVAL));
}

/// Begins an access by `start`; returns what will have its end.
fn begin(
    file: &Arc<OpenFile>,
    direction: Direction,
    offset: u64,
    memory: UserBuf,
    start: impl FnOnce(Transfer),
) -> Arc<OnceLock<std::io::Result<u64>>> {
    let ended: Arc<OnceLock<_>> = Arc::default();
    let result = ended.clone();
    start(Transfer {
        file: file.clone(),
        direction,
        offset,
        memory,
        ended: Box::new(move |moved| result.set(moved).unwrap()),
    });
    ended
}

#[test]
fn transfers_by_the_kernel_end_as_those_by_a_thread() {
    let path = Path::new("ring");
    let file = Arc::new(path.create());
    let alarm = sync::Alarm::default();
    alarm.expect().unwrap();
    // Some kernels forbid rings; then there is nothing to compare.
    let Ok(ring) = Ring::open(alarm.event().unwrap()) else {
        return;
    };
    let bytes: Vec<u8> = (0..700_000u32).flat_map(|i| i.to_ne_bytes()).collect();
    let (from, into) = (memory(&bytes), Scratch::new(bytes.len() + 1000));
    let by_ring = |transfer| assert!(ring.start(transfer).is_ok());
    let ends: Vec<_> = (0..4)
        .map(|i| {
            let part = from.buf().part(i * 700_000, 700_000);
            begin(
                &file,
                Direction::Write,
                9 + i as u64 * 700_000,
                part,
                by_ring,
            )
        })
        .collect();
    ring.finish();
    assert!(ends
        .iter()
        .all(|end| matches!(end.get(), Some(Ok(700_000)))));
    assert_eq!(file.size().unwrap(), 9 + bytes.len() as u64);
    // Both meet the end of the file.
    for by_kernel in [true, false] {
        into.buf().write(0, &[0; 1000]);
        let start = |transfer: Transfer| match by_kernel {
            true => by_ring(transfer),
            false => transfer.carry_out(),
        };
        let end = begin(&file, Direction::Read, 9, into.buf(), start);
        ring.finish();
        assert!(matches!(end.get(), Some(Ok(2_800_000))), "{:?}", end.get());
        let mut found = vec![0; bytes.len()];
        into.buf().read(0, &mut found);
        assert_eq!(found, bytes);
    }
    let end = begin(&file, Direction::Read, 1 << 62, into.buf(), by_ring);
    ring.finish();
    assert!(matches!(end.get(), Some(Ok(0) | Err(_))));
}
