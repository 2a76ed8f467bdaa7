//! Barrier: inside to the leaders, among them, and back.

use std::sync::Arc;

use datatype::Buffer;
use memory::UserBuf;

use super::Nodes;
use crate::{Error, Port};

pub(crate) async fn barrier(port: &Port, nodes: &Arc<Nodes>) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    let (inside, team) = nodes.inside(port);
    crate::barrier::arrive(&inside, team).await?;
    between(port, nodes).await?;
    crate::bcast::binomial(&inside, team, 0, &empty).await
}

/// The step among the leaders, if this rank is one.
pub(super) async fn between(port: &Port, nodes: &Arc<Nodes>) -> Result<(), Error> {
    match nodes.parts(port, nodes.own_members()[0]).between {
        Some((between, team)) => crate::barrier::dissemination(&between, team).await,
        None => Ok(()),
    }
}
