//! The table of options: spellings, arguments, effect and help line of each.
//!
//! Spellings are those of Open MPI 4, Open MPI 5 and Hydra. All are accepted with one dash or two,
//! and with `=` before a value. The help of an option without effect says so, and why. The help
//! text, `docs/mpirun.md`, the manual page and the completions of shells are made from the table.

mod manual;
mod row;
mod table;
mod text;

pub use manual::{bash, fish, manual, zsh};
pub use row::{Effect, Group, Row};
pub use table::TABLE;
pub use text::{help, markdown};

/// The text of `--version`, with `{name}` for the program's name. Tools that start jobs look in it
/// for the words `Open MPI` or `HYDRA`, to learn which options they may use; those of both work.
/// Others print the last word of the line with the program's name as its version.
pub const VERSION: &str = concat!(
    "{name} (oxmpi) ",
    env!("CARGO_PKG_VERSION"),
    "\n\nAccepts the options of Open MPI 4.1 and 5.0, and of MPICH's HYDRA.\n"
);

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
