//! Generates the manual pages of MPI's functions, which an installation has in `share/man/man3`.
//!
//! A page joins the prototypes of C and Fortran with what `manual.tsv` says of the function,
//! `arguments.tsv` of its parameters, and `kinds.tsv` of the errors that these raise. The two
//! widths of a function share a page.

mod page;
mod tables;

pub use self::tables::is_match;
use self::tables::Tables;
use super::spec::{Function, Param, Spec};

/// A manual page.
pub struct Page {
    /// The function that it is about.
    pub name: String,
    /// The large-count form, which the same page describes.
    pub large: Option<String>,
    pub text: String,
}

/// Returns the page of each function.
pub fn pages(spec: &Spec) -> Result<Vec<Page>, String> {
    let tables = Tables::read(spec)?;
    let page = |row: &tables::Row| {
        let large = format!("{}_c", row.name);
        Ok(Page {
            name: row.name.clone(),
            large: tables::find(spec, &large).map(|_| large),
            text: page::page(spec, &tables, row)?,
        })
    };
    tables.functions.iter().map(page).collect()
}

/// A parameter that a page says is checked.
pub struct Checked<'a> {
    pub function: &'a Function,
    pub param: &'a Param,
    /// The class of errors that a wrong value raises.
    pub class: String,
}

/// Returns every parameter that pages say is checked, but for those of the tool interface and of
/// functions that report no errors.
pub fn checked(spec: &Spec) -> Result<Vec<Checked<'_>>, String> {
    let tables = Tables::read(spec)?;
    let is_own = |function: &&Function| {
        let others = ["tool", "handle-conversion"];
        function.returns == "int" && !others.contains(&function.category.as_str())
    };
    let mut all = Vec::new();
    for function in spec.functions.iter().filter(is_own) {
        let name = function.name.trim_end_matches("_c");
        let row = tables.functions.iter().find(|row| row.name == name);
        let row = row.ok_or_else(|| format!("{name} has no page"))?;
        let of = page::checked(spec, function, row).into_iter();
        all.extend(of.map(|(param, class)| Checked {
            function,
            param,
            class,
        }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
