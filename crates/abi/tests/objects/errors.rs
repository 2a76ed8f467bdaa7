//! Tests of error handlers, and of error codes that a program adds.

use super::*;

/// Arguments of the last call of the error handler below.
static HANDLED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

extern "C" fn handle(comm: *mut Comm, code: *mut i32) {
    // SAFETY: the library passes pointers to a handle and an integer.
    let (comm, code) = unsafe { (*comm, *code) };
    HANDLED[0].store(comm.0, Ordering::Relaxed);
    HANDLED[1].store(code as usize, Ordering::Relaxed);
    let mut size = 0;
    // MPI may be called from here.
    ok!(MPI_Comm_size(comm, &mut size));
}

#[test]
fn error_handlers_receive_errors_of_their_object() {
    start();
    // SAFETY: a function that ignores the variadic rest may be called with it on this machine.
    let function = unsafe {
        std::mem::transmute::<extern "C" fn(*mut Comm, *mut i32), CommErrhandlerFunction>(handle)
    };
    let (mut made, mut got, mut comm) = (Errhandler(0), Errhandler(0), Comm(0));
    ok!(MPI_Comm_create_errhandler(function, &mut made));
    ok!(MPI_Comm_dup(MPI_COMM_SELF, &mut comm));
    ok!(MPI_Comm_get_errhandler(comm, &mut got));
    assert_eq!(got, MPI_ERRORS_RETURN);
    ok!(MPI_Errhandler_free(&mut got));
    ok!(MPI_Comm_set_errhandler(comm, made));
    ok!(MPI_Comm_get_errhandler(comm, &mut got));
    assert_eq!(got, made);
    ok!(MPI_Errhandler_free(&mut got));
    let kept = made;
    ok!(MPI_Errhandler_free(&mut made));
    assert_eq!(c::MPI_Errhandler_free(&mut { kept }), MPI_ERR_ERRHANDLER);
    let (mut value, mut flag) = (0usize, 0);
    let code = c::MPI_Comm_get_attr(comm, -1, place(&mut value), &mut flag);
    assert_eq!(code, MPI_ERR_KEYVAL);
    let handled = || {
        HANDLED
            .each_ref()
            .map(|place| place.load(Ordering::Relaxed))
    };
    assert_eq!(handled(), [comm.0, MPI_ERR_KEYVAL as usize]);
    ok!(MPI_Comm_call_errhandler(comm, 77));
    assert_eq!(handled(), [comm.0, 77]);
    // SAFETY: as above; the function is never called as a handler of windows.
    let function = unsafe {
        std::mem::transmute::<extern "C" fn(*mut Comm, *mut i32), WinErrhandlerFunction>(handle)
    };
    ok!(MPI_Win_create_errhandler(function, &mut made));
    assert_eq!(
        c::MPI_Comm_set_errhandler(MPI_COMM_SELF, made),
        MPI_ERR_ERRHANDLER
    );
    ok!(MPI_Errhandler_free(&mut made));
    ok!(MPI_File_get_errhandler(MPI_FILE_NULL, &mut got));
    assert_eq!(got, MPI_ERRORS_RETURN);
    ok!(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    ok!(MPI_Comm_free(&mut comm));
}

#[test]
fn added_errors_are_reported_like_others() {
    start();
    let (mut class, mut code, mut found, mut length) = (0, 0, 0, 0);
    let mut room = [0 as c_char; MPI_MAX_ERROR_STRING as usize];
    ok!(MPI_Add_error_class(&mut class));
    ok!(MPI_Add_error_code(class, &mut code));
    assert!(class > MPI_ERR_LASTCODE && code > class);
    let sentence = CString::new("the kettle is empty").unwrap();
    ok!(MPI_Add_error_string(code, sentence.as_ptr()));
    ok!(MPI_Error_class(code, &mut found));
    assert_eq!(found, class);
    ok!(MPI_Error_string(code, room.as_mut_ptr(), &mut length));
    assert_eq!((text(&room), length), ("the kettle is empty", 19));
    let (mut last, mut flag) = (null::<i32>(), 0);
    ok!(MPI_Comm_get_attr(
        MPI_COMM_WORLD,
        MPI_LASTUSEDCODE,
        place(&mut last),
        &mut flag
    ));
    // SAFETY: MPI says that the value is the address of an integer.
    assert_eq!(unsafe { *last }, code);
    assert_eq!(c::MPI_Remove_error_class(class), MPI_ERR_ARG);
    assert_eq!(c::MPI_Remove_error_code(code), MPI_ERR_ARG);
    ok!(MPI_Remove_error_string(code));
    ok!(MPI_Remove_error_code(code));
    ok!(MPI_Remove_error_class(class));
    assert_eq!(c::MPI_Error_class(code, &mut found), MPI_ERR_ARG);
    ok!(MPI_Error_class(MPI_T_ERR_INVALID, &mut found));
    assert_eq!(found, MPI_T_ERR_INVALID);
}
