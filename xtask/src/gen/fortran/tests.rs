//! Tests of the Fortran interface against the tables.

use super::super::spec::Spec;
use super::model;
use crate::fsio;

#[test]
fn a_kind_without_a_form_is_refused_by_its_name() {
    let mut spec = Spec::read(&fsio::root().join("spec")).unwrap();
    assert!(model::routines(&spec).is_ok());
    let mut functions = spec.functions.iter_mut();
    let barrier = functions.find(|function| function.name == "MPI_Barrier");
    let comm = &mut barrier.unwrap().params[0];
    comm.kind = "MADE_UP".to_string();
    comm.ty = "MPI_T_enum".to_string();
    let text = model::routines(&spec).err().unwrap();
    assert!(
        text.contains("MPI_Barrier") && text.contains("MADE_UP"),
        "{text}"
    );
}
