//! Sessions (MPI 5.0, 11.3): independent handles on MPI, each with its own thread level and error
//! handler.
//!
//! A session lists process sets, from which groups are made, from which communicators are made. All
//! sessions share one [`Process`].

use base::Mutex;
use std::sync::Arc;

use base::PeerId;

use mpi_local::hints;

use crate::{BsendBuffer, Class, Errhandler, Error, Group, Info, Process};

/// The sets of processes that there are, in the order in which they are counted.
const PSETS: [(&str, Pset); 3] = [
    ("mpi://WORLD", Pset::World),
    ("mpi://SELF", Pset::This),
    ("mpix://HOST", Pset::Host),
];
/// A second name, by which Open MPI calls the processes of a node.
const SHARED: (&str, Pset) = ("mpix://SHARED", Pset::Host);

/// An info key that a session knows (MPI 5.0, 11.3.1).
const THREAD_LEVEL: &str = "thread_level";
/// The size of a set of processes (MPI 5.0, 11.3.2).
const SIZE: &str = "mpi_size";

#[derive(Clone, Copy)]
enum Pset {
    /// All processes of the job.
    World,
    /// This process.
    This,
    /// The processes of this node.
    Host,
}

/// A level of thread support that an info object requests (MPI 5.0, 11.6.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThreadLevel {
    /// The process has one thread.
    Single,
    /// A single thread calls MPI.
    Funneled,
    /// One thread at a time calls MPI.
    Serialized,
    /// Threads call MPI at any time.
    Multiple,
}

impl ThreadLevel {
    const NAMES: [(&str, ThreadLevel); 4] = [
        ("MPI_THREAD_SINGLE", ThreadLevel::Single),
        ("MPI_THREAD_FUNNELED", ThreadLevel::Funneled),
        ("MPI_THREAD_SERIALIZED", ThreadLevel::Serialized),
        ("MPI_THREAD_MULTIPLE", ThreadLevel::Multiple),
    ];

    /// Returns the level that an info object requests; `Multiple` where it requests none.
    ///
    /// # Errors
    /// `InfoValue` for a text that is no level.
    pub fn asked_for(info: &Info) -> Result<ThreadLevel, Error> {
        let Some(word) = info.get(THREAD_LEVEL)? else {
            return Ok(ThreadLevel::Multiple);
        };
        let found = Self::NAMES.iter().find(|(name, _)| *name == word.trim());
        found.map(|(_, level)| *level).ok_or_else(|| {
            let names = Self::NAMES.map(|(name, _)| name).join(", ");
            let text = format!("{THREAD_LEVEL} is `{word}`; values: {names}");
            Error::new(Class::InfoValue, text)
        })
    }

    fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// A session.
pub struct Session {
    process: Arc<Process>,
    level: ThreadLevel,
    /// Handler of errors.
    pub errhandler: Mutex<Errhandler>,
    /// The buffer of buffered sends on communicators of the session's groups, where it has one.
    pub bsend: Arc<BsendBuffer>,
}

impl Session {
    /// A session of a process that runs.
    pub fn new(process: Arc<Process>, level: ThreadLevel, errhandler: Errhandler) -> Session {
        Session {
            process,
            level,
            errhandler: Mutex::new(errhandler),
            bsend: Arc::default(),
        }
    }

    /// The process that it is a session of.
    pub fn process(&self) -> &Arc<Process> {
        &self.process
    }

    /// The hints in use (MPI 5.0, 11.3.1).
    ///
    /// # Errors
    /// None that can happen: the keys and values are of this module.
    pub fn info(&self) -> Result<Info, Error> {
        let mut info = Info::new();
        info.set(THREAD_LEVEL, self.level.name())?;
        info.set(hints::MEMORY_KINDS, hints::KINDS)?;
        Ok(info)
    }

    /// The names of the sets of processes that this process is in.
    pub fn psets(&self) -> impl ExactSizeIterator<Item = &'static str> {
        PSETS.iter().map(|(name, _)| *name)
    }

    /// The group of the processes in a set (MPI 5.0, 11.3.2).
    ///
    /// # Errors
    /// `Arg` when there is no such set.
    pub fn group(&self, pset: &str) -> Result<Group, Error> {
        let identity = &self.process.identity;
        let peers = match find(pset)? {
            Pset::World => (0..identity.size).map(PeerId).collect(),
            Pset::This => vec![identity.peer],
            Pset::Host => identity.local_peers().collect(),
        };
        Ok(Group::of_session(peers, &self.bsend))
    }

    /// Returns the info of a process set (MPI 5.0, 11.3.2).
    ///
    /// # Errors
    /// `Arg` when there is no such set.
    pub fn pset_info(&self, pset: &str) -> Result<Info, Error> {
        let mut info = Info::new();
        info.set(SIZE, &self.group(pset)?.size().to_string())?;
        Ok(info)
    }
}

fn find(name: &str) -> Result<Pset, Error> {
    let mut known = PSETS.iter().chain([&SHARED]);
    let found = known.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, pset)| *pset).ok_or_else(|| {
        let names = PSETS.map(|(name, _)| name).join(", ");
        let text = format!("no process set is called `{name}`; there are {names}");
        Error::new(Class::Arg, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_come_from_their_names() {
        let mut info = Info::new();
        let asked = ThreadLevel::asked_for;
        assert_eq!(asked(&info).unwrap(), ThreadLevel::Multiple);
        for (name, level) in ThreadLevel::NAMES {
            info.set(THREAD_LEVEL, name).unwrap();
            assert_eq!(asked(&info).unwrap(), level);
            assert_eq!(level.name(), name);
        }
        info.set(THREAD_LEVEL, "MPI_THREAD_MANY").unwrap();
        let error = asked(&info).unwrap_err();
        assert_eq!(error.class, Class::InfoValue);
        assert!(error.text.contains("MPI_THREAD_MANY"), "{}", error.text);
        assert!(
            error.text.contains("MPI_THREAD_SERIALIZED"),
            "{}",
            error.text
        );
    }

    #[test]
    fn the_error_for_an_unknown_set_names_the_known_ones() {
        assert!(matches!(find("mpi://WORLD"), Ok(Pset::World)));
        assert!(matches!(find("mpi://self"), Ok(Pset::This)));
        assert!(matches!(find("mpix://SHARED"), Ok(Pset::Host)));
        let error = find("mpi://MOON").err().unwrap();
        for word in ["mpi://MOON", "mpi://WORLD", "mpi://SELF", "mpix://HOST"] {
            assert!(error.text.contains(word), "{}", error.text);
        }
    }
}
