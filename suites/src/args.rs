//! The command line of `cargo xtask test`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Run a tier of the tests, without a name that of continuous integration, or one of them
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Test {
    #[command(subcommand)]
    pub what: Option<TestCommand>,
    #[command(flatten)]
    pub steps: Steps,
    /// Print the steps with their tiers
    #[arg(long)]
    pub list: bool,
}

/// A tier, or single tests.
#[derive(Debug, Subcommand)]
pub enum TestCommand {
    /// Run what a change can have broken, within 4 minutes
    Quick(Steps),
    /// Run everything, and note it in docs/results.tsv
    All(Steps),
    /// Run C programs of tests/c
    C(Programs),
    /// Play the simulated job of a seed, or the jobs from the first to the last
    Sim {
        #[arg(value_name = "SEED")]
        first: u64,
        last: Option<u64>,
    },
    /// Run tests of MPICH's suite (rma/put_base), or folders of it
    Mpich {
        #[arg(required = true, value_name = "TEST|FOLDER")]
        names: Vec<String>,
        #[command(flatten)]
        on: Installed,
    },
    /// Run programs that were built for other MPIs, each beside its run on its own
    Binaries {
        /// A part of their names
        #[arg(required = true, value_name = "TEXT")]
        texts: Vec<String>,
        /// Test the installation at DIR
        #[arg(long, value_name = "DIR", value_parser = xtask::folder)]
        prefix: Option<PathBuf>,
    },
}

/// Which steps of a tier.
#[derive(Debug, Args)]
pub struct Steps {
    /// Only steps whose name has this text, or the one step of any tier with this name
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Test the installation at DIR
    #[arg(long, value_name = "DIR", value_parser = xtask::folder)]
    pub prefix: Option<PathBuf>,
}

/// C programs, and how they run.
#[derive(Debug, Args)]
pub struct Programs {
    #[arg(required = true, value_name = "PROGRAM")]
    pub names: Vec<String>,
    /// Send messages over these carriers in turn
    #[arg(
        long,
        value_name = "CARRIER",
        value_delimiter = ',',
        default_value = "sm"
    )]
    pub over: Vec<String>,
    /// Run on this number of ranks, in place of those that a program names
    #[arg(short = 'n', value_parser = ranks)]
    pub ranks: Vec<usize>,
    #[command(flatten)]
    pub on: Installed,
}

/// An installation, and parameters.
#[derive(Debug, Args)]
pub struct Installed {
    /// Set a parameter
    #[arg(long, num_args = 2, value_names = ["NAME", "VALUE"])]
    pub mca: Vec<String>,
    /// Test the installation at DIR
    #[arg(long, value_name = "DIR", value_parser = xtask::folder)]
    pub prefix: Option<PathBuf>,
}

fn ranks(text: &str) -> Result<usize, String> {
    let ranks = text.parse().ok().filter(|ranks| *ranks > 0);
    ranks.ok_or("a job has at least one rank".to_string())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        test: Test,
    }

    fn parsed(line: &str) -> Result<Test, String> {
        let words = ["test"].into_iter().chain(line.split_whitespace());
        let line = Line::try_parse_from(words);
        line.map(|line| line.test)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn options_do_not_contradict_each_other() {
        Line::command().debug_assert();
    }

    #[test]
    fn programs_have_carriers_ranks_and_parameters() {
        let line = "c rma_basic threads --over sm,tcp -n 2 -n 4 --mca a 0 --mca b 1";
        let Some(TestCommand::C(programs)) = parsed(line).unwrap().what else {
            panic!("no programs");
        };
        assert_eq!(programs.names, ["rma_basic", "threads"]);
        assert_eq!(programs.over, ["sm", "tcp"]);
        assert_eq!(programs.ranks, [2, 4]);
        assert_eq!(programs.on.mca, ["a", "0", "b", "1"]);
    }

    #[test]
    fn what_does_not_fit_is_an_error_that_names_it() {
        for (line, named) in [
            ("fast", "'fast'"),
            ("quick more", "'more'"),
            ("--onyl x", "'--onyl'"),
            ("--only", "--only <TEXT>"),
            ("c a --mca name", "--mca <NAME> <VALUE>"),
            ("c", "<PROGRAM>"),
            ("mpich", "FOLDER"),
            ("binaries", "<TEXT>"),
            ("sim", "<SEED>"),
            ("sim 0x7", "'0x7'"),
            ("c threads --only x", "'--only'"),
            ("quick -n 2", "'-n'"),
            ("sim 1 --prefix /a", "'--prefix'"),
            ("c threads -n 0", "at least one rank"),
        ] {
            let why = parsed(line).unwrap_err();
            assert!(why.contains(named), "{line}: {why}");
        }
    }
}
