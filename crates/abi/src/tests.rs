//! Tests of entry points, called as C calls them, and of what every call relies on.

use std::ffi::{c_char, CStr};

use abi_state::args::{In, Out, Status};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;

use crate::calls;
use crate::wall;

#[allow(non_snake_case)]
mod c {
    use std::ffi::{c_char, c_void};

    use abi_state::args::{Info, Status};

    extern "C" {
        pub fn MPI_Get_version(version: *mut i32, subversion: *mut i32) -> i32;
        pub fn PMPI_Abi_get_version(major: *mut i32, minor: *mut i32) -> i32;
        pub fn MPI_Get_library_version(version: *mut c_char, resultlen: *mut i32) -> i32;
        pub fn MPI_Get_processor_name(name: *mut c_char, resultlen: *mut i32) -> i32;
        pub fn MPI_Wtime() -> f64;
        pub fn PMPI_Wtick() -> f64;
        pub fn MPI_Aint_add(base: i64, disp: i64) -> i64;
        pub fn MPI_Aint_diff(addr1: i64, addr2: i64) -> i64;
        pub fn MPI_Get_address(location: *const c_void, address: *mut i64) -> i32;
        pub fn MPI_Alloc_mem(size: i64, info: Info, baseptr: *mut c_void) -> i32;
        pub fn PMPI_Free_mem(base: *mut c_void) -> i32;
        pub fn MPI_Status_set_tag(status: *mut Status, tag: i32) -> i32;
        pub fn MPI_Status_get_tag(status: *const Status, tag: *mut i32) -> i32;
        pub fn MPI_Pcontrol(level: i32, ...) -> i32;
    }
}

#[test]
fn versions_are_those_of_the_standard() {
    let (mut a, mut b, mut major, mut minor) = (0, 9, 0, 9);
    // SAFETY: each pointer is to an integer of this function.
    unsafe {
        assert_eq!(c::MPI_Get_version(&mut a, &mut b), MPI_SUCCESS);
        assert_eq!(c::PMPI_Abi_get_version(&mut major, &mut minor), MPI_SUCCESS);
    }
    assert_eq!((a, b, major, minor), (5, 0, 1, 0));
}

#[test]
fn names_end_in_zero_and_have_their_length() {
    let mut room = [0x55 as c_char; MPI_MAX_LIBRARY_VERSION_STRING as usize];
    for get in [c::MPI_Get_library_version, c::MPI_Get_processor_name] {
        let mut length = -1;
        // SAFETY: the larger of the two limits is the room that there is.
        let text = unsafe {
            assert_eq!(get(room.as_mut_ptr(), &mut length), MPI_SUCCESS);
            CStr::from_ptr(room.as_ptr())
        };
        assert!(!text.is_empty());
        assert_eq!(text.count_bytes(), length as usize);
    }
}

#[test]
fn the_clock_runs_forward() {
    // SAFETY: neither takes an argument.
    let (first, second, tick) = unsafe { (c::MPI_Wtime(), c::MPI_Wtime(), c::PMPI_Wtick()) };
    assert!(first > 0.0 && second >= first);
    assert!(tick > 0.0 && tick < 0.01);
}

#[test]
fn addresses_are_moved_and_compared() {
    // SAFETY: neither looks behind its arguments.
    unsafe {
        assert_eq!(c::MPI_Aint_add(1000, -24), 976);
        assert_eq!(c::MPI_Aint_diff(976, 1000), -24);
        assert_eq!(c::MPI_Aint_add(i64::MAX, 1), i64::MIN);
    }
}

#[test]
fn memory_is_given_aligned_and_freed() {
    let (mut memory, mut address) = (std::ptr::null_mut::<u64>(), 0);
    // SAFETY: the pointer is a place for a pointer; what is written lies in the memory given.
    unsafe {
        let place = (&raw mut memory).cast();
        assert_eq!(c::MPI_Alloc_mem(4096, MPI_INFO_NULL, place), MPI_SUCCESS);
        memory.add(511).write(7);
        assert_eq!(c::MPI_Get_address(memory.cast(), &mut address), MPI_SUCCESS);
        assert_eq!(address, memory as i64);
        assert_eq!(address % 128, 0);
        assert_eq!(c::PMPI_Free_mem(memory.cast()), MPI_SUCCESS);
        let codes = [-1, 1 << 62].map(|size| {
            let place = Out::new(place.cast::<usize>(), "baseptr");
            calls::memory::alloc_mem(size, MPI_INFO_NULL, place)
        });
        assert_eq!(
            codes.map(|result| result.unwrap_err().code),
            [MPI_ERR_ARG, MPI_ERR_NO_MEM]
        );
    }
}

#[test]
fn a_status_keeps_its_other_fields() {
    let mut status = Status {
        source: 1,
        tag: 2,
        error: 3,
        internal: [4; 5],
    };
    let mut tag = 0;
    // SAFETY: the status and the integer are this function's.
    unsafe {
        assert_eq!(c::MPI_Status_set_tag(&mut status, 77), MPI_SUCCESS);
        assert_eq!(c::MPI_Status_get_tag(&status, &mut tag), MPI_SUCCESS);
        let (null, place) = (
            In::new(std::ptr::null(), "status"),
            Out::new(&mut tag, "tag"),
        );
        let null = calls::status::status_get_tag(null, place);
        assert_eq!(null.unwrap_err().code, MPI_ERR_ARG);
    }
    assert_eq!(tag, 77);
    assert_eq!(
        status,
        Status {
            source: 1,
            tag: 77,
            error: 3,
            internal: [4; 5]
        }
    );
}

#[test]
fn a_variadic_tail_is_ignored() {
    // SAFETY: the function takes an integer and looks at nothing else.
    assert_eq!(unsafe { c::MPI_Pcontrol(2, 1.5f64, 7i32) }, MPI_SUCCESS);
}

#[test]
fn the_wall_returns_codes_and_keeps_the_object() {
    let failure = Failure::new(MPI_T_ERR_INVALID_INDEX, "index 9");
    assert_eq!(
        wall::tool("MPI_T_x", || Err(failure.clone())),
        MPI_T_ERR_INVALID_INDEX
    );
    assert_eq!(wall::call(&"MPI_x", On::Nothing, || Ok(())), MPI_SUCCESS);
    assert_eq!(
        failure.on(On::Comm(MPI_COMM_WORLD)).on,
        Some(On::Comm(MPI_COMM_WORLD))
    );
    let line = wall::line("MPI_Send", &Failure::new(MPI_ERR_RANK, "rank 9 of 4"));
    assert_eq!(line, "MPI_Send: MPI_ERR_RANK: rank 9 of 4");
    let count = Failure::new(MPI_ERR_COUNT, "count is -1").naming("ocean");
    assert_eq!(count.text, "count is -1 (communicator ocean)");
    assert_eq!(count.clone().naming("ocean"), count);
}
