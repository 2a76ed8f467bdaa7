//! Gives the shared library its name, and says where it looks for `libmpi_abi.so.1`: beside it, and
//! in the folder above.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpi.so.12");
    println!("cargo:rustc-cdylib-link-arg=-Wl,--enable-new-dtags,-rpath,$ORIGIN:$ORIGIN/..");
}
