//! The ranks of a random program: each draws its operations, and knows their expected results.

use super::*;

/// An operation under way, and its expected result.
struct Pending {
    target: usize,
    held: Option<OpId>,
    /// The data written or read; alive until the operation is complete.
    _brought: [Scratch; 2],
    got: Option<(Scratch, Vec<i64>)>,
    ticket: bool,
}

/// One rank of a program.
pub(super) struct Actor<'a> {
    world: &'a World,
    rank: usize,
    dice: Dice,
    pending: Vec<Pending>,
    /// The use of each cell of this rank's parts since the last flush.
    used: Vec<[Option<Kind>; PART]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Put,
    Get,
    Replace,
    Add,
    Sum,
    Xor,
    Ticket,
    Most,
    Swap,
}

const KINDS: [Kind; 9] = [
    Kind::Put,
    Kind::Get,
    Kind::Replace,
    Kind::Add,
    Kind::Sum,
    Kind::Xor,
    Kind::Ticket,
    Kind::Most,
    Kind::Swap,
];

fn row(kind: Kind) -> &'static Basic {
    // No network has the greater of two numbers without a sign.
    predefined(if kind == Kind::Most {
        MPI_UINT64_T
    } else {
        MPI_INT64_T
    })
    .and_then(|known| known.predefined())
    .expect("a predefined datatype")
}

/// Elements at cells: of a target's window, or of memory here.
fn spread(base: *mut u8, cells: &[usize]) -> Buffer {
    let at: Vec<i64> = cells.iter().map(|cell| *cell as i64).collect();
    let element = predefined(MPI_INT64_T).expect("a predefined datatype");
    let datatype = Datatype::indexed_block(1, &at, element).expect("small numbers");
    // SAFETY: the cells lie in a scratch that is kept, or nothing is accessed (`TargetBytes`).
    unsafe { Buffer::new(base, 1, &Arc::new(datatype)) }.expect("small numbers")
}

impl<'a> Actor<'a> {
    pub(super) fn new(world: &'a World, rank: usize) -> Actor<'a> {
        Actor {
            world,
            rank,
            dice: Dice(Cell::new(world.seed * 1009 + rank as u64)),
            pending: vec![],
            used: vec![[None; PART]; world.ranks],
        }
    }

    fn osc(&self) -> RefMut<'a, Osc> {
        self.world.oscs[self.rank].borrow_mut()
    }

    fn id(&self) -> WindowId {
        self.world.windows[self.rank]
    }

    async fn until(&self, mut ask: impl FnMut(&mut Osc, WindowId) -> Result<bool, Error>) {
        let asked = |_: &mut Context| match ask(&mut self.osc(), self.id()) {
            Ok(true) => Poll::Ready(()),
            Ok(false) => Poll::Pending,
            Err(error) => panic!("rank {}: {error}", self.rank),
        };
        poll_fn(asked).await
    }

    async fn barrier(&self) {
        let world = self.world;
        let number = world.barriers.get();
        world.waiting.set(world.waiting.get() + 1);
        if world.waiting.get() == world.ranks {
            world.waiting.set(0);
            world.barriers.set(number + 1);
        }
        let through = |_: &mut Context| match world.barriers.get() > number {
            true => Poll::Ready(()),
            false => Poll::Pending,
        };
        poll_fn(through).await
    }

    pub(super) async fn run(mut self) {
        for phase in 0..PHASES {
            let tickets = |row: &Vec<i64>| row[TICKETS];
            let before: Vec<i64> = self.world.model.borrow().iter().map(tickets).collect();
            self.barrier().await;
            // The same on all ranks.
            match Dice(Cell::new(self.world.seed * 31 + phase)).below(5) {
                0 => self.fences(phase).await,
                1 => self.posts(phase).await,
                2 => self.locks(phase, Lock::Exclusive).await,
                3 => self.locks(phase, Lock::Shared).await,
                _ => self.lock_all(phase).await,
            }
            self.barrier().await;
            if self.rank == 0 {
                self.world.compare(&before, phase);
            }
            self.barrier().await;
        }
        self.osc().begin_free(self.id()).expect("no epoch is open");
        self.until(|osc, id| osc.is_all_settled(id)).await;
        self.barrier().await;
        self.osc().close_window(self.id());
    }

    async fn fence(&mut self, open: bool) {
        match self.world.seed % 4 {
            0 => {
                self.begin_notified_fence().await;
                self.osc().mark_fence(self.id());
                self.until(|osc, id| osc.is_fenced(id)).await;
            }
            1 => {
                self.begin_notified_fence().await;
                self.publish_counts();
                self.barrier().await;
                let sent = self.world.counts.borrow()[self.rank].clone();
                self.until(|osc, id| osc.has_handled(id, |rank| sent[rank.index()]))
                    .await;
            }
            _ => {
                self.osc().begin_fence(self.id()).expect("no other epoch");
                self.until(|osc, id| osc.is_all_settled(id)).await;
                self.barrier().await;
            }
        }
        self.osc().end_fence(self.id(), open);
        self.settle(None);
    }

    async fn begin_notified_fence(&mut self) {
        let confirm = self.dice.one_in(4);
        let own = Rank(self.rank as u32);
        let begun = self.osc().begin_notified_fence(self.id(), own, confirm);
        begun.expect("no other epoch");
        self.until(|osc, id| osc.is_all_sent(id)).await;
    }

    /// Publishes to each rank how many messages this one has sent it.
    fn publish_counts(&self) {
        let mut counts = self.world.counts.borrow_mut();
        self.osc().publish_sent(self.id(), |rank, number| {
            counts[rank.index()][self.rank] = number;
        });
    }

    async fn fences(&mut self, phase: u64) {
        self.fence(true).await;
        // Few, so that mostly none of them waits for a reply.
        for _ in 0..1 + self.dice.below(4) {
            self.operate(phase, None).await;
        }
        self.fence(true).await;
        // Writes of others before the fence are complete.
        for _ in 0..OPERATIONS {
            self.operate(phase + 1, None).await;
        }
        self.fence(false).await;
    }

    async fn posts(&mut self, phase: u64) {
        let all: Vec<Rank> = (0..self.world.ranks as u32).map(Rank).collect();
        self.osc()
            .begin_post(self.id(), &all, true)
            .expect("no other epoch");
        self.osc()
            .begin_start(self.id(), &all, true)
            .expect("no other epoch");
        for _ in 0..OPERATIONS {
            self.operate(phase, None).await;
        }
        let confirm = self.dice.one_in(2);
        self.osc()
            .begin_complete(self.id(), confirm)
            .expect("it was started");
        self.until(|osc, id| osc.is_completable(id)).await;
        self.osc()
            .end_complete(self.id(), true)
            .expect("it was started");
        self.settle(None);
        self.until(|osc, id| osc.is_withdrawn(id)).await;
    }

    async fn locks(&mut self, phase: u64, lock: Lock) {
        for _ in 0..OPERATIONS {
            let target = self.dice.below(self.world.ranks as u64) as usize;
            let rank = Rank(target as u32);
            self.osc()
                .begin_lock(self.id(), rank, lock, true)
                .expect("not locked");
            if self.dice.one_in(2) {
                self.until(|osc, id| osc.is_granted(id, rank)).await;
            }
            for _ in 0..1 + self.dice.below(3) {
                self.operate(phase, Some(target)).await;
            }
            if lock == Lock::Exclusive {
                self.add_one_to_guarded(target).await;
            }
            self.until(|osc, id| osc.is_granted(id, rank)).await;
            self.osc()
                .begin_unlock(self.id(), rank)
                .expect("it is locked");
            self.until(|osc, id| osc.is_settled(id, rank)).await;
            self.settle(Some(target));
        }
    }

    async fn lock_all(&mut self, phase: u64) {
        self.osc()
            .begin_lock_all(self.id(), true)
            .expect("no other epoch");
        for _ in 0..OPERATIONS {
            self.operate(phase, None).await;
            let target = self.dice.below(self.world.ranks as u64) as usize;
            match self.dice.below(4) {
                0 => self.flush(target).await,
                1 => {
                    let call = ("flush_all", true);
                    self.osc()
                        .begin_flush(self.id(), None, call)
                        .expect("all are locked");
                    self.until(|osc, id| osc.is_all_settled(id)).await;
                    self.settle(None);
                }
                _ => {}
            }
        }
        self.until(|osc, id| osc.is_granted_all(id)).await;
        self.osc()
            .begin_unlock_all(self.id())
            .expect("all are locked");
        self.until(|osc, id| osc.is_all_settled(id)).await;
        self.settle(None);
    }

    async fn flush(&mut self, target: usize) {
        let rank = Rank(target as u32);
        if self.dice.one_in(2) && self.flush_soon(rank).await {
            return self.settle(Some(target));
        }
        let flushed = self
            .osc()
            .begin_flush(self.id(), Some(rank), ("flush", true));
        flushed.expect("it is locked");
        self.until(|osc, id| osc.is_settled(id, rank)).await;
        self.settle(Some(target));
    }

    /// Waits for all accesses to a target, where nothing has to be requested or reported for that.
    async fn flush_soon(&self, rank: Rank) -> bool {
        let flushed = |_: &mut Context| {
            let flush = self.osc().how_flushed(self.id(), rank);
            match flush {
                Flushed::Done => Poll::Ready(true),
                Flushed::Soon => {
                    let sole = self.osc().sole_access(self.id(), rank);
                    if let Some((id, ..)) = sole {
                        self.world.see_end(id, self.rank);
                    }
                    Poll::Pending
                }
                Flushed::Unasked => Poll::Ready(false),
                Flushed::Lane(_) => {
                    self.world.bring(self.rank, rank.index());
                    self.osc().lane_flushed(self.id(), rank);
                    Poll::Pending
                }
            }
        };
        poll_fn(flushed).await
    }

    /// Reads a cell and writes one more, which only an exclusive lock makes whole.
    async fn add_one_to_guarded(&mut self, target: usize) {
        let room = Scratch::new(8);
        let own = Buffer::bytes(room.buf());
        let into = own.clone();
        self.begin(target, Verb::Get { into }, &[GUARDED], false)
            .await;
        self.flush(target).await;
        let value = read(room.buf(), 0) + 1;
        room.buf().write(0, &value.to_ne_bytes());
        self.begin(target, Verb::Put { from: own }, &[GUARDED], false)
            .await;
        self.flush(target).await;
        self.world.model.borrow_mut()[target][GUARDED] += 1;
    }

    async fn begin(&self, target: usize, verb: Verb, cells: &[usize], held: bool) -> Option<OpId> {
        let rank = Rank(target as u32);
        self.until(|osc, id| osc.may_begin(id, rank)).await;
        let place = TargetBytes::Layout(spread(without_provenance_mut(0), cells));
        let access = Access { verb, place };
        if !held && self.start_now(rank, &access) {
            return None;
        }
        let (puts, piece) = (access.verb.puts(), 1 + self.dice.below(16) as usize);
        let by_lane = !self.world.is_checked() && self.dice.one_in(2);
        let (put, get) = (0, 0);
        let reach = Reach {
            words: self.world.is_by_words().then_some(0),
            lane: by_lane.then_some(LaneMin { put, get, piece }),
            ..Reach::default()
        };
        let follows = |carrier| self.osc().may_follow(self.id(), rank, carrier);
        let carrier = choose(&access, &reach, follows);
        if matches!(carrier, Carrier::LanePut | Carrier::LaneGet) {
            let mut pieces = Vec::new();
            access.cut(&mut pieces);
            let (from, to, count) = (self.rank, target, pieces.len());
            let mut osc = self.osc();
            let operation = osc.begin_on_lane(self.id(), rank, access, held, count);
            let moving = pieces.into_iter().map(|piece| Moving {
                from,
                to,
                operation,
                puts: puts == Some(true),
                piece,
            });
            self.world.lanes.borrow_mut().extend(moving);
            return Some(operation).filter(|_| held);
        }
        self.in_order(rank, carrier).await;
        if carrier == Carrier::Word {
            let word = access.word(0).expect("one element of 8 bytes");
            let mut osc = self.osc();
            let begun = osc.begin_on_word(self.id(), rank, access, word, held);
            return Some(begun).filter(|_| held);
        }
        self.osc().begin(self.id(), rank, access, held)
    }

    /// Waits until an access by a carrier overtakes nothing.
    async fn in_order(&self, rank: Rank, carrier: Carrier) {
        self.until(|osc, id| Ok(osc.may_follow(id, rank, carrier)))
            .await;
    }

    /// Offers a contiguous access to a lane at once. False where the lane does not take it.
    fn start_now(&self, rank: Rank, access: &Access) -> bool {
        let puts = access.verb.puts();
        let by_lane = puts.is_some() || self.world.is_by_words();
        if !by_lane || self.world.is_checked() || self.dice.one_in(2) {
            return false;
        }
        let (from, to, lands) = (self.rank, rank.index(), self.dice.one_in(2));
        let single = |id, act, offset: u64| Single {
            from,
            to,
            id,
            act,
            offset: offset as usize,
            lands,
        };
        let (at, mut osc) = ((self.id(), rank), self.osc());
        let started = match puts {
            Some(puts) => osc.lane_now(at, access, lands, |peer, id, piece| {
                assert_eq!(peer, PeerId(rank.0));
                let act = match puts {
                    true => LaneAct::Put(piece.local),
                    false => LaneAct::Get(piece.local),
                };
                self.world.start_single(single(id, act, piece.offset))
            }),
            None => osc.word_now(at, access, 0, |_, id, offset, atomic, before| {
                let act = LaneAct::Change(atomic, before);
                self.world.start_single(single(id, act, offset))
            }),
        };
        started == AccessStart::Sent
    }

    /// Draws an operation and begins it.
    async fn operate(&mut self, phase: u64, target: Option<usize>) {
        let any = self.dice.below(self.world.ranks as u64) as usize;
        let target = target.unwrap_or(any);
        let kind = KINDS[self.dice.below(KINDS.len() as u64) as usize];
        let mut cells = self.draw_cells(kind, target, phase);
        let word = self.world.is_by_words() && !matches!(kind, Kind::Put | Kind::Get);
        if word || kind == Kind::Swap {
            cells.truncate(1);
        }
        if cells.is_empty() {
            return;
        }
        let values: Vec<i64> = cells.iter().map(|_| self.dice.below(1000) as i64).collect();
        let values = if kind == Kind::Ticket {
            vec![1]
        } else {
            values
        };
        let equals = self.dice.one_in(2);
        let compare = Scratch::new(8);
        let there = self.world.model.borrow()[target][cells[0]];
        let other = if equals { there } else { there ^ 1 };
        compare.buf().write(0, &other.to_ne_bytes());
        let expected = match (kind, equals) {
            // What does not equal stays.
            (Kind::Swap, false) => vec![there],
            _ => self.apply(kind, target, &cells, &values),
        };
        let gap = 1 + self.dice.below(2) as usize;
        let here: Vec<usize> = (0..cells.len()).map(|index| index * gap).collect();
        let [sent, got] = [(); 2].map(|()| Scratch::new(cells.len() * gap * 8));
        for (cell, value) in here.iter().zip(&values) {
            sent.buf().write(cell * 8, &value.to_ne_bytes());
        }
        let [from, into] = [&sent, &got].map(|room| spread(room.buf().address(), &here));
        let verb = verb(kind, from, into, compare.buf());
        let held = self.dice.one_in(3);
        let held = self.begin(target, verb, &cells, held).await;
        let expected = here.into_iter().zip(expected);
        let mut spaced = vec![0; cells.len() * gap];
        expected.for_each(|(cell, value)| spaced[cell] = value);
        let reads = matches!(kind, Kind::Get | Kind::Add | Kind::Ticket | Kind::Swap);
        self.pending.push(Pending {
            target,
            held,
            _brought: [sent, compare],
            got: reads.then_some((got, spaced)),
            ticket: kind == Kind::Ticket,
        });
    }

    /// Cells for an operation: of this rank's part those that are free for it.
    fn draw_cells(&mut self, kind: Kind, target: usize, phase: u64) -> Vec<usize> {
        let some = |limit: usize, dice: &Dice| 0..1 + dice.below(limit as u64) as usize;
        match kind {
            Kind::Sum => some(4, &self.dice).map(|cell| SUMS + cell).collect(),
            Kind::Xor => some(4, &self.dice).map(|cell| XORS + cell).collect(),
            Kind::Ticket => vec![TICKETS],
            Kind::Most => some(4, &self.dice).map(|cell| MOST + cell).collect(),
            _ => {
                let accumulates = matches!(kind, Kind::Replace | Kind::Add | Kind::Swap);
                let part = COMMON + (self.rank + phase as usize) % self.world.ranks * PART;
                let checked = self.world.is_checked();
                // What keeps its order though nothing has completed the one before it.
                let follows = |before: Option<Kind>| match before {
                    None => true,
                    Some(before) if checked => accumulates && before == kind,
                    Some(Kind::Put) => kind != Kind::Put,
                    Some(Kind::Get) => kind == Kind::Get,
                    Some(before) => !accumulates || before == kind,
                };
                let (used, dice) = (&mut self.used[target], &self.dice);
                let chosen = (0..PART).filter(|_| dice.one_in(2)).filter(|cell| {
                    let free = follows(used[*cell]);
                    if free {
                        used[*cell] = Some(kind);
                    }
                    free
                });
                chosen.map(|cell| part + cell).collect()
            }
        }
    }

    /// Applies an operation to the model; returns the previous values.
    fn apply(&self, kind: Kind, target: usize, cells: &[usize], values: &[i64]) -> Vec<i64> {
        let row = &mut self.world.model.borrow_mut()[target];
        let each = cells.iter().zip(values).map(|(cell, value)| {
            let before = row[*cell];
            match kind {
                Kind::Put | Kind::Replace | Kind::Swap => row[*cell] = *value,
                Kind::Get => {}
                Kind::Add | Kind::Sum | Kind::Ticket => row[*cell] += value,
                Kind::Xor => row[*cell] ^= value,
                Kind::Most => row[*cell] = row[*cell].max(*value),
            }
            before
        });
        each.collect()
    }

    /// Checks the results of the operations on a target, or on all, which are complete.
    fn settle(&mut self, target: Option<usize>) {
        let of_target = |to: usize| target.is_none_or(|target| to == target);
        let all = std::mem::take(&mut self.pending);
        let (done, rest) = all
            .into_iter()
            .partition(|pending| of_target(pending.target));
        self.pending = rest;
        for pending in Vec::from_iter(done) as Vec<Pending> {
            if let Some(held) = pending.held {
                let outcome = self.osc().outcome(held);
                assert!(matches!(outcome, Some(Ok(()))), "{outcome:?}");
            }
            let Some((got, expected)) = pending.got else {
                continue;
            };
            if pending.ticket {
                self.world.fetched.borrow_mut()[pending.target] += read(got.buf(), 0);
                continue;
            }
            let found: Vec<i64> = (0..expected.len())
                .map(|cell| read(got.buf(), cell))
                .collect();
            assert_eq!(
                found, expected,
                "seed {}, rank {}",
                self.world.seed, self.rank
            );
        }
        for to in (0..self.used.len()).filter(|to| of_target(*to)) {
            self.used[to] = [None; PART];
        }
    }
}

fn verb(kind: Kind, from: Buffer, into: Buffer, compare: UserBuf) -> Verb {
    let accumulate = |op, before| Verb::Accumulate {
        op,
        element: row(kind),
        from: from.clone(),
        before,
    };
    match kind {
        Kind::Put => Verb::Put { from },
        Kind::Get => Verb::Get { into },
        Kind::Replace => accumulate(Op::Replace, None),
        Kind::Sum => accumulate(Op::Sum, None),
        Kind::Xor => accumulate(Op::Bxor, None),
        Kind::Most => accumulate(Op::Max, None),
        Kind::Add | Kind::Ticket => accumulate(Op::Sum, Some(into)),
        Kind::Swap => Verb::CompareAndSwap {
            element: row(kind),
            compare,
            new: from.contiguous().expect("one element"),
            before: into,
        },
    }
}
