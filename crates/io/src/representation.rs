//! [`Representation`]: how the data of a view is stored in the file (MPI 5.0, 14.5).
//!
//! A view has the etype and filetype *of the file*. [`Representation::in_file`] derives them from
//! the application's: it applies the same constructors to the predefined datatypes' sizes in the
//! file. [`Representation::encode`] converts data in memory to bytes of the file, and
//! [`Representation::decode`] converts it back. Plans and transfers know the file's bytes only.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use datatype::{external_size, pack_external, predefined, unpack_external_some};
use datatype::{Basic, Buffer, Datatype};
use memory::UserBuf;

use crate::{Direction, Error};
use datatype::constants::MPI_BYTE;

/// Longest name of a representation, in bytes: the ABI's `MPI_MAX_DATAREP_STRING` without the
/// closing zero byte.
const NAME_BYTES_MAX: usize = 127;

/// A data representation: how values are stored in a file.
#[derive(Clone, Debug, Default)]
pub enum Representation {
    /// `native`: as in memory.
    #[default]
    Native,
    /// `internal`: as the implementation chooses; oxmpi stores values as in memory.
    Internal,
    /// `external32`: big-endian, with the sizes that MPI defines, so that every machine can read
    /// it.
    External32,
    /// As the application's functions convert it (`MPI_Register_datarep`).
    Registered(Arc<Registered>),
}

/// A representation that the application registered.
pub struct Registered {
    name: String,
    conversions: Box<dyn Conversions>,
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registered").field(&self.name).finish()
    }
}

/// The application's functions of a registered representation (MPI 5.0, 14.5.3). They may call MPI,
/// so they are called with no lock held. An error is the code that the function returned.
pub trait Conversions: Send + Sync {
    /// Returns whether data in this direction is converted. It is not where the application
    /// registered `MPI_CONVERSION_FN_NULL`.
    fn converts(&self, direction: Direction) -> bool;

    /// Returns the size in the file of a predefined datatype, in bytes.
    ///
    /// # Errors
    /// When the function fails.
    fn extent(&self, datatype: &Arc<Datatype>) -> Result<i64, i32>;

    /// Converts `items`.
    ///
    /// # Errors
    /// When the function fails.
    fn convert(&self, direction: Direction, items: &Items<'_>) -> Result<(), i32>;
}

/// The arguments of one conversion. Its items are basic elements, in the order of the type map.
#[derive(Debug)]
pub struct Items<'a> {
    /// The memory of all elements, from their lowest byte of data on.
    pub memory: UserBuf,
    /// Bytes from the buffer's address, as MPI defines it, to the start of `memory`.
    pub lead: i64,
    /// The datatype of the elements in memory.
    pub datatype: &'a Arc<Datatype>,
    /// Number of items before the first one to convert, counted from the first element on.
    pub position: i64,
    /// Number of items to convert.
    pub count: i64,
    /// The file's bytes of these items, contiguous.
    pub file: UserBuf,
}

/// The representations that a process has registered.
#[derive(Debug, Default)]
pub struct Representations(Vec<Arc<Registered>>);

impl Representations {
    /// Registers a representation (`MPI_Register_datarep`).
    ///
    /// # Errors
    /// When the name is in use, empty or too long.
    pub fn register(&mut self, name: &str, conversions: Box<dyn Conversions>) -> Result<(), Error> {
        if name.is_empty() || name.len() > NAME_BYTES_MAX {
            let (bytes, max) = (name.len(), NAME_BYTES_MAX);
            return Err(Error::RepresentationName { bytes, max });
        }
        if self.named(name).is_ok() {
            return Err(Error::DuplicateRepresentation { name: name.into() });
        }
        self.0.push(Arc::new(Registered {
            name: name.into(),
            conversions,
        }));
        Ok(())
    }

    /// Returns the representation of this name.
    ///
    /// # Errors
    /// When there is no representation of that name.
    pub fn named(&self, name: &str) -> Result<Representation, Error> {
        let known = self.0.iter().find(|one| one.name == name);
        match known {
            Some(registered) => Ok(Representation::Registered(registered.clone())),
            None => Representation::named(name),
        }
    }
}

impl Representation {
    /// Returns the predefined representation `name`.
    ///
    /// # Errors
    /// When MPI defines none of that name.
    pub fn named(name: &str) -> Result<Representation, Error> {
        match name {
            "native" => Ok(Representation::Native),
            "internal" => Ok(Representation::Internal),
            "external32" => Ok(Representation::External32),
            _ => Err(Error::UnknownRepresentation { name: name.into() }),
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        match self {
            Representation::Native => "native",
            Representation::Internal => "internal",
            Representation::External32 => "external32",
            Representation::Registered(registered) => &registered.name,
        }
    }

    /// Returns whether data is converted in this direction.
    pub fn converts(&self, direction: Direction) -> bool {
        match self {
            Representation::Native | Representation::Internal => false,
            Representation::External32 => true,
            Representation::Registered(registered) => registered.conversions.converts(direction),
        }
    }

    /// Returns the datatype that `datatype` is in the file.
    ///
    /// # Errors
    /// When its size overflows, or the function of a registered representation fails.
    pub fn in_file(&self, datatype: &Arc<Datatype>) -> Result<Arc<Datatype>, Error> {
        if let Representation::Native | Representation::Internal = self {
            return Ok(datatype.clone());
        }
        let byte = predefined(MPI_BYTE).expect("MPI_BYTE is in the table");
        datatype.rebuilt(|leaf| {
            let mut bytes = 0;
            self.each_item(leaf, &mut |basic, count| {
                bytes += self.item_bytes(basic)? * count;
                Ok(())
            })?;
            Ok(Arc::new(Datatype::contiguous(bytes, byte)?))
        })
    }

    /// Returns how many bytes of data `count` elements have in the file, where they are converted
    /// in this direction.
    ///
    /// # Errors
    /// When the number overflows, or the function of a registered representation fails.
    pub fn file_bytes(
        &self,
        direction: Direction,
        datatype: &Datatype,
        count: usize,
    ) -> Result<u64, Error> {
        let overflow = Error::Overflow {
            what: "the size of the data in the file",
        };
        if !self.converts(direction) {
            let bytes = (datatype.size() as u64).checked_mul(count as u64);
            return bytes.ok_or(overflow);
        }
        let mut one = 0i64;
        self.each_item(datatype, &mut |basic, count| {
            let bytes = self.item_bytes(basic)?.checked_mul(count);
            let sum = bytes.and_then(|bytes| one.checked_add(bytes));
            one = sum.ok_or(overflow.clone())?;
            Ok(())
        })?;
        (one as u64).checked_mul(count as u64).ok_or(overflow)
    }

    /// Converts a range of elements of `buffer`, which have the type `datatype`, to bytes of the
    /// file. Stores them in `into`, which has at least [`Representation::file_bytes`], and returns
    /// their number.
    ///
    /// # Errors
    /// When a value cannot be represented, or the function of a registered representation fails.
    pub fn encode(
        &self,
        buffer: &Buffer,
        datatype: &Arc<Datatype>,
        elements: Range<usize>,
        into: UserBuf,
    ) -> Result<usize, Error> {
        let part = part(buffer, datatype, elements.clone());
        match self {
            Representation::External32 => Ok(pack_external(&part, datatype, into)?),
            Representation::Registered(registered) if self.converts(Direction::Write) => {
                let direction = Direction::Write;
                let bytes = self.file_bytes(direction, datatype, elements.len())? as usize;
                let (first, count) = (elements.start as i64, elements.len() as i64);
                let items = Items {
                    position: first * datatype.elements(),
                    count: count * datatype.elements(),
                    ..items(buffer, datatype, into.part(0, bytes))
                };
                registered.convert(direction, &items)?;
                Ok(bytes)
            }
            _ => Ok(part.pack_to_user(0, into)),
        }
    }

    /// Converts bytes of the file to a range of elements of `buffer`, which have the type
    /// `datatype`. Returns how many bytes of data were stored. A last item that `from` has only in
    /// part is not stored.
    ///
    /// # Errors
    /// When the function of a registered representation fails.
    pub fn decode(
        &self,
        from: UserBuf,
        buffer: &Buffer,
        datatype: &Arc<Datatype>,
        elements: Range<usize>,
    ) -> Result<usize, Error> {
        let part = part(buffer, datatype, elements.clone());
        match self {
            Representation::External32 => Ok(unpack_external_some(from, &part, datatype)?),
            Representation::Registered(registered) if self.converts(Direction::Read) => {
                let (count, filled) = self.whole_items(datatype, from.len(), elements.len())?;
                let items = Items {
                    position: elements.start as i64 * datatype.elements(),
                    count,
                    ..items(buffer, datatype, from)
                };
                if count > 0 {
                    registered.convert(Direction::Read, &items)?;
                }
                Ok(filled)
            }
            _ => Ok(part.unpack_from_user(0, from)),
        }
    }

    /// Returns how many whole items of at most `count` elements `bytes` of the file hold, and how
    /// many bytes of data these items have in memory.
    fn whole_items(
        &self,
        datatype: &Datatype,
        bytes: usize,
        count: usize,
    ) -> Result<(i64, usize), Error> {
        let one = self.file_bytes(Direction::Read, datatype, 1)?.max(1);
        let whole = (bytes as u64 / one).min(count as u64);
        let (mut items, mut filled) = (whole as i64 * datatype.elements(), 0);
        let mut left = bytes as i64 - (whole * one) as i64;
        if whole < count as u64 {
            self.each_item(datatype, &mut |basic, run| {
                let fit = (left / self.item_bytes(basic)?.max(1)).min(run);
                (items, filled) = (items + fit, filled + fit * basic.size);
                // After an item that is not whole there are no further ones.
                left = match fit == run {
                    true => left - fit * self.item_bytes(basic)?,
                    false => 0,
                };
                Ok(())
            })?;
        }
        Ok((
            items,
            whole as usize * datatype.size() as usize + filled as usize,
        ))
    }

    /// Returns the size of a basic element in the file, in bytes.
    fn item_bytes(&self, basic: &'static Basic) -> Result<i64, Error> {
        let datatype = predefined(basic.handle).expect("the rows are those of the table");
        match self {
            Representation::Native | Representation::Internal => Ok(basic.size),
            Representation::External32 => Ok(external_size(1, datatype)?),
            Representation::Registered(registered) => {
                let extent = registered.conversions.extent(datatype);
                let extent = extent.map_err(|code| registered.failed(code))?;
                match extent {
                    1.. => Ok(extent),
                    _ => Err(Error::FileExtent {
                        representation: registered.name.clone(),
                        datatype: basic.name,
                        extent,
                    }),
                }
            }
        }
    }

    /// Calls `visit` for each run of equal basic elements in one element of `datatype`. The first
    /// error ends the calls.
    fn each_item(
        &self,
        datatype: &Datatype,
        visit: &mut dyn FnMut(&'static Basic, i64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut result = Ok(());
        datatype.basics(&mut |basic, count| {
            result = visit(basic, count);
            result.is_ok()
        });
        result
    }
}

impl Registered {
    fn convert(&self, direction: Direction, items: &Items<'_>) -> Result<(), Error> {
        let converted = self.conversions.convert(direction, items);
        converted.map_err(|code| self.failed(code))
    }

    fn failed(&self, code: i32) -> Error {
        Error::Conversion {
            representation: self.name.clone(),
            code,
        }
    }
}

/// Returns the part of `buffer` that has these elements. A contiguous buffer does not know its
/// datatype.
fn part(buffer: &Buffer, datatype: &Datatype, elements: Range<usize>) -> Buffer {
    match buffer.contiguous() {
        Some(memory) => {
            let size = datatype.size() as usize;
            Buffer::bytes(memory.part(elements.start * size, elements.len() * size))
        }
        None => buffer.elements(elements.start, elements.len()),
    }
}

/// Returns the arguments of a conversion between `buffer` and `file`, with no items to convert yet.
fn items<'a>(buffer: &Buffer, datatype: &'a Arc<Datatype>, file: UserBuf) -> Items<'a> {
    let count = buffer.len() as i64 / datatype.size().max(1);
    Items {
        memory: buffer.span(),
        lead: datatype.span(count).map_or(0, |(low, _)| low),
        datatype,
        position: 0,
        count: 0,
        file,
    }
}
