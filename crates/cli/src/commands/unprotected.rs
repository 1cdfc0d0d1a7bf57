//! Bots that the machine may keep waiting without anybody noticing.

use std::collections::BTreeSet;

use quintain_core::PerSeat;
use quintain_record::BotId;
use quintain_referee::Unprotected;
use quintain_report::disturbed::unprotected_in_words;

use crate::status_line::say;

/// Says it once for each bot of a run.
#[derive(Debug, Default)]
pub(crate) struct UnprotectedBots(BTreeSet<BotId>);

impl UnprotectedBots {
    pub(crate) fn tell<'a>(
        &mut self,
        bots: PerSeat<BotId>,
        unprotected: &PerSeat<Option<Unprotected>>,
        name: impl Fn(BotId) -> &'a str,
    ) {
        for (seat, why) in unprotected.iter() {
            if let Some(why) = why
                && self.0.insert(bots[seat])
            {
                say(unprotected_in_words(name(bots[seat]), &why.to_string()));
            }
        }
    }
}
