//! Who answers for a replay: keys, and signatures over all lines before them.
//!
//! Ed25519, over one line of text with the SHA-256 of the file up to the signature, so that a signature
//! can be made and checked with other tools too.

use std::fmt;
use std::str::FromStr;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::format::{Header, SignatureLine};
use crate::reader::Tail;

const PRIVATE_PREFIX: &str = "ed25519-private:";
const PUBLIC_PREFIX: &str = "ed25519:";
const KEY_BYTES: usize = 32;
const SIGNATURE_BYTES: usize = 64;

/// What signs. Its text is a secret, so it is never shown in messages.
#[derive(Clone)]
pub struct PrivateKey(SigningKey);

/// What a signature is checked with. Its text can be shown to everyone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// A text that is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error(
        "expected a public key, {PUBLIC_PREFIX} and 64 hexadecimal digits, or a file with a key, found `{0}`"
    )]
    Public(String),
    #[error("expected a private key, {PRIVATE_PREFIX} and 64 hexadecimal digits")]
    Private,
}

/// Why nobody answers for a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    #[error("expected the signature of {0}, found none")]
    Missing(String),
    #[error("expected the signature of {expected}, found one of {found}")]
    Other { expected: String, found: String },
    #[error("the signature of {0} does not belong to these lines")]
    Broken(String),
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl PrivateKey {
    /// The key of this secret, which must come from a good source of random numbers.
    pub fn from_secret(secret: [u8; KEY_BYTES]) -> Self {
        PrivateKey(SigningKey::from_bytes(&secret))
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The text that [`FromStr`] reads. Whoever has it can sign.
    pub fn secret_text(&self) -> String {
        format!("{PRIVATE_PREFIX}{}", hex(self.0.as_bytes()))
    }

    /// Signs the lines of this digest.
    pub(crate) fn sign(&self, lines: &str) -> SignatureLine {
        let signature = self.0.sign(&message(lines));
        SignatureLine { signer: self.public().to_string(), signature: hex(&signature.to_bytes()) }
    }
}

impl FromStr for PrivateKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let digits = text.trim().strip_prefix(PRIVATE_PREFIX);
        let secret = digits.and_then(bytes_of).ok_or(KeyError::Private)?;
        Ok(PrivateKey::from_secret(secret))
    }
}

/// Without the secret.
impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey of {}", self.public())
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let digits = text.trim().strip_prefix(PUBLIC_PREFIX);
        let key = digits.and_then(bytes_of).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
        // A secret that was given by mistake is not shown.
        let shown = if text.starts_with(PRIVATE_PREFIX) { "a private key" } else { text.trim() };
        key.map(PublicKey).ok_or_else(|| KeyError::Public(shown.to_owned()))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PUBLIC_PREFIX}{}", hex(self.0.as_bytes()))
    }
}

/// Who answers for a complete file; `None` if nobody does.
///
/// # Errors
/// There is a signature and it is wrong, or there should be one.
pub fn signer_of(header: &Header, tail: &Tail) -> Result<Option<PublicKey>, SignatureError> {
    let (promised, line) = match (&header.signer, &tail.signature) {
        (None, None) => return Ok(None),
        (Some(promised), None) => return Err(SignatureError::Missing(promised.clone())),
        (promised, Some(line)) => (promised.as_deref().unwrap_or("nobody"), line),
    };
    if promised != line.signer {
        let (expected, found) = (promised.to_owned(), line.signer.clone());
        return Err(SignatureError::Other { expected, found });
    }
    let key: PublicKey = line.signer.parse()?;
    let signature =
        bytes_of::<SIGNATURE_BYTES>(&line.signature).map(|it| Signature::from_bytes(&it));
    let lines = tail.signed.as_deref().unwrap_or_default();
    let is_right = signature.is_some_and(|it| key.0.verify_strict(&message(lines), &it).is_ok());
    if is_right { Ok(Some(key)) } else { Err(SignatureError::Broken(line.signer.clone())) }
}

/// What is signed: it says what it is, so that no other signature of the key can be taken for it.
fn message(lines: &str) -> Vec<u8> {
    format!("quintain replay, sha256 of all lines: {lines}\n").into_bytes()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of<const COUNT: usize>(digits: &str) -> Option<[u8; COUNT]> {
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if digits.len() != 2 * COUNT || !is_hexadecimal {
        return None;
    }
    let mut bytes = [0; COUNT];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first test of RFC 8032: the key that belongs to a secret.
    #[test]
    fn keys_are_those_of_the_standard() {
        let secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
        let public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        let key: PrivateKey = format!("ed25519-private:{secret}\n").parse().expect("a key");
        assert_eq!(key.public().to_string(), format!("ed25519:{public}"));
        assert_eq!(key.secret_text().parse::<PrivateKey>().expect("a key").public(), key.public());
        assert!(!format!("{key:?}").contains(&secret[..8]));
    }

    #[test]
    fn what_is_no_key_is_refused_and_secrets_are_not_shown() {
        for text in ["", "ed25519:", "ed25519:00", "hello", "ed25519:éé"] {
            assert!(text.parse::<PublicKey>().is_err(), "{text}");
            assert!(text.parse::<PrivateKey>().is_err(), "{text}");
        }
        let secret = PrivateKey::from_secret([7; 32]).secret_text();
        let said = secret.parse::<PublicKey>().expect_err("a secret").to_string();
        assert!(said.contains("found `a private key`"), "{said}");
    }
}
