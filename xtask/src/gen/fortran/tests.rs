//! Tests of the Fortran interface against the tables.
