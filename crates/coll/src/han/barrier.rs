//! Barrier: inside to the leaders, among them, and back.

use std::sync::Arc;

use datatype::Buffer;
use memory::UserBuf;

use super::Nodes;
use crate::{Error, Port};

pub(crate) async fn barrier(port: &Port, nodes: &Arc<Nodes>) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    let parts = nodes.parts(port, nodes.own_members()[0]);
    let (inside, team) = &parts.inside;
    crate::barrier::arrive(inside, *team).await?;
    if let Some((between, team)) = &parts.between {
        crate::barrier::dissemination(between, *team).await?;
    }
    crate::bcast::binomial(inside, *team, 0, &empty).await
}
