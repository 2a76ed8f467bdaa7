//! Ranks as text.

/// Writes ranks in rising order as `rank 3`, or `ranks 0, 2-4`.
pub fn text(ranks: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *rank => *last = *rank,
            _ => runs.push((*rank, *rank)),
        }
    }
    let run = |(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}-{last}"),
    };
    let all = runs.iter().map(run).collect::<Vec<_>>().join(", ");
    match ranks.len() {
        1 => format!("rank {all}"),
        _ => format!("ranks {all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_written_as_runs() {
        assert_eq!(text(&[3]), "rank 3");
        assert_eq!(text(&[0, 1]), "ranks 0, 1");
        assert_eq!(text(&[0, 2, 3, 4, 9]), "ranks 0, 2-4, 9");
    }
}
