//! Hosts on the command line and in files, in the dialects of Open MPI (`name slots=2`) and
//! Hydra (`name:2`). Ranks run on this machine only, so the names are checked against its own.

use crate::command_line::wrong;
use crate::Error;

/// A host and how many ranks it has room for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// Its name or address.
    pub name: String,
    /// Its ranks; `None` when not said.
    pub slots: Option<u32>,
}

/// Reads `name[:ranks],...` of the option `word`.
pub fn parse_list(word: &str, list: &str) -> Result<Vec<Host>, Error> {
    list.split(',')
        .map(|item| parse_item(word, item.trim()))
        .collect()
}

/// Reads a file of hosts: one a line, `#` opens a comment.
pub fn parse_file(path: &str, content: &str) -> Result<Vec<Host>, Error> {
    let mut hosts = Vec::new();
    for line in content.lines() {
        let line = line.split('#').next().unwrap_or("");
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        let mut host = parse_item(path, first)?;
        for word in words {
            if let Some(count) = word.strip_prefix("slots=") {
                host.slots = Some(parse_count(path, word, count)?);
            }
        }
        hosts.push(host);
    }
    Ok(hosts)
}

/// Fails for a host that is not this machine, whose name is `own`.
pub fn check_local(hosts: &[Host], own: &str) -> Result<(), Error> {
    let short = |name: &str| name.split('.').next().unwrap_or(name).to_string();
    let is_local = |name: &str| {
        matches!(name, "localhost" | "localhost.localdomain" | "::1")
            || name.strip_prefix("127.").is_some()
            || name == own
            || short(name) == short(own) && (!name.contains('.') || !own.contains('.'))
    };
    match hosts.iter().find(|host| !is_local(&host.name)) {
        Some(host) => Err(Error::OtherHost {
            host: host.name.clone(),
        }),
        None => Ok(()),
    }
}

fn parse_item(source: &str, item: &str) -> Result<Host, Error> {
    if item.is_empty() {
        return Err(wrong(source, item, "the names of hosts"));
    }
    // More than one colon is an address of IPv6.
    match item.split_once(':') {
        Some((name, count)) if !count.contains(':') => {
            let slots = Some(parse_count(source, item, count)?);
            Ok(Host {
                name: name.to_string(),
                slots,
            })
        }
        _ => Ok(Host {
            name: item.to_string(),
            slots: None,
        }),
    }
}

fn parse_count(source: &str, item: &str, count: &str) -> Result<u32, Error> {
    let fits = count.parse().ok().filter(|n| (1..=1_000_000).contains(n));
    fits.ok_or_else(|| wrong(source, item, "a number of ranks with the host"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str, slots: Option<u32>) -> Host {
        Host {
            name: name.to_string(),
            slots,
        }
    }

    #[test]
    fn both_dialects() {
        let listed = parse_list("-H", "localhost:2,node7,::1").unwrap();
        assert_eq!(
            listed,
            [
                host("localhost", Some(2)),
                host("node7", None),
                host("::1", None)
            ]
        );
        let file = "# comment\nlocalhost slots=4 max_slots=8\n\nn1:3 # more\nn2\n";
        let filed = parse_file("hosts", file).unwrap();
        assert_eq!(
            filed,
            [
                host("localhost", Some(4)),
                host("n1", Some(3)),
                host("n2", None)
            ]
        );
        assert!(parse_list("-H", "a:x").is_err());
        assert!(parse_list("-H", "a,,b").is_err());
        assert!(parse_file("hosts", "a slots=0").is_err());
    }

    #[test]
    fn only_this_machine_is_local() {
        for (name, own, local) in [
            ("localhost", "n1", true),
            ("127.0.0.1", "n1", true),
            ("n1", "n1.example.org", true),
            ("n1.example.org", "n1", true),
            ("n1.example.org", "n1.example.com", false),
            ("n2", "n1", false),
        ] {
            assert_eq!(
                check_local(&[host(name, None)], own).is_ok(),
                local,
                "{name} on {own}"
            );
        }
    }
}
