//! Spans of time as whole microseconds, which is what every column and message holds.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer};

/// Half a million years are enough.
pub(crate) fn count(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}

/// The span without what a microsecond does not hold.
pub(crate) fn whole(span: Duration) -> Duration {
    Duration::from_micros(count(span))
}

pub(crate) fn serialize<S: Serializer>(span: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(count(*span))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    u64::deserialize(from).map(Duration::from_micros)
}

/// The same for a span that may be unknown.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Duration, Serializer, count};

    pub(crate) fn serialize<S: Serializer>(
        span: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match span {
            Some(span) => to.serialize_some(&count(*span)),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_micros))
    }
}
