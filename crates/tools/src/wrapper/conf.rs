//! Parser of `share/oxmpi/wrapper.conf`, in which package managers set the compilers that the
//! wrappers call.

/// The compilers and the flags that the file names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conf {
    /// The C compiler, with arguments of its own where it has some.
    pub cc: String,
    /// The C++ compiler, likewise.
    pub cxx: String,
    /// The Fortran compiler, likewise.
    pub fc: String,
    /// Further flags to compile, parted by spaces.
    pub compile_flags: String,
    /// Further flags to link, parted by spaces.
    pub link_flags: String,
}

/// The file as it is installed; what a file does not name is as it says.
pub const INSTALLED: &str = include_str!("../../share/wrapper.conf");

impl Default for Conf {
    fn default() -> Conf {
        let mut conf = Conf {
            cc: String::new(),
            cxx: String::new(),
            fc: String::new(),
            compile_flags: String::new(),
            link_flags: String::new(),
        };
        // A test holds that it has no wrong line.
        let _ = conf.read(INSTALLED);
        conf
    }
}

impl Conf {
    /// Reads `key = value` lines; `#` opens a comment. A key that is absent has its default. The
    /// error names the line.
    pub fn parse(text: &str) -> Result<Conf, String> {
        let mut conf = Conf::default();
        conf.read(text)?;
        Ok(conf)
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| format!("line {}: {what}: `{line}`", number + 1);
            let (key, value) = line
                .split_once('=')
                .ok_or_else(|| wrong("not `key = value`"))?;
            let place = match key.trim() {
                "cc" => &mut self.cc,
                "cxx" => &mut self.cxx,
                "fc" => &mut self.fc,
                "compile_flags" => &mut self.compile_flags,
                "link_flags" => &mut self.link_flags,
                _ => return Err(wrong("not one of cc, cxx, fc, compile_flags, link_flags")),
            };
            *place = value.trim().to_string();
        }
        Ok(())
    }
}
