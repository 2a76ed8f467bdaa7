//! Writes programs that call every routine from each interface of Fortran, and the C functions that
//! stand in for those of the library and compare what they get.
//!
//! A routine is called in two or three modes. In the first each argument has a value of its own; in
//! the second those that can be are constants known by their address, LOGICAL has the other values,
//! and `mpi_f08` omits `ierror`; in the third, of `mpi_f08` alone, choice buffers are sections with
//! gaps. C compares each argument with what the program passed, by the parameter's kind and
//! direction in `spec/`, and writes values to those that it gives, which Fortran compares.

mod arguments;
mod passed;
mod recorded;
mod recorder;

use std::fmt::Write;

pub use self::arguments::Interface;
use self::arguments::{Argument, Mode};
use xtask::gen::fortran::model::{self, Routine};
use xtask::gen::fortran::text::is_overload;
use xtask::gen::spec::Spec;

/// The error code that C returns where none would hide what it writes.
const CODE: i32 = 71;

/// Returns the C source that stands in for the library.
pub fn recorder(spec: &Spec) -> Result<String, String> {
    recorder::source(&model::routines(spec)?)
}

/// Returns the program of one interface, and how many routines it calls. Sections with gaps are
/// passed where the interface has descriptors.
pub fn program(
    spec: &Spec,
    interface: Interface,
    has_descriptors: bool,
) -> Result<(String, usize), String> {
    let routines = model::routines(spec)?;
    let is_there = |routine: &&Routine| match interface {
        Interface::F08 => routine.is_in_f08(),
        _ => routine.is_in_mpi(),
    };
    let (mut bodies, mut calls, mut number) = (String::new(), String::new(), 0);
    for routine in routines.iter().filter(is_there) {
        for mode in modes(routine, interface, has_descriptors) {
            let name = format!("call_{number}_{}", mode as i32);
            let _ = writeln!(calls, "  call {name}()");
            bodies.push_str(&call(&routines, routine, interface, mode, &name)?);
        }
        number += 1;
    }
    let (used, included) = match interface {
        Interface::Header => ("", "  include 'mpif.h'\n"),
        Interface::Mpi => ("  use mpi\n", ""),
        Interface::F08 => ("  use mpi_f08\n", ""),
    };
    let supported = match interface == Interface::F08 && has_descriptors {
        true => ".true.",
        false => ".false.",
    };
    let text = format!(
        "program every\n{used}  use, intrinsic :: iso_c_binding\n  implicit none\n\
         {included}\
         \x20 integer, external :: every_handle, every_rank\n  integer :: buffers(200, 8)\n  \
         common /every_buffers/ buffers\n  call every_check('MPI_SUBARRAYS_SUPPORTED', &\n    \
         MPI_SUBARRAYS_SUPPORTED .eqv. {supported})\n{calls}  call every_done()\ncontains\n{bodies}\
         end program\n"
    );
    Ok((text, number))
}

fn modes(routine: &Routine, interface: Interface, has_descriptors: bool) -> Vec<Mode> {
    let mut modes = vec![Mode::Plain, Mode::Constants];
    if interface == Interface::F08 && has_descriptors && routine.is_described() {
        modes.push(Mode::Sections);
    }
    modes
}

/// The subroutine that makes one call.
fn call(
    routines: &[Routine],
    routine: &Routine,
    interface: Interface,
    mode: Mode,
    name: &str,
) -> Result<String, String> {
    let arguments = Argument::all(routine);
    let (mut declared, mut set, mut checked) = (String::new(), String::new(), String::new());
    let mut passed = Vec::new();
    for argument in arguments.iter().filter(|argument| argument.is_visible()) {
        let made = argument.fortran(interface, mode)?;
        for line in made.declared {
            let line = format!("    {line}\n");
            // Two parameters may have one procedure.
            if !declared.contains(&line) {
                declared.push_str(&line);
            }
        }
        set.extend(made.set.iter().map(|line| format!("    {line}\n")));
        for holds in &made.holds {
            let what = &argument.param().name;
            let _ = writeln!(checked, "    call every_check('{what}', {holds})");
        }
        passed.push(made.passed);
    }
    let shown = match routine.is_large() && is_overload(routines, routine) {
        true => routine.name().trim_end_matches("_c"),
        false => routine.name(),
    };
    let code = code(routine, mode);
    let has_ierror = !routine.is_value() && routine.name() != "MPI_Pcontrol";
    let is_omitted = interface == Interface::F08 && mode == Mode::Constants;
    let is_refused = mode == Mode::Sections && arguments::is_refused(routine);
    if has_ierror && !is_omitted {
        passed.push("ierr".to_string());
        let wanted = match is_refused {
            true => "MPI_ERR_BUFFER".to_string(),
            false => code.to_string(),
        };
        let _ = writeln!(checked, "    call every_check('ierror', ierr == {wanted})");
    }
    let statement = match (routine.is_value(), passed.join(", ")) {
        (true, passed) => format!(
            "call every_check('value', {shown}({passed}) == {})",
            arguments::returned(routine.name())
        ),
        (false, passed) => format!("call {shown}({passed})"),
    };
    if is_refused {
        checked = checked
            .lines()
            .last()
            .map(|line| format!("{line}\n"))
            .unwrap_or_default();
    }
    let (c_name, mode, refused) = (
        recorder::c_name(routine.name()),
        mode as i32,
        if is_refused { 1 } else { 0 },
    );
    Ok(format!(
        "  subroutine {name}()\n    integer :: ierr, k\n{declared}    ierr = -1\n    k = 0\n\
         {set}    call every_begin('{c_name}', {mode}, {code})\n    {statement}\n    \
         call every_end({refused})\n{checked}  end subroutine\n"
    ))
}

/// The error code that C is to return: attributes are there only without an error.
fn code(routine: &Routine, mode: Mode) -> i32 {
    match mode == Mode::Constants || routine.name().starts_with("MPI_Attr_get") {
        true => 0,
        false => CODE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_routine_is_called_from_each_interface_that_has_it() {
        let spec = Spec::read(&xtask::fsio::root().join("spec")).unwrap();
        for (interface, at_least) in [
            (Interface::Header, 430),
            (Interface::Mpi, 430),
            (Interface::F08, 580),
        ] {
            let (text, routines) = program(&spec, interface, true).unwrap();
            assert!(routines >= at_least, "{interface:?}: {routines}");
            assert!(text.contains("call MPI_Send(") && !text.contains("MPI_T_"));
            let refused = text.contains("call every_end(1)");
            assert_eq!(refused, interface == Interface::F08);
        }
    }
}
