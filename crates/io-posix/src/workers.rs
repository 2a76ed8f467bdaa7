//! [`Workers`]: threads that carry out accesses which do not block their caller.

use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use base::{Condvar, Mutex};
use mca::Framework;

use crate::system;

/// Most threads: enough to keep a device busy, few beside the threads of the application.
const THREADS_MAX: usize = 4;

/// How long a thread without work stays.
const IDLE_MAX: Duration = Duration::from_secs(1);

/// A piece of work.
pub type Job = Box<dyn FnOnce() + Send>;

/// Threads that carry out pieces of work in the order in which they were given. They come with
/// work, leave after a second without any, and have finished all when this is dropped.
#[derive(Default)]
pub struct Workers {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// Threads, and those of them that wait for work.
    threads: usize,
    idle: usize,
    is_closing: bool,
}

impl Workers {
    /// Has a thread carry out `job`; this one does where the system refuses threads.
    pub fn run(&self, job: Job) {
        let mut state = self.shared.state.lock();
        state.jobs.push_back(job);
        if state.idle >= state.jobs.len() || state.threads == THREADS_MAX {
            drop(state);
            self.shared.changed.notify_one();
            return;
        }
        state.threads += 1;
        drop(state);
        let shared = self.shared.clone();
        match system::spawn(move || shared.work()) {
            Ok(thread) => {
                let mut threads = self.threads.lock();
                threads.retain(|thread| !thread.is_finished());
                threads.push(thread);
            }
            Err(error) => {
                Framework::Fbtl.info(format_args!(
                    "no thread for accesses to files, which block therefore: {error}"
                ));
                let mut state = self.shared.state.lock();
                state.threads -= 1;
                let left = match state.threads {
                    0 => std::mem::take(&mut state.jobs),
                    _ => VecDeque::new(),
                };
                drop(state);
                left.into_iter().for_each(|job| job());
            }
        }
    }
}

impl Shared {
    #[expect(
        clippy::disallowed_methods,
        reason = "a thread for files sleeps until there is an access"
    )]
    fn work(&self) {
        let mut state = self.state.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                drop(state);
                // A job that panics has reported so, and the others wait for this thread.
                let _ = catch_unwind(AssertUnwindSafe(job));
                state = self.state.lock();
                continue;
            }
            if state.is_closing {
                break;
            }
            state.idle += 1;
            let timed_out;
            (state, timed_out) = self.changed.wait_timeout(state, IDLE_MAX);
            state.idle -= 1;
            if timed_out && state.jobs.is_empty() {
                break;
            }
        }
        state.threads -= 1;
    }
}

impl Workers {
    /// Waits until all work is done. No more may be given.
    #[expect(
        clippy::disallowed_methods,
        reason = "ends the threads for files, at the end of MPI"
    )]
    pub fn finish(&self) {
        self.shared.state.lock().is_closing = true;
        self.shared.changed.notify_all();
        let mut threads = self.threads.lock();
        for thread in threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn all_work_is_done_by_a_few_threads_before_the_end() {
        let _alone = crate::faults::alone();
        let workers = Workers::default();
        let (done, now, most) = <(Arc<AtomicUsize>, Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        for _ in 0..200 {
            let (done, now, most) = (done.clone(), now.clone(), most.clone());
            workers.run(Box::new(move || {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_micros(200));
                now.fetch_sub(1, Ordering::SeqCst);
                done.fetch_add(1, Ordering::SeqCst);
            }));
        }
        drop(workers);
        assert_eq!(done.load(Ordering::SeqCst), 200);
        let most = most.load(Ordering::SeqCst);
        assert!((2..=THREADS_MAX).contains(&most), "{most} threads");
    }
}
