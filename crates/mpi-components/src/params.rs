//! The parameters of the layers that are no components, and the list of all parameter tables.

use std::path::Path;
use std::sync::Arc;

use base::{Fnv, PeerId};
use bootstrap::{Identity, RankSet};
use coll::table::Table;
use coll::Rules;
use mca::{Framework, Param, Registry, Sources};

use mpi_local::errhandler;

use mpi_local::{Class, Errhandler, Error};

/// Parameters of the frameworks themselves and of the point-to-point layer.
pub const PARAMS: &[Param] = &[
    Param::list(
        "btl",
        "",
        1,
        "Byte transfer layers to use, `a,b`, or not to use, `^a,b`; known: self, sm, tcp, ofi",
    ),
    Param::int(
        crate::transports::SELF_EXCLUSIVITY,
        65_536,
        0..=65_536,
        7,
        "Precedence of the transport within a process: a larger value than that of another \
         transport that reaches the process itself lets self carry its messages",
    ),
    Param::text(
        NAME_SERVER,
        "",
        3,
        "Where MPI_Publish_name and MPI_Lookup_name of several jobs find each other: HOST:PORT of \
         an oxmpi-server, file:FILE with its URI, or file:FILE, a file of names that jobs of \
         several hosts share; nothing: the user's processes on this host. Processes of one job \
         find each other without it",
    ),
    Param::list(
        "pml",
        "",
        1,
        "Point-to-point layers to use, `a,b`, or not to use, `^a,b`; known: ob1 (over the byte \
         transfer layers), cm (over a network that matches messages)",
    ),
    Param::int(
        crate::messaging::OB1_PRIORITY,
        20,
        0..=1000,
        5,
        "Precedence of ob1 among the point-to-point layers: the largest is used; that of cm is \
         its network's (mtl_ofi_priority)",
    ),
    Param::list(
        "mtl",
        "",
        1,
        "Networks that match messages, for the point-to-point layer cm to use; known: ofi",
    ),
    Param::list(
        "osc",
        "",
        1,
        "Carriers of one-sided accesses to use, `a,b`, or not to use, `^a,b`; known: sm (loads \
         and stores, in windows that MPI allocated for processes of one node), rdma (puts and \
         gets of a transport, beside am), am (active messages)",
    ),
    Param::int(
        crate::windows::LEAST,
        -1,
        -1..=i64::MAX,
        5,
        "Smallest put or get of a window, in bytes, that the transport carries by itself, \
         without the target's help; a larger value sends more accesses as active messages; -1: \
         the length from which the transport's own are faster",
    ),
    Param::size(
        crate::windows::PIECE_MIN,
        4 << 10,
        1..=usize::MAX,
        5,
        "Smallest mean length, in bytes, of the contiguous runs of a put or get that the \
         transport carries run by run; a larger value sends more of them as active messages",
    ),
    Param::bool(
        crate::windows::SINGLE_ALWAYS,
        false,
        5,
        "Whether accumulates in a window have one element each, where the window's info key \
         acc_single_intrinsic does not say: those of 4 and 8 bytes are then atomic operations \
         of the transport, if all processes have them, and others are refused",
    ),
    Param::bool(
        "osc_progress_thread",
        false,
        3,
        "Whether a progress thread serves accesses to windows by active messages, so that a \
         target need not call MPI",
    ),
    Param::bool(
        "osc_standby_thread",
        true,
        3,
        "Whether a helper thread serves accesses to windows by active messages while a target \
         on the same node computes; it sleeps until an origin has waited for 0.1 ms",
    ),
    Param::bool(
        "mpi_standby_thread",
        true,
        3,
        "Whether a helper thread moves on messages and collectives that the application has \
         started, while it computes; it polls once a millisecond at most while nothing moves, and \
         only where the application does not",
    ),
    Param::bool(
        "osc_check",
        false,
        3,
        "Whether accesses to windows are checked: two that conflict in one epoch raise \
         MPI_ERR_RMA_CONFLICT, which names both calls; all windows are then served by am",
    ),
    Param::size(
        "pml_ob1_unexpected_limit",
        0,
        0..=usize::MAX,
        4,
        "Most bytes of unexpected messages that a process keeps for one peer, whose further \
         messages wait at the sender; a larger value takes more memory; 0: a share of the \
         machine's memory",
    ),
    Param::choice(
        "op_avx_support",
        "avx512",
        datatype::Vectors::WORDS,
        4,
        "Widest vector instructions that reductions use, where the machine has them",
    ),
    Param::choice(
        errhandler::INITIAL,
        "mpi_errors_are_fatal",
        &errhandler::INITIAL_WORDS,
        1,
        "Error handler that MPI_COMM_WORLD and MPI_COMM_SELF begin with, and that errors of no \
         object go to before and after these exist (mpirun --initial-errhandler): \
         mpi_errors_are_fatal ends the job, mpi_errors_abort the processes of the communicator, \
         mpi_errors_return returns the error code",
    ),
    Param::bool(
        "mpi_show_handle_leaks",
        false,
        3,
        "Whether a process prints at the end of MPI which handles were not freed",
    ),
    Param::list(
        check::settings::NAME,
        "",
        2,
        "What is checked of the program's use of MPI (mpirun --check): all, or of collectives \
         (all ranks call alike), types (both ends of a message have the same), buffers (none is \
         used while an operation has it), leaks (what is not freed at the end), rma (as \
         osc_check), abort (end the job at the first report); nothing: no checks",
    ),
    Param::text(
        STOP_IN_INIT,
        "",
        3,
        "Ranks that stop in MPI_Init for a debugger (all, or 0,4-7), until they get SIGCONT \
         (mpirun --stop-in-init)",
    ),
    Param::text(
        CRASH_SIGNALS,
        "",
        3,
        "Signals at which a process prints its stack before it ends, as numbers: 4,6,7,8,11 are \
         those of crashes (mpirun --backtrace); those that the program handles are left to it; \
         nothing: none",
    ),
    Param::choice(
        "mpi_yield_when_idle",
        "auto",
        &["auto", "0", "1"],
        3,
        "Whether a waiting process yields its core after few empty polls; auto: where there are \
         more processes than cores",
    ),
];

/// Name of the parameter that says where names are published.
pub const NAME_SERVER: &str = "mpi_name_server";

/// Name of the parameter with the ranks that stop in `MPI_Init`.
pub const STOP_IN_INIT: &str = "mpi_stop_in_init";

/// Name of the parameter with the signals at which a process prints its stack.
pub const CRASH_SIGNALS: &str = "opal_signal";

/// Returns the signals that a list of numbers names; `None` where a number is not that of a signal
/// that can be handled.
pub fn signals(list: &str) -> Option<Vec<i32>> {
    const KILL: i32 = 9;
    const STOP: i32 = 19;
    let words = list.split(',').filter(|word| !word.trim().is_empty());
    let signal = |word: &str| {
        let number = word.trim().parse().ok();
        number.filter(|number| (1..=31).contains(number) && ![KILL, STOP].contains(number))
    };
    words.map(signal).collect()
}

/// Every table of parameters in the library.
pub const TABLES: &[&[Param]] = &[
    PARAMS,
    crate::storage::PARAMS,
    crate::files::PARAMS,
    btl_sm::PARAMS,
    btl_tcp::PARAMS,
    coll::PARAMS,
    coll_sm::PARAMS,
    ofi::PARAMS,
    btl_ofi::PARAMS,
    mtl_ofi::PARAMS,
    vprotocol::PARAMS,
    vprotocol_trace::PARAMS,
    vprotocol_pessimist::PARAMS,
];

/// Returns every table of parameters: those of the library, and the launcher's, which ranks find in
/// the same environment and files.
pub fn all_tables() -> Vec<&'static [Param]> {
    [TABLES, &[mca::launcher::PARAMS]].concat()
}

/// A framework and its components: name and what each does.
pub type Components = (Framework, &'static [(&'static str, &'static str)]);

/// The components of each framework that a parameter of the framework's name chooses from.
pub const COMPONENTS: &[Components] = &[
    (Framework::Allocator, &crate::storage::ALLOCATORS),
    (Framework::Btl, &crate::transports::TABLE),
    (Framework::Coll, &coll_sm::TABLE),
    (Framework::Fbtl, &crate::files::CARRIERS),
    (Framework::Fcoll, &crate::files::COLLECTIVES),
    (Framework::Fs, &crate::files::FILE_SYSTEMS),
    (Framework::Memory, &crate::storage::SOURCES),
    (Framework::Mpool, &crate::storage::POOLS),
    (Framework::Mtl, &crate::messaging::NETWORK_TABLE),
    (Framework::Osc, &crate::windows::TABLE),
    (Framework::Pml, &crate::messaging::LAYER_TABLE),
    (Framework::Rcache, &crate::storage::CACHES),
    (Framework::Sharedfp, &crate::files::POINTERS),
    (Framework::Smsc, &btl_sm::SINGLE_COPY_TABLE),
    (Framework::Vprotocol, &crate::decorate::TABLE),
];

/// Which algorithms collectives use, with what a file of rules says.
///
/// # Errors
/// When there is such a file, and it cannot be read or understood.
pub fn rules(registry: &Registry) -> Result<Rules, Error> {
    let mut rules = Rules::of(registry);
    let file = registry.text(coll::RULES_FILE);
    if file.is_empty() {
        return Ok(rules);
    }
    let refuse = |why: &dyn std::fmt::Display| {
        let origin = registry.origin(coll::RULES_FILE);
        let text = format!("{} ({origin}): {why}", coll::RULES_FILE);
        Error::new(Class::Arg, text)
    };
    let bytes = std::fs::read(file).map_err(|why| refuse(&format!("`{file}`: {why}")))?;
    let content = String::from_utf8_lossy(&bytes);
    let table = Table::parse(file, &content).map_err(|why| refuse(&why))?;
    rules.table = Some(Arc::new(table));
    Ok(rules)
}

/// When collectives go through shared memory.
///
/// # Errors
/// When a parameter is no list of components.
pub fn shared_collectives(registry: &Registry) -> Result<coll_sm::Settings, Error> {
    let smsc = registry.components(Framework::Smsc, btl_sm::SINGLE_COPY);
    let direct = smsc.map_err(Error::other)?.admits("cma");
    let mut settings = coll_sm::Settings::of(registry, direct).map_err(Error::other)?;
    // What goes through shared memory is not logged.
    settings.admitted &= !crate::is_logged(registry);
    Ok(settings)
}

/// The parameters of a process that choose the algorithms of collectives and do not have their
/// defaults: `name=value` each. Ranks only fit each other if all run one algorithm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agreed {
    /// Parameters of collectives by messages, which must be equal at all processes that
    /// communicate. A file of rules counts by its contents, not its path.
    pub messages: String,
    /// Parameters of collectives through shared memory, which must be equal at all processes of a
    /// world. Processes of several worlds decide by what each states (`locality`).
    pub memory: String,
}

impl Agreed {
    /// Returns those of this process; `nodes` is the table of nodes of its world, where collectives
    /// go by it.
    pub fn of(registry: &Registry, rules: &Rules, nodes: Option<&[u32]>) -> Agreed {
        let by_nodes = match nodes {
            Some(_) => "",
            None => " coll=^han",
        };
        let digest = |nodes: &[u32]| Fnv::of(nodes.iter().flat_map(|node| node.to_le_bytes()));
        let table = nodes.map(|nodes| format!(" nodes={:x}", digest(nodes)));
        let rest = checks(registry);
        Agreed {
            messages: changed(registry, rules, coll::PARAMS) + by_nodes + &rest,
            memory: changed(registry, rules, coll_sm::PARAMS) + &table.unwrap_or_default(),
        }
    }

    /// Checks those of a peer, of the own world or another one, which may share memory in another
    /// manner, or not at all.
    ///
    /// # Errors
    /// When it has others of those that both must have alike.
    pub fn check(&self, peer: PeerId, theirs: &Agreed, is_own: bool) -> Result<(), Error> {
        let (theirs, ours) = match theirs.messages == self.messages {
            true if !is_own || theirs.memory == self.memory => return Ok(()),
            true => (&theirs.memory, &self.memory),
            false => (&theirs.messages, &self.messages),
        };
        let describe = |set: &str| match set {
            "" => "the defaults".to_string(),
            set => format!("`{set}`"),
        };
        let (theirs, ours) = (describe(theirs), describe(ours));
        let text = format!(
            "{peer} runs collectives with {theirs}, this process with {ours}: all processes must \
             have the same `coll_` parameters and number the nodes alike"
        );
        Err(Error::new(Class::NotSame, text))
    }
}

/// Returns the checks of a process, which exchanges messages for them, where it has any.
fn checks(registry: &Registry) -> String {
    match registry.list(check::settings::NAME) {
        [] => String::new(),
        words => format!(" {}={}", check::settings::NAME, words.join(",")),
    }
}

/// Returns which checks the user wants.
///
/// # Errors
/// A word that names no check.
pub fn checked(registry: &Registry) -> Result<check::settings::Settings, Error> {
    let words = registry.list(check::settings::NAME);
    let settings = check::settings::Settings::parse(words.iter().map(String::as_str));
    settings.map_err(|unknown| Error::new(Class::Arg, unknown.to_string()))
}

/// Returns those of some parameters that do not have their defaults.
fn changed(registry: &Registry, rules: &Rules, of: &'static [mca::Param]) -> String {
    let defaults = Registry::new(&[of]);
    let default = |name: &str| defaults.rows().iter().find(|row| row.param.name == name);
    let changed = registry
        .rows()
        .iter()
        .filter(|row| default(row.param.name).is_some_and(|default| default.value != row.value));
    let setting = |row: &mca::Row| match (row.param.name, &rules.table) {
        (coll::RULES_FILE, Some(table)) => {
            format!("{}=rules:{:016x}", coll::RULES_FILE, table.fingerprint())
        }
        (name, _) => format!("{name}={}", row.value),
    };
    changed.map(setting).collect::<Vec<_>>().join(" ")
}

/// Returns the parameters of a life with MPI, `settings` of tools among them, and begins to log.
///
/// # Errors
/// When a parameter is wrong.
pub fn load(
    prefix: &Path,
    settings: &[(String, String)],
    identity: &Identity,
) -> Result<Registry, Error> {
    let sources = Sources::from_process(prefix).with_tool(settings.to_vec());
    let mut registry = Registry::load(&all_tables(), &sources)
        .map_err(|errors| Error::new(Class::Arg, errors.to_string()))?;
    checked(&registry)?;
    check_lists(&mut registry).map_err(|error| Error::new(Class::Arg, error.to_string()))?;
    mca::log::install(&registry, &format!("[{}]", identity.peer.0));
    // This project's launcher reports what it sees, which is equal; others report nothing.
    if identity.launcher != bootstrap::Launcher::Native && identity.peer.0 == 0 {
        for line in registry.report() {
            Framework::Mca.warn(format_args!("{line}"));
        }
    }
    Ok(registry)
}

/// Returns the initial error handler of a process that has no life with MPI: before `MPI_Init`, or
/// after `MPI_Finalize`. Parameter files are searched under `prefix`; where a parameter is wrong,
/// errors are fatal.
pub fn initial_errhandler(prefix: &Path) -> Errhandler {
    match Registry::load(&all_tables(), &Sources::from_process(prefix)) {
        Ok(registry) => Errhandler::initial(&registry),
        Err(_) => Errhandler::Fatal,
    }
}

/// Judges the component lists of all frameworks, and warns of what is passed over in them; and the
/// ranks that are to stop.
///
/// # Errors
/// The first list that names a component which its framework does not have, or malformed ranks.
pub fn check_lists(registry: &mut Registry) -> Result<(), mca::Error> {
    for (framework, table) in COMPONENTS {
        let known: Vec<&str> = table.iter().map(|row| row.0).collect();
        registry.components(*framework, &known)?;
        registry.warn_of_foreign_components(*framework, &known);
    }
    let stopped = registry.text(STOP_IN_INIT);
    if !stopped.is_empty() && RankSet::parse(stopped).is_none() {
        return Err(mca::Error::BadValue {
            name: STOP_IN_INIT.into(),
            text: stopped.into(),
            origin: registry.origin(STOP_IN_INIT).clone(),
            allowed: "ranks: all, or numbers and ranges as in 0,4-7".into(),
        });
    }
    let crashes = registry.text(CRASH_SIGNALS);
    if signals(crashes).is_none() {
        return Err(mca::Error::BadValue {
            name: CRASH_SIGNALS.into(),
            text: crashes.into(),
            origin: registry.origin(CRASH_SIGNALS).clone(),
            allowed: "numbers of signals from 1 to 31 as in 6,11, without 9 and 19".into(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the help of each framework's component list. It was written by hand, and so were the
    /// tables of `oxmpi_info`, which lacked four of them.
    #[test]
    fn every_component_is_in_the_help_of_its_list() {
        let registry = Registry::new(TABLES);
        for (framework, table) in COMPONENTS {
            let row = registry
                .rows()
                .iter()
                .find(|row| row.param.name == framework.name());
            let help = row.map(|row| row.param.help).unwrap_or_default();
            for (name, what) in *table {
                let named = help
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|word| word == *name);
                assert!(named && !what.is_empty(), "{framework} {name}: {help}");
            }
        }
    }

    #[test]
    fn each_word_names_the_error_handler_that_it_is_the_word_of() {
        for word in errhandler::INITIAL_WORDS {
            let absent = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
            let setting = [(errhandler::INITIAL.to_string(), word.to_string())];
            let sources = Sources::new("/no/such/prefix", absent).with_command_line(setting);
            let registry = Registry::load(TABLES, &sources).unwrap();
            assert_eq!(Errhandler::initial(&registry).word(), Some(word));
        }
        let initial = Errhandler::initial(&Registry::new(TABLES));
        assert!(matches!(initial, Errhandler::Fatal));
    }

    /// A parameter of the launcher in the environment made MPI_Init fail: the rank knew none of it.
    #[test]
    fn each_parameter_of_the_launcher_may_be_in_the_environment_of_a_rank() {
        let absent = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        for param in mca::launcher::PARAMS {
            let value = Registry::new(&[mca::launcher::PARAMS]);
            let value = value.rows().iter().find(|row| row.param.name == param.name);
            let value = value.map(|row| row.value.to_string()).unwrap_or_default();
            let variable = (format!("OXMPI_MCA_{}", param.name), value);
            let sources = Sources::new("/no/such/prefix", absent).with_environment([variable]);
            let registry = Registry::load(&all_tables(), &sources);
            assert!(registry.is_ok(), "{}: {:?}", param.name, registry.err());
        }
    }

    #[test]
    fn what_is_selected_by_a_number_has_a_parameter_for_it() {
        let registry = Registry::new(TABLES);
        for (framework, table) in COMPONENTS {
            let number = match *framework {
                Framework::Btl => "exclusivity",
                Framework::Coll | Framework::Mtl => "priority",
                // Of several windows' components each does what it can, cm has its network's
                // number, a mechanism of smsc is named or the first that works, and the others
                // are alone or named by hints.
                _ => continue,
            };
            for (name, _) in table.iter().filter(|row| row.0 != "none") {
                let parameter = format!("{framework}_{name}_{number}");
                assert!(registry.declares(&parameter), "{parameter}");
            }
        }
        assert!(registry.declares(crate::messaging::OB1_PRIORITY));
    }
}
