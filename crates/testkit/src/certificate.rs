//! Certificates that vouch for themselves.

use rcgen::{CertifiedKey, generate_simple_self_signed};

/// A certificate and its private key, both in PEM.
#[derive(Clone)]
pub struct SelfSigned {
    pub certificate: String,
    pub key: String,
}

impl SelfSigned {
    /// For these names and addresses.
    ///
    /// # Panics
    ///
    /// If one of them cannot be one.
    pub fn new(names: &[&str]) -> SelfSigned {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let made = generate_simple_self_signed(names);
        let CertifiedKey { cert, signing_key } = made.expect("names of servers");
        SelfSigned { certificate: cert.pem(), key: signing_key.serialize_pem() }
    }
}
