//! The macro [`forward!`](crate::forward!): methods of a transport that are those of another one.

/// Writes methods of [`Transport`](crate::Transport) that do no more than call the method of the
/// same name of another transport. They are named one by one, so a transport that forgets one does
/// not compile.
///
/// `$to` is a macro of the caller that finds the other transport: it gets the borrow (`&` or
/// `&mut`) in brackets, `self`, and the call.
///
/// ```ignore
/// macro_rules! inner {
///     ([$($borrow:tt)+] $self:ident $($call:tt)+) => { $self.inner.$($call)+ };
/// }
///
/// btl::forward!(inner: address, flush);
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
    ($to:ident caps) => {
        fn caps(&self) -> &$crate::Caps {
            $to!([&] self caps())
        }
    };
    ($to:ident address) => {
        fn address(&self) -> Vec<u8> {
            $to!([&] self address())
        }
    };
    ($to:ident add_peer) => {
        fn add_peer(
            &mut self,
            peer: $crate::base::PeerId,
            address: &[u8],
        ) -> Result<$crate::Reach, $crate::Error> {
            $to!([&mut] self add_peer(peer, address))
        }
    };
    ($to:ident expect_foreign) => {
        fn expect_foreign(&mut self) -> Result<(), $crate::Error> {
            $to!([&mut] self expect_foreign())
        }
    };
    ($to:ident add_foreign) => {
        fn add_foreign(
            &mut self,
            peer: $crate::base::PeerId,
            foreign: &$crate::Foreign,
            address: &[u8],
        ) -> Result<$crate::Reach, $crate::Error> {
            $to!([&mut] self add_foreign(peer, foreign, address))
        }
    };
    ($to:ident remove_peer) => {
        fn remove_peer(&mut self, peer: $crate::base::PeerId) {
            $to!([&mut] self remove_peer(peer));
        }
    };
    ($to:ident hints) => {
        fn hints(&self, peer: $crate::base::PeerId) -> $crate::Hints {
            $to!([&] self hints(peer))
        }
    };
    ($to:ident send) => {
        fn send(
            &mut self,
            peer: $crate::base::PeerId,
            tag: $crate::base::AmTag,
            header: &[u8],
            payload: $crate::memory::UserBuf,
        ) -> Result<$crate::Flow, $crate::Error> {
            $to!([&mut] self send(peer, tag, header, payload))
        }
    };
    ($to:ident send_packed) => {
        fn send_packed(
            &mut self,
            peer: $crate::base::PeerId,
            tag: $crate::base::AmTag,
            header: &[u8],
            len: usize,
            pack: &mut dyn FnMut(&mut $crate::memory::Slot<'_>),
        ) -> Result<$crate::Flow, $crate::Error> {
            $to!([&mut] self send_packed(peer, tag, header, len, pack))
        }
    };
    ($to:ident flush) => {
        fn flush(&mut self, peer: $crate::base::PeerId) -> Result<$crate::Flow, $crate::Error> {
            $to!([&mut] self flush(peer))
        }
    };
    ($to:ident batch) => {
        fn batch(&mut self, peer: $crate::base::PeerId, open: bool) {
            $to!([&mut] self batch(peer, open));
        }
    };
    ($to:ident is_kept) => {
        fn is_kept(&self, peer: $crate::base::PeerId) -> bool {
            $to!([&] self is_kept(peer))
        }
    };
    ($to:ident progress) => {
        fn progress(&mut self, sink: &mut dyn $crate::Sink) -> usize {
            $to!([&mut] self progress(sink))
        }
    };
    ($to:ident back_off) => {
        fn back_off(&mut self) {
            $to!([&mut] self back_off());
        }
    };
    ($to:ident is_live) => {
        fn is_live(&self) -> bool {
            $to!([&] self is_live())
        }
    };
    ($to:ident arm) => {
        fn arm(&mut self, kind: $crate::SleepKind) -> Option<$crate::Waker> {
            $to!([&mut] self arm(kind))
        }
    };
    ($to:ident disarm) => {
        fn disarm(&mut self) {
            $to!([&mut] self disarm());
        }
    };
    ($to:ident close) => {
        fn close(&mut self) {
            $to!([&mut] self close());
        }
    };
    ($to:ident rma) => {
        fn rma(&mut self) -> Option<&mut dyn $crate::Rma> {
            $to!([&mut] self rma())
        }
    };
    ($to:ident presence) => {
        fn presence(&mut self) -> Option<&mut dyn $crate::Presence> {
            $to!([&mut] self presence())
        }
    };
    ($to:ident carriage) => {
        fn carriage(&mut self) -> Option<&mut dyn $crate::Carriage> {
            $to!([&mut] self carriage())
        }
    };
}
