//! The control connection between the two sides, beside the measured network: lines of text.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Error;

/// Longest line that the other side may send, in bytes.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// How long the other side may take to set itself up.
const PATIENCE: Duration = Duration::from_secs(60);

/// The connection to the other side, and its process where this one started it.
pub(crate) struct Control {
    out: Box<dyn Write + Send>,
    lines: mpsc::Receiver<String>,
    child: Option<Child>,
}

impl Control {
    /// Starts the other side on this machine.
    pub(crate) fn start_other() -> Result<Control, Error> {
        let wrong = |why: std::io::Error| Error::setup("the other side", why);
        let program = std::env::current_exe().map_err(wrong)?;
        let mut command = Command::new(program);
        command.arg("--serve");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(wrong)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::setup("the other side", "it has no pipes"));
        };
        let mut control = Control::over(input, output);
        control.child = Some(child);
        Ok(control)
    }

    /// The side that was started so.
    pub(crate) fn of_started() -> Control {
        Control::over(std::io::stdout(), std::io::stdin())
    }

    /// Connects to a side that listens.
    pub(crate) fn connect(host: &str, port: u16) -> Result<Control, Error> {
        let wrong = |why| Error::setup(format!("the other side at {host}, port {port}"), why);
        let stream = TcpStream::connect((host, port)).map_err(wrong)?;
        Control::over_stream(stream).map_err(wrong)
    }

    /// Waits for a side that connects.
    pub(crate) fn listen(port: u16) -> Result<Control, Error> {
        let wrong = |why| Error::setup(format!("waiting at port {port}"), why);
        let listener = TcpListener::bind(("0.0.0.0", port)).map_err(wrong)?;
        let port = listener.local_addr().map_err(wrong)?.port();
        eprintln!("oxmpi-perf: waits at port {port}");
        let (stream, _) = listener.accept().map_err(wrong)?;
        Control::over_stream(stream).map_err(wrong)
    }

    fn over_stream(stream: TcpStream) -> std::io::Result<Control> {
        stream.set_nodelay(true)?;
        Ok(Control::over(stream.try_clone()?, stream))
    }

    fn over(out: impl Write + Send + 'static, input: impl Read + Send + 'static) -> Control {
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            let mut input = BufReader::new(input);
            loop {
                let mut line = String::new();
                let got = (&mut input).take(LINE_BYTES_MAX).read_line(&mut line);
                let whole = matches!(got, Ok(1..)) && line.ends_with('\n');
                if !whole || sender.send(line).is_err() {
                    return;
                }
            }
        });
        Control {
            out: Box::new(out),
            lines,
            child: None,
        }
    }

    /// Sends a value to the other side.
    pub(crate) fn send(&mut self, value: &Value) -> Result<(), Error> {
        let gone = |why: std::io::Error| Error::OtherSide {
            how: why.to_string(),
        };
        writeln!(self.out, "{value}").map_err(gone)?;
        self.out.flush().map_err(gone)
    }

    /// Receives a value from the other side; calls `between` while it waits.
    pub(crate) fn receive(&mut self, mut between: impl FnMut()) -> Result<Value, Error> {
        let began = Instant::now();
        loop {
            match self.lines.recv_timeout(Duration::from_millis(1)) {
                Ok(line) => return understand(&line),
                Err(mpsc::RecvTimeoutError::Timeout) => between(),
                Err(mpsc::RecvTimeoutError::Disconnected) => return Err(self.silence()),
            }
            if began.elapsed() > PATIENCE {
                let seconds = PATIENCE.as_secs();
                let what = "the other side to set itself up";
                return Err(Error::Silence { what, seconds });
            }
        }
    }

    /// Whether the other side is still there.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        match self.lines.try_recv() {
            Ok(line) => understand(&line).map(drop),
            Err(mpsc::TryRecvError::Empty) => Ok(()),
            Err(mpsc::TryRecvError::Disconnected) => Err(self.silence()),
        }
    }

    /// Returns why no more lines arrive.
    fn silence(&mut self) -> Error {
        let status = self.child.as_mut().and_then(|child| child.wait().ok());
        let how = match status {
            Some(status) => format!("it ended with {status}"),
            None => "it closed the connection".into(),
        };
        Error::OtherSide { how }
    }
}

impl Drop for Control {
    /// The started side ends when its input does.
    fn drop(&mut self) {
        self.out = Box::new(std::io::sink());
        let Some(child) = &mut self.child else {
            return;
        };
        let began = Instant::now();
        while let Ok(None) = child.try_wait() {
            if began.elapsed() > Duration::from_secs(2) {
                // It does not react, and nothing of it is needed any more.
                let _ = child.kill();
                let _ = child.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Decodes a line. A line that reports a failure is an error.
fn understand(line: &str) -> Result<Value, Error> {
    let wrong = |how: String| Error::OtherSide { how };
    let value: Value = serde_json::from_str(line)
        .map_err(|why| wrong(format!("peer sent a malformed line: {why}")))?;
    match value.get("failed").and_then(Value::as_str) {
        Some(why) => Err(wrong(why.to_string())),
        None => Ok(value),
    }
}

/// Bytes as text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a text in a field; `None` when there are none.
pub(crate) fn bytes_of(value: &Value, field: &str) -> Option<Vec<u8>> {
    let text = value.get(field)?.as_str()?.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    text.chunks(2).map(byte).collect()
}
