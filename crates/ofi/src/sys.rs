//! Bindings of libfabric: the structures and tables that this crate uses, in C layout. Names are
//! libfabric's. Sizes are those of the symbol version `FABRIC_1.3`, which every
//! library from 1.9 to 2.x still serves, and are asserted below.

#![allow(missing_docs, non_camel_case_types)]

use libc::{c_char, c_int, c_void, iovec, size_t, ssize_t};

/// The first words of every object.
#[repr(C)]
pub struct fid {
    pub fclass: size_t,
    pub context: *mut c_void,
    pub ops: *mut fi_ops,
}

#[repr(C)]
pub struct fi_ops {
    pub size: size_t,
    pub close: Option<unsafe extern "C" fn(*mut fid) -> c_int>,
    pub bind: Option<unsafe extern "C" fn(*mut fid, *mut fid, u64) -> c_int>,
    pub control: Option<unsafe extern "C" fn(*mut fid, c_int, *mut c_void) -> c_int>,
    pub ops_open: Option<unsafe extern "C" fn()>,
    pub tostr: Option<unsafe extern "C" fn()>,
    pub ops_set: Option<unsafe extern "C" fn()>,
}

#[repr(C)]
pub struct fi_tx_attr {
    pub caps: u64,
    pub mode: u64,
    pub op_flags: u64,
    pub msg_order: u64,
    pub comp_order: u64,
    pub inject_size: size_t,
    pub size: size_t,
    pub iov_limit: size_t,
    pub rma_iov_limit: size_t,
    pub tclass: u32,
}

#[repr(C)]
pub struct fi_rx_attr {
    pub caps: u64,
    pub mode: u64,
    pub op_flags: u64,
    pub msg_order: u64,
    pub comp_order: u64,
    pub total_buffered_recv: size_t,
    pub size: size_t,
    pub iov_limit: size_t,
}

#[repr(C)]
pub struct fi_ep_attr {
    pub type_: c_int,
    pub protocol: u32,
    pub protocol_version: u32,
    pub max_msg_size: size_t,
    pub msg_prefix_size: size_t,
    pub max_order_raw_size: size_t,
    pub max_order_war_size: size_t,
    pub max_order_waw_size: size_t,
    pub mem_tag_format: u64,
    pub tx_ctx_cnt: size_t,
    pub rx_ctx_cnt: size_t,
    pub auth_key_size: size_t,
    pub auth_key: *mut u8,
}

#[repr(C)]
pub struct fi_domain_attr {
    pub domain: *mut fid_domain,
    pub name: *mut c_char,
    pub threading: c_int,
    pub control_progress: c_int,
    pub data_progress: c_int,
    pub resource_mgmt: c_int,
    pub av_type: c_int,
    pub mr_mode: c_int,
    pub mr_key_size: size_t,
    pub cq_data_size: size_t,
    pub cq_cnt: size_t,
    pub ep_cnt: size_t,
    pub tx_ctx_cnt: size_t,
    pub rx_ctx_cnt: size_t,
    pub max_ep_tx_ctx: size_t,
    pub max_ep_rx_ctx: size_t,
    pub max_ep_stx_ctx: size_t,
    pub max_ep_srx_ctx: size_t,
    pub cntr_cnt: size_t,
    pub mr_iov_limit: size_t,
    pub caps: u64,
    pub mode: u64,
    pub auth_key: *mut u8,
    pub auth_key_size: size_t,
    pub max_err_data: size_t,
    pub mr_cnt: size_t,
    pub tclass: u32,
}

#[repr(C)]
pub struct fi_fabric_attr {
    pub fabric: *mut fid_fabric,
    pub name: *mut c_char,
    pub prov_name: *mut c_char,
    pub prov_version: u32,
    pub api_version: u32,
}

#[repr(C)]
pub struct fi_info {
    pub next: *mut fi_info,
    pub caps: u64,
    pub mode: u64,
    pub addr_format: u32,
    pub src_addrlen: size_t,
    pub dest_addrlen: size_t,
    pub src_addr: *mut c_void,
    pub dest_addr: *mut c_void,
    pub handle: *mut fid,
    pub tx_attr: *mut fi_tx_attr,
    pub rx_attr: *mut fi_rx_attr,
    pub ep_attr: *mut fi_ep_attr,
    pub domain_attr: *mut fi_domain_attr,
    pub fabric_attr: *mut fi_fabric_attr,
    pub nic: *mut fid_nic,
}

#[repr(C)]
pub struct fid_nic {
    pub fid: fid,
    pub device_attr: *mut c_void,
    pub bus_attr: *mut fi_bus_attr,
    pub link_attr: *mut fi_link_attr,
    pub prov_attr: *mut c_void,
}

#[repr(C)]
pub struct fi_bus_attr {
    pub bus_type: c_int,
    pub domain_id: u16,
    pub bus_id: u8,
    pub device_id: u8,
    pub function_id: u8,
}

#[repr(C)]
pub struct fi_link_attr {
    pub address: *mut c_char,
    pub mtu: size_t,
    /// Bits per second.
    pub speed: size_t,
    pub state: c_int,
    pub network_type: *mut c_char,
}

#[repr(C)]
pub struct fid_fabric {
    pub fid: fid,
    pub ops: *mut fi_ops_fabric,
    pub api_version: u32,
}

#[repr(C)]
pub struct fi_ops_fabric {
    pub size: size_t,
    pub domain: Option<
        unsafe extern "C" fn(
            *mut fid_fabric,
            *mut fi_info,
            *mut *mut fid_domain,
            *mut c_void,
        ) -> c_int,
    >,
    pub passive_ep: Option<unsafe extern "C" fn()>,
    pub eq_open: Option<unsafe extern "C" fn()>,
    pub wait_open: Option<unsafe extern "C" fn()>,
    pub trywait: Option<unsafe extern "C" fn(*mut fid_fabric, *mut *mut fid, c_int) -> c_int>,
}

#[repr(C)]
pub struct fid_domain {
    pub fid: fid,
    pub ops: *mut fi_ops_domain,
    pub mr: *mut fi_ops_mr,
}

#[repr(C)]
pub struct fi_ops_domain {
    pub size: size_t,
    pub av_open: Option<
        unsafe extern "C" fn(
            *mut fid_domain,
            *mut fi_av_attr,
            *mut *mut fid_av,
            *mut c_void,
        ) -> c_int,
    >,
    pub cq_open: Option<
        unsafe extern "C" fn(
            *mut fid_domain,
            *mut fi_cq_attr,
            *mut *mut fid_cq,
            *mut c_void,
        ) -> c_int,
    >,
    pub endpoint: Option<OpenEndpoint>,
    pub scalable_ep: Option<OpenEndpoint>,
    pub cntr_open: Option<unsafe extern "C" fn()>,
    pub poll_open: Option<unsafe extern "C" fn()>,
    pub stx_ctx: Option<unsafe extern "C" fn()>,
    pub srx_ctx: Option<unsafe extern "C" fn()>,
    pub query_atomic: Option<
        unsafe extern "C" fn(*mut fid_domain, c_int, c_int, *mut fi_atomic_attr, u64) -> c_int,
    >,
}

pub type OpenEndpoint =
    unsafe extern "C" fn(*mut fid_domain, *mut fi_info, *mut *mut fid_ep, *mut c_void) -> c_int;

#[repr(C)]
pub struct fi_atomic_attr {
    pub count: size_t,
    pub size: size_t,
}

#[repr(C)]
pub struct fi_ops_mr {
    pub size: size_t,
    pub reg: Option<
        unsafe extern "C" fn(
            *mut fid,
            *const c_void,
            size_t,
            u64,
            u64,
            u64,
            u64,
            *mut *mut fid_mr,
            *mut c_void,
        ) -> c_int,
    >,
}

#[repr(C)]
pub struct fid_mr {
    pub fid: fid,
    pub mem_desc: *mut c_void,
    pub key: u64,
}

#[repr(C)]
pub struct fi_av_attr {
    pub type_: c_int,
    pub rx_ctx_bits: c_int,
    pub count: size_t,
    pub ep_per_node: size_t,
    pub name: *const c_char,
    pub map_addr: *mut c_void,
    pub flags: u64,
}

#[repr(C)]
pub struct fid_av {
    pub fid: fid,
    pub ops: *mut fi_ops_av,
}

#[repr(C)]
pub struct fi_ops_av {
    pub size: size_t,
    pub insert: Option<
        unsafe extern "C" fn(
            *mut fid_av,
            *const c_void,
            size_t,
            *mut u64,
            u64,
            *mut c_void,
        ) -> c_int,
    >,
    pub insertsvc: Option<unsafe extern "C" fn()>,
    pub insertsym: Option<unsafe extern "C" fn()>,
    pub remove: Option<unsafe extern "C" fn(*mut fid_av, *mut u64, size_t, u64) -> c_int>,
    pub lookup: Option<unsafe extern "C" fn()>,
    pub straddr: Option<
        unsafe extern "C" fn(*mut fid_av, *const c_void, *mut c_char, *mut size_t) -> *const c_char,
    >,
}

#[repr(C)]
pub struct fi_cq_attr {
    pub size: size_t,
    pub flags: u64,
    pub format: c_int,
    pub wait_obj: c_int,
    pub signaling_vector: c_int,
    pub wait_cond: c_int,
    pub wait_set: *mut c_void,
}

#[repr(C)]
pub struct fid_cq {
    pub fid: fid,
    pub ops: *mut fi_ops_cq,
}

#[repr(C)]
pub struct fi_ops_cq {
    pub size: size_t,
    pub read: Option<unsafe extern "C" fn(*mut fid_cq, *mut c_void, size_t) -> ssize_t>,
    pub readfrom:
        Option<unsafe extern "C" fn(*mut fid_cq, *mut c_void, size_t, *mut u64) -> ssize_t>,
    pub readerr: Option<unsafe extern "C" fn(*mut fid_cq, *mut fi_cq_err_entry, u64) -> ssize_t>,
    pub sread: Option<
        unsafe extern "C" fn(*mut fid_cq, *mut c_void, size_t, *const c_void, c_int) -> ssize_t,
    >,
    pub sreadfrom: Option<unsafe extern "C" fn()>,
    pub signal: Option<unsafe extern "C" fn(*mut fid_cq) -> c_int>,
    pub strerror: Option<
        unsafe extern "C" fn(
            *mut fid_cq,
            c_int,
            *const c_void,
            *mut c_char,
            size_t,
        ) -> *const c_char,
    >,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fi_cq_tagged_entry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: size_t,
    pub buf: *mut c_void,
    pub data: u64,
    pub tag: u64,
}

#[repr(C)]
pub struct fi_cq_err_entry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: size_t,
    pub buf: *mut c_void,
    pub data: u64,
    pub tag: u64,
    pub olen: size_t,
    pub err: c_int,
    pub prov_errno: c_int,
    pub err_data: *mut c_void,
    pub err_data_size: size_t,
    /// Room for what later versions append.
    pub later: [u64; 4],
}

#[repr(C)]
pub struct fid_ep {
    pub fid: fid,
    pub ops: *mut fi_ops_ep,
    pub cm: *mut fi_ops_cm,
    pub msg: *mut fi_ops_msg,
    pub rma: *mut fi_ops_rma,
    pub tagged: *mut fi_ops_tagged,
    pub atomic: *mut fi_ops_atomic,
    pub collective: *mut c_void,
}

#[repr(C)]
pub struct fi_ops_ep {
    pub size: size_t,
    pub cancel: Option<unsafe extern "C" fn(*mut fid, *mut c_void) -> ssize_t>,
    pub getopt: Option<unsafe extern "C" fn()>,
    pub setopt: Option<unsafe extern "C" fn()>,
    pub tx_ctx: Option<
        unsafe extern "C" fn(
            *mut fid_ep,
            c_int,
            *mut fi_tx_attr,
            *mut *mut fid_ep,
            *mut c_void,
        ) -> c_int,
    >,
    pub rx_ctx: Option<
        unsafe extern "C" fn(
            *mut fid_ep,
            c_int,
            *mut fi_rx_attr,
            *mut *mut fid_ep,
            *mut c_void,
        ) -> c_int,
    >,
}

#[repr(C)]
pub struct fi_ops_cm {
    pub size: size_t,
    pub setname: Option<unsafe extern "C" fn()>,
    pub getname: Option<unsafe extern "C" fn(*mut fid, *mut c_void, *mut size_t) -> c_int>,
}

#[repr(C)]
pub struct fi_msg {
    pub msg_iov: *const iovec,
    pub desc: *mut *mut c_void,
    pub iov_count: size_t,
    pub addr: u64,
    pub context: *mut c_void,
    pub data: u64,
}

pub type Receive = unsafe extern "C" fn(
    *mut fid_ep,
    *mut c_void,
    size_t,
    *mut c_void,
    u64,
    *mut c_void,
) -> ssize_t;
pub type Send = unsafe extern "C" fn(
    *mut fid_ep,
    *const c_void,
    size_t,
    *mut c_void,
    u64,
    *mut c_void,
) -> ssize_t;

#[repr(C)]
pub struct fi_ops_msg {
    pub size: size_t,
    pub recv: Option<Receive>,
    pub recvv: Option<unsafe extern "C" fn()>,
    pub recvmsg: Option<unsafe extern "C" fn(*mut fid_ep, *const fi_msg, u64) -> ssize_t>,
    pub send: Option<Send>,
    pub sendv: Option<unsafe extern "C" fn()>,
    pub sendmsg: Option<unsafe extern "C" fn(*mut fid_ep, *const fi_msg, u64) -> ssize_t>,
    pub inject: Option<unsafe extern "C" fn(*mut fid_ep, *const c_void, size_t, u64) -> ssize_t>,
}

#[repr(C)]
pub struct fi_msg_tagged {
    pub msg_iov: *const iovec,
    pub desc: *mut *mut c_void,
    pub iov_count: size_t,
    pub addr: u64,
    pub tag: u64,
    pub ignore: u64,
    pub context: *mut c_void,
    pub data: u64,
}

pub type TaggedMessage = unsafe extern "C" fn(*mut fid_ep, *const fi_msg_tagged, u64) -> ssize_t;

#[repr(C)]
pub struct fi_ops_tagged {
    pub size: size_t,
    pub recv: Option<
        unsafe extern "C" fn(
            *mut fid_ep,
            *mut c_void,
            size_t,
            *mut c_void,
            u64,
            u64,
            u64,
            *mut c_void,
        ) -> ssize_t,
    >,
    pub recvv: Option<unsafe extern "C" fn()>,
    pub recvmsg: Option<TaggedMessage>,
    pub send: Option<
        unsafe extern "C" fn(
            *mut fid_ep,
            *const c_void,
            size_t,
            *mut c_void,
            u64,
            u64,
            *mut c_void,
        ) -> ssize_t,
    >,
    pub sendv: Option<unsafe extern "C" fn()>,
    pub sendmsg: Option<TaggedMessage>,
    pub inject:
        Option<unsafe extern "C" fn(*mut fid_ep, *const c_void, size_t, u64, u64) -> ssize_t>,
    pub senddata: Option<
        unsafe extern "C" fn(
            *mut fid_ep,
            *const c_void,
            size_t,
            *mut c_void,
            u64,
            u64,
            u64,
            *mut c_void,
        ) -> ssize_t,
    >,
    pub injectdata:
        Option<unsafe extern "C" fn(*mut fid_ep, *const c_void, size_t, u64, u64, u64) -> ssize_t>,
}

#[repr(C)]
pub struct fi_rma_iov {
    pub addr: u64,
    pub len: size_t,
    pub key: u64,
}

#[repr(C)]
pub struct fi_msg_rma {
    pub msg_iov: *const iovec,
    pub desc: *mut *mut c_void,
    pub iov_count: size_t,
    pub addr: u64,
    pub rma_iov: *const fi_rma_iov,
    pub rma_iov_count: size_t,
    pub context: *mut c_void,
    pub data: u64,
}

pub type RmaMessage = unsafe extern "C" fn(*mut fid_ep, *const fi_msg_rma, u64) -> ssize_t;

#[repr(C)]
pub struct fi_ops_rma {
    pub size: size_t,
    pub read: Option<unsafe extern "C" fn()>,
    pub readv: Option<unsafe extern "C" fn()>,
    pub readmsg: Option<RmaMessage>,
    pub write: Option<unsafe extern "C" fn()>,
    pub writev: Option<unsafe extern "C" fn()>,
    pub writemsg: Option<RmaMessage>,
}

#[repr(C)]
pub struct fi_ioc {
    pub addr: *mut c_void,
    pub count: size_t,
}

#[repr(C)]
pub struct fi_rma_ioc {
    pub addr: u64,
    pub count: size_t,
    pub key: u64,
}

#[repr(C)]
pub struct fi_msg_atomic {
    pub msg_iov: *const fi_ioc,
    pub desc: *mut *mut c_void,
    pub iov_count: size_t,
    pub addr: u64,
    pub rma_iov: *const fi_rma_ioc,
    pub rma_iov_count: size_t,
    pub datatype: c_int,
    pub op: c_int,
    pub context: *mut c_void,
    pub data: u64,
}

pub type AtomicWrite = unsafe extern "C" fn(*mut fid_ep, *const fi_msg_atomic, u64) -> ssize_t;
pub type AtomicFetch = unsafe extern "C" fn(
    *mut fid_ep,
    *const fi_msg_atomic,
    *mut fi_ioc,
    *mut *mut c_void,
    size_t,
    u64,
) -> ssize_t;
pub type AtomicCompare = unsafe extern "C" fn(
    *mut fid_ep,
    *const fi_msg_atomic,
    *const fi_ioc,
    *mut *mut c_void,
    size_t,
    *mut fi_ioc,
    *mut *mut c_void,
    size_t,
    u64,
) -> ssize_t;

#[repr(C)]
pub struct fi_ops_atomic {
    pub size: size_t,
    pub write: Option<unsafe extern "C" fn()>,
    pub writev: Option<unsafe extern "C" fn()>,
    pub writemsg: Option<AtomicWrite>,
    pub inject: Option<unsafe extern "C" fn()>,
    pub readwrite: Option<unsafe extern "C" fn()>,
    pub readwritev: Option<unsafe extern "C" fn()>,
    pub readwritemsg: Option<AtomicFetch>,
    pub compwrite: Option<unsafe extern "C" fn()>,
    pub compwritev: Option<unsafe extern "C" fn()>,
    pub compwritemsg: Option<AtomicCompare>,
}

#[repr(C)]
pub struct fid_mem_monitor {
    pub fid: fid,
    pub export_ops: *mut fi_ops_mem_monitor,
    pub import_ops: *mut c_void,
}

#[repr(C)]
pub struct fi_ops_mem_monitor {
    pub size: size_t,
    pub start: Option<unsafe extern "C" fn(*mut fid_mem_monitor) -> c_int>,
    pub stop: Option<unsafe extern "C" fn(*mut fid_mem_monitor)>,
    pub subscribe:
        Option<unsafe extern "C" fn(*mut fid_mem_monitor, *const c_void, size_t) -> c_int>,
    pub unsubscribe: Option<unsafe extern "C" fn(*mut fid_mem_monitor, *const c_void, size_t)>,
    pub valid: Option<unsafe extern "C" fn(*mut fid_mem_monitor, *const c_void, size_t) -> bool>,
}

// Functions that the library exports.
pub type GetInfo = unsafe extern "C" fn(
    u32,
    *const c_char,
    *const c_char,
    u64,
    *const fi_info,
    *mut *mut fi_info,
) -> c_int;
pub type FreeInfo = unsafe extern "C" fn(*mut fi_info);
pub type DupInfo = unsafe extern "C" fn(*const fi_info) -> *mut fi_info;
pub type OpenFabric =
    unsafe extern "C" fn(*mut fi_fabric_attr, *mut *mut fid_fabric, *mut c_void) -> c_int;
pub type Open = unsafe extern "C" fn(
    u32,
    *const c_char,
    *mut c_void,
    size_t,
    u64,
    *mut *mut fid,
    *mut c_void,
) -> c_int;
pub type Version = unsafe extern "C" fn() -> u32;
pub type StrError = unsafe extern "C" fn(c_int) -> *const c_char;

pub const EP_RDM: c_int = 3;
pub const THREAD_SAFE: c_int = 1;
pub const RM_ENABLED: c_int = 2;
pub const PROGRESS_AUTO: c_int = 1;
pub const PROGRESS_MANUAL: c_int = 2;
pub const CQ_FORMAT_TAGGED: c_int = 4;
pub const WAIT_NONE: c_int = 0;
pub const WAIT_FD: c_int = 3;
pub const GETWAIT: c_int = 5;
pub const ENABLE: c_int = 6;
pub const BUS_PCI: c_int = 1;
pub const CLASS_MEM_MONITOR: size_t = 23;
/// Stands for an unknown address: any source.
pub const ADDR_UNSPEC: u64 = u64::MAX;

pub const EAGAIN: i64 = libc::EAGAIN as i64;
pub const EAVAIL: i64 = 259;

const _: () = {
    assert!(size_of::<fi_info>() == 120);
    assert!(size_of::<fi_ep_attr>() == 96);
    assert!(size_of::<fi_domain_attr>() == 192);
    assert!(size_of::<fi_tx_attr>() == 80);
    assert!(size_of::<fi_rx_attr>() == 64);
    assert!(size_of::<fi_fabric_attr>() == 32);
    assert!(size_of::<fid>() == 24);
    assert!(size_of::<fid_ep>() == 80);
    assert!(size_of::<fid_mr>() == 40);
    assert!(size_of::<fi_cq_tagged_entry>() == 48);
    assert!(size_of::<fi_cq_err_entry>() == 80 + 32);
    assert!(size_of::<fi_cq_attr>() == 40);
    assert!(size_of::<fi_av_attr>() == 48);
    assert!(size_of::<fi_msg>() == 48);
    assert!(size_of::<fi_msg_tagged>() == 64);
    assert!(size_of::<fi_msg_rma>() == 64);
    assert!(size_of::<fi_msg_atomic>() == 72);
};
