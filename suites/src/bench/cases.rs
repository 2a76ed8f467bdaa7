//! The table of benchmark cases: the program, its start, and the target for the ratio.

use super::figures::COLL_PARTS;
use crate::neighbours::Beside;
use crate::peers::{Fabric, Start};

/// The C programs that need an MPI library, by the stem of their file.
pub const MPI_PROGRAMS: &[&str] = &[
    "pt2pt",
    "coll",
    "hello",
    "crowd",
    "reduce_local",
    "pack",
    "rma",
    "io",
    "threads",
    "wakeup",
    "beside",
];

/// The C program that needs libfabric, too.
pub const FABRIC: &str = "fabric";

/// A program without MPI whose figures stand beside a case's.
pub struct Yardstick {
    /// The stem of its source file.
    pub program: &'static str,
    /// The flags that it is compiled with.
    pub flags: &'static [&'static str],
    /// The program's arguments.
    pub args: &'static [&'static str],
    /// The key of the case.
    pub case: &'static str,
    /// The yardstick's name in the table.
    pub title: &'static str,
}

/// Returns two processes that copy through shared memory, for the case that does the same in MPI.
const fn copies(case: &'static str, args: &'static [&'static str]) -> Yardstick {
    Yardstick {
        program: "bare_copies",
        flags: &["-O2"],
        args,
        case,
        title: "bare copies",
    }
}

/// Every yardstick.
pub const YARDSTICKS: &[Yardstick] = &[
    copies("latency", &["latency"]),
    copies("bandwidth", &["bandwidth"]),
    copies("bibandwidth", &["bibandwidth"]),
    Yardstick {
        program: "bare_threads",
        flags: &["-O2", "-pthread"],
        args: &[],
        case: "threads-comms",
        title: "bare threads",
    },
    Yardstick {
        program: "sockets",
        flags: &["-O2"],
        args: &["latency"],
        case: "tcp-latency",
        title: "raw sockets",
    },
    Yardstick {
        program: "sockets",
        flags: &["-O2"],
        args: &["bandwidth"],
        case: "tcp-bandwidth",
        title: "raw sockets",
    },
    Yardstick {
        program: "reduce_plain",
        flags: &["-O3", "-march=native"],
        args: &[],
        case: "op",
        title: "plain C",
    },
];

/// A loop over libfabric itself, whose figures stand beside a case's: oxmpi-perf measures it.
pub struct Loop {
    /// The key of the case.
    pub case: &'static str,
    /// The provider.
    pub provider: &'static str,
    /// The test of oxmpi-perf.
    pub test: &'static str,
}

/// Key of the figures of loops over libfabric.
pub const LIBFABRIC: &str = "libfabric";

/// Key of the figures of libfabric's own program.
pub const PINGPONG: &str = "fi_pingpong";

/// Every such loop that a case does not bring itself.
pub const LOOPS: &[Loop] = &[
    raw("ofi-shm-latency", SHM, "am_lat"),
    raw("ofi-shm-bandwidth", SHM, "am_bw"),
    raw("ofi-rxm-latency", RXM, "am_lat"),
    raw("ofi-rxm-bandwidth", RXM, "am_bw"),
    raw("cm-rxm-latency", RXM, "am_lat"),
    raw("cm-rxm-bandwidth", RXM, "am_bw"),
    raw("ofi-rxm-puts", RXM, "put_bw"),
    raw("ofi-rxm-gets", RXM, "get_bw"),
];

const SHM: &str = "shm";
const RXM: &str = "tcp;ofi_rxm";
/// Provider whose atomic operations break down when both sides begin at one time.
const RXD: &str = "udp;ofi_rxd";
const SOCKETS: &str = "sockets";

const fn raw(case: &'static str, provider: &'static str, test: &'static str) -> Loop {
    Loop {
        case,
        provider,
        test,
    }
}

/// Where a case's values come from.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    /// The program prints them.
    Mpi(&'static str),
    /// The wall time of the whole run is the value, in seconds.
    Whole(&'static str),
    /// The program prints them, and beside them those of libfabric alone, by turns.
    Beside(&'static str),
    /// A test of oxmpi-perf with these sizes, by turns with the loop over libfabric.
    Transport(&'static str, &'static str),
}

/// One run that yields values.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The suite, as in `--suite`.
    pub suite: &'static str,
    /// The key in the JSON file.
    pub key: &'static str,
    /// The title in the table.
    pub title: &'static str,
    /// The unit of the values.
    pub unit: &'static str,
    /// The program.
    pub program: Program,
    /// The program's arguments.
    pub args: &'static [&'static str],
    /// How it is started.
    pub start: Start,
    /// Other programs beside it.
    pub beside: Beside,
    /// The rounds that count.
    pub counts: Counts,
    /// Whether a larger value is the better one.
    pub more_is_better: bool,
    /// The peers that it is judged against; all where the list is empty.
    pub rivals: &'static [&'static str],
    /// The ratio to the best peer that oxmpi aims at, by size.
    pub target: fn(&str, u64) -> Option<f64>,
}

/// The round of several whose value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// The best one: what disturbs a run is no part of it.
    Best,
    /// The one in the middle: disturbances are measured.
    Median,
}

impl Case {
    /// Whether it is measured beside the loop over libfabric.
    pub fn is_over_fabric(&self) -> bool {
        self.start.fabric.is_some()
    }
}

pub(super) const fn ranks(ranks: usize) -> Start {
    Start {
        spawns: false,
        ranks,
        tcp: false,
        one_processor: false,
        fabric: None,
    }
}

const fn fabric(provider: &'static str, options: &'static [&'static str]) -> Start {
    Start {
        spawns: false,
        fabric: Some(Fabric { provider, options }),
        ..ranks(2)
    }
}

const BTL_OFI: &[&str] = &["--mca", "btl", "ofi,self"];
const PML_CM: &[&str] = &["--mca", "pml", "cm"];

const TCP: Start = Start {
    tcp: true,
    ..ranks(2)
};

const CROWDED: Start = Start {
    one_processor: true,
    ..ranks(8)
};

pub(super) const fn case(
    suite: &'static str,
    key: &'static str,
    title: &'static str,
    unit: &'static str,
    program: Program,
    args: &'static [&'static str],
    start: Start,
    target: fn(&str, u64) -> Option<f64>,
) -> Case {
    Case {
        suite,
        key,
        title,
        unit,
        program,
        args,
        start,
        beside: Beside::Loops(0),
        counts: Counts::Best,
        more_is_better: false,
        rivals: &[],
        target,
    }
}

const fn more_is_better(mut case: Case) -> Case {
    case.more_is_better = true;
    case
}

const fn against(mut case: Case, rivals: &'static [&'static str]) -> Case {
    case.rivals = rivals;
    case
}

const PT2PT: Program = Program::Mpi("pt2pt");
const COLL: Program = Program::Mpi("coll");
const CROWD: Program = Program::Mpi("crowd");
const REDUCE_LOCAL: Program = Program::Mpi("reduce_local");
const PACK: Program = Program::Mpi("pack");
const RMA: Program = Program::Mpi("rma");
const IO: Program = Program::Mpi("io");
const THREADS: Program = Program::Mpi("threads");
const WAKEUP: Program = Program::Mpi("wakeup");
const HELLO: Program = Program::Whole("hello");

/// Every case, in the order in which they run.
pub const CASES: &[Case] = &[
    case(
        "pt2pt",
        "latency",
        "latency, sm",
        "us",
        PT2PT,
        &["latency"],
        ranks(2),
        latency,
    ),
    more_is_better(case(
        "pt2pt",
        "bandwidth",
        "bandwidth, sm",
        "MB/s",
        PT2PT,
        &["bandwidth"],
        ranks(2),
        bandwidth,
    )),
    more_is_better(case(
        "pt2pt",
        "bibandwidth",
        "both ways, sm",
        "MB/s",
        PT2PT,
        &["bibandwidth"],
        ranks(2),
        bandwidth,
    )),
    more_is_better(case(
        "pt2pt",
        "rate",
        "rate, one pair, sm",
        "M/s",
        PT2PT,
        &["rate"],
        ranks(2),
        |_, _| Some(2.0),
    )),
    threads("threads-comms", "threads, own communicators", &["comms"]),
    threads("threads-tags", "threads, one communicator", &["tags"]),
    threads(
        "threads-beside",
        "threads, one more in MPI_Recv",
        &["beside"],
    ),
    case(
        "threads",
        "threads-latency",
        "threads, latency",
        "us",
        THREADS,
        &["latency"],
        ranks(2),
        |_, _| None,
    ),
    case(
        "wakeup",
        "wakeup-sm",
        "first message after an idle second, sm",
        "us",
        WAKEUP,
        &["futex"],
        ranks(2),
        |_, _| None,
    ),
    case(
        "wakeup",
        "wakeup-tcp",
        "first message after an idle second, tcp",
        "us",
        WAKEUP,
        &["epoll"],
        TCP,
        |_, _| None,
    ),
    case(
        "tcp",
        "tcp-latency",
        "latency, tcp",
        "us",
        PT2PT,
        &["latency"],
        TCP,
        |_, _| None,
    ),
    against(
        more_is_better(case(
            "tcp",
            "tcp-bandwidth",
            "bandwidth, tcp",
            "MB/s",
            PT2PT,
            &["bandwidth"],
            TCP,
            tcp_bandwidth,
        )),
        &["openmpi4", "openmpi5"],
    ),
    case(
        "coll",
        "coll2",
        "2 ranks",
        "us",
        COLL,
        &["all"],
        ranks(2),
        collective,
    ),
    case(
        "coll",
        COLL_PARTS,
        "2 ranks",
        "us",
        COLL,
        &["parts"],
        ranks(2),
        |_, _| None,
    ),
    more_is_better(case(
        "op",
        "op",
        "reduce_local",
        "GB/s",
        REDUCE_LOCAL,
        &[],
        ranks(1),
        |_, _| Some(1.0),
    )),
    more_is_better(case(
        "pack",
        "pack",
        "elements with gaps",
        "GB/s",
        PACK,
        &[],
        ranks(1),
        |_, _| Some(1.0),
    )),
    more_is_better(case(
        "pack",
        "pack-message",
        "elements with gaps, to oneself",
        "GB/s",
        PACK,
        &["message"],
        ranks(1),
        |_, _| None,
    )),
    transport("am-shm", "btl, message, shm", SHM, ("am_lat", MESSAGES)),
    transport("am-rxm", "btl, message, ofi_rxm", RXM, ("am_lat", MESSAGES)),
    streams(transport(
        "am-shm-stream",
        "btl, stream, shm",
        SHM,
        ("am_bw", MESSAGES),
    )),
    streams(transport(
        "am-rxm-stream",
        "btl, stream, ofi_rxm",
        RXM,
        ("am_bw", MESSAGES),
    )),
    access(transport(
        "put-shm",
        "btl, put, shm",
        SHM,
        ("put_lat", ACCESSES),
    )),
    access(transport(
        "put-rxm",
        "btl, put, ofi_rxm",
        RXM,
        ("put_lat", ACCESSES),
    )),
    access(transport(
        "get-shm",
        "btl, get, shm",
        SHM,
        ("get_lat", ACCESSES),
    )),
    access(transport(
        "get-rxm",
        "btl, get, ofi_rxm",
        RXM,
        ("get_lat", ACCESSES),
    )),
    access(transport(
        "fadd-shm",
        "btl, fadd, shm",
        SHM,
        ("fadd_lat", "8"),
    )),
    access(transport(
        "fadd-rxm",
        "btl, fadd, ofi_rxm",
        RXM,
        ("fadd_lat", "8"),
    )),
    over_fabric("ofi-shm-latency", "latency, shm", fabric(SHM, BTL_OFI)),
    over_fabric("ofi-rxm-latency", "latency, ofi_rxm", fabric(RXM, BTL_OFI)),
    over_fabric(
        "cm-rxm-latency",
        "latency, ofi_rxm, cm",
        fabric(RXM, PML_CM),
    ),
    streams(over_fabric(
        "ofi-shm-bandwidth",
        "bandwidth, shm",
        fabric(SHM, BTL_OFI),
    )),
    streams(over_fabric(
        "ofi-rxm-bandwidth",
        "bandwidth, ofi_rxm",
        fabric(RXM, BTL_OFI),
    )),
    streams(over_fabric(
        "cm-rxm-bandwidth",
        "bandwidth, ofi_rxm, cm",
        fabric(RXM, PML_CM),
    )),
    window("ofi-shm-put", "window, put, shm", SHM, &["put", SHM]),
    window("ofi-shm-get", "window, get, shm", SHM, &["get", SHM]),
    window("ofi-shm-fadd", "window, fadd, shm", SHM, &["fadd", SHM]),
    window("ofi-rxm-put", "window, put, ofi_rxm", RXM, &["put", RXM]),
    window("ofi-rxm-get", "window, get, ofi_rxm", RXM, &["get", RXM]),
    window("ofi-rxm-fadd", "window, fadd, ofi_rxm", RXM, &["fadd", RXM]),
    window("ofi-rxd-put", "window, put, ofi_rxd", RXD, &["put", RXD]),
    window("ofi-rxd-get", "window, get, ofi_rxd", RXD, &["get", RXD]),
    window(
        "ofi-sockets-put",
        "window, put, sockets",
        SOCKETS,
        &["put", SOCKETS],
    ),
    window(
        "ofi-sockets-get",
        "window, get, sockets",
        SOCKETS,
        &["get", SOCKETS],
    ),
    window(
        "ofi-sockets-fadd",
        "window, fadd, sockets",
        SOCKETS,
        &["fadd", SOCKETS],
    ),
    windows(
        "ofi-rxm-puts",
        "window, puts, ofi_rxm",
        RXM,
        &["puts", "create"],
    ),
    windows(
        "ofi-rxm-gets",
        "window, gets, ofi_rxm",
        RXM,
        &["gets", "create"],
    ),
    rma("rma-latency", ALLOCATED, &["latency", "allocate"]),
    rma("rma-swap", ALLOCATED, &["swap", "allocate"]),
    rma("rma-sync", ALLOCATED, &["sync", "allocate"]),
    rma_rate("rma-rate", ALLOCATED, "M/s", &["rate", "allocate"]),
    rma_rate(
        "rma-bandwidth",
        ALLOCATED,
        "MB/s",
        &["bandwidth", "allocate"],
    ),
    rma("rma-create-latency", CREATED, &["latency", "create"]),
    rma("rma-create-swap", CREATED, &["swap", "create"]),
    rma("rma-create-sync", CREATED, &["sync", "create"]),
    rma_rate("rma-create-rate", CREATED, "M/s", &["rate", "create"]),
    rma_rate(
        "rma-create-bandwidth",
        CREATED,
        "MB/s",
        &["bandwidth", "create"],
    ),
    io(
        "io-contiguous",
        "tmpfs, contiguous",
        &["/dev/shm", "contiguous"],
        LEVEL,
    ),
    io(
        "io-strided",
        "tmpfs, strided",
        &["/dev/shm", "strided"],
        LEVEL,
    ),
    io("io-square", "tmpfs, matrix", &["/dev/shm", "square"], TWICE),
    io("io-cube", "tmpfs, cube", &["/dev/shm", "cube"], TWICE),
    io("io-shared", "tmpfs, shared", &["/dev/shm", "shared"], LEVEL),
    io("io-behind", "tmpfs, behind", &["/dev/shm", "behind"], AHEAD),
    io(
        "io-disk-contiguous",
        "disk, contiguous",
        &["/var/tmp", "contiguous"],
        LEVEL,
    ),
    io(
        "io-disk-strided",
        "disk, strided",
        &["/var/tmp", "strided"],
        LEVEL,
    ),
    io(
        "io-disk-square",
        "disk, matrix",
        &["/var/tmp", "square"],
        TWICE,
    ),
    io("io-disk-cube", "disk, cube", &["/var/tmp", "cube"], TWICE),
    io(
        "io-disk-shared",
        "disk, shared",
        &["/var/tmp", "shared"],
        LEVEL,
    ),
    io(
        "io-disk-behind",
        "disk, behind",
        &["/var/tmp", "behind"],
        AHEAD,
    ),
    hello("few", "hello2", "hello, 2 ranks", 2, |_, _| Some(0.5)),
    hello("few", "hello32", "hello, 32 ranks", 32, |_, _| {
        Some(1.0 / 3.0)
    }),
    hello("many", "hello64", "hello, 64 ranks", 64, |_, _| Some(0.5)),
    hello("many", "hello256", "hello, 256 ranks", 256, |_, _| {
        Some(0.5)
    }),
    hello("many", "hello1000", "hello, 1,000 ranks", 1000, |_, _| {
        Some(0.5)
    }),
    case(
        "over",
        "over8",
        "8 ranks, all cores",
        "us",
        CROWD,
        &[],
        ranks(8),
        crowd,
    ),
    case(
        "over",
        "over1",
        "8 ranks, one core",
        "us",
        CROWD,
        &[],
        CROWDED,
        crowd,
    ),
];

/// Names of a window whose memory the library has allocated, and of one of the program's memory.
const ALLOCATED: &str = "allocated";
const CREATED: &str = "own memory";

/// The smallest program, as a whole.
const fn hello(
    suite: &'static str,
    key: &'static str,
    title: &'static str,
    size: usize,
    target: fn(&str, u64) -> Option<f64>,
) -> Case {
    case(suite, key, title, "s", HELLO, &[], ranks(size), target)
}

/// Access to files by two ranks, in the cache of the file system.
const fn io(
    key: &'static str,
    title: &'static str,
    args: &'static [&'static str],
    target: fn(&str, u64) -> Option<f64>,
) -> Case {
    more_is_better(case("io", key, title, "MB/s", IO, args, ranks(2), target))
}

const LEVEL: fn(&str, u64) -> Option<f64> = |_, _| Some(1.0);
const AHEAD: fn(&str, u64) -> Option<f64> = |_, _| Some(1.2);
const TWICE: fn(&str, u64) -> Option<f64> = |_, _| Some(2.0);

/// One-sided communication between two ranks.
const fn rma(key: &'static str, title: &'static str, args: &'static [&'static str]) -> Case {
    case("rma", key, title, "us", RMA, args, ranks(2), |_, _| {
        Some(1.0)
    })
}

/// Returns a case of one-sided communication in operations or bytes a second.
const fn rma_rate(
    key: &'static str,
    title: &'static str,
    unit: &'static str,
    args: &'static [&'static str],
) -> Case {
    Case {
        unit,
        ..more_is_better(rma(key, title, args))
    }
}

/// Rates of messages of several threads.
const fn threads(key: &'static str, title: &'static str, args: &'static [&'static str]) -> Case {
    more_is_better(case(
        "threads",
        key,
        title,
        "M/s",
        THREADS,
        args,
        ranks(2),
        |_, _| Some(1.0),
    ))
}

/// Messages over libfabric, to and fro.
const fn over_fabric(key: &'static str, title: &'static str, start: Start) -> Case {
    let target: fn(&str, u64) -> Option<f64> = |_, _| Some(1.2);
    Case {
        rivals: &[LIBFABRIC],
        ..case("ofi", key, title, "us", PT2PT, &["latency"], start, target)
    }
}

/// Accesses to a window over libfabric, each with its flush.
const fn window(
    key: &'static str,
    title: &'static str,
    provider: &'static str,
    args: &'static [&'static str],
) -> Case {
    let target: fn(&str, u64) -> Option<f64> = |_, _| Some(1.15);
    Case {
        program: Program::Beside(FABRIC),
        ..over_window(key, title, provider, args, target)
    }
}

/// Many and one flush.
const fn windows(
    key: &'static str,
    title: &'static str,
    provider: &'static str,
    args: &'static [&'static str],
) -> Case {
    let target: fn(&str, u64) -> Option<f64> = |_, _| Some(1.0 / 1.15);
    Case {
        unit: "MB/s",
        ..more_is_better(over_window(key, title, provider, args, target))
    }
}

const fn over_window(
    key: &'static str,
    title: &'static str,
    provider: &'static str,
    args: &'static [&'static str],
    target: fn(&str, u64) -> Option<f64>,
) -> Case {
    let start = fabric(provider, BTL_OFI);
    Case {
        rivals: &[LIBFABRIC],
        ..case("ofi", key, title, "us", RMA, args, start, target)
    }
}

/// Turns a case into one of bandwidth, one way.
const fn streams(case: Case) -> Case {
    Case {
        unit: "MB/s",
        args: &["bandwidth"],
        target: |_, _| Some(1.0 / 1.2),
        ..more_is_better(case)
    }
}

/// Sizes of the transport's messages, and of accesses to memory.
const MESSAGES: &str = "8,64,512,1K,4K,8K,16K";
const ACCESSES: &str = "8,64K";

/// The transport over libfabric alone: a test of oxmpi-perf, and its sizes.
const fn transport(
    key: &'static str,
    title: &'static str,
    provider: &'static str,
    (test, sizes): (&'static str, &'static str),
) -> Case {
    Case {
        program: Program::Transport(test, sizes),
        ..over_fabric(key, title, fabric(provider, &[]))
    }
}

/// Sets the target of a case that does not wait for the other side's program.
const fn access(case: Case) -> Case {
    Case {
        target: |_, _| Some(1.15),
        ..case
    }
}

fn latency(_: &str, bytes: u64) -> Option<f64> {
    Some(if bytes < 65536 { 0.65 } else { 0.8 })
}

fn bandwidth(_: &str, bytes: u64) -> Option<f64> {
    (bytes >= 4096).then_some(1.15)
}

fn tcp_bandwidth(_: &str, bytes: u64) -> Option<f64> {
    (bytes >= 65536).then_some(1.2)
}

fn collective(name: &str, bytes: u64) -> Option<f64> {
    match (name, bytes) {
        ("barrier", _) | ("allreduce", 8) => Some(0.7),
        ("ibarrier", _) | ("iallreduce", 8) => Some(1.0),
        ("allreduce", 1048576) => Some(0.85),
        _ => None,
    }
}

fn crowd(name: &str, _: u64) -> Option<f64> {
    (name == "barrier").then_some(1.0)
}
