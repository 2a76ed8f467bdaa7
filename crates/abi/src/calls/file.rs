//! Files: opening, closing, and what concerns a file as a whole (MPI 5.0, 14.2 to 14.4 and 14.6).

use std::sync::Arc;

use abi_state::args::{Comm, Datatype, File, Group, InOut, Info, Out, OutCount, OutText, Text};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;
use abi_state::runtime;
use mpi::{Class, Errhandler};
use mpi_file::{Types, Whence};

use super::info;

/// Converts a failure of this process's arguments: the others are notified of it, and would wait
/// otherwise.
pub(crate) fn to_error(failure: Failure) -> mpi::Error {
    let class = Class::from_code(failure.code).unwrap_or(Class::Arg);
    mpi::Error::new(class, failure.text.clone())
}

/// `MPI_File_open` (MPI 5.0, 14.2.1). A new file gets the error handler of `MPI_FILE_NULL`.
pub fn file_open(
    comm: Comm,
    filename: Text,
    amode: i32,
    info: Info,
    fh: Out<File>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let comm = runtime.comm(comm)?;
    let given = fh.check().and_then(|()| {
        let info = info::hints(info)?;
        Ok((filename.get()?, info))
    });
    let (asked, info) = match given {
        Ok((name, info)) => (Ok((name, amode)), info),
        Err(failure) => (Err(to_error(failure)), mpi::Info::new()),
    };
    let errhandler = runtime.tables.enter().file_errhandler.clone();
    let errhandler = errhandler.unwrap_or(Errhandler::Return);
    let file = mpi_file::File::open(&comm, asked, &info, errhandler)?;
    let handle = runtime.tables.enter().files.insert(Arc::new(file))?;
    fh.set(handle)
}

/// `MPI_File_close` (MPI 5.0, 14.2.2).
pub fn file_close(fh: InOut<File>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let handle = fh.get()?;
    let file = runtime.file(handle)?;
    let may_close = file.check_close();
    may_close.map_err(|error| Failure::from(error).on(On::File(handle)))?;
    let closed = file.close();
    let removed = runtime.tables.enter().take_file(handle)?;
    // What the last owner drops enters the engine: no table is locked here.
    drop((file, removed));
    fh.set(MPI_FILE_NULL)?;
    Ok(closed?)
}

/// `MPI_File_delete` (MPI 5.0, 14.2.3).
pub fn file_delete(filename: Text, info: Info) -> Result<(), Failure> {
    info::check(info)?;
    Ok(mpi_file::delete(&filename.get()?)?)
}

/// `MPI_File_set_size` (MPI 5.0, 14.2.4).
pub fn file_set_size(fh: File, size: i64) -> Result<(), Failure> {
    Ok(runtime::get().file(fh)?.set_size(size)?)
}

/// `MPI_File_preallocate` (MPI 5.0, 14.2.5).
pub fn file_preallocate(fh: File, size: i64) -> Result<(), Failure> {
    Ok(runtime::get().file(fh)?.preallocate(size)?)
}

/// `MPI_File_get_size` (MPI 5.0, 14.2.6).
pub fn file_get_size(fh: File, size: Out<i64>) -> Result<(), Failure> {
    size.set(runtime::get().file(fh)?.size()? as i64)
}

/// `MPI_File_get_group` (MPI 5.0, 14.2.7).
pub fn file_get_group(fh: File, group: Out<Group>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let own = runtime.file(fh)?.group().clone();
    let handle = runtime.tables.enter().group_handle(own)?;
    group.set(handle)
}

/// `MPI_File_get_amode` (MPI 5.0, 14.2.7).
pub fn file_get_amode(fh: File, amode: Out<i32>) -> Result<(), Failure> {
    amode.set(runtime::get().file(fh)?.mode().bits())
}

/// `MPI_File_set_info` (MPI 5.0, 14.2.8).
pub fn file_set_info(fh: File, info: Info) -> Result<(), Failure> {
    let runtime = runtime::get();
    let file = runtime.file(fh)?;
    let given = info::hints(info)?;
    Ok(file.set_info(&given)?)
}

/// `MPI_File_get_info` (MPI 5.0, 14.2.8).
pub fn file_get_info(fh: File, info_used: Out<Info>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let used = runtime.file(fh)?.info()?;
    let handle = runtime.anytime.enter().infos.insert(used)?;
    info_used.set(handle)
}

/// `MPI_File_set_view` (MPI 5.0, 14.3).
pub fn file_set_view(
    fh: File,
    disp: i64,
    etype: Datatype,
    filetype: Datatype,
    datarep: Text,
    info: Info,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let file = runtime.file(fh)?;
    let given = || {
        let types = Types {
            etype: (*runtime.committed(etype)?).clone(),
            filetype: (*runtime.committed(filetype)?).clone(),
        };
        Ok::<_, Failure>((types, datarep.get()?, info::hints(info)?))
    };
    let (view, info) = match given() {
        Ok((types, datarep, info)) => (Ok((types, datarep)), info),
        Err(failure) => (Err(to_error(failure)), mpi::Info::new()),
    };
    let displacement = (disp != MPI_DISPLACEMENT_CURRENT).then_some(disp);
    Ok(file.set_view(displacement, view, &info)?)
}

/// `MPI_File_get_view` (MPI 5.0, 14.3). The program frees the handles of derived types.
pub fn file_get_view(
    fh: File,
    disp: Out<i64>,
    etype: Out<Datatype>,
    filetype: Out<Datatype>,
    datarep: OutText,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (view, types) = runtime.file(fh)?.view();
    let handle = |datatype| runtime.tables.enter().datatype_handle(datatype);
    disp.set(view.displacement() as i64)?;
    etype.set(handle(&types.etype)?)?;
    filetype.set(handle(&types.filetype)?)?;
    datarep.store(view.representation().name())?;
    Ok(())
}

/// `MPI_File_seek` (MPI 5.0, 14.4.3).
pub fn file_seek(fh: File, offset: i64, whence: i32) -> Result<(), Failure> {
    let file = runtime::get().file(fh)?;
    Ok(file.seek(offset, whence_of(whence)?)?)
}

/// `MPI_File_get_position` (MPI 5.0, 14.4.3).
pub fn file_get_position(fh: File, offset: Out<i64>) -> Result<(), Failure> {
    offset.set(runtime::get().file(fh)?.position()? as i64)
}

/// `MPI_File_seek_shared` (MPI 5.0, 14.4.4).
pub fn file_seek_shared(fh: File, offset: i64, whence: i32) -> Result<(), Failure> {
    let file = runtime::get().file(fh)?;
    let whence = whence_of(whence).map_err(to_error);
    Ok(file.seek_shared(offset, whence)?)
}

/// `MPI_File_get_position_shared` (MPI 5.0, 14.4.4).
pub fn file_get_position_shared(fh: File, offset: Out<i64>) -> Result<(), Failure> {
    offset.set(runtime::get().file(fh)?.position_shared()? as i64)
}

/// `MPI_File_get_byte_offset` (MPI 5.0, 14.4.3).
pub fn file_get_byte_offset(fh: File, offset: i64, disp: Out<i64>) -> Result<(), Failure> {
    disp.set(runtime::get().file(fh)?.byte_offset(offset)? as i64)
}

/// `MPI_File_get_type_extent` (MPI 5.0, 14.5.1).
pub fn file_get_type_extent(fh: File, datatype: Datatype, extent: OutCount) -> Result<(), Failure> {
    let runtime = runtime::get();
    let file = runtime.file(fh)?;
    let datatype = runtime.datatype(datatype)?;
    extent.set(file.type_extent(&datatype)?)
}

/// `MPI_File_set_atomicity` (MPI 5.0, 14.6.1).
pub fn file_set_atomicity(fh: File, flag: i32) -> Result<(), Failure> {
    Ok(runtime::get().file(fh)?.set_atomicity(flag != 0)?)
}

/// `MPI_File_get_atomicity` (MPI 5.0, 14.6.1).
pub fn file_get_atomicity(fh: File, flag: Out<i32>) -> Result<(), Failure> {
    flag.set(i32::from(runtime::get().file(fh)?.is_atomic()))
}

/// `MPI_File_sync` (MPI 5.0, 14.6.1).
pub fn file_sync(fh: File) -> Result<(), Failure> {
    Ok(runtime::get().file(fh)?.sync()?)
}

fn whence_of(value: i32) -> Result<Whence, Failure> {
    match value {
        MPI_SEEK_SET => Ok(Whence::Set),
        MPI_SEEK_CUR => Ok(Whence::Current),
        MPI_SEEK_END => Ok(Whence::End),
        other => {
            let text =
                format!("whence is {other}; it must be MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END");
            Err(Failure::new(MPI_ERR_ARG, text))
        }
    }
}
