//! Parses the guest's console line by line: lines that begin with `@@` are for this program, the
//! others are output of the running check.
//!
//! ```text
//! @@ up SECONDS ABOUT         the device is there
//! @@ begin NAME
//! @@ end NAME CODE SECONDS
//! @@ broken WHY, @@ late      no more will come
//! @@ done                     every check has run
//! ```

/// How much of a failed check's output is shown, in lines.
const TAIL_LINES: usize = 25;

/// State of the run so far.
#[derive(Default)]
pub struct Console {
    /// The checks that ended with code 0.
    pub passed: Vec<String>,
    /// The checks that did not, each with the reason.
    pub failed: Vec<String>,
    /// The check that runs, and its lines.
    running: Option<(String, Vec<String>)>,
    /// Why no more comes; `Ok` once every check has run.
    end: Option<Result<(), String>>,
}

impl Console {
    /// Takes a line; returns what to show of it.
    pub fn line(&mut self, line: &str) -> Option<String> {
        let Some(event) = line.strip_prefix("@@ ") else {
            if let Some((_, lines)) = &mut self.running {
                lines.push(line.to_string());
            }
            return None;
        };
        let (word, rest) = event.split_once(' ').unwrap_or((event, ""));
        match word {
            "up" => Some(format!("  the machine is up: {rest}")),
            "begin" => {
                self.running = Some((rest.to_string(), Vec::new()));
                None
            }
            "end" => Some(self.ended(rest)),
            "done" => {
                self.end = Some(Ok(()));
                None
            }
            "late" => {
                self.end = Some(Err("the machine's time is over".to_string()));
                None
            }
            _ => {
                self.end = Some(Err(event.to_string()));
                None
            }
        }
    }

    /// The verdict, when the machine is off: whether all `expected` checks ran.
    pub fn complete(&self, expected: usize) -> Result<(), String> {
        match &self.end {
            Some(Ok(())) if self.passed.len() + self.failed.len() == expected => Ok(()),
            Some(Ok(())) => Err(format!(
                "{} of {expected} checks were reported",
                self.passed.len() + self.failed.len()
            )),
            Some(Err(why)) => Err(format!("{why}{}", self.while_running())),
            None => Err(format!("the machine fell silent{}", self.while_running())),
        }
    }

    fn while_running(&self) -> String {
        match &self.running {
            Some((name, lines)) => format!(" while {name} ran{}", tail(lines)),
            None => String::new(),
        }
    }

    fn ended(&mut self, rest: &str) -> String {
        let mut words = rest.split(' ');
        let mut word = || words.next().unwrap_or_default();
        let (name, code, seconds) = (word(), word(), word());
        let lines = match self.running.take() {
            Some((running, lines)) if running == name => lines,
            _ => Vec::new(),
        };
        if code == "0" {
            self.passed.push(name.to_string());
            return format!("  {name}: passed in {seconds} s{}", summary(&lines));
        }
        // Exit code of `timeout` when it had to end the program, by a request or by force.
        let why = match code {
            "124" | "137" | "143" => format!("did not end within {seconds} s"),
            _ => format!("exit code {code} after {seconds} s"),
        };
        self.failed.push(format!("{name}: {why}"));
        format!("  {name}: FAILED, {why}{}", tail(&lines))
    }
}

/// Returns the text of a check's line `summary ...`, or of a Rust test program's last.
fn summary(lines: &[String]) -> String {
    let mut said = lines.iter().rev().filter_map(|line| {
        line.strip_prefix("summary ")
            .or(line.strip_prefix("test result: "))
    });
    said.next()
        .map(|line| format!(" ({line})"))
        .unwrap_or_default()
}

fn tail(lines: &[String]) -> String {
    let lines: Vec<&String> = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let from = lines.len().saturating_sub(TAIL_LINES);
    lines[from..]
        .iter()
        .map(|line| format!("\n      {line}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn console_of(text: &str) -> Console {
        let mut console = Console::default();
        text.lines().for_each(|line| {
            console.line(line);
        });
        console
    }

    #[test]
    fn a_run_is_complete_when_every_check_ended_and_done_was_said() {
        let text = "@@ up 3 x\n@@ begin a\nhi\n@@ end a 0 2\n@@ begin b\nno\n@@ end b 7 1\n@@ done";
        let console = console_of(text);
        assert_eq!(console.passed, ["a"]);
        assert_eq!(console.failed, ["b: exit code 7 after 1 s"]);
        assert_eq!(console.complete(2), Ok(()));
        assert!(console.complete(3).is_err());
    }

    #[test]
    fn a_run_that_breaks_off_says_where() {
        let why = console_of("@@ begin a\nlast words")
            .complete(1)
            .unwrap_err();
        assert!(
            why.contains("silent while a ran") && why.contains("last words"),
            "{why}"
        );
        let why = console_of("@@ broken no device").complete(1).unwrap_err();
        assert!(why.contains("no device"), "{why}");
        assert!(console_of("@@ end a 0 1\n@@ late").complete(1).is_err());
    }

    #[test]
    fn a_failure_shows_its_last_lines_and_success_its_summary() {
        let mut console = console_of("@@ begin a\nfirst\nassertion failed");
        let shown = console.line("@@ end a 101 4").unwrap();
        assert!(
            shown.contains("FAILED") && shown.contains("assertion failed"),
            "{shown}"
        );
        let mut console = console_of("@@ begin a\ntest result: ok. 5 passed");
        let shown = console.line("@@ end a 0 4").unwrap();
        assert!(shown.contains("ok. 5 passed"), "{shown}");
    }
}
