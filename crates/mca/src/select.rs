//! Selects components of a framework, and records the reasons.
//!
//! Each component that the list admits is asked once. It answers with a priority and an opened
//! module, or declines with a reason, or fails. What is not chosen is dropped before the choice
//! is handed out, and to drop a module is to close it.

use std::error::Error as StdError;

use crate::{Choice, ComponentList, Error, Framework, Verdict};

/// One component that may be asked.
pub struct Candidate<'a, M> {
    name: &'static str,
    query: Query<'a, M>,
}

type Query<'a, M> = Box<dyn FnOnce() -> Result<QueryReply<M>, Box<dyn StdError>> + 'a>;

/// A component's reply to the question whether it can be used.
pub enum QueryReply<M> {
    /// The component can serve.
    Usable {
        /// The higher, the better.
        priority: i32,
        /// The opened module.
        module: M,
    },
    /// The component cannot serve here, for this reason, and that is no error.
    Declines(String),
}

/// A module that was chosen.
#[derive(Debug)]
pub struct Selected<M> {
    /// The component.
    pub name: &'static str,
    /// The priority that it gave.
    pub priority: i32,
    /// The opened module.
    pub module: M,
}

impl<'a, M> Candidate<'a, M> {
    /// The component `name`, which is asked through `query`.
    pub fn new(
        name: &'static str,
        query: impl FnOnce() -> Result<QueryReply<M>, Box<dyn StdError>> + 'a,
    ) -> Candidate<'a, M> {
        Candidate {
            name,
            query: Box::new(query),
        }
    }
}

/// Chooses the component with the highest priority; of equals, the one asked first.
pub fn select_one<M>(
    framework: Framework,
    list: &ComponentList,
    candidates: Vec<Candidate<'_, M>>,
) -> Result<(Selected<M>, Choice), Error> {
    let (mut usable, mut choice) = ask(framework, list, candidates);
    usable.truncate(1);
    match usable.pop() {
        Some(winner) => {
            choice.winners = vec![winner.name];
            Ok((winner, choice))
        }
        None => Err(Error::NoneUsable(choice)),
    }
}

/// Chooses every component that can serve, the highest priority first; of equals, the one asked
/// first. Not one is an error.
pub fn select_all<M>(
    framework: Framework,
    list: &ComponentList,
    candidates: Vec<Candidate<'_, M>>,
) -> Result<(Vec<Selected<M>>, Choice), Error> {
    let (usable, mut choice) = ask(framework, list, candidates);
    if usable.is_empty() {
        return Err(Error::NoneUsable(choice));
    }
    choice.winners = usable.iter().map(|selected| selected.name).collect();
    Ok((usable, choice))
}

/// Asks every admitted candidate; those that can serve come back with the best first.
fn ask<M>(
    framework: Framework,
    list: &ComponentList,
    candidates: Vec<Candidate<'_, M>>,
) -> (Vec<Selected<M>>, Choice) {
    let mut usable = Vec::new();
    let mut considered = Vec::new();
    for Candidate { name, query } in candidates {
        if !list.admits(name) {
            considered.push((name, Verdict::NotAdmitted));
            continue;
        }
        let verdict = match query() {
            Ok(QueryReply::Usable { priority, module }) => {
                usable.push(Selected {
                    name,
                    priority,
                    module,
                });
                Verdict::Priority(priority)
            }
            Ok(QueryReply::Declines(reason)) => Verdict::Declined(reason),
            Err(error) => Verdict::Failed(error.to_string()),
        };
        considered.push((name, verdict));
    }
    // The sort is stable: of equals the one asked first stays first.
    usable.sort_by_key(|selected| std::cmp::Reverse(selected.priority));
    (
        usable,
        Choice {
            framework,
            winners: Vec::new(),
            considered,
        },
    )
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use proptest::prelude::*;

    use super::*;

    /// A module that records when it is closed.
    #[derive(Debug)]
    struct Module<'a>(&'static str, &'a RefCell<Vec<&'static str>>);

    impl Drop for Module<'_> {
        fn drop(&mut self) {
            self.1.borrow_mut().push(self.0);
        }
    }

    fn usable<'a>(
        name: &'static str,
        priority: i32,
        closed: &'a RefCell<Vec<&'static str>>,
    ) -> Candidate<'a, Module<'a>> {
        Candidate::new(name, move || {
            Ok(QueryReply::Usable {
                priority,
                module: Module(name, closed),
            })
        })
    }

    #[test]
    fn the_highest_priority_wins_and_the_losers_are_closed() {
        let closed = RefCell::new(Vec::new());
        let candidates = vec![
            usable("low", 10, &closed),
            usable("first", 20, &closed),
            usable("equal", 20, &closed),
            Candidate::new("shy", || Ok(QueryReply::Declines("no network".into()))),
            Candidate::new("sick", || Err("out of memory".into())),
        ];
        let (winner, choice) =
            select_one(Framework::Pml, &ComponentList::all(), candidates).unwrap();
        assert_eq!(
            (winner.name, winner.priority, winner.module.0),
            ("first", 20, "first")
        );
        closed.borrow_mut().sort();
        assert_eq!(*closed.borrow(), ["equal", "low"]);
        assert_eq!(choice.winners, ["first"]);
        let explained = "pml: first (low: priority 10; first: priority 20; equal: priority 20; \
             shy: declined, no network; sick: failed, out of memory)";
        assert_eq!(choice.to_string(), explained);
    }

    #[test]
    fn a_component_outside_the_list_is_not_asked() {
        let list = ComponentList::parse(Framework::Pml, "^cm", &["ob1", "cm"]).unwrap();
        let closed = RefCell::new(Vec::new());
        let asked = || -> Result<QueryReply<Module>, Box<dyn StdError>> { panic!("cm was asked") };
        let candidates = vec![Candidate::new("cm", asked), usable("ob1", -1, &closed)];
        let (winner, choice) = select_one(Framework::Pml, &list, candidates).unwrap();
        assert_eq!(winner.name, "ob1");
        assert_eq!(choice.considered[0], ("cm", Verdict::NotAdmitted));
    }

    #[test]
    fn none_that_can_serve_is_an_error_with_every_reason() {
        let candidates: Vec<Candidate<()>> = vec![
            Candidate::new("tcp", || {
                Ok(QueryReply::Declines("no interface is up".into()))
            }),
            Candidate::new("sm", || Err("no memory".into())),
        ];
        let error = select_all(Framework::Btl, &ComponentList::all(), candidates).unwrap_err();
        let message = error.to_string();
        let expected = "no component of btl can be used; sm: failed, no memory; \
             tcp: declined, no interface is up";
        assert_eq!(message, expected);
        assert!(select_one::<()>(Framework::Btl, &ComponentList::all(), vec![]).is_err());
    }

    proptest! {
        #[test]
        fn all_come_best_first_and_stay_open(priorities in prop::collection::vec(-3i32..3, 1..6)) {
            const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
            let closed = RefCell::new(Vec::new());
            let candidates = || {
                let named = NAMES.iter().zip(&priorities);
                named.map(|(name, &priority)| usable(name, priority, &closed)).collect()
            };
            let list = ComponentList::all();
            let (all, choice) = select_all(Framework::Btl, &list, candidates()).unwrap();
            prop_assert!(closed.borrow().is_empty());
            prop_assert_eq!(all.len(), priorities.len());
            for pair in all.windows(2) {
                let order = (-pair[0].priority, pair[0].name) < (-pair[1].priority, pair[1].name);
                prop_assert!(order, "{} before {}", pair[0].name, pair[1].name);
            }
            let (one, _) = select_one(Framework::Btl, &ComponentList::all(), candidates()).unwrap();
            prop_assert_eq!(one.name, choice.winners[0]);
        }
    }
}
