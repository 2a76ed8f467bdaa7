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
//! A process opens those that the parameters allow and the machine has ([`Smsc::open`]), and puts
//! the offer of each into its address. A peer that is introduced connects by each component that
//! both have: **every connection reads 8 bytes of the peer and compares them**, so a denied access
//! is found here and not with a user's message. The result is the pair's
//! [`Links`], best first. What is allowed differs per process, so the two directions of a pair
//! may use different components.
//!
//! A link that fails later is given up, and the next one repeats the copy from its beginning. When
//! none is left, the layers above learn from an error that the memory is unreachable, and send in
//! pieces.

mod cma;
mod component;
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

use base::tool_event::{self, ToolEvent};
use base::Registrations;
use btl::{Access, Error};
use mca::{Candidate, Choice, Framework, QueryReply, Verdict};
use memory::UserBuf;
use shm::Direction;

pub use component::Caching;
use component::{Component, Failure, Link, Region};
pub(crate) use component::{Mechanism, Opening, Peer, Settings, Target};
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

/// The components, and how each is opened.
const TABLE: [(Mechanism, OpenFunction); Mechanism::COUNT] = [
    (Mechanism::Xpmem, xpmem::open),
    (Mechanism::Cma, cma::open),
    (Mechanism::Knem, knem::open),
];

type OpenFunction = fn(&Opening<'_>) -> Result<Box<dyn Component>, String>;

struct OpenComponent {
    mechanism: Mechanism,
    component: Box<dyn Component>,
}

/// The components that this process has open.
pub(crate) struct Smsc {
    /// The best first.
    opened: Vec<OpenComponent>,
    choice: Choice,
    /// Whether a link of this process needs regions, so that its peers' most likely do too.
    needs_region: bool,
}

impl Smsc {
    /// Opens what is wanted and can be had.
    pub(crate) fn open(opening: &Opening<'_>) -> Smsc {
        let candidates = TABLE.into_iter().zip(opening.settings.priorities);
        let candidates = candidates.map(|((mechanism, open), priority)| {
            Candidate::new(mechanism.name(), move || {
                if let Some(why) = &opening.settings.off {
                    return Ok(QueryReply::Declines(why.clone()));
                }
                if priority < 0 {
                    return Ok(QueryReply::Declines("its priority is negative".into()));
                }
                Ok(match open(opening) {
                    Ok(component) => QueryReply::Usable {
                        priority,
                        module: (mechanism, component),
                    },
                    Err(why) => QueryReply::Declines(why),
                })
            })
        });
        let wanted = &opening.settings.wanted;
        let (selected, mut choice) =
            match mca::select_all(Framework::Smsc, wanted, candidates.collect()) {
                Ok(selection) => selection,
                Err(mca::Error::NoneUsable(choice)) => (Vec::new(), choice),
                Err(_) => unreachable!("a selection fails only for want of candidates"),
            };
        if choice.winners.is_empty() {
            choice.winners = vec!["none"];
        }
        for (name, verdict) in &choice.considered {
            if let (true, Verdict::Declined(why)) = (wanted.demands(name), verdict) {
                Framework::Smsc.warn(format_args!("{name} is not used: {why}"));
            }
        }
        let opened = selected.into_iter().map(|one| OpenComponent {
            mechanism: one.module.0,
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

    /// Returns the counts of the caches of registered memory.
    pub(crate) fn registrations(&self) -> impl Iterator<Item = &Arc<Registrations>> {
        let opened = self.opened.iter();
        opened.filter_map(|one| one.component.registrations())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.opened.is_empty()
    }

    /// Demands a component that a parameter names.
    ///
    /// # Errors
    /// When it is not open, with the reason and those that are.
    pub(crate) fn demand(&self, mechanism: Mechanism) -> Result<(), Error> {
        if self.opened.iter().any(|one| one.mechanism == mechanism) {
            return Ok(());
        }
        let name = mechanism.name();
        let considered = &self.choice.considered;
        let verdict = considered.iter().find(|(known, _)| *known == name);
        let why = verdict.map_or_else(String::new, |(_, verdict)| verdict.to_string());
        let there = self.opened.iter().map(|one| one.mechanism.name());
        let there: Vec<&str> = there.chain(["none"]).collect();
        Err(Error::Resource {
            what: format!("single copies by `{name}` (btl_sm_single_copy_mechanism)"),
            why: format!("{why}; available: {}", there.join(", ")),
        })
    }

    /// Encodes the components' offers for the address: for each its code, a length and the bytes.
    pub(crate) fn offers(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for one in &self.opened {
            let offer = one.component.offer();
            bytes.extend([one.mechanism as u8, offer.len() as u8]);
            bytes.extend(offer);
        }
        bytes
    }

    /// Connects with a peer by every component that both have.
    pub(crate) fn connect(&mut self, peer: &Peer, offers: &[u8]) -> Links {
        let mut links = Links::default();
        for one in &mut self.opened {
            let link = match offer_of(one.mechanism as u8, offers) {
                Some(offer) => one.component.connect(peer, offer),
                None => Err("the peer does not have it open".into()),
            };
            match link {
                Ok(link) => links.links.push((one.mechanism, link)),
                Err(why) => links.refused.push((one.mechanism.name(), why)),
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
    /// All links have failed; there may be none any more.
    ByNone,
}

/// The links to one peer's memory, one per component.
#[derive(Default)]
pub(crate) struct Links {
    /// The best first.
    links: Vec<(Mechanism, Box<dyn Link>)>,
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
    pub(crate) fn best(&self) -> Option<Mechanism> {
        self.links.first().map(|(mechanism, _)| *mechanism)
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
        while let Some((mechanism, link)) = self.links.get_mut(at) {
            let name = mechanism.name();
            match link.copy(direction, local, target) {
                Ok(()) => return Ok(()),
                Err(Failure::Gone) => return Err(Unreached::Gone),
                Err(Failure::Fault) => return Err(Unreached::Fault),
                Err(Failure::NotThis(why)) => {
                    Framework::Smsc.debug(format_args!(
                        "{name} passes {} bytes on: {why}",
                        local.len()
                    ));
                    at += 1;
                }
                Err(Failure::Refused(why)) => {
                    Framework::Smsc.info(format_args!("{name} does not work any more: {why}"));
                    tool_event::raise(|| ToolEvent::GivenUp(name));
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
            Some((mechanism, _)) => mechanism.name().to_string(),
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
