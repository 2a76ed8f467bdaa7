//! Tests of the program `mpirun`: jobs of shell scripts, and of ranks that connect to the launcher.
//!
//! A rank that speaks is this very test program, started again to run the one test
//! [`rank_program`], which does nothing unless `TEST_PART` says what to do.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use base::PeerId;
use bootstrap::Provider;

/// `mpirun` with these words; the last of them may be a script for `sh -c`.
fn mpirun(words: &[&str]) -> Command {
    // Whoever runs the tests in the background of a script has them ignore Ctrl-C, which
    // `mpirun` heeds; here it is as if a user had typed the command.
    let mut command = Command::new("env");
    command
        .arg("--default-signal")
        .arg(env!("CARGO_BIN_EXE_mpirun"));
    command.args(words).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if ["PMI", "OMPI", "MPI"]
            .iter()
            .any(|p| name.to_string_lossy().starts_with(p))
        {
            command.env_remove(name);
        }
    }
    command
}

fn run(words: &[&str]) -> Output {
    mpirun(words).output().expect("mpirun starts")
}

/// Runs `ranks` ranks of [`rank_program`] that play `part`.
fn play(ranks: u32, part: &str) -> Output {
    let own = std::env::current_exe().unwrap();
    let count = ranks.to_string();
    let words = [
        "-n",
        &count,
        own.to_str().unwrap(),
        "rank_program",
        "--exact",
        "--nocapture",
    ];
    mpirun(&words)
        .env("TEST_PART", part)
        .output()
        .expect("mpirun starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("mpirun exits by itself")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sorted_lines(bytes: &[u8]) -> Vec<String> {
    let mut lines: Vec<_> = text(bytes).lines().map(str::to_string).collect();
    lines.sort();
    lines
}

#[test]
fn rank_program() {
    let Ok(part) = std::env::var("TEST_PART") else {
        return;
    };
    let mut provider = bootstrap::connect_from_env().expect("a launcher");
    let (own, size) = (provider.identity().peer.0, provider.identity().size);
    assert_eq!(
        std::env::var("OMPI_COMM_WORLD_RANK").unwrap(),
        own.to_string()
    );
    match part.as_str() {
        "exchange" => {
            provider
                .publish("modex", format!("address of {own}").as_bytes())
                .unwrap();
            provider.fence().unwrap();
            for peer in 0..size {
                let seen = provider.fetch(PeerId(peer), "modex").unwrap();
                assert_eq!(seen, Some(format!("address of {peer}").into_bytes()));
            }
            provider.fence().unwrap();
            println!("rank {own} of {size} saw all");
            provider.finalize().unwrap();
        }
        "abort" => {
            provider.fence().unwrap();
            if own == 1 {
                provider.abort(42, "because", false).unwrap();
            }
            let _ = provider.fence();
        }
        "leave" => {
            provider.fence().unwrap();
            if own == 1 {
                std::process::exit(0);
            }
            let _ = provider.fence();
        }
        "witness" => witness(provider),
        "large" => {
            // More than a socket holds, both ways, from every rank at once.
            let value = vec![own as u8; 1 << 20];
            provider.publish("large", &value).unwrap();
            provider.fence().unwrap();
            for peer in 0..size {
                let seen = provider.fetch(PeerId(peer), "large").unwrap().unwrap();
                assert!(seen.len() == 1 << 20 && seen.iter().all(|&b| b == peer as u8));
            }
            provider.finalize().unwrap();
        }
        "fences" => {
            let start = Instant::now();
            for _ in 0..200 {
                provider.fence().unwrap();
            }
            println!("fence {:?}", start.elapsed() / 200);
            provider.finalize().unwrap();
        }
        other => panic!("no such part: {other}"),
    }
}

/// Rank 0 is killed; rank 1 sees it die and gives up at once.
fn witness(mut provider: Box<dyn Provider>) {
    let own = provider.identity().peer.0;
    let name = format!("oxmpi-witness-{:x}", provider.identity().job);
    let address = SocketAddr::from_abstract_name(name).unwrap();
    let listener = (own == 0).then(|| UnixListener::bind_addr(&address).unwrap());
    provider.fence().unwrap();
    if let Some(listener) = listener {
        let _connection = listener.accept().unwrap();
        send("KILL", std::process::id());
    }
    let mut stream = UnixStream::connect_addr(&address).unwrap();
    let _ = stream.read(&mut [0]);
    provider.abort(3, "lost a peer", true).unwrap();
    let _ = provider.fence();
}

#[test]
fn ranks_find_each_other() {
    for ranks in [1, 2, 5, 16] {
        let output = play(ranks, "exchange");
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let seen = text(&output.stdout).matches("saw all").count();
        assert_eq!(seen as u32, ranks);
    }
    for part in ["large", "fences"] {
        let output = play(4, part);
        assert_eq!(code(&output), 0, "{part}: {}", text(&output.stderr));
    }
}

/// `mpirun` refused what needs more descriptors than its hard limit allows. Here it may have 100,
/// which are enough for 12 ranks.
#[test]
fn ranks_beyond_the_descriptors_of_one_process_are_shared_by_several() {
    let limited = |words: &[&str]| {
        let mut command = Command::new("prlimit");
        command.args(["--nofile=100", env!("CARGO_BIN_EXE_mpirun")]);
        command.args(["--oversubscribe", "-n", "30"]).args(words);
        command.env("TEST_PART", "exchange").stdin(Stdio::null());
        command.output().unwrap()
    };
    let own = std::env::current_exe().unwrap();
    let part = ["rank_program", "--exact", "--nocapture"];
    let output = limited(&[&[own.to_str().unwrap()][..], &part].concat());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let saw = text(&output.stdout).matches("of 30 saw all").count();
    assert_eq!(saw, 30, "{output:?}");
    let script = "[ $OXMPI_RANK = 29 ] && kill -9 $$; sleep 100";
    let output = limited(&["sh", "-c", script]);
    let said = text(&output.stderr);
    assert_eq!(code(&output), 137, "{said}");
    assert!(said.starts_with("mpirun: rank 29 (pid "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_script_around_a_program_may_run_it_twice() {
    let own = std::env::current_exe().unwrap();
    let once = format!("{} rank_program --exact --nocapture", own.display());
    let script = format!("{once} && {once}");
    let output = mpirun(&["-n", "3", "sh", "-c", &script])
        .env("TEST_PART", "exchange")
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).matches("saw all").count(), 6);
}

#[test]
fn every_rank_knows_who_it_is() {
    let script = "echo $OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE $PMI_RANK/$PMI_SIZE \
                  $OMPI_COMM_WORLD_LOCAL_RANK/$OMPI_COMM_WORLD_LOCAL_SIZE $MPI_LOCALRANKID \
                  $OMPI_COMM_WORLD_NODE_RANK [$PMI_FD$PMI_PORT$PMIX_NAMESPACE]";
    let output = mpirun(&["-n", "3", "sh", "-c", script])
        .env("PMI_FD", "5")
        .env("PMIX_NAMESPACE", "outer")
        .output()
        .unwrap();
    let expected: Vec<_> = (0..3)
        .map(|r| format!("{r}/3 {r}/3 {r}/3 {r} {r} []"))
        .collect();
    assert_eq!((code(&output), sorted_lines(&output.stdout)), (0, expected));
}

#[test]
fn programs_parted_by_colons_make_one_job() {
    let show = "echo $0 $OMPI_COMM_WORLD_RANK $A $(pwd)";
    let output = run(&[
        "-genv", "A", "all", "-n", "2", "sh", "-c", show, "one", ":", "-x", "A=mine", "--wdir",
        "/", "-n", "1", "sh", "-c", show, "two",
    ]);
    let here = std::env::current_dir().unwrap();
    let one = |rank| format!("one {rank} all {}", here.display());
    let expected = vec![one(0), one(1), "two 2 mine /".to_string()];
    assert_eq!((code(&output), sorted_lines(&output.stdout)), (0, expected));
}

#[test]
fn parameters_reach_the_ranks() {
    let script = "env | grep OXMPI_MCA";
    let output = run(&["--mca", "btl", "tcp,self", "-n", "1", "sh", "-c", script]);
    assert_eq!(sorted_lines(&output.stdout), ["OXMPI_MCACMD_btl=tcp,self"]);
}

#[test]
fn mistakes_are_reported_in_one_line_and_nothing_is_started() {
    let place = std::env::temp_dir().join(format!("oxmpi-mpirun-{}", std::process::id()));
    let mark = place.display().to_string();
    let touch = format!("touch {mark}");
    let good = ["sh", "-c", &touch];
    let cases: [(&[&str], &str); 13] = [
        (&["-n", "0"], "-n"),
        (&["-n", "abc"], "\"abc\""),
        (&["-np", "-1"], "\"-1\""),
        (&["--no-such-option"], "--no-such-option"),
        (&["--tag-ouput"], "did you mean --tag-output"),
        (&["-n", "1", "no-such-program", ":"], "no-such-program"),
        (&["-n", "1", "./no-such-program", ":"], "no-such-program"),
        (&["-n", "1", "/etc/passwd", ":"], "not executable"),
        (&["-n", "1", "/", ":"], "directory"),
        (&["--wdir", "/no/such/place"], "/no/such/place"),
        (&["--timeout", "soon"], "\"soon\""),
        (&["--bind-to", "moon"], "\"moon\""),
        (&["--tune", "/no/such/file"], "/no/such/file"),
    ];
    for (words, part) in cases {
        let words: Vec<&str> = words.iter().chain(&good).copied().collect();
        let output = run(&words);
        let said = text(&output.stderr);
        assert_eq!(code(&output), 2, "{words:?}: {said}");
        assert!(
            said.starts_with("mpirun: ") && said.contains(part),
            "{words:?}: {said}"
        );
        assert_eq!(said.matches('\n').count(), 1, "{words:?}: one line: {said}");
        assert!(!place.exists(), "{words:?}: nothing is started");
    }
    assert_eq!(code(&run(&[])), 2);
    assert_eq!(code(&run(&["-n", "2"])), 2);
}

#[test]
fn an_unknown_host_is_reported_in_one_line() {
    let output = run(&["-H", "elsewhere.invalid", "sh", "-c", "echo started"]);
    let said = text(&output.stderr);
    assert_ne!(code(&output), 0, "{said}");
    assert!(
        said.starts_with("mpirun: cannot reach host elsewhere.invalid"),
        "{said}"
    );
    assert_eq!(said.matches('\n').count(), 1, "one line: {said}");
    assert_eq!(text(&output.stdout), "", "nothing is started");
}

#[test]
fn a_program_that_the_system_refuses_ends_the_whole_job() {
    // The first program starts; the second has an interpreter that does not exist.
    let place = std::env::temp_dir().join(format!("oxmpi-bad-{}", std::process::id()));
    fs::write(&place, "#!/no/such/interpreter\n").unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    let start = Instant::now();
    let output = run(&[
        "-n",
        "1",
        "sleep",
        "60",
        ":",
        "-n",
        "1",
        place.to_str().unwrap(),
    ]);
    fs::remove_file(&place).unwrap();
    assert_eq!(code(&output), 2);
    assert!(
        text(&output.stderr).contains("cannot start rank 1"),
        "{}",
        text(&output.stderr)
    );
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn the_first_failure_decides_the_code_and_ends_the_job_within_a_second() {
    let stubborn = "trap '' TERM INT; while :; do sleep 0.05; done";
    for (what, expected, words) in [
        ("exit 7", 7, "exited with code 7"),
        ("kill -SEGV $$", 139, "was killed by signal 11 (SIGSEGV)"),
        ("kill -KILL $$", 137, "was killed by signal 9 (SIGKILL)"),
        ("sh -c 'kill -ABRT $$'; exit $?", 134, "signal 6 (SIGABRT)"),
    ] {
        let script = format!("[ $PMI_RANK = 2 ] && {{ {what}; }}; {stubborn}");
        let once = || {
            let start = Instant::now();
            let output = run(&["-n", "4", "sh", "-c", &script]);
            let said = text(&output.stderr);
            assert_eq!(code(&output), expected, "{what}: {said}");
            let reports = said
                .lines()
                .filter(|line| line.starts_with("mpirun: "))
                .collect::<Vec<_>>();
            assert_eq!(reports.len(), 1, "{what}: {said}");
            assert!(
                reports[0].starts_with("mpirun: rank 2 (pid ") && reports[0].contains(words),
                "{said}"
            );
            start.elapsed()
        };
        // Half of the second is the time that ranks have to end by themselves: on a machine that is
        // busy with other tests the rest of it may not do, but not each time.
        let took: Vec<Duration> = (0..4)
            .map(|_| once())
            .take_while(|took| *took >= Duration::from_secs(1))
            .collect();
        assert!(took.len() < 4, "{what}: {took:?}");
    }
}

/// Linux shares a core among sessions, and a yield gives it to others of the session alone.
#[test]
fn ranks_have_sessions_of_their_own_unless_there_are_more_than_cores() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let sessions = |ranks: usize| {
        let script = "cut -d ' ' -f 6 /proc/$$/stat";
        let output = run(&["-n", &ranks.to_string(), "sh", "-c", script]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let said = text(&output.stdout);
        assert_eq!(said.lines().count(), ranks, "{said}");
        said.lines()
            .collect::<std::collections::BTreeSet<_>>()
            .len()
    };
    assert_eq!(sessions(cores), cores);
    assert_eq!(sessions(cores + 1), 1);
}

#[test]
fn an_abort_ends_the_job_with_its_code() {
    let start = Instant::now();
    let output = play(4, "abort");
    assert_eq!(code(&output), 42);
    let said = text(&output.stderr);
    assert!(said.contains("mpirun: rank 1 (pid "), "{said}");
    assert!(
        said.contains("called MPI_Abort with code 42: because"),
        "{said}"
    );
    assert!(start.elapsed() < Duration::from_secs(1));
}

/// Checks that the rank that dies is blamed, and not the one that notices it first.
#[test]
fn the_cause_is_reported_and_not_its_consequences() {
    for _ in 0..20 {
        let output = play(2, "witness");
        let said = text(&output.stderr);
        assert_eq!(code(&output), 137, "{said}");
        assert!(
            said.contains("rank 0 (pid ") && said.contains("signal 9 (SIGKILL)"),
            "{said}"
        );
        assert!(!said.contains("MPI_Abort"), "{said}");
    }
}

#[test]
fn leaving_the_others_waiting_is_a_failure() {
    let output = play(3, "leave");
    assert_eq!(code(&output), 1);
    let said = text(&output.stderr);
    assert!(
        said.contains("rank 1 (pid ") && said.contains("without MPI_Finalize"),
        "{said}"
    );

    let own = std::env::current_exe().unwrap();
    let script = format!(
        "[ $PMI_RANK = 0 ] || {} rank_program --exact",
        own.display()
    );
    let mut command = mpirun(&["-n", "2", "sh", "-c", &script]);
    let output = command.env("TEST_PART", "exchange").output().unwrap();
    assert_eq!(code(&output), 1);
    let said = text(&output.stderr);
    assert!(
        said.contains("rank 0 (pid ") && said.contains("others wait"),
        "{said}"
    );
}

#[test]
fn a_time_limit_ends_the_job() {
    for (words, variable) in [(&["--timeout", "0.3"][..], None), (&[], Some("0.3"))] {
        let words: Vec<&str> = words
            .iter()
            .chain(&["-n", "2", "sleep", "60"])
            .copied()
            .collect();
        let mut command = mpirun(&words);
        if let Some(limit) = variable {
            command.env("MPIEXEC_TIMEOUT", limit);
        }
        let start = Instant::now();
        let output = command.output().unwrap();
        assert_eq!(code(&output), 124);
        assert!(text(&output.stderr).contains("time limit of 0.3 s"));
        assert!((300..1300).contains(&(start.elapsed().as_millis() as u64)));
    }
}

#[test]
fn lines_stay_whole_and_have_their_tags() {
    // Each line is written in two halves; 8 ranks do so at the same time.
    let script = "i=0; while [ $i -lt 50 ]; do printf 'rank-%d-' $PMI_RANK; printf '%d.\\n' $i; \
                  i=$((i+1)); done";
    let mut expected: Vec<_> = (0..8)
        .flat_map(|r| (0..50).map(move |i| format!("rank-{r}-{i}.")))
        .collect();
    expected.sort();
    let output = run(&["-n", "8", "sh", "-c", script]);
    assert_eq!(sorted_lines(&output.stdout), expected);

    let output = run(&[
        "-n",
        "2",
        "--tag-output",
        "sh",
        "-c",
        "echo a; echo b >&2; printf c",
    ]);
    let out = [
        "[1,0]<stdout>:a",
        "[1,0]<stdout>:c",
        "[1,1]<stdout>:a",
        "[1,1]<stdout>:c",
    ];
    assert_eq!(sorted_lines(&output.stdout), out);
    assert_eq!(
        sorted_lines(&output.stderr),
        ["[1,0]<stderr>:b", "[1,1]<stderr>:b"]
    );
    for words in [["-l"], ["-prepend-rank"]] {
        let words: Vec<&str> = words
            .iter()
            .chain(&["-n", "2", "echo", "x"])
            .copied()
            .collect();
        assert_eq!(sorted_lines(&run(&words).stdout), ["[0] x", "[1] x"]);
    }
}

#[test]
fn much_output_arrives_whole_at_a_slow_reader() {
    let script = "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end >&2";
    let mut child = mpirun(&["-n", "3", "sh", "-c", script])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Let every buffer on the way fill up.
    std::thread::sleep(Duration::from_millis(300));
    let mut out = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(out.len(), 3 * 3_000_001);
}

#[test]
fn lines_stay_whole_at_a_slow_reader() {
    let mut child = mpirun(&["-n", "3", "seq", "1", "300000"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut out = vec![0; 1000];
    stdout.read_exact(&mut out).unwrap();
    // The ranks are held back for longer than an unfinished line waits for those that are silent.
    std::thread::sleep(Duration::from_millis(700));
    stdout.read_to_end(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut lines = sorted_lines(&out);
    lines.dedup();
    assert_eq!(lines.len(), 300_000);
    assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 900_000);
}

#[test]
fn the_standard_input_goes_to_one_rank() {
    let script = "echo $PMI_RANK: $(cat)";
    for (words, reader) in [
        (&[][..], 0),
        (&["--stdin", "2"], 2),
        (&["--stdin", "none"], 99),
    ] {
        let words: Vec<&str> = words
            .iter()
            .chain(&["-n", "3", "sh", "-c", script])
            .copied()
            .collect();
        let mut child = mpirun(&words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(b"from above\n")
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let line = |r| {
            if r == reader {
                format!("{r}: from above")
            } else {
                format!("{r}:")
            }
        };
        assert_eq!(
            sorted_lines(&output.stdout),
            (0..3).map(line).collect::<Vec<_>>()
        );
    }
}

/// Ranks are not in the foreground of the terminal, and still one of them can read from it.
#[test]
fn a_terminal_can_be_read() {
    let script = "read line; echo \"$PMI_RANK read [$line]\"";
    let job = format!("{} -n 2 sh -c '{script}'", env!("CARGO_BIN_EXE_mpirun"));
    let mut child = Command::new("script")
        .args(["-qec", &job, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script, of bsdutils, makes a terminal");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a line\n").unwrap();
    let mut out = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{out}");
    assert!(
        out.contains("0 read [a line]") && out.contains("1 read []"),
        "{out}"
    );
}

/// Starts a job and reads `lines` lines of its output.
fn start(words: &[&str], lines: usize) -> (Child, Vec<String>) {
    let mut child = mpirun(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut seen = Vec::new();
    for _ in 0..lines {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        seen.push(line.trim().to_string());
    }
    // The rest of the output goes on to be read, lest the job end of a broken pipe.
    std::thread::spawn(move || reader.read_to_end(&mut Vec::new()));
    (child, seen)
}

fn send(signal: &str, pid: u32) {
    let script = format!("kill -{signal} {pid}");
    assert!(Command::new("sh")
        .args(["-c", &script])
        .status()
        .unwrap()
        .success());
}

/// Waits at most a second for these processes to be gone or dead.
fn assert_gone(pids: &[String]) {
    let alive = |pid: &String| match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat
            .rsplit(')')
            .next()
            .unwrap_or("")
            .trim_start()
            .starts_with('Z'),
        Err(_) => false,
    };
    let until = Instant::now() + Duration::from_secs(1);
    while pids.iter().any(alive) {
        assert!(Instant::now() < until, "left over: {pids:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Prints its own process id and that of a child, and waits; neither heeds SIGHUP or SIGTERM.
const FAMILY: &str = "trap '' HUP TERM; sleep 300 & echo $$; echo $!; while :; do wait; done";

#[test]
fn no_process_outlives_the_job() {
    let (mut child, pids) = start(&["-n", "2", "sh", "-c", FAMILY], 4);
    send("TERM", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_gone(&pids);

    let failing = format!("[ $PMI_RANK = 1 ] && {{ sleep 0.3; exit 3; }}; {FAMILY}");
    let (mut child, pids) = start(&["-n", "2", "sh", "-c", &failing], 2);
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_gone(&pids);

    // A rank that ends well but leaves something behind.
    let (mut child, pids) = start(&["-n", "1", "sh", "-c", "sleep 300 & echo $!"], 1);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_gone(&pids);
}

#[test]
fn no_process_outlives_a_launcher_that_is_killed() {
    let (mut child, pids) = start(&["-n", "3", "sh", "-c", FAMILY], 6);
    let guards = children_of(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_gone(&pids);
    assert_gone(&guards);
}

fn children_of(pid: u32) -> Vec<String> {
    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().map(str::to_string).collect()
}

#[test]
fn ctrl_c_ends_the_job_and_a_second_one_at_once() {
    let polite = "trap 'echo saved; exit 0' TERM; echo ready; while :; do sleep 0.02; done";
    let mut command = mpirun(&["-n", "2", "sh", "-c", polite]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    for _ in 0..2 {
        reader.read_line(&mut line).unwrap();
    }
    send("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    reader.read_to_string(&mut line).unwrap();
    assert_eq!(line.matches("saved").count(), 2, "{line}");

    let stubborn = "trap '' TERM; echo ready; while :; do sleep 0.02; done";
    let (mut child, _) = start(&["-n", "2", "sh", "-c", stubborn], 2);
    let begun = Instant::now();
    send("INT", child.id());
    std::thread::sleep(Duration::from_millis(100));
    send("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(
        begun.elapsed() < Duration::from_millis(700),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn signals_are_passed_on() {
    let script = "trap 'echo got it; exit 0' USR1; trap 'exit 9' USR2; echo ready; \
                  while :; do sleep 0.02; done";
    let (mut child, _) = start(&["-n", "2", "sh", "-c", script], 2);
    send("USR1", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let (mut child, _) = start(&["-n", "2", "sh", "-c", script], 2);
    send("USR2", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(9));
}

#[test]
fn a_reader_that_goes_away_ends_the_job() {
    let begun = Instant::now();
    let mut child = mpirun(&["-n", "2", "yes"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 141, "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stderr),
        "",
        "as quiet as a pipeline of the shell"
    );
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[test]
fn ranks_can_be_bound() {
    let script = "grep Cpus_allowed_list /proc/self/status";
    let free = run(&["-n", "1", "sh", "-c", script]);
    let bound = run(&[
        "-n",
        "1",
        "--bind-to",
        "hwthread",
        "--report-bindings",
        "sh",
        "-c",
        script,
    ]);
    let list = text(&bound.stdout)
        .split_whitespace()
        .last()
        .unwrap()
        .to_string();
    assert!(list.parse::<usize>().is_ok(), "one processor: {list}");
    let report = text(&bound.stderr);
    assert!(report.contains("rank 0 bound to socket "), "{report}");
    assert_eq!(report.matches('B').count(), 1, "one processor: {report}");
    assert!(!text(&free.stdout).is_empty());
    let crowd = run(&["-n", "1000", "--bind-to", "core", "true"]);
    assert_eq!(code(&crowd), 0, "{}", text(&crowd.stderr));
}

#[test]
fn help_and_version_are_answered() {
    for (words, part) in [(["--help"], "--tag-output"), (["--version"], "oxmpi")] {
        let output = run(&words);
        assert_eq!(code(&output), 0);
        assert!(text(&output.stdout).contains(part));
    }
}

#[test]
fn nothing_is_left_on_disk_and_a_strange_tmpdir_does_not_matter() {
    let long = format!("/{}", "x".repeat(200));
    for tmpdir in [long.as_str(), "/no/such/place"] {
        let mut command = mpirun(&["-n", "2", "true"]);
        assert_eq!(
            command.env("TMPDIR", tmpdir).status().unwrap().code(),
            Some(0)
        );
    }
}
