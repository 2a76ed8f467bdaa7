//! Generates `c.rs`, the C functions that the entries call, and `entries.rs`, a row per routine.
//!
//! A row names the C function, the Fortran names that call it, their parameters, and how each C
//! argument is made. `MPI_X` and `PMPI_X` are called by names of their own, so that a tool that
//! interposes one sees what Fortran calls.

use std::fmt::Write;

use super::super::rust;
use super::super::spec::{Factor, Function, Length, Param, Spec};
use super::model::{self, Arg, Form, Gaps, Routine};

const C_USES: &str = "\
#![allow(dead_code, clashing_extern_declarations)]

use std::ffi::c_void;

use edge::types::*;

use crate::extension::extension;

";

const ENTRY_USES: &str = "\
use std::ffi::c_void;
use std::ptr::null_mut;

use edge::export;
use edge::generated::constants::*;
use edge::rows::*;

use crate::sentinel::{status_out, statuses_out};
use crate::Fortran as A;

type Descriptor = Standard;
type Buffer = edge::section::Buffer<Native<A>>;

";

/// The generated `c.rs`. Another library of the standard ABI may lack the extensions: they are
/// looked up when they are called.
pub fn declarations(
    spec: &Spec,
    routines: &[Routine],
    extensions: &[Routine],
) -> Result<String, String> {
    let mut out = String::from("//! The C functions of the standard ABI that Fortran calls.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str(C_USES);
    out.push_str("extern \"C\" {\n");
    let is_routine = |of: &Function| routines.iter().any(|known| known.name() == of.name);
    let is_number = |of: &Function| of.name.ends_with("_toint") || of.name.ends_with("_fromint");
    let mut addresses = String::new();
    for function in &spec.functions {
        let prefixes = match (is_routine(function), is_number(function)) {
            (true, _) => &["", "P"][..],
            (_, true) => &["P"],
            _ => &[],
        };
        let address = match prefixes.is_empty() {
            true => "0".to_string(),
            false => format!("P{} as *const () as usize", function.name),
        };
        let _ = writeln!(addresses, "        {address},");
        let mut params = Vec::new();
        for param in &function.params {
            params.push(match param.ty.as_str() {
                "..." => "...".to_string(),
                ty => format!("{}: {}", rust::ident(&param.name), rust::ty(ty)?),
            });
        }
        let (name, params) = (&function.name, params.join(", "));
        let returns = rust::ty(&function.returns)?;
        for prefix in prefixes {
            let _ = writeln!(out, "    pub fn {prefix}{name}({params}) -> {returns};");
        }
    }
    let _ = write!(
        out,
        "}}\n\n/// Addresses in the order of `edge::c::NAMES`; 0 for those that Fortran lacks.\n\
         pub fn addresses() -> impl Iterator<Item = usize> {{\n    [\n{addresses}    ]\n    \
         .into_iter()\n}}\n\n"
    );
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
    let (c, on) = (routine.name(), raises_on(routine));
    let call = format!("call({})", arguments.join(", "));
    let body = match side {
        Side::Described => with_buffers(routine, &call, &on)?,
        _ => call,
    };
    let separator = if params.is_empty() { "" } else { ", " };
    Ok(format!(
        "export!([{c}({}) P{c}({})]\n    \
         ({}{separator}ierror: *mut i32{}) ierror on {{{on}}}\n    {{ {body} }});\n",
        exported(""),
        exported("p"),
        params.join(", "),
        lengths.concat(),
    ))
}

/// C's handle for the INTEGER of a parameter.
fn decoded(param: &Param) -> String {
    let (kind, name) = (rust::camel(param.base()), rust::ident(&param.name));
    format!("handle_in::<A, {kind}>(read({name}))")
}

fn raises_on(routine: &Routine) -> String {
    let found = routine.raises_on();
    found.map_or(String::new(), |arg| decoded(arg.param))
}

/// Statements that make C's buffers, call, and leave copies to the request.
fn with_buffers(routine: &Routine, call: &str, on: &str) -> Result<String, String> {
    let (mut body, mut names) = (String::new(), Vec::new());
    let find = |name: &str| {
        let mut args = routine.args.iter();
        args.find(|arg| arg.param.name == name)
            .ok_or_else(|| format!("{}: no parameter `{name}`", routine.name()))
    };
    for arg in routine.args.iter().filter(|arg| arg.form == Form::Buffer) {
        let name = rust::ident(&arg.param.name);
        let used = routine.used();
        let made = match arg.gaps(routine) {
            Gaps::Datatype { count, datatype } => {
                let count = rust::ident(count);
                let datatype = decoded(find(datatype)?.param);
                format!("Buffer::elements({name}, {used}, read({count}), {datatype})")
            }
            Gaps::Copy => format!("Buffer::whole({name}, {used})"),
            Gaps::Address => format!("Buffer::first({name})"),
        };
        body.push_str(&model::buffer(routine, &name, &made, on));
        names.push(name);
    }
    body.push_str(&model::call(routine, call, &names, |request| {
        format!("handle_in::<A, Request>(read({request}))")
    }));
    Ok(body)
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
    let of_handle = |ty: &str| format!("{ty}::<A, {}>", rust::camel(arg.param.base()));
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
            format!("{}.datatype({})", part_of(routine, arg), decoded(arg.param))
        }
        Form::Handle => decoded(arg.param),
        Form::HandleOut => format!("{}::new({name}).c()", of_handle("HandleOut")),
        Form::HandleInOut => format!("{}::new({name}).c()", of_handle("HandleInOut")),
        Form::Handles => list(&of_handle("Handles"))?,
        Form::HandlesOut => list(&of_handle("HandlesOut"))?,
        Form::HandlesInOut => list(&of_handle("HandlesInOut"))?,
        Form::Status => format!("status_out({name})"),
        Form::Statuses => format!("statuses_out({name})"),
        Form::Weights => format!("weights_in::<A, _>({name})"),
        Form::Buffer if described => format!("{name}.address()"),
        Form::Buffer => format!("buffer_in::<A, _>({name})"),
        Form::Detached if side == Side::PlainF08 => name,
        Form::Detached => "Detached::new().c()".to_string(),
        Form::Text => {
            let is_info = routine.function.category == "info";
            match described {
                true => format!("Text::described({name}).c()"),
                false => format!("Text::new({name}, {name}_len, {is_info}).c()"),
            }
        }
        Form::TextOut => {
            format!("CharacterOut::new({name}, {name}_len, {}).c()", room(arg)?)
        }
        Form::Omitted if arg.param.is_pointer() => "null_mut()".to_string(),
        Form::Omitted => "0".to_string(),
        Form::ErrorCodes
        | Form::Word
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
            format!(
                "len(read({}))",
                rust::ident(&count.ok_or_else(wrong)?.param.name)
            )
        }
        Factor::Of { fact, param } => {
            let of = routine.args.iter().find(|arg| arg.param.name == *param);
            format!("{fact}_of({})", decoded(of.ok_or_else(wrong)?.param))
        }
        Factor::Fixed(_) | Factor::Blocks { .. } => return Err(wrong()),
    };
    let is_replaced = arg.param.name == "sendtypes";
    Ok(match (is_replaced, described) {
        (true, true) => format!("unless_in_place::<A, _>(sendbuf.address(), || {length})"),
        (true, false) => format!("unless_in_place::<A, _>(sendbuf, || {length})"),
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
        Factor::Of { param, .. } => Ok(format!("len(read({})) + 1", rust::ident(param))),
        _ => Err(format!("`{}`: an entry by hand is needed", arg.param.name)),
    }
}
