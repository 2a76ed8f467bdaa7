//! Error classes, codes and texts, those of the user included (MPI 5.0, 9.4 and 9.5).

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use abi_state::args::{Out, OutText, Text};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use mpi::ErrorCodes;

/// `MPI_Error_class`.
pub fn error_class(errorcode: i32, errorclass: Out<i32>) -> Result<(), Failure> {
    let class = match tool_class(errorcode) {
        Some(_) => errorcode,
        None => runtime::get()
            .anytime
            .enter()
            .error_codes
            .class(errorcode)?,
    };
    errorclass.set(class)
}

/// `MPI_Error_string`.
pub fn error_string(errorcode: i32, string: OutText, resultlen: Out<i32>) -> Result<(), Failure> {
    let text = match tool_class(errorcode) {
        Some(name) => format!("{name}: {}", tool_text(errorcode)),
        None => runtime::get()
            .anytime
            .enter()
            .error_codes
            .text(errorcode)?
            .to_owned(),
    };
    let room = MPI_MAX_ERROR_STRING as usize;
    let text = shortened(&text, room - 1);
    string.set(&text, resultlen)
}

/// End of a text that was cut.
const CUT: &str = " ...";

/// Returns the text, or as many of its whole words as fit into `bytes` with [`CUT`] behind them.
fn shortened(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return text.into();
    }
    let mut end = bytes - CUT.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // The byte behind the part may be the blank that ends its last word.
    let blank = text.as_bytes()[..=end]
        .iter()
        .rposition(|byte| *byte == b' ');
    let kept = text[..blank.unwrap_or(end)].trim_end_matches([' ', ',', ';', ':']);
    format!("{kept}{CUT}").into()
}

/// `MPI_Add_error_class`.
pub fn add_error_class(errorclass: Out<i32>) -> Result<(), Failure> {
    let class = change(|codes| codes.add_class())?;
    errorclass.set(class)
}

/// `MPI_Add_error_code`.
pub fn add_error_code(errorclass: i32, errorcode: Out<i32>) -> Result<(), Failure> {
    let code = change(|codes| codes.add_code(errorclass))?;
    errorcode.set(code)
}

/// `MPI_Add_error_string`.
pub fn add_error_string(errorcode: i32, string: Text) -> Result<(), Failure> {
    let text = string.get()?;
    if text.len() >= MPI_MAX_ERROR_STRING as usize {
        let text = format!("the string has {} bytes, too many", text.len());
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    change(|codes| codes.set_text(errorcode, &text))
}

/// `MPI_Remove_error_class`.
pub fn remove_error_class(errorclass: i32) -> Result<(), Failure> {
    change(|codes| codes.remove_class(errorclass))
}

/// `MPI_Remove_error_code`.
pub fn remove_error_code(errorcode: i32) -> Result<(), Failure> {
    change(|codes| codes.remove_code(errorcode))
}

/// `MPI_Remove_error_string`.
pub fn remove_error_string(errorcode: i32) -> Result<(), Failure> {
    change(|codes| codes.remove_text(errorcode))
}

/// Changes the user's codes, and the value of `MPI_LASTUSEDCODE` with them.
fn change<T>(change: impl FnOnce(&mut ErrorCodes) -> Result<T, mpi::Error>) -> Result<T, Failure> {
    let runtime = runtime::get();
    let mut anytime = runtime.anytime.enter();
    let result = change(&mut anytime.error_codes)?;
    let last = anytime.error_codes.last_used();
    runtime.values.last_used_code.store(last, Ordering::Relaxed);
    Ok(result)
}

fn tool_class(code: i32) -> Option<&'static str> {
    let mut classes = TOOL_ERROR_CLASSES.iter();
    classes
        .find(|(_, value)| *value == code)
        .map(|(name, _)| *name)
}

/// Returns the meaning of a class of the tool interface's errors (MPI 5.0, 15.3.10).
fn tool_text(class: i32) -> &'static str {
    match class {
        MPI_T_ERR_CANNOT_INIT => "the tool interface cannot be initialised",
        MPI_T_ERR_NOT_ACCESSIBLE => "the tool interface cannot do this now",
        MPI_T_ERR_NOT_INITIALIZED => "the tool interface is not initialised",
        MPI_T_ERR_NOT_SUPPORTED => "the tool interface does not support this",
        MPI_T_ERR_MEMORY => "there is not enough memory",
        MPI_T_ERR_INVALID => "an argument is not valid",
        MPI_T_ERR_INVALID_INDEX => "no variable, category, event or source has this index",
        MPI_T_ERR_INVALID_ITEM => "the enumeration has no item of this index",
        MPI_T_ERR_INVALID_SESSION => "the session is not valid",
        MPI_T_ERR_INVALID_HANDLE => "the handle is not valid",
        MPI_T_ERR_INVALID_NAME => "no variable, category or event has this name",
        MPI_T_ERR_OUT_OF_HANDLES => "there can be no more handles",
        MPI_T_ERR_OUT_OF_SESSIONS => "there can be no more sessions",
        MPI_T_ERR_CVAR_SET_NOT_NOW => "the control variable cannot be set any more or not yet",
        MPI_T_ERR_CVAR_SET_NEVER => "the control variable can only be read",
        MPI_T_ERR_PVAR_NO_WRITE => "the performance variable can only be read",
        MPI_T_ERR_PVAR_NO_STARTSTOP => {
            "the performance variable always counts, and can be neither started nor stopped"
        }
        MPI_T_ERR_PVAR_NO_ATOMIC => "the performance variable cannot be read and reset in one step",
        _ => "an error of the tool interface",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_of_the_tool_interface_has_a_text_of_its_own() {
        let texts = TOOL_ERROR_CLASSES
            .iter()
            .map(|(_, class)| tool_text(*class));
        let own: std::collections::BTreeSet<&str> = texts.collect();
        assert_eq!(own.len(), TOOL_ERROR_CLASSES.len());
        assert!(!own.contains(tool_text(0)));
    }

    #[test]
    fn a_long_text_ends_with_a_whole_word_and_a_mark() {
        assert_eq!(shortened("one two", 7), "one two");
        for (bytes, cut) in [(12, "one two ..."), (11, "one ..."), (8, "one ...")] {
            assert_eq!(shortened("one two, three", bytes), cut);
        }
        assert_eq!(shortened("ééééé", 9), "éé ...");
        let long = "word ".repeat(200);
        assert!((500..=511).contains(&shortened(&long, 511).len()));
    }
}
