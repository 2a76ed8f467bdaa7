//! Fortran's side of an argument: how it is declared and set, and what holds after the call.

use super::arguments::{letter, Argument, Interface, Mode, COUNTED_FROM_ONE, ELEMENTS};
use xtask::gen::fortran::model::Form;

/// Fortran's side of an argument.
pub struct Fortran {
    pub declared: Vec<String>,
    pub set: Vec<String>,
    pub passed: String,
    /// Conditions that hold after the call.
    pub holds: Vec<String>,
}

impl Argument<'_> {
    /// Fortran's side of a call.
    pub fn fortran(&self, interface: Interface, mode: Mode) -> Result<Fortran, String> {
        let a = format!("a{}", self.at);
        let mut made = Fortran {
            declared: Vec::new(),
            set: Vec::new(),
            passed: a.clone(),
            holds: Vec::new(),
        };
        let is_constant = mode == Mode::Constants;
        match self.form {
            Form::Value => self.by_value(&mut made, mode),
            Form::Numbers | Form::Weights | Form::ErrorCodes => {
                self.numbers(&mut made, is_constant);
            }
            Form::Position | Form::Positions => self.positions(&mut made, is_constant),
            Form::Truth | Form::TruthOut | Form::Truths | Form::TruthsOut => {
                self.truths(&mut made, is_constant)?;
            }
            Form::Handle
            | Form::HandleOut
            | Form::HandleInOut
            | Form::Handles
            | Form::HandlesOut
            | Form::HandlesInOut => self.handles(&mut made, interface, mode)?,
            Form::Status | Form::Statuses | Form::StatusIn => {
                self.statuses(&mut made, interface, is_constant);
            }
            Form::Buffer => {
                made.passed = match mode {
                    Mode::Plain => format!("buffers(:, {})", self.slot() + 1),
                    Mode::Constants => self.constant().to_string(),
                    Mode::Sections => format!("buffers(1:199:2, {})", self.slot() + 1),
                };
            }
            Form::Address | Form::Detached => self.addresses(&mut made, interface),
            Form::Word | Form::OldWord | Form::WordOut | Form::OldWordOut => {
                self.words(&mut made, is_constant);
            }
            Form::Text | Form::TextOut => self.text(&mut made),
            Form::Texts | Form::TextTable => self.texts(&mut made, is_constant),
            Form::Callback => {
                made.passed = format!("every_{}", self.param().base().to_lowercase());
                made.declared.push(match interface {
                    Interface::F08 => {
                        format!("procedure({}) :: {}", self.param().base(), made.passed)
                    }
                    _ => format!("external :: {}", made.passed),
                });
            }
            Form::Omitted => return Err("no argument".to_string()),
        }
        Ok(made)
    }

    fn by_value(&self, made: &mut Fortran, mode: Mode) {
        let a = &made.passed;
        made.declared.push(format!("{} :: {a}", self.wide_type()));
        let value = match self.is_spawn() && self.param().name == "root" {
            true => "every_rank()".to_string(),
            false => format!("{}_8", self.number(mode)),
        };
        made.set.push(format!("{a} = {value}"));
    }

    fn words(&self, made: &mut Fortran, is_constant: bool) {
        let a = &made.passed;
        let is_old = matches!(self.form, Form::OldWord | Form::OldWordOut);
        let ty = match is_old {
            true => "integer",
            false => "integer(MPI_ADDRESS_KIND)",
        };
        made.declared.push(format!("{ty} :: {a}"));
        if matches!(self.form, Form::Word | Form::OldWord) {
            made.set.push(format!("{a} = {}_8", self.word()));
            return;
        }
        made.set.push(format!("{a} = -77"));
        // C says in the second mode that there is no attribute; the old routine leaves it alone.
        let wanted = if is_old && is_constant {
            -77
        } else {
            self.word()
        };
        made.holds.push(format!("{a} == {wanted}_8"));
    }

    fn text(&self, made: &mut Fortran) {
        if self.form == Form::Text {
            made.passed = format!("'  t{} x   '", self.at);
            return;
        }
        let a = &made.passed;
        made.declared.push(format!("character(len=40) :: {a}"));
        made.set.push(format!("{a} = repeat('#', 40)"));
        made.holds.push(format!("{a} == 'o{}'", letter(self.at)));
    }

    fn numbers(&self, made: &mut Fortran, is_constant: bool) {
        let constant = match self.form {
            Form::Weights => Some("MPI_UNWEIGHTED"),
            Form::ErrorCodes => Some("MPI_ERRCODES_IGNORE"),
            _ => None,
        };
        if let Some(constant) = constant.filter(|_| is_constant) {
            made.passed = constant.to_string();
            return;
        }
        let (a, ty) = (&made.passed, self.wide_type());
        let from = if self.is_in() { self.passes() } else { -77 };
        if !self.is_list() {
            made.declared.push(format!("{ty} :: {a}"));
            let from = match self.is_text_length() {
                true => 3 + self.at as i64,
                false => from,
            };
            made.set.push(format!("{a} = {from}_8"));
            if self.is_out() {
                made.holds.push(format!("{a} == {}_8", self.gives()));
            }
            return;
        }
        let shape = match self.param().ty.ends_with("[3]") {
            true => format!("3, {ELEMENTS}"),
            false => (3 * ELEMENTS).to_string(),
        };
        let step = if self.is_in() { "k" } else { "0" };
        let last = 3 * ELEMENTS - 1;
        made.declared.push(format!("{ty} :: {a}({shape})"));
        let list = format!("[({from}_8 + {step}, k = 0, {last})]");
        made.set.push(format!("{a} = reshape({list}, [{shape}])"));
        if self.is_out() {
            let first = if shape.contains(',') { "1, 1" } else { "1" };
            made.holds
                .push(format!("{a}({first}) == {}_8", self.gives()));
        }
    }

    fn positions(&self, made: &mut Fortran, is_constant: bool) {
        let (a, n) = (&made.passed, self.at);
        let is_list = self.is_list();
        let shape = if is_list {
            format!("({ELEMENTS})")
        } else {
            String::new()
        };
        made.declared.push(format!("integer :: {a}{shape}"));
        made.set.push(format!("{a} = -77"));
        let from = if COUNTED_FROM_ONE.contains(&self.routine.name()) {
            1
        } else {
            0
        };
        let first = match is_constant {
            true => "MPI_UNDEFINED".to_string(),
            false => (n + from).to_string(),
        };
        made.holds.push(match is_list {
            true => format!(
                "{a}(1) == {first} .and. {a}(2) == {} .and. {a}(3) == -77",
                n + 1 + from
            ),
            false => format!("{a} == {first}"),
        });
    }

    fn truths(&self, made: &mut Fortran, is_constant: bool) -> Result<(), String> {
        let (a, n) = (&made.passed, self.at);
        let truth = |is: bool| if is { ".true." } else { ".false." };
        match self.form {
            Form::Truth => {
                made.declared.push(format!("logical :: {a}"));
                made.set
                    .push(format!("{a} = {}", truth((n % 2 == 0) != is_constant)));
            }
            Form::TruthOut => {
                made.declared.push(format!("logical :: {a}"));
                made.set.push(format!("{a} = {}", truth(is_constant)));
                made.holds
                    .push(format!("{a} .eqv. {}", truth(!is_constant)));
            }
            _ => {
                made.declared.push(format!("logical :: {a}({ELEMENTS})"));
                let values = format!("[(mod(k + {n}, 2) == 0, k = 0, {})]", ELEMENTS - 1);
                if self.is_in() {
                    made.set.push(format!("{a} = {values}"));
                } else {
                    let length = self.elements()?;
                    made.set.push(format!("{a} = .not. {values}"));
                    made.holds.push(format!(
                        "all({a}(1:{length}) .eqv. [(mod(k + {n}, 2) == 0, k = 0, {})])",
                        length - 1
                    ));
                    made.holds.push(format!(
                        "{a}({}) .eqv. mod({length} + {n}, 2) /= 0",
                        length + 1
                    ));
                }
            }
        }
        Ok(())
    }

    fn handles(&self, made: &mut Fortran, interface: Interface, mode: Mode) -> Result<(), String> {
        let (a, kind) = (made.passed.clone(), self.kind()?);
        let ty = match interface {
            Interface::F08 => format!("type({})", self.param().base()),
            _ => "integer".to_string(),
        };
        let value = |name: String| self.value(interface, &name);
        let number = |which: usize| format!("every_handle({kind}, {which})");
        let is_constant = mode == Mode::Constants;
        match self.form {
            Form::Handle | Form::HandleOut | Form::HandleInOut => {
                made.declared.push(format!("{ty} :: {a}"));
                let value = value(a);
                made.set.push(match self.form {
                    Form::Handle => format!("{value} = {}", number(self.which(mode))),
                    Form::HandleOut => format!("{value} = -77"),
                    _ => format!("{value} = {}", number(1)),
                });
                made.holds.extend(match self.form {
                    Form::Handle => None,
                    Form::HandleInOut if !is_constant => Some(format!("{value} == {}", number(0))),
                    _ => Some(format!("{value} == {}", number(1))),
                });
            }
            _ => {
                let length = self.elements()?;
                made.declared.push(format!("{ty} :: {a}({ELEMENTS})"));
                let each = value(format!("{a}(k)"));
                let from = match self.form {
                    Form::HandlesOut => "-77".to_string(),
                    _ => format!("every_handle({kind}, mod(k - 1, 2))"),
                };
                made.set
                    .push(format!("do k = 1, {ELEMENTS}; {each} = {from}; end do"));
                let at = |k: usize| value(format!("{a}({k})"));
                let holds = &mut made.holds;
                match self.form {
                    Form::HandlesOut => {
                        holds.push(format!("{} == {}", at(1), number(1)));
                        holds.push(format!("{} == {}", at(length), number(1)));
                        holds.push(format!("{} == -77", at(length + 1)));
                    }
                    Form::HandlesInOut => {
                        holds.push(format!("{} == {}", at(2), number(0)));
                        holds.push(format!("{} == {}", at(4), number(1)));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn statuses(&self, made: &mut Fortran, interface: Interface, is_constant: bool) {
        let a = made.passed.clone();
        let is_list = self.form == Form::Statuses;
        if is_constant && self.form != Form::StatusIn {
            let constant = if is_list {
                "MPI_STATUSES_IGNORE"
            } else {
                "MPI_STATUS_IGNORE"
            };
            made.passed = constant.to_string();
            return;
        }
        made.declared.push(match (interface, is_list) {
            (Interface::F08, false) => format!("type(MPI_Status) :: {a}"),
            (Interface::F08, true) => format!("type(MPI_Status) :: {a}({ELEMENTS})"),
            (_, false) => format!("integer :: {a}(MPI_STATUS_SIZE)"),
            (_, true) => format!("integer :: {a}(MPI_STATUS_SIZE, {ELEMENTS})"),
        });
        let part = |of: usize, part: &str| match (interface, is_list) {
            (Interface::F08, false) => format!("{a}%{part}"),
            (Interface::F08, true) => format!("{a}({of})%{part}"),
            (_, false) => format!("{a}({part})"),
            (_, true) => format!("{a}({part}, {of})"),
        };
        let parts = ["MPI_SOURCE", "MPI_TAG", "MPI_ERROR"];
        for (i, name) in parts.iter().enumerate() {
            let from = if self.is_in() { self.passes() } else { -77 };
            made.set.push(format!("{} = {from} + {i}", part(1, name)));
            if self.is_out() {
                for of in 1..=if is_list { 2 } else { 1 } {
                    let given = self.gives() + 10 * (of as i64 - 1) + i as i64;
                    made.holds.push(format!("{} == {given}", part(of, name)));
                }
            }
        }
    }

    fn addresses(&self, made: &mut Fortran, interface: Interface) {
        let a = &made.passed;
        if self.form == Form::Detached && interface != Interface::F08 {
            let slot = self.slot() + 1;
            made.passed = format!("buffers(:, {slot})");
            made.holds
                .push(format!("buffers(1, {slot}) == {}", 1000 * (slot - 1)));
            return;
        }
        if interface == Interface::F08 {
            made.declared.push(format!("type(c_ptr) :: {a}"));
            made.holds
                .push(format!("transfer({a}, 0_8) == {}_8", self.gives_address()));
        } else {
            made.declared
                .push(format!("integer(MPI_ADDRESS_KIND) :: {a}"));
            made.set.push(format!("{a} = -77"));
            made.holds
                .push(format!("{a} == {}_8", self.gives_address()));
        }
    }

    fn texts(&self, made: &mut Fortran, is_constant: bool) {
        let a = &made.passed;
        match (self.form, self.param().name.as_str()) {
            (Form::Texts, "argv") if is_constant => made.passed = "MPI_ARGV_NULL".to_string(),
            (Form::TextTable, _) if is_constant => made.passed = "MPI_ARGVS_NULL".to_string(),
            (Form::Texts, "argv") => {
                made.declared.push(format!("character(len=6) :: {a}(3)"));
                made.set
                    .push(format!("{a} = ['x     ', ' y z  ', '      ']"));
            }
            (Form::Texts, _) => {
                made.declared.push(format!("character(len=6) :: {a}(3)"));
                made.set
                    .push(format!("{a} = ['p1    ', ' p2   ', 'p 3   ']"));
            }
            _ => {
                made.declared.push(format!("character(len=6) :: {a}(3, 3)"));
                made.set.push(format!(
                    "{a} = reshape(['1a    ', '2a    ', '      ', '1 b   ', '      ', \
                     '######', '      ', '######', '######'], [3, 3])"
                ));
            }
        }
    }
}
