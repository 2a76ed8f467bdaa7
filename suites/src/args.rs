//! The command line of `cargo xtask test`.

use std::path::{absolute, PathBuf};

use super::programs::How;
use super::steps::Tier;

/// Usage of the command.
pub const USAGE: &str = "usage:
  cargo xtask test [quick|all] [--only TEXT] [--prefix DIR]
  cargo xtask test c PROGRAM... [--over CARRIER,...] [-n RANKS] [--mca NAME VALUE]... [--prefix DIR]
  cargo xtask test sim SEED [LAST]
  cargo xtask test mpich TEST|FOLDER... [--mca NAME VALUE]... [--prefix DIR]
  cargo xtask test binaries TEXT... [--prefix DIR]
  cargo xtask test --list";

/// The end of an error about the command line.
const SEE: &str = "; `cargo xtask test --help` tells the usage";

/// Request of the command line.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Print the usage.
    Help,
    /// Print the steps.
    List,
    /// Run steps.
    Steps {
        tier: Tier,
        /// Only those whose name has this text.
        only: Option<String>,
        prefix: Option<PathBuf>,
    },
    /// Run C programs.
    Programs {
        names: Vec<String>,
        /// The names of the carriers that messages go over.
        over: Vec<String>,
        how: How,
        prefix: Option<PathBuf>,
    },
    /// Play the simulated jobs of these seeds.
    Simulation { first: u64, last: Option<u64> },
    /// Run tests of MPICH's suite, or folders of it.
    Mpich {
        names: Vec<String>,
        mca: Vec<(String, String)>,
        prefix: Option<PathBuf>,
    },
    /// Run programs that were built for other MPIs, those whose names have one of the texts.
    Binaries {
        texts: Vec<String>,
        prefix: Option<PathBuf>,
    },
}

/// Options and arguments of a command line, before they are checked.
#[derive(Default)]
struct Words {
    plain: Vec<String>,
    help: bool,
    list: bool,
    only: Option<String>,
    prefix: Option<PathBuf>,
    over: Option<String>,
    ranks: Vec<usize>,
    mca: Vec<(String, String)>,
}

/// Reads the arguments after `test`.
pub fn parse(args: &[String]) -> Result<Command, String> {
    let mut words = Words::read(args)?;
    if words.help || words.list {
        return Ok(if words.help {
            Command::Help
        } else {
            Command::List
        });
    }
    let first = words.plain.first().cloned().unwrap_or_default();
    let rest: Vec<String> = words.plain.iter().skip(1).cloned().collect();
    let command = match first.as_str() {
        "c" => Command::Programs {
            names: some(rest, "c", "PROGRAM")?,
            over: carriers(words.over.take()),
            how: How {
                ranks: std::mem::take(&mut words.ranks),
                mca: std::mem::take(&mut words.mca),
            },
            prefix: words.prefix.take(),
        },
        "sim" => {
            let seeds = some(rest, "sim", "SEED")?;
            let seeds: Vec<u64> = seeds
                .iter()
                .map(|seed| number(seed))
                .collect::<Result<_, _>>()?;
            match seeds[..] {
                [first] => Command::Simulation { first, last: None },
                [first, last] if first <= last => Command::Simulation {
                    first,
                    last: Some(last),
                },
                _ => return Err(format!("sim takes a seed, or the first and the last{SEE}")),
            }
        }
        "mpich" => Command::Mpich {
            names: some(rest, "mpich", "TEST or FOLDER")?,
            mca: std::mem::take(&mut words.mca),
            prefix: words.prefix.take(),
        },
        "binaries" => Command::Binaries {
            texts: some(rest, "binaries", "TEXT")?,
            prefix: words.prefix.take(),
        },
        name => {
            let tier = match name {
                "" => Tier::Ci,
                "quick" => Tier::Quick,
                "all" => Tier::All,
                _ => return Err(format!("no tier or kind of test `{name}`{SEE}")),
            };
            if let Some(more) = rest.first() {
                return Err(format!("`{more}` does not belong here{SEE}"));
            }
            Command::Steps {
                tier,
                only: words.only.take(),
                prefix: words.prefix.take(),
            }
        }
    };
    match words.left() {
        Some(option) => Err(format!("{option} is not for `test {first}`{SEE}")),
        None => Ok(command),
    }
}

impl Words {
    fn read(args: &[String]) -> Result<Words, String> {
        let mut words = Words::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || {
                args.next()
                    .cloned()
                    .ok_or(format!("{arg} needs a value{SEE}"))
            };
            match arg.as_str() {
                "-h" | "--help" => words.help = true,
                "--list" => words.list = true,
                "--only" => words.only = Some(value()?),
                // Programs run in folders of their own.
                "--prefix" => {
                    let folder =
                        absolute(value()?).map_err(|error| format!("--prefix: {error}"))?;
                    words.prefix = Some(folder);
                }
                "--over" => words.over = Some(value()?),
                "-n" => words.ranks.push(match number(&value()?)? {
                    0 => return Err("-n 0: a job has at least one rank".to_string()),
                    ranks => ranks as usize,
                }),
                "--mca" => {
                    let parameter = value()?;
                    words.mca.push((parameter, value()?));
                }
                _ if arg.starts_with('-') => {
                    return Err(format!("option `{arg}` is not known{SEE}"));
                }
                _ => words.plain.push(arg.clone()),
            }
        }
        Ok(words)
    }

    /// Returns an option that nobody has taken.
    fn left(&self) -> Option<&'static str> {
        [
            ("--only", self.only.is_some()),
            ("--prefix", self.prefix.is_some()),
            ("--over", self.over.is_some()),
            ("-n", !self.ranks.is_empty()),
            ("--mca", !self.mca.is_empty()),
        ]
        .into_iter()
        .find_map(|(option, is_left)| is_left.then_some(option))
    }
}

fn some(names: Vec<String>, kind: &str, what: &str) -> Result<Vec<String>, String> {
    match names.is_empty() {
        true => Err(format!("`test {kind}` needs a {what}{SEE}")),
        false => Ok(names),
    }
}

/// Returns the carriers of a list; shared memory without one.
fn carriers(list: Option<String>) -> Vec<String> {
    let list = list.unwrap_or_else(|| "sm".to_string());
    list.split(',').map(str::to_string).collect()
}

fn number(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is no whole number{SEE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        parse(&args)
    }

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| word.to_string()).collect()
    }

    #[test]
    fn a_tier_is_continuous_integrations_unless_another_is_named() {
        for (line, tier) in [("", Tier::Ci), ("quick", Tier::Quick), ("all", Tier::All)] {
            let steps = Command::Steps {
                tier,
                only: None,
                prefix: None,
            };
            assert_eq!(parsed(line), Ok(steps));
        }
        let narrowed = Command::Steps {
            tier: Tier::All,
            only: Some("c-sm".to_string()),
            prefix: Some("/a/b".into()),
        };
        assert_eq!(parsed("--only c-sm all --prefix /a/b"), Ok(narrowed));
        assert_eq!(parsed("quick --list"), Ok(Command::List));
        assert_eq!(parsed("--help"), Ok(Command::Help));
    }

    #[test]
    fn programs_have_carriers_ranks_and_parameters() {
        let line = "c rma_basic threads --over sm,tcp -n 2 -n 4 --mca btl_sm_eager_limit 0";
        let programs = Command::Programs {
            names: strings(&["rma_basic", "threads"]),
            over: strings(&["sm", "tcp"]),
            how: How {
                ranks: vec![2, 4],
                mca: vec![("btl_sm_eager_limit".to_string(), "0".to_string())],
            },
            prefix: None,
        };
        assert_eq!(parsed(line), Ok(programs));
        let plain = Command::Programs {
            names: strings(&["threads"]),
            over: strings(&["sm"]),
            how: How::default(),
            prefix: None,
        };
        assert_eq!(parsed("c threads"), Ok(plain));
    }

    #[test]
    fn seeds_are_one_or_from_first_to_last() {
        let seed = |first, last| Ok(Command::Simulation { first, last });
        assert_eq!(parsed("sim 7"), seed(7, None));
        assert_eq!(parsed("sim 7 9"), seed(7, Some(9)));
        assert!(parsed("sim 9 7")
            .unwrap_err()
            .contains("the first and the last"));
        assert!(parsed("sim 0x7").unwrap_err().contains("`0x7`"));
    }

    #[test]
    fn tests_of_mpich_are_named() {
        let mpich = Command::Mpich {
            names: strings(&["rma/put_base"]),
            mca: Vec::new(),
            prefix: None,
        };
        assert_eq!(parsed("mpich rma/put_base"), Ok(mpich));
    }

    #[test]
    fn programs_for_other_mpis_are_named_by_a_part() {
        let binaries = Command::Binaries {
            texts: strings(&["h5py", "on mpich12"]),
            prefix: None,
        };
        let args = strings(&["binaries", "h5py", "on mpich12"]);
        assert_eq!(parse(&args), Ok(binaries));
    }

    #[test]
    fn what_does_not_fit_is_an_error_that_names_it() {
        for (line, told) in [
            ("fast", "`fast`"),
            ("quick more", "`more`"),
            ("--onyl x", "`--onyl`"),
            ("--only", "--only needs a value"),
            ("--mca name", "--mca needs a value"),
            ("c", "PROGRAM"),
            ("mpich", "FOLDER"),
            ("binaries", "TEXT"),
            ("sim", "SEED"),
            ("c threads --only x", "--only is not for `test c`"),
            ("quick -n 2", "-n is not for `test quick`"),
            ("sim 1 --prefix /a", "--prefix is not for `test sim`"),
            ("c threads -n 0", "-n 0"),
        ] {
            let why = parsed(line).unwrap_err();
            assert!(why.contains(told), "{line}: {why}");
        }
    }
}
