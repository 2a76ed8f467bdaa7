//! Component lists: the components of a framework that a user allows or excludes.

use crate::names::nearest;
use crate::{openmpi, Error, Framework};

/// The names of a framework's components, from its table of them: name and what each does.
pub const fn names<const N: usize>(table: &[(&'static str, &'static str); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = table[at].0;
        at += 1;
    }
    names
}

/// The components of a framework that may be asked.
///
/// `a,b` admits only these, `^a,b` all but these, the empty list all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentList {
    excludes: bool,
    names: Vec<String>,
}

impl ComponentList {
    /// The list that admits every component.
    pub fn all() -> ComponentList {
        ComponentList {
            excludes: true,
            names: Vec::new(),
        }
    }

    /// Reads a list of components of `framework`, which has those in `known`.
    ///
    /// Open MPI's older names mean their successors. A list may exclude a component that only
    /// Open MPI has; it may not include it.
    pub fn parse(framework: Framework, text: &str, known: &[&str]) -> Result<ComponentList, Error> {
        let trimmed = text.trim();
        let (excludes, rest) = match trimmed.strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, trimmed),
        };
        if rest.contains('^') || (excludes && rest.trim().is_empty()) {
            let text = text.to_string();
            return Err(Error::MisplacedCaret { framework, text });
        }
        let mut names = Vec::new();
        for word in rest
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
        {
            let name = openmpi::component_here(framework.name(), word);
            let harmless = excludes && openmpi::has_component(framework.name(), name);
            if !known.contains(&name) && !harmless {
                return Err(unknown(framework, word, known));
            }
            if !names.iter().any(|listed| listed == name) {
                names.push(name.to_string());
            }
        }
        Ok(if names.is_empty() {
            ComponentList::all()
        } else {
            ComponentList { excludes, names }
        })
    }

    /// True when the component of this name may be asked.
    pub fn admits(&self, name: &str) -> bool {
        self.names.iter().any(|listed| listed == name) != self.excludes
    }

    /// True when the list includes this name explicitly, so that the user counts on it.
    pub fn demands(&self, name: &str) -> bool {
        !self.excludes && self.admits(name)
    }
}

fn unknown(framework: Framework, name: &str, known: &[&str]) -> Error {
    Error::UnknownComponent {
        framework,
        name: name.to_string(),
        nearest: nearest(name, known.iter().copied()),
        known: known.iter().map(|name| name.to_string()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const KNOWN: &[&str] = &["self", "sm", "tcp"];

    fn admitted(text: &str) -> Vec<&'static str> {
        let list = ComponentList::parse(Framework::Btl, text, KNOWN).unwrap();
        KNOWN
            .iter()
            .copied()
            .filter(|name| list.admits(name))
            .collect()
    }

    #[test]
    fn lists_include_exclude_or_admit_all() {
        assert_eq!(admitted("tcp, self"), ["self", "tcp"]);
        assert_eq!(admitted("^tcp"), ["self", "sm"]);
        assert_eq!(admitted(" ^ tcp,sm "), ["self"]);
        assert_eq!(admitted(""), KNOWN);
        assert_eq!(admitted(","), KNOWN);
        assert_eq!(admitted("tcp,tcp,"), ["tcp"]);
    }

    #[test]
    fn open_mpi_names_mean_ours_or_may_be_excluded() {
        assert_eq!(admitted("vader,self"), ["self", "sm"]);
        assert_eq!(admitted("^openib"), KNOWN);
        assert_eq!(admitted("^vader,openib"), ["self", "tcp"]);
        let error = ComponentList::parse(Framework::Btl, "openib,self", KNOWN).unwrap_err();
        assert!(
            error.to_string().contains("no component \"openib\""),
            "{error}"
        );
    }

    #[test]
    fn a_misplaced_caret_and_an_unknown_name_are_errors() {
        for text in ["tcp,^sm", "^tcp,^sm", "^^tcp", "tcp^", "^"] {
            let error = ComponentList::parse(Framework::Btl, text, KNOWN).unwrap_err();
            assert!(
                matches!(error, Error::MisplacedCaret { .. }),
                "{text}: {error}"
            );
        }
        let message = ComponentList::parse(Framework::Btl, "self,tpc", KNOWN)
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("\"tpc\"") && message.contains("did you mean tcp?"),
            "{message}"
        );
        assert!(message.contains("self, sm, tcp"), "{message}");
        assert!(ComponentList::parse(Framework::Btl, "^tpc", KNOWN).is_err());
    }

    #[test]
    fn only_an_inclusive_list_demands() {
        let list = |text| ComponentList::parse(Framework::Btl, text, KNOWN).unwrap();
        assert!(list("tcp").demands("tcp") && !list("tcp").demands("sm"));
        assert!(!list("^tcp").demands("sm") && !list("").demands("sm"));
    }

    proptest! {
        #[test]
        fn any_text_is_a_list_or_refused_and_never_a_panic(text in ".{0,16}") {
            let _ = ComponentList::parse(Framework::Btl, &text, KNOWN);
        }

        #[test]
        fn a_list_and_its_exclusion_part_the_components(picks in vec(0usize..3, 1..5)) {
            let text: Vec<&str> = picks.iter().map(|&pick| KNOWN[pick]).collect();
            let included = admitted(&text.join(","));
            let excluded = admitted(&format!("^{}", text.join(",")));
            let once = |name: &&&str| included.contains(*name) != excluded.contains(*name);
            prop_assert_eq!(KNOWN.iter().filter(once).count(), KNOWN.len());
        }
    }
}
