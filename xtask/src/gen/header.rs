//! Generates `include/mpi.h`, and a C program that takes the address of each function.
//!
//! The header must serve every compiler that a user brings: C from C89 on (with `stdint.h`), C++
//! from C++98 on. So there are no `//` comments, no trailing commas, no attributes; a constant is a
//! macro, since `#if MPI_VERSION >= 4` and `case MPI_ERR_COMM:` must both work.

use std::fmt::Write;

use super::spec::{self, Constant, Function, Kind, Spec};

const TOP: &str = "\
/* mpi.h: the MPI 5.0 standard ABI for C and C++.
 * Made by `cargo xtask gen` from spec/; do not edit. */
#ifndef MPI_H_ABI
#define MPI_H_ABI

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

const BOTTOM: &str = "
#ifdef __cplusplus
}
#endif

#endif /* MPI_H_ABI */
";

const FORTRAN_TOP: &str = "
/* Handles of Fortran. They are no part of the ABI, so they are made of what is: a program that
 * uses them runs on every library of the ABI. A layer that brings functions of these names
 * defines OXMPI_NO_FORTRAN_CONVERSIONS before it includes this file. */
#ifndef OXMPI_NO_FORTRAN_CONVERSIONS
typedef int MPI_Fint;
";

const STATUSES: &str = "\
/* Statuses of Fortran: functions of this library. */
typedef struct {
    MPI_Fint MPI_SOURCE;
    MPI_Fint MPI_TAG;
    MPI_Fint MPI_ERROR;
    MPI_Fint MPI_internal[5];
} MPI_F08_status;
extern MPI_Fint *MPI_F_STATUS_IGNORE;
extern MPI_Fint *MPI_F_STATUSES_IGNORE;
extern MPI_F08_status *MPI_F08_STATUS_IGNORE;
extern MPI_F08_status *MPI_F08_STATUSES_IGNORE;
";

const EXTENSIONS: &str = "
/* Extensions for layers of other languages, as MPICH has them: functions that get a state, which a
 * destructor ends, and attributes as Fortran has them. */
typedef void MPIX_Destructor_function(void *extra_state);
typedef void MPIX_User_function_x(void *invec, void *inoutvec, MPI_Count len,
    MPI_Datatype datatype, void *extra_state);
typedef void MPIX_Comm_errhandler_function_x(MPI_Comm comm, int error_code, void *extra_state);
typedef void MPIX_Win_errhandler_function_x(MPI_Win win, int error_code, void *extra_state);
typedef void MPIX_File_errhandler_function_x(MPI_File file, int error_code, void *extra_state);
typedef void MPIX_Session_errhandler_function_x(MPI_Session session, int error_code,
    void *extra_state);
";

const SYMBOLS_TOP: &str = "\
/* Takes the address of every MPI_ and PMPI_ function.
 * Made by `cargo xtask gen` from spec/; do not edit. */
#include <mpi.h>
#include <stdio.h>

typedef void (*function)(void);
static const struct { const char *name; function address; } all[] = {
";

const SYMBOLS_BOTTOM: &str = "\
};

int main(void)
{
    size_t n = sizeof all / sizeof all[0], i, missing = 0;

    for (i = 0; i < n; i++) {
        if (all[i].address == 0) {
            printf(\"no address: %s\\n\", all[i].name);
            missing++;
        }
    }
    printf(\"%lu functions, %lu missing\\n\", (unsigned long)n, (unsigned long)missing);
    return missing != 0;
}
";

/// The whole of `mpi.h`.
pub fn header(spec: &Spec) -> Result<String, String> {
    let mut out = String::from(TOP);
    write_types(spec, &mut out)?;
    write_constants(spec, &mut out);
    write_callbacks(spec, &mut out)?;
    for prefix in ["", "P"] {
        let _ = writeln!(out, "\n/* The {prefix}MPI_ functions. */");
        for function in &spec.functions {
            if let Some(version) = &function.deprecated {
                let _ = writeln!(out, "/* Deprecated in MPI {version}. */");
            }
            out.push_str(&wrap(&prototype(function, prefix)));
        }
    }
    write_extensions(&mut out);
    write_fortran(spec, &mut out);
    out.push_str(BOTTOM);
    Ok(out)
}

/// A program that fails to link where a function lacks, and to run where one has no address.
pub fn all_symbols(spec: &Spec) -> String {
    let mut out = String::from(SYMBOLS_TOP);
    for prefix in ["", "P"] {
        for function in &spec.functions {
            let _ = writeln!(
                out,
                "    {{ \"{prefix}{0}\", (function){prefix}{0} }},",
                function.name
            );
        }
    }
    out.push_str(SYMBOLS_BOTTOM);
    out
}

fn write_types(spec: &Spec, out: &mut String) -> Result<(), String> {
    out.push_str("\n/* Integers. */\n");
    for ty in spec.types_of(Kind::Integer) {
        let _ = writeln!(out, "typedef {} {};", ty.definition, ty.name);
    }
    out.push_str("\n/* Handles. */\n");
    for ty in spec
        .types_of(Kind::Handle)
        .chain(spec.types_of(Kind::ToolHandle))
    {
        let _ = writeln!(out, "typedef struct {} *{};", ty.definition, ty.name);
    }
    for ty in spec.types_of(Kind::Struct) {
        out.push_str("\ntypedef struct {\n");
        for field in spec::fields(&ty.definition)? {
            let _ = writeln!(out, "    {};", declare(&field.ty, &field.name));
        }
        let _ = writeln!(out, "}} {};", ty.name);
    }
    for ty in spec.types_of(Kind::Enum) {
        let members: Vec<String> = (spec.constants.iter())
            .filter(|constant| constant.group == ty.definition)
            .map(|constant| format!("    {} = {}", constant.name, constant.value))
            .collect();
        let _ = writeln!(
            out,
            "\ntypedef enum {0} {{\n{1}\n}} {0};",
            ty.name,
            members.join(",\n")
        );
    }
    Ok(())
}

fn write_constants(spec: &Spec, out: &mut String) {
    let enums: Vec<&str> = spec
        .types_of(Kind::Enum)
        .map(|ty| ty.definition.as_str())
        .collect();
    let mut group = "";
    for constant in &spec.constants {
        if enums.contains(&constant.group.as_str()) {
            continue;
        }
        if constant.group != group {
            group = &constant.group;
            let _ = writeln!(out, "\n/* {}. */", group.replace('-', " "));
        }
        let _ = writeln!(
            out,
            "#define {:<34} {}",
            constant.name,
            macro_value(constant)
        );
    }
}

fn macro_value(constant: &Constant) -> String {
    let value = constant.value;
    match constant.ty.as_str() {
        "int" if value < 0 => format!("({value})"),
        "int" => value.to_string(),
        "MPI_Offset" => format!("((MPI_Offset){value})"),
        ty if ty.ends_with('*') => format!("(({} {}){value})", ty.trim_end_matches('*'), stars(ty)),
        ty => format!("(({ty})0x{value:x})"),
    }
}

fn stars(ty: &str) -> &str {
    &ty[ty.trim_end_matches('*').len()..]
}

fn write_callbacks(spec: &Spec, out: &mut String) -> Result<(), String> {
    out.push_str("\n/* Functions that the user gives. */\n");
    for ty in spec.types_of(Kind::Callback) {
        let (returns, list) = ty
            .definition
            .split_once(" (")
            .ok_or("callback without parameters")?;
        let params = spec::fields(list.trim_end_matches(')'))?;
        let params = declare_all(params.iter().map(|p| (&*p.ty, &*p.name)));
        let text = format!("typedef {returns} {}({params});\n", ty.name);
        out.push_str(&wrap(&text));
    }
    for ty in spec.types_of(Kind::CallbackAlias) {
        let _ = writeln!(out, "typedef {} {};", ty.definition, ty.name);
    }
    Ok(())
}

/// `MPI_Comm_c2f` and its kin are of the standard but not of its ABI, for the ABI knows no
/// `MPI_Fint`. Programs in C use them; the ABI's conversions to `int` are what they need.
fn write_fortran(spec: &Spec, out: &mut String) {
    out.push_str(FORTRAN_TOP);
    for prefix in ["", "P"] {
        for function in spec
            .functions
            .iter()
            .filter(|f| f.category == "handle-conversion")
        {
            let name = format!("{prefix}{}", function.name);
            let (old, to_fortran) = match (name.strip_suffix("_toint"), &name) {
                (Some(handle), _) => (format!("{handle}_c2f"), "(MPI_Fint)"),
                (None, name) => (name.replace("_fromint", "_f2c"), ""),
            };
            let _ = writeln!(
                out,
                "#define {:<34} ({to_fortran}{name}(h))",
                format!("{old}(h)")
            );
        }
    }
    out.push_str(STATUSES);
    for prefix in ["", "P"] {
        for (name, from, to) in [
            ("f2c", "const MPI_Fint *f_status", "MPI_Status *c_status"),
            ("c2f", "const MPI_Status *c_status", "MPI_Fint *f_status"),
            (
                "f082c",
                "const MPI_F08_status *f08_status",
                "MPI_Status *c_status",
            ),
            (
                "c2f08",
                "const MPI_Status *c_status",
                "MPI_F08_status *f08_status",
            ),
            (
                "f2f08",
                "const MPI_Fint *f_status",
                "MPI_F08_status *f08_status",
            ),
            (
                "f082f",
                "const MPI_F08_status *f08_status",
                "MPI_Fint *f_status",
            ),
        ] {
            let _ = writeln!(out, "int {prefix}MPI_Status_{name}({from}, {to});");
        }
    }
    out.push_str("#endif\n");
}

/// Functions that are this library's own, or shared with MPICH's.
fn write_extensions(out: &mut String) {
    out.push_str(EXTENSIONS);
    for prefix in ["", "P"] {
        let mut line = |text: String| out.push_str(&wrap(&format!("int {prefix}MPIX_{text};\n")));
        line(
            "Op_create_x(MPIX_User_function_x *user_fn_x, \
             MPIX_Destructor_function *destructor_fn, int commute, void *extra_state, MPI_Op *op)"
                .to_string(),
        );
        for kind in ["Comm", "Win", "File", "Session"] {
            line(format!(
                "{kind}_create_errhandler_x(MPIX_{kind}_errhandler_function_x *errhandler_fn_x, \
                 MPIX_Destructor_function *destructor_fn, void *extra_state, \
                 MPI_Errhandler *errhandler)"
            ));
        }
        for (kind, handle) in [
            ("Comm", "MPI_Comm comm"),
            ("Type", "MPI_Datatype datatype"),
            ("Win", "MPI_Win win"),
        ] {
            line(format!(
                "{kind}_create_keyval_x(MPI_{kind}_copy_attr_function *copy_fn, \
                 MPI_{kind}_delete_attr_function *delete_fn, \
                 MPIX_Destructor_function *destructor_fn, int *keyval, void *extra_state)"
            ));
            line(format!(
                "{kind}_get_attr_as_fortran({handle}, int keyval, void *attribute_val, int *flag)"
            ));
            line(format!(
                "{kind}_set_attr_as_fortran({handle}, int keyval, void *attribute_val)"
            ));
        }
    }
}

/// The declaration of a function, with a prefix before its name.
pub fn prototype(function: &Function, prefix: &str) -> String {
    let named = format!(
        "{prefix}{}({})",
        function.name,
        declare_all(function.params.iter().map(|p| (&*p.ty, &*p.name)))
    );
    format!("{};\n", declare(&function.returns, &named))
}

/// A list of parameters, each given as its type and its name.
fn declare_all<'a>(params: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let each: Vec<String> = params.map(|(ty, name)| declare(ty, name)).collect();
    match each.is_empty() {
        true => "void".to_string(),
        false => each.join(", "),
    }
}

/// A C declaration from a type as the tables write it: `const int[]`, `counts` to
/// `const int counts[]`; `char**[]`, `argv` to `char **argv[]`.
fn declare(ty: &str, name: &str) -> String {
    if ty == "..." {
        return ty.to_string();
    }
    let (base, array) = ty.split_at(ty.find('[').unwrap_or(ty.len()));
    let plain = base.trim_end_matches('*');
    format!("{plain} {}{name}{array}", stars(base))
}

/// Breaks a declaration after commas, so that no line is longer than 100 columns.
fn wrap(line: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for (at, part) in line.trim_end().split(", ").enumerate() {
        if at > 0 && column + part.len() + 3 > 100 {
            out.push_str(",\n    ");
            column = 4;
        } else if at > 0 {
            out.push_str(", ");
            column += 2;
        }
        out.push_str(part);
        column += part.len();
    }
    out.push('\n');
    out
}
