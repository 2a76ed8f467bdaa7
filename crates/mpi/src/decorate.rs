//! Chooses a layer of the framework `vprotocol` to put over the point-to-point layer: none, unless
//! the user names some; of those the one with the highest priority.

use engine::{Decorate, Plain};
use mca::{Candidate, Choice, QueryReply, Registry};
use vprotocol_trace::Trace;

/// The components of the framework `vprotocol`.
pub(crate) const TABLE: [(&str, &str); 1] = [("trace", "counts and prints what passes")];
const NAMES: &[&str] = &mca::names(&TABLE);

/// Returns what puts the chosen layer over the point-to-point layer, and why it was chosen; nothing
/// where the user names none.
///
/// # Errors
/// When none of those named can serve.
pub(crate) fn choose(registry: &Registry) -> Result<Option<(Decorate, Choice)>, mca::Error> {
    if registry.list(vprotocol::NAME).is_empty() {
        return Ok(None);
    }
    let list = registry.components(vprotocol::NAME, NAMES)?;
    let candidates = vec![Candidate::new("trace", || {
        let prints = registry.int(vprotocol_trace::VERBOSE) > 0;
        let decorate: Decorate = Box::new(move |plain: Plain| Box::new(Trace::over(plain, prints)));
        Ok(QueryReply::Usable {
            priority: registry.int(vprotocol_trace::PRIORITY) as i32,
            module: decorate,
        })
    })];
    let (chosen, choice) = mca::select_one(vprotocol::NAME, &list, candidates)?;
    Ok(Some((chosen.module, choice)))
}
