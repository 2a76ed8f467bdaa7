//! The launcher: fences, addresses, and ranks that are started again.
//!
//! It does what `launch_job::job::restart` and the client of `bootstrap` do: a life passes the
//! fence that its earlier life has passed, and the others learn its address.

use std::collections::VecDeque;

use base::Random;

/// The address of a life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Card {
    pub(crate) life: u32,
    pub(crate) address: Vec<u8>,
}

/// A message of the launcher.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// A fence is complete: the address of each rank, and whether it was before.
    Release(Vec<Option<Card>>, bool),
    /// The next life of a rank has this address.
    Reborn(usize, Card),
}

/// Where a rank is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Dead; the launcher sees it in this many rounds.
    Dead { unseen: u64 },
    /// To be started in this many rounds.
    Starting { rounds: u64 },
    /// It has connected, and waits in the fence.
    InFence,
    /// It has passed the fence.
    Running,
}

pub(crate) struct Launcher {
    states: Vec<State>,
    lives: Vec<u32>,
    published: Vec<Option<Card>>,
    has_met: bool,
    /// Messages on their way to each rank, with the rounds that each takes.
    mail: Vec<VecDeque<(u64, News)>>,
}

impl Launcher {
    pub(crate) fn new(ranks: usize) -> Launcher {
        Launcher {
            states: vec![State::Starting { rounds: 0 }; ranks],
            lives: vec![1; ranks],
            published: vec![None; ranks],
            has_met: false,
            mail: (0..ranks).map(|_| VecDeque::new()).collect(),
        }
    }

    /// Lets a round pass. Returns whether anything is to come.
    pub(crate) fn step(&mut self, random: &mut Random) -> bool {
        let mut busy = false;
        for rank in 0..self.states.len() {
            let state = &mut self.states[rank];
            match state {
                State::Dead { unseen: 0 } => {
                    self.published[rank] = None;
                    self.lives[rank] += 1;
                    self.mail[rank].clear();
                    let rounds = random.below(40);
                    *state = State::Starting { rounds };
                    busy = true;
                }
                State::Dead { unseen: left } | State::Starting { rounds: left } => {
                    *left = left.saturating_sub(1);
                    busy = true;
                }
                State::InFence | State::Running => {}
            }
            if let Some((left, _)) = self.mail[rank].front_mut() {
                *left = left.saturating_sub(1);
                busy = true;
            }
        }
        busy
    }

    /// Returns the number of the life of a rank that is to be started now.
    pub(crate) fn starts(&self, rank: usize) -> Option<u32> {
        let is_due = matches!(self.states[rank], State::Starting { rounds: 0 });
        is_due.then_some(self.lives[rank])
    }

    /// Takes a life into the fence, or past it.
    pub(crate) fn enter_fence(&mut self, rank: usize, life: u32, address: Vec<u8>) {
        let card = Card { life, address };
        self.published[rank] = Some(card.clone());
        self.states[rank] = State::InFence;
        if self.has_met {
            self.states[rank] = State::Running;
            let release = News::Release(self.published.clone(), true);
            self.post(rank, release);
            for other in (0..self.states.len()).filter(|other| *other != rank) {
                if matches!(self.states[other], State::Running | State::InFence) {
                    self.post(other, News::Reborn(rank, card.clone()));
                }
            }
        } else if self.states.iter().all(|state| *state == State::InFence) {
            self.has_met = true;
            for rank in 0..self.states.len() {
                self.states[rank] = State::Running;
                let release = News::Release(self.published.clone(), false);
                self.post(rank, release);
            }
        }
    }

    /// A rank has died.
    pub(crate) fn lose(&mut self, rank: usize, random: &mut Random) {
        let most = [1, 5, 40][random.index(3)];
        let unseen = random.below(most);
        self.states[rank] = State::Dead { unseen };
    }

    /// Takes the next message for a rank that has arrived.
    pub(crate) fn next(&mut self, rank: usize) -> Option<News> {
        let mail = &mut self.mail[rank];
        match mail.front() {
            Some((0, _)) => mail.pop_front().map(|(_, news)| news),
            _ => None,
        }
    }

    fn post(&mut self, rank: usize, news: News) {
        // By the number of messages, so that equal seeds give equal runs.
        let rounds = (rank as u64 * 7 + self.lives.iter().sum::<u32>() as u64 * 5) % 9;
        self.mail[rank].push_back((rounds, news));
    }
}
