//! The helper thread: serves accesses from this node while the application computes
//! (`--mca osc_standby_thread 0` turns it off).
//!
//! It starts with the first window that is served by messages, and sleeps until an origin that has
//! polled for a reply without success wakes it (`engine`, `progress.rs`). Then it does one round of
//! progress, as [`crate::progress_thread`]'s thread makes all the time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;

use btl::{FutexWord, HELPER_ASLEEP};
use sync::futex;

use crate::progress_thread::Host;

/// The helper thread. It ends when this is dropped.
pub(crate) struct HelperThread {
    stop: Arc<AtomicBool>,
    word: Arc<dyn FutexWord>,
    thread: Option<JoinHandle<()>>,
}

impl HelperThread {
    pub(crate) fn start(
        host: &Arc<impl Host>,
        word: Arc<dyn FutexWord>,
    ) -> std::io::Result<HelperThread> {
        // The first barrier takes milliseconds in a process of several threads.
        sync::barrier::own_threads();
        let stop = Arc::new(AtomicBool::new(false));
        let (host, stopped, asleep) = (Arc::downgrade(host), stop.clone(), word.clone());
        let body = move || run(&host, &stopped, &*asleep);
        let thread = Some(sync::thread::spawn("oxmpi-helper", body)?);
        Ok(HelperThread { stop, word, thread })
    }
}

impl Drop for HelperThread {
    #[expect(
        clippy::disallowed_methods,
        reason = "ends the thread that makes progress for targets that compute"
    )]
    fn drop(&mut self) {
        // Either this sees the thread asleep, or the thread sees this before it sleeps.
        self.stop.store(true, Ordering::SeqCst);
        self.word.word().swap(0, Ordering::SeqCst);
        futex::wake(self.word.word(), 1);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "that thread sleeps until an origin wakes it"
)]
fn run(host: &Weak<impl Host>, stop: &AtomicBool, word: &dyn FutexWord) {
    let word = word.word();
    loop {
        word.store(HELPER_ASLEEP, Ordering::SeqCst);
        if stop.load(Ordering::SeqCst) {
            return;
        }
        futex::wait(word, HELPER_ASLEEP, None);
        // A signal or a stale wake leaves the value as it was: sleep again.
        if word.load(Ordering::SeqCst) == HELPER_ASLEEP {
            continue;
        }
        let Some(host) = host.upgrade() else {
            return;
        };
        host.engine().stand_in();
    }
}
