//! Connections to a PostgreSQL server that nobody else can read.

use quintain_store::{Store, StoreError};
use quintain_testkit::{Postgres, SelfSigned};

#[test]
fn a_server_whose_certificate_is_known_is_spoken_to_in_secret() {
    let Some(server) = Postgres::shared() else { return };
    let url = server.database("tls");
    let certificate = server.certificate().display().to_string();
    let store = Store::open(&format!("{url}?sslmode=verify-full&sslrootcert={certificate}"));
    let store = store.unwrap();
    store.ping().unwrap();
    let count = "SELECT COUNT(*), BOOL_AND(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                 WHERE datname = 'tls'";
    let seen = server.query("postgres", count);
    assert!(seen.ends_with("|t") && !seen.starts_with("0|"), "{seen}");
}

#[test]
fn a_server_whose_certificate_is_another_is_refused() {
    let Some(server) = Postgres::shared() else { return };
    let url = server.database("tls_refused");
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.pem");
    std::fs::write(&other, SelfSigned::new(&["127.0.0.1"]).certificate).unwrap();
    let opened = Store::open(&format!("{url}?sslmode=verify-full&sslrootcert={}", other.display()));
    let Err(StoreError::Unreachable { reason, .. }) = opened else { panic!("{opened:?}") };
    assert!(reason.contains("certificate"), "{reason}");
}
