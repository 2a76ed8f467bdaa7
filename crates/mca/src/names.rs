//! The nearest name to one that does not exist.

/// The candidate with the fewest typing errors between it and `name`, when they are few enough
/// for a typing error to be likely.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let limit = 1 + name.chars().count() / 4;
    let scored = candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate));
    let (errors, best) = scored.min_by_key(|&(errors, _)| errors)?;
    (errors <= limit).then(|| best.to_string())
}

/// How many letters must be added, dropped, changed or swapped with a neighbour to turn `a`
/// into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn typing_errors_are_counted() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("btl", "btl"), 0);
        assert_eq!(distance("eager_limit", "eager_limt"), 1);
        assert_eq!(distance("eagre", "eager"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn the_nearest_name_is_offered_and_a_far_one_is_not() {
        let names = ["btl_sm_eager_limit", "btl_tcp_eager_limit", "pml"];
        let found = nearest("btl_sm_eager_limti", names);
        assert_eq!(found.as_deref(), Some("btl_sm_eager_limit"));
        assert_eq!(nearest("collectives", names), None);
        assert_eq!(nearest("x", []), None);
    }

    proptest! {
        #[test]
        fn distance_is_a_distance(a in "[ab]{0,6}", b in "[ab]{0,6}") {
            prop_assert_eq!(distance(&a, &b), distance(&b, &a));
            prop_assert_eq!(distance(&a, &b) == 0, a == b);
            prop_assert!(distance(&a, &b) <= a.len().max(b.len()));
        }
    }
}
