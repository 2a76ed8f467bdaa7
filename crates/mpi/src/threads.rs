//! The threads of a process that make progress beside the application.

use std::sync::Arc;

use base::{Mutex, PeerId};
use engine::Engine;
use mca::{Framework, Registry};

use crate::helper::HelperThread;
use crate::progress_thread::{Host, ProgressThread};

/// The threads of a process. They end when this is dropped.
#[derive(Default)]
pub(crate) struct Threads {
    /// Makes progress while the application computes, where the user wants that.
    progress: Mutex<Option<ProgressThread>>,
    /// Serves accesses from this node while the application computes.
    helper: Mutex<Option<HelperThread>>,
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
    }

    /// Starts the helper thread, where any of `peers` can wake it and no progress thread does its
    /// work.
    pub(crate) fn start_helper(
        &self,
        host: &Arc<impl Host>,
        registry: &Registry,
        peers: &[PeerId],
    ) {
        if !registry.bool("osc_standby_thread") || self.are_any() {
            return;
        }
        let engine: &Engine = host.engine();
        if !peers.iter().any(|peer| engine.may_be_woken_by(*peer)) {
            return;
        }
        let Some(word) = engine.helper_word() else {
            return;
        };
        match HelperThread::start(host, word) {
            Ok(helper) => *self.helper.lock() = Some(helper),
            Err(error) => {
                Framework::Osc.warn(format_args!("the helper thread cannot be started: {error}"))
            }
        }
    }

    /// Whether any thread may receive messages.
    pub(crate) fn are_any(&self) -> bool {
        self.progress.lock().is_some() || self.helper.lock().is_some()
    }

    /// Ends the threads.
    pub(crate) fn end(&self) {
        drop(self.progress.lock().take());
        drop(self.helper.lock().take());
    }
}
