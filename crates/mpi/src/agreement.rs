//! Announcements of what ranks are about to call, for checks of programs (`mpirun --check`).
//!
//! A rank announces a call once its arguments are found valid, and goes on at once: the exchange of
//! announcements is advanced by the waits of the program's own calls, and nobody waits for it. Its
//! messages have tags of their own and numbers of their own ([`Label::aside`]), so that a rank that
//! announces less than others, as one whose call has failed, is in nobody's way.

use base::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::PeerId;
use coll::{Blocks, Port, Rules, Running};
use datatype::Buffer;
use memory::UserBuf;

use crate::announcements::UnderWay;
use crate::call::{Call, CallStorage, Label};
use crate::tags::ASIDE_TAGS;
use crate::{Comm, Process};

/// First number of the exchanges that belong to no announcement.
const EXCHANGES: u64 = 1 << 40;

/// The pause between two polls where nothing moves.
const PAUSE: Duration = Duration::from_micros(50);

/// Takes what the ranks of a communicator announce.
pub trait Listener: Send + 'static {
    /// Takes the words of all ranks of the own group, and of the remote group of an
    /// inter-communicator. Returns as many words for each rank of the group that this one exchanges
    /// data with, if there is anything to say: all ranks agree on whether there is.
    fn announced(&mut self, own: Vec<Vec<u64>>, remote: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>>;

    /// Takes the words that each rank of that group has sent to this one.
    fn received(&mut self, words: Vec<Vec<u64>>);
}

impl Comm {
    /// Whether all processes of both groups are of the world of this process, and so have the same
    /// parameters.
    pub fn is_of_one_world(&self) -> bool {
        let size = self.process().identity.size;
        let is_own = |peer: &PeerId| peer.0 < size;
        self.group().peers().iter().all(is_own) && self.far_group().peers().iter().all(is_own)
    }

    /// Sets what messages of this process say of their elements from now on; see
    /// [`pml::Status::mark`].
    pub fn set_mark(&self, mark: u16) {
        self.process()
            .engine
            .enter()
            .set_mark(self.messages(), mark);
    }

    /// Announces a call to all ranks by words, as many as each of them has. They are passed to the
    /// listener once those of all are there, which may be never.
    pub fn announce(self: &Arc<Comm>, words: &[u64], listener: impl Listener) {
        let listener = Counted {
            listener,
            _under_way: self.announcements.begin(),
        };
        let number = self.announcements.made.fetch_add(1, Relaxed);
        self.exchange_aside(number, words, listener);
    }

    /// Waits for the answers of others to all announcements made here, for at most `limit`.
    pub fn await_announcements(&self, limit: Duration) {
        let under_way = &self.announcements.under_way;
        self.process()
            .poll_within(limit, || under_way.load(Relaxed) == 0);
    }

    /// Exchanges words with all ranks, as many as each of them has, at an occasion that all of them
    /// meet once. `None` where they are not there in time, or a message fails.
    pub fn exchange_within(
        self: &Arc<Comm>,
        occasion: u64,
        words: &[u64],
        limit: Duration,
    ) -> Option<Vec<Vec<u64>>> {
        let received: Arc<Mutex<Option<Vec<Vec<u64>>>>> = Arc::default();
        let call = self.exchange_aside(
            EXCHANGES + occasion,
            words,
            ExchangedWords(received.clone()),
        );
        let is_over = || call.try_lock().is_some_and(|call| call.is_over());
        self.process().poll_within(limit, is_over);
        let words = received.lock().take();
        words
    }

    fn exchange_aside(
        self: &Arc<Comm>,
        number: u64,
        words: &[u64],
        listener: impl Listener,
    ) -> Arc<Mutex<Call>> {
        let storage = CallStorage::default();
        let running = self.announcing(&storage.port, words, listener);
        let planes = self.planes();
        let call = Call::new(
            storage,
            running,
            planes,
            Label::aside(ASIDE_TAGS, number),
            self.team(),
        );
        let call = call.keeping(self.clone()).beside_calls();
        self.process().adopt(planes, call)
    }

    fn announcing(&self, port: &Port, words: &[u64], mut listener: impl Listener) -> Running {
        let (port, team, inter) = (port.clone(), self.team(), self.inter());
        // The user's choices are for calls of the program.
        let rules = Rules {
            reports_to_tools: false,
            ..Rules::default()
        };
        let words = words.to_vec();
        Box::pin(async move {
            let width = words.len();
            let mine = stored(&port, &words);
            let room = |ranks: u32| port.scratch(width * 8 * ranks as usize);
            let mut remote = Vec::new();
            if let Some(inter) = inter {
                let all = room(inter.remote_size);
                let (send, recv) = (Buffer::bytes(mine), Buffer::bytes(all));
                coll::inter_allgather(&port, &rules, inter, send, recv).await?;
                remote = rows(all, inter.remote_size, width);
            }
            let all = room(team.size);
            let blocks = Blocks::even(Buffer::bytes(all), team.size);
            coll::allgather(&port, &rules, team, Some(Buffer::bytes(mine)), blocks).await?;
            let Some(replies) = listener.announced(rows(all, team.size, width), remote) else {
                return Ok(());
            };
            let ranks = inter.map_or(team.size, |inter| inter.remote_size);
            let width = replies.first().map_or(0, Vec::len);
            let mine = stored(&port, &replies.concat());
            let theirs = port.scratch(mine.len());
            let send = Blocks::even(Buffer::bytes(mine), ranks);
            let recv = Blocks::even(Buffer::bytes(theirs), ranks);
            match inter {
                Some(inter) => coll::inter_alltoall(&port, &rules, inter, send, recv).await?,
                None => coll::alltoall(&port, &rules, team, Some(send), recv).await?,
            }
            listener.received(rows(theirs, ranks, width));
            Ok(())
        })
    }
}

impl Process {
    /// Gives up all exchanges of announcements that are under way.
    pub fn abandon_announcements(&self) {
        self.calls.abandon_aside(&self.engine);
    }

    /// How many announcements of this process others have not answered yet.
    pub fn announcements(&self) -> usize {
        self.recovery.announced.load(Relaxed)
    }

    /// Moves messages until `is_done`, for at most `limit`; returns whether it is done.
    #[expect(
        clippy::disallowed_methods,
        reason = "waits a bounded time for announcements of others, under `--check`"
    )]
    pub fn poll_within(&self, limit: Duration, is_done: impl Fn() -> bool) -> bool {
        let until = Instant::now() + limit;
        loop {
            if is_done() {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            if !self.progress() {
                std::thread::sleep(PAUSE);
            }
        }
    }
}

/// A listener of an announcement that is counted as under way while it lives.
struct Counted<L> {
    listener: L,
    _under_way: UnderWay,
}

impl<L: Listener> Listener for Counted<L> {
    fn announced(&mut self, own: Vec<Vec<u64>>, remote: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        self.listener.announced(own, remote)
    }

    fn received(&mut self, words: Vec<Vec<u64>>) {
        self.listener.received(words);
    }
}

/// The words of all ranks, once they have been exchanged.
struct ExchangedWords(Arc<Mutex<Option<Vec<Vec<u64>>>>>);

impl Listener for ExchangedWords {
    fn announced(&mut self, own: Vec<Vec<u64>>, _remote: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        *self.0.lock() = Some(own);
        None
    }

    fn received(&mut self, _words: Vec<Vec<u64>>) {}
}

/// Returns words in scratch memory of a port.
fn stored(port: &Port, words: &[u64]) -> UserBuf {
    let memory = port.scratch(words.len() * 8);
    for (at, word) in words.iter().enumerate() {
        memory.write(at * 8, &word.to_le_bytes());
    }
    memory
}

/// Returns the words of a row for each rank.
fn rows(memory: UserBuf, ranks: u32, width: usize) -> Vec<Vec<u64>> {
    let word = |at: usize| {
        let mut bytes = [0; 8];
        memory.read(at * 8, &mut bytes);
        u64::from_le_bytes(bytes)
    };
    let row = |rank: usize| (rank * width..(rank + 1) * width).map(word).collect();
    (0..ranks as usize).map(row).collect()
}
