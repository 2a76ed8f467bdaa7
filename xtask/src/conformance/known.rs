//! What fails on oxmpi, and why. The command and `docs/conformance.md` both come from this table.

/// A test that fails.
pub struct Known {
    /// A whole name, or its front up to a space: the program, or the program and the ranks.
    pub test: &'static str,
    /// Why, as a sentence.
    pub reason: &'static str,
}

/// Each test that fails.
pub const KNOWN: &[Known] = &[];

/// What is known of the test.
pub fn of(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.is(name))
}

impl Known {
    /// Whether this speaks of the test.
    pub fn is(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.test);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_is_whole_words() {
        let known = Known {
            test: "attr/attrt 2",
            reason: "",
        };
        assert!(known.is("attr/attrt 2") && known.is("attr/attrt 2 -x"));
        assert!(!known.is("attr/attrt 22") && !known.is("attr/attrt"));
    }

    #[test]
    fn reasons_are_sentences_and_no_test_has_two() {
        for known in KNOWN {
            assert!(known.reason.ends_with('.'), "{}", known.test);
            let of_it = KNOWN.iter().filter(|other| other.is(known.test));
            assert_eq!(of_it.count(), 1, "{}", known.test);
        }
    }
}
