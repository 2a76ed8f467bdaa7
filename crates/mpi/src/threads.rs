//! The threads of a process that make progress beside the application.

use std::sync::Arc;

use base::{Mutex, PeerId};
use engine::{Engine, HelperThread, Host, OwnWord, ProgressThread, Watch};
use mca::{Framework, Registry};

/// The threads of a process. They end when this is dropped.
#[derive(Default)]
pub(crate) struct Threads {
    /// Makes progress while the application computes, where the user wants that.
    progress: Mutex<Option<ProgressThread>>,
    /// Makes progress now and then while the application computes.
    helper: Mutex<Option<HelperThread>>,
    /// Whether the helper thread looks after pending operations.
    watch: Arc<Watch>,
}

impl Threads {
    /// Starts the progress thread, where the user wants that.
    pub(crate) fn start(&self, host: &Arc<impl Host>, registry: &Registry) {
        let wanted = |name| registry.bool(name);
        if wanted("btl_tcp_progress_thread") || wanted("osc_progress_thread") {
            match ProgressThread::start(host) {
                Ok(thread) => *self.progress.lock() = Some(thread),
                Err(error) => Framework::Mpi.warn(format_args!("no progress thread: {error}")),
            }
        }
        // Messages that are logged are in an order that no thread may change.
        let observed = host.engine().enter().is_observed();
        self.allow_watching(!observed && wanted("mpi_standby_thread"));
    }

    /// Sets whether the helper thread may look after pending operations; a progress thread does so
    /// in any case.
    pub(crate) fn allow_watching(&self, allowed: bool) {
        let allowed = allowed && self.progress.lock().is_none();
        self.watch.allow(allowed);
    }

    /// Starts the helper thread for accesses to windows, where any of `peers` can wake it and no
    /// other thread does its work.
    pub(crate) fn start_helper(
        &self,
        host: &Arc<impl Host>,
        registry: &Registry,
        peers: &[PeerId],
    ) {
        let engine: &Engine = host.engine();
        let may_wake = |peer: &PeerId| engine.may_be_woken_by(*peer);
        if registry.bool("osc_standby_thread") && peers.iter().any(may_wake) {
            self.ensure_helper(host);
        }
    }

    /// Whether pending operations are looked after, or are not to be.
    #[inline]
    pub(crate) fn are_watching(&self) -> bool {
        self.watch.is_settled()
    }

    /// Lets the helper thread look after pending operations.
    #[cold]
    pub(crate) fn begin_to_watch(&self, host: &Arc<impl Host>) {
        self.watch.ask();
        self.ensure_helper(host);
        if let Some(helper) = &*self.helper.lock() {
            helper.watch();
        }
    }

    /// Starts the helper thread where it does not run, and no progress thread does its work.
    fn ensure_helper(&self, host: &Arc<impl Host>) {
        if self.are_any() {
            return;
        }
        let word = host.engine().helper_word();
        let word = word.unwrap_or_else(|| Arc::new(OwnWord::default()));
        let mut helper = self.helper.lock();
        if helper.is_some() {
            // Another thread has been faster.
            return;
        }
        match HelperThread::start(host, word, self.watch.clone()) {
            Ok(started) => *helper = Some(started),
            Err(error) => {
                Framework::Mpi.warn(format_args!("the helper thread cannot be started: {error}"))
            }
        }
    }

    /// Whether any thread may receive messages.
    pub(crate) fn are_any(&self) -> bool {
        self.progress.lock().is_some() || self.helper.lock().is_some()
    }

    /// Ends the threads.
    pub(crate) fn end(&self) {
        self.watch.allow(false);
        drop(self.progress.lock().take());
        drop(self.helper.lock().take());
    }
}
