//! [`View`]: where the elements of an access lie in the file (MPI 5.0, 14.3).
//!
//! A view is a displacement and a tiling of the file with filetypes; positions count etypes of
//! data. Both types are programs (`datatype`), so any position is found by division and search
//! and nothing is flattened: a view over 5 TiB takes what its filetype takes. All file positions
//! are checked to fit 63 bits, as the system's are.

use std::sync::{Arc, OnceLock};

use datatype::constants::MPI_BYTE;
use datatype::{predefined, Datatype};

use crate::run::Run;
use crate::{Error, Representation};

/// Fewest runs of a refill for which the next one asks for no more bytes.
const RUNS_FEW: usize = 64;

/// Runs of a refill from which the next one asks for fewer bytes.
const RUNS_MANY: usize = 1024;

/// Bytes of data that the first refill of [`Runs`] asks for.
const FIRST_BYTES: u64 = 16 << 10;

/// Facts that a walk through the filetype finds.
#[derive(Clone, Debug)]
pub(crate) struct Walked {
    /// Whether the data of one filetype ascend without overlap, and whether those of all do.
    pub(crate) ascends: bool,
    pub(crate) is_ordered: bool,
    /// Runs of one filetype.
    pub(crate) runs: u64,
}

/// Where the elements of an access lie in the file.
#[derive(Clone, Debug)]
pub struct View {
    pub(crate) walked: OnceLock<Walked>,
    displacement: u64,
    etype: Arc<Datatype>,
    filetype: Arc<Datatype>,
    representation: Representation,
}

impl Default for View {
    /// Returns the view that a file has when it was opened: a stream of bytes.
    fn default() -> View {
        let byte = predefined(MPI_BYTE).expect("MPI_BYTE is in the table");
        View {
            walked: OnceLock::new(),
            displacement: 0,
            etype: byte.clone(),
            filetype: byte.clone(),
            representation: Representation::Native,
        }
    }
}

impl View {
    /// Whether functions of the application convert the data.
    pub fn is_converted_by_user(&self) -> bool {
        matches!(self.representation, Representation::Registered(_))
    }

    /// Returns the view from byte `displacement` on. Both types are as they are in the file.
    ///
    /// # Errors
    /// When the filetype is not one by the standard's rules.
    pub fn new(
        displacement: u64,
        etype: &Arc<Datatype>,
        filetype: &Arc<Datatype>,
        representation: Representation,
    ) -> Result<View, Error> {
        if etype.size() <= 0 {
            return Err(Error::EmptyEtype);
        }
        if filetype.size() % etype.size() != 0 {
            return Err(Error::NotOfEtypes {
                filetype: filetype.size(),
                etype: etype.size(),
            });
        }
        if !filetype.ascends() {
            let name = match filetype.name() {
                name if name.is_empty() => format!("{:?}", filetype.contents().combiner),
                name => name,
            };
            return Err(Error::Descends { filetype: name });
        }
        i64::try_from(displacement).map_err(|_| Error::Overflow {
            what: "the displacement of the view",
        })?;
        Ok(View {
            walked: OnceLock::new(),
            displacement,
            etype: etype.clone(),
            filetype: filetype.clone(),
            representation,
        })
    }

    /// Bytes before the first filetype.
    pub fn displacement(&self) -> u64 {
        self.displacement
    }

    /// The unit of positions.
    pub fn etype(&self) -> &Arc<Datatype> {
        &self.etype
    }

    /// The tile of the file.
    pub fn filetype(&self) -> &Arc<Datatype> {
        &self.filetype
    }

    /// How data is stored.
    pub fn representation(&self) -> &Representation {
        &self.representation
    }

    /// Bytes of data in an etype.
    pub fn etype_bytes(&self) -> u64 {
        self.etype.size() as u64
    }

    /// Whether all data is one run from the displacement on.
    pub fn is_contiguous(&self) -> bool {
        self.filetype.is_dense() && self.filetype.true_lb() == 0
    }

    /// Returns the runs of the file that hold `bytes` of data from etype `offset` on, in
    /// ascending order. Runs that touch come as one.
    ///
    /// # Errors
    /// When a position does not fit 63 bits.
    pub fn runs(&self, offset: u64, bytes: u64) -> Result<Runs<'_>, Error> {
        let from = self.data_position(offset)?;
        self.data_runs(from, bytes)
    }

    /// Returns the runs of the file that hold `bytes` of data behind the first `from` bytes of
    /// data; see [`View::runs`].
    ///
    /// # Errors
    /// When a position does not fit 63 bits.
    pub fn data_runs(&self, from: u64, bytes: u64) -> Result<Runs<'_>, Error> {
        let to = from.checked_add(bytes).ok_or(TOO_FAR)?;
        if bytes > 0 {
            self.check(to - 1)?;
        }
        // A filetype without data has no bytes to list.
        let to = if self.filetype.size() == 0 { from } else { to };
        Ok(Runs {
            view: self,
            from,
            to,
            step: FIRST_BYTES,
            ready: Vec::new(),
            next: 0,
        })
    }

    /// Returns the position in the file of etype `offset` (`MPI_File_get_byte_offset`).
    ///
    /// # Errors
    /// When it does not fit 63 bits.
    pub fn byte_offset(&self, offset: u64) -> Result<u64, Error> {
        let position = self.data_position(offset)?;
        self.check(position)?;
        Ok(self.byte_of(position))
    }

    /// Returns the first position, in etypes, that lies at or behind the end of a file of `size`
    /// bytes: what `MPI_SEEK_END` is relative to.
    pub fn end(&self, size: u64) -> u64 {
        let size = size.saturating_sub(self.displacement);
        let (etype, data) = (self.etype_bytes(), self.filetype.size() as u64);
        if data == 0 || size == 0 {
            return 0;
        }
        // The file ends inside of this tile, or of one that its data overtakes.
        let tile = size / self.filetype.extent() as u64;
        let ahead = self.filetype.true_extent() / self.filetype.extent() + 1;
        let (mut low, mut high) = (
            tile.saturating_sub(ahead as u64) * (data / etype),
            (tile + 1) * (data / etype),
        );
        while low < high {
            let middle = low + (high - low) / 2;
            match self.byte_of(middle * etype) >= size.saturating_add(self.displacement) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        low
    }

    /// Returns the bytes of data before etype `offset`.
    ///
    /// # Errors
    /// When they do not fit 63 bits.
    pub fn data_position(&self, offset: u64) -> Result<u64, Error> {
        let position = offset.checked_mul(self.etype_bytes());
        let fits = position.filter(|position| i64::try_from(*position).is_ok());
        fits.ok_or(TOO_FAR)
    }

    /// Checks that data byte `position` and all before it lie at positions that fit.
    fn check(&self, position: u64) -> Result<(), Error> {
        if self.filetype.size() == 0 {
            return Ok(());
        }
        let tiles = position / self.filetype.size() as u64 + 1;
        let tiles = i64::try_from(tiles).map_err(|_| TOO_FAR)?;
        let (low, covered) = self.filetype.span(tiles).ok_or(TOO_FAR)?;
        let end = low.checked_add(covered).ok_or(TOO_FAR)?;
        end.checked_add(self.displacement as i64).ok_or(TOO_FAR)?;
        Ok(())
    }

    /// The position in the file of data byte `position`, which was checked.
    pub(crate) fn byte_of(&self, position: u64) -> u64 {
        let mut found = 0;
        let end = position + 1;
        self.filetype
            .runs(position, end, &mut |offset, _| found = offset as u64);
        self.displacement + found
    }
}

const TOO_FAR: Error = Error::Overflow {
    what: "the position in the file",
};

/// The runs of an access, in ascending order, found some at a time.
#[derive(Debug)]
pub struct Runs<'a> {
    view: &'a View,
    /// Data bytes whose runs are not yet known.
    from: u64,
    to: u64,
    /// Data bytes that the next refill asks for.
    step: u64,
    ready: Vec<Run>,
    next: usize,
}

impl Runs<'_> {
    /// Finds more runs. The last one is ready only when the one behind it is known not to touch.
    fn refill(&mut self) {
        let held = self.ready.pop();
        self.ready.clear();
        self.next = 0;
        self.ready.extend(held);
        while self.ready.len() < 2 && self.from < self.to {
            let end = self.to.min(self.from.saturating_add(self.step));
            let (displacement, ready) = (self.view.displacement, &mut self.ready);
            let filetype = &self.view.filetype;
            filetype.runs(self.from, end, &mut |offset, length| {
                let offset = displacement + offset as u64;
                match ready.last_mut() {
                    Some(last) if last.end() == offset => last.length += length,
                    _ => ready.push(Run { offset, length }),
                }
            });
            self.from = end;
            match self.ready.len() {
                found if found < RUNS_FEW => self.step = self.step.saturating_mul(4),
                found if found >= RUNS_MANY => self.step = (self.step / 4).max(1),
                _ => {}
            }
        }
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        if self.next + 1 >= self.ready.len() && self.from < self.to {
            if self.next < self.ready.len() {
                self.ready.drain(..self.next);
            }
            self.refill();
        }
        let run = self.ready.get(self.next).copied()?;
        self.next += 1;
        Some(run)
    }
}
