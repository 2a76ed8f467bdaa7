//! How ranks find each other.
