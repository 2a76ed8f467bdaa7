//! Simulated launchers with PMI-2: a thread per rank around a key-value space.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{IntoRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Barrier};
use std::thread::{spawn, JoinHandle};

use base::Mutex;

use super::{Dialect, Environment};

/// Name of the job, which each request to Slurm has to repeat.
const JOB: &str = "24.0";

pub struct Pmi2Server {
    environments: Vec<Environment>,
    ranks: Vec<JoinHandle<Vec<String>>>,
}

struct Space {
    dialect: Dialect,
    size: u32,
    barrier: Barrier,
    pending: Mutex<HashMap<String, String>>,
    visible: Mutex<HashMap<String, String>>,
}

impl Pmi2Server {
    pub fn start(dialect: Dialect, size: u32) -> Pmi2Server {
        let space = Arc::new(Space {
            dialect,
            size,
            barrier: Barrier::new(size as usize),
            pending: Mutex::default(),
            visible: Mutex::default(),
        });
        let (mut environments, mut ranks) = (Vec::new(), Vec::new());
        for rank in 0..size {
            let (near, far) = UnixStream::pair().unwrap();
            let number = OwnedFd::from(near).into_raw_fd().to_string();
            environments.push(vec![
                ("PMI_FD", number),
                ("PMI_RANK", rank.to_string()),
                ("PMI_SIZE", size.to_string()),
                ("PMI_JOBID", JOB.to_string()),
            ]);
            let space = space.clone();
            ranks.push(spawn(move || space.serve(rank, far)));
        }
        Pmi2Server {
            environments,
            ranks,
        }
    }

    pub fn environments(&self) -> Vec<Environment> {
        self.environments.clone()
    }

    /// Returns the unusual requests.
    pub fn join(self) -> Vec<String> {
        let ranks = self.ranks.into_iter();
        ranks.flat_map(|rank| rank.join().unwrap()).collect()
    }
}

impl Space {
    fn serve(&self, rank: u32, mut far: UnixStream) -> Vec<String> {
        let mut reader = BufReader::new(far.try_clone().unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert_eq!(line, "cmd=init pmi_version=2 pmi_subversion=0\n");
        let hello = b"cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n";
        far.write_all(hello).unwrap();
        loop {
            let mut length = [0; 6];
            reader
                .read_exact(&mut length)
                .expect("a request, or `finalize` before");
            let length = std::str::from_utf8(&length).unwrap().trim();
            let mut text = vec![0; length.parse().unwrap()];
            reader.read_exact(&mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            if text.starts_with("cmd=abort;") {
                return vec![text];
            }
            let words: HashMap<&str, &str> = text
                .trim_end_matches(';')
                .split(';')
                .map(|word| word.split_once('=').expect("a pair"))
                .collect();
            let answer = self.answer(rank, words["cmd"], &words);
            // In two parts, with either padding.
            let message = match self.dialect {
                Dialect::Slurm => format!("{:<6}{answer}", answer.len()),
                _ => format!("{:>6}{answer}", answer.len()),
            };
            let (first, second) = message.split_at(message.len() / 2);
            far.write_all(first.as_bytes()).unwrap();
            std::thread::yield_now();
            far.write_all(second.as_bytes()).unwrap();
            if words["cmd"] == "finalize" {
                return Vec::new();
            }
        }
    }

    fn answer(&self, rank: u32, command: &str, words: &HashMap<&str, &str>) -> String {
        use Dialect::{Hydra5, Slurm};
        let d = self.dialect;
        match command {
            "fullinit" => {
                assert_eq!(words["pmirank"], rank.to_string());
                assert!(d != Slurm || words["pmijobid"] == JOB);
                let appnum = if d == Slurm { -1 } else { 0 };
                let more = match d {
                    Hydra5 => "",
                    _ => "pmi-version=2;pmi-subversion=0;debugged=FALSE;",
                };
                let size = self.size;
                format!("cmd=fullinit-response;rc=0;rank={rank};size={size};appnum={appnum};{more}")
            }
            "job-getid" => format!("cmd=job-getid-response;rc=0;jobid={JOB};"),
            "info-getjobattr" => {
                let found = self.attribute(words["key"]);
                let found = found.unwrap_or_else(|| self.absent());
                format!("cmd=info-getjobattr-response;{found}")
            }
            "kvs-put" => {
                assert!(words["key"].len() < 64 && words["value"].len() < 1024);
                let (key, value) = (words["key"].to_string(), words["value"].to_string());
                self.pending.lock().insert(key, value);
                "cmd=kvs-put-response;rc=0;".into()
            }
            "kvs-fence" => {
                if self.barrier.wait().is_leader() {
                    let pending = std::mem::take(&mut *self.pending.lock());
                    self.visible.lock().extend(pending);
                }
                self.barrier.wait();
                "cmd=kvs-fence-response;rc=0;".into()
            }
            "kvs-get" => {
                assert_eq!(words["jobid"], JOB);
                let found = match self.visible.lock().get(words["key"]) {
                    Some(value) => format!("rc=0;found=TRUE;value={value};"),
                    None => self.absent(),
                };
                format!("cmd=kvs-get-response;{found}")
            }
            "finalize" => "cmd=finalize-response;rc=0;".into(),
            other => panic!("{other}: an unknown command ends the job at a real server"),
        }
    }

    fn attribute(&self, name: &str) -> Option<String> {
        let value = match name {
            "PMI_process_mapping" => format!("(vector,(0,{},2))", self.size.div_ceil(2)),
            "universeSize" if self.dialect == Dialect::Hydra4 => self.size.to_string(),
            // Slurm knows no such name, and answers all that it does not know alike.
            "universeSize" if self.dialect == Dialect::Slurm => {
                "(node1,(eth0,IP_V4,10.77.0.1),(eth0,IP_V6,fd77::1))".into()
            }
            _ => return None,
        };
        Some(format!("rc=0;found=TRUE;value={value};"))
    }

    fn absent(&self) -> String {
        match self.dialect {
            Dialect::Hydra5 => "rc=1;".into(),
            _ => "found=FALSE;rc=0;".into(),
        }
    }
}
