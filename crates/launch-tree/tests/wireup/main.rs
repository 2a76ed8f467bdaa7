//! Hosts that wire up without a single process: the daemons' relays and the job's state machine
//! with messages between them that take one round each. Counted is what a start costs before the
//! first message of the program, and for 64 hosts it is drawn: `docs/wireup.svg`.

mod draw;
mod hosts;

use hosts::{wire_up, Cost, PHASES};

/// The children that a host has unless a parameter says otherwise; see `plm_tree_radix`.
const RADIX: u32 = 32;

/// Returns the steps down a tree of `hosts` hosts, of which each has `radix` children.
fn depth(hosts: u32, radix: u32) -> usize {
    let (mut level, mut covered, mut depth) = (1, 0, 0);
    while covered < u64::from(hosts) {
        level *= u64::from(radix);
        covered += level;
        depth += 1;
    }
    depth
}

#[test]
fn rounds_grow_as_the_logarithm_and_connections_do_not_grow() {
    for radix in [2, 4, RADIX] {
        for hosts in [1, 4, 32, 33, 64, 1000] {
            let cost = wire_up(hosts, 2, radix);
            let depth = depth(hosts, radix);
            // Each phase takes the way down or up once; only to start takes three steps a level.
            let steps = [3 * depth, depth, depth, depth, depth];
            let rounds: Vec<usize> = PHASES.iter().map(|phase| cost.rounds_of(phase)).collect();
            assert_eq!(rounds, steps, "{hosts} hosts, {radix} children each");
            // One connection up, and one to each child.
            assert!(cost.connections_max <= radix as usize + 1);
        }
    }
}

/// 100,000 ranks and more too: addresses go to all in as many rounds as two trees are deep.
#[test]
fn an_exchange_takes_at_most_log2_of_the_hosts_and_two_rounds() {
    for (hosts, each) in [(64, 1), (256, 16), (1024, 4), (4096, 1), (1563, 64)] {
        let cost = wire_up(hosts, each, RADIX);
        let rounds = cost.rounds_of("fence") + cost.rounds_of("release");
        let most = hosts.next_power_of_two().ilog2() as usize + 2;
        assert!(rounds <= most, "{rounds} rounds on {hosts} hosts");
        println!("{hosts} hosts of {each} ranks: {rounds} rounds");
    }
}

#[test]
fn an_exchange_costs_each_host_one_word_up_and_one_down() {
    for radix in [2, 4, RADIX] {
        let Cost { words, .. } = wire_up(64, 5, radix);
        for kind in ["ready", "launch", "fence", "release"] {
            assert_eq!(words[kind], vec![1; 64], "{kind}");
        }
    }
}

#[test]
fn the_drawing_is_of_this_program() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/wireup.svg");
    let drawn = draw::svg(64, 4);
    if std::env::var_os("OXMPI_DRAW").is_some() {
        std::fs::write(path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == drawn,
        "docs/wireup.svg is stale: run this test with OXMPI_DRAW=1"
    );
}
