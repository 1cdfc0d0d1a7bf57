//! Why a worker or an organiser is refused something, as it is told.

use axum::Json;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quintain_arena::work::wire::Refused;
use quintain_store::StoreError;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum WorkRefusal {
    #[error("expected the token of {0} (Authorization: Bearer TOKEN), found none that is good")]
    Stranger(&'static str),
    #[error("{0}")]
    Version(String),
    #[error("{0}")]
    Unreadable(String),
    #[error("{0}")]
    Quarantined(String),
    /// Something that cannot be true.
    #[error("{0}")]
    Wrong(String),
    #[error("there is no such order, or no such archive")]
    NotThere,
    #[error("expected at most {0} bytes, found more")]
    TooLong(usize),
    #[error("the request took too long")]
    TooSlow,
    /// It may work in a moment.
    #[error("{0}")]
    Away(String),
}

impl From<StoreError> for WorkRefusal {
    fn from(error: StoreError) -> WorkRefusal {
        WorkRefusal::Away(error.to_string())
    }
}

impl From<PathRejection> for WorkRefusal {
    fn from(_: PathRejection) -> WorkRefusal {
        WorkRefusal::NotThere
    }
}

impl WorkRefusal {
    /// A body that did not come as a whole.
    pub(super) fn of_body(rejection: &BytesRejection, most: usize) -> WorkRefusal {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => WorkRefusal::TooLong(most),
            _ => WorkRefusal::Unreadable("the request was cut off".to_owned()),
        }
    }

    /// What a worker is told that is given nothing.
    pub(super) fn quarantined(worker: &str, why: &str) -> WorkRefusal {
        WorkRefusal::Quarantined(format!(
            "this worker is in quarantine: {why}; when that is mended, whoever runs the server lifts it with \
             `quintain token lift {worker}`"
        ))
    }

    fn status(&self) -> StatusCode {
        match self {
            WorkRefusal::Stranger(_) => StatusCode::UNAUTHORIZED,
            WorkRefusal::Version(_) => StatusCode::UPGRADE_REQUIRED,
            WorkRefusal::Quarantined(_) => StatusCode::FORBIDDEN,
            WorkRefusal::Unreadable(_) => StatusCode::BAD_REQUEST,
            WorkRefusal::Wrong(_) => StatusCode::CONFLICT,
            WorkRefusal::NotThere => StatusCode::NOT_FOUND,
            WorkRefusal::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            WorkRefusal::TooSlow => StatusCode::REQUEST_TIMEOUT,
            WorkRefusal::Away(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for WorkRefusal {
    fn into_response(self) -> Response {
        (self.status(), Json(Refused { error: self.to_string() })).into_response()
    }
}
