//! Addresses from peers, whatever they are.

use crate::address::{decode, encode};

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
fn a_choice_tells_what_it_passed_over_and_why() {
    let choice = crate::Choice {
        peer: base::PeerId(1),
        lane: Some("sm"),
        considered: vec![
            ("self", btl::Reach::No("it is another process".into())),
            ("sm", btl::Reach::Yes),
            ("tcp", btl::Reach::Yes),
        ],
    };
    let told = "peer 1 by sm (self: it is another process; tcp: could, but sm goes first)";
    assert_eq!(choice.to_string(), told);
}
