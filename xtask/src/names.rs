//! Errors about misspelt names, which suggest the nearest one.

/// The edits up to which a known name is offered for an unknown one: one in three letters, and at
/// most these.
const NEAR: usize = 3;

/// Number of known names up to which all of them are listed.
const FEW: usize = 12;

/// Returns the error about `name`, which is no `what`: with all names where they are few, or else
/// with those that are close.
pub fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_unstable();
    known.dedup();
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|other| (distance(name, other), *other))
        .filter(|(edits, other)| {
            *edits <= NEAR.min(name.len() / 3) || (name.len() > 2 && other.contains(name))
        })
        .collect();
    near.sort_unstable();
    near.truncate(5);
    let near: Vec<&str> = near.into_iter().map(|(_, other)| other).collect();
    match (known.len() <= FEW, near.is_empty()) {
        (true, _) => format!("no {what} `{name}`; there are {}", known.join(", ")),
        (false, false) => format!("no {what} `{name}`; close to it: {}", near.join(", ")),
        (false, true) => format!("no {what} `{name}`, nor one close to it"),
    }
}

/// Returns how many letters are to be inserted, removed or replaced to make `b` of `a`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(distance("rma_basic", "rma_basic"), 0);
        assert_eq!(distance("rma_basc", "rma_basic"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn near_names_are_offered_and_few_are_all_listed() {
        let few = unknown("carrier", "infiniband", ["tcp", "sm"]);
        assert_eq!(few, "no carrier `infiniband`; there are sm, tcp");
        let many: Vec<String> = (0..50).map(|n| format!("step_{n}_of_many")).collect();
        let many = || many.iter().map(String::as_str).chain(["rma_basic"]);
        let near = unknown("program", "rma_basc", many());
        assert_eq!(near, "no program `rma_basc`; close to it: rma_basic");
        let part = unknown("program", "rma", many());
        assert!(part.ends_with("close to it: rma_basic"), "{part}");
        let none = unknown("program", "ab", many());
        assert_eq!(none, "no program `ab`, nor one close to it");
    }
}
