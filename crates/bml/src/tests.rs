//! Tests of malformed addresses, and of the text that explains a choice.

use btl::Reach;

use crate::address::{decode, encode};
use crate::{Considered, Facts};

#[test]
fn addresses_survive_the_way() {
    let bytes = encode([("sm", vec![1, 2, 3]), ("tcp", vec![])].into_iter());
    assert_eq!(
        decode(&bytes),
        Some(vec![("sm", &[1u8, 2, 3][..]), ("tcp", &[][..])])
    );
}

#[test]
fn cut_or_broken_lists_are_refused() {
    let bytes = encode([("sm", vec![7; 20])].into_iter());
    for cut in 1..bytes.len() {
        assert_eq!(decode(&bytes[..cut]), None, "cut at {cut}");
    }
    let mut long = bytes.clone();
    long[3..7].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(decode(&long), None);
}

#[test]
fn the_numbers_of_an_offer_survive_the_way_and_a_cut_offer_is_refused() {
    let facts = Facts {
        exclusivity: 100,
        latency_ns: 7,
        bandwidth_mbps: u32::MAX,
    };
    let bytes = facts.before(vec![1, 2]);
    assert_eq!(Facts::split(&bytes), Some((facts, &[1u8, 2][..])));
    assert_eq!(Facts::split(&bytes[..11]), None);
}

#[test]
fn both_ends_come_to_the_same_numbers_and_order() {
    let facts = |exclusivity, latency_ns, bandwidth_mbps| Facts {
        exclusivity,
        latency_ns,
        bandwidth_mbps,
    };
    let (one, other) = (facts(5, 10, 100), facts(7, 3, 200));
    assert_eq!(one.with(other), facts(5, 10, 100));
    assert_eq!(one.with(other), other.with(one));
    let mut all = [
        ("slow", facts(5, 9, 1)),
        ("wide", facts(5, 3, 8)),
        ("last", facts(1, 1, 9)),
        ("equal", facts(5, 3, 8)),
        ("narrow", facts(5, 3, 7)),
    ];
    all.sort_by_key(|(name, facts)| facts.order(name));
    let names = all.map(|(name, _)| name);
    assert_eq!(names, ["equal", "wide", "narrow", "slow", "last"]);
}

#[test]
fn a_choice_reports_what_it_passed_over_and_why() {
    let considered = |name, reach| Considered {
        name,
        reach,
        facts: None,
    };
    let choice = crate::Choice {
        peer: base::PeerId(1),
        lane: Some("sm"),
        memory: Some("sm"),
        reads: true,
        through: None,
        reads_from: 0,
        considered: vec![
            considered("self", Reach::Unreachable("it is another process".into())),
            considered("sm", Reach::Reachable),
            considered("tcp", Reach::Reachable),
        ],
    };
    let text = "peer 1 by sm (self: it is another process; tcp: could, but sm goes first)";
    assert_eq!(choice.to_string(), text);
}
