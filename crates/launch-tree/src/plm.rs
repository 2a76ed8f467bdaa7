//! How daemons are started on other hosts: the framework `plm`.

pub mod agent;
mod settings;

pub use agent::{choose, leads_here, Agent, ARGUMENT};
pub use settings::Settings;
