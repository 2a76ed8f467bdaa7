//! Published names: how a process finds the port of another job (MPI 5.0, 11.9.4).
//!
//! Without a name server a name is a memory file of the process that published it ([`memfile`]):
//! the user's other processes on the host find it, nobody else can, and it ends with the process,
//! however that ends. With `mpi_name_server file:PATH` names are lines of a file ([`list`]), which
//! processes of several hosts may share.

mod list;
mod memfile;
mod service;

use std::path::PathBuf;

use crate::process::{lock, Process};
use crate::{Class, Error, Info};
use service::Service;
pub(crate) use service::{Published, SERVER};

/// Open MPI's info key: whether a name is known beyond the own job.
const GLOBAL_KEY: &str = "ompi_global_scope";

/// Most bytes of a service's name.
const NAME_BYTES_MAX: usize = 4096;

/// Where names are.
enum Place {
    Memory,
    File(PathBuf),
}

impl Process {
    /// Publishes the name of a port under the name of a service (MPI 5.0, 11.9.4,
    /// MPI_Publish_name).
    ///
    /// # Errors
    /// `Service` when the name is published already; `Arg` when it is too long.
    pub fn publish_name(&self, name: &str, info: &Info, port: &str) -> Result<(), Error> {
        let service = self.service(name, is_global(info)?.unwrap_or(true))?;
        let published = match self.names_place()? {
            Place::File(path) => list::publish(&path, &service, port),
            Place::Memory => memfile::publish(&service, port).map(|file| {
                if let Some(file) = file {
                    lock(&self.names).push((service, file));
                    return true;
                }
                false
            }),
        };
        match published {
            Ok(true) => Ok(()),
            Ok(false) => Err(taken(name)),
            Err(why) => Err(unusable(&why)),
        }
    }

    /// Returns the name of the port that was published under the name of a service.
    ///
    /// # Errors
    /// `Name` when there is no such service.
    pub fn lookup_name(&self, name: &str, info: &Info) -> Result<String, Error> {
        let wanted = is_global(info)?;
        let place = self.names_place()?;
        let scopes = [false, true];
        for is_global in scopes
            .into_iter()
            .filter(|scope| wanted.unwrap_or(*scope) == *scope)
        {
            let service = self.service(name, is_global)?;
            let found = match &place {
                Place::File(path) => list::look_up(path, &service),
                Place::Memory => memfile::look_up(&service),
            };
            if let Some(port) = found.map_err(|why| unusable(&why))? {
                return Ok(port);
            }
        }
        let text = format!("no process has published `{name}`");
        Err(Error::new(Class::Name, text))
    }

    /// Withdraws the name of a service that this process has published.
    ///
    /// # Errors
    /// `Service` when it has published no such name, or another port under it.
    pub fn unpublish_name(&self, name: &str, info: &Info, port: &str) -> Result<(), Error> {
        let wanted = is_global(info)?;
        let scopes = [true, false];
        for is_global in scopes
            .into_iter()
            .filter(|scope| wanted.unwrap_or(*scope) == *scope)
        {
            let service = self.service(name, is_global)?;
            let removed = match self.names_place()? {
                Place::File(path) => list::remove(&path, &service, port),
                Place::Memory => Ok(self.withdraw(&service, port)),
            };
            if removed.map_err(|why| unusable(&why))? {
                return Ok(());
            }
        }
        let text = format!("this process has not published `{name}` with that port");
        Err(Error::new(Class::Service, text))
    }

    fn withdraw(&self, service: &Service, port: &str) -> bool {
        let mut names = lock(&self.names);
        let before = names.len();
        names.retain(|(own, file)| own != service || !memfile::is_of(file, service, port));
        names.len() < before
    }

    /// Withdraws all names of this process, which ends.
    pub(crate) fn withdraw_names(&self) {
        lock(&self.names).clear();
        if let Ok(Place::File(path)) = self.names_place() {
            list::remove_own(&path);
        }
    }

    fn service(&self, name: &str, is_global: bool) -> Result<Service, Error> {
        if name.len() > NAME_BYTES_MAX {
            let len = name.len();
            let text = format!("a service name of {len} bytes, {NAME_BYTES_MAX} are allowed");
            return Err(Error::new(Class::Arg, text));
        }
        Ok(Service {
            name: name.to_string(),
            job: (!is_global).then_some(self.identity.job),
        })
    }

    fn names_place(&self) -> Result<Place, Error> {
        let server = self.registry.text(SERVER);
        match server.split_once(':') {
            None if server.is_empty() => Ok(Place::Memory),
            Some(("file", path)) if !path.is_empty() => Ok(Place::File(path.into())),
            _ => {
                let text = format!("{SERVER}: `{server}` is not file:PATH");
                Err(Error::new(Class::Service, text))
            }
        }
    }
}

/// The scope that an info object names; `None` where it does not.
fn is_global(info: &Info) -> Result<Option<bool>, Error> {
    match info.get(GLOBAL_KEY)? {
        None => Ok(None),
        Some("true" | "yes" | "1") => Ok(Some(true)),
        Some("false" | "no" | "0") => Ok(Some(false)),
        Some(value) => {
            let text = format!("info key {GLOBAL_KEY}: `{value}` is neither true nor false");
            Err(Error::new(Class::InfoValue, text))
        }
    }
}

fn taken(name: &str) -> Error {
    let text = format!("`{name}` is published already");
    Error::new(Class::Service, text)
}

fn unusable(why: &std::io::Error) -> Error {
    Error::new(Class::Service, format!("names cannot be reached: {why}"))
}
