//! The tables of `spec/`, read and checked.
//!
//! Nothing here knows about Rust or about a file that is generated: a [`Spec`] holds C names and
//! C types as the MPI standard has them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::fsio;

pub struct Spec {
    pub functions: Vec<Function>,
    pub constants: Vec<Constant>,
    pub types: Vec<Type>,
}

pub struct Function {
    pub name: String,
    pub returns: String,
    pub params: Vec<Param>,
    pub category: String,
    pub deprecated: Option<String>,
}

/// `ty` is written as in the table (`const int[]`, `int[][3]`); `...` has an empty name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    pub ty: String,
    pub name: String,
}

pub struct Constant {
    pub name: String,
    pub value: i64,
    pub ty: String,
    pub group: String,
}

pub struct Type {
    pub kind: Kind,
    pub name: String,
    pub definition: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer,
    Handle,
    ToolHandle,
    Enum,
    Struct,
    Callback,
    CallbackAlias,
}

impl Spec {
    /// Reads `functions.tsv`, `constants.tsv` and `types.tsv` below `folder`.
    pub fn read(folder: &Path) -> Result<Spec, String> {
        let functions = table(folder, "functions.tsv", 5, function)?;
        let constants = table(folder, "constants.tsv", 4, constant)?;
        let types = table(folder, "types.tsv", 3, ty)?;
        Ok(Spec {
            functions,
            constants,
            types,
        })
    }

    /// The two halves of each large-count pair: the place of `MPI_X` to the place of `MPI_X_c`.
    pub fn pairs(&self) -> BTreeMap<usize, usize> {
        let places: BTreeMap<&str, usize> = self
            .functions
            .iter()
            .enumerate()
            .map(|(at, f)| (f.name.as_str(), at))
            .collect();
        let large = |at: usize| places.get(format!("{}_c", self.functions[at].name).as_str());
        (0..self.functions.len())
            .filter_map(|at| large(at).map(|large| (at, *large)))
            .collect()
    }

    pub fn types_of(&self, kind: Kind) -> impl Iterator<Item = &Type> {
        self.types.iter().filter(move |ty| ty.kind == kind)
    }
}

/// Splits `void`, or `type name` pairs joined by `; `.
pub fn params(text: &str) -> Result<Vec<Param>, String> {
    if text == "void" {
        return Ok(Vec::new());
    }
    text.split("; ").map(param).collect()
}

fn param(text: &str) -> Result<Param, String> {
    if text == "..." {
        return Ok(Param {
            ty: text.to_string(),
            name: String::new(),
        });
    }
    match text.rsplit_once(' ') {
        Some((ty, name)) => Ok(Param {
            ty: ty.to_string(),
            name: name.to_string(),
        }),
        None => Err(format!("parameter `{text}` is not a type and a name")),
    }
}

/// Reads one table: comment lines, a line of column names, then rows.
fn table<T>(
    folder: &Path,
    file: &str,
    columns: usize,
    row: fn(&[&str]) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let path = folder.join(file);
    let text = fsio::read(&path)?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .skip(1);
    let mut rows = Vec::new();
    for (number, line) in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let place = || format!("{}:{}", path.display(), number + 1);
        if cells.len() != columns {
            return Err(format!(
                "{}: {} columns, not {columns}",
                place(),
                cells.len()
            ));
        }
        rows.push(row(&cells).map_err(|text| format!("{}: {text}", place()))?);
    }
    Ok(rows)
}

fn function(cells: &[&str]) -> Result<Function, String> {
    if !cells[0].starts_with("MPI_") {
        return Err(format!("function `{}` lacks the prefix MPI_", cells[0]));
    }
    Ok(Function {
        name: cells[0].to_string(),
        returns: cells[1].to_string(),
        params: params(cells[2])?,
        category: cells[3].to_string(),
        deprecated: (cells[4] != "-").then(|| cells[4].to_string()),
    })
}

fn constant(cells: &[&str]) -> Result<Constant, String> {
    let value = cells[1].parse();
    Ok(Constant {
        name: cells[0].to_string(),
        value: value.map_err(|_| format!("value `{}` is not an integer", cells[1]))?,
        ty: cells[2].to_string(),
        group: cells[3].to_string(),
    })
}

fn ty(cells: &[&str]) -> Result<Type, String> {
    let kind = match cells[0] {
        "integer" => Kind::Integer,
        "handle" => Kind::Handle,
        "tool-handle" => Kind::ToolHandle,
        "enum" => Kind::Enum,
        "struct" => Kind::Struct,
        "callback" => Kind::Callback,
        "callback-alias" => Kind::CallbackAlias,
        other => return Err(format!("no kind of type is called `{other}`")),
    };
    Ok(Type {
        kind,
        name: cells[1].to_string(),
        definition: cells[2].to_string(),
    })
}
