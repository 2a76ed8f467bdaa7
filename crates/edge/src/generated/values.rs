//! What constants are in MPICH's and in Open MPI's interface.
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

use crate::constants::{Constants, Form, Limits};

/// int-constant: native, standard.
pub const RANK: Constants = Constants {
    form: Form::Number,
    mpich: &[(-2, -1), (-1, -3), (-3, -4)],
    openmpi: &[(-1, -1), (-2, -3), (-4, -4)],
};

/// int-constant: native, standard.
pub const TAG: Constants = Constants {
    form: Form::Number,
    mpich: &[(-1, -2)],
    openmpi: &[(-1, -2)],
};

/// error-class tool-error-class: native, standard.
pub const ERROR: Constants = Constants {
    form: Form::Error,
    mpich: &[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (19, 7), (7, 8), (8, 9), (9, 10), (10, 11), (11, 12), (12, 13), (13, 14), (14, 15), (15, 16), (16, 17), (18, 18), (17, 19), (20, 20), (21, 21), (53, 22), (22, 23), (46, 24), (23, 25), (52, 26), (24, 27), (25, 28), (26, 29), (27, 30), (29, 31), (31, 32), (30, 33), (28, 34), (32, 35), (48, 36), (47, 37), (33, 38), (34, 39), (35, 40), (36, 41), (37, 42), (38, 43), (39, 44), (40, 45), (56, 46), (49, 47), (55, 48), (57, 49), (50, 50), (41, 51), (51, 52), (42, 53), (43, 54), (44, 55), (45, 56), (58, 57), (76, 58), (77, 59), (75, 60), (80, 61), (81, 62), (61, 1001), (79, 1002), (60, 1003), (78, 1004), (59, 1005), (74, 1006), (62, 1007), (63, 1008), (67, 1009), (64, 1010), (73, 1011), (65, 1012), (66, 1013), (68, 1014), (69, 1015), (71, 1016), (70, 1017), (72, 1018)],
    openmpi: &[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9), (10, 10), (11, 11), (12, 12), (13, 13), (14, 14), (15, 15), (16, 16), (17, 17), (19, 18), (18, 19), (20, 20), (21, 21), (22, 22), (23, 23), (24, 24), (25, 25), (26, 26), (27, 27), (28, 28), (29, 29), (30, 30), (31, 31), (32, 32), (33, 33), (34, 34), (35, 35), (36, 36), (37, 37), (38, 38), (39, 39), (40, 40), (41, 41), (42, 42), (43, 43), (44, 44), (45, 45), (69, 46), (46, 47), (68, 48), (71, 49), (47, 50), (48, 51), (49, 52), (50, 53), (51, 54), (52, 55), (53, 56), (70, 57), (74, 58), (79, 59), (78, 60), (56, 1001), (55, 1003), (54, 1005), (72, 1006), (57, 1007), (58, 1008), (62, 1009), (59, 1010), (73, 1011), (60, 1012), (61, 1013), (63, 1014), (64, 1015), (66, 1016), (65, 1017), (67, 1018)],
};

/// file-open-mode: native, standard.
pub const ACCESS_MODE: Constants = Constants {
    form: Form::Bits,
    mpich: &[(128, 1), (1, 2), (16, 4), (64, 8), (2, 16), (8, 32), (256, 64), (32, 128), (4, 256)],
    openmpi: &[(128, 1), (1, 2), (16, 4), (64, 8), (2, 16), (8, 32), (256, 64), (32, 128), (4, 256)],
};

/// rma-assert: native, standard.
pub const ASSERT: Constants = Constants {
    form: Form::Bits,
    mpich: &[(1024, 1024), (8192, 2048), (4096, 4096), (2048, 8192), (16384, 16384)],
    openmpi: &[(1, 1024), (2, 2048), (4, 4096), (8, 8192), (16, 16384)],
};

/// combiner: native, standard.
pub const COMBINER: Constants = Constants {
    form: Form::Number,
    mpich: &[(1, 101), (2, 102), (3, 103), (4, 104), (6, 105), (7, 106), (9, 107), (10, 108), (19, 109), (12, 110), (13, 111), (14, 112), (15, 113), (16, 114), (17, 115), (18, 116), (20, 117)],
    openmpi: &[(0, 101), (1, 102), (2, 103), (3, 104), (5, 105), (6, 106), (8, 107), (9, 108), (18, 109), (11, 110), (12, 111), (13, 112), (14, 113), (15, 114), (16, 115), (17, 116)],
};

/// comparison-result: native, standard.
pub const COMPARISON: Constants = Constants {
    form: Form::Number,
    mpich: &[(0, 201), (1, 202), (2, 203), (3, 204)],
    openmpi: &[(0, 201), (1, 202), (2, 203), (3, 204)],
};

/// array-order-or-distribution: native, standard.
pub const ORDER: Constants = Constants {
    form: Form::Number,
    mpich: &[(56, 12), (57, 15)],
    openmpi: &[(0, 12), (1, 15)],
};

/// array-order-or-distribution: native, standard.
pub const DISTRIBUTION: Constants = Constants {
    form: Form::Number,
    mpich: &[(123, 16), (121, 17), (122, 18)],
    openmpi: &[(2, 16), (0, 17), (1, 18)],
};

/// array-order-or-distribution: native, standard.
pub const DISTRIBUTION_ARGUMENT: Constants = Constants {
    form: Form::Number,
    mpich: &[(-49767, 19)],
    openmpi: &[(-1, 19)],
};

/// attr-keyval: native, standard.
pub const KEYVAL: Constants = Constants {
    form: Form::Number,
    mpich: &[(603979776, 0), (1681915905, 501), (1681915909, 502), (1681915907, 503), (1681915911, 504), (1681915917, 505), (1681915915, 506), (1681915913, 507), (1711276033, 601), (1711276037, 602), (1711276035, 603), (1711276039, 604), (1711276041, 605)],
    openmpi: &[(-1, 0), (0, 501), (2, 502), (1, 503), (3, 504), (4, 505), (5, 506), (6, 507), (7, 601), (9, 602), (8, 603), (10, 604), (11, 605)],
};

/// win-lock-type: native, standard.
pub const LOCK_TYPE: Constants = Constants {
    form: Form::Number,
    mpich: &[(234, 301), (235, 302)],
    openmpi: &[(1, 301), (2, 302)],
};

/// comm-split-type: native, standard.
pub const SPLIT_TYPE: Constants = Constants {
    form: Form::Number,
    mpich: &[(1, 221), (3, 222), (2, 223), (4, 224)],
    openmpi: &[(0, 221), (12, 222), (13, 223)],
};

/// thread-level: native, standard.
pub const THREAD_LEVEL: Constants = Constants {
    form: Form::Number,
    mpich: &[(0, 0), (1, 1024), (2, 2048), (3, 4096)],
    openmpi: &[(0, 0), (1, 1024), (2, 2048), (3, 4096)],
};

/// topology-kind: native, standard.
pub const TOPOLOGY: Constants = Constants {
    form: Form::Number,
    mpich: &[(2, 211), (1, 212), (3, 213)],
    openmpi: &[(1, 211), (2, 212), (3, 213)],
};

/// typeclass: native, standard.
pub const TYPECLASS: Constants = Constants {
    form: Form::Number,
    mpich: &[(2, 192), (1, 193), (3, 194)],
    openmpi: &[(1, 192), (2, 193), (3, 194)],
};

/// file-seek: native, standard.
pub const SEEK: Constants = Constants {
    form: Form::Number,
    mpich: &[(602, 401), (604, 402), (600, 403)],
    openmpi: &[(602, 401), (604, 402), (600, 403)],
};

/// win-flavor: native, standard.
pub const WIN_FLAVOR: Constants = Constants {
    form: Form::Number,
    mpich: &[(1, 311), (2, 312), (3, 313), (4, 314)],
    openmpi: &[(1, 311), (2, 312), (3, 313), (4, 314)],
};

/// win-model: native, standard.
pub const WIN_MODEL: Constants = Constants {
    form: Form::Number,
    mpich: &[(2, 321), (1, 322)],
    openmpi: &[(0, 321), (1, 322)],
};

/// file-displacement: native, standard.
pub const DISPLACEMENT: Constants = Constants {
    form: Form::Number,
    mpich: &[(-54278278, -1)],
    openmpi: &[(-54278278, -1)],
};

/// tool-bind: native, standard.
pub const BIND: Constants = Constants {
    form: Form::Number,
    mpich: &[(9700, 1), (9701, 2), (9702, 3), (9703, 4), (9704, 5), (9705, 6), (9706, 7), (9707, 8), (9708, 9), (9709, 10), (9710, 11), (9711, 12)],
    openmpi: &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10), (10, 11)],
};

/// tool-pvar-class: native, standard.
pub const PVAR_CLASS: Constants = Constants {
    form: Form::Number,
    mpich: &[(240, 1), (241, 2), (242, 3), (243, 4), (244, 5), (245, 6), (246, 7), (247, 8), (248, 9), (249, 10)],
    openmpi: &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10)],
};

/// tool-scope: native, standard.
pub const SCOPE: Constants = Constants {
    form: Form::Number,
    mpich: &[(60438, 1), (60439, 2), (60440, 3), (60441, 4), (60442, 5), (60443, 6), (60444, 7)],
    openmpi: &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)],
};

/// tool-verbosity: native, standard.
pub const VERBOSITY: Constants = Constants {
    form: Form::Number,
    mpich: &[(221, 9), (222, 10), (223, 12), (224, 17), (225, 18), (226, 20), (227, 33), (228, 34), (229, 36)],
    openmpi: &[(0, 9), (1, 10), (2, 12), (3, 17), (4, 18), (5, 20), (6, 33), (7, 34), (8, 36)],
};

/// tool-source-order: native, standard.
pub const SOURCE_ORDER: Constants = Constants {
    form: Form::Number,
    mpich: &[(0, 1), (1, 2)],
    openmpi: &[],
};

/// tool-cb-safety: native, standard.
pub const SAFETY: Constants = Constants {
    form: Form::Number,
    mpich: &[(0, 0), (1, 3), (2, 15), (3, 63)],
    openmpi: &[],
};

/// Classes of process failures (ULFM), which MPICH's header numbers as this project's
/// does. That of Open MPI 4.1 has none.
pub const FAILURES: std::ops::RangeInclusive<i32> = 101..=103;

/// Bytes of texts, and the last error code.
pub const MPICH: Limits = Limits {
    max_datarep_string: 128,
    max_error_string: 512,
    max_info_key: 255,
    max_info_val: 1024,
    max_library_version_string: 8192,
    max_object_name: 128,
    max_port_name: 256,
    max_processor_name: 128,
    max_stringtag_len: 256,
    max_pset_name_len: 256,
    lastcode: 1073741823,
};

/// Bytes of texts, and the last error code.
pub const OPENMPI: Limits = Limits {
    max_datarep_string: 128,
    max_error_string: 256,
    max_info_key: 36,
    max_info_val: 256,
    max_library_version_string: 256,
    max_object_name: 64,
    max_port_name: 1024,
    max_processor_name: 256,
    max_stringtag_len: 1024,
    max_pset_name_len: 512,
    lastcode: 92,
};

/// `MPI_Comm`: the handle of MPICH, the standard's.
pub const COMM_HANDLES: &[(i32, usize)] = &[(67108864, 256), (1140850688, 257), (1140850689, 258)];

/// `MPI_Comm`: the handle of Open MPI's Fortran, the standard's.
pub const COMM_FORTRAN: &[(i32, usize)] = &[(2, 256), (0, 257), (1, 258)];

/// `MPI_Group`: the handle of MPICH, the standard's.
pub const GROUP_HANDLES: &[(i32, usize)] = &[(134217728, 264), (1207959552, 265)];

/// `MPI_Group`: the handle of Open MPI's Fortran, the standard's.
pub const GROUP_FORTRAN: &[(i32, usize)] = &[(0, 264), (1, 265)];

/// `MPI_Datatype`: the handle of MPICH, the standard's.
pub const DATATYPE_HANDLES: &[(i32, usize)] = &[(1275068998, 714), (201326592, 512), (1275070531, 513), (1275070533, 514), (1275070532, 515), (1275068687, 519), (1275068931, 520), (1275069445, 521), (1275070471, 522), (1275070473, 523), (1275070473, 523), (1275068932, 524), (1275069446, 525), (1275070472, 526), (1275070489, 527), (1275069450, 528), (1275070528, 530), (1275070528, 530), (1275070516, 531), (1275070475, 532), (1275072577, 534), (1275072565, 535), (1275069469, 536), (1275069467, 537), (1275069468, 538), (1275070494, 539), (1275070495, 540), (1275072546, 541), (1275068698, 542), (1275072524, 544), (1275076674, 548), (1275076662, 549), (-1946157056, 552), (-1946157055, 553), (-1946157054, 554), (1275070486, 555), (-1946157053, 556), (-1946157052, 557), (1275070497, 560), (1275072547, 561), (1275070496, 562), (1275068735, 568), (1275068723, 569), (1275069454, 572), (1275068727, 576), (1275068731, 577), (1275068673, 579), (1275068696, 580), (1275068674, 581), (1275068685, 583), (1275068984, 584), (1275068988, 585), (1275069497, 592), (1275069501, 593), (1275070522, 600), (1275070526, 601), (1275068743, 704), (1275068717, 705), (1275069000, 712), (1275068975, 713), (1275068966, 714), (1275069513, 720), (1275069488, 721), (1275069479, 722), (1275069486, 723), (1275070538, 728), (1275070513, 729), (1275070505, 730), (1275070504, 731), (1275072587, 736), (1275072562, 737), (1275072555, 738), (1275072554, 739), (1275076652, 747)];

/// `MPI_Datatype`: the handle of Open MPI's Fortran, the standard's.
pub const DATATYPE_FORTRAN: &[(i32, usize)] = &[(0, 512), (66, 513), (72, 514), (67, 515), (2, 519), (37, 520), (39, 521), (41, 522), (43, 523), (43, 523), (38, 524), (40, 525), (42, 526), (44, 527), (45, 528), (69, 530), (69, 530), (55, 531), (46, 532), (70, 534), (56, 535), (6, 536), (7, 537), (13, 538), (18, 539), (17, 540), (22, 541), (5, 542), (47, 544), (71, 548), (57, 549), (48, 552), (49, 553), (51, 554), (52, 555), (53, 556), (50, 557), (23, 560), (24, 561), (25, 562), (68, 568), (54, 569), (33, 572), (58, 576), (59, 577), (34, 579), (36, 580), (35, 581), (1, 583), (60, 584), (61, 585), (62, 592), (63, 593), (64, 600), (65, 601), (29, 704), (8, 705), (30, 712), (9, 713), (28, 714), (31, 720), (10, 721), (14, 722), (32, 728), (11, 729), (15, 730), (19, 731), (12, 737), (16, 738), (20, 739), (21, 747)];

/// `MPI_Op`: the handle of MPICH, the standard's.
pub const OP_HANDLES: &[(i32, usize)] = &[(402653184, 32), (1476395011, 33), (1476395010, 34), (1476395009, 35), (1476395012, 36), (1476395014, 40), (1476395016, 41), (1476395018, 42), (1476395013, 48), (1476395015, 49), (1476395017, 50), (1476395019, 56), (1476395020, 57), (1476395021, 60), (1476395022, 61)];

/// `MPI_Op`: the handle of Open MPI's Fortran, the standard's.
pub const OP_FORTRAN: &[(i32, usize)] = &[(0, 32), (3, 33), (2, 34), (1, 35), (4, 36), (6, 40), (8, 41), (10, 42), (5, 48), (7, 49), (9, 50), (12, 56), (11, 57), (13, 60), (14, 61)];

/// `MPI_Request`: the handle of MPICH, the standard's.
pub const REQUEST_HANDLES: &[(i32, usize)] = &[(738197504, 384)];

/// `MPI_Request`: the handle of Open MPI's Fortran, the standard's.
pub const REQUEST_FORTRAN: &[(i32, usize)] = &[(0, 384)];

/// `MPI_Message`: the handle of MPICH, the standard's.
pub const MESSAGE_HANDLES: &[(i32, usize)] = &[(738197504, 296), (1811939328, 297)];

/// `MPI_Message`: the handle of Open MPI's Fortran, the standard's.
pub const MESSAGE_FORTRAN: &[(i32, usize)] = &[(0, 296), (1, 297)];

/// `MPI_Errhandler`: the handle of MPICH, the standard's.
pub const ERRHANDLER_HANDLES: &[(i32, usize)] = &[(335544320, 320), (1409286144, 321), (1409286147, 322), (1409286145, 323)];

/// `MPI_Errhandler`: the handle of Open MPI's Fortran, the standard's.
pub const ERRHANDLER_FORTRAN: &[(i32, usize)] = &[(0, 320), (1, 321), (2, 323)];

/// `MPI_Info`: the handle of MPICH, the standard's.
pub const INFO_HANDLES: &[(i32, usize)] = &[(469762048, 304), (1543503873, 305)];

/// `MPI_Info`: the handle of Open MPI's Fortran, the standard's.
pub const INFO_FORTRAN: &[(i32, usize)] = &[(0, 304), (1, 305)];

/// `MPI_Win`: the handle of MPICH, the standard's.
pub const WIN_HANDLES: &[(i32, usize)] = &[(536870912, 272)];

/// `MPI_Win`: the handle of Open MPI's Fortran, the standard's.
pub const WIN_FORTRAN: &[(i32, usize)] = &[(0, 272)];

/// `MPI_File`: the handle of MPICH, the standard's.
pub const FILE_HANDLES: &[(i32, usize)] = &[(0, 280)];

/// `MPI_File`: the handle of Open MPI's Fortran, the standard's.
pub const FILE_FORTRAN: &[(i32, usize)] = &[(0, 280)];

/// `MPI_Session`: the handle of MPICH, the standard's.
pub const SESSION_HANDLES: &[(i32, usize)] = &[(939524096, 288)];

/// `MPI_Session`: the handle of Open MPI's Fortran, the standard's.
pub const SESSION_FORTRAN: &[(i32, usize)] = &[];
