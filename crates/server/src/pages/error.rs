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
        let (status, heading) = refusal.status();
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
