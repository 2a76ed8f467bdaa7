//! How two processes prove to each other, over a new connection, that they belong to one job.
//!
//! The process that connected speaks first:
//!
//! ```text
//! connector                                        listener
//!   HELLO      magic, version, largest frame, job,
//!              from, to, nonce, mac(HELLO)     -->  holds the secret, or is a replay
//!   knows the listener: it answered this nonce <--  CHALLENGE  largest frame, nonce,
//!                                                              mac(HELLO, CHALLENGE)
//!   PROOF      mac(HELLO, CHALLENGE)           -->  knows the connector
//!                                              <--  VERDICT    accept, or yield
//! ```
//!
//! Each mac is a keyed BLAKE3 hash, under a key derived from the job's secret, of a label of its
//! own and everything said so far. So a message cannot be reflected as another, and a recording
//! fails: it cannot contain the proof for a nonce drawn later. The connector sends frames only
//! after `accept`; `yield` tells it that the listener's own connection to it goes first.
//!
//! No input or output here: values in, values out. Sizes are fixed, so nothing is allocated.

use std::fmt;

use base::{wire, PeerId};

use crate::wire::check_frame_max;

/// Bytes of the first message.
pub const HELLO_BYTES: usize = 96;
/// Bytes of the listener's answer.
pub const CHALLENGE_BYTES: usize = 80;
/// Bytes of the connector's proof.
pub const PROOF_BYTES: usize = MAC_BYTES;
/// Bytes of the last message.
pub const VERDICT_BYTES: usize = 1;
/// Bytes of a nonce.
pub const NONCE_BYTES: usize = 32;

const MAC_BYTES: usize = 32;
const MAGIC: [u8; 8] = *b"OXMPITCP";
const VERSION: u32 = 1;

// Offsets in HELLO; each field ends where the next one begins.
const HELLO_VERSION: usize = 8;
const HELLO_FRAME_MAX: usize = 12;
const HELLO_JOB: usize = 16;
const HELLO_FROM: usize = 24;
const HELLO_TO: usize = 28;
const HELLO_NONCE: usize = 32;
const HELLO_MAC: usize = HELLO_NONCE + NONCE_BYTES;

// Offsets in CHALLENGE.
const CHALLENGE_FRAME_MAX: usize = 8;
const CHALLENGE_NONCE: usize = 16;
const CHALLENGE_MAC: usize = CHALLENGE_NONCE + NONCE_BYTES;

const _: () = assert!(HELLO_MAC + MAC_BYTES == HELLO_BYTES);
const _: () = assert!(CHALLENGE_MAC + MAC_BYTES == CHALLENGE_BYTES);

/// Separates the transport's key from other uses of the job's secret.
const KEY_CONTEXT: &str = "oxmpi btl tcp handshake key, version 1";

/// Whether the first bytes of a connection can be those of a greeting.
pub fn begins_well(bytes: &[u8]) -> bool {
    let len = bytes.len().min(MAGIC.len());
    bytes[..len] == MAGIC[..len]
}

/// What a process knows about itself.
pub struct Identity {
    key: [u8; 32],
    job: u64,
    me: PeerId,
    frame_max: u32,
}

/// The connector, having said HELLO.
pub struct Greeted {
    to: PeerId,
    hello: [u8; HELLO_BYTES],
}

/// The listener, having answered a HELLO that was made with the secret.
pub struct Challenged {
    hello: [u8; HELLO_BYTES],
    challenge: [u8; CHALLENGE_BYTES],
    /// Who the connector is, if it is not a replay.
    pub claimed: Proven,
}

/// What is known of the other side once it has proved itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// Who it is.
    pub peer: PeerId,
    /// Largest frame that it sends, in bytes without its header.
    pub frame_max: u32,
}

/// The listener's last word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The connection is in use from now on.
    Accept,
    /// The listener's own connection, which is on its way, is used instead.
    Yield,
}

/// Why the other side is not let in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It speaks something else.
    Magic,
    /// It speaks another version.
    Version(u32),
    /// It belongs to another job.
    Job(u64),
    /// It wants another process.
    To(PeerId),
    /// It claims to be this process.
    Myself,
    /// It announces larger frames than any setting allows.
    FrameMax(u32),
    /// It does not have the job's secret.
    Secret,
    /// It ends the handshake with an unknown word.
    Verdict(u8),
}

impl Identity {
    /// A process of the job that has this secret.
    pub fn new(secret: &[u8; 32], job: u64, me: PeerId, frame_max: u32) -> Identity {
        Identity {
            key: blake3::derive_key(KEY_CONTEXT, secret),
            job,
            me,
            frame_max,
        }
    }

    /// The process.
    pub fn me(&self) -> PeerId {
        self.me
    }

    /// The connector's first step: greets the process it believes to have reached.
    pub fn greet(&self, to: PeerId, nonce: [u8; NONCE_BYTES]) -> (Greeted, [u8; HELLO_BYTES]) {
        let mut hello = [0; HELLO_BYTES];
        hello[..8].copy_from_slice(&MAGIC);
        wire::write_u32(&mut hello, HELLO_VERSION, VERSION);
        wire::write_u32(&mut hello, HELLO_FRAME_MAX, self.frame_max);
        wire::write_u64(&mut hello, HELLO_JOB, self.job);
        wire::write_u32(&mut hello, HELLO_FROM, self.me.0);
        wire::write_u32(&mut hello, HELLO_TO, to.0);
        hello[HELLO_NONCE..HELLO_MAC].copy_from_slice(&nonce);
        let mac = self.mac(b"hello", &[&hello[..HELLO_MAC]]);
        hello[HELLO_MAC..].copy_from_slice(mac.as_bytes());
        (Greeted { to, hello }, hello)
    }

    /// The listener's first step: answers a greeting that was made with the secret.
    pub fn challenge(
        &self,
        hello: &[u8; HELLO_BYTES],
        nonce: [u8; NONCE_BYTES],
    ) -> Result<(Challenged, [u8; CHALLENGE_BYTES]), Refusal> {
        let claimed = self.check_hello(hello)?;
        let mut challenge = [0; CHALLENGE_BYTES];
        challenge[..8].copy_from_slice(&MAGIC);
        wire::write_u32(&mut challenge, CHALLENGE_FRAME_MAX, self.frame_max);
        challenge[CHALLENGE_NONCE..CHALLENGE_MAC].copy_from_slice(&nonce);
        let mac = self.mac(b"challenge", &[hello, &challenge[..CHALLENGE_MAC]]);
        challenge[CHALLENGE_MAC..].copy_from_slice(mac.as_bytes());
        Ok((
            Challenged {
                hello: *hello,
                challenge,
                claimed,
            },
            challenge,
        ))
    }

    fn check_hello(&self, hello: &[u8; HELLO_BYTES]) -> Result<Proven, Refusal> {
        if hello[..8] != MAGIC {
            return Err(Refusal::Magic);
        }
        let number = |at| wire::read_u32(hello, at).expect("an offset in HELLO");
        if number(HELLO_VERSION) != VERSION {
            return Err(Refusal::Version(number(HELLO_VERSION)));
        }
        let job = wire::read_u64(hello, HELLO_JOB).expect("an offset in HELLO");
        if job != self.job {
            return Err(Refusal::Job(job));
        }
        if number(HELLO_TO) != self.me.0 {
            return Err(Refusal::To(PeerId(number(HELLO_TO))));
        }
        if number(HELLO_FROM) == self.me.0 {
            return Err(Refusal::Myself);
        }
        let frame_max = number(HELLO_FRAME_MAX);
        check_frame_max(frame_max).map_err(|_| Refusal::FrameMax(frame_max))?;
        let mac = self.mac(b"hello", &[&hello[..HELLO_MAC]]);
        check_mac(mac, &hello[HELLO_MAC..])?;
        Ok(Proven {
            peer: PeerId(number(HELLO_FROM)),
            frame_max,
        })
    }

    fn mac(&self, label: &[u8], said: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        // Everything but the label has a fixed size for a given label, so the length of the
        // label is all that must be told to keep two messages from hashing the same bytes.
        hasher.update(&[label.len() as u8]).update(label);
        for part in said {
            hasher.update(part);
        }
        hasher.finalize()
    }
}

impl Greeted {
    /// The connector's second step: knows the listener by its answer, and proves itself.
    pub fn prove(
        &self,
        identity: &Identity,
        challenge: &[u8; CHALLENGE_BYTES],
    ) -> Result<(Proven, [u8; PROOF_BYTES]), Refusal> {
        if challenge[..8] != MAGIC {
            return Err(Refusal::Magic);
        }
        let said = [&self.hello[..], &challenge[..CHALLENGE_MAC]];
        check_mac(
            identity.mac(b"challenge", &said),
            &challenge[CHALLENGE_MAC..],
        )?;
        let frame_max = wire::read_u32(challenge, CHALLENGE_FRAME_MAX).expect("in CHALLENGE");
        check_frame_max(frame_max).map_err(|_| Refusal::FrameMax(frame_max))?;
        let proof = identity.mac(b"proof", &[&self.hello, challenge]);
        Ok((
            Proven {
                peer: self.to,
                frame_max,
            },
            *proof.as_bytes(),
        ))
    }
}

impl Challenged {
    /// The listener's second step: knows the connector by its proof.
    pub fn check(&self, identity: &Identity, proof: &[u8; PROOF_BYTES]) -> Result<Proven, Refusal> {
        check_mac(
            identity.mac(b"proof", &[&self.hello, &self.challenge]),
            proof,
        )?;
        Ok(self.claimed)
    }
}

/// Compares in a time that does not depend on the bytes, as equality of hashes does.
fn check_mac(expected: blake3::Hash, claimed: &[u8]) -> Result<(), Refusal> {
    let claimed: [u8; MAC_BYTES] = claimed.try_into().map_err(|_| Refusal::Secret)?;
    if expected == blake3::Hash::from_bytes(claimed) {
        Ok(())
    } else {
        Err(Refusal::Secret)
    }
}

impl Verdict {
    /// The verdict as it is sent.
    pub fn encode(self) -> [u8; VERDICT_BYTES] {
        match self {
            Verdict::Accept => [1],
            Verdict::Yield => [2],
        }
    }

    /// Checks a verdict that the listener sent.
    pub fn decode(byte: u8) -> Result<Verdict, Refusal> {
        match byte {
            1 => Ok(Verdict::Accept),
            2 => Ok(Verdict::Yield),
            other => Err(Refusal::Verdict(other)),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Magic => write!(f, "it speaks another protocol"),
            Refusal::Version(version) => write!(f, "it speaks version {version}, not {VERSION}"),
            Refusal::Job(job) => write!(f, "it belongs to job {job:#x}"),
            Refusal::To(peer) => write!(f, "it looks for {peer}"),
            Refusal::Myself => write!(f, "it claims to be this process"),
            Refusal::FrameMax(len) => write!(f, "it announces frames of {len} bytes"),
            Refusal::Secret => write!(f, "it does not have the secret of the job"),
            Refusal::Verdict(byte) => write!(f, "it ended the handshake with {byte}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECRET: [u8; 32] = [3; 32];

    fn pair() -> (Identity, Identity) {
        let of = |peer| Identity::new(&SECRET, 77, PeerId(peer), 1000 + peer);
        (of(4), of(9))
    }

    #[test]
    fn two_processes_of_a_job_know_each_other() {
        let (connector, listener) = pair();
        let (greeted, hello) = connector.greet(PeerId(9), [1; 32]);
        let (challenged, challenge) = listener.challenge(&hello, [2; 32]).unwrap();
        let (server, proof) = greeted.prove(&connector, &challenge).unwrap();
        assert_eq!(
            server,
            Proven {
                peer: PeerId(9),
                frame_max: 1009
            }
        );
        let client = challenged.check(&listener, &proof).unwrap();
        assert_eq!(
            client,
            Proven {
                peer: PeerId(4),
                frame_max: 1004
            }
        );
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let (connector, listener) = pair();
        let (greeted, hello) = connector.greet(PeerId(9), [1; 32]);
        let (challenged, challenge) = listener.challenge(&hello, [2; 32]).unwrap();
        let (_, proof) = greeted.prove(&connector, &challenge).unwrap();
        for bit in 0..HELLO_BYTES * 8 {
            let mut bad = hello;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(
                listener.challenge(&bad, [2; 32]).is_err(),
                "bit {bit} of HELLO"
            );
        }
        for bit in 0..CHALLENGE_BYTES * 8 {
            let mut bad = challenge;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(
                greeted.prove(&connector, &bad).is_err(),
                "bit {bit} of CHALLENGE"
            );
        }
        for bit in 0..PROOF_BYTES * 8 {
            let mut bad = proof;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(
                challenged.check(&listener, &bad),
                Err(Refusal::Secret),
                "bit {bit}"
            );
        }
    }

    #[test]
    fn a_recording_of_either_side_fails() {
        let (connector, listener) = pair();
        let (greeted, hello) = connector.greet(PeerId(9), [1; 32]);
        let (_, challenge) = listener.challenge(&hello, [2; 32]).unwrap();
        let (_, proof) = greeted.prove(&connector, &challenge).unwrap();

        // The listener draws another nonce: the recorded proof does not fit.
        let (again, _) = listener.challenge(&hello, [5; 32]).unwrap();
        assert_eq!(again.check(&listener, &proof), Err(Refusal::Secret));
        // The connector draws another nonce: the recorded challenge does not fit.
        let (again, _) = connector.greet(PeerId(9), [6; 32]);
        assert_eq!(again.prove(&connector, &challenge), Err(Refusal::Secret));
    }

    #[test]
    fn strangers_are_told_apart() {
        let (connector, listener) = pair();
        let refused = |hello| listener.challenge(&hello, [2; 32]).err();
        let other_secret = Identity::new(&[4; 32], 77, PeerId(4), 1);
        assert_eq!(
            refused(other_secret.greet(PeerId(9), [0; 32]).1),
            Some(Refusal::Secret)
        );
        let other_job = Identity::new(&SECRET, 78, PeerId(4), 1);
        assert_eq!(
            refused(other_job.greet(PeerId(9), [0; 32]).1),
            Some(Refusal::Job(78))
        );
        let astray = connector.greet(PeerId(5), [0; 32]).1;
        assert_eq!(refused(astray), Some(Refusal::To(PeerId(5))));
        assert_eq!(
            refused(listener.greet(PeerId(9), [0; 32]).1),
            Some(Refusal::Myself)
        );
        assert_eq!(refused([b'G'; HELLO_BYTES]), Some(Refusal::Magic));
        assert_eq!(Verdict::decode(0), Err(Refusal::Verdict(0)));
    }

    proptest! {
        #[test]
        fn random_messages_are_refused(
            hello in proptest::collection::vec(any::<u8>(), HELLO_BYTES),
            challenge in proptest::collection::vec(any::<u8>(), CHALLENGE_BYTES),
            plausible: bool,
        ) {
            let (connector, listener) = pair();
            let (greeted, real) = connector.greet(PeerId(9), [1; 32]);
            let mut hello: [u8; HELLO_BYTES] = hello.try_into().unwrap();
            let mut challenge: [u8; CHALLENGE_BYTES] = challenge.try_into().unwrap();
            if plausible {
                hello[..HELLO_NONCE].copy_from_slice(&real[..HELLO_NONCE]);
                challenge[..8].copy_from_slice(&MAGIC);
            }
            prop_assert!(listener.challenge(&hello, [2; 32]).is_err());
            prop_assert!(greeted.prove(&connector, &challenge).is_err());
        }
    }
}
