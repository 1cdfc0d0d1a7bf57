//! What is shown instead of a page.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::error::Refusal;
use crate::page::{CachePolicy, Page};

#[derive(Template)]
#[template(path = "error.html")]
pub(crate) struct ErrorPage {
    status: StatusCode,
    heading: &'static str,
    text: String,
}

impl ErrorPage {
    pub(crate) fn new(refusal: &Refusal) -> ErrorPage {
        let (status, heading) = match refusal {
            Refusal::NoPage
            | Refusal::NoReplay
            | Refusal::NoGame
            | Refusal::NoRun
            | Refusal::NoBot
            | Refusal::NoWorker
            | Refusal::NotLive
            | Refusal::NoStore => (StatusCode::NOT_FOUND, "Nothing here"),
            Refusal::Store(_) => (StatusCode::SERVICE_UNAVAILABLE, "The store cannot be read"),
            Refusal::BadRequest(_) => (StatusCode::BAD_REQUEST, "That cannot be shown"),
            Refusal::Forbidden(_) => (StatusCode::FORBIDDEN, "Not from there"),
            Refusal::Method => (StatusCode::METHOD_NOT_ALLOWED, "Only to be looked at"),
            Refusal::Unplayable(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, "This match cannot be shown")
            }
            Refusal::Full => (StatusCode::TOO_MANY_REQUESTS, "Too many look on"),
            Refusal::TooSlow => (StatusCode::SERVICE_UNAVAILABLE, "That took too long"),
            Refusal::Busy => (StatusCode::SERVICE_UNAVAILABLE, "All tables are taken"),
        };
        ErrorPage {
            status,
            heading,
            text: quintain_core::printable(&refusal.to_string()).into_owned(),
        }
    }
}

impl Page for ErrorPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;

    fn status(&self) -> StatusCode {
        self.status
    }
}

impl IntoResponse for ErrorPage {
    fn into_response(self) -> Response {
        self.response()
    }
}
