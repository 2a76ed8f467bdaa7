//! Which processors each rank is bound to.

use crate::command_line::Bind;

/// The processors of each of `size` ranks, from those in `allowed`, and a note when the wish
/// could not be granted. Ranks that share a processor bound would only slow each other down, so
/// with more ranks than places nothing is bound.
pub(crate) fn assign(
    bind: Bind,
    size: u32,
    allowed: &[usize],
) -> (Vec<Vec<usize>>, Option<String>) {
    let places = match bind {
        Bind::None => Vec::new(),
        Bind::HardwareThread => allowed.iter().map(|&cpu| vec![cpu]).collect(),
        Bind::Core => cores(allowed, &siblings),
    };
    if size as usize <= places.len() {
        return (places[..size as usize].to_vec(), None);
    }
    let note = (bind != Bind::None).then(|| {
        format!(
            "{size} ranks on {} places to bind to: ranks are not bound",
            places.len()
        )
    });
    (vec![Vec::new(); size as usize], note)
}

/// The allowed processors, those of one core together.
fn cores(allowed: &[usize], siblings: &dyn Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut cores: Vec<Vec<usize>> = Vec::new();
    for &cpu in allowed {
        if cores.iter().any(|core| core.contains(&cpu)) {
            continue;
        }
        let mut core: Vec<usize> = siblings(cpu);
        core.push(cpu);
        core.retain(|cpu| allowed.contains(cpu));
        core.sort_unstable();
        core.dedup();
        cores.push(core);
    }
    cores
}

/// The hardware threads of the core of `cpu`, as the system tells; none where it does not.
fn siblings(cpu: usize) -> Vec<usize> {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    parse_list(std::fs::read_to_string(path).unwrap_or_default().trim())
}

/// Reads `0,4-6`; what makes no sense is left out.
fn parse_list(text: &str) -> Vec<usize> {
    let mut list = Vec::new();
    for item in text.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        if let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) {
            list.extend(first..=last.min(first.saturating_add(4096)));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_a_core_stay_together_and_within_what_is_allowed() {
        let two_way = |cpu: usize| vec![cpu % 4, cpu % 4 + 4];
        assert_eq!(
            cores(&[0, 1, 4, 5, 6], &two_way),
            [vec![0, 4], vec![1, 5], vec![6]]
        );
        assert_eq!(cores(&[2, 3], &|_| Vec::new()), [vec![2], vec![3]]);
    }

    #[test]
    fn too_many_ranks_are_not_bound() {
        let (bound, note) = assign(Bind::HardwareThread, 2, &[3, 9, 11]);
        assert_eq!((bound, note), (vec![vec![3], vec![9]], None));
        let (bound, note) = assign(Bind::HardwareThread, 3, &[3, 9]);
        assert!(bound.iter().all(Vec::is_empty) && note.is_some());
        assert_eq!(assign(Bind::None, 2, &[0]), (vec![vec![], vec![]], None));
    }

    #[test]
    fn lists_of_the_system() {
        assert_eq!(parse_list("0,4-6"), [0, 4, 5, 6]);
        assert_eq!(parse_list(""), [] as [usize; 0]);
    }
}
