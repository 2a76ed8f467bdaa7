//! A rank that speaks to its launcher: it exchanges values with all, and with some.

use std::process::ExitCode;

use base::PeerId;

/// The argument that makes this program a rank.
pub const ARGUMENT: &str = "--rank";

/// Runs a rank: what it gets from others is checked here, and what it saw is printed.
pub fn main() -> ExitCode {
    let mut provider = bootstrap::connect_from_env().expect("a launcher");
    let identity = provider.identity().clone();
    let (own, size) = (identity.peer.0, identity.size);
    for round in 0..3 {
        let value = |rank: u32| {
            format!("value {rank} of round {round}")
                .repeat(50)
                .into_bytes()
        };
        provider.publish("key", &value(own)).unwrap();
        provider.fence().unwrap();
        for peer in 0..size {
            let found = provider.fetch(PeerId(peer), "key").unwrap();
            assert_eq!(found, Some(value(peer)), "of {peer} in round {round}");
        }
    }
    // All but the last, in another order.
    if own + 1 < size {
        let members: Vec<PeerId> = (0..size - 1).rev().map(PeerId).collect();
        for round in [1, 2] {
            let value = [own as u8, round];
            let ticket = provider.begin_meeting(&members, b"some", &value).unwrap();
            let values = loop {
                if let Some(values) = provider.poll_meeting(ticket, None).unwrap() {
                    break values;
                }
            };
            let expected: Vec<Vec<u8>> = members.iter().map(|m| vec![m.0 as u8, round]).collect();
            assert_eq!(values, expected);
        }
    }
    println!("rank {own} of {size}: nodes {:?}", identity.nodes);
    provider.finalize().unwrap();
    ExitCode::SUCCESS
}
