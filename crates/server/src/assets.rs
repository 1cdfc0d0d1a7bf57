//! The files of the player, as they are sent: below an address that names their content, so that they can
//! be kept for ever.

use std::borrow::Cow;
use std::sync::OnceLock;

use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

#[derive(RustEmbed)]
#[folder = "web/"]
struct Web;

/// A file of the player.
pub(crate) fn asset(name: &str) -> Option<Cow<'static, [u8]>> {
    Web::get(name).map(|file| file.data)
}

/// A file of the player that is text.
pub(crate) fn text_asset(name: &str) -> Option<String> {
    asset(name).and_then(|bytes| String::from_utf8(bytes.into_owned()).ok())
}

pub(crate) fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "woff2")) => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// Names the content of all files.
pub(crate) fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let mut names: Vec<_> = Web::iter().collect();
        names.sort();
        let mut hash = Sha256::new();
        for name in names {
            hash.update(name.as_bytes());
            hash.update(asset(&name).unwrap_or_default());
        }
        hash.finalize()[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    })
}
