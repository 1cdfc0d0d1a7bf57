//! Maps of seeds whose fingerprints are known from the original.

use quintain_core::Game;
use quintain_overdrive::{Config, Overdrive};
use sha2::{Digest, Sha256};

#[test]
fn maps_have_the_fingerprints_of_the_originals() {
    let known = [
        (1, "f4656c5f883beef88a3051c24222ad3b61a834c284b0120fe193311bf856c4b1"),
        (12345, "bf32f4b8eeb54c2ea1c24b5d90a96878f1834232b6608ee7c489c822cae0c108"),
        (-7, "84d816b4001761fbcd65785563c1e1048ceadda272c0c0a0456dcc41a4b5c14b"),
    ];
    for (seed, expected) in known {
        let digits = Overdrive::generate(&Config::default(), seed).map.concat();
        let hash: String =
            Sha256::digest(digits.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, expected, "seed {seed}");
    }
}

#[test]
fn seeds_are_32_bit_numbers() {
    assert!(Overdrive::check_seed(i64::from(i32::MIN)).is_ok());
    assert!(Overdrive::check_seed(i64::from(i32::MAX) + 1).is_err());
}
