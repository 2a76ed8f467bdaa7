//! Tests of typed arguments: null pointers, integers of both widths, results longer than the room.

use std::ffi::{c_char, CStr};
use std::ptr;

use super::*;
use crate::generated::constants::{MPI_UNDEFINED, MPI_UNWEIGHTED};
use crate::status::{OutStatus, OutStatuses};

/// Returns the text of an error that a null pointer has caused.
fn null_text<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
    let failure = result.unwrap_err();
    assert_eq!(failure.code, MPI_ERR_ARG);
    failure.text.to_string()
}

#[test]
fn a_null_pointer_is_named_by_the_name_of_its_parameter() {
    // SAFETY: null pointers promise nothing.
    unsafe {
        let given = In::<i32>::new(ptr::null(), "given");
        assert_eq!(null_text(given.get()), "given is a null pointer");
        let both = InOut::<i64>::new(ptr::null_mut(), "both");
        assert_eq!(null_text(both.get()), "both is a null pointer");
        assert_eq!(null_text(both.set(1)), "both is a null pointer");
        let made = Out::<Comm>::new(ptr::null_mut(), "made");
        assert_eq!(null_text(made.set(Comm(0))), "made is a null pointer");
        let text = Text::new(ptr::null(), "text");
        assert_eq!(null_text(text.get()), "text is a null pointer");
        let room = OutText::new(ptr::null_mut(), 8, "room");
        assert_eq!(null_text(room.store("a")), "room is a null pointer");
        let list = OutList::<i32>::new(ptr::null_mut(), 2, "list");
        assert_eq!(null_text(list.fill(&[1])), "list is a null pointer");
        assert_eq!(list.fill(&[]), Ok(()));
        let slots = InOutList::<i32>::new(ptr::null_mut(), 2, "slots");
        assert_eq!(null_text(slots.check()), "slots is a null pointer");
        assert_eq!(null_text(slots.at(1).get()), "slots is a null pointer");
    }
}

#[test]
fn an_array_is_as_long_as_its_argument_says() {
    let values = [3, 1, 2];
    // SAFETY: the array has three elements, and the others are not memory.
    unsafe {
        let list = |length| List::new(values.as_ptr(), length, "list").to_vec();
        assert_eq!(list(2), Ok(vec![3, 1]));
        assert_eq!(list(0), Ok(vec![]));
        assert_eq!(list(-1), Ok(vec![]));
        let open = OpenList::new(values.as_ptr(), "open").with_length(3);
        assert_eq!(open.to_vec(), Ok(vec![3, 1, 2]));
        let constant = List::<i32>::new(MPI_UNWEIGHTED as *const i32, 3, "weights");
        assert!(constant.is(MPI_UNWEIGHTED));
        assert_eq!(null_text(constant.to_vec()), "weights is a null pointer");
    }
}

#[test]
fn no_more_is_stored_than_there_is_room_for() {
    let mut room = [0, 0, 9];
    // SAFETY: the room is three elements, of which two are given.
    let list = unsafe { OutList::new(room.as_mut_ptr(), 2, "list") };
    list.fill(&[5, 6, 7]).unwrap();
    list.set(0, 4).unwrap();
    assert_eq!(room, [4, 6, 9]);
}

#[test]
#[should_panic(expected = "list has 2 elements")]
fn an_element_beyond_the_room_is_a_fault() {
    let mut room = [0; 3];
    // SAFETY: the room is three elements.
    let list = unsafe { OutList::new(room.as_mut_ptr(), 2, "list") };
    let _ = list.set(2, 1);
}

#[test]
fn counts_of_both_widths_read_alike() {
    let (narrow, wide) = ([3i32, -1], [3i64, -1]);
    let pointers = [IntPtr::narrow(narrow.as_ptr()), IntPtr::wide(wide.as_ptr())];
    for (pointer, is_wide) in pointers.into_iter().zip([false, true]) {
        // SAFETY: both arrays hold two elements.
        let counts = unsafe { Counts::new(pointer, 2, "counts") };
        assert_eq!(
            (counts.to_vec(), counts.is_wide()),
            (Ok(vec![3, -1]), is_wide)
        );
    }
    // SAFETY: a null array promises nothing.
    let none = unsafe { Counts::new(IntPtr::narrow(ptr::null()), 1, "counts") };
    assert_eq!(null_text(none.to_vec()), "counts is a null pointer");
}

#[test]
fn a_count_too_large_for_an_int_is_never_cut() {
    let big = i64::from(i32::MAX) + 1;
    let (mut narrow, mut wide) = (7i32, 7i64);
    // SAFETY: both are places of this function.
    unsafe {
        let narrow = IntPtr::narrow(&raw mut narrow);
        OutCount::new(narrow, "count").set(big).unwrap();
        OutCount::new(IntPtr::wide(&raw mut wide), "count")
            .set(big)
            .unwrap();
        let count = InOutCount::new(narrow, "count");
        assert_eq!(count.get(), Ok(i64::from(MPI_UNDEFINED)));
    }
    assert_eq!((narrow, wide), (MPI_UNDEFINED, big));
}

#[test]
fn text_is_cut_between_characters() {
    let mut room = [0x55 as c_char; 4];
    let mut length = 0;
    // SAFETY: the room is four bytes, as is said.
    let text = unsafe {
        let length = Out::new(&mut length, "resultlen");
        let name = OutText::new(room.as_mut_ptr(), 4, "name");
        name.set("abé", length).unwrap();
        CStr::from_ptr(room.as_ptr())
    };
    assert_eq!((text.to_bytes(), length), (&b"ab"[..], 2));
}

#[test]
fn a_status_is_stored_where_it_is_wanted() {
    let mut statuses = [Status::EMPTY; 2];
    // SAFETY: the room is two statuses; null pointers promise nothing.
    unsafe {
        let wanted = OutStatuses::new(statuses.as_mut_ptr(), 2);
        wanted.at(1).set(&Status::PROC_NULL);
        wanted.at(0).set_error(7);
        let ignored = OutStatuses::new(ptr::null_mut(), 2);
        ignored.at(1).set_with_error(&Status::PROC_NULL, 7);
        OutStatus::new(ptr::null_mut()).set_empty();
        assert!(wanted.are_wanted() && !ignored.are_wanted());
    }
    assert_eq!(statuses[0].error, 7);
    assert_eq!(statuses[1], Status::PROC_NULL);
}
