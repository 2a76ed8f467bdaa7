//! The tool information interface: what is initialised, the handles of all tools, and the events
//! that are raised for them (MPI 5.0, 15.3).
//!
//! Everything is behind one lock, which no other call of MPI takes but the first of a life with MPI
//! and a call that fails, and which is never held while a function of the user is called. Values of
//! performance variables are read from [`base::Counters`], which the engine writes, without its
//! gate.

use base::{Mutex, MutexGuard};
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use base::tool_event;
use base::{Clock, Counters, Monotonic};
use mca::{Framework, Registry, Sources};
use mpi::Process;
use mpit::category::{self, Category};
use mpit::control::Controls;
use mpit::event::{self, Instance};
use mpit::performance::Reading;

use crate::args::{
    TCbSafety, TCvarHandle, TEventCbFunction, TEventDroppedCbFunction, TEventInstance,
    TEventRegistration, TPvarHandle, TPvarSession,
};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::handle_table::Table;
use crate::installation::prefix;

/// The state of the tool information interface.
#[derive(Default)]
pub struct Tool {
    state: Mutex<State>,
    /// Registrations of callbacks, for whoever raises an event.
    listeners: AtomicUsize,
    /// The clock of the source of events.
    clock: OnceLock<Monotonic>,
}

/// State that all tools share.
#[derive(Default)]
pub struct State {
    /// Calls of `MPI_T_init_thread` that no `MPI_T_finalize` has followed.
    users: usize,
    known: Option<Known>,
    /// Counters of the current life with MPI, or of the last one.
    pub counters: Arc<Counters>,
    /// Positions of control variables.
    pub controls: Table<TCvarHandle, usize>,
    /// Sessions of performance variables.
    pub sessions: Table<TPvarSession, ()>,
    /// Handles of performance variables, with their sessions.
    pub readings: Table<TPvarHandle, (TPvarSession, Reading)>,
    /// Registrations of callbacks.
    pub registrations: Table<TEventRegistration, Registration>,
    /// Events that are being delivered.
    pub instances: Table<TEventInstance, Instance>,
}

/// Variables and categories that there are; they stay as they were first found.
pub struct Known {
    /// The control variables.
    pub controls: Controls,
    /// The categories.
    pub categories: Vec<Category>,
}

/// A tool's interest in a type of events.
pub struct Registration {
    /// Position of the type.
    pub event: usize,
    /// Callbacks: what each may do, with the tool's data. The least restricted comes first.
    pub callbacks: Vec<(TCbSafety, TEventCbFunction, UserData)>,
    /// Called where events were lost, which none is here.
    pub dropped: TEventDroppedCbFunction,
}

/// An address of the tool's, which is only handed back.
#[derive(Clone, Copy)]
pub struct UserData(pub *mut c_void);

// SAFETY: the address is not followed here.
unsafe impl Send for UserData {}

impl Tool {
    /// Begins the use by a tool.
    pub fn init(&self) -> Result<(), Failure> {
        let mut state = self.lock();
        if state.known.is_none() {
            state.known = Some(Known::load()?);
        }
        state.users += 1;
        Ok(())
    }

    /// Ends the use by a tool; handles of the others stay.
    pub fn finalize(&self) -> Result<(), Failure> {
        let mut state = self.enter()?;
        state.users -= 1;
        Ok(())
    }

    /// Returns the state, for one call.
    ///
    /// # Errors
    /// Where no tool has initialised the interface.
    pub fn enter(&self) -> Result<MutexGuard<'_, State>, Failure> {
        let state = self.lock();
        match state.users {
            0 => Err(Failure::new(
                MPI_T_ERR_NOT_INITIALIZED,
                "call MPI_T_init_thread first",
            )),
            _ => Ok(state),
        }
    }

    /// Takes a life with MPI that has begun.
    pub fn attach(&self, process: &Process) {
        let mut state = self.lock();
        state.counters = process.engine.counters().clone();
        if let Some(known) = &mut state.known {
            known.controls.refresh(&process.registry);
        }
    }

    /// Returns the parameters that tools have written.
    pub fn written(&self) -> Vec<(String, String)> {
        let state = self.lock();
        let known = state.known.as_ref();
        known.map_or_else(Vec::new, |known| known.controls.written())
    }

    /// Returns what a tool has written into a switch.
    pub fn written_switch(&self, name: &str) -> Option<bool> {
        let state = self.lock();
        state.known.as_ref()?.controls.written_switch(name)
    }

    /// Counts a registration in or out.
    pub fn listen(&self, begins: bool) {
        let before = match begins {
            true => self.listeners.fetch_add(1, Ordering::Relaxed),
            false => self.listeners.fetch_sub(1, Ordering::Relaxed),
        };
        tool_event::enable(begins || before > 1);
    }

    /// Calls the callbacks for the news that have come. The caller is as for [`Tool::raise`].
    pub fn raise_news(&self) {
        let (all, dropped) = tool_event::take();
        if dropped > 0 {
            Framework::Mpi.warn(format_args!(
                "{dropped} events were dropped before a call has returned"
            ));
        }
        for one in all {
            let state = self.lock();
            let known = state.known.as_ref();
            let event = known.map(|known| event::of_tool_event(&one, &known.controls));
            drop(state);
            if let Some((kind, elements)) = event {
                self.raise(kind, &elements);
            }
        }
    }

    /// Calls the callbacks for an event. The caller holds no lock and is in no engine.
    pub fn raise(&self, kind: usize, elements: &[i64]) {
        if self.listeners.load(Ordering::Relaxed) == 0 {
            return;
        }
        let instance = Instance {
            event: kind,
            time: self.now(),
            elements: elements.to_vec(),
        };
        let mut state = self.lock();
        let mut calls = Vec::new();
        for (handle, registration) in state.registrations.iter() {
            let callback = registration.callbacks.first();
            calls.extend(
                callback
                    .filter(|_| registration.event == kind)
                    .map(|(_, function, data)| (handle, *function, *data)),
            );
        }
        let Ok(number) = state.instances.insert(instance) else {
            return;
        };
        drop(state);
        for (handle, function, data) in calls {
            if let Some(function) = function {
                // SAFETY: the tool has registered the function for this, with this data
                // (MPI 5.0, 15.3.8).
                unsafe { function(number, handle, MPI_T_CB_REQUIRE_NONE, data.0) };
            }
        }
        let _ = self.lock().instances.remove(number);
    }

    /// Notifies tools that a call has failed, and of processes that were given up.
    #[cold]
    pub fn raise_failure(&self, code: i32) {
        if self.listeners.load(Ordering::Relaxed) == 0 {
            return;
        }
        self.raise(event::CALL_FAILED, &[i64::from(code)]);
        let failed = self.lock().counters.peers_failed.get();
        if failed > 0 {
            self.raise(event::PEER_FAILED, &[failed as i64]);
        }
    }

    /// Returns the time by the clock of the source of events, in nanoseconds.
    pub fn now(&self) -> i64 {
        let clock = self.clock.get_or_init(Monotonic::start);
        i64::try_from(clock.now().0).unwrap_or(i64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl State {
    /// Returns the variables and categories.
    pub fn known(&mut self) -> &mut Known {
        self.known.as_mut().expect("a tool has initialised it")
    }
}

impl Known {
    fn load() -> Result<Known, Failure> {
        let launchers = mca::launcher::PARAMS;
        let tables = mpi_components::params::all_tables();
        let registry = Registry::load(&tables, &Sources::from_process(prefix()));
        let registry =
            registry.map_err(|errors| Failure::new(MPI_T_ERR_CANNOT_INIT, errors.to_string()))?;
        let is_launchers = |name: &str| launchers.iter().any(|param| param.name == name);
        let controls = Controls::new(&registry, is_launchers);
        Ok(Known {
            categories: category::all(&controls),
            controls,
        })
    }
}
