//! Requests of processes: parts to start and names to keep; and the end of a part.

use std::sync::Arc;

use bootstrap::native::wire::{Reply, Request};
use bootstrap::spawn::{Refusal, Spawn};

use super::{reply, Runner, Running};
use crate::spawn::Planned;
use launch_job::parts;
use launch_job::{Event, FailurePolicy};
use launch_plan::request::AppRequest;
use launch_tree::order::{Order, PartPosition};
use launch_tree::wire::Down;

impl Running<'_> {
    /// The program of a process, as it was requested.
    fn program(&self, number: u32) -> Option<&AppRequest> {
        let (first, order) = self.orders.range(..=number).next_back()?;
        let placement = order.plan.placements.get((number - first) as usize)?;
        order.plan.front.programs.get(placement.app as usize)
    }
}

impl Runner<'_> {
    /// Handles what a process asks for besides meetings.
    pub(super) fn take_request(&mut self, number: u32, mut frame: Vec<u8>) {
        let Some(running) = &mut self.running else {
            return;
        };
        match Request::decode(&mut frame) {
            Ok(Some(Request::Unlink { part })) => running.job.unlink(number, part),
            Ok(Some(Request::Account(account))) => self.take_account(number, account),
            Ok(Some(Request::Names { ticket, question })) => {
                let answer = running.names.ask(u64::from(number), question);
                self.vertex
                    .give(&reply(number, &Reply::Named { ticket, answer }));
            }
            Ok(Some(Request::Spawn { ticket, spawn })) if running.job.may_spawn(number) => {
                self.spawn_or_refuse(number, ticket, spawn);
            }
            _ => self.notify(Event::Malformed {
                rank: number,
                detail: "it asked for a part out of turn".to_string(),
            }),
        }
    }

    /// Starts a part that a process asks for, or reports to it why not.
    pub(super) fn spawn_or_refuse(&mut self, number: u32, ticket: u32, spawn: Spawn) {
        if let Err(refusal) = self.spawn(number, ticket, spawn) {
            self.refuse_spawn(number, ticket, refusal);
        }
    }

    /// Reports to a process why a part that it asks for is not started.
    pub(super) fn refuse_spawn(&mut self, number: u32, ticket: u32, refusal: Refusal) {
        let outcome = Err(refusal);
        self.vertex
            .give(&reply(number, &Reply::Spawned { ticket, outcome }));
    }

    /// Starts a part that a process asks for, or has it wait for hosts.
    fn spawn(&mut self, number: u32, ticket: u32, spawn: Spawn) -> Result<(), Refusal> {
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        let start = Arc::clone(running.start());
        let mut used = vec![0; running.spawner.hosts.len()];
        for order in running.orders.values() {
            let placements = order.plan.placements.iter();
            placements.for_each(|placement| used[placement.node as usize] += 1);
        }
        let parent = running.program(number).cloned().unwrap_or_default();
        let planned = running.spawner.plan(&spawn, &parent, &used, &start.plan)?;
        let plan = match planned {
            Planned::Part(plan) => *plan,
            Planned::Waits(hosts) => return self.wait_for_hosts(&hosts, number, ticket, spawn),
        };
        let (first, part) = (running.job.next(), running.parts + 1);
        let part = PartPosition {
            number: part,
            first,
            parent: Some(number),
        };
        let order = Arc::new(Order {
            part,
            vertex_of: running.spawner.vertices(),
            ..Order::new(plan, start.directory.clone())
        });
        let files = running.files.add(&order.plan, part);
        files.map_err(|error| Refusal {
            program: None,
            reason: error.to_string(),
        })?;
        running.parts += 1;
        let size = order.plan.size();
        for merger in &mut running.mergers {
            merger.add(part.number, first, size);
        }
        running
            .printing
            .extend(order.numbers().map(|number| (number, [true; 2])));
        running.orders.insert(first, Arc::clone(&order));
        let programs = order.plan.placements.iter().map(|placement| placement.app);
        let request = parts::PartRequest {
            number,
            ticket,
            members: spawn.members.clone(),
            programs: programs.collect(),
            policy: match order.plan.front.keep_going {
                true => FailurePolicy::GoOn,
                false => FailurePolicy::End,
            },
        };
        let job = self.job_of(&order, None).as_part(part.number);
        if let Some(running) = &mut self.running {
            running.job.add(job, request);
        }
        if self.has_others {
            let own = std::env::vars_os().collect();
            self.vertex.give(&Down::Launch(
                order.encode(&own, self.vertex.is_of_one_host()),
            ));
        }
        let words = self.vertex.launch(order);
        self.take_all(words);
        Ok(())
    }

    /// Releases a part whose processes have ended.
    pub(super) fn forget(&mut self, first: u32) {
        let words = self.vertex.give(&Down::Forget { first });
        self.take_all(words);
        self.drop_silent_parts();
    }

    /// Drops the orders of parts that are over and whose output has arrived.
    pub(super) fn drop_silent_parts(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        let (job, printing) = (&running.job, &running.printing);
        running.orders.retain(|first, order| {
            job.has(*first) || order.numbers().any(|number| printing.contains_key(&number))
        });
    }
}
