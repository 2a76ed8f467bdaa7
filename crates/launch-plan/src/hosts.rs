//! Parses hosts on the command line and in files, in the syntax of Open MPI (`name slots=2`) and
//! Hydra (`name:2`).
//!
//! The result is a list of [`Entry`]s in the order written, without name look-ups;
//! [`crate::allocation`] makes nodes of it.

use std::fmt;

use crate::error::invalid_value;
use crate::Error;

/// The entry of one host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which host.
    pub host: Host,
    /// The account to use there; `None` for that of the user.
    pub user: Option<String>,
    /// How many ranks it has room for.
    pub slots: Slots,
    /// How many ranks it takes at most, beyond its slots too.
    pub max_slots: Option<u32>,
}

/// How a host is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Host {
    /// By a name or an address, without brackets.
    Name(String),
    /// By its index among the hosts of the job, from 0 (`+n2`).
    Nth(u32),
    /// Up to this many hosts that no program of the job uses yet (`+e:2`), or all of those (`+e`).
    Empty(Option<u32>),
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Name(name) => f.write_str(name),
            Host::Nth(place) => write!(f, "+n{place}"),
            Host::Empty(None) => f.write_str("+e"),
            Host::Empty(Some(count)) => write!(f, "+e:{count}"),
        }
    }
}

/// How much room was given to a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Slots {
    /// No number was given.
    #[default]
    Unspecified,
    /// One for each of its cores (`name:*`).
    All,
    /// This many.
    Count(u32),
}

/// Largest count of anything on a command line; keeps sums from overflowing.
pub(crate) const COUNT_MAX: u32 = 1_000_000;

/// The form of a line in a file of hosts, for errors.
const LINE: &str = "a host as NAME[:SLOTS], then slots=N, max_slots=N or user=NAME";

/// Reads `name[:slots],...`, the value of the option `word`.
pub fn parse_list(word: &str, list: &str) -> Result<Vec<Entry>, Error> {
    let item =
        |item: &str| parse_host(item.trim()).map_err(|wanted| invalid_value(word, item, wanted));
    list.split(',').map(item).collect()
}

/// Reads a file of hosts: one a line, `#` opens a comment. `path` is for messages.
pub fn parse_file(path: &str, content: &str) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for (at, whole) in content.lines().enumerate() {
        let line = whole.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let entry = parse_line(line).map_err(|wanted| Error::Line {
            what: "host file",
            file: path.to_string(),
            line: at + 1,
            text: whole.trim().to_string(),
            wanted,
        })?;
        entries.push(entry);
    }
    Ok(entries)
}

/// Parses one line without its comment. The error is the expected form.
fn parse_line(line: &str) -> Result<Entry, String> {
    // Some write `slots = 4`.
    let line = line.replace('=', " = ");
    let mut words = line.split_whitespace();
    let mut entry = parse_host(words.next().unwrap_or(""))?;
    while let Some(name) = words.next() {
        let value = match (words.next(), words.next()) {
            (Some("="), Some(value)) => value,
            _ => return Err(LINE.to_string()),
        };
        match name.replace('-', "_").to_ascii_lowercase().as_str() {
            "slots" | "count" | "cpu" | "cpus" => entry.slots = Slots::Count(count(value)?),
            "max_slots" | "slots_max" | "max_count" | "count_max" | "max_cpu" | "cpu_max" => {
                entry.max_slots = Some(count(value)?);
            }
            "user" | "username" | "user_name" | "login" => entry.user = Some(value.to_string()),
            _ => return Err(LINE.to_string()),
        }
    }
    match (entry.slots, entry.max_slots) {
        (Slots::Count(slots), Some(max)) if slots > max => {
            Err(format!("no more slots than max_slots={max}"))
        }
        (Slots::Unspecified, Some(max)) => {
            entry.slots = Slots::Count(max);
            Ok(entry)
        }
        _ => Ok(entry),
    }
}

/// Parses `[user@]name[:slots]`. The error is the expected form.
fn parse_host(text: &str) -> Result<Entry, String> {
    let (user, rest) = match text.split_once('@') {
        Some((user, rest)) => (Some(user.to_string()), rest),
        None => (None, text),
    };
    let (name, slots) = split_slots(rest)?;
    let host = match name.strip_prefix('+') {
        Some(place) => return relative(place, slots),
        None => Host::Name(name.to_string()),
    };
    // A name that opens with a dash would be an option to ssh.
    let odd = |c: char| c.is_whitespace() || c.is_control() || "/\\'\"`$&;|<>()*?@,".contains(c);
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('-') && !name.contains(odd);
    if !is_name(name)
        || name.contains(':') && !is_address(name)
        || user.as_deref().is_some_and(|user| !is_name(user))
    {
        return Err("the name or address of a host".to_string());
    }
    Ok(Entry {
        host,
        user,
        slots: slots_of(slots)?,
        max_slots: None,
    })
}

/// True for an address of IPv6, with or without the name of a network interface.
fn is_address(name: &str) -> bool {
    let address = name.split_once('%').map_or(name, |(address, _)| address);
    address.parse::<std::net::Ipv6Addr>().is_ok()
}

/// The name and what stands after its colon. More than one colon, without brackets, is an address
/// of IPv6.
fn split_slots(text: &str) -> Result<(&str, Option<&str>), String> {
    if let Some(bracketed) = text.strip_prefix('[') {
        let (name, rest) = bracketed
            .split_once(']')
            .ok_or_else(|| "a closing bracket after the address".to_string())?;
        return match rest.strip_prefix(':') {
            Some(slots) => Ok((name, Some(slots))),
            None if rest.is_empty() => Ok((name, None)),
            None => Err("a colon and a number of ranks after the address".to_string()),
        };
    }
    match text.split_once(':') {
        Some((name, slots)) if !slots.contains(':') => Ok((name, Some(slots))),
        _ => Ok((text, None)),
    }
}

fn slots_of(text: Option<&str>) -> Result<Slots, String> {
    match text {
        None => Ok(Slots::Unspecified),
        Some("*" | "auto") => Ok(Slots::All),
        Some(number) => count(number).map(Slots::Count),
    }
}

fn relative(place: &str, slots: Option<&str>) -> Result<Entry, String> {
    let wanted = || "a host of the job as +n0, or free ones as +e or +e:2".to_string();
    let (host, slots) = match (place.chars().next(), place.get(1..)) {
        (Some('n' | 'N'), Some(number)) => {
            let nth = number.parse().map_err(|_| wanted())?;
            (Host::Nth(nth), slots_of(slots)?)
        }
        (Some('e' | 'E'), Some("")) => {
            let many = slots.map(count).transpose()?;
            (Host::Empty(many), Slots::Unspecified)
        }
        _ => return Err(wanted()),
    };
    Ok(Entry {
        host,
        user: None,
        slots,
        max_slots: None,
    })
}

fn count(text: &str) -> Result<u32, String> {
    let fits = text.parse().ok().filter(|n| (1..=COUNT_MAX).contains(n));
    fits.ok_or_else(|| format!("a number of ranks from 1 to {COUNT_MAX} with the host"))
}

/// Whether two names mean one host: they are equal, or one is the other's first part. The first
/// part of an address says nothing.
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
        || (!a.contains('.') || !b.contains('.')) && first_of_name(a) == first_of_name(b)
}

/// Returns the part that names of one host have in common: the first one, or a whole address.
pub(crate) fn first_of_name(name: &str) -> String {
    let first = match name.parse::<std::net::IpAddr>() {
        Ok(_) => name,
        Err(_) => name.split('.').next().unwrap_or(name),
    };
    first.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, slots: Slots) -> Entry {
        Entry {
            host: Host::Name(name.to_string()),
            user: None,
            slots,
            max_slots: None,
        }
    }

    #[test]
    fn lists_of_the_command_line() {
        let listed = parse_list("-H", "localhost:2,node7,::1,[fe80::1%eth0]:3,b:*,me@n2:1");
        let mut named = entry("n2", Slots::Count(1));
        named.user = Some("me".to_string());
        let expected = [
            entry("localhost", Slots::Count(2)),
            entry("node7", Slots::Unspecified),
            entry("::1", Slots::Unspecified),
            entry("fe80::1%eth0", Slots::Count(3)),
            entry("b", Slots::All),
            named,
        ];
        assert_eq!(listed.unwrap(), expected);
        for bad in [
            "",
            "a,,b",
            "a:x",
            "a:0",
            "a:-1",
            "a:2:",
            "-oProxyCommand=x",
            "a b",
            "a;b",
            "[::1",
            "[::1]4",
            "@a",
            "a@",
            "a@b@c",
            "+x",
            "+n",
            "+nx",
            "+e:x",
            "a:1000001",
        ] {
            let said = parse_list("-H", bad).expect_err(bad).to_string();
            assert!(said.starts_with("-H wants"), "{bad}: {said}");
        }
    }

    #[test]
    fn hosts_by_their_place() {
        let listed = parse_list("-H", "+n0,+n12:3,+e,+e:2").unwrap();
        let hosts: Vec<_> = listed.iter().map(|e| (e.host.clone(), e.slots)).collect();
        let expected = [
            (Host::Nth(0), Slots::Unspecified),
            (Host::Nth(12), Slots::Count(3)),
            (Host::Empty(None), Slots::Unspecified),
            (Host::Empty(Some(2)), Slots::Unspecified),
        ];
        assert_eq!(hosts, expected);
    }

    #[test]
    fn both_dialects_of_files() {
        let file = "# comment\n\nlocalhost slots=4 max_slots=8\n  n1:3 # more\nn2\n\
                    n3 slots = 2 user=me\nn4 max-slots=5\n[::1]:2\nn5 Count=1\n";
        let filed = parse_file("hosts", file).unwrap();
        let brief = |e: &Entry| {
            let Host::Name(name) = &e.host else { panic!() };
            (name.clone(), e.slots, e.max_slots, e.user.clone())
        };
        let row = |name: &str, slots, max| (name.to_string(), slots, max, None::<String>);
        let mut third = row("n3", Slots::Count(2), None);
        third.3 = Some("me".to_string());
        let expected = [
            row("localhost", Slots::Count(4), Some(8)),
            row("n1", Slots::Count(3), None),
            row("n2", Slots::Unspecified, None),
            third,
            row("n4", Slots::Count(5), Some(5)),
            row("::1", Slots::Count(2), None),
            row("n5", Slots::Count(1), None),
        ];
        assert_eq!(filed.iter().map(brief).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_wrong_line_is_refused_with_file_number_and_what_would_be_right() {
        for (line, wanted) in [
            ("n1 slots=0", "from 1 to"),
            ("n1 slots=many", "number of ranks"),
            ("n1 slots", "slots=N"),
            ("n1 slots=", "slots=N"),
            ("n1 slot=2", "max_slots=N"),
            ("n1 n2", "NAME[:SLOTS]"),
            ("n1 slots=4 max_slots=2", "no more slots than max_slots=2"),
            ("slots=4", "NAME[:SLOTS]"),
        ] {
            let file = format!("n0\n# about n1\n{line} # here\n");
            let said = parse_file("my.hosts", &file).expect_err(line).to_string();
            let parts = ["my.hosts", "line 3", line, wanted];
            assert!(
                parts.iter().all(|part| said.contains(part)),
                "{line}: {said}"
            );
            assert!(!said.contains('\n'));
        }
    }

    #[test]
    fn names_of_one_host() {
        for (a, b, same) in [
            ("n1", "n1.example.org", true),
            ("N1", "n1", true),
            ("n1.example.org", "n1.example.com", false),
            ("n1", "n2", false),
            ("10.0.0.1", "10.0.0.2", false),
            ("10.0.0.1", "10", false),
        ] {
            assert_eq!(same_name(a, b), same, "{a} {b}");
        }
    }
}
