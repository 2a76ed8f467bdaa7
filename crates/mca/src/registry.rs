//! All parameters with their values: built once when a process starts, only read afterwards.

use std::borrow::Cow;

use crate::names::{closest, nearest};
use crate::openmpi::{self, Foreign};
use crate::sources::Setting;
use crate::{ComponentList, Error, Errors, Framework, Kind, Origin, Param, Sources, Value};

/// All parameters with their values.
///
/// Look-ups are for the construction of components, not for the message path: a component keeps
/// the numbers that it needs.
pub struct Registry {
    rows: Vec<Row>,
    warnings: Vec<String>,
    notes: Vec<String>,
}

/// The verbosity parameters, one for each framework that records, which every [`Registry`] holds.
const VERBOSITIES: &[Param] = &{
    let mut rows = [verbosity(Framework::Btl); Framework::RECORDING.len()];
    let mut at = 0;
    while at < rows.len() {
        rows[at] = verbosity(Framework::RECORDING[at]);
        at += 1;
    }
    rows
};

const fn verbosity(framework: Framework) -> Param {
    Param::verbosity(framework.verbosity(), 0, 8, framework.verbosity_help())
}

/// A parameter, its value, and where that came from.
#[derive(Clone, Debug)]
pub struct Row {
    /// The declaration.
    pub param: &'static Param,
    /// Replacement of the placeholder in a family's name; `None` in the row of the declaration
    /// itself.
    pub member: Option<String>,
    /// The value.
    pub value: Value,
    /// The source of the value.
    pub origin: Origin,
}

impl Registry {
    /// The parameters of `tables` with their defaults, and the verbosities of all frameworks.
    ///
    /// # Panics
    /// When two rows have one name: the tables are wrong.
    pub fn new(tables: &[&'static [Param]]) -> Registry {
        let params = tables.iter().copied().chain([VERBOSITIES]).flatten();
        let mut rows: Vec<Row> = params.map(Row::default).collect();
        rows.sort_by_key(|row| row.param.name);
        for pair in rows.windows(2) {
            let name = pair[0].param.name;
            assert!(
                name != pair[1].param.name,
                "parameter {name} is declared twice"
            );
        }
        Registry {
            rows,
            warnings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The parameters of `tables` with the values that `sources` give them, or all that is wrong
    /// with these.
    ///
    /// # Panics
    /// See [`Registry::new`].
    pub fn load(tables: &[&'static [Param]], sources: &Sources) -> Result<Registry, Errors> {
        let mut registry = Registry::new(tables);
        let mut errors = Vec::new();
        let settings = sources.settings()?;
        for setting in &settings {
            registry.admit_member(&setting.name);
        }
        let mut given: Vec<Vec<Setting>> = vec![Vec::new(); registry.rows.len()];
        for setting in settings {
            match registry.row_for(&setting) {
                Ok(Some(at)) => given[at].push(setting),
                Ok(None) => {}
                Err(error) => errors.push(error),
            }
        }
        for (at, settings) in given.into_iter().enumerate() {
            errors.extend(registry.settle(at, settings).err());
        }
        if errors.is_empty() {
            Ok(registry)
        } else {
            Err(Errors(errors))
        }
    }

    /// The value of a switch.
    ///
    /// # Panics
    /// When no table declares `name` with this type, here and in the other look-ups: asking for
    /// what was not declared is an error of the program, not of its user.
    pub fn bool(&self, name: &str) -> bool {
        match self.value(name) {
            Value::Bool(value) => *value,
            other => self.mistyped(name, other),
        }
    }

    /// The value of a whole number, or of a verbosity.
    pub fn int(&self, name: &str) -> i64 {
        match self.value(name) {
            Value::Int(value) => *value,
            other => self.mistyped(name, other),
        }
    }

    /// The value of a size, in the unit that its help names, bytes as a rule.
    pub fn size(&self, name: &str) -> usize {
        match self.value(name) {
            Value::Size(value) => *value,
            other => self.mistyped(name, other),
        }
    }

    /// The value of a text; empty where nothing was given.
    pub fn text(&self, name: &str) -> &str {
        match self.value(name) {
            Value::Text(value) => value,
            other => self.mistyped(name, other),
        }
    }

    /// The chosen word, as the table spells it.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Choice(value) => value,
            other => self.mistyped(name, other),
        }
    }

    /// The words of a list.
    pub fn list(&self, name: &str) -> &[String] {
        match self.value(name) {
            Value::List(value) => value,
            other => self.mistyped(name, other),
        }
    }

    /// The members of the family `name` that somebody has set: what stands for the placeholder,
    /// with the value.
    ///
    /// # Panics
    /// When no table declares `name`.
    pub fn members<'a>(&'a self, name: &str) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let family = self.row(name).param;
        self.rows.iter().filter_map(move |row| {
            let of_family = std::ptr::eq(row.param, family);
            let member = row.member.as_deref().filter(|_| of_family)?;
            Some((member, &row.value))
        })
    }

    /// The list parameter `framework` read as a list of the components in `known`.
    ///
    /// A list that was written for Open MPI may name components that only Open MPI has: these
    /// are passed over, and where no other is left every component is admitted.
    pub fn components(&self, framework: Framework, known: &[&str]) -> Result<ComponentList, Error> {
        let (words, origin) = (self.list(framework.name()), self.origin(framework.name()));
        let caret = words.first().is_some_and(|word| word.starts_with('^'));
        let kept: Vec<&str> = words
            .iter()
            .filter(|word| !self.is_foreign(framework, word, known))
            .map(String::as_str)
            .collect();
        let mut text = kept.join(",");
        if caret && !text.is_empty() && !text.starts_with('^') {
            text.insert(0, '^');
        }
        ComponentList::parse(framework, &text, known).map_err(|error| {
            let (origin, error) = (origin.clone(), Box::new(error));
            Error::InList { origin, error }
        })
    }

    /// Returns the source of the value of `name`.
    ///
    /// # Panics
    /// When no table declares `name`.
    pub fn origin(&self, name: &str) -> &Origin {
        &self.row(name).origin
    }

    /// True when a table declares `name`.
    pub fn declares(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// All parameters, in the order of their names.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns warnings for the user, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The parameters that were passed over because only Open MPI has them, each with where it was
    /// set.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The warnings, and one line for all the notes together. A launcher prints these lines; its
    /// ranks, which see the same, do not.
    pub fn report(&self) -> Vec<String> {
        let mut lines = self.warnings.clone();
        if !self.notes.is_empty() {
            let names = self.notes.join(", ");
            lines.push(format!(
                "only Open MPI has these parameters, not used: {names}"
            ));
        }
        lines
    }

    /// Adds a warning for each component that the list `framework` names and only Open MPI has, so
    /// that [`Registry::components`] passes it over. `known` are the components that there are.
    pub fn warn_of_foreign_components(&mut self, framework: Framework, known: &[&str]) {
        let origin = self.origin(framework.name()).clone();
        let words = self.list(framework.name()).iter();
        let excludes = words.clone().any(|word| word.starts_with('^'));
        let foreign = words.filter(|word| !excludes && self.is_foreign(framework, word, known));
        let names: Vec<&str> = foreign.map(String::as_str).collect();
        if !names.is_empty() {
            let names = names.join(", ");
            let known = known.join(", ");
            self.warnings.push(format!(
                "{framework} asks for {names} (from: {origin}), which only Open MPI has, and goes \
                 without; there are: {known}"
            ));
        }
    }

    /// True when a word of a component list that was written for Open MPI names a component that
    /// only Open MPI has.
    fn is_foreign(&self, framework: Framework, word: &str, known: &[&str]) -> bool {
        let name = word.trim_start_matches('^');
        self.origin(framework.name()).is_borrowed()
            && !known.contains(&openmpi::component_here(framework.name(), name))
            && openmpi::has_component(framework.name(), name)
    }

    /// Makes a row for a name that no table declares itself but a family covers.
    fn admit_member(&mut self, name: &str) {
        let Err(place) = self.place(name) else { return };
        let families = self.rows.iter().filter_map(|row| {
            let prefix = row.param.family()?;
            let member = name.strip_prefix(prefix).filter(|rest| !rest.is_empty())?;
            Some((row.param, member))
        });
        // Of families with beginnings alike the closest one.
        let closest = families.min_by_key(|(_, member)| member.len());
        if let Some((param, member)) = closest {
            let member = Some(member.to_string());
            self.rows.insert(
                place,
                Row {
                    member,
                    ..Row::default(param)
                },
            );
        }
    }

    /// The row that a setting is for; `None` when it is to be passed over.
    fn row_for(&mut self, setting: &Setting) -> Result<Option<usize>, Error> {
        let Setting { name, origin, text } = setting;
        let here = openmpi::parameter_here(name);
        if let Some(at) = self.find(name).or_else(|| self.find(&here)) {
            return Ok(Some(at));
        }
        let foreign = match origin.is_own() {
            true => None,
            false => openmpi::foreign(&here, text).or_else(|| openmpi::foreign(name, text)),
        };
        let error = match foreign {
            Some(Foreign::Unused) => {
                self.notes.push(format!("{name} (from: {origin})"));
                return Ok(None);
            }
            Some(Foreign::NotDone(instead)) => {
                self.warnings.push(format!(
                    "{name} {text:?} (from: {origin}) is not done: {instead}"
                ));
                return Ok(None);
            }
            Some(Foreign::Refused(instead)) => Error::NotGiven {
                name: name.clone(),
                text: text.clone(),
                origin: origin.clone(),
                instead,
            },
            None => self.unknown(setting),
        };
        if origin.is_borrowed() && foreign.is_none() {
            self.warnings.push(error.to_string());
            return Ok(None);
        }
        Err(error)
    }

    /// The error that a setting's name is not known, with the name that was probably meant: one
    /// with few differences, else the nearest of the same framework.
    fn unknown(&self, setting: &Setting) -> Error {
        let names = || self.rows.iter().map(|row| row.param.name);
        let name = &setting.name;
        let framework = name.split_inclusive('_').next().unwrap_or(name);
        let kin = || names().filter(|other| !framework.is_empty() && other.starts_with(framework));
        Error::UnknownName {
            name: name.clone(),
            origin: setting.origin.clone(),
            nearest: nearest(name, names()).or_else(|| closest(name, kin())),
        }
    }

    /// Takes the last of the settings of a row, which has the highest precedence.
    fn settle(&mut self, at: usize, mut settings: Vec<Setting>) -> Result<(), Error> {
        let Some(winner) = settings.pop() else {
            return Ok(());
        };
        let param = self.rows[at].param;
        let name = self.rows[at].name();
        let value = parse(param, &winner)?;
        for loser in &settings {
            if let Err(error) = parse(param, loser) {
                self.warnings.push(format!(
                    "{error}; {} has set it too, and is used",
                    winner.origin
                ));
            }
        }
        let denied = settings
            .iter()
            .rfind(|s| s.origin.is_users() && s.text != winner.text);
        if let (Origin::OverrideFile(_), Some(denied)) = (&winner.origin, denied) {
            let place = &winner.origin;
            let given = format!("{:?} (from: {})", denied.text, denied.origin);
            self.warnings.push(format!(
                "{place} sets {name} to {value}; {given} is not used"
            ));
        }
        self.rows[at].value = value;
        self.rows[at].origin = winner.origin;
        Ok(())
    }

    /// The row of a name that is declared or a member.
    fn find(&self, name: &str) -> Option<usize> {
        self.place(name).ok()
    }

    /// Where a name is, or would be.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.rows
            .binary_search_by(|row| row.name().as_ref().cmp(name))
    }

    fn row(&self, name: &str) -> &Row {
        match self.find(name) {
            Some(at) => &self.rows[at],
            None => panic!("no table declares the parameter {name}"),
        }
    }

    fn value(&self, name: &str) -> &Value {
        &self.row(name).value
    }

    fn mistyped(&self, name: &str, value: &Value) -> ! {
        let declared = self.row(name).param.kind.name();
        panic!("parameter {name} is declared as {declared} ({value}) and asked for as another type")
    }
}

impl Row {
    /// The name: that of the declaration, or of a family's member.
    pub fn name(&self) -> Cow<'static, str> {
        match (&self.member, self.param.family()) {
            (Some(member), Some(prefix)) => format!("{prefix}{member}").into(),
            _ => self.param.name.into(),
        }
    }

    fn default(param: &'static Param) -> Row {
        Row {
            param,
            member: None,
            value: Value::default_of(&param.kind),
            origin: Origin::Default,
        }
    }
}

fn parse(param: &Param, setting: &Setting) -> Result<Value, Error> {
    let kind: &Kind = &param.kind;
    Value::parse(kind, &setting.text).ok_or_else(|| Error::BadValue {
        name: setting.name.clone(),
        text: setting.text.clone(),
        origin: setting.origin.clone(),
        allowed: kind.allowed(),
    })
}
