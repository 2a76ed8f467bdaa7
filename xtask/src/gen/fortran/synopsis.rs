//! The prototypes of Fortran's routines as a manual page shows them.

use super::super::spec::Spec;
use super::model::{self, Arg, Form, Routine};
use super::text::{self, Passing};

/// The forms that a function has in Fortran; none where it has none.
#[derive(Default)]
pub struct Forms {
    /// The lines of the form of the module `mpi_f08`.
    pub new: Vec<String>,
    /// The lines of the form of the module `mpi` and of `mpif.h`.
    pub old: Vec<String>,
}

/// Returns the forms of the function at a position of the table.
pub fn forms(spec: &Spec, name: &str) -> Result<Forms, String> {
    let routines = model::routines(spec)?;
    let find = |name: &str| routines.iter().find(|routine| routine.name() == name);
    let Some(routine) = find(name) else {
        return Ok(Forms::default());
    };
    let mut forms = Forms::default();
    if routine.is_in_f08() {
        forms.new = new(routine);
        let large = find(&format!("{name}_c"));
        if large.is_some_and(|large| !text::is_overload(&routines, large)) {
            forms.new.push(format!("! and {name}_c, for large counts"));
        }
    }
    if routine.is_in_mpi() {
        forms.old = old(routine);
    }
    Ok(forms)
}

/// The line that names a routine and its arguments.
fn head(routine: &Routine, error: &str) -> String {
    let mut names: Vec<&str> = routine
        .visible()
        .map(|arg| arg.param.name.as_str())
        .collect();
    if has_error(routine) {
        names.push(error);
    }
    let name = format!("{}({})", routine.name(), names.join(", "));
    match routine.is_value() {
        true => format!("{} {name}", text::returned(routine)),
        false => name,
    }
}

fn has_error(routine: &Routine) -> bool {
    !routine.is_value() && routine.name() != "MPI_Pcontrol"
}

fn new(routine: &Routine) -> Vec<String> {
    let mut lines = vec![head(routine, "ierror")];
    for arg in routine.visible() {
        let line = match arg.form {
            Form::Buffer => format!("{} :: {}", text::buffer(routine, arg), arg.param.name),
            _ => declared(routine, arg, text::new_declaration),
        };
        // A text is a descriptor only in the procedures themselves.
        let line = match arg.form {
            Form::Text | Form::TextOut => {
                line.replace("type(*), dimension(..)", "character(len=*)")
            }
            _ => line,
        };
        lines.push(line);
    }
    if has_error(routine) {
        lines.push("integer, optional, intent(out) :: ierror".to_string());
    }
    lines
}

/// The declaration of an argument without the directives for compilers.
fn declared(
    routine: &Routine,
    arg: &Arg,
    write: fn(&Routine, &Arg, Passing, &mut String),
) -> String {
    let mut text = String::new();
    write(routine, arg, Passing::Descriptors, &mut text);
    text.lines().next().unwrap_or_default().trim().to_string()
}

fn old_declaration(routine: &Routine, arg: &Arg, passing: Passing, out: &mut String) {
    text::old_declaration(routine, arg, false, passing, out);
}

/// The arguments of one type share a line, as in old programs.
fn old(routine: &Routine) -> Vec<String> {
    let mut types: Vec<(String, Vec<String>)> = Vec::new();
    let mut add = |line: &str| {
        let (ty, name) = line.split_once(" :: ").unwrap_or((line, ""));
        let ty = ty.replace("type(*)", "<type>");
        match types.iter_mut().find(|(known, _)| *known == ty) {
            Some((_, names)) => names.push(name.to_string()),
            None => types.push((ty, vec![name.to_string()])),
        }
    };
    for arg in routine.visible() {
        add(&declared(routine, arg, old_declaration));
    }
    if has_error(routine) {
        add("integer :: ierror");
    }
    let mut lines = vec![head(routine, "ierror")];
    lines.extend(
        types
            .iter()
            .map(|(ty, names)| format!("{ty} {}", names.join(", "))),
    );
    lines
}
