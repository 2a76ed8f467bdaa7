//! A journal: records from one writer, for any number of readers at their own pace.
//!
//! The writer never waits, whatever the readers do: it writes over the oldest record. A reader
//! that was away for more records than the journal holds learns that it has lost some
//! ([`Next::Lost`]), and goes on from the newest. Made for a writer that must not wait for
//! anybody, such as one that others wait for inside the kernel.
//!
//! | shared field | writer | reader | pairing |
//! |---|---|---|---|
//! | `done` | after each record | readers | `written`: Release/Acquire, the record's words become visible |
//! | `begun` | before each record | readers, after the words | `overwritten`: fence/fence, who reads a word of a later record also sees that it was begun |
//! | words of a cell | the writer | readers | Relaxed: guarded by the two above |

use crate::atomic::{fence, AtomicU64, Ordering};

/// The words of a record.
pub type Record = [u64; 2];

/// The journal. It has one writer, which is the caller's to see to.
#[derive(Debug)]
pub struct Journal {
    begun: AtomicU64,
    done: AtomicU64,
    cells: Box<[[AtomicU64; 2]]>,
}

/// How far a reader has come.
#[derive(Clone, Debug)]
pub struct Cursor {
    position: u64,
}

/// The result of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The oldest record that it has not seen.
    Record(Record),
    /// Records were overwritten before it came. It goes on after them.
    Lost,
    /// The reader has seen all records.
    Nothing,
}

impl Journal {
    /// An empty journal that keeps the last `capacity` records; at least one.
    pub fn new(capacity: usize) -> Journal {
        let cell = |_| [AtomicU64::new(0), AtomicU64::new(0)];
        Journal {
            begun: AtomicU64::new(0),
            done: AtomicU64::new(0),
            cells: (0..capacity.max(1)).map(cell).collect(),
        }
    }

    /// Appends a record. Only ever called by one thread at a time; it neither waits, allocates
    /// nor calls anybody.
    pub fn append(&self, record: Record) {
        let position = self.begun.load(Ordering::Relaxed);
        self.begun.store(position + 1, Ordering::Relaxed);
        // overwritten: `begun` comes before the words.
        fence(Ordering::Release);
        let cell = self.cell(position);
        for (word, value) in cell.iter().zip(record) {
            word.store(value, Ordering::Relaxed);
        }
        // written: the words become visible.
        self.done.store(position + 1, Ordering::Release);
    }

    /// Returns a reader that sees what is appended from now on.
    pub fn cursor(&self) -> Cursor {
        let position = self.done.load(Ordering::Acquire);
        Cursor { position }
    }

    /// Reads the next record for a reader.
    pub fn next(&self, cursor: &mut Cursor) -> Next {
        // written: the words of all records up to here.
        let done = self.done.load(Ordering::Acquire);
        if cursor.position == done {
            return Next::Nothing;
        }
        let cell = self.cell(cursor.position);
        let record = [&cell[0], &cell[1]].map(|word| word.load(Ordering::Relaxed));
        // overwritten: had a word been of a later record, `begun` would say so.
        fence(Ordering::Acquire);
        let begun = self.begun.load(Ordering::Relaxed);
        if begun - cursor.position > self.cells.len() as u64 {
            cursor.position = done;
            return Next::Lost;
        }
        cursor.position += 1;
        Next::Record(record)
    }

    fn cell(&self, position: u64) -> &[AtomicU64; 2] {
        &self.cells[(position % self.cells.len() as u64) as usize]
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Journal, Next};

    #[test]
    fn readers_see_each_record_once_and_learn_of_those_they_lost() {
        let journal = Journal::new(4);
        let (mut early, mut late) = (journal.cursor(), journal.cursor());
        for at in 0..4 {
            journal.append([at, at * 10]);
        }
        for at in 0..4 {
            assert_eq!(journal.next(&mut early), Next::Record([at, at * 10]));
        }
        assert_eq!(journal.next(&mut early), Next::Nothing);
        journal.append([4, 40]);
        assert_eq!(journal.next(&mut early), Next::Record([4, 40]));
        assert_eq!(journal.next(&mut late), Next::Lost);
        assert_eq!(journal.next(&mut late), Next::Nothing);
        journal.append([5, 50]);
        assert_eq!(journal.next(&mut late), Next::Record([5, 50]));
    }
}
