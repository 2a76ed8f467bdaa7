//! external32: the representation of data that is the same on every machine (MPI 5.0, 14.5.2).
//!
//! Big-endian, without gaps, in type map order. Three kinds change size: `long` and
//! `unsigned long` have 4 bytes, `wchar_t` 2, and `long double` is an IEEE binary128 number.

use memory::UserBuf;

use crate::basic::{Basic, Repr};
use crate::constants::{MPI_LONG, MPI_UNSIGNED_LONG, MPI_WCHAR};
use crate::error::{natural, Error};
use crate::{Buffer, Datatype};

/// Bytes of native elements converted at a time; more than the largest element.
const CHUNK: usize = 2048;

/// The bytes that `count` elements have in external32 (`MPI_Pack_external_size`).
pub fn external_size(count: i64, datatype: &Datatype) -> Result<i64, Error> {
    natural(count, "count")?;
    let one = datatype
        .signature()
        .weigh(&|basic| external_bytes(basic) as i64);
    let all = one.and_then(|one| one.checked_mul(count));
    all.ok_or(Error::Overflow {
        what: "the external32 size",
    })
}

/// Writes the elements of `from`, which are of `datatype`, to the start of `into`, and returns
/// how many bytes that took.
///
/// # Errors
/// When there is no room, or a `long` or a `wchar_t` has a value that external32 cannot hold.
pub fn pack_external(from: &Buffer, datatype: &Datatype, into: UserBuf) -> Result<usize, Error> {
    let needed = room(from, datatype, into)?;
    let mut written = 0;
    each_chunk(from, datatype, |position, basic, elements| {
        let (size, external) = (basic.size as usize, external_bytes(basic));
        let (mut native, mut encoded) = ([0; CHUNK], [0; CHUNK]);
        let native = &mut native[..elements * size];
        from.pack_into(position, native);
        let encoded = &mut encoded[..elements * external];
        for (from, to) in native.chunks(size).zip(encoded.chunks_mut(external)) {
            encode(basic, from, to)?;
        }
        into.write(written, encoded);
        written += encoded.len();
        Ok(())
    })?;
    debug_assert_eq!(written, needed);
    Ok(written)
}

/// Reads the elements of `to`, which are of `datatype`, from the start of `from`, and returns
/// how many bytes that took.
///
/// # Errors
/// When `from` has fewer bytes.
pub fn unpack_external(from: UserBuf, to: &Buffer, datatype: &Datatype) -> Result<usize, Error> {
    let needed = room(to, datatype, from)?;
    unpack_external_some(from, to, datatype)?;
    Ok(needed)
}

/// Reads as many basic elements of `to`, which are of `datatype`, as `from` holds from its start
/// on, and returns the packed bytes that were filled.
///
/// # Errors
/// When the elements' external32 form does not fit.
pub fn unpack_external_some(
    from: UserBuf,
    to: &Buffer,
    datatype: &Datatype,
) -> Result<usize, Error> {
    let (mut done, mut filled) = (0, 0);
    let end = Error::Room {
        needed: external_size(elements(to, datatype), datatype)? as usize,
        room: from.len(),
    };
    let converted = each_chunk(to, datatype, |position, basic, elements| {
        let (size, external) = (basic.size as usize, external_bytes(basic));
        let whole = elements.min((from.len() - done) / external);
        let (mut native, mut encoded) = ([0; CHUNK], [0; CHUNK]);
        let encoded = &mut encoded[..whole * external];
        from.read(done, encoded);
        let native = &mut native[..whole * size];
        for (from, to) in encoded.chunks(external).zip(native.chunks_mut(size)) {
            decode(basic, from, to);
        }
        to.unpack(position, memory::Payload::from(&*native));
        done += encoded.len();
        filled = position + native.len();
        match whole == elements {
            true => Ok(()),
            false => Err(end.clone()),
        }
    });
    match converted {
        Err(error) if error != end => Err(error),
        _ => Ok(filled),
    }
}

/// The external32 bytes of a buffer, if `memory` has them.
fn room(buffer: &Buffer, datatype: &Datatype, memory: UserBuf) -> Result<usize, Error> {
    let count = elements(buffer, datatype);
    let needed = external_size(count, datatype)? as usize;
    if needed > memory.len() {
        return Err(Error::Room {
            needed,
            room: memory.len(),
        });
    }
    Ok(needed)
}

fn elements(buffer: &Buffer, datatype: &Datatype) -> i64 {
    match datatype.size() {
        0 => 0,
        size => buffer.len() as i64 / size,
    }
}

/// Calls `convert` with packed position, kind and number of elements, never more than a chunk.
fn each_chunk(
    buffer: &Buffer,
    datatype: &Datatype,
    mut convert: impl FnMut(usize, &Basic, usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut position = 0;
    let mut result = Ok(());
    let signature = datatype.signature().repeat(elements(buffer, datatype));
    signature.runs(0, &mut |basic, run| {
        let mut left = run as usize;
        while left > 0 && result.is_ok() {
            let now = left.min(CHUNK / basic.size as usize);
            result = convert(position, basic, now);
            position += now * basic.size as usize;
            left -= now;
        }
        result.is_ok()
    });
    result
}

/// The bytes of an element in external32.
fn external_bytes(basic: &Basic) -> usize {
    match basic.handle {
        MPI_LONG | MPI_UNSIGNED_LONG => 4,
        MPI_WCHAR => 2,
        _ => basic.size as usize,
    }
}

fn encode(basic: &Basic, native: &[u8], external: &mut [u8]) -> Result<(), Error> {
    if native.len() != external.len() {
        let wide = integer(basic, native);
        let kept = wide.to_be_bytes();
        external.copy_from_slice(&kept[kept.len() - external.len()..]);
        let mut back = [0; 16];
        let back = &mut back[..native.len()];
        decode(basic, external, back);
        if back != native {
            return Err(Error::Conversion {
                datatype: basic.name,
                value: wide,
            });
        }
        return Ok(());
    }
    external.copy_from_slice(native);
    for part in external.chunks_mut(component(basic)) {
        if is_long_double(basic) {
            long_double::widen(part);
        }
        big_endian(part);
    }
    Ok(())
}

fn decode(basic: &Basic, external: &[u8], native: &mut [u8]) {
    if native.len() != external.len() {
        let negative = external[0] & 0x80 != 0 && basic.repr == Repr::I64;
        native.fill(if negative { 0xff } else { 0 });
        let kept = native.len() - external.len();
        if cfg!(target_endian = "little") {
            let low = native.len() - kept;
            native[..low].copy_from_slice(external);
            native[..low].reverse();
        } else {
            native[kept..].copy_from_slice(external);
        }
        return;
    }
    native.copy_from_slice(external);
    for part in native.chunks_mut(component(basic)) {
        big_endian(part);
        if is_long_double(basic) {
            long_double::narrow(part);
        }
    }
}

/// Exchanges native and big-endian order.
fn big_endian(bytes: &mut [u8]) {
    if cfg!(target_endian = "little") {
        bytes.reverse();
    }
}

/// The value of an integer type whose size changes.
fn integer(basic: &Basic, native: &[u8]) -> i128 {
    let mut bytes = [0; 8];
    bytes[..native.len()].copy_from_slice(native);
    if cfg!(target_endian = "big") {
        bytes.rotate_right(8 - native.len());
    }
    match basic.repr {
        Repr::I64 => i64::from_ne_bytes(bytes) as i128,
        _ => u64::from_ne_bytes(bytes) as i128,
    }
}

fn is_long_double(basic: &Basic) -> bool {
    matches!(basic.repr, Repr::LongDouble | Repr::ComplexLongDouble)
}

/// Bytes of a real or imaginary part, or of the whole element.
fn component(basic: &Basic) -> usize {
    let complex = matches!(
        basic.repr,
        Repr::ComplexF16
            | Repr::ComplexF32
            | Repr::ComplexF64
            | Repr::ComplexLongDouble
            | Repr::ComplexF128
    );
    basic.size as usize / if complex { 2 } else { 1 }
}

/// Between the x87 format and binary128, in native order.
#[cfg(target_arch = "x86_64")]
mod long_double {
    use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
    use rustc_apfloat::{Float, FloatConvert};

    pub(super) fn widen(bytes: &mut [u8]) {
        let number = X87DoubleExtended::from_bits(bits(bytes) & ((1 << 80) - 1));
        let wide: Quad = number.convert(&mut false).value;
        bytes.copy_from_slice(&wide.to_bits().to_le_bytes());
    }

    pub(super) fn narrow(bytes: &mut [u8]) {
        let narrow: X87DoubleExtended = Quad::from_bits(bits(bytes)).convert(&mut false).value;
        bytes.copy_from_slice(&narrow.to_bits().to_le_bytes());
    }

    fn bits(bytes: &[u8]) -> u128 {
        let mut wide = [0; 16];
        wide.copy_from_slice(bytes);
        u128::from_le_bytes(wide)
    }
}

/// `long double` is binary128 already.
#[cfg(not(target_arch = "x86_64"))]
mod long_double {
    pub(super) fn widen(_: &mut [u8]) {}
    pub(super) fn narrow(_: &mut [u8]) {}
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory::Scratch;

    use super::*;
    use crate::{basic, predefined, BASICS};

    fn over(memory: &Scratch, count: usize, datatype: &Arc<Datatype>) -> Buffer {
        Buffer::over(memory.buf(), count, datatype).unwrap()
    }

    fn bytes(memory: &Scratch) -> Vec<u8> {
        let mut bytes = vec![0; memory.buf().len()];
        memory.buf().read(0, &mut bytes);
        bytes
    }

    /// Packs one element and returns its external bytes.
    fn external(handle: u32, native: &[u8]) -> Result<Vec<u8>, Error> {
        let datatype = predefined(handle).unwrap();
        let memory = Scratch::new(native.len());
        memory.buf().write(0, native);
        let out = Scratch::new(external_size(1, datatype)? as usize);
        pack_external(&over(&memory, 1, datatype), datatype, out.buf())?;
        Ok(bytes(&out))
    }

    #[test]
    fn numbers_are_big_endian_and_long_has_four_bytes() {
        assert_eq!(
            external(0x209, &0x01020304i32.to_ne_bytes()).unwrap(),
            [1, 2, 3, 4]
        );
        assert_eq!(
            external(0x20a, &(-2i64).to_ne_bytes()).unwrap(),
            [255, 255, 255, 254]
        );
        assert_eq!(
            external(0x23c, &0x20acu32.to_ne_bytes()).unwrap(),
            [0x20, 0xac]
        );
        let too_long = external(0x20a, &(1i64 << 31).to_ne_bytes());
        let expected = Error::Conversion {
            datatype: "MPI_LONG",
            value: 1 << 31,
        };
        assert_eq!(too_long, Err(expected));
        assert_eq!(
            external(0x20e, &(1u64 << 31).to_ne_bytes()).unwrap(),
            [128, 0, 0, 0]
        );
        let complex = [1.0f32.to_ne_bytes(), 2.0f32.to_ne_bytes()].concat();
        assert_eq!(
            external(0x212, &complex).unwrap(),
            [0x3f, 0x80, 0, 0, 0x40, 0, 0, 0]
        );
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn long_double_is_binary128() {
        // 1.5 has exponent 0x3fff in both formats; binary128 hides the leading bit.
        let mut native = [0; 16];
        native[7..10].copy_from_slice(&[0xc0, 0xff, 0x3f]);
        let mut expected = [0; 16];
        expected[..3].copy_from_slice(&[0x3f, 0xff, 0x80]);
        assert_eq!(external(0x220, &native).unwrap(), expected);
    }

    #[test]
    fn every_predefined_type_comes_back() {
        for row in BASICS {
            let datatype = predefined(row.handle).unwrap();
            let (from, to) = (datatype.span_bytes(300), datatype.span_bytes(300));
            let (from, to) = (Scratch::new(from), Scratch::new(to));
            let a = over(&from, 300, datatype);
            // Small values, so that those which shrink keep theirs; the x87 format needs its
            // integer bit, so long doubles are left at zero but for the sign.
            for element in 0..300 {
                let start = element * row.size as usize;
                let first = if is_wide(row) { 0 } else { element as u8 };
                a.unpack(start, memory::Payload::from(&[first][..]));
            }
            let packed = Scratch::new(external_size(300, datatype).unwrap() as usize);
            let written = pack_external(&a, datatype, packed.buf()).unwrap();
            assert_eq!(written, packed.buf().len(), "{}", row.name);
            let read = unpack_external(packed.buf(), &over(&to, 300, datatype), datatype);
            assert_eq!(read, Ok(written));
            assert_eq!(bytes(&to), bytes(&from), "{}", row.name);
        }
    }

    fn is_wide(row: &Basic) -> bool {
        is_long_double(row)
            || row
                .halves()
                .is_some_and(|[half, _]| is_long_double(basic(half).unwrap()))
    }

    #[test]
    fn derived_types_convert_in_type_map_order() {
        let (int, long) = (predefined(0x209).unwrap(), predefined(0x20a).unwrap());
        let olds = [int.clone(), long.clone()];
        let mixed = Arc::new(Datatype::structure(&[1, 2], &[16, 0], &olds).unwrap());
        assert_eq!(external_size(2, &mixed), Ok(24));
        let memory = Scratch::new(mixed.span_bytes(2));
        let buffer = over(&memory, 2, &mixed);
        let mut native = Vec::new();
        for value in [7i32, 9] {
            native.extend(value.to_ne_bytes());
            native.extend((value as i64 * 1000).to_ne_bytes());
            native.extend((-value as i64).to_ne_bytes());
        }
        buffer.unpack(0, memory::Payload::from(&native[..]));
        let out = Scratch::new(24);
        assert_eq!(pack_external(&buffer, &mixed, out.buf()), Ok(24));
        let numbers: Vec<i32> = bytes(&out)
            .chunks(4)
            .map(|chunk| i32::from_be_bytes(chunk.try_into().unwrap()))
            .collect();
        assert_eq!(numbers, [7, 7000, -7, 9, 9000, -9]);
        let back = Scratch::new(mixed.span_bytes(2));
        let back = over(&back, 2, &mixed);
        // An int and a half of a long are there, behind the first element.
        let some = unpack_external_some(out.buf().part(0, 18), &back, &mixed);
        assert_eq!(some, Ok(20 + 4));
        let mut filled = vec![0; 40];
        back.pack_into(0, &mut filled);
        assert_eq!(filled[..24], native[..24]);
        assert_eq!(filled[24..], [0; 16]);
        let short = pack_external(&buffer, &mixed, out.buf().part(0, 23));
        assert_eq!(
            short,
            Err(Error::Room {
                needed: 24,
                room: 23
            })
        );
    }
}
