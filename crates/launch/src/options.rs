//! The table of options: spellings, arguments, effect and help line of each.
//!
//! Spellings are those of Open MPI 4, Open MPI 5 and Hydra. All are accepted with one dash or two,
//! and with `=` before a value. The help of an option without effect says so, and why. The help
//! text and `docs/mpirun.md` are generated from the table.

mod table;
mod text;

pub use table::TABLE;
pub use text::{help, markdown};

use crate::policy::{Bind, MapBy, Oversubscribe};

/// The effect of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// Sets how many ranks run the program that follows.
    Count,
    /// Reads programs and their options from a file.
    Apps,
    /// Sets the working directory of the program that follows.
    Directory,
    /// Searches a folder first for the program that follows.
    Path,
    /// Exports `NAME` or `NAME=value` to the program that follows.
    Export,
    /// Sets a variable for the program that follows.
    Env,
    /// Takes a variable from the program that follows.
    Unset,
    /// Sets a variable for all programs.
    EnvAll,
    /// Says which variables are passed on to the program that follows.
    EnvList,
    /// Says which variables are passed on to all programs.
    EnvListAll,
    /// Passes no variable on to the program that follows.
    EnvNone,
    /// Passes no variable on to any program.
    EnvNoneAll,
    /// Sets a parameter.
    Parameter,
    /// Sets the parameter of this name.
    As(&'static str),
    /// Reads parameters from files.
    Tune,
    /// Has the ranks report which transports they chose.
    Explain,
    /// Lists hosts.
    Hosts,
    /// Names a file of hosts.
    HostFile,
    /// Names a file of hosts for when nothing else says any.
    DefaultHostFile,
    /// Puts no rank on this machine.
    NoLocal,
    /// Names the objects that ranks are placed on.
    Map,
    /// Places ranks on the named objects.
    MapTo(MapBy),
    /// Places ranks on hosts in turn, and numbers them so.
    MapToNode,
    /// Places a given number of ranks on each host.
    PerNode,
    /// Places a given number of ranks on each package.
    PerPackage,
    /// Puts this many ranks on each host in turn.
    Rounds,
    /// Gives each rank this many processors.
    Processors,
    /// Counts hardware threads as processors.
    Threads,
    /// Leaves these processors of each host only.
    ProcessorSet,
    /// Says how ranks are numbered.
    Rank,
    /// Names a file with a place for each rank.
    RankFile,
    /// Binds ranks to processors.
    Bind,
    /// Binds ranks to the named objects.
    BindTo(Bind),
    /// Says what to do with more ranks than slots.
    Oversubscribe(Oversubscribe),
    /// Prints what ranks are bound to.
    ReportBindings,
    /// Prints the map of ranks before starting.
    DisplayMap,
    /// Prints the hosts before starting.
    DisplayAllocation,
    /// Open MPI 5's list of what to print.
    Display,
    /// Opens each line of output with job, rank and stream.
    Tag,
    /// Opens each line of output with the rank alone.
    PrependRank,
    /// Opens each line of output with the time.
    Timestamp,
    /// Open MPI 5's list of the above and more.
    Output,
    /// Writes output to files in folders.
    OutputDirectory,
    /// Writes standard output to files that a pattern names.
    OutputPattern,
    /// Writes standard error to files that a pattern names.
    ErrorPattern,
    /// Prints error output as output.
    Merge,
    /// Which rank gets the standard input.
    Stdin,
    /// Ends the job after a time.
    Timeout,
    /// Lets the other ranks go on when one fails.
    KeepGoing,
    /// Where the installation lies on other hosts.
    Prefix,
    /// Names the program to start on other hosts.
    LaunchAgent,
    /// How to reach other hosts.
    Launcher,
    /// Says less.
    Quiet,
    /// Says more.
    Verbose,
    /// Prints the version.
    Version,
    /// Prints the help.
    Help,
    /// Is accepted for the sake of scripts, with what it takes.
    Nothing,
    /// Is refused; the help says why.
    Refused,
}

/// Groups of options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Programs and how many ranks run them.
    Programs,
    /// Hosts.
    Hosts,
    /// Where ranks are put, how they are numbered and bound.
    Placement,
    /// Output and input of ranks.
    Streams,
    /// Variables.
    Environment,
    /// Parameters.
    Parameters,
    /// How the job ends.
    Ending,
    /// How other hosts are reached.
    Launching,
    /// Information.
    Telling,
    /// Options that have no effect here.
    Idle,
}

impl Group {
    /// All groups, as help shows them.
    pub const ALL: [Group; 10] = [
        Group::Programs,
        Group::Hosts,
        Group::Placement,
        Group::Streams,
        Group::Environment,
        Group::Parameters,
        Group::Ending,
        Group::Launching,
        Group::Telling,
        Group::Idle,
    ];

    /// Returns the group's title.
    pub fn title(self) -> &'static str {
        match self {
            Group::Programs => "Programs",
            Group::Hosts => "Hosts",
            Group::Placement => "Where ranks run",
            Group::Streams => "Output and input",
            Group::Environment => "Environment",
            Group::Parameters => "Parameters",
            Group::Ending => "The end",
            Group::Launching => "Other hosts",
            Group::Telling => "Information",
            Group::Idle => "Accepted from other launchers",
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Row {
    /// The option's group.
    pub group: Group,
    /// The option's names, without dashes; the first is the one that messages use.
    pub names: &'static [&'static str],
    /// Names of its values, one for each. A value in brackets is optional, and follows `=` only.
    pub values: &'static [&'static str],
    /// The option's effect.
    pub does: Does,
    /// The option's help text.
    pub help: &'static str,
}

impl Row {
    /// Returns how many arguments after the option belong to it.
    pub fn takes(&self) -> usize {
        match self.is_optional() {
            true => 0,
            false => self.values.len(),
        }
    }

    /// True when its one value may be left out.
    pub fn is_optional(&self) -> bool {
        self.values
            .first()
            .is_some_and(|value| value.starts_with('['))
    }
}

/// The row that `name`, without dashes, belongs to.
pub fn find(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.names.contains(&name))
}

/// The spelling nearest to `name`, with its dashes; `None` when none is near.
pub fn nearest(name: &str) -> Option<String> {
    let names = TABLE.iter().flat_map(|row| row.names);
    let near = names
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= 1 + candidate.len() / 4 && *distance < name.len()
        })
        .min_by_key(|(distance, _)| *distance)?;
    Some(dashed(near.1))
}

/// Returns a name as it is best written: letters with one dash, longer names with two.
pub fn dashed(name: &str) -> String {
    let dashes = if name.len() <= 2 { "-" } else { "--" };
    format!("{dashes}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = TABLE.iter().flat_map(|row| row.names).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("tag-ouput").as_deref(), Some("--tag-output"));
        assert_eq!(nearest("oversubscrib").as_deref(), Some("--oversubscribe"));
        assert_eq!(nearest("xyzzy"), None);
        assert_eq!(nearest("z"), None);
    }

    #[test]
    fn help_and_documentation_have_every_option_once() {
        let (help, markdown) = (help(), markdown());
        for row in TABLE {
            let names: Vec<String> = row.names.iter().map(|name| dashed(name)).collect();
            let names = names.join(", ");
            for (text, opens) in [(&help, "  "), (&markdown, "| `")] {
                let opens = format!("{opens}{names}");
                let rests = text.lines().filter_map(|line| line.strip_prefix(&opens));
                let whole =
                    rests.filter(|rest| rest.is_empty() || rest.starts_with([' ', '`', '[']));
                assert_eq!(whole.count(), 1, "{names}");
            }
            assert!(markdown.contains(row.help), "{names}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 100));
    }

    #[test]
    fn groups_stand_together() {
        let mut groups: Vec<Group> = TABLE.iter().map(|row| row.group).collect();
        groups.dedup();
        assert_eq!(groups, Group::ALL);
    }
}
