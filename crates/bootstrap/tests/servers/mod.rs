//! Simulated launchers for the tests: a thread per rank around a shared state.

mod pmi2;

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Barrier};
use std::thread::{spawn, JoinHandle};

use base::{Condvar, Mutex};
use bootstrap::native::release;
use bootstrap::native::wire::{self, Meet, Reply, Request, Welcome};

pub use pmi2::Pmi2Server;

/// The variables of one rank.
pub type Environment = Vec<(&'static str, String)>;

/// The native launcher, without processes.
pub struct NativeServer {
    environments: Vec<Environment>,
    ranks: Vec<JoinHandle<Vec<String>>>,
}

impl NativeServer {
    pub fn start(size: u32) -> NativeServer {
        let barrier = Arc::new(Barrier::new(size as usize));
        let entries = Arc::new(Mutex::new(vec![Vec::new(); size as usize]));
        let hall = Arc::new(Hall::default());
        let (mut environments, mut ranks) = (Vec::new(), Vec::new());
        for rank in 0..size {
            let (near, far) = UnixStream::pair().unwrap();
            let number = OwnedFd::from(near).into_raw_fd().to_string();
            environments.push(vec![("OXMPI_BOOT_FD", number)]);
            let (barrier, entries) = (Arc::clone(&barrier), Arc::clone(&entries));
            let hall = Arc::clone(&hall);
            ranks.push(spawn(move || {
                serve_native(far, rank, size, (&barrier, &entries), &hall)
            }));
        }
        NativeServer {
            environments,
            ranks,
        }
    }

    pub fn environments(&self) -> Vec<Environment> {
        self.environments.clone()
    }

    /// Returns the unusual requests.
    pub fn join(self) -> Vec<String> {
        self.ranks
            .into_iter()
            .flat_map(|rank| rank.join().unwrap())
            .collect()
    }
}

/// Members and key of a meeting.
type Topic = (Vec<u32>, Vec<u8>);

/// Where ranks meet. A rank is at one meeting at a time, and no key is used twice.
#[derive(Default)]
struct Hall {
    brought: Mutex<HashMap<Topic, HashMap<u32, Vec<u8>>>>,
    changed: Condvar,
}

impl Hall {
    fn meet(&self, rank: u32, meet: Meet) -> Vec<Vec<u8>> {
        let topic = (meet.members, meet.key);
        let mut brought = self.brought.lock();
        let values = brought.entry(topic.clone()).or_default();
        assert!(values.insert(rank, meet.value).is_none());
        self.changed.notify_all();
        while brought[&topic].len() < topic.0.len() {
            brought = self.changed.wait(brought);
        }
        let value = |rank| brought[&topic][rank].clone();
        topic.0.iter().map(value).collect()
    }
}

/// Waits until the rank sends more or hangs up. Returns whether it has hung up.
fn hung_up(socket: &UnixStream) -> bool {
    let mut byte = [0];
    rustix::net::recv(socket, &mut byte[..], rustix::net::RecvFlags::PEEK)
        .unwrap()
        .0
        == 0
}

fn welcome(rank: u32, size: u32) -> Reply {
    Reply::Welcome(Welcome {
        version: wire::VERSION,
        rank,
        size,
        appnum: 0,
        universe: size,
        job: 7,
        secret: [42; 32],
        first: 0,
        parent: None,
        nodes: vec![0; size as usize],
    })
}

fn reply(socket: &mut UnixStream, reply: &Reply) {
    let mut bytes = Vec::new();
    reply.encode(&mut bytes);
    socket.write_all(&bytes).unwrap();
}

/// Ends a fence by memory that holds what it has brought.
fn release_shared(socket: &UnixStream, body: &[u8]) {
    let bytes = body.len() as u32;
    let mut frame = Vec::new();
    Reply::SharedRelease { bytes }.encode(&mut frame);
    let memory = release::share(body).unwrap();
    assert_eq!(release::send(socket, &frame, memory), Ok(frame.len()));
}

/// Welcomes one rank and waits until it has entered a fence.
pub fn welcome_alone(socket: &mut UnixStream, size: u32) {
    let mut bytes = Vec::new();
    for expected in ["hello", "fence"] {
        loop {
            match Request::decode(&mut bytes).unwrap() {
                Some(Request::Hello { .. }) if expected == "hello" => break,
                Some(Request::Fence(_)) if expected == "fence" => break,
                Some(other) => panic!("{other:?} where {expected} was due"),
                None => read_more(socket, &mut bytes),
            }
        }
        if expected == "hello" {
            reply(socket, &welcome(0, size));
        }
    }
}

fn read_more(socket: &mut UnixStream, bytes: &mut Vec<u8>) {
    let mut chunk = [0; 4096];
    let n = socket.read(&mut chunk).unwrap();
    assert_ne!(n, 0, "the rank hung up");
    bytes.extend_from_slice(&chunk[..n]);
}

fn serve_native(
    mut socket: UnixStream,
    rank: u32,
    size: u32,
    (barrier, all): (&Barrier, &Mutex<Vec<Vec<u8>>>),
    hall: &Hall,
) -> Vec<String> {
    let mut bytes = Vec::new();
    let mut finalized = false;
    let mut fences = 0;
    loop {
        match Request::decode(&mut bytes).unwrap() {
            None if finalized && hung_up(&socket) => return Vec::new(),
            None => read_more(&mut socket, &mut bytes),
            Some(Request::Hello { .. }) => reply(&mut socket, &welcome(rank, size)),
            Some(Request::Fence(entries)) => {
                all.lock()[rank as usize] = entries;
                barrier.wait();
                let mut body = Vec::new();
                for (rank, entries) in all.lock().iter().enumerate() {
                    wire::push_released(&mut body, rank as u32, entries);
                }
                barrier.wait();
                fences += 1;
                match fences % 2 == 0 {
                    true => release_shared(&socket, &body),
                    false => reply(&mut socket, &Reply::Release(body)),
                }
            }
            Some(Request::Abort { code, reason, .. }) => {
                return vec![format!("abort {code} {reason}")]
            }
            Some(Request::Meet(meet)) => {
                let (ticket, values) = (meet.ticket, hall.meet(rank, meet));
                reply(&mut socket, &Reply::Met { ticket, values });
            }
            Some(Request::Finalize) => finalized = true,
            Some(other) => panic!("no rank of these tests requests {other:?}"),
        }
    }
}

/// How a launcher was seen to speak PMI-1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Hydra4,
    Hydra5,
    Slurm,
    /// A launcher that reports no mapping.
    Gforker,
    /// `flux run`: names of jobs have a letter of two bytes.
    Flux,
}

/// A launcher that speaks PMI-1.
pub struct PmiServer {
    environments: Vec<Environment>,
    ranks: Vec<JoinHandle<Vec<String>>>,
}

struct Space {
    dialect: Dialect,
    size: u32,
    barrier: Barrier,
    pending: Mutex<HashMap<String, String>>,
    visible: Mutex<HashMap<String, String>>,
}

impl PmiServer {
    /// With an inherited descriptor for each rank.
    pub fn start(dialect: Dialect, size: u32) -> PmiServer {
        let space = Space::new(dialect, size);
        let (mut environments, mut ranks) = (Vec::new(), Vec::new());
        for rank in 0..size {
            let (near, far) = UnixStream::pair().unwrap();
            let number = OwnedFd::from(near).into_raw_fd().to_string();
            let numbers = [
                ("PMI_RANK", rank.to_string()),
                ("PMI_SIZE", size.to_string()),
            ];
            environments.push([("PMI_FD", number)].into_iter().chain(numbers).collect());
            let space = Arc::clone(&space);
            let reader = BufReader::new(far.try_clone().unwrap());
            ranks.push(spawn(move || space.serve(reader, far)));
        }
        PmiServer {
            environments,
            ranks,
        }
    }

    /// With a port that the ranks dial.
    pub fn listen(dialect: Dialect, size: u32) -> PmiServer {
        let space = Space::new(dialect, size);
        let (mut environments, mut ranks) = (Vec::new(), Vec::new());
        for rank in 0..size {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap().to_string();
            environments.push(vec![("PMI_PORT", address), ("PMI_ID", rank.to_string())]);
            let space = Arc::clone(&space);
            ranks.push(spawn(move || {
                let (mut far, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(far.try_clone().unwrap());
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                assert_eq!(line, format!("cmd=initack pmiid={rank}\n"));
                // Hydra 5 says it in the answer, and then again in the old way.
                let answer = match dialect {
                    Dialect::Hydra5 => format!("rc=0 rank={rank} size={size} appnum=0 debug=0"),
                    _ => String::new(),
                };
                let answer = format!(
                    "cmd=initack {answer}\ncmd=set size={size}\ncmd=set rank={rank}\n\
                     cmd=set debug=0\n"
                );
                far.write_all(answer.as_bytes()).unwrap();
                space.serve(reader, far)
            }));
        }
        PmiServer {
            environments,
            ranks,
        }
    }

    pub fn environments(&self) -> Vec<Environment> {
        self.environments.clone()
    }

    /// Returns the unusual requests.
    pub fn join(self) -> Vec<String> {
        self.ranks
            .into_iter()
            .flat_map(|rank| rank.join().unwrap())
            .collect()
    }
}

impl Space {
    fn new(dialect: Dialect, size: u32) -> Arc<Space> {
        let nodes = size.div_ceil(2);
        let mapping = match dialect {
            Dialect::Hydra5 => {
                let blocks: Vec<_> = (0..nodes).map(|n| format!("({n},1,2)")).collect();
                format!("(vector,{})", blocks.join(","))
            }
            _ => format!("(vector,(0,{nodes},2))"),
        };
        let preset = [("PMI_process_mapping".to_string(), mapping)];
        let preset = preset
            .into_iter()
            .filter(|_| dialect != Dialect::Gforker)
            .collect();
        Arc::new(Space {
            dialect,
            size,
            barrier: Barrier::new(size as usize),
            pending: Mutex::new(HashMap::new()),
            visible: Mutex::new(preset),
        })
    }

    fn serve(&self, reader: impl BufRead, mut writer: impl Write) -> Vec<String> {
        for line in reader.lines() {
            let line = line.unwrap();
            if self.dialect == Dialect::Slurm {
                assert!(
                    line.len() < 1024,
                    "Slurm tears a line of {} bytes",
                    line.len() + 1
                );
            }
            if line.starts_with("cmd=abort") {
                return vec![line];
            }
            let words: HashMap<&str, &str> = line
                .split(' ')
                .map(|word| word.split_once('=').expect("a pair"))
                .collect();
            let answer = self.answer(words["cmd"], &words);
            writer.write_all(format!("{answer}\n").as_bytes()).unwrap();
            if words["cmd"] == "finalize" {
                return Vec::new();
            }
        }
        panic!("a rank hung up without `finalize`");
    }

    fn answer(&self, command: &str, words: &HashMap<&str, &str>) -> String {
        use Dialect::{Flux, Gforker, Hydra4, Hydra5, Slurm};
        let d = self.dialect;
        match command {
            "init" if d == Hydra5 => {
                "rc=0 cmd=response_to_init pmi_version=1 pmi_subversion=2".into()
            }
            "init" => "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0".into(),
            "get_maxes" if d == Flux => {
                "cmd=maxes rc=0 kvsname_max=64 keylen_max=64 vallen_max=1024".into()
            }
            "get_maxes" => "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024".into(),
            "get_appnum" if d == Slurm => "cmd=appnum appnum=-1".into(),
            "get_appnum" => "cmd=appnum appnum=0".into(),
            "get_universe_size" if d == Slurm => format!("cmd=universe_size size={}", self.size),
            "get_universe_size" => "cmd=universe_size size=-1".into(),
            "get_my_kvsname" if d == Flux => "cmd=my_kvsname rc=0 kvsname=ƒABRxM89qL3".into(),
            "get_my_kvsname" => "cmd=my_kvsname kvsname=kvs_5933_0_2071717022_host".into(),
            "put" => {
                assert!(words["key"].len() < 64 && words["value"].len() < 1024);
                let (key, value) = (words["key"].to_string(), words["value"].to_string());
                // The newest server shows a value before the barrier; the others do not.
                let space = if d == Hydra5 {
                    &self.visible
                } else {
                    &self.pending
                };
                space.lock().insert(key, value);
                "cmd=put_result rc=0 msg=success".into()
            }
            "barrier_in" => {
                if self.barrier.wait().is_leader() {
                    let pending = std::mem::take(&mut *self.pending.lock());
                    self.visible.lock().extend(pending);
                }
                self.barrier.wait();
                match d {
                    Hydra4 | Gforker => "cmd=barrier_out",
                    Hydra5 => "cmd=barrier_out tag=0",
                    Slurm | Flux => "cmd=barrier_out rc=0",
                }
                .into()
            }
            "get" => match (self.visible.lock().get(words["key"]), d) {
                (Some(value), Hydra5) => format!("cmd=get_result value={value} rc=0 msg=success"),
                (Some(value), Flux) => format!("cmd=get_result rc=0 value={value}"),
                (Some(value), _) => format!("cmd=get_result rc=0 msg=success value={value}"),
                (None, Hydra4) => {
                    "cmd=get_result rc=-1 msg=key_missing_not_found value=unknown".into()
                }
                (None, _) => "cmd=get_result rc=1".into(),
            },
            "finalize" => "cmd=finalize_ack".into(),
            other => panic!("{other}: an unknown command ends the job at a real server"),
        }
    }
}
