//! Atomic operations on this process's own memory, through the device.
//!
//! A network's atomic operations are atomic with respect to each other, but not to those of the
//! processor. So a process changes words that peers change too by the device, as its own peer; this
//! is used for `atomic` only. Whether the provider supports it is tried at the first request, on a
//! word that no peer knows.

use std::time::{Duration, Instant};

use btl::{Atomic, AtomicOp, Registration, RemoteRange, Width};
use memory::Scratch;

/// Time limit of the trial.
const TRIAL_MAX: Duration = Duration::from_secs(2);

/// The value that the trial adds to its word.
const ADDED: u64 = 0x5eed;

/// The state of the loopback through the device.
pub(crate) enum OwnAtomics {
    Untried,
    Trying(Trial),
    Works,
    Fails {
        why: String,
        /// A trial that never ended: late effects go to memory that stays allocated.
        _abandoned: Option<Trial>,
    },
}

/// An addition to a word of this process.
pub(crate) struct Trial {
    word: Scratch,
    registration: Registration,
    since: Instant,
    begun: bool,
}

/// The next step of a trial.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum TrialStep {
    /// The addition is to be started, on this range.
    Begin(Atomic, RemoteRange),
    /// The addition is in flight.
    Wait,
    /// The addition has ended; whether the word has its result.
    Ended(bool),
    /// The time limit is over.
    TimedOut,
}

impl OwnAtomics {
    /// Returns whether the loopback works, or the reason that it does not; `None` before that is
    /// known.
    pub(crate) fn outcome(&self) -> Option<Result<(), String>> {
        match self {
            OwnAtomics::Untried | OwnAtomics::Trying(_) => None,
            OwnAtomics::Works => Some(Ok(())),
            OwnAtomics::Fails { why, .. } => Some(Err(why.clone())),
        }
    }

    pub(crate) fn fails(why: String) -> OwnAtomics {
        let _abandoned = None;
        OwnAtomics::Fails { why, _abandoned }
    }

    /// Returns the result of a trial that timed out.
    pub(crate) fn abandoned(why: String, trial: Trial) -> OwnAtomics {
        let _abandoned = Some(trial);
        OwnAtomics::Fails { why, _abandoned }
    }
}

impl Trial {
    /// Creates a trial on a new word; `register` registers it.
    pub(crate) fn new<E>(
        register: impl FnOnce(&Scratch) -> Result<Registration, E>,
    ) -> Result<Trial, E> {
        let word = Scratch::new(Width::Eight.bytes());
        Ok(Trial {
            registration: register(&word)?,
            word,
            since: Instant::now(),
            begun: false,
        })
    }

    pub(crate) fn registration(&self) -> &Registration {
        &self.registration
    }

    /// Takes note that the addition was started.
    pub(crate) fn begun(&mut self) {
        self.begun = true;
    }

    /// Returns the next step; `in_flight`: whether the addition, if begun, has not ended.
    pub(crate) fn step(&self, in_flight: bool) -> TrialStep {
        if self.begun && !in_flight {
            let mut found = [0; 8];
            self.word.buf().read(0, &mut found);
            return TrialStep::Ended(u64::from_ne_bytes(found) == ADDED);
        }
        if self.since.elapsed() > TRIAL_MAX {
            return TrialStep::TimedOut;
        }
        if self.begun {
            return TrialStep::Wait;
        }
        let (op, width, operand) = (AtomicOp::Add, Width::Eight, ADDED);
        let (key, offset) = (self.registration.key, 0);
        TrialStep::Begin(Atomic { op, width, operand }, RemoteRange { key, offset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_begins_waits_and_compares_the_word() {
        let register = |word: &Scratch| {
            let key = base::RemoteKey::new(&[1]).expect("a short key");
            let (memory, id) = (word.buf(), 0);
            Ok::<_, ()>(Registration { memory, key, id })
        };
        let mut trial = Trial::new(register).unwrap();
        assert!(matches!(trial.step(false), TrialStep::Begin(..)));
        trial.begun();
        assert_eq!(trial.step(true), TrialStep::Wait);
        assert_eq!(trial.step(false), TrialStep::Ended(false));
        trial.word.buf().write(0, &ADDED.to_ne_bytes());
        assert_eq!(trial.step(false), TrialStep::Ended(true));
        trial.since -= TRIAL_MAX * 2;
        assert_eq!(trial.step(true), TrialStep::TimedOut);
    }
}
