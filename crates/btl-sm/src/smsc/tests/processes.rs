//! Tests of the kernel's copies between two processes: this test program is started again as the
//! peer.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::*;

/// Set for the process that is the peer: how many bytes of memory it has.
const ROLE: &str = "OXMPI_TEST_PEER_BYTES";

/// A process that has memory, and says where.
struct Other {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    peer: Peer,
    offers: Vec<u8>,
    memory: u64,
}

impl Other {
    fn start(bytes: usize) -> Other {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "smsc::tests::processes::peer", "--nocapture"])
            .env(ROLE, bytes.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let words = loop {
            let mut line = String::new();
            assert_ne!(
                stdout.read_line(&mut line).unwrap(),
                0,
                "the peer has ended"
            );
            if let Some((_, words)) = line.split_once("memory ") {
                break words.trim().to_string();
            }
        };
        let numbers: Vec<u64> = words.split(' ').map(|word| word.parse().unwrap()).collect();
        let peer = Peer {
            pid: child.id(),
            cookie: numbers[0],
            probe: numbers[1],
        };
        Other {
            child,
            stdin,
            stdout,
            peer,
            offers: numbers[3..].iter().map(|byte| *byte as u8).collect(),
            memory: numbers[2],
        }
    }

    /// Has the peer say a byte of its memory.
    fn byte(&mut self, at: usize) -> u8 {
        writeln!(self.stdin, "{at}").unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim().parse().unwrap()
    }

    fn at(&self, offset: usize) -> Target {
        Target {
            address: self.memory + offset as u64,
            region: None,
        }
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        self.end();
    }
}

/// The peer process of the tests below, not a test: without its variable it does nothing.
#[test]
fn peer() {
    let Some(bytes) = std::env::var(ROLE).ok().and_then(|text| text.parse().ok()) else {
        return;
    };
    let cookie = Box::new(0xfeed_f00d_0bad_cafe_u64);
    let smsc = Smsc::open(&Opening {
        system: Arc::new(Kernel),
        settings: &settings("cma"),
        cookie: &cookie,
        caching: Caching::NONE,
    });
    let memory = sparse(bytes);
    for (at, value) in marks(bytes) {
        memory.write(at, &[value]);
    }
    let probe = std::ptr::from_ref(&*cookie).expose_provenance();
    let address = memory.address().expose_provenance();
    let offers: Vec<String> = smsc.offers().iter().map(u8::to_string).collect();
    println!(
        "\nmemory {} {probe} {address} {}",
        *cookie,
        offers.join(" ")
    );
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let mut byte = [0];
        memory.read(line.parse().unwrap(), &mut byte);
        println!("{}", byte[0]);
    }
}

/// Memory of which only what is touched is there. It stays mapped.
fn sparse(len: usize) -> UserBuf {
    // SAFETY: a new mapping, which is never unmapped.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let address = libc::mmap(std::ptr::null_mut(), len, access, flags, -1, 0);
        assert_ne!(address, libc::MAP_FAILED);
        UserBuf::new(address.cast(), len)
    }
}

/// Bytes of the peer's memory that are not 0: around whatever the kernel may cut at.
fn marks(len: usize) -> Vec<(usize, u8)> {
    let borders = [0, 4096, 1 << 20, 1 << 30, 0x7fff_f000, 1 << 31, len];
    let around = borders
        .into_iter()
        .flat_map(|border| [border.wrapping_sub(1), border, border + 1]);
    around
        .filter(|at| *at < len)
        .enumerate()
        .map(|(number, at)| (at, number as u8 + 1))
        .collect()
}

/// Connects by cma, or says why that cannot be here.
fn connect(other: &Other) -> Option<Links> {
    let cookie = Box::new(1_u64);
    let mut smsc = Smsc::open(&Opening {
        system: Arc::new(Kernel),
        settings: &settings("cma"),
        cookie: &cookie,
        caching: Caching::NONE,
    });
    let links = smsc.connect(&other.peer, &other.offers);
    if links.is_empty() {
        println!("skipped: {}", links.explain());
        return None;
    }
    Some(links)
}

#[test]
fn another_process_is_read_and_written() {
    let mut other = Other::start(100_000);
    let Some(mut links) = connect(&other) else {
        return;
    };
    let local = Scratch::new(100_000);
    links
        .copy(Direction::Read, local.buf(), &other.at(0))
        .unwrap();
    let mut got = vec![0; 100_000];
    local.buf().read(0, &mut got);
    let mut wanted = vec![0; 100_000];
    marks(100_000)
        .into_iter()
        .for_each(|(at, value)| wanted[at] = value);
    assert!(got == wanted);
    local.buf().write(0, &[200, 201, 202]);
    let place = other.at(777);
    links
        .copy(Direction::Write, local.buf().part(0, 3), &place)
        .unwrap();
    assert_eq!(
        [776, 777, 779, 780].map(|at| other.byte(at)),
        [0, 200, 202, 0]
    );
    let local = local.buf();
    let beyond = links.copy(Direction::Read, local, &other.at(0).moved(1 << 46));
    assert_eq!(beyond, Err(Unreached::Fault), "nothing is there");
    other.end();
    let gone = links.copy(Direction::Read, local, &other.at(0));
    assert_eq!(gone, Err(Unreached::Gone));
}

impl Target {
    fn moved(self, by: u64) -> Target {
        Target {
            address: self.address + by,
            ..self
        }
    }
}

/// More than the kernel copies at once. Where no mark is, the memory that it goes to is the same
/// few pages again and again, so the test needs little of it.
#[test]
fn more_than_two_gibibytes_are_one_copy() {
    const STEP: usize = 4 << 20;
    let len = (1 << 31) + STEP + 4097;
    let other = Other::start(len);
    let Some(mut links) = connect(&other) else {
        return;
    };
    let local = sparse(len);
    let folded = shm::Segment::create("folded", STEP).unwrap();
    folded.reserve(0, STEP).unwrap();
    let marks = marks(len);
    for at in (0..len - STEP).step_by(STEP) {
        if marks.iter().any(|(mark, _)| (at..at + STEP).contains(mark)) {
            continue;
        }
        let piece = local.part(at, STEP);
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the addresses are those of `local`, which is mapped.
        let mapped = unsafe {
            libc::mmap(
                piece.address().cast(),
                STEP,
                access,
                flags,
                folded.descriptor(),
                0,
            )
        };
        assert_ne!(mapped, libc::MAP_FAILED);
    }
    links.copy(Direction::Read, local, &other.at(0)).unwrap();
    for (at, value) in marks {
        let mut got = [0];
        local.read(at, &mut got);
        assert_eq!(got, [value], "at {at:#x}");
    }
    // SAFETY: mapped by `sparse`, and of no more use.
    unsafe { libc::munmap(local.address().cast(), len) };
}
