//! The launcher's own parameters. Ranks do not read them, but tools in a rank may ask for them.

use crate::Param;

/// How other hosts are reached and watched.
pub const PARAMS: &[Param] = &[
    Param::list(
        "plm",
        "",
        2,
        "What starts daemons on other hosts; known: flux, slurm, pals, tm, lsf, sge, ssh. By \
         default the batch \
         system of the allocation, or ssh outside of one, and ssh where plm_rsh_agent is set",
    ),
    Param::choice(
        "plm_daemon_here",
        "auto",
        &["auto", "yes", "no"],
        4,
        "Whether a batch system's component starts a daemon on mpirun's own host, too, so that the \
         ranks there are the system's children; auto: with pals, and with slurm where the network \
         is Slingshot, which takes only such processes",
    ),
    Param::text(
        "plm_slurm_args",
        "",
        3,
        "More arguments for srun, which starts daemons in an allocation of Slurm",
    ),
    Param::text(
        "plm_pals_args",
        "",
        3,
        "More arguments for aprun, which starts daemons in a job of PBS with HPE's PALS",
    ),
    Param::text(
        "plm_rsh_agent",
        "ssh",
        2,
        "The program that starts daemons on other hosts, with its arguments; of several, separated \
         by ` : `, the first that exists. It is given a host and a command for that host's shell",
    ),
    Param::text(
        "plm_rsh_args",
        "",
        3,
        "More arguments for the program that starts daemons on other hosts",
    ),
    Param::bool(
        "plm_rsh_no_tree_spawn",
        false,
        3,
        "Whether mpirun starts the daemons of all hosts itself, instead of letting daemons start \
         daemons; for hosts that cannot log in to each other",
    ),
    Param::size(
        "plm_tree_radix",
        32,
        1..=u32::MAX as usize,
        4,
        "How many daemons mpirun, and each daemon, starts and is connected to",
    ),
    Param::size(
        "plm_start_timeout",
        60,
        1..=86_400,
        4,
        "How many seconds a daemon on another host may take to start",
    ),
    Param::size(
        "plm_heartbeat_timeout",
        60,
        3..=86_400,
        4,
        "Seconds of silence after which a host whose connection is open counts as lost; daemons \
         send something each second. The default is at least twice btl_tcp_reconnect_timeout",
    ),
];
