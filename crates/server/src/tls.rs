//! Connections that nobody else can read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::limits::HEADER_TIME_MAX;

/// The certificate of a server, with its key.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

/// Why there can be no such connections.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("expected a certificate in PEM, {path}: {reason}")]
    Certificate { path: PathBuf, reason: String },
    #[error("expected a private key in PEM, {path}: {reason}")]
    Key { path: PathBuf, reason: String },
    #[error("the certificate and the key do not fit: {0}")]
    Pair(rustls::Error),
}

impl Tls {
    /// Reads a certificate, those that vouch for it behind it, and its key.
    ///
    /// # Errors
    /// Names the file that is missing or is something else.
    pub fn read(certificate: &Path, key: &Path) -> Result<Tls, TlsError> {
        let wrong = |reason: String| {
            let path = certificate.to_owned();
            TlsError::Certificate { path, reason }
        };
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| wrong(words(&error)))?;
        if chain.is_empty() {
            return Err(wrong("found none in it".to_owned()));
        }
        let secret = PrivateKeyDer::from_pem_file(key)
            .map_err(|error| TlsError::Key { path: key.to_owned(), reason: words(&error) })?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, secret));
        let mut config = config.map_err(TlsError::Pair)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Tls(TlsAcceptor::from(Arc::new(config))))
    }

    /// Shakes hands with whoever has connected, if it is quick enough.
    pub(crate) async fn greet(&self, stream: TcpStream) -> Option<TlsStream<TcpStream>> {
        let greeting = tokio::time::timeout(HEADER_TIME_MAX, self.0.accept(stream));
        greeting.await.ok()?.ok()
    }
}

fn words(error: &pem::Error) -> String {
    match error {
        pem::Error::Io(error) => error.to_string(),
        pem::Error::NoItemsFound => "found none in it".to_owned(),
        error => error.to_string(),
    }
}
