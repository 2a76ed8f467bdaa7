//! The manual pages of an installation: those of MPI's functions, from the tables in `spec/`, and
//! those of the programs, from the help that they print.

use std::path::Path;
use std::time::Duration;

use crate::fsio::{self, link};
use crate::shell::Job;
use crate::target::Target;

/// A program's page.
struct Page {
    /// The program in `bin/`.
    program: &'static str,
    /// The option that makes it print its help.
    help: &'static str,
    purpose: &'static str,
    see_also: &'static str,
}

const PAGES: &[Page] = &[
    Page {
        program: "mpicc",
        help: "-showme:help",
        purpose: "compile an MPI program in C, C++ or Fortran",
        see_also: "mpirun",
    },
    Page {
        program: "oxmpi_info",
        help: "--help",
        purpose: "show what an installation of oxmpi has",
        see_also: "mpirun",
    },
    Page {
        program: "oxmpi-perf",
        help: "--help",
        purpose: "measure transports without MPI",
        see_also: "oxmpi_info",
    },
    Page {
        program: "oxmpi-server",
        help: "--help",
        purpose: "keep the names that MPI programs publish",
        see_also: "mpirun",
    },
];

/// The date of each page: that of the text, not of the build.
const DATE: &str = "2026-11-27";

/// Other names of programs.
type Names<'a> = &'a [(&'static str, &'static [&'static str])];

/// Writes the pages into an installation whose programs are there. `others` are further names of
/// the programs.
pub fn write(prefix: &Path, others: Names, target: Target) -> Result<(), String> {
    let functions = prefix.join("share/man/man3");
    for page in crate::gen::manual_pages()? {
        let file = format!("{}.3", page.name);
        fsio::write(&functions.join(&file), &page.text)?;
        if let Some(large) = page.large {
            link(&file, &functions.join(format!("{large}.3")))?;
        }
    }
    let programs = prefix.join("share/man/man1");
    for page in PAGES {
        let Some(command) = target.command(&prefix.join("bin").join(page.program)) else {
            let machine = target.name();
            println!("no manual pages of programs: nothing here runs programs for {machine}");
            break;
        };
        let said = Job::new(&command[0])
            .args(&command[1..])
            .arg(page.help)
            .limit(Duration::from_secs(60))
            .ok()?;
        let file = format!("{}.1", page.program);
        let names = names(page, others);
        fsio::write(&programs.join(&file), &text(page, &names, &said.out))?;
        for name in &names[1..] {
            link(&file, &programs.join(format!("{name}.1")))?;
        }
    }
    link("mpirun.1", &programs.join("mpiexec.1"))
}

/// The names that a page is for, the program's own first.
fn names(page: &Page, others: Names) -> Vec<&'static str> {
    let others = others.iter().filter(|(name, _)| *name == page.program);
    let others = others.flat_map(|(_, others)| others.iter().copied());
    [page.program].into_iter().chain(others).collect()
}

/// Returns the source of a page from what the program prints: options and what else stands in two
/// columns becomes a list, lines of capitals become headings, and the rest paragraphs.
fn text(page: &Page, names: &[&str], help: &str) -> String {
    let mut out = format!(
        ".\\\" Made from what {0} prints; do not edit.\n\
         .TH {0} 1 {DATE} \"oxmpi {1}\" \"MPI\"\n.nh\n.SH NAME\n{2} \\- {3}\n",
        page.program,
        env!("CARGO_PKG_VERSION"),
        names.join(", "),
        page.purpose
    );
    let usage = help.lines().find_map(|line| line.strip_prefix("Usage: "));
    let usage = usage.unwrap_or("mpicc [OPTIONS] FILES");
    out.push_str(&format!(".SH SYNOPSIS\n{}\n.SH DESCRIPTION\n", roff(usage)));
    let mut is_apart = false;
    for line in help.lines().filter(|line| !line.starts_with("Usage: ")) {
        let inner = line.trim();
        let heading = inner.trim_end_matches(':');
        let is_heading = !heading.is_empty()
            && line == inner
            && (heading.chars().all(|c| c.is_ascii_uppercase())
                || inner.ends_with(':') && !heading.contains(' '));
        match (is_heading, line.starts_with("  ")) {
            _ if inner.is_empty() => is_apart = true,
            (true, _) => {
                out.push_str(&format!(".SH {}\n", heading.to_uppercase()));
                is_apart = false;
            }
            (false, true) => {
                match inner.split_once("  ") {
                    Some((tag, about)) => {
                        let about = roff(about.trim());
                        out.push_str(&format!(".TP\n{}\n{about}\n", roff(tag)));
                    }
                    None if inner.starts_with('-') => {
                        out.push_str(&format!(".TP\n{}\n\\&\n", roff(inner)));
                    }
                    None => paragraph(&mut is_apart, inner, &mut out),
                }
                is_apart = false;
            }
            (false, false) => paragraph(&mut is_apart, inner, &mut out),
        }
    }
    out.push_str(&format!(".SH SEE ALSO\n.BR {} (1)\n", page.see_also));
    out
}

fn paragraph(is_apart: &mut bool, line: &str, out: &mut String) {
    let begins = out.ends_with(".SH DESCRIPTION\n");
    if std::mem::take(is_apart) && !begins {
        out.push_str(".PP\n");
    }
    out.push_str(&roff(line));
    out.push('\n');
}

/// Returns text as roff shows it unchanged.
fn roff(text: &str) -> String {
    let text = text
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('\'', "\\(aq");
    match text.starts_with('.') {
        true => format!("\\&{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_becomes_a_page() {
        let help =
            "Shows things\n\nUsage: oxmpi_info [OPTIONS]\n\nOptions:\n  -a, --all  Show all\n\
                    \nTESTS\n  lat   one way\n\n  Each is right.\n";
        let page = &PAGES[1];
        assert_eq!(page.program, "oxmpi_info");
        let text = text(page, &names(page, &[]), help);
        for part in [
            ".SH NAME\noxmpi_info \\- show what",
            ".SH SYNOPSIS\noxmpi_info [OPTIONS]\n.SH DESCRIPTION\nShows things\n.SH OPTIONS\n",
            ".TP\n\\-a, \\-\\-all\nShow all\n.SH TESTS\n.TP\nlat\none way\n.PP\nEach is right.\n",
        ] {
            assert!(text.contains(part), "no {part} in {text}");
        }
    }
}
