//! Encoding of values for a key-value space that only accepts short words.
//!
//! A value is written in hexadecimal and cut into pieces, each under a key of its own:
//! `oxmpi-FENCE-RANK-0`, `oxmpi-FENCE-RANK-1` and so on. The first piece begins with the number of
//! pieces and a colon.

/// The key of piece `index` of what `rank` published at fence `fence`.
pub(super) fn key(fence: u32, rank: u32, index: usize) -> String {
    format!("oxmpi-{fence}-{rank}-{index}")
}

/// The pieces of `value`, each at most `room` characters.
pub(super) fn cut(value: &[u8], room: usize) -> Vec<String> {
    let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
    // The count is written with as many digits as it may need, so that it does not move the cuts.
    let digits = hex.len().to_string().len();
    let first = room.saturating_sub(digits + 1).max(1).min(hex.len());
    let rest: Vec<&[u8]> = hex.as_bytes()[first..].chunks(room.max(1)).collect();
    let mut pieces = vec![format!("{:0digits$}:{}", rest.len() + 1, &hex[..first])];
    pieces.extend(
        rest.iter()
            .map(|piece| String::from_utf8_lossy(piece).into_owned()),
    );
    pieces
}

/// How many pieces there are, and the rest of the first one.
pub(super) fn open(first: &str) -> Option<(usize, &str)> {
    let (count, rest) = first.split_once(':')?;
    let count: usize = count.parse().ok()?;
    (1..=2 * crate::VALUE_BYTES_MAX)
        .contains(&count)
        .then_some((count, rest))
}

/// The value that `hex` spells.
pub(super) fn join(hex: &str) -> Option<Vec<u8>> {
    if !hex.len().is_multiple_of(2) || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..hex.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_length_come_back_and_every_piece_fits() {
        for room in [12, 63, 940] {
            for length in (0..200).chain([939, 940, 941, 5000]) {
                let value: Vec<u8> = (0..length).map(|i| (i * 7 + length) as u8).collect();
                let pieces = cut(&value, room);
                assert!(
                    pieces.iter().all(|piece| piece.len() <= room),
                    "room {room}"
                );
                let (count, first) = open(&pieces[0]).unwrap();
                assert_eq!(count, pieces.len());
                assert_eq!(
                    join(&(first.to_string() + &pieces[1..].concat())),
                    Some(value)
                );
            }
        }
    }

    #[test]
    fn damaged_pieces_are_refused() {
        assert_eq!(open("12"), None);
        assert_eq!(open("x:00"), None);
        assert_eq!(open("0:00"), None);
        assert_eq!(open("99999999999:00"), None);
        assert_eq!(join("0"), None);
        assert_eq!(join("0g"), None);
        assert_eq!(join("é0"), None);
    }
}
