//! Writes one manual page.

use std::fmt::Write;

use super::super::fortran::synopsis;
use super::super::header;
use super::super::spec::{Direction, Factor, Function, Length, Param, Spec};
use super::tables::{find, Row, Scope, Tables};

/// The date of every page: that of the text, not of the build, so that equal sources make equal
/// pages.
const DATE: &str = "2026-11-27";

/// The chapters of the standard that functions are in.
const CHAPTERS: [(&str, &str); 15] = [
    ("3", "Point-to-Point Communication"),
    ("4", "Partitioned Point-to-Point Communication"),
    ("5", "Datatypes"),
    ("6", "Collective Communication"),
    ("7", "Groups, Contexts, Communicators, and Caching"),
    ("8", "Virtual Topologies for MPI Processes"),
    ("9", "MPI Environmental Management"),
    ("10", "The Info Object"),
    ("11", "Process Initialization, Creation, and Management"),
    ("12", "One-Sided Communications"),
    ("13", "External Interfaces"),
    ("14", "I/O"),
    ("15", "Tool Support"),
    ("16", "Deprecated Interfaces"),
    ("19", "Language Bindings"),
];

/// The chapter on the binary interface.
const ABI: (&str, &str) = ("20", "Application Binary Interface (ABI)");

/// Most functions that a page refers to.
const SEE_ALSO_MAX: usize = 12;

/// Returns the page of a function.
pub fn page(spec: &Spec, tables: &Tables, row: &Row) -> Result<String, String> {
    let function = find(spec, &row.name).ok_or_else(|| format!("no function {}", row.name))?;
    let large = find(spec, &format!("{}_c", row.name));
    let mut out = format!(
        ".\\\" Made from the tables in spec/; do not edit.\n\
         .TH {} 3 {DATE} \"oxmpi {}\" \"MPI 5.0\"\n.nh\n.SH NAME\n",
        row.name,
        env!("CARGO_PKG_VERSION")
    );
    let names: Vec<&str> = [Some(function), large]
        .into_iter()
        .flatten()
        .map(|function| function.name.as_str())
        .collect();
    let _ = writeln!(out, "{} \\- {}", names.join(", "), roff(&row.purpose));
    synopsis(spec, function, large, &mut out)?;
    parameters(tables, function, large, &mut out)?;
    description(function, large, row, &mut out);
    returned(spec, tables, function, row, &mut out)?;
    standard(row, &mut out)?;
    see_also(tables, row, &mut out);
    Ok(out)
}

fn synopsis(
    spec: &Spec,
    function: &Function,
    large: Option<&Function>,
    out: &mut String,
) -> Result<(), String> {
    out.push_str(".SH SYNOPSIS\n.B C\n.PP\n.nf\n#include <mpi.h>\n\n");
    for function in [Some(function), large].into_iter().flatten() {
        code(&header::prototype(function, ""), ", ", out);
    }
    out.push_str(".fi\n");
    let forms = synopsis::forms(spec, &function.name)?;
    let uses = [
        ("Fortran 2008", "use mpi_f08", forms.new),
        ("Fortran", "use mpi  ! or: include \"mpif.h\"", forms.old),
    ];
    for (title, line, lines) in uses {
        let Some((head, declared)) = lines.split_first() else {
            continue;
        };
        let _ = write!(out, ".PP\n.B {title}\n.PP\n.nf\n{}\n\n", roff(line));
        code(head, ", ", out);
        for line in declared {
            code(&format!("    {line}"), ", ", out);
        }
        out.push_str(".fi\n");
    }
    Ok(())
}

/// Writes a line of code, broken so that it fits a terminal.
fn code(line: &str, parting: &str, out: &mut String) {
    let mut column = 0;
    for (at, part) in line.trim_end().split(parting).enumerate() {
        if at > 0 && column + part.len() > 72 {
            out.push_str(",\n        ");
            column = 8;
        } else if at > 0 {
            out.push_str(parting);
            column += parting.len();
        }
        out.push_str(&roff(part).replace('-', "\\-"));
        column += part.len();
    }
    out.push('\n');
}

/// Writes what each parameter means, those that the large-count form alone has at the end.
fn parameters(
    tables: &Tables,
    function: &Function,
    large: Option<&Function>,
    out: &mut String,
) -> Result<(), String> {
    if function.params.is_empty() {
        return Ok(());
    }
    out.push_str(".SH PARAMETERS\n");
    let is_new = |param: &&Param| function.params.iter().all(|other| other.name != param.name);
    let more = large
        .iter()
        .flat_map(|large| large.params.iter().filter(is_new));
    for param in function.params.iter().chain(more) {
        let name = match param.name.as_str() {
            "" => "...",
            name => name,
        };
        let way = match param.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "in, out",
        };
        let _ = writeln!(out, ".TP\n.IR {} \" (\" {} )", roff(name), quoted(way));
        let of = match is_new(&param) {
            true => large.unwrap_or(function),
            false => function,
        };
        let (meaning, extent) = (tables.meaning(of, param)?, extent(of, param));
        prose(&format!("{}.{extent}", capital(meaning)), out);
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    match text.contains(' ') {
        true => format!("\"{text}\""),
        false => text.to_string(),
    }
}

/// Returns how many elements an array has, where that is no buffer.
fn extent(function: &Function, param: &Param) -> String {
    let Length::Product(factors) = &param.length else {
        return String::new();
    };
    let is_count = |name: &str| {
        let mut params = function.params.iter();
        params.any(|p| p.name == name && p.base() != "MPI_Datatype" && !p.is_pointer())
    };
    match (param.kind.as_str(), factors.as_slice()) {
        ("BUFFER" | "C_BUFFER" | "STRING" | "LOGICAL_VOID", _) => String::new(),
        (_, [Factor::Param(count)]) if is_count(count) => format!(" An array of {count} elements."),
        (_, [Factor::Of { fact, .. }]) => match fact.as_str() {
            "size" => " One element for each process.".to_string(),
            "indegree" | "outdegree" => " One element for each neighbour.".to_string(),
            "ndims" => " One element for each dimension.".to_string(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

fn description(function: &Function, large: Option<&Function>, row: &Row, out: &mut String) {
    out.push_str(".SH DESCRIPTION\n");
    prose(&row.text, out);
    let whom = collective_over(function);
    match row.scope {
        Scope::Collective => {
            let _ = writeln!(out, ".PP\nCollective: {whom} must call it.");
        }
        Scope::Local => out.push_str(".PP\nLocal: it waits for no other process.\n"),
        Scope::Remote => {}
    }
    if let Some(large) = large {
        let _ = writeln!(
            out,
            ".PP\n.B {}\ntakes counts as MPI_Count, for more than 2147483647 elements; \
             Fortran's are integer(kind=MPI_COUNT_KIND).",
            large.name
        );
        if function.category != "tool" {
            out.push_str(
                "In the module mpi_f08 both have one name where arguments distinguish them.\n",
            );
        }
    }
    if let Some(version) = &function.deprecated {
        let _ = writeln!(
            out,
            ".PP\nDeprecated since MPI {version}: new programs should not use it."
        );
    }
}

fn collective_over(function: &Function) -> String {
    let given = function
        .params
        .iter()
        .filter(|param| param.direction != Direction::Out);
    let kinds = ["MPI_Comm", "MPI_Win", "MPI_File", "MPI_Group"];
    let mut found = given.filter(|param| kinds.contains(&param.base()));
    match found.next() {
        Some(param) => format!("every process of {}", param.name),
        None => "every process".to_string(),
    }
}

fn returned(
    spec: &Spec,
    tables: &Tables,
    function: &Function,
    row: &Row,
    out: &mut String,
) -> Result<(), String> {
    if function.returns != "int" || function.category == "handle-conversion" {
        out.push_str(".SH ERRORS\nNone are reported.\n");
        return Ok(());
    }
    out.push_str(".SH ERRORS\n");
    if function.category == "tool" {
        prose(
            "Returns MPI_SUCCESS, or an error code. No error handler is called.",
            out,
        );
    } else {
        prose(
            &format!(
                "Returns MPI_SUCCESS, or an error code, which Fortran has in ierror. Before \
                 that, the error handler {} is called; the one that is set at first ends the \
                 program{}.",
                handler(function),
                match function.category.as_str() {
                    "io" => ", but for files, where it returns the code",
                    _ => "",
                }
            ),
            out,
        );
    }
    for (class, params) in classes(spec, function, row) {
        let text = tables
            .errors
            .get(&class)
            .ok_or_else(|| format!("{}: no class of errors is called {class}", row.name))?;
        let _ = writeln!(out, ".TP\n.B {class}");
        let about = match params.is_empty() {
            true => String::new(),
            false => format!(": {}", params.join(", ")),
        };
        prose(&format!("{}{about}.", capital(text)), out);
    }
    Ok(())
}

/// Returns the classes of errors, each with the parameters that raise it.
fn classes(spec: &Spec, function: &Function, row: &Row) -> Vec<(String, Vec<String>)> {
    let mut classes: Vec<(String, Vec<String>)> = Vec::new();
    for (param, class) in checked(spec, function, row) {
        match classes.iter_mut().find(|(known, _)| *known == class) {
            Some((_, params)) => params.push(param.name.clone()),
            None => classes.push((class, vec![param.name.clone()])),
        }
    }
    for class in &row.errors {
        if !classes.iter().any(|(known, _)| known == class) {
            classes.push((class.clone(), Vec::new()));
        }
    }
    classes
}

/// Returns the parameters that can be wrong, each with the class of errors that it raises.
pub fn checked<'a>(spec: &Spec, function: &'a Function, row: &Row) -> Vec<(&'a Param, String)> {
    let class = |param: &Param| {
        let instead = row.instead.iter().find(|(name, _)| *name == param.name);
        match (instead, param.name.as_str()) {
            (Some((_, class)), _) => class.clone(),
            (None, "root") => Some("MPI_ERR_ROOT".to_string()),
            (None, _) => spec.kinds.get(&param.kind)?.error.clone(),
        }
    };
    let is_given = |param: &&Param| param.direction != Direction::Out || param.kind == "BUFFER";
    let given = function.params.iter().filter(is_given);
    given
        .filter_map(|param| Some((param, class(param)?)))
        .collect()
}

fn handler(function: &Function) -> String {
    let of = |ty: &str| {
        let mut params = function.params.iter();
        params.find(|param| param.base() == ty && param.direction != Direction::Out)
    };
    for (ty, kind) in [
        ("MPI_Comm", "the communicator"),
        ("MPI_Win", "the window"),
        ("MPI_File", "the file"),
        ("MPI_Session", "the session"),
    ] {
        if of(ty).is_some() {
            return format!("of {kind}");
        }
    }
    "of MPI_COMM_SELF, or the one of the operation's own object,".to_string()
}

fn standard(row: &Row, out: &mut String) -> Result<(), String> {
    let chapter = row.section.split('.').next().unwrap_or_default();
    let found = CHAPTERS.iter().chain([&ABI]).find(|(n, _)| *n == chapter);
    let (_, title) = found.ok_or_else(|| format!("{}: no chapter {chapter}", row.name))?;
    let place = match row.section == chapter {
        true => format!("chapter {chapter}"),
        false => format!("section {}", row.section),
    };
    let _ = writeln!(out, ".SH STANDARD\nMPI 5.0, {place} ({title}).");
    Ok(())
}

/// Refers to the functions of the same section, those nearest in the table first, and to those that
/// the text names.
fn see_also(tables: &Tables, row: &Row, out: &mut String) {
    let parent = |section: &str| -> String {
        let parts: Vec<&str> = section.split('.').take(2).collect();
        parts.join(".")
    };
    let at = tables
        .functions
        .iter()
        .position(|other| other.name == row.name);
    let mut beside: Vec<(bool, usize, &str)> = (tables.functions.iter().enumerate())
        .filter(|(_, other)| other.name != row.name)
        .filter(|(_, other)| parent(&other.section) == parent(&row.section))
        .map(|(place, other)| {
            let distance = place.abs_diff(at.unwrap_or(0));
            (other.section != row.section, distance, other.name.as_str())
        })
        .collect();
    beside.sort_unstable();
    beside.truncate(SEE_ALSO_MAX);
    let mut names: Vec<&str> = beside.into_iter().map(|(_, _, name)| name).collect();
    let named = row.text.split(|c: char| !c.is_alphanumeric() && c != '_');
    for name in named {
        let is_function = tables.functions.iter().any(|other| other.name == name);
        if is_function && name != row.name && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        names.push("mpirun");
    }
    names.sort_unstable();
    out.push_str(".SH SEE ALSO\n");
    for (at, name) in names.iter().enumerate() {
        let comma = if at + 1 < names.len() { " ," } else { "" };
        let section = if *name == "mpirun" { 1 } else { 3 };
        let _ = writeln!(
            out,
            ".BR {name} ({section}){comma}",
            comma = comma.trim_start()
        );
    }
}

/// Writes sentences, each on a line of its own, with MPI's names in bold.
fn prose(text: &str, out: &mut String) {
    let text = text.trim();
    for sentence in text.split_inclusive(". ") {
        let mut line = String::new();
        for (at, word) in sentence.trim().split(' ').enumerate() {
            if at > 0 {
                line.push(' ');
            }
            line.push_str(&bold(word));
        }
        let _ = writeln!(out, "{line}");
    }
}

/// Returns a word of prose, in bold where it is a name of MPI.
fn bold(word: &str) -> String {
    let start = word.find("MPI_").filter(|at| {
        let before = &word[..*at];
        before.chars().all(|c| !c.is_alphanumeric())
    });
    let Some(start) = start else {
        return roff(word);
    };
    let tail = &word[start..];
    let end = tail
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '*')
        .unwrap_or(tail.len());
    format!(
        "{}\\fB{}\\fR{}",
        roff(&word[..start]),
        roff(&tail[..end]),
        roff(&tail[end..])
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !text.starts_with("argv") => first.to_uppercase().chain(letters).collect(),
        _ => text.to_string(),
    }
}

/// Returns text as roff shows it unchanged.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('\'', "\\(aq");
    match text.starts_with('.') {
        true => format!("\\&{text}"),
        false => text,
    }
}
