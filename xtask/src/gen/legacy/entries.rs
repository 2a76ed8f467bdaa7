//! Generates `c.rs`, the functions of the standard library that the entries call, and files with a
//! row per function: what C programs call, with large counts or not, and what Fortran
//! programs call, by addresses or, from MPICH's `mpi_f08`, by descriptors of arrays and with large
//! counts.

use std::fmt::Write;

use super::super::entries::is_handle;
use super::super::fortran::model::{self, Form, Gaps, Routine};
use super::super::rust;
use super::super::spec::{Direction, Factor, Function, Length, Param};

/// Functions whose entries are written by hand, in `crates/edge/src/`: those with callbacks or
/// values of attributes, and what no row can say.
const BY_HAND: [&str; 35] = [
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
    "MPI_Get_address",
    "MPI_Get_library_version",
    "MPI_Get_version",
    "MPI_Grequest_start",
    "MPI_Keyval_create",
    "MPI_Op_create",
    "MPI_Op_create_c",
    "MPI_Pcontrol",
    "MPI_Register_datarep",
    "MPI_Register_datarep_c",
    "MPI_Session_create_errhandler",
    "MPI_Type_create_keyval",
    "MPI_Type_get_attr",
    "MPI_Type_get_contents",
    "MPI_Type_get_contents_c",
    "MPI_Type_set_attr",
    "MPI_Win_create_errhandler",
    "MPI_Win_create_keyval",
    "MPI_Win_get_attr",
    "MPI_Win_set_attr",
    "MPI_Wtick",
    "MPI_Wtime",
    "MPI_Info_get_string",
    "MPI_Session_get_nth_pset",
];

/// By hand for Fortran alone.
const BY_HAND_IN_C_ONLY: [&str; 2] = ["MPI_Info_get_string", "MPI_Session_get_nth_pset"];

/// Functions that have a second specific name in Fortran, for an address of TYPE(C_PTR).
const WITH_POINTER: [&str; 4] = [
    "MPI_Alloc_mem",
    "MPI_Win_allocate",
    "MPI_Win_allocate_shared",
    "MPI_Win_shared_query",
];

/// Functions that know each number below the last class as a code, of an unknown class if need be.
const ASKS_OF_CODE: [&str; 2] = ["MPI_Error_class", "MPI_Error_string"];

/// The table of `crates/edge/src/generated/values.rs` for each kind of number.
const GROUPS: &[(&str, &str)] = &[
    ("RANK", "RANK"),
    ("RANK_NNI", "RANK"),
    ("TAG", "TAG"),
    ("ERROR_CODE", "ERROR"),
    ("ERROR_CLASS", "ERROR"),
    ("ACCESS_MODE", "ACCESS_MODE"),
    ("ASSERT", "ASSERT"),
    ("COMBINER", "COMBINER"),
    ("COMM_COMPARISON", "COMPARISON"),
    ("GROUP_COMPARISON", "COMPARISON"),
    ("ORDER", "ORDER"),
    ("DISTRIB_ENUM", "DISTRIBUTION"),
    ("DTYPE_DISTRIBUTION", "DISTRIBUTION_ARGUMENT"),
    ("KEYVAL", "KEYVAL"),
    ("LOCK_TYPE", "LOCK_TYPE"),
    ("SPLIT_TYPE", "SPLIT_TYPE"),
    ("THREAD_LEVEL", "THREAD_LEVEL"),
    ("TOPOLOGY_TYPE", "TOPOLOGY"),
    ("TYPECLASS", "TYPECLASS"),
    ("UPDATE_MODE", "SEEK"),
    ("BIND_TYPE", "BIND"),
    ("PVAR_CLASS", "PVAR_CLASS"),
    ("VARIABLE_SCOPE", "SCOPE"),
    ("TOOL_VAR_VERBOSITY", "VERBOSITY"),
    ("SOURCE_ORDERING", "SOURCE_ORDER"),
    ("CALLBACK_SAFETY", "SAFETY"),
];

/// The generated `c.rs`.
pub fn declarations(functions: &[&Function]) -> Result<String, String> {
    let mut out = String::from("//! The functions of the standard library.\n");
    out.push_str(rust::DO_NOT_EDIT);
    out.push_str("use std::ffi::c_void;\n\nuse super::types::*;\nuse crate::table::functions;\n\n");
    out.push_str("functions! {\n");
    for (at, function) in functions.iter().enumerate() {
        let mut params = Vec::new();
        for param in function.params.iter().filter(|param| param.ty != "...") {
            let ty = match param.kind.ends_with("FUNCTION") {
                true => "*mut c_void".to_string(),
                false => rust::ty(&param.ty)?,
            };
            params.push(format!("{}: {ty}", rust::ident(&param.name)));
        }
        let returns = rust::ty(&function.returns)?;
        let (name, call) = (&function.name, rust::snake(&function.name));
        let _ = writeln!(
            out,
            "    {at} \"P{name}\" {call}({}) -> {returns};",
            params.join(", ")
        );
    }
    out.push_str("}\n");
    Ok(out)
}

/// The generated files of rows: the name of each, and its text.
pub fn entries(functions: &[&Function]) -> Result<Vec<(&'static str, String)>, String> {
    let mut files = Vec::new();
    for (side, name, title) in [
        (Side::C, "c_rows.rs", "C"),
        (Side::Large, "large_rows.rs", "C with large counts"),
        (Side::Early, "early_rows.rs", "C before MPI 4.0"),
        (Side::Fortran, "fortran_rows.rs", "Fortran"),
        (Side::Modern, "modern_rows.rs", "MPICH's `mpi_f08`"),
    ] {
        let mut rows = String::new();
        for function in functions.iter().filter(|function| side.has(function)) {
            rows.push_str(&side.row(function)?);
        }
        let mut out = format!(
            "//! The functions of {title}, a row each: its arguments and what they become, for\n\
             //! the interface of the library that has this file among its modules.\n"
        );
        out.push_str(rust::DO_NOT_EDIT);
        let interface = if side.is_fortran() {
            "Fortran"
        } else {
            "Interface"
        };
        let types = ["c_char", "c_void"]
            .into_iter()
            .filter(|ty| rows.contains(ty));
        let types = types.collect::<Vec<_>>().join(", ");
        let _ = write!(
            out,
            "use std::ffi::{{{types}}};\n\nuse edge::export;\nuse edge::rows::*;\n\n\
             use crate::{interface} as A;\n\n"
        );
        for (alias, of) in [("H", "Handle"), ("F", "File"), ("S", "Status")] {
            if rows.contains(&format!(": {alias}")) || rows.contains(&format!("t {alias}")) {
                let _ = writeln!(out, "type {alias} = <A as Abi>::{of};");
            }
        }
        if side == Side::Modern {
            out.push_str(
                "type Descriptor = <A as Abi>::Descriptor;\ntype Buffer = \
                 edge::section::Buffer<Native<A>>;\n",
            );
        }
        let _ = write!(out, "\n{rows}");
        files.push((name, out));
    }
    Ok(files)
}

/// The language of the caller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    C,
    /// C, by functions whose names end in `_c`: Open MPI has none of them.
    Large,
    /// C, by the names `MPIX_X_init` that persistent collective operations had in Open MPI before
    /// MPI 4.0.
    Early,
    Fortran,
    /// Fortran, by what MPICH's `mpi_f08` has beside the names of [`Side::Fortran`].
    Modern,
}

impl Side {
    fn has(self, function: &Function) -> bool {
        let name = function.name.as_str();
        if self == Side::C && BY_HAND_IN_C_ONLY.contains(&name) {
            return true;
        }
        let is_large = name.ends_with("_c");
        if self == Side::Modern && name == "MPI_Get_address" {
            return true;
        }
        !BY_HAND.contains(&name)
            && match self {
                Side::C => !is_large,
                Side::Large => is_large,
                Side::Early => {
                    ["coll", "topo"].contains(&function.category.as_str())
                        && name.ends_with("_init")
                }
                Side::Fortran => !is_large && function.category != "tool",
                Side::Modern => {
                    let is_of_fortran = function.category != "tool";
                    is_of_fortran && (is_large || has_buffer(function))
                }
            }
    }

    fn row(self, function: &Function) -> Result<String, String> {
        let (mut params, mut lengths, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        for param in &function.params {
            let name = rust::ident(&param.name);
            arguments.push(self.argument(function, param)?);
            if self.is_fortran() && param.kind.starts_with("ARGUMENT") {
                continue;
            }
            params.push(format!("{name}: {}", self.ty(param)?));
            if param.kind == "STRING" && self.is_fortran() {
                lengths.push(format!("{name}_len: usize"));
            }
        }
        let call = rust::snake(&function.name);
        let name = match self {
            Side::Early => &function.name.replacen("MPI_", "MPIX_", 1),
            _ => &function.name,
        };
        let (arguments, on) = (arguments.join(", "), self.raises_on(function));
        let call = format!("c::{call}({arguments})");
        if !self.is_fortran() {
            let params = params.join(", ");
            return Ok(format!(
                "export!([{name} P{name}] ({params}) on {{{on}}} {{ {call} }});\n"
            ));
        }
        params.push("ierror: *mut i32".to_string());
        params.extend(lengths);
        let row = |names: &str, body: &str| {
            let params = params.join(", ");
            format!("export!([{names}] ({params}) ierror on {{{on}}} {{ {body} }});\n")
        };
        if self == Side::Modern {
            let name = modern_name(function);
            let body = self.with_buffers(function, &call, &on)?;
            return Ok(row(&format!("{name} p{name}"), &body));
        }
        let name = name.to_lowercase();
        let all = |name: &str| row(&format!("{name}_ p{name}_ {name}_f08_ p{name}_f08_"), &call);
        Ok(match WITH_POINTER.contains(&function.name.as_str()) {
            true => all(&name) + &all(&format!("{name}_cptr")),
            false => all(&name),
        })
    }

    fn is_fortran(self) -> bool {
        matches!(self, Side::Fortran | Side::Modern)
    }

    /// The object whose error handler gets an error.
    fn raises_on(self, function: &Function) -> String {
        let kinds = ["MPI_Comm", "MPI_Win", "MPI_File", "MPI_Session"];
        let is_object = |of: &&Param| !of.is_pointer() && kinds.contains(&of.base());
        match function.params.iter().find(is_object) {
            Some(of) => self.decoded(of),
            None => String::new(),
        }
    }

    /// Statements that make the standard's buffers, call, and leave copies to the request.
    fn with_buffers(self, function: &Function, call: &str, on: &str) -> Result<String, String> {
        let routine = model::routine(function)?;
        let used = routine.used();
        let find = |name: &str| {
            let found = function.params.iter().find(|param| param.name == name);
            found.ok_or_else(|| format!("{}: no parameter `{name}`", function.name))
        };
        let (mut body, mut names) = (String::new(), Vec::new());
        for arg in routine.args.iter().filter(|arg| arg.form == Form::Buffer) {
            let name = rust::ident(&arg.param.name);
            let made = match arg.gaps(&routine) {
                Gaps::Datatype { count, datatype } => {
                    let count = self.value(find(count)?);
                    let datatype = self.handle(function, find(datatype)?)?;
                    format!("Buffer::elements({name}, {used}, {count}, {datatype})")
                }
                Gaps::Copy => format!("Buffer::whole({name}, {used})"),
                Gaps::Address => format!("Buffer::first({name})"),
            };
            body.push_str(&model::buffer(&routine, &name, &made, on));
            names.push(name);
        }
        body.push_str(&model::call(&routine, call, &names, |request| {
            format!("handle_in::<A, Request>(read({request}))")
        }));
        Ok(body)
    }

    /// The Rust type of a parameter of the caller.
    fn ty(self, param: &Param) -> Result<String, String> {
        let pointer = |to: &str| match param.direction {
            Direction::In => format!("*const {to}"),
            _ => format!("*mut {to}"),
        };
        let base = match param.base() {
            "MPI_File" => "F".to_string(),
            "MPI_Status" => "S".to_string(),
            base if is_handle(base) => "H".to_string(),
            _ if param.kind.ends_with("FUNCTION") => return Ok("*mut c_void".to_string()),
            _ => return self.plain(param),
        };
        Ok(match param.is_pointer() {
            true => pointer(&base),
            false if self.is_fortran() => format!("*const {base}"),
            false => base,
        })
    }

    fn plain(self, param: &Param) -> Result<String, String> {
        let ty = rust::ty(&param.ty)?;
        Ok(match self {
            Side::C | Side::Large | Side::Early => ty.replace("std::ffi::", ""),
            Side::Modern if param.kind == "BUFFER" => "*const Descriptor".to_string(),
            Side::Fortran | Side::Modern if param.kind == "STRING" => match param.direction {
                Direction::In => "*const u8".to_string(),
                _ => "*mut u8".to_string(),
            },
            Side::Fortran | Side::Modern if !param.is_pointer() => format!("*const {ty}"),
            Side::Fortran | Side::Modern => ty,
        })
    }

    /// The standard's argument made of the caller's, or where it belongs to a section with gaps, of
    /// what stands for that.
    fn argument(self, function: &Function, param: &Param) -> Result<String, String> {
        let made = self.converted(function, param)?;
        if self != Side::Modern {
            return Ok(made);
        }
        let name = rust::ident(&param.name);
        Ok(
            match (param.kind.as_str(), part_of(function, &param.name)?) {
                ("BUFFER", _) => format!("{name}.address()"),
                (_, None) => made,
                (_, Some(buffer)) if is_handle(param.base()) => {
                    format!("{buffer}.datatype({made})")
                }
                (_, Some(buffer)) => format!("{buffer}.count({made})"),
            },
        )
    }

    fn converted(self, function: &Function, param: &Param) -> Result<String, String> {
        let name = rust::ident(&param.name);
        let value = self.value(param);
        let is_list = !matches!(param.length, Length::One);
        let base = param.base();
        if is_handle(base) {
            return self.handle(function, param);
        }
        match param.kind.as_str() {
            "BUFFER" => return Ok(format!("buffer_in::<A, _>({name})")),
            "STATUS" if is_list => {
                let length = self.length(function, param)?;
                return Ok(format!("StatusesOut::<A>::new({name}, {length}).c()"));
            }
            "STATUS" => {
                let ty = match param.direction {
                    Direction::In => "StatusIn",
                    Direction::Out => "StatusOut",
                    Direction::InOut => "StatusInOut",
                };
                return Ok(format!("{ty}::<A>::new({name}).c()"));
            }
            "WEIGHT" => return Ok(format!("weights_in::<A, _>({name})")),
            "STRING" => return self.text(function, param),
            "STRING_LENGTH" if !self.is_fortran() && param.direction == Direction::Out => {
                return Ok(string_length(function, name));
            }
            "C_BUFFER2" if !self.is_fortran() => {
                return Ok(format!("BufferOut::<A>::new({name}).c()"));
            }
            "C_BUFFER2" => return Ok("Detached::new().c()".to_string()),
            "TOOL_MPI_OBJ" => return object(function, &name),
            "OFFSET" if function.name == "MPI_File_set_view" => {
                return Ok(format!("displacement::<A>({value})"));
            }
            "INDEX" if self.is_fortran() && function.category == "pt2pt" => {
                return Ok(match is_list {
                    true => format!(
                        "Positions::new({name}, {}).c()",
                        self.length(function, param)?
                    ),
                    false => format!("Position::new({name}).c()"),
                });
            }
            "ARGUMENT_COUNT" | "ARGUMENT_LIST" if self.is_fortran() => {
                let is_value = !param.is_pointer();
                return Ok(if is_value {
                    "0"
                } else {
                    "std::ptr::null_mut()"
                }
                .to_string());
            }
            _ => {}
        }
        if param.ty == "MPI_T_pvar_handle" {
            return Ok(format!("pvar_in::<A>({name})"));
        }
        let group = GROUPS.iter().find(|(kind, _)| *kind == param.kind);
        let Some((_, group)) = group.filter(|_| base != "void") else {
            return Ok(value);
        };
        self.number(function, param, group)
    }

    /// A handle that is passed by value in C.
    fn decoded(self, param: &Param) -> String {
        let kind = rust::camel(param.base());
        format!("handle_in::<A, {kind}>({})", self.value(param))
    }

    /// A handle, or an array of them.
    fn handle(self, function: &Function, param: &Param) -> Result<String, String> {
        let name = rust::ident(&param.name);
        let is_list = !matches!(param.length, Length::One);
        let of = format!("::<A, {}>", rust::camel(param.base()));
        let ty = match (param.direction, is_list) {
            (Direction::In, false) if !param.is_pointer() => {
                return Ok(self.decoded(param));
            }
            (Direction::In, _) => "Handles",
            (Direction::Out, true) => "HandlesOut",
            (Direction::InOut, true) => "HandlesInOut",
            (Direction::Out, false) => "HandleOut",
            (Direction::InOut, false) => "HandleInOut",
        };
        Ok(match is_list {
            true => format!(
                "{ty}{of}::new({name}, {}).c()",
                self.length(function, param)?
            ),
            false => format!("{ty}{of}::new({name}).c()"),
        })
    }

    /// A number that has another value in the standard.
    fn number(self, function: &Function, param: &Param, group: &str) -> Result<String, String> {
        let (name, value) = (rust::ident(&param.name), self.value(param));
        if !param.is_pointer() {
            return Ok(match group {
                "RANK" | "TAG" => format!("{}_in::<A>({value})", group.to_lowercase()),
                "ERROR" if ASKS_OF_CODE.contains(&function.name.as_str()) => {
                    format!("code_in::<A>({value})")
                }
                "ERROR" => format!("error_in::<A>({value})"),
                "ASSERT" | "ACCESS_MODE" => format!("bits_in::<A>(&{group}, {value})"),
                _ => format!("number_in::<A>(&{group}, {value})"),
            });
        }
        // Ranges of ranks have no constants.
        if param.ty.ends_with("[3]") {
            return Ok(name);
        }
        let is_list = !matches!(param.length, Length::One);
        let ty = match (param.direction, is_list) {
            (Direction::In, _) => "Numbers",
            (Direction::Out, true) => "NumbersOut",
            (Direction::Out, false) => "NumberOut",
            (Direction::InOut, _) => "NumberInOut",
        };
        let at = match is_list {
            true => format!("List::new({name}, {})", self.length(function, param)?),
            false => format!("Out::new({name})"),
        };
        Ok(format!("{ty}::<A>::of(&{group}, {at}).c()"))
    }

    fn text(self, function: &Function, param: &Param) -> Result<String, String> {
        let name = rust::ident(&param.name);
        let limit = limit(param);
        Ok(match (self, param.direction) {
            (Side::C | Side::Large | Side::Early, Direction::In) => name,
            (Side::C | Side::Large | Side::Early, _) => match limit {
                Some(limit) => format!(
                    "TextOut::new({name}, STANDARD.{0}, A::LIMITS.{0}).c()",
                    field(limit)
                ),
                None => name,
            },
            (Side::Fortran | Side::Modern, Direction::In) => {
                let is_info = function.category == "info";
                format!("Text::new({name}, {name}_len, {is_info}).c()")
            }
            (Side::Fortran | Side::Modern, _) => {
                let room = match (limit, &param.length) {
                    (Some(limit), _) => format!("STANDARD.{}", field(limit)),
                    (None, Length::Product(factors)) => match factors.as_slice() {
                        [Factor::Of { param, .. }] => {
                            format!("len(read({})) + 1", rust::ident(param))
                        }
                        _ => return Err(format!("{}: length of {name}", function.name)),
                    },
                    _ => return Err(format!("{}: length of {name}", function.name)),
                };
                format!("CharacterOut::new({name}, {name}_len, {room}).c()")
            }
        })
    }

    /// The value of a parameter that is passed by value in C.
    fn value(self, param: &Param) -> String {
        let name = rust::ident(&param.name);
        match (self, param.is_pointer(), param.kind.as_str()) {
            (Side::C | Side::Large | Side::Early, _, _) | (_, true, _) => name,
            (_, _, "LOGICAL") => format!("truth({name})"),
            _ => format!("read({name})"),
        }
    }

    /// The elements of a list, as the length of its row says.
    fn length(self, function: &Function, param: &Param) -> Result<String, String> {
        let wrong = || {
            format!(
                "{}: the length of `{}` is not known",
                function.name, param.name
            )
        };
        let Length::Product(factors) = &param.length else {
            return Err(wrong());
        };
        let [factor] = factors.as_slice() else {
            return Err(wrong());
        };
        let find = |name: &str| {
            let found = function.params.iter().find(|param| param.name == name);
            found.ok_or_else(wrong)
        };
        let length = match factor {
            Factor::Param(count) => match find(count)? {
                of if of.is_pointer() => format!("length_at({})", rust::ident(count)),
                of => format!("len({})", self.value(of)),
            },
            Factor::Of { fact, param } if fact == "sum" => {
                let (counts, n) = (rust::ident(param), find("n")?);
                format!("sum({counts}, len({}))", self.value(n))
            }
            Factor::Of { fact, param } if fact == "last" => {
                let (indices, n) = (rust::ident(param), find("nnodes")?);
                format!("last({indices}, len({}))", self.value(n))
            }
            Factor::Of { fact, param } => {
                let of = find(param)?;
                let handle = format!(
                    "handle_in::<A, {}>({})",
                    rust::camel(of.base()),
                    self.value(of)
                );
                format!("{fact}_of({handle})")
            }
            _ => return Err(wrong()),
        };
        Ok(match param.name.as_str() {
            "sendtypes" if self == Side::Modern => {
                format!("unless_in_place::<A, _>(sendbuf.address(), || {length})")
            }
            "sendtypes" => format!("unless_in_place::<A, _>(sendbuf, || {length})"),
            _ => length,
        })
    }
}

/// The length of a text that MPI gives, which is cut where its limit is smaller.
fn string_length(function: &Function, name: String) -> String {
    let text = function.params.iter().find(|of| of.kind == "STRING");
    match text.and_then(limit) {
        Some(limit) => format!("Length::new({name}, A::LIMITS.{}).c()", field(limit)),
        None => name,
    }
}

/// Whether a function has a choice buffer.
fn has_buffer(function: &Function) -> bool {
    function.params.iter().any(|param| param.kind == "BUFFER")
}

/// The name that MPICH's `mpi_f08` has for a function with descriptors or with large counts.
fn modern_name(function: &Function) -> String {
    let name = function.name.to_lowercase();
    let passed = match has_buffer(function) {
        true => "f08ts",
        false => "f08",
    };
    match name.strip_suffix("_c") {
        Some(small) => format!("{small}_{passed}_large_"),
        None => format!("{name}_{passed}_"),
    }
}

/// The buffer that has a parameter as its count or its datatype, where a datatype may stand for it.
fn part_of(function: &Function, name: &str) -> Result<Option<String>, String> {
    let routine: Routine = model::routine(function)?;
    let buffers = routine.args.iter().filter(|arg| arg.form == Form::Buffer);
    let has_it = |arg: &&model::Arg| match arg.gaps(&routine) {
        Gaps::Datatype { count, datatype } => [count, datatype].contains(&name),
        Gaps::Copy | Gaps::Address => false,
    };
    let found = buffers.clone().find(has_it);
    Ok(found.map(|arg| rust::ident(&arg.param.name)))
}

/// The object that a variable or an event of the tool interface is bound to.
fn object(function: &Function, name: &str) -> Result<String, String> {
    let mut params = function.params.iter();
    let index = params.find(|param| param.name.ends_with("_index"));
    let index = &index
        .ok_or_else(|| format!("{}: no index", function.name))?
        .name;
    let bind = index.replace("_index", "_bind");
    Ok(format!("ObjectIn::new::<A>({bind}({index}), {name}).c()"))
}

/// The constant that limits a text which MPI gives.
fn limit(param: &Param) -> Option<&str> {
    let Length::Product(factors) = &param.length else {
        return None;
    };
    match factors.as_slice() {
        [Factor::Fixed(name)] => Some(name),
        _ => None,
    }
}

fn field(constant: &str) -> String {
    constant.trim_start_matches("MPI_").to_lowercase()
}
