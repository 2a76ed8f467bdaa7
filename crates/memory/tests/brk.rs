//! Tests that memory released by brk(2) is reported.
//!
//! A program of its own, with no test harness: the break belongs to the allocator, which must
//! not run between the calls.

use memory::release::{Monitor, Released, Watch};

fn main() {
    let page = memory::page_bytes();
    let mut subscription = match Monitor::start() {
        Ok(monitor) => monitor.subscribe(),
        Err(why) => return println!("skipped: {why}"),
    };
    // SAFETY: the break is moved up and down again; nobody else has moved it in between, for
    // this is the only thread that allocates.
    let (start, shrunk) = unsafe {
        let before = libc::sbrk(0) as usize;
        let start = before.next_multiple_of(page);
        assert_eq!(libc::brk((start + 8 * page) as *mut _), 0);
        (start as *mut u8).write_bytes(1, 8 * page);
        assert!(subscription.watch(&(start..start + 8 * page)));
        let shrunk = libc::brk((start + 2 * page) as *mut _) == 0;
        libc::brk(before as *mut _);
        (start, shrunk)
    };
    assert!(shrunk);
    let mut reports = Vec::new();
    subscription.drain(&mut |released| reports.push(released));
    let gone = Released::Range(start + 2 * page..start + 8 * page);
    assert!(reports.contains(&gone), "{reports:x?}");
}
