//! A loaded library as its own tables describe it: the symbols that it imports, and where it keeps
//! their addresses.

use std::ffi::{c_char, c_int, c_void, CStr};
use std::ops::Range;

/// The kinds of relocation that are the address of a symbol: an entry for calls, one for data, and
/// a pointer in the library's own data.
#[cfg(target_arch = "x86_64")]
const ADDRESSES: [u32; 3] = [7, 6, 1];
#[cfg(target_arch = "aarch64")]
const ADDRESSES: [u32; 3] = [1026, 1025, 257];

// Entries of the dynamic section (the System V ABI, chapter 5).
const DT_NULL: u64 = 0;
const DT_PLTRELSZ: u64 = 2;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_RELA: u64 = 7;
const DT_RELASZ: u64 = 8;
const DT_JMPREL: u64 = 23;

/// The request of `dlinfo` for a [`LinkMap`].
const RTLD_DI_LINKMAP: c_int = 2;

extern "C" {
    fn dlinfo(handle: *mut c_void, request: c_int, to: *mut c_void) -> c_int;
}

/// The first members of the loader's description of a library.
#[repr(C)]
struct LinkMap {
    /// The difference between an address in memory and that in the file.
    shift: usize,
    _name: *const c_char,
    dynamic: *const Entry,
}

/// An entry of the dynamic section.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    tag: u64,
    value: u64,
}

/// A loaded library.
pub struct Image {
    shift: usize,
    symbols: *const libc::Elf64_Sym,
    texts: *const c_char,
    relocations: [Range<*const libc::Elf64_Rela>; 2],
    /// The addresses of its segments.
    segments: Vec<Range<usize>>,
    /// The part that the loader has made read-only once it had written the addresses.
    sealed: Range<usize>,
}

/// A symbol that a library imports, and where its address is.
pub struct Import<'a> {
    /// The symbol's name.
    pub name: &'a CStr,
    at: usize,
    addend: i64,
}

impl Image {
    /// Reads the tables of a library.
    ///
    /// # Safety
    /// The handle is `dlopen`'s, of a library that stays loaded.
    pub unsafe fn of(handle: *mut c_void) -> Option<Image> {
        let mut map: *const LinkMap = std::ptr::null();
        // SAFETY: the handle is valid, and the request stores a pointer.
        let code = unsafe { dlinfo(handle, RTLD_DI_LINKMAP, (&raw mut map).cast()) };
        // SAFETY: the loader's description stays as long as the library.
        let map = unsafe { map.as_ref() }.filter(|_| code == 0)?;
        // SAFETY: the dynamic section of a loaded library ends with an entry DT_NULL.
        let value = |tag| unsafe { find(map.dynamic, tag) };
        // The loader has turned offsets into addresses, but for read-only sections.
        let address = |tag| match value(tag) {
            Some(offset) if offset < map.shift as u64 => offset as usize + map.shift,
            Some(address) => address as usize,
            None => 0,
        };
        let table = |at, bytes| {
            let count = value(bytes).unwrap_or(0) as usize / size_of::<libc::Elf64_Rela>();
            let first = address(at) as *const libc::Elf64_Rela;
            match first.is_null() {
                true => first..first,
                false => first..first.wrapping_add(count),
            }
        };
        let mut image = Image {
            shift: map.shift,
            symbols: address(DT_SYMTAB) as *const libc::Elf64_Sym,
            texts: address(DT_STRTAB) as *const c_char,
            relocations: [table(DT_JMPREL, DT_PLTRELSZ), table(DT_RELA, DT_RELASZ)],
            segments: Vec::new(),
            sealed: 0..0,
        };
        // SAFETY: the function gets a pointer to the image, and nothing else has one meanwhile.
        unsafe { libc::dl_iterate_phdr(Some(segments_of), (&raw mut image).cast()) };
        Some(image)
    }

    /// Whether an address is in this library.
    pub fn holds(&self, address: usize) -> bool {
        let holds = |segment: &Range<usize>| segment.contains(&address);
        self.segments.iter().any(holds)
    }

    /// The symbols whose addresses the loader has written, or will when they are called first.
    pub fn imports(&self) -> impl Iterator<Item = Import<'_>> {
        self.relocations.iter().flat_map(|table| {
            let mut next = table.start;
            std::iter::from_fn(move || {
                let own = next;
                next = next.wrapping_add(1);
                (own < table.end).then_some(own)
            })
            .filter_map(|relocation| self.import(relocation))
        })
    }

    fn import(&self, relocation: *const libc::Elf64_Rela) -> Option<Import<'_>> {
        // SAFETY: it is an entry of the library's table, which stays mapped.
        let relocation = unsafe { relocation.read() };
        let (kind, symbol) = (relocation.r_info as u32, relocation.r_info >> 32);
        if !ADDRESSES.contains(&kind)
            || symbol == 0
            || self.symbols.is_null()
            || self.texts.is_null()
        {
            return None;
        }
        // SAFETY: relocations name symbols of the library's table, and these texts of the other;
        // the loader has used them so.
        let name = unsafe {
            let symbol = self.symbols.add(symbol as usize).read();
            CStr::from_ptr(self.texts.add(symbol.st_name as usize))
        };
        Some(Import {
            name,
            at: (relocation.r_offset as usize).wrapping_add(self.shift),
            addend: relocation.r_addend,
        })
    }

    /// Has the library find `address` for a symbol that it imports.
    pub fn set(&self, import: &Import, address: usize) -> Result<(), String> {
        let protect = |protection| {
            // SAFETY: these two functions take numbers, and the pages are the library's own: it
            // imports an address there.
            let done = unsafe {
                let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
                let first = import.at & !(page - 1);
                let bytes = import.at + size_of::<usize>() - first;
                libc::mprotect(first as *mut c_void, bytes, protection)
            };
            match done {
                0 => Ok(()),
                _ => Err(format!(
                    "cannot change where a tool calls {}: {}",
                    import.name.to_string_lossy(),
                    std::io::Error::last_os_error()
                )),
            }
        };
        let is_sealed = self.sealed.contains(&import.at);
        if is_sealed {
            protect(libc::PROT_READ | libc::PROT_WRITE)?;
        }
        // SAFETY: the loader writes an address there; the page can be written, and no other thread
        // runs before the program has begun.
        unsafe { (import.at as *mut usize).write(address.wrapping_add(import.addend as usize)) };
        match is_sealed {
            true => protect(libc::PROT_READ),
            false => Ok(()),
        }
    }
}

/// Returns the value of the first entry with this tag.
///
/// # Safety
/// The section is a loaded library's.
unsafe fn find(section: *const Entry, tag: u64) -> Option<u64> {
    let mut at = section;
    loop {
        // SAFETY: the caller vouches for the section, and its end has not been passed.
        let entry = unsafe { at.read() };
        match entry.tag {
            DT_NULL => return None,
            own if own == tag => return Some(entry.value),
            _ => at = at.wrapping_add(1),
        }
    }
}

/// Notes the segments of an [`Image`], for `dl_iterate_phdr`.
unsafe extern "C" fn segments_of(
    info: *mut libc::dl_phdr_info,
    _: usize,
    image: *mut c_void,
) -> c_int {
    // SAFETY: the loader describes a library, and the image is the caller's own.
    let (info, image) = unsafe { (&*info, &mut *image.cast::<Image>()) };
    if info.dlpi_addr as usize != image.shift {
        return 0;
    }
    for at in 0..usize::from(info.dlpi_phnum) {
        // SAFETY: there are as many headers.
        let header = unsafe { info.dlpi_phdr.add(at).read() };
        let first = (header.p_vaddr as usize).wrapping_add(image.shift);
        let segment = first..first + header.p_memsz as usize;
        match header.p_type {
            libc::PT_LOAD => image.segments.push(segment),
            libc::PT_GNU_RELRO => image.sealed = segment,
            _ => {}
        }
    }
    1
}
