//! Runs the two sides, from their connection to the results.

use std::io::Write;

use base::PeerId;
use serde_json::{json, Value};

use super::cases::{measure, verify, Case, Plan};
use super::control::{bytes_of, hex, Control};
use super::figures::Row;
use super::layer::{Layer, Setup};
use super::link::Link;
use super::options::{Request, Role};
use super::raw::Raw;
use super::samples::Samples;
use super::serve::{self, Mode};
use super::sockets::Sockets;
use super::{plot, report, Error};

/// Rounds in which the layer and what is below it take turns.
const ROUNDS: usize = 5;

/// Does what `request` says; prints the results to `out`.
///
/// # Errors
/// The reason why it could not be measured.
pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), Error> {
    match &request.role {
        Role::Serve => serve_with(Control::of_started()),
        Role::Listen { port } => serve_with(Control::listen(*port)?),
        Role::Both if request.btl == "self" => ask(request, None, out),
        Role::Both => ask(request, Some(Control::start_other()?), out),
        Role::Ask { host, port } => ask(request, Some(Control::connect(host, *port)?), out),
    }
}

/// Runs the serving side. The other side reports its failure.
fn serve_with(mut control: Control) -> Result<(), Error> {
    let served = serve_one(&mut control);
    if let Err(error) = &served {
        // The other side may be gone; then nobody wants to know.
        let _ = control.send(&json!({ "failed": error.to_string() }));
    }
    served
}

fn serve_one(control: &mut Control) -> Result<(), Error> {
    let request = control.receive(|| ())?;
    let (setup, raw) = understand(&request).ok_or_else(|| Error::OtherSide {
        how: "peer sent a malformed request".into(),
    })?;
    let mut layer = Layer::meet(&setup, Some(control))?;
    let mut raw = match raw {
        true => Some(raw_side(&setup, None, &layer, control)?),
        false => None,
    };
    serve::serve(&mut layer, raw.as_mut(), control)?;
    part(&mut layer, control)
}

/// A side over what the transport is over: libfabric, or a socket. `host`: where the other side
/// listens, where it is that one.
fn raw_side(
    setup: &Setup,
    host: Option<&str>,
    layer: &Layer,
    control: &mut Control,
) -> Result<Box<dyn Link>, Error> {
    // What is below has messages of any size.
    let message_bytes_max = layer.message_bytes_max().max(setup.bytes);
    Ok(match (setup.btl.as_str(), host) {
        ("tcp", None) => Box::new(Sockets::serve(message_bytes_max, control)?),
        ("tcp", Some(host)) => Box::new(Sockets::ask(host, message_bytes_max, control)?),
        _ => Box::new(Raw::meet(setup, message_bytes_max, control)?),
    })
}

/// Leaves together: neither goes while the other may need it.
fn part(layer: &mut Layer, control: &mut Control) -> Result<(), Error> {
    super::link::until(layer, "the last messages to be sent", |layer| {
        Ok(layer.has_left())
    })?;
    control.send(&json!({ "over": true }))?;
    control.receive(|| {
        // What fails now was measured before.
        let _ = layer.poll();
    })?;
    layer.close();
    Ok(())
}

/// The asking side.
fn ask(request: &Request, mut control: Option<Control>, out: &mut dyn Write) -> Result<(), Error> {
    let setup = setup(request)?;
    if let Some(control) = &mut control {
        control.send(&describe(&setup, request.raw))?;
    }
    let mut layer = Layer::meet(&setup, control.as_mut())?;
    let mut raw = match &mut control {
        Some(control) if request.raw => {
            let host = match &request.role {
                Role::Ask { host, .. } => host,
                _ => "127.0.0.1",
            };
            Some(raw_side(&setup, Some(host), &layer, control)?)
        }
        _ => None,
    };
    let mut report = report::Report::new(request, &layer.emulated());
    let mut rows = Vec::new();
    for &case in &request.cases {
        for bytes in sizes(request, case) {
            let most = layer.message_bytes_max();
            let too_large = case.is_message() && bytes > most;
            let row = match (too_large, raw.as_mut()) {
                (true, None) => {
                    report.note(out, case, bytes, most, None)?;
                    continue;
                }
                (true, Some(raw)) => {
                    let row = one_below(request, case, bytes, &mut layer, raw)?;
                    report.note(out, case, bytes, most, row.raw)?;
                    row
                }
                (false, raw) => {
                    let row = one(request, case, bytes, &mut layer, raw)?;
                    report.row(out, &row)?;
                    row
                }
            };
            rows.push(row);
        }
    }
    if let Some(control) = &mut control {
        layer.send_control("bye")?;
        part(&mut layer, control)?;
    }
    report.end(out, &rows)?;
    match &request.plot {
        Some(path) => plot::write(path, request, &rows),
        None => Ok(()),
    }
}

/// Returns the sizes of a case: a 64-bit word has one.
fn sizes(request: &Request, case: Case) -> Vec<usize> {
    match case.is_atomic() {
        true => vec![8],
        false => request.sizes.clone(),
    }
}

/// One case with one size.
fn one(
    request: &Request,
    case: Case,
    bytes: usize,
    layer: &mut Layer,
    raw: Option<&mut Box<dyn Link>>,
) -> Result<Row, Error> {
    let plan = plan(request, case, bytes);
    let alone = layer.is_loopback();
    on_layer(layer, Mode::Echo, alone, |layer| verify(layer, case, bytes))?;
    let mode = mode(case, &plan);
    // Sockets have no access to memory.
    let raw = raw.filter(|_| request.btl != "tcp" || case.is_message());
    let Some(raw) = raw else {
        let samples = on_layer(layer, mode, alone, |layer| {
            measure(layer, case, bytes, &plan)
        })?;
        return Ok(Row::of(case, bytes, &samples, None));
    };
    on_raw(layer, raw, Mode::Echo, |raw| verify(raw, case, bytes))?;
    let part = Plan {
        iterations: plan.iterations.div_ceil(ROUNDS),
        warm_up: plan.warm_up.div_ceil(ROUNDS),
        limit: plan.limit / ROUNDS as u32,
        ..plan
    };
    let (mut ours, mut theirs) = (Samples::default(), Samples::default());
    for _ in 0..ROUNDS {
        ours.join(on_layer(layer, mode, alone, |layer| {
            measure(layer, case, bytes, &part)
        })?);
        theirs.join(on_raw(layer, raw, mode, |raw| {
            measure(raw, case, bytes, &part)
        })?);
    }
    Ok(Row::of(case, bytes, &ours, Some(&theirs)))
}

/// One case with a size that the layer has no messages of: what is below, alone.
fn one_below(
    request: &Request,
    case: Case,
    bytes: usize,
    layer: &mut Layer,
    raw: &mut Box<dyn Link>,
) -> Result<Row, Error> {
    let plan = plan(request, case, bytes);
    on_raw(layer, raw, Mode::Echo, |raw| verify(raw, case, bytes))?;
    let samples = on_raw(layer, raw, mode(case, &plan), |raw| {
        measure(raw, case, bytes, &plan)
    })?;
    Ok(Row::of(case, bytes, &Samples::default(), Some(&samples)))
}

fn mode(case: Case, plan: &Plan) -> Mode {
    match case {
        Case::MessageBandwidth => Mode::Sink(plan.window as u64),
        _ => Mode::Echo,
    }
}

/// Runs `act` while the other side serves it; alone where there is no other side.
fn on_layer<T>(
    layer: &mut Layer,
    mode: Mode,
    alone: bool,
    act: impl FnOnce(&mut Layer) -> Result<T, Error>,
) -> Result<T, Error> {
    if alone {
        return act(layer);
    }
    serve::order(layer, mode, false)?;
    let outcome = act(layer)?;
    layer.send_control("end")?;
    Ok(outcome)
}

fn on_raw<T>(
    layer: &mut Layer,
    raw: &mut Box<dyn Link>,
    mode: Mode,
    act: impl FnOnce(&mut Box<dyn Link>) -> Result<T, Error>,
) -> Result<T, Error> {
    serve::order(layer, mode, true)?;
    let outcome = act(raw)?;
    layer.send_control("end")?;
    Ok(outcome)
}

fn plan(request: &Request, case: Case, bytes: usize) -> Plan {
    let usual = match bytes {
        0..=8192 => 20_000,
        8193..=131_072 => 4_000,
        _ => 1_000,
    };
    let iterations = request.iterations.unwrap_or(usual);
    Plan {
        iterations,
        warm_up: request.warm_up.unwrap_or(iterations.div_ceil(10)),
        window: if case.is_stream() { request.window } else { 1 },
        limit: request.limit,
    }
}

/// Makes the setup of both sides, from the view of the asking one.
fn setup(request: &Request) -> Result<Setup, Error> {
    let mut secret = [0; 32];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut random| std::io::Read::read_exact(&mut random, &mut secret))
        .map_err(|why| Error::setup("a secret", why))?;
    let alone = request.btl == "self";
    Ok(Setup {
        me: PeerId(0),
        other: PeerId(u32::from(!alone)),
        btl: request.btl.clone(),
        provider: request.provider.clone(),
        settings: request.settings.clone(),
        secret,
        bytes: request
            .sizes
            .last()
            .copied()
            .unwrap_or(8)
            .next_multiple_of(64),
    })
}

/// Describes the setup for the other side.
fn describe(setup: &Setup, raw: bool) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "btl": setup.btl,
        "provider": setup.provider,
        "settings": setup.settings,
        "secret": hex(&setup.secret),
        "bytes": setup.bytes,
        "raw": raw,
    })
}

/// Returns the setup of the serving side, and whether the raw provider is measured beside it.
fn understand(request: &Value) -> Option<(Setup, bool)> {
    let text = |value: &Value| value.as_str().map(str::to_string);
    let pair = |pair: &Value| Some((text(pair.get(0)?)?, text(pair.get(1)?)?));
    let settings: Option<Vec<_>> = request
        .get("settings")?
        .as_array()?
        .iter()
        .map(pair)
        .collect();
    let bytes = usize::try_from(request.get("bytes")?.as_u64()?).ok()?;
    let setup = Setup {
        me: PeerId(1),
        other: PeerId(0),
        btl: text(request.get("btl")?)?,
        provider: request.get("provider").and_then(text),
        settings: settings?,
        secret: bytes_of(request, "secret")?.try_into().ok()?,
        bytes: Some(bytes).filter(|bytes| *bytes <= 1 << 31)?,
    };
    Some((setup, request.get("raw")?.as_bool()?))
}
