//! Whom a client believes that it is the server that was meant.

use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use crate::client::ClientError;

/// Trusts whom the system trusts, and those for whom the certificates of a file vouch.
pub(crate) fn tls(ca: Option<&Path>) -> Result<TlsConfig, ClientError> {
    let system = rustls_native_certs::load_native_certs().certs;
    let mut roots: Vec<Certificate<'static>> =
        system.iter().map(|found| Certificate::from_der(found).to_owned()).collect();
    if let Some(path) = ca {
        roots.extend(certificates_of(path)?);
    }
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&roots))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build())
}

fn certificates_of(path: &Path) -> Result<Vec<Certificate<'static>>, ClientError> {
    let wrong = |reason: String| ClientError::Trust { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let mut found = Vec::new();
    for item in parse_pem(&bytes) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| wrong(error.to_string()))? {
            found.push(certificate);
        }
    }
    match found.is_empty() {
        true => Err(wrong("found none in it".to_owned())),
        false => Ok(found),
    }
}
