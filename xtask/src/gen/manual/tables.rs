//! Reads what manual pages say of functions, parameters and errors.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::spec::{table, Direction, Function, Param, Spec};
use crate::fsio;

/// The tables, each row of which belongs to a function or a parameter.
pub struct Tables {
    pub functions: Vec<Row>,
    arguments: Vec<Argument>,
    /// The meaning of each class of errors.
    pub errors: BTreeMap<String, String>,
    used: RefCell<Vec<bool>>,
}

/// A function as its page describes it.
pub struct Row {
    pub name: String,
    pub section: String,
    pub scope: Scope,
    pub errors: Vec<String>,
    /// Parameters whose wrong values raise another class than their kind says, or none.
    pub instead: Vec<(String, Option<String>)>,
    pub purpose: String,
    pub text: String,
}

/// Whom a function waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Local,
    Remote,
    Collective,
}

struct Argument {
    parameter: String,
    direction: Option<Direction>,
    functions: Vec<String>,
    meaning: String,
}

/// The classes of errors of the tool interface, which has no texts for them.
const TOOL_ERRORS: [(&str, &str); 13] = [
    ("CANNOT_INIT", "the tool interface cannot be begun"),
    ("NOT_INITIALIZED", "the tool interface was not begun"),
    ("NOT_SUPPORTED", "the library does not offer it"),
    ("INVALID_INDEX", "the index is not valid"),
    ("INVALID_HANDLE", "the handle is not valid"),
    ("INVALID_SESSION", "the session is not valid"),
    ("INVALID_NAME", "nothing has this name"),
    ("OUT_OF_HANDLES", "no more handles can be made"),
    ("OUT_OF_SESSIONS", "no more sessions can be made"),
    (
        "CVAR_SET_NOT_NOW",
        "the variable cannot be set at this time",
    ),
    ("CVAR_SET_NEVER", "the variable cannot be set"),
    (
        "PVAR_NO_STARTSTOP",
        "the variable can be neither started nor stopped",
    ),
    (
        "PVAR_NO_WRITE",
        "the variable can be neither written nor reset",
    ),
];

/// The last of them, apart so that the table above stays within its columns.
const TOOL_ATOMIC: (&str, &str) = (
    "PVAR_NO_ATOMIC",
    "the variable cannot be read and reset in one step",
);

impl Tables {
    /// Reads the tables, and checks them against those of the interface.
    pub fn read(spec: &Spec) -> Result<Tables, String> {
        let folder = fsio::root().join("spec");
        let text = |file| fsio::read(&folder.join(file)).map(|text| (file, text));
        let functions = table(&text("manual.tsv")?, row)?;
        let arguments = table(&text("arguments.tsv")?, argument)?;
        let tables = Tables {
            used: RefCell::new(vec![false; arguments.len()]),
            functions: derived(functions)?,
            arguments,
            errors: errors()?,
        };
        tables.check(spec)?;
        Ok(tables)
    }

    fn check(&self, spec: &Spec) -> Result<(), String> {
        let narrow = spec.functions.iter().filter(|f| !f.name.ends_with("_c"));
        let names: Vec<&str> = narrow.map(|function| function.name.as_str()).collect();
        let rows: Vec<&str> = self.functions.iter().map(|row| row.name.as_str()).collect();
        if let Some(name) = names.iter().find(|name| !rows.contains(name)) {
            return Err(format!("spec/manual.tsv lacks {name}"));
        }
        if let Some(name) = rows.iter().find(|name| !names.contains(name)) {
            return Err(format!("spec/manual.tsv: {name} is no function"));
        }
        for function in &spec.functions {
            for param in &function.params {
                self.meaning(function, param)?;
            }
        }
        for row in &self.functions {
            for (param, class) in &row.instead {
                let is_form = row.purpose.contains(", without") || row.purpose.contains(": ");
                let function = find(spec, &row.name).map_or(&[][..], |found| &found.params);
                if !is_form && !function.iter().any(|found| found.name == *param) {
                    return Err(format!("spec/manual.tsv: {} has no {param}", row.name));
                }
                if let Some(class) = class.as_ref().filter(|of| !self.errors.contains_key(*of)) {
                    return Err(format!("spec/manual.tsv: {}: no class {class}", row.name));
                }
            }
        }
        match self.used.borrow().iter().position(|used| !used) {
            None => Ok(()),
            Some(at) => Err(format!(
                "spec/arguments.tsv: no function has the row `{}: {}`",
                self.arguments[at].parameter, self.arguments[at].meaning
            )),
        }
    }

    /// Returns what a parameter of a function means.
    pub fn meaning(&self, function: &Function, param: &Param) -> Result<&str, String> {
        let name = function.name.trim_end_matches("_c");
        let shown = match param.name.as_str() {
            "" => "...",
            name => name,
        };
        let is_of = |row: &Argument| {
            row.parameter == shown && row.direction.is_none_or(|way| way == param.direction)
        };
        let names_it = |row: &Argument| row.functions.iter().any(|of| is_match(of, name));
        let rows = &self.arguments;
        let named = rows.iter().position(|row| is_of(row) && names_it(row));
        let any = rows
            .iter()
            .position(|row| is_of(row) && row.functions.is_empty());
        let Some(at) = named.or(any) else {
            return Err(format!(
                "spec/arguments.tsv lacks `{shown}` ({:?}) of {name}",
                param.direction
            ));
        };
        self.used.borrow_mut()[at] = true;
        Ok(&self.arguments[at].meaning)
    }
}

/// Returns a function of the table.
pub fn find<'a>(spec: &'a Spec, name: &str) -> Option<&'a Function> {
    spec.functions.iter().find(|function| function.name == name)
}

fn row([name, section, scope, errors, purpose, text]: [&str; 6]) -> Result<Row, String> {
    let (mut others, mut instead) = (Vec::new(), Vec::new());
    for item in errors.split(' ').filter(|item| *item != "-") {
        match item.split_once('=') {
            None => others.push(item.to_string()),
            Some((param, class)) => {
                let class = (class != "-").then(|| class.to_string());
                instead.push((param.to_string(), class));
            }
        }
    }
    Ok(Row {
        name: name.to_string(),
        section: section.to_string(),
        scope: match scope {
            "local" => Scope::Local,
            "remote" => Scope::Remote,
            "collective" => Scope::Collective,
            other => {
                return Err(format!(
                    "scope `{other}`; it is local, remote or collective"
                ))
            }
        },
        errors: others,
        instead,
        purpose: purpose.to_string(),
        text: text.to_string(),
    })
}

fn argument([parameter, direction, functions, meaning]: [&str; 4]) -> Result<Argument, String> {
    Ok(Argument {
        parameter: parameter.to_string(),
        direction: match direction {
            "-" => None,
            "in" => Some(Direction::In),
            "out" => Some(Direction::Out),
            "inout" => Some(Direction::InOut),
            other => return Err(format!("direction `{other}`; it is in, out, inout or -")),
        },
        functions: functions
            .split(' ')
            .filter(|name| *name != "-")
            .map(str::to_string)
            .collect(),
        meaning: meaning.to_string(),
    })
}

/// Gives rows that refer to another function its purpose, text and errors, with those of their
/// form.
fn derived(mut rows: Vec<Row>) -> Result<Vec<Row>, String> {
    for at in 0..rows.len() {
        let Some(name) = rows[at].purpose.strip_prefix("as ") else {
            continue;
        };
        let base = rows.iter().find(|row| row.name == name);
        let base = base.ok_or_else(|| format!("spec/manual.tsv: {name} has no row"))?;
        let (purpose, text) = match form(&rows[at].name) {
            Form::NonBlocking => (
                format!("{}, without waiting", base.purpose),
                format!(
                    "Begins what {name} does, and returns at once. Until the request is \
                     complete, no buffer or array that it was given may be changed, and \
                     what it fills may not be read. {}",
                    base.text
                ),
            ),
            Form::Persistent => (
                format!("{}, again and again", base.purpose),
                format!(
                    "Makes a persistent request for what {name} does. MPI_Start begins it \
                     each time, MPI_Wait or MPI_Test completes it, and MPI_Request_free \
                     frees it. {}",
                    base.text
                ),
            ),
            Form::Begin => (
                format!("{}: begin", base.purpose),
                format!(
                    "Begins what {name} does; the matching call of {}_end ends it. A file \
                     has at most one such operation at a time, and the buffer may not be \
                     used between. {}",
                    rows[at].name.trim_end_matches("_begin"),
                    base.text
                ),
            ),
            Form::End => (
                format!("{}: end", base.purpose),
                format!(
                    "Ends what {}_begin has begun, with the same buffer, and gives the status.",
                    rows[at].name.trim_end_matches("_end")
                ),
            ),
        };
        let (errors, instead) = (base.errors.clone(), base.instead.clone());
        let row = &mut rows[at];
        (row.purpose, row.text, row.errors) = (purpose, text, errors);
        row.instead.extend(instead);
    }
    Ok(rows)
}

enum Form {
    NonBlocking,
    Persistent,
    Begin,
    End,
}

fn form(name: &str) -> Form {
    match name.rsplit('_').next() {
        Some("init") => Form::Persistent,
        Some("begin") => Form::Begin,
        Some("end") => Form::End,
        _ => Form::NonBlocking,
    }
}

/// Whether a name fits a pattern in which `*` stands for any letters.
pub fn is_match(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, rest)) => name.strip_prefix(before).is_some_and(|tail| {
            let mut starts = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            starts.any(|at| is_match(rest, &tail[at..]))
        }),
    }
}

/// Reads the texts of the classes where `MPI_Error_string` has them.
fn errors() -> Result<BTreeMap<String, String>, String> {
    let source = fsio::read(&fsio::root().join("crates/mpi-local/src/error.rs"))?;
    let rows = source
        .split_once("\nclasses! {")
        .ok_or("no classes in error.rs")?;
    let rows = rows
        .1
        .split_once("\n}\n")
        .ok_or("classes without an end")?
        .0;
    let quoted: Vec<&str> = rows.split('"').skip(1).step_by(2).collect();
    let mut texts: BTreeMap<String, String> = quoted
        .chunks_exact(2)
        .map(|pair| (pair[0].to_string(), pair[1].to_string()))
        .collect();
    for (name, text) in TOOL_ERRORS.iter().chain([&TOOL_ATOMIC]) {
        texts.insert(format!("MPI_T_ERR_{name}"), text.to_string());
    }
    Ok(texts)
}
