//! The info hints of communicators and windows (MPI 5.0, 7.4.4 and 12.2.7). Other keys of an info
//! object, and keys with an invalid value, are ignored and not returned; hints that the info object
//! does not have are unchanged.

use crate::{Error, Info};

/// Key of the kinds of memory that may be passed to MPI (MPI 5.0, 11.4.3): reported by sessions,
/// communicators and windows, and not to be set there.
pub const MEMORY_KINDS: &str = "mpi_memory_alloc_kinds";
/// The kinds of memory supported: that of MPI and that of the system.
pub const KINDS: &str = "mpi,system";

/// Valid values of a hint.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// One value of a list.
    OneOf(&'static [&'static str]),
    /// One value of the first list, or some of the second, separated by commas.
    List(&'static str, &'static [&'static str]),
}

/// A hint: its key, its valid values, and its default.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// Key of the hint.
    pub key: &'static str,
    /// Its valid values.
    pub values: Values,
    /// Its value unless it is set.
    pub usual: &'static str,
}

/// A hint with a truth value that is false unless it is set.
pub const fn assertion(key: &'static str) -> Hint {
    Hint {
        key,
        values: Values::Bool,
        usual: "false",
    }
}

/// Hints of communicators.
pub const COMM: &[Hint] = &[
    assertion("mpi_assert_no_any_tag"),
    assertion("mpi_assert_no_any_source"),
    assertion("mpi_assert_exact_length"),
    assertion("mpi_assert_allow_overtaking"),
    assertion("mpi_assert_strict_persistent_collective_ordering"),
];

impl Values {
    fn admit(self, value: &str) -> bool {
        match self {
            Values::Bool => matches!(value, "true" | "false"),
            Values::Number => value.parse::<u64>().is_ok(),
            Values::OneOf(words) => words.contains(&value),
            Values::List(none, words) => {
                let known = |word: &str| words.contains(&word.trim());
                value == none || value.split(',').all(known)
            }
        }
    }
}

/// Takes what an info object says of hints; hints that are not set get their usual
/// value.
///
/// # Errors
/// Never: keys and values are short.
pub fn take(used: &mut Info, given: &Info, hints: &[Hint]) -> Result<(), Error> {
    for hint in hints {
        let said = given.get(hint.key)?;
        match said.filter(|value| hint.values.admit(value)) {
            Some(value) => used.set(hint.key, value)?,
            None if used.get(hint.key)?.is_none() => used.set(hint.key, hint.usual)?,
            None => {}
        }
    }
    used.set(MEMORY_KINDS, KINDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[Hint] = &[
        assertion("truth"),
        Hint {
            key: "order",
            values: Values::List("none", &["a", "b"]),
            usual: "a,b",
        },
        Hint {
            key: "bytes",
            values: Values::Number,
            usual: "0",
        },
    ];

    #[test]
    fn hints_stay_unless_they_are_named_with_a_value_that_is_one() {
        let mut used = Info::new();
        take(&mut used, &Info::new(), ALL).unwrap();
        let usual = [("truth", "false"), ("order", "a,b"), ("bytes", "0")];
        assert_eq!(
            used,
            Info::of(&[&usual[..], &[(MEMORY_KINDS, KINDS)]].concat())
        );
        let given = Info::of(&[("truth", "true"), ("unknown", "x"), (MEMORY_KINDS, "none")]);
        take(&mut used, &given, ALL).unwrap();
        take(
            &mut used,
            &Info::of(&[("order", "b, a"), ("bytes", "16")]),
            ALL,
        )
        .unwrap();
        let wrong = Info::of(&[("truth", "yes"), ("order", "a,c"), ("bytes", "-1")]);
        take(&mut used, &wrong, ALL).unwrap();
        let expected = [("truth", "true"), ("order", "b, a"), ("bytes", "16")];
        assert_eq!(
            used,
            Info::of(&[&expected[..], &[(MEMORY_KINDS, KINDS)]].concat())
        );
        take(&mut used, &Info::of(&[("order", "none")]), ALL).unwrap();
        assert_eq!(used.get("order"), Ok(Some("none")));
    }
}
