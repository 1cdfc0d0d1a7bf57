//! The pages, one struct each.

mod embed;
pub(crate) mod error;
mod home;
mod match_page;
mod pair;

pub(crate) use embed::EmbedPage;
pub(crate) use error::ErrorPage;
pub(crate) use home::HomePage;
pub(crate) use match_page::MatchPage;
pub(crate) use pair::PairPage;
