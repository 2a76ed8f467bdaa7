//! Generates the manual pages of MPI's functions, which an installation has in `share/man/man3`.
//!
//! A page joins the prototypes of C and Fortran with what `manual.tsv` says of the function,
//! `arguments.tsv` of its parameters, and `kinds.tsv` of the errors that these raise. The two
//! widths of a function share a page.

mod page;
mod tables;

use self::tables::Tables;
use super::spec::Spec;

/// A manual page.
pub struct Page {
    /// The function that it is about.
    pub name: String,
    /// The large-count form, of which it tells as well.
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

#[cfg(test)]
mod tests;
