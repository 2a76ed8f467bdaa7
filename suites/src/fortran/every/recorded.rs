//! C's side of an argument: statements that compare what came, and that write what is given.

use super::arguments::{counted, letter, Argument, Mode};
use xtask::gen::fortran::model::{Form, Gaps};
use xtask::gen::spec::Param;

impl Argument<'_> {
    /// C's side: statements that compare what came and write what is given.
    pub fn c(&self) -> Result<Vec<String>, String> {
        let Param { name, .. } = self.param();
        let n = self.at;
        let number = |of: String, wanted: String| format!("number(\"{name}\", {of}, {wanted});");
        Ok(match self.form {
            Form::Value => vec![self.c_value()],
            Form::Numbers | Form::Weights | Form::ErrorCodes => self.c_numbers(),
            Form::Position => {
                vec![format!(
                    "*{name} = mode == CONSTANTS ? MPI_UNDEFINED : {n};"
                )]
            }
            Form::Positions => vec![
                format!("{name}[0] = mode == CONSTANTS ? MPI_UNDEFINED : {n};"),
                format!("{name}[1] = {};", n + 1),
            ],
            Form::Truth | Form::TruthOut | Form::Truths | Form::TruthsOut => vec![self.c_truth()?],
            Form::Handle
            | Form::HandleOut
            | Form::HandleInOut
            | Form::Handles
            | Form::HandlesOut
            | Form::HandlesInOut => self.c_handles()?,
            Form::Status | Form::Statuses | Form::StatusIn => self.c_statuses(),
            Form::Buffer => vec![self.c_buffer()],
            Form::Address | Form::Detached => {
                vec![format!(
                    "*(void **){name} = (void *){}LL;",
                    self.gives_address()
                )]
            }
            // A state of the Fortran library stands for the user's.
            Form::Word if self.has_procedures() => {
                vec![format!("procedure(\"{name}\", {name} != NULL);")]
            }
            Form::Word | Form::OldWord => {
                vec![number(
                    format!("(Number)(uintptr_t){name}"),
                    self.word().to_string(),
                )]
            }
            Form::WordOut | Form::OldWordOut => {
                vec![format!("*(uintptr_t *){name} = {}LL;", self.word())]
            }
            Form::Text => {
                let is_trimmed = self.routine.function.category == "info" || self.is_spawn();
                let blanks = if is_trimmed { "" } else { "  " };
                vec![format!("text(\"{name}\", {name}, \"{blanks}t{n} x\");")]
            }
            Form::TextOut => vec![format!("strcpy({name}, \"o{}\");", letter(n))],
            Form::Texts | Form::TextTable => self.c_texts(),
            Form::Callback => vec![format!("procedure(\"{name}\", {name} != NULL);")],
            Form::Omitted if self.param().is_pointer() => {
                vec![format!("address(\"{name}\", {name}, NULL);")]
            }
            Form::Omitted if name.is_empty() => Vec::new(),
            Form::Omitted => vec![number(name.clone(), "0".to_string())],
        })
    }

    fn c_value(&self) -> String {
        let Param { name, .. } = self.param();
        if self.is_spawn() && name == "root" {
            return format!("number(\"{name}\", {name}, rank);");
        }
        let (plain, section) = (self.number(Mode::Plain), self.number(Mode::Sections));
        let check = match self.is_part() {
            true => "count_or_one",
            false => "number",
        };
        format!("{check}(\"{name}\", {name}, mode == SECTIONS ? {section} : {plain});")
    }

    fn c_truth(&self) -> Result<String, String> {
        let (Param { name, .. }, n) = (self.param(), self.at);
        let truth = format!("(k + {n}) % 2 == 0");
        Ok(match self.form {
            Form::Truth => {
                let is_even = i32::from(n.is_multiple_of(2));
                format!("number(\"{name}\", {name}, (mode == CONSTANTS) != {is_even});")
            }
            Form::TruthOut => format!("*{name} = mode != CONSTANTS;"),
            Form::Truths => {
                let length = self.elements()?;
                format!("for (k = 0; k < {length}; k++) number(\"{name}\", {name}[k], {truth});")
            }
            _ => {
                let length = self.elements()?;
                format!("for (k = 0; k < {length}; k++) {name}[k] = {truth};")
            }
        })
    }

    /// Whether a datatype that is made for a section may replace it.
    fn is_part(&self) -> bool {
        let name = &self.param().name;
        let buffers = self
            .routine
            .args
            .iter()
            .filter(|arg| arg.form == Form::Buffer);
        buffers
            .filter_map(|arg| counted(arg.param))
            .any(|(a, b)| a == name || b == name)
    }

    fn c_numbers(&self) -> Vec<String> {
        let Param { name, .. } = self.param();
        let (base, count) = (self.param().base(), if self.is_list() { 3 } else { 1 });
        let place = format!("(({base} *){name})");
        let mut lines = Vec::new();
        if self.is_text_length() {
            return vec![
                format!("number(\"{name}\", *{name}, {});", 3 + self.at + 1),
                format!("*{name} = {};", self.gives() + 1),
            ];
        }
        if self.is_in() {
            lines.push(format!(
                "for (k = 0; k < {count}; k++) number(\"{name}\", {place}[k], {} + k);",
                self.passes()
            ));
        }
        if self.is_out() {
            lines.push(format!("{place}[0] = {};", self.gives()));
        }
        let constant = match self.form {
            Form::Weights => "MPI_UNWEIGHTED",
            Form::ErrorCodes => "MPI_ERRCODES_IGNORE",
            _ => return lines,
        };
        vec![format!(
            "if (mode == CONSTANTS) address(\"{name}\", {name}, {constant}); else {{ {} }}",
            lines.join(" ")
        )]
    }

    fn c_handles(&self) -> Result<Vec<String>, String> {
        let Param { name, .. } = self.param();
        let (kind, base) = (self.kind()?, self.param().base());
        let made = |which: String| format!("({base})made[{kind}][{which}]");
        let check = |of: &str, which: &str| {
            format!("handle(\"{name}\", {of}, {});", made(which.to_string()))
        };
        Ok(match self.form {
            Form::Handle if self.is_part() => vec![format!(
                "datatype_or_made(\"{name}\", {name}, made[{kind}][mode == SECTIONS ? {} : {}]);",
                self.which(Mode::Sections),
                self.which(Mode::Plain)
            )],
            Form::Handle => {
                let (plain, section) = (self.which(Mode::Plain), self.which(Mode::Sections));
                vec![check(
                    name,
                    &format!("mode == SECTIONS ? {section} : {plain}"),
                )]
            }
            Form::HandleOut => vec![format!("*{name} = {};", made("1".to_string()))],
            Form::HandleInOut => vec![
                check(&format!("*{name}"), "1"),
                format!(
                    "if (mode != CONSTANTS) *{name} = {};",
                    made("0".to_string())
                ),
            ],
            _ => {
                let length = self.elements()?;
                let each = check(&format!("{name}[k]"), "k % 2");
                match self.form {
                    Form::HandlesOut => vec![format!(
                        "for (k = 0; k < {length}; k++) {name}[k] = {};",
                        made("1".to_string())
                    )],
                    form => {
                        let is_there = match self.goes_in_place() {
                            true => "if (mode != CONSTANTS) ",
                            false => "",
                        };
                        let mut lines =
                            vec![format!("{is_there}for (k = 0; k < {length}; k++) {each}")];
                        if form == Form::HandlesInOut {
                            lines.push(format!("{name}[1] = {};", made("0".to_string())));
                        }
                        lines
                    }
                }
            }
        })
    }

    fn c_statuses(&self) -> Vec<String> {
        let Param { name, .. } = self.param();
        let (constant, count) = match self.form {
            Form::StatusIn => {
                let mut lines = vec![format!("status_is(\"{name}\", {name}, {});", self.passes())];
                if self.is_out() {
                    lines.push(format!("write_status({name}, {});", self.gives()));
                }
                return lines;
            }
            Form::Status => ("MPI_STATUS_IGNORE", 1),
            _ => ("MPI_STATUSES_IGNORE", 2),
        };
        vec![format!(
            "if (mode == CONSTANTS) address(\"{name}\", {name}, {constant}); else for (k = 0; k < \
             {count}; k++) write_status({name} + k, {} + 10 * k);",
            self.gives()
        )]
    }

    fn c_buffer(&self) -> String {
        let (name, slot, constant) = (&self.param().name, self.slot(), self.constant());
        let is_first = matches!(self.routine.args[self.at].gaps(self.routine), Gaps::Address);
        if let Some((count, datatype)) = counted(self.param()).filter(|_| !is_first) {
            let mut params = self.routine.args.iter();
            let at = params.position(|arg| arg.param.name == count).unwrap_or(0);
            return format!(
                "counted(\"{name}\", {name}, {slot}, {constant}, {count}, {datatype}, {});",
                3 + at
            );
        }
        let check = if is_first { "first" } else { "whole" };
        format!("{check}(\"{name}\", {name}, {slot}, {constant});")
    }

    fn c_texts(&self) -> Vec<String> {
        let Param { name, .. } = self.param();
        let text = |of: &str, wanted: &str| format!("text(\"{name}\", {name}{of}, \"{wanted}\");");
        let end = |of: &str| format!("address(\"{name}\", {name}{of}, NULL);");
        let lines = match (self.form, name.as_str()) {
            (Form::Texts, "argv") => vec![text("[0]", "x"), text("[1]", "y z"), end("[2]")],
            (Form::Texts, _) => {
                return vec![text("[0]", "p1"), text("[1]", "p2"), text("[2]", "p 3")];
            }
            _ => vec![
                text("[0][0]", "1a"),
                text("[0][1]", "1 b"),
                end("[0][2]"),
                text("[1][0]", "2a"),
                end("[1][1]"),
                end("[2][0]"),
            ],
        };
        let null = if name == "argv" {
            "MPI_ARGV_NULL"
        } else {
            "MPI_ARGVS_NULL"
        };
        vec![format!(
            "if (mode == CONSTANTS) address(\"{name}\", {name}, {null}); else {{ {} }}",
            lines.join(" ")
        )]
    }
}
