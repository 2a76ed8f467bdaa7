//! Encoding of a topology as bytes, for messages of daemons.
//!
//! | field   | bytes                                                               |
//! |---------|---------------------------------------------------------------------|
//! | quota   | u32                                                                 |
//! | threads | u32, then for each: its number u32, and u32 for each unit from      |
//! |         | package to core, the number of the object that it is part of, and   |
//! |         | u32 each its package, core and thread in the whole machine          |
//!
//! All integers are little-endian. A decoder takes any bytes.

use std::fmt;

use base::wire::read_u32;

use super::{Thread, Topology, Unit, Whole, CPUS_MAX};

/// The units that are sent, in their order; a node is one, and threads are what is counted.
const SENT: [Unit; 6] = [
    Unit::Package,
    Unit::Numa,
    Unit::L3,
    Unit::L2,
    Unit::L1,
    Unit::Core,
];

/// How many numbers a thread has.
const NUMBERS: usize = 1 + SENT.len() + 3;

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
        let mut put = |value: u32| out.extend_from_slice(&value.to_le_bytes());
        put(self.quota);
        put(self.threads.len() as u32);
        for thread in &self.threads {
            put(thread.cpu);
            SENT.iter().for_each(|&unit| put(thread.number(unit)));
            let Whole {
                package,
                core,
                thread,
            } = thread.whole;
            [package, core, thread].into_iter().for_each(&mut put);
        }
    }

    /// Reads a topology; `bytes` must hold it and nothing else.
    pub fn decode(bytes: &[u8]) -> Result<Topology, Malformed> {
        let malformed =
            |what: &str| Malformed(format!("topology of {} bytes: {what}", bytes.len()));
        let word = |at: usize| read_u32(bytes, 4 * at).ok_or_else(|| malformed("cut short"));
        let (quota, count) = (word(0)?, word(1)? as usize);
        if count == 0 || count > CPUS_MAX {
            return Err(malformed(&format!("{count} processors")));
        }
        if bytes.len() != 4 * (2 + count * NUMBERS) {
            return Err(malformed(&format!("does not fit {count} processors")));
        }
        let mut seen = [false; CPUS_MAX];
        let mut threads = Vec::with_capacity(count);
        for at in (2..).step_by(NUMBERS).take(count) {
            let cpu = word(at)?;
            match seen.get_mut(cpu as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(malformed(&format!("processor {cpu} is too high or twice"))),
            }
            let mut of = [0; Unit::ALL.len()];
            for (nth, unit) in SENT.into_iter().enumerate() {
                of[unit as usize] = word(at + 1 + nth)?;
            }
            let after = at + 1 + SENT.len();
            let whole = Whole {
                package: word(after)?,
                core: word(after + 1)?,
                thread: word(after + 2)?,
            };
            threads.push(Thread { cpu, of, whole });
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
        let good = bytes(&Topology::regular(1, 2, 2));
        for end in 0..good.len() {
            assert!(Topology::decode(&good[..end]).is_err(), "cut at {end}");
        }
        let with = |at: usize, value: u32| {
            let mut bad = good.clone();
            bad[4 * at..4 * at + 4].copy_from_slice(&value.to_le_bytes());
            Topology::decode(&bad)
        };
        assert!(with(1, 0).is_err() && with(1, 3).is_err() && with(1, u32::MAX).is_err());
        assert!(
            with(2, CPUS_MAX as u32).is_err(),
            "a processor that cannot be"
        );
        assert!(with(2 + NUMBERS, 0).is_err(), "a processor twice");
        // Numbers of objects are only names.
        assert_eq!(with(3, u32::MAX).unwrap().count(Unit::Package), 2);
        assert_eq!(Topology::decode(&[good, vec![0]].concat()).ok(), None);
    }
}
