//! The conformance suite of the point-to-point contract: one function per property.
//!
//! A layer says how its instances are opened ([`Fixture`]) and instantiates the suite with
//! [`crate::conformance_tests!`], which makes one test per property. All instances live in one
//! process; the suite introduces them to each other and drives them from one thread. Every wait is
//! bounded: what cannot be reached panics with the rank and the request that waits.
//!
//! * [`matching`]: order, wildcards, unexpected messages, communicators;
//! * [`transfer`]: lengths, modes, truncation, buffers with gaps;
//! * [`probes`]: probes, and messages that a matched probe took;
//! * [`requests`]: outcomes, owners, detached and cancelled requests;
//! * [`peers`]: peers that die, are given up, or leave.

mod fixture;
pub mod matching;
pub mod peers;
pub mod probes;
pub mod requests;
pub mod transfer;
mod world;

pub use fixture::Fixture;

/// Makes one test per property of the suite. The argument is an expression that gives a fresh
/// [`Fixture`]; use it in a module of its own.
#[macro_export]
macro_rules! conformance_tests {
    ($fixture:expr) => {
        $crate::conformance_tests! { @ $fixture;
            matching::messages_of_one_sender_keep_their_order,
            matching::receives_complete_in_the_order_of_posting,
            matching::a_receive_from_any_source_takes_the_oldest_message,
            matching::tags_choose_among_unexpected_messages,
            matching::a_message_takes_the_oldest_receive_that_accepts_it,
            matching::communicators_do_not_mix,
            matching::a_message_may_come_before_its_communicator,
            matching::unexpected_messages_are_seen_where_they_are_held,
            matching::random_traffic_arrives_once_and_in_order,
            transfer::every_length_arrives_whole_expected_and_unexpected,
            transfer::messages_to_oneself_arrive,
            transfer::a_synchronous_send_is_complete_once_matched_and_not_before,
            transfer::what_does_not_fit_is_cut_off_and_reported,
            transfer::buffers_with_gaps_are_packed_and_unpacked,
            transfer::a_flood_in_both_directions_loses_nothing,
            transfer::flushed_means_that_nothing_is_queued,
            probes::a_probed_message_stays,
            probes::a_matched_probe_takes_the_message,
            requests::an_outcome_is_taken_once,
            requests::success_is_taken_apart_from_failure,
            requests::a_detached_request_goes_by_itself,
            requests::owners_are_notified_of_each_end_once,
            requests::a_receive_that_was_not_matched_is_cancelled,
            requests::a_cancelled_synchronous_send_ends_in_any_case,
            requests::a_closed_communicator_completes_what_waits_in_it,
            peers::what_needs_a_dead_peer_ends_and_nothing_else,
            peers::what_starts_with_a_peer_that_was_given_up_fails,
            peers::a_message_that_came_before_the_death_is_received,
            peers::a_removed_peer_is_no_failed_peer,
            peers::departed_layers_have_lost_nothing,
        }
    };
    (@ $fixture:expr; $($module:ident :: $property:ident,)*) => {
        $(
            #[test]
            fn $property() {
                $crate::conformance::$module::$property($fixture);
            }
        )*
    };
}
