//! The macro [`forward!`](crate::forward!): methods of a layer that are those of another one.

/// Writes methods of [`Pml`](crate::Pml) that do no more than call the method of the same name of
/// another layer. They are named one by one, so a layer that forgets one does not compile.
///
/// `$to` is a macro of the caller that finds the other layer: it gets the borrow (`&` or `&mut`) in
/// brackets, `self`, and the call.
///
/// ```ignore
/// macro_rules! below {
///     ([$($borrow:tt)+] $self:ident $($call:tt)+) => { $self.below.$($call)+ };
/// }
///
/// pml::forward!(below: failures, progress);
/// ```
#[macro_export]
macro_rules! forward {
    ($to:ident: $($method:ident),+ $(,)?) => {
        $($crate::forward_one!($to $method);)+
    };
}

/// The signatures for [`forward!`](crate::forward!).
#[doc(hidden)]
#[macro_export]
macro_rules! forward_one {
    ($to:ident capabilities) => {
        #[inline]
        fn capabilities(&self) -> $crate::Capabilities {
            $to!([&] self capabilities())
        }
    };
    ($to:ident address) => {
        #[inline]
        fn address(&self) -> Vec<u8> {
            $to!([&] self address())
        }
    };
    ($to:ident add_peer) => {
        #[inline]
        fn add_peer(
            &mut self,
            peer: $crate::base::PeerId,
            address: &[u8],
        ) -> Result<Self::Route, Self::Error> {
            $to!([&mut] self add_peer(peer, address))
        }
    };
    ($to:ident remove_peer) => {
        #[inline]
        fn remove_peer(&mut self, peer: $crate::base::PeerId) {
            $to!([&mut] self remove_peer(peer));
        }
    };
    ($to:ident peer_failed) => {
        #[inline]
        fn peer_failed(&mut self, peer: $crate::base::PeerId, why: &str) {
            $to!([&mut] self peer_failed(peer, why));
        }
    };
    ($to:ident failed) => {
        #[inline]
        fn failed(&self) -> &[($crate::base::PeerId, String)] {
            $to!([&] self failed())
        }
    };
    ($to:ident has_left) => {
        #[inline]
        fn has_left(&self, peer: $crate::base::PeerId) -> bool {
            $to!([&] self has_left(peer))
        }
    };
    ($to:ident open_comm) => {
        #[inline]
        fn open_comm(
            &mut self,
            context: $crate::Context,
            rank: $crate::base::Rank,
            peers: Vec<$crate::base::PeerId>,
        ) -> $crate::CommId {
            $to!([&mut] self open_comm(context, rank, peers))
        }
    };
    ($to:ident close_comm) => {
        #[inline]
        fn close_comm(&mut self, comm: $crate::CommId) {
            $to!([&mut] self close_comm(comm));
        }
    };
    ($to:ident start_send) => {
        #[inline]
        fn start_send(
            &mut self,
            comm: $crate::CommId,
            to: $crate::base::Rank,
            tag: $crate::Tag,
            buffer: $crate::datatype::Buffer,
            mode: $crate::Mode,
        ) -> $crate::Started {
            $to!([&mut] self start_send(comm, to, tag, buffer, mode))
        }
    };
    ($to:ident start_recv) => {
        #[inline]
        fn start_recv(
            &mut self,
            comm: $crate::CommId,
            pattern: $crate::Pattern,
            buffer: $crate::datatype::Buffer,
        ) -> $crate::RequestId {
            $to!([&mut] self start_recv(comm, pattern, buffer))
        }
    };
    ($to:ident start_matched_recv) => {
        #[inline]
        fn start_matched_recv(
            &mut self,
            message: $crate::MessageId,
            buffer: $crate::datatype::Buffer,
        ) -> Option<$crate::RequestId> {
            $to!([&mut] self start_matched_recv(message, buffer))
        }
    };
    ($to:ident probe) => {
        #[inline]
        fn probe(
            &mut self,
            comm: $crate::CommId,
            pattern: $crate::Pattern,
        ) -> Option<$crate::Status> {
            $to!([&mut] self probe(comm, pattern))
        }
    };
    ($to:ident matched_probe) => {
        #[inline]
        fn matched_probe(
            &mut self,
            comm: $crate::CommId,
            pattern: $crate::Pattern,
        ) -> Option<($crate::MessageId, $crate::Status)> {
            $to!([&mut] self matched_probe(comm, pattern))
        }
    };
    ($to:ident find_unexpected) => {
        #[inline]
        fn find_unexpected(
            &self,
            comm: $crate::CommId,
            is_wanted: &dyn Fn($crate::Tag,
        ) -> bool) -> Option<$crate::Status> {
            $to!([&] self find_unexpected(comm, is_wanted))
        }
    };
    ($to:ident is_done) => {
        #[inline]
        fn is_done(&self, request: $crate::RequestId) -> bool {
            $to!([&] self is_done(request))
        }
    };
    ($to:ident is_open) => {
        #[inline]
        fn is_open(&self, request: $crate::RequestId) -> bool {
            $to!([&] self is_open(request))
        }
    };
    ($to:ident outcome) => {
        #[inline]
        fn outcome(&mut self, request: $crate::RequestId) -> Option<$crate::Outcome> {
            $to!([&mut] self outcome(request))
        }
    };
    // On the path of each short message.
    ($to:ident take_success) => {
        #[inline(always)]
        fn take_success(&mut self, request: $crate::RequestId) -> Option<$crate::Status> {
            $to!([&mut] self take_success(request))
        }
    };
    ($to:ident peek_outcome) => {
        #[inline]
        fn peek_outcome(&self, request: $crate::RequestId) -> Option<$crate::Outcome> {
            $to!([&] self peek_outcome(request))
        }
    };
    ($to:ident watch) => {
        #[inline]
        fn watch(&mut self, request: $crate::RequestId) {
            $to!([&mut] self watch(request));
        }
    };
    ($to:ident report) => {
        #[inline]
        fn report(&mut self, request: $crate::RequestId, owner: u64) {
            $to!([&mut] self report(request, owner));
        }
    };
    ($to:ident take_ended) => {
        #[inline]
        fn take_ended(&mut self, owners: &mut Vec<u64>) {
            $to!([&mut] self take_ended(owners));
        }
    };
    ($to:ident detach) => {
        #[inline]
        fn detach(&mut self, request: $crate::RequestId) {
            $to!([&mut] self detach(request));
        }
    };
    ($to:ident cancel) => {
        #[inline]
        fn cancel(&mut self, request: $crate::RequestId) -> bool {
            $to!([&mut] self cancel(request))
        }
    };
    ($to:ident failures) => {
        #[inline]
        fn failures(&self) -> u64 {
            $to!([&] self failures())
        }
    };
    ($to:ident progress) => {
        #[inline]
        fn progress(&mut self) -> usize {
            $to!([&mut] self progress())
        }
    };
    ($to:ident progress_all) => {
        #[inline]
        fn progress_all(&mut self) -> usize {
            $to!([&mut] self progress_all())
        }
    };
    ($to:ident has_queued) => {
        #[inline]
        fn has_queued(&self) -> bool {
            $to!([&] self has_queued())
        }
    };
    ($to:ident is_flushed) => {
        #[inline]
        fn is_flushed(&mut self, peers: u32) -> bool {
            $to!([&mut] self is_flushed(peers))
        }
    };
    ($to:ident arm) => {
        #[inline]
        fn arm(&mut self) -> Vec<$crate::btl::Waker> {
            $to!([&mut] self arm())
        }
    };
    ($to:ident disarm) => {
        #[inline]
        fn disarm(&mut self) {
            $to!([&mut] self disarm());
        }
    };
    ($to:ident has_idle) => {
        #[inline]
        fn has_idle(&self) -> bool {
            $to!([&] self has_idle())
        }
    };
    ($to:ident backs_off) => {
        #[inline]
        fn backs_off(&self) -> bool {
            $to!([&] self backs_off())
        }
    };
    ($to:ident depart) => {
        #[inline]
        fn depart(&mut self) -> bool {
            $to!([&mut] self depart())
        }
    };
    ($to:ident close) => {
        #[inline]
        fn close(&mut self) {
            $to!([&mut] self close());
        }
    };
    ($to:ident open_requests) => {
        #[inline]
        fn open_requests(&self) -> usize {
            $to!([&] self open_requests())
        }
    };
    ($to:ident held_requests) => {
        #[inline]
        fn held_requests(&self) -> usize {
            $to!([&] self held_requests())
        }
    };
    ($to:ident unexpected_len) => {
        #[inline]
        fn unexpected_len(&self, comm: $crate::CommId) -> usize {
            $to!([&] self unexpected_len(comm))
        }
    };
}
