//! One row of the table of options: its group, names, values, effect and help.

use crate::policy::{Bind, MapBy, Oversubscribe};

/// The effect of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Sets how many ranks run the program that follows.
    Count,
    /// Reads programs and their options from a file.
    Apps,
    /// Sets the working directory of the program that follows.
    Directory,
    /// Searches a folder first for the program that follows.
    Path,
    /// Names the binary interface that the program that follows was compiled for.
    Interface,
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
    /// Names a file of hosts that is used if nothing else names hosts.
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
    /// Look for deadlocks so often, and report on SIGUSR1.
    ReportDeadlock,
    /// Writes a trace into a file.
    Trace,
    /// Prints a table of the trace.
    TraceSummary,
    /// How many records of a trace each rank keeps.
    TraceRecords,
    /// Which records of a trace are kept.
    TraceKeep,
    /// Has tools watch the calls of ranks.
    Tools,
    /// Checks the program's use of MPI.
    Check,
    /// Shows ranks in gdb.
    Gdb,
    /// Stops ranks before their first instruction.
    StopOnExec,
    /// Stops ranks in `MPI_Init`.
    StopInInit,
    /// Print the stack of a rank that crashes.
    Backtrace,
    /// The size of the universe that programs read.
    Universe,
    /// Lets the other ranks go on when one fails.
    KeepGoing,
    /// Goes on when a rank fails, if the value names a kind of fault tolerance.
    FaultTolerance,
    /// Where the installation lies on other hosts.
    Prefix,
    /// Names the program to start on other hosts.
    LaunchAgent,
    /// How to reach other hosts.
    Launcher,
    /// Chooses the batch systems whose allocation counts.
    Allocations,
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
    /// Debuggers, tools and checks.
    Debugging,
    /// How other hosts are reached.
    Launching,
    /// Output of the launcher itself.
    Reports,
    /// Options that have no effect here.
    Ignored,
}

impl Group {
    /// All groups, as help shows them.
    pub const ALL: [Group; 11] = [
        Group::Programs,
        Group::Hosts,
        Group::Placement,
        Group::Streams,
        Group::Environment,
        Group::Parameters,
        Group::Ending,
        Group::Debugging,
        Group::Launching,
        Group::Reports,
        Group::Ignored,
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
            Group::Debugging => "Debuggers and tools",
            Group::Launching => "Other hosts",
            Group::Reports => "Information",
            Group::Ignored => "Accepted from other launchers",
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
    pub effect: Effect,
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
