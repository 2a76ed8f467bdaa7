use super::*;

const BYTES: usize = 1000;

/// Simulates `copies` copies that cost these ticks per byte. Returns how many bypassed the caches.
fn copy(choice: &mut Choice, [cached, past]: [u64; 2], copies: u32) -> u32 {
    let mut went_past = 0;
    for _ in 0..copies {
        let stores = choice.next();
        let cost = match stores {
            Stores::Cached => cached,
            Stores::Past => past,
        };
        went_past += u32::from(stores == Stores::Past);
        choice.took(stores, BYTES, cost * BYTES as u64);
    }
    went_past
}

const NEAR: [u64; 2] = [1, 2];
const FAR: [u64; 2] = [20, 2];

#[test]
fn near_cores_copy_through_their_caches_and_seldom_try_otherwise() {
    let mut choice = Choice::default();
    let tried = copy(&mut choice, NEAR, 100_000);
    assert!((150..250).contains(&tried), "{tried} trials");
    assert_eq!(choice.chosen, Stores::Cached);
}

#[test]
fn far_cores_copy_past_their_caches() {
    let mut choice = Choice::default();
    let past = copy(&mut choice, FAR, 100_000);
    assert!((99_700..99_900).contains(&past), "{past} copies");
}

#[test]
fn who_is_moved_changes_after_a_while_and_each_time() {
    let mut choice = Choice::default();
    for _ in 0..10 {
        copy(&mut choice, FAR, 2 * TRIAL_AFTER_MAX);
        assert_eq!(choice.chosen, Stores::Past);
        copy(&mut choice, NEAR, 8 * TRIAL_AFTER_MAX);
        assert_eq!(choice.chosen, Stores::Cached);
    }
}

#[test]
fn a_little_better_is_no_reason_and_an_interruption_none_either() {
    let mut choice = Choice::default();
    assert!(copy(&mut choice, [15, 10], 10_000) < 100);
    let stores = choice.next();
    choice.took(stores, BYTES, 1_000_000 * BYTES as u64);
    assert_eq!(choice.chosen, Stores::Cached);

    let mut choice = Choice::default();
    copy(&mut choice, FAR, 100);
    // The gain is below the threshold for a change, but the choice is already made.
    copy(&mut choice, [18, 10], 2000);
    assert_eq!(choice.chosen, Stores::Past);
}
