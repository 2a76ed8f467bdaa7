//! How Fortran sees MPI's routines and their parameters.

use super::super::entries::is_handle;
use super::super::rust;
use super::super::spec::{Direction, Factor, Function, Length, Param, Spec};

/// A routine that Fortran has.
pub struct Routine<'a> {
    pub function: &'a Function,
    pub args: Vec<Arg<'a>>,
}

/// A parameter of a routine.
pub struct Arg<'a> {
    pub param: &'a Param,
    pub form: Form,
}

/// The form of a parameter in Fortran, and with it how its C argument is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A number that C gets by value.
    Value,
    /// One number or more, which C reads or writes where they are.
    Numbers,
    /// A position that counts from 1, or an array of them.
    Position,
    Positions,
    /// LOGICAL: by value, written by C, and arrays of both ways.
    Truth,
    TruthOut,
    Truths,
    TruthsOut,
    /// A handle: by value, given by C, changed by C, and arrays of these.
    Handle,
    HandleOut,
    HandleInOut,
    Handles,
    HandlesOut,
    HandlesInOut,
    /// A status that the user made, and one that C fills or that is ignored.
    StatusIn,
    Status,
    Statuses,
    /// Weights or error codes, which have constants in their place.
    Weights,
    ErrorCodes,
    /// A choice buffer.
    Buffer,
    /// The address of memory that MPI gives, as an address or a `C_PTR`.
    Address,
    /// The address of a detached buffer, of which only `mpi_f08` has a use.
    Detached,
    /// The value of an attribute or the state of callbacks: an address-sized integer.
    Word,
    WordOut,
    /// A value or a state in the routines of MPI-1: a default integer.
    OldWord,
    OldWordOut,
    /// CHARACTER, and arrays of it.
    Text,
    TextOut,
    Texts,
    TextTable,
    Callback,
    /// C's command line, which Fortran does not have.
    Omitted,
}

/// Routines of MPI-1 that `mpi_f08` lacks.
const OLD: [&str; 5] = [
    "MPI_Attr_delete",
    "MPI_Attr_get",
    "MPI_Attr_put",
    "MPI_Keyval_create",
    "MPI_Keyval_free",
];

/// Routines whose entries are written by hand, in `crates/fortran/src/`.
const BY_HAND: [&str; 29] = [
    "MPI_Aint_add",
    "MPI_Aint_diff",
    "MPI_Attr_get",
    "MPI_Attr_put",
    "MPI_Comm_create_errhandler",
    "MPI_Comm_create_keyval",
    "MPI_Comm_get_attr",
    "MPI_Comm_set_attr",
    "MPI_Comm_spawn",
    "MPI_Comm_spawn_multiple",
    "MPI_File_create_errhandler",
    "MPI_Grequest_start",
    "MPI_Info_get_string",
    "MPI_Keyval_create",
    "MPI_Op_create",
    "MPI_Op_create_c",
    "MPI_Pcontrol",
    "MPI_Register_datarep",
    "MPI_Register_datarep_c",
    "MPI_Session_create_errhandler",
    "MPI_Session_get_nth_pset",
    "MPI_Type_create_keyval",
    "MPI_Type_get_name",
    "MPI_Type_get_attr",
    "MPI_Type_set_attr",
    "MPI_Win_create_errhandler",
    "MPI_Win_create_keyval",
    "MPI_Win_get_attr",
    "MPI_Win_set_attr",
];

/// Functions that return a number rather than an error code.
const VALUES: [&str; 4] = ["MPI_Aint_add", "MPI_Aint_diff", "MPI_Wtick", "MPI_Wtime"];

/// Returns every routine of Fortran. The tool interface and the conversions of handles are C's.
pub fn routines(spec: &Spec) -> Result<Vec<Routine<'_>>, String> {
    let mut routines = Vec::new();
    for function in &spec.functions {
        if ["tool", "handle-conversion"].contains(&function.category.as_str()) {
            continue;
        }
        routines.push(routine(function)?);
    }
    Ok(routines)
}

/// Returns the routines that the standard does not have.
pub fn extensions(spec: &Spec) -> Result<Vec<Routine<'_>>, String> {
    spec.extensions.iter().map(routine).collect()
}

/// Returns a routine as Fortran has it.
pub fn routine(function: &Function) -> Result<Routine<'_>, String> {
    let mut args = Vec::new();
    for param in &function.params {
        let form = form(function, param).ok_or_else(|| {
            let Param { name: of, kind, .. } = param;
            let name = &function.name;
            format!("{name}: Fortran has no form for `{of}` of kind {kind}")
        })?;
        args.push(Arg { param, form });
    }
    Ok(Routine { function, args })
}

fn form(function: &Function, param: &Param) -> Option<Form> {
    let is_in = param.direction == Direction::In;
    let is_list = !matches!(param.length, Length::One);
    let pick = |first, second| Some(if is_in { first } else { second });
    match param.kind.as_str() {
        "BUFFER" | "LOGICAL_VOID" => Some(Form::Buffer),
        "C_BUFFER" => Some(Form::Address),
        "C_BUFFER2" => Some(Form::Detached),
        "ATTRIBUTE_VAL" => pick(Form::Word, Form::WordOut),
        "ATTRIBUTE_VAL_10" => pick(Form::OldWord, Form::OldWordOut),
        "EXTRA_STATE" => Some(Form::Word),
        "EXTRA_STATE2" => Some(Form::OldWord),
        "FUNCTION" | "POLYFUNCTION" => Some(Form::Callback),
        "ARGUMENT_COUNT" | "ARGUMENT_LIST" | "VARARGS" => Some(Form::Omitted),
        "STRING" => pick(Form::Text, Form::TextOut),
        "STRING_ARRAY" => Some(Form::Texts),
        "STRING_2DARRAY" => Some(Form::TextTable),
        "STATUS" if is_list => Some(Form::Statuses),
        "STATUS" if param.direction == Direction::Out => Some(Form::Status),
        "STATUS" => Some(Form::StatusIn),
        "LOGICAL" if is_list => pick(Form::Truths, Form::TruthsOut),
        "LOGICAL" => pick(Form::Truth, Form::TruthOut),
        "WEIGHT" => Some(Form::Weights),
        "ERROR_CODE" if is_list => Some(Form::ErrorCodes),
        "INDEX" if function.category == "pt2pt" && is_list => Some(Form::Positions),
        "INDEX" if function.category == "pt2pt" => Some(Form::Position),
        _ => plain(param, is_list),
    }
}

fn plain(param: &Param, is_list: bool) -> Option<Form> {
    let base = param.base();
    if is_handle(base) {
        return Some(match (param.direction, is_list) {
            (Direction::In, true) => Form::Handles,
            (Direction::Out, true) => Form::HandlesOut,
            (Direction::InOut, true) => Form::HandlesInOut,
            (Direction::In, false) if !param.is_pointer() => Form::Handle,
            (Direction::Out, false) => Form::HandleOut,
            (_, false) => Form::HandleInOut,
        });
    }
    match (is_number(base), param.is_pointer()) {
        (true, false) => Some(Form::Value),
        (true, true) => Some(Form::Numbers),
        (false, _) => None,
    }
}

fn is_number(ty: &str) -> bool {
    matches!(ty, "int" | "MPI_Aint" | "MPI_Count" | "MPI_Offset")
}

impl Routine<'_> {
    pub fn name(&self) -> &str {
        &self.function.name
    }

    pub fn is_large(&self) -> bool {
        self.name().ends_with("_c")
    }

    pub fn is_by_hand(&self) -> bool {
        BY_HAND.contains(&self.name()) || self.is_value()
    }

    /// Whether it is a function of Fortran, not a subroutine.
    pub fn is_value(&self) -> bool {
        VALUES.contains(&self.name())
    }

    /// Whether `mpif.h` and `mpi` have it.
    pub fn is_in_mpi(&self) -> bool {
        !self.is_large()
    }

    pub fn is_in_f08(&self) -> bool {
        !OLD.contains(&self.name())
    }

    /// Whether compilers with descriptors pass them to the procedure of `mpi_f08`. That takes the
    /// binding label of C, which no standard of Fortran allows beside a LOGICAL of default kind.
    pub fn is_described(&self) -> bool {
        use Form::{Truth, TruthOut, Truths, TruthsOut};
        self.has(Form::Buffer)
            && ![Truth, TruthOut, Truths, TruthsOut]
                .into_iter()
                .any(|form| self.has(form))
    }

    pub fn has(&self, form: Form) -> bool {
        self.args.iter().any(|arg| arg.form == form)
    }

    /// The arguments that Fortran has.
    pub fn visible(&self) -> impl Iterator<Item = &Arg<'_>> {
        self.args.iter().filter(|arg| arg.form != Form::Omitted)
    }

    /// Whether memory is used after the call has returned.
    pub fn is_pending(&self) -> bool {
        let kept = ["rma", "env", "abi"].contains(&self.function.category.as_str());
        let begins = self.name().ends_with("_begin") || self.name().ends_with("_end");
        let buffers = self.name().contains("ttach") || self.name().contains("etach");
        kept || begins || buffers || self.request().is_some()
    }

    /// Whether buffers may be copies until its request is complete: a collective or an access to a
    /// file, whose end one call notices.
    pub fn is_staged(&self) -> bool {
        let category = ["coll", "neighbor-coll", "io"].contains(&self.function.category.as_str());
        category && self.request().is_some()
    }

    /// The request that it makes: its name in Rust.
    pub fn request(&self) -> Option<String> {
        let made = self.args.iter().find(|arg| arg.param.ty == "MPI_Request*");
        made.map(|arg| rust::ident(&arg.param.name))
    }

    /// When its buffers are used, as a value in Rust.
    pub fn used(&self) -> &'static str {
        match self.is_pending() {
            true if self.is_staged() => "Use::Staged",
            true => "Use::Later",
            false => "Use::Now",
        }
    }

    /// The first parameter that has an error handler.
    pub fn raises_on(&self) -> Option<&Arg<'_>> {
        let kinds = ["MPI_Comm", "MPI_Win", "MPI_File", "MPI_Session"];
        let mut args = self.args.iter();
        args.find(|arg| arg.form == Form::Handle && kinds.contains(&arg.param.base()))
    }
}

/// The statement that makes C's buffer of a descriptor, and refuses one that a call cannot have.
pub fn buffer(routine: &Routine, name: &str, made: &str, on: &str) -> String {
    let mutable = if routine.is_staged() { "mut " } else { "" };
    let (of, on) = (routine.name(), if on.is_empty() { "()" } else { on });
    format!(
        "let {mutable}{name} = {made}; \
         if let Some(why) = {name}.refusal() {{ return refuse(\"{of}\", {on}, why); }} "
    )
}

/// The statements of a call that has buffers: a request gets those that are copies.
pub fn call(
    routine: &Routine,
    call: &str,
    buffers: &[String],
    handle: impl Fn(&str) -> String,
) -> String {
    let Some(request) = routine.request().filter(|_| routine.is_staged()) else {
        return call.to_string();
    };
    let copies: Vec<String> = buffers
        .iter()
        .map(|of| format!("{of}.take_staged()"))
        .collect();
    let (request, copies) = (handle(&request), copies.join(", "));
    format!("let code = {call}; if code == 0 {{ stage({request}, [{copies}]); }} code")
}

/// The handling of a choice buffer with gaps.
pub enum Gaps<'a> {
    /// Makes a datatype for it out of these two parameters.
    Datatype { count: &'a str, datatype: &'a str },
    /// Copies it there and back, or refuses where the memory is used later.
    Copy,
    /// Takes the address of its first element.
    Address,
}

impl Arg<'_> {
    /// Returns the handling of gaps in this buffer of `routine`.
    pub fn gaps(&self, routine: &Routine) -> Gaps<'_> {
        let by_address = ["MPI_Get_address", "MPI_Free_mem", "MPI_Win_detach"];
        if by_address.contains(&routine.name()) || routine.name().ends_with("_end") {
            return Gaps::Address;
        }
        let Length::Product(factors) = &self.param.length else {
            return Gaps::Copy;
        };
        let [Factor::Param(count), Factor::Param(datatype)] = factors.as_slice() else {
            return Gaps::Copy;
        };
        let shared = |other: &&Arg| other.param.length == self.param.length;
        match routine.args.iter().filter(shared).count() {
            1 if !routine.has_operation() => Gaps::Datatype { count, datatype },
            _ => Gaps::Copy,
        }
    }
}

impl Routine<'_> {
    /// Whether it is a collective reduction, which no derived datatype may stand in for.
    fn has_operation(&self) -> bool {
        let is_op = |arg: &Arg| arg.param.kind == "OPERATION";
        self.function.category == "coll" && self.args.iter().any(is_op)
    }
}
