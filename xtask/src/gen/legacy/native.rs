//! Reads `spec/legacy.tsv`.

use std::collections::HashMap;
use std::path::Path;

use super::super::spec::Spec;
use crate::fsio;

/// A constant in one of the two interfaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Native {
    Absent,
    Number(i64),
    Symbol(String),
}

/// Values by the name of the constant: MPICH's, Open MPI's, and that of Open MPI's Fortran.
pub type Natives = HashMap<String, [Native; 3]>;

/// Reads the table.
pub fn read(path: &Path) -> Result<Natives, String> {
    let text = fsio::read(path)?;
    let mut natives = Natives::new();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    for line in rows {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, mpich, openmpi, fortran] = cells.as_slice() else {
            return Err(format!("spec/legacy.tsv: `{line}` has not four columns"));
        };
        natives.insert(
            name.to_string(),
            [mpich, openmpi, fortran].map(|cell| native(cell)),
        );
    }
    Ok(natives)
}

fn native(cell: &str) -> Native {
    match (cell, cell.parse()) {
        ("-", _) => Native::Absent,
        (_, Ok(number)) => Native::Number(number),
        (symbol, Err(_)) => Native::Symbol(symbol.to_string()),
    }
}

/// Refuses names that no constant has.
pub fn check(spec: &Spec, natives: &Natives) -> Result<(), String> {
    let is_constant = |name: &str| spec.constants.iter().any(|known| known.name == name);
    match natives.keys().find(|name| !is_constant(name)) {
        Some(name) => Err(format!("spec/legacy.tsv: no constant is called `{name}`")),
        None => Ok(()),
    }
}
