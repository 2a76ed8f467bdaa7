//! The progress thread, which polls while the application computes (`--mca
//! btl_tcp_progress_thread 1`, or `--mca osc_progress_thread 1`).
//!
//! It moves point-to-point messages and memory accesses only: user-defined operators and error
//! handlers always run in the application's own threads. It enters the engine by its gate as every
//! thread does, so the gate is shared as long as the thread exists, whatever the thread level.

use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;

use crate::engine::Engine;

/// A process, as its threads know it.
pub trait Host: Send + Sync + 'static {
    /// The engine that they enter.
    fn engine(&self) -> &Engine;

    /// Continues pending collectives whose messages have ended, but for those that run code of the
    /// application. Whether one was continued. The caller may enter the engine.
    fn advance_calls(&self) -> bool;

    /// Whether collectives are pending that are made of messages.
    fn has_calls(&self) -> bool;
}

/// The progress thread. It ends when this is dropped.
pub struct ProgressThread {
    stop: Arc<AtomicBool>,
    /// Doorbell: a byte written here ends the thread's sleep.
    bell: UnixStream,
    thread: Option<JoinHandle<()>>,
}

impl ProgressThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system refuses a thread or a pair of sockets.
    pub fn start(host: &Arc<impl Host>) -> std::io::Result<ProgressThread> {
        host.engine().share();
        let (bell, ear) = UnixStream::pair()?;
        let stop = Arc::new(AtomicBool::new(false));
        let (host, stopped) = (Arc::downgrade(host), stop.clone());
        let body = move || run(&host, &stopped, &ear);
        let thread = sync::thread::spawn("oxmpi-progress", body)?;
        let thread = Some(thread);
        Ok(ProgressThread { stop, bell, thread })
    }
}

impl Drop for ProgressThread {
    #[expect(clippy::disallowed_methods, reason = "ends a helper thread")]
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        // A full bell rings as well as one more.
        let _ = self.bell.write(&[0]);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(host: &Weak<impl Host>, stop: &AtomicBool, ear: &UnixStream) {
    while !stop.load(Ordering::Acquire) {
        let Some(host) = host.upgrade() else {
            return;
        };
        host.engine().assist(ear.as_raw_fd());
    }
}
