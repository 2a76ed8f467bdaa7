//! Handles as integers, for Fortran and for languages without pointers (MPI 5.0, 20.4).
//!
//! A handle that names nothing becomes 0, and an integer that names nothing a handle that does not
//! either: these functions cannot fail.

use abi_state::args::{
    Comm, Datatype, Errhandler, File, Group, Info, Message, Op, Request, Session, Win,
};
use abi_state::request_handle;
use abi_state::runtime;

/// `MPI_Comm_toint`.
pub fn comm_toint(comm: Comm) -> i32 {
    runtime::get().tables.enter().comms.to_int(comm)
}

/// `MPI_Comm_fromint`.
pub fn comm_fromint(comm: i32) -> Comm {
    runtime::get().tables.enter().comms.from_int(comm)
}

/// `MPI_Group_toint`.
pub fn group_toint(group: Group) -> i32 {
    runtime::get().tables.enter().groups.to_int(group)
}

/// `MPI_Group_fromint`.
pub fn group_fromint(group: i32) -> Group {
    runtime::get().tables.enter().groups.from_int(group)
}

/// `MPI_Type_toint`.
pub fn type_toint(datatype: Datatype) -> i32 {
    runtime::get().tables.enter().datatypes.to_int(datatype)
}

/// `MPI_Type_fromint`.
pub fn type_fromint(datatype: i32) -> Datatype {
    runtime::get().tables.enter().datatypes.from_int(datatype)
}

/// `MPI_Op_toint`.
pub fn op_toint(op: Op) -> i32 {
    runtime::get().tables.enter().ops.to_int(op)
}

/// `MPI_Op_fromint`.
pub fn op_fromint(op: i32) -> Op {
    runtime::get().tables.enter().ops.from_int(op)
}

/// `MPI_Info_toint`.
pub fn info_toint(info: Info) -> i32 {
    runtime::get().anytime.enter().infos.to_int(info)
}

/// `MPI_Info_fromint`.
pub fn info_fromint(info: i32) -> Info {
    runtime::get().anytime.enter().infos.from_int(info)
}

/// `MPI_Errhandler_toint`.
pub fn errhandler_toint(errhandler: Errhandler) -> i32 {
    runtime::get()
        .anytime
        .enter()
        .errhandlers
        .to_int(errhandler)
}

/// `MPI_Errhandler_fromint`.
pub fn errhandler_fromint(errhandler: i32) -> Errhandler {
    runtime::get()
        .anytime
        .enter()
        .errhandlers
        .from_int(errhandler)
}

/// The integer of [`request_handle::COMPLETE`], which is in no table: the largest that a handle can
/// have.
const COMPLETE: i32 = 0x1000 + (1 << 28) - 1;

/// The integers of plain messages begin here, above those of all others.
const MESSAGES: i32 = COMPLETE + 1;

/// `MPI_Request_toint`.
pub fn request_toint(request: Request) -> i32 {
    if request == request_handle::COMPLETE {
        return COMPLETE;
    }
    if let Some(message) = request_handle::message_of(request) {
        return MESSAGES + request_handle::slot_of(message) as i32;
    }
    runtime::get().tables.enter().requests.to_int(request)
}

/// `MPI_Request_fromint`.
pub fn request_fromint(request: i32) -> Request {
    if request == COMPLETE {
        return request_handle::COMPLETE;
    }
    let tables = runtime::get().tables.enter();
    match usize::try_from(request.wrapping_sub(MESSAGES)) {
        Ok(place) => tables.messages_started.handle_at(place),
        Err(_) => tables.requests.from_int(request),
    }
}

/// `MPI_Message_toint`.
pub fn message_toint(message: Message) -> i32 {
    runtime::get().tables.enter().messages.to_int(message)
}

/// `MPI_Message_fromint`.
pub fn message_fromint(message: i32) -> Message {
    runtime::get().tables.enter().messages.from_int(message)
}

/// `MPI_Win_toint`.
pub fn win_toint(win: Win) -> i32 {
    runtime::get().tables.enter().wins.to_int(win)
}

/// `MPI_Win_fromint`.
pub fn win_fromint(win: i32) -> Win {
    runtime::get().tables.enter().wins.from_int(win)
}

/// `MPI_File_toint`.
pub fn file_toint(file: File) -> i32 {
    runtime::get().tables.enter().files.to_int(file)
}

/// `MPI_File_fromint`.
pub fn file_fromint(file: i32) -> File {
    runtime::get().tables.enter().files.from_int(file)
}

/// `MPI_Session_toint`.
pub fn session_toint(session: Session) -> i32 {
    runtime::get().tables.enter().sessions.to_int(session)
}

/// `MPI_Session_fromint`.
pub fn session_fromint(session: i32) -> Session {
    runtime::get().tables.enter().sessions.from_int(session)
}
