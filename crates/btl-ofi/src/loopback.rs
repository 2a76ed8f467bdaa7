//! Atomic operations on this process's own memory, through the device.
//!
//! A network's atomic operations are atomic with respect to each other, but not to those of the
//! processor. So a process changes words that peers change too by the device, as its own peer; this
//! is used for `atomic` only. Whether the provider supports it is tried at the first request, on a
//! word that no peer knows.

use std::time::{Duration, Instant};

use btl::{Access, Atomic, AtomicOp, Reach, Registration, RemoteRange, Started, Width};
use memory::Scratch;

use crate::component::Transport;
use crate::wire::Address;

/// Time limit of the trial.
const TRIAL_MAX: Duration = Duration::from_secs(2);

/// The value that the trial adds to its word.
const ADDED: u64 = 0x5eed;

/// The state of the loopback through the device.
pub(crate) enum Loopback {
    Untried,
    Trying(Trial),
    Works,
    Fails {
        why: String,
        /// A trial that never ended: late effects go to memory that stays allocated.
        _kept: Option<Trial>,
    },
}

/// An addition to a word of this process.
pub(crate) struct Trial {
    word: Scratch,
    registration: Registration,
    since: Instant,
    begun: bool,
}

impl Transport {
    /// Tries the loopback, unless that has been done, and returns the result.
    pub(crate) fn try_loopback(&mut self) -> Option<Result<(), String>> {
        let before = std::mem::replace(&mut self.loopback, Loopback::Untried);
        self.loopback = match before {
            Loopback::Untried => self.begin_trial().unwrap_or_else(fails),
            known => known,
        };
        if let Loopback::Trying(_) = self.loopback {
            self.go_on_trying();
        }
        match &self.loopback {
            Loopback::Untried | Loopback::Trying(_) => None,
            Loopback::Works => Some(Ok(())),
            Loopback::Fails { why, .. } => Some(Err(why.clone())),
        }
    }

    fn begin_trial(&mut self) -> Result<Loopback, String> {
        if !self.caps.atomics {
            return Err(format!("{} has not all atomic operations", self.provider()));
        }
        let own = Address::decode(&self.address.encode());
        let own = own.ok_or("its own address is none")?;
        if let Reach::No(why) = self.meet(self.me, own) {
            return Err(why);
        }
        let word = Scratch::new(Width::Eight.bytes());
        let (read, write) = (true, true);
        let access = Access { read, write };
        let registration = self.memory.export(&self.contexts[0], word.buf(), access);
        Ok(Loopback::Trying(Trial {
            word,
            registration: registration.map_err(|error| error.to_string())?,
            since: Instant::now(),
            begun: false,
        }))
    }

    /// Starts the trial's operation, or checks its result.
    fn go_on_trying(&mut self) {
        let Loopback::Trying(mut trial) = std::mem::replace(&mut self.loopback, Loopback::Untried)
        else {
            return;
        };
        if !trial.begun {
            let (op, width, operand) = (AtomicOp::Add, Width::Eight, ADDED);
            let (key, offset) = (trial.registration.key, 0);
            let range = RemoteRange { key, offset };
            let add = Atomic { op, width, operand };
            match self.begin_atomic(self.me, add, None, range, None) {
                Ok(started) => trial.begun = started != Started::Busy,
                Err(error) => return self.end_trial(trial, fails(error.to_string())),
            }
        }
        let under_way = self.peers.get(self.me).map_or(0, |own| own.transfers);
        if trial.begun && under_way == 0 {
            let mut found = [0; 8];
            trial.word.buf().read(0, &mut found);
            let outcome = match u64::from_ne_bytes(found) {
                ADDED => Loopback::Works,
                _ => fails(format!(
                    "{} does not reach its own process",
                    self.provider()
                )),
            };
            return self.end_trial(trial, outcome);
        }
        self.loopback = match trial.since.elapsed() > TRIAL_MAX {
            false => Loopback::Trying(trial),
            true => Loopback::Fails {
                why: format!("{} brings nothing to its own process", self.provider()),
                _kept: Some(trial),
            },
        };
    }

    fn end_trial(&mut self, trial: Trial, outcome: Loopback) {
        self.memory.withdraw(&self.contexts[0], &trial.registration);
        self.loopback = outcome;
    }
}

fn fails(why: String) -> Loopback {
    let _kept = None;
    Loopback::Fails { why, _kept }
}
