//! The C functions that stand in for those of the library.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::arguments::{returned, Argument};
use xtask::gen::fortran::model::{Form, Routine};
use xtask::gen::header::prototype;

/// Objects that have attributes, and those that have error handlers.
const OBJECTS: [&str; 3] = ["Comm", "Type", "Win"];
const HANDLED: [&str; 4] = ["Comm", "File", "Session", "Win"];

/// Returns the C function that a routine calls: procedures and attributes of Fortran need the
/// library's extensions, which stand in `recorder.h`.
pub fn c_name(name: &str) -> String {
    let rest = name.strip_prefix("MPI_").unwrap_or(name);
    let (object, act) = rest.split_once('_').unwrap_or((rest, ""));
    match (object, act) {
        ("Attr", "get" | "put") => {
            let act = if act == "get" { "get" } else { "set" };
            format!("MPIX_Comm_{act}_attr_as_fortran")
        }
        ("Keyval", "create") => "MPIX_Comm_create_keyval_x".to_string(),
        ("Op", "create" | "create_c") => "MPIX_Op_create_x".to_string(),
        (object, "get_attr" | "set_attr") if OBJECTS.contains(&object) => {
            format!("MPIX_{rest}_as_fortran")
        }
        (object, "create_keyval") if OBJECTS.contains(&object) => format!("MPIX_{rest}_x"),
        (object, "create_errhandler") if HANDLED.contains(&object) => format!("MPIX_{rest}_x"),
        _ => name.to_string(),
    }
}

/// Returns the C source: `recorder.h`, and a function for each routine.
pub fn source(routines: &[Routine]) -> Result<String, String> {
    let mut out = String::from("#include \"recorder.h\"\n\n");
    let params = routines.iter().flat_map(|routine| &routine.args);
    let callbacks: BTreeSet<&str> = params
        .filter(|arg| arg.form == Form::Callback)
        .map(|arg| arg.param.base())
        .collect();
    for callback in callbacks
        .iter()
        .filter(|name| !name.contains("_copy_attr_"))
    {
        if *callback != "MPI_Copy_function" {
            let _ = writeln!(out, "void every_{}_(void) {{}}", callback.to_lowercase());
        }
    }
    for routine in routines
        .iter()
        .filter(|routine| c_name(routine.name()) == routine.name())
    {
        let head = prototype(routine.function, "");
        let _ = writeln!(
            out,
            "\n{} {{\n    int k;\n    (void)k;",
            head.trim_end_matches(";\n")
        );
        for argument in Argument::all(routine) {
            for line in argument.c()? {
                let _ = writeln!(out, "    {line}");
            }
        }
        let name = routine.name();
        let _ = match routine.is_value() {
            true => {
                let value = returned(name).replace("_8", "").replace("d0", "");
                writeln!(out, "    recorded(\"{name}\");\n    return {value};\n}}")
            }
            false => writeln!(out, "    return recorded(\"{name}\");\n}}"),
        };
    }
    Ok(out)
}
