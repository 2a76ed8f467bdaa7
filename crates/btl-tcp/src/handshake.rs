//! The handshake over a new connection, in which two processes prove that they are of one job.
//!
//! The process that connected speaks first:
//!
//! ```text
//! connector                                        listener
//!   HELLO      magic, version, largest frame, job,
//!              from, to, protection, rail, round,
//!              state, nonce, mac(HELLO)        -->  holds the secret, or is a replay
//!   knows the listener: it answered this nonce <--  CHALLENGE  largest frame, round, state,
//!                                                              nonce, mac(HELLO, CHALLENGE)
//!   PROOF      mac(HELLO, CHALLENGE)           -->  knows the connector
//!                                              <--  VERDICT    accept, yield, or gone
//! ```
//!
//! The *state* ties a connection to those before it: the name of each side's numbering (drawn when
//! a side begins to know the other, in whichever life), and the number of the frame that is due.
//! Frames go on from there, so nothing of an earlier life is taken for this one.
//!
//! Each mac is a keyed BLAKE3 hash, under a key derived from the job's secret, of a label of its
//! own and all messages so far. So a message cannot be reflected as another, and a recording fails:
//! it cannot contain the proof for a nonce drawn later. The connector sends frames only after
//! `accept`; `yield` informs it that the listener's own connection to it takes precedence; `gone`
//! that the listener has given it up, or does not have the state that it wants to continue.
//!
//! This module has no input or output: values in, values out. Sizes are fixed, so nothing is
//! allocated.

use std::fmt;

use base::{wire, PeerId};

use crate::seal::Protection;
use crate::wire::check_frame_max;

/// Bytes of the first message.
pub const HELLO_BYTES: usize = 128;
/// Bytes of the listener's reply.
pub const CHALLENGE_BYTES: usize = 104;
/// Bytes of the connector's proof.
pub const PROOF_BYTES: usize = MAC_BYTES;
/// Bytes of the last message.
pub const VERDICT_BYTES: usize = 1;
/// Bytes of a nonce.
pub const NONCE_BYTES: usize = 32;

const MAC_BYTES: usize = 32;
const MAGIC: [u8; 8] = *b"OXMPITCP";
const VERSION: u32 = 2;

// Offsets in HELLO; each field ends where the next one begins.
const HELLO_VERSION: usize = 8;
const HELLO_FRAME_MAX: usize = 12;
const HELLO_JOB: usize = 16;
const HELLO_FROM: usize = 24;
const HELLO_TO: usize = 28;
const HELLO_PROTECTION: usize = 32;
const HELLO_RAIL: usize = 36;
const HELLO_ROUND: usize = 38;
const HELLO_STATE: usize = 40;
const HELLO_NONCE: usize = HELLO_STATE + STATE_BYTES;
const HELLO_MAC: usize = HELLO_NONCE + NONCE_BYTES;

// Offsets in CHALLENGE.
const CHALLENGE_FRAME_MAX: usize = 8;
const CHALLENGE_ROUND: usize = 12;
const CHALLENGE_STATE: usize = 16;
const CHALLENGE_NONCE: usize = CHALLENGE_STATE + STATE_BYTES;
const CHALLENGE_MAC: usize = CHALLENGE_NONCE + NONCE_BYTES;

// A state: the names of the reporter's and of the other side's numbering, and the frame due.
const STATE_BYTES: usize = 24;

const _: () = assert!(HELLO_MAC + MAC_BYTES == HELLO_BYTES);
const _: () = assert!(CHALLENGE_MAC + MAC_BYTES == CHALLENGE_BYTES);

/// Separates the transport's key from other uses of the job's secret.
const KEY_CONTEXT: &str = "oxmpi btl tcp handshake key, version 2";
/// Separates the keys of a connection's two directions.
const RECORD_CONTEXT: &str = "oxmpi btl tcp record key, version 2";

/// Whether the first bytes of a connection can be those of a greeting.
pub fn begins_well(bytes: &[u8]) -> bool {
    let len = bytes.len().min(MAGIC.len());
    bytes[..len] == MAGIC[..len]
}

/// Returns the job and the sender that a greeting names, before anything of it is checked.
pub fn claimed(hello: &[u8; HELLO_BYTES]) -> (u64, PeerId) {
    let job = wire::read_u64(hello, HELLO_JOB).expect("an offset in HELLO");
    let from = wire::read_u32(hello, HELLO_FROM).expect("an offset in HELLO");
    (job, PeerId(from))
}

/// The identity of this process in handshakes: with those of its job, or with one foreign peer.
pub struct Identity {
    key: [u8; 32],
    /// The job's number, or the realm of an agreement ([`btl::Foreign`]).
    job: u64,
    /// This process, by its number at the other side.
    me: PeerId,
    /// Whether the other side is numbered as this process is, and equal numbers mean one process.
    numbers_alike: bool,
    /// Whether this process precedes the other side; by the numbers where that is not given.
    is_first: Option<bool>,
    frame_max: u32,
    protection: Protection,
}

/// The state that ties a connection to earlier ones, as one side reports it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct State {
    /// The reporting side's numbering, by name.
    pub name: u64,
    /// The other side's numbering, by name, as far as the reporting side knows it; 0 where it does
    /// not.
    pub other: u64,
    /// The number of the other side's frame that is due.
    pub due: u64,
}

/// Identifies a connection.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ConnectionId {
    /// The rail.
    pub rail: u16,
    /// The number of the connection on the rail, by the reporting side's count.
    pub round: u16,
}

/// The connector, having said HELLO.
pub struct Greeted {
    to: PeerId,
    connection: ConnectionId,
    hello: [u8; HELLO_BYTES],
}

/// The listener, having been greeted with the secret.
pub struct Welcomed {
    hello: [u8; HELLO_BYTES],
    /// The connector's identity, if it is not a replay.
    pub claimed: Proven,
}

/// The listener, having replied.
pub struct Challenged {
    hello: [u8; HELLO_BYTES],
    challenge: [u8; CHALLENGE_BYTES],
    /// The connector's identity, if it is not a replay.
    pub claimed: Proven,
}

/// Facts about the other side once it has proved its identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The peer.
    pub peer: PeerId,
    /// Largest frame that it sends, in bytes without its header.
    pub frame_max: u32,
    /// The connection's rail and round. The connector knows the agreed round, the listener the
    /// connector's count.
    pub connection: ConnectionId,
    /// The other side's state, as it reports it.
    pub state: State,
    /// The keys to what this side sends, and to what the other sends.
    pub keys: Keys,
}

/// The keys of a connection's two directions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Keys {
    /// Key to what this side sends.
    pub outward: [u8; 32],
    /// Key to what the other side sends.
    pub inward: [u8; 32],
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

/// The listener's decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The connection is in use from now on.
    Accept,
    /// The listener's own connection, which is being made, is used instead.
    Yield,
    /// The listener has given the connector up, or has lost the state that it wants to continue.
    Gone,
    /// The listener has given the connector up for want of a descriptor.
    Full,
}

/// The reason to refuse the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The other side speaks another protocol.
    Magic,
    /// The other side speaks another version.
    Version(u32),
    /// The other side belongs to another job.
    Job(u64),
    /// The other side wants another process.
    To(PeerId),
    /// The other side claims to be this process.
    Myself,
    /// The other side names a rail of a number that no peer has.
    Rail(u16),
    /// The other side announces larger frames than any setting allows.
    FrameMax(u32),
    /// The other side protects connections differently: its number.
    Protection(u32, Protection),
    /// The other side does not have the job's secret.
    Secret,
    /// The other side ends the handshake with an unknown verdict.
    Verdict(u8),
}

impl Identity {
    /// Creates the identity of a process of the job with this secret.
    pub fn new(
        secret: &[u8; 32],
        job: u64,
        me: PeerId,
        frame_max: u32,
        protection: Protection,
    ) -> Identity {
        Identity {
            key: blake3::derive_key(KEY_CONTEXT, secret),
            job,
            me,
            numbers_alike: true,
            is_first: None,
            frame_max,
            protection,
        }
    }

    /// Returns the identity of this process for a foreign peer.
    pub fn for_foreign(&self, foreign: &btl::Foreign) -> Identity {
        Identity {
            key: blake3::derive_key(KEY_CONTEXT, &foreign.secret),
            job: foreign.realm,
            me: foreign.known_as.peer(),
            numbers_alike: false,
            is_first: Some(foreign.is_first),
            ..*self
        }
    }

    /// Returns the number of the job, or of the agreement.
    pub fn job(&self) -> u64 {
        self.job
    }

    /// Whether this process precedes a peer: of two connections that both begin at once, that of
    /// the first stays.
    pub fn precedes(&self, peer: PeerId) -> bool {
        self.is_first.unwrap_or(self.me < peer)
    }

    /// Returns the process.
    pub fn me(&self) -> PeerId {
        self.me
    }

    /// Returns the protection of connections.
    pub fn protection(&self) -> Protection {
        self.protection
    }

    /// The connector's first step: greets the process it believes to have reached.
    pub fn greet(
        &self,
        to: PeerId,
        connection: ConnectionId,
        state: State,
        nonce: [u8; NONCE_BYTES],
    ) -> (Greeted, [u8; HELLO_BYTES]) {
        let mut hello = [0; HELLO_BYTES];
        hello[..8].copy_from_slice(&MAGIC);
        wire::write_u32(&mut hello, HELLO_VERSION, VERSION);
        wire::write_u32(&mut hello, HELLO_FRAME_MAX, self.frame_max);
        wire::write_u64(&mut hello, HELLO_JOB, self.job);
        wire::write_u32(&mut hello, HELLO_FROM, self.me.0);
        wire::write_u32(&mut hello, HELLO_TO, to.0);
        wire::write_u32(&mut hello, HELLO_PROTECTION, self.protection.number());
        wire::write_u16(&mut hello, HELLO_RAIL, connection.rail);
        wire::write_u16(&mut hello, HELLO_ROUND, connection.round);
        state.encode(&mut hello[HELLO_STATE..HELLO_NONCE]);
        hello[HELLO_NONCE..HELLO_MAC].copy_from_slice(&nonce);
        let mac = self.mac(b"hello", &[&hello[..HELLO_MAC]]);
        hello[HELLO_MAC..].copy_from_slice(mac.as_bytes());
        (
            Greeted {
                to,
                connection,
                hello,
            },
            hello,
        )
    }

    /// The listener's first step: checks whether a greeting was made with the secret.
    pub fn welcome(&self, hello: &[u8; HELLO_BYTES]) -> Result<Welcomed, Refusal> {
        Ok(Welcomed {
            hello: *hello,
            claimed: self.check_hello(hello)?,
        })
    }

    fn check_hello(&self, hello: &[u8; HELLO_BYTES]) -> Result<Proven, Refusal> {
        if hello[..8] != MAGIC {
            return Err(Refusal::Magic);
        }
        let number = |at| wire::read_u32(hello, at).expect("an offset in HELLO");
        let short = |at| wire::read_u16(hello, at).expect("an offset in HELLO");
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
        if self.numbers_alike && number(HELLO_FROM) == self.me.0 {
            return Err(Refusal::Myself);
        }
        let frame_max = number(HELLO_FRAME_MAX);
        check_frame_max(frame_max).map_err(|_| Refusal::FrameMax(frame_max))?;
        let mac = self.mac(b"hello", &[&hello[..HELLO_MAC]]);
        check_mac(mac, &hello[HELLO_MAC..])?;
        let protection = number(HELLO_PROTECTION);
        if protection != self.protection.number() {
            return Err(Refusal::Protection(protection, self.protection));
        }
        Ok(Proven {
            peer: PeerId(number(HELLO_FROM)),
            frame_max,
            connection: ConnectionId {
                rail: short(HELLO_RAIL),
                round: short(HELLO_ROUND),
            },
            state: State::decode(&hello[HELLO_STATE..HELLO_NONCE]),
            // Derived from the whole exchange, which is not over.
            keys: Keys {
                outward: [0; 32],
                inward: [0; 32],
            },
        })
    }

    fn mac(&self, label: &[u8], said: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        // Everything but the label has a fixed size for a given label, so hashing the label's
        // length is enough to keep two messages from hashing the same bytes.
        hasher.update(&[label.len() as u8]).update(label);
        for part in said {
            hasher.update(part);
        }
        hasher.finalize()
    }

    /// Derives the keys of the connection that these messages agreed on, as the connector.
    fn keys(&self, hello: &[u8; HELLO_BYTES], challenge: &[u8; CHALLENGE_BYTES]) -> Keys {
        let key = |label: &[u8]| {
            let seed = self.mac(label, &[hello, challenge]);
            blake3::derive_key(RECORD_CONTEXT, seed.as_bytes())
        };
        Keys {
            outward: key(b"key to the listener"),
            inward: key(b"key to the connector"),
        }
    }
}

impl State {
    fn encode(&self, bytes: &mut [u8]) {
        for (at, field) in [self.name, self.other, self.due].into_iter().enumerate() {
            wire::write_u64(bytes, 8 * at, field);
        }
    }

    fn decode(bytes: &[u8]) -> State {
        let field = |at: usize| wire::read_u64(bytes, 8 * at).unwrap_or_default();
        State {
            name: field(0),
            other: field(1),
            due: field(2),
        }
    }
}

impl Greeted {
    /// The connector's second step: identifies the listener by its reply, and proves itself.
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
        let round = wire::read_u16(challenge, CHALLENGE_ROUND).expect("in CHALLENGE");
        let proof = identity.mac(b"proof", &[&self.hello, challenge]);
        Ok((
            Proven {
                peer: self.to,
                frame_max,
                connection: ConnectionId {
                    round: round.max(self.connection.round),
                    ..self.connection
                },
                state: State::decode(&challenge[CHALLENGE_STATE..CHALLENGE_NONCE]),
                keys: identity.keys(&self.hello, challenge),
            },
            *proof.as_bytes(),
        ))
    }
}

impl Welcomed {
    /// The listener's second step: replies. `round`: the number of the next connection on the
    /// connector's rail, by the listener's count.
    pub fn challenge(
        self,
        identity: &Identity,
        round: u16,
        state: State,
        nonce: [u8; NONCE_BYTES],
    ) -> (Challenged, [u8; CHALLENGE_BYTES]) {
        let Welcomed { hello, mut claimed } = self;
        let mut challenge = [0; CHALLENGE_BYTES];
        challenge[..8].copy_from_slice(&MAGIC);
        wire::write_u32(&mut challenge, CHALLENGE_FRAME_MAX, identity.frame_max);
        wire::write_u16(&mut challenge, CHALLENGE_ROUND, round);
        state.encode(&mut challenge[CHALLENGE_STATE..CHALLENGE_NONCE]);
        challenge[CHALLENGE_NONCE..CHALLENGE_MAC].copy_from_slice(&nonce);
        let mac = identity.mac(b"challenge", &[&hello, &challenge[..CHALLENGE_MAC]]);
        challenge[CHALLENGE_MAC..].copy_from_slice(mac.as_bytes());
        let keys = identity.keys(&hello, &challenge);
        claimed.keys = Keys {
            outward: keys.inward,
            inward: keys.outward,
        };
        let challenged = Challenged {
            hello,
            challenge,
            claimed,
        };
        (challenged, challenge)
    }
}

impl Challenged {
    /// The listener's third step: identifies the connector by its proof.
    pub fn check(&self, identity: &Identity, proof: &[u8; PROOF_BYTES]) -> Result<Proven, Refusal> {
        check_mac(
            identity.mac(b"proof", &[&self.hello, &self.challenge]),
            proof,
        )?;
        Ok(self.claimed)
    }
}

/// Compares in constant time, as equality of hashes does.
fn check_mac(expected: blake3::Hash, claimed: &[u8]) -> Result<(), Refusal> {
    let claimed: [u8; MAC_BYTES] = claimed.try_into().map_err(|_| Refusal::Secret)?;
    if expected == blake3::Hash::from_bytes(claimed) {
        Ok(())
    } else {
        Err(Refusal::Secret)
    }
}

impl Verdict {
    /// Encodes the verdict.
    pub fn encode(self) -> [u8; VERDICT_BYTES] {
        match self {
            Verdict::Accept => [1],
            Verdict::Yield => [2],
            Verdict::Gone => [3],
            Verdict::Full => [4],
        }
    }

    /// Checks a verdict that the listener sent.
    pub fn decode(byte: u8) -> Result<Verdict, Refusal> {
        match byte {
            1 => Ok(Verdict::Accept),
            2 => Ok(Verdict::Yield),
            3 => Ok(Verdict::Gone),
            4 => Ok(Verdict::Full),
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
            Refusal::Rail(rail) => write!(f, "it means rail {rail}"),
            Refusal::FrameMax(len) => write!(f, "it announces frames of {len} bytes"),
            Refusal::Protection(theirs, ours) => write!(
                f,
                "it protects connections in way {theirs}, this process has {ours}: set \
                 btl_tcp_checksum and btl_tcp_encrypt alike everywhere"
            ),
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
    const CONNECTION: ConnectionId = ConnectionId { rail: 2, round: 5 };
    const THEIRS: State = State {
        name: 11,
        other: 12,
        due: 13,
    };
    const OURS: State = State {
        name: 12,
        other: 11,
        due: 77,
    };

    fn identity(secret: u8, job: u64, me: u32) -> Identity {
        Identity::new(&[secret; 32], job, PeerId(me), 1000 + me, Protection::None)
    }

    fn pair() -> (Identity, Identity) {
        (identity(3, 77, 4), identity(3, 77, 9))
    }

    fn greet(from: &Identity, to: u32, nonce: u8) -> (Greeted, [u8; HELLO_BYTES]) {
        from.greet(PeerId(to), CONNECTION, THEIRS, [nonce; 32])
    }

    fn challenge(
        listener: &Identity,
        hello: &[u8; HELLO_BYTES],
        nonce: u8,
    ) -> Result<(Challenged, [u8; CHALLENGE_BYTES]), Refusal> {
        let welcomed = listener.welcome(hello)?;
        Ok(welcomed.challenge(listener, 7, OURS, [nonce; 32]))
    }

    #[test]
    fn two_processes_of_a_job_know_each_other() {
        let (connector, listener) = pair();
        let (greeted, hello) = greet(&connector, 9, 1);
        let (challenged, challenge) = challenge(&listener, &hello, 2).unwrap();
        let (server, proof) = greeted.prove(&connector, &challenge).unwrap();
        assert_eq!((server.peer, server.frame_max), (PeerId(9), 1009));
        assert_eq!(
            (server.connection, server.state),
            (ConnectionId { rail: 2, round: 7 }, OURS)
        );
        let client = challenged.check(&listener, &proof).unwrap();
        assert_eq!((client.peer, client.frame_max), (PeerId(4), 1004));
        assert_eq!((client.connection, client.state), (CONNECTION, THEIRS));
        assert_eq!(client.keys.outward, server.keys.inward);
        assert_eq!(client.keys.inward, server.keys.outward);
        assert_ne!(client.keys.inward, client.keys.outward);
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let (connector, listener) = pair();
        let (greeted, hello) = greet(&connector, 9, 1);
        let (challenged, answer) = challenge(&listener, &hello, 2).unwrap();
        let (_, proof) = greeted.prove(&connector, &answer).unwrap();
        for bit in 0..HELLO_BYTES * 8 {
            let mut bad = hello;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(challenge(&listener, &bad, 2).is_err(), "bit {bit} of HELLO");
        }
        for bit in 0..CHALLENGE_BYTES * 8 {
            let mut bad = answer;
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
        let (greeted, hello) = greet(&connector, 9, 1);
        let (_, answer) = challenge(&listener, &hello, 2).unwrap();
        let (_, proof) = greeted.prove(&connector, &answer).unwrap();

        // The listener draws another nonce: the recorded proof does not fit.
        let (again, _) = challenge(&listener, &hello, 5).unwrap();
        assert_eq!(again.check(&listener, &proof), Err(Refusal::Secret));
        // The connector draws another nonce: the recorded challenge does not fit.
        let (again, _) = greet(&connector, 9, 6);
        assert_eq!(
            again.prove(&connector, &answer).err(),
            Some(Refusal::Secret)
        );
    }

    #[test]
    fn refusals_name_their_reason() {
        let (connector, listener) = pair();
        let refused = |hello| challenge(&listener, &hello, 2).err();
        let other_secret = identity(4, 77, 4);
        assert_eq!(refused(greet(&other_secret, 9, 0).1), Some(Refusal::Secret));
        let other_job = identity(3, 78, 4);
        assert_eq!(refused(greet(&other_job, 9, 0).1), Some(Refusal::Job(78)));
        let astray = greet(&connector, 5, 0).1;
        assert_eq!(refused(astray), Some(Refusal::To(PeerId(5))));
        assert_eq!(refused(greet(&listener, 9, 0).1), Some(Refusal::Myself));
        let open = Identity::new(&SECRET, 77, PeerId(4), 1, Protection::Cipher);
        let otherwise = Refusal::Protection(2, Protection::None);
        assert_eq!(refused(greet(&open, 9, 0).1), Some(otherwise));
        assert_eq!(refused([b'G'; HELLO_BYTES]), Some(Refusal::Magic));
        assert_eq!(Verdict::decode(0), Err(Refusal::Verdict(0)));
    }

    proptest! {
        #[test]
        fn random_messages_are_refused(
            hello in proptest::collection::vec(any::<u8>(), HELLO_BYTES),
            answer in proptest::collection::vec(any::<u8>(), CHALLENGE_BYTES),
            plausible: bool,
        ) {
            let (connector, listener) = pair();
            let (greeted, real) = greet(&connector, 9, 1);
            let mut hello: [u8; HELLO_BYTES] = hello.try_into().unwrap();
            let mut answer: [u8; CHALLENGE_BYTES] = answer.try_into().unwrap();
            if plausible {
                hello[..HELLO_NONCE].copy_from_slice(&real[..HELLO_NONCE]);
                answer[..8].copy_from_slice(&MAGIC);
            }
            prop_assert!(listener.welcome(&hello).is_err());
            prop_assert!(greeted.prove(&connector, &answer).is_err());
        }
    }
}
