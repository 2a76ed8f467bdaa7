//! The syntax of PMI-2: after a first line as in PMI-1, messages `cmd=NAME;key=value;...;` with
//! their length in front.
//!
//! A launcher may leave fields out of its replies: only rank and size are indispensable. An abort
//! has no field for the exit code.

use std::time::Duration;

use base::PeerId;

use super::link::Link;
use super::protocol::{count, JobInfo, Protocol};
use super::reply::{message, take_line, take_message, Reply};
use super::requests::{self, commands};
use crate::names::{Answer, Question};
use crate::spawn::{Spawn, PORT_KEY};
use crate::{Error, Launcher};

pub(super) const NAME: &str = "PMI-2";

/// Most characters of a value that every launcher accepts; the protocol allows 1024 with a null.
const VALUE_BYTES_MAX: usize = 1000;

/// A connection with PMI-2.
pub(super) struct Two {
    link: Link,
    /// The name of the job's space of keys.
    job: String,
}

impl Two {
    /// Opens the conversation; `job` is what the environment calls the job, which Slurm insists on.
    /// A connection that replies for another rank than `rank` is a stale one.
    pub(super) fn open(
        mut link: Link,
        rank: u32,
        job: Option<&str>,
    ) -> Result<(Two, JobInfo), Error> {
        link.send(b"cmd=init pmi_version=2 pmi_subversion=0\n")?;
        let line = link.receive(None, "init", take_line)?.unwrap_or_default();
        let reply = Reply::of_line(&line);
        if reply.get("cmd") != Some("response_to_init") {
            return Err(link.broken(format!("{line:?} in reply to init")));
        }
        if reply.rc() != 0 || reply.number("pmi_version") != Some(2) {
            return Err(refused("init", &reply));
        }
        let mut two = Two {
            link,
            job: String::new(),
        };
        let job_word = job.map_or(String::new(), |job| format!("pmijobid={job};"));
        let full = format!("cmd=fullinit;{job_word}pmirank={rank};threaded=FALSE;");
        let full = two.ask(&full, "fullinit-response")?;
        let assigned = count(full.number("rank"));
        if let Some(assigned) = assigned.filter(|assigned| *assigned != rank) {
            return Err(Error::Stale {
                variable: format!("PMI_RANK={rank}"),
                reason: format!("the launcher takes this process for rank {assigned}"),
            });
        }
        let id = two.ask("cmd=job-getid;", "job-getid-response")?;
        let id = id.get("jobid").or(job);
        two.job = id
            .ok_or_else(|| two.link.broken("no jobid".into()))?
            .to_string();
        let size = count(full.number("size"));
        let info = JobInfo {
            rank,
            size: size.ok_or_else(|| two.link.broken("no size in fullinit-response".into()))?,
            appnum: count(full.number("appnum")),
            universe_size: two.universe_size()?,
            mapping: two.attribute("PMI_process_mapping")?,
            parent: match full.get("spawner-jobid") {
                Some(_) => two.get(PORT_KEY, PeerId(0))?.as_deref().map(requests::text),
                None => None,
            },
        };
        Ok((two, info))
    }

    fn universe_size(&mut self) -> Result<Option<u32>, Error> {
        let size = self.attribute("universeSize")?;
        Ok(size.and_then(|size| size.parse().ok()).filter(|&n| n > 0))
    }

    /// An attribute of the job; `None` where the launcher knows none of that name.
    fn attribute(&mut self, name: &str) -> Result<Option<String>, Error> {
        self.send(&format!("cmd=info-getjobattr;key={name};"))?;
        let reply = self.receive_reply("info-getjobattr-response")?;
        Ok(found(&reply))
    }

    fn send(&mut self, text: &str) -> Result<(), Error> {
        self.link.send(&message(text))
    }

    /// Sends a request and awaits its reply, which must not be a refusal.
    fn ask(&mut self, request: &str, cmd: &'static str) -> Result<Reply, Error> {
        self.send(request)?;
        let reply = self.receive_reply(cmd)?;
        match reply.rc() {
            0 => Ok(reply),
            _ => Err(refused(cmd.trim_end_matches("-response"), &reply)),
        }
    }

    fn receive_reply(&mut self, cmd: &'static str) -> Result<Reply, Error> {
        loop {
            if let Some(reply) = self.poll_reply(cmd, None)? {
                return Ok(reply);
            }
        }
    }

    /// The next reply, which must be `cmd`; `None` when `wait` runs out.
    fn poll_reply(
        &mut self,
        cmd: &'static str,
        wait: Option<Duration>,
    ) -> Result<Option<Reply>, Error> {
        let Some(text) = self.link.receive(wait, cmd, take_message)? else {
            return Ok(None);
        };
        let reply = Reply::of_message(&text);
        match reply.get("cmd") == Some(cmd) {
            true => Ok(Some(reply)),
            false => {
                let detail = format!("{text:?} came where {cmd} was due");
                Err(self.link.broken(detail))
            }
        }
    }
}

/// Returns the value in a reply; a reply marks an absent value by its code, by `found`, or both.
fn found(reply: &Reply) -> Option<String> {
    let absent = reply
        .get("found")
        .is_some_and(|value| value.eq_ignore_ascii_case("false"));
    match reply.rc() == 0 && !absent {
        true => reply.get("value").map(str::to_string),
        false => None,
    }
}

fn refused(request: &str, reply: &Reply) -> Error {
    let reason = reply.get("errmsg").or(reply.get("msg"));
    Error::Refused {
        protocol: NAME,
        request: request.to_string(),
        reason: reason.unwrap_or("no reason given").to_string(),
    }
}

impl Protocol for Two {
    const NAME: &'static str = NAME;
    const LAUNCHER: Launcher = Launcher::Pmi2;

    fn room(&self, _widest: &str) -> usize {
        VALUE_BYTES_MAX
    }

    fn put(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let put = format!("cmd=kvs-put;key={key};value={value};");
        self.ask(&put, "kvs-put-response").map(drop)
    }

    fn get(&mut self, key: &str, writer: PeerId) -> Result<Option<String>, Error> {
        let (job, writer) = (&self.job, writer.0);
        let get = format!("cmd=kvs-get;jobid={job};srcid={writer};key={key};");
        self.send(&get)?;
        let reply = self.receive_reply("kvs-get-response")?;
        Ok(found(&reply))
    }

    fn spawn(&mut self, spawn: &Spawn, port: &str) -> Result<(), Error> {
        let commands = commands(spawn, NAME, &[';', '\0'])?;
        let mut text = format!(
            "cmd=spawn;ncmds={};preputcount=1;ppkey0={PORT_KEY};ppval0={};",
            commands.len(),
            requests::word(port)
        );
        for command in commands {
            text += &format!("subcmd={};maxprocs={};", command.program, command.count);
            text += &format!("argc={};", command.arguments.len());
            for (at, argument) in command.arguments.iter().enumerate() {
                text += &format!("argv{at}={argument};");
            }
            text += &format!("infokeycount={};", command.info.len());
            for (at, (key, value)) in command.info.iter().enumerate() {
                text += &format!("infokey{at}={key};infoval{at}={value};");
            }
        }
        self.ask(&text, "spawn-response").map(drop)
    }

    fn ask_names(&mut self, question: &Question) -> Result<Answer, Error> {
        let word = |text: &str| requests::word(text);
        let (request, cmd) = match question {
            Question::Publish { service, port } => (
                format!(
                    "cmd=name-publish;name={};port={};infokeycount=0;",
                    word(service),
                    word(port)
                ),
                "name-publish-response",
            ),
            Question::LookUp { service } => (
                format!("cmd=name-lookup;name={};infokeycount=0;", word(service)),
                "name-lookup-response",
            ),
            Question::Withdraw { service, .. } => (
                format!("cmd=name-unpublish;name={};infokeycount=0;", word(service)),
                "name-unpublish-response",
            ),
        };
        self.send(&request)?;
        let reply = self.receive_reply(cmd)?;
        let absent = reply
            .get("found")
            .is_some_and(|value| value.eq_ignore_ascii_case("false"));
        let port = reply.get("port").or(reply.get("value"));
        Ok(requests::answer(question, reply.rc() == 0 && !absent, port))
    }

    fn enter_fence(&mut self) -> Result<(), Error> {
        self.send("cmd=kvs-fence;")
    }

    fn fence_over(&mut self, wait: Option<Duration>) -> Result<bool, Error> {
        match self.poll_reply("kvs-fence-response", wait)? {
            None => Ok(false),
            Some(reply) if reply.rc() == 0 => Ok(true),
            Some(reply) => Err(refused("kvs-fence", &reply)),
        }
    }

    fn abort(&mut self, _code: i32, message: &str) -> Result<(), Error> {
        self.send(&format!("cmd=abort;isworld=TRUE;msg={message};"))
    }

    fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    fn finalize(&mut self) -> Result<(), Error> {
        self.ask("cmd=finalize;", "finalize-response").map(drop)
    }
}
