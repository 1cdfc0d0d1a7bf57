//! A world that wraps another says by name which methods the other one does.

macro_rules! delegate {
    ($world:ident: $($method:ident)*) => { $(delegate!(@ $method $world);)* };
    (@ now $world:ident) => {
        fn now(&self) -> std::time::Duration { self.$world.now() }
    };
    (@ send $world:ident) => {
        fn send(&mut self, seat: quintain_core::Seat, item: &quintain_core::Item) {
            self.$world.send(seat, item);
        }
    };
    (@ prepare $world:ident) => {
        fn prepare(&mut self, seat: quintain_core::Seat, item: &quintain_core::Item) {
            self.$world.prepare(seat, item);
        }
    };
    (@ flush $world:ident) => {
        fn flush(&mut self) { self.$world.flush(); }
    };
    (@ next $world:ident) => {
        fn next(&mut self, until: Option<std::time::Duration>) -> quintain_referee::Wait {
            self.$world.next(until)
        }
    };
    (@ is_stopped $world:ident) => {
        fn is_stopped(&self) -> bool { self.$world.is_stopped() }
    };
    (@ absence $world:ident) => {
        fn absence(&self, seat: quintain_core::Seat) -> Option<quintain_core::Absence> {
            self.$world.absence(seat)
        }
    };
    (@ hang_up $world:ident) => {
        fn hang_up(&mut self, seat: quintain_core::Seat) { self.$world.hang_up(seat); }
    };
    (@ cpu $world:ident) => {
        fn cpu(&mut self, seat: quintain_core::Seat) -> Option<std::time::Duration> {
            self.$world.cpu(seat)
        }
    };
    (@ counts $world:ident) => {
        fn counts(&mut self, seat: quintain_core::Seat) -> Option<quintain_referee::Counts> {
            self.$world.counts(seat)
        }
    };
    (@ referee_waited $world:ident) => {
        fn referee_waited(&mut self) -> std::time::Duration { self.$world.referee_waited() }
    };
    (@ wants_to_run $world:ident) => {
        fn wants_to_run(&mut self, seat: quintain_core::Seat) -> bool {
            self.$world.wants_to_run(seat)
        }
    };
    (@ has_said $world:ident) => {
        fn has_said(&mut self, seat: quintain_core::Seat) -> bool { self.$world.has_said(seat) }
    };
    (@ unprotected $world:ident) => {
        fn unprotected(
            &mut self,
            seat: quintain_core::Seat,
        ) -> Option<quintain_referee::Unprotected> {
            self.$world.unprotected(seat)
        }
    };
    (@ stderr $world:ident) => {
        fn stderr(&mut self, seat: quintain_core::Seat) -> quintain_referee::Capped {
            self.$world.stderr(seat)
        }
    };
    (@ meddling $world:ident) => {
        fn meddling(&mut self, seat: quintain_core::Seat) -> Vec<String> {
            self.$world.meddling(seat)
        }
    };
    (@ finish $world:ident) => {
        fn finish(&mut self) -> quintain_core::PerSeat<quintain_referee::Departure> {
            self.$world.finish()
        }
    };
}
