//! Files of orders: archives of bots by their digest, and replays until they are collected.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path as UrlPath, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use quintain_record::MatchId;
use quintain_store::digest;
use quintain_store::work::{Lease, OrderId};

use super::limits::{BODY_BYTES_MAX, BOT_TIME_MAX, BOTS_BYTES_MAX};
use super::refusal::WorkRefusal;
use super::replays::{Replays, join, split};
use super::token_owner::{Either, Organiser};
use super::{Work, on_a_thread};

const DIGEST_LETTERS: usize = 64;

pub(super) struct Blobs {
    folder: PathBuf,
    /// Two that are written at the same time have different names until they are whole.
    written: AtomicU64,
}

impl Blobs {
    pub(super) fn new(folder: &Path) -> Blobs {
        Blobs { folder: folder.to_owned(), written: AtomicU64::new(0) }
    }

    /// The file of an archive; `None` if that is no digest.
    fn bot(&self, digest: &str) -> Option<PathBuf> {
        let is_digest = digest.len() == DIGEST_LETTERS
            && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_digest.then(|| self.folder.join("bots").join(digest))
    }

    pub(super) fn has_bot(&self, digest: &str) -> bool {
        let path = self.bot(digest).filter(|path| path.is_file());
        path.is_some_and(|path| {
            self.touch(&path);
            true
        })
    }

    fn replays_of(&self, order: OrderId) -> PathBuf {
        self.folder.join("replays").join(order.0.to_string())
    }

    /// Whoever has lost a job and whoever has it may write at the same time: they do not write the same file.
    fn replay_file(&self, order: OrderId, lease: Lease) -> PathBuf {
        let Lease { job, reads } = lease;
        self.replays_of(order).join(format!("{job}-{reads}"))
    }

    pub(super) fn keep_replays<'a>(
        &self,
        order: OrderId,
        lease: Lease,
        replays: impl Iterator<Item = (MatchId, &'a [u8])> + Clone,
    ) -> Result<(), WorkRefusal> {
        self.write(&self.replay_file(order, lease), &join(replays))
    }

    /// The replays that were reported by a lease: none if they are gone.
    pub(super) fn replays(&self, order: OrderId, lease: Lease) -> Result<Replays, WorkRefusal> {
        let path = self.replay_file(order, lease);
        let strange = || io::Error::new(io::ErrorKind::InvalidData, "it holds no replays");
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Replays::new()),
            bytes => bytes,
        };
        let replays = bytes.and_then(|bytes| split(&bytes).ok_or_else(strange));
        replays.map_err(|error| failed("read", &path, &error))
    }

    /// A file that stays is removed with its order.
    pub(super) fn forget_replays(&self, order: OrderId, lease: Lease) {
        let _ = fs::remove_file(self.replay_file(order, lease));
    }

    pub(super) fn forget_order(&self, order: OrderId) {
        let _ = fs::remove_dir_all(self.replays_of(order));
    }

    /// Removes the replays of orders that are gone.
    pub(super) fn keep_replays_of(&self, orders: &BTreeSet<OrderId>) {
        for path in entries(&self.folder.join("replays")) {
            let order = path.file_name().and_then(|name| name.to_str()?.parse().ok()).map(OrderId);
            if order.is_some_and(|order| !orders.contains(&order)) {
                let _ = fs::remove_dir_all(path);
            }
        }
    }

    /// Removes archives that no order needs: those that nobody has asked for in a long time, and the oldest where all
    /// together are too much.
    pub(super) fn trim_bots(&self, needed: &BTreeSet<String>) {
        let mut bots: Vec<(SystemTime, u64, PathBuf)> = entries(&self.folder.join("bots"))
            .filter_map(|path| {
                let file = fs::metadata(&path).ok()?;
                Some((file.modified().ok()?, file.len(), path))
            })
            .collect();
        bots.sort_by(|one, other| other.cmp(one));
        let mut all = 0;
        for (used, bytes, path) in bots {
            all += bytes;
            let age = used.elapsed().unwrap_or_default();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if !needed.contains(name) && (age > BOT_TIME_MAX || all > BOTS_BYTES_MAX) {
                // What stays is tried again the next time.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// Notes that an archive is in use.
    fn touch(&self, path: &Path) {
        // One that looks older than it is may be sent once more.
        if let Ok(file) = fs::File::options().append(true).open(path) {
            let _ = file.set_modified(SystemTime::now());
        }
    }

    /// A file is there as a whole, on the disk, or not at all.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), WorkRefusal> {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let partial = path.with_extension(format!("part{}-{number}", std::process::id()));
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            let mut file = fs::File::create(&partial)?;
            io::Write::write_all(&mut file, bytes)?;
            file.sync_data()?;
            fs::rename(&partial, path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&partial);
            failed("write", path, &error)
        })
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn failed(doing: &str, path: &Path, error: &io::Error) -> WorkRefusal {
    WorkRefusal::Away(format!("the server cannot {doing} {}: {error}", path.display()))
}

type Name = Result<UrlPath<String>, PathRejection>;

/// Sends an archive to whoever plays its bot.
pub(super) async fn send(
    State(work): State<Arc<Work>>,
    _owner: Either,
    name: Name,
) -> Result<Response, WorkRefusal> {
    let UrlPath(name) = name?;
    let bytes = on_a_thread(&work, move |work| {
        let path = work.blobs.bot(&name).ok_or(WorkRefusal::NotThere)?;
        work.blobs.touch(&path);
        fs::read(path).map_err(|_| WorkRefusal::NotThere)
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response())
}

/// Takes an archive from an organiser.
pub(super) async fn receive(
    State(work): State<Arc<Work>>,
    _owner: Organiser,
    name: Name,
    body: Result<Bytes, BytesRejection>,
) -> Result<StatusCode, WorkRefusal> {
    let UrlPath(name) = name?;
    let body = body.map_err(|error| WorkRefusal::of_body(&error, BODY_BYTES_MAX))?;
    on_a_thread(&work, move |work| {
        let path = work.blobs.bot(&name).ok_or(WorkRefusal::NotThere)?;
        let found = digest(&body);
        if found != name {
            return Err(WorkRefusal::Wrong(format!(
                "expected content of digest {name}, found {found}"
            )));
        }
        work.blobs.write(&path, &body)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_that_no_order_needs_are_removed_when_they_are_old() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::new(folder.path());
        let names = ["0", "1", "2"].map(|digit| digit.repeat(DIGEST_LETTERS));
        for name in &names {
            let path = blobs.bot(name).expect("a digest");
            blobs.write(&path, b"bot").expect("room");
            let file = fs::File::options().append(true).open(path).expect("it is there");
            file.set_modified(SystemTime::now() - 2 * BOT_TIME_MAX).expect("it is ours");
        }
        assert!(blobs.has_bot(&names[2]), "whoever asks for it keeps it");
        blobs.trim_bots(&BTreeSet::from([names[0].clone()]));
        assert_eq!(names.map(|name| blobs.has_bot(&name)), [true, false, true]);
    }

    #[test]
    fn replays_go_with_their_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let (blobs, game) = (Blobs::new(folder.path()), MatchId::default());
        let lease = Lease { job: 1, reads: 1 };
        for order in [1, 2] {
            let replays = [(game, &b"replay"[..])];
            blobs.keep_replays(OrderId(order), lease, replays.into_iter()).expect("room");
        }
        blobs.keep_replays_of(&BTreeSet::from([OrderId(2)]));
        let kept = |order| blobs.replays(OrderId(order), lease).expect("they can be read");
        assert_eq!(kept(1), Replays::new());
        assert_eq!(kept(2), Replays::from([(game, b"replay".to_vec())]));
    }
}
