//! The report of a job in which nothing moves: who waits for whom, made of the accounts of its
//! processes ([`bootstrap::account`]).
//!
//! A process that waits points at those that it waits for: the other side of a message, all
//! processes of a collective that are not in it, the holder of a lock. Where such pointers form a
//! cycle, that is the deadlock; otherwise they lead to processes that wait for nothing, which are
//! the ones that the others miss. The report has ten lines at most but for the ranks that it lists.
//!
//! What one look shows may be over at the next moment. So a process counts as one that waits where
//! two looks show that nothing has happened in between, and a cycle as a deadlock where nobody else
//! can end it ([`mod@judge`]).

use std::collections::{BTreeMap, BTreeSet};

use bootstrap::account::{Account, Lock, Object, Pending, Unexpected};

use calls::{is_collective, is_lock, polls, waits_for_one};
pub use judge::{judge, Judgement, Terms, GAP};
use launch_job::rank_list;
pub use snapshot::Snapshot;

/// Most lines about processes that wait.
const LINES_MAX: usize = 8;

/// Returns the report of a job, line by line; the last line names the culprit.
pub fn report(ranks: &BTreeMap<u32, Snapshot>, judged: &Judgement) -> Vec<String> {
    let job = JobView { ranks, judged };
    let waiting: Vec<u32> = job.waiting().map(|(rank, _)| rank).collect();
    let (many, all) = (waiting.len(), ranks.len());
    let mut lines = vec![format!(
        "{many} of {all} ranks wait in MPI{}",
        job.duration()
    )];
    let edges: BTreeMap<u32, BTreeSet<u32>> = waiting
        .iter()
        .map(|rank| (*rank, job.missed_by(*rank)))
        .collect();
    let cycle = cycle(&job.within(&edges));
    let first = cycle.clone().unwrap_or_default();
    let rest = waiting.iter().filter(|rank| !first.contains(rank));
    let order: Vec<u32> = first.iter().chain(rest).copied().collect();
    lines.extend(job.accounts(&order));
    lines.extend(job.others());
    lines.extend(job.near_misses());
    lines.push(job.verdict(&edges, cycle.as_deref()));
    lines
}

/// Returns the whole account of a process, for `oxmpi_info --queues`.
pub fn queues(rank: u32, pid: u32, account: &Account) -> String {
    let (receives, sends): (Vec<&Pending>, Vec<&Pending>) =
        account.pending.iter().partition(|one| !one.sends);
    let pending = |one: &&Pending| match one.collective {
        true => format!("{} (part of a collective call)", side(one)),
        false => side(one),
    };
    let unexpected = |one: &Unexpected| {
        let (peer, tag, bytes) = (one.peer, one.tag, one.bytes);
        format!(
            "from rank {peer}, tag {tag}, {bytes} bytes, on {}",
            one.comm
        )
    };
    let lock = |lock: &Lock| format!("of rank {}", lock.target);
    let lists: [(&str, Vec<String>); 4] = [
        ("receives posted", receives.iter().map(pending).collect()),
        ("sends not complete", sends.iter().map(pending).collect()),
        (
            "messages that no receive has accepted",
            account.unexpected.iter().map(unexpected).collect(),
        ),
        ("locks of windows", account.locks.iter().map(lock).collect()),
    ];
    let seconds = account.waited as f64 / 1000.0;
    let mut text = format!(
        "rank {rank} (process {pid}): {}, for {seconds:.1} s\n",
        text_of(account)
    );
    for (title, lines) in lists {
        text.push_str(&format!("  {title}: {}\n", lines.len()));
        lines
            .iter()
            .for_each(|line| text.push_str(&format!("    {line}\n")));
    }
    text
}

/// Returns what is known of a process that has sent no account, for `oxmpi_info --queues`.
pub fn state_of(rank: u32, pid: u32, is_connected: bool, system: &str) -> String {
    let known = match is_connected {
        true => Snapshot::Silent(system.to_string()),
        false => Snapshot::Unconnected(system.to_string()),
    };
    let state = state(&known).unwrap_or_default();
    format!("rank {rank} (process {pid}): {state}\n")
}

struct JobView<'a> {
    ranks: &'a BTreeMap<u32, Snapshot>,
    judged: &'a Judgement,
}

impl<'a> JobView<'a> {
    fn account(&self, rank: u32) -> Option<&'a Account> {
        match self.ranks.get(&rank)? {
            Snapshot::Account(account) => Some(account),
            _ => None,
        }
    }

    fn waiting(&self) -> impl Iterator<Item = (u32, &'a Account)> + '_ {
        let ranks = self.judged.waiting.iter();
        ranks.filter_map(|rank| Some((*rank, self.account(*rank)?)))
    }

    /// Returns whom processes miss, of those that nobody else lets go on.
    fn within(&self, edges: &BTreeMap<u32, BTreeSet<u32>>) -> BTreeMap<u32, BTreeSet<u32>> {
        let stuck = edges
            .iter()
            .filter(|(rank, _)| self.judged.perhaps.contains(rank));
        stuck.map(|(rank, peers)| (*rank, peers.clone())).collect()
    }

    /// Says how long the processes wait at least, where that is known and seconds.
    fn duration(&self) -> String {
        let seconds = self.waiting().map(|(_, account)| account.waited / 1000);
        match seconds.filter(|seconds| *seconds > 0).min() {
            Some(seconds) => format!(" (for {seconds} s or more)"),
            None => String::new(),
        }
    }

    /// Returns the processes without which a process cannot go on.
    fn missed_by(&self, rank: u32) -> BTreeSet<u32> {
        let Some(account) = self.account(rank) else {
            return BTreeSet::new();
        };
        if let Some(holders) = self.holders(rank, account) {
            return holders;
        }
        if let Some(object) = account
            .object
            .as_ref()
            .filter(|_| is_collective(&account.call))
        {
            return self.absent(rank, account, object);
        }
        let own = account.pending.iter().filter(|one| !one.collective);
        let mut missed = BTreeSet::new();
        // Where the call waits for one message, that one comes first.
        let one = waits_for_one(&account.call);
        for pending in own.take(if one { 1 } else { usize::MAX }) {
            match pending.peer {
                Some(peer) => missed.extend([peer]),
                None => missed.extend(self.ranks.keys().filter(|other| **other != rank)),
            }
        }
        missed
    }

    /// Returns the members of a communicator that are not in the collective call of a process.
    fn absent(&self, rank: u32, account: &Account, object: &Object) -> BTreeSet<u32> {
        let is_there = |member: u32| {
            let other = self.account(member);
            other.is_some_and(|other| {
                let same = other
                    .object
                    .as_ref()
                    .is_some_and(|o| o.context == object.context);
                same && other.call == account.call
            })
        };
        let members = object.members.iter().copied();
        let absent: BTreeSet<u32> = members
            .filter(|member| *member != rank && !is_there(*member))
            .collect();
        if !absent.is_empty() {
            return absent;
        }
        // All are in calls of that name: what the messages wait for distinguishes them.
        let pending = account.pending.iter().filter(|one| one.collective);
        pending.filter_map(|one| one.peer).collect()
    }

    /// Returns the processes that have the lock which a process waits for.
    fn holders(&self, rank: u32, account: &Account) -> Option<BTreeSet<u32>> {
        let window = account.object.as_ref().filter(|_| is_lock(&account.call))?;
        let wanted: Vec<u32> = account.locks_of(window.context);
        let holds = |(other, theirs): &(u32, &Account)| {
            let waits = is_lock(&theirs.call) && theirs.is_on(window.context);
            let has = theirs.locks_of(window.context);
            *other != rank && !waits && has.iter().any(|target| wanted.contains(target))
        };
        let holders: BTreeSet<u32> = self.waiting().filter(holds).map(|(rank, _)| rank).collect();
        match holders.is_empty() {
            // A holder that is not in MPI has sent no account.
            true => Some(self.outside()),
            false => Some(holders),
        }
    }

    /// Returns the processes that are alive and do not wait in MPI.
    fn outside(&self) -> BTreeSet<u32> {
        let is_over = |known: &Snapshot| matches!(known, Snapshot::Finalized | Snapshot::Exited);
        let outside = |(rank, known): &(&u32, &Snapshot)| {
            !is_over(known) && !self.judged.waiting.contains(rank)
        };
        let ranks = self.ranks.iter().filter(outside);
        ranks.map(|(rank, _)| *rank).collect()
    }

    /// Returns a line for each of some processes that wait, of equal ones one.
    fn accounts(&self, some: &[u32]) -> Vec<String> {
        let mut groups: Vec<(String, Vec<u32>)> = Vec::new();
        for rank in some {
            let Some(account) = self.account(*rank) else {
                continue;
            };
            let text = text_of(account);
            match groups.iter_mut().find(|(other, _)| *other == text) {
                Some((_, ranks)) => ranks.push(*rank),
                None => groups.push((text, vec![*rank])),
            }
        }
        groups
            .iter_mut()
            .for_each(|(_, ranks)| ranks.sort_unstable());
        let left = groups.len().saturating_sub(LINES_MAX);
        let shown = groups.iter().take(LINES_MAX);
        let mut lines: Vec<String> = shown
            .map(|(text, ranks)| format!("  {}: {text}", rank_list(ranks)))
            .collect();
        if left > 0 {
            lines.push(format!("  and {left} more that wait otherwise"));
        }
        lines
    }

    /// Returns a line for each state that processes which do not wait are in.
    fn others(&self) -> Vec<String> {
        let mut states: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (rank, known) in self.ranks {
            if self.judged.waiting.contains(rank) {
                continue;
            }
            if let Some(text) = state(known) {
                states.entry(text).or_default().push(*rank);
            }
        }
        let line = |(text, ranks): (&String, &Vec<u32>)| format!("  {}: {text}", rank_list(ranks));
        states.iter().map(line).collect()
    }

    /// Returns a line for each pair of a receive that waits and a message that nearly fits it.
    fn near_misses(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (rank, account) in self.waiting() {
            let receives = account
                .pending
                .iter()
                .filter(|one| !one.sends && !one.collective);
            for receive in receives.take(1) {
                let nearest = account.unexpected.iter().find_map(|message| {
                    Some(format!(
                        "  near miss: rank {rank} has a message of rank {} with tag {} on {} ({}), \
                         and waits for one {}",
                        message.peer,
                        message.tag,
                        message.comm,
                        difference(receive, message)?,
                        side(receive),
                    ))
                });
                lines.extend(nearest);
            }
        }
        lines.truncate(2);
        lines
    }

    /// Returns the line that names the culprit.
    fn verdict(&self, edges: &BTreeMap<u32, BTreeSet<u32>>, cycle: Option<&[u32]>) -> String {
        if let Some(text) = self.lock_kept() {
            return text;
        }
        let missed = |rank: &u32| edges.values().filter(|peers| peers.contains(rank)).count();
        let not_waiting = self.ranks.keys().filter(|rank| !edges.contains_key(rank));
        let missing: Vec<u32> = not_waiting
            .filter(|rank| missed(rank) > 0)
            .copied()
            .collect();
        let left_out = self.left_out(edges);
        if let Some(cycle) = cycle.filter(|_| !missing.is_empty() || left_out.is_none()) {
            return self.deadlock(cycle);
        }
        if let Some(text) = left_out.filter(|_| missing.is_empty()) {
            return text;
        }
        if !missing.is_empty() {
            let waiting = missing.iter().map(missed).max().unwrap_or(0);
            let states: BTreeSet<String> = missing
                .iter()
                .filter_map(|rank| state(self.ranks.get(rank)?))
                .collect();
            let states: Vec<String> = states.into_iter().collect();
            let wait = match waiting {
                1 => "1 rank waits".to_string(),
                ranks => format!("{ranks} ranks wait"),
            };
            let guilt = self.guilt(&missing);
            let missing = rank_list(&missing);
            let states = states.join("; ");
            return format!("{guilt}: {missing}, which {wait} for: {states}");
        }
        let open = self.waiting().filter(|(_, account)| account.is_open);
        let open: Vec<u32> = open.map(|(rank, _)| rank).collect();
        match (edges.is_empty(), open.is_empty()) {
            (true, _) => match self.polling() {
                ranks if ranks.is_empty() => "no rank waits in MPI".to_string(),
                ranks => format!(
                    "no deadlock is certain: {} may be polling for each other",
                    rank_list(&ranks)
                ),
            },
            (false, true) => "no rank is known that the others wait for".to_string(),
            (false, false) => format!(
                "no deadlock is certain: {} may wait for other processes or for a file",
                rank_list(&open)
            ),
        }
    }

    /// Returns the processes that poll.
    fn polling(&self) -> Vec<u32> {
        let ranks = self.ranks.keys().copied();
        let polls = |rank: &u32| {
            let account = self.account(*rank);
            account.is_some_and(|account| polls(&account.call))
        };
        ranks.filter(polls).collect()
    }

    /// Says what processes are to those that wait for them: one that polls or goes on may come to
    /// what they wait for.
    fn guilt(&self, missing: &[u32]) -> &'static str {
        let mut accounts = missing.iter().map(|rank| self.account(*rank));
        if accounts.clone().any(|account| account.is_none()) {
            return "culprit";
        }
        match accounts.any(|account| account.is_some_and(|account| polls(&account.call))) {
            true => "no deadlock is certain",
            false => "no deadlock",
        }
    }

    /// Names processes that wait for each other.
    fn deadlock(&self, cycle: &[u32]) -> String {
        let chain: Vec<String> = cycle
            .iter()
            .chain(&cycle[..1])
            .map(u32::to_string)
            .collect();
        let chain = match cycle {
            [rank] => format!("rank {rank} waits for itself"),
            _ => format!("{} wait for each other", chain.join(" -> ")),
        };
        match cycle.iter().all(|rank| self.judged.stuck.contains(rank)) {
            true => format!("deadlock: {chain}"),
            false => format!(
                "perhaps a deadlock: {chain}, unless one of their threads outside of MPI goes on"
            ),
        }
    }

    /// Names the process that keeps a lock which another one waits for.
    fn lock_kept(&self) -> Option<String> {
        self.waiting().find_map(|(rank, account)| {
            let window = account.object.as_ref()?;
            let holders = self.holders(rank, account)?;
            let holder = *holders
                .iter()
                .find(|holder| self.account(**holder).is_some())?;
            let wanted = account.locks_of(window.context);
            let theirs = self.account(holder)?.locks_of(window.context);
            let target = wanted.into_iter().find(|target| theirs.contains(target))?;
            Some(format!(
                "culprit: rank {holder}, which keeps the lock of rank {target} on {}, for which \
                 rank {rank} waits",
                window.name
            ))
        })
    }

    /// Names the processes that are in other calls than most members of the collective that these
    /// are in.
    fn left_out(&self, edges: &BTreeMap<u32, BTreeSet<u32>>) -> Option<String> {
        let collective = |(_, account): &(u32, &Account)| is_collective(&account.call);
        let (rank, account) = self
            .waiting()
            .filter(collective)
            .max_by_key(|(rank, account)| (self.company(account), u32::MAX - rank))?;
        let object = account.object.as_ref()?;
        let absent: Vec<u32> = edges.get(&rank)?.iter().copied().collect();
        let (first, other) = absent.iter().find_map(|r| Some((*r, self.account(*r)?)))?;
        let is_there = other.call == account.call && other.is_on(object.context);
        if is_there || absent.len() > self.company(account) {
            return None;
        }
        let others = absent.iter().filter(|rank| {
            self.account(**rank)
                .is_some_and(|account| text_of(account) == text_of(other))
        });
        let others: Vec<u32> = others.copied().collect();
        debug_assert!(others.contains(&first));
        Some(format!(
            "culprit: {}, in {}, while {} in {} on {}",
            rank_list(&others),
            text_of(other),
            match self.company(account) {
                1 => format!("rank {rank} is"),
                ranks => format!("{ranks} ranks are"),
            },
            account.call,
            object.name
        ))
    }

    /// Returns how many processes are in the call of one, on its object.
    fn company(&self, account: &Account) -> usize {
        let Some(object) = &account.object else {
            return 0;
        };
        let same = |other: &Account| other.call == account.call && other.is_on(object.context);
        self.waiting().filter(|(_, other)| same(other)).count()
    }
}

/// Queries of an account.
trait AccountQueries {
    fn is_on(&self, context: u64) -> bool;
    fn locks_of(&self, window: u64) -> Vec<u32>;
}

impl AccountQueries for Account {
    fn is_on(&self, context: u64) -> bool {
        self.object
            .as_ref()
            .is_some_and(|object| object.context == context)
    }

    fn locks_of(&self, window: u64) -> Vec<u32> {
        let of_it = self.locks.iter().filter(|lock| lock.window == window);
        of_it.map(|lock| lock.target).collect()
    }
}

/// Returns the shortest cycle among processes that wait, from its lowest rank on.
fn cycle(edges: &BTreeMap<u32, BTreeSet<u32>>) -> Option<Vec<u32>> {
    let mut shortest: Option<Vec<u32>> = None;
    for start in edges.keys() {
        let mut from: BTreeMap<u32, u32> = BTreeMap::new();
        let mut queue = std::collections::VecDeque::from([*start]);
        while let Some(rank) = queue.pop_front() {
            for next in edges.get(&rank).into_iter().flatten() {
                if *next == *start {
                    let path = path(&from, *start, rank);
                    if shortest.as_ref().is_none_or(|best| path.len() < best.len()) {
                        shortest = Some(path);
                    }
                } else if edges.contains_key(next) && !from.contains_key(next) {
                    from.insert(*next, rank);
                    queue.push_back(*next);
                }
            }
        }
    }
    shortest
}

fn path(from: &BTreeMap<u32, u32>, start: u32, end: u32) -> Vec<u32> {
    let mut path = vec![end];
    let mut rank = end;
    while rank != start {
        rank = from[&rank];
        path.push(rank);
    }
    path.reverse();
    path
}

/// Returns what a process waits for, as a clause.
fn text_of(account: &Account) -> String {
    let call = match account.call.as_str() {
        "" => "MPI",
        call => call,
    };
    let on = account
        .object
        .as_ref()
        .map(|object| format!(" on {}", object.name));
    let on = on.unwrap_or_default();
    if is_collective(call) || is_lock(call) {
        let of: Vec<u32> = account
            .object
            .iter()
            .flat_map(|o| account.locks_of(o.context))
            .collect();
        let of = match is_lock(call) && !of.is_empty() {
            true => format!(" for the lock of {}", rank_list(&of)),
            false => String::new(),
        };
        return format!("{call}{of}{on}");
    }
    let own: Vec<&Pending> = account
        .pending
        .iter()
        .filter(|one| !one.collective)
        .collect();
    match own.first() {
        None => format!("{call}{on}"),
        Some(first) => {
            let more = match own.len() - 1 {
                0 => String::new(),
                _ if waits_for_one(call) => String::new(),
                more => format!(", and {} more", count(more, "message")),
            };
            let what = match call.contains("send") || call.contains("recv") {
                true => "",
                false if call.contains("Send") || call.contains("Recv") => "",
                false => "for a message ",
            };
            format!("{call} {what}{}{more}", side(first))
        }
    }
}

/// Returns a message that is not complete, as its process sees it.
fn side(one: &Pending) -> String {
    let peer = one
        .peer
        .map_or("any rank".to_string(), |peer| format!("rank {peer}"));
    let tag = match one.tag {
        Some(tag) => format!(", tag {tag}"),
        None if one.sends => String::new(),
        None => ", any tag".to_string(),
    };
    let comm = match one.comm.as_str() {
        "" => String::new(),
        comm => format!(", on {comm}"),
    };
    let (way, rest) = match (one.sends, one.queued) {
        (true, true) => ("to", ", queued: it takes nothing"),
        (true, false) => ("to", ", not received"),
        (false, _) => ("from", ""),
    };
    format!("{way} {peer}{tag}, {} bytes{comm}{rest}", one.bytes)
}

/// Says what keeps a message from a receive; `None` where they are about different things.
fn difference(receive: &Pending, message: &Unexpected) -> Option<&'static str> {
    let peer = receive.peer.is_none_or(|peer| peer == message.peer);
    let tag = receive.tag.is_none_or(|tag| tag == message.tag);
    let comm = receive.context == message.context;
    match (peer, tag, comm) {
        (true, false, true) => Some("another tag"),
        (true, true, false) => Some("another communicator"),
        (false, true, true) => Some("another sender"),
        (true, false, false) => Some("another tag and communicator"),
        _ => None,
    }
}

/// Returns the state of a process that does not wait in MPI.
fn state(known: &Snapshot) -> Option<String> {
    let with = |text: &str, system: &str| match system {
        "" => text.to_string(),
        system => format!("{text} ({system})"),
    };
    match known {
        Snapshot::Account(account) if polls(&account.call) => {
            Some(format!("polls: {}", text_of(account)))
        }
        Snapshot::Account(account) if account.call.is_empty() => Some("goes on".to_string()),
        Snapshot::Account(account) => Some(format!("goes on, now in {}", account.call)),
        Snapshot::Silent(system) => Some(with("outside of MPI", system)),
        Snapshot::Unconnected(system) => Some(with("has not called MPI_Init", system)),
        Snapshot::Finalized => Some("has called MPI_Finalize".to_string()),
        Snapshot::Exited => Some("has ended".to_string()),
    }
}

fn count(many: usize, of: &str) -> String {
    match many {
        1 => format!("1 {of}"),
        many => format!("{many} {of}s"),
    }
}

mod calls;
mod judge;
mod snapshot;
#[cfg(test)]
mod tests;
