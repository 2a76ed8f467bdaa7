//! The arguments of a call: the values that Fortran passes and awaits, and what C compares.
//!
//! The parameter at position `n` has values made of `n`, so that two that are exchanged differ. A
//! number is `3 + n`, and beyond 32 bits where nothing has that length; elements are `100 n` and
//! what C writes is 5,000 higher.

use xtask::gen::fortran::model::{Form, Gaps, Routine};
use xtask::gen::spec::{Direction, Factor, Length, Param};

/// An interface of Fortran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    Header,
    Mpi,
    F08,
}

/// How a routine is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Plain = 0,
    Constants = 1,
    Sections = 2,
}

/// Elements of arrays.
pub const ELEMENTS: usize = 32;

/// Added to numbers of 64 bits.
const BEYOND_32_BITS: i64 = 1 << 33;

/// Kinds of handles, in the order of `recorder.h`.
const KINDS: [&str; 11] = [
    "MPI_Comm",
    "MPI_Group",
    "MPI_Datatype",
    "MPI_Op",
    "MPI_Request",
    "MPI_Message",
    "MPI_Errhandler",
    "MPI_Info",
    "MPI_Win",
    "MPI_File",
    "MPI_Session",
];

/// Routines whose index of a request counts from 1 in Fortran (MPI 5.0, 3.7.5 and 3.7.6).
pub const COUNTED_FROM_ONE: [&str; 6] = [
    "MPI_Request_get_status_any",
    "MPI_Request_get_status_some",
    "MPI_Testany",
    "MPI_Testsome",
    "MPI_Waitany",
    "MPI_Waitsome",
];

/// A parameter of a routine that is called.
pub struct Argument<'a> {
    pub routine: &'a Routine<'a>,
    /// The position among the parameters of C.
    pub at: usize,
    pub form: Form,
}

/// Whether a call with sections is refused: C cannot describe the layout of
/// memory that is used after the call.
pub fn is_refused(routine: &Routine) -> bool {
    let buffers = routine.args.iter().filter(|arg| arg.form == Form::Buffer);
    let is_copied = |gaps| matches!(gaps, Gaps::Copy);
    let is_later = routine.is_pending() && !routine.is_staged();
    is_later && buffers.map(|arg| arg.gaps(routine)).any(is_copied)
}

/// The number that a function of C returns.
pub fn returned(name: &str) -> String {
    match name {
        "MPI_Wtime" | "MPI_Wtick" => "12.5d0".to_string(),
        _ => (BEYOND_32_BITS + 77).to_string() + "_8",
    }
}

impl<'a> Argument<'a> {
    /// The arguments of a routine.
    pub fn all(routine: &'a Routine<'a>) -> Vec<Argument<'a>> {
        let each = routine.args.iter().enumerate();
        each.map(|(at, arg)| Argument {
            routine,
            at,
            form: arg.form,
        })
        .collect()
    }

    /// Returns the row of the argument in `spec/`.
    pub fn param(&self) -> &'a Param {
        self.routine.args[self.at].param
    }

    /// Whether Fortran has it.
    pub fn is_visible(&self) -> bool {
        self.form != Form::Omitted
    }

    /// Whether it is an array.
    pub fn is_list(&self) -> bool {
        self.param().length != Length::One
    }

    /// Whether Fortran gives a value.
    pub fn is_in(&self) -> bool {
        self.param().direction != Direction::Out
    }

    /// Whether C gives a value.
    pub fn is_out(&self) -> bool {
        self.param().direction != Direction::In
    }

    /// Whether it is a number of 64 bits.
    pub fn is_wide(&self) -> bool {
        matches!(self.param().base(), "MPI_Aint" | "MPI_Count" | "MPI_Offset")
    }

    /// Whether it is a number of characters, which C counts with its zero byte.
    pub fn is_text_length(&self) -> bool {
        let of = [
            ("MPI_Info_get_string", "buflen"),
            ("MPI_Session_get_nth_pset", "pset_len"),
        ];
        of.contains(&(self.routine.name(), self.param().name.as_str()))
    }

    /// Whether the routine gets procedures, and C a state of the Fortran library.
    pub fn has_procedures(&self) -> bool {
        self.routine.has(Form::Callback)
    }

    /// Whether the routine starts processes.
    pub fn is_spawn(&self) -> bool {
        self.routine.name().starts_with("MPI_Comm_spawn")
    }

    /// Whether a list or a text has the length that this number says.
    pub fn is_length(&self) -> bool {
        let name = &self.param().name;
        let names_it = |factor: &Factor| match factor {
            Factor::Param(param) | Factor::Of { param, .. } => param == name,
            _ => false,
        };
        self.routine.args.iter().any(|arg| match &arg.param.length {
            Length::Product(factors) => factors.iter().any(names_it) && arg.form != Form::Buffer,
            _ => false,
        })
    }

    /// The number that Fortran passes by value, and C gets.
    pub fn number(&self, mode: Mode) -> i64 {
        let small = 3 + self.at as i64;
        match self.is_wide() && !self.is_length() && mode != Mode::Sections {
            true => BEYOND_32_BITS + small,
            false => small,
        }
    }

    /// Element 0 of what Fortran passes.
    pub fn passes(&self) -> i64 {
        let wide = if self.is_wide() { BEYOND_32_BITS } else { 0 };
        wide + 100 * self.at as i64
    }

    /// Element 0 of what C writes.
    pub fn gives(&self) -> i64 {
        5000 + self.passes()
    }

    /// The elements of a list, by the number that says so.
    pub fn elements(&self) -> Result<usize, String> {
        let wrong = || format!("{}: length of {}", self.routine.name(), self.param().name);
        let Length::Product(factors) = &self.param().length else {
            return Err(wrong());
        };
        match factors.as_slice() {
            [Factor::Param(name)] => {
                let mut params = self.routine.args.iter();
                let at = params.position(|arg| arg.param.name == *name);
                Ok(3 + at.ok_or_else(wrong)?)
            }
            [Factor::Of { fact, .. }] => Ok(if fact == "size" { 2 } else { 3 }),
            _ => Err(wrong()),
        }
    }

    /// The position of its kind among those of handles.
    pub fn kind(&self) -> Result<usize, String> {
        let base = self.param().base();
        let kind = KINDS.iter().position(|kind| *kind == base);
        kind.ok_or_else(|| format!("`{base}` is no handle"))
    }

    /// Which of the handles of its kind is passed.
    pub fn which(&self, mode: Mode) -> usize {
        let name = &self.param().name;
        let fact = self
            .routine
            .args
            .iter()
            .find_map(|arg| match &arg.param.length {
                Length::Product(factors) => factors.iter().find_map(|factor| match factor {
                    Factor::Of { fact, param } if param == name => Some(fact.as_str()),
                    _ => None,
                }),
                _ => None,
            });
        match fact {
            Some("size") => 1,
            Some("indegree" | "outdegree") => 2,
            Some("ndims") => 3,
            _ if mode == Mode::Sections && self.param().base() == "MPI_Datatype" => 0,
            _ if self.is_spawn() && self.param().base() == "MPI_Comm" => 1,
            _ => self.at % 2,
        }
    }

    /// Which of the buffers it is.
    pub fn slot(&self) -> usize {
        let is_buffer = |form| matches!(form, Form::Buffer | Form::Detached);
        let before = self.routine.args[..self.at].iter();
        before.filter(|arg| is_buffer(arg.form)).count()
    }

    /// The constant that stands for a buffer.
    pub fn constant(&self) -> &'static str {
        match self.param().name.as_str() {
            "sendbuf" => "MPI_IN_PLACE",
            _ if self.routine.name().contains("uffer_attach") => "MPI_BUFFER_AUTOMATIC",
            _ => "MPI_BOTTOM",
        }
    }

    /// Whether the list is absent where the buffer beside it is `MPI_IN_PLACE`.
    pub fn goes_in_place(&self) -> bool {
        self.param().name == "sendtypes"
    }

    /// The type of its number in Fortran.
    pub fn wide_type(&self) -> &'static str {
        match self.param().base() {
            "MPI_Aint" => "integer(MPI_ADDRESS_KIND)",
            "MPI_Count" => "integer(MPI_COUNT_KIND)",
            "MPI_Offset" => "integer(MPI_OFFSET_KIND)",
            _ => "integer",
        }
    }

    /// The value of an attribute or the state of callbacks.
    pub fn word(&self) -> i64 {
        match self.form {
            Form::Word | Form::WordOut => BEYOND_32_BITS + 3 + self.at as i64,
            _ => 3 + self.at as i64,
        }
    }

    /// The address that C writes.
    pub fn gives_address(&self) -> i64 {
        BEYOND_32_BITS + 64 * (self.at as i64 + 1)
    }

    /// The name of a handle's number in Fortran.
    pub fn value(&self, interface: Interface, name: &str) -> String {
        match interface {
            Interface::F08 => format!("{name}%MPI_VAL"),
            _ => name.to_string(),
        }
    }
}

/// The count and the datatype that say how much memory a buffer has.
pub fn counted(param: &Param) -> Option<(&str, &str)> {
    match &param.length {
        Length::Product(factors) => match factors.as_slice() {
            [Factor::Param(count), Factor::Param(datatype)] => Some((count, datatype)),
            _ => None,
        },
        _ => None,
    }
}

pub fn letter(at: usize) -> char {
    char::from(b'a' + (at % 26) as u8)
}
