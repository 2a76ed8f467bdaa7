//! An example program for the low layer without MPI: active messages, writes and reads of each
//! other's memory, and a counter that all processes add to.
//!
//! ```sh
//! cargo run --example low_layer                      # 4 processes over shared memory
//! cargo run --example low_layer -- -n 2 --btl tcp
//! cargo run --example low_layer -- --btl ofi --provider "tcp;ofi_rxm"
//! ```
//!
//! The low layer needs no launcher. Here the program starts itself again, once per process, and
//! passes their addresses around through pipes; any other way would do ([`parent`]).
//! [`child`] is the program itself, in the order in which one would write one's own.
#![allow(clippy::disallowed_methods, reason = "programs may wait")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use base::{AmTag, PeerId};
use bml::{Bml, RemoteMemory};
use btl::{Access, Arrival, Atomic, AtomicOp, Error, Flow, Sink, Started, Token, Transport, Width};
use memory::{Scratch, UserBuf};
use sync::Patience;

const USAGE: &str = "usage: low_layer [-n PROCESSES] [--btl sm|tcp|ofi] [--provider NAME]";

/// Tags of this program's messages.
const HELLO: AmTag = AmTag(AmTag::USER.0);
const MEMORY: AmTag = AmTag(AmTag::USER.0 + 1);
const BARRIER: AmTag = AmTag(AmTag::USER.0 + 2);

/// Bytes that each process writes into its neighbour's memory.
const SLOT_BYTES: usize = 100_000;
/// Additions of each process to the counter, which lies at the memory's start.
const ADDITIONS: u64 = 1000;
const COUNTER: u64 = 0;
const SLOT: u64 = 64;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match Options::parse(&arguments) {
        Ok(options) if options.child.is_some() => child(&options),
        Ok(options) => parent(&options, &arguments),
        Err(wrong) => {
            eprintln!("low_layer: {wrong}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("low_layer: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The program of each process.
fn child(options: &Options) -> Result<(), String> {
    // The parent must give the processes their numbers, and carry their addresses.
    let mut pipes = Pipes::new();
    let me = PeerId(options.child.unwrap_or(0));
    let secret = pipes.line()?;

    // 1. Open transports. Each process can reach itself, too.
    let mut bml = Bml::new(vec![
        Box::new(btl_self::open(me)),
        transport(options, me, &secret)?,
    ]);

    // 2. Exchange addresses, and introduce everybody to everybody.
    let addresses = pipes.exchange(&bml.address(), options.processes, || ())?;
    for (peer, address) in addresses.iter().enumerate() {
        let choice = bml.add_peer(PeerId(peer as u32), address).map_err(text)?;
        if choice.lane.is_none() {
            return Err(format!(
                "nothing reaches peer {peer}: {:?}",
                choice.considered
            ));
        }
    }
    let mut here = Here::new(me, options.processes, bml);

    // 3. Active messages: a header of ours and a payload, to everybody.
    let greeting = format!("hello from {me}");
    let payload = scratch_of(greeting.as_bytes());
    for peer in here.peers() {
        here.send(peer, HELLO, b"greeting", payload.buf())?;
    }
    here.until(|here| here.inbox.greetings == here.processes)?;

    // 4. Memory that the others may read and write, and its name, sent by messages.
    let memory = Scratch::new(SLOT as usize + SLOT_BYTES);
    let both = Access {
        read: true,
        write: true,
    };
    let exposed = here.bml.expose(memory.buf(), both).map_err(text)?;
    let pack = scratch_of(&exposed.pack());
    for peer in here.peers() {
        here.send(peer, MEMORY, &[], pack.buf())?;
    }
    here.until(|here| here.inbox.packs.iter().all(Option::is_some))?;
    let memories: Vec<RemoteMemory> = here.import()?;

    put_and_get(&mut here, &memories, &memory)?;
    add_to_the_counter(&mut here, &memories, &memory)?;

    // 6. Nobody leaves before all are through.
    pipes.exchange(&[], options.processes, || here.look())?;
    here.bml.withdraw(exposed);
    here.bml.close();
    // The standard output leads to the parent. One write, so that the line stays whole.
    let line = format!("{me}: {} processes, all data right\n", options.processes);
    std::io::stderr().write_all(line.as_bytes()).map_err(text)?;
    Ok(())
}

/// 5a. Each process writes into its right neighbour's memory, and reads it back.
fn put_and_get(here: &mut Here, memories: &[RemoteMemory], memory: &Scratch) -> Result<(), String> {
    let n = here.processes as u32;
    let (right, left) = (PeerId((here.me.0 + 1) % n), PeerId((here.me.0 + n - 1) % n));
    let theirs = memories[right.index()].at(SLOT);
    let bytes = scratch_of(&pattern(here.me));
    here.complete(|bml, token| bml.put(right, bytes.buf(), theirs, token))?;
    // The buffer may be reused from here on; the bytes are there after a flush.
    here.flush(right)?;
    here.barrier()?;
    expect(
        "written by the left neighbour",
        memory.buf().from(SLOT as usize),
        &pattern(left),
    )?;
    let read = Scratch::new(SLOT_BYTES);
    here.complete(|bml, token| bml.get(right, read.buf(), theirs, token))?;
    expect(
        "read from the right neighbour",
        read.buf(),
        &pattern(here.me),
    )
}

/// 5b. All add to one counter, in the memory of process 0.
fn add_to_the_counter(
    here: &mut Here,
    memories: &[RemoteMemory],
    memory: &Scratch,
) -> Result<(), String> {
    let owner = PeerId(0);
    let counter = memories[owner.index()].at(COUNTER);
    let add = Atomic {
        op: AtomicOp::Add,
        width: Width::Eight,
        operand: 1,
    };
    let (before, mut last) = (Scratch::new(8), None);
    for _ in 0..ADDITIONS {
        let result = Some(before.buf());
        here.complete(|bml, token| bml.atomic(owner, add, result, counter, token))?;
        let now = word(before.buf());
        if last.is_some_and(|last| now <= last) {
            return Err(format!("{} was given {now} after {last:?}", here.me));
        }
        last = Some(now);
    }
    here.flush(owner)?;
    here.barrier()?;
    let wanted = ADDITIONS * here.processes as u64;
    match word(memory.buf().part(COUNTER as usize, 8)) {
        sum if here.me == owner && sum != wanted => {
            Err(format!("the counter is {sum}, not {wanted}"))
        }
        _ => Ok(()),
    }
}

/// Notes of arrivals: a handler cannot send.
struct Inbox {
    greetings: usize,
    packs: Vec<Option<Vec<u8>>>,
    barriers: usize,
    /// The operation that is waited for, once it is complete.
    done: Option<(Token, Result<(), Error>)>,
    wrong: Option<String>,
}

impl Sink for Inbox {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        let Arrival { from, tag, payload } = arrival;
        let bytes = payload.to_vec();
        match tag {
            HELLO if bytes == format!("greetinghello from {from}").as_bytes() => {
                self.greetings += 1;
            }
            MEMORY => self.packs[from.index()] = Some(bytes),
            BARRIER => self.barriers += 1,
            _ => self.wrong = Some(format!("{from} sent {bytes:?} for {tag:?}")),
        }
    }

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.done = Some((token, outcome));
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.wrong = Some(format!("{peer} failed: {error}"));
    }
}

/// The layer, and what came in over it.
struct Here {
    me: PeerId,
    processes: usize,
    bml: Bml,
    inbox: Inbox,
    operations: u64,
    barriers: usize,
    patience: Patience,
}

impl Here {
    fn new(me: PeerId, processes: usize, bml: Bml) -> Here {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Here {
            me,
            processes,
            bml,
            inbox: Inbox {
                greetings: 0,
                packs: vec![None; processes],
                barriers: 0,
                done: None,
                wrong: None,
            },
            operations: 0,
            barriers: 0,
            patience: Patience::measure(processes, cores),
        }
    }

    fn peers(&self) -> impl Iterator<Item = PeerId> {
        (0..self.processes as u32).map(PeerId)
    }

    fn look(&mut self) {
        self.bml.progress(&mut self.inbox);
    }

    /// Progresses until something is so.
    fn until(&mut self, mut so: impl FnMut(&mut Here) -> bool) -> Result<(), String> {
        while !so(self) {
            let limit = Duration::from_millis(100);
            self.bml.wait(&mut self.inbox, self.patience, limit);
            if let Some(wrong) = self.inbox.wrong.take() {
                return Err(wrong);
            }
        }
        Ok(())
    }

    /// Sends a message, again while the lane is busy: it has taken nothing then.
    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<(), String> {
        while self.bml.send(peer, tag, header, payload).map_err(text)? == Flow::Busy {
            self.look();
        }
        Ok(())
    }

    /// Starts an operation, again while the lane is busy, and waits until it is complete.
    fn complete(
        &mut self,
        mut start: impl FnMut(&mut Bml, Token) -> Result<Started, Error>,
    ) -> Result<(), String> {
        self.operations += 1;
        let token = Token(self.operations);
        loop {
            match start(&mut self.bml, token).map_err(text)? {
                Started::Done => return Ok(()),
                Started::Busy => self.look(),
                Started::Pending => break,
            }
        }
        self.until(|here| here.inbox.done.is_some())?;
        match self.inbox.done.take() {
            Some((of, outcome)) if of == token => outcome.map_err(text),
            other => Err(format!("{token:?} was awaited and {other:?} came")),
        }
    }

    /// Waits until everything for a peer is there.
    fn flush(&mut self, peer: PeerId) -> Result<(), String> {
        while self.bml.flush(peer).map_err(text)? == Flow::Busy {
            self.look();
        }
        Ok(())
    }

    /// Waits until all processes have come here.
    fn barrier(&mut self) -> Result<(), String> {
        self.barriers += 1;
        for peer in self.peers() {
            self.send(peer, BARRIER, &[], UserBuf::EMPTY)?;
        }
        self.until(|here| here.inbox.barriers >= here.barriers * here.processes)
    }

    fn import(&self) -> Result<Vec<RemoteMemory>, String> {
        let packs = self.peers().zip(&self.inbox.packs);
        let known = packs.filter_map(|(peer, pack)| Some((peer, pack.as_ref()?)));
        let import = |(peer, pack): (PeerId, &Vec<u8>)| self.bml.import(peer, pack).map_err(text);
        known.map(import).collect()
    }
}

/// Opens the requested transport.
fn transport(options: &Options, me: PeerId, secret: &[u8]) -> Result<Box<dyn Transport>, String> {
    let parameters = &[
        btl_sm::PARAMS,
        btl_tcp::PARAMS,
        btl_ofi::PARAMS,
        ofi::PARAMS,
    ];
    let sources = mca::Sources::from_process("/usr").with_command_line(options.parameters());
    let registry = mca::Registry::load(parameters, &sources).map_err(text)?;
    match options.btl.as_str() {
        "sm" => {
            let config = btl_sm::Config::new(me, &registry).map_err(text)?;
            Ok(Box::new(btl_sm::open(config).map_err(text)?))
        }
        "tcp" => {
            let config = btl_tcp::Config {
                me,
                secret: secret
                    .try_into()
                    .map_err(|_| "a secret of 32 bytes is missing")?,
                job: 0,
                one_host: false,
                settings: btl_tcp::Settings::of(&registry).map_err(text)?,
            };
            Ok(Box::new(btl_tcp::open(config).map_err(text)?))
        }
        _ => {
            let config = btl_ofi::Config {
                me,
                local_rank: me.index(),
                opening: None,
                filter: ofi::Filter::of(&registry).map_err(text)?,
                settings: btl_ofi::Settings::of(&registry),
                monitor: None,
            };
            Ok(Box::new(btl_ofi::open(config).map_err(text)?))
        }
    }
}

struct Options {
    processes: usize,
    btl: String,
    provider: String,
    /// Which process this is; `None` in the one that starts the others.
    child: Option<u32>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            processes: 4,
            btl: "sm".into(),
            provider: "tcp;ofi_rxm".into(),
            child: None,
        };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let value = rest.next().ok_or(format!("`{name}` needs a value"))?;
            let number = || {
                let number = value.parse().ok().filter(|number| *number <= 256);
                number.ok_or(format!("{name} `{value}` is no number up to 256"))
            };
            match name.as_str() {
                "-n" => options.processes = number()? as usize,
                "--btl" => options.btl = value.clone(),
                "--provider" => options.provider = value.clone(),
                "--child" => options.child = Some(number()?),
                _ => return Err(format!("option `{name}` is not known")),
            }
        }
        if options.processes == 0 {
            return Err("at least one process is needed".into());
        }
        match options.btl.as_str() {
            "sm" | "tcp" | "ofi" => Ok(options),
            other => Err(format!(
                "--btl `{other}` is not known; known are sm, tcp and ofi"
            )),
        }
    }

    /// The parameters that the options stand for.
    fn parameters(&self) -> Vec<(String, String)> {
        let include = (
            "opal_common_ofi_provider_include".into(),
            self.provider.clone(),
        );
        vec![include]
    }
}

/// Starts the processes, hands each one's lines to all, and waits for their ends.
fn parent(options: &Options, arguments: &[String]) -> Result<(), String> {
    let program = std::env::current_exe().map_err(text)?;
    let mut secret = [0; 32];
    let mut random = std::fs::File::open("/dev/urandom").map_err(text)?;
    random.read_exact(&mut secret).map_err(text)?;
    let mut processes = Vec::new();
    let (sender, said) = mpsc::channel();
    for id in 0..options.processes {
        let mut command = Command::new(&program);
        command.args(arguments).args(["--child", &id.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(text)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err("a process has no pipes".into());
        };
        let (sender, lines) = (sender.clone(), BufReader::new(output).lines());
        std::thread::spawn(move || {
            let said = lines.map_while(Result::ok).map(Some);
            // The parent may have given up.
            said.chain([None])
                .try_for_each(|said| sender.send((id, said)))
        });
        processes.push((child, input));
    }
    let relayed = relay(&mut processes, &said, &secret);
    let mut failed = None;
    for (at, (child, input)) in processes.iter_mut().enumerate() {
        if relayed.is_err() {
            // It may wait for one that has failed.
            let _ = child.kill();
        }
        let _ = input.flush();
        let status = child.wait().map_err(text)?;
        if !status.success() && failed.is_none() {
            failed = Some(format!("process {at} ended with {status}"));
        }
    }
    relayed.and_then(|()| failed.map_or(Ok(()), Err))
}

type Process = (Child, ChildStdin);

/// Gives the secret to all; then, round after round, a line of each to all. A process that fails
/// ends this at once: over some networks the others would wait for it for ever.
fn relay(
    processes: &mut [Process],
    said: &mpsc::Receiver<(usize, Option<String>)>,
    secret: &[u8],
) -> Result<(), String> {
    for (_, input) in processes.iter_mut() {
        writeln!(input, "{}", hex(secret)).map_err(text)?;
    }
    let (mut ended, mut lines) = (0, vec![None; processes.len()]);
    while ended < processes.len() {
        let (id, line) = said.recv().map_err(text)?;
        let Some(line) = line else {
            let status = processes[id].0.wait().map_err(text)?;
            if !status.success() {
                return Err(format!("process {id} ended with {status}"));
            }
            ended += 1;
            continue;
        };
        lines[id] = Some(line);
        if lines.iter().all(Option::is_some) {
            for line in lines.iter_mut().filter_map(Option::take) {
                for (_, input) in processes.iter_mut() {
                    writeln!(input, "{line}").map_err(text)?;
                }
            }
        }
    }
    Ok(())
}

/// A child's pipes to its parent.
struct Pipes {
    lines: mpsc::Receiver<String>,
}

impl Pipes {
    /// Lines are read by a thread of their own, so that waiting for one can be beside progress.
    fn new() -> Pipes {
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in std::io::stdin().lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
            // The parent holds the pipe until this process has ended: it is gone.
            std::process::exit(1);
        });
        Pipes { lines }
    }

    fn line(&mut self) -> Result<Vec<u8>, String> {
        let line = self.lines.recv().map_err(|_| "the parent is gone")?;
        unhex(&line).ok_or_else(|| format!("the parent sent `{line}`"))
    }

    /// Gives bytes to all processes and takes theirs; `between` is called while that takes.
    fn exchange(
        &mut self,
        bytes: &[u8],
        processes: usize,
        mut between: impl FnMut(),
    ) -> Result<Vec<Vec<u8>>, String> {
        println!("{}", hex(bytes));
        let mut all = Vec::new();
        while all.len() < processes {
            match self.lines.recv_timeout(Duration::from_millis(1)) {
                Ok(line) => all.push(unhex(&line).ok_or("the parent sent no bytes")?),
                Err(mpsc::RecvTimeoutError::Timeout) => between(),
                Err(_) => return Err("the parent is gone".into()),
            }
        }
        Ok(all)
    }
}

/// Memory of our own with these bytes.
fn scratch_of(bytes: &[u8]) -> Scratch {
    let scratch = Scratch::new(bytes.len());
    scratch.buf().write(0, bytes);
    scratch
}

/// Returns the bytes that a process writes into its neighbour's memory.
fn pattern(of: PeerId) -> Vec<u8> {
    let mut random = base::Random::new(u64::from(of.0));
    (0..SLOT_BYTES).map(|_| random.bits() as u8).collect()
}

fn expect(what: &str, got: UserBuf, wanted: &[u8]) -> Result<(), String> {
    let mut bytes = vec![0; got.len()];
    got.read(0, &mut bytes);
    match bytes
        .iter()
        .zip(wanted)
        .position(|(got, wanted)| got != wanted)
    {
        Some(at) => Err(format!("what was {what} is wrong from byte {at} on")),
        None if bytes.len() == wanted.len() => Ok(()),
        None => Err(format!("what was {what} has {} bytes", bytes.len())),
    }
}

fn word(buf: UserBuf) -> u64 {
    let mut bytes = [0; 8];
    buf.read(0, &mut bytes);
    u64::from_ne_bytes(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(line: &str) -> Option<Vec<u8>> {
    let digits = line.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.map(byte).collect()
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
