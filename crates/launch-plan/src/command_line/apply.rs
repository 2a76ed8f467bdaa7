//! Applies parsed options to a request.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use bootstrap::RankSet;
use check::settings::{Settings, WORDS};

use crate::allocation::BatchSystem;
use crate::error::invalid_value;
use crate::hosts::{self, COUNT_MAX};
use crate::options::{Effect, Row};
use crate::outfile;
use crate::policy::{MapBy, Oversubscribe, RankBy};
use crate::recording::RECORDS_MAX;
use crate::request::{Allocations, AppRequest, Change, Inherit, Request, Tracing, STOP_VARIABLE};
use crate::topology::Unit;
use crate::Error;

/// Takes in an option that was written as `word`, with as many values as its row takes.
pub(super) fn apply(
    request: &mut Request,
    app: &mut AppRequest,
    word: &str,
    row: &Row,
    values: &[OsString],
) -> Result<(), Error> {
    if apply_bytes(request, app, word, row, values)? {
        return Ok(());
    }
    let values = values.iter().map(|value| in_text(word, value));
    let values: Vec<&str> = values.collect::<Result<_, _>>()?;
    let value = values.first().copied().unwrap_or_default();
    let policy = &mut request.policy;
    match row.effect {
        Effect::Count => app.count = Some(count(word, value)?),
        Effect::Hosts => app.hosts.extend(hosts::parse_list(word, value)?),
        Effect::HostFile => request.host_files.push(value.to_string()),
        Effect::DefaultHostFile => request.default_host_file = Some(value.to_string()),
        Effect::NoLocal => policy.no_local = true,
        Effect::Map => policy.map_by(word, value)?,
        Effect::MapTo(map) => policy.map = map,
        Effect::MapToNode => (policy.map, policy.rank) = (MapBy::Node, Some(RankBy::Node)),
        Effect::PerNode => policy.map = MapBy::Each(count(word, value)?, Unit::Node),
        Effect::PerPackage => policy.map = MapBy::Each(count(word, value)?, Unit::Package),
        Effect::Rounds => policy.map = MapBy::Rounds(count(word, value)?),
        Effect::Processors => policy.processors = Some(count(word, value)?),
        Effect::Threads => policy.processor = Unit::Thread,
        Effect::ProcessorSet => policy.set_processors(word, value)?,
        Effect::Rank => policy.rank_by(word, value)?,
        Effect::RankFile => policy.map_by(word, &format!("rankfile:file={value}"))?,
        Effect::Bind => policy.bind_to(word, value)?,
        Effect::BindTo(bind) => policy.bind = Some(bind),
        Effect::Oversubscribe(what) => policy.oversubscribe = what,
        Effect::ReportBindings => request.show.bindings = true,
        Effect::DisplayMap => request.show.map = true,
        Effect::DisplayAllocation => request.show.allocation = true,
        Effect::Display => display(request, word, value)?,
        Effect::Timeout => request.timeout = seconds(word, value)?,
        Effect::ReportDeadlock => request.report_deadlock = seconds(word, value)?,
        Effect::Trace | Effect::TraceSummary | Effect::TraceRecords | Effect::TraceKeep => {
            trace(&mut request.tracing, word, row.effect, value)?
        }
        Effect::Check
        | Effect::Tools
        | Effect::Gdb
        | Effect::Backtrace
        | Effect::StopOnExec
        | Effect::StopInInit => debug(request, word, row.effect, value)?,
        Effect::Universe => request.universe = universe(word, value)?,
        Effect::KeepGoing => request.keep_going = true,
        Effect::FaultTolerance => request.keep_going = goes_on(word, value)?,
        Effect::Prefix => request.prefix = Some(value.to_string()),
        Effect::LaunchAgent => request.launch_agent = Some(value.to_string()),
        Effect::Launcher => launcher(request, word, value)?,
        Effect::Allocations => allocations(request, word, value)?,
        Effect::Stdin => request.stdin = stdin(word, value)?,
        Effect::Quiet => request.quiet = true,
        Effect::Verbose => request.verbose = true,
        Effect::Refused => {
            return Err(Error::Refused {
                option: word.to_string(),
            })
        }
        _ => return apply_to_streams(request, app, word, row, &values),
    }
    Ok(())
}

/// Takes in tools.
fn tools(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    for tool in value.split(',') {
        if tool.is_empty() {
            return Err(invalid_value(word, value, "libraries, separated by commas"));
        }
        if tool.contains([' ', ':', ';']) {
            let wanted =
                "names without spaces, colons and semicolons, which the loader takes for ends";
            return Err(invalid_value(word, tool, wanted));
        }
        if request.tools.iter().any(|known| known == tool) {
            return Err(invalid_value(word, tool, "each tool once"));
        }
        request.tools.push(tool.to_string());
    }
    Ok(())
}

/// Whether a kind of fault tolerance has a job go on when a rank fails.
fn goes_on(word: &str, value: &str) -> Result<bool, Error> {
    match value {
        "ulfm" | "mpi" => Ok(true),
        "no" | "none" => Ok(false),
        _ => Err(invalid_value(word, value, "ulfm, mpi or no")),
    }
}

/// Takes in the option that has the program checked.
fn checks(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    let value = if value.is_empty() { "all" } else { value };
    let known = Settings::parse(value.split(','));
    known.map_err(|_| invalid_value(word, value, WORDS.join(", ")))?;
    set(request, check::settings::NAME, value);
    Ok(())
}

/// Takes in an option for debuggers, tools and checks.
fn debug(request: &mut Request, word: &str, effect: Effect, value: &str) -> Result<(), Error> {
    match effect {
        Effect::Check => return checks(request, word, value),
        Effect::StopInInit => {
            let value = if value.is_empty() { "all" } else { value };
            ranks(word, value)?;
            set(request, "mpi_stop_in_init", value);
            return Ok(());
        }
        Effect::Backtrace => {
            set(request, "opal_signal", "4,6,7,8,11");
            return Ok(());
        }
        Effect::Tools => return tools(request, word, value),
        Effect::Gdb => request.gdb = Some(ranks(word, value)?),
        _ => {}
    }
    stop_on_exec(request, word, value)
}

/// The options about variables and folders, which need not be text. Whether it was one of them.
fn apply_bytes(
    request: &mut Request,
    app: &mut AppRequest,
    word: &str,
    row: &Row,
    values: &[OsString],
) -> Result<bool, Error> {
    let [value, second] = [0, 1].map(|at| values.get(at).map_or(OsStr::new(""), |value| value));
    match row.effect {
        Effect::Directory => app.directory = Some(value.to_os_string()),
        Effect::Path => app.path = Some(value.to_os_string()),
        Effect::Interface => app.interface = interface(word, value)?,
        Effect::Export => app.env.push(export(word, value)?),
        Effect::Env => {
            let name = variable(word, value)?;
            app.env.push((name, Change::Set(content(word, second)?)));
        }
        Effect::Unset => app.env.push((variable(word, value)?, Change::Unset)),
        Effect::EnvAll => {
            let name = variable(word, value)?;
            request.env.push((name, content(word, second)?));
        }
        Effect::EnvList => app.inherit = Some(Inherit::Only(names(word, value)?)),
        Effect::EnvListAll => request.inherit = Inherit::Only(names(word, value)?),
        _ => return Ok(false),
    }
    Ok(true)
}

/// The options about output and parameters.
fn apply_to_streams(
    request: &mut Request,
    app: &mut AppRequest,
    word: &str,
    row: &Row,
    values: &[&str],
) -> Result<(), Error> {
    let [value, second] = [0, 1].map(|at| values.get(at).copied().unwrap_or_default());
    let output = &mut request.output;
    match row.effect {
        Effect::Tag => output.tags.stream = true,
        Effect::PrependRank => output.tags.rank = true,
        Effect::Timestamp => output.tags.time = true,
        Effect::Output => output_list(request, word, value)?,
        Effect::OutputDirectory => {
            let (folder, what) = value.split_once(':').unwrap_or((value, ""));
            output.files = outfile::in_folder(folder);
            match what {
                "" | "copy" => {}
                "nocopy" => output.files_only = true,
                _ => return Err(invalid_value(word, value, "copy or nocopy after the colon")),
            }
        }
        Effect::OutputPattern => {
            (output.files[0], output.files_only) = (Some(value.to_string()), true);
        }
        Effect::ErrorPattern => {
            (output.files[1], output.files_only) = (Some(value.to_string()), true);
        }
        Effect::Merge => output.merge = true,
        Effect::EnvNone => app.inherit = Some(Inherit::Only(Vec::new())),
        Effect::EnvNoneAll => request.inherit = Inherit::Only(Vec::new()),
        Effect::Parameter => parameter(request, word, value, second)?,
        Effect::As(name) => request
            .parameters
            .push((name.to_string(), value.to_string())),
        Effect::Tune => request.tune.push(value.to_string()),
        Effect::Explain => explain(request, word, value)?,
        _ => {}
    }
    Ok(())
}

fn ranks(word: &str, value: &str) -> Result<RankSet, Error> {
    let wanted = "all, or ranks as in 0,4-7";
    RankSet::parse(value).ok_or_else(|| invalid_value(word, value, wanted))
}

/// Stops ranks at their start, beside those that an earlier option stops.
fn stop_on_exec(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    let value = if value.is_empty() { "all" } else { value };
    ranks(word, value)?;
    let mut known = request.env.iter_mut();
    match known.find(|(name, _)| name == STOP_VARIABLE) {
        Some((_, earlier)) => earlier.push(format!(",{value}")),
        None => request.env.push((STOP_VARIABLE.into(), value.into())),
    }
    Ok(())
}

/// Sets a parameter. Those of launchers that have an option of their own here are that option.
pub(super) fn parameter(
    request: &mut Request,
    word: &str,
    name: &str,
    value: &str,
) -> Result<(), Error> {
    let policy = &mut request.policy;
    match name {
        "rmaps_base_mapping_policy" | "rmaps_default_mapping_policy" => {
            policy.map_by(word, value)?
        }
        "rmaps_base_ranking_policy" | "rmaps_default_ranking_policy" => {
            policy.rank_by(word, value)?
        }
        "hwloc_base_binding_policy" | "hwloc_default_binding_policy" => {
            policy.bind_to(word, value)?
        }
        "rmaps_base_oversubscribe" => policy.oversubscribe = switch(word, value)?,
        "orte_default_hostfile" | "prte_default_hostfile" => {
            request.default_host_file = Some(value.to_string());
        }
        "plm_ssh_agent" => set(request, "plm_rsh_agent", value),
        "plm_ssh_args" => set(request, "plm_rsh_args", value),
        "plm_ssh_no_tree_spawn" => set(request, "plm_rsh_no_tree_spawn", value),
        _ if name.is_empty() || value.contains('\0') => {
            return Err(invalid_value(word, name, "the name of a parameter"));
        }
        _ => set(request, name, value),
    }
    Ok(())
}

fn set(request: &mut Request, name: &str, value: &str) {
    request
        .parameters
        .push((name.to_string(), value.to_string()));
}

fn switch(name: &str, value: &str) -> Result<Oversubscribe, Error> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(Oversubscribe::Allow),
        "0" | "false" | "no" | "off" => Ok(Oversubscribe::Warn),
        _ => Err(invalid_value(name, value, "0 or 1")),
    }
}

fn count(word: &str, value: &str) -> Result<u32, Error> {
    let fits = value.parse().ok().filter(|n| (1..=COUNT_MAX).contains(n));
    fits.ok_or_else(|| invalid_value(word, value, "a whole number of ranks, at least 1"))
}

fn variable(word: &str, name: &OsStr) -> Result<OsString, Error> {
    let has = |byte| name.as_bytes().contains(&byte);
    match name.is_empty() || has(0) || has(b'=') {
        true => Err(invalid_value(
            word,
            &name.to_string_lossy(),
            "the name of a variable",
        )),
        false => Ok(name.to_os_string()),
    }
}

/// Returns the value of a variable. A command line has no zero byte, but a file of programs may.
fn content(word: &str, value: &OsStr) -> Result<OsString, Error> {
    let wanted = "a value without a zero byte";
    match value.as_bytes().contains(&0) {
        true => Err(invalid_value(word, &value.to_string_lossy(), wanted)),
        false => Ok(value.to_os_string()),
    }
}

fn names(word: &str, list: &OsStr) -> Result<Vec<OsString>, Error> {
    let names = list.as_bytes().split(|&byte| byte == b',');
    names
        .map(|name| variable(word, OsStr::from_bytes(name)))
        .collect()
}

/// The folder of the libraries for programs of a binary interface.
fn interface(word: &str, value: &OsStr) -> Result<Option<&'static str>, Error> {
    match value.to_str() {
        Some("ompi40") => Ok(Some("ompi40")),
        Some("mpich12") => Ok(Some("mpich12")),
        Some("standard") => Ok(None),
        _ => {
            let value = value.to_string_lossy();
            Err(invalid_value(word, &value, "ompi40, mpich12 or standard"))
        }
    }
}

fn export(word: &str, value: &OsStr) -> Result<(OsString, Change), Error> {
    let bytes = value.as_bytes();
    match bytes.iter().position(|&byte| byte == b'=') {
        Some(end) => {
            let [name, value] = [&bytes[..end], &bytes[end + 1..]].map(OsStr::from_bytes);
            Ok((variable(word, name)?, Change::Set(content(word, value)?)))
        }
        None => Ok((variable(word, value)?, Change::Pass)),
    }
}

/// A time limit in seconds; zero means none, as it does for Open MPI.
pub(crate) fn seconds(word: &str, value: &str) -> Result<Option<Duration>, Error> {
    let parsed = value
        .parse::<f64>()
        .ok()
        .filter(|s| s.is_finite() && *s >= 0.0 && *s < 1e9);
    let seconds = parsed.ok_or_else(|| invalid_value(word, value, "a time in seconds"))?;
    Ok((seconds > 0.0).then(|| Duration::from_secs_f64(seconds)))
}

fn output_list(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    let output = &mut request.output;
    for item in value.split([',', ':']).filter(|item| !item.is_empty()) {
        let (name, argument) = item.split_once('=').unwrap_or((item, ""));
        match (name.to_ascii_lowercase().as_str(), argument) {
            ("tag" | "tag-fullname", "") => output.tags.stream = true,
            ("rank", "") => output.tags.rank = true,
            ("timestamp", "") => output.tags.time = true,
            ("merge" | "merge-stderr-to-stdout", "") => output.merge = true,
            ("nocopy", "") => output.files_only = true,
            ("copy", "") => output.files_only = false,
            ("dir" | "directory", folder) if !folder.is_empty() => {
                output.files = outfile::in_folder(folder);
            }
            ("file" | "filename", name) if !name.is_empty() => output.files = outfile::beside(name),
            _ => {
                let wanted = "tag, rank, timestamp, merge, dir=DIR, file=NAME or nocopy";
                return Err(invalid_value(word, item, wanted));
            }
        }
    }
    Ok(())
}

fn display(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    for item in value.split(',') {
        // What stands behind a colon would be a form for programs to read.
        match item.to_ascii_lowercase().as_str() {
            "map" | "map-devel" => request.show.map = true,
            "allocation" | "alloc" => request.show.allocation = true,
            "bind" | "binding" | "bindings" => request.show.bindings = true,
            _ => return Err(invalid_value(word, item, "map, allocation or bind")),
        }
    }
    Ok(())
}

fn stdin(word: &str, value: &str) -> Result<Option<u32>, Error> {
    match value {
        "none" => Ok(None),
        _ => {
            let rank = value
                .parse()
                .map_err(|_| invalid_value(word, value, "a rank or none"))?;
            Ok(Some(rank))
        }
    }
}

/// Chooses what starts daemons by the names that Hydra has.
pub(super) fn launcher(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    match value {
        "rsh" => {
            set(request, "plm", "ssh");
            set(request, "plm_rsh_agent", "rsh");
        }
        "ssh" | "flux" | "slurm" | "pals" | "tm" | "lsf" | "sge" => set(request, "plm", value),
        "pbs" | "pbsdsh" => set(request, "plm", "tm"),
        "fork" => request.only_here = true,
        _ => {
            let wanted = "ssh, rsh, fork, slurm, pbs, pals, lsf, sge or flux";
            return Err(invalid_value(word, value, wanted));
        }
    }
    Ok(())
}

/// Chooses whose allocation counts by the names that Hydra has.
pub(super) fn allocations(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    request.allocations = match (value, BatchSystem::of_name(value)) {
        ("none" | "user", _) => Allocations::OfNone,
        (_, Some(system)) => Allocations::Of(system),
        _ => {
            let wanted = "slurm, pbs, lsf, sge, flux, or user for none of them";
            return Err(invalid_value(word, value, wanted));
        }
    };
    Ok(())
}

/// Takes in an option about the trace of the job.
fn trace(tracing: &mut Tracing, word: &str, effect: Effect, value: &str) -> Result<(), Error> {
    match (effect, value) {
        (Effect::TraceRecords, _) => tracing.records = Some(records(word, value)?),
        (Effect::TraceKeep, "newest") => tracing.keeps_slowest = false,
        (Effect::TraceKeep, "slowest") => tracing.keeps_slowest = true,
        (Effect::TraceKeep, _) => return Err(invalid_value(word, value, "newest or slowest")),
        (Effect::TraceSummary, "") => tracing.summary = true,
        (_, "") => return Err(invalid_value(word, value, "the name of a file")),
        (_, name) => {
            tracing.summary |= effect == Effect::TraceSummary;
            tracing.files.push(name.to_string());
        }
    }
    Ok(())
}

/// A number of records of a trace.
fn records(word: &str, value: &str) -> Result<u32, Error> {
    let records = value.parse().ok();
    let records = records.filter(|records| (1..=RECORDS_MAX).contains(records));
    records.ok_or_else(|| invalid_value(word, value, format!("a number from 1 to {RECORDS_MAX}")))
}

fn explain(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    let form = match value {
        "" => "1",
        "json" => value,
        _ => return Err(invalid_value(word, value, "json, or nothing")),
    };
    request.explains = true;
    request.env.push(("OXMPI_EXPLAIN".into(), form.into()));
    Ok(())
}

/// Returns a value that has to be text. Variables and folders may have any bytes.
pub(super) fn in_text<'a>(option: &str, value: &'a OsStr) -> Result<&'a str, Error> {
    let text = value.to_str();
    text.ok_or_else(|| invalid_value(option, &value.to_string_lossy(), "a value in UTF-8"))
}

/// The size of the universe; `None` for the number of slots, the largest for no limit.
fn universe(word: &str, value: &str) -> Result<Option<u32>, Error> {
    match value.to_ascii_uppercase().as_str() {
        "SYSTEM" => Ok(None),
        "INFINITE" => Ok(Some(u32::MAX)),
        _ => count(word, value).map(Some),
    }
}
