//! Exchanges of what ranks are about to call, for checks of programs (`mpirun --check`).

use std::sync::{Arc, Mutex, PoisonError};

use base::PeerId;
use coll::Running;
use datatype::Buffer;

use crate::{Comm, Error};

/// Takes the words of all ranks, in rank order.
pub type TakeWords = Box<dyn FnOnce(Vec<Vec<u64>>) + Send>;

impl Comm {
    /// Whether all processes of the own group, and so all that take part in a call on it, are of
    /// the world of this process: they have the same parameters. False of inter-communicators.
    pub fn is_of_one_world(&self) -> bool {
        let size = self.process().identity.size;
        let is_own = |peer: &PeerId| peer.0 < size;
        !self.is_inter() && self.group().peers().iter().all(is_own)
    }

    /// Sets what messages of this process say of their elements from now on; see
    /// [`pml::Status::mark`].
    pub fn set_mark(&self, mark: u16) {
        self.process()
            .engine
            .enter()
            .set_mark(self.messages(), mark);
    }

    /// Exchanges words with all ranks, as many as each of them passes, and waits for them.
    ///
    /// # Errors
    /// When a message fails, or another rank does something else.
    pub fn exchange_words(&self, mine: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
        let all: Arc<Mutex<Vec<Vec<u64>>>> = Arc::default();
        let taken = all.clone();
        let take: TakeWords = Box::new(move |words| *lock(&taken) = words);
        self.run(|port| self.words_exchange(port, mine, take))?;
        let all = std::mem::take(&mut *lock(&all));
        Ok(all)
    }

    /// Starts to exchange words with all ranks, as many as each of them passes. They are passed to
    /// `take` once all are there.
    pub fn start_exchange_words(self: &Arc<Comm>, mine: &[u64], take: TakeWords) {
        // The process has the call until it is over.
        drop(self.start_own(|port| self.words_exchange(port, mine, take)));
    }

    fn words_exchange(&self, port: &coll::Port, mine: &[u64], take: TakeWords) -> Running {
        let (port, team) = (port.clone(), self.team());
        let rules = self.process().rules.clone();
        let mine = mine.to_vec();
        Box::pin(async move {
            let width = mine.len() * 8;
            let own = port.scratch(width);
            let all = port.scratch(width * team.size as usize);
            for (at, word) in mine.iter().enumerate() {
                own.write(at * 8, &word.to_le_bytes());
            }
            let blocks = coll::Blocks::even(Buffer::bytes(all), team.size);
            let own = Some(Buffer::bytes(own));
            coll::allgather(&port, &rules, team, own, blocks).await?;
            let word = |at: usize| {
                let mut bytes = [0; 8];
                all.read(at * 8, &mut bytes);
                u64::from_le_bytes(bytes)
            };
            let count = mine.len();
            let row = |rank: usize| (rank * count..(rank + 1) * count).map(word).collect();
            take((0..team.size as usize).map(row).collect());
            Ok(())
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
