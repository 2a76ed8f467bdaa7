//! [`Services`]: state that crates above keep with a process, which `mpi` does not know.

use std::any::Any;
use std::sync::Arc;

use base::Mutex;

/// State that a crate above keeps with a process `P`, one value of each type, made when it is first
/// asked for (`Process::service`).
pub trait Service<P>: Any + Default + Send + Sync {
    /// Ends what is under way, as the life of the process ends. Messages still move.
    fn end(&self, _process: &P) {}

    /// Gives up the processes that the launcher, which has ended, has connected this one with.
    /// Returns whether there were any.
    fn lose_launcher(&self, _process: &P, _why: &str) -> bool {
        false
    }

    /// Takes note that foreign processes were removed which no communicator has any more.
    fn removed_foreign(&self, _process: &P) {}
}

/// A service whose type is not known.
pub(crate) trait AnyService<P>: Send + Sync {
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
    fn end(&self, process: &P);
    fn lose_launcher(&self, process: &P, why: &str) -> bool;
    fn removed_foreign(&self, process: &P);
}

impl<P, S: Service<P>> AnyService<P> for S {
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }

    fn end(&self, process: &P) {
        Service::end(self, process);
    }

    fn lose_launcher(&self, process: &P, why: &str) -> bool {
        Service::lose_launcher(self, process, why)
    }

    fn removed_foreign(&self, process: &P) {
        Service::removed_foreign(self, process);
    }
}

/// The services of a process, the first one asked for first.
pub(crate) struct Services<P>(Mutex<Vec<Arc<dyn AnyService<P>>>>);

impl<P> Default for Services<P> {
    fn default() -> Services<P> {
        Services(Mutex::default())
    }
}

impl<P> Services<P> {
    /// Returns the service of a type.
    pub(crate) fn of<S: Service<P>>(&self) -> Arc<S> {
        let mut all = self.0.lock();
        let mut known = all.iter().map(|one| one.clone().as_any().downcast::<S>());
        if let Some(known) = known.find_map(Result::ok) {
            return known;
        }
        let made = Arc::<S>::default();
        all.push(made.clone());
        made
    }

    /// Returns all services.
    pub(crate) fn all(&self) -> Vec<Arc<dyn AnyService<P>>> {
        self.0.lock().clone()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Stands for a process: the services that it has notified.
    type Notified = RefCell<Vec<&'static str>>;

    #[derive(Default)]
    struct First(Mutex<u32>);

    impl Service<Notified> for First {
        fn end(&self, process: &Notified) {
            process.borrow_mut().push("first");
        }

        fn lose_launcher(&self, _: &Notified, _: &str) -> bool {
            true
        }
    }

    #[derive(Default)]
    struct Second;

    impl Service<Notified> for Second {
        fn end(&self, process: &Notified) {
            process.borrow_mut().push("second");
        }
    }

    #[test]
    fn there_is_one_service_of_a_type_and_all_are_ended_in_order() {
        let (services, notified) = (Services::<Notified>::default(), Notified::default());
        *services.of::<First>().0.lock() = 7;
        services.of::<Second>();
        assert_eq!(*services.of::<First>().0.lock(), 7, "another one was made");
        let all = services.all();
        all.iter().for_each(|service| service.end(&notified));
        assert_eq!(*notified.borrow(), ["first", "second"]);
        let lost = all
            .iter()
            .map(|service| service.lose_launcher(&notified, "it ended"));
        assert_eq!(lost.collect::<Vec<_>>(), [true, false]);
    }
}
