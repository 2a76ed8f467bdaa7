//! The ways to install: Debian packages on a fresh Debian, an archive that is moved, a wheel; and
//! what shells complete.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::peers;
use crate::world::{Tally, World};
use xtask::shell::{Job, Outcome};
use xtask::target::Target;
use xtask::{fsio, package, wheel};

/// Commands of a user in the folder of an archive that was moved.
const MOVED: &str = "
set -e
export PATH=$PWD/moved/bin:$PATH
unset LD_LIBRARY_PATH PKG_CONFIG_PATH
mpicc hello.c -o hello
timeout 60 mpirun -n 2 ./hello
cc hello.c -o hello-pc $(PKG_CONFIG_PATH=$PWD/moved/lib/pkgconfig pkg-config --cflags --libs mpi-c)
timeout 60 mpirun -n 2 ./hello-pc
oxmpi_info --version
man -w MPI_Send
";

/// CMake's `FindMPI`, which asks the wrappers, and the check by which PETSc's configure
/// distinguishes launchers.
const FOUND: &str = "
set -e
export PATH=$PWD/moved/bin:$PATH
unset LD_LIBRARY_PATH PKG_CONFIG_PATH
cmake -S . -B build
cmake --build build
timeout 60 mpirun -n 2 build/hello-cmake
timeout 60 mpirun -n 1 printenv OMPI_COMM_WORLD_SIZE
";

/// A project of Meson in C and Fortran, by what pkg-config says: `PKG_CONFIG_PATH` is set.
const MESON: &str = "
set -e
unset LD_LIBRARY_PATH
meson setup meson meson/build
ninja -C meson/build
timeout 60 $MPIRUN -n 2 meson/build/hello-c
timeout 60 $MPIRUN -n 2 meson/build/hello-f
echo Fortran ran
";

/// Packages that a project of Meson needs. Open MPI is among them so that its files can be taken
/// by mistake.
const FOR_MESON: &[&str] = &["libopenmpi-dev", "meson", "pkg-config"];

/// Builds and runs the project of Meson in the folder, with an installation.
fn by_meson(folder: &Path, prefix: &Path) -> Result<(), String> {
    let job = Job::new("bash").args(["-c", MESON]).folder(folder);
    let job = job.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let said = job.env("MPIRUN", prefix.join("bin/mpirun")).ok()?;
    has(
        &said.out,
        &["library: oxmpi", "from rank 1 of 2", "Fortran ran"],
    )
}

/// The first command that README names, with the installation under test.
pub fn demo(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    tally.count("demo", xtask::demo::with(&world.prefix));
    Ok(tally)
}

/// Makes the archive, unpacks it, moves the folder, and works with it.
pub fn tarball(world: &World) -> Result<Tally, String> {
    peers::apt_install(&["cmake", "g++", "man-db"])?;
    peers::apt_install(FOR_MESON)?;
    peers::fortran_compiler()?;
    let folder = clean("tarball")?;
    let project = fsio::read(&fsio::root().join("tests/cmake/CMakeLists.txt"))?;
    fsio::write(&folder.join("CMakeLists.txt"), &project)?;
    let archive = package::archive(&world.built(), Target::native())?;
    let first = fsio::read_bytes(&archive)?;
    let mut tally = Tally::default();
    let again =
        package::archive(&world.built(), Target::native()).and_then(|path| fsio::read_bytes(&path));
    tally.count("packed twice, the bytes are the same", same(&first, again));
    Job::new("tar")
        .arg("-xf")
        .arg(&archive)
        .folder(&folder)
        .ok()?;
    let name = format!("oxmpi-{}-linux-x86_64", env!("CARGO_PKG_VERSION"));
    let moved = Job::new("mv").args([&name, "moved"]).folder(&folder).ok();
    tally.count("no file has the name of the folder", moved.map(drop));
    let said = user(MOVED, &folder);
    let said = said.and_then(|out| has(&out, &["from rank 1 of 2", "moved/share/man"]));
    tally.count("compiled and run after a move", said);
    let mpiexec = format!("started by {}", folder.join("moved/bin/mpiexec").display());
    let parts = [
        "versions 5.0 5.0 5.0",
        "mpi_f08 TRUE",
        &mpiexec,
        "from rank 1 of 2",
        "\n1\n",
    ];
    let said = user(FOUND, &folder).and_then(|out| has(&out, &parts));
    tally.count("found by CMake and by PETSc", said);
    let said = by_meson(&folder, &folder.join("moved"));
    tally.count("found by Meson, in C and Fortran", said);
    Ok(tally)
}

fn same(first: &[u8], again: Result<Vec<u8>, String>) -> Result<(), String> {
    match again? == first {
        true => Ok(()),
        false => Err("the bytes differ".to_string()),
    }
}

/// Most bytes of a wheel.
const WHEEL_BYTES_MAX: usize = 8_000_000;

/// A fresh Debian, over which a layer in memory takes what a test writes.
const FRESH: &str = r#"
set -e
[ -d "$ROOT/usr/bin" ] || debootstrap --variant=minbase bookworm "$ROOT" >&2
mount --make-rprivate /
mkdir -p "$LAYER"
mount -t tmpfs tmpfs "$LAYER"
mkdir "$LAYER/upper" "$LAYER/work" "$LAYER/new"
mount -t overlay overlay -o "lowerdir=$ROOT,upperdir=$LAYER/upper,workdir=$LAYER/work" "$LAYER/new"
new=$LAYER/new
mount -t proc proc $new/proc
mount --rbind /dev $new/dev
cp /etc/resolv.conf $new/etc/
cp -r "$DEBS"/*.deb "$FOLDER"/* $new/root/
printf '#!/bin/sh\nexit 101\n' > $new/usr/sbin/policy-rc.d
chmod 755 $new/usr/sbin/policy-rc.d
chroot $new env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
    DEBIAN_FRONTEND=noninteractive bash -c "$COMMANDS"
"#;

/// The two commands of a user, and what shows that the packages go again.
const INSTALLED: &str = "
set -e
cd /root
apt-get update -q >&2
apt-get install -q -y --no-install-recommends ./*.deb >&2
mpicc hello.c -o hello
timeout 60 mpirun -n 4 ./hello
mkdir -p /usr/lib/x86_64-linux-gnu/oxmpi/share/oxmpi/fortran/A_compiler
readlink /etc/alternatives/mpirun /etc/alternatives/mpi
gunzip -t /usr/share/man/man3/MPI_Send.3oxmpi.gz
apt-get purge -q -y oxmpi oxmpi-dev liboxmpi1 >&2
find / -xdev -name '*oxmpi*' -not -path '/root/*' -not -path '/var/lib/apt/*' -not -path '/proc/*'
! ls /usr/bin/mpi* /etc/alternatives/mpi* 2> /dev/null
echo gone
";

/// Commands of a user where Open MPI is the default: by names that are oxmpi's own, by pkg-config,
/// and by the plain names after a switch.
const BESIDE: &str = "
set -e
cd /root
apt-get update -q >&2
apt-get install -q -y --no-install-recommends openmpi-bin libopenmpi-dev gfortran \
    meson pkg-config g++ >&2
apt-get install -q -y --no-install-recommends ./*.deb >&2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --version
mpicc.oxmpi hello.c -o hello
timeout 60 mpirun.oxmpi -n 4 ./hello
export PKG_CONFIG_PATH=/usr/lib/x86_64-linux-gnu/oxmpi/lib/pkgconfig MPIRUN=mpirun.oxmpi
{meson}
unset PKG_CONFIG_PATH
update-alternatives --set mpirun /usr/bin/mpirun.oxmpi >&2
update-alternatives --set mpi /usr/bin/mpicc.oxmpi >&2
update-alternatives --set mpi-x86_64-linux-gnu /usr/lib/x86_64-linux-gnu/oxmpi/include >&2
mpicc hello.c -o switched
timeout 60 mpirun -n 3 ./switched
cc hello.c -o packaged $(pkg-config --cflags --libs mpi-c)
timeout 60 mpirun -n 2 ./packaged
";

/// Makes the packages and installs them on a Debian that has nothing else, and on one that has
/// Open MPI.
pub fn debian(world: &World) -> Result<Tally, String> {
    peers::apt_install(&["debootstrap", "lintian"])?;
    peers::fortran_compiler()?;
    let debs = package::debian(&world.built(), Target::native())?;
    let mut tally = Tally::default();
    // No address stands for the project.
    let lint = Job::new("lintian").args([
        "--suppress-tags",
        "bogus-mail-host,bogus-mail-host-in-debian-changelog",
    ]);
    let lint = lint.args(["--fail-on", "error", "--allow-root"]);
    tally.count("lintian finds no error", lint.args(&debs).ok().map(drop));
    let debs = debs[0].parent().unwrap_or(Path::new("."));
    let ranks = [
        "from rank 3 of 4",
        "/usr/bin/mpirun.oxmpi\n/usr/bin/mpicc.oxmpi\ngone",
    ];
    let said = on_debian(debs, INSTALLED).and_then(|said| has(&said, &ranks));
    tally.count("installed, used and removed on a fresh Debian", said);
    let parts = [
        "(Open MPI) 4",
        "from rank 3 of 4",
        "Fortran ran",
        "from rank 2 of 3",
        "from rank 1 of 2",
    ];
    let said = on_debian(debs, BESIDE).and_then(|said| has(&said, &parts));
    tally.count("used beside Open MPI, and instead of it", said);
    Ok(tally)
}

/// Runs commands on a fresh Debian that has the packages of a folder, and programs, in its
/// `/root`.
fn on_debian(debs: &Path, commands: &str) -> Result<String, String> {
    let folder = fsio::target_dir().join("third-party");
    fsio::make_folder(&folder)?;
    Job::new("unshare")
        .args(["-m", "bash", "-c", FRESH])
        .env("ROOT", folder.join("debian-root"))
        .env("LAYER", folder.join("debian-layer"))
        .env("DEBS", debs)
        .env("FOLDER", clean("debian")?)
        .env("COMMANDS", commands.replace("{meson}", MESON))
        .limit(Duration::from_secs(1200))
        .ok()
        .map(|said| said.out)
}

/// Commands of a user of Python in a folder with a new environment `env`.
const WHEEL: &str = "
set -e
export PATH=$PWD/env/bin:$PATH
unset LD_LIBRARY_PATH
pip -q install $WHEEL mpi4py==4.1.2
mpicc hello.c -o hello
timeout 60 mpirun -n 2 ./hello
cat > ranks.py <<'end'
from mpi4py import MPI
print('sum', MPI.COMM_WORLD.allreduce(MPI.COMM_WORLD.rank + 1))
end
for abi in mpich12 ompi40; do
    timeout 60 mpirun --abi $abi -n 2 python ranks.py
done
timeout 60 mpirun -n 2 python ranks.py
man -w MPI_Send
";

/// Builds the wheel twice, and works with it in a new environment. `cargo-zigbuild` is installed
/// into an environment of the step.
pub fn wheel(_: &World) -> Result<Tally, String> {
    peers::apt_install(&["man-db", "python3-venv", "unzip", "zip"])?;
    peers::apt_install(FOR_MESON)?;
    peers::fortran_compiler()?;
    let folder = clean("wheel")?;
    let tools = folder.join("tools");
    for env in ["tools", "env"] {
        let venv = Job::new("python3").args(["-m", "venv", env]);
        venv.folder(&folder).ok()?;
    }
    let pip = Job::new(tools.join("bin/pip")).args(["-q", "install"]);
    pip.args(["ziglang", "cargo-zigbuild", "auditwheel"]).ok()?;
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", tools.join("bin").display());
    let mut made = Vec::new();
    let mut tally = Tally::default();
    let home = folder.join("other-home");
    fsio::link(&wheel::cargo_home().display().to_string(), &home)?;
    // Equal sources, for two users of Cargo in two folders.
    for (build, home) in [("first", wheel::cargo_home()), ("second", home)] {
        let wheel = Job::new(std::env::current_exe().map_err(|error| error.to_string())?)
            .args(["wheel", "--folder", build])
            .env("CARGO_HOME", home)
            .env("PATH", &path)
            .limit(Duration::from_secs(7200))
            .ok()?;
        let line = wheel.out.lines().last().unwrap_or_default().to_string();
        let file = PathBuf::from(line.rsplit_once(" (").map_or(&*line, |(file, _)| file));
        made.push((fsio::read_bytes(&file)?, file));
    }
    let second = fsio::read_bytes(&made[1].1);
    tally.count("two builds are the same", same(&made[0].0, second));
    let size = made[1].0.len();
    let small = (size < WHEEL_BYTES_MAX).then_some(());
    tally.count("it is small", small.ok_or(format!("{size} bytes")));
    let unzip = Job::new("unzip").args(["-q", "-d", "stage"]);
    unzip.arg(&made[1].1).folder(&folder).ok()?;
    let no_folder = has_no_local_folder(&folder.join("stage"));
    tally.count("no folder of this machine is in it", no_folder);
    let said = Job::new(tools.join("bin/auditwheel"))
        .arg("show")
        .arg(&made[1].1);
    let said = said.env("PATH", &path).ok();
    let said = said.and_then(|said| has(&said.out, &["\"manylinux_2_28_x86_64\""]));
    tally.count("auditwheel", said);
    let job = Job::new("bash")
        .args(["-c", WHEEL])
        .env("WHEEL", &made[1].1);
    let said = job.folder(&folder).ok();
    let parts = ["from rank 1 of 2", "sum 3\nsum 3", "env/share/man/man3"];
    let said = said.and_then(|said| has(&said.out, &parts));
    tally.count("installed into a new environment and used", said);
    let said = by_meson(&folder, &folder.join("env"));
    tally.count("found by Meson, in C and Fortran", said);
    Ok(tally)
}

/// Finds in no file the folder of the sources or that of Cargo.
fn has_no_local_folder(stage: &Path) -> Result<(), String> {
    let folders = [fsio::root(), wheel::cargo_home()];
    for path in fsio::paths(stage)? {
        let text = fsio::read_bytes(&path)?;
        for folder in &folders {
            let folder = folder.as_os_str().as_encoded_bytes();
            if text.windows(folder.len()).any(|part| part == folder) {
                return Err(path.display().to_string());
            }
        }
    }
    Ok(())
}

/// A user of Lmod, whose module has the folder of the installation in its first line.
const MODULE: &str = "
mkdir -p modules/oxmpi
sed \"s,/opt/oxmpi,$PREFIX,\" $RECIPES/lmod/oxmpi.lua > modules/oxmpi/0.1.0.lua
. /usr/share/lmod/lmod/init/bash
module use $PWD/modules
module load oxmpi
type -P mpirun
man -w MPI_Send ls
module unload oxmpi
type -P mpirun || echo none
";

/// A script that has rattler-build read the recipe of conda.
const RENDER: &str = "
import os, rattler_build
recipe = rattler_build.Stage0Recipe.from_file(os.environ['RECIPES'] + '/conda/recipe.yaml')
names = {'c_compiler': ['gcc'], 'fortran_compiler': ['gfortran'], 'rust_compiler': ['rust'],
         'c_stdlib': ['sysroot'], 'c_stdlib_version': ['2.28']}
print(recipe.render(rattler_build.VariantConfig(names)))
";

/// Checks the recipes of other package managers as far as their tools can be had.
pub fn recipes(world: &World) -> Result<Tally, String> {
    peers::apt_install(&["lmod", "man-db", "python3-venv"])?;
    let folder = clean("recipes")?;
    let recipes = fsio::root().join("packaging");
    let module = Job::new("bash").args(["-c", MODULE]).folder(&folder);
    let module = module.env("RECIPES", &recipes);
    let said = module.env("PREFIX", &world.prefix).ok();
    let mut tally = Tally::default();
    let own = [
        format!("{}\n", world.bin("mpirun").display()),
        format!("{}/share/man/man3/MPI_Send.3\n", world.prefix.display()),
    ];
    let parts = [&*own[0], &*own[1], "man1/ls.1"];
    tally.count("Lmod", said.and_then(|said| has(&said.out, &parts)));
    let spack = recipes.join("spack/oxmpi/package.py").display().to_string();
    let check = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
    let said = Job::new("python3").args(["-c", check, &spack]).ok();
    tally.count("Spack, syntax alone", said.map(drop));
    tally.count("conda", conda(&folder, &recipes));
    Ok(tally)
}

fn conda(folder: &Path, recipes: &Path) -> Result<(), String> {
    let venv = Job::new("python3").args(["-m", "venv", "env"]);
    venv.folder(folder).ok()?;
    let pip = Job::new(folder.join("env/bin/pip")).args(["-q", "install"]);
    pip.arg("py-rattler-build==0.73.0").ok()?;
    let render = Job::new(folder.join("env/bin/python")).args(["-c", RENDER]);
    let said = render.env("RECIPES", recipes).ok()?;
    has(&said.out, &["package='oxmpi', version='0.1.0'"])
}

/// Completions of fish.
const FISH: &str = r#"
set -p fish_complete_path $PREFIX/share/fish/vendor_completions.d
complete -C "mpirun --bind-to "
complete -C "mpiexec --map-"
complete -C "mpirun --mca btl_tcp_if_"
"#;

/// A zsh that is asked as a user asks it, by the tabulator.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty shell "env -i HOME=$PWD PATH=$PREFIX/bin:/usr/bin:/bin TERM=dumb zsh -f -i"
zpty -w shell "fpath=($PREFIX/share/zsh/site-functions \$fpath); autoload -U compinit"
zpty -w shell "compinit -u -D; LISTMAX=0; PS1=; setopt no_beep; print rea''dy"
zpty -r shell line '*ready*'
zpty -w -n shell $'mpirun --bind-to \t\t'
zpty -r shell line '*package*' && print -r -- "$line"
zpty -w -n shell $'\x15mpirun --report-b\t'
zpty -r shell line '*report-bindings*' && print -r -- "$line"
zpty -w -n shell $'\x15mpirun --mca btl_tcp_if_inc\t'
zpty -r shell line '*if_include*' && print -r -- "$line"
zpty -d shell
"#;

/// A bash whose completions find those of the installation by the variable that all shells read,
/// and those of a package by their name.
const BASH: &str = r#"
export XDG_DATA_DIRS=$PREFIX/share
. /usr/share/bash-completion/bash_completion
_completion_loader mpirun
complete -p mpirun mpiexec
COMP_WORDS=(mpirun --bind-to '') COMP_CWORD=2
_oxmpi_mpirun
echo "${COMPREPLY[@]}"
COMP_WORDS=(mpirun --report-b) COMP_CWORD=1
_oxmpi_mpirun
echo "${COMPREPLY[@]}"
COMP_WORDS=($PREFIX/bin/mpirun --mca btl_tcp_if_inc) COMP_CWORD=2
_oxmpi_mpirun $PREFIX/bin/mpirun
echo "${COMPREPLY[@]}"
complete -r mpirun mpiexec
cp $PREFIX/share/bash-completion/completions/mpirun mpirun.oxmpi
. ./mpirun.oxmpi
complete -p mpirun.oxmpi mpiexec.oxmpi
complete -p mpirun 2>/dev/null && echo "the plain name is taken" >&2
"#;

/// Has each shell complete.
pub fn completions(world: &World) -> Result<Tally, String> {
    peers::apt_install(&["fish", "zsh", "bash-completion"])?;
    let folder = clean("completions")?;
    let mut tally = Tally::default();
    let parameter = "btl_tcp_if_include";
    for (shell, args, script, parts) in [
        (
            "bash",
            "-c",
            BASH,
            [
                "none core hwthread package numa",
                "--report-bindings",
                parameter,
                "mpiexec.oxmpi",
            ],
        ),
        (
            "fish",
            "-c",
            FISH,
            ["package", "--map-by", parameter, "btl_tcp_if_exclude"],
        ),
        (
            "zsh",
            "-fc",
            ZSH,
            ["package", "--report-bindings", parameter, ""],
        ),
    ] {
        let said = Job::new(shell)
            .args([args, script])
            .env("PREFIX", &world.prefix)
            .env(
                "PATH",
                format!("{}/bin:/usr/bin:/bin", world.prefix.display()),
            )
            .env("HOME", &folder)
            .folder(&folder)
            .limit(Duration::from_secs(60))
            .run();
        let quiet = |said: Outcome| match said.err.is_empty() {
            true => has(&said.out, &parts),
            false => Err(format!("{shell} prints {}", said.err)),
        };
        tally.count(shell, said.and_then(quiet));
    }
    Ok(tally)
}

/// Returns a new folder with a program in C, and a project of Meson in a folder `meson`.
fn clean(name: &str) -> Result<PathBuf, String> {
    let folder = fsio::target_dir().join("packages").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (from, to) in [
        ("examples/hello.c", "hello.c"),
        ("examples/hello.c", "meson/hello.c"),
        ("tests/fortran/messages.f90", "meson/messages.f90"),
        ("tests/meson/meson.build", "meson/meson.build"),
    ] {
        let text = fsio::read(&fsio::root().join(from))?;
        fsio::write(&folder.join(to), &text)?;
    }
    Ok(folder)
}

/// Runs commands of a user, and returns what they print.
fn user(commands: &str, folder: &Path) -> Result<String, String> {
    let job = Job::new("bash").args(["-c", commands]).folder(folder);
    job.ok().map(|said| said.out)
}

fn has(text: &str, parts: &[&str]) -> Result<(), String> {
    match parts.iter().find(|part| !text.contains(**part)) {
        None => Ok(()),
        Some(part) => Err(format!("no `{part}` in {text}")),
    }
}
