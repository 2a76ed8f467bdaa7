//! Generates `decode.rs`, which converts C arguments to the typed values that a call takes
//! (`crates/abi-state/src/args/`).
//!
//! The parts of a value follow from the columns of its row: its direction, its kind, and its
//! length. An argument that states how much memory another covers is a part of that. `MPI_X` and
//! `MPI_X_c` share a function here: their entry points bring the integers of both to one form.

use std::collections::BTreeSet;

use super::forms::Form;
use super::rust;
use super::scan::Calls;
use super::shapes::{shapes, Shape};
use super::spec::{Direction, Factor, Function, Length, Param, Spec};

const USES: &str = "\
#![allow(unused_imports, clippy::redundant_closure)]

use std::ffi::{c_char, c_void};

use abi_state::args::{self, Bytes, Counts, Elements, In, InOut, InOutCount, InOutList};
use abi_state::args::{IntPtr, List};
use abi_state::args::{OpenCounts, OpenList, OpenOutList, Out, OutCount, OutList, OutText};
use abi_state::args::{Strings, StringsList, Text, TextList};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::generated::types::*;
use abi_state::status::{OutStatus, OutStatuses};
use mpi::SendMode;

use crate::calls;
use crate::calls::coll::{Listed, Typed};
use crate::entry::decode;

";

/// The generated `decode.rs`.
pub fn decode(spec: &Spec, calls: &Calls) -> Result<String, String> {
    let mut out = String::from("//! C arguments made into the typed values that a call takes.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str(USES);
    let mut known = BTreeSet::new();
    for (function, shape) in spec.functions.iter().zip(shapes(spec, calls)) {
        if is_needed(function, &shape) && known.insert(shape.name.clone()) {
            if let Some(call) = call(function, &shape, calls) {
                out.push_str(&row(function, &shape, &call)?);
            }
        }
    }
    Ok(out)
}

/// Whether the call behind a function gets something else than the function does.
pub fn is_needed(function: &Function, shape: &Shape) -> bool {
    let arguments = arguments(function, &shape.poly);
    let is_same = |argument: &Argument| argument.value == rust::ident(&argument.param.name);
    shape.form != Form::Plain || !arguments.iter().all(is_same)
}

fn row(function: &Function, shape: &Shape, call: &str) -> Result<String, String> {
    let mut params = Vec::new();
    for (param, poly) in function.params.iter().zip(&shape.poly) {
        let ty = match poly {
            true => wide_type(&param.ty).to_string(),
            false => rust::ty(&param.ty)?,
        };
        params.push(format!("{}: {ty}", rust::ident(&param.name)));
    }
    Ok(format!(
        "decode!({}({}) {{\n    {call}\n}});\n",
        shape.name,
        params.join(", ")
    ))
}

/// The Rust expression for the call of a function, in the form that the function has. `None` where
/// nobody wrote the call.
fn call(function: &Function, shape: &Shape, calls: &Calls) -> Option<String> {
    let module = calls.get(&shape.call)?;
    let arguments = arguments(function, &shape.poly);
    let pick = |wanted: &dyn Fn(&str) -> bool| -> Vec<&str> {
        let picked = arguments.iter().filter(|a| wanted(&a.param.ty));
        picked.map(|argument| argument.value.as_str()).collect()
    };
    let call = |first: &[&str], rest: Vec<&str>| {
        let all = [first, &rest].concat();
        format!("calls::{module}::{}({})", shape.call, all.join(", "))
    };
    Some(match shape.form {
        Form::Plain => call(&[], pick(&|_| true)),
        Form::Send(mode) => call(&[&format!("SendMode::{mode}")], pick(&|_| true)),
        Form::Collective(end) => {
            let is_context = |ty: &str| matches!(ty, "MPI_Comm" | "MPI_Info" | "MPI_Request*");
            let context = pick(&is_context).join(", ");
            let act = call(&["comm"], pick(&|ty| !is_context(ty)));
            format!("calls::coll::{end}({context}, |comm| {act})")
        }
    })
}

/// An argument of a call: the parameter that it begins with, and the Rust expression.
pub struct Argument<'a> {
    pub param: &'a Param,
    pub value: String,
}

/// Returns the arguments of the call behind a function, in the order of C. `poly` says which
/// parameters differ from those of the other width.
pub fn arguments<'a>(function: &'a Function, poly: &'a [bool]) -> Vec<Argument<'a>> {
    let params = Params { function, poly };
    let mut parts: Vec<&str> = Vec::new();
    let mut decoded = Vec::new();
    for param in function.params.iter().filter(|param| param.ty != "...") {
        let value = match params.buffer(param) {
            Some((value, taken)) => {
                parts.extend(taken);
                value
            }
            None => params.single(param),
        };
        decoded.push(Argument { param, value });
    }
    decoded.retain(|argument| !parts.contains(&argument.param.name.as_str()));
    decoded
}

/// The parameters of a function, to look up those that others name.
struct Params<'a> {
    function: &'a Function,
    poly: &'a [bool],
}

impl<'a> Params<'a> {
    fn find(&self, name: &str) -> Option<&'a Param> {
        let mut params = self.function.params.iter();
        params.find(|param| param.name == name)
    }

    fn is_poly(&self, param: &Param) -> bool {
        let mut params = self.function.params.iter().zip(self.poly);
        params.any(|(other, poly)| *poly && other.name == param.name)
    }

    /// The number that a parameter gives, as `i64`.
    fn number(&self, name: &str) -> Option<String> {
        let param = self.find(name)?;
        let name = rust::ident(name);
        match param.ty.as_str() {
            "int" if !self.is_poly(param) => Some(format!("i64::from({name})")),
            "int" | "MPI_Aint" | "MPI_Count" => Some(name),
            _ => None,
        }
    }

    /// A buffer together with what says how much memory it is, and the names of those parameters.
    /// `None` for other parameters, and where a call has to find out by itself.
    fn buffer(&self, param: &'a Param) -> Option<(String, Vec<&'a str>)> {
        let Length::Product(factors) = &param.length else {
            return None;
        };
        if param.base() != "void" {
            return None;
        }
        let address = rust::ident(&param.name);
        let (last, before) = factors.split_last()?;
        Some(match (before.last()?, last) {
            (Factor::Param(size), Factor::Fixed(byte)) if byte == "MPI_BYTE" => {
                let value = format!("Bytes::new({address}, {})", self.number(size)?);
                (value, vec![size])
            }
            (Factor::Param(count), Factor::Param(ty)) => {
                let (number, handle) = (self.number(count)?, rust::ident(ty));
                let value = format!("Elements::new({address}, {number}, {handle})");
                (value, vec![count, ty])
            }
            (Factor::Fixed(count), Factor::Param(ty)) => {
                let value = format!("Elements::new({address}, {count}, {})", rust::ident(ty));
                (value, vec![ty])
            }
            (Factor::Blocks { counts, displs }, Factor::Param(ty)) => {
                let types = self.find(ty)?;
                let name = match types.is_pointer() {
                    true => "Typed",
                    false => "Listed",
                };
                let lists = [counts, displs].map(|list| self.find(list).map(|p| self.open(p)));
                let [Some(counts_list), Some(displs_list)] = lists else {
                    return None;
                };
                let types = self.single(types);
                let value =
                    format!("{name}::new({address}, {counts_list}, {displs_list}, {types})");
                (value, vec![counts, displs, ty])
            }
            _ => return None,
        })
    }

    /// An array of integers whose length no argument states.
    fn open(&self, param: &Param) -> String {
        let name = rust::ident(&param.name);
        match self.is_poly(param) {
            true => format!("OpenCounts::new({name}, \"{}\")", param.name),
            false => format!("OpenCounts::new(IntPtr::wide({name}), \"{}\")", param.name),
        }
    }

    /// A parameter on its own.
    fn single(&self, param: &Param) -> String {
        let name = rust::ident(&param.name);
        let made = |ty: &str| format!("{ty}::new({name}, \"{}\")", param.name);
        let poly = self.is_poly(param);
        if !param.is_pointer() || param.kind.ends_with("FUNCTION") {
            return name;
        }
        match (param.base(), &param.length, param.direction) {
            ("void", Length::One, Direction::Out) if is_address(param) => {
                format!("Out::new({name}.cast::<usize>(), \"{}\")", param.name)
            }
            ("void", ..) => name,
            ("char", Length::Text, Direction::In) => made("Text"),
            ("char", Length::Listed, Direction::In) => made("Strings"),
            ("char", Length::Product(factors), Direction::In) => match self.count(&factors[0]) {
                Some(count) => {
                    let ty = match param.kind.as_str() {
                        "STRING_2DARRAY" => "StringsList",
                        _ => "TextList",
                    };
                    format!("{ty}::new({name}, {count}, \"{}\")", param.name)
                }
                None => name,
            },
            ("char", Length::Product(factors), Direction::Out) => match self.room(&factors[0]) {
                Some(room) => format!("OutText::new({name}, {room}, \"{}\")", param.name),
                None => name,
            },
            ("char", ..) => name,
            ("MPI_Status", Length::One, Direction::Out) => format!("OutStatus::new({name})"),
            (_, Length::One, Direction::In) => made("In"),
            (_, Length::One, Direction::Out) if poly => made("OutCount"),
            (_, Length::One, Direction::Out) => made("Out"),
            (_, Length::One, Direction::InOut) if poly => made("InOutCount"),
            (_, Length::One, Direction::InOut) => made("InOut"),
            (_, Length::Product(factors), direction) => self.array(param, &factors[0], direction),
            (_, Length::Text | Length::Listed, _) => name,
        }
    }

    /// An array, with its length where an argument states that.
    fn array(&self, param: &Param, length: &Factor, direction: Direction) -> String {
        let name = rust::ident(&param.name);
        let Some(number) = self.count(length) else {
            return match direction {
                Direction::Out if param.kind == "ERROR_CODE" => {
                    format!("OpenOutList::new({name}, \"{}\")", param.name)
                }
                Direction::In if self.is_poly(param) => self.open(param),
                Direction::In => format!("OpenList::new({name}, \"{}\")", param.name),
                Direction::Out | Direction::InOut => name,
            };
        };
        if param.base() == "MPI_Status" {
            return format!("OutStatuses::new({name}, {number})");
        }
        let ty = match direction {
            Direction::In if self.is_poly(param) => "Counts",
            Direction::In => "List",
            Direction::Out => "OutList",
            Direction::InOut => "InOutList",
        };
        format!("{ty}::new({name}, {number}, \"{}\")", param.name)
    }

    /// The elements of an array, where an argument states how many.
    fn count(&self, length: &Factor) -> Option<String> {
        match length {
            Factor::Param(length) => self.number(length),
            _ => None,
        }
    }

    /// The bytes that there is room for in a text that a function gives.
    fn room(&self, factor: &Factor) -> Option<String> {
        match factor {
            Factor::Fixed(limit) => Some(format!("i64::from({limit})")),
            Factor::Param(length) => Some(format!("args::room({})", rust::ident(length))),
            Factor::Of { param, .. } => Some(format!("{} + 1", self.number(param)?)),
            Factor::Blocks { .. } => None,
        }
    }
}

/// Whether C's `void*` stands for the location of an address.
fn is_address(param: &Param) -> bool {
    let kinds = ["C_BUFFER", "C_BUFFER2", "ATTRIBUTE_VAL", "ATTRIBUTE_VAL_10"];
    kinds.contains(&param.kind.as_str())
}

/// The Rust type for a parameter of a C type that differs between the two of a pair.
fn wide_type(ty: &str) -> &'static str {
    match ty {
        "int" | "MPI_Aint" | "MPI_Count" => "i64",
        _ => "IntPtr",
    }
}
