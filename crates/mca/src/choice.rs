//! The outcome of a selection: which components were chosen, and the verdict on each.

use std::fmt;

use crate::Framework;

/// A choice that explains itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The framework.
    pub framework: Framework,
    /// The chosen components, the best first; empty when none can serve.
    pub winners: Vec<&'static str>,
    /// Every component, in the order of asking, and what became of it.
    pub considered: Vec<(&'static str, Verdict)>,
}

/// The verdict on a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The component can serve, with this priority.
    Priority(i32),
    /// The component list does not admit it, so it was not asked.
    NotAdmitted,
    /// The component cannot serve, for this reason.
    Declined(String),
    /// The component failed, with this error.
    Failed(String),
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winners.is_empty() {
            true => write!(f, "{}: none", self.framework)?,
            false => write!(f, "{}: {}", self.framework, self.winners.join(", "))?,
        }
        for (at, (name, verdict)) in self.considered.iter().enumerate() {
            let separator = if at == 0 { " (" } else { "; " };
            write!(f, "{separator}{name}: {verdict}")?;
        }
        f.write_str(if self.considered.is_empty() { "" } else { ")" })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Priority(priority) => write!(f, "priority {priority}"),
            Verdict::NotAdmitted => f.write_str("not in the component list"),
            Verdict::Declined(reason) => write!(f, "declined, {reason}"),
            Verdict::Failed(error) => write!(f, "failed, {error}"),
        }
    }
}
