//! The Fortran compilers that programs are built with.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::peers;
use crate::world::World;
use xtask::fsio;
use xtask::shell::{self, install_script, Job};

/// A compiler, as the installation's wrapper runs it.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// Names the folder of what it makes.
    pub name: &'static str,
    /// The program, unless it is the wrapper's own choice.
    program: Option<PathBuf>,
    flags: &'static [&'static str],
    /// Whether `mpi_f08` passes descriptors.
    pub has_descriptors: bool,
}

/// The line by which the compiler without descriptors names itself.
const LIMITED_NAME: &str = "Limited Fortran 1.0";

/// The folder of its modules.
const LIMITED_FOLDER: &str = "Limited_Fortran_1.0";

impl Compiler {
    /// GNU's, which is installed where it lacks.
    pub fn gnu() -> Result<Compiler, String> {
        peers::fortran_compiler()?;
        Ok(Compiler {
            name: "gnu",
            program: None,
            flags: &["-w", "-ffree-line-length-none"],
            has_descriptors: true,
        })
    }

    /// LLVM's, which is installed where it lacks.
    pub fn flang() -> Result<Compiler, String> {
        let program = "flang-new-19";
        if shell::find(program).is_none() {
            peers::apt_install(&["flang-19"])?;
        }
        Ok(Compiler {
            name: "flang",
            program: Some(PathBuf::from(program)),
            flags: &[],
            has_descriptors: true,
        })
    }

    /// GNU's under another name, without descriptors.
    pub fn limited() -> Result<Compiler, String> {
        Compiler::gnu()?;
        let program = fsio::target_dir().join("test/fortran/limited-fortran");
        let script = format!(
            "#!/bin/sh\n\
             [ \"$1\" = --version ] && echo \"{LIMITED_NAME}\" && exit 0\n\
             for word; do\n  case \"$word\" in\n    *.f90)\n      \
             grep -q 'dimension(\\.\\.)' \"$word\" && echo 'no descriptors' >&2 && exit 1 ;;\n  \
             esac\ndone\nexec gfortran \"$@\"\n"
        );
        install_script(&program, &script)?;
        Ok(Compiler {
            name: "limited",
            program: Some(program),
            // The wrapper does not know it as GNU's.
            flags: &["-w", "-ffree-line-length-none", "-fallow-argument-mismatch"],
            has_descriptors: false,
        })
    }

    /// Compiles a source by the installation's wrapper, and links objects with it.
    pub fn build(
        &self,
        world: &World,
        source: &Path,
        objects: &[&Path],
    ) -> Result<PathBuf, String> {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let folder = fsio::target_dir()
            .join("test/fortran")
            .join(self.name)
            .join(&*name);
        fsio::make_folder(&folder)?;
        let program = folder.join("program");
        // Generated programs are long, and what they do takes no time.
        let optimize = if objects.is_empty() { "-O1" } else { "-O0" };
        let mut job = Job::new(world.bin("mpifort"));
        if let Some(program) = &self.program {
            job = job.env("OXMPI_FC", program).env("XDG_CACHE_HOME", cache());
        }
        job.args([optimize, "-g"])
            .args(self.flags)
            .args([Path::new("-o"), &program, source])
            .args(objects)
            .folder(&folder)
            .limit(Duration::from_secs(300))
            .ok()?;
        Ok(program)
    }
}

fn cache() -> PathBuf {
    fsio::target_dir().join("test/fortran/cache")
}

/// Has the wrapper make the modules of the compiler without descriptors: in the installation, and
/// in the user's cache where the installation cannot be written.
pub fn modules(world: &World) -> Result<(), String> {
    let compiler = Compiler::limited()?;
    let program = compiler.program.unwrap_or_default();
    let installed = world
        .prefix
        .join("share/oxmpi/fortran")
        .join(LIMITED_FOLDER);
    let asked = || {
        let job = Job::new(world.bin("mpifort")).arg("-showme:compile");
        job.env("OXMPI_FC", &program)
            .env("XDG_CACHE_HOME", cache())
            .ok()
    };
    let cached = cache()
        .join(concat!("oxmpi-", env!("CARGO_PKG_VERSION")))
        .join(LIMITED_FOLDER);
    let _ = std::fs::remove_dir_all(cache());
    let _ = std::fs::remove_dir_all(&installed);
    // A file in place of the folder keeps even root from making it.
    fsio::write(&installed, "")?;
    let refused = asked();
    let _ = std::fs::remove_file(&installed);
    expect(&refused?.out, &cached)?;
    let _ = std::fs::remove_dir_all(cache());
    expect(&asked()?.out, &installed)
}

fn expect(flags: &str, folder: &Path) -> Result<(), String> {
    let is_named = flags.contains(&format!("-I{}", folder.display()));
    match is_named && folder.join("mpi_f08.mod").exists() {
        true => Ok(()),
        false => Err(format!(
            "no modules in {}; the flags are {flags}",
            folder.display()
        )),
    }
}
