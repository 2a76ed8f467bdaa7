//! Generates `entries.rs`, one row per MPI function.
//!
//! A row gives the C parameters, the wall that suits the function, and the call behind it, or the
//! function of [`decode`] that makes its arguments. `MPI_X` and `MPI_X_c` share one call: where
//! they differ by the width of integers, both bring them to one form.
//!
//! A pair whose parameters differ otherwise (their number, or the type of a callback) has two
//! calls. So has one where the call of the large form is written, with the arguments of the small
//! one: it may have to do something else.

use std::fmt::Write;

use super::scan::Calls;
use super::shapes::{shapes, wide, Shape};
use super::spec::{Function, Param, Spec};
use super::{decode, note, rust};

const USES: &str = "\
#![allow(non_snake_case, unused_imports, unused_variables)]
#![allow(clippy::needless_update, clippy::redundant_closure)]

use std::ffi::c_void;

use abi_state::args::{self, IntPtr};
use abi_state::failure::On;
use abi_state::generated::constants::*;
use abi_state::generated::types::*;
use abi_state::hooks;

use super::decode;
use crate::calls;
use crate::entry::entry;
use crate::wall;

";

/// The generated `entries.rs`.
pub fn entries(spec: &Spec, calls: &Calls) -> Result<String, String> {
    let mut out = String::from("//! The C entry points: every `MPI_` and `PMPI_` function.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str(USES);
    for (at, shape) in shapes(spec, calls).iter().enumerate() {
        out.push_str(&row(&spec.functions[at], shape, calls)?);
    }
    Ok(out)
}

/// The generated `functions.rs` of `tools`, which does not use `abi`.
pub fn functions(spec: &Spec) -> String {
    let mut out = String::from("//! Every MPI function.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str("/// The names, sorted.\npub const FUNCTIONS: &[&str] = &[\n");
    for function in &spec.functions {
        let _ = writeln!(out, "    \"{}\",", function.name);
    }
    out.push_str("];\n");
    out
}

fn row(function: &Function, shape: &Shape, calls: &Calls) -> Result<String, String> {
    let mut params = Vec::new();
    let mut args = Vec::new();
    // `MPI_Pcontrol` alone is variadic; Rust cannot define such a function, and in C's calling
    // convention one that ignores the tail may be called with it.
    let fixed = function.params.iter().zip(&shape.poly);
    for (param, poly) in fixed.filter(|(param, _)| param.ty != "...") {
        let name = rust::ident(&param.name);
        params.push(format!("{name}: {}", rust::ty(&param.ty)?));
        let form = wide(&param.ty).filter(|_| *poly).unwrap_or("@");
        args.push(form.replace('@', &name));
    }
    let returns = rust::ty(&function.returns)?;
    let Some(module) = calls.get(&shape.call) else {
        return Err(format!(
            "{}: no file below crates/abi/src/calls has a function `{}`",
            function.name, shape.call
        ));
    };
    let path = match decode::is_needed(function, shape) {
        true => format!("decode::{}", shape.name),
        false => format!("calls::{module}::{}", shape.call),
    };
    let call = format!("{path}({})", args.join(", "));
    Ok(format!(
        "entry!({0} P{0}({1}) -> {returns} {{\n    {2}\n}});\n",
        function.name,
        params.join(", "),
        body(function, call)
    ))
}

/// The wall that suits the function: tools' errors meet no error handler, and a function that does
/// not return an error code cannot fail.
fn body(function: &Function, call: String) -> String {
    let name = &function.name;
    let is_value = function.returns != "int" || function.category == "handle-conversion";
    let is_tool = name.starts_with("MPI_T_");
    let nulls = nulls(function);
    let call = match nulls.is_empty() {
        true => call,
        false => format!("{}.inspect_err(|_| {{ {nulls} }})", checked(function, call)),
    };
    if is_value {
        return format!("wall::value(\"{name}\", || {call})");
    }
    if is_tool {
        return format!("wall::tool(\"{name}\", || {call})");
    }
    match note::note(function) {
        None => format!("wall::call(&\"{name}\", {}, move || {call})", on(function)),
        Some(note) => format!(
            "wall::call_noted(&\"{name}\", {}, move || {note}, move || {call})",
            on(function)
        ),
    }
}

/// Functions whose handles behind pointers exist before the call, beside those that free one.
const CHANGING: [&str; 10] = [
    "MPI_Cancel",
    "MPI_Comm_disconnect",
    "MPI_File_close",
    "MPI_Imrecv",
    "MPI_Mrecv",
    "MPI_Session_finalize",
    "MPI_Start",
    "MPI_Test",
    "MPI_Type_commit",
    "MPI_Wait",
];

/// Returns the code that a function runs when it fails: it leaves null handles where it would have
/// stored new ones.
pub(super) fn nulls(function: &Function) -> String {
    let nullify = |(param, handle): (&Param, &str)| {
        let null = format!("{}_NULL", handle.to_uppercase());
        format!("args::nullify({}, {null});", rust::ident(&param.name))
    };
    let out: Vec<String> = made(function).into_iter().map(nullify).collect();
    out.join(" ")
}

/// Puts a call behind checks of the slots for the handles that it makes, before any peer knows of
/// it: a message that was sent could not be recalled, nor a communicator that peers have by then.
fn checked(function: &Function, call: String) -> String {
    let check = |(param, _): (&Param, &str)| {
        let name = rust::ident(&param.name);
        format!("args::require({name}, \"{}\").and_then(|()| ", param.name)
    };
    let checks: Vec<String> = made(function).into_iter().map(check).collect();
    format!("{}{call}{}", checks.concat(), ")".repeat(checks.len()))
}

/// The parameters through which a function gives new handles, and the handles' types.
fn made(function: &Function) -> Vec<(&Param, &str)> {
    let base = function.name.trim_end_matches("_c");
    if base.starts_with("MPI_T_") {
        return Vec::new();
    }
    let changes = base.ends_with("_free") || CHANGING.contains(&base);
    let made = |param| -> Option<(&Param, &str)> {
        let param: &Param = param;
        let handle = param.ty.strip_suffix('*').filter(|ty| is_handle(ty))?;
        let new = !changes || (base == "MPI_Imrecv" && param.name == "request");
        new.then_some((param, handle))
    };
    function.params.iter().filter_map(made).collect()
}

/// Whether a C type is that of a handle of MPI, but for those of the tool interface.
pub(crate) fn is_handle(ty: &str) -> bool {
    const HANDLES: [&str; 11] = [
        "MPI_Comm",
        "MPI_Datatype",
        "MPI_Errhandler",
        "MPI_File",
        "MPI_Group",
        "MPI_Info",
        "MPI_Message",
        "MPI_Op",
        "MPI_Request",
        "MPI_Session",
        "MPI_Win",
    ];
    HANDLES.contains(&ty)
}

/// The object whose error handler an error of the function goes to (MPI 5.0, 9.3).
fn on(function: &Function) -> String {
    let first = |ty: &str| {
        function
            .params
            .iter()
            .find(|param| param.ty == ty)
            .map(|param| rust::ident(&param.name))
    };
    if function.category == "io" {
        return match first("MPI_File") {
            Some(file) => format!("On::File({file})"),
            None => "On::NoFile".to_string(),
        };
    }
    for (ty, variant) in [
        ("MPI_Comm", "Comm"),
        ("MPI_Win", "Win"),
        ("MPI_File", "File"),
        ("MPI_Session", "Session"),
        // Functions that make an object which does not exist yet are given its handler.
        ("MPI_Errhandler", "Handler"),
    ] {
        if let Some(name) = first(ty) {
            return format!("On::{variant}({name})");
        }
    }
    "On::Nothing".to_string()
}
