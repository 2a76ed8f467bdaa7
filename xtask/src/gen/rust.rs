//! Translates C names and types to Rust, and generates `types.rs`.

use std::fmt::Write;

use super::spec::{self, Kind, Spec};

/// Opening of each generated Rust file, below its first doc line.
pub const DO_NOT_EDIT: &str = "//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

";

/// The generated `types.rs`: handles as newtypes, the status, the types of callbacks.
pub fn types(spec: &Spec) -> Result<String, String> {
    let mut out = String::from("//! The types of the standard ABI (MPI 5.0, 20.3).\n");
    out.push_str(DO_NOT_EDIT);
    out.push_str("use std::ffi::c_void;\n");
    for ty in spec
        .types_of(Kind::Handle)
        .chain(spec.types_of(Kind::ToolHandle))
    {
        let name = camel(&ty.name);
        let _ = write!(
            out,
            "\n/// `{}`: a value that the user holds, not known to name anything.\n\
             #[repr(transparent)]\n#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]\n\
             pub struct {name}(pub usize);\n",
            ty.name
        );
    }
    for ty in spec.types_of(Kind::Enum) {
        let _ = write!(
            out,
            "\n/// `{}`.\npub type {} = i32;\n",
            ty.name,
            camel(&ty.name)
        );
    }
    for ty in spec.types_of(Kind::Struct) {
        write_struct(ty, &mut out)?;
    }
    for ty in spec.types_of(Kind::Callback) {
        write_callback(ty, &mut out)?;
    }
    Ok(out)
}

/// The Rust type of a C type of the tables: `const int[]` is `*const i32`.
pub fn ty(c: &str) -> Result<String, String> {
    if let Some(element) = c.strip_suffix("[][3]") {
        return Ok(format!("*mut [{}; 3]", ty(element)?));
    }
    let pointed = c.strip_suffix("[]").or_else(|| c.strip_suffix('*'));
    let Some(pointed) = pointed else {
        return value(c);
    };
    if is_callback(pointed) {
        return Ok(camel(pointed));
    }
    match pointed.strip_prefix("const ") {
        Some(pointed) if !pointed.ends_with('*') => Ok(format!("*const {}", ty(pointed)?)),
        _ => Ok(format!("*mut {}", ty(pointed)?)),
    }
}

/// `MPI_Comm_create_group` to `comm_create_group`.
pub fn snake(name: &str) -> String {
    name.trim_start_matches("MPI_").to_lowercase()
}

/// `MPI_T_pvar_session` to `TPvarSession`.
pub fn camel(name: &str) -> String {
    let words = name.trim_start_matches("MPI_").split('_');
    words
        .map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..]))
        .collect()
}

/// Returns a parameter's name, where C's is a keyword of Rust.
pub fn ident(name: &str) -> String {
    match name {
        "type" | "ref" | "fn" | "in" | "box" => format!("{name}_"),
        name => name.to_string(),
    }
}

fn value(c: &str) -> Result<String, String> {
    Ok(match c.trim_start_matches("const ") {
        "int" => "i32".to_string(),
        "char" => "std::ffi::c_char".to_string(),
        "double" => "f64".to_string(),
        "void" => "c_void".to_string(),
        "MPI_Aint" | "MPI_Count" | "MPI_Offset" => "i64".to_string(),
        mpi if mpi.starts_with("MPI_") => camel(mpi),
        other => return Err(format!("no Rust type is known for `{other}`")),
    })
}

fn is_callback(c: &str) -> bool {
    c.ends_with("_function") || c.ends_with("_function_c")
}

fn write_struct(of: &spec::Type, out: &mut String) -> Result<(), String> {
    let _ = write!(
        out,
        "\n/// `{}`.\n#[repr(C)]\n#[derive(Clone, Copy, PartialEq, Eq, Debug)]\npub struct {} {{\n",
        of.name,
        camel(&of.name)
    );
    for field in spec::fields(&of.definition)? {
        let name = snake(&field.name);
        let rust = match field.ty.strip_suffix(']').and_then(|ty| ty.split_once('[')) {
            Some((element, length)) => format!("[{}; {length}]", ty(element)?),
            None => ty(&field.ty)?,
        };
        let _ = writeln!(out, "    /// `{}`.\n    pub {name}: {rust},", field.name);
    }
    out.push_str("}\n");
    Ok(())
}

fn write_callback(of: &spec::Type, out: &mut String) -> Result<(), String> {
    let (returns, list) = of
        .definition
        .split_once(" (")
        .ok_or("callback without parameters")?;
    let mut params = Vec::new();
    for param in spec::fields(list.trim_end_matches(')'))? {
        params.push(if param.ty == "..." {
            "...".to_string()
        } else {
            ty(&param.ty)?
        });
    }
    let returns = if returns == "void" {
        String::new()
    } else {
        format!(" -> {}", ty(returns)?)
    };
    let _ = write!(
        out,
        "\n/// `{}*`; a small integer cast to it is one of MPI's constants, not to be called.\n\
         pub type {} =\n    Option<unsafe extern \"C\" fn({}){returns}>;\n",
        of.name,
        camel(&of.name),
        params.join(", ")
    );
    Ok(())
}
