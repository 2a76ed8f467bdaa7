//! The generated `entries.rs` (one row per MPI function) and `api.rs` (what is implemented).
//!
//! A row gives the C parameters and the call behind them. `MPI_X` and `MPI_X_c` share one call: a
//! parameter whose C type differs between the two reaches it in one form, so that a call is written
//! once:
//!
//! | C, small and large                    | the call gets          |
//! |---------------------------------------|------------------------|
//! | `int`, `MPI_Aint`, `MPI_Count`        | `i64`                  |
//! | arrays of them                        | `args::Counts`         |
//! | pointers to them, for results         | `args::OutCount`       |
//!
//! A pair whose parameters differ otherwise (their number, or the type of a callback) has two
//! calls. So has one where the call of the large form is written, with the arguments of the small
//! one: it may have to do something else.

use std::fmt::Write;

use super::rust;
use super::scan::Calls;
use super::spec::{Function, Param, Spec};

const USES: &str = "\
#![allow(non_snake_case, unused_imports, unused_variables, clippy::redundant_closure)]

use std::ffi::c_void;

use super::types::*;
use super::constants::*;
use crate::args::{self, Counts, OutCount};
use crate::calls;
use crate::entry::entry;
use crate::failure::On;
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

/// The generated `api.rs` of `abi`.
pub fn api(spec: &Spec, calls: &Calls) -> String {
    let mut out =
        String::from("//! Every MPI function: name, category, whether it is implemented.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str(
        "/// Name, category, implemented; by name. What is not implemented raises\n\
         /// `MPI_ERR_UNSUPPORTED_OPERATION`.\n\
         pub const API: &[(&str, &str, bool)] = &[\n",
    );
    for (function, shape) in spec.functions.iter().zip(shapes(spec, calls)) {
        let there = calls.contains_key(&shape.call);
        let _ = writeln!(
            out,
            "    (\"{}\", \"{}\", {there}),",
            function.name, function.category
        );
    }
    out.push_str("];\n");
    out
}

/// The generated `functions.rs` of `tools`, which does not use `abi`.
pub fn functions(spec: &Spec, calls: &Calls) -> String {
    let mut out = String::from("//! Every MPI function, and whether this version implements it.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str("/// Name, implemented; by name.\npub const FUNCTIONS: &[(&str, bool)] = &[\n");
    for (function, shape) in spec.functions.iter().zip(shapes(spec, calls)) {
        let _ = writeln!(
            out,
            "    (\"{}\", {}),",
            function.name,
            calls.contains_key(&shape.call)
        );
    }
    out.push_str("];\n");
    out
}

/// How a function reaches its call.
struct Shape {
    /// The name of the call.
    call: String,
    /// For each parameter: whether it differs between the two of a pair.
    poly: Vec<bool>,
}

fn shapes(spec: &Spec, calls: &Calls) -> Vec<Shape> {
    let alone = |f: &Function| Shape {
        call: rust::snake(&f.name),
        poly: vec![false; f.params.len()],
    };
    let mut shapes: Vec<Shape> = spec.functions.iter().map(alone).collect();
    for (small, large) in spec.pairs() {
        let (a, b) = (&spec.functions[small], &spec.functions[large]);
        if let Some(poly) = differing(&a.params, &b.params) {
            if !calls.contains_key(&shapes[large].call) {
                shapes[large].call = shapes[small].call.clone();
            }
            shapes[large].poly = poly.clone();
            shapes[small].poly = poly;
        }
    }
    shapes
}

/// Which parameters differ, where they differ by the width of integers alone.
fn differing(small: &[Param], large: &[Param]) -> Option<Vec<bool>> {
    if small.len() != large.len() {
        return None;
    }
    let poly: Vec<bool> = small.iter().zip(large).map(|(a, b)| a.ty != b.ty).collect();
    let known =
        |at: usize| !poly[at] || (form(&small[at].ty).is_some() && form(&large[at].ty).is_some());
    (0..small.len()).all(known).then_some(poly)
}

/// The Rust expression that brings a parameter of this C type to the common form.
fn form(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "int" => "i64::from(@)",
        "MPI_Aint" | "MPI_Count" => "@",
        "const int[]" => "Counts::narrow(@)",
        "const MPI_Aint[]" | "const MPI_Count[]" => "Counts::wide(@)",
        "int*" => "OutCount::narrow(@)",
        "MPI_Aint*" | "MPI_Count*" => "OutCount::wide(@)",
        _ => return None,
    })
}

fn row(function: &Function, shape: &Shape, calls: &Calls) -> Result<String, String> {
    let mut params = Vec::new();
    let mut args = Vec::new();
    for (param, poly) in function.params.iter().zip(&shape.poly) {
        // `MPI_Pcontrol` alone is variadic; Rust cannot define such a function, and in C's calling
        // convention one that ignores the tail may be called with it.
        if param.ty == "..." {
            continue;
        }
        let name = rust::ident(&param.name);
        params.push(format!("{name}: {}", rust::ty(&param.ty)?));
        let form = if *poly {
            form(&param.ty).unwrap_or("@")
        } else {
            "@"
        };
        args.push(form.replace('@', &name));
    }
    let returns = rust::ty(&function.returns)?;
    let call = calls.get(&shape.call);
    let call = call.map(|module| format!("calls::{module}::{}({})", shape.call, args.join(", ")));
    Ok(format!(
        "entry!({0} P{0}({1}) -> {returns} {{\n    {2}\n}});\n",
        function.name,
        params.join(", "),
        body(function, call)
    ))
}

/// The wall that suits the function: tools' errors meet no error handler, and a function that does
/// not return an error code cannot fail.
fn body(function: &Function, call: Option<String>) -> String {
    let name = &function.name;
    let is_value = function.returns != "int" || function.category == "handle-conversion";
    let is_tool = name.starts_with("MPI_T_");
    let nulls = nulls(function);
    let call = call.map(|call| match nulls.is_empty() {
        true => call,
        false => format!("{}.inspect_err(|_| {{ {nulls} }})", placed(function, call)),
    });
    match call {
        Some(call) if is_value => format!("wall::value(\"{name}\", || {call})"),
        Some(call) if is_tool => format!("wall::tool(\"{name}\", || {call})"),
        Some(call) => format!("wall::call(\"{name}\", {}, || {call})", on(function)),
        None if is_value => format!("wall::no_value(\"{name}\")"),
        None if is_tool => format!("wall::unsupported_tool(\"{name}\")"),
        None if nulls.is_empty() => format!("wall::unsupported(\"{name}\", {})", on(function)),
        None => format!("{nulls} wall::unsupported(\"{name}\", {})", on(function)),
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

/// What a function does when it fails: it leaves null handles where it would have stored new ones.
pub(super) fn nulls(function: &Function) -> String {
    let nullify = |(param, handle): (&Param, &str)| {
        let null = format!("{}_NULL", handle.to_uppercase());
        format!("args::nullify({}, {null});", rust::ident(&param.name))
    };
    let out: Vec<String> = made(function).into_iter().map(nullify).collect();
    out.join(" ")
}

/// A call that first asks for places of the handles that it makes, before anybody knows of it: a
/// message that was sent could not be taken back, nor a communicator that others have by then.
fn placed(function: &Function, call: String) -> String {
    let place = |(param, _): (&Param, &str)| {
        let name = rust::ident(&param.name);
        format!("args::place({name}, \"{}\").and_then(|()| ", param.name)
    };
    let places: Vec<String> = made(function).into_iter().map(place).collect();
    format!("{}{call}{}", places.concat(), ")".repeat(places.len()))
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
fn is_handle(ty: &str) -> bool {
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
    ] {
        if let Some(name) = first(ty) {
            return format!("On::{variant}({name})");
        }
    }
    "On::Nothing".to_string()
}
