//! The specific procedures of MPI_SIZEOF.
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

use std::ffi::c_void;

use edge::argument::Out;
use edge::export;

use crate::Fortran as A;

export!([
    mpi_sizeof_character_scalar_ pmpi_sizeof_character_scalar_
    mpi_sizeof_character_r1_ pmpi_sizeof_character_r1_
    mpi_sizeof_character_r2_ pmpi_sizeof_character_r2_
    mpi_sizeof_character_r3_ pmpi_sizeof_character_r3_
    mpi_sizeof_character_r4_ pmpi_sizeof_character_r4_
    mpi_sizeof_character_r5_ pmpi_sizeof_character_r5_
    mpi_sizeof_character_r6_ pmpi_sizeof_character_r6_
    mpi_sizeof_character_r7_ pmpi_sizeof_character_r7_
    mpi_sizeof_character_r8_ pmpi_sizeof_character_r8_
    mpi_sizeof_character_r9_ pmpi_sizeof_character_r9_
    mpi_sizeof_character_r10_ pmpi_sizeof_character_r10_
    mpi_sizeof_character_r11_ pmpi_sizeof_character_r11_
    mpi_sizeof_character_r12_ pmpi_sizeof_character_r12_
    mpi_sizeof_character_r13_ pmpi_sizeof_character_r13_
    mpi_sizeof_character_r14_ pmpi_sizeof_character_r14_
    mpi_sizeof_character_r15_ pmpi_sizeof_character_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(1); 0 });
export!([
    mpi_sizeof_complex32_scalar_ pmpi_sizeof_complex32_scalar_
    mpi_sizeof_complex32_r1_ pmpi_sizeof_complex32_r1_
    mpi_sizeof_complex32_r2_ pmpi_sizeof_complex32_r2_
    mpi_sizeof_complex32_r3_ pmpi_sizeof_complex32_r3_
    mpi_sizeof_complex32_r4_ pmpi_sizeof_complex32_r4_
    mpi_sizeof_complex32_r5_ pmpi_sizeof_complex32_r5_
    mpi_sizeof_complex32_r6_ pmpi_sizeof_complex32_r6_
    mpi_sizeof_complex32_r7_ pmpi_sizeof_complex32_r7_
    mpi_sizeof_complex32_r8_ pmpi_sizeof_complex32_r8_
    mpi_sizeof_complex32_r9_ pmpi_sizeof_complex32_r9_
    mpi_sizeof_complex32_r10_ pmpi_sizeof_complex32_r10_
    mpi_sizeof_complex32_r11_ pmpi_sizeof_complex32_r11_
    mpi_sizeof_complex32_r12_ pmpi_sizeof_complex32_r12_
    mpi_sizeof_complex32_r13_ pmpi_sizeof_complex32_r13_
    mpi_sizeof_complex32_r14_ pmpi_sizeof_complex32_r14_
    mpi_sizeof_complex32_r15_ pmpi_sizeof_complex32_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(8); 0 });
export!([
    mpi_sizeof_complex64_scalar_ pmpi_sizeof_complex64_scalar_
    mpi_sizeof_complex64_r1_ pmpi_sizeof_complex64_r1_
    mpi_sizeof_complex64_r2_ pmpi_sizeof_complex64_r2_
    mpi_sizeof_complex64_r3_ pmpi_sizeof_complex64_r3_
    mpi_sizeof_complex64_r4_ pmpi_sizeof_complex64_r4_
    mpi_sizeof_complex64_r5_ pmpi_sizeof_complex64_r5_
    mpi_sizeof_complex64_r6_ pmpi_sizeof_complex64_r6_
    mpi_sizeof_complex64_r7_ pmpi_sizeof_complex64_r7_
    mpi_sizeof_complex64_r8_ pmpi_sizeof_complex64_r8_
    mpi_sizeof_complex64_r9_ pmpi_sizeof_complex64_r9_
    mpi_sizeof_complex64_r10_ pmpi_sizeof_complex64_r10_
    mpi_sizeof_complex64_r11_ pmpi_sizeof_complex64_r11_
    mpi_sizeof_complex64_r12_ pmpi_sizeof_complex64_r12_
    mpi_sizeof_complex64_r13_ pmpi_sizeof_complex64_r13_
    mpi_sizeof_complex64_r14_ pmpi_sizeof_complex64_r14_
    mpi_sizeof_complex64_r15_ pmpi_sizeof_complex64_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(16); 0 });
export!([
    mpi_sizeof_complex128_scalar_ pmpi_sizeof_complex128_scalar_
    mpi_sizeof_complex128_r1_ pmpi_sizeof_complex128_r1_
    mpi_sizeof_complex128_r2_ pmpi_sizeof_complex128_r2_
    mpi_sizeof_complex128_r3_ pmpi_sizeof_complex128_r3_
    mpi_sizeof_complex128_r4_ pmpi_sizeof_complex128_r4_
    mpi_sizeof_complex128_r5_ pmpi_sizeof_complex128_r5_
    mpi_sizeof_complex128_r6_ pmpi_sizeof_complex128_r6_
    mpi_sizeof_complex128_r7_ pmpi_sizeof_complex128_r7_
    mpi_sizeof_complex128_r8_ pmpi_sizeof_complex128_r8_
    mpi_sizeof_complex128_r9_ pmpi_sizeof_complex128_r9_
    mpi_sizeof_complex128_r10_ pmpi_sizeof_complex128_r10_
    mpi_sizeof_complex128_r11_ pmpi_sizeof_complex128_r11_
    mpi_sizeof_complex128_r12_ pmpi_sizeof_complex128_r12_
    mpi_sizeof_complex128_r13_ pmpi_sizeof_complex128_r13_
    mpi_sizeof_complex128_r14_ pmpi_sizeof_complex128_r14_
    mpi_sizeof_complex128_r15_ pmpi_sizeof_complex128_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(32); 0 });
export!([
    mpi_sizeof_int8_scalar_ pmpi_sizeof_int8_scalar_
    mpi_sizeof_int8_r1_ pmpi_sizeof_int8_r1_
    mpi_sizeof_int8_r2_ pmpi_sizeof_int8_r2_
    mpi_sizeof_int8_r3_ pmpi_sizeof_int8_r3_
    mpi_sizeof_int8_r4_ pmpi_sizeof_int8_r4_
    mpi_sizeof_int8_r5_ pmpi_sizeof_int8_r5_
    mpi_sizeof_int8_r6_ pmpi_sizeof_int8_r6_
    mpi_sizeof_int8_r7_ pmpi_sizeof_int8_r7_
    mpi_sizeof_int8_r8_ pmpi_sizeof_int8_r8_
    mpi_sizeof_int8_r9_ pmpi_sizeof_int8_r9_
    mpi_sizeof_int8_r10_ pmpi_sizeof_int8_r10_
    mpi_sizeof_int8_r11_ pmpi_sizeof_int8_r11_
    mpi_sizeof_int8_r12_ pmpi_sizeof_int8_r12_
    mpi_sizeof_int8_r13_ pmpi_sizeof_int8_r13_
    mpi_sizeof_int8_r14_ pmpi_sizeof_int8_r14_
    mpi_sizeof_int8_r15_ pmpi_sizeof_int8_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(1); 0 });
export!([
    mpi_sizeof_int16_scalar_ pmpi_sizeof_int16_scalar_
    mpi_sizeof_int16_r1_ pmpi_sizeof_int16_r1_
    mpi_sizeof_int16_r2_ pmpi_sizeof_int16_r2_
    mpi_sizeof_int16_r3_ pmpi_sizeof_int16_r3_
    mpi_sizeof_int16_r4_ pmpi_sizeof_int16_r4_
    mpi_sizeof_int16_r5_ pmpi_sizeof_int16_r5_
    mpi_sizeof_int16_r6_ pmpi_sizeof_int16_r6_
    mpi_sizeof_int16_r7_ pmpi_sizeof_int16_r7_
    mpi_sizeof_int16_r8_ pmpi_sizeof_int16_r8_
    mpi_sizeof_int16_r9_ pmpi_sizeof_int16_r9_
    mpi_sizeof_int16_r10_ pmpi_sizeof_int16_r10_
    mpi_sizeof_int16_r11_ pmpi_sizeof_int16_r11_
    mpi_sizeof_int16_r12_ pmpi_sizeof_int16_r12_
    mpi_sizeof_int16_r13_ pmpi_sizeof_int16_r13_
    mpi_sizeof_int16_r14_ pmpi_sizeof_int16_r14_
    mpi_sizeof_int16_r15_ pmpi_sizeof_int16_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(2); 0 });
export!([
    mpi_sizeof_int32_scalar_ pmpi_sizeof_int32_scalar_
    mpi_sizeof_int32_r1_ pmpi_sizeof_int32_r1_
    mpi_sizeof_int32_r2_ pmpi_sizeof_int32_r2_
    mpi_sizeof_int32_r3_ pmpi_sizeof_int32_r3_
    mpi_sizeof_int32_r4_ pmpi_sizeof_int32_r4_
    mpi_sizeof_int32_r5_ pmpi_sizeof_int32_r5_
    mpi_sizeof_int32_r6_ pmpi_sizeof_int32_r6_
    mpi_sizeof_int32_r7_ pmpi_sizeof_int32_r7_
    mpi_sizeof_int32_r8_ pmpi_sizeof_int32_r8_
    mpi_sizeof_int32_r9_ pmpi_sizeof_int32_r9_
    mpi_sizeof_int32_r10_ pmpi_sizeof_int32_r10_
    mpi_sizeof_int32_r11_ pmpi_sizeof_int32_r11_
    mpi_sizeof_int32_r12_ pmpi_sizeof_int32_r12_
    mpi_sizeof_int32_r13_ pmpi_sizeof_int32_r13_
    mpi_sizeof_int32_r14_ pmpi_sizeof_int32_r14_
    mpi_sizeof_int32_r15_ pmpi_sizeof_int32_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(4); 0 });
export!([
    mpi_sizeof_int64_scalar_ pmpi_sizeof_int64_scalar_
    mpi_sizeof_int64_r1_ pmpi_sizeof_int64_r1_
    mpi_sizeof_int64_r2_ pmpi_sizeof_int64_r2_
    mpi_sizeof_int64_r3_ pmpi_sizeof_int64_r3_
    mpi_sizeof_int64_r4_ pmpi_sizeof_int64_r4_
    mpi_sizeof_int64_r5_ pmpi_sizeof_int64_r5_
    mpi_sizeof_int64_r6_ pmpi_sizeof_int64_r6_
    mpi_sizeof_int64_r7_ pmpi_sizeof_int64_r7_
    mpi_sizeof_int64_r8_ pmpi_sizeof_int64_r8_
    mpi_sizeof_int64_r9_ pmpi_sizeof_int64_r9_
    mpi_sizeof_int64_r10_ pmpi_sizeof_int64_r10_
    mpi_sizeof_int64_r11_ pmpi_sizeof_int64_r11_
    mpi_sizeof_int64_r12_ pmpi_sizeof_int64_r12_
    mpi_sizeof_int64_r13_ pmpi_sizeof_int64_r13_
    mpi_sizeof_int64_r14_ pmpi_sizeof_int64_r14_
    mpi_sizeof_int64_r15_ pmpi_sizeof_int64_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(8); 0 });
export!([
    mpi_sizeof_logical_scalar_ pmpi_sizeof_logical_scalar_
    mpi_sizeof_logical_r1_ pmpi_sizeof_logical_r1_
    mpi_sizeof_logical_r2_ pmpi_sizeof_logical_r2_
    mpi_sizeof_logical_r3_ pmpi_sizeof_logical_r3_
    mpi_sizeof_logical_r4_ pmpi_sizeof_logical_r4_
    mpi_sizeof_logical_r5_ pmpi_sizeof_logical_r5_
    mpi_sizeof_logical_r6_ pmpi_sizeof_logical_r6_
    mpi_sizeof_logical_r7_ pmpi_sizeof_logical_r7_
    mpi_sizeof_logical_r8_ pmpi_sizeof_logical_r8_
    mpi_sizeof_logical_r9_ pmpi_sizeof_logical_r9_
    mpi_sizeof_logical_r10_ pmpi_sizeof_logical_r10_
    mpi_sizeof_logical_r11_ pmpi_sizeof_logical_r11_
    mpi_sizeof_logical_r12_ pmpi_sizeof_logical_r12_
    mpi_sizeof_logical_r13_ pmpi_sizeof_logical_r13_
    mpi_sizeof_logical_r14_ pmpi_sizeof_logical_r14_
    mpi_sizeof_logical_r15_ pmpi_sizeof_logical_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(4); 0 });
export!([
    mpi_sizeof_real32_scalar_ pmpi_sizeof_real32_scalar_
    mpi_sizeof_real32_r1_ pmpi_sizeof_real32_r1_
    mpi_sizeof_real32_r2_ pmpi_sizeof_real32_r2_
    mpi_sizeof_real32_r3_ pmpi_sizeof_real32_r3_
    mpi_sizeof_real32_r4_ pmpi_sizeof_real32_r4_
    mpi_sizeof_real32_r5_ pmpi_sizeof_real32_r5_
    mpi_sizeof_real32_r6_ pmpi_sizeof_real32_r6_
    mpi_sizeof_real32_r7_ pmpi_sizeof_real32_r7_
    mpi_sizeof_real32_r8_ pmpi_sizeof_real32_r8_
    mpi_sizeof_real32_r9_ pmpi_sizeof_real32_r9_
    mpi_sizeof_real32_r10_ pmpi_sizeof_real32_r10_
    mpi_sizeof_real32_r11_ pmpi_sizeof_real32_r11_
    mpi_sizeof_real32_r12_ pmpi_sizeof_real32_r12_
    mpi_sizeof_real32_r13_ pmpi_sizeof_real32_r13_
    mpi_sizeof_real32_r14_ pmpi_sizeof_real32_r14_
    mpi_sizeof_real32_r15_ pmpi_sizeof_real32_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(4); 0 });
export!([
    mpi_sizeof_real64_scalar_ pmpi_sizeof_real64_scalar_
    mpi_sizeof_real64_r1_ pmpi_sizeof_real64_r1_
    mpi_sizeof_real64_r2_ pmpi_sizeof_real64_r2_
    mpi_sizeof_real64_r3_ pmpi_sizeof_real64_r3_
    mpi_sizeof_real64_r4_ pmpi_sizeof_real64_r4_
    mpi_sizeof_real64_r5_ pmpi_sizeof_real64_r5_
    mpi_sizeof_real64_r6_ pmpi_sizeof_real64_r6_
    mpi_sizeof_real64_r7_ pmpi_sizeof_real64_r7_
    mpi_sizeof_real64_r8_ pmpi_sizeof_real64_r8_
    mpi_sizeof_real64_r9_ pmpi_sizeof_real64_r9_
    mpi_sizeof_real64_r10_ pmpi_sizeof_real64_r10_
    mpi_sizeof_real64_r11_ pmpi_sizeof_real64_r11_
    mpi_sizeof_real64_r12_ pmpi_sizeof_real64_r12_
    mpi_sizeof_real64_r13_ pmpi_sizeof_real64_r13_
    mpi_sizeof_real64_r14_ pmpi_sizeof_real64_r14_
    mpi_sizeof_real64_r15_ pmpi_sizeof_real64_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(8); 0 });
export!([
    mpi_sizeof_real128_scalar_ pmpi_sizeof_real128_scalar_
    mpi_sizeof_real128_r1_ pmpi_sizeof_real128_r1_
    mpi_sizeof_real128_r2_ pmpi_sizeof_real128_r2_
    mpi_sizeof_real128_r3_ pmpi_sizeof_real128_r3_
    mpi_sizeof_real128_r4_ pmpi_sizeof_real128_r4_
    mpi_sizeof_real128_r5_ pmpi_sizeof_real128_r5_
    mpi_sizeof_real128_r6_ pmpi_sizeof_real128_r6_
    mpi_sizeof_real128_r7_ pmpi_sizeof_real128_r7_
    mpi_sizeof_real128_r8_ pmpi_sizeof_real128_r8_
    mpi_sizeof_real128_r9_ pmpi_sizeof_real128_r9_
    mpi_sizeof_real128_r10_ pmpi_sizeof_real128_r10_
    mpi_sizeof_real128_r11_ pmpi_sizeof_real128_r11_
    mpi_sizeof_real128_r12_ pmpi_sizeof_real128_r12_
    mpi_sizeof_real128_r13_ pmpi_sizeof_real128_r13_
    mpi_sizeof_real128_r14_ pmpi_sizeof_real128_r14_
    mpi_sizeof_real128_r15_ pmpi_sizeof_real128_r15_
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} { Out::new(size).set(16); 0 });
