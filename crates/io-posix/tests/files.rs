//! Reads, writes and locks of real files.

use std::path::PathBuf;
use std::time::Duration;

use io::Run;
use io_posix::{LockKind, OpenFile, OpenOptions};
use memory::Scratch;

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
fn lists_of_more_runs_than_a_call_takes_keep_their_order() {
    let path = Path::new("lists");
    let file = path.create();
    let bytes: Vec<u8> = (0..5000u32).flat_map(|i| i.to_ne_bytes()).collect();
    let from = memory(&bytes);
    let runs: Vec<_> = (0..5000).map(|i| from.buf().part(i * 4, 4)).collect();
    file.write_list(10, &runs).unwrap();
    assert_eq!(file.size().unwrap(), 10 + 20000);
    let into = Scratch::new(20100);
    let read = file.read_list(10, &[into.buf().part(0, 7), into.buf().part(7, 20093)]);
    assert_eq!(read.unwrap(), 20000);
    let mut found = vec![0; 20000];
    into.buf().read(0, &mut found);
    assert_eq!(found, bytes);
    assert_eq!(file.read(20010, into.buf()).unwrap(), 0);
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
