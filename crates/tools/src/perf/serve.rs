//! The serving side: executes commands that arrive as control messages over the low layer.
//!
//! | command | effect |
//! |---|---|
//! | `echo layer`, `echo raw` | replies `ready`; then sends every message back |
//! | `sink layer W`, `sink raw W` | replies `ready`; then replies a byte to every W messages |
//! | `end` | waits for the next command |
//! | `bye` | exits |

use std::time::{Duration, Instant};

use super::control::Control;
use super::layer::Layer;
use super::link::{until, Link};
use super::Error;

/// Polls of the raw link between two polls of the layer, by which orders arrive.
const POLLS_PER_ORDER: u32 = 64;

/// Empty polls in a row before the thread yields its core.
const EMPTY_POLLS_MAX: u32 = 2000;

/// How often to check whether the asking side is still there.
const CHECK: Duration = Duration::from_millis(200);

/// The treatment of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Each is sent back.
    Echo,
    /// As many as this are answered with a byte.
    Sink(u64),
}

impl Mode {
    /// The order to serve in this mode.
    pub(crate) fn order(self, raw: bool) -> String {
        let link = if raw { "raw" } else { "layer" };
        match self {
            Mode::Echo => format!("echo {link}"),
            Mode::Sink(window) => format!("sink {link} {window}"),
        }
    }
}

/// Reads an order: the mode, and whether it is for what is below the layer.
fn read(order: &str) -> Option<(Mode, bool)> {
    let words: Vec<&str> = order.split(' ').collect();
    let (mode, link) = match words[..] {
        ["echo", link] => (Mode::Echo, link),
        ["sink", link, window] => (Mode::Sink(window.parse().ok().filter(|w| *w > 0)?), link),
        _ => return None,
    };
    match link {
        "layer" => Some((mode, false)),
        "raw" => Some((mode, true)),
        _ => None,
    }
}

/// Serves until the asking side is through.
pub(crate) fn serve(
    layer: &mut Layer,
    mut raw: Option<&mut Box<dyn Link>>,
    control: &mut Control,
) -> Result<(), Error> {
    let mut idle = Idle::new(control);
    loop {
        let Some(order) = layer.take_control() else {
            idle.after(layer.poll()?)?;
            continue;
        };
        if order == "bye" {
            return Ok(());
        }
        match (read(&order), raw.as_deref_mut()) {
            (Some((mode, false)), _) => {
                layer.send_control("ready")?;
                serve_layer(layer, mode, &mut idle)?;
            }
            (Some((mode, true)), Some(raw)) => {
                layer.send_control("ready")?;
                serve_raw(raw, layer, mode, &mut idle)?;
            }
            _ => {
                let how = format!("peer sent an unknown order `{order}`");
                return Err(Error::OtherSide { how });
            }
        }
    }
}

fn serve_layer(layer: &mut Layer, mode: Mode, idle: &mut Idle<'_>) -> Result<(), Error> {
    let mut debt = Debt::new(mode, layer);
    loop {
        let happened = layer.poll()?;
        debt.pay(layer)?;
        if layer.take_control().is_some() {
            return Ok(());
        }
        idle.after(happened)?;
    }
}

fn serve_raw(
    raw: &mut Box<dyn Link>,
    layer: &mut Layer,
    mode: Mode,
    idle: &mut Idle<'_>,
) -> Result<(), Error> {
    let mut debt = Debt::new(mode, raw);
    let mut polls = 0u32;
    loop {
        let happened = raw.poll()?;
        debt.pay(raw)?;
        polls = polls.wrapping_add(1);
        if polls.is_multiple_of(POLLS_PER_ORDER) {
            layer.poll()?;
            if layer.take_control().is_some() {
                return Ok(());
            }
        }
        idle.after(happened)?;
    }
}

/// Replies that are still to be sent.
struct Debt {
    mode: Mode,
    seen: u64,
    unanswered: u64,
}

impl Debt {
    fn new<L: Link>(mode: Mode, link: &L) -> Debt {
        Debt {
            mode,
            seen: link.arrived(),
            unanswered: 0,
        }
    }

    #[inline]
    fn pay<L: Link>(&mut self, link: &mut L) -> Result<(), Error> {
        self.unanswered += link.arrived() - self.seen;
        self.seen = link.arrived();
        let each = match self.mode {
            Mode::Echo => 1,
            Mode::Sink(window) => window,
        };
        while self.unanswered >= each {
            let sent = match self.mode {
                Mode::Echo => link.echo(link.last_len())?,
                Mode::Sink(_) => link.send(1)?,
            };
            if !sent {
                return Ok(());
            }
            self.unanswered -= each;
        }
        Ok(())
    }
}

/// Counts empty polls; yields, and checks that the asking side is alive.
struct Idle<'a> {
    control: &'a mut Control,
    polls: u32,
    checked: Instant,
}

impl Idle<'_> {
    fn new(control: &mut Control) -> Idle<'_> {
        Idle {
            control,
            polls: 0,
            checked: Instant::now(),
        }
    }

    #[inline]
    fn after(&mut self, happened: usize) -> Result<(), Error> {
        self.polls = if happened > 0 { 0 } else { self.polls + 1 };
        match self.polls < EMPTY_POLLS_MAX {
            true => Ok(()),
            false => self.yield_core(),
        }
    }

    #[cold]
    fn yield_core(&mut self) -> Result<(), Error> {
        self.polls = EMPTY_POLLS_MAX / 2;
        std::thread::yield_now();
        if self.checked.elapsed() > CHECK {
            self.checked = Instant::now();
            self.control.check()?;
        }
        Ok(())
    }
}

/// Orders the serving side to serve, and waits until it does.
pub(crate) fn order(layer: &mut Layer, mode: Mode, raw: bool) -> Result<(), Error> {
    layer.send_control(&mode.order(raw))?;
    let mut answer = None;
    until(layer, "the other side to be ready", |layer| {
        answer = layer.take_control();
        Ok(answer.is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_understood_and_nothing_else_is() {
        for mode in [Mode::Echo, Mode::Sink(32)] {
            for raw in [false, true] {
                assert_eq!(read(&mode.order(raw)), Some((mode, raw)));
            }
        }
        for wrong in [
            "",
            "echo",
            "echo all",
            "sink raw",
            "sink raw 0",
            "sink raw -1",
            "end",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
