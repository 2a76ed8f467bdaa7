//! The algorithms that the collectives of a communicator have gone by, for reports.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base::Mutex;

use crate::table::Collective;

/// The word for a collective, and that for an algorithm.
type Choice = (&'static str, &'static str);

/// The choices for the collectives of a communicator, with the fewest and the most bytes of each.
///
/// Two of them are equal if they are one: they say nothing about what is chosen.
#[derive(Default, Debug)]
pub struct Choices(Mutex<BTreeMap<Choice, (usize, usize)>>);

impl PartialEq for Choices {
    fn eq(&self, other: &Choices) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Choices {}

impl Choices {
    /// Takes note of a choice.
    #[cold]
    pub(crate) fn note(&self, of: Collective, algorithm: &'static str, bytes: usize) {
        let mut chosen = self.0.lock();
        let known = chosen.entry((of.word(), algorithm));
        let (least, most) = known.or_insert((bytes, bytes));
        (*least, *most) = (bytes.min(*least), bytes.max(*most));
    }

    /// Describes what was chosen, such as `bcast of 8 to 2048 bytes by han`; `None` where nothing
    /// was. The bytes are counted as in files of rules.
    pub fn account(&self) -> Option<String> {
        let mut text = String::new();
        for ((of, algorithm), (least, most)) in self.0.lock().iter() {
            let between = if text.is_empty() { "" } else { ", " };
            let bytes = match (least, most) {
                (0, 0) => String::new(),
                (least, most) if least == most => format!(" of {least} bytes"),
                (least, most) => format!(" of {least} to {most} bytes"),
            };
            let _ = write!(text, "{between}{of}{bytes} by {algorithm}");
        }
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_the_bytes_that_an_algorithm_carried() {
        let choices = Choices::default();
        assert_eq!(choices.account(), None);
        choices.note(Collective::Bcast, "han", 2048);
        choices.note(Collective::Bcast, "han", 8);
        choices.note(Collective::Bcast, "binomial", 100);
        choices.note(Collective::Barrier, "han", 0);
        let account =
            "barrier by han, bcast of 100 bytes by binomial, bcast of 8 to 2048 bytes by han";
        assert_eq!(choices.account().as_deref(), Some(account));
    }
}
