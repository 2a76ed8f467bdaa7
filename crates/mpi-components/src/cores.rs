//! The cores that a process may use, and the processes of its node that may use them as well.
//!
//! How long a wait stays awake depends on whether there is a core for each process
//! ([`sync::Patience`]). Where a launcher binds each process to a core of its own, each may use one
//! core and has many neighbours, none of which wants that core: so the processes exchange
//! their cores with their addresses.

use rustix::thread::{sched_getaffinity, CpuSet};

/// A set of cores, as the system numbers them: a bit each, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cores(Vec<u8>);

impl Cores {
    /// Returns the cores that the calling thread may use; none where the system does not say.
    pub fn own() -> Cores {
        let set = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
        Cores::of((0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)))
    }

    fn of(cpus: impl IntoIterator<Item = usize>) -> Cores {
        let mut bits = Vec::new();
        for cpu in cpus {
            if bits.len() <= cpu / 8 {
                bits.resize(cpu / 8 + 1, 0);
            }
            bits[cpu / 8] |= 1 << (cpu % 8);
        }
        Cores(bits)
    }

    /// Returns the set that a process has sent.
    pub fn decode(bytes: &[u8]) -> Cores {
        Cores(bytes[..bytes.len().min(CpuSet::MAX_CPU / 8)].to_vec())
    }

    /// Returns the set as bytes, for other processes.
    pub fn encode(&self) -> Vec<u8> {
        self.0.clone()
    }

    /// Returns the number of cores.
    pub fn count(&self) -> usize {
        self.0.iter().map(|byte| byte.count_ones() as usize).sum()
    }

    fn overlaps(&self, other: &Cores) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn add(&mut self, other: &Cores) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        let pairs = self.0.iter_mut().zip(&other.0);
        pairs.for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Returns how many processes may use some of these cores, this one included, and how many
    /// cores these processes have together.
    pub fn shared_with<'a>(&self, others: impl IntoIterator<Item = &'a Cores>) -> (usize, usize) {
        let mut all = self.clone();
        let mut ranks = 1;
        for other in others {
            if self.overlaps(other) {
                ranks += 1;
                all.add(other);
            }
        }
        (ranks, all.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_count_that_may_use_the_same_cores() {
        let of = |cpus: &[usize]| Cores::of(cpus.iter().copied());
        let all = of(&[0, 1]);
        // Unbound: two on two cores, and eight.
        assert_eq!(all.shared_with([&all]), (2, 2));
        assert_eq!(all.shared_with(&vec![all.clone(); 7]), (8, 2));
        // Bound to a core each, also to cores far apart in the numbers.
        assert_eq!(of(&[0]).shared_with(&[of(&[1]), of(&[200])]), (1, 1));
        assert_eq!(of(&[200]).shared_with(&[of(&[0]), of(&[1])]), (1, 1));
        // Two bound to one core; one bound beside one that is not.
        assert_eq!(of(&[9]).shared_with(&[of(&[9]), of(&[8])]), (2, 1));
        assert_eq!(of(&[1]).shared_with([&all]), (2, 2));
        // To a package of four each.
        let package = of(&[4, 5, 6, 7]);
        let others = [package.clone(), of(&[0, 1, 2, 3]), of(&[0, 1, 2, 3])];
        assert_eq!(package.shared_with(&others), (2, 4));
    }

    #[test]
    fn a_set_is_the_same_after_a_journey() {
        let own = Cores::own();
        assert!(own.count() > 0);
        assert_eq!(Cores::decode(&own.encode()), own);
        assert!(Cores::decode(&[0xff; 4096]).count() <= CpuSet::MAX_CPU);
        assert_eq!(own.shared_with(&[Cores::decode(&[])]).0, 1);
    }
}
