//! The tables of names in the recorder's memory: text, sites and communicators.

use super::memory::Memory;
use trace::layout::{self, comm, header, site};

use crate::addresses::Map;
use crate::call_site::Location;

/// Positions of what the tables have, by what it is.
pub(crate) struct Names {
    texts: Map<String, u64>,
    contexts: Map<u64, u16>,
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} texts", self.texts.len())
    }
}

impl Names {
    /// Returns the names of memory that has none. Position 0 is that of the empty text.
    pub(crate) fn new(memory: &Memory) -> Names {
        let mut names = Names {
            texts: Map::default(),
            contexts: Map::default(),
        };
        names.text(memory, "");
        names
    }

    /// Returns the position of a text; that of the empty one where there is no room.
    pub(crate) fn text(&mut self, memory: &Memory, text: &str) -> u64 {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let at = memory.header().get(header::TEXT) as usize;
        let len = text.len().min(u16::MAX as usize);
        let needed = (2 + len).next_multiple_of(8);
        if at + needed > layout::TEXT_BYTES {
            return 0;
        }
        let mut bytes = (len as u16).to_le_bytes().to_vec();
        bytes.extend_from_slice(&text.as_bytes()[..len]);
        bytes.resize(needed, 0);
        let first = memory.layout.text() + at / 8;
        for (nth, word) in bytes.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(word.try_into().expect("chunks of eight"));
            memory.set(first + nth, word);
        }
        memory.header().publish(header::TEXT, (at + needed) as u64);
        self.texts.insert(text.to_string(), at as u64);
        at as u64
    }

    /// Returns the position of a communicator; [`layout::Record::NO_COMM`] where there is no room.
    pub(crate) fn comm(&mut self, memory: &Memory, context: u64, size: u32, name: &str) -> u16 {
        if let Some(known) = self.contexts.get(&context) {
            return *known;
        }
        let at = memory.header().get(header::COMMS) as usize;
        if at == layout::COMMS_MAX {
            return layout::Record::NO_COMM;
        }
        let entry = memory.layout.comm(at);
        memory.set(entry + comm::CONTEXT, context);
        memory.set(entry + comm::SIZE, u64::from(size));
        let name = self.text(memory, name);
        memory.set(entry + comm::NAME, name);
        memory.header().publish(header::COMMS, at as u64 + 1);
        self.contexts.insert(context, at as u16);
        at as u16
    }

    /// Returns the position of a new site, which is called at a place or at an unknown one; 0 where
    /// there is no room.
    pub(crate) fn site(&mut self, memory: &Memory, name: &str, place: Option<&Location>) -> u16 {
        let at = memory.header().get(header::SITES) as usize;
        if at == layout::SITES_MAX {
            return 0;
        }
        let file = place.map_or("", |place| place.file.as_str());
        let symbol = place.and_then(|place| place.symbol.as_deref());
        let texts = [name, file].map(|text| self.text(memory, text));
        let entry = memory.layout.site(at);
        memory.set(entry + site::FUNCTION, texts[0] | texts[1] << 32);
        memory.set(
            entry + site::ADDRESS,
            place.map_or(0, |place| place.address as u64),
        );
        let symbol = self.text(memory, symbol.unwrap_or_default());
        memory.set(entry + site::SYMBOL, symbol);
        memory.header().publish(header::SITES, at as u64 + 1);
        at as u16
    }
}
