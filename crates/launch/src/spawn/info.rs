//! The info keys of a spawned program.

use std::ffi::OsString;

use bootstrap::spawn::{Program, Spawn};

use launch_plan::error::invalid_value;
use launch_plan::hosts;
use launch_plan::plan;
use launch_plan::policy::MapBy;
use launch_plan::request::{AppRequest, Change, Request};
use launch_plan::Error;

/// The parameter that `mpi_initial_errhandler` sets.
const INITIAL_ERRHANDLER: &str = "OXMPI_MCA_mpi_initial_errhandler";

/// Returns a program as its keys describe it. What holds for all programs goes to `request`.
pub(super) fn app(
    request: &mut Request,
    program: &Program,
    spawn: &Spawn,
) -> Result<AppRequest, Error> {
    let mut app = plain(program, spawn);
    for (key, value) in &program.info {
        if key.eq_ignore_ascii_case("file") {
            for (key, value) in lines_of(value)? {
                apply(request, &mut app, &key, &value)?;
            }
        }
    }
    for (key, value) in &program.info {
        apply(request, &mut app, key, value)?;
    }
    Ok(app)
}

/// An application with the defaults of a spawned program.
fn plain(program: &Program, spawn: &Spawn) -> AppRequest {
    AppRequest {
        program: program.program.clone(),
        arguments: program.arguments.clone(),
        count: Some(program.count),
        directory: Some(spawn.directory.clone().into_os_string()).filter(|dir| !dir.is_empty()),
        ..AppRequest::default()
    }
}

/// Applies one key; unknown ones have no effect.
fn apply(request: &mut Request, app: &mut AppRequest, key: &str, value: &str) -> Result<(), Error> {
    let policy = &mut request.policy;
    match key.to_ascii_lowercase().replace('-', "_").as_str() {
        "host" | "hosts" | "host_list" => app.hosts = hosts::parse_list(key, value)?,
        "hostfile" => request.host_files = vec![value.to_string()],
        "add_host" => request.added.extend(hosts::parse_list(key, value)?),
        "add_hostfile" => request.added.extend(plan::host_file(value)?),
        "wdir" | "wd" => app.directory = Some(value.into()),
        "path" => app.path = Some(value.into()),
        "map_by" | "mapby" => policy.map_by(key, value)?,
        "rank_by" | "rankby" => policy.rank_by(key, value)?,
        "bind_to" | "bindto" => policy.bind_to(key, value)?,
        "npernode" | "ppr" => policy.map = MapBy::Rounds(number(key, value)?),
        "soft" => app.count = Some(soft(key, value, app.count.unwrap_or(1))?),
        "env" => {
            for line in value.lines().filter(|line| !line.trim().is_empty()) {
                let wanted = "lines NAME=VALUE";
                let (name, value) = line
                    .split_once('=')
                    .ok_or_else(|| invalid_value(key, line, wanted))?;
                let value = OsString::from(value);
                app.env.push((name.trim().into(), Change::Set(value)));
            }
        }
        "mpi_initial_errhandler" => {
            let change = Change::Set(value.into());
            app.env.push((INITIAL_ERRHANDLER.into(), change));
        }
        _ => {}
    }
    Ok(())
}

fn number(key: &str, value: &str) -> Result<u32, Error> {
    let number = value.trim().parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| invalid_value(key, value, "a number above 0"))
}

/// Returns the largest number of ranks up to `most` that a list of numbers and ranges
/// (`A`, `A:B`, `A:B:STEP`, separated by commas) admits.
fn soft(key: &str, value: &str, most: u32) -> Result<u32, Error> {
    let wanted = "numbers and ranges A:B or A:B:STEP";
    let refuse = || invalid_value(key, value, wanted);
    let mut best = None;
    for item in value.split(',') {
        let numbers: Result<Vec<i64>, _> = item.split(':').map(|n| n.trim().parse()).collect();
        let (first, last, step) = match numbers.map_err(|_| refuse())?[..] {
            [one] => (one, one, 1),
            [first, last] => (first, last, if first <= last { 1 } else { -1 }),
            [first, last, step] if step != 0 => (first, last, step),
            _ => return Err(refuse()),
        };
        let most = i64::from(most);
        // The largest member at most `most`, counted from the range's lower end.
        let steps = (last - first) / step;
        if steps < 0 {
            continue;
        }
        let (low, high) = match step > 0 {
            true => (first, first + steps * step),
            false => (first + steps * step, first),
        };
        if low <= most {
            let found = low + (most.min(high) - low) / step.abs() * step.abs();
            best = best.max(Some(found).filter(|&found| found > 0));
        }
    }
    best.map(|best| best as u32).ok_or_else(|| {
        let wanted = format!("a number of ranks from 1 to {most}");
        invalid_value(key, value, wanted)
    })
}

/// Reads a file of `KEY = VALUE` lines; `#` opens a comment.
fn lines_of(name: &str) -> Result<Vec<(String, String)>, Error> {
    let content = std::fs::read_to_string(name).map_err(|error| Error::File {
        what: "file of info keys",
        name: name.to_string(),
        reason: error.to_string(),
    })?;
    let lines = content
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let pairs = lines.filter_map(|line| line.split_once('='));
    Ok(pairs
        .map(|(key, value)| (key.trim().to_string(), value.trim().to_string()))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use launch_plan::policy::Bind;
    use launch_plan::topology::Unit;

    fn parsed(info: &[(&str, &str)]) -> Result<(Request, AppRequest), Error> {
        let program = Program {
            program: "a".into(),
            count: 8,
            info: info
                .iter()
                .map(|(k, v)| (k.to_string(), v.to_string()))
                .collect(),
            ..Program::default()
        };
        let spawn = Spawn {
            directory: "/here".into(),
            ..Spawn::default()
        };
        let mut request = Request::default();
        let app = app(&mut request, &program, &spawn)?;
        Ok((request, app))
    }

    #[test]
    fn keys_are_what_options_are() {
        let (request, app) = parsed(&[
            ("host", "a:2,b"),
            ("wdir", "/there"),
            ("map-by", "node"),
            ("bind_to", "core"),
            ("env", "A=1\nB=x=y"),
            ("mpi_initial_errhandler", "mpi_errors_return"),
            ("add-host", "c"),
            ("no_such_key", "?"),
        ])
        .unwrap();
        assert_eq!(request.added.len(), 1);
        assert_eq!(app.hosts.len(), 2);
        assert_eq!(app.directory.unwrap(), "/there");
        assert_eq!(request.policy.map, MapBy::Node);
        assert_eq!(request.policy.bind(), Bind::To(Unit::Core));
        let set = |value: &str| Change::Set(value.into());
        assert_eq!(app.env[1], ("B".into(), set("x=y")));
        assert_eq!(app.env[2].1, set("mpi_errors_return"));
        let (_, app) = parsed(&[]).unwrap();
        assert_eq!(app.directory.unwrap(), "/here");
        for wrong in [
            ("env", "novalue"),
            ("ppr", "0"),
            ("map_by", "moon"),
            ("soft", "x"),
            ("add_host", "a:moon"),
        ] {
            let error = parsed(&[wrong]).expect_err(wrong.0).to_string();
            assert!(error.contains(wrong.0), "{error}");
        }
        assert!(parsed(&[("file", "/no/such/file")]).is_err());
    }

    #[test]
    fn soft_takes_the_largest_number_that_will_do() {
        let soft = |value| soft("soft", value, 8).ok();
        assert_eq!(soft("3"), Some(3));
        assert_eq!(soft("1:20"), Some(8));
        assert_eq!(soft("1:20:3"), Some(7));
        assert_eq!(soft("20:1:-4"), Some(8));
        assert_eq!(soft("2,4,16"), Some(4));
        assert_eq!(soft("0"), None);
        assert_eq!(soft("9:12"), None);
        assert_eq!(soft("5:1"), Some(5));
    }
}
