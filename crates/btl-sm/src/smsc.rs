//! Single copies (the framework `smsc`): a peer's memory is read and written where it is, with
//! no intermediate buffer.
//!
//! | component | priority | by | what a process offers its peers |
//! |---|---|---|---|
//! | [`xpmem`] | 42 | `/dev/xpmem`: maps the peer's memory | the name of its whole address space |
//! | [`cma`] | 37 | process_vm_readv(2) | its user namespace |
//! | [`knem`] | 23 | `/dev/knem`: the kernel copies from named regions | a region to try |
//! | none | | the ring, in pieces, with two copies | |
//!
//! A process opens those that the parameters admit and the machine has ([`Smsc::open`]), and puts
//! what each offers into its address. Whoever is introduced to it connects with each that both
//! have: **every connection reads 8 bytes of the peer and compares them**, so what is denied by
//! whatever means is found out here and not with a user's message. The result is the pair's
//! [`Links`], best first. What is allowed differs per process, so the two directions of a pair
//! may use different components.
//!
//! A link that fails in mid-run is given up, and the next one does the copy from its beginning:
//! both ways that is the same bytes to the same place again. When none is left the layers above
//! hear that the memory cannot be reached, and send in pieces.

mod cma;
#[cfg(test)]
pub(crate) mod fake;
mod guard;
pub(crate) mod key;
mod knem;
mod system;
#[cfg(test)]
mod tests;
mod xpmem;

use std::sync::Arc;

use btl::Access;
use mca::{Answer, Candidate, Choice, ComponentList, Verdict};
use memory::rcache::Limits;
use memory::release::Watch;
use memory::UserBuf;
use shm::Direction;

pub(crate) use system::{Kernel, System};

/// The names that the parameter `smsc` knows. With `none` alone nothing is copied singly.
pub const COMPONENTS: &[&str] = &mca::names(&DESCRIBED);

/// Pairs of a name that the parameter `smsc` knows and what the component does.
pub const DESCRIBED: [(&str, &str); 4] = [
    ("xpmem", "mapping a peer's memory, through /dev/xpmem"),
    ("cma", "reading a peer's memory with process_vm_readv(2)"),
    (
        "knem",
        "having the kernel copy from regions of a peer's memory, through /dev/knem",
    ),
    ("none", "copies through shared memory alone"),
];

/// The component that copies memory; the number is its code in addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Means {
    Xpmem = 1,
    Cma = 2,
    Knem = 3,
}

impl Means {
    /// Returns the name that the parameter `smsc` knows.
    fn name(self) -> &'static str {
        match self {
            Means::Xpmem => "xpmem",
            Means::Cma => "cma",
            Means::Knem => "knem",
        }
    }
}

/// The components, and how each is opened.
const TABLE: &[(Means, Open)] = &[
    (Means::Xpmem, xpmem::open),
    (Means::Cma, cma::open),
    (Means::Knem, knem::open),
];

type Open = fn(&Opening<'_>) -> Result<Box<dyn Component>, String>;

/// The parameters' values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) wanted: ComponentList,
    /// Priorities in the order of [`TABLE`]; a component with a negative one is not used.
    pub(crate) priorities: [i32; TABLE.len()],
    /// Attachments begin and end at multiples of two to this power.
    pub(crate) xpmem_log_align: u32,
    /// Bytes that are copied at once.
    pub(crate) xpmem_chunk_bytes: usize,
    /// Most attachments of one peer that are cached.
    pub(crate) xpmem_attachments_max: usize,
    /// Smallest copies, in bytes, that are given to a DMA engine; 0: none.
    pub(crate) knem_dma_min: usize,
}

/// The caching of registrations for later use.
#[derive(Clone, Copy)]
pub struct Caching<'a> {
    /// Number and bytes of idle registrations that are cached.
    pub limits: Limits,
    /// Makes the watch on memory that goes back to the system. Called only where a component
    /// registers memory; `None` where there is no watch, and so nothing is cached.
    pub watch: &'a dyn Fn() -> Option<Box<dyn Watch + Send>>,
}

impl Caching<'_> {
    /// No registration is cached.
    pub const NONE: Caching<'static> = Caching {
        limits: Limits {
            idle_count_max: 0,
            idle_bytes_max: 0,
        },
        watch: &|| None,
    };
}

/// Arguments for opening components.
pub(crate) struct Opening<'a> {
    pub(crate) system: Arc<dyn System>,
    pub(crate) settings: &'a Settings,
    /// The number that peers read to try. It stays where it is as long as the component.
    pub(crate) cookie: &'a u64,
    pub(crate) caching: Caching<'a>,
}

/// A peer, as components need to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    pub(crate) pid: u32,
    /// The number that is read to test access.
    pub(crate) cookie: u64,
    /// Address of the cookie in the peer's memory.
    pub(crate) probe: u64,
}

/// An address in a peer's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) address: u64,
    /// The address as an offset in a named region, where the peer has made one.
    pub(crate) region: Option<Region>,
}

/// An offset in a region that a process has made known to the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Region {
    pub(crate) cookie: u64,
    /// Bytes from the region's beginning.
    pub(crate) offset: u64,
}

/// Why a link did not copy.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The peer's process has ended.
    Gone,
    /// Part of the range, local or remote, is not mapped.
    Fault,
    /// The link cannot do this one; perhaps the next.
    NotThis(String),
    /// The link can do nothing any more.
    Refused(String),
}

/// One component, opened.
pub(crate) trait Component: Send {
    /// Bytes that peers need to connect: at most 255.
    fn offer(&self) -> Vec<u8>;

    /// Reaches a peer's memory by what it offers, and tries it. The error is one clause.
    fn connect(&mut self, peer: &Peer, offer: &[u8]) -> Result<Box<dyn Link>, String>;

    /// Makes memory known to the kernel, where the component needs that. The number is for
    /// `deregister`, and not 0.
    fn register(&mut self, _memory: UserBuf, _access: Access) -> Option<(Region, u64)> {
        None
    }

    /// Undoes a `register`.
    fn deregister(&mut self, _number: u64) {}
}

/// One component's link to one peer's memory. Dropping it releases the mappings.
pub(crate) trait Link: Send {
    /// Copies between `local` and as many bytes at `target`.
    fn copy(
        &mut self,
        direction: Direction,
        local: UserBuf,
        target: &Target,
    ) -> Result<(), Failure>;

    /// Whether the peer's memory has to be in a region.
    fn needs_region(&self) -> bool {
        false
    }

    /// Maps the peer's memory at `target` into this process until `unmap`; `None` where the
    /// component cannot. The number is for `unmap`.
    fn map(&mut self, _target: &Target, _len: usize) -> Option<(UserBuf, u64)> {
        None
    }

    fn unmap(&mut self, _number: u64) {}
}

struct Opened {
    means: Means,
    component: Box<dyn Component>,
}

/// The components that this process has open.
pub(crate) struct Smsc {
    /// The best first.
    opened: Vec<Opened>,
    choice: Choice,
    /// Whether a link of this process needs regions, so that its peers' most likely do too.
    needs_region: bool,
}

impl Smsc {
    /// Opens what is wanted and can be had.
    pub(crate) fn open(opening: &Opening<'_>) -> Smsc {
        let candidates = TABLE.iter().zip(opening.settings.priorities);
        let candidates = candidates.map(|((means, open), priority)| {
            Candidate::new(means.name(), move || {
                if priority < 0 {
                    return Ok(Answer::Declines("its priority is negative".into()));
                }
                Ok(match open(opening) {
                    Ok(component) => Answer::Usable {
                        priority,
                        module: (*means, component),
                    },
                    Err(why) => Answer::Declines(why),
                })
            })
        });
        let wanted = &opening.settings.wanted;
        let (selected, mut choice) = match mca::select_all("smsc", wanted, candidates.collect()) {
            Ok(selection) => selection,
            Err(mca::Error::NoneUsable(choice)) => (Vec::new(), choice),
            Err(_) => unreachable!("a selection fails only for want of candidates"),
        };
        if choice.winners.is_empty() {
            choice.winners = vec!["none"];
        }
        for (name, verdict) in &choice.considered {
            if let (true, Verdict::Declined(why)) = (wanted.demands(name), verdict) {
                log::warn!(target: "smsc", "{name} is not used: {why}");
            }
        }
        let opened = selected.into_iter().map(|one| Opened {
            means: one.module.0,
            component: one.module.1,
        });
        Smsc {
            opened: opened.collect(),
            choice,
            needs_region: false,
        }
    }

    /// The components that were opened, and why not the rest.
    pub(crate) fn choice(&self) -> &Choice {
        &self.choice
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.opened.is_empty()
    }

    /// Encodes the components' offers for the address: for each its code, a length and the bytes.
    pub(crate) fn offers(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for one in &self.opened {
            let offer = one.component.offer();
            bytes.extend([one.means as u8, offer.len() as u8]);
            bytes.extend(offer);
        }
        bytes
    }

    /// Connects with a peer by every component that both have.
    pub(crate) fn connect(&mut self, peer: &Peer, offers: &[u8]) -> Links {
        let mut links = Links::default();
        for one in &mut self.opened {
            let link = match offer_of(one.means as u8, offers) {
                Some(offer) => one.component.connect(peer, offer),
                None => Err("the peer does not have it open".into()),
            };
            match link {
                Ok(link) => links.links.push((one.means, link)),
                Err(why) => links.refused.push((one.means.name(), why)),
            }
        }
        self.needs_region |= links.need_region();
        links
    }

    /// Makes memory known to the kernel, if a component needs that and a peer will ask for it: one
    /// that said so (`wanted`), or one that is in the same position as this process.
    pub(crate) fn register(
        &mut self,
        memory: UserBuf,
        access: Access,
        wanted: bool,
    ) -> Option<(Region, u64)> {
        if !wanted && !self.needs_region {
            return None;
        }
        let components = self.opened.iter_mut().map(|one| &mut one.component);
        components
            .into_iter()
            .find_map(|component| component.register(memory, access))
    }

    pub(crate) fn deregister(&mut self, number: u64) {
        for one in &mut self.opened {
            one.component.deregister(number);
        }
    }
}

/// Whether the bytes are a sequence of whole offers.
pub(crate) fn are_offers(mut bytes: &[u8]) -> bool {
    while let [_, len, rest @ ..] = bytes {
        let Some(next) = rest.get(usize::from(*len)..) else {
            return false;
        };
        bytes = next;
    }
    bytes.is_empty()
}

/// The codes of the components that offer something.
pub(crate) fn codes(mut offers: &[u8]) -> Vec<u8> {
    let mut codes = Vec::new();
    while let [code, len, rest @ ..] = offers {
        codes.push(*code);
        offers = rest.get(usize::from(*len)..).unwrap_or(&[]);
    }
    codes
}

fn offer_of(code: u8, mut bytes: &[u8]) -> Option<&[u8]> {
    while let [found, len, rest @ ..] = bytes {
        let (offer, next) = rest.split_at_checked(usize::from(*len))?;
        if *found == code {
            return Some(offer);
        }
        bytes = next;
    }
    None
}

/// Why bytes did not get from or to a peer's memory.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Unreached {
    /// The peer's process has ended.
    Gone,
    /// Part of the range is not mapped.
    Fault,
    /// No link could; there may be none any more.
    ByNone,
}

/// The links to one peer's memory, one per component.
#[derive(Default)]
pub(crate) struct Links {
    /// The best first.
    links: Vec<(Means, Box<dyn Link>)>,
    /// Components that failed to connect or to copy, and why.
    refused: Vec<(&'static str, String)>,
    /// Links that failed; what they have mapped may be in use.
    retired: Vec<Box<dyn Link>>,
}

impl Links {
    pub(crate) fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// The component in use.
    pub(crate) fn best(&self) -> Option<Means> {
        self.links.first().map(|(means, _)| *means)
    }

    /// Whether the component in use needs regions.
    pub(crate) fn need_region(&self) -> bool {
        self.links
            .first()
            .is_some_and(|(_, link)| link.needs_region())
    }

    /// Copies between `local` and as many bytes of the peer, by the best link that can.
    pub(crate) fn copy(
        &mut self,
        direction: Direction,
        local: UserBuf,
        target: &Target,
    ) -> Result<(), Unreached> {
        let mut at = 0;
        while let Some((means, link)) = self.links.get_mut(at) {
            let name = means.name();
            match link.copy(direction, local, target) {
                Ok(()) => return Ok(()),
                Err(Failure::Gone) => return Err(Unreached::Gone),
                Err(Failure::Fault) => return Err(Unreached::Fault),
                Err(Failure::NotThis(why)) => {
                    log::debug!(target: "smsc", "{name} passes {} bytes on: {why}", local.len());
                    at += 1;
                }
                Err(Failure::Refused(why)) => {
                    log::info!(target: "smsc", "{name} does not work any more: {why}");
                    let (_, link) = self.links.remove(at);
                    self.refused.push((name, why));
                    self.retired.push(link);
                }
            }
        }
        Err(Unreached::ByNone)
    }

    /// Maps the peer's memory into this process, until `unmap`.
    pub(crate) fn map(&mut self, target: &Target, len: usize) -> Option<(UserBuf, u64)> {
        let mut links = self.links.iter_mut();
        links.find_map(|(_, link)| link.map(target, len))
    }

    pub(crate) fn unmap(&mut self, number: u64) {
        let links = self.links.iter_mut().map(|(_, link)| link);
        for link in links.chain(&mut self.retired) {
            link.unmap(number);
        }
    }

    /// Explains which component is used and why not the better ones, in one clause.
    pub(crate) fn explain(&self) -> String {
        let mut text = match self.links.first() {
            Some((means, _)) => means.name().to_string(),
            None => "none".to_string(),
        };
        for (at, (name, why)) in self.refused.iter().enumerate() {
            let separator = if at == 0 { " (" } else { "; " };
            text.push_str(&format!("{separator}{name}: {why}"));
        }
        if !self.refused.is_empty() {
            text.push(')');
        }
        text
    }
}
