use super::*;
use crate::hosts::{parse_file, parse_list};

/// Resolves hosts given as words: `slurm=`, `file=`, `default=` with lines separated by `;`,
/// `host=` of a program, `app` for a program without, `nolocal`. The launcher runs on `n1`, which
/// has another address, 10.0.0.1.
fn resolved(text: &str) -> Result<Allocation, Error> {
    let mut sources = HostSources::default();
    for word in text.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let lines = || parse_file("hosts", &value.replace(';', "\n").replace('_', " "));
        match name {
            "slurm" => {
                sources.batch = Some(Granted {
                    system: BatchSystem::Slurm,
                    entries: lines()?,
                });
            }
            "file" => sources.files = Some(lines()?),
            "default" => sources.default_file = Some(lines()?),
            "host" => sources.hosts.push(parse_list("--host", value)?),
            "app" => sources.hosts.push(Vec::new()),
            "nolocal" => sources.no_local = true,
            other => panic!("{other}"),
        }
    }
    let here = Here {
        name: "n1",
        leads_here: |name| matches!(name, "10.0.0.1" | "alias"),
    };
    resolve(&sources, here.name, &own_names(&sources, &here))
}

/// The hosts with their slots, and behind a bar those of each program: `n1:2 n2:* | 0 1:1`.
fn shown(allocation: &Allocation) -> String {
    let mut words = Vec::new();
    for node in &allocation.nodes {
        let slots = node.slots.map_or("*".to_string(), |n| n.to_string());
        let max = node.max_slots.map_or(String::new(), |n| format!("/{n}"));
        words.push(format!("{}:{slots}{max}", node.name));
    }
    for parts in &allocation.parts {
        words.push("|".to_string());
        words.extend(parts.iter().map(|part| match part.slots {
            Some(slots) => format!("{}:{slots}", part.node),
            None => part.node.to_string(),
        }));
    }
    words.join(" ")
}

#[test]
fn where_hosts_come_from() {
    for (sources, expected) in [
        ("app", "n1:* | 0"),
        ("app app", "n1:* | 0 | 0"),
        // --host alone: a slot each time that a host is named.
        ("host=a,b", "a:1 b:1 | 0:1 1:1"),
        ("host=a,b,a", "a:2 b:1 | 0:2 1:1"),
        ("host=a:3,b:*", "a:3 b:* | 0:3 1"),
        ("host=a host=a", "a:2 | 0:1 | 0:1"),
        ("host=a app", "a:1 | 0:1 | 0"),
        // Files: as many slots as cores unless said.
        ("file=a;b app", "a:* b:* | 0 1"),
        (
            "file=a_slots=4;b_slots=2_max-slots=3 app",
            "a:4 b:2/3 | 0 1",
        ),
        ("file=a;b;a app", "a:2 b:* | 0 1"),
        ("file=a:2;a_slots=3 app", "a:5 | 0"),
        ("file=a;a.example.org app", "a:2 | 0"),
        ("file=n1;localhost;10.0.0.1;127.0.0.1 app", "n1:4 | 0"),
        // --host chooses from a file; hosts that nobody chooses are left out.
        ("file=a:2;b:2;c:2 host=c,a", "a:2 c:2 | 1 0"),
        ("file=a:2;b:2;c:2 host=b:1", "b:2 | 0:1"),
        ("file=a:4 host=a,a", "a:4 | 0:2"),
        ("file=a:2;b:2 host=a host=b", "a:2 b:2 | 0 | 1"),
        ("file=a:2;b:2 host=a app", "a:2 b:2 | 0 | 0 1"),
        ("file=n1:2;b:2 host=10.0.0.1", "n1:2 | 0"),
        // The file of the environment is the last resort.
        ("default=a:2;b:2 app", "a:2 b:2 | 0 1"),
        ("default=a:2;b:2 host=b", "b:2 | 0"),
        ("default=a:2 file=c:1 app", "c:1 | 0"),
        // Slurm's hosts are all that there are.
        ("slurm=a:2;b:2 app", "a:2 b:2 | 0 1"),
        ("slurm=a:2;b:2 host=b", "b:2 | 0"),
        ("slurm=a:2;b:4;c:1 file=b:9;c app", "b:4 c:1 | 0 1"),
        ("slurm=a:2;b:4 file=b:3 app", "b:3 | 0"),
        ("slurm=a:2 default=x app", "a:2 | 0"),
        // By their places.
        ("file=a:2;b:2;c:2 host=+n2,+n0:1", "a:2 c:2 | 1 0:1"),
        (
            "file=a:1;b:1;c:1 host=b host=+e:1 host=+e",
            "a:1 b:1 c:1 | 1 | 0 | 2",
        ),
        // Not on this machine.
        ("file=n1:2;b:2 app nolocal", "b:2 | 0"),
    ] {
        assert_eq!(
            shown(&resolved(sources).expect(sources)),
            expected,
            "{sources}"
        );
    }
}

#[test]
fn hosts_that_cannot_be_had() {
    for (sources, parts) in [
        ("file=a host=b", ["\"b\"", "not in the host file"]),
        ("slurm=a host=b", ["\"b\"", "Slurm's allocation"]),
        ("slurm=a file=b app", ["\"b\"", "Slurm's allocation"]),
        ("file=a;b host=+n2", ["+n2", "has 2 hosts"]),
        ("file=a;b host=+e host=+e", ["+e", "too few"]),
        ("file=a;b host=a host=+e:2", ["+e:2", "too few"]),
        ("host=+n0", ["+n0", "need a list"]),
        ("app nolocal", ["no host", "--nolocal"]),
        ("host=n1 nolocal", ["no host", "--nolocal"]),
    ] {
        let error = resolved(sources).expect_err(sources).to_string();
        assert!(
            parts.iter().all(|part| error.contains(part)),
            "{sources}: {error}"
        );
        assert!(!error.contains('\n'));
    }
}

#[test]
fn this_machine_is_known_by_its_names() {
    let alone = resolved("app").unwrap();
    assert!(alone.is_local() && !alone.is_explicit && alone.here() == Some(0));
    for name in [
        "n1",
        "n1.example.org",
        "localhost",
        "127.0.0.1",
        "::1",
        "10.0.0.1",
        "alias",
    ] {
        let listed = resolved(&format!("host={name}")).unwrap();
        assert!(listed.is_local() && listed.is_explicit, "{name}");
    }
    let mixed = resolved("file=a;localhost app").unwrap();
    assert_eq!((mixed.is_local(), mixed.here()), (false, Some(1)));
}

#[test]
fn names_are_looked_up_only_when_none_is_certain() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static LOOKED_UP: AtomicUsize = AtomicUsize::new(0);
    let here = Here {
        name: "n1",
        leads_here: |name| {
            LOOKED_UP.fetch_add(1, Ordering::Relaxed);
            name == "n77"
        },
    };
    let names: Vec<String> = (2..500).map(|n| format!("n{n}")).collect();
    let all = || names.iter().map(String::as_str);
    let own = OwnNames::among(all().chain(all()), &here);
    assert_eq!(own.0.len(), 1);
    assert!(own.has("n77") && LOOKED_UP.swap(0, Ordering::Relaxed) == names.len());
    let own = OwnNames::among(all().chain(["localhost"]), &here);
    assert!(own.has("localhost") && LOOKED_UP.load(Ordering::Relaxed) == 0);
}

#[test]
fn many_hosts_are_found_at_once() {
    let line = |n: u32| format!("node{n:05}.cluster.example.org slots=128\nnode{n:05}\n");
    let file: String = (0..10_000).map(line).collect();
    let sources = HostSources {
        files: Some(parse_file("hosts", &file).unwrap()),
        hosts: vec![Vec::new()],
        ..HostSources::default()
    };
    let here = Here {
        name: "node00007",
        leads_here: |_| false,
    };
    let found = resolve(&sources, here.name, &own_names(&sources, &here)).unwrap();
    assert_eq!((found.nodes.len(), found.here()), (10_000, Some(7)));
    assert_eq!(found.nodes[9_999].slots, Some(129));
}
