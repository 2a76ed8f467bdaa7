//! Reads and checks the tables of `spec/`.
//!
//! Nothing here knows about Rust or about a file that is generated: a [`Spec`] holds C names and
//! C types as the MPI standard has them. A row that is malformed, or that disagrees with another
//! table, fails with its file and line.

mod param;

use std::collections::BTreeMap;
use std::path::Path;

pub use self::param::{Direction, Factor, Field, Function, Length, Param, ParamKind, ParamKinds};
use crate::fsio;

pub struct Spec {
    pub functions: Vec<Function>,
    /// Functions that the standard does not have.
    pub extensions: Vec<Function>,
    pub constants: Vec<Constant>,
    pub types: Vec<Type>,
    pub kinds: ParamKinds,
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
    /// Reads the tables of functions, extensions, kinds, constants and types below `folder`.
    pub fn read(folder: &Path) -> Result<Spec, String> {
        let text = |file| fsio::read(&folder.join(file)).map(|text| (file, text));
        Spec::parse(
            text("functions.tsv")?,
            text("extensions.tsv")?,
            text("kinds.tsv")?,
            text("constants.tsv")?,
            text("types.tsv")?,
        )
    }

    /// The tables, each given as the name of its file and its text.
    fn parse(
        functions: (&str, String),
        extensions: (&str, String),
        kinds: (&str, String),
        constants: (&str, String),
        types: (&str, String),
    ) -> Result<Spec, String> {
        let constants: Vec<Constant> = table(&constants, constant)?;
        let kinds: ParamKinds = table(&kinds, kind)?.into_iter().collect();
        let read = |cells: [&str; 8]| {
            let function = function(cells)?;
            let is_constant = |name: &str| constants.iter().any(|known| known.name == name);
            param::check(&function, &kinds, is_constant)?;
            Ok(function)
        };
        let functions = table(&functions, read)?;
        let extensions = table(&extensions, read)?;
        let spec = Spec {
            functions,
            extensions,
            constants,
            types: table(&types, ty)?,
            kinds,
        };
        for (small, large) in spec.pairs() {
            param::check_pair(&spec.functions[small], &spec.functions[large])?;
        }
        Ok(spec)
    }

    /// The two halves of each large-count pair: the position of `MPI_X` to that of
    /// `MPI_X_c`.
    pub fn pairs(&self) -> BTreeMap<usize, usize> {
        let positions: BTreeMap<&str, usize> = self
            .functions
            .iter()
            .enumerate()
            .map(|(at, f)| (f.name.as_str(), at))
            .collect();
        let large = |at: usize| positions.get(format!("{}_c", self.functions[at].name).as_str());
        (0..self.functions.len())
            .filter_map(|at| large(at).map(|large| (at, *large)))
            .collect()
    }

    pub fn types_of(&self, kind: Kind) -> impl Iterator<Item = &Type> {
        self.types.iter().filter(move |ty| ty.kind == kind)
    }
}

/// Splits `void`, or `type name` pairs joined by `; `.
pub fn fields(text: &str) -> Result<Vec<Field>, String> {
    if text == "void" {
        return Ok(Vec::new());
    }
    text.split("; ").map(field).collect()
}

fn field(text: &str) -> Result<Field, String> {
    let (ty, name) = match text {
        "..." => (text, ""),
        _ => text
            .rsplit_once(' ')
            .ok_or_else(|| format!("parameter `{text}` is not a type and a name"))?,
    };
    Ok(Field {
        ty: ty.to_string(),
        name: name.to_string(),
    })
}

/// Reads one table of `COLUMNS` columns: comment lines, a line of column names, then rows.
pub fn table<T, const COLUMNS: usize>(
    (file, text): &(&str, String),
    row: impl Fn([&str; COLUMNS]) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .skip(1);
    let mut rows = Vec::new();
    for (number, line) in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let count = cells.len();
        let cells = cells
            .try_into()
            .map_err(|_| format!("{count} columns, not {COLUMNS}"));
        let read = cells.and_then(&row);
        rows.push(read.map_err(|text| format!("spec/{file}:{}: {text}", number + 1))?);
    }
    Ok(rows)
}

fn function(cells: [&str; 8]) -> Result<Function, String> {
    let [name, returns, params, directions, kinds, lengths, category, deprecated] = cells;
    if !name.starts_with("MPI_") && !name.starts_with("MPIX_") {
        return Err(format!("function `{name}` lacks the prefix MPI_"));
    }
    Ok(Function {
        name: name.to_string(),
        returns: returns.to_string(),
        params: param::params(fields(params)?, directions, kinds, lengths)?,
        category: category.to_string(),
        deprecated: (deprecated != "-").then(|| deprecated.to_string()),
    })
}

fn kind([name, ty, large, _meaning, error]: [&str; 5]) -> Result<(String, ParamKind), String> {
    if name.starts_with("POLY") == (large == "-") && name != "POLYFUNCTION" {
        return Err(format!("kind `{name}`: a POLY kind alone has a large type"));
    }
    let kind = ParamKind {
        ty: ty.to_string(),
        large: (large != "-").then(|| large.to_string()),
        error: (error != "-").then(|| error.to_string()),
    };
    Ok((name.to_string(), kind))
}

fn constant([name, value, ty, group]: [&str; 4]) -> Result<Constant, String> {
    let number = value.parse();
    Ok(Constant {
        name: name.to_string(),
        value: number.map_err(|_| format!("value `{value}` is not an integer"))?,
        ty: ty.to_string(),
        group: group.to_string(),
    })
}

fn ty([kind, name, definition]: [&str; 3]) -> Result<Type, String> {
    let kind = match kind {
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
        name: name.to_string(),
        definition: definition.to_string(),
    })
}

#[cfg(test)]
mod tests;
