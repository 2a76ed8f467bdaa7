//! The table of options: every spelling, what it takes, what it does, and its line of help.
//!
//! Spellings are those of Open MPI 4, Open MPI 5 and Hydra. All are accepted with one dash or
//! two, and with `=` before the (last) value. What does nothing here says so.

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// Sets how many ranks run the program that follows.
    Count,
    /// Exports `NAME` or `NAME=value` to the program that follows.
    Export,
    /// Sets a variable for the program that follows.
    Env,
    /// Sets a variable for all programs.
    EnvAll,
    /// Says which variables are passed on; all are, so this only checks.
    EnvList,
    /// Sets the working directory of the program that follows.
    Directory,
    /// Sets a parameter.
    Parameter,
    /// Reads parameters from files.
    Tune,
    /// Lets the ranks tell which transports they chose.
    Explain,
    /// Opens each line of output with job, rank and stream.
    Tag,
    /// Opens each line of output with the rank alone.
    PrependRank,
    /// Opens each line of output with the time.
    Timestamp,
    /// Open MPI 5's list of the above.
    Output,
    /// Ends the job after a time.
    Timeout,
    /// Lists hosts.
    Hosts,
    /// Names a file of hosts.
    HostFile,
    /// Which rank gets the standard input.
    Stdin,
    /// Binds ranks to processors.
    Bind,
    /// Prints what ranks are bound to.
    ReportBindings,
    /// Says what ranks are put on.
    Map,
    /// Says how ranks are numbered.
    Rank,
    /// Prints the map of ranks before starting.
    DisplayMap,
    /// Open MPI 5's list of what to print.
    Display,
    /// Says less.
    Quiet,
    /// Says more.
    Verbose,
    /// Prints the version.
    Version,
    /// Prints the help.
    Help,
    /// Is accepted for the sake of scripts.
    Nothing,
    /// The same, with a value.
    NothingWithValue,
}

/// One row of the table.
#[derive(Debug)]
pub struct Row {
    /// Its names, without dashes; the first is the one that messages use.
    pub names: &'static [&'static str],
    /// What its values are called; as many as it takes.
    pub values: &'static [&'static str],
    /// What it does.
    pub does: Does,
    /// What it does, for readers.
    pub help: &'static str,
}

const fn row(
    names: &'static [&'static str],
    values: &'static [&'static str],
    does: Does,
    help: &'static str,
) -> Row {
    Row {
        names,
        values,
        does,
        help,
    }
}

/// All options.
pub const TABLE: &[Row] = &[
    row(
        &["n", "np", "c"],
        &["N"],
        Does::Count,
        "start N ranks of the program (default: one a processor)",
    ),
    row(
        &["x"],
        &["NAME[=VALUE]"],
        Does::Export,
        "set a variable for this program (all others are kept)",
    ),
    row(
        &["env"],
        &["NAME", "VALUE"],
        Does::Env,
        "set a variable for this program",
    ),
    row(
        &["genv"],
        &["NAME", "VALUE"],
        Does::EnvAll,
        "set a variable for all programs",
    ),
    row(
        &["genvlist", "envlist"],
        &["NAMES"],
        Does::EnvList,
        "pass these variables on (all are)",
    ),
    row(
        &["genvall", "envall"],
        &[],
        Does::Nothing,
        "pass all variables on (always done)",
    ),
    row(
        &["wdir", "wd"],
        &["DIR"],
        Does::Directory,
        "run this program in DIR",
    ),
    row(
        &["mca", "gmca", "omca", "gomca"],
        &["NAME", "VALUE"],
        Does::Parameter,
        "set a parameter (oxmpi_info lists them)",
    ),
    row(
        &["explain"],
        &[],
        Does::Explain,
        "tell what carries the messages between ranks, what does not, and why",
    ),
    row(
        &["tune", "am"],
        &["FILES"],
        Does::Tune,
        "set parameters from files, separated by commas",
    ),
    row(
        &["tag-output"],
        &[],
        Does::Tag,
        "open each line of output with [job,rank]<stream>:",
    ),
    row(
        &["prepend-rank", "l"],
        &[],
        Does::PrependRank,
        "open each line of output with [rank]",
    ),
    row(
        &["timestamp-output"],
        &[],
        Does::Timestamp,
        "open each line of output with the time",
    ),
    row(
        &["output"],
        &["LIST"],
        Does::Output,
        "tag, rank and timestamp, separated by commas",
    ),
    row(
        &["timeout"],
        &["SECONDS"],
        Does::Timeout,
        "end the job after SECONDS (also: MPIEXEC_TIMEOUT)",
    ),
    row(
        &["host", "H", "hosts"],
        &["HOSTS"],
        Does::Hosts,
        "hosts, as NAME or NAME:RANKS; only this machine so far",
    ),
    row(
        &["hostfile", "machinefile", "f", "default-hostfile"],
        &["FILE"],
        Does::HostFile,
        "a file of hosts; only this machine so far",
    ),
    row(
        &["stdin"],
        &["RANK"],
        Does::Stdin,
        "the rank that gets the standard input, or none (default: 0)",
    ),
    row(
        &["bind-to"],
        &["WHAT"],
        Does::Bind,
        "none (default), core or hwthread",
    ),
    row(
        &["report-bindings"],
        &[],
        Does::ReportBindings,
        "print the processors of each rank",
    ),
    row(
        &["map-by"],
        &["WHAT"],
        Does::Map,
        "what ranks are put on in turn: slot (default), node, core, ppr:N:node, ...",
    ),
    row(
        &["rank-by"],
        &["WHAT"],
        Does::Rank,
        "the order of ranks: slot, node, fill, span, or an object such as core",
    ),
    row(
        &["display-map"],
        &[],
        Does::DisplayMap,
        "print the map of ranks before starting",
    ),
    row(
        &["display"],
        &["LIST"],
        Does::Display,
        "map and bind, separated by commas",
    ),
    row(&["q", "quiet"], &[], Does::Quiet, "say nothing but errors"),
    row(&["v", "verbose"], &[], Does::Verbose, "say what is started"),
    row(&["version", "V"], &[], Does::Version, "print the version"),
    row(&["help", "h", "?"], &[], Does::Help, "print this"),
    row(
        &[
            "oversubscribe",
            "use-hwthread-cpus",
            "allow-run-as-root",
            "nooversubscribe",
        ],
        &[],
        Does::Nothing,
        "accepted; not needed",
    ),
    row(
        &["ppn", "N", "npernode", "ppr", "perhost"],
        &["N"],
        Does::NothingWithValue,
        "accepted; on one machine it says nothing new",
    ),
    row(
        &["launcher", "bootstrap", "rmk", "iface"],
        &["NAME"],
        Does::NothingWithValue,
        "accepted; no other launcher is needed on one machine",
    ),
];

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

/// A name as it is best written: letters with one dash, words with two.
pub fn dashed(name: &str) -> String {
    let dashes = if name.len() <= 2 { "-" } else { "--" };
    format!("{dashes}{name}")
}

/// How wide the names are in the help.
const LEFT_COLUMNS: usize = 30;

/// The text of `--help`, with `{name}` for the program's name.
pub fn help() -> String {
    let mut text = String::from(
        "Usage: {name} [OPTIONS] PROGRAM [ARGUMENTS] [: [OPTIONS] PROGRAM [ARGUMENTS]]...\n\n\
         Starts an MPI program on this machine. A colon on its own parts several programs of \
         one job.\nOptions take one dash or two, and their value after a space or '='.\n\n",
    );
    for row in TABLE {
        let names: Vec<String> = row.names.iter().map(|name| dashed(name)).collect();
        let left = format!("{} {}", names.join(", "), row.values.join(" "));
        let left = left.trim_end();
        if left.len() > LEFT_COLUMNS {
            text.push_str(&format!("  {left}\n"));
            text.push_str(&format!("  {:<LEFT_COLUMNS$} {}\n", "", row.help));
        } else {
            text.push_str(&format!("  {left:<LEFT_COLUMNS$} {}\n", row.help));
        }
    }
    text.push_str(
        "\nExit code: that of the first rank that fails, 128 + N when a signal N killed it, 124 \
         when time\nran out, 2 when nothing could be started, else 0.\n",
    );
    text
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
    fn help_has_every_name() {
        let help = help();
        assert!(TABLE
            .iter()
            .flat_map(|row| row.names)
            .all(|n| help.contains(&dashed(n))));
    }
}
