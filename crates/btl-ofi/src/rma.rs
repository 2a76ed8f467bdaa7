//! Access to peers' memory, as the layers above see it ([`btl::Rma`]).

use base::PeerId;
use btl::{Access, Atomic, Error, Polled, Registration, RemoteRange, Rma, Started, Token};
use memory::UserBuf;

use crate::component::Transport;
use crate::loopback::{OwnAtomics, Trial, TrialStep};
use crate::op::Op;
use crate::transfer::TransferKind;
use crate::transfers::TransferRequest;
use crate::wire::Address;

impl Rma for Transport {
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        self.device.export(memory, access)
    }

    fn deregister(&mut self, registration: Registration) {
        self.device.withdraw(&registration);
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        range: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        if self.caps.get.is_none() {
            return Err(Error::Unsupported { peer, what: "get" });
        }
        self.begin_transfer(TransferRequest {
            kind: TransferKind::Get,
            peer,
            local,
            range,
            token,
        })
    }

    fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        range: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        if self.caps.put.is_none() {
            return Err(Error::Unsupported { peer, what: "put" });
        }
        self.begin_transfer(TransferRequest {
            kind: TransferKind::Put,
            peer,
            local,
            range,
            token,
        })
    }

    fn atomic(
        &mut self,
        peer: PeerId,
        atomic: Atomic,
        result: Option<UserBuf>,
        range: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        if !self.caps.atomics {
            let what = "atomic";
            return Err(Error::Unsupported { peer, what });
        }
        self.begin_atomic((peer, range, Some(token)), (atomic, result))
    }

    fn loop_back(&mut self) -> Option<Result<(), String>> {
        if let OwnAtomics::Untried = self.own_atomics {
            self.own_atomics = self.begin_trial().unwrap_or_else(OwnAtomics::fails);
        }
        if let OwnAtomics::Trying(_) = self.own_atomics {
            self.continue_trial();
        }
        self.own_atomics.outcome()
    }

    /// Completions stay in libfabric's queue: a caller that waits for the transfer goes on, and the
    /// bookkeeping of its end follows at the next poll.
    fn poll_for(&mut self, token: Token, polls: u32) -> Polled {
        let burst = self.settings.burst;
        let Some(context) = self.device.sole() else {
            return Polled::Other;
        };
        for _ in 0..polls {
            match context.poll(burst) {
                Ok(false) => {}
                Ok(true) => {
                    let ended = context.sole_end().and_then(Op::of);
                    let ends = ended.is_some_and(|op| self.transfers.ends_unreported(op, token));
                    return match ends {
                        true => Polled::Ended,
                        false => Polled::Other,
                    };
                }
                // The next poll reports that again.
                Err(_) => return Polled::Other,
            }
        }
        Polled::Nothing
    }
}

impl Transport {
    #[inline(always)]
    fn begin_transfer(&mut self, request: TransferRequest) -> Result<Started, Error> {
        let now = self.help.polls();
        let (device, peers) = (&mut self.device, &mut self.peers);
        self.transfers.begin(device, peers, request, now)
    }

    fn begin_atomic(
        &mut self,
        target: (PeerId, RemoteRange, Option<Token>),
        operation: (Atomic, Option<UserBuf>),
    ) -> Result<Started, Error> {
        let now = self.help.polls();
        let (device, peers) = (&mut self.device, &mut self.peers);
        self.transfers
            .begin_atomic(device, peers, target, operation, now)
    }

    /// Makes this process a peer of its own, and prepares the trial of an atomic operation.
    fn begin_trial(&mut self) -> Result<OwnAtomics, String> {
        if !self.caps.atomics {
            return Err(format!("{} has not all atomic operations", self.provider()));
        }
        let own = Address::decode(&self.address.encode()).ok_or("its own address is malformed")?;
        if let btl::Reach::Unreachable(why) = self.introduce_at(self.me, own) {
            return Err(why);
        }
        let (read, write) = (true, true);
        let access = Access { read, write };
        let trial = Trial::new(|word| self.device.export(word.buf(), access));
        trial
            .map(OwnAtomics::Trying)
            .map_err(|error| error.to_string())
    }

    fn continue_trial(&mut self) {
        let own_atomics = std::mem::replace(&mut self.own_atomics, OwnAtomics::Untried);
        let OwnAtomics::Trying(mut trial) = own_atomics else {
            return;
        };
        let in_flight = self.peers.get(self.me).is_some_and(|own| own.transfers > 0);
        let outcome = match trial.step(in_flight) {
            TrialStep::Wait => None,
            TrialStep::Begin(add, range) => {
                match self.begin_atomic((self.me, range, None), (add, None)) {
                    Ok(Started::Busy) => None,
                    Ok(_) => {
                        trial.begun();
                        None
                    }
                    Err(error) => Some(OwnAtomics::fails(error.to_string())),
                }
            }
            TrialStep::Ended(true) => Some(OwnAtomics::Works),
            TrialStep::Ended(false) => {
                let why = format!("{} does not reach its own process", self.provider());
                Some(OwnAtomics::fails(why))
            }
            TrialStep::TimedOut => {
                let why = format!("{} brings nothing to its own process", self.provider());
                self.own_atomics = OwnAtomics::abandoned(why, trial);
                return;
            }
        };
        self.own_atomics = match outcome {
            None => OwnAtomics::Trying(trial),
            Some(outcome) => {
                self.device.withdraw(trial.registration());
                outcome
            }
        };
    }
}
