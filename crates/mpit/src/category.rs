//! Categories: one for each framework, below one that holds all of them.

use mca::Framework;

use crate::control::Controls;
use crate::event;
use crate::performance;

/// The category that holds all others.
pub const ROOT: &str = "oxmpi";

/// A category, with the positions of what is in it.
#[derive(Debug)]
pub struct Category {
    /// The name.
    pub name: String,
    /// The contents of the category in one sentence.
    pub help: String,
    /// Control variables.
    pub controls: Vec<usize>,
    /// Performance variables.
    pub performances: Vec<usize>,
    /// Events.
    pub events: Vec<usize>,
    /// Categories below it.
    pub categories: Vec<usize>,
}

/// Returns all categories, the root first.
pub fn all(controls: &Controls) -> Vec<Category> {
    let root = Category {
        name: ROOT.to_string(),
        help: "All variables and events of oxmpi, by framework".to_string(),
        controls: Vec::new(),
        performances: Vec::new(),
        events: Vec::new(),
        categories: (1..=Framework::ALL.len()).collect(),
    };
    let category = |framework: &Framework| {
        let is_of_it = |other: Framework| other == *framework;
        Category {
            name: framework.to_string(),
            help: format!("Parameters, counters and events of the framework {framework}"),
            controls: positions(controls.all().iter().map(|one| is_of_it(one.framework))),
            performances: positions(performance::ALL.iter().map(|one| is_of_it(one.framework))),
            events: positions(event::ALL.iter().map(|one| is_of_it(one.framework))),
            categories: Vec::new(),
        }
    };
    std::iter::once(root)
        .chain(Framework::ALL.iter().map(category))
        .collect()
}

fn positions(is_in: impl Iterator<Item = bool>) -> Vec<usize> {
    is_in
        .enumerate()
        .filter(|(_, is_in)| *is_in)
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mca::{Param, Registry};

    #[test]
    fn each_variable_and_event_is_in_one_category() {
        const PARAMS: &[Param] = &[Param::bool("btl_x", false, 3, "x")];
        let controls = Controls::new(&Registry::new(&[PARAMS]), |_| false);
        let categories = all(&controls);
        let total = |of: fn(&Category) -> &Vec<usize>| {
            let mut all: Vec<usize> = categories.iter().flat_map(of).copied().collect();
            all.sort_unstable();
            all
        };
        let whole = |count: usize| (0..count).collect::<Vec<_>>();
        assert_eq!(total(|c| &c.controls), whole(controls.all().len()));
        assert_eq!(total(|c| &c.performances), whole(performance::ALL.len()));
        assert_eq!(total(|c| &c.events), whole(event::ALL.len()));
        assert_eq!(categories[0].categories.len(), categories.len() - 1);
        let btl = categories.iter().find(|one| one.name == "btl").unwrap();
        assert!(btl
            .controls
            .iter()
            .any(|at| controls.all()[*at].name == "btl_x"));
    }
}
