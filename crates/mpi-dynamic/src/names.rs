//! Published names: how a process finds the port of another job (MPI 5.0, 11.9.4).
//!
//! The job's launcher keeps the names that its processes publish, for all of them on all hosts. A
//! name for the user's other jobs is moreover a memory file of the process that published it
//! ([`memfile`]): the user's other processes on the host find it, nobody else can, and it ends with
//! the process, however that ends. `mpi_name_server` says where jobs on several hosts keep such
//! names instead: at a name server (`HOST:PORT`, or a file with its URI), or as lines of a file
//! ([`list`]).

mod list;
mod memfile;
mod service;

use bootstrap::names::{Answer, NameStore, Question, Server, NAMES_BYTES_MAX};
use bootstrap::port::PortName;
use mca::Framework;

use mpi::Process;
use mpi::{Class, Error, Info};
use mpi_components::params::NAME_SERVER as SERVER;
pub(crate) use service::Published;
use service::Service;

/// Open MPI's info key: whether a name is known beyond the own job.
const GLOBAL_KEY: &str = "ompi_global_scope";

/// Most bytes of a service's name.
const NAME_BYTES_MAX: usize = 4096;

/// The names that this process has published.
#[derive(Default)]
struct Names(Published);

impl mpi::Service<Process> for Names {
    /// Withdraws all of them.
    fn end(&self, process: &Process) {
        let held = std::mem::take(&mut *self.0.lock());
        for (service, port) in held.at_launcher {
            // A launcher that is gone keeps no names.
            let _ = ask_launcher(process, &Question::Withdraw { service, port });
        }
        if let Ok(NameStore::File(path)) = NameStore::parse(process.registry.text(SERVER)) {
            list::remove_own(&path);
        }
    }
}

/// Publishes the name of a port under the name of a service (MPI 5.0, 11.9.4,
/// MPI_Publish_name).
///
/// # Errors
/// `Service` when the name is published already, or there is no name server; `Arg` when it is too
/// long.
pub fn publish_name(process: &Process, name: &str, info: &Info, port: &str) -> Result<(), Error> {
    if name.len() + port.len() > NAMES_BYTES_MAX - "user:".len() {
        let text = format!("a port name of {} bytes cannot be published", port.len());
        return Err(Error::new(Class::Arg, text));
    }
    let service = service_of(process, name, is_global(info)?.unwrap_or(true))?;
    // Whatever keeps the name, it is withdrawn when this process ends.
    let held = process.service::<Names>();
    let is_published = match names_place(process, &service)? {
        NameStore::File(path) => list::publish(&path, &service, port).map_err(unusable)?,
        NameStore::Server(server) => {
            let question = publish(&service, port);
            let is_done = ask_server(process, &server, &question)? == Answer::Done;
            held.0.lock().at_server += usize::from(is_done);
            is_done
        }
        NameStore::Default => publish_here(process, &service, port)?,
    };
    match is_published {
        true => Ok(()),
        false => Err(taken(name)),
    }
}

/// Publishes a name at the launcher, and for other jobs as a memory file. False when it is
/// published already.
fn publish_here(process: &Process, service: &Service, port: &str) -> Result<bool, Error> {
    let answer = ask_launcher(process, &publish(service, port))?;
    match answer {
        Some(Answer::Done) => {}
        Some(_) => return Ok(false),
        None => return publish_file(process, service, port),
    }
    let is_published = match service.job {
        Some(_) => Ok(true),
        None => publish_file(process, service, port),
    };
    let own = (service.at_launcher(), port.to_string());
    match is_published {
        Ok(true) => process.service::<Names>().0.lock().at_launcher.push(own),
        Ok(false) | Err(_) => {
            ask_launcher(process, &withdraw(service, port))?;
        }
    }
    is_published
}

fn publish_file(process: &Process, service: &Service, port: &str) -> Result<bool, Error> {
    let file = memfile::publish(service, port).map_err(unusable)?;
    let is_published = file.is_some();
    let own = file.map(|file| (service.clone(), file));
    process.service::<Names>().0.lock().files.extend(own);
    Ok(is_published)
}

/// Returns the name of the port that was published under the name of a service.
///
/// # Errors
/// `Name` when there is no such service.
pub fn lookup_name(process: &Process, name: &str, info: &Info) -> Result<String, Error> {
    let wanted = is_global(info)?;
    let scopes = [false, true];
    for is_global in scopes
        .into_iter()
        .filter(|scope| wanted.unwrap_or(*scope) == *scope)
    {
        let service = service_of(process, name, is_global)?;
        let found = match names_place(process, &service)? {
            NameStore::File(path) => list::look_up(&path, &service).map_err(unusable)?,
            NameStore::Server(server) => found(ask_server(process, &server, &look_up(&service))?),
            NameStore::Default => look_up_here(process, &service)?,
        };
        if let Some(port) = found {
            return Ok(port);
        }
    }
    let text = format!("no process has published `{name}`");
    Err(Error::new(Class::Name, text))
}

fn look_up_here(process: &Process, service: &Service) -> Result<Option<String>, Error> {
    let answer = ask_launcher(process, &look_up(service))?;
    let is_all = answer.is_some() && service.job.is_some();
    match answer.and_then(found) {
        None if !is_all => memfile::look_up(service).map_err(unusable),
        found => Ok(found),
    }
}

/// Withdraws the name of a service that this process has published.
///
/// # Errors
/// `Service` when it has published no such name, or another port under it.
pub fn unpublish_name(process: &Process, name: &str, info: &Info, port: &str) -> Result<(), Error> {
    let wanted = is_global(info)?;
    let scopes = [true, false];
    for is_global in scopes
        .into_iter()
        .filter(|scope| wanted.unwrap_or(*scope) == *scope)
    {
        let service = service_of(process, name, is_global)?;
        let is_removed = match names_place(process, &service)? {
            NameStore::File(path) => list::remove(&path, &service, port).map_err(unusable)?,
            NameStore::Server(server) => withdraw_from(process, &server, &service, port)?,
            NameStore::Default => withdraw_here(process, &service, port)?,
        };
        if is_removed {
            return Ok(());
        }
    }
    let text = format!("this process has not published `{name}` with that port");
    Err(Error::new(Class::Service, text))
}

fn withdraw_here(process: &Process, service: &Service, port: &str) -> Result<bool, Error> {
    let (own, before);
    {
        let held = process.service::<Names>();
        let mut names = held.0.lock();
        let files = &mut names.files;
        before = files.len();
        files.retain(|(own, file)| own != service || !memfile::is_of(file, service, port));
        let is_fewer = files.len() < before;
        let at = (service.at_launcher(), port.to_string());
        let at = names.at_launcher.iter().position(|own| *own == at);
        own = at.map(|at| names.at_launcher.swap_remove(at));
        if own.is_none() {
            return Ok(is_fewer);
        }
    }
    ask_launcher(process, &withdraw(service, port))?;
    Ok(true)
}

fn withdraw_from(
    process: &Process,
    server: &PortName,
    service: &Service,
    port: &str,
) -> Result<bool, Error> {
    if process.service::<Names>().0.lock().at_server == 0 {
        return Ok(false);
    }
    let is_removed = ask_server(process, server, &withdraw(service, port))? == Answer::Done;
    let held = process.service::<Names>();
    let mut names = held.0.lock();
    names.at_server -= usize::from(is_removed);
    if names.at_server == 0 {
        names.server = None;
    }
    Ok(is_removed)
}

fn service_of(process: &Process, name: &str, is_global: bool) -> Result<Service, Error> {
    if name.len() > NAME_BYTES_MAX {
        let len = name.len();
        let text =
            format!("the service name has {len} bytes; at most {NAME_BYTES_MAX} are allowed");
        return Err(Error::new(Class::Arg, text));
    }
    Ok(Service {
        name: name.to_string(),
        job: (!is_global).then_some(process.identity.job),
    })
}

/// Returns where a name is kept: a server or a file is for names that other jobs may find.
fn names_place(process: &Process, service: &Service) -> Result<NameStore, Error> {
    if service.job.is_some() {
        return Ok(NameStore::Default);
    }
    let place = NameStore::parse(process.registry.text(SERVER));
    place.map_err(|why| Error::new(Class::Service, format!("{SERVER}: {why}")))
}

fn ask_launcher(process: &Process, question: &Question) -> Result<Option<Answer>, Error> {
    let answer = process
        .launcher()
        .ask(|provider| provider.ask_names(question));
    answer.map_err(|error| Error::new(Class::Service, error.text))
}

/// Asks the name server. The connection stays while it holds names of this process.
fn ask_server(process: &Process, place: &PortName, question: &Question) -> Result<Answer, Error> {
    let held = process.service::<Names>();
    let mut names = held.0.lock();
    let refused = |why: String| Error::new(Class::Service, format!("{SERVER}: {why}"));
    if let Some(server) = &mut names.server {
        match server.ask(question) {
            Ok(answer) => return Ok(answer),
            // The server has ended, and the names with it; there may be another one.
            Err(why) => Framework::Mpi.info(format_args!("the name server is lost: {why}")),
        }
        (names.server, names.at_server) = (None, 0);
    }
    let mut server = Server::connect(place).map_err(refused)?;
    let answer = server.ask(question);
    let answer = answer.map_err(|why| refused(format!("the name server is lost: {why}")))?;
    if matches!(question, Question::Publish { .. }) && answer == Answer::Done {
        names.server = Some(server);
    }
    Ok(answer)
}

fn publish(service: &Service, port: &str) -> Question {
    Question::Publish {
        service: service.at_launcher(),
        port: port.to_string(),
    }
}

fn look_up(service: &Service) -> Question {
    Question::LookUp {
        service: service.at_launcher(),
    }
}

fn withdraw(service: &Service, port: &str) -> Question {
    Question::Withdraw {
        service: service.at_launcher(),
        port: port.to_string(),
    }
}

fn found(answer: Answer) -> Option<String> {
    match answer {
        Answer::Found(port) => Some(port),
        _ => None,
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

fn unusable(why: std::io::Error) -> Error {
    Error::new(Class::Service, format!("names cannot be reached: {why}"))
}
