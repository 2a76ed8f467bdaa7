//! Subroutines of Fortran that no row can say.

/// Exports a function.
#[macro_export]
macro_rules! export_one {
    ($name:ident ($($param:ident: $ty:ty),*) -> $returns:ty, $body:block) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) -> $returns {
            // SAFETY: the caller gives each argument as the interface declares it.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }
    };
}

/// Exports subroutines of Fortran under all names, as rows do.
#[macro_export]
macro_rules! export_fortran {
    ($($name:ident $profiled:ident $modern:ident $modern_profiled:ident $params:tt
        -> $returns:ty $body:block)*) => {
        $(
            $crate::export_one!($name $params -> $returns, $body);
            $crate::export_one!($profiled $params -> $returns, $body);
            $crate::export_one!($modern $params -> $returns, $body);
            $crate::export_one!($modern_profiled $params -> $returns, $body);
        )*
    };
}

/// Exports subroutines of Fortran that differ by the kind of handle alone, `K` in their body: a
/// kind and all names of one.
#[macro_export]
macro_rules! export_fortran_by_kind {
    ($params:tt $body:block $($kind:ident $($name:ident)*;)*) => {
        $($crate::export_fortran_by_kind!(one $kind $params $body $($name)*);)*
    };
    (one $kind:ident $params:tt $body:block $($name:ident)*) => {
        $($crate::export_one!($name $params -> (), {
            #[allow(dead_code)]
            type K = $kind;
            $body
        });)*
    };
}

/// Exports the subroutines of Fortran that are no row.
#[macro_export]
macro_rules! fortran_by_hand {
    ($abi:ty) => {
        const _: () = {
            use ::std::ffi::c_void;
            use $crate::c;
            use $crate::callback::{create_errhandler, op_create};
            use $crate::convert::*;
            use $crate::fortran_attribute::*;
            use $crate::fortran_callback::*;
            use $crate::types::*;
            type A = $abi;
            type P = *mut c_void;
            type N = *const i32;
            type R = *mut i32;
            type C = *const u8;
            $crate::export_fortran! {
                mpi_wtime_ pmpi_wtime_ mpi_wtime_f08_ pmpi_wtime_f08_() -> f64 { c::wtime() }
                mpi_wtick_ pmpi_wtick_ mpi_wtick_f08_ pmpi_wtick_f08_() -> f64 { c::wtick() }
                mpi_aint_add_ pmpi_aint_add_
                    mpi_aint_add_f08_ pmpi_aint_add_f08_(a: *const i64, b: *const i64) -> i64 {
                    c::aint_add(*a, *b)
                }
                mpi_aint_diff_ pmpi_aint_diff_
                    mpi_aint_diff_f08_ pmpi_aint_diff_f08_(a: *const i64, b: *const i64) -> i64 {
                    c::aint_diff(*a, *b)
                }
                mpi_pcontrol_ pmpi_pcontrol_
                    mpi_pcontrol_f08_ pmpi_pcontrol_f08_(level: N) -> () { c::pcontrol(*level); }
                mpi_get_version_ pmpi_get_version_
                    mpi_get_version_f08_ pmpi_get_version_f08_(
                    version: R, subversion: R, ierror: R
                ) -> () {
                    store(ierror, $crate::by_hand::get_version::<A>(version, subversion));
                }
                mpi_get_library_version_ pmpi_get_library_version_
                    mpi_get_library_version_f08_ pmpi_get_library_version_f08_(
                    version: *mut u8, resultlen: R, ierror: R, length: usize
                ) -> () {
                    let text = <A as $crate::Abi>::LIBRARY.as_bytes();
                    fill(version, length, text.iter().copied());
                    *resultlen = text.len().min(length) as i32;
                    finish_at::<A>(ierror, 0);
                }
                mpi_get_address_ pmpi_get_address_ mpi_get_address_f08_ pmpi_get_address_f08_(
                    location: P, address: *mut i64, ierror: R
                ) -> () {
                    finish_at::<A>(ierror, c::get_address(buffer_in::<A, _>(location), address));
                }
                mpi_op_create_ pmpi_op_create_
                    mpi_op_create_f08_ pmpi_op_create_f08_(
                    user: P, commute: N, op: R, ierror: R
                ) -> () {
                    store(ierror, op_create::<A>(user, truth(commute), op, false));
                }
                mpi_attr_get_ pmpi_attr_get_
                    mpi_attr_get_f08_ pmpi_attr_get_f08_(
                    of: N, key: N, value: R, flag: R, ierror: R
                ) -> () {
                    let mut wide = 0;
                    let code = get::<A, Comm>(handle_in::<A, Comm>(*of), *key, &mut wide, flag);
                    if code == 0 && *flag != 0 { *value = wide as i32; }
                    store(ierror, code);
                }
                mpi_attr_put_ pmpi_attr_put_
                    mpi_attr_put_f08_ pmpi_attr_put_f08_(of: N, key: N, value: N, ierror: R) -> () {
                    let value = i64::from(*value);
                    store(ierror, set::<A, Comm>(handle_in::<A, Comm>(*of), *key, value));
                }
                mpi_keyval_create_ pmpi_keyval_create_
                    mpi_keyval_create_f08_ pmpi_keyval_create_f08_(
                    copy: P, delete: P, key: R, state: N, ierror: R
                ) -> () { store(ierror, create::<A, Comm, i32>(copy, delete, key, *state)); }
                mpi_address_ pmpi_address_
                    mpi_address_f08_ pmpi_address_f08_(location: P, address: R, ierror: R) -> () {
                    let mut wide = 0i64;
                    finish_at::<A>(ierror, c::get_address(buffer_in::<A, _>(location), &mut wide));
                    *address = wide as i32;
                }
                mpi_type_extent_ pmpi_type_extent_
                    mpi_type_extent_f08_ pmpi_type_extent_f08_(of: N, extent: R, ierror: R) -> () {
                    let (mut lb, mut wide) = (0i64, 0i64);
                    let of = handle_in::<A, Datatype>(*of);
                    finish_at::<A>(ierror, c::type_get_extent(of, &mut lb, &mut wide));
                    *extent = wide as i32;
                }
                mpi_type_lb_ pmpi_type_lb_
                    mpi_type_lb_f08_ pmpi_type_lb_f08_(of: N, bound: R, ierror: R) -> () {
                    let (mut lb, mut wide) = (0i64, 0i64);
                    let of = handle_in::<A, Datatype>(*of);
                    finish_at::<A>(ierror, c::type_get_extent(of, &mut lb, &mut wide));
                    *bound = lb as i32;
                }
                mpi_type_ub_ pmpi_type_ub_
                    mpi_type_ub_f08_ pmpi_type_ub_f08_(of: N, bound: R, ierror: R) -> () {
                    let (mut lb, mut wide) = (0i64, 0i64);
                    let of = handle_in::<A, Datatype>(*of);
                    finish_at::<A>(ierror, c::type_get_extent(of, &mut lb, &mut wide));
                    *bound = (lb + wide) as i32;
                }
                mpi_type_hvector_ pmpi_type_hvector_ mpi_type_hvector_f08_ pmpi_type_hvector_f08_(
                    count: N, length: N, stride: N, of: N, made: R, ierror: R
                ) -> () {
                    let of = handle_in::<A, Datatype>(*of);
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    let stride = i64::from(*stride);
                    let code = c::type_create_hvector(*count, *length, stride, of, made.c());
                    finish_at::<A>(ierror, code);
                }
                mpi_type_hindexed_ pmpi_type_hindexed_
                    mpi_type_hindexed_f08_ pmpi_type_hindexed_f08_(
                    count: N, lengths: N, displs: N, of: N, made: R, ierror: R
                ) -> () {
                    let of = handle_in::<A, Datatype>(*of);
                    let wide = widened(displs, len(*count));
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    let code =
                        c::type_create_hindexed(*count, lengths, wide.as_ptr(), of, made.c());
                    finish_at::<A>(ierror, code);
                }
                mpi_type_struct_ pmpi_type_struct_ mpi_type_struct_f08_ pmpi_type_struct_f08_(
                    count: N, lengths: N, displs: N, types: N, made: R, ierror: R
                ) -> () {
                    let wide = widened(displs, len(*count));
                    let types = Handles::<A, Datatype>::new(types, len(*count));
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    let code = c::type_create_struct(
                        *count, lengths, wide.as_ptr(), types.c(), made.c());
                    finish_at::<A>(ierror, code);
                }
                mpi_errhandler_get_ pmpi_errhandler_get_
                    mpi_errhandler_get_f08_ pmpi_errhandler_get_f08_(
                    comm: N, found: R, ierror: R
                ) -> () {
                    let mut found = HandleOut::<A, Errhandler>::new(found);
                    let comm = handle_in::<A, Comm>(*comm);
                    finish_at::<A>(ierror, c::comm_get_errhandler(comm, found.c()));
                }
                mpi_errhandler_set_ pmpi_errhandler_set_
                    mpi_errhandler_set_f08_ pmpi_errhandler_set_f08_(
                    comm: N, handler: N, ierror: R
                ) -> () {
                    let handler = handle_in::<A, Errhandler>(*handler);
                    let comm = handle_in::<A, Comm>(*comm);
                    finish_at::<A>(ierror, c::comm_set_errhandler(comm, handler));
                }
                mpi_comm_spawn_ pmpi_comm_spawn_ mpi_comm_spawn_f08_ pmpi_comm_spawn_f08_(
                    command: C, argv: C, maxprocs: N, info: N, root: N, comm: N, made: R, codes: R,
                    ierror: R, command_length: usize, argv_length: usize
                ) -> () {
                    let texts = ((command, command_length), (argv, argv_length));
                    let who = (*root, *comm);
                    store(ierror, spawn::<A>(texts, *maxprocs, *info, who, made, codes));
                }
                mpi_comm_spawn_multiple_ pmpi_comm_spawn_multiple_ mpi_comm_spawn_multiple_f08_
                    pmpi_comm_spawn_multiple_f08_(
                    count: N, commands: C, argvs: C, maxprocs: N, infos: N, root: N, comm: N,
                    made: R, codes: R, ierror: R, command_length: usize, argv_length: usize
                ) -> () {
                    let programs = (*count, (commands, command_length), (argvs, argv_length));
                    let who = (*root, *comm);
                    let code = spawn_multiple::<A>(programs, maxprocs, infos, who, made, codes);
                    store(ierror, code);
                }
                mpi_grequest_start_ pmpi_grequest_start_ mpi_grequest_start_f08_
                    pmpi_grequest_start_f08_(
                    query: P, free: P, cancel: P, state: *const i64, request: R, ierror: R
                ) -> () {
                    let functions = [query, free, cancel];
                    store(ierror, grequest_start::<A>(functions, read(state), request));
                }
                mpi_register_datarep_ pmpi_register_datarep_ mpi_register_datarep_f08_
                    pmpi_register_datarep_f08_(
                    name: C, read_fn: P, write_fn: P, extent_fn: P, state: *const i64, ierror: R,
                    length: usize
                ) -> () {
                    let none = mpi_conversion_fn_null_ as *mut c_void;
                    let name = Text::new(name, length, false);
                    let functions = [read_fn, write_fn, extent_fn];
                    store(ierror, register_datarep::<A>(name, functions, none, read(state)));
                }
                mpi_type_get_contents_ pmpi_type_get_contents_ mpi_type_get_contents_f08_
                    pmpi_type_get_contents_f08_(
                    of: N, integers: N, addresses: N, types: N, array_of_integers: R,
                    array_of_addresses: *mut i64, array_of_datatypes: R, ierror: R
                ) -> () {
                    let lengths = [*integers, *addresses, *types];
                    let arrays = (array_of_integers, array_of_addresses, array_of_datatypes);
                    store(ierror, $crate::by_hand::contents::<A>(*of, lengths, arrays));
                }
                mpi_conversion_fn_null_ pmpi_conversion_fn_null_ mpi_conversion_fn_null_f08_
                    pmpi_conversion_fn_null_f08_() -> () {}
                mpi_dup_fn_ pmpi_dup_fn_ mpi_dup_fn_f08_ pmpi_dup_fn_f08_(
                    _of: N, _key: N, _state: *const i32, value: *const i32, copied: *mut i32,
                    flag: R, ierror: R
                ) -> () { copied.write_unaligned(read(value)); *flag = 1; store(ierror, 0); }
                mpi_f_sync_reg_ pmpi_f_sync_reg_
                    mpi_f_sync_reg_f08_ pmpi_f_sync_reg_f08_(_buffer: P) -> () {}
            }
            $crate::export_fortran_by_kind! {
                (user: P, made: R, ierror: R) {
                    store(ierror, create_errhandler::<A, K>(user, made));
                }
                Comm mpi_comm_create_errhandler_ pmpi_comm_create_errhandler_
                    mpi_comm_create_errhandler_f08_ pmpi_comm_create_errhandler_f08_;
                Comm mpi_errhandler_create_ pmpi_errhandler_create_
                    mpi_errhandler_create_f08_ pmpi_errhandler_create_f08_;
                Win mpi_win_create_errhandler_ pmpi_win_create_errhandler_
                    mpi_win_create_errhandler_f08_ pmpi_win_create_errhandler_f08_;
                File mpi_file_create_errhandler_ pmpi_file_create_errhandler_
                    mpi_file_create_errhandler_f08_ pmpi_file_create_errhandler_f08_;
            }
            $crate::export_fortran_by_kind! {
                (of: N, key: N, value: *mut i64, flag: R, ierror: R) {
                    store(ierror, get::<A, K>(handle_in::<A, K>(*of), *key, value, flag));
                }
                Comm mpi_comm_get_attr_ pmpi_comm_get_attr_
                    mpi_comm_get_attr_f08_ pmpi_comm_get_attr_f08_;
                Datatype mpi_type_get_attr_ pmpi_type_get_attr_
                    mpi_type_get_attr_f08_ pmpi_type_get_attr_f08_;
                Win mpi_win_get_attr_ pmpi_win_get_attr_
                    mpi_win_get_attr_f08_ pmpi_win_get_attr_f08_;
            }
            $crate::export_fortran_by_kind! {
                (of: N, key: N, value: *const i64, ierror: R) {
                    store(ierror, set::<A, K>(handle_in::<A, K>(*of), *key, *value));
                }
                Comm mpi_comm_set_attr_ pmpi_comm_set_attr_
                    mpi_comm_set_attr_f08_ pmpi_comm_set_attr_f08_;
                Datatype mpi_type_set_attr_ pmpi_type_set_attr_
                    mpi_type_set_attr_f08_ pmpi_type_set_attr_f08_;
                Win mpi_win_set_attr_ pmpi_win_set_attr_
                    mpi_win_set_attr_f08_ pmpi_win_set_attr_f08_;
            }
            $crate::export_fortran_by_kind! {
                (copy: P, delete: P, key: R, state: *const i64, ierror: R) {
                    store(ierror, create::<A, K, i64>(copy, delete, key, *state));
                }
                Comm mpi_comm_create_keyval_ pmpi_comm_create_keyval_
                    mpi_comm_create_keyval_f08_ pmpi_comm_create_keyval_f08_;
                Datatype mpi_type_create_keyval_ pmpi_type_create_keyval_
                    mpi_type_create_keyval_f08_ pmpi_type_create_keyval_f08_;
                Win mpi_win_create_keyval_ pmpi_win_create_keyval_
                    mpi_win_create_keyval_f08_ pmpi_win_create_keyval_f08_;
            }
            $crate::export_fortran_by_kind! {
                (_of: N, _key: N, _state: P, value: *const i64, copied: *mut i64, flag: R,
                 ierror: R) {
                    copied.write_unaligned(read(value));
                    *flag = 1;
                    store(ierror, 0);
                }
                Comm mpi_comm_dup_fn_ pmpi_comm_dup_fn_ mpi_comm_dup_fn_f08_ pmpi_comm_dup_fn_f08_;
                Datatype mpi_type_dup_fn_ pmpi_type_dup_fn_
                    mpi_type_dup_fn_f08_ pmpi_type_dup_fn_f08_;
                Win mpi_win_dup_fn_ pmpi_win_dup_fn_ mpi_win_dup_fn_f08_ pmpi_win_dup_fn_f08_;
            }
            $crate::export_fortran_by_kind! {
                (_of: N, _key: N, _state: P, _value: P, _copied: P, flag: R, ierror: R) {
                    *flag = 0;
                    store(ierror, 0);
                }
                Comm mpi_null_copy_fn_ pmpi_null_copy_fn_
                    mpi_null_copy_fn_f08_ pmpi_null_copy_fn_f08_;
                Comm mpi_comm_null_copy_fn_ pmpi_comm_null_copy_fn_
                    mpi_comm_null_copy_fn_f08_ pmpi_comm_null_copy_fn_f08_;
                Datatype mpi_type_null_copy_fn_ pmpi_type_null_copy_fn_
                    mpi_type_null_copy_fn_f08_ pmpi_type_null_copy_fn_f08_;
                Win mpi_win_null_copy_fn_ pmpi_win_null_copy_fn_
                    mpi_win_null_copy_fn_f08_ pmpi_win_null_copy_fn_f08_;
            }
            $crate::export_fortran_by_kind! {
                (_of: N, _key: N, _value: P, _state: P, ierror: R) { store(ierror, 0); }
                Comm mpi_null_delete_fn_ pmpi_null_delete_fn_
                    mpi_null_delete_fn_f08_ pmpi_null_delete_fn_f08_;
                Comm mpi_comm_null_delete_fn_ pmpi_comm_null_delete_fn_
                    mpi_comm_null_delete_fn_f08_ pmpi_comm_null_delete_fn_f08_;
                Datatype mpi_type_null_delete_fn_ pmpi_type_null_delete_fn_
                    mpi_type_null_delete_fn_f08_ pmpi_type_null_delete_fn_f08_;
                Win mpi_win_null_delete_fn_ pmpi_win_null_delete_fn_
                    mpi_win_null_delete_fn_f08_ pmpi_win_null_delete_fn_f08_;
            }
        };
    };
}
