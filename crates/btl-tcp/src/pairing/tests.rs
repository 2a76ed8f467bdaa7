//! Pairings over tables of interfaces: each line of a side is one address, as `ip` shows them.

use proptest::prelude::*;

use super::*;
use crate::seal::Protection;

/// One side: `interface-number address/prefix bandwidth` for each address.
fn side(host: u8, lines: &[&str]) -> Address {
    let entry = |line: &&str| {
        let mut words = line.split(' ');
        let mut word = || words.next().expect("three words");
        let interface = word().parse().unwrap();
        let (ip, prefix) = word().split_once('/').unwrap();
        Entry {
            socket: SocketAddr::new(ip.parse().unwrap(), 5000 + u16::from(host)),
            prefix: prefix.parse().unwrap(),
            interface,
            bandwidth_mbit: word().parse().unwrap(),
            latency_ns: 30_000,
        }
    };
    Address {
        frame_max: 4096,
        links: 1,
        protection: Protection::None,
        loopback: [host; 16],
        entries: lines.iter().map(entry).collect(),
    }
}

/// No kernel is asked.
fn unknown(_: &Entry, _: &Entry) -> KernelRoute {
    KernelRoute::Unknown
}

fn addresses(rails: &[Rail]) -> Vec<(String, String)> {
    let texts = |rail: &Rail| (rail.local.to_string(), rail.remote.ip().to_string());
    rails.iter().map(texts).collect()
}

/// The rails of both sides' plans, which are each other's mirror.
fn rails(one: &Address, other: &Address) -> Vec<(String, String)> {
    let here = pair(one, other, true, &mut unknown).unwrap();
    let there = pair(other, one, false, &mut unknown).unwrap();
    let mirrored = |(local, remote)| (remote, local);
    let there: Vec<_> = addresses(&there.rails).into_iter().map(mirrored).collect();
    assert_eq!(addresses(&here.rails), there, "the sides disagree");
    there
}

fn texts(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(one, other): &(&str, &str)| (one.to_string(), other.to_string());
    pairs.iter().map(owned).collect()
}

#[test]
fn two_networks_make_two_rails() {
    let one = side(1, &["2 10.77.0.1/24 1000", "3 10.78.0.1/24 1000"]);
    let other = side(2, &["2 10.77.0.2/24 1000", "3 10.78.0.2/24 1000"]);
    let both = texts(&[("10.77.0.1", "10.77.0.2"), ("10.78.0.1", "10.78.0.2")]);
    assert_eq!(rails(&one, &other), both);
    // The kernel may list them the other way round on one host.
    let other = side(2, &["2 10.78.0.2/24 1000", "3 10.77.0.2/24 1000"]);
    assert_eq!(rails(&one, &other), both);
    let plan = pair(&one, &other, true, &mut unknown).unwrap();
    assert_eq!(plan.spares, []);
    assert!(plan.rails.iter().all(|rail| rail.class == Class::Shared));
    let text = "10.77.0.1 to 10.77.0.2:5002 (one network, 1000 Mbit/s, 30000 ns)";
    assert_eq!(plan.rails[0].to_string(), text);
}

#[test]
fn both_families_of_a_wire_are_one_rail() {
    let lines = |n: u8| {
        [
            format!("2 10.77.0.{n}/24 1000"),
            format!("2 fd77::{n}/64 1000"),
            format!("3 fd78::{n}/64 1000"),
        ]
    };
    let of = |n| {
        let lines = lines(n);
        side(n, &[lines[0].as_str(), &lines[1], &lines[2]])
    };
    let expected = texts(&[("10.77.0.1", "10.77.0.2"), ("fd78::1", "fd78::2")]);
    assert_eq!(rails(&of(1), &of(2)), expected);
    let spares = pair(&of(1), &of(2), true, &mut unknown).unwrap().spares;
    assert_eq!(addresses(&spares), texts(&[("fd77::1", "fd77::2")]));
    // One side without IPv4: the families that both have count.
    let mut six = of(2);
    six.entries.remove(0);
    let expected = texts(&[("fd77::1", "fd77::2"), ("fd78::1", "fd78::2")]);
    assert_eq!(rails(&of(1), &six), expected);
    let four = side(3, &["2 10.77.0.3/24 1000"]);
    let refused = pair(&six, &four, true, &mut unknown).unwrap_err();
    assert!(refused.contains("10.77.0.3"), "{refused}");
}

#[test]
fn bridges_that_every_host_has_lead_nowhere() {
    let docker = "9 172.17.0.1/16 10000";
    let virbr = "7 192.168.122.1/24 10000";
    let one = side(1, &[docker, virbr, "2 10.77.0.1/24 1000"]);
    let other = side(2, &[docker, virbr, "2 10.77.0.2/24 1000"]);
    assert_eq!(rails(&one, &other), texts(&[("10.77.0.1", "10.77.0.2")]));
    // A host without docker, and one on another network than the other's bridge.
    let plain = side(3, &["2 10.77.0.3/24 1000"]);
    assert_eq!(rails(&one, &plain), texts(&[("10.77.0.1", "10.77.0.3")]));
    let only = pair(&side(1, &[docker]), &side(2, &[docker]), true, &mut unknown);
    assert!(only.unwrap_err().contains("172.17.0.1"));
}

#[test]
fn an_address_that_the_kernel_calls_our_own_is_not_the_peers() {
    // Our bridge is excluded here, so only the kernel knows that the address is ours.
    let one = side(1, &["2 10.77.0.1/24 1000"]);
    let other = side(2, &["9 172.17.0.1/16 10000", "2 10.77.0.2/24 1000"]);
    let mut way = |_: &Entry, remote: &Entry| match remote.interface {
        9 => KernelRoute::Own,
        _ => KernelRoute::Direct,
    };
    let plan = pair(&one, &other, true, &mut way).unwrap();
    assert_eq!(addresses(&plan.rails), texts(&[("10.77.0.1", "10.77.0.2")]));
    assert_eq!(plan.spares, []);
}

#[test]
fn what_needs_a_router_is_spare_beside_what_does_not() {
    let one = side(1, &["2 10.77.0.1/24 1000", "3 10.1.0.1/24 25000"]);
    let other = side(2, &["2 10.77.0.2/24 1000", "3 10.2.0.1/24 25000"]);
    assert_eq!(rails(&one, &other), texts(&[("10.77.0.1", "10.77.0.2")]));
    let plan = pair(&one, &other, true, &mut unknown).unwrap();
    assert_eq!(addresses(&plan.spares), texts(&[("10.1.0.1", "10.2.0.1")]));
    assert_eq!(plan.spares[0].class, Class::Routed);
    // With nothing else, and the kernel's consent, they are rails; each wire has its own.
    let one = side(1, &["2 10.1.0.1/31 25000", "3 10.1.1.1/31 25000"]);
    let other = side(2, &["2 10.2.0.1/31 25000", "3 10.2.1.1/31 25000"]);
    assert_eq!(rails(&one, &other).len(), 2);
}

#[test]
fn the_kernel_may_deny_or_doubt_a_pair() {
    let one = side(1, &["2 10.77.0.1/24 1000", "3 10.77.0.101/24 1000"]);
    let other = side(2, &["2 10.77.0.2/24 1000", "3 10.77.0.102/24 1000"]);
    // Two interfaces on one network: the kernel sends everything over the first.
    let mut way = |local: &Entry, _: &Entry| match local.interface {
        2 => KernelRoute::Direct,
        _ => KernelRoute::Elsewhere,
    };
    let plan = pair(&one, &other, true, &mut way).unwrap();
    assert_eq!(addresses(&plan.rails), texts(&[("10.77.0.1", "10.77.0.2")]));
    assert_eq!(
        addresses(&plan.spares),
        texts(&[("10.77.0.1", "10.77.0.102")])
    );
    let nowhere = pair(&one, &other, true, &mut |_, _| KernelRoute::Nowhere).unwrap_err();
    assert!(
        nowhere.contains("10.77.0.101") && nowhere.contains("10.77.0.102"),
        "{nowhere}"
    );
    // One network by the addresses, and a router between all the same.
    let plan = pair(&one, &other, true, &mut |_, _| KernelRoute::Router).unwrap();
    assert!(plan.rails.iter().all(|rail| rail.class == Class::Routed));
}

#[test]
fn unequal_sides_are_paired_for_the_most_bandwidth() {
    let one = side(1, &["2 10.0.0.1/8 1000", "3 10.0.0.2/8 10000"]);
    let other = side(2, &["5 10.0.1.1/8 10000"]);
    assert_eq!(rails(&one, &other), texts(&[("10.0.0.2", "10.0.1.1")]));
    // Greedy would take 10000 with 10000 and be left with 1000 and 1000: equal in sum; but here
    // only one of the two can serve the narrow network.
    let one = side(
        1,
        &[
            "2 10.1.0.1/16 10000",
            "2 10.2.0.1/16 10000",
            "3 10.1.0.2/16 10000",
        ],
    );
    let other = side(2, &["4 10.1.9.1/16 10000", "5 10.2.9.1/16 10000"]);
    let expected = texts(&[("10.1.0.2", "10.1.9.1"), ("10.2.0.1", "10.2.9.1")]);
    let mut found = rails(&one, &other);
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_wire_far_slower_than_the_best_is_spare() {
    let one = side(1, &["2 10.77.0.1/24 1000", "3 10.78.0.1/24 100000"]);
    let other = side(2, &["2 10.77.0.2/24 1000", "3 10.78.0.2/24 100000"]);
    assert_eq!(rails(&one, &other), texts(&[("10.78.0.1", "10.78.0.2")]));
    let plan = pair(&one, &other, true, &mut unknown).unwrap();
    assert_eq!(
        addresses(&plan.spares),
        texts(&[("10.77.0.1", "10.77.0.2")])
    );
    // The widest comes first.
    let one = side(1, &["2 10.77.0.1/24 10000", "3 10.78.0.1/24 25000"]);
    let other = side(2, &["2 10.77.0.2/24 10000", "3 10.78.0.2/24 40000"]);
    let plan = pair(&one, &other, true, &mut unknown).unwrap();
    let bandwidths: Vec<u32> = plan.rails.iter().map(|rail| rail.bandwidth_mbit).collect();
    assert_eq!(bandwidths, [25000, 10000]);
}

#[test]
fn one_machine_has_one_pair() {
    let lines = [
        "1 127.0.0.1/8 20000",
        "2 10.77.0.1/24 100000",
        "3 10.78.0.1/24 100000",
    ];
    let (one, mut other) = (side(1, &lines), side(1, &lines));
    let any = ("0.0.0.0", "127.0.0.1");
    let plan = pair(&one, &other, true, &mut unknown).unwrap();
    assert_eq!(addresses(&plan.rails), texts(&[any]));
    assert_eq!(
        (plan.rails[0].class, plan.rails[0].bandwidth_mbit),
        (Class::Host, 20000)
    );
    assert_eq!(plan.spares.len(), 2);
    // Without the loopback on one side the same address serves, though it is our own.
    other.entries.remove(0);
    let plan = pair(&one, &other, true, &mut unknown).unwrap();
    assert_eq!(addresses(&plan.rails), texts(&[("0.0.0.0", "10.77.0.1")]));
    // Only a loopback, and not the same.
    let refused = pair(&side(1, &lines), &side(2, &lines[..1]), true, &mut unknown);
    assert!(refused.unwrap_err().contains("not shared"));
    let silent = pair(&one, &side(2, &[]), true, &mut unknown);
    assert!(silent.unwrap_err().contains("no address"));
}

#[test]
fn links_share_their_wire() {
    let mut one = side(1, &["2 10.77.0.1/24 1000", "3 10.78.0.1/24 1000"]);
    let mut other = side(2, &["2 10.77.0.2/24 1000", "3 10.78.0.2/24 0"]);
    (one.links, other.links) = (3, 2);
    other.entries[0].latency_ns = 50_000;
    let plan = pair(&one, &other, true, &mut unknown).unwrap();
    let rails: Vec<_> = plan
        .rails
        .iter()
        .map(|rail| {
            (
                rail.remote_interface,
                rail.link,
                rail.bandwidth_mbit,
                rail.latency_ns,
            )
        })
        .collect();
    let expected = [
        (3, 0, 500, 30_000),
        (3, 1, 500, 30_000),
        (2, 0, 500, 50_000),
    ];
    assert_eq!(rails[..3], expected);
    assert_eq!(rails.len(), 4);
}

#[test]
fn masks_that_differ_count_as_the_smaller_network() {
    let near = side(1, &["2 10.0.0.1/8 1000"]);
    let shared = |line| {
        let plan = pair(&near, &side(2, &[line]), true, &mut unknown).unwrap();
        plan.rails[0].class == Class::Shared
    };
    assert!(shared("2 10.0.9.1/16 1000"));
    assert!(!shared("2 10.9.0.1/16 1000"));
    assert!(!shared("2 10.0.0.2/32 1000"));
    let all = Network {
        ip: IpAddr::from([0, 0, 0, 0]),
        prefix: 0,
    };
    assert!(all.contains(IpAddr::from([255, 1, 2, 3])));
    assert!(!all.contains("::1".parse().unwrap()));
    let six = Network {
        ip: "fd77::".parse().unwrap(),
        prefix: 64,
    };
    assert!(six.contains("fd77::ffff".parse().unwrap()));
    assert!(!six.contains("fd77:0:0:1::".parse().unwrap()));
}

/// The largest sum by trying all.
fn best_sum(weights: &[Vec<u64>], row: usize, used: &mut Vec<bool>) -> u64 {
    if row == weights.len() {
        return 0;
    }
    let mut best = best_sum(weights, row + 1, used);
    for column in 0..used.len() {
        if !std::mem::replace(&mut used[column], true) {
            best = best.max(weights[row][column] + best_sum(weights, row + 1, used));
            used[column] = false;
        }
    }
    best
}

fn any_side(host: u8) -> impl Strategy<Value = Address> {
    let address = (1u32..6, 0u8..4, 1u8..250, prop::bool::ANY, 0u32..5);
    proptest::collection::vec(address, 1..8).prop_map(move |rows| {
        let entries = rows
            .into_iter()
            .map(|(interface, net, last, six, gbit)| Entry {
                socket: match six {
                    true => ([0xfd77, u16::from(net), 0, 0, 0, 0, 0, last.into()], 5000).into(),
                    false => ([10, 77, net, last], 5000).into(),
                },
                prefix: if six { 64 } else { 24 },
                interface,
                bandwidth_mbit: gbit * 1000,
                latency_ns: 30_000,
            });
        let mut entries: Vec<Entry> = entries.collect();
        let mut seen = Vec::new();
        entries.retain(|entry| {
            !seen.contains(&entry.socket) && {
                seen.push(entry.socket);
                true
            }
        });
        Address {
            frame_max: 4096,
            links: 1,
            protection: Protection::None,
            loopback: [host; 16],
            entries,
        }
    })
}

proptest! {
    #[test]
    fn the_assignment_has_the_largest_sum(
        weights in (1usize..6, 1usize..6).prop_flat_map(|(rows, columns)| {
            let weight = prop_oneof![Just(0u64), 1u64..20, 1u64..400_000_000_000];
            proptest::collection::vec(proptest::collection::vec(weight, columns), rows)
        }),
    ) {
        let partners = assign(&weights);
        let mut used = vec![false; weights[0].len()];
        let mut sum = 0;
        for (row, column) in partners.iter().enumerate() {
            if let Some(column) = *column {
                prop_assert!(!std::mem::replace(&mut used[column], true), "taken twice");
                sum += weights[row][column];
            }
        }
        let mut free = vec![false; weights[0].len()];
        prop_assert_eq!(sum, best_sum(&weights, 0, &mut free));
    }

    /// Whatever the sides are, they agree, use no interface twice and name each address once.
    #[test]
    fn the_sides_agree(one in any_side(1), other in any_side(2)) {
        let here = pair(&one, &other, true, &mut unknown);
        let there = pair(&other, &one, false, &mut unknown);
        prop_assert_eq!(here.is_ok(), there.is_ok());
        if let (Ok(here), Ok(there)) = (here, there) {
            let ends = |rail: &Rail| (rail.local, rail.remote.ip());
            let swapped = |rail: &Rail| (rail.remote.ip(), rail.local);
            prop_assert_eq!(
                here.rails.iter().map(ends).collect::<Vec<_>>(),
                there.rails.iter().map(swapped).collect::<Vec<_>>()
            );
            prop_assert!(!here.rails.is_empty());
            let mut interfaces: Vec<u32> = here.rails.iter().map(|r| r.local_interface).collect();
            interfaces.sort();
            interfaces.dedup();
            prop_assert_eq!(interfaces.len(), here.rails.len());
            let mut remotes: Vec<SocketAddr> =
                here.rails.iter().chain(&here.spares).map(|rail| rail.remote).collect();
            remotes.sort();
            let count = remotes.len();
            remotes.dedup();
            prop_assert_eq!(remotes.len(), count);
        }
    }
}
