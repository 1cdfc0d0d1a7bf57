//! What a person is offered, as the page shows it.

use quintain_core::Suggestion;
use quintain_registry::Question;
use serde::Serialize;

/// Something that a person can choose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Offer {
    #[serde(flatten)]
    suggestion: Suggestion,
    /// The part of the text that is new to who has chosen what stands before it.
    label: String,
    /// More belongs to it.
    is_beginning: bool,
    /// What it leads to, where that can be pointed at and it cannot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inner: Vec<Offer>,
}

/// What may follow what was chosen.
pub(super) fn offers(question: &dyn Question, chosen: &str) -> Vec<Offer> {
    let mut offers = closed_offers(question, chosen);
    for offer in &mut offers {
        if offer.suggestion.aim.is_none() && offer.suggestion.text.ends_with(' ') {
            offer.inner = closed_offers(question, &offer.suggestion.text);
        }
    }
    offers
}

fn closed_offers(question: &dyn Question, chosen: &str) -> Vec<Offer> {
    // What ends a line or a part of one has been said.
    let said = chosen.rfind(['\n', ';']).map_or(0, |end| end + 1);
    let offer = |suggestion: Suggestion| {
        let label = suggestion.text.get(said..).unwrap_or_default().trim();
        Offer {
            label: label.trim_end_matches(';').to_owned(),
            is_beginning: suggestion.is_beginning(),
            inner: Vec::new(),
            suggestion,
        }
    };
    question.suggestions(chosen).into_iter().map(offer).collect()
}
