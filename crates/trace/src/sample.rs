//! A sample of the messages of a trace: where all would hide the ranks, some stand for them.

use std::cmp::Reverse;

use crate::merge::Message;

/// How many slices the time of a trace is divided into.
const SLICES: usize = 100;

/// Returns at most `most` of some messages, from all of the time. Each slice of time has an equal
/// share, and what one does not need the others get. Of a slice the largest message is shown, and
/// others at random, so that no pattern of the program hides a pair of ranks.
pub(crate) fn over_time(messages: Vec<&Message>, span: u64, most: usize) -> Vec<&Message> {
    if messages.len() <= most {
        return messages;
    }
    let mut slices: Vec<Vec<&Message>> = vec![Vec::new(); SLICES];
    for message in messages {
        let part = message.times[0] as f64 / span.max(1) as f64;
        let slice = (part * SLICES as f64) as usize;
        slices[slice.min(SLICES - 1)].push(message);
    }
    let share = share(&slices, most);
    let mut random = 1;
    let mut sample = Vec::new();
    for mut slice in slices {
        shuffle(&mut slice, &mut random);
        if let Some(largest) = (0..slice.len()).min_by_key(|at| Reverse(slice[*at].bytes)) {
            slice.swap(0, largest);
        }
        slice.truncate(share);
        sample.extend(slice);
    }
    sample
}

/// Returns how many messages of each slice make `most` at most in all.
fn share(slices: &[Vec<&Message>], most: usize) -> usize {
    let fits = |share: usize| {
        let shown = slices.iter().map(|slice| slice.len().min(share));
        shown.sum::<usize>() <= most
    };
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = (low + high).div_ceil(2);
        match fits(middle) {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    low
}

/// Shuffles messages, alike each time.
fn shuffle(messages: &mut [&Message], random: &mut u64) {
    for at in (1..messages.len()).rev() {
        *random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        messages.swap(at, (*random >> 33) as usize % (at + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(begin: u64, to: usize, bytes: u64) -> Message {
        Message {
            ends: [0, to],
            records: [0, 0],
            times: [begin, begin + 1],
            bytes,
            tag: 0,
        }
    }

    /// Messages of a program that sends as often from its beginning to its end: to three ranks in
    /// turn.
    fn steady(count: u64) -> Vec<Message> {
        let message = |at| message(at, 1 + at as usize % 3, 8);
        (0..count).map(message).collect()
    }

    #[test]
    fn few_messages_are_all_shown() {
        let all = steady(400);
        assert_eq!(over_time(all.iter().collect(), 400, 400).len(), 400);
    }

    #[test]
    fn a_sample_is_of_all_the_time_and_of_all_ranks() {
        let all = steady(1604);
        let sample = over_time(all.iter().collect(), 1604, 400);
        assert!((300..=400).contains(&sample.len()), "{}", sample.len());
        for tenth in 0..10 {
            let inside = |message: &&&Message| message.times[0] * 10 / 1604 == tenth;
            let some = sample.iter().filter(inside).count();
            assert!((25..=45).contains(&some), "{some} in part {tenth}");
        }
        for rank in 1..4 {
            let some = sample.iter().filter(|message| message.ends[1] == rank);
            assert!(some.count() > 60);
        }
    }

    #[test]
    fn a_burst_does_not_hide_single_messages_nor_the_largest() {
        let mut all: Vec<Message> = (0..10_000).map(|_| message(500, 1, 8)).collect();
        all.push(message(500, 1, 1 << 20));
        all.extend([100, 900].map(|at| message(at, 2, 8)));
        let sample = over_time(all.iter().collect(), 1000, 400);
        assert_eq!(sample.len(), 400);
        assert_eq!(
            sample.iter().filter(|message| message.ends[1] == 2).count(),
            2
        );
        assert!(sample.iter().any(|message| message.bytes == 1 << 20));
    }
}
