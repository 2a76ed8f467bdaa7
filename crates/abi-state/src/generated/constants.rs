//! The constants of the standard ABI (MPI 5.0, annex A.1).
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

use super::types::*;

// version

/// `MPI_VERSION`.
pub const MPI_VERSION: i32 = 5;
/// `MPI_SUBVERSION`.
pub const MPI_SUBVERSION: i32 = 0;
/// `MPI_ABI_VERSION`.
pub const MPI_ABI_VERSION: i32 = 1;
/// `MPI_ABI_SUBVERSION`.
pub const MPI_ABI_SUBVERSION: i32 = 0;

// op handle

/// `MPI_OP_NULL`.
pub const MPI_OP_NULL: Op = Op(0x20);
/// `MPI_SUM`.
pub const MPI_SUM: Op = Op(0x21);
/// `MPI_MIN`.
pub const MPI_MIN: Op = Op(0x22);
/// `MPI_MAX`.
pub const MPI_MAX: Op = Op(0x23);
/// `MPI_PROD`.
pub const MPI_PROD: Op = Op(0x24);
/// `MPI_BAND`.
pub const MPI_BAND: Op = Op(0x28);
/// `MPI_BOR`.
pub const MPI_BOR: Op = Op(0x29);
/// `MPI_BXOR`.
pub const MPI_BXOR: Op = Op(0x2a);
/// `MPI_LAND`.
pub const MPI_LAND: Op = Op(0x30);
/// `MPI_LOR`.
pub const MPI_LOR: Op = Op(0x31);
/// `MPI_LXOR`.
pub const MPI_LXOR: Op = Op(0x32);
/// `MPI_MINLOC`.
pub const MPI_MINLOC: Op = Op(0x38);
/// `MPI_MAXLOC`.
pub const MPI_MAXLOC: Op = Op(0x39);
/// `MPI_REPLACE`.
pub const MPI_REPLACE: Op = Op(0x3c);
/// `MPI_NO_OP`.
pub const MPI_NO_OP: Op = Op(0x3d);

// comm handle

/// `MPI_COMM_NULL`.
pub const MPI_COMM_NULL: Comm = Comm(0x100);
/// `MPI_COMM_WORLD`.
pub const MPI_COMM_WORLD: Comm = Comm(0x101);
/// `MPI_COMM_SELF`.
pub const MPI_COMM_SELF: Comm = Comm(0x102);

// group handle

/// `MPI_GROUP_NULL`.
pub const MPI_GROUP_NULL: Group = Group(0x108);
/// `MPI_GROUP_EMPTY`.
pub const MPI_GROUP_EMPTY: Group = Group(0x109);

// win handle

/// `MPI_WIN_NULL`.
pub const MPI_WIN_NULL: Win = Win(0x110);

// file handle

/// `MPI_FILE_NULL`.
pub const MPI_FILE_NULL: File = File(0x118);

// session handle

/// `MPI_SESSION_NULL`.
pub const MPI_SESSION_NULL: Session = Session(0x120);

// message handle

/// `MPI_MESSAGE_NULL`.
pub const MPI_MESSAGE_NULL: Message = Message(0x128);
/// `MPI_MESSAGE_NO_PROC`.
pub const MPI_MESSAGE_NO_PROC: Message = Message(0x129);

// info handle

/// `MPI_INFO_NULL`.
pub const MPI_INFO_NULL: Info = Info(0x130);
/// `MPI_INFO_ENV`.
pub const MPI_INFO_ENV: Info = Info(0x131);

// errhandler handle

/// `MPI_ERRHANDLER_NULL`.
pub const MPI_ERRHANDLER_NULL: Errhandler = Errhandler(0x140);
/// `MPI_ERRORS_ARE_FATAL`.
pub const MPI_ERRORS_ARE_FATAL: Errhandler = Errhandler(0x141);
/// `MPI_ERRORS_ABORT`.
pub const MPI_ERRORS_ABORT: Errhandler = Errhandler(0x142);
/// `MPI_ERRORS_RETURN`.
pub const MPI_ERRORS_RETURN: Errhandler = Errhandler(0x143);

// request handle

/// `MPI_REQUEST_NULL`.
pub const MPI_REQUEST_NULL: Request = Request(0x180);

// datatype handle

/// `MPI_DATATYPE_NULL`.
pub const MPI_DATATYPE_NULL: Datatype = Datatype(0x200);
/// `MPI_AINT`.
pub const MPI_AINT: Datatype = Datatype(0x201);
/// `MPI_COUNT`.
pub const MPI_COUNT: Datatype = Datatype(0x202);
/// `MPI_OFFSET`.
pub const MPI_OFFSET: Datatype = Datatype(0x203);
/// `MPI_PACKED`.
pub const MPI_PACKED: Datatype = Datatype(0x207);
/// `MPI_SHORT`.
pub const MPI_SHORT: Datatype = Datatype(0x208);
/// `MPI_INT`.
pub const MPI_INT: Datatype = Datatype(0x209);
/// `MPI_LONG`.
pub const MPI_LONG: Datatype = Datatype(0x20a);
/// `MPI_LONG_LONG`.
pub const MPI_LONG_LONG: Datatype = Datatype(0x20b);
/// `MPI_LONG_LONG_INT`.
pub const MPI_LONG_LONG_INT: Datatype = Datatype(0x20b);
/// `MPI_UNSIGNED_SHORT`.
pub const MPI_UNSIGNED_SHORT: Datatype = Datatype(0x20c);
/// `MPI_UNSIGNED`.
pub const MPI_UNSIGNED: Datatype = Datatype(0x20d);
/// `MPI_UNSIGNED_LONG`.
pub const MPI_UNSIGNED_LONG: Datatype = Datatype(0x20e);
/// `MPI_UNSIGNED_LONG_LONG`.
pub const MPI_UNSIGNED_LONG_LONG: Datatype = Datatype(0x20f);
/// `MPI_FLOAT`.
pub const MPI_FLOAT: Datatype = Datatype(0x210);
/// `MPI_C_FLOAT_COMPLEX`.
pub const MPI_C_FLOAT_COMPLEX: Datatype = Datatype(0x212);
/// `MPI_C_COMPLEX`.
pub const MPI_C_COMPLEX: Datatype = Datatype(0x212);
/// `MPI_CXX_FLOAT_COMPLEX`.
pub const MPI_CXX_FLOAT_COMPLEX: Datatype = Datatype(0x213);
/// `MPI_DOUBLE`.
pub const MPI_DOUBLE: Datatype = Datatype(0x214);
/// `MPI_C_DOUBLE_COMPLEX`.
pub const MPI_C_DOUBLE_COMPLEX: Datatype = Datatype(0x216);
/// `MPI_CXX_DOUBLE_COMPLEX`.
pub const MPI_CXX_DOUBLE_COMPLEX: Datatype = Datatype(0x217);
/// `MPI_LOGICAL`.
pub const MPI_LOGICAL: Datatype = Datatype(0x218);
/// `MPI_INTEGER`.
pub const MPI_INTEGER: Datatype = Datatype(0x219);
/// `MPI_REAL`.
pub const MPI_REAL: Datatype = Datatype(0x21a);
/// `MPI_COMPLEX`.
pub const MPI_COMPLEX: Datatype = Datatype(0x21b);
/// `MPI_DOUBLE_PRECISION`.
pub const MPI_DOUBLE_PRECISION: Datatype = Datatype(0x21c);
/// `MPI_DOUBLE_COMPLEX`.
pub const MPI_DOUBLE_COMPLEX: Datatype = Datatype(0x21d);
/// `MPI_CHARACTER`.
pub const MPI_CHARACTER: Datatype = Datatype(0x21e);
/// `MPI_LONG_DOUBLE`.
pub const MPI_LONG_DOUBLE: Datatype = Datatype(0x220);
/// `MPI_C_LONG_DOUBLE_COMPLEX`.
pub const MPI_C_LONG_DOUBLE_COMPLEX: Datatype = Datatype(0x224);
/// `MPI_CXX_LONG_DOUBLE_COMPLEX`.
pub const MPI_CXX_LONG_DOUBLE_COMPLEX: Datatype = Datatype(0x225);
/// `MPI_FLOAT_INT`.
pub const MPI_FLOAT_INT: Datatype = Datatype(0x228);
/// `MPI_DOUBLE_INT`.
pub const MPI_DOUBLE_INT: Datatype = Datatype(0x229);
/// `MPI_LONG_INT`.
pub const MPI_LONG_INT: Datatype = Datatype(0x22a);
/// `MPI_2INT`.
pub const MPI_2INT: Datatype = Datatype(0x22b);
/// `MPI_SHORT_INT`.
pub const MPI_SHORT_INT: Datatype = Datatype(0x22c);
/// `MPI_LONG_DOUBLE_INT`.
pub const MPI_LONG_DOUBLE_INT: Datatype = Datatype(0x22d);
/// `MPI_2REAL`.
pub const MPI_2REAL: Datatype = Datatype(0x230);
/// `MPI_2DOUBLE_PRECISION`.
pub const MPI_2DOUBLE_PRECISION: Datatype = Datatype(0x231);
/// `MPI_2INTEGER`.
pub const MPI_2INTEGER: Datatype = Datatype(0x232);
/// `MPI_C_BOOL`.
pub const MPI_C_BOOL: Datatype = Datatype(0x238);
/// `MPI_CXX_BOOL`.
pub const MPI_CXX_BOOL: Datatype = Datatype(0x239);
/// `MPI_WCHAR`.
pub const MPI_WCHAR: Datatype = Datatype(0x23c);
/// `MPI_INT8_T`.
pub const MPI_INT8_T: Datatype = Datatype(0x240);
/// `MPI_UINT8_T`.
pub const MPI_UINT8_T: Datatype = Datatype(0x241);
/// `MPI_CHAR`.
pub const MPI_CHAR: Datatype = Datatype(0x243);
/// `MPI_SIGNED_CHAR`.
pub const MPI_SIGNED_CHAR: Datatype = Datatype(0x244);
/// `MPI_UNSIGNED_CHAR`.
pub const MPI_UNSIGNED_CHAR: Datatype = Datatype(0x245);
/// `MPI_BYTE`.
pub const MPI_BYTE: Datatype = Datatype(0x247);
/// `MPI_INT16_T`.
pub const MPI_INT16_T: Datatype = Datatype(0x248);
/// `MPI_UINT16_T`.
pub const MPI_UINT16_T: Datatype = Datatype(0x249);
/// `MPI_INT32_T`.
pub const MPI_INT32_T: Datatype = Datatype(0x250);
/// `MPI_UINT32_T`.
pub const MPI_UINT32_T: Datatype = Datatype(0x251);
/// `MPI_INT64_T`.
pub const MPI_INT64_T: Datatype = Datatype(0x258);
/// `MPI_UINT64_T`.
pub const MPI_UINT64_T: Datatype = Datatype(0x259);
/// `MPI_LOGICAL1`.
pub const MPI_LOGICAL1: Datatype = Datatype(0x2c0);
/// `MPI_INTEGER1`.
pub const MPI_INTEGER1: Datatype = Datatype(0x2c1);
/// `MPI_LOGICAL2`.
pub const MPI_LOGICAL2: Datatype = Datatype(0x2c8);
/// `MPI_INTEGER2`.
pub const MPI_INTEGER2: Datatype = Datatype(0x2c9);
/// `MPI_REAL2`.
pub const MPI_REAL2: Datatype = Datatype(0x2ca);
/// `MPI_LOGICAL4`.
pub const MPI_LOGICAL4: Datatype = Datatype(0x2d0);
/// `MPI_INTEGER4`.
pub const MPI_INTEGER4: Datatype = Datatype(0x2d1);
/// `MPI_REAL4`.
pub const MPI_REAL4: Datatype = Datatype(0x2d2);
/// `MPI_COMPLEX4`.
pub const MPI_COMPLEX4: Datatype = Datatype(0x2d3);
/// `MPI_LOGICAL8`.
pub const MPI_LOGICAL8: Datatype = Datatype(0x2d8);
/// `MPI_INTEGER8`.
pub const MPI_INTEGER8: Datatype = Datatype(0x2d9);
/// `MPI_REAL8`.
pub const MPI_REAL8: Datatype = Datatype(0x2da);
/// `MPI_COMPLEX8`.
pub const MPI_COMPLEX8: Datatype = Datatype(0x2db);
/// `MPI_LOGICAL16`.
pub const MPI_LOGICAL16: Datatype = Datatype(0x2e0);
/// `MPI_INTEGER16`.
pub const MPI_INTEGER16: Datatype = Datatype(0x2e1);
/// `MPI_REAL16`.
pub const MPI_REAL16: Datatype = Datatype(0x2e2);
/// `MPI_COMPLEX16`.
pub const MPI_COMPLEX16: Datatype = Datatype(0x2e3);
/// `MPI_COMPLEX32`.
pub const MPI_COMPLEX32: Datatype = Datatype(0x2eb);

// buffer address

/// `MPI_BOTTOM`.
pub const MPI_BOTTOM: usize = 0;
/// `MPI_IN_PLACE`.
pub const MPI_IN_PLACE: usize = 1;
/// `MPI_BUFFER_AUTOMATIC`.
pub const MPI_BUFFER_AUTOMATIC: usize = 2;

// ignore pointer

/// `MPI_ARGV_NULL`.
pub const MPI_ARGV_NULL: usize = 0;
/// `MPI_ARGVS_NULL`.
pub const MPI_ARGVS_NULL: usize = 0;
/// `MPI_ERRCODES_IGNORE`.
pub const MPI_ERRCODES_IGNORE: usize = 0;
/// `MPI_STATUS_IGNORE`.
pub const MPI_STATUS_IGNORE: usize = 0;
/// `MPI_STATUSES_IGNORE`.
pub const MPI_STATUSES_IGNORE: usize = 0;
/// `MPI_UNWEIGHTED`.
pub const MPI_UNWEIGHTED: usize = 10;
/// `MPI_WEIGHTS_EMPTY`.
pub const MPI_WEIGHTS_EMPTY: usize = 11;

// string length limit

/// `MPI_MAX_DATAREP_STRING`.
pub const MPI_MAX_DATAREP_STRING: i32 = 128;
/// `MPI_MAX_ERROR_STRING`.
pub const MPI_MAX_ERROR_STRING: i32 = 512;
/// `MPI_MAX_INFO_KEY`.
pub const MPI_MAX_INFO_KEY: i32 = 256;
/// `MPI_MAX_INFO_VAL`.
pub const MPI_MAX_INFO_VAL: i32 = 1024;
/// `MPI_MAX_LIBRARY_VERSION_STRING`.
pub const MPI_MAX_LIBRARY_VERSION_STRING: i32 = 8192;
/// `MPI_MAX_OBJECT_NAME`.
pub const MPI_MAX_OBJECT_NAME: i32 = 128;
/// `MPI_MAX_PORT_NAME`.
pub const MPI_MAX_PORT_NAME: i32 = 1024;
/// `MPI_MAX_PROCESSOR_NAME`.
pub const MPI_MAX_PROCESSOR_NAME: i32 = 256;
/// `MPI_MAX_STRINGTAG_LEN`.
pub const MPI_MAX_STRINGTAG_LEN: i32 = 1024;
/// `MPI_MAX_PSET_NAME_LEN`.
pub const MPI_MAX_PSET_NAME_LEN: i32 = 1024;

// int constant

/// `MPI_BSEND_OVERHEAD`.
pub const MPI_BSEND_OVERHEAD: i32 = 512;

// file displacement

/// `MPI_DISPLACEMENT_CURRENT`.
pub const MPI_DISPLACEMENT_CURRENT: i64 = -1;

// callback constant

/// `MPI_NULL_COPY_FN`.
pub const MPI_NULL_COPY_FN: usize = 0;
/// `MPI_DUP_FN`.
pub const MPI_DUP_FN: usize = 1;
/// `MPI_NULL_DELETE_FN`.
pub const MPI_NULL_DELETE_FN: usize = 0;
/// `MPI_COMM_NULL_COPY_FN`.
pub const MPI_COMM_NULL_COPY_FN: usize = 0;
/// `MPI_COMM_DUP_FN`.
pub const MPI_COMM_DUP_FN: usize = 1;
/// `MPI_COMM_NULL_DELETE_FN`.
pub const MPI_COMM_NULL_DELETE_FN: usize = 0;
/// `MPI_TYPE_NULL_COPY_FN`.
pub const MPI_TYPE_NULL_COPY_FN: usize = 0;
/// `MPI_TYPE_DUP_FN`.
pub const MPI_TYPE_DUP_FN: usize = 1;
/// `MPI_TYPE_NULL_DELETE_FN`.
pub const MPI_TYPE_NULL_DELETE_FN: usize = 0;
/// `MPI_WIN_NULL_COPY_FN`.
pub const MPI_WIN_NULL_COPY_FN: usize = 0;
/// `MPI_WIN_DUP_FN`.
pub const MPI_WIN_DUP_FN: usize = 1;
/// `MPI_WIN_NULL_DELETE_FN`.
pub const MPI_WIN_NULL_DELETE_FN: usize = 0;
/// `MPI_CONVERSION_FN_NULL`.
pub const MPI_CONVERSION_FN_NULL: usize = 0;
/// `MPI_CONVERSION_FN_NULL_C`.
pub const MPI_CONVERSION_FN_NULL_C: usize = 0;

// tool handle

/// `MPI_T_ENUM_NULL`.
pub const MPI_T_ENUM_NULL: TEnum = TEnum(0x0);
/// `MPI_T_CVAR_HANDLE_NULL`.
pub const MPI_T_CVAR_HANDLE_NULL: TCvarHandle = TCvarHandle(0x0);
/// `MPI_T_PVAR_SESSION_NULL`.
pub const MPI_T_PVAR_SESSION_NULL: TPvarSession = TPvarSession(0x0);
/// `MPI_T_PVAR_HANDLE_NULL`.
pub const MPI_T_PVAR_HANDLE_NULL: TPvarHandle = TPvarHandle(0x0);
/// `MPI_T_PVAR_ALL_HANDLES`.
pub const MPI_T_PVAR_ALL_HANDLES: TPvarHandle = TPvarHandle(0x1);

// fortran status index

/// `MPI_F_STATUS_SIZE`.
pub const MPI_F_STATUS_SIZE: i32 = 8;
/// `MPI_F_SOURCE`.
pub const MPI_F_SOURCE: i32 = 0;
/// `MPI_F_TAG`.
pub const MPI_F_TAG: i32 = 1;
/// `MPI_F_ERROR`.
pub const MPI_F_ERROR: i32 = 2;

// error class

/// `MPI_SUCCESS`.
pub const MPI_SUCCESS: i32 = 0;
/// `MPI_ERR_BUFFER`.
pub const MPI_ERR_BUFFER: i32 = 1;
/// `MPI_ERR_COUNT`.
pub const MPI_ERR_COUNT: i32 = 2;
/// `MPI_ERR_TYPE`.
pub const MPI_ERR_TYPE: i32 = 3;
/// `MPI_ERR_TAG`.
pub const MPI_ERR_TAG: i32 = 4;
/// `MPI_ERR_COMM`.
pub const MPI_ERR_COMM: i32 = 5;
/// `MPI_ERR_RANK`.
pub const MPI_ERR_RANK: i32 = 6;
/// `MPI_ERR_REQUEST`.
pub const MPI_ERR_REQUEST: i32 = 7;
/// `MPI_ERR_ROOT`.
pub const MPI_ERR_ROOT: i32 = 8;
/// `MPI_ERR_GROUP`.
pub const MPI_ERR_GROUP: i32 = 9;
/// `MPI_ERR_OP`.
pub const MPI_ERR_OP: i32 = 10;
/// `MPI_ERR_TOPOLOGY`.
pub const MPI_ERR_TOPOLOGY: i32 = 11;
/// `MPI_ERR_DIMS`.
pub const MPI_ERR_DIMS: i32 = 12;
/// `MPI_ERR_ARG`.
pub const MPI_ERR_ARG: i32 = 13;
/// `MPI_ERR_UNKNOWN`.
pub const MPI_ERR_UNKNOWN: i32 = 14;
/// `MPI_ERR_TRUNCATE`.
pub const MPI_ERR_TRUNCATE: i32 = 15;
/// `MPI_ERR_OTHER`.
pub const MPI_ERR_OTHER: i32 = 16;
/// `MPI_ERR_INTERN`.
pub const MPI_ERR_INTERN: i32 = 17;
/// `MPI_ERR_PENDING`.
pub const MPI_ERR_PENDING: i32 = 18;
/// `MPI_ERR_IN_STATUS`.
pub const MPI_ERR_IN_STATUS: i32 = 19;
/// `MPI_ERR_ACCESS`.
pub const MPI_ERR_ACCESS: i32 = 20;
/// `MPI_ERR_AMODE`.
pub const MPI_ERR_AMODE: i32 = 21;
/// `MPI_ERR_ASSERT`.
pub const MPI_ERR_ASSERT: i32 = 22;
/// `MPI_ERR_BAD_FILE`.
pub const MPI_ERR_BAD_FILE: i32 = 23;
/// `MPI_ERR_BASE`.
pub const MPI_ERR_BASE: i32 = 24;
/// `MPI_ERR_CONVERSION`.
pub const MPI_ERR_CONVERSION: i32 = 25;
/// `MPI_ERR_DISP`.
pub const MPI_ERR_DISP: i32 = 26;
/// `MPI_ERR_DUP_DATAREP`.
pub const MPI_ERR_DUP_DATAREP: i32 = 27;
/// `MPI_ERR_FILE_EXISTS`.
pub const MPI_ERR_FILE_EXISTS: i32 = 28;
/// `MPI_ERR_FILE_IN_USE`.
pub const MPI_ERR_FILE_IN_USE: i32 = 29;
/// `MPI_ERR_FILE`.
pub const MPI_ERR_FILE: i32 = 30;
/// `MPI_ERR_INFO_KEY`.
pub const MPI_ERR_INFO_KEY: i32 = 31;
/// `MPI_ERR_INFO_NOKEY`.
pub const MPI_ERR_INFO_NOKEY: i32 = 32;
/// `MPI_ERR_INFO_VALUE`.
pub const MPI_ERR_INFO_VALUE: i32 = 33;
/// `MPI_ERR_INFO`.
pub const MPI_ERR_INFO: i32 = 34;
/// `MPI_ERR_IO`.
pub const MPI_ERR_IO: i32 = 35;
/// `MPI_ERR_KEYVAL`.
pub const MPI_ERR_KEYVAL: i32 = 36;
/// `MPI_ERR_LOCKTYPE`.
pub const MPI_ERR_LOCKTYPE: i32 = 37;
/// `MPI_ERR_NAME`.
pub const MPI_ERR_NAME: i32 = 38;
/// `MPI_ERR_NO_MEM`.
pub const MPI_ERR_NO_MEM: i32 = 39;
/// `MPI_ERR_NOT_SAME`.
pub const MPI_ERR_NOT_SAME: i32 = 40;
/// `MPI_ERR_NO_SPACE`.
pub const MPI_ERR_NO_SPACE: i32 = 41;
/// `MPI_ERR_NO_SUCH_FILE`.
pub const MPI_ERR_NO_SUCH_FILE: i32 = 42;
/// `MPI_ERR_PORT`.
pub const MPI_ERR_PORT: i32 = 43;
/// `MPI_ERR_QUOTA`.
pub const MPI_ERR_QUOTA: i32 = 44;
/// `MPI_ERR_READ_ONLY`.
pub const MPI_ERR_READ_ONLY: i32 = 45;
/// `MPI_ERR_RMA_ATTACH`.
pub const MPI_ERR_RMA_ATTACH: i32 = 46;
/// `MPI_ERR_RMA_CONFLICT`.
pub const MPI_ERR_RMA_CONFLICT: i32 = 47;
/// `MPI_ERR_RMA_RANGE`.
pub const MPI_ERR_RMA_RANGE: i32 = 48;
/// `MPI_ERR_RMA_SHARED`.
pub const MPI_ERR_RMA_SHARED: i32 = 49;
/// `MPI_ERR_RMA_SYNC`.
pub const MPI_ERR_RMA_SYNC: i32 = 50;
/// `MPI_ERR_SERVICE`.
pub const MPI_ERR_SERVICE: i32 = 51;
/// `MPI_ERR_SIZE`.
pub const MPI_ERR_SIZE: i32 = 52;
/// `MPI_ERR_SPAWN`.
pub const MPI_ERR_SPAWN: i32 = 53;
/// `MPI_ERR_UNSUPPORTED_DATAREP`.
pub const MPI_ERR_UNSUPPORTED_DATAREP: i32 = 54;
/// `MPI_ERR_UNSUPPORTED_OPERATION`.
pub const MPI_ERR_UNSUPPORTED_OPERATION: i32 = 55;
/// `MPI_ERR_WIN`.
pub const MPI_ERR_WIN: i32 = 56;
/// `MPI_ERR_RMA_FLAVOR`.
pub const MPI_ERR_RMA_FLAVOR: i32 = 57;
/// `MPI_ERR_PROC_ABORTED`.
pub const MPI_ERR_PROC_ABORTED: i32 = 58;
/// `MPI_ERR_VALUE_TOO_LARGE`.
pub const MPI_ERR_VALUE_TOO_LARGE: i32 = 59;
/// `MPI_ERR_SESSION`.
pub const MPI_ERR_SESSION: i32 = 60;
/// `MPI_ERR_ERRHANDLER`.
pub const MPI_ERR_ERRHANDLER: i32 = 61;
/// `MPI_ERR_ABI`.
pub const MPI_ERR_ABI: i32 = 62;

// tool error class

/// `MPI_T_ERR_CANNOT_INIT`.
pub const MPI_T_ERR_CANNOT_INIT: i32 = 1001;
/// `MPI_T_ERR_NOT_ACCESSIBLE`.
pub const MPI_T_ERR_NOT_ACCESSIBLE: i32 = 1002;
/// `MPI_T_ERR_NOT_INITIALIZED`.
pub const MPI_T_ERR_NOT_INITIALIZED: i32 = 1003;
/// `MPI_T_ERR_NOT_SUPPORTED`.
pub const MPI_T_ERR_NOT_SUPPORTED: i32 = 1004;
/// `MPI_T_ERR_MEMORY`.
pub const MPI_T_ERR_MEMORY: i32 = 1005;
/// `MPI_T_ERR_INVALID`.
pub const MPI_T_ERR_INVALID: i32 = 1006;
/// `MPI_T_ERR_INVALID_INDEX`.
pub const MPI_T_ERR_INVALID_INDEX: i32 = 1007;
/// `MPI_T_ERR_INVALID_ITEM`.
pub const MPI_T_ERR_INVALID_ITEM: i32 = 1008;
/// `MPI_T_ERR_INVALID_SESSION`.
pub const MPI_T_ERR_INVALID_SESSION: i32 = 1009;
/// `MPI_T_ERR_INVALID_HANDLE`.
pub const MPI_T_ERR_INVALID_HANDLE: i32 = 1010;
/// `MPI_T_ERR_INVALID_NAME`.
pub const MPI_T_ERR_INVALID_NAME: i32 = 1011;
/// `MPI_T_ERR_OUT_OF_HANDLES`.
pub const MPI_T_ERR_OUT_OF_HANDLES: i32 = 1012;
/// `MPI_T_ERR_OUT_OF_SESSIONS`.
pub const MPI_T_ERR_OUT_OF_SESSIONS: i32 = 1013;
/// `MPI_T_ERR_CVAR_SET_NOT_NOW`.
pub const MPI_T_ERR_CVAR_SET_NOT_NOW: i32 = 1014;
/// `MPI_T_ERR_CVAR_SET_NEVER`.
pub const MPI_T_ERR_CVAR_SET_NEVER: i32 = 1015;
/// `MPI_T_ERR_PVAR_NO_WRITE`.
pub const MPI_T_ERR_PVAR_NO_WRITE: i32 = 1016;
/// `MPI_T_ERR_PVAR_NO_STARTSTOP`.
pub const MPI_T_ERR_PVAR_NO_STARTSTOP: i32 = 1017;
/// `MPI_T_ERR_PVAR_NO_ATOMIC`.
pub const MPI_T_ERR_PVAR_NO_ATOMIC: i32 = 1018;

// error class

/// `MPI_ERR_LASTCODE`.
pub const MPI_ERR_LASTCODE: i32 = 16383;

// file open mode

/// `MPI_MODE_APPEND`.
pub const MPI_MODE_APPEND: i32 = 1;
/// `MPI_MODE_CREATE`.
pub const MPI_MODE_CREATE: i32 = 2;
/// `MPI_MODE_DELETE_ON_CLOSE`.
pub const MPI_MODE_DELETE_ON_CLOSE: i32 = 4;
/// `MPI_MODE_EXCL`.
pub const MPI_MODE_EXCL: i32 = 8;
/// `MPI_MODE_RDONLY`.
pub const MPI_MODE_RDONLY: i32 = 16;
/// `MPI_MODE_RDWR`.
pub const MPI_MODE_RDWR: i32 = 32;
/// `MPI_MODE_SEQUENTIAL`.
pub const MPI_MODE_SEQUENTIAL: i32 = 64;
/// `MPI_MODE_UNIQUE_OPEN`.
pub const MPI_MODE_UNIQUE_OPEN: i32 = 128;
/// `MPI_MODE_WRONLY`.
pub const MPI_MODE_WRONLY: i32 = 256;

// rma assert

/// `MPI_MODE_NOCHECK`.
pub const MPI_MODE_NOCHECK: i32 = 1024;
/// `MPI_MODE_NOPRECEDE`.
pub const MPI_MODE_NOPRECEDE: i32 = 2048;
/// `MPI_MODE_NOPUT`.
pub const MPI_MODE_NOPUT: i32 = 4096;
/// `MPI_MODE_NOSTORE`.
pub const MPI_MODE_NOSTORE: i32 = 8192;
/// `MPI_MODE_NOSUCCEED`.
pub const MPI_MODE_NOSUCCEED: i32 = 16384;

// int constant

/// `MPI_ANY_SOURCE`.
pub const MPI_ANY_SOURCE: i32 = -1;
/// `MPI_ANY_TAG`.
pub const MPI_ANY_TAG: i32 = -2;
/// `MPI_PROC_NULL`.
pub const MPI_PROC_NULL: i32 = -3;
/// `MPI_ROOT`.
pub const MPI_ROOT: i32 = -4;
/// `MPI_UNDEFINED`.
pub const MPI_UNDEFINED: i32 = -32766;

// thread level

/// `MPI_THREAD_SINGLE`.
pub const MPI_THREAD_SINGLE: i32 = 0;
/// `MPI_THREAD_FUNNELED`.
pub const MPI_THREAD_FUNNELED: i32 = 1024;
/// `MPI_THREAD_SERIALIZED`.
pub const MPI_THREAD_SERIALIZED: i32 = 2048;
/// `MPI_THREAD_MULTIPLE`.
pub const MPI_THREAD_MULTIPLE: i32 = 4096;

// array order or distribution

/// `MPI_ORDER_C`.
pub const MPI_ORDER_C: i32 = 12;
/// `MPI_ORDER_FORTRAN`.
pub const MPI_ORDER_FORTRAN: i32 = 15;
/// `MPI_DISTRIBUTE_NONE`.
pub const MPI_DISTRIBUTE_NONE: i32 = 16;
/// `MPI_DISTRIBUTE_BLOCK`.
pub const MPI_DISTRIBUTE_BLOCK: i32 = 17;
/// `MPI_DISTRIBUTE_CYCLIC`.
pub const MPI_DISTRIBUTE_CYCLIC: i32 = 18;
/// `MPI_DISTRIBUTE_DFLT_DARG`.
pub const MPI_DISTRIBUTE_DFLT_DARG: i32 = 19;

// combiner

/// `MPI_COMBINER_NAMED`.
pub const MPI_COMBINER_NAMED: i32 = 101;
/// `MPI_COMBINER_DUP`.
pub const MPI_COMBINER_DUP: i32 = 102;
/// `MPI_COMBINER_CONTIGUOUS`.
pub const MPI_COMBINER_CONTIGUOUS: i32 = 103;
/// `MPI_COMBINER_VECTOR`.
pub const MPI_COMBINER_VECTOR: i32 = 104;
/// `MPI_COMBINER_HVECTOR`.
pub const MPI_COMBINER_HVECTOR: i32 = 105;
/// `MPI_COMBINER_INDEXED`.
pub const MPI_COMBINER_INDEXED: i32 = 106;
/// `MPI_COMBINER_HINDEXED`.
pub const MPI_COMBINER_HINDEXED: i32 = 107;
/// `MPI_COMBINER_INDEXED_BLOCK`.
pub const MPI_COMBINER_INDEXED_BLOCK: i32 = 108;
/// `MPI_COMBINER_HINDEXED_BLOCK`.
pub const MPI_COMBINER_HINDEXED_BLOCK: i32 = 109;
/// `MPI_COMBINER_STRUCT`.
pub const MPI_COMBINER_STRUCT: i32 = 110;
/// `MPI_COMBINER_SUBARRAY`.
pub const MPI_COMBINER_SUBARRAY: i32 = 111;
/// `MPI_COMBINER_DARRAY`.
pub const MPI_COMBINER_DARRAY: i32 = 112;
/// `MPI_COMBINER_F90_REAL`.
pub const MPI_COMBINER_F90_REAL: i32 = 113;
/// `MPI_COMBINER_F90_COMPLEX`.
pub const MPI_COMBINER_F90_COMPLEX: i32 = 114;
/// `MPI_COMBINER_F90_INTEGER`.
pub const MPI_COMBINER_F90_INTEGER: i32 = 115;
/// `MPI_COMBINER_RESIZED`.
pub const MPI_COMBINER_RESIZED: i32 = 116;
/// `MPI_COMBINER_VALUE_INDEX`.
pub const MPI_COMBINER_VALUE_INDEX: i32 = 117;

// typeclass

/// `MPI_TYPECLASS_INTEGER`.
pub const MPI_TYPECLASS_INTEGER: i32 = 192;
/// `MPI_TYPECLASS_REAL`.
pub const MPI_TYPECLASS_REAL: i32 = 193;
/// `MPI_TYPECLASS_COMPLEX`.
pub const MPI_TYPECLASS_COMPLEX: i32 = 194;

// comparison result

/// `MPI_IDENT`.
pub const MPI_IDENT: i32 = 201;
/// `MPI_CONGRUENT`.
pub const MPI_CONGRUENT: i32 = 202;
/// `MPI_SIMILAR`.
pub const MPI_SIMILAR: i32 = 203;
/// `MPI_UNEQUAL`.
pub const MPI_UNEQUAL: i32 = 204;

// topology kind

/// `MPI_CART`.
pub const MPI_CART: i32 = 211;
/// `MPI_GRAPH`.
pub const MPI_GRAPH: i32 = 212;
/// `MPI_DIST_GRAPH`.
pub const MPI_DIST_GRAPH: i32 = 213;

// comm split type

/// `MPI_COMM_TYPE_SHARED`.
pub const MPI_COMM_TYPE_SHARED: i32 = 221;
/// `MPI_COMM_TYPE_HW_UNGUIDED`.
pub const MPI_COMM_TYPE_HW_UNGUIDED: i32 = 222;
/// `MPI_COMM_TYPE_HW_GUIDED`.
pub const MPI_COMM_TYPE_HW_GUIDED: i32 = 223;
/// `MPI_COMM_TYPE_RESOURCE_GUIDED`.
pub const MPI_COMM_TYPE_RESOURCE_GUIDED: i32 = 224;

// win lock type

/// `MPI_LOCK_EXCLUSIVE`.
pub const MPI_LOCK_EXCLUSIVE: i32 = 301;
/// `MPI_LOCK_SHARED`.
pub const MPI_LOCK_SHARED: i32 = 302;

// win flavor

/// `MPI_WIN_FLAVOR_CREATE`.
pub const MPI_WIN_FLAVOR_CREATE: i32 = 311;
/// `MPI_WIN_FLAVOR_ALLOCATE`.
pub const MPI_WIN_FLAVOR_ALLOCATE: i32 = 312;
/// `MPI_WIN_FLAVOR_DYNAMIC`.
pub const MPI_WIN_FLAVOR_DYNAMIC: i32 = 313;
/// `MPI_WIN_FLAVOR_SHARED`.
pub const MPI_WIN_FLAVOR_SHARED: i32 = 314;

// win model

/// `MPI_WIN_UNIFIED`.
pub const MPI_WIN_UNIFIED: i32 = 321;
/// `MPI_WIN_SEPARATE`.
pub const MPI_WIN_SEPARATE: i32 = 322;

// file seek

/// `MPI_SEEK_CUR`.
pub const MPI_SEEK_CUR: i32 = 401;
/// `MPI_SEEK_END`.
pub const MPI_SEEK_END: i32 = 402;
/// `MPI_SEEK_SET`.
pub const MPI_SEEK_SET: i32 = 403;

// attr keyval

/// `MPI_KEYVAL_INVALID`.
pub const MPI_KEYVAL_INVALID: i32 = 0;
/// `MPI_TAG_UB`.
pub const MPI_TAG_UB: i32 = 501;
/// `MPI_IO`.
pub const MPI_IO: i32 = 502;
/// `MPI_HOST`.
pub const MPI_HOST: i32 = 503;
/// `MPI_WTIME_IS_GLOBAL`.
pub const MPI_WTIME_IS_GLOBAL: i32 = 504;
/// `MPI_APPNUM`.
pub const MPI_APPNUM: i32 = 505;
/// `MPI_LASTUSEDCODE`.
pub const MPI_LASTUSEDCODE: i32 = 506;
/// `MPI_UNIVERSE_SIZE`.
pub const MPI_UNIVERSE_SIZE: i32 = 507;
/// `MPI_WIN_BASE`.
pub const MPI_WIN_BASE: i32 = 601;
/// `MPI_WIN_DISP_UNIT`.
pub const MPI_WIN_DISP_UNIT: i32 = 602;
/// `MPI_WIN_SIZE`.
pub const MPI_WIN_SIZE: i32 = 603;
/// `MPI_WIN_CREATE_FLAVOR`.
pub const MPI_WIN_CREATE_FLAVOR: i32 = 604;
/// `MPI_WIN_MODEL`.
pub const MPI_WIN_MODEL: i32 = 605;

// tool cb safety

/// `MPI_T_CB_REQUIRE_NONE`.
pub const MPI_T_CB_REQUIRE_NONE: TCbSafety = 0;
/// `MPI_T_CB_REQUIRE_MPI_RESTRICTED`.
pub const MPI_T_CB_REQUIRE_MPI_RESTRICTED: TCbSafety = 3;
/// `MPI_T_CB_REQUIRE_THREAD_SAFE`.
pub const MPI_T_CB_REQUIRE_THREAD_SAFE: TCbSafety = 15;
/// `MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE`.
pub const MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE: TCbSafety = 63;

// tool source order

/// `MPI_T_SOURCE_ORDERED`.
pub const MPI_T_SOURCE_ORDERED: TSourceOrder = 1;
/// `MPI_T_SOURCE_UNORDERED`.
pub const MPI_T_SOURCE_UNORDERED: TSourceOrder = 2;

// tool verbosity

/// `MPI_T_VERBOSITY_USER_BASIC`.
pub const MPI_T_VERBOSITY_USER_BASIC: i32 = 9;
/// `MPI_T_VERBOSITY_USER_DETAIL`.
pub const MPI_T_VERBOSITY_USER_DETAIL: i32 = 10;
/// `MPI_T_VERBOSITY_USER_ALL`.
pub const MPI_T_VERBOSITY_USER_ALL: i32 = 12;
/// `MPI_T_VERBOSITY_TUNER_BASIC`.
pub const MPI_T_VERBOSITY_TUNER_BASIC: i32 = 17;
/// `MPI_T_VERBOSITY_TUNER_DETAIL`.
pub const MPI_T_VERBOSITY_TUNER_DETAIL: i32 = 18;
/// `MPI_T_VERBOSITY_TUNER_ALL`.
pub const MPI_T_VERBOSITY_TUNER_ALL: i32 = 20;
/// `MPI_T_VERBOSITY_MPIDEV_BASIC`.
pub const MPI_T_VERBOSITY_MPIDEV_BASIC: i32 = 33;
/// `MPI_T_VERBOSITY_MPIDEV_DETAIL`.
pub const MPI_T_VERBOSITY_MPIDEV_DETAIL: i32 = 34;
/// `MPI_T_VERBOSITY_MPIDEV_ALL`.
pub const MPI_T_VERBOSITY_MPIDEV_ALL: i32 = 36;

// tool bind

/// `MPI_T_BIND_NO_OBJECT`.
pub const MPI_T_BIND_NO_OBJECT: i32 = 1;
/// `MPI_T_BIND_MPI_COMM`.
pub const MPI_T_BIND_MPI_COMM: i32 = 2;
/// `MPI_T_BIND_MPI_DATATYPE`.
pub const MPI_T_BIND_MPI_DATATYPE: i32 = 3;
/// `MPI_T_BIND_MPI_ERRHANDLER`.
pub const MPI_T_BIND_MPI_ERRHANDLER: i32 = 4;
/// `MPI_T_BIND_MPI_FILE`.
pub const MPI_T_BIND_MPI_FILE: i32 = 5;
/// `MPI_T_BIND_MPI_GROUP`.
pub const MPI_T_BIND_MPI_GROUP: i32 = 6;
/// `MPI_T_BIND_MPI_OP`.
pub const MPI_T_BIND_MPI_OP: i32 = 7;
/// `MPI_T_BIND_MPI_REQUEST`.
pub const MPI_T_BIND_MPI_REQUEST: i32 = 8;
/// `MPI_T_BIND_MPI_WIN`.
pub const MPI_T_BIND_MPI_WIN: i32 = 9;
/// `MPI_T_BIND_MPI_MESSAGE`.
pub const MPI_T_BIND_MPI_MESSAGE: i32 = 10;
/// `MPI_T_BIND_MPI_INFO`.
pub const MPI_T_BIND_MPI_INFO: i32 = 11;
/// `MPI_T_BIND_MPI_SESSION`.
pub const MPI_T_BIND_MPI_SESSION: i32 = 12;

// tool scope

/// `MPI_T_SCOPE_CONSTANT`.
pub const MPI_T_SCOPE_CONSTANT: i32 = 1;
/// `MPI_T_SCOPE_READONLY`.
pub const MPI_T_SCOPE_READONLY: i32 = 2;
/// `MPI_T_SCOPE_LOCAL`.
pub const MPI_T_SCOPE_LOCAL: i32 = 3;
/// `MPI_T_SCOPE_GROUP`.
pub const MPI_T_SCOPE_GROUP: i32 = 4;
/// `MPI_T_SCOPE_GROUP_EQ`.
pub const MPI_T_SCOPE_GROUP_EQ: i32 = 5;
/// `MPI_T_SCOPE_ALL`.
pub const MPI_T_SCOPE_ALL: i32 = 6;
/// `MPI_T_SCOPE_ALL_EQ`.
pub const MPI_T_SCOPE_ALL_EQ: i32 = 7;

// tool pvar class

/// `MPI_T_PVAR_CLASS_STATE`.
pub const MPI_T_PVAR_CLASS_STATE: i32 = 1;
/// `MPI_T_PVAR_CLASS_LEVEL`.
pub const MPI_T_PVAR_CLASS_LEVEL: i32 = 2;
/// `MPI_T_PVAR_CLASS_SIZE`.
pub const MPI_T_PVAR_CLASS_SIZE: i32 = 3;
/// `MPI_T_PVAR_CLASS_PERCENTAGE`.
pub const MPI_T_PVAR_CLASS_PERCENTAGE: i32 = 4;
/// `MPI_T_PVAR_CLASS_HIGHWATERMARK`.
pub const MPI_T_PVAR_CLASS_HIGHWATERMARK: i32 = 5;
/// `MPI_T_PVAR_CLASS_LOWWATERMARK`.
pub const MPI_T_PVAR_CLASS_LOWWATERMARK: i32 = 6;
/// `MPI_T_PVAR_CLASS_COUNTER`.
pub const MPI_T_PVAR_CLASS_COUNTER: i32 = 7;
/// `MPI_T_PVAR_CLASS_AGGREGATE`.
pub const MPI_T_PVAR_CLASS_AGGREGATE: i32 = 8;
/// `MPI_T_PVAR_CLASS_TIMER`.
pub const MPI_T_PVAR_CLASS_TIMER: i32 = 9;
/// `MPI_T_PVAR_CLASS_GENERIC`.
pub const MPI_T_PVAR_CLASS_GENERIC: i32 = 10;

/// The name and the value of each error class.
pub const ERROR_CLASSES: &[(&str, i32)] = &[
    ("MPI_SUCCESS", MPI_SUCCESS),
    ("MPI_ERR_BUFFER", MPI_ERR_BUFFER),
    ("MPI_ERR_COUNT", MPI_ERR_COUNT),
    ("MPI_ERR_TYPE", MPI_ERR_TYPE),
    ("MPI_ERR_TAG", MPI_ERR_TAG),
    ("MPI_ERR_COMM", MPI_ERR_COMM),
    ("MPI_ERR_RANK", MPI_ERR_RANK),
    ("MPI_ERR_REQUEST", MPI_ERR_REQUEST),
    ("MPI_ERR_ROOT", MPI_ERR_ROOT),
    ("MPI_ERR_GROUP", MPI_ERR_GROUP),
    ("MPI_ERR_OP", MPI_ERR_OP),
    ("MPI_ERR_TOPOLOGY", MPI_ERR_TOPOLOGY),
    ("MPI_ERR_DIMS", MPI_ERR_DIMS),
    ("MPI_ERR_ARG", MPI_ERR_ARG),
    ("MPI_ERR_UNKNOWN", MPI_ERR_UNKNOWN),
    ("MPI_ERR_TRUNCATE", MPI_ERR_TRUNCATE),
    ("MPI_ERR_OTHER", MPI_ERR_OTHER),
    ("MPI_ERR_INTERN", MPI_ERR_INTERN),
    ("MPI_ERR_PENDING", MPI_ERR_PENDING),
    ("MPI_ERR_IN_STATUS", MPI_ERR_IN_STATUS),
    ("MPI_ERR_ACCESS", MPI_ERR_ACCESS),
    ("MPI_ERR_AMODE", MPI_ERR_AMODE),
    ("MPI_ERR_ASSERT", MPI_ERR_ASSERT),
    ("MPI_ERR_BAD_FILE", MPI_ERR_BAD_FILE),
    ("MPI_ERR_BASE", MPI_ERR_BASE),
    ("MPI_ERR_CONVERSION", MPI_ERR_CONVERSION),
    ("MPI_ERR_DISP", MPI_ERR_DISP),
    ("MPI_ERR_DUP_DATAREP", MPI_ERR_DUP_DATAREP),
    ("MPI_ERR_FILE_EXISTS", MPI_ERR_FILE_EXISTS),
    ("MPI_ERR_FILE_IN_USE", MPI_ERR_FILE_IN_USE),
    ("MPI_ERR_FILE", MPI_ERR_FILE),
    ("MPI_ERR_INFO_KEY", MPI_ERR_INFO_KEY),
    ("MPI_ERR_INFO_NOKEY", MPI_ERR_INFO_NOKEY),
    ("MPI_ERR_INFO_VALUE", MPI_ERR_INFO_VALUE),
    ("MPI_ERR_INFO", MPI_ERR_INFO),
    ("MPI_ERR_IO", MPI_ERR_IO),
    ("MPI_ERR_KEYVAL", MPI_ERR_KEYVAL),
    ("MPI_ERR_LOCKTYPE", MPI_ERR_LOCKTYPE),
    ("MPI_ERR_NAME", MPI_ERR_NAME),
    ("MPI_ERR_NO_MEM", MPI_ERR_NO_MEM),
    ("MPI_ERR_NOT_SAME", MPI_ERR_NOT_SAME),
    ("MPI_ERR_NO_SPACE", MPI_ERR_NO_SPACE),
    ("MPI_ERR_NO_SUCH_FILE", MPI_ERR_NO_SUCH_FILE),
    ("MPI_ERR_PORT", MPI_ERR_PORT),
    ("MPI_ERR_QUOTA", MPI_ERR_QUOTA),
    ("MPI_ERR_READ_ONLY", MPI_ERR_READ_ONLY),
    ("MPI_ERR_RMA_ATTACH", MPI_ERR_RMA_ATTACH),
    ("MPI_ERR_RMA_CONFLICT", MPI_ERR_RMA_CONFLICT),
    ("MPI_ERR_RMA_RANGE", MPI_ERR_RMA_RANGE),
    ("MPI_ERR_RMA_SHARED", MPI_ERR_RMA_SHARED),
    ("MPI_ERR_RMA_SYNC", MPI_ERR_RMA_SYNC),
    ("MPI_ERR_SERVICE", MPI_ERR_SERVICE),
    ("MPI_ERR_SIZE", MPI_ERR_SIZE),
    ("MPI_ERR_SPAWN", MPI_ERR_SPAWN),
    ("MPI_ERR_UNSUPPORTED_DATAREP", MPI_ERR_UNSUPPORTED_DATAREP),
    ("MPI_ERR_UNSUPPORTED_OPERATION", MPI_ERR_UNSUPPORTED_OPERATION),
    ("MPI_ERR_WIN", MPI_ERR_WIN),
    ("MPI_ERR_RMA_FLAVOR", MPI_ERR_RMA_FLAVOR),
    ("MPI_ERR_PROC_ABORTED", MPI_ERR_PROC_ABORTED),
    ("MPI_ERR_VALUE_TOO_LARGE", MPI_ERR_VALUE_TOO_LARGE),
    ("MPI_ERR_SESSION", MPI_ERR_SESSION),
    ("MPI_ERR_ERRHANDLER", MPI_ERR_ERRHANDLER),
    ("MPI_ERR_ABI", MPI_ERR_ABI),
    ("MPI_ERR_LASTCODE", MPI_ERR_LASTCODE),
];

/// The same for the tool interface.
pub const TOOL_ERROR_CLASSES: &[(&str, i32)] = &[
    ("MPI_T_ERR_CANNOT_INIT", MPI_T_ERR_CANNOT_INIT),
    ("MPI_T_ERR_NOT_ACCESSIBLE", MPI_T_ERR_NOT_ACCESSIBLE),
    ("MPI_T_ERR_NOT_INITIALIZED", MPI_T_ERR_NOT_INITIALIZED),
    ("MPI_T_ERR_NOT_SUPPORTED", MPI_T_ERR_NOT_SUPPORTED),
    ("MPI_T_ERR_MEMORY", MPI_T_ERR_MEMORY),
    ("MPI_T_ERR_INVALID", MPI_T_ERR_INVALID),
    ("MPI_T_ERR_INVALID_INDEX", MPI_T_ERR_INVALID_INDEX),
    ("MPI_T_ERR_INVALID_ITEM", MPI_T_ERR_INVALID_ITEM),
    ("MPI_T_ERR_INVALID_SESSION", MPI_T_ERR_INVALID_SESSION),
    ("MPI_T_ERR_INVALID_HANDLE", MPI_T_ERR_INVALID_HANDLE),
    ("MPI_T_ERR_INVALID_NAME", MPI_T_ERR_INVALID_NAME),
    ("MPI_T_ERR_OUT_OF_HANDLES", MPI_T_ERR_OUT_OF_HANDLES),
    ("MPI_T_ERR_OUT_OF_SESSIONS", MPI_T_ERR_OUT_OF_SESSIONS),
    ("MPI_T_ERR_CVAR_SET_NOT_NOW", MPI_T_ERR_CVAR_SET_NOT_NOW),
    ("MPI_T_ERR_CVAR_SET_NEVER", MPI_T_ERR_CVAR_SET_NEVER),
    ("MPI_T_ERR_PVAR_NO_WRITE", MPI_T_ERR_PVAR_NO_WRITE),
    ("MPI_T_ERR_PVAR_NO_STARTSTOP", MPI_T_ERR_PVAR_NO_STARTSTOP),
    ("MPI_T_ERR_PVAR_NO_ATOMIC", MPI_T_ERR_PVAR_NO_ATOMIC),
];
