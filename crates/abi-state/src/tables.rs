//! The objects behind the user's handles.
//!
//! Each kind has a table ([`crate::handle_table`]).
//!
//! Objects are behind `Arc`s: freeing a handle forgets the object here, while operations that
//! use it keep it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};

use base::Mutex;
use datatype::{Combiner, Datatype};
use mpi::{Comm, Errhandler, ErrorCodes, Generalized, Group, Info, Session};
use mpi_file::File;
use mpi_local::attr::{Attributes, Keyvals};
use mpi_win::Window;

use crate::args;
use crate::failure::Failure;
use crate::generated::constants::*;
pub use crate::handle_table::{unknown, Handle, Kind, Table};
use crate::request_handle::{of_file, of_window, Entry, Messages};

/// A datatype, and what the user attached to it.
pub struct TypeEntry {
    /// The type map.
    pub datatype: Arc<Datatype>,
    /// Values cached on it.
    pub attributes: Attributes,
    /// Functions of the user that run with this handle as their argument.
    lent: usize,
    /// Whether the handle goes once no function has it any more.
    freed: bool,
}

impl TypeEntry {
    /// A datatype that nobody has used.
    pub fn new(datatype: Arc<Datatype>, attributes: Attributes) -> TypeEntry {
        TypeEntry {
            datatype,
            attributes,
            lent: 0,
            freed: false,
        }
    }
}

/// An error handler that the user made, or queried; freed as often as it was returned.
pub struct ErrhandlerEntry {
    /// The reaction to an error.
    pub errhandler: Errhandler,
    /// How many times it can be freed.
    pub given: usize,
}

/// An operation that the user made.
pub type UserOp = Arc<crate::callback::OpFunction>;

/// A window that the user has a handle for.
pub struct WinEntry {
    /// The window.
    pub window: Window,
    /// Values of the predefined attributes.
    pub values: WinValues,
    /// The address of memory that MPI has allocated for it; 0 when it has not.
    pub allocated: usize,
}

/// Values to which predefined attributes of a window point (MPI 5.0, 12.2.6).
pub struct WinValues {
    /// `MPI_WIN_BASE`: the address itself.
    pub base: usize,
    /// `MPI_WIN_SIZE`, an `MPI_Aint`.
    pub size: i64,
    /// `MPI_WIN_DISP_UNIT`.
    pub unit: i32,
    /// `MPI_WIN_CREATE_FLAVOR`.
    pub flavor: i32,
    /// `MPI_WIN_MODEL`: stores of peers and of this process meet in one memory.
    pub model: i32,
}

/// Objects of calls that any thread may make at any time, whatever the level of thread support (MPI
/// 5.0, 11.4.1): they have a gate of their own, which is always shared.
#[derive(Default)]
pub struct Anytime {
    /// Info objects, but for `MPI_INFO_ENV`.
    pub infos: Table<args::Info, Info>,
    /// Error handlers, but for the predefined ones.
    pub errhandlers: Table<args::Errhandler, ErrhandlerEntry>,
    /// Error classes and codes that the user added.
    pub error_codes: ErrorCodes,
    /// Properties that a Fortran binding set of its types.
    pub fortran_info: Option<Info>,
    /// Truth values that a Fortran binding set: their bytes, true and false.
    pub fortran_booleans: Option<(usize, u128, u128)>,
}

impl Anytime {
    /// The error handler of a handle.
    pub fn errhandler(&self, handle: args::Errhandler) -> Result<Errhandler, Failure> {
        match handle {
            MPI_ERRORS_ARE_FATAL => Ok(Errhandler::Fatal),
            MPI_ERRORS_ABORT => Ok(Errhandler::Abort),
            MPI_ERRORS_RETURN => Ok(Errhandler::Return),
            other => Ok(self.errhandlers.get(other)?.errhandler.clone()),
        }
    }

    /// A handle for an error handler, which the user is to free: the one there is, or a new one.
    pub fn errhandler_handle(
        &mut self,
        errhandler: &Errhandler,
    ) -> Result<args::Errhandler, Failure> {
        match errhandler {
            Errhandler::Fatal => return Ok(MPI_ERRORS_ARE_FATAL),
            Errhandler::Abort => return Ok(MPI_ERRORS_ABORT),
            Errhandler::Return => return Ok(MPI_ERRORS_RETURN),
            Errhandler::User(_) => {}
        }
        let same = |(_, entry): &(_, &ErrhandlerEntry)| entry.errhandler.same(errhandler);
        let known = self.errhandlers.iter().find(same).map(|(handle, _)| handle);
        if let Some(handle) = known {
            self.errhandlers.get_mut(handle)?.given += 1;
            return Ok(handle);
        }
        self.errhandlers.insert(ErrhandlerEntry {
            errhandler: errhandler.clone(),
            given: 1,
        })
    }
}

/// Everything else that handles stand for.
#[derive(Default)]
pub struct Tables {
    /// Communicators, but for the predefined ones.
    pub comms: Table<args::Comm, Arc<Comm>>,
    /// `MPI_COMM_WORLD`, while there is one.
    pub world: Option<Arc<Comm>>,
    /// The inter-communicator with the processes that spawned this one, where some did.
    pub parent: Option<(args::Comm, Weak<Comm>)>,
    /// `MPI_COMM_SELF`, while there is one.
    pub this: Option<Arc<Comm>>,
    /// Whether the program ever set the error handler of `MPI_COMM_SELF`.
    pub this_has_errhandler: bool,
    /// Windows.
    pub wins: Table<args::Win, Arc<WinEntry>>,
    /// Files.
    pub files: Table<args::File, Arc<File>>,
    /// Sessions.
    pub sessions: Table<args::Session, Arc<Session>>,
    /// Requests.
    pub requests: Table<args::Request, Entry>,
    /// Generalized requests that were freed and are not complete, by their handles.
    pub freed_operations: HashMap<usize, Arc<dyn Generalized>>,
    /// State of requests that are plain messages beside that in the engine.
    pub messages_started: Messages,
    /// Messages that matched probes took.
    pub messages: Table<args::Message, (pml::MessageId, args::Comm)>,
    /// Groups, but for the empty one.
    pub groups: Table<args::Group, Group>,
    /// Derived datatypes, and those of given precision.
    pub datatypes: Table<args::Datatype, TypeEntry>,
    /// User-defined operations.
    pub ops: Table<args::Op, UserOp>,
    /// Attribute keys of communicators.
    pub comm_keyvals: Keyvals,
    /// Attribute keys of datatypes.
    pub type_keyvals: Keyvals,
    /// Attribute keys of windows.
    pub win_keyvals: Keyvals,
    /// How many attribute keys there have been.
    pub keyvals_made: i32,
    /// Attributes of predefined datatypes, by handle.
    pub predefined_attributes: HashMap<usize, Attributes>,
    /// Datatypes of given precision and range, by combiner, precision and range: made once, and
    /// never freed (MPI 5.0, 19.1.9).
    pub sized_types: HashMap<(i32, i32, i32), args::Datatype>,
    /// The error handler of `MPI_FILE_NULL`, which new files get; `MPI_ERRORS_RETURN` unless the
    /// user set another (MPI 5.0, 14.7).
    pub file_errhandler: Option<Errhandler>,
    /// Error handlers of communicators, windows and files that were freed while there were requests
    /// of them, by their former handles ([`Tables::outlive`]).
    pub outlived: HashMap<usize, Errhandler>,
}

/// Communication objects that are left when nobody uses MPI any more.
pub struct Leftovers {
    _requests: Vec<Entry>,
    _messages: Vec<(pml::MessageId, args::Comm)>,
    _wins: Vec<Arc<WinEntry>>,
    _files: Vec<Arc<File>>,
    _comms: Vec<Arc<Comm>>,
}

impl Tables {
    /// Takes out what was not freed and belongs to the life that ends.
    pub fn take_communication(&mut self) -> Leftovers {
        self.freed_operations.clear();
        self.outlived.clear();
        let comms = self.comms.take_all();
        let predefined = [self.world.take(), self.this.take()].into_iter().flatten();
        Leftovers {
            _requests: self.requests.take_all(),
            _messages: self.messages.take_all(),
            _wins: self.take_windows(),
            _files: self.files.take_all(),
            _comms: comms.into_iter().chain(predefined).collect(),
        }
    }

    /// Takes a communicator out, whose handle names nothing any more.
    pub fn take_comm(&mut self, handle: args::Comm) -> Result<Arc<Comm>, Failure> {
        let removed = self.comms.remove(handle)?;
        self.outlive(handle, &removed.errhandler);
        Ok(removed)
    }

    /// Takes a window out, whose handle names nothing any more.
    pub fn take_window(&mut self, handle: args::Win) -> Result<Arc<WinEntry>, Failure> {
        let removed = self.wins.remove(handle)?;
        self.outlive(of_window(handle), &removed.window.errhandler);
        Ok(removed)
    }

    /// Takes a file out, whose handle names nothing any more.
    pub fn take_file(&mut self, handle: args::File) -> Result<Arc<File>, Failure> {
        let removed = self.files.remove(handle)?;
        self.outlive(of_file(handle), &removed.errhandler);
        Ok(removed)
    }

    /// Keeps the error handler of an object whose handle is freed, as long as there may be requests
    /// of it: the object lives until they are complete, and its handler with it (MPI 5.0, 7.4.3).
    /// A handle is never that of another object as well.
    fn outlive(&mut self, on: args::Comm, errhandler: &Mutex<Errhandler>) {
        let requests = self.requests.iter().map(|(_, entry)| entry.on.0);
        let messages = self.messages.iter().map(|(_, (_, comm))| comm.0);
        let started = self.messages_started.all_started_on().map(|on| on.0);
        let used: HashSet<usize> = requests.chain(messages).chain(started).collect();
        self.outlived.retain(|handle, _| used.contains(handle));
        if used.contains(&on.0) {
            let errhandler = errhandler.lock().clone();
            self.outlived.insert(on.0, errhandler);
        }
    }

    fn take_windows(&mut self) -> Vec<Arc<WinEntry>> {
        self.wins.take_all()
    }

    /// The communicator of a handle.
    #[inline]
    pub fn comm(&self, handle: args::Comm) -> Result<&Arc<Comm>, Failure> {
        let predefined = match handle {
            MPI_COMM_WORLD => &self.world,
            MPI_COMM_SELF => &self.this,
            other => return self.comms.get(other),
        };
        predefined.as_ref().ok_or_else(not_initialised)
    }

    /// The group of a handle.
    pub fn group(&self, handle: args::Group) -> Result<Group, Failure> {
        if handle == MPI_GROUP_EMPTY {
            return Ok(Group::empty());
        }
        self.groups.get(handle).cloned()
    }

    /// A handle for a group: `MPI_GROUP_EMPTY` for one without members.
    pub fn group_handle(&mut self, group: Group) -> Result<args::Group, Failure> {
        if group.size() == 0 {
            return Ok(MPI_GROUP_EMPTY);
        }
        self.groups.insert(group)
    }

    /// The datatype of a handle, predefined or not.
    #[inline]
    pub fn datatype(&self, handle: args::Datatype) -> Result<&Arc<Datatype>, Failure> {
        match predefined(handle) {
            Some(datatype) => Ok(datatype),
            None => Ok(&self.datatypes.get(handle)?.datatype),
        }
    }

    /// A handle for a datatype: the lasting one if it has one, otherwise a new one.
    pub fn datatype_handle(&mut self, datatype: &Arc<Datatype>) -> Result<args::Datatype, Failure> {
        if let Some(handle) = self.lasting_handle(datatype) {
            return Ok(handle);
        }
        self.datatypes
            .insert(TypeEntry::new(datatype.clone(), Attributes::default()))
    }

    /// A handle of a derived datatype for a function of the user: the one that the operation was
    /// started with, or a new one where the user has freed that. It names the datatype until
    /// [`Tables::return_datatype`].
    pub fn lend_datatype(
        &mut self,
        handle: args::Datatype,
        datatype: &Arc<Datatype>,
    ) -> Result<args::Datatype, Failure> {
        if let Ok(entry) = self.datatypes.get_mut(handle) {
            entry.lent += 1;
            return Ok(handle);
        }
        let mut entry = TypeEntry::new(datatype.clone(), Attributes::default());
        (entry.lent, entry.freed) = (1, true);
        self.datatypes.insert(entry)
    }

    /// Ends the use of a handle by a function. Gives the entry of one that was freed meanwhile.
    pub fn return_datatype(&mut self, handle: args::Datatype) -> Option<TypeEntry> {
        let entry = self.datatypes.get_mut(handle).ok()?;
        entry.lent -= 1;
        match entry.freed && entry.lent == 0 {
            true => self.datatypes.remove(handle).ok(),
            false => None,
        }
    }

    /// Frees the handle of a derived datatype. Gives its entry, unless a function has the handle
    /// at the moment: the entry stays until that returns.
    pub fn free_datatype(&mut self, handle: args::Datatype) -> Result<Option<TypeEntry>, Failure> {
        let entry = self.datatypes.get_mut(handle)?;
        match (entry.freed, entry.lent) {
            (true, _) => Err(unknown(handle)),
            (false, 0) => self.datatypes.remove(handle).map(Some),
            (false, _) => {
                entry.freed = true;
                entry.attributes = Attributes::default();
                Ok(None)
            }
        }
    }

    /// The handle of a datatype that is never freed: a predefined one, named or not.
    pub fn lasting_handle(&self, datatype: &Arc<Datatype>) -> Option<args::Datatype> {
        let contents = datatype.contents();
        let key = match (contents.combiner, contents.integers.as_slice()) {
            (Combiner::Named, _) => {
                return Some(args::Datatype(datatype.predefined()?.handle as usize));
            }
            (Combiner::F90Real | Combiner::F90Complex, [precision, range]) => (*precision, *range),
            (Combiner::F90Integer, [range]) => (0, *range),
            _ => return None,
        };
        let key = (contents.combiner as i32, key.0 as i32, key.1 as i32);
        self.sized_types.get(&key).copied()
    }

    /// The attributes of a datatype.
    pub fn type_attributes(&mut self, handle: args::Datatype) -> Result<&mut Attributes, Failure> {
        if predefined(handle).is_some() {
            return Ok(self.predefined_attributes.entry(handle.0).or_default());
        }
        Ok(&mut self.datatypes.get_mut(handle)?.attributes)
    }

    /// A number for a new attribute key, of whatever kind.
    pub fn new_keyval(&mut self) -> Result<i32, Failure> {
        let next = self.keyvals_made.checked_add(1);
        let number = next.filter(|next| *next < i32::MAX - KEYVALS_FIRST);
        let Some(number) = number else {
            return Err(Failure::new(
                MPI_ERR_NO_MEM,
                "all attribute keys are used up",
            ));
        };
        self.keyvals_made = number;
        Ok(KEYVALS_FIRST + number)
    }
}

#[cold]
fn not_initialised() -> Failure {
    let text = "MPI is not initialised: call MPI_Init before, and nothing after MPI_Finalize";
    Failure::new(MPI_ERR_OTHER, text)
}

/// Attribute keys of the user start above those of MPI.
const KEYVALS_FIRST: i32 = 0x1000;

/// The predefined datatype of a handle. Needs no table, and so no lock.
#[inline]
pub fn predefined(handle: args::Datatype) -> Option<&'static Arc<Datatype>> {
    datatype::predefined(u32::try_from(handle.0).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_good_for_its_kind_and_its_life_only() {
        let mut infos = Table::<args::Info, u8>::default();
        let mut groups = Table::<args::Group, u8>::default();
        let info = infos.insert(1).unwrap();
        let group = groups.insert(2).unwrap();
        assert!(info.0 > 0xFFF && group.0 > 0xFFF && info.0 != group.0);
        assert_eq!(infos.get(info), Ok(&1));
        assert_eq!(
            groups.get(args::Group(info.0)).unwrap_err().code,
            MPI_ERR_GROUP
        );
        assert_eq!(infos.remove(info), Ok(1));
        let other = infos.insert(3).unwrap();
        assert_ne!(other, info);
        for bad in [info, MPI_INFO_NULL, args::Info(0), args::Info(usize::MAX)] {
            assert_eq!(infos.get(bad).unwrap_err().code, MPI_ERR_INFO);
            assert_eq!(infos.remove(bad).unwrap_err().code, MPI_ERR_INFO);
        }
    }

    #[test]
    fn integers_go_to_handles_and_back() {
        let mut infos = Table::<args::Info, u8>::default();
        let handles: Vec<_> = (0..3).map(|value| infos.insert(value).unwrap()).collect();
        for handle in &handles {
            let int = infos.to_int(*handle);
            assert!(int >= 0x1000);
            assert_eq!(infos.from_int(int), *handle);
        }
        assert_eq!(infos.to_int(MPI_INFO_ENV), 0x131);
        assert_eq!(infos.from_int(0x131), MPI_INFO_ENV);
        infos.remove(handles[1]).unwrap();
        assert_eq!(infos.to_int(handles[1]), 0);
        for none in [-1, 0, 0x1001, i32::MAX] {
            assert!(infos.get(infos.from_int(none)).is_err());
        }
    }

    #[test]
    fn predefined_datatypes_need_no_entry() {
        let mut tables = Tables::default();
        let int = tables.datatype(MPI_INT).unwrap().clone();
        assert_eq!((int.name().as_str(), int.size()), ("MPI_INT", 4));
        assert_eq!(tables.datatype_handle(&int), Ok(MPI_INT));
        for bad in [
            MPI_DATATYPE_NULL,
            args::Datatype(0x204),
            args::Datatype(0x1_0000_0209),
        ] {
            assert_eq!(tables.datatype(bad).unwrap_err().code, MPI_ERR_TYPE);
        }
        assert!(tables.datatypes.is_empty());
    }
}
