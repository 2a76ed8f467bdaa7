//! Control variables: every parameter, with its value before a life with MPI, and what may be
//! written when.

use std::collections::BTreeMap;

use mca::{Framework, Kind, Registry, Row, Value};

use crate::Type;

/// Most bytes of a text, with its closing zero byte.
pub const TEXT_BYTES: usize = 4096;

/// Parameters that the library reads late, so that writing them has an effect at any time.
pub const LATE: &[&str] = &["mpi_show_handle_leaks"];

/// A control variable.
pub struct Control {
    /// The parameter's name.
    pub name: String,
    /// The effect of the variable in one sentence.
    pub help: &'static str,
    /// Audience, 1 to 9: users, tuners, developers, and for each basic, detail, all.
    pub level: u8,
    /// Type of its elements.
    pub ty: Type,
    /// The words of an enumeration, each with the number that is its position.
    pub words: Vec<&'static str>,
    /// The processes at which the variable has to be changed alike.
    pub scope: Scope,
    /// The framework of the variable.
    pub framework: Framework,
    kind: Kind,
    value: Value,
}

/// The processes at which a variable has to be changed alike (MPI 5.0, 15.3.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Nowhere: nothing changes it.
    Constant,
    /// In this process.
    Local,
    /// In all connected processes, if in one.
    All,
    /// In all connected processes, to the same value.
    AllEqual,
}

/// Why a variable is not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The variable was read when MPI was initialised, and will be read again by the next
    /// initialisation.
    NotNow,
    /// Nothing in this process reads it.
    Never,
    /// The value is not allowed.
    Invalid,
}

/// All control variables, in the order of their names, and what tools have written.
pub struct Controls {
    controls: Vec<Control>,
    written: BTreeMap<String, String>,
}

impl Controls {
    /// Returns the parameters of a registry. Those for which `is_launchers` is true are read by the
    /// launcher alone.
    pub fn new(registry: &Registry, is_launchers: impl Fn(&str) -> bool) -> Controls {
        let rows = registry.rows().iter();
        // A family is no variable, its members are.
        let rows = rows.filter(|row| row.param.family().is_none() || row.member.is_some());
        let control = |row: &Row| Control::new(row, is_launchers(row.param.name));
        Controls {
            controls: rows.map(control).collect(),
            written: BTreeMap::new(),
        }
    }

    /// Returns all variables.
    pub fn all(&self) -> &[Control] {
        &self.controls
    }

    /// Returns the position of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        crate::position(self.controls.iter().map(|one| one.name.as_str()), name)
    }

    /// Writes a variable, from the bytes of its elements. `is_running` says that a life with MPI
    /// has begun.
    ///
    /// # Errors
    /// When it cannot be written now, or at all, or not with that value.
    pub fn write(&mut self, at: usize, bytes: &[u8], is_running: bool) -> Result<(), Refusal> {
        let control = self.controls.get_mut(at).ok_or(Refusal::Invalid)?;
        if control.scope == Scope::Constant {
            return Err(Refusal::Never);
        }
        let text = control.text_of(bytes).ok_or(Refusal::Invalid)?;
        let value = Value::parse(&control.kind, &text).ok_or(Refusal::Invalid)?;
        if is_running && !LATE.contains(&control.name.as_str()) {
            return Err(Refusal::NotNow);
        }
        control.value = value;
        self.written.insert(control.name.clone(), text);
        Ok(())
    }

    /// Returns what tools have written: names and texts, for the next life with MPI.
    pub fn written(&self) -> Vec<(String, String)> {
        self.written.clone().into_iter().collect()
    }

    /// Takes the values that a life with MPI has begun with.
    pub fn refresh(&mut self, registry: &Registry) {
        for row in registry.rows() {
            if let Some(at) = self.find(&row.name()) {
                self.controls[at].value = row.value.clone();
            }
        }
    }

    /// Returns what a tool has written into a switch, if one has.
    pub fn written_switch(&self, name: &str) -> Option<bool> {
        self.written.get(name).map(|text| text == "1")
    }
}

impl Control {
    fn new(row: &Row, is_launchers: bool) -> Control {
        let (ty, words): (Type, Vec<&'static str>) = match row.param.kind {
            Kind::Bool { .. } => (Type::Int, vec!["false", "true"]),
            Kind::Choice { allowed, .. } => (Type::Int, allowed.to_vec()),
            Kind::Int { min, max, .. } if fits_int(min) && fits_int(max) => (Type::Int, Vec::new()),
            Kind::Verbosity { .. } => (Type::Int, Vec::new()),
            Kind::Int { .. } => (Type::Count, Vec::new()),
            Kind::Size { .. } => (Type::UnsignedLong, Vec::new()),
            Kind::Text { .. } | Kind::List { .. } => (Type::Char, Vec::new()),
        };
        let scope = match row.param.framework() {
            _ if is_launchers => Scope::Constant,
            Framework::Coll => Scope::AllEqual,
            Framework::Btl | Framework::Pml | Framework::Mtl => Scope::All,
            _ => Scope::Local,
        };
        Control {
            name: row.name().into_owned(),
            help: row.param.help,
            level: row.param.level,
            ty,
            words,
            scope,
            framework: row.param.framework(),
            kind: row.param.kind,
            value: row.value.clone(),
        }
    }

    /// Returns how many elements its value has.
    pub fn count(&self) -> usize {
        match self.ty {
            Type::Char => TEXT_BYTES,
            Type::Int | Type::Count | Type::UnsignedLong => 1,
        }
    }

    /// Returns the bytes of its elements. A text has its closing zero byte, and nothing behind it.
    pub fn bytes(&self) -> Vec<u8> {
        let word = |word: &str| self.words.iter().position(|other| *other == word);
        match (&self.value, self.ty) {
            (Value::Bool(value), _) => i32::from(*value).to_ne_bytes().to_vec(),
            (Value::Choice(value), _) => (word(value).unwrap_or(0) as i32).to_ne_bytes().to_vec(),
            (Value::Int(value), Type::Int) => (*value as i32).to_ne_bytes().to_vec(),
            (Value::Int(value), _) => value.to_ne_bytes().to_vec(),
            (Value::Size(value), _) => (*value as u64).to_ne_bytes().to_vec(),
            (Value::Text(_) | Value::List(_), _) => {
                let mut bytes = self.value.to_string().into_bytes();
                bytes.truncate(TEXT_BYTES - 1);
                bytes.push(0);
                bytes
            }
        }
    }

    /// Returns the text of a value that a tool gives as the bytes of its elements.
    fn text_of(&self, bytes: &[u8]) -> Option<String> {
        Some(match self.ty {
            Type::Char => {
                let end = bytes.iter().position(|byte| *byte == 0)?;
                std::str::from_utf8(&bytes[..end]).ok()?.to_string()
            }
            Type::Int => {
                let number = i32::from_ne_bytes(bytes.try_into().ok()?);
                match self.kind {
                    Kind::Choice { allowed, .. } => {
                        (*allowed.get(usize::try_from(number).ok()?)?).to_string()
                    }
                    Kind::Bool { .. } if !(0..=1).contains(&number) => return None,
                    _ => number.to_string(),
                }
            }
            Type::Count => i64::from_ne_bytes(bytes.try_into().ok()?).to_string(),
            Type::UnsignedLong => u64::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        })
    }
}

fn fits_int(number: i64) -> bool {
    i32::try_from(number).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mca::{Param, Sources};

    const PARAMS: &[Param] = &[
        Param::bool("mpi_show_handle_leaks", false, 3, "leaks"),
        Param::choice("btl_x_kind", "b", &["a", "b"], 4, "kind"),
        Param::size("btl_x_limit", 10, 1..=100, 4, "limit"),
        Param::int("coll_x", -1, -1..=i64::MAX, 5, "algorithm"),
        Param::text("plm_agent", "ssh", 2, "agent"),
    ];

    fn controls(settings: &[(&str, &str)]) -> Controls {
        let absent = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        let settings = settings.iter().map(|(a, b)| (a.to_string(), b.to_string()));
        let sources = Sources::new("/none", absent).with_command_line(settings);
        let registry = Registry::load(&[PARAMS], &sources).unwrap();
        Controls::new(&registry, |name| name.starts_with("plm"))
    }

    fn at(controls: &Controls, name: &str) -> usize {
        controls.find(name).unwrap()
    }

    #[test]
    fn values_are_the_registrys_in_the_form_of_c() {
        let controls = controls(&[("btl_x_kind", "a"), ("btl_x_limit", "64"), ("coll_x", "7")]);
        let bytes = |name| controls.all()[at(&controls, name)].bytes();
        assert_eq!(bytes("btl_x_kind"), 0i32.to_ne_bytes());
        assert_eq!(bytes("btl_x_limit"), 64u64.to_ne_bytes());
        assert_eq!(bytes("coll_x"), 7i64.to_ne_bytes());
        assert_eq!(bytes("plm_agent"), b"ssh\0");
        assert_eq!(bytes("mpi_show_handle_leaks"), 0i32.to_ne_bytes());
    }

    #[test]
    fn a_write_is_kept_for_the_next_life_and_refused_where_it_has_no_effect() {
        let mut controls = controls(&[]);
        let kind = at(&controls, "btl_x_kind");
        assert_eq!(
            controls.write(kind, &2i32.to_ne_bytes(), false),
            Err(Refusal::Invalid)
        );
        assert_eq!(
            controls.write(kind, &0i32.to_ne_bytes(), true),
            Err(Refusal::NotNow)
        );
        assert_eq!(controls.write(kind, &0i32.to_ne_bytes(), false), Ok(()));
        let limit = at(&controls, "btl_x_limit");
        assert_eq!(
            controls.write(limit, &101u64.to_ne_bytes(), false),
            Err(Refusal::Invalid)
        );
        let agent = at(&controls, "plm_agent");
        assert_eq!(controls.write(agent, b"rsh\0", false), Err(Refusal::Never));
        let leaks = at(&controls, "mpi_show_handle_leaks");
        assert_eq!(controls.write(leaks, &1i32.to_ne_bytes(), true), Ok(()));
        assert_eq!(controls.written_switch("mpi_show_handle_leaks"), Some(true));
        let pair = |name: &str, text: &str| (name.to_string(), text.to_string());
        let expected = [pair("btl_x_kind", "a"), pair("mpi_show_handle_leaks", "1")];
        assert_eq!(controls.written(), expected);
        assert_eq!(controls.all()[kind].bytes(), 0i32.to_ne_bytes());
    }
}
