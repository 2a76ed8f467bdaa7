//! Requests to start a job and about names, as far as PMI-1 and PMI-2 have them in common.

use crate::names::{Answer, Question};
use crate::spawn::{Program, Spawn};
use crate::Error;

/// The info key of the working directory.
const DIRECTORY: &str = "wdir";

/// A program of a spawn as text for a launcher.
pub(super) struct Command {
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
    pub(super) count: u32,
    pub(super) info: Vec<(String, String)>,
}

/// Returns the programs of a spawn as text without the characters that end a word or line there.
///
/// # Errors
/// When a program or an argument has one.
pub(super) fn commands(
    spawn: &Spawn,
    protocol: &'static str,
    ends: &[char],
) -> Result<Vec<Command>, Error> {
    let refuse = |text: &str| Error::Refused {
        protocol,
        request: "spawn".to_string(),
        reason: format!("{text:?} has a character that this launcher's protocol cannot carry"),
    };
    let text = |word: &std::ffi::OsStr| match word.to_str() {
        Some(word) if !word.contains(ends) => Ok(word.to_string()),
        _ => Err(refuse(&word.to_string_lossy())),
    };
    let command = |program: &Program| {
        let arguments = program.arguments.iter().map(|word| text(word));
        let mut info = program.info.clone();
        if !info.iter().any(|(key, _)| key == DIRECTORY || key == "wd") {
            info.push((DIRECTORY.to_string(), text(spawn.directory.as_os_str())?));
        }
        // Keys are hints: those that the protocol cannot carry are left out.
        let fits = |word: &str| !word.is_empty() && !word.contains(ends);
        info.retain(|(key, value)| fits(key) && fits(value) && !key.contains([' ', '=']));
        Ok(Command {
            program: text(&program.program)?,
            arguments: arguments.collect::<Result<_, _>>()?,
            count: program.count,
            info,
        })
    };
    spawn.programs.iter().map(command).collect()
}

/// Returns the answer to a question about a name, from a launcher's reply.
pub(super) fn answer(question: &Question, is_done: bool, port: Option<&str>) -> Answer {
    match (question, is_done, port) {
        (Question::LookUp { .. }, true, Some(port)) => Answer::Found(text(port)),
        (Question::Publish { .. } | Question::Withdraw { .. }, true, _) => Answer::Done,
        (Question::Publish { .. }, false, _) => Answer::Taken,
        _ => Answer::Unknown,
    }
}

/// Returns a text as a word that every launcher accepts: characters other than letters, digits and
/// harmless punctuation are escaped by their numbers.
pub(super) fn word(text: &str) -> String {
    let mut word = String::new();
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || b".,:_-/@#[]".contains(&byte) {
            true => word.push(byte.into()),
            false => word.push_str(&format!("%{byte:02x}")),
        }
    }
    word
}

/// Returns the text of a word. A word that [`word`] has not made is returned unchanged.
pub(super) fn text(word: &str) -> String {
    let read = || {
        let (mut bytes, mut rest) = (Vec::new(), word.as_bytes());
        while let [first, after @ ..] = rest {
            (rest, _) = match first {
                b'%' => {
                    let (digits, after) = after.split_at_checked(2)?;
                    let digits = std::str::from_utf8(digits).ok()?;
                    (after, bytes.push(u8::from_str_radix(digits, 16).ok()?))
                }
                byte => (after, bytes.push(*byte)),
            };
        }
        String::from_utf8(bytes).ok()
    };
    read().unwrap_or_else(|| word.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_a_word_and_comes_back() {
        for plain in ["", "a b;c\\%=\n", "oxmpi:10.0.0.1:80,[::1]:81#00ff", "für"] {
            let word = word(plain);
            assert!(!word.contains([' ', ';', '=', '\\', '\n']), "{word}");
            assert_eq!(text(&word), plain);
        }
        assert_eq!(text("50%"), "50%");
        assert_eq!(text("%zz"), "%zz");
    }

    #[test]
    fn programs_become_text_with_their_directory_or_are_refused_by_name() {
        let program = |argument: &str, info: &[(&str, &str)]| Program {
            program: "./a".into(),
            arguments: vec![argument.into()],
            count: 2,
            info: info
                .iter()
                .map(|(k, v)| (k.to_string(), v.to_string()))
                .collect(),
        };
        let spawn = |program| Spawn {
            programs: vec![program],
            directory: "/here".into(),
            members: Vec::new(),
        };
        let made = |program| commands(&spawn(program), "PMI-1", &['\n']);
        let one = made(program("x y", &[("host", "a"), ("env", "A=1\nB=2")])).unwrap();
        let expected = [("host", "a"), ("wdir", "/here")];
        let expected = expected.map(|(k, v)| (k.to_string(), v.to_string()));
        assert_eq!((one[0].count, &one[0].info[..]), (2, &expected[..]));
        assert_eq!(one[0].arguments, ["x y"]);
        let own = made(program("", &[("wdir", "/there")])).unwrap();
        assert_eq!(own[0].info, [("wdir".to_string(), "/there".to_string())]);
        let error = made(program("x\ny", &[])).err().unwrap().to_string();
        assert!(error.contains("x\\ny"), "{error}");
    }
}
