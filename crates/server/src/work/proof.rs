//! Proves that this server gave a job to a worker, without a list of everything that it ever gave: a lease carries a
//! digest that only whoever knows the store's secret can make.

use quintain_store::StoreError;
use quintain_store::digest;
use quintain_store::work::{JobBoard, Lease, new_token};
use rustix::rand::{GetRandomFlags, getrandom};

use quintain_arena::work::wire::LeaseWords;

const DIGITS: usize = 16;

pub(super) struct Prover {
    secret: String,
}

impl Prover {
    pub(super) fn of(board: &JobBoard) -> Result<Prover, StoreError> {
        let secret = board.secret(&new_token(random_bytes()))?;
        Ok(Prover { secret })
    }

    /// A lease as a worker is told of it.
    pub(super) fn words(&self, worker: &str, Lease { job, reads }: Lease) -> LeaseWords {
        LeaseWords { job, reads, proof: self.proof(worker, job, reads) }
    }

    /// The lease, if it was given to this worker.
    pub(super) fn lease(&self, worker: &str, words: LeaseWords) -> Option<Lease> {
        let LeaseWords { job, reads, proof } = words;
        (proof == self.proof(worker, job, reads)).then_some(Lease { job, reads })
    }

    fn proof(&self, worker: &str, job: i64, reads: i64) -> u64 {
        let digest = digest(format!("{}\n{worker}\n{job}\n{reads}", self.secret).as_bytes());
        u64::from_str_radix(&digest[..DIGITS], 16).expect("a digest is hexadecimal digits")
    }
}

/// What nobody can guess. A system that has none yet gives zeros, which is only a worse secret.
pub(super) fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    let _ = getrandom(&mut bytes, GetRandomFlags::empty());
    bytes
}
