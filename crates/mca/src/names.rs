//! Search for the name that is nearest to one that does not exist.

use strsim::damerau_levenshtein;

/// The candidate with the fewest typing errors (a letter added, dropped, changed, or swapped
/// with its neighbour) between it and `name`, when they are few enough for one to have been
/// meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let limit = 1 + name.len() / 4;
    candidates
        .into_iter()
        // The lengths alone rule most candidates out, and every one for a name of absurd length.
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= limit)
        .map(|candidate| (damerau_levenshtein(name, candidate), candidate))
        .filter(|(errors, candidate)| *errors <= limit && *errors < candidate.len())
        .min_by_key(|(errors, _)| *errors)
        .map(|(_, candidate)| candidate.to_string())
}

/// The candidate with the fewest typing errors, however many these are; none for a name of absurd
/// length.
pub(crate) fn closest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    candidates
        .into_iter()
        .filter(|candidate| name.len() <= 2 * candidate.len())
        .min_by_key(|candidate| damerau_levenshtein(name, candidate))
        .map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_and_a_far_one_is_not() {
        let names = ["btl_sm_eager_limit", "btl_tcp_eager_limit", "pml"];
        let found = nearest("btl_sm_eager_limti", names);
        assert_eq!(found.as_deref(), Some("btl_sm_eager_limit"));
        assert_eq!(nearest("lpm", ["btl", "pml"]), None);
        assert_eq!(nearest("plm", ["btl", "pml"]).as_deref(), Some("pml"));
        assert_eq!(nearest("collectives", names), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn a_name_of_absurd_length_is_dealt_with_at_once() {
        let names = vec!["btl_sm_eager_limit"; 500];
        assert_eq!(nearest(&"é".repeat(1 << 20), names), None);
    }
}
