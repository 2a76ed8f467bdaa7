//! Tests with a launcher for two ranks whose reply reaches rank 1 late: when that learns that a
//! fence is complete, rank 0 has already sent it a message. The launcher speaks PMI-1 over a port,
//! as far as ranks use it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

use xtask::shell::Job;

const RANKS: usize = 2;

/// How much later rank 1 learns of the end of a fence.
const LATE: Duration = Duration::from_millis(300);

/// How long the job may take, which has a handful of fences.
const LIMIT: Duration = Duration::from_secs(20);

/// State that the ranks share.
struct Board {
    values: Mutex<HashMap<String, String>>,
    fence: Barrier,
}

/// Runs `program` as both ranks. It should send something short and something long at once: what
/// waits behind a message that was not taken in is not taken in either.
pub fn run(program: &Path) -> Result<(), String> {
    let port = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    let address = port.local_addr().map_err(|error| error.to_string())?;
    let board = Arc::new(Board {
        values: Mutex::default(),
        fence: Barrier::new(RANKS),
    });
    // Nobody waits for these: a rank that fails may leave the other's in a fence for ever.
    thread::spawn(move || {
        for stream in port.incoming().take(RANKS).flatten() {
            let board = board.clone();
            thread::spawn(move || serve(stream, &board));
        }
    });
    thread::scope(|scope| {
        let ranks = [0, 1].map(|rank| {
            let job = Job::new(program).limit(LIMIT);
            let job = job.env("PMI_PORT", address.to_string());
            let job = job.env("PMI_ID", rank.to_string());
            scope.spawn(move || job.ok())
        });
        let ended = ranks.map(|rank| rank.join().expect("a job does not panic"));
        ended.into_iter().try_for_each(|outcome| outcome.map(drop))
    })
}

/// Replies to one rank until it hangs up.
fn serve(stream: TcpStream, board: &Board) {
    let mut rank = 0;
    let lines = BufReader::new(&stream).lines();
    for line in lines.map_while(Result::ok) {
        let words: HashMap<&str, &str> =
            line.split(' ').filter_map(|w| w.split_once('=')).collect();
        let word = |key: &str| words.get(key).copied().unwrap_or_default();
        if word("cmd") == "initack" {
            rank = word("pmiid").parse().unwrap_or(0);
        }
        let Some(answer) = answer(&word, rank, board) else {
            return;
        };
        if (&stream).write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn answer<'a>(word: &impl Fn(&str) -> &'a str, rank: usize, board: &Board) -> Option<String> {
    let text = match word("cmd") {
        "initack" => format!("initack rc=0 size={RANKS} rank={rank} debug=0"),
        "init" => "response_to_init rc=0 pmi_version=1 pmi_subversion=1".into(),
        "get_maxes" => "maxes kvsname_max=256 keylen_max=64 vallen_max=1024".into(),
        "get_appnum" => "appnum appnum=0".into(),
        "get_universe_size" => format!("universe_size size={RANKS}"),
        "get_my_kvsname" => "my_kvsname kvsname=tardy".into(),
        "put" => {
            let mut values = board.values.lock().ok()?;
            values.insert(word("key").into(), word("value").into());
            "put_result rc=0".into()
        }
        "get" => match board.values.lock().ok()?.get(word("key")) {
            Some(value) => format!("get_result rc=0 value={value}"),
            None => "get_result rc=-1 msg=no_such_key value=unknown".into(),
        },
        "barrier_in" => {
            board.fence.wait();
            thread::sleep(LATE * rank as u32);
            "barrier_out rc=0".into()
        }
        "finalize" => "finalize_ack rc=0".into(),
        _ => return None,
    };
    Some(format!("cmd={text}\n"))
}
