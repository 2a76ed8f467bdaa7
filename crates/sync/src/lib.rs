//! Rings, queues, the gate and the wait ladder: all the concurrency there is.
