//! The syntax of PMI-1: lines `cmd=NAME key=value ...`, one request and one reply at a time.

use std::time::Duration;

use base::PeerId;

use super::link::Link;
use super::protocol::{count, JobInfo, Protocol};
use super::reply::{take_line, Reply};
use super::requests::{self, commands};
use crate::names::{Answer, Question};
use crate::spawn::{Spawn, PORT_KEY};
use crate::{Error, Launcher};

pub(super) const NAME: &str = "PMI-1";

/// The longest line that all launchers take, with its newline (Slurm tears longer ones apart).
const LINE_BYTES_MAX: usize = 1024;

/// A connection with PMI-1.
pub(super) struct One {
    link: Link,
    kvsname: String,
    value_bytes_max: usize,
}

impl One {
    /// Opens the conversation on an inherited connection.
    pub(super) fn open(link: Link, rank: u32, size: u32) -> Result<(One, JobInfo), Error> {
        let mut one = One {
            link,
            kvsname: String::new(),
            value_bytes_max: 0,
        };
        one.ask(
            "cmd=init pmi_version=1 pmi_subversion=1",
            "response_to_init",
        )?;
        let maxes = one.ask("cmd=get_maxes", "maxes")?;
        one.value_bytes_max = maxes.number("vallen_max").unwrap_or(256).clamp(32, 4096) as usize;
        let appnum = one.ask("cmd=get_appnum", "appnum")?.number("appnum");
        let universe = one.ask("cmd=get_universe_size", "universe_size")?;
        let name = one.ask("cmd=get_my_kvsname", "my_kvsname")?;
        let name = name.get("kvsname");
        one.kvsname = name
            .ok_or_else(|| one.link.broken("no kvsname".into()))?
            .to_string();
        let info = JobInfo {
            rank,
            size,
            appnum: count(appnum),
            universe_size: count(universe.number("size")).filter(|&n| n > 0),
            mapping: one.get("PMI_process_mapping", PeerId(rank))?,
            parent: None,
        };
        Ok((one, info))
    }

    /// Returns the port of the process that has spawned this one, if that process has passed it.
    pub(super) fn parent(&mut self) -> Result<Option<String>, Error> {
        let port = self.get(PORT_KEY, PeerId(0))?;
        Ok(port.as_deref().map(requests::text))
    }

    /// Opens the conversation on a dialled connection: sends this process's number, and returns
    /// rank and size, which come in the reply or in `set` lines after it.
    pub(super) fn dialled(mut link: Link, id: u32) -> Result<(One, JobInfo), Error> {
        link.send(format!("cmd=initack pmiid={id}\n").as_bytes())?;
        let (mut rank, mut size) = (None, None);
        loop {
            let line = link
                .receive(None, "initack", take_line)?
                .unwrap_or_default();
            let reply = Reply::of_line(&line);
            if !matches!(reply.get("cmd"), Some("initack" | "set")) || reply.rc() != 0 {
                return Err(link.broken(format!("{line:?} in reply to initack")));
            }
            rank = rank.or(count(reply.number("rank")));
            size = size.or(count(reply.number("size")));
            if let (Some(rank), Some(size)) = (rank, size) {
                return One::open(link, rank, size);
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), Error> {
        self.link.send(format!("{line}\n").as_bytes())
    }

    /// Sends a request and awaits its reply, which must not be a refusal.
    fn ask(&mut self, request: &str, cmd: &'static str) -> Result<Reply, Error> {
        self.send(request)?;
        let reply = self.receive_reply(cmd)?;
        match reply.rc() {
            0 => Ok(reply),
            _ => Err(Error::Refused {
                protocol: NAME,
                request: cmd_of(request).to_string(),
                reason: reply.get("msg").unwrap_or("no reason given").to_string(),
            }),
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
        loop {
            let Some(line) = self.link.receive(wait, cmd, take_line)? else {
                return Ok(None);
            };
            let reply = Reply::of_line(&line);
            match reply.get("cmd") {
                Some(name) if name == cmd => return Ok(Some(reply)),
                // The rest of the opening: Hydra 5 sends all of it twice, in both forms.
                Some("set") => {}
                _ => {
                    let detail = format!("{line:?} came where {cmd} was due");
                    return Err(self.link.broken(detail));
                }
            }
        }
    }
}

/// The name of a request.
fn cmd_of(request: &str) -> &str {
    let word = request.split(' ').next().unwrap_or(request);
    word.trim_start_matches("cmd=")
}

/// How many characters of a value fit with this key in one line and in one value.
fn room(kvsname: &str, key: &str, value_bytes_max: usize) -> usize {
    let around = format!("cmd=put kvsname={kvsname} key={key} value=\n").len();
    // The limit of values counts a terminating zero at some launchers.
    LINE_BYTES_MAX
        .saturating_sub(around)
        .min(value_bytes_max.saturating_sub(1))
}

impl Protocol for One {
    const NAME: &'static str = NAME;
    const LAUNCHER: Launcher = Launcher::Pmi1;

    fn room(&self, widest: &str) -> usize {
        room(&self.kvsname, widest, self.value_bytes_max)
    }

    fn put(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let put = format!("cmd=put kvsname={} key={key} value={value}", self.kvsname);
        self.ask(&put, "put_result").map(drop)
    }

    fn get(&mut self, key: &str, _writer: PeerId) -> Result<Option<String>, Error> {
        self.send(&format!("cmd=get kvsname={} key={key}", self.kvsname))?;
        let reply = self.receive_reply("get_result")?;
        let found = reply.get("value").filter(|_| reply.rc() == 0);
        Ok(found.map(str::to_string))
    }

    fn spawn(&mut self, spawn: &Spawn, port: &str) -> Result<(), Error> {
        let commands = commands(spawn, NAME, &['\n', '\r', '\0'])?;
        let mut text = String::new();
        for (at, command) in commands.iter().enumerate() {
            let mut lines = vec![
                "mcmd=spawn".to_string(),
                format!("nprocs={}", command.count),
                format!("execname={}", command.program),
                format!("totspawns={}", commands.len()),
                format!("spawnssofar={}", at + 1),
                format!("argcnt={}", command.arguments.len()),
            ];
            let arguments = command.arguments.iter().zip(1..);
            lines.extend(arguments.map(|(argument, at)| format!("arg{at}={argument}")));
            // The keys of the first command are for all.
            match at {
                0 => lines.extend([
                    "preput_num=1".to_string(),
                    format!("preput_key_0={PORT_KEY}"),
                    format!("preput_val_0={}", requests::word(port)),
                ]),
                _ => lines.push("preput_num=0".to_string()),
            }
            lines.push(format!("info_num={}", command.info.len()));
            for (at, (key, value)) in command.info.iter().enumerate() {
                lines.push(format!("info_key_{at}={key}"));
                lines.push(format!("info_val_{at}={value}"));
            }
            lines.push("endcmd".to_string());
            text += &(lines.join("\n") + "\n");
        }
        self.link.send(text.as_bytes())?;
        let reply = self.receive_reply("spawn_result")?;
        match reply.rc() {
            0 => Ok(()),
            rc => Err(Error::Refused {
                protocol: NAME,
                request: "spawn".to_string(),
                reason: match reply.get("msg").or(reply.get("errmsg")) {
                    Some(text) => text.to_string(),
                    None => format!("code {rc}"),
                },
            }),
        }
    }

    fn ask_names(&mut self, question: &Question) -> Result<Answer, Error> {
        let word = |text: &str| requests::word(text);
        let (request, cmd) = match question {
            Question::Publish { service, port } => (
                format!(
                    "cmd=publish_name service={} port={}",
                    word(service),
                    word(port)
                ),
                "publish_result",
            ),
            Question::LookUp { service } => (
                format!("cmd=lookup_name service={}", word(service)),
                "lookup_result",
            ),
            Question::Withdraw { service, .. } => (
                format!("cmd=unpublish_name service={}", word(service)),
                "unpublish_result",
            ),
        };
        self.send(&request)?;
        let reply = self.receive_reply(cmd)?;
        // Slurm gives no code, but says so.
        let is_done = reply.rc() == 0 && reply.get("info").is_none_or(|info| info == "ok");
        Ok(requests::answer(question, is_done, reply.get("port")))
    }

    fn enter_fence(&mut self) -> Result<(), Error> {
        self.send("cmd=barrier_in")
    }

    fn fence_over(&mut self, wait: Option<Duration>) -> Result<bool, Error> {
        Ok(self.poll_reply("barrier_out", wait)?.is_some())
    }

    fn abort(&mut self, code: i32, message: &str) -> Result<(), Error> {
        self.send(&format!("cmd=abort exitcode={code} message={message}"))
    }

    fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    fn finalize(&mut self) -> Result<(), Error> {
        self.ask("cmd=finalize", "finalize_ack").map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::room;
    use crate::pmi::pieces;

    #[test]
    fn lines_stay_within_the_strictest_limit() {
        let name = "k".repeat(255);
        let room = room(&name, &pieces::key(100, 123_456, 9), 1024);
        let line = format!(
            "cmd=put kvsname={name} key=oxmpi-100-123456-9 value={}\n",
            "x".repeat(room)
        );
        assert_eq!(line.len(), 1024);
    }
}
