//! The conformance suite of the transport contract: one function per property.
//!
//! A transport says how its instances are opened ([`Fixture`]) and instantiates the suite with
//! [`crate::conformance_tests!`], which makes one test per property. All instances live in one
//! process; the suite exchanges their addresses, drives them from one thread or one thread each,
//! and compares every byte that arrives with a pattern made from a seed. Every wait is bounded:
//! a property that cannot be reached panics with what was waited for.
//!
//! * [`sizes`]: every length around the limits, by every kind of send;
//! * [`order`]: order and exactly-once among two and among many;
//! * [`pressure`]: back-pressure, floods, flush;
//! * [`rma`]: `get` and `put` inside and outside a registration;
//! * [`atomics`]: every operation on both widths, alone and against others;
//! * [`polls`]: polling for the completion of one operation;
//! * [`ends`]: peers that die, close, or are removed;
//! * [`refusals`]: errors for calls that the contract forbids;
//! * [`sleep`]: waking a driver that sleeps.
//!
//! Where [`crate::Caps::max_send_size`] is 0 the properties of messages hold by themselves.
#![expect(clippy::disallowed_methods, reason = "tests may wait")]

pub mod atomics;
pub mod ends;
mod fixture;
mod message;
pub mod order;
pub mod polls;
pub mod pressure;
pub mod refusals;
pub mod rma;
pub mod sizes;
pub mod sleep;
mod world;

pub use fixture::{Death, Fixture, Tick};

/// Makes one test per property of the suite. The argument is an expression that gives a fresh
/// [`Fixture`]; use it in a module of its own.
///
/// With `unless`, an expression of `Option<String>` follows: where it says why the transport cannot
/// be opened here, the tests print that and pass.
#[macro_export]
macro_rules! conformance_tests {
    ($fixture:expr) => {
        $crate::conformance_tests! { $fixture, unless None::<String> }
    };
    ($fixture:expr, unless $lacks:expr) => {
        $crate::conformance_tests! { @ $fixture, $lacks;
            sizes::caps_make_sense,
            sizes::every_size_by_send,
            sizes::every_size_by_send_packed,
            sizes::headers_of_every_length,
            sizes::tags_and_senders_arrive,
            order::mixed_traffic_arrives_once_and_in_order,
            order::both_ways_at_once,
            order::two_threads_exchange,
            order::many_peers_exchange,
            order::messages_to_oneself,
            pressure::a_flood_meets_busy_and_loses_nothing,
            pressure::a_flood_of_the_largest_messages,
            pressure::a_packed_flood_packs_only_what_is_taken,
            pressure::floods_both_ways,
            pressure::a_full_peer_does_not_stop_the_others,
            pressure::flushed_messages_need_their_sender_no_more,
            pressure::progress_is_needed_only_while_live,
            rma::odd_ranges_are_read,
            rma::odd_ranges_are_written,
            rma::flushed_puts_are_visible,
            rma::ranges_outside_are_refused,
            rma::large_transfers_cross_the_limits,
            rma::transfers_beside_messages,
            rma::mapped_memory_is_the_peers,
            atomics::every_operation_on_both_widths,
            atomics::a_word_hammered_from_two_sides_loses_nothing,
            atomics::swaps_by_comparison_exclude_each_other,
            atomics::flushed_atomics_are_visible,
            atomics::ones_own_words_are_changed_as_by_peers,
            atomics::what_is_no_word_is_refused,
            polls::ends_are_seen_once,
            polls::other_completions_are_reported,
            polls::messages_are_left_to_progress,
            ends::a_dead_peer_is_noticed_or_harmless,
            ends::a_dead_peer_frees_what_was_started,
            ends::closing_in_good_order_is_no_failure,
            ends::closing_while_busy,
            ends::dropping_with_traffic_under_way,
            ends::a_removed_peer_is_unreachable,
            ends::a_removed_peer_comes_back,
            refusals::too_large_is_refused,
            refusals::unknown_peers_are_refused,
            refusals::damaged_addresses_are_refused,
            refusals::what_is_lacking_is_said,
            sleep::a_sleeper_is_woken_by_a_message,
            sleep::what_came_before_the_sleep_prevents_it,
            sleep::ping_pong_between_sleepers,
        }
    };
    (@ $fixture:expr, $lacks:expr; $($group:ident :: $property:ident),* $(,)?) => {$(
        #[test]
        fn $property() {
            if let Some(why) = $lacks {
                println!("skipped: {why}");
                return;
            }
            $crate::conformance::$group::$property(&mut $fixture);
        }
    )*};
}
