use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::allocation::HostShare;
use crate::policy::Policy;
use crate::topology::Topology;

/// A machine for each word: `name:slots/max` of `4x2x1` (packages, cores, threads).
fn machines(text: &str) -> Vec<(String, Option<u32>, Option<u32>, Topology)> {
    let machine = |word: &str| {
        let (head, shape) = word.split_once('=').unwrap_or((word, "1x4x1"));
        let (name, slots) = head.split_once(':').unwrap_or((head, ""));
        let (slots, max) = slots.split_once('/').unwrap_or((slots, ""));
        let shape: Vec<u32> = shape.split('x').map(|n| n.parse().unwrap()).collect();
        let topology = Topology::regular(shape[0], shape[1], shape[2]);
        (
            name.to_string(),
            slots.parse().ok(),
            max.parse().ok(),
            topology,
        )
    };
    text.split_whitespace().map(machine).collect()
}

/// Maps programs with these counts (0: not said) on these machines; `options` are what follows
/// `--map-by`, `--rank-by` (after `r=`) and `--bind-to` (after `b=`).
fn map_of(hosts: &str, options: &str, counts: &[u32]) -> Result<Map, Error> {
    let hosts = machines(hosts);
    let rooms: Vec<HostCapacity> = hosts
        .iter()
        .map(|(name, slots, max_slots, topology)| HostCapacity {
            name,
            slots: *slots,
            max_slots: *max_slots,
            used: 0,
            topology,
        })
        .collect();
    let mut policy = Policy::default();
    for word in options.split_whitespace() {
        match word.split_at_checked(2) {
            Some(("r=", value)) => policy.rank_by("--rank-by", value)?,
            Some(("b=", value)) => policy.bind_to("--bind-to", value)?,
            Some(("n=", value)) => policy.map = MapBy::Rounds(value.parse().unwrap()),
            _ => policy.map_by("--map-by", word)?,
        }
    }
    let part = |node| HostShare { node, slots: None };
    let programs: Vec<Demand> = counts
        .iter()
        .map(|&count| Demand {
            count: (count > 0).then_some(count),
            parts: (0..rooms.len()).map(part).collect(),
        })
        .collect();
    map(&policy, &rooms, &programs, true)
}

/// The hosts of the ranks, as letters.
fn hosts_of(map: &Map) -> String {
    let letter = |placement: &Placement| char::from(b'a' + placement.node as u8);
    map.placements.iter().map(letter).collect()
}

/// The processors of the ranks: `0,1|2,3`.
fn cpus_of(map: &Map) -> String {
    let list = |placement: &Placement| {
        let cpus: Vec<String> = placement.cpus.iter().map(u32::to_string).collect();
        cpus.join(",")
    };
    map.placements
        .iter()
        .map(list)
        .collect::<Vec<_>>()
        .join("|")
}

#[test]
fn where_ranks_are_put() {
    for (hosts, options, count, expected) in [
        ("a:2 b:2 c:2", "slot", 0, "aabbcc"),
        ("a:2 b:2 c:2", "slot", 3, "aab"),
        ("a:4 b:4 c:4", "slot", 6, "aaaabb"),
        ("a:4 b:4 c:4", "node", 6, "abcabc"),
        ("a:1 b:3", "node", 4, "abbb"),
        ("a:4 b:4 c:4", "slot:SPAN", 6, "aabbcc"),
        // More ranks than slots: all hosts get one more each in turn.
        ("a:1 b:1", "slot", 5, "aaabb"),
        ("a:4 b:4 c:4", "slot", 14, "aaaaabbbbbcccc"),
        ("a:1 b:1", "node", 5, "ababa"),
        // Never more than max_slots.
        ("a:4/4 b:8/8 c:4", "slot", 14, "aaaabbbbbbbbcc"),
        ("a:1/1 b:1", "slot", 4, "abbb"),
        ("a:1/2 b:1", "node", 6, "ababbb"),
        // Without slots one to each core.
        ("a=2x2x2 b=1x1x2", "slot", 0, "aaaab"),
        ("a=2x2x2 b=1x1x2", "slot:HWTCPUS", 0, "aaaaaaaabb"),
        // A number on each object.
        ("a=2x4x1 b=2x4x1", "ppr:1:node", 0, "ab"),
        ("a=2x4x1 b=2x4x1", "ppr:2:socket", 0, "aaaabbbb"),
        ("a=2x4x1 b=1x4x1", "ppr:1:package", 0, "aab"),
        ("a=2x4x1 b=2x4x1", "ppr:2:socket", 5, "aaaab"),
        ("a:9 b:9", "n=2", 0, "aabb"),
        ("a:9 b:9", "n=2", 7, "aabbaab"),
        ("a:1/3 b:9", "n=2", 7, "aabbabb"),
        // Objects do not change on which host a rank is, unless they span all.
        ("a:4 b:4", "core", 6, "aaaabb"),
        ("a:4 b:4", "core:SPAN", 6, "aaaabb"),
        ("a:4 b:4", "socket:SPAN", 5, "aaabb"),
        ("a:8=2x4x1 b:8=2x4x1", "numa:SPAN", 6, "aaaabb"),
        ("a:8/1=2x4x1 b:8=2x4x1", "numa:SPAN", 6, "abbbbb"),
        // With processors for each rank a slot is a processor.
        ("a:4 b:4", "slot:PE=2", 0, "aabb"),
        ("a:4 b:4", "slot:PE=3", 2, "ab"),
        ("a:4 b:4", "node:PE=2", 3, "aba"),
    ] {
        let map = map_of(hosts, options, &[count]).unwrap();
        assert_eq!(hosts_of(&map), expected, "{count} on {hosts} by {options}");
    }
}

#[test]
fn how_ranks_are_numbered() {
    for (hosts, options, count, expected) in [
        ("a:2 b:2", "node r=slot", 4, "aabb"),
        ("a:2 b:2", "slot r=node", 4, "abab"),
        ("a:3 b:1", "slot r=node", 4, "abaa"),
        ("a:3 b:1", "slot r=fill", 4, "aaab"),
    ] {
        let map = map_of(hosts, options, &[count]).unwrap();
        assert_eq!(hosts_of(&map), expected, "{count} on {hosts} by {options}");
    }
    // Two packages with two cores each: what shows is what ranks are bound to.
    for (options, expected) in [
        ("socket b=core", "0|2|1|3"),
        ("socket b=core r=slot", "0|2|1|3"),
        ("socket b=core r=fill", "0|1|2|3"),
        ("socket:span b=core", "0|2|1|3"),
        ("socket b=core r=core", "0|1|2|3"),
        ("core r=socket", "0|2|1|3"),
        ("core r=core", "0|1|2|3"),
    ] {
        let map = map_of("a=2x2x1", options, &[4]).unwrap();
        assert_eq!(cpus_of(&map), expected, "{options}");
    }
}

#[test]
fn local_ranks_count_on_each_host_through_all_programs() {
    let map = map_of("a:2 b:2", "node", &[3, 1]).unwrap();
    let row = |placement: &Placement| (placement.app, placement.node, placement.local_rank);
    let rows: Vec<_> = map.placements.iter().map(row).collect();
    assert_eq!(rows, [(0, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]);
    assert_eq!(map.slots, 4);
    // What one program has taken, the next one cannot have.
    assert_eq!(
        hosts_of(&map_of("a:2 b:2", "slot", &[1, 3]).unwrap()),
        "aabb"
    );
}

#[test]
fn what_ranks_are_bound_to() {
    for (hosts, options, count, expected) in [
        ("a=1x4x1", "slot", 2, "|"),
        ("a=1x4x1", "b=core", 3, "0|1|2"),
        ("a=1x2x2", "b=core", 2, "0,2|1,3"),
        ("a=1x2x2", "b=hwthread", 4, "0|2|1|3"),
        ("a=2x2x1", "b=socket", 4, "0,1|0,1|2,3|2,3"),
        ("a=2x2x1", "socket b=socket", 4, "0,1|2,3|0,1|2,3"),
        ("a=2x2x1", "socket", 4, "0,1|2,3|0,1|2,3"),
        ("a=2x2x1", "socket b=none", 2, "|"),
        ("a=2x2x1", "ppr:1:socket b=core", 2, "0|2"),
        ("a=2x4x1", "slot:PE=2", 4, "0,1|2,3|4,5|6,7"),
        ("a=2x4x1", "ppr:2:socket:PE=2", 4, "0,1|2,3|4,5|6,7"),
        ("a=2x4x1", "ppr:1:socket:PE=3", 2, "0,1,2|4,5,6"),
        ("a=1x2x2", "slot:PE=2:HWTCPUS", 2, "0,2|1,3"),
        ("a=2x2x1", "slot:PE=1 b=socket", 4, "0,1|0,1|2,3|2,3"),
        // Hosts are bound to by themselves.
        ("a:2=1x2x1 b:2=1x2x1", "b=core", 4, "0|1|0|1"),
        // With leave, ranks share.
        ("a=1x2x1", "b=core:overload-allowed", 5, "0|1|0|1|0"),
        (
            "a:4=1x2x1",
            "slot:PE=2 b=core:overload-allowed",
            2,
            "0,1|0,1",
        ),
    ] {
        let map = map_of(hosts, options, &[count]).unwrap();
        assert_eq!(cpus_of(&map), expected, "{count} on {hosts} by {options}");
    }
}

#[test]
fn a_host_with_too_few_processors_binds_no_rank_and_says_so() {
    let map = map_of("a:2=1x2x1 b:3=1x2x1", "b=core", &[5]).unwrap();
    assert_eq!(cpus_of(&map), "0|1|||");
    assert_eq!(map.notes.len(), 1, "{:?}", map.notes);
    let said = &map.notes[0];
    assert!(["b: 3 ranks on 2 cores", "overload-allowed"]
        .iter()
        .all(|part| said.contains(part)));
    // Nobody has asked for binding explicitly, or nobody wants the note.
    for options in ["core", "b=core:if-supported"] {
        let map = map_of("a=1x2x1", options, &[3]).unwrap();
        assert_eq!(cpus_of(&map), "||", "{options}");
        let about_binding = |note: &&String| note.contains("bound");
        assert_eq!(map.notes.iter().find(about_binding), None, "{options}");
    }
}

#[test]
fn more_ranks_than_slots_are_reported_once_allowed_or_refused() {
    let notes = |options| map_of("a:1 b:2", options, &[4]).map(|map| map.notes.len());
    assert_eq!(notes("slot").unwrap(), 1);
    assert_eq!(notes("slot:OVERSUBSCRIBE").unwrap(), 0);
    let refused = notes("slot:NOOVERSUBSCRIBE").unwrap_err().to_string();
    assert!(refused.contains("4 ranks on 3 slots"), "{refused}");
    assert_eq!(map_of("a:1 b:2", "slot", &[3]).unwrap().notes.len(), 0);
}

#[test]
fn more_ranks_than_hosts_take_are_refused() {
    for (hosts, options, counts, parts) in [
        ("a:1/1 b:1/2", "slot", &[4][..], ["4 ranks", "for 3"]),
        ("a:1/1 b:1/2", "node", &[2, 2], ["2 ranks", "for 1"]),
        ("a b", "ppr:2:node", &[5], ["5 ranks", "for 4"]),
        ("a:1/2", "ppr:3:node", &[0], ["3 ranks", "for 2"]),
        ("a:1/2", "n=3", &[0], ["3 ranks", "for 2"]),
    ] {
        let said = map_of(hosts, options, counts).unwrap_err().to_string();
        assert!(
            parts.iter().all(|part| said.contains(part)),
            "{hosts} {options}: {said}"
        );
    }
}

#[test]
fn what_must_be_known_before_a_map_can_be_made() {
    let needs = |options: &str, slots: &[Option<u32>]| {
        let mut policy = Policy::default();
        if let Some(value) = options.strip_prefix("b=") {
            policy.bind_to("--bind-to", value).unwrap();
        } else {
            policy.map_by("--map-by", options).unwrap();
        }
        needs_topologies(&policy, slots.iter().copied())
    };
    assert!(!needs("slot", &[Some(2), Some(4)]));
    assert!(!needs("ppr:2:node", &[Some(2)]));
    assert!(needs("slot", &[Some(2), None]));
    assert!(needs("core", &[Some(2)]) && needs("b=core", &[Some(2)]));
    assert!(!needs("b=none", &[Some(2)]));
}

#[test]
fn a_thousand_hosts_are_mapped_at_once() {
    let topology = Topology::regular(2, 32, 2);
    let room = HostCapacity {
        name: "n",
        slots: None,
        max_slots: None,
        used: 0,
        topology: &topology,
    };
    let rooms = vec![room; 1000];
    let mut policy = Policy::default();
    policy.bind_to("--bind-to", "core").unwrap();
    let part = |node| HostShare { node, slots: None };
    let program = Demand {
        count: None,
        parts: (0..1000).map(part).collect(),
    };
    let map = map(&policy, &rooms, &[program], true).unwrap();
    assert_eq!((map.placements.len(), map.notes.len()), (64_000, 0));
    assert_eq!(map.placements[63_999].cpus, [63, 127]);
}

/// A host of a random job: packages, cores of each, threads of each, slots, and by how many ranks
/// these may be exceeded.
type Machine = ((u32, u32, u32), Option<u32>, Option<u32>);

fn machine() -> impl Strategy<Value = Machine> {
    let shape = (1..3u32, 1..5u32, 1..3u32);
    (shape, option::of(1..9u32), option::of(0..4u32))
}

fn words() -> impl Strategy<Value = String> {
    let map = [
        "slot",
        "node",
        "core",
        "socket",
        "numa:SPAN",
        "hwthread",
        "slot:SPAN",
        "slot:PE=2",
        "node:PE=3",
        "ppr:1:node",
        "ppr:2:socket",
        "n=2",
    ];
    let rank = [
        "",
        " r=slot",
        " r=node",
        " r=fill",
        " r=span",
        " r=core",
        " r=socket",
    ];
    let bind = [
        "",
        " b=none",
        " b=core",
        " b=hwthread",
        " b=socket",
        " b=l2cache",
    ];
    let words = (
        select(map.to_vec()),
        select(rank.to_vec()),
        select(bind.to_vec()),
    );
    words.prop_map(|(map, rank, bind)| format!("{map}{rank}{bind}"))
}

proptest! {
    /// Checks that whatever the options there are as many ranks as were wanted, no host has more
    /// than it takes, ranks of a host are counted without gaps, and no processor belongs to two
    /// ranks that are bound to less than they share.
    #[test]
    fn maps_keep_their_promises(
        machines in vec(machine(), 1..5),
        words in words(),
        counts in vec(0..12u32, 1..3),
    ) {
        let hosts: Vec<String> = machines
            .iter()
            .map(|((packages, cores, threads), slots, more)| {
                let max = slots.zip(*more).map_or(String::new(), |(slots, more)| {
                    format!("/{}", slots + more)
                });
                let slots = slots.map_or(String::new(), |slots| slots.to_string());
                format!("n:{slots}{max}={packages}x{cores}x{threads}")
            })
            .collect();
        let Ok(map) = map_of(&hosts.join(" "), &words, &counts) else {
            return Ok(());
        };
        let wanted: u32 = counts.iter().sum();
        prop_assert!(map.placements.len() as u32 >= wanted);
        if counts.iter().all(|&count| count > 0) {
            prop_assert_eq!(map.placements.len() as u32, wanted);
        }
        let each = if words.contains("PE=2") { 2 } else if words.contains("PE=3") { 3 } else { 1 };
        for (node, ((packages, cores, threads), slots, more)) in machines.iter().enumerate() {
            let here: Vec<&Placement> =
                map.placements.iter().filter(|placement| placement.node as usize == node).collect();
            let local: Vec<u32> = here.iter().map(|placement| placement.local_rank).collect();
            prop_assert_eq!(local, (0..here.len() as u32).collect::<Vec<_>>());
            if let Some((slots, more)) = slots.zip(*more) {
                prop_assert!(here.len() as u32 * each <= slots + more);
            }
            let all = packages * cores * threads;
            prop_assert!(here.iter().all(|placement| placement.cpus.iter().all(|&cpu| cpu < all)));
            prop_assert!(here.iter().all(|p| p.cpus.is_empty() == here[0].cpus.is_empty()));
            let narrow = words.contains("b=core") || words.contains("b=hwthread");
            if narrow && each == 1 {
                let mut taken: Vec<u32> = here.iter().flat_map(|p| p.cpus.clone()).collect();
                let count = taken.len();
                taken.sort_unstable();
                taken.dedup();
                prop_assert_eq!(taken.len(), count);
            }
        }
    }
}
