//! MPI's functions and their parameters: kind, direction, and the length of the memory that each
//! points to.

use std::collections::BTreeMap;

pub struct Function {
    pub name: String,
    pub returns: String,
    pub params: Vec<Param>,
    pub category: String,
    pub deprecated: Option<String>,
}

/// A field of a struct or a parameter of a callback. `ty` is written as in the table; `...` has an
/// empty name.
pub struct Field {
    pub ty: String,
    pub name: String,
}

/// Kinds of parameters, by name.
pub type ParamKinds = BTreeMap<String, ParamKind>;

/// The C type of a kind of parameter, the one of large-count forms where that differs, and the
/// class of errors that a wrong value raises.
pub struct ParamKind {
    pub ty: String,
    pub large: Option<String>,
    pub error: Option<String>,
}

/// `ty` is written as in the table (`const int[]`, `int[][3]`); `...` has an empty name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    pub ty: String,
    pub name: String,
    pub direction: Direction,
    pub kind: String,
    pub length: Length,
}

/// Whether the caller or the function gives the value that a parameter is or points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    In,
    Out,
    InOut,
}

/// How much memory a parameter points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Length {
    /// A value, one value behind a pointer, or an address that is not followed: `-`.
    One,
    /// Text that ends in a zero byte: `nul`.
    Text,
    /// A list that ends in a null pointer: `null`.
    Listed,
    /// The product of these.
    Product(Vec<Factor>),
}

/// One factor of a length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Factor {
    /// A number, or a constant of MPI.
    Fixed(String),
    /// The value of a parameter: a number, or the size of a datatype.
    Param(String),
    /// Blocks: their counts and their displacements.
    Blocks { counts: String, displs: String },
    /// A fact about a parameter: `size(comm)`.
    Of { fact: String, param: String },
}

/// The facts of a parameter that a length may depend on; `spec/README.md` explains them.
const FACTS: [&str; 11] = [
    "begun",
    "element",
    "elements",
    "indegree",
    "last",
    "ndims",
    "outdegree",
    "own",
    "room",
    "size",
    "sum",
];

impl Param {
    /// The C type without `const`, stars and brackets.
    pub fn base(&self) -> &str {
        let ty = self.ty.strip_prefix("const ").unwrap_or(&self.ty);
        ty.trim_end_matches("[3]").trim_end_matches(['*', '[', ']'])
    }

    /// Whether C passes an address.
    pub fn is_pointer(&self) -> bool {
        self.ty.ends_with(['*', ']'])
    }
}

/// Joins declared parameters with the three columns that describe them.
pub fn params(
    declared: Vec<Field>,
    directions: &str,
    kinds: &str,
    lengths: &str,
) -> Result<Vec<Param>, String> {
    let count = declared.len();
    let split = |column: &str, what: &str| -> Result<Vec<String>, String> {
        let items: Vec<String> = match count {
            0 if column == "-" => Vec::new(),
            _ => column.split("; ").map(str::to_string).collect(),
        };
        match items.len() == count {
            true => Ok(items),
            false => Err(format!("{} {what} for {count} parameters", items.len())),
        }
    };
    let directions = split(directions, "directions")?;
    let kinds = split(kinds, "kinds")?;
    let lengths = split(lengths, "lengths")?;
    let described = directions.iter().zip(kinds).zip(&lengths);
    let join = |(declared, ((way, kind), length)): (Field, ((&String, String), &String))| {
        Ok(Param {
            direction: direction(way)?,
            kind,
            length: self::length(length)?,
            ty: declared.ty,
            name: declared.name,
        })
    };
    declared.into_iter().zip(described).map(join).collect()
}

fn direction(text: &str) -> Result<Direction, String> {
    match text {
        "in" => Ok(Direction::In),
        "out" => Ok(Direction::Out),
        "inout" => Ok(Direction::InOut),
        other => Err(format!("direction `{other}`; it is in, out or inout")),
    }
}

fn length(text: &str) -> Result<Length, String> {
    Ok(match text {
        "-" => Length::One,
        "nul" => Length::Text,
        "null" => Length::Listed,
        product => Length::Product(product.split('*').map(factor).collect::<Result<_, _>>()?),
    })
}

fn factor(text: &str) -> Result<Factor, String> {
    if text.is_empty() {
        return Err("a length has an empty factor".to_string());
    }
    if let Some((counts, displs)) = text.split_once('@') {
        return Ok(Factor::Blocks {
            counts: counts.to_string(),
            displs: displs.to_string(),
        });
    }
    if let Some((fact, param)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        if !FACTS.contains(&fact) {
            return Err(format!("length `{text}`: no fact is called `{fact}`"));
        }
        return Ok(Factor::Of {
            fact: fact.to_string(),
            param: param.to_string(),
        });
    }
    let is_fixed = text.starts_with("MPI_") || text.parse::<u32>().is_ok();
    Ok(match is_fixed {
        true => Factor::Fixed(text.to_string()),
        false => Factor::Param(text.to_string()),
    })
}

/// Compares what the columns say of each parameter with its C type, and with the other tables.
pub fn check(
    function: &Function,
    kinds: &ParamKinds,
    is_constant: impl Fn(&str) -> bool,
) -> Result<(), String> {
    for param in &function.params {
        let kind = kinds.get(&param.kind);
        let kind = kind.ok_or_else(|| format!("no kind is called `{}`", param.kind))?;
        let checked = check_type(function, param, kind)
            .and_then(|()| check_direction(param))
            .and_then(|()| check_length(function, param, &is_constant));
        checked.map_err(|text| format!("parameter `{}`: {text}", param.name))?;
    }
    Ok(())
}

fn check_type(function: &Function, param: &Param, kind: &ParamKind) -> Result<(), String> {
    let is_callback = |ty: &str| ty.ends_with("_function") || ty.ends_with("_function_c");
    let base = match param.base() {
        base if is_callback(base) => "callback",
        base => base,
    };
    let large = kind
        .large
        .as_ref()
        .filter(|_| function.name.ends_with("_c"));
    let expected = large.unwrap_or(&kind.ty);
    match base == expected {
        true => Ok(()),
        false => Err(format!(
            "`{}` is of type {base}; kind {} is of type {expected}",
            param.ty, param.kind
        )),
    }
}

fn check_direction(param: &Param) -> Result<(), String> {
    let is_in = param.direction == Direction::In;
    let is_const = !param.is_pointer() || param.ty.starts_with("const ");
    if is_const && !is_in {
        return Err(format!(
            "`{}` is constant, so its direction is in",
            param.ty
        ));
    }
    // C's own types for memory and text do not say it; `int[][3]` cannot be constant in C89.
    let says = !matches!(param.base(), "void" | "char") && !param.ty.ends_with("[][3]");
    let is_callback = param.kind.ends_with("FUNCTION");
    if !is_const && says && !is_callback && is_in {
        return Err(format!(
            "`{}` is not constant, but its direction is in",
            param.ty
        ));
    }
    Ok(())
}

fn check_length(
    function: &Function,
    param: &Param,
    is_constant: &impl Fn(&str) -> bool,
) -> Result<(), String> {
    let is_array = param.ty.ends_with(']');
    let is_text = param.kind == "STRING";
    let factors = match &param.length {
        Length::One if is_array || is_text => {
            return Err(format!("`{}` needs a length", param.ty));
        }
        Length::One => return Ok(()),
        _ if !param.is_pointer() => return Err(format!("`{}` has no length", param.ty)),
        Length::Text | Length::Listed => return Ok(()),
        Length::Product(factors) => factors,
    };
    let known = |name: &str| match function.params.iter().any(|other| other.name == name) {
        true => Ok(()),
        false => Err(format!("its length names `{name}`, which is no parameter")),
    };
    for factor in factors {
        match factor {
            Factor::Fixed(name) if name.starts_with("MPI_") => {
                let is_known = is_constant(name);
                is_known
                    .then_some(())
                    .ok_or_else(|| format!("its length names `{name}`, which is no constant"))?;
            }
            Factor::Fixed(_) => {}
            Factor::Param(name) | Factor::Of { param: name, .. } => known(name)?,
            Factor::Blocks { counts, displs } => known(counts).and_then(|()| known(displs))?,
        }
    }
    Ok(())
}

/// Compares a function with its large-count form: what both have is described alike, and types
/// differ where the kind is a `POLY` kind.
pub fn check_pair(small: &Function, large: &Function) -> Result<(), String> {
    for param in &small.params {
        let twin = large.params.iter().find(|twin| twin.name == param.name);
        let twin = twin.ok_or_else(|| format!("{} lacks `{}`", large.name, param.name))?;
        let describe = |param: &Param| {
            let Param {
                direction,
                kind,
                length,
                ..
            } = param.clone();
            (direction, kind, length)
        };
        if describe(param) != describe(twin) {
            return Err(format!(
                "{} and {} describe `{}` differently",
                small.name, large.name, param.name
            ));
        }
        if (param.ty != twin.ty) != param.kind.starts_with("POLY") {
            return Err(format!(
                "{} and {}: `{}` of kind {} is `{}` and `{}`",
                small.name, large.name, param.name, param.kind, param.ty, twin.ty
            ));
        }
    }
    Ok(())
}
