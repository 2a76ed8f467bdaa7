//! Tests of the pages as a whole, and of what they say of some functions.

use std::collections::BTreeMap;

use super::tables::is_match;
use super::*;
use crate::fsio;

fn all() -> BTreeMap<String, String> {
    let spec = Spec::read(&fsio::root().join("spec")).unwrap();
    let pages = pages(&spec).unwrap();
    let large = pages.iter().filter(|page| page.large.is_some()).count();
    assert_eq!(pages.len() + large, spec.functions.len());
    let text = |page: Page| (page.name, page.text);
    pages.into_iter().map(text).collect()
}

#[test]
fn a_page_says_what_each_argument_is_and_which_errors_there_are() {
    let pages = all();
    let receive = &pages["MPI_Recv"];
    for part in [
        "MPI_Recv, MPI_Recv_c \\- receive a message, blocking\n",
        "int MPI_Recv(void *buf, int count, MPI_Datatype datatype,",
        "    type(*), dimension(..) :: buf\n    integer, intent(in) :: count\n",
        "<type> buf(*)\n    integer count, datatype, source, tag, comm, status(MPI_STATUS_SIZE),",
        ".IR source \" (\" in )\nThe rank to receive from, \\fBMPI_ANY_SOURCE\\fR or ",
        ".B MPI_ERR_COMM\nThe communicator is not valid: comm.\n",
        ".B MPI_ERR_TRUNCATE\nThe message is longer than the receive buffer.\n",
        ".SH STANDARD\nMPI 5.0, section 3.2.4 (Point-to-Point Communication).\n",
    ] {
        assert!(receive.contains(part), "no {part} in {receive}");
    }
}

#[test]
fn forms_of_a_function_say_what_the_function_does() {
    let pages = all();
    for (name, parts) in [
        (
            "MPI_Igather",
            [
                "from all processes to one, without waiting",
                "of \\fBMPI_Gather\\fR",
            ],
        ),
        (
            "MPI_Bcast_init",
            ["again and again", "\\fBMPI_Start\\fR begins it each time"],
        ),
        (
            "MPI_File_read_all_end",
            [": end\n", "\\fBMPI_File_read_all_begin\\fR has begun"],
        ),
    ] {
        for part in parts {
            let part = part.replace("of \\fBMPI_Gather", "Begins what \\fBMPI_Gather");
            assert!(pages[name].contains(&part), "no {part} in {}", pages[name]);
        }
    }
}

#[test]
fn patterns_of_names_match_any_letters() {
    for (pattern, name, expected) in [
        ("MPI_Send", "MPI_Send", true),
        ("MPI_Send", "MPI_Send_init", false),
        ("MPI_Send*", "MPI_Send_init", true),
        ("*lltoallw*", "MPI_Neighbor_alltoallw_init", true),
        ("MPI_*_get", "MPI_Cart_get_x", false),
    ] {
        assert_eq!(is_match(pattern, name), expected, "{pattern} {name}");
    }
}

/// The calls' comments name sections, too.
#[test]
fn sections_are_those_that_the_calls_name() {
    let spec = Spec::read(&fsio::root().join("spec")).unwrap();
    let tables = Tables::read(&spec).unwrap();
    let mut compared = 0;
    for path in fsio::files_below(&fsio::root().join("crates/abi/src/calls"), "rs").unwrap() {
        for line in fsio::read(&path).unwrap().lines() {
            let Some((name, section)) = named_section(line) else {
                continue;
            };
            let Some(row) = tables.functions.iter().find(|row| row.name == name) else {
                continue;
            };
            compared += 1;
            let is_part = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}."));
            assert!(
                is_part(section, &row.section) || is_part(&row.section, section),
                "{name}: {section} in {}, {} in spec/manual.tsv",
                path.display(),
                row.section
            );
        }
    }
    assert!(compared > 100, "{compared} sections compared");
}

/// Returns the function and the section of a comment that begins "`MPI_X` (MPI 5.0, 3.2.1)".
fn named_section(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("/// `")?.split_once("` (MPI 5.0, ")?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    Some((name, rest[..end].trim_end_matches('.')))
}

/// Returns the words of a text that begin as MPI's names do; `MPI_WIN_*` is all that begin so.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let is_other = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '*');
    let words = text.split(is_other);
    words.filter(|word| word.starts_with("MPI_") || word.starts_with("PMPI_"))
}

#[test]
fn what_pages_name_exists() {
    const OTHERS: &[&str] = &[
        // Types of C that are no handles, and fields of a status.
        "MPI_Aint",
        "MPI_Count",
        "MPI_Offset",
        "MPI_ERROR",
        "MPI_SOURCE",
        "MPI_TAG",
    ];
    let folder = fsio::root().join("spec");
    let spec = Spec::read(&folder).unwrap();
    let functions = spec.functions.iter().map(|function| &*function.name);
    let constants = spec.constants.iter().map(|constant| &*constant.name);
    let types = spec.types.iter().map(|of| &*of.name);
    let known: Vec<&str> = functions
        .chain(constants)
        .chain(types)
        .chain(OTHERS.iter().copied())
        .collect();
    let mut errors = 0;
    for table in ["manual.tsv", "arguments.tsv"] {
        let text = fsio::read(&folder.join(table)).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with('#'));
        for name in rows.flat_map(names_in) {
            errors += usize::from(name.starts_with("MPI_ERR_"));
            let exists = known.iter().any(|known| is_match(name, known));
            assert!(exists, "spec/{table} names {name}, which is nowhere else");
        }
    }
    assert!(errors > 100, "{errors} classes of errors");
}
