//! Sources of parameter values: environment, files and command line.
//!
//! Only the launcher has a command line and tune files with parameters. It passes these settings to
//! the ranks in environment variables with prefixes of their own ([`Sources::forward`]), so that
//! ranks distinguish them from the user's variables and apply the right precedence:
//!
//! | variable | means | precedence |
//! |---|---|---|
//! | `OXMPI_MCACMD_x` | `--mca x value` of the launcher | command line |
//! | `OXMPI_MCA_x` | the user's environment | environment |
//! | `OMPI_MCA_x` | the user's environment, for Open MPI | below `OXMPI_MCA_x` |
//! | `OXMPI_MCATUNE_x` | a setting of a `--tune` file of the launcher | tune file |
//!
//! Variables of other MPI libraries are ignored.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::file::{parse_params, parse_tune, Export, Line};
use crate::origin::OPEN_MPI_PREFIX;
use crate::{openmpi, Error, Errors, FileLine, Origin};

pub(crate) const OWN_PREFIX: &str = "OXMPI_MCA_";
const COMMAND_LINE_PREFIX: &str = "OXMPI_MCACMD_";
const TUNE_PREFIX: &str = "OXMPI_MCATUNE_";

/// The user's file of parameters, in the home directory.
const USER_FILE: &str = ".oxmpi/mca-params.conf";

/// How a file is read; tests lend another world.
type Reader = Box<dyn Fn(&Path) -> io::Result<Vec<u8>>>;

/// Everything that can set a parameter, before it is known which parameters there are.
pub struct Sources {
    prefix: PathBuf,
    home: Option<PathBuf>,
    environment: Vec<(String, String)>,
    command_line: Vec<(String, String)>,
    tool: Vec<(String, String)>,
    tune_files: Vec<PathBuf>,
    read: Reader,
}

/// A file, and what a line of it is as an origin.
type StandingFile = (PathBuf, fn(FileLine) -> Origin);

/// One setting: a name, the text given for it, and where that was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Setting {
    pub name: String,
    pub text: String,
    pub origin: Origin,
}

impl Sources {
    /// An empty world in which oxmpi is installed under `prefix`; files are read through `read`.
    pub fn new(
        prefix: impl Into<PathBuf>,
        read: impl Fn(&Path) -> io::Result<Vec<u8>> + 'static,
    ) -> Sources {
        Sources {
            prefix: prefix.into(),
            home: None,
            environment: Vec::new(),
            command_line: Vec::new(),
            tool: Vec::new(),
            tune_files: Vec::new(),
            read: Box::new(read),
        }
    }

    /// The environment and the files of this process; oxmpi is installed under `prefix`.
    pub fn from_process(prefix: impl Into<PathBuf>) -> Sources {
        let text = |os: std::ffi::OsString| os.to_string_lossy().into_owned();
        let variables = environment::vars_os().map(|(name, value)| (text(name), text(value)));
        let home = environment::var_os("HOME").map(|home| Path::new(&home).join(USER_FILE));
        let read = move |path: &Path| {
            let mut bytes = Vec::new();
            let mut file = match home.as_deref() == Some(path) {
                // Of all files this is the one that the user has not named.
                true => environment::open_own(path, environment::Others::MayRead)?,
                false => std::fs::File::open(path)?,
            };
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        Sources::new(prefix, read).with_environment(variables)
    }

    /// Adds environment variables; those of no concern here are dropped.
    pub fn with_environment(
        mut self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Sources {
        for (variable, value) in variables {
            if variable == "HOME" && !value.is_empty() {
                self.home = Some(PathBuf::from(value));
            } else if variable.starts_with("OXMPI_MCA") || variable.starts_with(OPEN_MPI_PREFIX) {
                self.environment.push((variable, value));
            }
        }
        if (self.environment.iter()).any(|(variable, _)| openmpi::is_launched(variable)) {
            (self.environment).retain(|(variable, _)| !openmpi::is_set_by_launcher(variable));
        }
        self.environment.sort_by(|(a, _), (b, _)| a.cmp(b));
        self
    }

    /// Adds `--mca name value` of a launcher's command line.
    pub fn with_command_line(
        mut self,
        settings: impl IntoIterator<Item = (String, String)>,
    ) -> Sources {
        self.command_line.extend(settings);
        self
    }

    /// Adds what tools have written into control variables.
    pub fn with_tool(mut self, settings: impl IntoIterator<Item = (String, String)>) -> Sources {
        self.tool.extend(settings);
        self
    }

    /// Adds the files of one `--tune` option, separated by commas; the left one wins.
    pub fn with_tune(mut self, files: &str) -> Sources {
        let files = files
            .split(',')
            .map(str::trim)
            .filter(|file| !file.is_empty());
        self.tune_files.extend(files.map(PathBuf::from));
        self
    }

    /// Returns what a launcher adds to the environment of its ranks, so that they see its command
    /// line and its tune files: pairs of a variable and its value.
    pub fn forward(&self) -> Result<Vec<(String, String)>, Errors> {
        let (settings, exports) = self.tuned()?;
        let mut variables = Vec::new();
        for setting in settings {
            variables.push((format!("{TUNE_PREFIX}{}", setting.name), setting.text));
        }
        for (name, text) in &self.command_line {
            variables.push((format!("{COMMAND_LINE_PREFIX}{name}"), text.clone()));
        }
        let given = exports
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        variables.extend(given);
        // Of several values for one variable the last counts, as it does for the settings.
        let last = variables.iter().enumerate().filter(|(at, (variable, _))| {
            !variables[at + 1..]
                .iter()
                .any(|(later, _)| later == variable)
        });
        Ok(last.map(|(_, pair)| pair.clone()).collect())
    }

    /// The variables that the tune files export by name alone (`-x NAME`), for launchers that
    /// do not hand on their whole environment.
    pub fn exported_names(&self) -> Result<Vec<String>, Errors> {
        let (_, exports) = self.tuned()?;
        Ok(exports
            .into_iter()
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| name)
            .collect())
    }

    /// All settings, those of higher precedence later.
    pub(crate) fn settings(&self) -> Result<Vec<Setting>, Errors> {
        let mut errors = Vec::new();
        let mut settings = Vec::new();
        match self.tuned() {
            Ok((tuned, _)) => settings.extend(tuned),
            Err(wrong) => errors.extend(wrong.0),
        }
        for (path, origin) in self.standing_files() {
            match self.optional_file(&path) {
                Ok(lines) => settings.extend(lines.into_iter().map(|line| at(line, origin))),
                Err(error) => errors.push(error),
            }
        }
        settings.extend(self.environment.iter().filter_map(from_variable));
        errors.extend(self.conflicts());
        for (name, text) in &self.command_line {
            let (name, text) = (name.clone(), text.clone());
            settings.push(Setting {
                name,
                text,
                origin: Origin::CommandLine,
            });
        }
        settings.extend(self.tool.iter().map(|(name, text)| Setting {
            name: name.clone(),
            text: text.clone(),
            origin: Origin::Tool,
        }));
        settings.sort_by_key(|setting| setting.origin.precedence());
        if errors.is_empty() {
            Ok(settings)
        } else {
            Err(Errors(errors))
        }
    }

    /// The files that exist whatever the user asks for, if they exist.
    fn standing_files(&self) -> Vec<StandingFile> {
        let etc = self.prefix.join("etc");
        let mut files: Vec<StandingFile> = vec![
            (etc.join("oxmpi-mca-params.conf"), Origin::SystemFile),
            (
                etc.join("oxmpi-mca-params-override.conf"),
                Origin::OverrideFile,
            ),
        ];
        if let Some(home) = &self.home {
            files.push((home.join(USER_FILE), Origin::UserFile));
        }
        files
    }

    fn optional_file(&self, path: &Path) -> Result<Vec<Line>, Error> {
        match (self.read)(path) {
            Ok(bytes) => parse_params(path, &utf8(path, bytes)?),
            Err(error) if self.is_absent(path, &error) => Ok(Vec::new()),
            Err(error) => Err(Error::File {
                path: path.into(),
                reason: error.to_string(),
            }),
        }
    }

    /// A home that belongs to somebody else (`HOME` outlives `sudo`) has no file for us, readable
    /// or not, while an administrator's file that may not be read is an error.
    fn is_absent(&self, path: &Path, error: &io::Error) -> bool {
        let at_home = self
            .home
            .as_ref()
            .is_some_and(|home| path.starts_with(home));
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => true,
            io::ErrorKind::PermissionDenied => at_home,
            _ => false,
        }
    }

    fn tuned(&self) -> Result<(Vec<Setting>, Vec<Export>), Errors> {
        let (mut settings, mut exports) = (Vec::new(), Vec::new());
        for path in self.tune_files.iter().rev() {
            let unreadable = |error: io::Error| Error::File {
                path: path.clone(),
                reason: error.to_string(),
            };
            let content = utf8(path, (self.read)(path).map_err(unreadable)?)?;
            let (lines, more) = parse_tune(path, &content)?;
            settings.extend(
                lines
                    .into_iter()
                    .map(|line| at(line, |p| Origin::Tune(Some(p)))),
            );
            exports.extend(more);
        }
        Ok((settings, exports))
    }

    fn conflicts(&self) -> Vec<Error> {
        let mut conflicts = Vec::new();
        for (at, (name, second)) in self.command_line.iter().enumerate() {
            let first = self.command_line[..at]
                .iter()
                .find(|(earlier, _)| earlier == name);
            if let Some((_, first)) = first.filter(|(_, first)| first != second) {
                let (name, first, second) = (name.clone(), first.clone(), second.clone());
                conflicts.push(Error::Conflict {
                    name,
                    first,
                    second,
                });
            }
        }
        conflicts
    }
}

fn at(line: Line, origin: impl Fn(FileLine) -> Origin) -> Setting {
    Setting {
        name: line.name,
        text: line.text,
        origin: origin(line.place),
    }
}

fn from_variable((variable, text): &(String, String)) -> Option<Setting> {
    let environment = Origin::Environment(variable.clone());
    let prefixes = [
        (COMMAND_LINE_PREFIX, Origin::CommandLine),
        (TUNE_PREFIX, Origin::Tune(None)),
        (OWN_PREFIX, environment.clone()),
        (OPEN_MPI_PREFIX, environment),
    ];
    for (prefix, origin) in prefixes {
        if let Some(name) = variable.strip_prefix(prefix) {
            return Some(Setting {
                name: name.to_string(),
                text: text.clone(),
                origin,
            });
        }
    }
    None
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, Error> {
    let reason = "it is not UTF-8 text".to_string();
    String::from_utf8(bytes).map_err(|_| Error::File {
        path: path.into(),
        reason,
    })
}
