//! Data representations of the program (MPI 5.0, 14.5.3).

use std::ffi::c_void;
use std::sync::Arc;

use abi_state::args::{self, DatarepConversionFunction, DatarepConversionFunctionC};
use abi_state::args::{DatarepExtentFunction, Text};
use abi_state::failure::Failure;
use abi_state::generated::constants::MPI_ERR_ARG;
use abi_state::runtime;
use datatype::Datatype;
use mpi_file::{Conversions, Direction, Items};

/// A conversion function, by the type of its count.
enum Convert {
    Small(
        unsafe extern "C" fn(
            *mut c_void,
            args::Datatype,
            i32,
            *mut c_void,
            i64,
            *mut c_void,
        ) -> i32,
    ),
    Large(
        unsafe extern "C" fn(
            *mut c_void,
            args::Datatype,
            i64,
            *mut c_void,
            i64,
            *mut c_void,
        ) -> i32,
    ),
}

type Extent = unsafe extern "C" fn(args::Datatype, *mut i64, *mut c_void) -> i32;

/// The functions of a representation, and the value that each gets.
struct Functions {
    read: Option<Convert>,
    write: Option<Convert>,
    extent: Extent,
    state: *mut c_void,
}

// SAFETY: functions and a value of the program, which lets them be called from any thread that is
// inside MPI (MPI 5.0, 2.9).
unsafe impl Send for Functions {}
// SAFETY: as for `Send`.
unsafe impl Sync for Functions {}

impl Conversions for Functions {
    fn converts(&self, direction: Direction) -> bool {
        self.function(direction).is_some()
    }

    fn extent(&self, datatype: &Arc<Datatype>) -> Result<i64, i32> {
        let handle = named(datatype)?;
        let mut extent = 0;
        // SAFETY: the program's function, called as MPI says, with room for its result.
        match unsafe { (self.extent)(handle, &mut extent, self.state) } {
            0 => Ok(extent),
            code => Err(code),
        }
    }

    fn convert(&self, direction: Direction, items: &Items<'_>) -> Result<(), i32> {
        let Some(function) = self.function(direction) else {
            return Ok(());
        };
        let tables = &runtime::get().tables;
        let lasting = tables.enter().lasting_handle(items.datatype);
        let handle = match lasting {
            Some(handle) => Ok(handle),
            // A handle of its own: the program may have freed the one that it called with.
            None => {
                let none = args::Datatype(0);
                tables.enter().lend_datatype(none, items.datatype)
            }
        };
        let handle = handle.map_err(|failure| failure.code)?;
        let lead = (items.lead as isize).wrapping_neg();
        let address = items.memory.address().wrapping_offset(lead);
        let file = items.file.address();
        let code = self.run(function, address.cast(), handle, file.cast(), items);
        if lasting.is_none() {
            drop(tables.enter().return_datatype(handle));
        }
        match code {
            0 => Ok(()),
            code => Err(code),
        }
    }
}

impl Functions {
    fn function(&self, direction: Direction) -> Option<&Convert> {
        match direction {
            Direction::Read => self.read.as_ref(),
            Direction::Write => self.write.as_ref(),
        }
    }

    fn run(
        &self,
        function: &Convert,
        memory: *mut c_void,
        handle: args::Datatype,
        file: *mut c_void,
        items: &Items<'_>,
    ) -> i32 {
        let (count, position, state) = (items.count, items.position, self.state);
        match function {
            Convert::Small(function) => match i32::try_from(count) {
                // SAFETY: the program's function, called as MPI says: whoever made the items
                // vouched for the memory of both.
                Ok(count) => unsafe { function(memory, handle, count, file, position, state) },
                Err(_) => MPI_ERR_ARG,
            },
            // SAFETY: see above.
            Convert::Large(function) => unsafe {
                function(memory, handle, count, file, position, state)
            },
        }
    }
}

fn named(datatype: &Arc<Datatype>) -> Result<args::Datatype, i32> {
    let row = datatype.predefined().ok_or(MPI_ERR_ARG)?;
    Ok(args::Datatype(row.handle as usize))
}

/// `MPI_Register_datarep` (MPI 5.0, 14.5.3).
pub fn register_datarep(
    datarep: Text,
    read_conversion_fn: DatarepConversionFunction,
    write_conversion_fn: DatarepConversionFunction,
    dtype_file_extent_fn: DatarepExtentFunction,
    extra_state: *mut c_void,
) -> Result<(), Failure> {
    let functions = [read_conversion_fn, write_conversion_fn].map(|f| f.map(Convert::Small));
    register(datarep, functions, dtype_file_extent_fn, extra_state)
}

/// `MPI_Register_datarep_c` (MPI 5.0, 14.5.3).
pub fn register_datarep_c(
    datarep: Text,
    read_conversion_fn: DatarepConversionFunctionC,
    write_conversion_fn: DatarepConversionFunctionC,
    dtype_file_extent_fn: DatarepExtentFunction,
    extra_state: *mut c_void,
) -> Result<(), Failure> {
    let functions = [read_conversion_fn, write_conversion_fn].map(|f| f.map(Convert::Large));
    register(datarep, functions, dtype_file_extent_fn, extra_state)
}

fn register(
    datarep: Text,
    [read, write]: [Option<Convert>; 2],
    extent: DatarepExtentFunction,
    state: *mut c_void,
) -> Result<(), Failure> {
    let Some(extent) = extent else {
        return Err(args::null("dtype_file_extent_fn"));
    };
    let functions = Functions {
        read,
        write,
        extent,
        state,
    };
    let process = runtime::get().process()?;
    Ok(mpi_file::register(
        process,
        &datarep.get()?,
        Box::new(functions),
    )?)
}
