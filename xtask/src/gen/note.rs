//! Generates the note of a call: what hooks (traces, checks) learn of its arguments.
//!
//! A function has up to two sides, what it sends and what it receives. Which parameter belongs to
//! which follows from its name and, for a buffer that stands alone, from its direction.

use super::rust;
use super::spec::{Direction, Function, Param};

/// The two sides: the parameters that give the peer, the tag, the count, the datatype, the buffer.
#[derive(Default)]
struct Sides {
    sent: Side,
    received: Side,
}

#[derive(Default)]
struct Side {
    peer: Option<String>,
    tag: Option<String>,
    count: Option<String>,
    /// The array of counts, as an `IntPtr`.
    counts: Option<String>,
    /// The array of datatypes.
    types: Option<String>,
    datatype: Option<String>,
    buffer: Option<String>,
}

/// Returns the expression that makes the note of a call; `None` for a function of which there is
/// nothing to note.
pub fn note(function: &Function) -> Option<String> {
    let role = role(function);
    let is_noted = matches!(
        function.category.as_str(),
        "pt2pt" | "coll" | "neighbor-coll" | "rma" | "partitioned" | "io"
    );
    if !is_noted {
        return None;
    }
    let mut sides = Sides::default();
    for param in &function.params {
        assign(function, param, &mut sides);
    }
    let mut fields = Vec::new();
    if role != "Other" {
        fields.push(format!("role: hooks::Role::{role}"));
    }
    if function.category == "neighbor-coll" {
        fields.push("neighbours: true".to_string());
    }
    fields.extend(side("sent", &sides.sent));
    fields.extend(side("received", &sides.received));
    let request = |name: &str| function.params.iter().find(|param| param.name == name);
    if request("request").is_some_and(|param| param.is_pointer()) {
        fields.push("requests: hooks::Requests::one(request)".to_string());
    } else if request("array_of_requests").is_some() {
        let count = match request("incount").is_some() {
            true => "incount",
            false => "count",
        };
        fields.push(format!(
            "requests: hooks::Requests::several(array_of_requests, {count} as i64)"
        ));
    }
    let has = |name: &str| function.params.iter().any(|param| param.name == name);
    for (param, field) in [
        ("op", "op"),
        ("status", "statuses: status"),
        ("array_of_statuses", "statuses: array_of_statuses"),
        ("indx", "indices: indx"),
        ("array_of_indices", "indices: array_of_indices"),
        ("outcount", "outcount"),
    ] {
        let is_given =
            param != "status" || request("status").is_some_and(|p| p.ty == "MPI_Status*");
        if has(param) && is_given {
            fields.push(field.to_string());
        }
    }
    match fields.is_empty() {
        true => None,
        false => Some(format!(
            "hooks::Note {{ {}, ..hooks::Note::NONE }}",
            fields.join(", ")
        )),
    }
}

/// Puts a parameter where it belongs.
fn assign(function: &Function, param: &Param, sides: &mut Sides) {
    let name = rust::ident(&param.name);
    let value = !param.is_pointer();
    let is_sent = |function: &Function| function.params.iter().any(|p| p.name == "dest");
    // The direction of the only buffer.
    let alone = |name: &str| function.params.iter().find(|p| p.name == name);
    let only = alone("buf")
        .or_else(|| alone("buffer"))
        .or_else(|| alone("origin_addr"));
    let (goes, comes) = match only.map(|param| param.direction) {
        Some(Direction::In) => (true, false),
        Some(Direction::Out) => (false, true),
        _ => (true, true),
    };
    let is_part = value && (only.is_some() || alone("sendbuf").or(alone("recvbuf")).is_some());
    let (sent, received) = (&mut sides.sent, &mut sides.received);
    let both =
        |slot: fn(&mut Side) -> &mut Option<String>, sent: &mut Side, received: &mut Side| {
            if goes {
                *slot(sent) = Some(name.clone());
            }
            if comes {
                *slot(received) = Some(name.clone());
            }
        };
    match param.name.as_str() {
        "dest" => sent.peer = Some(name),
        "source" if value => received.peer = Some(name),
        "root" | "target_rank" => {
            sent.peer = Some(name.clone());
            received.peer = Some(name);
        }
        "sendtag" => sent.tag = Some(name),
        "recvtag" => received.tag = Some(name),
        "tag" if value && is_sent(function) => sent.tag = Some(name),
        "tag" if value => received.tag = Some(name),
        "sendbuf" => sent.buffer = Some(name),
        "recvbuf" | "result_addr" => received.buffer = Some(name),
        "sendcount" => sent.count = Some(name),
        "recvcount" | "result_count" if value => received.count = Some(name),
        "sendcounts" => sent.counts = Some(counts(param)),
        "recvcounts" => received.counts = Some(counts(param)),
        "sendtypes" => sent.types = Some(name),
        "recvtypes" => received.types = Some(name),
        "sendtype" => sent.datatype = Some(name),
        "recvtype" | "result_datatype" => received.datatype = Some(name),
        "buf" | "buffer" | "origin_addr" => both(|side| &mut side.buffer, sent, received),
        "count" | "origin_count" if is_part => both(|side| &mut side.count, sent, received),
        "datatype" | "origin_datatype" if is_part => {
            both(|side| &mut side.datatype, sent, received)
        }
        _ => {}
    }
}

/// The expression for an array of counts of either width.
fn counts(param: &Param) -> String {
    let width = match param.ty.starts_with("const int") {
        true => "narrow",
        false => "wide",
    };
    format!("IntPtr::{width}({})", rust::ident(&param.name))
}

/// The field of a side, where anything of it is known.
fn side(field: &str, side: &Side) -> Option<String> {
    let values = [
        ("peer", &side.peer, "@"),
        ("tag", &side.tag, "@"),
        ("count", &side.count, "@ as i64"),
        ("counts", &side.counts, "@"),
        ("datatype", &side.datatype, "@"),
        ("types", &side.types, "@"),
        ("buffer", &side.buffer, "@ as usize"),
    ];
    let known = values.iter().filter_map(|(field, param, form)| {
        let param = param.as_ref()?;
        let value = form.replace('@', param);
        Some(match *field == value {
            true => value,
            false => format!("{field}: {value}"),
        })
    });
    let known: Vec<String> = known.collect();
    match known.is_empty() {
        true => None,
        false => Some(format!(
            "{field}: hooks::Side {{ {}, ..hooks::Side::NONE }}",
            known.join(", ")
        )),
    }
}

/// The variant of `hooks::Role`: what messages a call has to do with.
fn role(function: &Function) -> &'static str {
    let name = function.name.trim_end_matches("_c");
    match name.strip_prefix("MPI_").unwrap_or(name) {
        "Send" | "Bsend" | "Ssend" | "Rsend" | "Isend" | "Ibsend" | "Issend" | "Irsend"
        | "Isendrecv" | "Isendrecv_replace" => "Sends",
        "Recv" | "Mrecv" => "Receives",
        "Sendrecv" | "Sendrecv_replace" => "Exchanges",
        "Irecv" | "Imrecv" => "Posts",
        "Send_init" | "Bsend_init" | "Ssend_init" | "Rsend_init" => "PreparesSend",
        "Recv_init" => "PreparesReceive",
        "Mprobe" | "Improbe" => "Matches",
        "Start" | "Startall" => "Starts",
        "Put" | "Rput" | "Accumulate" | "Raccumulate" => "Puts",
        "Get" | "Rget" => "Gets",
        "Get_accumulate" | "Rget_accumulate" | "Fetch_and_op" | "Compare_and_swap" => "Swaps",
        _ => "Other",
    }
}
