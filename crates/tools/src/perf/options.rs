//! The command line of `oxmpi-perf`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command};

use super::cases::{Case, CASES};

/// The transports that can be measured.
pub const TRANSPORTS: [&str; 4] = ["sm", "tcp", "ofi", "self"];

/// The largest size, in bytes.
const BYTES_MAX: usize = 1 << 30;

/// The port that a serving side listens on by default.
const PORT: u16 = 13_338;

/// The request of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Which side this process is.
    pub role: Role,
    /// The transport.
    pub btl: String,
    /// The libfabric provider, by its whole name.
    pub provider: Option<String>,
    /// The measurements, in their order.
    pub cases: Vec<Case>,
    /// The sizes in bytes, ascending.
    pub sizes: Vec<usize>,
    /// Most iterations of a measurement; `None` goes by the size.
    pub iterations: Option<usize>,
    /// Iterations before those that count; `None` takes a tenth.
    pub warm_up: Option<usize>,
    /// Operations pending at once where bandwidth is measured.
    pub window: usize,
    /// Most time of one measurement.
    pub limit: Duration,
    /// Whether to measure libfabric itself beside.
    pub raw: bool,
    /// Whether to print JSON.
    pub json: bool,
    /// Where to draw the figures.
    pub plot: Option<PathBuf>,
    /// `--mca name value`.
    pub settings: Vec<(String, String)>,
}

/// Which side a process is, and how it finds the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// The asking one, which starts the other on this machine.
    Both,
    /// The asking one, which connects to the other.
    Ask {
        /// The other's machine.
        host: String,
        /// The other side's port.
        port: u16,
    },
    /// The serving one, which waits at a port of this machine.
    Listen {
        /// The port.
        port: u16,
    },
    /// The serving one, as the asking one starts it.
    Serve,
}

const AFTER_HELP: &str = "\
TESTS
  am_lat      active messages to and fro: half the time of a round trip
  am_bw       active messages one way, a window at a time
  put_lat     a write until it is visible at the other side
  put_bw      writes, a window at a time, until all are visible
  get_lat     a read
  get_bw      reads, a window at a time
  fadd_lat    fetch-and-add of 8 bytes
  cswap_lat   compare-and-swap of 8 bytes
  swap_lat    swap of 8 bytes
  fadd_rate   fetch-and-adds of 8 bytes, a window at a time

  Every test prints its median time, percentiles, and bytes per time in MB/s (10^6).
  Sizes that a transport's messages cannot have are left out; with --raw, libfabric or the
  socket is measured at those alone.

EXAMPLES
  oxmpi-perf                                       all tests over shared memory
  oxmpi-perf --btl tcp -t am_lat,am_bw -s 1:64K    powers of two
  oxmpi-perf --btl ofi --provider shm --raw        beside libfabric itself
  oxmpi-perf --listen                              on one machine
  oxmpi-perf HOST --btl tcp                        on another one; the options are given here

The sides trust each other and the network between them: use it among machines of your own.";

fn command() -> Command {
    Command::new("oxmpi-perf")
        .about("Measures messages and memory access of the transports, without MPI")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(AFTER_HELP)
        .args(sides())
        .args(measurements())
        .args(results())
}

fn value(name: &'static str, short: char, what: &'static str) -> Arg {
    Arg::new(name).long(name).short(short).value_name(what)
}

fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

/// Options about the two sides and the transport.
fn sides() -> [Arg; 7] {
    [
        Arg::new("host")
            .value_name("HOST")
            .help("The machine where the other side listens"),
        flag("listen")
            .conflicts_with("host")
            .help("Wait for one asking side, and serve it"),
        flag("serve").hide(true),
        value("port", 'p', "PORT")
            .value_parser(clap::value_parser!(u16))
            .help("Port of the serving side [default: 13338]"),
        value("btl", 'b', "NAME")
            .value_parser(PossibleValuesParser::new(TRANSPORTS))
            .help("The transport [default: sm, or tcp with a HOST]"),
        Arg::new("provider")
            .long("provider")
            .value_name("NAME")
            .help("libfabric's provider by its whole name, such as tcp;ofi_rxm"),
        Arg::new("mca")
            .long("mca")
            .num_args(2)
            .value_names(["NAME", "VALUE"])
            .action(ArgAction::Append)
            .help("Set a parameter, as for mpirun"),
    ]
}

/// Options about the measurements.
fn measurements() -> [Arg; 7] {
    [
        value("test", 't', "LIST")
            .value_delimiter(',')
            .value_parser(PossibleValuesParser::new(CASES.map(|(name, _)| name)))
            .hide_possible_values(true)
            .help("The tests, separated by commas [default: all]"),
        value("size", 's', "SIZES")
            .default_value("8,64,512,4K,32K,256K,1M")
            .value_parser(parse_sizes)
            .help("Sizes in bytes: one, a list, or a range of powers of two such as 1:4M"),
        count(
            "iterations",
            'n',
            "Upper limit of iterations of a test [default: by the size]",
        ),
        count(
            "warm-up",
            'w',
            "Iterations before the measured ones [default: a tenth]",
        ),
        count("window", 'W', "Operations in flight, for _bw and _rate").default_value("32"),
        Arg::new("seconds")
            .long("seconds")
            .value_name("S")
            .default_value("1")
            .value_parser(clap::value_parser!(u64).range(1..=3600))
            .help("Time limit of a test, in seconds"),
        flag("raw")
            .help("Measure libfabric or a socket itself beside the transport, and their ratio"),
    ]
}

/// Returns the options of how the results are printed.
fn results() -> [Arg; 2] {
    [
        flag("json").help("Print the results as JSON"),
        Arg::new("plot")
            .long("plot")
            .value_name("FILE.svg")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Draw the results"),
    ]
}

fn count(name: &'static str, short: char, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .short(short)
        .value_name("N")
        .value_parser(clap::value_parser!(u64).range(1..=1_000_000_000))
        .help(help)
}

/// Reads the arguments, the first of which is the name of the program. The error is also how
/// `--help` comes back; it prints itself and knows the exit code.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Request, clap::Error> {
    let matches = command().try_get_matches_from(arguments)?;
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let number = |name: &str| matches.get_one::<u64>(name).map(|number| *number as usize);
    let port = matches.get_one::<u16>("port").copied().unwrap_or(PORT);
    let role = match text("host") {
        Some(host) => Role::Ask { host, port },
        None if matches.get_flag("listen") => Role::Listen { port },
        None if matches.get_flag("serve") => Role::Serve,
        None => Role::Both,
    };
    let named = matches.get_many::<String>("test").into_iter().flatten();
    let case = |name: &String| CASES.iter().find(|(known, _)| known == name);
    let mut cases: Vec<Case> = named.filter_map(case).map(|(_, case)| *case).collect();
    if cases.is_empty() {
        cases = CASES.iter().map(|(_, case)| *case).collect();
    }
    let pairs = matches
        .get_occurrences::<String>("mca")
        .into_iter()
        .flatten();
    let near = if matches!(role, Role::Ask { .. }) {
        "tcp"
    } else {
        "sm"
    };
    let request = Request {
        btl: text("btl").unwrap_or_else(|| near.into()),
        provider: text("provider"),
        cases,
        sizes: matches
            .get_one::<Vec<usize>>("size")
            .cloned()
            .unwrap_or_default(),
        iterations: number("iterations"),
        warm_up: number("warm-up"),
        window: number("window").unwrap_or(1).min(1024),
        limit: Duration::from_secs(number("seconds").unwrap_or(1) as u64),
        raw: matches.get_flag("raw"),
        json: matches.get_flag("json"),
        plot: matches.get_one::<PathBuf>("plot").cloned(),
        settings: pairs
            .filter_map(|mut words| Some((words.next()?.clone(), words.next()?.clone())))
            .collect(),
        role,
    };
    check(&request)
        .map_err(|why| command().error(clap::error::ErrorKind::ArgumentConflict, why))?;
    Ok(request)
}

/// Checks combinations of options.
fn check(request: &Request) -> Result<(), &'static str> {
    let over_fabric = request.btl == "ofi";
    match request.role {
        _ if request.raw && !over_fabric && request.btl != "tcp" => {
            Err("--raw measures libfabric or a socket: it needs --btl ofi or --btl tcp")
        }
        _ if request.provider.is_some() && !over_fabric => {
            Err("--provider names a provider of libfabric: it needs --btl ofi")
        }
        Role::Ask { .. } if request.btl == "self" => {
            Err("--btl self reaches only the process itself: no HOST can be given")
        }
        _ => Ok(()),
    }
}

/// `8`, `8,64K`, `1:4M`.
fn parse_sizes(text: &str) -> Result<Vec<usize>, String> {
    let mut sizes = Vec::new();
    for part in text.split(',') {
        match part.split_once(':') {
            None => sizes.push(parse_size(part)?),
            Some((first, last)) => {
                let (first, last) = (parse_size(first)?, parse_size(last)?);
                if first > last {
                    return Err(format!("the range `{part}` ends before it begins"));
                }
                let powers = (0..usize::BITS).map(|bit| 1usize << bit);
                sizes.extend(powers.filter(|size| (first..=last).contains(size)));
                sizes.extend([first, last]);
            }
        }
    }
    sizes.sort_unstable();
    sizes.dedup();
    Ok(sizes)
}

fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: Option<usize> = digits.parse().ok();
    match number.and_then(|number| number.checked_mul(factor)) {
        Some(0) | None => Err(format!(
            "`{text}` is not a size; sizes are such as 8, 64K or 4M"
        )),
        Some(size) if size > BYTES_MAX => {
            Err(format!("`{text}` is larger than 1G, the largest size"))
        }
        Some(size) => Ok(size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Result<Request, String> {
        let words = format!("oxmpi-perf {line}");
        let words = words.split_whitespace().map(str::to_string);
        parse(words).map_err(|error| error.to_string())
    }

    #[test]
    fn sizes_are_lists_and_ranges() {
        assert_eq!(request("-s 8").unwrap().sizes, [8]);
        assert_eq!(request("-s 3:9,1K,8").unwrap().sizes, [3, 4, 8, 9, 1024]);
        let all = request("-s 1:4M").unwrap().sizes;
        assert_eq!((all.len(), all[0], all[22]), (23, 1, 4 << 20));
        for wrong in [
            "0",
            "",
            "4x",
            "9:3",
            "2G",
            "99999999999999999999K",
            "1:",
            "-1",
        ] {
            let error = request(&format!("--size=,{wrong}")).unwrap_err();
            assert!(error.contains("size"), "{wrong}: {error}");
        }
    }

    #[test]
    fn roles_follow_from_the_arguments() {
        assert_eq!(request("").unwrap().role, Role::Both);
        assert_eq!(request("").unwrap().btl, "sm");
        let ask = request("node7 -p 99 -t am_lat,get_bw").unwrap();
        let host = "node7".to_string();
        assert_eq!(ask.role, Role::Ask { host, port: 99 });
        assert_eq!((ask.btl.as_str(), ask.cases.len()), ("tcp", 2));
        assert_eq!(
            request("--listen").unwrap().role,
            Role::Listen { port: PORT }
        );
    }

    #[test]
    fn options_that_make_no_sense_are_errors() {
        for (line, wanted) in [
            ("--raw --btl sm", "--btl ofi or --btl tcp"),
            ("--provider shm", "--btl ofi"),
            ("host --btl self", "itself"),
            ("host --listen", "cannot be used with"),
            ("-t am_lag", "am_lag"),
            ("--btl ib", "possible values"),
            ("-n 0", "0"),
            ("--seconds x", "x"),
            ("--mca one", "2 values"),
        ] {
            let error = request(line).unwrap_err();
            assert!(error.contains(wanted), "{line}: {error}");
        }
    }
}
