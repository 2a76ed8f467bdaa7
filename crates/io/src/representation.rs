//! [`Representation`]: how the data of a view is stored in the file (MPI 5.0, 14.5).
//!
//! Etype and filetype of a view are those *in the file*: [`Representation::in_file`] makes them of
//! the application's, by the same constructors over what each predefined datatype is in the file.
//! Data is converted between the memory of the application and bytes as they are in the file by
//! [`Representation::encode`] and [`Representation::decode`]; plans and transfers see only the
//! bytes.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use datatype::{external_size, pack_external, predefined, unpack_external_some};
use datatype::{Basic, Buffer, Datatype};
use memory::UserBuf;

use crate::run::BYTE;
use crate::{Direction, Error};

/// Longest name of a representation, in bytes (`MPI_MAX_DATAREP_STRING` of the ABI, less the
/// closing zero).
const NAME_BYTES_MAX: usize = 127;

/// How data is stored in the file.
#[derive(Clone, Debug, Default)]
pub enum Representation {
    /// As in memory.
    #[default]
    Native,
    /// As the implementation likes, which is as in memory.
    Internal,
    /// As every machine reads it: big-endian, sizes by the standard.
    External32,
    /// As functions of the application convert it.
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

/// The functions of a registered representation (MPI 5.0, 14.5.3). They may call MPI, so no lock
/// is held. Each failure is the function's error code.
pub trait Conversions: Send + Sync {
    /// Whether data in this direction is converted: there is no function where the application
    /// registered `MPI_CONVERSION_FN_NULL`.
    fn converts(&self, direction: Direction) -> bool;

    /// Returns the bytes of a predefined datatype in the file.
    ///
    /// # Errors
    /// When the function fails.
    fn extent(&self, datatype: &Arc<Datatype>) -> Result<i64, i32>;

    /// Converts data items.
    ///
    /// # Errors
    /// When the function fails.
    fn convert(&self, direction: Direction, items: &Items<'_>) -> Result<(), i32>;
}

/// The data items of one conversion: basic elements, in type map order.
#[derive(Debug)]
pub struct Items<'a> {
    /// The memory of all elements, from the lowest byte of data on.
    pub memory: UserBuf,
    /// Bytes from the address that MPI calls the buffer's to the start of `memory`.
    pub lead: i64,
    /// The datatype of the elements in memory.
    pub datatype: &'a Arc<Datatype>,
    /// Items before the first one, in the elements one after the other.
    pub position: i64,
    /// How many items.
    pub count: i64,
    /// The items in the file, one after the other.
    pub file: UserBuf,
}

/// The representations of a process.
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
    /// When nobody registered one of that name.
    pub fn named(&self, name: &str) -> Result<Representation, Error> {
        let known = self.0.iter().find(|one| one.name == name);
        match known {
            Some(registered) => Ok(Representation::Registered(registered.clone())),
            None => Representation::named(name),
        }
    }
}

impl Representation {
    /// Returns the representation that MPI itself calls `name`.
    ///
    /// # Errors
    /// When it is not one of MPI's.
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

    /// Whether data in this direction differs in memory and file.
    pub fn converts(&self, direction: Direction) -> bool {
        match self {
            Representation::Native | Representation::Internal => false,
            Representation::External32 => true,
            Representation::Registered(registered) => registered.conversions.converts(direction),
        }
    }

    /// Returns the datatype as it is in the file.
    ///
    /// # Errors
    /// When it does not fit, or the function of a registered representation fails.
    pub fn in_file(&self, datatype: &Arc<Datatype>) -> Result<Arc<Datatype>, Error> {
        if let Representation::Native | Representation::Internal = self {
            return Ok(datatype.clone());
        }
        let byte = predefined(BYTE).expect("MPI_BYTE is in the table");
        datatype.rebuilt(|leaf| {
            let mut bytes = 0;
            self.each_item(leaf, &mut |basic, count| {
                bytes += self.item_bytes(basic)? * count;
                Ok(())
            })?;
            Ok(Arc::new(Datatype::contiguous(bytes, byte)?))
        })
    }

    /// Returns the bytes of data that `count` elements have in the file, converted in this
    /// direction.
    ///
    /// # Errors
    /// When they do not fit, or the function of a registered representation fails.
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

    /// Converts some elements of `buffer`, which is of `datatype`, to bytes as they are in the
    /// file, and returns how many these are. `into` has room for [`Representation::file_bytes`].
    ///
    /// # Errors
    /// When a value has no such form, or the function of a registered representation fails.
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

    /// Converts bytes of the file to elements of `buffer`, which is of `datatype`, and returns the
    /// packed bytes of the buffer that were filled. An item of which `from` has only a part is
    /// left.
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

    /// Returns how many whole items of `count` elements lie in `bytes` of the file, and their
    /// bytes in memory.
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
                // Nothing that comes behind an item that does not fit is there.
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

    /// Bytes of a basic element in the file.
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

    /// Passes `visit` the basic elements of one element, as runs.
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

/// Some elements of a buffer, which may have forgotten its datatype.
fn part(buffer: &Buffer, datatype: &Datatype, elements: Range<usize>) -> Buffer {
    match buffer.contiguous() {
        Some(memory) => {
            let size = datatype.size() as usize;
            Buffer::bytes(memory.part(elements.start * size, elements.len() * size))
        }
        None => buffer.elements(elements.start, elements.len()),
    }
}

/// No items yet of a buffer and its bytes in the file.
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
