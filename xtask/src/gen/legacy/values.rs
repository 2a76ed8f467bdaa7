//! Generates `values.rs`, the constants as tables, and Open MPI's predefined objects.

use std::fmt::Write;

use super::super::extensions::CONSTANTS;
use super::super::rust;
use super::super::spec::{Constant, Spec};
use super::native::{Native, Natives};

/// Constants beside those of ranks.
const NO_RANKS: &[&str] = &["MPI_ANY_TAG", "MPI_BSEND_OVERHEAD", "MPI_UNDEFINED"];

/// The tables: a name, the groups of `constants.tsv` that are in it, what its names begin with, and
/// names that are not.
const GROUPS: &[(&str, &str, &str, &[&str])] = &[
    ("RANK", "int-constant", "MPI_", NO_RANKS),
    ("TAG", "int-constant", "MPI_ANY_TAG", &[]),
    (
        "ERROR",
        "error-class tool-error-class",
        "MPI_",
        &["MPI_ERR_LASTCODE"],
    ),
    ("ACCESS_MODE", "file-open-mode", "MPI_", &[]),
    ("ASSERT", "rma-assert", "MPI_", &[]),
    ("COMBINER", "combiner", "MPI_", &[]),
    ("COMPARISON", "comparison-result", "MPI_", &[]),
    ("ORDER", "array-order-or-distribution", "MPI_ORDER", &[]),
    (
        "DISTRIBUTION",
        "array-order-or-distribution",
        "MPI_DIST",
        &["MPI_DISTRIBUTE_DFLT_DARG"],
    ),
    (
        "DISTRIBUTION_ARGUMENT",
        "array-order-or-distribution",
        "MPI_DISTRIBUTE_DFLT_DARG",
        &[],
    ),
    ("KEYVAL", "attr-keyval", "MPI_", &[]),
    ("LOCK_TYPE", "win-lock-type", "MPI_", &[]),
    ("SPLIT_TYPE", "comm-split-type", "MPI_", &[]),
    ("THREAD_LEVEL", "thread-level", "MPI_", &[]),
    ("TOPOLOGY", "topology-kind", "MPI_", &[]),
    ("TYPECLASS", "typeclass", "MPI_", &[]),
    ("SEEK", "file-seek", "MPI_", &[]),
    ("WIN_FLAVOR", "win-flavor", "MPI_", &[]),
    ("WIN_MODEL", "win-model", "MPI_", &[]),
    ("DISPLACEMENT", "file-displacement", "MPI_", &[]),
    ("BIND", "tool-bind", "MPI_", &[]),
    ("PVAR_CLASS", "tool-pvar-class", "MPI_", &[]),
    ("SCOPE", "tool-scope", "MPI_", &[]),
    ("VERBOSITY", "tool-verbosity", "MPI_", &[]),
    ("SOURCE_ORDER", "tool-source-order", "MPI_", &[]),
    ("SAFETY", "tool-cb-safety", "MPI_", &[]),
];

/// The generated `values.rs`.
pub fn values(spec: &Spec, natives: &Natives) -> Result<String, String> {
    let mut out = String::from("//! What constants are in MPICH's and in Open MPI's interface.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str("use crate::constants::{Constants, Form, Limits};\n");
    for (name, groups, prefix, without) in GROUPS {
        let is_in = |constant: &&Constant| {
            let named = constant.name.starts_with(prefix);
            let group = groups.split(' ').any(|group| group == constant.group);
            named && group && !without.contains(&constant.name.as_str())
        };
        let members: Vec<&Constant> = spec.constants.iter().filter(is_in).collect();
        if members.is_empty() {
            return Err(format!("no constants for the table {name}"));
        }
        let pairs = [0, 1].map(|side| pairs(&members, natives, side));
        let form = match *name {
            "ERROR" => "Error",
            "ACCESS_MODE" | "ASSERT" => "Bits",
            _ => "Number",
        };
        let _ = write!(
            out,
            "\n/// {}: native, standard.\npub const {name}: Constants = Constants {{\n    \
             form: Form::{form},\n    mpich: &[{}],\n    openmpi: &[{}],\n}};\n",
            groups, pairs[0], pairs[1]
        );
    }
    failures(&mut out);
    limits(spec, natives, &mut out);
    handles(spec, natives, &mut out);
    Ok(out)
}

/// `(native, standard)` of each constant that is a number on one side.
fn pairs(members: &[&Constant], natives: &Natives, side: usize) -> String {
    let pair = |constant: &&Constant| match natives.get(&constant.name)?[side] {
        Native::Number(number) => Some(format!("({number}, {})", constant.value)),
        _ => None,
    };
    members
        .iter()
        .filter_map(pair)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The error classes of failures.
fn failures(out: &mut String) {
    let classes = CONSTANTS.iter().filter(|(name, _)| name.contains("ERR"));
    let values = classes.map(|(_, value)| *value);
    let (first, last) = (values.clone().min(), values.max());
    let _ = write!(
        out,
        "\n/// Classes of process failures (ULFM), which MPICH's header numbers as this project's\n\
         /// does. That of Open MPI 4.1 has none.\n\
         pub const FAILURES: std::ops::RangeInclusive<i32> = {}..={};\n",
        first.unwrap_or_default(),
        last.unwrap_or_default()
    );
}

fn limits(spec: &Spec, natives: &Natives, out: &mut String) {
    let number = |name: &str, side: usize| match natives.get(name).map(|both| &both[side]) {
        Some(Native::Number(number)) => *number,
        _ => 0,
    };
    for (side, name) in ["MPICH", "OPENMPI"].iter().enumerate() {
        let _ = write!(out, "\n/// Bytes of texts, and the last error code.\n");
        let _ = writeln!(out, "pub const {name}: Limits = Limits {{");
        let strings = spec
            .constants
            .iter()
            .filter(|of| of.group == "string-length-limit");
        for constant in strings {
            let field = constant.name.trim_start_matches("MPI_").to_lowercase();
            let _ = writeln!(out, "    {field}: {},", number(&constant.name, side));
        }
        let _ = writeln!(out, "    lastcode: {},", number("MPI_ERR_LASTCODE", side));
        out.push_str("};\n");
    }
}

/// Handles that MPICH's header has beside those of the standard, and the standard's handle that
/// stands for each. C programs know this one, and Fortran's alone the other.
const ALSO: &[(&str, i64, &str)] = &[("MPIX_C_FLOAT16", 0x4c00_0246, "MPI_REAL2")];

/// MPICH's handles of predefined objects, by kind.
fn handles(spec: &Spec, natives: &Natives, out: &mut String) {
    for ty in spec.types_of(super::super::spec::Kind::Handle) {
        let is_of = |constant: &&Constant| constant.ty == ty.name;
        let members: Vec<&Constant> = spec.constants.iter().filter(is_of).collect();
        for (side, name, owner) in [
            (0, "HANDLES", "MPICH"),
            (2, "FORTRAN", "Open MPI's Fortran"),
        ] {
            let mut all = String::new();
            for (_, native, stands_for) in ALSO.iter().filter(|_| side == 0) {
                if let Some(of) = members.iter().find(|of| of.name == *stands_for) {
                    let _ = write!(all, "({native}, {}), ", of.value);
                }
            }
            all.push_str(&pairs(&members, natives, side));
            let _ = write!(
                out,
                "\n/// `{}`: the handle of {owner}, the standard's.\n\
                 pub const {}_{name}: &[(i32, usize)] = &[{all}];\n",
                ty.name,
                rust::snake(&ty.name).to_uppercase(),
            );
        }
    }
}

/// Bytes of Open MPI's objects, by what their names begin with.
const SIZES: &[(&str, usize)] = &[
    ("ompi_message", 256),
    ("ompi_request", 256),
    ("ompi_mpi_group", 256),
    ("ompi_mpi_info", 256),
    ("ompi_mpi_err", 1024),
    ("ompi_mpi_file", 1536),
    ("ompi_mpi_op_", 2048),
    ("", 512),
];

/// Objects of Open MPI for which its header has a name and the standard none: the type that stands
/// for each, or `MPI_DATATYPE_NULL`.
const OTHERS: &[(&str, &str)] = &[
    ("ompi_mpi_2cplex", "MPI_DATATYPE_NULL"),
    ("ompi_mpi_2dblcplex", "MPI_DATATYPE_NULL"),
    ("ompi_mpi_complex4", "MPI_COMPLEX4"),
    ("ompi_mpi_integer16", "MPI_INTEGER16"),
    ("ompi_mpi_lb", "MPI_DATATYPE_NULL"),
    ("ompi_mpi_ldblcplex", "MPI_C_LONG_DOUBLE_COMPLEX"),
    ("ompi_mpi_short_float", "MPI_REAL2"),
    ("ompi_mpi_real2", "MPI_REAL2"),
    ("ompi_mpi_ub", "MPI_DATATYPE_NULL"),
];

/// The generated `objects.rs` of Open MPI's library.
pub fn objects(spec: &Spec, natives: &Natives) -> String {
    let mut out = String::from("//! Open MPI's predefined objects.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str("use crate::object::objects;\n\nobjects! {\n");
    let mut seen: Vec<&str> = Vec::new();
    for constant in &spec.constants {
        let Some([_, Native::Symbol(symbol), _]) = natives.get(&constant.name) else {
            continue;
        };
        if constant.group.ends_with("-handle") && !seen.contains(&symbol.as_str()) {
            seen.push(symbol);
            object(symbol, constant.value, &mut out);
        }
    }
    for (symbol, stands_for) in OTHERS {
        let found = spec.constants.iter().find(|of| of.name == *stands_for);
        if !seen.contains(symbol) {
            object(symbol, found.map_or(0x200, |of| of.value), &mut out);
        }
    }
    out.push_str("}\n");
    out
}

/// Types that MPI_SIZEOF has a procedure for, with their bytes.
const MEASURED: [(&str, usize); 12] = [
    ("character", 1),
    ("complex32", 8),
    ("complex64", 16),
    ("complex128", 32),
    ("int8", 1),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("logical", 4),
    ("real32", 4),
    ("real64", 8),
    ("real128", 16),
];

/// The generated `sizes.rs` of Open MPI's library: a procedure for each type and rank of arrays.
pub fn sizes() -> String {
    let mut out = String::from("//! The specific procedures of MPI_SIZEOF.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str(
        "use std::ffi::c_void;\n\nuse edge::argument::Out;\nuse edge::export;\n\n\
         use crate::Fortran as A;\n\n",
    );
    for (ty, bytes) in MEASURED {
        out.push_str("export!([\n");
        for rank in 0..=15 {
            let shape = match rank {
                0 => "scalar".to_string(),
                rank => format!("r{rank}"),
            };
            let name = format!("mpi_sizeof_{ty}_{shape}_");
            let _ = writeln!(out, "    {name} p{name}");
        }
        let _ = writeln!(
            out,
            "] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {{}} \
             {{ Out::new(size).set({bytes}); 0 }});"
        );
    }
    out
}

fn object(symbol: &str, handle: i64, out: &mut String) {
    let size = SIZES.iter().find(|(prefix, _)| symbol.starts_with(prefix));
    let words = size.map_or(512, |(_, size)| *size) / 8;
    let _ = writeln!(out, "    {symbol} {words} {handle};");
}
