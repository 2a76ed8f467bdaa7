//! [`wall`]: what stands between Rust and the C code that calls it.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Runs `body`, and where it panics returns what `fault` makes of the panic's message: no panic
/// passes a function that C calls, or the process would end without a word of which call it was.
#[inline(always)]
pub fn wall<T>(body: impl FnOnce() -> T, fault: impl FnOnce(&str) -> T) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(value) => value,
        Err(panic) => fault(message(&*panic)),
    }
}

/// Returns the message that a panic was raised with.
#[cold]
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_what_its_message_makes_of_it() {
        assert_eq!(wall(|| 1, |_| 2), 1);
        let length = |text: &str| text.len();
        assert_eq!(wall(|| panic!("four"), length), 4);
        assert_eq!(wall(|| panic!("{} five", 0), length), 6);
        assert_eq!(
            wall(|| std::panic::panic_any(7), length),
            "no message".len()
        );
    }
}
