//! Reads lists of hosts and of numbers as batch systems shorten them.

/// The longest list that is believed.
pub(super) const HOSTS_MAX: usize = 100_000;

/// Reads `n[1-3,7],m02,r[0-1]n[08-10]`; `None` when it cannot be.
pub(super) fn host_list(text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for item in split_outside_brackets(text)? {
        let mut grown = vec![String::new()];
        let mut rest = item;
        while !rest.is_empty() {
            let plain = rest.find('[').unwrap_or(rest.len());
            grown
                .iter_mut()
                .for_each(|name| name.push_str(&rest[..plain]));
            rest = &rest[plain..];
            if let Some(open) = rest.strip_prefix('[') {
                let (inside, after) = open.split_once(']')?;
                let numbers = numbers(inside)?;
                if grown.len().checked_mul(numbers.len())? > HOSTS_MAX {
                    return None;
                }
                let with = |name: &String| -> Vec<String> {
                    numbers
                        .iter()
                        .map(|number| format!("{name}{number}"))
                        .collect()
                };
                grown = grown.iter().flat_map(with).collect();
                rest = after;
            }
        }
        names.append(&mut grown);
    }
    let fine = |name: &String| !name.is_empty() && !name.starts_with('-');
    (names.len() <= HOSTS_MAX && names.iter().all(fine)).then_some(names)
}

fn split_outside_brackets(text: &str) -> Option<Vec<&str>> {
    let (mut items, mut from, mut inside) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '[' if !inside => inside = true,
            ']' if inside => inside = false,
            '[' | ']' => return None,
            ',' if !inside => {
                items.push(&text[from..at]);
                from = at + 1;
            }
            c if c.is_whitespace() => return None,
            _ => {}
        }
    }
    items.push(&text[from..]);
    (!inside).then_some(items)
}

/// Reads `1-3,07`; numbers keep the width that they are written with.
fn numbers(text: &str) -> Option<Vec<String>> {
    let mut numbers = Vec::new();
    for item in text.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
        if !is_number(first) || !is_number(last) {
            return None;
        }
        let (low, high) = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
        if high < low || high - low >= HOSTS_MAX as u64 {
            return None;
        }
        let width = first.len();
        numbers.extend((low..=high).map(|number| format!("{number:0width$}")));
        if numbers.len() > HOSTS_MAX {
            return None;
        }
    }
    Some(numbers)
}

/// Reads `0-3,7`; `None` when it cannot be.
pub(super) fn number_list(text: &str) -> Option<Vec<u32>> {
    let believed = |number: &u32| *number < HOSTS_MAX as u32;
    let number = |text: &String| text.parse().ok().filter(believed);
    numbers(text)?.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_hosts() {
        for (text, names) in [
            ("n1", &["n1"][..]),
            ("n[1-3,7],m02", &["n1", "n2", "n3", "n7", "m02"]),
            ("n[08-10]", &["n08", "n09", "n10"]),
            ("a-b,c[1]x", &["a-b", "c1x"]),
            ("r[0-1]n[1-2]", &["r0n1", "r0n2", "r1n1", "r1n2"]),
        ] {
            assert_eq!(host_list(text).unwrap(), names, "{text}");
        }
        for bad in [
            "",
            "n[1-",
            "n[1-2]]",
            "n[]",
            "n[2-1]",
            "n[a-b]",
            "a,,b",
            "n[1[2]]",
            "-x",
            "a b",
            "n[0-99999999999]",
            "r[1-1000]n[1-1000]",
        ] {
            assert_eq!(host_list(bad), None, "{bad}");
        }
    }

    #[test]
    fn lists_of_numbers() {
        assert_eq!(number_list("0-3,7").unwrap(), [0, 1, 2, 3, 7]);
        for bad in ["", "3-", "2-1", "a", "0-99999999999", "100000"] {
            assert_eq!(number_list(bad), None, "{bad}");
        }
    }
}
