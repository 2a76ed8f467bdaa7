//! Opening the low layer with the options of a C program.

use std::ffi::{c_char, c_void};
use std::fmt::Display;
use std::mem::offset_of;

use base::PeerId;
use bml::Bml;
use btl::Transport;
use mca::{Framework, Param, Registry, Sources};
use sync::Patience;

use crate::arguments;
use crate::failure::{code, Failure};
use crate::layer::Inner;

/// The parameters that this layer reads.
const TABLES: &[&[Param]] = &[
    btl_sm::PARAMS,
    btl_tcp::PARAMS,
    btl_ofi::PARAMS,
    ofi::PARAMS,
];

/// Prefixes of the names of those parameters. Environment variables of other names are for MPI.
const FAMILIES: &[&str] = &[
    "btl_sm_",
    "btl_tcp_",
    "btl_ofi_",
    "opal_common_ofi_",
    "smsc",
];

/// Prefixes of environment variables that set a parameter.
const PREFIXES: &[&str] = &["OXMPI_MCA_", "OMPI_MCA_"];

/// Transports that are opened by default.
const USUAL: &str = "self,sm,tcp";

/// Bytes of the secret that a group of processes shares.
const SECRET_BYTES: usize = 32;

/// `struct oxmpi_bml_options` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    /// The size of the structure in the header that the program was compiled with.
    pub size: usize,
    /// This process's number.
    pub me: u32,
    /// Processes of the group on this machine, this one included; 0 if unknown.
    pub neighbours: u32,
    /// The position of this process among them.
    pub local_rank: u32,
    /// Not used; 0.
    pub reserved: u32,
    /// Identifies the group in TCP connections.
    pub job: u64,
    /// Transports, separated by commas; null for the default.
    pub transports: *const c_char,
    /// 32 bytes that all processes of the group share; may be null if TCP is not opened.
    pub secret: *const u8,
    /// Strings `name=value`, terminated by a null pointer; null for none.
    pub parameters: *const *const c_char,
}

impl Options {
    /// Copies a program's options. Those of an older header are shorter; missing members become 0.
    ///
    /// # Safety
    /// `place` is null or points to as many bytes as its first member says.
    pub unsafe fn read(place: *const Options) -> Result<Options, Failure> {
        if place.is_null() {
            return Err(arguments::null("options"));
        }
        // SAFETY: every version of the structure begins with its size.
        let size = unsafe { (&raw const (*place).size).read() };
        if size < offset_of!(Options, neighbours) || size > 1 << 16 {
            let text = format!("options.size is {size}; set it to sizeof(oxmpi_bml_options)");
            return Err(Failure::argument(text));
        }
        let mut options = Options {
            size,
            me: 0,
            neighbours: 0,
            local_rank: 0,
            reserved: 0,
            job: 0,
            transports: std::ptr::null(),
            secret: std::ptr::null(),
            parameters: std::ptr::null(),
        };
        let known = size_of::<Options>();
        // SAFETY: the caller's promise for the source; the target has `known` bytes, and any bytes
        // are a value of each member.
        unsafe {
            let (from, to) = (place.cast::<u8>(), (&raw mut options).cast::<u8>());
            std::ptr::copy_nonoverlapping(from, to, size.min(known));
            let beyond =
                arguments::bytes(from.add(known.min(size)).cast(), size - known.min(size), "");
            if beyond?.iter().any(|byte| *byte != 0) {
                let text = "options has members that this version of the library does not know";
                return Err(Failure::argument(text));
            }
        }
        Ok(options)
    }

    /// Opens the transports.
    ///
    /// # Safety
    /// The pointers are valid as the header requires.
    pub unsafe fn open(&self) -> Result<Inner, Failure> {
        let me = arguments::peer(self.me)?;
        // SAFETY: the caller's promise.
        let named = unsafe { arguments::text(self.transports, "options.transports") }?;
        // SAFETY: the caller's promise.
        let settings = unsafe { self.settings() }?;
        let registry = registry(settings)?;
        mca::log::install(&registry, &format!("[{}]", self.me));
        for line in registry.report() {
            Framework::Mca.warn(format_args!("{line}"));
        }
        let mut transports: Vec<Box<dyn Transport>> = Vec::new();
        let names = named.unwrap_or(USUAL).split(',').map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            if transports.iter().any(|opened| opened.caps().name == name) {
                let text = format!("options.transports names {name} twice");
                return Err(Failure::argument(text));
            }
            transports.push(self.transport(name, me, &registry)?);
        }
        if transports.is_empty() {
            let text = format!("options.transports names nothing; give some of {KNOWN}");
            return Err(Failure::argument(text));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let patience = Patience::measure(self.neighbours as usize, cores);
        Ok(Inner::new(Bml::new(transports), patience))
    }

    /// Returns the parameters that the program sets, as names and values.
    ///
    /// # Safety
    /// See [`Options::open`].
    unsafe fn settings(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut settings = Vec::new();
        if self.parameters.is_null() {
            return Ok(settings);
        }
        for at in 0.. {
            // SAFETY: the caller's promise: the list ends with a null pointer, at which this stops.
            let text = unsafe { arguments::text(*self.parameters.add(at), "a parameter") }?;
            let Some(text) = text else { break };
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Failure::argument(format!("parameter `{text}`: write name=value"))
            })?;
            settings.push((name.trim().to_string(), value.to_string()));
        }
        Ok(settings)
    }

    fn transport(
        &self,
        name: &str,
        me: PeerId,
        registry: &Registry,
    ) -> Result<Box<dyn Transport>, Failure> {
        let refused = |why: &dyn Display| {
            Failure::new(code::ERR_RESOURCE, format!("transport {name}: {why}"))
        };
        Ok(match name {
            "self" => Box::new(btl_self::open(me)),
            "sm" => {
                let config = btl_sm::Config::new(me, registry).map_err(wrong)?;
                Box::new(btl_sm::open(config).map_err(|why| refused(&why))?)
            }
            "tcp" => {
                let config = btl_tcp::Config {
                    me,
                    secret: self.secret()?,
                    job: self.job,
                    one_host: false,
                    settings: btl_tcp::Settings::of(registry).map_err(wrong)?,
                };
                Box::new(btl_tcp::open(config).map_err(|why| refused(&why))?)
            }
            "ofi" => {
                let config = btl_ofi::Config {
                    me,
                    local_rank: self.local_rank as usize,
                    opening: None,
                    filter: ofi::Filter::of(registry).map_err(wrong)?,
                    settings: btl_ofi::Settings::of(registry),
                    monitor: None,
                };
                Box::new(btl_ofi::open(config).map_err(|why| refused(&why))?)
            }
            _ => {
                let text = format!("options.transports: no transport `{name}`; there are {KNOWN}");
                return Err(Failure::argument(text));
            }
        })
    }

    fn secret(&self) -> Result<[u8; SECRET_BYTES], Failure> {
        if self.secret.is_null() {
            let text = "options.secret is a null pointer; tcp needs 32 bytes that only the \
                        processes of the group know";
            return Err(Failure::argument(text));
        }
        // SAFETY: the header says that there are 32 bytes.
        let bytes = unsafe {
            arguments::bytes(self.secret.cast::<c_void>(), SECRET_BYTES, "options.secret")
        }?;
        let mut secret = [0; SECRET_BYTES];
        secret.copy_from_slice(bytes);
        Ok(secret)
    }
}

/// Names of all transports, for errors.
const KNOWN: &str = "self, sm, tcp, ofi";

/// Returns the parameters, as the program and the environment set them. Configuration files are for
/// MPI only.
fn registry(settings: Vec<(String, String)>) -> Result<Registry, Failure> {
    let ours = |name: &str| {
        FAMILIES.iter().any(|family| name.starts_with(family))
            || name == "smsc"
            || Registry::new(TABLES).declares(name)
    };
    let environment = environment::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        let parameter = PREFIXES
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))?;
        ours(parameter).then_some((name, value))
    });
    let no_files = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    let sources = Sources::new("/", no_files)
        .with_environment(environment)
        .with_command_line(settings);
    // `mca::Sources` names the command line as the origin; here it is the program's options.
    let said = |text: String| text.replace("(from: command line)", "(from: options.parameters)");
    Registry::load(TABLES, &sources).map_err(|errors| {
        let lines: Vec<String> = errors
            .0
            .iter()
            .map(|error| said(error.to_string()))
            .collect();
        Failure::argument(lines.join("; "))
    })
}

fn wrong(error: mca::Error) -> Failure {
    Failure::argument(error.to_string())
}
