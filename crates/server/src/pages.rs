//! The pages, one struct each.

mod embed;
pub(crate) mod error;
mod game;
mod home;
mod live;
mod match_page;
mod pair;
mod play;

pub(crate) use embed::EmbedPage;
pub(crate) use error::ErrorPage;
pub(crate) use game::GamePage;
pub(crate) use home::{HomePage, ListPage};
pub(crate) use live::{LiveListPage, LivePage, WaitingPage};
pub(crate) use match_page::MatchPage;
pub(crate) use pair::PairPage;
pub(crate) use play::{ChoosePage, JoinPage, PlayPage, SetupPage};
