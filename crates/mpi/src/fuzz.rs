//! Fuzzing of the values that processes state of themselves when they meet: called by the fuzz
//! target, and by the test that replays its corpus.

pub use base::fuzz::Target;

use crate::foreign::{LauncherNumber, Name, LAUNCHER_NUMBER_BYTES, NAME_BYTES};
use crate::membership::Card;
use shm::locality::{number, PlacedProcess};

/// The fuzz targets.
pub const TARGETS: &[Target] = &[("mpi_cards", cards)];

/// Takes the cards of processes, each after its length in two bytes. One that decodes is equal
/// after encoding it, and numbers of nodes do not depend on the order of the cards.
///
/// # Panics
/// When that is not so.
pub fn cards(mut bytes: &[u8]) {
    let mut parts = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes(*length));
        let (part, rest) = rest.split_at(length.min(rest.len()));
        parts.push(part);
        bytes = rest;
    }
    let mut stated = Vec::new();
    for card in parts.into_iter().filter_map(Card::decode) {
        let encoded = card.encode();
        let again = Card::decode(&encoded).expect("it was encoded here");
        assert_eq!(again.encode(), encoded);
        let Some(name) = Name::decode(&card.word) else {
            continue;
        };
        assert_eq!(name.encode(), card.word[..NAME_BYTES]);
        stated.push(PlacedProcess {
            world: name.world,
            locality: card.locality,
        });
        let rest = &card.word[NAME_BYTES..];
        if let Some(started) = LauncherNumber::decode(rest) {
            assert_eq!(started.encode(), rest[..LAUNCHER_NUMBER_BYTES]);
        }
    }
    let numbers = number(&stated);
    stated.reverse();
    assert!(number(&stated).iter().rev().eq(&numbers));
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpi_components::params::Agreed;
    use shm::locality::Locality;

    #[test]
    fn the_corpus_passes() {
        base::fuzz::replay(TARGETS);
    }

    fn card(rank: u32, place: &[u8]) -> Vec<u8> {
        let name = Name {
            world: 7,
            rank,
            life: 1,
        };
        let started = LauncherNumber {
            launcher: 7,
            number: rank,
        };
        let card = Card {
            life: 1,
            acquaintances: 0,
            busy: true,
            address: b"address".to_vec(),
            agreed: Agreed {
                messages: "a=b".into(),
                memory: "c=d".into(),
            },
            locality: Locality {
                machine: 5,
                node: rank,
                collectives: 1,
                cores: 2,
            },
            word: [&name.encode(), &started.encode()[..], place].concat(),
        };
        card.encode()
    }

    #[test]
    fn cards_of_each_kind_are_in_the_corpus() {
        let stream = |cards: &[&[u8]]| -> Vec<u8> {
            let part = |card: &&[u8]| [&(card.len() as u16).to_le_bytes()[..], card].concat();
            cards.iter().flat_map(part).collect()
        };
        let (one, other) = (card(0, b"pid 1 on n0"), card(1, b"pid 2 on \x1b[2J\xff"));
        for (name, cards) in [
            ("cards", stream(&[&one, &other])),
            ("cut", stream(&[&one, &other[..other.len() - 20]])),
            ("empty", stream(&[&[], &one])),
        ] {
            base::fuzz::keep("mpi_cards", name, &cards);
        }
    }
}
