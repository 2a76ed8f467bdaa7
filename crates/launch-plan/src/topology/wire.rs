//! A topology as bytes, in the form of [`bootstrap::codec`], for messages of daemons. A decoder
//! takes any bytes.

use std::fmt;

use bootstrap::codec;

use super::{Topology, Unit, CPUS_MAX};

/// Why bytes are not a topology.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Topology {
    /// Appends the bytes of the topology to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        codec::encode(self, out);
    }

    /// Reads a topology; `bytes` must hold it and nothing else.
    ///
    /// # Errors
    /// When the bytes are malformed, or name a processor twice or one that cannot be.
    pub fn decode(bytes: &[u8]) -> Result<Topology, Malformed> {
        let malformed =
            |what: &str| Malformed(format!("topology of {} bytes: {what}", bytes.len()));
        let Some(Topology { mut threads, quota }) = codec::decode(bytes) else {
            return Err(malformed("cut short, or no topology"));
        };
        if threads.is_empty() {
            return Err(malformed("no processors"));
        }
        let mut seen = [false; CPUS_MAX];
        for thread in &mut threads {
            match seen.get_mut(thread.cpu as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    let cpu = thread.cpu;
                    return Err(malformed(&format!("processor {cpu} is too high or twice")));
                }
            }
            // The machine is one node, and its threads are counted.
            thread.of[Unit::Node as usize] = 0;
            thread.of[Unit::Thread as usize] = 0;
        }
        Ok(Topology::new(threads, quota))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(topology: &Topology) -> Vec<u8> {
        let mut out = Vec::new();
        topology.encode(&mut out);
        out
    }

    #[test]
    fn what_is_sent_arrives() {
        for machine in [
            Topology::regular(1, 1, 1),
            Topology::regular(2, 8, 2),
            Topology::regular(4, 128, 2)
                .only(|t| t.cpu % 3 == 1)
                .unwrap(),
        ] {
            assert_eq!(Topology::decode(&bytes(&machine)).unwrap(), machine);
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        let machine = Topology::regular(1, 2, 2);
        let good = bytes(&machine);
        for end in 0..good.len() {
            assert!(Topology::decode(&good[..end]).is_err(), "cut at {end}");
        }
        assert!(Topology::decode(&[good, vec![0]].concat()).is_err());
        let with = |change: fn(&mut Topology)| {
            let mut bad = machine.clone();
            change(&mut bad);
            Topology::decode(&bytes(&bad))
        };
        assert!(with(|t| t.threads.clear()).is_err(), "no processors");
        assert!(with(|t| t.threads[0].cpu = CPUS_MAX as u32).is_err());
        assert!(with(|t| t.threads[0].cpu = t.threads[1].cpu).is_err());
        // Numbers of objects are only names.
        let far = with(|t| t.threads[0].of[Unit::Package as usize] = u32::MAX);
        assert_eq!(far.unwrap().count(Unit::Package), 2);
    }
}
