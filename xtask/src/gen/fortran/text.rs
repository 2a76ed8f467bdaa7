//! Generates what a Fortran compiler reads: `mpif.h`, and the modules `mpi` and `mpi_f08`.
//!
//! The modules hold declarations alone: constants, types, interfaces of external procedures. So a
//! compiler that reads them makes a module file and no object, and a program refers to nothing but
//! the standard's own names. They are written in two ways: for compilers that pass descriptors of
//! arrays (TS 29113, Fortran 2018), and for those that pass addresses.

use std::fmt::Write;

use super::super::spec::{self, Constant, Direction, Field, Kind, Spec, Type};
use super::model::{Arg, Form, Routine};

const NOTE: &str = "Made from the tables of the MPI standard; do not edit.";

/// The form in which a compiler passes a choice buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// A descriptor, in `mpi_f08`: sections need no copy.
    Descriptors,
    /// An address everywhere.
    Addresses,
}

/// Directives by which compilers do not compare an argument with its declaration.
const LOOSE: [&str; 3] = [
    "!GCC$ ATTRIBUTES NO_ARG_CHECK ::",
    "!DEC$ ATTRIBUTES NO_ARG_CHECK ::",
    "!DIR$ IGNORE_TKR",
];

/// Constants that are known by their address: name, COMMON block, type in `mpi_f08` where that
/// differs, type and shape elsewhere.
const CELLS: [(&str, &str, &str, &str); 10] = [
    ("MPI_BOTTOM", "bottom", "integer", ""),
    ("MPI_IN_PLACE", "in_place", "integer", ""),
    ("MPI_BUFFER_AUTOMATIC", "buffer_automatic", "integer", ""),
    ("MPI_ARGV_NULL", "argv_null", "character*1", "(1)"),
    ("MPI_ARGVS_NULL", "argvs_null", "character*1", "(1,1)"),
    ("MPI_ERRCODES_IGNORE", "errcodes_ignore", "integer", "(1)"),
    ("MPI_UNWEIGHTED", "unweighted", "integer", "(1)"),
    ("MPI_WEIGHTS_EMPTY", "weights_empty", "integer", "(1)"),
    ("MPI_STATUS_IGNORE", "status_ignore", "integer", "(8)"),
    ("MPI_STATUSES_IGNORE", "statuses_ignore", "integer", "(8,1)"),
];

/// The dimensions of arrays whose elements `MPI_Sizeof` knows without descriptors.
const SIZEOF_RANK_MAX: usize = 7;

/// Numbers that Fortran alone has.
const OWN: [(&str, &str); 8] = [
    ("MPI_INTEGER_KIND", "4"),
    ("MPI_ADDRESS_KIND", "8"),
    ("MPI_COUNT_KIND", "8"),
    ("MPI_OFFSET_KIND", "8"),
    ("MPI_STATUS_SIZE", "8"),
    ("MPI_SOURCE", "1"),
    ("MPI_TAG", "2"),
    ("MPI_ERROR", "3"),
];

/// Combiners of datatypes that MPI 3.0 removed, which old programs compare with; no datatype has
/// them.
const REMOVED_COMBINERS: [&str; 3] = [
    "MPI_COMBINER_HVECTOR_INTEGER",
    "MPI_COMBINER_HINDEXED_INTEGER",
    "MPI_COMBINER_STRUCT_INTEGER",
];

/// Datatypes that MPI 3.0 removed, for `MPI_TYPE_STRUCT`: `crates/fortran/src/removed.rs` has the
/// numbers.
const REMOVED_TYPES: [&str; 2] = ["MPI_LB", "MPI_UB"];

/// Returns `mpif.h`, in lines that are good in fixed and in free form.
pub fn mpif_h(spec: &Spec) -> String {
    let mut out = format!("! mpif.h: MPI 5.0 for Fortran.\n! {NOTE}\n");
    let mut line = |text: String| {
        let _ = writeln!(out, "      {text}");
    };
    for (name, value) in OWN {
        line(format!("integer {name}"));
        line(format!("parameter ({name}={value})"));
    }
    for name in ["MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"] {
        line(format!("logical {name}"));
        line(format!("parameter ({name}=.false.)"));
    }
    for constant in constants(spec) {
        let (name, ty) = (&constant.name, integer(&constant.ty));
        line(format!("{ty} {name}"));
        line(format!("parameter ({name}={})", value(constant)));
    }
    for (name, block, ty, shape) in CELLS {
        line(format!("{ty} {name}{shape}"));
        line(format!("common /mpifort_{block}/ {name}"));
    }
    for name in callback_constants(spec) {
        line(format!("external {name}"));
    }
    for prefix in ["", "P"] {
        for (ty, name) in [
            ("double precision", "MPI_Wtime"),
            ("double precision", "MPI_Wtick"),
            ("integer(kind=MPI_ADDRESS_KIND)", "MPI_Aint_add"),
            ("integer(kind=MPI_ADDRESS_KIND)", "MPI_Aint_diff"),
        ] {
            line(format!("{ty} {prefix}{name}"));
            line(format!("external {prefix}{name}"));
        }
    }
    let combiners = REMOVED_COMBINERS.iter().zip(101..);
    for (name, number) in combiners.chain(REMOVED_TYPES.iter().zip(201..)) {
        line(format!("integer {name}"));
        line(format!("parameter ({name}=-{number})"));
    }
    // Where INTEGER has 8 bytes, the elements differ in kind, and a compiler refuses this line.
    line("integer(kind=4) mpif_h_needs_integer_of_4_bytes(2)".to_string());
    line("parameter (mpif_h_needs_integer_of_4_bytes=(/1_4,1/))".to_string());
    out
}

/// Returns the sources of the modules `mpi_f08_types` and `mpi`.
pub fn mpi(spec: &Spec, routines: &[Routine], passing: Passing) -> String {
    let mut out = format!("! The module mpi of MPI 5.0, and the types of mpi_f08.\n! {NOTE}\n\n");
    types(spec, &mut out);
    out.push_str("\nmodule mpi\n  use mpi_f08_types\n");
    out.push_str("  implicit none\n");
    numbers(spec, ".false.", &mut out);
    for (name, block, ty, shape) in CELLS {
        let ty = ty.replace("*1", "(len=1)");
        let _ = writeln!(
            out,
            "  {ty} :: {name}{shape}\n  common /mpifort_{block}/ {name}"
        );
    }
    for constant in constants(spec).filter(|constant| is_handle(constant)) {
        let (name, value) = (&constant.name, constant.value);
        let _ = writeln!(out, "  integer, parameter :: {name} = {value}");
    }
    for name in callback_constants(spec) {
        let _ = writeln!(out, "  external :: {name}");
    }
    for prefix in ["", "P"] {
        for routine in routines.iter().filter(|routine| routine.is_in_mpi()) {
            old_interface(routine, prefix, passing, &mut out);
        }
        old_extras(prefix, passing, &mut out);
    }
    out.push_str("end module mpi\n");
    out
}

/// Returns the source of the module `mpi_f08`.
pub fn mpi_f08(spec: &Spec, routines: &[Routine], passing: Passing) -> Result<String, String> {
    let mut out = format!("! The module mpi_f08 of MPI 5.0.\n! {NOTE}\n\nmodule mpi_f08\n");
    out.push_str("  use mpi_f08_types\n");
    out.push_str("  implicit none\n");
    let sections = match passing {
        Passing::Descriptors => ".true.",
        Passing::Addresses => ".false.",
    };
    numbers(spec, sections, &mut out);
    for (name, block, ty, shape) in CELLS {
        let (ty, shape, block) = match name {
            "MPI_STATUS_IGNORE" => ("type(MPI_Status)", "", "f08_status_ignore"),
            "MPI_STATUSES_IGNORE" => ("type(MPI_Status)", "(1)", "f08_statuses_ignore"),
            _ => (ty, shape, block),
        };
        let ty = ty.replace("*1", "(len=1)");
        let _ = writeln!(
            out,
            "  {ty} :: {name}{shape}\n  common /mpifort_{block}/ {name}"
        );
    }
    for constant in constants(spec).filter(|constant| is_handle(constant)) {
        let Constant {
            name, value, ty, ..
        } = constant;
        let _ = writeln!(out, "  type({ty}), parameter :: {name} = {ty}({value})");
    }
    callbacks(spec, &mut out)?;
    for prefix in ["", "P"] {
        for routine in routines.iter().filter(|routine| routine.is_in_f08()) {
            if routine.is_large() && is_overload(routines, routine) {
                continue;
            }
            generic(routines, routine, prefix, passing, &mut out);
        }
        new_extras(prefix, passing, &mut out);
    }
    out.push_str("end module mpi_f08\n");
    Ok(out)
}

fn types(spec: &Spec, out: &mut String) {
    out.push_str("module mpi_f08_types\n  implicit none\n");
    let _ = writeln!(
        out,
        "  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n    \
         integer, private :: internal(5)\n  end type MPI_Status"
    );
    for Type { name, .. } in spec.types_of(Kind::Handle) {
        let _ = writeln!(
            out,
            "  type, bind(C) :: {name}\n    integer :: MPI_VAL\n  end type {name}"
        );
    }
    for (operator, end) in [("==", "eq"), ("/=", "ne")] {
        let _ = writeln!(out, "  interface operator({operator})");
        for Type { name, .. } in spec.types_of(Kind::Handle) {
            let _ = writeln!(
                out,
                "    pure logical function {name}_{end}(a, b)\n      import\n      \
                 type({name}), intent(in) :: a, b\n    end function {name}_{end}"
            );
        }
        let _ = writeln!(out, "  end interface");
    }
    out.push_str("end module mpi_f08_types\n");
}

fn numbers(spec: &Spec, sections: &str, out: &mut String) {
    for (name, value) in OWN {
        let _ = writeln!(out, "  integer, parameter :: {name} = {value}");
    }
    let _ = writeln!(
        out,
        "  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = {sections}"
    );
    let _ = writeln!(
        out,
        "  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = {sections}"
    );
    for constant in constants(spec).filter(|constant| !is_handle(constant)) {
        let (name, ty) = (&constant.name, integer(&constant.ty));
        let _ = writeln!(out, "  {ty}, parameter :: {name} = {}", value(constant));
    }
}

/// The constants that are numbers in Fortran.
fn constants(spec: &Spec) -> impl Iterator<Item = &Constant> {
    spec.constants.iter().filter(|constant| {
        let is_c_only = constant.group.starts_with("tool-") && constant.group != "tool-error-class";
        let is_address = constant.ty.ends_with('*');
        !is_c_only && !is_address && constant.group != "fortran-status-index"
    })
}

fn is_handle(constant: &Constant) -> bool {
    constant.group.ends_with("-handle") || constant.ty == "MPI_Datatype"
}

fn integer(ty: &str) -> &'static str {
    match ty {
        "MPI_Offset" => "integer(kind=MPI_OFFSET_KIND)",
        _ => "integer",
    }
}

/// A limit for texts is without C's zero byte (MPI 5.0, 2.6.2).
fn value(constant: &Constant) -> i64 {
    match constant.group.as_str() {
        "string-length-limit" => constant.value - 1,
        _ => constant.value,
    }
}

fn callback_constants(spec: &Spec) -> impl Iterator<Item = &str> {
    let constants = spec.constants.iter();
    let callbacks = constants.filter(|constant| constant.group == "callback-constant");
    callbacks.map(|constant| constant.name.as_str())
}

/// The interfaces of procedures that users write, and those that MPI has.
fn callbacks(spec: &Spec, out: &mut String) -> Result<(), String> {
    let is_old = |name: &str| matches!(name, "MPI_Copy_function" | "MPI_Delete_function");
    out.push_str("  abstract interface\n");
    for ty in spec.types_of(Kind::Callback) {
        if ty.name.starts_with("MPI_T_") || is_old(&ty.name) {
            continue;
        }
        let (returns, list) = ty
            .definition
            .split_once(" (")
            .ok_or("callback without parameters")?;
        let fields = spec::fields(list.trim_end_matches(')'))?;
        let mut names = Vec::new();
        let mut lines = String::new();
        for field in fields.iter().filter(|field| field.ty != "...") {
            names.push(field.name.clone());
            let _ = writeln!(lines, "      {} :: {}", callback_type(field)?, field.name);
        }
        if returns == "int" {
            names.push("ierror".to_string());
            lines.push_str("      integer :: ierror\n");
        }
        let head = format!("    subroutine {}({})", ty.name, names.join(", "));
        let (head, import) = (wrap(&head), import(&lines));
        let _ = writeln!(out, "{head}{import}{lines}    end subroutine");
    }
    out.push_str("  end interface\n");
    let constants = spec.constants.iter();
    for constant in constants.filter(|constant| constant.group == "callback-constant") {
        let ty = constant.ty.trim_end_matches('*');
        if !is_old(ty) {
            let _ = writeln!(out, "  procedure({ty}) :: {}", constant.name);
        }
    }
    Ok(())
}

fn callback_type(field: &Field) -> Result<String, String> {
    let base = field.ty.trim_end_matches('*');
    Ok(match (base, field.name.as_str()) {
        ("void", "extra_state" | "attribute_val" | "attribute_val_in" | "attribute_val_out") => {
            "integer(kind=MPI_ADDRESS_KIND)".to_string()
        }
        ("void", "invec" | "inoutvec" | "userbuf" | "filebuf") => "type(c_ptr), value".to_string(),
        ("int", "flag" | "complete") => "logical".to_string(),
        ("int", _) => "integer".to_string(),
        ("MPI_Aint" | "MPI_Count" | "MPI_Offset", _) => wide(base).to_string(),
        (mpi, _) if mpi.starts_with("MPI_") => format!("type({mpi})"),
        (_, name) => {
            return Err(format!(
                "no Fortran type for `{} {name}` of a callback",
                field.ty
            ))
        }
    })
}

fn wide(ty: &str) -> &'static str {
    match ty {
        "MPI_Aint" => "integer(kind=MPI_ADDRESS_KIND)",
        "MPI_Count" => "integer(kind=MPI_COUNT_KIND)",
        "MPI_Offset" => "integer(kind=MPI_OFFSET_KIND)",
        _ => "integer",
    }
}

/// Whether a compiler can distinguish a large-count form from the small one beside it
/// by the kinds of their arguments: `MPI_COUNT_KIND` and `MPI_ADDRESS_KIND` are one.
pub fn is_overload(routines: &[Routine], large: &Routine) -> bool {
    let small = large.name().trim_end_matches("_c");
    let small = routines.iter().find(|routine| routine.name() == small);
    small.is_some_and(|small| signature(small) != signature(large))
}

fn signature(routine: &Routine) -> Vec<String> {
    let of = |arg: &Arg| match (arg.form, arg.param.base()) {
        (Form::Value | Form::Numbers, "MPI_Aint" | "MPI_Count" | "MPI_Offset") => {
            format!("integer 8 {}", rank(arg))
        }
        (Form::Callback, _) => "procedure".to_string(),
        (form, base) => format!("{form:?} {base} {}", rank(arg)),
    };
    routine.visible().map(of).collect()
}

pub(super) fn generic(
    routines: &[Routine],
    routine: &Routine,
    prefix: &str,
    passing: Passing,
    out: &mut String,
) {
    let _ = writeln!(out, "  interface {prefix}{}", routine.name());
    new_interface(routine, prefix, passing, out);
    let large = format!("{}_c", routine.name());
    let large = routines.iter().find(|other| other.name() == large);
    if let Some(large) = large.filter(|large| is_overload(routines, large)) {
        new_interface(large, prefix, passing, out);
    }
    out.push_str("  end interface\n");
}

/// One specific procedure of `mpi_f08`.
fn new_interface(routine: &Routine, prefix: &str, passing: Passing, out: &mut String) {
    let is_described = routine.is_described() && passing == Passing::Descriptors;
    let token = if is_described { "f08ts" } else { "f08" };
    let name = format!("{prefix}{}_{token}", routine.name());
    let names: Vec<&str> = routine
        .visible()
        .map(|arg| arg.param.name.as_str())
        .collect();
    let mut lines = String::new();
    for arg in routine.visible() {
        new_declaration(routine, arg, passing, &mut lines);
    }
    if routine.is_value() {
        let (names, ty) = (names.join(", "), returned(routine));
        let _ = writeln!(out, "    {ty} function {name}({names})\n      import");
        let _ = writeln!(out, "{lines}    end function");
        return;
    }
    let bound = match is_described {
        true => format!(" bind(C, name=\"{}_\")", name.to_lowercase()),
        false => String::new(),
    };
    let mut all = names;
    if routine.name() != "MPI_Pcontrol" {
        all.push("ierror");
    }
    out.push_str(&wrap(&format!(
        "    subroutine {name}({}){bound}",
        all.join(", ")
    )));
    if routine.name() != "MPI_Pcontrol" {
        lines.push_str("      integer, optional, intent(out) :: ierror\n");
    }
    let _ = writeln!(out, "{}{lines}    end subroutine", import(&lines));
}

pub(super) fn returned(routine: &Routine) -> &'static str {
    match routine.function.returns.as_str() {
        "double" => "double precision",
        _ => "integer(kind=MPI_ADDRESS_KIND)",
    }
}

pub(super) fn new_declaration(routine: &Routine, arg: &Arg, passing: Passing, out: &mut String) {
    let param = arg.param;
    let is_described = routine.is_described() && passing == Passing::Descriptors;
    if arg.form == Form::Buffer && !is_described {
        let asynchronous = asynchronous(routine);
        let _ = writeln!(out, "      real{asynchronous} :: {}(*)", param.name);
        loose(&param.name, out);
        return;
    }
    let intent = match param.direction {
        Direction::In => ", intent(in)",
        Direction::Out => ", intent(out)",
        Direction::InOut => ", intent(inout)",
    };
    let kind = match (arg.form, is_described) {
        (Form::Value | Form::Numbers, _) => format!("{}{intent}", wide(param.base())),
        (Form::Position | Form::Positions, _) => format!("integer{intent}"),
        (Form::Truth | Form::TruthOut | Form::Truths | Form::TruthsOut, _) => {
            format!("logical{intent}")
        }
        (Form::Handle | Form::HandleOut | Form::HandleInOut, _)
        | (Form::Handles | Form::HandlesOut | Form::HandlesInOut, _) => {
            format!("type({}){intent}", param.base())
        }
        (Form::StatusIn, _) => format!("type(MPI_Status){intent}"),
        (Form::Status | Form::Statuses, _) => "type(MPI_Status)".to_string(),
        (Form::Weights | Form::ErrorCodes, _) => "integer".to_string(),
        (Form::Buffer, _) => buffer(routine, arg),
        (Form::Address | Form::Detached, _) => "type(c_ptr), intent(out)".to_string(),
        (Form::Word | Form::WordOut, _) => format!("integer(kind=MPI_ADDRESS_KIND){intent}"),
        // A text in a procedure with the binding label of C is a descriptor, too.
        (Form::Text | Form::TextOut, true) => format!("type(*), dimension(..){intent}"),
        (Form::Text | Form::TextOut | Form::Texts | Form::TextTable, _) => {
            format!("character(len=*){intent}")
        }
        (Form::Callback, _) => format!("procedure({})", param.base()),
        (Form::OldWord | Form::OldWordOut | Form::Omitted, _) => String::new(),
    };
    let _ = writeln!(out, "      {kind} :: {}{}", param.name, shape(arg));
}

/// Writes the directives for an argument that may be anything.
fn loose(name: &str, out: &mut String) {
    for directive in LOOSE {
        let _ = writeln!(out, "      {directive} {name}");
    }
}

fn asynchronous(routine: &Routine) -> &'static str {
    match routine.is_pending() {
        true => ", asynchronous",
        false => "",
    }
}

pub(super) fn buffer(routine: &Routine, arg: &Arg) -> String {
    let intent = match arg.param.ty.starts_with("const ") {
        true => ", intent(in)",
        false => "",
    };
    let asynchronous = asynchronous(routine);
    format!("type(*), dimension(..){intent}{asynchronous}")
}

/// How an array is declared.
fn shape(arg: &Arg) -> &'static str {
    match rank(arg) {
        0 => "",
        1 => "(*)",
        _ if arg.form == Form::TextTable => "(count,*)",
        _ => "(3,*)",
    }
}

fn rank(arg: &Arg) -> usize {
    let is_list = !matches!(arg.param.length, spec::Length::One);
    match arg.form {
        Form::TextTable => 2,
        Form::Numbers if arg.param.ty.ends_with("[3]") => 2,
        Form::Buffer | Form::Text | Form::TextOut | Form::Callback => 0,
        _ => usize::from(is_list),
    }
}

/// Writes the procedures of `mpi_f08` that C lacks.
fn new_extras(prefix: &str, passing: Passing, out: &mut String) {
    let lower = prefix.to_lowercase();
    match passing {
        Passing::Descriptors => {
            let _ = write!(
                out,
                "  interface {prefix}MPI_Sizeof
    subroutine {prefix}MPI_Sizeof_f08ts(x, size, ierror) bind(C, name=\"{lower}mpi_sizeof_f08ts_\")
      type(*), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface {prefix}MPI_F_sync_reg
    subroutine {prefix}MPI_F_sync_reg_f08ts(buf) bind(C, name=\"{lower}mpi_f_sync_reg_f08ts_\")
      type(*), dimension(..), asynchronous :: buf
    end subroutine
  end interface
"
            );
        }
        Passing::Addresses => {
            sizes(prefix, ", optional", out);
            let _ = writeln!(
                out,
                "  interface {prefix}MPI_F_sync_reg\n    \
                 subroutine {prefix}MPI_F_sync_reg_f08(buf)\n      real, asynchronous :: buf(*)"
            );
            loose("buf", out);
            out.push_str("    end subroutine\n  end interface\n");
        }
    }
    for (name, from, to) in [
        (
            "Status_f2f08",
            "integer, intent(in) :: f_status(8)",
            "type(MPI_Status), intent(out) :: f08_status",
        ),
        (
            "Status_f082f",
            "type(MPI_Status), intent(in) :: f08_status",
            "integer, intent(out) :: f_status(8)",
        ),
    ] {
        let names = match name {
            "Status_f2f08" => "f_status, f08_status",
            _ => "f08_status, f_status",
        };
        let _ = write!(
            out,
            "  interface {prefix}MPI_{name}
    subroutine {prefix}MPI_{name}_f08({names}, ierror)
      import
      {from}
      {to}
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
"
        );
    }
}

/// One procedure of `mpi`, twice where it gives an address: as a number and as a `C_PTR`.
pub(super) fn old_interface(routine: &Routine, prefix: &str, passing: Passing, out: &mut String) {
    let name = format!("{prefix}{}", routine.name());
    // A generic name does without sequence association: it refuses `statuses(1,1)` for a status.
    let _ = match routine.has(Form::Address) {
        true => writeln!(out, "  interface {name}"),
        false => writeln!(out, "  interface"),
    };
    old_specific(routine, &name, false, passing, out);
    if routine.has(Form::Address) {
        old_specific(routine, &format!("{name}_cptr"), true, passing, out);
    }
    out.push_str("  end interface\n");
}

fn old_specific(
    routine: &Routine,
    name: &str,
    as_pointer: bool,
    passing: Passing,
    out: &mut String,
) {
    let names: Vec<&str> = routine
        .visible()
        .map(|arg| arg.param.name.as_str())
        .collect();
    let mut lines = String::new();
    for arg in routine.visible() {
        old_declaration(routine, arg, as_pointer, passing, &mut lines);
    }
    if routine.is_value() {
        let (names, ty) = (names.join(", "), returned(routine));
        let _ = write!(
            out,
            "    {ty} function {name}({names})\n      import\n{lines}"
        );
        out.push_str("    end function\n");
        return;
    }
    let mut all = names;
    if routine.name() != "MPI_Pcontrol" {
        all.push("ierror");
        lines.push_str("      integer :: ierror\n");
    }
    out.push_str(&wrap(&format!("    subroutine {name}({})", all.join(", "))));
    let _ = writeln!(out, "{}{lines}    end subroutine", import(&lines));
}

pub(super) fn old_declaration(
    routine: &Routine,
    arg: &Arg,
    as_pointer: bool,
    passing: Passing,
    out: &mut String,
) {
    let Arg { param, form } = arg;
    let name = &param.name;
    let kind = match form {
        Form::Value | Form::Numbers => wide(param.base()),
        Form::Truth | Form::TruthOut | Form::Truths | Form::TruthsOut => "logical",
        Form::Buffer | Form::Detached => any(passing),
        Form::Address if as_pointer => "type(c_ptr)",
        Form::Address | Form::Word | Form::WordOut => "integer(kind=MPI_ADDRESS_KIND)",
        Form::Text | Form::TextOut | Form::Texts | Form::TextTable => "character(len=*)",
        Form::Callback => {
            let _ = writeln!(out, "      external :: {name}");
            return;
        }
        _ => "integer",
    };
    let dimensions = match form {
        Form::Buffer | Form::Detached => "(*)",
        Form::StatusIn | Form::Status => "(MPI_STATUS_SIZE)",
        Form::Statuses => "(MPI_STATUS_SIZE,*)",
        _ => shape(arg),
    };
    let _ = writeln!(out, "      {kind} :: {name}{dimensions}");
    // Old programs pass anything as a buffer, scalars for arrays that are not used, and arrays of
    // datatypes of which the first counts.
    let is_list = rank(arg) == 1 && *form != Form::Statuses || param.base() == "MPI_Datatype";
    let is_loose = matches!(form, Form::Buffer | Form::Detached);
    if is_loose || is_list && routine.has(Form::Buffer) {
        loose(name, out);
    }
}

/// Writes the procedures of `mpi` that C lacks.
fn old_extras(prefix: &str, passing: Passing, out: &mut String) {
    let lower = prefix.to_lowercase();
    match passing {
        Passing::Descriptors => {
            let _ = write!(
                out,
                "  interface {prefix}MPI_Sizeof
    subroutine {prefix}MPI_Sizeof(x, size, ierror) bind(C, name=\"{lower}mpi_sizeof_f08ts_\")
      type(*), dimension(..), intent(in) :: x
      integer :: size
      integer :: ierror
    end subroutine
  end interface
"
            );
        }
        Passing::Addresses => sizes(prefix, "", out),
    }
    let _ = writeln!(
        out,
        "  interface\n    subroutine {prefix}MPI_F_sync_reg(buf)\n      {} :: buf(*)",
        any(passing)
    );
    loose("buf", out);
    out.push_str("    end subroutine\n");
    let _ = write!(
        out,
        "\
    subroutine {prefix}MPI_Status_f2f08(f_status, f08_status, ierror)
      import
      integer :: f_status(MPI_STATUS_SIZE)
      type(MPI_Status) :: f08_status
      integer :: ierror
    end subroutine
    subroutine {prefix}MPI_Status_f082f(f08_status, f_status, ierror)
      import
      type(MPI_Status) :: f08_status
      integer :: f_status(MPI_STATUS_SIZE)
      integer :: ierror
    end subroutine
  end interface
"
    );
}

/// Gives an interface the names of its module, and the type `C_PTR` where `lines` need it. The
/// module itself does not take that name: gfortran finds it ambiguous in programs that have it from
/// several modules, even where it is private here.
fn import(lines: &str) -> &'static str {
    match lines.contains("type(c_ptr)") {
        true => "      use, intrinsic :: iso_c_binding, only: c_ptr\n      import\n",
        false => "      import\n",
    }
}

/// The type of a buffer that is passed by its address.
fn any(passing: Passing) -> &'static str {
    match passing {
        Passing::Descriptors => "type(*)",
        Passing::Addresses => "real",
    }
}

/// Writes `MPI_Sizeof` for compilers without descriptors: a procedure for each type and rank that
/// a program can declare without parameters, of the size that its external name has.
fn sizes(prefix: &str, optional: &str, out: &mut String) {
    let lower = prefix.to_lowercase();
    let types = [
        ("integer(1)", 1),
        ("integer(2)", 2),
        ("integer(4)", 4),
        ("integer(8)", 8),
        ("real(4)", 4),
        ("real(8)", 8),
        ("complex(4)", 8),
        ("complex(8)", 16),
        ("logical", 4),
    ];
    let _ = writeln!(out, "  interface {prefix}MPI_Sizeof");
    for (number, (ty, bytes)) in types.iter().enumerate() {
        for rank in 0..=SIZEOF_RANK_MAX {
            let shape = match rank {
                0 => String::new(),
                rank => format!("({}*)", "1,".repeat(rank - 1)),
            };
            let _ = write!(
                out,
                "    subroutine {prefix}mpi_sizeof_{number}_{rank}(x, size, ierror) &
        bind(C, name=\"{lower}mpi_sizeof_{bytes}_\")
      {ty} :: x{shape}
      integer, intent(out) :: size
      integer{optional}, intent(out) :: ierror
    end subroutine
"
            );
        }
    }
    out.push_str("  end interface\n");
}

/// Breaks a line of free form after commas, so that none is longer than 100 columns.
fn wrap(line: &str) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for (at, part) in line.split(", ").enumerate() {
        if at > 0 && column + part.len() + 4 > 100 {
            out.push_str(", &\n        ");
            column = 8;
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
