//! Ranks and signals as the user reads them.

/// Lists ranks as text: `ranks 0-3, 7`.
pub fn rank_list(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(rank) => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let runs: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        })
        .collect();
    match ranks.len() {
        1 => format!("rank {}", runs[0]),
        _ => format!("ranks {}", runs.join(", ")),
    }
}

/// A signal's number and name.
pub fn signal_name(signal: i32) -> String {
    match signal_hook::low_level::signal_name(signal) {
        Some(name) => format!("{signal} ({name})"),
        None => format!("{signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_listed_as_ranges_up_to_the_last_number() {
        assert_eq!(rank_list(&[0, 1, 2, 5]), "ranks 0-2, 5");
        // Other hosts may name any number.
        assert_eq!(
            rank_list(&[u32::MAX, u32::MAX]),
            "ranks 4294967295, 4294967295"
        );
    }
}
