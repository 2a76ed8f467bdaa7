//! The handshake over a new connection to a port, in which both sides prove that they know its key.
//!
//! ```text
//! client                                       server
//!   HELLO      magic, version, nonce, mac  -->  holds the key, or is a replay
//!   knows the server: it answered the nonce <--  CHALLENGE  nonce, mac(HELLO, nonce)
//!   PROOF      mac(HELLO, CHALLENGE)       -->  knows the client
//! ```
//!
//! In the place of a challenge a server may say why it turns the client away ([`Refusal`]). Nobody
//! vouches for that: it is for messages alone.
//!
//! No input or output here. All sizes are fixed, so nothing is allocated for a stranger.

use base::wire::read_u32;

/// Bytes of the client's greeting.
pub const HELLO_BYTES: usize = 76;
/// Bytes of the server's answer to it.
pub const CHALLENGE_BYTES: usize = 64;
/// Bytes of the client's proof.
pub const PROOF_BYTES: usize = 32;

const MAGIC: [u8; 8] = *b"OXMPIPRT";
const VERSION: u32 = 1;
const KEY_CONTEXT: &str = "oxmpi port handshake key, version 1";
const SESSION_CONTEXT: &str = "oxmpi port session key, version 1";

/// The key of a port's handshakes.
pub struct PortKey([u8; 32]);

/// Keys of a connection's two directions, and the key that the roots of two groups share.
#[derive(Clone)]
pub struct Session {
    /// Key of what the client sends.
    to_server: [u8; 32],
    /// Key of what the server sends.
    to_client: [u8; 32],
    /// Key that both sides share for other purposes.
    pub shared: [u8; 32],
}

/// Why a server turns a client away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The client has greeted with another key.
    WrongKey,
    /// Too many have connected that have not shown that they know the key.
    Crowded,
}

/// Beginning of an answer that is a refusal. A challenge begins with a random number.
const REFUSES: [u8; 8] = *b"OXMPIREF";

impl Refusal {
    /// Returns the server's answer in the place of a challenge.
    pub fn answer(self) -> [u8; CHALLENGE_BYTES] {
        let mut answer = [0; CHALLENGE_BYTES];
        answer[..8].copy_from_slice(&REFUSES);
        answer[8] = self as u8;
        answer
    }

    /// Reads an answer; `None` for any other one, such as a challenge.
    pub fn read(answer: &[u8; CHALLENGE_BYTES]) -> Option<Refusal> {
        let all = [Refusal::WrongKey, Refusal::Crowded];
        all.into_iter().find(|refusal| refusal.answer() == *answer)
    }
}

/// A side of a connection to a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The one that connects.
    Client,
    /// The one that has the port.
    Server,
}

impl Session {
    /// Returns the keys to what a side sends and to what it receives.
    pub fn keys(&self, side: Side) -> ([u8; 32], [u8; 32]) {
        match side {
            Side::Client => (self.to_server, self.to_client),
            Side::Server => (self.to_client, self.to_server),
        }
    }
}

impl PortKey {
    /// Returns the key of handshakes for the key in a port's name.
    pub fn new(key: &[u8; 32]) -> PortKey {
        PortKey(blake3::derive_key(KEY_CONTEXT, key))
    }

    /// Returns the client's greeting.
    pub fn hello(&self, nonce: &[u8; 32]) -> [u8; HELLO_BYTES] {
        let mut hello = [0; HELLO_BYTES];
        hello[..8].copy_from_slice(&MAGIC);
        hello[8..12].copy_from_slice(&VERSION.to_le_bytes());
        hello[12..44].copy_from_slice(nonce);
        let mac = self.mac(b"hello", &[&hello[..44]]);
        hello[44..].copy_from_slice(mac.as_bytes());
        hello
    }

    /// Whether this is a greeting, with whatever key.
    pub fn is_hello(hello: &[u8; HELLO_BYTES]) -> bool {
        hello[..8] == MAGIC && read_u32(hello, 8) == Some(VERSION)
    }

    /// Whether a greeting was made with the key.
    pub fn welcomes(&self, hello: &[u8; HELLO_BYTES]) -> bool {
        PortKey::is_hello(hello) && is(self.mac(b"hello", &[&hello[..44]]), &hello[44..])
    }

    /// Returns the server's answer to a greeting.
    pub fn challenge(&self, hello: &[u8; HELLO_BYTES], nonce: &[u8; 32]) -> [u8; CHALLENGE_BYTES] {
        let mut challenge = [0; CHALLENGE_BYTES];
        challenge[..32].copy_from_slice(nonce);
        let mac = self.mac(b"challenge", &[hello, nonce]);
        challenge[32..].copy_from_slice(mac.as_bytes());
        challenge
    }

    /// Returns the client's proof for the answer of a server that knows the key; `None` for any
    /// other answer.
    pub fn prove(
        &self,
        hello: &[u8; HELLO_BYTES],
        challenge: &[u8; CHALLENGE_BYTES],
    ) -> Option<[u8; PROOF_BYTES]> {
        let expected = self.mac(b"challenge", &[hello, &challenge[..32]]);
        is(expected, &challenge[32..]).then(|| self.proof(hello, challenge))
    }

    /// Returns the client's proof to a server that it knows already.
    pub fn proof(
        &self,
        hello: &[u8; HELLO_BYTES],
        challenge: &[u8; CHALLENGE_BYTES],
    ) -> [u8; PROOF_BYTES] {
        *self.mac(b"proof", &[hello, challenge]).as_bytes()
    }

    /// Whether a proof is that of a client that knows the key.
    pub fn is_proven(
        &self,
        hello: &[u8; HELLO_BYTES],
        challenge: &[u8; CHALLENGE_BYTES],
        proof: &[u8; PROOF_BYTES],
    ) -> bool {
        is(self.mac(b"proof", &[hello, challenge]), proof)
    }

    /// Returns the keys of the connection, once each side knows the other.
    pub fn session(&self, hello: &[u8; HELLO_BYTES], challenge: &[u8; CHALLENGE_BYTES]) -> Session {
        let key = |label: &[u8]| {
            let seed = self.mac(label, &[hello, challenge]);
            blake3::derive_key(SESSION_CONTEXT, seed.as_bytes())
        };
        Session {
            to_server: key(b"key to the server"),
            to_client: key(b"key to the client"),
            shared: key(b"key of both groups"),
        }
    }

    fn mac(&self, label: &[u8], said: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        // The parts have fixed sizes for a given label.
        hasher.update(&[label.len() as u8]).update(label);
        for part in said {
            hasher.update(part);
        }
        hasher.finalize()
    }
}

/// Compares in constant time, as equality of hashes does.
fn is(expected: blake3::Hash, claimed: &[u8]) -> bool {
    let claimed: Result<[u8; 32], _> = claimed.try_into();
    claimed.is_ok_and(|claimed| expected == blake3::Hash::from_bytes(claimed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_know_each_other_and_share_keys() {
        let key = PortKey::new(&[3; 32]);
        let hello = key.hello(&[1; 32]);
        assert!(key.welcomes(&hello));
        let challenge = key.challenge(&hello, &[2; 32]);
        let proof = key.prove(&hello, &challenge).unwrap();
        assert!(key.is_proven(&hello, &challenge, &proof));
        let session = key.session(&hello, &challenge);
        assert_ne!(session.to_client, session.to_server);
        assert_ne!(
            session.shared,
            key.session(&hello, &[0; CHALLENGE_BYTES]).shared
        );
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let key = PortKey::new(&[3; 32]);
        let hello = key.hello(&[1; 32]);
        let challenge = key.challenge(&hello, &[2; 32]);
        let proof = key.proof(&hello, &challenge);
        for bit in 0..HELLO_BYTES * 8 {
            let mut bad = hello;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(!key.welcomes(&bad), "bit {bit} of HELLO");
        }
        for bit in 0..CHALLENGE_BYTES * 8 {
            let mut bad = challenge;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(key.prove(&hello, &bad).is_none(), "bit {bit} of CHALLENGE");
        }
        for bit in 0..PROOF_BYTES * 8 {
            let mut bad = proof;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(
                !key.is_proven(&hello, &challenge, &bad),
                "bit {bit} of PROOF"
            );
        }
    }

    #[test]
    fn another_key_is_a_stranger() {
        let (key, other) = (PortKey::new(&[3; 32]), PortKey::new(&[4; 32]));
        let hello = key.hello(&[1; 32]);
        assert!(!other.welcomes(&hello) && !key.welcomes(&[b'G'; HELLO_BYTES]));
        let challenge = other.challenge(&hello, &[2; 32]);
        assert!(key.prove(&hello, &challenge).is_none());
    }
}
