//! Generates `c.rs`, the C functions that the entries call, and `entries.rs`, a row per routine.
//!
//! A row names the C function, the Fortran names that call it, their parameters, and how each C
//! argument is made. `MPI_X` and `PMPI_X` are called by names of their own, so that a tool that
//! interposes one sees what Fortran calls.

use std::fmt::Write;

use super::super::rust;
use super::super::spec::{Factor, Length, Param};
use super::model::{Arg, Form, Gaps, Routine};

const C_USES: &str = "\
#![allow(dead_code, clashing_extern_declarations)]

use std::ffi::c_void;

use super::types::*;
use crate::extension::extension;

";

const ENTRY_USES: &str = "\
#![allow(unused_imports, unused_variables)]

use std::ffi::c_void;
use std::ptr::null_mut;

use super::c;
use super::constants::*;
use super::types::*;
use crate::convert::*;
use crate::entry::entry;
use crate::handle::*;
use crate::section::{Buffer, Descriptor, On, Use};
use crate::sentinel::{buffer_at, status_out, statuses_out, unless_in_place, weights_at};
use crate::text::{Text, TextOut};

";

/// The generated `c.rs`. Another library of the standard ABI may lack the extensions: they are
/// looked up when they are called.
pub fn declarations(routines: &[Routine], extensions: &[Routine]) -> Result<String, String> {
    let mut out = String::from("//! The C functions of the standard ABI that Fortran calls.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str(C_USES);
    out.push_str("extern \"C\" {\n");
    for routine in routines {
        let mut params = Vec::new();
        for param in &routine.function.params {
            params.push(match param.ty.as_str() {
                "..." => "...".to_string(),
                ty => format!("{}: {}", rust::ident(&param.name), rust::ty(ty)?),
            });
        }
        let returns = rust::ty(&routine.function.returns)?;
        for prefix in ["", "P"] {
            let (name, params) = (routine.name(), params.join(", "));
            let _ = writeln!(out, "    pub fn {prefix}{name}({params}) -> {returns};");
        }
    }
    out.push_str("}\n\n");
    for routine in extensions {
        let (name, mut params) = (routine.name(), Vec::new());
        for param in &routine.function.params {
            params.push(format!(
                "{}: {}",
                rust::ident(&param.name),
                rust::ty(&param.ty)?
            ));
        }
        let _ = writeln!(out, "extension!([{name} P{name}] ({}));", params.join(", "));
    }
    Ok(out)
}

/// The generated `entries.rs`.
pub fn entries<'a>(routines: impl Iterator<Item = &'a Routine<'a>>) -> Result<String, String> {
    let mut out = String::from("//! The entry points of Fortran.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str(ENTRY_USES);
    for routine in routines.filter(|routine| !routine.is_by_hand()) {
        for (side, names) in names(routine) {
            if !names.is_empty() {
                out.push_str(&row(routine, side, &names)?);
            }
        }
    }
    Ok(out)
}

/// The form in which choice buffers, texts, and addresses for `mpi_f08` alone are passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Addresses, as compilers without descriptors pass them.
    Plain,
    /// Addresses, from `mpi_f08`.
    PlainF08,
    /// Descriptors.
    Described,
}

/// The names of a routine by what is passed to them, with the underscore that compilers append.
fn names(routine: &Routine) -> Vec<(Side, Vec<String>)> {
    let name = routine.name().to_lowercase();
    let mut plain = Vec::new();
    if routine.is_in_mpi() {
        plain.push(format!("{name}_"));
        if routine.has(Form::Address) {
            plain.push(format!("{name}_cptr_"));
        }
    }
    let f08 = match routine.is_in_f08() {
        true => vec![format!("{name}_f08_")],
        false => Vec::new(),
    };
    if routine.has(Form::Detached) {
        return vec![(Side::Plain, plain), (Side::PlainF08, f08)];
    }
    plain.extend(f08);
    let described = match routine.is_described() {
        true => vec![format!("{name}_f08ts_")],
        false => Vec::new(),
    };
    vec![(Side::Plain, plain), (Side::Described, described)]
}

fn row(routine: &Routine, side: Side, names: &[String]) -> Result<String, String> {
    let (mut params, mut lengths) = (Vec::new(), Vec::new());
    for arg in routine.visible() {
        let name = rust::ident(&arg.param.name);
        params.push(format!("{name}: {}", ty(arg, side)?));
        if matches!(arg.form, Form::Text | Form::TextOut) && side != Side::Described {
            lengths.push(format!(", {name}_len: usize"));
        }
    }
    let mut arguments = Vec::new();
    for arg in &routine.args {
        arguments.push(argument(routine, arg, side)?);
    }
    let exported = |prefix: &str| {
        let list: Vec<String> = names.iter().map(|name| format!("{prefix}{name}")).collect();
        list.join(" ")
    };
    let c = routine.name();
    let buffers = match side {
        Side::Described => {
            let made = buffers(routine)?;
            let (on, stages) = (raises_on(routine), routine.stages());
            format!("on {{ {on} }} {stages}{{ {made} }} ")
        }
        _ => String::new(),
    };
    let separator = if params.is_empty() { "" } else { ", " };
    Ok(format!(
        "entry!([{c}({}) P{c}({})]\n    ({}{separator}ierror: *mut i32{}) ierror\n    \
         [{buffers}({})]);\n",
        exported(""),
        exported("p"),
        params.join(", "),
        lengths.concat(),
        arguments.join(", ")
    ))
}

fn raises_on(routine: &Routine) -> String {
    match routine.raises_on() {
        Some(("MPI_Comm", name)) => format!("On::Comm(handle({name}))"),
        Some(("MPI_Win", name)) => format!("On::Win(handle({name}))"),
        Some((_, name)) => format!("On::File(handle({name}))"),
        None => "On::Nothing".to_string(),
    }
}

/// Statements that make C's buffers, before the call.
fn buffers(routine: &Routine) -> Result<String, String> {
    let mut made = Vec::new();
    let find = |name: &str| {
        let mut args = routine.args.iter();
        args.find(|arg| arg.param.name == name)
            .ok_or_else(|| format!("{}: no parameter `{name}`", routine.name()))
    };
    for arg in routine.args.iter().filter(|arg| arg.form == Form::Buffer) {
        let name = rust::ident(&arg.param.name);
        let used = routine.used();
        made.push(match arg.gaps(routine) {
            Gaps::Datatype { count, datatype } => {
                let count = number(find(count)?.param);
                let datatype = rust::ident(datatype);
                format!("{name} = Buffer::elements({name}, {used}, {count}, handle({datatype}))")
            }
            Gaps::Copy => format!("{name} = Buffer::whole({name}, {used})"),
            Gaps::Address => format!("{name} = Buffer::first({name})"),
        });
    }
    Ok(made.join("; "))
}

/// The Rust type of a Fortran parameter.
fn ty(arg: &Arg, side: Side) -> Result<String, String> {
    let described = side == Side::Described;
    Ok(match arg.form {
        Form::Value => format!("*const {}", rust::ty(&arg.param.ty)?),
        Form::Numbers | Form::StatusIn | Form::Status | Form::Statuses => rust::ty(&arg.param.ty)?,
        Form::Position
        | Form::Positions
        | Form::TruthOut
        | Form::TruthsOut
        | Form::HandleOut
        | Form::HandleInOut
        | Form::HandlesOut
        | Form::HandlesInOut
        | Form::Weights
        | Form::ErrorCodes
        | Form::OldWordOut => "*mut i32".to_string(),
        Form::Truth | Form::Truths | Form::Handle | Form::Handles | Form::OldWord => {
            "*const i32".to_string()
        }
        Form::Buffer if described => "*const Descriptor".to_string(),
        Form::Buffer | Form::Address | Form::Detached => "*mut c_void".to_string(),
        Form::Word => "*const i64".to_string(),
        Form::WordOut => "*mut i64".to_string(),
        Form::Text | Form::TextOut if described => "*const Descriptor".to_string(),
        Form::Text => "*const u8".to_string(),
        Form::TextOut => "*mut u8".to_string(),
        Form::Texts | Form::TextTable | Form::Callback | Form::Omitted => {
            return Err(format!("`{}` is for an entry by hand", arg.param.name));
        }
    })
}

/// The C argument made of a Fortran one.
fn argument(routine: &Routine, arg: &Arg, side: Side) -> Result<String, String> {
    let name = rust::ident(&arg.param.name);
    let described = side == Side::Described;
    let list = |ty: &str| -> Result<String, String> {
        let length = length(routine, arg, described)?;
        Ok(format!("{ty}::new({name}, {length}).c()"))
    };
    let of_handle = |ty: &str| format!("{ty}::<{}>", rust::camel(arg.param.base()));
    Ok(match arg.form {
        Form::Value if described && is_part(routine, arg) => {
            format!("{}.count(read({name}))", part_of(routine, arg))
        }
        Form::Value => format!("read({name})"),
        Form::Numbers | Form::StatusIn | Form::Address => name,
        Form::Position => format!("Position::new({name}).c()"),
        Form::Positions => list("Positions")?,
        Form::Truth => format!("truth({name})"),
        Form::TruthOut => format!("TruthOut::new({name}).c()"),
        Form::Truths => list("Truths")?,
        Form::TruthsOut => list("TruthsOut")?,
        Form::Handle if described && is_part(routine, arg) => {
            format!("{}.datatype(handle({name}))", part_of(routine, arg))
        }
        Form::Handle => format!("{}({name})", of_handle("handle")),
        Form::HandleOut => format!("{}::new({name}).c()", of_handle("HandleOut")),
        Form::HandleInOut => format!("{}::new({name}).c()", of_handle("HandleInOut")),
        Form::Handles => list(&of_handle("Handles"))?,
        Form::HandlesOut => list(&of_handle("HandlesOut"))?,
        Form::HandlesInOut => list(&of_handle("HandlesInOut"))?,
        Form::Status => format!("status_out({name})"),
        Form::Statuses => format!("statuses_out({name})"),
        Form::Weights => format!("weights_at({name})"),
        Form::Buffer if described => format!("{name}.address()"),
        Form::Buffer => format!("buffer_at({name})"),
        Form::Detached if side == Side::PlainF08 => name,
        Form::Detached => "Detached::new().c()".to_string(),
        Form::Word => format!("word({name})"),
        Form::Text => {
            let made = match routine.function.category.as_str() {
                "info" => "trimmed",
                _ => "new",
            };
            match described {
                true => format!("Text::described({name}).c()"),
                false => format!("Text::{made}({name}, {name}_len).c()"),
            }
        }
        Form::TextOut => format!("TextOut::new({name}, {name}_len, {}).c()", room(arg)?),
        Form::Omitted if arg.param.is_pointer() => "null_mut()".to_string(),
        Form::Omitted => "0".to_string(),
        Form::ErrorCodes
        | Form::WordOut
        | Form::OldWord
        | Form::OldWordOut
        | Form::Texts
        | Form::TextTable
        | Form::Callback => {
            return Err(format!(
                "{}: `{name}` needs an entry by hand",
                routine.name()
            ))
        }
    })
}

/// Whether a number or a datatype is one that a buffer with gaps replaces.
fn is_part(routine: &Routine, arg: &Arg) -> bool {
    !part_of(routine, arg).is_empty()
}

/// The buffer that has this parameter as its count or its datatype.
fn part_of(routine: &Routine, arg: &Arg) -> String {
    let buffers = routine.args.iter().filter(|of| of.form == Form::Buffer);
    for buffer in buffers {
        if let Gaps::Datatype { count, datatype } = buffer.gaps(routine) {
            if arg.param.name == count || arg.param.name == datatype {
                return rust::ident(&buffer.param.name);
            }
        }
    }
    String::new()
}

/// The value of a numeric parameter, as `i64`.
fn number(param: &Param) -> String {
    let name = rust::ident(&param.name);
    match param.base() {
        "int" => format!("i64::from(read({name}))"),
        _ => format!("read({name})"),
    }
}

/// The number of elements of a list, as the length of its row says.
fn length(routine: &Routine, arg: &Arg, described: bool) -> Result<String, String> {
    let wrong = || {
        let Param { name, .. } = arg.param;
        format!(
            "{}: the length of `{name}` is not one known to Fortran",
            routine.name()
        )
    };
    let Length::Product(factors) = &arg.param.length else {
        return Err(wrong());
    };
    let [factor] = factors.as_slice() else {
        return Err(wrong());
    };
    let length = match factor {
        Factor::Param(count) => {
            let count = routine.args.iter().find(|arg| arg.param.name == *count);
            format!("elements({})", number(count.ok_or_else(wrong)?.param))
        }
        Factor::Of { fact, param } => format!("{fact}(handle({}))", rust::ident(param)),
        Factor::Fixed(_) | Factor::Blocks { .. } => return Err(wrong()),
    };
    let is_replaced = arg.param.name == "sendtypes";
    Ok(match (is_replaced, described) {
        (true, true) => format!("unless_in_place(sendbuf.address(), {length})"),
        (true, false) => format!("unless_in_place(buffer_at(sendbuf), {length})"),
        (false, _) => length,
    })
}

/// The bytes that C writes of a text.
fn room(arg: &Arg) -> Result<String, String> {
    let Length::Product(factors) = &arg.param.length else {
        return Err(format!("`{}` has no length", arg.param.name));
    };
    match &factors[0] {
        Factor::Fixed(limit) => Ok(format!("{limit} as usize")),
        Factor::Of { param, .. } => {
            let length = format!("i64::from(read({}))", rust::ident(param));
            Ok(format!("elements({length}) + 1"))
        }
        _ => Err(format!("`{}`: an entry by hand is needed", arg.param.name)),
    }
}
