//! Generates the manual page and the completions of shells from the table of options.

use super::row::{Group, Row};
use super::text::{names, wrapped};
use super::{dashed, TABLE};

/// Names of the program that a shell completes.
const PROGRAMS: [&str; 2] = ["mpirun", "mpiexec"];

/// Columns of a line of the manual page's source.
const COLUMNS: usize = 70;

/// Values that a shell offers for an option, by the option's first name.
const CHOICES: &[(&str, &[&str])] = &[
    ("abi", &["ompi40", "mpich12", "standard"]),
    (
        "map-by",
        &[
            "slot", "node", "package", "numa", "l3cache", "core", "hwthread", "seq", "rankfile",
        ],
    ),
    ("rank-by", &["slot", "node", "fill", "span", "core"]),
    ("bind-to", &["none", "core", "hwthread", "package", "numa"]),
    ("display", &["map", "allocation", "bind"]),
];

/// Returns the manual page `mpirun(1)`.
pub fn manual() -> String {
    let mut text = format!(
        ".\\\" Made from the table of options; a test keeps it so.\n\
         .TH MPIRUN 1 2026-11-27 \"oxmpi {}\" \"MPI\"\n",
        env!("CARGO_PKG_VERSION")
    );
    text.push_str(MANUAL_HEAD);
    for group in Group::ALL {
        text.push_str(&format!(".SS \"{}\"\n", group.title()));
        for row in TABLE.iter().filter(|row| row.group == group) {
            text.push_str(&format!(".TP\n.B {}\n", roff(&names(row))));
            for line in wrapped(row.help, COLUMNS) {
                text.push_str(&format!("{}\n", roff(&line)));
            }
        }
    }
    text + MANUAL_TAIL
}

/// Returns a text as roff shows it unchanged.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}

const MANUAL_HEAD: &str = "\
.SH NAME
mpirun, mpiexec \\- start an MPI program
.SH SYNOPSIS
.B mpirun
[\\fIoptions\\fR] \\fIprogram\\fR [\\fIarguments\\fR]
[: [\\fIoptions\\fR] \\fIprogram\\fR ...]
.SH DESCRIPTION
Starts an MPI program on this machine, or on the hosts that are named.
A colon on its own separates the programs of one job.
Options take one dash or two, and a value after a space or \\(aq=\\(aq.
They are those of Open MPI 4 and 5 and of MPICH\\(aqs Hydra.
.SH OPTIONS
";

const MANUAL_TAIL: &str = "\
.SH EXIT STATUS
That of the first rank that fails; 128 + N when signal N killed it;
124 when the time limit ran out; 2 when nothing could be started;
1 when the output of ranks could not be written; else 0.
.SH EXAMPLES
.nf
mpirun \\-n 4 ./program
mpirun \\-\\-host n1:2,n2:2 ./program
mpirun \\-n 1 ./leader : \\-n 3 ./worker
.fi
.SH SEE ALSO
.BR oxmpi_info (1),
.BR mpicc (1),
.BR MPI_Init (3)
";

/// The first name of the option whose first value is a parameter.
const PARAMETER: &str = "mca";

/// Prints the names of all parameters, in any shell.
const PARAMETERS: &str = "--all --parsable 2>/dev/null | \
    sed -n \"s/^mca:[^:]*:[^:]*:param:\\([^:]*\\):value:.*/\\1/p\"";

/// Returns what bash completes. The file's name says for which programs: those of a package have an
/// ending, since their plain names may lead to another MPI.
pub fn bash() -> String {
    let mut cases = String::new();
    for row in TABLE {
        if let Some(offer) = bash_offer(row) {
            let spellings: Vec<String> = row.names.iter().flat_map(|name| dashes(name)).collect();
            cases.push_str(&format!("        {}) {offer} ;;\n", spellings.join("|")));
        }
    }
    let options: Vec<String> = TABLE
        .iter()
        .flat_map(|row| row.names)
        .map(|name| dashed(name))
        .collect();
    format!(
        "# Made from the table of options; a test keeps it so.\n\
         _oxmpi_mpirun() {{\n\
         \x20   local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n\
         \x20   local info=oxmpi_info\n\
         \x20   case $1 in */*) info=${{1%/*}}/oxmpi_info ;; esac\n\
         \x20   COMPREPLY=()\n\
         \x20   case $before in\n{cases}    esac\n\
         \x20   case $word in\n\
         \x20       -*) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n\
         \x20       *) COMPREPLY=($(compgen -c -- \"$word\") $(compgen -f -- \"$word\")) ;;\n\
         \x20   esac\n}}\n\
         case $BASH_SOURCE in\n\
         \x20   *.oxmpi) complete -o filenames -F _oxmpi_mpirun {} ;;\n\
         \x20   *) complete -o filenames -F _oxmpi_mpirun {} ;;\n\
         esac\n",
        options.join(" "),
        PROGRAMS.map(|program| format!("{program}.oxmpi")).join(" "),
        PROGRAMS.join(" ")
    )
}

fn bash_offer(row: &Row) -> Option<String> {
    let words = match choices(row) {
        None if row.names[0] == PARAMETER => format!("-W \"$(\"$info\" {PARAMETERS})\""),
        Some(choices) => format!("-W '{}'", choices.join(" ")),
        None => match row.values {
            [] => return None,
            ["FILE", ..] => "-f".to_string(),
            ["DIR", ..] => "-d".to_string(),
            _ if row.is_optional() => return None,
            _ => return Some("return".to_string()),
        },
    };
    Some(format!(
        "COMPREPLY=($(compgen {words} -- \"$word\")); return"
    ))
}

/// Returns what zsh completes, a function `_mpirun`.
pub fn zsh() -> String {
    let mut lines = String::new();
    for (row, name) in spellings() {
        let help = row.help.replace('\'', "'\\''");
        let help = help.replace('[', "\\[").replace(']', "\\]");
        let values: String = match row.is_optional() {
            true => String::new(),
            false => row
                .values
                .iter()
                .map(|value| zsh_value(row, value))
                .collect(),
        };
        lines.push_str(&format!("    '*{name}[{help}]{values}' \\\n"));
    }
    format!(
        "#compdef {}\n# Made from the table of options; a test keeps it so.\n\
         _oxmpi_parameters() {{\n\
         \x20   local info=oxmpi_info names\n\
         \x20   [[ $words[1] == */* ]] && info=${{words[1]:h}}/oxmpi_info\n\
         \x20   names=(${{(f)\"$($info {PARAMETERS})\"}})\n\
         \x20   compadd -a names\n}}\n_arguments -S \\\n\
         {lines}    '(-)1:program:_command_names -e' \\\n    '*::argument:_files'\n",
        PROGRAMS.join(" ")
    )
}

fn zsh_value(row: &Row, value: &str) -> String {
    let action = match (choices(row), value) {
        (Some(choices), _) => format!("({})", choices.join(" ")),
        (_, "FILE") => "_files".to_string(),
        (_, "DIR") => "_files -/".to_string(),
        (_, "NAME") if row.names[0] == PARAMETER => "_oxmpi_parameters".to_string(),
        _ => " ".to_string(),
    };
    let title = value.replace(['[', ']', ':'], " ");
    format!(":{}:{action}", title.trim())
}

/// Returns what fish completes.
pub fn fish() -> String {
    let mut text = "# Made from the table of options; a test keeps it so.\n".to_string();
    for program in PROGRAMS {
        for (row, name) in spellings() {
            let flag = match name.strip_prefix("--") {
                Some(long) => format!("-l {long}"),
                None if name.len() == 2 => format!("-s '{}'", &name[1..]),
                None => format!("-o {}", &name[1..]),
            };
            let value = match (choices(row), row.values) {
                _ if row.names[0] == PARAMETER => format!(" -x -a '(oxmpi_info {PARAMETERS})'"),
                (Some(choices), _) => format!(" -x -a '{}'", choices.join(" ")),
                (_, ["FILE" | "DIR", ..]) => " -r".to_string(),
                (_, []) => String::new(),
                _ if row.is_optional() => String::new(),
                _ => " -x".to_string(),
            };
            let help = row.help.replace('\\', "\\\\").replace('\'', "\\'");
            text.push_str(&format!(
                "complete -c {program} {flag}{value} -d '{help}'\n"
            ));
        }
    }
    text
}

fn choices(row: &Row) -> Option<&'static [&'static str]> {
    let found = CHOICES.iter().find(|(name, _)| *name == row.names[0]);
    found.map(|(_, choices)| *choices)
}

/// Each option by each of its names, as they are best written.
fn spellings() -> impl Iterator<Item = (&'static Row, String)> {
    let each = |row: &'static Row| row.names.iter().map(move |name| (row, dashed(name)));
    TABLE.iter().flat_map(each)
}

/// Returns a name with one dash and with two.
fn dashes(name: &str) -> [String; 2] {
    [format!("-{name}"), format!("--{name}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_in_each_text() {
        let (manual, bash, zsh, fish) = (manual(), bash(), zsh(), fish());
        for row in TABLE {
            assert!(manual.contains(&format!(".B {}\n", roff(&names(row)))));
            for name in row.names {
                let dashed = dashed(name);
                assert!(zsh.contains(&format!("'*{dashed}[")), "{dashed}");
                let word = |text: &str| text.split([' ', '\'']).any(|word| word == dashed);
                assert!(word(&bash), "{dashed}");
                let bare = dashed.trim_start_matches('-');
                let words = fish.split(' ').map(|word| word.trim_matches('\''));
                let flag = words.filter(|word| *word == bare).count();
                assert!(flag >= PROGRAMS.len(), "{dashed}");
            }
        }
    }

    #[test]
    fn offered_values_belong_to_options() {
        for (name, _) in CHOICES {
            let row = super::super::find(name).expect(name);
            assert_eq!((row.names[0], row.values.len()), (*name, 1));
        }
    }

    #[test]
    fn roff_shows_dots_and_backslashes() {
        assert_eq!(roff(".a-b\\c"), "\\&.a\\-b\\ec");
    }
}
