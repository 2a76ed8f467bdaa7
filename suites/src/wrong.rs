//! Wrong arguments: each function is called with one at a time, and raises the class of error that
//! its manual page names.
//!
//! The calls are made from `spec/`: all arguments are right but one. `tests/manual/wrong.c` makes
//! the objects that they name, and compares.

use std::fmt::Write;

use super::programs::{compile, mpirun};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::gen::manual::{self, is_match, Checked};
use xtask::gen::spec::{Direction, Param, Spec};

/// Right values by name: functions, in which `*` stands for any letters, the parameter, the value.
const BY_NAME: &[(&str, &str, &str)] = &[
    ("MPI_Comm_spawn_multiple", "array_of_commands", "names"),
    ("MPI_Dist_graph_neighbors*", "comm", "adjacent"),
    ("MPI_File_set_view", "datarep", "\"native\""),
    ("MPI_Graph_*", "comm", "graph"),
    ("MPI_Graph_*", "index", "1"),
    ("MPI_Graph_*", "indx", "1"),
    ("MPI_P*_init*", "partitions", "2"),
    ("MPI_*ack_external*", "datarep", "\"external32\""),
    ("MPI_Parrived", "request", "parts_received"),
    ("MPI_Pready*", "request", "parts_sent"),
    ("MPI_Type_*", "*keyval", "type_key"),
    ("MPI_Type_create_subarray*", "array_of_starts", "0"),
    ("MPI_Win_attach", "win", "dynamic"),
    ("MPI_Win_detach", "win", "dynamic"),
    ("MPI_Win_*", "*keyval", "win_key"),
];

/// Right values by the kind of parameter; 1 where nothing is said.
const BY_KIND: &[(&str, &str)] = &[
    ("ASSERT", "0"),
    ("COORDINATE", "0"),
    ("DISPLACEMENT", "0"),
    ("DISTRIB_ENUM", "MPI_DISTRIBUTE_BLOCK"),
    ("DTYPE_DISTRIBUTION", "MPI_DISTRIBUTE_DFLT_DARG"),
    ("ERROR_CODE", "MPI_SUCCESS"),
    ("INDEX", "0"),
    ("KEYVAL", "comm_key"),
    ("LOCK_TYPE", "MPI_LOCK_SHARED"),
    ("MESSAGE", "MPI_MESSAGE_NO_PROC"),
    ("OFFSET", "0"),
    ("ORDER", "MPI_ORDER_C"),
    ("PARTITION", "0"),
    ("POLYDTYPE_PACK_SIZE", "4096"),
    ("POLYLOCATION", "0"),
    ("POLYNUM_BYTES", "4096"),
    ("POLYNUM_BYTES_NNI", "4096"),
    ("RANK", "0"),
    ("RANK_NNI", "0"),
    ("REQUEST", "MPI_REQUEST_NULL"),
    ("SPLIT_TYPE", "MPI_COMM_TYPE_SHARED"),
    ("THREAD_LEVEL", "MPI_THREAD_SINGLE"),
    ("TYPECLASS", "MPI_TYPECLASS_INTEGER"),
    ("TYPECLASS_SIZE", "4"),
];

/// Right values of handles.
const BY_TYPE: &[(&str, &str)] = &[
    ("MPI_Comm", "comm"),
    ("MPI_Datatype", "MPI_INT"),
    ("MPI_Errhandler", "MPI_ERRORS_RETURN"),
    ("MPI_File", "file"),
    ("MPI_Group", "group"),
    ("MPI_Info", "MPI_INFO_NULL"),
    ("MPI_Message", "MPI_MESSAGE_NO_PROC"),
    ("MPI_Op", "MPI_SUM"),
    ("MPI_Request", "MPI_REQUEST_NULL"),
    ("MPI_Session", "session"),
    ("MPI_Win", "win"),
];

const NUMBERS: [&str; 4] = ["int", "MPI_Aint", "MPI_Count", "MPI_Offset"];

/// Wrong values by the kind of parameter; -77 where nothing is said.
const WRONG: &[(&str, &str)] = &[("MATH", "77777"), ("RANK", "77"), ("RANK_NNI", "77")];

/// Left out: what one process cannot play behind MPI_Init, by functions and parameter. The first
/// process of MPI_Exscan receives nothing.
const LEFT_OUT: &[(&str, &str)] = &[("MPI_Init_thread", "required"), ("MPI_*xscan*", "recvbuf")];

/// Elements of the arrays that are passed.
const ROOM: usize = 64;

/// Compiles the calls, and makes them on one process.
pub fn run(world: &World) -> Result<Tally, String> {
    let spec = Spec::read(&fsio::root().join("spec"))?;
    let folder = fsio::target_dir().join("test/wrong");
    fsio::write(&folder.join("wrong_calls.h"), &calls(&spec)?)?;
    let source = fsio::root().join("tests/manual/wrong.c");
    let program = compile(
        world,
        &source,
        &[&format!("-I{}", folder.display()), "-O0", "-w"],
    )?;
    let job = mpirun(world, 1, &[]).arg(program);
    let said = job.arg(folder.join("file")).run()?;
    let mut tally = Tally::default();
    for line in said.out.lines() {
        match line
            .strip_suffix(" right")
            .and_then(|n| n.parse::<usize>().ok())
        {
            Some(right) => tally.passed += right,
            None => tally.failed.push(line.to_string()),
        }
    }
    if !said.succeeded() && tally.failed.is_empty() {
        tally.failed.push(said.reason());
    }
    Ok(tally)
}

/// Returns functions in C that make one call each, and the table of them.
fn calls(spec: &Spec) -> Result<String, String> {
    let (mut functions, mut table) = (String::new(), String::new());
    let all = manual::checked(spec)?;
    let is_played = |of: &&Checked| {
        !LEFT_OUT.iter().any(|(functions, param)| {
            is_match(functions, &of.function.name) && *param == of.param.name
        })
    };
    for (at, checked) in all.iter().filter(is_played).enumerate() {
        let (function, param, class) =
            (&checked.function.name, &checked.param.name, &checked.class);
        let body = body(checked);
        let _ = writeln!(functions, "static int call_{at}(void)\n{{\n{body}}}\n");
        let _ = writeln!(
            table,
            "    {{call_{at}, \"{function}\", \"{param}\", \"{class}\", {class}}},"
        );
    }
    Ok(format!(
        "{functions}static const struct call calls[] = {{\n{table}}};\n"
    ))
}

fn body(checked: &Checked) -> String {
    let name = &checked.function.name;
    let (mut text, mut passed, mut end) = (String::new(), Vec::new(), None);
    for (at, param) in checked.function.params.iter().enumerate() {
        let is_wrong = std::ptr::eq(param, checked.param);
        let value = match element(name, param, is_wrong) {
            None => other(name, param, at, is_wrong),
            Some(value) if !param.is_pointer() => value,
            Some(value) => {
                let rows = if param.ty.ends_with("[3]") { "[3]" } else { "" };
                // A range has a first and a last rank, and a step.
                let set = match rows {
                    "" => format!("a{at}[i] = {value};"),
                    _ => format!("a{at}[i][0] = a{at}[i][1] = {value}, a{at}[i][2] = 1;"),
                };
                let _ = writeln!(
                    text,
                    "    static {} a{at}[{ROOM}]{rows};\n    \
                     for (int i = 0; i < {ROOM}; i++)\n        \
                     {set}",
                    param.base()
                );
                format!("a{at}")
            }
        };
        // A nonblocking call may report the error only at its end.
        if param.direction == Direction::Out && param.kind == "REQUEST" {
            end = Some(format!("MPI_Wait({value}, MPI_STATUS_IGNORE)"));
        }
        passed.push(value);
    }
    if let Some(name) = name.trim_end_matches("_c").strip_suffix("_begin") {
        end = Some(format!(
            "{name}_end({}, memory[0], MPI_STATUS_IGNORE)",
            passed[0]
        ));
    }
    let _ = writeln!(text, "    int code = {name}({});", passed.join(", "));
    let _ = match end {
        Some(end) => writeln!(text, "    return code ? code : {end};"),
        None => writeln!(text, "    return code;"),
    };
    text
}

/// Returns the value of a number or a handle, or of each element of an array of these.
fn element(function: &str, param: &Param, is_wrong: bool) -> Option<String> {
    let base = param.base();
    let is_number = NUMBERS.contains(&base);
    let handle = find(BY_TYPE, base);
    let is_root = param.name == "root";
    let value = match (is_number, is_wrong) {
        (true, true) if is_root => "77",
        (true, true) => find(WRONG, &param.kind).unwrap_or("-77"),
        (true, false) if is_root => "0",
        (true, false) => {
            let known = named(function, param).or(find(BY_KIND, &param.kind));
            known.unwrap_or("1")
        }
        (false, true) => return handle.map(|_| format!("({base})NO_HANDLE")),
        (false, false) => named(function, param)
            .filter(|_| handle.is_some())
            .or(handle)?,
    };
    Some(value.to_string())
}

/// Returns the value of any other argument.
fn other(function: &str, param: &Param, at: usize, is_wrong: bool) -> String {
    match named(function, param) {
        Some(value) => value.to_string(),
        None if is_wrong => "NULL".to_string(),
        None if param.kind == "STATUS" && param.direction == Direction::Out => {
            "MPI_STATUS_IGNORE".to_string()
        }
        None => format!("(void *)memory[{at}]"),
    }
}

fn named(function: &str, param: &Param) -> Option<&'static str> {
    let is_it = |(functions, name, _): &&(&str, &str, &str)| {
        is_match(functions, function) && is_match(name, &param.name)
    };
    BY_NAME.iter().find(is_it).map(|(.., value)| *value)
}

fn find<'a>(table: &'a [(&str, &'a str)], key: &str) -> Option<&'a str> {
    table
        .iter()
        .find(|(known, _)| *known == key)
        .map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_argument_is_wrong() {
        let spec = Spec::read(&fsio::root().join("spec")).unwrap();
        let text = calls(&spec).unwrap();
        for call in [
            "MPI_Send((void *)memory[0], 1, MPI_INT, 77, 1, comm)",
            "MPI_Send((void *)memory[0], 1, MPI_INT, 0, 1, (MPI_Comm)NO_HANDLE)",
            "MPI_Send(NULL, 1, MPI_INT, 0, 1, comm)",
            "MPI_File_read_all_end(file, memory[0], MPI_STATUS_IGNORE)",
        ] {
            assert!(text.contains(call), "no {call} in {text}");
        }
    }
}
