//! Parser for files of rules in JSON, in which collectives and algorithms have names:
//!
//! ```text
//! {"collectives": {"alltoall": [
//!     {"comm_size_min": 64, "rules": [
//!         {"msg_size_max": 8191, "alg": "modified_bruck"},
//!         {"msg_size_min": 8192, "alg": 2, "reqs": 4}
//!     ]}
//! ]}}
//! ```
//!
//! Each of `comm_size_min`, `comm_size_max`, `msg_size_min`, `msg_size_max` may be absent, which
//! means no limit, as does `"inf"`. `seg_size` and `reqs` are the bytes of a segment
//! and the requests in flight. The first rule that matches decides. `faninout` is ignored. A
//! restriction on the distribution of ranks over nodes (`comm_rank_distribution`) is refused unless
//! it is `"any"`.
//!
//! The parser does not store the lines of values, so an error names the path to the value, and the
//! first line that contains its last word.

use serde_json::{Map, Value};

use super::section::{algorithm, Refusal, Rule, Section, KNOWN};

type Fields = Map<String, Value>;

const OF_SECTION: &[&str] = &[
    "comm_size_min",
    "comm_size_max",
    "comm_rank_distribution",
    "rules",
];
const OF_RULE: &[&str] = &[
    "msg_size_min",
    "msg_size_max",
    "alg",
    "faninout",
    "seg_size",
    "reqs",
];

/// Parses the content of a file.
pub(super) fn parse(content: &str) -> Result<[Vec<Section>; KNOWN.len()], Refusal> {
    let value: Value = serde_json::from_str(content)
        .map_err(|error| (error.line().max(1), format!("this is no JSON: {error}")))?;
    let collectives = value.get("collectives").and_then(Value::as_object);
    let collectives = collectives.ok_or_else(|| {
        let text = "`collectives` must be an object, with a list for each collective";
        (1, text.to_string())
    })?;
    let mut sections = [const { Vec::new() }; KNOWN.len()];
    for (name, list) in collectives {
        let found = KNOWN.iter().position(|(known, _)| known == name);
        let read = match found {
            Some(id) => collective(id, list).map(|read| sections[id] = read),
            None => Err(format!(
                "`{name}` is no collective: the names are as in `allgather`"
            )),
        };
        read.map_err(|text| (line_of(content, name), format!("{name}: {text}")))?;
    }
    Ok(sections)
}

/// Returns the first line that has `word` in quotes, counted from 1.
fn line_of(content: &str, word: &str) -> usize {
    let quoted = format!("\"{word}\"");
    let found = content.lines().position(|line| line.contains(&quoted));
    found.map_or(1, |at| at + 1)
}

fn collective(id: usize, list: &Value) -> Result<Vec<Section>, String> {
    let list = list.as_array().ok_or("must be a list of objects")?;
    let read = |(at, value)| section(id, value).map_err(|text| format!("entry {at}: {text}"));
    (1..).zip(list).map(read).collect()
}

fn section(id: usize, value: &Value) -> Result<Section, String> {
    let fields = fields(value, OF_SECTION)?;
    match fields.get("comm_rank_distribution").map(Value::as_str) {
        None | Some(Some("any")) => {}
        Some(_) => {
            let text = "`comm_rank_distribution` can be \"any\" only";
            return Err(text.to_string());
        }
    }
    let list = fields.get("rules").and_then(Value::as_array);
    let list = list.ok_or("`rules` must be a list of objects")?;
    let read = |(at, value)| rule(id, value).map_err(|text| format!("rule {at}: {text}"));
    let ranks = |name, default| {
        let ranks = number(fields, name)?.unwrap_or(default as usize);
        Ok::<u32, String>(u32::try_from(ranks).unwrap_or(u32::MAX))
    };
    Ok(Section {
        ranks: (
            ranks("comm_size_min", 0)?,
            ranks("comm_size_max", u32::MAX)?,
        ),
        rules: (1..).zip(list).map(read).collect::<Result<_, _>>()?,
    })
}

fn rule(id: usize, value: &Value) -> Result<Rule, String> {
    let fields = fields(value, OF_RULE)?;
    let word = match fields.get("alg") {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => return Err("`alg` must be the name or the number of an algorithm".to_string()),
    };
    number(fields, "faninout")?;
    Ok(Rule {
        bytes: (
            number(fields, "msg_size_min")?.unwrap_or(0),
            number(fields, "msg_size_max")?.unwrap_or(usize::MAX),
        ),
        algorithm: algorithm(id, &word)?,
        segment: number(fields, "seg_size")?.unwrap_or(0),
        requests: number(fields, "reqs")?.unwrap_or(0),
    })
}

fn fields<'a>(value: &'a Value, known: &[&str]) -> Result<&'a Fields, String> {
    let fields = value.as_object().ok_or("must be an object")?;
    match fields.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(fields),
        Some(name) => Err(format!("`{name}` is not known: {} are", known.join(", "))),
    }
}

fn number(fields: &Fields, name: &str) -> Result<Option<usize>, String> {
    match fields.get(name) {
        None => Ok(None),
        Some(Value::String(word)) if word.eq_ignore_ascii_case("inf") => Ok(Some(usize::MAX)),
        Some(value) => match value
            .as_u64()
            .and_then(|number| usize::try_from(number).ok())
        {
            Some(number) => Ok(Some(number)),
            None => Err(format!("`{name}` is {value}: give a number, or \"inf\"")),
        },
    }
}
