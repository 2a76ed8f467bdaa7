//! Tests with names of their own.

use xtask::shell::by_workers;

use crate::world::{Tally, World};

/// A test: what it does, and how many of its kind run at a time.
pub struct Case {
    /// Name of the case below its step's; `None` where the step is one test.
    name: Option<String>,
    /// As many of its kind keep the machine busy. Nothing runs beside what says 1.
    pub at_a_time: usize,
    work: Box<dyn Fn(&World) -> Tally + Send + Sync>,
}

/// Cases under one name.
pub struct Group {
    /// The step's name, or one like it.
    pub name: String,
    /// Requirements of the cases.
    pub needs: Needs,
    /// The cases.
    pub cases: Vec<Case>,
}

/// Requirements of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The sources.
    Sources,
    /// The installation under test.
    Installation,
}

impl Case {
    /// A test of a step, by its name.
    pub fn new(
        name: impl Into<String>,
        at_a_time: usize,
        work: impl Fn(&World) -> Result<(), String> + Send + Sync + 'static,
    ) -> Case {
        let name = name.into();
        Case {
            name: Some(name.clone()),
            at_a_time,
            work: Box::new(move |world| {
                let mut tally = Tally::default();
                tally.count(&name, work(world));
                tally
            }),
        }
    }

    /// A test that may fail as it is known to, which its tally says.
    pub fn counted(
        name: impl Into<String>,
        at_a_time: usize,
        work: impl Fn(&World) -> Tally + Send + Sync + 'static,
    ) -> Case {
        Case {
            name: Some(name.into()),
            at_a_time,
            work: Box::new(work),
        }
    }

    /// A step whose tests are known only while it runs.
    pub fn whole(at_a_time: usize, run: fn(&World) -> Result<Tally, String>) -> Case {
        Case {
            name: None,
            at_a_time,
            work: Box::new(move |world| run(world).unwrap_or_else(Tally::not_run)),
        }
    }

    /// Puts a name before its own.
    pub fn below(mut self, name: &str) -> Case {
        self.name = self.name.map(|own| format!("{name}::{own}"));
        self
    }

    /// Has something succeed first.
    pub fn after(mut self, ready: fn() -> Result<(), String>) -> Case {
        let work = self.work;
        self.work = Box::new(move |world| match ready() {
            Ok(()) => work(world),
            Err(why) => Tally::not_run(why),
        });
        self
    }

    /// Returns the path of the case below its step, without blanks.
    pub fn path(&self, step: &str) -> String {
        match &self.name {
            Some(name) => format!("{step}::{}", name.replace(", ", "-").replace(' ', "_")),
            None => step.to_string(),
        }
    }

    /// Runs it.
    pub fn run(&self, world: &World) -> Tally {
        (self.work)(world)
    }
}

/// Runs the cases of a part of a test, as many at a time as they say; those that are to be alone
/// come last.
pub fn run_all(world: &World, cases: Vec<Case>) -> Tally {
    let (alone, others): (Vec<_>, Vec<_>) = cases.into_iter().partition(|case| case.at_a_time == 1);
    let workers = others.first().map_or(1, |case| case.at_a_time);
    let mut tally = Tally::default();
    let of_others = by_workers(workers, &others, |case| case.run(world));
    of_others.into_iter().for_each(|one| tally.add(one));
    alone.iter().for_each(|case| tally.add(case.run(world)));
    tally
}
