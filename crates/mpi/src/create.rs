//! Creation of communicators from others (MPI 5.0, 7.4 to 7.6).
//!
//! The first process of the new group names its context; the functions below only differ in how the
//! others learn the name. Where all processes of the old communicator take part, everybody offers a
//! name along with what must be exchanged anyway, and the first one's is used. Duplicates need no
//! message: their names follow from the original's.
//!
//! A name has 64 bits and is never used again: the rank in the world of the process that named it,
//! that process's count, the number of a duplicate, and the plane. Where members come from several
//! worlds, whose ranks and counts coincide, 49 bits are random: two of 10,000 such communicators of
//! a process meet with a probability of 10^-7.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use base::{Fnv, PeerId, Rank};
use coll::{Peer, Port, Running};
use datatype::Buffer;
use memory::{Scratch, UserBuf};
use pml::{Context, Mode, Pattern, Pml, Tag};

use crate::comm::Comm;
use crate::numbers::Numbers;
use crate::tags;
use crate::{Bridge, Class, Error, Group, Request, Topology, NO_PARTNER};
use mpi_local::contexts::TWIN_LEVELS;

impl Comm {
    /// Gathers an equal count of numbers from every process of the own group, in rank order.
    ///
    /// # Errors
    /// When a message fails.
    pub fn collect(&self, mine: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
        let (width, size) = (mine.len(), self.size() as usize);
        let own = Numbers::of(mine);
        let all = Numbers::new(width * size);
        let send = Some(own.buffer());
        let blocks = coll::Blocks::even(all.buffer(), size as u32);
        let rules = self.rules();
        self.run(|port| coll::allgather(port, rules, self.team(), send, blocks))?;
        Ok(all.rows(width))
    }

    /// Sends numbers of the own group's first process to all of it.
    ///
    /// # Errors
    /// When a message fails.
    pub fn share_values(&self, values: &[u64]) -> Result<Vec<u64>, Error> {
        let numbers = Numbers::of(values);
        let team = self.team();
        let rules = self.rules();
        // Inside an inter-communicator `Team` peers are those of the own group.
        self.run(|port| coll::bcast(port, rules, team, 0, numbers.buffer()))?;
        Ok(numbers.all())
    }

    /// Returns a communicator of the same groups (MPI 5.0, 7.4.2). Attributes, info and error
    /// handler are the caller's to copy.
    ///
    /// A name has room for a number of duplicates that all processes count alike, so most
    /// duplicates need no message.
    ///
    /// # Errors
    /// When the communicator was revoked, a member has failed, or a message fails.
    pub fn duplicate(&self) -> Result<Comm, Error> {
        self.check_members()?;
        if let Some(context) = self.twin_context() {
            return Ok(self.twin(context));
        }
        let context = match self.is_inter() {
            false => Context(self.share_values(&[self.new_context().0])?[0]),
            true => self.agree_between()?,
        };
        Ok(self.twin(context))
    }

    /// Begins a duplicate without waiting: the communicator may be used when the request is
    /// complete (MPI 5.0, 7.4.2, MPI_Comm_idup).
    ///
    /// # Errors
    /// When the communicator was revoked, or a member has failed.
    pub fn start_duplicate(self: &Arc<Comm>) -> Result<(Arc<Comm>, Request), Error> {
        self.check_members()?;
        if let Some(context) = self.twin_context() {
            return Ok((Arc::new(self.twin(context)), Request::Done(NO_PARTNER)));
        }
        let made = Arc::new(self.unopened_twin());
        let begin = |port: &Port| self.settle_later(port, made.clone());
        let request = self.start_labelled(self.own_label(), begin);
        Ok((made, request))
    }

    /// Agrees with all processes on a name for a communicator that has none.
    fn settle_later(&self, port: &Port, made: Arc<Comm>) -> Running {
        let (team, inter, rules) = (self.team(), self.inter(), self.rules().clone());
        let own = self.new_context().0;
        let port = port.clone();
        Box::pin(async move {
            // The port owns these, should the call fail with messages under way.
            let (name, theirs) = (port.scratch(8), port.scratch(8));
            name.write(0, &own.to_le_bytes());
            let number = |of: UserBuf| {
                let mut bytes = [0; 8];
                of.read(0, &mut bytes);
                u64::from_le_bytes(bytes)
            };
            if inter.is_some_and(|inter| inter.rank == 0) {
                let (to, from) = (Buffer::bytes(name), Buffer::bytes(theirs));
                let leader = Peer::remote(0);
                port.exchange(leader, &to, leader, &from).await?;
                name.write(0, &own.min(number(theirs)).to_le_bytes());
            }
            coll::bcast(&port, &rules, team, 0, Buffer::bytes(name)).await?;
            made.settle(Context(number(name)));
            Ok(())
        })
    }

    /// The context of the next duplicate under this communicator's name; `None` when this one is
    /// a duplicate of a duplicate, or there were too many.
    fn twin_context(&self) -> Option<Context> {
        let unused = |(shift, most): &(u32, u64)| (self.context() >> shift) & most == 0;
        // The first level that is free here and, with it, all below.
        let at = TWIN_LEVELS.iter().position(unused)?;
        let (shift, most) = TWIN_LEVELS[at..]
            .iter()
            .all(unused)
            .then_some(TWIN_LEVELS[at])?;
        let number = u64::from(self.twins.fetch_add(1, Ordering::Relaxed)) + 1;
        (number <= most).then(|| Context(self.context() + (number << shift)))
    }

    /// A communicator like this one in another context.
    pub(crate) fn twin(&self, context: Context) -> Comm {
        let twin = self.unopened_twin();
        twin.settle(context);
        twin
    }

    /// Returns a duplicate whose context is not known yet.
    fn unopened_twin(&self) -> Comm {
        let mut twin = Comm::unopened(
            self.process(),
            self.group().clone(),
            Rank(self.rank()),
            self.remote_group().cloned(),
            self.topology().cloned(),
            "",
        );
        // A table of nodes is as large as the group.
        twin.share_rules(self);
        twin.routes = self.routes.clone();
        if self.needed().is_some() {
            twin.need_all();
        }
        twin
    }

    /// Returns a context that both groups of an inter-communicator agree on. Both groups make
    /// equally many calls, since calls are counted alike on both sides.
    fn agree_between(&self) -> Result<Context, Error> {
        let own = self.share_values(&[self.new_context().0])?;
        let theirs = self.swap_leaders(&own)?;
        Ok(Context(own[0].min(theirs[0])))
    }

    /// Exchanges numbers between the first processes of both groups, which send them to their
    /// groups.
    fn swap_leaders(&self, mine: &[u64]) -> Result<Vec<u64>, Error> {
        let received = Numbers::new(mine.len());
        if self.rank() == 0 {
            let sent = Numbers::of(mine);
            let plane = self.planes().remote;
            let tag = tags::of_group(0);
            self.swap(plane, Rank(0), tag, &sent, &received)?;
        }
        let values = received.all();
        self.share_values(&values)
    }

    fn swap(
        &self,
        plane: pml::CommId,
        with: Rank,
        tag: Tag,
        sent: &Numbers,
        received: &Numbers,
    ) -> Result<(), Error> {
        let process = self.process();
        let pattern = Pattern {
            source: Some(with),
            tag: Some(tag),
        };
        let request = process
            .engine
            .enter()
            .start_recv(plane, pattern, received.buffer());
        process.send(plane, with, tag, sent.buffer(), Mode::Standard)?;
        process.wait_among(self.planes(), request)?;
        Ok(())
    }

    /// Returns the part of the communicator whose processes passed this colour, ordered by key and
    /// then by rank (MPI 5.0, 7.4.2). `None` without a colour.
    ///
    /// # Errors
    /// When a message fails.
    pub fn split(&self, color: Option<u32>, key: i32) -> Result<Option<Comm>, Error> {
        self.check_members()?;
        if self.is_inter() {
            return self.split_inter(color, key);
        }
        let rows = self.collect(&self.ballot(color, key))?;
        let Some(color) = color else { return Ok(None) };
        let (ranks, context) = elected(&rows, color);
        Ok(Some(self.part(&ranks, Context(context), None, None)))
    }

    /// Returns a number that the processes of one node have in common, and no others.
    pub fn node_color(&self) -> u32 {
        let identity = &self.process().identity;
        if !self.has_foreign() {
            return identity.node();
        }
        let groups = [Some(self.group()), self.remote_group()];
        let peers = groups.into_iter().flatten().flat_map(Group::peers);
        let peers: Vec<PeerId> = peers.copied().collect();
        self.process().nodes_of(&peers)[self.rank() as usize]
    }

    fn ballot(&self, color: Option<u32>, key: i32) -> [u64; 3] {
        let color = color.map_or(u64::MAX, u64::from);
        [color, key as u32 as u64, self.new_context().0]
    }

    fn split_inter(&self, color: Option<u32>, key: i32) -> Result<Option<Comm>, Error> {
        let inter = self.inter().expect("an inter-communicator");
        let own = Numbers::of(&self.ballot(color, key));
        let theirs = Numbers::new(3 * inter.remote_size as usize);
        let rows = self.collect(&self.ballot(color, key))?;
        let (send, recv) = (own.buffer(), theirs.buffer());
        let rules = self.rules();
        self.run(|port| coll::inter_allgather(port, rules, inter, send, recv))?;
        let far = theirs.rows(3);
        // The names offered in the two exchanges differ; those of the second went to the other
        // group, those of the first stayed: each group uses what both know of one of them.
        let Some(color) = color else { return Ok(None) };
        let (near_ranks, _) = elected(&rows, color);
        let (far_ranks, _) = elected(&far, color);
        if far_ranks.is_empty() {
            return Ok(None);
        }
        let near = subset(self.group(), &near_ranks);
        let remote = subset(self.far_group(), &far_ranks);
        let context = self.agree_in_parts(&near_ranks, &far_ranks)?;
        let rank = near.rank(self.process().identity.peer).expect("a member");
        Ok(Some(Comm::open_with(
            self.process(),
            context,
            near,
            rank,
            Some(remote),
            None,
            "",
        )))
    }

    /// Returns a context for the parts of two groups: the first processes of the parts agree, and
    /// notify their parts one by one.
    fn agree_in_parts(&self, near_ranks: &[u32], far_ranks: &[u32]) -> Result<Context, Error> {
        let tag = tags::of_group(1);
        let agreed = Numbers::new(1);
        if near_ranks[0] == self.rank() {
            let own = self.new_context().0;
            let (sent, received) = (Numbers::of(&[own]), Numbers::new(1));
            let plane = self.planes().remote;
            self.swap(plane, Rank(far_ranks[0]), tag, &sent, &received)?;
            // Both know both names; the smaller one is as good as any.
            let context = own.min(received.get(0));
            agreed.set(0, context);
        }
        self.spread(near_ranks, tag, &agreed)?;
        Ok(Context(agreed.get(0)))
    }

    /// Sends a number of the first of some ranks to the others, along a binomial tree.
    fn spread(&self, ranks: &[u32], tag: Tag, number: &Numbers) -> Result<(), Error> {
        let process = self.process();
        let plane = self.planes().local;
        let me = ranks
            .iter()
            .position(|rank| *rank == self.rank())
            .expect("a member");
        let mut step = 1;
        while step < ranks.len() {
            if me >= step && me < 2 * step {
                let source = Some(Rank(ranks[me - step]));
                let pattern = Pattern {
                    source,
                    tag: Some(tag),
                };
                let request = process
                    .engine
                    .enter()
                    .start_recv(plane, pattern, number.buffer());
                process.wait_among(self.planes(), request)?;
            } else if me < step && me + step < ranks.len() {
                let to = Rank(ranks[me + step]);
                process.send(plane, to, tag, number.buffer(), Mode::Standard)?;
            }
            step *= 2;
        }
        Ok(())
    }

    /// The communicator of a subgroup; all processes of this one call it, each with the group
    /// that it will be in (MPI 5.0, 7.4.2, MPI_Comm_create). `None` for those in no group.
    ///
    /// # Errors
    /// When the group has members that this communicator lacks, or a message fails.
    pub fn create(&self, group: &Group) -> Result<Option<Comm>, Error> {
        let ranks = self.ranks_of(group)?;
        self.check_members()?;
        if self.is_inter() {
            return self.create_inter(group, &ranks);
        }
        let rows = self.collect(&[self.new_context().0])?;
        match ranks.contains(&self.rank()) {
            true => {
                let context = Context(rows[ranks[0] as usize][0]);
                Ok(Some(self.part(&ranks, context, None, None)))
            }
            false => Ok(None),
        }
    }

    fn create_inter(&self, group: &Group, ranks: &[u32]) -> Result<Option<Comm>, Error> {
        // An inter-communicator's part is a split in which members have one colour; the keys put
        // them in the order of the group.
        let key = group.rank(self.process().identity.peer).map(|rank| rank.0);
        debug_assert!(ranks.len() == group.size());
        self.split_inter(key.map(|_| 0), key.unwrap_or(0) as i32)
    }

    /// Returns the communicator of a subgroup; only its members call it, with a tag that separates
    /// concurrent calls (MPI 5.0, 7.4.2, MPI_Comm_create_group). Processes that have failed do not
    /// matter unless they are in the group.
    ///
    /// # Errors
    /// When the group has members that this communicator lacks, the communicator was revoked, a
    /// member of the group has failed, or a message fails.
    pub fn create_group(&self, group: &Group, tag: Tag) -> Result<Option<Comm>, Error> {
        let ranks = self.ranks_of(group)?;
        self.check_revoked()?;
        if !ranks.contains(&self.rank()) {
            return Ok(None);
        }
        self.check_living(std::iter::once(group))?;
        let name = Numbers::of(&[self.new_context().0]);
        self.spread(&ranks, tags::of_group(tag), &name)?;
        Ok(Some(self.part(&ranks, Context(name.get(0)), None, None)))
    }

    /// Implements `Process::create_from_group` by messages in this communicator, which has
    /// all processes.
    ///
    /// # Errors
    /// When this process is not in the group, calls with different texts met, or a message fails.
    pub fn create_from_group(&self, group: &Group, text: &str) -> Result<Option<Comm>, Error> {
        if group.size() == 0 {
            return Ok(None);
        }
        let ranks = self.ranks_of(group)?;
        if !ranks.contains(&self.rank()) {
            let text = "the calling process is not in the group";
            return Err(Error::new(Class::Group, text));
        }
        let mark = Fnv::of(text.bytes());
        let numbers = Numbers::of(&[self.new_context().0, mark]);
        self.spread(&ranks, tags::of_text(mark), &numbers)?;
        // The tag holds a part of the mark only.
        if numbers.get(1) != mark {
            let text = format!("another string tag is in use that looks like `{text}`");
            return Err(Error::new(Class::Other, text));
        }
        Ok(Some(self.part(&ranks, Context(numbers.get(0)), None, None)))
    }

    /// Implements `Process::create_inter_from_groups` by messages in this communicator.
    ///
    /// # Errors
    /// As [`Comm::create_from_group`] and [`Comm::create_inter_with`].
    pub fn create_inter_from_groups(
        &self,
        local: &Group,
        leader: u32,
        remote: Option<(&Group, u32)>,
        text: &str,
    ) -> Result<Option<Comm>, Error> {
        let Some(half) = self.create_from_group(local, text)? else {
            return Ok(None);
        };
        let bridge = match remote {
            Some((group, rank)) if half.rank() == leader => {
                Some((self, Rank(self.ranks_of(group)?[rank as usize])))
            }
            _ => None,
        };
        match half.join(leader, Ok(bridge), tags::of_text(Fnv::of(text.bytes())))? {
            InterCreated::Made(made) => Ok(Some(*made)),
            InterCreated::Foreign(_) => {
                let text = "a communicator of this job alone has processes of another one";
                Err(Error::new(Class::Intern, text))
            }
        }
    }

    /// The communicator of the first processes of this one, with a topology. `None` beyond them.
    ///
    /// # Errors
    /// When a message fails.
    pub fn with_topology(&self, topology: Topology, size: u32) -> Result<Option<Comm>, Error> {
        self.check_members()?;
        let context = Context(self.share_values(&[self.new_context().0])?[0]);
        if self.rank() >= size {
            return Ok(None);
        }
        let ranks: Vec<u32> = (0..size).collect();
        Ok(Some(self.part(&ranks, context, None, Some(topology))))
    }

    fn part(
        &self,
        ranks: &[u32],
        context: Context,
        remote: Option<Group>,
        topology: Option<Topology>,
    ) -> Comm {
        let group = subset(self.group(), ranks);
        let rank = group.rank(self.process().identity.peer).expect("a member");
        Comm::open_with(self.process(), context, group, rank, remote, topology, "")
    }

    /// The ranks of this communicator that a group consists of.
    fn ranks_of(&self, group: &Group) -> Result<Vec<u32>, Error> {
        let rank_of = |peer: &PeerId| {
            let rank = self.group().rank(*peer).map(|rank| rank.0);
            rank.ok_or_else(|| {
                let text = format!("{peer} is in the group but not in {self}");
                Error::new(Class::Group, text)
            })
        };
        group.peers().iter().map(rank_of).collect()
    }

    /// An inter-communicator of this communicator's group and another, whose first processes
    /// reach each other through `bridge` (MPI 5.0, 7.6.2, MPI_Intercomm_create), which matters at
    /// the leader alone.
    ///
    /// # Errors
    /// When the groups overlap, or a message fails. An error in place of the bridge is reported
    /// to the leader's group, which waits for it.
    pub fn create_inter_with<'a>(
        &self,
        leader: u32,
        bridge: Result<Option<(&'a Comm, Rank)>, Error>,
        tag: Tag,
    ) -> Result<InterCreated<'a>, Error> {
        self.check_members()?;
        self.join(leader, bridge, tags::of_group(tag))
    }

    /// Implements [`Comm::create_inter_with`], by a tag of the collective plane. A leader whose
    /// bridge fails notifies the others.
    fn join<'a>(
        &self,
        leader: u32,
        bridge: Result<Option<(&'a Comm, Rank)>, Error>,
        tag: Tag,
    ) -> Result<InterCreated<'a>, Error> {
        let process = self.process();
        let own = process.new_context().0;
        let mut head = Ok((None, [0, 0]));
        if self.rank() == leader {
            head = self.reach_leader(own, bridge, tag);
        }
        let (sent, class) = match &head {
            Ok((_, head)) => (*head, 0),
            Err(error) => ([0, 0], error.class.code()),
        };
        let shared = self.share_from(leader, &[own, sent[0], sent[1], class as u64])?;
        let (connection, _) = head?;
        self.check_leader(leader, shared[3])?;
        if shared[2] & FOREIGN != 0 {
            return Ok(InterCreated::Foreign(connection));
        }
        let mut peers = Ok(Vec::new());
        if let Some(connection) = &connection {
            peers = self.swap_groups(connection, sent[1]);
        }
        let class = peers
            .as_ref()
            .map_or_else(|error| error.class.code(), |_| 0);
        let mut numbers = vec![class as u64];
        numbers.extend(peers.iter().flatten());
        numbers.resize(1 + shared[2] as usize, 0);
        let numbers = self.share_from(leader, &numbers)?;
        peers?;
        self.check_leader(leader, numbers[0])?;
        let remote = numbers[1..].iter().map(|peer| PeerId(*peer as u32));
        let remote: Vec<PeerId> = remote.collect();
        if remote.iter().any(|peer| self.group().contains(*peer)) {
            return Err(Error::new(
                Class::Comm,
                "the two groups have a process in common",
            ));
        }
        // Both sides know both names; the smaller one is as good as any.
        let context = Context(shared[0].min(shared[1]));
        Ok(InterCreated::Made(Box::new(Comm::open_with(
            process,
            context,
            self.group().clone(),
            Rank(self.rank()),
            Some(Group::new(remote)),
            None,
            "",
        ))))
    }

    /// Exchanges names and sizes with the other leader; called by a leader alone. Returns the
    /// connection, and the other's name and size.
    fn reach_leader<'a>(
        &self,
        own: u64,
        bridge: Result<Option<(&'a Comm, Rank)>, Error>,
        tag: Tag,
    ) -> Result<(Option<Connection<'a>>, [u64; 2]), Error> {
        let (comm, remote) = bridge?.ok_or_else(|| {
            let text = "the leader needs a communicator to the other leader";
            Error::new(Class::Comm, text)
        })?;
        let received = Numbers::new(2);
        // Numbers of foreign processes mean nothing to the other group.
        let foreign = match self.has_foreign() || comm.has_foreign() {
            true => FOREIGN,
            false => 0,
        };
        let sent = Numbers::of(&[own, u64::from(self.size()) | foreign]);
        comm.swap(comm.planes().remote, remote, tag, &sent, &received)?;
        let connection = Connection { comm, remote, tag };
        let head = [received.get(0), received.get(1) | foreign];
        Ok((Some(connection), head))
    }

    /// Fails if the leader has reported the code of an error class; 0 means success.
    fn check_leader(&self, leader: u32, code: u64) -> Result<(), Error> {
        if code == 0 {
            return Ok(());
        }
        let class = Class::from_code(code as i32).unwrap_or(Class::Other);
        let text = format!("the leader, rank {leader} of {self}, did not reach the other group");
        Err(Error::new(class, text))
    }

    /// Exchanges groups with the other leader, whose group has `count` processes, and returns it.
    fn swap_groups(&self, connection: &Connection, count: u64) -> Result<Vec<u64>, Error> {
        if count > u64::from(self.process().identity.size) {
            let text = format!("the other leader reports {count} processes, more than there are");
            return Err(Error::new(Class::Comm, text));
        }
        let Connection { comm, remote, tag } = *connection;
        let mine = self.group().peers().iter().map(|peer| u64::from(peer.0));
        let (mine, theirs) = (mine.collect::<Vec<u64>>(), Numbers::new(count as usize));
        let plane = comm.planes().remote;
        comm.swap(plane, remote, tag, &Numbers::of(&mine), &theirs)?;
        Ok((0..count as usize).map(|at| theirs.get(at)).collect())
    }

    /// Sends numbers of `root` to all of the own group.
    ///
    /// # Errors
    /// When a message fails.
    pub fn share_from(&self, root: u32, values: &[u64]) -> Result<Vec<u64>, Error> {
        let numbers = Numbers::of(values);
        let rules = self.rules();
        self.run(|port| coll::bcast(port, rules, self.team(), root, numbers.buffer()))?;
        Ok(numbers.all())
    }

    /// Returns a communicator of both groups (MPI 5.0, 7.6.2, MPI_Intercomm_merge); the group with
    /// `high` comes second.
    ///
    /// # Errors
    /// When this is no inter-communicator, or a message fails.
    pub fn merge(&self, high: bool) -> Result<Comm, Error> {
        self.check_members()?;
        let own = self.new_context().0;
        // The first process of each group speaks for it.
        let shared = self.share_values(&[u64::from(high), own])?;
        let (high, own) = (shared[0], shared[1]);
        let (mine, other) = (self.group(), self.far_group());
        if other.size() == 0 {
            // A shrink has left this group alone.
            let (group, rank) = (mine.clone(), Rank(self.rank()));
            return Ok(Comm::open(self.process(), Context(own), group, rank, ""));
        }
        let theirs = self.swap_leaders(&[high, own])?;
        let first = match high.cmp(&theirs[0]) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            // Numbers of foreign processes differ between the groups, names do not.
            std::cmp::Ordering::Equal if self.has_foreign() => own < theirs[1],
            std::cmp::Ordering::Equal => mine.peers()[0] < other.peers()[0],
        };
        let (low, up) = if first { (mine, other) } else { (other, mine) };
        let peers: Vec<PeerId> = low.peers().iter().chain(up.peers()).copied().collect();
        let group = mine.related(peers);
        let rank = group.rank(self.process().identity.peer).expect("a member");
        let context = Context(own.min(theirs[1]));
        Ok(Comm::open(self.process(), context, group, rank, ""))
    }
}

/// Bit of the size of a group: the group or the leaders' communicator has foreign processes.
const FOREIGN: u64 = 1 << 63;

/// An inter-communicator that two groups make whose leaders share a communicator.
pub enum InterCreated<'a> {
    /// The communicator.
    Made(Box<Comm>),
    /// One of the groups has processes of another job, for which numbers mean nothing: the leaders
    /// have this connection, over which the groups are to unite.
    Foreign(Option<Connection<'a>>),
}

/// The communicator of two leaders, as the connection of their groups.
pub struct Connection<'a> {
    comm: &'a Comm,
    remote: Rank,
    tag: Tag,
}

impl Bridge for Connection<'_> {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let plane = self.comm.planes().remote;
        let (len, theirs) = (Numbers::of(&[bytes.len() as u64]), Numbers::new(1));
        self.comm
            .swap(plane, self.remote, self.tag, &len, &theirs)?;
        let sent = Numbers(Scratch::new(bytes.len()));
        sent.0.buf().write(0, bytes);
        let received = Numbers(Scratch::new(theirs.get(0) as usize));
        self.comm
            .swap(plane, self.remote, self.tag, &sent, &received)?;
        let mut bytes = vec![0; theirs.get(0) as usize];
        received.0.buf().read(0, &mut bytes);
        Ok(bytes)
    }

    fn key(&self) -> [u8; 32] {
        [0; 32]
    }
}

/// The ranks that gave a colour, in their new order, and the name that the first one offered.
fn elected(rows: &[Vec<u64>], color: u32) -> (Vec<u32>, u64) {
    let of_color = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row[0] == u64::from(color));
    let mut ranks: Vec<u32> = of_color.map(|(rank, _)| rank as u32).collect();
    ranks.sort_by_key(|rank| rows[*rank as usize][1] as u32 as i32);
    let context = ranks.first().map_or(0, |first| rows[*first as usize][2]);
    (ranks, context)
}

/// Returns the members of a group with these ranks, which are valid.
fn subset(group: &Group, ranks: &[u32]) -> Group {
    group.related(
        ranks
            .iter()
            .map(|rank| group.peers()[*rank as usize])
            .collect(),
    )
}
