//! Sleep and wake-up: how a process sleeps until a peer sends, and how a sender wakes it.
//!
//! Before it sleeps, a process sets its sleep word, and polls once more for messages. A sender
//! checks the word after publishing, which costs it one plain load ([`WakeOrder`]). Where the
//! kernel refuses a process its part in barriers, or processes share cores and sleep in nearly
//! every wait, the owner requires fences of senders (`View::fence`).
//!
//! | word | meaning | how to wake |
//! |---|---|---|
//! | 0 | awake | not needed |
//! | 1 | asleep on the word | clear it, futex wake |
//! | 2 | asleep on descriptors | clear it, write a byte to the owner's pipe |

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::Arc;

use btl::{FutexWord, HELPER_ASLEEP};
use shm::WakeOrder;
use sync::futex;

use crate::segment::View;

const AWAKE: u32 = 0;
pub(crate) const ON_WORD: u32 = 1;
const ON_PIPE: u32 = 2;

/// The owner's side of the doorbell.
pub(crate) struct Doorbell {
    own: View,
    pipe: File,
    /// The pipe's writing end: peers open it by number.
    ringer: File,
    /// Whether there may be bytes in the pipe: it has been slept on since it was emptied.
    has_rung: bool,
    order: WakeOrder,
    /// Whether the kernel refused this process a part in barriers.
    unreached: bool,
}

impl Doorbell {
    pub(crate) fn new(own: View, crowded: bool) -> io::Result<Doorbell> {
        let mut ends: [RawFd; 2] = [0; 2];
        // SAFETY: `ends` has room for the two descriptors.
        if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: both descriptors are new and belong to nobody else.
        let (pipe, ringer) = unsafe { (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])) };
        let unreached = WakeOrder::register().fences();
        let order = WakeOrder::between(unreached || crowded);
        own.fence()
            .store(u32::from(order.fences()), Ordering::Relaxed);
        Ok(Doorbell {
            own,
            pipe,
            ringer,
            has_rung: false,
            order,
            unreached,
        })
    }

    /// Whether the kernel refused this process a part in barriers: it fences whenever it sends.
    pub(crate) fn is_unreached(&self) -> bool {
        self.unreached
    }

    pub(crate) fn ringer(&self) -> RawFd {
        self.ringer.as_raw_fd()
    }

    pub(crate) fn descriptor(&self) -> RawFd {
        self.pipe.as_raw_fd()
    }

    /// Announces that the owner is about to sleep on the word, or on the pipe. What rang last time
    /// is taken out of the pipe here: after a sleep the message goes first.
    pub(crate) fn arm(&mut self, on_word: bool) {
        if !on_word && std::mem::replace(&mut self.has_rung, true) {
            let mut drained = [0; 64];
            while matches!((&self.pipe).read(&mut drained), Ok(n) if n == drained.len()) {}
        }
        let how = if on_word { ON_WORD } else { ON_PIPE };
        self.own.sleep().store(how, Ordering::SeqCst);
        self.order.before_last_poll();
    }

    /// Announces that the owner is awake.
    pub(crate) fn disarm(&self) {
        self.own.sleep().store(AWAKE, Ordering::SeqCst);
    }
}

/// The sleep word of a process, for the driver.
pub(crate) struct SleepWord(pub(crate) View);

impl FutexWord for SleepWord {
    fn word(&self) -> &AtomicU32 {
        self.0.sleep()
    }
}

/// The word on which the helper thread sleeps.
pub(crate) struct StandbyWord(pub(crate) View);

impl FutexWord for StandbyWord {
    fn word(&self) -> &AtomicU32 {
        self.0.standby()
    }
}

/// Wakes the helper thread of a peer's process.
pub(crate) fn wake_helper_thread(peer: &View) {
    let word = peer.standby();
    if word.load(Ordering::Relaxed) == HELPER_ASLEEP
        && word.swap(AWAKE, Ordering::SeqCst) == HELPER_ASLEEP
    {
        futex::wake(word, 1);
    }
}

/// Most pipes of peers that stay open: the descriptors of a process do not grow with its peers, and
/// those that wake each other all the time are few.
const PIPES_MAX: usize = 32;

/// Number of pipes of peers that a process holds.
#[derive(Clone, Default)]
pub(crate) struct Pipes(Arc<AtomicUsize>);

/// A pipe that stays open.
struct OpenPipe {
    pipe: File,
    pipes: Pipes,
}

impl Drop for OpenPipe {
    fn drop(&mut self) {
        self.pipes.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A sender's side of one peer's doorbell.
pub(crate) struct Ringer {
    pid: u32,
    bell_fd: u32,
    pipe: Option<OpenPipe>,
    pipes: Pipes,
    order: WakeOrder,
}

impl Ringer {
    /// `unreached`: barriers of other processes do not reach this one (see
    /// [`Doorbell::is_unreached`]).
    pub(crate) fn new(
        peer: &View,
        (pid, bell_fd): (u32, u32),
        unreached: bool,
        pipes: Pipes,
    ) -> Ringer {
        let fences = unreached || peer.fence().load(Ordering::Relaxed) != 0;
        Ringer {
            pid,
            bell_fd,
            pipe: None,
            pipes,
            order: WakeOrder::between(fences),
        }
    }

    /// Wakes the peer if it sleeps. Called after something was published for it.
    #[inline]
    pub(crate) fn ring(&mut self, peer: &View) {
        self.order.before_check();
        if peer.sleep().load(Ordering::Relaxed) != AWAKE {
            self.wake(peer);
        }
    }

    /// Wakes the peer if it sleeps, before something is published for it: it needs as long to wake
    /// up as the message to be written. It may fall asleep once more, so [`Ringer::ring`] follows.
    pub(crate) fn ring_ahead(&mut self, peer: &View) {
        if peer.sleep().load(Ordering::Relaxed) != AWAKE {
            self.wake(peer);
        }
    }

    #[cold]
    fn wake(&mut self, peer: &View) {
        match peer.sleep().swap(AWAKE, Ordering::SeqCst) {
            AWAKE => {}
            ON_WORD => futex::wake(peer.sleep(), 1),
            _ => self.write_pipe(),
        }
    }

    fn write_pipe(&mut self) {
        // A full pipe wakes as well, and the death of a peer is reported elsewhere.
        if let Some(kept) = &mut self.pipe {
            let _ = kept.pipe.write(&[1]);
            return;
        }
        let path = format!("/proc/{}/fd/{}", self.pid, self.bell_fd);
        // For reading, too: writing to a pipe without a reader, since the peer has died, ends the
        // process (SIGPIPE).
        let mut both = File::options();
        let both = both.read(true).write(true);
        let Ok(mut pipe) = both.custom_flags(libc::O_NONBLOCK).open(path) else {
            return;
        };
        let _ = pipe.write(&[1]);
        if self.pipes.0.fetch_add(1, Ordering::Relaxed) < PIPES_MAX {
            let pipes = self.pipes.clone();
            self.pipe = Some(OpenPipe { pipe, pipes });
        } else {
            self.pipes.0.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use base::PeerId;

    use super::*;

    #[test]
    fn ringing_for_who_has_died_is_in_vain_and_no_more() {
        let open = |peer| crate::open(crate::Config::with_defaults(PeerId(peer))).unwrap();
        let (mut dying, other) = (open(0), open(1));
        let (view, descriptor) = (dying.own.clone(), dying.bell.ringer() as u32);
        let reach = (std::process::id(), descriptor);
        let mut ringer = Ringer::new(&view, reach, other.bell.is_unreached(), Pipes::default());
        dying.bell.arm(false);
        ringer.ring(&view);
        assert_eq!(view.sleep().load(Ordering::Relaxed), AWAKE);
        let mut rung = [0; 2];
        assert_eq!((&dying.bell.pipe).read(&mut rung).unwrap(), 1);
        dying.bell.arm(false);
        drop(dying);
        view.sleep().store(ON_PIPE, Ordering::Relaxed);
        ringer.ring(&view);
        // Tests are spared the signal. It comes with an error of the write.
        let written = (&ringer.pipe.as_ref().unwrap().pipe).write(&[1]);
        assert_eq!(written.unwrap(), 1);
    }

    #[test]
    fn a_ring_ahead_ends_a_sleep_and_the_next_one_is_rung_again() {
        let open = |peer| crate::open(crate::Config::with_defaults(PeerId(peer))).unwrap();
        let mut sleeper = open(0);
        let view = sleeper.own.clone();
        let reach = (std::process::id(), sleeper.bell.ringer() as u32);
        let mut ringer = Ringer::new(&view, reach, false, Pipes::default());
        let sleep = || view.sleep().load(Ordering::Relaxed);
        ringer.ring_ahead(&view);
        for on_word in [true, false, false] {
            sleeper.bell.arm(on_word);
            ringer.ring_ahead(&view);
            assert_eq!(sleep(), AWAKE);
            sleeper.bell.disarm();
            sleeper.bell.arm(on_word);
            let mut left = [0; 2];
            let in_pipe = (&sleeper.bell.pipe).read(&mut left);
            assert!(
                in_pipe.is_err(),
                "a ring of the sleep before would end this one"
            );
            ringer.ring(&view);
            assert_eq!(sleep(), AWAKE);
        }
    }

    #[test]
    fn few_pipes_stay_open_and_every_ring_arrives() {
        let open = |peer| crate::open(crate::Config::with_defaults(PeerId(peer))).unwrap();
        let mut sleeper = open(0);
        let reach = (std::process::id(), sleeper.bell.ringer() as u32);
        let pipes = Pipes::default();
        let new = |_| Ringer::new(&sleeper.own, reach, false, pipes.clone());
        let mut ringers: Vec<Ringer> = (0..PIPES_MAX + 5).map(new).collect();
        for ringer in &mut ringers {
            sleeper.bell.arm(false);
            ringer.ring(&sleeper.own);
            let mut rung = [0; 2];
            assert_eq!((&sleeper.bell.pipe).read(&mut rung).unwrap(), 1);
        }
        let kept = ringers.iter().filter(|ringer| ringer.pipe.is_some());
        assert_eq!(kept.count(), PIPES_MAX);
        ringers.truncate(1);
        assert_eq!(pipes.0.load(Ordering::Relaxed), 1);
    }
}
