//! MPI datatypes: type maps, resumable pack and unpack, reductions.
