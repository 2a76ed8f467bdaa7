//! Agreement among the ranks of a foreign launcher on what it does not provide.
//!
//! Such a launcher provides no job secret: rank 0 draws one and publishes it, so it is as secret as
//! the launcher's key-value space. If the launcher does not report which ranks share a node, all
//! ranks exchange the names of their hosts.

use std::collections::HashMap;

use base::PeerId;

use crate::{fd, Error, Identity, Provider, Secret};

/// The key of what rank 0 makes up for the job: its number and its secret.
const JOB_KEY: &str = "oxmpi.job";

/// The key of what each rank calls its host.
const HOST_KEY: &str = "oxmpi.host";

/// The result of the agreement.
pub(crate) struct Agreed {
    job: u64,
    secret: Secret,
    nodes: Option<Vec<u32>>,
}

impl Agreed {
    /// Fills in what was open in `identity`.
    pub(crate) fn complete(self, identity: &mut Identity) {
        identity.job = self.job;
        identity.secret = self.secret;
        if let Some(nodes) = self.nodes {
            identity.nodes = nodes;
        }
    }
}

/// Runs the first fence over `provider`, whose identity has only rank and size. With `hosts` it
/// also finds out the nodes.
pub(crate) fn agree(
    provider: &mut dyn Provider,
    protocol: &'static str,
    hosts: bool,
) -> Result<Agreed, Error> {
    if provider.identity().peer == PeerId(0) {
        let mut made = [0; 40];
        let random = Error::system("asking the system for random numbers");
        fd::fill_random(&mut made).map_err(random)?;
        provider.publish(JOB_KEY, &made)?;
    }
    if hosts {
        provider.publish(HOST_KEY, host().as_bytes())?;
    }
    provider.fence()?;
    let made = provider.fetch(PeerId(0), JOB_KEY)?;
    let made: Option<[u8; 40]> = made.and_then(|made| made.try_into().ok());
    let made = made.ok_or_else(|| Error::Protocol {
        protocol,
        detail: "rank 0 published no job secret: it runs another MPI library".into(),
    })?;
    let (job, secret) = made.split_at(8);
    Ok(Agreed {
        job: u64::from_le_bytes(job.try_into().expect("8 bytes")),
        secret: Secret(secret.try_into().expect("32 bytes")),
        nodes: match hosts {
            true => Some(nodes_by_host(provider)?),
            false => None,
        },
    })
}

fn nodes_by_host(provider: &mut dyn Provider) -> Result<Vec<u32>, Error> {
    let size = provider.identity().size;
    let hosts: Result<Vec<_>, Error> = (0..size)
        .map(|peer| provider.fetch(PeerId(peer), HOST_KEY))
        .collect();
    Ok(number(hosts?))
}

/// Numbers what `hosts` names in the order in which the names come.
pub(crate) fn number<T: std::hash::Hash + Eq>(hosts: Vec<T>) -> Vec<u32> {
    let mut seen = HashMap::new();
    let numbered = hosts.into_iter().map(|host| {
        let next = seen.len() as u32;
        *seen.entry(host).or_insert(next)
    });
    numbered.collect()
}

/// Returns what distinguishes this machine, as its processes see it, from others.
fn host() -> String {
    // Without a boot id, the name has to do.
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    format!("{name} {}", boot.trim())
}
