//! The tags that the messages of a call bear: its number, and what it is.

use base::Rank;
use coll::{Function, Signature};
use datatype::Buffer;
use engine::{Core, Engine};
use pml::{mark_of, CommId, Mode, Pml, Started, Tag};

/// Bits of a tag that a call's number begins in, on a plane for collectives: those that networks
/// compare which match.
const NUMBER_BITS: u32 = 28;
const NUMBERS: u64 = 1 << NUMBER_BITS;
/// Position in a tag of the code of the called function, which [`mark_of`] returns.
const CODE_SHIFT: u32 = 32;
/// Position in a tag of the upper bits of the number, and their count.
const REST_SHIFT: u32 = 48;
const REST_BITS: u32 = 15;
/// Marks the tags of messages that are not received but only inspected: notes, and the message that
/// a rank gave up.
const SAID: Tag = Tag::MIN;

/// Whether unexpected messages are visible to the receiver: a network that matches itself holds
/// them, and may have no room for the tags of notes.
pub(super) fn takes_notes(core: &Core) -> bool {
    // A layer that has messages sent again knows them by their numbers, which depend on no time.
    core.capabilities().holds_unexpected && !core.is_observed()
}

/// Number and call signature that the messages of a call bear.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// The bits of the number in a tag.
    number: Tag,
    /// The call signature; `None` for the library's own calls.
    signature: Option<Signature>,
}

impl Label {
    pub(crate) fn new(number: u64, signature: Option<Signature>) -> Label {
        let number = number % (NUMBERS << REST_BITS);
        let (first, rest) = (number % NUMBERS, number / NUMBERS);
        Label {
            number: (first | rest << REST_SHIFT) as Tag,
            signature,
        }
    }

    /// Returns the label of an exchange beside the calls of the program. Its tags are of another
    /// range, so its messages match those of no call.
    pub(crate) fn aside(range: Tag, number: u64) -> Label {
        let Label { number, signature } = Label::new(number, None);
        Label {
            number: number | range,
            signature,
        }
    }

    /// Returns the label of a call of this number with another signature.
    pub(crate) fn with_signature(self, signature: Signature) -> Label {
        Label {
            signature: Some(signature),
            ..self
        }
    }

    /// Whether a tag is that of a call's message.
    pub(crate) fn is_call(tag: Tag) -> bool {
        tag >= 0 && tag as u32 & (i32::MAX as u32) < NUMBERS as u32
    }

    /// The number of a call and the code of what is called, by a message or note of it.
    pub(crate) fn said_by(tag: Tag) -> Option<(u64, u16)> {
        let tag = tag & !SAID;
        let rest = (tag as u64 >> REST_SHIFT) & ((1 << REST_BITS) - 1);
        let first = tag as u64 % NUMBERS;
        Label::is_call(tag).then(|| (first | rest << NUMBER_BITS, mark_of(tag)))
    }

    pub(crate) fn code(&self) -> u16 {
        self.signature.map_or(0, |signature| signature.code())
    }

    /// The call signature; `None` for the library's own calls.
    pub(crate) fn signature(&self) -> Option<Signature> {
        self.signature
    }

    /// The tag of the call's messages.
    pub(super) fn tag(&self) -> Tag {
        self.with_code(self.code())
    }

    /// Returns the tag of a message of this number with another code.
    pub(super) fn with_code(&self, code: u16) -> Tag {
        self.number | Tag::from(code) << CODE_SHIFT
    }

    /// The tag of a note that says what this call is.
    pub(super) fn note(&self) -> Tag {
        SAID | self.tag()
    }

    /// Returns the tag of the message that a rank gave up a call of this number.
    pub(super) fn gave_up(&self) -> Tag {
        SAID | self.with_code(Signature::new(Function::GaveUp).code())
    }

    /// Notifies a group, in which this process has a rank, that it gives up the call since another
    /// rank calls differently: `theirs`, where that was seen. One that gives up because another did
    /// says nothing.
    #[cold]
    pub(crate) fn give_up(
        &self,
        engine: &Engine,
        plane: CommId,
        (rank, ranks): (u32, u32),
        theirs: Option<Signature>,
    ) {
        if theirs == Some(Signature::new(Function::GaveUp)) {
            return;
        }
        // First what this call is: a rank that has waited longer than this process has seen neither
        // message nor note of it.
        let mut core = engine.enter();
        let note = takes_notes(&core).then_some(self.note());
        for to in (0..ranks).filter(|to| *to != rank) {
            for tag in note.into_iter().chain([self.gave_up()]) {
                let sent = core.start_send(plane, Rank(to), tag, Buffer::EMPTY, Mode::Standard);
                if let Started::Pending(request) = sent {
                    core.detach(request);
                }
            }
        }
    }

    /// Returns the call signature of the sender of a message or note of the same number; `None`
    /// when it is of another number, or of this very call.
    pub(crate) fn other(&self, tag: Tag) -> Option<Option<Signature>> {
        let (tag, code) = (tag & !SAID, mark_of(tag));
        if tag != self.with_code(code) || code == self.code() {
            return None;
        }
        match code {
            0 => Some(None),
            code => Some(Some(Signature::of_code(code)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::{self, ASIDE_TAGS};

    fn label(number: u64, function: Function) -> Label {
        Label::new(number, Some(Signature::new(function)))
    }

    #[test]
    fn a_tag_shows_what_else_was_called_under_the_same_number() {
        for number in [0, 1, 77, 4095, 4096, NUMBERS - 1, NUMBERS, NUMBERS << 3] {
            let ours = label(number, Function::Barrier);
            let theirs = label(number, Function::Allgather);
            let seen = ours.other(theirs.tag());
            assert_eq!(seen, Some(Some(Signature::new(Function::Allgather))));
            assert_eq!(ours.other(ours.tag()), None);
            assert_eq!(ours.with_code(theirs.code()), theirs.tag());
            assert_eq!(ours.other(theirs.note()), seen);
            assert_eq!(ours.other(ours.note()), None);
            let gave_up = Signature::new(Function::GaveUp);
            assert_eq!(ours.other(ours.gave_up()), Some(Some(gave_up)));
            let own = Label::new(number, None);
            assert_eq!(ours.other(own.tag()), Some(None));
            assert_eq!(own.other(ours.tag()), Some(ours.signature));
        }
    }

    /// Checks that a message of another call is no mismatch, and never has the tag of this one,
    /// however far ahead its sender is. The code stood in the number's bits once: 2048 calls ahead
    /// some function looked like another one of this very call.
    #[test]
    fn no_message_of_another_call_looks_like_one_of_this() {
        use Function::{Allgather, Allreduce, Barrier, Bcast, Scan};
        let ahead = (1..5000).chain((12..=NUMBER_BITS + REST_BITS - 1).map(|bit| 1 << bit));
        for by in ahead {
            for first in [0, 1, NUMBERS - 1] {
                let ours = label(first, Barrier);
                for function in [Barrier, Bcast, Allgather, Allreduce, Scan] {
                    let theirs = label(first + by, function);
                    assert_eq!(ours.other(theirs.tag()), None, "{by} ahead");
                    assert_eq!(ours.other(theirs.note()), None, "{by} ahead");
                    assert_ne!(ours.tag(), theirs.tag(), "{by} ahead");
                }
            }
        }
    }

    #[test]
    fn the_tags_of_calls_are_tags_of_nothing_else() {
        let last = label((NUMBERS << REST_BITS) - 1, Function::Barrier);
        assert!(last.tag() > 0 && last.note() < 0 && last.gave_up() < 0);
        for tag in [
            tags::of_group(7),
            tags::of_group(i32::MAX.into()),
            tags::of_text(7),
        ] {
            assert!(tag > 0 && !Label::is_call(tag));
            assert_eq!(label(7, Function::Barrier).other(tag), None);
        }
        let apart = [
            tags::of_group(7),
            tags::of_group(7 | 1 << 28),
            tags::of_text(7),
        ];
        for number in [0, 7, NUMBERS - 1, (NUMBERS << REST_BITS) - 1] {
            let aside = Label::aside(ASIDE_TAGS, number).tag();
            assert!(aside > 0 && !Label::is_call(aside) && Label::said_by(aside).is_none());
            assert_eq!(label(number, Function::Barrier).other(aside), None);
            assert!(!apart.contains(&aside) && aside & (1 << 30) == 0);
        }
        assert_ne!(apart[0], apart[1]);
    }
}
