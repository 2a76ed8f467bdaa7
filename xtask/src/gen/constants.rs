//! Generates `constants.rs`.

use std::fmt::Write;

use super::rust;
use super::spec::{Constant, Kind, Spec};

/// Handles have their newtype; integers the width that C gives them; addresses are `usize`.
pub fn constants(spec: &Spec) -> String {
    let mut out = String::from("//! The constants of the standard ABI (MPI 5.0, annex A.1).\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str("use super::types::*;\n");
    let mut group = "";
    for constant in &spec.constants {
        if constant.group != group {
            group = &constant.group;
            let _ = writeln!(out, "\n// {}\n", group.replace('-', " "));
        }
        let _ = writeln!(out, "{}", line(spec, constant));
    }
    for (name, group, what) in [
        (
            "ERROR_CLASSES",
            "error-class",
            "The name and the value of each error class.",
        ),
        (
            "TOOL_ERROR_CLASSES",
            "tool-error-class",
            "The same for the tool interface.",
        ),
    ] {
        let _ = writeln!(out, "\n/// {what}\npub const {name}: &[(&str, i32)] = &[");
        for constant in spec
            .constants
            .iter()
            .filter(|constant| constant.group == group)
        {
            let _ = writeln!(out, "    (\"{0}\", {0}),", constant.name);
        }
        out.push_str("];\n");
    }
    out
}

/// The constants that the crate `datatype` needs: handles of predefined operations and datatypes as
/// plain numbers, and what constructors take and report.
pub fn of_datatypes(spec: &Spec) -> String {
    let mut out =
        String::from("//! The constants of operations and datatypes (MPI 5.0, annex A.1).\n");
    out.push_str(rust::DO_NOT_EDIT);
    let groups = [
        ("op-handle", "u32"),
        ("datatype-handle", "u32"),
        ("array-order-or-distribution", "i32"),
        ("combiner", "i32"),
    ];
    for (group, ty) in groups {
        let of_group = |constant: &&Constant| constant.group == group;
        for Constant { name, value, .. } in spec.constants.iter().filter(of_group) {
            let _ = match ty {
                "u32" => writeln!(out, "/// `{name}`.\npub const {name}: u32 = 0x{value:x};"),
                _ => writeln!(out, "/// `{name}`.\npub const {name}: {ty} = {value};"),
            };
        }
    }
    out
}

fn line(spec: &Spec, constant: &Constant) -> String {
    let Constant {
        name, value, ty, ..
    } = constant;
    let handles = [Kind::Handle, Kind::ToolHandle];
    let (rust, value) = match ty.as_str() {
        "int" => ("i32".to_string(), value.to_string()),
        "MPI_Offset" => ("i64".to_string(), value.to_string()),
        _ if ty.ends_with('*') => ("usize".to_string(), value.to_string()),
        _ if spec
            .types
            .iter()
            .any(|t| t.name == *ty && handles.contains(&t.kind)) =>
        {
            let newtype = rust::camel(ty);
            (newtype.clone(), format!("{newtype}(0x{value:x})"))
        }
        _ => (rust::camel(ty), value.to_string()),
    };
    format!("/// `{name}`.\npub const {name}: {rust} = {value};")
}
